//! Queue pairs and regions of the hardware, and those of software's that tell what was counted.
use std::collections::BTreeSet;

use mneme_rdma::cm::{Accepted, Ask, Asked, Granted, Kind, Refusal};
use mneme_rdma::codec::{Psn, ROCE_PORT};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::responder::{QueuePairConfig, Responder};
use mneme_slowpath::{FastPath, RoceFrees, RocePort, RoceQueuePair, RoceRefused, RoceRegion, Slow};
use mneme_wire::register::BUILD_LEAF;
use mneme_wire::roce::{ROCE_QPN_FIRST, ROCE_RIGHT_ATOMIC, ROCE_RIGHT_READ, ROCE_RIGHT_WRITE};
use mneme_wire::{Register, RoceResult};
use rand::Rng;

use crate::books::{Books, Session};
use crate::counts::statistics_names;
use crate::statistics::STATISTICS;

/// Numbers of software's queue pairs begin here, behind those of management.
const SOFTWARE: u32 = 0x800;

/// Who has which place of the hardware's tables. A connection has the same place in both.
#[derive(Debug)]
pub struct Pairs {
    places: u32,
    taken: BTreeSet<u32>,
}

impl Pairs {
    /// So many places, a power of two.
    pub fn new(places: u32) -> Pairs {
        Pairs { places, taken: BTreeSet::new() }
    }
    /// Regions.
    pub fn len(&self) -> usize {
        self.taken.len()
    }
    fn place(&self, number: u32) -> u32 {
        number & (self.places - 1)
    }

    /// Makes a connection, or tells why not.
    pub fn make<F: FastPath>(
        &mut self,
        (now, peer_mac): (u64, [u8; 6]),
        asked: &Asked<'_>,
        books: &mut Books,
        responder: &mut Responder,
        (fast, slow): (&mut F, &Slow),
    ) -> Result<Accepted, Refusal> {
        let Asked { peer, ask, .. } = asked;
        // Packets of RoCEv2 have no tag: a connection would be open to whoever forges them.
        if books.wants_tags {
            return Err(Refusal::Tags);
        }
        slow.inspect(|space| space.may_join(ask.pid, &ask.token)).map_err(|_| Refusal::Process)?;
        let frames = match ask.kind {
            Kind::Pages | Kind::Statistics => None,
            Kind::Frames => Some(segment(ask, fast, slow)?),
            // The port has no chains yet.
            Kind::Chain(_) => return Err(Refusal::Kind),
        };
        if let Some(silent) = books.place(now, ask.pid, *peer)? {
            if let Some(session) = books.sessions.remove(&silent) {
                self.end(silent, session.rkey, fast, responder);
            }
            books.gave_way = Some(silent);
        }
        let first = Psn::from_low_bits(books.rng.random());
        let (qpn, granted) = match ask.kind {
            Kind::Statistics => statistics(asked, books, responder, first)?,
            _ => self.make_pages(asked, frames.map(|(_, frees)| frees), peer_mac, books, fast, first)?,
        };
        let session = Session {
            peer: *peer,
            peer_mac,
            pid: ask.pid,
            token: ask.token,
            rkey: Some(granted.rkey),
            va: granted.va,
            segment: frames.map(|(table, _)| table),
            first,
            expected: first,
            heard: now,
        };
        books.sessions.insert(qpn, session);
        Ok(Accepted { qpn, starting_psn: first, granted, chain: None })
    }

    /// A queue pair of the hardware's on board pages or pages of 4 KB, which the board tells apart by its page table.
    fn make_pages<F: FastPath>(
        &mut self,
        Asked { peer, request, ask, .. }: &Asked<'_>,
        frees: Option<RoceFrees>,
        peer_mac: [u8; 6],
        books: &mut Books,
        fast: &mut F,
        first: Psn,
    ) -> Result<(u32, Granted), Refusal> {
        let begin = self.place(books.rng.random());
        let mut places = (0..self.places).map(|step| self.place(begin.wrapping_add(step)));
        let place = places.find(|place| !self.taken.contains(place)).ok_or(Refusal::Full)?;
        // All other bits are what nobody can guess.
        let mut number = || books.rng.random::<u32>() & !(self.places - 1) | place;
        let (mut qpn, rkey) = (number() >> 8, number());
        qpn = qpn & !(self.places - 1) | place;
        if qpn < ROCE_QPN_FIRST {
            qpn |= ROCE_QPN_FIRST;
        }
        let Ask { pid, va, length, access, .. } = *ask;
        let region = RoceRegion { key: rkey, pid, va, length, rights: rights(access) };
        let pair = RoceQueuePair {
            qpn,
            peer_qpn: request.qpn,
            peer_ip: *peer,
            peer_mac,
            source_port: ROCE_PORT,
            pkey: request.pkey,
            pid,
            psn: first.number(),
            mtu_code: request.path_mtu.code().into(),
            frees,
        };
        let mut port = RocePort::of(fast).ok_or(Refusal::Kind)?;
        port.grant(&region).map_err(refused)?;
        if let Err(error) = port.create(&pair) {
            tell(port.revoke(rkey));
            return Err(refused(error));
        }
        self.taken.insert(place);
        Ok((qpn, Granted { pid, kind: ask.kind, access, rkey, va, length }))
    }

