//! What a memory node is, in software: the golden model of the fast path as a board, the traits that every board is behind,
//! the node that joins a board with its slow path, and a network around the node.
//!
//! The Verilated board is the crate `mneme-rtl`; boards are served to other processes by `mneme-daemon`. None of the three
//! knows CLib: what joins it to boards in one process is in `mneme-world`.
pub mod latency;
pub mod network;
pub mod node;
pub mod port;
pub mod soft;
pub mod traffic;

pub use network::{ClientPort, Network};
pub use node::{Node, NodeError};
pub use port::{
    BadMemory, BuildStamp, EgressFrame, Mounted, NetworkPort, PortBusy, RegisterPort, TraceEvent,
};
pub use soft::{BoardShape, SoftFast};
pub use traffic::{Traffic, TrafficResult};
