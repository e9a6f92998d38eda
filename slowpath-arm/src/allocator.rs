//! Overflow-free allocation of virtual ranges (architecture §4; Clio §4.2): a range is given out only when every page of it
//! has a free slot in its bucket, so the hardware never meets a full bucket.
//!
//! The index is linear: the `2^b` pages that share their high number (a *block*) fall into `2^b` different buckets, and
//! `2^k` pages that begin on a multiple of `2^k` into `2^k` buckets that do so too. Two things follow:
//! - A range inside one block never meets itself, so one look per page decides.
//! - The index can be turned round: the allocator chooses the buckets first and computes the address from them. It goes
//!   round all buckets with one rover for each power of two, so all buckets fill up evenly, whoever allocates in whatever
//!   order ([`Search::place`]). With a random hash the fullest bucket runs ahead of the others.
//!
//! Only when a chosen bucket is full (tenants' shares, frees in random order) the search moves past that page and tries
//! again ([`Search::find`]): it looks at a window from its end, so that the last page without room is found first, moves
//! the window past it, and never looks at a page twice.
use crate::process::Ranges;
use crate::shadow::{Shadow, TenantId};
use mneme_wire::Va;
use mneme_wire::payload::VaWindow;
use mneme_wire::pte::BUCKET_ENTRIES;

/// A range that can be allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// First virtual page.
    pub start: u64,
    /// Times that the search had to move past a page without room.
    pub retries: u64,
}

/// No range of the wanted length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRange {
    /// Pages without room, met on the way.
    pub retries: u64,
    /// The tenant's own share of a bucket stood in the way at least once.
    pub share: bool,
}

/// Why a page has no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRoom {
    /// All slots of its bucket are in use.
    Full,
    /// The tenant has its share of the bucket already.
    Share,
}

/// The pages among which a search chooses. Page 0 is never among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Where the window begins, which may be page 0.
    base: u64,
    /// The first page behind it.
    end: u64,
}

impl Bounds {
    /// The pages of a window of addresses; without one, those of the address space.
    pub fn new(window: Option<VaWindow>, page_bits: u32) -> Bounds {
        let (first, end) = window.map_or((0, Va::LIMIT), |w| (w.first(), w.end()));
        Bounds { base: first >> page_bits, end: end >> page_bits }
    }
    /// The first page.
    pub fn first(&self) -> u64 {
        self.base.max(1)
    }
    /// The first page behind them.
    pub fn end(&self) -> u64 {
        self.end
    }
    /// Whether a whole range lies among them.
    pub fn hold(&self, start: u64, pages: u64) -> bool {
        self.first() <= start && start.saturating_add(pages) <= self.end
    }
    /// `page` if it is among them, else the first.
    fn enter(&self, page: u64) -> u64 {
        if self.hold(page, 1) { page } else { self.first() }
    }
    /// The part of the window that lies in the block of `span` pages from `block` on.
    fn part(&self, block: u64, span: u64) -> (u64, u64) {
        (self.base.max(block), self.end.min(block + span))
    }
    /// Pages of the longest part of one block of `span` pages.
    fn longest_part(&self, span: u64) -> u64 {
        let (first, last) = (self.base / span * span, (self.end - 1) / span * span);
        // If there are blocks between the first and the last, they are whole.
        let parts = [first, (first + span).min(last), last].map(|block| self.part(block, span));
        parts.into_iter().map(|(from, to)| to - from).max().unwrap_or(0)
    }
    /// The largest power of two, up to `span`, on multiples of which the window begins and ends.
    fn grain(&self, span: u64) -> u64 {
        span.min(1 << (self.base | self.end).trailing_zeros())
    }
}

/// Where the next range goes, by its size: the bucket after those of the last range of as many pages, rounded up to a
/// power of two.
#[derive(Debug, Clone, Default)]
pub struct Rovers {
    next: Vec<u64>,
}

impl Rovers {
    /// Rovers for a table of so many buckets. They begin apart, so that ranges of different sizes, while few, do not pile
    /// up in the same buckets.
    pub fn new(buckets: u64) -> Rovers {
        let sizes = buckets.trailing_zeros();
        let apart = |k: u32| (buckets / u64::from(sizes + 1) * u64::from(k)) >> k << k;
        Rovers { next: (0..=sizes).map(apart).collect() }
    }
}

