//! Trailers on the software board: what is right is served and answered in kind, and nothing else executes.
use mneme_auth::{Initiator, SecretKey, TenantList};
use mneme_model::Node;
use mneme_model::soft::{BoardShape, Model, SoftFast};
use mneme_slowpath::{Config, FastPath, MemoryEpochs};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::payload::{Alloc, BoardInfo, OpenRequest, RangeRights, Rights, SecureOpenRequest};
use mneme_wire::register::BUILD_TRAILERS;
use mneme_wire::trailer::{Means, ProcessKey};
use mneme_wire::{
    Cause, Counter, HEADER_LEN, Opcode, Packet, Pid, Register, Request, Response, Status, TagMode, Tick,
    Trailer, Va,
};

/// What lies in the process's memory.
const BEFORE: &[u8] = b"sixteen bytes...";
const SHAPE: BoardShape = BoardShape { trailers: true, ..BoardShape::SIM };

/// A board, and a process on it that a client of the test knows.
struct Bench {
    node: Node<SoftFast>,
    config: Config,
    info: BoardInfo,
    endpoints: Endpoints,
    pid: Pid,
    va: Va,
    next_id: u32,
}

/// An answer: its header, its payload.
type Answered = (Response, Vec<u8>);

impl Bench {
    fn new(tag_mode: TagMode) -> Bench {
        let mut fast = SoftFast::new(SHAPE).expect("a legal shape");
        // Long enough for a test.
        let tenant = SecretKey::from_bytes([2; 32]);
        let mut tenants = TenantList::default();
        let line = format!("tester {} 2026-01-01", tenant.public());
        tenants.insert(line.parse().expect("a tenant")).expect("the first");
        let board_key = Some(SecretKey::from_bytes([1; 32]));
        let config = Config {
            tag_mode,
            board_key,
            tenants,
            window_ticks: 1 << 16,
            ..Node::config(&mut fast, 1, [3; 32])
        };
        let node = Node::boot(fast, config.clone(), &mut MemoryEpochs::default()).expect("the board boots");
        let endpoints = Endpoints {
            src_mac: [2, 0, 0, 0, 0, 9],
            dst_mac: config.mac,
            src_ip: [10, 0, 0, 9],
            dst_ip: config.ip,
            src_port: 4000,
            dst_port: config.udp_port,
        };
        let (info, pid, va) = (BoardInfo::default(), Pid::NONE, Va::default());
        let mut bench = Bench { node, config, info, endpoints, pid, va, next_id: 1 };
        let ping = bench.request(Opcode::Ping);
        let told = bench.ok(Means::None, ping, &[0; 64]);
        bench.info = BoardInfo::parse(&told).expect("a ping's layout");
        let open = bench.request(Opcode::Open);
        let ask = SecureOpenRequest { tick: bench.info.full_tick(), ..SecureOpenRequest::default() };
        let board = SecretKey::from_bytes([1; 32]).public();
        let (mut handshake, message) =
            Initiator::new(&board, &tenant, bench.info.nonce, &ask, [7; 32]).expect("a message");
        let opened = handshake.finish(&bench.ok(Means::None, open, &message)).expect("the board's answer");
        bench.pid = Pid::from_low_bits(opened.open.pid);
        assert_eq!(
            bench.tag(),
            Means::Tag { key: ProcessKey::new(opened.open.key), upper: bench.info.tick_high }
        );
        let alloc = Alloc::request(1 << 20, Rights::READ_WRITE);
        let (ask, write) = (bench.request(Opcode::Alloc), bench.request(Opcode::Write));
        let given = bench.ok(bench.tag(), ask, &alloc.to_bytes());
        bench.va = Va::from_low_bits(Alloc::parse_answer(&given).expect("an ALLOC's layout").va);
        bench.ok(bench.tag(), Request { va: bench.va, ..write }, BEFORE);
        bench
    }
    /// A request of the process, as of now, at its first page.
    fn request(&mut self, opcode: Opcode) -> Request {
        self.next_id += 1;
        let data = opcode.is_fast() && opcode != Opcode::Fence;
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.info.epoch,
            pid: if opcode.is_query() { Pid::NONE } else { self.pid },
            op_id: self.next_id,
            attempt: 0,
            time: Tick::from_low_bits(self.node.fast().read_register(Register::Tick)),
            va: if data { self.va } else { Va::default() },
            length: 0,
        }
    }
    fn read(&mut self) -> Request {
        Request { length: BEFORE.len() as u16, ..self.request(Opcode::Read) }
    }
    /// What a process tags with in a key phase.
    fn tag_of(&self, pid: Pid, phase: bool) -> Means {
        let key = self.config.secret.key(self.info.nonce, phase.into()).of(pid);
        Means::Tag { key, upper: self.info.tick_high }
    }
    fn tag(&self) -> Means {
        self.tag_of(self.pid, false)
    }
    /// The datagram of a request, whose length is the payload's but for READ and atomics.
    fn datagram(&self, means: Means, request: Request, payload: &[u8]) -> Vec<u8> {
        let length = match request.opcode {
            Opcode::Read => request.length,
            atomic if atomic.is_atomic() => 8,
            _ => payload.len() as u16,
        };
        let request = Request { trailer: means.kind(), length, ..request };
        let mut datagram = [&request.to_bytes()[..], payload].concat();
        datagram.resize(datagram.len() + means.kind().bytes(), 0);
        assert!(means.seal(&self.endpoints.covered(), &mut datagram));
        datagram
    }
    /// The frame that a datagram is answered with.
    fn send(&mut self, endpoints: Endpoints, datagram: &[u8]) -> Option<Vec<u8>> {
        let udp = UdpFrame { endpoints, datagram };
        let mut frame = vec![0; udp.frame_len()];
        udp.emit(false, &mut frame).expect("room");
        self.node.submit(&frame).expect("room at the port");
        self.node.run_to_rest(20_000);
        let answer = self.node.poll().map(|frame| frame.bytes);
        assert_eq!(self.node.poll().map(|frame| frame.bytes), None, "one answer at most");
        answer
    }
    /// Asks, and verifies the answer's trailer.
    fn ask(&mut self, means: Means, request: Request, payload: &[u8]) -> Answered {
        let datagram = self.datagram(means, request, payload);
        let frame = self.send(self.endpoints, &datagram).expect("an answer");
        opened(means, &frame)
    }
    fn ok(&mut self, means: Means, request: Request, payload: &[u8]) -> Vec<u8> {
        let (answer, payload) = self.ask(means, request, payload);
        assert_eq!(answer.status, Status::Ok, "{} with {means:?}", request.opcode);
        assert_eq!(answer.timed, request.timed);
        payload
    }
    /// How a datagram ends that somebody else sends, or that is damaged.
    fn forged(&mut self, endpoints: Endpoints, datagram: &[u8]) -> Status {
        let frame = self.send(endpoints, datagram).expect("an answer");
        opened(Means::None, &frame).0.status
    }
    /// Counts what was executed or went to the slow path.
    fn executed(&mut self) -> [u32; 3] {
        [Counter::FilterInsert, Counter::SlowTx, Counter::StatusOk].map(|c| self.node.fast().read_counter(c))
    }
    fn assert_unchanged(&mut self) {
        let (tag, read) = (self.tag(), self.read());
        assert_eq!(self.ok(tag, read, &[]), BEFORE);
    }
}

