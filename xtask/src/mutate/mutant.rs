//! Mutants: what is changed where, drawn from a seed, and written into the Verilog.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use anyhow::{Context, Result};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::expression::Part;
use super::verilog::{Form, Scan, Statement};

/// The package that comes before the first module of the planted Verilog, and the C function that tells which mutant lives; 0 is none.
pub const PACKAGE: &str = "package mneme_mutants;\n  import \"DPI-C\" function int mneme_mutant_selected();\n  int selected = mneme_mutant_selected();\nendpackage\n\n";
/// Where that number is.
const SELECTED: &str = "mneme_mutants::selected";
/// Numbers that are wider are left alone.
const WIDEST: u32 = 64;

/// How something is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// `&&` becomes `||`, `+` becomes `-`, an OR of bits their AND.
    Operator,
    /// `==` becomes `!=`, `<` becomes `<=`.
    Comparison,
    /// A negation is left out.
    Negation,
    /// A bit of a number flips, or the number grows by one.
    Constant,
    /// The condition of a choice is negated, always true or never.
    Condition,
    /// The same of what lets registers change.
    Enable,
    /// A register keeps its value, or a wire the one that it had before.
    Dropped,
    /// A wire of one bit is always 0, or always 1.
    Stuck,
    /// A fault that a person thought of (`written.json`).
    Written,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Operator => "operator",
            Kind::Comparison => "comparison",
            Kind::Negation => "negation",
            Kind::Constant => "constant",
            Kind::Condition => "condition",
            Kind::Enable => "enable",
            Kind::Dropped => "dropped assignment",
            Kind::Stuck => "stuck wire",
            Kind::Written => "written by hand",
        })
    }
}

/// A place that can be changed, and what into. Nothing: the statement is left out.
#[derive(Debug, Clone)]
struct Site {
    kind: Kind,
    statement: usize,
    at: Range<usize>,
    into: Vec<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// From 1, in the order of the file.
    pub number: u32,
    /// What stays the same when other parts of the hardware change.
    pub key: String,
    pub kind: Kind,
    /// The configuration whose tests judge it.
    pub config: String,
    pub module: String,
    pub line: usize,
    /// The statement, and what is changed in it.
    pub what: String,
    at: Range<usize>,
    into: Option<String>,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutant { number, key, kind, config, module, line, what, .. } = self;
        write!(f, "{number} ({key}), {kind} in {module} of {config}, line {line}: {what}")
    }
}

/// What is asked for.
pub struct Wanted<'a> {
    pub seed: u64,
    pub count: usize,
    /// Modules whose names contain this, alone.
    pub module: &'a str,
}

/// A name without the number by which the generator tells modules of one kind apart.
pub fn kind_of_module(module: &str) -> &str {
    module.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
}

/// Whether the text has one module of this one's kind: of several the generator's numbers do not tell which is which in another text.
pub fn is_alone(scan: &Scan, module: &str) -> bool {
    let kind = kind_of_module(module);
    scan.modules.iter().filter(|other| kind_of_module(other) == kind).count() == 1
}

fn number(text: &str) -> Option<Vec<String>> {
    let (width, digits) = text.split_once('\'')?;
    let width: u32 = width.parse().ok().filter(|width| (1..=WIDEST).contains(width))?;
    let base = match digits.get(..1)? {
        "b" => 2,
        "d" => 10,
        "h" => 16,
        _ => return None,
    };
    let value = u64::from_str_radix(&digits[1..], base).ok()?;
    let grown = value.wrapping_add(1) & (u64::MAX >> (WIDEST - width));
    let flipped = (0..width).map(|bit| value ^ 1 << bit);
    let mut all: Vec<u64> = flipped.chain([grown]).collect();
    all.sort_unstable();
    all.dedup();
    Some(all.iter().map(|value| format!("{width}'h{value:x}")).collect())
}

