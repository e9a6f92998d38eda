//! Ethernet frames and UDP datagrams in and out of Linux by its fast ways, behind safe interfaces.
//!
//! A [`Link`] carries whole Ethernet frames over one network interface. There are three: [`Pnet`] (one system call a
//! frame, through the crate `pnet_datalink`), [`PacketRing`] (a receive ring shared with the kernel) and [`XdpLink`]
//! (AF_XDP). Which frames a link sees is decided in the kernel by its [`Selection`]. [`Station`] turns frames into the
//! datagrams of one connection and back: it resolves neighbours and answers for its own address. [`UdpBatch`] is the
//! unprivileged way: a connected UDP socket with several datagrams per system call; [`UdpPort`] is the same for one
//! that serves many peers.
//!
//! Nothing here knows what the datagrams mean. Links block only in `receive`, for the time given at most; what a full
//! buffer cannot take is lost and counted, as on a wire. Sans-IO parts ([`Station`], [`Neighbours`]) take the time from
//! outside.
//!
//! All unsafe code of the client lives in this crate.
#[cfg(not(target_os = "linux"))]
compile_error!("mneme-link drives Linux's packet sockets");

mod afxdp;
mod batch;
mod bpf;
mod clock;
mod connection;
mod error;
mod filter;
mod frame;
mod interface;
mod joining;
mod line;
mod messages;
mod neighbours;
mod packet;
mod path;
mod peers;
mod pnet;
mod port;
mod prefetch;
mod reserve;
mod ring;
mod station;
mod tpacket;
mod udp;
mod virtio;
mod waiting;

pub use afxdp::{XdpLink, XdpMode};
pub use clock::Clock;
pub use connection::{Connection, LinkKind, Route};
pub use error::{LinkError, Refusal};
pub use filter::Selection;
pub use frame::Frame;
pub use interface::Interface;
pub use joining::{Answers, NotJoined};
pub use line::Left;
pub use neighbours::{Neighbours, Resolved};
pub use peers::JoiningPeers;
pub use pnet::Pnet;
pub use port::{PortSent, UdpPort};
pub use reserve::PortReservation;
pub use station::{Received, Station, StationConfig, StationCounters};
pub use tpacket::PacketRing;
pub use udp::{UdpBatch, UdpOptions, is_loss};
pub use waiting::Waiting;

use std::os::fd::OwnedFd;
use std::time::Duration;

use frame::write_datagram;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET};

/// Bytes of an Ethernet header.
pub const ETHERNET_HEADER: usize = 14;

/// What a link has seen and lost since it was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinkCounters {
    /// Frames handed to the kernel; of those with several datagrams each counts.
    pub sent: u64,
    /// The same that the kernel had no room for, or refused while the interface was down.
    pub unsent: u64,
    /// Frames received; joined ones are one.
    pub received: u64,
    /// Frames received that were longer than the interface's MTU allows, or than there is room for: several in one, which
    /// this link does not take apart.
    pub too_long: u64,
    /// Datagrams sent in frames of several.
    pub sent_joined: u64,
    /// Datagrams received in frames of several.
    pub received_joined: u64,
}

/// Carries Ethernet frames over one interface.
pub trait Link: Send {
    /// The interface's MAC address.
    fn mac(&self) -> [u8; 6];
    /// Bytes of the largest IP packet that the link carries both ways.
    fn mtu(&self) -> usize;
    /// Whether datagrams that may be joined leave so. Ends for good when the kernel or the interface refuses.
    fn joins(&self) -> bool {
        false
    }
    /// Whether the line has no room for one more frame before the next [`Link::flush`].
    fn is_full(&self) -> bool;
    /// Puts a frame of `length` bytes, which `fill` writes, in line. It leaves at the next [`Link::flush`] or before;
    /// when the line is full, it is lost and counted. Does not block.
    fn queue(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), LinkError>;
    /// The same for a datagram, whose headers the link writes ([`mneme_wire::frame::emit_headers`], without a checksum). `joins`: whoever
    /// reads it takes joined ones apart, so that it may leave in one frame with others of the same way in line.
    fn send(
        &mut self,
        endpoints: &Endpoints,
        length: usize,
        _joins: bool,
        fill: &mut dyn FnMut(&mut [u8]),
    ) -> Result<(), LinkError> {
        self.queue(MNEME_OFFSET + length, &mut |frame| write_datagram(endpoints, fill, frame))
    }
    /// Sends what is in line, and shows `left` the datagrams of each frame that has several. Does not block; what the kernel has
    /// no room for is lost and counted.
    fn flush(&mut self, left: &mut Left) -> Result<(), LinkError>;
    /// Hands up to `most` frames to `take`, waiting up to `wait` for the first. Answers how many; joined ones are one.
    fn receive(
        &mut self,
        wait: Duration,
        most: usize,
        take: &mut dyn FnMut(Frame<'_>),
    ) -> Result<usize, LinkError>;
    /// How [`Link::receive`] waits from now on.
    fn set_waiting(&mut self, waiting: Waiting);
    /// Copies of what is readable when frames have come, or errors; none while waiting is done awake.
    fn descriptors(&self) -> Vec<OwnedFd>;
    /// What happened so far.
    fn counters(&self) -> LinkCounters;
    /// What the link noticed lately that explains silence, such as an interface that is down.
    fn trouble(&self) -> Option<String>;
    /// What makes this way slower than it could be, a clause each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}
