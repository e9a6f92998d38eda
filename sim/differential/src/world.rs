//! What the generator knows of the world: clients, processes, pages, and the operations that it sent lately.
use std::collections::VecDeque;

use mneme_model::port::FilterHash;
use mneme_model::soft::{BoardShape, Key, Page};
use mneme_wire::frame::Endpoints;
use mneme_wire::pte::{BUCKET_ENTRIES, Geometry, VA_BITS};
use mneme_wire::trailer::BoardKey;
use mneme_wire::{DEFAULT_UDP_PORT, Pid, TagMode, Trailer};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::occupancy::sets;
use super::packet::{RawPacket, RawTrailer, Seals};
use super::spoil::pick;

/// The board's addresses at the start of these tests.
pub const BOARD_MAC: [u8; 6] = [0x02, 0x4d, 0x4e, 0x45, 0x4d, 0x01];
/// The board's IPv4 address.
pub const BOARD_IP: [u8; 4] = [10, 77, 0, 1];

/// Clients that send requests.
const CLIENTS: u8 = 5;
/// Operations that may be repeated later.
const HISTORY: usize = 64;
/// Processes.
const PIDS: usize = 6;
/// Ids that are tried for one that shares both sets. One in so many sets of a choice does, of the RTL's.
const CROWDED_TRIES: usize = 1 << 14;
/// Pages that requests and replace commands are about.
const PAGES: usize = 40;

/// Where the board is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addresses {
    /// MAC address.
    pub mac: [u8; 6],
    /// IPv4 address.
    pub ip: [u8; 4],
    /// UDP port.
    pub port: u16,
}

impl Addresses {
    /// Those that a run begins with.
    pub const FIRST: Addresses = Addresses { mac: BOARD_MAC, ip: BOARD_IP, port: DEFAULT_UDP_PORT };

    /// A client's addresses towards this board.
    pub fn of(self, client: Endpoints) -> Endpoints {
        Endpoints { dst_mac: self.mac, dst_ip: self.ip, dst_port: self.port, ..client }
    }
}

/// The generator's world.
pub struct World {
    /// The board's shape.
    pub shape: BoardShape,
    /// The page table's geometry.
    pub geometry: Geometry,
    /// Clients.
    pub clients: Vec<Endpoints>,
    /// Pages that exist or may exist one day.
    pub pages: Vec<Page>,
    /// Pages that were allocated last time anybody looked.
    pub mapped: Vec<Page>,
    /// Pages whose entries name the leaf table of a segment, as they were made.
    pub split: Vec<Page>,
    /// Filtered operations sent lately, the latest at the back.
    pub history: VecDeque<RawPacket>,
    /// The last read: process, address and length.
    pub last_read: Option<(Pid, u64, u16)>,
    /// The board's MAC address, IPv4 address and UDP port.
    pub board: Addresses,
    /// The board's epoch.
    pub epoch: u8,
    /// The board's window in ticks.
    pub window: u32,
    /// What trailers are made with, and who needs which: of boards that have them.
    pub seals: Seals,
    pub tag_mode: TagMode,
    /// Which phases have a valid key, a bit each: one has.
    pub phases: u8,
    /// Some service classes have a bound.
    pub rated: bool,
    hash: FilterHash,
    /// The last operation id of those that share both sets of the filter, of the first client.
    crowded: u32,
}

