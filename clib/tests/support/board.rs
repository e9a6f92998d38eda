//! A small reference board: the retry filter, window and answers of contracts §1 to §4, with everything else as plain
//! as it can be. It counts what it executes, and can be told to be busy, to damage frames or to restart.
use mneme_wire::payload::{Alloc, BoardInfo, CountersRequest, OpenAnswer, OpenRequest, RangeRights, Rights};
use mneme_wire::{
    Cause, Detail, Opcode, Packet, Request, Response, Status, Tick, Va, WindowCheck, check_window,
    filter_digest,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

pub const PAGE_BITS: u8 = 18;
pub const PAGE: u64 = 1 << PAGE_BITS;
/// Physical memory: eight pages.
pub const MEMORY: u64 = 8 * PAGE;

#[derive(Clone)]
enum Entry {
    Done { result: Option<u64> },
    Released { attempt: u8, status: Status, va: Va },
}

/// Answers that the board gives instead of what it would do, one per request, front first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// As it should.
    Normal,
    /// NACK: the frame counts as damaged.
    Nack,
    /// BUSY with this cause before anything is looked up.
    BusyUnrecorded(Cause),
    /// BUSY with this cause after the filter took the request: recorded as released.
    BusyReleased(Cause),
    /// No answer at all, and nothing done.
    Deaf,
    /// Executes, but the answer is lost.
    Mute,
}

pub struct Board {
    pub id: u64,
    pub epoch: u8,
    pub window: u32,
    pub ns_per_tick: u32,
    pub max_payload: u16,
    /// Board ticks per advertised tick, at most 1.
    pub rate: f64,
    pub tick_base: u32,
    pub hint: u32,
    pub moods: std::collections::VecDeque<Mood>,
    pub memory: HashMap<(u32, u64), u8>,
    pub executed: u64,
    /// Grants the leases that are asked for; else none.
    pub leases: bool,
    pub requests: Vec<Request>,
    /// When the slow path was asked for something, and in whose name.
    pub heard: Vec<(u32, Duration)>,
    processes: HashMap<u32, [u8; 16]>,
    ranges: BTreeMap<(u32, u64), (u64, Rights)>,
    mapped: HashSet<(u32, u64)>,
    filter: HashMap<u32, (u32, Tick, u32, Entry)>,
    cache: HashMap<u32, (u64, Vec<u8>)>,
    next_pid: u32,
    next_va: u64,
}

impl Board {
    pub fn new() -> Self {
        Board::numbered(0xb0a2d)
    }
    /// A board of this id.
    pub fn numbered(id: u64) -> Self {
        Board {
            id,
            epoch: 7,
            window: 1_000,
            ns_per_tick: 1_000,
            max_payload: 1_408,
            rate: 1.0,
            tick_base: 0xff_ff00,
            hint: 5_000,
            moods: Default::default(),
            memory: HashMap::new(),
            executed: 0,
            leases: false,
            requests: Vec::new(),
            heard: Vec::new(),
            processes: HashMap::new(),
            ranges: BTreeMap::new(),
            mapped: HashSet::new(),
            filter: HashMap::new(),
            cache: HashMap::new(),
            next_pid: 1,
            next_va: PAGE,
        }
    }
    /// Another boot: everything is gone, the tick counts from elsewhere.
    pub fn restart(&mut self) {
        let (epoch, requests) = (self.epoch % 255 + 1, std::mem::take(&mut self.requests));
        *self = Board { epoch, requests, tick_base: 0, window: self.window, ..Board::numbered(self.id) };
    }
    pub fn tick(&self, now: Duration) -> Tick {
        let ticks = now.as_nanos() as f64 / f64::from(self.ns_per_tick) * self.rate;
        Tick::from_low_bits(self.tick_base).plus((ticks as u64 & 0xff_ffff) as u32)
    }
    pub fn word(&self, pid: u32, va: u64) -> u64 {
        let byte = |i: u64| u64::from(*self.memory.get(&(pid, va + i)).unwrap_or(&0)) << (8 * i);
        (0..8).map(byte).sum()
    }
    fn info(&self, now: Duration) -> BoardInfo {
        BoardInfo {
            board_id: self.id,
            nonce: u64::from(self.epoch),
            tick: self.tick(now).get(),
            window: self.window,
            ns_per_tick: self.ns_per_tick,
            memory: MEMORY,
            max_payload: self.max_payload,
            page_bits: PAGE_BITS,
            epoch: self.epoch,
            ..BoardInfo::default()
        }
    }

