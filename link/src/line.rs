//! Frames in line for a packet socket. Datagrams that may be joined leave as one frame, which the kernel takes apart where
//! it leaves the machine, and the reader where it does not.
use std::io;
use std::os::fd::RawFd;

use mneme_wire::frame::{Endpoints, MNEME_OFFSET, set_lengths};

use crate::frame::write_datagram;
use crate::joining::{MOST_JOINED, MOST_SEGMENTS, refuses_segments};
use crate::messages::{AT_ONCE, Outgoing, send_one, send_some};
use crate::packet::set_bypass;
use crate::virtio;

/// Looks at the datagrams of a frame that has left, in their order.
pub type Left<'a> = dyn FnMut(&mut dyn Iterator<Item = &[u8]>) + 'a;

/// A frame, or several datagrams in one.
#[derive(Debug, Clone, Copy)]
struct Message {
    /// Where it begins in the line: with what the kernel is told of it.
    at: usize,
    /// Bytes of the frame.
    length: usize,
    /// Bytes of each datagram, and how many there are: the last may be shorter.
    each: usize,
    count: usize,
    /// Between whom the datagram is to which others may be joined.
    open: Option<Endpoints>,
}

impl Message {
    /// Whether one more datagram may be joined.
    fn takes(&self, endpoints: &Endpoints, length: usize) -> bool {
        self.open.as_ref() == Some(endpoints)
            && (1..=self.each).contains(&length)
            && self.count < MOST_SEGMENTS
            && self.length - MNEME_OFFSET + length <= MOST_JOINED
    }
}

/// Frames of up to `each` bytes.
#[derive(Debug)]
pub(crate) struct Line {
    /// Before each frame there is room for what the kernel is told of it.
    bytes: Vec<u8>,
    used: usize,
    each: usize,
    messages: Vec<Message>,
    /// The socket wants to be told (PACKET_VNET_HDR).
    told: bool,
    /// The kernel has not refused joined frames.
    joins: bool,
    /// Frames may go past the traffic control (PACKET_QDISC_BYPASS). The kernel takes none apart there, but drops those
    /// that the interface cannot take apart.
    bypasses: bool,
}

/// How a flush went: frames and joined datagrams that the kernel took and that it did not, and the error that made it stop.
#[derive(Debug, Default)]
pub(crate) struct Flushed {
    pub(crate) sent: usize,
    pub(crate) unsent: usize,
    /// Of those sent, the ones that left in frames of several.
    pub(crate) joined: usize,
    pub(crate) error: Option<io::Error>,
}

