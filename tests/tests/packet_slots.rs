//! A served board is asked for more than it has packet slots for, and loses nothing for want of one.
use mneme_clib::{Client, ClientOptions, OpenOptions};
use mneme_tests::rig::in_process::Soft;
use mneme_tests::rig::udp::Udp;
use mneme_tests::rig::{Config, Rig};
use mneme_wire::Counter;

/// Bytes of a read: far more packets than the 32 slots of configuration *sim*, whose answers leave more slowly than the
/// requests come.
const BYTES: usize = 256 << 10;
const READS: usize = 8;
const CLIENTS: u8 = 2;

#[test]
fn frames_wait_in_the_socket_for_a_slot() {
    let rig = Udp::<Soft>::start(Config::Sim);
    let connect = &|| {
        let options = ClientOptions { transport: Udp::<Soft>::transport(), ..ClientOptions::default() };
        Client::connect(rig.driver(), options).expect("a board")
    };
    std::thread::scope(|scope| {
        for number in 1..=CLIENTS {
            scope.spawn(move || {
                let process = connect().open(OpenOptions::default()).expect("a process");
                let va = process.ralloc(BYTES as u64).expect("memory");
                process.rwrite(va, &vec![number; BYTES]).expect("written");
                for _ in 0..READS {
                    let mut back = vec![0; BYTES];
                    process.rread(va, &mut back).expect("read");
                    assert!(back.iter().all(|byte| *byte == number));
                }
            });
        }
    });
    let counters = connect().board_counters().expect("counters");
    assert_eq!(counters.get(Counter::DropIngressFull), 0);
    // Not for want of packets.
    assert!(counters.get(Counter::RxFrames) > u64::from(CLIENTS) * (READS * BYTES / 1500) as u64);
}
