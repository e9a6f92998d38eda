//! A client of pages of 4 KB by one of three ways: static binding (READ and WRITE of board pages, as the paper's one-sided baseline),
//! native RDMA on pages of 4 KB, ODRP's chains.
use std::collections::BTreeMap;

use mneme_rdma::client::{ChainClient, ChainSetup, FreeRange, FunctionSetup, Grant, Native, Request};
use mneme_rdma::codec::profile::{Chain, PAGE, Profile};
use mneme_rdma::codec::{Bth, PathMtu, Psn};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::node::{ChainConfig, Door, FRAME, ReplyOptions};
use mneme_rdma::requester::{NotReadyRetries, RequesterConfig};
use mneme_rdma::responder::{Arrival, PACKET_MAX, QueuePairConfig, Responder, Serves};

use super::board::Board;
use crate::failure::Failure;

/// How pages are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// READ and WRITE of board pages that are bound beforehand; nothing is given up.
    Static,
    /// READ, WRITE and FREE of pages of 4 KB.
    Native,
    /// ODRP's load, stores and invalidate.
    Chain,
}

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The page's bytes are fetched.
    Load(u32),
    /// The page gets bytes of this number.
    Store(u32, u64),
    /// Pages from one on are given up, so many: one by ODRP.
    Free(u32, u32),
}

impl Ask {
    /// The page.
    pub const fn page(self) -> u32 {
        match self {
            Ask::Load(page) | Ask::Store(page, _) | Ask::Free(page, _) => page,
        }
    }
}

/// A request that has ended well, and what a load has brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The request.
    pub ask: Ask,
    /// A load's bytes.
    pub bytes: Option<Vec<u8>>,
}

/// Where board pages and pages of 4 KB begin for every client.
pub const VA: u64 = 1 << 40;
/// Where a client's buffers are, for the node.
const BUFFERS: u64 = 0x7000_0000;
const TT_BASE: u64 = 0x5000_0000;
const KEY: u64 = 0x1234_5678_9abc_def1;
/// Nothing is lost in the model: nobody waits so long.
const TIMEOUT: u64 = 1 << 40;
/// The node's address.
const NODE: [u8; 4] = [10, 0, 0, 1];

/// A client's address.
pub const fn address(client: usize) -> [u8; 4] {
    [10, 0, 1, client as u8]
}

/// Bytes of a number: every 8 of them are others.
pub fn bytes(number: u64) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    for (at, word) in page.chunks_exact_mut(8).enumerate() {
        word.copy_from_slice(&(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ at as u64).to_le_bytes());
    }
    page
}

/// Two queue pairs: READs, and WRITEs with FREEs. Requests that run, by queue pair and number.
#[derive(Debug)]
struct Verbs {
    pairs: [Native; 2],
    running: BTreeMap<(usize, u64), Ask>,
    turn: usize,
    base: u64,
}

#[derive(Debug)]
enum Kind {
    Verbs(Box<Verbs>),
    Chain(Box<ChainClient>, BTreeMap<u64, Ask>),
}

/// A client.
#[derive(Debug)]
pub struct Peer {
    number: usize,
    kind: Kind,
}

fn wrong(error: impl std::fmt::Display) -> Failure {
    Failure::SetUp(error.to_string())
}

const fn qpn(client: usize, function: usize) -> u32 {
    0x1000 + 4 * client as u32 + function as u32
}

impl Peer {
    /// A client of a process, and its connections: of board pages, those of the client's part, or of segment `client`, whose process it is.
    pub fn new(
        way: Way,
        (number, pid): (usize, u32),
        (entries, slots): (u32, usize),
        responder: &mut Responder,
        door: &mut Door<'_, Board>,
    ) -> Result<Peer, Failure> {
        let kind = match way {
            Way::Chain => {
                Kind::Chain(Box::new(chain(number, (entries, slots), responder, door)?), BTreeMap::new())
            }
            Way::Static | Way::Native => {
                Kind::Verbs(Box::new(verbs(way, (number, pid), (entries, slots), responder, door)?))
            }
        };
        Ok(Peer { number, kind })
    }

    /// Begins a request: there must be room, and no other of its page.
    pub fn begin(&mut self, ask: Ask) -> Result<(), Failure> {
        match &mut self.kind {
            Kind::Verbs(verbs) => {
                let va = verbs.base + u64::from(ask.page()) * FRAME;
                let (pair, id) = match ask {
                    Ask::Load(_) => (0, verbs.pairs[0].read(va, vec![0; PAGE]).map_err(wrong)?),
                    Ask::Store(_, number) => {
                        (1, verbs.pairs[1].write(va, bytes(number).to_vec(), None, false).map_err(wrong)?)
                    }
                    Ask::Free(_, pages) => {
                        (1, verbs.pairs[1].free(&[FreeRange { va, pages: pages.into() }]).map_err(wrong)?)
                    }
                };
                verbs.running.insert((pair, id), ask);
            }
            Kind::Chain(client, running) => {
                let ticket = match ask {
                    Ask::Load(page) => client.load(page),
                    Ask::Store(page, number) => client.store(page, &bytes(number)),
                    Ask::Free(page, _) => client.invalidate(page),
                };
                running.insert(ticket.map_err(wrong)?, ask);
            }
        }
        Ok(())
    }

    /// Requests that have not ended.
    pub fn pending(&self) -> usize {
        match &self.kind {
            Kind::Verbs(verbs) => verbs.running.len(),
            Kind::Chain(_, running) => running.len(),
        }
    }

