//! Commands of the RoCEv2 port and of its chains: registers first, then the command, then looks until it has ended.

/// Looks at a command that is under way: the port ends one within some dozens of cycles unless memory keeps it from going on.
const LOOKS: usize = 10_000;

/// Why the port did not do what it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PortRefused<R: std::fmt::Debug> {
    /// It said so.
    #[error("the RoCEv2 port answered {0:?}")]
    Result(R),
    /// It has not ended a command.
    #[error("the RoCEv2 port does not end a command")]
    Silent,
}

/// How a command has ended; `look` answers `None` while it has not.
pub(crate) fn ended<R: std::fmt::Debug>(mut look: impl FnMut() -> Option<R>) -> Result<R, PortRefused<R>> {
    (0..LOOKS).find_map(|_| look()).ok_or(PortRefused::Silent)
}

/// A number as registers have it: the low word, the high word.
pub(crate) fn halves(value: u64) -> (u32, u32) {
    (value as u32, (value >> 32) as u32)
}

/// An address as registers have it: the first two bytes, and the last four.
pub(crate) fn split_mac([a, b, c, d, e, f]: [u8; 6]) -> [u32; 2] {
    [u32::from_be_bytes([0, 0, a, b]), u32::from_be_bytes([c, d, e, f])]
}
