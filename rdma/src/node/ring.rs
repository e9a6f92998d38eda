//! The free page queue: a FIFO ring of frame addresses (ODRP paper, §4.1).
use std::collections::BTreeSet;

use super::FRAME;

/// A ring of 8-byte elements. Head and tail count on for ever; the low bits are the place, so that modulo is a mask.
#[derive(Debug, Clone)]
pub struct Ring {
    elements: Vec<u64>,
    head: u64,
    tail: u64,
    /// Bytes of the runs of frames that are counted; 0: none are.
    run: u64,
    /// Frames of each run that are in the ring, by the run's number.
    counts: Vec<u64>,
    /// Runs that are in the ring as a whole.
    whole: BTreeSet<u64>,
}

/// The ring holds as many frames as it has elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the ring of {0} elements is full")]
pub struct RingFull(pub usize);

impl Ring {
    /// An empty ring of at least so many elements; their number becomes a power of two.
    pub fn new(elements: usize) -> Ring {
        let elements = vec![0; elements.max(1).next_power_of_two()];
        Ring { elements, head: 0, tail: 0, run: 0, counts: Vec::new(), whole: BTreeSet::new() }
    }
    /// From now on it is known at any time which runs of so many bytes, that begin at multiples of them, are in the ring as a whole.
    pub fn count_runs(&mut self, bytes: u64) {
        (self.run, self.counts, self.whole) = (bytes, Vec::new(), BTreeSet::new());
        let frames: Vec<u64> = self.frames().collect();
        frames.into_iter().for_each(|frame| self.entered(frame));
    }
    /// The first address of the first run that is in the ring as a whole. Takes no longer, however many frames the ring has.
    pub fn first_whole(&self) -> Option<u64> {
        self.whole.first().map(|number| number * self.run)
    }
    fn entered(&mut self, frame: u64) {
        let Some(number) = frame.checked_div(self.run) else { return };
        let place = number as usize;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        if self.counts[place] == self.run / FRAME {
            self.whole.insert(number);
        }
    }
    fn left(&mut self, frame: u64) {
        let Some(number) = frame.checked_div(self.run) else { return };
        self.counts[number as usize] -= 1;
        self.whole.remove(&number);
    }
    const fn place(&self, at: u64) -> usize {
        at as usize & (self.elements.len() - 1)
    }
    /// Frames in it: an exact count, also when it is full.
    pub const fn len(&self) -> usize {
        (self.tail - self.head) as usize
    }
    /// Whether no frame is in it.
    pub const fn is_empty(&self) -> bool {
        self.head == self.tail
    }
    /// Elements.
    pub const fn capacity(&self) -> usize {
        self.elements.len()
    }
    /// All elements in their places, those of no frame zero: what the paper's node has in its memory.
    pub fn elements(&self) -> &[u64] {
        &self.elements
    }
    /// The frames, the oldest first.
    pub fn frames(&self) -> impl Iterator<Item = u64> {
        (self.head..self.tail).map(|at| self.elements[self.place(at)])
    }
    /// Places of the oldest frame and behind the newest.
    pub const fn ends(&self) -> (usize, usize) {
        (self.place(self.head), self.place(self.tail))
    }
    /// Adds a frame behind all others.
    ///
    /// # Errors
    /// [`RingFull`].
    pub fn push(&mut self, frame: u64) -> Result<(), RingFull> {
        if self.len() == self.capacity() {
            return Err(RingFull(self.capacity()));
        }
        let place = self.place(self.tail);
        self.elements[place] = frame;
        self.tail += 1;
        self.entered(frame);
        Ok(())
    }
    /// Takes the oldest frame. Its element is zero from now on.
    pub fn pop(&mut self) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        let place = self.place(self.head);
        self.head += 1;
        let frame = std::mem::take(&mut self.elements[place]);
        self.left(frame);
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn it_knows_which_runs_are_there_as_a_whole(
            steps in proptest::collection::vec((0u64..24, any::<bool>()), 0..300), late in 0usize..300,
        ) {
            const RUN: u64 = 4;
            let mut ring = Ring::new(32);
            for (number, (frame, pushes)) in steps.into_iter().enumerate() {
                if number == late {
                    ring.count_runs(RUN * FRAME);
                }
                let frame = (frame + RUN) * FRAME;
                match pushes && !ring.frames().any(|own| own == frame) {
                    true => prop_assert_eq!(ring.push(frame), Ok(())),
                    false => drop(ring.pop()),
                }
                let is_whole = |run: &u64| {
                    (run * RUN..(run + 1) * RUN).all(|frame| ring.frames().any(|own| own == frame * FRAME))
                };
                let expected = (1..7).find(is_whole).map(|run| run * RUN * FRAME).filter(|_| number >= late);
                prop_assert_eq!(ring.first_whole(), expected);
            }
        }

        #[test]
        fn it_is_a_queue_and_what_was_popped_is_zero(
            capacity in 1usize..20, steps in proptest::collection::vec(any::<bool>(), 0..200),
        ) {
            let (mut ring, mut queue) = (Ring::new(capacity), VecDeque::new());
            for (number, pushes) in steps.into_iter().enumerate() {
                let frame = (number as u64 + 1) << 12;
                if pushes {
                    let full = queue.len() == ring.capacity();
                    prop_assert_eq!(ring.push(frame).is_err(), full);
                    if !full {
                        queue.push_back(frame);
                    }
                } else {
                    prop_assert_eq!(ring.pop(), queue.pop_front());
                }
                prop_assert!(ring.frames().eq(queue.iter().copied()));
                prop_assert_eq!(ring.elements().iter().filter(|element| **element != 0).count(), queue.len());
            }
        }
    }
}
