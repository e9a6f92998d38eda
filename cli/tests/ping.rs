//! `mneme ping`: pings at their pace, a summary at every end, and ping's exit codes.
use crate::board;

use board::{Board, fails, mneme, run, text};
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any test: what ends before did not wait for it.
const FOR_EVER: &str = "3000";

#[test]
fn pings_leave_at_their_pace_and_the_summary_counts_them() {
    let board = Board::start(&[]);
    let began = Instant::now();
    let output = run(&["ping", "--board", board.address(), "-c", "4", "-i", "0.2"]);
    let (took, said) = (began.elapsed(), text(&output.stdout));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(took >= Duration::from_millis(600), "three pauses of 200 ms: {took:?}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with(&format!("is a software board, epoch {}:", board.epoch())), "{said}");
    for number in 1..=4 {
        assert!(lines[1 + number].starts_with(&format!("ping {number}: ")), "{said}");
    }
    assert!(
        lines[6].starts_with("--- udp://") && lines[7].starts_with("4 sent, 4 answered, 0.0% lost, in "),
        "{said}"
    );
    assert!(lines[8].starts_with("round trip min/avg/max/mdev "), "{said}");
    assert_eq!(lines.len(), 9, "{said}");
    let began = Instant::now();
    let output = run(&["ping", "--board", board.address(), "-c", "50", "-i", "0", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(
        (&report["sent"], &report["answered"], &report["kind"]),
        (&50.into(), &50.into(), &"software".into())
    );
    assert_eq!(report["rtt_us"].as_array().map(Vec::len), Some(50));
    let [least, mean, most] =
        ["rtt_min_us", "rtt_avg_us", "rtt_max_us"].map(|name| report[name].as_f64().expect("a time"));
    assert!(0.0 < least && least <= mean && mean <= most, "{report}");
    assert!(began.elapsed() < Duration::from_secs(20), "without pauses: {:?}", began.elapsed());
    board.end();
}

#[test]
fn an_interrupt_ends_the_pings_with_a_summary() {
    let board = Board::start(&[]);
    let args = ["ping", "--board", board.address(), "-c", "0", "-i", "0.05"];
    let mut ping = mneme(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = std::io::BufReader::new(ping.stdout.take().unwrap());
    let mut first = String::new();
    while !first.contains("ping 3: ") {
        assert!(std::io::BufRead::read_line(&mut said, &mut first).unwrap() > 0, "{first}");
    }
    assert!(Command::new("kill").args(["-INT", &ping.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut said, &mut rest).unwrap();
    assert!(ping.wait().unwrap().success(), "answers came: {rest}");
    assert!(rest.contains(" sent, ") && rest.contains("mdev"), "{rest}");
    board.end();
}

#[test]
fn nobody_that_answers_is_exit_code_1_and_the_summary_says_so() {
    let mute = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = mute.local_addr().unwrap().to_string();
    let output = run(&["ping", "--board", &address, "-c", "2", "-i", "0.1", "--timeout", "0.2"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("2 sent, 0 answered, 100.0% lost"), "{said}");
    let error = text(&output.stderr);
    assert!(error.contains("no answer: the board is not there") && error.contains("\nMNM-0002 "), "{error}");
    assert!(!error.contains("`mneme ping"), "that has just failed: {error}");
    assert_eq!(error.matches("no answer: the board is not there").count(), 1, "{error}");
}

/// However patient a command is: that nothing listens is soon known.
#[test]
fn a_port_that_refuses_fails_at_once() {
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for args in
        [&["ping"][..], &["ping", "-c", "1"], &["stat"], &["cp"], &["bench", "read"], &["trace", "read"]]
    {
        fails(&[args, &["--board", &closed, "--timeout", FOR_EVER]].concat(), "nothing listens on UDP");
    }
    let output = run(&["ping", "--board", &closed, "--timeout", FOR_EVER]);
    assert!(text(&output.stdout).contains("5 sent, 0 answered, 100.0% lost"), "{}", text(&output.stdout));
}

/// A board of another wire version is told from one that is not there.
#[test]
fn another_wire_version_is_no_silence() {
    let other = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let served = std::thread::spawn(move || {
        let mut buffer = [0; 2048];
        let (length, from) = other.recv_from(&mut buffer).unwrap();
        (buffer[0], buffer[1]) = (buffer[0] & 0x0f | 0x20, buffer[1] | 0x80);
        other.send_to(&buffer[..length], from).unwrap();
    });
    fails(&["ping", "--board", &address, "-c", "1", "--timeout", "1"], "another wire version");
    served.join().unwrap();
}
