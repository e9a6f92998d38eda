//! How an operation ends.
use super::{Payload, Place, Token};
use mneme_wire::{Cause, Opcode, Pid, Status, Va};
use std::net::SocketAddrV4;
use std::time::Duration;

/// Whether an operation that failed can have changed anything on the board.
///
/// ```
/// use mneme_clib::Effect;
///
/// assert_eq!(Effect::Possible.to_string(), "it may have taken effect once");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It changed nothing and will change nothing.
    None,
    /// Unknown: it took effect once or not at all.
    Possible,
    /// Parts of a large request took effect.
    Partial,
}

impl std::fmt::Display for Effect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Effect::None => "nothing was changed",
            Effect::Possible => "it may have taken effect once",
            Effect::Partial => "it took effect in part",
        })
    }
}

/// Why an operation failed.
///
/// ```no_run
/// # fn example(process: &mneme_clib::Process, va: u64) -> mneme_clib::Result<()> {
/// use mneme_clib::Reason;
///
/// let result = process.rwrite(va, b"word");
/// if result.is_err_and(|error| error.reason() == Some(Reason::Unreachable)) {
///     println!("the board is gone");
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// No answer to any of the last attempts.
    #[error("no answer: the board is not there, or the network loses everything")]
    Unreachable,
    /// BUSY until the retries were spent.
    #[error("the board stayed busy (cause {0})")]
    Busy(Cause),
    /// The board saw damaged frames until the retries were spent.
    #[error("every attempt reached the board damaged")]
    Damaged,
    /// EXPIRED, and an earlier copy may have been executed: the outcome is unknown.
    #[error("the operation's time window closed before an answer came, so its outcome is unknown")]
    Expired,
    /// The board answers, but a copy of an earlier call whose outcome is unknown may still be executed, and this one
    /// must not overtake it.
    #[error(
        "an earlier call's outcome is unknown, and a late copy of it may still change memory for up to {left:.1?}; nothing \
         was sent: call again after that"
    )]
    Held {
        /// Until the earlier call can no longer take effect, by the board's advertised tick.
        left: Duration,
    },
    /// The board restarted: its memory and processes are gone.
    #[error(
        "the board restarted (it is in epoch {epoch} now): its memory and processes are gone; open a new process"
    )]
    Restarted {
        /// The epoch that it told.
        epoch: u8,
    },
    /// The board speaks another wire version.
    #[error("the board speaks another wire version than this client's {}", mneme_wire::WIRE_VERSION)]
    Version,
    /// Its packet does not fit the path, whose MTU has become smaller, or was smaller from the beginning.
    #[error(
        "its packet of {needs} bytes does not fit the path any longer, which carries {carries}, and cannot be cut anew: \
         raise the MTU on the way, or make the call again"
    )]
    TooLong {
        /// Bytes of the datagram that it or its answer needs.
        needs: usize,
        /// Bytes of the longest datagram that the path carries.
        carries: usize,
    },
    /// Another board serves this address now. Nothing was executed, and no copy of this operation will be. Source:
    /// scale-out §3.
    #[error("{}", moved(*.to))]
    Moved {
        /// The board's address; `None`: this one does not know it.
        to: Option<SocketAddrV4>,
        /// That board's epoch.
        epoch: u8,
        /// log2 of the bytes, on a multiple of which the address lies, that have moved together.
        span: u8,
    },
    /// Whatever was sent came back without the trailer that belongs there: the board cannot verify what this client sends,
    /// or somebody else speaks in its place.
    #[error("the only answers were {status} without a trailer, which proves nothing")]
    Unproven {
        /// What they said last.
        status: Status,
    },
    /// Its caller cancelled it.
    #[error("the call was cancelled")]
    Cancelled,
    /// The time that its caller gave it is over.
    #[error("the call's deadline has passed")]
    Deadline,
    /// Its process has been ended by this client ([`Process::exit`](crate::Process::exit)), or perhaps: the process's number
    /// may be another one's, so that nothing was sent.
    #[error("{}", exited(*.perhaps))]
    Exited {
        /// No answer has told whether it has ended.
        perhaps: bool,
    },
    /// The driver failed while the operation was under way, or before it could be sent.
    #[error("the driver cannot go on")]
    Driver,
    /// A definite refusal.
    #[error("refused as {status}, cause {cause}")]
    Refused {
        /// The board's status.
        status: Status,
        /// Its cause.
        cause: Cause,
        /// What the board added; allocations: what would work instead, in pages (size) or as a page number (address).
        hint: u32,
    },
}

impl Reason {
    /// The board's word that the process is no more: there is none of its number, or the board has restarted.
    pub(crate) fn is_process_gone(&self) -> bool {
        let no_process = |status: &Status| matches!(status, Status::BadRequest | Status::Denied);
        match self {
            Reason::Refused { status, cause: Cause::Pid, .. } => no_process(status),
            Reason::Restarted { .. } => true,
            _ => false,
        }
    }
}

fn exited(perhaps: bool) -> &'static str {
    match perhaps {
        false => "this client has ended the process; nothing was sent",
        true => {
            "this client has asked the board to end the process, and no answer told whether it did; nothing was sent: \
             call `exit` again"
        }
    }
}

fn moved(to: Option<SocketAddrV4>) -> String {
    match to {
        Some(address) => format!(
            "the memory has moved to the board at {address}, where this client cannot follow: it does not have that \
             board, or boards send it to and fro"
        ),
        None => "the memory has moved to another board, and this one does not know which".to_owned(),
    }
}

/// A failed operation.
///
/// ```no_run
/// # use mneme_clib::transport::Transport;
/// # fn example(transport: &mut Transport) {
/// while let Some((ended, result)) = transport.finished() {
///     if let Err(failure) = result {
///         println!("{}: {}, {}", ended.opcode, failure.reason, failure.effect);
///     }
/// }
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub reason: Reason,
    /// Whether it can have taken effect.
    pub effect: Effect,
    /// Packets sent for it.
    pub attempts: u32,
    /// From its start to its end.
    pub elapsed: Duration,
}

/// Which operation ended.
///
/// ```no_run
/// # use mneme_clib::transport::Transport;
/// # fn example(transport: &mut Transport) {
/// while let Some((ended, _)) = transport.finished() {
///     println!("{} at {:#x} has ended", ended.opcode, ended.va.get());
/// }
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Its name.
    pub token: Token,
    /// What the call said.
    pub place: Place,
    /// Operation.
    pub opcode: Opcode,
    /// Protection domain.
    pub pid: Pid,
    /// Address.
    pub va: Va,
    /// The header's length field.
    pub length: u16,
}

/// An operation that ended, and how.
///
/// ```no_run
/// # use mneme_clib::transport::{Finished, Transport};
/// # fn example(transport: &mut Transport) {
/// let all: Vec<Finished> = std::iter::from_fn(|| transport.finished()).collect();
/// # }
/// ```
pub type Finished = (Ended, Result<Answer, Failure>);

/// An operation that ended OK.
///
/// ```no_run
/// # use mneme_clib::transport::Transport;
/// # fn example(transport: &mut Transport) {
/// if let Some((_, Ok(answer))) = transport.finished() {
///     println!("{:?} after {} packets", answer.latency, answer.attempts);
/// }
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The answer's payload, but for reads, whose payload is in the buffers.
    pub payload: Payload,
    /// Packets sent for it.
    pub attempts: u32,
    /// From the first attempt that could have been executed to the answer.
    pub latency: Duration,
}
