//! Connections of ODRP's functions: what the port is told, what clients are granted, and who gets none.
use mneme_rdma::cm::{Ask, ChainAsk, Kind, Refusal};
use mneme_rdma::codec::PathMtu;
use mneme_rdma::codec::profile::{Chain, Field, Profile};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{FRAME, ReplyOptions};
use mneme_wire::chain::{
    CHAIN_HARDENED, CHAIN_IMMEDIATE, CHAIN_KEYED, CHAIN_QPN_BIT, CHAIN_ROW_LAST, CHAIN_SIGNAL,
    CHAIN_TELL_EMPTY,
};
use mneme_wire::{ChainCounter, ChainRegister};

use crate::board::{CHAINS_LOG2, Hardware, NATIVE_LOG2};
use crate::client::{CLIENT, MB, Process, World, ask};

const ROWS: [ChainRegister; 6] = [
    ChainRegister::Row0,
    ChainRegister::Row1,
    ChainRegister::Row2,
    ChainRegister::Row3,
    ChainRegister::Row4,
    ChainRegister::Row5,
];

fn of(hardware: &Hardware, qpn: u32, register: ChainRegister) -> u32 {
    let pair = hardware.chains.values().find(|own| own.made[&ChainRegister::Qpn] == qpn);
    pair.expect("it is there").made.get(&register).copied().unwrap_or(0)
}
/// A process with a range of two tables, and what it asks for a function.
fn begin(world: &mut World) -> (Process, u64, impl Fn(Chain) -> Ask + use<>) {
    let process = world.open();
    let va = world.frames(process, 2 * MB);
    (process, va, move |chain| ask(process, Kind::Chain(chain), (va + 8 * FRAME, MB)))
}

#[test]
fn the_port_is_told_what_each_function_needs() {
    let mut world = World::new(true);
    let (process, va, asks) = begin(&mut world);
    let mut tables = Vec::new();
    for (number, chain) in (0..).zip(Chain::ALL) {
        let wanted = ChainAsk::default_of(chain);
        let made = world.connect(CLIENT, asks(chain), Some(&wanted), PathMtu::MAX).expect("a connection");
        let table = made.chain.expect("a table");
        assert_eq!((made.granted.va, made.granted.length, made.granted.rkey), (va, 2 * MB, 0), "all of it");
        assert_eq!((table.entries, table.tt_base % 8), (512, 0));
        let told = |register| of(&world.hardware, made.qpn, register);
        assert_eq!(made.qpn & CHAIN_QPN_BIT, CHAIN_QPN_BIT);
        assert_eq!((told(ChainRegister::PeerQpn) >> 16, told(ChainRegister::ReplyPsn)), (4, 0x98_7654));
        assert_eq!(told(ChainRegister::PeerIp).to_be_bytes(), CLIENT);
        assert_eq!((told(ChainRegister::PeerMacHigh), told(ChainRegister::PeerMacLow)), (0x0200, 2));
        assert_eq!((told(ChainRegister::Port), told(ChainRegister::Pid)), (4791, process.pid));
        assert_eq!(told(ChainRegister::Psn), made.starting_psn.number());
        let length = if chain.stores() { 64 + 4096 } else { 64 };
        assert_eq!((told(ChainRegister::Length), told(ChainRegister::Segment)), (length, 0));
        // Path MTU 4,096, and 82 ms; a default profile has a secret.
        let options = 5 | number << 4 | 13 << 16 | CHAIN_KEYED;
        assert_eq!(told(ChainRegister::Options), options, "{chain:?}");
        let wide = |low, high| u64::from(told(high)) << 32 | u64::from(told(low));
        let base = wide(ChainRegister::BaseLow, ChainRegister::BaseHigh);
        let key = wide(ChainRegister::KeyLow, ChainRegister::KeyHigh);
        assert_eq!((base, key), (table.tt_base, table.key));
        // tt_addr, buffer or signal, rkey, magic, key.
        let place = if chain == Chain::Load { 2 } else { 3 };
        let rows = [7 << 16 | 1, 15 << 16 | place, 19 << 16 | 5, 31 << 16 | 4, 39 << 16 | 6 | CHAIN_ROW_LAST];
        assert_eq!(ROWS[..5].iter().map(|row| told(*row)).collect::<Vec<_>>(), rows);
        tables.push(table);
    }
    assert!(tables.windows(2).all(|two| two[0] == two[1]), "all of a segment have one table and one secret");
    let counted = world.counted();
    assert_eq!((counted["connections"], counted["chain connections"], counted["regions"]), (4, 4, 0));
    // Another segment has another table and another secret.
    let va = world.frames(process, MB);
    let wanted = ChainAsk::default_of(Chain::Load);
    let other = ask(process, Kind::Chain(Chain::Load), (va, MB));
    let made = world.connect(CLIENT, other, Some(&wanted), PathMtu::MAX).expect("a connection");
    let table = made.chain.expect("a table");
    assert_eq!(
        (made.granted.va, table.entries, of(&world.hardware, made.qpn, ChainRegister::Segment)),
        (va, 256, 1)
    );
    assert!(table.tt_base != tables[0].tt_base && table.key != tables[0].key);
}