    /// Ends a queue pair and its region. The session is gone already.
    pub fn end<F: FastPath>(&mut self, qpn: u32, rkey: Option<u32>, fast: &mut F, responder: &mut Responder) {
        if qpn < ROCE_QPN_FIRST {
            // Both were made with the session.
            let _ = responder.destroy(qpn);
            let _ = rkey.map(|rkey| responder.regions.remove(rkey));
            return;
        }
        let Some(mut port) = RocePort::of(fast) else { return };
        tell(port.destroy(qpn));
        if let Some(rkey) = rkey {
            tell(port.revoke(rkey));
        }
        self.taken.remove(&self.place(qpn));
    }

    /// The packet that a queue pair expects, and whether it has ended in an error.
    pub fn progress<F: FastPath>(
        &self,
        qpn: u32,
        fast: &mut F,
        responder: &Responder,
    ) -> Option<(Psn, bool)> {
        if qpn < ROCE_QPN_FIRST {
            let (expected, _) = responder.progress(qpn)?;
            return Some((expected, responder.is_over(qpn) == Some(true)));
        }
        let progress = RocePort::of(fast)?.query(qpn).inspect_err(|error| tell(Err(*error))).ok()?;
        Some((Psn::from_low_bits(progress.expected), progress.in_error))
    }
}

/// The first leaf table of the range of 4 KB pages that has all of what is asked for, and which pages may be given up: all that may be
/// written.
fn segment<F: FastPath>(ask: &Ask, fast: &mut F, slow: &Slow) -> Result<(u32, RoceFrees), Refusal> {
    if fast.read_register(Register::BuildFlags) & BUILD_LEAF == 0 {
        return Err(Refusal::Kind);
    }
    let range = slow.inspect(|space| space.frames_of(ask.pid, ask.va, ask.length));
    let (table, base) = range.ok_or(Refusal::Range)?;
    let table = u32::try_from(table).map_err(|_| Refusal::Range)?;
    let number = slow.segment_number(table).ok_or(Refusal::Range)?;
    let length = if ask.access.write { ask.length } else { 0 };
    Ok((table, RoceFrees::of(number, base, ask.va, length)))
}

/// A queue pair of software's that tells what was counted.
fn statistics(
    Asked { peer, request, ask, .. }: &Asked<'_>,
    books: &mut Books,
    responder: &mut Responder,
    first: Psn,
) -> Result<(u32, Granted), Refusal> {
    let (va, length) = (0, 8 * statistics_names().count() as u64);
    let region = Region { pid: STATISTICS, va, length, access: Access::READ };
    // They are half of all that software's can be, and few are in use: a few tries find one.
    let tries = std::iter::repeat_with(|| SOFTWARE | (books.rng.random::<u32>() % SOFTWARE)).take(64);
    let taken: BTreeSet<u32> = books.sessions.keys().copied().collect();
    let qpn = tries.into_iter().find(|qpn| !taken.contains(qpn)).ok_or(Refusal::Full)?;
    let rkey = responder.regions.insert(books.rng.random(), region).map_err(|_| Refusal::Full)?;
    let config = QueuePairConfig {
        pid: STATISTICS,
        path_mtu: request.path_mtu,
        pkey: request.pkey,
        ..QueuePairConfig::new(qpn, *peer, request.qpn, first)
    };
    if responder.create(config).is_err() {
        // It has just been made.
        let _ = responder.regions.remove(rkey);
        return Err(Refusal::Full);
    }
    Ok((qpn, Granted { pid: ask.pid, kind: ask.kind, access: Access::READ, rkey, va, length }))
}

fn rights(access: Access) -> u32 {
    let right = |has: bool, bit: u32| if has { bit } else { 0 };
    right(access.read, ROCE_RIGHT_READ)
        | right(access.write, ROCE_RIGHT_WRITE)
        | right(access.atomic, ROCE_RIGHT_ATOMIC)
}

/// What a client is told of a command that was not done.
fn refused(error: RoceRefused) -> Refusal {
    if error == RoceRefused::Result(RoceResult::Range) {
        return Refusal::Range;
    }
    tell(Err(error));
    Refusal::Full
}

/// Commands for what there is are done: others tell of a fault of the board, or of this program.
fn tell(ended: Result<(), RoceRefused>) {
    if let Err(error) = ended {
        tracing::error!(%error, "the board's RDMA port");
    }
}
