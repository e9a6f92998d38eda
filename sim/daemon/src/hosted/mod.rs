//! A simulated board without a processor: its slow path is a host's program, which reaches its registers by keyed frames
//! ([ecpix5.md](../../../../docs/reference/ecpix5.md) §3), takes the slow ring's frames through registers, and brings up its DRAM.
//!
//! [`HostedBoard`] answers frames; [`Hosted`] is such a board behind a daemon's wire, with the host's frames on a [`HostLine`].
mod dram;
mod port;

use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use mneme_model::port::{EgressFrame, Mounted, NetworkPort, PortBusy};
use mneme_slowpath::FastPath;
use mneme_wire::device::{
    DEVICE_BASE, DEVICE_MAGIC, DEVICE_MEMORY_READY, DEVICE_VERSION, PORT_BASE, PORT_LOCKED,
};
use mneme_wire::host::{
    HOST_FRAME_BYTES, MAIL_FRAME_MAX, MAIL_HAS, MAIL_IN, MAIL_LAST, MAIL_LAST_BYTE_MASK, MAIL_OUT, MAIL_ROOM,
};
use mneme_wire::register::COUNTER_BASE;
use mneme_wire::{Counter, DeviceRegister, HostRegister, PortRegister, Register, Target};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub use dram::{Broken, LiteDram, Right};
pub use port::{Access, Built, HostPort};

use crate::driven::Driven;

/// Bytes of a beat.
const BEAT: usize = 64;
/// After an access the next one is waited for this long: a host makes some in a row.
const NEXT: Duration = Duration::from_micros(200);
/// Accesses in a row before board time goes on.
const ACCESSES: u32 = 256;
/// Cycles between two looks at the line.
const LOOK_CYCLES: u64 = 256;
/// A board that is not at rest, of which nothing has moved for so many cycles, waits for its host.
const STUCK_CYCLES: u64 = 1 << 16;

/// The board: a fast path, and around it what `Ecpix5` has.
pub struct HostedBoard<F> {
    fast: F,
    built: Built,
    port: HostPort,
    dram: LiteDram,
    /// How the chip is, after each reset.
    chip: ([Right; 2], Option<Broken>),
    mail: Mail,
    dram_address: u32,
    dram_data: u32,
}

/// The slow ring's frames, a beat each way.
struct Mail {
    /// Beats for the host, and whether each is its frame's last.
    coming: VecDeque<(Vec<u8>, bool)>,
    line: [u8; BEAT],
    /// Of the frame that the host gives.
    leaving: Vec<u8>,
    /// A whole one that the core had no room for.
    held: Option<Vec<u8>>,
}

impl<F: FastPath + NetworkPort + Mounted> HostedBoard<F> {
    /// A board that was switched on, around a freshly reset fast path.
    pub fn new(fast: F, built: Built, right: [Right; 2], broken: Option<Broken>) -> HostedBoard<F> {
        HostedBoard {
            fast,
            built,
            port: HostPort::new(built),
            dram: LiteDram::new(right, broken),
            chip: (right, broken),
            mail: Mail::default(),
            dram_address: 0,
            dram_data: 0,
        }
    }

    /// Its reset: all but the fast path's words in DRAM is as after switching on.
    pub fn reset(&mut self) {
        self.port = HostPort::new(self.built);
        self.dram = LiteDram::new(self.chip.0, self.chip.1);
        self.reset_core();
    }

    fn reset_core(&mut self) {
        self.fast.reset_core();
        self.mail = Mail::default();
    }

    /// The DRAM controller and its chip.
    pub fn dram(&self) -> &LiteDram {
        &self.dram
    }
    /// The fast path.
    pub fn fast(&mut self) -> &mut F {
        &mut self.fast
    }

    /// What a frame with the host's EtherType is answered.
    pub fn answer(&mut self, now: Duration, frame: &[u8]) -> Option<[u8; HOST_FRAME_BYTES as usize]> {
        // The port is lent out of the board while it accesses the board.
        let mut port = std::mem::replace(&mut self.port, HostPort::new(self.built));
        let cycles = self.fast.cycles();
        let answer = port.frame(frame, cycles, |port, access| match access {
            Access::Read(at) => self.read(port, at),
            Access::Write(at, value) => {
                self.write(now, at, value);
                0
            }
        });
        self.port = port;
        answer
    }

