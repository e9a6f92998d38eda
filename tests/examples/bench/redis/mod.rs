//! Remote reads through CLib from a software board beside GETs from Redis: same machine, same cable, same values, both
//! clients awake.
pub mod large;
mod remote;
mod server;

use std::time::Duration;

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use mneme_clib::driver::{DriverKind, LinkKind};
use mneme_tests::rig::veth::ETHERNET_MTU;
use mneme_wire::HEADER_LEN;

use crate::Options;
use crate::board::{cable, cable_carrying};
use crate::drivers::{self, Shape};
use mneme_tests::figures::{Axis, Bound, Cell, Figures, Goal, Plot, Series, Table};
use mneme_tests::meter::{Run, cumulative, latencies};
use mneme_tests::statistics::{Mean, Samples, interleave};

/// Bytes of a value where the size is not what is varied.
const BYTES: usize = 1024;
/// What a read of a value is on the wire.
const SHAPE: Shape = Shape { asked: HEADER_LEN, answered: HEADER_LEN + BYTES };
/// Operations outstanding where the number is not what is varied.
const DEPTH: usize = 16;
const DEPTHS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
const SIZES: [usize; 6] = [64, 256, 1024, 4096, 16_384, 65_536];
/// Different values that are read in turn.
const VALUES: usize = 16;
/// What the rate of remote reads should be against Redis', by depth.
const GOALS: [(usize, f64); 2] = [(1, 4.0), (16, 3.0)];

/// Connections over which a way's goals are measured in one round: Redis keeps to one of several rates as long as a
/// connection lasts.
const CONNECTIONS: usize = 3;

/// Who serves values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Redis as it is: it sleeps while nothing comes.
    Redis,
    /// Redis on a processor that is kept from sleeping by another program of the lowest priority.
    RedisAwake,
    /// The software board, by a driver.
    Mneme(DriverKind),
    /// Neither board nor client: a driver at both ends, one of which sends as many bytes as an answer has for every
    /// datagram that is as long as a request. What a board and a client that take no time would reach.
    Alone(drivers::ways::Way),
}

impl Way {
    const ALL: [Way; 7] = [
        Way::Redis,
        Way::RedisAwake,
        Way::Mneme(DriverKind::Udp),
        Way::Mneme(DriverKind::AfXdp),
        Way::Mneme(DriverKind::Tpacket),
        Way::Alone(drivers::ways::Way::UdpSegmented),
        Way::Alone(drivers::ways::Way::Raw(LinkKind::PacketRing)),
    ];
    fn name(self) -> String {
        match self {
            Way::Redis => "Redis".into(),
            Way::RedisAwake => "Redis, its processor kept awake".into(),
            Way::Mneme(driver) => format!("CLib, {driver}"),
            Way::Alone(way) => format!("{}: no board, no client", way.name()),
        }
    }
}

/// When the next values are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refill {
    /// When some have come, so that as many as may be are outstanding.
    Window,
    /// When all have come: what `redis-benchmark -P` does.
    Pipeline,
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
struct Load {
    /// Bytes of a value.
    size: usize,
    /// Values outstanding.
    depth: usize,
    refill: Refill,
}

/// Reads values of a server, some at a time, and checks them while the next ones are under way.
trait Reader {
    fn read(&mut self, load: Load, time: Duration) -> Result<Run>;
}

/// What one way reached in one round.
struct Session {
    by_depth: Vec<Run>,
    /// Nothing of drivers alone.
    by_size: Vec<Run>,
    /// All at once.
    pipeline: Option<Run>,
    /// What goals are about, by depth, over connections of its own.
    again: Vec<(usize, Run)>,
}

/// A way's sessions.
type Sessions = Samples<Way, Session>;

