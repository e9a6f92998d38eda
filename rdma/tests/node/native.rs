//! Native access to the same pages, segments and frames.
use super::rig::*;
use mneme_rdma::client::{FreeRange, encode_free};
use mneme_rdma::codec::profile::{Chain, PAGE};
use mneme_rdma::codec::{AtomicEth, Extensions, Opcode, Psn, Reth};
use mneme_rdma::memory::{Access, Memory, MemoryFault, Region};
use mneme_rdma::node::{FRAME, Leaf, NoMemory, Node, NodeError, RunError, SegmentConfig, SegmentError};
use mneme_rdma::responder::{Limits, QueuePairConfig, ResponderError};

#[test]
fn native_clients_and_chains_meet_in_the_same_pages() {
    let mut rig = Rig::new(4, 2, 8, PLAIN);
    let rkey = rig.native(NATIVE, 1, 4096);
    let at = |va: u64, length: usize| Extensions {
        reth: Some(Reth { va, rkey, length: length as u32 }),
        ..Extensions::default()
    };
    rig.request(NATIVE, Opcode::WriteOnly, at(VA + FRAME, PAGE), &[0xcc; PAGE]);
    assert_eq!(rig.answers().0, vec![ACK]);
    rig.ask(0, Chain::Load, 1, 0);
    assert_eq!(rig.answers().1, vec![(0xb000, vec![0xcc; PAGE])]);
    rig.ask(0, Chain::MappedStore, 1, 0xdd);
    rig.answers();
    rig.request(NATIVE, Opcode::ReadRequest, at(VA + FRAME + 5, 16), &[]);
    let sent = rig.sent();
    assert!(
        sent.iter().any(|sent| sent.opcode == Opcode::ReadResponseOnly && sent.payload == [0xdd; 16]),
        "{sent:?}"
    );
    // An atomic of a page without frame counts from zero, whoever had the frame before.
    let word = AtomicEth { va: VA + 2 * FRAME + 8, rkey, swap_or_add: 5, compare: 0 };
    for expected in [0, 5] {
        rig.request(
            NATIVE,
            Opcode::FetchAdd,
            Extensions { atomic: Some(word), ..Extensions::default() },
            &[],
        );
        assert_eq!(rig.sent().last().expect("an answer").extensions.original, Some(expected));
    }
    assert_eq!(rig.read(1, 2)[8..16], 10u64.to_le_bytes());
    // Another process has other pages, by every way.
    assert_eq!(rig.read(2, 1), vec![0; PAGE]);
    let other = rig.native(NATIVE + 1, 2, 4096);
    assert_ne!(other, rkey);
    rig.request(NATIVE + 1, Opcode::ReadRequest, at(VA + FRAME, 16), &[]);
    assert_eq!(rig.answers().0, vec![ACCESS], "another process's key");
}

#[test]
fn a_first_write_of_a_part_of_a_page_shows_nothing_of_the_last_owner() {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    rig.ask(0, Chain::UnmappedStore, 0, 0xaa);
    rig.answers();
    rig.ask(0, Chain::Invalidate, 0, 0);
    rig.answers();
    rig.node.memory.write(2, VA + 100, b"part").expect("a frame");
    let mut expected = vec![0; PAGE];
    expected[100..104].copy_from_slice(b"part");
    assert_eq!(rig.read(2, 0), expected);
    // Half in a segment is no access at all.
    let mut bytes = [0; 8];
    assert_eq!(rig.node.memory.read(2, VA + 8 * FRAME - 4, &mut bytes), Err(MemoryFault::Denied));
    assert_eq!(rig.node.memory.write(2, VA - 4, &[1; 8]), Err(MemoryFault::Denied));
    // All or nothing: the second page would need a frame.
    assert_eq!(rig.node.memory.write(2, VA + FRAME - 4, &[1; 8]), Err(MemoryFault::NotReady));
    assert_eq!(rig.read(2, 0), expected);
}

