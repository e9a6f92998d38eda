//! The daemon over real sockets: it answers, captures, follows the wall clock, and stops.
use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mneme_daemon::Options;
use mneme_model::{BoardShape, Node, SoftFast};
use mneme_slowpath::MemoryEpochs;
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Opcode, Packet, Pid, Request, Response, Status, Tick, Trailer, Va};

fn ping(socket: &UdpSocket, op_id: u32) -> Option<(Response, BoardInfo)> {
    let request = Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode: Opcode::Ping,
        epoch: 0,
        pid: Pid::NONE,
        op_id,
        attempt: 0,
        time: Tick::default(),
        va: Va::default(),
        length: BoardInfo::LEN as u16,
    };
    let mut datagram = request.to_bytes().to_vec();
    datagram.resize(datagram.len() + BoardInfo::LEN, 0);
    socket.send(&datagram).expect("sent");
    let mut buffer = [0; 2048];
    let len = socket.recv(&mut buffer).ok()?;
    let packet = Packet::new_checked(&buffer[..len]).expect("a whole header");
    let response = Response::parse(&packet).expect("a response");
    Some((response, BoardInfo::parse(packet.payload()).expect("a ping's layout")))
}

#[test]
fn a_daemon_answers_captures_follows_the_clock_and_stops() {
    const NS_PER_CYCLE: u64 = 4;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let capture = folder.path().join("frames.pcap");
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address");
    let stop = AtomicBool::new(false);
    let began = Instant::now();
    let statistics = std::thread::scope(|scope| {
        let daemon = scope.spawn(|| {
            let mut fast = SoftFast::new(BoardShape::DAEMON).expect("a legal shape");
            let mut config =
                mneme_daemon::config(&mut fast, 1, [1; 32], NS_PER_CYCLE, Duration::from_millis(500));
            assert!(mneme_daemon::take_address(&mut config, &socket));
            let options = Options { capture: Some(capture.clone()), ..Options::of(&config, NS_PER_CYCLE) };
            let mut node = Node::boot(fast, config, &mut MemoryEpochs::default()).expect("the board boots");
            mneme_daemon::serve(&mut node, &socket, &options, &stop).expect("the daemon serves")
        });
        let client = UdpSocket::bind("127.0.0.1:0").expect("a port");
        client.connect(address).expect("connected");
        client.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        let (first, info) = ping(&client, 1).expect("an answer");
        let first_at = Instant::now();
        assert_eq!(first.status, Status::Ok);
        std::thread::sleep(Duration::from_millis(300));
        let before = first_at.elapsed();
        let (second, _) = ping(&client, 2).expect("an answer");
        let passed = second.time.since(first.time) as u64 * u64::from(info.ns_per_tick);
        // Not faster than advertised: what passed on the board lies within what passed outside of it.
        assert!(Duration::from_nanos(passed) <= began.elapsed());
        assert!(Duration::from_nanos(passed) >= before / 2, "the tick stands still: {passed} ns");
        client.send(b"no Mneme packet").expect("sent");
        client.send(&vec![0; 4000]).expect("sent");
        ping(&client, 3).expect("an answer after rubbish");
        stop.store(true, Ordering::Relaxed);
        daemon.join().expect("the daemon ends")
    });
    assert_eq!((statistics.received, statistics.sent, statistics.not_carried), (5, 3, 0));
    let file = std::fs::File::open(&capture).expect("a capture");
    let mut reader = pcap_file::pcap::PcapReader::new(file).expect("a capture file");
    let frames = std::iter::from_fn(|| reader.next_packet().map(|packet| packet.expect("whole").data.len()));
    assert_eq!(frames.count(), 8);
}
