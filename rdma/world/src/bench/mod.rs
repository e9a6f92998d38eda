//! The figures of the RDMA port that can be had without hardware: accesses and packets of each operation, and rates in virtual time.
//!
//! `costs` says what a step takes, and from where the number is. `board` counts accesses to memory, `port` runs state machines of both
//! sides between lines, an engine and a memory, `peer` is a client of each kind. `operations` has one operation at a time, `rates` many,
//! `programs` and `trace` what programs swap, `beside` a quiet tenant beside a busy one. `goals` compares with the design's goals.
mod arrived;
mod beside;
mod board;
mod costs;
mod goals;
mod operations;
mod peer;
mod port;
mod programs;
mod rates;
mod trace;

pub use goals::{BenchOptions, Row, bench};
