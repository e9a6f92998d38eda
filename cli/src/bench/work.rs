//! The loops that are measured: as many operations in flight as asked for, each answer checked.
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use mneme_clib::{AllocOptions, Client, Outcome, Pending, Polled, Process};

use super::Verb;
use super::figures::Samples;
use crate::intact::intact;
use crate::interrupt;

/// When a client has done enough.
#[derive(Debug, Clone, Copy)]
pub enum Enough {
    /// After so many operations.
    Operations(u64),
    /// After this time.
    Time(Duration),
}

/// What one client is to do.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    /// Which operation.
    pub verb: Verb,
    /// Bytes of each.
    pub size: usize,
    /// Operations in flight.
    pub depth: usize,
    /// When to stop.
    pub enough: Enough,
    /// Distinguishes this client's data.
    pub client: usize,
}

/// An operation in flight.
struct Flight<K: Outcome> {
    pending: Pending<K>,
    began: Instant,
}

/// Who does a job.
#[derive(Clone, Copy)]
pub struct Worker<'p> {
    pub client: &'p Client,
    pub process: &'p Process,
}

/// Keeps `job.depth` operations in flight, one in each slot. Those that begin at one time leave together. `begin` starts the operation in a slot, `check` looks at its result.
fn drive<K: Outcome>(
    (client, job): (&Client, &Job),
    start: Instant,
    mut begin: impl FnMut(usize) -> Pending<K>,
    mut check: impl FnMut(usize, K::Output) -> Result<()>,
) -> Result<Samples> {
    let mut samples = Samples::new();
    let mut slots: Vec<Option<Flight<K>>> = (0..job.depth).map(|_| None).collect();
    let (mut begun, mut oldest) = (0, 0);
    let more = |begun: u64| match job.enough {
        _ if interrupt::came() => false,
        Enough::Operations(operations) => begun < operations,
        Enough::Time(time) => start.elapsed() < time,
    };
    loop {
        client.corked(|| {
            for (number, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| slot.is_none()) {
                if more(begun) {
                    let began = Instant::now();
                    *slot = Some(Flight { pending: begin(number), began });
                    begun += 1;
                }
            }
        });
        let mut ended = 0;
        // The oldest is waited for when a look at all of them found nothing: this gives the processor away.
        for number in (0..job.depth).map(|n| (oldest + n) % job.depth) {
            let Some(Flight { pending, began }) = slots[number].take() else { continue };
            let polled = if job.depth == 1 { Polled::Ready(pending.wait()) } else { pending.rpoll() };
            match polled {
                Polled::Pending(pending) => slots[number] = Some(Flight { pending, began }),
                Polled::Ready(result) => {
                    let result = result?;
                    samples.add(began.elapsed(), start.elapsed());
                    check(number, result)?;
                    ended += 1;
                }
            }
        }
        oldest = (oldest + 1) % job.depth;
        if ended > 0 {
            continue;
        }
        let Some(number) = (0..job.depth).map(|n| (oldest + n) % job.depth).find(|n| slots[*n].is_some())
        else {
            return Ok(samples);
        };
        if let Some(Flight { pending, began }) = slots[number].take() {
            let result = pending.wait()?;
            samples.add(began.elapsed(), start.elapsed());
            check(number, result)?;
        }
    }
}

