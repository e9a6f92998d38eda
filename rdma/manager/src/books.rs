//! Who has which connection, and the shares of processes and addresses.
use std::collections::BTreeMap;
use std::time::Duration;

use mneme_rdma::cm::Refusal;
use mneme_rdma::codec::Psn;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

/// Connections of one process, at most.
pub const PER_PROCESS: usize = 64;
/// Connections of one address, at most.
pub const PER_PEER: usize = 256;
/// Room in the table of which a new connection takes a place. A process and an address may each have as many of them as are free:
/// the first one half, and the next one finds some whatever the others have.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Places that are nobody's.
    pub free: usize,
    /// Whether a queue pair has a place of it, by its number.
    pub has: fn(u32) -> bool,
}

/// How long the client of a connection must have been silent before the connection ends for another one of its process, whose share is in
/// use. RoCEv2 has no sign of life: nobody else ends the connections of clients that were killed while their process lives.
pub const SILENT: Duration = Duration::from_secs(60);

/// How long a client is asked in vain, beyond what it may be silent, before its connection ends.
pub const GRACE: Duration = Duration::from_secs(10);
/// How often the client of a silent connection is asked whether it is there: four times in what it may be silent, but so often at most, and
/// at least.
const ASKED_EVERY: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(15)];
/// Connections that one look looks at, in turn: of a port in hardware each answer takes some dozens of the board's cycles.
const LOOKS: usize = 8;

/// What decides about connections.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Where numbers and keys come from.
    pub seed: [u8; 32],
    /// The board serves only who proves himself with tags: then nobody gets a connection.
    pub wants_tags: bool,
    /// As [`SILENT`], which is what boards take.
    pub silent: Duration,
    /// The most that answers of one connection take, in bytes a period (`mneme_rdma::responder::Rate::cap_of`); 0: as much as can be.
    pub cap: u32,
}

/// A connection.
#[derive(Debug)]
pub struct Session {
    /// Its client's address.
    pub peer: [u8; 4],
    /// Where answers go: what the client's request came from, itself or a router.
    pub peer_mac: [u8; 6],
    /// The process.
    pub pid: u32,
    /// And what was shown for it.
    pub token: [u8; 16],
    /// Of a native connection.
    pub rkey: Option<u32>,
    /// Where its region begins.
    pub va: u64,
    /// The segment whose end ends it; of a port in hardware its first leaf table.
    pub segment: Option<u32>,
    /// The number of the first packet.
    pub first: Psn,
    /// And of the one that is expected now.
    pub expected: Psn,
    /// When the client was last heard of: another packet was seen to be expected, it said that it is there, or the connection was made.
    /// Nanoseconds of the port.
    pub heard: u64,
    /// When it was last asked whether it is there.
    pub probed: u64,
}

/// A queue pair that was lent without a request of the connection manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lent {
    /// The address that has it.
    pub peer: [u8; 4],
    /// The process whose memory it reaches; `None`: it is software's, and reaches none.
    pub pid: Option<u32>,
}

/// What a look at connections has found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Processes of which clients were heard, with their tokens: their leases begin anew.
    pub heard: Vec<(u32, [u8; 16])>,
    /// Queue pairs whose clients are to be asked whether they are there.
    pub probe: Vec<u32>,
    /// Queue pairs whose clients have been silent for too long: they are to end.
    pub silent: Vec<u32>,
}

/// What a port needs to decide about connections.
#[derive(Debug)]
pub struct Books {
    /// Connections, by the numbers of their queue pairs.
    pub sessions: BTreeMap<u32, Session>,
    /// Queue pairs that are lent: they count as connections of their address and process, and give way to none.
    pub lent: BTreeMap<u32, Lent>,
    /// Where numbers and keys come from.
    pub rng: ChaCha12Rng,
    /// Nobody gets a connection.
    pub wants_tags: bool,
    silent: u64,
    /// As [`Rules::cap`].
    pub cap: u32,
    /// How many got none, by the reason.
    pub refused: BTreeMap<&'static str, u64>,
    /// The queue pair of a connection that has just ended for another one; the listener does not know yet.
    pub gave_way: Option<u32>,
    /// The connection that was looked at last.
    looked: u32,
}

impl Books {
    /// Without connections.
    pub fn new(rules: &Rules) -> Books {
        let mut seed = rules.seed;
        // Not the numbers that tokens come from.
        seed.iter_mut().for_each(|byte| *byte ^= 0x72);
        Books {
            sessions: BTreeMap::new(),
            lent: BTreeMap::new(),
            rng: ChaCha12Rng::from_seed(seed),
            wants_tags: rules.wants_tags,
            silent: nanoseconds(rules.silent),
            cap: rules.cap,
            refused: BTreeMap::new(),
            gave_way: None,
            looked: 0,
        }
    }

