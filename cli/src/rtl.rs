//! `mneme board --kind rtl`: which hardware it runs, where that comes from, and waveforms of it.
use crate::checkout;
use crate::output::suggestion;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use mneme_model::BoardShape;
use mneme_rtl::{MOST_BEFORE, RtlConfig, RtlFast, WaveError, WavePlan, WaveReport, WaveTrigger, WaveWindow};
use mneme_wire::{Counter, Status};
use std::path::{Path, PathBuf};

/// The configuration of RTL boards unless told otherwise.
pub const DEFAULT: &str = "tags";

/// Which RTL, and what is written of it.
#[derive(Debug, Args)]
pub struct RtlArgs {
    /// RTL boards: a configuration of one's own, a TOML file with fields of the hardware's `CBoardConfig`
    /// (docs/guides/own-configuration.md). Takes a checkout of the project, which builds it unless it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["config", "library"])]
    config_file: Option<PathBuf>,
    /// RTL boards: the folder of a board's library, which `cargo xtask board ... --build-only` has built; takes nothing else
    #[arg(long, value_name = "DIR", conflicts_with = "config")]
    library: Option<PathBuf>,
    /// RTL boards: write waveforms to this FST file, and save files for GTKWave (.gtkw) and Surfer (.sucl) beside it. The board is
    /// one that was built for it, and runs slower
    #[arg(long, value_name = "FILE")]
    waves: Option<PathBuf>,
    /// The first cycle of the waveforms: simulated cycles from the board's start on. Idle time that it jumps over has none
    #[arg(long, value_name = "N", requires = "waves", conflicts_with = "until")]
    from_cycle: Option<u64>,
    /// How many cycles of waveforms; default: 10000
    #[arg(long, value_name = "N", requires = "waves", conflicts_with = "until", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    for_cycles: Option<u64>,
    /// Write the cycles around the first answer with a status (status=BUSY), the first frame dropped for a reason
    /// (drop=FOREIGN_PORT), or the first time that anything is counted (event=TLB_MISS; docs/reference/wire.md has all counters)
    #[arg(long, value_name = "WHAT", requires = "waves", value_parser = trigger)]
    until: Option<WaveTrigger>,
    /// Cycles before what --until waits for, at least; those before them, as many at most, are in FILE.before.fst; default: 5000
    #[arg(long, value_name = "N", requires = "until", value_parser = clap::value_parser!(u64).range(1..=MOST_BEFORE))]
    before_cycles: Option<u64>,
    /// Cycles after what --until waits for; default: 500
    #[arg(long, value_name = "N", requires = "until", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    after_cycles: Option<u64>,
}

impl RtlArgs {
    /// Fails where something is asked for that other boards than RTL boards do not have.
    pub fn refuse_soft(&self) -> Result<()> {
        let given =
            [("--config-file", &self.config_file), ("--library", &self.library), ("--waves", &self.waves)];
        match given.iter().find(|(_, file)| file.is_some()) {
            Some((option, _)) => bail!("software boards have no {option}: take --kind rtl"),
            None => Ok(()),
        }
    }
    /// The hardware that was asked for, `default` unless told otherwise: linked into this program, or built apart.
    pub fn config(&self, name: Option<&str>, default: &str) -> Result<RtlConfig> {
        let traced = self.waves.is_some();
        if let Some(folder) = &self.library {
            return load(folder);
        }
        if let Some(file) = &self.config_file {
            // Said here, so that nothing is looked for and built in vain.
            std::fs::read(file).with_context(|| format!("reading the configuration {}", file.display()))?;
            let file = std::path::absolute(file).context("the folder of this command is gone")?;
            return load(&checkout::library(file.as_os_str(), file.parent(), traced)?);
        }
        let name = name.unwrap_or(default);
        match RtlConfig::named(name).filter(|_| !traced) {
            Some(linked) => Ok(linked),
            None if RtlConfig::has_kept(name) => load(&checkout::library(name.as_ref(), None, traced)?),
            None => {
                let names = BoardShape::ALL.iter().map(|shape| shape.name.to_owned()).collect();
                bail!("there is no configuration `{name}`{}", suggestion(name, names))
            }
        }
    }
    /// Begins to write the waveforms that were asked for.
    pub fn begin_waves(&self, board: &mut RtlFast) -> Result<()> {
        let Some(file) = &self.waves else { return Ok(()) };
        let window = match self.until {
            Some(trigger) => WaveWindow::Around {
                trigger,
                before: self.before_cycles.unwrap_or(5_000),
                after: self.after_cycles.unwrap_or(500),
            },
            None => WaveWindow::Cycles {
                from: self.from_cycle.unwrap_or(0),
                count: self.for_cycles.unwrap_or(10_000),
            },
        };
        Ok(board.write_waves(WavePlan { file: file.clone(), window }, told)?)
    }
}

