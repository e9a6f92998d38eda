//! A model of the hardware's `HostPort` (ecpix5.md §3): which of a host's frames are taken, and what they are answered. It shares
//! nothing with the host's program but the numbers of the wire.
use mneme_wire::host::{
    HOST_ADDRESS, HOST_ANSWER, HOST_DATA, HOST_ETHERTYPE, HOST_FRAME_BYTES, HOST_KIND, HOST_NONCE,
    HOST_SEQUENCE, HOST_TAG, HostKind,
};
use siphasher::sip::SipHasher24;

const BYTES: usize = HOST_FRAME_BYTES as usize;

/// Who may reach the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Built {
    /// The address that the host's frames are for.
    pub board: [u8; 6],
    /// The address that they come from.
    pub host: [u8; 6],
    /// The key, its first byte first.
    pub key: [u8; 16],
}

/// A register access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A read at this offset.
    Read(u32),
    /// A write of this value at this offset.
    Write(u32, u32),
}

/// The port.
#[derive(Debug)]
pub struct HostPort {
    built: Built,
    nonce: u64,
    sequence: u64,
    /// The word of the last access, for a retry.
    data: u32,
    /// Frames dropped: not the host's or of no kind, with a wrong tag, of another nonce or an old sequence.
    pub(super) foreign: u32,
    pub(super) bad_tag: u32,
    pub(super) stale: u32,
}

fn word(frame: &[u8], at: u32) -> u32 {
    frame[at as usize..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn long(frame: &[u8], at: u32) -> u64 {
    frame[at as usize..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl HostPort {
    /// The port of a board after its reset.
    pub fn new(built: Built) -> HostPort {
        HostPort { built, nonce: 0, sequence: 0, data: 0, foreign: 0, bad_tag: 0, stale: 0 }
    }

    fn tag(&self, frame: &[u8]) -> [u8; 8] {
        let covered = [&frame[..16], &frame[24..48], &[0; 4]].concat();
        SipHasher24::new_with_key(&self.built.key).hash(&covered).to_le_bytes()
    }

    fn kind(&self, frame: &[u8]) -> Option<HostKind> {
        let addressed =
            frame.len() == BYTES && frame[..6] == self.built.board && frame[6..12] == self.built.host;
        let sound = addressed && frame[15] == 0 && word(frame, HOST_ADDRESS).is_multiple_of(4);
        HostKind::from_number(u32::from(*frame.get(HOST_KIND as usize)?)).filter(|_| sound)
    }

    /// What a frame from the port is answered. `cycles`: since the reset. Frames that are not of the host's type are none of its
    /// business.
    pub fn frame(
        &mut self,
        frame: &[u8],
        cycles: u64,
        access: impl FnOnce(&HostPort, Access) -> u32,
    ) -> Option<[u8; BYTES]> {
        if frame.get(12..14) != Some(&(HOST_ETHERTYPE as u16).to_be_bytes()) {
            return None;
        }
        let Some(kind) = self.kind(frame) else {
            self.foreign = self.foreign.wrapping_add(1);
            return None;
        };
        if frame[HOST_TAG as usize..][..8] != self.tag(frame) {
            self.bad_tag = self.bad_tag.wrapping_add(1);
            return None;
        }
        let (nonce, sequence) = (long(frame, HOST_NONCE), long(frame, HOST_SEQUENCE));
        let (at, value) = (word(frame, HOST_ADDRESS), word(frame, HOST_DATA));
        let mut answer: [u8; BYTES] = frame.try_into().ok()?;
        answer[48..].fill(0);
        if kind == HostKind::Hello {
            if self.nonce == 0 {
                self.nonce = cycles + 1;
            }
            answer[HOST_NONCE as usize..][..8].copy_from_slice(&self.nonce.to_le_bytes());
            answer[HOST_ADDRESS as usize..][..8].fill(0);
        } else {
            let ofs_life = nonce == self.nonce && nonce != 0;
            if !ofs_life || sequence < self.sequence || sequence == 0 {
                self.stale = self.stale.wrapping_add(1);
                return None;
            }
            if sequence > self.sequence {
                self.sequence = sequence;
                self.data = match kind {
                    HostKind::Read => access(self, Access::Read(at)),
                    _ => {
                        access(self, Access::Write(at, value));
                        0
                    }
                };
            }
            answer[HOST_DATA as usize..][..4].copy_from_slice(&self.data.to_le_bytes());
        }
        answer[..6].copy_from_slice(&self.built.host);
        answer[6..12].copy_from_slice(&self.built.board);
        answer[HOST_KIND as usize] |= HOST_ANSWER as u8;
        let tag = self.tag(&answer);
        answer[HOST_TAG as usize..][..8].copy_from_slice(&tag);
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that the hardware answers in its own bench.
    const VECTORS: &str = include_str!("../../../../hw/src/test/resources/host-frames.txt");

    fn bytes(text: &str) -> Vec<u8> {
        let digit = |digit: u8| char::from(digit).to_digit(16).expect("a digit") as u8;
        text.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
    }

    #[test]
    fn the_model_answers_as_the_hardware_does() {
        let key = std::array::from_fn(|i| 3 * i as u8 + 1);
        let built = Built { board: [2, 0, 0xc0, 0xff, 0xee, 1], host: [2, 0, 0, 0, 0, 9], key };
        let number = |text: &str| u64::from_str_radix(text, 16).expect("a number");
        for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
            let [_, _, sequence, address, data, frame, told_nonce, told, answer]: [&str; 9] =
                line.split(' ').collect::<Vec<_>>().try_into().expect("nine words");
            let mut port = HostPort::new(built);
            (port.nonce, port.sequence) = (number(told_nonce), number(sequence) - 1);
            let mut accesses = Vec::new();
            let answered = port.frame(&bytes(frame), 5, |_, access| {
                accesses.push(access);
                number(told) as u32
            });
            assert_eq!(answered.expect("an answer")[..], bytes(answer)[..], "{line}");
            let (at, value) = (number(address) as u32, number(data) as u32);
            assert!(
                accesses
                    .iter()
                    .all(|access| *access == Access::Read(at) || *access == Access::Write(at, value))
            );
        }
    }
}
