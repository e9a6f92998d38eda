//! Writes at the rate that a board's retry filter takes: how many it refuses, how many end without a known outcome, and how evenly the others
//! leave. On every configuration that `mneme board` offers, software and RTL, over the loopback network.
use std::collections::VecDeque;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use hdrhistogram::Histogram;
use mneme_clib::{
    Client, ClientOptions, Effect, Error, OpenOptions, Pending, Process, Statistics, UdpDriver, Written,
};
use mneme_daemon::{Options as BoardOptions, serve};
use mneme_model::{BoardShape, NetworkPort, Node, SoftFast};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_tests::figures::{Bound, Figures, Goal, Table};
use mneme_tests::meter::latencies;
use mneme_tests::statistics::Mean;
use mneme_wire::{Cause, Opcode};

use crate::Options;
use crate::board::Board;

/// Shares of writes that the filter may refuse, and how much longer than half of them 99% may take.
const REFUSED: f64 = 1.0;
const SPREAD: f64 = 4.0;
/// Each load lasts so many of the board's windows at least, after one that is not measured, and has so many writes at least.
const WINDOWS: u64 = 2;
const FEWEST: u64 = 40;
/// Between two looks at the board's tick.
const LOOK: Duration = Duration::from_millis(20);
/// Ticks that a board tells from each other.
const TICKS: u64 = 1 << 24;
/// Bytes of the region that is written.
const REGION: u64 = 1 << 20;
/// Memory of the boards: what they have at most.
const MEMORY: u64 = 256 << 20;

/// What is written.
#[derive(Debug, Clone, Copy)]
struct Load {
    bytes: u64,
    depth: usize,
}

const LOADS: [Load; 3] =
    [Load { bytes: 64, depth: 1 }, Load { bytes: 64, depth: 16 }, Load { bytes: 8 << 10, depth: 4 }];

impl Load {
    fn name(self) -> String {
        format!("{} B, {} at once", self.bytes, self.depth)
    }
}

/// What a board is made of.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Soft(BoardShape),
    Rtl(RtlConfig),
}

impl Kind {
    fn all() -> Vec<Kind> {
        let kept = RtlConfig::ALL.iter().map(|config| config.shape());
        let mut shapes: Vec<BoardShape> = [BoardShape::DAEMON].into_iter().chain(BoardShape::ALL).collect();
        shapes.extend(kept.filter(|shape| BoardShape::named(shape.name).is_none()));
        let soft = shapes.into_iter().map(Kind::Soft);
        soft.chain(RtlConfig::ALL.iter().copied().map(Kind::Rtl)).collect()
    }
    fn shape(self) -> BoardShape {
        match self {
            Kind::Soft(shape) => shape,
            Kind::Rtl(config) => config.shape(),
        }
    }
    fn name(self) -> String {
        let made = if matches!(self, Kind::Soft(_)) { "software" } else { "RTL" };
        format!("{made} {}", self.shape().name)
    }
    /// Wall-clock nanoseconds of a cycle at least, and the window: as `mneme board` has them.
    fn times(self) -> (u64, Duration) {
        match self {
            Kind::Soft(_) => (4, Duration::from_secs(1)),
            Kind::Rtl(_) => (1_000, Duration::from_millis(500)),
        }
    }
    fn serve(self, socket: &UdpSocket, up: &Sender<()>, stop: &AtomicBool) -> Result<()> {
        match self {
            Kind::Soft(shape) => {
                let shape = BoardShape { simulated: true, ..shape };
                let shape = if 1 << shape.mem_bits > MEMORY { shape.with_memory(MEMORY)? } else { shape };
                self.serve_on(SoftFast::new(shape)?, 1, socket, (up, stop))
            }
            Kind::Rtl(config) => {
                let fast = RtlFast::new(RtlOptions::new(config))?;
                self.serve_on(fast, 2, socket, (up, stop))
            }
        }
    }
    fn serve_on<F: FastPath + NetworkPort>(
        self,
        mut fast: F,
        number: u32,
        socket: &UdpSocket,
        (up, stop): (&Sender<()>, &AtomicBool),
    ) -> Result<()> {
        let (cycle, window) = self.times();
        let mut settings = mneme_daemon::config(&mut fast, number, [1; 32], cycle, window);
        mneme_daemon::take_address(&mut settings, socket);
        let options = BoardOptions::of(&settings, cycle);
        let store = &mut MemoryEpochs::default();
        let mut node = Node::boot_with_workers(fast, settings, store, mneme_daemon::DEFAULT_WORKERS)?;
        up.send(())?;
        serve(&mut node, socket, &options, stop)?;
        Ok(())
    }
}

/// What a load did.
#[derive(Debug)]
struct Measured {
    packets: u64,
    /// Attempts that the filter refused.
    refused: u64,
    /// Calls that failed and may have taken effect.
    unknown: u64,
    seconds: f64,
    latency: Histogram<u64>,
}

/// Packets of writes that were answered, and attempts that the filter refused, so far.
fn so_far(statistics: &Statistics) -> (u64, u64) {
    let packets = statistics.latency_of(&[Opcode::Write]).count();
    (packets, statistics.transport.busy.get(&Cause::Filter).copied().unwrap_or(0))
}

/// How many windows of the board have passed, looked at now and then.
struct Clock<'a> {
    client: &'a Client,
    looked: Instant,
    last: u32,
    ticks: u64,
    window: u64,
    ns_per_tick: u64,
}