/// What is said of waveforms when they are complete: on standard error, since standard output begins with the board's address.
fn told(result: Result<WaveReport, WaveError>) {
    match result {
        Ok(report) => eprintln!("waveforms: {report}"),
        Err(error) => tracing::warn!("no waveforms: {error}"),
    }
}

/// The only board of a folder.
fn load(folder: &Path) -> Result<RtlConfig> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("the board's folder {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "so") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    let [name] = names.as_slice() else {
        bail!(
            "{} has {} libraries of boards (*.so), not one: `cargo xtask board ... --build-only` says where it leaves one",
            folder.display(),
            names.len()
        );
    };
    // SAFETY: the user says that it is a board's library; what it says of its sources is compared with this program's.
    let loaded = unsafe { RtlConfig::load(folder, name) };
    loaded.with_context(|| format!("the board in {}", folder.display()))
}

/// What `--until` waits for, as somebody types it.
fn trigger(text: &str) -> Result<WaveTrigger> {
    let (kind, name) = text.split_once('=').unwrap_or((text, ""));
    const KINDS: &str = "status=STATUS, drop=REASON and event=COUNTER";
    ensure!(["status", "drop", "event"].contains(&kind), "`{kind}` is none of {KINDS}");
    ensure!(!name.is_empty(), "`{text}` names nothing: there are {KINDS}");
    let wanted = name.to_uppercase();
    let counter = |name: String, names: &dyn Fn(&str) -> Option<String>, what: &str| {
        let found = Counter::ALL.iter().find(|counter| counter.name() == name);
        let known = Counter::ALL.iter().filter_map(|counter| names(counter.name())).collect();
        found.copied().with_context(|| format!("there is no {what} `{wanted}`{}", suggestion(&wanted, known)))
    };
    match kind {
        "status" => {
            let found = Status::ALL.iter().find(|status| status.name() == wanted);
            let known = Status::ALL.iter().map(|status| status.name().to_owned()).collect();
            let status = found
                .with_context(|| format!("there is no status `{wanted}`{}", suggestion(&wanted, known)))?;
            Ok(WaveTrigger::Status(*status))
        }
        "drop" => {
            const DROP: &str = "DROP_";
            let reason = |name: &str| name.strip_prefix(DROP).map(str::to_owned);
            let bare = wanted.strip_prefix(DROP).unwrap_or(&wanted);
            Ok(WaveTrigger::Counted(counter(format!("{DROP}{bare}"), &reason, "reason for drops")?))
        }
        _ => Ok(WaveTrigger::Counted(counter(wanted.clone(), &|name| Some(name.to_owned()), "counter")?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for_is_a_status_a_reason_or_a_counter() {
        for (text, expected) in [
            ("status=BUSY", WaveTrigger::Status(Status::Busy)),
            ("status=busy", WaveTrigger::Status(Status::Busy)),
            ("drop=FOREIGN_PORT", WaveTrigger::Counted(Counter::DropForeignPort)),
            ("drop=drop_fcs", WaveTrigger::Counted(Counter::DropFcs)),
            ("event=TLB_MISS", WaveTrigger::Counted(Counter::TlbMiss)),
        ] {
            assert_eq!(trigger(text).expect(text), expected);
        }
        for (text, words) in [
            ("status=BUZY", "no status `BUZY`; did you mean `BUSY`?"),
            ("status", "`status` names nothing: there are status=STATUS"),
            ("status=NO_SUCH_STATUS", "no status `NO_SUCH_STATUS`; there are OK, BUSY"),
            ("drop=FOREIGN_PROT", "did you mean `FOREIGN_PORT`?"),
            ("drop=TLB_MISS", "no reason for drops `TLB_MISS`; there are FCS, RUNT"),
            ("event=TLB_MIS", "did you mean `TLB_MISS`?"),
            ("busy", "`busy` is none of status=STATUS, drop=REASON and event=COUNTER"),
            ("=BUSY", "`` is none of"),
        ] {
            let said = trigger(text).expect_err(text).to_string();
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
