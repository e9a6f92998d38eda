//! Larger values: a read of one is many packets, each a request of its own, where a GET is one answer of a TCP connection.
use anyhow::Result;
use mneme_clib::driver::DriverKind;
use mneme_tests::rig::veth::ETHERNET_MTU;

use super::{DEPTH, Load, Refill, Way, connected, server};
use crate::Options;
use crate::board::cable;
use mneme_tests::figures::{Axis, Bound, Cell, Figures, Goal, Plot, Series, Table};
use mneme_tests::meter::Run;
use mneme_tests::statistics::{Mean, Samples, interleave};

const SIZES: [usize; 3] = [4_096, 16_384, 65_536];
/// Bytes of the largest packet, and what the rate of remote reads should be against Redis' over the same cable.
const GOALS: [(usize, f64); 2] = [(ETHERNET_MTU, 1.0), (9_000, 1.5)];
const WAYS: [Way; 3] = [Way::Redis, Way::Mneme(DriverKind::Udp), Way::Mneme(DriverKind::Tpacket)];

/// Who serves, over what.
type Contestant = (usize, Way);
/// A run of each size.
type Sessions = Samples<Contestant, Vec<Run>>;

fn session((mtu, way): Contestant, options: &Options) -> Result<Vec<Run>> {
    connected(way, mtu, |reader| {
        let load = |size| Load { size, depth: DEPTH, refill: Refill::Window };
        SIZES.iter().map(|size| reader.read(load(*size), options.time())).collect()
    })
}

pub fn measure(options: &Options) -> Result<Figures> {
    let version = server::version()?;
    cable()?;
    let about = format!(
        "{version} beside the software board, {DEPTH} values outstanding, over veth between two network namespaces, a processor \
         each; both clients stay awake and check every byte while the next values are under way; {} rounds of {:?}",
        options.rounds,
        options.time()
    );
    let mut figures = Figures::new("large", about);
    let contestants = GOALS.iter().flat_map(|(mtu, _)| WAYS.map(|way| (*mtu, way)));
    let all = interleave(options.rounds(), contestants, |contestant| session(*contestant, options));
    for sessions in &all {
        if let Some(why) = &sessions.failed {
            eprintln!("{}: {why}", name(sessions.contestant));
        }
    }
    for (at, size) in SIZES.iter().enumerate() {
        figures.tables.push(table(*size, at, &all));
        figures.goals.extend(GOALS.iter().map(|(mtu, goal)| self::goal((*mtu, *goal), (at, *size), &all)));
    }
    figures.plots = vec![plot(&all)];
    Ok(figures)
}

fn name((mtu, way): Contestant) -> String {
    format!("{}, packets of {mtu} bytes", way.name())
}

fn rates(sessions: &Sessions, at: usize) -> Vec<f64> {
    sessions.samples.iter().map(|runs| runs[at].rate).collect()
}

/// The rate against Redis' over the same cable.
fn against_redis(sessions: &Sessions, at: usize, all: &[Sessions]) -> Option<Mean> {
    let redis = all.iter().find(|other| other.contestant == (sessions.contestant.0, Way::Redis))?;
    Mean::of_ratios(&rates(sessions, at), &rates(redis, at))
}

fn gigabytes(rates: &[f64], size: usize) -> Option<Mean> {
    Mean::of(&rates.iter().map(|rate| rate * size as f64 * 1e-9).collect::<Vec<_>>())
}

fn table(size: usize, at: usize, all: &[Sessions]) -> Table {
    let title = format!("{size} bytes, {DEPTH} outstanding");
    let mut table = Table::new(title, &["from", "GETs/s", "GB/s", "against Redis"]);
    table.rows.extend(all.iter().map(|sessions| -> Vec<Cell> {
        let rates = rates(sessions, at);
        vec![
            name(sessions.contestant).into(),
            Mean::of(&rates).into(),
            gigabytes(&rates, size).into(),
            against_redis(sessions, at, all).into(),
        ]
    }));
    table
}

/// The best way through CLib against Redis.
fn goal((mtu, goal): (usize, f64), (at, size): (usize, usize), all: &[Sessions]) -> Goal {
    let ours = all
        .iter()
        .filter(|sessions| sessions.contestant.0 == mtu && matches!(sessions.contestant.1, Way::Mneme(_)));
    let ratios =
        ours.filter_map(|sessions| Some((sessions.contestant.1.name(), against_redis(sessions, at, all)?)));
    let best = ratios.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    let name = best.as_ref().map_or("nothing", |(name, _)| name);
    let what = format!("GET of {size} bytes, {DEPTH} outstanding, packets of {mtu}: {name} against Redis");
    Goal::new(what, Bound::AtLeast(goal), "×", best.as_ref().map(|(_, ratio)| *ratio))
}

fn plot(all: &[Sessions]) -> Plot {
    let measured = all.iter().filter(|sessions| !sessions.samples.is_empty());
    let series = measured.map(|sessions| Series {
        name: name(sessions.contestant),
        points: SIZES
            .iter()
            .enumerate()
            .filter_map(|(at, size)| Some((*size as f64, gigabytes(&rates(sessions, at), *size)?.mean)))
            .collect(),
    });
    Plot {
        title: format!("Goodput of larger values, {DEPTH} outstanding"),
        x: Axis::powers(4.0, "bytes of a value"),
        y: Axis::linear("GB/s of values"),
        series: series.collect(),
    }
}
