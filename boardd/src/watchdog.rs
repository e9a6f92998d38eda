//! What systemd is told (sd_notify(3)): that the board serves, that the daemon lives, that it ends.
use std::time::{Duration, Instant};

use sd_notify::NotifyState;

/// Tells systemd that the daemon lives, as often as it wants to hear it.
///
/// It is told from the loop that polls the slow path, and nowhere else: a loop that hangs is what the watchdog is for.
#[derive(Debug)]
pub struct Watchdog {
    every: Option<Duration>,
    told: Instant,
}

impl Watchdog {
    /// As systemd asks for in the environment; not under systemd, nothing is told.
    pub fn of_environment() -> Watchdog {
        // Twice as often as it must be: once may come late.
        Watchdog { every: sd_notify::watchdog_enabled().map(|within| within / 2), told: Instant::now() }
    }
    /// The daemon lives.
    pub fn lives(&mut self, now: Instant) {
        if self.every.is_some_and(|every| now.duration_since(self.told) >= every) {
            self.told = now;
            tell(&[NotifyState::Watchdog]);
        }
    }
    /// The board serves; a line for `systemctl status`.
    pub fn ready(&self, status: &str) {
        tell(&[NotifyState::Ready, NotifyState::Status(status)]);
    }
    /// The daemon ends.
    pub fn stopping(&self) {
        tell(&[NotifyState::Stopping]);
    }
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "systemd does not listen");
    }
}
