//! `cargo xtask mutate`: plants faults in the generated Verilog, one at a time, and asks the hardware's tests to find each.
//!
//! All mutants are in one Verilated board; which one lives is chosen when the board is made. See docs/reference/figures/mutants.md.
mod benches;
mod campaign;
mod equivalence;
mod expression;
mod mutant;
mod page;
mod plant;
mod structure;
#[cfg(test)]
mod tests;
mod verilog;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use self::benches::Runner;
use self::campaign::{Campaign, End, Test};
use self::equivalence::{Prover, Shown};
use self::mutant::{Mutant, Text, Wanted, Written};
use self::page::{Kept, Page};
pub use self::plant::sources;
use self::verilog::Scan;
use crate::hw_bench::BOARDS;
use crate::process::{Target, built, root, target_dir};
use crate::setup;

/// Frames that CI's differential test sends to each configuration that is small, in runs of this length; seeds count up from 1.
const CI_FRAMES: u64 = 60_000;
const CI_RUN: u64 = 5_000;
/// The board whose rates hw-bench measures.
const MEASURED: &str = "large";
/// Mutants that CI judges.
const SAMPLE: usize = 12;
/// The seed of what CI draws itself, where the kept list is too short for the hardware as it is.
const SAMPLE_SEED: u64 = 1;

/// What is planted, and how it is judged.
#[derive(clap::Args, Debug, Clone)]
pub struct Options {
    /// The same mutants for the same seed, as long as the Verilog is the same.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// So many mutants, over all modules in proportion to their logic.
    #[arg(long, default_value_t = 300)]
    pub count: usize,
    /// The configurations whose Verilog is changed, hw/rtl/CBoard_<CONFIG>.v: of all but the first what none before has.
    #[arg(long, value_delimiter = ',', default_value = "sim,doors")]
    pub config: Vec<String>,
    /// Only modules whose names contain this.
    #[arg(long, default_value = "")]
    pub module: String,
    /// Seconds of processor time for each test of a mutant; by default ten times what the test takes without one, and 20.
    #[arg(long)]
    pub seconds: Option<u64>,
    /// Judges this one alone: its number, or its key. The board is kept, so that it is built once.
    #[arg(long, value_name = "NUMBER|KEY")]
    pub only: Option<String>,
    /// Mutants judged at once; by default as many as there are processors.
    #[arg(long)]
    pub jobs: Option<usize>,
    /// The twelve that CI judges, with the short tests alone. Fails when one survives that docs/reference/figures/mutants.json has no reason for.
    #[arg(long, conflicts_with_all = ["count", "module", "update"])]
    pub sample: bool,
    /// The short tests alone: a quick look, from which no share can be told.
    #[arg(long, conflicts_with = "update")]
    pub short: bool,
    /// Asks no board, and of the benches and proofs of single components (`hw/src/test`) those alone whose names contain one of these.
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["sample", "short", "update"])]
    pub benches: Vec<String>,
    /// Asks no test, but Yosys alone, whether the mutants change anything that could be seen.
    #[arg(long, conflicts_with_all = ["sample", "short", "benches", "go_on", "update"])]
    pub proofs: bool,
    /// Frames of the longest test; by default about as many as CI sends to one configuration.
    #[arg(long, default_value_t = CI_FRAMES)]
    pub frames: u64,
    /// Takes over what earlier campaigns have found in the same hardware, and what has passed the same tests.
    #[arg(long)]
    pub go_on: bool,
    /// Prints the mutants and judges none.
    #[arg(long)]
    pub list: bool,
    /// Writes docs/reference/figures/mutants.md, and to docs/reference/figures/mutants.json which mutants die quickly: of these CI takes its twelve.
    #[arg(long, conflicts_with_all = ["only", "list"])]
    pub update: bool,
}

