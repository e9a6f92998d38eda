//! ODRP's client on a socket: four connections of one table, and the board's WRITEs into this side's buffers.
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use super::line::{ClientError, Line, NOT_READY, Wanted};
use super::port::{PortCounters, UdpError};
use super::station::{BATCH, management};
use crate::client::{ChainClient, ChainDone, ChainSetup, FunctionSetup};
use crate::cm::{Ask, ChainAsk, ChainGrant, ConnectError, Connected, Kind};
use crate::codec::profile::Chain;
use crate::codec::{PathMtu, Psn};
use crate::node::ReplyOptions;
use crate::requester::ACK_TIMEOUT;
use crate::responder::Arrival;

/// How long nothing of an answer may come: as long as a patient requester tries, and more than twice as long as a board sends an answer
/// again that nobody acknowledges.
const ANSWER_TIMEOUT: u64 = 22 * ACK_TIMEOUT;
/// Where the board is told that the buffers lie. It is a name, and no address of this machine.
const BUFFERS: u64 = 0x10_0000_0000;

/// How a chain client uses its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainOptions {
    /// How the board answers.
    pub replies: ReplyOptions,
    /// Requests at a time, each with a buffer of a page.
    pub slots: usize,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
}

impl Default for ChainOptions {
    /// As the paper's node answers; 16 requests at a time; a page in a packet.
    fn default() -> ChainOptions {
        ChainOptions { replies: ReplyOptions::default(), slots: 16, path_mtu: PathMtu::MAX }
    }
}

/// The connections of load, mapped store, unmapped store and invalidate on one table. Nothing happens but in its calls. They end when it is
/// dropped.
#[derive(Debug)]
pub struct ChainConnection {
    line: Line,
    connected: Vec<Connected>,
    table: ChainGrant,
    /// The requests.
    pub chain: ChainClient,
}

impl ChainConnection {
    /// Takes UDP port 4791 of `source` and asks a board for the four connections; the kind in `ask` does not count, and the table is that
    /// of the pages in which its range lies. `random` must not be guessed, nor used twice. Blocks up to four times `patience`.
    ///
    /// # Errors
    /// Every [`ClientError`].
    pub fn connect(
        (source, board): (Ipv4Addr, Ipv4Addr),
        ask: Ask,
        options: ChainOptions,
        random: u128,
        patience: Duration,
    ) -> Result<ChainConnection, ClientError> {
        let mut line = Line::open(source, board)?;
        let mut made: Vec<(FunctionSetup, Connected, ChainGrant)> = Vec::new();
        for (at, chain) in Chain::ALL.into_iter().enumerate() {
            let wanted =
                ChainAsk { options: options.replies, hardened: ask.hardened, ..ChainAsk::default_of(chain) };
            let number = (random >> 24) as u32;
            let (qpn, from_node) =
                (0x100 + at as u32 + (random as u32 & 0xff_fc00), Psn::from_low_bits(number));
            let asked = line.connect(&Wanted {
                qpn,
                from_board: from_node,
                id: ((random >> 64) as u32).wrapping_add(at as u32),
                ask: Ask { kind: Kind::Chain(chain), hardened: false, ..ask },
                chain: Some(&wanted),
                path_mtu: options.path_mtu,
                patience,
            });
            let granted = asked.and_then(|connected| {
                let grant = connected.chain.ok_or(ConnectError::BadAnswer)?;
                Ok((connected, grant))
            });
            match granted {
                Ok((connected, grant)) => {
                    let (node_qpn, to_node) = (connected.qpn, connected.starting_psn);
                    let profile = wanted.profile;
                    made.push((
                        FunctionSetup { profile, qpn, node_qpn, to_node, from_node },
                        connected,
                        grant,
                    ));
                }
                Err(error) => {
                    made.iter().for_each(|(_, connected, _)| line.end(connected));
                    return Err(error);
                }
            }
        }
        let [(load, _, table), (mapped, ..), (unmapped, ..), (invalidate, ..)] = made[..] else {
            return Err(ConnectError::BadAnswer.into());
        };
        let chain = ChainClient::new(ChainSetup {
            node: board.octets(),
            functions: [load, mapped, unmapped, invalidate],
            tt_base: table.tt_base,
            entries: table.entries,
            key: table.key,
            options: options.replies,
            path_mtu: options.path_mtu,
            timeout: ACK_TIMEOUT,
            patient: true,
            not_ready_retries: NOT_READY,
            answer_timeout: Some(ANSWER_TIMEOUT),
            slots: options.slots.max(1),
            buffers: BUFFERS,
            random: (random >> 40) as u64,
        })?;
        let connected = made.into_iter().map(|(_, connected, _)| connected).collect();
        Ok(ChainConnection { line, connected, table, chain })
    }

    /// The table.
    pub const fn table(&self) -> &ChainGrant {
        &self.table
    }
    /// What the board has granted, in the order of the functions.
    pub fn connected(&self) -> &[Connected] {
        &self.connected
    }
    /// What the socket has seen.
    pub const fn counters(&self) -> &PortCounters {
        self.line.port.counters()
    }

    /// When [`ChainConnection::poll`] is to be called if nothing comes on the socket ([`AsFd`]); `None`: nothing is under way.
    pub fn next_wait(&self) -> Option<Duration> {
        self.line.wait(self.chain.next_time())
    }

    /// Sends and takes what there is. If there is nothing, waits until something comes or has to be sent again, for `most`
    /// at most.
    ///
    /// # Errors
    /// [`UdpError::System`].
    pub fn poll(&mut self, most: Duration) -> Result<(), UdpError> {
        self.transmit();
        if !self.take()? {
            self.line.rest(self.chain.next_time(), most)?;
            self.take()?;
        }
        self.transmit();
        Ok(())
    }

    fn take(&mut self) -> Result<bool, UdpError> {
        for taken in 0..BATCH {
            let (now, source) = (self.line.now(), self.line.board.octets());
            let Some(transport) = self.line.receive()? else { return Ok(taken > 0) };
            if let Some(bytes) = management(transport) {
                if self.line.answer(&bytes) {
                    self.chain.close();
                }
                continue;
            }
            self.chain.receive(now, &Arrival { source, congested: false, transport });
        }
        Ok(true)
    }

    fn transmit(&mut self) {
        let chain = &mut self.chain;
        self.line.transmit(|now, packet| chain.poll_transmit(now, packet).map(|sent| sent.length));
    }

    /// Polls until a request has ended. Blocks as long as the board is tried.
    ///
    /// # Errors
    /// [`UdpError::System`]. `None`: none was begun.
    pub fn wait(&mut self) -> Result<Option<ChainDone>, UdpError> {
        loop {
            if let Some(done) = self.chain.poll_done() {
                // What acknowledges the board's last WRITE goes, too.
                self.transmit();
                return Ok(Some(done));
            }
            if self.chain.pending() == 0 {
                return Ok(None);
            }
            self.poll(Duration::from_millis(100))?;
        }
    }
}

impl AsFd for ChainConnection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.line.port.as_fd()
    }
}

impl Drop for ChainConnection {
    fn drop(&mut self) {
        for connected in &self.connected {
            self.line.end(connected);
        }
    }
}
