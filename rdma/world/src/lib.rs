//! Requesters and a responder in one process and in virtual time, from one seed.
//!
//! `network` loses, doubles, delays and damages whole frames, up to 10% each. `program` is what clients do, and what must come
//! of it. `events` says what comes when. `memory` writes down every access. `server` and `run` join them and compare: every operation takes effect exactly
//! once and in order, every byte is the one that must be there, and once the network is left alone everything ends. `chains` does
//! the same for ODRP's clients and a node, beside a model of the paper's node. `bench` is a model of time: what a port of hardware would
//! take, by figures of its parts.
//!
//! ```
//! use mneme_rdma_world::{Plan, run};
//!
//! let report = run(&Plan::of(1))?;
//! assert!(report.operations > 0);
//! # Ok::<(), mneme_rdma_world::Failure>(())
//! ```
mod bench;
mod chain_packets;
mod chains;
mod client;
mod events;
mod failure;
mod fields;
mod leaf;
mod memory;
mod messages;
mod network;
mod program;
mod rates;
mod replies;
mod run;
mod server;
mod tables;
mod vectors;

pub use bench::{BenchOptions, Row, bench};
pub use chain_packets::{CHAIN_PACKET_PROGRAMS, chain_packet_vectors, draw_profile};
pub use chains::{ChainPlan, ChainReport, run_chains, run_chains_planted};
pub use failure::Failure;
pub use fields::{FIELD_MESSAGES, field_vectors};
pub use leaf::{LEAF_PROGRAMS, leaf_vectors};
pub use messages::{MESSAGE_PROGRAMS, message_vectors};
pub use network::{Happened, Network, Rates};
pub use rates::{RATE_PROGRAMS, rate_vectors};
pub use replies::{REPLY_PROGRAMS, reply_vectors};
pub use run::{Plan, Plant, Plants, Report, run, run_planted};
pub use vectors::{PAGE_BITS, PROGRAMS, vectors};

/// Nanoseconds of virtual time.
pub type Time = u64;
