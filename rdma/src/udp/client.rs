//! A native client on a socket: it asks a board for a connection, and then reads and writes.
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use super::line::{ClientError, Line, NOT_READY, Wanted};
use super::port::{PortCounters, UdpError};
use super::station::{BATCH, management};
use crate::client::{Carrier, CarrierError, Grant, Native, NativeConnection};
use crate::cm::{Ask, Connected, Granted};
use crate::codec::{Bth, PathMtu, Psn};
use crate::requester::{ACK_TIMEOUT, Completion, RequesterConfig, Seen};

/// A connection to one region of a board. Nothing happens but in its calls. It ends when it is dropped.
#[derive(Debug)]
pub struct NativeClient {
    line: Line,
    qpn: u32,
    connected: Connected,
    /// The operations.
    pub native: Native,
}

impl NativeClient {
    /// Takes UDP port 4791 of `source` and asks a board for a connection with packets of up to 4,096 bytes. `random` must not be guessed,
    /// nor used twice. Blocks up to `patience`.
    ///
    /// # Errors
    /// Every [`ClientError`].
    pub fn connect(
        source: Ipv4Addr,
        board: Ipv4Addr,
        ask: Ask,
        random: u128,
        patience: Duration,
    ) -> Result<NativeClient, ClientError> {
        NativeClient::connect_by((source, board), ask, PathMtu::MAX, random, patience)
    }
    /// The same with packets of another length.
    ///
    /// # Errors
    /// Every [`ClientError`].
    pub fn connect_by(
        (source, board): (Ipv4Addr, Ipv4Addr),
        ask: Ask,
        path_mtu: PathMtu,
        random: u128,
        patience: Duration,
    ) -> Result<NativeClient, ClientError> {
        let mut line = Line::open(source, board)?;
        let qpn = 0x100 | (random as u32 & 0xff_feff);
        let connected = line.connect(&Wanted {
            qpn,
            from_board: Psn::from_low_bits((random >> 24) as u32),
            id: (random >> 64) as u32,
            ask,
            chain: None,
            path_mtu,
            patience,
        })?;
        let config = RequesterConfig {
            path_mtu,
            answered: usize::from(connected.answered.max(1)),
            not_ready_retries: NOT_READY,
            timeout: ACK_TIMEOUT,
            patient: true,
            ..RequesterConfig::new(connected.qpn, connected.starting_psn)
        };
        let native = Native::new(config, Grant::from(connected.granted));
        Ok(NativeClient { line, qpn, connected, native })
    }

    /// What the board has granted.
    pub const fn connected(&self) -> &Connected {
        &self.connected
    }
    /// What the socket has seen.
    pub const fn counters(&self) -> &PortCounters {
        self.line.port.counters()
    }

    /// When [`NativeClient::poll`] is to be called if nothing comes on the socket ([`AsFd`]); `None`: nothing is under way.
    pub fn next_wait(&self) -> Option<Duration> {
        self.line.wait(self.native.next_time())
    }

    /// Sends and takes what there is. If there is nothing, waits until something comes or has to be sent again, for `most`
    /// at most.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn poll(&mut self, most: Duration) -> Result<(), UdpError> {
        self.transmit();
        if !self.take()? {
            self.line.rest(self.native.next_time(), most)?;
            self.take()?;
        }
        self.transmit();
        Ok(())
    }

    fn take(&mut self) -> Result<bool, UdpError> {
        for taken in 0..BATCH {
            let (now, qpn) = (self.line.now(), self.qpn);
            let Some(packet) = self.line.receive()? else { return Ok(taken > 0) };
            if let Some(bytes) = management(packet) {
                if self.line.answer(&bytes) {
                    self.native.close();
                }
                continue;
            }
            let header = packet.first_chunk().map(|header| Bth::from_bytes(header).0);
            if header.is_some_and(|bth| bth.dest_qp == qpn) {
                self.native.receive(now, packet);
            }
        }
        Ok(true)
    }

    fn transmit(&mut self) {
        let native = &mut self.native;
        self.line.transmit(|now, packet| native.poll_transmit(now, packet));
    }

    /// Polls until the next operation has ended. Blocks as long as the requester tries.
    ///
    /// # Errors
    /// [`UdpError::System`]. `None`: none was begun.
    pub fn wait(&mut self) -> Result<Option<Completion<Vec<u8>>>, UdpError> {
        loop {
            if let Some(done) = self.native.poll_done() {
                return Ok(Some(done));
            }
            if self.native.pending() == 0 {
                return Ok(None);
            }
            self.poll(Duration::from_millis(100))?;
        }
    }
}

impl NativeConnection for NativeClient {
    fn native(&mut self) -> &mut Native<dyn Carrier> {
        &mut self.native
    }
    fn granted(&self) -> Granted {
        self.connected.granted
    }
    fn way(&self) -> String {
        format!("queue pair {:#x} from {}", self.connected.qpn, self.line.port.address())
    }
    fn seen(&self) -> Option<Seen> {
        Some(*self.native.seen())
    }
    fn wait(&mut self) -> Result<Option<Completion<Vec<u8>>>, CarrierError> {
        Ok(NativeClient::wait(self)?)
    }
}

impl AsFd for NativeClient {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.line.port.as_fd()
    }
}

impl Drop for NativeClient {
    fn drop(&mut self) {
        self.native.close();
        self.line.end(&self.connected);
    }
}