    /// The next request that has ended.
    pub fn ended(&mut self) -> Result<Option<Ended>, Failure> {
        let client = self.number;
        match &mut self.kind {
            Kind::Verbs(verbs) => {
                for pair in 0..verbs.pairs.len() {
                    let Some(done) = verbs.pairs[pair].poll_done() else { continue };
                    let id = done.id;
                    done.result.map_err(|failure| Failure::Operation { client, id, failure })?;
                    let ask = verbs.running.remove(&(pair, id)).ok_or(Failure::Unasked { client, id })?;
                    let bytes = done.buffer.filter(|_| matches!(ask, Ask::Load(_)));
                    return Ok(Some(Ended { ask, bytes }));
                }
                Ok(None)
            }
            Kind::Chain(chain, running) => {
                let Some(done) = chain.poll_done() else { return Ok(None) };
                let id = done.ticket;
                done.result.map_err(|failure| Failure::Chain { client, id, failure })?;
                let ask = running.remove(&id).ok_or(Failure::Unasked { client, id })?;
                Ok(Some(Ended { ask, bytes: done.bytes.filter(|_| done.request == Request::Load) }))
            }
        }
    }

    /// Takes a packet of the node.
    pub fn receive(&mut self, now: u64, transport: &[u8]) {
        match &mut self.kind {
            Kind::Verbs(verbs) => {
                let header = transport.first_chunk().map(|header| Bth::from_bytes(header).0);
                // The client's queue pairs have the node's numbers.
                let pair = header.map_or(0, |bth| bth.dest_qp & 1) as usize;
                verbs.pairs[pair].receive(now, transport);
            }
            Kind::Chain(chain, _) => {
                chain.receive(now, &Arrival { source: NODE, congested: false, transport });
            }
        }
    }

    /// When the next packet is to be asked for, if nothing comes before: nanoseconds.
    pub fn next_time(&self) -> Option<u64> {
        match &self.kind {
            Kind::Verbs(verbs) => verbs.pairs.iter().filter_map(Native::next_time).min(),
            Kind::Chain(chain, _) => chain.next_time(),
        }
    }

    /// Writes the next packet. Answers its length.
    pub fn transmit(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<usize> {
        match &mut self.kind {
            Kind::Verbs(verbs) => {
                verbs.turn ^= 1;
                let turn = verbs.turn;
                let sent = verbs.pairs[turn].poll_transmit(now, to);
                sent.or_else(|| verbs.pairs[1 - turn].poll_transmit(now, to))
            }
            Kind::Chain(chain, _) => chain.poll_transmit(now, to).map(|sent| sent.length),
        }
    }
}

fn verbs(
    way: Way,
    (number, pid): (usize, u32),
    (entries, slots): (u32, usize),
    responder: &mut Responder,
    door: &mut Door<'_, Board>,
) -> Result<Verbs, Failure> {
    let length = u64::from(entries) * FRAME;
    let va = match way {
        Way::Static => (VA << 1) + number as u64 * length,
        _ => VA,
    };
    let region = Region { pid, va, length, access: Access::ALL };
    let rkey = responder.regions.insert(0x2a_0000 | number as u32, region).map_err(wrong)?;
    let grant = Grant { va, length, rkey, access: Access::ALL };
    let mut made = Vec::new();
    for pair in 0..2 {
        let own = qpn(number, pair);
        let config = QueuePairConfig {
            pid,
            serves: Serves::Regions,
            ..QueuePairConfig::new(own, address(number), own, Psn::default())
        };
        match way {
            Way::Static => responder.create(config).map_err(wrong)?,
            _ => door.create_native(responder, config, None).map_err(wrong)?,
        }
        let asks = RequesterConfig {
            timeout: TIMEOUT,
            queue: 2 * slots,
            answered: 16,
            ..RequesterConfig::new(own, Psn::default())
        };
        made.push(Native::new(asks, grant));
    }
    let pairs = made.try_into().map_err(|_| wrong("two queue pairs"))?;
    Ok(Verbs { pairs, running: BTreeMap::new(), turn: 0, base: va })
}

fn chain(
    number: usize,
    (entries, slots): (u32, usize),
    responder: &mut Responder,
    door: &mut Door<'_, Board>,
) -> Result<ChainClient, Failure> {
    let mut functions = Vec::new();
    for (at, function) in Chain::ALL.into_iter().enumerate() {
        let (profile, own) = (Profile::default_of(function), qpn(number, at));
        let config = ChainConfig {
            qpn: own,
            peer: address(number),
            peer_qpn: own,
            expected_psn: Psn::default(),
            first_psn: Psn::default(),
            path_mtu: PathMtu::MAX,
            profile,
            segment: number as u32,
            tt_base: TT_BASE,
            key: Some(KEY),
            options: ReplyOptions::default(),
            hardened: false,
            timeout: TIMEOUT,
            rate: 0,
        };
        door.create_chain(responder, config).map_err(wrong)?;
        functions.push(FunctionSetup {
            profile,
            qpn: own,
            node_qpn: own,
            to_node: Psn::default(),
            from_node: Psn::default(),
        });
    }
    ChainClient::new(ChainSetup {
        node: NODE,
        functions: functions.try_into().map_err(|_| wrong("four functions"))?,
        tt_base: TT_BASE,
        entries,
        key: KEY,
        options: ReplyOptions::default(),
        path_mtu: PathMtu::MAX,
        timeout: TIMEOUT,
        patient: false,
        not_ready_retries: NotReadyRetries::Forever,
        answer_timeout: None,
        slots: 2 * slots,
        buffers: BUFFERS,
        random: 0x2b_0000 | number as u64,
    })
    .map_err(wrong)
}
