//! Several messages for one system call, out of a socket and into one: what batches, lines and ports have in common.
use std::io;
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsRawFd, RawFd};

use crate::joining::MOST_SEGMENTS;
use crate::path::set_option;

/// Messages that leave with one system call at most.
pub(crate) const AT_ONCE: usize = 32;
/// Messages received with one system call at most.
const MESSAGES: usize = 16;
/// Messages of a look when few are expected: preparing for more takes longer than the look.
const FEW: usize = 2;
/// Bytes of the largest message when the kernel puts several datagrams into one.
pub(crate) const LARGEST_JOINED: usize = 65_535;
/// Bytes that a socket's buffers should hold; the system's own limits bound them.
pub(crate) const BUFFER: usize = 4 << 20;
/// Sending never waits, and a closed socket is an error, not a signal.
pub(crate) const FLAGS: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;

const _: () = assert!(AT_ONCE <= MOST_SEGMENTS, "a whole batch may leave as one message");

const NO_VECTOR: libc::iovec = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };

/// What the kernel is told to read. It only reads, though it asks for a pointer that it could write through.
pub(crate) fn vector(bytes: &[u8]) -> libc::iovec {
    libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() }
}

/// A message that is to leave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outgoing<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where it goes, if the socket does not know.
    pub(crate) to: Option<SocketAddrV4>,
    /// Bytes of each datagram that the kernel cuts it into (UDP_SEGMENT); none: it is one.
    pub(crate) segment: Option<u16>,
}

impl<'a> Outgoing<'a> {
    /// A message for a socket that knows where it goes.
    pub(crate) fn alone(bytes: &'a [u8]) -> Outgoing<'a> {
        Outgoing { bytes, to: None, segment: None }
    }
}

/// Sends one message through a socket that knows where it goes.
pub(crate) fn send_one(fd: RawFd, bytes: &[u8]) -> io::Result<()> {
    // SAFETY: the kernel reads as many bytes as the slice has, which lives through the call.
    let sent = unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), FLAGS) };
    if sent < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Offers up to [`AT_ONCE`] messages to the kernel, of which there is one at least; how many it took, one at least.
pub(crate) fn send_some<'a>(fd: RawFd, messages: impl Iterator<Item = Outgoing<'a>>) -> io::Result<usize> {
    let mut vectors = [NO_VECTOR; AT_ONCE];
    let mut names = [const { MaybeUninit::<libc::sockaddr_in>::uninit() }; AT_ONCE];
    let mut controls = [const { MaybeUninit::<Control>::uninit() }; AT_ONCE];
    // SAFETY: `mmsghdr` is plain data, for which all zeros are valid: no name, no vectors, no control data.
    let mut headers: [libc::mmsghdr; AT_ONCE] = unsafe { std::mem::zeroed() };
    let places = headers.iter_mut().zip(&mut vectors).zip(&mut names).zip(&mut controls);
    let mut count = 0;
    for ((((header, place), name), control), message) in places.zip(messages) {
        *place = vector(message.bytes);
        let header = &mut header.msg_hdr;
        (header.msg_iov, header.msg_iovlen) = (place, 1);
        if let Some(to) = message.to {
            header.msg_name = (&raw mut *name.write(name_of(to))).cast();
            header.msg_namelen = size_of::<libc::sockaddr_in>() as _;
        }
        if let Some(each) = message.segment {
            control.write(Control::EMPTY).segments(header, each);
        }
        count += 1;
    }
    // SAFETY: the first `count` headers are initialised; vectors, names, control buffers and the bytes that they point
    // to live through the call.
    let sent = unsafe { libc::sendmmsg(fd, headers.as_mut_ptr(), count, FLAGS as _) };
    usize::try_from(sent).ok().filter(|sent| *sent > 0).ok_or_else(io::Error::last_os_error)
}

/// A message that has come.
#[derive(Debug)]
pub(crate) struct Incoming<'a> {
    bytes: &'a [u8],
    /// Bytes of each datagram in it; the last may be shorter.
    segment: usize,
    /// Where it came from: where that was asked for, and is IPv4.
    pub(crate) from: Option<SocketAddrV4>,
    /// It was longer than there was room for.
    pub(crate) cut: bool,
}

impl<'a> Incoming<'a> {
    /// Whether the kernel has joined several datagrams.
    pub(crate) fn is_joined(&self) -> bool {
        self.bytes.len() > self.segment
    }
    /// Its datagrams; an empty one is one.
    pub(crate) fn datagrams(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.chunks(self.segment).chain(self.bytes.is_empty().then_some(self.bytes))
    }
}

/// Room for messages that come.
#[derive(Debug)]
pub(crate) struct Inbox {
    buffers: Vec<u8>,
    /// Bytes of the buffer for one message.
    each: usize,
    /// The kernel tells where it has joined datagrams (UDP_GRO).
    coalescing: bool,
    /// The last look found as many messages as it could take.
    busy: bool,
}

