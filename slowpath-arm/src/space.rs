//! The address space of all processes: who is open, what they have, what they may have. No I/O: every change of the page
//! table is begun here (checked and reserved), carried out by the caller, and ended here.
mod alloc;
mod exit;
mod frames;
mod known;
mod open;

pub use alloc::{AllocAsk, Crowded};
pub use frames::FrameSpan;
pub use open::Opened;

use self::known::KnownPids;
use crate::allocator::Rovers;
use crate::config::{Config, Limits};
use crate::debts::Debts;
use crate::leaf::{LeafArea, SEGMENTS};
use crate::process::{Ending, Process, RangeState};
use crate::refusal::{NO_PROCESS, NOT_ALLOCATED, Refusal, UNAUTHENTICATED};
use crate::scattered::Scattered;
use crate::shadow::Shadow;
use crate::share::{Shares, Source};
use crate::tenant::{Owners, Tenant, Tenants};
use mneme_auth::TenantList;
use mneme_wire::payload::ProcessEntry;
use mneme_wire::pte::{Geometry, VA_BITS};
use mneme_wire::{Cause, Status};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64};

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

/// A freed range whose address is not given out yet.
#[derive(Debug, Clone, Copy)]
struct Resting {
    pid: u32,
    start: u64,
    source: Source,
}

/// Pages of a range that one hold of the address space puts into the shadow, changes or takes out.
pub(crate) const SLICE: u64 = 512;

/// All processes and the shadow of the table.
#[derive(Debug)]
pub struct Space {
    pub(crate) shadow: Shadow,
    pub(crate) processes: BTreeMap<u32, Process>,
    pub(crate) tenants: Tenants,
    /// Whose the processes are, for those who do not wait for the address space.
    pub(crate) owners: Arc<Owners>,
    pub(crate) rovers: Rovers,
    pub(crate) limits: Limits,
    /// Tenants with quotas of their own.
    listed: Arc<TenantList>,
    pub(crate) rng: ChaCha12Rng,
    /// What searches have cost whom.
    pub(crate) debts: Debts,
    /// Freed ranges by the tick at which their address may be used again, oldest first.
    quarantine: VecDeque<(u64, Resting)>,
    /// Who has how many of them.
    resting: Shares,
    /// Pids of ended processes, likewise, with those who had them.
    retired: VecDeque<(u64, u32, Source)>,
    leaving: Shares,
    /// Pids that left entries behind in a damaged table: never given out again.
    burnt: BTreeSet<u32>,
    /// Pids that are not for everybody, since keys of theirs are known.
    known: KnownPids,
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
    /// Leaf tables; a board without a leaf unit has none.
    leaf: LeafArea,
    /// Who has how many of the leaf unit's segments.
    segments: Shares,
    /// Pages of all frame ranges' budgets.
    frame_pages: u64,
    /// Who is charged for board pages that no range has any more and that the leaf unit cannot give back.
    scattered: Scattered,
    /// Board pages that the leaf unit has.
    pub(crate) pool: Arc<AtomicU64>,
}

impl Space {
    /// Nobody is open. `usable_pages` are the physical pages that processes can have.
    pub fn new(geometry: Geometry, usable_pages: u64, config: &Config) -> Space {
        let window = u64::from(config.window_ticks);
        Space {
            shadow: Shadow::new(geometry),
            processes: BTreeMap::new(),
            tenants: Tenants::new(config.limits.tenant_reserve.unwrap_or(usable_pages / 16)),
            owners: Arc::default(),
            rovers: Rovers::new(geometry.buckets()),
            limits: config.limits.clone(),
            listed: Arc::new(config.tenants.clone()),
            rng: ChaCha12Rng::from_seed(config.seed),
            debts: Debts::new(config.limits.search_rate, config.limits.processes),
            quarantine: VecDeque::new(),
            resting: Shares::new(config.limits.quarantine),
            retired: VecDeque::new(),
            leaving: Shares::new(config.limits.processes),
            burnt: BTreeSet::new(),
            known: KnownPids::default(),
            next_pid: 1,
            ns_per_tick: u64::from(config.ns_per_tick.max(1)),
            busy_hint: config.busy_hint_ns,
            reuse_ticks: window + window.div_ceil(4) + 1,
            usable_pages,
            live_ranges: 0,
            retries: 0,
            lost_slots: 0,
            next_lease: u64::MAX,
            leaf: LeafArea::default(),
            segments: Shares::new(SEGMENTS),
            frame_pages: 0,
            scattered: Scattered::default(),
            pool: Arc::default(),
        }
    }
    /// Processes have keys, of this generation now.
    pub(crate) fn set_keys(&mut self, generation: Arc<AtomicU32>) {
        self.known = KnownPids::of(generation);
    }
    /// Other tenants are known from now on. What they have beyond a quota that has become smaller stays theirs.
    pub(crate) fn set_listed(&mut self, listed: Arc<TenantList>) {
        self.listed = listed;
    }
    /// Processes that a tenant may have open, whatever its share.
    pub(crate) fn process_quota(&self, source: Source) -> usize {
        let own = self.listed.terms(source.tenant()).processes;
        own.map_or(usize::MAX, |most| most as usize).min(self.limits.tenant_processes)
    }
    /// Pages that a tenant may have allocated writable; `None`: no bound of its own.
    pub(crate) fn page_quota(&self, source: Source) -> Option<u64> {
        let own = self.listed.terms(source.tenant()).memory.map(|bytes| bytes >> self.geometry().page_bits());
        own.into_iter().chain(self.limits.tenant_pages).min()
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
        if process.revoked {
            return Err(UNAUTHENTICATED);
        }
        process.seen = process.seen.max(now);
        match process.ending {
            Ending::No => Ok(process),
            Ending::Running => Err(busy),
            Ending::BrokenOff => Err(NO_PROCESS),
        }
    }

