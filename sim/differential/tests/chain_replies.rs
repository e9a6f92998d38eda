//! Attacks of clients of chains on the RTL's port that the model of a node meets, too (`rdma/tests/node/attacks`): what one tenant does to
//! the others' frames. Rows of docs/explanation/security.md.
#![cfg(feature = "rdma")]
use mneme_differential::roce::hand::{self, fast};
use mneme_differential::roce::{Answer, Board, Link, TABLES};
use mneme_rdma::codec::profile::{Arguments, Chain, Field, PAGE, Profile};
use mneme_rdma::codec::{Credits, PathMtu, Psn, RnrTimer, Syndrome};
use mneme_rtl::RtlFast;
use mneme_wire::chain::CHAIN_QPN_BIT;
use mneme_wire::{ChainCounter, LeafRegister};

/// Frames of all: one is the attacker's, the others are the victim's.
const FRAMES: u64 = 3;
/// Tenants: the number of their segment, and a byte of their pages.
const VICTIM: u8 = 1;
const ATTACKER: u8 = 0;
const FILL: [u8; 2] = [0x66, 0x11];
/// Longer than any test, at 2^15 ticks.
const TIMEOUT: u32 = 15;
/// Packets that may be unanswered, and those of a page at path MTU 256.
const WINDOW: usize = 32;
const PACKETS: usize = 16;
/// A code of "not ready", and cycles in which such a peer is tried again: 12 ticks of 2,500 cycles, one that has begun, and another one.
const WAITS: u8 = 7;
const AGAIN: u64 = 14 * 2500;
const ROUNDS: u64 = 6;

/// A tenant's queue pair, and the next packet of its replies that its client waits for.
struct Pair {
    tenant: u8,
    link: Link,
    reply: Psn,
}

impl Pair {
    fn new(tenant: u8, chain: Chain, mtu: u16) -> Pair {
        let mut list = vec![
            (8, Field::TtAddr),
            (4, Field::Rkey),
            (8, Field::Buffer),
            (8, Field::Signal),
            (8, Field::Magic),
        ];
        list.retain(|(_, field)| chain == Chain::Load || *field != Field::Buffer);
        if chain.stores() {
            list.push((PAGE as u16, Field::Page));
        }
        let profile = Profile::new(chain, &list).expect("a legal profile");
        let mtu = PathMtu::new(mtu).expect("a path MTU");
        let place = 4 * u32::from(tenant) + chain as u32;
        let qpn = CHAIN_QPN_BIT | 0x1200 | place;
        let segment = (u32::from(tenant), 7 + u32::from(tenant));
        let mut link = Link::new(qpn, [10, 77, 3, 1 + tenant], segment, profile, mtu);
        link.settings.peer_qpn = 0x40 + place;
        link.settings.timeout = TIMEOUT;
        Pair { tenant, link, reply: Psn::default() }
    }
    fn chain(&self) -> Chain {
        self.link.profile.chain()
    }
    /// A message about a page of 4 KB, as the frames that it comes in.
    fn message(&mut self, page: u64) -> Vec<Vec<u8>> {
        let stored = [FILL[usize::from(self.tenant)]; PAGE];
        let arguments = Arguments {
            tt_addr: TABLES + 8 * page,
            buffer: Some(0xb000),
            signal: Some(0x5000),
            magic: Some([1; 8]),
            rkey: Some(9),
            page: self.chain().stores().then_some(&stored[..]),
            ..Arguments::default()
        };
        self.link.message(&arguments)
    }
    /// Packets of its replies among what has left.
    fn replies(&self, left: &[Answer]) -> usize {
        let own = |answer: &&Answer| answer.is_reply() && answer.queue_pair() == self.link.settings.peer_qpn;
        left.iter().filter(own).count()
    }
    /// What its client says of its replies: this of the packet `ahead` of the one that it waits for.
    fn says(&self, ahead: u32, syndrome: Syndrome) -> Vec<u8> {
        self.link.says(self.reply.plus(ahead), syndrome)
    }
}

/// Two tenants with a segment each, and no more frames than their pages have.
struct Scene<'a> {
    board: Board<'a>,
}

fn brings(answers: &[Answer], tenant: u8) -> bool {
    let bytes = [FILL[usize::from(tenant)]; 32];
    answers.iter().any(|answer| answer.0.windows(bytes.len()).any(|part| part == bytes))
}

