//! Clients that are killed, and clients that are interrupted: what they leave on the board.
use crate::board;

use board::{Board, mneme, text};
use mneme_clib::{Client, ClientOptions, NodeCounter, UdpDriver};
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const CLIENTS: usize = 100;
/// Long enough for a hundred of them on one processor to renew it.
const LEASE: Duration = Duration::from_secs(6);
/// What the machine may add when it is busy.
const GRACE: Duration = Duration::from_secs(60);
/// How long after the lease everything is back.
const SOON: Duration = Duration::from_secs(1);
/// Rounds at most until a busy machine lets one end so soon.
const ROUNDS: usize = 3;

fn watcher(board: &Board) -> Client {
    let driver = UdpDriver::connect(board.address()).expect("a socket");
    Client::connect(driver, ClientOptions::default()).expect("the board answers")
}

/// What clients hold: processes; and leases that ran out.
fn held(client: &Client) -> (u64, u64) {
    let counters = client.board_counters().expect("counters");
    (counters.node(NodeCounter::Processes), counters.node(NodeCounter::LeasesExpired))
}

/// All that a client can leave behind: processes, ranges, slots of the page table, and pages.
fn everything(client: &Client) -> [u64; 4] {
    use NodeCounter::{PagesGiven, Processes, Ranges, SlotsUsed};
    let counters = client.board_counters().expect("counters");
    [Processes, Ranges, SlotsUsed, PagesGiven].map(|counter| counters.node(counter))
}

/// The same when the board has given the hardware all pages that it offers in advance.
fn settled(client: &Client) -> [u64; 4] {
    let mut now = everything(client);
    wait_until("at rest", GRACE, || {
        sleep(Duration::from_millis(250));
        let then = std::mem::replace(&mut now, everything(client));
        then == now
    });
    now
}

#[track_caller]
fn wait_until(what: &str, longest: Duration, mut holds: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < longest, "not {what} within {longest:?}");
        sleep(Duration::from_millis(20));
    }
    began.elapsed()
}

