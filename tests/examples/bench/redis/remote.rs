//! Reads through CLib.
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mneme_clib::driver::{DriverKind, Waiting};
use mneme_clib::{AllocOptions, OpenOptions, Process};
use mneme_tests::rig::veth::{End, Veth};

use super::{Load, Reader, Refill, SIZES, VALUES, value};
use crate::board::{Board, CLIENT_PROCESSOR, Setup, connect};
use crate::drivers::ways::pin;
use mneme_tests::meter::{Meter, Run};

/// Calls that share the values of a window: one comes while the other is under way, and a packet carries many of either.
const CALLS: usize = 2;

/// Runs `work` with a board behind a driver, for packets of up to `mtu` bytes.
pub fn with<R: Send>(
    (veth, mtu): (&Veth, usize),
    driver: DriverKind,
    work: impl FnOnce(&mut dyn Reader) -> Result<R> + Send,
) -> Result<R> {
    let _board = Board::start(veth, Setup { driver, waiting: Waiting::Spin, mtu, ..Setup::default() })?;
    veth.at(End::Client, || {
        pin(CLIENT_PROCESSOR);
        let process = connect(driver, Waiting::Spin)?.open(OpenOptions::default())?;
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let largest = SIZES.iter().max().copied().unwrap_or_default();
        let base = process.ralloc_with((VALUES * largest) as u64, whole)?;
        work(&mut Remote { process, base })
    })
}

struct Remote {
    process: Process,
    base: u64,
}

impl Reader for Remote {
    fn read(&mut self, Load { size, depth, refill }: Load, time: Duration) -> Result<Run> {
        let values: Vec<Vec<u8>> = (0..VALUES).map(|number| value(number, size)).collect();
        for (number, value) in values.iter().enumerate() {
            self.process.rwrite(self.va(number, size), value)?;
        }
        match refill {
            _ if depth == 1 => self.one_by_one(&values, time),
            Refill::Pipeline => self.together(&values, depth, 1, time),
            Refill::Window => self.together(&values, depth, CALLS, time),
        }
    }
}

impl Remote {
    fn va(&self, number: usize, size: usize) -> u64 {
        self.base + (number * size) as u64
    }
    fn one_by_one(&self, values: &[Vec<u8>], time: Duration) -> Result<Run> {
        let (mut meter, mut into) = (Meter::new(time), vec![0; values[0].len()]);
        let mut began = Instant::now();
        for (number, value) in values.iter().enumerate().cycle() {
            self.process.rread(self.va(number, value.len()), &mut into)?;
            check(value, &mut into)?;
            let now = Instant::now();
            meter.ended(began, now);
            if meter.is_over(now) {
                break;
            }
            began = now;
        }
        Ok(meter.run())
    }
    /// Shares the values outstanding among so many calls, each of which is followed by the next one at once.
    fn together(&self, values: &[Vec<u8>], depth: usize, calls: usize, time: Duration) -> Result<Run> {
        let size = values[0].len();
        let places: Vec<(u64, usize)> = (0..depth).map(|at| (self.va(at % VALUES, size), size)).collect();
        let begin = |now, ranges, buffer| (now, ranges, self.process.rread_batch_owned_async(ranges, buffer));
        let (mut meter, mut spare) = (Meter::new(time), Vec::new());
        let shares = places.chunks(depth.div_ceil(calls));
        let mut calls: VecDeque<_> = shares.map(|ranges| begin(Instant::now(), ranges, Vec::new())).collect();
        while let Some((began, ranges, call)) = calls.pop_front() {
            let mut read = call.wait()?;
            let now = Instant::now();
            if !meter.is_over(now) {
                calls.push_back(begin(now, ranges, spare));
            }
            for ((va, _), read) in ranges.iter().zip(read.chunks_mut(size)) {
                check(&values[(va - self.base) as usize / size], read)?;
                meter.ended(began, now);
            }
            spare = read;
        }
        Ok(meter.run())
    }
}

/// Whether a read brought what was written. A read that does not happen must not find the right bytes afterwards.
fn check(value: &[u8], read: &mut [u8]) -> Result<()> {
    ensure!(value == read, "a read gave other bytes than were written");
    read[..8].fill(0);
    Ok(())
}
