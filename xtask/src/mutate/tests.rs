//! Tests of the mutator: what it changes, that nothing else changes, and that a seed is enough to get the same mutants.
use std::collections::BTreeSet;
use std::fs;

use super::mutant::{
    Kind, Mutant, PACKAGE, Text, Wanted, Written, mutants, mutated, planted, with_keys, written,
};
use super::verilog::{Scan, scan};
use crate::process::root;

/// A module with this body, and wires of one bit `y` and `r`.
fn module(body: &str) -> String {
    format!("module M (\n  output wire          y,\n  output reg           r\n);\n\n{body}\nendmodule\n")
}

fn text<'a>(config: &'a str, file: &'a str, scan: &'a Scan) -> Text<'a> {
    Text { config, file, scan }
}

/// The line that each possible mutant of this kind makes of a body's.
fn changed(kind: Kind, body: &str) -> BTreeSet<String> {
    let file = module(body);
    let scan = scan(&file);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let old = lines(&file);
    // So many seeds draw every alternative of so few places.
    (0..200)
        .flat_map(|seed| mutants(&[text("m", &file, &scan)], &Wanted { seed, count: 50, module: "" }))
        .filter(|mutant| mutant.kind == kind)
        .map(|mutant| {
            let new = lines(&mutated(&file, &mutant));
            let different: Vec<_> = old.iter().zip(&new).filter(|(old, new)| old != new).collect();
            assert_eq!((different.len(), old.len()), (1, new.len()), "one line changes");
            different[0].1.clone()
        })
        .collect()
}

fn set(lines: &[&str]) -> BTreeSet<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn operators_and_comparisons_become_others() {
    assert_eq!(changed(Kind::Operator, "  assign w = (a && b);"), set(&["assign w = (a || b);"]));
    assert_eq!(
        changed(Kind::Operator, "  assign w = ((a + b) ^ (|c));"),
        set(&[
            "assign w = ((a - b) ^ (|c));",
            "assign w = ((a + b) | (|c));",
            "assign w = ((a + b) & (|c));",
            "assign w = ((a + b) ^ (&c));",
        ])
    );
    assert_eq!(changed(Kind::Comparison, "  assign w = (a == b);"), set(&["assign w = (a != b);"]));
    assert_eq!(
        changed(Kind::Comparison, "  assign w = (a < b);"),
        set(&["assign w = (a <= b);", "assign w = (a >= b);"])
    );
}

#[test]
fn negations_are_left_out_and_numbers_change() {
    assert_eq!(changed(Kind::Negation, "  assign w = (! a);"), set(&["assign w = (|a);"]));
    assert_eq!(changed(Kind::Negation, "  assign w = (~ a);"), set(&["assign w = a;"]));
    assert_eq!(
        changed(Kind::Constant, "  assign w = 2'b01;"),
        set(&["assign w = 2'h0;", "assign w = 2'h3;", "assign w = 2'h2;"])
    );
    assert_eq!(changed(Kind::Constant, "  assign w = 1'b1;"), set(&["assign w = 1'h0;"]));
    // Nothing is known of what is undefined, nor of what lies between brackets.
    assert_eq!(changed(Kind::Constant, "  assign w = 2'bxx;\n  assign v = w[1 : 0];"), set(&[]));
}

