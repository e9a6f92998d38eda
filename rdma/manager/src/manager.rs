//! The connection manager of a port in hardware. The board answers READs, WRITEs, atomics and chains itself; the manager, what the port
//! has counted, and what is lent to who takes SENDs, are queue pairs of software's, whose frames come through the slow path's ring
//! (`ROCE_QPN_FIRST`).
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use mneme_rdma::cm::{Asked, Kind, Listener};
use mneme_rdma::codec::cm::MAD_LEN;
use mneme_rdma::codec::frame::{RoceFrame, TRANSPORT_OFFSET, seal_frame};
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::{FrameError, PathMtu, Psn, ROCE_PORT};
use mneme_rdma::node::PagedCounters;
use mneme_rdma::responder::{Arrival, Counter, Limits, PACKET_MAX, Responder};
use mneme_rdma::udp::{Connection, Ends, PortCounters, emit_management, management};
use mneme_slowpath::{FastPath, LeafState, RocePort, Slow};
use mneme_wire::frame::Endpoints;
use mneme_wire::leaf::LEAF_COUNTERS;
use mneme_wire::roce::ROCE_QPN_FIRST;
use mneme_wire::{ChainCounter, LeafCounter, Register, RoceCounter};

use crate::audit::Audits;
use crate::books::{Books, Lent, Looked, Room, Rules, Session};
use crate::counts::{Counts, FrameCounts, PERFTEST, counted, statistics_names};
use crate::mtu::software_mtu;
use crate::pairs::{PairAsk, Pairs, TELLERS, software_number};
use crate::statistics::StatisticsMemory;

/// How often it is looked whether processes are still there.
const WATCH: Duration = Duration::from_millis(10);
/// Counters that one look asks for, in turn: each is an access of the board.
const SOME: usize = 16;
/// Looks between two at counters when nobody reads them. They have 32 bits.
const COUNTED: u32 = 64;
/// Frames of software's queue pairs that wait for the ring towards the network; more are lost, and asked for again.
const WAITING: usize = 64;
/// What the leaf unit counts that clients are told.
const LEAF: [LeafCounter; 3] = [LeafCounter::Right, LeafCounter::RingEmpty, LeafCounter::BudgetSpent];
/// Queue pairs of software's that are lent, at most: half of them to one address.
const LENT: usize = 24;
/// Frames that are sent in one look, so that answers of the slow path find room in the ring, too.
const SENT: usize = 64;

/// The board's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    /// Of Ethernet.
    pub mac: [u8; 6],
    /// Of IPv4.
    pub ip: [u8; 4],
}

/// A client's addresses.
#[derive(Debug, Clone, Copy)]
struct Peer {
    mac: [u8; 6],
    ip: [u8; 4],
}

/// Serves what of RoCEv2 on a board is software's.
///
/// Times are nanoseconds since any moment, and do not go back.
#[derive(Debug)]
pub struct Manager {
    /// What was counted of a socket that carries the board's frames: nothing where they are those of a network.
    pub carried: PortCounters,
    /// What was counted of ping-pongs and of tests of perftest, by whoever serves them.
    pub ping_pong: [u64; 3],
    /// In the order of [`PERFTEST`].
    pub perftest: [u64; PERFTEST.len()],
    local: Local,
    listener: Listener,
    books: Books,
    pairs: Pairs,
    /// Software's queue pairs: those that tell what was counted, and those that are lent.
    software: Ends,
    /// Whose are lent.
    lent: BTreeMap<u32, Peer>,
    /// Bytes of payload of a packet of software's, at most: a frame goes through the core.
    most: PathMtu,
    statistics: Vec<u8>,
    /// Frames for the ring towards the network, and how many found no place.
    goes: VecDeque<Vec<u8>>,
    dropped: u64,
    /// Frames for software's queue pairs that the slow path had no place for.
    lost: u64,
    management_psn: Psn,
    /// Frames of software's queue pairs with a wrong ICRC, and those that are no frames of RoCEv2.
    unsound: [u64; 2],
    /// What the hardware has counted, and how its counters stood then.
    hardware: Vec<(u64, u32)>,
    /// Frames as they were last seen, and what the leaf unit has counted of them.
    frames: FrameCounts,
    /// Look where they are.
    audits: Audits,
    leaf: [(u64, u32); LEAF.len()],
    /// As of a software board's port.
    ended: [u64; 4],
    /// The counter that is looked at next.
    counter: usize,
    /// When the next look is due.
    watch_at: u64,
    looks: u32,
}

