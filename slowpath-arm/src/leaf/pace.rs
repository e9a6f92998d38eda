//! When the ring of frames is looked at for pages that it can do without.
use super::LeafRefused;

/// Ticks between two looks at slices of the ring: others have most of the poller's time meanwhile.
const SLICES: u64 = 256;
/// Ticks between the end of a look at all of it that found none, and the next one. They double each time, up to [`LONGEST`].
const SHORTEST: u64 = 64;
/// About four seconds, where a tick is 8 µs.
const LONGEST: u64 = SHORTEST << 13;

/// When the next look is due.
#[derive(Debug)]
pub(crate) struct Pace {
    last: u64,
    wait: u64,
    /// Ticks after the next look at all of the ring that finds none.
    vain: u64,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace { last: 0, wait: 0, vain: SHORTEST }
    }
    /// Whether it is time for a look.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        now >= self.last.saturating_add(self.wait)
    }
    /// A look has ended.
    pub(crate) fn looked(&mut self, now: u64, found: Result<u64, LeafRefused>) {
        self.last = now;
        self.wait = match found {
            Ok(_) => 0,
            Err(LeafRefused::Unfinished) => SLICES,
            Err(_) => self.vain,
        };
        self.vain = match found {
            Ok(_) => SHORTEST,
            Err(LeafRefused::Unfinished) => self.vain,
            Err(_) => (2 * self.vain).min(LONGEST),
        };
    }
    /// Many frames came back at once: pages may be whole that were not.
    pub(crate) fn freed(&mut self) {
        self.vain = SHORTEST;
        self.wait = self.wait.min(SLICES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_in_vain_come_ever_more_rarely_until_frames_come_back() {
        let mut pace = Pace::new();
        let (mut now, mut waits) = (0, Vec::new());
        for _ in 0..20 {
            pace.looked(now, Err(LeafRefused::NoPage));
            let before = now;
            now = (now..).find(|now| pace.is_due(*now)).expect("some time");
            waits.push(now - before);
        }
        assert_eq!((waits[0], waits[1], waits[19]), (SHORTEST, 2 * SHORTEST, LONGEST));
        pace.freed();
        assert!(pace.is_due(now));
        pace.looked(now, Err(LeafRefused::Unfinished));
        pace.freed();
        assert!(!pace.is_due(now + SLICES - 1) && pace.is_due(now + SLICES), "slices keep their distance");
        pace.looked(now, Ok(7));
        assert!(pace.is_due(now));
    }
}
