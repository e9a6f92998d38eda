//! Frames through a ring that is shared with the kernel.
//!
//! Received frames are read where the kernel put them, without a system call each. Frames to send leave with one
//! `sendmmsg` per batch, not through a ring: the kernel declares a slot of a transmit ring free while the frame's pages
//! may still lie in the receive queue of a socket on the same machine (veth passes them on uncopied), and the next
//! frame would overwrite them.
//!
//! With a kernel of 6.2 or later datagrams leave and arrive joined (PACKET_VNET_HDR, UDP_SEGMENT's way): one frame that
//! goes through the kernel once, and is taken apart by who reads it, or by the kernel or the interface where it leaves
//! the machine.
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use mneme_wire::frame::{Endpoints, MNEME_OFFSET};

use crate::bpf::WayEnd;
use crate::error::LinkError;
use crate::filter::Selection;
use crate::frame::Frame;
use crate::interface::Interface;
use crate::line::{Left, Line};
use crate::packet::{PacketSocket, knows_joined};
use crate::ring::{AROUND, RxRing, Slot};
use crate::virtio::Joined;
use crate::waiting::{Wait, Waiting, copies};
use crate::{Link, LinkCounters};

/// Frames that the receive ring holds; what comes while it is full is lost.
const SLOTS: usize = 1024;
/// The same of one peer's frames, where a slot holds joined ones: some clients' windows.
const SLOTS_OF_ONE_PEER: usize = 256;
/// Bytes of the largest frame where joined ones are taken: a slot of 64 KB, which is a hundred bytes less than what a sender
/// that asks for the most could join. Nobody here does ([`crate::joining::MOST_JOINED`]).
const LARGEST_JOINED: usize = (1 << 16) - AROUND;

/// A packet socket with a receive ring (packet_mmap). Needs CAP_NET_RAW.
#[derive(Debug)]
pub struct PacketRing {
    // Before the socket: the mapping goes first.
    ring: RxRing,
    /// Where the system lets programs do that: nothing behind the ring handles the datagrams, too.
    way_end: Result<WayEnd, String>,
    socket: PacketSocket,
    line: Line,
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
        let largest = interface.largest_frame();
        let socket = PacketSocket::open(interface, &selection.program(largest))?;
        socket.bypass_queueing()?;
        let (ring, told) = match joined_ring(&socket, selection) {
            Some(ring) => (ring, true),
            None => (plain_ring(&socket, largest)?, false),
        };
        socket.bind()?;
        let line = Line::new(largest, told);
        let way_end = WayEnd::attach(interface.index, selection).map_err(|error| error.to_string());
        Ok(PacketRing { ring, way_end, socket, line, waiting, counters: LinkCounters::default() })
    }
    /// Whether there is room in line for a frame; one that finds none is counted.
    fn takes(&mut self, length: usize) -> Result<bool, LinkError> {
        if length > self.socket.interface.largest_frame() {
            return Err(LinkError::TooLong { length, mtu: self.mtu() });
        }
        self.counters.unsent += u64::from(self.line.is_full());
        Ok(!self.line.is_full())
    }
}

/// A ring for joined frames, where the kernel knows them and has the memory.
fn joined_ring(socket: &PacketSocket, selection: Selection) -> Option<RxRing> {
    let slots = match selection {
        Selection::Port { .. } => SLOTS_OF_ONE_PEER,
        Selection::Host { .. } => SLOTS,
    };
    if !knows_joined() || socket.set_told(true).is_err() {
        return None;
    }
    let ring = RxRing::new(&socket.socket, LARGEST_JOINED, slots, true).ok();
    if ring.is_none() {
        // What was set can be taken back while there is no ring.
        let _plain = socket.set_told(false);
    }
    ring
}

fn plain_ring(socket: &PacketSocket, largest: usize) -> Result<RxRing, LinkError> {
    RxRing::new(&socket.socket, largest, SLOTS, false).map_err(|source| LinkError::Unsupported {
        what: "a packet ring",
        reason: format!("{source}; the drivers pnet and udp do without"),
    })
}

/// The frame in a slot, unless it is cut, or longer than the interface's MTU allows and not joined.
fn whole<'a>(slot: &Slot<'a>, largest: usize) -> Option<Frame<'a>> {
    let (segment, length) = match slot.told.joined {
        Joined::Not => (None, slot.length),
        Joined::Datagrams(each) => (Some(each), MNEME_OFFSET + usize::from(each)),
        Joined::Other => return None,
    };
    let fits = length <= largest && slot.bytes.len() == slot.length;
    fits.then_some(Frame { bytes: slot.bytes, segment, unsummed: slot.told.unsummed })
}

impl Link for PacketRing {
    fn mac(&self) -> [u8; 6] {
        self.socket.interface.mac
    }
    fn mtu(&self) -> usize {
        self.socket.interface.mtu
    }
    fn joins(&self) -> bool {
        self.line.joins()
    }
    fn is_full(&self) -> bool {
        self.line.is_full()
    }
    fn queue(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), LinkError> {
        if self.takes(length)? {
            fill(self.line.push(length));
        }
        Ok(())
    }
    fn send(
        &mut self,
        endpoints: &Endpoints,
        length: usize,
        joins: bool,
        fill: &mut dyn FnMut(&mut [u8]),
    ) -> Result<(), LinkError> {
        if self.takes(MNEME_OFFSET + length)? {
            self.line.send(endpoints, length, joins, fill);
        }
        Ok(())
    }
    fn flush(&mut self, left: &mut Left) -> Result<(), LinkError> {
        let flushed = self.line.flush(self.socket.socket.as_raw_fd(), left);
        self.counters.sent += flushed.sent as u64;
        self.counters.unsent += flushed.unsent as u64;
        self.counters.sent_joined += flushed.joined as u64;
        flushed.error.map_or(Ok(()), |error| self.socket.judge("cannot send frames", error))
    }
    fn receive(
        &mut self,
        longest: Duration,
        most: usize,
        take: &mut dyn FnMut(Frame<'_>),
    ) -> Result<usize, LinkError> {
        let mut wait = Wait::new(longest);
        let largest = self.socket.interface.largest_frame();
        loop {
            let mut taken = 0;
            while taken < most
                && let Some(slot) = self.ring.peek()
            {
                match whole(&slot, largest) {
                    Some(frame) => {
                        if let Some(each) = frame.segment {
                            let payload = frame.bytes.len().saturating_sub(MNEME_OFFSET);
                            self.counters.received_joined += payload.div_ceil(each.into()) as u64;
                        }
                        take(frame);
                        taken += 1;
                    }
                    None => self.counters.too_long += 1,
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
    fn remarks(&self) -> Vec<String> {
        let also =
            |reason| format!("the system handles each datagram, too, before it throws it away: {reason}");
        self.way_end.as_ref().err().map(also).into_iter().collect()
    }
    fn trouble(&self) -> Option<String> {
        self.socket.trouble.clone()
    }
}
