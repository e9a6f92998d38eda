//! Who carries operations out: a requester in this program, or a device of the machine.
use super::Native;
use crate::cm::Granted;
use crate::requester::{Completion, PostError, Requester, Seen, Work};

/// A queue pair's sending side: operations go in, and end in the order in which they were posted.
pub trait Carrier {
    /// Adds an operation to the queue.
    ///
    /// # Errors
    /// The operation comes back with the reason.
    fn post(&mut self, work: Work<Vec<u8>>) -> Result<(), (PostError, Work<Vec<u8>>)>;
    /// The next operation that has ended. Does not block.
    fn poll_completion(&mut self) -> Option<Completion<Vec<u8>>>;
    /// Operations that have not ended.
    fn pending(&self) -> usize;
    /// Whether an operation has failed: then all others are flushed, and no more are taken.
    fn has_ended(&self) -> bool;
    /// Ends the queue pair: everything that has not ended is flushed.
    fn close(&mut self);
    /// Bytes that one packet carries.
    fn packet_bytes(&self) -> usize;
}

impl Carrier for Requester<Vec<u8>> {
    fn post(&mut self, work: Work<Vec<u8>>) -> Result<(), (PostError, Work<Vec<u8>>)> {
        Requester::post(self, work)
    }
    fn poll_completion(&mut self) -> Option<Completion<Vec<u8>>> {
        Requester::poll_completion(self)
    }
    fn pending(&self) -> usize {
        Requester::pending(self)
    }
    fn has_ended(&self) -> bool {
        Requester::has_ended(self)
    }
    fn close(&mut self) {
        Requester::close(self);
    }
    fn packet_bytes(&self) -> usize {
        Requester::packet_bytes(self)
    }
}

/// Why a connection's way fails: the system's reason.
pub type CarrierError = Box<dyn std::error::Error + Send + Sync>;

/// A connection to one region of a board, whoever carries its operations. It ends when it is dropped.
pub trait NativeConnection {
    /// The operations.
    fn native(&mut self) -> &mut Native<dyn Carrier>;
    /// What the board has granted.
    fn granted(&self) -> Granted;
    /// Which way it goes, in a few words.
    fn way(&self) -> String;
    /// What its requester has seen; `None`: a device repeats packets by itself, and tells nobody.
    fn seen(&self) -> Option<Seen>;
    /// Waits until the next operation has ended. Blocks as long as it is tried.
    ///
    /// # Errors
    /// The system's. `None`: none was begun.
    fn wait(&mut self) -> Result<Option<Completion<Vec<u8>>>, CarrierError>;
}
