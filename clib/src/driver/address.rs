//! Where a board is: `HOST[:PORT]`, the one form that the library, the C interface, the command line and its settings
//! read. Boards speak IPv4: anything else is refused in words.
use super::DriverError;
use mneme_wire::header::DEFAULT_UDP_PORT;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, ToSocketAddrs};
use std::str::FromStr;

/// A board's address as people write it: `10.0.0.2:19790`, `10.0.0.2` (then the port is 19790), `board.example`.
///
/// ```
/// use mneme_clib::driver::BoardAddress;
///
/// let board: BoardAddress = "10.0.0.2".parse()?;
/// assert_eq!(board.to_string(), "10.0.0.2:19790");
/// # Ok::<(), mneme_clib::driver::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoardAddress {
    host: String,
    port: u16,
}

/// Text that is no board's address.
///
/// ```
/// use mneme_clib::driver::{AddressError, BoardAddress};
///
/// let error = "10.0.0.2:0".parse::<BoardAddress>().unwrap_err();
/// assert_eq!(error, AddressError::BadPort("0".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// Nothing stands before the port.
    #[error("`{0}` names no host: write HOST[:PORT], such as 10.0.0.2:19790")]
    NoHost(String),
    /// Something else than a name or an address.
    #[error("`{0}` is no host: write HOST[:PORT], such as 10.0.0.2:19790, and nothing before or behind")]
    BadHost(String),
    /// Numbers with points that are no address, which resolvers would read as some other one.
    #[error("`{0}` is no IPv4 address: it has four numbers of 0 to 255, such as 10.0.0.2")]
    BadNumbers(String),
    /// What stands behind the colon.
    #[error("`{0}` is no UDP port: 1 to 65535 are, and without one it is 19790")]
    BadPort(String),
    /// An IPv6 address, or a name that has no other.
    #[error(
        "{0} is an IPv6 address, and boards speak IPv4 alone: name the board by an IPv4 address, such as 10.0.0.2:19790"
    )]
    NotIpv4(String),
}

/// Host and port of `HOST[:PORT]`, without a look at any resolver. Port 0 is let through: listeners mean any by it.
pub fn host_and_port(text: &str) -> Result<(&str, Option<u16>), AddressError> {
    let bare = text.trim_start_matches('[').split([']', '%']).next();
    if bare.is_some_and(|bare| bare.parse::<Ipv6Addr>().is_ok()) {
        return Err(AddressError::NotIpv4(format!("`{text}`")));
    }
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    if host.is_empty() {
        return Err(AddressError::NoHost(text.into()));
    }
    let of_names = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !host.chars().all(of_names) || port.is_some_and(|port| port.starts_with('/')) {
        return Err(AddressError::BadHost(text.into()));
    }
    let numbers = host.split('.').all(|part| part.chars().all(|c| c.is_ascii_digit()));
    if numbers && host.parse::<Ipv4Addr>().is_err() {
        return Err(AddressError::BadNumbers(host.into()));
    }
    let digits = |port: &str| port.parse().ok().filter(|_| port.starts_with(|c: char| c.is_ascii_digit()));
    let port = port.map(|port| digits(port).ok_or_else(|| AddressError::BadPort(port.into())));
    Ok((host, port.transpose()?))
}

impl FromStr for BoardAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<BoardAddress, AddressError> {
        let (host, port) = host_and_port(text)?;
        match port.unwrap_or(DEFAULT_UDP_PORT) {
            0 => Err(AddressError::BadPort("0".into())),
            port => Ok(BoardAddress { host: host.into(), port }),
        }
    }
}

impl fmt::Display for BoardAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl From<SocketAddrV4> for BoardAddress {
    fn from(address: SocketAddrV4) -> BoardAddress {
        BoardAddress { host: address.ip().to_string(), port: address.port() }
    }
}

impl BoardAddress {
    /// The name or address.
    pub fn host(&self) -> &str {
        &self.host
    }
    /// The UDP port.
    pub fn port(&self) -> u16 {
        self.port
    }
    /// The same host at another port.
    #[must_use]
    pub fn with_port(self, port: u16) -> BoardAddress {
        BoardAddress { port, ..self }
    }
    /// The host's first IPv4 address. Names block until the resolver has answered.
    pub fn resolve(&self) -> Result<SocketAddrV4, DriverError> {
        if let Ok(ip) = self.host.parse() {
            return Ok(SocketAddrV4::new(ip, self.port));
        }
        let unknown = |source| DriverError::Resolve { host: self.host.clone(), source };
        first((self.host.as_str(), self.port).to_socket_addrs().map_err(unknown)?, &self.host)
    }
}

