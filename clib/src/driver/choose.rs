//! Which driver: named, or the fastest that works here.
use super::{Driver, DriverError, RawDriver, Take, UdpDriver};
use mneme_link::{LinkKind, Route, UdpOptions, Waiting, XdpMode};
use mneme_wire::header::{HEADER_LEN, Packet};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Pid, Tick, Va};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How long a board may take to answer the ping that decides whether a raw driver reaches it, and how often it is sent.
const PROBE: Duration = Duration::from_millis(100);
const PROBES: usize = 3;

/// A way to a board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum DriverKind {
    /// The fastest that works here.
    Auto,
    /// A UDP socket: no privileges, any network.
    #[default]
    Udp,
    /// Raw Ethernet through `pnet`.
    Pnet,
    /// Raw Ethernet with a receive ring shared with the kernel.
    Tpacket,
    /// AF_XDP.
    AfXdp,
}

impl DriverKind {
    /// The drivers, the fastest first, as `cargo xtask bench drivers` measures them.
    pub const BY_SPEED: [DriverKind; 4] =
        [DriverKind::Tpacket, DriverKind::AfXdp, DriverKind::Udp, DriverKind::Pnet];

    /// The name in options and messages.
    pub fn name(self) -> &'static str {
        match self {
            DriverKind::Auto => "auto",
            DriverKind::Udp => "udp",
            DriverKind::Pnet => "pnet",
            DriverKind::Tpacket => "tpacket",
            DriverKind::AfXdp => "afxdp",
        }
    }
    /// The raw link of this driver, if it is one.
    pub fn link(self) -> Option<LinkKind> {
        match self {
            DriverKind::Auto | DriverKind::Udp => None,
            DriverKind::Pnet => Some(LinkKind::Pnet),
            DriverKind::Tpacket => Some(LinkKind::PacketRing),
            DriverKind::AfXdp => Some(LinkKind::Xdp(XdpMode::Generic)),
        }
    }
}

impl fmt::Display for DriverKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A driver of no such name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no driver `{0}`: there are auto, udp, pnet, tpacket and afxdp")]
pub struct UnknownDriver(String);

impl FromStr for DriverKind {
    type Err = UnknownDriver;

    fn from_str(name: &str) -> Result<DriverKind, UnknownDriver> {
        let all = [DriverKind::Auto].into_iter().chain(DriverKind::BY_SPEED);
        all.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownDriver(name.into()))
    }
}

/// How to reach boards.
#[derive(Debug, Clone, Default)]
pub struct DriverOptions {
    /// Which driver.
    pub kind: DriverKind,
    /// How to wait for answers.
    pub waiting: Waiting,
    /// Raw drivers: interface, addresses, neighbour.
    pub route: Route,
}

/// A driver that was looked at, and why it was not taken.
#[derive(Debug)]
pub struct Rejected {
    /// Which.
    pub kind: DriverKind,
    /// What it lacks.
    pub reason: DriverError,
}

/// The driver that was taken, and those that are faster and were not.
pub struct Chosen {
    /// The driver.
    pub driver: Box<dyn Driver>,
    /// Which it is; never [`DriverKind::Auto`].
    pub kind: DriverKind,
    /// Faster drivers, each with what keeps it from working.
    pub rejected: Vec<Rejected>,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let peer = self.driver.peer();
        f.debug_struct("Chosen").field("peer", &peer).field("rejected", &self.rejected).finish()
    }
}

/// Opens a driver to a board. A driver that is named sends nothing yet. [`DriverKind::Auto`] tries the raw drivers from the
/// fastest on: the first through which the board answers a ping is taken, else the UDP socket. That blocks for up to 0.3 s
/// for each raw driver that opens and reaches nobody.
pub fn open(board: &str, options: &DriverOptions) -> Result<Chosen, DriverError> {
    if options.kind != DriverKind::Auto {
        let driver = open_one(board, options.kind, options)?;
        return Ok(Chosen { driver, kind: options.kind, rejected: Vec::new() });
    }
    let mut rejected = Vec::new();
    for kind in DriverKind::BY_SPEED {
        let probed = open_one(board, kind, options).and_then(|mut driver| {
            if kind != DriverKind::Udp {
                probe(driver.as_mut())?;
            }
            Ok(driver)
        });
        match probed {
            Ok(driver) => return Ok(Chosen { driver, kind, rejected }),
            // What a UDP socket cannot do, such as resolve the name, no other can.
            Err(reason) if kind == DriverKind::Udp => return Err(reason),
            Err(reason) => rejected.push(Rejected { kind, reason }),
        }
    }
    Err(DriverError::Ended("no driver was tried".into()))
}

fn open_one(board: &str, kind: DriverKind, options: &DriverOptions) -> Result<Box<dyn Driver>, DriverError> {
    Ok(match kind.link() {
        Some(link) => Box::new(RawDriver::connect(board, link, &options.route, options.waiting)?),
        None => {
            let udp = UdpOptions { waiting: options.waiting, ..UdpOptions::default() };
            Box::new(UdpDriver::connect_with(board, udp)?)
        }
    })
}

/// Whether the board answers a ping through a driver.
pub fn probe(driver: &mut dyn Driver) -> Result<Duration, DriverError> {
    let request = mneme_wire::header::Request {
        trailer: mneme_wire::Trailer::None,
        key_phase: false,
        opcode: Opcode::Ping,
        epoch: 0,
        pid: Pid::NONE,
        op_id: 0,
        attempt: 0,
        time: Tick::default(),
        va: Va::default(),
        length: BoardInfo::LEN as u16,
    };
    let mut bytes = [0; HEADER_LEN + BoardInfo::LEN];
    bytes[..HEADER_LEN].copy_from_slice(&request.to_bytes());
    for _ in 0..PROBES {
        let began = driver.now();
        driver.send(bytes.len(), &mut |to| to.copy_from_slice(&bytes))?;
        driver.flush()?;
        while driver.now() < began + PROBE {
            let left = (began + PROBE).saturating_sub(driver.now());
            let mut answered = None;
            driver.receive(left, &mut |now, datagram| {
                let is_answer = Packet::new_checked(datagram)
                    .is_ok_and(|packet| packet.is_response() && packet.opcode_number() == Opcode::Ping as u8);
                answered = answered.or(is_answer.then_some(now));
            })?;
            if let Some(answered) = answered {
                return Ok(answered.saturating_sub(began));
            }
        }
    }
    Err(DriverError::NoAnswer { peer: driver.peer(), trouble: driver.trouble() })
}

impl<D: Driver + ?Sized> Driver for Box<D> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        (**self).send(length, fill)
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        (**self).flush()
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        (**self).receive(wait, take)
    }
    fn now(&self) -> Duration {
        (**self).now()
    }
    fn max_datagram(&self) -> usize {
        (**self).max_datagram()
    }
    fn peer(&self) -> String {
        (**self).peer()
    }
    fn begin_call(&mut self) {
        (**self).begin_call();
    }
    fn end_call(&mut self) {
        (**self).end_call();
    }
    fn looks_for_free(&self) -> bool {
        (**self).looks_for_free()
    }
    fn trouble(&self) -> Option<String> {
        (**self).trouble()
    }
    fn remarks(&self) -> Vec<String> {
        (**self).remarks()
    }
}
