//! Frames through AF_XDP: the kernel's rings of descriptors into memory of this program.
//!
//! Datagrams of the selected UDP port take this way, steered by a small program on the interface ([`crate::bpf`]); ARP,
//! and what else a board answers, comes over a packet socket, so that the kernel's own neighbour table goes on working.
//! One link per interface: the kernel takes one such program. Copy mode, which every interface can do, veth included.
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use xdp::nic::NicIndex;
use xdp::slab::{HeapSlab, Slab};
use xdp::socket::{SocketError, XdpSocket, XdpSocketBuilder};
use xdp::umem::{FrameSize, UmemCfgBuilder};
use xdp::{RingConfigBuilder, Umem, WakableFillRing, WakableRings};

use crate::bpf::Steering;
use crate::error::LinkError;
use crate::filter::Selection;
use crate::frame::Frame;
use crate::interface::Interface;
use crate::line::Left;
use crate::packet::PacketSocket;
use crate::waiting::{Wait, Waiting, copies};
use crate::{ETHERNET_HEADER, Link, LinkCounters};

const WHAT: &str = "AF_XDP";
/// Frames of memory, and how many of them wait to be filled.
const FRAMES: u32 = 2048;
const FILL: u32 = 1024;
const TX: u32 = 512;
/// Bytes of the largest frame: a page less the headroom that the kernel keeps.
const LARGEST: usize = 4096 - 256;
/// Frames taken from the receive ring, or put in the transmit ring, at once.
const BATCH: usize = 32;
/// Empty looks at the ring between two looks at the packet socket.
const LOOKS: u32 = 64;
/// Times that the kernel is told to send on before the rest is left for the next flush: it sends 32 frames a call.
const KICKS: usize = 4;
/// Binding to a queue that is taken is tried again so often, after such a pause.
const BIND_TRIES: usize = 10;
const BIND_PAUSE: Duration = Duration::from_millis(10);

/// Where the steering program runs.
///
/// ```
/// assert_eq!(mneme_link::XdpMode::default(), mneme_link::XdpMode::Generic);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum XdpMode {
    /// On packets as the kernel has made them: on every interface.
    #[default]
    Generic,
    /// In the interface's driver.
    Native,
}

/// An AF_XDP socket on queue 0 of an interface. Needs CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF.
pub struct XdpLink {
    // In the order in which they must go: no more frames, then the socket, then the memory.
    _steering: Steering,
    socket: XdpSocket,
    rings: WakableRings,
    slow: PacketSocket,
    received: HeapSlab,
    queued: HeapSlab,
    umem: Umem,
    buffer: Vec<u8>,
    looks: u32,
    waiting: Waiting,
    counters: LinkCounters,
}

// SAFETY: what is not `Send` are pointers into the memory that `umem` owns; packets, rings and memory move together,
// and nothing of them belongs to a thread.
unsafe impl Send for XdpLink {}

/// Why a socket is not bound yet.
enum SetUp {
    Socket(SocketError),
    Memory(LinkError),
}

impl From<SocketError> for SetUp {
    fn from(error: SocketError) -> SetUp {
        SetUp::Socket(error)
    }
}

/// A socket on queue 0 with memory, and frames of it in the fill ring.
fn bind(interface: u32) -> Result<(XdpSocket, WakableRings, Umem), SetUp> {
    let misconfigured = |error: xdp::error::Error| {
        SetUp::Memory(LinkError::Unsupported { what: WHAT, reason: error.to_string() })
    };
    let no_memory = |error| SetUp::Memory(LinkError::io("memory for AF_XDP's frames")(error));
    let frames =
        UmemCfgBuilder { frame_size: FrameSize::FourK, frame_count: FRAMES, ..UmemCfgBuilder::default() };
    let mut umem = Umem::map(frames.build().map_err(misconfigured)?).map_err(no_memory)?;
    let mut builder = XdpSocketBuilder::new()?;
    let sizes = RingConfigBuilder { rx_count: FILL, fill_count: FILL, tx_count: TX, completion_count: TX };
    let (mut rings, mut flags) = builder.build_wakable_rings(&umem, sizes.build().map_err(misconfigured)?)?;
    flags.force_copy();
    let socket = builder.bind(NicIndex::new(interface), 0, flags)?;
    // SAFETY: the frames belong to this memory, which lives as long as the ring.
    unsafe { rings.fill_ring.enqueue(&mut umem, FILL as usize, false) }.map_err(no_memory)?;
    Ok((socket, rings, umem))
}

fn is_busy(error: &SocketError) -> bool {
    matches!(error, SocketError::Bind(source) if source.raw_os_error() == Some(libc::EBUSY))
}

