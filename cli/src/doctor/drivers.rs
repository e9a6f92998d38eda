//! Each driver, tried for real: over a cable in a network namespace of its own, and on this machine's interface.
use super::check::Check;
use crate::connect::RouteArgs;
use mneme_clib::driver::{LinkKind, Route, Waiting, XdpMode};
use mneme_clib::{Driver, RawDriver};
use mneme_link::{Interface, Link, Selection, UdpBatch, UdpOptions};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::process::Command;
use std::time::{Duration, Instant};

const KINDS: [(&str, LinkKind); 4] = [
    ("driver pnet", LinkKind::Pnet),
    ("driver tpacket", LinkKind::PacketRing),
    ("driver afxdp", LinkKind::Xdp(XdpMode::Generic)),
    ("driver afxdp, native", LinkKind::Xdp(XdpMode::Native)),
];
const OWN: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const PEER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 2), 19_790);
const PATIENCE: Duration = Duration::from_secs(1);

pub fn checks(args: &RouteArgs) -> Vec<Check> {
    let mut checks = vec![udp()];
    // A thread of its own: the namespace is left by ending.
    let tried = std::thread::scope(|scope| scope.spawn(in_a_namespace).join());
    match tried {
        Ok(Ok(tried)) => {
            let found = "one was made, with a cable in it";
            checks.push(Check::ok("network namespaces", found));
            checks.extend(tried);
        }
        other => {
            let reason =
                other.map_or_else(|_| "the attempt failed".into(), |result| result.err().unwrap_or_default());
            let remedy =
                "run as root with iproute2 installed; without, raw drivers are only opened, not tried";
            checks.push(Check::warn("network namespaces", reason, remedy));
        }
    }
    checks.push(here(args));
    checks
}

/// A datagram of this machine to itself.
fn udp() -> Check {
    let name = "driver udp";
    match echo() {
        Ok(took) => Check::ok(name, format!("a datagram went out and came back, after {took:.1?}")),
        Err(reason) => {
            let remedy = "is the interface lo up, and does a firewall pass UDP on it?";
            Check::fail(name, reason.to_string(), remedy)
        }
    }
}

fn echo() -> Result<Duration, std::io::Error> {
    let peer = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    peer.set_read_timeout(Some(PATIENCE))?;
    let local = (Ipv4Addr::LOCALHOST, 0).into();
    let mut driver = UdpBatch::connect(local, peer.local_addr()?, 1_400, UdpOptions::default())?;
    let (began, clock) = (Instant::now(), || Duration::ZERO);
    driver.send(&clock, 100, &mut |to| to.fill(7))?;
    driver.flush(&clock)?;
    let mut buffer = [0; 200];
    let (length, from) = peer.recv_from(&mut buffer)?;
    peer.send_to(&buffer[..length], from)?;
    let mut same = false;
    driver.receive(PATIENCE, &mut |datagram| same |= datagram == [7; 100])?;
    let lost = || std::io::Error::new(std::io::ErrorKind::TimedOut, "what was sent did not come back");
    same.then(|| began.elapsed()).ok_or_else(lost)
}

/// Lays a cable in a fresh namespace and sends a datagram through every driver.
fn in_a_namespace() -> Result<Vec<Check>, String> {
    // SAFETY: only the network namespace of this thread changes; its files and memory stay shared.
    unsafe { unshare_unsafe(UnshareFlags::NEWNET) }.map_err(|error| format!("unshare: {error}"))?;
    ip(&["link", "add", "near", "type", "veth", "peer", "name", "far"])?;
    ip(&["link", "set", "near", "up"])?;
    ip(&["link", "set", "far", "up"])?;
    let tried = KINDS.into_iter().map(|(name, kind)| match try_out(kind) {
        Ok(took) => Check::ok(name, format!("a datagram came through, after {took:.1?}")),
        Err(reason) => Check::warn(name, reason, "the driver udp works without; see docs/guides/drivers.md"),
    });
    Ok(tried.collect())
}

fn try_out(kind: LinkKind) -> Result<Duration, String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let far = Interface::named("far").map_err(|error| said(&error))?;
    let selection = Selection::Port { ip: PEER.ip().octets(), port: PEER.port() };
    let mut link: Box<dyn Link> = kind.open(&far, selection, Waiting::Yield).map_err(|error| said(&error))?;
    let route =
        Route { interface: Some("near".into()), source: Some(OWN), gateway: None, neighbour: Some(far.mac) };
    let mut driver = RawDriver::connect(PEER, kind, &route, Waiting::Yield).map_err(|error| said(&error))?;
    let began = Instant::now();
    driver.send(100, &mut |to| to.fill(7)).and_then(|()| driver.flush()).map_err(|error| said(&error))?;
    while began.elapsed() < PATIENCE {
        let mut came = false;
        link.receive(PATIENCE, 16, &mut |frame| came |= frame.bytes.ends_with(&[7; 100]))
            .map_err(|error| said(&error))?;
        if came {
            return Ok(began.elapsed());
        }
    }
    Err("it opens, and nothing comes through".into())
}

/// The interface that raw drivers would take here. AF_XDP is not opened on it: that takes the interface's queue, and others may be at
/// work there.
fn here(args: &RouteArgs) -> Check {
    let name = "raw drivers here";
    let interface = match &args.interface {
        Some(wanted) => Interface::named(wanted).map_err(|error| error.to_string()),
        None => Interface::all().into_iter().next().ok_or_else(|| "no Ethernet interface is up".into()),
    };
    let interface = match interface {
        Ok(interface) => interface,
        Err(reason) => return Check::warn(name, reason, "name one that is up with --interface"),
    };
    let ip = interface.addresses.first().map_or(OWN, |(ip, _)| *ip);
    // Nobody sends to port 0: the links see nothing of the machine's traffic but ARP.
    let selection = Selection::Port { ip: ip.octets(), port: 0 };
    let results: Vec<(&str, Result<(), String>)> = KINDS[..2]
        .iter()
        .map(|(_, kind)| {
            let opened = kind.open(&interface, selection, Waiting::Yield);
            (kind.name(), opened.map(drop).map_err(|error| error.to_string()))
        })
        .collect();
    let failed: Vec<String> = results
        .iter()
        .filter_map(|(name, result)| result.as_ref().err().map(|reason| format!("{name}: {reason}")))
        .collect();
    let found = match failed.is_empty() {
        true => format!(
            "pnet and tpacket open on {}; afxdp would take its queue, which is not tried",
            interface.name
        ),
        false => format!("on {}: {}", interface.name, failed.join("; ")),
    };
    Check::expect(
        name,
        failed.is_empty(),
        found,
        "the reasons say what each needs; --driver auto takes what works",
    )
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(arguments).output().map_err(|error| format!("`ip`: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => {
            Err(format!("`ip {}`: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
        }
    }
}
