//! Memory that is lent to tests of perftest, between whoever opened its process and the service.
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use mneme_rdma_peers::{BYTES, Ground, MOST};
use mneme_slowpath::Slow;

/// Bytes that are written at a time where a test begins.
pub(super) const PIECE: usize = 4096;

/// How often a write is tried, and how long after another: a board may be busy for as long as it remembers earlier writes.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// The word of 8 bytes, little-endian, that a test's memory begins with at this place, in words: each is another one, so that what READs bring
/// can be told from what lies elsewhere.
pub const fn test_word(number: u64) -> u64 {
    (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Memory of a process that was opened for tests: [`TEST_BYTES`](super::TEST_BYTES) that may be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestMemory {
    /// The process.
    pub pid: u32,
    /// What shows that it is there.
    pub token: [u8; 16],
    /// Where the bytes begin, a multiple of 8.
    pub va: u64,
}

/// What is known of a test's part of the memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Words {
    /// Whatever an earlier test left.
    #[default]
    None,
    /// Those that a test begins with are to be written.
    Wanted,
    /// They are there.
    Written,
    /// Nobody can write them: the process has ended.
    Failed,
}

#[derive(Debug, Default)]
struct State {
    parts: [Words; MOST],
    closed: bool,
}

/// Memory of a process, lent to tests. Who opened the process writes what a test begins with: the service has no way to memory of a
/// board of hardware, and does not wait for it.
#[derive(Debug, Default)]
pub struct Lent {
    memory: OnceLock<TestMemory>,
    state: Mutex<State>,
    changed: Condvar,
}

impl Lent {
    /// Lends it. Once: what comes later is given back.
    ///
    /// # Errors
    /// The memory, when some has been lent before.
    pub fn set(&self, memory: TestMemory) -> Result<(), TestMemory> {
        self.memory.set(memory)
    }
    /// What is lent.
    pub fn get(&self) -> Option<TestMemory> {
        self.memory.get().copied()
    }
    /// Writes [`test_word`]s where tests begin, by `write`: where to, and the bytes; whether it could. Blocks until that has failed often, or the
    /// service ends.
    pub fn serve(&self, mut write: impl FnMut(u64, &[u8]) -> bool) {
        loop {
            let wanted = |state: &mut State| !state.closed && !state.parts.contains(&Words::Wanted);
            let state = self.changed.wait_while(self.lock(), wanted).unwrap_or_else(PoisonError::into_inner);
            let Some(part) = state.parts.iter().position(|part| *part == Words::Wanted && !state.closed)
            else {
                return;
            };
            drop(state);
            let Some(TestMemory { va, .. }) = self.get() else { return };
            let begin = va + part as u64 * BYTES;
            let mut fill = |at: u64| {
                let words: Vec<u8> =
                    (at / 8..(at + PIECE as u64) / 8).flat_map(|n| test_word(n).to_le_bytes()).collect();
                (0..TRIES).any(|tries| {
                    if tries > 0 {
                        std::thread::sleep(PAUSE);
                    }
                    !self.lock().closed && write(begin + at, &words)
                })
            };
            let well = (0..BYTES).step_by(PIECE).all(&mut fill);
            self.lock().parts[part] = if well { Words::Written } else { Words::Failed };
            if !well {
                return;
            }
        }
    }
    /// Nothing is wanted any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
    /// Words are wanted in the part of the test at a place.
    pub(super) fn want(&self, place: usize) {
        self.lock().parts[place] = Words::Wanted;
        self.changed.notify_all();
    }
    /// The part of the test at a place, on the board of this slow path.
    pub(super) fn ground(&self, place: usize, slow: &Slow) -> Ground {
        let Some(TestMemory { pid, token, va }) = self.get() else { return Ground::Wait };
        if slow.inspect(|space| space.may_join(pid, &token)).is_err() {
            return Ground::Gone;
        }
        match self.lock().parts[place] {
            Words::Written => Ground::Ready { pid, va: va + place as u64 * BYTES },
            Words::None | Words::Wanted => Ground::Wait,
            Words::Failed => Ground::Gone,
        }
    }
    /// Nothing under the lock panics, and what it holds is whole at any moment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
