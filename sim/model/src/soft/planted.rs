//! Planted faults: one switch each, to show that the differential test finds them. Without the cargo feature
//! `planted-faults` no board can be told to misbehave.

/// A way to misbehave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedFault {
    /// Replace leaves the TLB alone: stale translations live on.
    NoShootDown,
    /// A read answers one byte less than asked for.
    LengthOffByOne,
    /// The retry filter lets everything through.
    FilterIgnored,
    /// The retry filter takes another operation under the same id for the same one.
    DigestIgnored,
    /// Requests from before the window execute.
    WindowOff,
    /// Requests of another epoch are served.
    StaleEpochAccepted,
    /// Pages reach processes with what their last owner wrote.
    PageNotZeroed,
    /// The write right is not looked at.
    ReadOnlyWritable,
    /// A page on hold takes the write and answers BUSY all the same.
    BusyAfterExecuting,
    /// Entries with odd parity are used.
    ParityIgnored,
    /// The walker compares tags without the pid.
    PidIgnored,
    /// Reads and writes of no bytes are served.
    ZeroLengthAccepted,
    /// A wrong UDP checksum is accepted.
    UdpChecksumIgnored,
    /// An attempt below the released one executes.
    LowerAttemptExecutes,
    /// An epoch takes effect at once, also for what was taken in before.
    EpochAtOnce,
    /// A higher attempt of an operation with which memory failed executes.
    FailedExecutes,
    /// The first write of a page leaves the dirty bit clear.
    DirtyNotSet,
    /// An atomic answers the new word.
    AtomicAnswersNew,
    /// Compare-and-swap stores without comparing.
    CompareIgnored,
    /// A read that met an error of memory leaves with a good check sequence.
    ReadErrorHidden,
    /// A write that met an error of memory is answered OK.
    WriteErrorHidden,
    /// Now and then a frame's packet slot is never given back.
    SlotsLeak,
    /// The slow ring refuses while it is half full.
    SlowRingHalf,
    /// The retry filter is full when half of a set's ways are taken.
    FilterHalf,
    /// Now and then a page fault is refused though a page is free.
    PagesWithheld,
    /// The trace tells a tick of the filter from before the request.
    FilterTickEarly,
    /// The trace tells a tick after the walk from before the filter's.
    ResumeTickEarly,
    /// The match-action table, the board's addresses and *enable* take effect once the board rests.
    TablesLate,
    /// The same of WINDOW.
    WindowLate,
    /// The same of BUSY_HINT.
    HintLate,
    /// An away row keeps the old one's length.
    AwayTorn,
    /// REST says that the board rests while requests are on it.
    RestEarly,
    /// The registers of the sources' hash and of the date have changed places.
    StampSwapped,
    /// UDP_PORT reads as after reset, whatever holds.
    PortReadsDefault,
    /// A write of some bytes of a register writes all of them.
    StrobesIgnored,
    /// A word of the register block where nothing is reads as what was written there.
    HolesKeep,
    /// Numbers of rows of the match-action table count modulo eight.
    RowsWrap,
    /// What a service class is refused executes all the same.
    ClassExecutes,
    /// Now and then a service class without a bound is refused.
    ClassWithoutBound,
    /// The data of the second door's writes are taken from where it keeps its first byte.
    DoorDataAtZero,
    /// The second door's tokens execute after their window.
    DoorWindowOff,
    /// Now and then a token of the second door overtakes the one before, whatever its page.
    DoorOvertakes,
}

impl PlantedFault {
    /// Every one of them.
    pub const ALL: &'static [PlantedFault] = &[
        PlantedFault::NoShootDown,
        PlantedFault::LengthOffByOne,
        PlantedFault::FilterIgnored,
        PlantedFault::DigestIgnored,
        PlantedFault::WindowOff,
        PlantedFault::StaleEpochAccepted,
        PlantedFault::PageNotZeroed,
        PlantedFault::ReadOnlyWritable,
        PlantedFault::BusyAfterExecuting,
        PlantedFault::ParityIgnored,
        PlantedFault::PidIgnored,
        PlantedFault::ZeroLengthAccepted,
        PlantedFault::UdpChecksumIgnored,
        PlantedFault::LowerAttemptExecutes,
        PlantedFault::FailedExecutes,
        PlantedFault::EpochAtOnce,
        PlantedFault::DirtyNotSet,
        PlantedFault::AtomicAnswersNew,
        PlantedFault::CompareIgnored,
        PlantedFault::ReadErrorHidden,
        PlantedFault::WriteErrorHidden,
        PlantedFault::SlotsLeak,
        PlantedFault::SlowRingHalf,
        PlantedFault::FilterHalf,
        PlantedFault::PagesWithheld,
        PlantedFault::FilterTickEarly,
        PlantedFault::ResumeTickEarly,
        PlantedFault::TablesLate,
        PlantedFault::WindowLate,
        PlantedFault::HintLate,
        PlantedFault::AwayTorn,
        PlantedFault::RestEarly,
        PlantedFault::StampSwapped,
        PlantedFault::PortReadsDefault,
        PlantedFault::StrobesIgnored,
        PlantedFault::HolesKeep,
        PlantedFault::RowsWrap,
        PlantedFault::ClassExecutes,
        PlantedFault::ClassWithoutBound,
        PlantedFault::DoorDataAtZero,
        PlantedFault::DoorWindowOff,
        PlantedFault::DoorOvertakes,
    ];
    /// It shows on boards with a second door alone.
    pub const fn of_doors(self) -> bool {
        matches!(
            self,
            PlantedFault::DoorDataAtZero | PlantedFault::DoorWindowOff | PlantedFault::DoorOvertakes
        )
    }
    /// Of how many chances one is taken by a fault that comes now and then.
    pub(super) const fn every(self) -> u64 {
        match self {
            PlantedFault::SlotsLeak => 50,
            _ => 4,
        }
    }
}
