//! The worker pool: the same answers as the single thread, in any order, and an agreeing board afterwards.
use crate::double;
use double::{Double, config, frame_of};
use mneme_slowpath::{Config, FastPath, Limits, MemoryEpochs, Pool};
use mneme_wire::frame::UdpFrame;
use mneme_wire::payload::{Alloc, BoardInfo, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::pte::ALLOCATED;
use mneme_wire::{
    Cause, NodeCounter, Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va,
};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const ME: [u8; 4] = [10, 0, 0, 1];

struct Node {
    fp: Double,
    pool: Pool,
    op_id: u32,
}

type Answers = BTreeMap<u32, (Response, Vec<u8>)>;

impl Node {
    fn new(workers: usize, queue: usize, config: Config) -> Node {
        let mut fp = Double::new(18, 24, 2);
        fp.tx_depth = 4;
        let mut pool = Pool::boot(config, &mut fp, &mut MemoryEpochs::default(), workers, queue).unwrap();
        while !pool.ready() {
            pool.poll(&mut fp);
            fp.zero();
        }
        Node { fp, pool, op_id: 0 }
    }
    fn push(&mut self, opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> u32 {
        self.push_from(ME, opcode, pid, va, payload)
    }
    fn push_from(&mut self, ip: [u8; 4], opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> u32 {
        self.op_id += 1;
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.pool.info().epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.op_id,
            attempt: 0,
            time: Tick::from_low_bits(self.fp.tick as u32),
            va: Va::from_low_bits(va),
            length: payload.len() as u16,
        };
        self.fp.rx.push_back(frame_of(ip, &request, payload));
        self.op_id
    }
    /// Polls until this many answers are there.
    fn answers(&mut self, count: usize) -> Answers {
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut answers = Answers::new();
        while answers.len() < count {
            assert!(Instant::now() < deadline, "{} of {count} answers", answers.len());
            if !self.pool.poll(&mut self.fp) {
                self.pool.wait(Duration::from_millis(1));
            }
            self.fp.zero();
            while let Some(bytes) = self.fp.tx.pop_front() {
                let frame = UdpFrame::parse(&bytes).unwrap();
                let packet = Packet::new_checked(frame.datagram).unwrap();
                let response = Response::parse(&packet).unwrap();
                let twice = answers.insert(response.op_id, (response, packet.payload().to_vec()));
                assert!(twice.is_none(), "answered twice");
            }
        }
        answers
    }
    fn open(&mut self, count: usize) -> Vec<u32> {
        for _ in 0..count {
            self.push(Opcode::Open, 0, 0, &OpenRequest::default().to_bytes());
        }
        self.answers(count).values().map(|(_, bytes)| OpenAnswer::parse(bytes).unwrap().pid).collect()
    }
    fn allocated(&self) -> usize {
        self.fp.table.iter().filter(|entry| **entry & ALLOCATED != 0).count()
    }
}

#[test]
fn eight_processes_work_in_parallel_and_end_clean() {
    let mut s = Node::new(4, 64, config());
    let pids = s.open(8);
    for round in 1..6u64 {
        let mut asked = 0;
        for pid in &pids {
            for _ in 0..3 {
                s.push(Opcode::Alloc, *pid, 0, &Alloc::request(round << 18, Rights::READ_WRITE).to_bytes());
                asked += 1;
            }
        }
        let answers = s.answers(asked);
        let given: Vec<(u32, u64)> = answers
            .values()
            .filter(|(r, _)| r.status == Status::Ok)
            .map(|(r, bytes)| (r.pid.get(), Alloc::parse_answer(bytes).unwrap().va))
            .collect();
        assert!(given.len() > 8, "only {} of {asked}", given.len());
        assert_eq!(s.allocated(), given.len() * round as usize);
        for (pid, va) in &given {
            for page in 0..round {
                assert_ne!(s.fp.touch(*pid, (va >> 18) + page), Status::Unmapped);
            }
            s.push(Opcode::Free, *pid, *va, &RangeRights::default().to_bytes());
        }
        assert!(s.answers(given.len()).values().all(|(r, _)| r.status == Status::Ok));
        assert_eq!(s.allocated(), 0);
        s.fp.tick += 20;
    }
    for pid in &pids {
        s.push(Opcode::Exit, *pid, 0, &[]);
    }
    assert!(s.answers(8).values().all(|(r, _)| r.status == Status::Ok));
    assert_eq!(s.pool.inspect(|space| (space.slots_used(), space.process_count())), (0, 0));
    assert!(s.pool.idle());
    s.pool.close(&mut s.fp);
    assert_eq!(s.pool.counter(&mut s.fp, NodeCounter::Exits as u32), 8);
}

#[test]
fn a_full_queue_is_busy_and_executes_nothing() {
    let mut s =
        Node::new(1, 1, Config { limits: Limits { frames_per_poll: 64, ..double::limits() }, ..config() });
    let pid = s.open(1)[0];
    s.fp.tx_depth = 64;
    for _ in 0..40 {
        s.push(Opcode::Alloc, pid, 0, &Alloc::request(1 << 18, Rights::READ_WRITE).to_bytes());
    }
    let answers = s.answers(40);
    let ok = answers.values().filter(|(r, _)| r.status == Status::Ok).count();
    let queue =
        |r: &Response| (r.status, r.detail().cause) == (Status::Busy, Cause::Queue) && r.detail().hint > 0;
    let busy = answers.values().filter(|(r, _)| queue(r)).count();
    assert_eq!((ok + busy, busy > 0), (40, true), "{ok} done, {busy} busy");
    assert_eq!(s.allocated(), ok);
}

#[test]
fn copies_of_one_request_execute_once_however_they_race() {
    let mut s = Node::new(4, 64, config());
    let pid = s.open(1)[0];
    let id = s.push(Opcode::Alloc, pid, 0, &Alloc::request(8 << 18, Rights::READ_WRITE).to_bytes());
    let copy = s.fp.rx.back().unwrap().clone();
    s.fp.rx.extend(std::iter::repeat_n(copy, 30));
    let deadline = Instant::now() + Duration::from_secs(20);
    let (mut seen, mut ranges) = (0, std::collections::BTreeSet::new());
    while seen < 31 {
        assert!(Instant::now() < deadline);
        s.pool.poll(&mut s.fp);
        while let Some(bytes) = s.fp.tx.pop_front() {
            let frame = UdpFrame::parse(&bytes).unwrap();
            let packet = Packet::new_checked(frame.datagram).unwrap();
            let response = Response::parse(&packet).unwrap();
            assert_eq!(response.op_id, id);
            match (response.status, response.detail().cause) {
                (Status::Ok, _) => drop(ranges.insert(Alloc::parse_answer(packet.payload()).unwrap().va)),
                other => assert_eq!(other, (Status::Busy, Cause::Pending)),
            }
            seen += 1;
        }
    }
    assert_eq!((ranges.len(), s.allocated()), (1, 8));
}

#[test]
fn pings_are_answered_while_workers_are_busy_and_leases_are_reclaimed() {
    let mut s = Node::new(2, 8, config());
    let lease = OpenRequest { lease_ns: 5_000, ..OpenRequest::default() };
    s.push(Opcode::Open, 0, 0, &lease.to_bytes());
    assert_eq!(s.answers(1).len(), 1);
    s.push(Opcode::Ping, 0, 0, &[0; BoardInfo::LEN]);
    assert_eq!(s.answers(1).values().next().unwrap().0.status, Status::Ok);
    s.fp.tick += 10;
    let deadline = Instant::now() + Duration::from_secs(20);
    while s.pool.inspect(|space| space.process_count()) > 0 {
        assert!(Instant::now() < deadline, "never reclaimed");
        s.pool.poll(&mut s.fp);
    }
}

#[test]
fn dropping_a_pool_with_work_in_it_ends_its_threads() {
    let mut s = Node::new(2, 8, config());
    let pid = s.open(1)[0];
    for _ in 0..6 {
        s.push(Opcode::Alloc, pid, 0, &Alloc::request(2 << 18, Rights::READ_WRITE).to_bytes());
    }
    // Workers now wait for table commands that nobody runs any more.
    s.pool.poll(&mut s.fp);
    // One has sent its commands when the pool goes, and waits for what becomes of them.
    s.pool.wait(Duration::from_secs(10));
    drop(s.pool);
    assert!(!s.fp.receive(&mut Vec::new()));
}

/// The slow path's answers by status and cause.
fn ended(answer: &(Response, Vec<u8>)) -> (Status, Cause) {
    (answer.0.status, if answer.0.status == Status::Ok { Cause::None } else { answer.0.detail().cause })
}

#[test]
fn requests_of_one_process_take_effect_in_the_order_of_the_ring() {
    let mut s = Node::new(4, 128, config());
    let pids = s.open(6);
    for round in 0..20u64 {
        let mut asked = 0;
        for pid in &pids {
            // Each needs the one before it to be done: any other order, and any overlap, is an error.
            let (va, size) = ((1 + round * 8) << 18, 2 << 18);
            let rights = |rights| RangeRights { size, rights }.to_bytes();
            let fixed = Alloc { fixed: true, ..Alloc::request(size, Rights::READ_WRITE) };
            s.push(Opcode::Alloc, *pid, va, &fixed.to_bytes());
            s.push(Opcode::Protect, *pid, va, &rights(Rights::READ_ONLY));
            s.push(Opcode::Protect, *pid, va, &rights(Rights::READ_WRITE));
            s.push(Opcode::Free, *pid, va, &rights(Rights::default()));
            s.push(Opcode::Free, *pid, va, &rights(Rights::default()));
            asked += 5;
        }
        let answers: Vec<_> = s.answers(asked).values().map(ended).collect();
        for of_one in answers.chunks(5) {
            assert!(of_one[..4].iter().all(|end| end.0 == Status::Ok), "{of_one:?}");
            assert_eq!(of_one[4], (Status::Unmapped, Cause::Address));
        }
        s.fp.tick += 20;
    }
    assert_eq!(s.allocated(), 0);
}

#[test]
fn requests_of_many_tenants_at_once_are_executed_exactly_once() {
    let mut s = Node::new(4, 128, config());
    let pids = s.open(8);
    for (nth, pid) in pids.iter().enumerate() {
        let ip = [10, 0, 1, nth as u8];
        for _ in 0..2 {
            s.push_from(ip, Opcode::Alloc, *pid, 0, &Alloc::request(1 << 18, Rights::READ_WRITE).to_bytes());
            // The network carries each frame three times.
            let copy = s.fp.rx.back().unwrap().clone();
            s.fp.rx.extend([copy.clone(), copy]);
        }
    }
    let (mut ranges, mut answered) = (BTreeMap::<u32, u64>::new(), 0);
    let deadline = Instant::now() + Duration::from_secs(20);
    while answered < 48 {
        assert!(Instant::now() < deadline, "{answered} answers");
        if !s.pool.poll(&mut s.fp) {
            s.pool.wait(Duration::from_millis(1));
        }
        while let Some(bytes) = s.fp.tx.pop_front() {
            let frame = UdpFrame::parse(&bytes).unwrap();
            let packet = Packet::new_checked(frame.datagram).unwrap();
            let response = Response::parse(&packet).unwrap();
            answered += 1;
            if response.status == Status::Ok {
                let va = Alloc::parse_answer(packet.payload()).unwrap().va;
                assert_eq!(*ranges.entry(response.op_id).or_insert(va), va, "one operation, two ranges");
            } else {
                assert_eq!(response.detail().cause, Cause::Pending);
            }
        }
    }
    assert_eq!((ranges.len(), s.allocated()), (16, 16));
}

#[test]
fn a_storm_of_one_source_leaves_room_for_the_others() {
    let limits = Limits { frames_per_poll: 64, ..double::limits() };
    let mut s = Node::new(1, 7, Config { limits, ..config() });
    s.fp.tx_depth = 64;
    let pids = s.open(2);
    let ask = Alloc::request(1 << 18, Rights::READ_WRITE).to_bytes();
    for _ in 0..40 {
        s.push(Opcode::Alloc, pids[0], 0, &ask);
    }
    let other = s.push_from([10, 0, 0, 77], Opcode::Alloc, pids[1], 0, &ask);
    let answers = s.answers(41);
    assert_eq!(ended(&answers[&other]), (Status::Ok, Cause::None));
    assert!(answers.values().any(|answer| ended(answer) == (Status::Busy, Cause::Queue)));
}

#[test]
fn a_worker_that_panics_costs_its_request_and_nothing_else() {
    let mut s = Node::new(2, 64, config());
    let pids = s.open(2);
    let ask = Alloc::request(4 << 18, Rights::READ_WRITE).to_bytes();
    s.pool.plant_panic(0);
    let lost = s.push(Opcode::Alloc, pids[0], 0, &ask);
    let (again, other) = (s.fp.rx.back().unwrap().clone(), s.push(Opcode::Alloc, pids[1], 0, &ask));
    let answers = s.answers(2);
    // Which of the two met it is for the threads to decide.
    let met = |id: &u32| ended(&answers[id]) == (Status::MemoryError, Cause::Dram);
    assert_eq!([met(&lost), met(&other)].iter().filter(|met| **met).count(), 1);
    let panics = NodeCounter::WorkerPanics as u32;
    assert_eq!(s.pool.counter(&mut s.fp, panics), 1);
    // No copy of it is executed.
    let before = s.allocated();
    s.fp.rx.push_back(again);
    assert_eq!(ended(&s.answers(1)[&lost]), ended(&answers[&lost]));
    assert_eq!(s.allocated(), before);
    // Both processes go on, and end.
    for pid in &pids {
        s.push(Opcode::Alloc, *pid, 0, &ask);
    }
    assert!(s.answers(2).values().all(|(r, _)| r.status == Status::Ok));
    for pid in &pids {
        s.push(Opcode::Exit, *pid, 0, &[]);
    }
    assert!(s.answers(2).values().all(|(r, _)| r.status == Status::Ok));
    assert!(s.pool.idle());
    assert_eq!(s.pool.inspect(|space| (space.process_count(), space.live_ranges())), (0, 0));
    s.pool.close(&mut s.fp);
}

#[test]
fn an_exit_that_broke_off_is_repeated_without_harm() {
    let mut s = Node::new(1, 64, config());
    let [pid, other] = s.open(2)[..] else { panic!("two processes") };
    let ask = Alloc::request(8 << 18, Rights::READ_WRITE).to_bytes();
    for pid in [pid, pid, other] {
        s.push(Opcode::Alloc, pid, 0, &ask);
    }
    let answers = s.answers(3);
    let vas = answers.values().map(|(_, bytes)| Alloc::parse_answer(bytes).unwrap().va);
    let (Some(va), 24) = (vas.min(), s.allocated()) else { panic!("{} pages", s.allocated()) };
    // One range is gone by then.
    s.pool.plant_panic(1);
    let exit = s.push(Opcode::Exit, pid, 0, &[]);
    assert_eq!(ended(&s.answers(1)[&exit]), (Status::MemoryError, Cause::Dram));
    assert_eq!(s.allocated(), 16);
    // Nothing else goes on in what is left of it, and nobody else comes in.
    s.push(Opcode::Alloc, pid, 0, &ask);
    s.push(Opcode::Free, pid, va, &RangeRights::default().to_bytes());
    let range = RangeRights { size: 1 << 18, rights: Rights::READ_ONLY };
    s.push(Opcode::Protect, pid, va, &range.to_bytes());
    assert!(s.answers(3).values().all(|answer| ended(answer) == (Status::BadRequest, Cause::Pid)));
    let again = s.push(Opcode::Exit, pid, 0, &[]);
    assert_eq!(ended(&s.answers(1)[&again]), (Status::Ok, Cause::None));
    assert_eq!(s.pool.counter(&mut s.fp, NodeCounter::SlotsLost as u32), 0);
    assert_eq!(
        (s.allocated(), s.pool.inspect(|space| (space.slots_used(), space.live_ranges()))),
        (8, (8, 1))
    );
    // Its number can be used again once it has rested.
    s.fp.tick += 1_000;
    let open = s.push(Opcode::Open, pid, 0, &OpenRequest::default().to_bytes());
    assert_eq!(ended(&s.answers(1)[&open]), (Status::Ok, Cause::None));
    s.pool.close(&mut s.fp);
}

/// Nobody is left to ask for the end of a process whose lease has run out.
#[test]
fn a_silent_process_whose_end_broke_off_is_ended_by_another_try() {
    let mut s = Node::new(1, 64, config());
    let lease = OpenRequest { lease_ns: 50_000, ..OpenRequest::default() };
    s.push(Opcode::Open, 0, 0, &lease.to_bytes());
    let pid = s.answers(1).values().map(|(_, bytes)| OpenAnswer::parse(bytes).unwrap().pid).sum();
    for _ in 0..2 {
        s.push(Opcode::Alloc, pid, 0, &Alloc::request(8 << 18, Rights::READ_WRITE).to_bytes());
    }
    s.answers(2);
    // One range is gone by then.
    s.pool.plant_panic(1);
    s.fp.tick += 50;
    let until = |s: &mut Node, holds: &dyn Fn(&mut Node) -> bool| {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !holds(s) {
            assert!(Instant::now() < deadline, "{} pages are left", s.allocated());
            s.pool.poll(&mut s.fp);
            s.fp.zero();
        }
    };
    until(&mut s, &|s| s.pool.counter(&mut s.fp, NodeCounter::WorkerPanics as u32) == 1);
    until(&mut s, &|s| s.pool.idle());
    assert_eq!((s.allocated(), s.pool.inspect(|space| space.process_count())), (8, 1));
    for _ in 0..100 {
        s.pool.poll(&mut s.fp);
    }
    assert!(s.pool.idle(), "not again and again");
    s.fp.tick += 1_000;
    until(&mut s, &|s| s.pool.inspect(|space| space.process_count()) == 0);
    assert_eq!((s.allocated(), s.pool.inspect(|space| space.slots_used())), (0, 0));
    s.pool.close(&mut s.fp);
}

#[test]
fn a_pool_that_is_closed_answers_what_it_took_in() {
    let mut s = Node::new(2, 64, config());
    let pids = s.open(4);
    s.fp.tx_depth = 64;
    for pid in pids.iter().cycle().take(16) {
        s.push(Opcode::Alloc, *pid, 0, &Alloc::request(1 << 18, Rights::READ_WRITE).to_bytes());
    }
    s.pool.poll(&mut s.fp);
    s.pool.close(&mut s.fp);
    assert!(s.pool.idle());
    assert_eq!((s.fp.tx.len(), s.allocated()), (16, 16));
}
