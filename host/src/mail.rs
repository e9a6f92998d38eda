//! The slow ring of a board without a processor: a beat of 64 bytes at a time, through registers (ecpix5.md §3).
use mneme_window::Registers;
use mneme_wire::HostRegister;
use mneme_wire::device::RING_FRAME_MIN;
use mneme_wire::host::{
    MAIL_FRAME_MAX, MAIL_HAS, MAIL_IN, MAIL_LAST, MAIL_LAST_BYTE_MASK, MAIL_OUT, MAIL_ROOM,
};

/// Bytes of a beat.
const BEAT: usize = 64;
const LONGEST: usize = MAIL_FRAME_MAX as usize;
/// How often room for the next beat of a frame is looked for; each look is an exchange of frames.
const LOOKS: u32 = 10_000;

/// Moves frames of the slow ring. One that has come in part waits for the rest.
#[derive(Debug, Default)]
pub struct Mail {
    /// Of the frame that comes.
    coming: Vec<u8>,
    /// The frame that comes is longer than any can be.
    over: bool,
    damaged: u64,
    unsendable: u64,
}

/// The board took the first beats of a frame, and not the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// There is no room for its first beat: offer it again later.
    #[error("the board has no room for a frame of the slow path's")]
    Full,
    /// There is none for another one.
    #[error("the board took the beginning of a frame of the slow path's, and not its end")]
    Stuck,
}

impl Mail {
    /// Whether a beat waits: one exchange of frames.
    pub fn has_beat(registers: &mut dyn Registers) -> bool {
        registers.read(HostRegister::MailStatus.number()) & MAIL_HAS != 0
    }

    /// Takes the next frame. False: none is whole.
    pub fn receive(&mut self, into: &mut Vec<u8>, registers: &mut dyn Registers) -> bool {
        while Mail::has_beat(registers) {
            if !self.beat(registers) {
                continue;
            }
            let good = !self.over && self.coming.len() >= RING_FRAME_MIN as usize;
            if good {
                std::mem::swap(into, &mut self.coming);
            } else {
                self.damaged += 1;
            }
            self.coming.clear();
            self.over = false;
            if good {
                return true;
            }
        }
        false
    }

    /// Takes a beat; whether it was its frame's last.
    fn beat(&mut self, registers: &mut dyn Registers) -> bool {
        let told = registers.read(HostRegister::MailBeat.number());
        let bytes = (told & MAIL_LAST_BYTE_MASK) as usize + 1;
        let mut beat = [0; BEAT];
        for (word, at) in
            beat[..bytes.next_multiple_of(4)].as_chunks_mut().0.iter_mut().zip((MAIL_IN..).step_by(4))
        {
            *word = registers.read(at).to_le_bytes();
        }
        registers.write(HostRegister::MailBeat.number(), 0);
        self.over |= self.coming.len() + bytes > LONGEST;
        if !self.over {
            self.coming.extend_from_slice(&beat[..bytes]);
        }
        // A board that is no longer reached gives zeros for ever: `has_beat` ends the loop then.
        told & MAIL_LAST != 0
    }

    /// Gives a frame to the board, which waits for room after its first beat. One that no port carries is dropped and counted: it
    /// can have come from nobody.
    pub fn send(&mut self, frame: &[u8], registers: &mut dyn Registers) -> Result<(), MailError> {
        if !(RING_FRAME_MIN as usize..=LONGEST).contains(&frame.len()) {
            self.unsendable += 1;
            return Ok(());
        }
        for (number, beat) in frame.chunks(BEAT).enumerate() {
            let room = |registers: &mut dyn Registers| {
                registers.read(HostRegister::MailStatus.number()) & MAIL_ROOM != 0
            };
            let looks = if number == 0 { 1 } else { LOOKS };
            if !(0..looks).any(|_| room(registers) || registers.trouble().is_some()) {
                return Err(if number == 0 { MailError::Full } else { MailError::Stuck });
            }
            for (word, at) in beat.chunks(4).zip((MAIL_OUT..).step_by(4)) {
                let mut bytes = [0; 4];
                bytes[..word.len()].copy_from_slice(word);
                registers.write(at, u32::from_le_bytes(bytes));
            }
            let last = if BEAT * (number + 1) >= frame.len() { MAIL_LAST } else { 0 };
            registers.write(HostRegister::MailSend.number(), (beat.len() - 1) as u32 | last);
        }
        Ok(())
    }

    /// Forgets the frame that comes: a reset of the core has taken the rest of it.
    pub fn forget(&mut self) {
        self.coming.clear();
        self.over = false;
    }
    /// Frames that were dropped, as their length cannot be.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }
    /// Frames of the slow path that were dropped, as no port carries them.
    pub fn unsendable(&self) -> u64 {
        self.unsendable
    }
}
