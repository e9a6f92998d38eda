//! Errors of the client: what failed, on which board, whether it can have taken effect, and what would work.
use crate::driver::DriverError;
use crate::transport::{Effect, Integrity, Reason};
use mneme_auth::HandshakeError;
use mneme_wire::{Cause, Opcode, Pid, Status, Va};
use std::sync::Arc;
use std::time::Duration;

/// The client's results.
///
/// ```no_run
/// fn read_word(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<u64> {
///     let mut word = [0; 8];
///     process.rread(va, &mut word)?;
///     Ok(u64::from_le_bytes(word))
/// }
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An operation that the board or the network failed.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// if let Err(error) = process.rwrite(va, b"word") {
///     let packets = error.operation().map_or(0, |operation| operation.attempts);
///     println!("{error}; after {packets} packets");
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct OperationError {
    /// The board's name.
    pub board: String,
    /// The operation.
    pub opcode: Opcode,
    /// The process.
    pub pid: Pid,
    /// Address of the packet that failed.
    pub va: Va,
    /// Bytes of the packet that failed.
    pub length: u16,
    /// Why.
    pub reason: Reason,
    /// Whether the whole request can have taken effect.
    pub effect: Effect,
    /// Packets sent for it.
    pub attempts: u32,
    /// From start to end.
    pub elapsed: Duration,
    /// What the driver noticed, such as a refused connection.
    pub trouble: Option<String>,
    /// The driver's own error, if it was that.
    pub driver: Option<Arc<DriverError>>,
}

impl std::fmt::Display for OperationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.opcode)?;
        let addressed = self.opcode.is_fast() && self.opcode != Opcode::Fence;
        if addressed {
            write!(f, " of {} bytes at {:#x}", self.length, self.va.get())?;
        }
        if self.pid != Pid::NONE {
            write!(f, " in process {}", self.pid.get())?;
        }
        write!(f, " on {} failed: {}", self.board, self.reason)?;
        if let Some(driver) = &self.driver {
            write!(f, ": {driver}")?;
        }
        if let Some(trouble) = &self.trouble {
            write!(f, " ({trouble})")?;
        }
        let plural = if self.attempts == 1 { "" } else { "s" };
        write!(f, "; {} packet{plural} in {:.1?}, {}", self.attempts, self.elapsed, self.effect)
    }
}

impl std::error::Error for OperationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.driver {
            Some(driver) => Some(&**driver),
            None => Some(&self.reason),
        }
    }
}

