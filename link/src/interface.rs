//! What a network interface is: its number, addresses and MTU.
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::os::fd::{AsRawFd, OwnedFd};

use pnet_datalink::NetworkInterface;
use socket2::{Domain, Socket, Type};

use crate::ETHERNET_HEADER;
use crate::error::{LinkError, Refusal};

/// An Ethernet interface of this machine (of this network namespace).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Its name, such as `eth0`.
    pub name: String,
    /// The system's number of it.
    pub index: u32,
    /// Its MAC address.
    pub mac: [u8; 6],
    /// Bytes of the largest IP packet.
    pub mtu: usize,
    /// Its IPv4 addresses, each with the length of its subnet's prefix.
    pub addresses: Vec<(Ipv4Addr, u8)>,
    pub(crate) raw: NetworkInterface,
}

impl Interface {
    /// The interface of this name, which must be up.
    pub fn named(name: &str) -> Result<Interface, LinkError> {
        let all = pnet_datalink::interfaces();
        let Some(found) = all.iter().find(|interface| interface.name == name) else {
            let names: Vec<&str> = all.iter().map(|interface| interface.name.as_str()).collect();
            return Err(LinkError::NoInterface { name: name.into(), have: names.join(", ") });
        };
        Interface::of(found.clone())
    }
    /// The interface behind which an address lies, by the system's routing table.
    pub fn towards(peer: Ipv4Addr) -> Result<Interface, LinkError> {
        let none = || LinkError::NoRoute { name: "this machine".into(), peer };
        let local = source_towards(peer).map_err(|error| match Refusal::of(&error) {
            Refusal::Route => none(),
            _ => LinkError::io("cannot ask for the route to the board")(error),
        })?;
        let all = pnet_datalink::interfaces();
        let owns = |interface: &&NetworkInterface| interface.ips.iter().any(|ip| ip.ip() == local);
        match all.iter().find(owns) {
            Some(found) => Interface::of(found.clone()),
            None => Err(none()),
        }
    }
    /// All interfaces that carry Ethernet frames and are up.
    pub fn all() -> Vec<Interface> {
        pnet_datalink::interfaces().into_iter().filter_map(|found| Interface::of(found).ok()).collect()
    }
    fn of(raw: NetworkInterface) -> Result<Interface, LinkError> {
        let name = raw.name.clone();
        let mac = match raw.mac {
            Some(mac) if !raw.is_loopback() => mac.octets(),
            _ => return Err(LinkError::NotEthernet { name }),
        };
        if !raw.is_up() {
            return Err(LinkError::Down { name });
        }
        let mtu = mtu(&name).map_err(LinkError::io("cannot read the interface's MTU"))?;
        let addresses = raw
            .ips
            .iter()
            .filter_map(|network| match network.ip() {
                IpAddr::V4(ip) => Some((ip, network.prefix())),
                IpAddr::V6(_) => None,
            })
            .collect();
        Ok(Interface { name, index: raw.index, mac, mtu, addresses, raw })
    }
    /// Fails unless IP packets of `needed` bytes fit.
    pub fn demand_mtu(&self, needed: usize) -> Result<(), LinkError> {
        if self.mtu < needed {
            return Err(LinkError::MtuTooSmall { name: self.name.clone(), mtu: self.mtu, needed });
        }
        Ok(())
    }
    /// Whether the system itself answers for this address.
    pub fn owns(&self, ip: Ipv4Addr) -> bool {
        self.addresses.iter().any(|(own, _)| *own == ip)
    }
    /// Whether an address is on one of the interface's subnets.
    pub fn reaches(&self, peer: Ipv4Addr) -> bool {
        self.addresses.iter().any(|(own, prefix)| {
            let mask = u32::MAX.checked_shl(32 - u32::from(*prefix)).unwrap_or(0);
            u32::from(*own) & mask == u32::from(peer) & mask
        })
    }
    /// The gateway of the interface's default route.
    pub fn gateway(&self) -> Option<Ipv4Addr> {
        default_gateway(&std::fs::read_to_string("/proc/thread-self/net/route").ok()?, &self.name)
    }
    /// What the interface takes off the processor's hands, or adds to frames (ethtool's names).
    pub fn offloads(&self) -> Vec<(&'static str, bool)> {
        let known = [("rx-checksumming", 0x14), ("tx-checksumming", 0x16), ("gso", 0x23), ("gro", 0x2b)];
        known.into_iter().filter_map(|(name, command)| Some((name, offload(&self.name, command)?))).collect()
    }
    /// Receive queues, where the interface tells.
    pub fn queues(&self) -> Option<u32> {
        xdp::nic::NicIndex::new(self.index).queue_counts().ok().map(|queues| queues.rx_count())
    }
    /// Bytes of the largest frame.
    pub fn largest_frame(&self) -> usize {
        self.mtu + ETHERNET_HEADER
    }
    /// Whether it is there and up at this moment.
    pub(crate) fn state(&self) -> State {
        match pnet_datalink::interfaces().iter().find(|found| found.index == self.index) {
            None => State::Gone,
            Some(found) if found.is_up() => State::Up,
            Some(_) => State::Down,
        }
    }
}

