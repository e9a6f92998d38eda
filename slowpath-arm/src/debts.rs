//! What searches have cost whom. Whoever asks for what is not to be found makes the board look at much of the table; a source
//! that did so waits until it has been forgotten, however many processes it opens and ends meanwhile.
use crate::share::Source;
use std::collections::HashMap;

/// A debt, and when it was so large.
#[derive(Debug, Clone, Copy, Default)]
struct Debt {
    pages: u64,
    at_ns: u64,
}

/// The debts of all sources, in pages that searches looked at beyond those that they found. Bounded: only as many as can be
/// made until the first is forgotten.
#[derive(Debug, Clone)]
pub struct Debts {
    by_source: HashMap<Source, Debt>,
    /// Pages that are forgotten each second.
    rate: u64,
    /// Sources that are remembered.
    bound: usize,
}

impl Debts {
    /// Nobody owes anything.
    pub fn new(rate: u64, bound: usize) -> Debts {
        Debts { by_source: HashMap::new(), rate: rate.max(1), bound: bound.max(1) }
    }
    fn left(&self, debt: &Debt, now_ns: u64) -> u64 {
        let passed = u128::from(now_ns.saturating_sub(debt.at_ns));
        let forgotten = passed * u128::from(self.rate) / 1_000_000_000;
        debt.pages.saturating_sub(u64::try_from(forgotten).unwrap_or(u64::MAX))
    }
    /// Nanoseconds until a source owes `most` pages or fewer.
    pub fn wait(&self, source: Source, most: u64, now_ns: u64) -> u64 {
        let owed = self.by_source.get(&source).map_or(0, |debt| self.left(debt, now_ns));
        owed.saturating_sub(most).saturating_mul(1_000_000_000).div_ceil(self.rate)
    }
    /// A search of a source has looked at so many pages for nothing.
    pub fn add(&mut self, source: Source, pages: u64, now_ns: u64) {
        if pages == 0 {
            return;
        }
        if self.by_source.len() >= self.bound && !self.by_source.contains_key(&source) {
            let mut all = std::mem::take(&mut self.by_source);
            all.retain(|_, debt| self.left(debt, now_ns) > 0);
            self.by_source = all;
            // If so many owe something at once, the new one's debt is the others' to bear.
            if self.by_source.len() >= self.bound {
                return;
            }
        }
        let owed = self.by_source.get(&source).map_or(0, |debt| self.left(debt, now_ns));
        self.by_source.insert(source, Debt { pages: owed.saturating_add(pages), at_ns: now_ns });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn debts_are_forgotten_with_time() {
        let mut debts = Debts::new(1_000, 4);
        debts.add([1; 4].into(), 5_000, 0);
        assert_eq!(debts.wait([1; 4].into(), 1_000, 0), 4 * SECOND);
        assert_eq!(debts.wait([1; 4].into(), 1_000, 3 * SECOND), SECOND);
        assert_eq!(debts.wait([1; 4].into(), 1_000, 4 * SECOND), 0);
        assert_eq!(debts.wait([2; 4].into(), 0, 0), 0);
        debts.add([1; 4].into(), 1, 4 * SECOND);
        assert_eq!(debts.wait([1; 4].into(), 1_000, 4 * SECOND), SECOND / 1_000);
        assert_eq!(debts.wait([1; 4].into(), 0, u64::MAX), 0);
    }

    #[test]
    fn they_are_bounded() {
        let mut debts = Debts::new(1_000, 4);
        for source in 0..100 {
            debts.add([source; 4].into(), 1_000, 0);
        }
        assert_eq!(debts.by_source.len(), 4);
        debts.add([200; 4].into(), 1, 2 * SECOND);
        assert_eq!(debts.by_source.len(), 1, "those that were forgotten make room");
    }
}
