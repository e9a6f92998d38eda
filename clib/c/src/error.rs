//! Codes, and what is known of a thread's last failure.
use mneme_clib::{Effect, Error, ErrorId};
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

/// How a call ended.
#[allow(non_camel_case_types, missing_docs)]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// It did what was asked.
    MNEME_OK = 0,
    /// An argument that cannot be: NULL, not UTF-8, buffers of one read that overlap, settings out of their bounds.
    MNEME_INVALID = 1,
    /// No answer: the board is not there, or the network loses everything.
    MNEME_UNREACHABLE = 2,
    /// The board stayed busy until the retries were spent.
    MNEME_BUSY = 3,
    /// Every attempt reached the board damaged.
    MNEME_DAMAGED = 4,
    /// The time window closed before an answer came: the outcome is unknown.
    MNEME_EXPIRED = 5,
    /// The board restarted: its memory and processes are gone.
    MNEME_RESTARTED = 6,
    /// The board speaks another version of the wire protocol.
    MNEME_VERSION_MISMATCH = 7,
    /// The address is not allocated.
    MNEME_UNMAPPED = 8,
    /// The memory's rights do not allow this, or the process is not ours.
    MNEME_DENIED = 9,
    /// No remote memory is left.
    MNEME_NO_MEMORY = 10,
    /// The tenant's quota is spent.
    MNEME_QUOTA = 11,
    /// The fixed address cannot be had.
    MNEME_ADDRESS = 12,
    /// No allocation begins at this address.
    MNEME_NOT_ALLOCATED = 13,
    /// The allocation shares its page with others: allocate with `own_pages` to change rights.
    MNEME_SHARED_PAGE = 14,
    /// Somebody else held the lock for too long.
    MNEME_LOCK_TIMEOUT = 15,
    /// Somebody wrote over the lock's word.
    MNEME_LOCK_LOST = 16,
    /// As many asynchronous calls as may be are outstanding.
    MNEME_QUEUE_FULL = 17,
    /// The driver cannot go on.
    MNEME_DRIVER = 18,
    /// The board refused for another reason.
    MNEME_REFUSED = 19,
    /// A fault of this library.
    MNEME_INTERNAL = 20,
    /// The board answers, but an earlier call whose outcome is unknown holds this one back.
    MNEME_HELD = 21,
    /// An allocation or an access of no bytes.
    MNEME_ZERO_SIZE = 22,
    /// A range that leaves the 48-bit address space.
    MNEME_ADDRESS_RANGE = 23,
    /// An atomic or a lock on an address that is not a multiple of 8.
    MNEME_UNALIGNED = 24,
    /// An address that must begin a page and does not.
    MNEME_NOT_A_PAGE = 25,
    /// An allocation that is larger than the address space.
    MNEME_TOO_LARGE = 26,
    /// A number that is no process id.
    MNEME_BAD_PID = 27,
    /// Writes of one batch that overlap.
    MNEME_OVERLAP = 28,
    /// The result was taken already.
    MNEME_TAKEN = 29,
    /// A packet does not fit the path.
    MNEME_DATAGRAM_TOO_LARGE = 30,
    /// The board, or the driver's other end, is gone.
    MNEME_ENDED = 31,
    /// The board's memory failed.
    MNEME_MEMORY_ERROR = 32,
    /// The board does not serve this.
    MNEME_UNSUPPORTED = 33,
    /// Another client uses the same operation ids.
    MNEME_CONFLICT = 34,
    /// The memory lives on another board now.
    MNEME_MOVED = 35,
    /// Not memory of this type (Rust interface).
    MNEME_NOT_THIS_TYPE = 36,
    /// Outside of the remote slice (Rust interface).
    MNEME_OUT_OF_BOUNDS = 37,
    /// The machine has no such network interface.
    MNEME_NO_INTERFACE = 38,
    /// The network interface is down.
    MNEME_INTERFACE_DOWN = 39,
    /// The interface carries no Ethernet frames.
    MNEME_NOT_ETHERNET = 40,
    /// The interface has no IPv4 address.
    MNEME_NO_ADDRESS = 41,
    /// There is no route to the board.
    MNEME_NO_ROUTE = 42,
    /// The driver lacks a privilege.
    MNEME_NOT_PERMITTED = 43,
    /// The interface's MTU is too small.
    MNEME_MTU_TOO_SMALL = 44,
    /// The kernel or the interface cannot do what the driver needs.
    MNEME_DRIVER_UNSUPPORTED = 45,
    /// Another client or XDP program has the interface.
    MNEME_INTERFACE_TAKEN = 46,
    /// The interface has several receive queues.
    MNEME_SEVERAL_QUEUES = 47,
    /// The UDP port or address to send from cannot be had.
    MNEME_PORT_TAKEN = 48,
    /// The interface was removed.
    MNEME_INTERFACE_GONE = 49,
    /// The board's address cannot be resolved.
    MNEME_BAD_ADDRESS = 50,
    /// Raw drivers need an IPv4 address.
    MNEME_NOT_IPV4 = 51,
    /// A limit of the system is reached: open files, memory.
    MNEME_SYSTEM_LIMIT = 52,
    /// The process's lease ran out, and the board has reclaimed it with its memory.
    MNEME_RECLAIMED = 53,
    /// The call was cancelled.
    MNEME_CANCELLED = 54,
    /// The call's deadline has passed.
    MNEME_DEADLINE = 55,
    /// A client has no place for another board.
    MNEME_TOO_MANY_LANES = 56,
    /// The client has this board already.
    MNEME_SAME_BOARD = 57,
    /// The client or the process has no such board.
    MNEME_NO_SUCH_LANE = 58,
    /// The process is on a board that this client does not have.
    MNEME_UNKNOWN_BOARD = 59,
    /// No answer proves anything: all were without the trailer that belongs there.
    MNEME_UNPROVEN = 60,
    /// The board wants tags.
    MNEME_TAGS_WANTED = 61,
    /// The board has no trailers.
    MNEME_NO_TRAILERS = 62,
    /// The driver does not tell its addresses, which trailers cover.
    MNEME_NO_ADDRESSES = 63,
    /// The client has no credentials, which tags need.
    MNEME_NO_CREDENTIALS = 64,
    /// No key of the board is known.
    MNEME_UNKNOWN_BOARD_KEY = 65,
    /// The board has no key.
    MNEME_NO_BOARD_KEY = 66,
    /// The board has another key.
    MNEME_WRONG_BOARD_KEY = 67,
    /// The board has not proven who it is.
    MNEME_HANDSHAKE = 68,
    /// The board does not let this tenant in.
    MNEME_UNKNOWN_TENANT = 69,
    /// The board's clock is another one than the client takes it for.
    MNEME_CLOCK_OFF = 70,
    /// This client has ended the process.
    MNEME_EXITED = 71,
    /// The client is the parent process's.
    MNEME_FORKED = 72,
}

