//! The commands of a run: replace under load and alone, and what follows from it; damage in the table.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_model::soft::{Page, Replace};
use mneme_slowpath::FastPath;
use mneme_wire::register::{TABLE_LOST, TABLE_PINNED};
use mneme_wire::{Register, ReplaceStatus, pte};
use rand::Rng;

use super::control::{self, Damage};
use super::generate::on_page;
use super::mismatch::Mismatch;
use super::programs::{Programs, random_page};
use super::replay::Replaced;
use super::run::Run;
use super::spoil::pick;

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Some frames to one page, then a command on that page while they are under way, then more frames.
    pub(super) fn command_under_load(&mut self) -> Result<(), Mismatch> {
        let page = self.whole_page();
        let mapped = self.world.mapped.contains(&page);
        let now = self.now();
        if self.world.split.contains(&page) && self.rng.random_bool(0.05) {
            // With nothing under way: an answer does not show whether its bytes are a frame's or a board page's.
            let command = control::random_command(page, mapped, &mut self.rng);
            return self.replace(&command);
        }
        for _ in 0..self.rng.random_range(0..4) {
            self.wait_for_slots()?;
            let sent = on_page(&mut self.world, page, now, &mut self.rng);
            self.send(sent)?;
        }
        let mut command = control::random_command(page, mapped, &mut self.rng);
        if self.world.split.contains(&page) {
            command = control::of_rights(command);
        }
        self.start_replace(&command);
        for _ in 0..self.rng.random_range(0..3) {
            if self.has_slots() {
                let sent = on_page(&mut self.world, page, now, &mut self.rng);
                self.send(sent)?;
            }
        }
        self.finish_replace(&command)
    }

    /// Lets every program that is not waiting ask its next.
    pub(super) fn step_programs(&mut self) -> Result<(), Mismatch> {
        let now = self.now();
        for at in 0..self.programs.len() {
            self.wait_for_slots()?;
            if let Some(sent) = self.programs.next(at, &self.world, now, &mut self.rng) {
                self.send(sent)?;
            }
        }
        Ok(())
    }

    /// Programs alone with the board, for a few of their steps.
    pub(super) fn run_programs(&mut self) -> Result<(), Mismatch> {
        for _ in 0..self.rng.random_range(1..=8) {
            self.step_programs()?;
            let cycles = self.rng.random_range(0..100);
            self.pass(cycles)?;
        }
        Ok(())
    }

    /// Programs go on while a command changes one of their pages.
    pub(super) fn command_on_programs(&mut self) -> Result<(), Mismatch> {
        let page = *pick(&mut self.rng, &self.programs.pages());
        if self.damages.iter().any(|(_, victim)| *victim == Some(page)) {
            return Ok(());
        }
        self.step_programs()?;
        let command = control::harmless_command(page, &mut self.rng);
        self.start_replace(&command);
        self.step_programs()?;
        self.finish_replace(&command)
    }

    /// Two pages for programs, allocated.
    pub(super) fn start_programs(&mut self) -> Result<(), Mismatch> {
        let mut pages = Vec::new();
        for _ in 0..64 {
            let page = random_page(&self.world, &mut self.rng);
            let new = pte::ALLOCATED | pte::READ | pte::WRITE;
            let command = Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new };
            self.replace(&command)?;
            self.world.unmap(page);
            pages.extend(self.replay.model.find_entry(page).is_ok().then_some(page));
            if let [shared, nodes] = pages[..] {
                self.programs = Programs::new(&self.world, shared, nodes, &mut self.rng);
                return Ok(());
            }
        }
        Err(Mismatch::new("no page for programs can be allocated".into()))
    }

    /// A command with nothing else under way.
    pub(super) fn replace(&mut self, command: &Replace) -> Result<(), Mismatch> {
        self.drain()?;
        self.start_replace(command);
        self.finish_replace(command)
    }

    /// Memory takes what a command writes; what is written back meanwhile, too.
    pub(super) fn start_replace(&mut self, command: &Replace) {
        self.board.fail_table(0, 0);
        control::start_replace(self.board, &mut self.replay, command);
    }

    /// Has every entry written that memory did not take, as the slow path does.
    pub(super) fn repair_table(&mut self) -> Result<(), Mismatch> {
        let misses = self.board.read_register(Register::Misses);
        for _ in 0..=misses {
            // The board shows one after the other.
            self.pass(u64::from(misses))?;
            let pinned = self.board.read_register(Register::TablePinned);
            if pinned & TABLE_LOST != 0 {
                return Err(Mismatch::new("the board lost an entry that it could have pinned".into()));
            }
            if pinned & TABLE_PINNED == 0 {
                return Ok(());
            }
            let bucket = u64::from(pinned & !(TABLE_PINNED | TABLE_LOST));
            let geometry = self.world.geometry;
            let pages = self.programs.pages().into_iter().chain(self.world.mapped.iter().copied());
            let concerned: Vec<_> =
                pages.filter(|page| geometry.bucket(page.pid.get(), page.vpn) == bucket).collect();
            for page in concerned {
                self.forget_translation(page)?;
            }
        }
        Err(Mismatch::new("an entry stays pinned though memory takes every write".into()))
    }

    pub(super) fn finish_replace(&mut self, command: &Replace) -> Result<(), Mismatch> {
        for _ in 0..20_000 {
            let result = control::replace_result(self.board);
            self.collect()?;
            if let Some(board) = result {
                self.board.fail_table(self.table_errors, self.most_behind);
                return self.end_replace(command, board);
            }
        }
        Err(Mismatch::new(format!("the replace command never ends: {command:?}")))
    }

    /// The board says that the command has ended. From here on its page may be zeroed and given to others, though answers of
    /// requests from before may still be on their way out.
    fn end_replace(&mut self, command: &Replace, board: Replaced) -> Result<(), Mismatch> {
        let geometry = self.world.geometry;
        let done = board.status == ReplaceStatus::Done;
        if done {
            self.report.replaced.0 += 1
        } else {
            self.report.replaced.1 += 1
        }
        let frees = command.write & !command.new & pte::ALLOCATED != 0 && board.old & pte::VALID != 0;
        // Requests are answered before the page is zeroed; a long queue of tokens may not be, and the model has no page for them yet.
        if self.replay.tokens() > 0 {
            self.settle_page(command.page)?;
        }
        let mut page = (done && frees).then(|| geometry.entry_ppn(board.old) as u32);
        let zeroed = page.take_if(|_| self.may_zero() && self.board.read_register(Register::ZeroSpace) > 0);
        if let Some(page) = zeroed {
            self.board.write_register(Register::ZeroPush, page);
        }
        self.settle_page(command.page)?;
        let model = self.replay.end_replace(board, &geometry)?;
        let model_page = geometry.entry_ppn(model.old) as u32;
        match zeroed {
            Some(_) => control::push_model_zero(&mut self.replay, model_page),
            None => self.pool.extend(page.map(|page| (page, model_page))),
        }
        match self.replay.model.find_entry(command.page) {
            // Nobody else writes to the programs' pages.
            Ok(_) if self.programs.pages().contains(&command.page) => {}
            Ok(_) => self.world.map(command.page),
            Err(_) => self.world.unmap(command.page),
        }
        Ok(())
    }

    /// Waits for the answers of all requests to a page.
    pub(super) fn settle_page(&mut self, page: Page) -> Result<(), Mismatch> {
        for _ in 0..64 {
            if self.replay.outstanding_on(page) == 0 {
                return Ok(());
            }
            self.pass(16)?;
        }
        self.drain()
    }

    /// Wild commands and damage, which only a quiet board can be compared after.
    pub(super) fn wild_or_damaged(&mut self) -> Result<(), Mismatch> {
        let page = self.whole_page();
        match self.rng.random_range(0..10) {
            0..4 => {
                let command = control::wild_command(page, self.world.geometry.ppn_mask(), &mut self.rng);
                self.replace(&command)
            }
            4..7 if self.damages.len() < 3 => self.damage(page),
            _ => self.repair(),
        }
    }

    /// A page for a command. Not one whose entry is damaged: the page would get a second entry beside the damaged one, and
    /// which of them counts would change when that is repaired or freed.
    fn whole_page(&mut self) -> Page {
        loop {
            let anywhere = self.rng.random_bool(0.4);
            let page = if anywhere {
                *pick(&mut self.rng, &self.world.pages)
            } else {
                self.world.page(&mut self.rng)
            };
            if self.damages.iter().all(|(_, victim)| *victim != Some(page)) {
                return page;
            }
        }
    }

    /// Flips a bit of an entry; a second one in the same entry would make its parity even again.
    fn damage(&mut self, page: Page) -> Result<(), Mismatch> {
        let damage = Damage::random(&self.world, page, &mut self.rng);
        if self.damages.iter().any(|(other, _)| other.same_entry(&damage)) {
            return Ok(());
        }
        let victim = damage.victim(&self.replay);
        if let Some(victim) = victim {
            self.forget_translation(victim)?;
        }
        self.drain()?;
        damage.flip(self.board, &mut self.replay);
        self.damages.push((damage, victim));
        Ok(())
    }

    fn repair(&mut self) -> Result<(), Mismatch> {
        let Some((damage, victim)) = self.damages.pop() else { return Ok(()) };
        self.drain()?;
        damage.flip(self.board, &mut self.replay);
        match victim {
            Some(victim) => self.forget_translation(victim),
            None => Ok(()),
        }
    }

    /// A command that changes nothing takes a page out of the TLB.
    fn forget_translation(&mut self, page: Page) -> Result<(), Mismatch> {
        self.replace(&Replace { page, compare: pte::ALLOCATED, expected: pte::ALLOCATED, write: 0, new: 0 })
    }
}
