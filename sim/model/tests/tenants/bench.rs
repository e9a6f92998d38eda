//! A board that asks for tags, and those who talk to it.
use mneme_auth::{Initiator, SecretKey, TenantList};
use mneme_model::Node;
use mneme_model::soft::{BoardShape, SoftFast};
use mneme_slowpath::{Config, FastPath, MemoryEpochs};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{
    Alloc, BoardInfo, OpenRequest, ProcessesRequest, Rights, SECURE_OPEN_LEN, SecureOpenAnswer,
    SecureOpenRequest,
};
use mneme_wire::trailer::{Means, ProcessKey, full_time, upper};
use mneme_wire::{
    Cause, NodeCounter, Opcode, Packet, Pid, Register, Request, Response, Status, TagMode, Tick, Trailer, Va,
};

pub const SHAPE: BoardShape = BoardShape { trailers: true, ..BoardShape::SIM };
pub const BOARD: SecretKey = SecretKey::from_bytes([1; 32]);
pub const ALICE: u8 = 2;
pub const BOB: u8 = 3;
/// Ticks that a generation of keys lasts.
pub const PERIOD: u32 = 1 << 20;

pub fn tenants(secrets: &[u8]) -> TenantList {
    let mut list = TenantList::default();
    for secret in secrets {
        let line = format!("tenant-{secret} {} 2026-01-01", SecretKey::from_bytes([*secret; 32]).public());
        list.insert(line.parse().expect("a tenant")).expect("another one");
    }
    list
}

/// A board that asks for tags, and those who talk to it.
pub struct Bench {
    pub node: Node<SoftFast>,
    pub config: Config,
    pub info: BoardInfo,
    pub ip: [u8; 4],
    pub next_id: u32,
}

/// A process as its tenant knows it.
#[derive(Clone, Copy)]
pub struct Held {
    pub pid: Pid,
    pub told: SecureOpenAnswer,
    pub va: Va,
}

