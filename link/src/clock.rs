//! The time that drivers tell: the system's clock since boot, which the processor's counter continues for some
//! microseconds at a time, since it takes less than half as long to read.
//!
//! It goes on while the machine sleeps (`CLOCK_BOOTTIME`), as boards do: an operation that was under way when a laptop was
//! closed is as old as the board says it is.
use std::cell::Cell;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

/// How long the counter tells the time alone, as it counts. Should it run at half or twice its rate of a sudden, then the
/// time is wrong by that much at most, until the next look at the system's clock.
const REACH: Duration = Duration::from_micros(20);
/// The counter's rate is measured over no less.
const MEASURED: Duration = Duration::from_millis(1);
/// Ticks of the counter within which both clocks were read as if at once: a microsecond at most where there is a gigahertz. It
/// took longer when the thread was interrupted in between.
const AT_ONCE: u64 = 1_024;
/// Bits of a rate behind the point.
const FRACTION: u32 = 24;
/// Rates of counters that are worth asking: a tick lasts between a sixteenth of a nanosecond and 16.
const RATES: Range<u64> = (1 << FRACTION) / 16..16 << FRACTION;
/// Two measurements of a rate agree when they differ by less than a part in so many.
const AGREE: u64 = 64;

/// A monotonic clock, for one client. It shows what the system's `CLOCK_BOOTTIME` shows, within about a microsecond.
///
/// Where the system itself does not go by the processor's counter, this clock does not either.
///
/// ```
/// let clock = mneme_link::Clock::default();
/// assert!(clock.now() <= clock.now());
/// ```
#[derive(Debug)]
pub struct Clock {
    /// Whether the counter is asked.
    counts: bool,
    told: Cell<Told>,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { counts: counts(), told: Cell::default() }
    }
}

impl Clock {
    /// The time since some moment in the past.
    #[inline]
    pub fn now(&self) -> Duration {
        if !self.counts {
            return system();
        }
        self.told.get().after(counter).unwrap_or_else(|| self.look())
    }
    #[cold]
    fn look(&self) -> Duration {
        let mut told = self.told.get();
        let now = told.look(counter, system);
        self.told.set(told);
        now
    }
}

/// What the system's clock said last, and what the counter makes of that.
#[derive(Debug, Clone, Copy, Default)]
struct Told {
    /// When, in ticks of the counter, and the time then.
    ticks: u64,
    at: Duration,
    /// For how many ticks the counter tells the time; none: the system does.
    reach: u64,
    /// Nanoseconds of a tick, with [`FRACTION`] bits behind the point.
    rate: u64,
    /// The rate as it was measured last. It counts when it is measured again, and agrees: between the two a machine that was
    /// asleep, or moved, does not.
    measured: u64,
    /// A moment from which on the rate is measured.
    since: Option<(u64, Duration)>,
}

impl Told {
    /// The time, if the counter tells it.
    #[inline]
    fn after(&self, counter: impl FnOnce() -> u64) -> Option<Duration> {
        if self.reach == 0 {
            return None;
        }
        let passed = counter().wrapping_sub(self.ticks);
        (passed < self.reach).then(|| self.at + self.span(passed))
    }
    /// How long some ticks within the reach take.
    #[inline]
    fn span(&self, ticks: u64) -> Duration {
        Duration::new(0, ((ticks * self.rate) >> FRACTION) as u32)
    }
    /// Looks at the system's clock: the time.
    fn look(&mut self, counter: impl Fn() -> u64, system: impl Fn() -> Duration) -> Duration {
        if let (0, Some((_, since))) = (self.rate, self.since) {
            let at = system();
            if at < since + MEASURED {
                return at.max(self.at);
            }
        }
        let (before, at, after) = (counter(), system(), counter());
        // Time does not go back behind what may have been told. Where the counter was ahead, it tells nothing until the
        // system has caught up.
        let latest = self.at + self.span(self.reach);
        let is_behind = at < latest;
        (self.ticks, self.at, self.reach) = (before, at.max(latest), 0);
        let at_once = after.checked_sub(before).is_some_and(|took| took <= AT_ONCE);
        if !at_once {
            return self.at;
        }
        self.measure(before, at);
        if !is_behind && self.rate > 0 {
            self.reach = (REACH.as_nanos() as u64) << FRACTION;
            self.reach /= self.rate;
        }
        self.at
    }
    fn measure(&mut self, ticks: u64, at: Duration) {
        let Some((first, since)) = self.since else {
            self.since = Some((ticks, at));
            return;
        };
        let span = at.saturating_sub(since);
        if ticks <= first {
            // Another counter.
            (self.rate, self.measured, self.since) = (0, 0, Some((ticks, at)));
        } else if span >= MEASURED {
            let rate = (span.as_nanos() << FRACTION) / u128::from(ticks - first);
            let rate = u64::try_from(rate).unwrap_or(u64::MAX);
            let agrees = rate.abs_diff(self.measured) <= self.measured / AGREE;
            (self.rate, self.measured) = (if agrees && RATES.contains(&rate) { rate } else { 0 }, rate);
            self.since = Some((ticks, at));
        }
    }
}

