//! What a board may be out of, by the test's own count of what was given to it and of what came back.
//!
//! Every count is a bound from above: a frame counts until something shows that it has left. So a board is never blamed for a queue that may have
//! been full, and always for one that cannot have been.
use std::collections::{HashSet, VecDeque};

use mneme_model::port::FilterHash;
use mneme_model::soft::{BoardRequest, BoardShape, GROUPS, Key};
use mneme_wire::{Tick, crc32c};

/// Packet slots that may be on their way back although the answers of their frames have been taken: none. A slot is given back before the last beat of
/// its answer leaves, and a register access or 8 cycles lie between that and the next frame.
const SLOTS_RETURNING: usize = 0;
/// Frames of the slow ring that hold their place although the slow path has them: the place of the one that left last is free a few
/// cycles after its last beat.
const PLACES_RETURNING: u64 = 1;
/// Cycles in which the board's scrubber frees all entries whose turn has come while there is other work, with a reserve.
const SCRUB_CYCLES: u32 = 1 << 12;
/// Windows that runs have, in ticks.
pub const WINDOWS: [u32; 3] = [16, 64, 256];
/// A tick that cannot jump leaves time for so many: by no more does a window change there.
pub const FEW_TICKS: u32 = 6;
/// A filter of fewer entries has half as many groups of sources (contracts §2).
const FEW_ENTRIES: usize = 256;

/// What a frame may have met when it came to the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Entered {
    /// The board's tick was this, or later.
    pub tick: Tick,
    /// All packet slots may have been taken.
    pub may_be_lost: bool,
    /// The slow ring may have been full.
    pub ring_may_be_full: bool,
}

/// Free pages that the board had for sure when a request came that was sent later than `since`.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    since: u64,
    pages: u64,
}

/// Who may hold an entry of the retry filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Holder {
    /// The operation.
    pub key: Key,
    /// Service class of its pid.
    pub class: u8,
}

impl Holder {
    /// The holder of a request's entry.
    pub fn of(request: &BoardRequest) -> Holder {
        Holder { key: Key::of(request), class: request.pid.class() }
    }
}

/// The counts.
pub struct Occupancy {
    shape: BoardShape,
    hash: FilterHash,
    slow_places: u64,
    /// Frames for the slow path that were given to the board and not refused, since its start.
    slow_sent: u64,
    /// Operations that have an entry of the retry filter, each with the tick of its last answer, in the order of these.
    entries: VecDeque<(Holder, Tick)>,
    /// The last jump of the tick, from and to: the scrubber has to catch up with it.
    jump: Option<(Tick, Tick)>,
    /// The longest window that the run has had: a quarter of it is what an entry may have been ahead.
    longest: u32,
    /// Free pages at the last rest, and when the level was read last.
    rest: Level,
    read: Level,
}

impl Occupancy {
    /// A board after reset.
    pub fn new(shape: BoardShape, hash: FilterHash, slow_places: u64) -> Occupancy {
        let (rest, read) = (Level::default(), Level::default());
        Occupancy {
            shape,
            hash,
            slow_places,
            slow_sent: 0,
            entries: VecDeque::new(),
            jump: None,
            longest: 0,
            rest,
            read,
        }
    }

    /// A frame comes. `holding`: frames for the fast path that may hold a slot; `slow_taken`: frames that the slow path has got since the board's start.
    pub fn enters(&self, tick: Tick, holding: usize, slow_taken: u64) -> Entered {
        let in_ring = self.slow_sent.saturating_sub(slow_taken);
        Entered {
            tick,
            may_be_lost: holding + in_ring as usize + SLOTS_RETURNING >= self.shape.packet_slots,
            ring_may_be_full: in_ring + PLACES_RETURNING >= self.slow_places,
        }
    }
    /// The frame that came was one for the slow path.
    pub fn slow_enters(&mut self) {
        self.slow_sent += 1;
    }
    /// The slow ring has refused one.
    pub fn slow_refused(&mut self) {
        self.slow_sent = self.slow_sent.saturating_sub(1);
    }
    /// The board is at rest: what the slow path did not get was lost.
    pub fn slow_rests(&mut self, taken: u64) {
        self.slow_sent = taken;
    }

