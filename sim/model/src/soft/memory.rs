//! The board's DRAM: as large as the board says, as small as what was written.
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut, Range};

use memmap2::MmapMut;
use mneme_window::{Map, Memory as _};
use rustc_hash::FxHashMap;
use rustix::fs::{FallocateFlags, fallocate};

/// Bytes of a chunk: the smallest page, so that a zeroed page is dropped chunks.
const CHUNK: u64 = 1 << 18;
/// Zeros, a divisor of a chunk of them.
const ZEROS: [u8; 4096] = [0; 4096];

/// Sparse memory. Chunks that nobody wrote, or whose bytes nobody wants any more, take no room and read as zeros.
pub struct Memory {
    chunks: FxHashMap<u64, Chunk>,
    size: u64,
    /// All of it is there instead.
    shared: Option<Shared>,
}

/// Zeros that the system gives as they are written.
enum Room {
    /// A mapping of its own: an allocator may keep what is given back to it.
    Mapped(MmapMut),
    /// The system has no more mappings for a process, 65,530 on Linux unless told otherwise. Chunks that lie side by side are one.
    Allocated(Box<[u8]>),
}

impl Room {
    fn new() -> Room {
        match MmapMut::map_anon(CHUNK as usize) {
            Ok(bytes) => Room::Mapped(bytes),
            Err(_) => Room::Allocated(vec![0; CHUNK as usize].into_boxed_slice()),
        }
    }
}

impl Deref for Room {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Room::Mapped(bytes) => bytes,
            Room::Allocated(bytes) => bytes,
        }
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Room::Mapped(bytes) => bytes,
            Room::Allocated(bytes) => bytes,
        }
    }
}

/// A part of memory that the system has given.
struct Chunk {
    bytes: Room,
    /// All others of them are zeros.
    written: Range<usize>,
}

impl Chunk {
    fn new() -> Chunk {
        Chunk { bytes: Room::new(), written: 0..0 }
    }
    fn write(&mut self, at: usize, from: &[u8]) {
        let range = at..at + from.len();
        self.bytes[range.clone()].copy_from_slice(from);
        self.written = match self.written.is_empty() {
            true => range,
            false => self.written.start.min(range.start)..self.written.end.max(range.end),
        };
    }
    fn zero(&mut self) {
        self.bytes[std::mem::take(&mut self.written)].fill(0);
    }
}

/// Memory that is a file, which others map, too.
struct Shared {
    map: Map,
    file: File,
}

