//! What the guest is made of: packages of this system's Debian, downloaded and unpacked below `target/rxe`, not installed.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::process::{capture, describe, run, target_dir};
use crate::setup;

/// The package that names the newest kernel. Those for clouds have no rdma_rxe.
pub const NEWEST_KERNEL: &str = "linux-image-amd64";
/// Programs and libraries of the guest, and the headers that its client is compiled with.
const USERLAND: &[&str] = &[
    "busybox-static",
    "ibverbs-providers",
    "ibverbs-utils",
    "iproute2",
    "libbsd0",
    "libc6",
    "libcap2",
    "libffi8",
    "libmd0",
    "libgcc-s1",
    "libgmp10",
    "libgnutls30",
    "libhogweed6",
    "libibumad3",
    "libibverbs-dev",
    "libibverbs1",
    "libidn2-0",
    "libmnl0",
    "libnettle8",
    "libnl-3-200",
    "libnl-genl-3-200",
    "libnl-route-3-200",
    "libp11-kit0",
    "libpci3",
    "librdmacm-dev",
    "librdmacm1",
    "libstdc++6",
    "libtasn1-6",
    "libudev1",
    "libunistring2",
    "nbd-client",
    "perftest",
    "zlib1g",
];
/// Python with pyverbs, which one part of the tests takes.
const PYTHON: &[&str] = &[
    "libexpat1",
    "libpython3.11",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "python3.11-minimal",
    "python3-pyverbs",
];
/// Parts of a kernel's package that the guest's modules are among.
const KERNEL_PARTS: &[&str] = &[
    "./boot/vmlinuz-*",
    "./*lib/modules/*/kernel/arch/x86/crypto/crc32*",
    "./*lib/modules/*/kernel/crypto/*",
    "./*lib/modules/*/kernel/drivers/block/nbd.ko*",
    "./*lib/modules/*/kernel/drivers/infiniband/core/*",
    "./*lib/modules/*/kernel/drivers/infiniband/sw/rxe/*",
    "./*lib/modules/*/kernel/drivers/net/net_failover.ko*",
    "./*lib/modules/*/kernel/drivers/net/virtio_net.ko*",
    "./*lib/modules/*/kernel/drivers/virtio/*",
    "./*lib/modules/*/kernel/fs/configfs/*",
    "./*lib/modules/*/kernel/lib/*",
    "./*lib/modules/*/kernel/net/core/failover.ko*",
    "./*lib/modules/*/kernel/net/ipv4/*tunnel*",
    "./*lib/modules/*/kernel/net/ipv6/*tunnel*",
];

/// Unpacked packages.
pub struct Unpacked {
    /// The folder of the userland: `usr`, `lib` and so on.
    pub userland: PathBuf,
    /// The folder of the kernel: `boot`, `lib/modules`.
    pub kernel: PathBuf,
    /// The kernel's package.
    pub package: String,
    /// Python's folder, if it is wanted.
    pub python: Option<PathBuf>,
}

/// Downloads and unpacks what is not there yet.
pub fn unpacked(kernel: Option<&str>, with_python: bool) -> Result<Unpacked> {
    let folder = target_dir()?.join("rxe");
    let package = match kernel {
        Some(package) => package.to_owned(),
        None => newest_kernel()?,
    };
    let userland = folder.join("userland");
    let whole = |deb: &Path, to: &Path| run(Command::new("dpkg-deb").arg("-x").arg(deb).arg(to));
    unpack(&userland, USERLAND, &[], |deb| whole(deb, &userland))?;
    let python = with_python.then(|| folder.join("python"));
    if let Some(python) = &python {
        unpack(python, PYTHON, &[], |deb| whole(deb, python))?;
    }
    let kernel = folder.join(&package);
    unpack(&kernel, &[&package], KERNEL_PARTS, |deb| kernel_parts(deb, &kernel))?;
    Ok(Unpacked { userland, kernel, package, python })
}

/// The kernel that this system would be given.
fn newest_kernel() -> Result<String> {
    let told = capture(Command::new("apt-cache").args(["depends", NEWEST_KERNEL]))?;
    let found = told.lines().find_map(|line| line.trim().strip_prefix("Depends: linux-image-"));
    let version = found.with_context(|| format!("the package {NEWEST_KERNEL} depends on no kernel"))?;
    Ok(format!("linux-image-{version}"))
}

/// Fills a folder from packages, or parts of them. It keeps both lists: others fill it anew.
fn unpack(
    folder: &Path,
    packages: &[&str],
    parts: &[&str],
    each: impl Fn(&Path) -> Result<()>,
) -> Result<()> {
    let (stamp, wanted) = (folder.join("packages"), [packages, parts].concat().join("\n"));
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        println!("{}: unpacked", packages.join(", "));
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    let downloads = folder.join("downloads");
    fs::create_dir_all(&downloads).with_context(|| format!("making {}", downloads.display()))?;
    println!("{}: missing, downloading into {}", packages.join(", "), downloads.display());
    setup::download_packages(packages, &downloads)?;
    let mut count = 0;
    for entry in fs::read_dir(&downloads)? {
        each(&entry?.path())?;
        count += 1;
    }
    ensure!(count == packages.len(), "{} packages were asked for, and {count} came", packages.len());
    fs::remove_dir_all(&downloads)?;
    fs::write(&stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}

/// A kernel's package unpacked is 400 MB: only some of it is.
fn kernel_parts(deb: &Path, to: &Path) -> Result<()> {
    let mut open = Command::new("dpkg-deb");
    open.arg("--fsys-tarfile").arg(deb).stdout(Stdio::piped());
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--wildcards", "--directory"]).arg(to).args(KERNEL_PARTS);
    println!("$ {} | {}", describe(&open), describe(&tar));
    let mut opened = open.spawn().context("cannot start dpkg-deb")?;
    let archive = opened.stdout.take().map_or_else(Stdio::null, Stdio::from);
    // A part that this kernel does not have is told as an error; what is missing is found when modules are looked for.
    let parts = tar.stdin(archive).stderr(Stdio::null()).status();
    let end = opened.wait()?;
    parts.context("cannot start tar")?;
    if !end.success() {
        bail!("dpkg-deb cannot open {}", deb.display());
    }
    ensure!(to.join("boot").is_dir(), "{} holds no kernel", deb.display());
    Ok(())
}
