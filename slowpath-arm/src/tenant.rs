//! Tenants: those that have proved themselves by their keys, else source addresses. They carry the quotas, and what is kept of memory for each.
use crate::shadow::TenantId;
use crate::share::Source;
use parking_lot::RwLock;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One tenant's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tenant {
    /// Whose it is.
    pub source: Source,
    /// Processes open.
    pub processes: usize,
    /// Page-table slots in use.
    pub slots: u64,
    /// Pages that are or were writable, so that they may hold physical memory.
    pub pages: u64,
}

/// All tenants that have a process open.
#[derive(Debug, Clone)]
pub struct Tenants {
    by_source: BTreeMap<Source, TenantId>,
    accounts: Vec<Tenant>,
    unused: Vec<TenantId>,
    /// The open processes of each tenant.
    pids: BTreeSet<(TenantId, u32)>,
    /// Pages that are kept for each tenant.
    reserve: u64,
    /// Those of them that the tenants here have not used.
    kept: u64,
    /// Pages that are or were writable, of all.
    pages: u64,
}

impl Tenants {
    /// Nobody is there yet. Of physical memory `reserve` pages are kept for each.
    pub fn new(reserve: u64) -> Tenants {
        Tenants {
            by_source: BTreeMap::new(),
            accounts: Vec::new(),
            unused: Vec::new(),
            pids: BTreeSet::new(),
            reserve,
            kept: 0,
            pages: 0,
        }
    }
    /// The account of a source, if it has processes open.
    pub fn find(&self, source: Source) -> Option<&Tenant> {
        self.by_source.get(&source).map(|id| &self.accounts[*id as usize])
    }
    /// The account behind a handle.
    pub fn account(&self, id: TenantId) -> &Tenant {
        &self.accounts[id as usize]
    }
    /// The open processes of a source with pids greater than `after`, ascending.
    pub fn pids_after(&self, source: Source, after: u32) -> impl Iterator<Item = u32> + '_ {
        let range = |id: &TenantId| self.pids.range((*id, after.saturating_add(1))..=(*id, u32::MAX));
        self.by_source.get(&source).map(range).into_iter().flatten().map(|(_, pid)| *pid)
    }
    /// A process of this source opens.
    pub fn enter(&mut self, source: Source, pid: u32) -> TenantId {
        let (accounts, unused) = (&mut self.accounts, &mut self.unused);
        let (kept, reserve) = (&mut self.kept, self.reserve);
        let id = *self.by_source.entry(source).or_insert_with(|| {
            *kept += reserve;
            let fresh = Tenant { source, ..Tenant::default() };
            match unused.pop() {
                Some(id) => {
                    accounts[id as usize] = fresh;
                    id
                }
                None => {
                    accounts.push(fresh);
                    (accounts.len() - 1) as TenantId
                }
            }
        });
        self.accounts[id as usize].processes += 1;
        self.pids.insert((id, pid));
        id
    }
    /// A process of the tenant is gone, and all its pages.
    pub fn leave(&mut self, id: TenantId, pid: u32) {
        self.pids.remove(&(id, pid));
        let account = &mut self.accounts[id as usize];
        account.processes -= 1;
        if account.processes == 0 {
            self.kept -= self.reserve.saturating_sub(account.pages);
            self.pages -= account.pages;
            self.by_source.remove(&account.source);
            self.unused.push(id);
        }
    }
    /// Pages that a tenant may make writable, of `usable` pages of memory: what nobody has, less what is kept for others and
    /// for one that is not here yet; its own reserve in any case while there is memory, but for `scattered` pages that it keeps from
    /// all though they are not on its account.
    pub fn committable(&self, id: TenantId, usable: u64, scattered: u64) -> u64 {
        let free = usable.saturating_sub(self.pages);
        let own = self.reserve.saturating_sub(self.account(id).pages);
        let others = (self.kept - own).saturating_add(self.reserve);
        free.saturating_sub(others).max(free.min(own.saturating_sub(scattered)))
    }
    /// Counts slots and pages against a tenant.
    pub fn charge(&mut self, id: TenantId, slots: u64, pages: u64) {
        let account = &mut self.accounts[id as usize];
        let before = self.reserve.saturating_sub(account.pages);
        account.slots += slots;
        account.pages += pages;
        self.pages += pages;
        self.kept -= before - self.reserve.saturating_sub(account.pages);
    }
    /// Takes slots and pages off a tenant's account.
    pub fn uncharge(&mut self, id: TenantId, slots: u64, pages: u64) {
        let account = &mut self.accounts[id as usize];
        let before = self.reserve.saturating_sub(account.pages);
        account.slots -= slots;
        account.pages -= pages;
        self.pages -= pages;
        self.kept += self.reserve.saturating_sub(account.pages) - before;
    }
    /// Every account with open processes.
    pub fn iter(&self) -> impl Iterator<Item = (TenantId, &Tenant)> {
        self.by_source.values().map(|id| (*id, &self.accounts[*id as usize]))
    }
}

/// Whose the processes of tenants are that have proved themselves. The poller looks here, without the address space.
#[derive(Debug, Default)]
pub(crate) struct Owners(RwLock<HashMap<u32, Source>>);

impl Owners {
    pub(crate) fn enter(&self, pid: u32, source: Source) {
        if matches!(source, Source::Tenant(_)) {
            self.0.write().insert(pid, source);
        }
    }
    pub(crate) fn leave(&self, pid: u32) {
        if self.0.read().contains_key(&pid) {
            self.0.write().remove(&pid);
        }
    }
    /// The tenant of a process, if that has proved itself.
    pub(crate) fn find(&self, pid: u32) -> Option<Source> {
        self.0.read().get(&pid).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Source = Source::Address([10, 0, 0, 1]);
    const TWO: Source = Source::Address([10, 0, 0, 2]);

    #[test]
    fn memory_is_kept_for_who_is_here_and_for_one_who_is_not() {
        let mut tenants = Tenants::new(10);
        let one = tenants.enter(ONE, 1);
        assert_eq!(tenants.committable(one, 160, 0), 150, "one reserve is for a newcomer");
        tenants.charge(one, 150, 150);
        assert_eq!(tenants.committable(one, 160, 0), 0);
        let two = tenants.enter(TWO, 2);
        assert_eq!(tenants.committable(two, 160, 0), 10);
        tenants.charge(two, 4, 4);
        assert_eq!((tenants.committable(two, 160, 0), tenants.committable(one, 160, 0)), (6, 0));
        tenants.uncharge(one, 100, 100);
        // 106 are free: 6 are the other's, 10 a newcomer's.
        assert_eq!((tenants.committable(two, 160, 0), tenants.committable(one, 160, 0)), (96, 90));
        // 254 pages, of which the leaf unit has 237 that nobody is charged for.
        tenants.uncharge(one, 49, 49);
        assert_eq!((tenants.committable(one, 17, 0), tenants.committable(one, 17, 237)), (9, 0));
        tenants.charge(one, 49, 49);
        tenants.uncharge(two, 4, 4);
        tenants.leave(two, 2);
        tenants.uncharge(one, 50, 50);
        tenants.leave(one, 1);
        assert_eq!((tenants.kept, tenants.pages), (0, 0));
    }
}
