//! The table of what was met, and what must hold of it.
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::points::{Kind, Point};

/// What docs/reference/figures/hw-coverage.md begins with.
const HEAD: &str = include_str!("head.md");
/// Of what can be reached, so much must be: percent.
const GOAL: f64 = 98.0;
/// Signals that are named in the list of bits that never change.
const SIGNALS: usize = 60;
/// The branch of a reason that is about bits.
const BITS: &str = "bits";

/// Why a line is not reached: written by hand, found by module and statement, since line numbers change. Or why bits of a kind of signals never change: then the
/// branch is `bits`, the statement the signal's name or its end behind a `*`, and the module may be `*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub module: String,
    /// `if`, `else`, `case`, `block` or `bits`.
    pub branch: String,
    pub statement: String,
    /// No input can reach it: it does not count. Others do.
    pub unreachable: bool,
    pub reason: String,
}

impl Reason {
    fn explains(&self, point: &Point) -> bool {
        let Reason { module, branch, statement, .. } = self;
        *module == point.module && *branch == point.name && *statement == point.statement
    }
    /// The word for bits of a signal.
    fn explains_bits(&self, module: &str, signal: &str) -> bool {
        let name = match self.statement.strip_prefix('*') {
            Some(end) => signal.ends_with(end),
            None => signal == self.statement,
        };
        self.branch == BITS && name && (self.module == "*" || self.module == module)
    }
}

/// The points of a configuration.
pub struct Counted {
    pub config: String,
    pub points: Vec<Point>,
}

/// All of it.
pub struct Page<'a> {
    pub counted: &'a [Counted],
    pub reasons: &'a [Reason],
}

/// Of a group of points, how many were met.
#[derive(Default, Clone, Copy)]
struct Share {
    met: usize,
    all: usize,
}

impl Share {
    fn add(&mut self, met: bool) {
        self.met += usize::from(met);
        self.all += 1;
    }
    fn percent(self) -> f64 {
        100.0 * self.met as f64 / self.all.max(1) as f64
    }
    fn cell(self) -> String {
        format!("{} / {}", self.met, self.all)
    }
}

