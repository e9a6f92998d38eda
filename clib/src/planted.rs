//! Planted faults: one switch each, to show that the simulated world's checkers find them. Without the cargo feature
//! `planted-faults` no client can be told to misbehave.

/// A way to misbehave.
///
/// ```
/// use mneme_clib::PlantedFault;
///
/// assert!(PlantedFault::ALL.contains(&PlantedFault::FenceIgnored));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedFault {
    /// Requests do not wait for those that they depend on.
    Disorder,
    /// A fence returns at once.
    FenceIgnored,
    /// A release returns at once.
    ReleaseIgnored,
    /// Whoever finds a lock held takes it all the same.
    LockShared,
    /// The word of a lock is written without waiting for calls on other pages.
    UnlockOvertakes,
    /// A fence goes to the process's first board alone.
    FenceOfOneBoard,
    /// A call whose outcome is unknown holds up new ones on its own board alone.
    HeldOnOneBoard,
}

impl PlantedFault {
    /// Every one of them.
    pub const ALL: &'static [PlantedFault] = &[
        PlantedFault::Disorder,
        PlantedFault::FenceIgnored,
        PlantedFault::ReleaseIgnored,
        PlantedFault::LockShared,
        PlantedFault::UnlockOvertakes,
        PlantedFault::FenceOfOneBoard,
        PlantedFault::HeldOnOneBoard,
    ];
    /// Those that show on several boards alone.
    pub const OF_SEVERAL_BOARDS: &'static [PlantedFault] =
        &[PlantedFault::FenceOfOneBoard, PlantedFault::HeldOnOneBoard];
}
