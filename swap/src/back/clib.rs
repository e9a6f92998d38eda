//! Through CLib: a process of a board, which each lane joins with a client of its own.
use super::{Access, Ended, Failure, Lane, Order, Store};
use crate::BLOCK;
use mneme_clib::{
    AllocOptions, Client, Error, Membership, OpenOptions, Pending, Process, ReadOwned, Reason, WrittenOwned,
};
use mneme_wire::{Cause, Status};
use parking_lot::Mutex;
use rustix::event::{EventfdFlags, eventfd};
use rustix::io::{read, write};
use std::collections::VecDeque;
use std::future::Future;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

/// Bytes of a chunk at least: what the kernel discards of a swap device at a time.
const CHUNK_MIN: u64 = 1 << 20;

/// The few words for an error of the library's.
fn failure(error: &Error) -> Failure {
    if error.is_restart() || matches!(error, Error::Reclaimed { .. }) {
        return Failure::Gone;
    }
    match (error.refusal(), error.reason()) {
        (Some((Status::NoMemory | Status::Quota, _)), _) | (_, Some(Reason::Busy(Cause::Fault))) => {
            Failure::NoMemory
        }
        (Some((Status::Unmapped, _) | (Status::BadRequest | Status::Denied, Cause::Pid)), _) => Failure::Gone,
        (Some(_), _) | (_, Some(Reason::Version)) => Failure::Refused,
        (None, Some(_)) => Failure::Silent,
        // What this side refuses would be refused again; a driver that fails reaches no board.
        (None, None) if matches!(error, Error::Driver(_)) => Failure::Silent,
        (None, None) => Failure::Refused,
    }
}

/// A process and its memory. Its client keeps the lease.
pub struct ClibStore {
    process: Process,
    memory: u64,
    chunk: u64,
    window: Duration,
}

impl ClibStore {
    /// Opens a process.
    ///
    /// # Errors
    /// Those of [`Client::open`].
    pub fn open(client: &Client, options: OpenOptions) -> Result<ClibStore, Error> {
        let process = client.open(options)?;
        let chunk = CHUNK_MIN.next_multiple_of(process.page_size());
        let board = client.board();
        let window = Duration::from_nanos(u64::from(board.window) * u64::from(board.ns_per_tick));
        Ok(ClibStore { memory: board.memory, process, chunk, window })
    }
    /// What another client needs to join.
    pub fn membership(&self) -> Vec<Membership> {
        self.process.memberships()
    }
    /// The process.
    pub const fn process(&self) -> &Process {
        &self.process
    }
}

impl Store for ClibStore {
    fn chunk(&self) -> u64 {
        self.chunk
    }
    fn take(&mut self) -> Result<u64, Failure> {
        let own = AllocOptions { own_pages: true, ..AllocOptions::default() };
        self.process.ralloc_with(self.chunk, own).map_err(|error| {
            tracing::debug!(%error, "no chunk");
            failure(&error)
        })
    }
    fn give(&mut self, va: u64) -> Result<(), Failure> {
        self.process.rfree(va).map_err(|error| {
            tracing::warn!(%error, "a chunk was not given back");
            failure(&error)
        })
    }
    fn write(&mut self, va: u64, block: &[u8]) -> Result<(), Failure> {
        self.process.rwrite(va, block).map_err(|error| failure(&error))
    }
    fn settles(&self) -> Duration {
        self.window
    }
    fn memory(&self) -> u64 {
        self.memory
    }
    fn end(self: Box<Self>) -> Result<(), Failure> {
        self.process.end().map_err(|error| {
            tracing::warn!(%error, "the process was not ended: the board takes its memory back with the lease");
            failure(&error)
        })
    }
}

/// Tags of operations that may have ended.
struct Ready {
    tags: Mutex<VecDeque<u32>>,
    /// Readable while there are some.
    event: OwnedFd,
}

/// Tells one tag. Made once for each, so that a waker is a count and no allocation.
struct Note {
    ready: Arc<Ready>,
    tag: u32,
    /// It is told and was not taken: a tag is in the queue once, which bounds the queue.
    told: AtomicBool,
}

