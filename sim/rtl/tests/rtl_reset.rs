//! Resets of the core at any time, while memory goes on with what it was asked for: the new life boots, is right, and sees nothing of the old one.
//!
//! `MNEME_RESETS=<lives>` runs as many lives on each board instead of a few, `MNEME_RESET_SEED` begins elsewhere.
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mneme_model::NetworkPort;
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::FastPath;
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::register::{CONTROL_ENABLE, REST_BOARD, REST_MEMORY, ZERO_ONLY};
use mneme_wire::{
    Counter, DEFAULT_UDP_PORT, MatAction, Opcode, Packet, Pid, Register, ReplaceStatus, Request, Response,
    Status, Tick, Trailer, Va, pte,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const HOST: Endpoints = Endpoints {
    src_mac: [2, 0, 0, 0, 0, 1],
    dst_mac: [2, 0, 0, 0, 0, 9],
    src_ip: [10, 0, 0, 1],
    dst_ip: [10, 0, 0, 9],
    src_port: 40_000,
    dst_port: DEFAULT_UDP_PORT,
};
/// Pages of process 1, and places in each, with one request at a time for each place.
const PAGES: u64 = 6;
const PLACES: u64 = 8;
const PLACE: u64 = 512;
/// The places lie across a border of 4 KB, so that some requests are several bursts.
const FIRST: u64 = 4096 - 3 * PLACE - 24;
/// Cycles. A page fault that finds no page may wait for 2^18 of them.
const ENOUGH: u64 = 1 << 20;

/// What a place may be asked for, and what was.
#[derive(Clone)]
struct Asked {
    place: (u64, u64),
    opcode: Opcode,
    from: usize,
    data: Vec<u8>,
}

struct Life<'a> {
    board: &'a mut RtlFast,
    rng: &'a mut ChaCha8Rng,
    epoch: u8,
    next_id: &'a mut u32,
    asked: BTreeMap<u32, Asked>,
    holds: BTreeMap<(u64, u64), Vec<u8>>,
    next_page: u64,
    answers: u64,
}

