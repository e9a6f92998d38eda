//! Clients of ODRP's chains on the RTL's port that are gone amid what they do, and clients that want one page at the same time. As on the model
//! of a node (`rdma/tests/node/attacks`); docs/explanation/security.md has the rows.
#![cfg(feature = "rdma")]
use std::collections::BTreeMap;

use mneme_differential::roce::hand::{self, fast};
use mneme_differential::roce::{Answer, Board, Link, TABLES};
use mneme_rdma::codec::frame::TRANSPORT_OFFSET;
use mneme_rdma::codec::profile::{Arguments, Chain, PAGE, Profile};
use mneme_rdma::codec::{Credits, Extensions, Opcode, PathMtu, Psn, Syndrome};
use mneme_rtl::RtlFast;
use mneme_wire::ChainCounter;
use mneme_wire::chain::{CHAIN_QPN_BIT, CHAIN_TELL_EMPTY};

/// Frames of the board.
const FRAMES: usize = 8;
/// Bytes of a packet's payload: a page is four packets, a store five.
const MTU: u16 = 1024;
const KEY: u64 = 0x5ec2_e700_1234_5678;
const MAGIC: [u8; 8] = *b"\x01magic!\xff";
/// Replies are sent again after 2^2 ticks, a tick is so many cycles, and after so many ticks they are given up.
const TIMEOUT: u32 = 2;
const TICK: u64 = 2500;
const SILENCE: u64 = 9 * ((1 << TIMEOUT) + 2);
/// The client that is gone, one beside it on the same segment, and another tenant's, each with its segment.
const GONE: (u32, u32) = (0, 0);
const BESIDE: (u32, u32) = (2, 0);
const VICTIM: (u32, u32) = (1, 1);
const ACK: u8 = 0x1f;
const DENIED: u8 = 0x62;

type Client = (u32, u32);

fn qpn((client, _): Client, chain: Chain) -> u32 {
    CHAIN_QPN_BIT | 0x5500 | (4 * client + chain as u32)
}
fn source(qpn: u32) -> [u8; 4] {
    [10, 0, 0, 2 + (qpn & 0xff) as u8 / 4]
}

struct Scene<'a> {
    board: Board<'a>,
    /// Queue pairs by their numbers, and the last packets of their replies that have come.
    links: BTreeMap<u32, Link>,
    replied: BTreeMap<u32, u32>,
}

