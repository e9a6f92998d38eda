//! `mneme capture`: what passes is passed on, and is in the file. `mneme trace`: one request, stage by stage.
use crate::board;

use board::{Board, fails, mneme, run, text};
use mneme_wire::frame::UdpFrame;
use mneme_wire::{Opcode, Packet};
use pcap_file::pcapng::{Block, PcapNgReader};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

#[test]
fn what_passes_is_passed_on_and_recorded() {
    let board = Board::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("talk.pcapng");
    let args = ["capture", file.to_str().unwrap(), "--listen", "127.0.0.1:0", "--board", board.address()];
    let mut relay = mneme(&args).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(relay.stdout.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let front =
        line.split_whitespace().find(|word| word.starts_with("127.0.0.1:")).expect("an address").to_owned();
    for _ in 0..2 {
        let output = run(&["ping", "--board", &front, "-c", "3", "-i", "0"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let ended = std::process::Command::new("kill").args(["-INT", &relay.id().to_string()]).status().unwrap();
    assert!(ended.success() && relay.wait().unwrap().success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
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
