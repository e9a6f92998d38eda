//! Processes and their synchronous calls.
use crate::error::{Code, Failure, Outcome, run};
use crate::{give, handle, store, versioned};
use mneme_clib::{AllocOptions, LockOptions, LockToken, Process, Rights};
use std::ffi::c_void;
use std::time::Duration;

/// A protection domain on a client's boards, with one address space. From mneme_open, mneme_open_on, mneme_join,
/// mneme_join_all or mneme_within until mneme_exit or mneme_close.
pub struct MnemeProcess(Process);

/// A lock that is held. From mneme_rlock until mneme_runlock.
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
    /// The memory is to be on the board with the number `board`; else on the freer one of the process's boards.
    pub on_board: bool,
    /// See `on_board`.
    pub board: u32,
    /// Pages of 4 KB: each takes memory with its first write, and reads as zeros before. Boards without them refuse:
    /// MNEME_UNSUPPORTED. Rights are those of the whole allocation.
    pub frames: bool,
    /// With `frames`: at most so many bytes of them have memory at a time; 0: as many as the allocation is long. Without:
    /// MNEME_INVALID unless 0.
    pub frames_max: u64,
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
        let flags = flags!(no_write no_read own_pages fixed on_board frames);
        // SAFETY: not null, and the caller's promise.
        options = unsafe { versioned::read(given, options, "mneme_alloc_options", &flags) }?;
    }
    if options.frames_max != 0 && !options.frames {
        return Err(Failure::invalid("`frames_max` without `frames`"));
    }
    Ok(AllocOptions {
        rights: Rights { read: !options.no_read, write: !options.no_write },
        at: options.fixed.then_some(options.address),
        own_pages: options.own_pages,
        frames: options.frames.then_some(options.frames_max),
        lane: options.on_board.then_some(options.board as usize),
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
pub(crate) unsafe fn bytes<'a>(data: *const c_void, size: usize) -> Outcome<&'a [u8]> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::NULL_RESULT),
        (false, size) if size > MOST => Err(Failure::invalid(TOO_MUCH)),
        // SAFETY: not null, no longer than an object can be, and the caller's promise.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(data.cast(), size) }),
    }
}

/// The caller's buffer.
///
/// # Safety
///
/// `data` is null or points to `size` bytes that nobody else uses meanwhile.
pub(crate) unsafe fn buffer<'a>(data: *mut c_void, size: usize) -> Outcome<&'a mut [u8]> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Failure::NULL_RESULT),
        (false, size) if size > MOST => Err(Failure::invalid(TOO_MUCH)),
        // SAFETY: not null, no longer than an object can be, and the caller's promise.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts_mut(data.cast(), size) }),
    }
}

/// Ends the process on the board, for all clients that joined it: its memory is freed and zeroed. Waits for all calls made
/// before; results of asynchronous ones can still be taken. The handle is given back when the answer is MNEME_OK; else it
/// stays for another try, or for mneme_close. Another try is MNEME_OK, too, where the board has ended the process and only
/// its answer was lost.
/// Blocks. Errors: MNEME_DENIED; MNEME_RECLAIMED; those of the board. No other thread may use `process` meanwhile.
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

/// Gives the handle back and leaves the process on the board, for clients that joined it; NULL is allowed. Does not block.
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

/// The process's number, 1 to 0xffffff; 0 for NULL. Does not block.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_pid(process: *const MnemeProcess) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { process.as_ref() }.map_or(0, |process| process.0.pid())
}

/// Writes the 16 bytes that another client needs to join to `token`. Whoever knows them has the process's rights.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_token(process: *const MnemeProcess, token: *mut u8) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (process, into) = unsafe { (handle(process)?, buffer(token.cast(), 16)?) };
        into.copy_from_slice(&process.0.token());
        Ok(())
    })
}