impl Options {
    /// What CI judges.
    pub fn ci() -> Options {
        Options {
            seed: SAMPLE_SEED,
            count: SAMPLE,
            config: vec!["sim".into()],
            module: String::new(),
            seconds: None,
            only: None,
            jobs: None,
            sample: true,
            short: true,
            benches: Vec::new(),
            proofs: false,
            frames: CI_FRAMES,
            go_on: false,
            list: false,
            update: false,
        }
    }
    /// The command that does the same to one mutant alone.
    fn replay(&self, number: u32) -> String {
        let Options { seed, count, config, module, .. } = self;
        let config = config.join(",");
        let module = if module.is_empty() { String::new() } else { format!(" --module {module}") };
        match self.sample {
            true => format!("cargo xtask mutate --sample --only {number}"),
            false => {
                format!(
                    "cargo xtask mutate --seed {seed} --count {count} --config {config}{module} --only {number}"
                )
            }
        }
    }
}

/// The tests in the order in which they are tried: most mutants die of the first. CI's sample has the first two alone.
fn tests(options: &Options, hardware: &[Hardware], folder: &Path, profile: &str) -> Result<Vec<Test>> {
    let configs: Vec<&str> = hardware.iter().map(|one| one.config.as_str()).collect();
    let benches = || {
        let boards: Vec<Text> = hardware.iter().map(Hardware::text).collect();
        let runner = Runner::new(&setup::run_setup()?, &folder.join("benches"), &boards)?;
        let benches = runner.benches(&options.benches)?;
        Ok::<_, anyhow::Error>(benches.into_iter().map(Test::of))
    };
    if !options.benches.is_empty() {
        return Ok(benches()?.collect());
    }
    let program = PathBuf::from(built(Target::Bin, "differential", profile, BOARDS)?.get_program());
    let compared = |name: &str, seed: u64, requests: u64, total: u64| {
        let test = |config: &&str| Test {
            name: format!("differential test, {name}"),
            program: program.clone(),
            arguments: vec![
                format!("--config={config}"),
                format!("--seed={seed}"),
                format!("--requests={requests}"),
                format!("--total={total}"),
                "--jobs=1".into(),
            ],
            config: Some((*config).to_owned()),
            bench: None,
        };
        configs.iter().map(test).collect::<Vec<_>>()
    };
    // Seed 3 is one of those with errors of the DRAM bus.
    let mut tests = [compared("400 frames", 1, 400, 400), compared("4,000 frames", 2, 2000, 4000)].concat();
    if !options.sample && !options.short {
        let other = |name: &str, program: Command, arguments: &[&str], config: Option<&str>| Test {
            name: name.into(),
            program: program.get_program().into(),
            arguments: arguments.iter().map(|&argument| argument.into()).collect(),
            config: config.map(Into::into),
            bench: None,
        };
        let resets = built(Target::Test, "rtl_reset", profile, BOARDS)?;
        let of_sim = ["resets_of_sim_under_traffic", "--exact"];
        tests.push(other("resets under traffic", resets, &of_sim, Some("sim")));
        let by_hand = built(Target::Test, "rtl_boot", profile, BOARDS)?;
        tests.push(other("boards by registers and frames", by_hand, &["--test-threads=1"], None));
        tests.extend(benches()?);
        let bench = built(Target::Example, "hw_bench", profile, BOARDS)?;
        tests.push(other("hw-bench --short", bench, &["--short"], None));
        let frames = options.frames;
        tests.extend(compared(&format!("{frames} frames"), 1, CI_RUN, frames));
    }
    Ok(tests)
}

/// A configuration's Verilog, read.
struct Hardware {
    config: String,
    file: String,
    scan: Scan,
}

impl Hardware {
    fn read(config: &str) -> Result<Hardware> {
        let path = root().join(format!("hw/rtl/CBoard_{config}.v"));
        let file = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let scan = verilog::scan(&file);
        let (modules, statements) = (scan.modules.len(), scan.statements.len());
        println!(
            "{config}: {modules} modules, {statements} statements; {} lines are not understood and left alone",
            scan.not_understood.len()
        );
        Ok(Hardware { config: config.to_owned(), file, scan })
    }