/// What a call of the client can fail with. `Debug` shows what `Display` does, and the id and the remedy: what a program
/// prints whose `main` answers this error.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::Effect;
///
/// match process.fetch_add(va, 1) {
///     Ok(old) => println!("it was {old}"),
///     Err(error) if error.effect() == Effect::None => println!("{}: not added", error.id()),
///     Err(error) => println!("{}: perhaps added: {error}", error.id()),
/// }
/// # Ok(()) }
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The board or the network failed the operation.
    #[error(transparent)]
    Operation(#[from] Box<OperationError>),
    /// The driver does not open, or reaches no board. One that fails later ends operations
    /// ([`Reason::Driver`](crate::Reason::Driver)).
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// An allocation or a range of no bytes.
    #[error("{0} of zero bytes: ask for one byte at least")]
    ZeroSize(&'static str),
    /// A range that leaves the 48-bit address space.
    #[error("{length} bytes at {va:#x} leave the address space, which ends at 0x1000000000000 (48 bits)")]
    AddressRange {
        /// Where the range begins.
        va: u64,
        /// Its bytes.
        length: u64,
    },
    /// An atomic or a lock on an address that is not a multiple of 8.
    #[error("{0:#x} is not a multiple of 8, which atomics and locks need")]
    Unaligned(u64),
    /// An address that must begin a page and does not.
    #[error("{va:#x} does not begin a page: with this board's pages of {page} bytes {:#x} would", va - va % page)]
    NotAPage {
        /// The address.
        va: u64,
        /// The board's page size.
        page: u64,
    },
    /// More than the board holds, or than is left of it.
    #[error(
        "no remote memory for {asked} bytes: the board holds {memory} bytes for all its processes; {} ({source})",
        smaller(*.possible)
    )]
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// What the board holds.
        memory: u64,
        /// Bytes that would have worked, if the board told.
        possible: Option<u64>,
        /// The board's refusal.
        source: Box<OperationError>,
    },
    /// A fixed address that is taken or cannot be had.
    #[error(
        "{asked} bytes at the fixed address {va:#x} cannot be had: {}no fixed address would work ({source})",
        elsewhere(*.possible)
    )]
    AddressUnavailable {
        /// The address asked for.
        va: u64,
        /// Bytes asked for.
        asked: u64,
        /// An address that would have worked, if the board knew one.
        possible: Option<u64>,
        /// The board's refusal.
        source: Box<OperationError>,
    },
    /// The tenant's quota is spent.
    #[error("the quota does not allow {asked} bytes more: freeing other allocations would work ({source})")]
    Quota {
        /// Bytes asked for.
        asked: u64,
        /// The board's refusal.
        source: Box<OperationError>,
    },
    /// Freeing an address that no allocation begins at.
    #[error("no allocation of this process begins at {0:#x}: free exactly what ralloc answered, once")]
    NotAllocated(u64),
    /// Changing the rights of memory that shares its page with other allocations.
    #[error(
        "the allocation at {0:#x} shares its page with others: allocate with `AllocOptions::own_pages` to change rights"
    )]
    SharedPage(u64),
    /// A lock that somebody else held for too long.
    #[error("the lock at {va:#x} was not free within {waited:?}: its word is held as {holder:#x}")]
    LockTimeout {
        /// The lock word's address.
        va: u64,
        /// How long the call waited.
        waited: Duration,
        /// What the lock word held last.
        holder: u64,
    },
    /// The time of an `rrelease` was over ([`Process::within`](crate::Process::within)).
    #[error(
        "calls of this process had not ended within {waited:.1?}: they go on, and a later release tells their errors"
    )]
    NotReleased {
        /// How long it waited.
        waited: Duration,
    },
    /// Unlocking a word that does not hold the lock's token: somebody wrote over it.
    #[error("the lock at {va:#x} is not held by its token: its word is {found:#x}")]
    LockLost {
        /// The lock word's address.
        va: u64,
        /// What it holds.
        found: u64,
    },
    /// As many asynchronous calls as a client may have are outstanding.
    #[error(
        "{requests} asynchronous calls with {bytes} bytes are outstanding, and {asked} bytes more do not fit \
         (bounds: {most_requests} calls, {most_bytes} bytes): take results first, or set larger bounds in `ClientOptions`"
    )]
    QueueFull {
        /// Calls outstanding.
        requests: usize,
        /// Their bytes.
        bytes: usize,
        /// Bytes of the refused call.
        asked: usize,
        /// Most calls.
        most_requests: usize,
        /// Most bytes.
        most_bytes: usize,
    },
    /// Writes of one batch that overlap.
    #[error("the writes to {first:#x} and {second:#x} overlap: the writes of one batch have no order")]
    Overlap {
        /// Where the first begins.
        first: u64,
        /// Where the second begins.
        second: u64,
    },
    /// Memory that cannot hold values of a type.
    #[error(
        "{length} bytes at {va:#x} cannot be {what}: its values begin at multiples of {align} and have {size} bytes"
    )]
    NotThisType {
        /// The type's name.
        what: &'static str,
        /// Where the memory begins.
        va: u64,
        /// Its bytes.
        length: u64,
        /// The type's alignment.
        align: usize,
        /// The type's size.
        size: usize,
    },
    /// Values past the end of a remote slice.
    #[error("{count} values from number {first} on are not in a remote slice of {len}")]
    OutOfBounds {
        /// The first value asked for.
        first: usize,
        /// How many.
        count: usize,
        /// How many there are.
        len: usize,
    },
    /// The board has reclaimed the process, since its lease was not renewed.
    #[error(
        "the board has reclaimed process {pid} with its memory: its lease of {lease:?} was not renewed for {silent:.1?} ({source})"
    )]
    Reclaimed {
        /// The process.
        pid: u32,
        /// Its lease.
        lease: Duration,
        /// How long ago the last request left that is known to have renewed it.
        silent: Duration,
        /// The board's refusal.
        source: Box<OperationError>,
    },
    /// The client was made before a `fork`, in the parent of this process.
    #[error("this client was made before a fork: the parent has it, and a child makes its own")]
    Forked,
    /// A future that was polled again after its end.
    #[error("the result of this call was taken already")]
    Taken,
    /// A pid that no process can have.
    #[error("{0} is no process id: 1 to 0xffffff are")]
    BadPid(u32),
    /// More boards than a client can have.
    #[error("a client has at most {0} boards")]
    TooManyLanes(usize),
    /// A board that the client has already.
    #[error("{peer} is the board that this client has as number {lane}")]
    SameBoard {
        /// Its number.
        lane: usize,
        /// How it was named the second time.
        peer: String,
    },
    /// A board that the client, or the process, does not have.
    #[error("there is no board number {0} here: add it to the client before the process is opened")]
    NoSuchLane(usize),
    /// A process is on a board that this client does not have.
    #[error(
        "the process is on a board that this client does not have: {0:016x} (its id, as `mneme ping` tells)"
    )]
    UnknownBoard(u64),
    /// A process with tags was to be opened by a client that cannot prove who it is.
    #[error("tags need keys, which {board} gives to who proves who he is; this client has no credentials")]
    NoCredentials {
        /// The board.
        board: String,
    },
    /// Credentials that nothing would be proven with.
    #[error(
        "the client has credentials, and its packets would have no tags (integrity `{0}`), so that nobody would prove anything: \
         take `Integrity::Tag`, or leave the credentials out"
    )]
    UnusedCredentials(Integrity),
    /// The client knows no key of the board.
    #[error(
        "this client knows no public key of the board at {board}, so that nothing could prove that it is the board"
    )]
    UnknownBoardKey {
        /// The board.
        board: String,
    },
    /// The board has no key.
    #[error("the board at {board} has no key of its own: it opens no process for clients that want tags")]
    NoBoardKey {
        /// The board.
        board: String,
    },
    /// The board says that it has another key.
    #[error("the board at {board} has another public key than this client knows of it")]
    WrongBoardKey {
        /// The board.
        board: String,
    },
    /// The board's answer does not prove what it should.
    #[error("the handshake with {board} failed: {source}")]
    Handshake {
        /// The board.
        board: String,
        /// Why.
        source: HandshakeError,
    },
    /// A size that no allocation can have.
    #[error("{0} bytes are more than the 48-bit address space")]
    TooLarge(u64),
}