#[test]
fn a_page_is_published_after_its_last_byte() {
    let mut rig = Rig::new(4, 1, 8, PLAIN);
    write_in_quarters(&mut rig, 3);
    assert_eq!((rig.read(1, 0), rig.audit()), (vec![0; PAGE], (3, 0, 1, 0)), "nobody sees it yet");
    let native = NATIVE;
    rig.request(native, Opcode::WriteLast, Extensions::default(), &[4; 1024]);
    assert_eq!(rig.answers().0, vec![ACK]);
    let expected: Vec<u8> = (1..=4).flat_map(|fill| [fill; 1024]).collect();
    assert_eq!((rig.read(1, 0), rig.audit()), (expected, (3, 1, 0, 0)));
}

/// Packets of a WRITE of a page, of which a quarter goes into each.
pub fn write_in_quarters(rig: &mut Rig, packets: u8) {
    let rkey = rig.native(NATIVE, 1, 1024);
    let extensions =
        Extensions { reth: Some(Reth { va: VA, rkey, length: PAGE as u32 }), ..Extensions::default() };
    for packet in 0..packets {
        let opcode = if packet == 0 { Opcode::WriteFirst } else { Opcode::WriteMiddle };
        rig.request(NATIVE, opcode, extensions, &[packet + 1; 1024]);
    }
}

#[test]
fn a_private_frame_goes_back_when_its_queue_pair_ends() {
    for ends in 0..3 {
        let mut rig = Rig::new(4, 1, 8, PLAIN);
        write_in_quarters(&mut rig, 2);
        assert_eq!(rig.audit(), (3, 0, 1, 0));
        match ends {
            0 => rig.request(NATIVE, Opcode::SendOnly, Extensions::default(), &[]),
            1 => rig.node.destroy(NATIVE).expect("it exists"),
            _ => rig.node.destroy_segment(0).expect("it exists"),
        }
        assert_eq!(rig.audit(), (4, 0, 0, 0));
    }
}

#[test]
fn a_frame_of_a_closed_segment_is_its_next_owners_alone() {
    let mut rig = Rig::new(1, 0, 1, PLAIN);
    let mut segment = |pid, va| {
        let config = SegmentConfig { pid, va, entries: 8, budget: 8, access: Access::ALL };
        rig.node.memory.leaf.create(config).expect("a segment")
    };
    let other = VA + 8 * FRAME;
    let closed = segment(7, VA);
    segment(7, other);
    segment(9, VA);
    let mut rkey = [0; 2];
    for (rkey, (qpn, va)) in rkey.iter_mut().zip([(NATIVE, VA), (NATIVE + 1, other)]) {
        rig.native(qpn, 7, 1024);
        let region = Region { pid: 7, va, length: 8 * FRAME, access: Access::ALL };
        *rkey = rig.node.responder.regions.insert(qpn + 0x40, region).expect("a region");
    }
    let first =
        |va, rkey| Extensions { reth: Some(Reth { va, rkey, length: PAGE as u32 }), ..Extensions::default() };
    // The only frame is filled for the first segment, and then for the second.
    rig.request(NATIVE, Opcode::WriteFirst, first(VA, rkey[0]), &[1; 1024]);
    assert_eq!(rig.audit(), (0, 0, 1, 0));
    rig.node.memory.leaf.close(closed).expect("it exists");
    assert_eq!(rig.audit(), (1, 0, 0, 0));
    rig.request(NATIVE + 1, Opcode::WriteFirst, first(other, rkey[1]), &[2; 1024]);
    assert_eq!(rig.audit(), (0, 0, 1, 0));
    // Whoever filled it first has no say about it any more.
    rig.node.destroy(NATIVE).expect("it exists");
    assert_eq!(rig.audit(), (0, 0, 1, 0), "it is still being filled");
    assert_eq!(rig.node.memory.write(9, VA, &[9; 8]), Err(MemoryFault::NotReady), "none is free");
    for opcode in [Opcode::WriteMiddle, Opcode::WriteMiddle, Opcode::WriteLast] {
        rig.request(NATIVE + 1, opcode, Extensions::default(), &[2; 1024]);
    }
    assert_eq!(rig.audit(), (0, 1, 0, 0));
    assert_eq!(rig.node.memory.leaf.sweep(closed, 8), Ok(0));
    rig.node.memory.leaf.destroy(closed + 1).expect("it exists");
    rig.node.memory.write(9, VA, &[9; 8]).expect("a frame");
    assert_eq!((&rig.read(9, 0)[..8], rig.audit()), (&[9; 8][..], (0, 1, 0, 0)));
}

