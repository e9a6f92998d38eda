//! The replace command: the slow path's one command on the page table (architecture §4, contracts §3).
use crate::FastPath;
use crate::leaf::{LeafCommand, LeafRefused};
use mneme_wire::pte::{ALLOCATED, PageState, READ, STATE_SHIFT, VALID, WRITE};
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
    /// Allocates a page that must not be allocated as frames of 4 KB behind a leaf table.
    pub fn split(pid: u32, vpn: u64, rights: Rights, table: u64) -> Replace {
        let split = (PageState::Split as u64) << STATE_SHIFT;
        let new = ALLOCATED | rights_bits(rights) | split | table;
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
    /// Has the leaf unit execute a command; waits for it.
    ///
    /// # Errors
    /// [`LeafRefused`]: nothing was done.
    fn leaf(&mut self, _command: LeafCommand) -> Result<u64, LeafRefused> {
        Err(LeafRefused::None)
    }
    /// A search for room looked at so many pages: who counts what work costs is told.
    fn searched(&mut self, _probes: u64) {}
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

/// What a look at the engine shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// No command runs; how the last one ended.
    Ended(ReplaceStatus),
    /// One runs.
    Running,
    /// One runs after all patience.
    Stuck,
}

/// Drives the command through the registers. Registers that already hold the value are not written again: freeing a long
/// range then takes one register, the start and the answer per page.
#[derive(Debug, Clone)]
pub struct ReplaceDriver {
    written: [Option<u32>; 10],
    patience: u32,
    /// Reads that the engine has left of its patience. An engine that is stuck has none, until it comes to an end.
    left: u32,
    /// The command that was begun and has not ended runs in the engine.
    started: bool,
}

impl ReplaceDriver {
    /// A driver for a freshly reset fast path that gives a command up after `patience` reads of its status. After that it
    /// looks at a stuck engine once for each further command.
    pub fn new(patience: u32) -> ReplaceDriver {
        let patience = patience.max(1);
        ReplaceDriver { written: [None; 10], patience, left: patience, started: false }
    }

    /// Runs one command and waits for its end.
    pub fn execute<F: FastPath + ?Sized>(&mut self, fp: &mut F, command: &Replace) -> Outcome {
        loop {
            if let Some(outcome) = self.advance(fp, command, self.patience) {
                return outcome;
            }
        }
    }

    /// Begins a command, or goes on with the one that was begun, with at most `reads` reads of its status. `None`: it has
    /// not ended; the next call is for the same command.
    pub fn advance<F: FastPath + ?Sized>(
        &mut self,
        fp: &mut F,
        command: &Replace,
        reads: u32,
    ) -> Option<Outcome> {
        let mut reads = reads.max(1);
        if !self.started {
            match self.look(fp, &mut reads) {
                Look::Running => return None,
                // An earlier command that was given up still runs.
                Look::Stuck => return Some(Outcome::Failed),
                Look::Ended(_) => self.start(fp, command),
            }
        }
        let look = self.look(fp, &mut reads);
        self.started = look == Look::Running;
        match look {
            Look::Running => None,
            Look::Ended(ReplaceStatus::Done) => Some(Outcome::Done(old(fp))),
            Look::Ended(ReplaceStatus::Mismatch) => Some(Outcome::Mismatch(old(fp))),
            Look::Ended(ReplaceStatus::Full) => Some(Outcome::Full),
            Look::Ended(_) | Look::Stuck => Some(Outcome::Failed),
        }
    }

    fn start<F: FastPath + ?Sized>(&mut self, fp: &mut F, command: &Replace) {
        for ((register, value), written) in REGISTERS.iter().zip(values(command)).zip(&mut self.written) {
            if *written != Some(value) {
                fp.write_register(*register, value);
                *written = Some(value);
            }
        }
        fp.write_register(Register::ReplaceGo, 1);
        self.started = true;
    }

    /// Looks at the engine, `reads` times at most.
    fn look<F: FastPath + ?Sized>(&mut self, fp: &mut F, reads: &mut u32) -> Look {
        loop {
            let number = u8::try_from(fp.read_register(Register::ReplaceStatus)).ok();
            match number.and_then(ReplaceStatus::from_number) {
                Some(ReplaceStatus::Running) => {}
                Some(status) => {
                    self.left = self.patience;
                    return Look::Ended(status);
                }
                // No number that an engine has.
                None => return Look::Stuck,
            }
            (self.left, *reads) = (self.left.saturating_sub(1), *reads - 1);
            if self.left == 0 {
                return Look::Stuck;
            }
            if *reads == 0 {
                return Look::Running;
            }
        }
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
