//! Boards without hardware: the golden model, the Verilated RTL, the node that joins a board with its slow path, and the
//! daemon around it.
pub mod differential;
pub mod latency;
pub mod port;
pub mod soft;

pub use port::{EgressFrame, NetworkPort, PortBusy, TraceEvent};
pub use soft::{BoardShape, SoftFast};
