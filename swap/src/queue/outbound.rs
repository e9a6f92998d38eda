//! Replies: from requests that have ended to the socket.
use super::{End, NONE, Queue};
use crate::UNIT;
use crate::nbd::{Command, Errno, REPLY_LEN, reply};
use std::io::{ErrorKind, Write};
use std::os::unix::net::UnixStream;

/// Bytes of replies that are put together before they leave.
const ROOM: usize = 4 * UNIT as usize;

/// What has to leave.
pub(super) struct Output {
    bytes: Vec<u8>,
    sent: usize,
    /// The next unit of the first reply that has begun.
    unit: Option<u32>,
}

impl Output {
    pub(super) fn new() -> Output {
        Output { bytes: Vec::with_capacity(ROOM), sent: 0, unit: None }
    }
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.unit.is_none()
    }
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.sent, self.unit) = (0, None);
    }
    fn has_room(&self, length: usize) -> bool {
        self.bytes.len() + length <= ROOM
    }
    /// Sends what it can. Answers whether all has left.
    fn send(&mut self, mut stream: &UnixStream) -> Result<bool, End> {
        while self.sent < self.bytes.len() {
            match stream.write(&self.bytes[self.sent..]) {
                Ok(0) => return Err(End::Cut),
                Ok(sent) => self.sent += sent,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(End::Cut),
            }
        }
        self.bytes.clear();
        self.sent = 0;
        Ok(true)
    }
}

impl Queue {
    /// Sends what has ended, as far as the client takes it.
    pub(super) fn output_replies(&mut self, stream: &UnixStream) -> Result<(), End> {
        loop {
            let more = self.put_replies();
            if !self.output.send(stream)? || !more {
                return Ok(());
            }
        }
    }
    /// Puts replies into the buffer until it is full. Answers whether some are left.
    fn put_replies(&mut self) -> bool {
        while let Some(&number) = self.done.front() {
            let request = &self.requests[number as usize];
            let (head, errno) = (request.head, request.errno);
            let mut unit = match self.output.unit {
                Some(unit) => unit,
                None if !self.output.has_room(REPLY_LEN) => return true,
                None => {
                    self.output.bytes.extend_from_slice(&reply(errno, head.cookie));
                    if head.command == Command::Read { request.first } else { NONE }
                }
            };
            while unit != NONE {
                let of = &self.units[unit as usize];
                if errno == Errno::Ok {
                    if !self.output.has_room(of.bytes.len()) {
                        self.output.unit = Some(unit);
                        return true;
                    }
                    self.output.bytes.extend_from_slice(&of.bytes);
                }
                self.free_units.push(unit);
                unit = of.next;
            }
            self.output.unit = None;
            self.done.pop_front();
            self.count(number);
            self.free_requests.push(number);
        }
        false
    }
    fn count(&self, number: u32) {
        let request = &self.requests[number as usize];
        self.stats.took(request.head.timed(), request.began.elapsed());
        if request.errno != Errno::Ok {
            return;
        }
        let counters = &self.device.counters;
        let length = u64::from(request.head.length);
        match request.head.command {
            Command::Read => {
                counters.reads.add(1);
                counters.bytes_read.add(length);
            }
            Command::Write => {
                counters.writes.add(1);
                counters.bytes_written.add(length);
            }
            Command::Trim => counters.discards.add(1),
            Command::WriteZeroes => counters.zeroings.add(1),
            Command::Flush => counters.flushes.add(1),
            Command::Disconnect | Command::Unknown(_) => {}
        }
    }
}