    /// Lets time pass: addresses and pids whose quarantine is over can be given out again.
    pub fn advance(&mut self, now: u64) {
        self.look_at_pool();
        while let Some((until, resting)) = self.quarantine.front().copied()
            && until <= now
        {
            self.quarantine.pop_front();
            self.resting.leave(resting.source);
            if let Some(process) = self.processes.get_mut(&resting.pid)
                && let Some(range) = process.ranges.get(resting.start)
                && matches!(range.state, RangeState::Quarantined(_))
            {
                process.ranges.remove(resting.start);
            }
        }
        while let Some((until, _, source)) = self.retired.front().copied()
            && until <= now
        {
            self.retired.pop_front();
            self.leaving.leave(source);
        }
    }

    /// The source to whom a process counts.
    pub(crate) fn source(&self, pid: u32) -> Source {
        self.processes
            .get(&pid)
            .map_or(Source::default(), |process| self.tenants.account(process.tenant).source)
    }

    /// When a pid may be used again, if it was ended lately.
    pub(crate) fn retired_until(&self, pid: u32) -> Option<u64> {
        if self.burnt.contains(&pid) {
            return Some(u64::MAX);
        }
        self.retired.iter().find(|(_, p, _)| *p == pid).map(|(until, ..)| *until)
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

    /// The processes of a source with pids greater than `after`, `most` of them at most. Renews no lease.
    pub fn list(&self, source: impl Into<Source>, after: u32, most: usize, now: u64) -> Vec<ProcessEntry> {
        let entry = |pid: u32| self.processes.get(&pid).map(|process| self.entry(pid, process, now));
        self.tenants.pids_after(source.into(), after).filter_map(entry).take(most).collect()
    }
    /// The same of the tenant of a process, whose key has proved who asks. One that another tenant has joined, who has that key,
    /// too, tells of itself alone.
    pub fn list_of(&self, pid: u32, after: u32, most: usize, now: u64) -> Result<Vec<ProcessEntry>, Refusal> {
        let process = self.processes.get(&pid).ok_or(NO_PROCESS)?;
        if process.revoked {
            return Err(UNAUTHENTICATED);
        }
        if process.shared {
            let itself = (pid > after).then(|| self.entry(pid, process, now));
            return Ok(itself.into_iter().take(most).collect());
        }
        Ok(self.list(self.tenants.account(process.tenant).source, after, most, now))
    }
    fn entry(&self, pid: u32, process: &Process, now: u64) -> ProcessEntry {
        ProcessEntry {
            pid,
            ending: process.ending == Ending::Running,
            broken: process.ending == Ending::BrokenOff,
            lease_ns: process.lease_ns,
            silent_ns: now.saturating_sub(process.seen).saturating_mul(self.ns_per_tick),
            slots: process.held.slots,
            pages: process.held.pages,
            ranges: process.held.ranges,
        }
    }
    /// Whether whoever has the key of one process may end another one: both are of the same tenant, who has proved that, and no
    /// other tenant has joined the first one. Nobody is told of the processes of others.
    pub fn speaks_for(&mut self, pid: u32, other: u32, now: u64) -> Result<(), Refusal> {
        let process = self.process_mut(pid, now)?;
        if process.shared && pid != other {
            return Err(Refusal::new(Status::Denied, Cause::Rights));
        }
        let tenant = process.tenant;
        let proved = matches!(self.tenants.account(tenant).source, Source::Tenant(_));
        let alike = self.processes.get(&other).is_some_and(|process| process.tenant == tenant);
        if proved && alike { Ok(()) } else { Err(NO_PROCESS) }
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
        let full = !self.resting.has_room(self.source(pid));
        let until = self.quarantine.front().map_or(now, |(until, _)| *until);
        let wait = full.then(|| self.busy_until(until, now, Cause::Queue));
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

    /// Ends a FREE whose pages were dropped ([`Space::drop_some`]). `failed`: pages that the table would not let go; their
    /// slots and addresses are lost for good.
    pub fn end_free(&mut self, span: Span, failed: &[u64], now: u64) {
        self.range_gone(span.pid);
        let (until, source) = (now + self.reuse_ticks, self.source(span.pid));
        let Some(process) = self.processes.get_mut(&span.pid) else { return };
        if failed.is_empty() {
            // There was room when it began: no more than workers have been promised the same place.
            self.resting.add(source);
            process.ranges.set(span.start, RangeState::Quarantined(until));
            self.quarantine.push_back((until, Resting { pid: span.pid, start: span.start, source }));
        } else {
            process.ranges.set(span.start, RangeState::Lost);
        }
    }

    /// Takes some pages of a span, from page `from` on, out of the shadow and the tenant's account. Tells where to go on,
    /// or `None` when all are gone. `failed` is in order.
    pub fn drop_some(&mut self, span: Span, from: u64, failed: &[u64]) -> Option<u64> {
        let vpns = span.vpns();
        let end = vpns.end.min(from.saturating_add(SLICE));
        for vpn in from..end {
            self.drop_page(span.pid, vpn, failed.binary_search(&vpn).is_ok());
        }
        (end < vpns.end).then_some(end)
    }

    /// Takes a page out of the shadow and the tenant's account; a lost one's slot is not given out again.
    fn drop_page(&mut self, pid: u32, vpn: u64, lost: bool) {
        let known = if lost {
            let known = self.shadow.page(pid, vpn);
            self.shadow.damage_page(pid, vpn);
            self.lost_slots += u64::from(known.is_some());
            known
        } else {
            self.shadow.remove(pid, vpn)
        };
        if let Some(known) = known {
            self.uncharge(pid, 1, u64::from(known.committed));
        }
    }
}
