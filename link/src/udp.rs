//! A connected UDP socket that moves several datagrams per system call, where the kernel lets it.
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use socket2::{Domain, Protocol, Socket, Type};

use crate::batch::{Batch, Flushed};
use crate::joining::{Answers, Joining, NotJoined, refuses_segments};
use crate::messages::{BUFFER, Inbox, LARGEST_JOINED, set_udp_option};
use crate::path::Path;
use crate::waiting::{Wait, Waiting, copies};

/// Joined sends of one batch at most: one may be told of a router's message about an earlier datagram.
const JOINED_TRIES: usize = 2;

/// A full buffer is waited for so long before what it does not take is given back.
const DRAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };

/// What to ask of the kernel.
///
/// ```
/// use mneme_link::{UdpOptions, Waiting};
///
/// let awake = UdpOptions { waiting: Waiting::Spin, ..UdpOptions::default() };
/// assert!(awake.segmentation && awake.coalescing);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct UdpOptions {
    /// Let the kernel cut up a batch of equally long datagrams (UDP_SEGMENT).
    pub segmentation: bool,
    /// Let the kernel join received datagrams (UDP_GRO).
    pub coalescing: bool,
    /// How to wait.
    pub waiting: Waiting,
    /// How to tell which datagram answers which. Without, nothing is known of a peer that reads joined datagrams as
    /// one.
    pub answers: Option<Answers>,
}

impl Default for UdpOptions {
    fn default() -> Self {
        UdpOptions { segmentation: true, coalescing: true, waiting: Waiting::Yield, answers: None }
    }
}

/// A UDP socket connected to one peer: the kernel drops what comes from elsewhere.
pub struct UdpBatch {
    socket: Socket,
    batch: Batch,
    inbox: Inbox,
    path: Path,
    joining: Joining,
    waiting: Waiting,
    /// An error that came with datagrams that had left before.
    pending: Option<io::Error>,
    /// Datagrams that certainly have not left.
    back: VecDeque<Vec<u8>>,
}