#[test]
fn how_a_client_wants_to_be_answered_becomes_options() {
    let mut world = World::new(true);
    let (_, _, asks) = begin(&mut world);
    let all = ReplyOptions { immediate: true, signal: true, tell_empty: true };
    // The last one has no place for the magic: whoever asks for it then gets none, as of a software board.
    let plain = [(8, Field::TtAddr), (8, Field::Buffer), (4, Field::Rkey)];
    let signal = [&plain[..], &[(8, Field::Signal), (8, Field::Magic)]].concat();
    for (pairs, options, hardened, expected) in [
        (&signal[..], all, true, CHAIN_HARDENED | CHAIN_IMMEDIATE | CHAIN_SIGNAL | CHAIN_TELL_EMPTY),
        (&signal, ReplyOptions::default(), false, 0),
        (&plain, all, false, CHAIN_IMMEDIATE | CHAIN_TELL_EMPTY),
    ] {
        let profile = Profile::new(Chain::Load, pairs).expect("a profile");
        let wanted = ChainAsk { profile, options, hardened };
        let path_mtu = PathMtu::new(1024).expect("a path MTU");
        let made = world.connect(CLIENT, asks(Chain::Load), Some(&wanted), path_mtu).expect("a connection");
        let told = of(&world.hardware, made.qpn, ChainRegister::Options);
        assert_eq!(told, 3 | 13 << 16 | expected, "{pairs:?}");
        assert_eq!(of(&world.hardware, made.qpn, ChainRegister::KeyLow), 0, "no secret: messages have none");
        assert_ne!(made.chain.expect("a table").key, 0);
    }
}

#[test]
fn who_gets_no_connection_is_told_why_and_leaves_nothing() {
    let mut world = World::new(true);
    let (process, va, asks) = begin(&mut world);
    let other = world.open();
    let load = asks(Chain::Load);
    let wanted = ChainAsk::default_of(Chain::Load);
    let mut refused = |ask: Ask, chain: &ChainAsk, path_mtu: u16| {
        let path_mtu = PathMtu::new(path_mtu).expect("a path MTU");
        world.connect(CLIENT, ask, Some(chain), path_mtu).expect_err("refused")
    };
    let mut token = load.token;
    token[3] ^= 1;
    assert_eq!(refused(Ask { token, ..load }, &wanted, 4096), Refusal::Process);
    assert_eq!(refused(Ask { pid: other.pid, token: other.token, ..load }, &wanted, 4096), Refusal::Range);
    assert_eq!(refused(Ask { length: 2 * MB, ..load }, &wanted, 4096), Refusal::Range, "past its end");
    assert_eq!(refused(Ask { va: va + 64 * MB, ..load }, &wanted, 4096), Refusal::Range);
    // A client must want what the function does.
    assert_eq!(refused(Ask { access: Access::WRITE, ..load }, &wanted, 4096), Refusal::Range);
    let store = ChainAsk::default_of(Chain::MappedStore);
    let reads = Ask { access: Access::READ, ..asks(Chain::MappedStore) };
    assert_eq!(refused(reads, &store, 4096), Refusal::Range);
    // Arguments that do not come in the first packet are none that hardware finds.
    let pairs =
        [(124, Field::Skip), (124, Field::Skip), (8, Field::TtAddr), (8, Field::Buffer), (4, Field::Rkey)];
    let profile = Profile::new(Chain::Load, &pairs).expect("a profile");
    let long = ChainAsk { profile, ..wanted };
    assert_eq!(refused(load, &long, 256), Refusal::Malformed);
    assert_eq!(
        (world.hardware.chains.len(), world.hardware.commands.len()),
        (0, 0),
        "the port was not asked"
    );
    let path_mtu = PathMtu::new(512).expect("a path MTU");
    let made = world.connect(CLIENT, load, Some(&long), path_mtu).expect("a larger one suits");
    assert_eq!(of(&world.hardware, made.qpn, ChainRegister::Row0) >> 16, 255);
    let native = ask(process, Kind::Frames, (va, MB));
    world.connect(CLIENT, native, None, PathMtu::MAX).expect("a connection");
    let named: Vec<_> = world.manager.named().collect();
    let count = |name: &str| named.iter().find(|own| own.0 == name).map(|own| own.1);
    assert_eq!(count("RDMA connections refused: range"), Some(5));
    assert_eq!(count("RDMA connections refused: malformed"), Some(1));
}

#[test]
fn a_board_without_chains_says_that_it_has_no_such_connections() {
    let mut world = World::new(false);
    let (process, va, asks) = begin(&mut world);
    for chain in Chain::ALL {
        let wanted = ChainAsk::default_of(chain);
        let made = world.connect(CLIENT, asks(chain), Some(&wanted), PathMtu::MAX);
        assert_eq!(made, Err(Refusal::Kind), "{chain:?}");
    }
    world.connect(CLIENT, ask(process, Kind::Frames, (va, MB)), None, PathMtu::MAX).expect("a connection");
    assert_eq!((world.hardware.chains.len(), world.hardware.native.len()), (0, 1));
}

