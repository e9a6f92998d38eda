//! What keeps a link from working, and what to do about it.
use std::io;

/// A link that cannot be opened or cannot go on. Loss is no error.
///
/// ```
/// use mneme_link::LinkError;
///
/// let error = LinkError::Down { name: "eth1".into() };
/// assert!(error.to_string().contains("ip link set eth1 up"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// No interface of this name.
    #[error("there is no network interface `{name}`: this machine has {have}")]
    NoInterface {
        /// The name asked for.
        name: String,
        /// Names that would work.
        have: String,
    },
    /// The interface is down.
    #[error("the interface {name} is down: `ip link set {name} up` brings it up")]
    Down {
        /// The interface.
        name: String,
    },
    /// The interface carries no Ethernet frames.
    #[error("{name} is not an Ethernet interface: raw links need one, the UDP driver does not")]
    NotEthernet {
        /// The interface.
        name: String,
    },
    /// The interface has no IPv4 address and none was given.
    #[error(
        "{name} has no IPv4 address: give it one (`ip addr add 10.0.0.1/24 dev {name}`) or name the address to use"
    )]
    NoAddress {
        /// The interface.
        name: String,
    },
    /// The peer is not on the interface's subnet and there is no gateway.
    #[error(
        "{peer} is on no subnet of {name} and there is no gateway there: name the gateway, or another interface"
    )]
    NoRoute {
        /// The interface.
        name: String,
        /// Who cannot be reached.
        peer: std::net::Ipv4Addr,
    },
    /// The process lacks a capability.
    #[error(
        "{what} needs {capability}: run as root or `setcap {capability}+ep` the program, or take the UDP driver ({source})"
    )]
    NotPermitted {
        /// What was tried.
        what: &'static str,
        /// The Linux capability, as setcap spells it.
        capability: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The interface's MTU is too small to be of use.
    #[error(
        "the MTU of {name} is {mtu} bytes, and at least {needed} are needed: `ip link set {name} mtu {needed}` or more"
    )]
    MtuTooSmall {
        /// The interface.
        name: String,
        /// Its MTU.
        mtu: usize,
        /// The least that works.
        needed: usize,
    },
    /// The kernel or the interface cannot do this.
    #[error("{what} does not work here: {reason}")]
    Unsupported {
        /// What was tried.
        what: &'static str,
        /// Why not, and what would work.
        reason: String,
    },
    /// Somebody else has what there is one of.
    #[error("{what} cannot be had on {name}: {holder}; the driver tpacket can be shared")]
    Taken {
        /// The interface.
        name: String,
        /// What was tried.
        what: &'static str,
        /// Who has it.
        holder: &'static str,
    },
    /// The interface spreads what it receives over several queues.
    #[error(
        "{name} has {queues} receive queues and AF_XDP serves one here: `ethtool -L {name} combined 1`, or the driver tpacket"
    )]
    SeveralQueues {
        /// The interface.
        name: String,
        /// How many.
        queues: u32,
    },
    /// The UDP port or address cannot be had.
    #[error("UDP {address} cannot be reserved: {source}")]
    Port {
        /// The address and port.
        address: std::net::SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// The interface was removed while it was in use.
    #[error("the interface {name} is gone: connect anew once it is there again")]
    Gone {
        /// The interface.
        name: String,
    },
    /// A frame that the interface's MTU does not allow.
    #[error(
        "a frame of {length} bytes does not fit the MTU of {mtu}: set a smaller largest payload or a larger MTU"
    )]
    TooLong {
        /// Bytes of the frame.
        length: usize,
        /// The interface's MTU.
        mtu: usize,
    },
    /// The operating system refused otherwise.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The system's reason.
        source: io::Error,
    },
}

impl LinkError {
    /// A refusal of the system: missing permission is told apart, for `capability` is what helps.
    pub(crate) fn refused(
        what: &'static str,
        capability: &'static str,
    ) -> impl FnOnce(io::Error) -> LinkError {
        move |source| match Refusal::of(&source) {
            Refusal::Permission => LinkError::NotPermitted { what, capability, source },
            _ => LinkError::Io { what, source },
        }
    }
    pub(crate) fn io(what: &'static str) -> impl FnOnce(io::Error) -> LinkError {
        move |source| LinkError::Io { what, source }
    }
}

/// What an error of the operating system asks for.
///
/// ```
/// use mneme_link::Refusal;
///
/// let error = std::io::Error::from_raw_os_error(1); // EPERM
/// assert_eq!(Refusal::of(&error), Refusal::Permission);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A privilege, or a firewall that lets it pass.
    Permission,
    /// More open files, memory or buffers than there are or than are allowed.
    Limit,
    /// An address or port that is somebody else's.
    Address,
    /// A route.
    Route,
    /// Something else.
    Other,
}

impl Refusal {
    /// Sorts an error.
    pub fn of(error: &io::Error) -> Refusal {
        match error.raw_os_error() {
            Some(libc::EPERM | libc::EACCES) => Refusal::Permission,
            Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM | libc::ENOBUFS) => Refusal::Limit,
            Some(libc::EADDRINUSE | libc::EADDRNOTAVAIL) => Refusal::Address,
            Some(libc::ENETUNREACH | libc::EHOSTUNREACH | libc::ENETDOWN) => Refusal::Route,
            _ => Refusal::Other,
        }
    }
}