/// Opens an answer; its trailer must be right, and of the kind that its status has.
fn opened(means: Means, frame: &[u8]) -> Answered {
    let udp = UdpFrame::parse(frame).expect("a sound frame");
    let packet = Packet::new_checked(udp.datagram).expect("a whole header");
    let response = Response::parse(&packet).expect("a response");
    let means = means.of_answer(response.status);
    assert_eq!(response.trailer, means.kind(), "{}", response.status);
    assert!(means.check(&udp.endpoints.covered(), udp.datagram), "{}", response.status);
    (response, packet.payload().to_vec())
}

#[test]
fn every_operation_is_answered_in_its_kind() {
    let mut bench = Bench::new(TagMode::None);
    for means in [Means::None, Means::Crc32c, bench.tag()] {
        for timed in [false, true] {
            let mut request = |opcode| Request { timed, ..bench.request(opcode) };
            let (write, add, fence) =
                (request(Opcode::Write), request(Opcode::FetchAdd), request(Opcode::Fence));
            bench.ok(means, write, BEFORE);
            let read = Request { timed, ..bench.read() };
            assert_eq!(bench.ok(means, read, &[]), BEFORE);
            assert_eq!(bench.ok(means, add, &1_u64.to_le_bytes()), BEFORE[..8]);
            bench.ok(means, fence, &[]);
        }
        if means.kind() != Trailer::Tag {
            let (ping, open) = (bench.request(Opcode::Ping), bench.request(Opcode::Open));
            bench.ok(means, ping, &[0; 64]);
            bench.ok(means, Request { pid: Pid::NONE, ..open }, &OpenRequest::default().to_bytes());
        }
        let (alloc, free) = (bench.request(Opcode::Alloc), bench.request(Opcode::Free));
        let ask = Alloc::request(1, Rights::READ_WRITE);
        let given = bench.ok(means, alloc, &ask.to_bytes());
        let given = Alloc::parse_answer(&given).expect("an ALLOC's layout");
        let range = RangeRights { size: given.size, ..RangeRights::default() };
        bench.ok(means, Request { va: Va::from_low_bits(given.va), ..free }, &range.to_bytes());
    }
}

