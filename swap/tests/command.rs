//! The command in a process of its own: it serves, tells its figures, measures, ends well, and says in words what it cannot do.
use crate::rig;

use mneme_swap::BLOCK;
use mneme_swap::client::NbdClient;
use mneme_swap::nbd::Command as Nbd;
use rig::{Board, content, until};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mneme-swap"));
    command.args(args);
    command
}
fn run(args: &[&str]) -> Output {
    command(args).output().expect("it runs")
}
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// A device that a command serves; killed when dropped.
struct Served {
    child: Child,
    socket: PathBuf,
    _folder: tempfile::TempDir,
}

impl Served {
    fn start(args: &[&str]) -> Served {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("device.sock");
        let path = socket.to_str().expect("text");
        let mut child = command(&[&["serve", "--socket", path], args].concat())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
        assert!(line.starts_with("serving ") && line.contains(path), "{line}");
        Served { child, socket, _folder: folder }
    }
    fn client(&self) -> NbdClient {
        NbdClient::connect(&self.socket).expect("the export")
    }
    fn stat(&self) -> Value {
        json(&run(&["stat", "--json", "--socket", self.socket.to_str().expect("text")]))
    }
    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().expect("kill").success());
    }
    /// What it says at the end.
    fn end(mut self) -> String {
        self.signal("-TERM");
        let mut rest = String::new();
        self.child.stdout.take().expect("its output").read_to_string(&mut rest).expect("text");
        assert!(self.child.wait().expect("it ends").success(), "{rest}");
        assert!(!self.socket.exists(), "the socket is gone");
        rest
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn fill(client: &mut NbdClient, bytes: u64) {
    for at in (0..bytes).step_by(1 << 20) {
        let reply = client.call(Nbd::Write, 0, at, 1 << 20, &content(at / BLOCK, 1, 256)).expect("a reply");
        assert_eq!(reply.error, 0);
    }
}

/// Whether nobody else has any of a board's memory.
fn is_free(board: &Board) -> bool {
    let client = board.client(Duration::from_secs(5));
    let process = client.open(mneme_clib::OpenOptions::default()).expect("a process");
    let all = process.ralloc(48 << 20).is_ok();
    process.exit().expect("it ends");
    all
}

#[test]
fn it_serves_tells_its_figures_and_frees_the_memory_under_load() {
    let board = Board::start();
    let served = Served::start(&["--size", "32M", "--board", &board.address.to_string(), "--queues", "2"]);
    let mut client = served.client();
    assert_eq!(client.size(), 32 << 20);
    fill(&mut client, 24 << 20);
    client.call(Nbd::Trim, 0, 0, 1 << 20, &[]).expect("a reply");
    let told = served.stat();
    assert_eq!(
        (&told["size"], &told["live"], &told["via"]),
        (&(32 << 20).into(), &(23 << 20).into(), &"clib".into())
    );
    assert_eq!((&told["queues"], &told["queues_in_use"]), (&2.into(), &1.into()));
    assert_eq!(told["times"]["write"]["count"], 24);
    let share = told["utilisation"].as_f64().expect("a number");
    assert!((0.4..1.0).contains(&share), "{told}");
    let path = served.socket.to_str().expect("text");
    let table = text(&run(&["stat", "--socket", path]).stdout);
    assert!(table.contains("23 MiB live") && table.contains("utilisation"), "{table}");
    assert!(!is_free(&board));
    // Under load until it ends: every reply that comes is a good one.
    let load = std::thread::spawn(move || {
        let mut round = 0;
        loop {
            let at = (round % 24) << 20;
            let Ok(reply) = client.call(Nbd::Write, 0, at, 65_536, &content(at / BLOCK, 2, 16)) else {
                return round;
            };
            assert_eq!(reply.error, 0);
            round += 1;
        }
    });
    until("there is load", || served.stat()["counters"]["writes"].as_u64() > Some(100));
    let began = Instant::now();
    let rest = served.end();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(rest.contains("MiB live") && !rest.contains("failed"), "{rest}");
    assert!(load.join().expect("every reply was good") > 50);
    assert!(is_free(&board), "its memory came back at once");
}

#[test]
fn what_a_killed_one_had_ends_with_its_lease() {
    let board = Board::start();
    let served = Served::start(&["--size", "32M", "--board", &board.address.to_string(), "--lease", "1"]);
    fill(&mut served.client(), 24 << 20);
    assert!(!is_free(&board));
    let left = served.socket.clone();
    served.signal("-KILL");
    until("the lease is over", || is_free(&board));
    // The socket that it left behind is replaced.
    assert!(left.exists());
    let folder = left.parent().expect("a folder").to_owned();
    let path = folder.join("device.sock");
    let mut again =
        command(&["serve", "--size", "8M", "--via", "ram", "--socket", path.to_str().expect("text")])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
    let mut line = String::new();
    BufReader::new(again.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("serving 8 MiB via ram"), "{line}");
    let taken = run(&["serve", "--size", "8M", "--via", "ram", "--socket", path.to_str().expect("text")]);
    assert!(text(&taken.stderr).contains("somebody serves at"), "{}", text(&taken.stderr));
    again.kill().expect("killed");
    again.wait().expect("gone");
}

#[test]
fn bench_compares_with_ram_and_checks_the_data() {
    let board = Board::start_at((rig::address(), 0).into(), 64 << 20, true);
    let at = board.address.to_string();
    let args =
        ["bench", "--board", &at, "--via", "clib,native,chain,ram", "--size", "16M", "--seconds", "0.5"];
    let told = json(&run(&[&args[..], &["--json"]].concat()));
    let devices = told["devices"].as_array().expect("a list");
    let names: Vec<_> = devices.iter().map(|device| device["via"].as_str()).collect();
    assert_eq!(names, [Some("ram"), Some("clib"), Some("native"), Some("chain")]);
    for device in devices {
        let number = |name: &str| device[name].as_f64().unwrap_or_else(|| panic!("{name} in {device}"));
        assert!(
            number("requests_per_second") > 0.0 && number("load_p50_us") <= number("load_p99_us"),
            "{device}"
        );
        assert!(number("utilisation") > 0.3 && number("of_ram") > 0.0, "{device}");
        let by_block = device["via"] == "native" || device["via"] == "chain";
        assert!(!by_block || number("utilisation") == 1.0, "{device}");
    }
    for pattern in ["loads", "stores"] {
        let more = ["--pattern", pattern, "--via", "clib", "--depth", "1"];
        let output = run(&[&args[..3], &more, &args[5..]].concat());
        assert!(
            output.status.success() && text(&output.stdout).contains("requests/s"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn what_it_cannot_do_is_said_in_words() {
    let board = Board::start();
    let at = board.address.to_string();
    let nowhere = format!("{}:9", rig::address());
    for (args, words) in [
        (&["serve", "--size", "8M", "--socket", "/dev/null/x", "--via", "ram"][..], "the socket /dev/null/x"),
        (&["serve", "--size", "8M", "--socket", "/dev/null", "--via", "ram"], "is there and is no socket"),
        (&["serve", "--size", "1049600", "--socket", "x", "--via", "ram"], "are no whole blocks"),
        (
            &["serve", "--size", "8M", "--socket", "x", "--board", &nowhere, "--timeout", "0.5"],
            "no board answers",
        ),
        (
            &[
                "serve",
                "--size",
                "8M",
                "--socket",
                "x",
                "--board",
                &at,
                "--via",
                "native",
                "--timeout",
                "0.5",
            ],
            "does the board serve RDMA",
        ),
        (&["stat", "--socket", "/nonexistent/x"], "no mneme-swap serves at /nonexistent/x"),
    ] {
        let began = Instant::now();
        let output = run(args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
        let last: Vec<&str> =
            said.lines().filter(|line| line.starts_with("error: ") || line.starts_with("MNM-")).collect();
        assert!(last.len() == 2 && last[0].contains(words), "{args:?}: {said}");
        assert!(began.elapsed() < Duration::from_secs(10), "{args:?}: {:?}", began.elapsed());
    }
    for args in [
        &["serve", "--size", "1K", "--socket", "x"][..],
        &["serve", "--size", "8M"],
        &["serve", "--size", "8M", "--socket", "x", "--via", "pigeon"],
        &["serve", "--size", "8M", "--socket", "x", "--queues", "0"],
        &["stat", "--socket", "x", "--every", "0"],
        &["bench", "--depth", "300"],
        &["swapon"],
    ] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}
