//! `mneme ps` and `mneme reap` against a board, and what another address sees and can do.
use crate::board;

use board::{Board, fails, mneme, run, text};
use mneme_clib::{AllocOptions, Client, ClientOptions, OpenOptions, Process, UdpDriver};
use std::net::Ipv4Addr;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A client of one of this machine's addresses.
fn client(board: &Board, from: [u8; 4]) -> Client {
    let local = (Ipv4Addr::from(from), 0).into();
    let driver = UdpDriver::connect_from(local, board.address(), Default::default()).expect("a socket");
    Client::connect(driver, ClientOptions::default()).expect("the board answers")
}

/// A process with an allocation of its own.
fn opened(client: &Client, lease: Option<Duration>, bytes: u64) -> (Process, u64) {
    let process = client.open(OpenOptions { lease, ..OpenOptions::default() }).expect("opened");
    let own = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(bytes, own).expect("allocated");
    (process, va)
}

fn listed(board: &Board) -> Vec<serde_json::Value> {
    let output = run(&["ps", "--board", board.address(), "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    report["processes"].as_array().expect("processes").clone()
}

fn pids(board: &Board) -> Vec<u64> {
    listed(board).iter().map(|line| line["pid"].as_u64().expect("a pid")).collect()
}

#[test]
fn processes_are_seen_and_ended_by_the_address_that_opened_them() {
    let board = Board::start(&[]);
    assert_eq!(pids(&board), [0u64; 0]);
    let empty = text(&run(&["ps", "--board", board.address()]).stdout);
    assert!(empty.starts_with("this address has no process"), "{empty}");
    let (mine, theirs) = (client(&board, [127, 0, 0, 1]), client(&board, [127, 0, 0, 2]));
    let (first, va) = opened(&mine, Some(Duration::from_secs(100)), 1 << 20);
    let (second, _) = opened(&mine, None, 1);
    let (stranger, stranger_va) = opened(&theirs, Some(Duration::from_secs(100)), 1);
    let (first_pid, second_pid) = (u64::from(first.pid()), u64::from(second.pid()));

    let told = listed(&board);
    assert_eq!(told.len(), 2, "nobody else's: {told:?}");
    let (one, two) = (&told[0], &told[1]);
    assert_eq!((&one["pid"], &one["lease_s"], &one["ranges"]), (&first_pid.into(), &100.0.into(), &1.into()));
    assert_eq!((&one["allocated_bytes"], &one["writable_bytes"]), (&(1 << 20).into(), &(1 << 20).into()));
    let (left, silent) = (one["lease_left_s"].as_f64().unwrap(), one["silent_s"].as_f64().unwrap());
    assert!(left <= 100.0 && (left + silent - 100.0).abs() < 0.01, "{one}");
    assert_eq!((&two["pid"], two["lease_left_s"].is_null()), (&second_pid.into(), true));
    let output = text(&run(&["ps", "--board", board.address()]).stdout);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].contains("PID") && lines[0].contains("LEASE LEFT"), "{output}");
    assert!(lines[1].contains("1 MiB") && lines[2].contains("no lease"), "{output}");

    // Neither a process of another address nor one that there is not.
    let foreign = stranger.pid().to_string();
    fails(&["reap", "--board", board.address(), &foreign], &format!("no process {foreign} on"));
    stranger.rwrite(stranger_va, b"alive").expect("it is");
    assert!(!mine.reap(stranger.pid()).expect("asked"), "not one's own");
    assert_eq!(theirs.processes().expect("told").len(), 1);
    // What there is of those that were named is ended.
    fails(&["reap", "--board", board.address(), "0xfffff", &first_pid.to_string()], "no process 1048575 on");
    assert_eq!(pids(&board), [second_pid]);
    assert!(first.rwrite(va, b"gone").is_err());

    let output = run(&["reap", "--board", board.address(), &second_pid.to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), format!("ended process {second_pid}\n"));
    assert_eq!(pids(&board), [0u64; 0]);
    assert!(theirs.reap(stranger.pid()).expect("ended"), "its own address may");
    assert!(!theirs.reap(stranger.pid()).expect("asked"), "once");
}

