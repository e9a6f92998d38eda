//! The free page queue: a FIFO ring of frame addresses (ODRP paper, §4.1).

/// A ring of 8-byte elements. Head and tail count on for ever; the low bits are the place, so that modulo is a mask.
#[derive(Debug, Clone)]
pub struct Ring {
    elements: Vec<u64>,
    head: u64,
    tail: u64,
}

/// The ring holds as many frames as it has elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the ring of {0} elements is full")]
pub struct RingFull(pub usize);

impl Ring {
    /// An empty ring of at least so many elements; their number becomes a power of two.
    pub fn new(elements: usize) -> Ring {
        Ring { elements: vec![0; elements.max(1).next_power_of_two()], head: 0, tail: 0 }
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
        Ok(())
    }
    /// Takes the oldest frame. Its element is zero from now on.
    pub fn pop(&mut self) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        let place = self.place(self.head);
        self.head += 1;
        Some(std::mem::take(&mut self.elements[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
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
