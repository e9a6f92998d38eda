//! How fast drivers are, here and now: pings to the board, alone and several at once.
use super::{Driver, DriverError};
use mneme_wire::header::{HEADER_LEN, Packet, Request};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Pid, Tick, Trailer, Va};
use std::fmt;
use std::time::{Duration, Instant};

/// How long a board may take to answer the ping that decides whether a driver reaches it, and how often it is sent.
const PROBE: Duration = Duration::from_millis(100);
const PROBES: usize = 3;
/// Pings at once: what drivers that move several datagrams per system call are good at.
const BURST: u32 = 16;
/// Times that each driver is measured, alone and at once; the median counts. Fewer when time is up.
const ROUNDS: usize = 15;
const BURSTS: usize = 7;
/// All of it takes no longer than this and one answer.
const LONGEST: Duration = Duration::from_millis(150);
/// No answer is waited for for longer.
const PATIENCE: Duration = Duration::from_millis(20);
/// Figures this close are as good as equal: a busy machine's are.
const CLOSE: f64 = 1.15;

/// What a driver needed for pings to the board.
///
/// ```
/// use mneme_clib::driver::Speed;
/// use std::time::Duration;
///
/// let speed = Speed { alone: Duration::from_micros(9), together: Duration::from_micros(2) };
/// assert!(speed.to_string().starts_with("9.0µs for a ping"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed {
    /// From sending one to its answer: the median.
    pub alone: Duration,
    /// The same of several at once, for each of them.
    pub together: Duration,
}

impl Speed {
    /// What counts: half as long for one is worth twice as long for each of several.
    fn cost(&self) -> f64 {
        (self.alone.as_secs_f64() * self.together.as_secs_f64()).sqrt()
    }
    /// The driver to take, by its place: the first that no other beats clearly. Unmeasured ones are not taken while
    /// others are measured.
    pub(super) fn best(all: &[Option<Speed>]) -> usize {
        let cost = |speed: &Option<Speed>| speed.map_or(f64::INFINITY, |speed| speed.cost());
        let least = all.iter().map(cost).fold(f64::INFINITY, f64::min);
        all.iter().position(|speed| cost(speed) <= least * CLOSE).unwrap_or(0)
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1?} for a ping, {:.1?} for each of {BURST}", self.alone, self.together)
    }
}

/// Whether the board answers a ping through a driver: how long it took. Blocks for up to 0.3 s.
pub fn probe(driver: &mut dyn Driver) -> Result<Duration, DriverError> {
    for number in 0..PROBES as u32 {
        if let Some(took) = pings(driver, number..number + 1, PROBE)? {
            return Ok(took);
        }
    }
    Err(DriverError::NoAnswer { peer: driver.peer(), trouble: driver.trouble() })
}

/// Measures drivers that reach the board, in turns, so that what disturbs the machine disturbs all alike.
pub(super) fn measure(drivers: &mut [&mut dyn Driver]) -> Vec<Option<Speed>> {
    let until = Instant::now() + LONGEST;
    let mut numbers = PROBES as u32;
    let mut rounds = |rounds: usize, at_once: u32, share: u32| {
        let mut took = vec![Vec::with_capacity(rounds); drivers.len()];
        let end = until - LONGEST / 2 * share;
        for _ in 0..rounds {
            for (driver, took) in drivers.iter_mut().zip(&mut took) {
                let last = numbers + at_once;
                // A driver that fails, or an answer that is lost, has no time.
                took.extend(pings(*driver, numbers..last, PATIENCE).ok().flatten());
                numbers = last;
            }
            if Instant::now() >= end {
                break;
            }
        }
        took.into_iter().map(median).collect::<Vec<_>>()
    };
    let alone = rounds(ROUNDS, 1, 1);
    let together = rounds(BURSTS, BURST, 0);
    let both = alone.into_iter().zip(together);
    both.map(|(alone, together)| {
        let alone = alone?;
        // Where not all of them are answered, one after the other is what works.
        Some(Speed { alone, together: together.map_or(alone, |together| together / BURST) })
    })
    .collect()
}

