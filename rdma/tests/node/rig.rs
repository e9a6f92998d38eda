//! A node, its queue pairs, and what goes in and comes out.
use mneme_rdma::codec::profile::{Arguments, Chain, PAGE, Profile};
use mneme_rdma::codec::{Aeth, Bth, Credits, Extensions, Nak, Opcode, Packet, PathMtu, Psn, Syndrome};
use mneme_rdma::memory::{Access, Memory, Region};
use mneme_rdma::node::{ChainConfig, FRAME, Leaf, NoMemory, Node, ReplyOptions, SegmentConfig};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX, QueuePairConfig};
use std::collections::BTreeMap;

pub const PEER: [u8; 4] = [10, 0, 0, 2];
pub const TT: u64 = 0x7777_0000;
pub const BASE: u64 = 0x10_0000;
pub const VA: u64 = 0x4000_0000;
pub const KEY: u64 = 0x5ec2_e700_1234_5678;
pub const NATIVE: u32 = 0x500;

/// A packet that the node has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub qpn: u32,
    pub opcode: Opcode,
    pub psn: Psn,
    pub extensions: Extensions,
    pub payload: Vec<u8>,
}

/// The queue pair of a client's function, on the segment of the client's number.
pub fn chain_config(client: u32, chain: Chain) -> ChainConfig {
    ChainConfig {
        qpn: qpn(client, chain),
        peer: PEER,
        peer_qpn: 0x900,
        expected_psn: Psn::default(),
        first_psn: Psn::default(),
        path_mtu: PathMtu::MAX,
        profile: Profile::default_of(chain),
        segment: client,
        tt_base: TT,
        key: Some(KEY),
        options: PLAIN,
        hardened: false,
        timeout: 1_000,
        rate: 0,
    }
}

pub struct Rig {
    pub node: Node<NoMemory>,
    pub now: u64,
    pub psn: BTreeMap<u32, Psn>,
    /// Where packets come from.
    pub source: [u8; 4],
}

/// The queue pair of a client's function.
pub fn qpn(client: u32, chain: Chain) -> u32 {
    0x100 * (client + 1) + chain as u32
}

impl Rig {
    /// A node with some frames, and `clients` with a segment of 8 pages each.
    pub fn new(frames: usize, clients: u32, budget: u32, options: ReplyOptions) -> Rig {
        let mut leaf = Leaf::new(BASE, frames);
        leaf.push_run(BASE, frames as u64).expect("they fit");
        let mut node = Node::new(Limits::default(), NoMemory, leaf);
        for client in 0..clients {
            let config = SegmentConfig { pid: client + 1, va: VA, entries: 8, budget, access: Access::ALL };
            let segment = node.memory.leaf.create(config).expect("a segment");
            assert_eq!(segment, client);
            for chain in Chain::ALL {
                let config = ChainConfig { options, ..chain_config(client, chain) };
                node.create_chain(config).expect("a chain");
            }
        }
        Rig { node, now: 0, psn: BTreeMap::new(), source: PEER }
    }

    /// A native queue pair of a process, with a region over its segment. Answers the key.
    pub fn native(&mut self, qpn: u32, pid: u32, mtu: u16) -> u32 {
        let path_mtu = PathMtu::new(mtu).expect("a path MTU");
        let config =
            QueuePairConfig { pid, path_mtu, ..QueuePairConfig::new(qpn, PEER, 0x900, Psn::default()) };
        self.node.create_native(config).expect("a queue pair");
        let region = Region { pid, va: VA, length: 8 * FRAME, access: Access::ALL };
        self.node.responder.regions.insert(qpn, region).expect("a region")
    }

    /// A chain queue pair anew, with another path MTU.
    pub fn renew(&mut self, client: u32, chain: Chain, mtu: u16) {
        self.node.destroy(qpn(client, chain)).expect("it exists");
        let path_mtu = PathMtu::new(mtu).expect("a path MTU");
        let config = ChainConfig { path_mtu, ..chain_config(client, chain) };
        self.node.create_chain(config).expect("a chain");
        self.psn.remove(&config.qpn);
    }

    pub fn deliver(&mut self, qpn: u32, psn: Psn, opcode: Opcode, extensions: Extensions, payload: &[u8]) {
        let bth = Bth { dest_qp: qpn, psn, ack_request: true, ..Bth::default() };
        let mut bytes = [0; PACKET_MAX];
        let length = Packet { bth, opcode, extensions, payload }.emit(&mut bytes).expect("a packet");
        self.node.receive(
            self.now,
            &Arrival { source: self.source, congested: false, transport: &bytes[..length] },
        );
    }

