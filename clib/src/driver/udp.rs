//! The socket driver: one connected UDP socket, so the kernel drops what comes from elsewhere. Several datagrams leave
//! and arrive per system call, where the kernel does that.
use super::joined::{ANSWERS, log_change, one_by_one};
use super::{Clock, Driver, DriverError, Take, ToBoard};
use mneme_link::{NotJoined, UdpBatch, UdpOptions, Waiting, is_loss};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The largest UDP payload that an unfragmented 9,000-byte packet can carry; boards tell their own, smaller limit.
const MAX_DATAGRAM: usize = 9_000 - 28;

/// A UDP socket connected to a board.
///
/// ```no_run
/// use mneme_clib::{Client, ClientOptions, UdpDriver};
/// # fn main() -> mneme_clib::Result<()> {
/// let driver = UdpDriver::connect("board.example:19790")?;
/// let client = Client::connect(driver, ClientOptions::default())?;
/// # Ok(()) }
/// ```
pub struct UdpDriver {
    socket: UdpBatch,
    board: SocketAddrV4,
    clock: Clock,
    trouble: Option<String>,
    /// Refusals in a row.
    refusals: u32,
    /// Whether datagrams may still leave joined, as far as the log knows.
    joins: bool,
    /// Bytes of the largest datagram, as far as the log knows.
    carries: usize,
}

impl UdpDriver {
    /// Binds a free port and connects it to a board, `HOST[:PORT]`; of a name's addresses the first IPv4 one counts. Sends
    /// nothing.
    pub fn connect(board: impl ToBoard) -> Result<Self, DriverError> {
        Self::connect_with(board, UdpOptions::default())
    }
    /// As [`UdpDriver::connect`], with a say in how the kernel is used.
    pub fn connect_with(board: impl ToBoard, options: UdpOptions) -> Result<Self, DriverError> {
        Self::connect_from((Ipv4Addr::UNSPECIFIED, 0).into(), board, options)
    }
    /// As [`UdpDriver::connect_with`], from an address and port of this machine; 0 stands for any.
    pub fn connect_from(
        local: SocketAddr,
        board: impl ToBoard,
        options: UdpOptions,
    ) -> Result<Self, DriverError> {
        let board = board.to_board()?;
        let options = UdpOptions { answers: Some(ANSWERS), ..options };
        let socket = UdpBatch::connect(local, board.into(), MAX_DATAGRAM, options).map_err(|source| {
            DriverError::Io { what: "cannot connect a UDP socket to the board's address", source }
        })?;
        let (joins, carries) = (socket.not_joined().is_none(), socket.largest());
        Ok(UdpDriver { socket, board, clock: Clock::default(), trouble: None, refusals: 0, joins, carries })
    }
    /// The socket's own address: the source that the board sees.
    pub fn local_addr(&self) -> Result<SocketAddr, DriverError> {
        self.socket
            .local_addr()
            .map_err(|source| DriverError::Io { what: "cannot read the socket's address", source })
    }
    /// Why datagrams leave one by one; none: batches of equally long ones leave joined, and the kernel takes them apart
    /// (UDP_SEGMENT). A board that reads them joined ends that, for the driver's life; silence ends it for a while.
    pub fn not_joined(&self) -> Option<NotJoined> {
        self.socket.not_joined()
    }
    /// Refusals that were about joined datagrams, and not handed on: the requests leave again, one by one.
    pub fn joined_refused(&self) -> u64 {
        self.socket.joined_refused()
    }
    /// How [`Driver::receive`] waits from now on.
    pub fn set_waiting(&mut self, waiting: Waiting) {
        self.socket.set_waiting(waiting);
    }
    fn note(&mut self, error: &io::Error) {
        let board = self.board;
        match error.kind() {
            ErrorKind::ConnectionRefused => {
                self.refusals = self.refusals.saturating_add(1);
                self.trouble = Some(format!("nothing listens on UDP {board}"));
            }
            ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown => {
                let ip = board.ip();
                self.trouble =
                    Some(format!("{error}: `ip route get {ip}` tells the way that the system takes"));
            }
            ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut => {}
            _ => self.trouble = Some(error.to_string()),
        }
    }
    /// Says once that datagrams leave one by one from now on, and what the path carries when that changes.
    fn log_changes(&mut self) {
        log_change(&mut self.joins, self.socket.not_joined(), &self.board);
        let carries = self.socket.largest();
        if self.carries != carries {
            self.carries = carries;
            tracing::warn!(board = %self.board, "the path's MTU has changed: it carries datagrams of {carries} bytes");
        }
    }
    fn judge(&mut self, sent: io::Result<()>) -> Result<(), DriverError> {
        match sent {
            Ok(()) => Ok(()),
            Err(error) if is_loss(&error) => {
                self.note(&error);
                Ok(())
            }
            Err(source) => Err(DriverError::Io { what: "cannot send to the board", source }),
        }
    }
}