    /// An operation that has an entry of the filter was answered at this tick.
    pub fn holds_entry(&mut self, holder: Holder, answered: Tick) {
        self.entries.push_back((holder, answered));
    }
    /// How many there may be of those, at most.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }
    /// The board is at rest: whatever comes is decided at this tick or later.
    pub fn filter_rests(&mut self, tick: Tick, window: u32) {
        self.longest = self.longest.max(window);
        // The software board forgets an entry when it needs its place: one that a short window let go may come back with a longer one.
        let longest = WINDOWS.into_iter().fold(window + FEW_TICKS, u32::max);
        let kept = self.kept(longest);
        self.entries.retain(|(_, at)| tick.since(*at) <= kept);
    }
    /// The tick has jumped while requests may have been under way.
    pub fn jumped(&mut self, from: Tick, to: Tick) {
        self.jump = Some((from, to));
    }
    /// Ticks that the scrubber takes at most.
    fn scrubbing(&self) -> u32 {
        (SCRUB_CYCLES >> self.shape.tick_log2) + 1
    }
    /// Ticks after its last answer for which an entry may stay in use: until its window is over, which may begin a quarter of a window ahead, and that of one
    /// inserted before it; and until the scrubber has come to it.
    fn kept(&self, window: u32) -> i32 {
        (window + window.max(self.longest) / 4 + self.scrubbing()) as i32
    }
    /// Whether the filter may have had no room for a request. `under_way`: requests that are not answered and may have an entry.
    pub fn filter_may_be_full(
        &self,
        holder: &Holder,
        under_way: impl Iterator<Item = Holder>,
        now: Tick,
        window: u32,
    ) -> bool {
        let kept = self.kept(window);
        // What a jump has made old is not free before the scrubber has come to it.
        let now = match self.jump {
            Some((from, to)) if (0..=self.scrubbing() as i32).contains(&now.since(to)) => from,
            _ => now,
        };
        let answered = self.entries.iter().filter(|(_, at)| now.since(*at) <= kept).map(|(other, _)| *other);
        let all: HashSet<Holder> =
            answered.chain(under_way).filter(|other| other.key != holder.key).collect();
        let homes = self.sets(&holder.key);
        let shares = all.iter().map(|other| {
            let sets = self.sets(&other.key);
            [sets[0] == homes[0], sets[1] == homes[1]]
        });
        let (mut of, mut either) = ([0; 2], 0);
        for [first, second] in shares {
            of[0] += usize::from(first);
            of[1] += usize::from(second);
            either += usize::from(first || second);
        }
        let capacity = self.shape.filter_entries();
        let of_group = all.iter().filter(|other| self.may_share(other, holder)).count();
        let spent = of_group >= capacity / self.groups();
        // Who has its share and is not alone leaves a way of each set to the others.
        let yields = spent && of_group < all.len() && self.shape.filter_ways > 1;
        let ways = self.shape.filter_ways - usize::from(yields);
        if of[0] >= ways && of[1] >= ways && either >= 2 * ways {
            return true;
        }
        all.len() * 4 >= capacity * 3 && spent
    }
    fn sets(&self, key: &Key) -> [usize; 2] {
        sets(self.hash, key, self.shape.filter_sets_log2)
    }
    fn groups(&self) -> usize {
        match self.hash {
            FilterHash::Crc if self.shape.filter_entries() < FEW_ENTRIES => GROUPS / 2,
            _ => GROUPS,
        }
    }
    /// Whether two requests may count for one group. TAG_MODE may have been another when an entry was made: then its group is
    /// by the other rule.
    fn may_share(&self, one: &Holder, other: &Holder) -> bool {
        self.possible_groups(one).any(|group| self.possible_groups(other).any(|its| its == group))
    }
    fn possible_groups(&self, holder: &Holder) -> impl Iterator<Item = usize> {
        let proven = self.shape.trailers.then_some(Some(holder.class));
        [Some(None), proven].into_iter().flatten().map(|class| self.group(&holder.key, class))
    }
    fn group(&self, key: &Key, class: Option<u8>) -> usize {
        if self.hash == FilterHash::Software {
            return key.group(class);
        }
        let (groups, hash) = (self.groups(), linear(&key.source_ip.to_be_bytes()));
        let top = |of: usize| (hash >> (32 - of.ilog2())) as usize;
        match class {
            None => top(groups),
            Some(0) => top(groups / 2),
            Some(class) => groups / 2 + usize::from(class) % (groups / 2),
        }
    }

