//! The processes of one's own on a board.
use crate::client::MnemeClient;
use crate::error::{Code, Failure, run};
use crate::{handle, store};
use mneme_clib::ProcessInfo;
use std::ffi::c_void;
use std::time::Duration;

/// What a board says of a process. Later versions may add fields at the end.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MnemeProcessInfo {
    /// How long it outlives its clients, in nanoseconds; 0: until somebody exits it, or the board restarts.
    pub lease_ns: u64,
    /// Nanoseconds for which the board has heard no client keep it.
    pub silent_ns: u64,
    /// Allocations.
    pub ranges: u64,
    /// Bytes allocated, in whole pages.
    pub bytes: u64,
    /// Those of them that are or were writable, so that they may take memory.
    pub writable_bytes: u64,
    /// The process.
    pub pid: u32,
    /// It is about to end.
    pub ending: bool,
    /// Its end broke off: all that can be done with it is to end it again.
    pub broken: bool,
}

/// Takes what a board says of a process, which is valid during the call only. `context` is the one that was passed along. The
/// calling thread calls it. It may call functions of this library, and must return (no longjmp, no C++ exception).
pub type MnemeTakeProcess =
    Option<unsafe extern "C" fn(context: *mut c_void, process: *const MnemeProcessInfo)>;

impl From<&ProcessInfo> for MnemeProcessInfo {
    fn from(info: &ProcessInfo) -> MnemeProcessInfo {
        let ns = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        MnemeProcessInfo {
            lease_ns: info.lease.map_or(0, ns),
            silent_ns: ns(info.silent),
            ranges: info.ranges,
            bytes: info.bytes,
            writable_bytes: info.writable_bytes,
            pid: info.pid,
            ending: info.ending,
            broken: info.broken,
        }
    }
}

/// Asks the board of mneme_connect for the processes that belong to this client's address, and calls `each` with `context` for each of them,
/// by pid: those that any client there has opened, also those that have lost their clients. A board tells nobody of the
/// processes of others, and renews no lease for that. After an error none is told.
/// Blocks. Errors: those of the board.
///
/// # Safety
///
/// `client` is null or valid, `each` is null or a function as mneme_take_process says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_processes(
    client: *const MnemeClient,
    each: MnemeTakeProcess,
    context: *mut c_void,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = unsafe { handle(client) }?;
        let each = each.ok_or(Failure::NULL_RESULT)?;
        for info in client.client().processes()? {
            let told = MnemeProcessInfo::from(&info);
            // SAFETY: the caller's promise; what is told lives through the call.
            unsafe { each(context, &raw const told) };
        }
        Ok(())
    })
}

/// Ends the process with the number `pid`, one of one's own, without a handle of it, as mneme_exit does: for all clients,
/// with all its memory. `ended`, which may be NULL, receives false when this client's address has no such process; nothing
/// was done then.
/// Blocks. Errors: MNEME_BAD_PID, MNEME_MEMORY_ERROR, and those of the board.
///
/// # Safety
///
/// `client` is null or valid, `ended` is null or points to room for a bool.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_reap(client: *const MnemeClient, pid: u32, ended: *mut bool) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let done = unsafe { handle(client) }?.client().reap(pid)?;
        // SAFETY: the caller's promise.
        unsafe { store(ended, done) };
        Ok(())
    })
}
