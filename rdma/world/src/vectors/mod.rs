//! Seeded programs for the responder in hardware, as text: packets that come, and what the golden model answers.
//!
//! A line is a word and its numbers, hexadecimal but for `program`. A whole packet is what lies between the UDP header and the ICRC.
//!
//! | line | numbers |
//! |---|---|
//! | `program` | seed; the board begins anew |
//! | `qp` | number, peer's number, peer's address, pid, first PSN, code of the path MTU, hardened, pkey |
//! | `region` | key, pid, va, length, rights |
//! | `remove` | key |
//! | `page` | pid, page, status of accesses from now on |
//! | `a` | a packet that comes: [`Fields`] |
//! | `w` | that packet whole: bytes, where its client's payload began and ended, its first 40 bytes; behind those [`byte`] of the payload, then zeros |
//! | `go` | those packets come back to back; everything is answered before the next line |
//! | `d` | what the model answers, one after the other: number of the queue pair, opcode, PSN, syndrome, MSN, original, bytes, [`digest`], that of the whole packet |
//! | `state` | queue pair, expected PSN, MSN, in error |
//! | `count` | number of a RoceCounter, count; all others are 0 |
//! | `memory` | pid, page, digest; no other page was written |
mod pages;
mod program;

use std::fmt::Write as _;

use mneme_rdma::codec::{Aeth, Packet, PathMtu, Psn};
use mneme_rdma::memory::{Access, MemoryFault, Region};
use mneme_rdma::responder::{Arrival, Counter, Limits, PACKET_MAX, QueuePairConfig, Responder, Serves};
use mneme_wire::RoceCounter;

pub use pages::PAGE_BITS;
use pages::Pages;
use program::Program;

/// Programs that are kept beside the hardware's bench.
pub const PROGRAMS: u64 = 8;

/// What a packet is for the responder in hardware.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fields {
    qpn: u32,
    source: u32,
    opcode: u8,
    ack_request: bool,
    pad: u8,
    pkey: u16,
    psn: u32,
    va: u64,
    rkey: u32,
    length: u32,
    swap_add: u64,
    compare: u64,
    /// Bytes of payload, and the seed of [`byte`].
    payload: usize,
    seed: u32,
    malformed: bool,
    /// Where the payload began and ended in the packet, when its client made it: what came after has changed no byte behind [`HEAD`].
    made: (usize, usize),
}

/// Bytes of the longest headers.
const HEAD: usize = 40;

/// Byte `i` of a payload.
pub(crate) fn byte(seed: u32, i: usize) -> u8 {
    (seed.wrapping_add((i as u32).wrapping_mul(7919)).wrapping_mul(0x9e37_79b1) >> 24) as u8
}

/// FNV-1a of 64 bits.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The hardware's counter of the same name. What needs a packet that its receive side drops, or a buffer for SENDs, it has none for.
fn number(counter: Counter) -> Option<RoceCounter> {
    let name = counter.name().to_uppercase().replace(' ', "_");
    RoceCounter::ALL.iter().copied().find(|other| other.name() == name)
}

/// The model, its memory, and what it has been told and has said.
struct Model {
    responder: Responder,
    pages: Pages,
    text: String,
    /// What was answered since the last `go`.
    answers: String,
    immediates: u32,
}

impl Model {
    fn new(seed: u64) -> Model {
        // Memory that is not ready answers at once: the engine itself has waited.
        let limits = Limits { read_wait: 0, ..Limits::default() };
        let text = format!("program {seed}\n");
        let (responder, pages) = (Responder::new(limits), Pages::default());
        Model { responder, pages, text, answers: String::new(), immediates: 0 }
    }

    fn line(&mut self, args: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.text.write_fmt(args);
        self.text.push('\n');
    }

    fn queue_pair(&mut self, config: QueuePairConfig) {
        let QueuePairConfig { qpn, peer_qpn, pid, pkey, hardened, .. } = config;
        let (peer, psn, code) =
            (u32::from_be_bytes(config.peer), config.expected_psn.number(), config.path_mtu.code());
        let hardened_bit = u8::from(hardened);
        self.line(format_args!(
            "qp {qpn:x} {peer_qpn:x} {peer:x} {pid:x} {psn:x} {code:x} {hardened_bit:x} {pkey:x}"
        ));
        self.responder.create(config).expect("the program's numbers differ");
        // Immediates are taken by nobody, as on every board, and never wait.
        self.responder.post_receive(qpn, 0, Box::default()).expect("there is room");
    }

    fn region(&mut self, random: u32, region: Region) -> u32 {
        let key = self.responder.regions.insert(random, region).expect("there is room");
        let Region { pid, va, length, access } = region;
        let rights = u8::from(access.read) | u8::from(access.write) << 1 | u8::from(access.atomic) << 2;
        self.line(format_args!("region {key:x} {pid:x} {va:x} {length:x} {rights:x}"));
        key
    }

    fn remove(&mut self, key: u32) {
        self.line(format_args!("remove {key:x}"));
        self.responder.regions.remove(key).expect("the program knows its regions");
    }

