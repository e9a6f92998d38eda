//! The socket driver: one connected UDP socket, so the kernel drops what comes from elsewhere.
use super::{Driver, DriverError, Take};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant};

/// The largest UDP payload that an unfragmented 9,000-byte packet can carry; boards tell their own, smaller limit.
const MAX_DATAGRAM: usize = 9_000 - 28;
/// The system refuses a receive timeout of zero, and its timers are no finer than this.
const SHORTEST_WAIT: Duration = Duration::from_micros(1);

/// A UDP socket connected to a board.
#[derive(Debug)]
pub struct UdpDriver {
    socket: UdpSocket,
    board: SocketAddr,
    began: Instant,
    timeout: Option<Duration>,
    nonblocking: bool,
    trouble: Option<String>,
    frame: Vec<u8>,
    buffer: Vec<u8>,
}

impl UdpDriver {
    /// Binds a free port and connects it to a board; names are resolved, the first address counts. Sends nothing.
    pub fn connect(board: impl ToSocketAddrs) -> Result<Self, DriverError> {
        let failed = |what| move |source| DriverError::Io { what, source };
        let mut addresses = board.to_socket_addrs().map_err(failed("cannot resolve the board's address"))?;
        let none = || io::Error::new(ErrorKind::NotFound, "the name has no address");
        let board =
            addresses.next().ok_or_else(none).map_err(failed("cannot resolve the board's address"))?;
        let local: SocketAddr = match board {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(local).map_err(failed("cannot bind a UDP socket"))?;
        socket.connect(board).map_err(failed("cannot connect a UDP socket to the board's address"))?;
        Ok(UdpDriver {
            socket,
            board,
            began: Instant::now(),
            timeout: None,
            nonblocking: false,
            trouble: None,
            frame: vec![0; MAX_DATAGRAM],
            // One byte more than the largest datagram, so that a longer one shows.
            buffer: vec![0; MAX_DATAGRAM + 1],
        })
    }
    /// The socket's own address: the source that the board sees.
    pub fn local_addr(&self) -> Result<SocketAddr, DriverError> {
        self.socket
            .local_addr()
            .map_err(|source| DriverError::Io { what: "cannot read the socket's address", source })
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
        if error.kind() == ErrorKind::ConnectionRefused {
            self.trouble = Some(format!("nothing listens on UDP {}", self.board));
        } else if !matches!(
            error.kind(),
            ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut
        ) {
            self.trouble = Some(error.to_string());
        }
    }
    fn set_wait(&mut self, wait: Duration) -> io::Result<()> {
        let nonblocking = wait.is_zero();
        if self.nonblocking != nonblocking {
            self.socket.set_nonblocking(nonblocking)?;
            self.nonblocking = nonblocking;
        }
        if !nonblocking && self.timeout != Some(wait) {
            self.socket.set_read_timeout(Some(wait.max(SHORTEST_WAIT)))?;
            self.timeout = Some(wait);
        }
        Ok(())
    }
}

impl Driver for UdpDriver {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let frame = self.frame.get_mut(..length).ok_or(DriverError::TooLarge(length))?;
        fill(frame);
        match self.socket.send(frame) {
            Ok(_) => Ok(()),
            Err(error) if Self::is_loss(&error) => {
                self.note(&error);
                Ok(())
            }
            // EMSGSIZE (90 on Linux, 40 on BSD and macOS): the path's MTU is known to be smaller.
            Err(error) if matches!(error.raw_os_error(), Some(90 | 40)) => Err(DriverError::TooLarge(length)),
            Err(source) => Err(DriverError::Io { what: "cannot send to the board", source }),
        }
    }

    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let until = Instant::now() + wait;
        let failed = |source| DriverError::Io { what: "cannot receive from the board", source };
        loop {
            let left = until.saturating_duration_since(Instant::now());
            self.set_wait(left).map_err(failed)?;
            match self.socket.recv(&mut self.buffer) {
                // A datagram that fills the buffer may have been cut.
                Ok(length) if length == self.buffer.len() => {}
                Ok(length) => {
                    self.trouble = None;
                    take(self.began.elapsed(), &self.buffer[..length]);
                    return Ok(1);
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Ok(0);
                }
                // The error of an earlier send: it answers nothing, so the wait goes on.
                Err(error) if Self::is_loss(&error) => self.note(&error),
                Err(source) => return Err(failed(source)),
            }
            if left.is_zero() {
                return Ok(0);
            }
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
    fn max_datagram(&self) -> usize {
        MAX_DATAGRAM
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
