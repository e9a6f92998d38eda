//! The TLB: whole page-table entries of the pages used last.
use std::collections::VecDeque;

use super::table::Page;

/// Entries in the order of their last use, the latest in front.
#[derive(Debug, Clone)]
pub struct Tlb {
    entries: VecDeque<(Page, u64)>,
    capacity: usize,
}

impl Tlb {
    /// An empty TLB. With `usize::MAX` entries it never forgets.
    pub fn new(capacity: usize) -> Tlb {
        Tlb { entries: VecDeque::new(), capacity }
    }
    fn position(&self, page: Page) -> Option<usize> {
        self.entries.iter().position(|(cached, _)| *cached == page)
    }
    /// The entry of a page, without counting as a use.
    pub fn peek(&self, page: Page) -> Option<u64> {
        self.position(page).map(|at| self.entries[at].1)
    }
    /// The entry of a page; it becomes the latest used.
    pub fn lookup(&mut self, page: Page) -> Option<u64> {
        let at = self.position(page)?;
        if at > 0 {
            let found = self.entries.remove(at)?;
            self.entries.push_front(found);
        }
        self.entries.front().map(|(_, entry)| *entry)
    }
    /// Notes a page's entry; the least used one makes room.
    pub fn fill(&mut self, page: Page, entry: u64) {
        self.invalidate(page);
        self.entries.truncate(self.capacity.saturating_sub(1));
        self.entries.push_front((page, entry));
    }
    /// Forgets a page.
    pub(super) fn invalidate(&mut self, page: Page) {
        if let Some(at) = self.position(page) {
            self.entries.remove(at);
        }
    }
    /// Replaces the cached copy as a particle hit would: the copy in the table stays whole.
    pub fn damage(&mut self, page: Page, flip: u64) {
        if let Some(at) = self.position(page) {
            self.entries[at].1 ^= flip;
        }
    }
}
