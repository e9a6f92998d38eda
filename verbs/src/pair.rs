//! The queue pair of a device as a carrier of operations.
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr::{self, NonNull};
use std::time::Duration;

use mneme_rdma::client::Carrier;
use mneme_rdma::codec::Nak;
use mneme_rdma::requester::{Completion, Failure, Operation, PostError, Work};

use crate::VerbsError;
use crate::abi::{Remote, RemoteWord, SendWr, Target, Wc, flag, opcode, status};
use crate::endpoint::{Bounds, Endpoint, readable};
use crate::memory::{Block, Pool};

/// Completions that are taken at a time.
const BATCH: usize = 32;

/// An operation that the device has.
struct Posted {
    id: u64,
    /// The bytes that the device reads or writes; none of a message without bytes.
    block: Option<Block>,
    /// What the caller gave, and gets back.
    buffer: Option<Vec<u8>>,
    brings: Brings,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Brings {
    Nothing,
    Bytes,
    Word,
}

/// A queue pair of a device. Dropped with operations under way, it ends them.
pub struct DevicePair {
    endpoint: Endpoint,
    /// Dropped by hand: not while the device may reach the memory.
    pool: ManuallyDrop<Pool>,
    bounds: Bounds,
    /// In the order in which they were posted, and end.
    posted: VecDeque<Posted>,
    done: VecDeque<Completion<Vec<u8>>>,
    ended: bool,
}

impl DevicePair {
    pub(crate) fn new(endpoint: Endpoint, bounds: Bounds) -> Result<DevicePair, VerbsError> {
        let pd = NonNull::new(endpoint.pd).ok_or(VerbsError::Unfit("it has no protection domain"))?;
        // SAFETY: the endpoint keeps the domain, and is dropped behind the pool, which has all blocks by then.
        let pool = ManuallyDrop::new(unsafe { Pool::new(endpoint.api, pd) });
        let (posted, done) = Default::default();
        Ok(DevicePair { endpoint, pool, bounds, posted, done, ended: false })
    }

    /// Why an operation is not taken, whatever the device thinks of it.
    fn refusal(&self, operation: &Operation<Vec<u8>>) -> Option<PostError> {
        let (has, most) = (length(operation), self.bounds.message);
        let held = self.posted.len() + self.done.len();
        match operation {
            _ if self.ended => Some(PostError::Ended),
            _ if has > most => Some(PostError::Long { has, most }),
            Operation::CompareSwap { va, .. } | Operation::FetchAdd { va, .. } if va % 8 != 0 => {
                Some(PostError::Alignment(*va))
            }
            _ if held >= self.bounds.operations => Some(PostError::Full(held)),
            _ => None,
        }
    }

    /// Takes what has ended. An error ends the queue pair.
    pub(crate) fn reap(&mut self) -> Result<(), VerbsError> {
        let mut batch = [Wc::default(); BATCH];
        loop {
            let count = match self.endpoint.take(&mut batch) {
                Ok(count) => count,
                Err(error) => {
                    self.close();
                    return Err(error);
                }
            };
            for done in &batch[..count] {
                self.finish(done);
            }
            if count < BATCH {
                return Ok(());
            }
        }
    }

    fn finish(&mut self, done: &Wc) {
        if self.posted.front().is_some_and(|posted| posted.id != done.wr_id) {
            // Operations of one queue pair end in order: a device of another mind is not to be believed.
            return self.close();
        }
        let Some(mut posted) = self.posted.pop_front() else { return };
        let result = outcome(done.status);
        self.ended |= result.is_err();
        let mut found = None;
        if let Some(mut block) = posted.block.take() {
            match posted.brings {
                Brings::Bytes if result.is_ok() => {
                    block.get(posted.buffer.as_deref_mut().unwrap_or_default())
                }
                Brings::Word if result.is_ok() => {
                    let mut word = [0; 8];
                    block.get(&mut word);
                    found = Some(u64::from_ne_bytes(word));
                }
                _ => {}
            }
            self.pool.give(block);
        }
        self.done.push_back(Completion { id: posted.id, result, found, buffer: posted.buffer });
    }

