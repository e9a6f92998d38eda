//! Seeded programs for the leaf unit in hardware, as text: operations, and how the golden model's tables and ring end them.
//!
//! A line is a word and its numbers, hexadecimal but for `program`.
//!
//! | line | numbers |
//! |---|---|
//! | `program` | seed; the unit begins anew, memory is zeros |
//! | `o` | an operation: its name, segment, pid, rights (1 read, 2 write, 4 atomics), page, pages, flags, filler, line |
//! | | flags: 1 begins, 2 first, 4 whole, 8 also |
//! | | then how it ends: status, frame, whose (1 hidden, 2 zeroed just now), count |
//! | | behind it: frames that may be taken, that wait, and that segments have |
//! | `end` | number of an access, as they began; 0 is the first |
//! | `table` | a segment's line, and lines |
//! | `entry` | address, frame; all other entries of tables, and the ring, are zeros |
//!
//! The hardware's slow path numbers segments itself, and takes frames back one by one: `POP` is [`Leaf::take_back`] of the
//! oldest. Where a store goes is the rule of the golden model's door (`mneme_rdma::node`): to what the filler fills, to
//! the page's frame, to a new one that is hidden, to a new one that is zeroed.
use std::collections::BTreeMap;
use std::fmt::Write as _;

use mneme_rdma::memory::Access;
use mneme_rdma::node::{Begun, FRAME, Leaf, SegmentConfig, Shortage};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Programs of the leaf unit that are kept beside the hardware's bench.
pub const LEAF_PROGRAMS: u64 = 12;

/// The board's memory has 2^12 frames, of which the last ones may be given.
const FRAMES: u64 = 256;
const BASE: u64 = ((1 << 12) - FRAMES) * FRAME;
/// Segments and fillers of the smallest leaf unit that a bench has.
const SEGMENTS: u32 = 8;
const FILLERS: u32 = 8;
/// The ring's first line, and its lines: one for eight frames.
const RING: u64 = 0x400;
const RING_LINES: u64 = FRAMES / 8;
/// The first line of a segment's table, and lines to the next one.
const TABLES: u64 = 0x1000;
const TABLE_LINES: u64 = 0x10;
const MOST_ENTRIES: u64 = 50;

/// An operation as the hardware is asked for it.
#[derive(Debug, Clone, Copy, Default)]
struct Ask {
    segment: u32,
    pid: u32,
    access: Access,
    page: u64,
    pages: u64,
    flags: u32,
    filler: u32,
    line: u64,
}

/// How it ends.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    status: &'static str,
    frame: u64,
    whose: u32,
    count: u64,
}

impl Ends {
    fn with(status: &'static str) -> Ends {
        Ends { status, ..Ends::default() }
    }
    fn frame(frame: u64, whose: u32) -> Ends {
        Ends { status: "DONE", frame: frame / FRAME, whose, count: 0 }
    }
    fn count(count: u64) -> Ends {
        Ends { status: "DONE", count, ..Ends::default() }
    }
}

const BEGINS: u32 = 1;
const FIRST: u32 = 2;
const WHOLE: u32 = 4;
const ALSO: u32 = 8;

#[derive(Debug, Clone, Copy)]
struct Own {
    /// The golden model's number.
    number: u32,
    pid: u32,
    closed: bool,
}

struct Program {
    rng: ChaCha8Rng,
    leaf: Leaf,
    /// Runs of frames that were never given.
    fresh: Vec<(u64, u64)>,
    segments: BTreeMap<u32, Own>,
    /// Of the hardware's segments: page and frame.
    fillers: BTreeMap<u32, (u32, u32, u64)>,
    accesses: Vec<Option<Begun>>,
    text: String,
}

impl Program {
    fn new(seed: u64) -> Program {
        let runs = (0..FRAMES / 16).map(|run| (BASE + run * 16 * FRAME, 16)).collect();
        Program {
            rng: ChaCha8Rng::seed_from_u64(seed),
            leaf: Leaf::new(BASE, FRAMES as usize),
            fresh: runs,
            segments: BTreeMap::new(),
            fillers: BTreeMap::new(),
            accesses: Vec::new(),
            text: format!("program {seed}\n"),
        }
    }

    fn line(&mut self, args: std::fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = self.text.write_fmt(args);
        self.text.push('\n');
    }

