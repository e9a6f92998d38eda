//! `mneme board --rdma` and `mneme rdma`: what is measured and counted, and in which words a board that cannot be reached so is refused.
use crate::board;

use board::{Board, fails, mneme, run, text};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// An address of the loopback network that no other test has: RoCEv2 has one port for all.
pub fn address(test: u8, host: u8) -> String {
    let process = std::process::id();
    format!("127.{}.{}.{}", (process >> 8) as u8 & 0x7f | 1, process as u8, test << 4 | host)
}

/// A board of an address of its own.
fn rdma_board(test: u8, more: &[&str]) -> Board {
    let mut board =
        Board::start_at(&format!("{}:0", address(test, 1)), &[&["--rdma", "--memory", "1G"], more].concat());
    let line = board.line();
    assert_eq!(line, format!("RDMA on UDP {}:4791, see `mneme rdma`\n", address(test, 1)));
    board
}

fn rdma(board: &Board, args: &[&str]) -> Output {
    run(&[&["rdma", args[0], "--board", board.address()], &args[1..]].concat())
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&said(output)).expect("one JSON object")
}

/// What a board has counted; the command's own connection is among it.
fn counted(board: &Board) -> impl Fn(&str) -> u64 + use<> {
    let all = json(&rdma(board, &["stat", "--json"]));
    move |name| all[name].as_u64().unwrap_or_else(|| panic!("{name} in {all}"))
}

#[test]
fn every_verb_is_measured_and_the_board_counts_it() {
    let board = rdma_board(1, &[]);
    let ping = said(&rdma(&board, &["ping", "-c", "4", "-i", "0"]));
    assert!(ping.contains("speaks RDMA: queue pair 0x1"), "{ping}");
    assert!((1..=4).all(|read| ping.contains(&format!("\nREAD {read}: "))), "{ping}");
    assert!(!ping.contains("READ 5") && ping.contains("round trip min/avg/max"), "{ping}");
    for (args, bytes, operations) in [
        (&["bench", "read", "-s", "10000", "-n", "60", "--depth", "5"][..], 10_000, 60),
        (&["bench", "write", "-s", "1M", "-n", "20", "--depth", "16"], 1 << 20, 20),
        (&["bench", "write", "-s", "1", "-n", "50"], 1, 50),
        (&["bench", "atomic", "-n", "300", "--depth", "64"], 8, 300),
    ] {
        let report = json(&rdma(&board, &[args, &["--json"]].concat()));
        assert_eq!((&report["bytes"], &report["operations"]), (&bytes.into(), &operations.into()));
        let times = ["t_min_us", "t_p50_us", "t_p99_us", "t_max_us"].map(|name| report[name].as_f64());
        assert!(times[0] > Some(0.0) && times.is_sorted(), "{report}");
        assert!(report["operations_per_second"].as_f64() > Some(0.0), "{report}");
    }
    let table = said(&rdma(&board, &["bench", "read", "-n", "10"]));
    assert!(table.starts_with("10 of 64 bytes, 1 in flight: "), "{table}");
    let count = counted(&board);
    // Connections of six commands and of this one; those of the six have ended.
    assert_eq!((count("connections_made"), count("connections")), (7, 1));
    assert_eq!((count("connections_refused"), count("atomics"), count("writes")), (0, 300, 70));
    assert!(count("reads") >= 74, "{} reads", count("reads"));
    let (few, all) = (said(&rdma(&board, &["stat"])), said(&rdma(&board, &["stat", "--zeros"])));
    assert!(few.contains("300  atomics\n") && few.lines().count() < all.lines().count(), "{few}");
    let told = board.end();
    assert!(told.contains("RDMA atomics") && told.contains("RDMA connections made"), "{told}");
}

