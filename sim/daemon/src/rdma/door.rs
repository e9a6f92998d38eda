//! Connections of a board's RDMA port: who may have one, for how long, and what it can reach.
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use mneme_model::node::Slow;
use mneme_model::{Node, SoftFast};
use mneme_rdma::cm::{Accepted, Asked, Granted, Kind, Listener, Refusal};
use mneme_rdma::codec::Psn;
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::responder::{Counter, Limits, QueuePairConfig, Responder, Serves};
use mneme_rdma::udp::{Exchange, Management, RocePort, UdpError};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::memory::{BoardMemory, STATISTICS};
use crate::{Beside, DaemonError};

/// Connections of one process, at most.
pub const PER_PROCESS: usize = 64;
/// Connections of one address, at most.
pub const PER_PEER: usize = 256;
/// How often it is looked whether processes are still there. Their pids rest far longer before they are used again.
const WATCH: Duration = Duration::from_millis(10);
/// How long the client of a connection must have been silent before the connection ends for another one of its process, whose share is in
/// use. RoCEv2 has no sign of life: nobody else ends the connections of clients that were killed while their process lives.
pub const SILENT: Duration = Duration::from_secs(60);
/// Immediates of a connection that may wait.
const IMMEDIATES: u64 = 16;
/// Queue pairs' numbers: 12 bits that nobody can guess, behind those of the software's own.
const QPN: u32 = 0x1000;
const QPN_BITS: u32 = 12;

/// What an RDMA port is.
#[derive(Debug, Clone, Copy)]
pub struct RdmaSettings {
    /// The board's address.
    pub address: Ipv4Addr,
    /// Where numbers and keys come from.
    pub seed: [u8; 32],
    /// The board serves only who proves himself with tags: then nobody gets a connection.
    pub wants_tags: bool,
    /// As [`SILENT`], which is what boards take.
    pub silent: Duration,
}

/// A connection.
#[derive(Debug)]
struct Session {
    peer: [u8; 4],
    pid: u32,
    token: [u8; 16],
    rkey: u32,
    /// The numbers of the first packet and of the one that is expected now.
    first: Psn,
    expected: Psn,
    /// When another one was last seen to be expected, or the connection was made: nanoseconds of the exchange.
    heard: u64,
}

/// What the port needs to decide about connections.
#[derive(Debug)]
struct Books {
    sessions: BTreeMap<u32, Session>,
    rng: ChaCha12Rng,
    wants_tags: bool,
    silent: u64,
    refused: BTreeMap<&'static str, u64>,
    /// The queue pair of a connection that has just ended for another one; the listener does not know yet.
    gave_way: Option<u32>,
}

/// RoCEv2 on a board's address.
#[derive(Debug)]
pub struct RdmaPort {
    exchange: Exchange,
    listener: Listener,
    books: Books,
    /// What clients of the statistics read.
    statistics: Vec<u8>,
    /// Immediates that came, and were counted: no program of the board takes them.
    immediates: u64,
    /// Connections that were ended because their process had ended, because of an error, and for another one.
    ended: [u64; 3],
    watched: Instant,
}

/// Names of what [`Kind::Statistics`] tells, in its order: 8 bytes each, little-endian.
pub fn statistics_names() -> impl Iterator<Item = &'static str> {
    let own = [
        "connections",
        "connections made",
        "connections refused",
        "requests for connections repeated",
        "connections ended by their clients",
        "connections whose clients were never heard of",
        "connections ended with their process",
        "connections ended by an error",
        "connections ended for another of their process",
        "connections begun anew by their clients",
        "management datagrams malformed",
        "management datagrams unexpected",
        "management datagrams without a place",
        "immediates",
        "datagrams received",
        "datagrams sent",
        "datagrams with a wrong ICRC",
        "datagrams of a wrong length",
        "datagrams too long for the way",
        "datagrams that the system did not send",
    ];
    let counters = Counter::ALL.iter().map(|counter| counter.name());
    // What is new comes last: clients of other versions know places, not names.
    own.into_iter().chain(counters).chain(["datagrams with an identification"])
}

impl RdmaPort {
    /// Takes the port.
    ///
    /// # Errors
    /// Every [`UdpError`].
    pub fn open(settings: &RdmaSettings) -> Result<RdmaPort, UdpError> {
        let port = RocePort::bind(settings.address)?;
        let mut seed = settings.seed;
        // Not the numbers that tokens come from.
        seed.iter_mut().for_each(|byte| *byte ^= 0x72);
        Ok(RdmaPort {
            exchange: Exchange::new(port, Responder::new(Limits::default())),
            listener: Listener::default(),
            books: Books {
                sessions: BTreeMap::new(),
                rng: ChaCha12Rng::from_seed(seed),
                wants_tags: settings.wants_tags,
                silent: u64::try_from(settings.silent.as_nanos()).unwrap_or(u64::MAX),
                refused: BTreeMap::new(),
                gave_way: None,
            },
            statistics: Vec::new(),
            immediates: 0,
            ended: [0; 3],
            watched: Instant::now(),
        })
    }

