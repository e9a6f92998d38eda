//! Board pages out of the ring of frames of a leaf unit of hardware, a slice of the ring at a time.
//!
//! An example. The ring has 60,000 frames in no order. Of each slice of 512 the collector notes which frames of which pages it has met,
//! and puts them back behind all others; behind the last slice it knows the pages that are free as a whole. In a second round it keeps
//! their frames, and hands a page out with its last one. Frames that were freed in order need none of that: a slice has a page as a
//! whole, which is handed out at once.
use std::collections::BTreeMap;

/// Frames that one command takes out of the ring and puts back at most: two pages of 256, of which one is there as a whole if frames
/// come in order. With at most 3 accesses of a frame that is taken and 5 of one that goes back it makes 4,096.
pub(super) const SLICE: u64 = 512;

/// What is done with a frame that was taken out of the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    /// There are more to come in this slice.
    More,
    /// It is the last one of a page: that one is out of the ring.
    Whole(u64),
}

/// How a slice has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SliceEnd {
    /// There is more to look at.
    More,
    /// The ring was looked at as a whole, and no page is to be had.
    Vain,
}

/// What is known of the ring. The memory that it takes is a bit for each frame that was given, and four bytes for each that is kept.
#[derive(Debug, Default)]
pub(super) struct Collector {
    page_frames: u64,
    /// Frames of this round that are still to come.
    left: u64,
    /// Frames that this round has met, a bit each, by page.
    met: BTreeMap<u64, Vec<u64>>,
    /// Pages that are collected, with those of their frames that are out of the ring; none in a round that only looks.
    chosen: BTreeMap<u64, Vec<u32>>,
    /// Of this slice, by page: what goes back.
    slice: BTreeMap<u64, Vec<u32>>,
    /// What goes back since its page was not whole any more.
    returning: Vec<u32>,
}

impl Collector {
    /// Of board pages with so many frames.
    pub(super) fn new(page_frames: u64) -> Collector {
        Collector { page_frames, ..Collector::default() }
    }

    /// Frames that are out of the ring between two commands.
    pub(super) fn held(&self) -> u64 {
        let chosen: usize = self.chosen.values().map(Vec::len).sum();
        (chosen + self.returning.len()) as u64
    }

    /// The ring is short of frames: those that are kept go back.
    pub(super) fn give_up(&mut self) {
        self.left = 0;
        self.met.clear();
        self.returning.extend(std::mem::take(&mut self.chosen).into_values().flatten());
    }

    /// Whether frames are on their way back into the ring.
    pub(super) fn is_returning(&self) -> bool {
        !self.returning.is_empty()
    }

    /// A slice of frames that are on their way back into the ring, in runs.
    pub(super) fn returned(&mut self) -> Vec<Vec<u32>> {
        let from = self.returning.len().saturating_sub(SLICE as usize);
        runs(self.returning.split_off(from))
    }

    /// Begins a slice; `ring`: frames in the ring, asked if a round begins. Answers how many it has at most.
    pub(super) fn begin(&mut self, ring: impl FnOnce() -> u64) -> u64 {
        if self.left == 0 {
            self.left = ring();
            self.met.clear();
        }
        self.left.min(SLICE)
    }

    /// A frame of the slice.
    pub(super) fn meet(&mut self, frame: u32) -> Met {
        self.left -= 1;
        let page = u64::from(frame) / self.page_frames;
        let own = match self.chosen.get_mut(&page) {
            Some(kept) => kept,
            None => self.slice.entry(page).or_default(),
        };
        own.push(frame);
        if (own.len() as u64) < self.page_frames {
            return Met::More;
        }
        self.slice.remove(&page);
        self.met.remove(&page);
        if self.chosen.remove(&page).is_some() && self.chosen.is_empty() {
            // All that this round was for.
            self.left = 0;
        }
        Met::Whole(page)
    }

    /// No frame can be taken out of the ring now: the round ends.
    pub(super) fn dry(&mut self) {
        self.left = 0;
    }

    /// What of the slice goes back into the ring, in runs.
    pub(super) fn passed(&mut self) -> Vec<Vec<u32>> {
        let slice = std::mem::take(&mut self.slice);
        if self.chosen.is_empty() {
            for (page, frames) in &slice {
                let words = self.page_frames.div_ceil(64) as usize;
                let bits = self.met.entry(*page).or_insert_with(|| vec![0; words]);
                for frame in frames {
                    let bit = u64::from(*frame) % self.page_frames;
                    bits[(bit / 64) as usize] |= 1 << (bit % 64);
                }
            }
        }
        runs(slice.into_values().flatten().collect())
    }

    /// The slice has ended without a page. `ring`: frames in the ring. At a round's end pages are chosen, if any are whole: not more
    /// than have half of the ring's frames, so that others find some meanwhile.
    pub(super) fn end(&mut self, ring: impl FnOnce() -> u64) -> SliceEnd {
        if self.left > 0 {
            return SliceEnd::More;
        }
        if !self.chosen.is_empty() {
            // Frames of theirs were taken while they were collected.
            self.give_up();
            return SliceEnd::Vain;
        }
        let all = |bits: &Vec<u64>| bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let whole = self.met.iter().filter(|(_, bits)| all(bits) == self.page_frames).map(|(page, _)| *page);
        let most = (ring() / 2 / self.page_frames).max(1);
        self.chosen = whole.take(most as usize).map(|page| (page, Vec::new())).collect();
        self.met.clear();
        if self.chosen.is_empty() { SliceEnd::Vain } else { SliceEnd::More }
    }
}

/// Frames as runs of such that follow each other.
fn runs(mut frames: Vec<u32>) -> Vec<Vec<u32>> {
    frames.sort_unstable();
    frames.chunk_by(|a, b| a + 1 == *b).map(<[u32]>::to_vec).collect()
}
