//! The address space of all processes: who is open, what they have, what they may have. No I/O: every change of the page
//! table is begun here (checked and reserved), carried out by the caller, and ended here.
mod alloc;
mod open;

pub use alloc::AllocAsk;
pub use open::Opened;

use crate::allocator::Rovers;
use crate::config::{Config, Limits};
use crate::process::{Ending, Process, Range, RangeState};
use crate::refusal::{NO_PROCESS, NOT_ALLOCATED, Refusal};
use crate::shadow::Shadow;
use crate::tenant::{Tenant, Tenants};
use mneme_wire::payload::ProcessEntry;
use mneme_wire::pte::{Geometry, VA_BITS};
use mneme_wire::{Cause, Status};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Pages of a process, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Process.
    pub pid: u32,
    /// First page.
    pub start: u64,
    /// Pages.
    pub pages: u64,
}

impl Span {
    /// The page numbers.
    pub fn vpns(&self) -> std::ops::Range<u64> {
        self.start..self.start + self.pages
    }
}

/// All processes and the shadow of the table.
#[derive(Debug)]
pub struct Space {
    pub(crate) shadow: Shadow,
    pub(crate) processes: BTreeMap<u32, Process>,
    pub(crate) tenants: Tenants,
    pub(crate) rovers: Rovers,
    pub(crate) limits: Limits,
    pub(crate) rng: ChaCha12Rng,
    /// Freed ranges by the tick at which their address may be used again, oldest first: (tick, pid, start).
    quarantine: VecDeque<(u64, u32, u64)>,
    /// Pids of ended processes, likewise.
    retired: VecDeque<(u64, u32)>,
    /// Pids that left entries behind in a damaged table: never given out again.
    burnt: BTreeSet<u32>,
    pub(crate) next_pid: u32,
    pub(crate) ns_per_tick: u64,
    pub(crate) busy_hint: u32,
    /// 1¼ windows and a tick: no request of an earlier life can still execute after that.
    reuse_ticks: u64,
    pub(crate) usable_pages: u64,
    pub(crate) live_ranges: u64,
    /// Ranges that searches had to move past.
    pub(crate) retries: u64,
    /// Slots given up because the table could not be changed.
    pub(crate) lost_slots: u64,
    /// No lease ends before this tick.
    pub(crate) next_lease: u64,
}

impl Space {
    /// Nobody is open. `usable_pages` are the physical pages that processes can have.
    pub fn new(geometry: Geometry, usable_pages: u64, config: &Config) -> Space {
        let window = u64::from(config.window_ticks);
        Space {
            shadow: Shadow::new(geometry),
            processes: BTreeMap::new(),
            tenants: Tenants::default(),
            rovers: Rovers::new(geometry.buckets()),
            limits: config.limits.clone(),
            rng: ChaCha12Rng::from_seed(config.seed),
            quarantine: VecDeque::new(),
            retired: VecDeque::new(),
            burnt: BTreeSet::new(),
            next_pid: 1,
            ns_per_tick: u64::from(config.ns_per_tick.max(1)),
            busy_hint: config.busy_hint_ns,
            reuse_ticks: window + window.div_ceil(4) + 1,
            usable_pages,
            live_ranges: 0,
            retries: 0,
            lost_slots: 0,
            next_lease: u64::MAX,
        }
    }
    /// The table's shape.
    pub fn geometry(&self) -> Geometry {
        *self.shadow.geometry()
    }
    /// First page number that no process has.
    pub(crate) fn page_limit(&self) -> u64 {
        1 << (VA_BITS - self.geometry().page_bits())
    }
    /// Processes open now.
    pub fn process_count(&self) -> u64 {
        self.processes.len() as u64
    }
    /// Allocations alive now.
    pub fn live_ranges(&self) -> u64 {
        self.live_ranges
    }
    /// Page-table slots in use.
    pub fn slots_used(&self) -> u64 {
        self.shadow.total_slots() - self.shadow.free_slots()
    }
    /// The shadow, for audits.
    pub fn shadow(&self) -> &Shadow {
        &self.shadow
    }
    /// The processes, for audits.
    pub fn processes(&self) -> impl Iterator<Item = (u32, &Process)> {
        self.processes.iter().map(|(pid, p)| (*pid, p))
    }

    /// The accounts of all tenants that have a process open, for audits.
    pub fn tenants(&self) -> impl Iterator<Item = &Tenant> {
        self.tenants.iter().map(|(_, account)| account)
    }

    /// BUSY until a tick.
    pub(crate) fn busy_until(&self, tick: u64, now: u64, cause: Cause) -> Refusal {
        let ns = tick.saturating_sub(now).saturating_mul(self.ns_per_tick);
        Refusal::new(Status::Busy, cause).hint(ns.max(1))
    }
    /// BUSY because another request works on the same thing.
    pub(crate) fn busy(&self) -> Refusal {
        Refusal::new(Status::Busy, Cause::Queue).hint(u64::from(self.busy_hint))
    }

