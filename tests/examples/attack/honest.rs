//! Honest clients: CLib, at addresses of their own, in a paced closed loop. What they suffer is what counts.
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use hdrhistogram::Histogram;
use mneme_clib::driver::UdpOptions;
use mneme_clib::{
    AllocOptions, Client, ClientOptions, Credentials, Integrity, OpenOptions, Process, TransportConfig,
    UdpDriver,
};
use mneme_tests::meter::latencies;
use mneme_tests::rig::in_process::{BOARD_KEY, TENANT_KEY};

use crate::board::Kind;

/// How long an operation may take before it counts as failed.
const PATIENCE: Duration = Duration::from_secs(8);
/// Bytes of a read and of a write.
const BYTES: usize = 64;

/// What an honest client does over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Reads what it has written.
    Read,
    /// Writes.
    Write,
    /// Allocates a page and frees it; the ALLOC is measured.
    Alloc,
    /// Opens a process and ends it; the OPEN is measured.
    Open,
}

impl Work {
    pub const USUAL: [Work; 3] = [Work::Read, Work::Write, Work::Alloc];
    pub fn name(self) -> &'static str {
        match self {
            Work::Read => "READ",
            Work::Write => "WRITE",
            Work::Alloc => "ALLOC",
            Work::Open => "OPEN",
        }
    }
    /// From the begin of an operation to that of the next: far below what the board could serve.
    fn pace(self, kind: Kind) -> Duration {
        let slower = if kind.is_slow() { 4 } else { 1 };
        match self {
            Work::Read | Work::Write => slower * Duration::from_millis(1),
            Work::Alloc => slower * Duration::from_millis(5),
            Work::Open => slower * Duration::from_millis(10),
        }
    }
    fn address(self) -> Ipv4Addr {
        Ipv4Addr::new(127, 0, 1, 1 + self as u8)
    }
}

/// What one of them has met.
#[derive(Debug)]
pub struct Suffered {
    pub work: Work,
    /// Nanoseconds of each operation. One that took longer than the pace stands for those that it kept from beginning, too.
    pub latency: Histogram<u64>,
    /// Operations that ended well.
    pub done: u64,
    pub rate: f64,
    pub failures: u64,
    /// What the first failure said.
    pub why: Option<String>,
}

impl Suffered {
    pub fn p99_ms(&self) -> f64 {
        self.latency.value_at_quantile(0.99) as f64 / 1e6
    }
    pub fn max_ms(&self) -> f64 {
        self.latency.max() as f64 / 1e6
    }
}

/// Honest clients at work, until told to stop.
pub struct Crew {
    stop: Arc<AtomicBool>,
    go: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Result<Suffered>>>,
    pub pids: Vec<u32>,
}

impl Crew {
    /// Opens their processes and touches their memory; they begin to work when told to.
    pub fn hire(works: &[Work], kind: Kind, board: SocketAddrV4, keyed: bool) -> Result<Crew> {
        let (stop, go) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let mut crew = Crew { stop, go, threads: Vec::new(), pids: Vec::new() };
        for work in works.iter().copied() {
            let one = One::hire(work, kind, board, keyed)?;
            crew.pids.push(one.process.pid());
            let (stop, go) = (crew.stop.clone(), crew.go.clone());
            crew.threads.push(std::thread::spawn(move || one.labour(&go, &stop)));
        }
        Ok(crew)
    }
    pub fn begin(&self) {
        self.go.store(true, Ordering::Release);
    }
    /// What each has met, after they have looked at their memory once more.
    pub fn end(mut self) -> Result<Vec<Suffered>> {
        self.halt();
        let threads = std::mem::take(&mut self.threads);
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("an honest client panicked"))))
            .collect()
    }
    fn halt(&self) {
        self.stop.store(true, Ordering::Release);
        self.begin();
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.halt();
    }
}

struct One {
    client: Client,
    work: Work,
    pace: Duration,
    process: Process,
    va: u64,
    /// What its memory holds.
    round: u64,
}