impl Bench {
    pub fn new(change: impl FnOnce(&mut Config)) -> Bench {
        let mut fast = SoftFast::new(SHAPE).expect("a legal shape");
        let mut config = Node::config(&mut fast, 1, [3; 32]);
        config.tag_mode = TagMode::All;
        config.board_key = Some(BOARD);
        config.tenants = tenants(&[ALICE, BOB]);
        config.key_period_ns = u64::from(PERIOD) * u64::from(config.ns_per_tick);
        change(&mut config);
        let node = Node::boot(fast, config.clone(), &mut MemoryEpochs::default()).expect("the board boots");
        let mut bench = Bench { node, config, info: BoardInfo::default(), ip: [10, 0, 0, 9], next_id: 1 };
        bench.ping();
        bench
    }
    pub fn ping(&mut self) {
        let (_, told) = self.ask(Means::None, Opcode::Ping, Pid::NONE, Va::default(), 64, &[0; 64]);
        self.info = BoardInfo::parse(&told).expect("a ping's layout");
    }
    pub fn tick(&mut self) -> u64 {
        let mut read = |register| u64::from(self.node.fast().read_register(register));
        read(Register::TickHigh) << 24 | read(Register::Tick)
    }
    pub fn skip(&mut self, ticks: u32) {
        self.node.fast().write_register(Register::TickSkip, ticks);
        self.node.run(1 << 12);
    }
    pub fn endpoints(&self) -> Endpoints {
        let Config { mac, ip, udp_port, .. } = self.config;
        Endpoints {
            src_mac: [2; 6],
            dst_mac: mac,
            src_ip: self.ip,
            dst_ip: ip,
            src_port: 4000,
            dst_port: udp_port,
        }
    }
    pub fn ask(
        &mut self,
        means: Means,
        opcode: Opcode,
        pid: Pid,
        va: Va,
        length: u16,
        payload: &[u8],
    ) -> (Response, Vec<u8>) {
        self.next_id += 1;
        let request = Request {
            trailer: means.kind(),
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.info.epoch,
            pid,
            op_id: self.next_id,
            attempt: 0,
            time: Tick::from_low_bits(self.tick() as u32),
            va,
            length,
        };
        self.send(means, request, payload)
    }
    pub fn send(&mut self, means: Means, request: Request, payload: &[u8]) -> (Response, Vec<u8>) {
        let mut datagram = [&request.to_bytes()[..], payload].concat();
        datagram.resize(datagram.len() + means.kind().bytes(), 0);
        let endpoints = self.endpoints();
        assert!(means.seal(&endpoints.covered(), &mut datagram));
        let udp = UdpFrame { endpoints, datagram: &datagram };
        let mut frame = vec![0; udp.frame_len()];
        udp.emit(false, &mut frame).expect("room");
        self.node.submit(&frame).expect("room at the port");
        self.node.run_to_rest(40_000);
        let frame = self.node.poll().expect("an answer").bytes;
        let udp = UdpFrame::parse(&frame).expect("a sound frame");
        let packet = Packet::new_checked(udp.datagram).expect("a header");
        let response = Response::parse(&packet).expect("a response");
        assert!(means.of_answer(response.status).check(&udp.endpoints.covered(), udp.datagram));
        let longer = udp.datagram.len() > datagram.len();
        assert!(!longer || request.opcode == Opcode::Read, "nothing is longer than its request");
        (response, packet.payload().to_vec())
    }
    pub fn asks(&mut self, pid: u32, open: OpenRequest) -> SecureOpenRequest {
        SecureOpenRequest { open, tick: self.tick(), pid }
    }
    pub fn message(&mut self, secret: u8, ask: &SecureOpenRequest) -> (Initiator, [u8; SECURE_OPEN_LEN]) {
        let mut entropy = [secret; 32];
        entropy[4..8].copy_from_slice(&self.next_id.to_le_bytes());
        let own = SecretKey::from_bytes([secret; 32]);
        Initiator::new(&BOARD.public(), &own, self.info.nonce, ask, entropy).expect("a message")
    }
    pub fn open_as(&mut self, secret: u8, pid: u32, open: OpenRequest) -> Result<SecureOpenAnswer, Response> {
        let ask = self.asks(pid, open);
        let (mut initiator, message) = self.message(secret, &ask);
        let (response, payload) = self.open_with(pid, &message);
        if response.status == Status::Ok {
            Ok(initiator.finish(&payload).expect("proven"))
        } else {
            Err(response)
        }
    }
    pub fn open_with(&mut self, pid: u32, message: &[u8]) -> (Response, Vec<u8>) {
        let length = message.len() as u16;
        self.ask(Means::None, Opcode::Open, Pid::from_low_bits(pid), Va::default(), length, message)
    }
    /// A process with a page.
    pub fn process(&mut self, secret: u8) -> Held {
        let told = self.open_as(secret, 0, OpenRequest::default()).expect("opened");
        let mut held = Held { pid: Pid::from_low_bits(told.open.pid), told, va: Va::default() };
        let (response, payload) = self.alloc(&held, 1);
        assert_eq!(response.status, Status::Ok);
        held.va = Va::from_low_bits(Alloc::parse_answer(&payload).expect("an ALLOC's layout").va);
        held
    }
    pub fn alloc(&mut self, held: &Held, size: u64) -> (Response, Vec<u8>) {
        let ask = Alloc::request(size, Rights::READ_WRITE).to_bytes();
        self.tagged(held, Opcode::Alloc, Va::default(), ask.len() as u16, &ask)
    }
    /// Asks with a tag of the phase that is current for the client.
    pub fn tagged(
        &mut self,
        held: &Held,
        opcode: Opcode,
        va: Va,
        length: u16,
        payload: &[u8],
    ) -> (Response, Vec<u8>) {
        self.next_id += 1;
        let (now, phase) = (self.tick(), held.told.phase());
        let time = Tick::from_low_bits(now as u32);
        let key = ProcessKey::new(held.told.key_of(phase).expect("a current key"));
        let means = Means::Tag { key, upper: upper(full_time(now, time)) };
        let request = Request {
            trailer: Trailer::Tag,
            key_phase: phase,
            timed: false,
            opcode,
            epoch: self.info.epoch,
            pid: held.pid,
            op_id: self.next_id,
            attempt: 0,
            time,
            va,
            length,
        };
        self.send(means, request, payload)
    }
    pub fn read(&mut self, held: &Held) -> Status {
        self.tagged(held, Opcode::Read, held.va, 8, &[]).0.status
    }
    /// The processes that a board tells of in the name of one.
    pub fn listed(&mut self, held: &Held) -> Result<Vec<u32>, (Status, Cause)> {
        let ask = ProcessesRequest { after: 0, count: 8 };
        let mut payload = vec![0; ask.payload_len()];
        ask.emit(None, &mut payload);
        let length = payload.len() as u16;
        let (response, told) = self.tagged(held, Opcode::Processes, Va::default(), length, &payload);
        if response.status != Status::Ok {
            return Err((response.status, response.detail().cause));
        }
        Ok(ask.parse_answer(&told).expect("a list").map(|entry| entry.pid).collect())
    }
    /// Ends a process in the name of another one.
    pub fn ends(&mut self, held: &Held, va: u64) -> (Status, Cause) {
        let (response, _) = self.tagged(held, Opcode::Exit, Va::new(va).expect("48 bits"), 0, &[]);
        let cause = if response.status == Status::Ok { Cause::None } else { response.detail().cause };
        (response.status, cause)
    }
    pub fn count(&mut self, counter: NodeCounter) -> u64 {
        self.node.counter(counter.number())
    }
}
