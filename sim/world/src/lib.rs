//! CLib and boards in one process: a driver to one board ([`InProcessDriver`]), and a world in virtual time, with many
//! clients, a switch and boards, and everything that can go wrong between them, from one seed.
//!
//! Of the world, `network` has boards, links and faults, `driver` joins CLib to them, `tenants`, `program`, `guard` and `metadata`
//! are what clients do, `stage` has clients take turns and lets things go wrong, `run` lets them heal, `history` and
//! `holdings` say whether what the clients saw and were told can have been. `docs/explanation/simulation.md` lists what is checked.
pub mod driver;
mod guard;
mod history;
mod holdings;
mod inprocess;
mod ledger;
mod metadata;
pub mod network;
mod program;
mod run;
mod stage;
mod tenants;

pub use history::{Act, Impossible, Operation, Word};
pub use inprocess::InProcessDriver;
pub use network::Faults;
pub use run::{Failure, Plan, Plants, Report, goodput, run, run_planted};

/// Nanoseconds of virtual time since the world began.
pub type Time = u64;
