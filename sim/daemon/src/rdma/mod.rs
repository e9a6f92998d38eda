//! The RDMA port of a board: RoCEv2 on UDP port 4791 of the board's address.
//!
//! A software board's is software, too. A board of RTL has a port in its hardware: `hardware` has its connection manager
//! (`mneme_rdma_manager`) beside it, `line` carries its frames over a socket.
//!
//! `memory` is the board's pages as RDMA sees them, `door` serves connections and looks after them, `books` makes them, `audit` looks where
//! the frames of 4 KB are. `peers` has places for programs of others (`mneme_rdma_peers`), `lent` their memory.
mod audit;
mod books;
mod door;
mod hardware;
mod lent;
mod line;
mod memory;
mod peers;

pub use audit::{BoardAuditError, audit, audit_hardware};
pub use door::{RdmaPort, RdmaSettings};
pub use hardware::{HardwareError, HardwarePort};
pub use lent::{Lent, TestMemory, test_word};
pub use line::LinePort;
pub use mneme_rdma_manager::{GRACE, PER_PEER, PER_PROCESS, SILENT, cap, statistics_names};
pub use mneme_rdma_peers::{
    PERFTEST_PATIENCE, PERFTEST_PORT, PERFTEST_SEND_LAT_PORT, PERFTEST_SENDS_PORT, PING_PONG_PORT, TEST_BYTES,
};
pub use peers::PerftestSettings;
