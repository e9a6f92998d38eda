//! What clients were told of their processes and allocations, compared with what the boards' slow paths have: each
//! OPEN, EXIT, ALLOC, FREE and PROTECT took effect once if its caller was told so, never if told that it did not, and
//! at most once if nobody knows.
use std::collections::BTreeMap;

use mneme_clib::{Effect, Error};
use mneme_slowpath::process::{Process, RangeState};
use mneme_slowpath::space::Space;
use mneme_wire::Rights;

/// What a client asks of a board's slow path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// A new process.
    Open,
    /// A process is to end.
    Exit(u32),
    /// Pages with these rights.
    Alloc(u32, u64, Rights),
    /// The allocation at this address is to go.
    Free(u32, u64),
    /// All pages of the allocation at this address are to have these rights.
    Protect(u32, u64, Rights),
}

/// A call that the slow path serves, from its beginning on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt(u64);

/// An allocation as its clients know it.
#[derive(Debug, Clone, Copy)]
struct Held {
    pages: u64,
    rights: Rights,
}

/// What clients know of one boot of a board.
#[derive(Debug, Default)]
struct Book {
    boot: u64,
    epoch: u8,
    /// Processes with their allocations by address.
    processes: BTreeMap<u32, BTreeMap<u64, Held>>,
    /// Calls that have not ended, and those of which nobody knows: none has taken effect, or all, or any of them.
    doubts: BTreeMap<Doubt, Asked>,
}

impl Book {
    fn doubts(&self, asked: Asked) -> bool {
        self.doubts.values().any(|other| *other == asked)
    }
    /// A doubt is over: what it asked for has happened.
    fn settle(&mut self, asked: Asked) -> bool {
        let found = self.doubts.iter().find(|(_, other)| **other == asked).map(|(doubt, _)| *doubt);
        found.is_some_and(|doubt| self.doubts.remove(&doubt).is_some())
    }
    /// A call was done; an OPEN gave this process, an ALLOC this address.
    fn done(&mut self, asked: Asked, given: u64) -> Result<(), String> {
        match asked {
            Asked::Open => {
                let pid = given as u32;
                if self.processes.contains_key(&pid) && !self.settle(Asked::Exit(pid)) {
                    return Err(format!("process {pid} was opened while it was open"));
                }
                self.processes.insert(pid, BTreeMap::new());
            }
            Asked::Exit(pid) => drop(self.processes.remove(&pid)),
            Asked::Alloc(pid, pages, rights) => {
                let taken = self.processes.get(&pid).is_some_and(|ranges| ranges.contains_key(&given));
                // That it could be given again shows that it was freed.
                if taken && !self.settle(Asked::Free(pid, given)) {
                    return Err(format!("{given:#x} of process {pid} was given while it was held"));
                }
                let ranges = self.processes.get_mut(&pid);
                ranges.and_then(|ranges| ranges.insert(given, Held { pages, rights }));
            }
            Asked::Free(pid, va) => drop(self.processes.get_mut(&pid).and_then(|held| held.remove(&va))),
            Asked::Protect(pid, va, rights) => {
                let held = self.processes.get_mut(&pid).and_then(|held| held.get_mut(&va));
                held.into_iter().for_each(|held| held.rights = rights);
            }
        }
        Ok(())
    }
}

/// What clients hold on all boards.
#[derive(Debug)]
pub struct Holdings {
    boards: Vec<Book>,
    next: u64,
    /// The first thing that a client was told and that cannot be.
    wrong: Option<String>,
    /// Calls that ended OK.
    pub done: u64,
}