impl Manager {
    /// For a board with a port; `None`: it has none. The slow path must have been told to keep what comes
    /// ([`mneme_slowpath::Config::roce`]).
    pub fn new<F: FastPath>(rules: &Rules, local: Local, fast: &mut F) -> Option<Manager> {
        let pairs = Pairs::of(fast)?;
        Some(Manager {
            carried: PortCounters::default(),
            ping_pong: [0; 3],
            perftest: [0; PERFTEST.len()],
            local,
            listener: Listener::default(),
            books: Books::new(rules),
            pairs,
            software: Ends::new(Responder::new(Limits { queue_pairs: TELLERS + LENT, ..Limits::default() })),
            lent: BTreeMap::new(),
            most: software_mtu(fast.read_register(Register::MaxPayload)),
            statistics: Vec::new(),
            goes: VecDeque::new(),
            dropped: 0,
            lost: 0,
            management_psn: Psn::default(),
            unsound: [0; 2],
            hardware: vec![(0, 0); RoceCounter::ALL.len()],
            frames: FrameCounts::default(),
            audits: Audits::default(),
            leaf: [(0, 0); LEAF.len()],
            ended: [0; 4],
            counter: 0,
            watch_at: 0,
            looks: 0,
        })
    }

    /// Serves what has come, and looks after connections. Whether there was anything. Does not block.
    pub fn serve<F: FastPath>(&mut self, now: u64, fast: &mut F, slow: &mut Slow) -> bool {
        if now >= self.watch_at {
            self.watch_at = now + WATCH.as_nanos() as u64;
            self.watch(now, fast, slow);
        }
        let mut came = false;
        self.lost = slow.roce_lost();
        while let Some(frame) = slow.take_roce() {
            came = true;
            self.take(now, &frame, fast, slow);
        }
        if self.audits.go_on(now, &mut self.frames, fast, slow) {
            self.tell();
        }
        came | self.transmit(now, fast)
    }
    /// A queue pair and its region for whom no request of the connection manager asks: its number, and the region's key; `None`: there is
    /// no place, or the address has its share of them, which are those of connections. Who asks knows that its process is there, and
    /// takes it back.
    pub fn lend<F: FastPath>(&mut self, ask: &PairAsk, fast: &mut F) -> Option<(u32, u32)> {
        let to = Lent { peer: ask.peer, pid: Some(ask.region.pid) };
        let room = self.pairs.room(Kind::Pages, &self.books);
        if !self.books.may_lend(to, room) {
            return None;
        }
        let (qpn, rkey) = self.pairs.create(ask, &mut self.books, fast).ok()?;
        self.books.lent.insert(qpn, to);
        Some((qpn, rkey))
    }
    /// Ends what was lent.
    pub fn take_back<F: FastPath>(&mut self, qpn: u32, rkey: u32, fast: &mut F) {
        if self.books.lent.remove(&qpn).is_some() {
            self.pairs.end(qpn, Some(rkey), fast, &mut self.software.responder);
        }
    }
    /// A queue pair of software's for whom no request of the connection manager asks: its number, with which `of` makes both of its
    /// sides. No memory is behind it. Frames go to this address of IPv4, and of Ethernet. `None`: there is no place, or the address has
    /// its share. Who asks takes it back.
    pub fn lend_software(
        &mut self,
        (ip, mac): ([u8; 4], [u8; 6]),
        of: impl FnOnce(u32) -> Connection,
    ) -> Option<u32> {
        let to = Lent { peer: ip, pid: None };
        let room = Room { free: LENT.saturating_sub(self.lent.len()), has: |_| true };
        if !self.books.may_lend(to, room) {
            return None;
        }
        let qpn = software_number(&mut self.books.rng, &self.software.responder)?;
        self.software.connect(&of(qpn)).ok()?;
        self.lent.insert(qpn, Peer { mac, ip });
        self.books.lent.insert(qpn, to);
        Some(qpn)
    }
    /// Ends what was lent of software's.
    pub fn take_back_software(&mut self, qpn: u32) {
        if self.lent.remove(&qpn).is_some() {
            self.books.lent.remove(&qpn);
            // It was made when it was lent.
            let _flushed = self.software.disconnect(qpn);
        }
    }
    /// Software's queue pairs, for the messages of those that are lent.
    pub const fn software(&mut self) -> &mut Ends {
        &mut self.software
    }
    /// Bytes of payload of a packet of software's queue pairs, at most.
    pub const fn software_mtu(&self) -> PathMtu {
        self.most
    }
    /// The packet that a queue pair expects, and whether it has ended in an error.
    pub fn progress<F: FastPath>(&self, qpn: u32, fast: &mut F) -> Option<(Psn, bool)> {
        self.pairs.progress(qpn, fast, &self.software.responder)
    }
    /// How long nothing is to be done if nothing comes, `most` at most.
    pub fn rest(&self, most: Duration) -> Duration {
        if self.audits.are_under_way() {
            return Duration::ZERO;
        }
        let idle = self.books.sessions.is_empty() && self.lent.is_empty() && self.goes.is_empty();
        if idle { most } else { most.min(WATCH) }
    }
    /// Looks at all that the hardware has counted.
    pub fn look<F: FastPath>(&mut self, fast: &mut F) {
        self.look_at_counters(fast, RoceCounter::ALL.len());
        self.pairs.chains.look(fast, ChainCounter::ALL.len());
        self.tell();
    }

