//! Fuzzing on stable Rust: seeded mutation of a committed corpus, guided by what an input made happen (which errors,
//! which counters), since coverage needs a nightly compiler. Each target checks its own properties and panics when one
//! is broken; the input is then saved, and its file name told.
//!
//! `cargo xtask fuzz --seconds 60` runs all targets; CI does.
mod client;
mod input;
mod mutate;
mod station;
mod transport;
mod wire;

use anyhow::{Context, Result, bail};
use clap::Parser;
use input::Behaviour;
use mutate::Mutator;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs one input; what comes back tells inputs of different behaviour apart.
type Run = fn(&[u8]) -> Behaviour;

const TARGETS: [(&str, Run); 4] =
    [("wire", wire::run), ("transport", transport::run), ("client", client::run), ("station", station::run)];

/// Inputs that are kept in memory per target: others' places are taken at random.
const KEPT: usize = 4_096;

#[derive(Parser)]
struct Options {
    /// How long, all targets together. The corpus is run in any case.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Decides the mutations; told at the beginning when it is not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Where the corpus lies: a folder for each target.
    #[arg(long, default_value = "clib/fuzz/corpus")]
    corpus: PathBuf,
    /// Add inputs with new behaviour to the corpus.
    #[arg(long)]
    save: bool,
    /// Run this input alone, in the target of its folder's name.
    #[arg(long)]
    input: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(path) = &options.input {
        let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let target = TARGETS.iter().find(|(name, _)| folder == Some(name));
        let Some((name, run)) = target else { bail!("{} lies in no target's folder", path.display()) };
        println!("{name}: {} kinds of events", run(&std::fs::read(path)?).events.len());
        return Ok(());
    }
    let seed = options.seed.unwrap_or_else(rand::random);
    println!("seed {seed}");
    let each = Duration::from_secs(options.seconds) / TARGETS.len() as u32;
    for (name, run) in TARGETS {
        fuzz(name, run, each, seed, &options)?;
    }
    Ok(())
}

fn fuzz(name: &str, run: Run, time: Duration, seed: u64, options: &Options) -> Result<()> {
    let folder = options.corpus.join(name);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| format!("the corpus {}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    files.sort();
    if files.is_empty() {
        bail!("the corpus {} is empty", folder.display());
    }
    let mut seen = Seen::default();
    let mut inputs = Vec::new();
    for file in &files {
        let input = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        seen.add(checked(name, run, &input)?);
        inputs.push(input);
    }
    let (began, mut runs, mut fresh) = (Instant::now(), inputs.len() as u64, 0);
    let mut mutator = Mutator::new(seed);
    while began.elapsed() < time {
        let input = mutator.mutate(&inputs);
        runs += 1;
        let new = seen.add(checked(name, run, &input)?);
        if new == New::Nothing {
            continue;
        }
        fresh += 1;
        if options.save && new == New::Event {
            let file = folder.join(format!("{:016x}", input::hash(&input)));
            std::fs::write(&file, &input).with_context(|| format!("writing {}", file.display()))?;
        }
        if inputs.len() < KEPT {
            inputs.push(input);
        } else {
            let place = mutator.below(KEPT);
            inputs[place] = input;
        }
    }
    println!(
        "{name}: {runs} runs in {:.1} s, corpus of {}, {fresh} new behaviours, no property broken",
        began.elapsed().as_secs_f64(),
        files.len()
    );
    Ok(())
}

/// What an input made happen that none before did.
#[derive(PartialEq, Eq)]
enum New {
    Nothing,
    /// Two known events in a row.
    Pair,
    Event,
}

/// All that happened so far.
#[derive(Default)]
struct Seen {
    events: HashSet<u64>,
    pairs: HashSet<(u64, u64)>,
}

impl Seen {
    fn add(&mut self, behaviour: Behaviour) -> New {
        let before = (self.events.len(), self.pairs.len());
        self.events.extend(behaviour.events);
        self.pairs.extend(behaviour.pairs);
        match (self.events.len() > before.0, self.pairs.len() > before.1) {
            (true, _) => New::Event,
            (false, true) => New::Pair,
            _ => New::Nothing,
        }
    }
}

/// Runs an input; one that breaks a property is saved.
fn checked(name: &str, run: Run, input: &[u8]) -> Result<Behaviour> {
    catch_unwind(AssertUnwindSafe(|| run(input))).or_else(|_| {
        let folder = PathBuf::from("target/fuzz").join(name);
        std::fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{:016x}", input::hash(input)));
        std::fs::write(&file, input)?;
        bail!("{name}: a property is broken; again with `cargo xtask fuzz --input {}`", file.display())
    })
}
