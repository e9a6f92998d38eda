//! What RDMA clients' requests take on the Verilated board, in cycles: one at a time on a quiet board, and packets in a row.
//!
//! An example. A READ of 64 bytes comes. Cycles are counted from its last beat in to its answer's first beat out: all of the board is between
//! them, from the store that checks a frame to the one that sends it. The page is in the TLB, and memory answers after as many cycles as was
//! asked for. Each request comes eight times, and the least counts: once in a tick the requester of replies looks at its queue pairs' times.
use mneme_rdma::codec::profile::{Arguments, Chain, PAGE, Profile};
use mneme_rdma::codec::{Credits, Extensions, Opcode, PathMtu, Psn, Reth, Syndrome};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::{RoceQueuePair, RoceRegion};
use mneme_wire::chain::CHAIN_QPN_BIT;
use mneme_wire::pte;
use mneme_wire::roce::{ROCE_QPN_FIRST, ROCE_RIGHT_READ, ROCE_RIGHT_WRITE};

use super::answers::Answer;
use super::board::Board;
use super::chain_link::{Link, TABLES};
use super::hand;
use crate::Mismatch;

/// One figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub name: &'static str,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// The design's goal (rdma.md, §9), if it has one: at most, or with `Gbit/s` at least.
    pub goal: Option<f64>,
    /// What ODRP's paper has, if it says.
    pub paper: &'static str,
}

impl Figure {
    /// Whether the goal is met.
    pub fn met(&self) -> Option<bool> {
        let goal = self.goal?;
        Some(if self.unit == RATE { self.value >= goal } else { self.value <= goal })
    }
}

const CYCLES: &str = "cycles";
const RATE: &str = "Gbit/s";
const TIMES: usize = 8;
const PID: u32 = 7;
const IP: [u8; 4] = [10, 0, 0, 2];
const KEY: u32 = 0x2f00_1a35;
const SECRET: u64 = 0x5ec2_e700_1234_5678;
const SMALL: usize = 64;
const LARGE: usize = 1024;
/// Packets in a row.
const ROW: usize = 64;
/// Nanoseconds of a cycle at 250 MHz.
const CYCLE: f64 = 4.0;
/// Frames of the board.
const FRAMES: u64 = 64;
/// Pages: of the board, and split.
const WHOLE: u64 = 1;
const SPLIT: u64 = 2;
/// Replies are sent again after so many ticks, 2 to this.
const TIMEOUT: u32 = 15;
/// Path MTUs of native queue pairs, by their place.
const MTUS: [u16; 2] = [4096, LARGE as u16];

struct Bench<'a> {
    board: Board<'a>,
    page: u64,
    /// The next packets of native queue pairs.
    next: [Psn; 2],
    links: Vec<Link>,
}

