//! Boards without hardware: the golden model, the Verilated RTL, the node that joins a board with its slow path, and the
//! daemon around it.
pub mod daemon;
pub mod differential;
pub mod latency;
pub mod network;
pub mod node;
pub mod port;
pub mod soft;

pub use network::{ClientPort, Network};
pub use node::{Node, NodeError};
pub use port::{EgressFrame, NetworkPort, PortBusy, TraceEvent};
pub use soft::{BoardShape, SoftFast};
