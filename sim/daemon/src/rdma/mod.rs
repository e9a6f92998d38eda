//! The RDMA port of a software board: RoCEv2 on UDP port 4791 of the board's address.
//!
//! `memory` is the board's pages as RDMA sees them, `door` makes connections and looks after them.
mod door;
mod memory;

pub use door::{PER_PEER, PER_PROCESS, RdmaPort, RdmaSettings, SILENT, statistics_names};
