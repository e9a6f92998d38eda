//! Which block lies where. The device is cut into chunks; a chunk has board memory while any of its blocks is *live*, that is written
//! and not discarded since. A block that is neither live nor waits in RAM ([`held`]) reads as zeros without a word to the board.
//!
//! A unit is up to [`UNIT`](crate::UNIT) bytes inside one chunk. Reads and writes of units begin and end here; between that the
//! chunk's memory is not given back. Requests of several queues to the same block at the same time have no order, as on a disk.
//!
//! On a board that gives memory by the block, all chunks have their place from the start, and the board has a *frame* for each block
//! that was written, until a discard gives it back ([`discard`]).
mod discard;
pub mod held;
mod keeper;

pub use discard::Discard;
use discard::Frames;
pub use keeper::{Keeper, KeeperOptions};

use crate::back::Failure;
use crate::stats::Counters;
use crate::{BLOCK, UNIT};
use crossbeam_channel::Sender;
use held::Held;
use parking_lot::Mutex;
use rustix::io::write;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

const BYTES: usize = BLOCK as usize;

/// What the keeper is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Errand {
    /// Memory for a chunk.
    Want(usize),
    /// A chunk may have no live block any more.
    Empty(usize),
}

#[derive(Debug)]
struct Chunk {
    /// Where its memory begins; 0: it has none.
    va: u64,
    live: Box<[u64]>,
    count: u64,
    /// Where the board gives memory by the block.
    frames: Frames,
    /// Units under way.
    users: u64,
    wanted: bool,
    emptied: bool,
    /// The keeper's last answer to a wish.
    refused: Option<Failure>,
}

/// Which blocks of a unit come from where, bit by bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mask {
    live: u16,
    held: u16,
}

impl Mask {
    /// Blocks that come from the board.
    pub const fn live(self) -> u16 {
        self.live
    }
}

/// How a read of a unit goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadStart {
    /// The bytes are there.
    Done,
    /// They come from the board; then [`Device::end_read`].
    Board(u64, Mask),
}

/// How a write of a unit goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteStart {
    /// It waits in RAM, since the board is away.
    Done,
    /// It goes to the board, where the blocks of the mask are live; then [`Device::end_write`].
    Board(u64, u16),
    /// Memory was asked for, or is being freed; [`Device::begin_write`] again when the bell has rung.
    Wait,
    /// There is no memory, and no room in RAM.
    Failed(Failure),
}

/// A device. Shared by its queues and its keeper.
pub struct Device {
    size: u64,
    chunk_bytes: u64,
    /// The board gives and takes memory by the block.
    by_block: bool,
    chunks: Vec<Mutex<Chunk>>,
    /// Chunks' memory at hand. Never more than there are chunks, so that it does not grow.
    spare: Mutex<Vec<u64>>,
    held: Held,
    errands: Sender<Errand>,
    /// The last write failed for the board: until the keeper has an answer of it, writes wait in RAM at once. Changed under `lost`.
    away: AtomicBool,
    /// When it last did.
    lost: Mutex<Option<Instant>>,
    live: AtomicU64,
    on_board: AtomicU64,
    /// One for each queue: written to when a chunk has got memory, and at the end.
    bells: Vec<Arc<OwnedFd>>,
    /// What is counted.
    pub counters: Counters,
}

fn bit(number: usize) -> (usize, u64) {
    (number / 64, 1 << (number % 64))
}

impl Chunk {
    fn is_live(&self, number: usize) -> bool {
        let (word, mask) = bit(number);
        self.live[word] & mask != 0
    }
    /// Answers whether it changed.
    fn set(&mut self, number: usize, live: bool) -> bool {
        if self.is_live(number) == live {
            return false;
        }
        let (word, mask) = bit(number);
        self.live[word] ^= mask;
        if live {
            self.count += 1
        } else {
            self.count -= 1
        }
        true
    }
    fn is_empty(&self) -> bool {
        self.va != 0 && self.count == 0 && self.users == 0
    }
}

