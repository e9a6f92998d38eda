//! Clients that say nothing: who is kept, who is asked, and when what the others had comes back.
use mneme_rdma::cm::{ChainAsk, Connected, Kind};
use mneme_rdma::codec::PathMtu;
use mneme_rdma::codec::Psn;
use mneme_rdma::codec::cm::{Mad, Message, Pair};
use mneme_rdma::codec::frame::RoceFrame;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::responder::PACKET_MAX;
use mneme_rdma::udp::{emit_management, management};

use crate::client::{CLIENT, MB, Process, SECOND, World, ask};

/// The board looks so often.
const LOOK: u64 = SECOND / 100;
/// What its processes may be silent.
const LEASE: u64 = 2 * SECOND;
/// How long the board asks in vain beyond that.
const GRACE: u64 = 10 * SECOND;

/// A process with that lease, and pages of 4 KB.
fn begin(world: &mut World) -> (Process, u64) {
    let process = world.open_for(LEASE);
    let va = world.frames(process, MB);
    (process, va)
}
fn native(world: &mut World, process: Process, va: u64) -> Connected {
    let asks = ask(process, Kind::Frames, (va, MB));
    world.connect(CLIENT, asks, None, PathMtu::MAX).expect("a connection")
}
fn chains(world: &mut World, process: Process, va: u64) -> Vec<Connected> {
    let mut connect = |chain| {
        let asks = ask(process, Kind::Chain(chain), (va, MB));
        world.connect(CLIENT, asks, Some(&ChainAsk::default_of(chain)), PathMtu::MAX).expect("a connection")
    };
    Chain::ALL.into_iter().map(&mut connect).collect()
}
fn there(world: &World) -> (usize, usize, usize) {
    (world.hardware.chains.len(), world.hardware.native.len(), world.hardware.regions.len())
}
/// Takes what the board has sent, which is probes: the client's and the board's numbers, and of whose queue pair.
fn probes(world: &mut World) -> Vec<(Pair, u32, u64)> {
    let frames: Vec<Vec<u8>> = world.hardware.tx.drain(..).collect();
    let probe = |frame: &Vec<u8>| {
        let frame = RoceFrame::parse(frame).expect("a sound frame");
        let bytes = management(frame.transport).expect("it manages");
        let mad = Mad::parse(&bytes).expect("a message");
        let Message::Reply(reply) = mad.message else { panic!("{:?} is no probe", mad.message) };
        (reply.ids, reply.qpn, mad.transaction)
    };
    frames.iter().map(probe).collect()
}
/// Says that a client is there, as its connection manager does by itself.
fn answer(world: &mut World, (ids, _, transaction): (Pair, u32, u64)) {
    let ids = Pair { local: ids.remote, remote: ids.local };
    let bytes = Message::ReadyToUse { ids, private: &[] }.to_bytes(transaction).expect("a message");
    let mut packet = [0; PACKET_MAX];
    let length = emit_management(Psn::default(), &bytes, &mut packet).expect("it fits");
    world.give(CLIENT, &packet[..length]);
}
/// Time passes; clients of the queue pairs for which `lives` holds answer. The most probes that came of one look.
fn pass(world: &mut World, time: u64, lives: impl Fn(u32) -> bool) -> usize {
    let mut most = 0;
    for _ in 0..time / LOOK {
        world.pass(LOOK);
        let asked = probes(world);
        most = most.max(asked.len());
        asked.into_iter().filter(|(_, qpn, _)| lives(*qpn)).for_each(|probe| answer(world, probe));
    }
    most
}
/// How long it takes until something holds, of clients who answer nothing.
fn takes(world: &mut World, mut holds: impl FnMut(&World) -> bool) -> u64 {
    let begin = world.now;
    while !holds(world) {
        assert!(world.now - begin < 100 * SECOND, "it takes for ever");
        world.pass(LOOK);
        probes(world);
    }
    world.now - begin
}

/// The slow path sees no packet of a client that only READs: packet numbers tell that it lives.
#[test]
fn who_reads_keeps_its_process_and_who_is_dead_loses_it_with_its_lease() {
    let mut world = World::new(true);
    let (reads, at) = begin(&mut world);
    let (dead, other) = begin(&mut world);
    let reader = native(&mut world, reads, at);
    native(&mut world, dead, other);
    chains(&mut world, dead, other);
    assert_eq!(there(&world), (4, 2, 2));
    let mut gone = None;
    for look in 0..1000u64 {
        // A READ of no bytes takes a packet's number, too.
        if look % 100 == 0 {
            let pair = world.hardware.native.get_mut(&(reader.qpn & 31)).expect("it is there");
            pair.expected = (pair.expected + 1) & 0xff_ffff;
        }
        pass(&mut world, LOOK, |_| false);
        if gone.is_none() && there(&world) == (0, 1, 1) {
            gone = Some(look * LOOK);
        }
    }
    let gone = gone.expect("the dead client's process has ended");
    assert!((LEASE - LOOK..LEASE + 5 * LOOK).contains(&gone), "after {gone} ns");
    assert!(world.hardware.native.contains_key(&(reader.qpn & 31)));
    let counted = world.counted();
    assert_eq!((counted["connections"], counted["connections ended with their process"]), (1, 5));
    assert_eq!(counted["connections ended after silence"], 0);
    // Then it says nothing any more.
    let took = takes(&mut world, |world| there(world) == (0, 0, 0));
    assert!(took <= LEASE + 5 * LOOK, "{took} ns");
}

