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

/// Carries datagrams to and from one board, and tells the time.
pub trait Driver: Send {
    /// Sends a datagram. Does not block for long; may lose it.
    fn send(&mut self, datagram: &[u8]) -> Result<(), DriverError>;
    /// Waits up to `wait` for a datagram and writes it into `into`; answers its length, `None` when none came.
    /// A datagram that is longer than `into` is thrown away. Drivers of simulated time let a moment pass even when `wait` is
    /// zero, so that clients that poll get somewhere.
    fn receive(&mut self, into: &mut [u8], wait: Duration) -> Result<Option<usize>, DriverError>;
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
