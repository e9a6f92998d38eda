//! What one tenant could take from all (ReDMArk, V10, A4, A5): frames, places, queue pairs, regions.
use super::*;
use mneme_rdma::codec::RnrTimer;
use mneme_rdma::codec::profile::{Chain, PAGE};
use mneme_rdma::memory::{Memory, MemoryFault, RegionError, Regions};
use mneme_rdma::node::{Leaf, NoMemory, Node, NodeError, REPLIES};
use mneme_rdma::responder::{Limits, ResponderError};

#[test]
fn a_tenant_that_stores_without_end_leaves_others_their_budgets() {
    ring_drain(&sound);
}

/// Eight frames, budgets of four: the attacker stores to all its pages, by chains, WRITEs and atomics; the victim has its four.
pub fn ring_drain(plant: Plant<'_>) {
    let mut rig = Rig::new(8, 2, 4, PLAIN);
    plant(&mut rig);
    let rkey = rig.native(NATIVE, 2, 4096);
    for page in 0..4 {
        rig.ask(1, Chain::UnmappedStore, page, 0x66);
        assert_eq!(only(&rig.answers().0), Some(ACK));
    }
    rig.ask(1, Chain::UnmappedStore, 4, 0x66);
    assert!(is_rnr(&rig.answers().0), "a fifth frame by a chain");
    for (page, bytes) in [(5, PAGE), (6, 8)] {
        let psn = rig.psn.get(&NATIVE).copied().unwrap_or_default();
        rig.deliver(NATIVE, psn, Opcode::WriteOnly, reth(rkey, VA + page * FRAME, bytes), &vec![0x66; bytes]);
        assert!(is_rnr(&rig.answers().0), "a fifth frame by a WRITE of {bytes} bytes");
    }
    assert_eq!(rig.node.memory.write(2, VA + 7 * FRAME, b"x"), Err(MemoryFault::NotReady));
    // The last one is of no queue pair.
    assert_eq!(rig.node.counters().budget_spent, 3);
    for page in 0..4 {
        rig.ask(0, Chain::UnmappedStore, page, 0x11);
        assert_eq!(only(&rig.answers().0), Some(ACK), "the victim's page {page}");
    }
    assert_eq!(rig.audit(), (0, 8, 0, 0));
    assert_eq!(rig.node.counters().ring_empty, 0, "nobody met an empty ring");
}

#[test]
fn frames_that_are_being_filled_count_against_the_budget() {
    let mut rig = Rig::new(8, 2, 2, PLAIN);
    // Begins of pages that are never ended, on many queue pairs.
    let keys: Vec<u32> = (0..6).map(|pair| rig.native(NATIVE + pair, 2, 1024)).collect();
    let mut refused = 0;
    for (pair, rkey) in keys.iter().enumerate() {
        let (qpn, va) = (NATIVE + pair as u32, VA + pair as u64 * FRAME);
        rig.request(qpn, Opcode::WriteFirst, reth(*rkey, va, PAGE), &[1; 1024]);
        refused += u32::from(is_rnr(&rig.answers().0));
    }
    assert_eq!((refused, rig.audit()), (4, (6, 0, 2, 0)));
    for page in 0..2 {
        rig.ask(0, Chain::UnmappedStore, page, 1);
        assert_eq!(only(&rig.answers().0), Some(ACK), "the victim's page {page}");
    }
    (0..6).for_each(|pair| rig.node.destroy(NATIVE + pair).expect("it exists"));
    assert_eq!(rig.audit(), (6, 2, 0, 0));
}

#[test]
fn a_page_that_is_stored_twice_as_if_new_takes_one_frame() {
    double_store(&sound);
}

