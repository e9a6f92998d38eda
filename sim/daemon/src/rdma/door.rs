//! Connections of a board's RDMA port: who may have one, for how long, and what it can reach.
use std::net::Ipv4Addr;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mneme_model::{Node, SoftFast};
use mneme_rdma::cm::{Asked, Listener};
use mneme_rdma::node::{Door, QueuePairs};
use mneme_rdma::responder::{Limits, Responder};
use mneme_rdma::udp::{Exchange, Management, RocePort, UdpError};
use mneme_rdma_manager::{Counts, FrameCounts, Looked, Rules, Session, counted, statistics_names};
use mneme_rdma_peers::{Counted, Perftest, PingPong, Taken};
use mneme_slowpath::{FastPath, Slow};

use super::audit::{Audits, audit, look};
use super::books::{Made, SoftBooks};
use super::lent::Lent;
use super::memory::BoardMemory;
use super::peers::{Grounds, PerftestSettings, Soft, listen, put};
use crate::{Beside, DaemonError};

/// How often it is looked whether processes are still there. Their pids rest far longer before they are used again.
pub(super) const WATCH: Duration = Duration::from_millis(10);
/// Frames that the ring should have after a batch of packets, where its segments may take as many.
const LOW: u64 = 128;
/// What an RDMA port is.
#[derive(Debug, Clone)]
pub struct RdmaSettings {
    /// The board's address.
    pub address: Ipv4Addr,
    /// Where numbers and keys come from.
    pub seed: [u8; 32],
    /// The board serves only who proves himself with tags: then nobody gets a connection.
    pub wants_tags: bool,
    /// As [`SILENT`], which is what boards take.
    pub silent: Duration,
    /// The TCP port at which who has no process may ask for a ping-pong (`ibv_rc_pingpong`).
    pub ping_pong: Option<u16>,
    /// What perftest's programs find.
    pub perftest: Option<PerftestSettings>,
    /// The most that answers of one connection take, in bytes a period (`Rate::cap_of`); 0: as much as can be.
    pub cap: u32,
}

impl RdmaSettings {
    /// What decides about connections.
    pub(super) fn rules(&self) -> Rules {
        Rules { seed: self.seed, wants_tags: self.wants_tags, silent: self.silent, cap: self.cap }
    }
}

/// RoCEv2 on a board's address.
#[derive(Debug)]
pub struct RdmaPort {
    exchange: Exchange,
    listener: Listener,
    books: SoftBooks,
    pairs: QueuePairs,
    /// Frames as they were last seen.
    frames: FrameCounts,
    audits: Audits,
    /// What clients of the statistics read.
    statistics: Vec<u8>,
    /// Immediates that came, and were counted: no program of the board takes them.
    immediates: u64,
    /// Connections that were ended because their process had ended, because of an error, for another one, and after silence.
    ended: [u64; 4],
    watched: Instant,
    ping_pong: Option<PingPong>,
    perftest: Option<Perftest>,
    /// What its clients have.
    memory: Option<Arc<Lent>>,
}

impl Drop for RdmaPort {
    fn drop(&mut self) {
        if let Some(memory) = &self.memory {
            memory.close();
        }
    }
}

impl RdmaPort {
    /// Takes the ports.
    ///
    /// # Errors
    /// Every [`UdpError`]; [`UdpError::System`] also where TCP's port cannot be had.
    pub fn open(settings: &RdmaSettings) -> Result<RdmaPort, UdpError> {
        let port = RocePort::bind(settings.address)?;
        let (ping_pong, perftest) = listen(settings)?;
        let memory = settings.perftest.as_ref().map(|own| own.memory.clone());
        Ok(RdmaPort {
            exchange: Exchange::new(port, Responder::new(Limits { cap: settings.cap, ..Limits::default() })),
            listener: Listener::default(),
            books: SoftBooks::new(settings),
            pairs: QueuePairs::default(),
            frames: FrameCounts::default(),
            audits: Audits::default(),
            statistics: Vec::new(),
            immediates: 0,
            ended: [0; 4],
            watched: Instant::now(),
            ping_pong,
            perftest,
            memory,
        })
    }

    /// What was counted, as [`statistics_names`] names it.
    pub fn counted(&self) -> Vec<u64> {
        Counts {
            connections: self.books.books.sessions.len() as u64,
            listener: self.listener.counters(),
            ended: self.ended,
            port: self.exchange.port.counters(),
            management_dropped: self.exchange.management_dropped(),
            responder: counted(&self.exchange.responder),
            regions: self.exchange.responder.regions.len() as u64,
            immediates: self.immediates,
            frames: &self.frames,
            pages: self.pairs.counters(),
            chains: self.pairs.chains().count() as u64,
            ping_pong: self.ping_pong.as_ref().map_or([0; 3], |service| service.counted),
            perftest: self.perftest.as_ref().map_or(Counted::default(), |service| service.counted),
        }
        .values()
    }

