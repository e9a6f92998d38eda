//! The driver against registers that answer as the hardware's do.
use super::*;
use crate::{FastPath, RingFull};
use mneme_wire::Counter;
use mneme_wire::chain::{CHAIN_HARDENED, CHAIN_QPN_BIT, CHAIN_RUNNING, CHAIN_TELL_EMPTY};

/// The block's registers: what was written in which order, and how long a command takes.
struct Registers {
    flags: u32,
    magic: u32,
    /// All writes; a command with the registers as they stood then.
    written: Vec<(ChainRegister, u32)>,
    /// Looks at the result that find PENDING: after a reset, and after each command.
    pending: usize,
    busy: usize,
    result: ChainResult,
    told: [u32; 2],
}

impl Registers {
    fn new() -> Registers {
        Registers {
            flags: BUILD_CHAINS,
            magic: CHAIN_MAGIC,
            written: Vec::new(),
            pending: 3,
            busy: 5,
            result: ChainResult::Done,
            told: [0x12_3456, CHAIN_RUNNING],
        }
    }
}

impl FastPath for Registers {
    fn read_register(&mut self, register: Register) -> u32 {
        if register == Register::BuildFlags { self.flags } else { 0 }
    }
    fn write_register(&mut self, _: Register, _: u32) {}
    fn read_counter(&mut self, _: Counter) -> u32 {
        0
    }
    fn receive(&mut self, _: &mut Vec<u8>) -> bool {
        false
    }
    fn send(&mut self, _: &[u8]) -> Result<(), RingFull> {
        Err(RingFull)
    }
    fn read_memory(&mut self, _: u64, _: &mut [u8]) {}
    fn write_memory(&mut self, _: u64, _: &[u8]) {}
    fn read_chain(&mut self, offset: u32) -> u32 {
        if let Some(counter) = offset.checked_sub(CHAIN_COUNTERS) {
            return 1000 + counter / 4;
        }
        match ChainRegister::from_number(offset).expect("a register") {
            ChainRegister::Magic => self.magic,
            ChainRegister::Sizes => 5 << 8 | 7,
            ChainRegister::Result if self.busy > 0 => {
                self.busy -= 1;
                ChainResult::Pending.number()
            }
            ChainRegister::Result => self.result.number(),
            ChainRegister::Expected => self.told[0],
            ChainRegister::State => self.told[1],
            other => panic!("{other} was read"),
        }
    }
    fn write_chain(&mut self, register: ChainRegister, value: u32) {
        assert_eq!(self.busy, 0, "{register} is written while a command is under way: the port ignores it");
        self.written.push((register, value));
        if register == ChainRegister::Command {
            self.busy = self.pending;
        }
    }
}

fn pair() -> ChainQueuePair {
    ChainQueuePair {
        qpn: CHAIN_QPN_BIT | 0x1007,
        peer_qpn: 0x12_3456,
        peer_ip: [10, 0, 0, 2],
        peer_mac: [2, 1, 0x10, 0x20, 0x30, 0x40],
        source_port: 4791,
        pid: 77,
        psn: 0xab_cdef,
        reply_psn: 0x98_7654,
        mtu_code: 3,
        function: 2,
        flags: CHAIN_HARDENED | CHAIN_TELL_EMPTY,
        timeout: 13,
        rate: 0x1_0203,
        length: 4160,
        segment: 9,
        key: Some(0x0102_0304_0506_0708),
        base: 0x1122_3344_5566_7788,
        rows: vec![
            ChainRow { field: 1, end: 7 },
            ChainRow { field: 3, end: 15 },
            ChainRow { field: 5, end: 19 },
            ChainRow { field: 4, end: 31 },
            ChainRow { field: 6, end: 39 },
        ],
    }
}

#[test]
fn a_board_has_chains_only_if_its_flags_and_the_magic_say_so() {
    for (flags, magic, has) in [(BUILD_CHAINS, CHAIN_MAGIC, true), (0, CHAIN_MAGIC, false), (!0, 0, false)] {
        let mut registers = Registers { flags, magic, ..Registers::new() };
        assert_eq!(ChainPort::of(&mut registers).is_some(), has, "{flags:#x} {magic:#x}");
    }
    let mut registers = Registers::new();
    let mut port = ChainPort::of(&mut registers).expect("it has");
    assert_eq!((port.places(), port.counter(ChainCounter::AnswersUnknown)), (128, 1024));
}

