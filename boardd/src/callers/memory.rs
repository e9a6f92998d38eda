//! Memory of perftest's tests: each test has a process of its own, which the daemon asks its slow path for as any client does, by frames,
//! and ends with the test. So it is zeros when the test begins, and counts as what one address has: the board's own.
use std::collections::VecDeque;

use mneme_rdma_peers::{BYTES, Ground, MOST};
use mneme_slowpath::Slow;
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{Alloc, OpenAnswer, OpenRequest};
use mneme_wire::{Detail, Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va};

/// UDP's port that the daemon's own requests come from: no client's, which has one above 1,023.
const PORT: u16 = 1;
/// Nanoseconds after which a request is repeated that nothing answers.
const AGAIN: u64 = 300_000_000;
/// Nanoseconds after which one is repeated that found the board busy, at least.
const BUSY: u64 = 10_000_000;
/// How often it is said at most.
const TRIES: u8 = 10;
/// Nanoseconds that a process outlives its daemon's interest: one that could not be ended goes by itself.
const LEASE: u64 = 30_000_000_000;
/// Nanoseconds from one renewal to the next.
const RENEWS: u64 = 1_000_000_000;

/// A process that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    pid: u32,
    token: [u8; 16],
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    Open,
    Alloc(Process),
    Exit(Process),
}

/// A request that has no answer yet.
#[derive(Debug)]
struct Pending {
    ask: Ask,
    request: Request,
    payload: Vec<u8>,
    again_at: u64,
}

/// How far a test's memory is.
#[derive(Debug, Default)]
enum State {
    #[default]
    Free,
    Asked(Pending),
    /// Its process is there, without memory.
    Opened(Process),
    Ready(Process, u64),
    /// There is none. The process, if there is one, is still to be ended.
    Failed(Option<Process>),
}

/// A test's memory.
#[derive(Debug, Default)]
struct Part {
    wanted: bool,
    state: State,
}

/// The memory of all tests.
#[derive(Debug)]
pub(super) struct TestMemory {
    /// Of requests.
    endpoints: Endpoints,
    parts: [Part; MOST],
    op_id: u32,
    now: u64,
    renewed: u64,
    /// Requests for the slow path.
    pub goes: VecDeque<Vec<u8>>,
}

impl TestMemory {
    /// Of the board with these addresses, whose slow path is at this UDP port. Operations are counted from `op_id` on.
    pub fn new(mac: [u8; 6], ip: [u8; 4], port: u16, op_id: u32) -> TestMemory {
        let endpoints =
            Endpoints { src_mac: mac, dst_mac: mac, src_ip: ip, dst_ip: ip, src_port: PORT, dst_port: port };
        let parts = Default::default();
        TestMemory { endpoints, parts, op_id, now: 0, renewed: 0, goes: VecDeque::new() }
    }

    /// The test at a place will want its memory.
    pub fn want(&mut self, place: usize) {
        self.parts[place].wanted = true;
    }
    /// It has ended.
    pub fn release(&mut self, place: usize) {
        self.parts[place].wanted = false;
    }
    /// Its memory.
    pub fn ground(&self, place: usize, slow: &Slow) -> Ground {
        match &self.parts[place].state {
            State::Ready(Process { pid, token }, va) => {
                match slow.inspect(|space| space.may_join(*pid, token)) {
                    Ok(()) => Ground::Ready { pid: *pid, va: *va },
                    Err(_) => Ground::Gone,
                }
            }
            // One that is no more wanted is another test's.
            State::Failed(_) if self.parts[place].wanted => Ground::Gone,
            _ => Ground::Wait,
        }
    }

    /// Goes on with what is asked for. Whether the slow path has something to do.
    pub fn step(&mut self, now: u64, slow: &Slow) -> bool {
        self.now = now;
        let renews = now.saturating_sub(self.renewed) >= RENEWS;
        if renews {
            self.renewed = now;
        }
        for place in 0..MOST {
            let Part { wanted, state } = &mut self.parts[place];
            let ask = match state {
                State::Free if *wanted => Ask::Open,
                State::Opened(process) if *wanted => Ask::Alloc(*process),
                State::Opened(process) => Ask::Exit(*process),
                State::Ready(process, _) if *wanted => {
                    if renews {
                        slow.renew(process.pid, &process.token);
                    }
                    continue;
                }
                State::Ready(process, _) | State::Failed(Some(process)) if !*wanted => Ask::Exit(*process),
                State::Failed(None) if !*wanted => {
                    *state = State::Free;
                    continue;
                }
                State::Asked(pending) if now >= pending.again_at => {
                    self.repeat(place);
                    continue;
                }
                _ => continue,
            };
            self.begin(place, ask, slow);
        }
        !self.goes.is_empty()
    }

