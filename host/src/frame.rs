//! The host's frames, byte by byte: what is asked, and what an answer is (ecpix5.md §3). No input or output here.
use std::hash::Hasher;

use mneme_wire::host::{
    HOST_ADDRESS, HOST_ANSWER, HOST_DATA, HOST_ETHERTYPE, HOST_FRAME_BYTES, HOST_KIND, HOST_NONCE,
    HOST_SEQUENCE, HOST_TAG, HostKind,
};
use siphasher::sip::SipHasher24;
use subtle::ConstantTimeEq;

use crate::identity::{Identity, Key};

/// Bytes of a frame.
const BYTES: usize = HOST_FRAME_BYTES as usize;
const ETHERTYPE: usize = 12;
/// Zeros that a tag covers behind the frame's bytes.
const PADDING: [u8; 4] = [0; 4];

fn put<const N: usize>(frame: &mut [u8; BYTES], at: u32, bytes: [u8; N]) {
    frame[at as usize..at as usize + N].copy_from_slice(&bytes);
}

fn get<const N: usize>(frame: &[u8; BYTES], at: u32) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&frame[at as usize..at as usize + N]);
    bytes
}

/// Makes tags and looks at them.
#[derive(Debug, Clone)]
pub struct Tags(Key);

impl Tags {
    /// Those of a key.
    pub fn new(key: Key) -> Tags {
        Tags(key)
    }
    fn of(&self, frame: &[u8; BYTES]) -> [u8; 8] {
        let mut hasher = SipHasher24::new_with_key(self.0.bytes());
        hasher.write(&frame[..HOST_TAG as usize]);
        hasher.write(&frame[HOST_NONCE as usize..HOST_DATA as usize + 4]);
        hasher.write(&PADDING);
        hasher.finish().to_le_bytes()
    }
}

/// One frame of the host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// What it asks for.
    pub kind: HostKind,
    /// The board's nonce; 0 in a HELLO.
    pub nonce: u64,
    /// Its number in the board's life; in a HELLO a number that nobody can guess, which makes the answer a fresh one.
    pub sequence: u64,
    /// The register's offset, a multiple of 4.
    pub address: u32,
    /// The word to be written.
    pub data: u32,
}

/// What a frame that came is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// The answer: the board's nonce, and the word.
    Answer {
        /// The board's nonce.
        nonce: u64,
        /// What was read; 0 of a write.
        data: u32,
    },
    /// It says that it is the board's, and its tag is wrong.
    WrongTag,
    /// Another frame, or an answer to another one.
    Other,
}

impl Asked {
    /// The frame, without its check sequence.
    pub fn frame(&self, identity: &Identity, tags: &Tags) -> [u8; BYTES] {
        let mut frame = [0; BYTES];
        put(&mut frame, 0, identity.board);
        put(&mut frame, 6, identity.host);
        put(&mut frame, ETHERTYPE as u32, (HOST_ETHERTYPE as u16).to_be_bytes());
        frame[HOST_KIND as usize] = self.kind.number() as u8;
        put(&mut frame, HOST_NONCE, self.nonce.to_le_bytes());
        put(&mut frame, HOST_SEQUENCE, self.sequence.to_le_bytes());
        put(&mut frame, HOST_ADDRESS, self.address.to_le_bytes());
        put(&mut frame, HOST_DATA, self.data.to_le_bytes());
        let tag = tags.of(&frame);
        put(&mut frame, HOST_TAG, tag);
        frame
    }