impl Line {
    pub(crate) fn new(each: usize, told: bool) -> Line {
        let bytes = vec![0; AT_ONCE * (virtio::LENGTH + each)];
        Line {
            bytes,
            used: 0,
            each,
            messages: Vec::with_capacity(AT_ONCE),
            told,
            joins: told,
            bypasses: told,
        }
    }
    /// Whether datagrams leave joined.
    pub(crate) fn joins(&self) -> bool {
        self.joins
    }
    /// Whether there may be no room for one more.
    pub(crate) fn is_full(&self) -> bool {
        self.messages.len() == AT_ONCE || self.bytes.len() - self.used < virtio::LENGTH + self.each
    }
    /// The place of the next frame, which there must be room for.
    pub(crate) fn push(&mut self, length: usize) -> &mut [u8] {
        let at = self.used;
        self.used += virtio::LENGTH + length;
        self.messages.push(Message { at, length, each: length, count: 1, open: None });
        &mut self.bytes[at + virtio::LENGTH..self.used]
    }
    /// Puts a datagram of `length` bytes in line, which `fill` writes and which there must be room for. `joins`: with
    /// those before it and behind it, if they go the same way.
    pub(crate) fn send(
        &mut self,
        endpoints: &Endpoints,
        length: usize,
        joins: bool,
        fill: &mut dyn FnMut(&mut [u8]),
    ) {
        if let Some(last) = self.messages.last_mut().filter(|last| joins && last.takes(endpoints, length)) {
            last.length += length;
            last.count += 1;
            if length < last.each {
                last.open = None;
            }
            fill(&mut self.bytes[self.used..self.used + length]);
            self.used += length;
            return;
        }
        write_datagram(endpoints, fill, self.push(MNEME_OFFSET + length));
        if let Some(last) = self.messages.last_mut() {
            last.each = length;
            last.open = (joins && self.joins && length > 0).then_some(*endpoints);
        }
    }
    /// Sends all; `left` is shown what left joined.
    pub(crate) fn flush(&mut self, fd: RawFd, left: &mut Left) -> Flushed {
        (0..self.messages.len()).for_each(|number| self.write_head(number));
        let (mut done, mut flushed) = (0, Flushed::default());
        while let [next, ..] = self.messages[done..] {
            match self.offer(fd, &self.messages[done..]) {
                Ok(taken) => {
                    for message in &self.messages[done..done + taken] {
                        if message.count > 1 {
                            flushed.joined += message.count;
                            left(&mut self.datagrams(message));
                        }
                        flushed.sent += message.count;
                    }
                    done += taken;
                }
                Err(error) if next.count > 1 && self.bypasses && is_no_room(&error) => {
                    // It may be that; should there be no room, then waiting for it is no worse.
                    self.bypasses = false;
                    let _as_before = set_bypass(&fd, false);
                }
                Err(error) if next.count > 1 && refuses_segments(&error) => {
                    self.joins = false;
                    let (sent, failed) = self.send_apart(fd, &next);
                    flushed.sent += sent;
                    flushed.unsent += next.count - sent;
                    flushed.error = failed.or(flushed.error);
                    done += 1;
                }
                Err(error) => {
                    flushed.unsent +=
                        self.messages[done..].iter().map(|message| message.count).sum::<usize>();
                    flushed.error = Some(error);
                    break;
                }
            }
        }
        self.messages.clear();
        self.used = 0;
        flushed
    }
    fn datagrams(&self, message: &Message) -> std::slice::Chunks<'_, u8> {
        let from = message.at + virtio::LENGTH;
        self.bytes[from + MNEME_OFFSET..from + message.length].chunks(message.each.max(1))
    }
    /// Tells the kernel what a message is: before it, and in its headers.
    fn write_head(&mut self, number: usize) {
        let Message { at, length, each, count, .. } = self.messages[number];
        let head = match count {
            1 => virtio::alone(length),
            _ => {
                let frame = at + virtio::LENGTH;
                set_lengths(&mut self.bytes[frame..frame + length], length - MNEME_OFFSET, true);
                virtio::joined(each as u16, length)
            }
        };
        self.bytes[at..at + virtio::LENGTH].copy_from_slice(&head);
    }
    /// What the kernel is given of a message.
    fn given(&self, message: &Message) -> &[u8] {
        let from = message.at + if self.told { 0 } else { virtio::LENGTH };
        &self.bytes[from..message.at + virtio::LENGTH + message.length]
    }
    /// Offers messages to the kernel; how many it took, one at least.
    fn offer(&self, fd: RawFd, messages: &[Message]) -> io::Result<usize> {
        if let [one] = messages {
            return send_one(fd, self.given(one)).map(|()| 1);
        }
        send_some(fd, messages.iter().map(|message| Outgoing::alone(self.given(message))))
    }
    /// Sends joined datagrams one by one; how many the kernel took, and why not the rest.
    fn send_apart(&self, fd: RawFd, message: &Message) -> (usize, Option<io::Error>) {
        let headers = message.at + virtio::LENGTH;
        let mut frame = Vec::with_capacity(virtio::LENGTH + self.each);
        let skipped = if self.told { 0 } else { virtio::LENGTH };
        for (sent, datagram) in self.datagrams(message).enumerate() {
            frame.clear();
            frame.extend_from_slice(&virtio::alone(MNEME_OFFSET + datagram.len()));
            frame.extend_from_slice(&self.bytes[headers..headers + MNEME_OFFSET]);
            frame.extend_from_slice(datagram);
            set_lengths(&mut frame[virtio::LENGTH..], datagram.len(), false);
            if let Err(error) = send_one(fd, &frame[skipped..]) {
                return (sent, Some(error));
            }
        }
        (message.count, None)
    }
}

