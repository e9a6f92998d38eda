//! What is tried, part by part. Each part makes its own connections and ends them.
mod atomics;
mod connections;
mod long;
mod programs;
mod refusals;
mod sizes;

use anyhow::Result;

use crate::lab::Lab;

/// A part: its name, what it shows, and what does it.
pub struct Part {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(&mut Lab) -> Result<()>,
}

/// All parts, in their order.
pub const PARTS: &[Part] = &[
    Part { name: "connect", about: "REQ, REP, RTU, REJ, DREQ of rdma_cm", run: connections::run },
    Part { name: "sizes", about: "READ and WRITE round packets and pages", run: sizes::run },
    Part { name: "atomics", about: "CmpSwap and FetchAdd, beside the library's", run: atomics::run },
    Part { name: "refused", about: "statuses of what may not be done", run: refusals::run },
    Part { name: "programs", about: "two connections at once, against a model", run: programs::run },
    Part { name: "wrap", about: "packet numbers past 24 bits", run: long::wrap },
    Part { name: "load", about: "WRITEs of 1 MB in flight", run: long::load },
    Part { name: "doubled", about: "the same, of 100 packets 2 come twice", run: programs::run_with_doubles },
    Part { name: "lost", about: "the same, of 100 packets 2 are lost", run: programs::run_with_loss },
    Part { name: "delayed", about: "the same, of 100 packets 2 come late", run: programs::run_with_delays },
];
