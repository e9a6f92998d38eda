//! Seeded programs for the requester of chains' replies in hardware, as text: what is posted, what peers answer, how time passes, and
//! which packets the golden model's node sends.
//!
//! A line is a word and its numbers, hexadecimal but for `program`.
//!
//! | line | numbers |
//! |---|---|
//! | `program` | seed; everything begins anew |
//! | `map` | segment, page, frame; 0: it has none |
//! | `create` | queue pair, first PSN, peer's MAC, IP, queue pair and UDP port, path MTU (0: 256 … 4: 4,096), timeout's code, |
//! | | segment, pid, share |
//! | `destroy` | queue pair |
//! | `post` | queue pair, word (1) or page (0), page, frame, magic, va, rkey, whether it has an immediate |
//! | `full` | queue pair, replies: there is no room for so many |
//! | `ack` | queue pair, PSN, syndrome |
//! | `time` | ticks since the start |
//! | `p` | a packet: queue pair, opcode, PSN, whether it asks for an acknowledge, va, rkey, length, immediate, bytes, |
//! | | then whence: 0 a frame, its number, first byte; 1 zeros; 2 a word |
//! | `failed` | queue pair |
//! | `open` | accesses to frames that go on; everything that the line before it caused stands before this one |
//!
//! A tick is 10 µs. What comes between two ticks comes right behind the first: a peer that was not ready is tried again when all of
//! its time has passed, a tick later than its code says. A timeout is a power of two of ticks.
use std::fmt::Write as _;

use mneme_rdma::codec::profile::{Arguments, Chain, Field, Profile};
use mneme_rdma::codec::{
    Aeth, Bth, Extensions, Nak, Opcode, Operation, Packet, PathMtu, Position, Psn, RnrTimer, Syndrome,
};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{ChainConfig, FRAME, Frames as _, Leaf, NoMemory, Node, ReplyOptions, SegmentConfig};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Programs of replies that are kept beside the hardware's bench.
pub const REPLY_PROGRAMS: u64 = 16;

const FRAMES: u64 = 48;
const BASE: u64 = 0x100 * FRAME;
const PAGES: u32 = 16;
const PAIRS: u32 = 6;
const STEPS: usize = 60;
const TT_BASE: u64 = 0x7777_0000;
/// Nanoseconds of a tick.
const TICK: u64 = 10_000;
const PEER: [u8; 4] = [10, 1, 2, 3];

/// A chain queue pair; its number is 0x100 above that of the hardware.
#[derive(Debug, Clone, Copy)]
struct Own {
    chain: Chain,
    profile: Profile,
    options: ReplyOptions,
    segment: u32,
    /// The client's next packet.
    client: Psn,
    /// What has been acknowledged as far as the program knows, and what has been sent.
    low: Psn,
    high: Psn,
    failed: bool,
}

struct Program {
    rng: ChaCha8Rng,
    node: Node<NoMemory>,
    own: Vec<Option<Own>>,
    mapped: Vec<[u64; PAGES as usize]>,
    ticks: u64,
    text: String,
}