impl Wake for Note {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        if self.told.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut tags = self.ready.tags.lock();
        if tags.is_empty() {
            // Full means that it is readable already; nothing else can happen to an eventfd of one's own.
            let _readable = write(&self.ready.event, &1u64.to_ne_bytes());
        }
        tags.push_back(self.tag);
    }
}

enum Flight {
    None,
    Read(Pending<ReadOwned>),
    Write(Pending<WrittenOwned>),
}

/// A client that has joined the store's process.
pub struct ClibLane {
    client: Client,
    process: Process,
    flights: Vec<Flight>,
    notes: Vec<(Arc<Note>, Waker)>,
    ready: Arc<Ready>,
    ended: VecDeque<Ended>,
    corked: bool,
}

impl ClibLane {
    /// Joins. `depth`: operations under way at most.
    ///
    /// # Errors
    /// What the client says, or the system when it has no more descriptors.
    pub fn join(client: Client, membership: &[Membership], depth: u32) -> anyhow::Result<ClibLane> {
        let process = client.join_all(membership)?;
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let ready = Arc::new(Ready { tags: Mutex::new(VecDeque::with_capacity(depth as usize)), event });
        let note = |tag| {
            let note = Arc::new(Note { ready: Arc::clone(&ready), tag, told: AtomicBool::new(false) });
            (Arc::clone(&note), Waker::from(note))
        };
        Ok(ClibLane {
            client,
            process,
            flights: (0..depth).map(|_| Flight::None).collect(),
            notes: (0..depth).map(note).collect(),
            ended: VecDeque::with_capacity(depth as usize),
            ready,
            corked: false,
        })
    }

    /// Looks after an operation; if it has ended, its end is in `ended`.
    fn look(&mut self, tag: u32) {
        let at = tag as usize;
        let mut context = Context::from_waker(&self.notes[at].1);
        let (bytes, result) = match &mut self.flights[at] {
            Flight::None => return,
            Flight::Read(pending) => match Pin::new(pending).poll(&mut context) {
                Poll::Pending => return,
                Poll::Ready(Ok(bytes)) => (bytes, Ok(())),
                Poll::Ready(Err(error)) => (error.buffer, Err(error.error)),
            },
            Flight::Write(pending) => match Pin::new(pending).poll(&mut context) {
                Poll::Pending => return,
                Poll::Ready(Ok(bytes)) => (bytes, Ok(())),
                Poll::Ready(Err(error)) => (error.buffer, Err(error.error)),
            },
        };
        self.flights[at] = Flight::None;
        let result = result.map_err(|error| {
            tracing::debug!(%error, "an operation failed");
            failure(&error)
        });
        self.ended.push_back(Ended { tag, bytes, result });
    }

    fn told(&mut self) -> Option<u32> {
        let mut tags = self.ready.tags.lock();
        let tag = tags.pop_front()?;
        if tags.is_empty() {
            let mut count = [0; 8];
            // Nothing to read is as good.
            let _unreadable = read(&self.ready.event, &mut count);
        }
        drop(tags);
        self.notes[tag as usize].0.told.store(false, Ordering::Release);
        Some(tag)
    }
}

impl Lane for ClibLane {
    fn submit(&mut self, Order { tag, access, va, bytes, .. }: Order) {
        debug_assert!(bytes.len() as u64 >= BLOCK, "{} bytes", bytes.len());
        if !self.corked {
            self.client.cork();
            self.corked = true;
        }
        self.flights[tag as usize] = match access {
            Access::Read => Flight::Read(self.process.rread_owned_async(va, bytes)),
            Access::Write => Flight::Write(self.process.rwrite_owned_async(va, bytes)),
            // The library frees ranges alone, so its store has chunks.
            Access::Free => {
                self.ended.push_back(Ended { tag, bytes, result: Err(Failure::Refused) });
                return;
            }
        };
        self.look(tag);
    }
    fn flush(&mut self) {
        if std::mem::take(&mut self.corked) {
            self.client.uncork();
        }
    }
    fn poll(&mut self) -> Option<Ended> {
        while self.ended.is_empty() {
            let tag = self.told()?;
            self.look(tag);
        }
        self.ended.pop_front()
    }
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        Some(self.ready.event.as_fd())
    }
    fn sent_again(&self) -> u64 {
        self.client.statistics().transport.retries()
    }
}
