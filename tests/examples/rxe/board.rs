//! The board, as anybody starts it, and what it says that it has counted.
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use mneme_clib::{Client, ClientOptions, OpenOptions, Process, UdpDriver};
use mneme_daemon::rdma::statistics_names;
use mneme_rdma::cm::{Ask, Kind};
use mneme_rdma::memory::Access;
use mneme_rdma::udp::NativeClient;

/// How long the board may take to start and to end.
const PATIENCE: Duration = Duration::from_secs(60);
/// The port of the board's own packets.
pub const PORT: u16 = 19_790;
/// Where the board says whose memory perftest's tests have.
const TOKEN: &str = "perftest-token";

/// Where the board's window is, and where its daemon keeps its state, for a board whose slow path is another program.
const WINDOW: &str = "window";
const STATE: &str = "state.json";

/// The programs that are the board.
#[derive(Debug, Clone, Copy)]
pub struct Programs<'a> {
    /// `mneme`.
    pub board: &'a Path,
    /// The board is the Verilated one.
    pub rtl: bool,
    /// `mneme-boardd`, where that is its slow path.
    pub daemon: Option<&'a Path>,
}

impl Programs<'_> {
    /// The board with everything that it serves.
    fn whole(&self, listen: &str) -> Command {
        let mut command = Command::new(self.board);
        command.args(["board", "--rdma", "--trust-network"]);
        command.args(["--ping-pong", "--perftest", "--perftest-token", TOKEN]);
        command.args(self.rtl.then_some(["--kind", "rtl"]).into_iter().flatten());
        command.args(["--listen", listen]);
        command
    }
    /// The board alone.
    fn hardware(&self, listen: &str) -> Command {
        let mut command = Command::new(self.board);
        command.args(["board", "--rdma", "--kind", "rtl", "--device", WINDOW, "--listen", listen]);
        command
    }
    /// Its slow path, which has the same address here, and so has who calls it.
    fn slow_path(daemon: &Path, address: Ipv4Addr) -> Command {
        let mut command = Command::new(daemon);
        command.args(["--simulated", WINDOW, "--state", STATE, "--trust-network", "--rdma"]);
        let at = address.to_string();
        command.args(["--ping-pong", &at, "--perftest", &at]);
        command
    }
}

/// Starts a program, and waits until it says something: what it says later.
fn started(mut command: Command) -> Result<(Child, Receiver<String>)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut program = command.spawn().context("cannot start the board")?;
    let rest = lines(program.stdout.take().context("a pipe")?);
    if rest.recv_timeout(PATIENCE).is_err() {
        let _ = program.kill();
        bail!("the board does not start: {}", program.wait()?);
    }
    Ok((program, rest))
}

/// `mneme board --rdma`, of software or with the RTL's port, and a process of a client of the library.
pub struct Board {
    program: Child,
    /// The board itself, where that program is its slow path.
    hardware: Option<Child>,
    rest: Receiver<String>,
    address: Ipv4Addr,
    beside: Ipv4Addr,
    asked: u64,
    /// Whoever shows its token may connect. The client goes with it.
    pub process: Process,
    _client: Client,
}

fn lines(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let shown = BufReader::new(stdout).lines().map_while(Result::ok);
        // Nobody listens any more when the board has ended.
        let _all = shown.map(|line| sender.send(line)).take_while(Result::is_ok).count();
    });
    lines
}

impl Board {
    /// Starts it on one address of this system; `beside` is another one, from which its counters are read.
    pub fn start(programs: &Programs<'_>, address: Ipv4Addr, beside: Ipv4Addr) -> Result<Board> {
        let listen = format!("{address}:{PORT}");
        let (mut hardware, slow) = match programs.daemon {
            Some(daemon) => {
                (Some(started(programs.hardware(&listen))?.0), Programs::slow_path(daemon, address))
            }
            None => (None, programs.whole(&listen)),
        };
        let begun = started(slow).and_then(|(mut program, rest)| match Board::client(address) {
            Ok(made) => Ok((program, rest, made)),
            Err(error) => {
                let _ = (program.kill(), program.wait());
                Err(error)
            }
        });
        let (program, rest, (client, process)) = match begun {
            Ok(begun) => begun,
            Err(error) => {
                let _ = hardware.as_mut().map(|hardware| (hardware.kill(), hardware.wait()));
                return Err(error);
            }
        };
        Ok(Board { program, hardware, rest, address, beside, asked: 0, process, _client: client })
    }
    fn client(address: Ipv4Addr) -> Result<(Client, Process)> {
        let driver = UdpDriver::connect(SocketAddrV4::new(address, PORT))?;
        let client =
            Client::connect(driver, ClientOptions::default()).context("the board does not answer")?;
        let process = client.open(OpenOptions::default())?;
        Ok((client, process))
    }

