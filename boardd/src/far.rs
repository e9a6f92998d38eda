//! A board without a processor, reached through the network from the host that serves it ([ecpix5.md](../../docs/reference/ecpix5.md)
//! §3, §4).
use std::io;
use std::time::{Duration, Instant};

use mneme_host::dram::{Level, Paced, bring_up};
use mneme_host::{Mail, MailError};
use mneme_slowpath::{FastPath, RingFull};
use mneme_wire::device::DEVICE_MEMORY_READY;
use mneme_wire::{Counter, DeviceRegister, HostRegister, Register, Target};

use crate::board::{OpenError, alive, end_former, identify, in_use, observed, ready};
use crate::former::Former;
use crate::serve::Served;

/// How long the last frames get to leave the board.
const LAST: Duration = Duration::from_millis(100);

/// Brings up the board's DRAM if that has not been done since its reset: lines that tell what was found.
pub fn raise(registers: &mut impl Paced) -> Result<Vec<String>, OpenError> {
    let up = registers.read(DeviceRegister::Status.number()) & DEVICE_MEMORY_READY != 0;
    alive(registers)?;
    if up {
        return Ok(Vec::new());
    }
    let levels = bring_up(registers)?;
    ready(registers)?;
    let line = |(byte, level): (usize, &Level)| {
        format!("dram_byte{byte} slip {} delay {} of {} in a row", level.slip, level.delay, level.width)
    };
    Ok(levels.iter().enumerate().map(line).collect())
}

/// The board. Its DRAM is not in sight: nothing of the slow path looks at it.
pub struct FarBoard<R> {
    registers: R,
    mail: Mail,
    target: Target,
    former: Option<Former>,
    /// The board took a frame in part.
    stuck: Option<MailError>,
}

impl<R: Paced> FarBoard<R> {
    /// Looks at a board, brings up its DRAM if that has not been done since its reset, and resets a core that has been in use.
    pub fn open(mut registers: R, asked: Option<Target>) -> Result<FarBoard<R>, OpenError> {
        let target = identify(&mut registers, asked)?;
        if registers.read(DeviceRegister::RingSlots.number()) != 0 {
            return Err(OpenError::HasRings);
        }
        for line in raise(&mut registers)? {
            tracing::info!("{line}");
        }
        ready(&mut registers)?;
        let former = if in_use(&mut registers) { end_former(&mut registers, None)? } else { None };
        alive(&registers)?;
        Ok(FarBoard { registers, mail: Mail::default(), target, former, stuck: None })
    }

    /// What the board was built for.
    pub fn target(&self) -> Target {
        self.target
    }
    /// What a former daemon had left, if the core was in use.
    pub fn former(&self) -> Option<Former> {
        self.former
    }
    /// Frames dropped: a length that cannot be, coming and going.
    pub fn dropped(&self) -> (u64, u64) {
        (self.mail.damaged(), self.mail.unsendable())
    }
    /// Ends once the core has taken the last answers. Its fast path serves on.
    pub fn close(mut self) {
        let began = Instant::now();
        while self.registers.read(HostRegister::MailStatus.number()) & mneme_wire::host::MAIL_ROOM == 0
            && began.elapsed() < LAST
        {
            self.registers.pause(Duration::from_micros(50));
        }
    }
}

impl<R: Paced> Served for FarBoard<R> {
    fn alive(&self) -> Result<(), OpenError> {
        match self.stuck {
            Some(error) => Err(OpenError::Gone(error.to_string())),
            None => alive(&self.registers),
        }
    }
    /// A look is an exchange of frames.
    fn look(&mut self, _: Duration) -> bool {
        Mail::has_beat(&mut self.registers)
    }
    /// Nothing tells of a frame: it is looked for after a while.
    fn wait(&mut self, at_most: Duration) -> io::Result<bool> {
        self.registers.pause(at_most);
        Ok(false)
    }
}

impl<R: Paced> FastPath for FarBoard<R> {
    fn read_register(&mut self, register: Register) -> u32 {
        self.registers.read(register.number())
    }
    fn write_register(&mut self, register: Register, value: u32) {
        self.registers.write(register.number(), value);
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.registers.read(counter.offset())
    }
    fn read_observed(&mut self, number: u32) -> u32 {
        observed(&mut self.registers, number)
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.mail.receive(into, &mut self.registers)
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        match self.mail.send(frame, &mut self.registers) {
            Ok(()) => Ok(()),
            Err(MailError::Full) => Err(RingFull),
            Err(error @ MailError::Stuck) => {
                self.stuck = Some(error);
                Ok(())
            }
        }
    }
    fn read_memory(&mut self, _: u64, into: &mut [u8]) {
        into.fill(0);
    }
    fn write_memory(&mut self, _: u64, _: &[u8]) {}
}
