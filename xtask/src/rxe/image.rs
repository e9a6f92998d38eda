//! The guest's kernel, and the archive of its modules and programs.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::cpio::Archive;
use super::packages::Unpacked;
use super::python;
use crate::process::{capture, root, run};

/// Modules of each role, and what they depend on is found. crc32 is asked for by name when a device is made, which nobody would load
/// then.
const MODULES: &[(&str, &[&str])] = &[
    ("roce", &["virtio_pci", "virtio_net", "crc32_generic", "rdma_rxe", "rdma_ucm"]),
    ("swap", &["virtio_pci", "virtio_net", "nbd"]),
];
/// Where libraries are, in packages and in the guest.
const LIBRARIES: [&str; 2] = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"];
/// Programs of perftest that a board serves.
const PERFTEST: [&str; 8] = [
    "ib_write_bw",
    "ib_write_lat",
    "ib_read_bw",
    "ib_read_lat",
    "ib_atomic_bw",
    "ib_atomic_lat",
    "ib_send_bw",
    "ib_send_lat",
];
/// What runs programs. They look for it in `/lib64`.
const LOADER: &str = "ld-linux-x86-64.so.2";
/// libibverbs loads it by the name that its list of drivers has.
const DRIVER: &str = "usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so";
/// Begins what a kernel's file holds compressed.
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];

/// What QEMU boots.
pub struct Image {
    /// The kernel.
    pub kernel: PathBuf,
    /// Modules and programs.
    pub archive: PathBuf,
}

/// Builds both. An unpacked kernel starts in half the time of one that unpacks itself under emulation. `own` are programs of this
/// repository.
pub fn build(unpacked: &Unpacked, own: &[&Path], folder: &Path) -> Result<Image> {
    fs::create_dir_all(folder)?;
    let image = Image { kernel: folder.join("vmlinux"), archive: folder.join("initramfs") };
    fs::write(&image.kernel, kernel(unpacked)?)?;
    let mut all = vec![
        compile(unpacked, "peer", &["-lrdmacm", "-libverbs"], folder)?,
        compile(unpacked, "hog", &[], folder)?,
        compile(unpacked, "kept", &["-shared", "-fPIC"], folder)?,
    ];
    for program in own {
        let stripped = folder.join(program.file_name().context("a program has a name")?);
        run(Command::new("strip").arg("-o").arg(&stripped).arg(program))?;
        all.push(stripped);
    }
    let mut archive = Archive::default();
    ["bin", "dev", "etc", "etc/libibverbs.d", "lib64", "modules"]
        .iter()
        .for_each(|name| archive.folder(name));
    ["lib", "lib/x86_64-linux-gnu", "usr", "usr/bin", "usr/lib", "usr/lib/x86_64-linux-gnu"]
        .iter()
        .for_each(|name| archive.folder(name));
    archive.folder("usr/lib/x86_64-linux-gnu/libibverbs");
    // Before the first program there is nobody who would make them.
    archive.device("dev/console", (5, 1));
    archive.device("dev/null", (1, 3));
    archive.file("init", &fs::read(root().join("tests/guest/init"))?);
    modules(unpacked, &mut archive)?;
    programs(unpacked, &all, &mut archive)?;
    fs::write(&image.archive, archive.finish())?;
    Ok(image)
}

/// The kernel's file out of the one that unpacks itself; that one if it is packed otherwise.
fn kernel(unpacked: &Unpacked) -> Result<Vec<u8>> {
    let boot = unpacked.kernel.join("boot");
    let mut files = fs::read_dir(&boot)?.collect::<std::io::Result<Vec<_>>>()?;
    files.retain(|file| file.file_name().to_string_lossy().starts_with("vmlinuz-"));
    let [file] = &files[..] else { bail!("{} kernels in {}", files.len(), boot.display()) };
    let packed = fs::read(file.path())?;
    let Some(at) = packed.windows(XZ.len()).position(|bytes| bytes == XZ) else { return Ok(packed) };
    match unxz(&packed[at..]) {
        Ok(plain) if plain.starts_with(b"\x7fELF") => Ok(plain),
        _ => Ok(packed),
    }
}

