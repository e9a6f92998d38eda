//! `mneme doctor`, and the options that choose a driver.
use crate::board;

use board::{Board, fails, run, text};
use serde_json::Value;

fn doctor(args: &[&str]) -> (Option<i32>, Value) {
    let output = run(&[&["doctor", "--json"], args].concat());
    let report =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    (output.status.code(), report)
}

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().expect("a list");
    checks
        .iter()
        .find(|check| check["name"] == name)
        .unwrap_or_else(|| panic!("no check of {name}: {report}"))
}

#[test]
fn a_machine_with_sockets_passes_and_every_warning_has_a_remedy() {
    let board = Board::start(&[]);
    let (code, report) = doctor(&["--board", board.address()]);
    assert_eq!(code, Some(0), "{report}");
    let checks = report["checks"].as_array().expect("a list");
    assert!(checks.len() >= 30, "{} checks", checks.len());
    for check in checks {
        assert!(!check["found"].as_str().unwrap_or_default().is_empty(), "{check}");
        assert_eq!(check["state"] == "ok", check["remedy"].is_null(), "{check}");
    }
    assert_eq!(check(&report, "UDP sockets")["state"], "ok");
    assert_eq!(check(&report, "board: wire version")["state"], "ok");
    let choice = check(&report, "board: --driver auto")["found"].as_str().unwrap_or_default();
    assert!(choice.starts_with("takes udp; not tpacket: "), "raw drivers do not know loopback: {choice}");
    let counted = ["ok", "warnings", "failures"].map(|field| report[field].as_u64().unwrap_or(0));
    assert_eq!(counted.iter().sum::<u64>(), checks.len() as u64);
}

#[test]
fn a_board_that_does_not_answer_is_a_failure_with_a_remedy() {
    let free =
        std::net::UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a port");
    let (code, report) = doctor(&["--board", &free.to_string()]);
    assert_eq!(code, Some(1));
    let answer = check(&report, "board: answer");
    assert_eq!(answer["state"], "fail");
    assert!(answer["remedy"].as_str().is_some_and(|remedy| remedy.contains("mneme board")), "{answer}");
    let (code, report) = doctor(&["--board", "nowhere"]);
    assert_eq!((code, &check(&report, "board: address")["state"]), (Some(1), &Value::from("fail")));
}

#[test]
fn drivers_that_cannot_be_are_refused_with_what_would_work() {
    let output = run(&["ping", "--driver", "fastest"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("auto, udp, pnet, tpacket and afxdp"), "{}", text(&output.stderr));
    let output = run(&["ping", "--neighbour", "ff:ff:ff:ff:ff:ff"]);
    assert!(text(&output.stderr).contains("no MAC address of one interface"), "{}", text(&output.stderr));
    fails(&["ping", "--driver", "tpacket", "--interface", "no-such-0"], "no network interface `no-such-0`");
    fails(&["board", "--driver", "tpacket", "--interface", "no-such-0"], "no network interface `no-such-0`");
    fails(&["board", "--driver", "auto"], "--driver udp");
    let output = run(&["board", "--driver", "pnet"]);
    assert_eq!(output.status.code(), Some(2), "an interface is needed: {}", text(&output.stderr));
}

#[test]
fn auto_works_everywhere_and_says_what_it_took() {
    let board = Board::start(&[]);
    let output = run(&["ping", "--driver", "auto", "--board", board.address()]);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("driver udp\n  not tpacket: ") && said.contains("\n  not afxdp: "), "{said}");
}