fn session(way: Way, options: &Options) -> Result<Session> {
    if let Way::Alone(way) = way {
        let alone = |depth: &usize| {
            let rate = drivers::ping_pong(way, SHAPE, *depth, options)?;
            Ok(Run { rate, latency: latencies() })
        };
        let by_depth = DEPTHS.iter().map(alone).collect::<Result<_>>()?;
        return Ok(Session { by_depth, by_size: Vec::new(), pipeline: None, again: Vec::new() });
    }
    let read_in = |reader: &mut dyn Reader, refill, size, depth| {
        let run = reader.read(Load { size, depth, refill }, options.time());
        run.with_context(|| format!("values of {size} bytes, {depth} outstanding"))
    };
    let read = |reader: &mut dyn Reader, size, depth| read_in(&mut *reader, Refill::Window, size, depth);
    let mut session = connected(way, ETHERNET_MTU, |reader| {
        let by_depth = DEPTHS.iter().map(|depth| read(reader, BYTES, *depth)).collect::<Result<_>>()?;
        let by_size = SIZES.iter().map(|size| read(reader, *size, DEPTH)).collect::<Result<_>>()?;
        let pipeline = Some(read_in(reader, Refill::Pipeline, BYTES, DEPTH)?);
        Ok(Session { by_depth, by_size, pipeline, again: Vec::new() })
    })?;
    for _ in 1..CONNECTIONS {
        session.again.extend(connected(way, ETHERNET_MTU, |reader| {
            GOALS
                .iter()
                .map(|(depth, _)| Ok((*depth, read(reader, BYTES, *depth)?)))
                .collect::<Result<Vec<_>>>()
        })?);
    }
    Ok(session)
}

/// Runs `work` with a new server and a new connection to it, over a cable for packets of up to `mtu` bytes.
fn connected<R: Send>(
    way: Way,
    mtu: usize,
    work: impl FnOnce(&mut dyn Reader) -> Result<R> + Send,
) -> Result<R> {
    let cable = cable_carrying(mtu)?;
    match way {
        Way::Mneme(driver) => remote::with((&cable, mtu), driver, work),
        _ => server::with(&cable, way == Way::RedisAwake, work),
    }
}

/// The value of a number; every one is different.
fn value(number: usize, size: usize) -> Vec<u8> {
    (0..size).map(|at| (number * 7 + at * 13 + at / 251) as u8).collect()
}

pub fn measure(options: &Options) -> Result<Figures> {
    let version = server::version()?;
    cable()?;
    let about = format!(
        "{version} beside the software board, over veth between two network namespaces, a processor each; both clients stay \
         awake, check every byte while the next values are under way, and keep so many requests outstanding; {} rounds of {:?}",
        options.rounds,
        options.time()
    );
    let mut figures = Figures::new("redis", about);
    let all = interleave(options.rounds(), Way::ALL, |way| session(*way, options));
    for way in all.iter().filter(|way| way.failed.is_some()) {
        eprintln!("{}: {}", way.contestant.name(), way.failed.as_deref().unwrap_or_default());
    }
    figures.tables.extend(DEPTHS.iter().enumerate().map(|(at, depth)| {
        table(format!("1 KB, {depth} outstanding"), &all, &|session| session.by_depth.get(at))
    }));
    figures.tables.extend(SIZES.iter().enumerate().map(|(at, size)| {
        table(format!("{size} bytes, {DEPTH} outstanding"), &all, &|session| session.by_size.get(at))
    }));
    let title =
        format!("1 KB, {DEPTH} at once, the next ones when all have come (redis-benchmark -P {DEPTH})");
    figures.tables.push(table(title, &all, &|session| session.pipeline.as_ref()));
    figures.plots = plots(&all);
    figures.goals = GOALS.iter().filter_map(|(depth, goal)| self::goal(*depth, *goal, &all)).collect();
    Ok(figures)
}

type Pick<'a> = &'a dyn Fn(&Session) -> Option<&Run>;

fn rates(way: &Sessions, pick: Pick<'_>) -> Vec<f64> {
    way.samples.iter().filter_map(|session| pick(session).map(|run| run.rate)).collect()
}

fn latency(way: &Sessions, pick: Pick<'_>) -> Histogram<u64> {
    let mut all = latencies();
    for run in way.samples.iter().filter_map(pick) {
        all.add(&run.latency).expect("all have the same bounds");
    }
    all
}

