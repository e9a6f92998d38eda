//! The DRAM controller of the ECPIX-5: LiteDRAM's generator, and two defects of its text mended.
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use mneme_host::dram::{Csr, DELAYS, MODULES, SLIPS, START, Step};

use super::{MODELS, SETTINGS};
use crate::process::{capture, root};

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
    let read = |name: &str| {
        let path = out.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    };
    same_registers(&read("csr.csv")?)?;
    same_start(&read("software/include/generated/sdram_phy.h")?)?;
    let path = out.join("gateware").join(format!("{NAME}.v"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let mended = mend(&text)?;
    let model = std::fs::read_to_string(root().join(MODELS[1])).context("reading the controller's model")?;
    if ports(&mended) != ports(&model) {
        bail!("the controller has other ports than {}, which the lint looks at", MODELS[1]);
    }
    let to = folder.join(format!("{NAME}.v"));
    std::fs::write(&to, mended).with_context(|| format!("writing {}", to.display()))
}

/// The ports of a module in a text of Verilog, a line each, without the spaces between their words.
fn ports(text: &str) -> Vec<String> {
    let begins = |line: &str| ["input", "output", "inout"].iter().any(|way| line.starts_with(way));
    let head = text.split(");").next().unwrap_or_default().lines().map(str::trim).filter(|line| begins(line));
    head.map(|line| line.trim_end_matches(',').split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Fails where the generator has laid a register elsewhere than the host's program knows it.
fn same_registers(csv: &str) -> Result<()> {
    for csr in Csr::ALL {
        let told = csv.lines().find_map(|line| {
            let mut words = line.strip_prefix("csr_register,")?.split(',');
            (words.next() == Some(csr.name())).then(|| words.next())?
        });
        let wanted = format!("{:#010x}", csr.number());
        if told != Some(&wanted) {
            let told = told.unwrap_or("nowhere");
            bail!(
                "the DRAM controller has {} at {told}, and the host's program knows it at {wanted}",
                csr.name()
            );
        }
    }
    Ok(())
}

/// Fails where the generator starts the chip with other values than the host's program does.
fn same_start(header: &str) -> Result<()> {
    let number = |text: &str| {
        let text = text.trim();
        match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    };
    // Flags by their names in the same file, joined by bars.
    let flags = |text: &str| {
        text.split('|').try_fold(0, |all, flag| {
            let told =
                header.lines().find_map(|line| line.strip_prefix(&format!("#define {} ", flag.trim())));
            Some(all | number(told?)?)
        })
    };
    let (mut steps, mut address, mut bank) = (Vec::new(), None, None);
    let body = header.split("static inline void init_sequence(void)").nth(1).unwrap_or_default();
    for line in body.lines().map(str::trim) {
        let argument = |call: &str| line.strip_prefix(call)?.strip_prefix('(')?.strip_suffix(");");
        if let Some(text) = argument("sdram_dfii_pi0_address_write") {
            address = number(text);
        } else if let Some(text) = argument("sdram_dfii_pi0_baddress_write") {
            bank = number(text);
        } else if let Some(text) = argument("sdram_dfii_control_write") {
            steps.push(flags(text).map(|pins| Step::Control(pins, Duration::ZERO)));
        } else if let Some(text) = argument("command_p0") {
            let command = flags(text);
            let step = || Some(Step::Command(bank?, address?, command?, Duration::ZERO));
            steps.push(step());
        }
    }
    let ours = START.map(|step| {
        Some(match step {
            Step::Control(pins, _) => Step::Control(pins, Duration::ZERO),
            Step::Command(bank, address, command, _) => Step::Command(bank, address, command, Duration::ZERO),
        })
    });
    if steps != ours {
        bail!("the generator starts the chip by {steps:x?}, and the host's program by {ours:x?}");
    }
    for (name, ours) in
        [("SDRAM_PHY_DELAYS", DELAYS), ("SDRAM_PHY_BITSLIPS", SLIPS), ("SDRAM_PHY_MODULES", MODULES)]
    {
        if flags(name) != u32::try_from(ours).ok() {
            bail!("the generator's {name} is not {ours}, as the host's program has it");
        }
    }
    Ok(())
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
    fn ports_are_compared_without_their_spaces() {
        let text = "// x\nmodule m (\n  input  wire   a,\n inout wire [1:0] b\n);\n input c;\nendmodule\n";
        assert_eq!(ports(text), ["input wire a", "inout wire [1:0] b"]);
        let model = include_str!("../../../bitstreams/ecpix5/models/litedram_core.v");
        assert!(ports(model).len() > 60, "{}", ports(model).len());
    }

    /// What the pinned generator says of the chip's start, without comments and pauses.
    const HEADER: &str = "#define DFII_CONTROL_CKE 0x02\n#define DFII_CONTROL_ODT 0x04\n#define DFII_CONTROL_RESET_N 0x08\n\
        #define DFII_COMMAND_CS 0x01\n#define DFII_COMMAND_WE 0x02\n#define DFII_COMMAND_CAS 0x04\n#define DFII_COMMAND_RAS 0x08\n\
        #define SDRAM_PHY_MODULES 2\n#define SDRAM_PHY_DELAYS 8\n#define SDRAM_PHY_BITSLIPS 4\n\
        static inline void init_sequence(void)\n{\n\
        \tsdram_dfii_pi0_address_write(0x0);\n\tsdram_dfii_pi0_baddress_write(0);\n\
        \tsdram_dfii_control_write(DFII_CONTROL_ODT|DFII_CONTROL_RESET_N);\n\
        \tsdram_dfii_control_write(DFII_CONTROL_CKE|DFII_CONTROL_ODT|DFII_CONTROL_RESET_N);\n\
        \tsdram_dfii_pi0_address_write(0x200);\n\tsdram_dfii_pi0_baddress_write(2);\n\
        \tcommand_p0(DFII_COMMAND_RAS|DFII_COMMAND_CAS|DFII_COMMAND_WE|DFII_COMMAND_CS);\n\
        \tsdram_dfii_pi0_address_write(0x0);\n\tsdram_dfii_pi0_baddress_write(3);\n\
        \tcommand_p0(DFII_COMMAND_RAS|DFII_COMMAND_CAS|DFII_COMMAND_WE|DFII_COMMAND_CS);\n\
        \tsdram_dfii_pi0_address_write(0x6);\n\tsdram_dfii_pi0_baddress_write(1);\n\
        \tcommand_p0(DFII_COMMAND_RAS|DFII_COMMAND_CAS|DFII_COMMAND_WE|DFII_COMMAND_CS);\n\
        \tsdram_dfii_pi0_address_write(0x320);\n\tsdram_dfii_pi0_baddress_write(0);\n\
        \tcommand_p0(DFII_COMMAND_RAS|DFII_COMMAND_CAS|DFII_COMMAND_WE|DFII_COMMAND_CS);\n\
        \tsdram_dfii_pi0_address_write(0x400);\n\tsdram_dfii_pi0_baddress_write(0);\n\
        \tcommand_p0(DFII_COMMAND_WE|DFII_COMMAND_CS);\n}\n";

    #[test]
    fn a_generator_that_starts_the_chip_otherwise_or_moves_a_register_is_told() {
        same_start(HEADER).expect("the pinned one");
        for (from, to) in [
            ("(0x320)", "(0x330)"),
            ("baddress_write(3)", "baddress_write(2)"),
            ("DFII_COMMAND_WE|DFII_COMMAND_CS);\n}", "DFII_COMMAND_CS);\n}"),
            ("DELAYS 8", "DELAYS 16"),
            ("(DFII_CONTROL_ODT|", "(DFII_CONTROL_ODD|"),
        ] {
            assert!(HEADER.contains(from), "{from}");
            same_start(&HEADER.replace(from, to)).expect_err(to);
        }
        let csv: String = Csr::ALL
            .iter()
            .map(|csr| format!("csr_register,{},{:#010x},1,rw\n", csr.name(), csr.number()))
            .collect();
        same_registers(&csv).expect("as the host's program has them");
        let moved = csv.replace("sdram_dfii_control,0x00001000", "sdram_dfii_control,0x00001800");
        let error = same_registers(&moved).expect_err("moved").to_string();
        assert!(error.contains("sdram_dfii_control at 0x00001800"), "{error}");
        let error = same_registers("").expect_err("no registers").to_string();
        assert!(error.contains("ddrctrl_init_done at nowhere"), "{error}");
    }

    #[test]
    fn a_text_without_the_defects_is_refused() {
        let error = mend(&mend(TEXT).unwrap()).unwrap_err().to_string();
        assert!(error.contains("0 of 2 pins"), "{error}");
    }
}