    /// So many free pages were read of the board, when so many frames had been sent; `rests`: nothing was under way.
    pub fn pages_read(&mut self, pages: u64, sent: u64, rests: bool) {
        self.read = Level { since: sent, pages };
        if rests {
            self.rest = self.read;
        }
    }
    /// A fault took a page.
    pub fn page_taken(&mut self) {
        for level in [&mut self.rest, &mut self.read] {
            level.pages = level.pages.saturating_sub(1);
        }
    }
    /// Whether a page was there for a fault, though so many others under way may take one before it.
    pub fn has_page(&self, number: u64, others: usize) -> bool {
        [self.rest, self.read].iter().any(|level| number >= level.since && level.pages > others as u64)
    }
}

/// The sets where a key's entry may lie, one of each choice.
pub fn sets(hash: FilterHash, key: &Key, sets_log2: u32) -> [usize; 2] {
    match hash {
        FilterHash::Software => key.sets(sets_log2),
        FilterHash::Crc => crc_sets(key, sets_log2),
    }
}

/// The hash of the RTL: the id's low bits and those of the source's CRC; the top of the whole key's CRC.
fn crc_sets(key: &Key, sets_log2: u32) -> [usize; 2] {
    let source = source(key);
    let whole: Vec<u8> = source.iter().copied().chain(key.op_id.to_be_bytes()).collect();
    let first = (key.op_id ^ linear(&source)) & ((1 << sets_log2) - 1);
    [first as usize, (linear(&whole) >> (32 - sets_log2)) as usize]
}

fn source(key: &Key) -> [u8; 6] {
    let ([a, b, c, d], [e, f]) = (key.source_ip.to_be_bytes(), key.source_port.to_be_bytes());
    [a, b, c, d, e, f]
}