use Code::*;

/// Whether a call that failed can have changed remote memory.
#[allow(non_camel_case_types, missing_docs)]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MnemeEffect {
    /// It changed nothing and will change nothing.
    MNEME_EFFECT_NONE = 0,
    /// Unknown: it took effect once or not at all.
    MNEME_EFFECT_POSSIBLE = 1,
    /// Parts of a large request took effect.
    MNEME_EFFECT_PARTIAL = 2,
}

/// A call that failed.
pub(crate) struct Failure {
    code: Code,
    effect: Effect,
    text: String,
}

pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub(crate) const NULL_HANDLE: Failure = Failure::fixed();
    pub(crate) const NULL_RESULT: Failure = Failure::fixed();

    const fn fixed() -> Failure {
        Failure { code: MNEME_INVALID, effect: Effect::None, text: String::new() }
    }
    pub(crate) fn is(&self, code: Code) -> bool {
        self.code == code
    }
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
    pub(crate) fn invalid(text: &str) -> Failure {
        Failure { code: MNEME_INVALID, effect: Effect::None, text: text.to_owned() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { code: code_of(&error), effect: error.effect(), text: error.to_string() }
    }
}

/// The codes, in the order of their numbers, which are those of the errors' ids (docs/reference/errors.md).
const CODES: [Code; 73] = [
    MNEME_OK,
    MNEME_INVALID,
    MNEME_UNREACHABLE,
    MNEME_BUSY,
    MNEME_DAMAGED,
    MNEME_EXPIRED,
    MNEME_RESTARTED,
    MNEME_VERSION_MISMATCH,
    MNEME_UNMAPPED,
    MNEME_DENIED,
    MNEME_NO_MEMORY,
    MNEME_QUOTA,
    MNEME_ADDRESS,
    MNEME_NOT_ALLOCATED,
    MNEME_SHARED_PAGE,
    MNEME_LOCK_TIMEOUT,
    MNEME_LOCK_LOST,
    MNEME_QUEUE_FULL,
    MNEME_DRIVER,
    MNEME_REFUSED,
    MNEME_INTERNAL,
    MNEME_HELD,
    MNEME_ZERO_SIZE,
    MNEME_ADDRESS_RANGE,
    MNEME_UNALIGNED,
    MNEME_NOT_A_PAGE,
    MNEME_TOO_LARGE,
    MNEME_BAD_PID,
    MNEME_OVERLAP,
    MNEME_TAKEN,
    MNEME_DATAGRAM_TOO_LARGE,
    MNEME_ENDED,
    MNEME_MEMORY_ERROR,
    MNEME_UNSUPPORTED,
    MNEME_CONFLICT,
    MNEME_MOVED,
    MNEME_NOT_THIS_TYPE,
    MNEME_OUT_OF_BOUNDS,
    MNEME_NO_INTERFACE,
    MNEME_INTERFACE_DOWN,
    MNEME_NOT_ETHERNET,
    MNEME_NO_ADDRESS,
    MNEME_NO_ROUTE,
    MNEME_NOT_PERMITTED,
    MNEME_MTU_TOO_SMALL,
    MNEME_DRIVER_UNSUPPORTED,
    MNEME_INTERFACE_TAKEN,
    MNEME_SEVERAL_QUEUES,
    MNEME_PORT_TAKEN,
    MNEME_INTERFACE_GONE,
    MNEME_BAD_ADDRESS,
    MNEME_NOT_IPV4,
    MNEME_SYSTEM_LIMIT,
    MNEME_RECLAIMED,
    MNEME_CANCELLED,
    MNEME_DEADLINE,
    MNEME_TOO_MANY_LANES,
    MNEME_SAME_BOARD,
    MNEME_NO_SUCH_LANE,
    MNEME_UNKNOWN_BOARD,
    MNEME_UNPROVEN,
    MNEME_TAGS_WANTED,
    MNEME_NO_TRAILERS,
    MNEME_NO_ADDRESSES,
    MNEME_NO_CREDENTIALS,
    MNEME_UNKNOWN_BOARD_KEY,
    MNEME_NO_BOARD_KEY,
    MNEME_WRONG_BOARD_KEY,
    MNEME_HANDSHAKE,
    MNEME_UNKNOWN_TENANT,
    MNEME_CLOCK_OFF,
    MNEME_EXITED,
    MNEME_FORKED,
];

