//! Chain queue pairs beside the native ones: ODRP's functions on the same split pages.
//!
//! An example. A store of 4,160 bytes at path MTU 1,024 comes in five packets, back to back with packets of native queue pairs and other
//! chains' messages. The model has done it with the last one, and says what is answered: acknowledges, and a WRITE of eight bytes. Every
//! packet of replies that leaves the board is compared with the model's, byte by byte and in order; of acknowledges a later one may stand
//! for those before it.
//!
//! The model judges a store when all of its page has come, the board at the packet that has the arguments. So of a message that is going to
//! be refused the board gets its first packet alone, and its answer is the model's to the last one, with the first one's number.
//!
//! | part | what it has |
//! |---|---|
//! | `message` | profiles, messages, and what will become of one |
//! | `step` | messages, whole and amid others |
//! | `strange` | packets that nobody should have sent |
//! | `replies` | what peers answer to replies |
//! | `silence` | peers that answer nothing |
//! | `end` | queue pairs, counters, frames |
//! | `wrong` | test-only: what the model is told wrongly |
mod end;
mod message;
mod replies;
mod silence;
mod step;
mod strange;
mod wrong;

use std::collections::VecDeque;

use mneme_rdma::codec::frame::ROCE_PORT;
use mneme_rdma::codec::profile::{Chain, Field, Profile};
use mneme_rdma::codec::{AtomicEth, Bth, Extensions, Opcode, Packet, PathMtu, Psn, Reth};
use mneme_rdma::node::{ChainConfig, ReplyOptions};
use mneme_rdma::responder::PACKET_MAX;
use mneme_rdma_world::draw_profile;
use mneme_rtl::RtlFast;
use mneme_slowpath::{ChainPort, ChainQueuePair, ChainRefused, ChainRow, FastPath};
use mneme_wire::Register;
use mneme_wire::chain::{CHAIN_HARDENED, CHAIN_IMMEDIATE, CHAIN_QPN_BIT, CHAIN_SIGNAL, CHAIN_TELL_EMPTY};
use mneme_wire::frame::Endpoints;
use mneme_wire::register::BUILD_CHAINS;
use rand::Rng;

use super::answers::Answer;
use super::board::Board;
use super::model::sealed;
use super::run::{PIDS, Run};
use crate::Mismatch;
use crate::world::Addresses;
use message::Message;
pub use wrong::Wrong;

/// Peers: the four functions on each segment.
pub(super) const PEERS: usize = 4 * PIDS.len();
/// Their numbers among all peers begin here.
const FIRST: u8 = 0x80;
/// Replies are sent again after 2^15 × 10 µs without an answer: later than any run lasts. Silence has a step of its own.
const TIMEOUT: u32 = 15;

/// What chains have seen in a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChainReport {
    /// Messages done, by function: load, mapped store, unmapped store, invalidate.
    pub messages: [u64; 4],
    /// Messages refused, and told to come again.
    pub refused: [u64; 2],
    /// Of those refused: for want of a right of the segment.
    pub rights: u64,
    /// Stores told "not stored": of an empty ring, of a spent budget.
    pub told_empty: [u64; 2],
    /// Packets that nobody should have sent.
    pub strange: u64,
    /// Packets of replies, and those that had been sent before.
    pub replies: [u64; 2],
    /// Answers to replies.
    pub answers: u64,
    /// Of them: a packet is missing.
    pub gaps: u64,
    /// The peer is not ready.
    pub not_ready: u64,
    /// About what is answered, or was never sent.
    pub stale: u64,
    /// Syndromes that mean nothing.
    pub unknown: u64,
    /// Replies that nobody answered were sent again so often.
    pub silences: u64,
    /// Queue pairs that ended of it.
    pub failed: u64,
    /// Stores that ended amid their page, with a frame of theirs.
    pub abandoned: u64,
    /// Queue pairs made anew.
    pub anew: u64,
}

impl ChainReport {
    /// What another run has seen, too.
    pub fn add(&mut self, other: &ChainReport) {
        self.messages = [0, 1, 2, 3].map(|own| self.messages[own] + other.messages[own]);
        self.refused = [0, 1].map(|own| self.refused[own] + other.refused[own]);
        self.replies = [0, 1].map(|own| self.replies[own] + other.replies[own]);
        self.told_empty = [0, 1].map(|own| self.told_empty[own] + other.told_empty[own]);
        self.rights += other.rights;
        self.strange += other.strange;
        self.answers += other.answers;
        self.gaps += other.gaps;
        self.not_ready += other.not_ready;
        self.stale += other.stale;
        self.unknown += other.unknown;
        self.silences += other.silences;
        self.failed += other.failed;
        self.abandoned += other.abandoned;
        self.anew += other.anew;
    }
}

