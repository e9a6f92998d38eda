//! A model of LiteDRAM's registers for an ECP5 and of a DDR3 chip behind them, as far as whoever brings them up can tell: a chip that
//! takes commands after its start alone, bytes that are read right with some delays alone.
use std::time::Duration;

use mneme_wire::host::DRAM_BUSY;

/// Registers, as the generator lays them out.
const INIT_DONE: u32 = 0x0;
const INIT_ERROR: u32 = 0x4;
const SELECT: u32 = 0x800;
const DELAY_RESET: u32 = 0x804;
const DELAY_NEXT: u32 = 0x808;
const SLIP_RESET: u32 = 0x80c;
const SLIP_NEXT: u32 = 0x810;
const BURSTS_CLEAR: u32 = 0x814;
const BURSTS_SEEN: u32 = 0x818;
const CONTROL: u32 = 0x1000;
/// A phase's registers, and what lies between two phases.
const PHASE: u32 = 0x1004;
const PHASE_BYTES: u32 = 0x20;
/// Mode registers 0 to 3 after the start.
const MODES: [u32; 4] = [0x320, 6, 0x200, 0];
/// From the chip's reset to its clock.
const START: Duration = Duration::from_micros(500);

/// When a byte of the chip is read right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Right {
    /// The slip.
    pub slip: u32,
    /// The first and the last delay.
    pub delays: (u32, u32),
}

/// A defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The controller never answers.
    Silent,
    /// It keeps nothing that is written.
    Forgets,
    /// This byte of the chip is not connected.
    Byte(usize),
    /// Lines that all go up at once are read late.
    Crosstalk,
}

#[derive(Debug, Default, Clone, Copy)]
struct Phase {
    command: u32,
    address: u32,
    bank: u32,
    write: u64,
    read: u64,
}

/// Controller and chip.
#[derive(Debug)]
pub struct LiteDram {
    right: [Right; 2],
    /// Slip and delay of each byte.
    set: [(u32, u32); 2],
    phases: [Phase; 2],
    selected: u32,
    seen: u32,
    done: u32,
    error: u32,
    control: u32,
    /// When the chip left its reset; whether it did so early enough before its clock came.
    reset_left: Option<Duration>,
    started: bool,
    modes: [Option<u32>; 4],
    calibrated: bool,
    row: bool,
    burst: [u64; 2],
    broken: Option<Broken>,
}

impl LiteDram {
    /// After the reset.
    pub fn new(right: [Right; 2], broken: Option<Broken>) -> LiteDram {
        LiteDram {
            right,
            set: [(0, 0); 2],
            phases: [Phase::default(); 2],
            selected: 0,
            seen: 0,
            done: 0,
            error: 0,
            control: 0,
            reset_left: None,
            started: false,
            modes: [None; 4],
            calibrated: false,
            row: false,
            burst: [0; 2],
            broken,
        }
    }

    /// Whether the core may use it. The controller takes anybody's word for that; that memory is as it was left shows in `sound`.
    pub fn ready(&self) -> bool {
        self.done == 1 && self.error == 0
    }
    /// Whether a core that uses it now would read what it wrote.
    pub fn sound(&self) -> bool {
        let right = |(set, right): (&(u32, u32), &Right)| {
            set.0 == right.slip && (right.delays.0..=right.delays.1).contains(&set.1)
        };
        self.control == 1
            && self.takes_commands()
            && self.selected == 0
            && self.set.iter().zip(&self.right).all(right)
    }
    /// Slip and delay of each byte.
    pub fn set(&self) -> [(u32, u32); 2] {
        self.set
    }
    /// What DRAM_STATUS tells.
    pub fn status(&self) -> u32 {
        if self.broken == Some(Broken::Silent) { DRAM_BUSY } else { 0 }
    }

    fn takes_commands(&self) -> bool {
        self.started && self.calibrated && (0..4).all(|mode| self.modes[mode] == Some(MODES[mode]))
    }

    /// Reads a register.
    pub fn read(&self, at: u32) -> u32 {
        if self.broken == Some(Broken::Forgets) {
            return 0;
        }
        match at {
            INIT_DONE => self.done,
            INIT_ERROR => self.error,
            SELECT => self.selected,
            BURSTS_SEEN => self.seen,
            CONTROL => self.control,
            PHASE..0x1044 => {
                let phase = self.phases[((at - PHASE) / PHASE_BYTES) as usize];
                match (at - PHASE) % PHASE_BYTES {
                    0 => phase.command,
                    8 => phase.address,
                    12 => phase.bank,
                    16 => (phase.write >> 32) as u32,
                    20 => phase.write as u32,
                    24 => (phase.read >> 32) as u32,
                    28 => phase.read as u32,
                    _ => 0,
                }
            }
            _ => 0,
        }
    }