impl Clock<'_> {
    fn start(client: &Client) -> Result<Clock<'_>> {
        let board = client.ping()?.0;
        let (window, ns_per_tick) = (board.window.max(1).into(), board.ns_per_tick.max(1).into());
        Ok(Clock { client, looked: Instant::now(), last: board.tick, ticks: 0, window, ns_per_tick })
    }
    fn windows(&mut self) -> Result<u64> {
        if self.looked.elapsed() >= LOOK {
            let (tick, now) = (self.client.ping()?.0.tick, Instant::now());
            let told = u64::from(tick.wrapping_sub(self.last)) % TICKS;
            // A tick of some nanoseconds comes round meanwhile.
            let expected = (now - self.looked).as_nanos() as u64 / self.ns_per_tick;
            self.ticks += told + expected.saturating_sub(told) / TICKS * TICKS;
            (self.last, self.looked) = (tick, now);
        }
        Ok(self.ticks / self.window)
    }
}

/// Writes, `depth` at once, until as many windows have passed and as many writes have ended.
fn write(
    process: &Process,
    client: &Client,
    va: u64,
    load: Load,
    (windows, fewest): (u64, u64),
) -> Result<Measured> {
    let mut clock = Clock::start(client)?;
    let (packets, refused) = so_far(&client.statistics());
    let data = vec![0x5a; load.bytes as usize];
    let (mut latency, mut unknown, mut ended, mut next) = (latencies(), 0, 0, 0);
    let mut flying: VecDeque<(Instant, Pending<Written>)> = VecDeque::new();
    let began = Instant::now();
    while clock.windows()? < windows || ended < fewest {
        while flying.len() < load.depth {
            let at = va + next * load.bytes % REGION;
            flying.push_back((Instant::now(), process.rwrite_async(at, &data)));
            next += 1;
        }
        let Some((issued, call)) = flying.pop_front() else { break };
        unknown += outcome(call.wait())?;
        latency.saturating_record(issued.elapsed().as_nanos() as u64);
        ended += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    for (_, call) in flying {
        unknown += outcome(call.wait())?;
    }
    let (packets_now, refused_now) = so_far(&client.statistics());
    Ok(Measured { packets: packets_now - packets, refused: refused_now - refused, unknown, seconds, latency })
}

/// One, if nobody knows whether a write took effect. Another failure ends the measurement.
fn outcome(result: mneme_clib::Result<()>) -> Result<u64> {
    match result {
        Ok(()) => Ok(0),
        Err(Error::Operation(failed)) if failed.effect == Effect::Possible => Ok(1),
        Err(error) => Err(error.into()),
    }
}

/// All loads on a board.
fn on(kind: Kind) -> Result<Vec<(Load, Measured)>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let address = socket.local_addr()?;
    let mut board = Board::serve(move |up, stop| kind.serve(&socket, up, stop))?;
    let measured = loads(address);
    board.end()?;
    measured
}

fn loads(address: SocketAddr) -> Result<Vec<(Load, Measured)>> {
    let client = Client::connect(UdpDriver::connect(address)?, ClientOptions::default())?;
    let process = client.open(OpenOptions::default())?;
    let va = process.ralloc(REGION)?;
    let mut all = Vec::new();
    for load in LOADS {
        // What is in the filter at the beginning is not this load's.
        write(&process, &client, va, load, (1, 1))?;
        all.push((load, write(&process, &client, va, load, (WINDOWS, FEWEST))?));
    }
    let mut back = vec![0; 64];
    process.rread(va, &mut back)?;
    ensure!(back == [0x5a; 64], "what was written is not there");
    process.exit()?;
    Ok(all)
}

pub fn measure(_: &Options) -> Result<Figures> {
    let about = format!(
        "writes of one client as fast as they go, for {WINDOWS} windows of the board and {FEWEST} writes at least, after one window that does not \
         count; boards and client on this machine, over the loopback network. Unknown: calls that failed and may have taken effect. Times are \
         from call to end, waiting included"
    );
    let mut figures = Figures::new("pacing", about);
    let columns = [
        "board",
        "entries",
        "writes",
        "packets/s",
        "refused by the filter",
        "unknown",
        "p50 µs",
        "p99 µs",
        "p99 ÷ p50",
    ];
    let mut table = Table::new("Writes that are paced by the retry filter", &columns);
    for kind in Kind::all() {
        let (name, entries) = (kind.name(), kind.shape().filter_entries());
        eprintln!("  {name} …");
        let measured = match on(kind) {
            Ok(measured) => measured,
            Err(error) => {
                eprintln!("  {name} could not be measured: {error:#}");
                figures.goals.push(Goal::new(format!("{name}: measured"), Bound::AtLeast(1.0), "", None));
                continue;
            }
        };
        let (mut refused, mut unknown, mut spread) = (0.0_f64, 0, 0.0_f64);
        for (load, one) in measured {
            let share = 100.0 * one.refused as f64 / one.packets.max(1) as f64;
            let at = |quantile: f64| one.latency.value_at_quantile(quantile) as f64 / 1e3;
            let ratio = at(0.99) / at(0.5).max(1e-3);
            (refused, unknown, spread) = (refused.max(share), unknown + one.unknown, spread.max(ratio));
            table.rows.push(vec![
                name.clone().into(),
                entries.into(),
                load.name().into(),
                (one.packets as f64 / one.seconds).into(),
                format!("{} of {}", one.refused, one.packets).into(),
                one.unknown.into(),
                at(0.5).into(),
                at(0.99).into(),
                ratio.into(),
            ]);
        }
        let goal = |what: &str, most: f64, unit, figure: f64| {
            Goal::new(format!("{name}: {what}"), Bound::AtMost(most), unit, Some(Mean::exact(figure)))
        };
        figures.goals.push(goal("writes that the filter refuses", REFUSED, "%", refused));
        figures.goals.push(goal("writes of unknown outcome", 0.0, "", unknown as f64));
        figures.goals.push(goal("99% of the writes against half of them", SPREAD, "×", spread));
    }
    figures.tables.push(table);
    Ok(figures)
}
