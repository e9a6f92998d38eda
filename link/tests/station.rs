//! ARP, filtering and addressing without a network: frames and time are made up.
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

use mneme_link::{Frame, Neighbours, Received, Station, StationConfig, StationCounters};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UDP_CHECKSUM, UdpFrame};
use proptest::prelude::*;

const OWN_MAC: [u8; 6] = [2, 0, 0, 0, 0, 1];
const PEER_MAC: [u8; 6] = [2, 0, 0, 0, 0, 2];
const OWN: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 50_000);
const PEER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 19_790);
const SECOND: Duration = Duration::from_secs(1);
const MS: Duration = Duration::from_millis(1);

/// A frame of which the kernel has said nothing.
fn plain(bytes: &[u8]) -> Frame<'_> {
    Frame::from(bytes)
}

fn config() -> StationConfig {
    StationConfig {
        mac: OWN_MAC,
        own: OWN,
        peer: PEER,
        next_hop: *PEER.ip(),
        next_hop_mac: None,
        answers_arp: true,
    }
}

fn from_peer() -> Endpoints {
    Endpoints {
        src_mac: PEER_MAC,
        dst_mac: OWN_MAC,
        src_ip: PEER.ip().octets(),
        dst_ip: OWN.ip().octets(),
        src_port: PEER.port(),
        dst_port: OWN.port(),
    }
}

fn frame(endpoints: Endpoints, checksum: bool) -> Vec<u8> {
    let frame = UdpFrame { endpoints, datagram: b"an answer of some length" };
    let mut bytes = vec![0; frame.frame_len()];
    frame.emit(checksum, &mut bytes).unwrap();
    bytes
}

/// An ARP frame by hand (RFC 826): operation 1 asks, 2 answers.
fn arp(operation: u8, (from_mac, from): ([u8; 6], Ipv4Addr), (to_mac, to): ([u8; 6], Ipv4Addr)) -> Vec<u8> {
    let mut bytes = [[0xff; 6], from_mac].concat();
    bytes.extend([8, 6, 0, 1, 8, 0, 6, 4, 0, operation]);
    bytes.extend(from_mac);
    bytes.extend(from.octets());
    bytes.extend(to_mac);
    bytes.extend(to.octets());
    bytes
}

#[test]
fn the_next_hop_is_asked_for_and_believed_when_it_answers() {
    let mut station = Station::new(config());
    let (endpoints, request) = station.address(SECOND);
    assert_eq!(endpoints, None);
    assert_eq!(request.unwrap()[..], arp(1, (OWN_MAC, *OWN.ip()), ([0; 6], *PEER.ip())));
    assert_eq!(station.address(SECOND + MS).1, None, "not again at once");
    let answer = arp(2, (PEER_MAC, *PEER.ip()), (OWN_MAC, *OWN.ip()));
    assert_eq!(station.receive(SECOND + 2 * MS, plain(&answer)), Received::Neighbour);
    let (endpoints, request) = station.address(SECOND + 3 * MS);
    assert_eq!((endpoints, request), (Some(from_peer().reversed()), None));
}

#[test]
fn a_silent_next_hop_is_told_of() {
    let mut station = Station::new(config());
    for at in 0..3 {
        assert_eq!(station.trouble(), None);
        assert!(station.address(SECOND + 60 * MS * at).1.is_some());
    }
    assert!(station.trouble().unwrap().contains("10.0.0.2 does not answer ARP"));
    station.receive(2 * SECOND, plain(&arp(2, (PEER_MAC, *PEER.ip()), (OWN_MAC, *OWN.ip()))));
    assert_eq!(station.trouble(), None);
}

#[test]
fn neighbours_age_unless_they_show_signs_of_life() {
    let mut station = Station::new(config());
    station.address(Duration::ZERO);
    station.receive(Duration::ZERO, plain(&arp(2, (PEER_MAC, *PEER.ip()), (OWN_MAC, *OWN.ip()))));
    for second in 0..10 {
        station.receive(20 * SECOND * second, plain(&frame(from_peer(), true)));
        assert_eq!(station.address(20 * SECOND * second).1, None, "datagrams are signs of life");
    }
    let silent = 180 * SECOND + 31 * SECOND;
    let (endpoints, request) = station.address(silent);
    assert!(endpoints.is_some(), "a stale neighbour is believed still");
    assert_eq!(request.unwrap()[..6], PEER_MAC, "and is asked itself");
    let (endpoints, request) = station.address(silent + 30 * SECOND);
    assert!(endpoints.is_none() && request.unwrap()[..6] == [0xff; 6], "in the end everybody is asked");
}

#[test]
fn a_configured_neighbour_is_neither_asked_for_nor_replaced() {
    let mut station = Station::new(StationConfig { next_hop_mac: Some(PEER_MAC), ..config() });
    station.receive(SECOND, plain(&arp(2, ([2, 9, 9, 9, 9, 9], *PEER.ip()), (OWN_MAC, *OWN.ip()))));
    assert_eq!(station.address(100 * SECOND), (Some(from_peer().reversed()), None));
}

