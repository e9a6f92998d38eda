//! A fast path in memory, just enough of contracts §3 for the slow path: registers, the replace command on a table in a
//! `Vec`, zeroing, the async buffer, page faults; and a client that speaks to it in frames.
mod audit;

use mneme_slowpath::{
    Config, FastPath, LeafCommand, LeafRefused, LeafState, Limits, MemoryEpochs, RingFull, SlowPath,
};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{Alloc, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::pte::{
    ACCESSED, ALLOCATED, BUCKET_ENTRIES, DIRTY, Geometry, VALID, WRITE, parity_ok, with_parity,
};
use mneme_wire::register::{BUILD_LEAF, CONTROL_EXHAUSTED, MAGIC, TABLE_PINNED, ZERO_ONLY};
use mneme_wire::{Counter, Opcode, Packet, Pid, Register, ReplaceStatus, Request, Response, Rights};
use mneme_wire::{Status, Tick, Trailer, Va};
use std::collections::{BTreeMap, HashMap, VecDeque};

pub const MAC: [u8; 6] = [2, 0, 0, 0, 0, 9];
pub const IP: [u8; 4] = [10, 0, 0, 9];

/// The board.
pub struct Double {
    pub geometry: Geometry,
    pub table: Vec<u64>,
    pub tick: u64,
    registers: HashMap<u32, u32>,
    zeroing: VecDeque<u32>,
    zero_depth: usize,
    pub buffer: VecDeque<u32>,
    pub buffer_depth: usize,
    pub rx: VecDeque<Vec<u8>>,
    pub tx: VecDeque<Vec<u8>>,
    pub tx_depth: usize,
    /// Replace commands to be answered with this status instead, counted down: the command that meets 0.
    pub fail: Option<(u32, ReplaceStatus)>,
    pub replaces: u64,
    /// The page of an entry that memory did not take, until it is written again.
    pub pinned: Option<(u32, u64)>,
    /// Reads of REPLACE_STATUS for which a command stays RUNNING.
    pub slowness: u32,
    running: u32,
    /// Reads of REPLACE_STATUS.
    pub status_reads: u64,
    pub counters: HashMap<Counter, u32>,
    pub mat: Vec<[u32; 5]>,
    pub zeroed_table: Vec<u32>,
    /// Segments of its leaf unit: tables by their first one. Nobody gets a frame of it.
    pub segments: BTreeMap<u32, u32>,
    /// Answers of the leaf unit, each to the first command that it is for, instead of its own.
    pub leaf_fails: Vec<(LeafKind, LeafRefused)>,
}

/// A command of the leaf unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafKind {
    Create,
    Close,
    Sweep,
}

