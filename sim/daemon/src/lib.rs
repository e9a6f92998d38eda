//! The daemon: a node behind one UDP socket, or on an Ethernet interface.
//!
//! Behind a socket each datagram becomes an Ethernet frame with its real addresses and ports, and what the board sends goes
//! back as datagrams; on an interface frames pass as they are (`wire`). Board time follows the wall clock (`pace`). An
//! idle daemon sleeps until something comes; one whose board waits for the slow path's workers looks at both in turns.
mod beside;
mod came;
mod capture;
mod driven;
pub mod hosted;
mod pace;
pub mod rdma;
mod room;
pub mod window;
mod wire;

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_auth::TenantsFile;
use mneme_link::Waiting;
use mneme_model::Node;
use mneme_model::port::NetworkPort;
use mneme_slowpath::{Config, FastPath, TenantsWatch};
use mneme_wire::Register;
use mneme_wire::register::BUILD_SIMULATED;

pub use beside::{Beside, NoPort};
use capture::Capture;
pub use driven::Driven;
pub use mneme_slowpath::{FileEpochs, board_identity};
use pace::Pace;
use room::Room;
pub use wire::{LinkWire, RawPort, SocketWire, Wire};

/// Datagrams taken from the socket before the board runs again.
const BATCH: usize = 64;
/// Frames taken from another port before the board runs again: about as many as an RDMA port has places for, or serves meanwhile.
const BESIDE: usize = 16;
/// Cycles that the board runs between two looks at the socket.
const SLICE: u64 = 1024;
/// How long an idle daemon sleeps at most: the stop flag is looked at, and the tick follows the clock.
const IDLE_WAIT: Duration = Duration::from_millis(20);
/// A board that nobody has asked anything for so long gives back the room of its free pages, so many pages each time that
/// nothing comes: a gigabyte within some seconds, and nobody who comes waits for long.
const REST: Duration = Duration::from_secs(2);
const FORGETS: usize = 64;
/// How long a daemon sleeps at most whose board waits for somebody who may never come.
const STUCK_WAIT: Duration = Duration::from_millis(1);
/// How long after the board began to run its answers may be kept for those that leave it next: the answers to requests that
/// came together are some cycles apart, and leave together. Looked at after each step.
const KEEP: Duration = Duration::from_micros(2);
/// Cycles that the last answers have to leave the board at its end.
const LAST_CYCLES: u64 = 1 << 16;
/// Worker threads of a served board's slow path unless told otherwise. They wait for the board most of the time; one source
/// has two of them at most, so that three that flood the slow path leave some for others.
pub const DEFAULT_WORKERS: usize = 8;

/// Settings of a daemon.
#[derive(Debug, Clone)]
pub struct Options {
    /// The board's MAC address, as its slow path was told.
    pub mac: [u8; 6],
    /// The board's IPv4 address, likewise.
    pub ip: [u8; 4],
    /// The board's UDP port, likewise ([`take_address`]).
    pub port: u16,
    /// Nanoseconds of wall-clock time that a board cycle lasts at least: what the advertised tick is made of.
    pub ns_per_cycle: u64,
    /// Where to write the frames in and out.
    pub capture: Option<PathBuf>,
    /// The file of the board's tenants, read again when it changes.
    pub tenants: Option<TenantsFile>,
}

impl Options {
    /// Those of a board with these settings and cycles; no frames are written, no file of tenants is read.
    pub fn of(config: &Config, ns_per_cycle: u64) -> Options {
        let Config { mac, ip, udp_port: port, .. } = *config;
        Options { mac, ip, port, ns_per_cycle, capture: None, tenants: None }
    }
}

/// Settings of the slow path of a board behind a daemon: ticks of the wall clock, and a window in wall-clock time that is
/// long enough for clients and daemons that have to wait for a processor (at least 16 ticks, below 2^22).
///
/// `board_kind` is what COUNTERS tells (1 software, 2 RTL); `seed` decides tokens, nonces and the first epoch.
pub fn config<F: FastPath + NetworkPort>(
    fast: &mut F,
    board_kind: u32,
    seed: [u8; 32],
    ns_per_cycle: u64,
    window: Duration,
) -> Config {
    let tick_ns = ns_per_cycle << fast.read_register(Register::TickLog2).min(24);
    Node::config(fast, board_kind, seed).timed(u32::try_from(tick_ns).unwrap_or(u32::MAX), window)
}

