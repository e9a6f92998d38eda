//! The board's DRAM: its bytes, and how it fails.
use std::fs::File;
use std::io;
use std::ops::Range;

use mneme_model::soft::{LineFault, WriteFault};
use rustix::mm::{MapFlags, ProtFlags, mmap};

use super::Verilated;
use crate::LostAnswer;

/// How lines of memory fail (`MNEME_FAIL_*`).
const FAIL_READ: u32 = 1;
const FAIL_WRITE: u32 = 2;
const FAIL_LOST: u32 = 4;
/// Numbers of the masters at the memory port (`MemoryArbiter` in `hw/`).
const TABLE_MASTER: u32 = 0;
const ACCESS_MASTER: u32 = 1;

impl Verilated {
    /// All of DRAM.
    pub fn memory(&mut self) -> &mut [u8] {
        let mut size = 0;
        // SAFETY: `board` is alive and exclusively ours; it maps `size` initialised bytes at that address until it is destroyed,
        // and touches them only inside calls, which the borrow of `self` excludes meanwhile.
        unsafe {
            let bytes = (self.api.memory)(self.board.as_ptr(), &mut size);
            std::slice::from_raw_parts_mut(bytes, size as usize)
        }
    }
    /// Puts all of DRAM into a file that is as large, in place of what it was.
    pub fn share_memory(&mut self, file: &File) -> io::Result<()> {
        let bytes = self.memory();
        if file.metadata()?.len() < bytes.len() as u64 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the file is smaller than the board's DRAM",
            ));
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        // SAFETY: the board has mapped exactly these pages for itself and unmaps as many at its end, whatever they are then; `self`
        // is borrowed alone, so nothing looks at them now. Others that map the file change it only as a bus master would: the
        // board's code reads it as bytes that may be anything.
        let mapped = unsafe { mmap(bytes.as_mut_ptr().cast(), bytes.len(), access, flags, file, 0) };
        mapped.map(|_| ()).map_err(io::Error::from)
    }
    /// Beats in the range answer SLVERR from now on.
    pub fn memory_fail(&mut self, from: u64, to: u64) {
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.memory_fail)(self.board.as_ptr(), from, to) }
    }
    /// Beats of the memory access stage whose address modulo `period` lies in the range fail so from now on.
    pub fn memory_fail_lines(&mut self, period: u64, lines: Range<u64>, fault: LineFault) {
        let write = match fault.write {
            None => 0,
            Some(WriteFault::Lost) => FAIL_WRITE | FAIL_LOST,
            Some(WriteFault::Applied) => FAIL_WRITE,
        };
        let how = write | if fault.read { FAIL_READ } else { 0 };
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.memory_fail_lines)(self.board.as_ptr(), period, lines.start, lines.end, how) }
    }
    /// A share of the writes of page-table entries, in 65,536, answers with an error from now on; `most` entries at a time may be behind.
    pub fn memory_fail_table(&mut self, chance: u32, most: u32) {
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.memory_fail_table)(self.board.as_ptr(), chance, most) }
    }
    /// The answer of a master's `count`th burst from now on never comes.
    pub fn memory_lose(&mut self, lost: LostAnswer, count: u64) {
        let (master, write) = match lost {
            LostAnswer::Walk => (TABLE_MASTER, 0),
            LostAnswer::Read => (ACCESS_MASTER, 0),
            LostAnswer::Write => (ACCESS_MASTER, 1),
        };
        // SAFETY: `board` is alive and exclusively ours.
        unsafe { (self.api.memory_lose)(self.board.as_ptr(), master, write, count) }
    }
}