    /// The answer to a datagram, if there is one.
    pub fn handle(&mut self, now: Duration, datagram: &[u8]) -> Option<Vec<u8>> {
        let packet = Packet::new_checked(datagram).expect("clients send whole headers");
        let request = Request::parse(&packet).expect("clients send well-formed requests");
        self.requests.push(request);
        if !request.opcode.is_fast() {
            self.heard.push((request.pid.get(), now));
        }
        let tick = self.tick(now);
        let refuse = |status, cause, hint| {
            Some(Response::fail(&request, tick, status, Detail { cause, hint }.to_va()).to_bytes().to_vec())
        };
        let mood = self.moods.pop_front().unwrap_or(Mood::Normal);
        match mood {
            Mood::Deaf => return None,
            Mood::Nack => return refuse(Status::Nack, Cause::None, 0),
            Mood::BusyUnrecorded(cause) => return refuse(Status::Busy, cause, self.hint),
            _ => {}
        }
        if request.opcode != Opcode::Ping && request.epoch != self.epoch {
            return refuse(Status::Stale, Cause::Epoch, u32::from(self.epoch));
        }
        let answer = if request.opcode.is_filtered() {
            self.filtered(tick, &request, packet.payload(), mood)
        } else if request.opcode.is_fast() {
            self.read_or_fence(tick, &request)
        } else {
            self.slow(now, tick, &request, packet.payload())
        };
        (mood != Mood::Mute).then_some(answer)
    }

