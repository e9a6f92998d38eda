//! The paper's node: work requests in its own memory, which change each other (ODRP paper, §4.1 to §4.3, figures 4 to 6).
//!
//! Nothing here is shared with the node that is compared with it but the profile, which tells what the RECV scatters. A RECV drops
//! arguments into fields of work requests; READ, WRITE, masked FAA and CAS then run in order, and each may write into the ones
//! behind it. WAIT and ENABLE, which only order them, are left out; so is the recycling of work requests: they are posted anew.
use mneme_rdma::codec::profile::{Chain, Field, Profile};

/// Bytes of a page.
const PAGE: usize = 4096;
/// Bytes of a work request: head (opcode and number), source, destination, key.
const WORK: usize = 32;
const SOURCE: usize = 8;
const DESTINATION: usize = 16;
const KEY: usize = 24;
/// Work requests of a chain, at most.
const CHAIN: usize = 12;

/// Opcodes in the first two bytes of a head. What is neither does nothing.
const READ: u64 = 1;
const WRITE: u64 = 2;
const REMOTE: u64 = 3;
const ADD: u64 = 4;
const SWAP: u64 = 5;

/// A WRITE into the client's memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientWrite {
    pub va: u64,
    pub rkey: u32,
    pub bytes: Vec<u8>,
}

/// The network card met an access that it may not make: the queue pair is in error, and what was done stays done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Protection;

/// What of a work request nobody changes.
#[derive(Debug, Clone, Default)]
struct Rest {
    length: usize,
    /// Where a READ's bytes go, one range after the other; empty: to the destination in its field.
    scatter: Vec<(usize, usize)>,
    /// The range that source or destination must lie in: the client's own table.
    table: bool,
    /// Of an addition: how much, and the bits that it may change.
    add: (u64, u64),
    /// Of a CAS: what must be there, and what comes there.
    swap: (u64, u64),
}

/// The memory of the node, and where things are in it.
#[derive(Debug, Clone)]
pub struct Paper {
    memory: Vec<u8>,
    ring: usize,
    ring_bytes: usize,
    head: usize,
    tail: usize,
    tables: Vec<(usize, usize)>,
    work: usize,
    scratch: usize,
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte))
}

impl Paper {
    /// A node whose frames lie from `base` on, a multiple of 4,096, and are all in the queue, in order. A table of `entries` for each
    /// client.
    pub fn new(base: usize, frames: usize, clients: usize, entries: usize) -> Paper {
        let ring_bytes = 8 * frames.next_power_of_two();
        let ring = (base + frames * PAGE).next_multiple_of(ring_bytes.max(PAGE));
        let tables = ring + ring_bytes.next_multiple_of(PAGE);
        let table = (8 * entries).next_multiple_of(PAGE);
        let work = tables + clients * table;
        let scratch = work + CHAIN * WORK;
        let end = scratch + 2 * PAGE;
        let mut paper = Paper {
            memory: vec![0; end],
            ring,
            ring_bytes,
            head: scratch + PAGE,
            tail: scratch + PAGE + 8,
            tables: (0..clients).map(|client| (tables + client * table, 8 * entries)).collect(),
            work,
            scratch,
        };
        for frame in 0..frames {
            paper.put(ring + 8 * frame, &((base + frame * PAGE) as u64).to_be_bytes());
        }
        // Pointers are little-endian, as processors and FAA have them.
        let tail = ring + 8 * frames % ring_bytes;
        paper.put(paper.head, &(ring as u64).to_le_bytes());
        paper.put(paper.tail, &(tail as u64).to_le_bytes());
        paper
    }

