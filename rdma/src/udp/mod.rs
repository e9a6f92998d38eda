//! RoCEv2 on an ordinary UDP socket: no root, no network card that knows RDMA (IBTA annex A17; design of the port, §7).
//!
//! The kernel writes IPv4 and UDP, and the ICRC covers both. It can be computed all the same: for a socket that is not
//! connected and forbids fragments, Linux writes identification 0 and DF, and everything else that counts is known. Peers
//! that write other IPv4 headers, as some cards do, cannot be checked here: their datagrams count as damaged. Congestion
//! marks are not seen either.
//!
//! `port` is the socket, `ends` a responder with requesters, `station` joins the two, `line` is what clients of a board
//! have in common, `client` the native one, `chain` ODRP's.
mod chain;
mod client;
mod ends;
mod line;
mod port;
mod station;

pub use chain::{ChainConnection, ChainOptions};
pub use client::NativeClient;
pub use ends::{Connection, Ends};
pub use line::ClientError;
pub use port::{Came, DATAGRAM_MAX, Heard, PortCounters, RocePort, UdpError};
pub use station::{Exchange, ExecuteError, MANAGEMENTS, Management, Station, emit_management, management};
