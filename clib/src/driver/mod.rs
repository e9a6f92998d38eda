//! Drivers carry Mneme datagrams (header and payload) between a client and one board.
//!
//! Here: [`UdpDriver`], which needs no privileges. Boards in the same process have theirs in the crate `mneme-sim`
//! (`sim/src/inprocess.rs`). Raw Ethernet (`driver/packet.rs`) and AF_XDP (`driver/xdp.rs`) come later as further
//! implementations of [`Driver`]; nothing above this trait knows what carries the datagrams.
mod udp;

pub use udp::UdpDriver;

use std::time::Duration;

/// A driver that cannot go on. Loss, refusals and unreachable networks are no errors: the transport's retries and
/// bounds deal with them, and [`Driver::trouble`] explains them.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The operating system refused.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The datagram does not fit the path.
    #[error("a datagram of {0} bytes does not fit the path to the board: set a smaller largest payload")]
    TooLarge(usize),
    /// The board in this process has ended.
    #[error("the board has ended: {0}")]
    Ended(String),
}

/// Takes a datagram that came at a time.
pub type Take<'a> = dyn FnMut(Duration, &[u8]) + 'a;

/// Carries datagrams to and from one board, and tells the time.
///
/// Nothing is copied on the way: datagrams are written where they leave from, and read where they arrived. A driver
/// allocates nothing per datagram.
pub trait Driver: Send {
    /// Takes a datagram of `length` bytes, [`Driver::max_datagram`] at most, which `fill` writes: `fill` is called once, with
    /// exactly `length` bytes of the memory that the datagram leaves from, whose content may be anything. The datagram may be
    /// kept back until [`Driver::flush`]. Does not block for long; may lose the datagram.
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError>;
    /// Sends what [`Driver::send`] kept back. Called before each wait, and before a call returns.
    fn flush(&mut self) -> Result<(), DriverError> {
        Ok(())
    }
    /// Waits up to `wait` for datagrams and gives each that has come to `take`, where it lies, with the time when it came (on
    /// the clock of [`Driver::now`]); answers how many, 0 when none came in time. Those that are longer than [`Driver::max_datagram`] may be thrown away. Drivers of simulated time let a
    /// moment pass even when `wait` is zero, so that clients that poll get somewhere.
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError>;
    /// Monotonic time: the wall clock's for sockets, the board's own for a board in the same process.
    fn now(&self) -> Duration;
    /// Bytes of the largest datagram that the path carries, Mneme header included.
    fn max_datagram(&self) -> usize;
    /// The board's name for messages, such as `udp://10.0.0.2:19790`.
    fn peer(&self) -> String;
    /// A call begins: until [`Driver::end_call`] its thread either works or waits in [`Driver::receive`]. Drivers of
    /// simulated time let none pass while a client works, so that its requests do not age while it is not running.
    fn begin_call(&mut self) {}
    /// The call has ended; the thread may do anything, for any time.
    fn end_call(&mut self) {}
    /// What the driver noticed lately that explains silence, such as a refused connection.
    fn trouble(&self) -> Option<String> {
        None
    }
}
