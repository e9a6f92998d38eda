//! Windows of addresses: OPEN asks for one, ALLOC keeps to it.
use crate::double;
use double::{Bench, Double, config};
use mneme_wire::payload::{OpenRequest, VaWindow};
use mneme_wire::{Cause, Opcode, Response, Rights, Status, Va};
use proptest::prelude::*;

const ME: [u8; 4] = [10, 0, 0, 1];

/// 256 KB pages: 4,096 of them are a region.
const REGION_PAGES: u64 = Va::REGION >> 18;

fn opens(b: &mut Bench, first: u64, regions: u64) -> u32 {
    let window = Some(VaWindow::new(first * Va::REGION, regions * Va::REGION).unwrap());
    b.open_from(ME, 0, &OpenRequest { window, ..OpenRequest::default() }).unwrap().pid
}

fn why(response: &Response) -> (Status, Cause) {
    (response.status, response.detail().cause)
}

#[test]
fn allocations_lie_in_the_window_and_fixed_ones_anywhere() {
    let mut b = Bench::tiny();
    let pid = opens(&mut b, 5, 2);
    let pages = 5 * REGION_PAGES..7 * REGION_PAGES;
    for size in [1, 3, 32, 1] {
        let at = b.alloc(pid, size, Rights::READ_WRITE).unwrap();
        assert!(pages.start <= at && at + size <= pages.end, "page {at:#x}");
    }
    for elsewhere in [1, 4 * REGION_PAGES, 7 * REGION_PAGES, (Va::LIMIT >> 18) - 1] {
        assert_eq!(b.alloc_at(pid, elsewhere, 1).unwrap(), elsewhere);
    }
    let after = b.alloc(pid, 1, Rights::READ_WRITE).unwrap();
    assert!(pages.contains(&after), "a fixed address does not move the window");
    // A hint instead of a fixed address that is taken is one that the process is given without one.
    for taken in [1, 4 * REGION_PAGES, after] {
        let refused = b.alloc_at(pid, taken, 1).unwrap_err();
        assert_eq!(why(&refused), (Status::NoMemory, Cause::Address));
        assert!(pages.contains(&u64::from(refused.detail().hint)), "hint {:#x}", refused.detail().hint);
    }
    let zero = b.alloc_at(pid, 0, 1).unwrap_err();
    assert_eq!(why(&zero), (Status::BadRequest, Cause::Address));
    assert!(pages.contains(&u64::from(zero.detail().hint)));
    let other = b.open();
    assert!(b.alloc(other, 1, Rights::READ_WRITE).unwrap() < pages.start, "the window is one process's");
    b.audit();
}

#[test]
fn windows_that_cannot_be_are_refused() {
    let mut b = Bench::tiny();
    let mut ask = |join: bool, first: u64, bytes: u64| {
        let mut payload = OpenRequest { join, ..OpenRequest::default() }.to_bytes();
        payload[32..40].copy_from_slice(&first.to_le_bytes());
        payload[40..48].copy_from_slice(&bytes.to_le_bytes());
        why(&b.ask(Opcode::Open, 0, 0, &payload).0)
    };
    let bad = (Status::BadRequest, Cause::Length);
    assert_eq!(ask(false, Va::REGION, 0), bad);
    assert_eq!(ask(false, 1 << 18, Va::REGION), bad);
    assert_eq!(ask(false, 0, 1 << 18), bad);
    assert_eq!(ask(false, Va::LIMIT, Va::REGION), bad);
    assert_eq!(ask(false, u64::MAX - Va::REGION + 1, Va::REGION), bad);
    let unasked = (Status::Unsupported, Cause::Option);
    assert_eq!(ask(true, Va::REGION, Va::REGION), unasked);
    assert_eq!(ask(true, 0, 1), unasked);
    assert_eq!(ask(false, 0, Va::LIMIT).0, Status::Ok, "the whole address space");
}

#[test]
fn who_joins_gets_the_window_of_the_process() {
    let mut b = Bench::tiny();
    let window = Some(VaWindow::new(9 * Va::REGION, Va::REGION).unwrap());
    let first = b.open_from(ME, 0, &OpenRequest { window, ..OpenRequest::default() }).unwrap();
    let join = OpenRequest { join: true, token: first.token, ..OpenRequest::default() };
    let joined = b.open_from([10, 0, 0, 2], first.pid, &join).unwrap();
    let at = b.alloc(joined.pid, 1, Rights::READ_WRITE).unwrap();
    assert_eq!(at / REGION_PAGES, 9);
}

#[test]
fn a_window_shorter_than_a_block_of_the_table_is_used_up() {
    // 256 MB pages, 2 TB: blocks of 4,096 pages, regions of 4.
    let mut b = Bench::new(Double::new(28, 41, 2), config());
    let pid = opens(&mut b, 1000, 2);
    let mut given: Vec<u64> = (0..8).map(|_| b.alloc(pid, 1, Rights::READ_WRITE).unwrap()).collect();
    given.sort_unstable();
    assert_eq!(given, (4000..4008).collect::<Vec<_>>());
    assert_eq!(why(&b.alloc(pid, 1, Rights::READ_WRITE).unwrap_err()), (Status::NoMemory, Cause::Capacity));
    b.audit();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Processes with windows of their own, beside one without: every range lies where it should, whatever is freed.
    #[test]
    fn processes_keep_to_their_windows(
        windows in proptest::collection::vec((0u64..50, 1u64..4), 1..5),
        asks in proptest::collection::vec((0usize..5, 1u64..20, any::<bool>()), 1..50),
    ) {
        let mut b = Bench::tiny();
        let mut processes: Vec<_> = windows
            .iter()
            .map(|(first, regions)| (opens(&mut b, *first, *regions), first * REGION_PAGES..(first + regions) * REGION_PAGES))
            .collect();
        processes.push((b.open(), 0..Va::LIMIT >> 18));
        let mut live = Vec::new();
        for (who, size, free) in asks {
            let (pid, pages) = &processes[who % processes.len()];
            if free && !live.is_empty() {
                let (pid, at) = live.swap_remove(size as usize % live.len());
                prop_assert_eq!(b.free(pid, at, 0).status, Status::Ok);
            } else if let Ok(at) = b.alloc(*pid, size, Rights::READ_WRITE) {
                prop_assert!(at >= 1 && pages.start <= at && at + size <= pages.end);
                live.push((*pid, at));
            }
        }
        b.audit();
    }
}
