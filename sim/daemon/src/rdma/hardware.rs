//! The RDMA port of a board of RTL: the board answers READs, WRITEs and atomics itself, the connection manager is software beside it, and
//! so are queue pairs that take SENDs of any kind.
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
use super::ping_pong::{PATH_MTU, PingPong};
use crate::{Beside, DaemonError};

/// Why a board has no RDMA port.
#[derive(Debug, thiserror::Error)]
pub enum HardwareError {
    /// It was built without.
    #[error("it was built without: `--config rdma` has one")]
    None,
    /// Its frames are too short for a ping-pong.
    #[error(
        "a ping-pong has packets of {needs} bytes, and those that this board leaves to software have {0} at most: take one with an MTU of 1500",
        needs = PATH_MTU.bytes()
    )]
    PingPong(usize),
    /// The socket.
    #[error(transparent)]
    Udp(#[from] UdpError),
}

/// RoCEv2 on a board's address, answered by the board.
#[derive(Debug)]
pub struct HardwarePort {
    line: Line,
    manager: Manager,
    ping_pong: Option<PingPong>,
    perftest: Option<Perftest>,
    /// When ping-pongs and tests of perftest are looked at next.
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
        let local = Local { mac, ip: settings.address.octets() };
        let manager = Manager::new(&settings.rules(), local, fast).ok_or(HardwareError::None)?;
        let most = manager.software_mtu();
        if settings.ping_pong.is_some() && most < PATH_MTU {
            return Err(HardwareError::PingPong(most.bytes()));
        }
        let line = Line::new(mneme_rdma::udp::RocePort::bind(settings.address)?, mac);
        let listen = |port| PingPong::listen(settings.address, port, settings.seed);
        let ping_pong = settings.ping_pong.map(listen).transpose();
        let ping_pong =
            ping_pong.map_err(|error| UdpError::System { what: "a TCP port for ping-pongs", error })?;
        let listen = |own| Perftest::listen(settings.address, own, settings.seed);
        let perftest = settings.perftest.as_ref().map(listen).transpose();
        let perftest =
            perftest.map_err(|error| UdpError::System { what: "a TCP port for perftest", error })?;
        Ok(HardwarePort { line, manager, ping_pong, perftest, watch_at: 0, start: Instant::now() })
    }
    /// What was counted, as [`statistics_names`](super::statistics_names) names it.
    pub fn counted(&self) -> Vec<u64> {
        self.manager.counted()
    }
    fn carry(&mut self) {
        self.manager.carried = self.line.counted();
    }
    /// Takes messages of software's queue pairs. Whether some are to be sent back.
    fn take_messages(&mut self, now: u64) -> bool {
        let (manager, mut sends) = (&mut self.manager, false);
        while let Some(received) = manager.software().responder.poll_received() {
            if let Some(service) = self.ping_pong.as_mut().filter(|service| service.has(received.qpn)) {
                service.send_back(now, received, manager.software());
                sends = true;
            } else if let Some(service) = &mut self.perftest {
                // What is nobody's is of a test that has just ended. Software has no way to the board's memory.
                let _nobodys = service.take(received, &mut manager.software().responder, |_, _, _| {});
            }
        }
        if let Some(service) = &mut self.ping_pong {
            service.refill(manager.software());
            manager.ping_pong = service.counted;
        }
        if let Some(service) = &self.perftest {
            manager.perftest = service.counted;
        }
        sends
    }
}

impl<F: FastPath + NetworkPort> Beside<Node<F>> for HardwarePort {
    fn serve(&mut self, node: &mut Node<F>) -> Result<bool, DaemonError> {
        let now = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.carry();
        let (fast, slow) = node.parts_mut();
        if now >= self.watch_at {
            self.watch_at = now + WATCH.as_nanos() as u64;
            if let Some(service) = &mut self.ping_pong {
                service.watch(now, &mut self.manager);
            }
            if let Some(service) = &mut self.perftest {
                service.watch(&mut Hardware { now, manager: &mut self.manager, fast, slow });
            }
        }
        let mut came = self.manager.serve(now, fast, slow);
        if self.take_messages(now) {
            came |= self.manager.serve(now, fast, slow);
        }
        Ok(came)
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
        let serves = self.ping_pong.is_some() || self.perftest.is_some();
        self.manager.rest(if serves { most.min(WATCH) } else { most })
    }
    fn look(&mut self, node: &mut Node<F>) {
        self.carry();
        self.manager.look(node.fast());
    }
    fn counted(&self) -> Vec<(String, u64)> {
        self.manager.named().chain(self.line.named()).collect()
    }
}