/// How an interface is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Up,
    Down,
    Gone,
}

/// The address from which the system would send to `peer`. Sends nothing.
fn source_towards(peer: Ipv4Addr) -> io::Result<IpAddr> {
    let socket = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    // The port does not matter: a datagram socket that connects only looks up the route.
    socket.connect((peer, 9))?;
    Ok(socket.local_addr()?.ip())
}

/// The gateway of a device's default route, out of the text of `/proc/thread-self/net/route` (proc(5)): columns Iface,
/// Destination, Gateway, Flags, …; addresses in hexadecimal, in the machine's byte order.
fn default_gateway(table: &str, name: &str) -> Option<Ipv4Addr> {
    table.lines().skip(1).find_map(|line| {
        let mut columns = line.split_ascii_whitespace();
        let (device, destination, gateway) = (columns.next()?, columns.next()?, columns.next()?);
        let gateway = u32::from_str_radix(gateway, 16).ok()?;
        (device == name && destination == "00000000" && gateway != 0)
            .then(|| Ipv4Addr::from(gateway.to_ne_bytes()))
    })
}

/// A request about an interface, with a socket to ask through.
fn request(name: &str) -> io::Result<(OwnedFd, libc::ifreq)> {
    let socket = OwnedFd::from(Socket::new(Domain::IPV4, Type::DGRAM, None)?);
    // SAFETY: `ifreq` is plain data, for which all zeros are valid.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    if name.len() >= request.ifr_name.len() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes()) {
        *to = from as libc::c_char;
    }
    Ok((socket, request))
}

fn mtu(name: &str) -> io::Result<usize> {
    let (socket, mut request) = request(name)?;
    // SAFETY: the request is an `ifreq` with a name that ends in zero, as SIOCGIFMTU wants it, and outlives the call.
    if unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCGIFMTU, &mut request) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: SIOCGIFMTU has written this member of the union.
    let mtu = unsafe { request.ifr_ifru.ifru_mtu };
    usize::try_from(mtu).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Whether an offload is on: one of ethtool's commands that answer a number (linux/ethtool.h).
fn offload(name: &str, command: u32) -> Option<bool> {
    /// linux/sockios.h; the crate libc lacks it.
    const SIOCETHTOOL: libc::Ioctl = 0x8946;
    let (socket, mut request) = request(name).ok()?;
    // `struct ethtool_value`: the command, and the answer.
    let mut value = [command, 0];
    request.ifr_ifru.ifru_data = value.as_mut_ptr().cast();
    // SAFETY: SIOCETHTOOL reads and writes the two words that the request points to; both outlive the call.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), SIOCETHTOOL, &mut request) };
    (result == 0).then_some(value[1] != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_gateway_is_read_from_the_routing_table() {
        let table = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n\
                     eth0\t0000000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\n\
                     eth1\t00000000\t0201000A\t0003\t0\t0\t0\t00000000\n\
                     eth0\t00000000\t0101000A\t0003\t0\t0\t0\t00000000\n\
                     nonsense\n";
        let little = cfg!(target_endian = "little");
        let expected = if little { Ipv4Addr::new(10, 0, 1, 1) } else { Ipv4Addr::new(1, 1, 0, 10) };
        assert_eq!(default_gateway(table, "eth0"), Some(expected));
        assert_eq!(default_gateway(table, "eth2"), None);
    }

    #[test]
    fn unknown_and_loopback_interfaces_are_refused_with_what_would_work() {
        let error = Interface::named("no-such-0").unwrap_err();
        assert!(matches!(&error, LinkError::NoInterface { have, .. } if have.contains("lo")), "{error}");
        assert!(matches!(
            Interface::named("lo"),
            Err(LinkError::NotEthernet { .. } | LinkError::Down { .. })
        ));
    }
}
