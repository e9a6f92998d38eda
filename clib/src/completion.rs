//! A queue of calls that have ended: what an event loop waits for instead of polling each call.
//!
//! ```no_run
//! # fn main() -> mneme_clib::Result<()> {
//! # let client = mneme_clib::Client::connect_to("10.0.0.2:19790", &Default::default(), Default::default())?;
//! # let process = client.open(Default::default())?;
//! # let va = process.ralloc(1 << 20)?;
//! use mneme_clib::Polled;
//! use std::collections::HashMap;
//! use std::time::Duration;
//! let queue = client.completions()?;
//! let mut calls = HashMap::new();
//! for tag in 0..64 {
//!     let mut call = process.rread_owned_async(va + 64 * tag, vec![0; 64]);
//!     call.notify(&queue, tag);
//!     calls.insert(tag, call);
//! }
//! while let Some(tag) = queue.wait(Duration::from_secs(1)) {
//!     // It has ended, so this does not wait.
//!     let Some(Polled::Ready(result)) = calls.remove(&tag).map(|call| call.rpoll()) else { continue };
//!     println!("{tag}: {} bytes", result?.len());
//! }
//! # Ok(()) }
//! ```
use crate::core::Session;
use crate::driver::DriverError;
use crate::error::Result;
use parking_lot::Mutex;
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::{read, write};
use std::collections::VecDeque;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::task::{Wake, Waker};
use std::time::{Duration, Instant};

/// Tags of calls that have ended, in the order in which they ended.
struct Ended {
    tags: Mutex<VecDeque<u64>>,
    /// Readable while there are tags.
    event: OwnedFd,
}

impl Ended {
    fn push(&self, tag: u64) {
        let mut tags = self.tags.lock();
        if tags.is_empty() {
            // Full means that it is readable already; nothing else can happen to an eventfd of one's own.
            let _readable = write(&self.event, &1u64.to_ne_bytes());
        }
        tags.push_back(tag);
    }
    fn pop(&self) -> Option<u64> {
        let mut tags = self.tags.lock();
        let tag = tags.pop_front()?;
        if tags.is_empty() {
            let mut count = [0; 8];
            // Nothing to read is as good.
            let _unreadable = read(&self.event, &mut count);
        }
        Some(tag)
    }
}

/// A call whose end is to be told.
struct Note {
    ended: Arc<Ended>,
    tag: u64,
}

impl Wake for Note {
    fn wake(self: Arc<Self>) {
        self.ended.push(self.tag);
    }
}

/// Calls of a client that have ended, by tags that the caller chose ([`Pending::notify`]). Each call whose end was to be
/// told gives its tag once, so there are never more tags than calls that may be outstanding.
///
/// Over sockets and raw links the client's thread looks after the calls meanwhile, and the queue's descriptor
/// ([`AsFd`]) is readable while there are tags: for epoll, tokio's `AsyncFd`, asyncio. Who is told of changes alone
/// (`AsyncFd`, `EPOLLET`) takes tags until there are none before he waits again. With a board in the same process
/// calls end only while somebody calls the client or [`CompletionQueue::next`].
///
/// Any thread may take tags. Dropping the queue ends no call.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client, process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use std::time::Duration;
///
/// let queue = client.completions()?;
/// let mut add = process.fetch_add_async(va, 1);
/// add.notify(&queue, 7);
/// if queue.wait(Duration::from_secs(1)) == Some(7) {
///     println!("the word held {}", add.wait()?);
/// }
/// # Ok(()) }
/// ```
///
/// [`Pending::notify`]: crate::Pending::notify
pub struct CompletionQueue {
    session: Arc<Session>,
    ended: Arc<Ended>,
}

impl std::fmt::Debug for CompletionQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tags = self.ended.tags.try_lock().map(|tags| tags.len());
        f.debug_struct("CompletionQueue").field("tags", &tags).finish_non_exhaustive()
    }
}

impl AsFd for CompletionQueue {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.ended.event.as_fd()
    }
}

/// What tokio's `AsyncFd` asks for.
impl AsRawFd for CompletionQueue {
    fn as_raw_fd(&self) -> RawFd {
        self.ended.event.as_raw_fd()
    }
}

impl CompletionQueue {
    pub(crate) fn new(session: Arc<Session>) -> Result<CompletionQueue> {
        let event =
            eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(|error| DriverError::Io {
                what: "cannot make a descriptor for a queue of ended calls",
                source: error.into(),
            })?;
        Ok(CompletionQueue { session, ended: Arc::new(Ended { tags: Mutex::default(), event }) })
    }
    /// The tag of a call that has ended, the first of those that nobody took. Takes what has arrived for the client and
    /// sends what is due; does not wait.
    pub fn next(&self) -> Option<u64> {
        self.session.is_own().ok()?;
        self.ended.pop().or_else(|| {
            self.session.step();
            self.ended.pop()
        })
    }
    /// As [`CompletionQueue::next`], but waits for a call to end, at most so long.
    pub fn wait(&self, longest: Duration) -> Option<u64> {
        let until = Instant::now().checked_add(longest);
        // In a child nothing ends.
        while !self.session.is_of_parent() {
            if let Some(tag) = self.next() {
                return Some(tag);
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return None;
            }
            if self.session.is_attended_by_a_thread() {
                self.sleep(left);
            }
        }
        None
    }
    /// Sleeps until there are tags, a time has passed, or a signal came.
    fn sleep(&self, longest: Option<Duration>) {
        let timeout = longest.map(|longest| Timespec {
            tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: longest.subsec_nanos().into(),
        });
        if poll(&mut [PollFd::new(&self.ended.event, PollFlags::IN)], timeout.as_ref()).is_err() {
            std::thread::yield_now();
        }
    }
    /// What tells a call's end under a tag.
    pub(crate) fn waker(&self, tag: u64) -> Waker {
        Waker::from(Arc::new(Note { ended: Arc::clone(&self.ended), tag }))
    }
    /// Tells the end of a call that has ended already.
    pub(crate) fn push(&self, tag: u64) {
        if !self.session.is_of_parent() {
            self.ended.push(tag);
        }
    }
}
