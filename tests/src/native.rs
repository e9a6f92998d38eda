//! A native RDMA client's calls, one at a time, and what a board tells it.
use mneme_clib::Process;
use mneme_daemon::rdma::statistics_names;
use mneme_rdma::cm::{Ask, ConnectError, Kind, Refusal};
use mneme_rdma::memory::Access;
use mneme_rdma::requester::{Completion, Failure};
use mneme_rdma::udp::{ClientError, NativeClient};

use crate::served::RdmaBoard;

/// Waits for the next operation to end.
pub fn done(client: &mut NativeClient) -> Completion<Vec<u8>> {
    client.wait().expect("the socket works").expect("an operation")
}
/// READs bytes, which must be served.
pub fn native_read(client: &mut NativeClient, va: u64, length: usize) -> Vec<u8> {
    client.native.read(va, vec![0xee; length]).expect("posted");
    let done = done(client);
    assert_eq!(done.result, Ok(()));
    done.buffer.expect("bytes")
}
/// WRITEs bytes; how it ended.
pub fn native_write(client: &mut NativeClient, va: u64, bytes: &[u8]) -> Result<(), Failure> {
    client.native.write(va, bytes.to_vec(), None, false).expect("posted");
    done(client).result
}
/// Why there is no connection.
pub fn refused(made: Result<NativeClient, ClientError>) -> Refusal {
    match made {
        Err(ClientError::Connect(ConnectError::Refused(refusal))) => refusal,
        other => panic!("{other:?}"),
    }
}
/// What the board counts now, by name, by a connection of its own; a software board audits its frames for it, but once a second at most.
pub fn statistics(board: &mut RdmaBoard, process: &Process) -> impl Fn(&str) -> u64 + use<> {
    let (pid, token) = (process.pid(), process.token());
    let ask =
        Ask { pid, kind: Kind::Statistics, access: Access::READ, token, va: 0, length: 8, hardened: false };
    told(&mut board.rdma_again(ask).expect("a connection"))
}
/// The same by a connection that is there.
pub fn told(statistics: &mut NativeClient) -> impl Fn(&str) -> u64 + use<> {
    let length = statistics.native.grant().length as usize;
    let bytes = native_read(statistics, statistics.native.grant().va, length);
    let counts: Vec<u64> = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    move |name| counts[statistics_names().position(|own| own == name).unwrap_or_else(|| panic!("`{name}`"))]
}
