//! Why clients of perftest have no test.
use mneme_rdma_manager::PERFTEST;

/// Why a client has no test, or none any more, in the order of [`PERFTEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// All places are taken.
    Full,
    /// There is no memory, or no queue pair.
    Memory,
    /// perftest does not say that.
    Nonsense,
    /// The GID is not the client's.
    Address,
    /// It asks for a second queue pair.
    Second,
    /// It reports for both directions.
    BothWays,
    /// It waits for what the server does not do.
    Waits,
    /// It has hung up.
    HungUp,
    /// Nothing came for too long.
    Silent,
    /// Its queue pair is in error.
    Failed,
    /// Its address has its share.
    Share,
    /// Nobody answers ARP for its GID.
    Way,
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
                "there is no room for the process that tests read and write, or it has ended, or all queue pairs are taken"
            }
            Why::Nonsense => "perftest 4.5 over TCP is served: leave -R and -z out, and take RC",
            Why::Address => {
                "the GID must be that of the client's own RDMA port: take -x with the GID of RoCEv2, IPv4"
            }
            Why::Second => "a test has one queue pair: leave -q out",
            Why::BothWays => "the server only answers: leave -b out",
            Why::Waits => {
                "the server only answers: ib_write_lat and -b have to be stopped, and ib_send_lat has a port of its own"
            }
            Why::HungUp => "the client says why",
            Why::Silent => "nothing came for a while",
            Why::Failed => {
                "a message of ib_send_bw has 1 MiB at most, memory 2 MiB; on a board of RTL ib_send_bw has a port of its own"
            }
            Why::Share => "an address has as many places as are free: try again when one has ended",
            Why::Way => "nobody answers ARP for the client's GID: its port must be on the board's Ethernet",
        }
    }
}

/// Counters before the reasons.
const FIRST: usize = 2;

// The last reason has the last name.
const _: () = assert!(Why::Way.place() + 1 == PERFTEST.len());

/// What is counted, in the order of [`PERFTEST`].
pub type Counted = [u64; PERFTEST.len()];
