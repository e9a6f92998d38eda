//! What a campaign found: in words, as docs/reference/figures/mutants.md, and what is kept in docs/reference/figures/mutants.json.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::Options;
use super::campaign::{End, Test};
use super::equivalence::Shown;
use super::mutant::Mutant;

const KEPT: &str = "docs/reference/figures/mutants.json";
const PAGE: &str = "docs/reference/figures/mutants.md";
/// What docs/reference/figures/mutants.md begins with.
const HEAD: &str = include_str!("head.md");

/// What is committed beside the page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Why a mutant survives, by its key. Written by hand.
    pub reasons: BTreeMap<String, String>,
    /// Keys of mutants that died of the first test, in the order in which CI takes them.
    pub quick: Vec<String>,
}

impl Kept {
    /// What is committed; nothing is where nothing was.
    pub fn read(root: &Path) -> Result<Kept> {
        let path = root.join(KEPT);
        if !path.exists() {
            return Ok(Kept::default());
        }
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
    }
}

/// Everything that a campaign saw.
pub struct Page<'a> {
    pub options: &'a Options,
    /// Statements that were read, and lines that were not understood.
    pub read: [usize; 2],
    pub tests: &'a [Test],
    pub judged: &'a [Mutant],
    pub ends: &'a [End],
    /// Survivors that are shown to be equivalent, by their keys.
    pub shown: HashMap<String, Shown>,
    pub kept: &'a Kept,
}

impl Page<'_> {
    /// Whether a mutant was neither found nor shown to be equivalent.
    fn survives(&self, mutant: &Mutant, end: &End) -> bool {
        *end == End::Survived && !self.shown.contains_key(&mutant.key)
    }
    fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        self.judged
            .iter()
            .zip(self.ends)
            .filter(|(mutant, end)| self.survives(mutant, end))
            .map(|(mutant, _)| mutant)
    }
    /// Survivors without a reason.
    pub fn unexplained(&self) -> Vec<&Mutant> {
        self.survivors().filter(|mutant| !self.kept.reasons.contains_key(&mutant.key)).collect()
    }
    fn found(&self, test: &Test) -> usize {
        self.ends.iter().filter(|end| by(end, test)).count()
    }
    /// In a few lines.
    pub fn summary(&self) -> String {
        let (all, survived, same) = (self.judged.len(), self.survivors().count(), self.shown.len());
        let found = all - survived - same;
        let share = 100.0 * found as f64 / (all - same).max(1) as f64;
        let mut text = format!(
            "{all} mutants, {same} of them shown to be equivalent; of the others {found} found ({share:.1}%), {survived} survived"
        );
        let mut told: Vec<&str> = Vec::new();
        for test in self.tests {
            // The same test asks about one configuration after the other.
            if told.contains(&test.name.as_str()) {
                continue;
            }
            told.push(&test.name);
            write!(text, "\n  {:4} by the {}", self.found(test), test.name).expect("text takes text");
        }
        text
    }

    /// Writes page and keys.
    pub fn write(&self, root: &Path) -> Result<()> {
        let quick = self.judged.iter().zip(self.ends).filter(|(_, end)| by(end, &self.tests[0]));
        let mut quick: Vec<String> = quick.map(|(mutant, _)| mutant.key.clone()).collect();
        // Keys are hashes: in their order the mutants come from everywhere.
        quick.sort_unstable();
        let kept = Kept { reasons: self.kept.reasons.clone(), quick };
        let json = serde_json::to_string_pretty(&kept)? + "\n";
        fs::write(root.join(KEPT), json).with_context(|| format!("writing {KEPT}"))?;
        fs::write(root.join(PAGE), self.text()).with_context(|| format!("writing {PAGE}"))
    }

    fn text(&self) -> String {
        let Options { seed, count, config, frames, .. } = self.options;
        let (config, [statements, unknown]) = (config.join(","), self.read);
        [
            HEAD.to_owned(),
            format!("## The last campaign\n\n`cargo xtask mutate --seed {seed} --count {count} --config {config} --frames {frames} --update`:\n"),
            format!("```\n{}\n```\n", self.summary()),
            format!("{statements} statements were read; {unknown} lines were not understood and left alone.\n"),
            self.table("Kind", |mutant| mutant.kind.to_string()),
            self.table("Configuration", |mutant| mutant.config.clone()),
            self.table("Module", |mutant| mutant.module.clone()),
            self.list(),
            self.equivalents(),
        ]
        .join("\n")
    }

    /// How many there were, and were found, of each name.
    fn table(&self, head: &str, name: impl Fn(&Mutant) -> String) -> String {
        let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        for (mutant, end) in self.judged.iter().zip(self.ends) {
            let [all, found, same] = counts.entry(name(mutant)).or_default();
            *all += 1;
            *found += usize::from(*end != End::Survived);
            *same += usize::from(self.shown.contains_key(&mutant.key));
        }
        let line = |(name, [all, found, same]): (&String, &[usize; 3])| {
            format!("| {name} | {all} | {found} | {same} |\n")
        };
        format!("| {head} | planted | found | equivalent |\n|---|---|---|---|\n")
            + &counts.iter().map(line).collect::<String>()
    }

    fn list(&self) -> String {
        let mut text =
            "## Survivors\n\n| key | module | line | what | why it survives |\n|---|---|---|---|---|\n"
                .to_owned();
        for mutant in self.survivors() {
            let why = self.kept.reasons.get(&mutant.key).map_or("**not known**", String::as_str);
            writeln!(text, "{} {why} |", cells(mutant)).expect("text takes text");
        }
        text
    }

    fn equivalents(&self) -> String {
        let mut text =
            "## Equivalent mutants\n\n| key | module | line | what | shown by |\n|---|---|---|---|---|\n"
                .to_owned();
        for mutant in self.judged {
            let by = match self.shown.get(&mutant.key) {
                Some(Shown::SameBoard) => "the same structure of the optimised board",
                Some(Shown::SameModule) => "induction over its module",
                None => continue,
            };
            writeln!(text, "{} {by} |", cells(mutant)).expect("text takes text");
        }
        text
    }
}

