//! Segments of 4 KB frames: made with their range, ended with it, slice by slice.
use crate::core::Core;
use crate::leaf::{LeafCommand, LeafRefused, LeafSegment, SWEEP};
use crate::process::FrameRange;
use crate::refusal::Refusal;
use crate::space::Span;
use crate::table::Table;
use mneme_wire::pte::{FRAME_BYTES, Geometry};
use mneme_wire::{Cause, Rights, Status};

/// Makes the segment of a range, if it is one of frames. `bytes`: what its frames may have at a time, 0: all that the range has.
pub(super) fn create(
    geometry: &Geometry,
    (span, range): (Span, FrameRange),
    (bytes, rights): (u64, Rights),
    table: &mut dyn Table,
) -> Result<(), Refusal> {
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
    table.leaf(LeafCommand::Create(segment)).map(|_| ()).map_err(|refused| {
        if refused != LeafRefused::Full {
            tracing::warn!(%refused, pid = span.pid, start = span.start, "no segment could be made");
        }
        Refusal::new(Status::NoMemory, Cause::Slots)
    })
}

/// Ends the segment of a range whose entries are gone from the table, or are as good as gone: its frames go back.
pub(super) fn end(core: &Core, pid: u32, start: u64, table: &mut dyn Table) {
    let range = core.space().frames_at(pid, start);
    let Some(FrameRange { table: first, .. }) = range else { return };
    let mut left = table.leaf(LeafCommand::Close(first as u32)).map(|_| 1);
    while left.is_ok_and(|left| left > 0) {
        left = table.leaf(LeafCommand::Sweep(first as u32, SWEEP));
    }
}
