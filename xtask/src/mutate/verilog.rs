//! The lines of a generated Verilog file that do something, each with what can be changed in it.
//!
//! SpinalHDL writes one statement per line. What is not understood is counted and left alone.
use std::collections::HashSet;
use std::ops::Range;

use super::expression::{self, Part};

/// A statement within a module.
#[derive(Debug, Clone)]
pub struct Statement {
    /// The module that it belongs to, by its number in the file.
    pub module: usize,
    /// From 1.
    pub line: usize,
    /// Without indentation.
    pub text: Range<usize>,
    pub form: Form,
    /// Of its right-hand side or its condition.
    pub parts: Vec<Part>,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// `assign a = b;`, of one bit or of more.
    Wire { value: Range<usize>, bit: bool },
    /// `a = b;` within an always block. `overrides`: the wire has a value without it.
    Value { overrides: bool },
    /// `a <= b;`
    Register,
    /// `if(c) begin`; in a clocked block it is the enable of what follows.
    Condition { condition: Range<usize>, clocked: bool },
    /// `1'b0 : a = b;`
    Arm,
}

/// What was read of a file.
#[derive(Debug, Default)]
pub struct Scan {
    /// Names, in the order of the file.
    pub modules: Vec<String>,
    pub statements: Vec<Statement>,
    /// Lines that are neither a statement of a known form nor a declaration, an instance, or structure.
    pub not_understood: Vec<usize>,
}

#[derive(Default)]
struct Block {
    clocked: bool,
    depth: usize,
    /// What has a value whatever happens.
    settled: HashSet<String>,
}

/// Where the reader stands.
enum Place {
    Outside,
    Header,
    Body,
    Instance,
    Always(Block),
}

struct Reader<'a> {
    file: &'a str,
    scan: Scan,
    place: Place,
    /// Wires and registers of one bit in this module.
    bits: HashSet<String>,
}

/// Reads a file.
pub fn scan(file: &str) -> Scan {
    let mut reader = Reader { file, scan: Scan::default(), place: Place::Outside, bits: HashSet::new() };
    let mut position = 0;
    for (number, line) in file.split_inclusive('\n').enumerate() {
        let text = line.trim();
        let start = position + (line.len() - line.trim_start().len());
        position += line.len();
        if !text.is_empty() && !text.starts_with("//") && reader.line(number + 1, text, start).is_none() {
            reader.scan.not_understood.push(number + 1);
        }
    }
    reader.scan
}

/// The name that an assigned one begins with: `a[3]` is a part of `a`.
fn base(target: &str) -> &str {
    target.split('[').next().unwrap_or(target).trim()
}

fn is_target(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '[' | ']' | ' ' | ':');
    let name = base(text);
    !name.is_empty() && !name.contains(' ') && text.chars().all(plain) && !text.ends_with(' ')
}