/// Unmapped stores of the same page again and again: in the paper's node each one loses a frame.
pub fn double_store(plant: Plant<'_>) {
    let mut rig = Rig::new(4, 2, 8, PLAIN);
    plant(&mut rig);
    for fill in 1..=20 {
        rig.ask(1, Chain::UnmappedStore, 3, fill);
        assert_eq!(only(&rig.answers().0), Some(ACK), "store {fill}");
        assert_eq!(rig.audit(), (3, 1, 0, 0), "store {fill}");
    }
    assert!(rig.read(2, 3) == vec![20; PAGE] && rig.node.memory.leaf.used(1) == 1, "the last one's bytes");
}

#[test]
fn a_page_that_is_given_up_twice_gives_one_frame_back() {
    double_free(&sound);
}

/// Invalidates of the same page by a chain, and FREE of it in between.
pub fn double_free(plant: Plant<'_>) {
    let mut rig = Rig::new(4, 2, 8, PLAIN);
    plant(&mut rig);
    rig.native(NATIVE, 2, 4096);
    rig.ask(1, Chain::UnmappedStore, 3, 1);
    rig.answers();
    for round in 0..5 {
        rig.ask(1, Chain::Invalidate, 3, 0);
        let range = [(VA + 3 * FRAME).to_le_bytes(), 1u64.to_le_bytes()].concat();
        rig.message(NATIVE, &range);
        let answers = rig.answers().0;
        assert!(answers.iter().all(|syndrome| *syndrome == ACK), "{answers:?}");
        assert_eq!(rig.audit(), (4, 0, 0, 0), "round {round}");
    }
    let seen = rig.node.counters();
    assert_eq!((seen.freed, seen.freed_nothing, rig.node.memory.leaf.used(1)), (1, 9, 0));
}

#[test]
fn a_load_that_races_a_free_brings_the_old_page_or_none() {
    free_race(&sound);
}

/// The reply of a load has not left when the page is given up and its frame is the only one that somebody else can get.
pub fn free_race(plant: Plant<'_>) {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    plant(&mut rig);
    rig.ask(0, Chain::UnmappedStore, 0, 0x11);
    rig.answers();
    rig.ask(0, Chain::Load, 0, 0);
    rig.ask(0, Chain::Invalidate, 0, 0);
    rig.ask(1, Chain::UnmappedStore, 0, 0x66);
    let (_, writes) = rig.answers();
    let brought: Vec<u8> = writes.iter().filter(|(va, _)| *va == 0xb000).map(|(_, bytes)| bytes[0]).collect();
    assert_eq!(brought, [0x11], "the next owner's page");
    // The load has ended: the frame is free, and whoever asks again gets it.
    assert_eq!(rig.audit(), (1, 0, 0, 0));
}

#[test]
fn an_empty_ring_is_told_and_takes_nothing() {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    rig.ask(1, Chain::UnmappedStore, 0, 0x66);
    rig.answers();
    for again in 1..=20u64 {
        let last = [0x11; 64];
        if again == 1 {
            rig.ask(0, Chain::UnmappedStore, 0, 0x11);
        } else {
            let psn = Psn::default().plus(1);
            rig.deliver(qpn(0, Chain::UnmappedStore), psn, Opcode::SendLast, Extensions::default(), &last);
        }
        assert!(is_rnr(&rig.answers().0), "try {again}");
        assert_eq!((rig.node.counters().ring_empty, rig.audit()), (again, (0, 1, 0, 0)));
    }
    assert_eq!(rig.node.responder.in_error(qpn(0, Chain::UnmappedStore)), Some(false), "nothing to repair");
}

#[test]
fn replies_that_nobody_acknowledges_are_bounded() {
    replies(&sound);
}

/// Loads without end by a client that acknowledges nothing.
pub fn replies(plant: Plant<'_>) {
    let mut rig = Rig::new(1, 2, 8, PLAIN);
    plant(&mut rig);
    rig.ask(1, Chain::UnmappedStore, 0, 1);
    rig.answers();
    for _ in 0..200 {
        let load = qpn(1, Chain::Load);
        let psn = rig.node.responder.progress(load).expect("it exists").0;
        rig.psn.insert(load, psn);
        rig.ask(1, Chain::Load, 0, 0);
    }
    let seen = *rig.node.counters();
    assert_eq!((seen.loads, seen.replies_full), (REPLIES as u64, 200 - REPLIES as u64));
    assert_eq!(rig.node.memory.leaf.under_way(), 1, "of the one whose packet is next");
    // It is never heard of again: the queue pair ends, and holds nothing back.
    for step in 1..40 {
        rig.now = step * 10_000;
        rig.sent();
    }
    assert_eq!(rig.node.responder.in_error(qpn(1, Chain::Load)), Some(true));
    assert_eq!(rig.node.memory.leaf.under_way(), 0);
}

