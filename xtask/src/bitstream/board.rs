//! What a board is for the commands that build, check and flash it: one declaration for Vivado, the overlay and the flasher.

/// A part of the processor's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Its first byte.
    pub address: u64,
    /// Its length.
    pub bytes: u64,
}

/// A kind of board.
#[derive(Debug)]
pub struct Board {
    /// Its name on the command line and in the manifest.
    pub name: &'static str,
    /// Vivado's name of its device.
    pub part: &'static str,
    /// openFPGALoader's names of the board and of its device.
    pub loader: (&'static str, &'static str),
    /// What its own device tree says that it is compatible with.
    pub compatible: &'static str,
    /// The version of Vivado that it is built with.
    pub vivado: &'static str,
    /// Its sources, from the repository's top; a folder is all Verilog, Tcl and constraints in it.
    pub sources: &'static [&'static str],
    /// The module around all.
    pub top: &'static str,
    /// The transceivers of its SFP+ cages, the first one's first.
    pub channels: [&'static str; 2],
    /// The core's clock in MHz, the first of the processor's for the programmable logic.
    pub clock_mhz: u32,
    /// The register window: at the port M_AXI_HPM0_LPD.
    pub registers: Region,
    /// Memory of the rings: the processor's own.
    pub rings: Region,
    /// The window onto DRAM: at the port M_AXI_HPM0_FPD. Its address is a multiple of its length.
    pub dram: Region,
    /// The shared interrupt, as the device tree counts: the first of pl_ps_irq0.
    pub interrupt: u32,
}

/// The ZCU106. Addresses are those that the processor gives to its ports (UG1085).
pub const ZCU106: Board = Board {
    name: "zcu106",
    part: "xczu7ev-ffvc1156-2-e",
    loader: ("zcu106", "xczu7ev"),
    compatible: "xlnx,zynqmp-zcu106",
    vivado: "2024.1",
    sources: &["bitstreams/zcu106", "hw/rtl/Zcu106.v", "hw/rtl/Zcu106.xdc"],
    top: "Zcu106Board",
    channels: ["X0Y10", "X0Y11"],
    clock_mhz: 250,
    registers: Region { address: 0x8000_0000, bytes: mneme_wire::device::WINDOW_BYTES as u64 },
    rings: Region { address: 0x7f00_0000, bytes: 0x10_0000 },
    dram: Region { address: 0x4_8000_0000, bytes: 1 << 31 },
    interrupt: 89,
};

/// The macro with which the wrapper has a port at both cages.
pub const SECOND_SFP: &str = "SECOND_SFP";

/// Chips of DRAM that boards of this kind have, by what is printed on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum MemoryPart {
    /// Boards of the first years: MT40A256M16GE-075E.
    #[value(name = "075e")]
    E075,
    /// Later boards: MT40A256M16LY-062E.
    #[value(name = "062e")]
    E062,
}

impl MemoryPart {
    /// Its name for the controller.
    pub fn name(self) -> &'static str {
        match self {
            MemoryPart::E075 => "MT40A256M16GE-075E",
            MemoryPart::E062 => "MT40A256M16LY-062E",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::device::slot_bytes;

    #[test]
    fn windows_are_as_large_as_what_lies_behind_them_and_do_not_meet() {
        let board = &ZCU106;
        // 256 slots for frames of an MTU of 1,500, two rings: docs/reference/zcu106.md.
        assert!(board.rings.bytes >= 2 * 256 * u64::from(slot_bytes(1514)));
        assert_eq!(board.dram.address % board.dram.bytes, 0, "the low bits are DRAM's address");
        let mut all = [board.registers, board.rings, board.dram];
        all.sort_by_key(|region| region.address);
        assert!(all.windows(2).all(|pair| pair[0].address + pair[0].bytes <= pair[1].address));
        assert!(all.iter().all(|region| region.address % 4096 == 0 && region.bytes % 4096 == 0), "pages");
        // What UG1085 gives to the two ports.
        assert!((0x8000_0000..0xa000_0000).contains(&board.registers.address));
        assert!((0x4_0000_0000..0x5_0000_0000).contains(&board.dram.address));
        assert!((0x4_0000_0000..=0x5_0000_0000).contains(&(board.dram.address + board.dram.bytes)));
    }
}
