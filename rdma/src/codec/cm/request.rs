//! The request for a connection (IBTA volume 1, 12.6.5), and the addresses that rdma_cm adds to it (annex A11).

use super::{HEADER, MAD_LEN, MadError, get, put, put_private};
use crate::codec::{PathMtu, Psn};

/// How long and how often, as the request tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timing {
    /// How long the sender waits for the receiver's answers, as a power of two of 4.096 µs, 0 to 31.
    pub remote_response: u8,
    /// How long the sender takes to answer, likewise.
    pub local_response: u8,
    /// How often the receiver repeats a packet, 0 to 7.
    pub retry: u8,
    /// How often the receiver repeats after "not ready", 0 to 7; 7 means for ever.
    pub rnr_retry: u8,
    /// How often the sender repeats this message, 0 to 15.
    pub cm_retries: u8,
    /// The time to wait for an acknowledge on the path, as a power of two of 4.096 µs, 0 to 31.
    pub ack_timeout: u8,
}

/// Asks for an RC connection. Of the paths, the alternate is not carried: it is written as zeros, which means none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Request<'a> {
    /// The sender's number of the connection.
    pub local_id: u32,
    /// What is asked for; see [`service_of_port`].
    pub service: u64,
    /// The sender's number among all adapters.
    pub ca_guid: u64,
    /// The sender's queue key, for datagrams.
    pub qkey: u32,
    /// The sender's queue pair, 24 bits.
    pub qpn: u32,
    /// READs and atomics that the sender serves at a time.
    pub responder_resources: u8,
    /// READs and atomics that the sender asks for at a time.
    pub initiator_depth: u8,
    /// The sender counts credits.
    pub flow_control: bool,
    /// Where the receiver of this message starts to number.
    pub starting_psn: Psn,
    /// Times and counts of repeats.
    pub timing: Timing,
    /// Partition key.
    pub pkey: u16,
    /// Bytes of payload of a packet, at most.
    pub path_mtu: PathMtu,
    /// The queue pair has a shared receive queue.
    pub shared_receive: bool,
    /// The sender's address: an IPv4 address mapped into IPv6 for RoCEv2.
    pub local_gid: [u8; 16],
    /// The receiver's address.
    pub remote_gid: [u8; 16],
    /// Flow label, 20 bits.
    pub flow_label: u32,
    /// The code of the packet rate, 6 bits.
    pub packet_rate: u8,
    /// Traffic class, IPv4's type of service.
    pub traffic_class: u8,
    /// Hop limit, IPv4's time to live.
    pub hop_limit: u8,
    /// Service level, 4 bits.
    pub service_level: u8,
    /// Both sides are on one subnet.
    pub subnet_local: bool,
    /// Up to 92 bytes; 92 when read.
    pub private: &'a [u8],
}

/// The transport that RC is.
const RC: u8 = 0;