fn refused(interface: &Interface, error: SocketError) -> LinkError {
    match error {
        SocketError::SocketCreation(source) => LinkError::refused(WHAT, "cap_net_raw")(source),
        SocketError::Bind(source) if source.raw_os_error() == Some(libc::EBUSY) => LinkError::Taken {
            name: interface.name.clone(),
            what: WHAT,
            holder: "the interface's queue belongs to another AF_XDP socket",
        },
        SocketError::SetSockOpt { inner, .. }
        | SocketError::GetSockOpt { inner, .. }
        | SocketError::RingMap { inner, .. }
        | SocketError::Bind(inner) => {
            LinkError::Unsupported { what: WHAT, reason: format!("{inner}; the driver tpacket does without") }
        }
    }
}

impl XdpLink {
    /// Opens a link on an interface for the frames selected.
    pub fn open(
        interface: &Interface,
        selection: Selection,
        mode: XdpMode,
        waiting: Waiting,
    ) -> Result<XdpLink, LinkError> {
        demand_one_queue(interface)?;
        let mut tries = 0;
        let (socket, rings, umem) = loop {
            match bind(interface.index) {
                // The kernel frees the queue of a socket that was closed a little later.
                Err(SetUp::Socket(error)) if is_busy(&error) && tries < BIND_TRIES => {
                    tries += 1;
                    std::thread::sleep(BIND_PAUSE);
                }
                Err(SetUp::Socket(error)) => return Err(refused(interface, error)),
                Err(SetUp::Memory(error)) => return Err(error),
                Ok(bound) => break bound,
            }
        };
        let slow = PacketSocket::open(interface, &selection.program_beside_xdp())?;
        slow.bind()?;
        // SAFETY: the socket is open as long as `socket`.
        let fd = unsafe { BorrowedFd::borrow_raw(socket.as_raw_fd()) };
        let steering = Steering::attach(interface.index, mode == XdpMode::Native, selection, fd)
            .map_err(|error| cannot_steer(interface, error))?;
        Ok(XdpLink {
            _steering: steering,
            socket,
            rings,
            slow,
            received: HeapSlab::with_capacity(BATCH),
            queued: HeapSlab::with_capacity(BATCH),
            umem,
            buffer: vec![0; LARGEST + 1],
            looks: 0,
            waiting,
            counters: LinkCounters::default(),
        })
    }
    fn largest(&self) -> usize {
        LARGEST.min(self.slow.interface.largest_frame())
    }
    /// Hands on frames of the ring.
    fn take_fast(&mut self, most: usize, take: &mut dyn FnMut(Frame<'_>)) -> usize {
        let largest = self.largest();
        let Some(ring) = &mut self.rings.rx_ring else { return 0 };
        let mut taken = 0;
        while taken < most {
            if self.received.is_empty() {
                // SAFETY: the packets do not outlive the memory: each is handed back to it below, or dropped with it.
                let fresh = unsafe { ring.recv(&self.umem, &mut self.received) };
                if fresh == 0 {
                    break;
                }
            }
            let Some(packet) = self.received.pop_back() else { break };
            if packet.len() > largest || packet.is_continued() {
                self.counters.too_long += 1;
            } else {
                take(Frame::from(&packet[..]));
                taken += 1;
            }
            self.umem.free_packet(packet);
            // Also where all of them were too long: without free frames the kernel brings nothing more.
            if self.received.is_empty() {
                refill(&mut self.rings.fill_ring, &mut self.umem);
            }
        }
        taken
    }
    /// Hands on frames of the packet socket.
    fn take_slow(&mut self, most: usize, take: &mut dyn FnMut(Frame<'_>)) -> Result<usize, LinkError> {
        let mut taken = 0;
        while taken < most {
            match (&self.slow.socket).read(&mut self.buffer) {
                Ok(length) if length > LARGEST => self.counters.too_long += 1,
                Ok(length) => {
                    take(Frame::from(&self.buffer[..length]));
                    taken += 1;
                }
                Err(error) => {
                    self.slow.judge("cannot receive frames", error)?;
                    break;
                }
            }
        }
        Ok(taken)
    }
    fn complete(&mut self) {
        self.rings.completion_ring.dequeue(&mut self.umem, TX as usize);
    }
    /// Tells the kernel to send what is in the ring.
    fn kick(&mut self) -> Result<(), LinkError> {
        for _ in 0..KICKS {
            let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
            // SAFETY: no buffer and no address: the call only makes the kernel look at the ring.
            let sent = unsafe {
                libc::sendto(self.socket.as_raw_fd(), std::ptr::null(), 0, flags, std::ptr::null(), 0)
            };
            if sent >= 0 {
                return Ok(());
            }
            let error = std::io::Error::last_os_error();
            match error.raw_os_error() {
                // There is more than one call sends.
                Some(libc::EAGAIN | libc::EBUSY | libc::EINTR) => {}
                _ => return self.slow.judge("cannot send frames", error),
            }
        }
        Ok(())
    }
}

/// Gives the kernel as many free frames as its ring takes and sending leaves.
fn refill(ring: &mut WakableFillRing, umem: &mut Umem) {
    let spare = umem.allocatable().saturating_sub(TX as usize).min(BATCH);
    // SAFETY: the frames belong to this memory, which lives as long as the ring. Without a wake-up it cannot fail.
    let _none_when_full = unsafe { ring.enqueue(umem, spare, false) };
}

/// The steering program sees one queue: an interface with several would hide the others' datagrams.
fn demand_one_queue(interface: &Interface) -> Result<(), LinkError> {
    match NicIndex::new(interface.index).queue_counts() {
        Ok(queues) if queues.rx_count() > 1 => {
            Err(LinkError::SeveralQueues { name: interface.name.clone(), queues: queues.rx_count() })
        }
        // An interface that does not tell has one.
        _ => Ok(()),
    }
}

fn cannot_steer(interface: &Interface, error: std::io::Error) -> LinkError {
    match error.raw_os_error() {
        Some(libc::EBUSY | libc::EEXIST) => LinkError::Taken {
            name: interface.name.clone(),
            what: WHAT,
            holder: "another XDP program is on it (`ip link show` names it)",
        },
        Some(libc::EPERM | libc::EACCES) => LinkError::NotPermitted {
            what: "an XDP program",
            capability: "cap_net_admin,cap_bpf",
            source: error,
        },
        _ => LinkError::Unsupported { what: WHAT, reason: format!("the steering program: {error}") },
    }
}

impl Link for XdpLink {
    fn mac(&self) -> [u8; 6] {
        self.slow.interface.mac
    }
    fn mtu(&self) -> usize {
        self.largest() - ETHERNET_HEADER
    }
    fn is_full(&self) -> bool {
        self.queued.available() == 0
    }
    fn queue(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), LinkError> {
        if length > self.largest() {
            return Err(LinkError::TooLong { length, mtu: self.mtu() });
        }
        if self.umem.allocatable() == 0 {
            self.complete();
        }
        // SAFETY: the packet does not outlive the memory: it goes into the ring, or back to the memory.
        let Some(mut packet) = (unsafe { self.umem.alloc() }) else {
            self.counters.unsent += 1;
            return Ok(());
        };
        if packet.adjust_tail(length as i32).is_err() {
            self.umem.free_packet(packet);
            return Err(LinkError::TooLong { length, mtu: self.mtu() });
        }
        fill(&mut packet);
        if let Some(packet) = self.queued.push_front(packet) {
            self.counters.unsent += 1;
            self.umem.free_packet(packet);
        }
        Ok(())
    }
    fn flush(&mut self, _left: &mut Left) -> Result<(), LinkError> {
        let waiting = self.queued.len();
        if waiting == 0 {
            return Ok(());
        }
        self.complete();
        let Some(ring) = &mut self.rings.tx_ring else { return Ok(()) };
        // SAFETY: the packets belong to this memory, which lives as long as the ring. Without a wake-up it cannot fail.
        let sent = unsafe { ring.send(&mut self.queued, false) }.unwrap_or(0);
        while let Some(packet) = self.queued.pop_back() {
            self.counters.unsent += 1;
            self.umem.free_packet(packet);
        }
        self.counters.sent += sent as u64;
        self.kick()
    }
    fn receive(
        &mut self,
        longest: Duration,
        most: usize,
        take: &mut dyn FnMut(Frame<'_>),
    ) -> Result<usize, LinkError> {
        let mut wait = Wait::new(longest);
        loop {
            let mut taken = self.take_fast(most, take);
            self.looks = self.looks.wrapping_add(1);
            if taken == 0 && (self.waiting == Waiting::Yield || self.looks.is_multiple_of(LOOKS)) {
                taken = self.take_slow(most, take)?;
            }
            if taken > 0 {
                self.counters.received += taken as u64;
                self.slow.trouble = None;
                return Ok(taken);
            }
            // SAFETY: the socket is open as long as `self.socket`.
            let fast = unsafe { BorrowedFd::borrow_raw(self.socket.as_raw_fd()) };
            let again = wait.again(self.waiting, &[fast, self.slow.as_fd()]);
            if !again.map_err(LinkError::io("cannot wait for frames"))? {
                return if longest.is_zero() { Ok(0) } else { self.slow.take_error().map(|()| 0) };
            }
        }
    }
    fn set_waiting(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }
    fn descriptors(&self) -> Vec<OwnedFd> {
        // SAFETY: the socket is open as long as `self.socket`.
        let fast = unsafe { BorrowedFd::borrow_raw(self.socket.as_raw_fd()) };
        copies(self.waiting, &[fast, self.slow.as_fd()])
    }
    fn counters(&self) -> LinkCounters {
        self.counters
    }
    fn trouble(&self) -> Option<String> {
        self.slow.trouble.clone()
    }
}