    fn read(&mut self, port: &HostPort, at: u32) -> u32 {
        if at < DEVICE_BASE {
            return if self.dram.ready() { self.read_core(at) } else { 0 };
        }
        if let Some(register) = HostRegister::from_number(at) {
            return self.read_host(port, register);
        }
        if let Some(beat) = at.checked_sub(MAIL_IN).filter(|bytes| (*bytes as usize) < BEAT) {
            let bytes = self.mail.coming.front().and_then(|(bytes, _)| bytes.get(beat as usize..));
            let mut word = [0; 4];
            bytes.into_iter().flatten().zip(&mut word).for_each(|(byte, to)| *to = *byte);
            return u32::from_le_bytes(word);
        }
        if at == PORT_BASE + PortRegister::Status.number() {
            return PORT_LOCKED;
        }
        match DeviceRegister::from_number(at) {
            Some(DeviceRegister::Magic) => DEVICE_MAGIC,
            Some(DeviceRegister::Version) => DEVICE_VERSION,
            Some(DeviceRegister::Target) => Target::Ecpix5.number(),
            Some(DeviceRegister::Ports) => 1,
            Some(DeviceRegister::Status) if self.dram.ready() => DEVICE_MEMORY_READY,
            _ => 0,
        }
    }

    fn read_core(&mut self, at: u32) -> u32 {
        if let Some(register) = Register::from_number(at) {
            return self.fast.read_register(register);
        }
        let number = at.checked_sub(COUNTER_BASE).map(|bytes| bytes / 4);
        match number.and_then(Counter::from_number) {
            Some(counter) => self.fast.read_counter(counter),
            None => number.map_or(0, |number| self.fast.read_observed(number)),
        }
    }

    fn read_host(&mut self, port: &HostPort, register: HostRegister) -> u32 {
        match register {
            HostRegister::Foreign => port.foreign,
            HostRegister::BadTag => port.bad_tag,
            HostRegister::Stale => port.stale,
            HostRegister::MailStatus => {
                self.step();
                let has = if self.mail.coming.is_empty() { 0 } else { MAIL_HAS };
                has | if self.mail.held.is_none() { MAIL_ROOM } else { 0 }
            }
            HostRegister::MailBeat => self
                .mail
                .coming
                .front()
                .map_or(0, |(beat, last)| (beat.len() as u32 - 1) | if *last { MAIL_LAST } else { 0 }),
            HostRegister::DramAddress => self.dram_address,
            HostRegister::DramData => self.dram_data,
            HostRegister::DramStatus => self.dram.status(),
            HostRegister::Busy | HostRegister::DramRead | HostRegister::MailSend => 0,
        }
    }

    fn write(&mut self, now: Duration, at: u32, value: u32) {
        if at < DEVICE_BASE {
            if let (true, Some(register)) = (self.dram.ready(), Register::from_number(at)) {
                self.fast.write_register(register, value);
            }
            return;
        }
        if let Some(word) = at.checked_sub(MAIL_OUT).filter(|bytes| (*bytes as usize) < BEAT) {
            self.mail.line[word as usize..][..4].copy_from_slice(&value.to_le_bytes());
            return;
        }
        match HostRegister::from_number(at) {
            Some(HostRegister::MailBeat) => drop(self.mail.coming.pop_front()),
            Some(HostRegister::MailSend) if self.mail.held.is_none() => self.send(value),
            Some(HostRegister::DramAddress) => self.dram_address = value & 0xfffc,
            Some(HostRegister::DramData) if self.dram.status() == 0 => {
                self.dram.write(now, self.dram_address, value);
            }
            Some(HostRegister::DramRead) if self.dram.status() == 0 => {
                self.dram_data = self.dram.read(self.dram_address);
            }
            _ => {}
        }
        if at == DeviceRegister::CoreReset.number() && value == DEVICE_MAGIC {
            self.reset_core();
        }
    }

    fn send(&mut self, value: u32) {
        let bytes = (value & MAIL_LAST_BYTE_MASK) as usize + 1;
        self.mail.leaving.extend_from_slice(&self.mail.line[..bytes]);
        if value & MAIL_LAST != 0 {
            self.mail.held = Some(std::mem::take(&mut self.mail.leaving));
            self.step();
        }
    }

    /// Moves frames between the core and the mail; whether any moved.
    fn step(&mut self) -> bool {
        let mut moved = false;
        if let Some(frame) = self.mail.held.take() {
            // The port drops what is longer than its longest.
            let gone = frame.len() > MAIL_FRAME_MAX as usize || self.fast.send(&frame).is_ok();
            moved |= gone;
            self.mail.held = (!gone).then_some(frame);
        }
        let mut frame = Vec::new();
        if self.mail.coming.is_empty() && self.fast.receive(&mut frame) {
            let beats = frame.chunks(BEAT).enumerate();
            let last = frame.len().div_ceil(BEAT) - 1;
            self.mail.coming.extend(beats.map(|(at, beat)| (beat.to_vec(), at == last)));
            moved = true;
        }
        moved
    }
}

