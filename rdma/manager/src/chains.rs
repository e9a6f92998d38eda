//! Chain queue pairs of the hardware's: ODRP's functions, each on the table of a segment.
use std::collections::BTreeMap;

use mneme_rdma::cm::{Asked, ChainAsk, ChainGrant, Granted, Refusal};
use mneme_rdma::codec::profile::{Chain, Field, Profile};
use mneme_rdma::codec::{Psn, ROCE_PORT};
use mneme_rdma::memory::Access;
use mneme_rdma::node::{FRAME, PagedCounters, ReplyOptions};
use mneme_rdma::requester::ACK_TIMEOUT_CODE;
use mneme_slowpath::space::FrameSpan;
use mneme_slowpath::{ChainPort, ChainQueuePair, ChainRow, FastPath};
use mneme_wire::ChainCounter;
use mneme_wire::chain::{CHAIN_HARDENED, CHAIN_IMMEDIATE, CHAIN_QPN_BIT, CHAIN_SIGNAL, CHAIN_TELL_EMPTY};
use rand::Rng;

use crate::books::{Books, Room};
use crate::pairs::{Made, tell};
use crate::places::Places;

/// 2^n ticks of 10 µs are about the time of the connection manager's code, 4.096 µs << code: code 0 is shorter than a tick.
const TIMEOUT: u32 = ACK_TIMEOUT_CODE as u32 - 1;
/// What the chains count that has no name among what any port tells. What they count of rights, empty rings and budgets has one, but by the
/// leaf unit, which counts it of everybody.
const OWN: [ChainCounter; 10] = [
    ChainCounter::Abandoned,
    ChainCounter::AnswerMalformed,
    ChainCounter::RepliesFailed,
    ChainCounter::ReplyPackets,
    ChainCounter::RepliesAgain,
    ChainCounter::ReplyTimeouts,
    ChainCounter::ReplyGaps,
    ChainCounter::ReplyNotReady,
    ChainCounter::AnswersStale,
    ChainCounter::AnswersUnknown,
];

/// The table of a segment as its clients see it: all of them the same.
#[derive(Clone, Copy)]
struct Table {
    base: u64,
    key: u64,
}

/// A segment of pages of 4 KB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    /// As the leaf unit numbers it.
    pub number: u32,
    /// Its first leaf table.
    pub table: u32,
    /// Its range of addresses.
    pub span: FrameSpan,
}

/// Who has which chain queue pair, and what they have counted.
pub(crate) struct Chains {
    places: Places,
    /// The first leaf table of the segment of each, by their numbers.
    pairs: BTreeMap<u32, u32>,
    /// By the first leaf table, of segments with queue pairs.
    tables: BTreeMap<u32, Table>,
    /// What was counted, and how the counters stood then.
    counted: Vec<(u64, u32)>,
    /// The counter that is looked at next.
    counter: usize,
}

impl std::fmt::Debug for Chains {
    /// Without secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chains").field("pairs", &self.pairs).finish_non_exhaustive()
    }
}

impl Chains {
    /// Of a board; one without chains has no place.
    pub fn of<F: FastPath>(fast: &mut F) -> Chains {
        Chains {
            places: Places::new(ChainPort::of(fast).map_or(0, |mut port| port.places())),
            pairs: BTreeMap::new(),
            tables: BTreeMap::new(),
            counted: vec![(0, 0); ChainCounter::ALL.len()],
            counter: 0,
        }
    }
    /// Queue pairs.
    pub fn len(&self) -> usize {
        self.places.len()
    }
    /// Room for new ones.
    pub fn room(&self) -> Room {
        Room { free: self.places.left(), has: Chains::has }
    }
    /// Whether a number is a chain's.
    pub fn has(qpn: u32) -> bool {
        qpn & CHAIN_QPN_BIT != 0
    }

