//! `mneme-swap bench`: what the board costs beside a device in RAM, through the same front in the same run.
use super::made::{Via, WayArgs};
use crate::fault::Fault;
use crate::interrupt;
use crate::output::{self, say};
use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use hdrhistogram::Histogram;
use mneme_auth::Size;
use mneme_swap::BLOCK;
use mneme_swap::client::{NbdClient, Reply};
use mneme_swap::nbd::Command;
use mneme_swap::nbd::negotiation::Export;
use mneme_swap::server::{Options, Server};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const BYTES: usize = BLOCK as usize;

/// Measure rates and times of devices on the board, and beside them of one in RAM. All data is checked.
#[derive(Debug, Args)]
#[command(
    after_help = "The load is ODRP's: 60% loads (reads of live blocks), 30% stores to live blocks, 10% stores to others, each of which is\n\
    preceded by the discard of a live one. --pattern loads|stores has reads, or writes to live blocks, alone."
)]
pub struct BenchArgs {
    /// The back ends; `ram` is measured first and is what the others are compared with
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Via::Ram, Via::Clib])]
    via: Vec<Via>,
    /// What is done
    #[arg(long, value_enum, default_value_t = Pattern::Swap)]
    pattern: Pattern,
    /// Bytes of the device
    #[arg(long, value_name = "SIZE", default_value_t = Size(64 << 20), value_parser = Size::within(8 << 20..=1 << 36))]
    size: Size,
    /// Requests under way
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    depth: u16,
    /// Seconds for each back end
    #[arg(long, default_value_t = 3.0, value_parser = seconds)]
    seconds: f64,
    /// Where random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    way: WayArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.1..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("0.1 to 600 seconds".into()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Pattern {
    /// 60% loads, 30% stores, 10% stores to fresh blocks
    Swap,
    /// Reads of live blocks
    Loads,
    /// Writes to live blocks
    Stores,
}

