//! Two network namespaces joined by a cable (veth), for tasks that need raw Ethernet.
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

/// The interface's name, at either end.
pub const INTERFACE: &str = "mneme0";

/// An end of the cable: the name of its namespace.
#[derive(Debug)]
pub struct End(String);

/// The cable. Dropping it takes both namespaces away.
#[derive(Debug)]
pub struct Cable {
    /// Where the client is: 10.79.0.1.
    pub near: End,
    /// Where the board is: 10.79.0.2.
    pub far: End,
}

impl Cable {
    /// Lays a cable; an error says why that cannot be done here, such as for lack of privileges.
    pub fn lay() -> Result<Cable> {
        let name = |end: &str| End(format!("mneme-task-{}-{end}", std::process::id()));
        let cable = Cable { near: name("near"), far: name("far") };
        let ends = [(&cable.near.0, "10.79.0.1/24"), (&cable.far.0, "10.79.0.2/24")];
        for (end, _) in ends {
            ip(&["netns", "add", end])?;
        }
        let peer = ["peer", "name", INTERFACE, "netns", &cable.far.0];
        ip(&[&["-n", &cable.near.0, "link", "add", INTERFACE, "type", "veth"], &peer[..]].concat())?;
        for (end, address) in ends {
            ip(&["-n", end, "addr", "add", address, "dev", INTERFACE])?;
            ip(&["-n", end, "link", "set", INTERFACE, "up"])?;
        }
        Ok(cable)
    }
}

impl End {
    /// A program there.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.0]).arg(program);
        command
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        // One that was never made is no loss.
        let _best_effort = [&self.near, &self.far].map(|end| ip(&["netns", "del", &end.0]));
    }
}

fn ip(arguments: &[&str]) -> Result<()> {
    let output = Command::new("ip").args(arguments).output()?;
    if !output.status.success() {
        bail!("`ip {}`: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
