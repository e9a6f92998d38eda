//! The native client of a board over an RDMA device of the machine: a card that speaks RoCEv2, or the kernel's own (rdma_rxe).
//!
//! It is the client of [`mneme_rdma::client`] with another carrier: the same operations, grants and errors, and the device sends the
//! packets. libibverbs and librdmacm (rdma-core) are loaded when the first connection is asked for, so that a program with this crate
//! starts on machines that have neither. Nothing of them is linked, and no header of theirs is compiled: `abi` has the layouts that
//! their first version (`.so.1`) has kept, and a test compares them with the headers where these are installed.
//!
//! | module | what it holds |
//! |---|---|
//! | `abi` | layouts and numbers of both libraries |
//! | `library` | loading, and the functions that are used |
//! | `endpoint` | one end of a connection: everything that the libraries gave for it, and the order in which it goes back |
//! | `manager` | how a connection is made: rdma_cm's events |
//! | `memory` | memory that the device may access |
//! | `pair` | the queue pair as a carrier of operations |
//! | `client` | all of it together |
//!
//! **Why the unsafe code is sound.** A device reads and writes memory behind the program's back, so who owns memory decides. A caller's
//! buffer is never shown to the device: bytes are copied from or to registered blocks that the queue pair owns. A block that an
//! operation uses is touched by nobody else until its completion has come or the queue pair has been destroyed. When a queue pair
//! cannot be destroyed its blocks are leaked, never freed. So a client may be dropped at any time, with operations under way.
mod abi;
mod client;
mod endpoint;
#[cfg(test)]
mod fake;
mod library;
mod manager;
mod memory;
mod pair;

pub use client::{DeviceClient, Way};
pub use library::devices;
pub use pair::DevicePair;

use mneme_rdma::cm::ConnectError;
use std::io;
use std::time::Duration;

/// The layouts that this crate takes the libraries to have, for the test that compares them with the headers: what, place, bytes.
#[doc(hidden)]
pub fn layouts() -> Vec<(&'static str, usize, usize)> {
    abi::layouts()
}

/// Why there is no client, or why it fails.
#[derive(Debug, thiserror::Error)]
pub enum VerbsError {
    /// A library is missing, or is not what it should be.
    #[error(
        "{name} cannot be loaded: {reason}; install rdma-core's libraries (Debian: libibverbs1, librdmacm1, ibverbs-providers)"
    )]
    Library {
        /// Its name.
        name: &'static str,
        /// What the system's loader says.
        reason: String,
    },
    /// The machine has no such device.
    #[error("there is no RDMA device {wanted}: {there}")]
    NoDevice {
        /// The name that was asked for.
        wanted: String,
        /// What there is.
        there: Devices,
    },
    /// The way to the board goes by another device.
    #[error(
        "the way to the board goes by the RDMA device {by}, not {wanted}: name an address of its interface with `--from`"
    )]
    OtherDevice {
        /// The name that was asked for.
        wanted: String,
        /// The one that the system takes.
        by: String,
    },
    /// A device that cannot do what a board's clients need.
    #[error("the RDMA device cannot serve as a client: {0}")]
    Unfit(&'static str),
    /// A function of the libraries fails.
    #[error("{what}: {error}{}", remedy(.what, .error))]
    Call {
        /// What was done.
        what: &'static str,
        /// The system's reason.
        error: io::Error,
    },
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The device reports nothing.
    #[error("the device has ended no operation for {} s", .0.as_secs())]
    Silent(Duration),
}

impl VerbsError {
    /// What the last call that failed has left as the system's reason.
    fn last(what: &'static str) -> VerbsError {
        VerbsError::Call { what, error: io::Error::last_os_error() }
    }
}

/// The connection manager's device is a module of its own.
fn remedy(what: &str, error: &io::Error) -> &'static str {
    if what == manager::CHANNEL && matches!(error.raw_os_error(), Some(2 | 19)) {
        "; the kernel's connection manager is missing: `modprobe rdma_ucm`"
    } else {
        ""
    }
}

/// The names of devices, to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Devices(pub Vec<String>);

impl std::fmt::Display for Devices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            f.write_str(
                "this machine has none; a card's driver makes one, and so does `rdma link add rxe0 type rxe netdev eth0`",
            )
        } else {
            write!(f, "this machine has {}", self.0.join(", "))
        }
    }
}
