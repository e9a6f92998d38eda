//! Calls that are made before earlier ones have ended: what they did must be what the order of the calls says, page by
//! page (docs/guides/ordering.md), whatever the network does to their packets; and behind a release or a fence all have ended.
use std::rc::Rc;

use mneme_clib::{Effect, Error, OldWord, Pending, Polled, Process, ReadOwned, Written};
use rand::Rng;

use super::history::Act;
use super::ledger::{End, Ticket};
use super::tenants::{Failed, Region, WORDS, Worker, failed};

/// Most calls that a program makes at once, and how often it does.
const MOST_CALLS: usize = 8;
const MOST_PARTS: usize = 3;
/// Most words of one call.
const MOST_WORDS: u64 = 3;
/// Calls at once on memory that others use too: few, since the checker of histories follows all orders in which they
/// can have happened.
const MOST_SHARED: u64 = 3;

/// What is known of a region's words while nobody else uses it.
pub type Known = [Option<u64>; WORDS as usize];

/// What a call does to the words from some place on.
#[derive(Debug, Clone)]
pub(super) enum Step {
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
    /// What it does to what is known of its words.
    fn leaves(&self, seen: &[u64], number: usize) -> u64 {
        match self {
            Step::Read(_) => seen[number],
            Step::Write(values) => values[number],
            Step::Add(addend) => seen[0].wrapping_add(*addend),
            Step::Swap(new) => *new,
        }
    }
    /// As a synchronous call: what it saw.
    fn call(&self, process: &Process, va: u64) -> Result<Vec<u64>, Error> {
        match self {
            Step::Read(count) => {
                let mut into = vec![0; 8 * *count as usize];
                process.rread(va, &mut into).map(|()| words(&into))
            }
            Step::Write(values) => process.rwrite(va, &bytes(values)).map(|()| Vec::new()),
            Step::Add(addend) => process.fetch_add(va, *addend).map(|old| vec![old]),
            Step::Swap(new) => process.swap(va, *new).map(|old| vec![old]),
        }
    }
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

/// A call under way.
pub(super) enum Call {
    Read(Pending<ReadOwned>),
    Write(Pending<Written>),
    Word(Pending<OldWord>),
    /// It has ended.
    Over(Result<Vec<u64>, Error>),
}

impl Call {
    pub(super) fn begin(process: &Process, va: u64, step: &Step) -> Call {
        match step {
            Step::Read(count) => Call::Read(process.rread_owned_async(va, vec![0; 8 * *count as usize])),
            Step::Write(values) => Call::Write(process.rwrite_async(va, &bytes(values))),
            Step::Add(addend) => Call::Word(process.fetch_add_async(va, *addend)),
            Step::Swap(new) => Call::Word(process.swap_async(va, *new)),
        }
    }
    /// The words that it saw: none if it writes.
    pub(super) async fn end(self) -> Result<Vec<u64>, Error> {
        match self {
            Call::Read(call) => Ok(words(&call.await?)),
            Call::Write(call) => call.await.map(|()| Vec::new()),
            Call::Word(call) => call.await.map(|old| vec![old]),
            Call::Over(result) => result,
        }
    }
    /// Looks once whether it has ended.
    pub(super) fn look(self) -> Call {
        match self {
            Call::Read(call) => match call.rpoll() {
                Polled::Ready(result) => Call::Over(result.map(|bytes| words(&bytes)).map_err(Error::from)),
                Polled::Pending(call) => Call::Read(call),
            },
            Call::Write(call) => match call.rpoll() {
                Polled::Ready(result) => Call::Over(result.map(|()| Vec::new())),
                Polled::Pending(call) => Call::Write(call),
            },
            Call::Word(call) => match call.rpoll() {
                Polled::Ready(result) => Call::Over(result.map(|old| vec![old])),
                Polled::Pending(call) => Call::Word(call),
            },
            Call::Over(result) => Call::Over(result),
        }
    }
    fn is_over(&self) -> bool {
        matches!(self, Call::Over(_))
    }
}

/// A call of a program.
pub(super) struct Made {
    pub(super) ticket: Ticket,
    pub(super) index: u64,
    pub(super) step: Step,
    pub(super) call: Call,
}

/// A call that has ended: where it began, what it was to do, what it saw or whether it can have done it.
struct Done {
    index: u64,
    step: Step,
    result: Result<Vec<u64>, Effect>,
}

impl Worker {
    /// Makes calls at once, in corks and not, with releases, fences and synchronous calls among them, and looks whether
    /// they happened in their order.
    pub(super) async fn program(&mut self, region: Region, known: &mut Known) -> Result<(), Failed> {
        let parts = if self.context.plain { 1 } else { self.random.random_range(1..=MOST_PARTS) };
        let process = Rc::clone(&self.process);
        let mut made = Vec::new();
        for part in 1..=parts {
            let count = self.random.random_range(2..=MOST_CALLS);
            let steps: Vec<(u64, Step)> = (0..count).map(|_| self.step()).collect();
            let begin = || -> Vec<Made> {
                steps.into_iter().map(|(index, step)| self.make(&process, region, index, step)).collect()
            };
            let corked = count.is_multiple_of(2);
            made.extend(if corked { self.handle.corked(begin) } else { begin() });
            if part < parts {
                self.between(&process, region, &mut made);
            }
        }
        let (all, result) = self.end_all(made).await;
        if let Err(what) = all.iter().try_for_each(|done| follow(done, known)) {
            self.disorder(what);
        }
        result
    }
    /// Makes calls at once on words that others use too, and one behind a release or a fence of them: whoever sees that
    /// one sees them.
    pub(super) async fn message(&mut self) -> Result<(), Failed> {
        let (region, process) = (self.tenant.shared, Rc::clone(&self.process));
        let count = self.random.random_range(2..=MOST_SHARED);
        let first = self.random.random_range(0..WORDS);
        let mut made = Vec::new();
        for number in 0..count {
            // On either page in turn, none twice.
            let index = (first + number * WORDS / 2 + number / 2) % WORDS;
            let step = self.step_at(1);
            made.push(self.make(&process, region, index, step));
        }
        self.barrier(&process, &mut made);
        let step = self.step_at(1);
        let last = self.make_now(&process, region, (first + WORDS - 1) % WORDS, step);
        made.push(last);
        self.end_all(made).await.1
    }
    /// What a program does between its calls.
    fn between(&mut self, process: &Process, region: Region, made: &mut Vec<Made>) {
        match self.random.random_range(0..3) {
            0 => {
                let (index, step) = self.step();
                made.push(self.make_now(process, region, index, step));
            }
            1 => self.barrier(process, made),
            _ => {}
        }
    }
    /// A release or a fence: all calls made before have ended when it returns.
    fn barrier(&mut self, process: &Process, made: &mut Vec<Made>) {
        let fence = self.random.random_bool(0.5);
        let result = if fence { process.rfence() } else { process.rrelease() };
        // A fence that fails on its way promises nothing.
        if result.is_ok() {
            self.all_ended(made, if fence { "fence" } else { "release" });
        }
    }
    /// A call promised that these have ended when it returned.
    pub(super) fn all_ended(&self, made: &mut Vec<Made>, what: &str) {
        let look = |made: Made| {
            self.context.ended(made.ticket);
            Made { call: made.call.look(), ..made }
        };
        *made = std::mem::take(made).into_iter().map(look).collect();
        if let Some(Made { index, step, .. }) = made.iter().find(|made| !made.call.is_over()) {
            self.disorder(format!(
                "{step:x?} at word {index} had not ended when a {what} behind it returned"
            ));
        }
    }
    pub(super) fn disorder(&self, what: String) {
        let what = format!("client {}: {what}", self.client);
        self.context.disorder.borrow_mut().get_or_insert(what);
    }
    /// Makes a call that does not wait.
    pub(super) fn make(&self, process: &Process, region: Region, index: u64, step: Step) -> Made {
        let ticket = self.begin_step(region, index, &step);
        let call = Call::begin(process, region.at(index), &step);
        Made { ticket, index, step, call }
    }
    /// Makes a call that returns at its end.
    fn make_now(&self, process: &Process, region: Region, index: u64, step: Step) -> Made {
        let ticket = self.begin_step(region, index, &step);
        let call = Call::Over(step.call(process, region.at(index)));
        self.context.ended(ticket);
        Made { ticket, index, step, call }
    }
    fn begin_step(&self, region: Region, index: u64, step: &Step) -> Ticket {
        let words = (index..).map(|index| region.word(index)).zip(step.acts(None)).collect();
        self.context.begin(self.client, words)
    }
    /// Waits for all calls; the worst failure of any.
    async fn end_all(&self, made: Vec<Made>) -> (Vec<Done>, Result<(), Failed>) {
        let (mut all, mut failure) = (Vec::new(), None);
        for Made { ticket, index, step, call } in made {
            let result = match self.end_one(ticket, &step, call).await {
                Ok(seen) => Ok(seen),
                Err(error) => {
                    let worse = failure.get_or_insert_with(|| failed(&error));
                    worse.restarted |= error.is_restart();
                    Err(error.effect())
                }
            };
            all.push(Done { index, step, result });
        }
        (all, failure.map_or(Ok(()), Err))
    }
    /// Waits for a call and notes what came of it.
    pub(super) async fn end_one(&self, ticket: Ticket, step: &Step, call: Call) -> Result<Vec<u64>, Error> {
        let result = call.end().await;
        match &result {
            Ok(seen) => {
                seen.iter().for_each(|value| self.look(*value));
                self.context.end(ticket, End::Done(step.acts(Some(seen))));
            }
            Err(error) => {
                let end = if error.effect() == Effect::None { End::None } else { End::Unknown };
                self.context.end(ticket, end);
            }
        }
        result
    }
    fn step(&mut self) -> (u64, Step) {
        let index = self.random.random_range(0..WORDS);
        let count = self.random.random_range(1..=MOST_WORDS.min(WORDS - index));
        (index, self.step_at(count))
    }
    /// On so many words, or on one.
    fn step_at(&mut self, count: u64) -> Step {
        match self.random.random_range(0..100) {
            0..40 => Step::Read(count),
            40..70 => Step::Write((0..count).map(|_| self.value()).collect()),
            70..90 => Step::Add(self.random.random_range(1..100)),
            _ => Step::Swap(self.value()),
        }
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
        *word = Some(step.leaves(seen, number));
    }
    Ok(())
}
