//! `cargo xtask demo`: both boards as processes, and the application `mneme cp` on each.
use std::path::PathBuf;
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
    println!("\nBoth boards gave back what was stored, in {:.1} s.", start.elapsed().as_secs_f64());
    Ok(())
}
