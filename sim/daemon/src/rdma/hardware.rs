//! The RDMA port of a board of RTL: the board answers READs, WRITEs and atomics itself, the connection manager is software beside it, and
//! so are queue pairs that take SENDs of any kind.
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mneme_model::Node;
use mneme_model::port::{EgressFrame, NetworkPort};
use mneme_rdma::udp::UdpError;
use mneme_rdma_manager::{Local, Manager};
use mneme_rdma_peers::{LOOK, PATH_MTU, Services};
use mneme_slowpath::FastPath;

use super::door::RdmaSettings;
use super::lent::Lent;
use super::line::Line;
use super::peers::{Grounds, listen};
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
    services: Services,
    /// What clients of perftest have.
    memory: Option<Arc<Lent>>,
    start: Instant,
}

impl Drop for HardwarePort {
    fn drop(&mut self) {
        if let Some(memory) = &self.memory {
            memory.close();
        }
    }
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
        let (ping_pong, perftest) = listen(settings)?;
        let services = Services::new(ping_pong, perftest);
        let memory = settings.perftest.as_ref().map(|own| own.memory.clone());
        Ok(HardwarePort { line, manager, services, memory, start: Instant::now() })
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
        let around = Grounds { slow, memory: self.memory.as_deref() };
        self.services.watch(now, &mut self.manager, fast, around);
        let mut came = self.manager.serve(now, fast, slow);
        if self.services.take_messages(now, &mut self.manager) {
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
        self.manager.rest(if self.services.any() { most.min(LOOK) } else { most })
    }
    fn look(&mut self, node: &mut Node<F>) {
        self.carry();
        self.manager.look(node.fast());
    }
    fn counted(&self) -> Vec<(String, u64)> {
        self.manager.named().chain(self.services.named()).chain(self.line.named()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use mneme_model::{BoardShape, SoftFast};
    use mneme_slowpath::RingFull;
    use mneme_wire::roce::ROCE_MAGIC;
    use mneme_wire::{Counter, Register, RoceRegister};

    use super::*;

    /// A board with a port, as far as its registers tell.
    struct Ported(SoftFast);

    impl FastPath for Ported {
        fn read_register(&mut self, register: Register) -> u32 {
            self.0.read_register(register)
        }
        fn write_register(&mut self, register: Register, value: u32) {
            self.0.write_register(register, value);
        }
        fn read_counter(&mut self, counter: Counter) -> u32 {
            self.0.read_counter(counter)
        }
        fn receive(&mut self, into: &mut Vec<u8>) -> bool {
            self.0.receive(into)
        }
        fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
            self.0.send(frame)
        }
        fn read_memory(&mut self, address: u64, into: &mut [u8]) {
            self.0.read_memory(address, into);
        }
        fn write_memory(&mut self, address: u64, from: &[u8]) {
            self.0.write_memory(address, from);
        }
        fn read_roce(&mut self, offset: u32) -> u32 {
            if offset == RoceRegister::Magic.number() { ROCE_MAGIC } else { 0 }
        }
    }

    /// An address that no other test of this machine has.
    fn settings(host: u8, ping_pong: Option<u16>) -> RdmaSettings {
        let [_, _, high, low] = std::process::id().to_be_bytes();
        RdmaSettings {
            address: Ipv4Addr::new(127, 0x40 | high & 0x3f, low, host),
            seed: [1; 32],
            wants_tags: false,
            silent: mneme_rdma_manager::SILENT,
            ping_pong,
            perftest: None,
            cap: 0,
        }
    }
    fn open(mtu: usize, settings: &RdmaSettings) -> Result<HardwarePort, HardwareError> {
        let shape = BoardShape { mtu, ..BoardShape::RDMA_PORT };
        let mut fast = Ported(SoftFast::new(shape).expect("a legal board"));
        HardwarePort::open(settings, [2, 0, 0, 0, 0, 1], &mut fast)
    }

    /// Frames of the core carry what software's queue pairs send and get: a packet of 1,024 bytes takes 1,074 with the library's headers.
    #[test]
    fn a_board_whose_frames_are_too_short_for_a_ping_pong_says_so_and_serves_without() {
        const SERVED: Option<u16> = Some(super::super::PING_PONG_PORT);
        for (mtu, most) in [(576, 512), (1073, 512)] {
            let Err(error) = open(mtu, &settings(2, SERVED)) else {
                panic!("packets of 1,024 bytes do not fit")
            };
            assert!(matches!(error, HardwareError::PingPong(bytes) if bytes == most), "{mtu}: {error:?}");
            let said =
                format!("packets of 1024 bytes, and those that this board leaves to software have {most}");
            assert!(error.to_string().contains(&said), "{error}");
            open(mtu, &settings(3, None)).expect("it serves all else");
        }
        for mtu in [1074, 1500] {
            open(mtu, &settings(4, SERVED)).expect("a packet of 1,024 bytes fits");
        }
    }

    #[test]
    fn a_board_that_was_built_without_a_port_says_so() {
        let mut fast = SoftFast::new(BoardShape::SIM).expect("a board");
        let error = HardwarePort::open(&settings(5, None), [2, 0, 0, 0, 0, 1], &mut fast);
        assert!(matches!(error, Err(HardwareError::None)), "{error:?}");
    }
}
