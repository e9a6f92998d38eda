//! Epochs that change in mid-run, and ticks that jump.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_slowpath::FastPath;
use mneme_wire::Register;
use mneme_wire::register::REST_EPOCH;
use rand::Rng;

use super::super::control;
use super::super::generate::next_frame;
use super::super::mismatch::Mismatch;
use super::{FAULT_PATIENCE, Run};

/// Cycles that a page fault waits for a page at least, however short the window (contracts §3).
pub(super) const FAULT_WAIT_LOG2: u32 = 18;
/// Cycles that pass after a change that makes entries of the filter old.
const SCRUB_RUN: u64 = 4096;
/// Cycles in which the scrubber frees an entry of a board at rest (two), with a reserve; and those before the first one.
const SCRUB_ENTRY: u64 = 4;
const SCRUB_BEGINS: u64 = 64;
/// Cycles in which the slowest request must have ended.
const EPOCH_PATIENCE: u64 = 4 << FAULT_WAIT_LOG2;

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// A new epoch while requests are under way: all of them are answered under the old one, and none after the board says that it is over.
    pub(super) fn change_epoch(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        for _ in 0..self.rng.random_range(0..self.world.shape.packet_slots.min(12)) {
            let sent = next_frame(&mut self.world, now, true, &mut self.rng);
            self.send(sent)?;
        }
        while !self.board.taken() {
            self.pass(1)?;
        }
        self.world.epoch = self.rng.random_range(1..=255);
        control::write(self.board, &mut self.replay, Register::Epoch, self.world.epoch.into());
        self.await_rest(REST_EPOCH, 0, "an epoch never takes effect")?;
        self.collect()?;
        // An answer that comes now is one to nothing that was sent.
        self.replay.settle_all()?;
        self.drain()
    }

    /// Waits until a bit of REST is what it should be.
    pub(super) fn await_rest(&mut self, bit: u32, value: u32, else_says: &str) -> Result<(), Mismatch> {
        let from = self.board.cycles();
        let mut patient = from + FAULT_PATIENCE;
        while self.board.read_register(Register::Rest) & bit != value {
            if self.board.cycles() > from + EPOCH_PATIENCE {
                return Err(Mismatch::new(else_says.into()));
            }
            self.pass(16)?;
            if self.board.cycles() > patient {
                self.skip_ticks(self.world.window / 4);
                patient = self.board.cycles() + FAULT_PATIENCE;
            }
        }
        Ok(())
    }

    /// The tick jumps.
    pub(super) fn skip_ticks(&mut self, ticks: u32) {
        self.board.write_register(Register::TickSkip, ticks);
        if !self.world.shape.simulated {
            // The register is not there; a few ticks are what a run has time for.
            self.board.run(u64::from(ticks.min(4)) << self.world.shape.tick_log2);
            return;
        }
        let from = self.reached();
        self.has_come_to(self.clock.tick.plus(ticks));
        self.replay.occupancy.jumped(from, from.plus(ticks));
        self.scrub();
    }

    /// The scrubber has to see every entry between two jumps. No port shows that it works, so a board that looks quiet must not skip the cycles that
    /// it needs: what is over now would stay in use for as long as the board rests.
    pub(super) fn scrub(&mut self) {
        let all = (self.world.shape.filter_entries() as u64 * 16).min(SCRUB_RUN);
        let needed = (SCRUB_BEGINS + SCRUB_ENTRY * self.replay.entries_in_use() as u64).min(all);
        self.board.run_all(needed);
        self.board.run(all - needed);
    }
}