#[test]
fn idle_clients_are_asked_and_kept_while_they_answer() {
    let mut world = World::new(true);
    let (process, va) = begin(&mut world);
    chains(&mut world, process, va);
    native(&mut world, process, va);
    pass(&mut world, 10 * LEASE, |_| true);
    assert_eq!(there(&world), (4, 1, 1));
    let counted = world.counted();
    let (asked, said) = (counted["probes of silent clients"], counted["probes of silent clients answered"]);
    // Each of five four times in a lease.
    assert!((5 * 36..=5 * 40).contains(&asked) && said >= asked - 5, "{said} of {asked}");
    assert_eq!(counted["management datagrams unexpected"], 0);
    // The network is gone: no answer, no process.
    let took = takes(&mut world, |world| there(world) == (0, 0, 0));
    assert!(took <= LEASE + 5 * LOOK, "{took} ns");
    assert_eq!(world.counted()["connections ended with their process"], 5);
}

/// One of two clients is dead, and the other one keeps the process.
#[test]
fn a_dead_client_of_a_process_that_lives_ends_a_bounded_time_behind_the_lease() {
    let mut world = World::new(true);
    let (process, va) = begin(&mut world);
    let lives = native(&mut world, process, va);
    let dead = chains(&mut world, process, va);
    pass(&mut world, LEASE + GRACE - SECOND / 10, |qpn| qpn == lives.qpn);
    assert_eq!(there(&world), (4, 1, 1), "they have been asked in vain, and have time yet");
    pass(&mut world, SECOND / 5, |qpn| qpn == lives.qpn);
    assert_eq!(there(&world), (0, 1, 1));
    let counted = world.counted();
    assert_eq!((counted["connections ended after silence"], counted["chain connections"]), (4, 0));
    // Nothing of it is left: their numbers are nobody's.
    world.disconnect(&dead[0]);
    assert_eq!(there(&world), (0, 1, 1));
}

/// A process without a lease is for ever, and its clients' connections are not.
#[test]
fn without_a_lease_a_connection_may_be_silent_as_long_as_one_that_gives_way() {
    let mut world = World::new(true);
    let process = world.open();
    let va = world.frames(process, MB);
    native(&mut world, process, va);
    let took = takes(&mut world, |world| there(world) == (0, 0, 0));
    assert!((70 * SECOND - LOOK..70 * SECOND + 5 * LOOK).contains(&took), "{took} ns");
    assert!(world.slow.inspect(|space| space.may_join(process.pid, &process.token)).is_ok());
    let counted = world.counted();
    assert_eq!((counted["connections ended after silence"], counted["probes of silent clients"]), (1, 4));
}

/// What one look sends is bounded, and nobody is forgotten.
#[test]
fn many_idle_clients_are_asked_in_turn_and_all_are_kept() {
    let mut world = World::new(true);
    // As many as one address has of a table.
    let made: Vec<_> = (0..16)
        .map(|_| {
            let (process, va) = begin(&mut world);
            native(&mut world, process, va)
        })
        .collect();
    let most = pass(&mut world, 10 * LEASE, |_| true);
    assert!(most <= 8, "{most} at once");
    assert_eq!(there(&world), (0, 16, 16));
    assert_eq!(world.counted()["connections"], made.len() as u64);
}

/// Who does not know the numbers of a connection keeps nobody's alive.
#[test]
fn forged_signs_of_life_keep_nobody() {
    let mut world = World::new(true);
    let (process, va) = begin(&mut world);
    let connected = native(&mut world, process, va);
    for guess in 0..200u32 {
        world.pass(LOOK);
        probes(&mut world);
        let ids = Pair { local: connected.ids.remote, remote: connected.ids.local ^ (1 << (guess % 32)) };
        answer(&mut world, (ids, connected.qpn, 0));
    }
    assert!(takes(&mut world, |world| there(world) == (0, 0, 0)) <= 5 * LOOK);
    let counted = world.counted();
    assert_eq!(counted["management datagrams unexpected"], 200);
    assert_eq!(counted["probes of silent clients answered"], 0);
}
