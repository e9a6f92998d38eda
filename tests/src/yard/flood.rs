//! Floods: frames of one kind from one hostile source, one after the other at a pace.
use mneme_wire::frame::net::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    Icmpv4Packet, Icmpv4Repr, IpProtocol, Ipv4Address, Ipv4Packet, Ipv4Repr,
};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::payload::{Alloc, OpenRequest, SECURE_OPEN_LEN};
use mneme_wire::{Opcode, Pid, Request, Rights, Tick, Trailer, Va};
use rand::{Rng, RngCore};
use smoltcp::phy::ChecksumCapabilities;

use crate::damage::Damage;

/// What a flood is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Damaged datagrams and frames.
    Malformed,
    /// ARP requests, for the board and for others, and what looks like ARP.
    Arp,
    /// ICMP echo requests of all lengths, cut ones, other messages.
    Icmp,
    /// ALLOCs that must be refused.
    RefusedAllocs,
    /// OPENs with leases.
    Opens,
    /// WRITEs with fresh ids, to fill the retry filter.
    Writes,
    /// READs and FENCEs.
    Reads,
    /// Requests of honest clients, sent once more from their own sources.
    Repeats,
    /// WRITEs, READs and EXITs of other processes with tags that somebody has made up.
    Forged,
    /// OPENs with handshakes that prove nothing.
    Proofs,
}

impl Kind {
    /// Those of any board.
    pub const ANY: [Kind; 8] = [
        Kind::Malformed,
        Kind::Arp,
        Kind::Icmp,
        Kind::RefusedAllocs,
        Kind::Opens,
        Kind::Writes,
        Kind::Reads,
        Kind::Repeats,
    ];
    /// And those of boards that know tenants by their keys.
    pub const KEYED: [Kind; 2] = [Kind::Forged, Kind::Proofs];
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Malformed => "malformed",
            Kind::Arp => "ARP",
            Kind::Icmp => "ICMP",
            Kind::RefusedAllocs => "refused ALLOCs",
            Kind::Opens => "OPENs",
            Kind::Writes => "WRITEs",
            Kind::Reads => "READs",
            Kind::Repeats => "repeated",
            Kind::Forged => "forged tags",
            Kind::Proofs => "handshakes",
        }
    }
}

/// What a hostile source has on the board.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its addresses, and the board's.
    pub endpoints: Endpoints,
    /// Its process; 0: none.
    pub pid: u32,
    /// A page of it.
    pub va: u64,
    /// The board's page size.
    pub page: u64,
    /// The epoch that its requests name.
    pub epoch: u8,
    /// Of the processes that it opens, in nanoseconds.
    pub lease_ns: u64,
}

/// A flood under way.
pub struct Flood {
    /// Its frames.
    pub kind: Kind,
    /// Cycles from one frame to the next.
    pub every: u64,
    /// When the next one is due.
    pub next_at: u64,
    /// When it ends.
    pub until: u64,
    target: Target,
    damage: Damage,
    next_id: u32,
}

/// A damaged frame in so many has a wrong check sequence.
const BAD_FCS: u32 = 50;
/// Longest data of an echo request, a little more than boards take.
const LONGEST_ECHO: usize = 1_480;