    /// What was counted, as [`statistics_names`] names it.
    pub fn counted(&self) -> Vec<u64> {
        let (made, port) = (self.listener.counters(), self.exchange.port.counters());
        let own = [
            self.books.sessions.len() as u64,
            made.accepted,
            made.refused,
            made.repeated,
            made.disconnected,
            made.half_open,
            self.ended[0],
            self.ended[1],
            self.ended[2],
            made.stale,
            made.malformed,
            made.unexpected,
            self.exchange.management_dropped(),
            self.immediates,
            port.received,
            port.sent,
            port.wrong_icrc,
            port.wrong_length,
            port.too_long,
            port.unsent,
        ];
        let counters = self.exchange.responder.counters();
        let counters = Counter::ALL.iter().map(|counter| counters.get(*counter));
        own.into_iter().chain(counters).chain([port.identified]).collect()
    }

    fn end(&mut self, qpn: u32) {
        self.books.end(qpn, &mut self.exchange.responder);
    }

    /// Ends connections whose process has ended, and those that have ended in an error.
    fn watch(&mut self, slow: &Slow) {
        let sessions = &self.books.sessions;
        let gone: Vec<u32> = slow.inspect(|space| {
            let gone = |session: &Session| space.may_join(session.pid, &session.token).is_err();
            sessions.iter().filter(|(_, session)| gone(session)).map(|(qpn, _)| *qpn).collect()
        });
        let responder = &self.exchange.responder;
        let failed = |qpn: &&u32| responder.is_over(**qpn) == Some(true);
        let failed: Vec<u32> = sessions.keys().filter(failed).copied().collect();
        for (which, qpns) in [gone, failed].into_iter().enumerate() {
            for qpn in qpns {
                if self.books.sessions.contains_key(&qpn) {
                    self.ended[which] += 1;
                    self.end(qpn);
                    self.listener.forget(qpn);
                }
            }
        }
        let now = self.exchange.now();
        for (qpn, session) in &mut self.books.sessions {
            let expected = self.exchange.responder.progress(*qpn).map(|(psn, _)| psn);
            if let Some(expected) = expected.filter(|expected| *expected != session.expected) {
                (session.expected, session.heard) = (expected, now);
            }
        }
        let heard =
            |qpn: &u32| self.books.sessions.get(qpn).is_none_or(|session| session.expected != session.first);
        for qpn in self.listener.half_open().filter(heard).collect::<Vec<_>>() {
            self.listener.heard(qpn);
        }
        while let Some(ended) = self.listener.on_time(now) {
            self.end(ended.qpn);
        }
    }

    /// Answers management datagrams. Whether there was one.
    fn manage(&mut self, slow: &Slow) -> bool {
        let mut any = false;
        while let Some(Management { peer, bytes }) = self.exchange.poll_management() {
            any = true;
            let now = self.exchange.now();
            let (books, responder) = (&mut self.books, &mut self.exchange.responder);
            let decide = |asked: &Asked<'_>| {
                books.make(now, asked, responder, slow).inspect_err(|refusal| books.count(*refusal))
            };
            let (reply, ended) = self.listener.receive(now, peer.octets(), &bytes, decide);
            if let Some(qpn) = self.books.gave_way.take() {
                self.ended[2] += 1;
                self.listener.forget(qpn);
            }
            if let Some(bytes) = reply {
                self.exchange.send_management(Management { peer, bytes });
            }
            if let Some(ended) = ended {
                self.end(ended.qpn);
            }
        }
        any
    }
}

impl Books {
    fn count(&mut self, refusal: Refusal) {
        let reason = match refusal {
            Refusal::Malformed => "malformed",
            Refusal::Kind => "kind",
            Refusal::Process => "process or token",
            Refusal::Tags => "tags",
            Refusal::Full => "full",
            Refusal::Range => "range",
            Refusal::Address => "address",
        };
        *self.refused.entry(reason).or_default() += 1;
    }

    fn end(&mut self, qpn: u32, responder: &mut Responder) {
        if let Some(session) = self.sessions.remove(&qpn) {
            // Both were made with the session.
            let _ = responder.destroy(qpn);
            let _ = responder.regions.remove(session.rkey);
        }
    }

