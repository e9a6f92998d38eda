//! Where frames for hosts of the board's Ethernet go: asked for by ARP (RFC 826), since who shakes hands over TCP does so on another
//! network than that of its RDMA port.
use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;

use mneme_rdma_peers::Way;
use mneme_wire::frame::net::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    Ipv4Address,
};

/// Hosts that are remembered at most; the one that was asked for longest ago is forgotten for another.
const MOST: usize = 32;
/// Nanoseconds from one question to the next.
const AGAIN: u64 = 500_000_000;
/// Questions without an answer until nobody is there.
const TRIES: u32 = 6;
/// Nanoseconds that an answer counts.
const FRESH: u64 = 60_000_000_000;

/// A host.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    mac: Option<[u8; 6]>,
    /// When it was asked for last.
    asked: u64,
    tries: u32,
}

/// What the board knows of its Ethernet.
#[derive(Debug)]
pub(super) struct Neighbours {
    mac: [u8; 6],
    ip: [u8; 4],
    hosts: BTreeMap<[u8; 4], Neighbour>,
    /// Questions that wait for the ring: one for each host at most.
    pub goes: VecDeque<Vec<u8>>,
}

impl Neighbours {
    /// Of the board with these addresses.
    pub fn new(mac: [u8; 6], ip: [u8; 4]) -> Neighbours {
        Neighbours { mac, ip, hosts: BTreeMap::new(), goes: VecDeque::new() }
    }