impl Flood {
    /// From a cycle on until another.
    pub fn new(kind: Kind, target: Target, seed: u64, every: u64, (from, until): (u64, u64)) -> Flood {
        let damage = Damage::new(seed, target.pid, target.va);
        Flood { kind, every: every.max(1), next_at: from, until, target, damage, next_id: seed as u32 | 1 }
    }
    /// The next frame, and whether its check sequence is wrong.
    pub fn frame(&mut self, tick: Tick) -> (Option<Vec<u8>>, bool) {
        let frame = match self.kind {
            Kind::Malformed => return self.malformed(tick),
            Kind::Arp => Some(self.arp()),
            Kind::Icmp => Some(self.icmp()),
            Kind::RefusedAllocs => {
                let pages = [0, 1 << 40, 1 << 62][self.damage.random.random_range(0..3)];
                let payload = Alloc::request(pages, Rights::READ_WRITE).to_bytes();
                self.mneme(Opcode::Alloc, self.target.pid, 0, &payload, None, tick)
            }
            Kind::Opens => {
                let ask = OpenRequest { lease_ns: self.target.lease_ns, ..OpenRequest::default() };
                self.mneme(Opcode::Open, 0, 0, &ask.to_bytes(), None, tick)
            }
            Kind::Writes => {
                let payload = [self.next_id as u8; 64];
                let length = self.damage.random.random_range(1..=payload.len());
                let va = self.place();
                self.mneme(Opcode::Write, self.target.pid, va, &payload[..length], None, tick)
            }
            Kind::Reads => match self.damage.random.random_ratio(1, 8) {
                true => self.mneme(Opcode::Fence, self.target.pid, 0, &[], Some(0), tick),
                false => {
                    let length = self.damage.random.random_range(1..=1_024);
                    let va = self.place();
                    self.mneme(Opcode::Read, self.target.pid, va, &[], Some(length), tick)
                }
            },
            Kind::Repeats => None,
            Kind::Forged => self.forged(tick),
            Kind::Proofs => {
                let mut message = [0; SECURE_OPEN_LEN];
                self.damage.random.fill_bytes(&mut message);
                self.mneme(Opcode::Open, 0, 0, &message, None, tick)
            }
        };
        (frame, false)
    }
    fn place(&mut self) -> u64 {
        self.target.va + self.damage.random.random_range(0..self.target.page - 2_048)
    }
    fn header(&mut self, opcode: Opcode, pid: u32, va: u64, length: u16, time: Tick) -> Request {
        self.next_id = self.next_id.wrapping_add(1);
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.target.epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.next_id,
            attempt: 0,
            time,
            va: Va::from_low_bits(va),
            length,
        }
    }
    fn mneme(
        &mut self,
        opcode: Opcode,
        pid: u32,
        va: u64,
        payload: &[u8],
        length: Option<u16>,
        tick: Tick,
    ) -> Option<Vec<u8>> {
        let request = self.header(opcode, pid, va, length.unwrap_or(payload.len() as u16), tick);
        let datagram = [&request.to_bytes()[..], payload].concat();
        framed(self.target.endpoints, &datagram)
    }
    /// One of the first pids, of which honest processes are some; any phase.
    fn forged(&mut self, tick: Tick) -> Option<Vec<u8>> {
        let (opcode, payload, length) = match self.damage.random.random_range(0..4) {
            0 => (Opcode::Write, &[0xee; 8][..], 8),
            1 => (Opcode::Read, &[][..], 8),
            2 => (Opcode::Exit, &[][..], 0),
            _ => (Opcode::FetchAdd, &[1; 8][..], 8),
        };
        let pid = self.damage.random.random_range(1..64);
        let va = if opcode == Opcode::Exit { u64::from(pid) + 1 } else { self.target.va };
        let request = Request {
            trailer: Trailer::Tag,
            key_phase: self.damage.random.random(),
            ..self.header(opcode, pid, va, length, tick)
        };
        let mut tag = [0; 8];
        self.damage.random.fill_bytes(&mut tag);
        framed(self.target.endpoints, &[&request.to_bytes()[..], payload, &tag].concat())
    }
    fn malformed(&mut self, tick: Tick) -> (Option<Vec<u8>>, bool) {
        let (opcode, va, payload) = self.damage.sound(self.target.page);
        let pid = if opcode.is_query() { 0 } else { self.target.pid };
        let request = self.header(opcode, pid, va, payload.len() as u16, tick);
        let mut datagram = [&request.to_bytes()[..], &payload].concat();
        let in_frame: bool = self.damage.random.random();
        if !in_frame {
            datagram = self.damage.damaged(datagram);
        }
        let mut frame = framed(self.target.endpoints, &datagram);
        if in_frame && let Some(frame) = &mut frame {
            self.damage.damaged_frame(frame);
        }
        (frame, self.damage.random.random_ratio(1, BAD_FCS))
    }
    /// Three of four ask for the board; the others ask for somebody else, answer, or are noise behind the EtherType.
    fn arp(&mut self) -> Vec<u8> {
        let Endpoints { src_mac, src_ip, dst_ip, .. } = self.target.endpoints;
        let random = &mut self.damage.random;
        let shape = random.random_range(0..8);
        let asked = if shape == 6 { [10, 99, 0, 1] } else { dst_ip };
        let repr = ArpRepr::EthernetIpv4 {
            operation: if shape == 7 { ArpOperation::Reply } else { ArpOperation::Request },
            source_hardware_addr: EthernetAddress(src_mac),
            source_protocol_addr: Ipv4Address::from(src_ip),
            target_hardware_addr: EthernetAddress([0; 6]),
            target_protocol_addr: Ipv4Address::from(asked),
        };
        let mut bytes = ethernet(src_mac, [0xff; 6], EthernetProtocol::Arp, repr.buffer_len());
        repr.emit(&mut ArpPacket::new_unchecked(&mut bytes[14..]));
        if shape == 5 {
            let keep = random.random_range(14..bytes.len());
            bytes.truncate(keep);
            random.fill_bytes(&mut bytes[14..]);
        }
        bytes
    }
    fn icmp(&mut self) -> Vec<u8> {
        let Endpoints { src_mac, dst_mac, src_ip, dst_ip, .. } = self.target.endpoints;
        let shape = self.damage.random.random_range(0..8);
        let mut data = vec![0; self.damage.random.random_range(0..LONGEST_ECHO)];
        self.damage.random.fill_bytes(&mut data);
        let (ident, seq_no) = (self.next_id as u16, self.damage.random.random());
        let repr = match shape {
            7 => Icmpv4Repr::EchoReply { ident, seq_no, data: &data },
            _ => Icmpv4Repr::EchoRequest { ident, seq_no, data: &data },
        };
        let header = Ipv4Repr {
            src_addr: Ipv4Address::from(src_ip),
            dst_addr: Ipv4Address::from(dst_ip),
            next_header: IpProtocol::Icmp,
            payload_len: repr.buffer_len(),
            hop_limit: 64,
        };
        let length = header.buffer_len() + repr.buffer_len();
        let mut bytes = ethernet(src_mac, dst_mac, EthernetProtocol::Ipv4, length);
        header.emit(&mut Ipv4Packet::new_unchecked(&mut bytes[14..]), &ChecksumCapabilities::default());
        repr.emit(
            &mut Icmpv4Packet::new_unchecked(&mut bytes[14 + header.buffer_len()..]),
            &ChecksumCapabilities::default(),
        );
        if shape == 6 {
            // The message's own checksum is wrong, or the message is cut.
            let last = bytes.len() - 1;
            bytes[last] ^= 0x55;
        }
        bytes
    }
}

fn ethernet(src: [u8; 6], dst: [u8; 6], ethertype: EthernetProtocol, length: usize) -> Vec<u8> {
    let repr = EthernetRepr { src_addr: EthernetAddress(src), dst_addr: EthernetAddress(dst), ethertype };
    let mut bytes = vec![0; repr.buffer_len() + length];
    repr.emit(&mut EthernetFrame::new_unchecked(&mut bytes[..]));
    bytes
}

/// A frame around a datagram, which fits: floods draw none that is longer than a frame.
fn framed(endpoints: Endpoints, datagram: &[u8]) -> Option<Vec<u8>> {
    let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
    UdpFrame { endpoints, datagram }.emit(true, &mut frame).ok()?;
    Some(frame)
}
