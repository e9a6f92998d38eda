//! Boards without hardware: the golden model, the Verilated RTL, the node that joins a board with its slow path, the daemon
//! around it, and a world of many clients and boards in virtual time.
pub mod daemon;
pub mod differential;
pub mod inprocess;
pub mod latency;
pub mod network;
pub mod node;
pub mod port;
#[cfg(feature = "rtl")]
pub mod rtl;
pub mod soft;
pub mod traffic;
pub mod world;

pub use inprocess::InProcessDriver;
pub use network::{ClientPort, Network};
pub use node::{Node, NodeError};
pub use port::{BadMemory, BuildStamp, EgressFrame, NetworkPort, PortBusy, RegisterPort, TraceEvent};
#[cfg(feature = "rtl")]
pub use rtl::{LoadedBoard, LoadedBoardError, RtlConfig, RtlError, RtlFast, RtlOptions};
pub use soft::{BoardShape, SoftFast};
pub use traffic::{Traffic, TrafficResult};
