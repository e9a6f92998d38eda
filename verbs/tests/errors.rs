//! What is missing is said in words, with what to do.
use std::net::Ipv4Addr;
use std::time::Duration;

use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::memory::Access;
use mneme_verbs::{DeviceClient, Devices, VerbsError, Way, devices};

#[test]
fn no_library_and_no_device_are_told_with_a_remedy() {
    let ask = Ask {
        pid: 1,
        kind: Kind::Pages,
        access: Access::ALL,
        token: [0; 16],
        va: 0,
        length: 8,
        hardened: false,
    };
    let way = Way { device: "none-of-these".into(), source: None, board: Ipv4Addr::LOCALHOST };
    let error = DeviceClient::connect(way, &ask, Duration::from_secs(1)).expect_err("no such device");
    let said = error.to_string();
    match devices() {
        // This machine has the libraries, and devices or none.
        Ok(there) => {
            assert!(
                matches!(&error, VerbsError::NoDevice { there: Devices(told), .. } if *told == there),
                "{said}"
            );
            assert!(said.starts_with("there is no RDMA device none-of-these: this machine has "), "{said}");
            assert_eq!(said.contains("rdma link add"), there.is_empty(), "{said}");
        }
        Err(VerbsError::Library { .. }) => {
            assert!(said.contains("libibverbs1, librdmacm1, ibverbs-providers"), "{said}");
        }
        Err(other) => panic!("{other}"),
    }
}
