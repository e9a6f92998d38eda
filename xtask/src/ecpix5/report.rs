//! What nextpnr reports of a routed design, and what of it makes a bitstream that may be used.
use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Latest that a signal may be on its way from one clock to another, in ns: a period of the fastest clock, 125 MHz. Only crossings go from
/// one to another (`CrossingConstraints.check`), and each waits at least as long before it looks.
const CROSSING_NS: f64 = 8.0;
/// Cells of the device that are told, with their names there.
const CELLS: &[(&str, &str)] = &[
    ("TRELLIS_COMB", "look-up tables"),
    ("TRELLIS_FF", "flip-flops"),
    ("TRELLIS_RAMW", "blocks of 16 words of 4 bits"),
    ("DP16KD", "block RAMs of 18 Kb"),
    ("EHXPLLL", "PLLs"),
    ("TRELLIS_IO", "pins"),
];

#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Fmax>,
    utilization: BTreeMap<String, Use>,
    critical_paths: Vec<Path>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
    constraint: f64,
}

#[derive(Deserialize, Clone, Copy)]
struct Use {
    used: u32,
    available: u32,
}

#[derive(Deserialize)]
struct Path {
    from: String,
    to: String,
    path: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    delay: f64,
}

/// A clock of the routed design.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Clock {
    pub name: String,
    /// What it has to run at, and could, in MHz.
    pub wanted: f64,
    pub reached: f64,
}

/// How much of a kind of cell is used.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Cells {
    pub name: String,
    pub used: u32,
    pub available: u32,
}

/// The slowest way from one clock to another.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Way {
    pub from: String,
    pub to: String,
    pub ns: f64,
}

/// The figures of a routed design.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Figures {
    pub clocks: Vec<Clock>,
    pub cells: Vec<Cells>,
    pub ways: Vec<Way>,
}

/// The last part of a net's name, without what routing has put around it: `$glbnet$board.port_1.tx_clock` is `tx_clock`. Which of a clock's
/// names in the hierarchy the tools take is theirs to choose; the last part is the same in all.
fn plain(name: &str) -> String {
    let net = name.trim_start_matches("posedge ").trim_start_matches("negedge ");
    let net = net.trim_start_matches("$glbnet$").trim_end_matches("$TRELLIS_IO_IN");
    net.rsplit('.').next().unwrap_or(net).to_owned()
}

impl Figures {
    /// From the text of nextpnr's `--report`.
    pub fn parse(text: &str) -> Result<Figures> {
        let report: Report = serde_json::from_str(text).context("nextpnr's report is not what it was")?;
        let clocks = report.fmax.iter().map(|(name, fmax)| Clock {
            name: plain(name),
            wanted: fmax.constraint,
            reached: fmax.achieved,
        });
        let cells = CELLS.iter().map(|(kind, name)| {
            let found =
                report.utilization.get(*kind).with_context(|| format!("no {kind} in nextpnr's report"))?;
            Ok(Cells { name: (*name).to_owned(), used: found.used, available: found.available })
        });
        let outside = |end: &str| end == "<async>";
        let between = report
            .critical_paths
            .iter()
            .filter(|p| !outside(&p.from) && !outside(&p.to) && plain(&p.from) != plain(&p.to));
        Ok(Figures {
            clocks: clocks.collect(),
            cells: cells.collect::<Result<_>>()?,
            ways: between
                .map(|p| Way {
                    from: plain(&p.from),
                    to: plain(&p.to),
                    ns: p.path.iter().map(|step| step.delay).sum(),
                })
                .collect(),
        })
    }

    /// Pairs of clocks of which the slowest way takes longer than a crossing's may.
    pub fn slow(&self) -> impl Iterator<Item = &Way> {
        self.ways.iter().filter(|way| way.ns > CROSSING_NS)
    }

    /// What is wrong, in words; nothing for a design that may be used. `wanted`: the clocks that must be there, and their MHz; `resets`: the
    /// slow ways of clocks between which asynchronous resets alone lead. How late one of these comes says nothing: its end is synchronised.
    pub fn wrong(&self, wanted: &[(&str, f64)], resets: &[&Way]) -> Vec<String> {
        let mut wrong = Vec::new();
        for (name, mhz) in wanted {
            match self.clocks.iter().find(|clock| clock.name == *name) {
                None => wrong.push(format!("there is no clock {name} in the design")),
                Some(clock) if (clock.wanted - mhz).abs() > mhz / 100.0 => wrong
                    .push(format!("{name} was to be timed for {mhz} MHz, and was for {:.2}", clock.wanted)),
                Some(_) => {}
            }
        }
        for clock in self.clocks.iter().filter(|clock| clock.reached < clock.wanted) {
            wrong.push(format!(
                "{} reaches {:.2} MHz of {:.2}: negative slack",
                clock.name, clock.reached, clock.wanted
            ));
        }
        for way in self.slow().filter(|way| !resets.contains(way)) {
            wrong.push(format!(
                "from {} to {} a signal takes {:.2} ns, more than {CROSSING_NS}",
                way.from, way.to, way.ns
            ));
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(reached: f64, step: f64) -> String {
        let cells: Vec<String> =
            CELLS.iter().map(|(kind, _)| format!("\"{kind}\":{{\"used\":7,\"available\":9}}")).collect();
        let path = |from: &str, to: &str| {
            format!(
                "{{\"from\":\"{from}\",\"to\":\"{to}\",\"path\":[{{\"delay\":1.5}},{{\"delay\":{step}}}]}}"
            )
        };
        let paths = [
            path("posedge $glbnet$core_clock", "posedge $glbnet$board.port_1.tx_clock"),
            path("posedge $glbnet$core_clock", "negedge $glbnet$core_clock"),
            path("<async>", "posedge $glbnet$core_clock"),
        ];
        format!(
            "{{\"fmax\":{{\"$glbnet$core_clock\":{{\"achieved\":{reached},\"constraint\":50.0}}}},\"utilization\":{{{}}},\"critical_paths\":[{}]}}",
            cells.join(","),
            paths.join(",")
        )
    }

    #[test]
    fn a_design_that_meets_everything_has_nothing_wrong() {
        let figures = Figures::parse(&report(50.1, 2.5)).unwrap();
        assert_eq!(figures.clocks[0], Clock { name: "core_clock".into(), wanted: 50.0, reached: 50.1 });
        let way = Way { from: "core_clock".into(), to: "tx_clock".into(), ns: 4.0 };
        assert_eq!(figures.ways, [way]);
        assert_eq!(figures.cells[3], Cells { name: "block RAMs of 18 Kb".into(), used: 7, available: 9 });
        assert!(figures.wrong(&[("core_clock", 50.0)], &[]).is_empty());
    }

    #[test]
    fn negative_slack_a_slow_crossing_a_clock_that_is_not_there_and_one_timed_for_less_are_told() {
        let figures = Figures::parse(&report(49.9, 7.0)).unwrap();
        let wrong = figures.wrong(&[("core_clock", 60.0), ("mem_clock", 75.0)], &[]);
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        for (line, words) in wrong.iter().zip([
            "was to be timed for 60 MHz",
            "no clock mem_clock",
            "negative slack",
            "8.50 ns",
        ]) {
            assert!(line.contains(words), "{line} without {words}");
        }
        let resets: Vec<&Way> = figures.slow().collect();
        assert_eq!(resets.len(), 1);
        assert_eq!(figures.wrong(&[("core_clock", 60.0), ("mem_clock", 75.0)], &resets), wrong[..3]);
    }
}
