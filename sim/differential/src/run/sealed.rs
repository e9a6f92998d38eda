//! What trailers are made with: keys, who needs a tag, and the tick with all its bits.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_slowpath::FastPath;
use mneme_wire::Tick;

use super::super::control;
use super::Run;

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// A tick that the board's has reached, found without asking it.
    pub(super) fn reached(&self) -> Tick {
        let cycles = self.board.cycles() - self.clock.cycle;
        self.clock.tick.plus((cycles >> self.world.shape.tick_log2) as u32)
    }
    /// The tick goes on to this; it is looked at more often than it goes round.
    pub(super) fn has_come_to(&mut self, tick: Tick) {
        let passed = tick.get().wrapping_sub(self.clock.tick.get()) & 0xff_ffff;
        self.clock.tick = tick;
        self.world.seals.tick += u64::from(passed);
        self.replay.full_tick = self.world.seals.tick;
    }
    /// Other keys and another rule, while nothing is under way.
    pub(super) fn change_trailers(&mut self) {
        self.world.change_trailers(&mut self.rng);
        let (trailer, flags) = self.world.right_trailer();
        self.programs.seal_again(trailer, flags);
        control::write_trailers(self.board, &mut self.replay, &self.world);
    }
}