impl Page<'_> {
    fn reason(&self, point: &Point) -> Option<&Reason> {
        self.reasons.iter().find(|reason| reason.explains(point))
    }
    fn all(&self) -> impl Iterator<Item = (&str, &Point)> {
        self.counted
            .iter()
            .flat_map(|counted| counted.points.iter().map(|point| (counted.config.as_str(), point)))
    }
    fn share(&self, wanted: impl Fn(&str, &Point) -> bool) -> Share {
        let mut share = Share::default();
        self.all()
            .filter(|(config, point)| wanted(config, point))
            .for_each(|(_, point)| share.add(point.count > 0));
        share
    }
    /// Of lines that something can reach.
    fn reachable(&self) -> Share {
        let unreachable = |point: &Point| self.reason(point).is_some_and(|reason| reason.unreachable);
        self.share(|_, point| point.kind == Kind::Line && !unreachable(point))
    }
    pub fn summary(&self) -> String {
        let lines = self.share(|_, point| point.kind == Kind::Line);
        let toggles = self.share(|_, point| point.kind == Kind::Toggle);
        let reachable = self.reachable();
        format!(
            "lines {} ({:.1}%), of those that can be reached {} ({:.1}%); bits that changed {} ({:.1}%)",
            lines.cell(),
            lines.percent(),
            reachable.cell(),
            reachable.percent(),
            toggles.cell(),
            toggles.percent()
        )
    }
    /// Lines that were not met and have no reason, reasons of nothing, reasons of what was met in all configurations, too small a share.
    pub fn faults(&self) -> Vec<String> {
        let lines = || self.all().filter(|(_, point)| point.kind == Kind::Line);
        let unexplained = lines().filter(|(_, point)| point.count == 0 && self.reason(point).is_none());
        let mut faults: Vec<String> = unexplained
            .map(|(config, point)| {
                let Point { module, name, statement, line, .. } = point;
                format!(
                    "not reached, and without a reason: {config} {line}, {module}: {name} of `{statement}`"
                )
            })
            .collect();
        for reason in self.reasons.iter().filter(|reason| reason.branch != BITS) {
            let mut explained = lines().filter(|(_, point)| reason.explains(point)).peekable();
            let never = explained.peek().is_some() && explained.any(|(_, point)| point.count == 0);
            if !never {
                let Reason { module, branch, statement, .. } = reason;
                faults.push(format!(
                    "a reason for what is reached or not there: {module}: {branch} of `{statement}`"
                ));
            }
        }
        let reachable = self.reachable();
        if reachable.percent() < GOAL {
            faults.push(format!(
                "{:.1}% of the lines that can be reached were, {GOAL}% are the goal",
                reachable.percent()
            ));
        }
        faults
    }

    pub fn text(&self, command: &str) -> String {
        let summary = self.summary();
        [
            HEAD.to_owned(),
            format!("## What was met\n\n`{command} --update`:\n\n```\n{summary}\n```\n"),
            self.modules(),
            self.missed(),
            self.still(),
        ]
        .join("\n")
    }
    fn modules(&self) -> String {
        let mut text =
            "| configuration | module | lines | bits that changed |\n|---|---|---|---|\n".to_owned();
        for Counted { config, points } in self.counted {
            let modules: BTreeSet<&str> = points.iter().map(|point| point.module.as_str()).collect();
            let row = |name: &str, wanted: &dyn Fn(&Point) -> bool| {
                let of =
                    |kind: Kind| self.share(|c, point| c == config && point.kind == kind && wanted(point));
                format!("| {config} | {name} | {} | {} |\n", of(Kind::Line).cell(), of(Kind::Toggle).cell())
            };
            text += &row("**all**", &|_| true);
            text.extend(modules.iter().map(|module| row(module, &|point| point.module == **module)));
        }
        text
    }
    fn missed(&self) -> String {
        let head = "## Lines that were not reached\n\n| module | branch | where | statement | can be reached | why |\n|---|---|---|---|---|---|\n";
        let mut places: BTreeMap<(&str, &str, &str), Vec<String>> = BTreeMap::new();
        for (config, point) in self.all().filter(|(_, point)| point.kind == Kind::Line && point.count == 0) {
            let key = (point.module.as_str(), point.name.as_str(), point.statement.as_str());
            places.entry(key).or_default().push(format!("{config} {}", point.line));
        }
        let row = |((module, branch, statement), at): (&(&str, &str, &str), &Vec<String>)| {
            let reason = self.reasons.iter().find(|r| {
                (r.module.as_str(), r.branch.as_str(), r.statement.as_str()) == (*module, *branch, *statement)
            });
            let can = reason.map_or("?", |reason| if reason.unreachable { "no" } else { "yes" });
            let why = reason.map_or("**not known**", |reason| reason.reason.as_str());
            format!(
                "| {module} | {branch} | {} | `{}` | {can} | {why} |\n",
                at.join(", "),
                statement.replace('|', "\\|")
            )
        };
        head.to_owned() + &places.iter().map(row).collect::<String>()
    }
    fn still(&self) -> String {
        let mut signals: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for (config, point) in self.all().filter(|(_, point)| point.kind == Kind::Toggle && point.count == 0)
        {
            let signal = point.name.split('[').next().unwrap_or_default();
            *signals.entry((config, &point.module, signal)).or_default() += 1;
        }
        let mut widest: Vec<_> = signals.into_iter().collect();
        widest.sort_by_key(|(_, bits)| std::cmp::Reverse(*bits));
        let row = |((config, module, signal), bits): &((&str, &str, &str), usize)| {
            let reason = self.reasons.iter().find(|reason| reason.explains_bits(module, signal));
            let why = reason.map_or("**not known**", |reason| reason.reason.as_str());
            format!("| {config} | {module} | {signal} | {bits} | {why} |\n")
        };
        format!(
            "## Signals with the most bits that never changed\n\nThe first {SIGNALS} of {}.\n\n| configuration | module | signal | bits | why |\n|---|---|---|---|---|\n{}",
            widest.len(),
            widest.iter().take(SIGNALS).map(row).collect::<String>()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, count: u64) -> Point {
        Point {
            kind: Kind::Line,
            module: "M".into(),
            name: name.into(),
            statement: "if(a) begin".into(),
            line: 3,
            count,
        }
    }
    fn reason(branch: &str, unreachable: bool) -> Reason {
        let (module, statement) = ("M".into(), "if(a) begin".into());
        Reason { module, branch: branch.into(), statement, unreachable, reason: "why".into() }
    }
    fn faults(points: &[Point], reasons: &[Reason]) -> Vec<String> {
        let counted = [Counted { config: "sim".into(), points: points.to_vec() }];
        Page { counted: &counted, reasons }.faults()
    }

    #[test]
    fn what_is_not_reached_needs_a_reason_and_counts_unless_nothing_can_reach_it() {
        let points = [point("if", 1), point("else", 0)];
        assert!(faults(&points, &[])[0].starts_with("not reached, and without a reason: sim 3, M: else"));
        assert_eq!(faults(&points, &[reason("else", true)]), Vec::<String>::new());
        assert!(faults(&points, &[reason("else", false)])[0].starts_with("50.0% of the lines"));
    }

    #[test]
    fn a_word_for_bits_may_be_about_a_kind_of_signals() {
        let word = |module: &str, statement: &str| {
            let (branch, reason) = (BITS.into(), "why".into());
            Reason { module: module.into(), branch, statement: statement.into(), unreachable: true, reason }
        };
        assert!(word("M", "a_prot").explains_bits("M", "a_prot"));
        assert!(word("*", "*_prot").explains_bits("M", "a_prot"));
        assert!(!word("N", "*_prot").explains_bits("M", "a_prot"));
        assert!(!word("*", "a").explains_bits("M", "a_prot"));
        assert!(faults(&[point("if", 1)], &[word("*", "*_prot")]).is_empty());
    }

    #[test]
    fn a_reason_for_what_is_reached_is_a_fault() {
        let stale = faults(&[point("if", 1)], &[reason("if", true)]);
        assert!(stale[0].starts_with("a reason for what is reached"));
        let gone = faults(&[point("if", 1)], &[reason("case", true)]);
        assert!(gone[0].starts_with("a reason for what is reached"));
    }
}