impl Holdings {
    /// Nobody holds anything of boards in these epochs.
    pub fn new(epochs: &[u8]) -> Holdings {
        let boards = epochs.iter().map(|epoch| Book { epoch: *epoch, ..Book::default() }).collect();
        Holdings { boards, next: 0, wrong: None, done: 0 }
    }
    /// How often a board has restarted.
    pub fn boot(&self, board: usize) -> u64 {
        self.boards[board].boot
    }
    /// A board has lost everything and is in another epoch now.
    pub fn restart(&mut self, board: usize, epoch: u8) {
        let Book { boot, mut doubts, .. } = std::mem::take(&mut self.boards[board]);
        // Calls for a new process go on there.
        doubts.retain(|_, asked| *asked == Asked::Open);
        self.boards[board] = Book { boot: boot + 1, epoch, doubts, ..Book::default() };
    }
    /// A call begins, of a process of this boot of the board.
    pub fn ask(&mut self, board: usize, boot: u64, asked: Asked) -> Doubt {
        let doubt = Doubt(self.next);
        self.next += 1;
        if self.boards[board].boot == boot {
            self.boards[board].doubts.insert(doubt, asked);
        }
        doubt
    }
    /// It has ended; `given`: the process that an OPEN, the address that an ALLOC gave. One that is never told of stays
    /// in doubt.
    pub fn told(&mut self, board: usize, doubt: Doubt, result: Result<u64, &Error>) {
        let book = &mut self.boards[board];
        match result {
            Ok(given) => {
                self.done += 1;
                // Otherwise the board has restarted since, the process ended, or another call showed that this one was
                // done.
                if let Some(asked) = book.doubts.remove(&doubt)
                    && let Err(what) = book.done(asked, given)
                {
                    self.wrong.get_or_insert(what);
                }
            }
            Err(error) if error.effect() == Effect::None => {
                book.doubts.remove(&doubt);
            }
            Err(_) => {}
        }
    }
    /// An OPEN has ended, with a process in an epoch; in which boot of the board that is.
    pub fn opened(&mut self, board: usize, doubt: Doubt, result: Result<(u32, u8), &Error>) -> u64 {
        let book = &mut self.boards[board];
        match result {
            // The board has restarted since: the process is gone.
            Ok((_, epoch)) if epoch != book.epoch => {
                book.doubts.remove(&doubt);
                return book.boot.wrapping_sub(1);
            }
            result => self.told(board, doubt, result.map(|(pid, _)| u64::from(pid))),
        }
        self.boot(board)
    }
    /// A client was told something that cannot be.
    pub fn cannot_be(&mut self, what: String) {
        self.wrong.get_or_insert(what);
    }
    /// Whether a process that somebody joined can be open.
    pub fn joined(&mut self, board: usize, boot: u64, pid: u32) {
        let book = &self.boards[board];
        if book.boot == boot && !book.processes.contains_key(&pid) {
            self.cannot_be(format!("process {pid} was joined, and nobody has opened it"));
        }
    }
    /// Compares with what the board has.
    pub fn audit(&self, board: usize, space: &Space) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        let book = &self.boards[board];
        let mut unnamed = 0;
        for (pid, process) in space.processes() {
            match book.processes.get(&pid) {
                Some(held) => compare(book, held, pid, process, space)?,
                // Nobody was told its number, so nobody has allocated in it.
                None if process.live() == 0 => unnamed += 1,
                None => return Err(format!("process {pid} is open with memory, and nobody holds it")),
            }
        }
        let opening = book.doubts.values().filter(|asked| **asked == Asked::Open).count();
        if unnamed > opening {
            return Err(format!(
                "{unnamed} processes are open that nobody holds; {opening} calls may have opened one"
            ));
        }
        let there = |pid: &u32| space.processes().any(|(other, _)| other == *pid);
        let gone = book.processes.keys().find(|pid| !there(pid) && !book.doubts(Asked::Exit(**pid)));
        gone.map_or(Ok(()), |pid| Err(format!("process {pid} is gone, and nobody ended it")))?;
        accounts(space)
    }
}

