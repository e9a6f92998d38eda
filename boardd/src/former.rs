//! What a daemon that is no more has left in the core.
use mneme_window::Memory;
use mneme_wire::pte::{ALLOCATED, Geometry, VALID};

/// A table larger than this is not counted: it is read word by word, which takes an uncached processor a second for 64 MB.
const MOST: u64 = 64 << 20;
/// Bytes of the table that are read at once.
const PART: u64 = 4096;

/// A former life of the board, whose daemon has ended while its processes went on.
///
/// Its page table in DRAM tells what memory they had. Who they were, their tokens, leases and answers, only the daemon that
/// died knew. So the table cannot be served again: what it holds is counted, said, and given up, and the board's epoch rises,
/// by which every client learns that its process has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Former {
    /// Its epoch.
    pub epoch: u8,
    /// Pages that its processes had allocated, and how many of them held memory; `None`: the table is too large to be counted.
    pub pages: Option<(u64, u64)>,
}

impl Former {
    /// Reads the table.
    pub fn of(epoch: u8, geometry: &Geometry, dram: &dyn Memory) -> Former {
        let bytes = geometry.table_pages() * geometry.page_size();
        let readable = bytes <= MOST.min(dram.len());
        Former { epoch, pages: readable.then(|| count(bytes, dram)) }
    }
}

fn count(bytes: u64, dram: &dyn Memory) -> (u64, u64) {
    let (mut allocated, mut held, mut part) = (0, 0, vec![0; PART as usize]);
    for at in (0..bytes).step_by(PART as usize) {
        let part = &mut part[..PART.min(bytes - at) as usize];
        dram.read(at, part);
        for word in part.chunks_exact(8) {
            let entry = word.try_into().map_or(0, u64::from_le_bytes);
            allocated += u64::from(entry & ALLOCATED != 0);
            held += u64::from(entry & ALLOCATED != 0 && entry & VALID != 0);
        }
    }
    (allocated, held)
}

impl std::fmt::Display for Former {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "epoch {} ends", self.epoch)?;
        match self.pages {
            Some((allocated, held)) => {
                write!(
                    f,
                    ": its table has {allocated} allocated pages, {held} of them with memory, which are given up"
                )
            }
            None => write!(f, ": what its table has is given up"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_window::Ordinary;

    #[test]
    fn what_the_table_holds_is_counted() {
        let geometry = Geometry::new(18, 24, 2).expect("16 MB in pages of 256 KB");
        let dram = Ordinary::new(geometry.table_pages() * geometry.page_size());
        let empty = Former::of(3, &geometry, &dram);
        assert_eq!(empty.pages, Some((0, 0)));
        for (at, entry) in [(0, ALLOCATED), (8, ALLOCATED | VALID), (4096, ALLOCATED | VALID), (4104, VALID)]
        {
            dram.write(at, &entry.to_le_bytes());
        }
        let former = Former::of(3, &geometry, &dram);
        assert_eq!(former.pages, Some((3, 2)));
        assert!(former.to_string().contains("3 allocated pages, 2 of them with memory"), "{former}");
        let small = Ordinary::new(64);
        assert_eq!(Former::of(3, &geometry, &small).pages, None);
    }
}
