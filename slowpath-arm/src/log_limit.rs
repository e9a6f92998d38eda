//! Lines of the log that clients can cause: one a second at most, with the number of those left out.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Nanoseconds of board time between two lines.
const PAUSE_NS: u64 = 1_000_000_000;

/// A limit for all lines that share it: those left out may have been of another kind. Times are board time in nanoseconds.
#[derive(Debug, Default)]
pub(crate) struct LogLimit {
    next: AtomicU64,
    left_out: AtomicU64,
}

impl LogLimit {
    /// Whether a line may be written now; tells how many were left out since the last one.
    pub(crate) fn line(&self, now_ns: u64) -> Option<u64> {
        let next = self.next.load(Relaxed);
        let first = now_ns >= next
            && self.next.compare_exchange(next, now_ns.saturating_add(PAUSE_NS), Relaxed, Relaxed).is_ok();
        if !first {
            self.left_out.fetch_add(1, Relaxed);
            return None;
        }
        Some(self.left_out.swap(0, Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_a_second_and_the_rest_is_counted() {
        let limit = LogLimit::default();
        assert_eq!(limit.line(5), Some(0));
        for now in 6..1000 {
            assert_eq!(limit.line(now), None);
        }
        assert_eq!(limit.line(PAUSE_NS + 5), Some(994));
        assert_eq!(limit.line(3 * PAUSE_NS), Some(0));
    }
}
