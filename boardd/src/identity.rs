//! What a board's registers tell of it, for who brings one up.
use mneme_window::Registers;
use mneme_wire::device::{
    DEVICE_MEMORY_READY, PORT_BASE, PORT_BYTES, PORT_HIGH_ERRORS, PORT_LOCAL_FAULT, PORT_LOCKED, PORT_PAUSED,
    PORT_REMOTE_FAULT,
};
use mneme_wire::{DeviceRegister, PortRegister, Register};

use crate::board::{OpenError, identify};

/// Ports at most that the register window has room for.
const MOST_PORTS: u32 = 15;
/// Bits of a port's status, and their names.
const STATES: [(u32, &str); 5] = [
    (PORT_LOCKED, "locked"),
    (PORT_HIGH_ERRORS, "high-error-rate"),
    (PORT_LOCAL_FAULT, "local-fault"),
    (PORT_REMOTE_FAULT, "remote-fault"),
    (PORT_PAUSED, "paused"),
];

/// Lines of `name value`: target, whether DRAM is ready, the build, the core's sizes, each Ethernet port. Reads alone; none has an
/// effect. Fails where no board answers. The core's registers are 0 until DRAM is ready.
pub fn identity(registers: &mut dyn Registers) -> Result<String, OpenError> {
    let target = identify(registers, None)?;
    let mut read = |offset: u32| registers.read(offset);
    let dram =
        if read(DeviceRegister::Status.number()) & DEVICE_MEMORY_READY != 0 { "ready" } else { "waits" };
    let mut lines = vec![format!("target {target}"), format!("dram {dram}")];
    for (name, register) in [
        ("build_hash", Register::BuildHash),
        ("build_date", Register::BuildDate),
        ("page_bits", Register::PageBits),
        ("mem_bits", Register::MemBits),
    ] {
        lines.push(format!("{name} {:#010x}", read(register.number())));
    }
    let ports = (read(DeviceRegister::Ports.number()) & 0xff).min(MOST_PORTS);
    lines.push(format!("ports {ports}"));
    for port in 0..ports {
        let status = read(PORT_BASE + PORT_BYTES * port + PortRegister::Status.number());
        let states: Vec<&str> =
            STATES.iter().filter(|(bit, _)| status & bit != 0).map(|(_, name)| *name).collect();
        let states = if states.is_empty() { "not-locked".to_owned() } else { states.join(" ") };
        lines.push(format!("port{port} {states}"));
    }
    match registers.trouble() {
        Some(error) => Err(OpenError::Gone(error.to_string())),
        None => Ok(lines.join("\n") + "\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::Target;
    use mneme_wire::device::{DEVICE_MAGIC, DEVICE_VERSION, WINDOW_BYTES};
    use std::collections::BTreeMap;

    /// Registers by their offsets; a write would be a mistake.
    struct Fixed(BTreeMap<u32, u32>);

    impl Registers for Fixed {
        fn bytes(&self) -> u64 {
            u64::from(WINDOW_BYTES)
        }
        fn read(&mut self, offset: u32) -> u32 {
            self.0.get(&offset).copied().unwrap_or(0)
        }
        fn write(&mut self, offset: u32, _: u32) {
            panic!("a write to {offset:#x}");
        }
    }

    fn board() -> Fixed {
        Fixed(BTreeMap::from([
            (DeviceRegister::Magic.number(), DEVICE_MAGIC),
            (DeviceRegister::Version.number(), DEVICE_VERSION),
            (DeviceRegister::Target.number(), Target::Zcu106.number()),
            (DeviceRegister::Ports.number(), 2),
            (DeviceRegister::Status.number(), DEVICE_MEMORY_READY),
            (Register::BuildHash.number(), 0x0123_abcd),
            (Register::BuildDate.number(), 0x6543_2100),
            (Register::PageBits.number(), 22),
            (Register::MemBits.number(), 31),
            (PORT_BASE + PortRegister::Status.number(), PORT_LOCKED | PORT_REMOTE_FAULT),
        ]))
    }

    #[test]
    fn a_board_tells_what_it_is_without_a_write() {
        let said = identity(&mut board()).expect("a board");
        let expected = "target ZCU106\ndram ready\nbuild_hash 0x0123abcd\nbuild_date 0x65432100\npage_bits 0x00000016\n\
                        mem_bits 0x0000001f\nports 2\nport0 locked remote-fault\nport1 not-locked\n";
        assert_eq!(said, expected);
    }

    #[test]
    fn one_without_dram_says_so_and_none_is_refused() {
        let mut waits = board();
        waits.0.insert(DeviceRegister::Status.number(), 0);
        assert!(identity(&mut waits).expect("a board").contains("dram waits\n"));
        let mut none = board();
        none.0.insert(DeviceRegister::Magic.number(), 0xffff_ffff);
        assert!(matches!(identity(&mut none), Err(OpenError::Magic(0xffff_ffff))));
    }
}