#[test]
fn pages_of_4_kb_are_measured_natively_and_by_odrps_functions() {
    let board = rdma_board(5, &[]);
    let ping = said(&rdma(&board, &["ping", "-c", "2", "-i", "0", "--kind", "frames"]));
    assert!(ping.contains("speaks RDMA") && ping.contains("\nREAD 2: "), "{ping}");
    let ping = said(&rdma(&board, &["ping", "-c", "2", "-i", "0", "--kind", "chain"]));
    assert!(ping.contains("speaks ODRP: 256 pages at 0x") && ping.contains("\nload 2: "), "{ping}");
    for (args, bytes, operations) in [
        (&["bench", "write", "--kind", "frames", "-s", "64K", "-n", "30", "--depth", "4"][..], 65_536, 30),
        (&["bench", "atomic", "--kind", "frames", "-n", "50"], 8, 50),
        (&["bench", "read", "--kind", "chain", "-n", "60", "--depth", "8"], 4096, 60),
        (&["bench", "write", "--kind", "chain", "-n", "40", "--depth", "3"], 4096, 40),
    ] {
        let report = json(&rdma(&board, &[args, &["--json"]].concat()));
        assert_eq!((&report["bytes"], &report["operations"]), (&bytes.into(), &operations.into()));
    }
    let args = ["rdma", "bench", "atomic", "--kind", "chain", "--board", board.address()];
    fails(&args, "ODRP has no atomics: measure them with --kind frames");
    let count = counted(&board);
    assert_eq!((count("chain_loads"), count("chain_stores_into_mapped_pages")), (62, 40));
    assert_eq!((count("segments"), count("frames_in_use")), (0, 0));
    assert_eq!((count("audits"), count("audits_that_found_something_wrong")), (1, 0));
}

/// What `check` says of ODRP's functions.
fn odrp(check: &str) {
    for line in [
        "512 words written by ODRP's store, read by the library: all are equal",
        "512 words written by ODRP's store into a new page, read by the library: all are equal",
        "512 words written by the library, read by ODRP's load: all are equal",
        "1 page given up by ODRP's invalidate: the library reads zeros",
    ] {
        assert!(check.contains(line), "{line} in {check}");
    }
}

/// What a board has counted then.
fn chains_of_check(count: &impl Fn(&str) -> u64) {
    let stores = (count("chain_stores_into_mapped_pages"), count("chain_stores_into_unmapped_pages"));
    assert_eq!((count("chain_loads"), stores, count("chain_connections")), (1, (1, 1), 0));
}

#[test]
fn the_library_and_rdma_meet_on_the_same_pages() {
    let board = rdma_board(7, &[]);
    let check = said(&rdma(&board, &["check"]));
    let equal = |writer: &str, reader: &str| {
        let line = format!("\n512 words written by {writer}, read by {reader}: all are equal\n");
        assert!(check.contains(&line), "{line} in {check}");
    };
    equal("the library", "RDMA READ");
    equal("RDMA WRITE", "the library");
    odrp(&check);
    for line in [
        "64 additions each to one word, in turns",
        "2 swaps of one word",
        "12 lengths in flight, 109161 bytes written by RDMA WRITEs, read by the library: all are equal",
        "12 lengths in flight, 109161 bytes written by the library, read by RDMA READs: all are equal",
        "2 pages given up by RDMA's FREE: both read zeros",
    ] {
        assert!(check.contains(line), "{line} in {check}");
    }
    let count = counted(&board);
    assert_eq!((count("atomics"), count("frames_in_use")), (66, 0));
    chains_of_check(&count);
    // Each connection has its queue pair, a native one its region, too: here the reader's own.
    assert_eq!((count("connections"), count("regions")), (1, 1));
    board.end();
}

