//! A board with trailers, whichever it is, and a client of the test that writes its frames by itself.
use mneme_auth::{Initiator, SecretKey, TenantList};
use mneme_model::{NetworkPort, Node};
use mneme_slowpath::{Config, FastPath, MemoryEpochs};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{Alloc, BoardInfo, Rights, SecureOpenRequest};
use mneme_wire::trailer::{Means, ProcessKey};
use mneme_wire::{
    Counter, Opcode, Packet, Pid, Register, Request, Response, Status, TagMode, Tick, Trailer, Va,
};

/// What lies in the process's memory.
pub const BEFORE: &[u8] = b"sixteen bytes...";
/// Cycles within which a board has done what a few dozen frames ask for, and zeroed all pages that it has place for.
const REST: u64 = 1 << 24;
/// Ticks that one write of TICK_SKIP skips at most.
const MOST_SKIPPED: u32 = (1 << 22) - 1;

/// A board, and a process on it that a client of the test knows.
pub struct Bench<F> {
    pub node: Node<F>,
    pub config: Config,
    pub info: BoardInfo,
    pub endpoints: Endpoints,
    pub pid: Pid,
    va: Va,
    next_id: u32,
}

/// What those are told whose trailers are not right, and where it is counted.
const REFUSED: [(Status, Counter); 3] = [
    (Status::Nack, Counter::StatusNack),
    (Status::Unauthenticated, Counter::StatusUnauthenticated),
    (Status::Stale, Counter::StatusStale),
];

/// An answer: its header, its payload.
pub type Answered = (Response, Vec<u8>);

