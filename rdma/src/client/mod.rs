//! Clients of a memory node, without I/O: packets, time and waiting are the caller's.
//!
//! [`Native`] speaks verbs to a region: READ, WRITE with or without immediate, CmpSwap, FetchAdd, FREE. A [`Carrier`] carries them
//! out: the requester of this crate, or a device of the machine (crate mneme-verbs). [`ChainClient`] speaks ODRP: four
//! queue pairs, SENDs, and WRITEs of the node into the client's memory. Prefer native: no bitmap, no key of the client's memory,
//! and one message less for a load.
mod carrier;
mod chain;
mod native;
mod setup;

pub use carrier::{Carrier, CarrierError, NativeConnection};
pub use chain::{ChainClient, ChainDone, ChainError, Request, Unstored};
pub use native::{FreeRange, Grant, Native, NativeError, encode_free};
pub use setup::{ChainSetup, FunctionSetup};
