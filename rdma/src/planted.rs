//! Test-only: defects that a responder or a requester can be told to have, so that a check can be seen to find them.

/// A defect. Each is one that an implementation might well have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedFault {
    /// The responder executes a WRITE again that had been done.
    DuplicateWriteExecuted,
    /// The responder executes an atomic again instead of telling its result.
    DuplicateAtomicExecuted,
    /// The responder acknowledges before the READ responses that are still to come.
    AcknowledgeOvertakes,
    /// The responder takes a packet behind a gap as if nothing were missing.
    GapAccepted,
    /// The responder acknowledges what its memory was not ready for.
    NotReadyAcknowledged,
    /// The responder serves a READ that begins in the middle from its first byte.
    ReadRestartsAtFirstByte,
    /// The responder answers operands in its memory's order of bytes.
    AtomicLittleEndian,
    /// The requester takes an acknowledge for a READ whose bytes have not come.
    AcknowledgeCompletesRead,
    /// The requester goes back to the packet after the missing one.
    GoesBackTooLittle,
    /// The requester takes a READ response that it has had for the next one.
    DuplicateResponseAccepted,
    /// The requester compares sequence numbers as if they had no wrap.
    NoWrap,
    /// The requester does not wait when the responder is not ready.
    NotReadyIgnored,
    /// The requester never sends anything again.
    NeverAgain,
    /// The requester starts a fenced request before earlier READs are done.
    FenceIgnored,
    /// The node puts a freed frame into the ring while a load of it is under way, as the paper's does.
    FreedAtOnce,
    /// The node repeats a reply from the frame that the page had, as the paper's does.
    RepeatKeepsFrame,
    /// The node publishes a page before its last bytes are there.
    PublishedEarly,
    /// The node forgets the frame of a page that is stored as if it had none, as the paper's does.
    MappedFrameLost,
    /// The table of regions compares of a key the row's number alone.
    KeyByRow,
    /// The table of regions does not ask whose a region is.
    ForeignRegion,
    /// The table of regions looks at where an access begins, not at where it ends.
    RangeByStart,
    /// The table of regions lets everybody do everything.
    RightsIgnored,
    /// The responder takes packets from any address.
    AnySource,
    /// A hardened queue pair counts a packet that it drops as done.
    HardenedMovesOn,
    /// The responder serves a queue pair that has ended in an error.
    ErrorServed,
    /// The responder has places for READs and atomics without end.
    JobsUnbounded,
    /// The responder lets a process have all places for READs and atomics.
    PlacesUnshared,
    /// The responder forgets who has sent, so that the first one sends as long as it has something.
    TurnsForgotten,
    /// The responder does atomics across a word's ends.
    Unaligned,
    /// The node gives a segment more frames than its budget.
    BudgetIgnored,
    /// The node does not zero the frame of a page that is written in part.
    FrameNotZeroed,
    /// The node keeps a frame that a queue pair was filling when it ended.
    PrivateFrameKept,
    /// The node leaves a page's entry as it was when its frame is given up.
    EntryKept,
    /// The node takes the address of an entry modulo the table's length.
    TableWraps,
    /// The node asks nobody for the connection's secret.
    SecretIgnored,
    /// The node lets replies wait without end.
    RepliesUnbounded,
    /// The node goes on with the access of a load of which nothing may leave.
    AccessKept,
    /// The node gives up pages of any range that a FREE names.
    FreesAnything,
}

/// What an implementation was told to have; nothing, and no code, without the feature `planted-faults`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plants(#[cfg(feature = "planted-faults")] pub Option<PlantedFault>);

impl Plants {
    #[cfg(feature = "planted-faults")]
    pub fn has(&self, fault: PlantedFault) -> bool {
        self.0 == Some(fault)
    }
    #[cfg(not(feature = "planted-faults"))]
    pub const fn has(&self, _: PlantedFault) -> bool {
        false
    }
}
