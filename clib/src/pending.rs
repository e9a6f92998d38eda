//! Asynchronous calls: what stands for their results.
use crate::completion::CompletionQueue;
use crate::core::{Handle, Taken};
use crate::error::{Error, Result};
use crate::process::{Process, Unmapped};
use crate::reactor::CannotSleep;
use crate::transport::Answer;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// What an asynchronous call gives in the end. Implemented by the kinds of calls in this crate only.
///
/// ```no_run
/// use mneme_clib::{Outcome, Pending};
///
/// /// The results of calls of any kind, in their order.
/// fn all<K: Outcome>(calls: Vec<Pending<K>>) -> Result<Vec<K::Output>, K::Error> {
///     calls.into_iter().map(Pending::wait).collect()
/// }
/// ```
pub trait Outcome: sealed::Sealed + Unpin {
    /// The call's result.
    type Output;
    /// What it can fail with: a call that was given a buffer hands it back.
    type Error: From<Error> + Into<Error> + std::error::Error + Send + Sync + 'static;
    /// Takes what was read out of the request's buffer, and the answer where the request is one packet with a payload
    /// of its own.
    #[doc(hidden)]
    fn collect(&mut self, _: &mut Vec<u8>, _: Option<Answer>) {}
    /// Makes the result.
    #[doc(hidden)]
    fn finish(self, process: &Process) -> Result<Self::Output, Self::Error>;
    /// Nobody has taken the result.
    #[doc(hidden)]
    fn unclaimed(_: Self::Output, _: &Process) {}
    /// Takes back what the request was given; after an error.
    #[doc(hidden)]
    fn reclaim(&mut self, _: &mut Vec<u8>) {}
    /// Makes the error.
    #[doc(hidden)]
    fn fail(self, process: &Process, error: Error) -> Self::Error
    where
        Self: Sized,
    {
        self.explain(process, error).into()
    }
    /// Says more about an error than the packet's own.
    #[doc(hidden)]
    fn explain(&self, _: &Process, error: Error) -> Error {
        error
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

enum State<K: Outcome> {
    /// Needed no packet, or was refused on this side.
    Ready(Result<K::Output, K::Error>),
    Flying(Handle, K),
    /// The result was handed out.
    Taken,
}

/// An asynchronous call of a [`Process`] that may not have ended yet.
///
/// It makes progress whenever its client is driven: by [`Pending::rpoll`], [`Pending::wait`], [`Process::rrelease`], or
/// any synchronous call of the client. Left alone for longer than the board's time window (tens of milliseconds), a
/// write or atomic that lost a packet may end with the outcome unknown.
///
/// Dropping it does not cancel the call ([`Pending::cancel`] does); if it fails, the next [`Process::rrelease`] says so.
///
/// As a future it works on every executor. Over sockets and raw links it sleeps: the first future that has to wait starts
/// a thread, one for the client and its processes, which waits for datagrams and timers in the place of all that sleep.
/// Where the driver spins, or has nothing to sleep on (a board in the same process), it asks to be polled again at once.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// let calls: Vec<_> = (0..8).map(|i| process.fetch_add_async(va + 8 * i, 1)).collect();
/// for call in calls {
///     println!("{}", call.wait()?);
/// }
/// # Ok(()) }
/// ```
#[must_use = "an asynchronous call's result comes from `rpoll`, `wait` or `.await`; drop it to leave its error to `rrelease`"]
pub struct Pending<K: Outcome> {
    process: Process,
    state: State<K>,
}

/// What [`Pending::rpoll`] found.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::Polled;
///
/// let mut call = process.fetch_add_async(va, 1);
/// let old = loop {
///     match call.rpoll() {
///         Polled::Ready(result) => break result?,
///         Polled::Pending(again) => call = again, // do something else meanwhile
///     }
/// };
/// # Ok(()) }
/// ```
pub enum Polled<K: Outcome> {
    /// The call has ended.
    Ready(Result<K::Output, K::Error>),
    /// Not yet: ask again.
    Pending(Pending<K>),
}

impl<K: Outcome> std::fmt::Debug for Pending<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("pid", &self.process.pid()).finish_non_exhaustive()
    }
}

fn collect<K: Outcome>(kind: &mut K, taken: Taken) {
    match taken.failed {
        true => kind.reclaim(taken.buffer),
        false => kind.collect(taken.buffer, taken.answer),
    }
}

fn end<K: Outcome>(process: &Process, kind: K, ended: Result<()>) -> Result<K::Output, K::Error> {
    match ended {
        Ok(()) => kind.finish(process),
        Err(error) => Err(kind.fail(process, error)),
    }
}