fn of_part(file: &str, part: &Part) -> Option<(Kind, Range<usize>, Vec<String>)> {
    let text = |range: &Range<usize>| &file[range.clone()];
    Some(match part {
        Part::Number(at) => (Kind::Constant, at.clone(), number(text(at))?),
        Part::Choice { condition } => (Kind::Condition, condition.clone(), conditions(text(condition))),
        Part::Unary { whole, operator, operand } => {
            let operand = text(operand);
            let (kind, into) = match text(operator) {
                "!" => (Kind::Negation, vec![format!("(|{operand})")]),
                "~" => (Kind::Negation, vec![operand.to_owned()]),
                "|" => (Kind::Operator, vec![format!("(&{operand})")]),
                "&" => (Kind::Operator, vec![format!("(|{operand})")]),
                _ => (Kind::Operator, vec![format!("(|{operand})")]),
            };
            (kind, whole.clone(), into)
        }
        Part::Binary { whole, left, operator, right } => {
            let (kind, others): (Kind, &[&str]) = match text(operator) {
                "&&" => (Kind::Operator, &["||"]),
                "||" => (Kind::Operator, &["&&"]),
                "&" => (Kind::Operator, &["|", "^"]),
                "|" => (Kind::Operator, &["&"]),
                "^" => (Kind::Operator, &["|", "&"]),
                "+" => (Kind::Operator, &["-"]),
                "-" => (Kind::Operator, &["+"]),
                "<<" => (Kind::Operator, &[">>"]),
                ">>" => (Kind::Operator, &["<<"]),
                "==" => (Kind::Comparison, &["!="]),
                "!=" => (Kind::Comparison, &["=="]),
                "<" => (Kind::Comparison, &["<=", ">="]),
                "<=" => (Kind::Comparison, &["<", ">"]),
                ">" => (Kind::Comparison, &[">=", "<="]),
                ">=" => (Kind::Comparison, &[">", "<"]),
                _ => return None,
            };
            let into =
                others.iter().map(|other| format!("({} {other} {})", text(left), text(right))).collect();
            (kind, whole.clone(), into)
        }
    })
}

fn conditions(condition: &str) -> Vec<String> {
    vec![format!("(!({condition}))"), "1'b1".into(), "1'b0".into()]
}

/// All that a statement can be changed into.
fn sites(file: &str, number: usize, statement: &Statement) -> Vec<Site> {
    let site = |(kind, at, into)| Site { kind, statement: number, at, into };
    let parts = statement.parts.iter().filter_map(|part| of_part(file, part));
    let own = match &statement.form {
        Form::Wire { value, bit: true } if !statement.parts.is_empty() => {
            Some((Kind::Stuck, value.clone(), vec!["1'b0".into(), "1'b1".into()]))
        }
        Form::Value { overrides: true } | Form::Register => {
            Some((Kind::Dropped, statement.text.clone(), vec![]))
        }
        // Without its reset nothing works: a mutant of no interest.
        Form::Condition { condition, clocked: true }
            if ["reset", "io_portReset"].contains(&&file[condition.clone()]) =>
        {
            None
        }
        Form::Condition { condition, clocked } => {
            let kind = if *clocked { Kind::Enable } else { Kind::Condition };
            Some((kind, condition.clone(), conditions(&file[condition.clone()])))
        }
        _ => None,
    };
    parts.chain(own).map(site).collect()
}

/// Whether a site is logic: more than one register that takes another's value.
fn is_logic(scan: &Scan, site: &Site) -> bool {
    site.kind != Kind::Dropped || !scan.statements[site.statement].parts.is_empty()
}

/// Shares `count`, no more than all weights together, out in proportion to them; what is left over goes to the largest remainders.
fn shares(weights: &[usize], count: usize) -> Vec<usize> {
    let total = weights.iter().sum::<usize>().max(1);
    let mut shares: Vec<usize> = weights.iter().map(|weight| weight * count / total).collect();
    let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
    by_remainder.sort_by_key(|module| std::cmp::Reverse(weights[*module] * count % total));
    let left = count - shares.iter().sum::<usize>();
    for module in by_remainder.into_iter().take(left) {
        shares[module] += 1;
    }
    shares
}

/// The same for a seed and a name every time.
fn random(seed: u64, name: &str) -> ChaCha8Rng {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    hasher.update(name);
    ChaCha8Rng::from_seed(hasher.finalize().into())
}

/// Draws one kind after the other, and of each a place: all kinds come as often as there are places.
fn draw(sites: Vec<Site>, count: usize, rng: &mut ChaCha8Rng) -> Vec<(Site, Option<String>)> {
    let mut kinds: BTreeMap<Kind, Vec<Site>> = BTreeMap::new();
    for site in sites {
        kinds.entry(site.kind).or_default().push(site);
    }
    let mut drawn = Vec::new();
    while drawn.len() < count && !kinds.is_empty() {
        let mut order: Vec<Kind> = kinds.keys().copied().collect();
        order.shuffle(rng);
        for kind in order {
            let Some(sites) = kinds.get_mut(&kind).filter(|_| drawn.len() < count) else { break };
            let site = sites.swap_remove(rng.random_range(0..sites.len()));
            if sites.is_empty() {
                kinds.remove(&kind);
            }
            let into = site.into.choose(rng).cloned();
            drawn.push((site, into));
        }
    }
    drawn
}