    fn text(&self) -> Text<'_> {
        Text { config: &self.config, file: &self.file, scan: &self.scan }
    }

    /// The same mutants in another configuration, under the same numbers, as far as its text has them.
    fn same(&self, mutants: &[Mutant]) -> Vec<Mutant> {
        let own = |mutant: &&Mutant| mutant.config == self.config;
        let others: Vec<&Mutant> = mutants.iter().filter(|mutant| !own(mutant)).collect();
        let keys: Vec<&str> = others.iter().map(|mutant| mutant.key.as_str()).collect();
        let same = |(one, mutant): (Option<Mutant>, &Mutant)| {
            let mut one = one?;
            one.number = mutant.number;
            Some(one)
        };
        let found = mutant::with_keys(self.text(), &keys).into_iter().zip(others).filter_map(same);
        found.chain(mutants.iter().filter(own).cloned()).collect()
    }
}

/// The mutants that were asked for. Of CI's, those that the kept list has and this hardware does not are drawn anew.
fn choose(hardware: &[Hardware], kept: &Kept, options: &Options) -> Result<Vec<Mutant>> {
    let Options { seed, count, module, .. } = options;
    let texts: Vec<Text> = hardware.iter().map(Hardware::text).collect();
    if !options.sample {
        let mut all =
            mutant::mutants(&texts[..options.config.len()], &Wanted { seed: *seed, count: *count, module });
        for text in texts.iter().filter(|_| module.is_empty()) {
            all.extend(mutant::written(*text, &by_hand()?)?);
        }
        mutant::renumber(&mut all);
        return Ok(all);
    }
    let keys: Vec<&str> = kept.quick.iter().map(String::as_str).collect();
    let mut chosen: Vec<Mutant> = mutant::with_keys(texts[0], &keys).into_iter().flatten().collect();
    println!("{} of the {} mutants of the kept list are in this hardware", chosen.len(), keys.len());
    chosen.truncate(SAMPLE);
    let drawn = mutant::mutants(&texts, &Wanted { seed: SAMPLE_SEED, count: SAMPLE, module: "" });
    chosen.extend(drawn.into_iter().take(SAMPLE - chosen.len()));
    mutant::renumber(&mut chosen);
    Ok(chosen)
}

/// The mutants that a person wrote.
fn by_hand() -> Result<Vec<Written>> {
    serde_json::from_str(include_str!("written.json")).context("reading written.json")
}

/// What is read: the configurations that are asked for, and behind them those of mutants that a person wrote.
fn configs(options: &Options) -> Result<Vec<String>> {
    let mut configs = options.config.clone();
    if !options.sample && options.module.is_empty() {
        for fault in by_hand()? {
            if !configs.contains(&fault.config) {
                configs.push(fault.config);
            }
        }
    }
    Ok(configs)
}

/// Which of them are judged.
fn only(mutants: &[Mutant], options: &Options) -> Result<Vec<Mutant>> {
    let Some(only) = &options.only else { return Ok(mutants.to_vec()) };
    let found = mutants.iter().find(|mutant| mutant.key == *only || mutant.number.to_string() == *only);
    Ok(vec![found.with_context(|| format!("no mutant has the number or key {only}"))?.clone()])
}

/// Builds the boards: those that are asked about, and the one whose rates hw-bench measures, where it is needed.
fn plant(hardware: &[Hardware], mutants: &[Mutant], options: &Options, folder: &Path) -> Result<PathBuf> {
    let planted = |hardware: &Hardware| mutant::planted(&hardware.file, &hardware.same(mutants));
    let mut boards: Vec<(&str, String)> =
        hardware.iter().map(|one| (one.config.as_str(), planted(one))).collect();
    if !options.sample && !options.short && hardware.iter().all(|one| one.config != MEASURED) {
        let measured = Hardware::read(MEASURED)?;
        println!(
            "{} of the {} mutants are in {MEASURED}, too, for hw-bench",
            measured.same(mutants).len(),
            mutants.len()
        );
        boards.push((MEASURED, planted(&measured)));
    }
    plant::build(folder, &boards)
}

/// Where what is known of this hardware's mutants is kept.
fn ledger(hardware: &[Hardware], folder: &Path) -> PathBuf {
    let mut hasher = Sha256::new();
    hardware.iter().for_each(|one| hasher.update(&one.file));
    let hash: String = hasher.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("known-{hash}.json"))
}