#[test]
fn a_closed_segment_takes_no_frame_whatever_its_rights() {
    let mut rig = Rig::new(2, 2, 8, PLAIN);
    write_in_quarters(&mut rig, 3);
    rig.node.memory.leaf.close(0).expect("it exists");
    rig.node.memory.leaf.set_access(0, Access::ALL).expect("it exists");
    rig.node.memory.write(2, VA, &[9; PAGE]).expect("a frame");
    rig.node.memory.write(2, VA + FRAME, &[9; PAGE]).expect("the one that was filled");
    rig.request(NATIVE, Opcode::WriteLast, Extensions::default(), &[4; 1024]);
    for page in 0..2 {
        assert!(rig.read(2, page).iter().all(|byte| *byte == 9), "nobody else's bytes");
    }
    assert_eq!((&rig.read(1, 0)[3072..3080], rig.audit()), (&[0; 8][..], (0, 2, 0, 0)));
}

#[test]
fn of_two_that_fill_the_same_page_the_later_replaces() {
    let mut rig = Rig::new(4, 1, 8, PLAIN);
    write_in_quarters(&mut rig, 3);
    rig.ask(0, Chain::UnmappedStore, 0, 0xaa);
    rig.answers();
    assert_eq!(rig.read(1, 0), vec![0xaa; PAGE]);
    rig.request(NATIVE, Opcode::WriteLast, Extensions::default(), &[4; 1024]);
    assert_eq!((rig.read(1, 0)[0], rig.audit()), (1, (3, 1, 0, 0)));
}

fn list(ranges: &[(u64, u64)]) -> Vec<u8> {
    ranges.iter().flat_map(|(va, pages)| [va.to_le_bytes(), pages.to_le_bytes()]).flatten().collect()
}

#[test]
fn free_is_one_packet() {
    let mut rig = Rig::new(8, 1, 8, PLAIN);
    rig.native(NATIVE, 1, 256);
    let most = list(&[(VA, 8); 16]);
    rig.request(NATIVE, Opcode::SendOnly, Extensions::default(), &most);
    assert_eq!(rig.answers().0, vec![ACK]);
    rig.request(NATIVE, Opcode::SendFirst, Extensions::default(), &most);
    assert_eq!(rig.answers().0, vec![INVALID]);
}

#[test]
fn free_gives_ranges_back_all_or_none() {
    let mut rig = Rig::new(8, 1, 8, PLAIN);
    rig.native(NATIVE, 1, 4096);
    for page in 0..6 {
        rig.ask(0, Chain::UnmappedStore, page, 1);
        rig.answers();
    }
    let ranges = [FreeRange { va: VA, pages: 2 }, FreeRange { va: VA + 4 * FRAME, pages: 4 }];
    rig.message(NATIVE, &encode_free(&ranges).expect("a message"));
    assert_eq!(rig.answers().0, vec![ACK]);
    let seen = *rig.node.counters();
    assert_eq!((seen.freed, seen.freed_nothing, rig.audit()), (4, 2, (6, 2, 0, 0)));
    for (message, syndrome) in [
        (
            encode_free(&[FreeRange { va: VA + 2 * FRAME, pages: 1 }, FreeRange { va: VA, pages: 9 }])
                .expect("one"),
            ACCESS,
        ),
        (encode_free(&[FreeRange { va: 0, pages: 1 }]).expect("one"), ACCESS),
        (list(&[(VA, (1 << 52) - 1)]), ACCESS),
        (list(&[(VA, 1), (VA, u64::MAX)]), ACCESS),
        ((VA + 1).to_le_bytes().into_iter().chain(1u64.to_le_bytes()).collect(), ACCESS),
        (VA.to_le_bytes().into_iter().chain(0u64.to_le_bytes()).collect(), ACCESS),
        (vec![], INVALID),
        (vec![0; 17], INVALID),
        (vec![0; 1040], INVALID),
    ] {
        let queue_pair = NATIVE + 1;
        rig.native(queue_pair, 1, 4096);
        rig.psn.remove(&queue_pair);
        if message.is_empty() {
            rig.request(queue_pair, Opcode::SendOnly, Extensions::default(), &[]);
        } else {
            rig.message(queue_pair, &message);
        }
        assert_eq!(rig.answers().0, vec![syndrome], "{} bytes", message.len());
        assert_eq!(rig.audit(), (6, 2, 0, 0), "nothing was freed");
        rig.node.destroy(queue_pair).expect("it exists");
    }
}

