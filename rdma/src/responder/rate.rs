//! The rate at which a queue pair's answers leave: the reaction point of DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA
//! Deployments", SIGCOMM 2015, §3.1), in whole numbers, as the hardware has it.
//!
//! An example. A queue pair answers READs as fast as the port can. A notification comes: it may send half as much from now on. 57 µs later,
//! without another one, three quarters, then seven eighths: *fast recovery*, half of the way back each time, five times. Then its target
//! grows by 40 Mbit/s a time, and by 400 Mbit/s once both clocks, time and 8 MiB sent, have ticked more than five times.
//!
//! Time is in periods of 8.192 µs. A rate is bytes a period. A queue pair has bytes in hand: each period brings as many as its rate is, and
//! none are kept from the one before. It may send while it is not in debt, so a packet may be longer than what it has in hand.
use mneme_wire::roce::{
    ROCE_RATE_ADDITIVE, ROCE_RATE_ALPHA_BITS, ROCE_RATE_BYTES_LOG, ROCE_RATE_HEADERS, ROCE_RATE_HYPER,
    ROCE_RATE_LEAST, ROCE_RATE_LINE, ROCE_RATE_PERIOD, ROCE_RATE_STAGES, ROCE_RATE_TIMER,
};

/// Nanoseconds of a period: cycles of 4 ns.
pub const PERIOD: u64 = ROCE_RATE_PERIOD as u64 * 4;
/// Alpha at its most: a notification halves the rate.
const ALPHA: u32 = (1 << ROCE_RATE_ALPHA_BITS) - 1;
/// Log2 of the units in which bytes sent are counted.
const UNIT_LOG: u32 = 8;
/// Stages are counted so far.
const STAGE_MAX: u32 = 7;
/// Who looks at a rate after a while has what so many periods brought.
const LATE: u32 = 8;
/// A debt is not counted further.
const DEBT_MAX: i32 = -(1 << 17);

/// The rate of one queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The most that it may ever be.
    pub cap: u32,
    /// What it is.
    pub rate: u32,
    /// Where it comes back to.
    pub target: u32,
    /// How congested the way is.
    pub alpha: u32,
    /// Periods since it grew by time.
    pub timer: u32,
    /// Units of 256 bytes since it grew by them.
    pub units: u32,
    /// How often it grew by time, and by bytes, since the last notification.
    pub stages: [u32; 2],
    /// Bytes in hand; below 0: a debt.
    pub credit: i32,
    /// The period that it was brought to.
    period: u64,
}

impl Rate {
    /// The rate of a new queue pair. `cap`: its most, in bytes a period; 0: none.
    pub fn new(cap: u32) -> Rate {
        let cap = if cap == 0 { ROCE_RATE_LINE } else { cap.clamp(ROCE_RATE_LEAST, ROCE_RATE_LINE) };
        Rate {
            cap,
            rate: cap,
            target: cap,
            alpha: ALPHA,
            timer: 0,
            units: 0,
            stages: [0; 2],
            credit: 0,
            period: 0,
        }
    }

    /// The cap, in bytes a period, of so many bytes a second; `None`: below [`ROCE_RATE_LEAST`] or over [`ROCE_RATE_LINE`].
    pub fn cap_of(bytes_a_second: u64) -> Option<u32> {
        let cap = u128::from(bytes_a_second) * u128::from(PERIOD) / 1_000_000_000;
        u32::try_from(cap).ok().filter(|cap| (ROCE_RATE_LEAST..=ROCE_RATE_LINE).contains(cap))
    }
    /// Whether it has any effect.
    pub const fn is_limited(&self) -> bool {
        self.rate != ROCE_RATE_LINE
    }
    /// Whether a notification has lowered it, and it is not back.
    const fn is_low(&self) -> bool {
        self.rate != self.cap
    }
    /// Whether an answer must wait.
    pub const fn holds(&self) -> bool {
        self.is_limited() && self.credit < 0
    }

    /// When the next period begins, in nanoseconds.
    pub const fn next(&self) -> u64 {
        (self.period + 1) * PERIOD
    }
    /// Brings it to `now`, in nanoseconds.
    pub fn advance(&mut self, now: u64) {
        let period = now / PERIOD;
        let mut left = period.saturating_sub(self.period);
        self.period = self.period.max(period);
        // It is back at its cap after some seconds at most, and a queue pair without one has nothing in hand then.
        let mut late = LATE;
        while left > 0 && (self.is_low() || self.is_limited() && self.credit < self.cap as i32) {
            // Software that comes late has what the last few periods brought.
            let kept = if late > 0 { self.credit.max(0) } else { 0 };
            self.pass();
            if self.is_limited() {
                self.credit += kept;
            }
            left -= 1;
            late = late.saturating_sub(1);
        }
    }

    /// A period has passed.
    pub fn pass(&mut self) {
        if !self.is_limited() {
            return;
        }
        self.credit = self.credit.min(0) + self.rate as i32;
        if !self.is_low() {
            return;
        }
        self.timer += 1;
        if self.timer == ROCE_RATE_TIMER {
            self.timer = 0;
            self.alpha -= self.alpha >> 8;
            self.grow(0);
        }
    }

    /// A packet with so many bytes of payload has left.
    pub fn sent(&mut self, payload: u32) {
        if !self.is_limited() {
            return;
        }
        let bytes = payload + ROCE_RATE_HEADERS;
        self.credit = (self.credit - bytes as i32).max(DEBT_MAX);
        if !self.is_low() {
            return;
        }
        self.units += bytes.div_ceil(1 << UNIT_LOG);
        if self.units >> ROCE_RATE_BYTES_LOG != 0 {
            self.units &= (1 << ROCE_RATE_BYTES_LOG) - 1;
            self.grow(1);
        }
    }

