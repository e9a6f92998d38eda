//! Changes inputs.
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// No input grows past this.
const LONGEST: usize = 2_048;
const INTERESTING: [u8; 9] = [0, 1, 2, 0x10, 0x7f, 0x80, 0xfe, 0xff, 0x40];

pub struct Mutator(ChaCha8Rng);

impl Mutator {
    pub fn new(seed: u64) -> Self {
        Mutator(ChaCha8Rng::seed_from_u64(seed))
    }
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }
    /// One of the inputs, changed in a few places.
    pub fn mutate(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut input = inputs[self.below(inputs.len())].clone();
        for _ in 0..1 + self.below(6) {
            self.change(&mut input, inputs);
        }
        input.truncate(LONGEST);
        input
    }
    fn change(&mut self, input: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let at = self.below(input.len() + 1);
        let length = 1 + self.below(16);
        match self.below(8) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = INTERESTING[self.below(INTERESTING.len())],
            2 if at < input.len() => input[at] = self.0.random(),
            3 => drop(input.drain(at..(at + length).min(input.len()))),
            4 => {
                let fresh: Vec<u8> = (0..length).map(|_| self.0.random()).collect();
                input.splice(at..at, fresh);
            }
            5 => {
                let end = (at + length).min(input.len());
                let again = input[at..end].to_vec();
                input.splice(at..at, again);
            }
            6 => {
                let other = &inputs[self.below(inputs.len())];
                let from = self.below(other.len() + 1);
                input.splice(at.., other[from..].iter().copied());
            }
            _ => input.push(self.0.random()),
        }
    }
}
