//! `cargo xtask doors`: the timing diagrams of docs/reference/doors.md, from a run of the RTL.
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{root, run};
use crate::setup::{Tools, run_waves_setup};

/// Where the diagrams lie, from the repository's top: WaveDrom's text, which the test of the core compares with what its run gives, and its drawing.
const FOLDER: &str = "docs/reference/doors";
/// Tells the test to write what its run gives.
const WRITE: &str = "MNEME_WRITE_DOORS";

/// Runs the test that gives the texts, and draws them.
pub fn run_doors(tools: &Tools) -> Result<()> {
    let python = run_waves_setup(tools)?;
    let mut sbt = tools.sbt(&["testOnly mneme.CBoardTest -- -z \"the diagrams of docs/reference/doors.md\""]);
    run(sbt.env(WRITE, "1"))
        .context("the run at the door failed, or is not what the diagrams are to show")?;
    let texts = texts()?;
    if texts.is_empty() {
        bail!("the run ended well but left nothing in {FOLDER}");
    }
    run(Command::new(python).arg(root().join("xtask/waves/render.py")).args(&texts))?;
    println!("{FOLDER}: {} diagrams", texts.len());
    Ok(())
}

fn texts() -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root().join(FOLDER)).with_context(|| format!("reading {FOLDER}"))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing carries the text that it was made of.
    fn drawn_from(svg: &str, text: &str) -> bool {
        svg.contains(&format!("<desc>{text}</desc>"))
    }

    #[test]
    fn every_diagram_is_drawn_from_its_text_and_shown() {
        let page =
            std::fs::read_to_string(root().join("docs/reference/doors.md")).expect("docs/reference/doors.md");
        let texts = texts().expect("the folder of the diagrams");
        assert_eq!(texts.len(), 5);
        for path in texts {
            let text = std::fs::read_to_string(&path).expect("its text");
            let svg = std::fs::read_to_string(path.with_extension("svg")).expect("its drawing");
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            assert!(drawn_from(&svg, &text), "{name}.svg is stale: run `cargo xtask doors`");
            assert!(!drawn_from(&svg, &text.replacen("wave", "wavy", 1)), "the check can fail");
            assert!(
                page.contains(&format!("(doors/{name}.svg)")),
                "docs/reference/doors.md does not show {name}.svg"
            );
        }
    }
}