#[test]
fn the_rtl_board_answers_rdma_itself() {
    let mut board = Board::start_at(&format!("{}:0", address(9, 1)), &["--kind", "rtl", "--rdma"]);
    assert_eq!(board.line(), format!("RDMA on UDP {}:4791, see `mneme rdma`\n", address(9, 1)));
    let ping = said(&rdma(&board, &["ping", "-c", "3", "-i", "0"]));
    assert!(ping.contains("speaks RDMA: queue pair 0x") && ping.contains("\nREAD 3: "), "{ping}");
    for args in
        [&["bench", "read", "-s", "10000", "-n", "20"][..], &["bench", "write", "-s", "5000", "-n", "20"]]
    {
        let report = json(&rdma(&board, &[args, &["--json"]].concat()));
        assert_eq!(report["operations"], 20);
    }
    let check = said(&rdma(&board, &["check"]));
    assert!(check.starts_with("64 pages of 4 KB at ") && !check.contains(", without"), "{check}");
    assert!(check.contains("written by RDMA WRITE, read by the library: all are equal"), "{check}");
    odrp(&check);
    chains_of_check(&counted(&board));
    let ping = said(&rdma(&board, &["ping", "-c", "1", "--kind", "frames"]));
    assert!(ping.contains("\nREAD 1: "), "{ping}");
    let ping = said(&rdma(&board, &["ping", "-c", "1", "--kind", "chain"]));
    assert!(ping.contains("\nload 1: "), "{ping}");
    for way in ["read", "write"] {
        let report =
            json(&rdma(&board, &["bench", way, "--kind", "chain", "-n", "20", "--depth", "8", "--json"]));
        assert_eq!(report["operations"], 20, "{way}");
    }
    let count = counted(&board);
    assert_eq!((count("chain_loads"), count("chain_stores_into_mapped_pages")), (22, 21));
    // 64 additions and two swaps of the check; it WRITEs a page, and more in several lengths.
    assert_eq!((count("atomics"), count("connections")), (66, 1));
    assert!(count("writes") > 21, "{} writes", count("writes"));
    assert!(count("reads") > 3 + 20 && count("acknowledges") > 20, "{} reads", count("reads"));
    let told = board.end();
    assert!(told.contains("RDMA port RX_PACKETS") && told.contains("RDMA connections made"), "{told}");
}

#[test]
fn the_memory_of_perftests_tests_is_told_to_the_boards_owner_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    // What somebody else may read is not written to.
    std::fs::write(&file, "before").expect("written");
    let mut board = rdma_board(10, &["--perftest", "--perftest-token", file.to_str().expect("text")]);
    let own = address(10, 1);
    assert_eq!(
        board.line(),
        format!(
            "perftest on TCP {own}:18516: ib_write_bw -p 18516 {own}, ib_send_bw -p 18517 {own}, ib_send_lat -p 18518 {own}\n"
        )
    );
    let began = Instant::now();
    let told = loop {
        let told = std::fs::read_to_string(&file).unwrap_or_default();
        if told.ends_with('\n') {
            break told;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{told:?}");
        std::thread::sleep(Duration::from_millis(10));
    };
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let fields: Vec<&str> = told.split_whitespace().collect();
    assert_eq!((fields.len(), fields[1].len(), fields[3]), (4, 32, "8388608"), "{told}");
    let processes = text(&run(&["ps", "--board", board.address()]).stdout);
    assert!(processes.contains(fields[0]), "{processes}");
    // Somebody says nonsense: the log tells who and why.
    let mut stream = TcpStream::connect((own.as_str(), 18_516)).expect("it listens");
    stream.write_all(&[0xff; 16]).expect("sent");
    assert_eq!(stream.read(&mut [0; 1]).unwrap_or(0), 0, "the board ends it");
    assert_eq!(counted(&board)("tests_refused_for_nonsense"), 1);
    board.end();
}

#[test]
fn a_cap_that_no_board_has_is_refused_in_words() {
    let listen = format!("{}:0", address(12, 1));
    let refused = |more: &[&str], why: &str| {
        let output = run(&[&["board", "--listen", &listen], more].concat());
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{more:?}: {said}");
    };
    for (cap, why) in
        [("1M", "a connection's cap is 15625000"), ("16G", "bytes a second"), ("fast", "is no size")]
    {
        refused(&["--rdma", "--rdma-cap", cap], why);
    }
    refused(&["--rdma-cap", "100M"], "--rdma");
    let board = rdma_board(12, &["--rdma-cap", "100M"]);
    board.end();
}

