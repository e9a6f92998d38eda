//! Whether every frame is in exactly one place: ring, table, a queue pair's hands, waiting, or the slow path.
use std::collections::BTreeSet;
use std::time::Duration;

use mneme_model::port::NetworkPort;
use mneme_model::{Node, SoftFast};
use mneme_rdma::node::Audit;
use mneme_rdma_manager::{Audited, FrameAudit, FrameAuditError, FrameCounts};
use mneme_slowpath::FastPath;
use mneme_slowpath::pages::PagePlace;

/// Cycles between two looks at a board of hardware.
const LOOK: u64 = 100;
/// How long an audit's result is told to whoever asks, at least.
const HOLDS: Duration = Duration::from_secs(1);
/// An audit stops the board: of its time they take one part of so many.
const PART: u32 = 100;

/// When a software board's frames are looked at: when somebody has asked for it, and not more often than the board can bear.
#[derive(Debug, Default)]
pub(super) struct Audits {
    asked: bool,
    /// No audit begins before, in nanoseconds of the port.
    next: u64,
}

impl Audits {
    /// Somebody wants to know.
    pub const fn ask(&mut self) {
        self.asked = true;
    }
    /// Whether one is to be made now, for all that have asked.
    pub const fn is_due(&self, now: u64) -> bool {
        self.asked && now >= self.next
    }
    /// One has been made, and has taken so long.
    pub fn made(&mut self, now: u64, took: Duration) {
        let rest = HOLDS.max(took.saturating_mul(PART)).as_nanos();
        *self = Audits { asked: false, next: now.saturating_add(u64::try_from(rest).unwrap_or(u64::MAX)) };
    }
}

/// What is wrong with a board's frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BoardAuditError {
    /// A frame is in two places, or in none; the slow path has a page of the leaf unit's.
    #[error(transparent)]
    Frames(#[from] FrameAuditError),
    /// The leaf unit has a part of a page.
    #[error("of {frames} frames the leaf unit has some that are no whole pages: {pages} pages")]
    Part {
        /// Frames.
        frames: usize,
        /// Pages that they lie in.
        pages: usize,
    },
    /// The hardware's leaf unit moves frames, or keeps entries that it has changed, though nothing is under way.
    #[error("frames of a board that should rest have moved all the time")]
    Moving,
}

/// Looks where every frame is, and whether the slow path has given its page.
///
/// # Errors
/// [`BoardAuditError`].
pub fn audit(node: &mut Node<SoftFast>) -> Result<Audit, BoardAuditError> {
    let fast = node.fast();
    // Pages that were taken are seen as given at a fresh look.
    let (page_size, level) = (fast.page_size(), fast.leaf_state());
    let audit = fast.leaf_unit().audit().map_err(FrameAuditError::from)?;
    let pages: BTreeSet<u64> = fast.leaf_unit().frames().map(|frame| frame / page_size).collect();
    let frames = level.map_or(0, |state| state.given as usize);
    if pages.len() as u64 * (page_size / mneme_rdma::node::FRAME) != frames as u64 {
        return Err(BoardAuditError::Part { frames, pages: pages.len() });
    }
    for page in pages {
        let place = node.page_place(page);
        if place != PagePlace::Given {
            return Err(FrameAuditError::Page { page, place }.into());
        }
    }
    Ok(audit)
}

/// The same of a board whose leaf unit is hardware, and which has nothing under way.
///
/// # Errors
/// [`BoardAuditError`].
pub fn audit_hardware<F: FastPath + NetworkPort>(node: &mut Node<F>) -> Result<Audit, BoardAuditError> {
    let mut audit = FrameAudit::new(node.slow());
    loop {
        let (fast, slow) = node.parts_mut();
        match audit.step(fast, slow) {
            None => node.run(LOOK),
            Some(Audited::Sound(audit)) => return Ok(audit),
            Some(Audited::Wrong(error)) => return Err(error.into()),
            Some(Audited::Moving) => return Err(BoardAuditError::Moving),
        }
    }
}

/// Looks at the frames of a board.
pub(super) fn look(frames: &mut FrameCounts, fast: &SoftFast) {
    let leaf = fast.leaf_unit();
    let (mut used, mut wanted, mut segments) = (0, 0, 0);
    for (number, config) in leaf.segments() {
        let own = u64::from(leaf.used(number));
        used += own;
        wanted += u64::from(config.budget.min(config.entries)).saturating_sub(own);
        segments += 1;
    }
    frames.now = [leaf.given() as u64, leaf.ring().len() as u64, used, wanted, segments];
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    /// Audits that are made while somebody asks each 20 ms, for so many milliseconds.
    fn made(asks: u64, lasts: u64, took: Duration) -> u64 {
        let (mut audits, mut made) = (Audits::default(), 0);
        for now in 0..lasts {
            if now < asks && now % 20 == 0 {
                audits.ask();
            }
            if audits.is_due(now * MILLISECOND) {
                audits.made(now * MILLISECOND, took);
                made += 1;
            }
        }
        made
    }

    #[test]
    fn who_asks_again_and_again_is_told_one_audit_a_second() {
        let short = Duration::from_millis(1);
        assert_eq!(made(1_000, 1_000, short), 1);
        // Who came too late for the first is told the next one, and nobody has a third made.
        assert_eq!(made(1_000, 10_000, short), 2);
        assert_eq!(made(10_000, 10_000, short), 10);
        // The first one is made at once, and none without being asked for.
        assert_eq!((made(1, 1, short), made(0, 10_000, short)), (1, 0));
    }

    #[test]
    fn long_audits_come_less_often() {
        assert_eq!(made(60_000, 60_000, Duration::from_millis(50)), 12);
        let mut audits = Audits::default();
        audits.made(u64::MAX - 1, Duration::MAX / PART);
        audits.ask();
        assert!(!audits.is_due(u64::MAX - 1) && audits.is_due(u64::MAX));
    }
}
