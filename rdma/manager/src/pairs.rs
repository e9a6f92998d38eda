//! Queue pairs and regions of the hardware, and those of software's that tell what was counted.
use std::fmt::Debug;

use mneme_rdma::cm::{Accepted, Ask, Asked, ChainGrant, Granted, Kind, Refusal};
use mneme_rdma::codec::{PathMtu, Psn, ROCE_PORT};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::responder::{QueuePairConfig, Responder};
use mneme_slowpath::{
    FastPath, PortRefused, RoceFrees, RocePort, RoceQueuePair, RoceRefused, RoceRegion, Slow,
};
use mneme_wire::chain::CHAIN_QPN_BIT;
use mneme_wire::register::{BUILD_CHAINS, BUILD_LEAF};
use mneme_wire::roce::{ROCE_QPN_FIRST, ROCE_RIGHT_ATOMIC, ROCE_RIGHT_READ, ROCE_RIGHT_WRITE};
use mneme_wire::{Register, RoceResult};
use rand::Rng;

use crate::books::{Books, PER_PROCESS, Room, Session};
use crate::chains::{Chains, Segment, check};
use crate::counts::statistics_names;
use crate::places::Places;
use crate::statistics::STATISTICS;

/// Numbers of software's queue pairs begin here, behind those of management.
const SOFTWARE: u32 = 0x800;
const _: () = assert!(2 * SOFTWARE == ROCE_QPN_FIRST);
/// Queue pairs of software's that tell what was counted: for more than one process.
pub(crate) const TELLERS: usize = 2 * PER_PROCESS;

/// The number of a queue pair, and what its client is granted.
pub(crate) type Made = (u32, Granted, Option<ChainGrant>);

/// A queue pair of the hardware's, and its region.
#[derive(Debug, Clone, Copy)]
pub struct PairAsk {
    /// The peer's addresses.
    pub peer: [u8; 4],
    /// Where answers go.
    pub peer_mac: [u8; 6],
    /// The peer's number of it.
    pub peer_qpn: u32,
    /// The partition.
    pub pkey: u16,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// The number of the first packet that comes.
    pub first: Psn,
    /// What it may access.
    pub region: Region,
    /// Which pages may be given up by it.
    pub frees: Option<RoceFrees>,
    /// What would end it is dropped.
    pub hardened: bool,
}

/// Who has which queue pair of the hardware's.
#[derive(Debug)]
pub struct Pairs {
    /// Places of native connections: each has the same in the tables of queue pairs and of regions.
    places: Places,
    /// Those of ODRP's functions.
    pub chains: Chains,
}

impl Pairs {
    /// Of a board with a port.
    pub fn of<F: FastPath>(fast: &mut F) -> Option<Pairs> {
        let (queue_pairs, regions) = RocePort::of(fast)?.places();
        Some(Pairs { places: Places::new(queue_pairs.min(regions)), chains: Chains::of(fast) })
    }
    /// Regions.
    pub fn len(&self) -> usize {
        self.places.len()
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
        let segment = match ask.kind {
            Kind::Pages | Kind::Statistics => None,
            Kind::Frames => Some(segment(ask, BUILD_LEAF, (fast, slow))?),
            Kind::Chain(_) => Some(table(asked, (fast, slow))?),
        };
        if let Some(silent) = books.place(now, ask.pid, *peer, self.room(ask.kind, books))? {
            if let Some(session) = books.sessions.remove(&silent) {
                self.end(silent, session.rkey, fast, responder);
            }
            books.gave_way = Some(silent);
        }
        let first = Psn::from_low_bits(books.rng.random());
        let (qpn, granted, chain) = match (ask.kind, &asked.chain, segment) {
            (Kind::Statistics, ..) => statistics(asked, books, responder, first)?,
            (Kind::Chain(_), Some(chain), Some(segment)) => {
                self.chains.make((asked, chain), segment, peer_mac, (&mut *books, first), fast)?
            }
            _ => {
                let frees = segment.map(|segment| frees(ask, segment));
                self.make_pages(asked, frees, peer_mac, books, fast, first)?
            }
        };
        let session = Session {
            peer: *peer,
            peer_mac,
            pid: ask.pid,
            token: ask.token,
            rkey: chain.is_none().then_some(granted.rkey),
            va: granted.va,
            segment: segment.map(|segment| segment.table),
            first,
            expected: first,
            heard: now,
            probed: now,
        };
        books.sessions.insert(qpn, session);
        Ok(Accepted { qpn, starting_psn: first, granted, chain })
    }

    /// Room in the table of which a connection of a kind takes a place.
    pub(crate) fn room(&self, kind: Kind, books: &Books) -> Room {
        match kind {
            Kind::Pages | Kind::Frames => {
                let has = |qpn| qpn >= ROCE_QPN_FIRST && !Chains::has(qpn);
                Room { free: self.places.left(), has }
            }
            Kind::Statistics => Room { free: TELLERS.saturating_sub(tellers(books)), has: is_teller },
            Kind::Chain(_) => self.chains.room(),
        }
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
    ) -> Result<Made, Refusal> {
        let Ask { pid, va, length, access, .. } = *ask;
        let pair = PairAsk {
            peer: *peer,
            peer_mac,
            peer_qpn: request.qpn,
            pkey: request.pkey,
            path_mtu: request.path_mtu,
            first,
            region: Region { pid, va, length, access },
            frees,
            hardened: ask.hardened,
        };
        let (qpn, rkey) = self.create(&pair, books, fast)?;
        Ok((qpn, Granted { pid, kind: ask.kind, access, rkey, va, length }, None))
    }