impl<'a> Scene<'a> {
    /// A board whose other tenant has a page.
    fn new(fast: &'a mut RtlFast) -> Scene<'a> {
        let board = hand::board_of(fast, FRAMES);
        let mut scene = Scene { board, links: BTreeMap::new(), replied: BTreeMap::new() };
        scene.segment(VICTIM.1, FRAMES as u32);
        scene.client(VICTIM, 0);
        assert_eq!(scene.all(VICTIM, Chain::UnmappedStore, 0, 0x22), [ACK]);
        scene
    }
    fn segment(&mut self, number: u32, budget: u32) {
        self.board.make_segment(number, 1 + number, budget).expect("a segment");
    }
    /// The four queue pairs of a client.
    fn client(&mut self, client: Client, flags: u32) {
        for chain in Chain::ALL {
            let qpn = qpn(client, chain);
            let path_mtu = PathMtu::new(MTU).expect("a path MTU");
            let segment = (client.1, 1 + client.1);
            let mut link = Link::new(qpn, source(qpn), segment, Profile::default_of(chain), path_mtu);
            link.settings.flags = flags;
            link.settings.timeout = TIMEOUT;
            link.settings.key = Some(KEY);
            self.board.chains(|port| port.create(&link.settings)).expect("a queue pair");
            self.links.insert(qpn, link);
            self.replied.remove(&qpn);
        }
    }
    fn destroy(&mut self, client: Client) {
        for chain in Chain::ALL {
            self.board.chains(|port| port.destroy(qpn(client, chain))).expect("it is there");
        }
    }

    fn link(&mut self, client: Client, chain: Chain) -> &mut Link {
        self.links.get_mut(&qpn(client, chain)).expect("it is there")
    }
    /// The packets of a client's next message.
    fn message(&mut self, client: Client, chain: Chain, page: u64, fill: u8) -> Vec<Vec<u8>> {
        let arguments = Arguments {
            tt_addr: TABLES + 8 * page,
            buffer: Some(0xb000),
            signal: Some(0xc000),
            magic: Some(MAGIC),
            rkey: Some(0x42),
            key: Some(KEY),
            page: Some(&[fill; PAGE]),
        };
        self.link(client, chain).message(&arguments)
    }

    /// Frames come, and what they do is done. Answers what leaves.
    fn deliver(&mut self, frames: Vec<Vec<u8>>) -> Vec<Answer> {
        let answers = hand::deliver(&mut self.board, frames);
        self.hear(&answers);
        answers
    }
    fn hear(&mut self, answers: &[Answer]) {
        for reply in answers.iter().filter(|answer| answer.is_reply()) {
            self.replied.insert(reply.queue_pair(), reply.psn());
        }
    }
    /// All replies that have come are acknowledged.
    fn acknowledge(&mut self) {
        let acknowledge = |(qpn, psn): (&u32, &u32)| {
            self.links[qpn].says(Psn::from_low_bits(*psn), Syndrome::Ack(Credits::UNCOUNTED))
        };
        let frames = self.replied.iter().map(acknowledge).collect();
        self.deliver(frames);
    }
    /// A whole message, whose replies are acknowledged: what it is answered itself.
    fn all(&mut self, client: Client, chain: Chain, page: u64, fill: u8) -> Vec<u8> {
        let frames = self.message(client, chain, page, fill);
        let answers = self.deliver(frames);
        self.acknowledge();
        syndromes(&answers, qpn(client, chain))
    }

    /// Frames of pages, of each segment. All are different ones, and every frame is in one place; `held`: of a store that goes on.
    fn audit(&mut self, held: usize, case: &str) -> [usize; 3] {
        hand::audit(&mut self.board, [0, 3], (held, FRAMES), case)
    }
    fn frames(&mut self, table: u64) -> Vec<u64> {
        hand::mapped(&mut self.board, table)
    }
    /// The tenant beside has what it had.
    fn unharmed(&mut self, case: &str) {
        let own = self.frames(3);
        assert!(own.len() == 1 && self.board.frame(own[0]) == vec![0x22; PAGE], "{case}: the other's page");
    }
}

/// What a queue pair's messages were answered.
fn syndromes(answers: &[Answer], qpn: u32) -> Vec<u8> {
    let own = answers.iter().filter(|answer| answer.queue_pair() == qpn && !answer.is_reply());
    own.map(Answer::syndrome).collect()
}
/// The words that a queue pair's replies have written.
fn words(answers: &[Answer], qpn: u32) -> Vec<[u8; 8]> {
    let own = answers.iter().filter(|answer| answer.queue_pair() == qpn && answer.is_reply());
    own.filter_map(|answer| answer.0[TRANSPORT_OFFSET + 28..].first_chunk().copied()).collect()
}

/// What a client does: its functions and their pages. Page 0 has a frame, page 1 none.
const ACTS: [&[(Chain, u64)]; 5] = [
    &[(Chain::Load, 0)],
    &[(Chain::Load, 0), (Chain::MappedStore, 0)],
    &[(Chain::MappedStore, 0)],
    &[(Chain::UnmappedStore, 1)],
    &[(Chain::Invalidate, 0)],
];

/// How a client is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Its queue pairs end when nothing moves.
    Destroyed,
    /// They end while its packets are on their way inside.
    AtOnce,
    /// Its segment ends before its queue pairs do.
    SegmentFreed,
    /// It sends what ends them.
    Error,
    /// It says nothing any more.
    Silence,
}
const ENDS: [End; 5] = [End::Destroyed, End::AtOnce, End::SegmentFreed, End::Error, End::Silence];
/// The page of the store that has begun and not ended after so many steps.
fn amid(act: &[(Chain, u64)], mut steps: usize) -> Option<u64> {
    for &(chain, page) in act {
        let packets = if chain.stores() { 5 } else { 1 };
        if (1..packets).contains(&steps) {
            return Some(page);
        }
        steps = steps.saturating_sub(packets + 1);
    }
    None
}
/// Cycles between packets of a client whose queue pairs end at once: they come sooner than they are done.
const SOON: u64 = 24;