impl<'a> Request<'a> {
    pub(super) fn parse(d: &'a [u8; MAD_LEN - HEADER]) -> Result<Request<'a>, MadError> {
        let code = d[50] >> 4;
        let path_mtu = PathMtu::from_code(code).ok_or(MadError::PathMtu(code))?;
        let transport = d[43] >> 1 & 3;
        if transport != RC {
            return Err(MadError::Transport(transport));
        }
        Ok(Request {
            local_id: get(d, 0, 4) as u32,
            service: get(d, 8, 8),
            ca_guid: get(d, 16, 8),
            qkey: get(d, 28, 4) as u32,
            qpn: get(d, 32, 3) as u32,
            responder_resources: d[35],
            initiator_depth: d[39],
            flow_control: d[43] & 1 == 1,
            starting_psn: Psn::from_low_bits(get(d, 44, 3) as u32),
            timing: Timing {
                remote_response: d[43] >> 3,
                local_response: d[47] >> 3,
                retry: d[47] & 7,
                rnr_retry: d[50] & 7,
                cm_retries: d[51] >> 4,
                ack_timeout: d[95] >> 3,
            },
            pkey: get(d, 48, 2) as u16,
            path_mtu,
            shared_receive: d[51] & 8 != 0,
            local_gid: *d[56..].first_chunk().ok_or(MadError::Length(0))?,
            remote_gid: *d[72..].first_chunk().ok_or(MadError::Length(0))?,
            flow_label: (get(d, 88, 3) >> 4) as u32,
            packet_rate: d[91] & 0x3f,
            traffic_class: d[92],
            hop_limit: d[93],
            service_level: d[94] >> 4,
            subnet_local: d[94] & 8 != 0,
            private: &d[140..],
        })
    }

    pub(super) fn write(&self, d: &mut [u8]) -> Result<(), MadError> {
        let t = &self.timing;
        put(d, 0, 4, self.local_id.into());
        put(d, 8, 8, self.service);
        put(d, 16, 8, self.ca_guid);
        put(d, 28, 4, self.qkey.into());
        put(d, 32, 3, (self.qpn & 0xff_ffff).into());
        d[35] = self.responder_resources;
        d[39] = self.initiator_depth;
        d[43] = t.remote_response << 3 | RC << 1 | u8::from(self.flow_control);
        put(d, 44, 3, self.starting_psn.number().into());
        d[47] = t.local_response << 3 | t.retry & 7;
        put(d, 48, 2, self.pkey.into());
        d[50] = self.path_mtu.code() << 4 | t.rnr_retry & 7;
        d[51] = t.cm_retries << 4 | u8::from(self.shared_receive) << 3;
        // RoCE has no local identifiers: the permissive one, as peers write it.
        put(d, 52, 4, 0xffff_ffff);
        d[56..72].copy_from_slice(&self.local_gid);
        d[72..88].copy_from_slice(&self.remote_gid);
        put(d, 88, 3, (u64::from(self.flow_label) & 0xf_ffff) << 4);
        d[91] = self.packet_rate & 0x3f;
        d[92] = self.traffic_class;
        d[93] = self.hop_limit;
        d[94] = self.service_level << 4 | u8::from(self.subnet_local) << 3;
        d[95] = t.ack_timeout << 3;
        put_private(d, 140, 92, self.private)
    }
}

/// The service number that rdma_cm asks for by a TCP port (annex A11.2).
pub const fn service_of_port(port: u16) -> u64 {
    0x0000_0000_0106_0000 | port as u64
}

/// Bytes that rdma_cm puts before a consumer's private data in a request.
pub const IP_SERVICE_HEADER: usize = 36;

/// Addresses in a request's private data (annex A11.3), IPv4 only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct IpService {
    /// The sender's TCP port.
    pub source_port: u16,
    /// The sender's address.
    pub source: [u8; 4],
    /// The receiver's address.
    pub destination: [u8; 4],
}

impl IpService {
    /// Reads the header from the front of private data. Answers it and the consumer's own bytes.
    ///
    /// # Errors
    /// [`MadError::IpHeader`]: too short, another version, or IPv6.
    pub fn parse(private: &[u8]) -> Result<(IpService, &[u8]), MadError> {
        let (h, rest) = private.split_first_chunk::<IP_SERVICE_HEADER>().ok_or(MadError::IpHeader)?;
        match (h[0], h[1] >> 4, h[16..20].first_chunk(), h[32..36].first_chunk()) {
            (0, 4, Some(source), Some(destination)) => {
                let source_port = u16::from_be_bytes([h[2], h[3]]);
                Ok((IpService { source_port, source: *source, destination: *destination }, rest))
            }
            _ => Err(MadError::IpHeader),
        }
    }
    /// Writes the header.
    pub fn to_bytes(&self) -> [u8; IP_SERVICE_HEADER] {
        let mut h = [0; IP_SERVICE_HEADER];
        h[1] = 4 << 4;
        h[2..4].copy_from_slice(&self.source_port.to_be_bytes());
        h[16..20].copy_from_slice(&self.source);
        h[32..36].copy_from_slice(&self.destination);
        h
    }
}