/// Compares a process's allocations with those that its clients hold.
fn compare(
    book: &Book,
    held: &BTreeMap<u64, Held>,
    pid: u32,
    process: &Process,
    space: &Space,
) -> Result<(), String> {
    let page_bits = space.geometry().page_bits();
    let mut live = BTreeMap::new();
    for (start, range) in process.ranges.iter() {
        match range.state {
            RangeState::Live => drop(live.insert(start << page_bits, range.pages)),
            RangeState::Quarantined(_) => {}
            // A slow path in one thread rests between two requests, and no page table here is damaged.
            state => return Err(format!("process {pid} has a range that is {state:?}")),
        }
    }
    for (va, Held { pages, rights }) in held {
        let there = live.get(va) == Some(pages);
        if book.doubts(Asked::Free(pid, *va)) || book.doubts(Asked::Exit(pid)) {
            live.retain(|other, _| other != va || !there);
            continue;
        }
        if !there {
            let found = live.get(va);
            return Err(format!(
                "{pages} pages at {va:#x} of process {pid} are held; the board has {found:?} there"
            ));
        }
        live.remove(va);
        let may_be = |now: Rights| now == *rights || book.doubts(Asked::Protect(pid, *va, now));
        let start = va >> page_bits;
        let mut now = (start..start + pages).map(|vpn| space.shadow().page(pid, vpn).map(|page| page.rights));
        if let Some(wrong) = now.find(|now| !now.is_some_and(may_be)) {
            return Err(format!("a page at {va:#x} of process {pid} has {wrong:?}, not {rights:?}"));
        }
    }
    let mut asked: Vec<u64> = book.doubts.values().filter_map(|asked| alloc_in(pid, asked)).collect();
    for (va, pages) in live {
        let Some(at) = asked.iter().position(|asked| *asked == pages) else {
            return Err(format!("{pages} pages at {va:#x} of process {pid} are held by nobody"));
        };
        asked.swap_remove(at);
    }
    Ok(())
}

/// Pages of an ALLOC in a process.
fn alloc_in(pid: u32, asked: &Asked) -> Option<u64> {
    match asked {
        Asked::Alloc(other, pages, _) if *other == pid => Some(*pages),
        _ => None,
    }
}

