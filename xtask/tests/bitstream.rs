//! `cargo xtask bitstream` and `cargo xtask flash` from end to end, with Vivado, openFPGALoader, ssh and scp replaced by programs
//! that write down what they are asked; tclsh, dtc and bootgen are the real ones.
use std::process::Command;

#[path = "bitstream/desk.rs"]
mod desk;

use desk::{DATE, Desk, root};

/// The first bits of the hash that a build of these sources tells: 0 where they differ from the commit.
fn hash() -> String {
    let git = |words: &[&str]| {
        let output = Command::new("git").current_dir(root()).args(words).output().expect("git runs");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    let sources = ["bitstreams/zcu106", "hw/rtl/Zcu106.v", "hw/rtl/Zcu106.xdc"];
    if git(&[&["status", "--porcelain", "--"][..], &sources].concat()).is_empty() {
        git(&["rev-parse", "HEAD"])[..8].to_owned()
    } else {
        "00000000".to_owned()
    }
}

#[test]
fn a_build_makes_these_calls_and_no_others_and_leaves_images_and_a_manifest() {
    let desk = Desk::built();
    let expected =
        std::fs::read_to_string(root().join("xtask/tests/bitstream/calls.txt")).expect("the calls");
    assert_eq!(desk.text("calls"), expected.replace("@hash@", &hash()));
    let manifest = desk.manifest();
    let entry = &manifest["zcu106"];
    assert_eq!(entry["part"].as_str(), Some("xczu7ev-ffvc1156-2-e"));
    assert_eq!(entry["build_date"].as_integer(), Some(i64::from(DATE)));
    assert_eq!(entry["build_hash"].as_integer(), i64::from_str_radix(&hash(), 16).ok());
    assert_eq!(entry["dirty"].as_bool(), Some(hash() == "00000000"));
    assert_eq!(entry["slack"]["setup"].as_float(), Some(0.052));
    assert_eq!(entry["utilisation"]["bram36"].as_array().map(Vec::len), Some(2));
    assert_eq!(entry["parameters"]["memory_part"].as_str(), Some("MT40A256M16GE-075E"));
    let files = entry["files"].as_table().expect("files");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["mneme-memory.dtbo", "mneme.bit", "mneme.bit.bin", "mneme.dtbo"]);
    // What the kernel takes has the words for the device, without the head that tells of them, turned round.
    let image = std::fs::read(desk.path("out/mneme.bit.bin")).expect("an image");
    let sync = [0x66, 0x55, 0x99, 0xaa];
    assert!(image.windows(4).any(|word| word == sync), "bootgen turns the words' bytes round");
    assert!(!image.windows(4).any(|word| word == b"zu7e"));
}

#[test]
fn paths_may_be_relative_to_where_the_user_is() {
    let desk = Desk::new();
    let (well, said) = desk.bitstream(&["--vivado", "xtask/tests/bitstream/vivado"]);
    assert!(well, "{said}");
    assert!(desk.path("out/mneme.bit").exists());
}

#[test]
fn what_is_wrong_with_a_build_is_said_and_leaves_no_manifest() {
    for (name, value, said) in [
        ("STUB_VERSION", "2023.2", "this is Vivado 2023.2, and the zcu106 is built with 2024.1"),
        ("STUB_SLACK", "-0.213", "negative slack: -0.213 ns (-setup) from board/a_reg/C to board/b_reg/D"),
        ("STUB_PULSE", "-0.400", "negative slack: -0.4 ns of pulse width"),
        ("STUB_CRITICAL", "1", "CRITICAL WARNING: [Vivado 12-4739]"),
        ("STUB_UNCLOCKED", "17", "no_clock: 17 are not constrained"),
        ("STUB_NO_BITSTREAM", "1", "Vivado ended well but left no"),
    ] {
        let desk = Desk::new().with(name, value);
        let (well, text) = desk.bitstream(&[]);
        assert!(!well && text.contains(said), "{name}: {text}");
        assert!(!desk.path("manifest.toml").exists() && !desk.path("out/mneme.bit").exists(), "{name}");
    }
    let (well, text) = Desk::new().bitstream(&["--vivado", "/nowhere/vivado"]);
    assert!(
        !well && text.contains("Vivado is missing: `/nowhere/vivado` does not run. Install Vivado 2024.1"),
        "{text}"
    );
}

