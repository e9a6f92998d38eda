//! Datagrams that leave with one system call.
use std::io;
use std::os::fd::RawFd;

use crate::joining::{MOST_JOINED, MOST_SEGMENTS};
use crate::messages::{AT_ONCE, Control, FLAGS, Outgoing, send_one, send_some, vector};

/// Messages of up to `each` bytes in line for a socket that knows where they go.
#[derive(Debug)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    each: usize,
    lengths: [usize; AT_ONCE],
    waiting: usize,
}

/// How a flush went: messages that the kernel took and that it did not, and the error that made it stop.
#[derive(Debug, Default)]
pub(crate) struct Flushed {
    pub(crate) sent: usize,
    pub(crate) unsent: usize,
    /// They left as one message.
    pub(crate) joined: bool,
    pub(crate) error: Option<io::Error>,
}

impl Batch {
    pub(crate) fn new(each: usize) -> Batch {
        Batch { bytes: vec![0; each * AT_ONCE], each, lengths: [0; AT_ONCE], waiting: 0 }
    }
    pub(crate) fn is_full(&self) -> bool {
        self.waiting == AT_ONCE
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting == 0
    }
    /// The place of the next message, which there must be room for.
    pub(crate) fn push(&mut self, length: usize) -> &mut [u8] {
        let at = self.waiting * self.each;
        self.lengths[self.waiting] = length;
        self.waiting += 1;
        &mut self.bytes[at..at + length]
    }
    /// Sends all; `segment`: as one message that the kernel cuts up where the messages' lengths allow that.
    pub(crate) fn flush(&mut self, fd: RawFd, segment: bool) -> Flushed {
        let waiting = std::mem::take(&mut self.waiting);
        match waiting {
            0 => Flushed::default(),
            1 => self.send_one(fd),
            _ if segment && self.segments(waiting) => self.send_segmented(fd, waiting),
            _ => self.send_many(fd, 0, waiting),
        }
    }
    /// Whether all messages but the last are equally long, the last no longer, and all fit one message.
    fn segments(&self, waiting: usize) -> bool {
        let first = self.lengths[0];
        waiting <= MOST_SEGMENTS
            && first * waiting <= MOST_JOINED
            && self.lengths[..waiting - 1].iter().all(|length| *length == first)
            && self.lengths[waiting - 1] <= first
    }
    fn send_one(&self, fd: RawFd) -> Flushed {
        match send_one(fd, self.at(0)) {
            Err(error) => Flushed { unsent: 1, error: Some(error), ..Flushed::default() },
            Ok(()) => Flushed { sent: 1, ..Flushed::default() },
        }
    }
    /// Sends messages of the last flush again, by their places in it.
    pub(crate) fn flush_from(&self, fd: RawFd, from: usize, end: usize) -> Flushed {
        self.send_many(fd, from, end)
    }
    fn send_many(&self, fd: RawFd, from: usize, waiting: usize) -> Flushed {
        let mut done = from;
        while done < waiting {
            match send_some(fd, (done..waiting).map(|place| Outgoing::alone(self.at(place)))) {
                Ok(sent) => done += sent,
                Err(error) => {
                    let (sent, unsent) = (done - from, waiting - done);
                    return Flushed { sent, unsent, error: Some(error), joined: false };
                }
            }
        }
        Flushed { sent: waiting - from, ..Flushed::default() }
    }
    fn send_segmented(&self, fd: RawFd, waiting: usize) -> Flushed {
        let mut vectors = std::array::from_fn::<_, AT_ONCE, _>(|place| {
            vector(if place < waiting { self.at(place) } else { &[] })
        });
        let mut control = Control::EMPTY;
        // SAFETY: `msghdr` is plain data, for which all zeros are valid.
        let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
        header.msg_iov = vectors.as_mut_ptr();
        header.msg_iovlen = waiting as _;
        control.segments(&mut header, self.lengths[0] as u16);
        // SAFETY: the header points to `waiting` vectors into `bytes` and to the control buffer; all live through the
        // call.
        let sent = unsafe { libc::sendmsg(fd, &header, FLAGS) };
        match sent {
            ..0 => Flushed { unsent: waiting, error: Some(io::Error::last_os_error()), ..Flushed::default() },
            _ => Flushed { sent: waiting, joined: true, ..Flushed::default() },
        }
    }
    /// Puts the messages of a refused flush in line again: they are still there.
    pub(crate) fn restore(&mut self, waiting: usize) {
        self.waiting = waiting;
    }
    /// A message of the last flush, which lies there until the next one is put in line.
    pub(crate) fn at(&self, place: usize) -> &[u8] {
        let from = place * self.each;
        &self.bytes[from..from + self.lengths[place]]
    }
    /// The first messages of the last flush, which lie there until the next one is put in line.
    pub(crate) fn gone(&self, count: usize) -> impl Iterator<Item = &[u8]> {
        let lengths = self.lengths.iter().take(count);
        self.bytes.chunks(self.each).zip(lengths).map(|(bytes, length)| &bytes[..*length])
    }
}