/// Starts clients that live for longer than their lease, and kills them; how long the board took to have all back.
fn kill_all(board: &Board, client: &Client) -> Duration {
    let (before, expired) = (settled(client), held(client).1);
    assert_eq!(before[..3], [0; 3], "processes, ranges and slots");
    let lease = LEASE.as_secs().to_string();
    let args = ["bench", "write", "-D", "600", "--board", board.address(), "--lease", &lease];
    let start = || mneme(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    let mut clients: Vec<Child> = (0..CLIENTS).map(|_| start()).collect();
    wait_until("all are at work", GRACE, || held(client).0 == CLIENTS as u64);
    // It is kept.
    sleep(LEASE + LEASE / 2);
    assert_eq!(held(client), (CLIENTS as u64, expired), "processes, and leases that ran out");
    let now = everything(client);
    assert!(
        now.iter().zip(before).all(|(now, before)| *now >= before + CLIENTS as u64),
        "{now:?}, {before:?}"
    );
    clients.iter_mut().for_each(|client| client.kill().expect("killed"));
    let began = Instant::now();
    loop {
        let left = everything(client);
        if left == before {
            break;
        }
        assert!(began.elapsed() < LEASE + GRACE, "{left:?} is left, it was {before:?} before");
        sleep(Duration::from_millis(20));
    }
    let took = began.elapsed();
    for client in &mut clients {
        client.wait().expect("gone");
    }
    assert_eq!(held(client).1 - expired, CLIENTS as u64);
    took
}

#[test]
fn a_hundred_killed_clients_leave_nothing_behind() {
    let board = Board::start(&[]);
    let client = watcher(&board);
    let mut rounds = Vec::new();
    while rounds.last().is_none_or(|took| *took > LEASE + SOON) {
        assert!(
            rounds.len() < ROUNDS,
            "with leases of {LEASE:?} everything was back only after {rounds:.2?}"
        );
        rounds.push(kill_all(&board, &client));
    }
    println!("{CLIENTS} killed clients: everything was back after {rounds:.2?}, with leases of {LEASE:?}");
}

/// Without a lease it stays, for who asks for that.
#[test]
fn no_lease_is_for_those_who_ask() {
    let board = Board::start(&[]);
    let client = watcher(&board);
    let args = ["bench", "write", "-D", "600", "--board", board.address(), "--lease", "0"];
    let mut child = mneme(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
    wait_until("it is at work", GRACE, || held(&client).0 == 1);
    child.kill().expect("killed");
    child.wait().expect("gone");
    sleep(Duration::from_secs(2));
    assert_eq!(held(&client), (1, 0));
}

/// Interrupts a command that has its process open; what it prints, with its exit code.
fn interrupted(board: &Board, client: &Client, args: &[&str]) -> (String, String, Option<i32>) {
    let before = held(client).0;
    let mut command = mneme(&[args, &["--board", board.address()]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    wait_until("it is at work", GRACE, || held(client).0 > before);
    sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("ended");
    wait_until("it has freed what it had", GRACE, || held(client).0 == before);
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn an_interrupted_bench_prints_what_it_measured_and_frees() {
    let board = Board::start(&[]);
    let client = watcher(&board);
    let (out, err, code) = interrupted(&board, &client, &["bench", "read", "-D", "600"]);
    assert!(out.contains("MsgRate"), "the table: {out}");
    assert!(err.contains("interrupted") && err.contains("MNM-1011"), "{err}");
    assert_eq!((code, held(&client).1), (Some(1), 0));
}

#[test]
fn an_interrupted_copy_says_how_far_it_came_and_frees() {
    let board = Board::start(&[]);
    let client = watcher(&board);
    let folder = tempfile::tempdir().expect("a folder");
    // A file of zeros takes no room on the disk.
    let path = folder.path().join("zeros");
    std::fs::File::create(&path).expect("made").set_len(200 << 20).expect("made long");
    let path = path.to_str().expect("a plain name");
    let (_, err, code) = interrupted(&board, &client, &["cp", "--limit", "200M", path]);
    assert!(err.contains("written or read back") && err.contains("MNM-1011"), "{err}");
    assert_eq!((code, held(&client).1), (Some(1), 0));
}

/// A way to a board that takes its time: where a trace can be interrupted.
fn slow_way(board: &str) -> String {
    const DELAY: Duration = Duration::from_millis(50);
    let (near, far) =
        (UdpSocket::bind("127.0.0.1:0").expect("a port"), UdpSocket::bind("127.0.0.1:0").expect("a port"));
    far.connect(board).expect("the board's address");
    far.set_read_timeout(Some(DELAY)).expect("a time");
    let address = near.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        let mut bytes = [0; 2048];
        // One request at a time, as a trace has them; another attempt's answer waits for its own turn.
        while let Ok((length, client)) = near.recv_from(&mut bytes) {
            far.send(&bytes[..length]).expect("sent");
            let Ok(length) = far.recv(&mut bytes) else { continue };
            sleep(DELAY);
            near.send_to(&bytes[..length], client).expect("answered");
        }
    });
    address
}

#[test]
fn an_interrupted_trace_prints_what_it_has_seen_and_frees() {
    let board = Board::start(&[]);
    let client = watcher(&board);
    let way = slow_way(board.address());
    let mut command = mneme(&["trace", "read", "--board", &way]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    wait_until("it is at work", GRACE, || held(&client).0 == 1);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("ended");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(out.contains("cycles on the board"), "the trace: {out}");
    assert!(err.contains("interrupted") && err.contains("MNM-1011"), "{err}");
    assert_eq!((output.status.code(), everything(&client)[..3].to_vec()), (Some(1), vec![0; 3]));
    assert_eq!(held(&client).1, 0, "it did not wait for its lease");
}
