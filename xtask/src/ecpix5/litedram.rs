//! The DRAM controller of the ECPIX-5: LiteDRAM's generator, and two defects of its text mended.
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{capture, root};

/// What the generator is told, from the repository's top.
const SETTINGS: &str = "bitstreams/ecpix5/litedram.yml";
/// The module's name, and its file's.
pub const NAME: &str = "litedram_core";
/// Pins of both directions that the generator declares as inputs.
const BOTH_WAYS: [&str; 2] = ["ddram_dq,", "ddram_dqs_p,"];

/// Writes the controller's Verilog into `folder`, with the generator that lies beside `python`.
pub fn generate(python: &Path, folder: &Path) -> Result<()> {
    let out = folder.join("litedram");
    // It tells hundreds of lines of its hierarchy.
    capture(
        Command::new(python.with_file_name("litedram_gen"))
            .arg(root().join(SETTINGS))
            .args(["--no-compile", "--name", NAME, "--output-dir"])
            .arg(&out),
    )?;
    let path = out.join("gateware").join(format!("{NAME}.v"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let mended = mend(&text)?;
    let to = folder.join(format!("{NAME}.v"));
    std::fs::write(&to, mended).with_context(|| format!("writing {}", to.display()))
}

/// Pins that are driven both ways are `inout`; an assignment to a concatenation that stands twice stands once. Fails when the text has
/// neither defect: then the generator is another one, and its text is to be looked at.
fn mend(text: &str) -> Result<String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut turned, mut doubled) = (0, 0);
    for line in text.lines() {
        if line.starts_with("assign {") && lines.last().is_some_and(|before| before == line) {
            doubled += 1;
            continue;
        }
        let words = line.trim_start();
        let both = words.starts_with("input ") && BOTH_WAYS.iter().any(|pin| words.ends_with(pin));
        turned += usize::from(both);
        lines.push(if both { line.replacen("input ", "inout ", 1) } else { line.to_owned() });
    }
    if turned != BOTH_WAYS.len() || doubled == 0 {
        bail!(
            "LiteDRAM's text is not what its pinned version writes: {turned} of {} pins to turn round, {doubled} doubled assignments",
            BOTH_WAYS.len()
        );
    }
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module m (\n    input  wire   [15:0] ddram_dq,\n    input  wire    [1:0] ddram_dqs_n,\n    input  wire    [1:0] ddram_dqs_p,\n);\n\
        assign {a, b} = c;\nassign {a, b} = c;\nassign d = e;\nassign d = e;\n";

    #[test]
    fn pins_are_turned_round_and_doubled_assignments_stand_once() {
        let mended = mend(TEXT).unwrap();
        assert!(mended.contains("inout  wire   [15:0] ddram_dq,\n"));
        assert!(mended.contains("inout  wire    [1:0] ddram_dqs_p,\n"));
        assert!(mended.contains("input  wire    [1:0] ddram_dqs_n,\n"));
        assert_eq!(mended.matches("assign {a, b} = c;").count(), 1);
        assert_eq!(mended.matches("assign d = e;").count(), 2);
    }

    #[test]
    fn a_text_without_the_defects_is_refused() {
        let error = mend(&mend(TEXT).unwrap()).unwrap_err().to_string();
        assert!(error.contains("0 of 2 pins"), "{error}");
    }
}
