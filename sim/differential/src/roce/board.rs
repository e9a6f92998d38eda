//! The Verilated board: what a slow path would do for its RoCEv2 port, frames in and out, and a look at its page table and memory.
use std::collections::VecDeque;

use mneme_model::port::NetworkPort;
use mneme_model::soft::{Page, Replace};
use mneme_rdma::memory::MemoryFault;
use mneme_rtl::RtlFast;
use mneme_slowpath::{FastPath, RocePort, RoceRefused};
use mneme_wire::pte::{self, Geometry, PageState};
use mneme_wire::register::{CONTROL_ENABLE, MAT_ROWS, ZERO_ONLY};
use mneme_wire::roce::ROCE_RATE_PERIOD;
use mneme_wire::{Counter, Pid, Register, ReplaceStatus, RoceCounter, RoceRegister, Status};

use super::answers::Answer;
use super::memory::State;
use crate::Mismatch;
use crate::control;
use crate::world::Addresses;

/// Cycles without movement at any port, what memory owes being one: after so many little is under way, after so many
/// hardly anything, and after so many nothing. A list of 64 ranges of pages without frames moves nothing for 1,600 cycles.
const STILL: u64 = 48;
const LONGER: u64 = 128;
const REST: u64 = 2048;
const REST_WITHOUT_LISTS: u64 = 512;
/// Cycles after which is taken what has left, so that there is room for more.
const LOOK: u64 = 1 << 14;
/// Cycles after which a board that goes on moving is at fault.
const PATIENCE: u64 = 2_000_000;
/// Answers of all queue pairs wait no longer than so many cycles, two periods of rates 2,000 times: at the lowest rate one of 4 KB takes 33 of these.
const WAITS: u64 = 2000 * 2 * ROCE_RATE_PERIOD as u64;
/// Frames that are given before the board has taken them.
const AHEAD: usize = 8;
/// Bytes of a beat of the line.
const BEAT: usize = 64;
/// Looks at a register that is to change.
const LOOKS: usize = 1_000_000;

/// What the rows of the away table say, by their numbers.
pub(super) const AWAY: [(MemoryFault, Status); 3] = [
    (MemoryFault::NotReady, Status::Busy),
    (MemoryFault::Failed, Status::MemoryError),
    (MemoryFault::Denied, Status::Moved),
];

/// What [`Board::time`] has seen, in cycles.
pub(super) struct Timed {
    /// From the last beat of the last frame in to the first beat of the first answer out.
    pub first: u64,
    /// To the last beat of the last one.
    pub last: u64,
    /// To that from the time when the first frame might come.
    pub whole: u64,
    /// All that left meanwhile.
    pub answers: Vec<Answer>,
}

/// The board.
pub struct Board<'a> {
    pub(super) fast: &'a mut RtlFast,
    pub(super) geometry: Geometry,
    /// The next physical page that nobody has.
    next_page: u32,
    /// The page that one which was renewed had last.
    spare: Option<u32>,
    /// Nobody gives it lists of pages.
    pub(super) without_lists: bool,
    /// Frames that left as damaged.
    pub(super) damaged: u64,
}