/// The first IPv4 address of those that a name has.
fn first(found: impl Iterator<Item = SocketAddr>, host: &str) -> Result<SocketAddrV4, DriverError> {
    let mut other = None;
    for address in found {
        match address {
            SocketAddr::V4(address) => return Ok(address),
            SocketAddr::V6(address) => other = Some(*address.ip()),
        }
    }
    Err(match other {
        Some(ip) => AddressError::NotIpv4(format!("{ip}, all that `{host}` stands for,")).into(),
        None => {
            let source = std::io::Error::new(std::io::ErrorKind::NotFound, "the name has no address");
            DriverError::Resolve { host: host.into(), source }
        }
    })
}

/// What names a board: text of the form `HOST[:PORT]`, or an IPv4 address with a port.
///
/// ```
/// use mneme_clib::driver::ToBoard;
///
/// assert_eq!("127.0.0.1:5000".to_board()?.port(), 5000);
/// # Ok::<(), mneme_clib::DriverError>(())
/// ```
pub trait ToBoard {
    /// The board's address. Names block until the resolver has answered.
    fn to_board(&self) -> Result<SocketAddrV4, DriverError>;
}

impl ToBoard for str {
    fn to_board(&self) -> Result<SocketAddrV4, DriverError> {
        self.parse::<BoardAddress>()?.resolve()
    }
}

impl ToBoard for String {
    fn to_board(&self) -> Result<SocketAddrV4, DriverError> {
        self.as_str().to_board()
    }
}

impl ToBoard for BoardAddress {
    fn to_board(&self) -> Result<SocketAddrV4, DriverError> {
        self.resolve()
    }
}

impl ToBoard for SocketAddrV4 {
    fn to_board(&self) -> Result<SocketAddrV4, DriverError> {
        Ok(*self)
    }
}

impl ToBoard for SocketAddr {
    fn to_board(&self) -> Result<SocketAddrV4, DriverError> {
        match self {
            SocketAddr::V4(address) => Ok(*address),
            SocketAddr::V6(address) => Err(AddressError::NotIpv4(format!("`{address}`")).into()),
        }
    }
}

impl<T: ToBoard + ?Sized> ToBoard for &T {
    fn to_board(&self) -> Result<SocketAddrV4, DriverError> {
        (**self).to_board()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, ErrorId};

    #[test]
    fn a_host_alone_has_the_default_port() {
        for (text, told) in [
            ("10.0.0.2", "10.0.0.2:19790"),
            ("10.0.0.2:7", "10.0.0.2:7"),
            ("board-1.example:65535", "board-1.example:65535"),
            ("board", "board:19790"),
        ] {
            assert_eq!(text.parse::<BoardAddress>().map(|address| address.to_string()), Ok(told.into()));
        }
        let moved = "10.0.0.2".parse::<BoardAddress>().map(|address| address.with_port(9).to_string());
        assert_eq!(moved, Ok("10.0.0.2:9".into()));
    }

    #[test]
    fn what_is_no_address_is_refused_in_words() {
        for (text, words) in [
            ("", "names no host"),
            (":19790", "names no host"),
            ("10.0.0.2:", "`` is no UDP port"),
            ("10.0.0.2:http", "`http` is no UDP port: 1 to 65535"),
            ("10.0.0.2:0", "`0` is no UDP port"),
            ("10.0.0.2:+7", "is no UDP port"),
            ("10.0.0.2:65536", "is no UDP port"),
            ("udp://10.0.0.2:19790", "nothing before or behind"),
            ("udp://10.0.0.2", "nothing before or behind"),
            ("10.0.0.2 ", "nothing before or behind"),
            // Resolvers read these as 0.0.77.78 and 10.0.0.2.
            ("19790", "no IPv4 address"),
            ("10.2", "no IPv4 address"),
            ("10.0.0.256:7", "no IPv4 address"),
            ("::1", "boards speak IPv4 alone"),
            ("[::1]", "boards speak IPv4 alone"),
            ("[::1]:19790", "boards speak IPv4 alone"),
            ("fe80::1%eth0", "boards speak IPv4 alone"),
        ] {
            let error = text.parse::<BoardAddress>().expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn of_a_name_s_addresses_the_first_ipv4_one_counts() {
        let at = |text: &str| text.parse::<SocketAddr>().expect("an address");
        let found = first([at("[::1]:7"), at("10.0.0.2:7"), at("10.0.0.3:7")].into_iter(), "board");
        assert_eq!(found.ok(), Some(SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 7)));
        let error = Error::from(first([at("[::1]:7")].into_iter(), "six").expect_err("IPv6 alone"));
        assert!(error.to_string().contains("`six`") && error.id() == ErrorId::NotIpv4, "{error}");
        let error = Error::from(first([].into_iter(), "none").expect_err("no address"));
        assert!(error.to_string().contains("`none`") && error.id() == ErrorId::BadAddress, "{error}");
        assert!(at("[::1]:7").to_board().is_err());
    }
}