#[test]
fn refusals_behind_the_check_have_a_trailer_and_those_before_it_none() {
    let mut bench = Bench::new(TagMode::None);
    for means in [Means::Crc32c, bench.tag()] {
        let read = bench.read();
        let statuses = [
            (Request { va: Va::from_low_bits(1 << 40), ..read }, Status::Unmapped),
            (Request { length: 0, ..read }, Status::BadRequest),
            (Request { epoch: read.epoch ^ 1, ..read }, Status::Stale),
            (Request { opcode: Opcode::Pull, ..read }, Status::Unsupported),
            (Request { opcode: Opcode::Advise, ..read }, Status::Unsupported),
        ];
        for (request, status) in statuses {
            assert_eq!(bench.ask(means, request, &[]).0.status, status);
        }
    }
    let read = bench.read();
    assert_eq!(
        bench.ask(Means::Crc32c, Request { pid: Pid::NONE, ..read }, &[]).0.detail().cause,
        Cause::Pid
    );
}

#[test]
fn a_mode_asks_for_tags_where_it_says_so() {
    let unauthenticated = [
        (TagMode::None, [false; 6]),
        (TagMode::Slow, [false, true, false, true, true, true]),
        (TagMode::All, [false, true, true, true, true, true]),
    ];
    for (mode, expected) in unauthenticated {
        let mut bench = Bench::new(mode);
        for means in [Means::None, Means::Crc32c] {
            let (pid, ping, read) = (bench.pid, bench.request(Opcode::Ping), bench.read());
            let open = Request { pid: Pid::NONE, ..bench.request(Opcode::Open) };
            let (alloc, exit) = (bench.request(Opcode::Alloc), bench.request(Opcode::Exit));
            let asked: [(Request, &[u8]); 6] = [
                (ping, &[0; 64]),
                (open, &OpenRequest::default().to_bytes()),
                (read, &[]),
                (Request { pid, op_id: ping.op_id + 100, ..ping }, &[0; 64]),
                (alloc, &Alloc::request(1, Rights::READ_ONLY).to_bytes()),
                (Request { pid: Pid::from_low_bits(77), ..exit }, &[]),
            ];
            for ((request, payload), refused) in asked.into_iter().zip(expected) {
                let status = bench.ask(means, request, payload).0.status;
                assert_eq!(status == Status::Unauthenticated, refused, "{} {mode} {means:?}", request.opcode);
            }
        }
        bench.assert_unchanged();
    }
}

/// The board takes a frame whose check sequences are all right.
#[test]
fn no_flip_of_one_or_two_bits_of_a_header_executes() {
    for (mode, kind) in [(TagMode::None, Trailer::Crc32c), (TagMode::All, Trailer::Tag)] {
        let mut bench = Bench::new(mode);
        let means = if kind == Trailer::Tag { bench.tag() } else { Means::Crc32c };
        let before = bench.executed();
        let mut refused = 0;
        for first in 0..8 * HEADER_LEN {
            for second in first..8 * HEADER_LEN {
                // 16 bytes: with a bit more of the length field, the trailer would lie in the payload.
                let write = bench.request(Opcode::Write);
                let mut datagram = bench.datagram(means, write, b"what is not mine");
                datagram[first / 8] ^= 1 << (first % 8);
                if second != first {
                    datagram[second / 8] ^= 1 << (second % 8);
                }
                let endpoints = bench.endpoints;
                let answer = bench.send(endpoints, &datagram);
                // The opcode may name no operation.
                let status = answer.and_then(|frame| Status::from_number(frame[MNEME_OFFSET + 2]));
                let expected = [
                    None,
                    Some(Status::Nack),
                    Some(Status::Unauthenticated),
                    Some(Status::Unsupported),
                    Some(Status::Stale),
                    Some(Status::BadRequest),
                ];
                assert!(expected.contains(&status), "{kind}: bits {first} and {second}: {status:?}");
                let verdict = if kind == Trailer::Tag { Status::Unauthenticated } else { Status::Nack };
                refused += usize::from(status == Some(verdict));
            }
        }
        assert_eq!(bench.executed(), before, "{kind}");
        assert!(refused > 10_000, "{kind}: {refused} were refused for their trailer");
        bench.assert_unchanged();
    }
}

