//! Another port of a board, served by the board's own thread between its steps.
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use mneme_model::port::EgressFrame;

use super::DaemonError;

/// How long a daemon waits at most for a wire that nothing tells of.
const LOOK: Duration = Duration::from_micros(50);

/// A port beside the network's.
pub trait Beside<N> {
    /// Serves what has come, some of it at most. Answers whether there was anything. Does not block.
    fn serve(&mut self, node: &mut N) -> Result<bool, DaemonError>;
    /// A frame that has come for the board's network port from another way than the wire's. Does not block.
    fn frame(&mut self) -> Result<Option<Vec<u8>>, DaemonError> {
        Ok(None)
    }
    /// Sends a frame of the board, if it is this port's to send. False: it is the wire's.
    fn send(&mut self, _: &EgressFrame) -> bool {
        false
    }
    /// Whether [`Beside::serve`] has something to do that nothing from outside tells of.
    fn is_due(&self, _: &N) -> bool {
        false
    }
    /// What tells that something has come; `None`: nothing ever does.
    fn fd(&self) -> Option<BorrowedFd<'_>>;
    /// How long nothing is to be done if nothing comes, `most` at most.
    fn rest(&self, most: Duration) -> Duration;
    /// Looks at what it counts only now and then: somebody is about to ask, or serving ends.
    fn look(&mut self, _: &mut N) {}
    /// What it has counted, by name.
    fn counted(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

/// No port.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPort;

impl<N> Beside<N> for NoPort {
    fn serve(&mut self, _: &mut N) -> Result<bool, DaemonError> {
        Ok(false)
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }
    fn rest(&self, most: Duration) -> Duration {
        most
    }
}

/// Waits until something has come to either, up to `most`. Answers how long the wire is still to be waited for.
pub(crate) fn wait<N>(
    beside: &impl Beside<N>,
    wire: Option<BorrowedFd<'_>>,
    most: Duration,
) -> Result<Duration, DaemonError> {
    let Some(other) = beside.fd() else { return Ok(most) };
    let most = beside.rest(most);
    let Some(wire) = wire else { return Ok(most.min(LOOK)) };
    let time = Timespec { tv_sec: most.as_secs().min(1) as i64, tv_nsec: most.subsec_nanos().into() };
    let mut both =
        [PollFd::from_borrowed_fd(wire, PollFlags::IN), PollFd::from_borrowed_fd(other, PollFlags::IN)];
    match poll(&mut both, Some(&time)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(Duration::ZERO),
        Err(error) => Err(DaemonError::Socket(error.into())),
    }
}
