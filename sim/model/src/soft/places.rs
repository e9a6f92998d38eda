//! A queue of bounded length whose places are used again: what is large is changed where it lies, and not moved.

/// The queue. It holds as many as it was made for.
pub(super) struct Places<T> {
    /// A power of two.
    places: Box<[T]>,
    first: usize,
    count: usize,
}

impl<T: Default> Places<T> {
    /// Room for so many.
    pub(super) fn new(most: usize) -> Places<T> {
        let places = (0..most.next_power_of_two()).map(|_| T::default()).collect();
        Places { places, first: 0, count: 0 }
    }
}

impl<T> Places<T> {
    #[inline]
    fn at(&self, number: usize) -> usize {
        (self.first + number) & (self.places.len() - 1)
    }
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The oldest.
    #[inline]
    pub(super) fn front_mut(&mut self) -> Option<&mut T> {
        if self.count == 0 { None } else { self.places.get_mut(self.first) }
    }
    /// The youngest.
    #[inline]
    pub(super) fn back(&self) -> Option<&T> {
        self.count.checked_sub(1).and_then(|last| self.places.get(self.at(last)))
    }
    /// The place of the next, with what was left in it; [`Places::push`] makes it part of the queue. The oldest is in it
    /// when the queue is full.
    #[inline]
    pub(super) fn next(&mut self) -> &mut T {
        let at = self.at(self.count);
        &mut self.places[at]
    }
    /// What was written to the next place is part of the queue.
    #[inline]
    pub(super) fn push(&mut self) {
        debug_assert!(self.count < self.places.len());
        self.count += 1;
    }
    /// The oldest leaves.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.count > 0 {
            self.first = self.at(1);
            self.count -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn it_is_a_queue(most in 1_usize..9, steps in prop::collection::vec(any::<Option<u8>>(), 0..60)) {
            let (mut places, mut model) = (Places::<u8>::new(most), VecDeque::new());
            for step in steps {
                match step {
                    Some(value) if model.len() < most => {
                        *places.next() = value;
                        places.push();
                        model.push_back(value);
                    }
                    Some(_) => {}
                    None => {
                        places.pop();
                        model.pop_front();
                    }
                }
                prop_assert_eq!((places.len(), places.is_empty()), (model.len(), model.is_empty()));
                prop_assert_eq!(places.front_mut().copied(), model.front().copied());
                prop_assert_eq!(places.back(), model.back());
            }
        }
    }
}
