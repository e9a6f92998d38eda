//! Brings up the DRAM of a board whose controller is LiteDRAM's and which has no processor (ecpix5.md §4): starts the chip, finds for
//! each of its bytes when reads are to be sampled, hands it over to the controller.
//!
//! The sequence is that of JEDEC's DDR3 (JESD79-3, 3.3) with the values that LiteDRAM's generator has for this chip; `cargo xtask
//! bitstream ecpix5` holds both against what the generator writes.
mod csr;
mod level;

use std::io;
use std::time::Duration;

use mneme_window::Registers;
use mneme_wire::HostRegister;
use mneme_wire::host::DRAM_BUSY;

pub use csr::{Csr, PHASES, bits};
pub use level::{DELAYS, Level, MODULES, SLIPS};

/// How often the controller is asked whether it has answered; each is an exchange of frames, and it answers within some cycles.
const LOOKS: u32 = 1_000;

/// Why DRAM does not come up.
#[derive(Debug, thiserror::Error)]
pub enum DramError {
    /// The board is no longer reached.
    #[error("the board was lost while its DRAM was brought up: {0}")]
    Gone(String),
    /// The controller does not answer.
    #[error("the DRAM controller does not answer: its clock does not run, or the bitstream has another one")]
    Silent,
    /// A register that keeps what is written does not.
    #[error(
        "the DRAM controller's register {csr:?} gives {read:#x} where {wrote:#x} was written: the bitstream has another controller"
    )]
    Forgets {
        /// The register.
        csr: Csr,
        /// What was written.
        wrote: u32,
        /// What it gave.
        read: u32,
    },
    /// A byte of the chip is never read right.
    #[error(
        "no delay reads byte {module} of DRAM right (each row a bit slip, each column a delay, 1 where a pattern came back: {map}): is the \
         chip the one of bitstreams/ecpix5/litedram.yml, is its supply there?"
    )]
    Unreadable {
        /// Which byte.
        module: usize,
        /// Rows of the scan.
        map: String,
    },
    /// What was found does not hold.
    #[error(
        "DRAM was read right while it was levelled, and is not now: bits {wrong:#018x} of a burst's half differ"
    )]
    Unsteady {
        /// The bits that differ.
        wrong: u64,
    },
}

/// Registers of a board, and time that passes for it.
pub trait Paced: Registers {
    /// Lets so much time pass.
    fn pause(&mut self, time: Duration);
}

/// The controller's registers, through the board's.
pub struct Controller<'a> {
    registers: &'a mut dyn Paced,
    /// The address that DRAM_ADDRESS has.
    at: Option<u32>,
}

impl<'a> Controller<'a> {
    /// Of a board.
    pub fn new(registers: &'a mut dyn Paced) -> Controller<'a> {
        Controller { registers, at: None }
    }

    fn access(&mut self, csr: Csr, word: u32, how: HostRegister, value: u32) -> Result<(), DramError> {
        let at = csr.number() + 4 * word;
        if self.at != Some(at) {
            self.registers.write(HostRegister::DramAddress.number(), at);
            self.at = Some(at);
        }
        self.registers.write(how.number(), value);
        for _ in 0..LOOKS {
            let busy = self.registers.read(HostRegister::DramStatus.number()) & DRAM_BUSY != 0;
            if let Some(error) = self.registers.trouble().map(io::Error::to_string) {
                return Err(DramError::Gone(error));
            }
            if !busy {
                return Ok(());
            }
        }
        Err(DramError::Silent)
    }

    /// Writes a register's word.
    pub fn write(&mut self, csr: Csr, value: u32) -> Result<(), DramError> {
        self.access(csr, 0, HostRegister::DramData, value)
    }

    /// Reads it.
    pub fn read(&mut self, csr: Csr) -> Result<u32, DramError> {
        self.read_word(csr, 0)
    }

    fn read_word(&mut self, csr: Csr, word: u32) -> Result<u32, DramError> {
        self.access(csr, word, HostRegister::DramRead, 0)?;
        Ok(self.registers.read(HostRegister::DramData.number()))
    }

    /// Writes a register of 64 bits, whose upper word comes first.
    fn write_long(&mut self, csr: Csr, value: u64) -> Result<(), DramError> {
        self.access(csr, 0, HostRegister::DramData, (value >> 32) as u32)?;
        self.access(csr, 1, HostRegister::DramData, value as u32)
    }

    fn read_long(&mut self, csr: Csr) -> Result<u64, DramError> {
        let upper = self.read_word(csr, 0)?;
        Ok(u64::from(upper) << 32 | u64::from(self.read_word(csr, 1)?))
    }

    fn pause(&mut self, time: Duration) {
        self.registers.pause(time);
    }

    /// Gives the chip one command in a phase of a cycle.
    fn command(&mut self, phase: usize, bank: u32, address: u32, command: u32) -> Result<(), DramError> {
        let csrs = &PHASES[phase];
        self.write(csrs.address, address)?;
        self.write(csrs.bank, bank)?;
        self.write(csrs.command, command)?;
        self.write(csrs.issue, 1)
    }
}

/// A step of the chip's start: its pins, or a command in phase 0; and how long it takes at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What drives the chip's pins.
    Control(u32, Duration),
    /// Bank (of a mode register: which), address, command.
    Command(u32, u32, u32, Duration),
}

