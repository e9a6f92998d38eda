//! Asynchronous calls.
use crate::error::{Code, Failure, Outcome, run};
use crate::process::{MnemeAllocOptions, MnemeProcess, alloc_options, buffer, bytes};
use crate::{give, handle, store};
use mneme_clib::{
    Allocated, CompletionQueue, OldWord, Pending, Polled, Process, ReadBatch, ReadInto, ReadPart,
    ReadVectored, Unmapped, Written,
};
use std::ffi::c_void;
use std::io::IoSliceMut;
use std::ptr::NonNull;

/// The list of buffers that a call borrows.
pub(crate) struct List<T>(NonNull<[T]>);

impl<T> List<T> {
    /// The list, and what a call may borrow of it as long as it lives.
    fn lend(items: Vec<T>) -> (List<T>, &'static mut [T]) {
        let mut list = NonNull::from(Box::leak(items.into_boxed_slice()));
        // SAFETY: it is freed by `List` alone, which lies behind the call, and nobody else looks at it until then.
        (List(list), unsafe { list.as_mut() })
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and the call that borrowed it is gone: fields are dropped in their order.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// What an asynchronous vectored read and its list are: dropped in this order.
pub(crate) struct Listed<C, T>(C, List<T>);

type Vectored = Listed<Pending<ReadVectored<'static, 'static>>, IoSliceMut<'static>>;
type Batch = Listed<Pending<ReadBatch<'static, 'static>>, ReadPart<'static>>;

/// A call of one kind, or nothing after its end.
pub(crate) enum Call {
    Read(Pending<ReadInto<'static>>),
    Write(Pending<Written>),
    Word(Pending<OldWord>),
    Alloc(Pending<Allocated>),
    Free(Pending<Unmapped>),
    Vectored(Vectored),
    Batch(Batch),
}

/// An asynchronous call that may not have ended yet. From a function whose name ends in _async until mneme_wait,
/// mneme_cancel, mneme_detach, or the mneme_rpoll that finds it ended.
pub struct MnemePending {
    call: Option<Call>,
}

impl MnemePending {
    /// Tells a queue when the call has ended.
    pub(crate) fn notify(&mut self, queue: &CompletionQueue, tag: u64) -> Outcome<()> {
        match self.call.as_mut().ok_or(Failure::NULL_HANDLE)? {
            Call::Read(pending) => pending.notify(queue, tag),
            Call::Write(pending) => pending.notify(queue, tag),
            Call::Word(pending) => pending.notify(queue, tag),
            Call::Alloc(pending) => pending.notify(queue, tag),
            Call::Free(pending) => pending.notify(queue, tag),
            Call::Vectored(Listed(pending, _)) => pending.notify(queue, tag),
            Call::Batch(Listed(pending, _)) => pending.notify(queue, tag),
        }
        Ok(())
    }
}

/// The result of a call: a word or an address, 0 where there is neither.
fn value(result: mneme_clib::Result<u64>) -> Outcome<u64> {
    result.map_err(Failure::from)
}

impl Call {
    pub(crate) fn read_vectored(
        buffers: Vec<IoSliceMut<'static>>,
        begin: impl FnOnce(&'static mut [IoSliceMut<'static>]) -> Pending<ReadVectored<'static, 'static>>,
    ) -> Call {
        let (list, lent) = List::lend(buffers);
        Call::Vectored(Listed(begin(lent), list))
    }
    pub(crate) fn read_batch(
        parts: Vec<ReadPart<'static>>,
        begin: impl FnOnce(&'static mut [ReadPart<'static>]) -> Pending<ReadBatch<'static, 'static>>,
    ) -> Call {
        let (list, lent) = List::lend(parts);
        Call::Batch(Listed(begin(lent), list))
    }
    fn wait(self) -> Outcome<u64> {
        value(match self {
            Call::Read(pending) => pending.wait().map(|_| 0),
            Call::Write(pending) => pending.wait().map(|()| 0),
            Call::Word(pending) => pending.wait(),
            Call::Alloc(pending) => pending.wait(),
            Call::Free(pending) => pending.wait().map(|()| 0),
            // The list is dropped at the arm's end, after the wait.
            Call::Vectored(Listed(pending, _list)) => pending.wait().map(|_| 0),
            Call::Batch(Listed(pending, _list)) => pending.wait().map(|_| 0),
        })
    }
    fn cancel(self) -> Outcome<u64> {
        value(match self {
            Call::Read(pending) => pending.cancel().map(|_| 0),
            Call::Write(pending) => pending.cancel().map(|()| 0),
            Call::Word(pending) => pending.cancel(),
            Call::Alloc(pending) => pending.cancel(),
            Call::Free(pending) => pending.cancel().map(|()| 0),
            // The list is dropped at the arm's end, after the call.
            Call::Vectored(Listed(pending, _list)) => pending.cancel().map(|_| 0),
            Call::Batch(Listed(pending, _list)) => pending.cancel().map(|_| 0),
        })
    }
    fn rpoll(self) -> Result<Outcome<u64>, Call> {
        match self {
            Call::Read(pending) => look(pending, Call::Read, |_| 0),
            Call::Write(pending) => look(pending, Call::Write, |()| 0),
            Call::Word(pending) => look(pending, Call::Word, |word| word),
            Call::Alloc(pending) => look(pending, Call::Alloc, |va| va),
            Call::Free(pending) => look(pending, Call::Free, |()| 0),
            Call::Vectored(Listed(pending, list)) => {
                look(pending, |pending| Call::Vectored(Listed(pending, list)), |_| 0)
            }
            Call::Batch(Listed(pending, list)) => {
                look(pending, |pending| Call::Batch(Listed(pending, list)), |_| 0)
            }
        }
    }
}

fn look<K: mneme_clib::Outcome<Error = mneme_clib::Error>>(
    pending: Pending<K>,
    again: impl FnOnce(Pending<K>) -> Call,
    number: impl FnOnce(K::Output) -> u64,
) -> Result<Outcome<u64>, Call> {
    match pending.rpoll() {
        Polled::Ready(result) => Ok(value(result.map(number))),
        Polled::Pending(pending) => Err(again(pending)),
    }
}

/// Begins a call on a process and hands out what stands for it.
///
/// # Safety
///
/// The pointers are null or valid.
pub(crate) unsafe fn begin(
    process: *const MnemeProcess,
    pending: *mut *mut MnemePending,
    call: impl FnOnce(&Process) -> Outcome<Call>,
) -> Code {
    run(|| {
        if pending.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let process = unsafe { handle(process) }?.shared();
        let call = Some(call(process)?);
        // SAFETY: not null, and the caller's promise.
        unsafe { give(pending, MnemePending { call }) }
    })
}

/// Begins what mneme_rread does. `into`, room for `size` bytes at `va`, is filled by the mneme_rpoll or mneme_wait that
/// ends the call. Until then, or until mneme_detach, it belongs to the call: it must stay valid, and nobody else may use
/// it. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid, `into` for `size` bytes until the call is given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rread_async(
    process: *const MnemeProcess,
    va: u64,
    into: *mut c_void,
    size: usize,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { begin(process, pending, |process| Ok(Call::Read(process.rread_async(va, buffer(into, size)?)))) }
}

