//! Keys of tags: the board's of each key phase, made of its secret, and how answers are sealed
//! (`docs/reference/trailers.md` §2).
use crate::FastPath;
use crate::config::Config;
use mneme_wire::trailer::{BoardKey, Means, full_time, upper};
use mneme_wire::{Register, Request, Tick, Trailer};
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zeroize::Zeroize;

/// What a board's keys are made of: part of its state, told to nobody. It is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }
    /// The board's key of a generation in the life that a nonce names.
    pub fn key(&self, nonce: u64, generation: u32) -> BoardKey {
        let hash = Sha256::new()
            .chain_update(self.0)
            .chain_update(nonce.to_le_bytes())
            .chain_update(generation.to_le_bytes())
            .finalize();
        let mut key = [0; 16];
        key.copy_from_slice(&hash[..16]);
        BoardKey::new(key)
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The keys of a board with trailers, and its tick of 64 bits.
#[derive(Debug)]
pub(crate) struct Keys {
    /// By key phase.
    phases: [Option<BoardKey>; 2],
    /// The tick of 64 bits at the last look.
    tick: AtomicU64,
}

impl Keys {
    /// Those of a life's beginning: generation 0, in phase 0.
    pub(crate) fn new(config: &Config, nonce: u64) -> Keys {
        Keys { phases: [Some(config.secret.key(nonce, 0)), None], tick: AtomicU64::new(0) }
    }
    /// Writes keys, phases and mode to the fast path; the mode last.
    pub(crate) fn write<F: FastPath + ?Sized>(&self, config: &Config, fp: &mut F) {
        let mut valid = 0;
        for (phase, key) in self.phases.iter().enumerate() {
            let Some(key) = key else { continue };
            for (register, word) in Register::TAG_KEYS[4 * phase..].iter().zip(key.to_words()) {
                fp.write_register(*register, word);
            }
            valid |= 1 << phase;
        }
        fp.write_register(Register::TagPhases, valid);
        fp.write_register(Register::TagMode, config.tag_mode.number().into());
    }
    /// Looks at the fast path's tick of 64 bits.
    pub(crate) fn observe<F: FastPath + ?Sized>(&self, fp: &mut F) {
        let high = |fp: &mut F| (fp.read_register(Register::TickTop), fp.read_register(Register::TickHigh));
        let mut before = high(fp);
        // The low bits wrap once in 2^24 ticks: one of two looks in a row sees the upper ones stand still.
        for _ in 0..2 {
            let low = fp.read_register(Register::Tick);
            let after = high(fp);
            let (top, middle) = after;
            self.tick.store(u64::from(top) << 56 | u64::from(middle) << 24 | u64::from(low), Relaxed);
            if before == after {
                break;
            }
            before = after;
        }
    }
    /// The upper 40 bits of a time near to now.
    pub(crate) fn upper(&self, time: Tick) -> u64 {
        upper(full_time(self.tick.load(Relaxed), time))
    }
    /// What the answer to a request is sealed with. The fast path has verified the request's own trailer.
    pub(crate) fn means(&self, request: &Request) -> Means {
        match request.trailer {
            Trailer::None => Means::None,
            Trailer::Crc32c => Means::Crc32c,
            Trailer::Tag => match self.key(request.key_phase) {
                Some(key) => Means::Tag { key: key.of(request.pid), upper: self.upper(request.time) },
                None => Means::None,
            },
        }
    }
    fn key(&self, phase: bool) -> Option<BoardKey> {
        self.phases[usize::from(phase)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_nonce_generation_or_secret_has_another_key() {
        let (one, other) = (Secret::new([1; 32]), Secret::new([2; 32]));
        let keys = [one.key(1, 0), one.key(2, 0), one.key(1, 1), other.key(1, 0)];
        assert!(keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key)));
        assert!(one.key(1, 0) == Secret::new([1; 32]).key(1, 0));
        assert_eq!(format!("{one:?}"), "Secret(..)");
    }
}
