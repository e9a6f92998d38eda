//! The socket driver: one connected UDP socket, so the kernel drops what comes from elsewhere. Several datagrams leave and
//! arrive per system call, where the kernel does that.
use super::{Driver, DriverError, Take};
use mneme_link::{UdpBatch, UdpOptions, Waiting};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The largest UDP payload that an unfragmented 9,000-byte packet can carry; boards tell their own, smaller limit.
const MAX_DATAGRAM: usize = 9_000 - 28;

/// A UDP socket connected to a board.
pub struct UdpDriver {
    socket: UdpBatch,
    board: SocketAddr,
    began: Instant,
    trouble: Option<String>,
}

/// The first address that a name stands for.
pub(super) fn resolve(board: impl ToSocketAddrs) -> Result<SocketAddr, DriverError> {
    let failed = |source| DriverError::Io { what: "cannot resolve the board's address", source };
    let none = || io::Error::new(ErrorKind::NotFound, "the name has no address");
    board.to_socket_addrs().map_err(failed)?.next().ok_or_else(none).map_err(failed)
}

impl UdpDriver {
    /// Binds a free port and connects it to a board; names are resolved, the first address counts. Sends nothing.
    pub fn connect(board: impl ToSocketAddrs) -> Result<Self, DriverError> {
        Self::connect_with(board, UdpOptions::default())
    }
    /// As [`UdpDriver::connect`], with a say in how the kernel is used.
    pub fn connect_with(board: impl ToSocketAddrs, options: UdpOptions) -> Result<Self, DriverError> {
        let board = resolve(board)?;
        let local: SocketAddr = match board {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        Self::connect_from(local, board, options)
    }
    /// As [`UdpDriver::connect_with`], from an address and port of this machine; 0 stands for any.
    pub fn connect_from(
        local: SocketAddr,
        board: impl ToSocketAddrs,
        options: UdpOptions,
    ) -> Result<Self, DriverError> {
        let board = resolve(board)?;
        let socket = UdpBatch::connect(local, board, MAX_DATAGRAM, options).map_err(|source| {
            DriverError::Io { what: "cannot connect a UDP socket to the board's address", source }
        })?;
        Ok(UdpDriver { socket, board, began: Instant::now(), trouble: None })
    }
    /// The socket's own address: the source that the board sees.
    pub fn local_addr(&self) -> Result<SocketAddr, DriverError> {
        self.socket
            .local_addr()
            .map_err(|source| DriverError::Io { what: "cannot read the socket's address", source })
    }
    /// Whether the kernel cuts up batches of equally long datagrams at the moment (UDP_SEGMENT).
    pub fn segments(&self) -> bool {
        self.socket.segments()
    }
    /// How [`Driver::receive`] waits from now on.
    pub fn set_waiting(&mut self, waiting: Waiting) {
        self.socket.set_waiting(waiting);
    }
    /// Errors that an ICMP message or a full buffer caused, now or for an earlier datagram: the datagram is lost.
    fn is_loss(error: &io::Error) -> bool {
        use ErrorKind::*;
        let kinds = [
            ConnectionRefused,
            ConnectionReset,
            HostUnreachable,
            NetworkUnreachable,
            NetworkDown,
            Interrupted,
        ];
        kinds.contains(&error.kind()) || matches!(error.kind(), WouldBlock | OutOfMemory)
    }
    fn note(&mut self, error: &io::Error) {
        let board = self.board;
        match error.kind() {
            ErrorKind::ConnectionRefused => self.trouble = Some(format!("nothing listens on UDP {board}")),
            ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown => {
                let ip = board.ip();
                self.trouble =
                    Some(format!("{error}: `ip route get {ip}` tells the way that the system takes"));
            }
            ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut => {}
            _ => self.trouble = Some(error.to_string()),
        }
    }
    fn judge(&mut self, length: usize, sent: io::Result<()>) -> Result<(), DriverError> {
        match sent {
            Ok(()) => Ok(()),
            Err(error) if Self::is_loss(&error) => {
                self.note(&error);
                Ok(())
            }
            // EMSGSIZE on Linux: the path's MTU is known to be smaller.
            Err(error) if error.raw_os_error() == Some(90) => Err(DriverError::TooLarge(length)),
            Err(source) => Err(DriverError::Io { what: "cannot send to the board", source }),
        }
    }
}

impl Driver for UdpDriver {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        if length > self.socket.largest() {
            return Err(DriverError::TooLarge(length));
        }
        let sent = self.socket.send(self.began.elapsed(), length, fill);
        self.judge(length, sent)
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        let sent = self.socket.flush(self.began.elapsed());
        self.judge(self.socket.largest(), sent)
    }

    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let (began, until) = (self.began, Instant::now() + wait);
        let mut left = wait;
        loop {
            match self.socket.receive(left, &mut |datagram| take(began.elapsed(), datagram)) {
                Ok(taken) => {
                    if taken > 0 {
                        self.trouble = None;
                    }
                    return Ok(taken);
                }
                // The error of an earlier send: it answers nothing, so the wait goes on.
                Err(error) if Self::is_loss(&error) => self.note(&error),
                Err(source) => {
                    return Err(DriverError::Io { what: "cannot receive from the board", source });
                }
            }
            left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(0);
            }
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
    fn max_datagram(&self) -> usize {
        self.socket.largest()
    }
    fn peer(&self) -> String {
        format!("udp://{}", self.board)
    }
    fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;

