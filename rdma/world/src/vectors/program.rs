//! What clients, right and wrong ones, send to the responder.
//!
//! A client always knows what is expected of it, loses packets, sends some again, and now and then sends nonsense. Packets of one group come back to
//! back, so the hardware may answer some of them together; what they ask for then does not depend on when it is done: WRITEs of a group and its READs have
//! different pages, and a READ or an atomic that is sent again is a group of its own. Where memory fails under packets that come back to back they are all
//! WRITEs, so that each finds memory and queue pair as the model has them.
use mneme_rdma::codec::{
    AtomicEth, Bth, Extensions, Opcode, Operation, Packet, PacketError, Position, Psn, Reth, Transport,
};
use mneme_rdma::memory::{Access, MemoryFault, Region};
use mneme_rdma::responder::{PACKET_MAX, QueuePairConfig};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{ALL, Fields, Model, PAGE_BITS, byte, config};

const QUEUE_PAIRS: u32 = 4;
const PAGE: u64 = 1 << PAGE_BITS;
/// Where the pages of every process begin.
const BASE: u64 = 0x7f00_0000_0000;
const PAGES: u64 = 16;
/// Groups of a program.
const GROUPS: u32 = 40;

struct Peer {
    config: QueuePairConfig,
    key: u32,
    /// The WRITE that runs: its next byte, and the bytes that are left.
    running: Option<(u64, u32)>,
    sent: Vec<(Fields, Vec<u8>)>,
}

/// One program.
pub struct Program {
    rng: ChaCha8Rng,
    model: Model,
    peers: Vec<Peer>,
    keys: Vec<u32>,
    /// Groups are of one packet, and memory fails.
    careful: bool,
    /// Packets come back to back, memory fails, and all are WRITEs.
    fails: bool,
    /// Which half of a peer's pages is written in this group.
    half: u64,
}

/// What a packet asks for.
struct Asked {
    opcode: Opcode,
    va: u64,
    length: u32,
    payload: usize,
}