/// Whether this test found the mutant.
fn by(end: &End, test: &Test) -> bool {
    matches!(end, End::Found { test: by, .. } if *by == test.name)
}

/// The first columns of a list of mutants.
fn cells(mutant: &Mutant) -> String {
    let Mutant { key, kind, config, module, line, what, .. } = mutant;
    format!("| {key} | {module} | {config} {line} | {kind}: `{}` |", what.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::mutant::{Text, Wanted, mutants};
    use crate::mutate::verilog::scan;

    const FILE: &str = "module M (\n);\n  assign x = (a && b);\n  assign x = (a || b);\n  assign x = (a == b);\n  assign x = (! b);\nendmodule\n";

    #[test]
    fn a_survivor_is_told_unless_it_is_equivalent_or_has_a_reason() {
        let scan = scan(FILE);
        let text = Text { config: "m", file: FILE, scan: &scan };
        let judged = mutants(&[text], &Wanted { seed: 1, count: 4, module: "" });
        let ends = [
            End::Found { test: "test".into(), how: "differs".into() },
            End::Survived,
            End::Survived,
            End::Survived,
        ];
        let test =
            Test { name: "test".into(), program: "sh".into(), arguments: vec![], config: None, bench: None };
        let reasons = BTreeMap::from([(judged[2].key.clone(), "it only makes it slower".to_owned())]);
        let page = Page {
            options: &Options::ci(),
            read: [scan.statements.len(), 0],
            tests: &[test],
            judged: &judged,
            ends: &ends,
            shown: HashMap::from([(judged[1].key.clone(), Shown::SameBoard)]),
            kept: &Kept { reasons, quick: vec![] },
        };
        assert_eq!(page.unexplained(), [&judged[3]]);
        let text = page.text();
        assert!(text.contains(
            "4 mutants, 1 of them shown to be equivalent; of the others 1 found (33.3%), 2 survived"
        ));
        assert!(text.contains("   1 by the test\n"));
        assert!(text.contains(&format!("| {} |", judged[3].key)) && text.contains("**not known**"));
        assert!(text.contains("it only makes it slower") && text.contains("optimised board |"));
        assert!(text.contains("| M | 4 | 1 | 1 |"));
    }

    #[test]
    fn what_is_written_can_be_read_again() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Kept::read(folder.path()).unwrap(), Kept::default());
        fs::create_dir_all(folder.path().join(KEPT).parent().unwrap()).unwrap();
        let kept = Kept { reasons: BTreeMap::from([("a".into(), "b".into())]), quick: vec!["c".into()] };
        fs::write(folder.path().join(KEPT), serde_json::to_string(&kept).unwrap()).unwrap();
        assert_eq!(Kept::read(folder.path()).unwrap(), kept);
    }
}
