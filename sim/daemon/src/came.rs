//! Frames that have come and that the board has not taken yet. Sources take turns: a simulated board is slower than the
//! network, and whoever sends the most would else be served the most, and first.
use std::collections::{HashMap, VecDeque};

use mneme_slowpath::share::{Source, takes};

/// Frames that wait at most, of all sources. Each has a share of them.
const ROOM: usize = 8192;
/// Sources that are remembered, once they have nothing that waits.
const SOURCES: usize = 1024;
/// Buffers of frames that are kept for the next ones.
const SPARE: usize = 64;

/// What one source has sent.
#[derive(Debug)]
struct Queue {
    source: Source,
    frames: VecDeque<Vec<u8>>,
}

/// Frames that wait, by source.
#[derive(Debug, Default)]
pub(crate) struct Came {
    queues: Vec<Queue>,
    /// Where the queue of a source is.
    index: HashMap<Source, usize>,
    /// The queue of the last frame: the next one is often of the same source.
    last: usize,
    /// Queues that are not empty, in the order of their turns.
    turns: VecDeque<usize>,
    frames: usize,
    /// Buffers of frames that the board has taken.
    spare: Vec<Vec<u8>>,
}

impl Came {
    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.frames == 0
    }
    /// Keeps a frame that is made of two parts. `None`: the source has its share of the room, and the frame is lost.
    pub(crate) fn push(&mut self, source: Source, parts: [&[u8]; 2]) -> Option<&mut [u8]> {
        let at = self.queue(source);
        let queue = &mut self.queues[at];
        if !takes(queue.frames.len(), self.frames, ROOM) {
            return None;
        }
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.clear();
        parts.into_iter().for_each(|part| frame.extend_from_slice(part));
        if queue.frames.is_empty() {
            self.turns.push_back(at);
        }
        self.frames += 1;
        queue.frames.push_back(frame);
        queue.frames.back_mut().map(Vec::as_mut_slice)
    }
    /// The next frame: the oldest of the source whose turn it is.
    pub(crate) fn pop(&mut self) -> Option<Vec<u8>> {
        let at = self.turns.pop_front()?;
        let queue = &mut self.queues[at];
        let frame = queue.frames.pop_front()?;
        if !queue.frames.is_empty() {
            self.turns.push_back(at);
        }
        self.frames -= 1;
        Some(frame)
    }
    /// Takes the buffer of a frame back.
    pub(crate) fn recycle(&mut self, frame: Vec<u8>) {
        if self.spare.len() < SPARE {
            self.spare.push(frame);
        }
    }
    /// Where the queue of a source is; makes one.
    fn queue(&mut self, source: Source) -> usize {
        if self.queues.get(self.last).is_some_and(|queue| queue.source == source) {
            return self.last;
        }
        self.last = match self.index.get(&source) {
            Some(at) => *at,
            None => {
                if self.queues.len() >= SOURCES + ROOM {
                    self.forget();
                }
                self.queues.push(Queue { source, frames: VecDeque::new() });
                self.index.insert(source, self.queues.len() - 1);
                self.queues.len() - 1
            }
        };
        self.last
    }
    /// Forgets sources of whom nothing waits.
    fn forget(&mut self) {
        let turns = self.turns.drain(..);
        let mut order: Vec<Source> = Vec::with_capacity(turns.len());
        order.extend(turns.map(|at| self.queues[at].source));
        self.queues.retain(|queue| !queue.frames.is_empty());
        self.index = self.queues.iter().enumerate().map(|(at, queue)| (queue.source, at)).collect();
        self.turns = order.iter().filter_map(|source| self.index.get(source).copied()).collect();
        self.last = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: usize) -> Source {
        Source::from((number as u32).to_be_bytes())
    }
    fn push(came: &mut Came, number: usize, bytes: &[u8]) -> bool {
        came.push(source(number), [bytes, &[]]).is_some()
    }

    #[test]
    fn sources_take_turns_and_each_keeps_its_order() {
        let mut came = Came::default();
        for frame in 0..4 {
            assert!(push(&mut came, 1, &[1, frame]));
        }
        assert!(push(&mut came, 2, &[2, 0]) && push(&mut came, 3, &[3, 0]) && push(&mut came, 2, &[2, 1]));
        let order: Vec<Vec<u8>> = std::iter::from_fn(|| came.pop()).collect();
        let expected: [&[u8]; 7] = [&[1, 0], &[2, 0], &[3, 0], &[1, 1], &[2, 1], &[1, 2], &[1, 3]];
        assert_eq!(order, expected);
        assert!(came.is_empty());
    }

    #[test]
    fn a_flood_has_a_quarter_of_the_room_and_others_lose_nothing() {
        let mut came = Came::default();
        let taken = (0..10_000).filter(|_| push(&mut came, 1, b"flood")).count();
        assert_eq!(taken, ROOM / 4);
        assert!((0..100).all(|_| push(&mut came, 2, b"honest")));
        assert_eq!(
            (came.pop().as_deref(), came.pop().as_deref()),
            (Some(&b"flood"[..]), Some(&b"honest"[..]))
        );
    }

    #[test]
    fn many_sources_are_forgotten_and_what_they_sent_is_not() {
        let mut came = Came::default();
        assert!(push(&mut came, 0, b"first"));
        for number in 1..3 * (SOURCES + ROOM) {
            assert!(push(&mut came, number, &number.to_be_bytes()));
            // The oldest that waits stays until the end.
            if came.frames > 2 {
                let first = came.pop().expect("one waits");
                came.recycle(first);
            }
            assert!(came.queues.len() <= SOURCES + ROOM);
        }
        assert_eq!(came.frames, 2);
        let last = 3 * (SOURCES + ROOM) - 1;
        let rest: Vec<Vec<u8>> = std::iter::from_fn(|| came.pop()).collect();
        assert_eq!(rest, [(last - 1).to_be_bytes().to_vec(), last.to_be_bytes().to_vec()]);
    }
}
