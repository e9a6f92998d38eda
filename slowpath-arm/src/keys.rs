//! Keys of tags: the board's of each key phase, made of its secret, and how answers are sealed
//! (`docs/reference/trailers.md` §2).
use crate::FastPath;
use crate::config::Config;
use mneme_wire::trailer::{BoardKey, Means, ProcessKey, full_time, upper};
use mneme_wire::{Pid, Register, Request, Tick, Trailer};
use parking_lot::RwLock;
use sha2::{Digest, Sha256};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use zeroize::{Zeroize, ZeroizeOnDrop};

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
        let mut hash = Sha256::new()
            .chain_update(self.0)
            .chain_update(nonce.to_le_bytes())
            .chain_update(generation.to_le_bytes())
            .finalize();
        let key = BoardKey::from_words(std::array::from_fn(|word| {
            let at = 4 * word;
            u32::from_le_bytes([hash[at], hash[at + 1], hash[at + 2], hash[at + 3]])
        }));
        hash.as_mut_slice().zeroize();
        key
    }
}

impl Zeroize for Secret {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
impl Drop for Secret {
    fn drop(&mut self) {
        self.zeroize();
    }
}
impl ZeroizeOnDrop for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Which keys there are: of the current generation, and of the one before it.
#[derive(Debug)]
struct Generation {
    /// Counts up; its lowest bit is the key phase.
    number: u32,
    /// By key phase.
    phases: [Option<BoardKey>; 2],
    /// The tick of the next roll; `u64::MAX`: never.
    rolls: u64,
}

impl Generation {
    fn phase(&self) -> bool {
        self.number & 1 != 0
    }
}

/// The keys of a board with trailers, and its tick of 64 bits.
#[derive(Debug)]
pub(crate) struct Keys {
    nonce: u64,
    /// Ticks that a generation is the current one; 0: for good.
    period: u64,
    current: RwLock<Generation>,
    /// The number of the current generation, to be looked at without the lock: no key of it is told before, and those that
    /// it voids count no more.
    number: Arc<AtomicU32>,
    /// The tick of the next roll, likewise.
    rolls: AtomicU64,
    /// The generation that is to be the current one at once, whatever the time; those before it count for nothing.
    wanted: AtomicU32,
    /// The tick of 64 bits at the last look.
    tick: AtomicU64,
}

/// What the tenant of a process is told of its keys.
pub(crate) struct Told {
    /// The current generation; `other` is of the one before it.
    pub(crate) generation: u32,
    /// The current phase, and the key of the other phase, where that has one.
    pub(crate) phase: bool,
    pub(crate) key: ProcessKey,
    pub(crate) other: Option<ProcessKey>,
    /// Ticks until the next roll; `None`: never.
    pub(crate) rolls: Option<u64>,
    pub(crate) period: u64,
}

impl Keys {
    /// Those of a life's beginning: generation 0, in phase 0.
    pub(crate) fn new(config: &Config, nonce: u64) -> Keys {
        let period = config.key_period_ticks();
        let rolls = if period == 0 { u64::MAX } else { period };
        let phases = [Some(config.secret.key(nonce, 0)), None];
        Keys {
            nonce,
            period,
            current: RwLock::new(Generation { number: 0, phases, rolls }),
            number: Arc::default(),
            rolls: AtomicU64::new(rolls),
            wanted: AtomicU32::new(0),
            tick: AtomicU64::new(0),
        }
    }
    /// Writes keys, phases and mode to the fast path; the mode last.
    pub(crate) fn write<F: FastPath + ?Sized>(&self, config: &Config, fp: &mut F) {
        write_phases(&self.current.read(), 0b11, fp);
        fp.write_register(Register::TagMode, config.tag_mode.number().into());
    }
    /// Rolls the keys as often as is due: the oldest generation's phase gets a new key and becomes the current one, and the
    /// generation before it stays valid until the next roll. Tells how many generations have passed.
    pub(crate) fn roll<F: FastPath + ?Sized>(&self, config: &Config, now: u64, fp: &mut F) -> u64 {
        let in_time = now < self.rolls.load(Relaxed) || self.period == 0;
        let wanted = self.wanted.load(Relaxed);
        if in_time && wanted == 0 {
            return 0;
        }
        let mut current = self.current.write();
        let due = if in_time { 0 } else { 1 + now.saturating_sub(current.rolls) / self.period };
        let passed = due.max(wanted.saturating_sub(current.number).into());
        if passed == 0 {
            return 0;
        }
        let number = current.number.wrapping_add(passed as u32);
        current.phases[number as usize & 1] = Some(config.secret.key(self.nonce, number));
        if passed > 1 {
            // The board slept through whole generations: the one before is another one, too.
            let before = number.wrapping_sub(1);
            current.phases[before as usize & 1] = Some(config.secret.key(self.nonce, before));
        }
        current.number = number;
        current.rolls = match (self.period, passed > due) {
            (0, _) => u64::MAX,
            (period, true) => now.saturating_add(period),
            (period, false) => current.rolls.saturating_add(passed.saturating_mul(period)),
        };
        self.rolls.store(current.rolls, Relaxed);
        write_phases(&current, if passed > 1 { 0b11 } else { 1 << (number & 1) }, fp);
        self.number.store(number, Relaxed);
        passed
    }
    /// Keys of a generation and of those before it are known to somebody who must not have them: from the next look on none of
    /// them counts. Of the two that are valid at a time each takes a roll.
    pub(crate) fn void(&self, generation: u32) {
        self.wanted.fetch_max(generation.saturating_add(2), Relaxed);
    }
    /// The number of the current generation, as it goes on.
    pub(crate) fn generation(&self) -> Arc<AtomicU32> {
        Arc::clone(&self.number)
    }
    /// The current key phase, as board info tells it.
    pub(crate) fn phase(&self) -> u8 {
        u8::from(self.current.read().phase())
    }
    /// A process's keys, for its tenant.
    pub(crate) fn told(&self, pid: Pid, now: u64) -> Option<Told> {
        let current = self.current.read();
        let phase = current.phase();
        let of = |phase: bool| current.phases[usize::from(phase)].as_ref().map(|key| key.of(pid));
        let rolls = (current.rolls != u64::MAX).then(|| current.rolls.saturating_sub(now));
        let generation = current.number;
        Some(Told { generation, phase, key: of(phase)?, other: of(!phase), rolls, period: self.period })
    }
    /// The board's tick of 64 bits, at the last look.
    pub(crate) fn tick(&self) -> u64 {
        self.tick.load(Relaxed)
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
            Trailer::Tag => match &self.current.read().phases[usize::from(request.key_phase)] {
                Some(key) => Means::Tag { key: key.of(request.pid), upper: self.upper(request.time) },
                None => Means::None,
            },
        }
    }
}

