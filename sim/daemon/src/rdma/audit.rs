//! Whether every frame is in exactly one place: ring, table, a queue pair's hands, waiting, or the slow path.
use std::collections::BTreeSet;

use mneme_model::{Node, SoftFast};
use mneme_rdma::node::{Audit, AuditError};
use mneme_rdma_manager::FrameCounts;
use mneme_slowpath::FastPath;
use mneme_slowpath::pages::PagePlace;

/// What is wrong with a board's frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BoardAuditError {
    /// Among the leaf unit's own.
    #[error(transparent)]
    Leaf(#[from] AuditError),
    /// The slow path has a page some of whose frames the leaf unit has, too.
    #[error("page {page} is the leaf unit's, and {place:?} for the slow path")]
    Page {
        /// The board page.
        page: u64,
        /// Where the slow path has it.
        place: PagePlace,
    },
    /// The leaf unit has a part of a page.
    #[error("of {frames} frames the leaf unit has some that are no whole pages: {pages} pages")]
    Part {
        /// Frames.
        frames: usize,
        /// Pages that they lie in.
        pages: usize,
    },
}

/// Looks where every frame is, and whether the slow path has given its page.
///
/// # Errors
/// [`BoardAuditError`].
pub fn audit(node: &mut Node<SoftFast>) -> Result<Audit, BoardAuditError> {
    let fast = node.fast();
    // Pages that were taken are seen as given at a fresh look.
    let (page_size, level) = (fast.page_size(), fast.leaf_state());
    let audit = fast.leaf_unit().audit()?;
    let pages: BTreeSet<u64> = fast.leaf_unit().frames().map(|frame| frame / page_size).collect();
    let frames = level.map_or(0, |state| state.given as usize);
    if pages.len() as u64 * (page_size / mneme_rdma::node::FRAME) != frames as u64 {
        return Err(BoardAuditError::Part { frames, pages: pages.len() });
    }
    for page in pages {
        let place = node.page_place(page);
        if place != PagePlace::Given {
            return Err(BoardAuditError::Page { page, place });
        }
    }
    Ok(audit)
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
