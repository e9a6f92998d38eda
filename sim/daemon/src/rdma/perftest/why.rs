//! Why clients of perftest have no test.
use mneme_rdma_manager::PERFTEST;

/// Why a client has no test, or none any more, in the order of [`PERFTEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Full,
    Memory,
    Nonsense,
    Address,
    Second,
    BothWays,
    Waits,
    HungUp,
    Silent,
    Failed,
}

impl Why {
    /// The counter's name.
    pub const fn name(self) -> &'static str {
        PERFTEST[self.place()]
    }
    /// Its place among [`Counted`].
    pub const fn place(self) -> usize {
        FIRST + self as usize
    }
    /// What whoever looks at the log can do about it.
    pub const fn advice(self) -> &'static str {
        match self {
            Why::Full => "4 tests run at a time: try again when one has ended",
            Why::Memory => {
                "the process that tests read and write has ended, or all queue pairs are taken: restart the board"
            }
            Why::Nonsense => "perftest 4.5 over TCP is served: leave -R and -z out, and take RC",
            Why::Address => {
                "the GID must be that of the address from which the client calls: take -x with the GID of RoCEv2, IPv4"
            }
            Why::Second => "a test has one queue pair: leave -q out",
            Why::BothWays => "the server only answers: leave -b out",
            Why::Waits => "the server only answers: ib_write_lat, ib_send_lat and -b have to be stopped",
            Why::HungUp => "the client says why",
            Why::Silent => "nothing came for a while",
            Why::Failed => {
                "a message of ib_send_bw has 1 MiB at most, memory 2 MiB; on a board of RTL SENDs have a port of their own"
            }
        }
    }
}

/// Counters before the reasons.
pub const FIRST: usize = 2;

// The last reason has the last name.
const _: () = assert!(Why::Failed.place() + 1 == PERFTEST.len());

/// What is counted, in the order of [`PERFTEST`].
pub type Counted = [u64; PERFTEST.len()];