    /// The process of a request; its lease begins anew.
    pub(crate) fn process_mut(&mut self, pid: u32, now: u64) -> Result<&mut Process, Refusal> {
        let busy = self.busy();
        let process = self.processes.get_mut(&pid).ok_or(NO_PROCESS)?;
        process.seen = process.seen.max(now);
        match process.ending {
            Ending::No => Ok(process),
            Ending::Running => Err(busy),
            Ending::BrokenOff => Err(NO_PROCESS),
        }
    }

    /// Lets time pass: addresses and pids whose quarantine is over can be given out again.
    pub fn advance(&mut self, now: u64) {
        while let Some((until, pid, start)) = self.quarantine.front().copied()
            && until <= now
        {
            self.quarantine.pop_front();
            if let Some(process) = self.processes.get_mut(&pid)
                && process.ranges.get(start).is_some_and(|r| matches!(r.state, RangeState::Quarantined(_)))
            {
                process.ranges.remove(start);
            }
        }
        while self.retired.front().is_some_and(|(until, _)| *until <= now) {
            self.retired.pop_front();
        }
    }

    /// When a pid may be used again, if it was ended lately.
    pub(crate) fn retired_until(&self, pid: u32) -> Option<u64> {
        if self.burnt.contains(&pid) {
            return Some(u64::MAX);
        }
        self.retired.iter().find(|(_, p)| *p == pid).map(|(until, _)| *until)
    }

    /// Counts slots and pages against a process and its tenant.
    pub(crate) fn charge(&mut self, pid: u32, slots: u64, pages: u64) {
        let Some(process) = self.processes.get_mut(&pid) else { return };
        process.held.slots += slots;
        process.held.pages += pages;
        self.tenants.charge(process.tenant, slots, pages);
    }
    /// Takes slots and pages off the accounts of a process and its tenant.
    pub(crate) fn uncharge(&mut self, pid: u32, slots: u64, pages: u64) {
        let Some(process) = self.processes.get_mut(&pid) else { return };
        process.held.slots -= slots;
        process.held.pages -= pages;
        self.tenants.uncharge(process.tenant, slots, pages);
    }
    /// A range of a process is no longer alive.
    pub(crate) fn range_gone(&mut self, pid: u32) {
        self.live_ranges -= 1;
        if let Some(process) = self.processes.get_mut(&pid) {
            process.held.ranges -= 1;
        }
    }

    /// The processes of a source address with pids greater than `after`, `most` of them at most. Renews no lease.
    pub fn list(&self, ip: [u8; 4], after: u32, most: usize, now: u64) -> Vec<ProcessEntry> {
        let of_pid = |pid: u32| self.processes.get(&pid).map(|process| (pid, process));
        let entry = |(pid, process): (u32, &Process)| ProcessEntry {
            pid,
            ending: process.ending == Ending::Running,
            broken: process.ending == Ending::BrokenOff,
            lease_ns: process.lease_ns,
            silent_ns: now.saturating_sub(process.seen).saturating_mul(self.ns_per_tick),
            slots: process.held.slots,
            pages: process.held.pages,
            ranges: process.held.ranges,
        };
        self.tenants.pids_after(ip, after).filter_map(of_pid).map(entry).take(most).collect()
    }

    /// Begins a FREE: the range that ALLOC answered at `start`, with its length if the client tells it.
    pub fn begin_free(
        &mut self,
        pid: u32,
        start: u64,
        pages: Option<u64>,
        now: u64,
    ) -> Result<Span, Refusal> {
        let busy = self.busy();
        let full = (self.quarantine.len() >= self.limits.quarantine)
            .then(|| self.quarantine.front().map_or(now, |(until, ..)| *until));
        let wait = full.map(|until| self.busy_until(until, now, Cause::Queue));
        let process = self.process_mut(pid, now)?;
        let range = process.ranges.get(start).ok_or(NOT_ALLOCATED)?;
        match range.state {
            RangeState::Busy => return Err(busy),
            RangeState::Quarantined(_) | RangeState::Lost => return Err(NOT_ALLOCATED),
            RangeState::Live => {}
        }
        if pages.is_some_and(|wanted| wanted != range.pages) {
            return Err(Refusal::new(Status::BadRequest, Cause::Length).hint(range.pages));
        }
        if let Some(wait) = wait {
            return Err(wait);
        }
        process.ranges.set(start, RangeState::Busy);
        Ok(Span { pid, start, pages: range.pages })
    }

