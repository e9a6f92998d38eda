//! The RDMA port of a board of RTL. The board answers READs, WRITEs and atomics itself; the connection manager and what the port has counted
//! are queue pairs of software's, whose frames come through the slow path's ring (`ROCE_QPN_FIRST`).
use std::collections::VecDeque;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use mneme_model::Node;
use mneme_model::port::{EgressFrame, NetworkPort};
use mneme_rdma::cm::{Asked, Listener};
use mneme_rdma::codec::frame::{RoceFrame, TRANSPORT_OFFSET, seal_frame};
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::{FrameError, Psn};
use mneme_rdma::node::PagedCounters;
use mneme_rdma::responder::{Arrival, Counter, Limits, PACKET_MAX, Responder};
use mneme_rdma::udp::{UdpError, emit_management, management};
use mneme_slowpath::{FastPath, RocePort};
use mneme_wire::RoceCounter;
use mneme_wire::roce::ROCE_QPN_FIRST;

use super::books::Books;
use super::counts::{Counts, FrameCounts, counted, statistics_names};
use super::door::RdmaSettings;
use super::line::Line;
use super::memory::StatisticsMemory;
use crate::{Beside, DaemonError};

mod pairs;
use pairs::Pairs;

/// How often it is looked whether processes are still there.
const WATCH: Duration = Duration::from_millis(10);
/// Connections that one look asks the hardware about, in turn: each answer takes some dozens of the board's cycles.
const ASKED: usize = 8;
/// Looks between two at all counters when nobody reads them. They have 32 bits.
const COUNTED: u32 = 64;
/// Frames of software's queue pairs that wait for the ring towards the network; more are lost, and asked for again.
const WAITING: usize = 64;
/// Queue pairs of software's that tell what was counted.
const STATISTICS: usize = 64;

/// Why a board has no RDMA port.
#[derive(Debug, thiserror::Error)]
pub enum HardwareError {
    /// It was built without.
    #[error("it was built without: `--config rdma` has one")]
    None,
    /// A ping-pong needs SENDs, which the port refuses.
    #[error("a ping-pong needs SENDs, which the hardware's port refuses: take a software board")]
    PingPong,
    /// Tests of perftest need SENDs, too, and queue pairs that nobody asked the connection manager for.
    #[error(
        "perftest's server makes its queue pairs in software, which this board's port does not serve: take a software board"
    )]
    Perftest,
    /// The socket.
    #[error(transparent)]
    Udp(#[from] UdpError),
}

/// RoCEv2 on a board's address, answered by the board.
#[derive(Debug)]
pub struct HardwarePort {
    line: Line,
    start: Instant,
    listener: Listener,
    books: Books,
    pairs: Pairs,
    /// Serves what was counted.
    responder: Responder,
    statistics: Vec<u8>,
    /// Frames for the ring towards the network, and how many found no place.
    goes: VecDeque<Vec<u8>>,
    dropped: u64,
    management_psn: Psn,
    /// Frames of software's queue pairs with a wrong ICRC, and those that are no frames of RoCEv2.
    unsound: [u64; 2],
    /// What the hardware has counted, and how its counters stood then.
    hardware: Vec<(u64, u32)>,
    /// As of a software board's port.
    ended: [u64; 3],
    watched: Instant,
    looks: u32,
    /// The queue pair that was asked about last.
    asked: u32,
}

impl HardwarePort {
    /// Takes the socket's port. `mac` is the board's.
    ///
    /// # Errors
    /// Every [`HardwareError`].
    pub fn open<F: FastPath>(
        settings: &RdmaSettings,
        mac: [u8; 6],
        fast: &mut F,
    ) -> Result<HardwarePort, HardwareError> {
        if settings.ping_pong.is_some() {
            return Err(HardwareError::PingPong);
        }
        if settings.perftest.is_some() {
            return Err(HardwareError::Perftest);
        }
        let (queue_pairs, regions) = RocePort::of(fast).ok_or(HardwareError::None)?.places();
        let port = mneme_rdma::udp::RocePort::bind(settings.address)?;
        Ok(HardwarePort {
            line: Line::new(port, mac),
            start: Instant::now(),
            listener: Listener::default(),
            books: Books::new(settings),
            pairs: Pairs::new(queue_pairs.min(regions)),
            responder: Responder::new(Limits { queue_pairs: STATISTICS, ..Limits::default() }),
            statistics: Vec::new(),
            goes: VecDeque::new(),
            dropped: 0,
            management_psn: Psn::default(),
            unsound: [0; 2],
            hardware: vec![(0, 0); RoceCounter::ALL.len()],
            ended: [0; 3],
            watched: Instant::now(),
            looks: 0,
            asked: 0,
        })
    }

