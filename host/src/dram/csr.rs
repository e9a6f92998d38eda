//! LiteDRAM's registers, as its generator lays them out for `bitstreams/ecpix5/litedram.yml`.

/// Declares the registers, with the generator's names.
macro_rules! registers {
    ($($(#[$doc:meta])* $name:ident = $offset:literal, $told:literal;)*) => {
        /// A register of the controller, by its byte address.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum Csr { $($(#[$doc])* $name = $offset,)* }

        impl Csr {
            /// All that are used.
            pub const ALL: &'static [Csr] = &[$(Csr::$name,)*];
            /// Its byte address.
            pub const fn number(self) -> u32 {
                self as u32
            }
            /// The name that the generator gives it.
            pub const fn name(self) -> &'static str {
                match self { $(Csr::$name => $told,)* }
            }
        }
    };
}

registers! {
    /// DRAM is levelled, and the core may use it.
    InitDone = 0x0000, "ddrctrl_init_done";
    /// It cannot be.
    InitError = 0x0004, "ddrctrl_init_error";
    /// The bytes of the chip that the next four are for, a bit each. While a bit is set its byte is not sampled.
    Select = 0x0800, "ddrphy_dly_sel";
    /// The read delay goes to 0.
    DelayReset = 0x0804, "ddrphy_rdly_dq_rst";
    /// The read delay goes on by an eighth of a cycle.
    DelayNext = 0x0808, "ddrphy_rdly_dq_inc";
    /// Bits of a burst stand where they came.
    SlipReset = 0x080c, "ddrphy_rdly_dq_bitslip_rst";
    /// They go on by one.
    SlipNext = 0x0810, "ddrphy_rdly_dq_bitslip";
    /// Forgets the bursts that were seen.
    BurstsClear = 0x0814, "ddrphy_burstdet_clr";
    /// The bytes whose strobe came in a read, a bit each.
    BurstsSeen = 0x0818, "ddrphy_burstdet_seen";
    /// Who drives the chip's pins, and those that no command does.
    Control = 0x1000, "sdram_dfii_control";
    /// The command of phase 0.
    Command0 = 0x1004, "sdram_dfii_pi0_command";
    /// Gives it.
    Issue0 = 0x1008, "sdram_dfii_pi0_command_issue";
    /// Its row, column or mode.
    Address0 = 0x100c, "sdram_dfii_pi0_address";
    /// Its bank.
    Bank0 = 0x1010, "sdram_dfii_pi0_baddress";
    /// The first half of what is written, 64 bits.
    Write0 = 0x1014, "sdram_dfii_pi0_wrdata";
    /// The first half of what was read, 64 bits.
    Read0 = 0x101c, "sdram_dfii_pi0_rddata";
    /// The command of phase 1.
    Command1 = 0x1024, "sdram_dfii_pi1_command";
    /// Gives it.
    Issue1 = 0x1028, "sdram_dfii_pi1_command_issue";
    /// Its row, column or mode.
    Address1 = 0x102c, "sdram_dfii_pi1_address";
    /// Its bank.
    Bank1 = 0x1030, "sdram_dfii_pi1_baddress";
    /// The second half of what is written, 64 bits.
    Write1 = 0x1034, "sdram_dfii_pi1_wrdata";
    /// The second half of what was read, 64 bits.
    Read1 = 0x103c, "sdram_dfii_pi1_rddata";
}

/// Registers of a phase of the controller's clock: a cycle of the controller's is two of the chip's.
#[derive(Debug, Clone, Copy)]
pub struct Phase {
    pub(super) command: Csr,
    pub(super) issue: Csr,
    pub(super) address: Csr,
    pub(super) bank: Csr,
    pub(super) write: Csr,
    pub(super) read: Csr,
}

/// Both phases.
pub const PHASES: [Phase; 2] = [
    Phase {
        command: Csr::Command0,
        issue: Csr::Issue0,
        address: Csr::Address0,
        bank: Csr::Bank0,
        write: Csr::Write0,
        read: Csr::Read0,
    },
    Phase {
        command: Csr::Command1,
        issue: Csr::Issue1,
        address: Csr::Address1,
        bank: Csr::Bank1,
        write: Csr::Write1,
        read: Csr::Read1,
    },
];
/// The phases that reads and writes are given in, so that their data come with a cycle's beginning.
pub const READ_PHASE: usize = 0;
/// That of writes.
pub const WRITE_PHASE: usize = 1;

/// Bits of [`Csr::Control`] and of commands.
pub mod bits {
    /// Control: the controller drives the chip.
    pub const HARDWARE: u32 = 1;
    /// Control: the chip takes its clock.
    pub const CKE: u32 = 2;
    /// Control: the chip terminates its lines.
    pub const ODT: u32 = 4;
    /// Control: the chip is not in reset.
    pub const RESET_N: u32 = 8;
    /// Command: it is for this chip.
    pub const CS: u32 = 1;
    /// Command: WE.
    pub const WE: u32 = 2;
    /// Command: CAS.
    pub const CAS: u32 = 4;
    /// Command: RAS.
    pub const RAS: u32 = 8;
    /// Command: data go to the chip.
    pub const WRITES: u32 = 16;
    /// Command: data come from the chip.
    pub const READS: u32 = 32;
}
