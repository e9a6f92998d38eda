//! Packet sockets (packet(7)): one interface, one kernel filter, no frames of our own sending.
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

use socket2::{Domain, Protocol, SockAddr, SockAddrStorage, SockFilter, Socket, Type};

use crate::error::LinkError;
use crate::interface::{Interface, State};

const OPEN: &str = "a packet socket";
/// linux/if_packet.h; the crate libc lacks them.
const PACKET_VNET_HDR: libc::c_int = 15;
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;

/// Whether the kernel can describe joined datagrams (Linux 6.2). Older ones take PACKET_VNET_HDR, too, but a ring is stuck
/// for good when a frame comes that the kernel cannot describe. The filter keeps out what no kernel can, or is longer than
/// a frame and nobody's here.
pub(crate) fn knows_joined() -> bool {
    is_at_least(rustix::system::uname().release().to_bytes(), (6, 2))
}

/// Whether a release such as `6.1.0-13-amd64` is that version or a later one.
fn is_at_least(release: &[u8], version: (u32, u32)) -> bool {
    let number = |part: &[u8]| {
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    };
    let mut parts = release.split(|byte| *byte == b'.').map(number);
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= version
}

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
        set_bypass(&self.socket, true).map_err(LinkError::io("PACKET_QDISC_BYPASS"))
    }
    /// Whether before each frame, both ways, lies what it is (`crate::virtio`): so that those may be joined that do not
    /// leave the machine, or are taken apart where they do. To be said before there is a ring.
    pub(crate) fn set_told(&self, told: bool) -> io::Result<()> {
        set_option(&self.socket, PACKET_VNET_HDR, &i32::from(told))
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

/// Whether a packet socket's frames go past the traffic control.
pub(crate) fn set_bypass(socket: &impl AsRawFd, bypass: bool) -> io::Result<()> {
    set_option(socket, libc::PACKET_QDISC_BYPASS, &i32::from(bypass))
}

/// Sets an option of the level SOL_PACKET.
pub(crate) fn set_option<T: Copy>(socket: &impl AsRawFd, option: libc::c_int, value: &T) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_compared_by_their_numbers() {
        for release in ["6.2.0", "6.2-rc1", "6.18.44-x", "10.0", "7"] {
            assert!(is_at_least(release.as_bytes(), (6, 2)), "{release}");
        }
        for release in ["6.1.187-1", "5.15.0-91-generic", "4.19", "", "x.y"] {
            assert!(!is_at_least(release.as_bytes(), (6, 2)), "{release}");
        }
    }
}
