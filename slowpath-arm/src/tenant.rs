//! Tenants: without a controller, source addresses. They carry the quotas.
use crate::shadow::TenantId;
use std::collections::{BTreeMap, BTreeSet};

/// One tenant's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tenant {
    /// Source address.
    pub ip: [u8; 4],
    /// Processes open.
    pub processes: usize,
    /// Page-table slots in use.
    pub slots: u64,
    /// Pages that are or were writable, so that they may hold physical memory.
    pub pages: u64,
}

/// All tenants that have a process open.
#[derive(Debug, Clone, Default)]
pub struct Tenants {
    by_ip: BTreeMap<[u8; 4], TenantId>,
    accounts: Vec<Tenant>,
    unused: Vec<TenantId>,
    /// The open processes of each tenant.
    pids: BTreeSet<(TenantId, u32)>,
}

impl Tenants {
    /// The account of a source address, if it has processes open.
    pub fn find(&self, ip: [u8; 4]) -> Option<&Tenant> {
        self.by_ip.get(&ip).map(|id| &self.accounts[*id as usize])
    }
    /// The account behind a handle.
    pub fn account(&self, id: TenantId) -> &Tenant {
        &self.accounts[id as usize]
    }
    /// The open processes of a source address with pids greater than `after`, ascending.
    pub fn pids_after(&self, ip: [u8; 4], after: u32) -> impl Iterator<Item = u32> + '_ {
        let range = |id: &TenantId| self.pids.range((*id, after.saturating_add(1))..=(*id, u32::MAX));
        self.by_ip.get(&ip).map(range).into_iter().flatten().map(|(_, pid)| *pid)
    }
    /// A process of this source address opens.
    pub fn enter(&mut self, ip: [u8; 4], pid: u32) -> TenantId {
        let (accounts, unused) = (&mut self.accounts, &mut self.unused);
        let id = *self.by_ip.entry(ip).or_insert_with(|| {
            let fresh = Tenant { ip, ..Tenant::default() };
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
            self.by_ip.remove(&account.ip);
            self.unused.push(id);
        }
    }
    /// Counts slots and pages against a tenant.
    pub fn charge(&mut self, id: TenantId, slots: u64, pages: u64) {
        let account = &mut self.accounts[id as usize];
        account.slots += slots;
        account.pages += pages;
    }
    /// Takes slots and pages off a tenant's account.
    pub fn uncharge(&mut self, id: TenantId, slots: u64, pages: u64) {
        let account = &mut self.accounts[id as usize];
        account.slots -= slots;
        account.pages -= pages;
    }
    /// Every account with open processes.
    pub fn iter(&self) -> impl Iterator<Item = (TenantId, &Tenant)> {
        self.by_ip.values().map(|id| (*id, &self.accounts[*id as usize]))
    }
}
