//! The memory behind the responder. Each change is written down, so that one which is made twice is seen even where it changes
//! nothing.
use mneme_rdma::memory::{Atomic, Memory, MemoryFault};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Where a client's bytes begin: one area for each.
pub const AREA: u64 = 0x10_0000;
/// Bytes of an area that are in use.
pub const AREA_BYTES: usize = 96 * 1024;
/// The words that all clients add to lie behind the areas.
pub const SHARED_WORDS: usize = 4;

/// The first address of a client's area; the shared words' is that of the client after the last.
pub fn area(client: usize) -> u64 {
    AREA * (client as u64 + 1)
}

/// A change, as it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A packet of a WRITE.
    Write { va: u64, bytes: Vec<u8> },
    /// An atomic.
    Atomic { va: u64, operation: Atomic },
}

impl Change {
    fn va(&self) -> u64 {
        match self {
            Change::Write { va, .. } | Change::Atomic { va, .. } => *va,
        }
    }
}

/// Areas of clients, then the shared words.
#[derive(Debug)]
pub struct Areas {
    areas: Vec<Vec<u8>>,
    /// What was done in each area.
    pub changes: Vec<Vec<Change>>,
    /// How often the memory is not ready, of 1.
    pub not_ready: f64,
    rng: ChaCha8Rng,
}

impl Areas {
    pub fn new(clients: usize, not_ready: f64, rng: ChaCha8Rng) -> Areas {
        let mut areas = vec![vec![0; AREA_BYTES]; clients];
        areas.push(vec![0; 8 * SHARED_WORDS]);
        Areas { changes: vec![Vec::new(); areas.len()], areas, not_ready, rng }
    }

    /// All bytes of an area.
    pub fn bytes(&self, area: usize) -> &[u8] {
        &self.areas[area]
    }

    fn place(&self, va: u64, length: usize) -> Result<(usize, usize), MemoryFault> {
        let area = (va / AREA).checked_sub(1).ok_or(MemoryFault::Denied)? as usize;
        let offset = (va % AREA) as usize;
        let inside = self.areas.get(area).is_some_and(|bytes| offset + length <= bytes.len());
        if inside { Ok((area, offset)) } else { Err(MemoryFault::Denied) }
    }

    fn ready(&mut self) -> Result<(), MemoryFault> {
        if self.rng.random_bool(self.not_ready) { Err(MemoryFault::NotReady) } else { Ok(()) }
    }

    fn note(&mut self, change: Change) {
        let area = (change.va() / AREA - 1) as usize;
        self.changes[area].push(change);
    }
}

impl Memory for Areas {
    fn read(&mut self, _: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        let (area, offset) = self.place(va, to.len())?;
        self.ready()?;
        to.copy_from_slice(&self.areas[area][offset..offset + to.len()]);
        Ok(())
    }

    fn write(&mut self, _: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        let (area, offset) = self.place(va, from.len())?;
        self.ready()?;
        self.areas[area][offset..offset + from.len()].copy_from_slice(from);
        self.note(Change::Write { va, bytes: from.to_vec() });
        Ok(())
    }

    fn atomic(&mut self, _: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        let (area, offset) = self.place(va, 8)?;
        self.ready()?;
        let place = &mut self.areas[area][offset..offset + 8];
        let word = u64::from_le_bytes(place.try_into().map_err(|_| MemoryFault::Failed)?);
        place.copy_from_slice(&operation.apply(word).to_le_bytes());
        self.note(Change::Atomic { va, operation });
        Ok(word)
    }
}
