//! Queues of calls that have ended, for event loops.
use crate::client::MnemeClient;
use crate::error::{Code, Failure, run};
use crate::pending::MnemePending;
use crate::{give, handle, store};
use mneme_clib::CompletionQueue;
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

/// A queue of calls that have ended, by tags that the program chose. One per client and event loop, usually. From
/// mneme_queue_create until mneme_queue_close.
pub struct MnemeQueue(pub(crate) CompletionQueue);

/// Makes a queue of a client's calls. `queue` receives the handle; give it back with mneme_queue_close. The client may be
/// given back before.
/// Does not block. Errors: MNEME_SYSTEM_LIMIT without a descriptor for it.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_queue_create(client: *const MnemeClient, queue: *mut *mut MnemeQueue) -> Code {
    run(|| {
        if queue.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let made = unsafe { handle(client) }?.client().completions()?;
        // SAFETY: not null, and the caller's promise.
        unsafe { give(queue, MnemeQueue(made)) }
    })
}

/// Stores the queue's file descriptor in `descriptor`, for poll, epoll and the like: readable while there are tags. It
/// stays the queue's: do not read or close it, and do not use it after mneme_queue_close.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_queue_descriptor(queue: *const MnemeQueue, descriptor: *mut i32) -> Code {
    run(|| {
        if descriptor.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let raw = unsafe { handle(queue) }?.0.as_fd().as_raw_fd();
        // SAFETY: not null, and the caller's promise.
        unsafe { store(descriptor, raw) };
        Ok(())
    })
}

/// Takes the tag of a call that has ended, the first of those that nobody took: `found` tells whether there is one, `tag`
/// receives it, or 0. Takes what has arrived and sends what is due.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_queue_next(queue: *const MnemeQueue, found: *mut bool, tag: *mut u64) -> Code {
    // SAFETY: the caller's promise.
    unsafe { take(queue, found, tag, CompletionQueue::next) }
}

/// As mneme_queue_next with `found` and `tag`, but waits for a call to end.
/// Blocks for `longest_ns` nanoseconds at most. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_queue_wait(
    queue: *const MnemeQueue,
    longest_ns: u64,
    found: *mut bool,
    tag: *mut u64,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { take(queue, found, tag, |queue| queue.wait(Duration::from_nanos(longest_ns))) }
}

/// # Safety
///
/// The pointers are null or valid.
unsafe fn take(
    queue: *const MnemeQueue,
    found: *mut bool,
    tag: *mut u64,
    next: impl FnOnce(&CompletionQueue) -> Option<u64>,
) -> Code {
    run(|| {
        if found.is_null() || tag.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let ended = next(&unsafe { handle(queue) }?.0);
        // SAFETY: not null, and the caller's promise.
        unsafe {
            store(found, ended.is_some());
            store(tag, ended.unwrap_or(0));
        }
        Ok(())
    })
}

/// Tells a queue when a call has ended, at once if it has: the queue then has `tag`, a number that the program chooses,
/// and mneme_rpoll has the result. Once for each call; asking again takes the first one's place. The queue may be another
/// client's.
/// Does not block. Errors: MNEME_INVALID alone. No other thread may use `pending` meanwhile.
///
/// # Safety
///
/// The pointers are null or valid; `pending` was not given back before, and no other thread uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_notify(
    pending: *mut MnemePending,
    queue: *const MnemeQueue,
    tag: u64,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let queue = unsafe { handle(queue) }?;
        // SAFETY: the caller's promise.
        unsafe { pending.as_mut() }.ok_or(Failure::NULL_HANDLE)?.notify(&queue.0, tag)
    })
}

/// Gives a queue back, and closes its descriptor; NULL is allowed. No call ends by that. Does not block.
///
/// # Safety
///
/// `queue` is null or came from mneme_queue_create and was not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_queue_close(queue: *mut MnemeQueue) {
    let _closed_whatever_happens = run(|| {
        if !queue.is_null() {
            // SAFETY: the caller's promise: it came from `Box::into_raw`.
            drop(unsafe { Box::from_raw(queue) });
        }
        Ok(())
    });
}
