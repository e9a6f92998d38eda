//! `cargo xtask demo`: both boards as processes, and the application `mneme cp` on each.
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::{answers, cargo, describe, root, run, target_dir};

/// What the demo copies.
#[derive(clap::Args)]
pub struct Options {
    /// Files and folders to copy; none: the files that git tracks in this repository.
    paths: Vec<PathBuf>,
    /// Cut the input at this size on both boards, such as 256K; else the command's own limits: 4M on the RTL, 64M on the software board.
    #[arg(long)]
    limit: Option<String>,
}

/// How long a board may take to boot: the RTL zeroes its page table first.
const BOOT: Duration = Duration::from_secs(60);

/// A board as a process of its own, ended with this value.
struct Board {
    kind: &'static str,
    address: SocketAddr,
    process: Child,
}

impl Board {
    fn start(mneme: &Path, kind: &'static str) -> Result<Board> {
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
    fn wait(&mut self, mneme: &Path) -> Result<()> {
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

/// Builds, starts both boards, copies to each and back, and ends them.
pub fn run_demo(options: &Options) -> Result<()> {
    run(cargo().args(["build", "--release", "-p", "mneme"]))?;
    let mneme = target_dir()?.join("release/mneme");
    let start = Instant::now();
    let mut boards = [Board::start(&mneme, "soft")?, Board::start(&mneme, "rtl")?];
    for board in &mut boards {
        board.wait(&mneme)?;
    }
    for board in &boards {
        println!("\nThe same application on the {} board:", board.kind);
        let mut copy = Command::new(&mneme);
        copy.args(["cp", "--board", &board.address.to_string()]).args(&options.paths);
        if options.paths.is_empty() {
            copy.current_dir(root());
        }
        if let Some(limit) = &options.limit {
            copy.args(["--limit", limit]);
        }
        run(&mut copy)?;
    }
    println!("\nBoth boards gave back what was stored, in {:.1} s.", start.elapsed().as_secs_f64());
    Ok(())
}
