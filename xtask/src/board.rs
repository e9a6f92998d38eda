//! Boards as processes of their own, for tasks that need one.
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::cable::{End, INTERFACE};
use crate::process::{answers, describe};

/// Where boards on a cable listen: an address that the system at its far end does not have.
const ON_A_CABLE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 79, 0, 9)), 19_790);

/// How long a board may take to boot: the RTL zeroes its page table first.
const BOOT: Duration = Duration::from_secs(60);

/// A board as a process of its own, ended with this value.
pub struct Board {
    /// soft or rtl.
    pub kind: &'static str,
    /// Where it listens.
    pub address: SocketAddr,
    process: Child,
}

impl Board {
    /// Starts a board on a free port of this machine.
    pub fn start(mneme: &Path, kind: &'static str) -> Result<Board> {
        Board::start_with(mneme, kind, &[])
    }

    /// As `start`, with more arguments.
    pub fn start_with(mneme: &Path, kind: &'static str, more: &[&str]) -> Result<Board> {
        Board::start_on(mneme, kind, Ipv4Addr::LOCALHOST, more)
    }

    /// As `start_with`, on an address of this machine.
    pub fn start_on(mneme: &Path, kind: &'static str, own: Ipv4Addr, more: &[&str]) -> Result<Board> {
        // The system names a free port; until the board takes it nobody else is likely to.
        let free = UdpSocket::bind((own, 0)).and_then(|socket| socket.local_addr());
        let address = free.with_context(|| format!("no free port of {own}"))?;
        Board::spawn(Command::new(mneme), kind, address, more)
    }

    /// Starts a software board on the interface at an end of a cable.
    pub fn start_raw(mneme: &Path, end: &End) -> Result<Board> {
        let raw = ["--driver", "tpacket", "--interface", INTERFACE, "--trust-network"];
        Board::spawn(end.command(mneme), "soft", ON_A_CABLE, &raw)
    }

    fn spawn(mut command: Command, kind: &'static str, address: SocketAddr, more: &[&str]) -> Result<Board> {
        command.args(["board", "--kind", kind, "--listen", &address.to_string()]).args(more);
        println!("$ {}", describe(&command));
        let process = command.stdin(Stdio::null()).spawn().context("cannot start a board")?;
        Ok(Board { kind, address, process })
    }

    /// Waits until the board answers a ping.
    pub fn wait(&mut self, mneme: &Path) -> Result<()> {
        let address = self.address.to_string();
        self.wait_for(|| answers(mneme, &["ping", "--board", &address, "--count", "1", "--timeout", "1"]))
    }

    /// Waits until the board answers in another way.
    pub fn wait_for(&mut self, mut answers: impl FnMut() -> bool) -> Result<()> {
        let (start, address) = (Instant::now(), self.address);
        while !answers() {
            if let Some(status) = self.process.try_wait()? {
                bail!("the {} board ended before it answered: {status}", self.kind);
            }
            if start.elapsed() > BOOT {
                bail!("the {} board does not answer at {address} after {BOOT:?}", self.kind);
            }
        }
        println!("the {} board answers at {address} after {:.1} s", self.kind, start.elapsed().as_secs_f64());
        Ok(())
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