impl Driver for UdpDriver {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        if length > self.socket.most() {
            return Err(DriverError::TooLarge(length));
        }
        let sent = self.socket.send(&|| self.clock.now(), length, fill);
        self.judge(sent)
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        let sent = self.socket.flush(&|| self.clock.now());
        self.log_changes();
        self.judge(sent)
    }
    fn take_back(&mut self, back: &mut dyn FnMut(&[u8])) {
        self.socket.take_back(back);
    }

    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let until = self.now() + wait;
        let mut left = wait;
        loop {
            // What one system call brings has come by one time.
            let mut came = None;
            let received = self
                .socket
                .receive(left, &mut |datagram| take(*came.get_or_insert_with(|| self.clock.now()), datagram));
            self.log_changes();
            match received {
                Ok(taken) => {
                    if taken > 0 {
                        (self.trouble, self.refusals) = (None, 0);
                    }
                    return Ok(taken);
                }
                // The error of an earlier send: it answers nothing, so the wait goes on, but for a refusal, which may be
                // one too many.
                Err(error) if is_loss(&error) => {
                    self.note(&error);
                    if error.kind() == ErrorKind::ConnectionRefused {
                        return Ok(0);
                    }
                }
                Err(source) => {
                    return Err(DriverError::Io { what: "cannot receive from the board", source });
                }
            }
            left = until.saturating_sub(self.now());
            if left.is_zero() {
                return Ok(0);
            }
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
    fn max_datagram(&self) -> usize {
        self.socket.largest()
    }
    fn peer(&self) -> String {
        format!("udp://{}", self.board)
    }
    fn board_address(&self) -> Option<SocketAddrV4> {
        Some(self.board)
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        // Connected, so that the system has chosen it for good.
        match self.socket.local_addr() {
            Ok(SocketAddr::V4(own)) => Some((own, self.board)),
            _ => None,
        }
    }
    fn descriptors(&self) -> Vec<OwnedFd> {
        self.socket.descriptors()
    }
    fn goes_on_alone(&self) -> bool {
        true
    }
    fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }
    fn refusals(&self) -> u32 {
        self.refusals
    }
    fn remarks(&self) -> Vec<String> {
        let remark = |why| one_by_one(why, self.joined_refused());
        let (carries, most) = (self.socket.largest(), self.socket.most());
        let narrow =
            || format!("the path carries datagrams of {carries} bytes, and {most} when it was connected");
        self.not_joined().map(remark).into_iter().chain((carries < most).then(narrow)).collect()
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
    fn a_refusal_of_joined_datagrams_ends_joining_and_is_not_handed_on() {
        use mneme_wire::{Cause, HEADER_LEN, Opcode, Pid, Request, Response, Status, Tick, Trailer, Va};
        let board = UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut driver = UdpDriver::connect(board.local_addr().unwrap()).unwrap();
        if let Some(why) = driver.not_joined() {
            let test = "a_refusal_of_joined_datagrams_ends_joining_and_is_not_handed_on";
            return mneme_skips::skipped(test, mneme_skips::Lack::System, format_args!("{why}"));
        }
        let request = |op_id| Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode: Opcode::Read,
            epoch: 1,
            pid: Pid::from_low_bits(1),
            op_id,
            attempt: 0,
            time: Tick::default(),
            va: Va::default(),
            length: 64,
        };
        let ask = |driver: &mut UdpDriver, ids: &[u32]| {
            for id in ids {
                let bytes = request(*id).to_bytes();
                driver.send(HEADER_LEN, &mut |frame| frame.copy_from_slice(&bytes)).unwrap();
            }
            driver.flush().unwrap();
            // This socket's system takes them apart.
            let from: Vec<_> = ids.iter().map(|_| board.recv_from(&mut [0; 64]).unwrap().1).collect();
            from[0]
        };
        let refusal = |op_id, cause, hint| {
            let va = mneme_wire::Detail { cause, hint }.to_va();
            Response::fail(&request(op_id), Tick::default(), Status::BadRequest, va).to_bytes()
        };
        let from = ask(&mut driver, &[1]);
        board.send_to(&refusal(1, Cause::Length, 0), from).unwrap();
        assert!(received(&mut driver, Duration::from_secs(5)).is_some(), "that packet was alone");
        ask(&mut driver, &[2, 3, 4]);
        for (id, cause, hint) in [(3, Cause::Length, 0), (2, Cause::Alignment, 0), (2, Cause::Length, 1)] {
            board.send_to(&refusal(id, cause, hint), from).unwrap();
            assert!(received(&mut driver, Duration::from_secs(5)).is_some(), "{id} {cause} {hint}");
        }
        assert_eq!((driver.not_joined(), driver.joined_refused()), (None, 0));
        board.send_to(&refusal(2, Cause::Length, 0), from).unwrap();
        board.send_to(b"the next one", from).unwrap();
        let came = received(&mut driver, Duration::from_secs(5));
        assert_eq!(came.as_deref(), Some(&b"the next one"[..]));
        assert_eq!((driver.not_joined(), driver.joined_refused()), (Some(NotJoined::Refused), 1));
        // Sent again, and alone: whatever the board says now is meant.
        ask(&mut driver, &[2, 5]);
        board.send_to(&refusal(5, Cause::Length, 0), from).unwrap();
        assert!(received(&mut driver, Duration::from_secs(5)).is_some());
        assert_eq!(driver.joined_refused(), 1);
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
        assert!(driver.refusals() > 0, "{}", driver.refusals());
    }
}