fn table(title: String, all: &[Sessions], pick: Pick<'_>) -> Table {
    let columns = ["from", "GETs/s", "p50 µs", "p99 µs", "against Redis", "against Redis awake"];
    let mut table = Table::new(title, &columns);
    // Drivers alone carry nothing of other sizes.
    let is_alone = |way: &Sessions| matches!(way.contestant, Way::Alone(_));
    let shown = all.iter().filter(|way| !is_alone(way) || !rates(way, pick).is_empty());
    table.rows.extend(shown.map(|way| {
        let against = |other: Way| {
            let other = all.iter().find(|samples| samples.contestant == other);
            other.and_then(|other| Mean::of_ratios(&rates(way, pick), &rates(other, pick)))
        };
        let (rates, latency) = (rates(way, pick), latency(way, pick));
        let quantile = |share| match latency.is_empty() {
            true => Cell::None,
            false => Cell::Number(latency.value_at_quantile(share) as f64 / 1e3),
        };
        vec![
            way.contestant.name().into(),
            Mean::of(&rates).into(),
            quantile(0.5),
            quantile(0.99),
            against(Way::Redis).into(),
            against(Way::RedisAwake).into(),
        ]
    }));
    table
}

fn plots(all: &[Sessions]) -> Vec<Plot> {
    let series = |points: &dyn Fn(&Sessions) -> Vec<(f64, f64)>| -> Vec<Series> {
        let measured = all.iter().filter(|way| !way.samples.is_empty());
        measured.map(|way| Series { name: way.contestant.name(), points: points(way) }).collect()
    };
    let mean = |way: &Sessions, pick: Pick<'_>| Mean::of(&rates(way, pick)).map_or(0.0, |mean| mean.mean);
    let against_depth = |way: &Sessions| {
        let point = |(at, depth): (usize, &usize)| {
            (*depth as f64, mean(way, &|session: &Session| session.by_depth.get(at)))
        };
        DEPTHS.iter().enumerate().map(point).collect()
    };
    let against_size = |way: &Sessions| {
        let point = |(at, size): (usize, &usize)| {
            (*size as f64, mean(way, &|session: &Session| session.by_size.get(at)) * *size as f64 * 8e-9)
        };
        SIZES.iter().enumerate().map(point).collect()
    };
    let mut plots = vec![
        Plot {
            title: "GETs of 1 KB against requests outstanding".into(),
            x: Axis::powers(2.0, "requests outstanding"),
            y: Axis::linear("GETs per second"),
            series: series(&against_depth),
        },
        Plot {
            title: format!("Goodput against size, {DEPTH} outstanding"),
            x: Axis::powers(4.0, "bytes of a value"),
            y: Axis::linear("Gbit/s of values"),
            series: series(&against_size),
        },
    ];
    plots.extend(GOALS.iter().filter_map(|(depth, _)| {
        let at = DEPTHS.iter().position(|other| other == depth)?;
        Some(Plot {
            title: format!("Latency of a GET of 1 KB, {depth} outstanding"),
            x: Axis::powers(10.0, "µs"),
            y: Axis::linear("share of GETs that took no longer"),
            series: series(&|way| cumulative(&latency(way, &|session: &Session| session.by_depth.get(at)))),
        })
    }));
    plots
}

/// The rate of 1 KB at a depth, from all that a session measured of it; each of its connections counts alike.
fn rate(session: &Session, depth: usize) -> Option<f64> {
    let by_depth = DEPTHS.iter().zip(&session.by_depth).filter(|(other, _)| **other == depth);
    let by_size = SIZES.iter().zip(&session.by_size).filter(|(size, _)| depth == DEPTH && **size == BYTES);
    let first = mean(by_depth.chain(by_size).map(|(_, run)| run.rate))?;
    let again = session.again.iter().filter(|(other, _)| *other == depth).map(|(_, run)| run.rate);
    mean(again.chain([first]))
}

fn mean(rates: impl Iterator<Item = f64>) -> Option<f64> {
    let rates: Vec<f64> = rates.collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}

/// The best way through CLib against Redis.
fn goal(depth: usize, goal: f64, all: &[Sessions]) -> Option<Goal> {
    let of =
        |way: &Sessions| way.samples.iter().map(|session| rate(session, depth)).collect::<Option<Vec<_>>>();
    let redis = all.iter().find(|way| way.contestant == Way::Redis)?;
    let ours = all.iter().filter(|way| matches!(way.contestant, Way::Mneme(_)));
    let ratios =
        ours.filter_map(|way| Some((way.contestant.name(), Mean::of_ratios(&of(way)?, &of(redis)?)?)));
    let best = ratios.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    let name = best.as_ref().map_or("nothing", |(name, _)| name);
    Some(Goal::new(
        format!("GET of 1 KB, {depth} outstanding: {name} against Redis"),
        Bound::AtLeast(goal),
        "×",
        best.as_ref().map(|(_, ratio)| *ratio),
    ))
}
