//! Ingress and dispatch: checks 1 to 17 of contracts §1, in its order. The first that fails decides.
use mneme_wire::frame::Endpoints;
use mneme_wire::frame::net::{EthernetFrame, EthernetProtocol, IpAddress, IpProtocol, Ipv4Packet, UdpPacket};
use mneme_wire::{Cause, Counter, Detail, MatAction, Opcode, Packet, Status, Trailer, WIRE_VERSION};

use super::model::Model;
use super::planted::PlantedFault;
use super::request::{Answer, BoardRequest};

/// Bytes of an Ethernet header.
const ETHERNET_LEN: usize = 14;
/// Bytes of an IPv4 header without options.
const IPV4_LEN: usize = 20;
/// Bytes of a UDP header.
const UDP_LEN: usize = 8;

/// What becomes of a frame, with the request in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dispatch {
    /// Dropped, for this reason.
    Drop(Counter),
    /// The whole frame goes to the slow ring. A Mneme packet comes along: its answer is BUSY when the ring is full.
    Slow(Option<BoardRequest>),
    /// Answered at once; nothing executes.
    Answered(BoardRequest, Answer),
    /// Goes on to retry filter and translation.
    Execute(BoardRequest),
}

/// The same, where the request lies elsewhere.
pub(super) enum Course {
    Drop(Counter),
    /// Whether there is a request.
    Slow(bool),
    Answered(Answer),
    Execute,
}

/// What the match-action table looks at.
struct MatKey {
    ethertype: u16,
    protocol: u8,
    port: u16,
    opcode: u8,
}

/// A row of the match-action table.
#[derive(Debug, Clone, Copy, Default)]
pub struct MatRow {
    /// EtherType, protocol, opcode.
    pub value0: u32,
    /// UDP port.
    pub value1: u32,
    /// Bits of `value0` that must match.
    pub mask0: u32,
    /// Bits of `value1` that must match.
    pub mask1: u32,
    /// What to do; no action: the row is not valid.
    pub action: Option<MatAction>,
}

impl MatRow {
    fn matches(&self, key: &MatKey) -> bool {
        let key0 = u32::from(key.ethertype) << 16 | u32::from(key.protocol) << 8 | u32::from(key.opcode);
        (key0 ^ self.value0) & self.mask0 == 0
            && (u32::from(key.port) ^ self.value1) & self.mask1 & 0xffff == 0
    }
}

impl Model {
    /// Checks 1 to 3: whether a frame gets a packet slot.
    pub fn admit(&self, frame: &[u8], fcs_error: bool, slot_free: bool) -> Result<(), Counter> {
        if fcs_error {
            Err(Counter::DropFcs)
        } else if frame.len() < ETHERNET_LEN {
            Err(Counter::DropRunt)
        } else if frame.len() > self.shape.max_frame() {
            Err(Counter::DropGiant)
        } else if !slot_free {
            Err(Counter::DropIngressFull)
        } else if !self.registers.enabled() {
            Err(Counter::DropDisabled)
        } else {
            Ok(())
        }
    }

    /// Checks 4 to 17. `frame` was admitted.
    pub fn dispatch(&self, frame: &[u8]) -> Dispatch {
        let mut request = BoardRequest::default();
        match self.decide(frame, &mut request) {
            Course::Drop(counter) => Dispatch::Drop(counter),
            Course::Slow(is_request) => Dispatch::Slow(is_request.then_some(request)),
            Course::Answered(answer) => Dispatch::Answered(request, answer),
            Course::Execute => Dispatch::Execute(request),
        }
    }
    /// The same; the request in the frame, if there is one, is written to `request`.
    #[inline]
    pub(super) fn decide(&self, frame: &[u8], request: &mut BoardRequest) -> Course {
        self.classify(frame, request).unwrap_or_else(Course::Drop)
    }

