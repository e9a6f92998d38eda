//! Programs of others that a board serves over RDMA, who show no token: `ibv_rc_pingpong` of rdma-core, and perftest's. Both shake hands
//! over TCP and then use queue pairs.
//!
//! An example. `ib_read_bw` says over TCP who it is, its path MTU and its keys. [`Perftest`] asks its [`TestPlace`] for memory and a queue
//! pair, answers with keys of its own, and ends the queue pair when the TCP connection ends.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Side`], [`Talk`] | what is said and answered, byte by byte, without a socket |
//! | [`PingPong`], [`Perftest`] | the services: listeners that do not block, bounded places, who has how many of them, patience |
//! | [`Services`], [`Hardware`] | both for a board whose port is hardware, over its connection manager |
//!
//! Nothing here waits: whoever serves a board looks at its callers now and then. Times are nanoseconds since any moment.
#![forbid(unsafe_code)]

mod callers;
mod hardware;
mod perftest;
mod ping_pong;
mod services;
mod side;

pub use callers::{Gids, Way};
pub use hardware::{Around, Hardware};
pub use perftest::{
    BUFFERS, BYTES, Counted, Ground, Keys, Kind, MESSAGE, MOST, NotMade, PERFTEST_PATIENCE, PERFTEST_PORT,
    PERFTEST_SEND_LAT_PORT, PERFTEST_SENDS_PORT, Perftest, Sockets, TEST_BYTES, Taken, Talk, TestGround,
    TestPair, TestPlace, Turn, Why, give_buffers,
};
pub use ping_pong::{PATH_MTU, PING_PONG_PORT, PingPong, PingPongPlace};
pub use services::{LOOK, Services};
pub use side::{Side, WORD};
