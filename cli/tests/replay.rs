//! `mneme replay`: a capture's requests again.
use crate::board;

use board::{Board, fails, run, text};
use pcap_file::DataLink;
use pcap_file::pcap::{PcapHeader, PcapPacket, PcapReader, PcapWriter};
use std::fs::File;
use std::path::Path;

/// Of two such boards each gives out what the other does.
const BOARD: [&str; 8] = ["--kind", "soft", "--memory", "64M", "--seed", "7", "--workers", "0"];

/// Something to replay: allocations, writes, reads and atomics, recorded by the board itself.
fn recorded(folder: &Path) -> String {
    let file = folder.join("talk.pcap").to_str().unwrap().to_owned();
    let board = Board::start(&[&BOARD[..], &["--capture", &file]].concat());
    let copied = run(&["cp", env!("CARGO_MANIFEST_DIR"), "--board", board.address()]);
    assert!(copied.status.success(), "{}", text(&copied.stderr));
    let traced = run(&["trace", "atomic", "--board", board.address()]);
    assert!(traced.status.success(), "{}", text(&traced.stderr));
    board.end();
    file
}

fn frames(file: &str) -> Vec<Vec<u8>> {
    let mut reader = PcapReader::new(File::open(file).unwrap()).unwrap();
    std::iter::from_fn(|| reader.next_packet().map(|packet| packet.unwrap().data.into_owned())).collect()
}

fn write(file: &str, frames: &[Vec<u8>]) {
    let header = PcapHeader { datalink: DataLink::ETHERNET, ..PcapHeader::default() };
    let mut writer = PcapWriter::with_header(File::create(file).unwrap(), header).unwrap();
    for frame in frames {
        let packet = PcapPacket::new(Default::default(), frame.len() as u32, frame);
        writer.write_packet(&packet).unwrap();
    }
}

#[test]
fn a_fresh_board_answers_as_the_captured_one_did_and_another_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(folder.path());

    let board = Board::start(&BOARD);
    let replayed = run(&["replay", &file, "--board", board.address(), "--speed", "0"]);
    let said = text(&replayed.stdout);
    assert!(replayed.status.success(), "{said}{}", text(&replayed.stderr));
    assert!(said.contains(" 0 different, 0 missing; 0 requests with tags"), "{said}");
    let sent: u64 = said.split(' ').next().unwrap().parse().unwrap();
    assert!(sent > 100, "{said}");
    // The board has done it all again: what is not fresh any more answers otherwise.
    let again = run(&["replay", &file, "--board", board.address(), "--speed", "0"]);
    assert_eq!(again.status.code(), Some(1), "{}", text(&again.stdout));
    assert!(
        text(&again.stderr).contains("answers are not as captured")
            && text(&again.stderr).contains("MNM-1015")
    );
    board.end();

    let other = Board::start(&["--kind", "soft", "--memory", "64M", "--seed", "8", "--workers", "0"]);
    let replayed = run(&["replay", &file, "--board", other.address(), "--speed", "0", "--timeout", "0.2"]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stdout));
    assert!(text(&replayed.stdout).contains("captured OK"), "{}", text(&replayed.stdout));
    other.end();
}

#[test]
fn one_byte_of_an_answer_that_was_another_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = recorded(folder.path());
    let mut all = frames(&file);
    // An answer to a READ with a payload; the frame's own checksum must not be what is wrong.
    let opcode = |frame: &Vec<u8>| frame.get(43).copied();
    let answer = all.iter_mut().rev().find(|frame| opcode(frame) == Some(0x81) && frame.len() > 80).unwrap();
    answer[70] ^= 1;
    answer[40..42].fill(0);
    let changed = folder.path().join("changed.pcap").to_str().unwrap().to_owned();
    write(&changed, &all);
    let board = Board::start(&BOARD);
    let replayed = run(&["replay", &changed, "--board", board.address(), "--speed", "0"]);
    let said = text(&replayed.stdout);
    assert_eq!(replayed.status.code(), Some(1), "{said}");
    assert!(said.contains(", READ operation ") && said.contains("of its payload, now 0x"), "{said}");
    assert!(said.contains(" 1 different, 0 missing"), "{said}");
    board.end();
}

#[test]
fn what_is_no_capture_of_a_board_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fails(&["replay", "/no/such.pcap"], "the capture /no/such.pcap: No such file");
    std::fs::write(path("empty"), "").unwrap();
    fails(&["replay", &path("empty")], "it is no capture: it ends within its first bytes");
    std::fs::write(path("text"), "this is not a capture of anything at all, but a text").unwrap();
    fails(&["replay", &path("text")], "it is neither a pcapng nor a pcap file");
    let file = recorded(folder.path());
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(path("cut"), &whole[..whole.len() - 9]).unwrap();
    fails(&["replay", &path("cut")], "it is damaged, or was cut off");
    write(&path("none"), &[vec![0; 60]]);
    fails(&["replay", &path("none")], "has no request to a board among its 1 frames");
    let mut all = frames(&file);
    let request = all.iter_mut().find(|frame| frame[43] & 0x80 == 0).unwrap();
    // To another port; without the sum, which would be wrong.
    request[37] ^= 1;
    request[40..42].fill(0);
    write(&path("two"), &all);
    fails(&["replay", &path("two")], "has requests to several boards (127.0.0.1:");
}
