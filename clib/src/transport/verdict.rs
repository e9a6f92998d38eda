//! What an answer means for its operation: the rules of exactly-once (architecture §3, "What proves that nothing
//! happened"), as functions without side effects.
use super::operation::Operation;
use super::{Effect, Reason};
use mneme_wire::payload::{
    Alloc, BoardInfo, CountersRequest, OpenAnswer, ProcessesRequest, RangeRights, SECURE_OPEN_LEN,
};
use mneme_wire::{Cause, Detail, Opcode, Response, Status};
use std::net::{Ipv4Addr, SocketAddrV4};

/// Why another attempt follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Nack,
    Busy(Cause),
    Expired,
    Released,
}

/// What to do with an operation after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Ended OK.
    Done,
    /// Another attempt under the same id and time. `released`: the board recorded the answered one as released.
    Again { why: Why, released: bool },
    /// Nothing happened and nothing will: start anew under another id.
    Anew { why: Why },
    /// The window is closed and the outcome unknown, unless a late OK says otherwise.
    Linger,
    /// Ended with an error.
    Fail(Reason, Effect),
    /// Proves nothing: a later attempt is under way.
    Outdated,
}

/// What the rules need to know besides operation and answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// The window of the operation's class in ticks.
    pub(super) window: u32,
    /// No more ticks than this can have passed since the first attempt under this id.
    pub(super) ticks_since_first: u64,
    /// By how many ticks its time lagged behind the board's at that attempt, at most.
    pub(super) lag: u64,
}

/// Refusals that every copy of a packet gets, whatever the board's state.
fn is_about_the_packet(cause: Cause) -> bool {
    use Cause::*;
    matches!(cause, Version | Trailer | Opcode | Option | Pid | Length | Alignment | Crossing)
}

/// `facts` are asked for where they matter: an OK needs none.
pub(super) fn judge(operation: &Operation, response: &Response, facts: impl FnOnce() -> Facts) -> Verdict {
    if response.status == Status::Ok {
        return Verdict::Done;
    }
    let Detail { cause, hint } = response.detail();
    let refused = Reason::Refused { status: response.status, cause, hint };
    let latest = operation.latest() == Some(response.attempt);
    match response.status {
        Status::Stale => {
            let effect = if operation.class.has_effect() { Effect::Possible } else { Effect::None };
            return Verdict::Fail(Reason::Restarted { epoch: response.va.get() as u8 }, effect);
        }
        Status::Unsupported if cause == Cause::Version => {
            return Verdict::Fail(Reason::Version, Effect::None);
        }
        Status::BadRequest | Status::Unsupported if is_about_the_packet(cause) => {
            return Verdict::Fail(refused, Effect::None);
        }
        Status::Expired => return expired(operation, response, facts()),
        _ if !latest && operation.class.has_effect() => return Verdict::Outdated,
        _ => {}
    }
    match response.status {
        Status::Nack if latest => Verdict::Again { why: Why::Nack, released: false },
        Status::Busy if latest => busy(operation, response, facts()),
        // A repeatable operation whose later attempt is under way waits for that one.
        Status::Nack | Status::Busy => Verdict::Outdated,
        Status::Moved => Verdict::Fail(moved(response), Effect::None),
        // The id belongs to another operation of this source: that says nothing about earlier copies of this one.
        Status::Conflict => Verdict::Fail(refused, effect_if(operation, Effect::Possible)),
        // The memory controller failed in the middle of a write.
        Status::MemoryError if cause == Cause::Dram => {
            Verdict::Fail(refused, effect_if(operation, Effect::Possible))
        }
        _ => Verdict::Fail(refused, Effect::None),
    }
}

/// Where MOVED sends its operation: `va` has IPv4 address and port, `length` epoch and log2 of the span; 0 = ask.
fn moved(response: &Response) -> Reason {
    let to = response.va.get();
    let address = SocketAddrV4::new(Ipv4Addr::from((to >> 16) as u32), to as u16);
    let [epoch, span] = response.length.to_be_bytes();
    Reason::Moved { to: (to != 0).then_some(address), epoch, span }
}

fn effect_if(operation: &Operation, effect: Effect) -> Effect {
    if operation.class.has_effect() { effect } else { Effect::None }
}

/// Ticks from the operation's time to the answer's.
fn age(operation: &Operation, response: &Response) -> i64 {
    operation.time.map_or(0, |time| i64::from(response.time.since(time)))
}