/// Allocates `size` bytes of remote memory, 1 at least, which may hold anything. `options` may be NULL: as usual. `va`
/// receives the address, a multiple of 16. Free it with mneme_rfree.
/// Blocks. Errors: MNEME_ZERO_SIZE; MNEME_TOO_LARGE; MNEME_NO_MEMORY; MNEME_QUOTA; MNEME_NOT_A_PAGE and MNEME_ADDRESS
/// for a fixed address; MNEME_RECLAIMED; those of the board.
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

/// Allocates `size` bytes that are zero, 1 at least, for counters and locks. `va` receives the address, a multiple of 16.
/// Free it with mneme_rfree.
/// Blocks. Errors: as mneme_ralloc.
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

/// Frees the allocation that begins at `va`. One that another client made can be freed, too, if it has pages of its own.
/// Blocks. Errors: MNEME_NOT_ALLOCATED; MNEME_RECLAIMED; those of the board.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rfree(process: *const MnemeProcess, va: u64) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process) }?.0.rfree(va)?))
}

/// Changes the rights of whole pages inside one allocation that has pages of its own: `read` and `write` tell what is
/// allowed from now on. `va` begins a page; `length` bytes, 1 at least, are rounded up to pages.
/// Blocks. Errors: MNEME_NOT_A_PAGE; MNEME_SHARED_PAGE; those of memory.
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

/// Reads `size` bytes, 1 at least, at the remote address `va` into `into`, which has room for them. Any alignment; not
/// atomic beyond aligned 8-byte words. After an error `into` may hold anything.
/// Blocks. Errors: those of memory.
///
/// # Safety
///
/// The pointers are null or valid, `into` for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rread(
    process: *const MnemeProcess,
    va: u64,
    into: *mut c_void,
    size: usize,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process)?.0.rread(va, buffer(into, size)?) }?))
}

/// Writes `size` bytes, 1 at least, of `from` to the remote address `va`. Any alignment; not atomic beyond aligned 8-byte
/// words: after an error mneme_last_effect tells whether some of them can have been written.
/// Blocks. Errors: those of memory.
///
/// # Safety
///
/// The pointers are null or valid, `from` for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rwrite(
    process: *const MnemeProcess,
    va: u64,
    from: *const c_void,
    size: usize,
) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process)?.0.rwrite(va, bytes(from, size)?) }?))
}

/// Writes `new_word` to the 8-byte word at `va`, a multiple of 8, if it holds `expected`. `old`, which may be NULL,
/// receives what it held.
/// Blocks. Errors: MNEME_UNALIGNED; those of memory.
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

/// Adds `addend`, wrapping, to the 8-byte word at `va`, a multiple of 8. `old`, which may be NULL, receives what it held.
/// Blocks. Errors: MNEME_UNALIGNED; those of memory.
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

/// Writes `new_word` to the 8-byte word at `va`, a multiple of 8. `old`, which may be NULL, receives what it held.
/// Blocks. Errors: MNEME_UNALIGNED; those of memory.
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

/// Answers after all requests of this process that the board received earlier are done, those of other clients included,
/// and after all asynchronous calls of this process on this client have ended.
/// Blocks. Errors: MNEME_DENIED; MNEME_RECLAIMED; those of the board.
///
/// # Safety
///
/// `process` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_rfence(process: *const MnemeProcess) -> Code {
    // SAFETY: the caller's promise.
    run(|| Ok(unsafe { handle(process) }?.0.rfence()?))
}

/// Takes the lock whose 8-byte word lies at `va`, a multiple of 8 (the word is 0 before its first use). `lock` receives
/// the handle; give it back with mneme_runlock.
/// Blocks for `timeout_ns` nanoseconds at most, and for the answer to the last look. Errors: MNEME_LOCK_TIMEOUT;
/// MNEME_UNALIGNED; those of memory.
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

/// Releases `lock`, of the same process. The handle is given back when the answer is MNEME_OK or MNEME_LOCK_LOST; else it
/// stays for another try.
/// Blocks. Errors: MNEME_LOCK_LOST; those of memory. No other thread may use `lock` meanwhile.
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
