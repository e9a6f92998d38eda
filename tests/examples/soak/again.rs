//! The command that comes to a round again, and how long rounds go on. It needs nothing of this crate: `cargo xtask` has a test that
//! reads the command as its own.

/// Minutes for which new rounds begin, when nothing else is asked for.
pub const MINUTES: u64 = 60;

/// Minutes for which new rounds begin. Who names a number of rounds wants all of them, however long they take.
pub fn minutes(asked: Option<u64>, rounds: Option<u64>) -> Option<u64> {
    asked.or(rounds.is_none().then_some(MINUTES))
}

/// The command that runs a board's rounds up to this one.
pub fn again(short: bool, seed: u64, board: &str, rounds: u64) -> String {
    let short = if short { " --short" } else { "" };
    format!("cargo xtask soak{short} --seed {seed} --boards {board} --rounds {rounds}")
}
