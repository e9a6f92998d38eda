//! Queue pairs that hardware leaves to software, lent to who takes SENDs.
use std::net::Ipv4Addr;

use mneme_rdma::cm::{Kind, Refusal};
use mneme_rdma::codec::frame::RoceFrame;
use mneme_rdma::codec::{Bth, DEFAULT_PKEY, Extensions, Nak, Opcode, Packet, PathMtu, Psn};
use mneme_rdma::memory::{Access, Region};
use mneme_rdma::node::NoMemory;
use mneme_rdma::requester::{Completion, Failure, Operation, Work};
use mneme_rdma::responder::{Arrival, Limits, PACKET_MAX, Responder};
use mneme_rdma::udp::{Connection, Ends};
use mneme_rdma_manager::PairAsk;
use mneme_wire::roce::ROCE_QPN_FIRST;

use crate::client::{CLIENT, CLIENT_MAC, IP, MB, SECOND, World, ask};

/// The client's number.
const OWN: u32 = 0x77;
/// The first packets of the client and of the board.
const PSNS: [u32; 2] = [0xff_fffe, 5];
/// Queue pairs that are lent at a time, and to one address while nobody else has any.
const LENT: usize = 24;
const HALF: usize = LENT / 2;

fn lend(world: &mut World) -> Option<u32> {
    lend_to(world, CLIENT)
}
fn lend_to(world: &mut World, client: [u8; 4]) -> Option<u32> {
    let [theirs, own] = PSNS.map(Psn::from_low_bits);
    let of = |qpn| Connection::new(qpn, client.into(), OWN, theirs, own);
    world.manager.lend_software((client, CLIENT_MAC), of)
}
fn client(qpn: u32) -> Ends {
    let [own, theirs] = PSNS.map(Psn::from_low_bits);
    let mut client = Ends::new(Responder::new(Limits::default()));
    client.connect(&Connection::new(OWN, Ipv4Addr::from(IP), qpn, theirs, own)).expect("it is new");
    client
}
/// Frames go both ways until there are none.
fn exchange(world: &mut World, client: &mut Ends) {
    let mut packet = [0; PACKET_MAX];
    loop {
        let mut any = false;
        while let Some(sent) = client.poll_transmit(world.now, &mut NoMemory, &mut packet) {
            world.give(CLIENT, &packet[..sent.length]);
            any = true;
        }
        world.pass(1_000);
        while let Some(frame) = world.hardware.tx.pop_front() {
            let RoceFrame { endpoints, transport, .. } = RoceFrame::parse(&frame).expect("a sound frame");
            assert_eq!((endpoints.dst_ip, endpoints.dst_mac), (CLIENT, CLIENT_MAC));
            client.receive(world.now, &Arrival { source: IP, congested: false, transport }, &mut NoMemory);
            any = true;
        }
        if !any {
            return;
        }
    }
}
fn send(data: Vec<u8>) -> Operation<Vec<u8>> {
    Operation::Send { data, immediate: None }
}
fn post(ends: &mut Ends, qpn: u32, operation: Operation<Vec<u8>>) {
    ends.requester(qpn).expect("it asks").post(Work::new(1, operation)).expect("there is room");
}
fn ended(ends: &mut Ends, qpn: u32) -> Completion<Vec<u8>> {
    ends.requester(qpn).and_then(|requester| requester.poll_completion()).expect("it has ended")
}

/// As a ping-pong has it: a message comes, and another goes back, each of many packets.
#[test]
fn a_lent_queue_pair_takes_messages_and_sends_them() {
    let mut world = World::new(false);
    let qpn = lend(&mut world).expect("a number");
    assert!((2..ROCE_QPN_FIRST).contains(&qpn));
    let mut client = client(qpn);
    let message: Vec<u8> = (0..500_000_u32).map(|n| (n ^ n >> 8) as u8).collect();
    let buffer = || vec![0; message.len()].into_boxed_slice();
    world.manager.software().responder.post_receive(qpn, 1, buffer()).expect("a queue pair");
    client.responder.post_receive(OWN, 2, buffer()).expect("a queue pair");
    post(&mut client, OWN, send(message.clone()));
    exchange(&mut world, &mut client);
    assert_eq!(ended(&mut client, OWN).result, Ok(()));
    let came = world.manager.software().responder.poll_received().expect("a message");
    assert!((came.qpn, came.length) == (qpn, message.len()) && came.buffer[..] == message[..]);
    post(world.manager.software(), qpn, send(message.clone()));
    exchange(&mut world, &mut client);
    assert_eq!(ended(world.manager.software(), qpn).result, Ok(()));
    let back = client.responder.poll_received().expect("a message");
    assert!(back.length == message.len() && back.buffer[..] == message[..]);
    // No memory is behind it, not even what was counted.
    post(&mut client, OWN, Operation::Read { into: vec![0; 8], va: 0, rkey: 0 });
    exchange(&mut world, &mut client);
    assert_eq!(ended(&mut client, OWN).result, Err(Failure::Refused(Nak::RemoteAccess)));
    world.manager.take_back_software(qpn);
    assert_eq!(world.manager.progress(qpn, &mut world.hardware), None);
}

