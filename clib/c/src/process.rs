//! Processes and their synchronous calls.
use crate::error::{Code, Failure, Outcome, run};
use crate::{give, handle, store, versioned};
use mneme_clib::{AllocOptions, LockOptions, LockToken, Process, Rights};
use std::time::Duration;

/// A protection domain on a board, with its address space.
pub struct MnemeProcess(Process);

/// A lock that is held.
pub struct MnemeLock(Option<LockToken>);

/// How memory is allocated. All zero but for `size`: as usual (to read and to write, anywhere, small allocations
/// sharing pages).
///
/// Later versions may add fields at the end: `size` tells those apart that a program knows.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MnemeAllocOptions {
    /// sizeof(mneme_alloc_options); MNEME_INVALID without it.
    pub size: usize,
    /// Writes and atomics are refused.
    pub no_write: bool,
    /// Reads and atomics are refused.
    pub no_read: bool,
    /// Take whole pages even for a small allocation, so that its rights can be changed.
    pub own_pages: bool,
    /// The memory begins at `address`, a multiple of the page size.
    pub fixed: bool,
    /// See `fixed`.
    pub address: u64,
}

impl MnemeProcess {
    pub(crate) fn new(process: Process) -> Self {
        MnemeProcess(process)
    }
    pub(crate) fn shared(&self) -> &Process {
        &self.0
    }
}

/// # Safety
///
/// `given` is null or valid for as many bytes as it says.
pub(crate) unsafe fn alloc_options(given: *const MnemeAllocOptions) -> Outcome<AllocOptions> {
    macro_rules! flags {
        ($($name:ident)*) => { [$((stringify!($name), std::mem::offset_of!(MnemeAllocOptions, $name))),*] };
    }
    let mut options = MnemeAllocOptions::default();
    if !given.is_null() {
        let flags = flags!(no_write no_read own_pages fixed);
        // SAFETY: not null, and the caller's promise.
        options = unsafe { versioned::read(given, options, "mneme_alloc_options", &flags) }?;
    }
    Ok(AllocOptions {
        rights: Rights { read: !options.no_read, write: !options.no_write },
        at: options.fixed.then_some(options.address),
        own_pages: options.own_pages,
    })
}

/// Bytes of the largest object that there can be.
pub(crate) const MOST: usize = isize::MAX as usize;
/// Why a larger one is refused.
pub(crate) const TOO_MUCH: &str = "a size is larger than any object can be: perhaps it was negative before";

/// The caller's bytes. No bytes need no pointer.
///
/// # Safety
///
/// `data` is null or points to `size` bytes that nobody writes meanwhile.
pub(crate) unsafe fn bytes<'a>(data: *const u8, size: usize) -> Outcome<&'a [u8]> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::NULL_RESULT),
        (false, size) if size > MOST => Err(Failure::invalid(TOO_MUCH)),
        // SAFETY: not null, no longer than an object can be, and the caller's promise.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(data, size) }),
    }
}

/// The caller's buffer.
///
/// # Safety
///
/// `data` is null or points to `size` bytes that nobody else uses meanwhile.
pub(crate) unsafe fn buffer<'a>(data: *mut u8, size: usize) -> Outcome<&'a mut [u8]> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Failure::NULL_RESULT),
        (false, size) if size > MOST => Err(Failure::invalid(TOO_MUCH)),
        // SAFETY: not null, no longer than an object can be, and the caller's promise.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts_mut(data, size) }),
    }
}

/// Ends the process on the board, for all clients that joined it: its memory is freed and zeroed. Blocks until all calls
/// made before have ended; results of asynchronous ones can still be taken. The handle is given back when the answer is
/// MNEME_OK; else it stays for another try, or for mneme_close.
///
/// # Safety
///
/// `process` is null or came from mneme_open or mneme_join and was not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_exit(process: *mut MnemeProcess) -> Code {
    run(|| {
        if process.is_null() {
            return Err(Failure::NULL_HANDLE);
        }
        // SAFETY: not null, and the caller's promise.
        unsafe { &(*process).0 }.end()?;
        // SAFETY: the caller's promise: it came from `Box::into_raw`.
        drop(unsafe { Box::from_raw(process) });
        Ok(())
    })
}

/// Gives the handle back and leaves the process on the board, for clients that joined it. Null is allowed.
///
/// # Safety
///
/// As for mneme_exit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_close(process: *mut MnemeProcess) {
    let _ends_whatever_happens = run(|| {
        if !process.is_null() {
            // SAFETY: the caller's promise: it came from `Box::into_raw`.
            drop(unsafe { Box::from_raw(process) });
        }
        Ok(())
    });
}

/// The process id, 0 for null.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_pid(process: *const MnemeProcess) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { process.as_ref() }.map_or(0, |process| process.0.pid())
}

/// Writes the 16 bytes that another client needs to join.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_token(process: *const MnemeProcess, token: *mut u8) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, into) = unsafe { (handle(process)?, buffer(token, 16)?) };
        into.copy_from_slice(&process.0.token());
        Ok(())
    })
}

