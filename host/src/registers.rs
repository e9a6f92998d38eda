//! The register window over a network that loses frames.
use std::io;
use std::time::Duration;

use mneme_window::Registers;
use mneme_wire::device::WINDOW_BYTES;
use mneme_wire::host::HostKind;

use crate::dram::Paced;
use crate::error::HostError;
use crate::frame::{Asked, Heard, Tags};
use crate::identity::Identity;

/// What carries frames to the board and back.
pub trait Line: Send {
    /// Sends a frame, without check sequence. What the line has no room for is lost.
    fn send(&mut self, frame: &[u8]) -> io::Result<()>;
    /// Takes the next frame that came, waiting for it `at_most` so long. False: none came. Frames of other kinds may come, too.
    fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool>;
    /// The time, from any beginning. It never goes back.
    fn now(&self) -> Duration;
    /// Lets so much time pass.
    fn pause(&mut self, time: Duration);
    /// What explains silence, such as an interface that is down.
    fn trouble(&self) -> Option<String> {
        None
    }
}

/// How long an answer is waited for before the frame is sent again; the second time twice as long, and so on. A board answers in
/// some microseconds, a host's system takes tens of them.
const FIRST_WAIT: Duration = Duration::from_millis(2);
/// How often a frame is sent at most: 4 s in all.
const ATTEMPTS: u32 = 11;

/// The registers of a board that a host reaches through the network. An access waits for its answer; one that is lost is sent again
/// as it was, for 4 s at most, and takes effect once.
///
/// ```text
/// let mut registers = HostRegisters::greet(line, identity, chance, since_1970)?;
/// registers.read(0x1000); // 4.0 s at most; then `trouble` tells why
/// ```
pub struct HostRegisters<L> {
    line: L,
    identity: Identity,
    tags: Tags,
    /// Of the next HELLO.
    challenge: u64,
    nonce: u64,
    /// Of the last access.
    sequence: u64,
    frame: Vec<u8>,
    wrong_tags: u64,
    retries: u64,
    trouble: Option<io::Error>,
}

impl<L: Line> HostRegisters<L> {
    /// Says hello to the board, and goes on where its former host has ended.
    ///
    /// `chance` makes the answer a fresh one: nobody may be able to guess it. `since_1970` is the wall clock's time: the board takes
    /// higher sequences alone, and a former host has told none. There are fewer accesses than nanoseconds.
    pub fn greet(
        line: L,
        identity: Identity,
        chance: u64,
        since_1970: Duration,
    ) -> Result<HostRegisters<L>, HostError> {
        let tags = Tags::new(identity.key.clone());
        let sequence = u64::try_from(since_1970.as_nanos()).unwrap_or(u64::MAX / 2);
        let mut registers = HostRegisters {
            line,
            identity,
            tags,
            challenge: chance,
            nonce: 0,
            sequence,
            frame: Vec::new(),
            wrong_tags: 0,
            retries: 0,
            trouble: None,
        };
        registers.nonce = registers.hello()?;
        Ok(registers)
    }

    /// Frames that were sent again.
    pub fn retries(&self) -> u64 {
        self.retries
    }
    /// The line.
    pub fn line(&mut self) -> &mut L {
        &mut self.line
    }

    /// The board's nonce.
    fn hello(&mut self) -> Result<u64, HostError> {
        self.challenge = self.challenge.wrapping_add(1);
        let (sequence, address, data) = (self.challenge, 0, 0);
        let asked = Asked { kind: HostKind::Hello, nonce: 0, sequence, address, data };
        match self.exchange(&asked)? {
            Some((nonce, _)) => Ok(nonce),
            None if self.wrong_tags > 0 => {
                Err(HostError::OtherKey { board: self.identity.board, frames: self.wrong_tags })
            }
            None => Err(HostError::Silent {
                board: self.identity.board,
                host: self.identity.host,
                why: self.line.trouble().map(|why| format!(" ({why})")).unwrap_or_default(),
            }),
        }
    }

    /// Sends a frame until it is answered: the board's nonce and the word, or nothing came.
    fn exchange(&mut self, asked: &Asked) -> Result<Option<(u64, u32)>, HostError> {
        let frame = asked.frame(&self.identity, &self.tags);
        for attempt in 0..ATTEMPTS {
            self.retries += u64::from(attempt > 0);
            self.line.send(&frame)?;
            let until = self.line.now() + FIRST_WAIT * (1 << attempt);
            loop {
                let left = until.saturating_sub(self.line.now());
                if left.is_zero() || !self.line.receive(left, &mut self.frame)? {
                    break;
                }
                match asked.hear(&self.identity, &self.tags, &self.frame) {
                    Heard::Answer { nonce, data } => return Ok(Some((nonce, data))),
                    Heard::WrongTag => self.wrong_tags += 1,
                    Heard::Other => {}
                }
            }
        }
        Ok(None)
    }

    /// Reads or writes a register.
    pub fn access(&mut self, kind: HostKind, address: u32, data: u32) -> Result<u32, HostError> {
        self.sequence = self.sequence.saturating_add(1);
        let asked = Asked { kind, nonce: self.nonce, sequence: self.sequence, address, data };
        match self.exchange(&asked)? {
            Some((_, word)) => Ok(word),
            None if self.hello()? == self.nonce => Err(HostError::Refused),
            None => Err(HostError::Reset),
        }
    }

    fn accessed(&mut self, kind: HostKind, address: u32, data: u32) -> u32 {
        if self.trouble.is_some() {
            return 0;
        }
        self.access(kind, address, data).unwrap_or_else(|error| {
            self.trouble = Some(io::Error::other(error));
            0
        })
    }
}

impl<L: Line> Registers for HostRegisters<L> {
    fn bytes(&self) -> u64 {
        WINDOW_BYTES.into()
    }
    fn read(&mut self, offset: u32) -> u32 {
        self.accessed(HostKind::Read, offset, 0)
    }
    fn write(&mut self, offset: u32, value: u32) {
        self.accessed(HostKind::Write, offset, value);
    }
    fn trouble(&self) -> Option<&io::Error> {
        self.trouble.as_ref()
    }
}

impl<L: Line> Paced for HostRegisters<L> {
    fn pause(&mut self, time: Duration) {
        self.line.pause(time);
    }
}
