//! What keeps a swap device from waiting for itself: a process that swaps must not be swapped out, nor wait for memory that only it
//! can free. Each wish may be refused; then it is said, and the device serves all the same.
use std::io;

/// Before any thread is started, since threads inherit it: memory that this process asks for is never found by writing to devices,
/// of which its own is one (Linux 5.6).
pub fn allocate_without_io() -> Result<(), String> {
    const PR_SET_IO_FLUSHER: libc::c_int = 57;
    const YES: libc::c_ulong = 1;
    const NONE: libc::c_ulong = 0;
    // SAFETY: numbers alone; unused arguments are 0, as the call demands.
    let done = unsafe { libc::prctl(PR_SET_IO_FLUSHER, YES, NONE, NONE, NONE) };
    told(done, "its memory may be looked for on its own device (PR_SET_IO_FLUSHER", "CAP_SYS_RESOURCE)")
}

/// Heap that was freed stays at hand: the few allocations beside the data path then find it there.
pub fn keep_heap() {
    // SAFETY: numbers alone.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 30);
    }
}

/// When everything is there: it stays in RAM.
pub fn stay_in_memory() -> Result<(), String> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a value of this type, which outlives the call.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_MEMLOCK, &raw mut limit) } == 0;
    // SAFETY: no arguments.
    let root = unsafe { libc::geteuid() } == 0;
    // What comes later must not fail for a limit that is met by then.
    let later = root || known && limit.rlim_cur == libc::RLIM_INFINITY;
    let flags = if later { libc::MCL_CURRENT | libc::MCL_FUTURE } else { libc::MCL_CURRENT };
    // SAFETY: numbers alone.
    let done = unsafe { libc::mlockall(flags) };
    told(done, "it may be swapped out itself (mlockall", "CAP_IPC_LOCK or a larger limit, `ulimit -l`)")
}

/// Its end would take the memory of others with it: the kernel is to end somebody else.
pub fn stay_alive() -> Result<(), String> {
    std::fs::write("/proc/self/oom_score_adj", "-1000").map_err(|error| {
        format!("the kernel may end it when memory is short (oom_score_adj: {error}; needs CAP_SYS_RESOURCE)")
    })
}

fn told(done: libc::c_int, what: &str, needs: &str) -> Result<(), String> {
    if done == 0 {
        return Ok(());
    }
    Err(format!("{what}: {}; needs {needs}", io::Error::last_os_error()))
}