    /// Waits until something has ended, for `most` at most. Answers whether something has.
    pub(crate) fn wait(&mut self, most: Duration) -> Result<bool, VerbsError> {
        self.endpoint.arm()?;
        // What ended before that is not told.
        self.reap()?;
        if self.done.is_empty() {
            readable(self.endpoint.ready_fd(), most)?;
            self.endpoint.disarm();
            self.reap()?;
        }
        Ok(!self.done.is_empty())
    }
}

impl Carrier for DevicePair {
    fn post(&mut self, work: Work<Vec<u8>>) -> Result<(), (PostError, Work<Vec<u8>>)> {
        if let Some(refusal) = self.refusal(&work.operation) {
            return Err((refusal, work));
        }
        let bytes = length(&work.operation);
        let is_atomic = matches!(work.operation, Operation::CompareSwap { .. } | Operation::FetchAdd { .. });
        let room = if is_atomic { 8 } else { bytes };
        let mut block = None;
        if room > 0 {
            match self.pool.take(room) {
                Ok(taken) => block = Some(taken),
                Err(error) => return Err((PostError::Device(number(&error)), work)),
            }
        }
        if let (Some(block), Operation::Write { data, .. } | Operation::Send { data, .. }) =
            (&mut block, &work.operation)
        {
            block.put(data);
        }
        let mut piece = block.as_ref().map(|block| block.piece(room));
        let mut request = request(&work);
        if let Some(piece) = &mut piece {
            (request.sg_list, request.num_sge) = (ptr::from_mut(piece), 1);
        }
        // SAFETY: the piece is a block's, which `posted` keeps until the completion has come or the queue pair is gone.
        if let Err(error) = unsafe { self.endpoint.post(&mut request) } {
            if let Some(block) = block {
                self.pool.give(block);
            }
            return Err((PostError::Device(error), work));
        }
        let brings = match work.operation {
            Operation::Read { .. } => Brings::Bytes,
            _ if is_atomic => Brings::Word,
            _ => Brings::Nothing,
        };
        let buffer = match work.operation {
            Operation::Send { data: buffer, .. }
            | Operation::Write { data: buffer, .. }
            | Operation::Read { into: buffer, .. } => Some(buffer),
            Operation::CompareSwap { .. } | Operation::FetchAdd { .. } => None,
        };
        self.posted.push_back(Posted { id: work.id, block, buffer, brings });
        Ok(())
    }
    fn poll_completion(&mut self) -> Option<Completion<Vec<u8>>> {
        if self.done.is_empty() && !self.posted.is_empty() {
            // A device that fails has ended all that was under way.
            let _all_are_flushed = self.reap();
        }
        self.done.pop_front()
    }
    fn pending(&self) -> usize {
        self.posted.len()
    }
    fn has_ended(&self) -> bool {
        self.ended
    }
    fn packet_bytes(&self) -> usize {
        self.bounds.packet
    }
    fn close(&mut self) {
        self.ended = true;
        let quiet = self.endpoint.end();
        for posted in self.posted.drain(..) {
            // A block that the device may still reach nobody gets back: it is leaked.
            if let Some(block) = posted.block.filter(|_| quiet) {
                self.pool.give(block);
            }
            let result = Err(Failure::Flushed);
            self.done.push_back(Completion { id: posted.id, result, found: None, buffer: posted.buffer });
        }
    }
}

impl Drop for DevicePair {
    fn drop(&mut self) {
        self.close();
        if self.endpoint.end() {
            // SAFETY: it is not used any more.
            unsafe { ManuallyDrop::drop(&mut self.pool) };
        }
    }
}

impl AsFd for DevicePair {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.endpoint.ready_fd()
    }
}

impl std::fmt::Debug for DevicePair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut it = f.debug_struct("DevicePair");
        it.field("bounds", &self.bounds).field("posted", &self.posted.len()).field("ended", &self.ended);
        it.finish_non_exhaustive()
    }
}

fn length(operation: &Operation<Vec<u8>>) -> usize {
    match operation {
        Operation::Send { data, .. } | Operation::Write { data, .. } => data.len(),
        Operation::Read { into, .. } => into.len(),
        Operation::CompareSwap { .. } | Operation::FetchAdd { .. } => 0,
    }
}

/// The system's number of an error; 0 where it is not the system's.
fn number(error: &VerbsError) -> i32 {
    match error {
        VerbsError::Call { error, .. } => error.raw_os_error().unwrap_or(0),
        _ => 0,
    }
}

/// An operation as the device takes it, without its piece of memory.
fn request(work: &Work<Vec<u8>>) -> SendWr {
    let (opcode, immediate) = match &work.operation {
        Operation::Send { immediate: None, .. } => (opcode::SEND, 0),
        Operation::Send { immediate: Some(value), .. } => (opcode::SEND_IMMEDIATE, *value),
        Operation::Write { immediate: None, .. } => (opcode::WRITE, 0),
        Operation::Write { immediate: Some(value), .. } => (opcode::WRITE_IMMEDIATE, *value),
        Operation::Read { .. } => (opcode::READ, 0),
        Operation::CompareSwap { .. } => (opcode::COMPARE_SWAP, 0),
        Operation::FetchAdd { .. } => (opcode::FETCH_ADD, 0),
    };
    let target = match work.operation {
        Operation::Send { .. } => Target { atomic: RemoteWord { addr: 0, compare_add: 0, swap: 0, rkey: 0 } },
        Operation::Write { va, rkey, .. } | Operation::Read { va, rkey, .. } => {
            Target { rdma: Remote { addr: va, rkey } }
        }
        Operation::CompareSwap { va, rkey, compare, swap } => {
            Target { atomic: RemoteWord { addr: va, compare_add: compare, swap, rkey } }
        }
        Operation::FetchAdd { va, rkey, add } => {
            Target { atomic: RemoteWord { addr: va, compare_add: add, swap: 0, rkey } }
        }
    };
    let mut send_flags = flag::SIGNALED;
    send_flags |= if work.fence { flag::FENCE } else { 0 };
    send_flags |= if work.solicited { flag::SOLICITED } else { 0 };
    SendWr {
        wr_id: work.id,
        next: ptr::null_mut(),
        sg_list: ptr::null_mut(),
        num_sge: 0,
        opcode,
        send_flags,
        immediate: immediate.to_be(),
        target,
        rest: [0; 7],
    }
}

/// How an operation ended, as the library's own requester would say it.
fn outcome(number: u32) -> Result<(), Failure> {
    Err(match number {
        status::SUCCESS => return Ok(()),
        status::FLUSHED => Failure::Flushed,
        status::REMOTE_INVALID => Failure::Refused(Nak::InvalidRequest),
        status::REMOTE_ACCESS => Failure::Refused(Nak::RemoteAccess),
        status::REMOTE_OPERATION => Failure::Refused(Nak::RemoteOperation),
        status::RETRIES => Failure::NoAnswer(7),
        status::NOT_READY => Failure::NeverReady(7),
        status::LOCAL_LENGTH => Failure::BadAnswer("the device finds its length wrong"),
        status::LOCAL_PROTECTION => Failure::BadAnswer("the device finds its memory wrong"),
        status::BAD_RESPONSE => Failure::BadAnswer("the device does not understand it"),
        status::REMOTE_ABORTED => Failure::BadAnswer("the other side has ended it"),
        _ => Failure::BadAnswer("the device gives another reason"),
    })
}
