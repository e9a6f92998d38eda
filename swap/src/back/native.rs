//! Through RDMA READ and WRITE on one queue pair, over a UDP socket. Memory comes from a process that CLib opens: its page table
//! decides what the connection may touch, so that a chunk can be used as soon as it is allocated. On pages of 4 KB the connection is of
//! their kind and frees them, too.
use super::{Access, Ended, Failure, Lane, Order};
use crate::BLOCK;
use mneme_rdma::client::FreeRange;
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::codec::Nak;
use mneme_rdma::memory::Access as Rights;
use mneme_rdma::requester::{Failure as Verb, NotReadyRetries};
use mneme_rdma::udp::NativeClient;
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

/// What a requester holds at most, completions that wait among them.
const UNDER_WAY: usize = 96;
/// How long a new connection is waited for; nothing else of the queue could go on meanwhile.
pub(super) const PATIENCE: Duration = Duration::from_millis(250);
/// From one search for a lost board to the next.
pub(super) const PAUSE: Duration = Duration::from_millis(250);
/// How long a write is tried that finds no memory: the slow path fills the board's ring in less, if there is some.
pub(super) const REFILL: Duration = Duration::from_millis(100);
/// All addresses: the page table says which of them are there.
const EVERYWHERE: u64 = 1 << 48;

/// Where a lane connects, and as whom.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// The own address: its UDP port 4791 is taken.
    pub source: Ipv4Addr,
    /// The board's.
    pub board: Ipv4Addr,
    /// The process.
    pub pid: u32,
    /// What proves that it may be joined.
    pub token: [u8; 16],
    /// First address and bytes of the pages of 4 KB; `None`: board pages, all that the process has.
    pub frames: Option<(u64, u64)>,
    /// How long an operation is tried.
    pub give_up: Duration,
}

struct Job {
    order: Order,
    since: Instant,
}

impl Job {
    fn is_late(&self, way: &Way) -> bool {
        self.since.elapsed() >= way.give_up
    }
    /// Whether it is a write of a block that the board may have no frame for.
    fn needs_frame(&self) -> bool {
        let Order { access, blocks, ref bytes, .. } = self.order;
        access == Access::Write && u64::from(blocks.trailing_ones()) < bytes.len() as u64 / BLOCK
    }
}

/// One queue pair. It is made anew when it has failed, and what had not ended is posted again: reads and writes may be done twice.
pub struct NativeLane {
    way: Way,
    client: Option<NativeClient>,
    looked: Instant,
    /// Not posted, or to be posted again.
    waiting: VecDeque<Job>,
    /// Posted; they end in this order. The buffers are the requester's.
    posted: VecDeque<Job>,
    ended: VecDeque<Ended>,
    sent_again: u64,
}

impl NativeLane {
    /// Connects. `depth`: operations under way at most. Blocks up to `give_up`.
    ///
    /// # Errors
    /// Those of [`NativeClient::connect`].
    pub fn connect(way: Way, depth: u32) -> anyhow::Result<NativeLane> {
        let client = connect(&way, way.give_up)?;
        let room = depth as usize;
        Ok(NativeLane {
            way,
            client: Some(client),
            looked: Instant::now(),
            waiting: VecDeque::with_capacity(room),
            posted: VecDeque::with_capacity(room),
            ended: VecDeque::with_capacity(room),
            sent_again: 0,
        })
    }

    fn post(&mut self) {
        let Some(client) = &mut self.client else { return };
        while self.posted.len() < UNDER_WAY
            && let Some(mut job) = self.waiting.pop_front()
        {
            let bytes = std::mem::take(&mut job.order.bytes);
            let length = bytes.len();
            let begun = match job.order.access {
                Access::Read => client.native.read(job.order.va, bytes),
                Access::Write => client.native.write(job.order.va, bytes, None, false),
                Access::Free => {
                    let mut ranges = [FreeRange { va: 0, pages: 0 }; RUNS];
                    let runs = runs(job.order.va, job.order.blocks, &mut ranges);
                    client.native.free_in(&ranges[..runs], bytes)
                }
            };
            match begun {
                Ok(_) => self.posted.push_back(job),
                Err(error) => {
                    // Neither range nor room can be wrong here; should they be, a fresh buffer keeps the queue whole.
                    tracing::warn!(%error, "an operation was not posted");
                    let Order { tag, .. } = job.order;
                    self.ended.push_back(Ended {
                        tag,
                        bytes: vec![0; length],
                        result: Err(Failure::Refused),
                    });
                }
            }
        }
    }

