//! Time of one allocation and its free (search and shadow) on a table at several fill levels; the retries against fill level are
//! `examples/allocator_fill`.
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mneme_slowpath::allocator::{Bounds, Rovers, Search};
use mneme_slowpath::process::{Range, RangeState, Ranges};
use mneme_slowpath::shadow::Shadow;
use mneme_wire::Rights;
use mneme_wire::pte::Geometry;
use std::hint::black_box;

/// A table with its rovers.
struct Filled {
    shadow: Shadow,
    rovers: Rovers,
}

impl Filled {
    /// 4 MB pages, 4 slots per page, filled by a thousand processes with ranges of 16 pages.
    fn new(mem_bits: u32, percent: u64) -> Filled {
        let geometry = Geometry::new(22, mem_bits, 2).expect("4 MB pages fit");
        let mut filled = Filled { shadow: Shadow::new(geometry), rovers: Rovers::new(geometry.buckets()) };
        let mut ranges = vec![Ranges::default(); 1001];
        for nth in 0..geometry.pages() * percent / 100 / 16 {
            let pid = (nth % 1000) as u32 + 1;
            let start = filled.allocate(pid, &ranges[pid as usize], 16);
            ranges[pid as usize].insert(start, Range { pages: 16, state: RangeState::Live });
        }
        filled
    }

    fn allocate(&mut self, pid: u32, ranges: &Ranges, pages: u64) -> u64 {
        let bounds = Bounds::new(None, self.shadow.geometry().page_bits());
        let search =
            Search { shadow: &self.shadow, ranges, pid, tenant: pid, share: 4, probes: 1 << 20, bounds };
        let start = search.place(pages, 1, &mut self.rovers).expect("there is room").start;
        for vpn in start..start + pages {
            assert!(self.shadow.insert(pid, vpn, Rights::READ_WRITE, pid));
        }
        start
    }
}

fn allocator(c: &mut Criterion) {
    for (name, mem_bits) in [("2GB", 31), ("1TB", 40)] {
        let mut group = c.benchmark_group(format!("alloc_free_{name}"));
        for percent in [10, 50, 90, 100] {
            let mut filled = Filled::new(mem_bits, percent);
            let none = Ranges::default();
            for pages in [1, 16, 256] {
                let id = BenchmarkId::new(format!("{percent}%"), pages);
                group.bench_with_input(id, &pages, |b, pages| {
                    b.iter(|| {
                        let start = filled.allocate(4000, &none, *pages);
                        for vpn in start..start + pages {
                            black_box(filled.shadow.remove(4000, vpn));
                        }
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, allocator);
criterion_main!(benches);
