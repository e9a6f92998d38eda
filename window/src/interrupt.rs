//! The interrupt, as UIO has it (Linux, Documentation/driver-api/uio-howto.rst): a file that becomes readable.
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// A board's interrupt.
pub trait Interrupt: Send {
    /// Lets one interrupt come; the system masks it when it does.
    fn enable(&mut self) -> io::Result<()>;
    /// Waits for it. False: none came in this time.
    fn wait(&mut self, at_most: Duration) -> io::Result<bool>;
}

/// A file to which 4 bytes are written to let an interrupt come, and from which 4 bytes, the count of interrupts, are read
/// when one has: a device of UIO, or the socket of a simulated board.
#[derive(Debug)]
pub struct FileInterrupt(File);

impl FileInterrupt {
    /// Of an open file.
    pub fn new(file: OwnedFd) -> FileInterrupt {
        FileInterrupt(file.into())
    }
}

/// Waits until a file is readable or has ended. A signal ends the wait, too.
pub(crate) fn readable(files: &[&dyn AsFd], at_most: Duration) -> io::Result<bool> {
    let mut polled: Vec<PollFd<'_>> =
        files.iter().map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN)).collect();
    let timeout = Timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: at_most.subsec_nanos().into() };
    match poll(&mut polled, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether the other end of a socket is closed. What it sent before may still be there to read.
pub(crate) fn closed(file: &dyn AsFd) -> bool {
    let mut polled = [PollFd::from_borrowed_fd(file.as_fd(), PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&now)).is_ok() && polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}

impl Interrupt for FileInterrupt {
    fn enable(&mut self) -> io::Result<()> {
        self.0.write_all(&1u32.to_ne_bytes())
    }
    fn wait(&mut self, at_most: Duration) -> io::Result<bool> {
        if !readable(&[&self.0], at_most)? {
            return Ok(false);
        }
        let mut count = [0; 4];
        match self.0.read(&mut count)? {
            4 => Ok(true),
            0 => Err(io::Error::new(ErrorKind::UnexpectedEof, "the simulated board is gone")),
            other => {
                Err(io::Error::new(ErrorKind::InvalidData, format!("an interrupt's count of {other} bytes")))
            }
        }
    }
}