impl Double {
    pub fn new(page_bits: u32, mem_bits: u32, slots_log2: u32) -> Double {
        let geometry = Geometry::new(page_bits, mem_bits, slots_log2).unwrap();
        Double {
            table: vec![0; (geometry.buckets() as usize) * BUCKET_ENTRIES],
            geometry,
            tick: 100,
            registers: HashMap::new(),
            zeroing: VecDeque::new(),
            zero_depth: 4,
            buffer: VecDeque::new(),
            buffer_depth: 4,
            rx: VecDeque::new(),
            tx: VecDeque::new(),
            tx_depth: 64,
            fail: None,
            replaces: 0,
            pinned: None,
            slowness: 2,
            running: 0,
            status_reads: 0,
            counters: HashMap::new(),
            mat: Vec::new(),
            zeroed_table: Vec::new(),
            segments: BTreeMap::new(),
            leaf_fails: Vec::new(),
        }
    }
    /// The same with a leaf unit.
    pub fn with_leaf(mut self) -> Double {
        self.registers.insert(Register::BuildFlags.number(), BUILD_LEAF);
        self
    }
    fn reg(&self, register: Register) -> u32 {
        self.registers.get(&register.number()).copied().unwrap_or(0)
    }
    fn wide(&self, low: Register, high: Register) -> u64 {
        u64::from(self.reg(low)) | u64::from(self.reg(high)) << 32
    }
    pub fn enabled(&self) -> bool {
        self.reg(Register::Control) & 1 != 0
    }
    pub fn exhausted(&self) -> bool {
        self.reg(Register::Control) & CONTROL_EXHAUSTED != 0
    }
    /// The zeroing engine finishes everything that it can.
    pub fn zero(&mut self) {
        while let Some(page) = self.zeroing.front().copied() {
            if page & ZERO_ONLY != 0 {
                self.zeroed_table.push(page & !ZERO_ONLY);
            } else if self.buffer.len() < self.buffer_depth {
                self.buffer.push_back(page);
            } else {
                return;
            }
            self.zeroing.pop_front();
        }
    }
    pub fn zeroing_pages(&self) -> Vec<u32> {
        self.zeroing.iter().copied().collect()
    }
    pub fn find(&self, pid: u32, vpn: u64) -> Option<usize> {
        let at = self.geometry.bucket(pid, vpn) as usize * BUCKET_ENTRIES;
        (at..at + BUCKET_ENTRIES).find(|i| {
            let e = self.table[*i];
            e & ALLOCATED != 0 && parity_ok(e) && self.geometry.entry_tag(e) == self.geometry.tag(pid, vpn)
        })
    }
    /// A write to a page: faults when it has none. The status that the fast path would answer.
    pub fn touch(&mut self, pid: u32, vpn: u64) -> Status {
        let Some(at) = self.find(pid, vpn) else { return Status::Unmapped };
        let entry = self.table[at];
        if entry & WRITE == 0 {
            return Status::Denied;
        }
        if entry & VALID == 0 {
            let Some(page) = self.buffer.pop_front() else {
                return if self.exhausted() { Status::NoMemory } else { Status::Busy };
            };
            self.table[at] = with_parity(entry | VALID | ACCESSED | DIRTY | u64::from(page));
        }
        Status::Ok
    }
    /// The command that runs ends now.
    pub fn end_command(&mut self) {
        self.running = 0;
    }
    fn replace(&mut self) -> ReplaceStatus {
        self.replaces += 1;
        if let Some((left, status)) = &mut self.fail {
            if *left == 0 {
                let status = *status;
                self.fail = None;
                return status;
            }
            *left -= 1;
        }
        let (pid, vpn) = (self.reg(Register::ReplacePid), u64::from(self.reg(Register::ReplaceVpn)));
        self.pinned.take_if(|page| *page == (pid, vpn));
        let compare = self.wide(Register::ReplaceCompareLow, Register::ReplaceCompareHigh);
        let expected = self.wide(Register::ReplaceExpectedLow, Register::ReplaceExpectedHigh);
        let write = self.wide(Register::ReplaceWriteLow, Register::ReplaceWriteHigh);
        let new = self.wide(Register::ReplaceNewLow, Register::ReplaceNewHigh);
        let at = self.geometry.bucket(pid, vpn) as usize * BUCKET_ENTRIES;
        let free =
            (at..at + BUCKET_ENTRIES).find(|i| self.table[*i] & ALLOCATED == 0 && parity_ok(self.table[*i]));
        let Some(slot) = self.find(pid, vpn).or(free) else { return ReplaceStatus::Full };
        let old = if self.table[slot] & ALLOCATED != 0 { self.table[slot] } else { 0 };
        self.registers.insert(Register::ReplaceOldLow.number(), old as u32);
        self.registers.insert(Register::ReplaceOldHigh.number(), (old >> 32) as u32);
        if (old ^ expected) & compare != 0 {
            return ReplaceStatus::Mismatch;
        }
        let value = (old & !write) | (new & write);
        self.table[slot] = if value & ALLOCATED == 0 { 0 } else { self.geometry.seal(value, pid, vpn) };
        ReplaceStatus::Done
    }
}

