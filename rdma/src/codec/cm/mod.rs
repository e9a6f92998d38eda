//! Management datagrams of the connection manager: 256 bytes by UD SEND to queue pair 1 (IBTA volume 1, 12.6 and 13.4.3).
//!
//! `message` has the messages, `request` the longest of them and what rdma_cm puts into its private data.
//!
//! ```
//! use mneme_rdma::codec::cm::{Mad, Message, Pair};
//!
//! let ready = Message::ReadyToUse { ids: Pair { local: 7, remote: 9 }, private: b"hello" };
//! let bytes = ready.to_bytes(0x1234)?;
//! let mad = Mad::parse(&bytes)?;
//! assert_eq!(mad.transaction, 0x1234);
//! let Message::ReadyToUse { ids, private } = mad.message else { panic!("another message") };
//! assert_eq!((ids.local, &private[..5]), (7, &b"hello"[..]));
//! # Ok::<(), mneme_rdma::codec::cm::MadError>(())
//! ```

mod message;
mod request;

pub use message::{Mad, Message, Pair, Reply};
pub use request::{IP_SERVICE_HEADER, IpService, Request, Timing, service_of_port};

/// Bytes of a management datagram.
pub const MAD_LEN: usize = 256;
/// The queue pair of management.
pub const MANAGEMENT_QP: u32 = 1;
/// The queue key of queue pair 1.
pub const MANAGEMENT_QKEY: u32 = 0x8001_0000;

/// Bytes before a message's own.
const HEADER: usize = 24;

/// Why bytes are no management datagram of the connection manager, or a message cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MadError {
    /// Not 256 bytes.
    #[error("{0} bytes are no management datagram of 256")]
    Length(usize),
    /// Another version of the header.
    #[error("management base version {0} is not 1")]
    BaseVersion(u8),
    /// Another class.
    #[error("management class {0:#04x} is not the connection manager's, 0x07")]
    Class(u8),
    /// Another version of the class.
    #[error("class version {0} is not 2")]
    ClassVersion(u8),
    /// Another method.
    #[error("method {0:#04x} is not Send, 0x03")]
    Method(u8),
    /// A message that is not known.
    #[error("attribute {0:#06x} is no known message")]
    Attribute(u16),
    /// A path MTU that has no code: 0, 6 to 15.
    #[error("path MTU code {0} is not 1 to 5")]
    PathMtu(u8),
    /// A transport that is not RC.
    #[error("transport service {0} is not RC, 0")]
    Transport(u8),
    /// Too many private bytes.
    #[error("{has} private bytes where {most} fit")]
    Private {
        /// Bytes given.
        has: usize,
        /// Bytes that fit.
        most: usize,
    },
    /// The private data is not what rdma_cm writes.
    #[error("no IPv4 service header in the private data")]
    IpHeader,
}

/// Reads and writes numbers at offsets of a message's 232 bytes. Offsets are constants of this module, inside the message.
pub(super) fn get(data: &[u8], at: usize, bytes: usize) -> u64 {
    data[at..at + bytes].iter().fold(0, |n, byte| n << 8 | u64::from(*byte))
}

pub(super) fn put(data: &mut [u8], at: usize, bytes: usize, value: u64) {
    data[at..at + bytes].copy_from_slice(&value.to_be_bytes()[8 - bytes..]);
}

/// Writes private data; the rest stays zero.
pub(super) fn put_private(data: &mut [u8], at: usize, most: usize, private: &[u8]) -> Result<(), MadError> {
    let has = private.len();
    let place = data[at..at + most].get_mut(..has).ok_or(MadError::Private { has, most })?;
    place.copy_from_slice(private);
    Ok(())
}
