//! What clients and boards have counted.
use crate::client::MnemeClient;
use crate::error::{Code, Failure, Outcome, run};
use crate::{handle, store};
use mneme_clib::Opcode;
use std::ffi::{CStr, CString, c_char, c_void};

/// Takes a figure: its `name`, which is valid during the call only, and its `value`. `context` is the one that was passed
/// along. The calling thread calls it. It may call functions of this library, and must return (no longjmp, no C++
/// exception).
pub type MnemeFigure = Option<unsafe extern "C" fn(context: *mut c_void, name: *const c_char, value: u64)>;

/// Hands figures out. The client is not locked meanwhile.
///
/// # Safety
///
/// `each` is null or a function that takes a figure.
unsafe fn tell<N: AsRef<str>>(
    figures: impl Iterator<Item = (N, u64)>,
    each: MnemeFigure,
    context: *mut c_void,
) -> Outcome<()> {
    let each = each.ok_or(Failure::NULL_RESULT)?;
    for (name, value) in figures {
        let name = CString::new(name.as_ref()).unwrap_or_default();
        // SAFETY: the caller's promise; the name lives through the call.
        unsafe { each(context, name.as_ptr(), value) };
    }
    Ok(())
}

/// Tells what a client and its processes did so far: calls `each` with `context` for each figure, in the order of their
/// names.
///
/// `sent`, `answered`, `timeouts`, `nacks`, `probes`, `late` and so on: datagrams, and why attempts were repeated or
/// datagrams ignored; `busy_` with a cause's name for each cause that there was. `operations_` and `failures_` with a
/// kind's name (`read`, `write`, `compare_swap`, …) for each kind that there was: packets. `bytes_read`,
/// `bytes_written`. Names may be added; those that there are keep their meaning.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// `client` is null or valid, `each` is null or a function as mneme_figure says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_statistics(
    client: *const MnemeClient,
    each: MnemeFigure,
    context: *mut c_void,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = unsafe { handle(client) }?.client();
        client.is_own()?;
        let figures = client.statistics().named();
        // SAFETY: the caller's promise.
        unsafe { tell(figures.into_iter(), each, context) }
    })
}

/// The kinds that a name stands for.
///
/// # Safety
///
/// `kind` is null or ends with a zero byte.
unsafe fn kinds(kind: *const c_char) -> Outcome<Vec<Opcode>> {
    if kind.is_null() {
        return Ok(Opcode::ALL.to_vec());
    }
    // SAFETY: not null, and the caller's promise.
    let name = unsafe { CStr::from_ptr(kind) }.to_string_lossy();
    let found = Opcode::ALL.iter().find(|kind| kind.name().eq_ignore_ascii_case(&name));
    let unknown = || Failure::invalid(&format!("there is no kind of operation `{name}`: read and write are"));
    Ok(vec![*found.ok_or_else(unknown)?])
}

/// How long operations (packets) of a client took that were answered OK, from the first attempt to the answer: `ns`
/// receives the nanoseconds that a share of them did not exceed, 0 when there were none, and `count` their number; both
/// may be NULL. Within 0.1%; longer than a minute counts as that. It copies what was recorded: not for each packet.
///
/// `kind`: such as "read" or "write", or NULL for all together. `share`: 0.5 is the median, 1.0 the longest.
/// Does not block. Errors: MNEME_INVALID, also for a `share` below 0 or above 1 and a `kind` that there is not.
///
/// # Safety
///
/// The pointers are null or valid; `kind` ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_latency(
    client: *const MnemeClient,
    kind: *const c_char,
    share: f64,
    ns: *mut u64,
    count: *mut u64,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (client, kinds) = unsafe { (handle(client)?, kinds(kind)?) };
        if !(0.0..=1.0).contains(&share) {
            return Err(Failure::invalid("the share of a latency is 0.0 to 1.0: 0.5 is the median"));
        }
        client.client().is_own()?;
        let latencies = client.client().statistics().latency_of(&kinds);
        // SAFETY: the caller's promise.
        unsafe {
            store(ns, u64::try_from(latencies.quantile(share).as_nanos()).unwrap_or(u64::MAX));
            store(count, latencies.count());
        }
        Ok(())
    })
}

/// Asks the board of mneme_connect for its counters (mneme_board_counters_of asks another one) and calls `each` with `context` for each of them, by the names of
/// docs/reference/wire.md, such as "TLB_MISS". They are read one packet after the other, not at one moment; after an
/// error none is told.
/// Blocks. Errors: those of the board.
///
/// # Safety
///
/// As for mneme_statistics.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_board_counters(
    client: *const MnemeClient,
    each: MnemeFigure,
    context: *mut c_void,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { mneme_board_counters_of(client, 0, each, context) }
}

/// As mneme_board_counters with `each` and `context`, of the board with the number `number`.
/// Blocks. Errors: MNEME_NO_SUCH_LANE; those of the board.
///
/// # Safety
///
/// As for mneme_statistics.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_board_counters_of(
    client: *const MnemeClient,
    number: u32,
    each: MnemeFigure,
    context: *mut c_void,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = unsafe { handle(client) }?;
        if each.is_none() {
            return Err(Failure::NULL_RESULT);
        }
        let counters = client.client().lane(number as usize)?.board_counters()?;
        // SAFETY: the caller's promise.
        unsafe { tell(counters.named(), each, context) }
    })
}

/// Asks the board of mneme_connect what it was built from and calls `each` with `context` for each register, by the names of
/// docs/reference/wire.md, such as "BUILD_HASH", "BUILD_DATE" or "MISSES"; for none when the board is older than this
/// question, or after an error.
/// Blocks. Errors: those of the board.
///
/// # Safety
///
/// As for mneme_statistics.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_board_build(
    client: *const MnemeClient,
    each: MnemeFigure,
    context: *mut c_void,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = unsafe { handle(client) }?;
        if each.is_none() {
            return Err(Failure::NULL_RESULT);
        }
        let build = client.client().build()?;
        // SAFETY: the caller's promise.
        unsafe { tell(build.named().map(|(name, value)| (name, u64::from(value))), each, context) }
    })
}
