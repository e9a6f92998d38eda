//! What a requester is asked to do, and how it ended.
use crate::codec::{DEFAULT_PKEY, Nak, PathMtu, Psn};

/// One operation. `B` is a buffer: `Vec<u8>`, `&mut [u8]`, or what the caller registers. The requester gives it back with the
/// completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation<B> {
    /// A message for the peer's next buffer.
    Send {
        /// The message.
        data: B,
        /// Immediate data.
        immediate: Option<u32>,
    },
    /// Bytes for the peer's memory.
    Write {
        /// The bytes.
        data: B,
        /// Where they go.
        va: u64,
        /// The region's key.
        rkey: u32,
        /// Immediate data: the peer's owner is told.
        immediate: Option<u32>,
    },
    /// Bytes of the peer's memory, as many as the buffer has.
    Read {
        /// Where they go. Packets are copied straight into it.
        into: B,
        /// Where they lie.
        va: u64,
        /// The region's key.
        rkey: u32,
    },
    /// Puts `swap` in the place of `compare`, in eight bytes at a multiple of 8.
    CompareSwap {
        /// The word's address.
        va: u64,
        /// The region's key.
        rkey: u32,
        /// What must be there.
        compare: u64,
        /// What comes there.
        swap: u64,
    },
    /// Adds to eight bytes at a multiple of 8.
    FetchAdd {
        /// The word's address.
        va: u64,
        /// The region's key.
        rkey: u32,
        /// The addend.
        add: u64,
    },
}

impl<B: AsRef<[u8]>> Operation<B> {
    /// Bytes that go one way or the other; 0 for atomics.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Operation::Send { data: buffer, .. }
            | Operation::Write { data: buffer, .. }
            | Operation::Read { into: buffer, .. } => buffer.as_ref().len(),
            Operation::CompareSwap { .. } | Operation::FetchAdd { .. } => 0,
        }
    }
    /// Whether it is a READ or an atomic: an acknowledge is not enough for it.
    pub(super) const fn is_answered(&self) -> bool {
        matches!(self, Operation::Read { .. } | Operation::CompareSwap { .. } | Operation::FetchAdd { .. })
    }
    pub(super) fn into_buffer(self) -> Option<B> {
        match self {
            Operation::Send { data: buffer, .. }
            | Operation::Write { data: buffer, .. }
            | Operation::Read { into: buffer, .. } => Some(buffer),
            Operation::CompareSwap { .. } | Operation::FetchAdd { .. } => None,
        }
    }
}

/// An operation, as it is posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work<B> {
    /// The caller's number of it, told with the completion.
    pub id: u64,
    /// It starts when all earlier READs and atomics are done. Else a WRITE may take effect before an earlier READ has read
    /// (IBTA volume 1, table 79).
    pub fence: bool,
    /// The peer's owner is to be woken by a SEND or an immediate.
    pub solicited: bool,
    /// What to do.
    pub operation: Operation<B>,
}

impl<B> Work<B> {
    /// Without fence, not solicited.
    pub const fn new(id: u64, operation: Operation<B>) -> Work<B> {
        Work { id, fence: false, solicited: false, operation }
    }
    /// The same with a fence.
    pub fn fenced(self) -> Work<B> {
        Work { fence: true, ..self }
    }
}

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Failure {
    /// The peer refused it.
    #[error("refused: {0}")]
    Refused(Nak),
    /// The peer stayed silent. Whether it has done the operation is not known.
    #[error("no answer after {0} repeats")]
    NoAnswer(u8),
    /// The peer was never ready.
    #[error("the peer was not ready after {0} repeats")]
    NeverReady(u8),
    /// The peer answered what no peer may answer. Whether it has done the operation is not known.
    #[error("an answer that does not fit the request: {0}")]
    BadAnswer(&'static str),
    /// An earlier operation failed, or the queue pair was closed. Whether the peer has done this one is not known.
    #[error("given up with the queue pair")]
    Flushed,
}

/// An operation that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion<B> {
    /// The number that the caller gave.
    pub id: u64,
    /// How it ended.
    pub result: Result<(), Failure>,
    /// The word that an atomic found.
    pub found: Option<u64>,
    /// The buffer. After a failed READ its bytes mean nothing.
    pub buffer: Option<B>,
}

/// Why an operation was not taken. It comes back with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PostError {
    /// As many operations wait, for their end or to be taken, as may.
    #[error("{0} operations wait for their end or to be taken, and no more may")]
    Full(usize),
    /// A message is longer than any may be.
    #[error("a message of {has} bytes, and {most} are the most with this path MTU")]
    Long {
        /// Its bytes.
        has: usize,
        /// The most.
        most: usize,
    },
    /// An atomic across a word's ends.
    #[error("an atomic at {0:#x}, no multiple of 8")]
    Alignment(u64),
    /// The queue pair has ended in an error.
    #[error("the queue pair has ended in an error")]
    Ended,
    /// A device of the machine does not take it: the system's number of why.
    #[error("the device does not take it: {}", std::io::Error::from_raw_os_error(*.0))]
    Device(i32),
}

/// How often "not ready" is met with another try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReadyRetries {
    /// So often in a row.
    Times(u8),
    /// For so many nanoseconds in a row: the first try that may leave after that is the last.
    For(u64),
    /// For ever: code 7 of the connection manager.
    Forever,
}

/// What a requester is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequesterConfig {
    /// The peer's queue pair, 24 bits.
    pub peer_qpn: u32,
    /// The number of the first packet.
    pub first_psn: Psn,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// The partition.
    pub pkey: u16,
    /// Nanoseconds without progress before everything is sent again.
    pub timeout: u64,
    /// After two repeats it is twice as long, after four four times: of a peer that shares its processors with others.
    pub patient: bool,
    /// How often in a row without progress: 7 at most on the wire of the connection manager.
    pub retries: u8,
    /// How often in a row when the peer is not ready.
    pub not_ready_retries: NotReadyRetries,
    /// Request packets without answer, at most; a READ is one.
    pub window: usize,
    /// READs and atomics without answer, at most: what the peer serves at a time.
    pub answered: usize,
    /// Operations that have not ended or whose completions wait to be taken, at most.
    pub queue: usize,
}

/// The code by which connections say how long a side waits for an acknowledge (IBTA volume 1, 9.9.2.1.1): what `ibv_rc_pingpong` and
/// perftest take, too. With 7 repeats a peer may be silent for half a second, and for 1.5 s if
/// the requester is patient, as it is on a busy machine.
pub const ACK_TIMEOUT_CODE: u8 = 14;
/// The same in nanoseconds, 67.1 ms.
pub const ACK_TIMEOUT: u64 = 4096 << ACK_TIMEOUT_CODE;

impl RequesterConfig {
    /// 4,096 bytes a packet, a timeout of 4.2 ms (code 10), always the same, 7 repeats, 32 packets and 16 READs in flight, 128 operations.
    pub const fn new(peer_qpn: u32, first_psn: Psn) -> RequesterConfig {
        RequesterConfig {
            peer_qpn,
            first_psn,
            path_mtu: PathMtu::MAX,
            pkey: DEFAULT_PKEY,
            timeout: 4_194_304,
            patient: false,
            retries: 7,
            not_ready_retries: NotReadyRetries::Forever,
            window: 32,
            answered: 16,
            queue: 128,
        }
    }
}