impl Scene<'_> {
    /// Does what a client does up to step `most`: each packet is one, and so is the acknowledge of all replies. Answers how many there were.
    fn act(&mut self, act: &[(Chain, u64)], most: usize, end: End) -> usize {
        let mut steps = 0;
        for &(chain, page) in act {
            for frame in self.message(GONE, chain, page, 0x66) {
                if steps == most {
                    return steps;
                }
                steps += 1;
                if end == End::AtOnce {
                    let answers = self.board.pour(&[frame], SOON).expect("it comes");
                    self.hear(&answers);
                } else {
                    self.deliver(vec![frame]);
                }
            }
            if steps == most {
                return steps;
            }
            steps += 1;
            self.acknowledge();
        }
        steps
    }

    /// A client that is gone after `most` steps, and what is left of it.
    fn one(&mut self, act: &[(Chain, u64)], most: usize, end: End) {
        let case = format!("{act:?}, {most} steps, {end:?}");
        self.segment(GONE.1, FRAMES as u32);
        self.client(GONE, 0);
        assert_eq!(self.all(GONE, Chain::UnmappedStore, 0, 0x11), [ACK], "{case}");
        self.act(act, most, end);
        // A frame is filled that is no page's yet: it goes back with queue pair or segment.
        let held = usize::from(amid(act, most) == Some(1));
        if end != End::AtOnce {
            self.audit(held, &case);
        }
        match end {
            End::Destroyed | End::AtOnce => self.destroy(GONE),
            End::SegmentFreed => self.board.end_segment(GONE.1).expect("it ends"),
            End::Error => {
                for chain in Chain::ALL {
                    let qpn = qpn(GONE, chain);
                    let progress = self.board.chains(|port| port.query(qpn)).expect("it is there");
                    let psn = Psn::from_low_bits(progress.expected);
                    let none = Extensions::default();
                    let frame = self.link(GONE, chain).frame(psn, Opcode::SendMiddle, none, &[0; 3]);
                    self.deliver(vec![frame]);
                    let progress = self.board.chains(|port| port.query(qpn)).expect("it is there");
                    assert!(progress.in_error, "{case}: {chain:?}");
                }
            }
            End::Silence => drop(self.board.pass(SILENCE * TICK)),
        }
        let late = self.board.rest().expect("it comes to rest");
        self.hear(&late);
        // A client that is only silent may have a frame in its hands until its lease ends.
        let held = if end == End::Silence { held } else { 0 };
        let [_, waiting, _] = self.audit(held, &case);
        assert_eq!(waiting, 0, "{case}: a frame waits for who is gone");
        if !matches!(end, End::Destroyed | End::AtOnce) {
            self.destroy(GONE);
        }
        if end != End::SegmentFreed {
            self.board.end_segment(GONE.1).expect("it ends");
        }
        assert_eq!(self.audit(0, &case), [FRAMES - 1, 0, 1], "{case}: all but the other tenant's come back");
        self.unharmed(&case);
    }
    /// Another client gets all frames that are free, each once.
    fn takes_all(&mut self, case: &str) {
        self.segment(GONE.1, FRAMES as u32);
        self.client(GONE, 0);
        for page in 1..FRAMES as u64 {
            assert_eq!(self.all(GONE, Chain::UnmappedStore, page, page as u8), [ACK], "{case}: page {page}");
        }
        assert_eq!(self.audit(0, case), [0, 0, FRAMES], "{case}");
        for (page, frame) in (1..).zip(self.frames(0)) {
            assert!(self.board.frame(frame) == vec![page; PAGE], "{case}: page {page}");
        }
        self.destroy(GONE);
        self.board.end_segment(GONE.1).expect("it ends");
        self.unharmed(case);
    }
}

#[test]
fn a_client_that_is_gone_after_any_step_leaves_every_frame_in_one_place() {
    let mut fast = fast(31);
    let mut scene = Scene::new(&mut fast);
    // Each step has two of the five ends in turn, unless there is time for all.
    let all = std::env::var_os("MNEME_ATTACKS").is_some_and(|attacks| attacks == "all");
    let mut cases = 0;
    for act in ACTS {
        // Each message's packets, and the acknowledge behind it.
        let packets: usize = act.iter().map(|(chain, _)| if chain.stores() { 6 } else { 2 }).sum();
        for most in 0..=packets {
            let ends = (0..ENDS.len()).filter(|number| all || (number + 2 * most) % ENDS.len() < 2);
            for end in ends.map(|number| ENDS[number]) {
                scene.one(act, most, end);
                cases += 1;
            }
        }
        scene.takes_all(&format!("{act:?}"));
    }
    assert_eq!(cases, 29 * if all { 5 } else { 2 }, "29 steps, and ways to end behind each");
}

