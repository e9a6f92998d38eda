//! Clients.
use crate::error::{Code, Failure, Outcome, run};
use crate::process::MnemeProcess;
use crate::settings::{self, MnemeTransport};
use crate::{driver, give, handle, lanes, store};
use mneme_clib::{BoardInfo, Client, OpenOptions};
use std::ffi::{CStr, c_char};
use std::time::Duration;

/// Connections to boards: to the one of mneme_connect, and to those of mneme_add_board. From mneme_connect until
/// mneme_disconnect.
pub struct MnemeClient(Client);

impl MnemeClient {
    pub(crate) fn new(client: Client) -> MnemeClient {
        MnemeClient(client)
    }
    pub(crate) fn client(&self) -> &Client {
        &self.0
    }
}

/// How a client behaves and how its datagrams travel. All zero but for `size`: as usual. The strings are only read
/// during mneme_connect.
///
/// Later versions may add fields at the end: `size` tells those apart that a program knows.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MnemeOptions {
    /// sizeof(mneme_options); MNEME_INVALID without it.
    pub size: usize,
    /// Nanoseconds after which an operation that got no answer, or only BUSY, fails; 0: as usual.
    pub give_up_ns: u64,
    /// Bytes of the largest payload, where the path's MTU is smaller than the board's and the system does not know it; 64
    /// at least, or 0: the board's.
    pub largest_payload: u16,
    /// Most asynchronous calls that have not ended or whose results nobody took; 0: as usual (1024).
    pub most_outstanding: u32,
    /// Most bytes that they read and write together; 0: as usual (16 MiB).
    pub most_outstanding_bytes: u64,
    /// One of enum mneme_driver; 0: a UDP socket.
    pub driver: u32,
    /// Stay awake while waiting: the lowest latency, for a processor of its own.
    pub spin: bool,
    /// Raw drivers: the MAC address of the board or gateway; all zero: ARP tells.
    pub neighbour: [u8; 6],
    /// Raw drivers: the network interface; NULL: the one that the system would take.
    pub interface: *const c_char,
    /// Raw drivers: the own IPv4 address; NULL: the interface's.
    pub source: *const c_char,
    /// Raw drivers: the gateway to boards on other networks; NULL: that of the interface's default route.
    pub gateway: *const c_char,
    /// Timers and bounds, as mneme_transport_defaults fills them in; NULL: as usual. Only read during mneme_connect.
    pub transport: *const MnemeTransport,
    /// One of enum mneme_integrity; 0: nothing.
    pub integrity: u32,
    /// The file of the own secret key, as `mneme tenant keygen` makes it; NULL: nobody in particular. Tags need it, and it is
    /// refused without them.
    pub identity: *const c_char,
    /// The public keys of the boards, of which each must prove one, separated by blanks. With `identity` alone.
    pub board_keys: *const c_char,
    /// Asynchronous calls go on, and lost packets are sent again, though nobody waits, polls or calls: a thread of the
    /// client's does that.
    pub background: bool,
}

/// What a board says of itself.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MnemeBoard {
    /// The board's own number.
    pub board_id: u64,
    /// Bytes that processes can have together.
    pub memory: u64,
    /// Bytes of a page.
    pub page_size: u64,
    /// Bytes of the largest payload of a packet.
    pub max_payload: u16,
    /// Counts restarts.
    pub epoch: u8,
}

impl From<BoardInfo> for MnemeBoard {
    fn from(info: BoardInfo) -> MnemeBoard {
        MnemeBoard {
            board_id: info.board_id,
            memory: info.memory,
            page_size: 1 << info.page_bits,
            max_payload: info.max_payload,
            epoch: info.epoch,
        }
    }
}

/// How long requests were on the boards, as their answers told: from a request's last beat at the board's port to its
/// answer's first, in cycles of 4 ns. A simulated board's cycles are as many, and last longer.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct MnemeBoardTimes {
    /// Packets whose answers told.
    pub packets: u64,
    /// Cycles of all of them together.
    pub cycles: u64,
    /// Of the one that took least; 0 when there is none.
    pub shortest: u32,
    /// Of the one that took most.
    pub longest: u32,
}

