//! Clients that nobody here wrote: libnbd's tools and fio with its NBD engine, which verifies every block that it wrote.
use crate::rig;

use mneme_skips::{Lack, skipped};
use rig::{Board, Device, Wish, content};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

const PYTHON: &str = "/usr/bin/python3";

/// Whether a program is there; a test without it is skipped by name.
fn has(test: &str, program: &str, args: &[&str], package: &str) -> bool {
    let answers = Command::new(program).args(args).output().is_ok_and(|output| output.status.success());
    if !answers {
        skipped(test, Lack::System, format_args!("want of {program} (Debian: {package})"));
    }
    answers
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let all = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{all}");
    all
}
fn run(program: &str, args: &[&str]) -> String {
    said(&Command::new(program).args(args).output().expect("it runs"))
}
fn uri(device: &Device) -> String {
    format!("nbd+unix:///?socket={}", device.socket.display())
}
fn patient() -> Wish {
    // On a machine that does other things, too.
    Wish { size: 32 << 20, give_up: Duration::from_secs(10), ..Wish::default() }
}
fn boards() -> [Device; 3] {
    let plain = Board::start();
    let rdma = Board::start_at((rig::address(), 0).into(), 64 << 20, true);
    let devices = [Device::clib(patient(), &plain), Device::native(patient(), &rdma), Device::ram(patient())];
    // For as long as the process lives.
    std::mem::forget((plain, rdma));
    devices
}

#[test]
fn libnbds_tools_find_the_export_and_copy_there_and_back() {
    let test = "libnbds_tools_find_the_export_and_copy_there_and_back";
    if !has(test, "nbdinfo", &["--version"], "libnbd-bin") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let bytes = content(5, 1, (32 << 20) / 4096);
    std::fs::write(path("in"), &bytes).expect("written");
    for device in boards() {
        let told: serde_json::Value =
            serde_json::from_str(&run("nbdinfo", &["--json", &uri(&device)])).expect("JSON");
        let export = &told["exports"][0];
        assert_eq!(told["protocol"], "newstyle-fixed");
        assert_eq!((&export["export-size"], &export["export-name"]), (&(32 << 20).into(), &"mneme".into()));
        for (flag, is) in [
            ("is_read_only", false),
            ("is_rotational", false),
            ("can_multi_conn", true),
            ("can_flush", true),
            ("can_fua", true),
            ("can_trim", true),
            ("can_zero", true),
        ] {
            assert_eq!(export[flag], is, "{flag}: {export}");
        }
        let sizes = ["block_size_minimum", "block_size_preferred", "block_size_maximum"];
        assert_eq!(sizes.map(|name| export[name].as_u64()), [Some(4096), Some(65_536), Some(4 << 20)]);
        let listed: serde_json::Value =
            serde_json::from_str(&run("nbdinfo", &["--json", "--list", &uri(&device)])).expect("JSON");
        assert_eq!(listed["exports"][0]["export-name"], "mneme");
        let options = ["--flush", "--connections=2", "--requests=16"];
        run("nbdcopy", &[&options[..], &[&path("in"), &uri(&device)]].concat());
        run("nbdcopy", &[&options[..], &[&uri(&device), &path("out")]].concat());
        assert!(std::fs::read(path("out")).expect("a copy") == bytes);
        std::fs::remove_file(path("out")).expect("removed");
        device.end();
    }
}

#[test]
fn libnbds_shell_discards_zeroes_and_is_refused() {
    let test = "libnbds_shell_discards_zeroes_and_is_refused";
    // `nbdsh` by the system's own Python: another one in the path does not have the module.
    if !has(test, PYTHON, &["-m", "nbd", "-c", "pass"], "python3-libnbd") {
        return;
    }
    let script = r#"
import errno
data = bytes(range(256)) * 256
h.pwrite(data, 131072)
assert h.pread(65536, 131072) == data
h.trim(4096, 131072)
h.zero(8192, 131072 + 16384)
h.zero(4096, 131072 + 32768, nbd.CMD_FLAG_NO_HOLE | nbd.CMD_FLAG_FUA)
h.pwrite(data[:4096], 131072 + 61440, nbd.CMD_FLAG_FUA)
h.flush()
back = h.pread(65536, 131072)
assert back[:4096] == bytes(4096)
assert back[4096:16384] == data[4096:16384]
assert back[16384:24576] == bytes(8192)
assert back[32768:36864] == bytes(4096)
assert back[61440:] == data[:4096]
h.set_strict_mode(0)
for call, number in [
    (lambda: h.pread(512, 0), errno.EINVAL),
    (lambda: h.pwrite(bytes(4096), 33554432), errno.ENOSPC),
    (lambda: h.pread(4096, 33554432), errno.EINVAL),
    (lambda: h.cache(4096, 0), errno.EINVAL),
]:
    try:
        call()
    except nbd.Error as error:
        assert error.errnum == number, error
    else:
        assert False, "it was not refused"
assert h.pread(4096, 135168) == data[4096:8192]
"#;
    for device in boards() {
        run(PYTHON, &["-m", "nbd", "-u", &uri(&device), "-c", script]);
        device.end();
    }
}

/// Several jobs, each with a connection and a part of its own: fio reads every block that it wrote and compares.
fn verify(device: &Device, folder: &Path, (rw, loops): (&str, u32), sizes: &str) {
    let uri = format!("--uri={}", uri(device));
    let sizes = format!("--bssplit={sizes}");
    let (rw, loops) = (format!("--rw={rw}"), format!("--loops={loops}"));
    let output = Command::new("fio")
        .current_dir(folder)
        .args(["--name=verify", "--ioengine=nbd", &uri, &rw, &sizes, "--ba=4k"])
        .args(["--size=12M", "--offset_increment=16M", "--numjobs=2", "--iodepth=16", &loops])
        .args(["--verify=crc32c", "--verify_fatal=1", "--do_verify=1", "--randseed=7", "--group_reporting"])
        .output();
    let told = said(&output.expect("it runs"));
    assert!(told.contains("err= 0"), "{told}");
}

#[test]
fn fio_verifies_what_it_wrote() {
    let test = "fio_verifies_what_it_wrote";
    if !has(test, "fio", &["--enghelp=nbd"], "fio") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for device in boards() {
        verify(&device, folder.path(), ("randwrite", 2), "4k/100");
        verify(&device, folder.path(), ("randwrite", 2), "4k/60:64k/30:1m/10");
        verify(&device, folder.path(), ("randtrimwrite", 2), "4k/100");
        // A second loop of this one fails on nbdkit's memory, too (fio 3.33): it expects the first loop's random numbers.
        verify(&device, folder.path(), ("randrw", 1), "4k/70:64k/30");
        let snapshot = device.server().snapshot();
        assert!(snapshot.counters["writes"] > 5_000, "{snapshot:?}");
        assert!(
            snapshot.counters["discards"] > 1_000 || snapshot.counters["zeroings"] > 1_000,
            "{snapshot:?}"
        );
        assert_eq!(snapshot.errors.values().sum::<u64>(), 0, "{snapshot:?}");
        device.end();
    }
}