    /// A notification has come.
    pub fn cut(&mut self) {
        let alpha = if self.is_low() { self.alpha } else { ALPHA };
        self.credit = if self.is_limited() { self.credit.min(0) } else { 0 };
        self.target = self.rate;
        let part = u64::from(self.rate) * u64::from(alpha >> (ROCE_RATE_ALPHA_BITS - 8));
        self.rate = (self.rate - (part >> 9) as u32).max(ROCE_RATE_LEAST);
        self.alpha = alpha + ((ALPHA - alpha) >> 8);
        (self.timer, self.units, self.stages) = (0, 0, [0; 2]);
    }

    /// One of the two clocks has ticked.
    fn grow(&mut self, clock: usize) {
        self.stages[clock] = (self.stages[clock] + 1).min(STAGE_MAX);
        let [least, most] = [self.stages[0].min(self.stages[1]), self.stages[0].max(self.stages[1])];
        let more = match (least > ROCE_RATE_STAGES, most < ROCE_RATE_STAGES) {
            (true, _) => ROCE_RATE_HYPER,
            (_, true) => 0,
            _ => ROCE_RATE_ADDITIVE,
        };
        self.target = (self.target + more).min(self.cap);
        self.rate = (self.rate + self.target).div_ceil(2);
        if !self.is_limited() {
            self.credit = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What it sends in so many periods when it always has something to send.
    fn sends(rate: &mut Rate, periods: u64, payload: u32) -> u64 {
        let mut bytes = 0;
        for _ in 0..periods {
            rate.pass();
            while rate.is_limited() && !rate.holds() {
                rate.sent(payload);
                bytes += u64::from(payload + ROCE_RATE_HEADERS);
            }
        }
        bytes
    }

    #[test]
    fn a_cap_is_of_bytes_a_second() {
        let caps = [0, 15_624_999, 15_625_000, 1_000_000_000, 15_999_999_999, 16_000_000_000, u64::MAX];
        let periods = [None, None, Some(128), Some(8192), Some(131_071), None, None];
        assert_eq!(caps.map(Rate::cap_of), periods);
    }

    #[test]
    fn a_notification_halves_the_rate_and_it_comes_back_by_halves() {
        let mut rate = Rate::new(0);
        assert!(!rate.is_limited() && !rate.holds());
        rate.cut();
        let half = ROCE_RATE_LINE / 2;
        assert!(rate.rate.abs_diff(half) <= half / 128, "{rate:?}");
        let mut away = ROCE_RATE_LINE - rate.rate;
        for _ in 1..ROCE_RATE_STAGES {
            (0..ROCE_RATE_TIMER).for_each(|_| rate.pass());
            assert_eq!(rate.target, ROCE_RATE_LINE);
            assert_eq!(ROCE_RATE_LINE - rate.rate, away / 2);
            away /= 2;
        }
        (0..100 * ROCE_RATE_TIMER).for_each(|_| rate.pass());
        assert!(!rate.is_limited() && rate.credit == 0, "it is back: {rate:?}");
    }

    #[test]
    fn more_notifications_take_it_to_the_least_and_no_further() {
        let mut rate = Rate::new(0);
        for _ in 0..100 {
            rate.cut();
            assert!(rate.rate >= ROCE_RATE_LEAST && rate.rate <= rate.target);
        }
        assert_eq!(rate.rate, ROCE_RATE_LEAST);
        // 4 KB at the lowest rate: once in 33 periods.
        let bytes = sends(&mut rate, 4, 4096);
        assert_eq!(bytes, 4192);
        assert!(rate.holds());
    }

    #[test]
    fn what_is_sent_is_what_the_rate_says() {
        let mut rate = Rate::new(10_000);
        for payload in [0, 256, 1024, 4096] {
            let bytes = sends(&mut rate, 1000, payload);
            assert!(bytes.abs_diff(10_000_000) < 3 * 4192, "{bytes} with {payload}");
            assert_eq!(rate.rate, 10_000);
        }
    }

    #[test]
    fn it_grows_by_steps_and_by_larger_ones_when_both_clocks_have_ticked() {
        let mut rate = Rate::new(0);
        (0..40).for_each(|_| rate.cut());
        let clock = |rate: &mut Rate, clock| {
            let before = rate.target;
            rate.grow(clock);
            rate.target - before
        };
        let mut steps = Vec::new();
        (0..7).for_each(|_| steps.push(clock(&mut rate, 0)));
        (0..7).for_each(|_| steps.push(clock(&mut rate, 1)));
        let (a, h) = (ROCE_RATE_ADDITIVE, ROCE_RATE_HYPER);
        assert_eq!(steps, [0, 0, 0, 0, a, a, a, a, a, a, a, a, h, h]);
    }

    #[test]
    fn time_that_passes_at_once_is_time_that_passes_by_periods() {
        for cap in [0, 5000] {
            let mut one = Rate::new(cap);
            for at in [3, 40, 41, 90, 1000] {
                let mut other = one;
                one.advance(at * PERIOD);
                (other.period..at).for_each(|_| other.pass());
                other.period = at;
                assert!(one.credit >= other.credit && one.credit <= LATE as i32 * other.rate as i32);
                other.credit = one.credit;
                assert_eq!(one, other);
                one.sent(4096);
                if at == 40 {
                    one.cut();
                    one.cut();
                }
            }
        }
    }
}
