//! Both services of a board whose port is hardware.
use std::time::Duration;

use mneme_rdma_manager::Manager;
use mneme_slowpath::FastPath;

use crate::hardware::{Around, Hardware};
use crate::perftest::{Perftest, Taken};
use crate::ping_pong::PingPong;

/// How often callers are looked at.
pub const LOOK: Duration = Duration::from_millis(10);

/// The services that a board has.
#[derive(Debug, Default)]
pub struct Services {
    /// `ibv_rc_pingpong`'s.
    pub ping_pong: Option<PingPong>,
    /// perftest's.
    pub perftest: Option<Perftest>,
    /// When callers are looked at next.
    look_at: u64,
}

impl Services {
    /// These.
    pub const fn new(ping_pong: Option<PingPong>, perftest: Option<Perftest>) -> Services {
        Services { ping_pong, perftest, look_at: 0 }
    }
    /// Whether there are any.
    pub const fn any(&self) -> bool {
        self.ping_pong.is_some() || self.perftest.is_some()
    }
    /// Looks at callers, if it is time.
    pub fn watch<F: FastPath>(&mut self, now: u64, manager: &mut Manager, fast: &mut F, around: impl Around) {
        if now < self.look_at {
            return;
        }
        self.look_at = now + LOOK.as_nanos() as u64;
        let mut board = Hardware { manager, fast, around };
        if let Some(service) = &mut self.ping_pong {
            service.watch(now, &mut board);
        }
        if let Some(service) = &mut self.perftest {
            service.watch(now, &mut board);
        }
    }
    /// Takes messages of software's queue pairs. Whether some are to be sent back.
    pub fn take_messages(&mut self, now: u64, manager: &mut Manager) -> bool {
        let mut sends = false;
        while let Some(received) = manager.software().responder.poll_received() {
            if let Some(service) = self.ping_pong.as_mut().filter(|service| service.has(received.qpn)) {
                service.send_back(now, received, manager.software());
                sends = true;
            } else if let Some(service) = &mut self.perftest {
                // What is nobody's is of a test that has just ended. Software has no way to the board's memory.
                let taken = service.take(received, manager.software(), |_, _, _| {});
                sends |= matches!(taken, Taken::Answered);
            }
        }
        if let Some(service) = &mut self.ping_pong {
            service.refill(manager.software());
            manager.ping_pong = service.counted;
        }
        if let Some(service) = &mut self.perftest {
            service.refill(manager.software());
            manager.perftest = service.counted;
        }
        sends
    }
    /// What was counted by reason, beside what the manager tells.
    pub fn named(&self) -> impl Iterator<Item = (String, u64)> {
        self.ping_pong.iter().flat_map(PingPong::named)
    }
}