#[test]
fn chains_and_native_connections_have_tables_and_numbers_of_their_own() {
    let mut world = World::new(true);
    let wanted = ChainAsk::default_of(Chain::Load);
    // All places of both: a process and an address for each.
    let owners: Vec<_> = (0..1 << NATIVE_LOG2)
        .map(|number| {
            let process = world.open();
            ([10, 0, number, 2], process, world.frames(process, MB))
        })
        .collect();
    assert_eq!(owners[0].0, CLIENT);
    let load = |(from, process, va)| (from, ask(process, Kind::Chain(Chain::Load), (va, MB)));
    let native = |(from, process, va)| (from, ask(process, Kind::Frames, (va, MB)));
    let mut chains = Vec::new();
    for (from, load) in owners[..1 << CHAINS_LOG2].iter().copied().map(load) {
        chains.push(world.connect(from, load, Some(&wanted), PathMtu::MAX).expect("a place"));
    }
    let (_, load) = load(owners[0]);
    assert_eq!(world.connect(CLIENT, load, Some(&wanted), PathMtu::MAX), Err(Refusal::Full));
    let made: Vec<_> = owners
        .iter()
        .copied()
        .map(native)
        .map(|(from, native)| world.connect(from, native, None, PathMtu::MAX).expect("a place"))
        .collect();
    let (_, native) = native(owners[0]);
    assert_eq!(world.connect(CLIENT, native, None, PathMtu::MAX), Err(Refusal::Full));
    assert!(made.iter().all(|own| own.qpn & CHAIN_QPN_BIT == 0 && own.qpn >= 0x1000));
    assert!(chains.iter().all(|own| own.qpn & CHAIN_QPN_BIT != 0));
    // What is drawn of a number is not the same twice.
    let drawn: std::collections::BTreeSet<u32> = chains.iter().map(|own| own.qpn >> CHAINS_LOG2).collect();
    assert_eq!(drawn.len(), chains.len());
    // A place that is given back is the next one's.
    world.disconnect(&chains[0]);
    let again = world.connect(CLIENT, load, Some(&wanted), PathMtu::MAX).expect("a place");
    assert_eq!(again.qpn & 15, chains[0].qpn & 15);
    let counted = world.counted();
    assert_eq!((counted["connections"], counted["chain connections"], counted["regions"]), (48, 16, 32));
}

/// Every counter of the chains is told somewhere, by a name; what wraps goes on.
#[test]
fn what_chains_count_is_told_by_name() {
    let mut world = World::new(true);
    world.pass(0);
    world.manager.look(&mut world.hardware);
    let before = world.counted();
    for counter in ChainCounter::ALL {
        world.hardware.counted[counter.number() as usize] = 1000 + counter.number();
    }
    world.manager.look(&mut world.hardware);
    let counted = world.counted();
    let named: Vec<(String, u64)> = world.manager.named().collect();
    for counter in ChainCounter::ALL {
        let told = named.iter().filter(|own| own.1 == u64::from(1000 + counter.number())).count();
        // The leaf unit's counters have these, of everybody.
        let leaf = [ChainCounter::Right, ChainCounter::RingEmpty, ChainCounter::BudgetSpent];
        assert_eq!(told, usize::from(!leaf.contains(counter)), "{counter}");
    }
    for (name, counter) in [
        ("chain loads", ChainCounter::Loads),
        ("chain stores into mapped pages", ChainCounter::MappedStores),
        ("chain stores into unmapped pages", ChainCounter::UnmappedStores),
        ("frames given up", ChainCounter::Freed),
        ("frames given up that were none", ChainCounter::FreedNothing),
        ("loads and stores of unmapped pages refused", ChainCounter::Unmapped),
        ("addresses outside their table refused", ChainCounter::Outside),
        ("messages with a wrong secret refused", ChainCounter::WrongKey),
        ("stores told not stored", ChainCounter::NotStored),
        ("messages without room for replies", ChainCounter::RepliesFull),
        ("pages looked up again for a repeated reply", ChainCounter::LookedAgain),
        ("receive too short", ChainCounter::ReceiveLength),
    ] {
        assert_eq!((before[name], counted[name]), (0, u64::from(1000 + counter.number())), "{name}");
    }
    let of = |world: &World, name: &str| world.manager.named().find(|own| own.0 == name).map(|own| own.1);
    assert_eq!(of(&world, "RDMA chains ANSWERS_STALE"), Some(1023));
    // 32 bits that wrap.
    world.hardware.counted[ChainCounter::Loads.number() as usize] = u32::MAX;
    world.manager.look(&mut world.hardware);
    world.hardware.counted[ChainCounter::Loads.number() as usize] = 4;
    world.manager.look(&mut world.hardware);
    assert_eq!(world.counted()["chain loads"], (1 << 32) + 4);
}
