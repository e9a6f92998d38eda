//! The shadow of the page table: who owns which slot, with what rights. Not the physical pages: hardware gives those out.
//!
//! A slot's place inside its bucket is the hardware's choice, so the shadow keeps the set of pages of each bucket, not
//! their order.
use mneme_wire::Rights;
use mneme_wire::pte::{BUCKET_ENTRIES, Geometry};

/// Handle of a tenant (a source address) inside the slow path.
pub type TenantId = u32;

const USED: u64 = 1 << 63;
const DAMAGED: u64 = 1 << 62;
const READ: u64 = 1 << 61;
const WRITE: u64 = 1 << 60;
/// Write was allowed at some time: the page may hold physical memory.
const COMMITTED: u64 = 1 << 59;
/// Frames of 4 KB, which are counted by range: the page itself holds no physical memory.
const SPLIT: u64 = 1 << 58;
/// Of a damaged slot: the page that it had is known. Hardware may keep its entry yet.
const GIVEN_UP: u64 = 1 << 57;
const TAG: u64 = (1 << 56) - 1;

/// What the shadow knows of an allocated page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageShadow {
    /// Rights now.
    pub rights: Rights,
    /// The page is or was writable, so it may hold physical memory.
    pub committed: bool,
}

/// The shadow of one page table.
#[derive(Debug, Clone)]
pub struct Shadow {
    geometry: Geometry,
    slots: Vec<u64>,
    tenants: Vec<TenantId>,
    used: Vec<u8>,
    free_slots: u64,
}

fn flags(rights: Rights) -> u64 {
    (if rights.read { READ } else { 0 }) | (if rights.write { WRITE | COMMITTED } else { 0 })
}

impl Shadow {
    /// An empty table.
    pub fn new(geometry: Geometry) -> Shadow {
        let buckets = geometry.buckets() as usize;
        let slots = buckets * BUCKET_ENTRIES;
        Shadow {
            geometry,
            slots: vec![0; slots],
            tenants: vec![0; slots],
            used: vec![0; buckets],
            free_slots: slots as u64,
        }
    }
    /// The table's shape.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }
    /// Slots of the table that are free.
    pub fn free_slots(&self) -> u64 {
        self.free_slots
    }
    /// Slots of the table.
    pub fn total_slots(&self) -> u64 {
        self.slots.len() as u64
    }
    /// Used slots of a bucket, damaged ones included.
    pub fn used_in(&self, bucket: u64) -> u8 {
        self.used[bucket as usize]
    }
    /// Slots of a bucket that a tenant has.
    pub fn tenant_in(&self, bucket: u64, tenant: TenantId) -> u8 {
        let at = bucket as usize * BUCKET_ENTRIES;
        let slots = &self.slots[at..at + BUCKET_ENTRIES];
        let owners = &self.tenants[at..at + BUCKET_ENTRIES];
        let theirs = |(slot, owner): (&u64, &TenantId)| {
            u8::from(slot & USED != 0 && slot & DAMAGED == 0 && *owner == tenant)
        };
        slots.iter().zip(owners).map(theirs).sum()
    }

    fn find(&self, pid: u32, vpn: u64) -> Option<usize> {
        let at = self.geometry.bucket(pid, vpn) as usize * BUCKET_ENTRIES;
        let key = USED | self.geometry.tag(pid, vpn);
        (at..at + BUCKET_ENTRIES).find(|i| self.slots[*i] & (USED | DAMAGED | TAG) == key)
    }

    /// What is known of a page; `None`: not allocated.
    pub fn page(&self, pid: u32, vpn: u64) -> Option<PageShadow> {
        let slot = self.slots[self.find(pid, vpn)?];
        let rights = Rights { read: slot & READ != 0, write: slot & WRITE != 0 };
        Some(PageShadow { rights, committed: slot & COMMITTED != 0 })
    }

    fn place(&mut self, bucket: u64, value: u64, tenant: TenantId) -> bool {
        let at = bucket as usize * BUCKET_ENTRIES;
        let Some(free) = (at..at + BUCKET_ENTRIES).find(|i| self.slots[*i] & USED == 0) else { return false };
        self.slots[free] = value;
        self.tenants[free] = tenant;
        self.used[bucket as usize] += 1;
        self.free_slots -= 1;
        true
    }

    /// Adds a page that is not there yet. False: its bucket is full.
    #[must_use]
    pub fn insert(&mut self, pid: u32, vpn: u64, rights: Rights, tenant: TenantId) -> bool {
        let value = USED | flags(rights) | self.geometry.tag(pid, vpn);
        self.place(self.geometry.bucket(pid, vpn), value, tenant)
    }

    /// The same of a page of 4 KB frames.
    #[must_use]
    pub fn insert_split(&mut self, pid: u32, vpn: u64, rights: Rights, tenant: TenantId) -> bool {
        let value = USED | SPLIT | flags(rights) & !COMMITTED | self.geometry.tag(pid, vpn);
        self.place(self.geometry.bucket(pid, vpn), value, tenant)
    }

    /// Takes a page out; tells what was known of it.
    pub fn remove(&mut self, pid: u32, vpn: u64) -> Option<PageShadow> {
        let known = self.page(pid, vpn)?;
        let at = self.find(pid, vpn)?;
        self.slots[at] = 0;
        self.used[at / BUCKET_ENTRIES] -= 1;
        self.free_slots += 1;
        Some(known)
    }

