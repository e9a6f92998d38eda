//! What belongs to somebody else (ReDMArk, V9, A3, A6).
use super::*;
use mneme_rdma::client::{FreeRange, encode_free};
use mneme_rdma::codec::AtomicEth;
use mneme_rdma::codec::profile::{Arguments, Chain, PAGE};
use mneme_rdma::memory::{Memory, MemoryFault};
use mneme_rdma::node::{Door, Leaf, NoMemory, Paged, QueuePairs, SegmentConfig};
use mneme_rdma::responder::{Limits, Responder};

#[test]
fn a_spoofed_source_is_dropped_whatever_else_is_right() {
    spoofed(&sound);
}

/// All numbers and the key are right, but the address is the attacker's.
pub fn spoofed(plant: Plant<'_>) {
    let mut scene = Scene::new(plant, false);
    let next = scene.rig.psn[&VICTIM];
    scene.rig.source = OTHER;
    for opcode in [Opcode::ReadRequest, Opcode::WriteOnly] {
        let payload: &[u8] = if opcode == Opcode::WriteOnly { b"attacker" } else { &[] };
        scene.rig.deliver(VICTIM, next, opcode, reth(scene.rkey, VA, 8), payload);
    }
    scene.rig.source = PEER;
    let sent = scene.rig.sent();
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(scene.count(Counter::WrongSource), 2);
    scene.unharmed();
}

#[test]
fn another_tenants_region_gives_nothing_and_takes_nothing() {
    foreign_region(&sound);
}

