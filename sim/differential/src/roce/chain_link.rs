//! A chain queue pair of a client on the RTL's port, packet by packet.
use super::chains::chain_rows;
use super::hand;
use mneme_rdma::codec::profile::{Arguments, Profile};
use mneme_rdma::codec::{Aeth, Extensions, Opcode, PathMtu, Position, Psn, Syndrome};
use mneme_slowpath::ChainQueuePair;

/// Where segments' tables begin, as clients say it.
pub const TABLES: u64 = 0x7777_0000;

/// What the port is told of it, and the next packet of its client.
pub struct Link {
    /// What the port is told.
    pub settings: ChainQueuePair,
    /// Where a message has what.
    pub profile: Profile,
    path_mtu: PathMtu,
    /// The number of its client's next packet.
    pub next: Psn,
}

impl Link {
    /// `segment`, and the process that it belongs to.
    pub fn new(
        qpn: u32,
        ip: [u8; 4],
        (segment, pid): (u32, u32),
        profile: Profile,
        path_mtu: PathMtu,
    ) -> Link {
        let settings = ChainQueuePair {
            qpn,
            peer_qpn: qpn,
            peer_ip: ip,
            peer_mac: hand::mac(ip),
            source_port: hand::SOURCE_PORT,
            pid,
            psn: 0,
            reply_psn: 0,
            mtu_code: path_mtu.code().into(),
            function: profile.chain() as u32,
            flags: 0,
            timeout: 0,
            rate: 0,
            length: profile.message_len() as u32,
            segment,
            key: None,
            base: TABLES,
            rows: chain_rows(&profile),
        };
        Link { settings, profile, path_mtu, next: Psn::default() }
    }
    /// A packet of its client's.
    pub fn frame(&self, psn: Psn, opcode: Opcode, extensions: Extensions, payload: &[u8]) -> Vec<u8> {
        hand::frame(self.settings.peer_ip, self.settings.qpn, psn, opcode, extensions, payload)
    }
    /// The packets of its client's next message.
    ///
    /// # Panics
    /// The profile has no place for an argument.
    pub fn message(&mut self, arguments: &Arguments<'_>) -> Vec<Vec<u8>> {
        let mut message = vec![0; self.profile.message_len()];
        self.profile.write(arguments, &mut message).expect("it is as long");
        let parts: Vec<&[u8]> = message.chunks(self.path_mtu.bytes()).collect();
        let opcode = |at: usize| Opcode::send(Position::of(at == 0, at + 1 == parts.len()), false);
        let packet = |(at, part): (usize, &&[u8])| {
            self.frame(self.next.plus(at as u32), opcode(at), Extensions::default(), part)
        };
        let frames: Vec<_> = parts.iter().enumerate().map(packet).collect();
        self.next = self.next.plus(frames.len() as u32);
        frames
    }
    /// What its client says of a reply's packet.
    pub fn says(&self, psn: Psn, syndrome: Syndrome) -> Vec<u8> {
        let extensions = Extensions { aeth: Some(Aeth { syndrome, msn: 0 }), ..Extensions::default() };
        self.frame(psn, Opcode::Acknowledge, extensions, &[])
    }
}