/// The linear part of CRC-32C: without initial value and final XOR.
fn linear(bytes: &[u8]) -> u32 {
    crc32c(bytes) ^ crc32c(&vec![0; bytes.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(op_id: u32) -> Key {
        Key { source_ip: 0x0a4d_0101, source_port: 40_001, op_id }
    }
    fn holder(op_id: u32) -> Holder {
        Holder { key: key(op_id), class: 0 }
    }
    fn occupancy(shape: BoardShape) -> Occupancy {
        Occupancy::new(shape, FilterHash::Crc, shape.packet_slots as u64 / 2)
    }
    fn may_be_full(of: &Occupancy, under_way: &[u32], now: u32) -> bool {
        let under_way = under_way.iter().copied().map(holder);
        of.filter_may_be_full(&holder(0), under_way, Tick::from_low_bits(now), 100)
    }

    #[test]
    fn the_hash_is_linear_and_takes_the_low_bits_of_the_id() {
        let low = |op_id: u32| crc_sets(&key(op_id), 8)[0];
        assert_eq!(low(0) ^ low(0xa5), 0xa5);
        assert_eq!(low(0x100), low(0));
        // The check value of CRC-32C, without what its initial value and final XOR add.
        assert_eq!(linear(b"123456789") ^ crc32c(&[0; 9]), 0xe306_9283);
    }

    #[test]
    fn a_frame_may_be_lost_when_all_slots_may_be_taken_and_not_before() {
        let mut of = occupancy(BoardShape::SIM);
        let lost = |of: &Occupancy, holding| of.enters(Tick::default(), holding, 0).may_be_lost;
        assert_eq!([31, 32].map(|holding| lost(&of, holding)), [false, true]);
        of.slow_enters();
        assert!(lost(&of, 31), "a frame in the slow ring holds a slot, too");
        assert!(!of.enters(Tick::default(), 31, 1).may_be_lost, "the slow path has it");
    }

    #[test]
    fn the_slow_ring_may_refuse_when_it_may_be_full_and_not_while_it_is_half_full() {
        let mut of = occupancy(BoardShape::SIM);
        let full: Vec<bool> = (0..=16)
            .map(|_| {
                let full = of.enters(Tick::default(), 0, 0).ring_may_be_full;
                of.slow_enters();
                full
            })
            .collect();
        assert_eq!(full.iter().position(|full| *full), Some(15));
        assert!(!of.enters(Tick::default(), 0, 8).ring_may_be_full);
        of.slow_rests(9);
        assert!(!of.enters(Tick::default(), 0, 9).ring_may_be_full);
    }

    #[test]
    fn the_filter_may_be_full_when_both_sets_of_the_key_are() {
        let shape = BoardShape::ZCU106;
        let mut of = occupancy(shape);
        let homes = crc_sets(&key(0), shape.filter_sets_log2);
        let mut crowd = (1..).filter(|id| crc_sets(&key(*id), shape.filter_sets_log2) == homes);
        let last =
            crowd.by_ref().take(15).inspect(|id| of.holds_entry(holder(*id), Tick::from_low_bits(10))).last();
        assert!(!may_be_full(&of, &[], 10), "15 of 16 ways");
        assert!(
            !may_be_full(&of, &last.into_iter().collect::<Vec<_>>(), 10),
            "another attempt of one of them"
        );
        let next: Vec<u32> = crowd.take(1).collect();
        assert!(may_be_full(&of, &next, 10), "one that is under way may have the last");
        of.holds_entry(holder(next[0]), Tick::from_low_bits(10));
        assert!(may_be_full(&of, &[], 10 + 125));
        assert!(!may_be_full(&of, &[], 10 + 140), "the scrubber has freed them");
        of.jumped(Tick::from_low_bits(20), Tick::from_low_bits(10 + 140));
        assert!(may_be_full(&of, &[], 10 + 140), "not yet");
        assert!(!may_be_full(&of, &[], 10 + 160));
        of.filter_rests(Tick::from_low_bits(10 + 140), 100);
        assert!(!of.entries.is_empty(), "a longer window may bring them back");
        of.filter_rests(Tick::from_low_bits(10 + 400), 100);
        assert!(of.entries.is_empty());
    }

    #[test]
    fn the_filter_may_refuse_a_source_that_has_its_share_when_three_quarters_are_taken() {
        let shape = BoardShape::SIM;
        let entries = shape.filter_entries() as u32;
        // Of one source, and none in the sets of the key.
        let sets = |id: u32| crc_sets(&key(id), shape.filter_sets_log2);
        let elsewhere = |id: &u32| sets(*id)[0] != sets(0)[0] && sets(*id)[1] != sets(0)[1];
        let ids: Vec<u32> = (1..).filter(elsewhere).take(entries as usize).collect();
        let of = occupancy(shape);
        let most = entries * 3 / 4;
        assert!(!may_be_full(&of, &ids[..most as usize - 1], 10));
        assert!(may_be_full(&of, &ids[..most as usize], 10));
    }

    #[test]
    fn the_filter_may_refuse_the_last_way_of_a_source_that_has_its_share_and_is_not_alone() {
        let shape = BoardShape::SIM;
        let sets = |id: u32| crc_sets(&key(id), shape.filter_sets_log2);
        let mut here = (1..).filter(|id| sets(*id) == sets(0));
        let elsewhere = |id: &u32| sets(*id)[0] != sets(0)[0] && sets(*id)[1] != sets(0)[1];
        let full: Vec<u32> = here.by_ref().take(6).collect();
        let share = shape.filter_entries() as u32 / 8;
        let rest: Vec<u32> = (1..).filter(elsewhere).take(share as usize - 6).collect();
        let mut of = occupancy(shape);
        let all = [full.as_slice(), &rest].concat();
        assert!(!may_be_full(&of, &all, 10), "who is alone takes the last ways");
        let other = (1..)
            .map(|last| Holder { key: Key { source_ip: last, ..key(0) }, class: 0 })
            .find(|other| !of.may_share(other, &holder(0)));
        of.holds_entry(other.expect("eight groups"), Tick::from_low_bits(10));
        assert!(may_be_full(&of, &all, 10));
        assert!(!may_be_full(&of, &all[1..], 10), "less than the share");
    }

    #[test]
    fn a_fault_may_be_refused_only_when_others_may_have_taken_what_was_free() {
        let mut of = occupancy(BoardShape::SIM);
        assert!(!of.has_page(0, 0));
        of.pages_read(2, 100, true);
        assert_eq!(
            [of.has_page(99, 0), of.has_page(100, 0), of.has_page(100, 1), of.has_page(100, 2)],
            [false, true, true, false]
        );
        of.page_taken();
        assert!(!of.has_page(100, 1));
        of.pages_read(3, 200, false);
        assert_eq!([of.has_page(150, 1), of.has_page(200, 1)], [false, true]);
    }
}
