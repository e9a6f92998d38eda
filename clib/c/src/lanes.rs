//! Clients of several boards, and calls that end before their time.
use crate::client::{MnemeBoard, MnemeClient, MnemeOptions, opened, wanted};
use crate::error::{Code, Failure, Outcome, run};
use crate::process::MnemeProcess;
use crate::{driver, give, handle, store};
use mneme_clib::{DriverOptions, LaneSet, Membership, OpenOptions, Process};
use std::ffi::{CStr, c_char};
use std::time::Duration;

/// Boards that a client may have at most.
pub const MNEME_MOST_BOARDS: u32 = 16;
const _: () = assert!(MNEME_MOST_BOARDS as usize == mneme_clib::MOST_LANES, "as in Rust");

/// A process as one of its boards knows it, for other clients to join (mneme_join_all).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MnemeMembership {
    /// The board's own number (mneme_board).
    pub board_id: u64,
    /// The first address of the window in which the board allocates.
    pub window_first: u64,
    /// The window's bytes; 0: the whole address space.
    pub window_bytes: u64,
    /// The process's id there.
    pub pid: u32,
    /// What it takes to join there.
    pub token: [u8; 16],
}

impl From<Membership> for MnemeMembership {
    fn from(of: Membership) -> MnemeMembership {
        let (window_first, window_bytes) = of.window.unwrap_or((0, 0));
        MnemeMembership { board_id: of.board_id, window_first, window_bytes, pid: of.pid, token: of.token }
    }
}

impl From<&MnemeMembership> for Membership {
    fn from(of: &MnemeMembership) -> Membership {
        let window = (of.window_bytes != 0).then_some((of.window_first, of.window_bytes));
        Membership { board_id: of.board_id, pid: of.pid, token: of.token, window }
    }
}

/// Where a board is, and how it is to be reached.
///
/// # Safety
///
/// The pointers are null or valid; `board` and the strings in `options` end with a zero byte.
unsafe fn way<'a>(board: *const c_char, options: *const MnemeOptions) -> Outcome<(&'a str, DriverOptions)> {
    if board.is_null() {
        return Err(Failure::NULL_RESULT);
    }
    // SAFETY: not null, and the caller's promise.
    let (board, given) = unsafe { (CStr::from_ptr(board), MnemeOptions::read(options)?) };
    let board = board.to_str().map_err(|_| Failure::invalid("the board's address is not UTF-8"))?;
    // SAFETY: the caller's promise.
    Ok((board, unsafe { driver::options(&given)? }))
}

/// Adds the board at `board`, "HOST[:PORT]", to a client. Processes that are opened from then on have memory on it, too.
/// `number`, which may be NULL, receives its number; the board of mneme_connect is number 0.
///
/// `options` may be NULL: through a UDP socket. Of them the driver's settings are read, during the call; the others, such
/// as `background`, are those of mneme_connect.
/// Blocks until the board answers, `give_up_ns` at most; nothing was added after an error.
/// Errors: as mneme_connect, MNEME_SAME_BOARD, MNEME_TOO_MANY_LANES.
///
/// # Safety
///
/// The pointers are null or valid; `board` and the strings in `options` end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_add_board(
    client: *const MnemeClient,
    board: *const c_char,
    options: *const MnemeOptions,
    number: *mut u32,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (client, (board, drivers)) = unsafe { (handle(client)?, way(board, options)?) };
        let added = client.client().add_board(board, &drivers)?;
        // SAFETY: the caller's promise.
        unsafe { store(number, added as u32) };
        Ok(())
    })
}

/// Reaches the client's board with the number `number` at `board`, "HOST[:PORT]", from now on, through a new driver: after
/// the old one has failed (MNEME_DRIVER, MNEME_ENDED), at another address, or over another interface. `options` as for
/// mneme_add_board. `said`, which may be NULL, receives what the board says of itself.
///
/// Processes stay. Calls of those that a restarted board has lost end with MNEME_RESTARTED, and mneme_open opens new ones;
/// what was in flight to this board ends as if the old driver had failed. A board that restarts where it was needs no
/// reconnect.
/// Blocks until the board answers, `give_up_ns` at most; after an error of the board's the new driver stays.
/// Errors: as mneme_connect, MNEME_NO_SUCH_LANE.
///
/// # Safety
///
/// The pointers are null or valid; `board` and the strings in `options` end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_reconnect(
    client: *const MnemeClient,
    number: u32,
    board: *const c_char,
    options: *const MnemeOptions,
    said: *mut MnemeBoard,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (client, (board, drivers)) = unsafe { (handle(client)?, way(board, options)?) };
        let info = client.client().reconnect_to(number as usize, board, &drivers)?;
        // SAFETY: the caller's promise.
        unsafe { store(said, info.into()) };
        Ok(())
    })
}

/// Asks the client's board with the number `number` who it is. `board` receives that and `rtt_ns` the round trip in
/// nanoseconds; both may be NULL.
/// Blocks. Errors: MNEME_NO_SUCH_LANE; those of the board.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_ping_board(
    client: *const MnemeClient,
    number: u32,
    board: *mut MnemeBoard,
    rtt_ns: *mut u64,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (info, rtt) = unsafe { handle(client) }?.client().lane(number as usize)?.ping()?;
        // SAFETY: the caller's promise.
        unsafe {
            store(board, info.into());
            store(rtt_ns, u64::try_from(rtt.as_nanos()).unwrap_or(u64::MAX));
        }
        Ok(())
    })
}

