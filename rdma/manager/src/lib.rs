//! Connections to a board's RoCEv2 port: who may have one, for how long, and what is counted.
//!
//! An example. A client's REQ comes to queue pair 1, which is software's: a board of hardware hands it to its slow path. [`Manager`]
//! asks the slow path whether the token is the process's, makes a queue pair and a region by the port's registers, and answers REP.
//! What the client then sends never comes to software.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Books`] | connections, and the shares of processes and addresses: of hardware's and of software's ports |
//! | [`Manager`] | the connection manager of a port in hardware, over [`mneme_slowpath::FastPath`] |
//! | [`FrameAudit`] | whether every frame of 4 KB of a board of hardware is in one place |
//! | [`Counts`], [`statistics_names`] | what a port tells of itself, in an order that clients know |
//!
//! Nothing here reads a clock, opens a socket or starts a thread.
#![forbid(unsafe_code)]

mod audit;
mod books;
mod chains;
mod counts;
mod manager;
mod mtu;
mod pairs;
mod places;
mod statistics;

pub use audit::{Audited, FrameAudit, FrameAuditError};
pub use books::{Books, GRACE, Lent, Looked, PER_PEER, PER_PROCESS, Room, Rules, SILENT, Session};
pub use counts::{Counts, FrameCounts, PERFTEST, counted, statistics_names};
pub use manager::{Local, Manager};
pub use pairs::PairAsk;
pub use statistics::{STATISTICS, StatisticsMemory};

/// [`Rules::cap`] of so many bytes a second; 0: no cap.
///
/// # Errors
/// In words for whoever asked, where no board can have it.
pub fn cap(bytes_a_second: u64) -> Result<u32, String> {
    match bytes_a_second {
        0 => Ok(0),
        bytes => mneme_rdma::responder::Rate::cap_of(bytes).ok_or_else(|| {
            format!(
                "a connection's cap is 15625000 to 15999999999 bytes a second, or 0 for none, not {bytes}"
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::cap;

    #[test]
    fn a_cap_that_no_board_has_is_refused_in_words() {
        assert_eq!(
            [0, 15_625_000, 100 << 20, 15_999_999_999].map(cap),
            [Ok(0), Ok(128), Ok(858), Ok(131_071)]
        );
        for bytes in [1, 15_624_999, 16_000_000_000, u64::MAX] {
            let refused = cap(bytes).expect_err("no board has it");
            assert!(refused.contains("15625000") && refused.contains(&bytes.to_string()), "{refused}");
        }
    }
}
