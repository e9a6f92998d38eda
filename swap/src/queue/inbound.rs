//! Requests: from the socket to units that have begun.
use super::{End, NONE, Queue};
use crate::UNIT;
use crate::back::Access;
use crate::device::Discard;
use crate::nbd::{Command, Errno, FLAG_NO_HOLE, REQUEST_LEN, RequestHead};
use crate::stats::Timed;
use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::time::Instant;

/// Bytes that are read at a time.
const ROOM: usize = 128 << 10;
/// From so many bytes on they are read straight into the unit.
const STRAIGHT: usize = 16 << 10;
/// Reads of the socket between two looks at the board.
const READS: usize = 16;

/// What has come and was not taken.
pub(super) struct Input {
    bytes: Box<[u8]>,
    from: usize,
    to: usize,
}

impl Input {
    pub(super) fn new() -> Input {
        Input { bytes: vec![0; ROOM].into_boxed_slice(), from: 0, to: 0 }
    }
    /// Forgets the last connection. What came with the handshake is shorter than the room.
    pub(super) fn begin(&mut self, with: &[u8]) {
        let length = with.len().min(ROOM);
        self.bytes[..length].copy_from_slice(&with[..length]);
        (self.from, self.to) = (0, length);
    }
    fn at_hand(&self) -> &[u8] {
        &self.bytes[self.from..self.to]
    }
    pub(super) fn has_request(&self) -> bool {
        self.at_hand().len() >= REQUEST_LEN
    }
    fn pass(&mut self, bytes: usize) {
        self.from += bytes;
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
        }
    }
    /// Room behind what is at hand.
    fn room(&mut self) -> &mut [u8] {
        if self.to > ROOM - STRAIGHT {
            self.bytes.copy_within(self.from..self.to, 0);
            (self.from, self.to) = (0, self.to - self.from);
        }
        &mut self.bytes[self.to..]
    }
}

/// Where a request's bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Nothing comes: units are read from the board.
    Board,
    /// The socket.
    Socket,
    /// They are zeros.
    Zeros,
    /// Nothing comes: what they discard is freed.
    Discard,
    /// The socket, for nobody: the request was refused.
    Nowhere,
}

/// A request whose units have not all begun.
pub(super) struct Feed {
    request: u32,
    source: Source,
    at: u64,
    end: u64,
    /// The unit that is being filled.
    unit: Option<u32>,
    filled: usize,
}

impl Feed {
    pub(super) const fn unit(&self) -> Option<u32> {
        self.unit
    }
    fn has_room(&self, units: bool) -> bool {
        self.unit.is_some() || units || self.source == Source::Nowhere
    }
    pub(super) fn can_go_on(&self, input: &Input, units: bool) -> bool {
        let fed = matches!(self.source, Source::Board | Source::Zeros | Source::Discard)
            || !input.at_hand().is_empty();
        fed && self.has_room(units)
    }
    pub(super) fn wants_input(&self, units: bool) -> bool {
        matches!(self.source, Source::Socket | Source::Nowhere) && self.has_room(units)
    }
}

impl Queue {
    /// Takes what has come, as far as there are units and requests for it.
    pub(super) fn receive(&mut self, stream: &UnixStream, stopping: bool) -> Result<(), End> {
        for _ in 0..READS {
            while self.can_go_on(stopping) {
                if self.feed.is_some() { self.feed_on() } else { self.begin_request()? }
            }
            if !self.wants_input(stopping) {
                return Ok(());
            }
            match self.read(stream) {
                Ok(0) if self.under_way() == 0 && self.input.at_hand().is_empty() => return Err(End::Left),
                Ok(0) => return Err(End::Cut),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(End::Cut),
            }
        }
        Ok(())
    }
    fn read(&mut self, mut stream: &UnixStream) -> std::io::Result<usize> {
        if let Some(Feed { unit: Some(unit), filled, source: Source::Socket, .. }) = &mut self.feed
            && self.input.at_hand().is_empty()
        {
            let rest = &mut self.units[*unit as usize].bytes[*filled..];
            if rest.len() >= STRAIGHT {
                let read = stream.read(rest)?;
                *filled += read;
                self.look_whether_filled();
                return Ok(read);
            }
        }
        let read = stream.read(self.input.room())?;
        self.input.to += read;
        Ok(read)
    }

