//! Keys of tags: a board rolls them, and refuses the old ones after a while. They are asked for again before, by a
//! handshake in the background, and whenever a tag was said to be wrong.
use super::{Core, Handle, Way};
use crate::client::{Handshake, Proven};
use crate::order::Footprint;
use crate::transport::{Call, Payload, Place};
use mneme_wire::payload::OpenRequest;
use mneme_wire::{Cause, Opcode, Status, Va};
use std::time::Duration;

/// How long after keys were rolled the new ones are asked for: a share of the time for which the old ones last still.
const LATE: u32 = 4;
/// How long after a handshake that failed, or that has brought nothing new, another one begins at the earliest.
const PAUSE: Duration = Duration::from_millis(50);

/// The keys of a process on one board.
#[derive(Debug)]
struct Renewal {
    process: Way,
    token: [u8; 16],
    /// When they are to be asked for; none: when a tag is said to be wrong.
    due: Option<Duration>,
    /// The handshake that is under way, and when it began.
    asked: Option<(Handle, Handshake, Duration)>,
    /// When the last one began.
    last: Duration,
}

/// The keys of a client's processes.
#[derive(Debug, Default)]
pub(super) struct Renewals {
    list: Vec<Renewal>,
    due: Option<Duration>,
    asks: bool,
}

/// When keys that a handshake has brought are to be asked for again; it began at `sent`.
fn due(lasts: Option<(Duration, Duration)>, sent: Duration) -> Option<Duration> {
    lasts.map(|(rolls, ends)| sent + rolls + (ends.saturating_sub(rolls) / LATE).max(PAUSE))
}

impl Renewals {
    /// When something is to be done; none: nothing, unless a tag is said to be wrong.
    #[inline]
    pub(super) fn due(&self) -> Option<Duration> {
        self.due
    }
    /// Whether a handshake is under way.
    #[inline]
    pub(super) fn asks(&self) -> bool {
        self.asks
    }
    fn sum_up(&mut self) {
        let waiting = self.list.iter().filter(|renewal| renewal.asked.is_none());
        self.due = waiting.filter_map(|renewal| renewal.due).min();
        self.asks = self.list.iter().any(|renewal| renewal.asked.is_some());
    }
    /// Forgets all processes but these; the handshakes that were under way for the others.
    fn retain(&mut self, stays: impl Fn(&Way) -> bool) -> Vec<Handle> {
        let gone = self.list.extract_if(.., |renewal| !stays(&renewal.process));
        let asked = gone.filter_map(|renewal| renewal.asked).map(|(handle, ..)| handle).collect();
        self.sum_up();
        asked
    }
}

