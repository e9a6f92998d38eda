//! `mneme board --device`: a board process without a slow path, `mneme_boardd` as its slow path, and `mneme cp` through both.
use crate::board;
use crate::rdma::address;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use board::{Board, run, text};
use mneme_boardd::{Options, Watchdog, serve};
use mneme_rdma_manager::{Local, Manager, Rules, SILENT};
use mneme_slowpath::{Config, FastPath, MemoryEpochs, Slow};
use mneme_wire::Register;

/// The slow path of the board in a folder, until `stop` is set; with `rdma` it makes connections to the board's port.
fn slow_path(folder: &Path, stop: &AtomicBool, rdma: bool) {
    let window = mneme_window::simulated::open(folder).expect("a window");
    let facts = window.facts.clone().expect("a simulated board tells of itself");
    let mut board = mneme_boardd::Board::open(window, None).expect("a board");
    let tick_ns = (facts.cycle_ns as u32) << board.read_register(Register::TickLog2);
    let config = Config {
        board_kind: facts.board_kind,
        udp_port: facts.port,
        roce: rdma,
        ..Config::new(1, facts.mac, facts.ip, [1; 32])
    }
    .timed(tick_ns, Duration::from_millis(facts.window_ms));
    let mut slow = Slow::boot(config, &mut board, &mut MemoryEpochs::default(), 2).expect("it boots");
    let manager = |board: &mut _| {
        let rules = Rules { seed: [1; 32], wants_tags: false, silent: SILENT, cap: 0 };
        Manager::new(&rules, Local { mac: facts.mac, ip: facts.ip }, board).expect("a port")
    };
    let rdma = rdma.then(|| manager(&mut board));
    let mut options = Options { tenants: None, rdma, callers: None, watchdog: Watchdog::of_environment() };
    serve(&mut board, &mut slow, &mut options, stop, |_| String::new()).expect("it serves");
    board.close();
}

/// Copies files into the board and back; the report.
fn copied(kind: &str, limit: &str) -> (serde_json::Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (device, file) = (folder.path().join("device"), folder.path().join("file"));
    let bytes: Vec<u8> = (0..1_000_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(&file, bytes).expect("written");
    let mut board = Board::start(&["--kind", kind, "--device", device.to_str().expect("text")]);
    assert!(board.greeting().contains("without a slow path"), "{}", board.greeting());
    let stop = AtomicBool::new(false);
    let said = std::thread::scope(|scope| {
        scope.spawn(|| slow_path(&device, &stop, false));
        let file = file.to_str().expect("text");
        let output = run(&["cp", "--board", board.address(), "--json", "--limit", limit, file]);
        let said = board.report();
        stop.store(true, Ordering::Relaxed);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (serde_json::from_slice(&output.stdout).expect("one JSON object"), said)
    });
    let end = board.end();
    assert!(end.contains("datagrams received"), "{end}");
    assert!(!device.join("registers.sock").exists(), "the board took its window with it");
    (said.0, said.1 + &end)
}

#[test]
fn files_are_copied_through_a_board_whose_slow_path_is_another_program() {
    let (report, said) = copied("soft", "1M");
    assert_eq!((&report["kind"], &report["bytes"]), (&"software".into(), &1_000_000.into()));
    assert_eq!((&report["files"], &report["verified_files"]), (&1.into(), &1.into()));
    assert_eq!(report["foreign_reads_refused"], 1);
    assert!(report["page_faults"].as_u64() >= Some(1_000_000 / 262_144));
    // The board counts what it is made of; what its slow path counts, its slow path tells.
    assert!(said.contains("PAGE_FAULT") && said.contains("SLOW_TX"), "{said}");
}

#[test]
fn files_are_copied_through_the_rtl_whose_slow_path_is_another_program() {
    let (report, said) = copied("rtl", "100K");
    assert_eq!((&report["kind"], &report["bytes"]), (&"rtl".into(), &102_400.into()));
    assert_eq!(report["files"], report["verified_files"]);
    assert!(report["page_faults"].as_u64() >= Some(1));
    assert!(said.contains("requests by time: TRANSLATION"), "{said}");
}

#[test]
fn rdma_is_served_by_the_rtl_whose_slow_path_is_another_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let device = folder.path().join("device");
    let args = ["--kind", "rtl", "--rdma", "--device", device.to_str().expect("text")];
    let board = Board::start_at(&format!("{}:0", address(11, 1)), &args);
    assert!(board.greeting().ends_with(" --state FILE --rdma` is one\n"), "{}", board.greeting());
    let stop = AtomicBool::new(false);
    let output = std::thread::scope(|scope| {
        scope.spawn(|| slow_path(&device, &stop, true));
        let output = run(&["rdma", "ping", "--board", board.address(), "-c", "2", "-i", "0"]);
        stop.store(true, Ordering::Relaxed);
        output
    });
    assert!(output.status.success(), "{}", text(&output.stderr));
    let ping = text(&output.stdout);
    assert!(ping.contains("speaks RDMA: queue pair 0x") && ping.contains("\nREAD 2: "), "{ping}");
    let end = board.end();
    assert!(end.contains("RDMA datagrams received"), "{end}");
}

#[test]
fn what_its_slow_path_decides_is_refused() {
    for option in
        [&["--tenants", "f"][..], &["--trust-network"], &["--rdma", "--perftest"], &["--shares", "1=1,1,1,1"]]
    {
        let args = [&["board", "--listen", "127.0.0.1:0", "--device", "/no/such"][..], option].concat();
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("cannot be used with"), "{}", text(&output.stderr));
    }
    // A software board's RDMA port is its own program's.
    let output = run(&["board", "--listen", "127.0.0.1:0", "--device", "/no/such", "--rdma"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("has no RDMA port of its own"), "{}", text(&output.stderr));
}
