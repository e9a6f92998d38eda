//! The allocations of one process: a heap for each of its boards.
use super::memory::Back;
use crate::heap::{Freed, Heap};

/// What is owed to boards, at most; what is more goes with the process.
const MOST_OWED: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Heaps {
    /// By the number of the process's board, each with its lane.
    boards: Vec<(usize, Heap)>,
    /// Pages that no allocation has any more, and that are to go back.
    owed: Vec<Back>,
}

impl Heaps {
    /// From lanes and page sizes (log2), one at least.
    pub(super) fn new(boards: impl Iterator<Item = (usize, u8)>) -> Heaps {
        let boards = boards.map(|(lane, page_bits)| (lane, Heap::new(page_bits))).collect();
        Heaps { boards, owed: Vec::new() }
    }
    pub(super) fn of(&mut self, number: usize) -> &mut Heap {
        &mut self.boards[number].1
    }
    /// A board's page size in bytes.
    pub(super) fn page(&self, number: usize) -> u64 {
        self.boards[number].1.page()
    }
    /// The same by lane; where memory has moved to a board of which this process does not know, the shortest.
    pub(super) fn page_of_lane(&self, lane: usize) -> u64 {
        let of_lane = self.boards.iter().find(|(known, _)| *known == lane);
        of_lane.map_or_else(|| self.shortest_page(), |(_, heap)| heap.page())
    }
    pub(super) fn shortest_page(&self) -> u64 {
        self.boards.iter().map(|(_, heap)| heap.page()).min().unwrap_or(1)
    }
    /// A board's page size, and whether an allocation that may share pages does so there.
    pub(super) fn shares(&self, number: usize, size: u64, may: bool) -> (u64, bool) {
        let heap = &self.boards[number].1;
        (heap.page(), may && heap.is_small(size))
    }
    /// A small allocation out of the pages at hand, of one board or of any.
    pub(super) fn take(&mut self, size: u64, only: Option<usize>) -> Option<u64> {
        let mine = |number: usize| only.is_none_or(|only| only == number);
        let heaps = self.boards.iter_mut().enumerate().filter(|(number, _)| mine(*number));
        heaps.filter(|(_, (_, heap))| heap.is_small(size)).find_map(|(_, (_, heap))| heap.take(size))
    }
    /// Takes an allocation back.
    pub(super) fn give(&mut self, va: u64) -> Freed {
        let all = self.boards.iter_mut().map(|(_, heap)| heap.give(va));
        all.into_iter().find(|freed| *freed != Freed::Unknown).unwrap_or(Freed::Unknown)
    }
    /// Keeps pages that are to go back to their boards.
    pub(super) fn owe(&mut self, back: Back) {
        if self.owed.len() < MOST_OWED {
            self.owed.push(back);
        }
    }
    /// The pages that were kept last.
    pub(super) fn take_owed(&mut self) -> Option<Back> {
        self.owed.pop()
    }
    pub(super) fn owns(&self, va: u64) -> bool {
        self.boards.iter().any(|(_, heap)| heap.owns(va))
    }
    pub(super) fn is_shared(&self, va: u64) -> bool {
        self.boards.iter().any(|(_, heap)| heap.is_shared(va))
    }
}