fn expired(operation: &Operation, response: &Response, facts: Facts) -> Verdict {
    if !operation.class.has_effect() {
        return Verdict::Anew { why: Why::Expired };
    }
    // The board's tick at the first send was this old at least: if that is past the window, every copy came too late. But
    // where it was older than it can have been, the client's clock stood still meanwhile, as that of a machine does that was
    // paused: nobody knows whether before that send or after it.
    let at_first_send = age(operation, response).saturating_sub_unsigned(facts.ticks_since_first);
    let stood_still =
        at_first_send > i64::try_from(facts.lag).unwrap_or(i64::MAX) && !operation.is_handshake();
    if at_first_send > i64::from(facts.window) && !stood_still {
        Verdict::Anew { why: Why::Expired }
    } else {
        Verdict::Linger
    }
}

fn busy(operation: &Operation, response: &Response, facts: Facts) -> Verdict {
    let cause = response.detail().cause;
    if cause == Cause::Clock && operation.is_handshake() {
        // Waiting would not bring its time and the board's together where no answer is proven. No message of a handshake is
        // taken twice, whatever its id.
        return Verdict::Anew { why: Why::Busy(cause) };
    }
    // The others (QUEUE, FILTER, CLOCK, PENDING) are said before the filter or the answer cache records anything.
    let released = operation.class.has_effect()
        && matches!(cause, Cause::Fault | Cause::Hold | Cause::Share | Cause::Tier);
    // A released operation keeps its filter entry as long as its window has time for two attempts more that wait for a
    // page, a quarter of it each, after the time that this answer's hint may ask for, an eighth. Nor do attempts have more
    // numbers than they have: where answers come fast, those are spent first.
    let old = age(operation, response) > i64::from(facts.window / 8 * 3);
    if released && (old || !operation.can_repeat()) {
        Verdict::Anew { why: Why::Released }
    } else {
        Verdict::Again { why: Why::Busy(cause), released }
    }
}

/// Whether an answer that names the operation's id fits it in every other respect.
#[inline]
pub(super) fn fits(operation: &Operation, response: &Response, payload: &[u8]) -> bool {
    let call = &operation.call;
    let named = response.opcode == call.opcode
        && told_fits(operation, response)
        && response.pid == call.pid
        && operation.latest().is_some_and(|latest| response.attempt <= latest);
    named && (response.status != Status::Ok || ok_fits(operation, response, payload))
}

/// Only OK tells how long it took, and only to whom asked: the rules for the others need the board's tick.
fn told_fits(operation: &Operation, response: &Response) -> bool {
    !response.timed || operation.timed && response.status == Status::Ok
}

fn ok_fits(operation: &Operation, response: &Response, payload: &[u8]) -> bool {
    let call = &operation.call;
    let same = response.length == call.length && response.va == call.va;
    match call.opcode {
        Opcode::Read | Opcode::Write | Opcode::CompareSwap | Opcode::FetchAdd | Opcode::Swap => same,
        Opcode::Fence => response.length == 0,
        Opcode::Ping => BoardInfo::parse(payload).is_ok(),
        Opcode::Open if operation.is_handshake() => payload.len() == SECURE_OPEN_LEN,
        Opcode::Open => OpenAnswer::parse(payload).is_ok_and(|answer| {
            // The board's word counts only when it is the process that was asked for.
            call.pid.get() == 0 || answer.pid == call.pid.get()
        }),
        Opcode::Alloc => alloc_fits(operation, payload),
        Opcode::Free | Opcode::Protect => RangeRights::parse(payload).is_ok(),
        Opcode::Counters => CountersRequest::parse(&call.payload)
            .is_ok_and(|request| request.parse_answer(payload).map(|values| values.count()).is_ok()),
        Opcode::Processes => ProcessesRequest::parse(&call.payload)
            .is_ok_and(|request| request.parse_answer(payload).map(|entries| entries.count()).is_ok()),
        _ => payload.len() <= call.payload.len(),
    }
}

fn alloc_fits(operation: &Operation, payload: &[u8]) -> bool {
    let (Ok(asked), Ok(given)) =
        (Alloc::parse_request(&operation.call.payload), Alloc::parse_answer(payload))
    else {
        return false;
    };
    given.size >= asked.size && (!asked.fixed || given.va == operation.call.va.get())
}
