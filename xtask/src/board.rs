//! Boards as processes of their own, for tasks that need one.
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::{answers, describe};

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
        // The system names a free port; until the board takes it nobody else is likely to.
        let address =
            UdpSocket::bind("127.0.0.1:0").and_then(|s| s.local_addr()).context("no free loopback port")?;
        let mut command = Command::new(mneme);
        command.args(["board", "--kind", kind, "--listen", &address.to_string()]);
        println!("$ {}", describe(&command));
        let process = command.stdin(Stdio::null()).spawn().context("cannot start a board")?;
        Ok(Board { kind, address, process })
    }

    /// Waits until the board answers a ping.
    pub fn wait(&mut self, mneme: &Path) -> Result<()> {
        let start = Instant::now();
        let address = self.address.to_string();
        while !answers(mneme, &["ping", "--board", &address, "--count", "1", "--timeout", "1"]) {
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
