//! Time and datagrams: what leaves, what comes, and whose it is.
use super::progress::Report;
use super::spaces::Closed;
use super::{Core, SHORT_WAIT};
use crate::driver::DriverError;
use crate::planted::PlantedFault;
use crate::request::Again;
use crate::split::Limits;
use crate::transport::{Answer, Effect, Ended, Failure, Reason};
use mneme_wire::Opcode;
use std::sync::Arc;
use std::time::Duration;

/// How often what is due is sent anew at once because the path carries other packets than before.
const PATHS_AT_ONCE: usize = 8;

/// All boards. A driver of simulated time knows that its client works, and lets none pass: with one board from the
/// beginning of a call to its end, with several only around each look, since what one waits for on one board must not
/// hold up another's time.
impl Core {
    /// A call begins.
    #[inline]
    pub(super) fn begin_call(&mut self) {
        if let [lane] = &mut self.lanes[..] {
            lane.driver.begin_call();
        }
    }
    /// It has ended.
    #[inline]
    pub(super) fn end_call(&mut self) {
        if let [lane] = &mut self.lanes[..] {
            lane.driver.end_call();
        }
    }
    /// Works with each board.
    #[inline]
    fn each(&mut self, mut work: impl FnMut(&mut Core, usize)) {
        if self.lanes.len() == 1 {
            return work(self, 0);
        }
        for lane in 0..self.lanes.len() {
            // What has failed at the lane before holds up this one, too.
            self.hold_across();
            self.lanes[lane].driver.begin_call();
            work(self, lane);
            self.lanes[lane].driver.end_call();
        }
    }
    /// A copy of a failed operation that one board may still execute holds up new ones on all of them.
    #[cold]
    fn hold_across(&mut self) {
        if self.planted(PlantedFault::HeldOnOneBoard) {
            return;
        }
        let now = |lane: &super::Lane| lane.driver.now();
        let closes: smallvec::SmallVec<[Option<Duration>; 4]> =
            self.lanes.iter().map(|lane| lane.transport.closes(now(lane))).collect();
        let any = closes.iter().any(Option::is_some);
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let others = closes.iter().enumerate().filter(|(other, _)| *other != number);
            let left = if any { others.filter_map(|(_, left)| *left).max() } else { None };
            let awaited = closes[number].is_some();
            lane.transport.set_elsewhere(left, awaited);
        }
    }
    /// Whether nothing is under way to or from a board.
    fn is_quiet(&self, lane: usize) -> bool {
        self.lanes[lane].transport.is_quiet()
    }
    /// Lets everything go on that can, until datagrams have come or `longest` has passed.
    #[inline]
    pub(super) fn drive(&mut self, longest: Duration) {
        let busy = match self.lanes.len() {
            1 => 1,
            lanes => (0..lanes).filter(|lane| !self.is_quiet(*lane)).count(),
        };
        self.each(|core, lane| {
            // What is waited for on one board must not come late from another.
            let idle = busy > 0 && core.lanes.len() > 1 && core.is_quiet(lane);
            let longest = match busy {
                _ if idle => Duration::ZERO,
                0 | 1 => longest,
                _ => longest.min(SHORT_WAIT),
            };
            let stepped = core.step(lane, longest);
            core.settle(lane, stepped);
        });
    }
    #[inline]
    fn step(&mut self, lane: usize, longest: Duration) -> Result<(), DriverError> {
        let now = self.catch_up(lane)?;
        self.send(lane, now)?;
        let Core { lanes, outstanding, .. } = self;
        let lane = &mut lanes[lane];
        if lane.transport.has_finished() {
            return Ok(());
        }
        lane.receive(now, longest, outstanding)
    }
    /// Sends what waits to be sent.
    #[inline]
    pub(super) fn send_held(&mut self) {
        self.each(|core, lane| {
            let sent = core.catch_up(lane).and_then(|now| core.send(lane, now));
            if sent.is_err() || core.lanes[lane].transport.has_finished() {
                core.settle(lane, sent);
            }
        });
    }
    /// Takes what has come.
    #[inline]
    pub(super) fn look(&mut self) {
        self.each(|core, lane| {
            let Core { lanes, outstanding, .. } = core;
            let looked = lanes[lane].take(Duration::ZERO, outstanding).map(drop);
            core.settle(lane, looked);
        });
    }
    /// Takes what has come, without sending anything. `quiet`: nothing has come for as long as was asked for, or the
    /// drivers' descriptors tell of an error: long enough for a driver to ask the system what is wrong.
    pub(super) fn hear(&mut self, quiet: bool) {
        let longest = if quiet { SHORT_WAIT } else { Duration::ZERO };
        self.each(|core, lane| {
            let Core { lanes, outstanding, .. } = core;
            let lane_now = lanes[lane].driver.now();
            let heard = lanes[lane].receive(lane_now, longest, outstanding);
            core.settle(lane, heard);
        });
    }
    /// A board's time now; with the first one's comes what is due by the client's.
    #[inline]
    fn catch_up(&mut self, lane: usize) -> Result<Duration, DriverError> {
        let now = self.lanes[lane].catch_up(&mut self.outstanding)?;
        if lane == 0 {
            self.keep_leases(now);
            self.renew_keys(now);
            if self.expire(now) && self.lanes.len() > 1 {
                // What depended on it may be for any board.
                self.hold_across();
            }
        }
        Ok(now)
    }
}