/// One function of one client.
pub(super) struct ChainPeer {
    number: u8,
    pub config: ChainConfig,
    pid: u32,
    source_port: u16,
    /// The number of its next packet, as the board sees it.
    client: Psn,
    /// Packets of each reply that is not acknowledged.
    posted: VecDeque<u32>,
    /// The first packet of replies that is not acknowledged, and the one behind the last that has left.
    answered: Psn,
    sent: Psn,
    /// A message that is to come again.
    again: Option<Message>,
    in_error: bool,
    /// It was told of a missing packet, and nothing has been answered since.
    went_back: bool,
}

/// A packet of a client.
#[derive(Debug, Clone, Copy)]
struct Coming {
    qpn: u32,
    source: [u8; 4],
    opcode: u8,
    asks: bool,
    pkey: u16,
    psn: Psn,
    /// Bytes of the message.
    from: usize,
    bytes: usize,
    /// Its pad is longer than its payload.
    malformed: bool,
}

impl Coming {
    /// The packet, up to the ICRC.
    fn packet(&self, message: &[u8]) -> Result<Vec<u8>, Mismatch> {
        let Coming { opcode, pkey, psn, .. } = *self;
        let known = Opcode::from_number(opcode).filter(|known| known.is_request());
        let bth = Bth { dest_qp: self.qpn, ack_request: self.asks, pkey, psn, ..Bth::default() };
        let extensions = Extensions {
            reth: Some(Reth { va: 0x4000_0000, rkey: 1, length: 8 }),
            atomic: Some(AtomicEth { va: 0x4000_0000, rkey: 1, swap_or_add: 1, compare: 0 }),
            immediate: Some(7),
            invalidate: Some(7),
            ..Extensions::default()
        };
        let payload = if self.malformed { &[] } else { &message[self.from..][..self.bytes] };
        let packet = Packet { bth, opcode: known.unwrap_or(Opcode::SendOnly), extensions, payload };
        let mut bytes = vec![0; PACKET_MAX];
        let length = packet.emit(&mut bytes).map_err(|error| Mismatch::new(error.to_string()))?;
        bytes.truncate(length);
        bytes[0] = opcode;
        bytes[1] |= if self.malformed { 0x30 } else { 0 };
        Ok(bytes)
    }
}

