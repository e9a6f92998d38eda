//! Why a slow-path request is refused: the status, cause and hint of its answer.
use mneme_wire::{Cause, Detail, Status, Va};

/// A refusal. What the hint means depends on the cause (contracts §4): with ADDRESS and SLOTS the page number that would
/// work, with CAPACITY, QUOTA_PAGES and QUOTA_SLOTS the pages that would work, with BUSY nanoseconds to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Status of the answer, never OK.
    pub status: Status,
    /// Why.
    pub cause: Cause,
    /// What would work, or when.
    pub hint: u32,
}

impl Refusal {
    /// A refusal without a hint.
    pub const fn new(status: Status, cause: Cause) -> Refusal {
        Refusal { status, cause, hint: 0 }
    }
    /// The same with a hint; one that does not fit 32 bits becomes the largest that does.
    pub fn hint(self, hint: u64) -> Refusal {
        Refusal { hint: u32::try_from(hint).unwrap_or(u32::MAX), ..self }
    }
    /// Memory failed on the way: nobody knows how far the request came.
    pub fn may_have_taken_effect(&self) -> bool {
        (self.status, self.cause) == (Status::MemoryError, Cause::Dram)
    }
    /// The `va` field of the answer.
    pub fn to_va(self) -> Va {
        Detail { cause: self.cause, hint: self.hint }.to_va()
    }
}

/// No such process, pid 0, or a class that clients cannot have.
pub const NO_PROCESS: Refusal = Refusal::new(Status::BadRequest, Cause::Pid);
/// Nobody who may ask for this, or nobody who proved it: no more is told.
pub const UNAUTHENTICATED: Refusal = Refusal::new(Status::Unauthenticated, Cause::None);
/// A field of the payload is out of range.
pub const BAD_LENGTH: Refusal = Refusal::new(Status::BadRequest, Cause::Length);
/// The address cannot be used.
pub const BAD_ADDRESS: Refusal = Refusal::new(Status::BadRequest, Cause::Address);
/// No range that an ALLOC answered begins or lies there.
pub const NOT_ALLOCATED: Refusal = Refusal::new(Status::Unmapped, Cause::Address);
/// A field or flag that is not assigned.
pub const BAD_OPTION: Refusal = Refusal::new(Status::Unsupported, Cause::Option);