impl Inbox {
    /// For messages of up to `each` bytes.
    pub(crate) fn new(each: usize, coalescing: bool) -> Inbox {
        Inbox { buffers: vec![0; each * MESSAGES], each, coalescing, busy: false }
    }
    /// Whether the kernel may join datagrams.
    pub(crate) fn coalesces(&self) -> bool {
        self.coalescing
    }
    /// Hands the messages to `take` that have come, as many as one system call brings. `NAMED`: with their sources.
    #[inline]
    pub(crate) fn look<const NAMED: bool>(
        &mut self,
        socket: &impl AsRawFd,
        take: impl FnMut(Incoming<'_>),
    ) -> io::Result<()> {
        let fd = socket.as_raw_fd();
        if self.busy {
            self.take_up_to::<MESSAGES, NAMED>(fd, take)
        } else {
            self.take_up_to::<FEW, NAMED>(fd, take)
        }
    }
    fn take_up_to<const N: usize, const NAMED: bool>(
        &mut self,
        fd: RawFd,
        mut take: impl FnMut(Incoming<'_>),
    ) -> io::Result<()> {
        let mut vectors = [NO_VECTOR; N];
        let mut controls = [const { Control::EMPTY }; N];
        // SAFETY: `sockaddr_in` and `mmsghdr` are plain data, for which all zeros are valid.
        let (mut names, mut headers): ([libc::sockaddr_in; N], [libc::mmsghdr; N]) =
            unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        let buffers = self.buffers.chunks_mut(self.each);
        let places = headers.iter_mut().zip(&mut vectors).zip(&mut controls).zip(&mut names).zip(buffers);
        for ((((header, vector), control), name), buffer) in places {
            *vector = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
            let header = &mut header.msg_hdr;
            (header.msg_iov, header.msg_iovlen) = (vector, 1);
            if NAMED {
                (header.msg_name, header.msg_namelen) = ((&raw mut *name).cast(), size_of_val(name) as _);
            }
            if self.coalescing {
                header.msg_control = control.0.as_mut_ptr().cast();
                header.msg_controllen = control.0.len() as _;
            }
        }
        // SAFETY: all headers are initialised; vectors, names, control buffers and buffers that they point to live
        // through the call and are nobody else's.
        let came = unsafe {
            let (flags, no_timeout) = (libc::MSG_DONTWAIT as _, std::ptr::null_mut());
            libc::recvmmsg(fd, headers.as_mut_ptr(), N as _, flags, no_timeout)
        };
        let came = usize::try_from(came).map_err(|_| io::Error::last_os_error());
        self.busy = came.as_ref().is_ok_and(|came| *came == N);
        for ((header, name), buffer) in
            headers.iter().zip(&names).zip(self.buffers.chunks(self.each)).take(came?)
        {
            let bytes = &buffer[..(header.msg_len as usize).min(buffer.len())];
            let segment = segment_size(&header.msg_hdr).unwrap_or(bytes.len()).max(1);
            let from = if NAMED { source(name) } else { None };
            let cut = header.msg_hdr.msg_flags & libc::MSG_TRUNC != 0;
            take(Incoming { bytes, segment, from, cut });
        }
        Ok(())
    }
}

fn name_of(address: SocketAddrV4) -> libc::sockaddr_in {
    // SAFETY: `sockaddr_in` is plain data, for which all zeros are valid.
    let mut name: libc::sockaddr_in = unsafe { std::mem::zeroed() };
    name.sin_family = libc::AF_INET as _;
    name.sin_port = address.port().to_be();
    name.sin_addr.s_addr = u32::from(*address.ip()).to_be();
    name
}

fn source(name: &libc::sockaddr_in) -> Option<SocketAddrV4> {
    let ip = Ipv4Addr::from(u32::from_be(name.sin_addr.s_addr));
    (i32::from(name.sin_family) == libc::AF_INET).then(|| SocketAddrV4::new(ip, u16::from_be(name.sin_port)))
}

/// The length of the datagrams that the kernel has joined into one message, if it has.
fn segment_size(header: &libc::msghdr) -> Option<usize> {
    // SAFETY: the kernel has filled the control buffer that the header points to and told its length; the macros stay
    // inside. UDP_GRO carries an int.
    unsafe {
        let mut control = libc::CMSG_FIRSTHDR(header);
        while let Some(found) = control.as_ref() {
            if found.cmsg_level == libc::SOL_UDP && found.cmsg_type == libc::UDP_GRO {
                let size = libc::CMSG_DATA(control).cast::<libc::c_int>().read_unaligned();
                return usize::try_from(size).ok();
            }
            control = libc::CMSG_NXTHDR(header, control);
        }
    }
    None
}

pub(crate) fn set_udp_option(
    socket: &impl AsRawFd,
    option: libc::c_int,
    value: libc::c_int,
) -> io::Result<()> {
    set_option(socket, libc::SOL_UDP, option, value)
}

/// Room for the control messages of one message.
#[repr(C, align(8))]
pub(crate) struct Control([u8; 64]);

impl Control {
    pub(crate) const EMPTY: Control = Control([0; 64]);

    /// Tells the kernel to cut the header's message up into datagrams of so many bytes (UDP_SEGMENT).
    pub(crate) fn segments(&mut self, header: &mut libc::msghdr, each: u16) {
        header.msg_control = self.0.as_mut_ptr().cast();
        // SAFETY: CMSG_SPACE only computes.
        header.msg_controllen = unsafe { libc::CMSG_SPACE(size_of::<u16>() as u32) } as _;
        // SAFETY: the control buffer is aligned for `cmsghdr` and has room for one that carries a `u16`, so that the
        // first header and its data lie inside.
        unsafe {
            let message = libc::CMSG_FIRSTHDR(header);
            (*message).cmsg_level = libc::SOL_UDP;
            (*message).cmsg_type = libc::UDP_SEGMENT;
            (*message).cmsg_len = libc::CMSG_LEN(size_of::<u16>() as u32) as _;
            libc::CMSG_DATA(message).cast::<u16>().write_unaligned(each);
        }
    }
}
