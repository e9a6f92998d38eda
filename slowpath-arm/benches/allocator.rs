//! Time of one allocation (search and shadow) on a table at several fill levels; the retries against fill level are
//! `examples/allocator_fill`.
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use mneme_slowpath::allocator::Search;
use mneme_slowpath::process::Ranges;
use mneme_slowpath::shadow::Shadow;
use mneme_wire::Rights;
use mneme_wire::pte::Geometry;
use std::hint::black_box;

/// 4 MB pages, 4 slots per page, filled by a thousand processes with ranges of 16 pages.
fn filled(mem_bits: u32, percent: u64) -> Shadow {
    let geometry = Geometry::new(22, mem_bits, 2).expect("4 MB pages fit");
    let mut shadow = Shadow::new(geometry);
    let wanted = geometry.pages() * percent / 100 / 16;
    let none = Ranges::default();
    let mut cursors = vec![1; 1001];
    for nth in 0..wanted {
        let pid = (nth % 1000) as u32 + 1;
        let cursor = &mut cursors[pid as usize];
        let search = Search { shadow: &shadow, ranges: &none, pid, tenant: pid, share: 8, probes: 1 << 20 };
        let found = search.find(16, *cursor).expect("there is room");
        for vpn in found.start..found.start + 16 {
            assert!(shadow.insert(pid, vpn, Rights::READ_WRITE, pid));
        }
        *cursor = found.start + 16;
    }
    shadow
}

fn allocate(shadow: &mut Shadow, pages: u64) -> u64 {
    let none = Ranges::default();
    let search = Search { shadow, ranges: &none, pid: 4000, tenant: 4000, share: 4, probes: 1 << 20 };
    let start = search.find(pages, 1).expect("there is room").start;
    for vpn in start..start + pages {
        assert!(shadow.insert(4000, vpn, Rights::READ_WRITE, 4000));
    }
    start
}

fn allocator(c: &mut Criterion) {
    for (name, mem_bits) in [("2GB", 31), ("1TB", 40)] {
        let mut group = c.benchmark_group(format!("alloc_free_{name}"));
        for percent in [10, 50, 90, 100] {
            let mut shadow = filled(mem_bits, percent);
            for pages in [1, 16, 256] {
                let id = BenchmarkId::new(format!("{percent}%"), pages);
                group.bench_with_input(id, &pages, |b, pages| {
                    b.iter_batched(
                        || (),
                        |()| {
                            let start = allocate(&mut shadow, *pages);
                            for vpn in start..start + pages {
                                black_box(shadow.remove(4000, vpn));
                            }
                        },
                        BatchSize::SmallInput,
                    );
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, allocator);
criterion_main!(benches);