// An id without a code, or one whose code has another number, is a mistake of this file.
const _: () = {
    assert!(CODES.len() == ErrorId::ALL.len() + 1);
    let mut index = 0;
    while index < ErrorId::ALL.len() {
        assert!(CODES[index + 1] as u16 == ErrorId::ALL[index].number());
        index += 1;
    }
};

fn code_of(error: &Error) -> Code {
    CODES.get(usize::from(error.id().number())).copied().unwrap_or(MNEME_INTERNAL)
}

struct Last {
    text: CString,
    effect: Effect,
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::new(Last { text: CString::default(), effect: Effect::None });
}

/// Runs the body of a function of the interface.
pub(crate) fn run(body: impl FnOnce() -> Outcome<()>) -> Code {
    // After a panic no state of the body is used again but that behind the client's own lock, which allows for it.
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return MNEME_OK,
        Ok(Err(failure)) => failure,
        Err(_) => Failure {
            code: MNEME_INTERNAL,
            effect: Effect::Possible,
            text: "the library panicked; standard error has the place".into(),
        },
    };
    let text = if failure.text.is_empty() { "a null pointer was passed".into() } else { failure.text };
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // What ends with the thread may call when this is gone: then the code has to do.
    let _told = LAST.try_with(|last| *last.borrow_mut() = Last { text, effect: failure.effect });
    failure.code
}

/// The text of each code, by number.
static TEXTS: LazyLock<Vec<CString>> = LazyLock::new(|| {
    let text = |text: String| CString::new(text).unwrap_or_default();
    let named = ErrorId::ALL.iter().map(|id| text(format!("{id}: {}", id.title())));
    std::iter::once(text("success".into())).chain(named).collect()
});

/// What a `code` means, with the id that docs/reference/errors.md has cause and remedy under, such as "MNM-0008: address
/// not allocated". Any number is allowed. Never NULL; valid for ever; not to be freed or written to. Does not block.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_strerror(code: i32) -> *const c_char {
    let named = usize::try_from(code).ok().and_then(|code| TEXTS.get(code));
    named.map_or(c"unknown code".as_ptr(), |text| text.as_ptr())
}

/// What can be done about the error of a `code`; empty for a number that is none. Never NULL; valid for ever; not to be
/// freed or written to. Does not block.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_remedy(code: i32) -> *const c_char {
    static REMEDIES: LazyLock<Vec<CString>> = LazyLock::new(|| {
        ErrorId::ALL.iter().map(|id| CString::new(id.remedy()).unwrap_or_default()).collect()
    });
    let index = usize::try_from(code).ok().and_then(|code| code.checked_sub(1));
    index.and_then(|index| REMEDIES.get(index)).map_or(c"".as_ptr(), |text| text.as_ptr())
}

/// What failed last on the calling thread, on which board, and what would work; empty before the first failure. Never
/// NULL; valid until this thread's next call that fails, or its end; not to be freed or written to. Does not block.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().text.as_ptr()).unwrap_or(c"".as_ptr())
}

/// Whether the calling thread's last call that failed can have changed remote memory. Does not block.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_last_effect() -> MnemeEffect {
    // Where nobody knows, it is possible.
    match LAST.try_with(|last| last.borrow().effect).unwrap_or(Effect::Possible) {
        Effect::None => MnemeEffect::MNEME_EFFECT_NONE,
        Effect::Possible => MnemeEffect::MNEME_EFFECT_POSSIBLE,
        Effect::Partial => MnemeEffect::MNEME_EFFECT_PARTIAL,
    }
}
