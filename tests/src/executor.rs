//! The smallest executor: its thread sleeps until a future's waker is called.
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// A future that nobody wakes for so long was forgotten.
const FORGOTTEN: Duration = Duration::from_secs(90);

struct Sleeper {
    thread: Thread,
    woken: AtomicBool,
}

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// Runs a future to its end; also says how often it was polled.
pub fn block_on<F: Future>(future: F) -> (F::Output, usize) {
    let sleeper = Arc::new(Sleeper { thread: std::thread::current(), woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&sleeper));
    let mut future = pin!(future);
    let mut polls = 0;
    loop {
        polls += 1;
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return (output, polls);
        }
        let asleep = Instant::now();
        while !sleeper.woken.swap(false, Ordering::Acquire) {
            assert!(asleep.elapsed() < FORGOTTEN, "nobody woke the future");
            std::thread::park_timeout(FORGOTTEN);
        }
    }
}

/// All results, in order. Whenever it is polled, it polls all that have not ended.
pub fn all<F: Future + Unpin>(futures: Vec<F>) -> impl Future<Output = Vec<F::Output>> {
    let mut states: Vec<_> = futures.into_iter().map(|future| (Some(future), None)).collect();
    poll_fn(move |context| {
        for (future, output) in &mut states {
            if let Some(Poll::Ready(ready)) = future.as_mut().map(|future| Pin::new(future).poll(context)) {
                (*future, *output) = (None, Some(ready));
            }
        }
        if states.iter().any(|(future, _)| future.is_some()) {
            return Poll::Pending;
        }
        Poll::Ready(states.drain(..).filter_map(|(_, output)| output).collect())
    })
}
