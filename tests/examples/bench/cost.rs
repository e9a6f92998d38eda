//! CLib's own cost per operation: from issue to completion, against a driver that answers at once. The driver's part (it
//! looks at the clock, parses the request, copies the payload) is within the figures.
//!
//! Percentiles, not means, so that a busy machine's pauses do not count as the client's. That nothing is allocated on the way
//! is a test: `clib/tests/allocations.rs`.
#[path = "../../../clib/tests/support/prompt.rs"]
mod prompt;

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use hdrhistogram::Histogram;
use mneme_clib::{AllocOptions, Client, Driver, Integrity, OpenOptions, Process};
use mneme_wire::{HEADER_LEN, Opcode, Pid, Request, Tick, Trailer, Va};
use prompt::Prompt;

use crate::Options;
use mneme_tests::figures::{Axis, Bound, Figures, Goal, Plot, Series, Table};
use mneme_tests::statistics::{Mean, Samples, interleave};

/// Operations between two looks at the clock, which cost as much as a tenth of an operation.
const BATCH: u32 = 8;
const SAMPLES: u32 = 20_000;
/// Nanoseconds that half of all operations may take.
const GOAL: f64 = 250.0;
/// And that trailers may add.
const GOAL_OF_TRAILERS: f64 = 120.0;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// The driver: what is not the client's.
    Driver,
    Read(usize),
    Write(usize),
    FetchAdd,
    ReadAsync(usize),
    WriteAsync(usize),
    FetchAddAsync,
    /// 64 bytes, with trailers.
    DriverSealed(Integrity),
    ReadSealed(Integrity),
    WriteSealed(Integrity),
}

impl What {
    const ALL: [What; 18] = [
        What::Driver,
        What::Read(8),
        What::Read(64),
        What::Read(1024),
        What::Write(8),
        What::Write(64),
        What::Write(1024),
        What::FetchAdd,
        What::ReadAsync(64),
        What::WriteAsync(64),
        What::WriteAsync(1024),
        What::FetchAddAsync,
        What::DriverSealed(Integrity::Crc32c),
        What::ReadSealed(Integrity::Crc32c),
        What::WriteSealed(Integrity::Crc32c),
        What::DriverSealed(Integrity::Tag),
        What::ReadSealed(Integrity::Tag),
        What::WriteSealed(Integrity::Tag),
    ];
    fn name(self) -> String {
        match self {
            What::Driver => "the driver alone".into(),
            What::Read(bytes) => format!("rread, {bytes} B"),
            What::Write(bytes) => format!("rwrite, {bytes} B"),
            What::FetchAdd => "fetch_add".into(),
            What::ReadAsync(bytes) => format!("rread_async and wait, {bytes} B"),
            What::WriteAsync(bytes) => format!("rwrite_async and wait, {bytes} B"),
            What::FetchAddAsync => "fetch_add_async and wait".into(),
            What::DriverSealed(with) => format!("the driver alone, which seals its answers, {with}"),
            What::ReadSealed(with) => format!("rread, 64 B, {with}"),
            What::WriteSealed(with) => format!("rwrite, 64 B, {with}"),
        }
    }
    fn integrity(self) -> Integrity {
        match self {
            What::DriverSealed(with) | What::ReadSealed(with) | What::WriteSealed(with) => with,
            _ => Integrity::None,
        }
    }
    /// Nanoseconds that half of all operations may take; none: it is not the client's.
    fn goal(self) -> Option<f64> {
        match self {
            What::Driver | What::DriverSealed(_) => None,
            What::ReadSealed(_) | What::WriteSealed(_) => Some(GOAL + GOAL_OF_TRAILERS),
            _ => Some(GOAL),
        }
    }
    /// More lines than colours would tell nobody anything.
    fn is_drawn(self) -> bool {
        use What::*;
        matches!(
            self,
            Driver | Read(64) | Write(64) | FetchAdd | ReadAsync(64) | WriteAsync(64) | FetchAddAsync
        )
    }
    fn measure(self) -> Result<Histogram<u64>> {
        let (process, va) = process(self.integrity())?;
        let (from, mut into) = (vec![7; 1024], vec![0; 1024]);
        Ok(match self {
            What::Driver | What::DriverSealed(_) => driver(self.integrity()),
            What::ReadSealed(_) => sample(|| process.rread(black_box(va), &mut into[..64]).is_ok()),
            What::WriteSealed(_) => sample(|| process.rwrite(black_box(va), &from[..64]).is_ok()),
            What::Read(bytes) => sample(|| process.rread(black_box(va), &mut into[..bytes]).is_ok()),
            What::Write(bytes) => sample(|| process.rwrite(black_box(va), &from[..bytes]).is_ok()),
            What::FetchAdd => sample(|| process.fetch_add(va, 1).is_ok()),
            What::ReadAsync(bytes) => sample(|| process.rread_async(va, &mut into[..bytes]).wait().is_ok()),
            What::WriteAsync(bytes) => sample(|| process.rwrite_async(va, &from[..bytes]).wait().is_ok()),
            What::FetchAddAsync => sample(|| process.fetch_add_async(va, 1).wait().is_ok()),
        })
    }
}

