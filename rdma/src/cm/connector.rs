//! The side that asks for a connection.
use super::chain::{CHAIN_ASK_LEN, ChainAsk, ChainGrant};
use super::private::{ASK_LEN, Ask, Granted, Kind, Refusal};
use super::{SERVICE, gid};
use crate::codec::cm::{
    IP_SERVICE_HEADER, IpService, MAD_LEN, Mad, MadError, Message, Pair, Request, Timing,
};
use crate::codec::{DEFAULT_PKEY, PathMtu, Psn};
use crate::requester::ACK_TIMEOUT_CODE;

/// Nanoseconds after which a request without answer is sent again.
const AGAIN: u64 = 200_000_000;

/// A connection that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectConfig {
    /// This side's address.
    pub source: [u8; 4],
    /// The board's.
    pub board: [u8; 4],
    /// This side's queue pair.
    pub qpn: u32,
    /// Where the board would start to number.
    pub from_board: Psn,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// This side's number of the connection: one that it has not used lately.
    pub id: u32,
    /// What is asked for.
    pub ask: Ask,
    /// Nanoseconds after which it is given up.
    pub patience: u64,
}

/// A connection that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connected {
    /// Both sides' numbers of it.
    pub ids: Pair,
    /// The board's queue pair.
    pub qpn: u32,
    /// Where this side starts to number.
    pub starting_psn: Psn,
    /// READs and atomics that the board serves at a time.
    pub answered: u8,
    /// The region.
    pub granted: Granted,
    /// The table, of a chain's connection.
    pub chain: Option<ChainGrant>,
}

/// Why there is no connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// Nobody answers.
    #[error("nobody answers on UDP port 4791: does the board serve RDMA (`mneme board --rdma`)?")]
    Silent,
    /// The board refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Somebody refuses who is no board.
    #[error("refused by the connection manager, reason {0}")]
    Rejected(u16),
    /// An answer that is none to what was asked.
    #[error("the answer is none of a board")]
    BadAnswer,
    /// The request cannot be written.
    #[error(transparent)]
    Mad(#[from] MadError),
    /// A kind of chain without its profile, the other way round, or one that a request has no room for.
    #[error("the profile is not one of this kind of connection, or too long for its request")]
    Profile,
}

/// Asks for one connection.
#[derive(Debug)]
pub struct Connector {
    config: ConnectConfig,
    request: [u8; MAD_LEN],
    send_at: u64,
    give_up: Option<u64>,
    made: Option<(Connected, [u8; MAD_LEN])>,
}

impl Connector {
    /// Nothing is sent yet.
    ///
    /// # Errors
    /// [`ConnectError::Mad`].
    pub fn new(config: ConnectConfig) -> Result<Connector, ConnectError> {
        Connector::with(config, None)
    }
    /// The same for one of ODRP's functions; `config.ask.kind` is that function's.
    ///
    /// # Errors
    /// [`ConnectError::Mad`] and [`ConnectError::Profile`].
    pub fn of_chain(config: ConnectConfig, chain: &ChainAsk) -> Result<Connector, ConnectError> {
        Connector::with(config, Some(chain))
    }