    fn begin_request(&mut self) -> Result<(), End> {
        let Some(bytes) = self.input.at_hand().first_chunk::<REQUEST_LEN>() else { return Ok(()) };
        let head = RequestHead::parse(bytes).map_err(|error| {
            tracing::debug!(%error, "a connection ends");
            End::Malformed
        })?;
        self.input.pass(REQUEST_LEN);
        if head.command == Command::Disconnect {
            self.leaving = true;
            return Ok(());
        }
        let Some(number) = self.free_requests.pop() else { return Ok(()) };
        let errno = head.check(self.device.size());
        let request = &mut self.requests[number as usize];
        (request.head, request.errno) = (head, errno);
        (request.left, request.whole, request.began) = (0, false, Instant::now());
        (request.first, request.last) = (NONE, NONE);
        let source = match (head.command, errno) {
            (Command::Write, Errno::Ok) => Some(Source::Socket),
            (Command::Write, _) => Some(Source::Nowhere),
            (_, errno) if errno != Errno::Ok => None,
            (Command::Read, _) => Some(Source::Board),
            (Command::WriteZeroes, _) if head.flags & FLAG_NO_HOLE != 0 => Some(Source::Zeros),
            (Command::Trim | Command::WriteZeroes, _) => Some(Source::Discard),
            _ => None,
        };
        if errno != Errno::Ok {
            self.device.counters.requests_refused.add(1);
        }
        match source {
            Some(source) if head.length > 0 => {
                let end = head.offset.saturating_add(head.length.into());
                // A refused write's place does not matter, and may not even be one.
                let (at, end) =
                    if source == Source::Nowhere { (0, head.length.into()) } else { (head.offset, end) };
                self.feed = Some(Feed { request: number, source, at, end, unit: None, filled: 0 });
            }
            _ => self.all_begun(number),
        }
        Ok(())
    }
    fn all_begun(&mut self, number: u32) {
        self.requests[number as usize].whole = true;
        self.look_whether_done(number);
    }

    /// Goes on with the request whose units have not all begun: there is something to go on with.
    fn feed_on(&mut self) {
        let Some(feed) = &mut self.feed else { return };
        if feed.source == Source::Nowhere {
            let passed = ((feed.end - feed.at) as usize).min(self.input.at_hand().len());
            feed.at += passed as u64;
            self.input.pass(passed);
            if feed.at == feed.end {
                self.end_feed();
            }
            return;
        }
        if feed.source == Source::Discard {
            return self.discard_on();
        }
        let unit = match feed.unit {
            Some(unit) => unit,
            None => {
                let Some(unit) = self.free_units.pop() else { return };
                let of = &mut self.units[unit as usize];
                let length = self.device.unit_end(feed.at, feed.end) - feed.at;
                debug_assert!(length <= UNIT);
                if feed.source == Source::Zeros {
                    of.bytes.clear();
                }
                of.bytes.resize(length as usize, 0);
                (feed.unit, feed.filled) = (Some(unit), 0);
                let (request, at) = (feed.request, feed.at);
                self.give_unit(request, unit, at);
                return self.feed_on();
            }
        };
        let bytes = &mut self.units[unit as usize].bytes;
        if feed.source == Source::Socket {
            let rest = &mut bytes[feed.filled..];
            let taken = rest.len().min(self.input.at_hand().len());
            rest[..taken].copy_from_slice(&self.input.at_hand()[..taken]);
            feed.filled += taken;
            self.input.pass(taken);
        } else {
            feed.filled = bytes.len();
        }
        self.look_whether_filled();
    }
    /// A request has one more unit.
    fn give_unit(&mut self, number: u32, unit: u32, at: u64) {
        let of = &mut self.units[unit as usize];
        (of.at, of.request, of.next, of.frees) = (at, number, NONE, None);
        let request = &mut self.requests[number as usize];
        request.left += 1;
        match request.last {
            NONE => request.first = unit,
            last => self.units[last as usize].next = unit,
        }
        request.last = unit;
    }
    /// Goes on with a discard: up to the next stretch whose memory has to be freed.
    fn discard_on(&mut self) {
        let Some(Feed { request, at, end, .. }) = self.feed else { return };
        let Some(unit) = self.free_units.pop() else { return };
        match self.device.begin_discard(at, end) {
            None => {
                self.free_units.push(unit);
                self.end_feed();
            }
            Some(Discard { at, va, blocks, next }) => {
                self.give_unit(request, unit, at);
                self.units[unit as usize].frees = Some(blocks);
                self.submit(unit, Access::Free, va, blocks);
                match &mut self.feed {
                    Some(feed) if next < end => feed.at = next,
                    _ => self.end_feed(),
                }
            }
        }
    }
    /// Begins the unit that is being filled when it is full.
    fn look_whether_filled(&mut self) {
        let Some(feed) = &mut self.feed else { return };
        let Some(unit) = feed.unit.take_if(|unit| self.units[*unit as usize].bytes.len() == feed.filled)
        else {
            return;
        };
        feed.at += feed.filled as u64;
        let (reads, ends) = (feed.source == Source::Board, feed.at == feed.end);
        if reads {
            self.begin_read(unit)
        } else {
            self.begin_write(unit)
        }
        if ends {
            self.end_feed();
        }
    }
    fn end_feed(&mut self) {
        if let Some(feed) = self.feed.take() {
            self.all_begun(feed.request);
        }
    }
}

impl RequestHead {
    /// As which its time is taken.
    pub(super) const fn timed(&self) -> Timed {
        match self.command {
            Command::Read => Timed::Read,
            Command::Write => Timed::Write,
            _ => Timed::Other,
        }
    }
}
