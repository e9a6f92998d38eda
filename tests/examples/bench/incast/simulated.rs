//! An incast in virtual time: the same in every run.
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use mneme_clib::{
    AllocOptions, Client, ClientOptions, OpenOptions, Pending, Polled, Process, TransportConfig, Written,
};
use mneme_model::{BoardShape, SoftFast};
use mneme_world::driver::{Shared, WorldDriver, lock};
use mneme_world::network::World;

use super::{BYTES, DEPTH, Incast};
use mneme_tests::meter::latencies;

/// Decides whatever is drawn.
const SEED: u64 = 1;
/// A page for each write under way of the largest crowd, and the table.
const MEMORY: u64 = 1 << 30;
/// Nanoseconds of virtual time between two looks of every client at its writes.
const ROUND: u64 = 2_000;
/// Nanoseconds until windows have found their size, and for which is measured from there.
const SETTLES: u64 = 5_000_000;
const MEASURED: u64 = 10_000_000;
/// Nanoseconds between two looks at the windows.
const LOOK: u64 = 50_000;
const PORT: u16 = 50_000;

/// A client, its process, and where it writes.
struct Member {
    client: Client,
    process: Process,
    base: u64,
}

impl Member {
    fn new(world: &Shared<SoftFast>, number: usize) -> Result<Member> {
        let host = lock(world).add_host();
        let driver = WorldDriver::new(world, host, PORT, 0);
        let options = ClientOptions {
            transport: TransportConfig::board_time(),
            seed: Some(SEED + number as u64),
            ..ClientOptions::default()
        };
        let client = Client::connect(driver, options)?;
        let process = client.open(OpenOptions::default())?;
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let base = process.ralloc_with(DEPTH as u64 * process.page_size(), whole)?;
        let member = Member { client, process, base };
        // Pages come with the first write, and have nothing to do with what is measured.
        (0..DEPTH).try_for_each(|slot| member.process.rwrite(member.va(slot), &[0; BYTES]))?;
        Ok(member)
    }
    /// Writes of one page follow each other, so each has a page of its own.
    fn va(&self, slot: usize) -> u64 {
        self.base + slot as u64 * self.process.page_size()
    }
}

/// A write under way, and when it began.
type Flight = Option<(Pending<Written>, u64)>;

pub fn run(clients: usize) -> Result<Incast> {
    let shape = BoardShape::DAEMON.with_memory(MEMORY)?;
    let board = Box::new(move |_| SoftFast::new(shape).expect("a kept shape with more memory"));
    let world = Arc::new(Mutex::new(World::new(SEED, 1, 0, (board, Box::new(|_| {})))?));
    let members = (0..clients).map(|number| Member::new(&world, number)).collect::<Result<Vec<_>>>()?;
    let mut flights: Vec<[Flight; DEPTH]> = members.iter().map(|_| Default::default()).collect();
    let began = lock(&world).now();
    let before = lock(&world).overflowed;
    let mut settled = before;
    let (from, until) = (began + SETTLES, began + SETTLES + MEASURED);
    let mut incast = Incast {
        done: vec![0; clients],
        time: Duration::from_nanos(MEASURED),
        latency: latencies(),
        lost: 0,
        lost_before: 0,
        failed: 0,
        windows: Vec::new(),
    };
    let (mut now, mut look) = (began, began);
    while now < until {
        if now < from {
            settled = lock(&world).overflowed;
        }
        for ((member, flights), done) in members.iter().zip(&mut flights).zip(&mut incast.done) {
            for (slot, flight) in flights.iter_mut().enumerate() {
                match turn(member, slot, flight, now) {
                    Ended::Not => {}
                    Ended::Failed => incast.failed += 1,
                    Ended::Done(began) if now >= from => {
                        *done += 1;
                        incast.latency.saturating_record(now - began);
                    }
                    Ended::Done(_) => {}
                }
            }
        }
        if now >= look {
            let windows = members.iter().map(|member| member.client.congestion_window());
            incast.windows.push((Duration::from_nanos(now - began), windows.collect()));
            look += LOOK;
        }
        let mut world = lock(&world);
        let next = world.now().max(now) + ROUND;
        world.pass(next, None);
        now = world.now();
    }
    incast.lost = lock(&world).overflowed - settled;
    incast.lost_before = settled - before;
    Ok(incast)
}

/// How a slot's write stands.
enum Ended {
    Not,
    /// It had begun at this time.
    Done(u64),
    Failed,
}

/// Looks at a slot: takes a write that has ended, and begins the next one.
fn turn(member: &Member, slot: usize, flight: &mut Flight, now: u64) -> Ended {
    let ended = match flight.take() {
        None => Ended::Not,
        Some((call, began)) => match call.rpoll() {
            Polled::Pending(call) => {
                *flight = Some((call, began));
                return Ended::Not;
            }
            Polled::Ready(Ok(())) => Ended::Done(began),
            Polled::Ready(Err(_)) => Ended::Failed,
        },
    };
    *flight = Some((member.process.rwrite_async(member.va(slot), &[slot as u8; BYTES]), now));
    ended
}