    /// Where a client's table begins.
    pub fn table_base(&self, client: usize) -> u64 {
        self.tables[client].0 as u64
    }
    /// A client's table.
    pub fn table(&self, client: usize) -> &[u8] {
        let (at, bytes) = self.tables[client];
        &self.memory[at..at + bytes]
    }
    /// The elements of the queue in their places.
    pub fn ring(&self) -> impl Iterator<Item = u64> {
        self.memory[self.ring..self.ring + self.ring_bytes].chunks_exact(8).map(number)
    }
    /// Places of head and tail in the queue.
    pub fn ends(&self) -> (usize, usize) {
        let place = |at: usize| {
            let bytes = &self.memory[at..at + 8];
            (number(&bytes.iter().rev().copied().collect::<Vec<u8>>()) as usize - self.ring) / 8
        };
        (place(self.head), place(self.tail))
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }
    fn range(&self, at: u64, length: usize) -> Result<std::ops::Range<usize>, Protection> {
        let at = usize::try_from(at).map_err(|_| Protection)?;
        let end = at.checked_add(length).ok_or(Protection)?;
        // The first page is nobody's: a null address is an error.
        if at < PAGE || end > self.memory.len() { Err(Protection) } else { Ok(at..end) }
    }
    fn field(&self, work: usize, field: usize) -> usize {
        self.work + work * WORK + field
    }

    /// A client's SEND comes. Answers the WRITEs into its memory.
    pub fn send(
        &mut self,
        client: usize,
        profile: &Profile,
        message: &[u8],
    ) -> Result<Vec<ClientWrite>, Protection> {
        let chain = self.post(profile.chain());
        let mut at = 0;
        for (bytes, field) in profile.pairs() {
            let bytes = usize::from(*bytes);
            if let Some(place) = self.place(profile.chain(), *field) {
                let part = &message[at..at + bytes];
                if *field == Field::TtAddr {
                    // Only the upper bits are used.
                    self.put(place, &(number(part) & !7).to_be_bytes());
                } else {
                    self.put(place, part);
                }
            }
            at += bytes;
        }
        let mut writes = Vec::new();
        for (work, rest) in chain.iter().enumerate() {
            self.run(client, work, rest, &mut writes)?;
        }
        Ok(writes)
    }

    fn page_buffer(&self) -> usize {
        self.scratch
    }
    /// Eight bytes of scratch memory.
    fn word(&self, which: usize) -> usize {
        self.scratch + PAGE + 16 + 8 * which
    }

    /// Where the RECV puts an argument.
    fn place(&self, chain: Chain, field: Field) -> Option<usize> {
        let last = match chain {
            Chain::Load => 1,
            Chain::MappedStore => 2,
            Chain::UnmappedStore => 7,
            Chain::Invalidate => 0,
        };
        match (chain, field) {
            (Chain::Load | Chain::MappedStore, Field::TtAddr) => Some(self.field(0, SOURCE)),
            (Chain::UnmappedStore, Field::TtAddr) => Some(self.field(4, DESTINATION)),
            (Chain::Invalidate, Field::TtAddr) => Some(self.field(1, SOURCE)),
            (Chain::Load, Field::Buffer) => Some(self.field(last, DESTINATION)),
            (Chain::MappedStore | Chain::UnmappedStore, Field::Signal) => Some(self.field(last, DESTINATION)),
            (Chain::MappedStore | Chain::UnmappedStore, Field::Magic) => Some(self.word(0)),
            (Chain::Load | Chain::MappedStore | Chain::UnmappedStore, Field::Rkey) => {
                Some(self.field(last, KEY))
            }
            (_, Field::Page) => Some(self.page_buffer()),
            _ => None,
        }
    }

