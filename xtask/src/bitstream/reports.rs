//! What Vivado's reports say of a design: time left, what it takes, what is not timed.
use std::path::Path;

use anyhow::{Context, Result, bail};

/// What is left of the clocks' periods, in ns; none is negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Until data must be there.
    pub setup: f64,
    /// After which it may go.
    pub hold: f64,
    /// Of the shortest pulse.
    pub pulse: f64,
}

/// What the design takes of a kind of cells, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Used {
    /// Its name in the manifest.
    pub name: &'static str,
    /// Taken; block RAM counts in halves.
    pub used: f64,
    /// Of the device.
    pub available: f64,
}

/// Names in the manifest, and lines of the report.
const KINDS: [(&str, &str); 5] = [
    ("lut", "CLB LUTs"),
    ("ff", "CLB Registers"),
    ("bram36", "Block RAM Tile"),
    ("uram", "URAM"),
    ("dsp", "DSPs"),
];

/// Checks of `check_timing` of which nothing may be found: each is a way that nobody has timed. Delays of pins are not among
/// them, as the pins that have none are a light and a switch.
const CHECKS: [&str; 7] = [
    "no_clock",
    "constant_clock",
    "pulse_width_clock",
    "unconstrained_internal_endpoints",
    "multiple_clock",
    "generated_clocks",
    "loops",
];

/// A report's text.
pub fn read(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    std::fs::read_to_string(&path).with_context(|| format!("Vivado left no report {}", path.display()))
}

/// The numbers below the heads of columns in the timing summary, and what they mean when one is negative.
pub fn timing(report: &str) -> Result<Timing> {
    let mut lines = report.lines().skip_while(|line| !line.trim_start().starts_with("WNS(ns)"));
    let heads: Vec<&str> = lines.next().context("timing.rpt has no WNS(ns)")?.split_whitespace().collect();
    let row: Vec<&str> = lines.nth(1).context("timing.rpt ends at its summary")?.split_whitespace().collect();
    // Heads of several words are counts: the slacks are the first of each group of four.
    let groups = heads.iter().filter(|head| head.ends_with("S(ns)")).count();
    if groups != 6 || row.len() != 12 {
        bail!(
            "timing.rpt's summary has {groups} kinds of slack and {} columns, where 6 and 12 are known",
            row.len()
        );
    }
    let number = |at: usize| {
        let text: &str = row[at];
        // A kind that nothing is timed for has `NA`.
        text.parse::<f64>()
            .with_context(|| format!("timing.rpt tells `{text}` for a slack: nothing is timed"))
    };
    let found = Timing { setup: number(0)?, hold: number(4)?, pulse: number(8)? };
    for (slack, what) in [(found.setup, "setup"), (found.hold, "hold"), (found.pulse, "pulse width")] {
        if slack < 0.0 {
            bail!("negative slack: {slack} ns of {what}, in timing.rpt");
        }
    }
    Ok(found)
}

/// Fails where the timing report tells of clocks or ends that are not constrained.
pub fn all_timed(report: &str) -> Result<()> {
    let mut found = Vec::new();
    for check in CHECKS {
        let count = report.lines().find_map(|line| {
            let (_, after) = line.split_once(&format!("checking {check} ("))?;
            after.split(')').next()?.parse::<u64>().ok()
        });
        match count {
            None => found.push(format!("timing.rpt has no check of {check}")),
            Some(0) => {}
            Some(count) => found.push(format!("{check}: {count} are not constrained")),
        }
    }
    if !found.is_empty() {
        bail!("{}; timing.rpt names them", found.join("; "));
    }
    Ok(())
}

/// What the design takes.
pub fn utilisation(report: &str) -> Result<Vec<Used>> {
    let of = |(name, line): (&'static str, &str)| {
        let row = report.lines().find_map(|text| {
            let cells: Vec<&str> = text.trim().trim_matches('|').split('|').map(str::trim).collect();
            (cells.len() == 6 && cells[0].trim_end_matches('*') == line).then_some(cells)
        });
        let row = row.with_context(|| format!("utilization.rpt has no line `{line}`"))?;
        let number = |at: usize| {
            row[at]
                .parse::<f64>()
                .with_context(|| format!("utilization.rpt: `{}` of {line} is no number", row[at]))
        };
        // Used, fixed, prohibited, available, percent.
        Ok(Used { name, used: number(1)?, available: number(4)? })
    };
    KINDS.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = "    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)  THS Failing Endpoints  THS Total Endpoints     WPWS(ns)     TPWS(ns)  TPWS Failing Endpoints  TPWS Total Endpoints  \n    -------      -------  ---------------------  -------------------      -------      -------  ---------------------  -------------------     --------     --------  ----------------------  --------------------  \n      SETUP        0.000                      0               123456        HOLD        0.000                      0               123456        PULSE        0.000                       0                 45678  \n";

    fn summary(setup: &str, hold: &str, pulse: &str) -> String {
        SUMMARY.replace("SETUP", setup).replace("HOLD", hold).replace("PULSE", pulse)
    }

    #[test]
    fn slacks_are_read_and_none_may_be_negative() {
        let good = timing(&summary("0.052", "0.010", "0.000")).expect("all are met");
        assert_eq!(good, Timing { setup: 0.052, hold: 0.010, pulse: 0.0 });
        for (report, said) in [
            (summary("-0.001", "0.010", "0.000"), "negative slack: -0.001 ns of setup"),
            (summary("0.052", "-0.3", "0.000"), "negative slack: -0.3 ns of hold"),
            (summary("0.052", "0.010", "-1.5"), "negative slack: -1.5 ns of pulse width"),
            (summary("NA", "NA", "NA"), "nothing is timed"),
            ("no summary".to_owned(), "no WNS(ns)"),
            (SUMMARY.lines().next().unwrap_or_default().to_owned(), "ends at its summary"),
        ] {
            let error = timing(&report).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn what_is_not_timed_is_told() {
        let report = |count: u64| {
            let line = |(n, check): (usize, &&str)| format!("{}. checking {check} ({count})\n", n + 1);
            CHECKS.iter().enumerate().map(line).collect::<String>()
        };
        all_timed(&report(0)).expect("all is timed");
        let error = all_timed(&report(12)).expect_err("nothing is timed").to_string();
        assert!(error.contains("no_clock: 12 are not constrained"), "{error}");
        let error = all_timed("").expect_err("no report").to_string();
        assert!(error.contains("no check of loops"), "{error}");
    }

    #[test]
    fn what_a_design_takes_is_read() {
        let line = |(_, name): (&str, &str)| format!("| {name}* |  1,5 | 0 | 0 | 312 | 1.00 |\n");
        let report = |used: &str| KINDS.into_iter().map(line).collect::<String>().replace("1,5", used);
        let used = utilisation(&report("17.5")).expect("all lines are there");
        assert_eq!(used[2], Used { name: "bram36", used: 17.5, available: 312.0 });
        assert!(utilisation(&report("many")).expect_err("no number").to_string().contains("no number"));
        assert!(utilisation("").expect_err("no line").to_string().contains("no line `CLB LUTs`"));
    }
}