/// As mneme_open with `pid`, `lease_ns` and `process`, on some of the client's boards: on those whose numbers are the `count`
/// ones at `boards`, in any order.
/// Blocks. Errors: as mneme_open; MNEME_NO_SUCH_LANE for a number that no board has, and for none.
///
/// # Safety
///
/// The pointers are null or valid, `boards` for `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_open_on(
    client: *const MnemeClient,
    pid: u32,
    lease_ns: u64,
    boards: *const u32,
    count: usize,
    process: *mut *mut MnemeProcess,
) -> Code {
    run(|| {
        if boards.is_null() || count > MNEME_MOST_BOARDS as usize {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: not null, and the caller's promise.
        let (client, numbers) = unsafe { (handle(client)?, std::slice::from_raw_parts(boards, count)) };
        let mut lanes = LaneSet::only(mneme_clib::MOST_LANES);
        for number in numbers {
            lanes = lanes.and(client.client().lane(*number as usize)?.number());
        }
        let options = OpenOptions { lanes, ..wanted(pid, lease_ns) };
        opened(|| Ok(client.client().open(options)?), process)
    })
}

/// How many boards a client has; 0 for no client. Does not block.
///
/// # Safety
///
/// `client` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_boards(client: *const MnemeClient) -> u32 {
    let mut count = 0;
    let _told_by_the_count = run(|| {
        // SAFETY: the caller's promise.
        count = unsafe { handle(client) }?.client().lanes().len() as u32;
        Ok(())
    });
    count
}

/// Tells in `number` the number of the board that has the address `va` of a process, as far as this client knows: memory
/// may have moved.
/// Does not block. Errors: MNEME_INVALID.
///
/// # Safety
///
/// `process` is null or valid, `number` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_board_of(process: *const MnemeProcess, va: u64, number: *mut u32) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        unsafe { store(number, handle(process)?.shared().lane_of(va) as u32) };
        Ok(())
    })
}

/// Writes how each of a process's boards knows it to `into`, which has room for `room` of them, and answers how many
/// there are in `count`. NULL with room 0 asks for the number alone.
/// Does not block. Errors: MNEME_INVALID, also where there is too little room.
///
/// # Safety
///
/// `process` and `count` are null or valid, `into` is null or points to room for `room` memberships.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_memberships(
    process: *const MnemeProcess,
    into: *mut MnemeMembership,
    room: usize,
    count: *mut usize,
) -> Code {
    run(|| {
        if count.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: the caller's promise.
        let all = unsafe { handle(process) }?.shared().memberships();
        // SAFETY: not null, and the caller's promise.
        unsafe { store(count, all.len()) };
        if into.is_null() && room == 0 {
            return Ok(());
        }
        if into.is_null() || room < all.len() {
            return Err(Failure::invalid(
                "there is too little room for the memberships: `count` tells how many there are",
            ));
        }
        for (number, of) in all.into_iter().enumerate() {
            // SAFETY: there is room for as many, which the caller promises.
            unsafe { store(into.add(number), of.into()) };
        }
        Ok(())
    })
}

/// Joins a process on all of its boards, which this client must have, in any order. `all`: the `count` memberships that
/// another client has told (mneme_memberships). `process` receives the handle; give it back with mneme_exit or
/// mneme_close.
/// Blocks. Errors: MNEME_UNKNOWN_BOARD, MNEME_NO_SUCH_LANE for none, MNEME_DENIED for a wrong token, and those of the
/// boards.
///
/// # Safety
///
/// The pointers are null or valid, `all` for `count` memberships.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_join_all(
    client: *const MnemeClient,
    all: *const MnemeMembership,
    count: usize,
    process: *mut *mut MnemeProcess,
) -> Code {
    run(|| {
        if process.is_null() || all.is_null() || count > MNEME_MOST_BOARDS as usize {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: not null, and the caller's promise.
        let (client, all) = unsafe { (handle(client)?, std::slice::from_raw_parts(all, count)) };
        let all: Vec<Membership> = all.iter().map(Membership::from).collect();
        let joined = client.client().join_all(&all)?;
        // SAFETY: not null, and the caller's promise.
        unsafe { give(process, MnemeProcess::new(joined)) }
    })
}

/// Another handle of a process, whose calls end within `time_ns` nanoseconds each: with a result, or with MNEME_DEADLINE;
/// mneme_last_effect tells then whether the call may have taken effect. The time holds for the call as a whole: for waiting
/// behind other calls, for all boards that it asks, and for all tries of mneme_rlock, which ends with MNEME_LOCK_TIMEOUT
/// where the lock is held. `hurried` receives the handle; give it back with mneme_close. mneme_exit ends the process for all handles.
/// Does not block. Errors: MNEME_INVALID.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_within(
    process: *const MnemeProcess,
    time_ns: u64,
    hurried: *mut *mut MnemeProcess,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let process: &Process = unsafe { handle(process) }?.shared();
        let within = process.within(Duration::from_nanos(time_ns));
        // SAFETY: the caller's promise.
        unsafe { give(hurried, MnemeProcess::new(within)) }
    })
}

/// Another handle of a client, whose calls end within `time_ns` nanoseconds each, over all boards that they ask: with a
/// result, or with MNEME_DEADLINE. These are mneme_open, mneme_join, mneme_join_all, mneme_ping, mneme_board_counters,
/// mneme_processes, mneme_reap, and the wait of mneme_add_board for the board. Without it each question to a board takes
/// `give_up_ns` at most. Processes that are opened through it have no deadline: mneme_within gives them one. `hurried`
/// receives the handle; give it back with mneme_disconnect. A process that nobody got ends with its lease.
/// Does not block. Errors: MNEME_INVALID.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_client_within(
    client: *const MnemeClient,
    time_ns: u64,
    hurried: *mut *mut MnemeClient,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let within = unsafe { handle(client) }?.client().within(Duration::from_nanos(time_ns));
        // SAFETY: the caller's promise.
        unsafe { give(hurried, MnemeClient::new(within)) }
    })
}
