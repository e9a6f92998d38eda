//! A simulated board whose slow path is another program: it reaches the board through a window of files and sockets that
//! behaves as a device of UIO does (`mneme_window`), and the device block that a real board has ([`device`]).
//!
//! The board knows of its daemon what hardware does: registers that are accessed, or are not. When the daemon dies its rings
//! fill, then the core's, and then the fast path answers BUSY.
pub mod device;

use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use mneme_model::port::{EgressFrame, Mounted, NetworkPort, PortBusy};
use mneme_slowpath::FastPath;
use mneme_window::served::{Access, Served};
use mneme_window::simulated::{Facts, VERSION};
use mneme_window::{Map, WindowError};
use mneme_wire::chain::{CHAIN_BASE, CHAIN_BYTES};
use mneme_wire::device::DEVICE_BASE;
use mneme_wire::leaf::{LEAF_BASE, LEAF_BYTES};
use mneme_wire::register::COUNTER_BASE;
use mneme_wire::roce::{ROCE_BASE, ROCE_BYTES};
use mneme_wire::{ChainRegister, Counter, LeafRegister, Mark, Register, RoceRegister, register};

use crate::Options;
use crate::driven::Driven;
use device::{Asked, Device, RING_ADDRESS, ring_bytes};

/// Cycles between two looks at the window: the slow path looks after the ring about a million times a second.
const LOOK_CYCLES: u64 = 256;
/// Accesses in a row before board time goes on.
const ACCESSES: u32 = 256;
/// After an access the next one is waited for this long: a daemon makes some in a row, and each is a message of its own.
const NEXT: Duration = Duration::from_micros(20);
/// A board that is not at rest, of which nothing has moved for so many cycles, waits for a daemon. More than anything on a board
/// takes.
const STUCK_CYCLES: u64 = 1 << 16;
/// The largest frame beside the largest payload: Ethernet, IPv4, UDP and Mneme headers.
const HEADERS: usize = mneme_wire::frame::MNEME_OFFSET + mneme_wire::HEADER_LEN;

/// A board and its window.
pub struct Windowed<F> {
    fast: F,
    window: Served,
    device: Device<Map>,
    look_at: u64,
    /// Cycles when something moved last.
    moved_at: u64,
}

impl<F: FastPath + NetworkPort + Mounted> Windowed<F> {
    /// Puts a freshly reset board behind a window in a folder. `kind` is what COUNTERS tells; `window` is what the board's clients
    /// need for theirs.
    pub fn new(
        mut fast: F,
        folder: &Path,
        kind: u32,
        options: &Options,
        window: Duration,
    ) -> Result<Windowed<F>, WindowError> {
        let longest = fast.read_register(Register::MaxPayload) as usize + HEADERS;
        let facts = Facts {
            version: VERSION,
            board_kind: kind,
            cycle_ns: options.ns_per_cycle,
            window_ms: u64::try_from(window.as_millis()).unwrap_or(u64::MAX),
            mac: options.mac,
            ip: options.ip,
            port: options.port,
            memory: fast.memory_limit().unwrap_or(1 << fast.read_register(Register::MemBits).min(62)),
            ring_address: RING_ADDRESS,
        };
        let share = |file: &File| fast.share_memory(file);
        let served = Served::create(folder, &facts, ring_bytes(longest), share)?;
        let look_at = fast.cycles();
        let device = Device::new(served.rings()?, longest);
        Ok(Windowed { device, fast, window: served, look_at, moved_at: look_at })
    }

    /// The value of a counter number, of those that the fast path has: counters, high-water marks, buckets of histograms.
    pub fn counter(&mut self, number: u32) -> u64 {
        self.word(number).into()
    }

    fn word(&mut self, number: u32) -> u32 {
        match Counter::from_number(number) {
            Some(counter) => self.fast.read_counter(counter),
            None if Mark::from_number(number).is_some() || register::histogram_index(number).is_some() => {
                self.fast.read_observed(number)
            }
            None => 0,
        }
    }

