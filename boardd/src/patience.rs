//! How long a daemon that has found nothing looks, and how long it then sleeps.
use std::time::Duration;

/// A daemon looks at memory for this long before it sleeps, when that has been worth it lately: an interrupt takes a Linux system
/// on a board's processor about as long.
const LOOK: Duration = Duration::from_micros(20);
/// It never looks for less, and so notices when looking has become worth it.
const GLANCE: Duration = Duration::from_micros(1);
/// The first sleep after work.
const SHORT: Duration = Duration::from_micros(50);
/// The longest. No interrupt tells that page faults have taken pages from the async buffer, so the daemon looks this often.
const LONG: Duration = Duration::from_millis(1);

/// Looks shortly and then sleeps; each adapts to what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    look: Duration,
    sleep: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { look: LOOK, sleep: SHORT }
    }
}

impl Patience {
    /// How long to look.
    pub fn look(&self) -> Duration {
        self.look
    }
    /// How long to sleep at most.
    pub fn sleep(&self) -> Duration {
        self.sleep
    }
    /// Something came while it looked.
    pub fn came(&mut self) {
        *self = Patience::default();
    }
    /// Nothing did, and it slept. `woken`: by an interrupt.
    pub fn slept(&mut self, woken: bool) {
        self.look = (self.look / 2).max(GLANCE);
        self.sleep = if woken { SHORT } else { (self.sleep * 2).min(LONG) };
    }
    /// There was something to do.
    pub fn worked(&mut self) {
        self.sleep = SHORT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_daemon_looks_less_and_sleeps_longer_within_bounds() {
        let mut patience = Patience::default();
        for _ in 0..20 {
            let before = patience;
            patience.slept(false);
            assert!(patience.look() <= before.look() && patience.sleep() >= before.sleep());
        }
        assert_eq!((patience.look(), patience.sleep()), (GLANCE, LONG));
        patience.slept(true);
        assert_eq!((patience.look(), patience.sleep()), (GLANCE, SHORT), "it slept well, and is at work");
        patience.came();
        assert_eq!(patience, Patience::default());
    }
}
