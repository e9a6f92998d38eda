//! What clients saw of each word, and whether that can have been: every history must be linearizable (Herlihy and Wing, 1990).
//!
//! An operation takes effect at one moment between its call and its end. One whose client was told that it may have taken effect did
//! so at most once, and not later than the window allows; one whose client was told that it has not, never did and is not here.
use std::collections::{BTreeMap, HashSet};

use super::Time;

/// A word of a process's memory, of the allocation in which it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// Number of the allocation: a word that is freed and allocated again is another one.
    pub allocation: u64,
    /// Number of the word within it.
    pub index: u64,
}

/// What an operation does to a word, with what it answered; nothing where the answer never came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Read this.
    Read(u64),
    /// Wrote this.
    Write(u64),
    /// Added, and answered the old word.
    Add(u64, Option<u64>),
    /// Exchanged the first for the second if it was there, and answered the old word.
    Exchange(u64, u64, Option<u64>),
    /// Swapped this in, and answered the old word.
    Swap(u64, Option<u64>),
}

impl Act {
    /// The word afterwards, if the act fits the word before.
    fn apply(self, word: u64) -> Option<u64> {
        let fits = |seen: Option<u64>| seen.is_none_or(|seen| seen == word);
        match self {
            Act::Read(seen) => (seen == word).then_some(word),
            Act::Write(new) => Some(new),
            Act::Add(addend, old) => fits(old).then_some(word.wrapping_add(addend)),
            Act::Exchange(expected, new, old) => {
                fits(old).then_some(if word == expected { new } else { word })
            }
            Act::Swap(new, old) => fits(old).then_some(new),
        }
    }
}

/// An operation on a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// What it did.
    pub act: Act,
    /// When it was called.
    pub start: Time,
    /// When it ended, or after when it cannot take effect any more.
    pub end: Time,
    /// Whether it took effect is not known.
    pub optional: bool,
    /// Who called.
    pub client: usize,
}

/// A history that cannot have been.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "word {} of allocation {}: no order of the operations explains what they saw; before the last one ended it held one of {:x?}:\n{}",
    .word.index, .word.allocation, .from, lines(.operations)
)]
pub struct Impossible {
    /// The word.
    pub word: Word,
    /// What the word may have held before the end of the operation that does not fit.
    pub from: Vec<u64>,
    /// The latest operations before it, and those at the same time; it is one of the last.
    pub operations: Vec<Operation>,
}

fn lines(operations: &[Operation]) -> String {
    let line = |o: &Operation| {
        let doubt = if o.optional { ", perhaps" } else { "" };
        format!("  {:>12} to {:>12} ns, client {}: {:x?}{doubt}", o.start, o.end, o.client, o.act)
    };
    operations.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Operations on one word under way at once that can be told apart; histories with more are refused.
const MOST: usize = 64;

/// All histories.
#[derive(Debug, Default)]
pub struct Histories {
    words: BTreeMap<Word, Vec<Operation>>,
}

impl Histories {
    /// Notes an operation that has ended.
    pub fn note(&mut self, word: Word, operation: Operation) {
        self.words.entry(word).or_default().push(operation);
    }
    /// How many operations were noted.
    pub fn len(&self) -> usize {
        self.words.values().map(Vec::len).sum()
    }
    /// Checks every word, which held 0 when it was allocated.
    pub fn check(&self) -> Result<(), Impossible> {
        self.words.iter().try_for_each(|(word, operations)| check(*word, operations))
    }
}

/// What may be: the word, and which operations under way (by their places) have taken effect already.
type Possible = HashSet<(u64, u64)>;

/// Operations under way, each in a place of its own.
#[derive(Default)]
struct UnderWay<'a>(Vec<Option<&'a Operation>>);

impl<'a> UnderWay<'a> {
    /// Nothing when there are too many at once.
    fn begin(&mut self, operation: &'a Operation) -> Option<usize> {
        let free = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        if free == self.0.len() {
            self.0.push(None);
        }
        self.0[free] = Some(operation);
        (free < MOST).then_some(free)
    }
    /// Everything that `possible` can become when operations under way take effect, in any order.
    fn reach(&self, possible: &Possible) -> Possible {
        let mut open: Vec<_> = possible.iter().copied().collect();
        let mut found = possible.clone();
        while let Some((word, done)) = open.pop() {
            let waiting = self.0.iter().enumerate().filter(|(at, _)| done & 1 << at == 0);
            for (at, operation) in waiting {
                let after = operation.and_then(|operation| operation.act.apply(word));
                let after = after.map(|after| (after, done | 1 << at));
                open.extend(after.filter(|after| found.insert(*after)));
            }
        }
        found
    }
    /// What may be once the operation in this place has ended.
    fn end(&mut self, place: usize, possible: &Possible) -> Possible {
        let bit = 1 << place;
        let optional = self.0[place].is_some_and(|operation| operation.optional);
        let reached = self.reach(possible);
        self.0[place] = None;
        let ended = reached.into_iter().filter(|(_, done)| optional || done & bit != 0);
        ended.map(|(word, done)| (word, done & !bit)).collect()
    }
}