#[test]
fn damage_is_told_and_the_next_attempt_executes() {
    let mut bench = Bench::new(TagMode::None);
    let write = bench.request(Opcode::Write);
    let datagram = bench.datagram(Means::Crc32c, write, b"what comes later");
    for at in HEADER_LEN..datagram.len() {
        let mut damaged = datagram.clone();
        damaged[at] ^= 0x10;
        assert_eq!(bench.forged(bench.endpoints, &damaged), Status::Nack, "byte {at}");
    }
    bench.assert_unchanged();
    bench.ok(Means::Crc32c, Request { attempt: 1, ..write }, b"what comes later");
    let read = bench.read();
    assert_eq!(bench.ok(Means::Crc32c, read, &[]), b"what comes later");
}

#[test]
fn what_is_forged_or_captured_does_not_execute() {
    let mut bench = Bench::new(TagMode::All);
    let payload = b"what is not mine";
    let before = bench.executed();
    let write = bench.request(Opcode::Write);
    let captured = bench.datagram(bench.tag(), write, payload);
    let own = bench.endpoints;
    // From elsewhere.
    let address = Endpoints { src_ip: [10, 0, 0, 8], ..own };
    let port = Endpoints { src_port: own.src_port + 1, ..own };
    for endpoints in [address, port] {
        assert_eq!(bench.forged(endpoints, &captured), Status::Unauthenticated);
    }
    // By another process, with that one's own key; by nobody; of a phase that has no key; under another life's key.
    let other = Pid::from_low_bits(bench.pid.get() ^ 1);
    let mut later = bench.tag_of(bench.pid, true);
    let forged = [
        (bench.tag_of(other, false), write),
        (bench.tag(), Request { pid: other, ..write }),
        (bench.tag_of(Pid::NONE, false), Request { pid: Pid::NONE, ..write }),
        (later, Request { key_phase: true, ..write }),
        (later, write),
        (Means::Crc32c, write),
        (Means::None, write),
    ];
    for (number, (means, request)) in forged.into_iter().enumerate() {
        let datagram = bench.datagram(means, request, payload);
        assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated, "forgery {number}");
    }
    // Another epoch, or another time, in what was captured.
    let mut stale = captured.clone();
    stale[2] ^= 1;
    assert_eq!(bench.forged(own, &stale), Status::Stale);
    let mut late = captured.clone();
    late[13] = late[13].wrapping_add(1);
    assert_eq!(bench.forged(own, &late), Status::Unauthenticated);
    assert_eq!(bench.executed(), before);
    bench.assert_unchanged();
    // Once both phases have keys, each has its own.
    let words = bench.config.secret.key(bench.info.nonce, 1).to_words();
    for (register, word) in Register::TAG_KEYS[4..].iter().zip(words) {
        bench.node.fast().write_register(*register, word);
        assert_eq!(bench.node.fast().read_register(*register), 0, "keys are not told");
    }
    bench.node.fast().write_register(Register::TagPhases, 3);
    let read = bench.read();
    assert_eq!(bench.ok(later, Request { key_phase: true, ..read }, &[]), BEFORE);
    let datagram = bench.datagram(later, read, &[]);
    assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated);
    if let Means::Tag { upper, .. } = &mut later {
        *upper += 1;
    }
    let datagram = bench.datagram(later, Request { key_phase: true, ..read }, &[]);
    assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated);
}

