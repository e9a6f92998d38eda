//! Codes, and what is known of a thread's last failure.
use mneme_clib::{Effect, Error, Reason};
use mneme_wire::Status;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended.
#[allow(non_camel_case_types, missing_docs)]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// It did what was asked.
    MNEME_OK = 0,
    /// An argument that cannot be: null, no bytes, outside of the address space, not aligned, no pid.
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
    /// The board speaks another wire version.
    MNEME_VERSION = 7,
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
    pub(crate) fn invalid(text: &str) -> Failure {
        Failure { code: MNEME_INVALID, effect: Effect::None, text: text.to_owned() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { code: code_of(&error), effect: error.effect(), text: error.to_string() }
    }
}

fn code_of(error: &Error) -> Code {
    match error {
        Error::OutOfMemory { .. } => MNEME_NO_MEMORY,
        Error::Quota { .. } => MNEME_QUOTA,
        Error::AddressUnavailable { .. } => MNEME_ADDRESS,
        Error::NotAllocated(_) => MNEME_NOT_ALLOCATED,
        Error::SharedPage(_) => MNEME_SHARED_PAGE,
        Error::LockTimeout { .. } => MNEME_LOCK_TIMEOUT,
        Error::LockLost { .. } => MNEME_LOCK_LOST,
        Error::QueueFull { .. } => MNEME_QUEUE_FULL,
        Error::Driver(_) => MNEME_DRIVER,
        Error::Operation(operation) => code_of_reason(operation.reason),
        // Everything else is refused on this side, before a packet leaves.
        _ => MNEME_INVALID,
    }
}

fn code_of_reason(reason: Reason) -> Code {
    match reason {
        Reason::Unreachable => MNEME_UNREACHABLE,
        Reason::Busy(_) | Reason::Held { .. } => MNEME_BUSY,
        Reason::Damaged => MNEME_DAMAGED,
        Reason::Expired => MNEME_EXPIRED,
        Reason::Restarted { .. } => MNEME_RESTARTED,
        Reason::Version => MNEME_VERSION,
        Reason::Refused { status: Status::Unmapped, .. } => MNEME_UNMAPPED,
        Reason::Refused { status: Status::Denied, .. } => MNEME_DENIED,
        Reason::Refused { status: Status::NoMemory, .. } => MNEME_NO_MEMORY,
        Reason::Refused { status: Status::Quota, .. } => MNEME_QUOTA,
        Reason::Refused { .. } => MNEME_REFUSED,
    }
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
    LAST.with(|last| *last.borrow_mut() = Last { text, effect: failure.effect });
    failure.code
}

/// All codes with their names in words.
const TEXTS: [(Code, &CStr); 21] = [
    (MNEME_OK, c"success"),
    (MNEME_INVALID, c"invalid argument"),
    (MNEME_UNREACHABLE, c"the board does not answer"),
    (MNEME_BUSY, c"the board stayed busy"),
    (MNEME_DAMAGED, c"every attempt reached the board damaged"),
    (MNEME_EXPIRED, c"the time window closed: outcome unknown"),
    (MNEME_RESTARTED, c"the board restarted: memory and processes are gone"),
    (MNEME_VERSION, c"the board speaks another wire version"),
    (MNEME_UNMAPPED, c"address not allocated"),
    (MNEME_DENIED, c"access denied"),
    (MNEME_NO_MEMORY, c"out of remote memory"),
    (MNEME_QUOTA, c"quota exhausted"),
    (MNEME_ADDRESS, c"the fixed address cannot be had"),
    (MNEME_NOT_ALLOCATED, c"no allocation begins at this address"),
    (MNEME_SHARED_PAGE, c"the allocation shares its page"),
    (MNEME_LOCK_TIMEOUT, c"lock not free in time"),
    (MNEME_LOCK_LOST, c"lock word overwritten"),
    (MNEME_QUEUE_FULL, c"too many asynchronous calls outstanding"),
    (MNEME_DRIVER, c"the driver cannot go on"),
    (MNEME_REFUSED, c"refused by the board"),
    (MNEME_INTERNAL, c"internal fault"),
];

/// The name of a code, in words. Never null; valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_strerror(code: i32) -> *const c_char {
    let named = TEXTS.iter().find(|(known, _)| *known as i32 == code);
    named.map_or(c"unknown code", |(_, text)| text).as_ptr()
}

/// What failed last on this thread, on which board, and what would work. Never null; valid until the thread's next call
/// that fails.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_last_error() -> *const c_char {
    LAST.with(|last| last.borrow().text.as_ptr())
}

/// Whether this thread's last call that failed can have changed remote memory.
#[unsafe(no_mangle)]
pub extern "C" fn mneme_last_effect() -> MnemeEffect {
    match LAST.with(|last| last.borrow().effect) {
        Effect::None => MnemeEffect::MNEME_EFFECT_NONE,
        Effect::Possible => MnemeEffect::MNEME_EFFECT_POSSIBLE,
        Effect::Partial => MnemeEffect::MNEME_EFFECT_PARTIAL,
    }
}
