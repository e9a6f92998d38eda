//! Two network namespaces joined by a cable (veth), with an address on each end: where raw drivers are tested and measured.
use std::fs::File;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::AsFd;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use mneme_skips::{Lack, skipped};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// Where `ip netns` keeps the names of namespaces.
const NAMESPACES: &str = "/var/run/netns";
static NEXT: AtomicU32 = AtomicU32::new(0);

/// An end of the cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Where clients are.
    Client,
    /// Where the board is.
    Board,
}

/// The cable. Dropping it takes both namespaces away.
#[derive(Debug)]
pub struct Veth {
    client: String,
    board: String,
}

/// Bytes of the largest packet of an Ethernet.
pub const ETHERNET_MTU: usize = 1_500;
/// The interface's name, in either namespace.
pub const INTERFACE: &str = "mneme0";
/// The bridge's name, in the board's namespace.
pub const BRIDGE: &str = "mnemebr";

impl Veth {
    /// Lays a cable; an error says why that cannot be done here, such as for lack of privileges.
    pub fn new() -> io::Result<Veth> {
        Veth::carrying(ETHERNET_MTU)
    }
    /// The same, for packets of up to `mtu` bytes.
    pub fn carrying(mtu: usize) -> io::Result<Veth> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let base = format!("mneme-{}-{number}", std::process::id());
        let veth = Veth { client: format!("{base}-c"), board: format!("{base}-b") };
        ip(&["netns", "add", &veth.client])?;
        ip(&["netns", "add", &veth.board])?;
        let peer = ["peer", "name", INTERFACE, "netns", &veth.board];
        ip(&[&["-n", &veth.client, "link", "add", INTERFACE, "type", "veth"], &peer[..]].concat())?;
        for end in [End::Client, End::Board] {
            let network = format!("{}/24", Self::address(end));
            veth.ip(end, &["addr", "add", &network, "dev", INTERFACE])?;
            veth.ip(end, &["link", "set", INTERFACE, "mtu", &mtu.to_string(), "up"])?;
            veth.ip(end, &["link", "set", "lo", "up"])?;
        }
        Ok(veth)
    }
    /// A cable, or a line that says why the test is skipped.
    pub fn or_skip(test: &str) -> Option<Veth> {
        Veth::new()
            .inspect_err(|error| {
                skipped(
                    test,
                    Lack::Privileges,
                    format_args!("no network namespaces can be made here: {error}"),
                )
            })
            .ok()
    }
    /// The system's address on an end.
    pub fn address(end: End) -> Ipv4Addr {
        match end {
            End::Client => Ipv4Addr::new(10, 77, 0, 1),
            End::Board => Ipv4Addr::new(10, 77, 0, 2),
        }
    }
    /// An address on the cable's network that neither system has: for boards that answer for themselves.
    pub const SPARE: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 9);

    /// Joins the board's end to a bridge, [`BRIDGE`], so that further cables can end there.
    pub fn add_bridge(&self) -> io::Result<()> {
        self.ip(End::Board, &["link", "add", BRIDGE, "type", "bridge"])?;
        self.ip(End::Board, &["link", "set", INTERFACE, "master", BRIDGE])?;
        self.ip(End::Board, &["link", "set", BRIDGE, "up"])
    }
    /// Lays another cable from the client's end, where the interface has this name and no address, to the bridge.
    pub fn add_cable(&self, name: &str) -> io::Result<()> {
        let far = format!("{name}b");
        let peer = ["peer", "name", &far, "netns", &self.board];
        ip(&[&["-n", &self.client, "link", "add", name, "type", "veth"], &peer[..]].concat())?;
        self.ip(End::Board, &["link", "set", &far, "master", BRIDGE, "up"])?;
        self.ip(End::Client, &["link", "set", name, "up"])
    }
    /// Runs `ip` in an end's namespace.
    pub fn ip(&self, end: End, arguments: &[&str]) -> io::Result<()> {
        ip(&[&["-n", self.namespace(end)], arguments].concat())
    }
    fn namespace(&self, end: End) -> &str {
        match end {
            End::Client => &self.client,
            End::Board => &self.board,
        }
    }
    /// The way to an end, for a thread that outlives the borrow.
    pub fn entrance(&self, end: End) -> io::Result<Entrance> {
        Ok(Entrance(File::open(format!("{NAMESPACES}/{}", self.namespace(end)))?))
    }
    /// Moves the calling thread to an end ([`Entrance::enter`]).
    pub fn enter(&self, end: End) -> io::Result<()> {
        self.entrance(end)?.enter()
    }
    /// Does something in a thread of its own at an end.
    pub fn at<R: Send>(&self, end: End, work: impl FnOnce() -> R + Send) -> R {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                self.enter(end).expect("the namespace is there");
                work()
            });
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

/// The way to an end of a cable.
#[derive(Debug)]
pub struct Entrance(File);

impl Entrance {
    /// Moves the calling thread there. Sockets that it opens are there; those that it has stay where they are.
    pub fn enter(&self) -> io::Result<()> {
        Ok(move_into_link_name_space(self.0.as_fd(), Some(LinkNameSpaceType::Network))?)
    }
}

impl Drop for Veth {
    fn drop(&mut self) {
        // One that was never made is no loss.
        let _best_effort = (ip(&["netns", "del", &self.client]), ip(&["netns", "del", &self.board]));
    }
}

fn ip(arguments: &[&str]) -> io::Result<()> {
    let output = Command::new("ip").args(arguments).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // Without the names of namespaces, which are others each time: tests that are skipped for the same reason say the same.
    let plain: Vec<_> = arguments.iter().filter(|word| !word.starts_with("mneme-")).copied().collect();
    Err(io::Error::other(format!("`ip {}`: {}", plain.join(" "), said.trim())))
}
