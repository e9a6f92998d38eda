//! The moment at which a write took effect: dispatch takes frames in the order of arrival, so those before it met the old values, the others
//! the new ones.
use std::collections::{HashMap, HashSet};

use mneme_model::port::{BadMemory, NetworkPort, RegisterPort, TraceEvent};
use mneme_model::soft::Dispatch;
use mneme_slowpath::FastPath;
use mneme_wire::{Cause, Counter, Status, Tick};

use super::super::compare::DROPS;
use super::super::mismatch::{Mismatch, hex};
use super::super::replay::changing::{Changing, Course};
use super::super::replay::is_busy;
use super::Run;
use super::change::{Held, Offered, Planned};

/// Whether the filter or translation decided so: dispatch never does.
fn is_of_execution(event: &TraceEvent) -> bool {
    match event.status() {
        Some(Status::Stale | Status::BadRequest | Status::Unauthenticated | Status::Nack) => false,
        Some(Status::Unsupported) => event.cause() == Some(Cause::Split),
        _ => !is_busy(event, Cause::Queue),
    }
}

/// Stages that a frame may have met: by when it was offered and seen.
fn met(frame: &Offered, plan: &Planned) -> (usize, usize) {
    let last_after =
        |writes: usize| plan.stages.iter().rposition(|stage| stage.after <= writes).unwrap_or_default();
    (last_after(frame.offered), frame.seen.map_or(plan.stages.len() - 1, last_after))
}

/// The same for dispatch, which a frame has passed before the filter's tick.
fn met_at_dispatch(frame: &Offered, held: &Held, plan: &Planned) -> (usize, usize) {
    let (first, mut last) = met(frame, plan);
    let before = |event: &TraceEvent, stage: usize| {
        let write = plan.stages[stage].after.checked_sub(1);
        write
            .is_some_and(|write| Tick::from_low_bits(event.tick_filter).since(held.written[write].before) < 0)
    };
    while last > first && frame.event.as_ref().is_some_and(|event| before(event, last)) {
        last -= 1;
    }
    (first, last)
}

/// Whether frames that met these stages explain what the board did: each answered, given away or dropped as they say, and the drops counted so.
fn explains(held: &Held, stages: &[usize], dropped: &HashMap<Counter, u32>) -> bool {
    let mut drops: HashMap<Counter, u32> = HashMap::new();
    let of_kind = held.frames.iter().zip(stages).all(|(frame, stage)| {
        let (seen, event) = (frame.seen.is_some(), frame.event.as_ref());
        match &frame.dispatch[*stage] {
            Err(reason) | Ok(Dispatch::Drop(reason)) => {
                *drops.entry(*reason).or_default() += 1;
                !seen
            }
            Ok(Dispatch::Slow(request)) => {
                if !seen && request.is_none() {
                    *drops.entry(Counter::DropSlowFull).or_default() += 1;
                }
                let refused = event.is_some_and(|event| is_busy(event, Cause::Queue));
                (seen && event.is_none()) || refused || request.is_none()
            }
            Ok(Dispatch::Answered(_, answer)) => event.is_some_and(|event| {
                (event.status, event.cause) == (answer.status.number(), answer.cause_number())
            }),
            Ok(Dispatch::Execute(_)) => event.is_some_and(is_of_execution),
        }
    });
    of_kind && drops == *dropped
}