/// Connects to the board at `board`, "HOST[:PORT]" (19790 where no port is), and learns who it is.
///
/// `options` may be NULL: as usual, through a UDP socket. It and its strings are only read during the call. `client`
/// receives the handle; give it back with mneme_disconnect.
/// Blocks until the board answers or its host refuses, `give_up_ns` at most; MNEME_DRIVER_AUTO adds its measuring.
/// Errors: MNEME_BAD_ADDRESS; MNEME_NOT_IPV4; MNEME_INVALID for options that cannot be; those of drivers and boards.
///
/// # Safety
///
/// The pointers are null or valid; `board` and the strings in `options` end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_connect(
    board: *const c_char,
    options: *const MnemeOptions,
    client: *mut *mut MnemeClient,
) -> Code {
    run(|| {
        if board.is_null() || client.is_null() {
            return Err(Failure::NULL_RESULT);
        }
        // SAFETY: not null, and the caller's promise.
        let (board, given) = unsafe { (CStr::from_ptr(board), MnemeOptions::read(options)?) };
        let board = board.to_str().map_err(|_| Failure::invalid("the board's address is not UTF-8"))?;
        // SAFETY: the caller's promise.
        let (drivers, options) = unsafe { (driver::options(&given)?, settings::options(&given)?) };
        let connected = Client::connect_to(board, &drivers, options)?;
        // SAFETY: the caller's promise.
        unsafe { give(client, MnemeClient(connected)) }
    })
}

/// Describes the way to the boards, a line each: the first one's name with the driver's, such as
/// "tpacket://10.0.0.2:19790%eth0", then why other drivers were not taken (MNEME_DRIVER_AUTO), and what makes it slower than it could be.
///
/// Writes to `into`, as snprintf does, up to `size` bytes with the zero byte; NULL with any `size` writes nothing.
/// Answers the bytes of the whole text without the zero byte; 0 for no client.
/// Does not block.
///
/// # Safety
///
/// `client` is null or valid, `into` is null or valid for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_describe(client: *const MnemeClient, into: *mut c_char, size: usize) -> usize {
    let mut whole = 0;
    let _told_by_the_length = run(|| {
        // SAFETY: the caller's promise.
        let client = &unsafe { handle(client) }?.0;
        let mut text = client.peer();
        client.remarks().iter().for_each(|remark| text.extend(["\n", remark]));
        let text = text.replace('\0', " ");
        whole = text.len();
        if let (false, Some(room)) = (into.is_null(), size.checked_sub(1)) {
            // Not in the middle of a character.
            let fits = (0..=room.min(whole)).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0);
            // SAFETY: `fits` bytes and one are `size` at most, for which the caller promises that `into` is valid.
            unsafe {
                std::ptr::copy_nonoverlapping(text.as_ptr(), into.cast(), fits);
                into.add(fits).write(0);
            }
        }
        Ok(())
    });
    whole
}

/// Gives a client back; NULL is allowed. Its processes stay usable, and stay on the board. Does not block.
///
/// # Safety
///
/// `client` is null or came from mneme_connect and was not given back before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_disconnect(client: *mut MnemeClient) {
    let _ends_whatever_happens = run(|| {
        if !client.is_null() {
            // SAFETY: the caller's promise: it came from `Box::into_raw`.
            drop(unsafe { Box::from_raw(client) });
        }
        Ok(())
    });
}

/// Asks the board of mneme_connect who it is (mneme_ping_board asks another one). `board` receives that and `rtt_ns` the round trip in nanoseconds; both may be NULL.
/// Blocks. Errors: those of the board.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_ping(
    client: *const MnemeClient,
    board: *mut MnemeBoard,
    rtt_ns: *mut u64,
) -> Code {
    // SAFETY: the caller's promise.
    unsafe { lanes::mneme_ping_board(client, 0, board, rtt_ns) }
}

/// From now on packets ask how long they were on the board, until mneme_stop_timing: reads, writes, atomics and fences of
/// this client and its processes, whichever thread makes them. What was counted before is forgotten.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// `client` is null or came from mneme_connect and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_start_timing(client: *const MnemeClient) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = &unsafe { handle(client) }?.0;
        client.is_own()?;
        client.start_timing();
        Ok(())
    })
}