#[test]
fn boards_that_cannot_be_reached_so_are_refused_in_words() {
    // RDMA was not asked for: nobody answers on its port.
    let plain = Board::start_at(&format!("{}:0", address(2, 1)), &[]);
    for command in [&["ping"][..], &["bench", "write"], &["stat"]] {
        let args = [&["rdma"], command, &["--board", plain.address(), "--timeout", "0.5"]].concat();
        fails(&args, "nobody answers on UDP port 4791: does the board serve RDMA (`mneme board --rdma`)?");
    }
    plain.end();
    let board = rdma_board(3, &[]);
    // A machine without the libraries says so, one with them what devices it has.
    let args = ["rdma", "ping", "--board", board.address(), "--device", "none-of-these"];
    let there = mneme_verbs::devices();
    fails(
        &args,
        if there.is_ok() { "there is no RDMA device none-of-these" } else { "libibverbs1, librdmacm1" },
    );
    let chain = [&args[..], &["--kind", "chain"]].concat();
    fails(&chain, "go by no device: leave out --device none-of-these");
    let ping = |from: &str, words: &str| {
        fails(&["rdma", "ping", "--board", board.address(), "--from", from], words);
    };
    ping("192.0.2.7", "192.0.2.7 is no address of this machine");
    ping("0.0.0.0", "0.0.0.0 is no single address");
    ping(&address(3, 1), "is taken: by another program");
    let output = rdma(&board, &["ping", "--from", "here"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    // No board at all.
    fails(&["rdma", "ping", "--board", &format!("{}:9", address(3, 2)), "--timeout", "0.3"], "error: ");
    // What cannot be measured.
    for args in [
        &["bench", "read", "-s", "0"][..],
        &["bench", "read", "-s", "2M"],
        &["bench", "write", "--depth", "65"],
        &["bench", "send"],
        &["ping", "-i", "-1"],
    ] {
        let output = rdma(&board, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
    }
    assert_eq!(counted(&board)("connections_made"), 1, "that of `stat`");
}

#[test]
fn a_board_that_asks_for_tags_refuses_rdma_and_says_why() {
    let home = tempfile::tempdir().expect("a folder");
    let own = |args: &[&str]| {
        let mut command = mneme(args);
        command.env("HOME", home.path()).env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        command
    };
    let does = |args: &[&str]| said(&own(args).output().expect("it runs")).trim().to_owned();
    does(&["tenant", "add", "alice", &does(&["tenant", "keygen"])]);
    let path = |name: &str| home.path().join(name).to_str().expect("text").to_owned();
    let (tenants, state) = (path(".config/mneme/tenants"), path("state.json"));
    let mut board = rdma_board(4, &["--tenants", &tenants, "--state", &state]);
    let line = board.line();
    assert!(line.contains("tags for all requests"), "{line}");
    does(&["tenant", "pin", board.address(), line.split([' ', ':']).nth(2).expect("a key")]);
    for command in [&["ping"][..], &["bench", "read"], &["stat"]] {
        let output =
            own(&[&["rdma"], command, &["--board", board.address()]].concat()).output().expect("it runs");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("the board asks for tags, and RoCEv2 has none: it serves no RDMA"), "{said}");
        assert!(said.contains("\nMNM-1016 "), "{said}");
    }
    let told = board.end();
    assert!(told.contains("RDMA connections refused: tags"), "{told}");
}

#[test]
fn boards_that_cannot_serve_rdma_do_not_start() {
    let first = rdma_board(5, &[]);
    let again = format!("{}:0", address(5, 1));
    fails(&["board", "--rdma", "--listen", &again], "UDP port 4791 of");
    // Behind the warning that everybody is trusted.
    let any = run(&["board", "--rdma", "--listen", "0.0.0.0:0", "--trust-network"]);
    assert_eq!(any.status.code(), Some(1));
    assert!(
        text(&any.stderr).contains("\nerror: no RDMA port: 0.0.0.0 is no single address"),
        "{}",
        text(&any.stderr)
    );
    let rtl = ["board", "--rdma", "--kind", "rtl", "--listen", "127.0.0.1:0"];
    fails(
        &[&rtl[..], &["--config", "sim"]].concat(),
        "no RDMA port on the RTL board `sim`: it was built without: `--config rdma` has one",
    );
    first.end();
}

#[test]
fn what_a_killed_client_has_ends_with_the_lease_of_its_process() {
    let board = rdma_board(6, &[]);
    let args = ["rdma", "ping", "--board", board.address(), "-c", "0", "-i", "0.01", "--lease", "1"];
    let mut client = mneme(&args).stdout(Stdio::null()).spawn().expect("it runs");
    let until = Instant::now() + Duration::from_secs(20);
    while counted(&board)("connections") < 2 {
        assert!(Instant::now() < until, "it does not connect");
    }
    client.kill().expect("killed");
    client.wait().expect("gone");
    let until = Instant::now() + Duration::from_secs(60);
    while counted(&board)("connections") > 1 {
        assert!(Instant::now() < until, "its connection does not end");
        std::thread::sleep(Duration::from_millis(200));
    }
    let count = counted(&board);
    assert_eq!(count("connections_ended_with_their_process"), 1);
    board.end();
}
