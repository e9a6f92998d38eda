//! The peer: a page table of the same buckets, indexed by a random hash (Bob Jenkins' lookup3, as Clio's allocator uses).
use mneme_slowpath::process::Ranges;
use mneme_wire::pte::BUCKET_ENTRIES;

/// lookup3's `final` mix over three words (public domain), low 32 bits of c.
fn lookup3(mut a: u32, mut b: u32, mut c: u32) -> u32 {
    for (target, rotate) in [(0, 14), (1, 11), (2, 25), (0, 16), (1, 4), (2, 14), (0, 24)] {
        match target {
            0 => c = (c ^ b).wrapping_sub(b.rotate_left(rotate)),
            1 => a = (a ^ c).wrapping_sub(c.rotate_left(rotate)),
            _ => b = (b ^ a).wrapping_sub(a.rotate_left(rotate)),
        }
    }
    c
}

/// A table of bucket counts behind the hash.
pub struct HashTable {
    used: Vec<u8>,
    /// Pages wanted of each bucket by the window that is being looked at.
    wanted: Vec<u8>,
}

impl HashTable {
    pub fn new(buckets: u64) -> HashTable {
        HashTable { used: vec![0; buckets as usize], wanted: vec![0; buckets as usize] }
    }
    fn bucket(&self, pid: u32, vpn: u64) -> usize {
        let seed = 0xdead_beef_u32.wrapping_add(12);
        let hash = lookup3(
            seed.wrapping_add(pid),
            seed.wrapping_add(vpn as u32),
            seed.wrapping_add((vpn >> 32) as u32),
        );
        hash as usize & (self.used.len() - 1)
    }
    pub fn insert(&mut self, pid: u32, vpn: u64) {
        let bucket = self.bucket(pid, vpn);
        self.used[bucket] += 1;
    }
    pub fn remove(&mut self, pid: u32, vpn: u64) {
        let bucket = self.bucket(pid, vpn);
        self.used[bucket] -= 1;
    }
    /// The same search: moves past a page without room and tries again. Two pages of one window may share a bucket here,
    /// so the window is grown page by page and shrunk from its beginning until the page that did not fit does.
    /// Answers the start and the retries; `None` after looking at `probes` pages.
    pub fn find(
        &mut self,
        ranges: &Ranges,
        pid: u32,
        pages: u64,
        from: u64,
        probes: u64,
    ) -> Option<(u64, u64)> {
        let (mut start, mut end, mut retries) = (from, from, 0);
        let mut found = None;
        for _ in 0..probes {
            if end - start == pages {
                found = Some((start, retries));
                break;
            }
            if let Some(after) = ranges.end_of_overlap(end, 1) {
                self.shrink(pid, start, end);
                (start, end) = (after, after);
                continue;
            }
            let bucket = self.bucket(pid, end);
            if usize::from(self.used[bucket] + self.wanted[bucket]) < BUCKET_ENTRIES {
                self.wanted[bucket] += 1;
                end += 1;
                continue;
            }
            retries += 1;
            let full = usize::from(self.used[bucket]) >= BUCKET_ENTRIES;
            let mut first = start;
            while first < end
                && (full || usize::from(self.used[bucket] + self.wanted[bucket]) >= BUCKET_ENTRIES)
            {
                self.shrink(pid, first, first + 1);
                first += 1;
            }
            if full {
                end += 1;
                first = end;
            }
            start = first;
        }
        self.shrink(pid, start, end);
        found
    }
    fn shrink(&mut self, pid: u32, from: u64, to: u64) {
        for vpn in from..to {
            let bucket = self.bucket(pid, vpn);
            self.wanted[bucket] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookup3_agrees_with_its_reference() {
        // hashword of one word 0, seed 0, by Jenkins' published code: all three words 0xdeadbeef + 4.
        let seed = 0xdead_beef_u32.wrapping_add(4);
        assert_eq!(lookup3(seed, seed, seed), 0x049396b8);
    }
}
