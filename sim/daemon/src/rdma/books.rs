//! Who has which connection, and what it can reach.
use std::collections::BTreeMap;

use mneme_model::node::Slow;
use mneme_rdma::cm::{Accepted, Ask, Asked, ChainAsk, ChainGrant, Granted, Kind, Refusal};
use mneme_rdma::codec::Psn;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::node::{ChainConfig, Door, FRAME, Frames, SegmentConfig};
use mneme_rdma::requester::ACK_TIMEOUT;
use mneme_rdma::responder::{QueuePairConfig, Responder, Serves};
use mneme_rdma_manager::{Books, Room, STATISTICS, Session, statistics_names};
use rand::Rng;

use super::door::RdmaSettings;
use super::line::peer_mac;
use super::memory::BoardMemory;

/// Immediates of a connection that may wait.
const IMMEDIATES: u64 = 16;
/// Queue pairs' numbers: 12 bits that nobody can guess, behind those of the software's own.
const QPN: u32 = 0x1000;
const QPN_BITS: u32 = 12;

/// What the port needs to decide about connections.
#[derive(Debug)]
pub(super) struct SoftBooks {
    pub books: Books,
    /// The table's address and the secret of segments that chains have been granted.
    tables: BTreeMap<u32, (u64, u64)>,
}

/// Where connections are made.
pub(super) struct Made<'a, 'd, 'm> {
    pub responder: &'a mut Responder,
    pub door: &'a mut Door<'d, BoardMemory<'m>>,
    pub slow: &'a Slow,
}

impl SoftBooks {
    pub fn new(settings: &RdmaSettings) -> SoftBooks {
        SoftBooks { books: Books::new(&settings.rules()), tables: BTreeMap::new() }
    }

    pub fn end(&mut self, qpn: u32, responder: &mut Responder, door: &mut Door<'_, BoardMemory<'_>>) {
        let Some(session) = self.books.sessions.remove(&qpn) else { return };
        // Both were made with the session.
        let _ = door.destroy(responder, qpn);
        if let Some(rkey) = session.rkey {
            let _ = responder.regions.remove(rkey);
        }
        let last = |segment: &u32| self.books.sessions.values().all(|own| own.segment != Some(*segment));
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
        if self.books.wants_tags {
            return Err(Refusal::Tags);
        }
        made.slow.inspect(|space| space.may_join(ask.pid, &ask.token)).map_err(|_| Refusal::Process)?;
        let segment = match ask.kind {
            Kind::Pages | Kind::Statistics => None,
            Kind::Frames => Some(segment(made, ask)?.0),
            Kind::Chain(chain) => Some(table(made, ask, chain)?),
        };
        // All are in one table.
        let room = Room { free: made.responder.room(), has: |_| true };
        let silent = self.books.place(now, ask.pid, *peer, room)?;
        let qpn = self.qpn().ok_or(Refusal::Full)?;
        if let Some(silent) = silent {
            self.end(silent, made.responder, made.door);
            self.books.gave_way = Some(silent);
        }
        let first = Psn::from_low_bits(self.books.rng.random());
        let (granted, chain) = match (asked.chain, segment) {
            (Some(chain), Some(segment)) => {
                let (granted, table) = self.make_chain(made, asked, &chain, (qpn, first, segment))?;
                (granted, Some(table))
            }
            _ => (self.make_native(made, asked, (qpn, first))?, None),
        };
        let rkey = chain.is_none().then_some(granted.rkey);
        let (pid, token) = (ask.pid, ask.token);
        let peer_mac = peer_mac(*peer);
        let session = Session {
            peer: *peer,
            peer_mac,
            pid,
            token,
            rkey,
            va: granted.va,
            segment,
            first,
            expected: first,
            heard: now,
            probed: now,
        };
        self.books.sessions.insert(qpn, session);
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
            hardened: ask.hardened,
            ..QueuePairConfig::new(qpn, *peer, request.qpn, first)
        };
        let rkey = responder.regions.insert(self.books.rng.random(), region).map_err(|_| Refusal::Full)?;
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
            None => (self.books.rng.random::<u64>() >> 1 & !7, self.books.rng.random()),
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
            timeout: ACK_TIMEOUT,
            // What the responder's limits say.
            rate: 0,
        };
        door.create_chain(responder, made).map_err(|_| Refusal::Full)?;
        self.tables.insert(segment, (tt_base, key));
        let SegmentConfig { va, entries, .. } = config;
        let length = u64::from(entries) * FRAME;
        let granted = Granted { pid: ask.pid, kind: ask.kind, access: ask.access, rkey: 0, va, length };
        Ok((granted, ChainGrant { tt_base, entries, key }))
    }

    /// A free number. Connections are a quarter of all, so that a few tries find one.
    fn qpn(&mut self) -> Option<u32> {
        let tries =
            std::iter::repeat_with(|| QPN | self.books.rng.random::<u32>() >> (32 - QPN_BITS)).take(64);
        let sessions = &self.books.sessions;
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