impl World {
    /// A world for a board of this shape.
    pub fn new(
        shape: BoardShape,
        geometry: Geometry,
        window: u32,
        hash: FilterHash,
        rng: &mut ChaCha8Rng,
    ) -> World {
        let mut world = World {
            shape,
            geometry,
            clients: (1..=CLIENTS).map(|number| client(number, rng)).collect(),
            pages: pages(&geometry, rng),
            mapped: Vec::new(),
            split: Vec::new(),
            history: VecDeque::new(),
            last_read: None,
            board: Addresses::FIRST,
            epoch: rng.random_range(1..=255),
            window,
            seals: Seals { keys: [const { BoardKey::new([0; 16]) }; 2], tick: 0 },
            tag_mode: TagMode::None,
            phases: 0,
            rated: rng.random_bool(0.4),
            hash,
            crowded: rng.random(),
        };
        if shape.trailers {
            world.change_trailers(rng);
        }
        world
    }
    /// Other keys, and another rule of who needs a tag.
    pub fn change_trailers(&mut self, rng: &mut ChaCha8Rng) {
        self.seals.keys = [BoardKey::new(rng.random()), BoardKey::new(rng.random())];
        self.tag_mode = *pick(rng, &[TagMode::None, TagMode::None, TagMode::Slow, TagMode::All]);
        self.phases = rng.random_range(1..=3);
    }
    /// A trailer for a request; most are right, and what the board wants. Boards without trailers get none.
    pub fn trailer(&self, rng: &mut ChaCha8Rng) -> RawTrailer {
        if !self.shape.trailers {
            return RawTrailer::right(Trailer::None);
        }
        let tags = if self.tag_mode == TagMode::All { 85 } else { 45 };
        let kind = match rng.random_range(0..100) {
            at if at < tags => Trailer::Tag,
            at if at < tags + 8 => Trailer::Crc32c,
            at if at >= 85 => Trailer::Crc32c,
            _ => Trailer::None,
        };
        // Of the trailer itself, or of any byte.
        let flipped = rng.random_bool(0.06).then(|| match rng.random_bool(0.5) {
            true => rng.random_range(0..8 * kind.bytes().max(1)),
            false => rng.random_range(0..20 * 8),
        });
        RawTrailer { kind, flipped }
    }
    /// The trailer with which every board executes what it is asked, and the flags that say so.
    pub fn right_trailer(&self) -> (RawTrailer, u8) {
        if !self.shape.trailers {
            return (RawTrailer::right(Trailer::None), 0);
        }
        let phase = if self.phases & 1 == 1 { 0 } else { 1 << 1 };
        (RawTrailer::right(Trailer::Tag), RawPacket::of_kind(Trailer::Tag) | phase)
    }
    /// The next operation id of the first client that shares both sets of the filter with all the others that come from here: they fill these, however
    /// large the filter is.
    pub fn crowded_id(&mut self) -> u32 {
        let from = &self.clients[0];
        let homes = |op_id: u32| {
            let key = Key { source_ip: u32::from_be_bytes(from.src_ip), source_port: from.src_port, op_id };
            sets(self.hash, &key, self.shape.filter_sets_log2)
        };
        let wanted = homes(self.crowded);
        // Ids of the same low bits share the first set; another hash may have to look further.
        let step = if self.hash == FilterHash::Crc { 1 << self.shape.filter_sets_log2 } else { 1 };
        let next = (1..).map(|n: u32| self.crowded.wrapping_add(n.wrapping_mul(step)));
        let next = next.take(CROWDED_TRIES).find(|id| homes(*id) == wanted);
        self.crowded = next.unwrap_or_else(|| self.crowded.wrapping_add(step));
        self.crowded
    }
    /// The board is reached elsewhere now, also by what is repeated.
    pub fn move_board(&mut self, to: Addresses) {
        self.board = to;
        let repeated = self.history.iter_mut().map(|packet| &mut packet.endpoints);
        for endpoints in self.clients.iter_mut().chain(repeated) {
            *endpoints = to.of(*endpoints);
        }
    }
    /// A page that is probably allocated, or with some chance any page.
    pub fn page(&self, rng: &mut ChaCha8Rng) -> Page {
        if !self.split.is_empty() && rng.random_bool(0.3) {
            return *pick(rng, &self.split);
        }
        if self.mapped.is_empty() || rng.random_bool(0.12) {
            *pick(rng, &self.pages)
        } else {
            *pick(rng, &self.mapped)
        }
    }
    /// Notes an operation that may be repeated.
    pub fn remember(&mut self, packet: &RawPacket) {
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(packet.clone());
    }
    /// Notes that a page is allocated now.
    pub fn map(&mut self, page: Page) {
        if !self.mapped.contains(&page) {
            self.mapped.push(page);
        }
    }
    /// Notes that a page is free now.
    pub fn unmap(&mut self, page: Page) {
        self.mapped.retain(|mapped| *mapped != page);
    }
}

/// A client by its number.
pub fn client(number: u8, rng: &mut ChaCha8Rng) -> Endpoints {
    // Two clients share an address and differ in the port, two share a port and differ in the address.
    let host = if number == 2 { 1 } else { number };
    let port = if number == 3 { 40_001 } else { 40_000 + u16::from(number) };
    let mut src_mac = [0x02, 0, 0, 0, 0, host];
    rng.fill(&mut src_mac[1..5]);
    Endpoints {
        src_mac,
        dst_mac: BOARD_MAC,
        src_ip: [10, 77, 1, host],
        dst_ip: BOARD_IP,
        src_port: port,
        dst_port: DEFAULT_UDP_PORT,
    }
}

/// Pids, of which each pair shares all its buckets; the last pids of the range are among them.
fn pids(geometry: &Geometry, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut pids = vec![0xff_ffff, rng.random_range(1..0xff_ffff)];
    while pids.len() < PIDS {
        let other = pids[pids.len() - 2];
        let pid = rng.random_range(1..1 << 24);
        if pid != other && geometry.bucket(pid, 0) == geometry.bucket(other, 0) {
            pids.push(pid);
        }
    }
    pids
}

/// Pages: some low, some at the end of the address space, some anywhere, and more of one bucket than it can hold.
fn pages(geometry: &Geometry, rng: &mut ChaCha8Rng) -> Vec<Page> {
    let pids = pids(geometry, rng);
    let last = (1u64 << (VA_BITS - geometry.page_bits())) - 1;
    let mut pages: Vec<Page> = Vec::new();
    let mut add = |pid: u32, vpn: u64| {
        let page = Page { pid: Pid::from_low_bits(pid), vpn };
        if !pages.contains(&page) {
            pages.push(page);
        }
        pages.len()
    };
    let crowded = geometry.bucket(pids[0], 0);
    for tag_low in 0..BUCKET_ENTRIES as u64 + 3 {
        let pid = *pick(rng, &pids);
        let high = (tag_low << geometry.bucket_bits()) & last;
        let vpn = high | (crowded ^ geometry.bucket(pid, high));
        add(pid, vpn);
    }
    for pid in &pids {
        add(*pid, 0);
        add(*pid, last);
    }
    while add(*pick(rng, &pids), *pick(rng, &[1, 2, 3, last - 1, rng.clone().random_range(0..=last)])) < PAGES
    {
    }
    pages
}