    fn told(&mut self, operation: &str, ask: Ask, ends: Ends) {
        let Ask { segment, pid, access, page, pages, flags, filler, line } = ask;
        let rights = u32::from(access.read) | u32::from(access.write) << 1 | u32::from(access.atomic) << 2;
        let Ends { status, frame, whose, count } = ends;
        let audit = self.leaf.audit().expect("every frame is in one place");
        let (usable, waiting, used) = (audit.ring, audit.waiting, audit.mapped + audit.private);
        self.line(format_args!(
            "o {operation} {segment:x} {pid:x} {rights:x} {page:x} {pages:x} {flags:x} {filler:x} {line:x} \
             {status} {frame:x} {whose:x} {count:x} {usable:x} {waiting:x} {used:x}"
        ));
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// A segment that is there, mostly, and its process, mostly.
    fn segment(&mut self) -> (u32, u32) {
        let there: Vec<u32> = self.segments.keys().copied().collect();
        let any = self.percent(5) || there.is_empty();
        let segment = if any {
            self.rng.random_range(0..SEGMENTS)
        } else {
            there[self.rng.random_range(0..there.len())]
        };
        let pid = self.segments.get(&segment).map_or(7, |own| own.pid);
        (segment, if self.percent(3) { pid ^ 1 } else { pid })
    }

    fn entries(&self, segment: u32) -> u64 {
        let own = self.segments.get(&segment).and_then(|own| self.leaf.config(own.number));
        own.map_or(8, |config| config.entries.into())
    }

    fn page(&mut self, segment: u32) -> u64 {
        let entries = self.entries(segment);
        let own = self.segments.get(&segment).map_or(u32::MAX, |own| own.number);
        let table = self.leaf.table(own).unwrap_or_default();
        let mapped: Vec<u64> =
            (0..table.len() as u64).filter(|page| table[*page as usize] != [0; 8]).collect();
        if self.percent(3) {
            entries + self.rng.random_range(0..9)
        } else if mapped.is_empty() || self.percent(60) {
            self.rng.random_range(0..entries)
        } else {
            mapped[self.rng.random_range(0..mapped.len())]
        }
    }

    /// A filler that fills something, mostly.
    fn filler(&mut self) -> u32 {
        let busy: Vec<u32> = self.fillers.keys().copied().collect();
        if busy.is_empty() || self.percent(20) {
            self.rng.random_range(0..FILLERS)
        } else {
            busy[self.rng.random_range(0..busy.len())]
        }
    }

    /// Whether so many pages may be accessed so: the segment's number, or why not.
    fn judge(&self, ask: &Ask, pages: u64) -> Result<u32, Ends> {
        let own = self.segments.get(&ask.segment).filter(|own| own.pid == ask.pid);
        let (number, config) = own
            .and_then(|own| Some((own.number, self.leaf.config(own.number)?)))
            .ok_or(Ends::with("UNKNOWN"))?;
        // Of a segment that is being swept the hardware knows what is left, and nobody may access it: refused either way.
        let entries = self.leaf.table(number).map_or(0, <[_]>::len) as u64;
        if pages == 0 || ask.page + pages > entries {
            return Err(Ends::with("OUTSIDE"));
        }
        if config.access.covers(ask.access) { Ok(number) } else { Err(Ends::with("RIGHT")) }
    }

    fn look(&mut self) {
        let (segment, pid) = self.segment();
        let access = if self.percent(80) { Access::READ } else { Access::WRITE };
        let flags = u32::from(self.percent(50)) * BEGINS;
        let ask = Ask { segment, pid, access, page: self.page(segment), flags, ..Ask::default() };
        let ends = match self.judge(&ask, 1) {
            Err(refused) => refused,
            Ok(number) => match self.leaf.frame(number, ask.page as u32) {
                None => Ends::with("UNMAPPED"),
                Some(frame) => {
                    if flags == BEGINS {
                        let access = self.leaf.begin();
                        self.accesses.push(Some(access));
                    }
                    Ends::frame(frame, 0)
                }
            },
        };
        self.told("LOOK", ask, ends);
    }

    fn store(&mut self) {
        let (segment, pid) = self.segment();
        let access = if self.percent(80) { Access::WRITE } else { Access::ATOMIC };
        let mut page = self.page(segment);
        let filler = self.rng.random_range(0..FILLERS);
        // A message goes on where it began.
        let goes_on = self.percent(40);
        let (mut on, mut whose_pid) = (segment, pid);
        if let Some((segment, own, _)) = self.fillers.get(&filler).copied().filter(|_| goes_on) {
            (on, page) = (segment, own.into());
            whose_pid = self.segments.get(&segment).map_or(pid, |own| own.pid);
        }
        let mut flags = 0;
        for (flag, percent) in [(FIRST, if goes_on { 10 } else { 70 }), (WHOLE, 70), (ALSO, 10)] {
            flags |= u32::from(self.percent(percent)) * flag;
        }
        let ask = Ask { segment: on, pid: whose_pid, access, page, flags, filler, ..Ask::default() };
        let ends = match self.judge(&ask, 1) {
            Err(refused) => refused,
            Ok(number) => self.stored(number, &ask),
        };
        self.told("STORE", ask, ends);
    }

    fn stored(&mut self, number: u32, ask: &Ask) -> Ends {
        let page = ask.page as u32;
        let own = self.fillers.get(&ask.filler).copied();
        if let Some((_, _, frame)) =
            own.filter(|(segment, own, _)| *segment == ask.segment && *own == page && ask.flags & FIRST == 0)
        {
            return Ends::frame(frame, 1);
        }
        if let Some(frame) = self.leaf.frame(number, page) {
            return Ends::frame(frame, 0);
        }
        let short = self.leaf.can_take(number, if ask.flags & ALSO == 0 { 1 } else { 2 });
        match short.and_then(|()| self.leaf.take(number)) {
            Err(Shortage::Budget) => Ends::with("BUDGET_SPENT"),
            Err(Shortage::Ring) => Ends::with("RING_EMPTY"),
            Ok(frame) if ask.flags & (FIRST | WHOLE) == FIRST | WHOLE => {
                let old = self.fillers.insert(ask.filler, (ask.segment, page, frame));
                if let Some((own, old)) = old.and_then(|(of, _, old)| Some((self.segments.get(&of)?, old))) {
                    self.leaf.give_back(own.number, old);
                }
                Ends::frame(frame, 1)
            }
            Ok(frame) => {
                self.leaf.publish(number, page, frame);
                Ends::frame(frame, 2)
            }
        }
    }

    fn publish(&mut self, gives_up: bool) {
        let filler = self.filler();
        let ask = Ask { filler, ..Ask::default() };
        let Some((segment, page, frame)) = self.fillers.remove(&filler) else {
            return self.told(if gives_up { "GIVE_UP" } else { "PUBLISH" }, ask, Ends::with("NOTHING"));
        };
        if gives_up {
            if let Some(own) = self.segments.get(&segment) {
                self.leaf.give_back(own.number, frame);
            }
            self.told("GIVE_UP", ask, Ends::frame(frame, 0));
        } else if let Some(own) = self.segments.get(&segment) {
            self.leaf.publish(own.number, page, frame);
            self.told("PUBLISH", ask, Ends::frame(frame, 0));
        }
    }

    fn free(&mut self, checks: bool) {
        let (segment, pid) = self.segment();
        let page = self.page(segment);
        let most = self.entries(segment).saturating_sub(page).max(1);
        let most = if self.percent(20) { most } else { most.min(3) };
        let pages =
            if self.percent(5) { self.rng.random_range(0..200) } else { self.rng.random_range(1..=most) };
        let ask = Ask { segment, pid, access: Access::WRITE, page, pages, ..Ask::default() };
        let judged = self.judge(&ask, pages);
        if checks {
            return self.told("CHECK", ask, judged.map_or_else(|refused| refused, |_| Ends::with("DONE")));
        }
        let ends = match judged {
            Err(refused) => refused,
            Ok(number) => {
                let freed = (page..page + pages).filter(|page| self.leaf.unmap(number, *page as u32)).count();
                Ends::count(freed as u64)
            }
        };
        self.told("FREE", ask, ends);
    }

    fn push(&mut self) {
        if self.fresh.is_empty() {
            return;
        }
        let run = self.rng.random_range(0..self.fresh.len());
        let (base, count) = self.fresh.swap_remove(run);
        self.leaf.push_run(base, count).expect("the run is new");
        let ask = Ask { page: base / FRAME, pages: count, ..Ask::default() };
        self.told("PUSH", ask, Ends::count(count));
    }

    fn pop(&mut self) {
        let oldest = self.leaf.ring().frames().next();
        let ends = match oldest {
            None => Ends::with("RING_EMPTY"),
            Some(frame) => {
                self.leaf.take_back(frame, 1).expect("it is free");
                self.fresh.push((frame, 1));
                Ends::frame(frame, 0)
            }
        };
        self.told("POP", Ask::default(), ends);
    }

    fn create(&mut self) {
        let segment = self.rng.random_range(0..SEGMENTS);
        let entries = if self.percent(5) { 0 } else { self.rng.random_range(1..=MOST_ENTRIES) };
        let budget = self.rng.random_range(1..=entries.max(1));
        let pid = 6 + segment % 3;
        let access = if self.percent(90) { Access::ALL } else { Access::READ };
        let line = TABLES + u64::from(segment) * TABLE_LINES;
        let ask = Ask { segment, pid, access, page: budget, pages: entries, line, ..Ask::default() };
        let ends = if entries == 0 {
            Ends::with("BAD_RANGE")
        } else if self.segments.contains_key(&segment) {
            Ends::with("TAKEN")
        } else {
            let va = u64::from(segment) << 40;
            let config = SegmentConfig { pid, va, entries: entries as u32, budget: budget as u32, access };
            let number = self.leaf.create(config).expect("there is room");
            self.segments.insert(segment, Own { number, pid, closed: false });
            Ends::with("DONE")
        };
        self.told("CREATE", ask, ends);
    }

    fn rights(&mut self) {
        let (segment, _) = self.segment();
        let access = Access { read: self.percent(90), write: self.percent(80), atomic: self.percent(80) };
        let ask = Ask { segment, access, ..Ask::default() };
        let ends = match self.segments.get(&segment).filter(|own| !own.closed) {
            None => Ends::with("UNKNOWN"),
            Some(own) => {
                self.leaf.set_access(own.number, access).expect("it is there");
                Ends::with("DONE")
            }
        };
        self.told("SET_RIGHTS", ask, ends);
    }

    fn close(&mut self) {
        let (segment, _) = self.segment();
        let ask = Ask { segment, ..Ask::default() };
        let ends = match self.segments.get_mut(&segment) {
            None => Ends::with("UNKNOWN"),
            Some(own) => {
                own.closed = true;
                let number = own.number;
                // In the hardware's order: the golden model's is by frame.
                for filler in 0..FILLERS {
                    if let Some((own, _, frame)) = self.fillers.get(&filler).copied()
                        && own == segment
                    {
                        self.leaf.give_back(number, frame);
                        self.fillers.remove(&filler);
                    }
                }
                self.leaf.close(number).expect("it is there");
                Ends::with("DONE")
            }
        };
        self.told("CLOSE", ask, ends);
    }

    fn sweep(&mut self) {
        let (segment, _) = self.segment();
        let pages = self.rng.random_range(0..60);
        let ask = Ask { segment, pages, ..Ask::default() };
        let ends = match self.segments.get(&segment).copied() {
            None => Ends::with("UNKNOWN"),
            Some(own) if !own.closed => Ends::with("TAKEN"),
            Some(own) => {
                let left = self.leaf.sweep(own.number, pages as u32).expect("it is there");
                if left == 0 {
                    self.segments.remove(&segment);
                }
                Ends::count(left.into())
            }
        };
        self.told("SWEEP", ask, ends);
    }

    fn used(&mut self) {
        let (segment, _) = self.segment();
        let own = self.segments.get(&segment);
        let ends = own.map_or(Ends::with("UNKNOWN"), |own| Ends::count(self.leaf.used(own.number).into()));
        self.told("USED", Ask { segment, ..Ask::default() }, ends);
    }

    fn end(&mut self, which: usize) {
        if let Some(access) = self.accesses.get_mut(which).and_then(Option::take) {
            self.leaf.end(access);
            self.line(format_args!("end {which:x}"));
        }
    }

    fn step(&mut self) {
        match self.rng.random_range(0..1000) {
            0..220 => self.look(),
            220..560 => self.store(),
            560..660 => self.publish(false),
            660..680 => self.publish(true),
            680..770 => self.free(false),
            770..790 => self.free(true),
            790..800 => self.push(),
            800..810 => self.pop(),
            810..840 => self.create(),
            840..855 => self.rights(),
            855..860 => self.close(),
            860..900 => self.sweep(),
            900..920 => self.used(),
            _ => {
                let open: Vec<usize> =
                    (0..self.accesses.len()).filter(|which| self.accesses[*which].is_some()).collect();
                if !open.is_empty() {
                    let which = self.rng.random_range(0..open.len());
                    self.end(open[which]);
                }
            }
        }
    }

    fn run(seed: u64) -> String {
        let mut program = Program::new(seed);
        let ring = Ask { page: RING_LINES - 1, line: RING, ..Ask::default() };
        program.told("RING", ring, Ends::with("DONE"));
        program.push();
        while program.segments.len() < 4 {
            program.create();
        }
        for _ in 0..500 {
            program.step();
        }
        for which in 0..program.accesses.len() {
            program.end(which);
        }
        while !program.leaf.ring().is_empty() {
            program.pop();
        }
        program.pop();
        program.tables();
        program.text
    }

    fn tables(&mut self) {
        for (segment, own) in self.segments.clone() {
            let table = self.leaf.table(own.number).map(<[_]>::to_vec).unwrap_or_default();
            let line = TABLES + u64::from(segment) * TABLE_LINES;
            for (page, entry) in table.iter().enumerate() {
                let frame = u64::from_be_bytes(*entry) / FRAME;
                if frame != 0 {
                    self.line(format_args!("entry {:x} {frame:x}", line * 64 + page as u64 * 8));
                }
            }
        }
    }
}

/// Programs of the leaf unit, one for each seed from `first` on.
pub fn leaf_vectors(first: u64, seeds: u64) -> String {
    (first..first + seeds).map(Program::run).collect()
}