    /// How frames reach a host; who is not known is asked for.
    pub fn way(&mut self, now: u64, host: Ipv4Addr) -> Way {
        let ip = host.octets();
        let Some(known) = self.hosts.get_mut(&ip) else {
            self.begin(now, ip);
            return Way::Asked;
        };
        let since = now.saturating_sub(known.asked);
        match known.mac {
            Some(mac) if since < FRESH => return Way::Known(mac),
            Some(_) => self.begin(now, ip),
            None if since < AGAIN => {}
            None if known.tries >= TRIES => {
                self.hosts.remove(&ip);
                return Way::Nobody;
            }
            None => {
                (known.asked, known.tries) = (now, known.tries + 1);
                self.ask(ip);
            }
        }
        Way::Asked
    }
    fn begin(&mut self, now: u64, ip: [u8; 4]) {
        if self.hosts.len() >= MOST && !self.hosts.contains_key(&ip) {
            let oldest = self.hosts.iter().min_by_key(|(_, host)| host.asked).map(|(ip, _)| *ip);
            oldest.and_then(|ip| self.hosts.remove(&ip));
        }
        self.hosts.insert(ip, Neighbour { mac: None, asked: now, tries: 1 });
        self.ask(ip);
    }
    fn ask(&mut self, ip: [u8; 4]) {
        if self.goes.len() >= MOST {
            // The ring has been full for long: it is asked for again.
            return;
        }
        let question = ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Request,
            source_hardware_addr: EthernetAddress(self.mac),
            source_protocol_addr: Ipv4Address::from(self.ip),
            target_hardware_addr: EthernetAddress([0; 6]),
            target_protocol_addr: Ipv4Address::from(ip),
        };
        let header = EthernetRepr {
            src_addr: EthernetAddress(self.mac),
            dst_addr: EthernetAddress::BROADCAST,
            ethertype: EthernetProtocol::Arp,
        };
        let mut bytes = vec![0; header.buffer_len() + question.buffer_len()];
        let mut frame = EthernetFrame::new_unchecked(&mut bytes);
        header.emit(&mut frame);
        question.emit(&mut ArpPacket::new_unchecked(frame.payload_mut()));
        self.goes.push_back(bytes);
    }

    /// Takes a frame, if it is an answer to the board. What nobody asked for changes nothing.
    pub fn take(&mut self, frame: &[u8]) -> bool {
        let Some((ip, mac)) = self.answer(frame) else { return false };
        if let Some(host) = self.hosts.get_mut(&ip).filter(|host| host.mac.is_none()) {
            host.mac = Some(mac);
        }
        true
    }
    fn answer(&self, frame: &[u8]) -> Option<([u8; 4], [u8; 6])> {
        let frame = EthernetFrame::new_checked(frame).ok()?;
        if frame.ethertype() != EthernetProtocol::Arp {
            return None;
        }
        let packet = ArpPacket::new_checked(frame.payload()).ok()?;
        let ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Reply,
            source_hardware_addr: mac,
            source_protocol_addr: ip,
            target_protocol_addr: to,
            ..
        } = ArpRepr::parse(&packet).ok()?
        else {
            return None;
        };
        (to.octets() == self.ip && mac.is_unicast()).then(|| (ip.octets(), mac.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAC: [u8; 6] = [2, 0, 0, 0, 0, 9];
    const IP: [u8; 4] = [10, 0, 0, 9];
    const HOST: [u8; 4] = [10, 0, 0, 2];
    const HOSTS_MAC: [u8; 6] = [2, 0, 0, 0, 0, 2];

    /// An answer as a host makes it of a question, with another address of its own.
    fn answer(question: &[u8], mac: [u8; 6], operation: u8) -> Vec<u8> {
        let mut answer = question.to_vec();
        answer[21] = operation;
        answer[22..28].copy_from_slice(&mac);
        answer[28..32].copy_from_slice(&question[38..42]);
        answer[32..42].copy_from_slice(&question[22..32]);
        answer
    }

    #[test]
    fn a_host_is_asked_for_and_known_for_a_while() {
        let mut own = Neighbours::new(MAC, IP);
        assert_eq!(own.way(0, HOST.into()), Way::Asked);
        assert_eq!(own.way(AGAIN - 1, HOST.into()), Way::Asked);
        let question = own.goes.pop_front().expect("a question");
        assert!(own.goes.is_empty(), "one at a time");
        assert_eq!((&question[..6], &question[38..]), (&[0xff; 6][..], &HOST[..]));
        // No answer, one to somebody else, one whose sender nobody can be.
        assert!(!own.take(&answer(&question, HOSTS_MAC, 1)));
        let mut other = answer(&question, HOSTS_MAC, 2);
        other[41] = 7;
        assert!(!own.take(&other) && !own.take(&answer(&question, [0xff; 6], 2)));
        assert!(!own.take(&question[..30]) && !own.take(&[]));
        assert_eq!(own.way(AGAIN - 1, HOST.into()), Way::Asked);
        assert!(own.take(&answer(&question, HOSTS_MAC, 2)));
        assert_eq!(own.way(AGAIN, HOST.into()), Way::Known(HOSTS_MAC));
        // Who is not asked changes nothing.
        assert!(own.take(&answer(&question, [2, 6, 6, 6, 6, 6], 2)));
        assert_eq!(own.way(FRESH - 1, HOST.into()), Way::Known(HOSTS_MAC));
        assert_eq!(own.way(FRESH, HOST.into()), Way::Asked);
        assert!(own.take(&answer(&question, [2, 0, 0, 0, 0, 3], 2)), "its card is another one now");
        assert_eq!(own.way(FRESH, HOST.into()), Way::Known([2, 0, 0, 0, 0, 3]));
    }

    #[test]
    fn nobody_is_asked_for_a_bounded_time_and_few_are_remembered() {
        let mut own = Neighbours::new(MAC, IP);
        let mut asked = 0;
        while own.way(asked * AGAIN, HOST.into()) == Way::Asked {
            asked += 1;
            assert!(asked <= u64::from(TRIES), "it is asked for ever");
        }
        assert_eq!(own.goes.len(), TRIES as usize);
        for host in 0..=255 {
            assert_eq!(own.way(u64::from(host), [10, 1, 0, host].into()), Way::Asked);
        }
        assert_eq!((own.hosts.len(), own.goes.len()), (MOST, MOST));
        assert!(own.hosts.contains_key(&[10, 1, 0, 255]) && !own.hosts.contains_key(&[10, 1, 0, 0]));
    }
}
