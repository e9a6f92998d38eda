//! Test-only: what the model can be told wrongly of chains, so that the comparison can be seen to find it.

/// Something that is not as the model has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// A byte of each page that was stored.
    PageByte,
    /// A packet of a reply that did not leave.
    ReplyLost,
    /// A byte of a reply.
    ReplyByte,
    /// Another order of two packets of replies.
    RepliesSwapped,
    /// An acknowledge that did not leave.
    AcknowledgeLost,
    /// A frame that nobody has any more.
    FrameLost,
    /// A message that was counted twice.
    Count,
}