impl ChainPeer {
    fn chain(&self) -> Chain {
        self.config.profile.chain()
    }
    fn mac(&self) -> [u8; 6] {
        [0x02, 0, 0x0a, 0x4d, 2, self.number]
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
    fn back(&self) -> Endpoints {
        let way = self.way();
        Endpoints {
            src_mac: way.dst_mac,
            dst_mac: way.src_mac,
            src_ip: way.dst_ip,
            dst_ip: way.src_ip,
            ..way
        }
    }
    /// Whether loads and invalidates write the magic.
    fn signals(&self) -> bool {
        let has = |field| self.config.profile.pairs().iter().any(|pair| pair.1 == field);
        self.config.options.signal && [Field::Signal, Field::Magic, Field::Rkey].into_iter().all(has)
    }
    /// What the port is told.
    fn pair(&self, segment: u32, timeout: u32) -> ChainQueuePair {
        let ChainConfig { qpn, peer_qpn, peer, expected_psn, first_psn, path_mtu, profile, .. } = self.config;
        let ReplyOptions { immediate, tell_empty, .. } = self.config.options;
        let flag = |is: bool, flag: u32| if is { flag } else { 0 };
        ChainQueuePair {
            qpn,
            peer_qpn,
            peer_ip: peer,
            peer_mac: self.mac(),
            source_port: self.source_port,
            pid: self.pid,
            psn: expected_psn.number(),
            reply_psn: first_psn.number(),
            mtu_code: path_mtu.code().into(),
            function: self.chain() as u32,
            flags: flag(self.config.hardened, CHAIN_HARDENED)
                | flag(immediate, CHAIN_IMMEDIATE)
                | flag(self.signals(), CHAIN_SIGNAL)
                | flag(tell_empty, CHAIN_TELL_EMPTY),
            timeout,
            rate: self.config.rate,
            length: profile.message_len() as u32,
            segment,
            key: self.config.key,
            base: self.config.tt_base,
            rows: chain_rows(&profile),
        }
    }
}

/// A profile's arguments, as the port is told of them.
pub fn chain_rows(profile: &Profile) -> Vec<ChainRow> {
    let ends = profile.pairs().iter().scan(0, |end, &(bytes, field)| {
        *end += u32::from(bytes);
        Some(ChainRow { field: field as u32, end: *end - 1 })
    });
    let none = [Field::Skip, Field::Page].map(|field| field as u32);
    ends.filter(|row| !none.contains(&row.field)).collect()
}

impl Board<'_> {
    /// Whether it has chains.
    pub(super) fn has_chains(&mut self) -> bool {
        self.fast.read_register(Register::BuildFlags) & BUILD_CHAINS != 0
    }
    /// Tells the port something about chains.
    ///
    /// # Errors
    /// The port refuses it, or the board has none.
    pub fn chains<T>(
        &mut self,
        tell: impl FnOnce(&mut ChainPort<'_, RtlFast>) -> Result<T, ChainRefused>,
    ) -> Result<T, Mismatch> {
        let mut port = ChainPort::of(self.fast).ok_or_else(|| Mismatch::new("no chains".into()))?;
        tell(&mut port).map_err(|error| Mismatch::new(error.to_string()))
    }
}

impl Run<'_> {
    /// All chains are there from the beginning on.
    pub(super) fn make_chains(&mut self) -> Result<(), Mismatch> {
        for number in 0..PEERS {
            let peer = self.chain_peer(number, 1 << 60)?;
            self.create_chain(&peer, TIMEOUT)?;
            self.chains.push(peer);
        }
        Ok(())
    }
    fn chain_peer(&mut self, number: usize, timeout: u64) -> Result<ChainPeer, Mismatch> {
        self.chain_lives += 1;
        let pid = PIDS[number / 4 % PIDS.len()];
        let segment = self.model.memory.segments.get(&pid);
        let segment = *segment.ok_or_else(|| Mismatch::new(format!("process {pid:#x} has no segment")))?;
        let rng = &mut self.rng;
        let path_mtu = PathMtu::from_code(rng.random_range(1..=5)).unwrap_or_default();
        let chain = Chain::ALL[number % 4];
        let profile = draw_profile(rng, chain, path_mtu)
            .ok_or_else(|| Mismatch::new(format!("no profile of {chain:?} suits {path_mtu:?}")))?;
        // Half of the first numbers are near the wrap.
        let mut psn = || {
            let near = 0xff_ffc0 + rng.random_range(0..0x40u32);
            Psn::from_low_bits(if rng.random() { rng.random() } else { near })
        };
        let (expected_psn, first_psn) = (psn(), psn());
        let key = rng.random();
        let own = FIRST | number as u8;
        let config = ChainConfig {
            qpn: CHAIN_QPN_BIT | rng.random_range(0..0x8000) << 8 | number as u32,
            peer: [10, 77, 2, own],
            peer_qpn: self.chain_lives << 8 | u32::from(own),
            expected_psn,
            first_psn,
            path_mtu,
            profile,
            segment,
            tt_base: rng.random::<u64>() & 0x7fff_ffff_ffff_fff8,
            key: Some(key).filter(|_| profile.has_key()),
            options: ReplyOptions {
                immediate: rng.random(),
                signal: rng.random(),
                tell_empty: rng.random_bool(0.4),
            },
            hardened: rng.random_bool(0.3),
            timeout,
            rate: 0,
        };
        Ok(ChainPeer {
            number: own,
            config,
            pid,
            source_port: rng.random_range(0xc000..=0xffff),
            client: expected_psn,
            posted: VecDeque::new(),
            answered: first_psn,
            sent: first_psn,
            again: None,
            in_error: false,
            went_back: false,
        })
    }
    fn create_chain(&mut self, peer: &ChainPeer, timeout: u32) -> Result<(), Mismatch> {
        self.model.create_chain(peer.config, peer.back())?;
        let segment = PIDS.iter().position(|pid| *pid == peer.pid).unwrap_or_default() as u32;
        self.board.chains(|port| port.create(&peer.pair(segment, timeout)))
    }
    fn destroy_chain(&mut self, at: usize) -> Result<(), Mismatch> {
        self.flush()?;
        self.come_to_rest()?;
        self.end_chain(at)
    }
    /// It ends, amid whatever it does.
    fn end_chain(&mut self, at: usize) -> Result<(), Mismatch> {
        self.check_chain(at)?;
        let qpn = self.chains[at].config.qpn;
        self.board.chains(|port| port.destroy(qpn))?;
        self.model.destroy_chain(qpn)
    }
    /// A queue pair ends, and another one has its place.
    fn renew_chain(&mut self, at: usize) -> Result<(), Mismatch> {
        self.destroy_chain(at)?;
        self.put_chain(at)
    }
    fn put_chain(&mut self, at: usize) -> Result<(), Mismatch> {
        let peer = self.chain_peer(at, 1 << 60)?;
        self.create_chain(&peer, TIMEOUT)?;
        self.chains[at] = peer;
        self.report.chains.anew += 1;
        Ok(())
    }
    /// A process's segment ends, and so do its chains, before `work` and after it others are there.
    pub(super) fn without_chains(
        &mut self,
        pid: u32,
        work: impl FnOnce(&mut Self) -> Result<(), Mismatch>,
    ) -> Result<(), Mismatch> {
        let own: Vec<usize> = (0..self.chains.len()).filter(|at| self.chains[*at].pid == pid).collect();
        own.iter().try_for_each(|at| self.destroy_chain(*at))?;
        work(self)?;
        own.iter().try_for_each(|at| self.put_chain(*at))
    }