    /// Takes what has ended on the wire.
    fn take(&mut self) {
        let Some(client) = &mut self.client else { return };
        if client.poll(Duration::ZERO).is_err() {
            // The system failed: what was posted comes back.
            client.native.close();
        }
        let (mut answered, mut short) = (false, false);
        while let Some(done) = client.native.poll_done() {
            let (Some(mut job), Some(bytes)) = (self.posted.pop_front(), done.buffer) else { break };
            job.order.bytes = bytes;
            let ended = match done.result {
                Ok(()) => Ok(()),
                Err(Verb::NoAnswer(_) | Verb::BadAnswer(_) | Verb::Flushed) => {
                    // What stood behind a refused one is flushed with it, and was not refused itself.
                    self.waiting.push_back(job);
                    continue;
                }
                Err(Verb::Refused(Nak::RemoteAccess)) => Err(Failure::Gone),
                Err(Verb::Refused(_)) => Err(Failure::Refused),
                // Memory is no matter of a READ.
                Err(Verb::NeverReady(_)) if job.order.access == Access::Read => {
                    if !job.is_late(&self.way) {
                        answered = true;
                        self.waiting.push_back(job);
                        continue;
                    }
                    Err(Failure::Refused)
                }
                Err(Verb::NeverReady(_)) => {
                    short = true;
                    Err(Failure::NoMemory)
                }
            };
            answered |= ended.is_err();
            end(&mut self.ended, job, ended);
        }
        if client.native.has_ended() {
            self.sent_again += client.native.seen().sent_again;
            self.client = None;
            self.looked = Instant::now().checked_sub(PAUSE).unwrap_or_else(Instant::now);
            if short && self.way.frames.is_some() {
                self.end_some(Failure::NoMemory, |job, _| job.needs_frame());
            }
            // A board that has answered one is there for the others, however long they have waited for that.
            if !answered {
                self.end_some(Failure::Silent, Job::is_late);
            }
        }
    }
    /// Ends some of what waits.
    fn end_some(&mut self, failure: Failure, which: impl Fn(&Job, &Way) -> bool) {
        for _ in 0..self.waiting.len() {
            match self.waiting.pop_front() {
                Some(job) if which(&job, &self.way) => end(&mut self.ended, job, Err(failure)),
                Some(job) => self.waiting.push_back(job),
                None => break,
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
                // A write that finds no memory keeps all that are behind it waiting.
                let order = |job: &Job| (job.order.access != Access::Read, job.needs_frame(), job.since);
                self.waiting.make_contiguous().sort_unstable_by_key(order);
            }
            Err(error) => {
                tracing::debug!(%error, "no connection");
                self.end_some(Failure::Silent, Job::is_late);
            }
        }
        self.looked = Instant::now();
    }
}

/// Runs of ones that a mask of 16 bits can have.
const RUNS: usize = 8;

/// Writes the runs of blocks that a mask names, and answers how many there are.
fn runs(va: u64, mut blocks: u16, to: &mut [FreeRange; RUNS]) -> usize {
    let (mut count, mut at) = (0, va);
    while blocks != 0 {
        let skipped = blocks.trailing_zeros();
        let pages = (blocks >> skipped).trailing_ones();
        at += u64::from(skipped) * BLOCK;
        to[count] = FreeRange { va: at, pages: pages.into() };
        at += u64::from(pages) * BLOCK;
        count += 1;
        blocks = blocks.checked_shr(skipped + pages).unwrap_or(0);
    }
    count
}

fn end(ended: &mut VecDeque<Ended>, job: Job, result: Result<(), Failure>) {
    let Order { tag, bytes, .. } = job.order;
    ended.push_back(Ended { tag, bytes, result });
}

fn connect(way: &Way, patience: Duration) -> anyhow::Result<NativeClient> {
    let access = Rights { read: true, write: true, atomic: false };
    let (kind, (va, length)) = match way.frames {
        Some(range) => (Kind::Frames, range),
        None => (Kind::Pages, (0, EVERYWHERE)),
    };
    let ask = Ask { pid: way.pid, kind, access, token: way.token, va, length, hardened: false };
    let mut client = NativeClient::connect(way.source, way.board, ask, rand::random(), patience)?;
    client.native.bear(NotReadyRetries::For(REFILL.as_nanos() as u64));
    Ok(client)
}

impl Lane for NativeLane {
    fn submit(&mut self, order: Order) {
        self.waiting.push_back(Job { order, since: Instant::now() });
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
        match &self.client {
            Some(client) => client.next_wait(),
            None if self.waiting.is_empty() => None,
            None => Some(PAUSE.saturating_sub(self.looked.elapsed())),
        }
    }
    fn sent_again(&self) -> u64 {
        self.sent_again + self.client.as_ref().map_or(0, |client| client.native.seen().sent_again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_those_of_the_mask() {
        for blocks in 1..=u16::MAX {
            let mut ranges = [FreeRange { va: 0, pages: 0 }; RUNS];
            let count = runs(1 << 20, blocks, &mut ranges);
            let mut named = 0u32;
            for (n, range) in ranges[..count].iter().enumerate() {
                let first = (range.va - (1 << 20)) / BLOCK;
                named |= ((1 << range.pages) - 1) << first;
                let before = n.checked_sub(1).map(|n| ranges[n].va + ranges[n].pages * BLOCK);
                assert!(before.is_none_or(|end| end < range.va), "{blocks:016b}: {ranges:?}");
            }
            assert_eq!(named, u32::from(blocks));
        }
    }
}
