//! What happened to each page lately: printed with a mismatch, so that its cause need not be guessed.
use std::collections::VecDeque;
use std::fmt::Write;

use mneme_model::port::TraceEvent;
use mneme_model::soft::Page;
use mneme_wire::pte;

use super::mismatch::Mismatch;

/// Entries that are kept.
const KEPT: usize = 2000;
/// Entries of one page that are printed.
const PRINTED: usize = 12;

/// The latest happenings, the last at the back.
#[derive(Debug, Default)]
pub struct Journal {
    entries: VecDeque<(Page, String)>,
}

impl Journal {
    fn note(&mut self, page: Page, what: String) {
        if self.entries.len() == KEPT {
            self.entries.pop_front();
        }
        self.entries.push_back((page, what));
    }
    /// A request that was translated, with the page's entry before it.
    pub fn translated(&mut self, page: Page, event: &TraceEvent, walked: bool, entry: u64) {
        let TraceEvent { opcode, status, cause, tick_filter, resumed, .. } = event;
        self.note(page, format!(
            "opcode {opcode} at tick {tick_filter}: status {status} cause {cause}; entry {}; board {}, model {}",
            describe(entry),
            if *resumed { "walked" } else { "hit" },
            if walked { "walked" } else { "hit" },
        ));
    }
    /// A replace command, as far as it has come.
    pub fn replaced(&mut self, page: Page, what: &str, entry: u64) {
        self.note(page, format!("replace {what}; entry {}", describe(entry)));
    }
    /// A mismatch with what happened to its page.
    pub fn explain(&self, page: Page, mismatch: Mismatch) -> Mismatch {
        let mut story =
            format!("{mismatch}\n  pid {:#x}, page {:#x}, what happened last:", page.pid.get(), page.vpn);
        let of_page: Vec<_> = self.entries.iter().filter(|(of, _)| *of == page).collect();
        for (_, what) in &of_page[of_page.len().saturating_sub(PRINTED)..] {
            // Writing to a string cannot fail.
            let _ = write!(story, "\n    {what}");
        }
        Mismatch::new(story)
    }
}

/// An entry's flags in letters: valid, read, write, accessed, dirty; and its state.
fn describe(entry: u64) -> String {
    let flags =
        [(pte::VALID, 'v'), (pte::READ, 'r'), (pte::WRITE, 'w'), (pte::ACCESSED, 'a'), (pte::DIRTY, 'd')];
    if entry & pte::ALLOCATED == 0 {
        return "none".into();
    }
    let letters: String =
        flags.iter().map(|(bit, letter)| if entry & bit != 0 { *letter } else { '-' }).collect();
    format!("{letters} {}", pte::state(entry))
}
