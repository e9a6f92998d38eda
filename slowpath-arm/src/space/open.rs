//! Opening and joining processes.
use super::Space;
use crate::allocator::Bounds;
use crate::process::{Coming, Ending, Held, Process, Ranges};
use crate::refusal::{BAD_OPTION, NO_PROCESS, Refusal, UNAUTHENTICATED};
use crate::share::{Source, takes};
use mneme_wire::payload::{OpenRequest, STANDING_LEASE_NS};
use mneme_wire::{Cause, Pid, Status};
use rand::RngCore;
use subtle::ConstantTimeEq;

/// Pids of a service class.
const CLASS_PIDS: u32 = 1 << (24 - Pid::CLASS_BITS);
/// The service class of boards.
const BOARD_CLASS: u8 = 15;

/// What an OPEN gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// The process.
    pub pid: u32,
    /// What another client needs to join.
    pub token: [u8; 16],
    /// The lease in nanoseconds, 0 = none.
    pub lease_ns: u64,
}

impl Space {
    /// Serves an OPEN of a source: a new process, or one that it joins. A source without a class of its own may ask for a pid of any
    /// class but the boards'; the board chooses one of class 0.
    pub fn open(
        &mut self,
        wanted: Pid,
        ask: &OpenRequest,
        source: impl Into<Source>,
        now: u64,
    ) -> Result<Opened, Refusal> {
        self.open_in(wanted, ask, (source.into(), None), now)
    }
    /// The same for a source that may have a service class: all processes that it opens are of that class.
    pub fn open_in(
        &mut self,
        wanted: Pid,
        ask: &OpenRequest,
        (source, class): (Source, Option<u8>),
        now: u64,
    ) -> Result<Opened, Refusal> {
        if wanted.class() == BOARD_CLASS {
            return Err(NO_PROCESS);
        }
        if ask.join {
            return self.join(wanted, ask, source, now);
        }
        if wanted.get() != 0 && class.is_some_and(|class| class != wanted.class()) {
            return Err(NO_PROCESS);
        }
        self.open_new(wanted, ask, (source, class.unwrap_or_default()), now)
    }

    /// Whether who shows this token may join a process: what OPEN asks of its clients, and the connection manager of RDMA's.
    /// Renews no lease.
    ///
    /// # Errors
    /// As OPEN is refused.
    pub fn may_join(&self, pid: u32, token: &[u8; 16]) -> Result<(), Refusal> {
        let process = self.processes.get(&pid).ok_or(NO_PROCESS)?;
        // The token before anything else: who does not know it neither learns nor prolongs anything.
        let knows: bool = process.token.ct_eq(token).into();
        if !knows {
            return Err(Refusal::new(Status::Denied, Cause::Rights));
        }
        if process.revoked {
            return Err(UNAUTHENTICATED);
        }
        match process.ending {
            Ending::No => Ok(()),
            Ending::Running => Err(self.busy()),
            Ending::BrokenOff => Err(NO_PROCESS),
        }
    }

    /// Its client was heard of by other ways than requests: the lease of a process begins anew. Nothing, unless the token is the
    /// process's.
    pub fn renew(&mut self, pid: u32, token: &[u8; 16], now: u64) {
        if self.may_join(pid, token).is_ok()
            && let Some(process) = self.processes.get_mut(&pid)
        {
            process.seen = process.seen.max(now);
        }
    }
    /// The lease of a process in nanoseconds, 0 = none; `None`: there is no such process.
    pub fn lease_ns(&self, pid: u32) -> Option<u64> {
        self.processes.get(&pid).map(|process| process.lease_ns)
    }

    fn join(&mut self, wanted: Pid, ask: &OpenRequest, source: Source, now: u64) -> Result<Opened, Refusal> {
        self.may_join(wanted.get(), &ask.token)?;
        let process = self.processes.get_mut(&wanted.get()).ok_or(NO_PROCESS)?;
        process.seen = process.seen.max(now);
        process.shared |= self.tenants.account(process.tenant).source != source;
        process.told |= source.tenant().is_some();
        Ok(Opened { pid: wanted.get(), token: process.token, lease_ns: process.lease_ns })
    }

