//! CLib's driver to a board in the same process.
use std::time::Duration;

use mneme_clib::{Driver, DriverError};
use mneme_slowpath::FastPath;
use mneme_wire::Register;
use mneme_wire::header::HEADER_LEN;

use crate::network::{ClientPort, Network};
use crate::port::NetworkPort;

/// Carries a client's datagrams to a board in this process. Time is the board's own, and passes while somebody waits.
///
/// Threads may each have a client of their own on one network. They share the board's time, which stands still while any of
/// them works in a call.
pub struct InProcessDriver<F: FastPath + NetworkPort> {
    port: ClientPort<F>,
    max_datagram: usize,
}

impl<F: FastPath + NetworkPort> InProcessDriver<F> {
    /// A new client of a network, with an address of its own.
    pub fn new(network: &Network<F>) -> Self {
        let payload = network.with_node(|node| node.fast().read_register(Register::MaxPayload));
        InProcessDriver { port: network.attach(), max_datagram: HEADER_LEN + payload as usize }
    }
}

impl<F: FastPath + NetworkPort + Send> Driver for InProcessDriver<F> {
    fn send(&mut self, datagram: &[u8]) -> Result<(), DriverError> {
        self.port.send(datagram);
        Ok(())
    }
    fn receive(&mut self, into: &mut [u8], wait: Duration) -> Result<Option<usize>, DriverError> {
        let Some(datagram) = self.port.receive(wait).filter(|d| d.len() <= into.len()) else {
            return Ok(None);
        };
        into[..datagram.len()].copy_from_slice(&datagram);
        Ok(Some(datagram.len()))
    }
    fn begin_call(&mut self) {
        self.port.begin_call();
    }
    fn end_call(&mut self) {
        self.port.end_call();
    }
    fn now(&self) -> Duration {
        self.port.now()
    }
    fn max_datagram(&self) -> usize {
        self.max_datagram
    }
    fn peer(&self) -> String {
        "a board in this process".to_owned()
    }
}
