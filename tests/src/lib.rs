//! End-to-end tests: an application on CLib, a node behind it, the same functions for every kind of board and transport.
//!
//! [`suite`] holds the tests, generic over [`Rig`]; `tests/*.rs` instantiate them with [`suite!`](crate::suite!) over several
//! rigs: the software board and the RTL, each in process and behind the daemon's UDP socket, and the software board on an
//! Ethernet interface with every raw driver.
pub mod chain;
pub mod damage;
pub mod executor;
pub mod faulty;
pub mod figures;
pub mod frames;
pub mod goal;
pub mod meter;
pub mod native;
pub mod rig;
pub mod served;
pub mod statistics;
pub mod suite;
pub mod tapped;
pub mod yard;

pub use rig::{Config, Rig};
