//! Counts the lines that a board would write to its log, as `mneme board` does unless told otherwise: warnings and errors.
use std::sync::atomic::{AtomicU64, Ordering};

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

static LINES: AtomicU64 = AtomicU64::new(0);

/// Crates that a board is made of.
const BOARD: [&str; 4] = ["mneme_daemon", "mneme_model", "mneme_rtl", "mneme_slowpath"];

struct Counting;

impl Subscriber for Counting {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let of_a_board = BOARD.iter().any(|name| metadata.target().starts_with(name));
        metadata.is_event() && of_a_board && *metadata.level() <= Level::WARN
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {
        LINES.fetch_add(1, Ordering::Relaxed);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Counts from now on.
pub fn count() {
    // Nobody else of this program sets one.
    tracing::subscriber::set_global_default(Counting).expect("the first subscriber");
}

/// Lines so far.
pub fn lines() -> u64 {
    LINES.load(Ordering::Relaxed)
}