fn smaller(possible: Option<u64>) -> String {
    match possible {
        Some(bytes) => format!("up to {bytes} bytes in one piece would work"),
        None => "freeing other allocations would work".into(),
    }
}

fn elsewhere(possible: Option<u64>) -> String {
    possible.map_or(String::new(), |va| format!("{va:#x} or "))
}

impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.id().explain(self, f)
    }
}

impl Error {
    /// The failed operation, if a board or the network failed it.
    pub fn operation(&self) -> Option<&OperationError> {
        match self {
            Error::Operation(error) => Some(error),
            Error::OutOfMemory { source, .. }
            | Error::AddressUnavailable { source, .. }
            | Error::Reclaimed { source, .. }
            | Error::Quota { source, .. } => Some(source),
            _ => None,
        }
    }
    /// Why the operation failed, if a board or the network failed it.
    pub fn reason(&self) -> Option<Reason> {
        self.operation().map(|error| error.reason)
    }
    /// Status and cause, if the board refused.
    pub fn refusal(&self) -> Option<(Status, Cause)> {
        match self.reason()? {
            Reason::Refused { status, cause, .. } => Some((status, cause)),
            _ => None,
        }
    }
    /// Whether the call can have changed remote memory. Calls that this side refuses change nothing.
    pub fn effect(&self) -> Effect {
        match self {
            Error::Driver(error) if error.is_before_sending() => Effect::None,
            Error::Driver(_) | Error::Handshake { .. } => Effect::Possible,
            other => other.operation().map_or(Effect::None, |error| error.effect),
        }
    }
    /// The time that the call was given is over ([`Process::within`](crate::Process::within)).
    pub fn is_deadline(&self) -> bool {
        self.reason() == Some(Reason::Deadline) || matches!(self, Error::NotReleased { .. })
    }
    /// The board restarted since the process was opened.
    pub fn is_restart(&self) -> bool {
        matches!(self.reason(), Some(Reason::Restarted { .. }))
    }
}
