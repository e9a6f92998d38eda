//! Leases are kept whatever else the client does: by calls that are long, and by calls that fill everything that may be under way.
use crate::support;

use mneme_clib::{AllocOptions, Client, ClientOptions, OpenOptions, TransportConfig};
use mneme_wire::Opcode;
use std::time::Duration;
use support::{Board, Mood, PAGE, Second, Shared};

/// Bytes of a long call.
const LONG: usize = 1 << 20;

/// The longest time between two moments at which a process of the board was heard of, from one time to another.
fn longest_silence(board: &Board, pid: u32, (from, to): (Duration, Duration)) -> Duration {
    let of_process = board.heard.iter().filter(|(of, _)| *of == pid).map(|(_, at)| *at);
    let heard = of_process.filter(|at| (from..=to).contains(at)).chain([to]);
    heard.fold((from, Duration::ZERO), |(last, longest), at| (at, longest.max(at - last))).1
}

#[test]
fn a_long_call_puts_no_lease_off() {
    let world = Shared::new(81);
    world.with(|world| world.board.leases = true);
    let few = TransportConfig { packets_in_flight: 4, ..TransportConfig::board_time() };
    let options = ClientOptions { transport: few, ..Shared::options() };
    let client = Client::connect(world.clone(), options).expect("the board answers");
    let now = || world.with(|world| world.now);
    let write = |lease: Duration| {
        let process =
            client.open(OpenOptions { lease: Some(lease), ..OpenOptions::default() }).expect("open");
        let va = process.ralloc(LONG as u64).expect("memory");
        let began = now();
        process.rwrite(va, &vec![7; LONG]).expect("written");
        let times = (began, now());
        let silence = world.with(|world| longest_silence(&world.board, process.pid(), times));
        process.exit().expect("exit");
        (times.1 - times.0, silence)
    };
    let (took, _) = write(Duration::from_secs(1));
    let lease = took / 5;
    let (took, silence) = write(lease);
    assert!(took > 2 * lease, "the call is long: {took:?}");
    assert!(silence < lease / 2, "nothing was heard of the process for {silence:?} of a lease of {lease:?}");
}

#[test]
fn calls_that_wait_for_another_board_put_no_lease_off() {
    const LEASE: Duration = Duration::from_millis(6);
    let world = Shared::new(82);
    world.with(|world| (world.board.leases, world.second.leases) = (true, true));
    let client = world.client();
    assert_eq!(client.add_lane(Second(world.clone())).expect("a board"), 1);
    let process = client.open(OpenOptions { lease: Some(LEASE), ..OpenOptions::default() }).expect("open");
    let on = |lane| AllocOptions { lane: Some(lane), own_pages: true, ..AllocOptions::default() };
    let vas = [0, 1].map(|lane| process.ralloc_with(PAGE, on(lane)).expect("memory"));
    vas.iter().for_each(|va| process.rwrite(*va, &[0; 16]).expect("written"));
    let pid = process.memberships()[0].pid;
    // The second board is away, and nobody knows whether it has done what was asked last.
    world.with(|world| world.second.moods = [Mood::Deaf; 10_000].into());
    process.within(Duration::from_micros(100)).rwrite(vas[1], b"lost").expect_err("nobody answers");
    let began = world.with(|world| world.now);
    let calls: Vec<_> = (0..200).map(|word| process.rwrite_async(vas[0] + 8 * word, b"held off")).collect();
    let held = calls.into_iter().map(|call| call.wait()).filter(|ended| ended.is_ok()).count();
    let times = (began, world.with(|world| world.now));
    assert!(times.1 - times.0 > 2 * LEASE, "they wait: {:?}", times.1 - times.0);
    let silence = world.with(|world| longest_silence(&world.board, pid, times));
    assert!(silence < LEASE, "nothing was heard of the process for {silence:?}; {held} calls ended well");
    let writes = |world: &Board| world.requests.iter().filter(|asked| asked.opcode == Opcode::Write).count();
    assert!(world.with(|world| writes(&world.board)) > 1, "they went on");
}
