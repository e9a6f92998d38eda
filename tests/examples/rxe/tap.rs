//! The machine's own network card of the namespace: what the system sends leaves as frames that this program reads.
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::Command;

use anyhow::{Context, Result, bail};
use rustix::ioctl::{self, Setter, opcode};

/// The card's name.
const NAME: &[u8] = b"mneme0";
/// Ethernet frames, nothing before them (linux/if_tun.h).
const IFF_TAP: u16 = 0x0002;
const IFF_NO_PI: u16 = 0x1000;
/// Asks for a card: TUNSETIFF.
const SET_INTERFACE: ioctl::Opcode = opcode::write::<i32>(b'T', 202);

/// `struct ifreq` of linux/if.h: the name, flags, and the rest of its union.
#[repr(C)]
struct InterfaceRequest {
    name: [u8; 16],
    flags: u16,
    rest: [u8; 22],
}

/// The card.
pub struct Tap(File);

impl Tap {
    /// Makes the card in this program's network namespace, gives it addresses of a /24 and an MTU.
    pub fn new(addresses: &[Ipv4Addr], mtu: usize) -> Result<Tap> {
        let path = "/dev/net/tun";
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.with_context(|| format!("opening {path}"))?;
        let mut request = InterfaceRequest { name: [0; 16], flags: IFF_TAP | IFF_NO_PI, rest: [0; 22] };
        request.name[..NAME.len()].copy_from_slice(NAME);
        // SAFETY: TUNSETIFF takes a pointer to a `struct ifreq`, whose layout and size InterfaceRequest has, and writes no more than it.
        unsafe { ioctl::ioctl(&file, Setter::<SET_INTERFACE, InterfaceRequest>::new(request)) }
            .context("making a network card (TUNSETIFF)")?;
        let name = String::from_utf8_lossy(NAME);
        ip(&["link", "set", "lo", "up"])?;
        for address in addresses {
            ip(&["addr", "add", &format!("{address}/24"), "dev", &name])?;
        }
        ip(&["link", "set", &name, "mtu", &mtu.to_string(), "up"])?;
        ip(&["link", "set", &name, "txqueuelen", "10000"])?;
        rustix::io::ioctl_fionbio(&file, true).context("making the card answer at once")?;
        Ok(Tap(file))
    }
    /// The next frame that the system has sent, if there is one.
    pub fn receive(&mut self, to: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0.read(to) {
            Ok(length) => Ok(Some(length)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
    /// Gives the system a frame. One that it has no place for is lost, as on any network.
    pub fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        match self.0.write(frame) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(error),
        }
    }
    /// To wait for.
    pub fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn ip(arguments: &[&str]) -> Result<()> {
    let output = Command::new("ip").args(arguments).output().context("cannot start ip")?;
    if !output.status.success() {
        bail!("`ip {}`: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
