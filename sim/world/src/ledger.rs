//! What clients asked for and what came of it, while it is going on.
use std::collections::HashMap;

use super::Time;
use super::history::{Act, Histories, Operation, Word};

/// A request of one client that has been called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Done; what each of its words did.
    Done(Vec<Act>),
    /// It has not taken effect.
    None,
    /// It may have.
    Unknown,
}

struct Open {
    client: usize,
    start: Time,
    /// It had ended by then, though nobody has looked how.
    ended: Option<Time>,
    /// Each word, with what it does if it takes effect without an answer.
    words: Vec<(Word, Act)>,
}

/// Requests under way, and the histories of those that have ended.
#[derive(Default)]
pub struct Ledger {
    open: HashMap<Ticket, Open>,
    /// Ended requests.
    pub histories: Histories,
    next: u64,
    /// Requests that were done.
    pub done: u64,
    /// Requests that failed without effect, and those of which nobody knows.
    pub failed: u64,
    /// Of which nobody knows.
    pub unknown: u64,
}

impl Ledger {
    /// A request begins.
    pub fn begin(&mut self, client: usize, start: Time, words: Vec<(Word, Act)>) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        self.open.insert(ticket, Open { client, start, ended: None, words });
        ticket
    }
    /// It has ended; how is told later.
    pub fn ended(&mut self, ticket: Ticket, now: Time) {
        if let Some(open) = self.open.get_mut(&ticket) {
            open.ended.get_or_insert(now);
        }
    }
    /// It has ended. `late`: how long one of which nobody knows may still take effect.
    pub fn end(&mut self, ticket: Ticket, now: Time, end: End, late: Time) {
        let Some(open) = self.open.remove(&ticket) else { return };
        let Open { client, start, ended, words } = open;
        let now = ended.unwrap_or(now);
        let mut note = |word: Word, act: Act, end: Time, optional: bool| {
            self.histories.note(word, Operation { act, start, end, optional, client });
        };
        match end {
            End::Done(acts) => {
                self.done += 1;
                words.iter().zip(acts).for_each(|((word, _), act)| note(*word, act, now, false));
            }
            End::None => self.failed += 1,
            End::Unknown => {
                self.unknown += 1;
                // A read that nobody saw says nothing.
                let changes = words.iter().filter(|(_, act)| !matches!(act, Act::Read(_)));
                changes.for_each(|(word, act)| note(*word, *act, now + late, true));
            }
        }
    }
    /// A client is gone: of what it had under way nobody knows.
    pub fn abandon(&mut self, client: usize, now: Time, late: Time) {
        let mut gone: Vec<Ticket> =
            self.open.iter().filter(|(_, open)| open.client == client).map(|(ticket, _)| *ticket).collect();
        gone.sort_unstable();
        gone.into_iter().for_each(|ticket| self.end(ticket, now, End::Unknown, late));
    }
}
