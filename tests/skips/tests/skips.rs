//! What tests say of themselves arrives, whichever process says it.
use std::process::Command;

use mneme_skips::{FILE, Lack, Skip, note, read, skipped};

/// Set in the processes that this file's test starts: which of them one is.
const NUMBER: &str = "MNEME_SKIPS_TEST_NUMBER";

fn skip(lack: Lack, test: &str, reason: &str) -> Skip {
    Skip { lack, reason: reason.into(), test: test.into() }
}

/// Does nothing but in the processes that the next test starts.
#[test]
fn one_of_several_processes() {
    let Ok(number) = std::env::var(NUMBER) else { return };
    for round in 0..100 {
        skipped(&format!("test {number}"), Lack::System, format_args!("round\t{round}\nof many"));
    }
}

#[test]
fn skips_of_several_processes_arrive_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("skips");
    assert_eq!(read(&file).expect("no file is no skip"), []);
    let start = |number: usize| {
        let mut again = Command::new(std::env::current_exe().expect("this program"));
        again.args(["--exact", "one_of_several_processes"]).env(FILE, &file);
        again.env(NUMBER, number.to_string()).output()
    };
    let outputs = std::thread::scope(|scope| {
        let started: Vec<_> = (0..3).map(|number| scope.spawn(move || start(number))).collect();
        started.into_iter().map(|thread| thread.join().expect("no panic")).collect::<Vec<_>>()
    });
    for output in outputs {
        let output = output.expect("it ran");
        assert!(output.status.success(), "{output:?}");
        // Though the test passed and its output was kept back.
        assert!(String::from_utf8_lossy(&output.stderr).contains(": skipped, for round 7 of many"));
    }
    let mut expected: Vec<_> = (0..300)
        .map(|n| skip(Lack::System, &format!("test {}", n / 100), &format!("round {} of many", n % 100)))
        .collect();
    expected.sort();
    assert_eq!(read(&file).expect("the file"), expected);
}

#[test]
fn a_skip_is_read_once_however_often_it_was_noted_and_rubbish_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("skips");
    let (first, second) = (skip(Lack::Privileges, "b", "x"), skip(Lack::System, "a", "y"));
    for one in [&second, &first, &second] {
        note(&file, one).expect("noted");
    }
    assert_eq!(read(&file).expect("the file"), [first, second]);
    for rubbish in ["", "privileges\tb", "luck\tb\tx", "system\ta\ty\tz"] {
        std::fs::write(&file, format!("{rubbish}\n")).expect("written");
        assert!(read(&file).is_err(), "{rubbish:?}");
    }
}