#[test]
fn a_critical_warning_ends_the_build_where_it_comes() {
    let desk = Desk::new().with("STUB_CRITICAL", "1");
    let (_, said) = desk.bitstream(&[]);
    assert!(said.contains("synthesis gave 1 critical warning(s)"), "{said}");
    assert!(
        desk.text("calls").lines().last().is_some_and(|call| call.starts_with("synth_design")),
        "nothing after it"
    );
}

#[test]
fn the_other_chips_of_dram_are_named_to_vivado() {
    let desk = Desk::new();
    let (well, said) = desk.bitstream(&["--memory-part", "062e"]);
    assert!(well, "{said}");
    assert!(desk.text("calls").contains("CONFIG.C0.DDR4_MemoryPart MT40A256M16LY-062E"));
}

#[test]
fn a_core_of_ones_own_is_built_and_its_verilog_is_kept_beside_the_bitstream() {
    let desk = Desk::new();
    let file = desk.path("tagged.toml");
    std::fs::write(&file, "trailers = true\n").expect("written");
    let (well, said) = desk.bitstream(&["--config", &file.display().to_string()]);
    assert!(well, "{said}");
    assert_eq!(desk.manifest()["zcu106"]["configuration"].as_str(), Some("tagged zcu106 trailers=true"));
    // Vivado has read what lies there, which has what the committed core has not.
    let verilog = desk.path("out/Zcu106.v").display().to_string();
    assert!(desk.text("calls").contains(&format!("read_verilog {verilog} ")), "{}", desk.text("calls"));
    assert!(desk.text("out/Zcu106.v").contains("module TrailerSeal"));
    let text = desk.text("out/Zcu106.v") + "// another\n";
    std::fs::write(&verilog, text).expect("written");
    let (well, said) = desk.flash(&["--jtag"]);
    assert!(!well && said.contains("the bitstream is stale"), "{said}");
}

#[test]
fn a_board_with_both_cages_has_two_channels_on_one_pll_and_what_is_said_of_the_second_ones_pins() {
    let desk = Desk::new();
    let (well, said) = desk.bitstream(&["--ports", "2"]);
    assert!(well, "{said}");
    assert_eq!(desk.manifest()["zcu106"]["configuration"].as_str(), Some("zcu106 zcu106 ports=2"));
    assert_eq!(desk.manifest()["zcu106"]["parameters"]["channels"].as_str(), Some("X0Y10 X0Y11"));
    assert!(desk.text("out/Zcu106.v").contains("module PortSwitch"));
    let calls = desk.text("calls").replace(&desk.path("out").display().to_string(), "BESIDE");
    let kept = root().join("xtask/tests/bitstream/calls.txt");
    let kept = std::fs::read_to_string(kept).expect("the calls");
    let kept: Vec<&str> = kept.lines().collect();
    let more: Vec<&str> = calls.lines().filter(|call| !kept.contains(call)).collect();
    let expected = std::fs::read_to_string(root().join("xtask/tests/bitstream/calls_both.txt"));
    assert_eq!(more.join("\n") + "\n", expected.expect("the calls").replace("@hash@", &hash()));
    let (well, said) = desk.xtask(&["bitstream", "zcu106", "--ports", "2", "--committed-verilog"]);
    assert!(!well && said.contains("the committed Verilog has one Ethernet port"), "{said}");
    let (well, said) = desk.xtask(&["bitstream", "zcu106", "--ports", "3"]);
    assert!(!well && said.contains("3 is not in 1..=2"), "{said}");
}

