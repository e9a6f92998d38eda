//! Whether every frame is in exactly one place: ring, table, a queue pair's hands, waiting, or the slow path.
use std::collections::BTreeSet;

use mneme_model::port::NetworkPort;
use mneme_model::{Node, SoftFast};
use mneme_rdma::node::{Audit, AuditError};
use mneme_rdma_manager::FrameCounts;
use mneme_slowpath::FastPath;
use mneme_slowpath::pages::PagePlace;
use mneme_wire::LeafRegister;
use mneme_wire::leaf::LEAF_CLEAN;
use mneme_wire::pte::{self, Geometry, PageState};

/// Cycles for changed entries to come to memory, and how many of them pass between two looks.
const CLEAN_WITHIN: u64 = 100_000;
const LOOK: u64 = 100;

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
    /// The hardware's leaf unit keeps entries that it has changed.
    #[error("changed entries of leaf tables have not come to memory within {CLEAN_WITHIN} cycles")]
    Unclean,
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

/// The same of a board whose leaf unit is hardware: by its tables in memory and its counts, since the ring's frames are in it as well. No
/// request may be under way. What waits for the end of accesses and what a queue pair fills is one count there.
///
/// # Errors
/// [`BoardAuditError`].
pub fn audit_hardware<F: FastPath + NetworkPort>(
    node: &mut Node<F>,
    geometry: Geometry,
) -> Result<Audit, BoardAuditError> {
    let number = |node: &mut Node<F>, register: LeafRegister| node.fast().read_leaf(register.number());
    let mut left = CLEAN_WITHIN;
    while number(node, LeafRegister::State) & LEAF_CLEAN == 0 {
        left = left.checked_sub(LOOK).ok_or(BoardAuditError::Unclean)?;
        node.run(LOOK);
    }
    let mut mapped = BTreeSet::new();
    for table in split_tables(node.fast(), geometry) {
        for entry in words(node.fast(), geometry.leaf_table(table), 8 * geometry.page_frames()) {
            let frame = u64::from_be_bytes(entry);
            if frame != 0 && !mapped.insert(frame) {
                return Err(AuditError::Twice(frame).into());
            }
        }
    }
    let pages: BTreeSet<u64> = mapped.iter().map(|frame| frame / geometry.page_size()).collect();
    for page in pages {
        let place = node.page_place(page);
        if place != PagePlace::Given {
            return Err(BoardAuditError::Page { page, place });
        }
    }
    let [given, ring, waiting] = [LeafRegister::Total, LeafRegister::Usable, LeafRegister::Waiting]
        .map(|register| number(node, register) as usize);
    let found = mapped.len() + ring + waiting;
    if found != given {
        return Err(AuditError::Lost { found, given }.into());
    }
    Ok(Audit { ring, mapped: mapped.len(), private: 0, waiting })
}

/// The leaf tables that entries of the page table name.
fn split_tables<F: FastPath>(fast: &mut F, geometry: Geometry) -> BTreeSet<u64> {
    let is_split = |entry: &u64| entry & pte::ALLOCATED != 0 && pte::state(*entry) == PageState::Split;
    let entries = words(fast, 0, geometry.table_bytes()).into_iter().map(u64::from_le_bytes);
    entries.filter(is_split).map(|entry| entry & geometry.leaf_mask()).collect()
}

fn words<F: FastPath>(fast: &mut F, address: u64, bytes: u64) -> Vec<[u8; 8]> {
    let mut read = vec![0; bytes as usize];
    fast.read_memory(address, &mut read);
    read.as_chunks::<8>().0.to_vec()
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