    /// What was counted, as [`statistics_names`] names it.
    pub fn counted(&self) -> Vec<u64> {
        let mut port = self.carried;
        // Each is counted by who drops it: most by the board.
        port.wrong_icrc = self.of(RoceCounter::DropIcrc) + self.unsound[0];
        let own = counted(&self.software.responder);
        let responder = Counter::ALL.iter().zip(own).map(|(counter, own)| own + self.of_name(*counter));
        let [right, ring_empty, budget_spent] = self.leaf.map(|(count, _)| count);
        Counts {
            connections: self.books.sessions.len() as u64,
            listener: self.listener.counters(),
            ended: self.ended,
            port: &port,
            management_dropped: self.dropped,
            responder: responder.collect(),
            regions: (self.software.responder.regions.len() + self.pairs.len()) as u64,
            immediates: self.of(RoceCounter::Immediates),
            frames: &self.frames,
            pages: &PagedCounters { right, ring_empty, budget_spent, ..self.pairs.chains.pages() },
            chains: self.pairs.chains.len() as u64,
            ping_pong: self.ping_pong,
            perftest: self.perftest,
        }
        .values()
    }
    fn of(&self, counter: RoceCounter) -> u64 {
        self.hardware.get(counter.number() as usize).map_or(0, |(count, _)| *count)
    }
    /// The hardware's counter of the same event: the names of most are the same but for their letters.
    fn of_name(&self, counter: Counter) -> u64 {
        let chains = &self.pairs.chains;
        match counter {
            Counter::ReceiveLength => return chains.of_counter(ChainCounter::ReceiveLength),
            Counter::Held => {
                return self.of(RoceCounter::Held) + chains.of_counter(ChainCounter::RepliesHeld);
            }
            _ => {}
        }
        let name = counter.name().to_uppercase().replace(' ', "_");
        RoceCounter::ALL.iter().find(|own| own.name() == name).map_or(0, |own| self.of(*own))
    }

    /// Looks at some counters, those behind the ones of the last time.
    fn look_at_counters<F: FastPath>(&mut self, fast: &mut F, some: usize) {
        let Some(mut port) = RocePort::of(fast) else { return };
        for _ in 0..some {
            let place = self.counter;
            self.counter = (place + 1) % RoceCounter::ALL.len();
            let (count, before) = &mut self.hardware[place];
            let now = port.counter(RoceCounter::ALL[place]);
            *count += u64::from(now.wrapping_sub(*before));
            *before = now;
        }
    }
    /// Looks at the frames of 4 KB. What is counted of them is everybody's, clients of the library too.
    fn look_at_frames<F: FastPath>(&mut self, fast: &mut F, slow: &Slow) {
        let Some(LeafState { ring, given, wanted }) = slow.leaf_state(fast) else { return };
        let segments = slow.inspect(|space| space.frame_range_count());
        self.frames.now = [given, ring, given.saturating_sub(ring), wanted, segments];
        for (counter, (count, before)) in LEAF.iter().zip(&mut self.leaf) {
            let now = fast.read_leaf(LEAF_COUNTERS + 4 * counter.number());
            *count += u64::from(now.wrapping_sub(*before));
            *before = now;
        }
    }
    fn tell(&mut self) {
        self.statistics = self.counted().into_iter().flat_map(u64::to_le_bytes).collect();
    }