impl Life<'_> {
    /// Lets cycles pass until `done`, or the life's time is over: false.
    fn until(&mut self, end: u64, mut done: impl FnMut(&mut RtlFast) -> bool) -> bool {
        let patience = self.board.cycles() + ENOUGH;
        while !done(self.board) {
            assert!(self.board.cycles() < patience, "the board does not get there");
            if self.board.cycles() >= end {
                return false;
            }
            self.board.run(32);
        }
        true
    }
    /// As a slow path would bring it up (contracts §3). False: its time is over.
    fn boot(&mut self, end: u64) -> bool {
        let geometry = self.board.shape().check().expect("a kept shape");
        assert_eq!(self.board.read_register(Register::Control) & CONTROL_ENABLE, 0);
        for page in 0..geometry.table_pages() {
            self.board.write_register(Register::ZeroPush, page as u32 | ZERO_ONLY);
        }
        if !self.until(end, |board| board.read_register(Register::ZeroPending) == 0) {
            return false;
        }
        let mut table = vec![0; (geometry.table_pages() << self.board.shape().page_bits) as usize];
        self.board.read_memory(0, &mut table);
        assert!(table.iter().all(|&byte| byte == 0), "a write of an earlier life came after zeroing");
        let both = REST_BOARD | REST_MEMORY;
        if !self.until(end, |board| board.read_register(Register::Rest) & both == both) {
            return false;
        }
        self.next_page = geometry.table_pages();
        self.offer_pages();
        let board = &mut *self.board;
        board.write_register(Register::Epoch, self.epoch.into());
        board.write_register(Register::Window, 1 << 16);
        board.write_register(Register::MacHigh, u32::from_be_bytes([0, 0, HOST.dst_mac[0], HOST.dst_mac[1]]));
        let low = [HOST.dst_mac[2], HOST.dst_mac[3], HOST.dst_mac[4], HOST.dst_mac[5]];
        board.write_register(Register::MacLow, u32::from_be_bytes(low));
        board.write_register(Register::Ip, u32::from_be_bytes(HOST.dst_ip));
        board.write_register(Register::UdpPort, DEFAULT_UDP_PORT.into());
        board.write_register(Register::MatValue0, 0x0800 << 16 | 17 << 8);
        board.write_register(Register::MatMask0, 0xffff << 16 | 0xff << 8);
        board.write_register(Register::MatMask1, 0);
        board.write_register(Register::MatCommit, 1 << 16 | u32::from(MatAction::Fast.number()) << 8);
        board.write_register(Register::Control, CONTROL_ENABLE);
        (0..PAGES).all(|vpn| self.allocate(vpn, end))
    }
    fn allocate(&mut self, vpn: u64, end: u64) -> bool {
        let entry = pte::ALLOCATED | pte::READ | pte::WRITE;
        let board = &mut *self.board;
        board.write_register(Register::ReplacePid, 1);
        board.write_register(Register::ReplaceVpn, vpn as u32);
        board.write_register(Register::ReplaceCompareLow, 0);
        board.write_register(Register::ReplaceCompareHigh, 0);
        board.write_register(Register::ReplaceWriteLow, u32::MAX);
        board.write_register(Register::ReplaceWriteHigh, u32::MAX);
        board.write_register(Register::ReplaceNewLow, entry as u32);
        board.write_register(Register::ReplaceNewHigh, (entry >> 32) as u32);
        board.write_register(Register::ReplaceGo, 1);
        let mut status = ReplaceStatus::Running;
        let ended = self.until(end, |board| {
            let number = board.read_register(Register::ReplaceStatus) as u8;
            status = ReplaceStatus::from_number(number).expect("a status");
            status != ReplaceStatus::Running
        });
        assert!(!ended || status == ReplaceStatus::Done, "{status:?}");
        ended
    }
    /// Free pages, the same in every life, so that an earlier life's late writes would hit what this one uses.
    fn offer_pages(&mut self) {
        let last = self.board.shape().check().expect("a kept shape").table_pages() + PAGES;
        while self.next_page < last && self.board.read_register(Register::ZeroSpace) > 0 {
            self.board.write_register(Register::ZeroPush, self.next_page as u32);
            self.next_page += 1;
        }
    }
    fn ask(&mut self) {
        let place = (self.rng.random_range(0..PAGES), self.rng.random_range(0..PLACES));
        if self.asked.values().any(|asked| asked.place == place) {
            return;
        }
        let opcode = [Opcode::Write, Opcode::Write, Opcode::Read, Opcode::FetchAdd, Opcode::Swap]
            [self.rng.random_range(0..5)];
        let most = self.board.shape().max_payload().min(PLACE as usize);
        let (from, length) = match opcode {
            Opcode::Read | Opcode::Write => {
                let length = self.rng.random_range(1..=most);
                (self.rng.random_range(0..=PLACE as usize - length), length)
            }
            // FIRST is a multiple of 8, and so is every place.
            _ => (8 * self.rng.random_range(0..PLACE as usize / 8), 8),
        };
        let mut data = vec![0; length];
        self.rng.fill(&mut data[..]);
        let va = (place.0 << self.board.shape().page_bits) + FIRST + place.1 * PLACE + from as u64;
        *self.next_id += 1;
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.epoch,
            pid: Pid::new(1).expect("a pid"),
            op_id: *self.next_id,
            attempt: 0,
            time: Tick::from_low_bits(self.board.read_register(Register::Tick)),
            va: Va::new(va).expect("an address"),
            length: length as u16,
        };
        let payload = if opcode == Opcode::Read { &[][..] } else { &data };
        let datagram = [&request.to_bytes()[..], payload].concat();
        let mut frame = vec![0; 2048];
        let length = UdpFrame { endpoints: HOST, datagram: &datagram }.emit(true, &mut frame).expect("room");
        if self.board.ingress(&frame[..length], false).is_ok() {
            self.asked.insert(*self.next_id, Asked { place, opcode, from, data });
        }
    }
    fn hear(&mut self) {
        while let Some(frame) = self.board.egress() {
            let udp = UdpFrame::parse(&frame.bytes).expect("a frame that others can read");
            let packet = Packet::new_checked(udp.datagram).expect("a packet");
            let response = Response::parse(&packet).expect("a response");
            let asked =
                self.asked.remove(&response.op_id).expect("an answer to nothing that this life was asked");
            if response.status == Status::Busy {
                continue;
            }
            assert_eq!((response.status, response.opcode), (Status::Ok, asked.opcode));
            let holds = self.holds.entry(asked.place).or_insert_with(|| vec![0; PLACE as usize]);
            let word = &mut holds[asked.from..asked.from + asked.data.len()];
            if asked.opcode != Opcode::Write {
                assert_eq!(packet.payload(), word, "{} of another life or time", asked.opcode);
            }
            match asked.opcode {
                Opcode::Write | Opcode::Swap => word.copy_from_slice(&asked.data),
                Opcode::FetchAdd => {
                    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
                    let sum = number(word).wrapping_add(number(&asked.data));
                    word.copy_from_slice(&sum.to_le_bytes());
                }
                _ => {}
            }
            self.answers += 1;
        }
    }
    fn traffic(&mut self, end: u64) {
        while self.board.cycles() < end {
            // About as many as there are slots; one that finds none is dropped.
            if self.asked.len() < self.board.shape().packet_slots.min(24) {
                self.ask();
            }
            if self.rng.random_range(0..16) == 0 {
                self.offer_pages();
            }
            let cycles = self.rng.random_range(1..=12);
            self.board.run(cycles.min(end.saturating_sub(self.board.cycles()).max(1)));
            self.hear();
        }
    }
    /// The soft way down (contracts §3): every request has been answered then, but those that found no slot.
    fn stop(&mut self) {
        self.until(u64::MAX, |board| board.taken());
        self.board.write_register(Register::Control, 0);
        let both = REST_BOARD | REST_MEMORY;
        // A zeroed page waits for room in a full buffer, and moves nothing meanwhile.
        self.until(u64::MAX, |board| {
            let full = board.read_register(Register::AsyncLevel) == board.read_register(Register::AsyncDepth);
            full || board.read_register(Register::ZeroPending) == 0
        });
        self.until(u64::MAX, |board| board.read_register(Register::Rest) & both == both);
        self.hear();
        assert_eq!(self.asked.len(), self.board.read_counter(Counter::DropIngressFull) as usize);
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// Lives on one board, each ended by a reset, in its boot or under traffic. Answers and lives that were under traffic.
fn live(config: RtlConfig, seed: u64, lives: u64, reset: impl Fn(&mut RtlFast, u64)) -> (u64, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = RtlFast::new(RtlOptions {
        dram_latency: [10, 60, 300][rng.random_range(0..3)],
        dram_jitter: [0, 40, 400][rng.random_range(0..3)],
        stall_seed: seed,
        stall_probability: [0.0, 0.2, 0.6][rng.random_range(0..3)],
        reset_seed: Some(seed),
        memory_fill: if config == RtlConfig::Tiny { 0xa5 } else { 0 },
        skip_idle: false,
        ..RtlOptions::new(config)
    })
    .expect("the board starts");
    let (mut next_id, mut answers, mut busy) = (0, 0, 0);
    for number in 0..lives {
        let mut life = Life {
            board: &mut board,
            rng: &mut rng,
            epoch: (number % 255) as u8 + 1,
            next_id: &mut next_id,
            asked: BTreeMap::new(),
            holds: BTreeMap::new(),
            next_page: 0,
            answers: 0,
        };
        let in_boot = life.rng.random_range(0..8) == 0;
        let end = if in_boot { life.board.cycles() + life.rng.random_range(1..6_000) } else { u64::MAX };
        if life.boot(end) {
            let cycles = life.rng.random_range(200..4_000);
            let end = life.board.cycles() + cycles;
            life.traffic(end);
            if number + 1 == lives || life.rng.random_range(0..8) == 0 {
                life.stop();
            }
            busy += u64::from(!life.asked.is_empty());
            answers += life.answers;
        }
        reset(&mut board, rng.random_range(1..=20));
    }
    (answers, busy)
}

fn check(config: RtlConfig, lives: u64) {
    let seed = number("MNEME_RESET_SEED").unwrap_or(1);
    let lives = number("MNEME_RESETS").unwrap_or(lives);
    let (mut answers, mut busy) = (0, 0);
    for seed in seed..seed + 4 {
        println!("{} with MNEME_RESET_SEED={seed}", config.shape().name);
        let (heard, under_traffic) =
            live(config, seed, lives.div_ceil(4), |board, cycles| board.reset_core(cycles));
        answers += heard;
        busy += under_traffic;
    }
    println!("{lives} lives, {busy} ended under traffic, {answers} answers");
    assert!(
        answers > 10 * lives && 2 * busy > lives,
        "{answers} answers, {busy} of {lives} lives under traffic"
    );
}

#[test]
fn resets_of_tiny_under_traffic() {
    check(RtlConfig::Tiny, 40);
}
#[test]
fn resets_of_odd_under_traffic() {
    check(RtlConfig::Odd, 40);
}
#[test]
fn resets_of_sim_under_traffic() {
    check(RtlConfig::Sim, 40);
}

/// What these tests are worth: with the guard reset beside the core, as if there were none, they fail.
#[test]
fn a_board_without_a_guard_is_found_out() {
    for config in [RtlConfig::Tiny, RtlConfig::Odd, RtlConfig::Sim] {
        let unguarded = || live(config, 1, 40, |board, cycles| board.reset_core_unguarded(cycles));
        assert!(catch_unwind(AssertUnwindSafe(unguarded)).is_err(), "{config:?} passes without a guard");
    }
}
