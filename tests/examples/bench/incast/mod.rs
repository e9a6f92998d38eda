//! Many clients at one board at the same time: in virtual time they write over a switch, over a cable they read.
mod cabled;
mod simulated;

use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;

use crate::Options;
use mneme_tests::figures::{Axis, Bound, Cell, Figures, Goal, Plot, Series, Table};
use mneme_tests::meter::cumulative;
use mneme_tests::statistics::{Mean, Samples, interleave, jain};

/// Clients of the incast that goals speak of.
const CLIENTS: usize = 32;
/// How many clients the simulated incast has, from one on.
const CROWDS: [usize; 7] = [1, 2, 4, 8, 16, CLIENTS, 64];
/// Bytes of an operation.
const BYTES: usize = 1024;
/// Operations that each client wants under way.
const DEPTH: usize = 16;
/// The best goodput of fewer clients keeps at least this share when they are many.
const KEPT: f64 = 0.9;
/// Fairness (Jain).
const FAIR: f64 = 0.95;
/// Frames that full queues may lose, and retries, as a share of all operations.
const LOST: f64 = 0.01;
/// The cabled incast is measured so many times longer than one measurement elsewhere: threads that share a processor
/// take turns of milliseconds, and fairness is that of many turns of each.
const SPANS: u32 = 20;
/// Clients whose windows are drawn.
const DRAWN: usize = 6;

/// What an incast came to.
struct Incast {
    /// Operations that each client got through in the measured time.
    done: Vec<u64>,
    /// The measured time, of whichever clock.
    time: Duration,
    /// Nanoseconds of each.
    latency: Histogram<u64>,
    /// Frames that full queues lost in the measured time; cabled: retries since the beginning.
    lost: u64,
    /// Frames that they lost while windows found their size.
    lost_before: u64,
    /// Operations that failed since the beginning.
    failed: u64,
    /// Every client's congestion window over the time since the beginning.
    windows: Vec<(Duration, Vec<f64>)>,
}

impl Incast {
    fn total(&self) -> u64 {
        self.done.iter().sum()
    }
    fn gigabits(&self) -> f64 {
        self.total() as f64 * BYTES as f64 * 8e-9 / self.time.as_secs_f64()
    }
    fn fairness(&self) -> f64 {
        jain(&self.done.iter().map(|done| *done as f64).collect::<Vec<_>>())
    }
    fn lost_share(&self) -> f64 {
        self.lost as f64 / self.total().max(1) as f64
    }
}

pub fn measure(options: &Options) -> Result<Figures> {
    let about = format!(
        "clients of one software board with {DEPTH} operations of {BYTES} bytes each under way. Simulated: writes, every client a \
         host on a switch whose link to the board carries 10 Gbit/s and holds 128 KB, in virtual time, the same in every run. \
         Cabled: reads, {CLIENTS} threads with a UDP socket each, asleep while waiting, on one processor, the board on another, \
         over veth, {} rounds of {:?}",
        options.rounds,
        SPANS * options.time()
    );
    let mut figures = Figures::new("incast", about);
    let all =
        CROWDS.iter().map(|clients| Ok((*clients, simulated::run(*clients)?))).collect::<Result<Vec<_>>>()?;
    simulated_figures(&mut figures, &all);
    let time = SPANS * options.time();
    let mut rounds = interleave(options.rounds(), [CLIENTS], |clients| cabled::run(*clients, time));
    if let Some(cabled) = rounds.pop() {
        cabled_figures(&mut figures, cabled)?;
    }
    Ok(figures)
}

