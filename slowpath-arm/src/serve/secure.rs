//! The secure OPEN: a handshake proves the tenant, and its answer has the process's keys (`docs/reference/trailers.md` §2).
//! Whoever proves nothing is told nothing.
use super::{Job, Served, open};
use crate::auth::{Auth, MessageId, Taken};
use crate::core::Core;
use crate::keys::{Keys, Told};
use crate::refusal::{BAD_LENGTH, NO_PROCESS, Refusal, UNAUTHENTICATED};
use crate::share::Source;
use crate::table::Table;
use mneme_auth::Asked;
use mneme_wire::payload::{OpenAnswer, SecureOpenAnswer};
use mneme_wire::trailer::ProcessKey;
use mneme_wire::{Cause, NodeCounter, Pid, Status};

/// What a handshake costs whoever asks for it in the order of the slow path, as looks of a search: as much as 64 commands.
const COST: u64 = 4096;
/// The client's idea of the board's tick is too far from it.
const CLOCK: Refusal = Refusal::new(Status::Unauthenticated, Cause::Clock);
/// No such process, or another token: those who join are not told which.
const NOT_JOINED: Refusal = Refusal::new(Status::Denied, Cause::Rights);

/// A tenant's message: proven, recent, and not taken before.
pub(super) struct Proven<'a> {
    auth: &'a Auth,
    keys: &'a Keys,
    asked: Asked,
    id: MessageId,
    class: u8,
}

/// What a message is known by.
pub(super) fn message_id(payload: &[u8]) -> MessageId {
    payload.first_chunk().copied().unwrap_or_default()
}

/// Finds out who asks. Each message that ends here is a debt of its source, be it forged, old, or heard somewhere: it has made the
/// board compute.
pub(super) fn prove<'a>(core: &'a Core, job: &Job, table: &mut dyn Table) -> Result<Proven<'a>, Refusal> {
    let (Some(auth), Some(keys)) = (&core.auth, &core.keys) else { return Err(BAD_LENGTH) };
    let source = Source::from(job.endpoints.src_ip);
    let wait = auth.wait(source, core.config.limits.unproven_opens, core.now_ns());
    if wait > 0 {
        return Err(Refusal::new(Status::Busy, Cause::Queue).hint(wait));
    }
    table.searched(COST);
    compute(core, (auth, keys), job).inspect_err(|refusal| {
        auth.failed(source, core.now_ns());
        if *refusal == UNAUTHENTICATED {
            core.stats.count(NodeCounter::OpensUnproven);
        }
    })
}

fn compute<'a>(core: &Core, (auth, keys): (&'a Auth, &'a Keys), job: &Job) -> Result<Proven<'a>, Refusal> {
    let asked = auth.read(&job.payload).filter(|asked| asked.request().pid == job.request.pid.get());
    let asked = asked.ok_or(UNAUTHENTICATED)?;
    let (now, window) = (keys.tick(), u64::from(core.config.slow_window_ticks()));
    let tick = asked.request().tick;
    if tick.saturating_add(window) < now || tick > now.saturating_add(window / 4) {
        return Err(CLOCK);
    }
    let id = message_id(&job.payload);
    match auth.take(id, asked.tenant(), tick, now) {
        Taken::Fresh => {}
        Taken::Again => return Err(UNAUTHENTICATED),
        Taken::Full => {
            let hint = u64::from(core.config.busy_hint_ns);
            return Err(Refusal::new(Status::Busy, Cause::Filter).hint(hint));
        }
    }
    // Who has been revoked since then proves nothing any more.
    let class = auth.class(&asked.tenant()).ok_or(UNAUTHENTICATED)?;
    Ok(Proven { auth, keys, asked, id, class })
}

/// Serves what a tenant asks for.
pub(super) fn serve(core: &Core, job: &Job, proven: Proven<'_>) -> Served {
    let Proven { auth, keys, asked, id, class } = proven;
    let served = answer(core, (auth, keys), (job.request.pid, class), asked);
    if served.is_err() {
        auth.release(&id);
    }
    served
}

fn answer(core: &Core, (auth, keys): (&Auth, &Keys), (pid, class): (Pid, u8), asked: Asked) -> Served {
    let (ask, tenant) = (asked.request().open, Source::Tenant(asked.tenant()));
    let opened = open::open(core, pid, &ask, (tenant, Some(class)))
        .map_err(|refusal| if ask.join && refusal == NO_PROCESS { NOT_JOINED } else { refusal })?;
    let told = keys.told(Pid::from_low_bits(opened.pid), core.now()).ok_or(UNAUTHENTICATED)?;
    let guest = (core.owners.find(opened.pid) != Some(tenant)).then_some(told.generation);
    if !auth.tells(asked.tenant(), guest) {
        // Revoked since his message was read: so is what he has opened with it.
        core.revoke(auth);
        return Err(UNAUTHENTICATED);
    }
    let mut answer = with_keys(core, opened, &told);
    let message = asked.answer(&answer).map_err(|_| UNAUTHENTICATED);
    answer.wipe_keys();
    Ok(message?.to_vec())
}

fn with_keys(core: &Core, mut open: OpenAnswer, told: &Told) -> SecureOpenAnswer {
    // Both of one moment: the keys may be rolled at any time.
    open.board.key_phase = u8::from(told.phase);
    open.key = told.key.to_bytes();
    let ns = |ticks: u64| ticks.saturating_mul(u64::from(core.config.ns_per_tick));
    let rolls_ns = told.rolls.map_or(0, |ticks| ns(ticks.max(1)));
    SecureOpenAnswer {
        open,
        other_key: told.other.as_ref().map_or([0; 16], ProcessKey::to_bytes),
        rolls_ns,
        ends_ns: told.rolls.map_or(0, |ticks| ns(ticks.max(1).saturating_add(told.period))),
        valid: 1 << u8::from(told.phase) | u8::from(told.other.is_some()) << u8::from(!told.phase),
    }
}
