//! `cargo xtask demo`: both boards as processes, the application `mneme cp` on each, and RDMA beside the library on one.
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::board::Board;
use crate::process::{cargo, root, run, target_dir};

/// What the demo copies.
#[derive(clap::Args)]
pub struct Options {
    /// Files and folders to copy; none: the files that git tracks in this repository.
    paths: Vec<PathBuf>,
    /// Cut the input at this size on both boards, such as 256K; else the command's own limits: 4M on the RTL, 64M on the software board.
    #[arg(long)]
    limit: Option<String>,
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
    drop(boards);
    rdma(&mneme)?;
    println!("\nAll boards gave back what was stored, in {:.1} s.", start.elapsed().as_secs_f64());
    Ok(())
}

/// A client of the library and RDMA clients on one page of a software board: of the RTL's, only the configuration *rdma* has the port.
fn rdma(mneme: &Path) -> Result<()> {
    println!("\nTwo kinds of clients on one page of a software board that speaks RoCEv2, too:");
    // RoCEv2 has one port for all: another address than other boards of this machine.
    let process = std::process::id().to_le_bytes();
    let address = Ipv4Addr::new(127, 0x40 | process[2] & 0x3f, process[1], process[0].clamp(1, 254));
    let mut board = Board::start_on(mneme, "soft", address, &["--rdma"])?;
    board.wait(mneme)?;
    run(Command::new(mneme).args(["rdma", "check", "--board", &board.address.to_string()]))
}