    fn end(&mut self, qpn: u32, fast: &mut SoftFast) {
        let mut memory = BoardMemory { fast, statistics: &[] };
        let door = &mut Door { frames: &mut memory, pairs: &mut self.pairs };
        self.books.end(qpn, &mut self.exchange.responder, door);
    }

    /// Ends connections whose process has ended, and those that have ended in an error, or whose clients are silent. Asks the silent ones.
    fn watch(&mut self, node: &mut Node<SoftFast>) {
        let (fast, slow) = node.parts();
        let sessions = &self.books.books.sessions;
        let gone: Vec<u32> = slow.inspect(|space| {
            let ended = |segment: u32| fast.leaf_unit().config(segment).is_none();
            let gone = |session: &Session| {
                // Its pages of 4 KB have been freed, or its process is no more.
                session.segment.is_some_and(ended) || space.may_join(session.pid, &session.token).is_err()
            };
            sessions.iter().filter(|(_, session)| gone(session)).map(|(qpn, _)| *qpn).collect()
        });
        let responder = &self.exchange.responder;
        let failed = |qpn: &&u32| responder.is_over(**qpn) == Some(true);
        let failed: Vec<u32> = sessions.keys().filter(failed).copied().collect();
        let now = self.exchange.now();
        let silent = self.ask(now, slow);
        for (which, qpns) in [(0, gone), (1, failed), (3, silent)] {
            for qpn in qpns {
                if self.books.books.sessions.contains_key(&qpn) {
                    self.ended[which] += 1;
                    self.end(qpn, fast);
                    self.listener.forget(qpn);
                }
            }
        }
        let heard = |qpn: &u32| {
            self.books.books.sessions.get(qpn).is_none_or(|session| session.expected != session.first)
        };
        for qpn in self.listener.half_open().filter(heard).collect::<Vec<_>>() {
            self.listener.heard(qpn);
        }
        while let Some(ended) = self.listener.on_time(now) {
            self.end(ended.qpn, fast);
        }
        look(&mut self.frames, fast);
    }

    /// Looks how far some connections are, and asks the clients of silent ones whether they are there. Answers those that were silent for
    /// too long.
    fn ask(&mut self, now: u64, slow: &Slow) -> Vec<u32> {
        let responder = &self.exchange.responder;
        let progress = |qpn| responder.progress(qpn).map(|(expected, _)| expected);
        let lease = |pid| slow.inspect(|space| space.lease_ns(pid)).unwrap_or(0);
        let Looked { heard, probe, silent } = self.books.books.look(now, progress, lease);
        for (pid, token) in heard {
            slow.renew(pid, &token);
        }
        for (peer, bytes) in probe.into_iter().filter_map(|qpn| self.listener.probe(qpn)) {
            self.exchange.send_management(Management { peer: peer.into(), bytes });
        }
        silent
    }

    /// Answers management datagrams. Whether there was one.
    fn manage(&mut self, node: &mut Node<SoftFast>) -> bool {
        let mut any = false;
        while let Some(Management { peer, bytes }) = self.exchange.poll_management() {
            any = true;
            let now = self.exchange.now();
            let (fast, slow) = node.parts();
            let (books, pairs, responder) = (&mut self.books, &mut self.pairs, &mut self.exchange.responder);
            let audits = &mut self.audits;
            let mut memory = BoardMemory { fast, statistics: &[] };
            let decide = |asked: &Asked<'_>| {
                let door = &mut Door { frames: &mut memory, pairs };
                let made = books.make(now, asked, &mut Made { responder, door, slow });
                if made.is_ok() && asked.ask.kind == mneme_rdma::cm::Kind::Statistics {
                    audits.ask();
                }
                made.inspect_err(|refusal| books.books.count(*refusal))
            };
            let (reply, ended) = self.listener.receive(now, peer.octets(), &bytes, decide);
            if let Some(qpn) = self.books.books.gave_way.take() {
                self.ended[2] += 1;
                self.listener.forget(qpn);
            }
            if let Some((pid, token)) =
                self.listener.take_ready().and_then(|qpn| self.books.books.heard(now, qpn))
            {
                slow.renew(pid, &token);
            }
            if let Some(bytes) = reply {
                self.exchange.send_management(Management { peer, bytes });
            }
            if let Some(ended) = ended {
                self.end(ended.qpn, node.fast());
            }
        }
        any |= self.audit(node);
        look(&mut self.frames, node.fast());
        any
    }

    /// Who asks for the statistics is told whether every frame is where it should be. Whether it was looked for now.
    fn audit(&mut self, node: &mut Node<SoftFast>) -> bool {
        if !self.audits.is_due(self.exchange.now()) {
            return false;
        }
        let began = Instant::now();
        let found = audit(node);
        self.audits.made(self.exchange.now(), began.elapsed());
        // Whoever connects has it looked for: only the first one is told.
        if let Err(error) = &found
            && self.frames.is_sound()
        {
            tracing::error!(%error, "frames are not where they should be");
        }
        self.frames.audited(found.is_ok());
        true
    }
}

