//! What is tried, part by part. Each part makes its own connections and ends them.
mod atomics;
mod chains;
mod connections;
mod long;
mod perftest;
mod ping_pong;
mod programs;
mod pyverbs;
mod refusals;
mod silence;
mod sizes;
mod swap;
mod verbs;

use anyhow::Result;

use crate::guest::Role;
use crate::lab::Lab;

/// A part: its name, what it shows, and what does it.
pub struct Part {
    pub name: &'static str,
    pub about: &'static str,
    /// The guest that it takes.
    pub role: Role,
    pub run: fn(&mut Lab) -> Result<()>,
}

const fn roce(name: &'static str, about: &'static str, run: fn(&mut Lab) -> Result<()>) -> Part {
    Part { name, about, role: Role::Roce, run }
}

const fn swap(name: &'static str, about: &'static str, run: fn(&mut Lab) -> Result<()>) -> Part {
    Part { name, about, role: Role::Swap, run }
}

/// All parts, in their order.
pub const PARTS: &[Part] = &[
    roce("connect", "REQ, REP, RTU, REJ, DREQ of rdma_cm", connections::run),
    roce("sizes", "READ and WRITE round packets and pages", sizes::run),
    roce("atomics", "CmpSwap and FetchAdd, beside the library's", atomics::run),
    roce("refused", "statuses of what may not be done", refusals::run),
    roce("programs", "two connections at once, against a model", programs::run),
    roce("silence", "an idle client that lives, and one that is gone", silence::run),
    roce("wrap", "packet numbers past 24 bits", long::wrap),
    roce("ping-pong", "ibv_rc_pingpong: SENDs both ways", ping_pong::run),
    roce("perftest", "perftest's programs: WRITE, READ, SEND, atomics", perftest::run),
    roce("verbs", "`mneme rdma --device rxe0` in the guest", verbs::run),
    roce("pyverbs", "pyverbs: READ, WRITE, atomics against a model of its own", pyverbs::run),
    roce("chains", "pyverbs: ODRP's four functions against a model of its own", chains::run),
    roce("load", "WRITEs of 1 MB in flight", long::load),
    roce("restarts", "WRITEs that the kernel begins again in their middle", long::restarts),
    roce("doubled", "as programs, of 100 packets 2 come twice", programs::run_with_doubles),
    roce("lost", "the same, of 100 packets 2 are lost", programs::run_with_loss),
    roce("delayed", "the same, of 100 packets 2 come late", programs::run_with_delays),
    swap("swap-clib", "a control group's swap through CLib", swap::by_clib),
    swap("swap-native", "the same through RDMA", swap::by_rdma),
    swap("swap-chain", "the same through ODRP's chains", swap::by_chains),
    swap("swap-lossy", "the same, of 100 packets 1 is lost", swap::lossy),
];
