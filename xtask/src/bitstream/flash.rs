//! `cargo xtask flash zcu106`: puts a bitstream onto a board, through JTAG or through the Linux of its processor.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

use super::board::{Board, ZCU106};
use super::manifest::{self, Entry};
use super::{manifest_path, out_folder, overlay};
use crate::process::{describe, run};

/// Where the board's Linux keeps what is copied to it, in the home of the user: a folder that anybody may make could be somebody else's.
const THERE: &str = "mneme-flash";

/// How to flash.
#[derive(clap::Args)]
pub struct Options {
    /// Through the board's USB socket for JTAG, by openFPGALoader.
    #[arg(long, required_unless_present = "ssh", conflicts_with = "ssh")]
    jtag: bool,
    /// Through the Linux of the board's processor, by ssh and fpgautil: a host as ssh names it, of a user that is root or may use
    /// sudo.
    #[arg(long, value_name = "HOST")]
    ssh: Option<String>,
    /// Ask the board through its network port afterwards what it was built from, by the command `mneme`; its daemon must serve.
    #[arg(long, value_name = "HOST[:PORT]")]
    ask: Option<String>,
    /// Flash a bitstream whose sources have changed since.
    #[arg(long)]
    stale: bool,
    /// The folder of the files; target/bitstream/BOARD unless named.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The manifest; bitstreams/manifest.toml unless named.
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
}

/// Flashes a board.
pub fn run_flash(options: &Options) -> Result<()> {
    let board = &ZCU106;
    let entry = manifest::read(&manifest_path(options.manifest.as_deref()), board)?;
    let folder = out_folder(board, options.out.as_deref())?;
    let names: &[&str] = if options.jtag { &["mneme.bit"] } else { &["mneme.bit.bin", "mneme.dtbo"] };
    if options.stale {
        manifest::verify_files(&entry, &folder, names)?;
    } else {
        manifest::verify(&entry, board, &folder, names)?;
    }
    match &options.ssh {
        None => jtag(board, &folder)?,
        Some(host) => ssh(board, &entry, &folder, host)?,
    }
    options.ask.as_ref().map_or(Ok(()), |address| ask(&entry, address))
}

/// Asks the board that answers at an address for its register block.
fn ask(entry: &Entry, address: &str) -> Result<()> {
    let mut command = Command::new("mneme");
    let remedy = "`cargo build --release -p mneme` makes the command, and `cargo xtask deb` its package";
    let text = said(command.args(["stat", "--json", "--board", address]), remedy)
        .with_context(|| format!("the bitstream is loaded, but no board answers at {address}"))?;
    let report: serde_json::Value =
        serde_json::from_str(&text).with_context(|| format!("`mneme stat` said no JSON: {}", text.trim()))?;
    let build = &report["build"];
    if build["simulated"] != false {
        bail!("what answers at {address} is a simulated board");
    }
    for (name, wanted) in [("BUILD_HASH", entry.build_hash), ("BUILD_DATE", entry.build_date)] {
        let found =
            build["registers"][name].as_u64().with_context(|| format!("{address} tells no {name}"))?;
        if found != u64::from(wanted) {
            bail!(
                "another bitstream answers at {address}: its {name} is {found:#010x}, and not {wanted:#010x}"
            );
        }
    }
    println!("{address} answers with the bitstream of {}", commit(entry));
    Ok(())
}

/// The commit's first digits.
fn commit(entry: &Entry) -> &str {
    entry.git.get(..12).unwrap_or(&entry.git)
}

/// What a program says on both of its outputs; it must be there and end well.
pub fn said(command: &mut Command, remedy: &str) -> Result<String> {
    let line = describe(command);
    let output = command.stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } =
        output.with_context(|| format!("`{line}` does not start: {remedy}"))?;
    let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    if !status.success() {
        bail!("`{line}` failed, {status}: {}", text.trim());
    }
    Ok(text)
}

/// The models of devices that openFPGALoader has found.
fn models(detected: &str) -> Vec<&str> {
    detected.lines().filter_map(|line| line.trim().strip_prefix("model")).map(str::trim).collect()
}

