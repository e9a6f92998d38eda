//! The end of processes: EXIT, leases that run out, requests that broke off.
use super::{Space, Span};
use crate::process::{Ending, Process, Range, RangeState};
use crate::refusal::Refusal;
use crate::share::Source;
use mneme_auth::PublicKey;
use mneme_wire::Cause;

impl Space {
    /// A request of this process broke off halfway: the range that it worked on is given up, and the process can go on, and
    /// end. If it was its EXIT, nothing is given up, and the process can only end.
    pub fn abandon(&mut self, pid: u32) {
        self.not_coming(pid);
        let Some(process) = self.processes.get_mut(&pid) else { return };
        if process.ending == Ending::Running {
            process.ending = Ending::BrokenOff;
            // Its lease counts again.
            self.next_lease = self.next_lease.min(process.lease_end().unwrap_or(u64::MAX));
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
        let full = !self.leaving.has_room(self.source(pid));
        let until = self.retired.front().map_or(now, |(until, ..)| *until);
        let wait = full.then(|| self.busy_until(until, now, Cause::Queue));
        let process = match self.processes.get_mut(&pid) {
            // Of a revoked tenant's processes the board alone asks for the end.
            Some(process) if again || process.revoked && process.ending == Ending::No => process,
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

    /// Ends an EXIT whose pages were dropped ([`Space::drop_some`]): the process is gone, its pid rests for 1¼ windows.
    pub fn end_exit(&mut self, pid: u32, ranges: usize, failed: &[u64], now: u64) {
        self.live_ranges -= ranges as u64;
        let source = self.source(pid);
        if let Some(process) = self.processes.remove(&pid) {
            self.tenants.leave(process.tenant, pid);
            self.owners.leave(pid);
            if process.told {
                self.known.ended(pid, source, process.shared);
            }
            let lost = process.ranges.iter().any(|(_, r)| r.state == RangeState::Lost);
            if !failed.is_empty() || lost {
                self.burnt.insert(pid);
                return;
            }
            // There was room when it began: no more than workers have been promised the same place.
            self.leaving.add(source);
            self.retired.push_back((now + self.reuse_ticks, pid, source));
        }
    }

    /// Processes whose lease has run out and their tenants, `most` at most. Each is told once, until [`Space::unclaim`].
    pub fn silent(&mut self, now: u64, most: usize) -> Vec<(u32, Source)> {
        if now < self.next_lease {
            return Vec::new();
        }
        let ends = |p: &Process| {
            let is_left = p.claimed || p.ending == Ending::Running;
            if is_left { None } else { p.lease_end() }
        };
        let ended = |p: &Process| ends(p).is_some_and(|end| end <= now);
        let all = self.processes.iter().filter(|(_, p)| ended(p)).map(|(pid, _)| *pid);
        let silent: Vec<u32> = all.take(most.saturating_add(1)).collect();
        let later = self.processes.values().filter(|p| !ended(p)).filter_map(ends).min();
        let claimed = &silent[..silent.len().min(most)];
        // Those that are left over are looked for at once.
        self.next_lease = if silent.len() > most { now } else { later.unwrap_or(u64::MAX) };
        for pid in claimed {
            if let Some(process) = self.processes.get_mut(pid) {
                process.claimed = true;
            }
        }
        claimed.iter().map(|pid| (*pid, self.source(*pid))).collect()
    }

    /// The tenants who may use the board have changed. All processes of those who no longer may are to be reclaimed; tells how
    /// many.
    pub fn revoke(&mut self, stays: impl Fn(&PublicKey) -> bool) -> usize {
        let tenants = &self.tenants;
        let gone = |process: &Process| match tenants.account(process.tenant).source {
            Source::Tenant(key) => !process.revoked && !stays(&key),
            Source::Address(_) => false,
        };
        let mut revoked = 0;
        for process in self.processes.values_mut().filter(|process| gone(process)) {
            process.revoked = true;
            revoked += 1;
        }
        if revoked > 0 {
            self.next_lease = 0;
        }
        revoked
    }

    /// Whether a claimed process is still silent, so that it is to be reclaimed now, and whether it is because its tenant was
    /// revoked.
    pub fn is_silent(&self, pid: u32, now: u64) -> (bool, bool) {
        let process = self.processes.get(&pid);
        let silent = process.and_then(Process::lease_end).is_some_and(|end| end <= now);
        (silent, process.is_some_and(|process| process.revoked))
    }

    /// A claimed process was not reclaimed: it is looked at again soon, or when its lease ends.
    pub fn unclaim(&mut self, pid: u32, now: u64) {
        self.unclaim_until(pid, now + self.reuse_ticks);
    }
    /// The same, not before a tick.
    pub(crate) fn unclaim_until(&mut self, pid: u32, tick: u64) {
        let Some(process) = self.processes.get_mut(&pid) else { return };
        (process.claimed, process.rests) = (false, tick);
        self.next_lease = self.next_lease.min(process.lease_end().unwrap_or(u64::MAX));
    }
}