/// In numbers, so that nobody changes it by the way.
#[test]
fn commands_have_a_lease_of_30_seconds() {
    let board = Board::start(&[]);
    let args = ["bench", "write", "-D", "600", "--board", board.address()];
    let mut command = mneme(&args);
    command.env_remove("MNEME_LEASE").stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("started");
    let began = Instant::now();
    let told = loop {
        if let [told] = &listed(&board)[..] {
            break told.clone();
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no process");
        sleep(Duration::from_millis(50));
    };
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert_eq!(told["lease_s"], 30.0, "{told}");
}

#[test]
fn all_are_ended_only_by_who_says_yes() {
    let board = Board::start(&[]);
    let mine = client(&board, [127, 0, 0, 1]);
    let theirs = client(&board, [127, 0, 0, 2]);
    // More than one packet tells.
    let processes: Vec<Process> =
        (0..70).map(|_| mine.open(OpenOptions::default()).expect("opened")).collect();
    let stranger = theirs.open(OpenOptions::default()).expect("opened");
    let mut open: Vec<u64> = processes.iter().map(|process| process.pid().into()).collect();
    open.sort_unstable();
    assert_eq!(pids(&board), open);
    let command = ["reap", "--board", board.address(), "--all"];
    let output = mneme(&command).stdin(Stdio::null()).output().expect("ran");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("70 processes") && said.contains("--yes") && said.contains("MNM-1002"), "{said}");
    assert_eq!(pids(&board).len(), 70, "nothing was ended");
    let output = run(&[&command[..], &["--yes"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 70);
    assert_eq!(pids(&board), [0u64; 0]);
    assert_eq!(theirs.processes().expect("told").len(), 1, "process {}", stranger.pid());
    let again = text(&run(&command).stdout);
    assert!(again.starts_with("this address has no such process"), "nothing to ask about: {again}");
}

#[test]
fn all_are_ended_though_nobody_reads_it() {
    let board = Board::start(&[]);
    let mine = client(&board, [127, 0, 0, 1]);
    let processes: Vec<Process> =
        (0..8).map(|_| mine.open(OpenOptions { lease: None, ..OpenOptions::default() }).unwrap()).collect();
    let mut reap = mneme(&["reap", "--board", board.address(), "--all", "--yes"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    // As `head` does.
    drop(reap.stdout.take());
    reap.wait().expect("ended");
    assert_eq!(pids(&board), [0u64; 0], "of {}", processes.len());
}

#[test]
fn the_silent_are_ended_and_those_that_are_kept_stay() {
    let board = Board::start(&[]);
    let mine = client(&board, [127, 0, 0, 1]);
    // Who is alive with such a lease has been heard within it.
    let kept =
        mine.open(OpenOptions { lease: Some(Duration::from_secs(3)), ..OpenOptions::default() }).unwrap();
    let left = mine.open(OpenOptions { lease: None, ..OpenOptions::default() }).unwrap();
    let began = Instant::now();
    let reap = |age: &str| run(&["reap", "--board", board.address(), "--silent-for", age, "--yes"]);
    let early = text(&reap("1h").stdout);
    assert!(early.starts_with("this address has no such process"), "{early}");
    while mine.processes().unwrap().iter().all(|info| info.silent < Duration::from_secs(4)) {
        assert!(began.elapsed() < Duration::from_secs(60), "nobody was silent for 4 s");
        sleep(Duration::from_millis(100));
    }
    assert_eq!(text(&reap("4s").stdout), format!("ended process {}\n", left.pid()));
    assert_eq!(pids(&board), [u64::from(kept.pid())]);
}

#[test]
fn what_cannot_be_asked_for_is_said() {
    let refused = |args: &[&str], words: &str| {
        let output = run(args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    };
    refused(&["reap"], "--silent-for");
    refused(&["reap", "0"], "no process id");
    refused(&["reap", "16777216"], "no process id");
    refused(&["reap", "7", "--all"], "cannot be used with");
    refused(&["reap", "--all", "--silent-for", "10m"], "cannot be used with");
    refused(&["reap", "--silent-for", "soon"], "no duration");
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    let nobody = silent.local_addr().expect("an address").to_string();
    fails(&["ps", "--board", &nobody, "--timeout", "0.2"], "no board answers");
}

fn own(bytes: u64, process: &Process) -> Result<u64, mneme_clib::Error> {
    process.ralloc_with(bytes, AllocOptions { own_pages: true, ..AllocOptions::default() })
}

#[test]
fn memory_is_kept_for_other_addresses_and_over_committed_where_that_is_asked_for() {
    let board = Board::start(&["--memory", "64M", "--reserve", "16M"]);
    let (greedy, modest) = (client(&board, [127, 0, 0, 1]), client(&board, [127, 0, 0, 2]));
    let greedy = greedy.open(OpenOptions::default()).expect("opened");
    own(56 << 20, &greedy).expect_err("16 MB are for one who may come");
    own(40 << 20, &greedy).expect("the rest is for whoever comes first");
    let modest = modest.open(OpenOptions::default()).expect("opened");
    let va = own(16 << 20, &modest).expect("it was kept");
    for page in 0..64 {
        modest.rwrite(va + page * (1 << 18), &[1]).expect("allocated memory is there");
    }
    drop(board);
    let board = Board::start(&["--memory", "64M", "--overcommit"]);
    let process = client(&board, [127, 0, 0, 1]).open(OpenOptions::default()).expect("opened");
    for _ in 0..2 {
        own(40 << 20, &process).expect("nobody has written to it");
    }
}
