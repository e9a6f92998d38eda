//! The peers of queue pairs: RC requesters that do what they are drawn to do, and packets that no requester sends.
use mneme_rdma::client::FreeRange;
use mneme_rdma::codec::frame::ROCE_PORT;
use mneme_rdma::codec::{Bth, Extensions, Opcode, Packet, PathMtu, Psn, RoceFrame};
use mneme_rdma::node::FREE_RANGE_LEN;
use mneme_rdma::requester::{Operation, Requester, RequesterConfig, Work};
use mneme_rdma::responder::{PACKET_MAX, QueuePairConfig, Serves};
use mneme_slowpath::{RoceFrees, RoceQueuePair};
use mneme_wire::chain::CHAIN_QPN_BIT;
use mneme_wire::frame::Endpoints;
use mneme_wire::roce::ROCE_QPN_FIRST;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::model::sealed;
use crate::Mismatch;
use crate::world::Addresses;

/// Where the pages of every process begin, and how many there are.
pub const BASE: u64 = 0x7f00_0000_0000;
pub const PAGES: u64 = 6;
/// Bytes of a page.
pub const PAGE: u64 = 1 << 20;
/// A region that begins and ends within pages: its first address, and its bytes.
pub const ODD: (u64, u64) = (BASE + PAGE - 1001, 2003);
/// Nanoseconds of virtual time without progress, after which a requester sends again.
const TIMEOUT: u64 = 300_000;
/// Operations of a peer that are under way.
const DEPTH: usize = 12;
/// Packets of a message, at most.
const PACKETS: u64 = 6;
/// Words for atomics of a process, so few that they meet.
const WORDS: u64 = 6;
/// Bytes of a page of 4 KB.
const FRAME: u64 = 4096;
/// Pages of a FREE, at most: few, so that pages near borders often have a frame.
const FREED: u64 = 8;

/// One queue pair's other end.
pub struct Peer {
    number: u8,
    pub config: QueuePairConfig,
    source_port: u16,
    pub requester: Requester<Vec<u8>>,
    /// The key of all its process's pages.
    key: u32,
    /// Pages of 4 KB that it may give up, if any.
    frees: Option<RoceFrees>,
    next: u64,
    /// Operations that have ended, and of them those that failed.
    pub ended: [u64; 2],
}

impl Peer {
    /// A peer of a queue pair that is still to be made; `life`: which one of it this is; `most`: the code of its longest path MTU.
    pub fn new(
        (number, life): (u8, u32),
        (pid, key): (u32, u32),
        frees: Option<RoceFrees>,
        most: u8,
        rng: &mut ChaCha8Rng,
    ) -> Peer {
        // Half of the first numbers are near the wrap.
        let psn = if rng.random() { rng.random() } else { 0xff_fff0 + rng.random_range(0..16u32) };
        let psn = Psn::from_low_bits(psn);
        // On boards with chains numbers of theirs have the highest bit.
        let qpn =
            (rng.random_range(ROCE_QPN_FIRST..CHAIN_QPN_BIT) & !0xff).max(ROCE_QPN_FIRST) | u32::from(number);
        let config = QueuePairConfig {
            pid,
            path_mtu: PathMtu::from_code(rng.random_range(1..=most)).unwrap_or_default(),
            pkey: if rng.random_bool(0.2) { 0x8000 | rng.random_range(1..100) } else { 0xffff },
            hardened: number % 4 == 3,
            serves: if frees.is_some() { Serves::RegionsAndPackets } else { Serves::Regions },
            ..QueuePairConfig::new(qpn, [10, 77, 2, number], life << 8 | u32::from(number), psn)
        };
        let requester = Requester::new(RequesterConfig {
            path_mtu: config.path_mtu,
            pkey: config.pkey,
            timeout: TIMEOUT,
            ..RequesterConfig::new(qpn, psn)
        });
        let source_port = rng.random_range(0xc000..=0xffff);
        Peer { number, config, source_port, requester, key, frees, next: 0, ended: [0; 2] }
    }
    fn mac(&self) -> [u8; 6] {
        [0x02, 0, 0x0a, 0x4d, 2, self.number]
    }
    /// What the port is told.
    pub fn pair(&self) -> RoceQueuePair {
        let QueuePairConfig {
            qpn, peer_qpn, peer, pid, expected_psn, path_mtu, pkey, hardened, rate, ..
        } = self.config;
        RoceQueuePair {
            qpn,
            peer_qpn,
            peer_ip: peer,
            peer_mac: self.mac(),
            source_port: self.source_port,
            pkey,
            pid,
            psn: expected_psn.number(),
            mtu_code: path_mtu.code().into(),
            hardened,
            rate,
            frees: self.frees,
        }
    }
    /// Addresses of what it sends.
    fn way(&self) -> Endpoints {
        let from = Endpoints {
            src_mac: self.mac(),
            src_ip: self.config.peer,
            src_port: self.source_port,
            ..Endpoints::default()
        };
        Endpoints { dst_port: ROCE_PORT, ..Addresses::FIRST.of(from) }
    }
    /// Addresses of what it is answered.
    pub fn back(&self) -> Endpoints {
        let way = self.way();
        Endpoints {
            src_mac: way.dst_mac,
            dst_mac: way.src_mac,
            src_ip: way.dst_ip,
            dst_ip: way.src_ip,
            ..way
        }
    }

