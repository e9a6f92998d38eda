//! A node in the process: it boots, answers a ping, and carries several clients' operations.
use std::time::Duration;

use mneme_model::{BoardShape, BuildStamp, Network, NetworkPort, Node, SoftFast};
use mneme_slowpath::{FastPath, MemoryEpochs};
use mneme_wire::payload::BoardInfo;
use mneme_wire::register::BUILD_BASE;
use mneme_wire::{NodeCounter, Opcode, Packet, Pid, Register, Request, Response, Status, Tick, Trailer, Va};

fn network(shape: BoardShape) -> Network<SoftFast> {
    let mut fast = SoftFast::new(shape).expect("a legal shape");
    let config = Node::config(&mut fast, 1, [7; 32]);
    let (mac, ip, port) = (config.mac, config.ip, config.udp_port);
    let node = Node::boot(fast, config, &mut MemoryEpochs::default()).expect("the board boots");
    Network::new(node, mac, ip, port)
}

fn request(opcode: Opcode, epoch: u8, op_id: u32, time: u32) -> Request {
    Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode,
        epoch,
        pid: Pid::NONE,
        op_id,
        attempt: 0,
        time: Tick::from_low_bits(time),
        va: Va::default(),
        length: 0,
    }
}

#[test]
fn every_configuration_boots_and_answers_each_client_its_own_ping() {
    for shape in BoardShape::ALL {
        let network = network(shape);
        let clients = [network.attach(), network.attach(), network.attach()];
        for (number, client) in clients.iter().enumerate() {
            let mut ping =
                Request { length: 64, ..request(Opcode::Ping, 0, number as u32, 0) }.to_bytes().to_vec();
            ping.resize(ping.len() + BoardInfo::LEN, 0);
            client.send(&ping);
        }
        for (number, client) in clients.iter().enumerate().rev() {
            let datagram = client.receive(Duration::from_millis(1)).expect("an answer within a millisecond");
            let packet = Packet::new_checked(&datagram[..]).expect("a whole header");
            let response = Response::parse(&packet).expect("a response");
            assert_eq!((response.status, response.op_id), (Status::Ok, number as u32));
            let info = BoardInfo::parse(packet.payload()).expect("a ping's layout");
            assert_eq!(info.page_bits as u32, shape.page_bits);
            assert_ne!(info.epoch, 0);
        }
        assert_eq!(network.lost(), 0);
    }
}

#[test]
fn waiting_for_nothing_takes_board_time_and_comes_back() {
    let network = network(BoardShape::SIM);
    let client = network.attach();
    let before = client.now();
    assert_eq!(client.receive(Duration::from_secs(3600)), None);
    assert!(client.now() - before >= Duration::from_secs(3600));
}

const STAMP: BuildStamp = BuildStamp { hash: 0x89ab_cdef, date: 1_700_000_000 };

#[test]
fn counters_tell_the_registers_of_the_build_each_by_its_number_and_no_other() {
    let mut fast = SoftFast::new(BoardShape::TINY).expect("a legal shape");
    fast.set_stamp(STAMP);
    let config = Node::config(&mut fast, 1, [7; 32]);
    let mut node = Node::boot(fast, config, &mut MemoryEpochs::default()).expect("the board boots");
    assert_ne!(node.fast().read_register(Register::Window), 0);
    for word in 0..0x100 {
        let told = node.counter(BUILD_BASE + word);
        let register = Register::from_number(4 * word).filter(|register| Register::BUILD.contains(register));
        let expected = register.map_or(0, |register| node.fast().read_register(register));
        assert_eq!(told, u64::from(expected), "word {word}, {register:?}");
    }
    let stamped = [Register::BuildHash, Register::BuildDate].map(|r| node.counter(r.build_number()));
    assert_eq!(stamped, [STAMP.hash, STAMP.date].map(u64::from));
}

#[test]
fn a_board_whose_clock_has_gone_on_for_long_comes_up_like_a_fresh_one() {
    let mut fast = SoftFast::new(BoardShape::SIM).expect("a legal shape");
    // A core that is reset goes on counting on boards in simulation; half a minute is past what a board may take to come up.
    for _ in 0..4 {
        fast.run(1 << 31);
    }
    let config = Node::config(&mut fast, 1, [7; 32]);
    let mut node = Node::boot(fast, config, &mut MemoryEpochs::default()).expect("the board boots");
    assert!(node.fast().cycles() > 1 << 32);
    assert_ne!(node.slow().info().epoch, 0);
}

#[test]
fn counters_of_pages_are_those_of_now() {
    // All pages find a place in the async buffer: the slow path has nothing to do that would make it look.
    let shape = BoardShape::ZCU106.with_memory(256 << 20).expect("a sound size");
    let mut fast = SoftFast::new(shape).expect("a legal shape");
    let config = Node::config(&mut fast, 1, [7; 32]);
    let mut node = Node::boot(fast, config, &mut MemoryEpochs::default()).expect("the board boots");
    node.run(1 << 24);
    let [free, zeroing, given] = [NodeCounter::PagesFree, NodeCounter::PagesZeroing, NodeCounter::PagesGiven]
        .map(|counter| node.counter(counter.number()));
    assert_eq!((free, zeroing, given), (0, 0, node.fast().read_register(Register::AsyncLevel).into()));
}