    fn read(&mut self, offset: u32) -> u32 {
        if offset >= DEVICE_BASE {
            return self.device.read(offset);
        }
        if let Some(word) = within(offset, ROCE_BASE, ROCE_BYTES) {
            return self.fast.read_roce(word);
        }
        if let Some(word) = within(offset, LEAF_BASE, LEAF_BYTES) {
            return self.fast.read_leaf(word);
        }
        if let Some(word) = within(offset, CHAIN_BASE, CHAIN_BYTES) {
            return self.fast.read_chain(word);
        }
        if let Some(register) = Register::from_number(offset) {
            return self.fast.read_register(register);
        }
        offset.checked_sub(COUNTER_BASE).map_or(0, |bytes| self.word(bytes / 4))
    }

    fn write(&mut self, offset: u32, value: u32) {
        if offset >= DEVICE_BASE {
            if self.device.write(offset, value) == Asked::Reset {
                self.fast.reset_core();
            }
        } else if let Some(word) = within(offset, ROCE_BASE, ROCE_BYTES) {
            RoceRegister::from_number(word).into_iter().for_each(|own| self.fast.write_roce(own, value));
        } else if let Some(word) = within(offset, LEAF_BASE, LEAF_BYTES) {
            LeafRegister::from_number(word).into_iter().for_each(|own| self.fast.write_leaf(own, value));
        } else if let Some(word) = within(offset, CHAIN_BASE, CHAIN_BYTES) {
            ChainRegister::from_number(word).into_iter().for_each(|own| self.fast.write_chain(own, value));
        } else if let Some(register) = Register::from_number(offset) {
            self.fast.write_register(register, value);
        }
    }

    /// Serves what a daemon asks for, as long as it asks, and moves frames.
    fn look(&mut self) {
        self.look_at = self.fast.cycles() + LOOK_CYCLES;
        let mut any = self.window.accept();
        let (mut left, mut last) = (ACCESSES, None);
        while left > 0 {
            match self.window.access() {
                Some(Access::Read(offset)) => {
                    let value = self.read(offset);
                    self.window.answer(value);
                }
                Some(Access::Write(offset, value)) => self.write(offset, value),
                None if last.is_some_and(|last: Instant| last.elapsed() < NEXT) => {
                    std::hint::spin_loop();
                    continue;
                }
                None => break,
            }
            (left, last, any) = (left - 1, Some(Instant::now()), true);
        }
        any |= self.device.step(&mut self.fast);
        self.window.interrupt(self.device.interrupt());
        if any {
            self.moved_at = self.fast.cycles();
        }
    }

    fn run_while(&mut self, cycles: u64, goes_on: impl Fn(&Self) -> bool) {
        let end = self.fast.cycles() + cycles;
        loop {
            if self.fast.cycles() >= self.look_at || self.idle() {
                self.look();
            }
            if self.fast.cycles() >= end || !goes_on(self) {
                return;
            }
            let next = if self.idle() { end } else { self.look_at.min(end) };
            self.fast.run(next.saturating_sub(self.fast.cycles()).max(1));
        }
    }
}

/// Where a word is in a block of so many bytes.
fn within(offset: u32, base: u32, bytes: u32) -> Option<u32> {
    offset.checked_sub(base).filter(|own| *own < bytes)
}

impl<F: FastPath + NetworkPort + Mounted> Driven for Windowed<F> {
    type Fast = F;
    fn fast(&mut self) -> &mut F {
        &mut self.fast
    }
    fn submit(&mut self, frame: &[u8]) -> Result<(), PortBusy> {
        self.moved_at = self.fast.cycles();
        self.fast.ingress(frame, false)
    }
    fn poll(&mut self) -> Option<EgressFrame> {
        let frame = self.fast.egress()?;
        self.moved_at = self.fast.cycles();
        Some(frame)
    }
    fn run(&mut self, cycles: u64) {
        self.run_while(cycles, |_| true);
    }
    fn run_to_rest(&mut self, cycles: u64) {
        self.run_while(cycles, |board| !board.fast.rests() || board.device.waits());
    }
    fn idle(&self) -> bool {
        self.fast.quiet() && !self.device.waits()
    }
    fn is_stuck(&self) -> bool {
        !self.idle() && self.fast.cycles() - self.moved_at > STUCK_CYCLES
    }
    fn wait(&self, files: &[BorrowedFd<'_>], at_most: Duration) -> io::Result<bool> {
        self.window.wait(files, at_most)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
