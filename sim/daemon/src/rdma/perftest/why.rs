/// Why a client has no test, or none any more.
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
    pub const ALL: [Why; 10] = [
        Why::Full,
        Why::Memory,
        Why::Nonsense,
        Why::Address,
        Why::Second,
        Why::BothWays,
        Why::Waits,
        Why::HungUp,
        Why::Silent,
        Why::Failed,
    ];
    /// The counter's name.
    pub const fn name(self) -> &'static str {
        match self {
            Why::Full => "tests refused for want of a place",
            Why::Memory => "tests refused for want of memory",
            Why::Nonsense => "tests refused for nonsense",
            Why::Address => "tests refused for the address of another",
            Why::Second => "tests refused for a second queue pair",
            Why::BothWays => "tests refused for both directions",
            Why::Waits => "tests given up as the client waits",
            Why::HungUp => "tests given up by the client",
            Why::Silent => "tests given up after silence",
            Why::Failed => "tests given up after an error",
        }
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
            Why::Failed => "a message of ib_send_bw has 1 MiB at most, memory 2 MiB",
        }
    }
}

/// Counters before the reasons.
pub const FIRST: usize = 2;

/// Counters' names.
pub fn counter_names() -> impl Iterator<Item = &'static str> {
    ["tests begun", "messages of tests"].into_iter().chain(Why::ALL.map(Why::name))
}

/// What is counted, in the order of [`counter_names`].
pub type Counted = [u64; FIRST + Why::ALL.len()];
