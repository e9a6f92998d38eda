//! The overflow-free search alone.
use mneme_slowpath::allocator::{Found, Rovers, Search};
use mneme_slowpath::process::{Range, RangeState, Ranges};
use mneme_slowpath::shadow::Shadow;
use mneme_wire::Rights;
use mneme_wire::pte::{BUCKET_ENTRIES, Geometry};
use proptest::prelude::*;
use std::collections::BTreeMap;

struct Tables {
    shadow: Shadow,
    processes: BTreeMap<u32, Ranges>,
    share: u8,
}

impl Tables {
    fn new(geometry: Geometry, share: u8) -> Tables {
        Tables { shadow: Shadow::new(geometry), processes: BTreeMap::new(), share }
    }
    fn search<'a>(&'a self, pid: u32, ranges: &'a Ranges) -> Search<'a> {
        Search { shadow: &self.shadow, ranges, pid, tenant: pid % 5, share: self.share, probes: 1 << 14 }
    }
    /// Allocates; every page must find its slot.
    fn alloc(&mut self, pid: u32, pages: u64, from: u64) -> Option<u64> {
        let ranges = self.processes.remove(&pid).unwrap_or_default();
        let found = self.search(pid, &ranges).find(pages, from);
        self.processes.insert(pid, ranges);
        Some(self.take(pid, pages, found.ok()?))
    }
    /// The same where the rovers say.
    fn place(&mut self, pid: u32, pages: u64, rovers: &mut Rovers) -> Option<Found> {
        let ranges = self.processes.remove(&pid).unwrap_or_default();
        let found = self.search(pid, &ranges).place(pages, 1, rovers);
        self.processes.insert(pid, ranges);
        let found = found.ok()?;
        self.take(pid, pages, found);
        Some(found)
    }
    fn take(&mut self, pid: u32, pages: u64, found: Found) -> u64 {
        let start = found.start;
        for vpn in start..start + pages {
            assert!(self.shadow.insert(pid, vpn, Rights::READ_WRITE, pid % 5), "a bucket overflowed");
        }
        let ranges = self.processes.get_mut(&pid).unwrap();
        assert!(ranges.overlap(start, pages).is_none(), "ranges overlap");
        ranges.insert(start, Range { pages, state: RangeState::Live });
        start
    }
    fn free(&mut self, pid: u32, start: u64) {
        let range = self.processes.get_mut(&pid).unwrap().remove(start).unwrap();
        for vpn in start..start + range.pages {
            self.shadow.remove(pid, vpn).unwrap();
        }
    }
    fn slots(&self) -> Vec<(u32, u64, Rights)> {
        let mut pages: Vec<_> = self.shadow.pages().collect();
        pages.sort_by_key(|p| (p.0, p.1));
        pages
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bucket_overflows_no_range_overlaps_and_shares_hold(
        asks in proptest::collection::vec((1u32..40, 1u64..90, any::<u64>(), any::<bool>()), 1..60),
        share in 2u8..=8,
        rove: bool,
    ) {
        let geometry = Geometry::new(18, 24, 2).unwrap();
        let mut t = Tables::new(geometry, share);
        let mut rovers = Rovers::new(geometry.buckets());
        let mut live = Vec::new();
        for (pid, pages, pick, free) in asks {
            if free && !live.is_empty() {
                let (pid, start) = live.swap_remove(pick as usize % live.len());
                t.free(pid, start);
            } else if let Some(start) = match rove {
                true => t.place(pid, pages, &mut rovers).map(|found| found.start),
                false => t.alloc(pid, pages, pick % (1 << 30)),
            } {
                prop_assert!(start >= 1 && start + pages <= 1 << 30);
                live.push((pid, start));
            }
            for bucket in 0..geometry.buckets() {
                prop_assert!(usize::from(t.shadow.used_in(bucket)) <= BUCKET_ENTRIES);
                for tenant in 0..5 {
                    prop_assert!(t.shadow.tenant_in(bucket, tenant) <= share);
                }
            }
        }
    }

    /// Whoever allocates in whatever order: every slot of the table can be given out without one retry.
    #[test]
    fn a_plain_fill_is_level_up_to_the_last_slot(
        order in proptest::collection::vec(1u32..0xf0_0000, 512),
        size_log2 in 0u32..8,
    ) {
        let geometry = Geometry::new(22, 31, 0).unwrap();
        let mut t = Tables::new(geometry, 8);
        let mut rovers = Rovers::new(geometry.buckets());
        let pages = (1 << size_log2).min(geometry.buckets());
        for pid in order.iter().cycle().take((t.shadow.total_slots() / pages) as usize) {
            let found = t.place(*pid, pages, &mut rovers);
            prop_assert_eq!(found.map(|f| f.retries), Some(0));
        }
        prop_assert_eq!(t.shadow.free_slots(), 0);
        prop_assert!(t.place(7, 1, &mut rovers).is_none());
    }

    #[test]
    fn free_after_alloc_is_as_if_nothing_had_been(
        before in proptest::collection::vec((1u32..9, 1u64..30), 0..20),
        pid in 1u32..9,
        pages in 1u64..120,
    ) {
        let mut t = Tables::new(Geometry::new(18, 24, 2).unwrap(), 8);
        for (pid, pages) in before {
            t.alloc(pid, pages, 1);
        }
        let (slots, free) = (t.slots(), t.shadow.free_slots());
        if let Some(start) = t.alloc(pid, pages, 1) {
            prop_assert_eq!(t.shadow.free_slots(), free - pages);
            t.free(pid, start);
            prop_assert_eq!(t.slots(), slots);
            prop_assert_eq!(t.shadow.free_slots(), free);
            prop_assert_eq!(t.alloc(pid, pages, 1), Some(start), "the same again");
        }
    }

    /// The search against one that looks at every window page by page.
    #[test]
    fn the_search_finds_the_first_window_that_a_plain_search_finds(
        before in proptest::collection::vec((1u32..6, 1u64..12, 0u64..60), 0..40),
        pid in 1u32..6,
        pages in 1u64..20,
        from in 1u64..90,
    ) {
        let geometry = Geometry::new(22, 30, 0).unwrap();
        let mut t = Tables::new(geometry, 4);
        for (pid, pages, from) in before {
            t.alloc(pid, pages, from);
        }
        let ranges = t.processes.remove(&pid).unwrap_or_default();
        let search = t.search(pid, &ranges);
        let span = geometry.buckets();
        let plain = (from..from + 64 * span).find(|start| {
            start % span + pages <= span
                && ranges.overlap(*start, pages).is_none()
                && search.fits(*start, pages).is_ok()
        });
        if pages <= span && plain.is_some() {
            prop_assert_eq!(search.find(pages, from).ok().map(|f| f.start), plain);
        }
    }

    /// What the longest range is said to be works, and in the blocks looked at no longer one does.
    #[test]
    fn the_longest_range_works(
        before in proptest::collection::vec((1u32..6, 1u64..9, 1u64..64), 0..40),
        pid in 1u32..6,
        from in 1u64..90,
        most in 1u64..40,
    ) {
        let mut t = Tables::new(Geometry::new(22, 30, 0).unwrap(), 8);
        for (pid, pages, from) in before {
            t.alloc(pid, pages, from);
        }
        let span = t.shadow.geometry().buckets();
        let ranges = t.processes.remove(&pid).unwrap_or_default();
        let search = t.search(pid, &ranges);
        let longest = search.longest(most, from);
        let works = |start: u64, pages: u64| {
            start % span + pages <= span && ranges.overlap(start, pages).is_none() && search.fits(start, pages).is_ok()
        };
        let best = (1..=most.min(span)).filter(|n| (from..=from + 2 * span - n).any(|s| works(s, *n))).max();
        prop_assert_eq!(longest, best.unwrap_or(0));
        prop_assert!(longest == 0 || search.find(longest, from).is_ok());
    }
}

#[test]
fn ranges_longer_than_a_block_count_every_bucket() {
    let geometry = Geometry::new(18, 24, 2).unwrap();
    let mut t = Tables::new(geometry, 8);
    let start = t.alloc(1, 100, 1).unwrap();
    assert_eq!(start % geometry.buckets(), 0);
    assert!(t.alloc(2, 156, 1).is_some(), "256 slots, 100 used");
    assert_eq!(t.shadow.free_slots(), 0);
    assert!(t.alloc(3, 1, 1).is_none());
    t.free(1, start);
    assert!(t.alloc(3, 100, 1).is_some());
}
