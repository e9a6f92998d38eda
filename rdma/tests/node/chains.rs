//! Chains: what is kept of ODRP's contract, and what is stronger.
use super::rig::*;
use mneme_rdma::codec::profile::{Arguments, Chain, PAGE};
use mneme_rdma::codec::{Aeth, AtomicEth, Extensions, Opcode, Psn, Reth, Syndrome};
use mneme_rdma::node::ReplyOptions;
#[cfg(feature = "planted-faults")]
use {super::native::write_in_quarters, mneme_rdma::PlantedFault};

#[test]
fn chains_are_answered_by_writes() {
    let mut rig = Rig::new(4, 1, 8, PLAIN);
    rig.ask(0, Chain::UnmappedStore, 3, 0xaa);
    assert_eq!(rig.answers(), (vec![ACK], vec![(0xc000, MAGIC.to_vec())]));
    assert_eq!(rig.node.memory.leaf.table(0).expect("a table")[3], BASE.to_be_bytes(), "big-endian");
    rig.ask(0, Chain::Load, 3, 0);
    assert_eq!(rig.answers(), (vec![ACK], vec![(0xb000, vec![0xaa; PAGE])]));
    rig.ask(0, Chain::MappedStore, 3, 0xbb);
    assert_eq!(rig.answers(), (vec![ACK], vec![(0xc000, MAGIC.to_vec())]));
    // The low three bits of an entry's address do not count.
    rig.ask_with(0, Chain::Load, &Arguments { tt_addr: TT + 8 * 3 + 7, ..arguments(&[]) });
    assert_eq!(rig.answers().1, vec![(0xb000, vec![0xbb; PAGE])]);
    rig.ask(0, Chain::Invalidate, 3, 0);
    assert_eq!(rig.answers(), (vec![ACK], vec![]));
    assert_eq!(rig.audit(), (4, 0, 0, 0));
    rig.ask(0, Chain::Invalidate, 3, 0);
    assert_eq!(rig.answers(), (vec![ACK], vec![]), "no effect");
    let seen = rig.node.counters();
    assert_eq!(
        (seen.loads, seen.mapped_stores, seen.unmapped_stores, seen.freed, seen.freed_nothing),
        (2, 1, 1, 1, 1)
    );
}

#[test]
fn options_add_signals_and_immediates() {
    let options = ReplyOptions { signal: true, immediate: true, tell_empty: true };
    let mut rig = Rig::new(1, 1, 8, options);
    rig.ask(0, Chain::UnmappedStore, 5, 1);
    let sent = rig.sent();
    assert!(
        sent.iter()
            .any(|sent| sent.opcode == Opcode::WriteOnlyImmediate && sent.extensions.immediate == Some(5))
    );
    rig.acknowledge(qpn(0, Chain::UnmappedStore), Psn::default());
    // No frame is left: the signal says so, and nothing is to come again.
    rig.ask(0, Chain::UnmappedStore, 6, 1);
    let not = MAGIC.map(|byte| !byte).to_vec();
    assert_eq!(rig.answers(), (vec![ACK], vec![(0xc000, not)]));
    assert_eq!(rig.node.counters().not_stored, 1);
    rig.ask(0, Chain::Invalidate, 5, 0);
    assert_eq!(rig.answers(), (vec![ACK], vec![(0xc000, MAGIC.to_vec())]), "its profile has a signal");
}

#[test]
fn what_a_chain_does_not_take_is_refused_and_does_nothing() {
    let reth = Some(Reth { va: VA, rkey: 1, length: 8 });
    let atomic = Some(AtomicEth { va: VA, rkey: 1, swap_or_add: 1, compare: 0 });
    let all = Extensions { reth, atomic, ..Extensions::default() };
    for (opcode, payload) in [
        (Opcode::ReadRequest, &[][..]),
        (Opcode::WriteOnly, &[0; 8]),
        (Opcode::FetchAdd, &[]),
        (Opcode::CompareSwap, &[]),
        (Opcode::SendOnly, &[0; 63]),
        (Opcode::SendOnly, &[0; 65]),
        (Opcode::SendOnlyImmediate, &[0; 64]),
    ] {
        let mut rig = Rig::new(1, 1, 8, PLAIN);
        let extensions = Extensions { immediate: Some(1), ..all };
        rig.request(qpn(0, Chain::Load), opcode, extensions, payload);
        assert_eq!(rig.answers(), (vec![INVALID], vec![]), "{opcode:?}, {} bytes", payload.len());
        assert_eq!(rig.node.responder.in_error(qpn(0, Chain::Load)), Some(true));
    }
    let refused = |chain, arguments: &Arguments<'_>| {
        let mut rig = Rig::new(1, 1, 8, PLAIN);
        rig.ask_with(0, chain, arguments);
        assert_eq!(rig.answers(), (vec![ACCESS], vec![]), "{chain:?}");
        assert_eq!(rig.audit(), (1, 0, 0, 0));
        *rig.node.counters()
    };
    let page = [1; PAGE];
    for chain in Chain::ALL {
        for tt_addr in [TT - 8, TT + 64, 0, u64::MAX] {
            assert_eq!(refused(chain, &Arguments { tt_addr, ..arguments(&page) }).outside, 1);
        }
        for key in [None, Some(KEY ^ 1)] {
            assert_eq!(refused(chain, &Arguments { key, ..arguments(&page) }).wrong_key, 1);
        }
    }
    for chain in [Chain::Load, Chain::MappedStore] {
        assert_eq!(refused(chain, &arguments(&page)).unmapped, 1);
    }
}