impl<K: Outcome> Pending<K> {
    pub(crate) fn ready(process: &Process, result: Result<K::Output, K::Error>) -> Self {
        Pending { process: process.handle(), state: State::Ready(result) }
    }
    pub(crate) fn flying(process: &Process, handle: Handle, kind: K) -> Self {
        Pending { process: process.handle(), state: State::Flying(handle, kind) }
    }
    /// The result if the call has ended, else the handle again. Takes what has arrived and sends what is due; does not
    /// wait.
    pub fn rpoll(mut self) -> Polled<K> {
        match self.look(None) {
            Some(result) => Polled::Ready(result),
            None => Polled::Pending(self),
        }
    }
    /// Tells a queue when the call has ended, at once if it has: then [`Pending::rpoll`] has the result. Once for each
    /// call: whoever asks again, or awaits the call, takes the first one's place.
    pub fn notify(&mut self, queue: &CompletionQueue, tag: u64) {
        let ended = match &self.state {
            State::Flying(handle, _) => self.process.session().notify(*handle, &queue.waker(tag)),
            State::Ready(_) | State::Taken => true,
        };
        if ended {
            queue.push(tag);
        }
    }
    /// Waits for the result. Blocks as long as a synchronous call would: the transport's `give_up`, after the requests
    /// that this one has to wait for.
    pub fn wait(mut self) -> Result<K::Output, K::Error> {
        match std::mem::replace(&mut self.state, State::Taken) {
            State::Ready(result) => result,
            State::Flying(handle, mut kind) => {
                let ended = self.process.session().wait(handle, &mut |taken| collect(&mut kind, taken));
                end(&self.process, kind, ended)
            }
            // `rpoll` and `wait` consume the handle, and a future that has ended is not to be polled again.
            State::Taken => Err(Error::Taken.into()),
        }
    }
    /// Ends the call, if it has not ended: nothing more of it leaves, what has left is not waited for, and the error
    /// ([`Reason::Cancelled`](crate::Reason::Cancelled)) tells its effect: none, unless a write or an atomic had left
    /// already. A call that has ended gives its result. A buffer that was handed over comes back. Does not wait.
    ///
    /// After an effect that is possible nothing of the client touches memory until the board's window has closed on it,
    /// as after every call whose outcome is unknown.
    ///
    /// ```no_run
    /// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
    /// let call = process.rread_owned_async(va, vec![0; 1 << 20]);
    /// match call.cancel() {
    ///     Ok(bytes) => println!("it had ended: {} bytes", bytes.len()),
    ///     Err(error) => println!("{error}; the buffer of {} bytes is back", error.buffer.len()),
    /// }
    /// # Ok(()) }
    /// ```
    pub fn cancel(self) -> Result<K::Output, K::Error> {
        if let State::Flying(handle, _) = &self.state {
            self.process.session().cancel(*handle);
        }
        self.wait()
    }
    /// The result, if the call has ended; if not, its future's waker is woken when it has.
    fn look(&mut self, waker: Option<&Waker>) -> Option<Result<K::Output, K::Error>> {
        match std::mem::replace(&mut self.state, State::Taken) {
            State::Ready(result) => Some(result),
            State::Flying(handle, mut kind) => {
                let polled =
                    self.process.session().poll(handle, waker, &mut |taken| collect(&mut kind, taken));
                match polled {
                    Ok(ended) => Some(end(&self.process, kind, ended)),
                    Err(cannot_sleep) => {
                        if let (Some(waker), Some(CannotSleep)) = (waker, cannot_sleep) {
                            waker.wake_by_ref();
                        }
                        self.state = State::Flying(handle, kind);
                        None
                    }
                }
            }
            State::Taken => Some(Err(Error::Taken.into())),
        }
    }
}

impl Pending<Unmapped> {
    /// Whether there was no room for the call, which nobody is told then.
    pub(crate) fn found_no_room(mut self) -> bool {
        let full = matches!(self.state, State::Ready(Err(Error::QueueFull { .. })));
        if full {
            self.state = State::Taken;
        }
        full
    }
}

impl<K: Outcome> Drop for Pending<K> {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.state, State::Taken) {
            State::Flying(handle, _) => self.process.detach(handle),
            State::Ready(Err(error)) => self.process.lose(error.into()),
            State::Ready(Ok(output)) => K::unclaimed(output, &self.process),
            State::Taken => {}
        }
    }
}

impl<K: Outcome> Unpin for Pending<K> {}

impl<K: Outcome> Future for Pending<K> {
    type Output = Result<K::Output, K::Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.look(Some(context.waker())).map_or(Poll::Pending, Poll::Ready)
    }
}
