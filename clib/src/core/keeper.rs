//! Leases: the board reclaims a process that asks nothing of the slow path for as long as its lease. A ping with the
//! process's pid keeps it; reads and writes do not, since the fast path knows no leases.
use super::{Core, Handle, Way};
use crate::error::{Error, OperationError};
use crate::order::{Domain, Footprint};
use crate::transport::{Call, Payload, Place};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Opcode, Pid, Status, Va};
use std::time::Duration;

/// A lease is renewed this often while it lasts: the answers to all but one may be lost.
const RENEWALS: u32 = 4;

/// Names the lease of one handle: another process may be given the same pid while the handle is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeaseId(u64);

/// The lease of a process, as one of its handles keeps it.
#[derive(Debug)]
struct Lease {
    id: LeaseId,
    domain: Domain,
    lane: usize,
    pid: Pid,
    epoch: u8,
    length: Duration,
    /// When the last request that is known to have renewed it was sent, at the earliest.
    kept: Duration,
    /// When it is to be renewed.
    due: Duration,
    /// The request that renews it, and when it was sent.
    asked: Option<(Handle, Duration)>,
    /// The board has said that there is no such process.
    gone: bool,
}

/// The leases of a client's processes.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    leases: Vec<Lease>,
    next: u64,
    /// What the leases come to, for those who ask in each call: when the next one is due, and whether one is asked for.
    due: Option<Duration>,
    asks: bool,
}

impl Keeper {
    /// When something is to be done; none: there is no lease.
    #[inline]
    pub(super) fn due(&self) -> Option<Duration> {
        self.due
    }
    /// Whether a renewal is under way.
    #[inline]
    pub(super) fn asks(&self) -> bool {
        self.asks
    }
    /// Whether there is any lease.
    pub(super) fn is_used(&self) -> bool {
        !self.leases.is_empty()
    }
    /// Something has changed.
    fn sum_up(&mut self) {
        let waits = |lease: &&Lease| !lease.gone && lease.asked.is_none();
        self.due = self.leases.iter().filter(waits).map(|lease| lease.due).min();
        self.asks = self.leases.iter().any(|lease| lease.asked.is_some());
    }
    /// A handle of a process whose lease began anew when a request was answered that was sent at `kept`.
    pub(super) fn add(
        &mut self,
        (domain, process): (Domain, Way),
        length: Duration,
        kept: Duration,
    ) -> LeaseId {
        let Way { lane, pid, epoch } = process;
        let (id, due) = (LeaseId(self.next), kept + length / RENEWALS);
        self.next += 1;
        let (asked, gone) = (None, false);
        self.leases.push(Lease { id, domain, lane, pid, epoch, length, kept, due, asked, gone });
        self.sum_up();
        id
    }
    /// A handle is gone. The request that renews its lease, if it is under way.
    pub(super) fn remove(&mut self, id: LeaseId) -> Option<Handle> {
        let at = self.leases.iter().position(|lease| lease.id == id)?;
        let asked = self.leases.swap_remove(at).asked;
        self.sum_up();
        asked.map(|(handle, _)| handle)
    }
    /// A process has ended on a board, where another one may have its number: the requests that renew its leases.
    pub(super) fn end(&mut self, domain: Domain, lane: usize) -> Vec<Handle> {
        let ends = |lease: &mut Lease| (lease.domain, lease.lane) == (domain, lane);
        let ended = self.leases.extract_if(.., ends);
        let asked = ended.filter_map(|lease| lease.asked).map(|(handle, _)| handle).collect();
        self.sum_up();
        asked
    }
    /// The lease of a process that its board has certainly reclaimed, and for how long it was not renewed.
    fn run_out(
        &self,
        pid: Pid,
        of_board: impl Fn(usize) -> bool,
        now: Duration,
    ) -> Option<(Duration, Duration)> {
        let of_process = |lease: &&Lease| lease.pid == pid && of_board(lease.lane);
        let lease = self.leases.iter().filter(of_process).max_by_key(|lease| lease.kept)?;
        let silent = now.saturating_sub(lease.kept);
        (silent > lease.length).then_some((lease.length, silent))
    }
}

/// The board's word that there is no such process.
fn no_process(error: &Error) -> bool {
    matches!(error.refusal(), Some((Status::BadRequest | Status::Denied, Cause::Pid)))
}

impl Core {
    /// Renews leases that are due, and takes the answers of those that were asked for.
    #[inline]
    pub(super) fn keep_leases(&mut self, now: Duration) {
        if self.keeper.asks || self.keeper.due.is_some_and(|at| at <= now) {
            self.renew_leases(now);
        }
    }
    #[cold]
    fn renew_leases(&mut self, now: Duration) {
        // Who ended a process within its lease was another client.
        self.keeper.leases.retain(|lease| !lease.gone || now.saturating_sub(lease.kept) > lease.length);
        for lease in &mut self.keeper.leases {
            if let Some((handle, sent)) = lease.asked
                && let Some(ended) = self.outstanding.take(handle, |_| ())
            {
                lease.asked = None;
                match ended {
                    Ok(()) => (lease.kept, lease.due) = (sent, sent + lease.length / RENEWALS),
                    Err(error) if error.reason().is_some_and(|reason| reason.is_process_gone()) => {
                        lease.gone = true
                    }
                    Err(_) => lease.due = now + lease.length / (2 * RENEWALS),
                }
            }
            if !lease.gone && lease.asked.is_none() && lease.due <= now {
                let payload = Payload::from_elem(0, BoardInfo::LEN);
                let (opcode, va, place) = (Opcode::Ping, Va::default(), Place::default());
                let (pid, epoch, length) = (lease.pid, lease.epoch, payload.len() as u16);
                let id = self.order.submit(Footprint::NOTHING);
                let ping = Call { opcode, pid, epoch, va, length, payload, place };
                let handle = self.outstanding.insert_own((id, lease.lane), ping);
                lease.asked = Some((handle, now));
            }
        }
        self.keeper.sum_up();
    }
    /// Says of an error that it comes from a lease that has run out.
    pub(super) fn explain(&mut self, error: Error) -> Error {
        let unmapped = matches!(error.refusal(), Some((Status::Unmapped, _))) || no_process(&error);
        let Error::Operation(source) = error else { return error };
        if !unmapped {
            return Error::Operation(source);
        }
        let OperationError { pid, .. } = *source;
        let lanes = &self.lanes;
        let of_board = |lane: usize| lanes.get(lane).is_some_and(|lane| lane.peer() == source.board);
        match self.keeper.run_out(pid, of_board, self.now()) {
            Some((lease, silent)) => Error::Reclaimed { pid: pid.get(), lease, silent, source },
            None => Error::Operation(source),
        }
    }
}