impl RdmaPort {
    /// Takes and sends packets.
    fn exchange(&mut self, node: &mut Node<SoftFast>) -> Result<bool, UdpError> {
        let mut memory = BoardMemory { fast: node.fast(), statistics: &self.statistics };
        self.exchange.serve_node(&mut Door { frames: &mut memory, pairs: &mut self.pairs })
    }
}

impl Beside<Node<SoftFast>> for RdmaPort {
    fn serve(&mut self, node: &mut Node<SoftFast>) -> Result<bool, DaemonError> {
        let reads_statistics = !self.books.books.sessions.is_empty();
        if self.watched.elapsed() >= WATCH {
            self.watched = Instant::now();
            self.watch(node);
            let now = self.exchange.now();
            let (exchange, memory) = (&mut self.exchange, self.memory.as_deref());
            let mut board = Soft { exchange, grounds: Grounds { slow: node.slow(), memory } };
            if let Some(service) = &mut self.ping_pong {
                service.watch(now, &mut board);
            }
            if let Some(service) = &mut self.perftest {
                service.watch(now, &mut board);
            }
            if reads_statistics {
                self.statistics = self.counted().into_iter().flat_map(u64::to_le_bytes).collect();
            }
        }
        let mut came = self.exchange(node)?;
        if self.manage(node) {
            self.statistics = self.counted().into_iter().flat_map(u64::to_le_bytes).collect();
            came |= self.exchange(node)?;
        }
        // Frames are taken between the board's steps: the ring is not left empty until the next one.
        if came && node.fast().leaf_state().is_some_and(|state| state.ring < state.wanted.min(LOW)) {
            node.serve_workers();
        }
        let mut sends = false;
        while let Some(received) = self.exchange.responder.poll_received() {
            if let Some(service) = self.ping_pong.as_mut().filter(|service| service.has(received.qpn)) {
                service.send_back(self.exchange.now(), received, &mut self.exchange);
                sends = true;
                continue;
            }
            let taken = match &mut self.perftest {
                Some(service) => service.take(received, &mut self.exchange, |pid, va, message| {
                    put(node.fast(), pid, va, message);
                }),
                None => Taken::No(received),
            };
            sends |= matches!(taken, Taken::Answered);
            let Taken::No(received) = taken else { continue };
            self.immediates += 1;
            let _ = self.exchange.responder.post_receive(received.qpn, received.id, received.buffer);
        }
        if let Some(service) = &mut self.ping_pong {
            service.refill(&mut self.exchange);
        }
        if let Some(service) = &mut self.perftest {
            service.refill(&mut self.exchange);
        }
        if sends {
            self.exchange(node)?;
        }
        Ok(came)
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.exchange.port.as_fd())
    }
    fn rest(&self, most: Duration) -> Duration {
        let serves = self.ping_pong.is_some() || self.perftest.is_some();
        let watches = serves || !self.books.books.sessions.is_empty();
        let most = if watches { most.min(WATCH) } else { most };
        let now = self.exchange.now();
        let again = self.pairs.next_time().map(|at| Duration::from_nanos(at.saturating_sub(now)));
        self.exchange.rest(again.map_or(most, |again| again.min(most)))
    }
    fn look(&mut self, node: &mut Node<SoftFast>) {
        look(&mut self.frames, node.fast());
    }
    fn counted(&self) -> Vec<(String, u64)> {
        let named = statistics_names().zip(RdmaPort::counted(self));
        let own = named.map(|(name, count)| (format!("RDMA {name}"), count));
        let refused = self.books.books.refused.iter();
        let refused = refused.map(|(why, count)| (format!("RDMA connections refused: {why}"), *count));
        own.chain(refused).chain(self.ping_pong.iter().flat_map(PingPong::named)).collect()
    }
}