    fn end<F: FastPath>(&mut self, qpn: u32, fast: &mut F) {
        if let Some(session) = self.books.sessions.remove(&qpn) {
            self.pairs.end(qpn, session.rkey, fast, &mut self.software.responder);
        }
    }

    /// Ends connections whose process has ended, and those that have ended in an error, or whose clients are silent. Asks the silent ones.
    fn watch<F: FastPath>(&mut self, now: u64, fast: &mut F, slow: &Slow) {
        let sessions = &self.books.sessions;
        let gone: Vec<u32> = slow.inspect(|space| {
            let freed = |own: &Session, table| {
                let here = space.frames_of(own.pid, own.va, 0);
                here.is_none_or(|span| span.table != u64::from(table))
            };
            // Its pages of 4 KB have been freed, or its process is no more.
            let gone = sessions.iter().filter(|(_, own)| {
                own.segment.is_some_and(|table| freed(own, table))
                    || space.may_join(own.pid, &own.token).is_err()
            });
            gone.map(|(qpn, _)| *qpn).collect()
        });
        let (failed, silent) = self.ask(now, fast, slow);
        for (which, qpns) in [(0, gone), (1, failed), (3, silent)] {
            for qpn in qpns {
                if self.books.sessions.contains_key(&qpn) {
                    self.ended[which] += 1;
                    self.end(qpn, fast);
                    self.listener.forget(qpn);
                }
            }
        }
        let heard =
            |qpn: &u32| self.books.sessions.get(qpn).is_none_or(|session| session.expected != session.first);
        for qpn in self.listener.half_open().filter(heard).collect::<Vec<_>>() {
            self.listener.heard(qpn);
        }
        while let Some(ended) = self.listener.on_time(now) {
            self.end(ended.qpn, fast);
        }
        self.looks = self.looks.wrapping_add(1);
        let read = self.books.sessions.keys().any(|qpn| *qpn < ROCE_QPN_FIRST);
        if read || self.looks.is_multiple_of(COUNTED) {
            self.look_at_frames(fast, slow);
            self.look_at_counters(fast, SOME);
            self.pairs.chains.look(fast, SOME);
            self.tell();
        }
    }

    /// Asks how far some of the connections are, and the clients of silent ones whether they are there. Answers those in error, and those
    /// that were silent for too long.
    fn ask<F: FastPath>(&mut self, now: u64, fast: &mut F, slow: &Slow) -> (Vec<u32>, Vec<u32>) {
        let (pairs, responder) = (&self.pairs, &self.software.responder);
        let mut failed = Vec::new();
        let progress = |qpn| {
            let (expected, over) = pairs.progress(qpn, fast, responder)?;
            if over {
                failed.push(qpn);
            }
            Some(expected)
        };
        let lease = |pid| slow.inspect(|space| space.lease_ns(pid)).unwrap_or(0);
        let Looked { heard, probe, silent } = self.books.look(now, progress, lease);
        for (pid, token) in heard {
            slow.renew(pid, &token);
        }
        for qpn in probe {
            let mac = self.books.sessions.get(&qpn).map(|session| session.peer_mac);
            if let (Some(mac), Some((ip, bytes))) = (mac, self.listener.probe(qpn)) {
                self.post_management(Peer { mac, ip }, &bytes);
            }
        }
        (failed, silent)
    }

    /// A frame of a queue pair of software's.
    fn take<F: FastPath>(&mut self, now: u64, frame: &[u8], fast: &mut F, slow: &Slow) {
        let RoceFrame { endpoints, congested, transport } = match RoceFrame::parse(frame) {
            Ok(frame) => frame,
            Err(error) => {
                self.unsound[usize::from(error != FrameError::Icrc)] += 1;
                return;
            }
        };
        let peer = Peer { mac: endpoints.src_mac, ip: endpoints.src_ip };
        if let Some(bytes) = management(transport) {
            return self.manage(now, peer, &bytes, (fast, slow));
        }
        let arrival = Arrival { source: peer.ip, congested, transport };
        self.software.receive(now, &arrival, &mut StatisticsMemory(&self.statistics));
    }

