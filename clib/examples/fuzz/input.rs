//! Inputs read as programs.
use std::collections::BTreeSet;

/// Takes decisions from an input; zeros after its end.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Input(bytes)
    }
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }
    pub fn number(&mut self, bytes: usize) -> u64 {
        (0..bytes).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }
    pub fn take(&mut self, length: usize) -> &'a [u8] {
        let (now, later) = self.0.split_at(length.min(self.0.len()));
        self.0 = later;
        now
    }
}

/// FNV-1a: names files and behaviours.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// What happened: each event by itself, and each pair of events in a row. Digits do not count.
#[derive(Default)]
pub struct Behaviour {
    pub events: BTreeSet<u64>,
    pub pairs: BTreeSet<(u64, u64)>,
    last: u64,
}

impl Behaviour {
    pub fn saw(&mut self, what: &str) {
        let letters: Vec<u8> = what.bytes().filter(|byte| !byte.is_ascii_digit()).collect();
        let event = hash(&letters);
        self.events.insert(event);
        self.pairs.insert((self.last, event));
        self.last = event;
    }
}