    /// Draws operations, until as many are under way as may.
    pub fn post(&mut self, others: &[u32], rng: &mut ChaCha8Rng) {
        while self.requester.pending() < DEPTH && !self.requester.has_ended() {
            self.next += 1;
            let operation = self.draw(others, rng);
            let work = Work { fence: rng.random_bool(0.2), ..Work::new(self.next, operation) };
            if self.requester.post(work).is_err() {
                return;
            }
        }
    }
    /// A list of pages near borders, where others write; some are no list, or have pages that are not the queue pair's.
    fn draw_free(&self, frees: &RoceFrees, rng: &mut ChaCha8Rng) -> Operation<Vec<u8>> {
        let packet = self.config.path_mtu.bytes() / FREE_RANGE_LEN;
        let ranges = if rng.random_bool(0.2) { packet } else { rng.random_range(1..4) };
        let mut list: Vec<FreeRange> = Vec::new();
        for _ in 0..ranges {
            let border = BASE + PAGE * rng.random_range(0..=2 * PAGES) / 2;
            let va = border + FRAME * rng.random_range(0..2 * FREED) - FRAME * FREED;
            let pages = rng.random_range(1..=FREED);
            let va = va.clamp(frees.va, frees.va + FRAME * (frees.pages - pages));
            list.push(FreeRange { va, pages });
        }
        let at = rng.random_range(0..list.len());
        let mut cut = 0;
        match rng.random_range(0..80) {
            0 => list[at].va = frees.va - FRAME,
            1 => list[at].va ^= 1 << rng.random_range(0..64),
            2 => list[at].pages ^= 1 << rng.random_range(0..64),
            3 => list[at].pages = 0,
            4 => list[at].pages = frees.pages,
            5 => cut = rng.random_range(1..=16),
            6 => list.extend(vec![list[at]; packet]),
            _ => {}
        }
        let words = list.iter().flat_map(|range| [range.va, range.pages]);
        let mut data: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        data.truncate(data.len() - cut);
        Operation::Send { data, immediate: rng.random_bool(0.01).then_some(7) }
    }
    fn draw(&self, others: &[u32], rng: &mut ChaCha8Rng) -> Operation<Vec<u8>> {
        if let Some(frees) = self.frees
            && rng.random_bool(0.1)
        {
            return self.draw_free(&frees, rng);
        }
        let mtu = self.config.path_mtu.bytes() as u64;
        let length = match rng.random_range(0..9) {
            0 => 0,
            1 => rng.random_range(1..64),
            2 => mtu - rng.random_range(0..4),
            3 => mtu + rng.random_range(0..4),
            4 | 5 => rng.random_range(1..=PACKETS * mtu),
            6 => rng.random_range(1..=PACKETS) * mtu,
            _ => rng.random_range(1..=mtu),
        };
        // Near the border of two pages, or round it.
        let border = BASE + rng.random_range(1..PAGES) * PAGE;
        let va = match rng.random_range(0..4) {
            0 => border - rng.random_range(0..=length),
            1 => border - PAGE / 2 + rng.random_range(0..4096),
            2 => border - rng.random_range(0..1 << 15) - length,
            _ => border + rng.random_range(0..2048),
        };
        let rkey = if rng.random_bool(0.004) { others[rng.random_range(0..others.len())] } else { self.key };
        // Small operands, so that comparisons hold sometimes.
        let (one, two) = (rng.random_range(0..3), rng.random_range(0..3));
        let word = BASE + 8 * rng.random_range(0..WORDS);
        match rng.random_range(0..20) {
            0..9 => {
                let mut data = vec![0; length as usize];
                rng.fill(&mut data[..]);
                Operation::Write { data, va, rkey, immediate: rng.random_bool(0.1).then_some(one as u32) }
            }
            9..15 => Operation::Read { into: vec![0; length as usize], va, rkey },
            15..18 => Operation::FetchAdd { va: word, rkey, add: one },
            _ => Operation::CompareSwap { va: word, rkey, compare: one, swap: two },
        }
    }