impl Memory {
    /// Zeros of 2^`bits` bytes, `bits` ≥ 18.
    pub fn new(bits: u32) -> Memory {
        Memory { chunks: FxHashMap::default(), size: (1 << bits).max(CHUNK), shared: None }
    }
    /// Puts all of memory into a file, which is made as large and zeroed: from now on whoever maps it sees the same.
    pub fn share(&mut self, file: File) -> io::Result<()> {
        file.set_len(0)?;
        file.set_len(self.size)?;
        let map = Map::of_file(&file, 0, self.size)?;
        for (number, chunk) in self.chunks.drain() {
            map.write(number * CHUNK, &chunk.bytes);
        }
        self.shared = Some(Shared { map, file });
        Ok(())
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
            if let Some(shared) = &self.shared {
                shared.map.read(chunk * CHUNK + offset as u64, into);
                continue;
            }
            match self.chunks.get(&chunk) {
                Some(chunk) => into.copy_from_slice(&chunk.bytes[offset..offset + into.len()]),
                None => into.fill(0),
            }
        }
    }
    /// Appends the bytes at an address.
    pub(super) fn append(&self, address: u64, len: usize, bytes: &mut Vec<u8>) {
        bytes.reserve(len);
        if self.shared.is_some() {
            let from = bytes.len();
            bytes.resize(from + len, 0);
            return self.read(address, &mut bytes[from..]);
        }
        for (chunk, offset, range) in self.pieces(address, len) {
            match self.chunks.get(&chunk) {
                Some(chunk) => bytes.extend_from_slice(&chunk.bytes[offset..offset + range.len()]),
                None => bytes.resize(bytes.len() + range.len(), 0),
            }
        }
    }
    /// Writes bytes.
    pub fn write(&mut self, address: u64, from: &[u8]) {
        for (chunk, offset, range) in self.pieces(address, from.len()) {
            let from = &from[range];
            if let Some(shared) = &self.shared {
                shared.map.write(chunk * CHUNK + offset as u64, from);
                continue;
            }
            self.chunks.entry(chunk).or_insert_with(Chunk::new).write(offset, from);
        }
    }
    /// Zeros whole chunks: `address` and `len` are multiples of 256 KB. They keep their room, since a page is zeroed to be
    /// given out again: a chunk that came new from the system would cost a page fault for each 4 KB of it.
    pub fn zero(&mut self, address: u64, len: u64) {
        if let Some(Shared { map, file }) = &self.shared {
            let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            if fallocate(file, hole, address, len).is_err() {
                // A file system without holes.
                (address..address + len).step_by(ZEROS.len()).for_each(|at| map.write(at, &ZEROS));
            }
            return;
        }
        let first = address / CHUNK;
        for chunk in first..first + len / CHUNK {
            if let Some(chunk) = self.chunks.get_mut(&chunk) {
                chunk.zero();
            }
        }
    }
    /// The system gets the room of whole chunks back that are zeros. `free`: of all, since nobody wants their bytes; they
    /// read as zeros afterwards.
    pub(super) fn forget(&mut self, address: u64, len: u64, free: bool) {
        let first = address / CHUNK;
        for number in first..first + len / CHUNK {
            if self.chunks.get(&number).is_some_and(|chunk| free || chunk.written.is_empty()) {
                self.chunks.remove(&number);
            }
        }
    }
    /// Bytes that it takes of the system's memory, as far as they are the board's.
    pub(super) fn taken(&self) -> u64 {
        self.chunks.len() as u64 * CHUNK
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

/// What memory does in lines that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineFault {
    /// Reads end with an error.
    pub read: bool,
    /// Writes do.
    pub write: Option<WriteFault>,
}

/// What a write does that ends with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteFault {
    /// Nothing, and neither does the rest of its burst.
    Lost,
    /// What it should.
    Applied,
}

impl LineFault {
    /// Reads fail, and writes do and change nothing.
    pub const DEAD: LineFault = LineFault { read: true, write: Some(WriteFault::Lost) };
}

/// Lines of every page that answer errors.
#[derive(Debug, Default)]
pub struct BadLines(Vec<(Range<u64>, LineFault)>);