#[test]
fn a_boot_image_needs_all_of_its_parts() {
    let desk = Desk::new();
    let parts = desk.path("parts");
    std::fs::create_dir(&parts).expect("a folder");
    let (well, said) = desk.bitstream(&["--boot", &parts.display().to_string()]);
    assert!(!well && said.contains("fsbl.elf is missing: a boot image is made of"), "{said}");
    for name in ["fsbl.elf", "pmufw.elf", "bl31.elf", "u-boot.elf"] {
        std::fs::write(parts.join(name), elf(name == "pmufw.elf")).expect("written");
    }
    std::fs::write(parts.join("system.dtb"), vec![0; 64]).expect("written");
    let (well, said) = desk.bitstream(&["--boot", &parts.display().to_string()]);
    assert!(well, "{said}");
    // The boot header of UG1085: its width detection and identification.
    let image = std::fs::read(desk.path("out/BOOT.BIN")).expect("an image");
    assert_eq!(image[0x20..0x28], [0x66, 0x55, 0x99, 0xaa, b'X', b'N', b'L', b'X']);
}

/// The smallest program: a head, one segment of 64 bytes; of 32 bits for the MicroBlaze, of 64 for the processor.
fn elf(small: bool) -> Vec<u8> {
    let mut bytes = vec![0x7f, b'E', b'L', b'F', if small { 1 } else { 2 }, 1, 1, 0];
    bytes.resize(16, 0);
    let word = |bytes: &mut Vec<u8>, value: u64, width: usize| bytes.extend(&value.to_le_bytes()[..width]);
    let long = if small { 4 } else { 8 };
    let (head, segment) = if small { (52, 32) } else { (64, 56) };
    let address: u64 = if small { 0xffdc_0000 } else { 0xfffc_0000 };
    word(&mut bytes, 2, 2);
    word(&mut bytes, if small { 189 } else { 183 }, 2);
    word(&mut bytes, 1, 4);
    for value in [address, head, 0] {
        word(&mut bytes, value, long);
    }
    word(&mut bytes, 0, 4);
    for value in [head, segment, 1, 0, 0, 0] {
        word(&mut bytes, value, 2);
    }
    let at = head + segment;
    word(&mut bytes, 1, 4);
    if !small {
        word(&mut bytes, 5, 4);
    }
    for value in [at, address, address, 64, 64] {
        word(&mut bytes, value, long);
    }
    if small {
        word(&mut bytes, 5, 4);
    }
    word(&mut bytes, 64, long);
    bytes.resize(at as usize + 64, 0x11);
    bytes
}

/// What openFPGALoader says of a chain with such a device.
fn chain(model: &str) -> String {
    format!(
        "case \"$*\" in *--detect*) printf 'index 0:\\n\\tidcode 0x4730093\\n\\tfamily zynqmp\\n\\tmodel  {model}\\n' ;; esac"
    )
}

#[test]
fn jtag_loads_the_bitstream_onto_the_right_device_only() {
    let desk = Desk::built();
    desk.program("openFPGALoader", &chain("xczu7ev"));
    let (well, said) = desk.flash(&["--jtag"]);
    assert!(well, "{said}");
    let bit = desk.path("out/mneme.bit");
    assert_eq!(
        desk.text("openFPGALoader.calls"),
        format!("-b zcu106 --detect\n-b zcu106 {}\n", bit.display())
    );
    for (program, words) in [
        (
            chain("xczu9eg"),
            "wrong part: at the other end of the cable is xczu9eg, and the bitstream is for xczu7ev",
        ),
        ("true".to_owned(), "wrong part: at the other end of the cable is no device that is known"),
        ("echo no cable >&2; exit 1".to_owned(), "no board answers"),
    ] {
        desk.program("openFPGALoader", &program);
        std::fs::remove_file(desk.path("openFPGALoader.calls")).expect("there were calls");
        let (well, said) = desk.flash(&["--jtag"]);
        assert!(!well && said.contains(words), "{said}");
        assert_eq!(desk.text("openFPGALoader.calls"), "-b zcu106 --detect\n", "nothing was loaded");
    }
}

