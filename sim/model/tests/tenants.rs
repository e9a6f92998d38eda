//! Tenants on the software board: a secure OPEN proves who asks, tags carry on from there, and keys roll without a loss.
use mneme_auth::{Initiator, SecretKey, TenantList};
use mneme_model::Node;
use mneme_model::soft::{BoardShape, SoftFast};
use mneme_slowpath::{Config, FastPath, MemoryEpochs};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{
    Alloc, BoardInfo, OpenRequest, ProcessesRequest, Rights, SECURE_OPEN_LEN, STANDING_LEASE_NS,
    SecureOpenAnswer, SecureOpenRequest,
};
use mneme_wire::trailer::{Means, ProcessKey, full_time, upper};
use mneme_wire::{
    Cause, NodeCounter, Opcode, Packet, Pid, Register, Request, Response, Status, TagMode, Tick, Trailer, Va,
};

const SHAPE: BoardShape = BoardShape { trailers: true, ..BoardShape::SIM };
const BOARD: SecretKey = SecretKey::from_bytes([1; 32]);
const ALICE: u8 = 2;
const BOB: u8 = 3;
/// Ticks that a generation of keys lasts.
const PERIOD: u32 = 1 << 20;

fn tenants(secrets: &[u8]) -> TenantList {
    let mut list = TenantList::default();
    for secret in secrets {
        let line = format!("tenant-{secret} {} 2026-01-01", SecretKey::from_bytes([*secret; 32]).public());
        list.insert(line.parse().expect("a tenant")).expect("another one");
    }
    list
}

/// A board that asks for tags, and those who talk to it.
struct Bench {
    node: Node<SoftFast>,
    config: Config,
    info: BoardInfo,
    ip: [u8; 4],
    next_id: u32,
}

/// A process as its tenant knows it.
#[derive(Clone, Copy)]
struct Held {
    pid: Pid,
    told: SecureOpenAnswer,
    va: Va,
}

