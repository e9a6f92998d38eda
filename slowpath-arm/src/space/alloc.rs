//! Allocating ranges and changing their rights.
use super::{SLICE, Space, Span};
use crate::allocator::{Found, Hunt, NoRoom, Search, takes};
use crate::process::{Coming, Range, RangeState};
use crate::refusal::{BAD_ADDRESS, BAD_LENGTH, NO_PROCESS, NOT_ALLOCATED, Refusal};
use crate::shadow::PageShadow;
use mneme_wire::{Cause, Rights, Status};

/// What an ALLOC asks of the address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocAsk {
    /// Process.
    pub pid: u32,
    /// Pages.
    pub pages: u64,
    /// Rights of all of them.
    pub rights: Rights,
    /// This first page and no other.
    pub fixed: Option<u64>,
    /// The range is of 4 KB frames, which may fill so many pages at a time.
    pub budget: Option<u64>,
}

impl AllocAsk {
    /// Pages of physical memory that it may come to have.
    pub fn committed(&self) -> u64 {
        self.budget.unwrap_or(if self.rights.write { self.pages } else { 0 })
    }
}

/// A page has no room in its bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowded {
    /// The page.
    pub at: u64,
    /// Why.
    pub why: NoRoom,
}

impl Crowded {
    /// What a client is told.
    pub fn refusal(self) -> Refusal {
        match self.why {
            NoRoom::Full => Refusal::new(Status::NoMemory, Cause::Slots),
            NoRoom::Share => Refusal::new(Status::Quota, Cause::Slots),
        }
    }
}