fn all_sites(file: &str, scan: &Scan, module: &str) -> Vec<Vec<Site>> {
    let mut of_module: Vec<Vec<Site>> = scan.modules.iter().map(|_| Vec::new()).collect();
    for (number, statement) in scan.statements.iter().enumerate() {
        if scan.modules[statement.module].contains(module) {
            of_module[statement.module].extend(sites(file, number, statement));
        }
    }
    of_module
}

/// A configuration's text, with what was read of it.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub config: &'a str,
    pub file: &'a str,
    pub scan: &'a Scan,
}

impl<'a> Text<'a> {
    /// A statement with the kind of its module: what configurations share.
    fn shared(self, statement: &Statement) -> (&'a str, &'a str) {
        (kind_of_module(&self.scan.modules[statement.module]), &self.file[statement.text.clone()])
    }
    /// What can be changed, module by module; nothing in statements that another text has.
    fn sites(self, module: &str, known: &HashSet<(&str, &str)>) -> Vec<Vec<Site>> {
        let mut sites = all_sites(self.file, self.scan, module);
        let new = |site: &Site| !known.contains(&self.shared(&self.scan.statements[site.statement]));
        sites.iter_mut().for_each(|of_module| of_module.retain(new));
        sites
    }
}

/// Draws mutants, each module's share in proportion to its logic. Of all texts but the first, statements alone that none before has.
pub fn mutants(texts: &[Text], wanted: &Wanted) -> Vec<Mutant> {
    let mut known = HashSet::new();
    let mut of_texts = Vec::new();
    for text in texts {
        of_texts.push(text.sites(wanted.module, &known));
        known.extend(text.scan.statements.iter().map(|statement| text.shared(statement)));
    }
    let modules =
        || texts.iter().zip(&of_texts).flat_map(|(text, sites)| sites.iter().map(move |s| (text, s)));
    let logic =
        |(text, sites): (&Text, &Vec<Site>)| sites.iter().filter(|site| is_logic(text.scan, site)).count();
    let weights: Vec<usize> = modules().map(logic).collect();
    // Of a few small modules everything may be asked for.
    let few = wanted.count >= weights.iter().sum();
    let shares =
        if few { modules().map(|(_, sites)| sites.len()).collect() } else { shares(&weights, wanted.count) };
    let mut shares = shares.into_iter();
    let mut all = Vec::new();
    for (text, of_module) in texts.iter().zip(of_texts) {
        let mut drawn = Vec::new();
        for ((name, sites), share) in text.scan.modules.iter().zip(of_module).zip(&mut shares) {
            drawn.extend(draw(sites, share, &mut random(wanted.seed, name)));
        }
        all.extend(named(*text, drawn));
    }
    renumber(&mut all);
    all
}

/// A mutant that a person wrote: what stands in a statement, and what into it turns.
#[derive(Debug, Clone, Deserialize)]
pub struct Written {
    pub name: String,
    pub config: String,
    /// The kind of module.
    pub module: String,
    pub statement: String,
    pub from: String,
    pub into: String,
}

/// The mutants of a person, as far as they are of this configuration; an error names one that is not in its text.
pub fn written(text: Text, all: &[Written]) -> Result<Vec<Mutant>> {
    let one = |fault: &Written| {
        let lost =
            || format!("{} holds no `{}` in {}: {}", text.config, fault.statement, fault.module, fault.name);
        let shared = (fault.module.as_str(), fault.statement.as_str());
        let mut alike = text.scan.statements.iter().filter(|statement| text.shared(statement) == shared);
        let statement = alike.next().with_context(lost)?;
        let offset = fault.statement.find(&fault.from).with_context(lost)?;
        let at = statement.text.start + offset;
        let at = at..at + fault.from.len();
        Ok(Mutant {
            number: 0,
            key: fault.name.clone(),
            kind: Kind::Written,
            config: text.config.to_owned(),
            module: text.scan.modules[statement.module].clone(),
            line: statement.line,
            what: told(text.file, &statement.text, &at, &fault.into),
            at,
            into: Some(fault.into.clone()),
        })
    };
    all.iter().filter(|fault| fault.config == text.config).map(one).collect()
}

/// For each key the mutant that has it, of all that are possible; its number is not yet its own.
pub fn with_keys(text: Text, keys: &[&str]) -> Vec<Option<Mutant>> {
    let each = |site: Site| {
        let into =
            if site.into.is_empty() { vec![None] } else { site.into.iter().cloned().map(Some).collect() };
        into.into_iter().map(move |into| (site.clone(), into))
    };
    let all = named(text, all_sites(text.file, text.scan, "").into_iter().flatten().flat_map(each).collect());
    let by_key: HashMap<&str, &Mutant> = all.iter().map(|mutant| (mutant.key.as_str(), mutant)).collect();
    keys.iter().map(|key| by_key.get(key).copied().cloned()).collect()
}

