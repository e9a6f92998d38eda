//! Cutting small allocations out of board pages, so that `ralloc` is byte-granular although a board gives whole pages
//! (architecture §4). Pure bookkeeping; the pages themselves come from ALLOC and go back with FREE.
use std::collections::{BTreeMap, BTreeSet};

/// Small allocations begin on multiples of this and take whole multiples of it: an atomic or a lock always fits.
const GRAIN: u64 = 16;
/// Allocations of this size and more begin on a beat of the board's data path.
const BEAT: u64 = 64;
/// The beginning of shared pages is nobody's: an address that begins a page names pages of its own, on every client, so
/// that none frees what another one shares.
const HEAD: u64 = GRAIN;

/// One board page (or more) that small allocations share.
#[derive(Debug)]
struct Arena {
    size: u64,
    /// Holes by where they begin, and by how long they are.
    free: BTreeMap<u64, u64>,
    holes: BTreeSet<(u64, u64)>,
    used: BTreeMap<u64, u64>,
}

impl Arena {
    fn new(va: u64, size: u64) -> Arena {
        let mut arena = Arena { size, free: BTreeMap::new(), holes: BTreeSet::new(), used: BTreeMap::new() };
        arena.open(va + HEAD, size - HEAD);
        arena
    }
    fn open(&mut self, start: u64, length: u64) {
        self.free.insert(start, length);
        self.holes.insert((length, start));
    }
    fn close(&mut self, start: u64) -> Option<u64> {
        let length = self.free.remove(&start)?;
        self.holes.remove(&(length, start));
        Some(length)
    }
    /// Bytes of the longest hole.
    fn room(&self) -> u64 {
        self.holes.last().map_or(0, |(length, _)| *length)
    }
    /// Cuts `size` bytes out of the shortest hole that holds them.
    fn take(&mut self, size: u64) -> Option<u64> {
        let align = if size >= BEAT { BEAT } else { GRAIN };
        let fits = |&(length, start): &(u64, u64)| {
            let at = start.next_multiple_of(align);
            (at + size <= start + length).then_some((start, length, at))
        };
        // Those that are long enough and begin in the wrong place are within a beat of the size.
        let (start, length, at) = self.holes.range((size, 0)..).find_map(fits)?;
        self.close(start);
        if at > start {
            self.open(start, at - start);
        }
        if at + size < start + length {
            self.open(at + size, start + length - at - size);
        }
        self.used.insert(at, size);
        Some(at)
    }
    /// Gives an allocation back and joins it with the holes beside it.
    fn give(&mut self, at: u64) -> bool {
        let Some(size) = self.used.remove(&at) else { return false };
        let (mut start, mut length) = (at, size);
        if let Some((&before, &hole)) = self.free.range(..at).next_back()
            && before + hole == at
        {
            self.close(before);
            (start, length) = (before, hole + length);
        }
        length += self.close(at + size).unwrap_or(0);
        self.open(start, length);
        true
    }
}

/// What freeing an address asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freed {
    /// Nothing: the memory stays with this client for the next small allocations.
    Kept,
    /// The range that begins here, of so many bytes, goes back to the board.
    Range(u64, u64),
    /// This client allocated nothing here.
    Unknown,
}

/// The allocations that one client made in one process.
#[derive(Debug)]
pub(crate) struct Heap {
    page: u64,
    arenas: BTreeMap<u64, Arena>,
    /// The arenas by their longest holes.
    rooms: BTreeSet<(u64, u64)>,
    ranges: BTreeMap<u64, u64>,
}