    /// Changes the rights of a page; tells what was known before.
    pub fn protect(&mut self, pid: u32, vpn: u64, rights: Rights) -> Option<PageShadow> {
        let known = self.page(pid, vpn)?;
        let at = self.find(pid, vpn)?;
        let counted = if self.slots[at] & SPLIT != 0 { !COMMITTED } else { !0 };
        self.slots[at] = self.slots[at] & !(READ | WRITE) | flags(rights) & counted;
        Some(known)
    }

    /// Forgets that a page was ever writable: a change of rights was rolled back before anybody could write.
    pub fn restore(&mut self, pid: u32, vpn: u64, known: PageShadow) {
        if let Some(at) = self.find(pid, vpn) {
            let committed = if known.committed { COMMITTED } else { 0 };
            let rights = flags(known.rights) & !COMMITTED;
            self.slots[at] = self.slots[at] & !(READ | WRITE | COMMITTED) | rights | committed;
        }
    }

    /// Gives one free slot of a bucket up for good: hardware has less room there than the shadow thought (an entry with
    /// wrong parity is neither free nor anybody's). False: there was none left.
    pub fn damage(&mut self, bucket: u64) -> bool {
        self.place(bucket, USED | DAMAGED, 0)
    }

    /// Gives the slot of a page up for good: the table could not be told to let it go.
    pub fn damage_page(&mut self, pid: u32, vpn: u64) {
        if let Some(at) = self.find(pid, vpn) {
            self.slots[at] = self.slots[at] & TAG | USED | DAMAGED | GIVEN_UP;
        }
    }

    /// The pages of a bucket whose entries hardware may have, as (pid, vpn): allocated ones, and those whose slots were given up. None of
    /// a bucket that the table does not have.
    pub fn pages_in(&self, bucket: u64) -> Vec<(u32, u64)> {
        let at = usize::try_from(bucket).unwrap_or(usize::MAX).saturating_mul(BUCKET_ENTRIES);
        let slots = self.slots.get(at..at.saturating_add(BUCKET_ENTRIES)).unwrap_or_default();
        let has_page = |slot: &&u64| **slot & USED != 0 && (**slot & DAMAGED == 0 || **slot & GIVEN_UP != 0);
        slots.iter().filter(has_page).map(|slot| self.geometry.page_of(bucket, slot & TAG)).collect()
    }

    /// Every allocated page, as (pid, vpn, rights), in the order of buckets.
    pub fn pages(&self) -> impl Iterator<Item = (u32, u64, Rights)> + '_ {
        self.slots.iter().enumerate().filter(|(_, s)| **s & (USED | DAMAGED) == USED).map(|(i, slot)| {
            let (pid, vpn) = self.geometry.page_of((i / BUCKET_ENTRIES) as u64, slot & TAG);
            (pid, vpn, Rights { read: slot & READ != 0, write: slot & WRITE != 0 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shadow() -> Shadow {
        Shadow::new(Geometry::new(18, 24, 2).unwrap())
    }

    #[test]
    fn pages_are_found_by_process_and_number() {
        let mut s = shadow();
        assert!(s.insert(7, 3, Rights::READ_ONLY, 1));
        assert!(s.insert(7, 3 + s.geometry().buckets(), Rights::READ_WRITE, 1));
        assert_eq!(s.page(7, 3), Some(PageShadow { rights: Rights::READ_ONLY, committed: false }));
        assert_eq!(s.page(8, 3), None);
        let before = s.protect(7, 3, Rights::READ_WRITE).unwrap();
        assert!(s.page(7, 3).unwrap().committed);
        s.protect(7, 3, Rights::READ_ONLY).unwrap();
        assert!(s.page(7, 3).unwrap().committed, "it was writable");
        s.restore(7, 3, before);
        assert!(!s.page(7, 3).unwrap().committed);
        assert_eq!(s.pages().count(), 2);
        assert!(s.remove(7, 3).is_some() && s.remove(7, 3).is_none());
        assert_eq!(s.free_slots(), s.total_slots() - 1);
    }

    #[test]
    fn a_page_that_was_given_up_is_nobodys_and_still_told_of_its_bucket() {
        let mut s = shadow();
        let bucket = s.geometry().bucket(7, 3);
        assert!(s.insert(7, 3, Rights::READ_WRITE, 1));
        s.damage_page(7, 3);
        assert!(s.damage(bucket));
        assert_eq!((s.page(7, 3), s.pages().count(), s.used_in(bucket)), (None, 0, 2));
        assert_eq!(s.pages_in(bucket), [(7, 3)], "of the other slot no page is known");
        assert!(s.insert(7, 3, Rights::READ_WRITE, 1), "another life of it");
    }

    #[test]
    fn a_bucket_takes_eight_and_damage_counts() {
        let mut s = shadow();
        let buckets = s.geometry().buckets();
        let bucket = s.geometry().bucket(1, 0);
        let mut placed = 0;
        for vpn in 0..buckets * 64 {
            if s.geometry().bucket(1, vpn) == bucket {
                placed += u32::from(s.insert(1, vpn, Rights::READ_WRITE, 4));
                if placed == 7 {
                    break;
                }
            }
        }
        assert_eq!(s.tenant_in(bucket, 4), 7);
        assert!(s.damage(bucket));
        assert!(!s.damage(bucket));
        assert_eq!((s.used_in(bucket), s.tenant_in(bucket, 4)), (8, 7));
        assert_eq!(s.pages().count(), 7);
    }
}
