//! What the ticks of the trace must keep to, whatever the board's timing: a replay decides at these ticks, so a board must not make them up.
use std::collections::{BTreeMap, HashMap};

use mneme_model::port::TraceEvent;
use mneme_model::soft::Page;
use mneme_wire::Tick;

/// What has been seen since the board was at rest last.
#[derive(Debug, Default)]
pub struct Ticks {
    /// When the last header left, and what the last one told.
    left: Option<Tick>,
    told: Option<Tick>,
    /// When the filter decided about requests that it looks up, and when others left it, by place in the order of arrival. Each kind keeps
    /// this order. What is looked up may be decided while one ahead that is not still waits to leave.
    filtered: BTreeMap<u64, Tick>,
    passed: BTreeMap<u64, Tick>,
    /// When the last request of a page was checked again after its walk.
    resumed: HashMap<Page, Tick>,
}

/// An event of the trace with what the test knows of its request.
pub struct Seen<'a> {
    /// The event.
    pub event: &'a TraceEvent,
    /// Nothing when the request may also have been another copy.
    pub number: Option<u64>,
    /// The filter looks it up.
    pub filtered: bool,
    /// The request came at this tick, or later.
    pub entered: Tick,
    /// The page of its address.
    pub page: Page,
    /// The tick that its answer tells, if it tells one.
    pub told: Option<Tick>,
    /// The answer had left by this tick.
    pub now: Tick,
}

impl Ticks {
    /// The board is at rest: what comes later is later, by the tick at which it comes.
    pub fn rest(&mut self) {
        *self = Ticks::default();
    }