const MODE: u32 = bits::RAS | bits::CAS | bits::WE | bits::CS;
/// Between two commands there is an exchange of frames, some microseconds; tMRD and tMOD are 12 cycles of 6.7 ns.
const AT_ONCE: Duration = Duration::ZERO;

/// From the reset to a chip that takes commands: 500 µs in which it starts, then CKE, the mode registers (CWL 5, CL 6, bursts of 8), and
/// the calibration of its drivers, 512 cycles.
pub const START: [Step; 7] = [
    Step::Control(bits::ODT | bits::RESET_N, Duration::from_millis(1)),
    Step::Control(bits::CKE | bits::ODT | bits::RESET_N, Duration::from_millis(1)),
    Step::Command(2, 0x200, MODE, AT_ONCE),
    Step::Command(3, 0, MODE, AT_ONCE),
    Step::Command(1, 6, MODE, AT_ONCE),
    Step::Command(0, 0x320, MODE, Duration::from_micros(10)),
    Step::Command(0, 0x400, bits::WE | bits::CS, Duration::from_micros(10)),
];

/// Starts DRAM, levels it, and hands it over: DEVICE_STATUS tells that it is ready soon after. Takes some thousands of register
/// accesses for each byte of the chip. After an error the controller is told that it failed, and the core stays in reset.
pub fn bring_up(registers: &mut dyn Paced) -> Result<[Level; MODULES], DramError> {
    let mut controller = Controller::new(registers);
    let done = started(&mut controller).and_then(|()| level::level(&mut controller));
    match done {
        Ok(levels) => {
            controller.write(Csr::Control, bits::HARDWARE)?;
            controller.write(Csr::InitDone, 1)?;
            Ok(levels)
        }
        Err(error) => {
            // Whatever hears it is told; the first error is the one that says why.
            let _told = controller.write(Csr::InitError, 1);
            Err(error)
        }
    }
}

fn started(controller: &mut Controller<'_>) -> Result<(), DramError> {
    controller.write(Csr::InitDone, 0)?;
    controller.write(Csr::InitError, 0)?;
    // Two patterns tell registers that keep what is written from a bus that repeats itself.
    for wrote in [0x2aaa, 0x1555] {
        controller.write(PHASES[0].address, wrote)?;
        let read = controller.read(PHASES[0].address)?;
        if read != wrote {
            return Err(DramError::Forgets { csr: PHASES[0].address, wrote, read });
        }
    }
    for step in START {
        let time = match step {
            Step::Control(pins, time) => {
                controller.write(Csr::Control, pins)?;
                time
            }
            Step::Command(bank, address, command, time) => {
                controller.command(0, bank, address, command)?;
                time
            }
        };
        controller.pause(time);
    }
    Ok(())
}
