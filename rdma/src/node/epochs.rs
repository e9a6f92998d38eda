//! When a freed frame may have another owner: two epochs and a count of accesses for each.
//!
//! An access begins in the epoch of the moment. A frame that is freed waits until the accesses that had begun before have
//! ended: those of its epoch, and of the one before. Then the epochs change places.

/// An access that has begun: the number of its epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun(usize);

/// Accesses under way, and what waits for them.
#[derive(Debug, Clone, Default)]
pub struct Epochs {
    now: usize,
    begun: [u64; 2],
    /// Freed in the epoch of the moment.
    open: Vec<u64>,
    /// Freed in the one before.
    closing: Vec<u64>,
}

impl Epochs {
    /// An access begins; [`Epochs::end`] ends it.
    pub fn begin(&mut self) -> Begun {
        self.begun[self.now] += 1;
        Begun(self.now)
    }
    /// An access has ended.
    pub fn end(&mut self, begun: Begun) {
        self.begun[begun.0] = self.begun[begun.0].saturating_sub(1);
    }
    /// A frame is free as soon as all accesses have ended that have begun by now.
    pub fn free(&mut self, frame: u64) {
        self.open.push(frame);
    }
    /// Frames for which nobody has to wait any more, in the order in which they were freed.
    pub fn ended(&mut self) -> Vec<u64> {
        let mut all = Vec::new();
        while self.begun[1 - self.now] == 0 {
            all.append(&mut self.closing);
            if self.open.is_empty() {
                break;
            }
            self.closing = std::mem::take(&mut self.open);
            self.now = 1 - self.now;
        }
        all
    }
    /// Frames that still wait.
    pub fn waiting(&self) -> impl Iterator<Item = u64> {
        self.closing.iter().chain(&self.open).copied()
    }
    /// Accesses under way.
    pub const fn under_way(&self) -> u64 {
        self.begun[0] + self.begun[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Step {
        Begin,
        End(usize),
        Free,
        Look,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![Just(Step::Begin), any::<usize>().prop_map(Step::End), Just(Step::Free), Just(Step::Look),]
    }

    proptest! {
        #[test]
        fn a_frame_outlives_the_accesses_that_were_there_before_it_was_freed(
            steps in proptest::collection::vec(step(), 0..200),
        ) {
            let mut epochs = Epochs::default();
            let (mut accesses, mut number) = (Vec::new(), 0u64);
            let mut freed: Vec<(u64, u64)> = Vec::new();
            for step in steps {
                number += 1;
                match step {
                    Step::Begin => accesses.push((number, epochs.begin())),
                    Step::End(which) if !accesses.is_empty() => {
                        let (_, begun) = accesses.swap_remove(which % accesses.len());
                        epochs.end(begun);
                    }
                    Step::End(_) => {}
                    Step::Free => {
                        epochs.free(number);
                        freed.push((number, number));
                    }
                    Step::Look => {
                        for frame in epochs.ended() {
                            // In order, and none whose access is still there.
                            let (expected, at) = freed.remove(0);
                            prop_assert_eq!(frame, expected);
                            prop_assert!(accesses.iter().all(|(begun, _)| *begun > at));
                        }
                    }
                }
            }
            for (_, begun) in accesses {
                epochs.end(begun);
            }
            prop_assert!(epochs.ended().into_iter().eq(freed.into_iter().map(|(frame, _)| frame)));
        }
    }
}