impl<'a> Bench<'a> {
    fn new(fast: &'a mut RtlFast) -> Result<Bench<'a>, Mismatch> {
        let mut board = Board::boot(fast, 4)?;
        let page = 1 << board.geometry.page_bits();
        let rights = pte::READ | pte::WRITE;
        board.allocate((PID, WHOLE), rights)?;
        board.make_ring()?;
        let frames = board.take_page();
        board.push(frames, 0, FRAMES)?;
        board.make_segment(0, PID, FRAMES as u32)?;
        board.split((PID, SPLIT), 0)?;
        let rights = ROCE_RIGHT_READ | ROCE_RIGHT_WRITE;
        let region = RoceRegion { key: KEY, pid: PID, va: 0, length: 8 * page, rights };
        board.port(|port| port.grant(&region))?;
        for place in 0..MTUS.len() {
            let pair = Bench::pair(place)?;
            board.port(|port| port.create(&pair))?;
        }
        let mut bench = Bench { board, page, next: [Psn::default(); 2], links: Vec::new() };
        for chain in Chain::ALL {
            bench.chain(chain)?;
        }
        Ok(bench)
    }
    fn pair(place: usize) -> Result<RoceQueuePair, Mismatch> {
        let qpn = ROCE_QPN_FIRST | 0x5500 | place as u32;
        Ok(RoceQueuePair {
            qpn,
            peer_qpn: qpn,
            peer_ip: IP,
            peer_mac: hand::mac(IP),
            source_port: hand::SOURCE_PORT,
            pkey: 0xffff,
            pid: PID,
            psn: 0,
            mtu_code: mtu(MTUS[place])?.code().into(),
            rate: 0,
            frees: None,
            hardened: false,
        })
    }
    fn chain(&mut self, chain: Chain) -> Result<(), Mismatch> {
        let qpn = CHAIN_QPN_BIT | 0x5500 | chain as u32;
        let mut link = Link::new(qpn, IP, (0, PID), Profile::default_of(chain), mtu(MTUS[0])?);
        link.settings.timeout = TIMEOUT;
        link.settings.key = Some(SECRET);
        self.board.chains(|port| port.create(&link.settings))?;
        self.links.push(link);
        Ok(())
    }

    /// The packets of a native request of so many bytes.
    fn native(&mut self, place: usize, write: bool, va: u64, bytes: usize) -> Result<Vec<Vec<u8>>, Mismatch> {
        let qpn = Bench::pair(place)?.qpn;
        let packets = bytes.div_ceil(MTUS[place].into());
        let first = self.next[place];
        self.next[place] = first.plus(packets as u32);
        let reth =
            Extensions { reth: Some(Reth { va, rkey: KEY, length: bytes as u32 }), ..Extensions::default() };
        if !write {
            return Ok(vec![hand::frame(IP, qpn, first, Opcode::ReadRequest, reth, &[])]);
        }
        let data = vec![0x5a; bytes];
        let parts = data.chunks(MTUS[place].into()).enumerate();
        let packet = |(at, part): (usize, &[u8])| {
            let opcode = match (at, packets) {
                (0, 1) => Opcode::WriteOnly,
                (0, _) => Opcode::WriteFirst,
                (at, packets) if at + 1 == packets => Opcode::WriteLast,
                _ => Opcode::WriteMiddle,
            };
            let extensions = if at == 0 { reth } else { Extensions::default() };
            hand::frame(IP, qpn, first.plus(at as u32), opcode, extensions, part)
        };
        Ok(parts.map(packet).collect())
    }
    /// The least of some times, from the last beat in to the first one out.
    fn least(&mut self, mut once: impl FnMut(&mut Self) -> Result<u64, Mismatch>) -> Result<f64, Mismatch> {
        let mut least = u64::MAX;
        for _ in 0..TIMES {
            least = least.min(once(self)?);
            self.board.rest()?;
        }
        Ok(least as f64)
    }
    fn request(&mut self, write: bool, va: u64, bytes: usize) -> Result<f64, Mismatch> {
        self.least(|bench| {
            let frames = bench.native(0, write, va, bytes)?;
            Ok(bench.board.time(&frames, 1, |_| true)?.first)
        })
    }
    /// A message of a chain about a page, up to the reply: its time. The reply is acknowledged.
    fn message(&mut self, chain: Chain, page: u64) -> Result<u64, Mismatch> {
        let arguments = Arguments {
            tt_addr: TABLES + 8 * page,
            buffer: Some(0xb000),
            signal: Some(0xc000),
            magic: Some([1; 8]),
            rkey: Some(9),
            key: Some(SECRET),
            page: chain.stores().then_some(&[0x66; PAGE][..]),
        };
        let frames = self.links[chain as usize].message(&arguments);
        let timed = self.board.time(&frames, 1, Answer::is_reply)?;
        // Its other packets leave meanwhile.
        let late = self.board.rest()?;
        let mut replies = timed.answers.iter().chain(&late).filter(|answer| answer.is_reply());
        if let Some(last) = replies.next_back() {
            let acknowledge = Syndrome::Ack(Credits::UNCOUNTED);
            let frame = self.links[chain as usize].says(Psn::from_low_bits(last.psn()), acknowledge);
            hand::deliver(&mut self.board, [frame]);
        }
        Ok(timed.first)
    }
    /// Takes a page's frame back: nothing is replied.
    fn invalidate(&mut self, page: u64) -> Result<(), Mismatch> {
        let arguments = Arguments {
            tt_addr: TABLES + 8 * page,
            signal: Some(0xc000),
            magic: Some([1; 8]),
            rkey: Some(9),
            key: Some(SECRET),
            ..Arguments::default()
        };
        let frames = self.links[Chain::Invalidate as usize].message(&arguments);
        hand::deliver(&mut self.board, frames);
        Ok(())
    }

    /// Gbit/s of data of a READ in packets of 1 KB, from the first beat that leaves to the last one.
    fn reads_in_a_row(&mut self) -> Result<f64, Mismatch> {
        let frames = self.native(1, false, WHOLE * self.page, ROW * LARGE)?;
        let timed = self.board.time(&frames, ROW, |_| true)?;
        self.board.rest()?;
        Ok(rate((timed.last + 1 - timed.first) as f64 / ROW as f64))
    }
    /// The same of a WRITE: what each packet more adds to the time until all is acknowledged.
    fn writes_in_a_row(&mut self) -> Result<f64, Mismatch> {
        let [one, all] = [1, ROW].map(|packets| {
            let frames = self.native(1, true, WHOLE * self.page, packets * LARGE)?;
            let timed = self.board.time(&frames, 1, |_| true)?;
            self.board.rest()?;
            Ok(timed.whole as f64)
        });
        Ok(rate((all? - one?) / (ROW - 1) as f64))
    }
}

/// Gbit/s of packets of 1 KB that take so many cycles each.
fn rate(cycles: f64) -> f64 {
    LARGE as f64 * 8.0 / (cycles * CYCLE)
}
fn mtu(bytes: u16) -> Result<PathMtu, Mismatch> {
    PathMtu::new(bytes).ok_or_else(|| Mismatch::new(format!("a path MTU of {bytes}")))
}

/// Measures everything, with memory that answers after so many cycles; 0: in the next one.
///
/// # Errors
/// The board does something else than what was measured.
pub fn measure(memory: u32) -> Result<Vec<Figure>, Mismatch> {
    let options = RtlOptions { dram_latency: memory, skip_idle: false, ..RtlOptions::new(RtlConfig::Rdma) };
    let mut fast = RtlFast::new(options).map_err(|error| Mismatch::new(error.to_string()))?;
    let mut bench = Bench::new(&mut fast)?;
    // Pages have memory, and are in the TLB and in the leaf unit's lines.
    for page in [WHOLE, SPLIT] {
        bench.request(true, page * bench.page, PAGE)?;
    }
    let mut all = Vec::new();
    let read = natives(&mut bench, &mut all)?;
    chains(&mut bench, read, &mut all)?;
    for (name, value) in [
        ("READ, packets of 1 KB in a row", bench.reads_in_a_row()?),
        ("WRITE, packets of 1 KB in a row", bench.writes_in_a_row()?),
    ] {
        all.push(Figure { name, value, unit: RATE, goal: Some(115.0), paper: "" });
    }
    Ok(all)
}

/// READs and WRITEs of board pages and of 4 KB pages. Answers what a READ of a 4 KB page takes.
fn natives(bench: &mut Bench<'_>, all: &mut Vec<Figure>) -> Result<f64, Mismatch> {
    const PAPER: &str = "2.9 us in all";
    let (whole, split) = (WHOLE * bench.page, SPLIT * bench.page);
    let mut last = 0.0;
    for (write, bytes, name, more) in [
        (false, SMALL, "READ of 64 bytes", "READ of 64 bytes of a 4 KB page, over that"),
        (true, SMALL, "WRITE of 64 bytes", "WRITE of 64 bytes to a 4 KB page, over that"),
        (true, PAGE, "WRITE of 4 KB", "WRITE of a 4 KB page, over that"),
        (false, PAGE, "READ of 4 KB", "READ of a 4 KB page, over that"),
    ] {
        let (of_whole, of_split) = (bench.request(write, whole, bytes)?, bench.request(write, split, bytes)?);
        let (goals, paper) =
            if bytes == SMALL { ([Some(34.0), Some(6.0)], PAPER) } else { ([None, None], "") };
        all.push(Figure { name, value: of_whole, unit: CYCLES, goal: goals[0], paper });
        let value = of_split - of_whole;
        all.push(Figure { name: more, value, unit: CYCLES, goal: goals[1], paper: "" });
        last = of_split;
    }
    Ok(last)
}

/// ODRP's load and stores, by themselves and over READs and WRITEs of 4 KB pages.
fn chains(bench: &mut Bench<'_>, read: f64, all: &mut Vec<Figure>) -> Result<(), Mismatch> {
    let mut tell = |name, value, goal, paper| all.push(Figure { name, value, unit: CYCLES, goal, paper });
    let write = bench.request(true, SPLIT * bench.page, PAGE + SMALL)?;
    tell("WRITE of 4,160 bytes to 4 KB pages, two packets", write, None, "");
    let load = bench.least(|bench| bench.message(Chain::Load, 0))?;
    let mapped = bench.least(|bench| bench.message(Chain::MappedStore, 0))?;
    let unmapped = bench.least(|bench| {
        bench.invalidate(1)?;
        bench.message(Chain::UnmappedStore, 1)
    })?;
    tell("load", load, None, "");
    tell("load, over a READ of a 4 KB page", load - read, Some(16.0), "650 (2.6 us)");
    tell("mapped store", mapped, None, "");
    tell("mapped store, over a WRITE of as many packets", mapped - write, Some(16.0), "425 (1.7 us)");
    tell("unmapped store", unmapped, None, "");
    tell("unmapped store, over a WRITE of as many packets", unmapped - write, Some(20.0), "1,625 (6.5 us)");
    Ok(())
}
