//! A thousand processes with the load of four threads each, beside the same load from one process.
//!
//! A thread's worth of load is a client with a socket, a source and one read outstanding. All clients are driven by one
//! thread of this program in turn: what is compared is what the board makes of processes, not what the system makes of
//! threads. Both crowds have the same number of clients and read the same number of pages.
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use mneme_clib::{AllocOptions, OpenOptions, Pending, Polled, Process, ReadOwned};
use mneme_tests::rig::veth::End;
use mneme_wire::Counter;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Options;
use crate::board::{Board, CLIENT_PROCESSOR, Setup, cable, connect_small};
use crate::drivers::ways::pin;
use mneme_tests::figures::{Axis, Bound, Figures, Goal, Plot, Series, Table};
use mneme_tests::meter::{Meter, Run, cumulative, latencies};
use mneme_tests::statistics::{Mean, Samples, interleave};

const PROCESSES: usize = 1000;
const THREADS: usize = 4;
const CLIENTS: usize = PROCESSES * THREADS;
/// Bytes of a read.
const BYTES: usize = 64;
/// How much longer than others this is measured: a round of all clients takes a tenth of a second.
const SPANS: u32 = 10;
/// Two crowds' pages, and the table.
const MEMORY: u64 = 1 << 30;
/// Files of this program besides the clients' sockets.
const OTHER_FILES: u64 = 200;
/// What the rate from many processes is to be against that from one.
const GOAL: f64 = 0.9;

/// Clients that work together, each with the page that it reads.
struct Crowd {
    processes: usize,
    clients: Vec<(Process, u64)>,
}

impl Crowd {
    fn open(processes: usize) -> Result<Crowd> {
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let (threads, pages) = (CLIENTS / processes, PROCESSES / processes);
        let mut clients = Vec::with_capacity(CLIENTS);
        for number in 0..processes {
            let first = connect_small()?.open(OpenOptions::default())?;
            let (pid, token, page) = (first.pid(), first.token(), first.page_size());
            let base = first.ralloc_with(pages as u64 * page, whole)?;
            for at in 0..pages {
                first.rwrite(base + at as u64 * page, &value(number + at))?;
            }
            let va = |thread: usize| base + (thread % pages) as u64 * page;
            clients.push((first, va(0)));
            for thread in 1..threads {
                clients.push((connect_small()?.join(pid, token)?, va(thread)));
            }
        }
        Ok(Crowd { processes, clients })
    }
    fn name(&self) -> String {
        format!(
            "{CLIENTS} clients in {} process{}",
            self.processes,
            if self.processes == 1 { "" } else { "es" }
        )
    }
    /// What a client's page holds.
    fn expected(&self, client: usize) -> [u8; BYTES] {
        value(if self.processes == 1 { client % PROCESSES } else { client / THREADS })
    }
    /// Every client has one read outstanding all the time.
    fn read(&self, time: Duration) -> Result<Run> {
        let mut meter = Meter::new(time);
        let begin = |client: usize, into| {
            let (process, va) = &self.clients[client];
            Flight { client, began: Instant::now(), call: process.rread_owned_async(*va, into) }
        };
        let mut flying: VecDeque<Flight> = (0..CLIENTS).map(|client| begin(client, vec![0; BYTES])).collect();
        let mut fruitless = 0;
        while let Some(Flight { client, began, call }) = flying.pop_front() {
            // A round of looks that found nothing: the next one waits, and leaves the processor to the board.
            let polled = if fruitless > flying.len() { Polled::Ready(call.wait()) } else { call.rpoll() };
            match polled {
                Polled::Pending(call) => {
                    fruitless += 1;
                    flying.push_back(Flight { client, began, call });
                }
                Polled::Ready(result) => {
                    let (mut bytes, now) = (result?, Instant::now());
                    fruitless = 0;
                    meter.ended(began, now);
                    ensure!(
                        bytes == self.expected(client),
                        "client {client} read other bytes than were written"
                    );
                    bytes.fill(0);
                    if !meter.is_over(now) {
                        flying.push_back(begin(client, bytes));
                    }
                }
            }
        }
        Ok(meter.run())
    }
}