    /// Writes a chain's work requests. Answers what of them is fixed.
    fn post(&mut self, chain: Chain) -> Vec<Rest> {
        let page = |length| Rest { length, ..Rest::default() };
        let table = |length| Rest { length, table: true, ..Rest::default() };
        // A little-endian word into a field that is big-endian: a READ whose bytes are scattered backwards.
        let swapped = |field: usize| Rest {
            length: 8,
            scatter: (0..8).rev().map(|byte| (field + byte, 1)).collect(),
            ..Rest::default()
        };
        let (buffer, magic, old, value, zero) =
            (self.page_buffer(), self.word(0), self.word(1), self.word(2), self.word(3));
        let mask = self.ring_bytes as u64 - 1;
        let add = Rest { add: (8, mask), ..Rest::default() };
        // (opcode, source, destination, fixed)
        let list: Vec<(u64, usize, usize, Rest)> = match chain {
            Chain::Load => vec![(READ, 0, self.field(1, SOURCE), table(8)), (REMOTE, 0, 0, page(PAGE))],
            Chain::MappedStore => vec![
                (READ, 0, self.field(1, DESTINATION), table(8)),
                (WRITE, buffer, 0, page(PAGE)),
                (REMOTE, magic, 0, page(8)),
            ],
            Chain::UnmappedStore => vec![
                (ADD, self.head, old, add),
                (READ, old, 0, swapped(self.field(3, SOURCE))),
                (READ, old, 0, swapped(self.field(6, DESTINATION))),
                (READ, 0, self.field(5, DESTINATION), page(8)),
                (WRITE, self.field(5, DESTINATION), 0, table(8)),
                (WRITE, buffer, 0, page(PAGE)),
                (WRITE, zero, 0, page(8)),
                (REMOTE, magic, 0, page(8)),
            ],
            Chain::Invalidate => {
                let head = |op: u64| Rest { swap: (op << 48, 0), ..Rest::default() };
                vec![
                    (READ, self.field(1, SOURCE), self.field(9, DESTINATION), page(8)),
                    (READ, 0, value, table(8)),
                    // The page's address is the number of the two that must not run if it is null.
                    (READ, value + 2, self.field(6, 2), page(6)),
                    (READ, value + 2, self.field(8, 2), page(6)),
                    (SWAP, 0, self.field(6, 0), head(ADD)),
                    (SWAP, 0, self.field(8, 0), head(WRITE)),
                    (ADD, self.tail, old, add),
                    (READ, old, 0, swapped(self.field(8, DESTINATION))),
                    (WRITE, value, 0, page(8)),
                    (WRITE, zero, 0, table(8)),
                ]
            }
        };
        for (work, (op, source, destination, _)) in list.iter().enumerate() {
            self.put(self.field(work, 0), &(op << 48).to_be_bytes());
            self.put(self.field(work, SOURCE), &(*source as u64).to_be_bytes());
            self.put(self.field(work, DESTINATION), &(*destination as u64).to_be_bytes());
        }
        list.into_iter().map(|(.., rest)| rest).collect()
    }

    fn own_table(&self, client: usize, at: u64) -> Result<(), Protection> {
        let (start, bytes) = self.tables[client];
        let inside = at >= start as u64 && at.saturating_add(8) <= (start + bytes) as u64;
        if inside { Ok(()) } else { Err(Protection) }
    }