/// Blocks in which [`Search::place`] looks for a free address before it searches page by page.
const BLOCKS: u64 = 16;

/// Blocks that a search looks through at most: each is another order of the same buckets.
const BLOCKS_SEARCHED: u64 = 256;

/// Pages that a look for a hint visits at most: whoever is refused costs the others no more than that.
const HINT_PROBES: u64 = 1024;

/// Whether a bucket takes `more` further pages of a tenant that may have `share` of its slots.
pub fn takes(shadow: &Shadow, bucket: u64, tenant: TenantId, more: u8, share: u8) -> Result<(), NoRoom> {
    let used = shadow.used_in(bucket);
    if usize::from(used) + usize::from(more) > BUCKET_ENTRIES {
        return Err(NoRoom::Full);
    }
    // A tenant cannot have more than all used slots: count only when that could be too many.
    if used + more > share && shadow.tenant_in(bucket, tenant) + more > share {
        return Err(NoRoom::Share);
    }
    Ok(())
}

/// How far a search has come: it can be made in slices, and the table may change in between.
#[derive(Debug, Clone)]
pub struct Hunt {
    pages: u64,
    /// Pages looked at.
    probes: u64,
    /// What it has met so far.
    none: NoRange,
    walk: Walk,
    /// Where another walk begins if this one finds nothing.
    after: Option<u64>,
}

impl Hunt {
    fn from(pages: u64, start: u64, after: Option<u64>) -> Hunt {
        let none = NoRange { retries: 0, share: false };
        Hunt { pages, probes: 0, none, walk: Walk::from(start, 0), after }
    }
    /// Pages that it has looked at.
    pub fn probes(&self) -> u64 {
        self.probes
    }
}

/// One walk through the addresses, from its beginning on and round to the first page of the bounds.
#[derive(Debug, Clone)]
struct Walk {
    at: u64,
    wrapped: bool,
    /// Pages looked at when it began.
    began: u64,
}

impl Walk {
    fn from(at: u64, began: u64) -> Walk {
        Walk { at, wrapped: false, began }
    }
}

/// What a part of a walk came to.
enum Step {
    /// A range that begins here.
    Found(u64),
    /// There is more to look at.
    More,
    /// Nothing is left, or the budget is spent.
    Over,
}

/// A search over one table for one process of one tenant.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The table.
    pub shadow: &'a Shadow,
    /// What the process has.
    pub ranges: &'a Ranges,
    /// The process.
    pub pid: u32,
    /// Its tenant.
    pub tenant: TenantId,
    /// Slots of a bucket that a tenant can have.
    pub share: u8,
    /// Pages that the search may look at.
    pub probes: u64,
    /// Pages among which it chooses.
    pub bounds: Bounds,
}

