//! How long a packet may be on the way to a socket's peer, as the system knows it, and as it changes.
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::time::Duration;

/// Bytes of headers without options (RFC 791, 8200, 768).
const IPV4_HEADER: usize = 20;
const IPV6_HEADER: usize = 40;
const UDP_HEADER: usize = 8;
/// A path that has become narrower is looked at again after this.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// The way to a connected socket's peer.
#[derive(Debug)]
pub(crate) struct Path {
    peer: SocketAddr,
    most: usize,
    largest: usize,
    look: Duration,
}

impl Path {
    /// The way that a socket has just been connected to, for datagrams of up to `most` bytes. From now on the system
    /// refuses datagrams that are longer than the way carries (RFC 1191), rather than cut them into fragments, which
    /// boards do not take.
    pub(crate) fn of(socket: &impl AsRawFd, peer: SocketAddr, most: usize) -> Path {
        let (level, option, value) = match peer {
            SocketAddr::V4(_) => (libc::IPPROTO_IP, libc::IP_MTU_DISCOVER, libc::IP_PMTUDISC_DO),
            SocketAddr::V6(_) => (libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER, libc::IPV6_PMTUDISC_DO),
        };
        // A system that does not know this sends fragments; they work where the board's system joins them.
        let _or_fragments = set_option(socket, level, option, value);
        let most = datagram(socket, peer).map_or(most, |path| path.min(most));
        Path { peer, most, largest: most, look: Duration::ZERO }
    }
    /// Bytes of the largest datagram that was carried when the socket was connected: no longer one is ever sent.
    pub(crate) fn most(&self) -> usize {
        self.most
    }
    /// Bytes of the largest datagram that is carried.
    #[inline]
    pub(crate) fn largest(&self) -> usize {
        self.largest
    }
    /// The system said that a datagram was too long, or nothing has been heard: asks it what the way carries. Answers
    /// whether that is less than before.
    pub(crate) fn ask(&mut self, socket: &impl AsRawFd) -> bool {
        let before = self.largest;
        if let Some(path) = datagram(socket, self.peer) {
            self.largest = path.min(self.most);
        }
        self.largest < before
    }
    /// The system refused a datagram that it says would fit: then shorter ones may.
    pub(crate) fn refuses(&mut self, length: usize) {
        self.largest = self.largest.min(length.saturating_sub(1));
    }
    /// A narrow path may have become wide again: asks now and then. Answers whether it is narrower still.
    #[inline]
    pub(crate) fn look_again(&mut self, socket: &impl AsRawFd, now: Duration) -> bool {
        self.largest < self.most && self.look_if_due(socket, now)
    }
    #[cold]
    fn look_if_due(&mut self, socket: &impl AsRawFd, now: Duration) -> bool {
        if self.look.is_zero() {
            self.look = now + LOOK_AGAIN;
            false
        } else if now >= self.look {
            self.look = Duration::ZERO;
            self.ask(socket)
        } else {
            false
        }
    }
}

/// Bytes of the largest datagram that the way to a socket's peer carries in one packet, as far as the system knows: the
/// interface's MTU, or that of the path (RFC 1191) if it has been found.
fn datagram(socket: &impl AsRawFd, peer: SocketAddr) -> Option<usize> {
    let (level, option, headers) = match peer {
        SocketAddr::V4(_) => (libc::IPPROTO_IP, libc::IP_MTU, IPV4_HEADER + UDP_HEADER),
        SocketAddr::V6(_) => (libc::IPPROTO_IPV6, libc::IPV6_MTU, IPV6_HEADER + UDP_HEADER),
    };
    let mut mtu: libc::c_int = 0;
    let mut length = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: the kernel writes an int, whose length it is told, at an address that lives through the call.
    let result = unsafe {
        libc::getsockopt(socket.as_raw_fd(), level, option, (&raw mut mtu).cast(), &raw mut length)
    };
    if result != 0 {
        return None;
    }
    usize::try_from(mtu).ok()?.checked_sub(headers)
}

/// Sets an option whose value is an int.
pub(crate) fn set_option(
    socket: &impl AsRawFd,
    level: libc::c_int,
    option: libc::c_int,
    value: libc::c_int,
) -> std::io::Result<()> {
    // SAFETY: the kernel reads an int at the address given, which lives through the call.
    let result = unsafe {
        let length = size_of::<libc::c_int>() as libc::socklen_t;
        libc::setsockopt(socket.as_raw_fd(), level, option, (&raw const value).cast(), length)
    };
    if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}