    /// Ethernet: checks 4 to 6.
    #[inline]
    fn classify(&self, frame: &[u8], request: &mut BoardRequest) -> Result<Course, Counter> {
        let ethernet = EthernetFrame::new_checked(frame).map_err(|_| Counter::DropRunt)?;
        let destination = ethernet.dst_addr();
        if destination.0 != self.registers.mac() && !destination.is_broadcast() {
            return Err(Counter::DropForeignMac);
        }
        match ethernet.ethertype() {
            EthernetProtocol::Arp => self.match_other(EthernetProtocol::Arp, 0),
            EthernetProtocol::Ipv4 => self.classify_ip(&ethernet, request),
            _ => Err(Counter::DropForeignEthertype),
        }
    }

    /// IPv4: checks 7 and 8.
    #[inline]
    fn classify_ip(
        &self,
        ethernet: &EthernetFrame<&[u8]>,
        request: &mut BoardRequest,
    ) -> Result<Course, Counter> {
        let bytes = ethernet.payload();
        if bytes.len() < IPV4_LEN || bytes[0] >> 4 != 4 {
            return Err(Counter::DropIpHeader);
        }
        let ip = Ipv4Packet::new_unchecked(bytes);
        if usize::from(ip.header_len()) != IPV4_LEN {
            return Err(Counter::DropIpOptions);
        }
        if !ip.verify_checksum() {
            return Err(Counter::DropIpChecksum);
        }
        if ip.more_frags() || ip.frag_offset() != 0 {
            return Err(Counter::DropIpFragment);
        }
        let total = usize::from(ip.total_len());
        if total < IPV4_LEN || total > bytes.len() {
            return Err(Counter::DropIpLength);
        }
        if ip.dst_addr().octets() != self.registers.ip() {
            return Err(Counter::DropForeignIp);
        }
        match ip.next_header() {
            IpProtocol::Icmp => self.match_other(EthernetProtocol::Ipv4, u8::from(IpProtocol::Icmp)),
            IpProtocol::Udp => self.classify_udp(ethernet, &ip, request),
            _ => Err(Counter::DropForeignProtocol),
        }
    }

    /// UDP, and that it is a request: checks 9 to 11.
    #[inline]
    fn classify_udp(
        &self,
        ethernet: &EthernetFrame<&[u8]>,
        ip: &Ipv4Packet<&[u8]>,
        request: &mut BoardRequest,
    ) -> Result<Course, Counter> {
        let total = usize::from(ip.total_len());
        let bytes = &ethernet.payload()[IPV4_LEN..total];
        if bytes.len() < UDP_LEN {
            return Err(Counter::DropUdpLength);
        }
        let udp = UdpPacket::new_unchecked(bytes);
        if usize::from(udp.len()) != bytes.len() {
            return Err(Counter::DropUdpLength);
        }
        if udp.dst_port() != self.registers.udp_port() {
            return Err(Counter::DropForeignPort);
        }
        let packet = Packet::new_checked(&bytes[UDP_LEN..]).map_err(|_| Counter::DropMnemeShort)?;
        if packet.rest().len() < self.trailer_of(&packet).map_or(0, Trailer::bytes) {
            return Err(Counter::DropMnemeShort);
        }
        if ethernet.payload().len() != total {
            return Err(Counter::DropIpLength);
        }
        let (source, destination) = (IpAddress::Ipv4(ip.src_addr()), IpAddress::Ipv4(ip.dst_addr()));
        if udp.checksum() != 0
            && !udp.verify_checksum(&source, &destination)
            && !self.planted(PlantedFault::UdpChecksumIgnored)
        {
            return Err(Counter::DropUdpChecksum);
        }
        if packet.is_response() {
            return Err(Counter::DropResponse);
        }
        let endpoints = Endpoints {
            src_mac: ethernet.src_addr().0,
            dst_mac: ethernet.dst_addr().0,
            src_ip: ip.src_addr().octets(),
            dst_ip: ip.dst_addr().octets(),
            src_port: udp.src_port(),
            dst_port: udp.dst_port(),
        };
        request.take(endpoints, &packet);
        self.classify_mneme(&packet, request)
    }