fn median(mut all: Vec<Duration>) -> Option<Duration> {
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

/// Sends pings of these numbers at once; how long it took until all were answered, if they were in time.
fn pings(
    driver: &mut dyn Driver,
    numbers: std::ops::Range<u32>,
    patience: Duration,
) -> Result<Option<Duration>, DriverError> {
    let began = driver.now();
    for number in numbers.clone() {
        driver.send(HEADER_LEN + BoardInfo::LEN, &mut |to| {
            to.fill(0);
            to[..HEADER_LEN].copy_from_slice(&ping(number).to_bytes());
        })?;
    }
    driver.flush()?;
    // Bit by bit: an answer that is doubled counts once.
    let (first, mut missing) = (numbers.start, (1_u64 << numbers.len()) - 1);
    let mut last = began;
    while missing != 0 {
        let left = (began + patience).saturating_sub(driver.now());
        if left.is_zero() {
            return Ok(None);
        }
        driver.receive(left, &mut |now, datagram| {
            let answered = Packet::new_checked(datagram)
                .ok()
                .filter(|packet| packet.is_response() && packet.opcode_number() == Opcode::Ping.number());
            let bit = answered.and_then(|packet| 1_u64.checked_shl(packet.op_id().wrapping_sub(first)));
            missing &= !bit.unwrap_or(0);
            last = now;
        })?;
    }
    Ok(Some(last.saturating_sub(began)))
}

fn ping(number: u32) -> Request {
    Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode: Opcode::Ping,
        epoch: 0,
        pid: Pid::NONE,
        op_id: number,
        attempt: 0,
        time: Tick::default(),
        va: Va::default(),
        length: BoardInfo::LEN as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::Take;
    use mneme_wire::Response;

    const US: Duration = Duration::from_micros(1);

    fn speed(alone: u32, together: u32) -> Option<Speed> {
        Some(Speed { alone: alone * US, together: together * US })
    }

    #[test]
    fn the_fastest_is_taken_and_the_order_decides_between_equals() {
        assert_eq!(Speed::best(&[speed(30, 3), speed(20, 2), speed(25, 2)]), 1);
        assert_eq!(Speed::best(&[speed(21, 2), speed(20, 2), speed(9, 9)]), 0, "as good as equal");
        assert_eq!(
            Speed::best(&[speed(10, 8), speed(20, 2)]),
            1,
            "twice as long for one, a quarter for many"
        );
        assert_eq!(Speed::best(&[None, speed(9_000, 900)]), 1);
        assert_eq!(Speed::best(&[None, None]), 0);
    }

    /// Answers after a time of its own clock, which stands still otherwise; loses every n-th datagram.
    struct Echo {
        clock: Duration,
        alone: Duration,
        each: Duration,
        lost_every: Option<u32>,
        sent: u32,
        waiting: Vec<Vec<u8>>,
    }

    impl Driver for Echo {
        fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
            let mut bytes = vec![0; length];
            fill(&mut bytes);
            self.sent += 1;
            if self.lost_every.is_none_or(|every| !self.sent.is_multiple_of(every)) {
                self.waiting.push(bytes);
            }
            Ok(())
        }
        fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
            let all = std::mem::take(&mut self.waiting);
            self.clock += if all.is_empty() { wait } else { self.alone };
            for bytes in &all {
                self.clock += self.each;
                let request = Request::parse(&Packet::new_checked(&bytes[..]).unwrap()).unwrap();
                let answer = Response::ok(&request, Tick::default(), 0).to_bytes();
                take(self.clock, &answer);
                // Once more: it counts once.
                take(self.clock, &answer);
            }
            Ok(all.len())
        }
        fn now(&self) -> Duration {
            self.clock
        }
        fn max_datagram(&self) -> usize {
            1_400
        }
        fn peer(&self) -> String {
            "echo".into()
        }
    }

    fn echo(alone: u32, each: u32, lost_every: Option<u32>) -> Echo {
        let (alone, each) = (alone * US, each * US);
        Echo { clock: Duration::ZERO, alone, each, lost_every, sent: 0, waiting: Vec::new() }
    }

    #[test]
    fn pings_alone_and_together_are_timed_and_losses_are_not() {
        let mut all = [echo(20, 1, None), echo(10, 4, None), echo(10, 4, Some(4)), echo(1, 1, Some(1))];
        let mut drivers: Vec<&mut dyn Driver> = all.iter_mut().map(|one| one as &mut dyn Driver).collect();
        let came = measure(&mut drivers);
        assert_eq!(came[0], Some(Speed { alone: 21 * US, together: 36 * US / BURST }));
        assert_eq!(came[1], Some(Speed { alone: 14 * US, together: 74 * US / BURST }));
        assert_eq!(came[2], speed(14, 14), "sixteen at once never come whole");
        assert_eq!(came[3], None);
        assert_eq!(Speed::best(&came), 0);
        assert!(probe(&mut all[0]).is_ok());
        let silent = probe(&mut all[3]).unwrap_err();
        assert!(matches!(silent, DriverError::NoAnswer { .. }), "{silent}");
    }
}