/// Counts mutants up in their order.
pub fn renumber(mutants: &mut [Mutant]) {
    for (number, mutant) in (1..).zip(mutants) {
        mutant.number = number;
    }
}

/// How often each statement of a kind of module came before, in statements: of statements that are alike it tells them apart.
fn occurrences(file: &str, scan: &Scan) -> Vec<usize> {
    let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
    let mut count = |statement: &Statement| {
        let name = (kind_of_module(&scan.modules[statement.module]), &file[statement.text.clone()]);
        let times = seen.entry(name).or_default();
        *times += 1;
        *times
    };
    scan.statements.iter().map(&mut count).collect()
}

/// A statement with what is changed in it marked, `old` to `new`; of a long one, its beginning and what lies around the change.
fn told(file: &str, statement: &Range<usize>, at: &Range<usize>, into: &str) -> String {
    const AROUND: usize = 30;
    const SHOWN: usize = 60;
    let clip = |text: &str| {
        let clipped: String = text.chars().take(SHOWN).collect();
        if clipped.len() < text.len() { clipped + "..." } else { clipped }
    };
    let before = &file[statement.start..at.start];
    let near = before.len().saturating_sub(AROUND);
    let before = if near > SHOWN {
        format!("{} ... {}", &before[..AROUND], &before[near..])
    } else {
        before.to_owned()
    };
    let after = &file[at.end..statement.end];
    let after = if after.len() > AROUND { format!("{} ...", &after[..AROUND]) } else { after.to_owned() };
    format!("{before}[{} -> {}]{after}", clip(&file[at.clone()]), clip(into))
}

/// Numbers the mutants, and names each by what it changes.
fn named(text: Text, mut drawn: Vec<(Site, Option<String>)>) -> Vec<Mutant> {
    let Text { config, file, scan } = text;
    let occurrences = occurrences(file, scan);
    drawn.sort_by_key(|(site, _)| (site.at.start, std::cmp::Reverse(site.at.end), site.kind));
    let mutant = |(number, (site, into)): (u32, (Site, Option<String>))| {
        let statement = &scan.statements[site.statement];
        let module = &scan.modules[statement.module];
        let text = &file[statement.text.clone()];
        let offset = site.at.start - statement.text.start;
        let parts =
            [kind_of_module(module), text, &site.kind.to_string(), into.as_deref().unwrap_or_default()]
                .join("\n");
        let parts = format!("{parts}\n{offset} {}", occurrences[site.statement]);
        let key = Sha256::digest(parts).iter().take(5).map(|byte| format!("{byte:02x}")).collect();
        let what = match &into {
            Some(into) => told(file, &statement.text, &site.at, into),
            None => format!("{text} left out"),
        };
        Mutant {
            number,
            key,
            kind: site.kind,
            config: config.to_owned(),
            module: module.clone(),
            line: statement.line,
            what,
            at: site.at,
            into,
        }
    };
    (1..).zip(drawn).map(mutant).collect()
}

/// The file with this mutant alone, for good.
pub fn mutated(file: &str, mutant: &Mutant) -> String {
    let into = mutant.into.as_deref().unwrap_or("begin end");
    [&file[..mutant.at.start], into, &file[mutant.at.end..]].concat()
}

/// The file with all mutants, of which the one lives whose number is selected.
pub fn planted(file: &str, mutants: &[Mutant]) -> String {
    let mut edits: Vec<&Mutant> = mutants.iter().collect();
    edits.sort_by_key(|mutant| (mutant.at.start, std::cmp::Reverse(mutant.at.end), mutant.number));
    let first = file.find("\nmodule ").map_or(0, |end| end + 1);
    [&file[..first], PACKAGE, &render(file, first..file.len(), &edits)].concat()
}

/// A part of the file with the mutants that lie in it, in order: one that holds others comes before them.
fn render(file: &str, range: Range<usize>, edits: &[&Mutant]) -> String {
    let mut text = String::new();
    let (mut at, mut next) = (range.start, 0);
    while let Some(outer) = edits.get(next) {
        let inside = edits[next + 1..].iter().take_while(|inner| inner.at.end <= outer.at.end).count();
        let inner = render(file, outer.at.clone(), &edits[next + 1..=next + inside]);
        text += &file[at..outer.at.start];
        text += &match &outer.into {
            Some(into) => format!("(({SELECTED} == {}) ? {into} : {inner})", outer.number),
            None => format!("if({SELECTED} != {}) {inner}", outer.number),
        };
        at = outer.at.end;
        next += 1 + inside;
    }
    text + &file[at..range.end]
}
