//! How connections are made: the connection manager's messages, and what Mneme puts into their private data.
//!
//! `private` has the private data, `chain` what chains have besides, `listener` the board's side, `connector` the client's. Neither has I/O: both take and give
//! management datagrams of 256 bytes.
mod chain;
mod connector;
mod listener;
mod private;

pub use chain::{CHAIN_ASK_LEN, CHAIN_GRANT_LEN, ChainAsk, ChainGrant};
pub use connector::{ConnectConfig, ConnectError, Connected, Connector};
pub use listener::{Accepted, Asked, CONNECTIONS, Ended, Listener, ListenerCounters};
pub use private::{ASK_LEN, Ask, GRANT_LEN, Granted, Kind, MAGIC, Refusal};

use crate::codec::cm::service_of_port;

/// The TCP port whose service number clients ask for.
pub const SERVICE_PORT: u16 = 19_790;
/// The service number.
pub const SERVICE: u64 = service_of_port(SERVICE_PORT);

/// An IPv4 address as an address of RoCEv2: mapped into IPv6.
pub const fn gid(address: [u8; 4]) -> [u8; 16] {
    let [a, b, c, d] = address;
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d]
}