#[test]
fn a_board_is_asked_through_its_network_port() {
    let desk = Desk::built();
    desk.program("openFPGALoader", &chain("xczu7ev"));
    let (hash, date) = (desk.told("build_hash"), desk.told("build_date"));
    for (simulated, hash, date, words) in [
        (false, hash, date, "10.0.0.9 answers with the bitstream of"),
        (true, hash, date, "what answers at 10.0.0.9 is a simulated board"),
        (false, hash, date + 1, "another bitstream answers at 10.0.0.9: its BUILD_DATE"),
        (false, hash + 1, date, "another bitstream answers at 10.0.0.9: its BUILD_HASH"),
    ] {
        let registers = format!("{{\"BUILD_HASH\": {hash}, \"BUILD_DATE\": {date}}}");
        let report = format!("{{\"build\": {{\"simulated\": {simulated}, \"registers\": {registers}}}}}");
        desk.program("mneme", &format!("echo '{report}'"));
        let (well, said) = desk.flash(&["--jtag", "--ask", "10.0.0.9"]);
        assert!(well == words.contains("answers with") && said.contains(words), "{said}");
    }
    assert!(desk.text("mneme.calls").starts_with("stat --json --board 10.0.0.9\n"));
    desk.program("mneme", "echo 'error: nobody' >&2; exit 1");
    let (well, said) = desk.flash(&["--jtag", "--ask", "10.0.0.9"]);
    assert!(!well && said.contains("the bitstream is loaded, but no board answers at 10.0.0.9"), "{said}");
}

#[test]
fn what_does_not_belong_together_is_not_flashed() {
    let desk = Desk::new();
    desk.program("openFPGALoader", "exit 1");
    let (well, said) = desk.flash(&["--jtag"]);
    assert!(!well && said.contains("no bitstream has been built"), "{said}");
    let desk = Desk::built();
    desk.program("openFPGALoader", &chain("xczu7ev"));
    let manifest = desk.text("manifest.toml");
    let change = |from: &str, to: &str| {
        assert!(manifest.contains(from), "{manifest}");
        std::fs::write(desk.path("manifest.toml"), manifest.replace(from, to)).expect("written");
    };
    change("xczu7ev-ffvc1156-2-e", "xczu9eg-ffvb1156-2-e");
    let (well, said) = desk.flash(&["--jtag"]);
    assert!(!well && said.contains("the bitstream is for the device xczu9eg-ffvb1156-2-e"), "{said}");
    change("sources = \"", "sources = \"0");
    let (well, said) = desk.flash(&["--jtag"]);
    assert!(!well && said.contains("the bitstream is stale: its sources have changed"), "{said}");
    let (well, said) = desk.flash(&["--jtag", "--stale"]);
    assert!(well, "{said}");
    std::fs::write(desk.path("manifest.toml"), &manifest).expect("written");
    std::fs::write(desk.path("out/mneme.bit"), "another").expect("written");
    let (well, said) = desk.flash(&["--jtag", "--stale"]);
    assert!(!well && said.contains("its hash differs"), "{said}");
    let (well, said) = desk.flash(&[]);
    assert!(!well && said.contains("--jtag"), "one way has to be named: {said}");
}

/// A board's Linux: what it answers to the three questions that are put to it.
fn linux(desk: &Desk, compatible: &str, programs: &str, reserved: bool, state: &str, identity: &str) {
    let reserved = if reserved { "echo reserved yes;" } else { "" };
    desk.program(
        "ssh",
        &format!(
            "case \"$*\" in\n*/proc/device-tree/compatible*) echo compatible {compatible}; {reserved} \
             for program in {programs}; do echo $program yes; done ;;\n*fpgautil*) printf 'state {state}\\n' ;;\n\
             *--identify*) printf '{identity}' ;;\nesac"
        ),
    );
    desk.program("scp", "true");
}

