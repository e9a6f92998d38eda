//! Requests that the owner of the fast path answers at once: PING and COUNTERS. Both are idempotent and pass the answer
//! cache by.
use crate::FastPath;
use crate::core::Core;
use crate::refusal::{BAD_LENGTH, Refusal};
use crate::serve::{Job, Served, frame, refuse};
use crate::station::Station;
use mneme_wire::payload::{CountersRequest, parse_ping};
use mneme_wire::{NodeCounter, Opcode, Pid, Status};

/// Whether the poller answers this operation itself.
pub(crate) fn is_query(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Ping | Opcode::Counters)
}

/// Answers a query, a whole frame.
pub(crate) fn answer<F: FastPath + ?Sized>(
    core: &Core,
    station: &mut Station,
    fp: &mut F,
    job: &Job,
) -> Vec<u8> {
    let served = match job.request.opcode {
        _ if usize::from(job.request.length) != job.payload.len() => Err(BAD_LENGTH),
        Opcode::Ping => ping(core, job),
        _ => counters(core, station, fp, job),
    };
    match served {
        Ok(payload) => frame(core, job, Status::Ok, job.request.va, &payload),
        Err(refusal) => refuse(core, job, refusal),
    }
}

/// A ping with a pid keeps that process's lease, and is refused where there is no such process.
fn ping(core: &Core, job: &Job) -> Served {
    parse_ping(&job.payload)?;
    if job.request.pid != Pid::NONE {
        core.space().process_mut(job.request.pid.get(), core.now())?;
    }
    core.stats.count(NodeCounter::Pings);
    Ok(core.board_info().to_bytes().to_vec())
}

fn counters<F: FastPath + ?Sized>(core: &Core, station: &mut Station, fp: &mut F, job: &Job) -> Served {
    let ask = CountersRequest::parse(&job.payload).map_err(Refusal::from)?;
    station.observe(fp);
    let numbers = (0..ask.count).map(|i| ask.first.checked_add(i));
    let values: Vec<u64> = numbers.map(|n| n.map_or(0, |number| station.counter(fp, core, number))).collect();
    let mut payload = vec![0; ask.payload_len()];
    ask.emit(&values, &mut payload);
    Ok(payload)
}