/// Packets ask no longer. `times`, which may be NULL, receives what answers told since mneme_start_timing; all zero
/// without one.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_stop_timing(client: *const MnemeClient, times: *mut MnemeBoardTimes) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = &unsafe { handle(client) }?.0;
        client.is_own()?;
        let told = client.stop_timing();
        let said = MnemeBoardTimes {
            packets: told.packets,
            cycles: told.cycles,
            shortest: told.shortest,
            longest: told.longest,
        };
        // SAFETY: the caller's promise.
        unsafe { store(times, said) };
        Ok(())
    })
}

/// From now on asynchronous calls of this client and its processes, whichever thread makes them, are held back and
/// leave together: with mneme_uncork, when 32 are held back, or when any call of the client waits or polls in vain.
/// Corks nest.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// `client` is null or came from mneme_connect and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_cork(client: *const MnemeClient) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        unsafe { handle(client) }?.0.cork();
        Ok(())
    })
}

/// Undoes one mneme_cork; with the last one what was held back leaves. Does nothing without one.
/// Does not block. Errors: MNEME_INVALID alone.
///
/// # Safety
///
/// `client` is null or came from mneme_connect and was not given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_uncork(client: *const MnemeClient) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        unsafe { handle(client) }?.0.uncork();
        Ok(())
    })
}

/// The usual lease of a process, in nanoseconds: 30 s.
pub const MNEME_DEFAULT_LEASE: u64 = 30_000_000_000;
const _: () = assert!(MNEME_DEFAULT_LEASE as u128 == mneme_clib::DEFAULT_LEASE.as_nanos(), "as in Rust");

/// Opens a new process: a protection domain on all boards that the client has, with one address space of its own.
///
/// `pid`: the number wanted, 1 to 0xffffff, or 0 for any. `lease_ns`: nanoseconds that the process outlives its clients
/// (MNEME_DEFAULT_LEASE); 0: until somebody exits it, or the board restarts. A client keeps the processes of which it has
/// a handle; one that is killed does not, and the board reclaims them with their memory. `process` receives the handle;
/// give it back with mneme_exit or mneme_close.
/// Blocks. Errors: MNEME_BAD_PID; MNEME_NO_MEMORY, MNEME_QUOTA, MNEME_DENIED or MNEME_REFUSED for a process that
/// cannot be had; those of the board.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_open(
    client: *const MnemeClient,
    pid: u32,
    lease_ns: u64,
    process: *mut *mut MnemeProcess,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let client = unsafe { handle(client) }?;
        opened(|| Ok(client.0.open(wanted(pid, lease_ns))?), process)
    })
}

/// How to open a process on all boards.
pub(crate) fn wanted(pid: u32, lease_ns: u64) -> OpenOptions {
    OpenOptions {
        pid: (pid != 0).then_some(pid),
        lease: (lease_ns != 0).then(|| Duration::from_nanos(lease_ns)),
        ..OpenOptions::default()
    }
}

/// Joins the process `pid` of the board of mneme_connect that another client opened; mneme_join_all joins one of several
/// boards. `token`: the 16 bytes of that client's mneme_token. `process`
/// receives the handle; give it back with mneme_exit or mneme_close.
/// Blocks. Errors: MNEME_BAD_PID; MNEME_DENIED or MNEME_REFUSED for a process or token that there is not; those of the
/// board.
///
/// # Safety
///
/// The pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mneme_join(
    client: *const MnemeClient,
    pid: u32,
    token: *const u8,
    process: *mut *mut MnemeProcess,
) -> Code {
    run(|| {
        // SAFETY: the caller's promise.
        let (client, token) = unsafe { (handle(client)?, token.cast::<[u8; 16]>().as_ref()) };
        let token = *token.ok_or(Failure::NULL_RESULT)?;
        opened(|| Ok(client.0.join(pid, token)?), process)
    })
}

/// Opens after the place for the handle was looked at, so that no process is opened that nobody can name.
pub(crate) fn opened(
    open: impl FnOnce() -> Outcome<mneme_clib::Process>,
    process: *mut *mut MnemeProcess,
) -> Outcome<()> {
    if process.is_null() {
        return Err(Failure::NULL_RESULT);
    }
    let opened = MnemeProcess::new(open()?);
    // SAFETY: not null; the callers' callers promise that it is valid.
    unsafe { give(process, opened) }
}
