//! ALLOC.
use super::{Gone, Job, Served, drop_pages, frames, free_pages, run_all, table_refusal};
use crate::allocator::Hunt;
use crate::core::Core;
use crate::leaf::LeafRefused;
use crate::planted::PlantedFault;
use crate::refusal::{BAD_ADDRESS, BAD_LENGTH, BAD_OPTION, Refusal};
use crate::space::{AllocAsk, Span};
use crate::table::{Outcome, Replace, Table};
use mneme_wire::payload::{Alloc, AllocClass, AllocUnit};
use mneme_wire::{Cause, NodeCounter, Rights, Status};

/// Ranges tried when there turns out to be less room than the search saw.
const TRIES: u32 = 4;
/// Pages that a search looks at before it lets others at the address space.
const PROBES: u64 = 4096;

pub(super) fn serve(core: &Core, job: &Job, ask: &Alloc, table: &mut dyn Table) -> Served {
    let wanted = check(core, job, ask)?;
    core.space().check_alloc(&wanted, core.now())?;
    let mut hunt = match wanted.fixed {
        None => Some(core.space().begin_hunt(&wanted)?),
        Some(_) => None,
    };
    let mut tries = 0;
    loop {
        tries += 1;
        let span = find(core, &wanted, hunt.as_mut(), table)?;
        let inserted = insert(core, span, &wanted, table);
        let split = inserted.and_then(|()| split(core, span, (ask.dram_max, wanted.rights), table));
        match split.and_then(|first| place(core, span, (wanted.rights, first), table)) {
            Ok(()) => {
                let count = core.stats.get(NodeCounter::Allocs);
                if core.planted() == Some(PlantedFault::RefusedKept) && count % 8 == 7 {
                    core.stats.count(NodeCounter::Allocs);
                    return Err(Refusal::new(Status::NoMemory, Cause::Capacity));
                }
                let page = core.geometry.page_bits();
                let answer = Alloc { size: span.pages << page, va: span.start << page, ..*ask };
                return Ok(answer.to_bytes().to_vec());
            }
            // Others took the room between two slices, or the table has less than its shadow knows.
            Err((_, Outcome::Full | Outcome::Mismatch(_))) if tries < TRIES && wanted.fixed.is_none() => {
                hunt = Some(core.space().begin_hunt(&wanted)?);
            }
            Err((refusal, _)) => return Err(refusal),
        }
    }
}

/// Finds a range and reserves it, slice by slice.
fn find(
    core: &Core,
    wanted: &AllocAsk,
    hunt: Option<&mut Hunt>,
    table: &mut dyn Table,
) -> Result<Span, Refusal> {
    let Some(hunt) = hunt else {
        return core.space().reserve_fixed(wanted, wanted.fixed.unwrap_or(0), core.now());
    };
    loop {
        let before = hunt.probes();
        let found = core.space().hunt(wanted, hunt, PROBES, core.now());
        table.searched(hunt.probes() - before);
        if let Some(span) = found? {
            return Ok(span);
        }
    }
}

/// Puts a reserved range into the shadow, slice by slice; takes it back when others were quicker.
fn insert(
    core: &Core,
    span: Span,
    wanted: &AllocAsk,
    table: &mut dyn Table,
) -> Result<(), (Refusal, Outcome)> {
    let mut from = Some(span.start);
    while let Some(at) = from {
        let inserted = core.space().insert_some(span, at, wanted.rights);
        from = match inserted {
            Ok(next) => next,
            Err(full) => {
                let looked = full.at - span.start;
                drop_pages(core, Span { pages: looked, ..span }, &[]);
                table.searched(looked);
                let mut space = core.space();
                space.undo_alloc(span, &[], None, true);
                space.owe(wanted.pid, looked, core.now());
                return Err((space.no_room(wanted, span.start, full), Outcome::Full));
            }
        };
    }
    Ok(())
}