impl Device {
    /// Bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }
    /// Bytes by which the board's memory comes and goes: a chunk, or a block.
    pub const fn unit_of_memory(&self) -> u64 {
        if self.by_block { BLOCK } else { self.chunk_bytes }
    }
    /// Bytes in live blocks.
    pub fn live(&self) -> u64 {
        self.live.load(Ordering::Relaxed) * BLOCK
    }
    /// Bytes of board memory that the device has.
    pub fn on_board(&self) -> u64 {
        self.on_board.load(Ordering::Relaxed)
    }
    /// Bytes of it that no chunk has.
    pub fn spare(&self) -> u64 {
        self.spare.lock().len() as u64 * self.chunk_bytes
    }
    /// Blocks that wait in RAM.
    pub const fn held(&self) -> &Held {
        &self.held
    }
    /// Whether the board was away at the last try.
    pub fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }
    /// Where the unit ends that begins at `at`, if it may go on to `end`: units neither cross chunks nor are longer than one.
    pub fn unit_end(&self, at: u64, end: u64) -> u64 {
        end.min(at + UNIT - at % UNIT)
    }

    fn chunk(&self, at: u64) -> (usize, usize) {
        ((at / self.chunk_bytes) as usize, (at % self.chunk_bytes / BLOCK) as usize)
    }
    fn va(&self, chunk: &Chunk, at: u64) -> u64 {
        chunk.va + at % self.chunk_bytes
    }
    /// Wakes all queues.
    pub fn ring(&self) {
        for bell in &self.bells {
            // Full means that it is readable already; nothing else can happen to an eventfd of one's own.
            let _readable = write(&**bell, &1u64.to_ne_bytes());
        }
    }
    fn ask(&self, errand: Errand) {
        // There is room for two errands of each chunk, and a chunk has at most one of each kind.
        if self.errands.try_send(errand).is_err() {
            tracing::debug!("the keeper has ended");
        }
    }

    /// Begins to read a unit. What does not come from the board is there at once.
    pub fn begin_read(&self, at: u64, into: &mut [u8]) -> ReadStart {
        let (number, first) = self.chunk(at);
        let mut chunk = self.chunks[number].lock();
        let mut mask = Mask::default();
        for (n, block) in into.chunks_exact_mut(BYTES).enumerate() {
            if self.held.copy(at / BLOCK + n as u64, block) {
                mask.held |= 1 << n;
            } else if chunk.is_live(first + n) {
                mask.live |= 1 << n;
            } else {
                block.fill(0);
            }
        }
        if mask.live == 0 {
            return ReadStart::Done;
        }
        chunk.users += 1;
        ReadStart::Board(self.va(&chunk, at), mask)
    }
    /// Ends a read that the board has answered: puts what did not come from it into its place. False: a block has left RAM for the
    /// board meanwhile, and the unit has to be read again; then it has not ended.
    pub fn end_read(&self, at: u64, into: &mut [u8], mask: Mask) -> Option<Mask> {
        let (number, first) = self.chunk(at);
        let mut chunk = self.chunks[number].lock();
        let mut again = Mask { held: 0, ..mask };
        for (n, block) in into.chunks_exact_mut(BYTES).enumerate() {
            let of = 1 << n;
            if mask.held & of != 0 && !self.held.copy(at / BLOCK + n as u64, block) {
                match chunk.is_live(first + n) {
                    true => again.live |= of,
                    // Discarded meanwhile.
                    false => block.fill(0),
                }
            } else if (mask.held | mask.live) & of == 0 {
                block.fill(0);
            } else if mask.held & of != 0 {
                again.held |= of;
            }
        }
        if again.live != mask.live {
            return Some(again);
        }
        self.leave(&mut chunk, number);
        None
    }
    /// Ends a read that failed. `Some`: a part of it was discarded meanwhile, and the rest has to be read again; then it has not ended.
    pub fn fail_read(&self, at: u64, mask: Mask) -> Option<Mask> {
        let (number, first) = self.chunk(at);
        let mut chunk = self.chunks[number].lock();
        let still = |n: &u16| mask.live >> n & 1 == 1 && chunk.is_live(first + usize::from(*n));
        let again = Mask { live: (0..16).filter(still).fold(0, |live, n| live | 1 << n), ..mask };
        if again.live != mask.live {
            return Some(again);
        }
        self.leave(&mut chunk, number);
        None
    }
    fn leave(&self, chunk: &mut Chunk, number: usize) {
        chunk.users -= 1;
        self.look_whether_empty(chunk, number);
    }
    fn look_whether_empty(&self, chunk: &mut Chunk, number: usize) {
        if !self.by_block && chunk.is_empty() && !std::mem::replace(&mut chunk.emptied, true) {
            self.ask(Errand::Empty(number));
        }
    }

    /// Begins to write a unit.
    pub fn begin_write(&self, at: u64, from: &[u8]) -> WriteStart {
        let (number, first) = self.chunk(at);
        let mut chunk = self.chunks[number].lock();
        if self.is_away() {
            // Not to the board: a late copy of a write that failed could come behind this one.
            if !self.held.keep(at / BLOCK, from) {
                return WriteStart::Failed(Failure::HeldFull);
            }
            self.counters.held_at_once.add(from.len() as u64 / BLOCK);
            return WriteStart::Done;
        }
        if chunk.va == 0 {
            match self.spare.lock().pop() {
                Some(va) => chunk.va = va,
                None => match chunk.refused.take() {
                    Some(_) if self.held.keep(at / BLOCK, from) => return WriteStart::Done,
                    Some(failure) => return WriteStart::Failed(failure),
                    None => {
                        if !std::mem::replace(&mut chunk.wanted, true) {
                            self.ask(Errand::Want(number));
                        }
                        return WriteStart::Wait;
                    }
                },
            }
        }
        if chunk.frames.are_freed(first, from.len() / BYTES) {
            chunk.frames.waits = true;
            return WriteStart::Wait;
        }
        // Older content in RAM must not come behind this.
        for (n, block) in from.chunks_exact(BYTES).enumerate() {
            self.held.renew(at / BLOCK + n as u64, block);
        }
        self.begin_frames(&mut chunk, first, from.len() / BYTES);
        chunk.users += 1;
        let live =
            (0..from.len() / BYTES).filter(|n| chunk.is_live(first + n)).fold(0, |live, n| live | 1 << n);
        WriteStart::Board(self.va(&chunk, at), live)
    }
    /// Ends a write.
    ///
    /// # Errors
    /// The failure, when there is no room in RAM either.
    pub fn end_write(&self, at: u64, from: &[u8], result: Result<(), Failure>) -> Result<(), Failure> {
        let (number, first) = self.chunk(at);
        let mut chunk = self.chunks[number].lock();
        chunk.frames.end(first, from.len() / BYTES);
        let ended = match result {
            Ok(()) => {
                let fresh = (0..from.len() / BYTES).filter(|n| chunk.set(first + n, true)).count();
                self.live.fetch_add(fresh as u64, Ordering::Relaxed);
                Ok(())
            }
            Err(failure) => {
                if failure != Failure::NoMemory {
                    self.lose(failure);
                }
                match self.held.keep(at / BLOCK, from) {
                    true => Ok(()),
                    false => Err(failure),
                }
            }
        };
        self.leave(&mut chunk, number);
        ended
    }
    fn lose(&self, failure: Failure) {
        let mut lost = self.lost.lock();
        *lost = Some(Instant::now());
        if !self.away.swap(true, Ordering::Relaxed) {
            tracing::warn!("{failure}: writes wait in RAM, {} blocks of them at most", self.held.limit());
        }
    }
    /// The board has answered what it was asked at `asked`. A write that has failed since then counts for more.
    fn found(&self, asked: Instant) {
        let lost = self.lost.lock();
        if lost.is_none_or(|at| at <= asked) && self.away.swap(false, Ordering::Relaxed) {
            tracing::warn!("the board answers again");
        }
    }
}