    fn page(&mut self, pid: u32, page: u64, fault: Option<MemoryFault>) {
        let status = match fault {
            None => mneme_wire::Status::Ok,
            Some(MemoryFault::NotReady) => mneme_wire::Status::Busy,
            Some(MemoryFault::Failed) => mneme_wire::Status::MemoryError,
            Some(_) => mneme_wire::Status::Denied,
        };
        self.line(format_args!("page {pid:x} {page:x} {:x}", status.number()));
        self.pages.set(pid, page, fault);
    }

    /// A packet comes, and all is answered.
    fn arrive(&mut self, fields: &Fields, transport: &[u8]) {
        let Fields { qpn, source, opcode, pad, pkey, psn, va, rkey, length, .. } = *fields;
        let Fields { swap_add, compare, payload, seed, .. } = *fields;
        let (ack, malformed) = (u8::from(fields.ack_request), u8::from(fields.malformed));
        self.line(format_args!(
            "a {qpn:x} {source:x} {opcode:x} {ack:x} {pad:x} {pkey:x} {psn:x} {va:x} {rkey:x} {length:x} \
             {swap_add:x} {compare:x} {payload:x} {seed:x} {malformed:x}"
        ));
        self.whole(fields, transport);
        let arrival = Arrival { source: source.to_be_bytes(), congested: false, transport };
        self.responder.receive(0, &arrival, &mut self.pages);
        if let Some(taken) = self.responder.poll_received() {
            self.immediates += 1;
            self.responder.post_receive(taken.qpn, taken.id, taken.buffer).expect("there is room again");
        }
        let mut bytes = [0; PACKET_MAX];
        while let Some(sent) = self.responder.poll_transmit(0, &mut self.pages, &mut bytes) {
            let packet = Packet::parse(&bytes[..sent.length]).expect("the model sends packets");
            let aeth = packet.extensions.aeth.map(|Aeth { syndrome, msn }| (syndrome.number(), msn));
            let (syndrome, msn) = aeth.unwrap_or_default();
            let _ = writeln!(
                self.answers,
                "d {:x} {:x} {:x} {syndrome:x} {msn:x} {:x} {:x} {:x} {:x}",
                sent.qpn,
                packet.opcode.number(),
                packet.bth.psn.number(),
                packet.extensions.original.unwrap_or_default(),
                packet.payload.len(),
                digest(packet.payload),
                digest(&bytes[..sent.length]),
            );
        }
    }

    /// All of a packet, for benches that let frames come.
    fn whole(&mut self, fields: &Fields, transport: &[u8]) {
        let (head, rest) = transport.split_at(transport.len().min(HEAD));
        let (from, to) = fields.made;
        let told = (HEAD..).map(|i| if i < to { byte(fields.seed, i.wrapping_sub(from)) } else { 0 });
        assert!(rest.iter().copied().eq(told.take(rest.len())), "the line tells another packet");
        let hex: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
        self.line(format_args!("w {:x} {from:x} {to:x} {hex}", transport.len()));
    }

    fn go(&mut self) {
        self.line(format_args!("go"));
        let answers = std::mem::take(&mut self.answers);
        self.text.push_str(&answers);
    }

    fn end(&mut self, qpns: &[u32]) {
        for &qpn in qpns {
            let Some((expected, msn)) = self.responder.progress(qpn) else { continue };
            let error = u8::from(self.responder.in_error(qpn) == Some(true));
            self.line(format_args!("state {qpn:x} {:x} {msn:x} {error:x}", expected.number()));
        }
        for counter in Counter::ALL {
            let count = self.responder.counters().get(*counter);
            if count > 0 {
                let number = number(*counter).expect("programs have what the hardware counts").number();
                self.line(format_args!("count {number:x} {count:x}"));
            }
        }
        if self.immediates > 0 {
            // What boards count themselves: the responder hands immediates on.
            let (number, count) = (RoceCounter::Immediates.number(), self.immediates);
            self.line(format_args!("count {number:x} {count:x}"));
        }
        let written: Vec<_> =
            self.pages.written().map(|(pid, page, bytes)| (pid, page, digest(bytes))).collect();
        for (pid, page, digest) in written {
            self.line(format_args!("memory {pid:x} {page:x} {digest:x}"));
        }
    }
}

/// Programs of the seeds from `first` on.
pub fn vectors(first: u64, seeds: u64) -> String {
    (first..first + seeds).map(Program::run).collect()
}

/// Which paths a queue pair of a program may have.
fn path_mtu(number: u32) -> PathMtu {
    PathMtu::from_code(number as u8 % 5 + 1).unwrap_or_default()
}

/// The queue pairs of a program.
fn config(number: u32, pid: u32, psn: u32, seed: u64) -> QueuePairConfig {
    QueuePairConfig {
        pid,
        path_mtu: path_mtu(number + seed as u32),
        pkey: 0xffff - number as u16,
        hardened: number % 4 == 3,
        serves: Serves::Regions,
        ..QueuePairConfig::new(
            0x1000 | (number * 0x111 + 5),
            [10, 0, 0, 2 + number as u8],
            0x20_0000 + number,
            Psn::from_low_bits(psn),
        )
    }
}

/// Everything may be done.
const ALL: Access = Access::ALL;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hardware_counts_under_the_models_names() {
        let without: Vec<_> = Counter::ALL.iter().filter(|counter| number(**counter).is_none()).collect();
        assert_eq!(without, [&Counter::Malformed, &Counter::ReceiveLength, &Counter::NoReceive]);
    }
}
