//! Who has which MAC address (ARP, RFC 826): asked for, remembered for a while, never more than a bounded number.
use std::net::Ipv4Addr;
use std::time::Duration;

use mneme_wire::frame::net::{
    ArpHardware, ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol,
    EthernetRepr,
};

use crate::ETHERNET_HEADER;

/// Neighbours remembered at most; the one that was silent longest goes.
const MOST: usize = 64;
/// How long a neighbour is believed without a sign of life.
const LIFE: Duration = Duration::from_secs(60);
/// After this long without one it is asked again, while it is still believed.
const STALE: Duration = Duration::from_secs(30);
/// Between two requests for the same address.
const PATIENCE: Duration = Duration::from_millis(50);
/// Requests without an answer after which the neighbour counts as silent, as a message says.
const TRIES: u32 = 3;
/// Bytes of an ARP frame.
pub(crate) const ARP_FRAME: usize = ETHERNET_HEADER + 28;

#[derive(Debug, Clone, Copy)]
struct Neighbour {
    ip: Ipv4Addr,
    mac: Option<[u8; 6]>,
    /// Configured: neither asked for nor forgotten.
    fixed: bool,
    /// When it gave its last sign of life, or when it was first asked for.
    seen: Duration,
    asked: Option<Duration>,
    unanswered: u32,
}

/// What to do to reach a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// Its MAC address, if known.
    pub mac: Option<[u8; 6]>,
    /// Ask for it now: with a broadcast, or the neighbour itself where its address is known.
    pub ask: bool,
}

/// A table of neighbours. Time is passed in.
#[derive(Debug, Default)]
pub struct Neighbours {
    table: Vec<Neighbour>,
}

impl Neighbours {
    /// Enters a neighbour for good.
    pub fn configure(&mut self, ip: Ipv4Addr, mac: [u8; 6]) {
        self.table.retain(|known| known.ip != ip);
        self.make_room();
        let mac = Some(mac);
        self.table.push(Neighbour { ip, mac, fixed: true, seen: Duration::ZERO, asked: None, unanswered: 0 });
    }
    /// Looks a neighbour up, and says whether to ask for it.
    pub fn resolve(&mut self, ip: Ipv4Addr, now: Duration) -> Resolved {
        if !self.table.iter().any(|known| known.ip == ip) {
            self.make_room();
            let unknown = Neighbour { ip, mac: None, fixed: false, seen: now, asked: None, unanswered: 0 };
            self.table.push(unknown);
        }
        let Some(known) = self.table.iter_mut().find(|known| known.ip == ip) else {
            return Resolved { mac: None, ask: true };
        };
        if known.fixed {
            return Resolved { mac: known.mac, ask: false };
        }
        let silent = now.saturating_sub(known.seen);
        if silent > LIFE {
            known.mac = None;
        }
        let wanted = known.mac.is_none() || silent > STALE;
        let due = known.asked.is_none_or(|asked| now.saturating_sub(asked) >= PATIENCE);
        let ask = wanted && due;
        if ask {
            known.asked = Some(now);
            known.unanswered = known.unanswered.saturating_add(1);
        }
        Resolved { mac: known.mac, ask }
    }
    /// A sign of life of a neighbour that was asked for; others are not entered, so that strangers cannot fill the
    /// table.
    pub fn learn(&mut self, ip: Ipv4Addr, mac: [u8; 6], now: Duration) {
        let asked_for = self.table.iter_mut().find(|known| known.ip == ip && !known.fixed);
        if let Some(known) = asked_for {
            (known.mac, known.seen, known.asked, known.unanswered) = (Some(mac), now, None, 0);
        }
    }
    /// A datagram came from where the neighbour is believed to be: no need to ask.
    pub fn confirm(&mut self, ip: Ipv4Addr, mac: [u8; 6], now: Duration) {
        if let Some(known) = self.table.iter_mut().find(|known| known.ip == ip && known.mac == Some(mac)) {
            (known.seen, known.unanswered) = (now, 0);
        }
    }
    /// Whether a neighbour has left several requests unanswered.
    pub fn is_silent(&self, ip: Ipv4Addr) -> bool {
        self.table.iter().any(|known| known.ip == ip && known.mac.is_none() && known.unanswered >= TRIES)
    }
    /// Neighbours in the table.
    pub fn len(&self) -> usize {
        self.table.len()
    }
    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }
    fn make_room(&mut self) {
        if self.table.len() < MOST {
            return;
        }
        let oldest = self.table.iter().enumerate().min_by_key(|(_, known)| (known.fixed, known.seen));
        if let Some((at, _)) = oldest {
            self.table.swap_remove(at);
        }
    }
}

/// An ARP packet as a frame.
pub(crate) fn arp_frame(
    operation: ArpOperation,
    (own_mac, own_ip): ([u8; 6], Ipv4Addr),
    (their_mac, their_ip): (Option<[u8; 6]>, Ipv4Addr),
) -> [u8; ARP_FRAME] {
    let mut bytes = [0; ARP_FRAME];
    let own_mac = EthernetAddress(own_mac);
    let mut frame = EthernetFrame::new_unchecked(&mut bytes[..]);
    EthernetRepr {
        src_addr: own_mac,
        dst_addr: their_mac.map_or(EthernetAddress::BROADCAST, EthernetAddress),
        ethertype: EthernetProtocol::Arp,
    }
    .emit(&mut frame);
    ArpRepr::EthernetIpv4 {
        operation,
        source_hardware_addr: own_mac,
        source_protocol_addr: own_ip,
        target_hardware_addr: EthernetAddress(their_mac.unwrap_or_default()),
        target_protocol_addr: their_ip,
    }
    .emit(&mut ArpPacket::new_unchecked(frame.payload_mut()));
    bytes
}

/// What an ARP frame says: operation, sender, and whom it is about.
pub(crate) struct Heard {
    pub(crate) operation: ArpOperation,
    pub(crate) mac: [u8; 6],
    pub(crate) ip: Ipv4Addr,
    pub(crate) target: Ipv4Addr,
}

/// Reads an ARP frame; `None` for anything else.
pub(crate) fn hear(frame: &[u8]) -> Option<Heard> {
    let frame = EthernetFrame::new_checked(frame).ok()?;
    if frame.ethertype() != EthernetProtocol::Arp {
        return None;
    }
    let packet = ArpPacket::new_checked(frame.payload()).ok()?;
    if packet.hardware_type() != ArpHardware::Ethernet {
        return None;
    }
    let ArpRepr::EthernetIpv4 {
        operation,
        source_hardware_addr,
        source_protocol_addr,
        target_protocol_addr,
        ..
    } = ArpRepr::parse(&packet).ok()?
    else {
        return None;
    };
    Some(Heard {
        operation,
        mac: source_hardware_addr.0,
        ip: source_protocol_addr,
        target: target_protocol_addr,
    })
}