/// Keys × first bytes × lengths × operations: the attacker's own queue pair with the victim's key, and the victim's addresses with its
/// own.
pub fn foreign_region(plant: Plant<'_>) {
    let mut cases = 0;
    for va in
        [VA, VA + 1, VA + 8, VA + FRAME - 8, VA + 8 * FRAME - 8, VA + 8 * FRAME, VA - 8, 0, u64::MAX - 7]
    {
        for length in [0usize, 1, 8, 16, 4096] {
            for opcode in [Opcode::ReadRequest, Opcode::WriteOnly, Opcode::FetchAdd, Opcode::CompareSwap] {
                let mut scene = Scene::new(plant, true);
                let rkey = scene.rkey;
                let atomic = Some(AtomicEth { va, rkey, swap_or_add: 1, compare: 0 });
                let extensions = Extensions { atomic, ..reth(rkey, va, length) };
                let payload = vec![0x66; if opcode == Opcode::WriteOnly { length } else { 0 }];
                let before = scene.count(Counter::Hardened);
                scene.rig.source = OTHER;
                scene.rig.deliver(ATTACKER, Psn::default(), opcode, extensions, &payload);
                scene.rig.source = PEER;
                let sent = scene.rig.sent();
                assert!(!leaks(&sent), "{opcode:?} of {length} bytes at {va:#x}: {sent:?}");
                // An empty access touches nothing, and needs no key.
                let empty = length == 0 && matches!(opcode, Opcode::ReadRequest | Opcode::WriteOnly);
                let refused = scene.count(Counter::Hardened) - before;
                assert_eq!(refused, u64::from(!empty), "{opcode:?} of {length} bytes at {va:#x}");
                // Its own pages at the same addresses are its own.
                let own = scene.own;
                let sent = scene.read(ATTACKER, own, VA, 16);
                assert!(!leaks(&sent), "the same address is another page");
                scene.rig.psn.remove(&ATTACKER);
                scene.unharmed();
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 180);
}

#[test]
fn a_region_ends_where_it_ends_and_is_used_as_it_may_be() {
    ends_and_rights(&sound);
}

/// Small regions of the attacker's own process: past their ends lies memory of the process that its owner did not give to this client.
pub fn ends_and_rights(plant: Plant<'_>) {
    let mut rig = Rig::new(16, 1, 8, PLAIN);
    plant(&mut rig);
    Scene::pair(&mut rig, VICTIM, 1, PEER, true);
    rig.node.memory.write(1, VA, &[7; PAGE]).expect("a frame");
    let access = [Access::READ, Access::WRITE, Access::ATOMIC];
    let keys = access.map(|access| {
        let region = Region { pid: 1, va: VA + 64, length: 64, access };
        rig.node.responder.regions.insert(0x15_5555, region).expect("a region")
    });
    let mut refused = 0;
    for (right, rkey) in keys.into_iter().enumerate() {
        for (own, opcode) in
            [Opcode::ReadRequest, Opcode::WriteOnly, Opcode::FetchAdd].into_iter().enumerate()
        {
            for (va, inside) in
                [(VA + 56, false), (VA + 64, true), (VA + 120, true), (VA + 124, false), (VA + 128, false)]
            {
                // An atomic at the fourth address is refused for its alignment.
                let extensions = Extensions {
                    atomic: Some(AtomicEth { va, rkey, swap_or_add: 0, compare: 0 }),
                    ..reth(rkey, va, 8)
                };
                let payload: &[u8] = if opcode == Opcode::WriteOnly { &[7; 8] } else { &[] };
                let psn = rig.psn.get(&VICTIM).copied().unwrap_or_default();
                rig.deliver(VICTIM, psn, opcode, extensions, payload);
                let answered = !rig.sent().is_empty();
                assert_eq!(answered, inside && own == right, "{opcode:?} at {va:#x} under right {right}");
                if answered {
                    rig.psn.insert(VICTIM, psn.plus(1));
                } else {
                    refused += 1;
                }
            }
        }
    }
    let count = |counter| rig.node.responder.counters().get(counter);
    assert_eq!((refused, count(Counter::Hardened)), (39, 39));
    assert_eq!(count(Counter::Right) + count(Counter::Range) + count(Counter::Alignment), 39);
    assert!(count(Counter::Right) >= 12 && count(Counter::Range) >= 12 && count(Counter::Alignment) == 3);
    assert!(rig.read(1, 0) == vec![7; PAGE], "something was changed");
}

#[test]
fn an_atomic_that_is_not_aligned_changes_no_word() {
    unaligned(&sound);
}

/// Atomics across a word's ends.
pub fn unaligned(plant: Plant<'_>) {
    for offset in 1..8 {
        let mut scene = Scene::new(plant, false);
        let atomic = AtomicEth { va: VA + offset, rkey: scene.rkey, swap_or_add: 1, compare: 0 };
        let extensions = Extensions { atomic: Some(atomic), ..Extensions::default() };
        scene.rig.request(VICTIM, Opcode::FetchAdd, extensions, &[]);
        assert_eq!(only(&scene.rig.answers().0), Some(INVALID), "byte {offset}");
        assert_eq!((scene.count(Counter::Alignment), scene.count(Counter::Atomics)), (1, 0));
        assert_eq!(scene.rig.read(1, 0)[..16], SECRET);
    }
}

#[test]
fn entry_addresses_outside_of_the_table_reach_nothing() {
    outside_of_the_table(&sound);
}

/// `tt_addr` before, behind and far from the table: the next table's entries would be other tenants' pages.
pub fn outside_of_the_table(plant: Plant<'_>) {
    for chain in Chain::ALL {
        for tt_addr in [TT - 8, TT - 1, TT + 64, TT + 71, TT + 8 * 8 * 2, 0, BASE, VA, u64::MAX] {
            let mut scene = Scene::new(plant, false);
            let page = [0x66; PAGE];
            scene.rig.ask_with(1, chain, &Arguments { tt_addr, ..arguments(&page) });
            let (syndromes, writes) = scene.rig.answers();
            assert_eq!((only(&syndromes), writes.len()), (Some(ACCESS), 0), "{chain:?} at {tt_addr:#x}");
            assert_eq!(scene.rig.node.counters().outside, 1, "{chain:?} at {tt_addr:#x}");
            assert_eq!(scene.rig.audit(), (15, 1, 0, 0));
            scene.unharmed();
        }
    }
}

#[test]
fn a_chains_table_is_that_of_its_connection_alone() {
    let mut scene = Scene::new(&sound, false);
    // The same table address names another page for another client.
    for chain in [Chain::UnmappedStore, Chain::Load, Chain::Invalidate] {
        scene.rig.ask(1, chain, 0, 0x66);
        let (syndromes, writes) = scene.rig.answers();
        assert_eq!(only(&syndromes), Some(ACK), "{chain:?}");
        assert!(writes.iter().all(|(_, bytes)| bytes[..8] != SECRET[..8]), "{chain:?}");
    }
    assert_eq!(scene.rig.audit(), (15, 1, 0, 0));
    scene.unharmed();
}

#[test]
fn a_page_written_in_part_shows_nothing_of_its_last_owner() {
    last_owner(&sound);
}

/// The victim gives a page up; who gets its frame writes a byte and reads the rest.
pub fn last_owner(plant: Plant<'_>) {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    plant(&mut rig);
    rig.ask(0, Chain::UnmappedStore, 0, 0x5e);
    rig.answers();
    rig.ask(0, Chain::Invalidate, 0, 0);
    rig.answers();
    rig.node.memory.write(2, VA + 100, b"x").expect("the only frame");
    let mut expected = vec![0; PAGE];
    expected[100] = b'x';
    assert!(rig.read(2, 0) == expected, "bytes of the last owner");
}

#[test]
fn a_list_of_free_ranges_gives_up_pages_of_its_connection_alone() {
    frees_of_others(&|_: &mut Leaf| {});
}

/// FREE of pages beside the connection's region, of the same process and of another.
pub fn frees_of_others(plant: &dyn Fn(&mut Leaf)) {
    let mut leaf = Leaf::new(BASE, 8);
    leaf.push_run(BASE, 8).expect("they fit");
    plant(&mut leaf);
    for pid in [1, 2] {
        leaf.create(SegmentConfig { pid, va: VA, entries: 8, budget: 8, access: Access::ALL })
            .expect("a segment");
    }
    let (mut memory, mut pairs) = (Paged::new(NoMemory, leaf), QueuePairs::default());
    let mut responder = Responder::new(Limits::default());
    let mut door = Door { frames: &mut memory, pairs: &mut pairs };
    let config = QueuePairConfig { pid: 2, ..QueuePairConfig::new(ATTACKER, OTHER, 9, Psn::default()) };
    let region = Region { pid: 2, va: VA, length: FRAME, access: Access::ALL };
    door.create_native(&mut responder, config, Some(region)).expect("a queue pair");
    for (pid, page) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
        door.write(pid, VA + page * FRAME, b"here").expect("a frame");
    }
    for (va, pages) in [(VA + FRAME, 1), (VA, 2), (VA - FRAME, 2), (0, 1), (VA, u64::MAX >> 12)] {
        // The client's own library refuses some of these: bytes as an attacker makes them.
        let message = [va.to_le_bytes(), pages.to_le_bytes()].concat();
        assert_eq!(door.message(ATTACKER, &message), Err(MemoryFault::Denied), "{pages} pages at {va:#x}");
    }
    assert_eq!((door.frames.leaf.used(0), door.frames.leaf.used(1)), (2, 2));
    let own = encode_free(&[FreeRange { va: VA, pages: 1 }]).expect("a message");
    assert_eq!(door.message(ATTACKER, &own), Ok(()));
    assert_eq!((door.frames.leaf.used(0), door.frames.leaf.used(1)), (2, 1), "its own page alone");
    assert_eq!(door.pairs.counters().bad_free, 5);
    assert!(door.frames.leaf.audit().is_ok());
}
