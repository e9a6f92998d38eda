//! What raw drivers make of frames: datagrams of the peer, ARP, and nothing of all else.
use crate::input::Input;
use mneme_link::{Frame, Received, Station, StationConfig};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

const MAC: [u8; 6] = [2, 0, 0, 0, 0, 1];
const PEER_MAC: [u8; 6] = [2, 0, 0, 0, 0, 2];
const OWN: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 4_000);
const PEER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 19_790);
const GATEWAY: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 254);

fn config(choice: u8) -> StationConfig {
    StationConfig {
        mac: MAC,
        own: OWN,
        peer: PEER,
        next_hop: if choice & 1 == 0 { *PEER.ip() } else { GATEWAY },
        next_hop_mac: (choice & 2 != 0).then_some(PEER_MAC),
        answers_arp: choice & 4 == 0,
    }
}

/// An address of one interface, not of a group or of nobody.
fn is_one(mac: &[u8]) -> bool {
    mac[0] & 1 == 0 && mac.iter().any(|byte| *byte != 0)
}

/// A choice of the configuration, and of what the kernel says of joined datagrams; then frames, each behind the milliseconds that pass before it and its length.
pub fn run(input: &[u8]) {
    let mut input = Input::new(input);
    let choice = input.byte();
    let config = config(choice);
    let joined = (choice & 8 != 0).then_some(u16::from(choice >> 4) * 7 + 1);
    let mut station = Station::new(config);
    let (mut now, mut frames, mut datagrams) = (Duration::ZERO, 0, 0);
    while !input.is_over() {
        now += Duration::from_millis(input.number(2));
        let length = input.byte();
        let frame = input.take(length.into());
        let came = Frame { bytes: frame, segment: joined, unsummed: joined.is_some() };
        frames += 1;
        match station.receive(now, came) {
            Received::Datagram(datagram) => {
                datagrams += 1;
                let pieces: Vec<&[u8]> = came.datagrams(datagram).collect();
                assert_eq!(pieces.concat(), datagram);
                let most = joined.map_or(datagram.len(), usize::from);
                assert!(!pieces.is_empty() && pieces.iter().all(|piece| piece.len() <= most));
                let inside = frame.as_ptr_range();
                let bytes = datagram.as_ptr_range();
                assert!(inside.start <= bytes.start && bytes.end <= inside.end);
                assert!(frame.starts_with(&MAC), "a frame to another station");
            }
            Received::Answer(answer) => {
                assert!(config.answers_arp, "the system answers");
                assert!(is_one(&answer[..6]), "an answer to a group");
                assert_eq!((&answer[..6], &answer[6..12]), (&frame[22..28], &MAC[..]));
            }
            Received::Neighbour | Received::Nothing => {}
        }
        let counted = station.counters();
        assert_eq!(counted.malformed + counted.foreign + counted.arp + datagrams, frames);
        let (endpoints, request) = station.address(now);
        if let Some(endpoints) = endpoints {
            assert!(is_one(&endpoints.dst_mac), "the next hop is a group");
            assert!(config.next_hop_mac.is_none_or(|mac| endpoints.dst_mac == mac));
        }
        assert!(request.is_none() || config.next_hop_mac.is_none(), "it is configured");
        if let Some(trouble) = station.trouble() {
            assert!(!trouble.is_empty());
        }
    }
}