    fn begin(&mut self, place: usize, ask: Ask, slow: &Slow) {
        let (opcode, pid, payload) = match ask {
            Ask::Open => {
                let open = OpenRequest { lease_ns: LEASE, ..OpenRequest::default() };
                (Opcode::Open, 0, open.to_bytes().to_vec())
            }
            Ask::Alloc(process) => {
                (Opcode::Alloc, process.pid, Alloc::request(BYTES, Rights::READ_WRITE).to_bytes().to_vec())
            }
            Ask::Exit(process) => (Opcode::Exit, process.pid, Vec::new()),
        };
        self.op_id = self.op_id.wrapping_add(1);
        let info = slow.info();
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: info.epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.op_id,
            attempt: 0,
            time: Tick::from_low_bits(info.tick),
            va: Va::from_low_bits(0),
            length: payload.len() as u16,
        };
        self.say(&request, &payload);
        let again_at = self.now + AGAIN;
        self.parts[place].state = State::Asked(Pending { ask, request, payload, again_at });
    }
    /// Says it once more, or gives it up.
    fn repeat(&mut self, place: usize) {
        let State::Asked(mut pending) = std::mem::take(&mut self.parts[place].state) else { return };
        if pending.request.attempt + 1 >= TRIES {
            self.parts[place].state = refused(pending.ask);
            return;
        }
        pending.request.attempt += 1;
        pending.again_at = self.now + AGAIN;
        self.say(&pending.request, &pending.payload);
        self.parts[place].state = State::Asked(pending);
    }
    fn say(&mut self, request: &Request, payload: &[u8]) {
        let datagram = [&request.to_bytes()[..], payload].concat();
        let frame = UdpFrame { endpoints: self.endpoints, datagram: &datagram };
        let mut bytes = vec![0; frame.frame_len()];
        // There is room: it was measured.
        if frame.emit(true, &mut bytes).is_ok() {
            self.goes.push_back(bytes);
        }
    }

    /// Takes a frame that the slow path sends, if it is for the daemon.
    pub fn take(&mut self, frame: &[u8]) -> bool {
        // Where the destination's address lies: the other frames, which are nearly all, are not looked at.
        if frame.get(30..34) != Some(&self.endpoints.src_ip[..]) {
            return false;
        }
        let Ok(UdpFrame { endpoints, datagram }) = UdpFrame::parse(frame) else { return false };
        if endpoints != self.endpoints.reversed() {
            return false;
        }
        if let Ok(packet) = Packet::new_checked(datagram)
            && let Ok(response) = Response::parse(&packet)
        {
            self.answered(&response, packet.payload());
        }
        true
    }
    fn answered(&mut self, response: &Response, payload: &[u8]) {
        let is_its = |part: &&mut Part| {
            matches!(&part.state, State::Asked(own) if own.request.op_id == response.op_id
                && own.request.opcode == response.opcode)
        };
        let Some(part) = self.parts.iter_mut().find(is_its) else { return };
        let State::Asked(mut pending) = std::mem::take(&mut part.state) else { return };
        part.state = match (response.status, pending.ask) {
            (Status::Busy, _) => {
                let hint = u64::from(Detail::from_va(response.va).hint);
                pending.again_at = self.now + hint.clamp(BUSY, AGAIN);
                State::Asked(pending)
            }
            (Status::Ok, Ask::Open) => match OpenAnswer::parse(payload) {
                Ok(OpenAnswer { pid, token, .. }) => State::Opened(Process { pid, token }),
                Err(_) => State::Failed(None),
            },
            (Status::Ok, Ask::Alloc(process)) => match Alloc::parse_answer(payload) {
                Ok(Alloc { va, .. }) => State::Ready(process, va),
                Err(_) => State::Failed(Some(process)),
            },
            (Status::Ok, Ask::Exit(_)) => State::Free,
            (status, ask) => {
                let cause = Detail::from_va(response.va).cause;
                tracing::debug!(?ask, ?status, ?cause, "memory of a test of perftest");
                refused(ask)
            }
        };
    }
}

/// What follows a refusal. A process that is not ended by its daemon's request ends by its lease.
const fn refused(ask: Ask) -> State {
    match ask {
        Ask::Open => State::Failed(None),
        Ask::Alloc(process) => State::Failed(Some(process)),
        Ask::Exit(_) => State::Free,
    }
}