    /// Ends a FREE. `failed`: pages that the table would not let go; their slots and addresses are lost for good.
    pub fn end_free(&mut self, span: Span, failed: &[u64], now: u64) {
        self.drop_pages(span, failed);
        self.range_gone(span.pid);
        let until = now + self.reuse_ticks;
        let Some(process) = self.processes.get_mut(&span.pid) else { return };
        if failed.is_empty() {
            process.ranges.set(span.start, RangeState::Quarantined(until));
            self.quarantine.push_back((until, span.pid, span.start));
        } else {
            process.ranges.set(span.start, RangeState::Lost);
        }
    }

    /// Takes the pages of a span out of the shadow and the tenant's account.
    pub(crate) fn drop_pages(&mut self, span: Span, failed: &[u64]) {
        for vpn in span.vpns() {
            self.drop_page(span.pid, vpn, failed.contains(&vpn));
        }
    }

    /// Takes a page out of the shadow and the tenant's account; a lost one's slot is not given out again.
    fn drop_page(&mut self, pid: u32, vpn: u64, lost: bool) {
        let known = if lost {
            let known = self.shadow.page(pid, vpn);
            self.shadow.damage_page(pid, vpn);
            self.lost_slots += 1;
            known
        } else {
            self.shadow.remove(pid, vpn)
        };
        if let Some(known) = known {
            self.uncharge(pid, 1, u64::from(known.committed));
        }
    }

    /// A request of this process broke off halfway: the range that it worked on is given up, and the process can go on, and
    /// end. If it was its EXIT, nothing is given up, and the process can only end.
    pub fn abandon(&mut self, pid: u32) {
        let Some(process) = self.processes.get_mut(&pid) else { return };
        if process.ending == Ending::Running {
            process.ending = Ending::BrokenOff;
        }
        let busy = process.ranges.iter().filter(|(_, range)| range.state == RangeState::Busy);
        let spans: Vec<Span> = busy.map(|(start, range)| Span { pid, start, pages: range.pages }).collect();
        for span in &spans {
            process.ranges.set(span.start, RangeState::Lost);
        }
        for span in spans {
            span.vpns().for_each(|vpn| self.drop_page(pid, vpn, true));
            self.range_gone(pid);
        }
    }

    /// Begins an EXIT: nothing else of the process goes on. Tells its live ranges, and whether an earlier EXIT broke off, so
    /// that some of their pages may be gone from the table.
    pub fn begin_exit(&mut self, pid: u32, now: u64) -> Result<(Vec<Span>, bool), Refusal> {
        let again = self.processes.get(&pid).is_some_and(|process| process.ending == Ending::BrokenOff);
        let busy = self.busy();
        let full = (self.retired.len() >= self.limits.processes)
            .then(|| self.retired.front().map_or(now, |(until, _)| *until));
        let wait = full.map(|until| self.busy_until(until, now, Cause::Queue));
        let process = match self.processes.get_mut(&pid) {
            Some(process) if again => process,
            _ => self.process_mut(pid, now)?,
        };
        if process.ranges.iter().any(|(_, r)| r.state == RangeState::Busy) {
            return Err(busy);
        }
        if let Some(wait) = wait {
            return Err(wait);
        }
        process.ending = Ending::Running;
        let live = process.ranges.iter().filter(|(_, r)| r.state == RangeState::Live);
        let spans = live.map(|(start, range): (u64, Range)| Span { pid, start, pages: range.pages });
        Ok((spans.collect(), again))
    }

    /// Ends an EXIT: the process is gone, its pid rests for 1¼ windows.
    pub fn end_exit(&mut self, pid: u32, spans: &[Span], failed: &[u64], now: u64) {
        for span in spans {
            self.drop_pages(*span, failed);
        }
        self.live_ranges -= spans.len() as u64;
        if let Some(process) = self.processes.remove(&pid) {
            self.tenants.leave(process.tenant, pid);
            if !failed.is_empty() || process.ranges.iter().any(|(_, r)| r.state == RangeState::Lost) {
                self.burnt.insert(pid);
                return;
            }
            self.retired.push_back((now + self.reuse_ticks, pid));
        }
    }

    /// Processes whose lease has run out.
    pub fn silent(&mut self, now: u64) -> Vec<u32> {
        if now < self.next_lease {
            return Vec::new();
        }
        let ends = |p: &Process| if p.ending == Ending::Running { None } else { p.lease_end() };
        let ended = |p: &Process| ends(p).is_some_and(|end| end <= now);
        let silent: Vec<u32> = self.processes.iter().filter(|(_, p)| ended(p)).map(|(pid, _)| *pid).collect();
        let later = self.processes.values().filter(|p| !ended(p)).filter_map(ends).min();
        // A process that cannot be reclaimed at once is looked at again soon.
        let soon = if silent.is_empty() { u64::MAX } else { now + self.reuse_ticks };
        self.next_lease = later.unwrap_or(u64::MAX).min(soon);
        silent
    }
}
