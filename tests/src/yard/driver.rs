//! CLib's driver to the board of a yard.
use std::net::SocketAddrV4;
use std::time::Duration;

use mneme_clib::driver::{Driver, DriverError, Take};
use mneme_model::node::CYCLE_NS;
use mneme_wire::frame::Endpoints;
use mneme_wire::{HEADER_LEN, Register};

use super::{Address, Ground, SLICE, Shared, lock};

/// Carries a client's datagrams; time is the board's, and passes while the client waits.
pub struct YardDriver<F: Ground> {
    yard: Shared<F>,
    endpoints: Endpoints,
    frame: Vec<u8>,
    /// Datagrams that it sends before it breaks, as a program that is killed; none: it does not.
    left: Option<u64>,
}

impl<F: Ground> YardDriver<F> {
    /// A client at an address of its own.
    pub fn new(yard: &Shared<F>, ip: [u8; 4], port: u16) -> YardDriver<F> {
        let mut held = lock(yard);
        let endpoints = held.attach(ip, port);
        let payload = held.node().fast().read_register(Register::MaxPayload);
        drop(held);
        YardDriver {
            yard: yard.clone(),
            endpoints,
            frame: vec![0; HEADER_LEN + payload as usize],
            left: None,
        }
    }
    /// One whose program is killed after so many datagrams: nothing more leaves, and nothing comes.
    pub fn killed_after(mut self, datagrams: u64) -> YardDriver<F> {
        self.left = Some(datagrams);
        self
    }
    fn address(&self) -> Address {
        (self.endpoints.src_ip, self.endpoints.src_port)
    }
    fn is_dead(&self) -> bool {
        self.left == Some(0)
    }
}

/// A board that does not come up again is for the run to tell of, which ends with it.
fn broken(error: anyhow::Error) -> DriverError {
    let source = std::io::Error::other(format!("{error:#}"));
    DriverError::Io { what: "the yard", source }
}

impl<F: Ground> Driver for YardDriver<F> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let frame = self.frame.get_mut(..length).ok_or(DriverError::TooLarge(length))?;
        fill(frame);
        if self.left == Some(0) {
            return Ok(());
        }
        self.left = self.left.map(|left| left - 1);
        lock(&self.yard).send("clients", self.endpoints, frame, true).map_err(broken)
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let cycles = (wait.as_nanos() as u64).div_ceil(CYCLE_NS).max(SLICE);
        let (address, dead) = (self.address(), self.is_dead());
        let mut yard = lock(&self.yard);
        let end = yard.cycles() + cycles;
        loop {
            if let Some((came, datagram)) = yard.take(address).filter(|_| !dead) {
                drop(yard);
                take(Duration::from_nanos(came), &datagram);
                return Ok(1);
            }
            let now = yard.cycles();
            if now >= end {
                return Ok(0);
            }
            let idle = yard.node().idle();
            let next = yard.next_due().map_or(end, |at| at.clamp(now + 1, end));
            let step = if idle { next - now } else { SLICE.min(end - now) };
            yard.pass(step).map_err(broken)?;
        }
    }
    fn now(&self) -> Duration {
        Duration::from_nanos(lock(&self.yard).now_ns())
    }
    fn max_datagram(&self) -> usize {
        self.frame.len()
    }
    fn board_address(&self) -> Option<SocketAddrV4> {
        Some(SocketAddrV4::new(self.endpoints.dst_ip.into(), self.endpoints.dst_port))
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        let own = SocketAddrV4::new(self.endpoints.src_ip.into(), self.endpoints.src_port);
        Some((own, self.board_address()?))
    }
    fn peer(&self) -> String {
        "a board in a yard".to_owned()
    }
}

impl<F: Ground> Drop for YardDriver<F> {
    fn drop(&mut self) {
        lock(&self.yard).detach(self.address());
    }
}
