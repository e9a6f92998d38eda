//! What programs swap: real algorithms on real data, in a memory that notes which pages they touch, and a machine that has half of it.
use super::costs::Picos;
use super::peer::{Ask, Ended, Peer, Way, bytes};
use super::port::Program;
use crate::failure::Failure;

/// Words of a page.
pub const WORDS: usize = 512;
/// Pages that a fault fetches with its own, aligned: Linux's `page-cluster` of 3.
const CLUSTER: u32 = 8;

/// A step of swapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A program waits for a page.
    Needs(u32),
    /// A page is fetched beside one that is needed.
    Ahead(u32),
    /// A page is stored.
    Store(u32),
    /// What a page held is needed no more.
    Free(u32),
}

#[derive(Debug, Clone, Copy, Default)]
struct Page {
    here: bool,
    referenced: bool,
    dirty: bool,
    /// The other side has it.
    stored: bool,
}

/// Words of a program of which `most` pages are local: the rest is swapped, by the clock algorithm.
#[derive(Debug)]
pub struct Words {
    words: Vec<u64>,
    pages: Vec<Page>,
    here: usize,
    most: usize,
    hand: usize,
    /// The page that was touched last, and whether it was written.
    last: Option<(usize, bool)>,
    /// What was swapped, in order, and how many accesses the program had made by then.
    pub steps: Vec<(u64, Step)>,
    /// Accesses of the program.
    pub accesses: u64,
}

impl Words {
    /// Zeros, none of them local.
    pub fn new(pages: usize, most: usize) -> Words {
        Words {
            words: vec![0; pages * WORDS],
            pages: vec![Page::default(); pages],
            here: 0,
            most: most.max(CLUSTER as usize + 1),
            hand: 0,
            last: None,
            steps: Vec::new(),
            accesses: 0,
        }
    }
    /// Pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }
    /// A word.
    pub fn get(&mut self, at: usize) -> u64 {
        self.touch(at / WORDS, false);
        self.words[at]
    }
    /// Changes a word.
    pub fn set(&mut self, at: usize, word: u64) {
        self.touch(at / WORDS, true);
        self.words[at] = word;
    }
    /// Exchanges two words.
    pub fn swap(&mut self, a: usize, b: usize) {
        let (one, other) = (self.get(a), self.get(b));
        self.set(a, other);
        self.set(b, one);
    }
    /// What whole pages hold is needed no more.
    pub fn free(&mut self, pages: std::ops::Range<usize>) {
        self.last = None;
        for number in pages {
            let page = std::mem::take(&mut self.pages[number]);
            self.here -= usize::from(page.here);
            if page.stored {
                self.steps.push((self.accesses, Step::Free(number as u32)));
            }
            self.words[number * WORDS..][..WORDS].fill(0);
        }
    }

    fn touch(&mut self, number: usize, writes: bool) {
        self.accesses += 1;
        if self.last == Some((number, writes)) || self.last == Some((number, true)) {
            return;
        }
        self.last = Some((number, writes));
        if !self.pages[number].here {
            self.fetch(number);
        }
        let page = &mut self.pages[number];
        page.referenced = true;
        page.dirty |= writes;
    }

    fn fetch(&mut self, number: usize) {
        if !self.pages[number].stored {
            // A first touch: zeros, from nowhere.
            return self.place(number);
        }
        self.place(number);
        self.steps.push((self.accesses, Step::Needs(number as u32)));
        let first = number as u32 / CLUSTER * CLUSTER;
        for beside in first..(first + CLUSTER).min(self.pages.len() as u32) {
            let page = self.pages[beside as usize];
            if page.stored && !page.here {
                self.place(beside as usize);
                self.steps.push((self.accesses, Step::Ahead(beside)));
            }
        }
    }

    /// Makes room, and puts a page there.
    fn place(&mut self, number: usize) {
        while self.here >= self.most {
            self.hand = (self.hand + 1) % self.pages.len();
            let page = &mut self.pages[self.hand];
            if !page.here || std::mem::take(&mut page.referenced) {
                continue;
            }
            page.here = false;
            self.here -= 1;
            if std::mem::take(&mut page.dirty) {
                page.stored = true;
                self.steps.push((self.accesses, Step::Store(self.hand as u32)));
            }
        }
        self.pages[number].here = true;
        // It is not the next that goes.
        self.pages[number].referenced = true;
        self.here += 1;
    }
}

