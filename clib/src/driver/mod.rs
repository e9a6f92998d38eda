//! Drivers carry Mneme datagrams (header and payload) between a client and one board.
//!
//! Here: [`UdpDriver`], which needs no privileges, and [`RawDriver`], which carries Ethernet frames past the system's
//! UDP: by `pnet`, a packet ring or AF_XDP. [`open`] takes one by name, or the fastest that works. What touches the
//! kernel is in the crate `mneme-link`. Boards in the same process have a driver in the crate `mneme-world`
//! (`sim/world/src/inprocess.rs`). Nothing above this trait knows what carries the datagrams.
//!
//! Boards are named as `HOST[:PORT]` ([`BoardAddress`]): an IPv4 address or a name that has one; without a port it is
//! 19790. IPv6 is refused in words.
mod address;
mod choose;
mod joined;
mod raw;
mod speed;
mod udp;

pub use address::{AddressError, BoardAddress, ToBoard, host_and_port};
pub use choose::{Chosen, DriverKind, DriverOptions, NotTaken, Rejected, UnknownDriver, open};
pub use mneme_link::{Clock, LinkError, LinkKind, NotJoined, Refusal, Route, UdpOptions, Waiting, XdpMode};
pub use raw::RawDriver;
pub use speed::{Speed, probe};
pub use udp::UdpDriver;

use crate::error_ids::ErrorId;
use std::net::SocketAddrV4;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// A driver that cannot go on. Loss, refusals and unreachable networks are no errors: the transport's retries and
/// bounds deal with them, and [`Driver::trouble`] explains them. `Debug` shows the id and the remedy, too.
///
/// ```
/// use mneme_clib::UdpDriver;
///
/// let error = UdpDriver::connect("no address").err().unwrap();
/// println!("{error}");
/// ```
#[derive(thiserror::Error)]
pub enum DriverError {
    /// The operating system refused.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// What names the board is not of the form `HOST[:PORT]`, or stands for IPv6 alone.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// Nobody knows the board's name.
    #[error("cannot resolve the board's name `{host}`: {source}")]
    Resolve {
        /// The name.
        host: String,
        /// The resolver's reason.
        source: std::io::Error,
    },
    /// The datagram does not fit the path.
    #[error("a datagram of {0} bytes does not fit the path to the board: set a smaller largest payload")]
    TooLarge(usize),
    /// A raw link does not open, or cannot go on.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A driver through which the board was not reached.
    #[error("no answer at {peer}{}", because(.trouble.as_deref()))]
    NoAnswer {
        /// The board.
        peer: String,
        /// What the driver noticed.
        trouble: Option<String>,
    },
    /// Trailers are asked for, and the driver does not know the addresses that they cover.
    #[error("{0} does not tell its addresses and ports, which trailers cover")]
    NoAddresses(String),
    /// The board in this process has ended.
    #[error("the board has ended: {0}")]
    Ended(String),
}

impl std::fmt::Debug for DriverError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        ErrorId::from(self).explain(self, f)
    }
}

impl DriverError {
    /// Whether nothing can have left through the driver: it was never opened, or refused the datagram.
    pub(crate) fn is_before_sending(&self) -> bool {
        match self {
            DriverError::Address(_) | DriverError::Resolve { .. } | DriverError::NoAddresses(_) => true,
            DriverError::Link(error) => {
                !matches!(error, LinkError::Gone { .. } | LinkError::Io { .. } | LinkError::TooLong { .. })
            }
            _ => false,
        }
    }
}

fn because(trouble: Option<&str>) -> String {
    trouble.map_or_else(String::new, |trouble| format!(": {trouble}"))
}

/// Takes a datagram that came at a time.
///
/// ```
/// use mneme_clib::driver::Take;
/// use std::time::Duration;
///
/// let mut bytes = 0;
/// let take: &mut Take = &mut |_at: Duration, datagram: &[u8]| bytes += datagram.len();
/// take(Duration::ZERO, &[1, 2, 3]);
/// assert_eq!(bytes, 3);
/// ```
pub type Take<'a> = dyn FnMut(Duration, &[u8]) + 'a;