#[test]
fn immediates_reach_the_nodes_owner_again_and_again() {
    let mut rig = Rig::new(1, 1, 8, PLAIN);
    let rkey = rig.native(NATIVE, 1, 4096);
    for number in 0..40 {
        let reth = Some(Reth { va: VA, rkey, length: 4 });
        let extensions = Extensions { reth, immediate: Some(number), ..Extensions::default() };
        rig.request(NATIVE, Opcode::WriteOnlyImmediate, extensions, &[1; 4]);
        assert_eq!(rig.answers().0, vec![ACK]);
        assert_eq!(rig.node.poll_immediate(), Some((NATIVE, number)));
    }
    assert_eq!(rig.node.poll_immediate(), None);
}

#[test]
fn nothing_stays_of_a_queue_pair_that_has_no_room_for_immediates() {
    let limits = Limits { queue_pairs: 1, receives: 15, ..Limits::default() };
    let mut node = Node::new(limits, NoMemory, Leaf::new(BASE, 1));
    let config = QueuePairConfig::new(NATIVE, [10, 0, 0, 2], 0x900, Psn::default());
    for _ in 0..2 {
        let made = node.create_native(config);
        let full = ResponderError::Receives { qpn: NATIVE, most: 15 };
        assert!(matches!(made, Err(NodeError::Responder(error)) if error == full), "{made:?}");
        assert_eq!(node.responder.in_error(NATIVE), None);
    }
}

#[test]
fn segments_and_runs_are_checked() {
    let mut leaf = Leaf::new(BASE, 4);
    assert_eq!(leaf.push_run(BASE, 5), Err(RunError::Range { base: BASE, count: 5 }));
    assert_eq!(leaf.push_run(BASE + 1, 1), Err(RunError::Range { base: BASE + 1, count: 1 }));
    assert_eq!(leaf.push_run(0, 1), Err(RunError::Range { base: 0, count: 1 }));
    assert_eq!(leaf.push_run(BASE, u64::MAX), Err(RunError::Range { base: BASE, count: u64::MAX }));
    assert_eq!(leaf.push_run(BASE, 2), Ok(()));
    assert_eq!(leaf.push_run(BASE + FRAME, 2), Err(RunError::Here(BASE + FRAME)));
    let config = |va, entries| SegmentConfig { pid: 1, va, entries, budget: 1, access: Access::ALL };
    for (va, entries) in [(VA + 1, 1), (VA, 0), (u64::MAX - 4095, 2)] {
        assert_eq!(leaf.create(config(va, entries)), Err(SegmentError::Range { va, entries }));
    }
    let first = leaf.create(config(VA, 4)).expect("a segment");
    assert_eq!(leaf.create(config(VA + 3 * FRAME, 4)), Err(SegmentError::Taken(first)));
    for segment in 1..256 {
        assert!(leaf.create(config(VA + segment * 4 * FRAME, 4)).is_ok());
    }
    assert_eq!(leaf.create(config(0, 1)), Err(SegmentError::Full));
    assert_eq!(leaf.destroy(999), Err(SegmentError::Unknown(999)));
}