/// A read under way.
struct Flight {
    client: usize,
    began: Instant,
    call: Pending<ReadOwned>,
}

fn value(page: usize) -> [u8; BYTES] {
    std::array::from_fn(|at| (page * 31 + at) as u8)
}

/// Lets this program have a socket for each client.
fn allow_files() -> Result<()> {
    let needed = 2 * CLIENTS as u64 + OTHER_FILES;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_some_and(|current| current < needed) {
        let maximum = maximum.map(|maximum| maximum.max(needed));
        setrlimit(Resource::Nofile, Rlimit { current: Some(needed), maximum }).with_context(|| {
            format!("{needed} sockets: raise the bound of open files (`ulimit -n {needed}`)")
        })?;
    }
    Ok(())
}

pub fn measure(options: &Options) -> Result<Figures> {
    allow_files()?;
    let veth = cable()?;
    let setup = Setup { memory: MEMORY, ..Setup::default() };
    let _board = Board::start(&veth, setup)?;
    let (all, lost) = veth.at(End::Client, || {
        pin(CLIENT_PROCESSOR);
        let crowds = [Crowd::open(1)?, Crowd::open(PROCESSES)?];
        let all = interleave(options.rounds(), crowds, |crowd| crowd.read(SPANS * options.time()));
        let lost = connect_small()?.board_counters()?.get(Counter::DropIngressFull);
        anyhow::Ok((all, lost))
    })?;
    if let Some(reason) = all.iter().find_map(|crowd| crowd.failed.as_deref()) {
        anyhow::bail!("{reason}");
    }
    Ok(figures(options, &all, lost))
}

fn figures(options: &Options, all: &[Samples<Crowd, Run>], lost: u64) -> Figures {
    let about = format!(
        "{CLIENTS} clients, each with a UDP socket of its own and one read of {BYTES} bytes outstanding, driven in turn by one \
         thread of one program (a thread's worth of load each, not a thread), on one software board over veth; once as {PROCESSES} \
         processes of {THREADS} clients, once all in one process; {PROCESSES} pages either way; {} rounds of {:?}; {lost} requests \
         found the board's packet slots full",
        options.rounds,
        SPANS * options.time()
    );
    let mut figures = Figures::new("processes", about);
    let rates = |crowd: &Samples<Crowd, Run>| crowd.samples.iter().map(|run| run.rate).collect::<Vec<_>>();
    let one = rates(&all[0]);
    let mut table = Table::new(
        "Reads from many processes",
        &["load", "reads/s", "p50 µs", "p99 µs", "against one process"],
    );
    let mut plot = Plot {
        title: format!("Latency of a read of {BYTES} bytes, {CLIENTS} outstanding"),
        x: Axis::powers(10.0, "µs"),
        y: Axis::linear("share of reads that took no longer"),
        series: Vec::new(),
    };
    for crowd in all {
        let mut latency = latencies();
        for run in &crowd.samples {
            latency.add(&run.latency).expect("all have the same bounds");
        }
        let quantile = |share| latency.value_at_quantile(share) as f64 / 1e3;
        table.rows.push(vec![
            crowd.contestant.name().into(),
            Mean::of(&rates(crowd)).into(),
            quantile(0.5).into(),
            quantile(0.99).into(),
            Mean::of_ratios(&rates(crowd), &one).into(),
        ]);
        plot.series.push(Series { name: crowd.contestant.name(), points: cumulative(&latency) });
    }
    let ratio = Mean::of_ratios(&rates(&all[1]), &one);
    let name = format!("{PROCESSES} processes × {THREADS} clients against the same load from one process");
    figures.goals.push(Goal::new(name, Bound::AtLeast(GOAL), "×", ratio));
    figures.tables.push(table);
    figures.plots.push(plot);
    figures
}
