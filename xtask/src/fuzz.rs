//! `cargo xtask fuzz`: libFuzzer, guided by coverage, feeds hostile bytes to the targets of fuzz/.
//!
//! cargo-fuzz without a sanitizer takes a stable compiler: the passes that count coverage are LLVM's own.
use std::collections::BTreeSet;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{capture, describe, root, run, target_dir};
use crate::setup;

/// The corpus of the repository, a folder per target.
const CORPUS: &str = "fuzz/corpus";
/// Bounds of each input: its bytes, its seconds by the clock (on a machine that had others to serve, inputs of a tenth of a second
/// took over ten), and the mebibytes of the process.
const BOUNDS: [&str; 3] = ["-max_len=2048", "-timeout=30", "-rss_limit_mb=1024"];

/// Seconds that are a short run.
const SHORT: u64 = 60;

/// How the fuzzer runs.
#[derive(clap::Args)]
pub struct Options {
    /// How long, all targets together; building them comes before.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub seconds: u64,
    /// Only this target.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Decides the mutations; told when it is not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub seed: Option<u32>,
    /// Replace the corpus fuzz/corpus by the smallest that reaches all code that it and the runs so far reached.
    #[arg(long)]
    pub save: bool,
    /// Run this input alone, in the target of its folder's name.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seconds", "target", "seed", "save"])]
    pub input: Option<PathBuf>,
}

/// cargo-fuzz, as it is set up here.
struct Fuzzer {
    program: PathBuf,
    /// The run is over before an optimised build of everything has paid.
    short: bool,
}

impl Fuzzer {
    /// `cargo fuzz SUBCOMMAND`, built without a sanitizer.
    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(root()).args([subcommand, "--sanitizer=none"]);
        // As profile `ci` has them: they halve the time to build.
        command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        command.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        if self.short {
            command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        }
        command
    }
    fn targets(&self) -> Result<Vec<String>> {
        let list = capture(Command::new(&self.program).current_dir(root()).arg("list"))?;
        Ok(list.lines().map(str::to_owned).collect())
    }
}

/// Runs the kept inputs, then mutations of them. Fails when a property is broken, and tells the input's file.
pub fn run_fuzz(options: &Options) -> Result<()> {
    let fuzzer = Fuzzer { program: setup::run_fuzz_setup()?, short: options.seconds <= SHORT };
    if let Some(input) = &options.input {
        return replay(&fuzzer, input);
    }
    let mut targets = fuzzer.targets()?;
    if let Some(wanted) = &options.target {
        if !targets.contains(wanted) {
            bail!("no target {wanted}; there are {}", targets.join(", "));
        }
        targets = vec![wanted.clone()];
    }
    run(&mut fuzzer.command("build"))?;
    let seed = options.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() as u32 | 1);
    println!("seed {seed}");
    let seconds = (options.seconds / targets.len() as u64).max(1);
    let mut broken = Vec::new();
    for target in &targets {
        match fuzz(&fuzzer, target, seconds, seed) {
            Ok(line) => println!("{target}: {line}"),
            Err(error) => broken.push(format!("{target}: {error:#}")),
        }
    }
    if !broken.is_empty() {
        bail!(broken.join("\n"));
    }
    if options.save {
        for target in &targets {
            save(&fuzzer, target)?;
        }
    }
    Ok(())
}

/// Where inputs go that reach something new; the next run begins with them.
fn found(target: &str) -> Result<PathBuf> {
    let folder = target_dir()?.join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    Ok(folder)
}

/// Fuzzes one target; the line that libFuzzer ends with.
fn fuzz(fuzzer: &Fuzzer, target: &str, seconds: u64, seed: u32) -> Result<String> {
    let kept = Path::new(CORPUS).join(target);
    if !root().join(&kept).read_dir().is_ok_and(|mut files| files.next().is_some()) {
        bail!("no corpus {}", kept.display());
    }
    let mut command = fuzzer.command("run");
    command.arg(target).arg(found(target)?).arg(kept);
    let regressions = Path::new("fuzz/regressions").join(target);
    if root().join(&regressions).is_dir() {
        command.arg(regressions);
    }
    command.arg("--").args(BOUNDS).arg(format!("-max_total_time={seconds}")).arg(format!("-seed={seed}"));
    println!("$ {}", describe(&command));
    let path = target_dir()?.join("fuzz").join(format!("{target}.log"));
    let log = File::create(&path).with_context(|| format!("creating {}", path.display()))?;
    let status = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).status()?;
    // What panics print may be anything.
    let log = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
    if !status.success() {
        let wrote =
            log.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, file)| file);
        let Some(wrote) = wrote else { bail!("no run: {status}\n{}", last(&log, 30)) };
        let file = Path::new(wrote).strip_prefix(root()).unwrap_or(Path::new(wrote));
        bail!(
            "a property is broken; again with `cargo xtask fuzz --input {}`\n{}",
            file.display(),
            broken(&log)
        );
    }
    let done = log.lines().rev().find(|line| line.contains("DONE") && line.contains("cov: "));
    let done = done.with_context(|| format!("libFuzzer told no coverage\n{}", last(&log, 30)))?;
    Ok(done.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What was said of the input: the panic, or libFuzzer's own verdict about time and memory.
fn broken(log: &str) -> String {
    let said =
        log.lines().skip_while(|line| !line.contains("panicked at") && !line.contains("ERROR: libFuzzer"));
    said.take(12).collect::<Vec<_>>().join("\n")
}

fn last(log: &str, lines: usize) -> String {
    let all: Vec<&str> = log.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

fn replay(fuzzer: &Fuzzer, input: &Path) -> Result<()> {
    let input = std::path::absolute(input)?;
    let folder = input.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    if !fuzzer.targets()?.contains(&folder) {
        bail!("{} lies in no target's folder", input.display());
    }
    run(fuzzer.command("run").arg(folder).arg(input).arg("--").args(BOUNDS).env("RUST_BACKTRACE", "1"))
}

/// Makes the smallest corpus that reaches all that the kept and the found inputs reach.
fn save(fuzzer: &Fuzzer, target: &str) -> Result<()> {
    let kept = root().join(CORPUS).join(target);
    let fresh = target_dir()?.join("fuzz/merged").join(target);
    if fresh.is_dir() {
        std::fs::remove_dir_all(&fresh)?;
    }
    std::fs::create_dir_all(&fresh)?;
    let mut merge = fuzzer.command("run");
    merge.arg(target).args([&fresh, &kept, &found(target)?]).arg("--").args(BOUNDS);
    // How often an input passes an edge does not count here: the corpus stays small.
    merge.args(["-set_cover_merge=1", "-use_counters=0"]);
    run(&mut merge)?;
    let (before, after) = (names(&kept)?, names(&fresh)?);
    for name in before.difference(&after) {
        std::fs::remove_file(kept.join(name))?;
    }
    for name in after.difference(&before) {
        std::fs::copy(fresh.join(name), kept.join(name))?;
    }
    println!("{target}: {} inputs, of {} before", after.len(), before.len());
    Ok(())
}

fn names(folder: &Path) -> Result<BTreeSet<std::ffi::OsString>> {
    let entries = folder.read_dir().with_context(|| format!("reading {}", folder.display()))?;
    Ok(entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<_>>()?)
}
