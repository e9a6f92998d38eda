//! The index function is invertible, and every shape that is accepted fits an entry.
use std::collections::HashSet;

use mneme_wire::pte::{self, Geometry, GeometryError};
use mneme_wire::{Tick, Va, WindowCheck, check_window, crc32c, filter_digest};
use proptest::prelude::*;

fn kept() -> [Geometry; 4] {
    // contracts.md §8: tiny, sim, wide, zcu106.
    [(18, 24, 2), (18, 28, 2), (21, 27, 3), (22, 31, 2)].map(|(p, m, s)| Geometry::new(p, m, s).unwrap())
}

prop_compose! {
    fn geometry()(page in 18u32..=30, mem in 0u32..26, slots in 0u32..=6) -> Option<Geometry> {
        Geometry::new(page, page + mem, slots).ok()
    }
}

proptest! {
    #[test]
    fn index_is_invertible(g in geometry(), pid in 0u32..1 << 24, va in 0u64..1 << 48) {
        let Some(g) = g else { return Ok(()) };
        let vpn = g.vpn(va);
        let (bucket, tag) = (g.bucket(pid, vpn), g.tag(pid, vpn));
        prop_assert!(bucket < g.buckets());
        prop_assert!(tag < 1 << g.tag_bits());
        prop_assert_eq!(g.page_of(bucket, tag), (pid, vpn));
    }

    #[test]
    fn sealed_entries_keep_their_parts(which in 0usize..4, pid in 0u32..1 << 24, va in 0u64..1 << 48, ppn: u64, flags: u64) {
        let g = kept()[which];
        let flags = flags & !((1 << pte::TAG_TOP) - 1);
        let entry = g.seal(flags | (ppn & g.ppn_mask()), pid, g.vpn(va));
        prop_assert!(pte::parity_ok(entry));
        prop_assert_eq!(g.entry_tag(entry), g.tag(pid, g.vpn(va)));
        prop_assert_eq!(g.entry_ppn(entry), ppn & g.ppn_mask());
        prop_assert_eq!((entry ^ flags) >> pte::TAG_TOP & !(pte::PARITY >> pte::TAG_TOP), 0);
        prop_assert!(!pte::parity_ok(entry ^ 1 << (ppn % 64)));
    }

    #[test]
    fn ticks_wrap(now in 0u32..1 << 24, age in -(1i32 << 23)..1 << 23) {
        let now = Tick::from_low_bits(now);
        let time = now.plus(age.wrapping_neg() as u32);
        prop_assert_eq!(now.since(time), age);
        let expected = if age > 100 { WindowCheck::Expired } else if age < -25 { WindowCheck::Ahead } else { WindowCheck::Inside };
        prop_assert_eq!(check_window(now, time, 100), expected);
    }
}

#[test]
fn consecutive_pages_of_a_process_fill_every_bucket_before_one_twice() {
    for g in kept() {
        let buckets: HashSet<_> = (0..g.buckets()).map(|vpn| g.bucket(7, vpn + 3 * g.buckets())).collect();
        assert_eq!(buckets.len() as u64, g.buckets());
    }
}

#[test]
fn shapes_that_cannot_be_are_refused_with_the_reason() {
    assert_eq!(Geometry::new(17, 30, 2), Err(GeometryError::PageSize(17)));
    assert_eq!(Geometry::new(22, 25, 2), Err(GeometryError::Memory { mem_bits: 25, page_bits: 22 }));
    assert_eq!(Geometry::new(18, 30, 1), Err(GeometryError::Entry(65)));
    assert_eq!(Geometry::new(30, 44, 7), Err(GeometryError::Slots(7)));
}

#[test]
fn the_default_table_takes_four_slots_a_page() {
    let g = Geometry::new(22, 31, 2).unwrap();
    assert_eq!((g.pages(), g.buckets(), g.table_bytes(), g.table_pages()), (512, 256, 16384, 1));
    assert_eq!((g.tag_bits(), g.ppn_bits()), (42, 9));
}

#[test]
fn crc32c_has_the_check_value_of_rfc_3720() {
    assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    assert_ne!(filter_digest(2, Va::new(4096).unwrap(), 64), filter_digest(2, Va::new(4096).unwrap(), 65));
}