    fn filtered(&mut self, tick: Tick, request: &Request, payload: &[u8], mood: Mood) -> Vec<u8> {
        let fail = |status, va| Response::fail(request, tick, status, va).to_bytes().to_vec();
        let refuse = |status, cause, hint| fail(status, Detail { cause, hint }.to_va());
        let digest = filter_digest(request.opcode.number(), request.va, request.length);
        let live = |time: Tick| tick.since(time) <= self.window as i32;
        let entry = self.filter.get(&request.op_id).filter(|(_, time, _, _)| live(*time)).cloned();
        match &entry {
            Some((pid, time, other, _))
                if (*pid, *time, *other) != (request.pid.get(), request.time, digest) =>
            {
                return refuse(Status::Conflict, Cause::None, 0);
            }
            Some((.., Entry::Done { result })) => return ok(request, tick, result_bytes(*result)),
            Some((.., Entry::Released { attempt, status, va })) if request.attempt <= *attempt => {
                return fail(*status, *va);
            }
            _ => {}
        }
        if entry.is_none() {
            match check_window(tick, request.time, self.window) {
                WindowCheck::Expired => return refuse(Status::Expired, Cause::Window, 0),
                WindowCheck::Ahead => return refuse(Status::Busy, Cause::Clock, self.hint),
                WindowCheck::Inside => {}
            }
        }
        let (outcome, answer) = match self.execute(request, payload, mood) {
            Ok(result) => (Entry::Done { result }, ok(request, tick, result_bytes(result))),
            Err((status, cause)) => {
                let hint = if status == Status::Busy { self.hint } else { 0 };
                let va = Detail { cause, hint }.to_va();
                (Entry::Released { attempt: request.attempt, status, va }, fail(status, va))
            }
        };
        self.filter.insert(request.op_id, (request.pid.get(), request.time, digest, outcome));
        answer
    }
    fn rights(&self, request: &Request) -> Result<Rights, (Status, Cause)> {
        let (pid, va) = (request.pid.get(), request.va.get());
        let range = self.ranges.range(..=(pid, va)).next_back();
        match range {
            Some(((owner, base), (size, rights))) if *owner == pid && va < base + size => Ok(*rights),
            _ => Err((Status::Unmapped, Cause::None)),
        }
    }
    fn execute(
        &mut self,
        request: &Request,
        payload: &[u8],
        mood: Mood,
    ) -> Result<Option<u64>, (Status, Cause)> {
        let rights = self.rights(request)?;
        if !rights.write || request.opcode.is_atomic() && !rights.read {
            return Err((Status::Denied, Cause::Rights));
        }
        if let Mood::BusyReleased(cause) = mood {
            return Err((Status::Busy, cause));
        }
        let (pid, va) = (request.pid.get(), request.va.get());
        self.mapped.insert((pid, va / PAGE));
        if self.mapped.len() as u64 > MEMORY / PAGE {
            return Err((Status::NoMemory, Cause::None));
        }
        self.executed += 1;
        let old = self.word(pid, va);
        let word = |at: usize| u64::from_le_bytes(payload[at..at + 8].try_into().unwrap());
        let new = match request.opcode {
            Opcode::Write => {
                for (i, byte) in payload.iter().enumerate() {
                    self.memory.insert((pid, va + i as u64), *byte);
                }
                return Ok(None);
            }
            Opcode::FetchAdd => old.wrapping_add(word(0)),
            Opcode::Swap => word(0),
            _ if old == word(0) => word(8),
            _ => old,
        };
        for (i, byte) in new.to_le_bytes().into_iter().enumerate() {
            self.memory.insert((pid, va + i as u64), byte);
        }
        Ok(Some(old))
    }
    fn read_or_fence(&mut self, tick: Tick, request: &Request) -> Vec<u8> {
        let refuse = |status, cause| {
            Response::fail(request, tick, status, Detail { cause, hint: 0 }.to_va()).to_bytes().to_vec()
        };
        if request.opcode == Opcode::Fence {
            return ok(request, tick, Vec::new());
        }
        match self.rights(request) {
            Ok(rights) if rights.read => {
                let byte = |i| *self.memory.get(&(request.pid.get(), request.va.get() + i)).unwrap_or(&0);
                ok(request, tick, (0..u64::from(request.length)).map(byte).collect())
            }
            Ok(_) => refuse(Status::Denied, Cause::Rights),
            Err((status, cause)) => refuse(status, cause),
        }
    }

