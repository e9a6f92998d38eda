//! Coverage points as Verilator writes them, with the statements of the Verilog that they belong to.
use std::collections::HashMap;

use anyhow::{Context, Result};

/// What a point counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A block, a case, or a side of an `if`.
    Line,
    /// A change of a bit.
    Toggle,
}

/// A point, over all instances of its module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub kind: Kind,
    /// The kind of its module: without the number by which the generator tells alike ones apart.
    pub module: String,
    /// `if`, `else`, `case`, `block`; of a bit its name.
    pub name: String,
    /// Nothing for a bit.
    pub statement: String,
    pub line: usize,
    pub count: u64,
}

/// Reads `C '\x01key\x02value...' count` line by line.
pub fn read(merged: &str, verilog: &str) -> Result<Vec<Point>> {
    let lines: Vec<&str> = verilog.lines().map(str::trim).collect();
    let mut all: HashMap<(String, String, usize), Point> = HashMap::new();
    for line in merged.lines().filter(|line| line.starts_with("C '")) {
        let (keys, count) = line[3..].rsplit_once("' ").context("a count behind a point")?;
        let values: HashMap<&str, &str> =
            keys.split('\u{1}').filter_map(|pair| pair.split_once('\u{2}')).collect();
        let value = |key: &str| values.get(key).copied().with_context(|| format!("a point without {key}"));
        let (page, name) = (value("page")?, value("o")?);
        let (kind, module) = page.split_once('/').context("a point's page")?;
        let kind = if kind == "v_toggle" { Kind::Toggle } else { Kind::Line };
        let number: usize = value("l")?.parse().context("a point's line")?;
        let count: u64 = count.parse().context("a point's count")?;
        let place = (module.to_owned(), name.to_owned(), if kind == Kind::Line { number } else { 0 });
        let statement = if kind == Kind::Line { statement(&lines, number) } else { String::new() };
        let point = Point {
            kind,
            module: stem(module).to_owned(),
            name: name.to_owned(),
            statement,
            line: number,
            count: 0,
        };
        all.entry(place).or_insert(point).count += count;
    }
    let mut all: Vec<Point> = all.into_values().collect();
    all.sort_by(|a, b| (a.kind, a.line, &a.name).cmp(&(b.kind, b.line, &b.name)));
    Ok(all)
}

fn stem(module: &str) -> &str {
    module.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
}

/// The text of a line; of a label of a case also what follows, and the head of the case, since labels are alike.
fn statement(lines: &[&str], number: usize) -> String {
    let text = lines.get(number - 1).copied().unwrap_or_default();
    if !text.ends_with(": begin") && !text.starts_with("default") {
        return text.to_owned();
    }
    let head = lines[..number - 1].iter().rev().find(|line| line.starts_with("case"));
    let next = lines.get(number).copied().unwrap_or_default();
    format!("{} {text} {next}", head.copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_of_a_module_are_one_and_statements_are_found() {
        let verilog = "module M_1 (\n  case(a)\n    2'b00 : begin\n      q <= b;\n  if(c) begin\n";
        let point = |page: &str, line: u32, name: &str, instance: &str, count: u32| {
            format!(
                "C '\u{1}f\u{2}m.v\u{1}l\u{2}{line}\u{1}n\u{2}5\u{1}page\u{2}{page}\u{1}o\u{2}{name}\u{1}h\u{2}{instance}' {count}\n"
            )
        };
        let merged = [
            "# SystemC::Coverage-3\n".to_owned(),
            point("v_branch/M_1", 5, "if", "top.a", 0),
            point("v_branch/M_1", 5, "if", "top.b", 7),
            point("v_branch/M_1", 5, "else", "top.b", 0),
            point("v_line/M_1", 3, "case", "top.a", 2),
            point("v_toggle/M_1", 1, "q[0]", "top.a", 0),
        ]
        .concat();
        let points = read(&merged, verilog).unwrap();
        let told: Vec<_> =
            points.iter().map(|p| (p.kind, p.name.as_str(), p.statement.as_str(), p.count)).collect();
        assert_eq!(
            told,
            [
                (Kind::Line, "case", "case(a) 2'b00 : begin q <= b;", 2),
                (Kind::Line, "else", "if(c) begin", 0),
                (Kind::Line, "if", "if(c) begin", 7),
                (Kind::Toggle, "q[0]", "", 0),
            ]
        );
        assert!(points.iter().all(|point| point.module == "M"));
    }
}