#[test]
fn conditions_and_enables_are_negated_or_forced() {
    let negated = |before: &str, after: &str| {
        ["(!(a))", "1'b1", "1'b0"]
            .map(|condition| format!("{before}{condition}{after}"))
            .into_iter()
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(changed(Kind::Condition, "  assign w = (a ? b : c);"), negated("assign w = (", " ? b : c);"));
    let block = |head: &str, sign: &str| {
        format!("  always @({head}) begin\n    if(a) begin\n      q {sign} b;\n    end\n  end\n")
    };
    assert_eq!(changed(Kind::Condition, &block("*", "=")), negated("if(", ") begin"));
    assert_eq!(changed(Kind::Enable, &block("posedge clk", "<=")), negated("if(", ") begin"));
    let reset = block("posedge clk", "<=").replace("(a)", "(reset)");
    assert_eq!(changed(Kind::Enable, &reset), set(&[]));
}

#[test]
fn assignments_are_dropped_where_the_target_has_another_value() {
    let block = "  always @(posedge clk) begin\n    q <= b;\n  end\n";
    assert_eq!(changed(Kind::Dropped, block), set(&["begin end"]));
    // Without its only value a wire would remember.
    let wire = "  always @(*) begin\n    q = b;\n    if(a) begin\n      p = c;\n    end else begin\n      p = b;\n    end\n  end\n";
    assert_eq!(changed(Kind::Dropped, wire), set(&[]));
    let twice = "  always @(*) begin\n    q = b;\n    if(a) begin\n      q = c;\n    end\n  end\n";
    assert_eq!(changed(Kind::Dropped, twice), set(&["begin end"]));
}

#[test]
fn wires_of_one_bit_are_stuck_where_there_is_logic() {
    assert_eq!(
        changed(Kind::Stuck, "  assign y = (a && b);"),
        set(&["assign y = 1'b0;", "assign y = 1'b1;"])
    );
    assert_eq!(changed(Kind::Stuck, "  assign y = a;\n  assign w = (a && b);"), set(&[]));
}

fn committed() -> String {
    fs::read_to_string(root().join("hw/rtl/CBoard_tiny.v")).expect("the committed Verilog")
}

fn drawn(file: &str, seed: u64, count: usize) -> Vec<Mutant> {
    mutants(&[text("tiny", file, &scan(file))], &Wanted { seed, count, module: "" })
}

#[test]
fn a_seed_draws_the_same_mutants_and_another_seed_others() {
    let file = committed();
    let first = drawn(&file, 1, 300);
    assert_eq!(first.len(), 300);
    assert_eq!(first, drawn(&file, 1, 300));
    assert_ne!(first, drawn(&file, 2, 300));
    let keys: BTreeSet<&str> = first.iter().map(|mutant| mutant.key.as_str()).collect();
    assert_eq!(keys.len(), 300, "every mutant has a key of its own");
    let kinds: BTreeSet<Kind> = first.iter().map(|mutant| mutant.kind).collect();
    assert_eq!(kinds.len(), 8, "all kinds come");
}

#[test]
fn a_mutant_keeps_its_key_when_something_else_changes() {
    let file = committed();
    let all = drawn(&file, 1, 40);
    let keys: Vec<&str> = all.iter().map(|mutant| mutant.key.as_str()).collect();
    let longer = file.replacen("endmodule\n", "  assign added = (1'b1 && 1'b0);\nendmodule\n", 1);
    let found = with_keys(text("tiny", &longer, &scan(&longer)), &keys);
    for (old, new) in all.iter().zip(found) {
        let new = new.expect("the key is found");
        assert_eq!((&new.what, new.kind, &new.module), (&old.what, old.kind, &old.module));
    }
}

#[test]
fn nearly_all_of_the_committed_verilog_is_understood() {
    let scan = scan(&committed());
    let (known, unknown) = (scan.statements.len(), scan.not_understood.len());
    assert!(unknown * 100 < known, "{unknown} lines are not understood, {known} statements are");
}

/// The planted text as it is when one mutant lives.
fn resolved(text: &str, number: u32) -> String {
    const CHOICE: &str = "((mneme_mutants::selected == ";
    const DROP: &str = "if(mneme_mutants::selected != ";
    let drop = format!("{DROP}{number}) ");
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = [CHOICE, DROP].iter().filter_map(|what| rest.find(what)).min() {
        out += &rest[..at];
        rest = &rest[at..];
        if let Some(choice) = rest.strip_prefix(CHOICE) {
            let (chosen, choice) = choice.split_once(") ? ").expect("a choice");
            let (into, choice) = split_at_depth_0(choice, b':');
            let (inner, after) = split_at_depth_0(choice, b')');
            out += &if chosen == number.to_string() {
                into.trim().to_owned()
            } else {
                resolved(inner.trim(), number)
            };
            rest = after;
        } else {
            let end = rest.find(';').expect("a statement") + 1;
            let (_, statement) = rest[..end].split_once(") ").expect("a statement behind its condition");
            out +=
                &if rest.starts_with(&drop) { "begin end".to_owned() } else { resolved(statement, number) };
            rest = &rest[end..];
        }
    }
    out + rest
}

fn split_at_depth_0(text: &str, at: u8) -> (&str, &str) {
    let mut depth = 0;
    for (i, c) in text.bytes().enumerate() {
        if depth == 0 && c == at {
            return (&text[..i], &text[i + 1..]);
        }
        depth += i32::from(b"([{".contains(&c)) - i32::from(b")]}".contains(&c));
    }
    panic!("no {} in {text}", char::from(at));
}

#[test]
fn without_a_selection_the_planted_board_is_the_original_and_with_one_that_mutant() {
    let file = committed();
    // So many that some lie in one another.
    let all = drawn(&file, 3, 3000);
    let planted = planted(&file, &all).replacen(PACKAGE, "", 1);
    assert!(resolved(&planted, 0) == file, "no mutant lives");
    for mutant in all.iter().step_by(100) {
        assert!(resolved(&planted, mutant.number) == mutated(&file, mutant), "{mutant}");
    }
}

#[test]
fn of_a_second_text_only_what_the_first_does_not_have_is_changed() {
    let (first, second) =
        (module("  assign y = (a && b);"), module("  assign y = (a && b);\n  assign w = (a == b);"));
    let (first_scan, second_scan) = (scan(&first), scan(&second));
    let texts = [text("first", &first, &first_scan), text("second", &second, &second_scan)];
    let all = mutants(&texts, &Wanted { seed: 1, count: 50, module: "" });
    let of = |config: &str| all.iter().filter(|mutant| mutant.config == config).collect::<Vec<_>>();
    assert!(!of("first").is_empty());
    assert!(
        of("second").iter().all(|mutant| mutant.what.starts_with("assign w = ")) && !of("second").is_empty()
    );
    let numbers: Vec<_> = all.iter().map(|mutant| mutant.number).collect();
    assert_eq!(numbers, (1..=all.len() as u32).collect::<Vec<_>>(), "numbers count up over all texts");
}

#[test]
fn a_mutant_written_by_hand_is_planted_and_one_that_is_not_in_the_text_is_an_error() {
    let file = module("  assign y = (a && b);");
    let scan = scan(&file);
    let fault = |statement: &str| Written {
        name: "n".into(),
        config: "m".into(),
        module: "M".into(),
        statement: statement.into(),
        from: "b".into(),
        into: "(b && c)".into(),
    };
    let made = written(text("m", &file, &scan), &[fault("assign y = (a && b);")]).unwrap();
    assert_eq!(mutated(&file, &made[0]), file.replace("&& b", "&& (b && c)"));
    assert!(written(text("other", &file, &scan), &[fault("assign y = (a && b);")]).unwrap().is_empty());
    let lost = written(text("m", &file, &scan), &[fault("assign y = (a || b);")]);
    assert!(lost.unwrap_err().to_string().contains("holds no"));
}