    /// Executes a work request as it stands in memory now.
    fn run(
        &mut self,
        client: usize,
        work: usize,
        rest: &Rest,
        writes: &mut Vec<ClientWrite>,
    ) -> Result<(), Protection> {
        let get = |paper: &Paper, field, bytes| {
            let at = paper.field(work, field);
            number(&paper.memory[at..at + bytes])
        };
        let op = get(self, 0, 2);
        let (source, destination) = (get(self, SOURCE, 8), get(self, DESTINATION, 8));
        match op {
            READ => {
                if rest.table {
                    self.own_table(client, source)?;
                }
                let mut bytes = &self.memory[self.range(source, rest.length)?].to_vec()[..];
                if rest.scatter.is_empty() {
                    let place = self.range(destination, rest.length)?;
                    self.memory[place].copy_from_slice(bytes);
                }
                for (at, length) in &rest.scatter {
                    let (now, later) = bytes.split_at(*length);
                    self.put(*at, now);
                    bytes = later;
                }
            }
            WRITE => {
                if rest.table {
                    self.own_table(client, destination)?;
                }
                let bytes = self.memory[self.range(source, rest.length)?].to_vec();
                let place = self.range(destination, rest.length)?;
                self.memory[place].copy_from_slice(&bytes);
            }
            REMOTE => {
                let bytes = self.memory[self.range(source, rest.length)?].to_vec();
                writes.push(ClientWrite { va: destination, rkey: get(self, KEY, 4) as u32, bytes });
            }
            ADD => {
                let place = self.range(source, 8)?;
                let bytes: Vec<u8> = self.memory[place.clone()].iter().rev().copied().collect();
                let word = number(&bytes);
                let (add, mask) = rest.add;
                let sum = word & !mask | word.wrapping_add(add) & mask;
                let result = self.range(destination, 8)?;
                self.memory[result].copy_from_slice(&word.to_le_bytes());
                self.memory[place].copy_from_slice(&sum.to_le_bytes());
            }
            SWAP => {
                let place = self.range(destination, 8)?;
                if number(&self.memory[place.clone()]) == rest.swap.0 {
                    self.memory[place].copy_from_slice(&rest.swap.1.to_be_bytes());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_rdma::codec::profile::Arguments;

    const BASE: usize = 0x1_0000;

    fn send(paper: &mut Paper, chain: Chain, page: u64, fill: u8) -> Result<Vec<ClientWrite>, Protection> {
        let profile = Profile::default_of(chain);
        let bytes = [fill; PAGE];
        let arguments = Arguments {
            tt_addr: paper.table_base(0) + 8 * page,
            buffer: Some(0x5000),
            signal: Some(0x6000),
            magic: Some([7; 8]),
            rkey: Some(9),
            key: None,
            page: Some(&bytes),
        };
        let mut message = vec![0; profile.message_len()];
        profile.write(&arguments, &mut message).expect("it fits");
        paper.send(0, &profile, &message)
    }

    #[test]
    fn chains_store_load_and_give_back() {
        let mut paper = Paper::new(BASE, 4, 1, 8);
        let signal = ClientWrite { va: 0x6000, rkey: 9, bytes: vec![7; 8] };
        let page = |fill| ClientWrite { va: 0x5000, rkey: 9, bytes: vec![fill; PAGE] };
        assert_eq!(send(&mut paper, Chain::Load, 3, 0), Err(Protection), "null");
        assert_eq!(send(&mut paper, Chain::UnmappedStore, 3, 0xaa), Ok(vec![signal.clone()]));
        assert_eq!((paper.ends(), paper.ring().next()), ((1, 0), Some(0)));
        assert_eq!(send(&mut paper, Chain::Load, 3, 0), Ok(vec![page(0xaa)]));
        assert_eq!(send(&mut paper, Chain::MappedStore, 3, 0xbb), Ok(vec![signal]));
        assert_eq!(send(&mut paper, Chain::Load, 3, 0), Ok(vec![page(0xbb)]));
        assert_eq!(send(&mut paper, Chain::Invalidate, 3, 0), Ok(vec![]));
        assert_eq!((paper.ends(), paper.ring().next()), ((1, 1), Some(BASE as u64)));
        let before = paper.clone();
        assert_eq!(send(&mut paper, Chain::Invalidate, 3, 0), Ok(vec![]));
        assert_eq!(
            (paper.ends(), paper.ring().collect::<Vec<_>>()),
            (before.ends(), before.ring().collect())
        );
        assert_eq!(send(&mut paper, Chain::Load, 8, 0), Err(Protection), "behind the table");
    }

    #[test]
    fn an_empty_queue_is_an_error_that_moves_the_head_as_in_the_paper() {
        let mut paper = Paper::new(BASE, 2, 1, 8);
        for page in 0..2 {
            assert!(send(&mut paper, Chain::UnmappedStore, page, 1).is_ok());
        }
        assert_eq!(paper.ends(), (0, 0));
        assert_eq!(send(&mut paper, Chain::UnmappedStore, 2, 1), Err(Protection));
        assert_eq!(paper.ends(), (1, 0), "a processor would have to repair it");
    }
}
