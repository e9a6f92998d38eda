//! Which driver: named, or the fastest that works here.
use super::speed::{Speed, measure, probe};
use super::{Driver, DriverError, RawDriver, Take, ToBoard, UdpDriver};
use mneme_link::{LinkKind, Route, UdpOptions, Waiting, XdpMode};
use std::fmt;
use std::net::SocketAddrV4;
use std::os::fd::OwnedFd;
use std::str::FromStr;
use std::time::Duration;

/// A way to a board.
///
/// ```
/// use mneme_clib::DriverKind;
///
/// assert_eq!("tpacket".parse(), Ok(DriverKind::Tpacket));
/// assert_eq!(DriverKind::default(), DriverKind::Udp);
/// ```
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
    /// The drivers, the fastest first, as `cargo xtask bench drivers` measures them over veth with one request
    /// outstanding: what decides between drivers that are as good as equally fast.
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
///
/// ```
/// use mneme_clib::DriverKind;
///
/// let error = "smoke".parse::<DriverKind>().unwrap_err();
/// assert!(error.to_string().contains("`smoke`"));
/// ```
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
///
/// ```no_run
/// use mneme_clib::{Client, ClientOptions, DriverKind, DriverOptions};
/// # fn main() -> mneme_clib::Result<()> {
/// let fastest = DriverOptions { kind: DriverKind::Auto, ..DriverOptions::default() };
/// let client = Client::connect_to("10.0.0.2:19790", &fastest, ClientOptions::default())?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct DriverOptions {
    /// Which driver.
    pub kind: DriverKind,
    /// How to wait for answers.
    pub waiting: Waiting,
    /// Raw drivers: interface, addresses, neighbour.
    pub route: Route,
}

/// Why a driver was not taken.
///
/// ```
/// use mneme_clib::driver::NotTaken;
///
/// assert!(NotTaken::Lossy.to_string().contains("lost every ping"));
/// ```
#[derive(Debug)]
pub enum NotTaken {
    /// It does not work here.
    Fails(DriverError),
    /// Another is as fast or faster.
    NoFaster {
        /// What it was measured to need.
        speed: Speed,
        /// What the other one needs.
        taken: Speed,
    },
    /// It reached the board, and then lost every ping.
    Lossy,
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTaken::Fails(error) => error.fmt(f),
            NotTaken::NoFaster { speed, taken } => write!(f, "no faster: {speed}; against {taken}"),
            NotTaken::Lossy => f.write_str("it reached the board once, and then lost every ping"),
        }
    }
}

/// A driver that was looked at, and why it was not taken.
///
/// ```no_run
/// # fn example(chosen: &mneme_clib::driver::Chosen) -> mneme_clib::Result<()> {
/// for rejected in &chosen.rejected {
///     println!("{}: {}", rejected.kind, rejected.reason);
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Rejected {
    /// Which.
    pub kind: DriverKind,
    /// Why not.
    pub reason: NotTaken,
}

/// The driver that was taken, and those that were not.
///
/// ```no_run
/// use mneme_clib::driver::{self, DriverKind, DriverOptions};
/// # fn main() -> mneme_clib::Result<()> {
/// let options = DriverOptions { kind: DriverKind::Auto, ..DriverOptions::default() };
/// let chosen = driver::open("10.0.0.2:19790", &options)?;
/// println!("{}", chosen.kind);
/// # Ok(()) }
/// ```
pub struct Chosen {
    /// The driver.
    pub driver: Box<dyn Driver>,
    /// Which it is; never [`DriverKind::Auto`].
    pub kind: DriverKind,
    /// What it was measured to need, if there was a choice.
    pub speed: Option<Speed>,
    /// The others, each with what speaks against it.
    pub rejected: Vec<Rejected>,
}

impl Chosen {
    fn only(kind: DriverKind, driver: Box<dyn Driver>, rejected: Vec<Rejected>) -> Chosen {
        Chosen { driver, kind, speed: None, rejected }
    }
    /// Why the others were not taken, a clause each: "not afxdp: …".
    pub fn remarks(&self) -> Vec<String> {
        self.rejected.iter().map(|other| format!("not {}: {}", other.kind, other.reason)).collect()
    }
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let peer = self.driver.peer();
        f.debug_struct("Chosen")
            .field("peer", &peer)
            .field("speed", &self.speed)
            .field("rejected", &self.rejected)
            .finish()
    }
}