    /// What to ask for, with the rights to all of a range.
    pub fn ask(&self, va: u64, length: u64) -> Ask {
        let Board { process, .. } = self;
        Ask {
            pid: process.pid(),
            kind: Kind::Pages,
            access: Access::ALL,
            token: process.token(),
            va,
            length,
            hardened: false,
        }
    }
    /// Reads memory of the process by the library.
    pub fn read(&self, va: u64, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.process.rread(va, &mut bytes).context("reading by the library")?;
        Ok(bytes)
    }
    /// What to ask for to read the memory of perftest's first test.
    fn of_tests(bytes: usize) -> Result<Ask> {
        let told = std::fs::read_to_string(TOKEN).context("the process of perftest's tests")?;
        let fields: Vec<&str> = told.split_whitespace().collect();
        let [pid, token, va, _bytes] = fields[..] else { bail!("{TOKEN}: {told}") };
        let token = u128::from_str_radix(token, 16)?.to_be_bytes();
        let (pid, va, length) = (pid.parse()?, va.parse()?, bytes as u64);
        Ok(Ask { pid, kind: Kind::Pages, access: Access::READ, token, va, length, hardened: false })
    }
    /// Where that memory begins.
    pub fn tests_begin(&self) -> Result<u64> {
        Board::of_tests(0).map(|ask| ask.va)
    }
    /// Reads it over RDMA. The library has no way to a process that it has not opened.
    pub fn tests(&mut self, bytes: usize) -> Result<Vec<u8>> {
        self.read_beside(Board::of_tests(bytes)?)
    }
    /// What its RDMA port has counted so far, by name.
    pub fn counters(&mut self) -> Result<BTreeMap<&'static str, u64>> {
        let ask = Ask { kind: Kind::Statistics, access: Access::READ, ..self.ask(0, 8) };
        let bytes = self.read_beside(ask)?;
        let value = |word: &[u8]| word.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        Ok(statistics_names().zip(bytes.chunks_exact(8).map(value)).collect())
    }
    /// Reads all of a region from the other address.
    fn read_beside(&mut self, ask: Ask) -> Result<Vec<u8>> {
        self.asked += 1;
        let random = u128::from(self.asked) << 64 | u128::from(self.asked) << 32 | 0x5a5a;
        let mut rdma = NativeClient::connect(self.beside, self.address, ask, random, PATIENCE)?;
        let grant = *rdma.native.grant();
        rdma.native.read(grant.va, vec![0; grant.length as usize])?;
        let done = rdma.wait()?.context("no operation was begun")?;
        done.result?;
        Ok(done.buffer.unwrap_or_default())
    }
    /// Ends the process and the board, which must end well. What it has said since it started.
    pub fn end(mut self) -> Result<String> {
        end(&mut self.program)?;
        self.hardware.as_mut().map_or(Ok(()), end)?;
        Ok(self.rest.iter().collect::<Vec<_>>().join("\n"))
    }
}

fn end(program: &mut Child) -> Result<()> {
    let pid = rustix::process::Pid::from_child(program);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = program.try_wait()? {
            break status;
        }
        ensure!(begun.elapsed() < PATIENCE, "the board does not end");
        std::thread::sleep(Duration::from_millis(10));
    };
    ensure!(status.success(), "the board has not ended well: {status}");
    Ok(())
}

impl Drop for Board {
    fn drop(&mut self) {
        // They may have ended by themselves.
        let _ = (self.program.kill(), self.program.wait());
        let _ = self.hardware.as_mut().map(|hardware| (hardware.kill(), hardware.wait()));
    }
}
