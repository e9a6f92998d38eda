//! What every client of a board has: a port, its buffers and its clock, and how it asks for connections.
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use super::port::{Heard, RocePort, UdpError};
use super::station::{BATCH, emit_management, management};
use crate::client::{ChainError, NativeError};
use crate::cm::{Ask, ChainAsk, ConnectConfig, ConnectError, Connected, Connector};
use crate::codec::cm::{MAD_LEN, Mad, Message, Pair};
use crate::codec::icrc::ICRC_LEN;
use crate::codec::{PathMtu, Psn};
use crate::requester::NotReadyRetries;
use crate::responder::PACKET_MAX;

/// How long a full queue of the system is left to empty.
const FULL: Duration = Duration::from_millis(1);
/// A board that is not ready is asked so often in a row: about a third of a second.
pub(super) const NOT_READY: NotReadyRetries = NotReadyRetries::Times(255);

/// Why there is no client, or why it fails.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// An operation was not begun.
    #[error(transparent)]
    Native(#[from] NativeError),
    /// A request of a chain was not begun, or the client could not be made.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The system failed.
    #[error(transparent)]
    Udp(#[from] UdpError),
}

/// A connection that is wanted. Its numbers must not be guessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub qpn: u32,
    pub from_board: Psn,
    pub id: u32,
    pub ask: Ask,
    pub chain: Option<&'a ChainAsk>,
    pub path_mtu: PathMtu,
    pub patience: Duration,
}

/// A connection that is made.
#[derive(Debug)]
struct Told {
    ids: Pair,
    qpn: u32,
    /// What its board was told then.
    ready: [u8; MAD_LEN],
}

/// A port, its buffers and its clock.
#[derive(Debug)]
pub(super) struct Line {
    pub port: RocePort,
    pub start: Instant,
    pub out: Box<[u8; PACKET_MAX + ICRC_LEN]>,
    pub input: Box<[u8; PACKET_MAX + ICRC_LEN + 1]>,
    /// A packet in `out` that the system's queue had no place for.
    pub held: Option<usize>,
    pub board: Ipv4Addr,
    pub psn: Psn,
    made: Vec<Told>,
}

