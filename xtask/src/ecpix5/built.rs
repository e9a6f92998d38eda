//! What a bitstream was built from, kept beside it: the repository has none, as each has somebody's key in it.
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::page::Run;
use super::{CELLS, PINS, SETTINGS, VERILOG};
use crate::process::root;

/// The device, as its maker calls it.
pub const PART: &str = "LFE5UM5G-85F-8BG554I";
/// The bitstream, and this.
pub const BITSTREAM: &str = "ecpix5.bit";
const NAME: &str = "built.json";

/// What is known of a bitstream.
#[derive(Serialize, Deserialize, Debug)]
pub struct Built {
    /// Its device.
    pub part: String,
    /// The sources' git hash; all zeros when they were changed.
    pub commit: String,
    /// What the register block tells: the commit's first bits, and its date in seconds since 1970.
    pub build_hash: u32,
    pub build_date: u32,
    /// A hash of the sources, and one of the bitstream.
    pub sources: String,
    pub bitstream: String,
}

/// The hash of some bytes, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// A hash of all that makes the board, but for who may reach it.
fn sources() -> Result<String> {
    let mut all = Vec::new();
    for name in [VERILOG, CELLS, PINS, SETTINGS] {
        let bytes = read(&root().join(name))?;
        all.extend(format!("{name} {}\n", bytes.len()).into_bytes());
        all.extend(bytes);
    }
    Ok(hash(&all))
}

impl Built {
    /// Of a bitstream that was made just now.
    pub fn of(run: &Run, bitstream: &Path) -> Result<Built> {
        let first = run.commit.get(..8).context("git tells no commit")?;
        Ok(Built {
            part: PART.to_owned(),
            commit: run.commit.clone(),
            build_hash: u32::from_str_radix(first, 16).context("git tells no commit")?,
            build_date: run.date.parse().context("git tells no date")?,
            sources: sources()?,
            bitstream: hash(&read(bitstream)?),
        })
    }

    /// Writes it beside its bitstream.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(NAME);
        std::fs::write(&path, serde_json::to_string_pretty(self)? + "\n")
            .with_context(|| format!("writing {}", path.display()))
    }

    /// What lies beside a bitstream; an error in words where there is none.
    pub fn read(folder: &Path) -> Result<Built> {
        let path = folder.join(NAME);
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!(
                "no bitstream has been built: {} is not there. `cargo xtask bitstream ecpix5` makes it",
                path.display()
            )
        })?;
        serde_json::from_str(&text).with_context(|| format!("understanding {}", path.display()))
    }

    /// Fails where the bitstream is another one, for another device, or, unless `stale` may be, of other sources than those that
    /// are there.
    pub fn verify(&self, folder: &Path, stale: bool) -> Result<()> {
        if self.part != PART {
            bail!("the bitstream is for the device {}, and the ECPIX-5 has {PART}", self.part);
        }
        if !stale && self.sources != sources()? {
            bail!(
                "the bitstream is stale: its sources have changed since it was built of {}. `cargo xtask bitstream ecpix5` builds it \
                 anew; --stale flashes it as it is",
                self.short()
            );
        }
        let path = folder.join(BITSTREAM);
        if self.bitstream != hash(&read(&path)?) {
            bail!("{} is not the file that was built: its hash differs", path.display());
        }
        Ok(())
    }

    /// The commit's first digits.
    pub fn short(&self) -> &str {
        self.commit.get(..12).unwrap_or(&self.commit)
    }
}
