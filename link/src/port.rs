//! A UDP socket that serves many peers, with several datagrams per system call where the kernel lets it.
use std::io::{self, ErrorKind};
use std::net::{SocketAddrV4, UdpSocket};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use crate::joining::{MOST_JOINED, MOST_SEGMENTS, refuses_segments};
use crate::messages::{BUFFER, Inbox, LARGEST_JOINED, Outgoing, send_some, set_udp_option};
use crate::peers::JoiningPeers;
use crate::waiting::{Wait, Waiting};

/// Bytes kept back at most.
const MOST_KEPT: usize = 1 << 20;

/// Datagrams of one length to one peer; the last may be shorter.
#[derive(Debug, Clone, Copy)]
struct Group {
    to: SocketAddrV4,
    each: usize,
    bytes: usize,
    closed: bool,
}

/// What became of datagrams that were to leave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PortSent {
    /// The kernel took them.
    pub sent: u64,
    /// It did not: they are lost.
    pub unsent: u64,
}

/// A bound UDP socket, IPv4. Answers are joined (UDP_SEGMENT) to peers that join what they send: those read from a
/// socket of their system, which takes them apart. A raw link behind an interface that does not could not.
#[derive(Debug)]
pub struct UdpPort {
    socket: UdpSocket,
    inbox: Inbox,
    waiting: Waiting,
    segmentation: bool,
    joining: JoiningPeers,
    groups: Vec<Group>,
    bytes: Vec<u8>,
}

impl UdpPort {
    /// The socket is this port's alone from now on.
    pub fn new(socket: UdpSocket, waiting: Waiting) -> io::Result<UdpPort> {
        socket.set_nonblocking(true)?;
        let reference = socket2::SockRef::from(&socket);
        // As large as the system allows, unless the caller has given it more; less is slower, not wrong.
        if reference.recv_buffer_size()? < BUFFER {
            let _within_limits = reference.set_recv_buffer_size(BUFFER);
        }
        let _within_limits = reference.set_send_buffer_size(BUFFER);
        let segmentation = set_udp_option(&socket, libc::UDP_SEGMENT, 0).is_ok()
            && set_udp_option(&socket, libc::UDP_GRO, 1).is_ok();
        let (joining, groups, bytes) = Default::default();
        let inbox = Inbox::new(LARGEST_JOINED, segmentation);
        Ok(UdpPort { socket, inbox, waiting, segmentation, joining, groups, bytes })
    }
    /// Hands datagrams to `take`, with their sources (none for one that is not IPv4), waiting up to `longest` for the
    /// first; answers how many. An error is that of an earlier datagram, or the socket's.
    pub fn receive(
        &mut self,
        longest: Duration,
        take: &mut dyn FnMut(Option<SocketAddrV4>, &[u8]),
    ) -> io::Result<usize> {
        let mut wait = Wait::new(longest);
        loop {
            match self.look(take) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => return other,
            }
            if !wait.again(self.waiting, &[self.socket.as_fd()])? {
                return Ok(0);
            }
        }
    }
    /// Takes the messages that have come.
    fn look(&mut self, take: &mut dyn FnMut(Option<SocketAddrV4>, &[u8])) -> io::Result<usize> {
        let (joining, mut taken) = (&mut self.joining, 0);
        self.inbox.look::<true>(&self.socket, |message| {
            if let Some(source) = message.from {
                joining.hear(source, message.is_joined());
            }
            for datagram in message.datagrams() {
                take(message.from, datagram);
                taken += 1;
            }
        })?;
        Ok(taken)
    }
    /// Takes a datagram; it leaves at the next [`UdpPort::flush`].
    pub fn send(&mut self, to: SocketAddrV4, datagram: &[u8]) -> PortSent {
        let sent =
            if self.bytes.len() + datagram.len() > MOST_KEPT { self.flush() } else { PortSent::default() };
        let fits = |group: &&mut Group| {
            group.to == to
                && !group.closed
                && datagram.len() <= group.each
                && group.bytes + datagram.len() <= MOST_JOINED.min(group.each * MOST_SEGMENTS)
        };
        match self.groups.last_mut().filter(fits) {
            Some(group) => {
                group.bytes += datagram.len();
                group.closed = datagram.len() < group.each;
            }
            None => {
                let closed = !self.segmentation || datagram.is_empty() || !self.joining.joins(to);
                self.groups.push(Group { to, each: datagram.len(), bytes: datagram.len(), closed });
            }
        }
        self.bytes.extend_from_slice(datagram);
        sent
    }
    /// Sends what was kept back.
    pub fn flush(&mut self) -> PortSent {
        let (mut done, mut begin, mut all) = (0, 0, PortSent::default());
        while done < self.groups.len() {
            match self.send_groups(done, begin) {
                Ok(taken) => {
                    for group in &self.groups[done..done + taken] {
                        all.sent += group.datagrams();
                        begin += group.bytes;
                    }
                    done += taken;
                }
                Err(error) => {
                    let group = self.groups[done];
                    if group.bytes > group.each && refuses_segments(&error) {
                        self.take_apart(done);
                        continue;
                    }
                    all.unsent += group.datagrams();
                    begin += group.bytes;
                    done += 1;
                }
            }
        }
        self.groups.clear();
        self.bytes.clear();
        all
    }
    /// From now on every datagram is a message of its own, those in line included.
    fn take_apart(&mut self, from: usize) {
        self.segmentation = false;
        let joined = self.groups.split_off(from);
        for Group { to, each, bytes, .. } in joined {
            let lengths = (0..bytes.max(1)).step_by(each.max(1)).map(|at| each.min(bytes - at));
            self.groups.extend(lengths.map(|length| Group { to, each: length, bytes: length, closed: true }));
        }
    }
    /// Offers some groups to the kernel; how many it took, one at least.
    fn send_groups(&self, from: usize, mut begin: usize) -> io::Result<usize> {
        let messages = self.groups[from..].iter().map(|group| {
            let bytes = &self.bytes[begin..begin + group.bytes];
            begin += group.bytes;
            let segment = (group.bytes > group.each).then_some(group.each as u16);
            Outgoing { bytes, to: Some(group.to), segment }
        });
        send_some(self.socket.as_raw_fd(), messages)
    }
}

