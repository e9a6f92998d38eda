//! The RDMA port of a board of RTL: the board answers READs, WRITEs and atomics itself, the connection manager is software beside it.
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use mneme_model::Node;
use mneme_model::port::{EgressFrame, NetworkPort};
use mneme_rdma::udp::UdpError;
use mneme_rdma_manager::{Local, Manager};
use mneme_slowpath::FastPath;

use super::door::{RdmaSettings, WATCH};
use super::line::Line;
use super::perftest::{Hardware, Perftest};
use crate::{Beside, DaemonError};

/// Why a board has no RDMA port.
#[derive(Debug, thiserror::Error)]
pub enum HardwareError {
    /// It was built without.
    #[error("it was built without: `--config rdma` has one")]
    None,
    /// A ping-pong needs SENDs, which the port refuses.
    #[error("a ping-pong needs SENDs, which the hardware's port refuses: take a software board")]
    PingPong,
    /// The socket.
    #[error(transparent)]
    Udp(#[from] UdpError),
}

/// RoCEv2 on a board's address, answered by the board.
#[derive(Debug)]
pub struct HardwarePort {
    line: Line,
    manager: Manager,
    perftest: Option<Perftest>,
    /// When tests of perftest are looked at next.
    watch_at: u64,
    start: Instant,
}

impl HardwarePort {
    /// Takes the socket's port. `mac` is the board's.
    ///
    /// # Errors
    /// Every [`HardwareError`].
    pub fn open<F: FastPath>(
        settings: &RdmaSettings,
        mac: [u8; 6],
        fast: &mut F,
    ) -> Result<HardwarePort, HardwareError> {
        if settings.ping_pong.is_some() {
            return Err(HardwareError::PingPong);
        }
        let local = Local { mac, ip: settings.address.octets() };
        let manager = Manager::new(&settings.rules(), local, fast).ok_or(HardwareError::None)?;
        let line = Line::new(mneme_rdma::udp::RocePort::bind(settings.address)?, mac);
        let listen = |own| Perftest::listen(settings.address, own, settings.seed);
        let perftest = settings.perftest.as_ref().map(listen).transpose();
        let perftest =
            perftest.map_err(|error| UdpError::System { what: "a TCP port for perftest", error })?;
        Ok(HardwarePort { line, manager, perftest, watch_at: 0, start: Instant::now() })
    }
    /// What was counted, as [`statistics_names`](super::statistics_names) names it.
    pub fn counted(&self) -> Vec<u64> {
        self.manager.counted()
    }
    fn carry(&mut self) {
        self.manager.carried = self.line.counted();
    }
}

impl<F: FastPath + NetworkPort> Beside<Node<F>> for HardwarePort {
    fn serve(&mut self, node: &mut Node<F>) -> Result<bool, DaemonError> {
        let now = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.carry();
        let (fast, slow) = node.parts_mut();
        if let Some(service) = self.perftest.as_mut().filter(|_| now >= self.watch_at) {
            self.watch_at = now + WATCH.as_nanos() as u64;
            service.watch(&mut Hardware { now, manager: &mut self.manager, fast, slow });
            self.manager.perftest = service.counted;
        }
        Ok(self.manager.serve(now, fast, slow))
    }
    fn frame(&mut self) -> Result<Option<Vec<u8>>, DaemonError> {
        Ok(self.line.receive()?)
    }
    fn send(&mut self, frame: &EgressFrame) -> bool {
        self.line.send(frame)
    }
    fn is_due(&self, node: &Node<F>) -> bool {
        node.slow().has_roce()
    }
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.line.fd())
    }
    fn rest(&self, most: Duration) -> Duration {
        self.manager.rest(if self.perftest.is_some() { most.min(WATCH) } else { most })
    }
    fn look(&mut self, node: &mut Node<F>) {
        self.carry();
        self.manager.look(node.fast());
    }
    fn counted(&self) -> Vec<(String, u64)> {
        self.manager.named().chain(self.line.named()).collect()
    }
}