/// What the kernel says of a frame that it has dropped on the way to the interface.
fn is_no_room(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENOBUFS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::frame::UdpFrame;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixDatagram;

    const EACH: usize = 1_514;

    fn endpoints(port: u16) -> Endpoints {
        Endpoints {
            src_mac: [2, 0, 0, 0, 0, 1],
            dst_mac: [2, 0, 0, 0, 0, 2],
            src_ip: [10, 0, 0, 1],
            dst_ip: [10, 0, 0, 2],
            src_port: 4_000,
            dst_port: port,
        }
    }
    /// A socket that takes every message whole, and what comes out of it.
    fn pair() -> (UnixDatagram, UnixDatagram) {
        let (near, far) = UnixDatagram::pair().expect("a pair of sockets");
        far.set_nonblocking(true).expect("nonblocking");
        (near, far)
    }
    fn arrived(far: &UnixDatagram) -> Vec<Vec<u8>> {
        let mut buffer = vec![0; 1 << 17];
        std::iter::from_fn(|| far.recv(&mut buffer).ok().map(|length| buffer[..length].to_vec())).collect()
    }
    fn send(line: &mut Line, port: u16, length: usize, joins: bool, number: u8) {
        assert!(!line.is_full());
        line.send(&endpoints(port), length, joins, &mut |to| to.fill(number));
    }
    /// What the kernel is told, and the datagrams of a message.
    fn open(message: &[u8]) -> (virtio::Told, UdpFrame<'_>) {
        let (head, frame) = message.split_first_chunk().expect("a head");
        assert!(virtio::read(*head).joined != virtio::Joined::Not || *head == virtio::alone(frame.len()));
        let parsed = UdpFrame::parse_local(frame).expect("the lengths and checksums are those of the whole");
        assert_eq!(parsed.frame_len(), frame.len());
        (virtio::read(*head), parsed)
    }

    #[test]
    fn what_goes_the_same_way_leaves_in_one_frame() {
        let (near, far) = pair();
        let mut line = Line::new(EACH, true);
        let lengths = [(1, 300), (1, 300), (1, 300), (1, 7), (1, 7), (2, 7), (2, 8), (2, 8), (2, 0), (1, 5)];
        for (number, (port, length)) in lengths.into_iter().enumerate() {
            send(&mut line, port, length, true, number as u8);
        }
        send(&mut line, 1, 5, false, 9);
        let mut left: Vec<Vec<Vec<u8>>> = Vec::new();
        let flushed = line.flush(near.as_raw_fd(), &mut |row| left.push(row.map(<[u8]>::to_vec).collect()));
        assert!(flushed.error.is_none());
        assert_eq!((flushed.sent, flushed.unsent, flushed.joined), (11, 0, 6));
        let row: Vec<Vec<u8>> = [300, 300, 300, 7].iter().zip(0..).map(|(l, n)| vec![n; *l]).collect();
        assert_eq!(left, [row.clone(), vec![vec![6; 8], vec![7; 8]]]);
        let messages = arrived(&far);
        let opened: Vec<_> = messages.iter().map(|message| open(message)).collect();
        let first = virtio::Told { unsummed: true, joined: virtio::Joined::Datagrams(300) };
        assert_eq!((opened[0].0, opened[0].1.datagram), (first, &row.concat()[..]));
        assert_eq!(opened[0].1.endpoints, endpoints(1));
        let alone = virtio::read(virtio::alone(0));
        let lengths: Vec<_> = opened[1..].iter().map(|(told, frame)| (*told, frame.datagram.len())).collect();
        let second = virtio::Told { unsummed: true, joined: virtio::Joined::Datagrams(8) };
        let alone = |length| (alone, length);
        assert_eq!(lengths, [alone(7), alone(7), (second, 16), alone(0), alone(5), alone(5)]);
    }

    #[test]
    fn a_frame_holds_no_more_than_a_reader_can_take() {
        let (near, far) = pair();
        let mut line = Line::new(9_014, true);
        (0..9).for_each(|number| send(&mut line, 1, 8_900, true, number));
        assert_eq!(line.flush(near.as_raw_fd(), &mut |_| {}).sent, 9);
        let many = arrived(&far);
        assert!(many.iter().all(|message| message.len() < 1 << 16), "a slot is that large");
        assert_eq!(many.iter().map(|message| open(message).1.datagram.len()).sum::<usize>(), 9 * 8_900);
        (0..2 * MOST_SEGMENTS).for_each(|_| send(&mut line, 1, 20, true, 1));
        assert_eq!(line.flush(near.as_raw_fd(), &mut |_| {}).sent, 2 * MOST_SEGMENTS);
        let counts: Vec<_> =
            arrived(&far).iter().map(|message| open(message).1.datagram.len() / 20).collect();
        assert_eq!(counts, [MOST_SEGMENTS, MOST_SEGMENTS]);
        (0..AT_ONCE).for_each(|number| send(&mut line, number as u16, 9, true, 1));
        assert!(line.is_full());
    }

    #[test]
    fn without_being_told_nothing_is_joined_and_frames_are_as_they_are() {
        let (near, far) = pair();
        let mut line = Line::new(EACH, false);
        (0..3).for_each(|number| send(&mut line, 1, 100, true, number));
        line.push(60).fill(0xaa);
        let flushed = line.flush(near.as_raw_fd(), &mut |_| panic!("nothing leaves joined"));
        assert_eq!((flushed.sent, flushed.joined), (4, 0));
        let messages = arrived(&far);
        let lengths: Vec<_> = messages.iter().map(Vec::len).collect();
        assert_eq!(lengths, [142, 142, 142, 60]);
        assert!(UdpFrame::parse(&messages[2]).expect("a frame").datagram == [2; 100]);
    }

    #[test]
    fn what_the_kernel_does_not_take_joined_leaves_one_by_one() {
        let (near, far) = pair();
        let mut line = Line::new(EACH, true);
        let lengths = [50, 50, 20];
        lengths.iter().for_each(|length| send(&mut line, 1, *length, true, 3));
        line.write_head(0);
        let message = line.messages[0];
        assert_eq!((message.count, line.send_apart(near.as_raw_fd(), &message).0), (3, 3));
        let apart = arrived(&far);
        let opened: Vec<_> = apart.iter().map(|message| open(message)).collect();
        assert!(opened.iter().all(|(told, frame)| {
            *told == virtio::read(virtio::alone(0)) && frame.datagram.iter().all(|byte| *byte == 3)
        }));
        assert_eq!(opened.iter().map(|(_, frame)| frame.datagram.len()).collect::<Vec<_>>(), lengths);
    }

    #[test]
    fn what_a_dead_socket_does_not_take_is_counted() {
        let (near, far) = pair();
        drop(far);
        let mut line = Line::new(EACH, true);
        (0..3).for_each(|number| send(&mut line, 1, 100, true, number));
        send(&mut line, 2, 100, true, 3);
        let flushed = line.flush(near.as_raw_fd(), &mut |_| panic!("nothing has left"));
        assert_eq!((flushed.sent, flushed.unsent, flushed.error.is_some()), (0, 4, true));
        assert!(line.messages.is_empty() && line.used == 0, "the line is free again");
    }
}