#[test]
fn an_unmapped_store_of_a_mapped_page_loses_no_frame() {
    let mut rig = Rig::new(4, 1, 8, PLAIN);
    for fill in [1, 2] {
        rig.ask(0, Chain::UnmappedStore, 0, fill);
        assert_eq!(rig.answers().0, vec![ACK]);
    }
    assert_eq!((rig.read(1, 0), rig.audit()), (vec![2; PAGE], (3, 1, 0, 0)));
    assert_eq!((rig.node.counters().mapped_stores, rig.node.memory.leaf.used(0)), (1, 1));
}

/// A load whose reply has not left, an invalidate of its page, and another client's store of the only frame.
fn load_races_invalidate(rig: &mut Rig) -> (Vec<Syndrome>, Vec<(u64, Vec<u8>)>) {
    rig.ask(0, Chain::UnmappedStore, 0, 0xaa);
    rig.answers();
    rig.ask(0, Chain::Load, 0, 0);
    rig.ask(0, Chain::Invalidate, 0, 0);
    rig.ask(1, Chain::UnmappedStore, 0, 0xbb);
    rig.answers()
}

#[test]
fn a_load_does_not_see_the_next_owners_page() {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    let (syndromes, writes) = load_races_invalidate(&mut rig);
    assert_eq!(writes, vec![(0xb000, vec![0xaa; PAGE])]);
    assert!(syndromes.iter().any(|syndrome| matches!(syndrome, Syndrome::Rnr(_))), "the store has to wait");
    // The reply has left: now the frame may have its next owner. The store's last packet comes again.
    assert_eq!(rig.audit(), (1, 0, 0, 0));
    let psn = Psn::default().plus(1);
    rig.deliver(qpn(1, Chain::UnmappedStore), psn, Opcode::SendLast, Extensions::default(), &[0xbb; 64]);
    assert_eq!(rig.answers().1, vec![(0xc000, MAGIC.to_vec())]);
    assert_eq!(rig.read(2, 0), vec![0xbb; PAGE]);
}

#[test]
fn a_reply_that_is_sent_again_looks_its_page_up_again() {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    let replies = load_again(&mut rig);
    // The page holds nothing, and its frame is somebody else's: zeros.
    assert_eq!(replies, vec![(0xb000, vec![0; PAGE])]);
    assert_eq!(rig.node.counters().looked_up_again, 1);
}

fn load_again(rig: &mut Rig) -> Vec<(u64, Vec<u8>)> {
    rig.ask(0, Chain::UnmappedStore, 0, 0xaa);
    rig.answers();
    rig.ask(0, Chain::Load, 0, 0);
    // The reply is lost.
    assert_eq!(rig.sent().iter().filter(|sent| sent.opcode == Opcode::WriteOnly).count(), 1);
    rig.ask(0, Chain::Invalidate, 0, 0);
    rig.ask(1, Chain::UnmappedStore, 0, 0xbb);
    rig.answers();
    assert_eq!(rig.read(2, 0), vec![0xbb; PAGE]);
    rig.now = 2_000;
    rig.answers().1
}

#[test]
fn what_leaves_later_of_a_page_is_looked_up_again() {
    let mut rig = Rig::new(2, 2, 8, PLAIN);
    rig.renew(0, Chain::Load, 256);
    for (page, fill) in [(0, 0xaa), (1, 0xcc)] {
        rig.ask(0, Chain::UnmappedStore, page, fill);
        rig.answers();
    }
    // 16 packets each: of the third one the window of 32 takes eight, when eight of the first one are acknowledged.
    let load = qpn(0, Chain::Load);
    [0, 1, 0].into_iter().for_each(|page| rig.ask(0, Chain::Load, page, 0));
    let pages = |sent: Vec<Sent>| -> Vec<u8> {
        sent.iter().filter(|sent| sent.extensions.aeth.is_none()).map(|sent| sent.payload[0]).collect()
    };
    assert_eq!(pages(rig.sent()), [[0xaa; 16], [0xcc; 16]].concat());
    rig.acknowledge(load, Psn::default().plus(7));
    assert_eq!(pages(rig.sent()), [0xaa; 8]);
    // Nothing may leave: the page's frame is another client's at once, and the rest of the page is zeros.
    rig.ask(0, Chain::Invalidate, 0, 0);
    rig.ask(1, Chain::UnmappedStore, 0, 0xbb);
    let stored = rig.sent().into_iter().filter(|sent| sent.opcode == Opcode::WriteOnly).count();
    assert_eq!((stored, rig.audit()), (1, (0, 2, 0, 0)));
    rig.acknowledge(load, Psn::default().plus(31));
    assert_eq!(pages(rig.sent()), [0; 8]);
    assert_eq!(rig.node.counters().looked_up_again, 0, "nothing was sent again");
}

