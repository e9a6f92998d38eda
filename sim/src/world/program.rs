//! Calls that are made before earlier ones have ended: what they did must be what the order of the calls says, page by page
//! (docs/ordering.md), whatever the network does to their packets.
use std::rc::Rc;

use mneme_clib::{Effect, Error, OldWord, Pending, Process, ReadOwned, Written};
use rand::Rng;

use super::history::Act;
use super::ledger::{End, Ticket};
use super::tenants::{Failed, Region, WORDS, Worker, failed};

/// Most calls under way of one program.
const MOST_CALLS: usize = 8;
/// Most words of one call.
const MOST_WORDS: u64 = 3;

/// What is known of a region's words while nobody else uses it.
pub type Known = [Option<u64>; WORDS as usize];

/// What a call does to the words from some place on.
#[derive(Debug, Clone)]
enum Step {
    Read(u64),
    Write(Vec<u64>),
    Add(u64),
    Swap(u64),
}

impl Step {
    fn words(&self) -> u64 {
        match self {
            Step::Read(count) => *count,
            Step::Write(values) => values.len() as u64,
            Step::Add(_) | Step::Swap(_) => 1,
        }
    }
    fn changes(&self) -> bool {
        !matches!(self, Step::Read(_))
    }
    /// What it does to each word, given what it saw there; before its end it has seen nothing.
    fn acts(&self, seen: Option<&[u64]>) -> Vec<Act> {
        let first = seen.and_then(<[u64]>::first).copied();
        match self {
            Step::Read(count) => match seen {
                Some(words) => words.iter().copied().map(Act::Read).collect(),
                None => vec![Act::Read(0); *count as usize],
            },
            Step::Write(values) => values.iter().copied().map(Act::Write).collect(),
            Step::Add(addend) => vec![Act::Add(*addend, first)],
            Step::Swap(new) => vec![Act::Swap(*new, first)],
        }
    }
}

/// A call under way.
enum Call<'p> {
    Read(Pending<'p, ReadOwned>),
    Write(Pending<'p, Written>),
    Word(Pending<'p, OldWord>),
}

impl<'p> Call<'p> {
    fn begin(process: &'p Process, va: u64, step: &Step) -> Call<'p> {
        match step {
            Step::Read(count) => Call::Read(process.rread_owned_async(va, vec![0; 8 * *count as usize])),
            Step::Write(values) => {
                let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                Call::Write(process.rwrite_async(va, &bytes))
            }
            Step::Add(addend) => Call::Word(process.fetch_add_async(va, *addend)),
            Step::Swap(new) => Call::Word(process.swap_async(va, *new)),
        }
    }
    /// The words that it saw: none if it writes.
    async fn end(self) -> Result<Vec<u64>, Error> {
        match self {
            Call::Read(call) => {
                let bytes = call.await?;
                Ok(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
            }
            Call::Write(call) => call.await.map(|()| Vec::new()),
            Call::Word(call) => Ok(vec![call.await?]),
        }
    }
}

/// A call that has ended: where it began, what it was to do, what it saw or whether it can have done it.
struct Done {
    index: u64,
    step: Step,
    result: Result<Vec<u64>, Effect>,
}

impl Worker {
    /// Makes some calls at once, in a cork or not, and looks whether they happened in their order.
    pub(super) async fn program(&mut self, region: Region, known: &mut Known) -> Result<(), Failed> {
        let count = self.random.random_range(2..=MOST_CALLS);
        let steps: Vec<(u64, Step)> = (0..count).map(|_| self.step()).collect();
        let process = Rc::clone(&self.process);
        let begin = || -> Vec<(Ticket, Call<'_>)> {
            let call = |(index, step): &(u64, Step)| {
                let words = (*index..).map(|index| region.word(index)).zip(step.acts(None)).collect();
                let ticket = self.context.begin(self.client, words);
                (ticket, Call::begin(&process, region.va + 8 * index, step))
            };
            steps.iter().map(call).collect()
        };
        let corked = count.is_multiple_of(2);
        let calls = if corked { self.handle.corked(begin) } else { begin() };
        let (mut all, mut failure) = (Vec::new(), None);
        for ((ticket, call), (index, step)) in calls.into_iter().zip(steps) {
            let result = match call.end().await {
                Ok(seen) => {
                    seen.iter().for_each(|value| self.look(*value));
                    self.context.end(ticket, End::Done(step.acts(Some(&seen))));
                    Ok(seen)
                }
                Err(error) => {
                    let effect = error.effect();
                    self.context.end(ticket, if effect == Effect::None { End::None } else { End::Unknown });
                    let worse = failure.get_or_insert_with(|| failed(&error));
                    worse.restarted |= error.is_restart();
                    Err(effect)
                }
            };
            all.push(Done { index, step, result });
        }
        if let Err(what) = all.iter().try_for_each(|done| follow(done, known)) {
            let client = self.client;
            self.context.disorder.borrow_mut().get_or_insert(format!("client {client}: {what}"));
        }
        failure.map_or(Ok(()), Err)
    }
    fn step(&mut self) -> (u64, Step) {
        let index = self.random.random_range(0..WORDS);
        let count = self.random.random_range(1..=MOST_WORDS.min(WORDS - index));
        let step = match self.random.random_range(0..100) {
            0..40 => Step::Read(count),
            40..70 => Step::Write((0..count).map(|_| self.value()).collect()),
            70..90 => Step::Add(self.random.random_range(1..100)),
            _ => Step::Swap(self.value()),
        };
        (index, step)
    }
}

/// Does to the known words what a call did, if that is what the order of the calls says.
fn follow(Done { index, step, result }: &Done, known: &mut Known) -> Result<(), String> {
    let words = &mut known[*index as usize..(*index + step.words()) as usize];
    let seen = match result {
        Ok(seen) => seen,
        Err(effect) => {
            // What can have happened has happened or never will by the time when the next call on the page begins.
            let unknown = step.changes() && *effect != Effect::None;
            words.iter_mut().filter(|_| unknown).for_each(|word| *word = None);
            return Ok(());
        }
    };
    for (number, (word, seen)) in words.iter().zip(seen).enumerate() {
        if let Some(left) = word.filter(|left| left != seen) {
            let at = *index + number as u64;
            return Err(format!(
                "{step:?} saw {seen:#x} in word {at}, where the calls before it left {left:#x}"
            ));
        }
    }
    for (number, word) in words.iter_mut().enumerate() {
        *word = Some(match step {
            Step::Read(_) => seen[number],
            Step::Write(values) => values[number],
            Step::Add(addend) => seen[0].wrapping_add(*addend),
            Step::Swap(new) => *new,
        });
    }
    Ok(())
}
