//! The work of the slow path's daemon, request by request, for whoever counts its instructions: `cargo xtask daemon-cost` runs
//! this under QEMU and counts what its log says was executed.
//!
//! Two system calls that do nothing are marks in that log. `getpid` stops the count or lets it go on: what stands for the board
//! is not the daemon's work. `getppid` begins a part, with the count stopped at 0, and ends it; its name and
//! repetitions are then printed.
use std::fs::File;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mneme_boardd::Board;
use mneme_model::{BoardShape, NetworkPort, SoftFast};
use mneme_slowpath::{Config, FastPath, MemoryEpochs, Slow};
use mneme_window::{Interrupt, Map, Memory, Ordinary, Registers, Window};
use mneme_wire::device::{
    DEVICE_MAGIC, DEVICE_MEMORY_READY, DEVICE_VERSION, RING_ENABLE, RING_RUNNING, WINDOW_BYTES,
};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::register::COUNTER_BASE;
use mneme_wire::{
    Counter, DeviceRegister, Opcode, Packet, Pid, Register, Request, Response, Rights, Status, Tick, Trailer,
    Va,
};

const SLOTS: u32 = 64;
const SLOT: u64 = 1600;
const MAC: [u8; 6] = [2, 0, 0, 0, 0, 9];
const IP: [u8; 4] = [10, 0, 0, 9];
/// Repetitions of a part.
const TIMES: u32 = 64;
/// Fill levels of the page table, in percent of its slots.
const LEVELS: [u64; 7] = [0, 25, 50, 75, 90, 95, 98];

fn stop_or_go_on() {
    std::hint::black_box(std::process::id());
}

/// The board: not counted.
struct Hardware {
    soft: SoftFast,
    control: u32,
    sent: u32,
}

impl Hardware {
    fn read(&mut self, offset: u32) -> u32 {
        use DeviceRegister as R;
        match R::from_number(offset) {
            Some(R::Magic) => return DEVICE_MAGIC,
            Some(R::Version) => return DEVICE_VERSION,
            Some(R::Status) => return DEVICE_MEMORY_READY,
            Some(R::RingSlots) => return SLOTS,
            Some(R::RingSlotBytes) => return SLOT as u32,
            Some(R::RingStatus) => return if self.control & RING_ENABLE != 0 { RING_RUNNING } else { 0 },
            Some(R::TxTail) => return self.sent,
            Some(_) => return 0,
            None => {}
        }
        // A poll of the slow path takes about so long.
        self.soft.run(256);
        match Register::from_number(offset) {
            Some(register) => self.soft.read_register(register),
            None => match Counter::from_number(offset.wrapping_sub(COUNTER_BASE) / 4) {
                Some(counter) => self.soft.read_counter(counter),
                None => 0,
            },
        }
    }
    fn write(&mut self, offset: u32, value: u32) {
        match (DeviceRegister::from_number(offset), Register::from_number(offset)) {
            (Some(DeviceRegister::RingControl), _) => self.control = value,
            (Some(DeviceRegister::TxHead), _) => self.sent = value,
            (None, Some(register)) => self.soft.write_register(register, value),
            _ => {}
        }
    }
}

/// An access costs the daemon one load or store; what the board does for it is not counted.
struct Far(Arc<Mutex<Hardware>>);

impl Registers for Far {
    fn bytes(&self) -> u64 {
        WINDOW_BYTES.into()
    }
    fn read(&mut self, offset: u32) -> u32 {
        stop_or_go_on();
        let value = self.0.lock().expect("one thread").read(offset);
        stop_or_go_on();
        value
    }
    fn write(&mut self, offset: u32, value: u32) {
        stop_or_go_on();
        self.0.lock().expect("one thread").write(offset, value);
        stop_or_go_on();
    }
}

struct Never;

impl Interrupt for Never {
    fn enable(&mut self) -> std::io::Result<()> {
        Ok(())
    }
    fn wait(&mut self, _: Duration) -> std::io::Result<bool> {
        Ok(false)
    }
}

struct Bench {
    slow: Slow,
    board: Board,
    rings: Map,
    hardware: Arc<Mutex<Hardware>>,
    received: u32,
    op_id: u32,
    epoch: u8,
}

impl Bench {
    fn new(file: &File) -> Bench {
        let soft = SoftFast::new(BoardShape::SIM).expect("a kept shape");
        let hardware = Arc::new(Mutex::new(Hardware { soft, control: 0, sent: 0 }));
        let bytes = 2 * u64::from(SLOTS) * SLOT;
        file.set_len(bytes).expect("room");
        let map = || Map::of_file(file, 0, bytes).expect("a mapping");
        let window = Window {
            name: "a board".to_owned(),
            registers: Box::new(Far(hardware.clone())),
            rings: Box::new(map()),
            ring_address: 0x7f00_0000,
            // Nothing is read there: the core has just been reset.
            dram: Box::new(Ordinary::new(256 << 20)),
            interrupt: Box::new(Never),
            facts: None,
        };
        let mut board = Board::open(window, None).expect("a board");
        let mut config = Config::new(1, MAC, IP, [7; 32]);
        config.limits.bucket_share = 8;
        config.limits.tenant_reserve = Some(0);
        config.limits.overcommit = true;
        config.limits.refusal_rate = u32::MAX;
        config.limits.search_rate = u64::MAX >> 20;
        let mut slow = Slow::boot(config, &mut board, &mut MemoryEpochs::default(), 0).expect("boot");
        while !slow.ready() {
            slow.poll(&mut board);
        }
        for _ in 0..1000 {
            slow.poll(&mut board);
        }
        let epoch = slow.info().epoch;
        Bench { slow, board, rings: map(), hardware, received: 0, op_id: 0, epoch }
    }

