//! Segments of 4 KB frames: made with their range, ended with it, slice by slice.
use crate::core::Core;
use crate::leaf::{LeafCommand, LeafRefused, LeafSegment, SWEEP};
use crate::process::FrameRange;
use crate::space::Span;
use crate::table::Table;
use mneme_wire::Rights;
use mneme_wire::pte::{FRAME_BYTES, Geometry};

/// Makes the segment of a range, if it is one of frames. `bytes`: what its frames may have at a time, 0: all that the range has.
///
/// # Errors
/// There is none, unless the leaf unit has failed.
pub(super) fn create(
    geometry: &Geometry,
    (span, range): (Span, FrameRange),
    (bytes, rights): (u64, Rights),
    table: &mut dyn Table,
) -> Result<(), LeafRefused> {
    let all = span.pages << geometry.page_bits();
    let bytes = if bytes == 0 { all } else { bytes.min(all) };
    let segment = LeafSegment {
        pid: span.pid,
        va: span.start << geometry.page_bits(),
        // There are fewer tables, and frames, than 32 bits can count.
        table: range.table as u32,
        tables: range.pages as u32,
        budget: u32::try_from(bytes.div_ceil(FRAME_BYTES)).unwrap_or(u32::MAX),
        rights,
    };
    table.leaf(LeafCommand::Create(segment)).map(|_| ()).inspect_err(|refused| {
        if *refused != LeafRefused::Full {
            tracing::warn!(%refused, pid = span.pid, start = span.start, "no segment could be made");
        }
    })
}

/// Ends the segment of a range whose entries are gone from the table, or are as good as gone: its frames go back. One sweep more than
/// its entries need is the bound: a leaf unit that gets no further than that is broken. Answers whether no segment is there any more:
/// else its tables must not be another's.
#[must_use]
pub(super) fn end(core: &Core, pid: u32, start: u64, table: &mut dyn Table) -> bool {
    let (range, geometry) = {
        let space = core.space();
        (space.frames_at(pid, start), space.geometry())
    };
    let Some(FrameRange { table: first, pages, .. }) = range else { return true };
    let sweeps = pages.saturating_mul(geometry.page_frames()) / u64::from(SWEEP) + 1;
    let mut left = match table.leaf(LeafCommand::Close(first as u32)) {
        Ok(_) => Ok(1),
        // One that could not be made has nothing to end.
        Err(LeafRefused::Unknown) => return true,
        Err(refused) => Err(refused),
    };
    for _ in 0..sweeps {
        if !left.is_ok_and(|left| left > 0) {
            break;
        }
        left = table.leaf(LeafCommand::Sweep(first as u32, SWEEP));
    }
    if left != Ok(0) {
        tracing::error!(
            pid,
            start,
            ?left,
            "a segment did not end: its frames and leaf tables are lost to others"
        );
    }
    left == Ok(0)
}