impl Bench {
    fn new(change: impl FnOnce(&mut Config)) -> Bench {
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
    fn ping(&mut self) {
        let (_, told) = self.ask(Means::None, Opcode::Ping, Pid::NONE, Va::default(), 64, &[0; 64]);
        self.info = BoardInfo::parse(&told).expect("a ping's layout");
    }
    fn tick(&mut self) -> u64 {
        let mut read = |register| u64::from(self.node.fast().read_register(register));
        read(Register::TickHigh) << 24 | read(Register::Tick)
    }
    fn skip(&mut self, ticks: u32) {
        self.node.fast().write_register(Register::TickSkip, ticks);
        self.node.run(1 << 12);
    }
    fn endpoints(&self) -> Endpoints {
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
    fn ask(
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
    fn send(&mut self, means: Means, request: Request, payload: &[u8]) -> (Response, Vec<u8>) {
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
    fn asks(&mut self, pid: u32, open: OpenRequest) -> SecureOpenRequest {
        SecureOpenRequest { open, tick: self.tick(), pid }
    }
    fn message(&mut self, secret: u8, ask: &SecureOpenRequest) -> (Initiator, [u8; SECURE_OPEN_LEN]) {
        let mut entropy = [secret; 32];
        entropy[4..8].copy_from_slice(&self.next_id.to_le_bytes());
        let own = SecretKey::from_bytes([secret; 32]);
        Initiator::new(&BOARD.public(), &own, self.info.nonce, ask, entropy).expect("a message")
    }
    fn open_as(&mut self, secret: u8, pid: u32, open: OpenRequest) -> Result<SecureOpenAnswer, Response> {
        let ask = self.asks(pid, open);
        let (mut initiator, message) = self.message(secret, &ask);
        let (response, payload) = self.open_with(pid, &message);
        if response.status == Status::Ok {
            Ok(initiator.finish(&payload).expect("proven"))
        } else {
            Err(response)
        }
    }
    fn open_with(&mut self, pid: u32, message: &[u8]) -> (Response, Vec<u8>) {
        let length = message.len() as u16;
        self.ask(Means::None, Opcode::Open, Pid::from_low_bits(pid), Va::default(), length, message)
    }
    /// A process with a page.
    fn process(&mut self, secret: u8) -> Held {
        let told = self.open_as(secret, 0, OpenRequest::default()).expect("opened");
        let mut held = Held { pid: Pid::from_low_bits(told.open.pid), told, va: Va::default() };
        let (response, payload) = self.alloc(&held, 1);
        assert_eq!(response.status, Status::Ok);
        held.va = Va::from_low_bits(Alloc::parse_answer(&payload).expect("an ALLOC's layout").va);
        held
    }
    fn alloc(&mut self, held: &Held, size: u64) -> (Response, Vec<u8>) {
        let ask = Alloc::request(size, Rights::READ_WRITE).to_bytes();
        self.tagged(held, Opcode::Alloc, Va::default(), ask.len() as u16, &ask)
    }
    /// Asks with a tag of the phase that is current for the client.
    fn tagged(
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
    fn read(&mut self, held: &Held) -> Status {
        self.tagged(held, Opcode::Read, held.va, 8, &[]).0.status
    }
    /// The processes that a board tells of in the name of one.
    fn listed(&mut self, held: &Held) -> Result<Vec<u32>, (Status, Cause)> {
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
    fn ends(&mut self, held: &Held, va: u64) -> (Status, Cause) {
        let (response, _) = self.tagged(held, Opcode::Exit, Va::new(va).expect("48 bits"), 0, &[]);
        let cause = if response.status == Status::Ok { Cause::None } else { response.detail().cause };
        (response.status, cause)
    }
    fn count(&mut self, counter: NodeCounter) -> u64 {
        self.node.counter(counter.number())
    }
}

#[test]
fn a_tenant_sees_and_ends_his_own_processes_in_the_name_of_one() {
    let mut bench = Bench::new(|_| {});
    let [one, two] = [bench.process(ALICE), bench.process(ALICE)];
    bench.ip = [10, 0, 0, 66];
    let (three, bob) = (bench.process(ALICE), bench.process(BOB));
    let [first, second, third] = [one, two, three].map(|held| held.pid.get());
    assert_eq!(bench.listed(&two), Ok(vec![first, second, third]), "from wherever they were opened");
    assert_eq!(bench.listed(&bob), Ok(vec![bob.pid.get()]));
    // Another tenant's, one that nobody has, and what is no pid at all: nobody is told which.
    let nobody = (Status::BadRequest, Cause::Pid);
    for pid in [bob.pid.get(), bob.pid.get() + 1] {
        assert_eq!(bench.ends(&one, pid.into()), nobody);
    }
    assert_eq!(bench.ends(&one, 1 << 24), (Status::BadRequest, Cause::Address));
    assert_eq!(bench.read(&bob), Status::Ok);
    assert_eq!(bench.ends(&one, third.into()), (Status::Ok, Cause::None));
    assert_eq!(bench.read(&three), Status::Unmapped);
    assert_eq!(bench.ends(&one, third.into()), nobody, "once");
    // The pid without the key: the fast path lets nothing of it in.
    let forged = Held { pid: two.pid, ..bob };
    assert_eq!(bench.listed(&forged), Err((Status::Unauthenticated, Cause::None)));
    assert_eq!(bench.ends(&forged, first.into()), (Status::Unauthenticated, Cause::None));
    assert_eq!(bench.ends(&two, second.into()), (Status::Ok, Cause::None), "itself");
    assert_eq!(bench.listed(&two), Err(nobody), "it has no process any more");
    assert_eq!(bench.listed(&one), Ok(vec![first]));
}

#[test]
fn a_process_that_others_have_joined_stands_for_itself_alone() {
    let mut bench = Bench::new(|_| {});
    let [one, two] = [bench.process(ALICE), bench.process(ALICE)];
    let join = OpenRequest { join: true, token: two.told.open.token, ..OpenRequest::default() };
    bench.open_as(ALICE, two.pid.get(), join).expect("she may");
    assert_eq!(bench.listed(&two), Ok(vec![one.pid.get(), two.pid.get()]), "she is nobody else");
    let told = bench.open_as(BOB, two.pid.get(), join).expect("he has the token");
    let guest = Held { told, ..two };
    for held in [guest, two] {
        assert_eq!(bench.listed(&held), Ok(vec![two.pid.get()]));
        assert_eq!(bench.ends(&held, one.pid.get().into()), (Status::Denied, Cause::Rights));
    }
    assert_eq!((bench.read(&one), bench.read(&guest)), (Status::Ok, Status::Ok));
    assert_eq!(bench.ends(&one, two.pid.get().into()), (Status::Ok, Cause::None), "hers all the same");
    assert_eq!(bench.read(&guest), Status::Unmapped);
}

#[test]
fn without_a_tag_an_exit_ends_the_process_that_it_names_and_no_other() {
    let mut bench = Bench::new(|config| config.tag_mode = TagMode::None);
    let [one, two] = [bench.process(ALICE), bench.process(ALICE)];
    let va = Va::from_low_bits(two.pid.get().into());
    let (response, _) = bench.ask(Means::None, Opcode::Exit, one.pid, va, 0, &[]);
    assert_eq!((response.status, response.detail().cause), (Status::BadRequest, Cause::Address));
    let ask = ProcessesRequest { after: 0, count: 1 };
    let mut payload = vec![0; ask.payload_len()];
    ask.emit(None, &mut payload);
    let length = payload.len() as u16;
    let (response, _) = bench.ask(Means::None, Opcode::Processes, one.pid, Va::default(), length, &payload);
    assert_eq!((response.status, response.detail().cause), (Status::BadRequest, Cause::Pid));
    assert_eq!(bench.listed(&one), Ok(vec![one.pid.get(), two.pid.get()]), "a tag is worth it in any mode");
}

#[test]
fn who_has_his_share_of_processes_may_have_one_more_to_end_some() {
    let mut bench = Bench::new(|config| config.limits.processes = 16);
    let short = OpenRequest { lease_ns: STANDING_LEASE_NS, ..OpenRequest::default() };
    let all: Vec<Held> = (0..4).map(|_| bench.process(ALICE)).collect();
    let quota = |response: Response| assert_eq!(response.status, Status::Quota);
    quota(bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("she has her share"));
    let longer = OpenRequest { lease_ns: STANDING_LEASE_NS + 1, ..OpenRequest::default() };
    quota(bench.open_as(ALICE, 0, longer).expect_err("that is no short while"));
    let told = bench.open_as(ALICE, 0, short).expect("one");
    quota(bench.open_as(ALICE, 0, short).expect_err("one, not two"));
    let standing = Held { pid: Pid::from_low_bits(told.open.pid), told, va: Va::default() };
    assert_eq!(bench.listed(&standing).expect("told").len(), 5);
    for held in &all {
        assert_eq!(bench.ends(&standing, held.pid.get().into()), (Status::Ok, Cause::None));
    }
    assert_eq!(bench.listed(&standing), Ok(vec![told.open.pid]));
}

#[test]
fn whoever_proves_nothing_is_told_nothing() {
    let mut bench = Bench::new(|_| {});
    let held = bench.process(ALICE);
    let (pid, token) = (held.pid.get(), held.told.open.token);
    let nobody = |response: Response| {
        assert_eq!((response.status, response.detail().cause), (Status::Unauthenticated, Cause::None));
    };
    // A plain OPEN; an unknown tenant, of a pid that exists, and of one that does not.
    nobody(bench.open_with(0, &OpenRequest::default().to_bytes()).0);
    let join = OpenRequest { join: true, token, ..OpenRequest::default() };
    for (pid, open) in [(0, OpenRequest::default()), (pid, join), (pid + 1, join)] {
        nobody(bench.open_as(77, pid, open).expect_err("refused"));
    }
    // A flipped bit, another pid in the header, a message of another life.
    let ask = bench.asks(0, OpenRequest::default());
    let (_, message) = bench.message(ALICE, &ask);
    let mut damaged = message;
    damaged[200] ^= 1;
    nobody(bench.open_with(0, &damaged).0);
    nobody(bench.open_with(pid, &message).0);
    bench.info.nonce += 1;
    nobody(bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("refused"));
    bench.info.nonce -= 1;
    assert_eq!(bench.count(NodeCounter::OpensUnproven), 6);
    // A tenant who joins is not told whether the process is there, or the token wrong.
    let wrong = OpenRequest { token: [9; 16], ..join };
    for (pid, open) in [(pid, wrong), (pid + 1, join)] {
        let response = bench.open_as(BOB, pid, open).expect_err("refused");
        assert_eq!((response.status, response.detail().cause), (Status::Denied, Cause::Rights));
    }
    assert_eq!(bench.read(&held), Status::Ok);
}

#[test]
fn a_message_opens_once_and_an_old_one_never() {
    let mut bench = Bench::new(|_| {});
    let ask = bench.asks(0, OpenRequest::default());
    let (mut initiator, message) = bench.message(ALICE, &ask);
    let (response, payload) = bench.open_with(0, &message);
    assert_eq!(response.status, Status::Ok);
    initiator.finish(&payload).expect("proven");
    // Under another operation id, and from another address.
    assert_eq!(bench.open_with(0, &message).0.status, Status::Unauthenticated);
    bench.ip = [10, 0, 0, 66];
    assert_eq!(bench.open_with(0, &message).0.status, Status::Unauthenticated);
    assert_eq!(bench.node.slow().inspect(|space| space.process_count()), 1);
    // Kept back for a wrap of the wire's time, and told with a clock that is far ahead.
    let (_, kept) = bench.message(BOB, &ask);
    bench.skip(1 << 24);
    let far = SecureOpenRequest { tick: ask.tick + (3 << 24), ..ask };
    let (_, ahead) = bench.message(BOB, &far);
    for message in [kept, ahead] {
        let response = bench.open_with(0, &message).0;
        assert_eq!((response.status, response.detail().cause), (Status::Unauthenticated, Cause::Clock));
    }
}

#[test]
fn keys_roll_and_who_asks_again_once_a_period_loses_nothing() {
    let mut bench = Bench::new(|_| {});
    let mut held = bench.process(ALICE);
    let old = held;
    let token = held.told.open.token;
    assert_eq!((held.told.phase(), held.told.valid), (false, 1));
    let mut served = 0;
    for step in 0..16 {
        bench.skip(PERIOD / 4);
        if step % 2 == 1 {
            // Twice a period: the same process, the current keys.
            let join = OpenRequest { join: true, token, ..OpenRequest::default() };
            let told = bench.open_as(ALICE, held.pid.get(), join).expect("keys anew");
            assert_eq!((told.open.pid, told.open.token), (held.pid.get(), token));
            let ticks = told.rolls_ns / u64::from(bench.config.ns_per_tick);
            assert!(ticks > 0 && ticks <= u64::from(PERIOD), "{ticks}");
            assert_eq!(told.ends_ns - told.rolls_ns, bench.config.key_period_ns);
            held.told = told;
        }
        served += u32::from(bench.read(&held) == Status::Ok && bench.alloc(&held, 1).0.status == Status::Ok);
    }
    assert_eq!((served, bench.count(NodeCounter::KeyRolls)), (16, 4));
    // Whoever did not is refused, and what he knew is worth nothing any more.
    assert_eq!(bench.read(&old), Status::Unauthenticated);
    bench.ping();
    assert_eq!((bench.info.key_phase, held.told.phase(), held.told.valid), (0, false, 3));
    // A board that slept through many periods has two new keys.
    bench.skip(5 * PERIOD);
    assert_eq!(bench.read(&held), Status::Unauthenticated);
    let join = OpenRequest { join: true, token, ..OpenRequest::default() };
    held.told = bench.open_as(ALICE, held.pid.get(), join).expect("keys anew");
    assert_eq!((bench.read(&held), held.told.phase()), (Status::Ok, true));
}

#[test]
fn a_revoked_tenant_s_processes_end_and_others_stay() {
    let mut bench = Bench::new(|_| {});
    let (alice, bob) = (bench.process(ALICE), bench.process(BOB));
    bench.node.slow().set_tenants(tenants(&[BOB]));
    bench.skip(1);
    bench.node.run(1 << 16);
    assert_eq!((bench.read(&alice), bench.read(&bob)), (Status::Unmapped, Status::Ok));
    assert_eq!(bench.node.slow().inspect(|space| space.process_count()), 1);
    let refused = bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("refused");
    assert_eq!(refused.status, Status::Unauthenticated);
    let counts = [NodeCounter::Revoked, NodeCounter::LeasesExpired].map(|counter| bench.count(counter));
    assert_eq!(counts, [1, 0]);
    bench.node.slow().set_tenants(tenants(&[ALICE, BOB]));
    bench.process(ALICE);
}

#[test]
fn shares_are_of_tenants_wherever_they_ask_from() {
    let mut bench = Bench::new(|config| {
        config.limits.processes = 16;
        config.limits.tenant_pages = Some(3);
    });
    let open = |bench: &mut Bench, secret: u8| {
        let opens = |bench: &mut Bench| {
            // Another address each time.
            bench.ip[3] += 1;
            let opened = bench.open_as(secret, 0, OpenRequest::default());
            opened.map_err(|response| assert_eq!(response.status, Status::Quota)).is_ok()
        };
        (0..8).take_while(|_| opens(bench)).count()
    };
    // A quarter of all; from then on thirds of what is left.
    assert_eq!((open(&mut bench, ALICE), open(&mut bench, BOB)), (4, 3));
    let mut bench = Bench::new(|config| config.limits.tenant_pages = Some(3));
    let held = [bench.process(ALICE), bench.process(ALICE), bench.process(ALICE)];
    bench.ip = [10, 0, 0, 66];
    let (response, _) = bench.alloc(&held[0], 1);
    assert_eq!((response.status, response.detail().cause), (Status::Quota, Cause::QuotaPages));
    let bob = bench.process(BOB);
    assert_eq!(bench.alloc(&bob, 1).0.status, Status::Ok);
}

#[test]
fn a_flood_of_forged_opens_costs_a_bounded_number_of_handshakes() {
    let mut bench = Bench::new(|config| config.limits.unproven_opens = 20);
    let ask = bench.asks(0, OpenRequest::default());
    let (_, mut message) = bench.message(ALICE, &ask);
    let mut statuses = Vec::new();
    for number in 0..60 {
        message[100] = number;
        statuses.push(bench.open_with(0, &message).0.status);
    }
    let computed = statuses.iter().filter(|status| **status == Status::Unauthenticated).count();
    let told_to_wait = statuses.iter().filter(|status| **status == Status::Busy).count();
    assert_eq!((computed + told_to_wait, bench.count(NodeCounter::OpensUnproven)), (60, computed as u64));
    assert!((20..=22).contains(&computed), "{computed}");
    // Others are not concerned, and the source itself a second later no longer.
    bench.ip = [10, 0, 0, 66];
    bench.open_as(BOB, 0, OpenRequest::default()).expect("opened");
    bench.ip = [10, 0, 0, 9];
    bench.skip((1_000_000_000 / u64::from(bench.config.ns_per_tick)) as u32);
    bench.open_as(ALICE, 0, OpenRequest::default()).expect("opened");
}

#[test]
fn a_board_without_a_key_or_without_trailers_serves_none() {
    let mut bench = Bench::new(|config| (config.board_key, config.tag_mode) = (None, TagMode::None));
    assert_eq!(bench.info.key_hint, 0);
    let response = bench.open_as(ALICE, 0, OpenRequest::default()).expect_err("refused");
    assert_eq!((response.status, response.detail().cause), (Status::BadRequest, Cause::Length));
    let bench = Bench::new(|_| {});
    assert_eq!(bench.info.key_hint, BOARD.public().hint());
    let mut fast = SoftFast::new(BoardShape::SIM).expect("a legal shape");
    let config = Config { tag_mode: TagMode::All, ..Node::config(&mut fast, 1, [3; 32]) };
    let refused = Node::boot(fast, config, &mut MemoryEpochs::default()).err().expect("refused").to_string();
    assert!(refused.contains("no trailers"), "{refused}");
}
