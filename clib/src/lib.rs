//! CLib: remote memory for applications.
//!
//! A [`Client`] talks to boards, to each through a [`Driver`]; a [`Process`] is a protection domain on them, with one
//! address space of 48 bits. Calls block until the board has answered, the retries are spent, or this side sees that they
//! cannot work.
//!
//! ```no_run
//! use mneme_clib::{Client, ClientOptions, OpenOptions, UdpDriver};
//! # fn main() -> mneme_clib::Result<()> {
//! let client = Client::connect(UdpDriver::connect("10.0.0.2:19790")?, ClientOptions::default())?;
//! let process = client.open(OpenOptions::default())?;
//! let va = process.ralloc(5)?;
//! process.rwrite(va, b"hello")?;
//! let mut back = [0; 5];
//! process.rread(va, &mut back)?;
//! process.rfree(va)?;
//! process.exit()?;
//! # Ok(()) }
//! ```
//!
//! Asynchronous calls return at once. Their results come from [`Pending::rpoll`], [`Pending::wait`] or `.await`:
//!
//! ```no_run
//! # fn example(process: &mneme_clib::Process, va: u64, other: u64) -> mneme_clib::Result<()> {
//! let (mut a, mut b) = ([0; 64], [0; 64]);
//! let first = process.rread_async(va, &mut a);
//! let second = process.rread_async(other, &mut b);
//! println!("{:?} {:?}", first.wait()?, second.wait()?);
//! let _ = process.rwrite_async(va, b"nobody waits for this");
//! process.rrelease()?; // now it is there, or its error is here
//! # Ok(()) }
//! ```
//!
//! # Layers
//!
//! | layer | module | now | place of what comes later |
//! |---|---|---|---|
//! | API | `client`, `process`, `pending`, `lock` | synchronous and asynchronous, vectored | the C interface lies on top, in `c/` |
//! | session and lanes | `core` | requests, threads that wait, deadlines; a lane for each board; where memory is | |
//! | ordering | `order` | synchronous calls one after the other; asynchronous ones in release order, dependent ones in the order of the calls | |
//! | transport | [`transport`] | exactly-once retries, congestion and incast windows | |
//! | driver | [`driver`] | UDP socket, raw Ethernet (`pnet`, packet ring, AF_XDP); in process (crate `mneme-world`) | |
//!
//! The transport neither reads a clock nor touches a socket. A client has a thread of its own only where something is
//! to be done while nobody calls: for leases, for futures that sleep, and for [`ClientOptions::background`].
//!
//! # Errors
//!
//! [`Error::effect`] says whether a failed call can have changed remote memory, [`Error::reason`] why it failed, and
//! [`Error::id`] which paragraph of `docs/reference/errors.md` has cause and remedy.
#![deny(unsafe_code)]

mod built;
mod catalogue;
mod client;
mod completion;
mod core;
mod credentials;
pub mod driver;
mod error;
mod error_ids;
mod fork;
#[cfg(doctest)]
mod guides;
mod heap;
mod lock;
mod order;
mod pending;
mod planted;
mod process;
mod processes;
mod random;
mod reactor;
mod request;
mod split;
mod stats;
pub mod transport;
pub mod typed;

pub use built::Build;
pub use client::{
    BoardCounters, Client, ClientOptions, DEFAULT_LEASE, Lane, LaneSet, MOST_LANES, OpenOptions,
};
pub use completion::CompletionQueue;
pub use credentials::Credentials;
pub use driver::{Driver, DriverError, DriverKind, DriverOptions, RawDriver, UdpDriver};
pub use error::{Error, OperationError, Result};
pub use error_ids::ErrorId;
pub use lock::{LockOptions, LockToken, UnlockError};
pub use mneme_auth::{FileError, HandshakeError, KeyError, PublicKey, SecretKey};
pub use mneme_wire::Opcode;
pub use mneme_wire::payload::{BoardInfo, NodeCounter, Rights};
pub use pending::{Outcome, Pending, Polled};
pub use planted::PlantedFault;
pub use process::{
    AllocOptions, Allocated, BufferError, ExitError, Membership, OldWord, Process, ReadBatch, ReadInto,
    ReadOwned, ReadVectored, Unmapped, Written, WrittenOwned,
};
pub use processes::{ProcessInfo, Reaper};
pub use request::{Lent, ReadPart, WritePart};
pub use stats::{Latencies, Statistics};
pub use transport::{
    BoardTimes, Effect, Integrity, Reason, TransportConfig, TransportCounters, UnknownIntegrity,
};
pub use typed::{Plain, RemoteBox, RemoteSlice};