#[test]
fn whole_runs_go_back_and_the_others_keep_their_order() {
    let mut leaf = Leaf::new(BASE, 12);
    leaf.push_run(BASE, 12).expect("they fit");
    let pages = SegmentConfig { pid: 1, va: VA, entries: 8, budget: 8, access: Access::ALL };
    let segment = leaf.create(pages).expect("a segment");
    let frame = leaf.take(segment).expect("a frame");
    leaf.publish(segment, 0, frame);
    let run = 4 * FRAME;
    leaf.count_runs(4);
    assert_eq!(leaf.free_run(), Some(BASE + run), "one of the first run is used");
    assert_eq!(leaf.take_back(BASE, 4), Err(RunError::NotFree(BASE)));
    assert!(matches!(leaf.take_back(BASE + 1, 4), Err(RunError::Range { .. })));
    leaf.take_back(BASE + run, 4).expect("all are free");
    assert_eq!(leaf.free_run(), Some(BASE + 2 * run));
    assert_eq!((leaf.given(), leaf.audit().expect("sound").ring), (8, 7));
    let left: Vec<u64> = leaf.ring().frames().collect();
    let expected = [1, 2, 3, 8, 9, 10, 11].map(|number| BASE + number * FRAME);
    assert_eq!(left, expected);
    leaf.push_run(BASE + run, 4).expect("given again");
    assert_eq!(leaf.take_back(BASE + 10 * FRAME, 4), Err(RunError::NotFree(BASE + 12 * FRAME)));
}

#[test]
fn a_closed_segment_is_swept_in_slices_and_nobody_accesses_it_meanwhile() {
    let mut rig = Rig::new(8, 1, 8, PLAIN);
    for page in 0..6 {
        rig.node.memory.write(1, VA + page * FRAME, b"here").expect("a frame");
    }
    let leaf = &mut rig.node.memory.leaf;
    leaf.close(0).expect("it exists");
    let mut bytes = [0; 4];
    assert_eq!(rig.node.memory.read(1, VA, &mut bytes), Err(MemoryFault::Denied));
    assert_eq!(rig.node.memory.write(1, VA, b"more"), Err(MemoryFault::Denied));
    for (left, mapped) in [(5, 5), (2, 2)] {
        assert_eq!(rig.node.memory.leaf.sweep(0, 3), Ok(left));
        assert_eq!(rig.audit(), (8 - mapped, mapped, 0, 0));
    }
    assert_eq!(rig.node.memory.leaf.sweep(0, 3), Ok(0));
    assert_eq!(rig.node.memory.leaf.sweep(0, 3), Err(SegmentError::Unknown(0)));
    assert_eq!(rig.audit(), (8, 0, 0, 0));
}

#[test]
fn a_queue_pair_gives_up_pages_of_its_region_alone() {
    use mneme_rdma::node::{Door, Paged, QueuePairs};
    let mut leaf = Leaf::new(BASE, 4);
    leaf.push_run(BASE, 4).expect("they fit");
    let pages = SegmentConfig { pid: 1, va: VA, entries: 8, budget: 8, access: Access::ALL };
    leaf.create(pages).expect("a segment");
    let (mut memory, mut pairs) = (Paged::new(NoMemory, leaf), QueuePairs::default());
    let mut responder = mneme_rdma::responder::Responder::new(Limits::default());
    let mut door = Door { frames: &mut memory, pairs: &mut pairs };
    let region = Region { pid: 1, va: VA, length: 2 * FRAME, access: Access::ALL };
    let reads = Region { access: Access::READ, ..region };
    for (qpn, region) in [(0x101, region), (0x102, reads)] {
        let config = QueuePairConfig { pid: 1, ..QueuePairConfig::new(qpn, PEER, 9, Psn::default()) };
        door.create_native(&mut responder, config, Some(region)).expect("a queue pair");
    }
    for page in 0..3 {
        door.write(1, VA + page * FRAME, b"here").expect("a frame");
    }
    let free = |va, pages| encode_free(&[FreeRange { va, pages }]).expect("a message");
    assert_eq!(door.message(0x101, &free(VA + FRAME, 2)), Err(MemoryFault::Denied), "past its end");
    assert_eq!(door.message(0x102, &free(VA, 1)), Err(MemoryFault::Denied), "it may only read");
    assert_eq!(door.frames.leaf.used(0), 3);
    assert_eq!(door.message(0x101, &free(VA, 2)), Ok(()));
    assert_eq!((door.frames.leaf.used(0), door.pairs.counters().bad_free), (1, 2));
}
