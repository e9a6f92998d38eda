//! ARP and ICMP echo, asked and read with smoltcp, and bytes that nobody should send.
use crate::double;
use double::{Bench, IP, MAC, frame_of};
use mneme_wire::frame::net::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    Icmpv4Packet, Icmpv4Repr, IpProtocol, Ipv4Address, Ipv4Packet, Ipv4Repr,
};
use mneme_wire::{NodeCounter, Opcode};
use proptest::prelude::*;
use smoltcp::phy::ChecksumCapabilities;

const PEER: EthernetAddress = EthernetAddress([2, 0, 0, 0, 0, 1]);
const PEER_IP: Ipv4Address = Ipv4Address::new(10, 0, 0, 1);

fn arp(operation: ArpOperation, target: [u8; 4]) -> Vec<u8> {
    let header = EthernetRepr {
        src_addr: PEER,
        dst_addr: EthernetAddress::BROADCAST,
        ethertype: EthernetProtocol::Arp,
    };
    let repr = ArpRepr::EthernetIpv4 {
        operation,
        source_hardware_addr: PEER,
        source_protocol_addr: PEER_IP,
        target_hardware_addr: EthernetAddress([0; 6]),
        target_protocol_addr: target.into(),
    };
    let mut bytes = vec![0; 60];
    let mut frame = EthernetFrame::new_unchecked(&mut bytes);
    header.emit(&mut frame);
    repr.emit(&mut ArpPacket::new_unchecked(frame.payload_mut()));
    bytes
}

fn ping(data: &[u8]) -> Vec<u8> {
    let checksums = ChecksumCapabilities::default();
    let icmp = Icmpv4Repr::EchoRequest { ident: 7, seq_no: 3, data };
    let ip = Ipv4Repr {
        src_addr: PEER_IP,
        dst_addr: IP.into(),
        next_header: IpProtocol::Icmp,
        payload_len: icmp.buffer_len(),
        hop_limit: 3,
    };
    let header =
        EthernetRepr { src_addr: PEER, dst_addr: EthernetAddress(MAC), ethertype: EthernetProtocol::Ipv4 };
    let mut bytes = vec![0; 14 + 20 + icmp.buffer_len()];
    let mut frame = EthernetFrame::new_unchecked(&mut bytes);
    header.emit(&mut frame);
    ip.emit(&mut Ipv4Packet::new_unchecked(frame.payload_mut()), &checksums);
    icmp.emit(&mut Icmpv4Packet::new_unchecked(&mut frame.payload_mut()[20..]), &checksums);
    bytes
}

fn answer(b: &mut Bench, frame: Vec<u8>) -> Option<Vec<u8>> {
    b.fp.rx.push_back(frame);
    b.slow.poll(&mut b.fp);
    b.fp.tx.pop_front()
}

#[test]
fn arp_for_our_address_is_answered_and_nothing_else() {
    let mut b = Bench::tiny();
    let bytes = answer(&mut b, arp(ArpOperation::Request, IP)).unwrap();
    let frame = EthernetFrame::new_checked(&bytes[..]).unwrap();
    assert_eq!((frame.src_addr(), frame.dst_addr()), (EthernetAddress(MAC), PEER));
    let reply = ArpRepr::parse(&ArpPacket::new_checked(frame.payload()).unwrap()).unwrap();
    let expected = ArpRepr::EthernetIpv4 {
        operation: ArpOperation::Reply,
        source_hardware_addr: EthernetAddress(MAC),
        source_protocol_addr: IP.into(),
        target_hardware_addr: PEER,
        target_protocol_addr: PEER_IP,
    };
    assert_eq!(reply, expected);
    assert!(answer(&mut b, arp(ArpOperation::Request, [10, 0, 0, 8])).is_none());
    assert!(answer(&mut b, arp(ArpOperation::Reply, IP)).is_none());
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::Arps.number()), 1);
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::Unclaimed.number()), 2);
}

#[test]
fn icmp_echo_comes_back_with_its_data() {
    let mut b = Bench::tiny();
    for data in [&b""[..], b"x", &[7; 1400]] {
        let bytes = answer(&mut b, ping(data)).unwrap();
        let frame = EthernetFrame::new_checked(&bytes[..]).unwrap();
        assert_eq!((frame.src_addr(), frame.dst_addr()), (EthernetAddress(MAC), PEER));
        let ip = Ipv4Packet::new_checked(frame.payload()).unwrap();
        assert!(ip.verify_checksum());
        assert_eq!((ip.src_addr(), ip.dst_addr()), (IP.into(), PEER_IP));
        let icmp = Icmpv4Packet::new_checked(ip.payload()).unwrap();
        let reply = Icmpv4Repr::parse(&icmp, &ChecksumCapabilities::default()).unwrap();
        assert_eq!(reply, Icmpv4Repr::EchoReply { ident: 7, seq_no: 3, data });
    }
    let mut damaged = ping(b"hello");
    *damaged.last_mut().unwrap() ^= 1;
    assert!(answer(&mut b, damaged).is_none());
    let mut broadcast = ping(b"hello");
    broadcast[26..30].fill(255);
    assert!(answer(&mut b, broadcast).is_none());
    assert_eq!(b.slow.counter(&mut b.fp, NodeCounter::Echoes.number()), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_bytes_in_the_ring_panic_or_grow_the_answer(frame in proptest::collection::vec(any::<u8>(), 0..1600)) {
        let mut b = Bench::tiny();
        if let Some(reply) = answer(&mut b, frame.clone()) {
            prop_assert!(reply.len() <= frame.len());
        }
        b.audit();
    }

    #[test]
    fn no_payload_panics_or_grows_the_answer(
        opcode in proptest::sample::select(Opcode::ALL),
        pid in 0u32..4,
        va: u64,
        payload in proptest::collection::vec(prop_oneof![Just(0u8), any::<u8>()], 0..140),
        lie in 0u16..3,
    ) {
        let mut b = Bench::tiny();
        b.open();
        let mut request = b.request(opcode, pid, va, payload.len());
        request.length = request.length.wrapping_sub(lie / 2);
        let frame = frame_of([10, 0, 0, 1], &request, &payload);
        let reply = answer(&mut b, frame.clone()).expect("an answer");
        prop_assert!(reply.len() <= frame.len());
        b.audit();
    }

    #[test]
    fn damaged_arp_and_icmp_never_panic(
        at in 12usize..60,
        byte: u8,
        cut in 0usize..60,
        kind: bool,
    ) {
        let mut b = Bench::tiny();
        let mut frame = if kind { arp(ArpOperation::Request, IP) } else { ping(&[1; 30]) };
        frame[at] = byte;
        frame.truncate(frame.len() - cut);
        let len = frame.len();
        if let Some(reply) = answer(&mut b, frame) {
            prop_assert!(reply.len() <= len.max(60));
        }
    }
}