impl Program {
    pub fn run(seed: u64) -> String {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut model = Model::new(seed);
        let pids = [7, 0xf0_0001];
        let all = |pid| Region { pid, va: BASE, length: PAGES * PAGE, access: ALL };
        let keys: Vec<u32> = pids.iter().map(|&pid| model.region(rng.random(), all(pid))).collect();
        let mut others = vec![
            model.region(rng.random(), Region { access: Access::READ, ..all(7) }),
            model.region(rng.random(), Region { access: Access::WRITE, ..all(7) }),
        ];
        let odd = Region { va: BASE + PAGE - 1001, length: 2003, ..all(7) };
        others.push(model.region(rng.random(), odd));
        others.extend(&keys);
        let mut peers = Vec::new();
        for number in 0..QUEUE_PAIRS {
            let pid = number as usize / 2 % 2;
            // Some numbers are about to wrap.
            let psn = if rng.random() { 0xff_fff0 + number } else { rng.random() };
            let config = config(number, pids[pid], psn, seed);
            model.queue_pair(config);
            peers.push(Peer { config, key: keys[pid], running: None, sent: Vec::new() });
        }
        let careful = seed % 2 == 1;
        let fails = seed.is_multiple_of(4);
        let mut program = Program { rng, model, peers, keys: others, careful, fails, half: 0 };
        for _ in 0..GROUPS {
            program.group();
        }
        let qpns: Vec<u32> = program.peers.iter().map(|peer| peer.config.qpn).collect();
        program.model.end(&qpns);
        program.model.text
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn group(&mut self) {
        self.half = self.rng.random_range(0..2);
        if (self.careful && self.chance(15)) || (self.fails && self.chance(60)) {
            self.disturb();
        }
        let alone = self.careful || (!self.fails && self.chance(30));
        let packets = if alone { 1 } else { self.rng.random_range(2..=10) };
        for _ in 0..packets {
            let peer = self.rng.random_range(0..self.peers.len());
            match self.rng.random_range(0..100) {
                0..12 if alone => self.nonsense(peer),
                12..24 => self.again(peer, alone),
                24..32 => self.ahead(peer),
                32..36 => self.stranger(peer, alone),
                _ => self.next(peer),
            }
        }
        self.model.go();
    }

    /// A page changes, or a region goes.
    fn disturb(&mut self) {
        let peer = self.rng.random_range(0..self.peers.len());
        let page = BASE / PAGE + 2 * peer as u64 + self.rng.random_range(0..3);
        let fault = match self.rng.random_range(0..8) {
            0..3 => Some(MemoryFault::NotReady),
            // For good: where many packets come, a queue pair would not last, but for the one that stays when it is refused.
            3 | 4 if self.fails && !self.peers[peer].config.hardened && !self.chance(20) => None,
            3 => Some(MemoryFault::Denied),
            4 => Some(MemoryFault::Failed),
            _ => None,
        };
        let pid = self.peers[peer].config.pid;
        self.model.page(pid, page, fault);
        if self.chance(10) && self.keys.len() > 3 {
            let key = self.keys.swap_remove(0);
            self.model.remove(key);
        }
    }

    /// A length round the path MTU, and sometimes of several packets.
    fn length(&mut self, mtu: u32) -> u32 {
        match self.rng.random_range(0..8) {
            0 => 0,
            1 => self.rng.random_range(1..64),
            2 => mtu - 1,
            3 => mtu,
            4 => mtu + 1,
            5 => self.rng.random_range(1..=mtu),
            6 => 2 * mtu + self.rng.random_range(0..5),
            _ => self.rng.random_range(1..=3 * mtu),
        }
    }

    /// An address near a page border of the peer's, of the half that is written or of the other one.
    fn address(&mut self, peer: usize, half: u64, length: u32) -> u64 {
        let border = BASE + (2 * peer as u64 + half + 1) * PAGE;
        match self.rng.random_range(0..3) {
            0 => border - u64::from(self.rng.random_range(0..=length)),
            1 => border - 20_480 + self.rng.random_range(0..2048),
            _ => border + self.rng.random_range(0..2048),
        }
    }

    /// What a client would send next.
    fn asked(&mut self, peer: usize) -> Asked {
        let mtu = self.peers[peer].config.path_mtu.bytes() as u32;
        if let Some((va, left)) = self.peers[peer].running {
            // Linux 6.1's rdma_rxe begins the rest anew.
            let begins = self.rng.random_range(0..10) == 0;
            let payload = left.min(mtu);
            let opcode =
                Opcode::write(Position::of(begins, payload == left), self.rng.random_range(0..8) == 0);
            return Asked { opcode, va, length: left, payload: payload as usize };
        }
        let length = self.length(mtu);
        match self.rng.random_range(0..if self.fails { 5 } else { 10 }) {
            0..5 => {
                let va = self.address(peer, self.half, length);
                let payload = length.min(mtu);
                let opcode =
                    Opcode::write(Position::of(true, payload == length), self.rng.random_range(0..8) == 0);
                Asked { opcode, va, length, payload: payload as usize }
            }
            5..8 => {
                let va = self.address(peer, 1 - self.half, length);
                Asked { opcode: Opcode::ReadRequest, va, length, payload: 0 }
            }
            _ => {
                let word = self.rng.random_range(0..2);
                // The words of a peer: on a page of its own, away from the borders.
                let va = BASE + (9 + peer as u64) * PAGE + 0x2_0000 + 8 * word;
                let opcode = if self.rng.random() { Opcode::CompareSwap } else { Opcode::FetchAdd };
                Asked { opcode, va, length: 8, payload: 0 }
            }
        }
    }

    fn bytes(&mut self, peer: usize, psn: Psn, asked: &Asked) -> (Fields, Vec<u8>) {
        let (config, key) = (self.peers[peer].config, self.peers[peer].key);
        let ack_request = asked.opcode.position().ends() && !self.chance(30) || self.chance(20);
        let bth = Bth { dest_qp: config.qpn, pkey: config.pkey, psn, ack_request, ..Bth::default() };
        let reth = Reth { va: asked.va, rkey: key, length: asked.length };
        // Small operands, so that comparisons hold sometimes.
        let (swap_or_add, compare) = (self.rng.random_range(0..3), self.rng.random_range(0..3));
        let atomic = AtomicEth { va: asked.va, rkey: key, swap_or_add, compare };
        let extensions = Extensions {
            reth: Some(reth),
            atomic: Some(atomic),
            immediate: Some(1),
            ..Extensions::default()
        };
        let seed = self.rng.random();
        let payload: Vec<u8> = (0..asked.payload).map(|i| byte(seed, i)).collect();
        let packet = Packet { bth, opcode: asked.opcode, extensions, payload: &payload };
        let mut bytes = [0; PACKET_MAX];
        let length = packet.emit(&mut bytes).expect("the buffer holds any packet");
        let source = u32::from_be_bytes(config.peer);
        let from = Bth::LEN + asked.opcode.extension_len();
        let made = (from, from + asked.payload);
        (Fields { source, seed, made, ..Fields::default() }, bytes[..length].to_vec())
    }

    /// Sends a packet; its fields but source and seed are what its bytes say.
    fn send(&mut self, peer: usize, fields: Fields, bytes: &[u8]) {
        let Ok(transport) = Transport::parse(bytes) else { return };
        let bth = transport.bth;
        let mut fields = Fields {
            qpn: bth.dest_qp,
            opcode: bth.opcode,
            ack_request: bth.ack_request,
            pad: bth.pad,
            pkey: bth.pkey,
            psn: bth.psn.number(),
            ..fields
        };
        match transport.open() {
            Ok(packet) => {
                if let Some(Reth { va, rkey, length }) = packet.extensions.reth {
                    (fields.va, fields.rkey, fields.length) = (va, rkey, length);
                }
                if let Some(AtomicEth { va, rkey, swap_or_add, compare }) = packet.extensions.atomic {
                    (fields.va, fields.rkey, fields.swap_add, fields.compare) =
                        (va, rkey, swap_or_add, compare);
                }
                fields.payload = packet.payload.len();
            }
            Err(error) => fields.malformed = !matches!(error, PacketError::Opcode(_)),
        }
        self.model.arrive(&fields, bytes);
        let sent = &mut self.peers[peer].sent;
        sent.push((fields, bytes.to_vec()));
        if sent.len() > 40 {
            sent.remove(0);
        }
    }

    fn expected(&self, peer: usize) -> Psn {
        let qpn = self.peers[peer].config.qpn;
        self.model.responder.progress(qpn).map_or(Psn::default(), |(psn, _)| psn)
    }

    /// The next packet; what runs goes on when it was taken.
    fn next(&mut self, peer: usize) {
        let psn = self.expected(peer);
        let asked = self.asked(peer);
        let (fields, bytes) = self.bytes(peer, psn, &asked);
        self.send(peer, fields, &bytes);
        if self.expected(peer) != psn && asked.opcode.operation() == Operation::Write {
            let left = asked.length - asked.payload as u32;
            let runs = !asked.opcode.position().ends();
            self.peers[peer].running = runs.then_some((asked.va + asked.payload as u64, left));
        }
    }

    /// A packet behind one that is lost.
    fn ahead(&mut self, peer: usize) {
        let psn = self.expected(peer).plus(self.rng.random_range(1..6));
        let asked = self.asked(peer);
        let (fields, bytes) = self.bytes(peer, psn, &asked);
        self.send(peer, fields, &bytes);
    }

    /// A packet that has been sent before.
    fn again(&mut self, peer: usize, alone: bool) {
        let expected = self.expected(peer);
        let sent = &self.peers[peer].sent;
        if sent.is_empty() {
            return self.next(peer);
        }
        let (fields, bytes) = sent[self.rng.random_range(0..sent.len())].clone();
        let behind = Psn::from_low_bits(fields.psn).is_before(expected);
        let writes = (fields.opcode..=fields.opcode).all(|opcode| opcode <= 0x0b);
        if !behind || !writes && !alone {
            return self.next(peer);
        }
        let mut bytes = bytes;
        // The rest of a READ, from one of its later packets on.
        let mtu = self.peers[peer].config.path_mtu.bytes() as u32;
        if fields.opcode == 0x0c && fields.length > mtu && self.rng.random() {
            let skipped = self.rng.random_range(1..fields.length.div_ceil(mtu));
            let psn = Psn::from_low_bits(fields.psn).plus(skipped);
            bytes[9..12].copy_from_slice(&psn.number().to_be_bytes()[1..]);
            let off = self.rng.random_range(0..6) == 0;
            let va = fields.va + u64::from(skipped * mtu) + u64::from(off);
            bytes[12..20].copy_from_slice(&va.to_be_bytes());
            bytes[24..28].copy_from_slice(&(fields.length - skipped * mtu).to_be_bytes());
        }
        let Fields { source, seed, made, .. } = fields;
        self.send(peer, Fields { source, seed, made, ..Fields::default() }, &bytes);
    }

    /// A packet of somebody else, or to nobody.
    fn stranger(&mut self, peer: usize, alone: bool) {
        let psn = self.expected(peer);
        let asked = self.asked(peer);
        let (mut fields, mut bytes) = self.bytes(peer, psn, &asked);
        match self.rng.random_range(0..5) {
            0 => fields.source ^= 1 << self.rng.random_range(0..32),
            1 => bytes[5] ^= 0x10,
            2 => bytes[2] ^= 0x40,
            3 => bytes[0] = [0x81, 0x64, 0x11, 0x0d, 0x12, 0xff][self.rng.random_range(0..6)],
            _ if alone => bytes[0] = [0x04, 0x15, 0x17, 0x1f][self.rng.random_range(0..4)],
            _ => bytes[7] ^= 2,
        }
        self.send(peer, fields, &bytes);
    }

    /// The next packet with something wrong in it.
    fn nonsense(&mut self, peer: usize) {
        let psn = self.expected(peer);
        let asked = self.asked(peer);
        let (fields, mut bytes) = self.bytes(peer, psn, &asked);
        let key = self.keys[self.rng.random_range(0..self.keys.len())];
        let headers = asked.opcode.extension_len();
        let kind = self.rng.random_range(0..10);
        match kind {
            // Another region, or none.
            0 | 1 if headers >= 16 => bytes[20..24].copy_from_slice(&key.to_be_bytes()),
            2 if headers >= 16 => bytes[20 + self.rng.random_range(0..4)] ^= 1 << self.rng.random_range(0..8),
            // Another address: near, far, past all.
            3 | 4 if headers >= 16 => {
                bytes[self.rng.random_range(12..20)] ^= 1 << self.rng.random_range(0..8)
            }
            // Another length.
            5 | 6 if headers == 16 || headers == 20 => {
                bytes[24 + self.rng.random_range(0..4)] ^= 1 << self.rng.random_range(0..8);
            }
            // Another place in the message, or none.
            7 => bytes[0] = self.rng.random_range(0..0x0c),
            // Pad, cut.
            8 => bytes[1] ^= 0x30,
            _ => {
                let words = self.rng.random_range(0..=bytes.len().min(80) / 4);
                bytes.truncate((bytes.len() - 4 * words).max(12));
            }
        }
        self.send(peer, fields, &bytes);
        // What ran may have gone on: the client begins anew, and hears of it.
        if self.expected(peer) != psn {
            self.peers[peer].running = None;
        }
    }
}