impl<F: FastPath + NetworkPort> Bench<F> {
    /// On a board after reset.
    pub fn new(mut fast: F, tag_mode: TagMode) -> Self {
        let tenant = SecretKey::from_bytes([2; 32]);
        let mut tenants = TenantList::default();
        let line = format!("tester {} 2026-01-01", tenant.public());
        tenants.insert(line.parse().expect("a tenant")).expect("the first");
        let board_key = Some(SecretKey::from_bytes([1; 32]));
        let config = Config {
            tag_mode,
            board_key,
            tenants,
            // Long enough for a test.
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
        let told = bench.ok(&Means::None, ping, &[0; 64]);
        bench.info = BoardInfo::parse(&told).expect("a ping's layout");
        let open = bench.request(Opcode::Open);
        let ask = SecureOpenRequest { tick: bench.info.full_tick(), ..SecureOpenRequest::default() };
        let board = SecretKey::from_bytes([1; 32]).public();
        let (mut handshake, message) =
            Initiator::new(&board, &tenant, bench.info.nonce, &ask, [7; 32]).expect("a message");
        let opened = handshake.finish(&bench.ok(&Means::None, open, &message)).expect("the board's answer");
        bench.pid = Pid::from_low_bits(opened.open.pid);
        assert_eq!(
            bench.tag(),
            Means::Tag { key: ProcessKey::new(opened.open.key), upper: bench.info.tick_high }
        );
        let alloc = Alloc::request(1 << 20, Rights::READ_WRITE);
        let (ask, write) = (bench.request(Opcode::Alloc), bench.request(Opcode::Write));
        let given = bench.ok(&bench.tag(), ask, &alloc.to_bytes());
        bench.va = Va::from_low_bits(Alloc::parse_answer(&given).expect("an ALLOC's layout").va);
        bench.ok(&bench.tag(), Request { va: bench.va, ..write }, BEFORE);
        bench
    }
    /// A request of the process, as of now, at its first page.
    pub fn request(&mut self, opcode: Opcode) -> Request {
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
    pub fn read(&mut self) -> Request {
        Request { length: BEFORE.len() as u16, ..self.request(Opcode::Read) }
    }
    /// What a process tags with in a key phase.
    pub fn tag_of(&self, pid: Pid, phase: bool) -> Means {
        let key = self.config.secret.key(self.info.nonce, phase.into()).of(pid);
        Means::Tag { key, upper: self.info.tick_high }
    }
    pub fn tag(&self) -> Means {
        self.tag_of(self.pid, false)
    }
    /// The datagram of a request, whose length is the payload's but for READ and atomics.
    pub fn datagram(&self, means: &Means, request: Request, payload: &[u8]) -> Vec<u8> {
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
    /// Lets datagrams in, one behind the other, until the board rests; what left meanwhile.
    pub fn send_all(&mut self, endpoints: Endpoints, datagrams: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let frames: Vec<_> = datagrams.iter().map(|datagram| (endpoints, datagram.clone())).collect();
        self.send_each(&frames)
    }
    /// The same of datagrams that have endpoints of their own.
    pub fn send_each(&mut self, datagrams: &[(Endpoints, Vec<u8>)]) -> Vec<Vec<u8>> {
        let mut answers = Vec::new();
        for (endpoints, datagram) in datagrams {
            let udp = UdpFrame { endpoints: *endpoints, datagram };
            let mut frame = vec![0; udp.frame_len()];
            udp.emit(false, &mut frame).expect("room");
            while self.node.submit(&frame).is_err() {
                self.node.run(64);
            }
        }
        let end = self.node.fast().cycles() + REST;
        while !(self.node.fast().taken() && self.node.idle()) {
            assert!(self.node.fast().cycles() < end, "the board does not come to rest");
            self.node.run(64);
            answers.extend(std::iter::from_fn(|| self.node.poll()).map(|frame| frame.bytes));
        }
        answers
    }
    /// The frame that a datagram is answered with.
    pub fn send(&mut self, endpoints: Endpoints, datagram: &[u8]) -> Option<Vec<u8>> {
        let mut answers = self.send_all(endpoints, &[datagram.to_vec()]);
        assert!(answers.len() < 2, "one answer at most");
        answers.pop()
    }
    /// Asks, and verifies the answer's trailer.
    pub fn ask(&mut self, means: &Means, request: Request, payload: &[u8]) -> Answered {
        let datagram = self.datagram(means, request, payload);
        let frame = self.send(self.endpoints, &datagram).expect("an answer");
        opened(means, &frame)
    }
    pub fn ok(&mut self, means: &Means, request: Request, payload: &[u8]) -> Vec<u8> {
        let (answer, payload) = self.ask(means, request, payload);
        assert_eq!(answer.status, Status::Ok, "{} with {means:?}", request.opcode);
        assert_eq!(answer.timed, request.timed);
        payload
    }
    /// How a datagram ends that somebody else sends, or that is damaged. It is counted under that.
    pub fn forged(&mut self, endpoints: Endpoints, datagram: &[u8]) -> Status {
        let before = self.refused();
        let frame = self.send(endpoints, datagram).expect("an answer");
        let (status, after) = (opened(&Means::None, &frame).0.status, self.refused());
        let counted = REFUSED.iter().zip(before.iter().zip(after)).filter(|(_, (old, new))| **old != *new);
        let counted: Vec<_> = counted.map(|((status, _), (old, new))| (*status, new - old)).collect();
        assert_eq!(counted, [(status, 1)]);
        status
    }
    /// Lets so many ticks pass, in as many steps as the register needs.
    pub fn skip(&mut self, ticks: u32) {
        let mut left = ticks;
        while left > 0 {
            let step = left.min(MOST_SKIPPED);
            self.node.fast().write_register(Register::TickSkip, step);
            left -= step;
        }
    }
    /// Counts what was refused.
    pub fn refused(&mut self) -> [u32; 3] {
        REFUSED.map(|(_, counter)| self.node.fast().read_counter(counter))
    }
    /// Counts what was executed or went to the slow path.
    pub fn executed(&mut self) -> [u32; 3] {
        [Counter::FilterInsert, Counter::SlowTx, Counter::StatusOk].map(|c| self.node.fast().read_counter(c))
    }
    pub fn assert_unchanged(&mut self) {
        let (tag, read) = (self.tag(), self.read());
        assert_eq!(self.ok(&tag, read, &[]), BEFORE);
    }
}

/// Opens an answer; its trailer must be right, and of the kind that its status has.
pub fn opened(means: &Means, frame: &[u8]) -> Answered {
    let udp = UdpFrame::parse(frame).expect("a sound frame");
    let packet = Packet::new_checked(udp.datagram).expect("a whole header");
    let response = Response::parse(&packet).expect("a response");
    let means = means.of_answer(response.status);
    assert_eq!(response.trailer, means.kind(), "{}", response.status);
    assert!(means.check(&udp.endpoints.covered(), udp.datagram), "{}", response.status);
    (response, packet.payload().to_vec())
}
