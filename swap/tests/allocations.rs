//! A request allocates nothing, in no thread of this process but the client's and the board's: what a device for swap needs memory for
//! it may get only by swapping.
mod rig;

use mneme_swap::BLOCK;
use mneme_swap::client::NbdClient;
use mneme_swap::nbd::Command;
use rig::{Board, Device, Wish, content};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static APART: Cell<bool> = const { Cell::new(false) };
}

/// Counts the allocations of all threads but those that are apart.
struct Counting;

/// Whether the places of allocations are kept, to be told when there are some.
static WATCHED: AtomicBool = AtomicBool::new(false);
static PLACES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn count() {
    if APART.with(Cell::get) {
        return;
    }
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    if WATCHED.load(Ordering::Relaxed) {
        APART.with(|apart| apart.set(true));
        let name = std::thread::current().name().map(str::to_owned);
        let place = format!("{name:?}\n{}", std::backtrace::Backtrace::force_capture());
        PLACES.lock().expect("nobody panics with it").push(place);
        APART.with(|apart| apart.set(false));
    }
}

// SAFETY: everything is the system allocator's; counting touches plain numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What a swapping kernel does: pages out and in, several at a time, larger clusters, discards, and writes to fresh places. No chunk
/// loses its last block: taking memory for another one allocates, in the keeper.
fn round(client: &mut NbdClient, bytes: &[u8], round: u64) {
    let mut sent = 0;
    for n in 0..8 {
        let at = (n * 300 + round % 40) * BLOCK;
        client.write(at, &bytes[..BLOCK as usize]).expect("sent");
        client.read(at + (1 << 18), BLOCK as u32).expect("sent");
        sent += 2;
    }
    client.write(8 << 20, &bytes[..100 * BLOCK as usize]).expect("sent");
    client.read(9 << 20, 256 * BLOCK as u32).expect("sent");
    client.send(Command::Trim, 0, (8 << 20) + 50 * BLOCK, 20 * BLOCK as u32, &[]).expect("sent");
    client.send(Command::WriteZeroes, 0, (10 << 20) + 32 * BLOCK, 224 * BLOCK as u32, &[]).expect("sent");
    client.send(Command::Flush, 0, 0, 0, &[]).expect("sent");
    for _ in 0..sent + 5 {
        let reply = client.reply().expect("a reply");
        assert_eq!(reply.error, 0);
        client.give_back(reply.bytes);
    }
    client.write((10 << 20) + 24 * BLOCK, &bytes[..16 * BLOCK as usize]).expect("sent");
    let reply = client.reply().expect("a reply");
    client.give_back(reply.bytes);
}

#[track_caller]
fn allocates_nothing(device: &Device, what: &str) {
    let mut client = NbdClient::connect(&device.socket).expect("the export");
    let bytes = content(0, 1, 256);
    // Buffers and tables grow to their size in the first batches, more slowly on a busy machine.
    let mut counts = Vec::new();
    let chunks = || device.counter("chunks_taken");
    for _ in 0..24 {
        // Those of the last batch that had some are told.
        let (before, seen) = (ALLOCATIONS.load(Ordering::Relaxed), chunks());
        WATCHED.store(counts.len() > 2, Ordering::Relaxed);
        (0..300).for_each(|n| round(&mut client, &bytes, n));
        WATCHED.store(false, Ordering::Relaxed);
        if chunks() == seen {
            counts.push(ALLOCATIONS.load(Ordering::Relaxed) - before);
        }
        if counts.ends_with(&[0, 0]) {
            break;
        }
    }
    let places = PLACES.lock().expect("nobody panics with it").join("\n");
    assert!(
        counts.ends_with(&[0, 0]),
        "{what}: {counts:?} allocations in batches of 6,600 requests that took no chunk\n{places}"
    );
    client.leave().expect("goodbye");
}

/// One after the other: they share the counter.
#[test]
fn requests_allocate_nothing() {
    APART.with(|apart| apart.set(true));
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    std::thread::spawn(|| std::hint::black_box(Box::new(1))).join().expect("it ends");
    assert!(ALLOCATIONS.load(Ordering::Relaxed) > before, "allocations of other threads are counted");
    // The lease is renewed by a thread for which no request waits, and which allocates: not within the test.
    let hour = Duration::from_secs(3_600);
    let wish = Wish { queues: 1, lease: hour, give_up: Duration::from_secs(10), ..Wish::default() };
    let device = Device::ram(wish);
    allocates_nothing(&device, "ram");
    device.end();
    let board = Board::start_apart(|| APART.with(|apart| apart.set(true)));
    let device = Device::clib(wish, &board);
    allocates_nothing(&device, "clib");
    device.end();
    let device = Device::native(wish, &board);
    allocates_nothing(&device, "native");
    device.end();
    let device = Device::frames(wish, &board, wish.size);
    allocates_nothing(&device, "native, by the block");
    device.end();
    let device = Device::chain(wish, &board, wish.size);
    allocates_nothing(&device, "chain");
    device.end();
}