impl Group {
    fn datagrams(&self) -> u64 {
        self.bytes.div_ceil(self.each.max(1)).max(1) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::udp::{UdpBatch, UdpOptions};
    use std::net::{Ipv4Addr, SocketAddr};

    const PATIENCE: Duration = Duration::from_secs(10);

    fn pair(options: UdpOptions) -> (UdpPort, UdpBatch) {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = socket.local_addr().expect("an address");
        let port = UdpPort::new(socket, Waiting::Yield).expect("a port");
        let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        (port, UdpBatch::connect(local, address, 1500, options).expect("a socket"))
    }

    /// Sends some datagrams and echoes them; what came back.
    fn echoed(port: &mut UdpPort, peer: &mut UdpBatch, lengths: &[usize]) -> Vec<Vec<u8>> {
        for (number, length) in lengths.iter().enumerate() {
            peer.send(&|| Duration::ZERO, *length, &mut |to| to.fill(number as u8)).expect("room");
        }
        peer.flush(&|| Duration::ZERO).expect("sent");
        let mut came = Vec::new();
        while came.len() < lengths.len() {
            let taken = port.receive(PATIENCE, &mut |from, datagram| {
                came.push((from.expect("IPv4"), datagram.to_vec()));
            });
            assert!(taken.expect("the socket works") > 0, "nothing came");
        }
        let mut all = PortSent::default();
        for (from, datagram) in &came {
            all.sent += port.send(*from, datagram).sent;
        }
        all.sent += port.flush().sent;
        assert_eq!(all, PortSent { sent: lengths.len() as u64, unsent: 0 });
        let mut back = Vec::new();
        while back.len() < lengths.len() {
            let taken = peer.receive(PATIENCE, &mut |datagram| back.push(datagram.to_vec()));
            assert!(taken.expect("the socket works") > 0, "nothing came back");
        }
        back
    }

    #[test]
    fn datagrams_come_back_whole_joined_or_not() {
        let lengths = [100, 100, 100, 64, 64, 1500, 1500, 7, 1, 1];
        for segmentation in [false, true] {
            let options = UdpOptions { segmentation, coalescing: segmentation, ..UdpOptions::default() };
            let (mut port, mut peer) = pair(options);
            let back = echoed(&mut port, &mut peer, &lengths);
            let expected = lengths.iter().enumerate().map(|(n, length)| vec![n as u8; *length]);
            assert_eq!(back, expected.collect::<Vec<_>>());
            let alike = echoed(&mut port, &mut peer, &[333; 32]);
            assert!(alike.iter().enumerate().all(|(n, datagram)| *datagram == [n as u8; 333]));
            // Whoever joins is answered so, others are not.
            let SocketAddr::V4(of) = peer.local_addr().expect("an address") else { panic!("bound to IPv4") };
            assert_eq!(port.joining.joins(of), segmentation && port.segmentation);
        }
    }

    #[test]
    fn joined_datagrams_are_taken_apart_for_a_kernel_that_cannot() {
        let (mut port, mut peer) = pair(UdpOptions::default());
        let to = match peer.local_addr().expect("an address") {
            SocketAddr::V4(to) => to,
            SocketAddr::V6(_) => unreachable!("bound to IPv4"),
        };
        port.joining.hear(to, true);
        for length in [5, 5, 2, 9] {
            assert_eq!(port.send(to, &vec![length as u8; length]), PortSent::default(), "kept back");
        }
        let joined = port.groups.len();
        port.take_apart(0);
        assert!(joined <= 4 && port.groups.iter().map(|group| group.bytes).eq([5, 5, 2, 9]));
        assert_eq!(port.flush().sent, 4);
        let mut back = Vec::new();
        while back.len() < 4 {
            peer.receive(PATIENCE, &mut |datagram| back.push(datagram.len())).expect("the socket works");
        }
        assert_eq!(back, [5, 5, 2, 9]);
    }
}