#[derive(Debug, Serialize)]
struct Measured {
    via: &'static str,
    requests: u64,
    requests_per_second: f64,
    bytes_per_second: f64,
    load_p50_us: f64,
    load_p99_us: f64,
    store_p50_us: f64,
    store_p99_us: f64,
    utilisation: f64,
    sent_again: u64,
    /// Requests a second over those of the device in RAM; absent where that was not measured.
    of_ram: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Report {
    pattern: Pattern,
    depth: u16,
    size: u64,
    seconds: f64,
    devices: Vec<Measured>,
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<()> {
    interrupt::listen()?;
    let mut vias = args.via.clone();
    vias.sort_by_key(|via| *via != Via::Ram);
    vias.dedup();
    let mut devices: Vec<Measured> = Vec::new();
    for via in vias {
        let mut measured = device(args, via)?;
        let ram = devices.first().map_or(&measured, |first| first);
        measured.of_ram =
            (ram.via == Via::Ram.name()).then(|| measured.requests_per_second / ram.requests_per_second);
        devices.push(measured);
        interrupt::check(|| format!("{} devices were measured", devices.len()))?;
    }
    let report = Report {
        pattern: args.pattern,
        depth: args.depth,
        size: args.size.0,
        seconds: args.seconds,
        devices,
    };
    if args.json {
        return Ok(say!("{}", serde_json::to_string(&report)?)?);
    }
    let mut table = output::table(false);
    table.set_header([
        "via",
        "requests/s",
        "MB/s",
        "load p50 µs",
        "p99",
        "store p50 µs",
        "p99",
        "utilisation",
        "of RAM",
    ]);
    for of in &report.devices {
        table.add_row([
            of.via.to_owned(),
            format!("{:.0}", of.requests_per_second),
            format!("{:.1}", of.bytes_per_second / 1e6),
            format!("{:.0}", of.load_p50_us),
            format!("{:.0}", of.load_p99_us),
            format!("{:.0}", of.store_p50_us),
            format!("{:.0}", of.store_p99_us),
            format!("{:.1}%", 100.0 * of.utilisation),
            of.of_ram.map_or(String::new(), |ratio| format!("{ratio:.3}")),
        ]);
    }
    Ok(say!("{table}")?)
}

fn device(args: &BenchArgs, via: Via) -> Result<Measured> {
    let size = args.size.0 / BLOCK * BLOCK;
    let made = args.way.make(via, size, 1, args.depth.into())?;
    let socket = std::env::temp_dir().join(format!("mneme-swap-bench-{:016x}.sock", rand::random::<u64>()));
    let options = Options {
        socket: PathBuf::from(&socket),
        export: Export { name: "bench".into(), size },
        depth: args.depth.into(),
        held: 1024,
        spare: 2,
        via: via.name().to_owned(),
        board: made.board,
    };
    let server = Server::start(options, made.store, made.lanes).context(Fault::Swap)?;
    let run = Load::new(args, &socket, size).and_then(|mut load| {
        load.fill()?;
        load.run()
    });
    let (snapshot, ended) = (server.snapshot(), server.end());
    let mut measured = run?;
    ended?;
    measured.via = via.name();
    (measured.utilisation, measured.sent_again) = (snapshot.utilisation, snapshot.sent_again);
    Ok(measured)
}

/// A request under way.
struct Sent {
    command: Command,
    block: u64,
    at: Instant,
}

/// A client that knows what every block holds.
struct Load<'a> {
    args: &'a BenchArgs,
    client: NbdClient,
    random: StdRng,
    /// The version of each block's content; 0: it was never written, or discarded.
    versions: Vec<u64>,
    busy: Vec<bool>,
    live: Vec<u64>,
    /// Blocks that are not live.
    fresh: VecDeque<u64>,
    sent: HashMap<u64, Sent>,
    times: [Histogram<u64>; 2],
    bytes: Vec<u8>,
    next: u64,
}

fn word(block: u64, version: u64) -> [u8; 8] {
    (block.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ version.rotate_left(40)).to_le_bytes()
}

impl<'a> Load<'a> {
    fn new(args: &'a BenchArgs, socket: &std::path::Path, size: u64) -> Result<Load<'a>> {
        let blocks = size / BLOCK;
        let times = || Histogram::new_with_bounds(1, 3_600_000_000_000, 3).context("a histogram");
        Ok(Load {
            args,
            client: NbdClient::connect(socket).context("connecting to the device")?,
            random: StdRng::seed_from_u64(args.seed),
            versions: vec![0; blocks as usize],
            busy: vec![false; blocks as usize],
            live: Vec::new(),
            fresh: (0..blocks).collect(),
            sent: HashMap::new(),
            times: [times()?, times()?],
            bytes: vec![0; BYTES],
            next: 0,
        })
    }
    /// Writes three quarters of the device.
    fn fill(&mut self) -> Result<()> {
        let keep = self.fresh.len() / 4;
        while self.fresh.len() > keep {
            while self.sent.len() < usize::from(self.args.depth) && self.fresh.len() > keep {
                self.store_fresh()?;
            }
            self.settle()?;
        }
        self.settle_all()?;
        self.times.iter_mut().for_each(Histogram::reset);
        Ok(())
    }
    fn run(&mut self) -> Result<Measured> {
        let (began, limit) = (Instant::now(), Duration::from_secs_f64(self.args.seconds));
        let mut requests = 0;
        while began.elapsed() < limit && !interrupt::came() {
            while self.sent.len() < usize::from(self.args.depth) {
                self.begin()?;
                requests += 1;
            }
            self.settle()?;
        }
        self.settle_all()?;
        let took = began.elapsed().as_secs_f64();
        let us = |of: &Histogram<u64>, share| of.value_at_quantile(share) as f64 / 1e3;
        let rate = requests as f64 / took;
        Ok(Measured {
            via: "",
            requests,
            requests_per_second: rate,
            bytes_per_second: rate * BLOCK as f64,
            load_p50_us: us(&self.times[0], 0.5),
            load_p99_us: us(&self.times[0], 0.99),
            store_p50_us: us(&self.times[1], 0.5),
            store_p99_us: us(&self.times[1], 0.99),
            utilisation: 0.0,
            sent_again: 0,
            of_ram: None,
        })
    }

    /// A live block of which nothing is under way: its place among the live ones.
    fn pick(&mut self) -> usize {
        // More are live than can be under way.
        loop {
            let at = self.random.random_range(0..self.live.len());
            if !self.busy[self.live[at] as usize] {
                return at;
            }
        }
    }
    fn begin(&mut self) -> Result<()> {
        let drawn = match self.args.pattern {
            Pattern::Swap => self.random.random_range(0..10),
            Pattern::Loads => 0,
            Pattern::Stores => 6,
        };
        if drawn < 9 {
            let at = self.pick();
            let block = self.live[at];
            return if drawn < 6 { self.load(block) } else { self.store(block) };
        }
        let at = self.pick();
        let block = self.live.swap_remove(at);
        self.versions[block as usize] = 0;
        let cookie = self.client.send(Command::Trim, 0, block * BLOCK, BLOCK as u32, &[])?;
        self.expect(cookie, Command::Trim, block);
        self.store_fresh()
    }
    fn expect(&mut self, cookie: u64, command: Command, block: u64) {
        self.busy[block as usize] = true;
        self.sent.insert(cookie, Sent { command, block, at: Instant::now() });
    }
    fn load(&mut self, block: u64) -> Result<()> {
        let cookie = self.client.read(block * BLOCK, BLOCK as u32)?;
        self.expect(cookie, Command::Read, block);
        Ok(())
    }
    fn store(&mut self, block: u64) -> Result<()> {
        self.next += 1;
        self.versions[block as usize] = self.next;
        let word = word(block, self.next);
        self.bytes.chunks_exact_mut(8).for_each(|place| place.copy_from_slice(&word));
        let cookie = self.client.write(block * BLOCK, &self.bytes)?;
        self.expect(cookie, Command::Write, block);
        Ok(())
    }
    fn store_fresh(&mut self) -> Result<()> {
        let Some(block) = self.fresh.pop_front() else { return Ok(()) };
        self.live.push(block);
        self.store(block)
    }

    fn settle_all(&mut self) -> Result<()> {
        while !self.sent.is_empty() {
            self.settle()?;
        }
        Ok(())
    }
    /// Takes a reply and checks it.
    fn settle(&mut self) -> Result<()> {
        let Reply { cookie, error, bytes } = self.client.reply().context("the device's replies")?;
        let Sent { command, block, at } = self.sent.remove(&cookie).context("a reply to nothing")?;
        ensure!(error == 0, "{command:?} of block {block} failed with error {error}");
        self.busy[block as usize] = false;
        let nanoseconds = u64::try_from(at.elapsed().as_nanos()).unwrap_or(u64::MAX);
        match command {
            Command::Read => {
                let word = word(block, self.versions[block as usize]);
                ensure!(
                    bytes.len() == BYTES && bytes.chunks_exact(8).all(|found| found == word),
                    anyhow!("block {block} does not hold what was written").context(Fault::Data)
                );
                self.times[0].saturating_record(nanoseconds);
            }
            Command::Write => self.times[1].saturating_record(nanoseconds),
            // Its place is free for another store now.
            _ => self.fresh.push_back(block),
        }
        self.client.give_back(bytes);
        Ok(())
    }
}
