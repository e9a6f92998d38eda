//! Frames through a ring that is shared with the kernel.
//!
//! Received frames are read where the kernel put them, without a system call each. Frames to send leave with one
//! `sendmmsg` per batch, not through a ring: the kernel declares a slot of a transmit ring free while the frame's pages
//! may still lie in the receive queue of a socket on the same machine (veth passes them on uncopied), and the next
//! frame would overwrite them.
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use crate::batch::Batch;
use crate::error::LinkError;
use crate::filter::Selection;
use crate::interface::Interface;
use crate::packet::PacketSocket;
use crate::ring::RxRing;
use crate::waiting::{Wait, Waiting, copies};
use crate::{Link, LinkCounters};

/// Frames that the receive ring holds; what comes while it is full is lost.
const SLOTS: usize = 1024;

/// A packet socket with a receive ring (packet_mmap). Needs CAP_NET_RAW.
#[derive(Debug)]
pub struct PacketRing {
    // Before the socket: the mapping goes first.
    ring: RxRing,
    socket: PacketSocket,
    batch: Batch,
    waiting: Waiting,
    counters: LinkCounters,
}

impl PacketRing {
    /// Opens a link on an interface for the frames selected.
    pub fn open(
        interface: &Interface,
        selection: Selection,
        waiting: Waiting,
    ) -> Result<PacketRing, LinkError> {
        let socket = PacketSocket::open(interface, &selection.program())?;
        socket.bypass_queueing()?;
        let largest = interface.largest_frame();
        let ring = RxRing::new(&socket.socket, largest, SLOTS).map_err(|source| LinkError::Unsupported {
            what: "a packet ring",
            reason: format!("{source}; the drivers pnet and udp do without"),
        })?;
        socket.bind()?;
        let (batch, counters) = (Batch::new(largest), LinkCounters::default());
        Ok(PacketRing { ring, socket, batch, waiting, counters })
    }
}

impl Link for PacketRing {
    fn mac(&self) -> [u8; 6] {
        self.socket.interface.mac
    }
    fn mtu(&self) -> usize {
        self.socket.interface.mtu
    }
    fn queue(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), LinkError> {
        if length > self.socket.interface.largest_frame() {
            return Err(LinkError::TooLong { length, mtu: self.mtu() });
        }
        if self.batch.is_full() {
            self.flush()?;
        }
        fill(self.batch.push(length));
        Ok(())
    }
    fn flush(&mut self) -> Result<(), LinkError> {
        let flushed = self.batch.flush(self.socket.socket.as_raw_fd(), false);
        self.counters.sent += flushed.sent as u64;
        self.counters.unsent += flushed.unsent as u64;
        flushed.error.map_or(Ok(()), |error| self.socket.judge("cannot send frames", error))
    }
    fn receive(
        &mut self,
        longest: Duration,
        most: usize,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<usize, LinkError> {
        let mut wait = Wait::new(longest);
        let largest = self.socket.interface.largest_frame();
        loop {
            let mut taken = 0;
            while taken < most
                && let Some(frame) = self.ring.peek()
            {
                if frame.length > largest || frame.bytes.len() < frame.length {
                    self.counters.too_long += 1;
                } else {
                    take(frame.bytes);
                    taken += 1;
                }
                self.ring.release();
            }
            if taken > 0 {
                self.counters.received += taken as u64;
                self.socket.trouble = None;
                return Ok(taken);
            }
            let again = wait.again(self.waiting, &[self.socket.as_fd()]);
            if !again.map_err(LinkError::io("cannot wait for frames"))? {
                // Seldom: a waiting client asks every few milliseconds at most. Without a wait, there is no time to
                // ask.
                return if longest.is_zero() { Ok(0) } else { self.socket.take_error().map(|()| 0) };
            }
            if self.waiting == Waiting::Yield && self.ring.peek().is_none() {
                self.socket.take_error()?;
            }
        }
    }
    fn set_waiting(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }
    fn descriptors(&self) -> Vec<OwnedFd> {
        copies(self.waiting, &[self.socket.as_fd()])
    }
    fn counters(&self) -> LinkCounters {
        self.counters
    }
    fn trouble(&self) -> Option<String> {
        self.socket.trouble.clone()
    }
}
