//! RoCEv2 on the wire: from an Ethernet frame to the words of each header, and back. No allocation, no standard library.
//!
//! | file | what it holds |
//! |---|---|
//! | `frame` | Ethernet, IPv4 and UDP port 4791 round a packet, and the ICRC behind it |
//! | `icrc` | the invariant CRC |
//! | `packet` | a packet: base transport header, its extensions, payload, pad |
//! | `opcode`, `headers`, `syndrome`, `psn`, `path_mtu` | the parts of a packet |
//! | `cm` | management datagrams of the connection manager |
//! | `profile` | ODRP's SENDs: which bytes are which argument |
//!
//! Sources: IBTA volume 1, clauses 9.2 to 9.7 and 12.6, annexes A11 (IP addresses in the connection manager), A16 and A17
//! (RoCE, RoCEv2); RFC 768 (UDP); RFC 791 (IPv4); the ODRP paper, §4.3 and §4.4.
//!
//! ```
//! use mneme_rdma::codec::{Bth, Extensions, Opcode, Packet, Psn, Reth};
//!
//! let write = Packet {
//!     bth: Bth { dest_qp: 17, psn: Psn::from_low_bits(5), ack_request: true, ..Bth::default() },
//!     opcode: Opcode::WriteOnly,
//!     extensions: Extensions { reth: Some(Reth { va: 4096, rkey: 9, length: 6 }), ..Extensions::default() },
//!     payload: b"remote",
//! };
//! let mut bytes = [0; 64];
//! let length = write.emit(&mut bytes)?;
//! assert_eq!(length, 12 + 16 + 8, "the payload is padded to a multiple of four");
//! assert_eq!(Packet::parse(&bytes[..length])?.payload, b"remote");
//! # Ok::<(), mneme_rdma::codec::PacketError>(())
//! ```

pub mod cm;
pub mod frame;
mod headers;
pub mod icrc;
mod opcode;
mod packet;
mod path_mtu;
pub mod profile;
mod psn;
mod syndrome;

pub use frame::{FrameError, ROCE_PORT, RoceFrame};
pub use headers::{Aeth, AtomicEth, Bth, DEFAULT_PKEY, Deth, Reth};
pub use opcode::{Extension, Opcode, Operation, Payload, Position};
pub use packet::{Extensions, HEADERS_MAX, Packet, PacketError, Transport};
pub use path_mtu::PathMtu;
pub use psn::Psn;
pub use syndrome::{Credits, Nak, RnrTimer, Syndrome};