impl One {
    fn hire(work: Work, kind: Kind, board: SocketAddrV4, keyed: bool) -> Result<One> {
        let client = if keyed { prove(work.address(), board) } else { connect(work.address(), board) }?;
        let process = client.open(OpenOptions::default())?;
        let va = process.ralloc_with(process.page_size(), whole())?;
        process.rwrite(va, &value(0))?;
        Ok(One { client, work, pace: work.pace(kind), process, va, round: 0 })
    }
    fn labour(mut self, go: &AtomicBool, stop: &AtomicBool) -> Result<Suffered> {
        while !go.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut met =
            Suffered { work: self.work, latency: latencies(), done: 0, rate: 0.0, failures: 0, why: None };
        let (began, mut next) = (Instant::now(), Instant::now());
        while !stop.load(Ordering::Acquire) {
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            let now = Instant::now();
            next = now + self.pace;
            match self.once() {
                Ok(took) => {
                    met.done += 1;
                    let pace = self.pace.as_nanos() as u64;
                    met.latency.record_correct(took.as_nanos() as u64, pace)?;
                }
                Err(error) => {
                    met.failures += 1;
                    met.latency.saturating_record(now.elapsed().as_nanos() as u64);
                    met.why.get_or_insert(format!("{error:#}"));
                }
            }
        }
        met.rate = met.done as f64 / began.elapsed().as_secs_f64();
        if let Err(error) = self.look().and_then(|()| Ok(self.process.exit()?)) {
            met.failures += 1;
            met.why.get_or_insert(format!("at the end: {error:#}"));
        }
        Ok(met)
    }
    /// How long one operation took.
    fn once(&mut self) -> Result<Duration> {
        let began = Instant::now();
        match self.work {
            Work::Read => {
                self.look()?;
                Ok(began.elapsed())
            }
            Work::Write => {
                self.process.rwrite(self.va, &value(self.round + 1))?;
                self.round += 1;
                Ok(began.elapsed())
            }
            Work::Alloc => {
                let va = self.process.ralloc_with(self.process.page_size(), whole())?;
                let took = began.elapsed();
                self.process.rfree(va)?;
                Ok(took)
            }
            Work::Open => {
                let process = self.client.open(OpenOptions::default())?;
                let took = began.elapsed();
                process.exit()?;
                Ok(took)
            }
        }
    }
    fn look(&self) -> Result<()> {
        let mut bytes = [0; BYTES];
        self.process.rread(self.va, &mut bytes)?;
        ensure!(bytes == value(self.round), "memory holds other bytes than were written");
        Ok(())
    }
}

/// A client of the board at an address of this machine.
pub fn connect(ip: Ipv4Addr, board: SocketAddrV4) -> Result<Client> {
    connect_by(ip, board, ClientOptions::default())
}

/// One that proves its tenant, and has tags.
fn prove(ip: Ipv4Addr, board: SocketAddrV4) -> Result<Client> {
    let credentials = Some(Credentials::new(TENANT_KEY).board(BOARD_KEY.public()));
    connect_by(
        ip,
        board,
        ClientOptions { integrity: Integrity::Tag, credentials, ..ClientOptions::default() },
    )
}

fn connect_by(ip: Ipv4Addr, board: SocketAddrV4, options: ClientOptions) -> Result<Client> {
    let driver = UdpDriver::connect_from(SocketAddr::from((ip, 0)), board, UdpOptions::default())?;
    let transport = TransportConfig { give_up: PATIENCE, ..TransportConfig::default() };
    Ok(Client::connect(driver, ClientOptions { transport, ..options })?)
}

/// Pages that the heap of the library has no part in: each call reaches the board.
fn whole() -> AllocOptions {
    AllocOptions { own_pages: true, ..AllocOptions::default() }
}

fn value(round: u64) -> [u8; BYTES] {
    std::array::from_fn(|at| (round.wrapping_mul(0x9e37_79b9) >> (at % 8 * 8)) as u8 ^ at as u8)
}
