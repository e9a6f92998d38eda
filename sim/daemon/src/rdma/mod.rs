//! The RDMA port of a board: RoCEv2 on UDP port 4791 of the board's address.
//!
//! A software board's is software, too. A board of RTL has a port in its hardware: `hardware` has its connection manager
//! (`mneme_rdma_manager`) beside it, `line` carries its frames over a socket.
//!
//! `memory` is the board's pages as RDMA sees them, `door` serves connections and looks after them, `books` makes them, `audit` looks where the frames of 4 KB are, `ping_pong` sends messages back
//! for `ibv_rc_pingpong`, `perftest` is the server of perftest's programs.
mod audit;
mod books;
mod door;
mod hardware;
mod line;
mod memory;
mod perftest;
mod ping_pong;

pub use audit::{BoardAuditError, audit, audit_hardware};
pub use door::{RdmaPort, RdmaSettings};
pub use hardware::{HardwareError, HardwarePort};
pub use line::LinePort;
pub use mneme_rdma_manager::{GRACE, PER_PEER, PER_PROCESS, SILENT, cap, statistics_names};
pub use perftest::{
    Lent, PERFTEST_PATIENCE, PERFTEST_PORT, PERFTEST_SENDS_PORT, PerftestSettings, TEST_BYTES, TestMemory,
    test_word,
};
pub use ping_pong::PING_PONG_PORT;
