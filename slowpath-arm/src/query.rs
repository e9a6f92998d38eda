//! Queries: PING, COUNTERS and PROCESSES. They change nothing and pass the answer cache by. The owner of the fast path answers
//! at once, unless a worker has the address space that some of them look at.
use crate::FastPath;
use crate::core::Core;
use crate::refusal::{BAD_ADDRESS, BAD_LENGTH, NO_PROCESS, Refusal};
use crate::serve::{Job, Served, frame, refuse};
use crate::space::Space;
use crate::station::Station;
use mneme_wire::payload::{CountersRequest, ProcessesRequest, parse_ping};
use mneme_wire::trailer::Means;
use mneme_wire::{NodeCounter, Opcode, Pid, Status};

/// Answers a query, a whole frame. `Err`: it has to wait for the address space, so [`answer_from_space`] is for it.
pub(crate) fn answer<F: FastPath + ?Sized>(
    core: &Core,
    station: &mut Station,
    fp: &mut F,
    job: Box<Job>,
) -> Result<Vec<u8>, Box<Job>> {
    if !asks_space(&job) {
        let served = match job.request.opcode {
            _ if usize::from(job.request.length) != job.payload.len() => Err(BAD_LENGTH),
            Opcode::Ping => parse_ping(&job.payload).map_err(Refusal::from).map(|()| pong(core)),
            _ => counters(core, station, fp, &job),
        };
        return Ok(told(core, &job, served));
    }
    match core.try_space() {
        Some(mut space) => Ok(from_space(core, &mut space, &job)),
        None => Err(job),
    }
}

/// Answers a query that looks at the address space; waits for it.
pub(crate) fn answer_from_space(core: &Core, job: &Job) -> Vec<u8> {
    from_space(core, &mut core.space(), job)
}

/// Whether a query looks at the address space: a ping with a pid, and PROCESSES.
fn asks_space(job: &Job) -> bool {
    job.request.opcode == Opcode::Processes
        || job.request.opcode == Opcode::Ping && job.request.pid != Pid::NONE
}

fn from_space(core: &Core, space: &mut Space, job: &Job) -> Vec<u8> {
    let served = match job.request.opcode {
        _ if usize::from(job.request.length) != job.payload.len() => Err(BAD_LENGTH),
        Opcode::Ping => ping(core, space, job),
        _ => processes(core, space, job),
    };
    told(core, job, served)
}

fn told(core: &Core, job: &Job, served: Served) -> Vec<u8> {
    match served {
        Ok(payload) => frame(core, job, Status::Ok, job.request.va, &payload),
        Err(refusal) => refuse(core, job, refusal),
    }
}

fn pong(core: &Core) -> Vec<u8> {
    core.stats.count(NodeCounter::Pings);
    core.board_info().to_bytes().to_vec()
}

/// A ping with a pid keeps that process's lease, and is refused where there is no such process.
fn ping(core: &Core, space: &mut Space, job: &Job) -> Served {
    parse_ping(&job.payload)?;
    space.process_mut(job.request.pid.get(), core.now())?;
    Ok(pong(core))
}

/// The processes of the asking address, or of the tenant of the process whose tag proves who asks. Looking at them renews no
/// lease.
fn processes(core: &Core, space: &Space, job: &Job) -> Served {
    let ask = ProcessesRequest::parse(&job.payload)?;
    if job.request.va.get() != 0 {
        return Err(BAD_ADDRESS);
    }
    let (after, most, now) = (ask.after, ask.count as usize, core.now());
    let entries = match (job.request.pid, &job.means) {
        (Pid::NONE, _) => space.list(job.endpoints.src_ip, after, most, now),
        (pid, Means::Tag { .. }) => space.list_of(pid.get(), after, most, now)?,
        _ => return Err(NO_PROCESS),
    };
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