impl Core {
    /// Keeps the keys of a process, which a handshake has brought that began at `sent`, if this client's packets have tags.
    pub(crate) fn keep_keys(&mut self, process: Way, token: [u8; 16], proven: &Proven, sent: Duration) {
        if !self.lane(process.lane).tags() {
            return;
        }
        // A handle of the process may be left that had the number before.
        let other = |renewal: &Renewal| renewal.process == process && renewal.token != token;
        if let Some(at) = self.renewals.list.iter().position(other) {
            let before = self.renewals.list.swap_remove(at);
            let lane = self.lane_mut(process.lane);
            lane.transport.retain_keys(|pid, epoch| (pid, epoch) != (process.pid, process.epoch));
            if let Some((handle, ..)) = before.asked {
                drop(self.outstanding.detach(handle));
            }
        }
        self.lane_mut(process.lane).set_keys(process.pid, process.epoch, proven.keys.clone());
        let known = self.renewals.list.iter_mut().find(|renewal| renewal.process == process);
        let due = due(proven.lasts, sent);
        match known {
            Some(renewal) => renewal.due = due,
            None => {
                let renewal = Renewal { process, token, due, asked: None, last: sent };
                self.renewals.list.push(renewal);
            }
        }
        self.renewals.sum_up();
    }
    /// Forgets the keys of processes of which there is no handle any more.
    pub(super) fn forget_keys(&mut self) {
        let spaces = &self.spaces;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            lane.transport.retain_keys(|pid, epoch| spaces.has(number, pid, epoch));
        }
        for handle in self.renewals.retain(|way| spaces.has(way.lane, way.pid, way.epoch)) {
            drop(self.outstanding.detach(handle));
        }
    }
    /// Asks for keys that are due, and takes those that have come.
    #[inline]
    pub(super) fn renew_keys(&mut self, now: Duration) {
        if self.renewals.list.is_empty() {
            return;
        }
        let doubted = self.take_doubts(now);
        if doubted || self.renewals.asks || self.renewals.due.is_some_and(|at| at <= now) {
            self.renew_keys_due(now);
        }
    }
    /// Where a tag was said to be wrong, newer keys are due at once. Anybody can say that, so not all the time.
    fn take_doubts(&mut self, now: Duration) -> bool {
        let mut any = false;
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            if lane.transport.take_doubt() {
                any = true;
                for renewal in self.renewals.list.iter_mut().filter(|one| one.process.lane == number) {
                    let at = now.max(renewal.last + PAUSE);
                    renewal.due = Some(renewal.due.map_or(at, |due| due.min(at)));
                }
            }
        }
        any
    }
    #[cold]
    fn renew_keys_due(&mut self, now: Duration) {
        for at in 0..self.renewals.list.len() {
            self.take_keys(at, now);
            let renewal = &self.renewals.list[at];
            if renewal.asked.is_none() && renewal.due.is_some_and(|due| due <= now) {
                self.ask_for_keys(at, now);
            }
        }
        self.renewals.sum_up();
    }
    /// Takes the end of a handshake, if it has one.
    fn take_keys(&mut self, at: usize, now: Duration) {
        let Renewal { process, asked, .. } = &mut self.renewals.list[at];
        let process = *process;
        let Some((handle, handshake, sent)) = asked.take() else { return };
        let Some(ended) = self.outstanding.take(handle, |taken| taken.answer) else {
            *asked = Some((handle, handshake, sent));
            return;
        };
        let peer = self.lane(process.lane).peer();
        let answer = ended.map(|answer| answer.map(|answer| answer.payload).unwrap_or_default());
        let (due, keys) = match answer.and_then(|payload| handshake.end(&peer, process.pid, &payload)) {
            Ok(proven) => (due(proven.lasts, sent), Some(proven)),
            Err(error) => {
                tracing::warn!(board = %peer, "keys of process {} are not renewed: {error}", process.pid.get());
                // The answer told the tick that the next one goes by.
                let late = error.refusal() == Some((Status::Unauthenticated, Cause::Clock));
                (Some(if late { now } else { now + 4 * PAUSE }.max(sent + PAUSE)), None)
            }
        };
        self.renewals.list[at].due = due;
        if let Some(Proven { open, keys, .. }) = keys {
            let lane = self.lane_mut(process.lane);
            lane.learn_proven(open.board);
            lane.set_keys(process.pid, process.epoch, keys);
        }
    }
    fn ask_for_keys(&mut self, at: usize, now: Duration) {
        let Renewal { process, token, .. } = self.renewals.list[at];
        let Way { lane, pid, epoch } = process;
        let open = OpenRequest { join: true, token, ..OpenRequest::default() };
        let of = &self.lanes[lane];
        let begun =
            self.credentials.as_ref().map(|own| Handshake::begin(own, of, (pid, of.full_tick()), open));
        let (handshake, message) = match begun {
            Some(Ok(begun)) => begun,
            _ => {
                self.renewals.list[at].due = Some(now + 4 * PAUSE);
                return;
            }
        };
        let payload = Payload::from_slice(&message);
        let (opcode, va, place, length) =
            (Opcode::Open, Va::default(), Place::default(), payload.len() as u16);
        let id = self.order.submit(Footprint::NOTHING);
        let call = Call { opcode, pid, epoch, va, length, payload, place };
        let handle = self.outstanding.insert_own((id, lane), call);
        let renewal = &mut self.renewals.list[at];
        (renewal.asked, renewal.last) = (Some((handle, handshake, now)), now);
    }
}
