//! Allocating ranges and changing their rights.
use super::{Space, Span};
use crate::allocator::{Found, NoRoom, Search};
use crate::process::{Range, RangeState};
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

    /// Begins an ALLOC: finds the range and reserves it in the tree, the shadow and the tenant's account.
    pub fn begin_alloc(&mut self, ask: &AllocAsk, now: u64) -> Result<Span, Refusal> {
        let tenant = self.process_mut(ask.pid, now)?.tenant;
        self.check_amount(ask, tenant)?;
        let start = match ask.fixed {
            Some(start) => self.check_fixed(ask, start, now)?,
            None => self.find_range(ask)?,
        };
        for vpn in start..start + ask.pages {
            if !self.shadow.insert(ask.pid, vpn, ask.rights, tenant) {
                // The search just counted this slot as free; should the count ever be wrong, nothing may stay behind.
                for done in start..vpn {
                    self.shadow.remove(ask.pid, done);
                }
                return Err(Refusal::new(Status::NoMemory, Cause::Slots));
            }
        }
        let pages = if ask.rights.write { ask.pages } else { 0 };
        self.charge(ask.pid, ask.pages, pages);
        self.live_ranges += 1;
        if let Some(process) = self.processes.get_mut(&ask.pid) {
            process.held.ranges += 1;
            process.ranges.insert(start, Range { pages: ask.pages, state: RangeState::Busy });
            if ask.fixed.is_none() {
                process.cursor = start;
            }
        }
        Ok(Span { pid: ask.pid, start, pages: ask.pages })
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
        let slots = left(self.limits.tenant_slots, account.slots);
        let pages = if ask.rights.write { left(self.limits.tenant_pages, account.pages) } else { u64::MAX };
        let refuse = |status, cause, most| Err(self.too_many(ask, status, cause, most));
        if ask.pages > self.usable_pages {
            return refuse(Status::NoMemory, Cause::Capacity, self.usable_pages.min(slots).min(pages));
        }
        if ask.pages > slots {
            return refuse(Status::Quota, Cause::QuotaSlots, slots.min(pages));
        }
        if ask.pages > pages {
            return refuse(Status::Quota, Cause::QuotaPages, slots.min(pages));
        }
        Ok(())
    }

    /// A refusal for too many pages, with the number that would work: `most` at most, and a range with room.
    fn too_many(&self, ask: &AllocAsk, status: Status, cause: Cause, most: u64) -> Refusal {
        let cursor = self.processes.get(&ask.pid).map_or(1, |p| p.cursor);
        let works = self.search(ask.pid).map_or(0, |search| search.longest(most, cursor));
        Refusal::new(status, cause).hint(works)
    }

    fn find_range(&mut self, ask: &AllocAsk) -> Result<u64, Refusal> {
        let cursor = self.processes.get(&ask.pid).map_or(1, |p| p.cursor);
        let mut rovers = std::mem::take(&mut self.rovers);
        let found = self.search(ask.pid).map(|search| search.place(ask.pages, cursor, &mut rovers));
        self.rovers = rovers;
        let none = match found? {
            Ok(Found { start, retries }) => {
                self.retries += retries;
                return Ok(start);
            }
            Err(none) => none,
        };
        self.retries += none.retries;
        let (status, cause) = match none.share {
            true => (Status::Quota, Cause::QuotaSlots),
            false => (Status::NoMemory, Cause::Capacity),
        };
        Err(self.too_many(ask, status, cause, ask.pages - 1))
    }

    /// A fixed address: usable, not taken, room in every bucket. The hint tells a page number that would work.
    fn check_fixed(&self, ask: &AllocAsk, start: u64, now: u64) -> Result<u64, Refusal> {
        let search = self.search(ask.pid)?;
        let elsewhere =
            || search.find(ask.pages, start.min(self.page_limit())).map_or(0, |found| found.start);
        if start == 0 || start + ask.pages > self.page_limit() {
            return Err(BAD_ADDRESS.hint(elsewhere()));
        }
        match search.ranges.overlap(start, ask.pages) {
            Some((_, Range { state: RangeState::Quarantined(until), .. })) => {
                return Err(self.busy_until(until, now, Cause::Hold));
            }
            Some(_) => return Err(Refusal::new(Status::NoMemory, Cause::Address).hint(elsewhere())),
            None => {}
        }
        match search.fits(start, ask.pages) {
            Ok(()) => Ok(start),
            Err((_, NoRoom::Full)) => Err(Refusal::new(Status::NoMemory, Cause::Slots).hint(elsewhere())),
            Err((_, NoRoom::Share)) => Err(Refusal::new(Status::Quota, Cause::Slots).hint(elsewhere())),
        }
    }

    /// Ends an ALLOC that the table took.
    pub fn end_alloc(&mut self, span: Span) {
        if let Some(process) = self.processes.get_mut(&span.pid) {
            process.ranges.set(span.start, RangeState::Live);
        }
    }

    /// Takes an ALLOC back that the table refused. `failed`: pages whose entries could not be taken back. `full`: the page
    /// whose bucket turned out to be full.
    pub fn undo_alloc(&mut self, span: Span, failed: &[u64], full: Option<u64>) {
        self.drop_pages(span, failed);
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
        let known: Option<Vec<PageShadow>> = span.vpns().map(|vpn| self.shadow.page(span.pid, vpn)).collect();
        let known = known.ok_or(NOT_ALLOCATED)?;
        let commit = if rights.write { known.iter().filter(|k| !k.committed).count() as u64 } else { 0 };
        let used = self.tenants.account(tenant).pages;
        if let Some(limit) = self.limits.tenant_pages
            && used + commit > limit
        {
            let left = limit.saturating_sub(used);
            return Err(Refusal::new(Status::Quota, Cause::QuotaPages).hint(left));
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
