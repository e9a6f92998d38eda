//! The replace command: the slow path's one command on the page table (architecture §4, contracts §3).
use crate::FastPath;
use mneme_wire::pte::{ALLOCATED, READ, VALID, WRITE};
use mneme_wire::{Register, ReplaceStatus, Rights};

/// One replace command. Tag and parity are the hardware's; the tag bits of `new` do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace {
    /// Process.
    pub pid: u32,
    /// Virtual page number.
    pub vpn: u64,
    /// Bits of the old entry that must equal those of `expected`.
    pub compare: u64,
    /// What they must be.
    pub expected: u64,
    /// Bits that change.
    pub write: u64,
    /// What they become.
    pub new: u64,
}

/// The entry bits of rights.
pub fn rights_bits(rights: Rights) -> u64 {
    (if rights.read { READ } else { 0 }) | (if rights.write { WRITE } else { 0 })
}

impl Replace {
    /// Allocates a page that must not be allocated: no physical page yet.
    pub fn allocate(pid: u32, vpn: u64, rights: Rights) -> Replace {
        let new = ALLOCATED | rights_bits(rights);
        Replace { pid, vpn, compare: ALLOCATED, expected: 0, write: !0, new }
    }
    /// Frees a page that must be allocated; the old entry tells the physical page, if it had one.
    pub fn free(pid: u32, vpn: u64) -> Replace {
        Replace { pid, vpn, compare: ALLOCATED, expected: ALLOCATED, write: !0, new: 0 }
    }
    /// Changes the rights of an allocated page and nothing else.
    pub fn protect(pid: u32, vpn: u64, rights: Rights) -> Replace {
        let new = rights_bits(rights);
        Replace { pid, vpn, compare: ALLOCATED, expected: ALLOCATED, write: READ | WRITE, new }
    }
    /// Writes an allocated page's entry once more as it is: memory may not have taken it.
    pub fn rewrite(pid: u32, vpn: u64) -> Replace {
        Replace { pid, vpn, compare: ALLOCATED, expected: ALLOCATED, write: 0, new: 0 }
    }
}

/// How a replace command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Written, shot down, drained. The old entry.
    Done(u64),
    /// The compared bits differ; nothing written. The old entry.
    Mismatch(u64),
    /// The bucket holds neither the entry nor a free slot.
    Full,
    /// The memory controller reported an error, or the command did not end in time.
    Failed,
}

/// Runs replace commands, in order, and stops after the first that is not [`Outcome::Done`]: as many outcomes as
/// commands were tried.
pub trait Table {
    /// Runs the commands; waits for them.
    fn run(&mut self, commands: &[Replace]) -> Vec<Outcome>;
}

/// The registers of the command: those that hold it, and the one that starts it.
pub const REGISTERS: [Register; 11] = [
    Register::ReplacePid,
    Register::ReplaceVpn,
    Register::ReplaceCompareLow,
    Register::ReplaceCompareHigh,
    Register::ReplaceExpectedLow,
    Register::ReplaceExpectedHigh,
    Register::ReplaceWriteLow,
    Register::ReplaceWriteHigh,
    Register::ReplaceNewLow,
    Register::ReplaceNewHigh,
    Register::ReplaceGo,
];

fn values(c: &Replace) -> [u32; 10] {
    let low = |v: u64| v as u32;
    let high = |v: u64| (v >> 32) as u32;
    [
        c.pid,
        low(c.vpn),
        low(c.compare),
        high(c.compare),
        low(c.expected),
        high(c.expected),
        low(c.write),
        high(c.write),
        low(c.new),
        high(c.new),
    ]
}

/// Drives the command through the registers. Registers that already hold the value are not written again: freeing a long
/// range then takes one register, the start and the answer per page.
#[derive(Debug, Clone)]
pub struct ReplaceDriver {
    written: [Option<u32>; 10],
    patience: u32,
}

impl ReplaceDriver {
    /// A driver for a freshly reset fast path that gives a command up after `patience` reads of its status.
    pub fn new(patience: u32) -> ReplaceDriver {
        ReplaceDriver { written: [None; 10], patience }
    }

    /// Runs one command and waits for its end.
    pub fn execute<F: FastPath + ?Sized>(&mut self, fp: &mut F, command: &Replace) -> Outcome {
        if self.wait(fp).is_none() {
            return Outcome::Failed;
        }
        for ((register, value), written) in REGISTERS.iter().zip(values(command)).zip(&mut self.written) {
            if *written != Some(value) {
                fp.write_register(*register, value);
                *written = Some(value);
            }
        }
        fp.write_register(Register::ReplaceGo, 1);
        match self.wait(fp) {
            Some(ReplaceStatus::Done) => Outcome::Done(old(fp)),
            Some(ReplaceStatus::Mismatch) => Outcome::Mismatch(old(fp)),
            Some(ReplaceStatus::Full) => Outcome::Full,
            _ => Outcome::Failed,
        }
    }

    /// Waits until no command runs. `None`: one still runs after all patience, or the status is no known number.
    fn wait<F: FastPath + ?Sized>(&self, fp: &mut F) -> Option<ReplaceStatus> {
        for _ in 0..self.patience {
            let number = u8::try_from(fp.read_register(Register::ReplaceStatus)).ok()?;
            match ReplaceStatus::from_number(number)? {
                ReplaceStatus::Running => {}
                status => return Some(status),
            }
        }
        None
    }
}

fn old<F: FastPath + ?Sized>(fp: &mut F) -> u64 {
    let low = u64::from(fp.read_register(Register::ReplaceOldLow));
    low | u64::from(fp.read_register(Register::ReplaceOldHigh)) << 32
}

/// The physical page that a finished command took out of the table, if any.
pub fn page_taken_out(command: &Replace, outcome: &Outcome, ppn_mask: u64) -> Option<u64> {
    let gone = command.write & ALLOCATED != 0 && command.new & ALLOCATED == 0;
    match outcome {
        Outcome::Done(old) if gone && old & VALID != 0 => Some(old & ppn_mask),
        _ => None,
    }
}