#[test]
fn a_client_that_takes_no_replies_keeps_no_frames_from_others() {
    takes_nothing(&sound);
}

/// The attacker's loads wait: its peer is never ready, or acknowledges a packet now and then, so that its window is full. Beside it
/// the victim, which has the other half of the frames, gives its pages up and stores them again.
pub fn takes_nothing(plant: Plant<'_>) {
    let load = qpn(1, Chain::Load);
    for never_ready in [true, false] {
        let mut rig = Rig::new(4, 2, 2, PLAIN);
        plant(&mut rig);
        rig.renew(1, Chain::Load, 256);
        for (client, page) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            rig.ask(client, Chain::UnmappedStore, page, 1);
            assert_eq!(only(&rig.answers().0), Some(ACK));
        }
        // A page is half a window.
        (0..3).for_each(|page| rig.ask(1, Chain::Load, page % 2, 0));
        let mut low = Psn::default();
        for round in 0..40 {
            rig.now += 5_000;
            victim_gets(&mut rig, low, never_ready);
            if round == 1 {
                // The first ones have met "not ready": this one's packets have never left.
                rig.ask(1, Chain::Load, 1, 0);
            }
            if !never_ready && round % 5 == 4 {
                rig.acknowledge(load, low);
                low = low.plus(1);
            }
            let page = round % 2;
            for (chain, what) in [(Chain::Invalidate, "gives up"), (Chain::UnmappedStore, "stores")] {
                rig.ask(0, chain, page, round as u8);
                let answers = victim_gets(&mut rig, low, never_ready);
                assert_eq!(only(&answers), Some(ACK), "round {round}: the victim {what} page {page}");
            }
            assert!(rig.read(1, page) == vec![round as u8; PAGE], "round {round}");
        }
        assert_eq!(rig.node.responder.in_error(load), Some(false), "the attacker goes on");
        assert_eq!((rig.node.memory.leaf.under_way(), rig.audit()), (0, (0, 4, 0, 0)));
    }
}

/// What the victim is answered. Its replies are acknowledged; the attacker's first one, of packet `low`, meets "not ready" again.
fn victim_gets(rig: &mut Rig, low: Psn, never_ready: bool) -> Vec<Syndrome> {
    let load = qpn(1, Chain::Load);
    let mut answers = Vec::new();
    for sent in rig.sent() {
        if sent.qpn == load && sent.extensions.aeth.is_none() {
            if never_ready && sent.psn == low {
                rig.respond(load, low, Syndrome::Rnr(RnrTimer::from_code(1)));
            }
        } else if sent.opcode == Opcode::WriteOnly {
            rig.acknowledge(sent.qpn, sent.psn);
        } else if sent.qpn != load {
            answers.extend(sent.extensions.aeth.map(|aeth| aeth.syndrome));
        }
    }
    answers
}

#[test]
fn reads_that_nobody_fetches_are_bounded() {
    jobs(&sound);
}