/// Those of the survivors that change nothing, by Yosys.
fn equivalents(
    hardware: &[Hardware],
    judged: &[Mutant],
    ends: &[End],
    folder: &Path,
) -> Result<HashMap<String, Shown>> {
    let survivors: Vec<&Mutant> =
        judged.iter().zip(ends).filter(|(_, end)| **end == End::Survived).map(|(mutant, _)| mutant).collect();
    if survivors.is_empty() {
        return Ok(HashMap::new());
    }
    let (yosys, mut shown) = (setup::run_synthesis_setup()?, HashMap::new());
    for Hardware { config, file, .. } in hardware {
        let prover = Prover { yosys: yosys.clone(), folder: folder.join("proofs"), file };
        let own: Vec<&Mutant> = survivors.iter().filter(|mutant| mutant.config == *config).copied().collect();
        shown.extend(prover.show(&own)?);
    }
    Ok(shown)
}

/// Plants, judges, tells.
pub fn run_mutate(options: &Options, profile: &str) -> Result<()> {
    let hardware =
        configs(options)?.iter().map(|config| Hardware::read(config)).collect::<Result<Vec<_>>>()?;
    let kept = Kept::read(&root())?;
    let mutants = choose(&hardware, &kept, options)?;
    ensure!(
        !mutants.is_empty(),
        "no module's name contains {}, or none has anything to change",
        options.module
    );
    if options.list {
        mutants.iter().for_each(|mutant| println!("{mutant}"));
        return Ok(());
    }
    let folder = target_dir()?.join("mutants");
    let judged = only(&mutants, options)?;
    if options.proofs {
        let ends: Vec<End> = judged.iter().map(|_| End::Survived).collect();
        let shown = equivalents(&hardware, &judged, &ends, &folder)?;
        println!("{} of {} mutants are shown to change nothing", shown.len(), judged.len());
        return Ok(());
    }
    let boards = match options.benches.is_empty() {
        true => plant(&hardware, &mutants, options, &folder)?,
        false => folder.clone(),
    };
    let tests = tests(options, &hardware, &folder, profile)?;
    let mut campaign = Campaign::begin(&tests, &boards, &ledger(&hardware, &folder), options.seconds)?;
    if options.go_on {
        campaign.go_on()?;
    }
    let jobs = options.jobs.or(std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    let ends = campaign.judge_all(&judged, jobs)?;
    // CI has no time for proofs, and a part of the tests tells nothing of all.
    let shown = if options.sample || !options.benches.is_empty() {
        HashMap::new()
    } else {
        equivalents(&hardware, &judged, &ends, &folder)?
    };
    let read = hardware.iter().fold([0, 0], |[all, odd], one| {
        [all + one.scan.statements.len(), odd + one.scan.not_understood.len()]
    });
    let page = Page { options, read, tests: &tests, judged: &judged, ends: &ends, shown, kept: &kept };
    println!("{}", page.summary());
    if options.update {
        page.write(&root())?;
    }
    let unexplained = page.unexplained();
    if unexplained.is_empty() {
        return Ok(());
    }
    let line = |mutant: &&Mutant| format!("\n  {mutant}\n    {}", options.replay(mutant.number));
    let list: String = unexplained.iter().map(line).collect();
    bail!(
        "{} mutants survived for which docs/reference/figures/mutants.json has no reason:{list}\n\
         either a test is missing, or the reason belongs there",
        unexplained.len()
    )
}

#[cfg(test)]
mod hardware_tests {
    use super::*;

    #[test]
    fn every_mutant_written_by_hand_is_in_the_hardware() {
        let (all, mut planted) = (by_hand().unwrap(), 0);
        for config in configs(&Options { sample: false, ..Options::ci() }).unwrap() {
            let hardware = Hardware::read(&config).unwrap();
            let made = mutant::written(hardware.text(), &all).unwrap();
            assert!(made.iter().all(|one| mutant::mutated(&hardware.file, one) != hardware.file));
            planted += made.len();
        }
        assert!(planted == all.len() && planted > 0);
    }
}
