//! Whether every frame is in exactly one place: ring, table, a queue pair's hands, waiting, or the slow path.
use std::collections::BTreeSet;

use mneme_model::port::NetworkPort;
use mneme_model::{Node, SoftFast};
use mneme_rdma::node::Audit;
use mneme_rdma_manager::{Audited, FrameAudit, FrameAuditError, FrameCounts};
use mneme_slowpath::FastPath;
use mneme_slowpath::pages::PagePlace;

/// Cycles between two looks at a board of hardware.
const LOOK: u64 = 100;

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
