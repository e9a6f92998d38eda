//! The page table in DRAM: bucket walk and the slow path's replace command (contracts §3).
use mneme_wire::pte::{self, BUCKET_BYTES, BUCKET_ENTRIES, Geometry};
use mneme_wire::{Pid, ReplaceStatus};

use super::memory::Memory;

/// A page of a process: what an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Page {
    /// Protection domain.
    pub pid: Pid,
    /// Virtual page number.
    pub vpn: u64,
}

/// What a walk finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// The page's entry, and the DRAM address of its slot.
    Found {
        /// The entry.
        entry: u64,
        /// Where it lies.
        address: u64,
    },
    /// The bucket has no entry of this page.
    Unmapped,
    /// The bucket has no entry of this page, but one with odd parity, which may have been it.
    Parity,
}

fn slots(geometry: &Geometry, page: Page) -> impl Iterator<Item = u64> + use<> {
    let bucket = geometry.bucket(page.pid.get(), page.vpn) * BUCKET_BYTES;
    (0..BUCKET_ENTRIES as u64).map(move |slot| bucket + 8 * slot)
}

/// What a walk overlooks when a fault is planted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Overlook {
    /// The comparison leaves the pid out.
    pub pid: bool,
    /// Entries with odd parity count.
    pub parity: bool,
}

/// Looks a page up in its bucket.
pub fn walk(memory: &Memory, geometry: &Geometry, page: Page, overlook: Overlook) -> Walk {
    let tag = geometry.tag(page.pid.get(), page.vpn);
    let pid_shift = pte::VA_BITS - geometry.page_bits() - geometry.bucket_bits();
    let compared = if overlook.pid { (1 << pid_shift) - 1 } else { u64::MAX };
    let mut parity = false;
    for address in slots(geometry, page) {
        let entry = memory.word(address);
        if !pte::parity_ok(entry) && !overlook.parity {
            parity = true;
        } else if entry & pte::ALLOCATED != 0 && (geometry.entry_tag(entry) ^ tag) & compared == 0 {
            return Walk::Found { entry, address };
        }
    }
    if parity { Walk::Parity } else { Walk::Unmapped }
}

/// The slow path's one command on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace {
    /// The page whose entry is meant.
    pub page: Page,
    /// Bits of the old entry that must be as expected.
    pub compare: u64,
    /// The expected entry.
    pub expected: u64,
    /// Bits to change.
    pub write: u64,
    /// Their new values.
    pub new: u64,
}

/// Executes the command; answers how it ended and the old entry.
pub fn replace(memory: &mut Memory, geometry: &Geometry, command: &Replace) -> (ReplaceStatus, u64) {
    let Page { pid, vpn } = command.page;
    let (address, old) = match walk(memory, geometry, command.page, Overlook::default()) {
        Walk::Found { entry, address } => (address, entry),
        Walk::Unmapped | Walk::Parity => match free_slot(memory, geometry, command.page) {
            Some(address) => (address, 0),
            None => return (ReplaceStatus::Full, 0),
        },
    };
    if (old ^ command.expected) & command.compare != 0 {
        return (ReplaceStatus::Mismatch, old);
    }
    let value = (old & !command.write) | (command.new & command.write);
    let allocated = value & pte::ALLOCATED != 0;
    memory.set_word(address, if allocated { geometry.seal(value, pid.get(), vpn) } else { 0 });
    (ReplaceStatus::Done, old)
}

/// The first slot that belongs to nobody. A damaged entry is not free: it may have been somebody's.
fn free_slot(memory: &Memory, geometry: &Geometry, page: Page) -> Option<u64> {
    slots(geometry, page).find(|address| {
        let entry = memory.word(*address);
        pte::parity_ok(entry) && entry & pte::ALLOCATED == 0
    })
}
