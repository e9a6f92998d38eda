//! The board's DRAM: as large as the board says, as small as what was written.
use std::ops::Range;

use rustc_hash::FxHashMap;

/// Bytes of a chunk: the smallest page, so that a zeroed page is dropped chunks.
const CHUNK: u64 = 1 << 18;

/// Sparse memory. Chunks that nobody wrote, or that were zeroed, take no room and read as zeros.
pub struct Memory {
    chunks: FxHashMap<u64, Box<[u8]>>,
    size: u64,
}

impl Memory {
    /// Zeros of 2^`bits` bytes, `bits` ≥ 18.
    pub fn new(bits: u32) -> Memory {
        Memory { chunks: FxHashMap::default(), size: (1 << bits).max(CHUNK) }
    }
    /// Splits an access at chunk borders. Addresses wrap at the end of memory, as the address lines of a board do.
    fn pieces(
        &self,
        address: u64,
        len: usize,
    ) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> + use<> {
        // The size is a power of two.
        let (within, mut done) = (self.size - 1, 0);
        std::iter::from_fn(move || {
            if done == len {
                return None;
            }
            let at = address.wrapping_add(done as u64) & within;
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
    /// Appends the bytes at an address.
    pub fn append(&self, address: u64, len: usize, bytes: &mut Vec<u8>) {
        bytes.reserve(len);
        for (chunk, offset, range) in self.pieces(address, len) {
            match self.chunks.get(&chunk) {
                Some(chunk) => bytes.extend_from_slice(&chunk[offset..offset + range.len()]),
                None => bytes.resize(bytes.len() + range.len(), 0),
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

/// Bytes of a beat on the memory bus: what an error covers.
const LINE: u64 = 64;
/// No burst crosses a border of these blocks.
const BLOCK: u64 = 4096;

/// Lines of every page that answer errors.
#[derive(Debug, Default)]
pub struct BadLines(Vec<Range<u64>>);

impl BadLines {
    /// Adds bytes of a page; both ends are multiples of 64.
    pub fn add(&mut self, lines: Range<u64>) {
        self.0.push(lines);
    }
    /// Whether an access to these bytes of a page meets an error.
    pub fn meets(&self, bytes: &Range<u64>) -> bool {
        let (first, end) = (bytes.start & !(LINE - 1), bytes.end.next_multiple_of(LINE));
        self.0.iter().any(|bad| bad.start < end && first < bad.end)
    }
    /// The parts of a write that take effect: the bursts, one per block, that meet no error.
    pub fn written(&self, bytes: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let first = bytes.start / BLOCK;
        let last = bytes.end.saturating_sub(1) / BLOCK;
        (first..=last)
            .map(move |block| bytes.start.max(block * BLOCK)..bytes.end.min((block + 1) * BLOCK))
            .filter(|part| !self.meets(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_covers_its_line_and_spoils_its_block() {
        let mut bad = BadLines::default();
        bad.add(4096 + 128..4096 + 192);
        assert!(!bad.meets(&(0..4096 + 128)));
        assert!(bad.meets(&(4096 + 127..4096 + 129)));
        assert!(bad.meets(&(4096 + 130..4096 + 131)), "a part of the line");
        assert!(!bad.meets(&(4096 + 192..8192)));
        let parts = |bytes: Range<u64>| bad.written(bytes).collect::<Vec<_>>();
        assert_eq!(parts(4000..8200), [4000..4096, 8192..8200]);
        assert!(parts(4096..4225).is_empty());
        assert_eq!(parts(4096..4224), std::slice::from_ref(&(4096..4224)));
    }
}
