//! What attacks have shown: figures with goals, and what only keyed tags can mend.
use anyhow::{Context, Result};
use mneme_tests::figures::{Figures, Goal, Table};
use serde::Serialize;

use crate::Options;
use crate::board::Kind;

/// The goal of such rows, where tags are on.
const TAGGED_GOAL: &str = "not without a valid tag";

/// Something that a board without tags cannot refuse.
#[derive(Debug, Serialize)]
pub struct Tagged {
    pub name: String,
    pub measured: String,
}

/// What one attack on one board has shown.
#[derive(Debug, Serialize)]
pub struct Report {
    pub board: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
    pub needs_tags: Vec<Tagged>,
}

impl Report {
    pub fn new(part: &str, kind: Kind, about: impl Into<String>) -> Report {
        Report { board: kind.name(), figures: Figures::new(part, about), needs_tags: Vec::new() }
    }
    /// What goals of this report are called: the attack and the board.
    pub fn named(&self) -> String {
        format!("{}, {}", self.figures.part, self.board)
    }
}

/// The goals of all reports.
pub fn goals(all: &[Report]) -> impl Iterator<Item = &Goal> {
    all.iter().flat_map(|report| &report.figures.goals)
}

/// What needs tags, as a table; it fails nothing.
pub fn tagged(all: &[Report]) -> Table {
    let rows: Vec<_> = all.iter().flat_map(|report| &report.needs_tags).collect();
    let title = format!("{} rows need tags, which these boards do not ask for: `tagged` does", rows.len());
    let mut table = Table::new(title, &["what", "asked, where tags are on", "measured", ""]);
    table.rows.extend(rows.into_iter().map(|row| {
        vec![row.name.clone().into(), TAGGED_GOAL.into(), row.measured.clone().into(), "needs tags".into()]
    }));
    table
}

/// The JSON file.
pub fn write(options: &Options, machine: &str, all: &[Report]) -> Result<()> {
    std::fs::create_dir_all(&options.out).with_context(|| format!("creating {}", options.out.display()))?;
    let json = serde_json::json!({
        "machine": machine,
        "short": options.short,
        "rounds": options.rounds(),
        "milliseconds": options.time().as_millis() as u64,
        "seed": options.seed,
        "attacks": all,
        "needs_tags": all.iter().map(|report| report.needs_tags.len()).sum::<usize>(),
    });
    let path = options.out.join("attack.json");
    std::fs::write(&path, serde_json::to_string_pretty(&json)? + "\n")
        .with_context(|| format!("writing {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