/// Those that are lent and those that tell what was counted leave each other their places.
#[test]
fn some_are_lent_at_a_time() {
    let mut world = World::new(false);
    let mut lent: Vec<u32> = std::iter::from_fn(|| lend(&mut world)).collect();
    assert_eq!(lent.len(), HALF, "an address has as many as are free");
    for host in 3..40 {
        lent.extend(std::iter::from_fn(|| lend_to(&mut world, [10, 0, 0, host])));
        assert!(lent.len() > HALF, "the next one finds some");
    }
    assert_eq!(lent.len(), LENT);
    let process = world.open();
    let reads = ask(process, Kind::Statistics, (0, 8));
    let told = world.connect(CLIENT, reads, None, PathMtu::MAX).expect("a place of their own");
    assert!(!lent.contains(&told.qpn));
    world.manager.take_back_software(lent.pop().expect("one"));
    // What is not lent is not taken back.
    world.manager.take_back_software(told.qpn);
    assert_eq!(lend(&mut world), None, "it has its share");
    lent.push(lend_to(&mut world, [10, 0, 0, 99]).expect("a place"));
    assert_eq!(lend_to(&mut world, [10, 0, 0, 100]), None);
    lent.sort_unstable();
    lent.dedup();
    assert_eq!((lent.len(), world.counted()["connections"]), (LENT, 1));
}

/// A native queue pair that is lent counts as a connection of its address, and a connection as one that is lent.
#[test]
fn what_is_lent_of_the_hardwares_is_of_the_share_of_its_address() {
    /// Half of the table, and half of what is left.
    const SHARES: [usize; 2] = [16, 8];
    const OTHER: [u8; 4] = [10, 0, 0, 3];
    let mut world = World::new(false);
    let process = world.open();
    let va = world.frames(process, MB);
    let pair = |peer| PairAsk {
        peer,
        peer_mac: CLIENT_MAC,
        peer_qpn: OWN,
        pkey: DEFAULT_PKEY,
        path_mtu: PathMtu::MAX,
        first: Psn::default(),
        region: Region { pid: process.pid, va, length: MB, access: Access::ALL },
        frees: None,
        hardened: false,
    };
    let native = ask(process, Kind::Frames, (va, MB));
    world.connect(CLIENT, native, None, PathMtu::MAX).expect("a connection");
    let lends = |world: &mut World, to| world.manager.lend(&pair(to), &mut world.hardware);
    let lent: Vec<_> = std::iter::from_fn(|| lends(&mut world, CLIENT)).collect();
    assert_eq!(lent.len(), SHARES[0] - 1, "and the connection");
    assert_eq!(world.connect(CLIENT, native, None, PathMtu::MAX), Err(Refusal::Full));
    assert_eq!(std::iter::from_fn(|| lends(&mut world, OTHER)).count(), SHARES[1]);
    // What comes back is the address's again.
    for (qpn, rkey) in lent {
        world.manager.take_back(qpn, rkey, &mut world.hardware);
        // Twice is once.
        world.manager.take_back(qpn, rkey, &mut world.hardware);
    }
    world.connect(CLIENT, native, None, PathMtu::MAX).expect("a connection");
    assert_eq!(world.counted()["regions"], 2 + SHARES[1] as u64);
}

/// More than anybody serves comes for numbers that software may have: it is dropped and counted, and the connection manager is asked
/// for as ever.
#[test]
fn a_flood_costs_the_connection_manager_no_place() {
    let mut world = World::new(false);
    let process = world.open();
    let flood = Packet {
        bth: Bth { dest_qp: ROCE_QPN_FIRST - 1, ..Bth::default() },
        opcode: Opcode::SendOnly,
        extensions: Extensions::default(),
        payload: &[1; 64],
    };
    let mut packet = [0; PACKET_MAX];
    let length = flood.emit(&mut packet).expect("it fits");
    (0..200).for_each(|_| world.give(CLIENT, &packet[..length]));
    world.poll_alone(100);
    assert!(world.hardware.rx.is_empty());
    let reads = ask(process, Kind::Statistics, (0, 8));
    world.connect(CLIENT, reads, None, PathMtu::MAX).expect("a connection");
    let lost = "RDMA frames for software that found no place";
    let named = |world: &World| world.manager.named().find(|(name, _)| name == lost).expect("a counter").1;
    assert_eq!((named(&world), world.counted()["unknown queue pair"]), (200 - 64, 64));
    // It ends, and nothing is left of it.
    world.pass(SECOND);
    assert_eq!(named(&world), 200 - 64);
}
