//! The thread that talks to the board about memory, so that no queue has to: it allocates and frees chunks, and writes again what
//! waits in RAM.
use super::held::{Held, Settled, Turn};
use super::{BYTES, Chunk, Device, Errand, Frames};
use crate::BLOCK;
use crate::back::{Failure, Store};
use crate::stats::Counters;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use parking_lot::Mutex;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at what waits, while the board is there.
const LOOK: Duration = Duration::from_millis(20);
/// Between two tries while it is away, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];
/// Blocks that are written again before errands are looked at.
const BATCH: usize = 64;

/// A pause after tries that failed, longer each time.
struct Pause {
    length: Duration,
    since: Instant,
}

impl Pause {
    fn none() -> Pause {
        Pause { length: PAUSES[0], since: Instant::now() }
    }
    fn runs(&self) -> bool {
        self.length > PAUSES[0] && self.since.elapsed() < self.length
    }
    fn grow(&mut self, since: Instant) {
        *self = Pause { length: (2 * self.length).min(PAUSES[1]), since };
    }
}

/// Why a block was not written.
enum Unwritten {
    Store(Failure),
    /// Its frame is being freed. The board was not asked.
    Freed,
}

/// How a device is made.
#[derive(Debug, Clone, Copy)]
pub struct KeeperOptions {
    /// Bytes of the device: a multiple of a block.
    pub size: u64,
    /// Blocks that may wait in RAM.
    pub held: usize,
    /// Chunks that are kept at hand.
    pub spare: usize,
    /// Queues.
    pub queues: usize,
}

/// The thread's side.
pub struct Keeper {
    device: Arc<Device>,
    store: Box<dyn Store>,
    errands: Receiver<Errand>,
    spare: usize,
    /// The board does not take what has memory there.
    silence: Pause,
    /// It has no memory for what has none.
    shortage: Pause,
    tried: Instant,
    block: Box<[u8; BYTES]>,
}

