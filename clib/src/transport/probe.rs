//! The transport's own question for the board's tick, while an operation waits for that: any answer tells it.
use super::nanos::Nanos;
use super::operation::{Operation, State};
use super::seal::Sealing;
use super::timing::Moment;
use super::verdict::fits;
use super::{Call, Payload, Place};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Pid, Request, Response, Va};

#[derive(Debug, Default)]
pub(super) struct Probe(Option<Operation>);

/// What becomes of a question that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Late {
    /// There is none.
    Nothing,
    /// Its answer may still come, or it has not left.
    Waits,
    /// Its answer did not come in time: it is asked again, or given up.
    TimedOut,
}

impl Probe {
    #[inline]
    pub(super) fn is_under_way(&self) -> bool {
        self.0.is_some()
    }
    /// When time does something to it.
    pub(super) fn wakes(&self) -> Nanos {
        self.0.as_ref().map_or(Nanos::MAX, |probe| match probe.state {
            State::Due(at) | State::Sent(at) | State::Lingering(at) => at,
            State::Vacant => Nanos::MAX,
        })
    }
    /// It, if it is to be sent now.
    #[inline]
    pub(super) fn due(&self, now: Nanos) -> Option<&Operation> {
        self.0.as_ref().filter(|probe| matches!(probe.state, State::Due(at) if at <= now))
    }
    /// It leaves, and is answered within a time; its packet's header.
    pub(super) fn send(&mut self, timeout: Nanos, moment: Moment, sealing: &Sealing) -> Option<Request> {
        let probe = self.0.as_mut()?;
        probe.state = State::Sent((moment.now + timeout).min(probe.ends));
        Some(probe.emit(moment, sealing, false))
    }
    /// It.
    #[inline]
    pub(super) fn operation(&self) -> Option<&Operation> {
        self.0.as_ref()
    }
    /// It, if an answer names it.
    pub(super) fn named(&self, op_id: u32) -> Option<&Operation> {
        self.0.as_ref().filter(|probe| probe.op_id == op_id && !probe.sent.is_empty())
    }
    /// It, if this answers it; it is over then.
    pub(super) fn answered(&mut self, response: &Response, payload: &[u8]) -> Option<Operation> {
        self.named(response.op_id)?;
        self.0.take_if(|probe| fits(probe, response, payload))
    }
    /// Somebody says without the trailer that belongs there that something is wrong with it.
    pub(super) fn hinted(&mut self, response: &Response) {
        if let Some(probe) = &mut self.0 {
            probe.hint = Some((response.status, response.attempt));
        }
    }
    /// Nobody waits for it any more.
    pub(super) fn end(&mut self) {
        self.0 = None;
    }
    /// Lets time pass. After `give_up` from now it is given up.
    pub(super) fn poll(&mut self, give_up: Nanos, now: Nanos) -> Late {
        match &mut self.0 {
            None => Late::Nothing,
            Some(probe) if matches!(probe.state, State::Sent(at) if at <= now) => {
                probe.timeouts += 1;
                probe.ends = now + give_up;
                if probe.can_repeat() {
                    probe.state = State::Due(now)
                } else {
                    self.0 = None
                }
                Late::TimedOut
            }
            Some(_) => Late::Waits,
        }
    }
    /// Asks, at `at`, for a process, and gives up at `ends`.
    pub(super) fn ask(&mut self, (pid, epoch): (Pid, u8), op_id: u32, at: Nanos, now: Nanos, ends: Nanos) {
        // A fence does not leave the fast path; before a process is open only a ping is possible.
        let (opcode, payload) = match pid {
            Pid::NONE => (Opcode::Ping, Payload::from_elem(0, BoardInfo::LEN)),
            _ => (Opcode::Fence, Payload::new()),
        };
        let length = payload.len() as u16;
        let call = Call { opcode, pid, epoch, va: Va::default(), length, payload, place: Place::default() };
        let mut probe = Operation::vacant();
        probe.begin(None, call, op_id, now, ends);
        probe.state = State::Due(at);
        self.0 = Some(probe);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::Tick;

    const TICK: Tick = Tick::from_low_bits(7);

    fn asked(pid: Pid) -> Probe {
        let mut probe = Probe::default();
        probe.ask((pid, 3), 9, Nanos(10), Nanos(5), Nanos(1_000));
        probe
    }

    #[test]
    fn asks_what_is_possible_at_its_time_and_again_when_no_answer_comes() {
        assert_eq!(asked(Pid::NONE).due(Nanos(10)).map(|probe| probe.call.opcode), Some(Opcode::Ping));
        let mut probe = asked(Pid::from_low_bits(4));
        assert!(probe.due(Nanos(9)).is_none() && probe.wakes() == Nanos(10));
        let header = probe
            .send(Nanos(20), Moment { now: Nanos(10), tick: 7, ..Moment::default() }, &Sealing::NONE)
            .expect("it is there");
        assert_eq!((header.opcode, header.op_id, header.time, header.epoch), (Opcode::Fence, 9, TICK, 3));
        assert_eq!(probe.wakes(), Nanos(30));
        assert_eq!(probe.poll(Nanos(500), Nanos(29)), Late::Waits);
        assert_eq!(probe.poll(Nanos(500), Nanos(30)), Late::TimedOut);
        let again = probe.due(Nanos(30)).expect("again");
        assert_eq!((again.timeouts, again.ends), (1, Nanos(530)));
        probe.end();
        assert_eq!((probe.poll(Nanos(500), Nanos(31)), probe.wakes()), (Late::Nothing, Nanos::MAX));
    }

    #[test]
    fn only_its_answer_ends_it() {
        let mut probe = asked(Pid::from_low_bits(4));
        let header = probe
            .send(Nanos(20), Moment { now: Nanos(10), tick: 7, ..Moment::default() }, &Sealing::NONE)
            .expect("it is there");
        let answer = |header: &Request| Response::ok(header, TICK, 0);
        let other = Request { op_id: 8, ..header };
        assert!(probe.answered(&answer(&other), &[]).is_none());
        assert!(probe.answered(&answer(&header), &[]).is_some() && !probe.is_under_way());
    }
}
