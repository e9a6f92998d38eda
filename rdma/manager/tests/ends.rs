//! How connections of ODRP's functions end, and that nothing stays of them.
use mneme_rdma::cm::{ChainAsk, Connected, Kind, Refusal};
use mneme_rdma::codec::PathMtu;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma_manager::PER_PROCESS;

use crate::client::{CLIENT, MB, Process, SECOND, World, ask};

fn connect(world: &mut World, process: Process, va: u64, chain: Chain) -> Result<Connected, Refusal> {
    let asks = ask(process, Kind::Chain(chain), (va, MB));
    world.connect(CLIENT, asks, Some(&ChainAsk::default_of(chain)), PathMtu::MAX)
}
/// The four functions on a segment, and a native client beside them.
fn all(world: &mut World, process: Process, va: u64) -> Vec<Connected> {
    let mut made: Vec<_> =
        Chain::ALL.map(|chain| connect(world, process, va, chain).expect("a connection")).into();
    let native = ask(process, Kind::Frames, (va, MB));
    made.push(world.connect(CLIENT, native, None, PathMtu::MAX).expect("a connection"));
    made
}
/// Queue pairs of chains, native ones, and regions that the port has.
fn there(world: &World) -> (usize, usize, usize) {
    (world.hardware.chains.len(), world.hardware.native.len(), world.hardware.regions.len())
}

#[test]
fn what_its_client_ends_is_gone_at_once() {
    let mut world = World::new(true);
    let process = world.open();
    let va = world.frames(process, MB);
    let made = all(&mut world, process, va);
    assert_eq!(there(&world), (4, 1, 1));
    let first = made[0].chain.expect("a table");
    world.disconnect(&made[1]);
    assert_eq!(there(&world), (3, 1, 1));
    assert!(
        world.hardware.chains.values().all(|own| own.made[&mneme_wire::ChainRegister::Qpn] != made[1].qpn)
    );
    // While one of the segment's is there, the next one has the same table; behind the last one it is another.
    let again = connect(&mut world, process, va, Chain::MappedStore).expect("a connection");
    assert_eq!(again.chain, Some(first));
    for connected in [&made[0], &made[2], &made[3], &again] {
        world.disconnect(connected);
    }
    assert_eq!(there(&world), (0, 1, 1), "the native one is another's");
    let other = connect(&mut world, process, va, Chain::Load).expect("a connection").chain.expect("a table");
    assert!(other.tt_base != first.tt_base && other.key != first.key);
    let counted = world.counted();
    assert_eq!((counted["connections"], counted["chain connections"]), (2, 1));
    assert_eq!(counted["connections ended by their clients"], 5);
}

#[test]
fn connections_end_with_their_segment_and_with_their_process() {
    let mut world = World::new(true);
    let process = world.open();
    let (va, kept) = (world.frames(process, MB), world.frames(process, MB));
    all(&mut world, process, va);
    connect(&mut world, process, kept, Chain::Load).expect("a connection");
    world.free(process, va, MB);
    world.pass(10_000_000);
    assert_eq!(there(&world), (1, 0, 0));
    assert_eq!(world.counted()["connections ended with their process"], 5);
    // A killed client's process ends with its lease.
    world.exit(process);
    world.pass(10_000_000);
    assert_eq!(there(&world), (0, 0, 0));
    let counted = world.counted();
    assert_eq!((counted["connections"], counted["chain connections"]), (0, 0));
    assert_eq!(counted["connections ended with their process"], 6);
}

#[test]
fn an_error_ends_its_connection_alone() {
    let mut world = World::new(true);
    let process = world.open();
    let va = world.frames(process, MB);
    let made = all(&mut world, process, va);
    let place = made[2].qpn & 15;
    world.hardware.chains.get_mut(&place).expect("it is there").in_error = true;
    world.look();
    assert_eq!(there(&world), (3, 1, 1));
    let counted = world.counted();
    assert_eq!((counted["connections ended by an error"], counted["chain connections"]), (1, 3));
    // Nothing is left that its client could end.
    world.disconnect(&made[2]);
    assert_eq!(there(&world), (3, 1, 1));
}

