//! `mneme capture`: what passes is passed on, and is in the file. `mneme trace`: one request, stage by stage.
use crate::board;

use board::{Board, fails, mneme, run, text};
use mneme_wire::frame::UdpFrame;
use mneme_wire::{Opcode, Packet, Pid, Request, Tick, Trailer, Va};
use pcap_file::pcapng::{Block, PcapNgReader};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// `mneme capture` between clients and a board; killed when dropped.
struct Relay {
    child: Child,
    said: BufReader<ChildStdout>,
    /// Where clients reach it.
    front: String,
}

impl Relay {
    fn start(file: &Path, board: &Board) -> Relay {
        let args = ["capture", file.to_str().unwrap(), "--listen", "127.0.0.1:0", "--board", board.address()];
        let mut child = mneme(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let front = line.split_whitespace().find(|word| word.starts_with("127.0.0.1:"));
        Relay { child, said, front: front.expect("an address").to_owned() }
    }
    /// Interrupts it; what it said at the end, and on standard error.
    fn end(mut self) -> (String, String) {
        let ended =
            std::process::Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        let (mut rest, mut warned) = (String::new(), String::new());
        self.said.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut warned).unwrap();
        assert!(ended.success() && self.child.wait().unwrap().success(), "{warned}");
        (rest, warned)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client without CLib: a ping, again until it is answered; how many it took, and the socket.
fn pinged(front: &str) -> (u32, UdpSocket) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(front).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let ask = Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode: Opcode::Ping,
        epoch: 0,
        pid: Pid::NONE,
        op_id: 1,
        attempt: 0,
        time: Tick::from_low_bits(0),
        va: Va::default(),
        length: 64,
    };
    let ask = [&ask.to_bytes()[..], &[0; 64]].concat();
    let began = Instant::now();
    let mut sent = 0;
    while began.elapsed() < Duration::from_secs(20) {
        socket.send(&ask).unwrap();
        sent += 1;
        if socket.recv(&mut [0; 2048]).is_ok() {
            return (sent, socket);
        }
    }
    panic!("not served, {sent} pings");
}

#[test]
fn clients_beyond_the_most_take_the_places_of_silent_ones() {
    let board = Board::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let relay = Relay::start(&folder.path().join("talk.pcapng"), &board);
    let began = Instant::now();
    let mut served: Vec<(u32, UdpSocket)> = (0..64).map(|_| pinged(&relay.front)).collect();
    // On a machine that is busy the first ones may be silent for long enough by now.
    let at_once = began.elapsed() < Duration::from_secs(1);
    served.extend((64..70).map(|_| pinged(&relay.front)));
    let ports: HashSet<u16> = served.iter().map(|(_, socket)| socket.local_addr().unwrap().port()).collect();
    assert_eq!(ports.len(), 70, "all are clients of their own");
    let (rest, warned) = relay.end();
    board.end();
    let lost: u32 = rest.split(", ").nth(1).and_then(|words| words.split(' ').next()?.parse().ok()).unwrap();
    let sent: u32 = served.iter().map(|(sent, _)| sent).sum();
    assert!(lost <= sent && (lost > 0 || !at_once), "the 65th came too early: {rest}");
    assert_eq!(warned.matches("warning: 64 clients").count(), usize::from(lost > 0), "{lost} lost: {warned}");
}