impl Heap {
    pub(crate) fn new(page_bits: u8) -> Self {
        let (arenas, ranges) = Default::default();
        Heap { page: 1 << page_bits, arenas, rooms: BTreeSet::new(), ranges }
    }
    pub(crate) fn page(&self) -> u64 {
        self.page
    }
    /// Whether an allocation shares a page with others: two of the largest that do fill one, but for its head. Larger
    /// ones would waste less than they share.
    pub(crate) fn is_small(&self, size: u64) -> bool {
        size <= self.page / 2 - BEAT
    }
    /// A small allocation out of the pages at hand: those with the shortest hole that may hold it come first.
    pub(crate) fn take(&mut self, size: u64) -> Option<u64> {
        let size = size.next_multiple_of(GRAIN);
        // An arena whose longest hole is a beat longer holds it wherever that begins.
        let (room, base, va) = self.rooms.range((size, 0)..).find_map(|&(room, base)| {
            let va = self.arenas.get_mut(&base)?.take(size)?;
            Some((room, base, va))
        })?;
        self.moved(base, room);
        Some(va)
    }
    /// The longest hole of an arena was so long, and may be another now.
    fn moved(&mut self, base: u64, room: u64) {
        self.rooms.remove(&(room, base));
        if let Some(arena) = self.arenas.get(&base) {
            self.rooms.insert((arena.room(), base));
        }
    }
    /// Adds pages for small allocations.
    pub(crate) fn add_arena(&mut self, va: u64, size: u64) {
        let arena = Arena::new(va, size);
        self.rooms.insert((arena.room(), va));
        self.arenas.insert(va, arena);
    }
    /// Remembers an allocation with pages of its own.
    pub(crate) fn add_range(&mut self, va: u64, size: u64) {
        self.ranges.insert(va, size);
    }
    /// Takes an allocation back.
    pub(crate) fn give(&mut self, va: u64) -> Freed {
        if let Some(size) = self.ranges.remove(&va) {
            return Freed::Range(va, size);
        }
        let Some((&base, arena)) = self.arenas.range_mut(..=va).next_back() else { return Freed::Unknown };
        let room = arena.room();
        if va >= base + arena.size || !arena.give(va) {
            return Freed::Unknown;
        }
        let unused = arena.used.is_empty();
        self.moved(base, room);
        // The last arena stays, so that one allocation made and freed in a loop does not ask the board each time.
        if unused && self.arenas.len() > 1 {
            let gone = self.arenas.remove(&base);
            self.moved(base, gone.as_ref().map_or(0, Arena::room));
            return Freed::Range(base, gone.map_or(self.page, |arena| arena.size));
        }
        Freed::Kept
    }
    /// Whether an allocation of this client begins at an address.
    pub(crate) fn owns(&self, va: u64) -> bool {
        let shares = |(_, arena): (&u64, &Arena)| arena.used.contains_key(&va);
        self.ranges.contains_key(&va) || self.arenas.range(..=va).next_back().is_some_and(shares)
    }
    /// Whether an address lies in pages that small allocations share.
    pub(crate) fn is_shared(&self, va: u64) -> bool {
        self.arenas.range(..=va).next_back().is_some_and(|(base, arena)| va < base + arena.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn small_allocations_never_overlap_and_everything_comes_back(
            steps in proptest::collection::vec((any::<bool>(), 1u64..3_000, any::<prop::sample::Index>()), 1..200),
        ) {
            let mut heap = Heap::new(14);
            let (mut live, mut next_page) = (Vec::<(u64, u64)>::new(), 1u64 << 14);
            let mut returned = Vec::new();
            for (allocate, size, pick) in steps {
                if allocate || live.is_empty() {
                    let va = heap.take(size).unwrap_or_else(|| {
                        heap.add_arena(next_page, 1 << 14);
                        next_page += 1 << 14;
                        heap.take(size).expect("a fresh arena holds a small allocation")
                    });
                    let align = if size < 64 { 16 } else { 64 };
                    prop_assert_eq!(va % align, 0);
                    prop_assert!(!va.is_multiple_of(1 << 14) && heap.owns(va), "a page's beginning is nobody's");
                    prop_assert_eq!(va >> 14, (va + size - 1) >> 14);
                    for &(other, length) in &live {
                        prop_assert!(va + size <= other || other + length <= va);
                    }
                    prop_assert!(!returned.contains(&(va >> 14 << 14)));
                    live.push((va, size));
                } else {
                    let (va, _) = live.swap_remove(pick.index(live.len()));
                    match heap.give(va) {
                        Freed::Kept => {}
                        Freed::Range(base, size) => {
                            prop_assert_eq!(size, 1 << 14);
                            prop_assert!(live.iter().all(|(other, _)| other >> 14 << 14 != base));
                            returned.push(base);
                        }
                        Freed::Unknown => prop_assert!(false, "{va:#x} was allocated"),
                    }
                    prop_assert!(!heap.owns(va));
                    prop_assert_eq!(heap.give(va), Freed::Unknown, "freed twice");
                }
            }
            for (va, _) in live.drain(..) {
                prop_assert_ne!(heap.give(va), Freed::Unknown);
            }
            prop_assert!(heap.arenas.len() <= 1);
            let rooms: BTreeSet<_> = heap.arenas.iter().map(|(base, arena)| (arena.room(), *base)).collect();
            prop_assert_eq!(&heap.rooms, &rooms);
            prop_assert!(heap.arenas.values().all(|arena| arena.free.len() == 1 && arena.used.is_empty()));
        }
    }

    #[test]
    fn ranges_of_their_own_go_back_to_the_board() {
        let mut heap = Heap::new(18);
        let most = (1 << 17) - 64;
        assert!(heap.is_small(most) && !heap.is_small(most + 1));
        heap.add_arena(1 << 30, 1 << 18);
        assert!(heap.take(most).is_some() && heap.take(most).is_some(), "two fill a page");
        assert!(heap.take(65).is_none());
        heap.add_range(1 << 20, 1 << 19);
        heap.add_arena(1 << 18, 1 << 18);
        assert!(heap.is_shared((1 << 18) + 5) && !heap.is_shared(1 << 20));
        assert_eq!(heap.give((1 << 20) + 8), Freed::Unknown, "not its beginning");
        assert_eq!(heap.give(1 << 20), Freed::Range(1 << 20, 1 << 19));
        assert_eq!(heap.give(1 << 20), Freed::Unknown);
    }
}