    /// Writes it.
    pub fn write(&mut self, now: Duration, at: u32, value: u32) {
        let mut each = |change: fn(&mut (u32, u32))| {
            for byte in (0..2).filter(|byte| self.selected >> byte & 1 != 0) {
                change(&mut self.set[byte]);
            }
        };
        match at {
            INIT_DONE => self.done = value & 1,
            INIT_ERROR => self.error = value & 1,
            SELECT => self.selected = value & 3,
            DELAY_RESET => each(|set| set.1 = 0),
            DELAY_NEXT => each(|set| set.1 = (set.1 + 1) & 7),
            SLIP_RESET => each(|set| set.0 = 0),
            SLIP_NEXT => each(|set| set.0 = (set.0 + 1) & 3),
            BURSTS_CLEAR => self.seen = 0,
            CONTROL => self.pins(now, value & 15),
            PHASE..0x1044 => {
                self.phase(((at - PHASE) / PHASE_BYTES) as usize, (at - PHASE) % PHASE_BYTES, value)
            }
            _ => {}
        }
    }

    fn pins(&mut self, now: Duration, pins: u32) {
        let (reset_n, cke) = (pins & 8 != 0, pins & 2 != 0);
        // The controller's own commands keep the chip as it is.
        if pins & 1 == 0 {
            if !reset_n {
                (self.reset_left, self.started, self.calibrated, self.modes) =
                    (None, false, false, [None; 4]);
            } else {
                let left = *self.reset_left.get_or_insert(now);
                self.started |= cke && now >= left + START;
            }
        }
        self.control = pins;
    }

    fn phase(&mut self, number: usize, register: u32, value: u32) {
        let upper = u64::from(value) << 32;
        let phase = &mut self.phases[number];
        match register {
            0 => phase.command = value & 63,
            4 => self.command(number),
            8 => phase.address = value & 0x7fff,
            12 => phase.bank = value & 7,
            16 => phase.write = phase.write & 0xffff_ffff | upper,
            20 => phase.write = phase.write & !0xffff_ffff | u64::from(value),
            _ => {}
        }
    }

    fn command(&mut self, number: usize) {
        let Phase { command, address, bank, .. } = self.phases[number];
        // The controller drives the chip, the chip is not there yet, or the command is for no chip.
        if self.control & 1 != 0 || !self.started || command & 1 == 0 {
            return;
        }
        let ready = self.takes_commands();
        // WE 2, CAS 4, RAS 8.
        match command & 14 {
            14 if bank < 4 => self.modes[bank as usize] = Some(address),
            2 => self.calibrated |= address & 0x400 != 0,
            8 if ready => self.row = true,
            10 => self.row = false,
            6 if ready && self.row && number == 1 && command & 16 != 0 => {
                self.burst = [self.phases[0].write, self.phases[1].write];
            }
            4 if ready && self.row && number == 0 && command & 32 != 0 => self.sample(),
            _ => {}
        }
    }

    /// What is read as the delays are.
    fn sample(&mut self) {
        let mut beats: [u16; 8] = std::array::from_fn(|n| (self.burst[n / 4] >> (16 * (n % 4))) as u16);
        for byte in 0..2 {
            let ((slip, delay), right) = (self.set[byte], self.right[byte]);
            let mask = 0xff_u16 << (8 * byte);
            let (first, last) = right.delays;
            let in_time = (first..=last).contains(&delay);
            let dead = self.broken == Some(Broken::Byte(byte)) || self.selected >> byte & 1 != 0;
            let late = self.broken == Some(Broken::Crosstalk) && self.burst[0] == u64::MAX;
            let mut lane = beats.map(|beat| beat & mask);
            lane.rotate_left(((right.slip + 4 - slip) % 4) as usize);
            if dead {
                lane = [mask; 8];
            } else if !in_time || late {
                // One line of one beat is sampled too early or too late.
                lane[(delay % 8) as usize] ^= 1 << (8 * byte);
            }
            self.seen |= u32::from(!dead && delay + 1 >= first && delay <= last + 1) << byte;
            for (beat, lane) in beats.iter_mut().zip(lane) {
                *beat = *beat & !mask | lane & mask;
            }
        }
        for (half, phase) in self.phases.iter_mut().enumerate() {
            phase.read = (0..4).map(|n| u64::from(beats[4 * half + n]) << (16 * n)).sum();
        }
    }
}