    /// Counts one that got none.
    pub fn count(&mut self, refusal: Refusal) {
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

    /// Whether a process and an address may have one more connection, and one more place of its table. Answers one that must end for it:
    /// the process's whose client has been silent longest.
    pub fn place(&self, now: u64, pid: u32, peer: [u8; 4], table: Room) -> Result<Option<u32>, Refusal> {
        let inside = table.has;
        // Whether there are too many of all connections, and of those in the table. What is lent of software's has a table of its own.
        let full = |most: usize, what: &dyn Fn(&Lent) -> bool| {
            let own = || self.owners().filter(|(_, own)| what(own));
            let here = own().filter(|(qpn, own)| own.pid.is_some() && inside(*qpn)).count();
            (own().count() >= most, here >= table.free)
        };
        let (peer_full, peer_here) = full(PER_PEER, &|own| own.peer == peer);
        let (process_full, process_here) = full(PER_PROCESS, &|own| own.pid == Some(pid));
        if !(peer_full || peer_here || process_full || process_here) {
            return Ok(None);
        }
        let helps = |qpn: u32, own: &Session| {
            (own.peer == peer || !(peer_full || peer_here)) && (inside(qpn) || !(peer_here || process_here))
        };
        let own = self.sessions.iter().filter(|(qpn, own)| own.pid == pid && helps(**qpn, own));
        let silent = own.filter(|(_, own)| now.saturating_sub(own.heard) >= self.silent);
        silent.min_by_key(|(_, own)| own.heard).map(|(qpn, _)| Some(*qpn)).ok_or(Refusal::Full)
    }

    /// All queue pairs that somebody has, and whose they are.
    fn owners(&self) -> impl Iterator<Item = (u32, Lent)> {
        let connected = |(qpn, own): (&u32, &Session)| (*qpn, Lent { peer: own.peer, pid: Some(own.pid) });
        self.sessions.iter().map(connected).chain(self.lent.iter().map(|(qpn, own)| (*qpn, *own)))
    }
    /// Whether somebody may be lent one more, by the rules of [`Books::place`]; none gives way for it.
    pub fn may_lend(&self, to: Lent, table: Room) -> bool {
        let Lent { peer, pid } = to;
        let own = || self.owners().filter(|(_, own)| own.peer == peer);
        // Software's have a table of their own, where none is a connection's.
        let here = own().filter(|(qpn, own)| own.pid.is_some() == pid.is_some() && (table.has)(*qpn)).count();
        let process = |pid| self.owners().filter(|(_, own)| own.pid == Some(pid)).count();
        own().count() < PER_PEER && here < table.free && pid.is_none_or(|pid| process(pid) < PER_PROCESS)
    }

    /// Looks at some connections, those behind the ones of the last time. `progress` tells which packet a queue pair expects, `lease` how
    /// long a process may be silent, in nanoseconds, 0 = for ever.
    ///
    /// A connection may be silent for as long as its process, which may be kept by others; where that is for ever, for as long as one that
    /// gives way. It is asked meanwhile, and ends [`GRACE`] later.
    pub fn look(
        &mut self,
        now: u64,
        mut progress: impl FnMut(u32) -> Option<Psn>,
        lease: impl Fn(u32) -> u64,
    ) -> Looked {
        let last = self.looked;
        let behind = self.sessions.range(last.saturating_add(1)..).chain(self.sessions.range(..=last));
        let some: Vec<u32> = behind.map(|(qpn, _)| *qpn).take(LOOKS).collect();
        let (silent, [often, seldom]) = (self.silent, ASKED_EVERY.map(nanoseconds));
        let mut looked = Looked::default();
        for qpn in some {
            self.looked = qpn;
            let expected = progress(qpn);
            let Some(session) = self.sessions.get_mut(&qpn) else { continue };
            if let Some(expected) = expected.filter(|expected| *expected != session.expected) {
                (session.expected, session.heard) = (expected, now);
                looked.heard.push((session.pid, session.token));
            }
            let may = match lease(session.pid) {
                0 => silent,
                lease => lease,
            };
            let (since, every) = (now.saturating_sub(session.heard), (may / 4).clamp(often, seldom));
            if since >= may.saturating_add(nanoseconds(GRACE)) {
                looked.silent.push(qpn);
            } else if since >= every && now.saturating_sub(session.probed) >= every {
                session.probed = now;
                looked.probe.push(qpn);
            }
        }
        looked
    }
    /// The client of a queue pair has said that it is there. Its process and the token, whose lease begins anew.
    pub fn heard(&mut self, now: u64, qpn: u32) -> Option<(u32, [u8; 16])> {
        let session = self.sessions.get_mut(&qpn)?;
        session.heard = now;
        Some((session.pid, session.token))
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
