//! The command as its users run it: a board and applications, each in its own process.
use crate::board;

use board::{Board, fails, mneme, run, text};
use mneme_clib::{Client, ClientOptions, UdpDriver};
use mneme_model::{BoardShape, SoftFast};
use mneme_rtl::{RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Register};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::UdpSocket;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn files(folder: &Path) {
    for (name, size) in [("empty", 0), ("small", 10), ("page", 300_000), ("large", 1_000_000)] {
        let bytes: Vec<u8> = (0..size as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn copies_files_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let capture = folder.path().join("board.pcap");
    let board = Board::start(&["--capture", capture.to_str().unwrap()]);
    let path = folder.path().to_str().unwrap();
    let input = [
        &format!("{path}/empty"),
        &format!("{path}/small"),
        &format!("{path}/page"),
        &format!("{path}/large"),
    ];
    let mut args = vec!["cp", "--board", board.address(), "--json"];
    args.extend(input.iter().map(|s| s.as_str()));
    let output = run(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["kind"], "software");
    assert_eq!((&report["files"], &report["verified_files"]), (&4.into(), &4.into()));
    assert_eq!((&report["bytes"], &report["cut"]), (&1_300_010.into(), &false.into()));
    assert_eq!(report["foreign_reads_refused"], 3, "an empty file has no memory");
    assert!(report["refused_accesses"].as_u64() >= Some(3));
    assert!(report["page_faults"].as_u64() >= Some(1_300_010 / 262_144));
    assert!(report["tlb_hits"].as_u64() > report["tlb_misses"].as_u64());
    assert!(report["operations"].as_u64() >= Some(2 * 1_300_010 / 1_450));
    assert!(report["read"]["p50_us"].as_f64() > Some(0.0));

    let output = run(&["cp", "--board", board.address(), "--limit", "300K", input[2], input[3]]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.starts_with("input cut at 300 KiB: 2 of 2 files, 300 KiB of 1.2 MiB\n"), "{table}");
    assert!(table.contains("2 of 2") && table.contains("307200 (300 KiB)"), "{table}");
    let said = board.end();
    assert!(said.contains("datagrams received") && said.contains("PAGE_FAULT"), "{said}");
    assert!(std::fs::metadata(capture).unwrap().len() > 2_600_000, "all frames are in the capture file");
}

#[test]
fn the_rtl_board_serves_the_same_copy() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let board = Board::start(&["--kind", "rtl", "--workers", "1"]);
    let output = run(&[
        "cp",
        "--board",
        board.address(),
        "--limit",
        "200K",
        "--json",
        folder.path().to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(
        (&report["kind"], &report["bytes"], &report["cut"]),
        (&"rtl".into(), &204_800.into(), &true.into())
    );
    assert_eq!(report["files"], report["verified_files"]);
    assert!(report["foreign_reads_refused"].as_u64() >= Some(1));
    assert!(report["page_faults"].as_u64() >= Some(1) && report["tlb_hits"].as_u64() > Some(100));
    let cycles = &report["board_latency"];
    assert!(
        cycles["p50_cycles"].as_u64() > Some(10) && cycles["p99_cycles"].as_u64() < Some(10_000),
        "{cycles}"
    );
    every_request_is_timed(&board);
    let said = board.end();
    assert!(said.contains("FILTER_INSERT") && said.contains("requests by time: TRANSLATION"), "{said}");
}

/// The board at rest: each stage has timed every request that was answered.
fn every_request_is_timed(board: &Board) {
    let output = run(&["stat", "--board", board.address(), "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stat: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let counters = stat["counters"].as_object().expect("counters");
    let answers: u64 =
        counters.iter().filter(|(name, _)| name.starts_with("STATUS_")).filter_map(|(_, n)| n.as_u64()).sum();
    assert!(answers > 200);
    for stage in ["DISPATCH", "FILTER", "TRANSLATION", "MEMORY", "RESPONSE", "WHOLE"] {
        assert_eq!(stat["stages"][stage]["requests"], answers, "{stage}: {stat}");
    }
    assert!(stat["marks"]["PACKET_SLOTS"].as_u64() >= Some(1) && stat["marks"]["MEMORY"].as_u64() >= Some(1));
    let output = run(&["stat", "--board", board.address()]);
    let table = text(&output.stdout);
    assert!(
        table.contains("rtl board") && table.contains(" most: PACKET_SLOTS") && table.contains(" STATUS_OK")
    );
    assert!(table.lines().all(|line| !line.starts_with("             0 ")), "zeros are left out: {table}");
}

#[test]
fn a_board_names_a_seed_that_was_given_and_tells_no_other() {
    assert!(!Board::start(&[]).greeting().contains("seed"), "whoever reads it could guess tokens");
    assert!(Board::start(&["--seed", "77"]).greeting().ends_with(", seed 77\n"));
}

#[test]
fn a_board_tells_its_counters_when_asked_by_a_signal() {
    let mut board = Board::start(&[]);
    assert!(run(&["ping", "--board", board.address()]).status.success());
    let said = board.report();
    assert!(said.contains("datagrams received") && said.contains("PINGS"), "{said}");
    assert!(run(&["ping", "--board", board.address()]).status.success(), "it goes on");
    board.end();
}

#[test]
fn pings_and_keeps_epochs_apart() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("epochs.json");
    let state = state.to_str().unwrap();
    let mut epochs = Vec::new();
    for _ in 0..3 {
        let board =
            Board::start(&["--config", "tiny", "--memory", "32M", "--state", state, "--workers", "0"]);
        let output = run(&["ping", "--board", board.address(), "--count", "2", "-i", "0", "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["kind"], &report["page_bytes"]), (&"software".into(), &262_144.into()));
        assert_eq!(report["rtt_us"].as_array().map(Vec::len), Some(2));
        assert_eq!(report["epoch"], board.epoch());
        epochs.push(board.epoch());
        board.end();
    }
    epochs.sort_unstable();
    epochs.dedup();
    assert_eq!(epochs.len(), 3, "no epoch comes twice");
}

#[test]
fn a_board_that_is_not_there_is_an_error() {
    // A port that nothing listens on, and one where nobody answers.
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    fails(&["ping", "--board", &closed], "nothing listens on UDP");
    let mute = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = mute.local_addr().unwrap().to_string();
    fails(&["cp", "--board", &address, "--timeout", "0.3"], "no answer: the board is not there");
    fails(&["ping", "--board", "no.such.host.invalid:1"], "cannot resolve");
}

#[test]
fn a_board_that_dies_in_mid_copy_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large");
    // Far more than is copied before the board is killed; a file of zeros takes no room on the disk.
    File::create(&large).unwrap().set_len(700 << 20).unwrap();
    let board = Board::start(&["--memory", "1G"]);
    let watch =
        Client::connect(UdpDriver::connect(board.address()).unwrap(), ClientOptions::default()).unwrap();
    let args =
        ["cp", "--limit", "700M", "--timeout", "10", "--board", board.address(), large.to_str().unwrap()];
    let mut copy = mneme(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(copy.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "copying 1 files, 700 MiB\n");
    // In mid-copy: two thousand packets have been served, of a million.
    while watch.board_counters().unwrap().get(Counter::StatusOk) < 2_000 {
        if copy.try_wait().unwrap().is_some() {
            panic!("the copy ended too early: {}", text(&copy.wait_with_output().unwrap().stderr));
        }
    }
    board.kill();
    let died = Instant::now();
    let output = copy.wait_with_output().unwrap();
    assert!(died.elapsed() < Duration::from_secs(30), "{:?}", died.elapsed());
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("nothing listens on UDP") && said.contains("large"), "{said}");
}

#[test]
fn boards_that_cannot_be_are_explained() {
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let holder = UdpSocket::bind(taken).unwrap();
    fails(&["board", "--listen", &taken.to_string()], "is taken");
    drop(holder);
    fails(&["board", "--listen", "127.0.0.1:0", "--memory", "100M"], "such as 64M or 128M");
    fails(&["board", "--listen", "127.0.0.1:0", "--memory", "1K"], "from 16M to 16T, such as 16M");
    fails(&["board", "--listen", "127.0.0.1:0", "--memory", "100T"], "from 16M to 16T, such as 16T");
    let little = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0", "--memory", "1K"];
    fails(&little, "needs 512K or more, up to 256M");
    fails(&["board", "--listen", "127.0.0.1:0", "--config", "huge"], "there is no configuration `huge`");
    // The advice can be followed.
    for args in [&["--memory", "16M"][..], &["--kind", "rtl", "--memory", "512K"]] {
        Board::start(args).end();
    }
    let many = ["board", "--listen", "127.0.0.1:0", "--workers", "65"];
    assert!(text(&run(&many).stderr).contains("0..=64"));
    let more = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0", "--memory", "1G"];
    fails(&more, "was built for 256 MiB");
    fails(
        &["board", "--kind", "rtl", "--listen", "127.0.0.1:0", "--config", "huge"],
        "there are tiny, sim, wide",
    );
    let short = ["board", "--listen", "127.0.0.1:0", "--mtu", "575"];
    fails(&short, "an MTU of 575 is outside 576 to 9000");
    let built = ["board", "--kind", "rtl", "--listen", "127.0.0.1:0", "--mtu", "9000"];
    fails(&built, "was built for packets of 1500 bytes");
    fails(&["cp", "/no/such/file", "--timeout", "0.2"], "no board answers");
}

#[test]
fn long_packets_carry_large_values_in_few_of_them() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let large = format!("{}/large", folder.path().to_str().unwrap());
    let board = Board::start(&["--mtu", "9000"]);
    let output = run(&["cp", "--board", board.address(), "--json", &large]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&report["bytes"], &report["verified_files"]), (&1_000_000.into(), &1.into()));
    // Both ways; packets of 1500 bytes would take 1,380.
    let operations = report["operations"].as_u64().expect("a number");
    assert!((2 * 1_000_000 / 8_940..300).contains(&operations), "{operations}");
}

/// What `mneme stat` prints of a board's build, beside the registers of such a board.
fn build_is_told<F: FastPath>(board: &Board, mut same: F, lines: &[&str]) {
    let output = run(&["stat", "--board", board.address(), "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stat: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let build = &stat["build"];
    let (hash, date): (u32, u32) =
        (env!("BOARD_BUILD_HASH").parse().unwrap(), env!("BOARD_BUILD_DATE").parse().unwrap());
    for register in Register::BUILD {
        let expected = match register {
            Register::BuildHash => hash,
            Register::BuildDate => date,
            other => same.read_register(*other),
        };
        assert_eq!(build["registers"][register.name()], expected, "{register}: {build}");
    }
    assert_eq!(build["registers"].as_object().map(|all| all.len()), Some(Register::BUILD.len()));
    assert_eq!((&build["simulated"], &build["doors"]), (&true.into(), &1.into()));
    // Sources that differ from their commit have no hash.
    let told = if hash == 0 { "unknown".into() } else { format!("{hash:08x}") };
    assert_eq!(build["git_hash"].as_str().unwrap_or("unknown"), told);
    assert!(
        build["date"].as_str().is_some_and(|date| date.starts_with("20") && date.ends_with('Z')),
        "{build}"
    );
    let said = text(&run(&["stat", "--board", board.address()]).stdout);
    let stamp =
        format!("built from git {told}, date {}, for simulation", build["date"].as_str().unwrap_or_default());
    for line in [&[stamp.as_str()], lines].concat() {
        assert!(said.lines().any(|other| other.trim_start() == line), "`{line}` is not in:\n{said}");
    }
}

#[test]
fn boards_tell_what_they_were_built_from() {
    let shape = BoardShape { simulated: true, trailers: true, ..BoardShape::TINY };
    build_is_told(
        &Board::start(&["--config", "tiny"]),
        SoftFast::new(shape).unwrap(),
        &[
            "wire version 1, memory 16 MiB in pages of 256 KiB, 4 page-table slots per page",
            "TLB of 4 entries without sets, misses are walked for at once",
            "doors of the access engine: 1, trailers",
            "retry filter of 16 entries, 2 choices of 4 sets of 2 ways",
            "packet slots 4, async buffer of 4 pages, zeroing queue of 4",
            "payloads up to 1450 bytes, a tick of 64 cycles",
        ],
    );
    build_is_told(
        &Board::start(&["--kind", "rtl"]),
        RtlFast::new(RtlOptions::new(RtlConfig::Tags)).unwrap(),
        &[
            "TLB of 16 entries in 4 sets of 4 ways, 8 misses at a time, the others in lists",
            "doors of the access engine: 1, trailers",
            "retry filter of 4096 entries, 2 choices of 512 sets of 4 ways",
        ],
    );
}

/// A board that remembers 16 writes a second: those that wait for their turn are not given up while it answers others.
#[test]
fn writes_wait_for_a_small_filter_longer_than_for_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), vec![7; 40_000]).unwrap();
    let path = folder.path().to_str().unwrap();
    let report = |config: &[&str]| {
        let board = Board::start(config);
        let began = Instant::now();
        let output = run(&["cp", "--board", board.address(), "--json", "--timeout", "1", path]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(began.elapsed() > Duration::from_secs(2), "longer than the timeout");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(report["verified_files"], 1);
        assert_eq!(report["written_again"], 0, "{report}");
        report
    };
    // The RTL's windows take as long as its tick says: longer than it tells, the busier the machine is.
    for config in [&["--config", "tiny"][..], &["--kind", "rtl", "--config", "odd"]] {
        // None comes early, but two may meet in a set of so few.
        let reports = std::iter::repeat_with(|| report(config)).take(3);
        let early = |report: &serde_json::Value| report["retries_by_reason"].get("BUSY FILTER").is_some();
        let failed: Vec<_> = reports.take_while(early).collect();
        assert!(failed.len() < 3, "{config:?}: {failed:?}");
    }
}
