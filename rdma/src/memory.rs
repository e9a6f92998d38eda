//! Memory behind a responder: what it must do, and the table of regions that clients may name.
use crate::codec::AtomicEth;
use crate::planted::{PlantedFault, Plants};

/// An operation on an aligned word of eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Atomic {
    /// Puts `swap` in the place of `compare`; any other word stays.
    CompareSwap {
        /// What must be there.
        compare: u64,
        /// What comes there.
        swap: u64,
    },
    /// Adds, around the wrap.
    FetchAdd {
        /// The addend.
        add: u64,
    },
}

impl Atomic {
    /// The word after the operation.
    pub const fn apply(self, word: u64) -> u64 {
        match self {
            Atomic::CompareSwap { compare, swap } if word == compare => swap,
            Atomic::CompareSwap { .. } => word,
            Atomic::FetchAdd { add } => word.wrapping_add(add),
        }
    }
    pub(crate) fn of(header: &AtomicEth, compares: bool) -> Atomic {
        match compares {
            true => Atomic::CompareSwap { compare: header.compare, swap: header.swap_or_add },
            false => Atomic::FetchAdd { add: header.swap_or_add },
        }
    }
}

/// Why memory did not do as it was told. Then nothing was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemoryFault {
    /// Not now: no page is free, or the page is elsewhere. The client is told to come again.
    #[error("the memory is not ready")]
    NotReady,
    /// The page does not exist, or may not be accessed so.
    #[error("the memory may not be accessed so")]
    Denied,
    /// The memory itself failed.
    #[error("the memory failed")]
    Failed,
    /// The message makes no sense to the memory.
    #[error("the message is none that the memory takes")]
    Invalid,
}

/// Where a packet's bytes stand in their WRITE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritePart {
    /// The queue pair.
    pub qpn: u32,
    /// The process, 24 bits.
    pub pid: u32,
    /// Where the packet's bytes go.
    pub va: u64,
    /// Bytes of the WRITE before them.
    pub before: u32,
    /// Bytes of the WRITE from them on, they included.
    pub left: u32,
}

/// The virtual memory of processes. Calls do not block. Words are little-endian in memory.
pub trait Memory {
    /// Fills `to` from an address on.
    ///
    /// # Errors
    /// What `to` holds then means nothing.
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault>;
    /// Writes `from` to an address on, all or nothing.
    ///
    /// # Errors
    /// Nothing was written then.
    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault>;
    /// Does an operation on the word at a multiple of 8, at once. Answers the word that was there.
    ///
    /// # Errors
    /// The word is as it was then.
    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault>;
    /// Writes one packet of a WRITE, all or nothing. For memory to which it matters how far the WRITE goes.
    ///
    /// # Errors
    /// Nothing was written then.
    fn write_part(&mut self, part: &WritePart, from: &[u8]) -> Result<(), MemoryFault> {
        self.write(part.pid, part.va, from)
    }
    /// Does what a SEND of a queue pair asks for whose messages are the memory's matter
    /// ([`Serves`](crate::responder::Serves)), all or nothing.
    ///
    /// # Errors
    /// Nothing was done then. [`MemoryFault::Invalid`]: the memory takes no such message.
    fn message(&mut self, qpn: u32, message: &[u8]) -> Result<(), MemoryFault> {
        let _ = (qpn, message);
        Err(MemoryFault::Invalid)
    }
}

/// What a region may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// READ.
    pub read: bool,
    /// WRITE.
    pub write: bool,
    /// Atomics.
    pub atomic: bool,
}

impl Access {
    /// Everything.
    pub const ALL: Access = Access { read: true, write: true, atomic: true };
    /// READ alone.
    pub const READ: Access = Access { read: true, write: false, atomic: false };
    /// WRITE alone.
    pub const WRITE: Access = Access { read: false, write: true, atomic: false };
    /// Atomics alone.
    pub const ATOMIC: Access = Access { read: false, write: false, atomic: true };

    /// Whether everything that `wanted` has is here.
    pub const fn covers(self, wanted: Access) -> bool {
        (self.read || !wanted.read) && (self.write || !wanted.write) && (self.atomic || !wanted.atomic)
    }
}

/// A range of a process's memory under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// The process, 24 bits.
    pub pid: u32,
    /// The first address.
    pub va: u64,
    /// Bytes.
    pub length: u64,
    /// What it may be used for.
    pub access: Access,
}

impl Region {
    /// Whether bytes from an address on lie inside and may be used so.
    pub fn has(&self, va: u64, length: u64, wanted: Access) -> bool {
        let inside = va
            .checked_sub(self.va)
            .is_some_and(|offset| self.length.checked_sub(offset).is_some_and(|rest| rest >= length));
        inside && self.access.covers(wanted)
    }
}

/// Why a region cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RegionError {
    /// The table is full.
    #[error("all {0} regions are taken")]
    Full(usize),
    /// The range goes past the last address.
    #[error("{length} bytes at {va:#x} go past the last address")]
    Range {
        /// The first address.
        va: u64,
        /// Bytes.
        length: u64,
    },
    /// No region has this key.
    #[error("no region has the key {0:#010x}")]
    Unknown(u32),
}

/// Why an access was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// No region has this key.
    Key,
    /// The region is another process's.
    Process,
    /// Past the region's ends.
    Range,
    /// The region may not be used so.
    Right,
}