/// The system's clock since boot. [`std::time::Instant`] stands still while the machine sleeps.
fn system() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Boottime);
    // The clock begins at boot and shows less than a second of nanoseconds.
    Duration::new(tv_sec.unsigned_abs(), tv_nsec as u32)
}

/// The processor's counter.
#[cfg(target_arch = "x86_64")]
#[inline]
fn counter() -> u64 {
    // SAFETY: every x86-64 processor has it, and a system that goes by it lets programs read it.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Elsewhere the system's clock is not slower than the counter.
#[cfg(not(target_arch = "x86_64"))]
fn counter() -> u64 {
    0
}

/// Whether the system goes by that counter: then it ticks evenly, and alike on all processors.
fn counts() -> bool {
    const SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    static COUNTS: OnceLock<bool> = OnceLock::new();
    *COUNTS.get_or_init(|| {
        cfg!(target_arch = "x86_64") && std::fs::read_to_string(SOURCE).is_ok_and(|name| name.trim() == "tsc")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const US: u64 = 1_000;

    /// A machine's clocks, in nanoseconds and ticks.
    struct Machine {
        time: Cell<u64>,
        ticks: Cell<u64>,
        /// Ticks of a microsecond.
        speed: u64,
        told: Told,
        latest: Duration,
        /// How many quarters of a look at the system's clock pass before it is read.
        before: u64,
    }

    impl Machine {
        fn new(speed: u64) -> Machine {
            // Up for a while, as machines are.
            let (time, ticks) = (3_600_000_000 * US, 77_000_000_000_000);
            let (time, ticks) = (Cell::new(time), Cell::new(ticks));
            Machine { time, ticks, speed, told: Told::default(), latest: Duration::ZERO, before: 2 }
        }
        fn pass(&self, ns: u64) {
            self.time.set(self.time.get() + ns);
            self.ticks.set(self.ticks.get().wrapping_add(ns * self.speed / US));
        }
        /// The time as it is told; a look at the system's clock takes `look` ns. Whether there was one.
        fn ask(&mut self, look: u64) -> (Duration, bool) {
            let mut told = self.told;
            let counter = || self.ticks.get();
            let system = || {
                let before = look * self.before / 4;
                self.pass(before);
                let at = Duration::from_nanos(self.time.get());
                self.pass(look - before);
                at
            };
            let (now, looked) = match told.after(counter) {
                Some(now) => (now, false),
                None => (told.look(counter, system), true),
            };
            assert!(now >= self.latest, "time goes back from {:?} to {now:?}", self.latest);
            (self.told, self.latest) = (told, now);
            (now, looked)
        }
        fn error(&mut self, look: u64) -> u64 {
            let (now, _) = self.ask(look);
            (now.as_nanos() as u64).abs_diff(self.time.get())
        }
        /// Asks every microsecond for a while; the looks at the system's clock, and the largest error.
        fn run(&mut self, us: u64) -> (u64, u64) {
            let (mut looks, mut worst) = (0, 0);
            for _ in 0..us {
                self.pass(US);
                let (now, looked) = self.ask(40);
                looks += u64::from(looked);
                worst = worst.max((now.as_nanos() as u64).abs_diff(self.time.get()));
            }
            (looks, worst)
        }
    }

    #[test]
    fn the_counter_saves_looks_once_its_rate_is_known() {
        let mut machine = Machine::new(2_700);
        let (looks, worst) = machine.run(900);
        assert_eq!((looks, worst), (900, 20), "its rate is not known yet");
        machine.run(1_200);
        let (looks, worst) = machine.run(20_000);
        assert!((900..=1_100).contains(&looks) && worst <= 60, "{looks} looks, wrong by {worst} ns");
    }

    #[test]
    fn a_counter_that_changes_its_rate_is_wrong_for_a_moment_only() {
        for speed in [900, 2_000, 2_760, 5_400] {
            let mut machine = Machine::new(2_700);
            machine.run(20_000);
            machine.speed = speed;
            let (_, worst) = machine.run(1_200);
            let most = 20_000 * speed.abs_diff(2_700) / 2_700.min(speed) + 100;
            assert!(worst <= most, "{speed}: wrong by {worst} ns");
            machine.run(3_300);
            let (looks, worst) = machine.run(20_000);
            assert!(looks <= 1_100 && worst <= 100, "{speed}: {looks} looks, wrong by {worst} ns");
        }
    }

    #[test]
    fn a_counter_that_begins_anew_is_measured_anew() {
        let mut machine = Machine::new(2_700);
        machine.run(20_000);
        machine.ticks.set(5);
        let (looks, worst) = machine.run(900);
        // What may have been told before is not told again.
        assert!(looks > 850 && worst <= 20_000, "{looks} looks, wrong by {worst} ns");
        machine.run(1_300);
        assert!(machine.run(20_000).0 <= 1_100);
    }

    #[test]
    fn a_machine_that_was_asleep_does_not_stop_the_clock() {
        // The counter goes on in some kinds of sleep in which the system's clock stands still; asleep once while the rate is
        // measured for the first time, and once afterwards.
        for before in [500, 1_500, 20_300] {
            for seconds in [0, 1, 600, 3_600] {
                let mut machine = Machine::new(2_700);
                machine.run(before);
                machine.ticks.set(machine.ticks.get() + seconds * 2_700_000_000 + 300_000);
                let (_, worst) = machine.run(4_000);
                assert!(worst <= 20_000, "asleep for {seconds} s after {before} us: wrong by {worst} ns");
                let (looks, worst) = machine.run(20_000);
                assert!(looks <= 1_100 && worst <= 100, "{seconds}: {looks} looks, wrong by {worst} ns");
            }
        }
    }

    #[test]
    fn a_counter_that_stands_still_is_not_asked() {
        let mut machine = Machine::new(0);
        assert_eq!(machine.run(50_000), (50_000, 20));
        assert_eq!(machine.told.reach, 0);
    }

    /// In a namespace whose machine has slept for longer than it was awake.
    #[test]
    fn the_clock_goes_on_while_the_machine_sleeps() {
        const TEST: &str = "the_clock_goes_on_while_the_machine_sleeps";
        const ASLEEP: &str = "MNEME_TEST_ASLEEP";
        if std::env::var_os(ASLEEP).is_some() {
            let Timespec { tv_sec, .. } = clock_gettime(ClockId::Monotonic);
            let ahead = Clock::default().now().as_secs().checked_sub(tv_sec.unsigned_abs());
            assert!(ahead.is_some_and(|ahead| ahead >= 1_000_000), "{ahead:?}");
            return;
        }
        let program = std::env::current_exe().expect("this program");
        let run = std::process::Command::new("unshare")
            .args(["--time", "--fork", "--boottime", "1000000"])
            .arg(program)
            .args(["--exact", &format!("clock::tests::{TEST}"), "--nocapture"])
            .env(ASLEEP, "yes")
            .output();
        match run {
            Ok(run) if run.status.success() => {
                let said = String::from_utf8_lossy(&run.stdout);
                assert!(said.contains("1 passed"), "it has not run there: {said}");
            }
            Ok(run) if String::from_utf8_lossy(&run.stderr).contains("unshare failed") => {
                mneme_skips::skipped(
                    TEST,
                    mneme_skips::Lack::Privileges,
                    format_args!("a namespace of time needs root"),
                );
            }
            Ok(run) => panic!("{}", String::from_utf8_lossy(&run.stderr)),
            Err(error) => {
                mneme_skips::skipped(TEST, mneme_skips::Lack::System, format_args!("unshare: {error}"))
            }
        }
    }

    #[test]
    fn the_clock_of_this_machine_goes_with_the_system() {
        let clock = Clock::default();
        let mut latest = clock.now();
        let end = latest + 30 * MEASURED;
        while latest < end {
            let (before, now, after) = (system(), clock.now(), system());
            assert!(now >= latest, "time goes back");
            assert!(now + Duration::from_micros(100) >= before, "{now:?} is behind {before:?}");
            assert!(now <= after + Duration::from_micros(100), "{now:?} is ahead of {after:?}");
            latest = now;
        }
    }

    proptest! {
        /// Looks that are interrupted before or after the system's clock is read, pauses, rates that differ by up to 2 in
        /// 1,000, and a counter that jumps.
        #[test]
        fn time_never_goes_back_and_is_never_far_off(
            speed in 100..6_000_u64,
            steps in prop::collection::vec((0..200_000_u64, 0..40_u8, 20..5_000_u64), 1..600),
        ) {
            let (mut machine, mut off) = (Machine::new(speed), 0);
            for (step, kind, look) in steps {
                machine.before = step % 5;
                match kind {
                    0 => machine.ticks.set(machine.ticks.get() + step * step),
                    // Far: on a system that goes by it the counter is the same on all processors.
                    1 => machine.ticks.set(machine.ticks.get() - 100_000_000_000 - step),
                    2..13 => machine.pass(step),
                    13..25 => machine.pass(step % 300),
                    25..35 => machine.pass(step * 100),
                    _ => machine.speed = speed + speed * (step % 3) / 1_000,
                }
                if kind < 2 {
                    // Within its reach nobody can tell.
                    off = 20_000;
                }
                // The look itself, the rate's error over the reach, and what a short look leaves uncertain.
                let error = machine.error(look);
                prop_assert!(error <= off + look + 20 + 2 * AT_ONCE * US / speed.min(2_048), "wrong by {error} ns");
            }
        }
    }
}