    /// Checks the ticks of an event, and notes them.
    pub fn check(&mut self, seen: &Seen<'_>) -> Result<(), &'static str> {
        let tick = |bits: u32| Tick::from_low_bits(bits);
        let (filter, left) = (tick(seen.event.tick_filter), tick(seen.event.tick));
        let before = |one: Tick, other: Tick| one.since(other) < 0;
        if before(filter, seen.entered) {
            return Err("the filter's tick lies before the request's arrival");
        }
        if before(seen.now, left) || before(left, filter) {
            return Err("the answer's time lies outside filter tick and now");
        }
        // It is built before it leaves, and may wait for the network.
        if seen.told.is_some_and(|told| before(told, filter) || before(left, told)) {
            return Err("the header's tick lies outside those of filter and trace");
        }
        if seen.told.is_some_and(|told| self.told.is_some_and(|last| before(told, last))) {
            return Err("a header's tick lies before that of the header ahead of it");
        }
        self.told = seen.told.or(self.told);
        if self.left.is_some_and(|last| before(left, last)) {
            return Err("an answer's tick lies before that of the answer ahead of it");
        }
        self.left = Some(left);
        self.check_filter_order(seen, filter)?;
        self.check_resume(seen, filter, left)
    }

    fn check_filter_order(&mut self, seen: &Seen<'_>, filter: Tick) -> Result<(), &'static str> {
        let Some(number) = seen.number else { return Ok(()) };
        let ahead = |of: &BTreeMap<u64, Tick>| {
            of.range(..number).next_back().is_some_and(|(_, at)| filter.since(*at) < 0)
        };
        let behind =
            |of: &BTreeMap<u64, Tick>| of.range(number..).next().is_some_and(|(_, at)| at.since(filter) < 0);
        let wrong = if seen.filtered {
            ahead(&self.filtered) || behind(&self.filtered) || behind(&self.passed)
        } else {
            ahead(&self.filtered) || ahead(&self.passed) || behind(&self.passed)
        };
        if wrong {
            return Err("the filter's ticks are not in the order of arrival");
        }
        if seen.filtered { &mut self.filtered } else { &mut self.passed }.insert(number, filter);
        Ok(())
    }

    fn check_resume(&mut self, seen: &Seen<'_>, filter: Tick, left: Tick) -> Result<(), &'static str> {
        if !seen.event.resumed {
            return Ok(());
        }
        let resume = Tick::from_low_bits(seen.event.tick_resume);
        if resume.since(filter) < 0 || left.since(resume) < 0 {
            return Err("the tick after the walk lies outside those of filter and answer");
        }
        match self.resumed.insert(seen.page, resume) {
            Some(last) if resume.since(last) < 0 => {
                Err("the ticks after the walks of a page's requests are not in their order")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use mneme_wire::Pid;

    use super::*;

    fn event(filter: u32, resume: Option<u32>, left: u32) -> TraceEvent {
        TraceEvent {
            src_ip: 1,
            src_port: 1,
            op_id: 1,
            attempt: 0,
            opcode: 1,
            status: 0,
            cause: 0,
            tick_filter: filter,
            tick_resume: resume.unwrap_or_default(),
            tick: left,
            resumed: resume.is_some(),
        }
    }
    fn seen(event: &TraceEvent, number: u64) -> Seen<'_> {
        let page = Page { pid: Pid::from_low_bits(1), vpn: 0 };
        let told = Some(Tick::from_low_bits(event.tick));
        let (entered, now) = (Tick::from_low_bits(10), Tick::from_low_bits(100));
        Seen { event, number: Some(number), filtered: event.opcode == 2, entered, page, told, now }
    }
    /// What the last of several events, each with its place in the order of arrival, is blamed for.
    fn blamed(events: &[(u64, TraceEvent)]) -> Option<&'static str> {
        let mut ticks = Ticks::default();
        let ((number, last), before) = events.split_last().expect("an event");
        for (number, event) in before {
            ticks.check(&seen(event, *number)).expect("sound");
        }
        ticks.check(&seen(last, *number)).err()
    }

    #[test]
    fn ticks_in_order_pass() {
        assert_eq!(
            blamed(&[(1, event(10, None, 12)), (0, event(10, Some(12), 12)), (2, event(11, None, 13))]),
            None
        );
    }

    #[test]
    fn who_is_looked_up_may_be_decided_before_one_ahead_that_is_not_leaves() {
        let order = |first: u8, second: u8| {
            let opcodes = [(0, first, 21), (1, second, 20)];
            blamed(&opcodes.map(|(at, opcode, tick)| (at, TraceEvent { opcode, ..event(tick, None, 30) })))
        };
        let read_and_write = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(one, other)| order(one, other).is_none());
        assert_eq!(read_and_write, [false, true, false, false]);
    }

    #[test]
    fn each_bound_is_kept() {
        let one = |filter, resume, left| blamed(&[(0, event(filter, resume, left))]).unwrap_or_default();
        assert!(one(9, None, 12).contains("before the request's arrival"));
        assert!(one(13, None, 12).contains("outside filter tick and now"));
        assert!(one(20, None, 101).contains("outside filter tick and now"));
        assert!(one(20, Some(19), 30).contains("after the walk"));
        assert!(one(20, Some(31), 30).contains("after the walk"));
    }

    #[test]
    fn the_header_tells_a_tick_between_filter_and_trace() {
        let event = event(20, None, 30);
        let check = |ticks: &mut Ticks, told| {
            ticks.check(&Seen { told: Some(Tick::from_low_bits(told)), ..seen(&event, 0) }).is_ok()
        };
        assert_eq!(
            [19, 20, 30, 31].map(|told| check(&mut Ticks::default(), told)),
            [false, true, true, false]
        );
        let mut ticks = Ticks::default();
        assert_eq!([25, 26, 25].map(|told| check(&mut ticks, told)), [true, true, false]);
    }

    #[test]
    fn each_order_is_kept() {
        let two = |first, second| blamed(&[first, second]).unwrap_or_default();
        assert!(two((0, event(20, None, 30)), (1, event(20, None, 29))).contains("ahead of it"));
        assert!(two((0, event(20, None, 30)), (1, event(19, None, 30))).contains("order of arrival"));
        assert!(two((1, event(20, None, 30)), (0, event(21, None, 30))).contains("order of arrival"));
        assert!(
            two((0, event(20, Some(22), 30)), (1, event(20, Some(21), 30))).contains("a page's requests")
        );
    }
}
