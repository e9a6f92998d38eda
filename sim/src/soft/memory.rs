//! The board's DRAM: as large as the board says, as small as what was written.
use std::collections::HashMap;

/// Bytes of a chunk: the smallest page, so that a zeroed page is dropped chunks.
const CHUNK: u64 = 1 << 18;

/// Sparse memory. Chunks that nobody wrote, or that were zeroed, take no room and read as zeros.
pub struct Memory {
    chunks: HashMap<u64, Box<[u8]>>,
    size: u64,
}

impl Memory {
    /// Zeros of 2^`bits` bytes, `bits` ≥ 18.
    pub fn new(bits: u32) -> Memory {
        Memory { chunks: HashMap::new(), size: (1 << bits).max(CHUNK) }
    }
    /// Splits an access at chunk borders. Addresses wrap at the end of memory, as the address lines of a board do.
    fn pieces(
        &self,
        address: u64,
        len: usize,
    ) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> + use<> {
        let (size, mut done) = (self.size, 0);
        let address = address % size;
        std::iter::from_fn(move || {
            if done == len {
                return None;
            }
            let at = (address + done as u64) % size;
            let offset = (at % CHUNK) as usize;
            let piece = (len - done).min(CHUNK as usize - offset);
            let range = done..done + piece;
            done += piece;
            Some((at / CHUNK, offset, range))
        })
    }
    /// Reads bytes.
    pub fn read(&self, address: u64, into: &mut [u8]) {
        for (chunk, offset, range) in self.pieces(address, into.len()) {
            let into = &mut into[range];
            match self.chunks.get(&chunk) {
                Some(bytes) => into.copy_from_slice(&bytes[offset..offset + into.len()]),
                None => into.fill(0),
            }
        }
    }
    /// Writes bytes.
    pub fn write(&mut self, address: u64, from: &[u8]) {
        for (chunk, offset, range) in self.pieces(address, from.len()) {
            let from = &from[range];
            let bytes =
                self.chunks.entry(chunk).or_insert_with(|| vec![0; CHUNK as usize].into_boxed_slice());
            bytes[offset..offset + from.len()].copy_from_slice(from);
        }
    }
    /// Zeros whole chunks: `address` and `len` are multiples of 256 KB.
    pub fn zero(&mut self, address: u64, len: u64) {
        let first = address / CHUNK;
        for chunk in first..first + len / CHUNK {
            self.chunks.remove(&chunk);
        }
    }
    /// Reads a little-endian word.
    pub fn word(&self, address: u64) -> u64 {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes);
        u64::from_le_bytes(bytes)
    }
    /// Writes a little-endian word.
    pub fn set_word(&mut self, address: u64, word: u64) {
        self.write(address, &word.to_le_bytes());
    }
}
