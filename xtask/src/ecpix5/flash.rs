//! `cargo xtask flash ecpix5`: the bitstream onto the board through its USB socket, and a look at its register block.
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::built::{BITSTREAM, Built};
use super::out_folder;
use crate::bitstream::flash::{is_of, right_part, said};
use crate::process::run;

/// openFPGALoader's names of the board and of its device.
const BOARD: &str = "ecpix5";
const MODEL: &str = "LFE5UM5G-85";

/// How to flash.
#[derive(clap::Args)]
pub struct Options {
    /// Into the flash memory, from which the board starts; without, the bitstream is lost when the power is.
    #[arg(long)]
    keep: bool,
    /// Ask the board afterwards what it was built from, through this Ethernet interface of this machine; needs root, or CAP_NET_RAW for
    /// `mneme-boardd`.
    #[arg(long, value_name = "INTERFACE", requires = "key")]
    ask: Option<String>,
    /// The file of addresses and key that the bitstream was built with.
    #[arg(long, value_name = "FILE", requires = "ask")]
    key: Option<PathBuf>,
    /// Flash a bitstream whose sources have changed since.
    #[arg(long)]
    stale: bool,
    /// The folder of the files; target/bitstream/ecpix5 unless named.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Flashes the board.
pub fn run_flash(options: &Options) -> Result<()> {
    let folder = out_folder(options.out.as_deref())?;
    let built = Built::read(&folder)?;
    built.verify(&folder, options.stale)?;
    let loader = || {
        let mut command = Command::new("openFPGALoader");
        command.args(["-b", BOARD]);
        command
    };
    right_part(&mut loader(), MODEL)?;
    let mut command = loader();
    if options.keep {
        command.arg("-f");
    }
    run(command.arg(folder.join(BITSTREAM)))?;
    match (&options.ask, &options.key) {
        (Some(interface), Some(key)) => {
            let mut command = Command::new("mneme-boardd");
            command.args(["--ecpix5", interface, "--key"]).arg(key).args(["--identify", "--bring-up"]);
            let remedy = "`cargo build --release -p mneme-boardd` makes it: put it where programs are found";
            let identity = said(&mut command, remedy).context(
                "the bitstream is loaded, but its registers do not answer, or its DRAM does not come up",
            )?;
            is_of(&identity, "ECPIX5", built.build_hash, built.build_date)?;
            print!("{identity}");
            println!("the board runs the bitstream of {}", built.short());
        }
        _ => println!("loaded; --ask INTERFACE --key FILE reads the register block through the network"),
    }
    Ok(())
}
