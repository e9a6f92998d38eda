//! The overflow-free search alone.
use mneme_slowpath::allocator::{Bounds, Found, Rovers, Search};
use mneme_slowpath::process::{Range, RangeState, Ranges};
use mneme_slowpath::shadow::Shadow;
use mneme_wire::payload::VaWindow;
use mneme_wire::pte::{BUCKET_ENTRIES, Geometry};
use mneme_wire::{Rights, Va};
use proptest::prelude::*;
use std::collections::BTreeMap;

struct Tables {
    shadow: Shadow,
    processes: BTreeMap<u32, Ranges>,
    share: u8,
    /// Each process's window, none of those that are not here.
    windows: BTreeMap<u32, VaWindow>,
}

impl Tables {
    fn new(geometry: Geometry, share: u8) -> Tables {
        Tables { shadow: Shadow::new(geometry), processes: BTreeMap::new(), share, windows: BTreeMap::new() }
    }
    fn search<'a>(&'a self, pid: u32, ranges: &'a Ranges) -> Search<'a> {
        let (shadow, share, bounds) = (&self.shadow, self.share, self.bounds(pid));
        Search { shadow, ranges, pid, tenant: pid % 5, share, probes: 1 << 14, bounds }
    }
    fn bounds(&self, pid: u32) -> Bounds {
        Bounds::new(self.windows.get(&pid).copied(), self.shadow.geometry().page_bits())
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
        let found = self.search(pid, &ranges).place(pages, self.bounds(pid).first(), rovers);
        self.processes.insert(pid, ranges);
        let found = found.ok()?;
        self.take(pid, pages, found);
        Some(found)
    }
    fn take(&mut self, pid: u32, pages: u64, found: Found) -> u64 {
        let start = found.start;
        assert!(self.bounds(pid).hold(start, pages), "outside the window");
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
    /// What `look` sees of a process's search.
    fn look<R>(&mut self, pid: u32, look: impl FnOnce(&Search) -> R) -> R {
        let ranges = self.processes.remove(&pid).unwrap_or_default();
        let seen = look(&self.search(pid, &ranges));
        self.processes.insert(pid, ranges);
        seen
    }
    fn slots(&self) -> Vec<(u32, u64, Rights)> {
        let mut pages: Vec<_> = self.shadow.pages().collect();
        pages.sort_by_key(|p| (p.0, p.1));
        pages
    }
}

fn window(first: u64, regions: u64) -> VaWindow {
    VaWindow::new(first * Va::REGION, regions * Va::REGION).unwrap()
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
        windows: bool,
    ) {
        let geometry = Geometry::new(22, 31, 0).unwrap();
        let mut t = Tables::new(geometry, 8);
        for pid in order.iter().filter(|_| windows) {
            t.windows.insert(*pid, window(u64::from(pid % 4096), 64));
        }
        let mut rovers = Rovers::new(geometry.buckets());
        let pages = (1 << size_log2).min(geometry.buckets());
        for pid in order.iter().cycle().take((t.shadow.total_slots() / pages) as usize) {
            let found = t.place(*pid, pages, &mut rovers);
            prop_assert_eq!(found.map(|f| f.retries), Some(0));
        }
        prop_assert_eq!(t.shadow.free_slots(), 0);
        prop_assert!(t.place(7, 1, &mut rovers).is_none());
    }

    /// Tables whose blocks are shorter than a region, and such whose blocks are 128 regions long: what is found lies in the
    /// window (`take` checks it), all of which can be given out. What is said to be missing is not there.
    #[test]
    fn a_window_is_filled_to_its_end(
        long_blocks: bool,
        first in prop_oneof![Just(0u64), 1u64..1000, Just((1 << 18) - 8)],
        regions in 1u64..=8,
        sizes in proptest::collection::vec((1u64..700, any::<u64>(), any::<bool>()), 0..40),
        others in proptest::collection::vec(2u32..90, 0..40),
    ) {
        let geometry = if long_blocks { Geometry::new(28, 38, 2) } else { Geometry::new(22, 31, 0) }.unwrap();
        let mut t = Tables::new(geometry, 8);
        t.windows.insert(1, window(first, regions));
        let (bounds, span) = (t.bounds(1), geometry.buckets());
        let mut rovers = Rovers::new(span);
        for (pages, from, rove) in sizes {
            let found = if rove { t.place(1, pages, &mut rovers).is_some() } else { t.alloc(1, pages, from % (1 << 30)).is_some() };
            let fits = |s: &Search| (bounds.first()..=bounds.end().saturating_sub(pages))
                .any(|at| at % span + pages <= span && bounds.hold(at, pages) && s.ranges.overlap(at, pages).is_none() && s.fits(at, pages).is_ok());
            prop_assert!(found || !t.look(1, fits), "{} pages would have fitted", pages);
            let longest = t.look(1, |s| s.longest(pages, from));
            prop_assert!(longest == 0 || t.look(1, |s| s.find(longest, from)).is_ok(), "a hint that does not work");
        }
        for pid in others {
            t.place(pid, 1, &mut rovers);
        }
        while t.place(1, 1, &mut rovers).is_some() {}
        let room = t.look(1, |s| (bounds.first()..bounds.end()).find(|at| s.ranges.overlap(*at, 1).is_none() && s.fits(*at, 1).is_ok()));
        prop_assert_eq!(room, None, "a page of the window was left out");
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

#[test]
fn a_hint_costs_a_bounded_look() {
    let geometry = Geometry::new(22, 34, 2).unwrap();
    for (full, hint) in [(1000, 5), (1022, 2), (1024, 0), (2000, 0)] {
        let mut t = Tables::new(geometry, 8);
        for bucket in (1..=full).map(|vpn| geometry.bucket(1, vpn)) {
            while t.shadow.damage(bucket) {}
        }
        assert_eq!(t.look(1, |s| s.longest(5, 1)), hint, "after {full} pages without room");
        assert_eq!(t.look(1, |s| s.longest(0, 1)), 0, "a spent quota is not looked for");
        assert!(t.look(1, |s| s.find(5, 1)).is_ok(), "there is room, further away");
    }
}

#[test]
fn a_range_over_the_border_of_two_blocks_is_found_where_the_window_has_no_whole_block() {
    let geometry = Geometry::new(28, 38, 2).unwrap();
    let span = geometry.buckets();
    let regions = span * geometry.page_size() / Va::REGION;
    let mut t = Tables::new(geometry, 8);
    // The last 3 regions of a block and the first 2 of the next one: 20 pages of 512.
    t.windows.insert(1, window(regions - 3, 5));
    assert_eq!(t.alloc(1, 20, 1), Some(span - 12));
    assert_eq!(t.alloc(1, 1, 1), None);
    t.free(1, span - 12);
    assert_eq!(t.alloc(1, 21, 1), None, "longer than the window");
    assert_eq!(t.alloc(1, 12, 1), Some(span - 12));
    assert_eq!(t.alloc(1, 8, 1), Some(span));
}

#[test]
fn a_window_of_page_0_alone_is_empty() {
    let geometry = Geometry::new(30, 40, 2).unwrap();
    let mut t = Tables::new(geometry, 8);
    t.windows.insert(1, window(0, 1));
    assert!(t.place(1, 1, &mut Rovers::new(geometry.buckets())).is_none());
    assert_eq!(t.alloc(1, 1, 0), None);
    assert_eq!(t.look(1, |s| s.longest(8, 0)), 0);
    t.windows.insert(2, window(1, 1));
    assert_eq!(t.alloc(2, 1, 0), Some(1));
    assert_eq!(t.alloc(2, 1, 0), None);
}