/// Follows the calls and ends in their order, with all that may be in between (Lowe, "Testing for linearizability", 2017).
fn check(word: Word, operations: &[Operation]) -> Result<(), Impossible> {
    let calls = operations.iter().enumerate().map(|(number, o)| (o.start, false, number));
    let ends = operations.iter().enumerate().map(|(number, o)| (o.end, true, number));
    let mut moments: Vec<_> = calls.chain(ends).collect();
    // Of a call and an end at the same time the call comes first: nothing tells which was earlier.
    moments.sort_unstable();
    let (mut under_way, mut places) = (UnderWay::default(), vec![0; operations.len()]);
    let mut possible = Possible::from([(0, 0)]);
    for (at, ends, number) in moments {
        if !ends {
            let place = under_way.begin(&operations[number]);
            places[number] = place.ok_or_else(|| around(word, at, &possible, operations))?;
            continue;
        }
        let after = under_way.end(places[number], &possible);
        if after.is_empty() {
            return Err(around(word, operations[number].start, &possible, operations));
        }
        possible = after;
    }
    Ok(())
}

/// The operations that ended shortly before this moment, and those that were under way since.
fn around(word: Word, at: Time, possible: &Possible, operations: &[Operation]) -> Impossible {
    let mut shown: Vec<_> = operations.iter().filter(|operation| operation.start <= at).copied().collect();
    shown.sort_by_key(|operation| operation.start);
    let (earlier, overlapping): (Vec<_>, Vec<_>) =
        shown.into_iter().partition(|operation| operation.end < at);
    let mut from: Vec<u64> = possible.iter().map(|(word, _)| *word).collect();
    from.sort_unstable();
    from.dedup();
    let before = earlier.len().saturating_sub(6);
    Impossible { word, from, operations: [&earlier[before..], &overlapping[..]].concat() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(start: Time, end: Time, act: Act) -> Operation {
        Operation { act, start, end, optional: false, client: 0 }
    }
    fn perhaps(start: Time, end: Time, act: Act) -> Operation {
        Operation { optional: true, ..op(start, end, act) }
    }
    fn possible(operations: &[Operation]) -> bool {
        let mut histories = Histories::default();
        operations.iter().for_each(|o| histories.note(Word { allocation: 1, index: 0 }, *o));
        histories.check().is_ok()
    }

    #[test]
    fn what_follows_sees_what_came_before() {
        assert!(possible(&[op(0, 1, Act::Read(0)), op(2, 3, Act::Write(7)), op(4, 5, Act::Read(7))]));
        assert!(!possible(&[op(2, 3, Act::Write(7)), op(4, 5, Act::Read(0))]), "lost");
        assert!(!possible(&[op(0, 1, Act::Read(9))]), "not zeroed, or another's");
        assert!(
            !possible(&[op(0, 1, Act::Write(1)), op(2, 3, Act::Write(2)), op(4, 5, Act::Read(1))]),
            "stale"
        );
    }

    #[test]
    fn what_overlaps_may_come_in_any_order_but_in_one() {
        let both = [op(0, 9, Act::Write(1)), op(0, 9, Act::Write(2))];
        for last in [1, 2] {
            assert!(possible(&[&both[..], &[op(10, 11, Act::Read(last))]].concat()));
        }
        assert!(!possible(&[&both[..], &[op(10, 11, Act::Read(1)), op(12, 13, Act::Read(2))]].concat()));
        assert!(
            !possible(&[op(0, 9, Act::Add(1, Some(0))), op(0, 9, Act::Add(1, Some(0)))]),
            "one after the other"
        );
    }

    #[test]
    fn what_may_have_happened_happened_once_or_never() {
        let add = perhaps(0, 5, Act::Add(1, None));
        for (seen, fits) in [(0, true), (1, true), (2, false)] {
            assert_eq!(possible(&[add, op(10, 11, Act::Read(seen))]), fits, "{seen}");
        }
        assert!(!possible(&[add, op(6, 7, Act::Read(0)), op(8, 9, Act::Read(1))]), "after its time");
        assert!(possible(&[
            perhaps(0, 20, Act::Add(1, None)),
            op(6, 7, Act::Read(0)),
            op(8, 9, Act::Read(1))
        ]));
        assert!(!possible(&[op(0, 1, Act::Exchange(0, 5, Some(0))), op(2, 3, Act::Swap(6, Some(0)))]));
    }
}
