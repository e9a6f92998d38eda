//! Which Verilator builds the boards: for the crate's build script, and for `cargo xtask setup`, which takes the system's.

/// The oldest, which is Debian 12's. `mneme doctor` asks for the same.
pub const LEAST: (u32, u32) = (5, 6);

/// Why this one cannot build them, by what `verilator --version` says.
pub fn too_old(said: &str) -> Option<String> {
    let version = said.split_whitespace().nth(1)?;
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    let found = (numbers.next()??, numbers.next().flatten().unwrap_or(0));
    let (major, minor) = LEAST;
    (found < LEAST).then(|| {
        format!(
            "Verilator {version} is too old for the boards: {major}.{minor:03} is the first that builds them, which Debian 12 and Ubuntu \
             24.04 have; elsewhere build it (https://verilator.org/guide/latest/install.html) and let PATH find it first"
        )
    })
}