    fn slow(&mut self, now: Duration, tick: Tick, request: &Request, payload: &[u8]) -> Vec<u8> {
        let repeatable = matches!(request.opcode, Opcode::Ping | Opcode::Counters);
        if let Some((_, answer)) = self.cache.get(&request.op_id).filter(|_| !repeatable) {
            let mut answer = answer.clone();
            answer[10] = request.attempt;
            answer[11..14].copy_from_slice(&tick.get().to_be_bytes()[1..]);
            return answer;
        }
        let answer = match self.slow_result(now, request, payload) {
            Ok(bytes) => ok(request, tick, bytes),
            Err((status, cause, hint)) => {
                Response::fail(request, tick, status, Detail { cause, hint }.to_va()).to_bytes().to_vec()
            }
        };
        self.cache.insert(request.op_id, (0, answer.clone()));
        answer
    }
    fn slow_result(
        &mut self,
        now: Duration,
        request: &Request,
        payload: &[u8],
    ) -> Result<Vec<u8>, (Status, Cause, u32)> {
        let pid = request.pid.get();
        match request.opcode {
            Opcode::Ping => return Ok(self.info(now).to_bytes().to_vec()),
            Opcode::Counters => {
                let asked = CountersRequest::parse(payload).unwrap();
                let values: Vec<u64> = (0..asked.count).map(|i| u64::from(asked.first + i)).collect();
                let mut bytes = vec![0; asked.payload_len()];
                asked.emit(&values, &mut bytes);
                return Ok(bytes);
            }
            Opcode::Open => return self.open(now, pid, &OpenRequest::parse(payload).unwrap()),
            _ if !self.processes.contains_key(&pid) => return Err((Status::BadRequest, Cause::Pid, 0)),
            _ => {}
        }
        self.executed += 1;
        match request.opcode {
            Opcode::Alloc => self.alloc(request, Alloc::parse_request(payload).unwrap()),
            Opcode::Free => {
                let freed =
                    self.ranges.remove(&(pid, request.va.get())).ok_or((Status::Unmapped, Cause::None, 0))?;
                self.memory.retain(|(p, va), _| {
                    *p != pid || !(request.va.get()..request.va.get() + freed.0).contains(va)
                });
                Ok(RangeRights { size: freed.0, rights: Rights::default() }.to_bytes().to_vec())
            }
            Opcode::Protect => {
                let change = RangeRights::parse(payload).unwrap();
                let range = self.ranges.get_mut(&(pid, request.va.get())).ok_or((
                    Status::Unmapped,
                    Cause::None,
                    0,
                ))?;
                range.1 = change.rights;
                Ok(change.to_bytes().to_vec())
            }
            Opcode::Exit => {
                self.processes.remove(&pid);
                self.ranges.retain(|(p, _), _| *p != pid);
                Ok(Vec::new())
            }
            _ => Err((Status::Unsupported, Cause::Opcode, 0)),
        }
    }
    fn open(
        &mut self,
        now: Duration,
        pid: u32,
        request: &OpenRequest,
    ) -> Result<Vec<u8>, (Status, Cause, u32)> {
        let pid = if pid == 0 { self.next_pid } else { pid };
        if request.join {
            let token = self.processes.get(&pid).ok_or((Status::Unmapped, Cause::Pid, 0))?;
            if *token != request.token {
                return Err((Status::Denied, Cause::Pid, 0));
            }
        } else if self.processes.contains_key(&pid) {
            return Err((Status::BadRequest, Cause::Pid, 0));
        } else {
            self.executed += 1;
            self.next_pid = pid + 1;
            if let Some(window) = request.window {
                self.next_va = self.next_va.max(window.first());
            }
            self.processes.insert(pid, [pid as u8 ^ 0x5a; 16]);
        }
        let (token, board) = (self.processes[&pid], self.info(now));
        let lease_ns = if self.leases { request.lease_ns } else { 0 };
        Ok(OpenAnswer { pid, token, board, lease_ns, ..OpenAnswer::default() }.to_bytes().to_vec())
    }
    fn alloc(&mut self, request: &Request, asked: Alloc) -> Result<Vec<u8>, (Status, Cause, u32)> {
        let size = asked.size.next_multiple_of(PAGE);
        let pid = request.pid.get();
        if size > 4 * MEMORY {
            return Err((Status::NoMemory, Cause::Capacity, (4 * MEMORY / PAGE) as u32));
        }
        let va = if asked.fixed { request.va.get() } else { self.next_va };
        let taken = |((p, base), (len, _)): (&(u32, u64), &(u64, Rights))| {
            *p == pid && va < base + len && *base < va + size
        };
        if self.ranges.iter().any(taken) {
            return Err((Status::NoMemory, Cause::Address, (self.next_va / PAGE) as u32));
        }
        self.next_va = self.next_va.max(va + size);
        self.ranges.insert((pid, va), (size, asked.rights));
        Ok(Alloc { va, size, ..asked }.to_bytes().to_vec())
    }
}

fn result_bytes(result: Option<u64>) -> Vec<u8> {
    result.map_or(Vec::new(), |old| old.to_le_bytes().to_vec())
}

fn ok(request: &Request, tick: Tick, payload: Vec<u8>) -> Vec<u8> {
    let length = if request.opcode == Opcode::Write { request.length } else { payload.len() as u16 };
    let mut bytes = Response::ok(request, tick, length).to_bytes().to_vec();
    bytes.extend(payload);
    bytes
}
