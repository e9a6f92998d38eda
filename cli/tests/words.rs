//! What users write and read: addresses, sizes, settings of the log, tables, errors; no escapes where no terminal is.
use crate::board;

use board::{Board, fails, mneme, run, text};
use mneme_clib::{Client, OpenOptions};
use std::process::{Command, Output, Stdio};

/// A command in a terminal of its own; what the terminal got.
fn in_a_terminal(line: &str, environment: &[(&str, &str)]) -> String {
    let mut script = Command::new("script");
    script.args(["-qec", &format!("{} {line}", env!("CARGO_BIN_EXE_mneme")), "/dev/null"]);
    script.env("TERM", "xterm").env_remove("NO_COLOR").envs(environment.iter().copied()).stdin(Stdio::null());
    let output = script.output().expect("script, of util-linux or bsdutils, runs");
    text(&output.stdout)
}

fn both(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

fn longest(said: &str) -> usize {
    said.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn a_board_has_one_form_of_address_everywhere() {
    // The usual port: nobody listens there, or whoever does is no reason to fail.
    for (address, words) in [
        ("::1", "boards speak IPv4 alone"),
        ("[::1]:19790", "boards speak IPv4 alone"),
        ("udp://127.0.0.1:1", "HOST[:PORT]"),
        ("127.0.0.1:0", "is no UDP port"),
        ("127.0.0.1:no", "is no UDP port"),
        (":19790", "names no host"),
        ("19790", "no IPv4 address"),
    ] {
        for command in [
            &["ping"][..],
            &["cp"],
            &["stat"],
            &["bench", "read"],
            &["trace", "read"],
            &["doctor"],
            &["capture", "file"],
        ] {
            let output = run(&[command, &["--board", address]].concat());
            let said = text(&output.stderr);
            assert!(output.status.code() == Some(2) && said.contains(words), "{command:?} {address}: {said}");
        }
        let output = mneme(&["ping"]).env("MNEME_BOARD", address).output().unwrap();
        assert!(!output.status.success() && text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    let output = run(&["board", "--listen", "[::1]:0"]);
    assert!(!output.status.success() && text(&output.stderr).contains("IPv4"), "{}", text(&output.stderr));
    fails(
        &["ping", "--board", "no-such-host.invalid"],
        "cannot resolve the board's name `no-such-host.invalid`",
    );
    // Without a port it is the usual one: in the name of a board that is not there.
    fails(&["ping", "--board", "127.9.9.9", "-c", "1", "--timeout", "0.1"], "udp://127.9.9.9:19790");
    let board = Board::start(&[]);
    let port = board.address().rsplit_once(':').unwrap().1.to_owned();
    let output = run(&["ping", "--board", &format!("localhost:{port}"), "-c", "1"]);
    assert!(output.status.success(), "the IPv4 address of several: {}", text(&output.stderr));
    let output = run(&["bench", "read", "--board", "127.0.0.1", "--port", &port, "-n", "5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    board.end();
}

#[test]
fn sizes_are_read_alike_everywhere() {
    let board = Board::start(&["--memory", "64 MiB", "--mtu", "2K"]);
    assert!(board.greeting().contains("64 MiB, MTU 2048"), "{}", board.greeting());
    for (size, bytes) in [("4096", 4096), ("4K", 4096), ("4KiB", 4096), ("4 kb", 4096)] {
        let args = ["bench", "read", "-s", size, "-n", "2", "--json", "--board", board.address()];
        let output = run(&args);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(report["rows"][0]["bytes"], bytes, "{size}");
    }
    assert!(run(&["trace", "read", "-s", "1K", "--board", board.address()]).status.success());
    for args in
        [&["bench", "read", "-s"][..], &["trace", "read", "-s"], &["cp", "--limit"], &["board", "--memory"]]
    {
        for (size, words) in [("4Q", "is no size"), ("1.5K", "is no size"), ("99999999T", "64 bits")] {
            let output = run(&[args, &[size]].concat());
            assert!(
                output.status.code() == Some(2) && text(&output.stderr).contains(words),
                "{args:?} {size}"
            );
        }
    }
    let output = run(&["bench", "read", "-s", "65M"]);
    assert!(text(&output.stderr).contains("65M bytes are outside 1 to 64M"), "{}", text(&output.stderr));
    board.end();
}

#[test]
fn no_escapes_go_where_no_terminal_is_and_none_where_nobody_wants_them() {
    let board = Board::start(&[]);
    let to = ["--board", board.address()];
    let loud =
        |args: &[&str]| both(&mneme(args).env("MNEME_LOG", "trace").env_remove("NO_COLOR").output().unwrap());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for args in [
        &["--help"][..],
        &["bench", "--help"],
        &["bench", "--no-such"],
        &[&["cp", file], &to[..]].concat(),
        &[&["bench", "read", "-n", "5"], &to[..]].concat(),
        &[&["ping", "-i", "0"], &to[..]].concat(),
        &[&["trace", "read"], &to[..]].concat(),
        &[&["stat"], &to[..]].concat(),
        &["doctor"],
        &["cp", "/no/such\u{1b}[31m/file", "--board", board.address()],
    ] {
        let said = loud(args);
        assert!(!said.contains('\u{1b}'), "{args:?}: {said:?}");
        assert!(!said.is_empty(), "{args:?}");
    }
    let error = in_a_terminal("bench --no-such", &[]);
    assert!(error.contains('\u{1b}'), "a terminal has colours: {error:?}");
    for line in ["bench --no-such", "--help", &format!("stat --board {}", board.address())] {
        let plain = in_a_terminal(line, &[("NO_COLOR", "1"), ("MNEME_LOG", "debug")]);
        assert!(!plain.contains('\u{1b}') && plain.len() > 100, "{line}: {plain:?}");
    }
    let coloured = in_a_terminal(&format!("stat --board {}", board.address()), &[("MNEME_LOG", "debug")]);
    assert!(coloured.contains('\u{1b}'), "the log of a terminal has colours: {coloured:?}");
    board.end();
}

#[test]
fn tables_are_no_wider_than_a_page_unless_asked() {
    let board = Board::start(&["--kind", "rtl"]);
    let to = ["--board", board.address()];
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let client = Client::connect_to(board.address(), &Default::default(), Default::default()).unwrap();
    let process = client.open(OpenOptions::default()).unwrap();
    for args in [
        &["bench", "read", "-n", "20"][..],
        &["bench", "write", "-s", "1M", "-D", "1"],
        &["ps"],
        &["stat"],
        &["stat", "--zeros"],
        &["cp", file],
        &["trace", "write", "--first-touch"],
        &["ping", "-i", "0"],
        &["doctor"],
    ] {
        let output = run(&[args, &to[..]].concat());
        let (said, error) = (text(&output.stdout), text(&output.stderr));
        assert!((10..=100).contains(&longest(&said)), "{args:?}, {} columns:\n{said}{error}", longest(&said));
    }
    let wide = text(&run(&[&["bench", "read", "-n", "20", "--wide"], &to[..]].concat()).stdout);
    assert!(
        wide.contains("BW peak[MiB/sec]") && wide.contains("t_stdev[usec]") && longest(&wide) > 100,
        "{wide}"
    );
    let processes = text(&run(&[&["ps", "--wide"], &to[..]].concat()).stdout);
    assert_eq!(processes.lines().count(), 2, "{processes}");
    process.exit().unwrap();
    board.end();
}

#[test]
fn the_log_has_spans_when_asked_and_refuses_what_it_does_not_know() {
    let mut child = mneme(&["board", "--listen", "127.0.0.1:0"]);
    let mut child = child
        .env("MNEME_LOG", "mneme_slowpath=debug")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut greeting = String::new();
    let mut said = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut said, &mut greeting).unwrap();
    let address = greeting.split(' ').nth(2).unwrap().trim_end_matches(':').to_owned();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let with = |level: &str, args: &[&str]| {
        text(
            &mneme(&[args, &["--board", &address]].concat()).env("MNEME_LOG", level).output().unwrap().stderr,
        )
    };
    let log = with("debug", &["cp", file]);
    for span in
        ["connect{board=udp://", "open{board=udp://", "cp{way=\"write\" file=", "cp{way=\"read\" file="]
    {
        assert!(
            log.lines().any(|line| line.contains(span) && line.contains("time.busy")),
            "no {span}: {log}"
        );
    }
    let log = with("warn,mneme=debug", &["bench", "write", "-n", "5"]);
    assert!(log.contains("bench{verb=Write size=64 clients=1}"), "{log}");
    assert_eq!(with("warn", &["cp", file]), "");
    for (wrong, words) in [
        ("wran", "did you mean `warn`"),
        ("mneme=debgu", "did you mean `debug`"),
        ("mneme_clbi=debug", "did you mean `mneme_clib`"),
        ("", "names no level"),
    ] {
        let said = with(wrong, &["ping"]);
        assert!(
            said.starts_with(&format!("error: MNEME_LOG is `{wrong}`: ")) && said.contains(words),
            "{said}"
        );
        assert!(said.contains("\nMNM-1001 "), "{said}");
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let log = text(&output.stderr);
    assert!(log.contains("request{opcode=OPEN") && log.contains("request{opcode=ALLOC"), "{log}");
}