/// Eight queue pairs ask for sixteen READs each while nothing is sent: their process may have as many places as are free, which are 32
/// of 64; the others are to come again.
pub fn jobs(plant: Plant<'_>) {
    let mut rig = Rig::new(1, 1, 8, PLAIN);
    plant(&mut rig);
    for pair in 0..8 {
        let rkey = rig.native(NATIVE + pair, 1, 4096);
        for _ in 0..16 {
            rig.request(NATIVE + pair, Opcode::ReadRequest, reth(rkey, VA, 8), &[]);
        }
    }
    let count = |rig: &Rig, counter| rig.node.responder.counters().get(counter);
    assert_eq!(count(&rig, Counter::Reads), 32);
    // One of each queue pair is refused; those behind it are dropped until it comes again.
    assert_eq!((count(&rig, Counter::QueueFull), count(&rig, Counter::AheadOfNotReady)), (6, 90));
    let sent = rig.sent();
    assert_eq!(sent.iter().filter(|sent| sent.opcode == Opcode::ReadResponseOnly).count(), 32);
}

#[test]
fn a_tenant_with_64_queue_pairs_leaves_the_others_places_and_turns() {
    places_and_turns(&sound);
}

/// 64 queue pairs of one process ask for sixteen READs each. Another process has places for its own beside them, and every second
/// packet is its own until it has all.
pub fn places_and_turns(plant: Plant<'_>) {
    const READS: usize = 4;
    let mut rig = Rig::new(16, 3, 8, PLAIN);
    plant(&mut rig);
    for pair in 0..64 {
        let rkey = rig.native(NATIVE + pair, 2, 1024);
        for _ in 0..16 {
            rig.deliver(NATIVE + pair, Psn::default(), Opcode::ReadRequest, reth(rkey, VA, PAGE), &[]);
        }
    }
    let rkey = rig.native(NATIVE + 64, 3, 1024);
    for read in 0..READS {
        // A page is four packets.
        let psn = Psn::default().plus(4 * read as u32);
        rig.deliver(NATIVE + 64, psn, Opcode::ReadRequest, reth(rkey, VA, PAGE), &[]);
    }
    let sent: Vec<Sent> = rig.sent().into_iter().filter(|sent| sent.opcode != Opcode::Acknowledge).collect();
    let own = sent.iter().enumerate().filter(|(_, sent)| sent.qpn == NATIVE + 64);
    let own: Vec<usize> = own.map(|(at, _)| at).collect();
    assert_eq!(own.len(), 4 * READS, "the victim's packets");
    assert!(sent.len() > 100, "the attacker has more: {}", sent.len());
    let last = own.last().copied().unwrap_or_default();
    assert!(last < 2 * 4 * READS, "the victim's last packet is number {last}");
}

#[test]
fn what_has_ended_in_an_error_is_served_no_more() {
    error_served(&sound);
}

/// A refused request, and sound ones behind it.
pub fn error_served(plant: Plant<'_>) {
    let mut scene = Scene::new(plant, false);
    let (rkey, own) = (scene.rkey, scene.own);
    scene.write(ATTACKER, rkey, VA, b"attacker");
    scene.rig.answers();
    for _ in 0..10 {
        scene.write(ATTACKER, own, VA, b"attacker");
    }
    assert!(scene.rig.sent().is_empty());
    assert_eq!((scene.count(Counter::QueuePairError), scene.count(Counter::Writes)), (10, 1));
    scene.unharmed();
}

#[test]
fn queue_pairs_and_regions_have_an_end_and_those_that_are_there_go_on() {
    let mut node = Node::new(Limits::default(), NoMemory, Leaf::new(BASE, 1));
    for qpn in 0..1024 {
        node.create_native(QueuePairConfig::new(2 + qpn, OTHER, 9, Psn::default())).expect("room");
    }
    let more = node.create_native(QueuePairConfig::new(0x5000, OTHER, 9, Psn::default()));
    assert_eq!(more, Err(NodeError::Responder(ResponderError::Full(1024))));
    let region = Region { pid: 1, va: 0, length: 1, access: Access::ALL };
    for row in 0..Regions::ROWS {
        node.responder.regions.insert(row as u32, region).expect("room");
    }
    assert_eq!(node.responder.regions.insert(0, region), Err(RegionError::Full(Regions::ROWS)));
    node.destroy(2).expect("it exists");
    assert!(node.create_native(QueuePairConfig::new(0x5000, OTHER, 9, Psn::default())).is_ok());
}
