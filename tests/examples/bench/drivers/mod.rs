//! Ping-pong of datagrams over a veth cable: every driver beside plain UDP sockets with one system call per packet.
//!
//! Both ends are threads of this process, each in its network namespace and on its processor.
mod echo;
pub mod ways;

use anyhow::Result;
use ways::Way;

use crate::Options;
use crate::board::{BOARD_PROCESSOR, CLIENT_PROCESSOR, cable};
use mneme_tests::figures::{Axis, Bound, Figures, Goal, Plot, Series, Table};
use mneme_tests::statistics::{Mean, Samples, interleave};

/// Bytes of a datagram, and of the one that comes back for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub asked: usize,
    pub answered: usize,
}

impl Shape {
    /// Of the longer one.
    fn longest(self) -> usize {
        self.asked.max(self.answered)
    }
}

/// Bytes of a datagram.
const BYTES: usize = 1024;
const ECHO: Shape = Shape { asked: BYTES, answered: BYTES };
/// Datagrams outstanding.
const DEPTHS: [usize; 6] = [1, 2, 4, 8, 16, 32];
/// What the best raw driver should reach against plain UDP, by depth.
const GOALS: [(usize, f64); 2] = [(1, 1.2), (16, 1.5)];

/// What all ways reached at one depth: round trips per second, one figure a round.
type AtDepth = (usize, Vec<Samples<Way, f64>>);

pub fn measure(options: &Options) -> Result<Figures> {
    cable()?;
    let ends = if options.one_processor { "one processor" } else { "a processor each" };
    let about = format!(
        "ping-pong of {BYTES} bytes over veth between two network namespaces, both ends awake on {ends}, {} rounds of {:?}",
        options.rounds,
        options.time()
    );
    let mut figures = Figures::new("drivers", about);
    let all: Vec<AtDepth> = DEPTHS
        .into_iter()
        .map(|depth| {
            (depth, interleave(options.rounds(), Way::all(), |way| ping_pong(*way, ECHO, depth, options)))
        })
        .collect();
    figures.tables.extend(all.iter().map(table));
    figures.plots.push(Plot {
        title: "Round trips of 1 KB against datagrams outstanding".into(),
        x: Axis::powers(2.0, "datagrams outstanding"),
        y: Axis::linear("round trips per second"),
        series: Way::all().into_iter().map(|way| against_depth(way, &all)).collect(),
    });
    figures.goals.extend(GOALS.into_iter().filter_map(|(depth, goal)| {
        let (_, ways) = all.iter().find(|(other, _)| *other == depth)?;
        Some(best_raw(depth, ways, goal))
    }));
    Ok(figures)
}

/// Round trips per second of one way, on a fresh cable.
pub fn ping_pong(way: Way, shape: Shape, depth: usize, options: &Options) -> Result<f64> {
    let veth = cable()?;
    let processor = if options.one_processor { CLIENT_PROCESSOR } else { BOARD_PROCESSOR };
    echo::with(&veth, way, shape, processor, || ways::ping_pong(&veth, way, shape, depth, options.time()))
}

/// Against plain UDP, awake, of the same rounds.
fn ratio(way: &Samples<Way, f64>, all: &[Samples<Way, f64>]) -> Option<Mean> {
    let plain = all.iter().find(|other| other.contestant == Way::Plain)?;
    Mean::of_ratios(&way.samples, &plain.samples)
}

fn table((depth, ways): &AtDepth) -> Table {
    let title = format!("{depth} outstanding");
    let mut table = Table::new(title, &["way", "round trips/s", "µs each", "against plain UDP"]);
    table.rows.extend(ways.iter().map(|way| {
        let name = match &way.failed {
            None => way.contestant.name().to_owned(),
            Some(reason) => format!("{}: {reason}", way.contestant.name()),
        };
        let each: Vec<f64> = way.samples.iter().map(|rate| *depth as f64 * 1e6 / rate).collect();
        vec![name.into(), Mean::of(&way.samples).into(), Mean::of(&each).into(), ratio(way, ways).into()]
    }));
    table
}

fn against_depth(way: Way, all: &[AtDepth]) -> Series {
    let point = |(depth, ways): &AtDepth| {
        let samples = &ways.iter().find(|samples| samples.contestant == way)?.samples;
        Some((*depth as f64, Mean::of(samples)?.mean))
    };
    Series { name: way.name().into(), points: all.iter().filter_map(point).collect() }
}

fn best_raw(depth: usize, ways: &[Samples<Way, f64>], goal: f64) -> Goal {
    let raw = ways.iter().filter(|way| way.contestant.is_raw());
    let ratios = raw.filter_map(|way| Some((way.contestant.name(), ratio(way, ways)?)));
    let best = ratios.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    let name = best.map_or("none", |(name, _)| name);
    Goal::new(
        format!("best raw driver ({name}) against plain UDP, {depth} outstanding"),
        Bound::AtLeast(goal),
        "×",
        best.map(|(_, ratio)| ratio),
    )
}