impl UdpBatch {
    /// Binds `local` and connects to `peer`, for datagrams of up to `largest` bytes, fewer where the way there is known
    /// to carry fewer without fragments. Sends nothing.
    pub fn connect(
        local: SocketAddr,
        peer: SocketAddr,
        largest: usize,
        options: UdpOptions,
    ) -> io::Result<UdpBatch> {
        let socket = Socket::new(Domain::for_address(peer), Type::DGRAM, Some(Protocol::UDP))?;
        socket.bind(&local.into())?;
        socket.connect(&peer.into())?;
        socket.set_nonblocking(true)?;
        // As large as the system allows; less is slower, not wrong.
        let _within_limits = (socket.set_recv_buffer_size(BUFFER), socket.set_send_buffer_size(BUFFER));
        let segmentation = options.segmentation && set_udp_option(&socket, libc::UDP_SEGMENT, 0).is_ok();
        let coalescing = options.coalescing && set_udp_option(&socket, libc::UDP_GRO, 1).is_ok();
        let path = Path::of(&socket, peer, largest);
        let each = if coalescing { LARGEST_JOINED } else { path.most() + 1 };
        Ok(UdpBatch {
            socket,
            batch: Batch::new(path.most()),
            inbox: Inbox::new(each, coalescing),
            path,
            joining: Joining::new(segmentation, options.answers),
            waiting: options.waiting,
            pending: None,
            back: VecDeque::new(),
        })
    }
    /// The socket's own address.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        let none = || io::Error::from(ErrorKind::AddrNotAvailable);
        self.socket.local_addr()?.as_socket().ok_or_else(none)
    }
    /// Why datagrams leave one by one; none: the kernel cuts up batches of equally long ones.
    pub fn not_joined(&self) -> Option<NotJoined> {
        self.joining.stopped()
    }
    /// Answers thrown away since they were about joined datagrams that nothing had taken apart.
    pub fn joined_refused(&self) -> u64 {
        self.joining.refused()
    }
    /// Whether the kernel may join received datagrams.
    pub fn coalesces(&self) -> bool {
        self.inbox.coalesces()
    }
    /// How [`UdpBatch::receive`] waits from now on.
    pub fn set_waiting(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }
    /// Copies of what is readable when datagrams have come; none while waiting is done awake.
    pub fn descriptors(&self) -> Vec<OwnedFd> {
        copies(self.waiting, &[self.socket.as_fd()])
    }
    /// Bytes of the largest datagram: what was asked for, or what the path's MTU leaves of it at the moment. Changes
    /// when the system refuses a datagram as too long or a router's message says so, which is no error here; grows
    /// again, up to what it was in the beginning.
    pub fn largest(&self) -> usize {
        self.path.largest()
    }
    /// What [`UdpBatch::largest`] was in the beginning.
    pub fn most(&self) -> usize {
        self.path.most()
    }
    /// Gives back datagrams, once, that were taken and certainly have not left: those that do not fit the path, those
    /// that found the socket's buffer full, and those that were in line when the socket failed. Remembers the latest [`MOST_BACK`].
    pub fn take_back(&mut self, back: &mut dyn FnMut(&[u8])) {
        self.back.drain(..).for_each(|datagram| back(&datagram));
    }
    /// Takes a datagram of `length` bytes, [`UdpBatch::most`] at most, that `fill` writes; it leaves at the next
    /// [`UdpBatch::flush`], or before when the line is full. `clock` tells the time; it is looked at when something
    /// leaves. After an error that is not [`is_loss`] the datagram was not taken.
    pub fn send(
        &mut self,
        clock: &dyn Fn() -> Duration,
        length: usize,
        fill: &mut dyn FnMut(&mut [u8]),
    ) -> io::Result<()> {
        let flushed = if self.batch.is_full() { self.flush(clock) } else { Ok(()) };
        if flushed.as_ref().is_err_and(|error| !is_loss(error)) {
            return flushed;
        }
        if length > self.path.largest() {
            let mut datagram = vec![0; length];
            fill(&mut datagram);
            give_back(&mut self.back, datagram);
        } else {
            fill(self.batch.push(length));
        }
        flushed
    }
    /// Sends what is in line; an error says why some of it is lost.
    pub fn flush(&mut self, clock: &dyn Fn() -> Duration) -> io::Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let now = clock();
        if self.path.look_again(&self.socket, now) {
            self.joining.path_narrowed();
        }
        self.joining.doubt(now);
        let flushed = self.flush_joined(now);
        self.flush_rest(flushed)
    }
    /// Asks the system what the path carries.
    fn ask_path(&mut self) {
        if self.path.ask(&self.socket) {
            self.joining.path_narrowed();
        }
    }
    /// Sends all of it, joined where that is allowed.
    fn flush_joined(&mut self, now: Duration) -> Flushed {
        let fd = self.socket.as_raw_fd();
        for _ in 0..JOINED_TRIES {
            if !self.joining.allowed() {
                break;
            }
            let flushed = self.batch.flush(fd, true);
            let whole = flushed.sent == 0 && flushed.unsent > 1;
            if !whole || !flushed.error.as_ref().is_some_and(refuses_segments) {
                if flushed.joined {
                    self.joining.left(now, self.batch.gone(flushed.sent));
                }
                return flushed;
            }
            self.batch.restore(flushed.unsent);
            self.ask_path();
            if (0..flushed.unsent).any(|at| self.batch.at(at).len() > self.path.largest()) {
                // Not for being joined: one by one, those leave that fit.
                return self.batch.flush(fd, false);
            }
            // A router's message, told to the next call, is over with it, and an interface may carry them again by now;
            // what is about joining is said again.
        }
        if self.joining.allowed() {
            self.joining.stop(NotJoined::Unsupported);
        }
        self.batch.flush(fd, false)
    }
    /// Goes on behind what was refused: an error may be that of one datagram, or of an earlier one, told to the next
    /// call.
    fn flush_rest(&mut self, mut flushed: Flushed) -> io::Result<()> {
        let (mut next, end) = (flushed.sent, flushed.sent + flushed.unsent);
        let mut refused_before = None;
        while let Some(error) = flushed.error.take_if(|_| flushed.unsent > 0) {
            let again = refused_before.replace(next) == Some(next);
            if is_too_long(&error) {
                self.ask_path();
                let length = self.batch.at(next).len();
                if again && length <= self.path.largest() {
                    self.path.refuses(length);
                    self.joining.path_narrowed();
                }
                if length > self.path.largest() {
                    give_back(&mut self.back, self.batch.at(next).to_vec());
                    next += 1;
                }
            } else if is_stale(&error) && !again {
                self.pending = Some(error);
            } else if is_full(&error) && !again && self.drains() {
                // There is room again for the same datagram and those behind it.
            } else {
                if is_full(&error) || !is_loss(&error) {
                    (next..end).for_each(|at| give_back(&mut self.back, self.batch.at(at).to_vec()));
                }
                return Err(error);
            }
            flushed = self.batch.flush_from(self.socket.as_raw_fd(), next, end);
            next += flushed.sent;
        }
        flushed.error.map_or(Ok(()), Err)
    }
    /// Waits a moment for room in the socket's buffer: whether there is some.
    fn drains(&self) -> bool {
        let mut sockets = [PollFd::new(&self.socket, PollFlags::OUT)];
        poll(&mut sockets, Some(&DRAIN)).is_ok_and(|ready| ready > 0)
    }
    /// Hands datagrams to `take`, waiting up to `longest` for the first; answers how many came. Longer ones than the
    /// largest are thrown away, and those that [`UdpBatch::joined_refused`] counts. An error is that of an earlier
    /// datagram, or the socket's.
    pub fn receive(&mut self, longest: Duration, take: &mut dyn FnMut(&[u8])) -> io::Result<usize> {
        let mut wait = Wait::new(longest);
        loop {
            if let Some(error) = self.pending.take() {
                return Err(error);
            }
            match self.look(take) {
                Ok(0) => {}
                Ok(taken) => return Ok(taken),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // A router's message about an earlier datagram.
                Err(error) if is_too_long(&error) => self.ask_path(),
                Err(error) => return Err(error),
            }
            if !wait.again(self.waiting, &[self.socket.as_fd()])? {
                if !longest.is_zero() {
                    // What was asked for may be too long to come here.
                    self.ask_path();
                }
                return Ok(0);
            }
        }
    }
    /// Takes the messages that have come.
    fn look(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<usize> {
        let (most, joining, mut taken) = (self.path.most(), &mut self.joining, 0);
        self.inbox.look::<false>(&self.socket, |message| {
            let whole = |datagram: &&[u8]| !message.cut && datagram.len() <= most;
            for datagram in message.datagrams().filter(whole) {
                if joining.hears(datagram) {
                    take(datagram);
                    taken += 1;
                }
            }
        })?;
        Ok(taken)
    }
}

/// Datagrams that are kept to be given back at most; older ones count as lost on the way.
const MOST_BACK: usize = 256;

fn give_back(back: &mut VecDeque<Vec<u8>>, datagram: Vec<u8>) {
    if back.len() == MOST_BACK {
        back.pop_front();
    }
    back.push_back(datagram);
}

/// A datagram is longer than the path carries.
fn is_too_long(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EMSGSIZE)
}

/// The socket's buffer takes no more at the moment.
fn is_full(error: &io::Error) -> bool {
    error.kind() == ErrorKind::WouldBlock
}

/// Errors that an ICMP message or a full buffer caused, now or for an earlier datagram: the datagram is lost, or given
/// back where the buffer was full; the socket goes on.
pub fn is_loss(error: &io::Error) -> bool {
    use ErrorKind::*;
    let kinds =
        [ConnectionRefused, ConnectionReset, HostUnreachable, NetworkUnreachable, NetworkDown, Interrupted];
    kinds.contains(&error.kind()) || matches!(error.kind(), WouldBlock | OutOfMemory)
}

/// Errors that tell of a datagram sent before.
fn is_stale(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable)
}