#[test]
fn requests_for_the_own_address_are_answered_unless_the_system_does() {
    let ask = arp(1, (PEER_MAC, *PEER.ip()), ([0; 6], *OWN.ip()));
    let mut station = Station::new(config());
    let Received::Answer(answer) = station.receive(SECOND, plain(&ask)) else { panic!("no answer") };
    let mut expected = arp(2, (OWN_MAC, *OWN.ip()), (PEER_MAC, *PEER.ip()));
    expected[..6].copy_from_slice(&PEER_MAC);
    assert_eq!(answer[..], expected);
    let other = arp(1, (PEER_MAC, *PEER.ip()), ([0; 6], Ipv4Addr::new(10, 0, 0, 7)));
    assert_eq!(station.receive(SECOND, plain(&other)), Received::Nothing);
    let mut station = Station::new(StationConfig { answers_arp: false, ..config() });
    assert_eq!(station.receive(SECOND, plain(&ask)), Received::Nothing);
}

#[test]
fn answers_nobody_asked_for_and_impossible_ones_teach_nothing() {
    let mut station = Station::new(config());
    let stranger = Ipv4Addr::new(10, 0, 0, 66);
    assert_eq!(
        station.receive(SECOND, plain(&arp(2, (PEER_MAC, stranger), (OWN_MAC, *OWN.ip())))),
        Received::Nothing
    );
    station.address(SECOND);
    for mac in [[0; 6], [0xff; 6], [1, 0, 0x5e, 0, 0, 1]] {
        let answer = arp(2, (mac, *PEER.ip()), (OWN_MAC, *OWN.ip()));
        assert_eq!(station.receive(SECOND, plain(&answer)), Received::Nothing);
    }
    assert_eq!(station.address(2 * SECOND).0, None);
}

#[test]
fn datagrams_of_strangers_are_counted_and_dropped() {
    let mut station = Station::new(config());
    let spoiled: [fn(&mut Endpoints); 5] = [
        |e| e.src_ip = [10, 0, 0, 3],
        |e| e.src_port += 1,
        |e| e.dst_ip = [10, 0, 0, 4],
        |e| e.dst_port += 1,
        |e| e.dst_mac = [2, 0, 0, 0, 0, 9],
    ];
    for spoil in spoiled {
        let mut endpoints = from_peer();
        spoil(&mut endpoints);
        assert_eq!(station.receive(SECOND, plain(&frame(endpoints, true))), Received::Nothing);
    }
    assert_eq!(station.counters(), StationCounters { foreign: 5, ..StationCounters::default() });
    assert!(matches!(station.receive(SECOND, plain(&frame(from_peer(), false))), Received::Datagram(_)));
}

#[test]
fn a_checksum_that_an_interface_should_have_finished_is_accepted_and_a_wrong_one_is_not() {
    let mut station = Station::new(config());
    let mut bytes = frame(from_peer(), true);
    // What a socket leaves to the interface (CHECKSUM_PARTIAL): the sum of the pseudo-header, not inverted.
    let words = [10 << 8, 1, 10 << 8, 2, 17, (bytes.len() - MNEME_OFFSET + 8) as u32];
    let sum: u32 = words.iter().sum();
    let sum = (sum & 0xffff) + (sum >> 16);
    bytes[UDP_CHECKSUM].copy_from_slice(&(sum as u16).to_be_bytes());
    assert!(matches!(station.receive(SECOND, plain(&bytes)), Received::Datagram(_)));
    bytes[UDP_CHECKSUM].copy_from_slice(&(sum as u16 + 1).to_be_bytes());
    assert_eq!(station.receive(SECOND, plain(&bytes)), Received::Nothing);
    assert_eq!(station.counters().malformed, 1);
}

#[test]
fn the_table_is_bounded_and_forgets_those_silent_longest() {
    let mut neighbours = Neighbours::default();
    neighbours.configure(Ipv4Addr::new(10, 9, 9, 9), PEER_MAC);
    for number in 0..1000_u32 {
        let ip = Ipv4Addr::from(0x0a00_0000 + number);
        neighbours.resolve(ip, SECOND * number);
        neighbours.learn(ip, PEER_MAC, SECOND * number);
    }
    assert_eq!(neighbours.len(), 64);
    assert!(neighbours.resolve(Ipv4Addr::from(0x0a00_0000 + 999), SECOND * 999).mac.is_some());
    let configured = neighbours.resolve(Ipv4Addr::new(10, 9, 9, 9), SECOND * 999);
    assert_eq!((configured.mac, configured.ask), (Some(PEER_MAC), false));
}

proptest! {
    #[test]
    fn random_bytes_are_nothing(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut station = Station::new(config());
        prop_assert!(!matches!(station.receive(SECOND, plain(&bytes)), Received::Datagram(_)));
    }

    #[test]
    fn cut_and_damaged_frames_never_pass_for_others(
        at in 0_usize..66, bit in 0_u8..8, keep in 0_usize..=66, damage in any::<bool>(),
    ) {
        let mut station = Station::new(config());
        let mut bytes = frame(from_peer(), true);
        let whole = bytes.clone();
        if damage {
            bytes[at] ^= 1 << bit;
        } else {
            bytes.truncate(keep);
        }
        if let Received::Datagram(datagram) = station.receive(SECOND, plain(&bytes)) {
            // Nothing guards the sender's MAC address but the frame check sequence.
            prop_assert!(bytes == whole || (6..12).contains(&at), "byte {at}");
            prop_assert_eq!(datagram, &whole[MNEME_OFFSET..]);
        }
    }
}