    /// The next request packet of a queue pair. A READ of up to a packet takes one number.
    pub fn request(&mut self, qpn: u32, opcode: Opcode, extensions: Extensions, payload: &[u8]) {
        let psn = self.psn.get(&qpn).copied().unwrap_or_default();
        self.deliver(qpn, psn, opcode, extensions, payload);
        self.psn.insert(qpn, psn.plus(1));
    }

    /// Sends a message in packets of 4,096 bytes.
    pub fn message(&mut self, qpn: u32, message: &[u8]) {
        let parts: Vec<&[u8]> = message.chunks(4096).collect();
        for (at, part) in parts.iter().enumerate() {
            let opcode = match (at == 0, at + 1 == parts.len()) {
                (true, true) => Opcode::SendOnly,
                (true, false) => Opcode::SendFirst,
                (false, false) => Opcode::SendMiddle,
                (false, true) => Opcode::SendLast,
            };
            self.request(qpn, opcode, Extensions::default(), part);
        }
    }

    pub fn ask(&mut self, client: u32, chain: Chain, page: u64, fill: u8) {
        self.ask_with(client, chain, &Arguments { tt_addr: TT + 8 * page, ..arguments(&[fill; PAGE]) });
    }
    pub fn ask_with(&mut self, client: u32, chain: Chain, arguments: &Arguments<'_>) {
        let profile = Profile::default_of(chain);
        let mut message = vec![0; profile.message_len()];
        profile.write(arguments, &mut message).expect("it fits");
        self.message(qpn(client, chain), &message);
    }

    /// The next packet that the node has to send now.
    pub fn one(&mut self) -> Option<Sent> {
        let mut bytes = [0; PACKET_MAX];
        let sent = self.node.poll_transmit(self.now, &mut bytes)?;
        let packet = Packet::parse(&bytes[..sent.length]).expect("a packet");
        Some(Sent {
            qpn: sent.qpn,
            opcode: packet.opcode,
            psn: packet.bth.psn,
            extensions: packet.extensions,
            payload: packet.payload.to_vec(),
        })
    }
    /// Everything that the node has to send now.
    pub fn sent(&mut self) -> Vec<Sent> {
        std::iter::from_fn(|| self.one()).collect()
    }

    /// What the node answers: syndromes, and the WRITEs, which are acknowledged.
    pub fn answers(&mut self) -> (Vec<Syndrome>, Vec<(u64, Vec<u8>)>) {
        let (mut syndromes, mut writes) = (Vec::new(), Vec::new());
        for sent in self.sent() {
            if let Some(aeth) = sent.extensions.aeth {
                syndromes.push(aeth.syndrome);
            }
            if let Some(reth) = sent.extensions.reth {
                assert_eq!(reth.rkey, 0x42);
                writes.push((reth.va, sent.payload));
                self.acknowledge(sent.qpn, sent.psn);
            }
        }
        (syndromes, writes)
    }
    pub fn acknowledge(&mut self, qpn: u32, psn: Psn) {
        self.respond(qpn, psn, ACK);
    }
    /// What a peer says of a reply's packet.
    pub fn respond(&mut self, qpn: u32, psn: Psn, syndrome: Syndrome) {
        let aeth = Some(Aeth { syndrome, msn: 1 });
        self.deliver(qpn, psn, Opcode::Acknowledge, Extensions { aeth, ..Extensions::default() }, &[]);
    }

    pub fn read(&mut self, pid: u32, page: u64) -> Vec<u8> {
        let mut bytes = vec![0xee; PAGE];
        self.node.memory.read(pid, VA + page * FRAME, &mut bytes).expect("it may be read");
        bytes
    }
    /// Frames in ring, tables, hands and waiting: each in one place.
    pub fn audit(&self) -> (usize, usize, usize, usize) {
        let audit = self.node.memory.leaf.audit().expect("every frame is in one place");
        (audit.ring, audit.mapped, audit.private, audit.waiting)
    }
}

pub fn arguments(page: &[u8]) -> Arguments<'_> {
    Arguments {
        tt_addr: TT,
        buffer: Some(0xb000),
        signal: Some(0xc000),
        magic: Some(MAGIC),
        rkey: Some(0x42),
        key: Some(KEY),
        page: Some(page),
    }
}

pub const MAGIC: [u8; 8] = *b"\x01magic!\xff";
pub const ACK: Syndrome = Syndrome::Ack(Credits::UNCOUNTED);
pub const INVALID: Syndrome = Syndrome::Nak(Nak::InvalidRequest);
pub const ACCESS: Syndrome = Syndrome::Nak(Nak::RemoteAccess);
pub const PLAIN: ReplyOptions = ReplyOptions { immediate: false, signal: false, tell_empty: false };

pub fn is_rnr(syndromes: &[Syndrome]) -> bool {
    matches!(syndromes, [Syndrome::Rnr(_)])
}