fn simulated_figures(figures: &mut Figures, all: &[(usize, Incast)]) {
    let columns = [
        "clients",
        "Gbit/s of data",
        "Jain",
        "p50 µs",
        "p99 µs",
        "frames lost at first",
        "later",
        "of writes",
        "failed",
        "mean window",
    ];
    let mut table = Table::new("Simulated, over a link of 10 Gbit/s", &columns);
    for (clients, incast) in all {
        let quantile = |share| Cell::Number(incast.latency.value_at_quantile(share) as f64 / 1e3);
        let samples = incast.windows.iter().skip(incast.windows.len() / 2).flat_map(|(_, windows)| windows);
        let (count, sum) = samples.fold((0_u64, 0.0), |(count, sum), window| (count + 1, sum + window));
        table.rows.push(vec![
            (*clients).into(),
            incast.gigabits().into(),
            incast.fairness().into(),
            quantile(0.5),
            quantile(0.99),
            incast.lost_before.into(),
            incast.lost.into(),
            incast.lost_share().into(),
            incast.failed.into(),
            (sum / count.max(1) as f64).into(),
        ]);
    }
    figures.tables.push(table);
    let goodput = all.iter().map(|(clients, incast)| (*clients as f64, incast.gigabits()));
    figures.plots.push(Plot {
        title: "Simulated: goodput against clients".into(),
        x: Axis::powers(2.0, "clients"),
        y: Axis::linear("Gbit/s of data"),
        series: vec![Series { name: "all clients together".into(), points: goodput.collect() }],
    });
    let Some((_, incast)) = all.iter().find(|(clients, _)| *clients == CLIENTS) else { return };
    figures.plots.push(windows(incast));
    let fewer = all.iter().filter(|(clients, _)| *clients < CLIENTS);
    let best = fewer.map(|(_, incast)| incast.gigabits()).fold(0.0, f64::max);
    let goal = |what: &str, bound, value| {
        let name = format!("incast of {CLIENTS} clients, simulated: {what}");
        Goal::new(name, bound, "", Some(Mean::exact(value)))
    };
    figures.goals.extend([
        goal("goodput against the best of fewer", Bound::AtLeast(KEPT), incast.gigabits() / best),
        goal(
            "frames lost at full queues once windows have settled, of writes",
            Bound::AtMost(LOST),
            incast.lost_share(),
        ),
        goal("writes that failed", Bound::AtMost(0.0), incast.failed as f64),
        goal("fairness (Jain)", Bound::AtLeast(FAIR), incast.fairness()),
    ]);
}

/// The windows of some clients, and of all on average.
fn windows(incast: &Incast) -> Plot {
    let over_time = |window: &dyn Fn(&[f64]) -> f64| {
        let point = |(at, all): &(Duration, Vec<f64>)| (at.as_secs_f64() * 1e6, window(all));
        incast.windows.iter().map(point).collect()
    };
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let mut series = vec![Series { name: "mean of all".into(), points: over_time(&mean) }];
    let drawn = (0..DRAWN).map(|at| at * CLIENTS / DRAWN);
    series.extend(
        drawn.map(|at| Series { name: format!("client {}", at + 1), points: over_time(&|all| all[at]) }),
    );
    Plot {
        title: format!("Simulated: congestion windows of {CLIENTS} clients that begin at once"),
        x: Axis::linear("µs since the first write"),
        y: Axis::linear("window, in requests"),
        series,
    }
}

fn cabled_figures(figures: &mut Figures, rounds: Samples<usize, Incast>) -> Result<()> {
    if let Some(reason) = rounds.failed {
        anyhow::bail!("over the cable: {reason}");
    }
    let all =
        |value: &dyn Fn(&Incast) -> f64| Mean::of(&rounds.samples.iter().map(value).collect::<Vec<_>>());
    let quantile = |share: f64| all(&|incast: &Incast| incast.latency.value_at_quantile(share) as f64 / 1e3);
    let columns = ["clients", "reads/s", "Gbit/s of data", "Jain", "p50 µs", "p99 µs", "retries"];
    let mut table = Table::new("Cabled, a thread for each client", &columns);
    table.rows.push(vec![
        rounds.contestant.into(),
        all(&|incast| incast.total() as f64 / incast.time.as_secs_f64()).into(),
        all(&Incast::gigabits).into(),
        all(&Incast::fairness).into(),
        quantile(0.5).into(),
        quantile(0.99).into(),
        all(&|incast| incast.lost as f64).into(),
    ]);
    figures.tables.push(table);
    if let Some(incast) = rounds.samples.last() {
        figures.plots.push(Plot {
            title: format!("Cabled: latency of a read among {CLIENTS} clients, last round"),
            x: Axis::powers(10.0, "µs"),
            y: Axis::linear("share of reads that took no longer"),
            series: vec![Series { name: "all clients".into(), points: cumulative(&incast.latency) }],
        });
    }
    let name = |what: &str| format!("incast of {CLIENTS} clients, cabled: {what}");
    figures.goals.extend([
        Goal::new(name("fairness (Jain)"), Bound::AtLeast(FAIR), "", all(&Incast::fairness)),
        Goal::new(name("retries, of reads"), Bound::AtMost(LOST), "", all(&Incast::lost_share)),
    ]);
    Ok(())
}