fn qpn(pair: usize) -> u32 {
    0x100 + pair as u32
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut leaf = Leaf::new(BASE, FRAMES as usize);
        // Nothing of it can fail: all is there, and new.
        let _ = leaf.push_run(BASE, FRAMES);
        for pid in [7, 8] {
            let (va, budget) = (0x4000_0000, 2 * PAGES);
            let _ = leaf.create(SegmentConfig { pid, va, entries: PAGES, budget, access: Access::ALL });
        }
        let mut node = Node::new(Limits::default(), NoMemory, leaf);
        for frame in 0..FRAMES {
            let at = BASE + frame * FRAME;
            let words: Vec<u8> = (0..FRAME / 8).flat_map(|word| (at + 8 * word).to_be_bytes()).collect();
            let _ = node.memory.store(at, &words);
        }
        let text = format!("program {seed}\n");
        Program {
            rng: ChaCha8Rng::seed_from_u64(seed),
            node,
            own: vec![None; PAIRS as usize],
            mapped: vec![[0; PAGES as usize]; 2],
            ticks: 0,
            text,
        }
    }

    fn line(&mut self, args: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.text.write_fmt(args);
        self.text.push('\n');
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// Tells which pages have another frame than before.
    fn told_maps(&mut self) {
        for segment in 0..2 {
            for page in 0..PAGES {
                let frame = self.node.memory.leaf.frame(segment, page).unwrap_or(0) / FRAME;
                let known = &mut self.mapped[segment as usize][page as usize];
                if *known != frame {
                    *known = frame;
                    self.line(format_args!("map {segment:x} {page:x} {frame:x}"));
                }
            }
        }
    }

    fn remap(&mut self) {
        let (segment, page) = (self.rng.random_range(0..2), self.rng.random_range(0..PAGES));
        let leaf = &mut self.node.memory.leaf;
        if !leaf.unmap(segment, page)
            && let Ok(frame) = leaf.take(segment)
        {
            leaf.publish(segment, page, frame);
        }
        self.told_maps();
    }

    fn create(&mut self, pair: usize) {
        let chain = if self.percent(70) { Chain::Load } else { Chain::Invalidate };
        let mut list = vec![(8, Field::TtAddr), (8, Field::Signal), (8, Field::Magic), (4, Field::Rkey)];
        if chain == Chain::Load {
            list.push((8, Field::Buffer));
        }
        let profile = Profile::new(chain, &list).expect("a legal profile");
        let options = ReplyOptions {
            immediate: self.percent(50),
            signal: chain == Chain::Invalidate || self.percent(40),
            tell_empty: false,
        };
        let mtu = self.rng.random_range(0..5u32);
        let (timeout, segment) = (self.rng.random_range(0..7u32), self.rng.random_range(0..2u32));
        let near_wrap = self.percent(60);
        let first = if near_wrap {
            Psn::from_low_bits(0).minus(self.rng.random_range(0..90))
        } else {
            Psn::from_low_bits(self.rng.random())
        };
        let (client, peer_qpn) = (Psn::from_low_bits(self.rng.random()), self.rng.random_range(2..1 << 24));
        let config = ChainConfig {
            qpn: qpn(pair),
            peer: PEER,
            peer_qpn,
            expected_psn: client,
            first_psn: first,
            path_mtu: PathMtu::new(256 << mtu).unwrap_or(PathMtu::MAX),
            profile,
            segment,
            tt_base: TT_BASE,
            key: None,
            options,
            hardened: false,
            timeout: TICK << timeout,
            rate: 0,
        };
        self.node.create_chain(config).expect("there is room for it");
        self.own[pair] =
            Some(Own { chain, profile, options, segment, client, low: first, high: first, failed: false });
        let (mac, port) = (self.rng.random_range(0..1u64 << 48), self.rng.random_range(0xc000..0xffffu32));
        let (psn, ip) = (first.number(), u32::from_be_bytes(PEER));
        let (pid, share) = (7 + segment, segment);
        self.line(format_args!(
            "create {pair:x} {psn:x} {mac:x} {ip:x} {peer_qpn:x} {port:x} {mtu:x} {timeout:x} {segment:x} {pid:x} {share:x}"
        ));
    }

    fn receive(&mut self, pair: usize, late: u64, packet: Packet<'_>) {
        let mut bytes = [0; PACKET_MAX];
        let bth = Bth { dest_qp: qpn(pair), ..packet.bth };
        let length = Packet { bth, ..packet }.emit(&mut bytes).expect("a legal packet");
        let arrival = Arrival { source: PEER, congested: false, transport: &bytes[..length] };
        self.node.receive(self.ticks * TICK + late, &arrival);
    }

    /// A message of the client's: its replies, or that there is no room for them.
    fn message(&mut self, pair: usize, own: Own) {
        let page = self.rng.random_range(0..PAGES);
        let frame = self.node.memory.leaf.frame(own.segment, page).unwrap_or(0) / FRAME;
        if own.chain == Chain::Load && frame == 0 {
            // It would be refused, and the queue pair be no more.
            return;
        }
        let (signal, buffer): (u64, u64) = (self.rng.random(), self.rng.random());
        let (magic, rkey): ([u8; 8], u32) = (self.rng.random(), self.rng.random());
        let arguments = Arguments {
            tt_addr: TT_BASE + 8 * u64::from(page),
            buffer: Some(buffer),
            signal: Some(signal),
            magic: Some(magic),
            rkey: Some(rkey),
            ..Arguments::default()
        };
        let mut bytes = [0; 64];
        let length = own.profile.write(&arguments, &mut bytes).expect("it is short");
        let before = *self.node.counters();
        let packet = Packet {
            bth: Bth { psn: own.client, ack_request: true, ..Bth::default() },
            opcode: Opcode::send(Position::Only, false),
            extensions: Extensions::default(),
            payload: &bytes[..length],
        };
        self.receive(pair, 0, packet);
        let after = *self.node.counters();
        self.told_maps();
        let loads = own.chain == Chain::Load;
        let replies = u32::from(loads) + u32::from(own.options.signal);
        if after.replies_full > before.replies_full {
            return self.line(format_args!("full {pair:x} {replies:x}"));
        }
        let immediate = u32::from(own.options.immediate);
        if loads {
            let immediate = immediate & u32::from(!own.options.signal);
            self.line(format_args!("post {pair:x} 0 {page:x} {frame:x} 0 {buffer:x} {rkey:x} {immediate:x}"));
        }
        if own.options.signal {
            let magic = u64::from_be_bytes(magic);
            self.line(format_args!("post {pair:x} 1 {page:x} 0 {magic:x} {signal:x} {rkey:x} {immediate:x}"));
        }
        if let Some(own) = &mut self.own[pair] {
            own.client = own.client.plus(1);
        }
    }

    /// What a peer may answer, and what it may not; sometimes it says it again.
    fn acknowledge(&mut self, pair: usize, own: Own) {
        let sent = own.high.since(own.low);
        let psn = if sent > 0 && self.percent(88) {
            let near = self.percent(50);
            if near { own.high.minus(1) } else { own.low.plus(self.rng.random_range(0..sent)) }
        } else if self.percent(50) {
            own.low.minus(self.rng.random_range(1..40))
        } else if self.percent(50) {
            own.high.plus(self.rng.random_range(0..40))
        } else {
            Psn::from_low_bits(self.rng.random())
        };
        let kind = self.rng.random_range(0..100);
        let code: u8 = self.rng.random();
        let syndrome = match kind {
            0..58 => Syndrome::from_number(code & 0x1f),
            58..76 => Syndrome::Nak(Nak::Sequence),
            76..92 if self.percent(85) => Syndrome::Rnr(RnrTimer::from_code(1 + code % 7)),
            76..92 => Syndrome::Rnr(RnrTimer::from_code(code)),
            92..95 => Syndrome::Nak(Nak::from_code(1 + code % 31)),
            _ => Syndrome::from_number([0x40, 0x80, 0xe0][usize::from(code % 3)] | (code & 0x1f)),
        };
        self.answer(pair, psn, syndrome);
        while self.percent(25) {
            self.settle();
            self.answer(pair, psn, syndrome);
        }
        if psn.since(own.low) < sent
            && let Some(own) = &mut self.own[pair]
        {
            own.low = match syndrome {
                Syndrome::Ack(_) => psn.plus(1),
                Syndrome::Reserved(_) => own.low,
                _ => psn,
            };
        }
    }

    fn answer(&mut self, pair: usize, psn: Psn, syndrome: Syndrome) {
        let (number, byte) = (psn.number(), syndrome.number());
        self.line(format_args!("ack {pair:x} {number:x} {byte:x}"));
        let aeth = Some(Aeth { syndrome, msn: 0 });
        let packet = Packet {
            bth: Bth { psn, ..Bth::default() },
            opcode: Opcode::Acknowledge,
            extensions: Extensions { aeth, ..Extensions::default() },
            payload: &[],
        };
        self.receive(pair, 1, packet);
    }

    fn waits(&mut self, ticks: u64) {
        self.ticks += ticks;
        let ticks = self.ticks;
        self.line(format_args!("time {ticks:x}"));
    }

    /// What is sent now, what has failed, and which accesses go on.
    fn settle(&mut self) {
        let mut bytes = [0; PACKET_MAX];
        while let Some(departure) = self.node.poll_transmit(self.ticks * TICK, &mut bytes) {
            let pair = (departure.qpn - qpn(0)) as usize;
            let packet = Packet::parse(&bytes[..departure.length]).expect("the node's packets are sound");
            if packet.opcode.operation() != Operation::Write {
                continue;
            }
            let (opcode, psn) = (packet.opcode.number(), packet.bth.psn);
            let reth = packet.extensions.reth;
            let (va, rkey, length) = reth.map_or((0, 0, 0), |reth| (reth.va, reth.rkey, reth.length));
            let immediate = packet.extensions.immediate.unwrap_or(0);
            let (number, asks) = (psn.number(), u32::from(packet.bth.ack_request));
            let payload = packet.payload;
            let bytes = payload.len();
            let word = payload.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
            let whence = if bytes == 8 {
                format!("2 {word:x}")
            } else if word == 0 {
                assert!(payload.iter().all(|byte| *byte == 0), "zeros of a page without frame");
                "1".to_owned()
            } else {
                let words = (0..).map(|i| word + 8 * i);
                let same = words.zip(payload.chunks_exact(8)).all(|(word, own)| own == word.to_be_bytes());
                assert!(same, "bytes of one frame, in order");
                format!("0 {:x} {:x}", word / FRAME, word % FRAME)
            };
            self.line(format_args!(
                "p {pair:x} {opcode:x} {number:x} {asks:x} {va:x} {rkey:x} {length:x} {immediate:x} {bytes:x} {whence}"
            ));
            if let Some(own) = &mut self.own[pair]
                && own.high.is_before(psn.plus(1))
            {
                own.high = psn.plus(1);
            }
        }
        for pair in 0..self.own.len() {
            let failed = self.node.responder.in_error(qpn(pair)) == Some(true);
            if let Some(own) = &mut self.own[pair]
                && failed
                && !own.failed
            {
                own.failed = true;
                self.line(format_args!("failed {pair:x}"));
            }
        }
        let open = self.node.memory.leaf.under_way();
        self.line(format_args!("open {open:x}"));
    }

    fn step(&mut self) {
        let pair = self.rng.random_range(0..PAIRS as usize);
        let kind = self.rng.random_range(0..100);
        match (self.own[pair], kind) {
            (None, _) => self.create(pair),
            (Some(own), 0..10) if own.failed || kind < 2 => {
                let _ = self.node.destroy(qpn(pair));
                self.own[pair] = None;
                self.line(format_args!("destroy {pair:x}"));
            }
            (Some(own), 10..50) if !own.failed => {
                // Some come in a row, up to the limit.
                let most = if self.percent(10) { 40 } else { 4 };
                for _ in 0..self.rng.random_range(1..=most) {
                    match self.own[pair] {
                        Some(own) => self.message(pair, own),
                        None => break,
                    }
                }
            }
            (Some(own), 50..82) => self.acknowledge(pair, own),
            (Some(_), 82..90) => self.remap(),
            _ => {
                let ticks = [1, 1, 1, 2, 3, 5, 9, 17, 33, 65, 130];
                // Some are silent until they are given up.
                let silent = self.percent(8);
                for _ in 0..if silent { 9 } else { 0 } {
                    self.waits(64);
                    self.settle();
                }
                let long = self.percent(3);
                let ticks = if long { 66_000 } else { ticks[self.rng.random_range(0..ticks.len())] };
                self.waits(ticks);
            }
        }
        self.settle();
    }
}

/// Programs of the seeds from `first` on.
pub fn reply_vectors(first: u64, count: u64) -> String {
    let mut text = String::new();
    for seed in first..first + count {
        let mut program = Program::new(seed);
        for _ in 0..PAGES {
            program.remap();
        }
        for _ in 0..STEPS {
            program.step();
        }
        let again = program.node.counters().looked_up_again;
        program.line(format_args!("looked {again:x}"));
        text.push_str(&program.text);
    }
    text
}
