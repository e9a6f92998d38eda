//! A UDP socket that serves many peers, with several datagrams per system call where the kernel lets it.
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use crate::joining::{MOST_JOINED, MOST_SEGMENTS, refuses_segments};
use crate::peers::JoiningPeers;
use crate::udp::{BUFFER, Control, LARGEST_JOINED, segment_size, set_udp_option};
use crate::waiting::{Wait, Waiting};

/// Messages moved per system call at most.
const MESSAGES: usize = 16;
/// Messages of a look when few are expected: preparing for more takes longer than the look.
const FEW: usize = 2;
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
    buffers: Vec<u8>,
    waiting: Waiting,
    /// The last look found as many messages as it could take.
    busy: bool,
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
        let buffers = vec![0; MESSAGES * LARGEST_JOINED];
        Ok(UdpPort { socket, buffers, waiting, busy: false, segmentation, joining, groups, bytes })
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
            let received = if self.busy { self.look::<MESSAGES>(take) } else { self.look::<FEW>(take) };
            match received {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                other => return other,
            }
            if !wait.again(self.waiting, &[self.socket.as_fd()])? {
                return Ok(0);
            }
        }
    }
    /// Takes up to `N` messages that have come.
    fn look<const N: usize>(
        &mut self,
        take: &mut dyn FnMut(Option<SocketAddrV4>, &[u8]),
    ) -> io::Result<usize> {
        let mut vectors = [const { libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 } }; N];
        let mut controls = [const { Control([0; 64]) }; N];
        // SAFETY: `sockaddr_in` and `mmsghdr` are plain data, for which all zeros are valid.
        let (mut names, mut headers): ([libc::sockaddr_in; N], [libc::mmsghdr; N]) =
            unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        let buffers = self.buffers.chunks_mut(LARGEST_JOINED);
        let places = headers.iter_mut().zip(&mut vectors).zip(&mut controls).zip(&mut names).zip(buffers);
        for ((((header, vector), control), name), buffer) in places {
            *vector = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
            let header = &mut header.msg_hdr;
            (header.msg_iov, header.msg_iovlen) = (vector, 1);
            (header.msg_name, header.msg_namelen) = ((&raw mut *name).cast(), size_of_val(name) as _);
            if self.segmentation {
                header.msg_control = control.0.as_mut_ptr().cast();
                header.msg_controllen = control.0.len() as _;
            }
        }
        // SAFETY: all headers are initialised; vectors, names, control buffers and buffers that they point to live
        // through the call and are nobody else's.
        let came = unsafe {
            let (fd, none) = (self.socket.as_raw_fd(), std::ptr::null_mut());
            libc::recvmmsg(fd, headers.as_mut_ptr(), N as _, libc::MSG_DONTWAIT as _, none)
        };
        let came = usize::try_from(came).map_err(|_| io::Error::last_os_error());
        self.busy = came.as_ref().is_ok_and(|came| *came == N);
        let came = came?;
        let mut taken = 0;
        for ((header, name), buffer) in
            headers.iter().zip(&names).zip(self.buffers.chunks(LARGEST_JOINED)).take(came)
        {
            let message = &buffer[..(header.msg_len as usize).min(buffer.len())];
            let segment = segment_size(&header.msg_hdr).unwrap_or(message.len()).max(1);
            let source = source(name);
            if let Some(source) = source {
                self.joining.hear(source, message.len() > segment);
            }
            // An empty datagram is one.
            for datagram in message.chunks(segment).chain(message.is_empty().then_some(message)) {
                take(source, datagram);
                taken += 1;
            }
        }
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
    fn send_groups(&mut self, from: usize, mut begin: usize) -> io::Result<usize> {
        let groups = &self.groups[from..(from + MESSAGES).min(self.groups.len())];
        let mut vectors = [const { libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 } }; MESSAGES];
        let mut controls = [const { Control([0; 64]) }; MESSAGES];
        // SAFETY: `sockaddr_in` and `mmsghdr` are plain data, for which all zeros are valid.
        let (mut names, mut headers): ([libc::sockaddr_in; MESSAGES], [libc::mmsghdr; MESSAGES]) =
            unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        let places = headers.iter_mut().zip(&mut vectors).zip(&mut controls).zip(&mut names);
        for ((((header, vector), control), name), group) in places.zip(groups) {
            let bytes = &mut self.bytes[begin..begin + group.bytes];
            begin += group.bytes;
            *vector = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
            name.sin_family = libc::AF_INET as _;
            name.sin_port = group.to.port().to_be();
            name.sin_addr.s_addr = u32::from(*group.to.ip()).to_be();
            let header = &mut header.msg_hdr;
            (header.msg_iov, header.msg_iovlen) = (vector, 1);
            (header.msg_name, header.msg_namelen) = ((&raw mut *name).cast(), size_of_val(name) as _);
            if group.bytes > group.each {
                control.segments(header, group.each as u16);
            }
        }
        // SAFETY: the headers are initialised; names, vectors, control buffers and the bytes that they point to live
        // through the call.
        let sent = unsafe {
            let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
            libc::sendmmsg(self.socket.as_raw_fd(), headers.as_mut_ptr(), groups.len() as _, flags as _)
        };
        match usize::try_from(sent) {
            Ok(sent) if sent > 0 => Ok(sent),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Group {
    fn datagrams(&self) -> u64 {
        self.bytes.div_ceil(self.each.max(1)).max(1) as u64
    }
}

fn source(name: &libc::sockaddr_in) -> Option<SocketAddrV4> {
    let ip = Ipv4Addr::from(u32::from_be(name.sin_addr.s_addr));
    (i32::from(name.sin_family) == libc::AF_INET).then(|| SocketAddrV4::new(ip, u16::from_be(name.sin_port)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::udp::{UdpBatch, UdpOptions};
    use std::net::SocketAddr;

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
