//! Mneme's wire: packet header, opcodes, status codes, payload layouts, page-table entry, index function and register
//! map, each declared once. Scala, C and `docs/reference/wire.md` are generated from the tables here (`cargo xtask wire`).
#![no_std]
#![forbid(unsafe_code)]

pub mod chain;
mod declare;
pub mod device;
pub mod frame;
pub mod header;
pub mod host;
mod ids;
pub mod layout;
pub mod leaf;
pub mod opcode;
pub mod payload;
pub mod pte;
pub mod register;
pub mod roce;
pub mod trailer;

pub use chain::{ChainCommand, ChainCounter, ChainRegister, ChainResult};
pub use declare::Row;
pub use device::{DeviceRegister, PortCounter, PortRegister, Target};
pub use header::{DEFAULT_UDP_PORT, Detail, HEADER_LEN, Packet, ParseError, Request, Response, WIRE_VERSION};
pub use host::{HostKind, HostRegister};
pub use ids::{Pid, Tick, Va, WindowCheck, check_window, crc32c, filter_digest};
pub use leaf::{LeafCounter, LeafOrder, LeafRegister, LeafResult};
pub use opcode::{Cause, Opcode, Status, Trailer};
pub use payload::{NodeCounter, Rights};
pub use register::{Counter, Mark, MatAction, Register, ReplaceStatus, Stage, TagMode};
pub use roce::{RoceCommand, RoceCounter, RoceRegister, RoceResult};
