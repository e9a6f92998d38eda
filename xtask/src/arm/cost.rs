//! `cargo xtask arm --cost`: what requests take of the slow path on a board's processor, in instructions.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::{LIBRARIES, LINKER, TARGET};
use crate::process::{capture, cargo, root, run, target_dir};
use crate::setup;

/// The program, of the crate mneme-slowpath; beside it is what counts.
const PROGRAM: &str = "request_cost";
/// At the highest fill level a request takes so many times the instructions of an empty memory, at most.
const MOST: f64 = 1.2;

/// A request of a kind, as the program tells it.
#[derive(serde::Deserialize)]
struct Line {
    request: Option<String>,
    full: u64,
    looks: u32,
    reads: u64,
    writes: u64,
}

/// All requests of a kind at a fill level.
#[derive(Default, Clone)]
struct Kind {
    instructions: Vec<u64>,
    reads: u64,
    writes: u64,
    looks: u32,
}

impl Kind {
    fn mean(&self) -> f64 {
        self.instructions.iter().sum::<u64>() as f64 / self.instructions.len().max(1) as f64
    }
    fn most(&self) -> u64 {
        self.instructions.iter().copied().max().unwrap_or_default()
    }
    fn each(&self, all: u64) -> f64 {
        all as f64 / self.instructions.len().max(1) as f64
    }
}

type Kinds = BTreeMap<(String, u64), Kind>;

/// A row of the figures.
#[derive(serde::Serialize)]
struct Row<'a> {
    request: &'a str,
    full_percent: u64,
    arm: f64,
    arm_most: u64,
    x86_64: f64,
    register_reads: f64,
    register_writes: f64,
    looks: u32,
}

/// What an emulator counted, a line for each of the program's.
fn read(lines: &str, counts: &str) -> Result<Kinds> {
    let mut kinds = Kinds::new();
    ensure!(lines.lines().count() == counts.lines().count(), "the emulator has told of other requests");
    for (line, count) in lines.lines().zip(counts.lines()) {
        let line: Line = serde_json::from_str(line).context("reading what the program tells")?;
        let count: u64 = count.trim().parse().context("reading what the emulator has counted")?;
        let Some(request) = line.request else { continue };
        ensure!(count > 0, "{request} took no instruction: the program's marks were not seen");
        let kind = kinds.entry((request, line.full)).or_default();
        kind.instructions.push(count);
        kind.reads += line.reads;
        kind.writes += line.writes;
        kind.looks = kind.looks.max(line.looks);
    }
    ensure!(!kinds.is_empty(), "no request was told");
    Ok(kinds)
}

/// Kinds that take more where memory is full, in words.
fn growing(kinds: &Kinds) -> Vec<String> {
    let mut ends: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for ((request, _), kind) in kinds {
        // Levels come in their order.
        let (_, last) = ends.entry(request).or_insert((kind.mean(), 0.0));
        *last = kind.mean();
    }
    let grown = |(request, (first, last)): (&str, (f64, f64))| {
        (last > MOST * first)
            .then(|| format!("{request}: {last:.0} instructions, {first:.0} in an empty memory"))
    };
    ends.into_iter().filter_map(grown).collect()
}

/// Builds the program for a target; its path.
fn program(target: &str) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--release", "-p", "mneme-slowpath", "--example", PROGRAM, "--target", target]);
    run(build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER))?;
    Ok(target_dir()?.join(target).join("release/examples").join(PROGRAM))
}

/// Runs it in an emulator that counts.
fn counted(emulator: &mut Command, plugin: &Path, program: &Path) -> Result<Kinds> {
    let counts = plugin.with_extension("counts");
    emulator.arg("-plugin").arg(plugin).args(["-d", "plugin", "-D"]).arg(&counts).arg(program);
    let lines = capture(emulator)?;
    let counts = std::fs::read_to_string(&counts).with_context(|| format!("reading {}", counts.display()))?;
    read(&lines, &counts)
}

fn table(rows: &[Row<'_>]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header([
        "request",
        "full %",
        "ARM, mean",
        "most",
        "of x86-64",
        "register reads",
        "writes",
    ]);
    for row in rows {
        table.add_row([
            row.request.to_owned(),
            row.full_percent.to_string(),
            format!("{:.0}", row.arm),
            row.arm_most.to_string(),
            format!("{:.2} ×", row.arm / row.x86_64),
            format!("{:.0}", row.register_reads),
            format!("{:.0}", row.register_writes),
        ]);
    }
    table
}

/// Counts for ARM, and for this machine's kind of processor beside it.
pub fn run_cost() -> Result<()> {
    setup::run_counting_setup()?;
    let out = target_dir()?.join("arm-cost");
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    let source = root().join("slowpath-arm/examples").join(PROGRAM).join("insn_count.c");
    let plugin = out.join("insn_count.so");
    run(Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
        .arg(&plugin)
        .arg(source))?;
    let library = format!("LD_LIBRARY_PATH={LIBRARIES}/lib");
    let mut arm = Command::new("qemu-aarch64");
    let arm = counted(arm.args(["-E", &library, "-L", LIBRARIES]), &plugin, &program(TARGET)?)?;
    let x86 = counted(&mut Command::new("qemu-x86_64"), &plugin, &program("x86_64-unknown-linux-gnu")?)?;
    let mut rows = Vec::new();
    for (key @ (request, full), kind) in &arm {
        let peer = x86.get(key).with_context(|| format!("{request} was not counted for x86-64"))?;
        rows.push(Row {
            request,
            full_percent: *full,
            arm: kind.mean(),
            arm_most: kind.most(),
            x86_64: peer.mean(),
            register_reads: kind.each(kind.reads),
            register_writes: kind.each(kind.writes),
            looks: kind.looks,
        });
    }
    println!("{}", table(&rows));
    let json = out.join("arm-cost.json");
    let text = serde_json::to_vec_pretty(&rows).context("writing the figures")?;
    std::fs::write(&json, text).with_context(|| format!("writing {}", json.display()))?;
    println!("wrote {}", json.display());
    let grown = growing(&arm);
    if !grown.is_empty() {
        bail!("requests take more than {MOST} times as much where memory is full:\n{}", grown.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(request: &str, full: u64) -> String {
        format!("{{\"request\": {request}, \"full\": {full}, \"looks\": 1, \"reads\": 2, \"writes\": 3}}\n")
    }

    #[test]
    fn requests_without_a_name_do_not_count_and_lost_ones_are_noticed() {
        let lines = line("null", 0) + &line("\"OPEN\"", 0) + &line("\"OPEN\"", 0);
        let kinds = read(&lines, "9\n100\n200\n").expect("three requests");
        let open = &kinds[&("OPEN".to_owned(), 0)];
        assert_eq!((open.mean(), open.most(), open.each(open.reads)), (150.0, 200, 2.0));
        assert!(read(&lines, "9\n100\n").is_err() && read(&lines, "9\n0\n1\n").is_err());
        assert!(read(&line("null", 0), "9\n").is_err());
    }

    #[test]
    fn what_grows_with_memory_is_told() {
        let lines: String =
            [("\"FREE\"", 0), ("\"FREE\"", 50), ("\"FREE\"", 90)].map(|(r, f)| line(r, f)).concat();
        let grown = |counts| growing(&read(&lines, counts).expect("three requests"));
        assert_eq!(grown("100\n100\n119\n"), Vec::<String>::new());
        assert_eq!(grown("100\n100\n121\n"), ["FREE: 121 instructions, 100 in an empty memory"]);
    }
}