impl Line {
    /// Takes UDP port 4791 of `source`.
    pub fn open(source: Ipv4Addr, board: Ipv4Addr) -> Result<Line, UdpError> {
        Ok(Line {
            port: RocePort::bind(source)?,
            start: Instant::now(),
            out: Box::new([0; PACKET_MAX + ICRC_LEN]),
            input: Box::new([0; PACKET_MAX + ICRC_LEN + 1]),
            held: None,
            board,
            psn: Psn::default(),
            made: Vec::new(),
        })
    }
    /// Waits until something comes, for `most` at most, or until `next` on this side's clock.
    pub fn rest(&self, next: Option<u64>, most: Duration) -> Result<(), UdpError> {
        self.port.wait(self.until(next).map_or(most, |next| next.min(most)), self.held.is_some())
    }
    /// How long it is until then.
    pub fn until(&self, next: Option<u64>) -> Option<Duration> {
        next.map(|at| Duration::from_nanos(at.saturating_sub(self.now())))
    }
    /// When the line is to be polled if nothing comes, with `next` on this side's clock.
    pub fn wait(&self, next: Option<u64>) -> Option<Duration> {
        let timer = self.until(next);
        // A packet that the system's queue had no place for: it empties by itself.
        if self.held.is_some() { Some(timer.map_or(FULL, |timer| timer.min(FULL))) } else { timer }
    }
    /// Asks the board for a connection. Blocks up to its patience.
    pub fn connect(&mut self, asked: &Wanted<'_>) -> Result<Connected, ClientError> {
        let Wanted { qpn, from_board, id, ask, chain, path_mtu, patience } = *asked;
        let config = ConnectConfig {
            source: self.port.address().octets(),
            board: self.board.octets(),
            qpn,
            from_board,
            path_mtu,
            id,
            ask,
            patience: u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX),
        };
        let mut connector = match chain {
            Some(chain) => Connector::of_chain(config, chain)?,
            None => Connector::new(config)?,
        };
        loop {
            if let Some(bytes) = connector.poll(self.now())? {
                self.manage(&bytes);
            }
            self.port.wait(Duration::from_millis(20), false)?;
            let mut made = None;
            // As many as come behind each other might be without end, and the patience has one.
            for _ in 0..BATCH {
                let Some(packet) = self.receive()? else { break };
                if let Some(bytes) = management(packet)
                    && let Some(both) = connector.receive(&bytes)?
                {
                    made = Some(both);
                }
            }
            if let Some((connected, ready)) = made {
                self.manage(&ready);
                self.made.push(Told { ids: connected.ids, qpn, ready });
                return Ok(connected);
            }
        }
    }
    /// The connection manager's datagrams behind that: the board asks whether a connection's client is still there, by the answer that it
    /// gave when it was asked for it, or ends a connection. Answers whether it does.
    pub fn answer(&mut self, bytes: &[u8; MAD_LEN]) -> bool {
        let Ok(Mad { transaction, message, .. }) = Mad::parse(bytes) else { return false };
        let (theirs, ends) = match message {
            Message::Reply(reply) => (reply.ids, None),
            Message::DisconnectRequest { ids, remote_qpn, .. } => (ids, Some(remote_qpn)),
            _ => return false,
        };
        let is_own = |told: &&Told| {
            let Pair { local, remote } = told.ids;
            (local, remote) == (theirs.remote, theirs.local) && ends.is_none_or(|qpn| qpn == told.qpn)
        };
        let Some(Told { ids, ready, .. }) = self.made.iter().find(is_own) else { return false };
        let answer = match ends {
            None => Ok(*ready),
            Some(_) => Message::DisconnectReply { ids: *ids, private: &[] }.to_bytes(transaction),
        };
        // With a packet that waits in `out` it is lost, as on any network: the board asks again.
        if self.held.is_none()
            && let Ok(answer) = answer
        {
            self.manage(&answer);
        }
        ends.is_some()
    }
    /// Sends a connection's end. Nobody waits for the answer: a board that does not hear it ends the connection with the process.
    pub fn end(&mut self, connected: &Connected) {
        if self.held.is_none()
            && let Ok(bytes) = Connector::end(connected)
        {
            self.manage(&bytes);
        }
    }
    /// Sends what `next` writes, until there is nothing or the system's queue is full.
    pub fn transmit(&mut self, mut next: impl FnMut(u64, &mut [u8; PACKET_MAX]) -> Option<usize>) {
        loop {
            let now = self.now();
            let length = self.held.take().or_else(|| next(now, self.out.first_chunk_mut()?));
            let Some(length) = length else { return };
            if !self.port.send(self.board, &mut self.out, length) {
                self.held = Some(length);
                return;
            }
        }
    }
    pub fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
    /// Sends a management datagram. One that the system does not take is lost, as on any network.
    pub fn manage(&mut self, bytes: &[u8; MAD_LEN]) {
        let Some(packet) = self.out.first_chunk_mut() else { return };
        if let Some(length) = emit_management(self.psn, bytes, packet) {
            self.psn = self.psn.plus(1);
            self.port.send(self.board, &mut self.out, length);
        }
    }
    /// The next packet of the board.
    pub fn receive(&mut self) -> Result<Option<&[u8]>, UdpError> {
        let board = self.board;
        match self.port.receive(&mut self.input)? {
            Heard::Packet((from, packet)) if from == board => Ok(Some(packet)),
            // Somebody else's, or none: an empty packet is none of anybody.
            Heard::Packet(_) | Heard::Dropped => Ok(Some(&[])),
            Heard::Nothing => Ok(None),
        }
    }
}
