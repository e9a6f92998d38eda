//! Pages of 4 KB on a served board of RTL, whose port answers RDMA clients itself: they and clients of the library meet in the same words,
//! under the same rights and quotas.
use std::time::{Duration, Instant};

use mneme_clib::{AllocOptions, Error, OpenOptions, Rights};
use mneme_daemon::rdma::SILENT;
use mneme_rdma::client::FreeRange;
use mneme_rdma::cm::{Ask, Refusal};
use mneme_rdma::codec::Nak;
use mneme_rdma::memory::Access;
use mneme_rdma::node::FRAME;
use mneme_rdma::requester::{Failure, Operation, Work};
use mneme_rdma::udp::NativeClient;
use mneme_tests::frames::{ask, frames};
use mneme_tests::native::{done, native_read, native_write, refused, statistics};
use mneme_tests::served::{Made, RdmaBoard};
use mneme_tests::suite::{pattern, read};
use mneme_wire::{Cause, Status};

const PAGE: usize = FRAME as usize;
const MB: u64 = 1 << 20;

fn refusal(result: Result<(), Error>) -> (Status, Cause) {
    result.expect_err("refused").refusal().expect("by the board")
}

#[test]
fn both_wires_meet_in_the_same_pages_of_4_kb_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(2 * MB, frames(0)).expect("alloc");
    let at = |page: u64| va + page * FRAME;
    let mut native = board.rdma(ask(&process, va, 2 * MB)).expect("a connection");
    // One page: each writes where nobody has written before, or over the other's words.
    process.rwrite(at(3), &pattern(1, PAGE)).expect("written");
    assert_eq!(native_read(&mut native, at(3), PAGE), pattern(1, PAGE));
    native_write(&mut native, at(4), &pattern(2, PAGE)).expect("written");
    assert_eq!(read(&process, at(4), PAGE), pattern(2, PAGE));
    native_write(&mut native, at(3) + 100, b"native").expect("written");
    process.rwrite(at(3) + 106, b"library").expect("written");
    let mut expected = pattern(1, PAGE);
    expected[100..113].copy_from_slice(b"nativelibrary");
    assert_eq!(read(&process, at(3), PAGE), expected);
    assert_eq!(native_read(&mut native, at(3), PAGE), expected);
    // A part of a page that nobody wrote: the rest is zeros, and so is a page of which there is none.
    native_write(&mut native, at(9) + 50, b"part").expect("written");
    let mut expected = vec![0; 2 * PAGE];
    expected[50..54].copy_from_slice(b"part");
    assert_eq!(native_read(&mut native, at(9), 2 * PAGE), expected);
    assert_eq!(read(&process, at(9), 2 * PAGE), expected);
    // Across pages and board pages, some of them new.
    let long = pattern(9, 20_000);
    process.rwrite(at(254) - 77, &long).expect("written");
    assert_eq!(native_read(&mut native, at(254) - 77, long.len()), long);
    native_write(&mut native, at(255) + 13, &long).expect("written");
    assert_eq!(read(&process, at(255) + 13, long.len()), long);
    // One word, whose page both take at the same time; each addition counts once.
    const ADDS: u64 = 50;
    std::thread::scope(|scope| {
        scope.spawn(|| (0..ADDS).for_each(|_| assert!(process.fetch_add(at(6) + 8, 1).is_ok())));
        for _ in 0..ADDS {
            native.native.fetch_add(at(6) + 8, 1000).expect("posted");
            assert_eq!(done(&mut native).result, Ok(()));
        }
    });
    native.native.compare_swap(at(6) + 8, ADDS * 1001, 7).expect("posted");
    assert_eq!(done(&mut native).found, Some(ADDS * 1001), "each addition once");
    assert_eq!(process.compare_swap(at(6) + 8, 7, 8).expect("swapped"), 7);
    // Pages 3, 4 and 9, those from 253 to 259 that the long ones lie in, and the word's.
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("segments")), (3 + 7 + 1, 1));
    // The board is asked where its frames are while it serves.
    board.wait_for_audit(&process);
    // Another process reaches nothing of it, and a connection reaches a segment and no more.
    let other = client.open(OpenOptions::default()).expect("open");
    assert_eq!(refused(board.rdma(ask(&other, va, MB))), Refusal::Range);
    assert_eq!(refused(board.rdma(ask(&process, va + MB, 2 * MB))), Refusal::Range, "past its end");
    let pages = process.ralloc(MB).expect("alloc");
    assert_eq!(refused(board.rdma(ask(&process, pages, MB))), Refusal::Range, "board pages");
    // With the segment its connections end.
    process.rfree(va).expect("freed");
    std::thread::sleep(Duration::from_millis(500));
    let counted = board.end();
    assert_eq!((counted("connections"), counted("connections ended with their process")), (0, 1));
}

