//! What must hold after every request, whatever came before.
use super::Bench;
use mneme_slowpath::pages::PagePlace;
use mneme_slowpath::process::{Held, RangeState};
use mneme_wire::Rights;
use mneme_wire::pte::{ALLOCATED, BUCKET_ENTRIES, READ, VALID, WRITE, parity_ok};
use std::collections::{BTreeMap, BTreeSet};

impl Bench {
    /// Shadow equals table; ranges do not overlap and hold exactly the table's pages; accounts add up; each physical page
    /// is in exactly one place, and the places agree with the board.
    pub fn audit(&mut self) {
        let table = self.table_pages();
        self.slow.inspect(|space| {
            let shadow: BTreeMap<(u32, u64), Rights> =
                space.shadow().pages().map(|(pid, vpn, rights)| ((pid, vpn), rights)).collect();
            assert_eq!(shadow, table.iter().map(|(k, (r, _))| (*k, *r)).collect(), "shadow and table");
            assert_eq!(space.slots_used(), shadow.len() as u64, "nothing was lost");
            let mut pages = BTreeSet::new();
            let (mut live, mut held) = (0, BTreeMap::new());
            for (pid, vpn, _) in space.shadow().pages() {
                let held: &mut Held = held.entry(pid).or_default();
                held.slots += 1;
                held.pages += u64::from(space.shadow().page(pid, vpn).unwrap().committed);
            }
            for (pid, process) in space.processes() {
                let mut end = 1;
                for (start, range) in process.ranges.iter() {
                    assert!(start >= end, "ranges overlap or hold page 0");
                    end = start + range.pages;
                    assert!(!matches!(range.state, RangeState::Busy | RangeState::Lost));
                    if range.state == RangeState::Live {
                        live += 1;
                        held.entry(pid).or_default().ranges += 1;
                        pages.extend((start..end).map(|vpn| (pid, vpn)));
                    }
                }
            }
            for (pid, process) in space.processes() {
                assert_eq!(
                    process.held,
                    held.get(&pid).copied().unwrap_or_default(),
                    "what process {pid} has"
                );
            }
            assert_eq!(pages, shadow.keys().copied().collect(), "trees and table");
            assert_eq!(live, space.live_ranges());
            let slots: u64 = space.tenants().map(|t| t.slots).sum();
            assert_eq!(slots, shadow.len() as u64, "accounts and table");
            for bucket in 0..space.shadow().geometry().buckets() {
                for process in space.processes() {
                    assert!(space.shadow().tenant_in(bucket, process.1.tenant) <= 4, "share of a bucket");
                }
            }
        });
        self.audit_pages(&table);
    }

    /// Every allocated entry of the board's table: rights, and the physical page if it has one.
    pub fn table_pages(&self) -> BTreeMap<(u32, u64), (Rights, Option<u64>)> {
        let g = &self.fp.geometry;
        let mut pages = BTreeMap::new();
        for (at, entry) in self.fp.table.iter().enumerate().filter(|(_, e)| **e & ALLOCATED != 0) {
            assert!(parity_ok(*entry));
            let key = g.page_of((at / BUCKET_ENTRIES) as u64, g.entry_tag(*entry));
            let rights = Rights { read: entry & READ != 0, write: entry & WRITE != 0 };
            let ppn = (entry & VALID != 0).then(|| g.entry_ppn(*entry));
            assert!(pages.insert(key, (rights, ppn)).is_none(), "a page has two entries");
        }
        pages
    }

    fn audit_pages(&mut self, table: &BTreeMap<(u32, u64), (Rights, Option<u64>)>) {
        let mapped: Vec<u64> = table.values().filter_map(|(_, ppn)| *ppn).collect();
        let distinct: BTreeSet<u64> = mapped.iter().copied().collect();
        assert_eq!(distinct.len(), mapped.len(), "two entries share a physical page");
        let total = self.fp.geometry.pages();
        let table_pages = self.fp.geometry.table_pages();
        let (buffer, exhausted, zeroing) =
            (self.fp.buffer.clone(), self.fp.exhausted(), self.fp.zeroing_pages());
        let pages = self.slow.pages(&mut self.fp);
        let mut free = 0;
        for page in 0..total {
            let place = pages.place(page as usize);
            let expected = if page < table_pages {
                PagePlace::Table
            } else if distinct.contains(&page) {
                PagePlace::Given
            } else if buffer.contains(&(page as u32)) {
                PagePlace::Offered
            } else if zeroing.contains(&(page as u32)) {
                PagePlace::Zeroing
            } else {
                free += 1;
                PagePlace::Free
            };
            assert_eq!(place, expected, "page {page}");
        }
        assert_eq!(pages.free(), free);
        if exhausted {
            assert_eq!((free, zeroing.len()), (0, 0), "exhausted though pages are left");
        }
    }
}
