//! A board's pages as RDMA sees them: one page table, one set of rights, the same words as any other client's.
use mneme_model::SoftFast;
use mneme_model::soft::{Answer, BoardRequest};
use mneme_rdma::memory::{Atomic, Memory, MemoryFault};
use mneme_rdma::node::{Frames, Leaf};
use mneme_rdma_manager::{STATISTICS, StatisticsMemory};
use mneme_wire::{Opcode, Pid, Status, Va};

/// A software board, and what its port has counted.
pub struct BoardMemory<'a> {
    /// The board.
    pub fast: &'a mut SoftFast,
    /// Counters, 8 bytes each, little-endian.
    pub statistics: &'a [u8],
}

/// What an access to one page asks for.
fn request(pid: u32, va: u64, operation: Opcode, length: usize, payload: Vec<u8>) -> BoardRequest {
    BoardRequest {
        opcode: operation.number(),
        pid: Pid::from_low_bits(pid),
        va: Va::from_low_bits(va),
        // Packets of RDMA are shorter.
        length: length.min(usize::from(u16::MAX)) as u16,
        payload,
        ..BoardRequest::default()
    }
}

/// What a status means here. No page now, and a page in motion, may be one later; so may a frame, of which a budget has none left.
fn done(answer: &Answer) -> Result<(), MemoryFault> {
    match answer.status {
        Status::Ok if answer.bad_fcs => Err(MemoryFault::Failed),
        Status::Ok => Ok(()),
        Status::Busy | Status::NoMemory | Status::Quota => Err(MemoryFault::NotReady),
        Status::MemoryError => Err(MemoryFault::Failed),
        _ => Err(MemoryFault::Denied),
    }
}

impl BoardMemory<'_> {
    /// Parts of a range, each within a page: where, from which byte of the range on, and bytes.
    fn parts(&self, va: u64, length: usize) -> Vec<(u64, usize, usize)> {
        let page = self.fast.page_size();
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < length {
            let here = va + at as u64;
            let bytes = (page - here % page).min((length - at) as u64) as usize;
            parts.push((here, at, bytes));
            at += bytes;
        }
        parts
    }
    /// Addresses have 48 bits: what goes past them is nowhere.
    fn inside(va: u64, length: usize) -> Result<(), MemoryFault> {
        let end = va.checked_add(length as u64).filter(|end| *end <= 1 << 48);
        end.map(|_| ()).ok_or(MemoryFault::Denied)
    }
}

impl Memory for BoardMemory<'_> {
    fn read(&mut self, pid: u32, va: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        if pid == STATISTICS {
            return StatisticsMemory(self.statistics).read(pid, va, to);
        }
        Self::inside(va, to.len())?;
        for (va, at, bytes) in self.parts(va, to.len()) {
            let answer = self.fast.serve_beside(&request(pid, va, Opcode::Read, bytes, Vec::new()));
            done(&answer)?;
            let place = &mut to[at..at + bytes];
            match answer.payload() {
                payload if payload.len() == bytes => place.copy_from_slice(payload),
                _ => return Err(MemoryFault::Failed),
            }
        }
        Ok(())
    }

    fn write(&mut self, pid: u32, va: u64, from: &[u8]) -> Result<(), MemoryFault> {
        if pid == STATISTICS {
            return Err(MemoryFault::Denied);
        }
        Self::inside(va, from.len())?;
        let parts = self.parts(va, from.len());
        if parts.len() > 1 {
            // All or nothing: both pages are there and may be written before one is.
            for (va, ..) in &parts {
                done(&self.fast.serve_beside(&request(pid, *va, Opcode::Write, 0, Vec::new())))?;
            }
        }
        for (va, at, bytes) in parts {
            let payload = from[at..at + bytes].to_vec();
            done(&self.fast.serve_beside(&request(pid, va, Opcode::Write, bytes, payload)))?;
        }
        Ok(())
    }

    fn atomic(&mut self, pid: u32, va: u64, operation: Atomic) -> Result<u64, MemoryFault> {
        if pid == STATISTICS {
            return Err(MemoryFault::Denied);
        }
        Self::inside(va, 8)?;
        let (opcode, operands) = match operation {
            Atomic::CompareSwap { compare, swap } => (Opcode::CompareSwap, vec![compare, swap]),
            Atomic::FetchAdd { add } => (Opcode::FetchAdd, vec![add]),
        };
        let payload: Vec<u8> = operands.into_iter().flat_map(u64::to_le_bytes).collect();
        let answer = self.fast.serve_beside(&request(pid, va, opcode, 8, payload));
        done(&answer)?;
        Ok(answer.result)
    }
}

impl Frames for BoardMemory<'_> {
    type Under = Self;

    fn leaf(&self) -> &Leaf {
        self.fast.leaf_unit()
    }
    fn leaf_mut(&mut self) -> &mut Leaf {
        self.fast.leaf_unit_mut()
    }
    fn under(&mut self) -> &mut Self {
        self
    }
    fn load(&self, address: u64, to: &mut [u8]) -> Result<(), MemoryFault> {
        self.fast.load_frame(address, to)
    }
    fn store(&mut self, address: u64, from: &[u8]) -> Result<(), MemoryFault> {
        self.fast.store_frame(address, from)
    }
}