/// Gives a board the address and port of the socket that it is going to be behind: frames carry them, and trailers cover
/// them, as clients see them. False: the socket takes what comes to any address, so that a board behind it, which has one,
/// keeps that, and no trailer is right.
pub fn take_address(config: &mut Config, socket: &UdpSocket) -> bool {
    match socket.local_addr() {
        Ok(SocketAddr::V4(address)) if !address.ip().is_unspecified() => {
            (config.ip, config.udp_port) = (address.ip().octets(), address.port());
            true
        }
        _ => false,
    }
}

/// What a daemon did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Datagrams from the socket.
    pub received: u64,
    /// Datagrams to the socket.
    pub sent: u64,
    /// Datagrams from addresses other than IPv4.
    pub not_ipv4: u64,
    /// Frames of several datagrams that could not be told apart.
    pub unreadable: u64,
    /// Datagrams of sources that had their share of the room before the board.
    pub over_share: u64,
    /// Datagrams that the socket did not take.
    pub unsent: u64,
    /// Frames of the board that no datagram can carry: a bad check sequence, or not UDP.
    pub not_carried: u64,
    /// Ticks skipped while idle.
    pub ticks_skipped: u64,
    /// Board cycles at the end.
    pub cycles: u64,
}

/// Why a daemon ended early.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The socket failed.
    #[error("the board's socket failed: {0}")]
    Socket(#[source] io::Error),
    /// The board cannot be waited for.
    #[error("waiting for the board or its slow path failed: {0}")]
    Wait(#[source] io::Error),
    /// The raw link failed.
    #[error("the board's link failed: {0}")]
    Link(#[from] mneme_link::LinkError),
    /// The capture file failed.
    #[error("the capture file failed: {0}")]
    Capture(#[from] pcap_file::PcapError),
    /// The RDMA port failed.
    #[error("the board's RDMA port failed: {0}")]
    Rdma(#[from] mneme_rdma::udp::UdpError),
}

/// Serves until `stop` is set. The socket is the daemon's alone meanwhile.
pub fn serve<F: FastPath + NetworkPort>(
    node: &mut Node<F>,
    socket: &UdpSocket,
    options: &Options,
    stop: &AtomicBool,
) -> Result<Statistics, DaemonError> {
    let mut wire = SocketWire::new(socket, options, Waiting::Yield)?;
    serve_and_report(node, &mut wire, options, stop, &AtomicBool::new(false), |_, _| {})
}

/// As [`serve`], on any wire; whenever `asked` is set, clears it and calls `report`, between two steps of the board.
pub fn serve_and_report<N: Driven>(
    node: &mut N,
    wire: &mut dyn Wire,
    options: &Options,
    stop: &AtomicBool,
    asked: &AtomicBool,
    mut report: impl FnMut(&mut N, &Statistics),
) -> Result<Statistics, DaemonError> {
    serve_beside(
        node,
        wire,
        options,
        (stop, asked),
        |node, statistics, _| report(node, statistics),
        &mut NoPort,
    )
}

/// As [`serve_and_report`] with `(stop, asked)`, and with another port that uses the board between its steps.
pub fn serve_beside<N: Driven, B: Beside<N>>(
    node: &mut N,
    wire: &mut dyn Wire,
    options: &Options,
    (stop, asked): (&AtomicBool, &AtomicBool),
    mut report: impl FnMut(&mut N, &Statistics, &B),
    beside: &mut B,
) -> Result<Statistics, DaemonError> {
    let capture = options.capture.as_deref().map(Capture::create).transpose()?;
    let tick_cycles = 1 << node.fast().read_register(Register::TickLog2).min(24);
    let slots = node.fast().read_register(Register::PacketSlots) as usize;
    let skips = node.fast().read_register(Register::BuildFlags) & BUILD_SIMULATED != 0;
    let mut daemon = Daemon {
        pace: Pace::new(options.ns_per_cycle, Duration::ZERO),
        began: Instant::now(),
        cycles: node.fast().cycles(),
        held: None,
        kept: None,
        ran: Duration::ZERO,
        statistics: Statistics::default(),
        node,
        wire,
        beside,
        capture,
        tick_cycles,
        skips,
        room: Room::new(slots),
    };
    let mut watch = options.tenants.clone().map(TenantsWatch::new);
    while !stop.load(Ordering::Relaxed) {
        daemon.step()?;
        if let Some(list) = watch.as_mut().and_then(|watch| watch.look(daemon.began.elapsed())) {
            daemon.node.set_tenants(list);
        }
        if asked.swap(false, Ordering::Relaxed) {
            daemon.statistics.cycles = daemon.node.fast().cycles();
            daemon.beside.look(daemon.node);
            report(daemon.node, &daemon.statistics, daemon.beside);
        }
    }
    daemon.end()?;
    daemon.beside.look(daemon.node);
    daemon.statistics.cycles = daemon.node.fast().cycles();
    Ok(daemon.statistics)
}

struct Daemon<'a, N, B> {
    node: &'a mut N,
    wire: &'a mut dyn Wire,
    /// Another port of the board.
    beside: &'a mut B,
    capture: Option<Capture>,
    pace: Pace,
    began: Instant,
    tick_cycles: u64,
    /// Idle time can be skipped.
    skips: bool,
    /// What the board has packet slots for.
    room: Room,
    /// Board cycles that the pace knows of.
    cycles: u64,
    /// A frame that the board's port had no room for.
    held: Option<Vec<u8>>,
    /// When the board began to run for the first of the frames that the wire keeps back, since the daemon began.
    kept: Option<Duration>,
    /// When it began to run last.
    ran: Duration,
    statistics: Statistics,
}

impl<N: Driven, B: Beside<N>> Daemon<'_, N, B> {
    fn step(&mut self) -> Result<(), DaemonError> {
        if self.node.idle() && self.held.is_none() && !self.beside.is_due(self.node) {
            if self.kept.is_some() {
                self.flush()?;
            }
            self.room.empty();
            let first = self.receive(Some(IDLE_WAIT))?;
            self.follow_clock();
            match first {
                Some(frame) => self.offer(frame)?,
                None if self.began.elapsed().saturating_sub(self.ran) >= REST => {
                    self.node.forget_free(FORGETS);
                }
                None => {}
            }
        }
        self.beside.serve(self.node)?;
        self.take_batch()?;
        if self.node.is_stuck()
            && self.held.is_none()
            && let Some(frame) = self.receive(Some(STUCK_WAIT))?
        {
            self.offer(frame)?;
        }
        if self.node.waits_for_workers() {
            self.flush()?;
            // Whoever sleeps here lets datagrams wait that have nothing to do with workers.
            std::thread::yield_now();
            self.node.serve_workers();
            self.spend();
        }
        if !self.node.idle() {
            self.run()?;
        }
        self.send_all()
    }

    /// What the board has been asked is answered: the workers end their requests, and the answers leave.
    fn end(&mut self) -> Result<(), DaemonError> {
        self.node.close();
        for _ in 0..LAST_CYCLES / SLICE {
            self.send_all()?;
            if self.node.idle() {
                break;
            }
            self.node.run(SLICE);
        }
        self.flush()
    }

    /// The board was idle: its tick follows the wall clock, and the slow path sees it when there is a new one.
    fn follow_clock(&mut self) {
        if !self.skips {
            let cycles = self.pace.busy(self.began.elapsed()).min(SLICE);
            self.node.run(cycles);
            return self.spend();
        }
        let ticks = self.pace.idle(self.began.elapsed(), self.tick_cycles);
        if ticks > 0 {
            self.node.fast().write_register(Register::TickSkip, ticks);
            self.statistics.ticks_skipped += u64::from(ticks);
            self.node.run(1);
            self.spend();
        }
    }

    /// The board is busy: it runs as far as the wall clock allows.
    fn run(&mut self) -> Result<(), DaemonError> {
        self.ran = self.began.elapsed();
        let cycles = self.pace.busy(self.ran).min(SLICE);
        if cycles == 0 {
            self.flush()?;
            let wait = self.pace.wait_for(SLICE).min(IDLE_WAIT);
            if self.held.is_some() || self.room.is_full() {
                std::thread::sleep(wait);
            } else if let Some(frame) = self.receive(Some(wait))? {
                self.offer(frame)?;
            }
            return Ok(());
        }
        self.node.run_to_rest(cycles);
        self.spend();
        Ok(())
    }

    fn spend(&mut self) {
        let now = self.node.fast().cycles();
        self.pace.spend(now - self.cycles);
        self.room.passed(now - self.cycles);
        self.cycles = now;
    }

    /// Takes what waits in the socket, as far as the board has room.
    fn take_batch(&mut self) -> Result<(), DaemonError> {
        if let Some(frame) = self.held.take() {
            self.offer(frame)?;
        }
        for _ in 0..BESIDE {
            if self.held.is_some() || self.room.is_half_full() {
                break;
            }
            let Some(frame) = self.beside.frame()? else { break };
            self.offer(frame)?;
        }
        for _ in 0..BATCH {
            if self.held.is_some() || self.room.is_full() {
                break;
            }
            let Some(frame) = self.receive(None)? else { break };
            self.offer(frame)?;
        }
        Ok(())
    }

    fn offer(&mut self, frame: Vec<u8>) -> Result<(), DaemonError> {
        match self.node.submit(&frame) {
            Ok(()) => {
                self.room.entered(&frame);
                self.capture(&frame)?;
                self.wire.recycle(frame);
                Ok(())
            }
            Err(_) => {
                self.held = Some(frame);
                Ok(())
            }
        }
    }

    fn capture(&mut self, frame: &[u8]) -> Result<(), DaemonError> {
        match &mut self.capture {
            Some(capture) => Ok(capture.frame(self.began.elapsed(), frame)?),
            None => Ok(()),
        }
    }

    fn receive(&mut self, wait: Option<Duration>) -> Result<Option<Vec<u8>>, DaemonError> {
        let wait = match (wait, self.wire.fd()) {
            // Somebody else may want something of the board meanwhile.
            (Some(wait), Some(file)) if self.wait_all(file, wait)? => None,
            (Some(most), file) => Some(beside::wait(self.beside, file, most)?),
            (None, _) => None,
        };
        self.wire.receive(wait, &mut self.statistics)
    }

    /// Lets the board wait for this file, the other port's, and for who else may want something.
    fn wait_all(&self, file: BorrowedFd<'_>, at_most: Duration) -> Result<bool, DaemonError> {
        let files: Vec<_> = std::iter::once(file).chain(self.beside.fd()).collect();
        self.node.wait(&files, self.beside.rest(at_most)).map_err(DaemonError::Wait)
    }

    /// Sends what left the board, at once where nothing is to follow.
    fn send_all(&mut self) -> Result<(), DaemonError> {
        let mut any = false;
        while let Some(frame) = self.node.poll() {
            self.room.left(&frame.bytes, self.began.elapsed());
            if !self.beside.send(&frame) {
                self.wire.send(&frame, &mut self.statistics)?;
            }
            if self.capture.is_some() && !frame.bad_fcs {
                self.capture(&frame.bytes)?;
            }
            self.node.fast().recycle(frame.bytes);
            any = true;
        }
        if any {
            self.kept.get_or_insert(self.ran);
        }
        // A board that took longer to run has made them wait long enough.
        let is_late = |since| self.began.elapsed().saturating_sub(since) >= KEEP;
        if self.node.idle() || self.kept.is_some_and(is_late) { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), DaemonError> {
        self.kept = None;
        self.wire.flush(&mut self.statistics)
    }
}
