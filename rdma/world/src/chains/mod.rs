//! ODRP's clients and a node in virtual time, beside the paper's node: whatever the network does, tables, queue and clients' memory
//! are equal when everything is quiet.
//!
//! Each message that the node executes is given to the paper's node at that moment. What the paper's node cannot do (an empty
//! queue) our node does not execute.
mod client;
mod paper;
mod run;

pub use run::{ChainPlan, ChainReport, run_chains, run_chains_planted};