    /// The board gets a packet of a peer, if one is told, and the model others, mostly the same one. `psn`: the number that the model's
    /// answer has on the board.
    fn chain_packet(
        &mut self,
        at: usize,
        told: Option<&[u8]>,
        source: [u8; 4],
        fed: &[Vec<u8>],
        psn: Option<Psn>,
    ) -> Result<(), Mismatch> {
        if let Some(packet) = told {
            let frame = sealed(&Endpoints { src_ip: source, ..self.chains[at].way() }, packet)?;
            self.report.frames += 1;
            self.model.sound += 1;
            self.group.frames.push((frame, false));
        }
        for packet in fed {
            self.model.chain(source, packet);
            self.hear(psn)?;
        }
        Ok(())
    }
    fn comes(&mut self, at: usize, coming: &Coming, message: &[u8]) -> Result<(), Mismatch> {
        let packet = coming.packet(message)?;
        self.chain_packet(at, Some(&packet), coming.source, std::slice::from_ref(&packet), None)
    }
    /// What the model sends now.
    fn hear(&mut self, at: Option<Psn>) -> Result<(), Mismatch> {
        for (qpn, mut packet) in self.model.departures() {
            let psn = Psn::from_low_bits(u32::from_be_bytes([0, packet[9], packet[10], packet[11]]));
            let opcode = Opcode::from_number(packet[0]);
            match (self.chains.iter_mut().find(|own| own.config.qpn == qpn), opcode) {
                (_, Some(Opcode::Acknowledge)) => {
                    let psn = at.unwrap_or(psn).number();
                    packet[9..12].copy_from_slice(&psn.to_be_bytes()[1..]);
                }
                (Some(peer), _) => {
                    let again = psn.is_before(peer.sent);
                    peer.sent = if again { peer.sent } else { psn.plus(1) };
                    self.report.chains.replies[0] += 1;
                    self.report.chains.replies[1] += u64::from(again);
                }
                _ => {}
            }
            let answer = self.model.answer(qpn, &packet)?;
            self.group.answers.push(answer);
        }
        let loaded = self.model.memory.take_loaded();
        self.group.touches.add(loaded);
        self.spoil_answers();
        Ok(())
    }
    /// Test-only: does what the comparison must find to the model's answers, once.
    fn spoil_answers(&mut self) {
        let answers = &mut self.group.answers;
        let (len, last) = (answers.len(), answers.last().map(Answer::is_reply));
        let (reply, acknowledges) = (last == Some(true), last == Some(false));
        let done = match self.wrong {
            Some(Wrong::ReplyLost) if reply => answers.pop().is_some(),
            Some(Wrong::ReplyByte) if reply => {
                let frame = answers.last_mut().map(|own| &mut own.0);
                frame.and_then(|frame| frame.iter_mut().rev().nth(4)).map(|byte| *byte ^= 1).is_some()
            }
            Some(Wrong::RepliesSwapped) if reply && len > 1 && answers[len - 2].is_reply() => {
                answers.swap(len - 2, len - 1);
                true
            }
            Some(Wrong::AcknowledgeLost) if acknowledges && len == 1 => answers.pop().is_some(),
            _ => false,
        };
        self.wrong = self.wrong.filter(|_| !done);
    }
}