impl FastPath for Double {
    fn read_register(&mut self, register: Register) -> u32 {
        match register {
            Register::Magic => MAGIC,
            Register::WireVersion => 1,
            Register::PageBits => self.geometry.page_bits(),
            Register::MemBits => self.geometry.mem_bits(),
            Register::SlotsLog2 => self.geometry.slots_log2(),
            Register::MaxPayload => 1428,
            Register::TickLog2 => 11,
            Register::Tick => self.tick as u32 & 0xff_ffff,
            Register::AsyncLevel => self.buffer.len() as u32,
            Register::ZeroSpace => (self.zero_depth - self.zeroing.len()) as u32,
            Register::ZeroPending => self.zeroing.len() as u32,
            Register::TablePinned => {
                self.pinned.map_or(0, |(pid, vpn)| TABLE_PINNED | self.geometry.bucket(pid, vpn) as u32)
            }
            Register::ReplaceStatus => {
                self.status_reads += 1;
                if self.running == 0 {
                    return self.reg(Register::ReplaceStatus);
                }
                self.running -= 1;
                u32::from(ReplaceStatus::Running.number())
            }
            other => self.reg(other),
        }
    }
    fn write_register(&mut self, register: Register, value: u32) {
        match register {
            Register::ZeroPush => {
                assert!(self.zeroing.len() < self.zero_depth, "the zeroing queue was overrun");
                self.zeroing.push_back(value);
            }
            Register::ReplaceGo => {
                assert_eq!(self.running, 0, "a command still runs");
                let status = self.replace();
                self.registers.insert(Register::ReplaceStatus.number(), status.number().into());
                self.running = self.slowness;
            }
            Register::MatCommit => {
                let row = [Register::MatValue0, Register::MatValue1, Register::MatMask0, Register::MatMask1]
                    .map(|r| self.reg(r));
                self.mat.push([row[0], row[1], row[2], row[3], value]);
            }
            _ => {
                self.registers.insert(register.number(), value);
            }
        }
    }
    fn read_counter(&mut self, counter: Counter) -> u32 {
        self.counters.get(&counter).copied().unwrap_or(0)
    }
    fn receive(&mut self, into: &mut Vec<u8>) -> bool {
        self.rx.pop_front().map(|frame| *into = frame).is_some()
    }
    fn send(&mut self, frame: &[u8]) -> Result<(), RingFull> {
        if self.tx.len() >= self.tx_depth {
            return Err(RingFull);
        }
        self.tx.push_back(frame.to_vec());
        Ok(())
    }
    fn read_memory(&mut self, _address: u64, into: &mut [u8]) {
        into.fill(0);
    }
    fn write_memory(&mut self, _address: u64, _from: &[u8]) {}
    fn leaf(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        let kind = match command {
            LeafCommand::Create(_) => Some(LeafKind::Create),
            LeafCommand::Close(_) => Some(LeafKind::Close),
            LeafCommand::Sweep(..) => Some(LeafKind::Sweep),
            _ => None,
        };
        if let Some(at) = self.leaf_fails.iter().position(|(own, _)| Some(*own) == kind) {
            return Err(self.leaf_fails.remove(at).1);
        }
        match command {
            LeafCommand::Create(own) => {
                let end = own.table + own.tables;
                if self.segments.iter().any(|(first, tables)| *first < end && own.table < first + tables) {
                    return Err(LeafRefused::Taken);
                }
                self.segments.insert(own.table, own.tables);
                Ok(0)
            }
            LeafCommand::Close(table) if self.segments.contains_key(&table) => Ok(0),
            LeafCommand::Sweep(table, _) if self.segments.remove(&table).is_some() => Ok(0),
            LeafCommand::Refill | LeafCommand::TakeBack => Err(LeafRefused::NoPage),
            _ => Err(LeafRefused::Unknown),
        }
    }
    fn leaf_state(&self) -> Option<LeafState> {
        (self.reg(Register::BuildFlags) & BUILD_LEAF != 0).then(LeafState::default)
    }
}

/// Settings for tests: a window of 8 ticks of 1 µs, a slow window of 1,000 ticks.
pub fn config() -> Config {
    Config {
        window_ticks: 8,
        ns_per_tick: 1000,
        slow_window_ns: 1_000_000,
        limits: limits(),
        ..Config::new(77, MAC, IP, [5; 32])
    }
}

/// Limits for tests of what has nothing to do with tenants: one may have all memory and more, and leases are short.
pub fn limits() -> Limits {
    Limits {
        lease_max_ns: 1 << 40,
        lease_min_ns: 1_000,
        tenant_reserve: Some(0),
        overcommit: true,
        // Its time passes slowly.
        refusal_rate: u32::MAX,
        ..Limits::default()
    }
}

/// A board that is up, with its slow path.
pub struct Bench {
    pub fp: Double,
    pub slow: SlowPath,
    pub op_id: u32,
    pub epoch: u8,
}

