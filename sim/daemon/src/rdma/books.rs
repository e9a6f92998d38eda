//! Who has which connection, and what it can reach.
use std::collections::BTreeMap;

use mneme_model::node::Slow;
use mneme_rdma::cm::{Accepted, Ask, Asked, ChainAsk, ChainGrant, Granted, Kind, Refusal};
use mneme_rdma::codec::Psn;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::node::{ChainConfig, Door, FRAME, Frames, SegmentConfig};
use mneme_rdma::responder::{QueuePairConfig, Responder, Serves};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::counts::statistics_names;
use super::door::RdmaSettings;
use super::memory::{BoardMemory, STATISTICS};

/// Connections of one process, at most.
pub const PER_PROCESS: usize = 64;
/// Connections of one address, at most.
pub const PER_PEER: usize = 256;
/// Immediates of a connection that may wait.
const IMMEDIATES: u64 = 16;
/// Nanoseconds after which a reply of a chain without acknowledge is sent again.
const REPLY_TIMEOUT: u64 = 20_000_000;
/// Queue pairs' numbers: 12 bits that nobody can guess, behind those of the software's own.
const QPN: u32 = 0x1000;
const QPN_BITS: u32 = 12;

/// A connection.
#[derive(Debug)]
pub(super) struct Session {
    pub peer: [u8; 4],
    pub pid: u32,
    pub token: [u8; 16],
    /// Of a native connection.
    pub rkey: Option<u32>,
    /// The segment whose end ends it.
    pub segment: Option<u32>,
    /// The numbers of the first packet and of the one that is expected now.
    pub first: Psn,
    pub expected: Psn,
    /// When another one was last seen to be expected, or the connection was made: nanoseconds of the exchange.
    pub heard: u64,
}

/// What the port needs to decide about connections.
#[derive(Debug)]
pub(super) struct Books {
    pub sessions: BTreeMap<u32, Session>,
    /// The table's address and the secret of segments that chains have been granted.
    tables: BTreeMap<u32, (u64, u64)>,
    pub rng: ChaCha12Rng,
    pub wants_tags: bool,
    silent: u64,
    pub refused: BTreeMap<&'static str, u64>,
    /// The queue pair of a connection that has just ended for another one; the listener does not know yet.
    pub gave_way: Option<u32>,
}

/// Where connections are made.
pub(super) struct Made<'a, 'd, 'm> {
    pub responder: &'a mut Responder,
    pub door: &'a mut Door<'d, BoardMemory<'m>>,
    pub slow: &'a Slow,
}

impl Books {
    pub fn new(settings: &RdmaSettings) -> Books {
        let mut seed = settings.seed;
        // Not the numbers that tokens come from.
        seed.iter_mut().for_each(|byte| *byte ^= 0x72);
        Books {
            sessions: BTreeMap::new(),
            tables: BTreeMap::new(),
            rng: ChaCha12Rng::from_seed(seed),
            wants_tags: settings.wants_tags,
            silent: u64::try_from(settings.silent.as_nanos()).unwrap_or(u64::MAX),
            refused: BTreeMap::new(),
            gave_way: None,
        }
    }

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

    pub fn end(&mut self, qpn: u32, responder: &mut Responder, door: &mut Door<'_, BoardMemory<'_>>) {
        let Some(session) = self.sessions.remove(&qpn) else { return };
        // Both were made with the session.
        let _ = door.destroy(responder, qpn);
        if let Some(rkey) = session.rkey {
            let _ = responder.regions.remove(rkey);
        }
        let last = |segment: &u32| self.sessions.values().all(|own| own.segment != Some(*segment));
        if let Some(segment) = session.segment.filter(last) {
            self.tables.remove(&segment);
        }
    }

    /// Makes a connection, or tells why not.
    pub fn make(
        &mut self,
        now: u64,
        asked: &Asked<'_>,
        made: &mut Made<'_, '_, '_>,
    ) -> Result<Accepted, Refusal> {
        let Asked { peer, ask, .. } = asked;
        // Packets of RoCEv2 have no tag: a connection would be open to whoever forges them.
        if self.wants_tags {
            return Err(Refusal::Tags);
        }
        made.slow.inspect(|space| space.may_join(ask.pid, &ask.token)).map_err(|_| Refusal::Process)?;
        let segment = match ask.kind {
            Kind::Pages | Kind::Statistics => None,
            Kind::Frames => Some(segment(made, ask)?.0),
            Kind::Chain(chain) => Some(table(made, ask, chain)?),
        };
        let silent = self.place(now, ask.pid, *peer)?;
        let qpn = self.qpn().ok_or(Refusal::Full)?;
        if let Some(silent) = silent {
            self.end(silent, made.responder, made.door);
            self.gave_way = Some(silent);
        }
        let first = Psn::from_low_bits(self.rng.random());
        let (granted, chain) = match (asked.chain, segment) {
            (Some(chain), Some(segment)) => {
                let (granted, table) = self.make_chain(made, asked, &chain, (qpn, first, segment))?;
                (granted, Some(table))
            }
            _ => (self.make_native(made, asked, (qpn, first))?, None),
        };
        let rkey = chain.is_none().then_some(granted.rkey);
        let (pid, token) = (ask.pid, ask.token);
        let session = Session { peer: *peer, pid, token, rkey, segment, first, expected: first, heard: now };
        self.sessions.insert(qpn, session);
        Ok(Accepted { qpn, starting_psn: first, granted, chain })
    }