fn unxz(packed: &[u8]) -> Result<Vec<u8>> {
    use std::io::Write;
    let mut xz = Command::new("xz")
        .args(["--decompress", "--stdout", "--single-stream", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start xz")?;
    let mut stdin = xz.stdin.take().context("a pipe")?;
    let output = std::thread::scope(|scope| {
        // What lies behind the stream is not read.
        scope.spawn(move || stdin.write_all(packed).is_ok());
        xz.wait_with_output()
    })?;
    ensure!(!output.stdout.is_empty(), "xz finds nothing");
    Ok(output.stdout)
}

/// A program of the folder tests/guest, against the guest's libraries.
fn compile(unpacked: &Unpacked, name: &str, libraries: &[&str], folder: &Path) -> Result<PathBuf> {
    let program = folder.join(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    compiler.arg(root().join("tests/guest").join(name).with_extension("c"));
    compiler.arg("-I").arg(unpacked.userland.join("usr/include"));
    for folder in LIBRARIES {
        let folder = unpacked.userland.join(folder);
        compiler.arg("-L").arg(&folder).arg(format!("-Wl,-rpath-link,{}", folder.display()));
    }
    run(compiler.args(libraries)).with_context(|| format!("the guest's {name} cannot be compiled"))?;
    Ok(program)
}

/// All modules of the kernel's folder by name.
fn there(folder: &Path, found: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            there(&path, found)?;
        } else if let Some((name, "ko" | "ko.xz")) =
            path.file_name().and_then(|name| name.to_str()).and_then(|name| name.split_once('.'))
        {
            // Their names have either sign.
            found.insert(name.replace('-', "_"), path);
        }
    }
    Ok(())
}

/// The modules that a module's own description says it depends on.
fn needs(module: &[u8]) -> Vec<String> {
    const FIELD: &[u8] = b"\0depends=";
    let Some(at) = module.windows(FIELD.len()).position(|bytes| bytes == FIELD) else { return Vec::new() };
    let rest = &module[at + FIELD.len()..];
    let end = rest.iter().position(|byte| *byte == 0).unwrap_or(0);
    let names = String::from_utf8_lossy(&rest[..end]).replace('-', "_");
    names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Modules, and for each role an order in which they can be loaded.
fn modules(unpacked: &Unpacked, archive: &mut Archive) -> Result<()> {
    let mut found = BTreeMap::new();
    let folder = [unpacked.kernel.join("lib/modules"), unpacked.kernel.join("usr/lib/modules")];
    there(folder.iter().find(|folder| folder.is_dir()).context("the kernel has no modules")?, &mut found)?;
    let mut packed = BTreeMap::new();
    for (role, names) in MODULES {
        let order = order(&found, names, &mut packed)?;
        archive.file(&format!("modules/{role}"), order.as_bytes());
    }
    for (name, module) in packed {
        archive.file(&format!("modules/{name}.ko"), &module);
    }
    Ok(())
}

/// The order in which modules and what they need can be loaded. Their contents are added to `all`.
fn order(
    found: &BTreeMap<String, PathBuf>,
    names: &[&str],
    all: &mut BTreeMap<String, Vec<u8>>,
) -> Result<String> {
    let (mut loaded, mut order) = (BTreeSet::new(), String::new());
    let mut waits: Vec<String> = names.iter().rev().map(|name| (*name).to_owned()).collect();
    while let Some(name) = waits.pop() {
        let Some(path) = found.get(&name) else {
            // What is part of the kernel is no module.
            ensure!(names.contains(&name.as_str()), "the kernel has no module {name}");
            println!("{name}: no module of this kernel, so part of it");
            continue;
        };
        let packed = fs::read(path)?;
        let module = if path.extension().is_some_and(|end| end == "xz") { unxz(&packed)? } else { packed };
        let missing: Vec<String> = needs(&module).into_iter().filter(|need| !loaded.contains(need)).collect();
        if !missing.is_empty() {
            ensure!(waits.len() < 1000, "the kernel's modules depend on each other in a circle");
            waits.push(name);
            waits.extend(missing);
        } else if loaded.insert(name.clone()) {
            order += &format!("{name}.ko\n");
            all.insert(name, module);
        }
    }
    Ok(order)
}

/// A file of the guest's packages; links are followed within them.
fn packaged(unpacked: &Unpacked, path: &str) -> Option<PathBuf> {
    let folders = std::iter::once(&unpacked.userland).chain(&unpacked.python);
    folders.map(|folder| folder.join(path)).find(|path| path.is_file())
}

/// Programs, and the libraries that they need. Our own come from where they were built.
fn programs(unpacked: &Unpacked, own: &[PathBuf], archive: &mut Archive) -> Result<()> {
    let find = |paths: &[&str]| {
        let found = paths.iter().find_map(|path| packaged(unpacked, path));
        found.with_context(|| format!("no package has {}", paths.join(" or ")))
    };
    let rdma = find(&["usr/bin/rdma", "bin/rdma", "usr/sbin/rdma", "sbin/rdma"])?;
    let nbd = find(&["usr/sbin/nbd-client", "sbin/nbd-client"])?;
    let ping_pong = find(&["usr/bin/ibv_rc_pingpong"])?;
    let tests =
        PERFTEST.iter().map(|name| find(&[&format!("usr/bin/{name}")])).collect::<Result<Vec<_>>>()?;
    for (name, program) in PERFTEST.iter().zip(&tests) {
        archive.file(&format!("usr/bin/{name}"), &fs::read(program)?);
    }
    let driver = find(&[DRIVER])?;
    let busybox = find(&["bin/busybox", "usr/bin/busybox"])?;
    archive.file("bin/busybox", &fs::read(busybox)?);
    archive.file("usr/bin/rdma", &fs::read(&rdma)?);
    archive.file("usr/bin/nbd-client", &fs::read(&nbd)?);
    archive.file("usr/bin/ibv_rc_pingpong", &fs::read(&ping_pong)?);
    for program in own {
        let name = program.file_name().context("a program has a name")?.to_string_lossy();
        archive.file(&format!("usr/bin/{name}"), &fs::read(program)?);
    }
    archive.file(DRIVER, &fs::read(&driver)?);
    archive.file("etc/libibverbs.d/rxe.driver", b"driver rxe\n");
    let loader = find(&LIBRARIES.map(|folder| format!("{folder}/{LOADER}")).each_ref().map(String::as_str))?;
    archive.file(&format!("lib64/{LOADER}"), &fs::read(loader)?);
    let mut waits = [own, &tests, &[rdma, driver, nbd, ping_pong]].concat();
    if let Some(folder) = &unpacked.python {
        waits.extend(python::add(folder, archive)?);
    }
    let mut have = BTreeSet::new();
    while let Some(program) = waits.pop() {
        for name in needed(&program)? {
            if name.starts_with("ld-linux") || !have.insert(name.clone()) {
                continue;
            }
            let paths: Vec<String> = LIBRARIES.iter().map(|folder| format!("{folder}/{name}")).collect();
            let library = find(&paths.iter().map(String::as_str).collect::<Vec<_>>())
                .with_context(|| format!("for {}", program.display()))?;
            archive.file(&format!("{}/{name}", LIBRARIES[0]), &fs::read(&library)?);
            waits.push(library);
        }
    }
    Ok(())
}

/// The libraries that a program names.
fn needed(program: &Path) -> Result<Vec<String>> {
    let told = capture(Command::new("readelf").arg("--dynamic").arg(program))?;
    let name = |line: &str| {
        let (_, rest) = line.split_once("(NEEDED)")?;
        Some(rest.split_once('[')?.1.split_once(']')?.0.to_owned())
    };
    Ok(told.lines().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::needs;

    #[test]
    fn a_module_tells_what_it_depends_on() {
        let module = b"\x7fELF\0license=GPL\0depends=ib-core,udp_tunnel\0name=x\0";
        assert_eq!(needs(module), ["ib_core", "udp_tunnel"]);
        assert!(needs(b"\0license=GPL\0depends=\0name=x\0").is_empty());
        assert!(needs(b"nothing").is_empty());
    }
}