impl Bench {
    pub fn new(fp: Double, config: Config) -> Bench {
        let mut fp = fp;
        let mut slow = SlowPath::boot(config, &mut fp, &mut MemoryEpochs::default()).unwrap();
        for _ in 0..1000 {
            slow.poll(&mut fp);
            fp.zero();
        }
        assert!(slow.ready() && fp.enabled());
        let epoch = slow.info().epoch;
        Bench { fp, slow, op_id: 0, epoch }
    }
    /// 256 KB pages, 16 MB: 64 pages, 32 buckets.
    pub fn tiny() -> Bench {
        Bench::new(Double::new(18, 24, 2), config())
    }
    /// Ticks pass and everything due is done.
    pub fn pass(&mut self, ticks: u64) {
        self.fp.tick += ticks;
        for _ in 0..40 {
            self.slow.poll(&mut self.fp);
            self.fp.zero();
        }
    }
    pub fn request(&mut self, opcode: Opcode, pid: u32, va: u64, length: usize) -> Request {
        self.op_id += 1;
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.op_id,
            attempt: 0,
            time: Tick::from_low_bits(self.fp.tick as u32),
            va: Va::from_low_bits(va),
            length: length as u16,
        }
    }
    /// Sends a request from a source address; its answer.
    pub fn send(&mut self, ip: [u8; 4], request: &Request, payload: &[u8]) -> (Response, Vec<u8>) {
        self.fp.rx.push_back(frame_of(ip, request, payload));
        self.slow.poll(&mut self.fp);
        self.fp.zero();
        self.take().expect("every request is answered")
    }
    /// The next answer, checked for what holds of every answer.
    pub fn take(&mut self) -> Option<(Response, Vec<u8>)> {
        let bytes = self.fp.tx.pop_front()?;
        let frame = UdpFrame::parse(&bytes).unwrap();
        assert_eq!((frame.endpoints.src_mac, frame.endpoints.src_ip), (MAC, IP));
        let packet = Packet::new_checked(frame.datagram).unwrap();
        Some((Response::parse(&packet).unwrap(), packet.payload().to_vec()))
    }
    pub fn ask(&mut self, opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> (Response, Vec<u8>) {
        let request = self.request(opcode, pid, va, payload.len());
        self.send([10, 0, 0, 1], &request, payload)
    }
    pub fn open_from(&mut self, ip: [u8; 4], pid: u32, ask: &OpenRequest) -> Result<OpenAnswer, Response> {
        let request = self.request(Opcode::Open, pid, 0, OpenRequest::LEN);
        let (response, payload) = self.send(ip, &request, &ask.to_bytes());
        match response.status {
            Status::Ok => Ok(OpenAnswer::parse(&payload).unwrap()),
            _ => Err(response),
        }
    }
    pub fn open(&mut self) -> u32 {
        self.open_from([10, 0, 0, 1], 0, &OpenRequest::default()).unwrap().pid
    }
    /// Allocates pages; the first page number.
    pub fn alloc(&mut self, pid: u32, pages: u64, rights: Rights) -> Result<u64, Response> {
        let ask = Alloc::request(pages << self.fp.geometry.page_bits(), rights);
        self.alloc_as(pid, 0, &ask)
    }
    pub fn alloc_at(&mut self, pid: u32, vpn: u64, pages: u64) -> Result<u64, Response> {
        let bits = self.fp.geometry.page_bits();
        let ask = Alloc { fixed: true, ..Alloc::request(pages << bits, Rights::READ_WRITE) };
        self.alloc_as(pid, vpn << bits, &ask)
    }
    pub fn alloc_as(&mut self, pid: u32, va: u64, ask: &Alloc) -> Result<u64, Response> {
        let (response, payload) = self.ask(Opcode::Alloc, pid, va, &ask.to_bytes());
        match response.status {
            Status::Ok => Ok(Alloc::parse_answer(&payload).unwrap().va >> self.fp.geometry.page_bits()),
            _ => Err(response),
        }
    }
    pub fn free(&mut self, pid: u32, vpn: u64, pages: u64) -> Response {
        let bits = self.fp.geometry.page_bits();
        let ask = RangeRights { size: pages << bits, rights: Rights::default() };
        self.ask(Opcode::Free, pid, vpn << bits, &ask.to_bytes()).0
    }
    pub fn protect(&mut self, pid: u32, vpn: u64, pages: u64, rights: Rights) -> Response {
        let bits = self.fp.geometry.page_bits();
        let ask = RangeRights { size: pages << bits, rights };
        self.ask(Opcode::Protect, pid, vpn << bits, &ask.to_bytes()).0
    }
    pub fn exit(&mut self, pid: u32) -> Response {
        self.ask(Opcode::Exit, pid, 0, &[]).0
    }
}

pub fn frame_of(ip: [u8; 4], request: &Request, payload: &[u8]) -> Vec<u8> {
    let datagram = [&request.to_bytes()[..], payload].concat();
    let endpoints = Endpoints {
        src_mac: [2, 0, 0, 0, 0, 1],
        dst_mac: MAC,
        src_ip: ip,
        dst_ip: IP,
        src_port: 4000,
        dst_port: 19790,
    };
    let frame = UdpFrame { endpoints, datagram: &datagram };
    let mut bytes = vec![0; frame.frame_len()];
    frame.emit(true, &mut bytes).unwrap();
    bytes
}
