//! The register block word by word, as AXI4-Lite has it.
use mneme_slowpath::FastPath;
use mneme_wire::register::COUNTER_BASE;
use mneme_wire::{Counter, Register};

use super::SoftFast;
use crate::port::{NetworkPort, RegisterPort};
use crate::soft::PlantedFault;

/// The bits of the bytes whose strobes are set.
fn mask(strobes: u8) -> u32 {
    (0..4).filter(|byte| strobes >> byte & 1 == 1).fold(0, |mask, byte| mask | 0xff << (8 * byte))
}

/// A register that does something when it is written, with the whole word whatever the strobes, or nothing ever.
fn acts(register: Register) -> bool {
    use Register as R;
    matches!(
        register,
        R::TickSkip
            | R::ZeroPush
            | R::ReplaceGo
            | R::MatCommit
            | R::AwayCommit
            | R::ClassCommit
            | R::TablePinned
            | R::ShareCommit
    )
}

impl RegisterPort for SoftFast {
    fn read_word(&mut self, offset: u32, late: u32) -> u32 {
        self.run(late.into());
        if let Some(register) = Register::from_number(offset) {
            return self.read_register(register);
        }
        let Some(bytes) = offset.checked_sub(COUNTER_BASE) else {
            self.run(self.timing.register);
            let keeps = self.model.planted(PlantedFault::HolesKeep);
            return self.model.registers.hole(offset).filter(|_| keeps).map_or(0, |word| *word);
        };
        match Counter::from_number(bytes / 4) {
            Some(counter) => self.read_counter(counter),
            None => self.read_observed(bytes / 4),
        }
    }
    fn write_bytes(&mut self, offset: u32, value: u32, strobes: u8, late: [u32; 3]) {
        self.run(late.iter().sum::<u32>().into());
        let Some(register) = Register::from_number(offset) else {
            self.run(self.timing.register);
            self.model.registers.hole(offset).into_iter().for_each(|word| *word = value);
            return;
        };
        let ignored = acts(register) || self.model.planted(PlantedFault::StrobesIgnored);
        let mask = if ignored { !0 } else { mask(strobes) };
        let kept = match register {
            Register::Epoch => self.next_epoch.unwrap_or(self.model.registers.get(register)),
            _ => self.model.registers.get(register),
        };
        self.write_register(register, kept & !mask | value & mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soft::BoardShape;

    #[test]
    fn strobes_choose_the_bytes_of_a_register_that_keeps_its_value() {
        let mut board = SoftFast::new(BoardShape::TINY).expect("a legal shape");
        let ip = Register::Ip.number();
        board.write_bytes(ip, 0x0a4d_0102, 0xf, [0; 3]);
        board.write_bytes(ip, 0xffff_ffff, 0b0101, [0, 1, 2]);
        assert_eq!(board.read_word(ip, 3), 0x0aff_01ff);
        board.write_bytes(ip, 0, 0, [0; 3]);
        assert_eq!(board.read_register(Register::Ip), 0x0aff_01ff);
    }

    #[test]
    fn where_nothing_is_reads_give_zero_and_writes_do_nothing() {
        let mut board = SoftFast::new(BoardShape::TINY).expect("a legal shape");
        for hole in [0x0b8, 0x0bc, 0x0f8, 0x3fc, 0xffc] {
            board.write_bytes(hole, 0xdead_beef, 0xf, [0; 3]);
            assert_eq!(board.read_word(hole, 0), 0, "{hole:#x}");
        }
    }
}
