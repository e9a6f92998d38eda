//! CLib's driver to a board in the same process.
use std::net::SocketAddrV4;
use std::time::Duration;

use mneme_clib::driver::{Driver, DriverError, Take};
use mneme_model::network::{ClientPort, Network};
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::Register;
use mneme_wire::frame::Endpoints;
use mneme_wire::header::HEADER_LEN;

/// Carries a client's datagrams to a board in this process. Time is the board's own, and passes while somebody waits.
///
/// Threads may each have a client of their own on one network. They share the board's time, which stands still while any of
/// them works in a call.
pub struct InProcessDriver<F: FastPath + NetworkPort> {
    port: ClientPort<F>,
    max_datagram: usize,
    frame: Vec<u8>,
}

impl<F: FastPath + NetworkPort> InProcessDriver<F> {
    /// A new client of a network, with an address of its own.
    pub fn new(network: &Network<F>) -> Self {
        let payload = network.with_node(|node| node.fast().read_register(Register::MaxPayload));
        let max_datagram = HEADER_LEN + payload as usize;
        InProcessDriver { port: network.attach(), max_datagram, frame: vec![0; max_datagram] }
    }
}

impl<F: FastPath + NetworkPort + Send> Driver for InProcessDriver<F> {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        let frame = self.frame.get_mut(..length).ok_or(DriverError::TooLarge(length))?;
        fill(frame);
        self.port.send(frame);
        Ok(())
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let received = self.port.receive(wait);
        received.iter().for_each(|datagram| take(self.port.now(), datagram));
        Ok(usize::from(received.is_some()))
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
    fn board_address(&self) -> Option<SocketAddrV4> {
        let board = self.port.endpoints();
        Some(SocketAddrV4::new(board.dst_ip.into(), board.dst_port))
    }
    fn addresses(&self) -> Option<(SocketAddrV4, SocketAddrV4)> {
        Some(addresses(&self.port.endpoints()))
    }
    fn peer(&self) -> String {
        "a board in this process".to_owned()
    }
}

/// The own address and port, and the board's.
pub(crate) fn addresses(of: &Endpoints) -> (SocketAddrV4, SocketAddrV4) {
    let at = |ip: [u8; 4], port| SocketAddrV4::new(ip.into(), port);
    (at(of.src_ip, of.src_port), at(of.dst_ip, of.dst_port))
}