    /// The datagram that comes within a time, if one does.
    fn received(driver: &mut UdpDriver, wait: Duration) -> Option<Vec<u8>> {
        let mut came = None;
        let count = driver.receive(wait, &mut |_, datagram| came = Some(datagram.to_vec())).unwrap();
        assert_eq!(count, usize::from(came.is_some()));
        came
    }
    fn send(driver: &mut UdpDriver, bytes: &[u8]) {
        driver.send(bytes.len(), &mut |frame| frame.copy_from_slice(bytes)).unwrap();
        driver.flush().unwrap();
    }

    #[test]
    fn carries_datagrams_both_ways() {
        let board = UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut driver = UdpDriver::connect(board.local_addr().unwrap()).unwrap();
        let mut buffer = [0; 64];
        assert_eq!(received(&mut driver, Duration::ZERO), None);
        send(&mut driver, b"question");
        let (length, from) = board.recv_from(&mut buffer).unwrap();
        assert_eq!(&buffer[..length], b"question");
        assert_eq!(from.port(), driver.local_addr().unwrap().port());
        board.send_to(&[7; MAX_DATAGRAM + 1], from).unwrap();
        board.send_to(b"answer", from).unwrap();
        let came = received(&mut driver, Duration::from_secs(5));
        assert_eq!(came.as_deref(), Some(&b"answer"[..]), "the cut datagram is thrown away");
        let refused = driver.send(MAX_DATAGRAM + 1, &mut |_| {});
        assert!(matches!(refused, Err(DriverError::TooLarge(_))));
    }

    #[test]
    fn strangers_are_not_heard_and_a_closed_port_is_silence_with_a_reason() {
        let board = UdpSocket::bind("127.0.0.1:0").unwrap();
        let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut driver = UdpDriver::connect(board.local_addr().unwrap()).unwrap();
        stranger.send_to(b"lies", ("127.0.0.1", driver.local_addr().unwrap().port())).unwrap();
        assert_eq!(received(&mut driver, Duration::from_millis(20)), None);
        drop(board);
        send(&mut driver, b"anybody?");
        assert_eq!(received(&mut driver, Duration::from_millis(20)), None);
        send(&mut driver, b"anybody?");
        assert!(driver.trouble().is_some_and(|t| t.contains("nothing listens")));
    }
}
