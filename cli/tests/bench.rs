//! `mneme bench`, settings from files, and what is made of the description of the commands.
use crate::board;

use board::{Board, fails, mneme, run, text};

fn bench(board: &Board, args: &[&str]) -> serde_json::Value {
    let output = run(&[&["bench", args[0], "--board", board.address(), "--json"], &args[1..]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn every_operation_is_measured_and_bounds_can_fail() {
    let board = Board::start(&[]);
    for (args, bytes, iterations) in [
        (&["read", "-s", "3000", "-n", "40", "-t", "4"][..], 3000, 40),
        (&["write", "-s", "1", "-n", "30", "-q", "2"], 1, 60),
        (&["write", "-s", "700", "-n", "30", "-t", "3", "-b"], 700, 60),
        (&["atomic", "-n", "25", "-t", "2"], 8, 25),
        (&["alloc", "-s", "300000", "-n", "5"], 300_000, 5),
    ] {
        let report = bench(&board, args);
        let row = &report["rows"][0];
        assert_eq!((&row["bytes"], &row["iterations"]), (&bytes.into(), &iterations.into()), "{args:?}");
        let [least, typical, most] =
            ["t_min_us", "t_typical_us", "t_max_us"].map(|name| row[name].as_f64().expect("a time"));
        assert!(0.0 < least && least <= typical && typical <= most, "{row}");
        assert!(row["msg_rate_mpps"].as_f64() > Some(0.0));
    }
    let all = bench(&board, &["read", "-a", "-n", "2"]);
    let sizes: Vec<_> = all["rows"].as_array().unwrap().iter().map(|row| row["bytes"].as_u64()).collect();
    assert_eq!(sizes, (1..=20).map(|log2| Some(1 << log2)).collect::<Vec<_>>());
    let timed = bench(&board, &["read", "-D", "1"]);
    assert!(timed["rows"][0]["iterations"].as_u64() > Some(100));
    let at = ["bench", "read", "--board", board.address(), "-n", "20"];
    fails(&[&at[..], &["--max-p99", "0.001"]].concat(), "p99 of");
    fails(&[&at[..], &["--min-rate", "1e12"]].concat(), "operations per second, at least");
    fails(&["bench", "alloc", "-b", "--board", board.address()], "-b goes with read and write");
    fails(
        &["bench", "alloc", "-s", "60000000", "-t", "200", "-n", "200", "--board", board.address()],
        "no remote memory for",
    );
    let output = run(&["bench", "read", "--board", board.address()]);
    assert!(text(&output.stdout).contains("t_typical"), "{}", text(&output.stdout));
    board.end();
}

#[test]
fn settings_come_from_a_file_and_a_misspelt_one_is_an_error() {
    let board = Board::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let with = |text: &str| {
        std::fs::write(&file, text).unwrap();
        mneme(&["ping", "--json", "-n", "1"]).env("MNEME_CONFIG", &file).output().unwrap()
    };
    let output = with(&format!("board = \"{}\"\n[ping]\ntimeout = 3\n", board.address()));
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (wrong, words) in [
        ("bord = \"x\"", "did you mean `board`?"),
        ("[ping]\ntimeout = [1]", "neither text"),
        ("=", "the settings in"),
    ] {
        let output = with(wrong);
        assert!(!output.status.success() && text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    let output = with(&format!("[all]\nboard = \"{}\"\n[board]\nwindow = 300\n", board.address()));
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::remove_file(&file).unwrap();
    let output = mneme(&["ping"]).env("MNEME_CONFIG", &file).output().unwrap();
    assert!(!output.status.success() && text(&output.stderr).contains("reading the settings"));
    board.end();
}

#[test]
fn variables_that_nothing_reads_are_errors_and_every_error_has_an_id() {
    let said = |name: &str, value: &str, args: &[&str]| {
        let output = mneme(args).env(name, value).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let misspelt = said("MNEME_BORD", "127.0.0.1:1", &["ping"]);
    assert!(
        misspelt.contains("did you mean `MNEME_BOARD`?") && misspelt.contains("\nMNM-1001 "),
        "{misspelt}"
    );
    let help = mneme(&["bench", "--help"]).env("MNEME_BORD", "x").output().unwrap();
    assert!(help.status.success(), "the remedy can be followed: {}", text(&help.stderr));
    assert!(said("MNEME_LOG", "mneme=loud", &["ping"]).contains("MNEME_LOG is `mneme=loud`"));
    let silent = said("MNEME_TIMEOUT", "0.05", &["ping", "--board", "192.0.2.1:9"]);
    assert!(silent.contains("\nMNM-0002 ") || silent.contains("\nMNM-0042 "), "{silent}");
    for (args, id) in [
        (&["bench", "atomic", "-b"][..], "MNM-1002"),
        (&["cp", "--limit", "0", "."], "MNM-1002"),
        (&["board", "--config", "no-such"], "MNM-1004"),
        (&["man", "/proc/none"], "MNM-1009"),
        (&["ping", "--driver", "tpacket", "--interface", "no-such-0"], "MNM-0038"),
    ] {
        let output = run(args);
        let (wrong, said) = (output.status.code() == Some(1), text(&output.stderr));
        assert!(wrong && said.contains(&format!("\n{id} ")), "{args:?}: {said}");
    }
}

#[test]
fn completions_and_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success() && text(&output.stdout).contains("max-p99"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["man", folder.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("mneme-bench.1")).unwrap();
    assert!(page.contains("min\\-rate"), "{page}");
}