/// Writes the keys of some phases (a bit each) to the fast path. A phase whose key changes is not valid meanwhile.
fn write_phases<F: FastPath + ?Sized>(generation: &Generation, which: u32, fp: &mut F) {
    let valid = |phase: usize| u32::from(generation.phases[phase].is_some()) << phase;
    let all = valid(0) | valid(1);
    fp.write_register(Register::TagPhases, all & !which);
    for (phase, key) in generation.phases.iter().enumerate() {
        let Some(key) = key.as_ref().filter(|_| which >> phase & 1 != 0) else { continue };
        for (register, word) in Register::TAG_KEYS[4 * phase..].iter().zip(key.to_words()) {
            fp.write_register(*register, word);
        }
    }
    fp.write_register(Register::TagPhases, all);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::needs_drop;

    #[test]
    fn the_secret_and_the_keys_made_of_it_are_wiped() {
        let mut secret = Secret::new([1; 32]);
        secret.zeroize();
        assert!(secret == Secret::new([0; 32]));
        let dropped = [needs_drop::<Secret>(), needs_drop::<Generation>(), needs_drop::<Told>()];
        assert_eq!(dropped, [true; 3]);
    }

    #[test]
    fn another_nonce_generation_or_secret_has_another_key() {
        let (one, other) = (Secret::new([1; 32]), Secret::new([2; 32]));
        let keys = [one.key(1, 0), one.key(2, 0), one.key(1, 1), other.key(1, 0)];
        assert!(keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key)));
        assert!(one.key(1, 0) == Secret::new([1; 32]).key(1, 0));
        assert_eq!(format!("{one:?}"), "Secret(..)");
    }
}
