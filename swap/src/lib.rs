//! A block device whose blocks lie on a memory node, for swap above all (design of the RDMA port, §7; ODRP §4).
//!
//! | module | what it does |
//! |---|---|
//! | [`back`] | reads and writes of a board's memory, each ended with a result; memory by the chunk |
//! | [`device`] | which block lies where, which ones memory has, which ones wait in RAM since their write failed |
//! | [`nbd`] | the protocol of network block devices, without I/O |
//! | [`queue`] | one connection: a thread, its buffers, its lane to the board |
//! | [`server`] | the socket, handshakes, the start and the end |
//! | [`client`] | a small NBD client, for tests and `bench` |
//! | [`stats`] | what is counted |
//!
//! A front (NBD today) turns requests into units of up to [`UNIT`] bytes; the device says of each whether it is answered from RAM or
//! goes to the board; a queue keeps at most so many of them under way as it has buffers. All buffers are made at the start: a request
//! allocates nothing between its first byte and the last one of its reply.
pub mod back;
pub mod client;
pub mod device;
pub mod nbd;
pub mod queue;
pub mod server;
pub mod stats;

/// Bytes of a block: the kernel swaps pages of this size, and requests must be multiples of it.
pub const BLOCK: u64 = 4096;
/// Bytes of the longest operation on the board, and of a buffer.
pub const UNIT: u64 = 65_536;
/// Bytes of the longest read or write. The kernel's own bound for NBD devices is 1,280 KiB up to version 6.12.
pub const REQUEST_MAX: u64 = 4 << 20;