    fn with(config: ConnectConfig, chain: Option<&ChainAsk>) -> Result<Connector, ConnectError> {
        let ConnectConfig { source, board, .. } = config;
        let mut private = [0; IP_SERVICE_HEADER + CHAIN_ASK_LEN];
        let own = match (config.ask.kind, chain) {
            (Kind::Chain(function), Some(chain)) if chain.profile.chain() == function => {
                let bytes = chain.to_bytes().ok_or(ConnectError::Profile)?;
                private[IP_SERVICE_HEADER + ASK_LEN..].copy_from_slice(&bytes);
                CHAIN_ASK_LEN
            }
            (Kind::Chain(_), _) | (_, Some(_)) => return Err(ConnectError::Profile),
            _ => ASK_LEN,
        };
        let addresses = IpService { source_port: 0, source, destination: board };
        private[..IP_SERVICE_HEADER].copy_from_slice(&addresses.to_bytes());
        private[IP_SERVICE_HEADER..IP_SERVICE_HEADER + ASK_LEN].copy_from_slice(&config.ask.to_bytes());
        let request = Message::Request(Request {
            local_id: config.id,
            service: SERVICE,
            qpn: config.qpn,
            initiator_depth: 16,
            starting_psn: config.from_board,
            timing: Timing {
                remote_response: 15,
                retry: 7,
                rnr_retry: 7,
                cm_retries: 15,
                ack_timeout: ACK_TIMEOUT_CODE,
                ..Timing::default()
            },
            pkey: DEFAULT_PKEY,
            path_mtu: config.path_mtu,
            local_gid: gid(source),
            remote_gid: gid(board),
            hop_limit: 64,
            private: &private[..IP_SERVICE_HEADER + own],
            ..Request::default()
        });
        let request = request.to_bytes(config.id.into())?;
        Ok(Connector { config, request, send_at: 0, give_up: None, made: None })
    }

    /// The datagram that is to be sent now, if there is one.
    ///
    /// # Errors
    /// [`ConnectError::Silent`]: it is given up.
    pub fn poll(&mut self, now: u64) -> Result<Option<[u8; MAD_LEN]>, ConnectError> {
        let give_up = *self.give_up.get_or_insert(now.saturating_add(self.config.patience));
        if now >= give_up {
            return Err(ConnectError::Silent);
        }
        if now < self.send_at || self.made.is_some() {
            return Ok(None);
        }
        self.send_at = now.saturating_add(AGAIN);
        Ok(Some(self.request))
    }

    /// Takes a datagram of the board. Answers the connection when it is made, and what the board is to be sent then. A copy of its
    /// answer is answered the same again.
    ///
    /// # Errors
    /// Every [`ConnectError`] but [`ConnectError::Silent`].
    pub fn receive(&mut self, bytes: &[u8]) -> Result<Option<(Connected, [u8; MAD_LEN])>, ConnectError> {
        // What others say to others is none of its business.
        let Ok(mad) = Mad::parse(bytes) else { return Ok(None) };
        match mad.message {
            Message::Reply(reply) if reply.ids.remote == self.config.id => {
                if let Some(made) = self.made {
                    return Ok(Some(made));
                }
                let granted = Granted::parse(reply.private).ok_or(ConnectError::BadAnswer)?;
                let asked = self.config.ask;
                if (granted.pid, granted.kind) != (asked.pid, asked.kind) {
                    return Err(ConnectError::BadAnswer);
                }
                let chain = match asked.kind {
                    Kind::Chain(_) => Some(ChainGrant::parse(reply.private).ok_or(ConnectError::BadAnswer)?),
                    _ => None,
                };
                let ids = Pair { local: self.config.id, remote: reply.ids.local };
                let connected = Connected {
                    ids,
                    qpn: reply.qpn,
                    starting_psn: reply.starting_psn,
                    answered: reply.responder_resources,
                    granted,
                    chain,
                };
                let ready = Message::ReadyToUse { ids, private: &[] }.to_bytes(mad.transaction)?;
                self.made = Some((connected, ready));
                Ok(self.made)
            }
            Message::Reject { ids, reason, private, .. } if ids.remote == self.config.id => {
                Err(Refusal::parse(private).map_or(ConnectError::Rejected(reason), ConnectError::Refused))
            }
            _ => Ok(None),
        }
    }

    /// The datagram that ends a connection.
    ///
    /// # Errors
    /// [`ConnectError::Mad`].
    pub fn end(connected: &Connected) -> Result<[u8; MAD_LEN], ConnectError> {
        let request =
            Message::DisconnectRequest { ids: connected.ids, remote_qpn: connected.qpn, private: &[] };
        Ok(request.to_bytes(connected.ids.local.into())?)
    }
}