    /// Mneme: checks 12 to 14, and trailers on the slow path's way.
    #[inline]
    fn classify_mneme(&self, packet: &Packet<&[u8]>, request: &mut BoardRequest) -> Result<Course, Counter> {
        let unsupported = |cause| Ok(Course::Answered(Answer::fail(Status::Unsupported, cause)));
        if packet.version() != WIRE_VERSION {
            return unsupported(Cause::Version);
        }
        let fast = request.operation().is_some_and(Opcode::is_fast);
        if self.trailer_of(packet).is_none() || (request.timed && !fast) {
            return unsupported(Cause::Trailer);
        }
        let key = MatKey {
            ethertype: EthernetProtocol::Ipv4.into(),
            protocol: IpProtocol::Udp.into(),
            port: request.endpoints.dst_port,
            opcode: request.opcode,
        };
        let ping = request.operation() == Some(Opcode::Ping) && request.epoch == 0;
        match self.match_action(&key)? {
            MatAction::Drop => Err(Counter::DropMatDrop),
            MatAction::Slow if ping || request.epoch == self.registers.epoch() => {
                let refused = self.authenticate(packet, request, true);
                Ok(refused.map_or(Course::Slow(true), Course::Answered))
            }
            MatAction::Slow => Ok(self.stale()),
            MatAction::Fast => Ok(self.check_fast(packet, request)),
        }
    }

    /// ARP and ICMP: the match-action table decides at once; they never execute.
    fn match_other(&self, ethertype: EthernetProtocol, protocol: u8) -> Result<Course, Counter> {
        match self.match_action(&MatKey { ethertype: ethertype.into(), protocol, port: 0, opcode: 0 })? {
            MatAction::Slow => Ok(Course::Slow(false)),
            MatAction::Drop | MatAction::Fast => Err(Counter::DropMatDrop),
        }
    }

    fn match_action(&self, key: &MatKey) -> Result<MatAction, Counter> {
        let row = self.registers.mat.iter().find(|row| row.action.is_some() && row.matches(key));
        row.and_then(|row| row.action).ok_or(Counter::DropMatMiss)
    }

    fn stale(&self) -> Course {
        let epoch = self.registers.epoch();
        let va = Detail { cause: Cause::Epoch, hint: epoch.into() }.to_va();
        Course::Answered(Answer::detailed(Status::Stale, va, 0))
    }

    /// Checks 15 to 17, and the trailer's as soon as opcode and epoch are judged.
    #[inline]
    fn check_fast(&self, packet: &Packet<&[u8]>, request: &mut BoardRequest) -> Course {
        let Some(operation) = request.operation().filter(|operation| operation.is_fast()) else {
            return Course::Answered(Answer::fail(Status::Unsupported, Cause::Opcode));
        };
        if request.epoch != self.registers.epoch() && !self.planted(PlantedFault::StaleEpochAccepted) {
            return self.stale();
        }
        if let Some(refused) = self.authenticate(packet, request, false) {
            return Course::Answered(refused);
        }
        match self.bad_request(operation, request) {
            Some(cause) => Course::Answered(Answer::fail(Status::BadRequest, cause)),
            None => Course::Execute,
        }
    }

    fn bad_request(&self, operation: Opcode, request: &BoardRequest) -> Option<Cause> {
        let (length, payload) = (usize::from(request.length), request.payload.len());
        let least = if self.planted(PlantedFault::ZeroLengthAccepted) { 0 } else { 1 };
        // An answer's trailer must fit, too.
        let most = self.shape.max_payload() - request.means.kind().bytes();
        let in_range = (least..=most).contains(&length);
        let lengths_agree = match operation {
            Opcode::Read => payload == 0 && in_range,
            Opcode::Write => payload == length && in_range,
            Opcode::CompareSwap => payload == 16 && length == 8,
            Opcode::FetchAdd | Opcode::Swap => payload == 8 && length == 8,
            _ => payload == 0 && length == 0,
        };
        let offset = request.va.get() % self.geometry.page_size();
        if request.pid.get() == 0 {
            Some(Cause::Pid)
        } else if !lengths_agree {
            Some(Cause::Length)
        } else if operation.is_atomic() && !request.va.get().is_multiple_of(8) {
            Some(Cause::Alignment)
        } else if offset + u64::from(request.length) > self.geometry.page_size() {
            Some(Cause::Crossing)
        } else {
            None
        }
    }
}
