//! The side that is asked for connections. It keeps one entry for each connection, and nothing for those that it refuses.
use std::collections::BTreeMap;

use super::chain::{CHAIN_GRANT_LEN, ChainAsk, ChainGrant};
use super::private::{Ask, GRANT_LEN, Granted, Kind, Refusal};
use super::{SERVICE, gid};
use crate::codec::Psn;
use crate::codec::cm::{IP_SERVICE_HEADER, IpService, MAD_LEN, Mad, Message, Pair, Reply, Request};
use crate::responder::REMEMBERED;

/// Connections, at most.
pub const CONNECTIONS: usize = 1024;
/// Nanoseconds after which a connection ends whose client was not heard of since it was granted.
const HALF_OPEN: u64 = 10_000_000_000;
/// Reasons of a REJ (IBTA volume 1, table 108): no such service, and the consumer's own.
const NO_SERVICE: u16 = 8;
const CONSUMER: u16 = 28;

/// Somebody asks for a connection.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Where the request came from.
    pub peer: [u8; 4],
    /// The connection manager's part: the client's queue pair, packets and numbers.
    pub request: &'a Request<'a>,
    /// Mneme's part.
    pub ask: Ask,
    /// What one of ODRP's functions asks for besides.
    pub chain: Option<ChainAsk>,
}

/// What a board has made for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accepted {
    /// The board's queue pair.
    pub qpn: u32,
    /// Where the client starts to number.
    pub starting_psn: Psn,
    /// The region.
    pub granted: Granted,
    /// The table, of a chain's connection.
    pub chain: Option<ChainGrant>,
}

/// A connection that has ended: its queue pair is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The board's queue pair.
    pub qpn: u32,
}

/// What a listener has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListenerCounters {
    /// Connections made.
    pub accepted: u64,
    /// Requests refused.
    pub refused: u64,
    /// Requests that had been accepted, and were answered the same again.
    pub repeated: u64,
    /// Connections that their clients ended.
    pub disconnected: u64,
    /// Connections whose clients were never heard of.
    pub half_open: u64,
    /// Connections whose clients have begun anew, under the same number.
    pub stale: u64,
    /// Datagrams that are no message of the connection manager; dropped.
    pub malformed: u64,
    /// Messages that a listener has no use for; dropped.
    pub unexpected: u64,
    /// Clients that were asked whether they are still there.
    pub probes: u64,
    /// Answers to that.
    pub probes_answered: u64,
}

#[derive(Debug)]
struct Connection {
    qpn: u32,
    /// The client's queue pair, and where the board would start to number: a copy of its request has both.
    asked: (u32, Psn),
    /// This side's number.
    id: u32,
    reply: [u8; MAD_LEN],
    /// Until when its client must have been heard of; `None`: it has been.
    until: Option<u64>,
    /// It was asked whether it is still there, and has not said so yet.
    probed: bool,
}

/// Connections by who has asked for them and under which number.
#[derive(Debug, Default)]
pub struct Listener {
    connections: BTreeMap<([u8; 4], u32), Connection>,
    next: u32,
    /// The queue pair whose client has just said that it is there.
    ready: Option<u32>,
    counters: ListenerCounters,
}

impl Listener {
    /// What was seen so far.
    pub const fn counters(&self) -> &ListenerCounters {
        &self.counters
    }
    /// Connections.
    pub fn len(&self) -> usize {
        self.connections.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.connections.is_empty()
    }