/// Tenants are charged for what their processes have, once.
fn accounts(space: &Space) -> Result<(), String> {
    let (mut ranges, mut slots, mut pages) = (0, 0, 0);
    for (pid, process) in space.processes() {
        for (start, range) in process.ranges.iter().filter(|(_, range)| range.state == RangeState::Live) {
            ranges += 1;
            slots += range.pages;
            let committed = |vpn: &u64| space.shadow().page(pid, *vpn).is_some_and(|page| page.committed);
            pages += (start..start + range.pages).filter(committed).count() as u64;
        }
    }
    let sum = |what: fn(&mneme_slowpath::tenant::Tenant) -> u64| space.tenants().map(what).sum::<u64>();
    let charged = [sum(|t| t.slots), sum(|t| t.pages), sum(|t| t.processes as u64)];
    let there = [slots, pages, space.process_count()];
    if charged != there || (space.live_ranges(), space.slots_used()) != (ranges, slots) {
        return Err(format!(
            "tenants are charged for {charged:?} slots, writable pages and processes, and have {there:?}; the board counts {} ranges and {} slots, and has {ranges} and {slots}",
            space.live_ranges(),
            space.slots_used()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_slowpath::Config;
    use mneme_slowpath::space::{AllocAsk, Span};
    use mneme_wire::Pid;
    use mneme_wire::payload::OpenRequest;
    use mneme_wire::pte::Geometry;

    const NO: Error = Error::ZeroSize("a call");

    /// A board with a process, which its clients know.
    fn board() -> (Space, Holdings, u32) {
        let geometry = Geometry::new(18, 24, 2).expect("a legal shape");
        let mut space = Space::new(geometry, 32, &Config::new(1, [2; 6], [10, 0, 0, 1], [1; 32]));
        let mut holdings = Holdings::new(&[7]);
        let pid = open(&mut space);
        let doubt = holdings.ask(0, 0, Asked::Open);
        assert!(holdings.audit(0, &space).is_ok(), "it may have been opened");
        holdings.opened(0, doubt, Ok((pid, 7)));
        (space, holdings, pid)
    }
    fn open(space: &mut Space) -> u32 {
        let opened = space.open(Pid::NONE, &OpenRequest::default(), [10, 0, 0, 9], 0);
        opened.expect("a process of a few").pid
    }
    fn alloc(space: &mut Space, pid: u32) -> Span {
        let ask = AllocAsk { pid, pages: 2, rights: Rights::READ_WRITE, fixed: None, budget: None };
        let mut hunt = space.begin_hunt(&ask).expect("an open process");
        let span = space.hunt(&ask, &mut hunt, u64::MAX, 0).expect("pages of an empty board");
        let span = span.expect("a whole search");
        space.insert_some(span, span.start, ask.rights).expect("room in the table");
        space.end_alloc(span);
        span
    }
    fn free(space: &mut Space, span: Span) {
        let span = space.begin_free(span.pid, span.start, None, 0).expect("a live range");
        assert_eq!(space.drop_some(span, span.start, &[]), None);
        space.end_free(span, &[], 0);
    }

    #[test]
    fn what_was_done_is_there_once_and_what_was_not_is_not() {
        let (mut space, mut holdings, pid) = board();
        let asked = Asked::Alloc(pid, 2, Rights::READ_WRITE);
        let doubt = holdings.ask(0, 0, asked);
        let first = alloc(&mut space, pid);
        holdings.told(0, doubt, Ok(first.start << 18));
        assert_eq!(holdings.audit(0, &space), Ok(()));
        let refused = holdings.ask(0, 0, asked);
        let second = alloc(&mut space, pid);
        assert_eq!(holdings.audit(0, &space), Ok(()), "it is under way");
        holdings.told(0, refused, Err(&NO));
        assert!(holdings.audit(0, &space).is_err(), "its caller was told that it was not done");
        free(&mut space, second);
        assert_eq!(holdings.audit(0, &space), Ok(()));
        let _never_told = holdings.ask(0, 0, asked);
        alloc(&mut space, pid);
        assert_eq!(holdings.audit(0, &space), Ok(()));
        alloc(&mut space, pid);
        assert!(holdings.audit(0, &space).is_err(), "one call gave two ranges");
    }

    #[test]
    fn what_was_freed_is_gone_and_nothing_else_is() {
        let (mut space, mut holdings, pid) = board();
        let doubt = holdings.ask(0, 0, Asked::Alloc(pid, 2, Rights::READ_WRITE));
        let span = alloc(&mut space, pid);
        let va = span.start << 18;
        holdings.told(0, doubt, Ok(va));
        space.begin_protect(span, Rights::READ_ONLY, 0).expect("a live range");
        space.end_protect(span, None);
        assert!(holdings.audit(0, &space).is_err(), "nobody changed its rights");
        let _never_told = holdings.ask(0, 0, Asked::Protect(pid, va, Rights::READ_ONLY));
        assert_eq!(holdings.audit(0, &space), Ok(()));
        let doubt = holdings.ask(0, 0, Asked::Free(pid, va));
        assert_eq!(holdings.audit(0, &space), Ok(()), "not yet done");
        free(&mut space, span);
        assert_eq!(holdings.audit(0, &space), Ok(()));
        holdings.told(0, doubt, Err(&NO));
        assert!(holdings.audit(0, &space).is_err(), "its caller was told that it was not done");
    }

    #[test]
    fn processes_are_open_as_long_as_clients_were_told() {
        let (mut space, mut holdings, pid) = board();
        open(&mut space);
        assert!(holdings.audit(0, &space).is_err(), "one call opened two");
        // A board that has restarted, and has a process of the same number again.
        holdings.restart(0, 8);
        (space, ..) = board();
        let doubt = holdings.ask(0, 1, Asked::Open);
        assert_eq!(holdings.opened(0, doubt, Ok((pid, 7))), 0, "of the boot before");
        assert!(holdings.audit(0, &space).is_err(), "nobody opened it in this boot");
        let doubt = holdings.ask(0, 1, Asked::Open);
        assert_eq!(holdings.opened(0, doubt, Ok((pid, 8))), 1);
        let doubt = holdings.ask(0, 1, Asked::Exit(pid));
        space.begin_exit(pid, 0).expect("an idle process");
        space.end_exit(pid, 0, &[], 0);
        assert_eq!(holdings.audit(0, &space), Ok(()));
        holdings.told(0, doubt, Err(&NO));
        assert!(holdings.audit(0, &space).is_err(), "its caller was told that it is open");
    }
}