/// Bytes that tell client, slot and round apart.
fn pattern(job: &Job, slot: usize, round: u64) -> Vec<u8> {
    let mix = |at: usize| {
        let word = (job.client as u64) << 48
            ^ (slot as u64) << 32
            ^ round
            ^ (at as u64 / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word.wrapping_mul(0xff51_afd7_ed55_8ccd).to_be_bytes()[at % 8]
    };
    (0..job.size).map(mix).collect()
}

/// Memory for all slots, each on pages of its own, since requests that change one page follow each other.
struct Slots {
    base: u64,
    stride: u64,
}

impl Slots {
    fn new(process: &Process, job: &Job) -> Result<Slots> {
        let stride = (job.size as u64).next_multiple_of(process.page_size());
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let base = process.ralloc_with(stride * job.depth as u64, whole);
        let base = base.with_context(|| {
            format!("{} slots of {} bytes, each on pages of its own", job.depth, job.size)
        })?;
        Ok(Slots { base, stride })
    }
    fn va(&self, slot: usize) -> u64 {
        self.base + self.stride * slot as u64
    }
}

/// Does a job and checks its data; frees what it took.
pub fn run(worker: Worker<'_>, job: &Job, wait_for_others: impl FnOnce()) -> Result<Samples> {
    let process = worker.process;
    match job.verb {
        Verb::Alloc => {
            wait_for_others();
            alloc(worker, job)
        }
        _ => {
            let slots = Slots::new(process, job)?;
            for slot in 0..job.depth {
                let first = if job.verb == Verb::Atomic { vec![0; 8] } else { pattern(job, slot, 0) };
                process.rwrite(slots.va(slot), &first)?;
            }
            wait_for_others();
            let samples = match job.verb {
                Verb::Read => read(worker, job, &slots),
                Verb::Write => write(worker, job, &slots),
                Verb::Atomic | Verb::Alloc => atomic(worker, job, &slots),
            }?;
            process.rfree(slots.base)?;
            Ok(samples)
        }
    }
}

fn read(Worker { client, process }: Worker<'_>, job: &Job, slots: &Slots) -> Result<Samples> {
    let expected: Vec<Vec<u8>> = (0..job.depth).map(|slot| pattern(job, slot, 0)).collect();
    let buffers = std::cell::RefCell::new(vec![Some(vec![0; job.size]); job.depth]);
    drive(
        (client, job),
        Instant::now(),
        |slot| {
            let buffer = buffers.borrow_mut()[slot].take().unwrap_or_else(|| vec![0; job.size]);
            process.rread_owned_async(slots.va(slot), buffer)
        },
        |slot, mut bytes| {
            intact!(
                bytes == expected[slot],
                "a read of {} bytes at {:#x} gave other bytes than were written",
                job.size,
                slots.va(slot)
            );
            // A read that did not happen must not find the right bytes.
            bytes.fill(0);
            buffers.borrow_mut()[slot] = Some(bytes);
            Ok(())
        },
    )
}

fn write(Worker { client, process }: Worker<'_>, job: &Job, slots: &Slots) -> Result<Samples> {
    let mut last = vec![0; job.depth];
    let mut round = 0;
    let samples = {
        let last = &mut last;
        drive(
            (client, job),
            Instant::now(),
            |slot| {
                round += 1;
                last[slot] = round;
                process.rwrite_owned_async(slots.va(slot), stamped(job, slot, round))
            },
            |_, _| Ok(()),
        )?
    };
    for (slot, round) in last.into_iter().enumerate().filter(|(_, round)| *round > 0) {
        let mut found = vec![0; job.size];
        process.rread(slots.va(slot), &mut found)?;
        intact!(
            found == stamped(job, slot, round),
            "memory at {:#x} does not hold the last write",
            slots.va(slot)
        );
    }
    Ok(samples)
}

/// The slot's pattern with the round's number in front: cheap to make, and different each time.
fn stamped(job: &Job, slot: usize, round: u64) -> Vec<u8> {
    let mut bytes = vec![slot as u8 ^ 0xa5; job.size];
    let stamp = (round << 8 | job.client as u64 & 0xff).to_le_bytes();
    bytes.iter_mut().zip(stamp).for_each(|(byte, stamp)| *byte = stamp);
    bytes
}

fn atomic(Worker { client, process }: Worker<'_>, job: &Job, slots: &Slots) -> Result<Samples> {
    let mut counted = vec![0; job.depth];
    drive(
        (client, job),
        Instant::now(),
        |slot| process.fetch_add_async(slots.va(slot), 1),
        |slot, old| {
            intact!(
                old == counted[slot],
                "an addition at {:#x} found {old} where {} were done",
                slots.va(slot),
                counted[slot]
            );
            counted[slot] += 1;
            Ok(())
        },
    )
}

fn alloc(Worker { client, process }: Worker<'_>, job: &Job) -> Result<Samples> {
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    drive(
        (client, job),
        Instant::now(),
        |_| process.ralloc_with_async(job.size as u64, whole),
        |_, va| {
            let mut word = [0; 8];
            let length = word.len().min(job.size);
            process.rread(va, &mut word[..length])?;
            intact!(word == [0; 8], "fresh memory at {va:#x} holds {word:02x?}");
            process.rwrite(va, &[0xa5; 8][..length])?;
            Ok(process.rfree(va)?)
        },
    )
}
