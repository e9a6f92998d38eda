//! Reaching a board, with the options that all commands share.
use crate::trust::TrustArgs;
use anyhow::{Context, Result};
use clap::Args;
use mneme_clib::driver::{self, BoardAddress, Chosen, Route, Waiting, host_and_port};
use mneme_clib::{
    Client, ClientOptions, DEFAULT_LEASE, DriverKind, DriverOptions, Integrity, NodeCounter, OpenOptions,
    Process, TransportConfig,
};
use mneme_wire::DEFAULT_UDP_PORT;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

/// The board that commands reach unless told otherwise.
pub const HERE: &str = "127.0.0.1:19790";

/// Where to listen: `ADDR[:PORT]`, IPv4; port 0 takes a free one.
pub fn listening(text: &str) -> Result<SocketAddrV4, String> {
    let (host, port) = host_and_port(text).map_err(|error| error.to_string())?;
    let ip = host.parse().map_err(|_| {
        format!("`{host}` is no address of this machine: write ADDR[:PORT], such as 127.0.0.1:19790")
    });
    Ok(SocketAddrV4::new(ip?, port.unwrap_or(DEFAULT_UDP_PORT)))
}

/// Where the board is and how patient to be.
#[derive(Debug, Clone, Args)]
pub struct BoardArgs {
    /// The board's UDP address, IPv4; the port is 19790 unless named
    #[arg(long, value_name = "HOST[:PORT]", env = "MNEME_BOARD", default_value = HERE)]
    pub board: BoardAddress,
    /// Seconds after which an operation that got no answer, or only BUSY, fails
    #[arg(long, value_name = "SECONDS", env = "MNEME_TIMEOUT", default_value_t = 5.0, value_parser = patience)]
    pub timeout: f64,
    /// Seconds that processes and their memory outlive this command if it is killed or cut off; 0: until the board restarts
    #[arg(long, value_name = "SECONDS", env = "MNEME_LEASE", default_value_t = DEFAULT_LEASE.as_secs_f64(), value_parser = lease)]
    pub lease: f64,
    #[command(flatten)]
    pub driver: DriverArgs,
    #[command(flatten)]
    pub trust: TrustArgs,
}

/// How datagrams travel.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Driver")]
pub struct DriverArgs {
    /// How to reach the board: udp needs no privileges, pnet, tpacket and afxdp are raw Ethernet, auto measures those through
    /// which the board answers, takes the fastest and says why not the others
    #[arg(long, value_name = "NAME", env = "MNEME_DRIVER", default_value_t)]
    pub driver: DriverKind,
    #[command(flatten)]
    pub route: RouteArgs,
    /// Stay awake while waiting: the lowest latency, for a processor of its own
    #[arg(long, env = "MNEME_SPIN")]
    pub spin: bool,
}

/// How raw drivers find the board.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Driver")]
pub struct RouteArgs {
    /// Raw drivers: the network interface; default: the one that the system would take
    #[arg(long, value_name = "NAME", env = "MNEME_INTERFACE")]
    pub interface: Option<String>,
    /// Raw drivers: the own IPv4 address; default: the interface's
    #[arg(long, value_name = "ADDR", env = "MNEME_SOURCE")]
    pub source: Option<Ipv4Addr>,
    /// Raw drivers: the gateway to boards on other networks; default: that of the interface's default route
    #[arg(long, value_name = "ADDR", env = "MNEME_GATEWAY")]
    pub gateway: Option<Ipv4Addr>,
    /// Raw drivers: the MAC address of the board or gateway; default: ARP tells
    #[arg(long, value_name = "MAC", env = "MNEME_NEIGHBOUR", value_parser = mac_address)]
    pub neighbour: Option<MacAddress>,
}

/// An Ethernet address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MacAddress(pub [u8; 6]);

fn mac_address(text: &str) -> Result<MacAddress, String> {
    let bytes: Option<Vec<u8>> = text.split(':').map(|part| u8::from_str_radix(part, 16).ok()).collect();
    let mac = bytes.and_then(|bytes| <[u8; 6]>::try_from(bytes).ok());
    mac.filter(|mac| mac[0] & 1 == 0).map(MacAddress).ok_or_else(|| {
        format!("`{text}` is no MAC address of one interface: six bytes such as 02:00:00:00:00:01")
    })
}

impl DriverArgs {
    /// For the library.
    pub fn options(&self) -> DriverOptions {
        DriverOptions { kind: self.driver, waiting: self.waiting(), route: self.route.route() }
    }
    /// How to wait.
    pub fn waiting(&self) -> Waiting {
        if self.spin { Waiting::Spin } else { Waiting::Yield }
    }
}

impl RouteArgs {
    /// For the library.
    pub fn route(&self) -> Route {
        Route {
            interface: self.interface.clone(),
            source: self.source,
            gateway: self.gateway,
            neighbour: self.neighbour.map(|mac| mac.0),
        }
    }
}

