//! The system's network: sockets, buffers, interfaces, namespaces.
use super::check::{Check, system_file, system_number};
use super::system::mebibytes;
use mneme_link::{Interface, UdpBatch, UdpOptions};
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

/// What the UDP driver asks for.
const BUFFER: u64 = 4 << 20;
/// The MTU of Ethernet.
const USUAL_MTU: usize = 1500;
const LARGEST: usize = 9_000;

pub fn checks() -> Vec<Check> {
    let mut checks = vec![
        loopback(),
        buffer("receive buffers", "rmem_max"),
        buffer("send buffers", "wmem_max"),
        backlog(),
        overruns(),
        interfaces(),
        mtu(),
        offloads(),
        queues(),
        program(
            "iproute2",
            "ip",
            "network namespaces and veth, which tests and `cargo xtask bench drivers` use",
        ),
    ];
    let [segmentation, coalescing] = batches();
    checks.insert(1, segmentation);
    checks.insert(2, coalescing);
    checks
}

fn loopback() -> Check {
    let name = "UDP sockets";
    let tried = || -> std::io::Result<bool> {
        let board = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let client = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        board.set_read_timeout(Some(Duration::from_secs(1)))?;
        client.send_to(b"mneme", board.local_addr()?)?;
        Ok(board.recv(&mut [0; 16])? == 5)
    };
    match tried() {
        Ok(true) => Check::ok(name, "a datagram goes round over loopback"),
        other => {
            let remedy =
                "`ip link set lo up`, and let the firewall pass UDP on it: no driver works without sockets";
            Check::fail(name, format!("loopback does not carry datagrams: {other:?}"), remedy)
        }
    }
}

fn batches() -> [Check; 2] {
    let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 9));
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let socket = UdpBatch::connect(here, nowhere, LARGEST, UdpOptions::default());
    let (segments, joins) =
        socket.map_or((false, false), |socket| (socket.not_joined().is_none(), socket.coalesces()));
    let word = |works| if works { "works" } else { "the kernel refuses it; the driver udp does without" };
    [
        Check::expect("UDP segmentation", segments, word(segments), "Linux 4.18 or later has UDP_SEGMENT"),
        Check::expect("UDP coalescing", joins, word(joins), "Linux 5.0 or later has UDP_GRO"),
    ]
}

fn buffer(name: &'static str, setting: &str) -> Check {
    let most = system_number(&format!("/proc/sys/net/core/{setting}")).unwrap_or(0);
    let remedy = format!("`sysctl -w net.core.{setting}={BUFFER}`: small buffers lose datagrams in bursts");
    Check::expect(name, most >= BUFFER, format!("up to {}", mebibytes(most)), &remedy)
}

fn backlog() -> Check {
    let most = system_number("/proc/sys/net/core/netdev_max_backlog").unwrap_or(0);
    let remedy = "`sysctl -w net.core.netdev_max_backlog=1000`: packets between processors are lost past it";
    Check::expect("packet backlog", most >= 1000, format!("{most} packets"), remedy)
}

/// `RcvbufErrors` of /proc/net/snmp: a line of names, and one of numbers.
fn receive_errors(table: &str) -> Option<u64> {
    let mut lines = table.lines().filter_map(|line| line.strip_prefix("Udp:"));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let at = names.split_ascii_whitespace().position(|name| name == "RcvbufErrors")?;
    numbers.split_ascii_whitespace().nth(at)?.parse().ok()
}

fn overruns() -> Check {
    let lost = system_file("/proc/self/net/snmp").and_then(|table| receive_errors(&table)).unwrap_or(0);
    let remedy =
        "programs of this machine read too slowly, or their buffers are small: see the receive buffers";
    Check::expect(
        "lost datagrams",
        lost == 0,
        format!("{lost} for full receive buffers since the start"),
        remedy,
    )
}

fn interfaces() -> Check {
    let found = Interface::all().into_iter().map(|interface| {
        let addresses: Vec<String> =
            interface.addresses.iter().map(|(ip, bits)| format!("{ip}/{bits}")).collect();
        format!("{} {}", interface.name, addresses.join(" ")).trim_end().to_owned()
    });
    let found: Vec<String> = found.collect();
    let remedy = "raw drivers need an Ethernet interface that is up; the driver udp does not";
    let text = if found.is_empty() { "no Ethernet interface is up".into() } else { found.join(", ") };
    Check::expect("interfaces", !found.is_empty(), text, remedy)
}

fn mtu() -> Check {
    let all = Interface::all();
    let text: Vec<String> = all.iter().map(|one| format!("{} {}", one.name, one.mtu)).collect();
    let small = all.iter().any(|one| one.mtu < USUAL_MTU);
    let text = if text.is_empty() { "no interface to have one".into() } else { text.join(", ") };
    let remedy = "`ip link set NAME mtu 1500`: below it boards' largest payloads do not fit";
    Check::expect("MTU", !small, text, remedy)
}

fn offloads() -> Check {
    let told = Interface::all().into_iter().map(|one| {
        let states = one.offloads();
        let states: Vec<String> =
            states.iter().map(|(name, on)| format!("{name} {}", if *on { "on" } else { "off" })).collect();
        format!("{}: {}", one.name, if states.is_empty() { "not told".into() } else { states.join(", ") })
    });
    let told: Vec<String> = told.collect();
    Check::ok("offloads", if told.is_empty() { "no interface to have any".into() } else { told.join("; ") })
}

fn queues() -> Check {
    let several: Vec<String> = Interface::all()
        .into_iter()
        .filter_map(|one| {
            one.queues().filter(|count| *count > 1).map(|count| format!("{} {count}", one.name))
        })
        .collect();
    let found = if several.is_empty() { "one per interface".into() } else { several.join(", ") };
    let remedy = "for afxdp: `ethtool -L NAME combined 1`, or take tpacket";
    Check::expect("receive queues", several.is_empty(), found, remedy)
}

/// Whether a program is there, by a search along PATH.
pub fn program(name: &'static str, command: &str, what: &str) -> Check {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(command)).find(|file| file.is_file());
    match found {
        Some(file) => Check::ok(name, file.display().to_string()),
        None => Check::warn(name, format!("no `{command}`"), format!("install {name} for {what}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_datagrams_are_found_by_the_column_s_name() {
        let table = "Ip: Forwarding\nIp: 1\nUdp: InDatagrams NoPorts RcvbufErrors\nUdp: 7 8 9\nUdpLite: InDatagrams\nUdpLite: 1";
        assert_eq!(receive_errors(table), Some(9));
        assert_eq!(receive_errors("Udp: InDatagrams\nUdp: 1"), None);
        assert_eq!(receive_errors(""), None);
    }
}