impl Keeper {
    /// Makes a device on a store.
    ///
    /// # Errors
    /// The system has no more descriptors.
    pub fn new(
        store: Box<dyn Store>,
        options: KeeperOptions,
    ) -> io::Result<(Keeper, Arc<Device>, Vec<Arc<OwnedFd>>)> {
        let chunk_bytes = store.chunk();
        let count = options.size.div_ceil(chunk_bytes) as usize;
        let (sender, errands) = bounded(2 * count + 1);
        let blocks = (chunk_bytes / BLOCK) as usize;
        let place = store.place();
        let chunk = |number: usize| {
            Mutex::new(Chunk {
                va: place.map_or(0, |place| place + number as u64 * chunk_bytes),
                frames: place.map_or_else(Frames::default, |_| Frames::new(blocks)),
                live: vec![0; blocks.div_ceil(64)].into_boxed_slice(),
                count: 0,
                users: 0,
                wanted: false,
                emptied: false,
                refused: None,
            })
        };
        let bell = |_| Ok(Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?));
        let bells = (0..options.queues).map(bell).collect::<io::Result<Vec<_>>>()?;
        let device = Arc::new(Device {
            size: options.size,
            chunk_bytes,
            by_block: place.is_some(),
            chunks: (0..count).map(chunk).collect(),
            spare: Mutex::new(Vec::with_capacity(count + options.spare + 1)),
            held: Held::new(options.held),
            errands: sender,
            away: AtomicBool::new(false),
            lost: Mutex::new(None),
            live: AtomicU64::new(0),
            on_board: AtomicU64::new(0),
            bells: bells.clone(),
            counters: Counters::default(),
        });
        let spare = if place.is_some() { 0 } else { options.spare.min(count) };
        let keeper = Keeper {
            device: Arc::clone(&device),
            store,
            errands,
            spare,
            silence: Pause::none(),
            shortage: Pause::none(),
            tried: Instant::now(),
            block: Box::new([0; BYTES]),
        };
        Ok((keeper, device, bells))
    }

    /// Serves until the flag is set. Gives the memory back at the end.
    ///
    /// # Errors
    /// What giving back failed with.
    pub fn run(mut self, stop: &AtomicBool) -> Result<(), Failure> {
        self.fill();
        while !stop.load(Ordering::Relaxed) {
            match self.errands.recv_timeout(LOOK) {
                Ok(errand) => self.errand(errand),
                Err(RecvTimeoutError::Timeout) => self.idle(),
                // The device holds the other end.
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.write_again(stop);
        }
        self.store.end()
    }

    fn take(&mut self) -> Result<u64, Failure> {
        let va = self.store.take()?;
        self.device.on_board.fetch_add(self.device.chunk_bytes, Ordering::Relaxed);
        self.device.counters.chunks_taken.add(1);
        Ok(va)
    }
    fn give(&mut self, va: u64) {
        // One that the board did not take back is not ours any more either.
        let given = self.store.give(va);
        self.device.on_board.fetch_sub(self.device.chunk_bytes, Ordering::Relaxed);
        match given {
            Ok(()) => self.device.counters.chunks_given.add(1),
            Err(_) => self.device.counters.chunks_lost.add(1),
        }
    }
    /// Puts memory at hand.
    fn fill(&mut self) {
        while self.device.spare.lock().len() < self.spare && !self.device.is_away() {
            match self.take() {
                Ok(va) => self.device.spare.lock().push(va),
                Err(failure) => {
                    tracing::debug!(%failure, "no chunk at hand");
                    return;
                }
            }
        }
    }

    fn errand(&mut self, errand: Errand) {
        match errand {
            Errand::Want(number) => self.want(number),
            Errand::Empty(number) => self.empty(number),
        }
    }
    fn want(&mut self, number: usize) {
        let at_hand = self.device.spare.lock().pop();
        let taken = at_hand.map_or_else(|| self.take(), Ok);
        {
            let mut chunk = self.device.chunks[number].lock();
            chunk.wanted = false;
            match taken {
                Ok(va) if chunk.va == 0 => chunk.va = va,
                // Somebody has found one at hand meanwhile.
                Ok(va) => self.device.spare.lock().push(va),
                Err(failure) => {
                    chunk.refused = Some(failure);
                    self.device.counters.chunks_refused.add(1);
                    if failure != Failure::NoMemory {
                        self.device.lose(failure);
                    }
                }
            }
        }
        self.device.ring();
        self.fill();
    }
    fn empty(&mut self, number: usize) {
        let va = {
            let mut chunk = self.device.chunks[number].lock();
            chunk.emptied = false;
            if !chunk.is_empty() {
                return;
            }
            std::mem::take(&mut chunk.va)
        };
        if self.device.spare.lock().len() < self.spare {
            self.device.spare.lock().push(va);
        } else {
            self.give(va);
        }
    }
    /// Nothing is asked for: gives back what is too much.
    fn idle(&mut self) {
        while self.device.spare.lock().len() > self.spare {
            let Some(va) = self.device.spare.lock().pop() else { return };
            self.give(va);
        }
        if self.device.spare.lock().len() < self.spare && self.tried.elapsed() >= PAUSES[1] {
            self.tried = Instant::now();
            self.fill();
        }
    }

    /// Writes some of what waits in RAM; after a failure not before a pause, nor while a late copy may come. Blocks that the board has no
    /// memory for do not keep others from it.
    fn write_again(&mut self, stop: &AtomicBool) {
        let settles = self.device.lost.lock().is_some_and(|at| at.elapsed() < self.store.settles());
        if settles || self.silence.runs() {
            return;
        }
        // Each once at most.
        for _ in 0..BATCH.min(self.device.held.count().max(1)) {
            if self.device.held.count() == 0 && !self.device.is_away() || stop.load(Ordering::Relaxed) {
                return;
            }
            let Some(block) = self.device.held.next() else {
                // Everything was discarded meanwhile: the next write will tell whether the board is there.
                self.device.found(Instant::now());
                return;
            };
            let has_memory = self.has_memory(block);
            if !has_memory && self.shortage.runs() {
                continue;
            }
            let Some(turn) = self.device.held.turn(block, &mut self.block) else { continue };
            self.tried = Instant::now();
            let written = self.write(block);
            self.settle(turn, written.is_ok());
            match written {
                Ok(()) => {
                    self.silence = Pause::none();
                    if !has_memory {
                        self.shortage = Pause::none();
                    }
                    self.device.found(self.tried);
                }
                Err(Unwritten::Freed) => {}
                Err(Unwritten::Store(failure)) => {
                    tracing::debug!(%failure, "a block stays in RAM");
                    self.device.counters.retries_failed.add(1);
                    if failure == Failure::NoMemory {
                        // It says so itself.
                        self.device.found(self.tried);
                    }
                    if failure != Failure::NoMemory || has_memory {
                        self.silence.grow(self.tried);
                        return;
                    }
                    self.silence = Pause::none();
                    self.shortage.grow(self.tried);
                }
            }
        }
    }
    /// Whether a block that waits in RAM surely needs no more of the board's memory.
    fn has_memory(&self, block: u64) -> bool {
        let (number, first) = self.device.chunk(block * BLOCK);
        let chunk = self.device.chunks[number].lock();
        match self.device.by_block {
            true => chunk.is_live(first),
            false => chunk.va != 0 || !self.device.spare.lock().is_empty(),
        }
    }
    /// The memory of a block's chunk is not given back while it is written: this thread alone gives back.
    fn write(&mut self, block: u64) -> Result<(), Unwritten> {
        let (number, first) = self.device.chunk(block * BLOCK);
        let known = self.device.chunks[number].lock().va;
        let va = if known == 0 {
            let at_hand = self.device.spare.lock().pop();
            let taken = at_hand.map_or_else(|| self.take(), Ok).map_err(Unwritten::Store)?;
            let mut chunk = self.device.chunks[number].lock();
            if chunk.va == 0 {
                chunk.va = taken;
            } else {
                self.device.spare.lock().push(taken);
            }
            chunk.va
        } else {
            known
        };
        {
            let mut chunk = self.device.chunks[number].lock();
            if chunk.frames.are_freed(first, 1) {
                return Err(Unwritten::Freed);
            }
            self.device.begin_frames(&mut chunk, first, 1);
        }
        self.device.counters.retries.add(1);
        let written = self.store.write(va + first as u64 * BLOCK, &self.block[..]);
        self.device.chunks[number].lock().frames.end(first, 1);
        written.map_err(Unwritten::Store)
    }
    fn settle(&mut self, turn: Turn, written: bool) {
        let (number, first) = self.device.chunk(turn.block * BLOCK);
        let mut chunk = self.device.chunks[number].lock();
        let settled = self.device.held.settle(turn, written);
        if settled == Settled::Written && chunk.set(first, true) {
            self.device.live.fetch_add(1, Ordering::Relaxed);
        }
        self.device.look_whether_empty(&mut chunk, number);
    }
}
