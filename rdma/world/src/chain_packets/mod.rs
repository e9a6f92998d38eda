//! Seeded packets for the responder of chain queue pairs in hardware, as text: what the golden model's node answers, posts and
//! keeps.
//!
//! The model judges a store at its last packet, the hardware at its first one, which has the arguments. So a program has only the
//! first packet of a store that is refused, and the answer to it is the model's answer to the last one, with the first one's
//! number. While a store runs nothing comes that would change what the model says at its end.
//!
//! A line is a word and its numbers, hexadecimal but for `program`.
//!
//! | line | numbers |
//! |---|---|
//! | `program` | seed; everything begins anew |
//! | `ring` | free frames |
//! | `segment` | number, pid, pages, budget, rights (1 read, 2 write) |
//! | `create` | place, number, peer's number, peer's address, code of the path MTU, first PSN, first PSN of replies, function, immediate, |
//! | | signal, tell empty, segment, hardened, bytes of a message, whether it has a secret, secret, table's base; then of each argument its |
//! | | last byte and field |
//! | `a` | a packet: number of the queue pair, source, opcode, whether an acknowledge is asked for, congestion, partition, PSN, bytes, |
//! | | malformed; seed and first byte of its payload in the message, whose bytes are [`byte`]; but the first ones, in hexadecimal |
//! | `k` | an answer to replies: number of the queue pair, source, PSN, syndrome |
//! | `go` | all before has been done |
//! | `d` | what is sent: place, opcode, PSN, syndrome, MSN |
//! | `r` | a reply that has left: place, word (1) or page (0), page, va, rkey, whether it has an immediate, magic |
//! | `destroy` | place |
//! | `state` | place, expected PSN, MSN, in error; of one that is not in error all replies have left |
//! | `mapped` | pages of both segments that have a frame, one bit each; frames that are free |
//! | `page` | segment, page, digest of its bytes |
//! | `count` | number of a RoceCounter, count; all others are 0 |
//! | `length` | messages of a length that is not the profile's |
//! | `done` | loads, mapped, unmapped stores, freed, freed nothing, unmapped, outside, wrong key, right, ring empty, budget spent, |
//! | | not stored, replies full |
mod message;
mod profile;
mod step;

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use mneme_rdma::codec::{Aeth, Credits, Extensions, Opcode, Operation, Packet, Psn, Syndrome};
use mneme_rdma::codec::{AtomicEth, Bth, Reth};
use mneme_rdma::node::{ChainConfig, FRAME, NoMemory, Node};
use mneme_rdma::responder::{Arrival, Counter, PACKET_MAX};
use mneme_wire::RoceCounter;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::tables::{self, Draw, PAGES};
use crate::vectors::{byte, digest};
pub use profile::draw_profile;

use message::Message;

/// Programs of packets that are kept beside the hardware's bench.
pub const CHAIN_PACKET_PROGRAMS: u64 = 8;

const FRAMES: u64 = 12;
const PLACES: usize = 8;
const STEPS: usize = 200;

/// A queue pair.
#[derive(Debug)]
struct Own {
    config: ChainConfig,
    /// The number of its next packet, as the hardware sees it.
    client: Psn,
    /// Replies that are not acknowledged: their packets, and of what page they are.
    posted: VecDeque<u32>,
    untold: VecDeque<u32>,
    /// Where the reply that leaves goes.
    to: (u64, u32),
    /// Packets that have left and are not acknowledged, and the number behind the last one.
    sent: u32,
    sent_to: Psn,
    /// A store of which packets have come, and its next one.
    running: Option<(Message, usize)>,
    /// A message that is to come again.
    again: Option<Message>,
    in_error: bool,
}

/// A packet that comes.
#[derive(Debug, Clone, Copy)]
struct Coming {
    qpn: u32,
    source: [u8; 4],
    opcode: u8,
    asks: bool,
    congested: bool,
    pkey: u16,
    psn: Psn,
    /// Bytes of the message.
    from: usize,
    bytes: usize,
    /// It is cut off.
    malformed: bool,
}

impl Coming {
    /// A message of eight bytes in one packet, which asks for an acknowledge.
    fn short(qpn: u32, source: [u8; 4], psn: Psn) -> Coming {
        Coming {
            qpn,
            source,
            opcode: 4,
            asks: true,
            congested: false,
            pkey: 0xffff,
            psn,
            from: 0,
            bytes: 8,
            malformed: false,
        }
    }
}