impl Space {
    fn search(&self, pid: u32) -> Result<Search<'_>, Refusal> {
        let process = self.processes.get(&pid).ok_or(NO_PROCESS)?;
        Ok(Search {
            shadow: &self.shadow,
            ranges: &process.ranges,
            pid,
            tenant: process.tenant,
            share: self.limits.bucket_share,
            probes: self.limits.search_probes,
            bounds: process.bounds,
        })
    }

    /// Whether an ALLOC may go on: the process, the tenant's quotas, and what its searches have cost.
    pub fn check_alloc(&mut self, ask: &AllocAsk, now: u64) -> Result<(), Refusal> {
        let tenant = self.process_mut(ask.pid, now)?.tenant;
        self.look_at_pool();
        self.check_amount(ask, tenant)?;
        // One search in vain is nobody's fault.
        let most = self.limits.search_probes;
        let wait = self.debts.wait(self.source(ask.pid), most, now.saturating_mul(self.ns_per_tick));
        match wait {
            0 => Ok(()),
            ns => Err(Refusal::new(Status::Busy, Cause::Queue).hint(ns)),
        }
    }

    /// Begins the search for a range.
    pub fn begin_hunt(&mut self, ask: &AllocAsk) -> Result<Hunt, Refusal> {
        let cursor = self.processes.get(&ask.pid).map_or(1, |p| p.cursor);
        let mut rovers = std::mem::take(&mut self.rovers);
        let hunt = self.search(ask.pid).map(|search| search.hunt(ask.pages, cursor, &mut rovers));
        self.rovers = rovers;
        hunt
    }

    /// Goes on with a search, about `probes` pages far. A range that it finds is reserved; `None`: there is more to look at.
    pub fn hunt(
        &mut self,
        ask: &AllocAsk,
        hunt: &mut Hunt,
        probes: u64,
        now: u64,
    ) -> Result<Option<Span>, Refusal> {
        let found = self.search(ask.pid)?.go_on(hunt, probes);
        let Some(found) = found else { return Ok(None) };
        let (retries, looked) = match &found {
            Ok(found) => (found.retries, hunt.probes().saturating_sub(ask.pages)),
            Err(none) => (none.retries, hunt.probes()),
        };
        self.retries += retries;
        self.owe(ask.pid, looked, now);
        let none = match found {
            Ok(Found { start, .. }) => return self.reserve(ask, start).map(Some),
            Err(none) => none,
        };
        let (status, cause) = match none.share {
            true => (Status::Quota, Cause::QuotaSlots),
            false => (Status::NoMemory, Cause::Capacity),
        };
        Err(self.too_many(ask, status, cause, ask.pages - 1))
    }

    /// A request of this process made the board look at so many pages for nothing.
    pub fn owe(&mut self, pid: u32, pages: u64, now: u64) {
        self.debts.add(self.source(pid), pages, now.saturating_mul(self.ns_per_tick));
    }

    /// Reserves a range in the tree and in the accounts. Its pages are still to be put into the shadow.
    fn reserve(&mut self, ask: &AllocAsk, start: u64) -> Result<Span, Refusal> {
        let process = self.processes.get(&ask.pid).ok_or(NO_PROCESS)?;
        // Other requests of the tenant may have been served since the first look.
        self.check_amount(ask, process.tenant)?;
        let table = self.take_tables(ask)?;
        let pages = ask.committed();
        self.charge(ask.pid, ask.pages, pages);
        self.live_ranges += 1;
        self.enter_frames(ask, start, table);
        // What frames are charged is the range's, not that of pages that come.
        let pages = if table.is_some() { 0 } else { pages };
        if let Some(process) = self.processes.get_mut(&ask.pid) {
            process.coming = Coming { slots: ask.pages, pages };
            process.held.ranges += 1;
            process.ranges.insert(start, Range { pages: ask.pages, state: RangeState::Busy });
            if ask.fixed.is_none() {
                process.cursor = start;
            }
        }
        Ok(Span { pid: ask.pid, start, pages: ask.pages })
    }

    /// Puts some pages of a reserved range into the shadow, from page `from` on. Tells where to go on, `None` when all are
    /// there. `Err`: a page has no room in its bucket; those before it are there.
    pub fn insert_some(&mut self, span: Span, from: u64, rights: Rights) -> Result<Option<u64>, Crowded> {
        let end = span.vpns().end.min(from.saturating_add(SLICE));
        let share = self.limits.bucket_share;
        let (tenant, split) = match self.processes.get(&span.pid) {
            Some(process) => (process.tenant, process.frames.contains_key(&span.start)),
            None => return Err(Crowded { at: from, why: NoRoom::Full }),
        };
        for vpn in from..end {
            let room = takes(&self.shadow, self.geometry().bucket(span.pid, vpn), tenant, 1, share);
            if let Err(why) = room {
                return Err(Crowded { at: vpn, why });
            }
            let inserted = match split {
                true => self.shadow.insert_split(span.pid, vpn, rights, tenant),
                false => self.shadow.insert(span.pid, vpn, rights, tenant),
            };
            if !inserted {
                return Err(Crowded { at: vpn, why: NoRoom::Full });
            }
            if let Some(process) = self.processes.get_mut(&span.pid) {
                process.coming.slots -= 1;
                process.coming.pages = process.coming.pages.saturating_sub(1);
            }
        }
        Ok((end < span.vpns().end).then_some(end))
    }

    /// What was charged for pages that are not in the shadow and will not come is taken off the accounts.
    pub(crate) fn not_coming(&mut self, pid: u32) {
        let Some(process) = self.processes.get_mut(&pid) else { return };
        let Coming { slots, pages } = std::mem::take(&mut process.coming);
        self.uncharge(pid, slots, pages);
    }

    /// Bounds that do not depend on the address.
    fn check_amount(&self, ask: &AllocAsk, tenant: u32) -> Result<(), Refusal> {
        if ask.pages == 0 {
            return Err(BAD_LENGTH.hint(1));
        }
        let ranges = self.processes.get(&ask.pid).map_or(0, |p| p.ranges.len());
        if ranges >= self.limits.ranges_per_process {
            return Err(Refusal::new(Status::Quota, Cause::QuotaSlots));
        }
        let account = self.tenants.account(tenant);
        let left = |limit: Option<u64>, used: u64| limit.map_or(u64::MAX, |l| l.saturating_sub(used));
        // Scattered pages are charged, unless frames of the range are to use them.
        let scattered = self.scattered(account.source);
        let wanted = ask.committed() - ask.budget.map_or(0, |budget| budget.min(scattered));
        let slots = left(self.limits.tenant_slots, account.slots);
        let quota = self.page_quota(account.source);
        let pages = if wanted > 0 { left(quota, account.pages + scattered) } else { u64::MAX };
        let memory = if wanted > 0 { self.committable(tenant) } else { u64::MAX };
        let refuse = |status, cause, most| Err(self.too_many(ask, status, cause, most));
        if ask.pages.min(ask.budget.unwrap_or(u64::MAX)) > self.usable_pages {
            return refuse(Status::NoMemory, Cause::Capacity, self.usable_pages.min(slots).min(pages));
        }
        if ask.pages > slots {
            return refuse(Status::Quota, Cause::QuotaSlots, slots.min(pages));
        }
        if wanted > pages {
            return refuse(Status::Quota, Cause::QuotaPages, slots.min(pages));
        }
        if wanted > memory {
            return refuse(Status::NoMemory, Cause::Capacity, slots.min(pages).min(memory));
        }
        Ok(())
    }

    /// Pages that a tenant may still make writable.
    fn committable(&self, tenant: u32) -> u64 {
        match self.limits.overcommit {
            true => u64::MAX,
            false => {
                let scattered = self.scattered(self.tenants.account(tenant).source);
                self.tenants.committable(tenant, self.usable_pages - self.frames_beyond(), scattered)
            }
        }
    }

    /// A refusal for too many pages, with the number that would work: `most` at most, and a range with room.
    fn too_many(&self, ask: &AllocAsk, status: Status, cause: Cause, most: u64) -> Refusal {
        let cursor = self.processes.get(&ask.pid).map_or(1, |p| p.cursor);
        let works = self.search(ask.pid).map_or(0, |search| search.longest(most, cursor));
        Refusal::new(status, cause).hint(works)
    }

    /// Reserves a fixed address if it is usable and not taken. The hint tells a page number that would work.
    pub fn reserve_fixed(&mut self, ask: &AllocAsk, start: u64, now: u64) -> Result<Span, Refusal> {
        let search = self.search(ask.pid)?;
        let elsewhere = || search.glance(ask.pages, start.min(self.page_limit())).unwrap_or(0);
        if start == 0 || start + ask.pages > self.page_limit() {
            return Err(BAD_ADDRESS.hint(elsewhere()));
        }
        match search.ranges.overlap(start, ask.pages) {
            Some((_, Range { state: RangeState::Quarantined(until), .. })) => {
                Err(self.busy_until(until, now, Cause::Hold))
            }
            Some(_) => Err(Refusal::new(Status::NoMemory, Cause::Address).hint(elsewhere())),
            None => self.reserve(ask, start),
        }
    }

    /// The refusal of a fixed address of which a page has no room.
    pub fn no_room(&self, ask: &AllocAsk, start: u64, full: Crowded) -> Refusal {
        let search = self.search(ask.pid).ok();
        let elsewhere = search.and_then(|search| search.glance(ask.pages, start)).unwrap_or(0);
        full.refusal().hint(elsewhere)
    }

    /// Ends an ALLOC that the table took.
    pub fn end_alloc(&mut self, span: Span) {
        if let Some(process) = self.processes.get_mut(&span.pid) {
            process.ranges.set(span.start, RangeState::Live);
        }
    }

    /// Takes an ALLOC back whose pages were dropped ([`Space::drop_some`]). `failed`: pages whose entries could not be taken
    /// back. `full`: the page whose bucket turned out to be full. `ended`: if its pages are of frames, there is no segment any more.
    pub fn undo_alloc(&mut self, span: Span, failed: &[u64], full: Option<u64>, ended: bool) {
        self.frames_gone(span.pid, span.start, ended && failed.is_empty());
        self.not_coming(span.pid);
        self.range_gone(span.pid);
        if let Some(process) = self.processes.get_mut(&span.pid) {
            if failed.is_empty() {
                process.ranges.remove(span.start);
            } else {
                process.ranges.set(span.start, RangeState::Lost);
            }
        }
        if let Some(vpn) = full
            && self.shadow.damage(self.geometry().bucket(span.pid, vpn))
        {
            self.lost_slots += 1;
        }
    }

    /// Begins a PROTECT of whole pages inside one range. Tells what was known of each page before.
    pub fn begin_protect(
        &mut self,
        span: Span,
        rights: Rights,
        now: u64,
    ) -> Result<Vec<PageShadow>, Refusal> {
        let busy = self.busy();
        let process = self.process_mut(span.pid, now)?;
        let (start, range) = process.ranges.holding(span.start).ok_or(NOT_ALLOCATED)?;
        match range.state {
            RangeState::Busy => return Err(busy),
            RangeState::Quarantined(_) | RangeState::Lost => return Err(NOT_ALLOCATED),
            RangeState::Live => {}
        }
        let left = start + range.pages - span.start;
        if span.pages == 0 || span.pages > left {
            return Err(BAD_LENGTH.hint(left));
        }
        let tenant = process.tenant;
        let split = process.frames.contains_key(&start);
        // Rights of frames are those of the whole range, by whatever door.
        if split && (span.start, span.pages) != (start, range.pages) {
            return Err(BAD_LENGTH.hint(range.pages));
        }
        let known: Option<Vec<PageShadow>> = span.vpns().map(|vpn| self.shadow.page(span.pid, vpn)).collect();
        let known = known.ok_or(NOT_ALLOCATED)?;
        let commit =
            if rights.write && !split { known.iter().filter(|k| !k.committed).count() as u64 } else { 0 };
        let account = self.tenants.account(tenant);
        let used = account.pages + self.scattered(account.source);
        if let Some(limit) = self.page_quota(account.source)
            && used + commit > limit
        {
            let left = limit.saturating_sub(used);
            return Err(Refusal::new(Status::Quota, Cause::QuotaPages).hint(left));
        }
        if commit > self.committable(tenant) {
            let left = self.committable(tenant);
            return Err(Refusal::new(Status::NoMemory, Cause::Capacity).hint(left));
        }
        self.charge(span.pid, 0, commit);
        for vpn in span.vpns() {
            self.shadow.protect(span.pid, vpn, rights);
        }
        if let Some(process) = self.processes.get_mut(&span.pid) {
            process.ranges.set(start, RangeState::Busy);
        }
        Ok(known)
    }

    /// Ends a PROTECT. `undo`: what was known before, when the table refused and all pages have their old rights again.
    pub fn end_protect(&mut self, span: Span, undo: Option<&[PageShadow]>) {
        for (vpn, known) in span.vpns().zip(undo.unwrap_or_default()) {
            let now_committed = self.shadow.page(span.pid, vpn).is_some_and(|p| p.committed);
            self.shadow.restore(span.pid, vpn, *known);
            if now_committed && !known.committed {
                self.uncharge(span.pid, 0, 1);
            }
        }
        if let Some(process) = self.processes.get_mut(&span.pid)
            && let Some((start, _)) = process.ranges.holding(span.start)
        {
            process.ranges.set(start, RangeState::Live);
        }
    }
}
