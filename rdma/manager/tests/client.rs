//! The board with its slow path and manager, and clients that speak to both in frames.
use std::collections::BTreeMap;
use std::time::Duration;

use mneme_rdma::cm::{Ask, ChainAsk, ConnectConfig, ConnectError, Connected, Connector, Kind, Refusal};
use mneme_rdma::codec::cm::MAD_LEN;
use mneme_rdma::codec::frame::{RoceFrame, TRANSPORT_OFFSET, seal_frame};
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::profile::Chain;
use mneme_rdma::codec::{PathMtu, Psn, ROCE_PORT};
use mneme_rdma::memory::Access;
use mneme_rdma::responder::PACKET_MAX;
use mneme_rdma::udp::{emit_management, management};
use mneme_rdma_manager::{Local, Manager, Rules, statistics_names};
use mneme_slowpath::{Config, MemoryEpochs, Slow};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{Alloc, AllocUnit, OpenAnswer, OpenRequest, RangeRights};
use mneme_wire::{Opcode, Packet, Pid, Request, Response, Rights, Status, Tick, Trailer, Va};

use crate::board::Hardware;

pub const MAC: [u8; 6] = [2, 0, 0, 0, 0, 9];
pub const IP: [u8; 4] = [10, 0, 0, 9];
pub const CLIENT: [u8; 4] = [10, 0, 0, 2];
pub const CLIENT_MAC: [u8; 6] = [2, 0, 0, 0, 0, 2];
pub const MB: u64 = 1 << 20;
pub const SECOND: u64 = 1_000_000_000;
/// Nanoseconds of the board's tick ([`Config::new`]).
const TICK: u64 = 8192;
/// When a silent connection gives way.
pub const SILENT: Duration = Duration::from_secs(60);

/// A process of the board's.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    pub pid: u32,
    pub token: [u8; 16],
}

/// Everything.
pub struct World {
    pub hardware: Hardware,
    pub manager: Manager,
    pub slow: Slow,
    pub now: u64,
    op_id: u32,
    id: u32,
}

impl World {
    pub fn new(chains: bool) -> World {
        let mut hardware = Hardware::new(chains);
        let config = Config { roce: true, ..Config::new(1, MAC, IP, [7; 32]) };
        let mut slow = Slow::boot(config, &mut hardware, &mut MemoryEpochs::default(), 0).expect("it boots");
        while !slow.ready() {
            slow.poll(&mut hardware);
        }
        let rules = Rules { seed: [3; 32], wants_tags: false, silent: SILENT, cap: 0 };
        let manager = Manager::new(&rules, Local { mac: MAC, ip: IP }, &mut hardware).expect("a port");
        World { hardware, manager, slow, now: 0, op_id: 0, id: 0 }
    }

    /// Time passes, and the board looks.
    pub fn pass(&mut self, nanoseconds: u64) {
        self.now += nanoseconds;
        self.hardware.tick = (self.now / TICK) as u32;
        for _ in 0..20 {
            self.slow.poll(&mut self.hardware);
            self.manager.serve(self.now, &mut self.hardware, &mut self.slow);
        }
    }
    /// Looks until every connection has been asked about.
    pub fn look(&mut self) {
        (0..64).for_each(|_| self.pass(10_000_000));
    }