    /// A request comes, and is served: only that is counted.
    fn serve(&mut self, opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> (Response, Vec<u8>) {
        self.op_id += 1;
        let tick = self.hardware.lock().expect("one thread").read(Register::Tick.number());
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.op_id,
            attempt: 0,
            time: Tick::from_low_bits(tick),
            va: Va::from_low_bits(va),
            length: payload.len() as u16,
        };
        let datagram = [&request.to_bytes()[..], payload].concat();
        let endpoints = Endpoints {
            src_mac: [2, 0, 0, 0, 0, 1],
            dst_mac: MAC,
            src_ip: [10, 0, 0, 1],
            dst_ip: IP,
            src_port: 4000,
            dst_port: 19_790,
        };
        let frame = UdpFrame { endpoints, datagram: &datagram };
        let mut bytes = vec![0; frame.frame_len()];
        frame.emit(true, &mut bytes).expect("room");
        let at = u64::from(self.received % SLOTS) * SLOT;
        self.received += 1;
        self.rings.write(at + 64, &bytes);
        self.rings.write_u32(at, bytes.len() as u32);
        self.rings.write_u32(at + 4, self.received);
        let before = self.hardware.lock().expect("one thread").sent;
        stop_or_go_on();
        self.slow.poll(&mut self.board);
        stop_or_go_on();
        self.answer(before)
    }
    fn answer(&self, before: u32) -> (Response, Vec<u8>) {
        let at = u64::from(SLOTS + before % SLOTS) * SLOT;
        assert_eq!(self.rings.read_u32(at + 4), before + 1, "an answer");
        let mut bytes = vec![0; self.rings.read_u32(at) as usize];
        self.rings.read(at + 64, &mut bytes);
        let frame = UdpFrame::parse(&bytes).expect("a frame");
        let packet = Packet::new_checked(frame.datagram).expect("a packet");
        (Response::parse(&packet).expect("a response"), packet.payload().to_vec())
    }
    fn good(&mut self, opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> Vec<u8> {
        let (response, answer) = self.serve(opcode, pid, va, payload);
        assert_eq!(response.status, Status::Ok, "{opcode}: {:?}", response.detail());
        answer
    }
    fn open(&mut self) -> u32 {
        let answer = self.good(Opcode::Open, 0, 0, &OpenRequest::default().to_bytes());
        OpenAnswer::parse(&answer).expect("an answer").pid
    }
    fn alloc(&mut self, pid: u32, pages: u64) -> u64 {
        let ask = Alloc::request(pages << 18, Rights { read: true, write: false });
        Alloc::parse_answer(&self.good(Opcode::Alloc, pid, 0, &ask.to_bytes())).expect("an answer").va
    }
    fn free(&mut self, pid: u32, va: u64, pages: u64) {
        let ask = RangeRights { size: pages << 18, rights: Rights::default() };
        self.good(Opcode::Free, pid, va, &ask.to_bytes());
    }
}

/// Counts what the closure lets be counted, and tells of how many of what it was.
fn part(name: &str, times: u32, work: impl FnOnce()) {
    std::hint::black_box(std::os::unix::process::parent_id());
    work();
    std::hint::black_box(std::os::unix::process::parent_id());
    println!("{name}\t{times}");
}

fn main() {
    let file = tempfile::tempfile().expect("a file");
    let mut bench = Bench::new(&file);
    // Nothing between them: what the marks cost.
    part("marks", TIMES, || {
        for _ in 0..TIMES {
            stop_or_go_on();
            stop_or_go_on();
        }
    });
    part("poll that finds nothing", TIMES, || {
        for _ in 0..TIMES {
            stop_or_go_on();
            bench.slow.poll(&mut bench.board);
            stop_or_go_on();
        }
    });
    part("PING", TIMES, || {
        (0..TIMES).for_each(|_| drop(bench.good(Opcode::Ping, 0, 0, &[0; BoardInfo::LEN])))
    });
    let mut pids = Vec::new();
    part("OPEN", TIMES, || (0..TIMES).for_each(|_| pids.push(bench.open())));
    part("EXIT", TIMES, || pids.drain(..).for_each(|pid| drop(bench.good(Opcode::Exit, pid, 0, &[]))));
    let (filler, pid) = (bench.open(), bench.open());
    let slots = 4096;
    for level in LEVELS {
        while bench.slow.inspect(|space| space.slots_used()) < slots * level / 100 {
            bench.alloc(filler, 1);
        }
        let mut ranges = Vec::new();
        part(&format!("ALLOC of a page at {level} %"), TIMES, || {
            (0..TIMES).for_each(|_| ranges.push(bench.alloc(pid, 1)));
        });
        part(&format!("FREE of a page at {level} %"), TIMES, || {
            ranges.drain(..).for_each(|va| bench.free(pid, va, 1));
        });
    }
}