/// The payload's fields, judged without looking at the address space.
fn check(core: &Core, job: &Job, ask: &Alloc) -> Result<AllocAsk, Refusal> {
    let frames = ask.unit == AllocUnit::Frame;
    if ask.class != AllocClass::Pinned || ask.dram_min != 0 || ask.dram_max != 0 && !frames {
        return Err(BAD_OPTION);
    }
    if frames && !core.frames {
        return Err(Refusal::new(Status::Unsupported, Cause::Split));
    }
    let (page_bits, va) = (core.geometry.page_bits(), job.request.va.get());
    if ask.size == 0 {
        return Err(BAD_LENGTH.hint(1));
    }
    let fixed = match ask.fixed {
        false if va != 0 => return Err(BAD_ADDRESS),
        false => None,
        true if !va.is_multiple_of(core.geometry.page_size()) => {
            return Err(BAD_ADDRESS.hint((va >> page_bits) + 1));
        }
        true => Some(va >> page_bits),
    };
    let pages = ask.size.div_ceil(core.geometry.page_size());
    // More frames than the range has pages would be of no use, and some of a page are counted as one.
    let most =
        if ask.dram_max == 0 { pages } else { ask.dram_max.div_ceil(core.geometry.page_size()).min(pages) };
    let budget = frames.then_some(most);
    Ok(AllocAsk { pid: job.request.pid.get(), pages, rights: ask.rights, fixed, budget })
}

/// Makes the segment of a range of frames. Answers its first leaf table; `None`: the range is of board pages.
fn split(
    core: &Core,
    span: Span,
    wanted: (u64, Rights),
    table: &mut dyn Table,
) -> Result<Option<u64>, (Refusal, Outcome)> {
    let range = core.space().frames_at(span.pid, span.start);
    let Some(range) = range else { return Ok(None) };
    if let Err(refused) = frames::create(&core.geometry, (span, range), wanted, table) {
        let untouched = matches!(refused, LeafRefused::Full | LeafRefused::Taken);
        if !untouched {
            // It may be there in part, and what its tables hold is not known: they stay nobody's, whatever comes of its end.
            let _ended = frames::end(core, span.pid, span.start, table);
        }
        drop_pages(core, span, &[]);
        core.space().undo_alloc(span, &[], None, untouched);
        return Err((Refusal::new(Status::NoMemory, Cause::Slots), Outcome::Failed));
    }
    Ok(Some(range.table))
}

/// Writes the entries; takes back what was written when one is refused. `first`: the leaf table of the first page.
fn place(
    core: &Core,
    span: Span,
    (rights, first): (Rights, Option<u64>),
    table: &mut dyn Table,
) -> Result<(), (Refusal, Outcome)> {
    let commands = span.vpns().map(|vpn| match first {
        Some(first) => Replace::split(span.pid, vpn, rights, first + vpn - span.start),
        None => Replace::allocate(span.pid, vpn, rights),
    });
    let Err((done, outcome)) = run_all(table, commands) else {
        core.space().end_alloc(span);
        return Ok(());
    };
    let refused = span.start + done;
    let mut failed = free_pages(table, span.pid, span.start..refused, Gone::Failed);
    let full = (outcome == Outcome::Full).then_some(refused);
    if !matches!(outcome, Outcome::Full) {
        // The entry is there though it should not be, or nobody knows: its slot and address are given up.
        failed.push(refused);
    }
    let ended = frames::end(core, span.pid, span.start, table);
    drop_pages(core, span, &failed);
    core.space().undo_alloc(span, &failed, full, ended);
    // What memory did not take is counted as a refusal, and says nothing of the shadow.
    if outcome != Outcome::Failed
        && let Some(left_out) = core.log.line(core.now_ns())
    {
        tracing::warn!(?outcome, start = span.start, left_out, "the table has less room than its shadow");
    }
    Err((table_refusal(outcome), outcome))
}
