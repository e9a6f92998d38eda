//! What can be said of a bitstream without Vivado.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::board::{Board, SECOND_SFP, ZCU106};
use super::names::Design;
use super::{manifest, overlay};
use crate::process::{capture, root, run, target_dir};
use crate::{ecpix5, own, setup};

/// What CI demands.
pub fn run_ci() -> Result<()> {
    setup::run_bitstream_setup()?;
    run_check(&ZCU106, 1, None)?;
    let both = own::zcu106(None, 2)?;
    run_check(&ZCU106, 2, Some(&both.folder))?;
    ecpix5::run_check()
}

/// Looks at the wrapper, the constraints and the overlays of a board with so many Ethernet ports; with the core whose Verilog is in
/// `own`, instead of the kept one.
pub fn run_check(board: &Board, ports: u8, own: Option<&Path>) -> Result<()> {
    let out = target_dir()?.join("bitstream").join(format!("{}-{ports}-check", board.name));
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    overlay::fresh(board)?;
    overlay::check(board, &out)?;
    lint(board, ports, own)?;
    constraints(board, ports, own, &out)?;
    // What follows is the same of one port and of two.
    if ports > 1 {
        return Ok(());
    }
    simulate(board, &out)?;
    planted(board, &out)
}

/// What Verilator and Yosys are told of a board with so many ports.
fn macros(ports: u8) -> Option<String> {
    (ports > 1).then(|| format!("-D{SECOND_SFP}"))
}

/// A defect of the wrapper that the check must refuse.
struct Defect {
    what: &'static str,
    /// Each text, and what takes its place.
    changes: &'static [(&'static str, &'static str)],
    /// Words of the refusal.
    refusal: &'static str,
}

const PLANTED: [Defect; 3] = [
    Defect {
        what: "the interrupt is left open at both ends",
        changes: &[
            ("  wire irq;\n", ""),
            (".pl_ps_irq0(irq)", ".pl_ps_irq0()"),
            ("    .irq(irq),", "    .irq(),"),
        ],
        refusal: "nothing drives pl_ps_irq0",
    },
    Defect {
        what: "the interrupt ends in the wrapper",
        changes: &[(".pl_ps_irq0(irq)", ".pl_ps_irq0(1'b0)")],
        refusal: "'irq'",
    },
    Defect {
        what: "the address of DRAM's window is too narrow",
        changes: &[(".window_awaddr(window_awaddr[30:0])", ".window_awaddr(window_awaddr[29:0])")],
        refusal: "window_awaddr",
    },
];

/// Plants each defect in a copy of the wrapper, and fails when one is not refused.
fn planted(board: &Board, out: &Path) -> Result<()> {
    let name = format!("{}.v", board.top);
    let path = Path::new("bitstreams").join(board.name).join(&name);
    let text = std::fs::read_to_string(root().join(&path)).with_context(|| format!("reading {name}"))?;
    let (with, copy) = (out.join("planted"), out.join("planted").join(&name));
    std::fs::create_dir_all(&with).with_context(|| format!("making {}", with.display()))?;
    for Defect { what, changes, refusal } in PLANTED {
        let mut wrong = text.clone();
        for (from, to) in changes {
            if wrong.matches(from).count() != 1 {
                bail!("{name} has not exactly one `{from}` to plant `{what}` with");
            }
            wrong = wrong.replace(from, to);
        }
        std::fs::write(&copy, wrong).with_context(|| format!("writing {}", copy.display()))?;
        let judged = linted(board, &path, &copy).and_then(|()| wired(board, &path, &copy));
        let said = judged.err().map(|error| format!("{error:#}")).unwrap_or_default();
        if !said.contains(refusal) {
            bail!("planted: {what}, and the check does not refuse it, or for another reason: {said}");
        }
    }
    println!("planted: {} defects of the wrapper are refused", PLANTED.len());
    Ok(())
}

/// The lint with a copy in place of a file.
fn linted(board: &Board, path: &Path, copy: &Path) -> Result<()> {
    let mut files = verilog(board, None)?;
    files.iter_mut().filter(|file| *file == path).for_each(|file| *file = copy.to_owned());
    capture(lint_command(board)?.args(files)).map(drop)
}

/// The look for inputs that nothing drives with a copy in place of the wrapper; of all else ports alone are read.
fn wired(board: &Board, path: &Path, copy: &Path) -> Result<()> {
    let folder = copy.parent().context("a file has a folder")?;
    let mut parts = Vec::new();
    for file in verilog(board, None)?.iter().filter(|file| *file != path) {
        let name = file.file_name().context("a file has a name")?;
        std::fs::copy(root().join(file), folder.join(name))
            .with_context(|| format!("copying {}", file.display()))?;
        parts.push(name.to_string_lossy().into_owned());
    }
    let script = format!(
        "read_verilog -lib {}; read_verilog {top}.v; hierarchy -check -top {top}; proc -norom; write_json planted.json",
        parts.join(" "),
        top = board.top
    );
    capture(Command::new(setup::run_synthesis_setup()?).current_dir(folder).args(["-q", "-p", &script]))?;
    let json = std::fs::read(folder.join("planted.json")).context("reading what Yosys wrote")?;
    let open = Design::parse(&json)?.open_inputs(board.top);
    if open.is_empty() { Ok(()) } else { bail!(open.join("\n")) }
}

