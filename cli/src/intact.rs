//! Checks of what remote memory holds.

/// Ends with [`Fault::Data`](crate::fault::Fault) unless a condition holds.
macro_rules! intact {
    ($holds:expr, $($text:tt)+) => {
        if !$holds {
            return Err(anyhow::anyhow!($($text)+).context($crate::fault::Fault::Data));
        }
    };
}
pub(crate) use intact;