    /// Its next packet.
    pub fn transmit(&mut self, now: u64) -> Option<Vec<u8>> {
        let mut packet = [0; PACKET_MAX];
        let length = self.requester.poll_transmit(now, &mut packet)?;
        Some(packet[..length].to_vec())
    }
    /// A packet of its own as a frame.
    pub fn frame(&self, packet: &[u8]) -> Result<Vec<u8>, Mismatch> {
        sealed(&self.way(), packet)
    }
    /// Takes a frame, if nothing happened to it.
    pub fn receive(&mut self, now: u64, frame: &[u8]) {
        if let Ok(frame) = RoceFrame::parse(frame) {
            self.requester.receive(now, frame.transport);
        }
        self.take_completions();
    }
    /// Takes what has ended, and counts it.
    pub fn take_completions(&mut self) {
        while let Some(done) = self.requester.poll_completion() {
            self.ended[0] += 1;
            self.ended[1] += u64::from(done.result.is_err());
        }
    }

    /// What an RNIC says of answers that have met congestion.
    fn notification(&self) -> Result<Vec<u8>, Mismatch> {
        let bth = Bth { dest_qp: self.config.qpn, pkey: self.config.pkey, becn: true, ..Bth::default() };
        let packet =
            Packet { bth, opcode: Opcode::Congestion, extensions: Extensions::default(), payload: &[] };
        let mut bytes = [0; PACKET_MAX];
        let length = packet.emit(&mut bytes).map_err(|error| Mismatch::new(error.to_string()))?;
        Ok(bytes[..length].to_vec())
    }

    /// Something that no requester sends, made of a packet of this one: with a right ICRC.
    pub fn nonsense(
        &self,
        packet: &[u8],
        (keys, queue_pairs): (&[u32], &[u32]),
        rng: &mut ChaCha8Rng,
    ) -> Result<Vec<u8>, Mismatch> {
        let mut packet = packet.to_vec();
        let mut way = self.way();
        let headers = packet.len() >= Bth::LEN + 16;
        match rng.random_range(0..14) {
            // Another region, or none; another address, near or far; another length.
            0 if headers => {
                packet[20..24].copy_from_slice(&keys[rng.random_range(0..keys.len())].to_be_bytes());
                // Round the ends of the small one.
                let va = ODD.0 - 500 + rng.random_range(0..ODD.1 + 1000);
                if rng.random() {
                    packet[12..20].copy_from_slice(&va.to_be_bytes());
                }
            }
            1 if headers => packet[20 + rng.random_range(0..4)] ^= 1 << rng.random_range(0..8),
            2 if headers => packet[rng.random_range(12..20)] ^= 1 << rng.random_range(0..8),
            3 if headers => packet[24 + rng.random_range(0..4)] ^= 1 << rng.random_range(0..8),
            // Another place in the message, another operation, what nobody knows, what is an answer.
            4 => packet[0] = rng.random_range(0..0x20),
            5 => packet[0] = [0x81, 0x64, 0x11, 0x0d, 0x12, 0xff, 0x0c, 0x13][rng.random_range(0..8)],
            // Pad and version.
            6 => packet[1] ^= 0x10 << rng.random_range(0..2),
            7 if rng.random_bool(0.2) => packet[1] ^= 1 << rng.random_range(0..4),
            // Cut.
            7 | 8 => {
                let words = rng.random_range(0..=packet.len().min(80) / 4);
                packet.truncate((packet.len() - 4 * words).max(Bth::LEN));
            }
            // Another number.
            9 | 10 => {
                let psn = u32::from_be_bytes([0, packet[9], packet[10], packet[11]]);
                let by = match rng.random_range(0..4) {
                    0 => Psn::HALF - 1 + rng.random_range(0..3u32),
                    1 => rng.random_range(0..1 << 24),
                    _ => rng.random_range(0..40u32).wrapping_sub(20),
                };
                packet[9..12].copy_from_slice(&psn.wrapping_add(by).to_be_bytes()[1..]);
            }
            // Congestion was met on the way of answers.
            11 => packet = self.notification()?,
            // Another partition, another queue pair, another sender.
            12 => {
                packet[2 + rng.random_range(0..2)] ^= 1 << rng.random_range(0..8);
            }
            _ if rng.random() => {
                let to = match rng.random() {
                    true => queue_pairs[rng.random_range(0..queue_pairs.len())],
                    false => rng.random_range(ROCE_QPN_FIRST..Psn::COUNT),
                };
                packet[5..8].copy_from_slice(&to.to_be_bytes()[1..]);
            }
            _ => way.src_ip[rng.random_range(0..4)] ^= 1 << rng.random_range(0..8),
        }
        sealed(&way, &packet)
    }
}