/// A client that has sent a packet has been heard of, whatever became of its RTU.
#[test]
fn who_is_never_heard_of_loses_its_connection_and_who_sends_keeps_it() {
    let mut world = World::new(true);
    let process = world.open();
    let va = world.frames(process, MB);
    let silent = world.asked_only(ask(process, Kind::Chain(Chain::Load), (va, MB)), Chain::Load);
    let sends = world.asked_only(ask(process, Kind::Chain(Chain::Invalidate), (va, MB)), Chain::Invalidate);
    assert_eq!(there(&world).0, 2);
    world.hardware.chains.get_mut(&(sends.qpn & 15)).expect("it is there").expected ^= 1;
    world.look();
    world.pass(10 * SECOND);
    assert_eq!(there(&world).0, 1);
    assert!(world.hardware.chains.contains_key(&(sends.qpn & 15)));
    assert!(!world.hardware.chains.contains_key(&(silent.qpn & 15)) || silent.qpn & 15 == sends.qpn & 15);
    let counted = world.counted();
    assert_eq!(counted["connections whose clients were never heard of"], 1);
}

/// Native connections and chains have one share of a process, and one of an address.
#[test]
fn shares_count_both_kinds_and_the_silent_one_gives_way() {
    let mut world = World::new(true);
    let process = world.open();
    let va = world.frames(process, MB);
    let chain = connect(&mut world, process, va, Chain::Load).expect("a connection");
    world.pass(SECOND);
    // Connections for what was counted have no place of the hardware's.
    let reads = ask(process, Kind::Statistics, (0, 8));
    for _ in 1..PER_PROCESS {
        world.connect(CLIENT, reads, None, PathMtu::MAX).expect("a connection");
    }
    assert_eq!(connect(&mut world, process, va, Chain::Load), Err(Refusal::Full));
    // All of them are silent; the chain has been longest.
    world.pass(61 * SECOND);
    // They are asked whether they are there, and do not say so.
    assert_eq!(world.hardware.tx.drain(..).count(), 8);
    let next = connect(&mut world, process, va, Chain::Invalidate).expect("the silent one gives way");
    assert_eq!(there(&world).0, 1);
    assert_ne!(next.qpn, chain.qpn);
    let counted = world.counted();
    assert_eq!(counted["connections ended for another of their process"], 1);
    assert_eq!(counted["connections"], PER_PROCESS as u64);
}

/// However many processes an address has, others find places, and so do the processes of others: of native queue pairs, of chains, and of
/// those that tell what was counted.
#[test]
fn no_address_takes_a_whole_table() {
    const OTHER: [u8; 4] = [10, 0, 0, 3];
    for (kind, most) in [(Kind::Frames, 16), (Kind::Chain(Chain::Load), 8), (Kind::Statistics, 64)] {
        let mut world = World::new(true);
        let mut owner = || {
            let process = world.open();
            (process, world.frames(process, MB))
        };
        let (own, other) = ([owner(), owner(), owner(), owner()], owner());
        let mut connect = |from, (process, va): (Process, u64)| {
            let chain = if let Kind::Chain(chain) = kind { Some(ChainAsk::default_of(chain)) } else { None };
            world.connect(from, ask(process, kind, (va, MB)), chain.as_ref(), PathMtu::MAX)
        };
        let turns = own.iter().cycle().take(1000);
        let made: Vec<_> = turns.map_while(|owner| connect(CLIENT, *owner).ok()).collect();
        assert_eq!(made.len(), most, "{kind:?}");
        assert_eq!(own.map(|owner| connect(CLIENT, owner)), [Err(Refusal::Full); 4], "{kind:?}");
        // Half of what is left, for whoever comes next.
        let made = (0..1000).map_while(|_| connect(OTHER, other).ok()).count();
        assert_eq!(made, most / 2, "{kind:?}");
        assert_eq!(connect(CLIENT, own[0]), Err(Refusal::Full), "{kind:?}");
    }
}

/// Who has had his share of a table gets a place of his own there that is silent, not one of another table.
#[test]
fn in_a_full_share_the_silent_one_of_that_table_gives_way() {
    let mut world = World::new(true);
    let process = world.open();
    let va = world.frames(process, MB);
    let native = ask(process, Kind::Frames, (va, MB));
    world.connect(CLIENT, native, None, PathMtu::MAX).expect("a connection");
    world.pass(SECOND);
    let first = connect(&mut world, process, va, Chain::Load).expect("a connection");
    world.pass(SECOND);
    for _ in 1..8 {
        connect(&mut world, process, va, Chain::Load).expect("a connection");
    }
    assert_eq!(connect(&mut world, process, va, Chain::Load), Err(Refusal::Full));
    world.pass(61 * SECOND);
    world.hardware.tx.clear();
    connect(&mut world, process, va, Chain::Load).expect("the silent one gives way");
    assert_eq!(there(&world), (8, 1, 1));
    assert!(
        !world.hardware.chains.values().any(|own| own.made[&mneme_wire::ChainRegister::Qpn] == first.qpn)
    );
    assert_eq!(world.counted()["connections ended for another of their process"], 1);
}
