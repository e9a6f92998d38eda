//! What requests take of the slow path: instructions, and accesses to the board, at several fill levels of memory.
//!
//! `cargo xtask arm --cost` runs it for ARM and for this machine's processor in an emulator that counts, and prints the tables. By
//! itself it prints a line of JSON for each request, without instructions.
mod counted;
#[allow(dead_code, reason = "tests use the rest")]
#[path = "../../tests/double/mod.rs"]
mod double;

use counted::{Accesses, Counted, Marker};
use double::{Bench, Double, config};
use mneme_wire::payload::{Alloc, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::{Opcode, Rights, Status};

/// The ZCU106's: pages, memory, slots of a page.
const SHAPE: (u32, u32, u32) = (22, 31, 2);
/// Parts of memory that are allocated before, in percent.
const LEVELS: [u64; 3] = [0, 50, 90];
/// Requests of a kind at each level, behind some first ones that have no name.
const REQUESTS: u32 = 48;
const FIRST: u32 = 8;
/// Looks of the slow path after which a request must have been answered: long work is done in slices.
const LOOKS: u32 = 1000;
/// Pages of what fills memory, and sources that do: a source has its share of a bucket's slots.
const FILLS: u64 = 4;
const SOURCES: u8 = 16;
/// Who asks.
const CLIENT: [u8; 4] = [10, 0, 0, 1];

/// A request's. Without a name it only makes what others find.
#[derive(serde::Serialize)]
struct Line {
    request: Option<&'static str>,
    full: u64,
    looks: u32,
    reads: u64,
    writes: u64,
}

struct Meter {
    bench: Bench,
    full: u64,
}

impl Meter {
    /// Sends a request, and waits for its answer. `told`: its name, if it has one.
    fn ask(
        &mut self,
        told: Option<&'static str>,
        ip: [u8; 4],
        (opcode, pid, va): (Opcode, u32, u64),
        payload: &[u8],
    ) -> (Status, Vec<u8>) {
        let bench = &mut self.bench;
        let request = bench.request(opcode, pid, va, payload.len());
        bench.fp.rx.push_back(double::frame_of(ip, &request, payload));
        let (mut looks, mut accesses) = (0, Accesses::default());
        while bench.fp.tx.is_empty() {
            looks += 1;
            assert!(looks <= LOOKS, "no answer to {opcode:?}");
            let mut counted = Counted { inner: &mut bench.fp, accesses: &mut accesses };
            Marker::Begin.execute();
            bench.slow.poll(&mut counted);
            Marker::End.execute();
            bench.fp.zero();
        }
        Marker::Tell.execute();
        let Accesses { reads, writes } = accesses;
        let line = Line { request: told, full: self.full, looks, reads, writes };
        println!("{}", serde_json::to_string(&line).expect("a line of numbers"));
        let (response, payload) = bench.take().expect("it was answered");
        // What is due by then does not count for the next one.
        bench.pass(1);
        (response.status, payload)
    }
    fn open(&mut self, told: Option<&'static str>, ip: [u8; 4]) -> u32 {
        let (status, payload) = self.ask(told, ip, (Opcode::Open, 0, 0), &OpenRequest::default().to_bytes());
        assert_eq!(status, Status::Ok);
        OpenAnswer::parse(&payload).expect("an answer to OPEN").pid
    }
    fn alloc(&mut self, told: Option<&'static str>, ip: [u8; 4], pid: u32, pages: u64) -> Option<u64> {
        let ask = Alloc::request(pages << SHAPE.0, Rights::READ_WRITE);
        let (status, payload) = self.ask(told, ip, (Opcode::Alloc, pid, 0), &ask.to_bytes());
        (status == Status::Ok).then(|| Alloc::parse_answer(&payload).expect("an answer to ALLOC").va)
    }
    fn range(&mut self, told: Option<&'static str>, opcode: Opcode, pid: u32, va: u64, pages: u64) {
        let rights = if opcode == Opcode::Protect { Rights::READ_ONLY } else { Rights::default() };
        let ask = RangeRights { size: pages << SHAPE.0, rights };
        let (status, _) = self.ask(told, CLIENT, (opcode, pid, va), &ask.to_bytes());
        assert_eq!(status, Status::Ok, "{opcode:?}");
    }
    /// Allocates so much of memory, by other sources than the client.
    fn fill(&mut self, percent: u64) {
        let pages = (1 << (SHAPE.1 - SHAPE.0)) * percent / 100;
        let owners: Vec<_> = (0..SOURCES).map(|i| [10, 0, 1, i]).collect();
        let pids: Vec<_> = owners.iter().map(|ip| self.open(None, *ip)).collect();
        let mut owners = owners.iter().zip(pids).cycle();
        let (mut done, mut refused) = (0, 0);
        while done < pages {
            let (ip, pid) = owners.next().expect("a ring");
            match self.alloc(None, *ip, pid, FILLS) {
                Some(_) => (done, refused) = (done + FILLS, 0),
                None => refused += 1,
            }
            assert!(refused < u32::from(SOURCES), "{percent}% cannot be allocated");
        }
    }
    /// One of each kind.
    fn round(&mut self, told: bool) {
        let as_this = |name| told.then_some(name);
        self.ask(as_this("PING"), CLIENT, (Opcode::Ping, 0, 0), &[]);
        let pid = self.open(as_this("OPEN"), CLIENT);
        let one = self.alloc(as_this("ALLOC, 1 page"), CLIENT, pid, 1).expect("a page");
        let many = self.alloc(as_this("ALLOC, 16 pages"), CLIENT, pid, 16).expect("16 pages");
        assert_eq!(self.alloc(as_this("ALLOC, refused"), CLIENT, pid, 1 << 20), None);
        self.range(as_this("PROTECT, 1 page"), Opcode::Protect, pid, one, 1);
        self.range(as_this("FREE, 1 page"), Opcode::Free, pid, one, 1);
        self.range(as_this("FREE, 16 pages"), Opcode::Free, pid, many, 16);
        self.alloc(None, CLIENT, pid, 16).expect("16 pages");
        self.ask(as_this("EXIT, 16 pages"), CLIENT, (Opcode::Exit, pid, 0), &[]);
        // What was freed rests for a while.
        self.bench.pass(2000);
    }
}

fn main() {
    for full in LEVELS {
        let bench = Bench::new(Double::new(SHAPE.0, SHAPE.1, SHAPE.2), config());
        let mut meter = Meter { bench, full };
        meter.fill(full);
        for number in 0..FIRST + REQUESTS {
            meter.round(number >= FIRST);
        }
    }
}
