//! The figures of a bitstream, kept in docs/reference/figures.
use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::report::Figures;
use crate::process::root;

/// Where figures are kept, from the repository's top, and the files there.
const FOLDER: &str = "docs/reference/figures";
const JSON: &str = "ecpix5.json";
const PAGE: &str = "ecpix5.md";

/// One run of placing and routing.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Run {
    /// The sources' git hash; all zeros when they were changed.
    pub commit: String,
    /// The commit's, in seconds since 1970: what BUILD_DATE tells.
    pub date: String,
    pub seed: u32,
    /// nextpnr's.
    pub placer: String,
    pub router: String,
    /// How long it took.
    pub minutes: u64,
}

/// One bitstream.
#[derive(Serialize, Deserialize, Debug)]
pub struct Record {
    #[serde(flatten)]
    pub run: Run,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Record {
    /// As Markdown.
    pub fn table(&self) -> String {
        let mut text = String::from("| clock | wanted | reached |\n|---|---:|---:|\n");
        for clock in &self.figures.clocks {
            let _ =
                writeln!(text, "| `{}` | {:.2} MHz | {:.2} MHz |", clock.name, clock.wanted, clock.reached);
        }
        text.push_str("\n| cells | used | of | % |\n|---|---:|---:|---:|\n");
        for cells in &self.figures.cells {
            let share = 100.0 * f64::from(cells.used) / f64::from(cells.available);
            let _ = writeln!(text, "| {} | {} | {} | {share:.1} |", cells.name, cells.used, cells.available);
        }
        text.push_str("\n| from | to | slowest way |\n|---|---|---:|\n");
        for way in &self.figures.ways {
            let _ = writeln!(text, "| `{}` | `{}` | {:.2} ns |", way.from, way.to, way.ns);
        }
        text
    }

    /// Writes the page and the numbers beside it.
    pub fn write(&self) -> Result<()> {
        let numbers = serde_json::to_string_pretty(self).context("writing figures as JSON")? + "\n";
        let page = format!(
            "# The ECPIX-5's bitstream\n\nWritten by `cargo xtask bitstream ecpix5 --record`, beside [{JSON}]({JSON}). Sources of commit\n\
             `{}`, placer {}, router {}, seed {}, {} minutes.\n\
             What it is: [ECPIX-5](../ecpix5.md).\n\n{}",
            self.run.commit,
            self.run.placer,
            self.run.router,
            self.run.seed,
            self.run.minutes,
            self.table()
        );
        for (name, text) in [(JSON, numbers), (PAGE, page)] {
            let path = root().join(FOLDER).join(name);
            std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::{Cells, Clock, Way};
    use super::*;

    #[test]
    fn a_table_has_every_figure() {
        let figures = Figures {
            clocks: vec![Clock { name: "core_clock".into(), wanted: 50.0, reached: 51.234 }],
            cells: vec![Cells { name: "flip-flops".into(), used: 1, available: 8 }],
            ways: vec![Way { from: "a".into(), to: "b".into(), ns: 3.456 }],
        };
        let table = Record { run: Run::default(), figures }.table();
        for row in [
            "| `core_clock` | 50.00 MHz | 51.23 MHz |",
            "| flip-flops | 1 | 8 | 12.5 |",
            "| `a` | `b` | 3.46 ns |",
        ] {
            assert!(table.contains(row), "{table}");
        }
    }
}