/// Bits of a key that name the row of the table.
const ROW_BITS: u32 = 10;

/// The table of regions: 1,024 rows. A key is 22 random bits over the row's number, and is compared in full, so that a key that
/// was given up or guessed finds nothing.
#[derive(Debug)]
pub struct Regions {
    rows: Vec<Option<(u32, Region)>>,
    pub(crate) plants: Plants,
}

impl Default for Regions {
    fn default() -> Regions {
        Regions { rows: vec![None; Self::ROWS], plants: Plants::default() }
    }
}

impl Regions {
    /// Rows of the table.
    pub const ROWS: usize = 1 << ROW_BITS;

    /// Adds a region. Its key gets the low 22 bits of `random`, which the caller takes from where nobody can guess it.
    ///
    /// # Errors
    /// [`RegionError::Full`] and [`RegionError::Range`].
    pub fn insert(&mut self, random: u32, region: Region) -> Result<u32, RegionError> {
        // The end may be 2^64 itself.
        if region.length > 0 && region.va.checked_add(region.length - 1).is_none() {
            return Err(RegionError::Range { va: region.va, length: region.length });
        }
        let free = self.rows.iter().position(Option::is_none).ok_or(RegionError::Full(Self::ROWS))?;
        let key = random << ROW_BITS | free as u32;
        self.rows[free] = Some((key, region));
        Ok(key)
    }

    /// Gives a region up. READs under way end with a refusal.
    ///
    /// # Errors
    /// [`RegionError::Unknown`].
    pub fn remove(&mut self, key: u32) -> Result<Region, RegionError> {
        let row = &mut self.rows[Self::row(key)];
        match row.take_if(|(own, _)| *own == key) {
            Some((_, region)) => Ok(region),
            None => Err(RegionError::Unknown(key)),
        }
    }

    /// Regions in it.
    pub fn len(&self) -> usize {
        self.rows.iter().flatten().count()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    const fn row(key: u32) -> usize {
        key as usize & (Self::ROWS - 1)
    }

    pub(crate) fn check(
        &self,
        key: u32,
        pid: u32,
        va: u64,
        length: u64,
        wanted: Access,
    ) -> Result<(), Refused> {
        let region = match &self.rows[Self::row(key)] {
            Some((own, region)) if *own == key || self.plants.has(PlantedFault::KeyByRow) => region,
            _ => return Err(Refused::Key),
        };
        if region.pid != pid && !self.plants.has(PlantedFault::ForeignRegion) {
            return Err(Refused::Process);
        }
        let offset = va.checked_sub(region.va).ok_or(Refused::Range)?;
        let length = if self.plants.has(PlantedFault::RangeByStart) { 0 } else { length };
        if region.length.checked_sub(offset).is_none_or(|rest| rest < length) {
            return Err(Refused::Range);
        }
        let allowed = region.access.covers(wanted) || self.plants.has(PlantedFault::RightsIgnored);
        if allowed { Ok(()) } else { Err(Refused::Right) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_its_region_and_nothing_else() {
        let mut regions = Regions::default();
        let region = Region { pid: 7, va: 0x1000, length: 0x100, access: Access::READ };
        let key = regions.insert(0x2a_aaaa, region).expect("there is room");
        let check =
            |regions: &Regions, key, pid, va, length, access| regions.check(key, pid, va, length, access);
        assert_eq!(check(&regions, key, 7, 0x1000, 0x100, Access::READ), Ok(()));
        assert_eq!(check(&regions, key, 7, 0x1100, 0, Access::READ), Ok(()));
        assert_eq!(check(&regions, key, 7, 0x1000, 0x101, Access::READ), Err(Refused::Range));
        assert_eq!(check(&regions, key, 7, 0xfff, 1, Access::READ), Err(Refused::Range));
        assert_eq!(check(&regions, key, 7, u64::MAX, u64::MAX, Access::READ), Err(Refused::Range));
        assert_eq!(check(&regions, key, 7, 0x1000, 1, Access::WRITE), Err(Refused::Right));
        assert_eq!(check(&regions, key, 8, 0x1000, 1, Access::READ), Err(Refused::Process));
        for bit in 0..32 {
            assert_eq!(check(&regions, key ^ 1 << bit, 7, 0x1000, 1, Access::READ), Err(Refused::Key));
        }
        assert_eq!(regions.remove(key ^ 1 << 31), Err(RegionError::Unknown(key ^ 1 << 31)));
        assert_eq!((regions.len(), regions.is_empty()), (1, false));
        assert_eq!(regions.remove(key), Ok(region));
        assert!(regions.is_empty());
        assert_eq!(check(&regions, key, 7, 0x1000, 1, Access::READ), Err(Refused::Key), "given up");
    }

    #[test]
    fn the_table_is_bounded_and_ranges_end_with_the_address_space() {
        let mut regions = Regions::default();
        let region = |va, length| Region { pid: 1, va, length, access: Access::ALL };
        assert!(matches!(regions.insert(0, region(u64::MAX, 2)), Err(RegionError::Range { .. })));
        for row in 0..Regions::ROWS {
            let key = regions.insert(row as u32, region(u64::MAX, 1)).expect("room");
            assert_eq!(regions.check(key, 1, u64::MAX, 1, Access::ALL), Ok(()));
        }
        assert_eq!(regions.insert(0, region(0, 1)), Err(RegionError::Full(1024)));
    }
}