    /// A request of the library's; its answer.
    fn ask(&mut self, opcode: Opcode, pid: u32, va: u64, payload: &[u8]) -> Vec<u8> {
        self.op_id += 1;
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: self.slow.info().epoch,
            pid: Pid::from_low_bits(pid),
            op_id: self.op_id,
            attempt: 0,
            time: Tick::from_low_bits(0),
            va: Va::from_low_bits(va),
            length: payload.len() as u16,
        };
        let datagram = [&request.to_bytes()[..], payload].concat();
        let endpoints = Endpoints { src_port: 4000, dst_port: 19_790, ..endpoints(CLIENT) };
        let frame = UdpFrame { endpoints, datagram: &datagram };
        let mut bytes = vec![0; frame.frame_len()];
        frame.emit(true, &mut bytes).expect("a frame");
        self.hardware.rx.push_back(bytes);
        for _ in 0..10_000 {
            self.slow.poll(&mut self.hardware);
            if let Some(bytes) = self.hardware.tx.pop_front() {
                let frame = UdpFrame::parse(&bytes).expect("a frame");
                let packet = Packet::new_checked(frame.datagram).expect("a packet");
                let response = Response::parse(&packet).expect("an answer");
                assert_eq!(response.status, Status::Ok, "{opcode:?}: {response:?}");
                return packet.payload().to_vec();
            }
        }
        panic!("{opcode:?} has no answer");
    }
    /// A process that is for ever.
    pub fn open(&mut self) -> Process {
        self.open_for(0)
    }
    /// One that may be silent for so many nanoseconds.
    pub fn open_for(&mut self, lease_ns: u64) -> Process {
        let open = OpenRequest { lease_ns, ..OpenRequest::default() };
        let answer = self.ask(Opcode::Open, 0, 0, &open.to_bytes());
        let OpenAnswer { pid, token, .. } = OpenAnswer::parse(&answer).expect("a process");
        Process { pid, token }
    }
    /// Pages of 4 KB.
    pub fn frames(&mut self, process: Process, bytes: u64) -> u64 {
        let unit = AllocUnit::Frame;
        let ask = Alloc { unit, ..Alloc::request(bytes, Rights { read: true, write: true }) };
        let answer = self.ask(Opcode::Alloc, process.pid, 0, &ask.to_bytes());
        Alloc::parse_answer(&answer).expect("addresses").va
    }
    pub fn free(&mut self, process: Process, va: u64, bytes: u64) {
        let ask = RangeRights { size: bytes, rights: Rights::default() };
        self.ask(Opcode::Free, process.pid, va, &ask.to_bytes());
    }
    pub fn exit(&mut self, process: Process) {
        self.ask(Opcode::Exit, process.pid, 0, &[]);
    }

    /// Gives the board a packet of an address.
    pub fn give(&mut self, from: [u8; 4], packet: &[u8]) {
        let mut frame = vec![0; TRANSPORT_OFFSET + packet.len() + ICRC_LEN];
        frame[TRANSPORT_OFFSET..][..packet.len()].copy_from_slice(packet);
        seal_frame(&endpoints(from), &mut frame).expect("a frame");
        self.hardware.rx.push_back(frame);
    }
    /// The slow path alone looks at what has come.
    pub fn poll_alone(&mut self, times: usize) {
        (0..times).for_each(|_| _ = self.slow.poll(&mut self.hardware));
    }
    /// Gives the board a management datagram of an address; what it answers.
    pub fn manage(&mut self, from: [u8; 4], bytes: &[u8; MAD_LEN]) -> Option<[u8; MAD_LEN]> {
        let mut packet = [0; PACKET_MAX];
        let length = emit_management(Psn::default(), bytes, &mut packet).expect("it fits");
        self.give(from, &packet[..length]);
        self.pass(0);
        let frame = self.hardware.tx.pop_front()?;
        let answer = RoceFrame::parse(&frame).expect("a sound frame");
        assert_eq!((answer.endpoints.dst_ip, answer.endpoints.dst_mac), (from, CLIENT_MAC));
        management(answer.transport)
    }
    /// Asks for a connection, and says that it is heard of.
    pub fn connect(
        &mut self,
        from: [u8; 4],
        ask: Ask,
        chain: Option<&ChainAsk>,
        path_mtu: PathMtu,
    ) -> Result<Connected, Refusal> {
        let (made, ready) = self.ask_for(from, ask, chain, path_mtu)?;
        assert_eq!(self.manage(from, &ready), None);
        Ok(made)
    }
    /// Asks for a connection of a default profile, and says nothing more.
    pub fn asked_only(&mut self, ask: Ask, chain: Chain) -> Connected {
        let made = self.ask_for(CLIENT, ask, Some(&ChainAsk::default_of(chain)), PathMtu::MAX);
        made.expect("a connection").0
    }
    fn ask_for(
        &mut self,
        from: [u8; 4],
        ask: Ask,
        chain: Option<&ChainAsk>,
        path_mtu: PathMtu,
    ) -> Result<(Connected, [u8; MAD_LEN]), Refusal> {
        self.id += 1;
        let config = ConnectConfig {
            source: from,
            board: IP,
            qpn: 0x4_0000 + self.id,
            from_board: Psn::from_low_bits(0x98_7654),
            path_mtu,
            id: self.id,
            ask,
            patience: SECOND,
        };
        let made = match chain {
            Some(chain) => Connector::of_chain(config, chain),
            None => Connector::new(config),
        };
        let mut connector = made.expect("a request");
        let request = connector.poll(0).expect("there is time").expect("a request");
        let reply = self.manage(from, &request).expect("it is answered");
        match connector.receive(&reply) {
            Ok(made) => Ok(made.expect("it is made")),
            Err(ConnectError::Refused(refusal)) => Err(refusal),
            Err(error) => panic!("{error}"),
        }
    }
    /// DREQ.
    pub fn disconnect(&mut self, connected: &Connected) {
        let request = Connector::end(connected).expect("a request");
        assert!(self.manage(CLIENT, &request).is_some(), "it is answered");
    }

    /// What the board tells by name.
    pub fn counted(&self) -> BTreeMap<&'static str, u64> {
        statistics_names().zip(self.manager.counted()).collect()
    }
}

/// From an address to the board.
fn endpoints(from: [u8; 4]) -> Endpoints {
    Endpoints {
        src_mac: CLIENT_MAC,
        dst_mac: MAC,
        src_ip: from,
        dst_ip: IP,
        src_port: ROCE_PORT,
        dst_port: ROCE_PORT,
    }
}

pub fn ask(process: Process, kind: Kind, (va, length): (u64, u64)) -> Ask {
    Ask { pid: process.pid, kind, access: Access::ALL, token: process.token, va, length, hardened: false }
}
