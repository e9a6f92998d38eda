//! The traffic generator at door 1 of boards that have one (hw/, `TrafficGenerator`): what it is told, what it tells, and the data that it writes.
use mneme_wire::{Opcode, Pid, Tick, Va};

use crate::soft::BoardRequest;

/// A run of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traffic {
    /// What they ask of memory; nothing, or a fence, asks for none.
    pub operation: Option<Opcode>,
    /// They take effect only inside the window that began at this tick.
    pub windowed: Option<Tick>,
    /// Whose memory.
    pub pid: Pid,
    /// The first byte of the first token.
    pub va: Va,
    /// Bytes of each.
    pub length: u16,
    /// Where the data of a write begin among those that the door keeps.
    pub data_offset: u8,
    /// Operands of an atomic. The low 32 bits of the first are the seed of a write's data, too, and count up from token to token.
    pub operands: [u64; 2],
    /// Tokens.
    pub count: u16,
    /// Bytes from a token's address to the next's.
    pub stride: u16,
}

/// How a token ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrafficResult {
    /// Its place among all tokens since reset, in 16 bits.
    pub number: u16,
    /// Status code.
    pub status: u8,
    /// What an answer that is not OK has in its `va` and `length` fields; zeros when OK.
    pub detail: (Va, u16),
    /// A read of a page that nobody wrote: no data came.
    pub zeros: bool,
    /// It walked.
    pub resumed: bool,
    /// It waited for a page.
    pub slow: bool,
    /// The tick against which its window was checked; 24 bits.
    pub tick_resume: u32,
    /// The word that an atomic found.
    pub old: u64,
    /// Of the data that were read ([`digest`]).
    pub digest: u64,
    /// Memory failed to deliver some of them.
    pub damaged: bool,
    /// From the token's offer to this.
    pub cycles: u16,
}

impl Traffic {
    /// Its tokens, as requests of nobody.
    pub fn tokens(&self) -> impl Iterator<Item = BoardRequest> + use<> {
        let traffic = *self;
        (0..u64::from(traffic.count)).map(move |at| traffic.token(at))
    }
    fn token(&self, at: u64) -> BoardRequest {
        let low = (self.operands[0] as u32).wrapping_add(at as u32);
        let operands = [self.operands[0] >> 32 << 32 | u64::from(low), self.operands[1]];
        let payload = match self.operation {
            Some(Opcode::Write) => data(low, self.data_offset.into(), self.length.into()),
            Some(operation) if operation.is_atomic() => {
                operands.iter().flat_map(|word| word.to_le_bytes()).collect()
            }
            _ => Vec::new(),
        };
        BoardRequest {
            opcode: self.operation.map_or(0, Opcode::number),
            windowed: self.windowed.is_some(),
            time: self.windowed.unwrap_or_default(),
            pid: self.pid,
            va: Va::from_low_bits(self.va.get().wrapping_add(at * u64::from(self.stride))),
            length: self.length,
            payload,
            ..BoardRequest::default()
        }
    }
}

/// The generator's data for a seed: words of 32 bits, each the seed and its place.
fn data(seed: u32, offset: usize, length: usize) -> Vec<u8> {
    let word = |at: usize| {
        let (beat, word) = ((at / 16) as u8, (at % 16) as u8);
        seed.wrapping_add(u32::from_be_bytes([beat, word, beat, word]))
    };
    (offset..offset + length).map(|at| word(at / 4).to_le_bytes()[at % 4]).collect()
}

/// What the generator makes of bytes that it read: each beat's words of 64 bits as one, turned by their places, and these after each other.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.chunks(64).fold(0, |digest: u64, beat| {
        let words = beat.chunks(8).enumerate().map(|(at, bytes)| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word).rotate_left(7 * at as u32)
        });
        digest.rotate_left(1) ^ words.fold(0, |folded, word| folded ^ word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_those_of_their_place_wherever_a_write_begins() {
        let whole = data(7, 0, 512);
        assert_eq!(&whole[..8], &[7, 0, 0, 0, 8, 0, 1, 0]);
        assert_eq!(&whole[64..68], &[7, 1, 0, 1]);
        assert_eq!(data(7, 77, 300), whole[77..377]);
    }

    #[test]
    fn a_digest_tells_what_has_changed_places() {
        let bytes: Vec<u8> = (0..150).map(|at| (at * 37 % 251) as u8).collect();
        let changed = |change: fn(&mut [u8])| {
            let mut other = bytes.clone();
            change(&mut other);
            digest(&other) != digest(&bytes)
        };
        assert!(changed(|bytes| bytes.swap(0, 1)));
        assert!(changed(|bytes| bytes[..16].rotate_left(8)));
        assert!(changed(|bytes| bytes[..128].rotate_left(64)));
        // Zeros past the length are as good as none.
        let padded: Vec<u8> = bytes.iter().copied().chain([0; 42]).collect();
        assert_eq!(digest(&padded), digest(&bytes));
    }

    #[test]
    fn tokens_of_a_run_differ_in_address_and_seed() {
        let traffic = Traffic {
            operation: Some(Opcode::Write),
            windowed: None,
            pid: Pid::from_low_bits(3),
            va: Va::from_low_bits(100),
            length: 4,
            data_offset: 0,
            operands: [u64::from(u32::MAX), 0],
            count: 2,
            stride: 50,
        };
        let tokens: Vec<_> = traffic.tokens().map(|token| (token.va.get(), token.payload)).collect();
        assert_eq!(tokens, [(100, vec![255; 4]), (150, vec![0; 4])]);
    }
}