/// Fails unless a device of this model is at the other end of the cable that `loader` knows.
pub fn right_part(loader: &mut Command, device: &str) -> Result<()> {
    let remedy = "openFPGALoader is missing, Debian's package openfpgaloader has it";
    let detected = said(loader.arg("--detect"), remedy).context(
        "no board answers: is it powered, is its JTAG socket connected, may this user open USB devices?",
    )?;
    let found = models(&detected);
    if !found.iter().any(|model| model.starts_with(device)) {
        let what = if found.is_empty() { "no device that is known".to_owned() } else { found.join(", ") };
        bail!("wrong part: at the other end of the cable is {what}, and the bitstream is for {device}");
    }
    Ok(())
}

fn jtag(board: &Board, folder: &Path) -> Result<()> {
    let (name, device) = board.loader;
    let loader = || {
        let mut command = Command::new("openFPGALoader");
        command.args(["-b", name]);
        command
    };
    right_part(&mut loader(), device)?;
    run(loader().arg(folder.join("mneme.bit")))?;
    println!(
        "loaded. The device's overlay is loaded by the board's Linux: `cargo xtask flash {} --ssh HOST` does both, and reads the \
         register block; --ask reads it through the network",
        board.name
    );
    Ok(())
}

/// Lines of `name value`.
fn facts(text: &str) -> BTreeMap<&str, &str> {
    text.lines().filter_map(|line| line.trim().split_once(' ')).collect()
}

/// Looks at a board's Linux: which board it is, what is there. One line for each fact.
fn question(board: &Board) -> String {
    let node = overlay::memory_node(board);
    format!(
        "echo compatible $(tr '\\0' ' ' </proc/device-tree/compatible); \
         test -d /proc/device-tree/reserved-memory/{node} && echo reserved yes; \
         for program in fpgautil mneme-boardd; do command -v $program >/dev/null && echo $program yes; done; true"
    )
}

/// Loads what was copied. The daemon is stopped, as its device goes; udev starts it when the device comes.
fn load() -> String {
    format!(
        "set -e; cd {THERE}; root=; test $(id -u) = 0 || root='sudo -n'; \
         $root systemctl stop mneme-boardd 2>/dev/null || true; \
         if ls -d /sys/kernel/config/device-tree/overlays/* /configfs/device-tree/overlays/* >/dev/null 2>&1; then $root fpgautil -R; fi; \
         $root fpgautil -b {} -o mneme.dtbo; echo state $(cat /sys/class/fpga_manager/fpga0/state); \
         echo clock $($root cat /sys/kernel/debug/clk/pl0_ref/clk_rate 2>/dev/null || echo unknown)",
        overlay::FIRMWARE
    )
}

fn ssh(board: &Board, entry: &Entry, folder: &Path, host: &str) -> Result<()> {
    let remedy = "Debian's package openssh-client has it";
    let there = |script: &str| said(Command::new("ssh").args(["-o", "BatchMode=yes", host, script]), remedy);
    let text = there(&question(board)).with_context(|| format!("{host} does not answer"))?;
    let found = facts(&text);
    let compatible = found.get("compatible").copied().unwrap_or_default();
    if !compatible.split_whitespace().any(|name| name == board.compatible) {
        let what = if compatible.is_empty() { "of no kind that its device tree tells" } else { compatible };
        bail!("wrong board: {host} is {what}, and the bitstream is for {}", board.compatible);
    }
    if !found.contains_key("reserved") {
        bail!(
            "the kernel of {host} does not keep the rings' memory free: apply mneme-memory.dtbo in the boot loader \
             (docs/guides/bring-up.md), or the board would write into memory that is in use"
        );
    }
    for program in ["fpgautil", "mneme-boardd"] {
        if !found.contains_key(program) {
            bail!("{host} has no {program}: docs/guides/bring-up.md tells where it comes from");
        }
    }
    there(&format!("mkdir -p {THERE}"))?;
    let mut copy = Command::new("scp");
    copy.args(["-o", "BatchMode=yes"]);
    for name in [overlay::FIRMWARE, "mneme.dtbo"] {
        copy.arg(folder.join(name));
    }
    said(copy.arg(format!("{host}:{THERE}/")), remedy)?;
    let text = there(&load())?;
    let state = facts(&text).get("state").copied().unwrap_or("unknown").to_owned();
    if state != "operating" {
        bail!(
            "the bitstream was not taken: the FPGA manager's state is `{state}`; `dmesg` on {host} tells why"
        );
    }
    clock(board, facts(&text).get("clock").copied())?;
    let identity = there("root=; test $(id -u) = 0 || root='sudo -n'; $root mneme-boardd --identify")
        .context("the bitstream is loaded, but its register block does not answer")?;
    is_ours(entry, &identity)?;
    print!("{identity}");
    println!("{host} runs the bitstream of {}", commit(entry));
    Ok(())
}

