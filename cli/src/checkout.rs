//! A checkout of the project, which builds boards that this program does not have: `cargo xtask board`.
use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names the checkout, from wherever the command is called.
pub const VARIABLE: &str = "MNEME_CHECKOUT";
/// What a checkout has, from its top.
const MARKS: [&str; 2] = ["xtask/Cargo.toml", "hw/build.sbt"];

/// The folder of a board's library, which the checkout builds unless it has it. It is looked for here, above here, and where the
/// configuration lies. What the build says goes to standard error.
pub fn library(configuration: &OsStr, near: Option<&Path>, traced: bool) -> Result<PathBuf> {
    let traced = traced.then_some("--traced");
    let top = find(near, || {
        let task: Vec<_> = ["cargo xtask board --build-only"].into_iter().chain(traced).collect();
        format!("{} {}", task.join(" "), configuration.display())
    })?;
    let mut build = Command::new("cargo");
    build.current_dir(&top).args(["xtask", "board", "--build-only"]);
    build.args(traced).arg(configuration);
    build.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = build.spawn().context("building the board: cannot start `cargo`")?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (said, failed) = std::thread::scope(|scope| {
        let failed = scope.spawn(|| relay(stderr, |line| line.strip_prefix("error: ").is_some()));
        (relay(stdout, |_| false), failed.join().unwrap_or_default())
    });
    let status = child.wait().context("building the board")?;
    if !status.success() {
        let why = failed.strip_prefix("error: ").unwrap_or("`cargo xtask board` failed");
        bail!("the board cannot be built: {why}");
    }
    Ok(PathBuf::from(said))
}

/// Shows what a build says as it comes, but for lines that are kept back; answers the last line.
fn relay(from: Option<impl Read>, kept: impl Fn(&str) -> bool) -> String {
    let mut last = String::new();
    for line in from.into_iter().flat_map(|from| BufReader::new(from).lines()).map_while(Result::ok) {
        if !kept(&line) {
            eprintln!("{line}");
        }
        last = line;
    }
    last
}

/// The checkout; where there is none, the error names the command that builds the board in one.
fn find(near: Option<&Path>, task: impl Fn() -> String) -> Result<PathBuf> {
    let is_checkout = |folder: &Path| MARKS.iter().all(|mark| folder.join(mark).is_file());
    if let Some(named) = env::var_os(VARIABLE) {
        let folder = PathBuf::from(named);
        if !is_checkout(&folder) {
            bail!("{VARIABLE} names {}, which is no checkout of the project", folder.display());
        }
        return Ok(folder);
    }
    let here = env::current_dir().context("the folder of this command is gone")?;
    let above = here.ancestors().chain(near.into_iter().flat_map(Path::ancestors));
    let found = above.into_iter().find(|folder| is_checkout(folder)).map(Path::to_path_buf);
    found.with_context(|| {
        format!(
            "this board is not part of the program and has to be built, which takes a checkout of the project: run the command in one, \
             name one by {VARIABLE}, or build the board there (`{}`) and give the folder that it names to --library",
            task()
        )
    })
}