/// Allocates `size` bytes. `options`: null for the usual ones. Blocks.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_ralloc(
    process: *const MnemeProcess,
    size: u64,
    options: *const MnemeAllocOptions,
    va: *mut u64,
) -> Code {
    run(|| {
        if va.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let (process, options) = unsafe { (handle(process)?, alloc_options(options)?) };
        let given = process.0.ralloc_with(size, options)?;
        // SAFETY: not null, and the caller's promise.
        unsafe { store(va, given) };
        Ok(())
    })
}

/// Allocates `size` bytes that are zero, for counters and locks: memory of mneme_ralloc may hold anything. Blocks.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_ralloc_zeroed(process: *const MnemeProcess, size: u64, va: *mut u64) -> Code {
    run(|| {
        if va.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let given = unsafe { handle(process) }?.0.ralloc_zeroed(size)?;
        // SAFETY: not null, and the caller's promise.
        unsafe { store(va, given) };
        Ok(())
    })
}

/// Frees what mneme_ralloc or mneme_ralloc_zeroed answered. Blocks.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rfree(process: *const MnemeProcess, va: u64) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process) }?.0.rfree(va)?))
}

/// Changes the rights of whole pages inside one allocation that has pages of its own; `length` is rounded up to pages.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rprotect(
    process: *const MnemeProcess,
    va: u64,
    length: u64,
    read: bool,
    write: bool,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process) }?.0.rprotect(va, length, Rights { read, write })?))
}

/// Reads `size` bytes (1 at least) at `va` into `into`. Blocks.
///
/// # Safety
///
/// The pointers are null or valid, `into` for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rread(
    process: *const MnemeProcess,
    va: u64,
    into: *mut u8,
    size: usize,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process)?.0.rread(va, buffer(into, size)?) }?))
}

/// Writes `size` bytes (1 at least) of `from` at `va`. Blocks.
///
/// # Safety
///
/// The pointers are null or valid, `from` for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwrite(
    process: *const MnemeProcess,
    va: u64,
    from: *const u8,
    size: usize,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process)?.0.rwrite(va, bytes(from, size)?) }?))
}

/// Writes `new_word` to the aligned 8-byte word at `va` if it holds `expected`; `old` (may be null): what it held.
/// Blocks.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_compare_swap(
    process: *const MnemeProcess,
    va: u64,
    expected: u64,
    new_word: u64,
    old: *mut u64,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| unsafe {
        store(old, handle(process)?.0.compare_swap(va, expected, new_word)?);
        Ok(())
    })
}

/// Adds `addend`, wrapping, to the aligned 8-byte word at `va`; `old` (may be null): what it held. Blocks.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_fetch_add(
    process: *const MnemeProcess,
    va: u64,
    addend: u64,
    old: *mut u64,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| unsafe {
        store(old, handle(process)?.0.fetch_add(va, addend)?);
        Ok(())
    })
}

/// Writes `new_word` to the aligned 8-byte word at `va`; `old` (may be null): what it held. Blocks.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_swap(
    process: *const MnemeProcess,
    va: u64,
    new_word: u64,
    old: *mut u64,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| unsafe {
        store(old, handle(process)?.0.swap(va, new_word)?);
        Ok(())
    })
}

/// Answers after all requests of this process that the board received earlier are done, and after all asynchronous
/// calls of this process on this client have ended. Blocks.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rfence(process: *const MnemeProcess) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process) }?.0.rfence()?))
}

/// Takes the lock whose word lies at `va` (0 before its first use), waiting `timeout_ns` at most. The lock is given
/// back with mneme_runlock.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rlock(
    process: *const MnemeProcess,
    va: u64,
    timeout_ns: u64,
    lock: *mut *mut MnemeLock,
) -> Code {
    run(|| {
        if lock.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let process = unsafe { handle(process) }?;
        let token = process.0.rlock(va, LockOptions::within(Duration::from_nanos(timeout_ns)))?;
        // SAFETY: not null, and the caller's promise.
        unsafe { give(lock, MnemeLock(Some(token))) }
    })
}

/// Releases a lock. The handle is given back when the answer is MNEME_OK or MNEME_LOCK_LOST; else it stays for another
/// try.
///
/// # Safety
///
/// `lock` is null or came from mneme_rlock and was not given back before; no other thread uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_runlock(process: *const MnemeProcess, lock: *mut MnemeLock) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, held) = unsafe { (handle(process)?, lock.as_mut().ok_or(Failure::NULL_HANDLE)?) };
        let token = held.0.take().ok_or(Failure::NULL_HANDLE)?;
        let released = process.0.runlock(token).map_err(|error| {
            held.0 = Some(error.token);
            Failure::from(*error.error)
        });
        if released.as_ref().map_or_else(|failure| failure.is(Code::MNEME_LOCK_LOST), |()| true) {
            // SAFETY: not null, and the caller's promise: it came from `Box::into_raw`.
            drop(unsafe { Box::from_raw(lock) });
        }
        released
    })
}
