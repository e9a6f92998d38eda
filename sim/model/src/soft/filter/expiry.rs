//! When entries of a large filter stop being live: what an address has in use is known without a walk over all entries.
//!
//! Each entry has a mark in a list of its time. What is past the window lies in the oldest lists. While nobody asks, no
//! marks are kept: they are dropped when there are twice as many as entries, and the next question walks over all
//! entries, which makes them anew.
use mneme_wire::Tick;

use super::Key;

/// Ticks that share a list, as a power of two, and lists for all ticks that there are.
const SPAN_BITS: u32 = 7;
const SPANS: usize = 1 << (24 - SPAN_BITS);
/// Lists that are passed in one step at most: whoever did not ask for longer walks.
const STRIDE: usize = SPANS / 4;

/// An entry, as it was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) set: usize,
    pub(super) key: Key,
    pub(super) time: Tick,
}

impl Mark {
    fn span(&self) -> usize {
        span(self.time)
    }
}

fn span(time: Tick) -> usize {
    time.get() as usize >> SPAN_BITS
}

/// The newest tick that is outside of the window.
fn border(now: Tick, window: u32) -> Tick {
    Tick::from_low_bits(now.get().wrapping_sub(window).wrapping_sub(1))
}

/// The marks of all entries.
#[derive(Debug, Clone)]
pub(super) struct Expiry {
    /// Empty while no marks are kept.
    spans: Vec<Vec<Mark>>,
    /// The oldest list that may have a mark.
    next: usize,
    /// Marks of entries that were outside of the window and still pending, or that were made when they were outside.
    late: Vec<Mark>,
    count: usize,
    most: usize,
}

impl Expiry {
    /// For a filter of so many entries.
    pub(super) fn new(entries: usize) -> Expiry {
        Expiry { spans: Vec::new(), next: 0, late: Vec::new(), count: 0, most: 2 * entries }
    }
    /// Whether marks are kept.
    #[cfg(test)]
    pub(super) fn keeps(&self) -> bool {
        !self.spans.is_empty()
    }
    /// An entry is made, or is found in a walk.
    pub(super) fn note(&mut self, mark: Mark) {
        if self.spans.is_empty() {
            return;
        }
        if self.count == self.most {
            *self = Expiry { most: self.most, ..Expiry::new(0) };
            return;
        }
        self.count += 1;
        let is_behind = mark.span().wrapping_sub(self.next) % SPANS > SPANS / 2;
        match is_behind {
            true => self.late.push(mark),
            false => self.spans[mark.span()].push(mark),
        }
    }
    /// Takes the marks of all entries that are outside of the window; those that stay are to be noted [late](Self::note_late).
    /// None: all entries have to be looked at.
    pub(super) fn take(&mut self, now: Tick, window: u32) -> Option<Vec<Mark>> {
        if self.spans.is_empty() {
            return None;
        }
        let border = border(now, window);
        let steps = span(border).wrapping_sub(self.next) % SPANS;
        if steps > STRIDE {
            return None;
        }
        let mut due = std::mem::take(&mut self.late);
        for _ in 0..steps {
            due.append(&mut std::mem::take(&mut self.spans[self.next]));
            self.next = (self.next + 1) % SPANS;
        }
        due.extend(self.spans[self.next].extract_if(.., |mark| border.since(mark.time) >= 0));
        self.count -= due.len();
        Some(due)
    }
    /// An entry stays though it is outside of the window.
    pub(super) fn note_late(&mut self, mark: Mark) {
        self.count += 1;
        self.late.push(mark);
    }
    /// All entries are going to be noted anew.
    pub(super) fn begin(&mut self, now: Tick, window: u32) {
        *self = Expiry { most: self.most, ..Expiry::new(0) };
        self.spans.resize_with(SPANS, Vec::new);
        self.next = span(border(now, window));
    }
}
