//! The only unsafe code of the crate: memory that is mapped, and ARM's barriers.
//!
//! Each access goes through a raw pointer inside the mapping, whose range is checked first; no reference to mapped memory is
//! ever made, as others change it meanwhile. Accesses are volatile: each is made once, as large as it is written, in the
//! order of the program. They are aligned, since memory of a device faults otherwise.
use std::io;
use std::os::fd::AsFd;
use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::memory::{Memory, WORD};

/// A mapping, shared with whoever else maps the same.
#[derive(Debug)]
pub struct Map {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and is reached by volatile accesses alone.
unsafe impl Send for Map {}

impl Map {
    /// Maps `bytes` of a file from `offset`, a multiple of the system's page, on.
    pub fn of_file(file: impl AsFd, offset: u64, bytes: u64) -> io::Result<Map> {
        let bytes = usize::try_from(bytes).ok().filter(|bytes| *bytes > 0 && isize::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or(io::ErrorKind::InvalidInput)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: the system chooses the address, so that no mapping of anybody else is touched.
        let base = unsafe { mmap(std::ptr::null_mut(), bytes, access, MapFlags::SHARED, file, offset)? };
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Map { base, bytes })
    }

    /// The place of `bytes` bytes at `at`.
    ///
    /// # Panics
    /// When they do not lie within the mapping.
    fn place(&self, at: u64, bytes: usize) -> NonNull<u8> {
        let inside =
            usize::try_from(at).ok().filter(|at| at.checked_add(bytes).is_some_and(|end| end <= self.bytes));
        let Some(at) = inside else {
            panic!("{bytes} bytes at {at:#x} of a mapping of {:#x}", self.bytes);
        };
        // SAFETY: `at` is within the mapping, or its end, and a mapping is no larger than isize::MAX.
        unsafe { self.base.add(at) }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, no reference to it exists, and it is not used behind this.
        let _gone = unsafe { munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

/// Bytes until the next whole word.
fn before_word(at: u64, len: usize) -> usize {
    ((at.next_multiple_of(WORD) - at) as usize).min(len)
}

impl Memory for Map {
    fn len(&self) -> u64 {
        self.bytes as u64
    }
    fn read_u32(&self, at: u64) -> u32 {
        let place = self.place(at, 4).cast::<u32>();
        assert!(place.is_aligned(), "a word at {at:#x}");
        // SAFETY: `place` is four bytes of the mapping, and aligned.
        u32::from_le(unsafe { place.read_volatile() })
    }
    fn write_u32(&self, at: u64, value: u32) {
        let place = self.place(at, 4).cast::<u32>();
        assert!(place.is_aligned(), "a word at {at:#x}");
        // SAFETY: as above.
        unsafe { place.write_volatile(value.to_le()) }
    }
    fn read(&self, at: u64, into: &mut [u8]) {
        let place = self.place(at, into.len());
        let (head, rest) = into.split_at_mut(before_word(at, into.len()));
        let (mut from, words) = (place, rest.chunks_exact_mut(WORD as usize));
        let bytes = |from: NonNull<u8>, into: &mut [u8]| {
            for (n, byte) in into.iter_mut().enumerate() {
                // SAFETY: `place` has checked that all of the caller's bytes lie within the mapping.
                *byte = unsafe { from.add(n).read_volatile() };
            }
        };
        bytes(from, head);
        // SAFETY: as above, and `head` ends where words begin: a mapping begins at a page.
        from = unsafe { from.add(head.len()) };
        let mut words = words;
        for word in &mut words {
            // SAFETY: as above.
            word.copy_from_slice(&unsafe { from.cast::<u64>().read_volatile() }.to_ne_bytes());
            // SAFETY: as above.
            from = unsafe { from.add(WORD as usize) };
        }
        bytes(from, words.into_remainder());
    }
    fn write(&self, at: u64, from: &[u8]) {
        let mut place = self.place(at, from.len());
        let (head, rest) = from.split_at(before_word(at, from.len()));
        let words = rest.chunks_exact(WORD as usize);
        let bytes = |place: NonNull<u8>, from: &[u8]| {
            for (n, byte) in from.iter().enumerate() {
                // SAFETY: `place` has checked that all of the caller's bytes lie within the mapping.
                unsafe { place.add(n).write_volatile(*byte) };
            }
        };
        bytes(place, head);
        // SAFETY: as in `read`.
        place = unsafe { place.add(head.len()) };
        let tail = words.remainder();
        for word in words {
            let word = word.try_into().map_or(0, u64::from_ne_bytes);
            // SAFETY: as in `read`.
            unsafe { place.cast::<u64>().write_volatile(word) };
            // SAFETY: as in `read`.
            place = unsafe { place.add(WORD as usize) };
        }
        bytes(place, tail);
    }
}

/// Loads before it are done before what comes behind it, for the whole system.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) fn data_memory_barrier_loads() {
    // SAFETY: a barrier changes no memory and no register; without `nomem` the compiler moves no access over it.
    unsafe { std::arch::asm!("dmb ld", options(nostack, preserves_flags)) }
}

/// Stores before it are seen before stores behind it, by the whole system.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) fn data_memory_barrier_stores() {
    // SAFETY: as above.
    unsafe { std::arch::asm!("dmb st", options(nostack, preserves_flags)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Ordinary;

    fn mapped() -> (std::fs::File, Map) {
        let file = tempfile::tempfile().expect("a file");
        file.set_len(1 << 12).expect("its length");
        let map = Map::of_file(&file, 0, 1 << 12).expect("a mapping");
        (file, map)
    }

    #[test]
    fn any_range_reads_as_it_was_written_by_either_memory() {
        let (_file, map) = mapped();
        let ordinary = Ordinary::new(1 << 12);
        let data: Vec<u8> = (1..=40).collect();
        for memory in [&map as &dyn Memory, &ordinary] {
            for at in 0..10 {
                for len in 0..data.len() {
                    memory.write(at, &data[..len]);
                    let mut back = vec![0; len];
                    memory.read(at, &mut back);
                    assert_eq!(back, data[..len], "{len} at {at}");
                }
            }
            memory.write(0, &[0x78, 0x56, 0x34, 0x12]);
            assert_eq!(memory.read_u32(0), 0x1234_5678, "little-endian");
            memory.write_u32(4, 0x0102_0304);
            let mut bytes = [0; 4];
            memory.read(4, &mut bytes);
            assert_eq!(bytes, [4, 3, 2, 1]);
        }
    }

    #[test]
    fn two_mappings_of_a_file_are_one_memory() {
        let (file, one) = mapped();
        let other = Map::of_file(&file, 0, 1 << 12).expect("a mapping");
        one.write(100, b"hello");
        let mut heard = [0; 5];
        other.read(100, &mut heard);
        assert_eq!(&heard, b"hello");
    }

    #[test]
    #[should_panic(expected = "of a mapping of 0x1000")]
    fn what_lies_outside_is_not_touched() {
        mapped().1.read(4090, &mut [0; 8]);
    }

    #[test]
    fn an_empty_mapping_is_refused() {
        let file = tempfile::tempfile().expect("a file");
        assert!(Map::of_file(&file, 0, 0).is_err());
    }
}