/// Begins what mneme_rwrite does with `va`, `from` and `size`. The bytes are copied at once: `from` is free when this
/// returns. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid, `from` for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwrite_async(
    process: *const MnemeProcess,
    va: u64,
    from: *const c_void,
    size: usize,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| Ok(Call::Write(process.rwrite_async(va, bytes(from, size)?))))
    }
}

/// Begins what mneme_compare_swap does with `va`, `expected` and `new_word`; its value is the old word. `pending`
/// receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_compare_swap_async(
    process: *const MnemeProcess,
    va: u64,
    expected: u64,
    new_word: u64,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| Ok(Call::Word(process.compare_swap_async(va, expected, new_word))))
    }
}

/// Begins what mneme_fetch_add does with `va` and `addend`; its value is the old word. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_fetch_add_async(
    process: *const MnemeProcess,
    va: u64,
    addend: u64,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { begin(process, pending, |process| Ok(Call::Word(process.fetch_add_async(va, addend)))) }
}

/// Begins what mneme_swap does with `va` and `new_word`; its value is the old word. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_swap_async(
    process: *const MnemeProcess,
    va: u64,
    new_word: u64,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { begin(process, pending, |process| Ok(Call::Word(process.swap_async(va, new_word)))) }
}

/// Begins what mneme_ralloc does with `size` and `options`, which may be NULL and is only read during this function; its
/// value is the address. Memory of a call that is detached is freed when the process exits. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_ralloc_async(
    process: *const MnemeProcess,
    size: u64,
    options: *const MnemeAllocOptions,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe {
        begin(process, pending, |process| {
            Ok(Call::Alloc(process.ralloc_with_async(size, alloc_options(options)?)))
        })
    }
}

