//! Packet sockets (packet(7)): one interface, one kernel filter, no frames of our own sending.
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use socket2::{Domain, Protocol, SockAddr, SockAddrStorage, SockFilter, Socket, Type};

use crate::error::LinkError;
use crate::interface::{Interface, State};

const OPEN: &str = "a packet socket";
/// linux/if_packet.h; the crate libc lacks it.
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;

/// A packet socket that hears nothing before [`PacketSocket::bind`].
#[derive(Debug)]
pub(crate) struct PacketSocket {
    pub(crate) socket: Socket,
    pub(crate) interface: Interface,
    /// Why nothing moves, as the interface was when the socket last complained.
    pub(crate) trouble: Option<String>,
}

impl PacketSocket {
    /// Opens one with a filter. Protocol 0 keeps it deaf until it is bound, so that no frame passes the filter by.
    pub(crate) fn open(interface: &Interface, filter: &[SockFilter]) -> Result<PacketSocket, LinkError> {
        let socket = Socket::new(Domain::PACKET, Type::RAW, Some(Protocol::from(0)))
            .map_err(LinkError::refused(OPEN, "cap_net_raw"))?;
        socket.set_nonblocking(true).map_err(LinkError::io(OPEN))?;
        socket.attach_filter(filter).map_err(LinkError::io("a packet socket's filter"))?;
        set_option(&socket, PACKET_IGNORE_OUTGOING, &1_i32).map_err(|source| LinkError::Unsupported {
            what: "a packet socket that does not hear itself",
            reason: format!("{source}; Linux has it from 4.20 on, and the driver udp does without"),
        })?;
        Ok(PacketSocket { socket, interface: interface.clone(), trouble: None })
    }
    /// Frames go straight to the device's queue, not through the traffic control that nothing here asks for.
    pub(crate) fn bypass_queueing(&self) -> Result<(), LinkError> {
        set_option(&self.socket, libc::PACKET_QDISC_BYPASS, &1_i32)
            .map_err(LinkError::io("PACKET_QDISC_BYPASS"))
    }
    /// Hears the interface's frames from now on.
    pub(crate) fn bind(&self) -> Result<(), LinkError> {
        self.socket.bind(&self.address()).map_err(LinkError::io("binding a packet socket"))
    }
    fn address(&self) -> SockAddr {
        let mut storage = SockAddrStorage::zeroed();
        // SAFETY: `sockaddr_ll` is what the family AF_PACKET stands for, and fits in any `sockaddr_storage`.
        let to = unsafe { storage.view_as::<libc::sockaddr_ll>() };
        to.sll_family = libc::AF_PACKET as u16;
        to.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
        to.sll_ifindex = self.interface.index as i32;
        let length = size_of::<libc::sockaddr_ll>() as libc::socklen_t;
        // SAFETY: the storage holds a whole `sockaddr_ll`, initialised above, and `length` is its size.
        unsafe { SockAddr::new(storage, length) }
    }
    /// Judges an error of the socket: nothing to do yet and an interface that is down are no errors, for the latter may
    /// come up again; the socket then goes on by itself.
    pub(crate) fn judge(&mut self, what: &'static str, error: io::Error) -> Result<(), LinkError> {
        match error.raw_os_error() {
            Some(libc::EAGAIN | libc::EINTR) => Ok(()),
            Some(libc::ENOBUFS | libc::ENOMEM) => {
                self.trouble = Some(format!("the system has no room to send on {}", self.interface.name));
                Ok(())
            }
            Some(libc::ENETDOWN | libc::ENXIO | libc::ENODEV | libc::EIO) => match self.interface.state() {
                State::Gone => Err(LinkError::Gone { name: self.interface.name.clone() }),
                State::Down => {
                    let name = &self.interface.name;
                    self.trouble =
                        Some(format!("the interface {name} is down: `ip link set {name} up` brings it up"));
                    Ok(())
                }
                // The error of a moment ago.
                State::Up => Ok(()),
            },
            _ => Err(LinkError::Io { what, source: error }),
        }
    }
    /// Takes an error that the kernel has kept for the socket, as it does when the interface goes down.
    pub(crate) fn take_error(&mut self) -> Result<(), LinkError> {
        match self.socket.take_error() {
            Ok(Some(error)) | Err(error) => self.judge("a packet socket", error),
            Ok(None) => Ok(()),
        }
    }
}

impl AsFd for PacketSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Sets an option of the level SOL_PACKET.
pub(crate) fn set_option<T: Copy>(socket: &Socket, option: libc::c_int, value: &T) -> io::Result<()> {
    // SAFETY: the kernel reads `size_of::<T>()` bytes at `value`, which lives through the call.
    let result = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_PACKET,
            option,
            std::ptr::from_ref(value).cast(),
            size_of::<T>() as libc::socklen_t,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
