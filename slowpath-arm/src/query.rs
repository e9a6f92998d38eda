//! Requests that the owner of the fast path answers at once: PING, COUNTERS and PROCESSES. They change nothing
//! and pass the answer cache by.
use crate::FastPath;
use crate::core::Core;
use crate::refusal::{BAD_ADDRESS, BAD_LENGTH, NO_PROCESS, Refusal};
use crate::serve::{Job, Served, frame, refuse};
use crate::station::Station;
use mneme_wire::payload::{CountersRequest, ProcessesRequest, parse_ping};
use mneme_wire::{NodeCounter, Opcode, Pid, Status};

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
        Opcode::Processes => processes(core, job),
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

/// The processes of the asking address. Looking at them renews no lease.
fn processes(core: &Core, job: &Job) -> Served {
    let ask = ProcessesRequest::parse(&job.payload)?;
    if job.request.pid != Pid::NONE {
        return Err(NO_PROCESS);
    }
    if job.request.va.get() != 0 {
        return Err(BAD_ADDRESS);
    }
    let entries = core.space().list(job.endpoints.src_ip, ask.after, ask.count as usize, core.now());
    let mut payload = vec![0; ask.payload_len()];
    ask.emit(Some(&entries), &mut payload);
    Ok(payload)
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
