//! Whose freed frames of 4 KB keep board pages from everybody.
//!
//! An example. A tenant writes 237 pages of one range of frames and, with every 255 of them, one frame of another range; then it frees the
//! first. No board page of the 238 is free as a whole, so the leaf unit keeps them, and 237 are scattered: the tenant is charged for
//! them until they come back, or until new frames of its own use them. Pages that come back are taken off what was freed last: whose
//! they were the leaf unit does not tell.
use crate::share::Source;

/// Pages that frame ranges were charged and are no longer, and that the leaf unit still has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scattered {
    /// What was freed last is at the end. Each has a page at least, so there are not more than the leaf unit has pages.
    freed: Vec<(Source, u64)>,
    sum: u64,
    /// Pages that the leaf unit had when it was looked at last.
    pool: u64,
}

impl Scattered {
    /// What the leaf unit has by now. Of what came back somebody is let off.
    pub(crate) fn look(&mut self, pool: u64) {
        let back = self.pool.saturating_sub(pool).max(self.sum.saturating_sub(pool));
        self.pool = pool;
        self.let_off(back, |_| true);
    }
    /// A range of frames is gone that was charged so many pages. `beyond`: pages that the leaf unit has beyond what others are charged.
    pub(crate) fn add(&mut self, source: Source, pages: u64, beyond: u64) {
        let pages = pages.min(beyond.saturating_sub(self.sum));
        if pages == 0 {
            return;
        }
        self.sum += pages;
        match self.freed.last_mut() {
            Some((last, more)) if *last == source => *more += pages,
            _ => self.freed.push((source, pages)),
        }
    }
    /// A new range of frames is charged so many pages: those that its owner has scattered are used again.
    pub(crate) fn reuse(&mut self, source: Source, pages: u64) {
        self.let_off(pages, |own| *own == source);
    }
    fn let_off(&mut self, mut pages: u64, whose: impl Fn(&Source) -> bool) {
        for (source, own) in self.freed.iter_mut().rev().filter(|(_, own)| *own > 0) {
            let off = if whose(source) { pages.min(*own) } else { 0 };
            (*own, self.sum, pages) = (*own - off, self.sum - off, pages - off);
            if pages == 0 {
                break;
            }
        }
        self.freed.retain(|(_, own)| *own > 0);
    }
    /// What a source is charged for, of `beyond` pages: all are charged no more than these, since new frames of anybody use them.
    pub(crate) fn of(&self, source: Source, beyond: u64) -> u64 {
        let mut used = self.sum.saturating_sub(beyond);
        let mut charged = 0;
        for (other, pages) in self.freed.iter().rev() {
            let off = used.min(*pages);
            used -= off;
            if *other == source {
                charged += pages - off;
            }
        }
        charged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: Source = Source::Address([1; 4]);
    const TWO: Source = Source::Address([2; 4]);

    #[test]
    fn who_scatters_pages_is_charged_until_they_come_back() {
        let mut scattered = Scattered::default();
        scattered.look(238);
        scattered.add(ONE, 237, 237);
        assert_eq!((scattered.of(ONE, 237), scattered.of(TWO, 237)), (237, 0));
        // Another one's range uses ten of them, and is gone: nothing has changed.
        assert_eq!(scattered.of(ONE, 227), 227);
        scattered.add(TWO, 10, 237);
        assert_eq!((scattered.of(ONE, 237), scattered.of(TWO, 237)), (237, 0));
        // That one frees pages of its own, which come back.
        scattered.look(248);
        scattered.add(TWO, 10, 247);
        assert_eq!((scattered.of(ONE, 247), scattered.of(TWO, 247)), (237, 10));
        scattered.look(238);
        assert_eq!((scattered.of(ONE, 237), scattered.of(TWO, 237)), (237, 0));
        // What is used again is charged to the new range.
        scattered.reuse(ONE, 100);
        assert_eq!(scattered.of(ONE, 137), 137);
        scattered.look(0);
        assert_eq!((scattered.of(ONE, 0), scattered.sum, scattered.freed.len()), (0, 0, 0));
    }

    proptest! {
        #[test]
        fn all_are_charged_no_more_than_is_there(
            steps in proptest::collection::vec((0u8..4, 0u8..3, 0u64..40), 0..200),
        ) {
            let (mut scattered, mut pool, mut charged) = (Scattered::default(), 0u64, 0u64);
            for (what, who, pages) in steps {
                let source = Source::Address([who; 4]);
                match what {
                    0 => pool += pages,
                    1 => pool = pool.saturating_sub(pages),
                    2 => {
                        charged += pages;
                        scattered.reuse(source, pages);
                    }
                    _ => {
                        let pages = pages.min(charged);
                        charged -= pages;
                        scattered.look(pool);
                        scattered.add(source, pages, pool.saturating_sub(charged));
                    }
                }
                scattered.look(pool);
                let beyond = pool.saturating_sub(charged);
                let all: u64 = (0..3).map(|who| scattered.of(Source::Address([who; 4]), beyond)).sum();
                prop_assert!(all <= beyond, "{all} of {beyond}");
                prop_assert!(scattered.freed.len() as u64 <= pool && scattered.sum <= pool);
            }
        }
    }
}
