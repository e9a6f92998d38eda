//! The guest: a machine of QEMU's, and the client in it, which takes lines and answers lines.
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// How long the guest may take to start, emulated on a busy machine.
const BOOT: Duration = Duration::from_secs(180);
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(200);

/// What a guest is for: it has the kernel's modules for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A client by the kernel's own RoCE.
    Roce,
    /// A machine that swaps by mneme-swap, which takes RoCE's port for itself.
    Swap,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Roce => "roce",
            Role::Swap => "swap",
        }
    }
    /// Bytes of its memory. Registered buffers take some; one that swaps is to be short of it, beside its kernel and the archive, of which it has
    /// two copies while it unpacks that.
    fn memory(self) -> &'static str {
        match self {
            Role::Roce => "384M",
            Role::Swap => "256M",
        }
    }
}

/// What a guest is made of.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The kernel and the archive that its first file system is made of.
    pub kernel: PathBuf,
    pub archive: PathBuf,
    /// For its sockets and logs.
    pub folder: PathBuf,
    /// Where its network card sends frames, and where it takes them.
    pub frames: (PathBuf, PathBuf),
    /// Its address with the length of the prefix, and the MTU.
    pub address: String,
    pub mtu: usize,
}

/// A running guest. It ends when it is dropped.
pub struct Guest {
    machine: Machine,
    console: PathBuf,
    lines: BufReader<UnixStream>,
    /// What the kernel is, as it says itself.
    pub version: String,
    /// Whether the machine runs it, or QEMU emulates it.
    pub accelerator: &'static str,
    /// How long it took to start.
    pub boot: Duration,
}

/// What runs the guest: this machine's processor if it can, as a device alone does not say.
fn accelerator() -> &'static str {
    let flags = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let can = flags
        .lines()
        .filter(|line| line.starts_with("flags"))
        .any(|line| line.split_whitespace().any(|flag| flag == "vmx" || flag == "svm"));
    let may = fs::OpenOptions::new().read(true).write(true).open("/dev/kvm").is_ok();
    if can && may { "kvm" } else { "tcg" }
}

/// QEMU, which ends when it is dropped: a guest has nothing that is to be kept.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

fn machine(
    settings: &Settings,
    role: Role,
    accelerator: &str,
    control: &Path,
    console: &Path,
) -> Result<Machine> {
    let (to, own) = &settings.frames;
    let mut qemu = Command::new("qemu-system-x86_64");
    qemu.args(["-machine", "q35", "-accel", accelerator, "-cpu", "max", "-smp", "1", "-m", role.memory()]);
    qemu.args(["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"]);
    qemu.arg("-kernel").arg(&settings.kernel).arg("-initrd").arg(&settings.archive);
    qemu.arg("-append").arg(format!(
        "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable guest_ip={} guest_mtu={} guest_role={}",
        settings.address,
        settings.mtu,
        role.name()
    ));
    qemu.arg("-serial").arg(format!("file:{}", console.display()));
    qemu.arg("-chardev").arg(format!("socket,id=control,path={}", control.display()));
    qemu.args(["-serial", "chardev:control", "-netdev"]);
    qemu.arg(format!(
        "dgram,id=cable,local.type=unix,local.path={},remote.type=unix,remote.path={}",
        own.display(),
        to.display()
    ));
    qemu.args(["-device", "virtio-net-pci,netdev=cable,mac=02:00:00:00:91:02"]);
    let log = fs::File::create(settings.folder.join("qemu.log"))?;
    qemu.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    qemu.spawn().map(Machine).context("cannot start qemu-system-x86_64")
}