/// One board.
impl Core {
    /// Sends what is due.
    #[inline]
    fn send(&mut self, lane: usize, now: Duration) -> Result<(), DriverError> {
        for _ in 0..PATHS_AT_ONCE {
            self.send_within(lane, now)?;
            let lane = &mut self.lanes[lane];
            lane.take_back(now);
            if !lane.follow_path() {
                break;
            }
        }
        Ok(())
    }
    #[inline]
    fn send_within(&mut self, lane: usize, now: Duration) -> Result<(), DriverError> {
        self.held = 0;
        if self.order.has_freed() || self.outstanding.has_ready(lane) {
            let limits = self.limits(lane);
            let board = &mut self.lanes[lane];
            let board = (&mut board.transport, &*board.driver);
            self.outstanding.unblock(&mut self.order);
            self.outstanding.start((lane, limits), &mut self.order, &self.spaces, board, now);
        }
        self.lanes[lane].transmit(now, &self.outstanding)
    }
    /// What packets to a board must respect. Where memory is on several boards, no packet crosses the shortest page of
    /// any, since it may lie on another from there on.
    #[inline]
    pub(super) fn limits(&self, lane: usize) -> Limits {
        let limits = self.lanes[lane].limits();
        if !self.spaces.any_spread() {
            return limits;
        }
        let page_bits = self.lanes.iter().map(|lane| lane.limits().page_bits).min();
        Limits { page_bits: page_bits.unwrap_or(limits.page_bits), ..limits }
    }
    /// Gives ended packets to their requests; all of a board's end when its driver has failed.
    #[inline]
    pub(super) fn settle(&mut self, lane: usize, stepped: Result<(), DriverError>) {
        let failed = stepped.err().map(Arc::new);
        if failed.is_some() {
            let lane = &mut self.lanes[lane];
            let now = lane.driver.now();
            lane.take_back(now);
            lane.transport.abandon(Reason::Driver, now);
            self.failures += 1;
        }
        while self.lanes[lane].transport.has_finished() {
            self.settle_one(lane, failed.as_ref());
        }
        if failed.is_some() {
            let limits = self.limits(lane);
            let report = Report { driver: &*self.lanes[lane].driver, failed: failed.as_ref() };
            self.outstanding.abandon((lane, limits), &mut self.order, &self.spaces, report);
        }
    }
    #[inline]
    fn settle_one(&mut self, number: usize, failed: Option<&Arc<DriverError>>) {
        let (limits, several) = (self.limits(number), self.lanes.len() > 1);
        let lane = &mut self.lanes[number];
        let longest = lane.longest();
        let Some((ended, result)) = lane.transport.look_at_finished() else { return };
        let mut again = again(ended, result, (limits, longest));
        if several && let Err(Failure { reason: Reason::Moved { .. }, .. }) = result {
            let (ended, result) = (*ended, result.clone());
            again = self.follow(number, &ended, &result);
        }
        let lane = &mut self.lanes[number];
        let Some((ended, result)) = lane.transport.look_at_finished() else { return };
        if ended.opcode == Opcode::Exit {
            let (request, result) = (ended.place.request, result.as_ref().map(drop).map_err(Failure::clone));
            self.exit_ended(number, request, result);
        }
        let lane = &mut self.lanes[number];
        let Some((ended, result)) = lane.transport.look_at_finished() else { return };
        let report = Report { driver: &*lane.driver, failed };
        if again.is_none_or(|again| !self.outstanding.again(again, &mut self.order)) {
            self.outstanding.end((ended, result), &mut self.order, &mut self.statistics, report);
        }
        lane.transport.pass_finished();
    }
    /// A process has been asked to end. What waits behind that is told before it may leave.
    #[cold]
    fn exit_ended(&mut self, lane: usize, request: u32, result: Result<(), Failure>) {
        let Some(domain) = self.outstanding.domain_of(request) else { return };
        let asked_before = self.spaces.closed(domain, lane) == Some(Closed::Perhaps);
        match result {
            Ok(()) => self.close(domain, lane, Closed::Exited),
            // There is none of its number, or the board has restarted: it was the time before that has ended it.
            Err(failure) if asked_before && failure.reason.is_process_gone() => {
                self.close(domain, lane, Closed::Exited);
            }
            Err(failure) if failure.effect != Effect::None => self.close(domain, lane, Closed::Perhaps),
            Err(_) => {}
        }
    }
    /// A board has said that another one has what a packet asks for: what is to be sent again there, if this client
    /// knows that one.
    #[cold]
    fn follow(&mut self, from: usize, ended: &Ended, result: &Result<Answer, Failure>) -> Option<Again> {
        let Err(Failure { reason: Reason::Moved { to: Some(address), epoch, span }, .. }) = result else {
            return None;
        };
        let to = self.lanes.iter().position(|lane| lane.driver.board_address() == Some(*address))?;
        let domain = self.outstanding.domain_of(ended.place.request)?;
        let give_up = self.lanes[from].transport.config().give_up;
        let (now, at) = (self.now(), (domain, ended.va.get(), from));
        let follows = self.spaces.moved(at, (to, *epoch, *span), now, give_up);
        follows.then_some(Again { va: ended.va, length: ended.length, place: ended.place })
    }
}

/// The bytes of a packet that are to be cut anew: the path does not carry it any longer, nothing of it has happened,
/// and shorter ones would fit, or it would itself, since the path has widened again.
#[inline]
fn again(
    ended: &Ended,
    result: &Result<Answer, Failure>,
    (limits, longest): (Limits, usize),
) -> Option<Again> {
    let Err(Failure { reason: Reason::TooLong { needs, .. }, effect: Effect::None, .. }) = result else {
        return None;
    };
    let Ended { opcode, va, length, place, .. } = *ended;
    let fits = limits.max_payload < length || *needs <= longest;
    (fits && matches!(opcode, Opcode::Read | Opcode::Write)).then_some(Again { va, length, place })
}
