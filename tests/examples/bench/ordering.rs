//! Asynchronous writes to one page beside as many to a page each: what the order of requests costs those that do not depend on each other.
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mneme_clib::driver::{DriverKind, Waiting};
use mneme_clib::{AllocOptions, OpenOptions, Pending, Process, Written};
use mneme_tests::Rig;
use mneme_tests::rig::in_process::{InProcess, Rtl};
use mneme_tests::rig::veth::End;

use crate::Options;
use crate::board::{Board, CLIENT_PROCESSOR, Setup, cable, connect};
use crate::drivers::ways::pin;
use mneme_tests::figures::{Bound, Figures, Goal, Table};
use mneme_tests::statistics::{Mean, interleave};

/// Writes that are made together, and bytes of each.
const WRITES: u64 = 64;
const BYTES: u64 = 64;
/// How much longer writes to one page may take than writes to a page each.
const GOAL: f64 = 1.1;
/// Turns on the RTL, whose time is its own: all are alike but for where its memory refreshes.
const RTL_TURNS: usize = 64;

/// Where the writes go: apart by so many bytes.
#[derive(Debug, Clone, Copy)]
struct Layout {
    name: &'static str,
    stride: u64,
}

fn layouts(page: u64) -> [Layout; 3] {
    [
        Layout { name: "to 64 pages", stride: page },
        Layout { name: "to one page", stride: BYTES },
        Layout { name: "to the same bytes", stride: 0 },
    ]
}

/// Makes the writes and waits for all; the time that takes, by `now`.
fn turn(
    process: &Process,
    base: u64,
    layout: Layout,
    value: u8,
    now: &dyn Fn() -> Duration,
) -> Result<Duration> {
    let began = now();
    let write = |number: u64| {
        process.rwrite_async(base + number * layout.stride, &[value ^ number as u8; BYTES as usize])
    };
    let calls: Vec<Pending<Written>> = (0..WRITES).map(write).collect();
    calls.into_iter().try_for_each(Pending::wait)?;
    let took = now() - began;
    let mut back = [0; BYTES as usize];
    process.rread(base + (WRITES - 1) * layout.stride, &mut back)?;
    ensure!(back == [value ^ (WRITES - 1) as u8; BYTES as usize], "the last write did not win");
    Ok(took)
}

fn memory(process: &Process) -> Result<u64> {
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let page = process.page_size();
    let base = process.ralloc_with(WRITES * page, whole)?;
    // Pages come with the first write, and have nothing to do with what is measured.
    (0..WRITES).try_for_each(|number| process.rwrite(base + number * page, &[0; 8]))?;
    Ok(base)
}

/// Microseconds of a turn for each layout, a sample a round.
fn soft(options: &Options) -> Result<Vec<(Layout, Vec<f64>)>> {
    let veth = cable()?;
    let _board = Board::start(&veth, Setup::default())?;
    veth.at(End::Client, || {
        pin(CLIENT_PROCESSOR);
        let process = connect(DriverKind::Udp, Waiting::Yield)?.open(OpenOptions::default())?;
        let base = memory(&process)?;
        let zero = Instant::now();
        let now = || zero.elapsed();
        let all = interleave(options.rounds(), layouts(process.page_size()), |layout| {
            let (until, mut turns, mut took) = (now() + options.time(), 0u32, Duration::ZERO);
            while now() < until {
                took += turn(&process, base, *layout, turns as u8, &now)?;
                turns += 1;
            }
            Ok(took.as_secs_f64() * 1e6 / f64::from(turns))
        });
        if let Some(reason) = all.iter().find_map(|one| one.failed.as_deref()) {
            anyhow::bail!("{reason}");
        }
        Ok(all.into_iter().map(|one| (one.contestant, one.samples)).collect())
    })
}

fn rtl() -> Result<Vec<(Layout, Vec<f64>)>> {
    let rig = InProcess::<Rtl>::start(mneme_tests::Config::Sim);
    let client = rig.client();
    let process = client.open(OpenOptions::default())?;
    let base = memory(&process)?;
    let now = || client.now();
    // In turns, so that windows and caches are alike for all.
    let all = interleave(RTL_TURNS, layouts(process.page_size()), |layout| {
        Ok(turn(&process, base, *layout, layout.stride as u8, &now)?.as_secs_f64() * 1e6)
    });
    if let Some(reason) = all.iter().find_map(|one| one.failed.as_deref()) {
        anyhow::bail!("{reason}");
    }
    Ok(all.into_iter().map(|one| (one.contestant, one.samples)).collect())
}

pub fn measure(options: &Options) -> Result<Figures> {
    let about = format!(
        "{WRITES} asynchronous writes of {BYTES} bytes, made one by one and awaited together: to a page each, beside each other in one page, and \
         to the same bytes, where each has to wait for the one before; a software board over veth by UDP, {} rounds of {:?}, and the RTL in \
         this process by its own time, {RTL_TURNS} turns",
        options.rounds,
        options.time()
    );
    let mut figures = Figures::new("ordering", about);
    let mut table = Table::new(
        "Writes that depend on each other, and writes that do not",
        &["board", "writes", "µs for all", "against 64 pages"],
    );
    for (board, measured) in [("software", soft(options)?), ("RTL", rtl()?)] {
        let apart = measured[0].1.clone();
        for (layout, samples) in &measured {
            let ratio = Mean::of_ratios(samples, &apart);
            table.rows.push(vec![board.into(), layout.name.into(), Mean::of(samples).into(), ratio.into()]);
            if layout.stride == BYTES {
                let goal = format!("{board}: {WRITES} writes to one page against a page each");
                figures.goals.push(Goal::new(goal, Bound::AtMost(GOAL), "×", ratio));
            }
        }
    }
    figures.tables.push(table);
    Ok(figures)
}