impl Guest {
    /// Starts it and waits until its client is ready. An earlier one must have ended.
    pub fn boot(settings: &Settings, role: Role) -> Result<Guest> {
        let name = format!("console-{}.log", role.name());
        let (control, console) = (settings.folder.join("control"), settings.folder.join(name));
        for socket in [&control, &settings.frames.1] {
            // An earlier guest's.
            if socket.exists() {
                fs::remove_file(socket).with_context(|| format!("removing {}", socket.display()))?;
            }
        }
        let listener =
            UnixListener::bind(&control).with_context(|| format!("binding {}", control.display()))?;
        listener.set_nonblocking(true)?;
        let (begun, accelerator) = (Instant::now(), accelerator());
        let mut machine = machine(settings, role, accelerator, &control, &console)?;
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error).context("waiting for QEMU"),
            }
            if let Some(status) = machine.0.try_wait()? {
                let said = fs::read_to_string(settings.folder.join("qemu.log")).unwrap_or_default();
                bail!("QEMU has ended, {status}: {}", said.trim());
            }
            ensure!(begun.elapsed() < BOOT, "QEMU does not start in {} s", BOOT.as_secs());
            std::thread::sleep(Duration::from_millis(10));
        };
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(LOOK))?;
        let lines = BufReader::new(stream);
        let version = String::new();
        let mut guest = Guest { machine, console, lines, version, accelerator, boot: Duration::ZERO };
        let ready = guest.hear(BOOT).context("the guest does not start")?;
        ensure!(
            ready == "ready",
            "the guest's client says {ready:?} instead of \"ready\"{}",
            guest.console()
        );
        let console = fs::read_to_string(&guest.console).unwrap_or_default();
        let version = console.lines().find_map(|line| line.trim().strip_prefix("guest: Linux "));
        guest.version = version.context("the guest does not tell its kernel")?.to_owned();
        guest.boot = begun.elapsed();
        Ok(guest)
    }

    /// Switches it off, as a plug that is pulled.
    pub fn off(&mut self) -> Result<()> {
        self.machine.0.kill()?;
        self.machine.0.wait().map(|_| ()).context("waiting for QEMU's end")
    }
    /// Sends a line.
    pub fn tell(&mut self, line: &str) -> Result<()> {
        self.lines.get_mut().write_all(format!("{line}\n").as_bytes()).context("telling the guest")
    }
    /// The next line of the guest.
    pub fn hear(&mut self, wait: Duration) -> Result<String> {
        let (until, mut line) = (Instant::now() + wait, Vec::new());
        loop {
            // What has come of a line before the wait ends is kept.
            match self.lines.read_until(b'\n', &mut line) {
                Ok(_) if line.ends_with(b"\n") => {
                    return Ok(String::from_utf8_lossy(&line).trim().to_owned());
                }
                Ok(_) => bail!("the guest has ended{}", self.console()),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error).context("hearing the guest"),
            }
            if let Some(status) = self.machine.0.try_wait()? {
                bail!("QEMU has ended, {status}{}", self.console());
            }
            if Instant::now() > until {
                bail!("the guest says nothing for {} s{}", wait.as_secs(), self.console());
            }
        }
    }
    /// Sends a command and answers what follows `ok`.
    pub fn ask(&mut self, line: &str, wait: Duration) -> Result<String> {
        self.tell(line)?;
        let answer = self.hear(wait)?;
        match answer.strip_prefix("ok") {
            Some(rest) => Ok(rest.trim().to_owned()),
            None => bail!("the guest says `{answer}` to `{line}`{}", self.console()),
        }
    }
    /// Runs a shell's command in the guest, which must end well; the first line that it prints. Its errors go to the console.
    pub fn line_of(&mut self, command: &str, wait: Duration) -> Result<String> {
        let answer = self.ask(&format!("tell {{ {command}; }} 2>/dev/console"), wait)?;
        let (code, line) = answer.split_once(' ').unwrap_or((&answer, ""));
        ensure!(code == "0", "`{command}` ends with {code} in the guest: {line}{}", self.console());
        Ok(line.to_owned())
    }
    /// Runs a shell's command in the guest, which must end well.
    pub fn run(&mut self, command: &str) -> Result<()> {
        let code = self.ask(&format!("run {{ {command}; }} >/dev/console 2>&1"), Duration::from_secs(30))?;
        ensure!(code == "0", "`{command}` ends with {code} in the guest{}", self.console());
        Ok(())
    }
    /// The end of what the guest's console shows.
    fn console(&self) -> String {
        let text = fs::read(&self.console).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(12)..];
        if last.is_empty() { String::new() } else { format!("; its console:\n{}", last.join("\n")) }
    }
}