impl Reader<'_> {
    /// Nothing: the line is not understood.
    fn line(&mut self, number: usize, text: &str, start: usize) -> Option<()> {
        if let Some(rest) = text.strip_prefix("module ") {
            let name = rest.split([' ', '(', '#']).next()?;
            self.scan.modules.push(name.to_owned());
            self.bits.clear();
            self.place = Place::Header;
            return Some(());
        }
        match &self.place {
            Place::Outside => text.starts_with('`').then_some(()),
            Place::Header | Place::Instance => {
                if text.starts_with("input") || text.starts_with("output") {
                    self.declaration(text);
                }
                if text.ends_with(");") {
                    self.place = Place::Body;
                }
                Some(())
            }
            Place::Body => self.body(number, text, start),
            Place::Always(_) => self.statement(number, text, start),
        }
    }

    fn declaration(&mut self, text: &str) {
        let name = text.trim_end_matches([',', ';', ' ']).rsplit(' ').next().unwrap_or_default();
        if !text.contains('[') {
            self.bits.insert(name.to_owned());
        }
    }

    fn body(&mut self, number: usize, text: &str, start: usize) -> Option<()> {
        let first = text.split([' ', '(']).next()?;
        match first {
            "endmodule" => self.place = Place::Outside,
            "wire" | "reg" | "integer" | "localparam" | "" if text.ends_with(';') => self.declaration(text),
            "always" if text.ends_with(" begin") => {
                let clocked = text.contains("posedge");
                self.place = Place::Always(Block { clocked, depth: 1, settled: HashSet::new() });
            }
            "assign" => {
                let (target, value) = assigned(text, "assign ".len(), " = ")?;
                let value = shifted(&value, start);
                let form = Form::Wire { bit: self.bits.contains(&text[target]), value: value.clone() };
                self.keep(number, start..start + text.len(), form, value)?;
            }
            // An instance: a module, its name, and ports on lines of their own.
            _ if text.ends_with(" (") || text.ends_with("#(") => self.place = Place::Instance,
            _ => return None,
        }
        Some(())
    }

    fn statement(&mut self, number: usize, text: &str, start: usize) -> Option<()> {
        let whole = start..start + text.len();
        let Place::Always(block) = &mut self.place else { return None };
        let clocked = block.clocked;
        if text == "end" || text == "endcase" {
            block.depth -= 1;
            if block.depth == 0 {
                self.place = Place::Body;
            }
            return Some(());
        }
        if text == "end else begin" {
            return Some(());
        }
        if text.starts_with("case(") || (text.ends_with(" : begin") && !text.contains(['(', '='])) {
            block.depth += 1;
            return Some(());
        }
        if text.ends_with(" begin") {
            // Whatever it is, it has an end of its own.
            block.depth += 1;
            let condition = text.strip_prefix("if(").and_then(|rest| rest.strip_suffix(") begin"))?;
            let condition = start + 3..start + 3 + condition.len();
            let form = Form::Condition { condition: condition.clone(), clocked };
            return self.keep(number, whole, form, condition);
        }
        if let Some((target, value)) = assigned(text, 0, " <= ") {
            return (clocked && is_target(&text[target]))
                .then(|| self.keep(number, whole, Form::Register, shifted(&value, start)))?;
        }
        let (label, from) = match text.find(" : ").filter(|at| !text[..*at].contains(['[', '='])) {
            Some(at) => (true, at + 3),
            None => (false, 0),
        };
        let (target, value) = assigned(text, from, " = ")?;
        let target = &text[target];
        if !is_target(target) || clocked {
            return None;
        }
        let form =
            if label { Form::Arm } else { Form::Value { overrides: block.settled.contains(base(target)) } };
        if block.depth == 1 && !target.contains('[') {
            block.settled.insert(target.to_owned());
        }
        self.keep(number, whole, form, shifted(&value, start))
    }

    fn keep(&mut self, line: usize, text: Range<usize>, form: Form, value: Range<usize>) -> Option<()> {
        let parts = expression::parts(self.file, value)?;
        let module = self.scan.modules.len() - 1;
        self.scan.statements.push(Statement { module, line, text, form, parts });
        Some(())
    }
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// Target and value of an assignment that begins at `from`. An `<=` in parentheses is a comparison.
fn assigned(text: &str, from: usize, sign: &str) -> Option<(Range<usize>, Range<usize>)> {
    let at = from + text.get(from..)?.find(sign)?;
    let end = text.strip_suffix(';')?.len();
    (!text[from..at].contains('(') && at + sign.len() < end).then_some((from..at, at + sign.len()..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "`timescale 1ns/1ps\nmodule M (\n  input  wire [1:0]    a,\n  output wire          y,\n  input  wire          clk\n);\n\
        \n  wire       [1:0]    w;\n  reg                 r;\n  Other_1 other (\n    .x (a[1:0]), //i\n    .z (w[1:0])  //o\n  );\n\
        \n  assign y = (r && a[0]);\n  assign w = a;\n  always @(*) begin\n    r = 1'b0;\n    if((! a[1])) begin\n      r = a[0];\n    end\n  end\n\
        \n  always @(posedge clk) begin\n    if(y) begin\n      q[1 : 0] <= (a + 2'b01);\n    end else begin\n      q <= (a <= w);\n    end\n\
        \n    case(a)\n      2'b00 : m = a;\n      2'b01 : begin\n        q <= a;\n      end\n    endcase\n    q <= a + w;\n  end\n\nendmodule\n";

    #[test]
    fn every_statement_is_found_with_its_form() {
        let scan = scan(MODULE);
        assert_eq!(scan.modules, ["M"]);
        let text = |s: &Statement| MODULE[s.text.clone()].to_owned();
        let forms: Vec<_> = scan.statements.iter().map(|s| (text(s), &s.form)).collect();
        assert!(matches!(&forms[0], (t, Form::Wire { bit: true, .. }) if t == "assign y = (r && a[0]);"));
        assert!(matches!(&forms[1], (t, Form::Wire { bit: false, .. }) if t == "assign w = a;"));
        assert!(matches!(&forms[2], (t, Form::Value { overrides: false }) if t == "r = 1'b0;"));
        assert!(
            matches!(&forms[3], (t, Form::Condition { clocked: false, .. }) if t == "if((! a[1])) begin")
        );
        assert!(matches!(&forms[4], (t, Form::Value { overrides: true }) if t == "r = a[0];"));
        assert!(matches!(&forms[5], (t, Form::Condition { clocked: true, .. }) if t == "if(y) begin"));
        assert!(matches!(&forms[6], (t, Form::Register) if t.starts_with("q[1 : 0] <= ")));
        assert!(matches!(&forms[7], (t, Form::Register) if t == "q <= (a <= w);"));
        assert!(matches!(&forms[8], (t, Form::Register) if t == "q <= a;"));
        assert_eq!(forms.len(), 9);
    }

    #[test]
    fn what_is_not_understood_is_counted() {
        let lines: Vec<_> = MODULE.lines().collect();
        let odd: Vec<_> = scan(MODULE).not_understood.iter().map(|line| lines[line - 1].trim()).collect();
        // An assignment with `=` in a clocked block, and an operation without parentheses.
        assert_eq!(odd, ["2'b00 : m = a;", "q <= a + w;"]);
    }
}
