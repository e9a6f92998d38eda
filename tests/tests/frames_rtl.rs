//! Pages of 4 KB on a served board of RTL: its leaf unit gives clients of the library what a software board's does.
use std::time::{Duration, Instant};

use mneme_clib::{AllocOptions, Client, ClientOptions, Error, OpenOptions, Process, Rights, UdpDriver};
use mneme_daemon::rdma::SILENT;
use mneme_model::BoardShape;
use mneme_rdma::node::FRAME;
use mneme_tests::faulty::{Faults, FaultyDriver};
use mneme_tests::served::{Made, RdmaBoard};
use mneme_tests::suite::{pattern, read};
use mneme_wire::{Cause, NodeCounter, Status};

const PAGE: usize = FRAME as usize;
const MB: u64 = 1 << 20;

fn frames(most: u64) -> AllocOptions {
    AllocOptions { frames: Some(most), ..AllocOptions::default() }
}
fn refusal(result: Result<(), Error>) -> (Status, Cause) {
    result.expect_err("refused").refusal().expect("by the board")
}

/// What is written, beside what a plain array of bytes has then.
struct Mirror<'a> {
    process: &'a Process,
    va: u64,
    bytes: Vec<u8>,
}

impl Mirror<'_> {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        self.process.rwrite(self.va + at as u64, bytes).expect("written");
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }
    fn compare(&self, at: usize, length: usize) {
        let found = read(self.process, self.va + at as u64, length);
        assert!(found == self.bytes[at..at + length], "{length} bytes at {at}");
    }
}

/// Waits until something holds that the board does by and by.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn clients_of_the_library_have_pages_of_4_kb_on_the_rtl() {
    let board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    const BYTES: usize = 2 << 20;
    let va = process.ralloc_with(BYTES as u64, frames(0)).expect("alloc");
    let mut mirror = Mirror { process: &process, va, bytes: vec![0; BYTES] };
    mirror.compare(0, 3 * PAGE);
    // A page, a part of one, across two, across board pages and many of them.
    mirror.write(3 * PAGE, &pattern(1, PAGE));
    mirror.write(9 * PAGE + 100, b"part");
    mirror.write(20 * PAGE - 77, &pattern(2, 200));
    mirror.write(254 * PAGE - 77, &pattern(3, 20_000));
    for at in [2, 8, 19, 250] {
        mirror.compare(at * PAGE, 12 * PAGE);
    }
    // A read that begins in a page without a frame, and one that ends there.
    mirror.compare(3 * PAGE - 30, 60);
    mirror.compare(4 * PAGE - 30, 60);
    // One word of a page that nobody has written, for two at the same time; each addition counts once.
    const ADDS: u64 = 60;
    let word = va + 40 * FRAME + 8;
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..ADDS).for_each(|_| assert!(process.fetch_add(word, 3).is_ok())));
        }
    });
    assert_eq!(process.compare_swap(word, 6 * ADDS, 7).expect("swapped"), 6 * ADDS);
    assert_eq!(read(&process, word, 8), 7u64.to_le_bytes());
    // Another process has frames of its own, at the same address or not, and none of these.
    let other = client.open(OpenOptions::default()).expect("open");
    assert_eq!(refusal(other.rwrite(va, b"other")).0, Status::Unmapped);
    let own = other.ralloc_with(MB, frames(0)).expect("alloc");
    other.rwrite(own + 3 * FRAME, b"other").expect("written");
    mirror.compare(3 * PAGE, PAGE);
    // Freed frames are others' then, and zeros.
    process.rfree(va).expect("freed");
    assert_eq!(refusal(process.rwrite(va, b"gone")).0, Status::Unmapped);
    let again = process.ralloc_with(2 * MB, frames(0)).expect("alloc");
    for page in 0..40 {
        process.rwrite(again + page * 7 * FRAME + 8, &page.to_le_bytes()).expect("written");
    }
    for page in 0..40u64 {
        let mut expected = vec![0; PAGE];
        expected[8..16].copy_from_slice(&page.to_le_bytes());
        assert_eq!(read(&process, again + page * 7 * FRAME, PAGE), expected);
    }
    assert_eq!(read(&other, own + 3 * FRAME, 5), b"other");
}

#[test]
fn rights_and_quotas_hold_for_pages_of_4_kb_on_the_rtl() {
    let board = RdmaBoard::start_rtl_with(Made {
        configure: |config| config.limits.tenant_pages = Some(6),
        ..Made::default()
    });
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    assert!(matches!(process.ralloc_with(7 * MB, frames(0)), Err(Error::Quota { .. })));
    let va = process.ralloc_with(8 * MB, frames(4 * FRAME)).expect("a page's worth of frames at most");
    let at = |page: u64| va + page * FRAME;
    process.rwrite(at(0), b"before").expect("written");
    process.rprotect(va, 8 * MB, Rights::READ_ONLY).expect("protected");
    assert_eq!(refusal(process.rwrite(at(0), b"after")), (Status::Denied, Cause::Rights));
    assert_eq!(refusal(process.fetch_add(at(0), 1).map(drop)), (Status::Denied, Cause::Rights));
    assert_eq!(read(&process, at(0), 6), b"before");
    process.rprotect(va, 8 * MB, Rights::READ_WRITE).expect("protected");
    process.rwrite(at(0), b"after!").expect("written");
    // Four frames, of which three are left; a write that needs two more than there are takes none.
    process.rwrite(at(1000), b"far").expect("written");
    process.fetch_add(at(1999), 1).expect("added");
    assert_eq!(refusal(process.rwrite(at(5) - 50, &[1; 100])), (Status::Quota, Cause::QuotaPages));
    process.rwrite(at(3), b"the last").expect("written");
    assert_eq!(refusal(process.rwrite(at(5), b"more")), (Status::Quota, Cause::QuotaPages));
    assert_eq!(read(&process, at(5) - 50, 100), [0; 100], "nothing of it was written");
    process.rwrite(at(3), b"over it").expect("written");
    assert_eq!(read(&process, at(1000), 3), b"far");
}

#[test]
fn segments_and_frames_of_the_rtl_come_back() {
    let board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    // More than there are segments.
    for round in 0..300u64 {
        let va = process.ralloc_with(MB, frames(2 * FRAME)).expect("alloc");
        process.rwrite(va + FRAME - 4, &round.to_le_bytes()).expect("written");
        assert_eq!(read(&process, va + FRAME - 4, 8), round.to_le_bytes());
        process.rfree(va).expect("freed");
    }
    let given = || client.board_counters().expect("they are told").node(NodeCounter::PagesGiven);
    // A client whose thread does not keep its leases, as if it were no more.
    let lease = OpenOptions { lease: Some(Duration::from_secs(5)), ..OpenOptions::default() };
    let driver =
        FaultyDriver::new(UdpDriver::connect(board.address).expect("a socket"), Faults::default(), 1);
    let killed =
        Client::connect(driver.standing_still(), ClientOptions::default()).expect("the board answers");
    let gone = killed.open(lease).expect("open");
    let va = gone.ralloc_with(4 * MB, frames(0)).expect("alloc");
    for page in 0..300u64 {
        gone.rwrite(va + page * FRAME, &page.to_le_bytes()).expect("written");
    }
    // Those that wait for first touches are among them.
    let waiting = BoardShape::RDMA_PORT.async_depth as u64;
    until("board pages of the leaf unit's", || given() > waiting);
    std::mem::forget((gone, killed));
    until("board pages that come back", || given() <= waiting);
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    process.rwrite(va, b"goes on").expect("written");
}