impl Search<'_> {
    fn takes(&self, bucket: u64, more: u8) -> Result<(), NoRoom> {
        takes(self.shadow, bucket, self.tenant, more, self.share)
    }

    fn room(&self, vpn: u64) -> Result<(), NoRoom> {
        self.takes(self.shadow.geometry().bucket(self.pid, vpn), 1)
    }

    /// Finds a range of `pages` pages whose buckets are the rover's next ones, at the first free such address from the block
    /// of page `near` on; else any range.
    pub fn place(&self, pages: u64, near: u64, rovers: &mut Rovers) -> Result<Found, NoRange> {
        let mut hunt = self.hunt(pages, near, rovers);
        self.go_on(&mut hunt, u64::MAX).unwrap_or(Err(hunt.none))
    }

    /// Begins a search as [`Search::place`] makes it.
    pub fn hunt(&self, pages: u64, near: u64, rovers: &mut Rovers) -> Hunt {
        let chosen = self.choose(pages, near, rovers);
        // What lies between `near` and there has not been looked at when the first walk ends.
        let (near, after) =
            (self.bounds.enter(near), chosen.filter(|start| *start > self.bounds.enter(near)));
        Hunt::from(pages, chosen.unwrap_or(near), after.map(|_| near))
    }

    /// The first free address of the rover's next buckets.
    fn choose(&self, pages: u64, near: u64, rovers: &mut Rovers) -> Option<u64> {
        let geometry = self.shadow.geometry();
        let (span, size) = (geometry.buckets(), pages.max(1).checked_next_power_of_two().unwrap_or(u64::MAX));
        let rover = rovers.next.get_mut(size.trailing_zeros() as usize).filter(|_| size <= span)?;
        let chosen = *rover;
        *rover = (chosen + size) & (span - 1);
        let (near, first) = (self.bounds.enter(near), self.bounds.base / span);
        let blocks = self.bounds.end.div_ceil(span) - first;
        (0..BLOCKS).find_map(|nth| {
            let block = (first + (near / span - first + nth) % blocks) * span;
            let inside = chosen ^ geometry.fold(geometry.tag(self.pid, block)) & !(size - 1);
            self.inside(block, inside, pages).filter(|start| self.ranges.overlap(*start, pages).is_none())
        })
    }

    /// Goes on with a search, about `probes` pages far; the table may have changed since. `None`: there is more to look at.
    pub fn go_on(&self, hunt: &mut Hunt, probes: u64) -> Option<Result<Found, NoRange>> {
        let pages = hunt.pages;
        let none = |hunt: &Hunt| Some(Err(hunt.none));
        if pages == 0 || !self.bounds.hold(self.bounds.first(), pages) || pages > self.shadow.free_slots() {
            return none(hunt);
        }
        let one_block = pages <= self.bounds.longest_part(self.shadow.geometry().buckets());
        let until = hunt.probes.saturating_add(probes);
        loop {
            let found = if one_block { self.walk_blocks(hunt, until) } else { self.walk_grains(hunt, until) };
            match found {
                Step::Found(start) => return Some(Ok(Found { start, retries: hunt.none.retries })),
                Step::More => return None,
                Step::Over => match hunt.after.take() {
                    Some(near) => hunt.walk = Walk::from(near, hunt.probes),
                    None => return none(hunt),
                },
            }
        }
    }

    /// Page `offset` of a block if a range there lies in the bounds; where they have only a part of the block, its likeness in
    /// that part, so that the rover goes round in it as it does in a block.
    fn inside(&self, block: u64, offset: u64, pages: u64) -> Option<u64> {
        let (from, to) = self.bounds.part(block, self.shadow.geometry().buckets());
        let there = [block + offset, from + offset % (to - from)];
        there.into_iter().find(|start| self.bounds.hold(*start, pages) && start + pages <= to)
    }

    /// Finds a range of `pages` pages, looking from page `from` on and round to the first one of the bounds.
    pub fn find(&self, pages: u64, from: u64) -> Result<Found, NoRange> {
        let mut hunt = Hunt::from(pages, self.bounds.enter(from), None);
        self.go_on(&mut hunt, u64::MAX).unwrap_or(Err(hunt.none))
    }

    /// A short look for a place of `pages` pages from page `from` on, for hints.
    pub fn glance(&self, pages: u64, from: u64) -> Option<u64> {
        let mut hunt = Hunt::from(pages, self.bounds.enter(from), None);
        self.go_on(&mut hunt, HINT_PROBES)?.ok().map(|found| found.start)
    }

    /// Pages that one walk looks at: in a small table the blocks soon repeat themselves.
    fn budget(&self) -> u64 {
        self.probes.min(self.shadow.geometry().buckets() * BLOCKS_SEARCHED)
    }

    /// Ranges that fit into one block: the window search.
    fn walk_blocks(&self, hunt: &mut Hunt, until: u64) -> Step {
        let (span, pages) = (self.shadow.geometry().buckets(), hunt.pages);
        let walk = &mut hunt.walk;
        // Pages of [seen.0, seen.1) are known to have room: in this slice, others may have taken it before.
        let mut seen = (0, 0);
        while hunt.probes - walk.began < self.budget() {
            if hunt.probes >= until {
                return Step::More;
            }
            if walk.at % span + pages > span {
                walk.at = (walk.at / span + 1) * span;
            }
            if walk.at + pages > self.bounds.end {
                if walk.wrapped {
                    break;
                }
                (walk.at, walk.wrapped) = (self.bounds.first(), true);
                continue;
            }
            if let Some(end) = self.ranges.end_of_overlap(walk.at, pages) {
                walk.at = end;
                // Ranges are looked at, too.
                hunt.probes += 1;
                continue;
            }
            let end = walk.at + pages;
            let known = if seen.0 <= walk.at && walk.at < seen.1 { seen.1.min(end) } else { walk.at };
            hunt.probes += end - known;
            let blocked = (known..end).rev().find_map(|vpn| self.room(vpn).err().map(|why| (vpn, why)));
            let Some((vpn, why)) = blocked else { return Step::Found(walk.at) };
            hunt.none.retries += 1;
            hunt.none.share |= why == NoRoom::Share;
            seen = (vpn + 1, end);
            walk.at = vpn + 1;
        }
        Step::Over
    }

    /// Ranges that lie in more than one block: a bucket may get pages more than once, so whole candidates are counted.
    fn walk_grains(&self, hunt: &mut Hunt, until: u64) -> Step {
        let (grain, pages) = (self.bounds.grain(self.shadow.geometry().buckets()), hunt.pages);
        let walk = &mut hunt.walk;
        walk.at = walk.at.next_multiple_of(grain);
        while hunt.probes - walk.began < self.budget() {
            if hunt.probes >= until {
                return Step::More;
            }
            if walk.at + pages > self.bounds.end {
                if walk.wrapped {
                    break;
                }
                (walk.at, walk.wrapped) = (self.bounds.first().next_multiple_of(grain), true);
                continue;
            }
            hunt.probes += pages;
            match self.ranges.end_of_overlap(walk.at, pages) {
                Some(end) => walk.at = end.next_multiple_of(grain),
                None => match self.fits(walk.at, pages) {
                    Ok(()) => return Step::Found(walk.at),
                    Err((_, why)) => {
                        hunt.none.retries += 1;
                        hunt.none.share |= why == NoRoom::Share;
                        walk.at += grain;
                    }
                },
            }
        }
        Step::Over
    }

    /// The longest range, `most` pages at most, that a short look at two blocks from page `from` on finds: so many pages
    /// would work now.
    pub fn longest(&self, most: u64, from: u64) -> u64 {
        let span = self.shadow.geometry().buckets();
        let from = self.bounds.enter(from);
        let first = if from + 2 * span <= self.bounds.end { from } else { self.bounds.first() };
        let end = (first + 2 * span).min(self.bounds.end);
        let (mut at, mut run, mut best) = (first, 0, 0);
        // No range has a page of [at, clear).
        let mut clear = first;
        for _ in 0..HINT_PROBES {
            if at >= end || best >= most {
                break;
            }
            // A range neither crosses the border of a block nor meets another range.
            run = if at.is_multiple_of(span) { 0 } else { run };
            if at >= clear {
                if let Some(after) = self.ranges.end_of_overlap(at, 1) {
                    (at, run) = (after, 0);
                    continue;
                }
                clear = self.ranges.next(at).unwrap_or(end);
            }
            run = if self.room(at).is_ok() { run + 1 } else { 0 };
            best = best.max(run);
            at += 1;
        }
        best.min(most)
    }

    /// Whether the table has room for all pages of a range at once, wherever it begins; else the page that has none.
    pub fn fits(&self, start: u64, pages: u64) -> Result<(), (u64, NoRoom)> {
        let geometry = self.shadow.geometry();
        let span = geometry.buckets();
        if start % span + pages <= span {
            return (start..start + pages).try_for_each(|vpn| self.room(vpn).map_err(|why| (vpn, why)));
        }
        if pages > span * BUCKET_ENTRIES as u64 {
            return Err((start, NoRoom::Full));
        }
        let mut wanted = vec![0u8; span as usize];
        for vpn in start..start + pages {
            let bucket = geometry.bucket(self.pid, vpn);
            wanted[bucket as usize] += 1;
            self.takes(bucket, wanted[bucket as usize]).map_err(|why| (vpn, why))?;
        }
        Ok(())
    }
}
