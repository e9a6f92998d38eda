//! A world in virtual time: many clients, a switch and boards, and everything that can go wrong between them, from one seed.
//!
//! `network` has boards, links and faults, `driver` joins CLib to them, `tenants` and `program` are what clients do, `run` lets things go wrong and
//! heal, `history` says whether what the clients saw can have been. `docs/simulation.md` lists what is checked.
pub mod driver;
pub mod history;
mod ledger;
pub mod network;
mod program;
mod run;
mod tenants;

pub use network::Faults;
pub use run::{Failure, Plan, Report, goodput, run, run_planted};

/// Nanoseconds of virtual time since the world began.
pub type Time = u64;