/// What a client of the library wrote, an RDMA client gives up: both read zeros, and the ring has the frames again. What is another
/// process's, or behind the region, stays.
#[test]
fn pages_of_4_kb_that_rdma_gives_up_are_zeros_for_both_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl(SILENT);
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(4 * MB, frames(0)).expect("alloc");
    let at = |page: u64| va + page * FRAME;
    process.rwrite(at(250), &pattern(1, 20 * PAGE)).expect("written");
    process.rwrite(at(700), &pattern(2, PAGE)).expect("written");
    // Of the range all but its first MB and a half page, and its last.
    let mut native = board.rdma(ask(&process, va + PAGE as u64 / 2, 3 * MB)).expect("a connection");
    let free = |native: &mut NativeClient, ranges: &[(u64, u64)]| {
        let ranges: Vec<_> = ranges.iter().map(|(va, pages)| FreeRange { va: *va, pages: *pages }).collect();
        native.native.free(&ranges).expect("posted");
        done(native).result
    };
    let counted = statistics(&mut board, &process);
    assert_eq!(counted("frames in use"), 21);
    assert_eq!(free(&mut native, &[(at(251), 17), (at(700), 2), (at(1), 3)]), Ok(()));
    let mut expected = pattern(1, 20 * PAGE);
    expected[PAGE..18 * PAGE].fill(0);
    assert!(read(&process, at(250), 20 * PAGE) == expected, "the library");
    assert!(native_read(&mut native, at(250), 20 * PAGE) == expected, "RDMA");
    assert_eq!(read(&process, at(700), PAGE), vec![0; PAGE]);
    let counted = statistics(&mut board, &process);
    assert_eq!((counted("frames in use"), counted("sends")), (3, 1));
    // They are written anew, as if they had never been there.
    process.rwrite(at(255) + 7, b"anew").expect("written");
    native_write(&mut native, at(256) + 9, b"anew").expect("written");
    assert_eq!(native_read(&mut native, at(255), 7), [0; 7]);
    assert_eq!(read(&process, at(256) + 5, 8), b"\0\0\0\0anew");

    // All or none: a page behind the region, one before it, and addresses of another process.
    let other = client.open(OpenOptions::default()).expect("open");
    let others = other.ralloc_with(MB, frames(0)).expect("alloc");
    other.rwrite(others, &pattern(3, PAGE)).expect("written");
    let denied = Err(Failure::Refused(Nak::RemoteAccess));
    let used = 6;
    for beside in [at(768), va, others, others + 2 * MB] {
        let words = [at(250), 1, beside, 1].map(u64::to_le_bytes);
        let operation = Operation::Send { data: words.concat(), immediate: None };
        native.native.carrier_mut().post(Work::new(99, operation)).expect("posted");
        assert_eq!(done(&mut native).result, denied, "{beside:#x}");
        native = board.rdma(ask(&process, va + PAGE as u64 / 2, 3 * MB)).expect("a connection");
        assert_eq!(statistics(&mut board, &process)("frames in use"), used, "{beside:#x}");
    }
    assert_eq!(read(&other, others, PAGE), pattern(3, PAGE));
    // Who may not write may not give up, and who may write no more neither.
    let reads = Ask { access: Access::READ, ..ask(&process, va, MB) };
    let mut reader = board.rdma(reads).expect("a connection");
    let words = [at(250), 1].map(u64::to_le_bytes);
    let operation = Operation::Send { data: words.concat(), immediate: None };
    reader.native.carrier_mut().post(Work::new(99, operation)).expect("posted");
    assert_eq!(done(&mut reader).result, denied);
    process.rprotect(va, 4 * MB, Rights::READ_ONLY).expect("protected");
    assert_eq!(free(&mut native, &[(at(250), 1)]), denied);
    assert_eq!(read(&process, at(250), PAGE), pattern(1, PAGE));
    drop((native, reader));
    process.rfree(va).expect("freed");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(statistics(&mut board, &other)("frames in use"), 1);
    let (counted, audit) = board.end_audited();
    assert_eq!((counted("memory denied"), audit.mapped, audit.waiting), (6, 1, 0));
    assert!(audit.ring > 0, "{audit:?}");
}

