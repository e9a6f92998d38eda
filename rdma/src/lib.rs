//! RoCEv2, and ODRP's contract on it, without hardware.
//!
//! | module | what it holds |
//! |---|---|
//! | [`codec`] | bytes on the wire: headers, ICRC, connection manager, scatter profiles; needs no standard library |
//! | [`responder`] | the side that owns the memory, as a state machine: the golden model of the port |
//! | [`requester`] | the side that asks, as a state machine |
//! | [`node`] | a memory node's side: segments of 4,096-byte frames, ODRP's chains, native access to the same pages |
//! | [`client`] | the clients of both kinds: native verbs, and ODRP's chains |
//! | [`cm`] | how connections are made: what is asked of a board, and what it grants |
//! | [`udp`] | both on an ordinary UDP socket, without root and without a network card that knows RDMA |
//!
//! The state machines read no clock, open no socket and start no thread: time, packets and memory are passed in.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
pub mod client;
#[cfg(feature = "std")]
pub mod cm;
pub mod codec;
#[cfg(feature = "std")]
pub mod memory;
#[cfg(feature = "std")]
pub mod node;
#[cfg(feature = "std")]
mod planted;
#[cfg(feature = "std")]
pub mod requester;
#[cfg(feature = "std")]
pub mod responder;
#[cfg(feature = "std")]
pub mod udp;

#[cfg(feature = "planted-faults")]
pub use planted::PlantedFault;
