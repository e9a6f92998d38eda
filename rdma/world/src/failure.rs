//! What can go wrong in a run.
use mneme_rdma::client::Unstored;
use mneme_rdma::node::AuditError;
use mneme_rdma::requester::Failure as Refusal;

use crate::Time;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The world could not be set up.
    #[error("set-up: {0}")]
    SetUp(String),
    /// A state machine gave a packet that no frame can be made of.
    #[error("a packet that is no frame: {0}")]
    Frame(String),
    /// An operation ended that was never asked for.
    #[error("client {client}: operation {id} ended, and was never asked for")]
    Unasked {
        /// The client.
        client: usize,
        /// The operation.
        id: u64,
    },
    /// Operations ended in another order.
    #[error("client {client}: operation {id} ended before {expected}")]
    Order {
        /// The client.
        client: usize,
        /// What had to end.
        expected: u64,
        /// What ended.
        id: u64,
    },
    /// An operation failed.
    #[error("client {client}, operation {id}: {failure}")]
    Operation {
        /// The client.
        client: usize,
        /// The operation.
        id: u64,
        /// Why.
        failure: Refusal,
    },
    /// Other bytes, or another word.
    #[error("client {client}, operation {id}: the answer is not what the memory must hold")]
    Answer {
        /// The client.
        client: usize,
        /// The operation.
        id: u64,
    },
    /// The owner got another message than the one that was sent.
    #[error("client {client}: the owner got a message that was not the next one sent")]
    Message {
        /// The client.
        client: usize,
    },
    /// Messages did not come.
    #[error("client {client}: {count} messages did not come")]
    Lost {
        /// The client.
        client: usize,
        /// How many.
        count: usize,
    },
    /// A client did not wait as it was told.
    #[error("client {client} sent {early} ns before the responder was to be asked again")]
    Hasty {
        /// The client.
        client: usize,
        /// Nanoseconds.
        early: Time,
    },
    /// Changes were not made once each and in order.
    #[error(
        "client {client}: change {at} of {expected} was not made once and in its turn ({made} were made)"
    )]
    Changes {
        /// The client.
        client: usize,
        /// The first that differs.
        at: usize,
        /// Changes that had to be made.
        expected: usize,
        /// Changes that were made.
        made: usize,
    },
    /// The memory differs.
    #[error("client {client}: byte {at} of its memory is another one")]
    Memory {
        /// The client.
        client: usize,
        /// The first byte that differs.
        at: usize,
    },
    /// Shared words were not added to once each.
    #[error(
        "shared word {word}: {added} additions, the word is {is}, and what was found is not each number once"
    )]
    Shared {
        /// The word.
        word: usize,
        /// Additions that had to be made.
        added: u64,
        /// The word.
        is: u64,
    },
    /// An acknowledge came before the READ responses that it had to wait for.
    #[error(
        "client {client}: {count} acknowledges overtook READ responses, though no frame was lost or late"
    )]
    Overtaken {
        /// The client.
        client: usize,
        /// How many.
        count: u64,
    },
    /// A request of a chain failed.
    #[error("client {client}, request {id}: {failure}")]
    Chain {
        /// The client.
        client: usize,
        /// The request.
        id: u64,
        /// Why.
        failure: Unstored,
    },
    /// The paper's node could not do what the node has done, or did something else.
    #[error("client {client}, chain {function}: the paper's node does something else")]
    Paper {
        /// The client.
        client: usize,
        /// The chain, 0 to 3.
        function: usize,
    },
    /// The tables differ.
    #[error("client {client}: the entry of page {page} is another one than the paper's node has")]
    Table {
        /// The client.
        client: usize,
        /// The page.
        page: usize,
    },
    /// The queues of free pages differ, or a frame waits for an access that is over.
    #[error("the queue of free pages is another one than the paper's node has")]
    Queue,
    /// A frame is in two places or in none.
    #[error("audit: {0}")]
    Audit(AuditError),
    /// Not everything ended.
    #[error("client {client}: {pending} operations had not ended when the network had long been sound")]
    Stalled {
        /// The client.
        client: usize,
        /// Its operations.
        pending: usize,
    },
}