impl<'a> Board<'a> {
    /// Boots it, with so many free pages.
    pub fn boot(fast: &'a mut RtlFast, pages: u32) -> Result<Board<'a>, Mismatch> {
        let geometry = fast.shape().check().map_err(|error| Mismatch::new(error.to_string()))?;
        let own = (geometry.table_pages() + geometry.leaf_pages()) as u32;
        let mut board =
            Board { fast, geometry, next_page: own, spare: None, without_lists: false, damaged: 0 };
        for page in 0..board.next_page {
            board.zero(page | ZERO_ONLY)?;
        }
        board
            .wait("the page table is never zeroed", |fast| fast.read_register(Register::ZeroPending) == 0)?;
        for row in 0..MAT_ROWS as u32 {
            board.fast.write_register(Register::MatCommit, row);
        }
        for (row, (_, status)) in AWAY.into_iter().enumerate() {
            let commit = u32::from(status.number()) << 8 | row as u32;
            for (register, value) in
                [(Register::AwayVaLow, 0), (Register::AwayVaHigh, 0), (Register::AwayCommit, commit)]
            {
                board.fast.write_register(register, value);
            }
        }
        for (register, value) in control::addresses(Addresses::FIRST) {
            board.fast.write_register(register, value);
        }
        board.fast.write_register(Register::Epoch, 1);
        board.fast.write_register(Register::Control, CONTROL_ENABLE);
        board.give_pages(pages)?;
        Ok(board)
    }
    pub(super) fn wait(
        &mut self,
        what: &str,
        mut holds: impl FnMut(&mut RtlFast) -> bool,
    ) -> Result<(), Mismatch> {
        for _ in 0..LOOKS {
            if holds(self.fast) {
                return Ok(());
            }
        }
        Err(Mismatch::new(what.to_owned()))
    }
    fn zero(&mut self, page: u32) -> Result<(), Mismatch> {
        self.wait("the zeroing queue never has room", |fast| fast.read_register(Register::ZeroSpace) > 0)?;
        self.fast.write_register(Register::ZeroPush, page);
        Ok(())
    }
    /// Gives it so many free pages more, and waits until they are zeroed: else first touches might find none.
    pub fn give_pages(&mut self, pages: u32) -> Result<(), Mismatch> {
        for _ in 0..pages {
            self.next_page += 1;
            self.zero(self.next_page - 1)?;
        }
        self.zeroed()
    }
    fn zeroed(&mut self) -> Result<(), Mismatch> {
        self.wait("free pages are never zeroed", |fast| fast.read_register(Register::ZeroPending) == 0)
    }

    /// A page that nobody has, as it is.
    pub fn take_page(&mut self) -> u32 {
        self.next_page += 1;
        self.next_page - 1
    }
    pub(super) fn replace(&mut self, command: &Replace) -> Result<(), Mismatch> {
        for (register, value) in control::words(command) {
            self.fast.write_register(register, value);
        }
        self.fast.write_register(Register::ReplaceGo, 1);
        let mut ended = ReplaceStatus::Running;
        self.wait("a replace command does not end", |fast| {
            let status = fast.read_register(Register::ReplaceStatus);
            ended = ReplaceStatus::from_number(status as u8).unwrap_or(ReplaceStatus::Running);
            ended != ReplaceStatus::Running
        })?;
        match ended {
            ReplaceStatus::Done => Ok(()),
            ended => Err(Mismatch::new(format!("a command on {:?} ends with {ended}", command.page))),
        }
    }
    /// Allocates a page without a physical one.
    pub fn allocate(&mut self, (pid, vpn): (u32, u64), rights: u64) -> Result<(), Mismatch> {
        let page = Page { pid: Pid::from_low_bits(pid), vpn };
        let new = pte::ALLOCATED | rights;
        self.replace(&Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new })
    }
    /// A page goes and is there anew, with another physical one than it had, which the board gets to be zeroed; or which holds something
    /// already, as one that comes back from another tier. What it had holds something else from now on: a translation that stays shows.
    pub(super) fn renew(
        &mut self,
        key: (u32, u64),
        rights: u64,
        holds: Option<&[u8]>,
    ) -> Result<(), Mismatch> {
        let bits = self.geometry.page_bits();
        let entry = self.entry(key)?;
        let old = self.geometry.entry_ppn(entry) as u32;
        self.free(key)?;
        let mut bytes = vec![0; 1 << bits];
        self.fast.read_memory(u64::from(old) << bits, &mut bytes);
        bytes.iter_mut().for_each(|byte| *byte = !*byte);
        self.fast.write_memory(u64::from(old) << bits, &bytes);
        let number = match self.spare.replace(old) {
            Some(spare) => spare,
            None => self.take_page(),
        };
        let Some(holds) = holds else {
            self.allocate(key, rights)?;
            self.zero(number)?;
            return self.zeroed();
        };
        self.bring_in(key, rights, (number, holds))
    }
    /// Allocates a page with a physical one that holds something already.
    pub(super) fn bring_in(
        &mut self,
        (pid, vpn): (u32, u64),
        rights: u64,
        (number, holds): (u32, &[u8]),
    ) -> Result<(), Mismatch> {
        self.fast.write_memory(u64::from(number) << self.geometry.page_bits(), holds);
        let page = Page { pid: Pid::from_low_bits(pid), vpn };
        let new = pte::ALLOCATED | rights | pte::VALID | u64::from(number);
        self.replace(&Replace { page, compare: pte::ALLOCATED, expected: 0, write: u64::MAX, new })
    }
    /// Takes a page away. What it had of memory stays lost.
    pub fn free(&mut self, (pid, vpn): (u32, u64)) -> Result<(), Mismatch> {
        let page = Page { pid: Pid::from_low_bits(pid), vpn };
        let (compare, expected) = (pte::ALLOCATED, pte::ALLOCATED);
        self.replace(&Replace { page, compare, expected, write: u64::MAX, new: 0 })
    }
    /// Changes rights and state of a page.
    pub(super) fn change(
        &mut self,
        (pid, vpn): (u32, u64),
        rights: u64,
        state: State,
        placed: bool,
    ) -> Result<(), Mismatch> {
        let page = Page { pid: Pid::from_low_bits(pid), vpn };
        let (state, row) = match state {
            State::Open => (PageState::Open, 0),
            State::Hold => (PageState::Hold, 0),
            State::Away(fault) => {
                let row = AWAY.iter().position(|(own, _)| *own == fault);
                (PageState::Away, row.unwrap_or_default() as u64)
            }
        };
        // A physical page stays where it is.
        let number = if placed { 0 } else { self.geometry.ppn_mask() };
        let write = pte::READ | pte::WRITE | pte::STATE_MASK | number;
        let new = rights | u64::from(state.number()) << pte::STATE_SHIFT | row;
        self.replace(&Replace { page, compare: pte::ALLOCATED, expected: pte::ALLOCATED, write, new })
    }

