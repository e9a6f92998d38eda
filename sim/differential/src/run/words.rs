//! The register port itself: every register that can be read says what the model says, each of its bytes can be written alone, and where
//! nothing is nothing answers and nothing is kept.
use mneme_model::port::{BadMemory, NetworkPort, RegisterPort};
use mneme_model::soft::{BoardShape, CLASSES};
use mneme_slowpath::FastPath;
use mneme_wire::chain::{CHAIN_BASE, CHAIN_BYTES, CHAIN_COUNTERS};
use mneme_wire::leaf::{LEAF_BASE, LEAF_BYTES, LEAF_COUNTERS};
use mneme_wire::register::{
    AWAY_ROWS, COUNTER_BASE, MAT_ROWS, REST_EPOCH, TABLE_LOST, TABLE_PINNED, histogram_index,
};
use mneme_wire::roce::{ROCE_BASE, ROCE_BYTES, ROCE_COUNTERS, ROCE_MAGIC};
use mneme_wire::trailer::upper;
use mneme_wire::{
    ChainCounter, ChainRegister, Counter, LeafCounter, LeafRegister, Mark, Register, RoceCounter,
    RoceRegister, Tick,
};
use rand::Rng;

use super::super::control;
use super::super::mismatch::Mismatch;
use super::Run;

/// Cycles that an answer waits until it is taken, and that address and data of a write come late, at most one less.
const LATE: u32 = 4;
/// Words in which nothing is, read and written at a time.
const HOLES: usize = 4;
/// Words of the register block.
const WORDS: u32 = 1024;
/// Bits of a window that may be set (contracts §3).
const WINDOW_BITS: u32 = (1 << 22) - 1;

/// Registers that keep what is written to them, and may hold anything while no frame comes.
const KEPT: &[Register] = &[
    Register::Control,
    Register::Epoch,
    Register::Window,
    Register::MacLow,
    Register::MacHigh,
    Register::Ip,
    Register::UdpPort,
    Register::BusyHint,
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
    Register::MatValue0,
    Register::MatValue1,
    Register::MatMask0,
    Register::MatMask1,
    Register::AwayVaLow,
    Register::AwayVaHigh,
    Register::DoorWeights,
    Register::ClassRate,
    Register::ShareGroups,
    Register::ShareWays,
    Register::SharePages,
];

/// The same of boards whose misses wait in lists.
const OF_LISTS: &[Register] = &[Register::ShareMisses, Register::ShareWaiting];

/// The same of boards with trailers. What keeps a key is never read.
const OF_TRAILERS: &[Register] = &[Register::TagMode, Register::TagPhases];

/// Registers that are read alone, beside those of the build: a write does nothing.
const READ_ONLY: &[Register] = &[
    Register::Tick,
    Register::AsyncLevel,
    Register::ZeroSpace,
    Register::ZeroPending,
    Register::ReplaceStatus,
    Register::ReplaceOldLow,
    Register::ReplaceOldHigh,
    Register::Rest,
    // A write shows another entry, if there are any.
    Register::TablePinned,
];

/// Whether a word belongs to nothing on a board, with a RoCEv2 port, a leaf unit and chains, or without.
fn is_hole(offset: u32, [rdma, leaf, chains]: [bool; 3]) -> bool {
    let number = offset.checked_sub(COUNTER_BASE).map(|bytes| bytes / 4);
    let counts = number.is_some_and(|number| {
        Counter::from_number(number).is_some()
            || Mark::from_number(number).is_some()
            || histogram_index(number).is_some()
    });
    let other = (rdma && ROCE.has(offset)) || (leaf && LEAF.has(offset)) || (chains && CHAINS.has(offset));
    Register::from_number(offset).is_none() && !counts && !other
}

/// A block of words that the model does not have, or that read 0 in it, too.
struct Block {
    base: u32,
    bytes: u32,
    /// Where its counters begin.
    counters: u32,
    is_register: fn(u32) -> bool,
    is_counter: fn(u32) -> bool,
}

const LEAF: Block = Block {
    base: LEAF_BASE,
    bytes: LEAF_BYTES,
    counters: LEAF_COUNTERS,
    is_register: |within| LeafRegister::from_number(within).is_some(),
    is_counter: |number| LeafCounter::from_number(number).is_some(),
};
const ROCE: Block = Block {
    base: ROCE_BASE,
    bytes: ROCE_BYTES,
    counters: ROCE_COUNTERS,
    is_register: |within| RoceRegister::from_number(within).is_some(),
    is_counter: |number| RoceCounter::from_number(number).is_some(),
};
const CHAINS: Block = Block {
    base: CHAIN_BASE,
    bytes: CHAIN_BYTES,
    counters: CHAIN_COUNTERS,
    is_register: |within| ChainRegister::from_number(within).is_some(),
    is_counter: |number| ChainCounter::from_number(number).is_some(),
};