/// Carries datagrams to and from one board, and tells the time.
///
/// Nothing is copied on the way: datagrams are written where they leave from, and read where they arrived. A driver
/// allocates nothing per datagram.
///
/// ```
/// use mneme_clib::driver::{Driver, DriverError, Take};
/// use std::collections::VecDeque;
/// use std::time::Duration;
///
/// /// Answers each datagram with itself.
/// struct Echo(VecDeque<Vec<u8>>);
///
/// impl Driver for Echo {
///     fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
///         let mut datagram = vec![0; length];
///         fill(&mut datagram);
///         self.0.push_back(datagram);
///         Ok(())
///     }
///     fn receive(&mut self, _wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
///         let came = self.0.len();
///         self.0.drain(..).for_each(|datagram| take(Duration::ZERO, &datagram));
///         Ok(came)
///     }
///     fn now(&self) -> Duration {
///         Duration::ZERO
///     }
///     fn max_datagram(&self) -> usize {
///         1500
///     }
///     fn peer(&self) -> String {
///         "echo".into()
///     }
/// }
///
/// let mut echo = Echo(VecDeque::new());
/// echo.send(3, &mut |bytes| bytes.fill(7))?;
/// assert_eq!(echo.receive(Duration::ZERO, &mut |_, datagram| assert_eq!(datagram, [7; 3]))?, 1);
/// # Ok::<(), DriverError>(())
/// ```
pub trait Driver: Send {
    /// Takes a datagram of `length` bytes, which `fill` writes: `fill` is called once, with exactly `length` bytes of
    /// the memory that the datagram leaves from, whose content may be anything. Not longer than what
    /// [`Driver::max_datagram`] said after the last [`Driver::flush`]. The datagram may be kept back until the next.
    /// Does not block for long; may lose the datagram. After an error this datagram has not left and does not leave.
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError>;
    /// Sends what [`Driver::send`] kept back. Called before each wait, and before a call returns.
    fn flush(&mut self) -> Result<(), DriverError> {
        Ok(())
    }
    /// Gives back datagrams, each once, that [`Driver::send`] took and that certainly have not left and do not leave.
    /// Asked after each [`Driver::flush`], and after an error. What was lost on the way, or may have left, is not given
    /// back.
    fn take_back(&mut self, _back: &mut dyn FnMut(&[u8])) {}
    /// Waits up to `wait` for datagrams and gives each that has come to `take`, where it lies, with the time when it
    /// came (on the clock of [`Driver::now`]); answers how many, 0 when none came in time. Those that are longer than
    /// [`Driver::max_datagram`] may be thrown away. Drivers of simulated time let a moment pass even when `wait` is
    /// zero, so that clients that poll get somewhere.
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError>;
    /// Monotonic time: the wall clock's for sockets, the board's own for a board in the same process.
    fn now(&self) -> Duration;
    /// Bytes of the largest datagram that the path carries, Mneme header included. May change: a path's MTU does. That
    /// is no error of the driver; what it took that no longer fits it gives back ([`Driver::take_back`]).
    fn max_datagram(&self) -> usize;
    /// The board's name for messages, such as `udp://10.0.0.2:19790`.
    fn peer(&self) -> String;
    /// Where the board is found by other boards, which tell it in MOVED; `None`: this driver does not know.
    fn board_address(&self) -> Option<SocketAddrV4> {
        None
    }
    /// The own address and port and the board's, as frames have them, which trailers cover; `None`: this driver does not
    /// know, and its packets can have none. The same for the driver's life.
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        None
    }
    /// A call begins: until [`Driver::end_call`] its thread either works or waits in [`Driver::receive`]. Drivers of
    /// simulated time let none pass while a client works, so that its requests do not age while it is not running.
    fn begin_call(&mut self) {}
    /// The call has ended; the thread may do anything, for any time.
    fn end_call(&mut self) {}
    /// Whether [`Driver::receive`] without a wait is a look at memory, no system call and no time that passes. Such
    /// looks are made more freely.
    fn looks_for_free(&self) -> bool {
        false
    }
    /// Descriptors that are readable when datagrams have come, for futures that sleep until then. Copies: they may
    /// outlive the driver. None where there are none, or where waiting is to be done awake: then futures ask to be polled
    /// again at once.
    fn descriptors(&self) -> Vec<OwnedFd> {
        Vec::new()
    }
    /// Whether time goes on while nobody calls: then the client keeps the leases of its processes by a thread.
    fn goes_on_alone(&self) -> bool {
        false
    }
    /// What the driver noticed lately that explains silence, such as a refused connection.
    fn trouble(&self) -> Option<String> {
        None
    }
    /// How often in a row the board's host has said that nothing listens there, since a datagram came last.
    fn refusals(&self) -> u32 {
        0
    }
    /// What makes this way slower than it could be, a clause each, for people who ask.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}
