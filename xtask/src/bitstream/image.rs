//! Images by bootgen: the bitstream as the kernel loads it, and the boot image where its other parts are given.
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::run;

/// Parts of a boot image beside the bitstream, in their order: file, and what bootgen is told of it. They come with the board's
/// image or from its vendor's tools; nothing here makes them.
const PARTS: [(&str, &str); 5] = [
    ("fsbl.elf", "bootloader, destination_cpu=a53-0"),
    ("pmufw.elf", "pmufw_image"),
    ("bl31.elf", "destination_cpu=a53-0, exception_level=el-3, trustzone"),
    ("system.dtb", "destination_cpu=a53-0, load=0x100000"),
    ("u-boot.elf", "destination_cpu=a53-0, exception_level=el-2"),
];

fn bootgen(out: &Path, bif: &str, text: &str) -> Result<Command> {
    let path = out.join(bif);
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    let mut command = Command::new("bootgen");
    command.current_dir(out).args(["-arch", "zynqmp", "-w", "-image", bif]);
    Ok(command)
}

/// A file that bootgen must have left.
fn left(path: PathBuf) -> Result<PathBuf> {
    if !path.is_file() {
        bail!("bootgen ended well but left no {}", path.display());
    }
    Ok(path)
}

/// `mneme.bit` of a folder as `mneme.bit.bin`, which the kernel's FPGA manager takes.
pub fn loadable(out: &Path) -> Result<PathBuf> {
    let text = "all:\n{\n\t[destination_device=pl] mneme.bit\n}\n";
    run(bootgen(out, "mneme.bif", text)?.args(["-process_bitstream", "bin"]))?;
    left(out.join("mneme.bit.bin"))
}

/// A boot image with the bitstream in it: `BOOT.BIN`, for the board's SD card.
pub fn boot(out: &Path, parts: &Path) -> Result<PathBuf> {
    let mut text = String::from("all:\n{\n");
    for (n, (name, told)) in PARTS.into_iter().enumerate() {
        let path = parts.join(name);
        if !path.is_file() {
            let all = PARTS.map(|(name, _)| name).join(", ");
            bail!("{} is missing: a boot image is made of {all} and the bitstream", path.display());
        }
        let path = path.canonicalize().with_context(|| format!("finding {}", path.display()))?;
        text += &format!("\t[{told}] {}\n", path.display());
        // The bitstream lies behind the two that run before the processor's system.
        if n == 1 {
            text += "\t[destination_device=pl] mneme.bit\n";
        }
    }
    text += "}\n";
    run(bootgen(out, "boot.bif", &text)?.args(["-o", "BOOT.BIN"]))?;
    left(out.join("BOOT.BIN"))
}