fn patience(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=3_600.0).contains(&seconds) => Ok(seconds),
        _ => Err("0.01 to 3600 seconds".into()),
    }
}

fn lease(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds == 0.0 || (0.1..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("0.1 to 86400 seconds, or 0 for no lease".into()),
    }
}

impl BoardArgs {
    /// How this command opens processes.
    pub fn process(&self) -> OpenOptions {
        let lease = (self.lease > 0.0).then(|| Duration::from_secs_f64(self.lease));
        OpenOptions { lease, ..OpenOptions::default() }
    }
    /// A client with a driver of its own. What `auto` has found goes to standard error.
    pub fn connect(&self) -> Result<Client> {
        self.connect_by(TransportConfig::default())
    }
    /// A driver to the board. What `auto` has found goes to standard error.
    pub fn open(&self) -> Result<Chosen> {
        let chosen = driver::open(&self.board, &self.driver.options());
        let chosen = chosen.with_context(|| format!("board {}", self.board))?;
        if self.driver.driver == DriverKind::Auto {
            let speed = chosen.speed.map_or(String::new(), |speed| format!(": {speed}"));
            let others = chosen.remarks().into_iter().map(|other| format!("\n  {other}"));
            eprintln!("driver {}{speed}{}", chosen.kind, others.collect::<String>());
        }
        Ok(chosen)
    }
    /// How its clients behave.
    pub fn options(&self, transport: TransportConfig) -> Result<ClientOptions> {
        let (integrity, credentials) = self.trust.decide(&self.board)?;
        Ok(ClientOptions { transport, integrity, credentials, ..ClientOptions::default() })
    }
    /// A process in whose name the board is asked for what it tells with a tag alone; none where tags are not asked for.
    pub fn standing(&self, client: &Client) -> Result<Option<Process>> {
        let (integrity, _) = self.trust.decide(&self.board)?;
        Ok((integrity == Integrity::Tag).then(|| client.open(self.process())).transpose()?)
    }
    /// Whose processes the board tells this command of.
    pub fn asker(&self) -> Result<&'static str> {
        let (integrity, _) = self.trust.decide(&self.board)?;
        Ok(if integrity == Integrity::Tag { "this tenant" } else { "this address" })
    }
    /// A client with settings of its own, but for the time after which an operation fails.
    pub fn connect_by(&self, transport: TransportConfig) -> Result<Client> {
        let chosen = self.open()?;
        let give_up = Duration::from_secs_f64(self.timeout);
        let transport = TransportConfig { give_up, ..transport };
        let options = self.options(transport)?;
        Client::connect_by(chosen, options).with_context(|| format!("no board answers at {}", self.board))
    }
}

/// What a board is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The golden model.
    Software,
    /// The RTL under Verilator.
    Rtl,
    /// A device.
    Hardware,
    /// Something that this program does not know.
    Unknown(u64),
}

impl Kind {
    /// Reads the board's own word.
    pub fn of(client: &Client) -> Result<Kind> {
        let number = client.counters(NodeCounter::BoardKind as u32, 1)?.first().copied().unwrap_or(0);
        Ok(Kind::of_number(number))
    }
    /// The board's word.
    pub fn of_number(number: u64) -> Kind {
        match number {
            1 => Kind::Software,
            2 => Kind::Rtl,
            3 => Kind::Hardware,
            other => Kind::Unknown(other),
        }
    }
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Software => "software",
            Kind::Rtl => "rtl",
            Kind::Hardware => "hardware",
            Kind::Unknown(_) => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_are_addresses_of_this_machine_with_or_without_a_port() {
        let at = |text: &str| listening(text).map(|address| address.to_string());
        assert_eq!(at("127.0.0.1"), Ok("127.0.0.1:19790".into()));
        assert_eq!(at("0.0.0.0:0"), Ok("0.0.0.0:0".into()));
        for (text, words) in [("[::1]:0", "IPv4"), ("localhost", "ADDR[:PORT]"), (":7", "names no host")] {
            assert!(at(text).is_err_and(|error| error.contains(words)), "{text}");
        }
    }

    #[test]
    fn mac_addresses_are_six_bytes_of_one_interface() {
        assert_eq!(mac_address("02:00:5e:10:fF:01"), Ok(MacAddress([2, 0, 0x5e, 0x10, 0xff, 1])));
        for wrong in [
            "",
            "02:00:00:00:00",
            "02:00:00:00:00:00:00",
            "ff:ff:ff:ff:ff:ff",
            "02-00-00-00-00-01",
            "2g:0:0:0:0:0",
        ] {
            assert!(mac_address(wrong).is_err(), "{wrong}");
        }
    }
}