    /// Makes a queue pair of one of ODRP's functions.
    pub fn make<F: FastPath>(
        &mut self,
        (Asked { peer, request, ask, .. }, chain): (&Asked<'_>, &ChainAsk),
        Segment { number, table: at, span }: Segment,
        peer_mac: [u8; 6],
        (Books { rng, cap, .. }, first): (&mut Books, Psn),
        fast: &mut F,
    ) -> Result<Made, Refusal> {
        let place = self.places.free(rng).ok_or(Refusal::Full)?;
        let qpn = self.places.number(place, rng.random::<u32>() >> 8) | CHAIN_QPN_BIT;
        // Invented: no address of memory, and none that the next table has.
        let new = Table { base: rng.random::<u64>() >> 1 & !7, key: rng.random() };
        let table = self.tables.get(&at).copied().unwrap_or(new);
        let pair = ChainQueuePair {
            qpn,
            peer_qpn: request.qpn,
            peer_ip: *peer,
            peer_mac,
            source_port: ROCE_PORT,
            pid: ask.pid,
            psn: first.number(),
            reply_psn: request.starting_psn.number(),
            mtu_code: request.path_mtu.code().into(),
            function: function(chain.profile.chain()),
            flags: flags(chain),
            timeout: TIMEOUT,
            rate: *cap,
            length: chain.profile.message_len() as u32,
            segment: number,
            key: chain.profile.has_key().then_some(table.key),
            base: table.base,
            rows: rows(&chain.profile),
        };
        let mut port = ChainPort::of(fast).ok_or(Refusal::Kind)?;
        port.create(&pair).map_err(|error| {
            tell(Err(error));
            Refusal::Full
        })?;
        self.places.take(qpn);
        self.pairs.insert(qpn, at);
        self.tables.insert(at, table);
        let (va, length) = (span.va, span.bytes);
        let granted = Granted { pid: ask.pid, kind: ask.kind, access: ask.access, rkey: 0, va, length };
        let entries = (length / FRAME) as u32;
        Ok((qpn, granted, Some(ChainGrant { tt_base: table.base, entries, key: table.key })))
    }

    /// Ends one.
    pub fn end<F: FastPath>(&mut self, qpn: u32, fast: &mut F) {
        let Some(mut port) = ChainPort::of(fast) else { return };
        tell(port.destroy(qpn));
        self.places.give_back(qpn);
        let Some(table) = self.pairs.remove(&qpn) else { return };
        if !self.pairs.values().any(|own| *own == table) {
            self.tables.remove(&table);
        }
    }

    /// The packet that a queue pair expects, and whether it has ended in an error.
    pub fn progress<F: FastPath>(fast: &mut F, qpn: u32) -> Option<(Psn, bool)> {
        let progress = ChainPort::of(fast)?.query(qpn).inspect_err(|error| tell(Err(*error))).ok()?;
        Some((Psn::from_low_bits(progress.expected), progress.in_error))
    }

    /// Looks at some counters, those behind the ones of the last time.
    pub fn look<F: FastPath>(&mut self, fast: &mut F, some: usize) {
        let Some(mut port) = ChainPort::of(fast) else { return };
        for _ in 0..some {
            let place = self.counter;
            self.counter = (place + 1) % ChainCounter::ALL.len();
            let (count, before) = &mut self.counted[place];
            let now = port.counter(ChainCounter::ALL[place]);
            *count += u64::from(now.wrapping_sub(*before));
            *before = now;
        }
    }
    /// What was counted.
    pub fn of_counter(&self, counter: ChainCounter) -> u64 {
        self.counted.get(counter.number() as usize).map_or(0, |(count, _)| *count)
    }
    /// What was done to pages. What the leaf unit counts, of everybody, is not among it.
    pub fn pages(&self) -> PagedCounters {
        let of = |counter| self.of_counter(counter);
        PagedCounters {
            loads: of(ChainCounter::Loads),
            mapped_stores: of(ChainCounter::MappedStores),
            unmapped_stores: of(ChainCounter::UnmappedStores),
            freed: of(ChainCounter::Freed),
            freed_nothing: of(ChainCounter::FreedNothing),
            unmapped: of(ChainCounter::Unmapped),
            outside: of(ChainCounter::Outside),
            wrong_key: of(ChainCounter::WrongKey),
            not_stored: of(ChainCounter::NotStored),
            replies_full: of(ChainCounter::RepliesFull),
            looked_up_again: of(ChainCounter::LookedAgain),
            ..PagedCounters::default()
        }
    }
    /// What has no name among what any port tells.
    pub fn named(&self) -> impl Iterator<Item = (String, u64)> {
        OWN.into_iter().map(|counter| (format!("RDMA chains {counter}"), self.of_counter(counter)))
    }
}

/// Whether hardware can serve what is asked for: the client wants what the function does, and all arguments come in the first packet.
pub(crate) fn check(Asked { request, ask, .. }: &Asked<'_>, chain: &ChainAsk) -> Result<(), Refusal> {
    let needed = if chain.profile.chain() == Chain::Load { Access::READ } else { Access::WRITE };
    if !ask.access.covers(needed) {
        return Err(Refusal::Range);
    }
    if chain.profile.suits(request.path_mtu) { Ok(()) } else { Err(Refusal::Malformed) }
}

const fn function(chain: Chain) -> u32 {
    match chain {
        Chain::Load => 0,
        Chain::MappedStore => 1,
        Chain::UnmappedStore => 2,
        Chain::Invalidate => 3,
    }
}

/// How it answers. A message that has no place for the magic has none.
fn flags(ChainAsk { profile, options, hardened }: &ChainAsk) -> u32 {
    let ReplyOptions { immediate, signal, tell_empty } = *options;
    let has = |field| profile.pairs().iter().any(|pair| pair.1 == field);
    let signal = signal && has(Field::Signal) && has(Field::Magic) && has(Field::Rkey);
    let flag = |is: bool, bit: u32| if is { bit } else { 0 };
    flag(*hardened, CHAIN_HARDENED)
        | flag(immediate, CHAIN_IMMEDIATE)
        | flag(signal, CHAIN_SIGNAL)
        | flag(tell_empty, CHAIN_TELL_EMPTY)
}

/// Where the arguments end.
fn rows(profile: &Profile) -> Vec<ChainRow> {
    let (mut rows, mut length) = (Vec::new(), 0);
    for (bytes, field) in profile.pairs() {
        length += u32::from(*bytes);
        if !matches!(field, Field::Skip | Field::Page) {
            rows.push(ChainRow { field: *field as u32, end: length - 1 });
        }
    }
    rows
}