    /// Makes a connection, or tells why not.
    fn make(
        &mut self,
        now: u64,
        asked: &Asked<'_>,
        responder: &mut Responder,
        slow: &Slow,
    ) -> Result<Accepted, Refusal> {
        let Asked { peer, request, ask } = asked;
        // Packets of RoCEv2 have no tag: a connection would be open to whoever forges them.
        if self.wants_tags {
            return Err(Refusal::Tags);
        }
        slow.inspect(|space| space.may_join(ask.pid, &ask.token)).map_err(|_| Refusal::Process)?;
        let silent = self.place(now, ask.pid, *peer)?;
        let qpn = self.qpn().ok_or(Refusal::Full)?;
        if let Some(silent) = silent {
            self.end(silent, responder);
            self.gave_way = Some(silent);
        }
        let (pid, region) = match ask.kind {
            Kind::Pages => {
                (ask.pid, Region { pid: ask.pid, va: ask.va, length: ask.length, access: ask.access })
            }
            Kind::Statistics => {
                let length = 8 * statistics_names().count() as u64;
                (STATISTICS, Region { pid: STATISTICS, va: 0, length, access: Access::READ })
            }
        };
        let first = Psn::from_low_bits(self.rng.random());
        let config = QueuePairConfig {
            pid,
            path_mtu: request.path_mtu,
            pkey: request.pkey,
            serves: Serves::Regions,
            ..QueuePairConfig::new(qpn, *peer, request.qpn, first)
        };
        let rkey = responder.regions.insert(self.rng.random(), region).map_err(|_| Refusal::Full)?;
        if responder.create(config).is_err() {
            let _ = responder.regions.remove(rkey);
            return Err(Refusal::Full);
        }
        for id in 0..IMMEDIATES {
            // It is new, and takes so many.
            let _ = responder.post_receive(qpn, id, Box::default());
        }
        let session =
            Session { peer: *peer, pid: ask.pid, token: ask.token, rkey, first, expected: first, heard: now };
        self.sessions.insert(qpn, session);
        let Region { va, length, access, .. } = region;
        let granted = Granted { pid: ask.pid, kind: ask.kind, access, rkey, va, length };
        Ok(Accepted { qpn, starting_psn: first, granted })
    }

    /// Whether a process and an address may have one more connection. Answers one that must end for it: the process's whose client has
    /// been silent longest.
    fn place(&self, now: u64, pid: u32, peer: [u8; 4]) -> Result<Option<u32>, Refusal> {
        let of = |what: &dyn Fn(&Session) -> bool| self.sessions.values().filter(|own| what(own)).count();
        let peer_full = of(&|own| own.peer == peer) >= PER_PEER;
        if !peer_full && of(&|own| own.pid == pid) < PER_PROCESS {
            return Ok(None);
        }
        let own = self.sessions.iter().filter(|(_, own)| own.pid == pid && (!peer_full || own.peer == peer));
        let silent = own.filter(|(_, own)| now.saturating_sub(own.heard) >= self.silent);
        silent.min_by_key(|(_, own)| own.heard).map(|(qpn, _)| Some(*qpn)).ok_or(Refusal::Full)
    }

    /// A free number. Connections are a quarter of all, so that a few tries find one.
    fn qpn(&mut self) -> Option<u32> {
        let tries = std::iter::repeat_with(|| QPN | self.rng.random::<u32>() >> (32 - QPN_BITS)).take(64);
        let sessions = &self.sessions;
        tries.into_iter().find(|qpn| !sessions.contains_key(qpn))
    }
}

impl Beside<Node<SoftFast>> for RdmaPort {
    fn serve(&mut self, node: &mut Node<SoftFast>) -> Result<bool, DaemonError> {
        let reads_statistics = self.books.sessions.keys().len() > 0;
        if self.watched.elapsed() >= WATCH {
            self.watched = Instant::now();
            self.watch(node.slow());
            if reads_statistics {
                self.statistics = self.counted().into_iter().flat_map(u64::to_le_bytes).collect();
            }
        }
        let mut memory = BoardMemory { fast: node.fast(), statistics: &self.statistics };
        let mut came = self.exchange.serve(&mut memory)?;
        if self.manage(node.slow()) {
            self.statistics = self.counted().into_iter().flat_map(u64::to_le_bytes).collect();
            let mut memory = BoardMemory { fast: node.fast(), statistics: &self.statistics };
            came |= self.exchange.serve(&mut memory)?;
        }
        while let Some(received) = self.exchange.responder.poll_received() {
            self.immediates += 1;
            let _ = self.exchange.responder.post_receive(received.qpn, received.id, received.buffer);
        }
        Ok(came)
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.exchange.port.as_fd())
    }
    fn rest(&self, most: Duration) -> Duration {
        let most = if self.books.sessions.is_empty() { most } else { most.min(WATCH) };
        self.exchange.rest(most)
    }
    fn counted(&self) -> Vec<(String, u64)> {
        let named = statistics_names().zip(RdmaPort::counted(self));
        let own = named.map(|(name, count)| (format!("RDMA {name}"), count));
        let refused = self.books.refused.iter();
        own.chain(refused.map(|(why, count)| (format!("RDMA connections refused: {why}"), *count))).collect()
    }
}