/// Files of the wrapper's folder, those of the models too, that end so.
fn files(board: &Board, folder: &str, kind: &str) -> Result<Vec<PathBuf>> {
    let folder = Path::new("bitstreams").join(board.name).join(folder);
    let entries =
        std::fs::read_dir(root().join(&folder)).with_context(|| format!("reading {}", folder.display()))?;
    let mut found = entries.map(|entry| Ok(folder.join(entry?.file_name()))).collect::<Result<Vec<_>>>()?;
    found.retain(|path| path.extension().is_some_and(|extension| extension == kind));
    found.sort();
    Ok(found)
}

/// The Verilog that Vivado reads, and the models of what it makes itself.
fn verilog(board: &Board, own: Option<&Path>) -> Result<Vec<PathBuf>> {
    let mut all = manifest::source_files(board, own)?;
    all.retain(|path| path.extension().is_some_and(|kind| kind == "v"));
    all.extend(files(board, "models", "v")?);
    Ok(all)
}

/// Verilator's warnings on the whole of it.
fn lint(board: &Board, ports: u8, own: Option<&Path>) -> Result<()> {
    let mut command = lint_command(board)?;
    command.args(macros(ports));
    run(command.args(verilog(board, own)?))
}

/// Verilator, before it is told what to read.
fn lint_command(board: &Board) -> Result<Command> {
    let mut command = Command::new("verilator");
    command.current_dir(root()).args([
        "--lint-only",
        "-Wall",
        "--timescale",
        "1ns/1ps",
        "--top-module",
        board.top,
    ]);
    command.arg("hw/rtl/lint.vlt").args(files(board, "", "vlt")?);
    Ok(command)
}

/// Runs the benches of the wrapper's own modules: each is a program that ends well when it found nothing.
fn simulate(board: &Board, out: &Path) -> Result<()> {
    for bench in files(board, "benches", "v")? {
        let name = bench.file_stem().context("a bench has a name")?.to_string_lossy().into_owned();
        let tested = name.strip_suffix("Bench").context("a bench is called after its module")?;
        let module = Path::new("bitstreams").join(board.name).join(format!("{tested}.v"));
        let built = out.join(&name);
        let mut command = Command::new("verilator");
        command.current_dir(root()).args([
            "--binary",
            "--assert",
            "-Wno-fatal",
            "--timescale",
            "1ns/1ps",
            "--top-module",
            &name,
        ]);
        capture(command.arg("-Mdir").arg(&built).arg(&module).arg(&bench))?;
        run(&mut Command::new(built.join(format!("V{name}"))))?;
    }
    Ok(())
}

/// Has Yosys put the design together, and holds the constraints against it.
fn constraints(board: &Board, ports: u8, own: Option<&Path>, out: &Path) -> Result<()> {
    let yosys = setup::run_synthesis_setup()?;
    // The WebAssembly build sees no path outside its folder.
    let mut names = Vec::new();
    for path in verilog(board, own)? {
        let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
        std::fs::copy(root().join(&path), out.join(&name)).with_context(|| format!("copying {name}"))?;
        names.push(name);
    }
    let script = format!(
        "read_verilog {} {}; hierarchy -check -top {}; proc -norom; write_json design.json",
        macros(ports).unwrap_or_default(),
        names.join(" "),
        board.top
    );
    capture(Command::new(yosys).current_dir(out).args(["-q", "-p", &script]))?;
    let json = std::fs::read(out.join("design.json")).context("reading what Yosys wrote")?;
    let design = Design::parse(&json)?;
    let read =
        |name: &str| std::fs::read_to_string(root().join(name)).with_context(|| format!("reading {name}"));
    let folder = format!("bitstreams/{}", board.name);
    // Those of the second cage are read beside the board's.
    let texts = |kind: &str, second: &str| -> Result<String> {
        let first = read(&format!("{folder}/{kind}.xdc"))?;
        Ok(if ports > 1 { first + &read(&format!("{folder}/{second}.xdc"))? } else { first })
    };
    let (pins, around) = (texts("board", "sfp1")?, texts("crossings", "sfp1_crossings")?);
    let within =
        own.map_or_else(|| "hw/rtl/Zcu106.xdc".into(), |own| own.join("Zcu106.xdc").display().to_string());
    let mut wrong = design.open_inputs(board.top);
    // The transceiver sends its highest bit first.
    for (channel, port) in [("gth", ""), ("gth1", "second_")].into_iter().take(ports.into()) {
        for (vendor, ours) in [
            ("gtwiz_userdata_tx_in", "tx_data"),
            ("gtwiz_userdata_rx_out", "rx_payload_data"),
            ("txheader_in", "tx_header"),
            ("rxheader_out", "rx_payload_header"),
        ] {
            let ours = format!("{port}{ours}");
            wrong.extend(design.not_turned(board.top, (channel, vendor), ("board", &ours)));
        }
    }
    wrong.extend(design.missing(board.top, "the board's pins", &pins));
    wrong.extend(design.pins(board.top, &pins));
    wrong.extend(design.missing(board.top, "the crossings around", &around));
    wrong.extend(design.missing("Zcu106", &within, &read(&within)?));
    if !wrong.is_empty() {
        bail!(wrong.join("\n"));
    }
    println!("constraints: what they name is in the design, and every port has a pin of its own");
    Ok(())
}
