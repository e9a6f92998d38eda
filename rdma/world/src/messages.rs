//! Seeded messages of chains for the hardware that does them, as text: what the golden model's node answers, posts and maps.
//!
//! A line is a word and its numbers, hexadecimal but for `program`.
//!
//! | line | numbers |
//! |---|---|
//! | `program` | seed; everything begins anew |
//! | `ring` | free frames |
//! | `segment` | number, pid, pages, budget, rights (1 read, 2 write) |
//! | `create` | queue pair, function (0 load, 1 mapped, 2 unmapped store, 3 invalidate), immediate, signal, tell empty, segment |
//! | `m` | a message: queue pair, whether its secret is wrong, whether it is outside of any table, page, buffer, signal, magic, |
//! | | rkey, replies that have room; then 0 done, 1 refused, 2 not ready |
//! | `r` | a reply of it: word (1) or page (0), page, va, rkey, whether it has an immediate, magic |
//! | `mapped` | pages of both segments that have a frame, one bit each; frames that are free |
//! | `counts` | loads, mapped, unmapped stores, freed, freed nothing, unmapped, outside, wrong key, right, ring empty, budget |
//! | | spent, not stored, replies full |
use std::fmt::Write as _;

use mneme_rdma::codec::profile::{Arguments, Chain, Field, PAGE, Profile};
use mneme_rdma::codec::{Aeth, Credits};
use mneme_rdma::codec::{Bth, Extensions, Opcode, Operation, Packet, PathMtu, Position, Psn, Syndrome};
use mneme_rdma::node::{ChainConfig, NoMemory, Node, REPLIES, ReplyOptions};
use mneme_rdma::responder::{Arrival, PACKET_MAX};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::tables::{self, Draw, PAGES};

/// Programs of messages that are kept beside the hardware's bench.
pub const MESSAGE_PROGRAMS: u64 = 12;

const FRAMES: u64 = 10;
const TT_BASE: u64 = 0x7777_0000;
const KEY: u64 = 0x0123_4567_89ab_cdef;
const PEER: [u8; 4] = [10, 1, 2, 3];
const STEPS: usize = 120;

#[derive(Debug, Clone, Copy)]
struct Own {
    profile: Profile,
    client: Psn,
    /// Replies without acknowledge, and the number behind the last one's packets.
    waiting: usize,
    sent_to: Psn,
}

struct Program {
    rng: ChaCha8Rng,
    node: Node<NoMemory>,
    own: Vec<Option<Own>>,
    text: String,
}