impl Default for Mail {
    fn default() -> Mail {
        Mail { coming: VecDeque::new(), line: [0; BEAT], leaving: Vec::new(), held: None }
    }
}

/// Carries the host's frames.
pub trait HostLine {
    /// Takes a frame that has come, waiting for it `at_most` so long.
    fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool>;
    /// Sends one.
    fn send(&mut self, frame: &[u8]) -> io::Result<()>;
    /// What tells that one has come.
    fn fd(&self) -> BorrowedFd<'_>;
}

/// A board behind a daemon's wire, and its host's line.
pub struct Hosted<F, L> {
    board: HostedBoard<F>,
    line: L,
    began: Instant,
    frame: Vec<u8>,
    look_at: u64,
    moved_at: u64,
    /// Why the line is no more.
    trouble: Option<io::Error>,
}

impl<F: FastPath + NetworkPort + Mounted, L: HostLine> Hosted<F, L> {
    /// A board that was switched on.
    pub fn new(board: HostedBoard<F>, line: L) -> Hosted<F, L> {
        Hosted {
            board,
            line,
            began: Instant::now(),
            frame: Vec::new(),
            look_at: 0,
            moved_at: 0,
            trouble: None,
        }
    }

    fn serve(&mut self) -> io::Result<bool> {
        let mut any = false;
        for _ in 0..ACCESSES {
            let wait = if any { NEXT } else { Duration::ZERO };
            if !self.line.receive(wait, &mut self.frame)? {
                break;
            }
            if let Some(answer) = self.board.answer(self.began.elapsed(), &self.frame) {
                self.line.send(&answer)?;
                any = true;
            }
        }
        Ok(any)
    }

    fn look(&mut self) {
        self.look_at = self.board.fast.cycles() + LOOK_CYCLES;
        let served = if self.trouble.is_none() { self.serve() } else { Ok(false) };
        let served = served.unwrap_or_else(|error| {
            self.trouble = Some(error);
            false
        });
        if self.board.step() || served {
            self.moved_at = self.board.fast.cycles();
        }
    }

    fn run_while(&mut self, cycles: u64, goes_on: impl Fn(&Self) -> bool) {
        let end = self.board.fast.cycles() + cycles;
        loop {
            if self.board.fast.cycles() >= self.look_at || self.idle() {
                self.look();
            }
            if self.board.fast.cycles() >= end || !goes_on(self) {
                return;
            }
            let next = if self.idle() { end } else { self.look_at.min(end) };
            self.board.fast.run(next.saturating_sub(self.board.fast.cycles()).max(1));
        }
    }
}

impl<F: FastPath + NetworkPort + Mounted, L: HostLine> Driven for Hosted<F, L> {
    type Fast = F;
    fn fast(&mut self) -> &mut F {
        &mut self.board.fast
    }
    fn submit(&mut self, frame: &[u8]) -> Result<(), PortBusy> {
        self.moved_at = self.board.fast.cycles();
        // A core in reset takes nothing.
        if self.board.dram.ready() { self.board.fast.ingress(frame, false) } else { Ok(()) }
    }
    fn poll(&mut self) -> Option<EgressFrame> {
        let frame = self.board.fast.egress()?;
        self.moved_at = self.board.fast.cycles();
        Some(frame)
    }
    fn run(&mut self, cycles: u64) {
        self.run_while(cycles, |_| true);
    }
    fn run_to_rest(&mut self, cycles: u64) {
        self.run_while(cycles, |board| !board.board.fast.rests() || !board.board.mail.coming.is_empty());
    }
    fn idle(&self) -> bool {
        self.board.fast.quiet() && self.board.mail.coming.is_empty() && self.board.mail.held.is_none()
    }
    fn is_stuck(&self) -> bool {
        !self.idle() && self.board.fast.cycles() - self.moved_at > STUCK_CYCLES
    }
    fn wait(&self, files: &[BorrowedFd<'_>], at_most: Duration) -> io::Result<bool> {
        let wanted = files.iter().map(|file| PollFd::from_borrowed_fd(*file, PollFlags::IN));
        let mut files: Vec<PollFd<'_>> = wanted.collect();
        if self.trouble.is_none() {
            files.push(PollFd::from_borrowed_fd(self.line.fd(), PollFlags::IN));
        }
        let timeout = Timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: at_most.subsec_nanos().into() };
        match poll(&mut files, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }
}
