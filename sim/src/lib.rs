//! Boards without hardware: the golden model, the Verilated RTL, the node that joins a board with its slow path, and the
//! daemon around it.
pub mod port;

pub use port::{EgressFrame, NetworkPort, PortBusy, TraceEvent};