#[test]
fn a_queue_pair_is_told_register_by_register_and_the_command_comes_last() {
    let mut registers = Registers::new();
    assert_eq!(ChainPort::of(&mut registers).expect("it has").create(&pair()), Ok(()));
    let expected = [
        (ChainRegister::Qpn, 0x80_1007),
        (ChainRegister::PeerQpn, 0x12_3456),
        (ChainRegister::PeerIp, 0x0a00_0002),
        (ChainRegister::PeerMacLow, 0x1020_3040),
        (ChainRegister::PeerMacHigh, 0x0201),
        (ChainRegister::Port, 4791),
        (ChainRegister::Pid, 77),
        (ChainRegister::Psn, 0xab_cdef),
        (ChainRegister::ReplyPsn, 0x98_7654),
        // Path MTU 1,024, unmapped store, hardened, "not stored" told, keyed, 2^13 ticks.
        (ChainRegister::Options, 0x000d_1923),
        (ChainRegister::Rate, 0x1_0203),
        (ChainRegister::Length, 4160),
        (ChainRegister::Segment, 9),
        (ChainRegister::KeyLow, 0x0506_0708),
        (ChainRegister::KeyHigh, 0x0102_0304),
        (ChainRegister::BaseLow, 0x5566_7788),
        (ChainRegister::BaseHigh, 0x1122_3344),
        (ChainRegister::Row0, 0x0007_0001),
        (ChainRegister::Row1, 0x000f_0003),
        (ChainRegister::Row2, 0x0013_0005),
        (ChainRegister::Row3, 0x001f_0004),
        (ChainRegister::Row4, 0x0027_000e),
        (ChainRegister::Command, 1),
    ];
    assert_eq!(registers.written, expected);
    // One without a secret; all six rows.
    let mut registers = Registers::new();
    let rows: Vec<_> = (1..=6).map(|field| ChainRow { field, end: 8 * field }).collect();
    let plain = ChainQueuePair { key: None, flags: 0, rows, ..pair() };
    assert_eq!(ChainPort::of(&mut registers).expect("it has").create(&plain), Ok(()));
    let of = |register| registers.written.iter().find(|own| own.0 == register).map(|own| own.1);
    assert_eq!((of(ChainRegister::Options), of(ChainRegister::KeyLow)), (Some(0x000d_0023), Some(0)));
    assert_eq!((of(ChainRegister::Row4), of(ChainRegister::Row5)), (Some(0x0028_0005), Some(0x0030_000e)));
}

#[test]
fn no_row_and_a_seventh_are_refused_before_anything_is_told() {
    for count in [0, 7] {
        let mut registers = Registers::new();
        let rows = vec![ChainRow { field: 1, end: 7 }; count];
        let made = ChainPort::of(&mut registers).expect("it has").create(&ChainQueuePair { rows, ..pair() });
        assert_eq!(made, Err(ChainRefused::Result(ChainResult::Profile)), "{count} rows");
        assert_eq!(registers.written, []);
    }
}

#[test]
fn a_queue_pair_is_asked_about_and_destroyed_by_its_number() {
    let mut registers = Registers::new();
    let mut port = ChainPort::of(&mut registers).expect("it has");
    let there = ChainProgress { expected: 0x12_3456, in_error: false };
    assert_eq!((port.query(0x80_1007), port.destroy(0x80_1007)), (Ok(there), Ok(())));
    let told = [(ChainRegister::Qpn, 0x80_1007), (ChainRegister::Command, 4)];
    let destroyed = [(ChainRegister::Qpn, 0x80_1007), (ChainRegister::Command, 2)];
    assert_eq!(registers.written, [told, destroyed].concat());
    registers.told[1] = CHAIN_IN_ERROR;
    let progress = ChainPort::of(&mut registers).expect("it has").query(0x80_1007);
    assert_eq!(progress.map(|own| own.in_error), Ok(true));
}

#[test]
fn what_the_port_refuses_and_that_it_is_silent_is_told() {
    for result in [ChainResult::Taken, ChainResult::Number, ChainResult::PathMtu, ChainResult::Profile] {
        let mut registers = Registers { result, ..Registers::new() };
        let made = ChainPort::of(&mut registers).expect("it has").create(&pair());
        assert_eq!(made, Err(ChainRefused::Result(result)));
    }
    let mut registers = Registers { result: ChainResult::Unknown, ..Registers::new() };
    let mut port = ChainPort::of(&mut registers).expect("it has");
    let unknown = ChainRefused::Result(ChainResult::Unknown);
    assert_eq!((port.query(0x80_1007), port.destroy(0x80_1007)), (Err(unknown), Err(unknown)));
    // A command that never ends; then it is still under way, and the next one is not begun.
    let mut registers = Registers { pending: usize::MAX, ..Registers::new() };
    let mut port = ChainPort::of(&mut registers).expect("it has");
    assert_eq!(port.destroy(0x80_1007), Err(ChainRefused::Silent));
    assert_eq!(port.destroy(0x80_1008), Err(ChainRefused::Silent));
    assert_eq!(registers.written.len(), 2);
}

#[test]
fn a_secret_is_not_for_logs() {
    let told = format!("{:?}", pair());
    assert!(told.contains("segment: 9") && !told.contains(&0x0102_0304_0506_0708u64.to_string()), "{told}");
}