struct Program {
    rng: ChaCha8Rng,
    node: Node<NoMemory>,
    own: Vec<Option<Own>>,
    text: String,
    /// Pages of which an abandoned store has written a part: the model stores all of a page at once.
    torn: BTreeSet<(u32, u32)>,
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (node, text) = tables::two(&mut rng, seed, &Draw { frames: FRAMES, budgets: 4..=10, rare: 16 });
        Program { rng, node, own: (0..PLACES).map(|_| None).collect(), text, torn: BTreeSet::new() }
    }

    fn line(&mut self, args: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(args);
        self.text.push('\n');
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// The packet, for the model.
    fn feed(&mut self, coming: &Coming, message: &[u8]) {
        let Coming { opcode, pkey, psn, .. } = *coming;
        let known = Opcode::from_number(opcode).filter(|known| known.is_request());
        let bth = Bth {
            dest_qp: coming.qpn,
            ack_request: coming.asks,
            pkey,
            psn,
            migrated: true,
            ..Bth::default()
        };
        let extensions = Extensions {
            reth: Some(Reth { va: 0x4000_0000, rkey: 1, length: 8 }),
            atomic: Some(AtomicEth { va: 0x4000_0000, rkey: 1, swap_or_add: 1, compare: 0 }),
            immediate: Some(7),
            invalidate: Some(7),
            ..Extensions::default()
        };
        let payload = &message[coming.from..][..coming.bytes];
        let packet = Packet { bth, opcode: known.unwrap_or(Opcode::SendOnly), extensions, payload };
        let mut bytes = [0; PACKET_MAX];
        let mut length = packet.emit(&mut bytes).expect("a legal packet");
        bytes[0] = opcode;
        length -= usize::from(coming.malformed);
        let Coming { source, congested, .. } = *coming;
        self.node.receive(0, &Arrival { source, congested, transport: &bytes[..length] });
    }

    /// The packet, for the hardware.
    fn tell(&mut self, coming: &Coming, message: &Message) {
        let Coming { qpn, opcode, pkey, from, .. } = *coming;
        let (source, psn) = (u32::from_be_bytes(coming.source), coming.psn.number());
        let [asks, congested, malformed] = [coming.asks, coming.congested, coming.malformed].map(u8::from);
        let bytes = if malformed > 0 { 0 } else { coming.bytes };
        let head = if from == 0 && bytes > 0 { message.head.min(bytes) } else { 0 };
        let hex: String = message.bytes[..head].iter().map(|byte| format!("{byte:02x}")).collect();
        let seed = message.seed;
        self.line(format_args!(
            "a {qpn:x} {source:x} {opcode:x} {asks:x} {congested:x} {pkey:x} {psn:x} {bytes:x} {malformed:x} {seed:x} {from:x} {hex}"
        ));
    }

    /// Everything that the model sends, in lines; `at`: the number that an answer has in the hardware.
    fn answers(&mut self, at: Option<Psn>) {
        let mut bytes = [0; PACKET_MAX];
        while let Some(departure) = self.node.poll_transmit(0, &mut bytes) {
            let packet = Packet::parse(&bytes[..departure.length]).expect("the node's packets are sound");
            let place = departure.qpn as usize % PLACES;
            if packet.opcode.operation() == Operation::Write {
                self.reply(place, &packet);
                continue;
            }
            let aeth = packet.extensions.aeth.map(|Aeth { syndrome, msn }| (syndrome.number(), msn));
            let (syndrome, msn) = aeth.unwrap_or_default();
            let acknowledges = packet.opcode == Opcode::Acknowledge;
            let psn = at.filter(|_| acknowledges).unwrap_or(packet.bth.psn).number();
            let opcode = packet.opcode.number();
            self.line(format_args!("d {place:x} {opcode:x} {psn:x} {syndrome:x} {msn:x}"));
        }
    }

    fn reply(&mut self, place: usize, packet: &Packet<'_>) {
        let Some(own) = &mut self.own[place] else { return };
        own.sent += 1;
        own.sent_to = packet.bth.psn.plus(1);
        if let Some(reth) = packet.extensions.reth {
            own.to = (reth.va, reth.rkey);
        }
        if !packet.opcode.position().ends() {
            return;
        }
        let (va, rkey) = own.to;
        let page = own.untold.pop_front().expect("each reply was counted");
        let word = packet.payload.len() == 8;
        let magic = if word { packet.payload.first_chunk().copied() } else { None };
        let magic = u64::from_be_bytes(magic.unwrap_or_default());
        let immediate = packet.extensions.immediate;
        assert!(immediate.is_none_or(|own| own == page), "an immediate is the page's number");
        let (word, immediate) = (u8::from(word), u8::from(immediate.is_some()));
        self.line(format_args!("r {place:x} {word:x} {page:x} {va:x} {rkey:x} {immediate:x} {magic:x}"));
    }

    /// All replies that have left are answered.
    fn acknowledge(&mut self, place: usize) {
        let Some(own) = &mut self.own[place] else { return };
        if own.sent == 0 {
            return;
        }
        let mut sent = std::mem::take(&mut own.sent);
        while let Some(front) = own.posted.front_mut() {
            if *front > sent {
                *front -= sent;
                break;
            }
            sent -= *front;
            own.posted.pop_front();
        }
        let (psn, qpn, source) = (own.sent_to.minus(1), own.config.qpn, own.config.peer);
        let aeth = Aeth { syndrome: Syndrome::Ack(Credits::UNCOUNTED), msn: 0 };
        let bth = Bth { dest_qp: qpn, psn, ..Bth::default() };
        let extensions = Extensions { aeth: Some(aeth), ..Extensions::default() };
        let packet = Packet { bth, opcode: Opcode::Acknowledge, extensions, payload: &[] };
        let mut bytes = [0; PACKET_MAX];
        let length = packet.emit(&mut bytes).expect("a legal packet");
        let foreign = self.percent(5);
        let strange = [9, 9, 9, 9];
        let from = [Some(strange).filter(|_| foreign), Some(source)];
        for source in from.into_iter().flatten() {
            let (number, psn, syndrome) = (u32::from_be_bytes(source), psn.number(), aeth.syndrome.number());
            self.line(format_args!("k {qpn:x} {number:x} {psn:x} {syndrome:x}"));
            self.node.receive(0, &Arrival { source, congested: false, transport: &bytes[..length] });
            self.line(format_args!("go"));
            self.answers(None);
        }
    }

    fn mapped(&mut self) {
        let leaf = &self.node.memory.leaf;
        let bits = |segment| {
            let mapped = (0..PAGES).filter(|page| leaf.frame(segment, *page).is_some());
            mapped.fold(0u32, |all, page| all | 1 << page)
        };
        let [first, second] = [0, 1].map(bits);
        let free = leaf.ring().len();
        self.line(format_args!("mapped {first:x} {second:x} {free:x}"));
    }

    fn state(&mut self, place: usize) {
        let Some(own) = &self.own[place] else { return };
        let (qpn, client, error) = (own.config.qpn, own.client, own.in_error);
        let partial = own.running.is_some() || own.again.is_some();
        let (expected, msn) = self.node.responder.progress(qpn).expect("it is there");
        assert_eq!(self.node.responder.in_error(qpn), Some(error));
        assert!(partial || error || expected == client, "the model expects what the hardware does");
        let error = u8::from(error);
        self.line(format_args!("state {place:x} {:x} {msn:x} {error:x}", client.number()));
    }

    fn end(&mut self) {
        for place in 0..PLACES {
            // A window is full of packets at a time.
            while self.own[place].as_ref().is_some_and(|own| own.sent > 0 && !own.in_error) {
                self.acknowledge(place);
            }
            self.state(place);
        }
        if self.own.iter().flatten().all(|own| own.running.is_none()) {
            self.mapped();
        }
        for place in 0..PLACES {
            self.tears(place);
        }
        for segment in 0..2 {
            for page in 0..PAGES {
                if !self.torn.contains(&(segment, page))
                    && self.node.memory.leaf.frame(segment, page).is_some()
                {
                    let mut bytes = [0; FRAME as usize];
                    let va = 0x4000_0000 + u64::from(page) * FRAME;
                    let read =
                        mneme_rdma::memory::Memory::read(&mut self.node.memory, 7 + segment, va, &mut bytes);
                    // A segment that may not be read is looked at by nobody.
                    if read.is_ok() {
                        self.line(format_args!("page {segment:x} {page:x} {:x}", digest(&bytes)));
                    }
                }
            }
        }
        self.counts();
    }

    fn counts(&mut self) {
        for counter in Counter::ALL {
            let count = self.node.responder.counters().get(*counter);
            let name = counter.name().to_uppercase().replace(' ', "_");
            let number = RoceCounter::ALL.iter().find(|other| other.name() == name).map(|n| n.number());
            match number {
                _ if count == 0 => {}
                Some(number) => self.line(format_args!("count {number:x} {count:x}")),
                None => {
                    assert_eq!(*counter, Counter::ReceiveLength);
                    self.line(format_args!("length {count:x}"));
                }
            }
        }
        let c = *self.node.counters();
        let done = [c.loads, c.mapped_stores, c.unmapped_stores, c.freed, c.freed_nothing];
        let refused = [c.unmapped, c.outside, c.wrong_key, c.right];
        let short = [c.ring_empty, c.budget_spent, c.not_stored, c.replies_full];
        let all = done.into_iter().chain(refused).chain(short);
        let all: Vec<String> = all.map(|count| format!("{count:x}")).collect();
        self.line(format_args!("done {}", all.join(" ")));
    }
}

/// Programs of the seeds from `first` on.
pub fn chain_packet_vectors(first: u64, count: u64) -> String {
    let mut text = String::new();
    for seed in first..first + count {
        let mut program = Program::new(seed);
        for _ in 0..STEPS {
            program.step();
        }
        program.end();
        text.push_str(&program.text);
    }
    text
}