#[test]
fn ssh_loads_the_bitstream_of_the_right_board_and_reads_its_registers() {
    let desk = Desk::built();
    let kind = "xlnx,zynqmp-zcu106-revA xlnx,zynqmp-zcu106 xlnx,zynqmp";
    let programs = "fpgautil mneme-boardd";
    let ours = format!(
        "target ZCU106\\ndram ready\\nbuild_hash {:#010x}\\nbuild_date {:#010x}\\n",
        desk.told("build_hash"),
        desk.told("build_date")
    );
    linux(&desk, kind, programs, true, "operating\\nclock 249997498", &ours);
    let (well, said) = desk.flash(&["--ssh", "board"]);
    assert!(well && said.contains("board runs the bitstream of"), "{said}");
    let out = desk.path("out");
    let out = out.display();
    assert_eq!(
        desk.text("scp.calls"),
        format!("-o BatchMode=yes {out}/mneme.bit.bin {out}/mneme.dtbo board:mneme-flash/\n")
    );
    let calls = desk.text("ssh.calls");
    assert!(calls.contains("fpgautil -b mneme.bit.bin -o mneme.dtbo"), "{calls}");
    let other = ours.replace("build_date 0x6", "build_date 0x7");
    let waits = ours.replace("dram ready", "dram waits");
    for (kind, programs, reserved, state, identity, words) in [
        (
            "xlnx,zynqmp-zcu102 xlnx,zynqmp",
            programs,
            true,
            "operating",
            &ours,
            "wrong board: board is xlnx,zynqmp-zcu102",
        ),
        (kind, programs, false, "operating", &ours, "does not keep the rings' memory free"),
        (kind, "mneme-boardd", true, "operating", &ours, "board has no fpgautil"),
        (kind, "fpgautil", true, "operating", &ours, "board has no mneme-boardd"),
        (kind, programs, true, "operating\\nclock 100000000", &ours, "the core's clock runs at 100000000 Hz"),
        (kind, programs, true, "write error", &ours, "the FPGA manager's state is `write error`"),
        (kind, programs, true, "operating", &other, "another bitstream runs: its build_date"),
        (kind, programs, true, "operating", &waits, "DRAM has not calibrated"),
    ] {
        linux(&desk, kind, programs, reserved, state, identity);
        let (well, said) = desk.flash(&["--ssh", "board"]);
        assert!(!well && said.contains(words), "{words}: {said}");
    }
    desk.program("ssh", "exit 255");
    let (well, said) = desk.flash(&["--ssh", "board"]);
    assert!(!well && said.contains("board does not answer"), "{said}");
}

/// A desk with an ECPIX-5's bitstream of these sources; who flashes it.
fn ecpix5() -> Desk {
    use sha2::{Digest, Sha256};
    let hash =
        |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let desk = Desk::new();
    let mut sources = Vec::new();
    for name in [
        "hw/rtl/Ecpix5.v",
        "bitstreams/ecpix5/Ecpix5Board.v",
        "bitstreams/ecpix5/ecpix5.lpf",
        "bitstreams/ecpix5/litedram.yml",
    ] {
        let bytes = std::fs::read(root().join(name)).expect("a source");
        sources.extend(format!("{name} {}\n", bytes.len()).into_bytes());
        sources.extend(bytes);
    }
    std::fs::create_dir(desk.path("out")).expect("a folder");
    std::fs::write(desk.path("out/ecpix5.bit"), b"bits").expect("written");
    let told = format!(
        "{{\"part\":\"LFE5UM5G-85F-8BG554I\",\"commit\":\"0123456789abcdef\",\"build_hash\":{},\"build_date\":{DATE},\"sources\":\"{}\",\
         \"bitstream\":\"{}\"}}",
        0x0123_4567,
        hash(&sources),
        hash(b"bits")
    );
    std::fs::write(desk.path("out/built.json"), told).expect("written");
    desk.program("openFPGALoader", &chain("LFE5UM5G-85"));
    desk
}

