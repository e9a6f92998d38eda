//! Waiting for a descriptor: asleep, or looking again and again.
use std::hint;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// How to wait for a frame or datagram.
///
/// ```
/// assert_eq!(mneme_link::Waiting::default(), mneme_link::Waiting::Yield);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Waiting {
    /// Asleep in the kernel: leaves the processor to others, and a wake-up takes some microseconds.
    #[default]
    Yield,
    /// Awake: the lowest latency, for a processor of its own. Even so it lets others run every now and then, so that
    /// two ends on one processor get on.
    Spin,
}

/// Copies of descriptors for somebody who sleeps until one is readable; none where waiting is done awake, or where the
/// system has no more descriptors.
pub(crate) fn copies(waiting: Waiting, fds: &[BorrowedFd<'_>]) -> Vec<OwnedFd> {
    match waiting {
        Waiting::Spin => Vec::new(),
        Waiting::Yield => {
            fds.iter().map(BorrowedFd::try_clone_to_owned).collect::<Result<_, _>>().unwrap_or_default()
        }
    }
}

/// Looks between two offers of the processor to others while spinning.
const LOOKS: u32 = 256;

/// A wait until a moment, in one of the two ways.
pub(crate) struct Wait {
    longest: Duration,
    /// Known once there was nothing: a wait that ends at once has not looked at the clock.
    until: Option<Instant>,
    looks: u32,
}

impl Wait {
    pub(crate) fn new(longest: Duration) -> Wait {
        Wait { longest, until: None, looks: 0 }
    }
    /// Waits a while for one of the descriptors to have something. Answers whether it is worth looking again.
    pub(crate) fn again(&mut self, waiting: Waiting, fds: &[BorrowedFd<'_>]) -> std::io::Result<bool> {
        if self.longest.is_zero() {
            return Ok(false);
        }
        let until = *self.until.get_or_insert_with(|| Instant::now() + self.longest);
        match waiting {
            Waiting::Spin => {
                self.looks = self.looks.wrapping_add(1);
                if !self.looks.is_multiple_of(LOOKS) {
                    hint::spin_loop();
                    return Ok(true);
                }
                std::thread::yield_now();
                Ok(Instant::now() < until)
            }
            Waiting::Yield => {
                let left = until.saturating_duration_since(Instant::now());
                Ok(!left.is_zero() && readable(fds, left)?)
            }
        }
    }
}

/// Sleeps until one of the descriptors has something to read or an error to tell; false when the time passed or a
/// signal came.
pub(crate) fn readable(fds: &[BorrowedFd<'_>], longest: Duration) -> std::io::Result<bool> {
    let mut polled = [const { None }; 2];
    for (slot, fd) in polled.iter_mut().zip(fds) {
        *slot = Some(PollFd::new(fd, PollFlags::IN));
    }
    let timeout = Timespec {
        tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(longest.subsec_nanos()),
    };
    let result = match &mut polled {
        [Some(one), None] => poll(std::slice::from_mut(one), Some(&timeout)),
        [Some(_), Some(_)] => {
            let mut both = polled.map(|fd| fd.expect("both are there"));
            poll(&mut both, Some(&timeout))
        }
        _ => Ok(0),
    };
    match result {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