    fn manage<F: FastPath>(&mut self, now: u64, peer: Peer, bytes: &[u8], (fast, slow): (&mut F, &Slow)) {
        let (books, pairs, responder) = (&mut self.books, &mut self.pairs, &mut self.software.responder);
        let mut reads = false;
        let decide = |asked: &Asked<'_>| {
            let made = pairs.make((now, peer.mac), asked, books, responder, (&mut *fast, slow));
            reads = made.is_ok() && asked.ask.kind == Kind::Statistics;
            made.inspect_err(|refusal| books.count(*refusal))
        };
        let (reply, ended) = self.listener.receive(now, peer.ip, bytes, decide);
        if let Some(qpn) = self.books.gave_way.take() {
            self.ended[2] += 1;
            self.listener.forget(qpn);
        }
        if let Some((pid, token)) = self.listener.take_ready().and_then(|qpn| self.books.heard(now, qpn)) {
            slow.renew(pid, &token);
        }
        if let Some(ended) = ended {
            self.end(ended.qpn, fast);
        }
        // Who asks for the statistics is told them as of now.
        if reads {
            self.look_at_frames(fast, slow);
            self.look(fast);
            self.audits.are_due(now);
        } else {
            self.tell();
        }
        if let Some(bytes) = reply {
            self.post_management(peer, &bytes);
        }
    }

    fn post_management(&mut self, peer: Peer, bytes: &[u8; MAD_LEN]) {
        let mut packet = [0; PACKET_MAX];
        if let Some(length) = emit_management(self.management_psn, bytes, &mut packet) {
            self.management_psn = self.management_psn.plus(1);
            self.post(peer, &packet[..length]);
        }
    }

    /// Makes a packet a frame that waits for the ring.
    fn post(&mut self, peer: Peer, packet: &[u8]) {
        let mut frame = vec![0; TRANSPORT_OFFSET + packet.len() + ICRC_LEN];
        frame[TRANSPORT_OFFSET..][..packet.len()].copy_from_slice(packet);
        if self.goes.len() < WAITING && seal_frame(&self.to(peer), &mut frame).is_ok() {
            self.goes.push_back(frame);
        } else {
            self.dropped += 1;
        }
    }

    /// Addresses of a frame to a peer.
    fn to(&self, peer: Peer) -> Endpoints {
        Endpoints {
            src_mac: self.local.mac,
            dst_mac: peer.mac,
            src_ip: self.local.ip,
            dst_ip: peer.ip,
            src_port: ROCE_PORT,
            dst_port: ROCE_PORT,
        }
    }
    /// Sends what software has to send, some of it at most and as far as the ring has room. Whether it had.
    fn transmit<F: FastPath>(&mut self, now: u64, fast: &mut F) -> bool {
        let mut sent = 0;
        while sent < SENT {
            if self.goes.is_empty() && !self.next(now) {
                break;
            }
            let Some(frame) = self.goes.front() else { continue };
            if fast.send(frame).is_err() {
                break;
            }
            self.goes.pop_front();
            sent += 1;
        }
        sent > 0
    }
    /// Lets the next packet of software's queue pairs wait for the ring. Whether there was one.
    fn next(&mut self, now: u64) -> bool {
        let mut packet = [0; PACKET_MAX];
        let mut memory = StatisticsMemory(&self.statistics);
        let Some(sent) = self.software.poll_transmit(now, &mut memory, &mut packet) else { return false };
        // It goes where the requests of its connection come from.
        let session = self.books.sessions.values().find(|session| session.peer == sent.destination);
        let session = session.map(|session| Peer { mac: session.peer_mac, ip: session.peer });
        match self.lent.get(&sent.qpn).copied().or(session) {
            Some(peer) => self.post(peer, &packet[..sent.length]),
            None => self.dropped += 1,
        }
        true
    }

    /// The same by name, with why clients got no connection and what became of frames in the hardware.
    pub fn named(&self) -> impl Iterator<Item = (String, u64)> {
        let named = statistics_names().zip(self.counted());
        let own = named.map(|(name, count)| (format!("RDMA {name}"), count));
        let refused = self.books.refused.iter();
        let refused = refused.map(|(why, count)| (format!("RDMA connections refused: {why}"), *count));
        // What happens to frames before a queue pair sees them has no name on a software board.
        let frames =
            RoceCounter::ALL.iter().filter(|counter| counter.number() <= RoceCounter::TxDamaged.number());
        let frames = frames.map(|counter| (format!("RDMA port {counter}"), self.of(*counter)));
        let software = [
            ("RDMA frames for software that are none", self.unsound[1]),
            ("RDMA frames for software that found no place", self.lost),
        ];
        let software = software.map(|(name, count)| (name.to_owned(), count));
        own.chain(refused).chain(frames).chain(self.pairs.chains.named()).chain(software)
    }
}