#[test]
fn rights_and_quotas_hold_for_rdma_in_pages_of_4_kb_on_the_rtl() {
    let mut board = RdmaBoard::start_rtl_with(Made {
        configure: |config| config.limits.tenant_pages = Some(6),
        ..Made::default()
    });
    let client = board.client();
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(8 * MB, frames(4 * FRAME)).expect("a page's worth of frames at most");
    let at = |page: u64| va + page * FRAME;
    process.rwrite(at(0), b"before").expect("written");
    // A right that the pages have not, and one that the region has not.
    process.rprotect(va, 8 * MB, Rights::READ_ONLY).expect("protected");
    let denied = Err(Failure::Refused(Nak::RemoteAccess));
    let mut native = board.rdma(ask(&process, va, 8 * MB)).expect("a connection");
    assert_eq!(native_read(&mut native, at(0), 6), b"before");
    assert_eq!(native_write(&mut native, at(0), b"after"), denied);
    let mut native = board.rdma(ask(&process, va, 8 * MB)).expect("a connection");
    native.native.fetch_add(at(7), 1).expect("posted");
    assert_eq!(done(&mut native).result, denied);
    assert_eq!(read(&process, at(0), 6), b"before");
    process.rprotect(va, 8 * MB, Rights::READ_WRITE).expect("protected");
    // Four frames, of which three are left.
    let mut native = board.rdma(ask(&process, va, 8 * MB)).expect("a connection");
    native_write(&mut native, at(1000), &pattern(1, PAGE)).expect("written");
    native.native.fetch_add(at(1999), 5).expect("posted");
    assert_eq!(done(&mut native).found, Some(0));
    // A write that needs two more than there are takes none; it is told to come again, and no more than that.
    assert!(matches!(native_write(&mut native, at(5) - 50, &[1; 100]), Err(Failure::NeverReady(_))));
    assert!(native.native.seen().not_ready > 0);
    assert_eq!(read(&process, at(5) - 50, 100), [0; 100], "nothing of it was written");
    let mut native = board.rdma(ask(&process, va, 8 * MB)).expect("a connection");
    native_write(&mut native, at(3), b"the last").expect("written");
    assert_eq!(refusal(process.rwrite(at(5), b"more")), (Status::Quota, Cause::QuotaPages));
    // What has a frame may still be written, and a READ needs none.
    native_write(&mut native, at(3), b"over it").expect("written");
    assert_eq!(native_read(&mut native, at(5), 8), [0; 8]);
    assert_eq!(read(&process, at(1000), PAGE), pattern(1, PAGE));
    let counted = statistics(&mut board, &process);
    assert_eq!(counted("frames in use"), 4);
    assert!(counted("frames wanted beyond a budget") > 255);
    // An atomic needs a frame, too.
    native.native.fetch_add(at(6), 1).expect("posted");
    assert!(matches!(done(&mut native).result, Err(Failure::NeverReady(_))));
    drop(native);
    std::thread::sleep(Duration::from_millis(500));
    let counted = board.end();
    assert_eq!(counted("memory denied"), 2);
    assert!(counted("memory not ready") >= 2 * 255, "{}", counted("memory not ready"));
}

/// All memory is somebody else's: the ring is empty until that one gives some back.
#[test]
fn a_write_of_rdma_waits_for_a_frame_of_the_rtl() {
    let mut board = RdmaBoard::start_rtl_with(Made {
        configure: |config| config.limits.overcommit = true,
        ..Made::default()
    });
    let client = board.client();
    let other = client.open(OpenOptions::default()).expect("open");
    let mut taken = Vec::new();
    // Page by page, until there is none.
    loop {
        let va = other.ralloc_with(MB, AllocOptions { own_pages: true, ..AllocOptions::default() });
        let va = va.expect("addresses are there");
        if let Err(error) = other.rwrite(va, b"mine") {
            assert_eq!(error.refusal(), Some((Status::NoMemory, Cause::None)), "{error}");
            break;
        }
        taken.push(va);
    }
    let process = client.open(OpenOptions::default()).expect("open");
    let va = process.ralloc_with(MB, frames(0)).expect("alloc");
    let mut native = board.rdma(ask(&process, va, MB)).expect("a connection");
    assert_eq!(native_read(&mut native, va, 8), [0; 8], "a read needs no frame");
    native.native.write(va + FRAME, pattern(1, PAGE), None, false).expect("posted");
    let until = Instant::now() + Duration::from_millis(40);
    while Instant::now() < until {
        native.poll(Duration::from_millis(5)).expect("the socket works");
        assert!(native.native.poll_done().is_none(), "there is no frame");
    }
    other.rfree(taken[0]).expect("freed");
    assert_eq!(done(&mut native).result, Ok(()), "served as soon as there is one");
    assert!(native.native.seen().not_ready > 0);
    assert_eq!(read(&process, va + FRAME, PAGE), pattern(1, PAGE));
    drop(native);
    std::thread::sleep(Duration::from_millis(500));
    let counted = board.end();
    assert!(counted("memory not ready") > 0);
    assert_eq!((counted("memory denied"), counted("connections ended by an error")), (0, 0));
}
