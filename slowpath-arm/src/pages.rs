//! Physical pages. Hardware gives them out on faults; the slow path keeps the async buffer filled and takes pages back
//! from the old entries of replace commands. A page is in exactly one state: free, in the pipe (being zeroed or offered),
//! or given (mapped by the fast path).
use bitvec::vec::BitVec;
use std::collections::VecDeque;

/// Where a physical page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PagePlace {
    /// Part of the page table; never given out.
    Table,
    /// Free and not zeroed.
    Free,
    /// In the zeroing queue or engine.
    Zeroing,
    /// Zeroed, in the async buffer.
    Offered,
    /// Taken by a page fault.
    Given,
}

/// A page came back that nobody had: the table and the slow path disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("page {0} came back but was not given")]
pub struct NotGiven(pub u64);

/// All physical pages of a board.
#[derive(Debug, Clone)]
pub struct Pages {
    table_pages: usize,
    free: BitVec,
    given: BitVec,
    free_count: usize,
    given_count: usize,
    /// Pages in the order they were pushed: offered ones in front, those still to be zeroed behind.
    pipe: VecDeque<u32>,
    /// How many of `pipe`, counted from the front, were in the async buffer at the last look.
    offered: usize,
    next: usize,
}

impl Pages {
    /// `pages` physical pages, of which the first `table_pages` hold the page table.
    pub fn new(pages: usize, table_pages: usize) -> Pages {
        let mut free = BitVec::repeat(true, pages);
        free[..table_pages].fill(false);
        Pages {
            table_pages,
            free,
            given: BitVec::repeat(false, pages),
            free_count: pages - table_pages,
            given_count: 0,
            pipe: VecDeque::new(),
            offered: 0,
            next: table_pages,
        }
    }

    /// Takes a free page to be pushed into the zeroing queue. Goes round all pages, so that wear and row conflicts spread.
    pub fn take(&mut self) -> Option<u32> {
        let next = self.next.min(self.free.len());
        let found = match self.free[next..].first_one() {
            Some(at) => next + at,
            None => self.free[..next].first_one()?,
        };
        self.free.set(found, false);
        self.free_count -= 1;
        self.next = found + 1;
        self.pipe.push_back(found as u32);
        Some(found as u32)
    }

    /// Tells what hardware has: pages in the zeroing queue and engine (read first), and in the async buffer (read second:
    /// a page that moves between the two reads is then counted twice, never missed).
    pub fn observe(&mut self, zeroing: usize, level: usize) {
        let inside = (zeroing + level).min(self.pipe.len());
        while self.pipe.len() > inside {
            if let Some(page) = self.pipe.pop_front() {
                self.given.set(page as usize, true);
                self.given_count += 1;
            }
        }
        self.offered = self.pipe.len() - zeroing.min(self.pipe.len());
    }

    /// A page came out of the page table.
    pub fn give_back(&mut self, page: u64) -> Result<(), NotGiven> {
        let at = usize::try_from(page).map_err(|_| NotGiven(page))?;
        if at < self.table_pages || at >= self.free.len() || self.free[at] {
            return Err(NotGiven(page));
        }
        if self.given[at] {
            self.given.set(at, false);
            self.given_count -= 1;
        } else if let Some(position) = self.pipe.iter().position(|p| *p as usize == at) {
            // Given since the last look.
            self.pipe.remove(position);
            self.offered = self.offered.saturating_sub(usize::from(position < self.offered));
        } else {
            return Err(NotGiven(page));
        }
        self.free.set(at, true);
        self.free_count += 1;
        Ok(())
    }

    /// Pages free and not zeroed.
    pub fn free(&self) -> usize {
        self.free_count
    }
    /// Pages in the zeroing queue or engine, by the last look.
    pub fn zeroing(&self) -> usize {
        self.pipe.len() - self.offered
    }
    /// Pages that hardware holds: offered or mapped, by the last look.
    pub fn held_by_hardware(&self) -> usize {
        self.given_count + self.offered
    }
    /// All pages, the page table's among them.
    pub fn count(&self) -> usize {
        self.free.len()
    }
    /// Pages that processes can have.
    pub fn usable(&self) -> usize {
        self.free.len() - self.table_pages
    }
    /// Whether a page is free and not zeroed.
    pub fn is_free(&self, page: usize) -> bool {
        self.free.get(page).is_some_and(|free| *free)
    }
    /// Where a page is, by the last look.
    pub fn place(&self, page: usize) -> PagePlace {
        if page < self.table_pages {
            PagePlace::Table
        } else if self.free[page] {
            PagePlace::Free
        } else if self.given[page] {
            PagePlace::Given
        } else {
            match self.pipe.iter().position(|p| *p as usize == page) {
                Some(at) if at < self.offered => PagePlace::Offered,
                _ => PagePlace::Zeroing,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_goes_round() {
        let mut pages = Pages::new(8, 1);
        assert_eq!(pages.free(), 7);
        let first = pages.take().unwrap();
        let second = pages.take().unwrap();
        assert_eq!((first, second), (1, 2));
        pages.observe(1, 1);
        assert_eq!(pages.place(1), PagePlace::Offered);
        assert_eq!(pages.place(2), PagePlace::Zeroing);
        pages.observe(0, 1);
        assert_eq!(pages.place(1), PagePlace::Given);
        assert_eq!(pages.place(2), PagePlace::Offered);
        pages.give_back(1).unwrap();
        assert_eq!(pages.place(1), PagePlace::Free);
        assert_eq!(pages.give_back(1), Err(NotGiven(1)));
        assert_eq!(pages.give_back(0), Err(NotGiven(0)));
        assert_eq!(pages.give_back(1 << 40), Err(NotGiven(1 << 40)));
    }

    #[test]
    fn a_page_given_since_the_last_look_comes_back() {
        let mut pages = Pages::new(8, 0);
        let page = pages.take().unwrap();
        pages.observe(0, 1);
        pages.give_back(page.into()).unwrap();
        assert_eq!(pages.free(), 8);
        assert_eq!(pages.held_by_hardware(), 0);
        assert_eq!(pages.zeroing(), 0);
    }
}
