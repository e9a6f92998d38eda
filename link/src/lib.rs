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
mod connection;
mod error;
mod filter;
mod interface;
mod joining;
mod neighbours;
mod packet;
mod path;
mod pnet;
mod port;
mod reserve;
mod ring;
mod station;
mod tpacket;
mod udp;
mod waiting;

pub use afxdp::{XdpLink, XdpMode};
pub use connection::{Connection, LinkKind, Route};
pub use error::{LinkError, Refusal};
pub use filter::Selection;
pub use interface::Interface;
pub use joining::{Answers, NotJoined};
pub use neighbours::{Neighbours, Resolved};
pub use pnet::Pnet;
pub use port::{PortSent, UdpPort};
pub use reserve::PortReservation;
pub use station::{Received, Station, StationConfig, StationCounters};
pub use tpacket::PacketRing;
pub use udp::{UdpBatch, UdpOptions, is_loss};
pub use waiting::Waiting;

use std::os::fd::OwnedFd;
use std::time::Duration;

/// Bytes of an Ethernet header.
pub const ETHERNET_HEADER: usize = 14;

/// What a link has seen and lost since it was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinkCounters {
    /// Frames handed to the kernel.
    pub sent: u64,
    /// Frames that the kernel had no room for, or refused while the interface was down.
    pub unsent: u64,
    /// Frames received.
    pub received: u64,
    /// Frames received that were longer than the interface's MTU allows: unsegmented ones of a sender on this machine.
    pub too_long: u64,
}

/// Carries Ethernet frames over one interface.
pub trait Link: Send {
    /// The interface's MAC address.
    fn mac(&self) -> [u8; 6];
    /// Bytes of the largest IP packet that the link carries both ways.
    fn mtu(&self) -> usize;
    /// Puts a frame of `length` bytes, which `fill` writes, in line. It leaves at the next [`Link::flush`], or before
    /// when the line is full. Does not block.
    fn queue(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), LinkError>;
    /// Sends what is in line. Does not block; what the kernel has no room for is lost and counted.
    fn flush(&mut self) -> Result<(), LinkError>;
    /// Hands up to `most` frames to `take`, waiting up to `wait` for the first. Answers how many.
    fn receive(
        &mut self,
        wait: Duration,
        most: usize,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<usize, LinkError>;
    /// How [`Link::receive`] waits from now on.
    fn set_waiting(&mut self, waiting: Waiting);
    /// Copies of what is readable when frames have come, or errors; none while waiting is done awake.
    fn descriptors(&self) -> Vec<OwnedFd>;
    /// What happened so far.
    fn counters(&self) -> LinkCounters;
    /// What the link noticed lately that explains silence, such as an interface that is down.
    fn trouble(&self) -> Option<String>;
}