    /// What was counted, as [`statistics_names`] names it.
    pub fn counted(&self) -> Vec<u64> {
        let mut port = *self.line.counters();
        // Each is counted by who drops it: most by the board.
        port.wrong_icrc = self.of(RoceCounter::DropIcrc) + self.unsound[0];
        port.unsent += self.line.uncarried[1];
        let own = counted(&self.responder);
        let responder = Counter::ALL.iter().zip(own).map(|(counter, own)| own + self.of_name(*counter));
        Counts {
            connections: self.books.sessions.len() as u64,
            listener: self.listener.counters(),
            ended: self.ended,
            port: &port,
            management_dropped: self.dropped,
            responder: responder.collect(),
            regions: (self.responder.regions.len() + self.pairs.len()) as u64,
            immediates: self.of(RoceCounter::Immediates),
            frames: &FrameCounts::default(),
            pages: &PagedCounters::default(),
            chains: 0,
            ping_pong: [0; 3],
            perftest: Default::default(),
        }
        .values()
    }
    fn of(&self, counter: RoceCounter) -> u64 {
        self.hardware.get(counter.number() as usize).map_or(0, |(count, _)| *count)
    }
    /// The hardware's counter of the same event: the names are the same but for their letters.
    fn of_name(&self, counter: Counter) -> u64 {
        let name = counter.name().to_uppercase().replace(' ', "_");
        RoceCounter::ALL.iter().find(|own| own.name() == name).map_or(0, |own| self.of(*own))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Looks at all that the hardware has counted.
    fn look_at_counters<F: FastPath>(&mut self, fast: &mut F) {
        let Some(mut port) = RocePort::of(fast) else { return };
        for (counter, (count, before)) in RoceCounter::ALL.iter().zip(&mut self.hardware) {
            let now = port.counter(*counter);
            *count += u64::from(now.wrapping_sub(*before));
            *before = now;
        }
        self.statistics = self.counted().into_iter().flat_map(u64::to_le_bytes).collect();
    }

    fn end<F: FastPath>(&mut self, qpn: u32, fast: &mut F) {
        if let Some(session) = self.books.sessions.remove(&qpn) {
            self.pairs.end(qpn, session.rkey, fast, &mut self.responder);
        }
    }

    /// Ends connections whose process has ended, and those that have ended in an error or were never heard of.
    fn watch<F: FastPath + NetworkPort>(&mut self, node: &mut Node<F>) {
        let (fast, slow) = node.parts();
        let sessions = &self.books.sessions;
        let gone: Vec<u32> = slow.inspect(|space| {
            let gone = sessions.iter().filter(|(_, own)| space.may_join(own.pid, &own.token).is_err());
            gone.map(|(qpn, _)| *qpn).collect()
        });
        let failed = self.ask(fast);
        for (which, qpns) in [gone, failed].into_iter().enumerate() {
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
        while let Some(ended) = self.listener.on_time(self.now()) {
            self.end(ended.qpn, fast);
        }
        self.looks = self.looks.wrapping_add(1);
        let read = self.books.sessions.keys().any(|qpn| *qpn < ROCE_QPN_FIRST);
        if read || self.looks.is_multiple_of(COUNTED) {
            self.look_at_counters(fast);
        }
    }

    /// Asks how far some of the connections are, the ones behind those of the last time. Answers those in error.
    fn ask<F: FastPath>(&mut self, fast: &mut F) -> Vec<u32> {
        let (now, sessions) = (self.now(), &mut self.books.sessions);
        let asked = self.asked;
        let (before, behind): (Vec<u32>, Vec<u32>) = sessions.keys().copied().partition(|qpn| *qpn <= asked);
        let mut failed = Vec::new();
        for qpn in behind.into_iter().chain(before).take(ASKED) {
            self.asked = qpn;
            let Some(session) = sessions.get_mut(&qpn) else { continue };
            let Some((expected, over)) = self.pairs.progress(qpn, fast, &self.responder) else { continue };
            if expected != session.expected {
                (session.expected, session.heard) = (expected, now);
            }
            if over {
                failed.push(qpn);
            }
        }
        failed
    }

    /// A frame of a queue pair of software's.
    fn take<F: FastPath + NetworkPort>(&mut self, frame: &[u8], node: &mut Node<F>) {
        let RoceFrame { endpoints, congested, transport } = match RoceFrame::parse(frame) {
            Ok(frame) => frame,
            Err(error) => {
                self.unsound[usize::from(error != FrameError::Icrc)] += 1;
                return;
            }
        };
        let peer = endpoints.src_ip;
        if let Some(bytes) = management(transport) {
            return self.manage(peer, &bytes, node);
        }
        let (now, arrival) = (self.now(), Arrival { source: peer, congested, transport });
        self.responder.receive(now, &arrival, &mut StatisticsMemory(&self.statistics));
    }

    fn manage<F: FastPath + NetworkPort>(&mut self, peer: [u8; 4], bytes: &[u8], node: &mut Node<F>) {
        let now = self.now();
        let (fast, slow) = node.parts();
        let (books, pairs, responder) = (&mut self.books, &mut self.pairs, &mut self.responder);
        let decide = |asked: &Asked<'_>| {
            let made = pairs.make(now, asked, books, responder, (&mut *fast, slow));
            made.inspect_err(|refusal| books.count(*refusal))
        };
        let (reply, ended) = self.listener.receive(now, peer, bytes, decide);
        if let Some(qpn) = self.books.gave_way.take() {
            self.ended[2] += 1;
            self.listener.forget(qpn);
        }
        if let Some(ended) = ended {
            self.end(ended.qpn, fast);
        }
        // Who asks for the statistics is told them as of now.
        self.look_at_counters(fast);
        if let Some(bytes) = reply {
            let mut packet = [0; PACKET_MAX];
            if let Some(length) = emit_management(self.management_psn, &bytes, &mut packet) {
                self.management_psn = self.management_psn.plus(1);
                self.post(peer, &packet[..length]);
            }
        }
    }

    /// Makes a packet a frame that waits for the ring.
    fn post(&mut self, peer: [u8; 4], packet: &[u8]) {
        let mut frame = vec![0; TRANSPORT_OFFSET + packet.len() + ICRC_LEN];
        frame[TRANSPORT_OFFSET..][..packet.len()].copy_from_slice(packet);
        if self.goes.len() < WAITING && seal_frame(&self.line.to(peer), &mut frame).is_ok() {
            self.goes.push_back(frame);
        } else {
            self.dropped += 1;
        }
    }

    /// Sends what software has to send, as far as the ring has room. Whether it had.
    fn transmit<F: FastPath>(&mut self, fast: &mut F) -> bool {
        let mut packet = [0; PACKET_MAX];
        let mut any = false;
        loop {
            while let Some(frame) = self.goes.front() {
                if fast.send(frame).is_err() {
                    return any;
                }
                self.goes.pop_front();
                any = true;
            }
            let (now, mut memory) = (self.now(), StatisticsMemory(&self.statistics));
            let Some(sent) = self.responder.poll_transmit(now, &mut memory, &mut packet) else { return any };
            self.post(sent.destination, &packet[..sent.length]);
        }
    }
}

impl<F: FastPath + NetworkPort> Beside<Node<F>> for HardwarePort {
    fn serve(&mut self, node: &mut Node<F>) -> Result<bool, DaemonError> {
        if self.watched.elapsed() >= WATCH {
            self.watched = Instant::now();
            self.watch(node);
        }
        let mut came = false;
        while let Some(frame) = node.take_roce() {
            came = true;
            self.take(&frame, node);
        }
        came |= self.transmit(node.fast());
        Ok(came)
    }
    fn frame(&mut self) -> Result<Option<Vec<u8>>, DaemonError> {
        Ok(self.line.receive()?)
    }
    fn send(&mut self, frame: &EgressFrame) -> bool {
        self.line.send(frame)
    }
    fn is_due(&self, node: &Node<F>) -> bool {
        node.slow().has_roce()
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.line.fd())
    }
    fn rest(&self, most: Duration) -> Duration {
        if self.books.sessions.is_empty() && self.goes.is_empty() { most } else { most.min(WATCH) }
    }
    fn look(&mut self, node: &mut Node<F>) {
        self.look_at_counters(node.fast());
    }
    fn counted(&self) -> Vec<(String, u64)> {
        let named = statistics_names().zip(HardwarePort::counted(self));
        let own = named.map(|(name, count)| (format!("RDMA {name}"), count));
        let refused = self.books.refused.iter();
        let refused = refused.map(|(why, count)| (format!("RDMA connections refused: {why}"), *count));
        // What happens to frames before a queue pair sees them has no name on a software board.
        let frames =
            RoceCounter::ALL.iter().filter(|counter| counter.number() <= RoceCounter::TxDamaged.number());
        let frames = frames.map(|counter| (format!("RDMA port {counter}"), self.of(*counter)));
        let unsound = [
            ("RDMA frames for software that are none".to_string(), self.unsound[1]),
            ("RDMA frames that no datagram carries".to_string(), self.line.uncarried[0]),
        ];
        own.chain(refused).chain(frames).chain(unsound).collect()
    }
}