/// Opens a driver to a board, `HOST[:PORT]`. A driver that is named sends nothing yet. [`DriverKind::Auto`] opens all, and sends pings
/// through those that open: the one that needs least for pings alone and several at once is taken, for this board, this
/// interface and this way of waiting. Where no raw driver reaches the board that is the UDP socket, which is not asked
/// to. Blocks for up to 0.3 s for each driver that opens and reaches nobody, and for 0.2 s to measure.
pub fn open(board: impl ToBoard, options: &DriverOptions) -> Result<Chosen, DriverError> {
    let board = board.to_board()?;
    if options.kind != DriverKind::Auto {
        return Ok(Chosen::only(options.kind, open_one(board, options.kind, options)?, Vec::new()));
    }
    // Where the system opens no UDP socket it opens nothing else.
    let mut udp = Some(open_one(board, DriverKind::Udp, options)?);
    let (mut reached, mut rejected) = (Vec::new(), Vec::new());
    for kind in DriverKind::BY_SPEED {
        let opened = match kind {
            DriverKind::Udp if reached.is_empty() => continue,
            DriverKind::Udp => udp.take().ok_or_else(|| DriverError::Ended("opened once".into())),
            _ => open_one(board, kind, options),
        };
        match opened.and_then(|mut driver| probe(driver.as_mut()).map(|_| driver)) {
            Ok(driver) => reached.push((kind, driver)),
            Err(error) => rejected.push(Rejected { kind, reason: NotTaken::Fails(error) }),
        }
    }
    match (udp, reached.is_empty()) {
        (Some(udp), true) => Ok(Chosen::only(DriverKind::Udp, udp, rejected)),
        _ => Ok(fastest(reached, rejected)),
    }
}

/// The fastest of drivers that reach the board, of which there is one at least.
fn fastest(mut reached: Vec<(DriverKind, Box<dyn Driver>)>, mut rejected: Vec<Rejected>) -> Chosen {
    let mut drivers: Vec<&mut dyn Driver> =
        reached.iter_mut().map(|(_, driver)| driver.as_mut() as &mut dyn Driver).collect();
    let speeds = measure(&mut drivers);
    let best = Speed::best(&speeds);
    let taken = speeds.get(best).copied().flatten();
    let others = reached.iter().zip(&speeds).enumerate().filter(|(place, _)| *place != best);
    rejected.extend(others.map(|(_, ((kind, _), speed))| Rejected {
        kind: *kind,
        reason: match (*speed, taken) {
            (Some(speed), Some(taken)) => NotTaken::NoFaster { speed, taken },
            _ => NotTaken::Lossy,
        },
    }));
    let (kind, driver) = reached.swap_remove(best);
    Chosen { driver, kind, speed: taken, rejected }
}

fn open_one(
    board: SocketAddrV4,
    kind: DriverKind,
    options: &DriverOptions,
) -> Result<Box<dyn Driver>, DriverError> {
    Ok(match kind.link() {
        Some(link) => Box::new(RawDriver::connect(board, link, &options.route, options.waiting)?),
        None => {
            let udp = UdpOptions { waiting: options.waiting, ..UdpOptions::default() };
            Box::new(UdpDriver::connect_with(board, udp)?)
        }
    })
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
    fn take_back(&mut self, back: &mut dyn FnMut(&[u8])) {
        (**self).take_back(back);
    }
    fn max_datagram(&self) -> usize {
        (**self).max_datagram()
    }
    fn peer(&self) -> String {
        (**self).peer()
    }
    fn board_address(&self) -> Option<SocketAddrV4> {
        (**self).board_address()
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        (**self).addresses()
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
    fn descriptors(&self) -> Vec<OwnedFd> {
        (**self).descriptors()
    }
    fn goes_on_alone(&self) -> bool {
        (**self).goes_on_alone()
    }
    fn trouble(&self) -> Option<String> {
        (**self).trouble()
    }
    fn refusals(&self) -> u32 {
        (**self).refusals()
    }
    fn remarks(&self) -> Vec<String> {
        (**self).remarks()
    }
}