#[test]
fn replies_end_after_seven_repeats_and_with_them_the_queue_pair() {
    let mut rig = Rig::new(2, 1, 8, PLAIN);
    let store = qpn(0, Chain::UnmappedStore);
    rig.ask(0, Chain::UnmappedStore, 0, 1);
    let mut writes = 0;
    for step in 0..20 {
        rig.now = step * 10_000;
        writes += rig.sent().iter().filter(|sent| sent.opcode == Opcode::WriteOnly).count();
    }
    assert_eq!((writes, rig.node.responder.in_error(store)), (8, Some(true)));
    assert_eq!(rig.audit(), (1, 1, 0, 0), "what was stored stays");
    // A client that refuses the reply ends it as well.
    let load = qpn(0, Chain::Load);
    rig.ask(0, Chain::Load, 0, 0);
    let psn = rig.sent().iter().find(|sent| sent.opcode == Opcode::WriteOnly).expect("a reply").psn;
    let aeth = Some(Aeth { syndrome: ACCESS, msn: 0 });
    rig.deliver(load, psn, Opcode::Acknowledge, Extensions { aeth, ..Extensions::default() }, &[]);
    assert_eq!(rig.node.responder.in_error(load), Some(true));
    assert_eq!(rig.node.memory.leaf.under_way(), 0);
}

#[test]
fn replies_are_bounded_and_then_nothing_is_executed() {
    let mut rig = Rig::new(1, 1, 8, PLAIN);
    rig.ask(0, Chain::UnmappedStore, 0, 1);
    rig.answers();
    for _ in 0..mneme_rdma::node::REPLIES {
        rig.ask(0, Chain::Load, 0, 0);
    }
    let loads = rig.node.counters().loads;
    rig.ask(0, Chain::Load, 0, 0);
    assert_eq!((loads, rig.node.counters().loads, rig.node.counters().replies_full), (32, 32, 1));
}

#[test]
fn an_empty_ring_and_a_spent_budget_are_not_ready_and_need_no_repair() {
    for (frames, budget) in [(2, 8), (8, 2)] {
        let mut rig = Rig::new(frames, 1, budget, PLAIN);
        for page in 0..2 {
            rig.ask(0, Chain::UnmappedStore, page, 1 + page as u8);
            assert_eq!(rig.answers().0, vec![ACK]);
        }
        rig.ask(0, Chain::UnmappedStore, 2, 3);
        let (syndromes, writes) = rig.answers();
        assert!(is_rnr(&syndromes) && writes.is_empty(), "{syndromes:?}");
        // A READ never needs a frame, and a mapped store has one.
        assert_eq!(rig.read(1, 2), vec![0; PAGE]);
        rig.ask(0, Chain::MappedStore, 0, 9);
        assert_eq!(rig.answers().0, vec![ACK]);
        rig.ask(0, Chain::Invalidate, 1, 0);
        assert_eq!(rig.answers().0, vec![ACK]);
        let last = [3; 64];
        let psn = Psn::default().plus(5);
        rig.deliver(qpn(0, Chain::UnmappedStore), psn, Opcode::SendLast, Extensions::default(), &last);
        assert_eq!(rig.answers().1, vec![(0xc000, MAGIC.to_vec())]);
        assert_eq!((rig.read(1, 2), rig.read(1, 1)), (vec![3; PAGE], vec![0; PAGE]));
        let seen = rig.node.counters();
        assert_eq!((seen.ring_empty, seen.budget_spent), if frames == 2 { (1, 0) } else { (0, 1) });
    }
}

/// Defects of the paper's node that this one must not have, and that the tests above would see.
#[cfg(feature = "planted-faults")]
#[test]
fn planted_faults_show() {
    let planted = |fault, clients| {
        let mut rig = Rig::new(if clients == 2 { 1 } else { 4 }, clients, 8, PLAIN);
        rig.node.plant(fault);
        rig
    };
    let mut rig = planted(PlantedFault::FreedAtOnce, 2);
    assert!(
        load_races_invalidate(&mut rig).1.contains(&(0xb000, vec![0xbb; PAGE])),
        "the next owner's page leaks"
    );
    let mut rig = planted(PlantedFault::RepeatKeepsFrame, 2);
    assert_eq!(load_again(&mut rig), vec![(0xb000, vec![0xbb; PAGE])], "the next owner's page leaks");
    let mut rig = planted(PlantedFault::PublishedEarly, 1);
    write_in_quarters(&mut rig, 3);
    assert_ne!(rig.read(1, 0), vec![0; PAGE], "a page is seen before its end");
    let mut rig = planted(PlantedFault::MappedFrameLost, 1);
    for fill in [1, 2] {
        rig.ask(0, Chain::UnmappedStore, 0, fill);
        rig.answers();
    }
    assert!(rig.node.memory.leaf.audit().is_err(), "a frame is lost");
}