fn flash_ecpix5(desk: &Desk, more: &[&str]) -> (bool, String) {
    let out = desk.path("out").display().to_string();
    desk.xtask(&[&["flash", "ecpix5", "--out", &out], more].concat())
}

#[test]
fn an_ecpix5_is_loaded_or_kept_and_tells_what_it_is() {
    let desk = ecpix5();
    let (well, said) = flash_ecpix5(&desk, &[]);
    assert!(well && said.contains("loaded; --ask INTERFACE --key FILE"), "{said}");
    let bit = desk.path("out/ecpix5.bit").display().to_string();
    assert_eq!(desk.text("openFPGALoader.calls"), format!("-b ecpix5 --detect\n-b ecpix5 {bit}\n"));
    let told = |hash: &str| {
        format!(
            "printf 'dram_byte0 slip 1 delay 3 of 5 in a row\\ntarget ECPIX5\\ndram ready\\nbuild_hash {hash}\\nbuild_date {DATE:#010x}\\n'"
        )
    };
    for (program, words) in [
        (told("0x01234567"), "the board runs the bitstream of 0123456789ab"),
        (told("0x01234568"), "another bitstream runs: its build_hash is 0x01234568"),
        (told("0x01234567").replace("ECPIX5", "ZCU106"), "what answers was not built for ECPIX5"),
        ("echo 'error: no board answers' >&2; exit 1".to_owned(), "its registers do not answer"),
    ] {
        desk.program("mneme-boardd", &program);
        let (well, said) = flash_ecpix5(&desk, &["--keep", "--ask", "eth1", "--key", "board.toml"]);
        assert!(well == words.contains("runs the bitstream of") && said.contains(words), "{said}");
    }
    assert!(desk.text("openFPGALoader.calls").ends_with(&format!("-b ecpix5 -f {bit}\n")));
    assert!(
        desk.text("mneme-boardd.calls").starts_with("--ecpix5 eth1 --key board.toml --identify --bring-up\n")
    );
}

#[test]
fn what_is_not_an_ecpix5s_is_not_flashed() {
    let desk = ecpix5();
    let refused = |more: &[&str], words: &str| {
        let (well, said) = flash_ecpix5(&desk, more);
        assert!(!well && said.contains(words), "{said}");
        let calls = std::fs::read_to_string(desk.path("openFPGALoader.calls")).unwrap_or_default();
        assert!(calls.lines().all(|line| line == "-b ecpix5 --detect"), "nothing was loaded: {calls}");
    };
    for (program, words) in [
        (chain("LFE5UM5G-45"), "wrong part: at the other end of the cable is LFE5UM5G-45"),
        ("true".to_owned(), "no device that is known"),
        ("echo no cable >&2; exit 1".to_owned(), "no board answers"),
    ] {
        desk.program("openFPGALoader", &program);
        refused(&[], words);
    }
    refused(&["--ask", "eth1"], "--key");
    let told = desk.text("out/built.json");
    let note = |text: &str| std::fs::write(desk.path("out/built.json"), text).expect("written");
    note(&told.replace("LFE5UM5G-85F", "LFE5UM5G-45F"));
    refused(&[], "the bitstream is for the device LFE5UM5G-45F-8BG554I");
    note(&told.replace("\"sources\":\"", "\"sources\":\"0"));
    refused(&[], "the bitstream is stale");
    note(&told);
    std::fs::write(desk.path("out/ecpix5.bit"), b"other bits").expect("written");
    refused(&["--stale"], "is not the file that was built");
    std::fs::remove_file(desk.path("out/built.json")).expect("removed");
    refused(&[], "no bitstream has been built");
}