    /// Takes a datagram at `now`, in nanoseconds from any start. `decide` makes what is asked for, or refuses it; it is called once for
    /// each connection. Answers what to send back, and a connection that has ended.
    pub fn receive(
        &mut self,
        now: u64,
        peer: [u8; 4],
        bytes: &[u8],
        decide: impl FnOnce(&Asked<'_>) -> Result<Accepted, Refusal>,
    ) -> (Option<[u8; MAD_LEN]>, Option<Ended>) {
        let Ok(mad) = Mad::parse(bytes) else {
            self.counters.malformed += 1;
            return (None, None);
        };
        match &mad.message {
            Message::Request(request) => self.request(now, peer, request, mad.transaction, decide),
            Message::ReadyToUse { ids, .. } => {
                match self.connections.get_mut(&(peer, ids.local)) {
                    Some(connection) if connection.id == ids.remote => {
                        self.ready = Some(connection.qpn);
                        self.counters.probes_answered += u64::from(connection.probed);
                        (connection.until, connection.probed) = (None, false);
                    }
                    _ => self.counters.unexpected += 1,
                }
                (None, None)
            }
            Message::DisconnectRequest { ids, remote_qpn, .. } => {
                let key = (peer, ids.local);
                let own = self.connections.get(&key);
                let ended = match own.map(|own| own.id == ids.remote && own.qpn == *remote_qpn) {
                    Some(true) => self.connections.remove(&key).map(|own| Ended { qpn: own.qpn }),
                    Some(false) => {
                        self.counters.unexpected += 1;
                        return (None, None);
                    }
                    // Its first copy was heard, and the answer lost.
                    None => None,
                };
                self.counters.disconnected += u64::from(ended.is_some());
                let ids = Pair { local: ids.remote, remote: ids.local };
                (Message::DisconnectReply { ids, private: &[] }.to_bytes(mad.transaction).ok(), ended)
            }
            _ => {
                self.counters.unexpected += 1;
                (None, None)
            }
        }
    }

    fn request(
        &mut self,
        now: u64,
        peer: [u8; 4],
        request: &Request<'_>,
        transaction: u64,
        decide: impl FnOnce(&Asked<'_>) -> Result<Accepted, Refusal>,
    ) -> (Option<[u8; MAD_LEN]>, Option<Ended>) {
        let (key, asked) = ((peer, request.local_id), (request.qpn, request.starting_psn));
        let before = self.connections.get(&key);
        if let Some(connection) = before.filter(|own| own.asked == asked) {
            self.counters.repeated += 1;
            return (Some(connection.reply), None);
        }
        let room = before.is_some() || self.connections.len() < CONNECTIONS;
        if request.service != SERVICE {
            self.counters.refused += 1;
            return (reject(request.local_id, transaction, NO_SERVICE, &[]), None);
        }
        let accepted =
            read(peer, request).and_then(|asked| if room { decide(&asked) } else { Err(Refusal::Full) });
        let accepted = match accepted {
            Ok(accepted) => accepted,
            Err(refusal) => {
                self.counters.refused += 1;
                return (reject(request.local_id, transaction, CONSUMER, &refusal.to_bytes()), None);
            }
        };
        self.next = self.next.wrapping_add(1);
        let ids = Pair { local: self.next, remote: request.local_id };
        let mut private = [0; CHAIN_GRANT_LEN];
        private[..GRANT_LEN].copy_from_slice(&accepted.granted.to_bytes());
        let own = accepted.chain.map_or(GRANT_LEN, |chain| {
            private[GRANT_LEN..].copy_from_slice(&chain.to_bytes());
            CHAIN_GRANT_LEN
        });
        let reply = Message::Reply(Reply {
            ids,
            qpn: accepted.qpn,
            starting_psn: accepted.starting_psn,
            responder_resources: REMEMBERED as u8,
            rnr_retry: 7,
            private: &private[..own],
            ..Reply::default()
        });
        let Ok(reply) = reply.to_bytes(transaction) else {
            // Its private data fits. If it did not, nothing may stay of what was made.
            return (None, Some(Ended { qpn: accepted.qpn }));
        };
        self.counters.accepted += 1;
        let until = Some(now.saturating_add(HALF_OPEN));
        let made = Connection { qpn: accepted.qpn, asked, id: ids.local, reply, until, probed: false };
        // A client that was restarted may take a number again: what it had is a stale connection, as IBTA volume 1 says.
        let stale = self.connections.insert(key, made).map(|own| Ended { qpn: own.qpn });
        self.counters.stale += u64::from(stale.is_some());
        (Some(reply), stale)
    }

    /// Asks the client of a queue pair whether it is still there: its REP once more, which a connection manager whose connection
    /// stands answers with RTU again (IBTA volume 1, 12.9), by itself and whatever its program does. Answers what to send, and where
    /// to. `None`: there is no such connection, or its client has not yet been heard of at all.
    pub fn probe(&mut self, qpn: u32) -> Option<([u8; 4], [u8; MAD_LEN])> {
        let made = self.connections.iter_mut().find(|(_, own)| own.qpn == qpn && own.until.is_none());
        let ((peer, _), connection) = made?;
        connection.probed = true;
        self.counters.probes += 1;
        Some((*peer, connection.reply))
    }
    /// The queue pair whose client has said, in what was received last, that it is there.
    pub const fn take_ready(&mut self) -> Option<u32> {
        self.ready.take()
    }
    /// The client of a queue pair was heard of otherwise: its connection is no longer half open.
    pub fn heard(&mut self, qpn: u32) {
        for connection in self.connections.values_mut().filter(|connection| connection.qpn == qpn) {
            connection.until = None;
        }
    }
    /// Queue pairs whose clients have not been heard of yet.
    pub fn half_open(&self) -> impl Iterator<Item = u32> {
        self.connections.values().filter(|own| own.until.is_some()).map(|own| own.qpn)
    }
    /// Lets time pass. Answers a connection that has ended, one a call.
    pub fn on_time(&mut self, now: u64) -> Option<Ended> {
        let over = |own: &Connection| own.until.is_some_and(|until| until <= now);
        let (key, qpn) =
            self.connections.iter().find(|(_, own)| over(own)).map(|(key, own)| (*key, own.qpn))?;
        self.connections.remove(&key);
        self.counters.half_open += 1;
        Some(Ended { qpn })
    }
    /// Forgets a connection that its board has ended.
    pub fn forget(&mut self, qpn: u32) {
        self.connections.retain(|_, own| own.qpn != qpn);
    }
}

/// Reads what is asked for.
fn read<'a>(peer: [u8; 4], request: &'a Request<'a>) -> Result<Asked<'a>, Refusal> {
    let (addresses, private) = IpService::parse(request.private).map_err(|_| Refusal::Malformed)?;
    debug_assert!(request.private.len() >= IP_SERVICE_HEADER);
    // Only who comes from there can be answered there.
    if request.local_gid != gid(peer) || addresses.source != peer {
        return Err(Refusal::Address);
    }
    let ask = Ask::parse(private)?;
    let chain = match ask.kind {
        Kind::Chain(function) => Some(ChainAsk::parse(function, private)?),
        _ => None,
    };
    Ok(Asked { peer, request, ask, chain })
}

fn reject(remote: u32, transaction: u64, reason: u16, private: &[u8]) -> Option<[u8; MAD_LEN]> {
    let ids = Pair { local: 0, remote };
    let reject = Message::Reject { ids, which: 0, length: 0, reason, information: &[], private };
    reject.to_bytes(transaction).ok()
}