impl<'a> Scene<'a> {
    fn new(fast: &'a mut RtlFast) -> Scene<'a> {
        let mut board = Board::boot(fast, 4).expect("it boots");
        board.make_ring().expect("a ring");
        for tenant in [ATTACKER, VICTIM] {
            board.make_segment(tenant.into(), 7 + u32::from(tenant), 16).expect("a segment");
        }
        let page = board.take_page();
        board.push(page, 0, FRAMES).expect("frames");
        Scene { board }
    }
    fn pair(&mut self, tenant: u8, chain: Chain, mtu: u16) -> Pair {
        let pair = Pair::new(tenant, chain, mtu);
        self.board.chains(|port| port.create(&pair.link.settings)).expect("a queue pair");
        pair
    }
    fn deliver(&mut self, frames: Vec<Vec<u8>>) -> Vec<Answer> {
        hand::deliver(&mut self.board, frames)
    }
    /// A message that is done; its replies are acknowledged, if it is the victim's.
    fn done(&mut self, pair: &mut Pair, page: u64) -> Vec<Answer> {
        let message = pair.message(page);
        let answers = self.deliver(message);
        let told: Vec<u8> = answers.iter().filter(|own| !own.is_reply()).map(Answer::syndrome).collect();
        assert!(!told.is_empty() && told.iter().all(|own| *own == 0x1f), "{:?}: {answers:?}", pair.chain());
        let sent = pair.replies(&answers) as u32;
        if pair.tenant == VICTIM && sent > 0 {
            let says = pair.says(sent - 1, Syndrome::Ack(Credits::UNCOUNTED));
            pair.reply = pair.reply.plus(sent);
            assert!(self.deliver(vec![says]).is_empty());
        }
        answers
    }
    /// Frames that may be taken, and those that wait for accesses.
    fn free(&mut self) -> [u32; 2] {
        [LeafRegister::Usable, LeafRegister::Waiting].map(|register| self.board.leaf(register))
    }
}

/// Three pages are loaded of which two fill the window. What the client says then, again and again, must not keep a frame: the victim gives
/// its pages up and stores them, for which there is no other frame.
fn takes_nothing(seed: u64, says: Option<Syndrome>) {
    let mut fast = fast(seed);
    let mut scene = Scene::new(&mut fast);
    let mut stores = scene.pair(ATTACKER, Chain::UnmappedStore, 4096);
    let mut loads = scene.pair(ATTACKER, Chain::Load, 256);
    let mut gives = scene.pair(ATTACKER, Chain::Invalidate, 256);
    let mut own: Vec<Pair> = [Chain::Load, Chain::UnmappedStore, Chain::Invalidate]
        .into_iter()
        .map(|chain| scene.pair(VICTIM, chain, 4096))
        .collect();
    scene.done(&mut stores, 0);
    (0..2).for_each(|page| drop(scene.done(&mut own[1], page)));
    assert_eq!(scene.free(), [0, 0]);
    let mut sent = 0;
    for _ in 0..3 {
        let left = scene.done(&mut loads, 0);
        sent += loads.replies(&left);
    }
    assert_eq!(sent, WINDOW, "the window is full");
    for round in 0..ROUNDS {
        if let Some(syndrome) = says {
            // It is tried again when its time is over, and is not ready.
            let left = scene.deliver(vec![loads.says(0, syndrome)]);
            assert_eq!(loads.replies(&left), 0);
        }
        let page = round % 2;
        scene.done(&mut own[2], page);
        assert_eq!(scene.free(), [1, 0], "round {round}: a frame waits for the attacker");
        scene.done(&mut own[1], page);
        assert_eq!(scene.free(), [0, 0]);
        let mut again = scene.board.pass(AGAIN);
        again.extend(scene.board.rest().expect("it comes to rest"));
        assert_eq!(loads.replies(&again), if says.is_some() { WINDOW } else { 0 });
    }
    // The page goes, too, and its frame is the victim's: who takes replies at last gets none of its bytes.
    scene.done(&mut gives, 0);
    assert_eq!(scene.free(), [1, 0]);
    scene.done(&mut own[1], 2);
    let last = scene.deliver(vec![loads.says(WINDOW as u32 - 1, Syndrome::Ack(Credits::UNCOUNTED))]);
    assert_eq!(loads.replies(&last), PACKETS, "the third page");
    assert!(!brings(&last, VICTIM) && !brings(&last, ATTACKER), "the page has no frame");
    let last = scene.done(&mut own[0], 2);
    assert!(brings(&last, VICTIM) && !brings(&last, ATTACKER));
    let not_ready =
        scene.board.chains(|port| Ok(port.counter(ChainCounter::ReplyNotReady))).expect("a counter");
    assert_eq!(not_ready, if says.is_some() { ROUNDS as u32 } else { 0 });
}

#[test]
fn a_client_that_is_never_ready_keeps_no_frames_from_others() {
    takes_nothing(21, Some(Syndrome::Rnr(RnrTimer::from_code(WAITS))));
}

#[test]
fn a_client_that_acknowledges_nothing_keeps_no_frames_from_others() {
    takes_nothing(22, None);
}