    /// What a frame is that came after this one was asked.
    pub fn hear(&self, identity: &Identity, tags: &Tags, frame: &[u8]) -> Heard {
        let Ok(frame) = <&[u8; BYTES]>::try_from(frame) else { return Heard::Other };
        let addressed = get(frame, 0) == identity.host && get(frame, 6) == identity.board;
        let ours = get(frame, ETHERTYPE as u32) == (HOST_ETHERTYPE as u16).to_be_bytes();
        let kind = u32::from(frame[HOST_KIND as usize]);
        if !addressed || !ours || kind & HOST_ANSWER == 0 {
            return Heard::Other;
        }
        if !bool::from(tags.of(frame).ct_eq(&get::<8>(frame, HOST_TAG))) {
            return Heard::WrongTag;
        }
        let nonce = u64::from_le_bytes(get(frame, HOST_NONCE));
        let same = kind == self.kind.number() | HOST_ANSWER
            && u64::from_le_bytes(get(frame, HOST_SEQUENCE)) == self.sequence
            && (self.kind == HostKind::Hello
                || (nonce == self.nonce && u32::from_le_bytes(get(frame, HOST_ADDRESS)) == self.address));
        match same {
            true => Heard::Answer { nonce, data: u32::from_le_bytes(get(frame, HOST_DATA)) },
            false => Heard::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames that the hardware's bench sends and hears, byte by byte (hw/src/test/resources/host-frames.txt).
    const VECTORS: &str = include_str!("../../hw/src/test/resources/host-frames.txt");

    fn bytes(text: &str) -> Vec<u8> {
        let digits: Vec<char> = text.chars().collect();
        let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).expect("digits");
        digits.chunks(2).map(byte).collect()
    }

    /// Lines `kind nonce sequence address data frame answer-nonce answer-data answer`, numbers in hexadecimal.
    fn vectors() -> Vec<(Asked, Vec<u8>, Heard, Vec<u8>)> {
        let number = |text: &str| u64::from_str_radix(text, 16).expect("a number");
        let lines = VECTORS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let of_line = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let kind = HostKind::ALL.iter().find(|kind| kind.name() == words[0]).expect("a kind");
            let asked = Asked {
                kind: *kind,
                nonce: number(words[1]),
                sequence: number(words[2]),
                address: number(words[3]) as u32,
                data: number(words[4]) as u32,
            };
            let heard = Heard::Answer { nonce: number(words[6]), data: number(words[7]) as u32 };
            (asked, bytes(words[5]), heard, bytes(words[8]))
        };
        lines.map(of_line).collect()
    }

    fn identity() -> Identity {
        let key = std::array::from_fn(|i| 3 * i as u8 + 1);
        Identity { board: [2, 0, 0xc0, 0xff, 0xee, 1], host: [2, 0, 0, 0, 0, 9], key: Key::new(key) }
    }

    #[test]
    fn frames_and_answers_are_those_of_the_hardwares_bench() {
        let (identity, vectors) = (identity(), vectors());
        let tags = Tags::new(identity.key.clone());
        for kind in HostKind::ALL {
            assert!(vectors.iter().filter(|vector| vector.0.kind == *kind).count() >= 2, "{kind}");
        }
        for (asked, frame, heard, answer) in &vectors {
            assert_eq!(asked.frame(&identity, &tags)[..], frame[..], "{asked:?}");
            assert_eq!(asked.hear(&identity, &tags, answer), *heard, "{asked:?}");
        }
    }

    #[test]
    fn an_answer_with_any_other_bit_is_none() {
        let identity = identity();
        let tags = Tags::new(identity.key.clone());
        for (asked, frame, heard, answer) in vectors() {
            assert_eq!(asked.hear(&identity, &tags, &frame), Heard::Other, "what was asked is no answer");
            for bit in 0..8 * 48 {
                let mut damaged = answer.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert!(!matches!(asked.hear(&identity, &tags, &damaged), Heard::Answer { .. }), "bit {bit}");
            }
            // What the tag does not cover says nothing.
            let mut padded = answer.clone();
            padded[63] = 9;
            assert_eq!(asked.hear(&identity, &tags, &padded), heard);
            for length in [0, 14, 63, 65] {
                padded.resize(length, 0);
                assert_eq!(asked.hear(&identity, &tags, &padded), Heard::Other, "{length} bytes");
            }
        }
    }

    #[test]
    fn answers_to_other_frames_are_told_from_this_ones() {
        let identity = identity();
        let tags = Tags::new(identity.key.clone());
        let (read, _, _, answer) =
            vectors().into_iter().find(|v| v.0.kind == HostKind::Read).expect("a read");
        for other in [
            Asked { sequence: read.sequence + 1, ..read },
            Asked { address: read.address + 4, ..read },
            Asked { nonce: read.nonce + 1, ..read },
            Asked { kind: HostKind::Write, ..read },
        ] {
            assert_eq!(other.hear(&identity, &tags, &answer), Heard::Other, "{other:?}");
        }
        let wrong = Tags::new(Key::new([9; 16]));
        assert_eq!(read.hear(&identity, &wrong, &answer), Heard::WrongTag);
    }
}