    /// Tells the port something.
    pub fn port<T>(
        &mut self,
        tell: impl FnOnce(&mut RocePort<'_, RtlFast>) -> Result<T, RoceRefused>,
    ) -> Result<T, Mismatch> {
        let mut port = RocePort::of(self.fast).ok_or_else(|| Mismatch::new("no RoCEv2 port".into()))?;
        tell(&mut port).map_err(|error| Mismatch::new(error.to_string()))
    }
    /// What the port has counted.
    pub fn counted(&mut self, counter: RoceCounter) -> Result<u64, Mismatch> {
        self.port(|port| Ok(port.counter(counter))).map(u64::from)
    }
    /// Frames that the core itself has dropped at its own ingress.
    pub(super) fn dropped_by_core(&mut self) -> u64 {
        let drops = Counter::ALL.iter().filter(|counter| counter.name().starts_with("DROP_"));
        drops.map(|counter| u64::from(self.fast.read_counter(*counter))).sum()
    }

    /// Lets frames come back to back, `true`: with a check sequence that the MAC finds wrong; and waits until nothing moves. Answers what left.
    pub fn serve(&mut self, frames: &[(Vec<u8>, bool)]) -> Result<Vec<Answer>, Mismatch> {
        let mut waiting: VecDeque<_> = frames.iter().collect();
        let mut left = Vec::new();
        while let Some((frame, bad_fcs)) = waiting.front() {
            if self.fast.ingress(frame, *bad_fcs).is_ok() {
                waiting.pop_front();
                if waiting.is_empty() || !waiting.len().is_multiple_of(AHEAD) {
                    continue;
                }
            }
            self.fast.run_all(64);
            self.collect(&mut left);
        }
        self.settle(STILL, &mut left)?;
        Ok(left)
    }
    /// Lets frames come one by one, one in so many cycles, whatever is under way. Answers what has left meanwhile.
    pub fn pour(&mut self, frames: &[Vec<u8>], cycles: u64) -> Result<Vec<Answer>, Mismatch> {
        let mut left = Vec::new();
        for frame in frames {
            let taken = self.fast.ingress(frame, false);
            taken.map_err(|error| Mismatch::new(format!("a frame is not taken: {error:?}")))?;
            self.fast.run_all(cycles);
            self.collect(&mut left);
        }
        Ok(left)
    }
    /// Lets frames come back to back, until as many answers as are meant have left. What is refused has no time.
    pub(super) fn time(
        &mut self,
        frames: &[Vec<u8>],
        count: usize,
        meant: impl Fn(&Answer) -> bool,
    ) -> Result<Timed, Mismatch> {
        let begin = self.fast.simulated_cycles();
        for frame in frames {
            let taken = self.fast.ingress(frame, false);
            taken.map_err(|error| Mismatch::new(format!("a frame is not taken: {error:?}")))?;
        }
        while !self.fast.taken() {
            self.fast.run_all(1);
        }
        let inside = self.fast.simulated_cycles();
        let (mut first, mut answers) = (None, Vec::new());
        while self.fast.simulated_cycles() < inside + PATIENCE {
            self.fast.run_all(1);
            let (now, seen) = (self.fast.simulated_cycles(), answers.len());
            self.collect(&mut answers);
            if let Some(refusal) = answers[seen..].iter().find(|answer| answer.is_refusal()) {
                return Err(Mismatch::new(format!("refused: {refusal:?}")));
            }
            for answer in answers[seen..].iter().filter(|answer| meant(answer)) {
                // Nothing holds back what leaves: a beat in each cycle.
                first.get_or_insert(now - inside + 1 - answer.0.len().div_ceil(BEAT) as u64);
            }
            let left = answers.iter().filter(|answer| meant(answer)).count();
            if let Some(first) = first.filter(|_| left >= count) {
                return Ok(Timed { first, last: now - inside, whole: now - begin, answers });
            }
        }
        Err(Mismatch::new(format!("{count} answers do not leave within {PATIENCE} cycles")))
    }
    /// Lets so many cycles pass. Answers what has left meanwhile.
    pub fn pass(&mut self, cycles: u64) -> Vec<Answer> {
        let mut left = Vec::new();
        self.fast.run_all(cycles);
        self.collect(&mut left);
        left
    }
    /// Waits for what takes longer than most. Answers what has left meanwhile.
    pub(super) fn linger(&mut self) -> Result<Vec<Answer>, Mismatch> {
        let mut left = Vec::new();
        self.settle(LONGER, &mut left)?;
        Ok(left)
    }
    /// Waits until nothing is under way. Answers what has left meanwhile.
    pub fn rest(&mut self) -> Result<Vec<Answer>, Mismatch> {
        let mut left = Vec::new();
        self.settle(if self.without_lists { REST_WITHOUT_LISTS } else { REST }, &mut left)?;
        Ok(left)
    }
    fn settle(&mut self, still: u64, left: &mut Vec<Answer>) -> Result<(), Mismatch> {
        let (mut waits, mut from) = (LONGER, self.fast.simulated_cycles());
        loop {
            let (settled, before) = (self.fast.settle(still, LOOK), left.len());
            self.collect(left);
            if settled && self.fast.read_roce(RoceRegister::Jobs.number()) == 0 {
                return Ok(());
            }
            // Nothing moves while answers wait for their rate.
            if settled {
                self.fast.run_all(waits);
                self.collect(left);
                waits = (2 * waits).min(2 * u64::from(ROCE_RATE_PERIOD));
            }
            let now = self.fast.simulated_cycles();
            if left.len() > before {
                from = now;
            } else if now > from + if settled { WAITS } else { PATIENCE } {
                return Err(Mismatch::new(format!(
                    "the board does not come to rest in {} cycles",
                    now - from
                )));
            }
        }
    }
    fn collect(&mut self, to: &mut Vec<Answer>) {
        while let Some(frame) = self.fast.egress() {
            self.damaged += u64::from(frame.bad_fcs);
            to.push(Answer(frame.bytes));
        }
    }

    /// The entry of a page in the table.
    fn entry(&mut self, (pid, vpn): (u32, u64)) -> Result<u64, Mismatch> {
        let bucket = self.geometry.bucket(pid, vpn) * pte::BUCKET_BYTES;
        let mut entries = [0; pte::BUCKET_BYTES as usize];
        self.fast.read_memory(bucket, &mut entries);
        let own = entries.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).find(|entry| {
            entry & pte::ALLOCATED != 0 && self.geometry.entry_tag(*entry) == self.geometry.tag(pid, vpn)
        });
        own.ok_or_else(|| Mismatch::new(format!("page {vpn:#x} of {pid:#x} has no entry")))
    }
    /// Whether a page has a physical one.
    pub(super) fn is_placed(&mut self, key: (u32, u64)) -> Result<bool, Mismatch> {
        Ok(self.entry(key)? & pte::VALID != 0)
    }
    /// What lies in a page; `None`: it has no physical one.
    pub fn page(&mut self, key: (u32, u64)) -> Result<Option<Vec<u8>>, Mismatch> {
        let entry = self.entry(key)?;
        if entry & pte::VALID == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; self.geometry.page_size() as usize];
        self.fast.read_memory(self.geometry.entry_ppn(entry) << self.geometry.page_bits(), &mut bytes);
        Ok(Some(bytes))
    }
}
