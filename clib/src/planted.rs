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
}

impl PlantedFault {
    /// Every one of them.
    pub const ALL: &'static [PlantedFault] = &[
        PlantedFault::Disorder,
        PlantedFault::FenceIgnored,
        PlantedFault::ReleaseIgnored,
        PlantedFault::LockShared,
        PlantedFault::UnlockOvertakes,
    ];
}
