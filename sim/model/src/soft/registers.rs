//! The register block: what it holds. What a read or write does beyond holding a value is `model`'s.
use mneme_wire::register::{AWAY_ROWS, CONTROL_ENABLE, CONTROL_EXHAUSTED, COUNTER_BASE, MAT_ROWS};
use mneme_wire::{DEFAULT_UDP_PORT, MatAction, Pid, Register, ReplaceStatus, Status, Va};

use super::classes::{CLASSES, ClassRate};
use super::dispatch::MatRow;
use super::table::{Page, Replace};

/// Words of the register block below the counters.
const WORDS: usize = COUNTER_BASE as usize / 4;

/// Shares of both doors after reset.
const DEFAULT_WEIGHTS: u32 = 0x1010;

/// A row of the away table: the answer for a page that is elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct AwayRow {
    /// Status.
    pub status: Status,
    /// `va` field.
    pub va: Va,
    /// `length` field.
    pub length: u16,
}

/// Values of the registers that can be written, and the tables behind them.
#[derive(Debug, Clone)]
pub struct Registers {
    words: [u32; WORDS],
    /// Match-action table.
    pub mat: [MatRow; MAT_ROWS],
    /// Away table.
    pub away: [AwayRow; AWAY_ROWS],
    /// Groups of the service classes that are in force, two bits for each.
    groups: u32,
    /// Rates of the service classes.
    pub classes: [ClassRate; CLASSES],
    /// Where the replace command stands.
    pub replace_status: ReplaceStatus,
    /// The old entry that the last replace command found.
    pub replace_old: u64,
}

impl Default for Registers {
    fn default() -> Self {
        let lost = AwayRow { status: Status::MemoryError, va: Va::default(), length: 0 };
        let mut words = [0; WORDS];
        words[Register::UdpPort as usize / 4] = DEFAULT_UDP_PORT.into();
        words[Register::DoorWeights as usize / 4] = DEFAULT_WEIGHTS;
        Registers {
            words,
            mat: [MatRow::default(); MAT_ROWS],
            away: [lost; AWAY_ROWS],
            groups: 0,
            classes: [ClassRate::default(); CLASSES],
            replace_status: ReplaceStatus::Idle,
            replace_old: 0,
        }
    }
}

impl Registers {
    /// The value last written.
    pub fn get(&self, register: Register) -> u32 {
        self.words[register as usize / 4]
    }
    /// Keeps a value.
    pub fn set(&mut self, register: Register, value: u32) {
        self.words[register as usize / 4] = value & width(register);
    }
    /// What a planted fault keeps where no register is.
    pub(super) fn hole(&mut self, offset: u32) -> Option<&mut u32> {
        self.words.get_mut(offset as usize / 4)
    }
    fn pair(&self, low: Register, high: Register) -> u64 {
        u64::from(self.get(high)) << 32 | u64::from(self.get(low))
    }
    /// Frames are accepted.
    pub fn enabled(&self) -> bool {
        self.get(Register::Control) & CONTROL_ENABLE != 0
    }
    /// A dry async buffer means NOMEM.
    pub fn exhausted(&self) -> bool {
        self.get(Register::Control) & CONTROL_EXHAUSTED != 0
    }
    /// The board's epoch.
    pub fn epoch(&self) -> u8 {
        self.get(Register::Epoch) as u8
    }
    /// The window in ticks.
    pub fn window(&self) -> u32 {
        self.get(Register::Window)
    }
    /// The board's MAC address.
    pub fn mac(&self) -> [u8; 6] {
        let bytes = self.pair(Register::MacLow, Register::MacHigh).to_be_bytes();
        [bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]]
    }
    /// The board's IPv4 address.
    pub fn ip(&self) -> [u8; 4] {
        self.get(Register::Ip).to_be_bytes()
    }
    /// The board's UDP port.
    pub fn udp_port(&self) -> u16 {
        self.get(Register::UdpPort) as u16
    }
    /// Hint of BUSY answers in ns.
    pub fn busy_hint(&self) -> u32 {
        self.get(Register::BusyHint)
    }
    /// The replace command as the registers spell it; `vpn_bits` is the width of a page number.
    pub(super) fn replace_command(&self, vpn_bits: u32) -> Replace {
        use Register as R;
        let vpn = u64::from(self.get(R::ReplaceVpn)) & ((1 << vpn_bits) - 1);
        Replace {
            page: Page { pid: Pid::from_low_bits(self.get(R::ReplacePid)), vpn },
            compare: self.pair(R::ReplaceCompareLow, R::ReplaceCompareHigh),
            expected: self.pair(R::ReplaceExpectedLow, R::ReplaceExpectedHigh),
            write: self.pair(R::ReplaceWriteLow, R::ReplaceWriteHigh),
            new: self.pair(R::ReplaceNewLow, R::ReplaceNewHigh),
        }
    }
    /// Writes the match-action row that the registers spell, if there is one of this number.
    pub(super) fn commit_mat(&mut self, commit: u32) {
        let valid = commit >> 16 & 1 == 1;
        let row = MatRow {
            value0: self.get(Register::MatValue0),
            value1: self.get(Register::MatValue1),
            mask0: self.get(Register::MatMask0),
            mask1: self.get(Register::MatMask1),
            action: valid.then(|| MatAction::from_number((commit >> 8) as u8).unwrap_or(MatAction::Drop)),
        };
        if let Some(place) = self.mat.get_mut((commit & 0xff) as usize) {
            *place = row;
        }
    }
    /// Writes the away row that the registers spell, if there is one of this number; a code that names no status counts as MEMERR.
    pub(super) fn commit_away(&mut self, commit: u32) {
        let va = self.pair(Register::AwayVaLow, Register::AwayVaHigh);
        let row = AwayRow {
            status: Status::from_number((commit >> 8 & 0x1f) as u8).unwrap_or(Status::MemoryError),
            va: Va::from_low_bits(va),
            length: (va >> 48) as u16,
        };
        if let Some(place) = self.away.get_mut((commit & 0xff) as usize) {
            *place = row;
        }
    }
    /// Gives the rate that the register spells to a class, if there is one of this number.
    pub(super) fn commit_class(&mut self, commit: u32) {
        let rate = self.get(Register::ClassRate);
        if let Some(place) = self.classes.get_mut((commit & 0xff) as usize) {
            *place = ClassRate {
                operations: rate as u16,
                lines: (rate >> 16) as u16,
                burst_log2: (commit >> 8 & 0xf) as u8,
            };
        }
    }
    /// The groups that were written are in force.
    pub(super) fn commit_shares(&mut self) {
        self.groups = self.get(Register::ShareGroups);
    }
    /// The share group of a process.
    pub fn share_group(&self, pid: Pid) -> usize {
        (self.groups >> (2 * u32::from(pid.class())) & 3) as usize
    }
    /// The board's tick of 64 bits a number of cycles after reset, with the ticks skipped.
    pub(super) fn tick_at(cycles: u64, tick_log2: u32, skipped: u64) -> u64 {
        (cycles >> tick_log2).wrapping_add(skipped)
    }
}

/// Bits that a register keeps.
fn width(register: Register) -> u32 {
    match register {
        Register::Control => CONTROL_ENABLE | CONTROL_EXHAUSTED,
        Register::Epoch => 0xff,
        Register::Window | Register::ReplacePid => 0xff_ffff,
        Register::MacHigh | Register::UdpPort | Register::MatValue1 | Register::MatMask1 => 0xffff,
        Register::DoorWeights => 0xffff,
        Register::TagMode | Register::TagPhases => 3,
        _ => u32::MAX,
    }
}