/// A client that replays steps: one page that is needed at a time, everything else beside.
#[derive(Debug)]
pub struct Replay<'a> {
    number: usize,
    way: Way,
    steps: &'a [(u64, Step)],
    next: usize,
    slots: usize,
    /// What an access of the program takes.
    access: Picos,
    /// The program stood here at a time: so many accesses.
    stood: (Picos, u64),
    /// The page that the program waits for.
    waits: Option<u32>,
    /// When the next step is due.
    due: Option<Picos>,
    /// Requests under way: pages from one on, how many, and what a load must bring.
    busy: Vec<(u32, u32, Option<u64>)>,
    holds: Vec<u64>,
    versions: u64,
    /// When the last request ended.
    pub took: Picos,
    /// Requests.
    pub done: u64,
}

impl<'a> Replay<'a> {
    /// Steps of a program of so many pages, each of whose accesses takes a time.
    pub fn new(
        number: usize,
        way: Way,
        (steps, access): (&'a [(u64, Step)], Picos),
        (pages, slots): (usize, usize),
    ) -> Replay<'a> {
        Replay {
            number,
            way,
            steps,
            next: 0,
            slots,
            access,
            stood: (0, 0),
            waits: None,
            due: None,
            busy: Vec::new(),
            holds: vec![0; pages],
            versions: (number as u64) << 32,
            took: 0,
            done: 0,
        }
    }

    fn is_busy(&self, page: u32) -> bool {
        self.busy.iter().any(|(first, pages, _)| (*first..first + pages).contains(&page))
    }

    /// Pages in a row that the next steps give up, from the next one on.
    fn run(&self, first: u32) -> u32 {
        let rest = self.steps[self.next..].iter().zip(first..);
        rest.take_while(|((_, step), page)| *step == Step::Free(*page) && !self.is_busy(*page)).count() as u32
    }

    /// The request of the next step.
    fn ask(&mut self, step: Step) -> (Ask, Option<u64>) {
        match step {
            Step::Needs(page) | Step::Ahead(page) => (Ask::Load(page), Some(self.holds[page as usize])),
            Step::Store(page) => {
                self.versions += 1;
                self.holds[page as usize] = self.versions;
                (Ask::Store(page, self.versions), None)
            }
            // ODRP gives up one page at a time.
            Step::Free(page) => {
                (Ask::Free(page, if self.way == Way::Native { self.run(page) } else { 1 }), None)
            }
        }
    }
}

impl Program for Replay<'_> {
    fn act(&mut self, now: Picos, peer: &mut Peer) -> Result<(), Failure> {
        self.due = None;
        while let Some(&(accesses, step)) = self.steps.get(self.next) {
            // Pages beside the one that is needed are asked for, too, before the program stands still.
            if self.waits.is_some() && !matches!(step, Step::Ahead(_)) {
                return Ok(());
            }
            let due = self.stood.0 + accesses.saturating_sub(self.stood.1) * self.access;
            if due > now {
                self.due = Some(due);
                return Ok(());
            }
            let (Step::Needs(page) | Step::Ahead(page) | Step::Store(page) | Step::Free(page)) = step;
            let skips = self.way == Way::Static && matches!(step, Step::Free(_));
            // Nothing overtakes: what has no room, or whose page is still under way, holds up what follows.
            if !skips && (self.busy.len() >= self.slots || self.is_busy(page)) {
                return Ok(());
            }
            self.stood = (now, accesses);
            if skips {
                self.next += 1;
                continue;
            }
            let (ask, expected) = self.ask(step);
            let pages = if let Ask::Free(_, pages) = ask { pages } else { 1 };
            self.next += pages as usize;
            peer.begin(ask)?;
            self.busy.push((page, pages, expected));
            if matches!(step, Step::Needs(_)) {
                self.waits = Some(page);
            }
        }
        Ok(())
    }

    fn ended(&mut self, now: Picos, ended: Ended) -> Result<(), Failure> {
        let page = ended.ask.page();
        let wrong = || Failure::Answer { client: self.number, id: page.into() };
        let at = self.busy.iter().position(|(own, ..)| *own == page).ok_or_else(wrong)?;
        let (.., expected) = self.busy[at];
        let right = match (&ended.bytes, expected) {
            (Some(loaded), Some(number)) => loaded[..] == bytes(number),
            (None, None) => true,
            _ => false,
        };
        if !right {
            return Err(wrong());
        }
        self.busy.swap_remove(at);
        if self.waits == Some(page) {
            self.waits = None;
            self.stood.0 = now;
        }
        (self.took, self.done) = (now, self.done + 1);
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.next == self.steps.len() && self.busy.is_empty()
    }
    fn next_time(&self) -> Option<Picos> {
        self.due
    }
}