impl Scene<'_> {
    /// A client stops behind `packets` packets of a store of page 0. The page is given up, and its frame is the other tenant's, who takes
    /// all of them but one if the page has a new one. Then the client goes on.
    fn stops(&mut self, chain: Chain, packets: usize, replaced: bool) {
        let case = format!("{chain:?}, {packets} packets, replaced: {replaced}");
        assert_eq!(self.all(GONE, Chain::UnmappedStore, 0, 0x11), [ACK], "{case}");
        let old = self.frames(0)[0];
        let message = self.message(GONE, chain, 0, 0x66);
        let (first, rest) = message.split_at(packets);
        assert!(self.deliver(first.to_vec()).is_empty(), "{case}");
        assert_eq!(self.all(BESIDE, Chain::Invalidate, 0, 0), [ACK], "{case}");
        assert_eq!(self.audit(0, &case), [FRAMES - 1, 0, 1], "{case}: the frame comes back at once");
        if replaced {
            assert_eq!(self.all(BESIDE, Chain::UnmappedStore, 0, 0x77), [ACK], "{case}");
        }
        let taken = FRAMES as u64 - u64::from(replaced);
        for page in 1..taken {
            assert_eq!(self.all(VICTIM, Chain::UnmappedStore, page, 0x22 + page as u8), [ACK], "{case}");
        }
        assert!(self.frames(3).contains(&old), "{case}: the other tenant has the frame");

        let answers = self.deliver(rest.to_vec());
        let own = qpn(GONE, chain);
        let denied = chain == Chain::MappedStore && !replaced;
        let told = if denied { (vec![DENIED], vec![]) } else { (vec![ACK], vec![MAGIC]) };
        assert_eq!((syndromes(&answers, own), words(&answers, own)), told, "{case}");
        self.acknowledge();
        let pages = self.frames(0);
        assert_eq!(pages.len(), usize::from(replaced), "{case}");
        for frame in pages {
            let before = usize::from(MTU) * packets - (self.link(GONE, chain).profile.message_len() - PAGE);
            let page = [vec![0x77; before], vec![0x66; PAGE - before]].concat();
            assert!(self.board.frame(frame) == page, "{case}: what is behind the pause, and nothing else");
        }
        for (page, frame) in (0u8..).zip(self.frames(3)) {
            assert!(self.board.frame(frame) == vec![0x22 + page; PAGE], "{case}: page {page} of the other");
        }
        for page in 1..taken {
            assert_eq!(self.all(VICTIM, Chain::Invalidate, page, 0), [ACK], "{case}");
        }
        assert_eq!(self.all(BESIDE, Chain::Invalidate, 0, 0), [ACK], "{case}");
        assert_eq!(self.audit(0, &case), [FRAMES - 1, 0, 1], "{case}");
        if denied {
            self.destroy(GONE);
            self.client(GONE, 0);
        }
    }
}

#[test]
fn a_client_that_stops_amid_a_store_keeps_no_frame_and_writes_none_that_is_anothers() {
    let mut fast = fast(35);
    let mut scene = Scene::new(&mut fast);
    scene.segment(GONE.1, FRAMES as u32);
    for client in [GONE, BESIDE] {
        scene.client(client, 0);
    }
    for chain in [Chain::MappedStore, Chain::UnmappedStore] {
        for packets in 1..5 {
            for replaced in [false, true] {
                scene.stops(chain, packets, replaced);
            }
        }
    }
}

/// Ways in which five packets of one message and five of another may come: which come first, as bits.
fn orders() -> impl Iterator<Item = u32> {
    (0..1u32 << 10).filter(|order| order.count_ones() == 5).step_by(12)
}