impl<B: FastPath + NetworkPort + BadMemory + RegisterPort> Run<'_, B> {
    /// Gives the model the frames that were offered around a change. `dropped`: what the board has counted meanwhile.
    pub(super) fn judge(&mut self, held: Held, plan: &Planned, dropped: Vec<u32>) -> Result<(), Mismatch> {
        let counters = DROPS.iter().chain([&Counter::DropSlowFull, &Counter::ResumeExpired]).copied();
        let mut dropped: HashMap<_, _> = counters.zip(dropped).filter(|(_, count)| *count > 0).collect();
        let expired_late = dropped.remove(&Counter::ResumeExpired).unwrap_or_default() as usize;
        let bounds: Vec<_> = held.frames.iter().map(|frame| met_at_dispatch(frame, &held, plan)).collect();
        let (count, last) = (held.frames.len(), plan.stages.len() - 1);
        let moments = (0..=count).flat_map(|one| (one..=count).map(move |two| (one, two)));
        let stages = moments.filter(|(_, two)| last > 1 || *two == count).find_map(|(one, two)| {
            let stages: Vec<_> =
                (0..count).map(|at| usize::from(at >= one) + usize::from(at >= two)).collect();
            let within =
                stages.iter().zip(&bounds).all(|(stage, (first, last))| (first..=last).contains(&stage));
            (within && explains(&held, &stages, &dropped)).then_some(stages)
        });
        let Some(stages) = stages else { return Err(unexplained(&held, plan, &bounds, &dropped)) };
        let mut changing = Changing {
            what: plan.what,
            stages: plan.stages.clone(),
            written: held.written.clone(),
            first: self.replay.next_number(),
            met: held.frames.iter().map(|frame| met(frame, plan)).collect(),
            expired_late: HashSet::new(),
            newest: HashMap::new(),
            translation: last,
        };
        changing.expired_late = expired(&changing, &held.frames, expired_late);
        for (frame, stage) in held.frames.into_iter().zip(stages) {
            let Offered { sent, mut dispatch, tick, slow_taken, .. } = frame;
            self.replay.send_as(sent, dispatch.swap_remove(stage), tick, slow_taken);
        }
        self.replay.begin_change(changing);
        Ok(())
    }
}

/// Which frames were too old when they left translation, though the filter had let them pass. `count`: how many, by the board's counter; where
/// the filter may have refused a frame as well, it was the later ones, since it takes them in the order of arrival.
fn expired(changing: &Changing, frames: &[Offered], count: usize) -> HashSet<u64> {
    let (mut late, mut either) = (HashSet::new(), Vec::new());
    for (number, frame) in (changing.first..).zip(frames) {
        let Some(event) = frame.event.filter(|event| event.status() == Some(Status::Expired)) else {
            continue;
        };
        let Some(Ok(Dispatch::Execute(request))) = frame.dispatch.first() else { continue };
        let may = |course: Course| changing.windows(number, request, &event, course).is_some();
        match (may(Course::Expired), may(Course::ExpiredLate)) {
            (true, true) => either.push(number),
            (false, true) => drop(late.insert(number)),
            _ => {}
        }
    }
    let more = count.saturating_sub(late.len());
    late.extend(either.into_iter().take(more));
    late
}

fn unexplained(
    held: &Held,
    plan: &Planned,
    bounds: &[(usize, usize)],
    dropped: &HashMap<Counter, u32>,
) -> Mismatch {
    let frames = held.frames.iter().zip(bounds).map(|(frame, (first, last))| {
        let kinds: Vec<_> = frame.dispatch.iter().map(kind).collect();
        let became = match (&frame.event, frame.seen) {
            (Some(event), _) => format!("answer of status {}, cause {}", event.status, event.cause),
            (None, Some(_)) => "slow ring".into(),
            (None, None) => "nothing".into(),
        };
        format!(
            "\n  {became}; stages {first} to {last} of {kinds:?}: {}",
            hex(&frame.sent.frame[..frame.sent.frame.len().min(64)])
        )
    });
    let frames: String = frames.collect();
    let what = plan.what;
    Mismatch::new(format!(
        "no moment of the change of {what:?} explains what became of the frames around it; drops {dropped:?}{frames}"
    ))
}

fn kind(dispatch: &Result<Dispatch, Counter>) -> String {
    match dispatch {
        Err(reason) | Ok(Dispatch::Drop(reason)) => format!("{reason}"),
        Ok(Dispatch::Slow(_)) => "slow".into(),
        Ok(Dispatch::Answered(_, answer)) => format!("{}", answer.status),
        Ok(Dispatch::Execute(_)) => "executes".into(),
    }
}
