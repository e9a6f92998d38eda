//! The ways that datagrams can take, and the client's end of a ping-pong.
use std::io::ErrorKind;
use std::net::{SocketAddr, SocketAddrV4, UdpSocket};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use mneme_clib::driver::{LinkKind, Route, UdpOptions, Waiting, XdpMode};
use mneme_clib::{Driver, RawDriver, UdpDriver};
use mneme_tests::rig::veth::{End, INTERFACE, Veth};

use super::Shape;

/// Ports of the two ends where sockets are the system's.
pub const CLIENT_PORT: u16 = 19_791;
pub const BOARD_PORT: u16 = 19_790;
/// A datagram that is not back by then is lost, and one more is sent in its place.
const PATIENCE: Duration = Duration::from_millis(50);

/// A way between the two ends; both take the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `send` and `recv`, one call a packet, asleep while waiting.
    PlainAsleep,
    /// The same, awake: what the others are compared with.
    Plain,
    /// The UDP driver with `sendmmsg` and `recvmmsg` alone.
    Udp,
    /// The UDP driver with segmentation and coalescing by the kernel.
    UdpSegmented,
    /// A raw driver.
    Raw(LinkKind),
}

impl Way {
    pub fn all() -> Vec<Way> {
        vec![
            Way::Plain,
            Way::PlainAsleep,
            Way::Udp,
            Way::UdpSegmented,
            Way::Raw(LinkKind::Pnet),
            Way::Raw(LinkKind::PacketRing),
            Way::Raw(LinkKind::Xdp(XdpMode::Generic)),
            Way::Raw(LinkKind::Xdp(XdpMode::Native)),
        ]
    }
    pub fn name(self) -> &'static str {
        match self {
            Way::PlainAsleep => "plain UDP, asleep",
            Way::Plain => "plain UDP",
            Way::Udp => "udp driver, no GSO",
            Way::UdpSegmented => "udp driver, GSO",
            Way::Raw(LinkKind::Pnet) => "pnet",
            Way::Raw(LinkKind::PacketRing) => "tpacket",
            Way::Raw(LinkKind::Xdp(XdpMode::Generic)) => "afxdp, generic",
            Way::Raw(LinkKind::Xdp(XdpMode::Native)) => "afxdp, native",
        }
    }
    pub fn is_raw(self) -> bool {
        matches!(self, Way::Raw(_))
    }
    pub fn udp_options(self) -> UdpOptions {
        let segment = self == Way::UdpSegmented;
        UdpOptions {
            segmentation: segment,
            coalescing: segment,
            waiting: Waiting::Spin,
            ..UdpOptions::default()
        }
    }
}

/// Ties the calling thread to a processor.
pub fn pin(processor: usize) {
    pin_to(&[processor]);
}

/// Ties the calling thread, and those that it starts, to some processors.
pub fn pin_to(processors: &[usize]) {
    let mut set = rustix::thread::CpuSet::new();
    processors.iter().for_each(|processor| set.set(*processor));
    // A machine with one processor measures what it can.
    if let Err(error) = rustix::thread::sched_setaffinity(None, &set) {
        eprintln!("processors {processors:?} are not to be had: {error}");
    }
}

/// What the drivers do while they are awake: every so many looks the processor is offered to others.
pub fn offer_processor(looks: u32) {
    if looks.is_multiple_of(256) {
        std::thread::yield_now();
    }
}

/// Keeps `depth` datagrams going round for a time; answers round trips per second.
pub fn ping_pong(veth: &Veth, way: Way, shape: Shape, depth: usize, time: Duration) -> Result<f64> {
    let board = SocketAddrV4::new(Veth::address(End::Board), BOARD_PORT);
    veth.at(End::Client, || {
        pin(0);
        match way {
            Way::Plain | Way::PlainAsleep => plain(board, way, shape, depth, time),
            Way::Udp | Way::UdpSegmented => {
                let driver = UdpDriver::connect_from(
                    SocketAddr::from((Veth::address(End::Client), CLIENT_PORT)),
                    board,
                    way.udp_options(),
                )?;
                through(driver, shape, depth, time)
            }
            Way::Raw(kind) => {
                let route = Route { interface: Some(INTERFACE.into()), ..Route::default() };
                through(RawDriver::connect(board, kind, &route, Waiting::Spin)?, shape, depth, time)
            }
        }
    })
}

fn plain(board: SocketAddrV4, way: Way, shape: Shape, depth: usize, time: Duration) -> Result<f64> {
    let socket = UdpSocket::bind((Veth::address(End::Client), CLIENT_PORT)).context("binding")?;
    socket.connect(board)?;
    socket.set_nonblocking(way == Way::Plain)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let (sent, mut buffer) = (vec![7; shape.asked], vec![0; 2 * shape.longest()]);
    let (mut run, mut looks) = (Run::new(depth, time), 0);
    loop {
        while run.may_send() {
            socket.send(&sent)?;
        }
        match socket.recv(&mut buffer) {
            Ok(came) if came == shape.answered => run.came(1),
            Ok(other) => bail!("{other} bytes came back"),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                looks += 1;
                offer_processor(looks);
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(rate) = run.over()? {
            return Ok(rate);
        }
    }
}

fn through(mut driver: impl Driver, shape: Shape, depth: usize, time: Duration) -> Result<f64> {
    let mut run = Run::new(depth, time);
    loop {
        while run.may_send() {
            driver.send(shape.asked, &mut |to| to.fill(7))?;
        }
        driver.flush()?;
        let mut right = true;
        let came = driver.receive(PATIENCE, &mut |_, datagram| right &= datagram.len() == shape.answered)?;
        if !right {
            bail!("a datagram of another length came back");
        }
        run.came(came);
        if let Some(rate) = run.over()? {
            return Ok(rate);
        }
    }
}

/// The window of a ping-pong, and its figures. A tenth of the time is for warming up.
struct Run {
    depth: usize,
    outstanding: usize,
    began: Instant,
    last: Instant,
    time: Duration,
    warm: Option<Instant>,
    done: u64,
    lost: u64,
    looks: u32,
}

impl Run {
    fn new(depth: usize, time: Duration) -> Run {
        let now = Instant::now();
        Run { depth, outstanding: 0, began: now, last: now, time, warm: None, done: 0, lost: 0, looks: 0 }
    }
    fn may_send(&mut self) -> bool {
        let may = self.outstanding < self.depth;
        self.outstanding += usize::from(may);
        may
    }
    fn came(&mut self, count: usize) {
        self.outstanding = self.outstanding.saturating_sub(count);
        self.done += count as u64;
        self.looks = if count > 0 { 0 } else { self.looks + 1 };
    }
    /// The rate, when the time is over. What is lost is replaced; a way that loses much does not work.
    fn over(&mut self) -> Result<Option<f64>> {
        let now = Instant::now();
        if self.looks == 0 {
            self.last = now;
        } else if now - self.last > PATIENCE {
            (self.last, self.lost) = (now, self.lost + self.outstanding as u64);
            self.outstanding = 0;
            if self.lost > 16 * self.depth as u64 {
                bail!("{} datagrams were lost", self.lost);
            }
        }
        if self.warm.is_none() && now - self.began > self.time / 10 {
            (self.warm, self.done) = (Some(now), 0);
        }
        let over = self.warm.filter(|warm| now - *warm >= self.time);
        Ok(over.map(|warm| self.done as f64 / (now - warm).as_secs_f64()))
    }
}
