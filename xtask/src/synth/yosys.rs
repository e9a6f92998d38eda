//! Runs Yosys on one module and keeps what came out under a hash of what went in.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::between;
use super::levels::Levels;
use super::netlist::{Area, Design};
use crate::process::{capture, target_dir};

/// Mapping of one module to the device of the ZCU106. `-noiopad`: a component has no pins. `synth_xilinx.abc9.W`: the mapper, which knows no clock, makes only the
/// slowest path of all as short as it can and saves area elsewhere; with its own delay of a wire, 300 ps, carry chains are that path, and paths
/// of look-up tables grow to twelve levels behind them. With 5,000 ps it minimises levels, which is what is counted.
/// `abc9.script`: Yosys' own, but for `&synch2` where that has `&dch -f -r`. Both rewrite the logic before it is mapped and keep what they replaced as choices. Of the
/// whole core `&synch2` makes 2% less, half a level shorter, and text that is logically the same gives more nearly the same levels.
const MAP: &str = "scratchpad -set synth_xilinx.abc9.W 5000\n\
    scratchpad -set abc9.script +&scorr;&sweep;&dc2;&synch2,-K,6;&ps;&if,{W},{D},{R},-v;&mfs\n\
    read_verilog design.v\nsynth_xilinx -family xcup -uram -flatten -noiopad -top TOP\nsetattr -unset src w:* c:*\nwrite_json netlist.json\n";
/// The passes of `MAP` before cells are chosen, and what is left of them for CRCs over wide beats, with which the others do not end.
const PASSES: &str = "&scorr;&sweep;&dc2;&synch2,-K,6;&ps;&if,{W},{D},{R},-v;&mfs";
const FEWER_PASSES: &str = "&ps;&if,{W},{D},{R},-v";
/// Registers and memories of a design, before they become cells of a device.
const STATE: &str = "read_verilog design.v\nhierarchy -check -top TOP\nproc -norom\nflatten\nopt\nmemory -nomap\nopt_clean\nsetattr -unset src w:* c:*\nwrite_json netlist.json\n";
/// The sources that count: other counting of the same netlist is another result.
const COUNTING: &[&str] =
    &[include_str!("netlist.rs"), include_str!("levels.rs"), include_str!("between.rs")];

/// What a module takes.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Figures {
    pub area: Area,
    pub levels: Levels,
    /// Flip-flops that lie in none of its components, by what they stand behind; kept of the whole core alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub between: BTreeMap<String, u32>,
}

/// The pinned Yosys.
pub struct Yosys {
    program: PathBuf,
    version: String,
    folder: PathBuf,
}

fn hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect()
}

impl Yosys {
    /// Uses the Yosys at `program`.
    pub fn new(program: PathBuf) -> Result<Yosys> {
        let version = capture(Command::new(&program).arg("-V"))?;
        // Behind the revision follows what it was compiled with.
        let version = version.split(',').next().unwrap_or_default().trim().to_owned() + ")";
        Ok(Yosys { program, version, folder: target_dir()?.join("synth") })
    }

    /// What it calls itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What a recorded result depends on: the module's text, the script, the version of Yosys.
    pub fn input_hash(&self, text: &str) -> String {
        self.hash_by(MAP, text)
    }
    fn hash_by(&self, script: &str, text: &str) -> String {
        hash(&[&self.version, script, text])
    }

    /// Maps `top`, whose text with everything below it is `text`, or takes what an earlier run kept. Minutes, for a large module.
    pub fn synthesise(&self, top: &str, text: &str) -> Result<Figures> {
        self.map(top, text, MAP)
    }
    /// The same with fewer passes: what they would have saved is not.
    pub fn synthesise_quickly(&self, top: &str, text: &str) -> Result<Figures> {
        self.map(top, text, &MAP.replace(PASSES, FEWER_PASSES))
    }

    fn map(&self, top: &str, text: &str, script: &str) -> Result<Figures> {
        let input = self.hash_by(script, text);
        let kept = self.folder.join(format!("{}.json", hash(&[&input, &COUNTING.concat()])));
        if let Ok(json) = std::fs::read(&kept) {
            return serde_json::from_slice(&json).with_context(|| format!("reading {}", kept.display()));
        }
        let netlist = self.run(top, text, script)?;
        let module = netlist.module(top)?;
        let figures = Figures {
            area: Area::of(module)?,
            levels: Levels::of(module).with_context(|| format!("paths of {top}"))?,
            between: between::own(module, text)?,
        };
        std::fs::write(&kept, serde_json::to_vec_pretty(&figures)?)
            .with_context(|| format!("writing {}", kept.display()))?;
        Ok(figures)
    }

    /// The design of `top` in registers and memories.
    pub fn state(&self, top: &str, text: &str) -> Result<Design> {
        self.run(top, text, STATE)
    }

    /// Runs a script in a folder of its own: the WebAssembly build sees no path outside it.
    fn run(&self, top: &str, text: &str, script: &str) -> Result<Design> {
        let folder = self.folder.join(hash(&[&self.version, script, text]));
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).with_context(|| format!("writing {name} for Yosys"))
        };
        std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        write("design.v", text)?;
        write("run.ys", &script.replace("TOP", top))?;
        capture(Command::new(&self.program).current_dir(&folder).args(["-q", "run.ys"]))
            .with_context(|| format!("synthesis of {top}, in {}", folder.display()))?;
        let json = read(&folder.join("netlist.json"))?;
        let design = Design::parse(&json)?;
        std::fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
        Ok(design)
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("reading {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{FEWER_PASSES, MAP, PASSES};

    #[test]
    fn the_quick_mapping_is_another_one() {
        assert_eq!(MAP.matches(&format!("+{PASSES}\n")).count(), 1);
        assert!(PASSES.contains(FEWER_PASSES));
    }
}