/// Begins what mneme_rfree does with `va`. `pending` receives the call.
/// Does not block. Errors: MNEME_INVALID alone; the call's own are told when it ends.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rfree_async(
    process: *const MnemeProcess,
    va: u64,
    pending: *mut *mut MnemePending,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { begin(process, pending, |process| Ok(Call::Free(process.rfree_async(va)))) }
}

/// Looks whether the call `pending` has ended; `done` tells, also of a call that failed. Once it has, the handle is given
/// back, the answer is the call's own, and `result`, which may be NULL, receives its value: a word, an address, or 0.
/// While it has not, the answer is MNEME_OK.
/// Does not block. Errors: the call's, and MNEME_QUEUE_FULL where it was never made. No other thread may use `pending`
/// meanwhile.
///
/// # Safety
///
/// The pointers are null or valid; `pending` was not given back before, and no other thread uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rpoll(pending: *mut MnemePending, done: *mut bool, result: *mut u64) -> Code {
    run(|| {
        if done.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let held = unsafe { pending.as_mut() }.ok_or(Failure::NULL_HANDLE)?;
        let call = held.call.take().ok_or(Failure::NULL_HANDLE)?;
        let outcome = match call.rpoll() {
            Ok(outcome) => outcome,
            Err(call) => {
                held.call = Some(call);
                // SAFETY: not null, and the caller's promise.
                unsafe { store(done, false) };
                return Ok(());
            }
        };
        // SAFETY: not null; the caller's promise: it came from `Box::into_raw`.
        unsafe {
            drop(Box::from_raw(pending));
            store(done, true);
            store(result, outcome?);
        }
        Ok(())
    })
}

/// Waits until the call `pending` has ended and gives its handle back, whatever the answer. `result`, which may be NULL,
/// receives its value: a word, an address, or 0.
/// Blocks. Errors: the call's, and MNEME_QUEUE_FULL where it was never made. No other thread may use `pending` meanwhile.
///
/// # Safety
///
/// As for mneme_rpoll.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_wait(pending: *mut MnemePending, result: *mut u64) -> Code {
    run(|| {
        if pending.is_null() {
            return Err(Failure::NULL_HANDLE);
        }
        // SAFETY: not null; the caller's promise: it came from `Box::into_raw`.
        let mut held = unsafe { Box::from_raw(pending) };
        let value = held.call.take().ok_or(Failure::NULL_HANDLE)?.wait()?;
        // SAFETY: the caller's promise.
        unsafe { store(result, value) };
        Ok(())
    })
}

/// Ends the call `pending` now, if it has not ended, and gives its handle back: nothing more of it leaves. `result`, which
/// may be NULL, receives the value of a call that had ended. MNEME_CANCELLED: it had not; mneme_last_effect tells whether
/// what had left may take effect, which only a write or an atomic can.
/// Does not block. Errors: MNEME_CANCELLED, and the call's. No other thread may use `pending` meanwhile.
///
/// # Safety
///
/// As for mneme_rpoll.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_cancel(pending: *mut MnemePending, result: *mut u64) -> Code {
    run(|| {
        if pending.is_null() {
            return Err(Failure::NULL_HANDLE);
        }
        // SAFETY: not null; the caller's promise: it came from `Box::into_raw`.
        let mut held = unsafe { Box::from_raw(pending) };
        let value = held.call.take().ok_or(Failure::NULL_HANDLE)?.cancel()?;
        // SAFETY: the caller's promise.
        unsafe { store(result, value) };
        Ok(())
    })
}

/// Gives the handle of the call `pending` back without waiting; NULL is allowed. The call goes on; if it fails, the next
/// mneme_rrelease says so. Buffers that a read borrowed are free when this returns. Does not block.
///
/// # Safety
///
/// As for mneme_rpoll.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_detach(pending: *mut MnemePending) {
    let _ends_whatever_happens = run(|| {
        if !pending.is_null() {
            // SAFETY: the caller's promise: it came from `Box::into_raw`.
            drop(unsafe { Box::from_raw(pending) });
        }
        Ok(())
    });
}

/// Waits until all asynchronous calls of this process on this client that were made so far have ended.
/// Blocks. Errors: the first of the calls that were detached.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rrelease(process: *const MnemeProcess) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process) }?.shared().rrelease()?))
}