#[test]
fn two_clients_that_store_the_same_unmapped_page_at_once_leave_one_frame_with_one_page() {
    let mut fast = fast(32);
    let mut scene = Scene::new(&mut fast);
    scene.segment(GONE.1, FRAMES as u32);
    for client in [GONE, BESIDE] {
        scene.client(client, 0);
    }
    let stores = |scene: &mut Scene<'_>| {
        [ChainCounter::MappedStores, ChainCounter::UnmappedStores]
            .map(|counter| scene.board.chains(|port| Ok(port.counter(counter))).expect("chains"))
    };
    let mut both_unmapped = 0;
    for order in orders() {
        let before = stores(&mut scene);
        let [mut one, mut other] = [(GONE, 0x66), (BESIDE, 0x77)]
            .map(|(c, fill)| scene.message(c, Chain::UnmappedStore, 1, fill).into_iter());
        let mut packet = |at: u32| if order >> at & 1 == 1 { one.next() } else { other.next() };
        let frames: Vec<_> = (0..10).filter_map(&mut packet).collect();
        let answers = scene.deliver(frames);
        for client in [GONE, BESIDE] {
            let qpn = qpn(client, Chain::UnmappedStore);
            assert_eq!(
                (syndromes(&answers, qpn), words(&answers, qpn)),
                (vec![ACK], vec![MAGIC]),
                "{order:#b}"
            );
        }
        scene.acknowledge();
        let after = stores(&mut scene);
        assert_eq!(after[0] + after[1], before[0] + before[1] + 2, "{order:#b}");
        both_unmapped += u32::from(after[1] == before[1] + 2);
        assert_eq!(scene.audit(0, "both"), [FRAMES - 2, 0, 2], "{order:#b}");
        // The later one's, whole.
        let fill = if order >> 9 & 1 == 1 { 0x66 } else { 0x77 };
        let frame = scene.frames(0)[0];
        assert!(scene.board.frame(frame) == vec![fill; PAGE], "{order:#b}");
        assert_eq!(scene.all(GONE, Chain::Invalidate, 1, 0), [ACK], "{order:#b}");
        assert_eq!(scene.audit(0, "given up"), [FRAMES - 1, 0, 1], "{order:#b}");
    }
    assert!(both_unmapped >= 10, "each took a frame in {both_unmapped} of the orders");
    scene.unharmed("both");
}

#[test]
fn of_two_that_want_the_last_frame_at_once_one_is_told_and_may_come_again() {
    // Pages that are stored before, and the budget: the ring has one frame left, or the budget.
    for (seed, taken, budget) in [(33, FRAMES - 2, FRAMES as u32), (34, 4, 5)] {
        for tells in [false, true] {
            let mut fast = fast(seed);
            let mut scene = Scene::new(&mut fast);
            scene.segment(GONE.1, budget);
            for client in [GONE, BESIDE] {
                scene.client(client, if tells { CHAIN_TELL_EMPTY } else { 0 });
            }
            for page in 0..taken as u64 {
                assert_eq!(scene.all(GONE, Chain::UnmappedStore, 10 + page, 1), [ACK]);
            }
            let case = format!("{taken} of {budget}, told: {tells}");
            let [one, other] = [(GONE, 0x66), (BESIDE, 0x77)]
                .map(|(c, fill)| scene.message(c, Chain::UnmappedStore, 1, fill));
            let both = one.iter().zip(&other).flat_map(|(one, other)| [one.clone(), other.clone()]).collect();
            let answers = scene.deliver(both);
            let [first, second] = [GONE, BESIDE].map(|client| qpn(client, Chain::UnmappedStore));
            assert_eq!(
                (syndromes(&answers, first), words(&answers, first)),
                (vec![ACK], vec![MAGIC]),
                "{case}"
            );
            let told = (syndromes(&answers, second), words(&answers, second));
            if tells {
                assert_eq!(told, (vec![ACK], vec![MAGIC.map(|byte| !byte)]), "{case}");
            } else {
                // Once; what comes behind it is dropped.
                assert!(told.0.len() == 1 && told.0[0] >> 5 == 1 && told.1.is_empty(), "{case}: {told:x?}");
            }
            scene.acknowledge();
            let pages = taken + 2;
            assert_eq!(scene.audit(0, &case), [FRAMES - pages, 0, pages], "{case}");
            let frame = scene.frames(0)[0];
            assert!(scene.board.frame(frame) == vec![0x66; PAGE], "{case}");
            // It comes again, and finds the other's frame.
            let again = if tells { scene.message(BESIDE, Chain::UnmappedStore, 1, 0x77) } else { other };
            let answers = scene.deliver(again);
            assert_eq!(
                (syndromes(&answers, second), words(&answers, second)),
                (vec![ACK], vec![MAGIC]),
                "{case}"
            );
            assert!(scene.board.frame(frame) == vec![0x77; PAGE], "{case}");
            assert_eq!(scene.audit(0, &case), [FRAMES - pages, 0, pages], "{case}");
            scene.unharmed(&case);
        }
    }
}