#[test]
fn what_was_captured_is_worth_nothing_after_the_tick_s_wrap() {
    let mut bench = Bench::new(TagMode::All);
    let (own, write, read) = (bench.endpoints, bench.request(Opcode::Write), bench.read());
    let captured = [bench.datagram(bench.tag(), write, BEFORE), bench.datagram(bench.tag(), read, &[])];
    for datagram in &captured {
        let frame = bench.send(own, datagram).expect("an answer");
        assert_eq!(opened(bench.tag(), &frame).0.status, Status::Ok);
    }
    bench.node.fast().write_register(Register::TickSkip, 1 << 24);
    assert_eq!(bench.node.fast().read_register(Register::TickHigh), 1);
    for datagram in &captured {
        assert_eq!(bench.forged(own, datagram), Status::Unauthenticated);
    }
    // The board tells where it is, and goes on.
    let ping = bench.request(Opcode::Ping);
    let told = BoardInfo::parse(&bench.ok(Means::None, ping, &[0; 64])).expect("a ping's layout");
    assert_eq!(told.tick_high, 1);
    let before = bench.tag();
    bench.info = told;
    bench.assert_unchanged();
    // What left before a wrap may come behind it.
    let left = (1 << 24) - bench.node.fast().read_register(Register::Tick);
    bench.node.fast().write_register(Register::TickSkip, left - 2);
    let late = bench.read();
    bench.node.fast().write_register(Register::TickSkip, 3);
    assert_eq!(bench.node.fast().read_register(Register::TickHigh), 2);
    assert_eq!(bench.ok(bench.tag(), late, &[]), BEFORE);
    let datagram = bench.datagram(before, late, &[]);
    assert_eq!(bench.forged(own, &datagram), Status::Unauthenticated);
}

#[test]
fn the_tick_s_upper_bits_are_told_in_two_words() {
    let mut model = Model::new(SHAPE).expect("a legal shape");
    model.tick_high = 0xab_0123_4567;
    let told = [Register::TickTop, Register::TickHigh].map(|register| model.read_register(register));
    assert_eq!(told, [0xab, 0x0123_4567]);
}

#[test]
fn what_is_carried_leaves_room_for_the_trailer() {
    let mut bench = Bench::new(TagMode::None);
    for means in [Means::None, Means::Crc32c, bench.tag()] {
        let most = SHAPE.max_payload() - means.kind().bytes();
        let read = Request { length: most as u16, ..bench.read() };
        let datagram = bench.datagram(means, read, &[]);
        let frame = bench.send(bench.endpoints, &datagram).expect("an answer");
        assert_eq!(frame.len(), SHAPE.max_frame());
        assert_eq!(opened(means, &frame).0.status, Status::Ok);
        let more = Request { length: most as u16 + 1, op_id: read.op_id + 50, ..read };
        assert_eq!(bench.ask(means, more, &[]).0.detail().cause, Cause::Length);
        let write = bench.request(Opcode::Write);
        bench.ok(means, write, &vec![7; most]);
    }
}

#[test]
fn half_a_trailer_is_dropped() {
    let mut bench = Bench::new(TagMode::None);
    for means in [Means::Crc32c, bench.tag()] {
        let fence = bench.request(Opcode::Fence);
        let whole = bench.datagram(means, fence, &[]);
        for length in HEADER_LEN..whole.len() {
            let dropped = bench.node.fast().read_counter(Counter::DropMnemeShort);
            assert_eq!(bench.send(bench.endpoints, &whole[..length]), None);
            assert_eq!(bench.node.fast().read_counter(Counter::DropMnemeShort), dropped + 1);
        }
    }
}

#[test]
fn a_board_without_trailers_says_so() {
    let mut fast = SoftFast::new(BoardShape::SIM).expect("a legal shape");
    for register in Register::TAG_KEYS.into_iter().chain([Register::TagMode, Register::TagPhases]) {
        fast.write_register(register, u32::MAX);
        assert_eq!(fast.read_register(register), 0, "{register}");
    }
    fast.write_register(Register::TickSkip, u32::MAX);
    assert_eq!(fast.read_register(Register::TickHigh), 0);
    let flags = fast.read_register(Register::BuildFlags);
    assert_eq!(flags & BUILD_TRAILERS, 0);
    let mut with = SoftFast::new(SHAPE).expect("a legal shape");
    assert_eq!(with.read_register(Register::BuildFlags), flags | BUILD_TRAILERS);
}