/// The core's clock is the processor's, and made by whoever has booted it: not part of the bitstream.
fn clock(board: &Board, told: Option<&str>) -> Result<()> {
    let Some(hertz) = told.and_then(|text| text.parse::<u64>().ok()) else {
        println!("the board's Linux does not tell the rate of the core's clock: debugfs is not mounted");
        return Ok(());
    };
    let wanted = u64::from(board.clock_mhz) * 1_000_000;
    // The processor's reference is 33.33 MHz, so the rate is not round.
    if hertz.abs_diff(wanted) > wanted / 100 {
        bail!(
            "the core's clock runs at {hertz} Hz, and the bitstream is built for {wanted}: the kernel has no driver for xlnx,fclk, or \
             cannot make the rate (docs/guides/bring-up.md)"
        );
    }
    Ok(())
}

/// Holds what the register block tells against the manifest.
fn is_ours(entry: &Entry, identity: &str) -> Result<()> {
    if facts(identity).get("dram") != Some(&"ready") {
        bail!(
            "DRAM has not calibrated, so the core does not tell what it is. Are its chips those of --memory-part?"
        );
    }
    is_built(identity, entry.build_hash, entry.build_date)
}

/// Holds what the register block tells against a board of this kind that was built of this.
pub fn is_of(identity: &str, target: &str, hash: u32, date: u32) -> Result<()> {
    if facts(identity).get("target") != Some(&target) {
        bail!("what answers was not built for {target}:\n{identity}");
    }
    is_built(identity, hash, date)
}

fn is_built(identity: &str, hash: u32, date: u32) -> Result<()> {
    let told = facts(identity);
    let number = |name: &str| {
        let text =
            told.get(name).with_context(|| format!("the register block tells no {name}:\n{identity}"))?;
        let digits = text.strip_prefix("0x").context("a number begins with 0x")?;
        u32::from_str_radix(digits, 16).with_context(|| format!("`{text}` is no number"))
    };
    for (name, wanted) in [("build_hash", hash), ("build_date", date)] {
        let found = number(name)?;
        if found != wanted {
            bail!(
                "another bitstream runs: its {name} is {found:#010x}, and that of the one that was sent {wanted:#010x}"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_a_chain_are_read() {
        let detected = "Jtag frequency : requested 6.00MHz -> real 6.00MHz\nindex 0:\n\tidcode   0x4730093\n\tmanufacturer xilinx\n\
                        \tfamily zynqmp\n\tmodel  xczu7ev\n\tirlength 12\n";
        assert_eq!(models(detected), ["xczu7ev"]);
        assert!(models("empty\n").is_empty());
    }

    #[test]
    fn the_register_block_is_held_against_the_manifest() {
        let entry = Entry {
            part: String::new(),
            vivado: String::new(),
            git: "0123456789abcdef".to_owned(),
            dirty: false,
            configuration: None,
            build_hash: 0x0123_4567,
            build_date: 0x6000_0000,
            sources: String::new(),
            files: BTreeMap::new(),
        };
        let told = "target ZCU106\ndram ready\nbuild_hash 0x01234567\nbuild_date 0x60000000\n";
        is_ours(&entry, told).expect("it is the one");
        for (from, to, said) in [
            ("0x01234567", "0x01234568", "another bitstream runs: its build_hash"),
            ("0x60000000", "0x60000001", "another bitstream runs: its build_date"),
            ("dram ready", "dram waits", "DRAM has not calibrated"),
            ("build_hash", "build_hush", "tells no build_hash"),
            ("0x01234567", "0xnumber", "is no number"),
        ] {
            let error = is_ours(&entry, &told.replace(from, to)).expect_err(said);
            assert!(format!("{error:#}").contains(said), "{error:#}");
        }
    }
}