fn qpn(pair: usize) -> u32 {
    0x100 + pair as u32
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (node, text) = tables::two(&mut rng, seed, &Draw { frames: FRAMES, budgets: 3..=9, rare: 12 });
        Program { rng, node, own: vec![None; 8], text }
    }

    fn line(&mut self, args: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(args);
        self.text.push('\n');
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// A queue pair of each function on each segment.
    fn create(&mut self, pair: usize) {
        let (chain, segment) = (Chain::ALL[pair % 4], pair as u32 / 4);
        let options = ReplyOptions {
            immediate: self.percent(50),
            signal: self.percent(50),
            tell_empty: self.percent(40),
        };
        let mut list = vec![
            (8, Field::TtAddr),
            (8, Field::Signal),
            (8, Field::Magic),
            (4, Field::Rkey),
            (8, Field::Key),
            (8, Field::Buffer),
        ];
        if chain.stores() {
            list.push((PAGE as u16, Field::Page));
        }
        let profile = Profile::new(chain, &list).expect("a legal profile");
        let config = ChainConfig {
            qpn: qpn(pair),
            peer: PEER,
            peer_qpn: 0x900,
            expected_psn: Psn::default(),
            first_psn: Psn::default(),
            path_mtu: PathMtu::MAX,
            profile,
            segment,
            tt_base: TT_BASE,
            key: Some(KEY),
            options,
            hardened: false,
            timeout: 1 << 40,
            rate: 0,
        };
        self.node.create_chain(config).expect("there is room for it");
        self.own[pair] = Some(Own { profile, client: Psn::default(), waiting: 0, sent_to: Psn::default() });
        let ReplyOptions { immediate, signal, tell_empty } = options;
        let (immediate, signal, tells) = (u8::from(immediate), u8::from(signal), u8::from(tell_empty));
        let function = pair % 4;
        self.line(format_args!(
            "create {pair:x} {function:x} {immediate:x} {signal:x} {tells:x} {segment:x}"
        ));
    }

    fn send(&mut self, pair: usize, bth: Bth, opcode: Opcode, extensions: Extensions, payload: &[u8]) {
        let mut bytes = [0; PACKET_MAX];
        let bth = Bth { dest_qp: qpn(pair), ..bth };
        let length = Packet { bth, opcode, extensions, payload }.emit(&mut bytes).expect("a legal packet");
        let arrival = Arrival { source: PEER, congested: false, transport: &bytes[..length] };
        self.node.receive(0, &arrival);
    }

    /// Loads and mapped stores are of pages that have a frame, mostly.
    fn page(&mut self, pair: usize) -> u32 {
        let leaf = &self.node.memory.leaf;
        let mapped: Vec<u32> =
            (0..PAGES).filter(|page| leaf.frame(pair as u32 / 4, *page).is_some()).collect();
        if self.percent(2) {
            PAGES + 3
        } else if pair % 4 < 2 && !mapped.is_empty() && self.percent(95) {
            mapped[self.rng.random_range(0..mapped.len())]
        } else {
            self.rng.random_range(0..PAGES)
        }
    }

    fn message(&mut self, pair: usize, own: Own) {
        let page = self.page(pair);
        let (wrong, outside) = (self.percent(1), self.percent(1));
        let low = self.rng.random_range(0..8);
        let tt_addr = if outside { TT_BASE - 8 } else { TT_BASE + 8 * u64::from(page) } + low;
        let (buffer, signal): (u64, u64) = (self.rng.random(), self.rng.random());
        let (magic, rkey): ([u8; 8], u32) = (self.rng.random(), self.rng.random());
        let bytes = vec![self.rng.random(); PAGE];
        let arguments = Arguments {
            tt_addr,
            buffer: Some(buffer),
            signal: Some(signal),
            magic: Some(magic),
            rkey: Some(rkey),
            key: Some(if wrong { KEY ^ 1 } else { KEY }),
            page: Some(&bytes),
        };
        let mut message = vec![0; own.profile.message_len()];
        own.profile.write(&arguments, &mut message).expect("it has room");
        let before = *self.node.counters();
        let parts: Vec<&[u8]> = message.chunks(PathMtu::MAX.bytes()).collect();
        for (i, part) in parts.iter().enumerate() {
            let psn = own.client.plus(i as u32);
            let position = Position::of(i == 0, i + 1 == parts.len());
            let bth = Bth { psn, ack_request: true, ..Bth::default() };
            self.send(pair, bth, Opcode::send(position, false), Extensions::default(), part);
        }
        let after = *self.node.counters();
        let refused = |c: &mneme_rdma::node::PagedCounters| c.unmapped + c.outside + c.wrong_key + c.right;
        let later = |c: &mneme_rdma::node::PagedCounters| c.ring_empty + c.budget_spent + c.replies_full;
        let verdict = match () {
            () if refused(&after) > refused(&before) => 1,
            () if later(&after) > later(&before) => 2,
            () => 0,
        };
        let (room, number) = (REPLIES - own.waiting, u64::from_be_bytes(magic));
        let (wrong, outside) = (u8::from(wrong), u8::from(outside));
        self.line(format_args!(
            "m {pair:x} {wrong:x} {outside:x} {page:x} {buffer:x} {signal:x} {number:x} {rkey:x} {room:x} {verdict:x}"
        ));
        self.replies(pair, page);
        if verdict > 0 {
            // A queue pair that was refused is in error, and one that is to come again may do something else.
            let _ = self.node.destroy(qpn(pair));
            self.own[pair] = None;
        } else if let Some(own) = &mut self.own[pair] {
            own.client = own.client.plus(parts.len() as u32);
        }
    }

    /// What the node sends: a page is one packet.
    fn replies(&mut self, pair: usize, page: u32) {
        let mut bytes = [0; PACKET_MAX];
        while let Some(departure) = self.node.poll_transmit(0, &mut bytes) {
            let packet = Packet::parse(&bytes[..departure.length]).expect("the node's packets are sound");
            if packet.opcode.operation() != Operation::Write {
                continue;
            }
            let word = packet.payload.len() == 8;
            let magic = if word { packet.payload.first_chunk().copied() } else { None };
            let magic = u64::from_be_bytes(magic.unwrap_or_default());
            let reth = packet.extensions.reth.expect("each is one packet");
            let immediate = u8::from(packet.extensions.immediate.is_some());
            let (va, rkey, word, psn) = (reth.va, reth.rkey, u8::from(word), packet.bth.psn);
            self.line(format_args!("r {word:x} {page:x} {va:x} {rkey:x} {immediate:x} {magic:x}"));
            if let Some(own) = &mut self.own[pair] {
                own.waiting += 1;
                own.sent_to = psn.plus(1);
            }
        }
    }

    fn acknowledge(&mut self, pair: usize) {
        let Some(own) = &mut self.own[pair] else { return };
        own.waiting = 0;
        let bth = Bth { psn: own.sent_to.minus(1), ..Bth::default() };
        let aeth = Some(Aeth { syndrome: Syndrome::Ack(Credits::UNCOUNTED), msn: 0 });
        let extensions = Extensions { aeth, ..Extensions::default() };
        self.send(pair, bth, Opcode::Acknowledge, extensions, &[]);
    }

    fn told(&mut self) {
        let leaf = &self.node.memory.leaf;
        let bits = |segment| {
            let mapped = (0..PAGES).filter(|page| leaf.frame(segment, *page).is_some());
            mapped.fold(0u32, |all, page| all | 1 << page)
        };
        let [first, second] = [0, 1].map(bits);
        let free = leaf.ring().len();
        self.line(format_args!("mapped {first:x} {second:x} {free:x}"));
    }

    fn step(&mut self) {
        let pair = self.rng.random_range(0..8);
        match self.own[pair] {
            None => self.create(pair),
            Some(own) => {
                // Replies are acknowledged late, so that there is no room any more.
                if own.waiting > 0 && self.percent(12) {
                    self.acknowledge(pair);
                }
                let many = if self.percent(8) { 40 } else { 1 };
                for _ in 0..many {
                    match self.own[pair] {
                        Some(own) => self.message(pair, own),
                        None => break,
                    }
                    self.told();
                }
            }
        }
    }
}

/// Programs of the seeds from `first` on.
pub fn message_vectors(first: u64, count: u64) -> String {
    let mut text = String::new();
    for seed in first..first + count {
        let mut program = Program::new(seed);
        for _ in 0..STEPS {
            program.step();
        }
        let c = *program.node.counters();
        let counts = [
            c.loads,
            c.mapped_stores,
            c.unmapped_stores,
            c.freed,
            c.freed_nothing,
            c.unmapped,
            c.outside,
            c.wrong_key,
            c.right,
            c.ring_empty,
            c.budget_spent,
            c.not_stored,
            c.replies_full,
        ];
        let counts: Vec<String> = counts.iter().map(|count| format!("{count:x}")).collect();
        program.line(format_args!("counts {}", counts.join(" ")));
        text.push_str(&program.text);
    }
    text
}
