//! Places of a table of the hardware's, each under numbers of which the low bits are the place.
use std::collections::BTreeSet;

use rand::Rng;

/// Who has which.
#[derive(Debug)]
pub(crate) struct Places {
    count: u32,
    taken: BTreeSet<u32>,
}

impl Places {
    /// So many, a power of two; 0: there is no table.
    pub fn new(count: u32) -> Places {
        Places { count, taken: BTreeSet::new() }
    }
    /// Places that somebody has.
    pub fn len(&self) -> usize {
        self.taken.len()
    }
    /// Places that nobody has.
    pub fn left(&self) -> usize {
        self.count as usize - self.taken.len()
    }
    /// A free one, drawn; nobody has it before it is taken.
    pub fn free(&self, rng: &mut impl Rng) -> Option<u32> {
        let begin: u32 = rng.random();
        let mut all = (0..self.count).map(|step| self.low(begin.wrapping_add(step)));
        all.find(|place| !self.taken.contains(place))
    }
    /// The number with a place as its low bits: all others are what nobody can guess.
    pub fn number(&self, place: u32, drawn: u32) -> u32 {
        drawn & !self.count.wrapping_sub(1) | place
    }
    /// The place of this number is somebody's.
    pub fn take(&mut self, number: u32) {
        self.taken.insert(self.low(number));
    }
    /// It is nobody's again.
    pub fn give_back(&mut self, number: u32) {
        self.taken.remove(&self.low(number));
    }
    fn low(&self, number: u32) -> u32 {
        number & self.count.wrapping_sub(1)
    }
}
