//! Through ODRP's chains: a block is a page of the paper, and each request a SEND of its own, to which the board answers with WRITEs.
//! Memory is that of [`super::FrameStore`].
use super::native::{PATIENCE, PAUSE, REFILL};
use super::{Access, Ended, Failure, Lane, Order, Way};
use crate::BLOCK;
use mneme_rdma::client::{ChainDone, ChainError, Request, Unstored};
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::codec::Nak;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::memory::Access as Rights;
use mneme_rdma::node::ReplyOptions;
use mneme_rdma::requester::Failure as Verb;
use mneme_rdma::udp::{ChainConnection, ChainOptions};
use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

const BYTES: usize = BLOCK as usize;
/// Requests under way at most: each has a buffer of a page.
const SLOTS: usize = 64;
/// Between two tries of that.
const AGAIN: Duration = Duration::from_millis(1);

/// An order, of which each block is a request.
struct Job {
    order: Order,
    /// Blocks whose requests have not ended.
    left: u32,
    failed: Option<Failure>,
    since: Instant,
}

/// A block's request, not sent.
#[derive(Debug, Clone, Copy)]
struct Piece {
    tag: u32,
    block: u8,
}

/// Four queue pairs: load, mapped store, unmapped store, invalidate. They are made anew when one has failed, and what had not ended is
/// sent again.
pub struct ChainLane {
    way: Way,
    client: Option<ChainConnection>,
    looked: Instant,
    jobs: Vec<Option<Job>>,
    waiting: VecDeque<Piece>,
    /// Stores that found no frame, and when they are tried again.
    empty: VecDeque<(Instant, Piece)>,
    /// Sent, by ticket.
    sent: Vec<(u64, Piece)>,
    ended: VecDeque<Ended>,
    sent_again: u64,
}

impl ChainLane {
    /// Connects. `depth`: operations under way at most. Blocks up to four times `give_up`.
    ///
    /// # Errors
    /// Those of [`ChainConnection::connect`].
    pub fn connect(way: Way, depth: u32) -> anyhow::Result<ChainLane> {
        let client = connect(&way, way.give_up)?;
        let room = depth as usize;
        Ok(ChainLane {
            way,
            client: Some(client),
            looked: Instant::now(),
            jobs: (0..room).map(|_| None).collect(),
            waiting: VecDeque::with_capacity(16 * room),
            empty: VecDeque::with_capacity(16 * room),
            sent: Vec::with_capacity(SLOTS),
            ended: VecDeque::with_capacity(room),
            sent_again: 0,
        })
    }

