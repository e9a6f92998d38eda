//! One connection's view of the network: which frames are its datagrams, how its datagrams become frames, and ARP for
//! both.
//!
//! No input or output here: frames and the time are passed in.
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

use mneme_wire::frame::net::ArpOperation;
use mneme_wire::frame::{Endpoints, FrameError, UdpFrame};

use crate::frame::Frame;
use crate::neighbours::{ARP_FRAME, Neighbours, arp_frame, hear};

/// Who speaks with whom.
#[derive(Debug, Clone, Copy)]
pub struct StationConfig {
    /// The own MAC address.
    pub mac: [u8; 6],
    /// The own address and port.
    pub own: SocketAddrV4,
    /// The peer's.
    pub peer: SocketAddrV4,
    /// Whose MAC address frames to the peer carry: the peer itself, or the gateway to it.
    pub next_hop: Ipv4Addr,
    /// The next hop's MAC address, where it is configured instead of asked for.
    pub next_hop_mac: Option<[u8; 6]>,
    /// Whether to answer ARP requests for the own address: unless the system does.
    pub answers_arp: bool,
}

/// What a frame was.
#[derive(Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// A datagram of the peer, or several in one where the frame is of joined ones ([`Frame::datagrams`]).
    Datagram(&'a [u8]),
    /// An ARP request for the own address, and the frame that answers it.
    Answer([u8; ARP_FRAME]),
    /// The next hop told its address.
    Neighbour,
    /// Nothing for this connection; it is counted.
    Nothing,
}

/// Frames that were no datagrams of the peer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StationCounters {
    /// Not IPv4 and UDP as Mneme uses them: other protocols, cut or damaged frames.
    pub malformed: u64,
    /// From another address than the peer's, or to another than the own.
    pub foreign: u64,
    /// ARP frames.
    pub arp: u64,
}

/// The state of one connection.
#[derive(Debug)]
pub struct Station {
    config: StationConfig,
    neighbours: Neighbours,
    counters: StationCounters,
}

impl Station {
    /// A connection that knows nobody yet.
    pub fn new(config: StationConfig) -> Station {
        let mut neighbours = Neighbours::default();
        if let Some(mac) = config.next_hop_mac {
            neighbours.configure(config.next_hop, mac);
        }
        Station { config, neighbours, counters: StationCounters::default() }
    }
    /// Addresses of the next datagram's frame, if the next hop is known; and an ARP request that should leave first, if
    /// any.
    pub fn address(&mut self, now: Duration) -> (Option<Endpoints>, Option<[u8; ARP_FRAME]>) {
        let StationConfig { mac, own, peer, next_hop, .. } = self.config;
        let resolved = self.neighbours.resolve(next_hop, now);
        let request = resolved
            .ask
            .then(|| arp_frame(ArpOperation::Request, (mac, *own.ip()), (resolved.mac, next_hop)));
        let endpoints = resolved.mac.map(|dst_mac| Endpoints {
            src_mac: mac,
            dst_mac,
            src_ip: own.ip().octets(),
            dst_ip: peer.ip().octets(),
            src_port: own.port(),
            dst_port: peer.port(),
        });
        (endpoints, request)
    }
    /// Looks at a frame that arrived.
    pub fn receive<'a>(&mut self, now: Duration, frame: Frame<'a>) -> Received<'a> {
        match frame.parse() {
            Ok(UdpFrame { endpoints, datagram }) if self.is_peers(&endpoints) => {
                if self.config.next_hop == *self.config.peer.ip() {
                    self.neighbours.confirm(self.config.next_hop, endpoints.src_mac, now);
                }
                Received::Datagram(datagram)
            }
            Ok(_) => {
                self.counters.foreign += 1;
                Received::Nothing
            }
            Err(FrameError::EtherType(0x0806)) => self.hear(now, frame.bytes),
            Err(_) => {
                self.counters.malformed += 1;
                Received::Nothing
            }
        }
    }
    fn is_peers(&self, endpoints: &Endpoints) -> bool {
        let StationConfig { mac, own, peer, .. } = &self.config;
        endpoints.dst_mac == *mac
            && endpoints.src_ip == peer.ip().octets()
            && endpoints.src_port == peer.port()
            && endpoints.dst_ip == own.ip().octets()
            && endpoints.dst_port == own.port()
    }
    fn hear<'a>(&mut self, now: Duration, frame: &[u8]) -> Received<'a> {
        self.counters.arp += 1;
        let Some(heard) = hear(frame) else { return Received::Nothing };
        let StationConfig { mac, own, next_hop, answers_arp, .. } = self.config;
        // A multicast address is nobody's (RFC 1812, 3.3.2), nor is zero.
        let plausible = heard.mac[0] & 1 == 0 && heard.mac != [0; 6];
        if heard.operation == ArpOperation::Request && heard.target == *own.ip() && answers_arp && plausible {
            return Received::Answer(arp_frame(
                ArpOperation::Reply,
                (mac, *own.ip()),
                (Some(heard.mac), heard.ip),
            ));
        }
        if heard.operation == ArpOperation::Reply && heard.ip == next_hop && plausible {
            self.neighbours.learn(heard.ip, heard.mac, now);
            return Received::Neighbour;
        }
        Received::Nothing
    }
    /// The own address and port.
    pub fn own(&self) -> SocketAddrV4 {
        self.config.own
    }
    /// What was no datagram of the peer.
    pub fn counters(&self) -> StationCounters {
        self.counters
    }
    /// What explains silence.
    pub fn trouble(&self) -> Option<String> {
        let next_hop = self.config.next_hop;
        self.neighbours
            .is_silent(next_hop)
            .then(|| format!("{next_hop} does not answer ARP: nobody has that address on this network"))
    }
}
