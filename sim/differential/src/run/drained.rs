//! The change as the slow path makes it that wants it exact (contracts §3): no frames, REST, the writes, frames again.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_slowpath::FastPath;
use mneme_wire::Register;
use mneme_wire::register::REST_BOARD;
use rand::Rng;

use super::super::control;
use super::super::generate::next_frame;
use super::super::mismatch::Mismatch;
use super::super::world::Addresses;
use super::Run;

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Registers and tables change between what was taken in and what comes next: all of the one is answered by the old values, before REST says
    /// so, and all of the other by the new ones.
    pub(super) fn change_drained(&mut self) -> Result<(), Mismatch> {
        if self.replay.tokens() > 0 {
            // They do not count as frames.
            self.drain()?;
        }
        self.send_some()?;
        while !self.board.taken() {
            self.pass(1)?;
        }
        control::set_control(self.board, &mut self.replay, false, self.exhausted);
        self.send_some()?;
        while !self.board.taken() {
            self.pass(1)?;
        }
        self.await_rest(REST_BOARD, REST_BOARD, "a board that takes nothing in never comes to rest")?;
        self.collect()?;
        // An answer that comes now is one to nothing that was sent.
        self.replay.settle_all()?;
        self.programs.settle();
        self.write_at_rest();
        control::set_control(self.board, &mut self.replay, true, self.exhausted);
        self.send_some()
    }

    fn send_some(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        for _ in 0..self.rng.random_range(0..self.world.shape.packet_slots.min(8)) {
            let sent = next_frame(&mut self.world, now, false, &mut self.rng);
            self.send(sent)?;
        }
        Ok(())
    }

    /// Any shares of the TLB, of its misses and of free pages, of groups of one class or of several. No answer may show of
    /// them, but for those that are over a bound, which is one of few requests or none, and for those that find pages
    /// that are kept for others.
    fn other_shares(&mut self) -> Vec<(Register, u32)> {
        use Register as R;
        // Tokens of a second door are compared in the order of their pages, whatever becomes of them.
        let bounded = !self.world.shape.traffic && self.rng.random_bool(0.5);
        let bounds = if bounded { 0x0303_0303 } else { 0 };
        let waiting = (R::ShareWaiting, self.rng.random::<u32>() & bounds);
        let keeps = !self.world.shape.traffic && self.rng.random_bool(0.5);
        let pages = (R::SharePages, self.rng.random::<u32>() & if keeps { 0x0303_0303 } else { 0 });
        let any = [R::ShareGroups, R::ShareWays, R::ShareMisses, R::ShareCommit];
        [waiting, pages].into_iter().chain(any.map(|register| (register, self.rng.random()))).collect()
    }

    fn write_at_rest(&mut self) {
        let Run { world, rng, .. } = self;
        let mut there = world.board;
        if rng.random_bool(0.5) {
            there = Addresses { mac: rng.random(), ip: rng.random(), port: rng.random_range(1..=u16::MAX) };
            there.mac[0] = 2;
        }
        world.move_board(there);
        let mut writes = control::addresses(there);
        writes.extend(control::mat_table(there.port, rng));
        if rng.random_bool(0.5) {
            writes.extend(control::away_table(rng));
        }
        if rng.random_bool(0.5) {
            writes.extend(control::class_rates(world.rated, rng));
        }
        if rng.random_bool(0.5) {
            writes.push((Register::BusyHint, rng.random()));
        }
        if self.rng.random_bool(0.5) {
            writes.push((Register::Window, self.other_window()));
        }
        writes.extend(self.other_shares());
        control::write_all(self.board, &mut self.replay, &writes);
        self.replay.was_exhausted = self.exhausted;
        self.window_has_changed();
    }
}