/// Nanoseconds of one operation, in tenths; a tenth of a second counts as the longest.
fn sample(mut operation: impl FnMut() -> bool) -> Histogram<u64> {
    let mut histogram = Histogram::new_with_bounds(1, 1_000_000_000, 3).expect("constant bounds are valid");
    for sample in 0..SAMPLES + SAMPLES / 10 {
        let began = Instant::now();
        let all = (0..BATCH).all(|_| operation());
        let took = began.elapsed().as_nanos() as u64 * 10 / u64::from(BATCH);
        assert!(all, "the driver answers every operation OK");
        // The first tenth warms up.
        if sample >= SAMPLES / 10 {
            histogram.saturating_record(took);
        }
    }
    histogram
}

fn process(integrity: Integrity) -> Result<(Process, u64)> {
    let client = Client::connect(Prompt::timed(), prompt::sealed(integrity))?;
    let process = client.open(OpenOptions::default())?;
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(1 << 22, whole)?;
    Ok((process, va))
}

fn driver(integrity: Integrity) -> Histogram<u64> {
    let mut driver = Prompt::timed();
    let trailer = match integrity {
        Integrity::None => Trailer::None,
        Integrity::Crc32c => Trailer::Crc32c,
        Integrity::Tag => Trailer::Tag,
    };
    let request = Request {
        trailer,
        key_phase: false,
        timed: false,
        opcode: Opcode::Read,
        epoch: 1,
        pid: Pid::from_low_bits(1),
        op_id: 1,
        attempt: 0,
        time: Tick::default(),
        va: Va::from_low_bits(1 << 18),
        length: 64,
    };
    sample(|| {
        let sent = driver.send(HEADER_LEN + trailer.bytes(), &mut |frame| {
            frame[..HEADER_LEN].copy_from_slice(&request.to_bytes());
        });
        let came = driver.receive(std::time::Duration::ZERO, &mut |_, datagram| {
            black_box(datagram[0]);
        });
        sent.is_ok() && came.is_ok() && !driver.now().is_zero()
    })
}

/// A share of a round's operations took no longer than so many nanoseconds.
fn at(samples: &Samples<What, Histogram<u64>>, share: f64) -> Option<Mean> {
    let values = samples.samples.iter().map(|histogram| histogram.value_at_quantile(share) as f64 / 10.0);
    Mean::of(&values.collect::<Vec<_>>())
}

pub fn measure(options: &Options) -> Result<Figures> {
    let about = format!(
        "from issue to completion against a driver that answers at once, the driver's part included; means of {} rounds' \
         percentiles over {} operations each",
        options.rounds,
        SAMPLES * BATCH
    );
    let mut figures = Figures::new("cost", about);
    let all = interleave(options.rounds(), What::ALL, |what| what.measure());
    let columns = ["operation", "p50 ns", "p90 ns", "p99 ns"];
    let mut table = Table::new("CLib's own cost of an operation", &columns);
    let mut plot = Plot {
        title: "CLib's own cost of an operation".into(),
        x: Axis::linear("ns"),
        y: Axis::linear("share of operations that took no longer"),
        series: Vec::new(),
    };
    for samples in &all {
        let name = samples.contestant.name();
        let quantiles = [0.5, 0.9, 0.99].map(|share| at(samples, share).into());
        table.rows.push([name.clone().into()].into_iter().chain(quantiles).collect());
        let shares = (1..=95).step_by(2).map(|percent| f64::from(percent) / 100.0);
        let points = shares.filter_map(|share| Some((at(samples, share)?.mean, share)));
        if samples.contestant.is_drawn() {
            plot.series.push(Series { name: name.clone(), points: points.collect() });
        }
        if let Some(most) = samples.contestant.goal() {
            let goal = format!("CLib's own cost: {name}, p50");
            figures.goals.push(Goal::new(goal, Bound::AtMost(most), " ns", at(samples, 0.5)));
        }
    }
    figures.tables.push(table);
    figures.plots.push(plot);
    Ok(figures)
}
