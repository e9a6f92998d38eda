//! Memory that a board and its daemon both read and write.
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a word: what memory is read and written by, as memory of a device allows no access that is not aligned.
pub(crate) const WORD: u64 = 8;

/// Shared memory. Ranges lie within it: callers see to that, and what lies outside is a panic, never another's memory.
pub trait Memory: Send {
    /// Bytes.
    fn len(&self) -> u64;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Reads a word of 32 bits, little-endian, at a multiple of 4.
    fn read_u32(&self, at: u64) -> u32;
    /// Writes one.
    fn write_u32(&self, at: u64, value: u32);
    /// Reads bytes: each once, in words of 8 bytes where they are whole.
    fn read(&self, at: u64, into: &mut [u8]);
    /// Writes bytes, likewise.
    fn write(&self, at: u64, from: &[u8]);
}

/// Ordinary memory of this process, for tests: clones are the same memory.
#[derive(Debug, Clone)]
pub struct Ordinary(Arc<[AtomicU64]>);

impl Ordinary {
    /// Zeros, `bytes` rounded up to a multiple of 8.
    pub fn new(bytes: u64) -> Ordinary {
        Ordinary((0..bytes.div_ceil(WORD)).map(|_| AtomicU64::new(0)).collect())
    }
    fn word(&self, at: u64) -> &AtomicU64 {
        &self.0[(at / WORD) as usize]
    }
    fn set(&self, at: u64, bytes: &[u8]) {
        let mut word = self.word(at).load(Ordering::Relaxed).to_le_bytes();
        let from = (at % WORD) as usize;
        word[from..from + bytes.len()].copy_from_slice(bytes);
        self.word(at).store(u64::from_le_bytes(word), Ordering::Relaxed);
    }
}

impl Memory for Ordinary {
    fn len(&self) -> u64 {
        self.0.len() as u64 * WORD
    }
    fn read_u32(&self, at: u64) -> u32 {
        let mut bytes = [0; 4];
        self.read(at, &mut bytes);
        u32::from_le_bytes(bytes)
    }
    fn write_u32(&self, at: u64, value: u32) {
        self.set(at, &value.to_le_bytes());
    }
    fn read(&self, at: u64, into: &mut [u8]) {
        for (at, byte) in (at..).zip(into) {
            *byte = self.word(at).load(Ordering::Relaxed).to_le_bytes()[(at % WORD) as usize];
        }
    }
    fn write(&self, at: u64, from: &[u8]) {
        for (at, byte) in (at..).zip(from) {
            self.set(at, std::slice::from_ref(byte));
        }
    }
}
