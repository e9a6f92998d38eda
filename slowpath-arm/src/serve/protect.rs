//! PROTECT.
use super::{Job, Served, run_all, table_refusal};
use crate::core::Core;
use crate::leaf::LeafCommand;
use crate::planted::PlantedFault;
use crate::refusal::{BAD_ADDRESS, BAD_LENGTH};
use crate::space::Span;
use crate::table::{Replace, Table};
use mneme_wire::payload::RangeRights;

pub(super) fn serve(core: &Core, job: &Job, ask: &RangeRights, table: &mut dyn Table) -> Served {
    let (page_bits, page_size) = (core.geometry.page_bits(), core.geometry.page_size());
    let va = job.request.va.get();
    if !va.is_multiple_of(page_size) {
        return Err(BAD_ADDRESS.hint(va >> page_bits));
    }
    if ask.size == 0 || !ask.size.is_multiple_of(page_size) {
        return Err(BAD_LENGTH);
    }
    if core.planted() == Some(PlantedFault::ProtectAnswered) {
        return Ok(ask.to_bytes().to_vec());
    }
    let pid = job.request.pid.get();
    let span = Span { pid, start: va >> page_bits, pages: ask.size >> page_bits };
    let before = core.space().begin_protect(span, ask.rights, core.now())?;
    let commands = span.vpns().map(|vpn| Replace::protect(pid, vpn, ask.rights));
    let Err((done, outcome)) = run_all(table, commands) else {
        let range = core.space().frames_at(pid, span.start);
        // Its segment is there as long as the range. Its entries have the rights already, which the fast path looks at first.
        if let Some(range) = range
            && let Err(refused) = table.leaf(LeafCommand::Protect(range.table as u32, ask.rights))
        {
            tracing::error!(%refused, pid, start = span.start, "RDMA keeps the former rights to a range of frames");
        }
        core.space().end_protect(span, None);
        return Ok(ask.to_bytes().to_vec());
    };
    let back = span.vpns().zip(&before).take(done as usize);
    let undone = run_all(table, back.map(|(vpn, known)| Replace::protect(pid, vpn, known.rights)));
    if let Err((_, again)) = undone {
        tracing::warn!(?outcome, ?again, pid, va, "rights could be neither changed nor restored");
    }
    core.space().end_protect(span, Some(&before));
    Err(table_refusal(outcome))
}