    fn open_new(
        &mut self,
        wanted: Pid,
        ask: &OpenRequest,
        (source, class): (Source, u8),
        now: u64,
    ) -> Result<Opened, Refusal> {
        if self.processes.len() >= self.limits.processes {
            return Err(Refusal::new(Status::NoMemory, Cause::Processes));
        }
        let own = self.tenants.find(source).map_or(0, |tenant| tenant.processes);
        // Whoever has his share can still ask which they are, and end some: one more for a short while.
        let stands = matches!(source, Source::Tenant(_)) && (1..=STANDING_LEASE_NS).contains(&ask.lease_ns);
        let own = own.saturating_sub(usize::from(stands));
        let has_share = takes(own, self.processes.len(), self.limits.processes);
        if !has_share || own >= self.process_quota(source) {
            return Err(Refusal::new(Status::Quota, Cause::Processes));
        }
        if ask.lease_ns != 0 && ask.lease_ns < self.limits.lease_min_ns {
            return Err(BAD_OPTION.hint(self.limits.lease_min_ns));
        }
        let pid = match wanted.get() {
            0 => self.choose_pid(class, source, now)?,
            pid => self.wanted_pid(pid, source, now)?,
        };
        self.known.forget(pid);
        let mut token = ask.token;
        if token == [0; 16] {
            self.rng.fill_bytes(&mut token);
        }
        let lease_ns = ask.lease_ns.min(self.limits.lease_max_ns);
        let lease_ticks = lease_ns.div_ceil(self.ns_per_tick);
        let tenant = self.tenants.enter(source, pid);
        self.owners.enter(pid, source);
        let bounds = Bounds::new(ask.window, self.geometry().page_bits());
        let process = Process {
            tenant,
            token,
            lease_ticks,
            lease_ns,
            seen: now,
            ranges: Ranges::default(),
            held: Held::default(),
            bounds,
            cursor: bounds.first(),
            ending: Ending::No,
            claimed: false,
            rests: 0,
            revoked: false,
            shared: false,
            told: source.tenant().is_some(),
            frames: std::collections::BTreeMap::new(),
            coming: Coming::default(),
        };
        self.next_lease = self.next_lease.min(process.lease_end().unwrap_or(u64::MAX));
        self.processes.insert(pid, process);
        Ok(Opened { pid, token, lease_ns })
    }

    /// A pid that somebody asks for, if it can be given to him.
    fn wanted_pid(&mut self, pid: u32, source: Source, now: u64) -> Result<u32, Refusal> {
        self.known.look();
        let another = self.known.oldest(source, |own| own == pid).is_none();
        let enough = another && self.known.held(source) >= self.limits.processes;
        if enough || self.processes.contains_key(&pid) || !self.known.may_have(pid, source) {
            return Err(Refusal::new(Status::Denied, Cause::Pid));
        }
        match self.retired_until(pid) {
            Some(until) => Err(self.busy_until(until, now, Cause::Hold)),
            None => Ok(pid),
        }
    }

    /// The next pid of a class that is neither open nor resting, nor known to another: each is used again as late as
    /// possible. Who has had as many as may be open at once gets the one back that he had longest ago.
    fn choose_pid(&mut self, class: u8, source: Source, now: u64) -> Result<u32, Refusal> {
        self.known.look();
        let first = u32::from(class) * CLASS_PIDS;
        if self.known.held(source) < self.limits.processes {
            let tries = self.limits.processes * 2 + 1;
            for _ in 0..tries {
                let pid = first | self.next_pid;
                self.next_pid = if self.next_pid + 1 < CLASS_PIDS { self.next_pid + 1 } else { 1 };
                let known = !self.known.may_have(pid, source);
                if !known && !self.processes.contains_key(&pid) && self.retired_until(pid).is_none() {
                    return Ok(pid);
                }
            }
        }
        let own = self.known.oldest(source, |pid| pid & !(CLASS_PIDS - 1) == first);
        let pid = own.ok_or(Refusal::new(Status::NoMemory, Cause::Processes))?;
        match self.retired_until(pid) {
            Some(until) => Err(self.busy_until(until, now, Cause::Hold)),
            None => Ok(pid),
        }
    }
}
