//! The examples with the compiler's sanitizers, and programs that misuse the library, which have to be found out.
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::check::{EXAMPLES, Installed, OF_TWO, VALGRIND, example};
use crate::process::{describe, root, run};

/// C code is compiled to check each access; the first finding ends the program.
const SANITIZERS: [&str; 5] =
    ["-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Leaks count, and a finding has an exit status of its own. The Rust code of the library is not instrumented, which takes
/// an unstable compiler; but its memory comes from the sanitizer's allocator, and the copies that it makes by `memcpy` are
/// checked.
const ASAN: &str = "detect_leaks=1:detect_stack_use_after_return=1:exitcode=9";
const UBSAN: &str = "print_stacktrace=1:exitcode=9";
/// The exit status of a finding, valgrind's too.
const FOUND: i32 = 9;

/// Ways to misuse the library, by their names in misuse.c, with what the sanitizers say of them and what valgrind does,
/// if it can tell.
const MISUSES: [(&str, &str, Option<&str>); 7] = [
    ("overrun", "heap-buffer-overflow", Some("Invalid write")),
    ("short-buffer", "heap-buffer-overflow", Some("Invalid write")),
    ("kept-name", "heap-use-after-free", Some("Invalid read")),
    ("kept-error", "heap-use-after-free", Some("Invalid read")),
    ("freed-early", "heap-use-after-free", Some("Invalid write")),
    ("leak", "detected memory leaks", Some("definitely lost")),
    ("misaligned", "misaligned address", None),
];

/// Runs the example that wants two boards, with sanitizers.
pub(super) fn run_of_two(installed: &Installed, boards: [&String; 2]) -> Result<()> {
    let program = installed.compile(&example(OF_TWO), "boards-sanitized", true, &SANITIZERS)?;
    run(sanitized(&program).args(boards))
}

/// Runs the examples with sanitizers against a board, then looks whether misuse is found by them and by valgrind.
pub(super) fn run_sanitized(installed: &Installed, board: &str) -> Result<()> {
    for name in EXAMPLES {
        let program = format!("{name}-sanitized");
        let program = installed.compile(&example(name), &program, true, &SANITIZERS)?;
        run(sanitized(&program).arg(board))?;
    }
    let source = root().join("clib/c/tests/misuse.c");
    let checked = installed.compile(&source, "misuse-sanitized", true, &SANITIZERS)?;
    let plain = installed.compile(&source, "misuse", true, &["-g"])?;
    let valgrind = || {
        let mut command = Command::new("valgrind");
        command.args(VALGRIND).arg(&plain);
        command
    };
    // What is said below is said of the misuse, then.
    run(sanitized(&checked).args(["none", board]))?;
    run(valgrind().args(["none", board]))?;
    for (misuse, by_sanitizers, by_valgrind) in MISUSES {
        finds(sanitized(&checked).args([misuse, board]), by_sanitizers)?;
        if let Some(words) = by_valgrind {
            finds(valgrind().args([misuse, board]), words)?;
        }
    }
    println!("{} kinds of misuse of the C interface: all found", MISUSES.len());
    Ok(())
}

fn sanitized(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("ASAN_OPTIONS", ASAN).env("UBSAN_OPTIONS", UBSAN);
    command
}

/// Fails unless the program is ended for what it does, in these words.
fn finds(command: &mut Command, words: &str) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let output = command.output().with_context(|| format!("cannot start `{line}`"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(FOUND) || !said.contains(words) {
        bail!("`{line}` was to be found out (`{words}`) and ended with {}:\n{said}", output.status);
    }
    Ok(())
}