    /// A queue pair on a region: board pages, pages of 4 KB, or what the board has counted.
    fn make_native(
        &mut self,
        Made { responder, door, .. }: &mut Made<'_, '_, '_>,
        Asked { peer, request, ask, .. }: &Asked<'_>,
        (qpn, first): (u32, Psn),
    ) -> Result<Granted, Refusal> {
        let (pid, region) = match ask.kind {
            Kind::Statistics => {
                let length = 8 * statistics_names().count() as u64;
                (STATISTICS, Region { pid: STATISTICS, va: 0, length, access: Access::READ })
            }
            _ => (ask.pid, Region { pid: ask.pid, va: ask.va, length: ask.length, access: ask.access }),
        };
        let config = QueuePairConfig {
            pid,
            path_mtu: request.path_mtu,
            pkey: request.pkey,
            serves: Serves::Regions,
            ..QueuePairConfig::new(qpn, *peer, request.qpn, first)
        };
        let rkey = responder.regions.insert(self.rng.random(), region).map_err(|_| Refusal::Full)?;
        let created = match ask.kind {
            Kind::Frames => door.create_native(responder, config, Some(region)).is_ok(),
            _ => {
                let created = responder.create(config).is_ok();
                // It is new, and takes so many.
                for id in 0..IMMEDIATES {
                    let _ = responder.post_receive(qpn, id, Box::default());
                }
                created
            }
        };
        if !created {
            let _ = responder.regions.remove(rkey);
            return Err(Refusal::Full);
        }
        let Region { va, length, access, .. } = region;
        Ok(Granted { pid: ask.pid, kind: ask.kind, access, rkey, va, length })
    }

    /// A queue pair of one of ODRP's functions. All of a segment have the same table and secret.
    fn make_chain(
        &mut self,
        Made { responder, door, .. }: &mut Made<'_, '_, '_>,
        Asked { peer, request, ask, .. }: &Asked<'_>,
        chain: &ChainAsk,
        (qpn, first, segment): (u32, Psn, u32),
    ) -> Result<(Granted, ChainGrant), Refusal> {
        let config = *door.frames.leaf().config(segment).ok_or(Refusal::Range)?;
        let (tt_base, key) = match self.tables.get(&segment) {
            Some(table) => *table,
            // Invented: no address of memory, and none that the next table has.
            None => (self.rng.random::<u64>() >> 1 & !7, self.rng.random()),
        };
        let made = ChainConfig {
            qpn,
            peer: *peer,
            peer_qpn: request.qpn,
            expected_psn: first,
            first_psn: request.starting_psn,
            path_mtu: request.path_mtu,
            profile: chain.profile,
            segment,
            tt_base,
            key: chain.profile.has_key().then_some(key),
            options: chain.options,
            hardened: chain.hardened,
            timeout: REPLY_TIMEOUT,
        };
        door.create_chain(responder, made).map_err(|_| Refusal::Full)?;
        self.tables.insert(segment, (tt_base, key));
        let SegmentConfig { va, entries, .. } = config;
        let length = u64::from(entries) * FRAME;
        let granted = Granted { pid: ask.pid, kind: ask.kind, access: ask.access, rkey: 0, va, length };
        Ok((granted, ChainGrant { tt_base, entries, key }))
    }

    /// Whether a process and an address may have one more connection. Answers one that must end for it: the process's whose client has
    /// been silent longest.
    pub fn place(&self, now: u64, pid: u32, peer: [u8; 4]) -> Result<Option<u32>, Refusal> {
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

/// The segment that has all of what is asked for.
fn segment(made: &Made<'_, '_, '_>, ask: &Ask) -> Result<(u32, SegmentConfig), Refusal> {
    if !made.door.frames.fast.has_leaf_unit() {
        return Err(Refusal::Kind);
    }
    let leaf = made.door.frames.leaf();
    let segment = leaf.overlapped(ask.pid, ask.va, ask.length).ok_or(Refusal::Range)?;
    let config = *leaf.config(segment).ok_or(Refusal::Range)?;
    let whole = Region {
        pid: config.pid,
        va: config.va,
        length: u64::from(config.entries) * FRAME,
        access: Access::ALL,
    };
    if whole.has(ask.va, ask.length, Access::default()) { Ok((segment, config)) } else { Err(Refusal::Range) }
}

/// The segment of a table, of which one of ODRP's functions is asked for: its client must want what the function does.
fn table(made: &Made<'_, '_, '_>, ask: &Ask, chain: Chain) -> Result<u32, Refusal> {
    let needed = if chain == Chain::Load { Access::READ } else { Access::WRITE };
    if !ask.access.covers(needed) {
        return Err(Refusal::Range);
    }
    segment(made, ask).map(|(segment, _)| segment)
}