impl BadLines {
    /// Adds bytes of a page; both ends are multiples of 64.
    pub fn add(&mut self, lines: Range<u64>, fault: LineFault) {
        self.0.push((lines, fault));
    }
    fn meets(&self, bytes: &Range<u64>, fails: impl Fn(&LineFault) -> bool) -> bool {
        let (first, end) = (bytes.start & !(LINE - 1), bytes.end.next_multiple_of(LINE));
        self.0.iter().any(|(bad, fault)| bad.start < end && first < bad.end && fails(fault))
    }
    /// Whether a read of these bytes of a page meets an error.
    pub fn fails_read(&self, bytes: &Range<u64>) -> bool {
        self.meets(bytes, |fault| fault.read)
    }
    /// Whether a write does.
    pub fn fails_write(&self, bytes: &Range<u64>) -> bool {
        self.meets(bytes, |fault| fault.write.is_some())
    }
    /// The parts of a write that take effect: the bursts, one per block, that meet no error which loses them.
    pub fn written(&self, bytes: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let first = bytes.start / BLOCK;
        let last = bytes.end.saturating_sub(1) / BLOCK;
        (first..=last)
            .map(move |block| bytes.start.max(block * BLOCK)..bytes.end.min((block + 1) * BLOCK))
            .filter(|part| !self.meets(part, |fault| fault.write == Some(WriteFault::Lost)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_a_file_is_the_same_memory() {
        let file = tempfile::tempfile().expect("a file");
        let (mut own, mut shared) = (Memory::new(20), Memory::new(20));
        for memory in [&mut own, &mut shared] {
            memory.write(CHUNK - 3, b"before");
        }
        shared.share(file.try_clone().expect("a copy")).expect("shared");
        let other = Map::of_file(&file, 0, 1 << 20).expect("a mapping");
        for memory in [&mut own, &mut shared] {
            memory.write((1 << 20) - 2, b"wrap");
            memory.set_word(2 * CHUNK + 8, 0x1234);
            memory.zero(0, CHUNK);
        }
        let (mut one, mut two, mut seen) = (vec![1; 1 << 20], vec![2; 1 << 20], vec![3; 1 << 20]);
        own.read(0, &mut one);
        shared.read(0, &mut two);
        other.read(0, &mut seen);
        assert!(one == two && two == seen);
        assert_eq!((&one[CHUNK as usize..][..3], shared.word(2 * CHUNK + 8)), (&b"ore"[..], 0x1234));
        let mut appended = vec![9];
        shared.append(CHUNK, 3, &mut appended);
        assert_eq!(appended, b"\tore");
    }

    #[test]
    fn zeros_are_left_of_all_that_was_written() {
        let (mut memory, mut seen) = (Memory::new(20), vec![1; 1 << 20]);
        for round in 0..3 {
            memory.write(CHUNK + 5_000, &[7; 100]);
            memory.write(CHUNK + 9, &[8; 3]);
            memory.write(2 * CHUNK - 1, &[9; 2]);
            memory.zero(CHUNK, CHUNK);
            memory.read(0, &mut seen);
            assert!(seen.iter().enumerate().all(|(at, byte)| (*byte == 9) == (at as u64 == 2 * CHUNK)));
            assert_eq!(memory.taken(), 2 * CHUNK, "it waits to be used again");
            if round == 1 {
                memory.forget(CHUNK, CHUNK, false);
                assert_eq!(memory.taken(), CHUNK);
            }
        }
        memory.write(CHUNK + 77, &[7; 100]);
        memory.forget(0, 4 * CHUNK, false);
        assert_eq!(memory.word(CHUNK + 80), 0x0707_0707_0707_0707);
        memory.forget(0, 4 * CHUNK, true);
        memory.read(0, &mut seen);
        assert!(seen.iter().all(|byte| *byte == 0) && memory.taken() == 0);
    }

    #[test]
    fn an_error_covers_its_line_and_spoils_its_block() {
        let mut bad = BadLines::default();
        bad.add(4096 + 128..4096 + 192, LineFault::DEAD);
        for fails in [BadLines::fails_read, BadLines::fails_write] {
            assert!(!fails(&bad, &(0..4096 + 128)));
            assert!(fails(&bad, &(4096 + 127..4096 + 129)));
            assert!(fails(&bad, &(4096 + 130..4096 + 131)), "a part of the line");
            assert!(!fails(&bad, &(4096 + 192..8192)));
        }
        let parts = |bytes: Range<u64>| bad.written(bytes).collect::<Vec<_>>();
        assert_eq!(parts(4000..8200), [4000..4096, 8192..8200]);
        assert!(parts(4096..4225).is_empty());
        assert_eq!(parts(4096..4224), std::slice::from_ref(&(4096..4224)));
    }

    #[test]
    fn what_fails_and_what_takes_effect_are_two_things() {
        let mut bad = BadLines::default();
        bad.add(0..64, LineFault { read: true, write: None });
        bad.add(64..128, LineFault { read: false, write: Some(WriteFault::Applied) });
        assert_eq!((bad.fails_read(&(0..8)), bad.fails_write(&(0..8))), (true, false));
        assert_eq!((bad.fails_read(&(64..72)), bad.fails_write(&(64..72))), (false, true));
        assert_eq!(bad.written(0..128).collect::<Vec<_>>(), std::slice::from_ref(&(0..128)));
    }
}