impl Block {
    fn has(&self, offset: u32) -> bool {
        let within = offset.checked_sub(self.base).filter(|within| *within < self.bytes);
        within.is_some_and(|within| {
            let counter = within.checked_sub(self.counters).map(|bytes| bytes / 4);
            (self.is_register)(within) || counter.is_some_and(self.is_counter)
        })
    }
}

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    fn read_word(&mut self, register: Register) -> u32 {
        let late = self.rng.random_range(0..LATE);
        self.board.read_word(register.number(), late)
    }

    /// The board is at rest: its registers are the model's.
    pub(super) fn read_back(&mut self) -> Result<(), Mismatch> {
        if self.world.shape.trailers {
            self.now();
            self.replay.model.tick_high = upper(self.replay.full_tick);
        }
        for register in Register::ALL {
            let board = self.read_word(*register);
            self.is_sound(*register, board)?;
        }
        let scrubbed = self.board.read_counter(Counter::FilterScrubbed);
        let inserted = self.board.read_counter(Counter::FilterInsert);
        let entries = self.world.shape.filter_entries() as u32;
        // The model frees nothing by itself.
        if scrubbed > inserted || (scrubbed != 0 && inserted - scrubbed > entries) {
            let what = format!("{scrubbed} of {inserted} entries of the filter freed, which has {entries}");
            return Err(Mismatch::new(what));
        }
        self.are_zeroed()?;
        self.read_roce()?;
        self.read_holes()
    }

    /// No frame of these runs is for the RoCEv2 port, and nobody gives it a command: it is there, and has done nothing.
    fn read_roce(&mut self) -> Result<(), Mismatch> {
        if !self.world.shape.rdma {
            return Ok(());
        }
        let counters =
            RoceCounter::ALL.iter().map(|counter| (counter.name(), ROCE_COUNTERS + 4 * counter.number(), 0));
        let magic = ("ROCE_MAGIC", RoceRegister::Magic.number(), ROCE_MAGIC);
        let jobs = ("ROCE_JOBS", RoceRegister::Jobs.number(), 0);
        for (name, within, expected) in counters.chain([magic, jobs]) {
            let word = self.board.read_word(ROCE_BASE + within, 0);
            if word != expected {
                return Err(Mismatch::new(format!(
                    "{name} of the RoCEv2 port: {word:#010x}, not {expected:#010x}"
                )));
            }
        }
        Ok(())
    }

    /// Pages to zero are zeroed, or pending: the model zeroes at once.
    fn are_zeroed(&mut self) -> Result<(), Mismatch> {
        let [zeroed, pending] = [Counter::ZeroPages.offset(), Register::ZeroPending.number()]
            .map(|at| self.board.read_word(at, 0));
        let model = self.replay.model.counters.get(Counter::ZeroPages);
        if zeroed > model || model - zeroed > pending {
            let what = format!("{zeroed} pages zeroed and {pending} pending, the model has zeroed {model}");
            return Err(Mismatch::new(what));
        }
        Ok(())
    }

    fn is_sound(&mut self, register: Register, board: u32) -> Result<(), Mismatch> {
        use Register as R;
        let model = self.replay.model.read_register(register);
        let ppn = self.world.geometry.ppn_mask();
        let sound = match register {
            // Read a few cycles ago.
            R::Tick => {
                let since = Tick::from_low_bits(board).since(self.reached());
                board >> 24 == 0 && (-2..=2).contains(&since)
            }
            // Read a few cycles later, too.
            R::TickHigh | R::TickTop if self.world.shape.trailers => board.wrapping_sub(model) <= 1,
            // The model has neither.
            R::TlbWays => self.world.shape.tlb_entries.is_multiple_of(board.max(1) as usize),
            R::Misses => board == *self.misses.get_or_insert(board),
            // The model zeroes at once. Together with what is pending: `compare::memory`.
            R::AsyncLevel => board as usize <= self.world.shape.async_depth,
            R::ZeroPending | R::ZeroSpace => {
                let depth = self.world.shape.zero_queue_depth as u32;
                let space = self.board.read_register(R::ZeroSpace);
                let pending = self.board.read_register(R::ZeroPending);
                // One may lie behind the queue, and wait for a place in the async buffer.
                space <= depth && (depth..=depth + 1).contains(&(space + pending))
            }
            R::TablePinned => board & TABLE_LOST == 0 && (self.table_errors > 0 || board & TABLE_PINNED == 0),
            // Each has its own physical pages. What a command found is compared when it ends.
            R::ReplaceOldLow | R::ReplaceOldHigh => true,
            R::ReplaceNewLow => (board ^ model) & !ppn as u32 == 0,
            R::ReplaceNewHigh => (board ^ model) & (!ppn >> 32) as u32 == 0,
            _ => board == model,
        };
        if sound {
            return Ok(());
        }
        Err(Mismatch::new(format!("register {register}: board {board:#010x}, model {model:#010x}")))
    }

    fn read_holes(&mut self) -> Result<(), Mismatch> {
        for _ in 0..HOLES {
            let offset = self.hole();
            let late = self.rng.random_range(0..LATE);
            let word = self.board.read_word(offset, late);
            if word != 0 {
                return Err(Mismatch::new(format!("nothing is at {offset:#05x}, and it reads {word:#010x}")));
            }
        }
        Ok(())
    }
    fn hole(&mut self) -> u32 {
        let BoardShape { rdma, leaf, chains, .. } = self.world.shape;
        loop {
            let offset = 4 * self.rng.random_range(0..WORDS);
            if is_hole(offset, [rdma, leaf, chains]) {
                return offset;
            }
        }
    }

    /// Writes bytes of every register, which the board keeps and nobody else sees, since no frame comes; then all is as it was. What does
    /// nothing is written, too.
    pub(super) fn write_bytes(&mut self) -> Result<(), Mismatch> {
        let of_trailers = if self.world.shape.trailers { OF_TRAILERS } else { &[] };
        let of_lists = if self.world.shape.waiting_lists { OF_LISTS } else { &[] };
        for register in KEPT.iter().chain(of_trailers).chain(of_lists) {
            let before = self.replay.model.registers.get(*register);
            // The halves of a new entry hold pages of their own.
            let whole = self.value_of(*register, before);
            self.keep(*register, whole, 0xf)?;
            // Each byte is once among those that are written, and once among the others.
            let strobes = self.rng.random_range(0..16);
            for strobes in [strobes, !strobes & 0xf] {
                let part = self.value_of(*register, before);
                self.keep(*register, part, strobes)?;
                let (board, model) = (self.read_word(*register), self.replay.model.read_register(*register));
                if board != model {
                    let what = format!("register {register}, bytes {strobes:#06b} of {part:#010x} written");
                    return Err(Mismatch::new(format!("{what}: board {board:#010x}, model {model:#010x}")));
                }
            }
            self.keep(*register, before, 0xf)?;
        }
        let read_only = Register::BUILD.iter().chain(READ_ONLY).map(|register| register.number());
        let dead = (0..HOLES).map(|_| self.hole()).chain(read_only);
        for offset in dead.collect::<Vec<_>>() {
            let (value, strobes) = (self.rng.random(), self.rng.random_range(0..16));
            self.write_late(offset, value, strobes);
        }
        self.write_missing_rows();
        self.read_back()
    }

    fn value_of(&mut self, register: Register, before: u32) -> u32 {
        let value = self.rng.random();
        match register {
            // What a shorter one let the filter forget would be missed afterwards.
            Register::Window => value & WINDOW_BITS | before,
            _ => value,
        }
    }
    fn write_late(&mut self, offset: u32, value: u32, strobes: u8) {
        let late = [(); 3].map(|()| self.rng.random_range(0..LATE));
        self.board.write_bytes(offset, value, strobes, late);
    }
    /// Writes bytes of a register of both.
    fn keep(&mut self, register: Register, value: u32, strobes: u8) -> Result<(), Mismatch> {
        let bytes = (0..4).filter(|byte| strobes >> byte & 1 == 1);
        let mask = bytes.fold(0, |mask, byte| mask | 0xff << (8 * byte));
        let before = self.replay.model.registers.get(register);
        self.write_late(register.number(), value, strobes);
        self.replay.model.write_register(register, before & !mask | value & mask);
        if register == Register::Epoch {
            self.await_rest(REST_EPOCH, 0, "an epoch never takes effect")?;
        }
        Ok(())
    }

    /// Rows of numbers that no row has: whatever comes later is judged by the others, as before.
    fn write_missing_rows(&mut self) {
        let mat = self.rng.random_range(MAT_ROWS as u32..=0xff);
        let away = self.rng.random_range(AWAY_ROWS as u32..=0xff);
        let class = self.rng.random_range(CLASSES as u32..=0xff);
        let writes = vec![
            (Register::ClassRate, 0x0001_0001),
            (Register::ClassCommit, class),
            (Register::MatMask0, 0),
            (Register::MatMask1, 0),
            (Register::MatCommit, 1 << 16 | mat),
            (Register::AwayVaLow, self.rng.random()),
            (Register::AwayCommit, 0x1f00 | away),
        ];
        control::write_all(self.board, &mut self.replay, &writes);
    }
}
