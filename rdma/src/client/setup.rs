//! What the connection manager agrees on for a client of chains.
use crate::codec::profile::Profile;
use crate::codec::{PathMtu, Psn};
use crate::node::ReplyOptions;
use crate::requester::NotReadyRetries;
#[cfg(doc)]
use crate::requester::RequesterConfig;

/// One function's queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionSetup {
    /// The layout of its messages, and which function it is.
    pub profile: Profile,
    /// This side's number.
    pub qpn: u32,
    /// The node's number.
    pub node_qpn: u32,
    /// The number of the first packet to the node.
    pub to_node: Psn,
    /// The number of the first packet from the node.
    pub from_node: Psn,
}

/// What the connection manager has agreed on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainSetup {
    /// The node's address.
    pub node: [u8; 4],
    /// The queue pairs of load, mapped store, unmapped store and invalidate, in this order.
    pub functions: [FunctionSetup; 4],
    /// The address that stands for the table's first entry.
    pub tt_base: u64,
    /// Pages.
    pub entries: u32,
    /// The secret of messages whose profile has one.
    pub key: u64,
    /// How the node answers.
    pub options: ReplyOptions,
    /// Bytes of payload of a packet.
    pub path_mtu: PathMtu,
    /// Nanoseconds after which a SEND without acknowledge is sent again.
    pub timeout: u64,
    /// As [`RequesterConfig::patient`].
    pub patient: bool,
    /// How often in a row a SEND is repeated to a node that is not ready.
    pub not_ready_retries: NotReadyRetries,
    /// Nanoseconds without anything of an answer, behind its SEND's acknowledge, until its function is given up; `None`: for ever.
    pub answer_timeout: Option<u64>,
    /// Requests at a time; each has a buffer of a page and a signal.
    pub slots: usize,
    /// The address that the node is told for the first buffer, a multiple of 8.
    pub buffers: u64,
    /// Random: the low 22 bits become the key of the buffers, and magics come from it.
    pub random: u64,
}