    /// Makes a queue pair and its region: its number, and the region's key.
    pub fn create<F: FastPath>(
        &mut self,
        ask: &PairAsk,
        books: &mut Books,
        fast: &mut F,
    ) -> Result<(u32, u32), Refusal> {
        let place = self.places.free(&mut books.rng).ok_or(Refusal::Full)?;
        let mut drawn = || books.rng.random::<u32>();
        let mut qpn = self.places.number(place, drawn() >> 8) & !CHAIN_QPN_BIT;
        let rkey = self.places.number(place, drawn());
        if qpn < ROCE_QPN_FIRST {
            qpn |= ROCE_QPN_FIRST;
        }
        let Region { pid, va, length, access } = ask.region;
        let region = RoceRegion { key: rkey, pid, va, length, rights: rights(access) };
        let pair = RoceQueuePair {
            qpn,
            peer_qpn: ask.peer_qpn,
            peer_ip: ask.peer,
            peer_mac: ask.peer_mac,
            source_port: ROCE_PORT,
            pkey: ask.pkey,
            pid,
            psn: ask.first.number(),
            mtu_code: ask.path_mtu.code().into(),
            rate: books.cap,
            frees: ask.frees,
            hardened: ask.hardened,
        };
        let mut port = RocePort::of(fast).ok_or(Refusal::Kind)?;
        port.grant(&region).map_err(refused)?;
        if let Err(error) = port.create(&pair) {
            tell(port.revoke(rkey));
            return Err(refused(error));
        }
        self.places.take(qpn);
        Ok((qpn, rkey))
    }

    /// Ends a queue pair and its region. The session is gone already.
    pub fn end<F: FastPath>(&mut self, qpn: u32, rkey: Option<u32>, fast: &mut F, responder: &mut Responder) {
        if qpn < ROCE_QPN_FIRST {
            // Both were made with the session.
            let _ = responder.destroy(qpn);
            let _ = rkey.map(|rkey| responder.regions.remove(rkey));
            return;
        }
        if Chains::has(qpn) {
            return self.chains.end(qpn, fast);
        }
        let Some(mut port) = RocePort::of(fast) else { return };
        tell(port.destroy(qpn));
        if let Some(rkey) = rkey {
            tell(port.revoke(rkey));
        }
        self.places.give_back(qpn);
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
        if Chains::has(qpn) {
            return Chains::progress(fast, qpn);
        }
        let progress = RocePort::of(fast)?.query(qpn).inspect_err(|error| tell(Err(*error))).ok()?;
        Some((Psn::from_low_bits(progress.expected), progress.in_error))
    }
}

/// The range of 4 KB pages that has all of what is asked for, on a board that was built for it.
fn segment<F: FastPath>(ask: &Ask, built: u32, (fast, slow): (&mut F, &Slow)) -> Result<Segment, Refusal> {
    if fast.read_register(Register::BuildFlags) & built != built {
        return Err(Refusal::Kind);
    }
    let span = slow.inspect(|space| space.frames_of(ask.pid, ask.va, ask.length)).ok_or(Refusal::Range)?;
    let table = u32::try_from(span.table).map_err(|_| Refusal::Range)?;
    let number = slow.segment_number(table).ok_or(Refusal::Range)?;
    Ok(Segment { number, table, span })
}

/// The same for one of ODRP's functions, as hardware serves them.
fn table<F: FastPath>(asked: &Asked<'_>, (fast, slow): (&mut F, &Slow)) -> Result<Segment, Refusal> {
    let segment = segment(&asked.ask, BUILD_LEAF | BUILD_CHAINS, (fast, slow))?;
    check(asked, asked.chain.as_ref().ok_or(Refusal::Malformed)?)?;
    Ok(segment)
}

/// Which pages may be given up: all that may be written.
fn frees(ask: &Ask, Segment { number, span, .. }: Segment) -> RoceFrees {
    let length = if ask.access.write { ask.length } else { 0 };
    RoceFrees::of(number, span.va, ask.va, length)
}

/// A number that no queue pair of software's has.
pub(crate) fn software_number(rng: &mut impl Rng, responder: &Responder) -> Option<u32> {
    // They are half of all that software's can be, and few are in use: a few tries find one.
    let mut tries = std::iter::repeat_with(|| SOFTWARE | (rng.random::<u32>() % SOFTWARE)).take(64);
    tries.find(|qpn| responder.in_error(*qpn).is_none())
}

/// Whether a connection's queue pair is one of software's.
const fn is_teller(qpn: u32) -> bool {
    qpn < ROCE_QPN_FIRST
}
fn tellers(books: &Books) -> usize {
    books.sessions.keys().filter(|qpn| is_teller(**qpn)).count()
}

/// A queue pair of software's that tells what was counted.
fn statistics(
    Asked { peer, request, ask, .. }: &Asked<'_>,
    books: &mut Books,
    responder: &mut Responder,
    first: Psn,
) -> Result<Made, Refusal> {
    let (va, length) = (0, 8 * statistics_names().count() as u64);
    let region = Region { pid: STATISTICS, va, length, access: Access::READ };
    if tellers(books) >= TELLERS {
        return Err(Refusal::Full);
    }
    let qpn = software_number(&mut books.rng, responder).ok_or(Refusal::Full)?;
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
    let granted = Granted { pid: ask.pid, kind: ask.kind, access: Access::READ, rkey, va, length };
    Ok((qpn, granted, None))
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
pub(crate) fn tell<R: Debug>(ended: Result<(), PortRefused<R>>) {
    if let Err(error) = ended {
        tracing::error!(%error, "the board's RDMA port");
    }
}