    fn post(&mut self) {
        while let Some((at, piece)) = self.empty.front().copied()
            && at <= Instant::now()
        {
            self.empty.pop_front();
            self.waiting.push_back(piece);
        }
        let Some(ChainConnection { chain, .. }) = &mut self.client else { return };
        let base = self.way.frames.map_or(0, |(va, _)| va);
        while self.sent.len() < SLOTS
            && let Some(piece) = self.waiting.pop_front()
        {
            let Some(Job { order, .. }) = &mut self.jobs[piece.tag as usize] else { continue };
            let page = ((order.va - base) / BLOCK) as u32 + u32::from(piece.block);
            let at = usize::from(piece.block) * BYTES;
            let mapped = order.access != Access::Write || order.blocks >> piece.block & 1 == 1;
            let bytes = order.bytes.get(at..at + BYTES).and_then(|bytes| bytes.first_chunk::<BYTES>());
            let begun = chain.learn(page, mapped).and_then(|()| match (order.access, bytes) {
                (Access::Read, _) => chain.load(page),
                (Access::Write, Some(bytes)) => chain.store(page, bytes),
                (Access::Write, None) => Err(ChainError::Unmapped(page)),
                (Access::Free, _) => chain.invalidate(page),
            });
            match begun {
                Ok(ticket) => self.sent.push((ticket, piece)),
                // Another request of the page goes first; its end makes room, too.
                Err(ChainError::Busy(_) | ChainError::Full(_)) => {
                    self.waiting.push_front(piece);
                    return;
                }
                Err(ChainError::Post(error)) => {
                    tracing::debug!(%error, "a request waits");
                    self.waiting.push_front(piece);
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "a request was not sent");
                    self.end(piece, Some(Failure::Refused));
                    return;
                }
            }
        }
    }

    /// A block's request has ended.
    fn end(&mut self, piece: Piece, failed: Option<Failure>) {
        let Some(job) = &mut self.jobs[piece.tag as usize] else { return };
        job.left -= 1;
        job.failed = job.failed.or(failed);
        if job.left == 0
            && let Some(Job { order, failed, .. }) = self.jobs[piece.tag as usize].take()
        {
            let Order { tag, bytes, .. } = order;
            self.ended.push_back(Ended { tag, bytes, result: failed.map_or(Ok(()), Err) });
        }
    }

    /// Takes what has ended on the wire.
    fn take(&mut self) {
        let Some(client) = &mut self.client else { return };
        if client.poll(Duration::ZERO).is_err() {
            // The system failed.
            client.chain.close();
        }
        let mut refused = false;
        while let Some(done) = self.client.as_mut().and_then(|client| client.chain.poll_done()) {
            refused |= self.settle(done);
        }
        let Some(client) = &self.client else { return };
        if client.chain.has_ended() {
            self.sent_again += again(client);
            self.client = None;
            // Those that no end was told of.
            for (_, piece) in self.sent.drain(..) {
                self.waiting.push_back(piece);
            }
            self.looked = Instant::now().checked_sub(PAUSE).unwrap_or_else(Instant::now);
            // A board that has refused one is there for the others, however long they have waited for that.
            if !refused {
                self.end_late();
            }
        }
    }
    /// Takes the end of a request. Answers whether the board has refused it for good, and ended the connection with that.
    fn settle(&mut self, done: ChainDone) -> bool {
        let ChainDone { ticket, request, result, bytes, .. } = done;
        let Some(at) = self.sent.iter().position(|(of, _)| *of == ticket) else { return false };
        let (_, piece) = self.sent.swap_remove(at);
        let Some(job) = &mut self.jobs[piece.tag as usize] else { return false };
        if let Some(bytes) = bytes {
            let at = usize::from(piece.block) * BYTES;
            job.order.bytes[at..at + BYTES].copy_from_slice(&bytes);
            if let Some(client) = &mut self.client {
                client.chain.give_back(bytes);
            }
        }
        let failed = match result {
            Ok(()) => None,
            Err(Unstored::Empty) if job.since.elapsed() < REFILL => {
                self.empty.push_back((Instant::now() + AGAIN, piece));
                return false;
            }
            Err(Unstored::Empty) => Some(Failure::NoMemory),
            Err(Unstored::Ended(Verb::NeverReady(_))) if request == Request::Store => Some(Failure::NoMemory),
            Err(Unstored::Ended(Verb::Refused(Nak::RemoteAccess))) => Some(Failure::Gone),
            Err(Unstored::Ended(Verb::Refused(_))) => Some(Failure::Refused),
            // What stood behind a refused one is flushed with it, and was not refused itself. A load finds no room when the board's
            // answers to others do not get here.
            Err(Unstored::Ended(_)) => {
                self.waiting.push_back(piece);
                return false;
            }
        };
        self.end(piece, failed);
        matches!(result, Err(Unstored::Ended(_)))
    }
    /// Ends what has waited for too long.
    fn end_late(&mut self) {
        let give_up = self.way.give_up;
        let late = |job: &Job| job.since.elapsed() >= give_up;
        for _ in 0..self.waiting.len() {
            let Some(piece) = self.waiting.pop_front() else { break };
            match &self.jobs[piece.tag as usize] {
                Some(job) if late(job) => self.end(piece, Some(Failure::Silent)),
                _ => self.waiting.push_back(piece),
            }
        }
    }

    /// Looks for a board that was lost, and ends what has waited for too long.
    fn search(&mut self) {
        if self.waiting.is_empty() || self.looked.elapsed() < PAUSE {
            return;
        }
        match connect(&self.way, PATIENCE) {
            Ok(client) => {
                self.sent_again += self.waiting.len() as u64;
                self.client = Some(client);
            }
            Err(error) => {
                tracing::debug!(%error, "no connection");
                self.end_late();
            }
        }
        self.looked = Instant::now();
    }
}

/// Packets that were sent once more.
fn again(client: &ChainConnection) -> u64 {
    Chain::ALL.iter().map(|function| client.chain.seen(*function).sent_again).sum()
}

fn connect(way: &Way, patience: Duration) -> anyhow::Result<ChainConnection> {
    let (va, length) = way.frames.unwrap_or_default();
    let access = Rights { read: true, write: true, atomic: false };
    let kind = Kind::Chain(Chain::ALL[0]);
    let ask = Ask { pid: way.pid, kind, access, token: way.token, va, length, hardened: false };
    // A store without frame is told, and ends no connection.
    let replies = ReplyOptions { tell_empty: true, ..ReplyOptions::default() };
    let options = ChainOptions { replies, slots: SLOTS, ..ChainOptions::default() };
    Ok(ChainConnection::connect((way.source, way.board), ask, options, rand::random(), patience)?)
}

impl Lane for ChainLane {
    fn submit(&mut self, order: Order) {
        let tag = order.tag;
        let pieces = match order.access {
            Access::Write => (1u32 << (order.bytes.len() / BYTES)) - 1,
            Access::Read | Access::Free => order.blocks.into(),
        };
        let left = pieces.count_ones();
        if left == 0 {
            return self.ended.push_back(Ended { tag, bytes: order.bytes, result: Ok(()) });
        }
        self.jobs[tag as usize] = Some(Job { order, left, failed: None, since: Instant::now() });
        let blocks = (0..16).filter(|block| pieces >> block & 1 == 1);
        self.waiting.extend(blocks.map(|block| Piece { tag, block }));
    }
    fn flush(&mut self) {
        self.post();
        self.take();
    }
    fn poll(&mut self) -> Option<Ended> {
        if self.ended.is_empty() {
            match self.client {
                Some(_) => self.take(),
                None => self.search(),
            }
            self.post();
        }
        self.ended.pop_front()
    }
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.client.as_ref().map(AsFd::as_fd)
    }
    fn wait(&self) -> Option<Duration> {
        let next = match &self.client {
            Some(client) => client.next_wait(),
            None if self.waiting.is_empty() => None,
            None => Some(PAUSE.saturating_sub(self.looked.elapsed())),
        };
        let empty = self.empty.front().map(|(at, _)| at.saturating_duration_since(Instant::now()));
        [next, empty].into_iter().flatten().min()
    }
    fn sent_again(&self) -> u64 {
        self.sent_again + self.client.as_ref().map_or(0, again)
    }
}
