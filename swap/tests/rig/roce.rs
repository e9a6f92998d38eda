//! A relay of RoCEv2 between a lane and a board. Either side takes it for the other one, so it changes addresses: those that the packets'
//! ICRC covers, and those in requests for connections.
use super::address;
use mneme_rdma::cm::gid;
use mneme_rdma::codec::cm::{IP_SERVICE_HEADER, IpService, Mad, Message, Request};
use mneme_rdma::codec::frame::Datagram;
use mneme_rdma::codec::icrc::ICRC_LEN;
use mneme_rdma::codec::{Bth, Opcode, ROCE_PORT};
use mneme_rdma::responder::PACKET_MAX;
use mneme_rdma::udp::{DATAGRAM_MAX, Heard, RocePort, emit_management, management};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What comes from the board, and does not get on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Nothing,
    /// All but the next acknowledge; from then on, everything for so long.
    Behind(Duration),
    Until(Instant),
}

/// The relay, for one lane.
pub struct RoceRelay {
    /// Where the lane finds the board.
    pub address: Ipv4Addr,
    cut: Arc<Mutex<Cut>>,
    lost: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl RoceRelay {
    pub fn start(board: Ipv4Addr) -> RoceRelay {
        let mut ends = Ends {
            front: RocePort::bind(address()).expect("a port"),
            back: RocePort::bind(address()).expect("a port"),
            board,
            client: None,
        };
        let (cut, stop) = (Arc::new(Mutex::new(Cut::Nothing)), Arc::new(AtomicBool::new(false)));
        let relay = RoceRelay {
            address: ends.front.address(),
            cut: Arc::clone(&cut),
            lost: Arc::default(),
            stop: Arc::clone(&stop),
        };
        let lost = Arc::clone(&relay.lost);
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                let went = ends.forth();
                let came = ends.back(|opcode| {
                    let goes = passes(&mut cut.lock().expect("nobody panics with it"), opcode);
                    lost.fetch_add(u64::from(!goes), Ordering::Relaxed);
                    goes
                });
                if !went && !came {
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
        });
        relay
    }
    /// Lets the board's next acknowledge pass, and nothing else from now until so long behind it.
    pub fn lose_behind_the_next_acknowledge(&self, most: Duration) {
        *self.cut.lock().expect("nobody panics with it") = Cut::Behind(most);
    }
    /// Packets that did not get on.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Drop for RoceRelay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn passes(cut: &mut Cut, opcode: Option<Opcode>) -> bool {
    match *cut {
        Cut::Nothing => true,
        Cut::Behind(most) if opcode == Some(Opcode::Acknowledge) => {
            *cut = Cut::Until(Instant::now() + most);
            true
        }
        Cut::Until(end) if Instant::now() >= end => {
            *cut = Cut::Nothing;
            true
        }
        Cut::Behind(_) | Cut::Until(_) => false,
    }
}

struct Ends {
    front: RocePort,
    back: RocePort,
    board: Ipv4Addr,
    client: Option<Ipv4Addr>,
}

impl Ends {
    /// Passes a packet of the lane's on. Answers whether there was one.
    fn forth(&mut self) -> bool {
        let mut buffer = [0; DATAGRAM_MAX + 1];
        let Heard::Packet(came) = self.front.receive_sealed(&mut buffer).expect("it works") else {
            return false;
        };
        self.client = Some(*came.from.ip());
        let here = self.back.address();
        if let Some(bytes) = management(&buffer[..came.length - ICRC_LEN])
            && let Ok(Mad { transaction, message: Message::Request(request), .. }) = Mad::parse(&bytes)
        {
            let addresses =
                IpService { source_port: 0, source: here.octets(), destination: self.board.octets() };
            let private = [&addresses.to_bytes()[..], &request.private[IP_SERVICE_HEADER..]].concat();
            let (local_gid, remote_gid) = (gid(here.octets()), gid(self.board.octets()));
            let request = Message::Request(Request { local_gid, remote_gid, private: &private, ..request });
            let psn = Bth::from_bytes(buffer.first_chunk().expect("a header")).0.psn;
            let packet = buffer.first_chunk_mut::<PACKET_MAX>().expect("room");
            let length = emit_management(psn, &request.to_bytes(transaction).expect("as long"), packet);
            assert_eq!(length, Some(came.length - ICRC_LEN));
        }
        send(&mut self.back, self.board, &mut buffer[..came.length]);
        true
    }
    /// Passes a packet of the board's on, unless it is to be lost. Answers whether there was one.
    fn back(&mut self, mut passes: impl FnMut(Option<Opcode>) -> bool) -> bool {
        let mut buffer = [0; DATAGRAM_MAX + 1];
        let Heard::Packet(came) = self.back.receive_sealed(&mut buffer).expect("it works") else {
            return false;
        };
        if let Some(client) = self.client
            && passes(Opcode::from_number(buffer[0]))
        {
            send(&mut self.front, client, &mut buffer[..came.length]);
        }
        true
    }
}

fn send(port: &mut RocePort, to: Ipv4Addr, datagram: &mut [u8]) {
    let way = Datagram { source: port.address().octets(), destination: to.octets(), source_port: ROCE_PORT };
    way.seal(datagram).expect("as long as it was");
    // What the system does not take is lost, as on any network.
    port.send_sealed(to, datagram);
}