#[test]
fn what_passes_is_passed_on_and_recorded() {
    let board = Board::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("talk.pcapng");
    let relay = Relay::start(&file, &board);
    for _ in 0..2 {
        let output = run(&["ping", "--board", &relay.front, "-c", "3", "-i", "0"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let (rest, warned) = relay.end();
    assert!(warned.is_empty(), "{warned}");
    board.end();

    let mut reader = PcapNgReader::new(File::open(&file).unwrap()).unwrap();
    let (mut asked, mut answered) = (0, 0);
    while let Some(block) = reader.next_block() {
        let Block::EnhancedPacket(packet) = block.unwrap() else { continue };
        let frame = UdpFrame::parse(&packet.data).expect("a sound frame");
        let mneme = Packet::new_checked(frame.datagram).expect("a Mneme packet");
        assert!(packet.timestamp.as_secs() > 1_600_000_000, "the time of day");
        if mneme.is_response() {
            answered += 1;
        } else {
            asked += u32::from(mneme.opcode_number() == Opcode::Ping.number());
        }
    }
    // One packet each; what kind of board it is is asked by another operation.
    assert_eq!(asked, 6);
    assert!(answered >= asked, "{answered} answers");
    let packets: u32 =
        rest.split(' ').next().and_then(|word| word.parse().ok()).expect("a number of packets");
    assert!(packets >= asked + answered, "{rest}");
}

#[test]
fn what_cannot_be_recorded_is_an_error() {
    fails(&["capture", "/nowhere/talk.pcapng", "--listen", "127.0.0.1:0"], "creating /nowhere/talk.pcapng");
    fails(&["capture", "talk.pcapng", "--listen", "192.0.2.1:1"], "cannot listen on");
    fails(
        &["capture", "talk.pcapng", "--listen", "127.0.0.1:0", "--board", "no.such.host.invalid:1"],
        "cannot resolve",
    );
}

fn trace(board: &Board, args: &[&str]) -> serde_json::Value {
    let output = run(&[&["trace"], args, &["--board", board.address(), "--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn a_request_is_followed_through_the_stages() {
    let board = Board::start(&["--kind", "rtl", "--memory", "64M"]);
    for (args, counted, not) in [
        (&["read"][..], "TLB_HIT", "PAGE_FAULT"),
        (&["write", "--first-touch"], "PAGE_FAULT", "TLB_HIT"),
        (&["atomic"], "ATOMICS", "PAGE_FAULT"),
        (&["read", "--first-touch", "-s", "1000"], "ZERO_READ", "TLB_HIT"),
    ] {
        let report = trace(&board, args);
        assert_eq!((&report["requests"], &report["kind"]), (&1.into(), &"rtl".into()), "{args:?}: {report}");
        let stages = report["stages"].as_array().expect("stages");
        let names: Vec<_> = stages.iter().map(|stage| stage["stage"].as_str().expect("a name")).collect();
        assert_eq!(names, ["DISPATCH", "FILTER", "TRANSLATION", "MEMORY", "RESPONSE", "WHOLE"], "{args:?}");
        let sum =
            |key: &str| stages[..5].iter().map(|stage| stage[key].as_u64().expect("cycles")).sum::<u64>();
        let whole = |key: &str| stages[5][key].as_u64().expect("cycles");
        assert!(sum("at_least") <= whole("at_most") && whole("at_least") <= sum("at_most"), "{report}");
        // The histogram counts from a cycle after the port to a cycle before it.
        let told = report["board_cycles"].as_u64().expect("cycles");
        assert!((whole("at_least")..=whole("at_most") + 2).contains(&told), "{report}");
        assert_eq!(report["board_ns"], 4 * told);
        assert!(report["counted"].get(counted).is_some() && report["counted"].get(not).is_none(), "{report}");
    }
    let shown = text(&run(&["trace", "write", "--board", board.address()]).stdout);
    assert!(
        shown.contains("µs from call to end")
            && shown.contains("cycles on the board")
            && shown.contains("TRANSLATION"),
        "{shown}"
    );
    fails(&["trace", "read", "-s", "60000", "--board", board.address()], "need more than one packet");
    board.end();
}

#[test]
fn a_software_board_tells_its_own_cycles() {
    let board = Board::start(&["--kind", "soft", "--memory", "64M"]);
    let [read, again] = [(); 2].map(|()| trace(&board, &["read", "-s", "100"])["board_cycles"].as_u64());
    // They follow from its figures: whatever the host does, they are the same.
    assert!(read.is_some_and(|cycles| cycles > 10) && read == again, "{read:?} {again:?}");
    board.end();
}
