//! What the daemon is told: options of its command line, each of which is a variable of its environment, too.
use std::io::Write;
use std::net::SocketAddrV4;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, Parser, ValueEnum};
use mneme_auth::{Size, TenantList, TenantsFile};
use mneme_boardd::{Callers, CallersAt};
use mneme_rdma_manager::{Local, Manager, Rules, SILENT};
use mneme_rdma_peers::{
    PATH_MTU, PERFTEST_PORT, PERFTEST_SEND_LAT_PORT, PERFTEST_SENDS_PORT, PING_PONG_PORT,
};
use mneme_slowpath::{Config, FastPath, FileEpochs, Secret};
use mneme_window::simulated::Facts;
use mneme_wire::register::BUILD_TRAILERS;
use mneme_wire::{DEFAULT_UDP_PORT, Register, TagMode, Target};

/// Nanoseconds of a cycle of the core on hardware.
fn cycle_ns(target: Target) -> u64 {
    match target {
        // 500 MHz by 12, docs/reference/ecpix5.md §1.
        Target::Ecpix5 => 24,
        // 250 MHz.
        Target::Zcu106 | Target::Simulated => 4,
    }
}
/// The fast path's window on hardware: 8 × 25 µs.
const WINDOW: Duration = Duration::from_micros(200);

/// Serve a board from the processor beside its fast path, or from a host on its Ethernet, until terminated.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  \
    mneme-boardd --address 10.0.0.9 --mac 02:4d:4e:45:4d:01 --state /var/lib/mneme/board.json --trust-network\n  \
    mneme-boardd --uio uio1 --address 10.0.0.9 --mac 02:4d:4e:45:4d:01 --state board.json --tenants /etc/mneme/tenants\n  \
    mneme-boardd --ecpix5 eth1 --key board.toml --address 10.0.0.9 --state board.json --trust-network\n  \
    mneme board --device /dev/shm/board & mneme-boardd --simulated /dev/shm/board --state board.json\n\n\
    The first line on standard output tells what is served. MNEME_LOG=info tells more, on standard error."
)]
pub struct Settings {
    /// The device of UIO, such as uio0; default: the one that the device tree calls `mneme`
    #[arg(long, value_name = "DEVICE", env = "MNEME_UIO", conflicts_with = "simulated")]
    uio: Option<String>,
    /// The folder of a simulated board, which `mneme board --device` makes, in place of a device
    #[arg(long, value_name = "DIR", env = "MNEME_SIMULATED")]
    pub simulated: Option<PathBuf>,
    /// An ECPIX-5 on the Ethernet of this interface, such as eth1, in place of a device; needs CAP_NET_RAW
    #[arg(long, value_name = "INTERFACE", env = "MNEME_ECPIX5", conflicts_with_all = ["uio", "simulated", "mac"], requires = "key")]
    ecpix5: Option<String>,
    /// The file of addresses and key that the ECPIX-5's bitstream was built with
    #[arg(long, value_name = "FILE", env = "MNEME_KEY", requires = "ecpix5")]
    key: Option<PathBuf>,
    /// Refuse a board that was built for another target
    #[arg(long, value_enum, env = "MNEME_TARGET")]
    target: Option<Built>,
    /// The board's IPv4 address and its UDP port, 19790 unless named; a simulated board tells its own
    #[arg(long, value_name = "ADDR[:PORT]", env = "MNEME_ADDRESS", value_parser = address, required_unless_present_any = ["simulated", "identify", "man", "completions"], conflicts_with = "simulated")]
    address: Option<SocketAddrV4>,
    /// The MAC address of the board's network port; a simulated board tells its own, an ECPIX-5's is in its key's file
    #[arg(long, value_name = "MAC", env = "MNEME_MAC", value_parser = mac, required_unless_present_any = ["simulated", "identify", "ecpix5", "man", "completions"], conflicts_with = "simulated")]
    mac: Option<[u8; 6]>,
    /// Where the last epochs and the board's key are kept: clients notice a restart by them for sure
    #[arg(long, value_name = "FILE", env = "MNEME_STATE", required_unless_present_any = ["identify", "man", "completions"])]
    state: Option<PathBuf>,
    /// Tell what the register block says of the board, line by line, and end. Changes nothing, and may be asked beside a daemon of a
    /// real board
    #[arg(long)]
    pub identify: bool,
    /// With --identify of an ECPIX-5: start and level its DRAM first, unless that has been done since its reset
    #[arg(long, requires_all = ["identify", "ecpix5"])]
    pub bring_up: bool,
    /// Threads that serve OPEN, ALLOC, FREE, PROTECT and EXIT beside the thread that polls; 0: none, the poller serves them
    #[arg(long, value_name = "N", env = "MNEME_WORKERS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=64))]
    pub workers: u64,
    /// The time in which a write or atomic takes effect or never will, in microseconds; default: 200, and what a simulated board
    /// needs
    #[arg(long, value_name = "US", env = "MNEME_WINDOW_US", value_parser = clap::value_parser!(u64).range(10..=10_000_000))]
    window_us: Option<u64>,
    /// Pages of memory that are kept for each tenant, and for one that may come; default: a sixteenth of all
    #[arg(long, value_name = "PAGES", env = "MNEME_RESERVE")]
    reserve: Option<u64>,
    /// Let processes allocate more writable memory than there is
    #[arg(long, env = "MNEME_OVERCOMMIT", value_parser = clap::value_parser!(bool), num_args = 0..=1, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    overcommit: bool,
    /// The file of tenants, which `mneme tenant` changes; requests need tags then. It is read again when it has changed
    #[arg(long, value_name = "FILE", env = "MNEME_TENANTS")]
    tenants: Option<PathBuf>,
    /// Ask for no tags: whoever reaches the board can use it, in anybody's name
    #[arg(long, env = "MNEME_TRUST_NETWORK", conflicts_with = "tenants", value_parser = clap::value_parser!(bool), num_args = 0..=1, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    trust_network: bool,
    /// Make connections to the board's RDMA port, for whoever shows a process's token. RoCEv2 has no tags: beside --tenants every
    /// connection is refused
    #[arg(long, env = "MNEME_RDMA", value_parser = clap::value_parser!(bool), num_args = 0..=1, default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub rdma: bool,
    /// With --rdma: what READs, atomics and ODRP's replies of one connection may send a second, headers among it, 15M to 14G; default:
    /// what the line takes. Congestion lowers it, whatever it is
    #[arg(long, value_name = "BYTES", env = "MNEME_RDMA_CAP", default_value = "0", hide_default_value = true, value_parser = cap)]
    rdma_cap: u32,
    /// With --rdma: serve `ibv_rc_pingpong` of rdma-core at this address of the processor's own, TCP port 18515 unless named: messages
    /// come back to whoever reaches it, and no memory of the board is behind them
    #[arg(long, value_name = "ADDR[:PORT]", env = "MNEME_PING_PONG", value_parser = ping_pong)]
    ping_pong: Option<SocketAddrV4>,
    /// With --rdma: serve perftest's ib_write_bw, ib_read_bw, ib_read_lat, ib_atomic_bw and ib_atomic_lat at this address of the
    /// processor's own, TCP port 18516 unless named, for whoever reaches it: four at a time, each with 2 MiB of the board's memory
    #[arg(long, value_name = "ADDR[:PORT]", env = "MNEME_PERFTEST", value_parser = perftest)]
    perftest: Option<SocketAddrV4>,
    /// With --perftest: the TCP port at which its ib_send_bw is served
    #[arg(long, value_name = "PORT", env = "MNEME_PERFTEST_SENDS", default_value_t = PERFTEST_SENDS_PORT)]
    perftest_sends: u16,
    /// With --perftest: the TCP port at which its ib_send_lat is served: each message is answered by one as long
    #[arg(long, value_name = "PORT", env = "MNEME_PERFTEST_SEND_LAT", default_value_t = PERFTEST_SEND_LAT_PORT)]
    perftest_send_lat: u16,
    /// Write the manual page into this folder, which is made if it is not there, and end
    #[arg(long, value_name = "DIR")]
    pub man: Option<PathBuf>,
    /// Write a script that completes the command line of this shell, and end
    #[arg(long, value_name = "SHELL", value_enum)]
    pub completions: Option<clap_complete::Shell>,
    /// For tests: tokens, nonces and the first epoch come from this number. Whoever knows it knows the tokens
    #[arg(long, value_name = "NUMBER", hide = true)]
    seed: Option<u64>,
}

/// Targets by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Built {
    /// A simulation
    Simulated,
    /// Xilinx ZCU106
    Zcu106,
    /// LambdaConcept ECPIX-5 85F
    Ecpix5,
}

fn cap(text: &str) -> Result<u32, String> {
    mneme_rdma_manager::cap(text.parse::<Size>()?.0)
}

fn address(text: &str) -> Result<SocketAddrV4, String> {
    address_or(text, DEFAULT_UDP_PORT)
}
fn address_or(text: &str, port: u16) -> Result<SocketAddrV4, String> {
    let with_port =
        text.parse::<SocketAddrV4>().or_else(|_| text.parse().map(|ip| SocketAddrV4::new(ip, port)));
    with_port.map_err(|_| format!("not an IPv4 address, such as 10.0.0.9 or 10.0.0.9:{port}"))
}

fn ping_pong(text: &str) -> Result<SocketAddrV4, String> {
    one_of_ours(text, PING_PONG_PORT)
}
fn perftest(text: &str) -> Result<SocketAddrV4, String> {
    one_of_ours(text, PERFTEST_PORT)
}
/// An address at which whoever reaches it is served: not every one that this machine happens to have.
fn one_of_ours(text: &str, port: u16) -> Result<SocketAddrV4, String> {
    let address = address_or(text, port)?;
    match address.ip().is_unspecified() {
        true => Err("name one address of this machine, that of the management network".to_owned()),
        false => Ok(address),
    }
}

fn mac(text: &str) -> Result<[u8; 6], String> {
    let bytes: Option<Vec<u8>> = text
        .split([':', '-'])
        .map(|byte| u8::from_str_radix(byte, 16).ok().filter(|_| byte.len() == 2))
        .collect();
    let mac = bytes.and_then(|bytes| <[u8; 6]>::try_from(bytes).ok());
    mac.ok_or_else(|| "not a MAC address, such as 02:4d:4e:45:4d:01".to_owned())
}

impl Settings {
    /// Writes the manual page or the completions, if either is asked for. Answers whether it was.
    pub fn document(&self) -> Result<bool> {
        if let Some(folder) = &self.man {
            let path = folder.join("mneme-boardd.1");
            let mut page = Vec::new();
            clap_mangen::Man::new(Settings::command()).render(&mut page).context("the manual page")?;
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if let Some(shell) = self.completions {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Settings::command(), "mneme-boardd", &mut script);
            std::io::stdout().write_all(&script).context("cannot write the completions")?;
        }
        Ok(self.man.is_some() || self.completions.is_some())
    }
    /// The device of UIO, if one is named.
    pub fn uio(&self) -> Option<&str> {
        self.uio.as_deref()
    }
    /// The interface of an ECPIX-5 and the file of its key.
    pub fn ecpix5(&self) -> Option<(&str, &Path)> {
        self.ecpix5.as_deref().zip(self.key.as_deref())
    }
    /// What the board must have been built for.
    pub fn target(&self) -> Option<Target> {
        self.target.map(|built| match built {
            Built::Simulated => Target::Simulated,
            Built::Zcu106 => Target::Zcu106,
            Built::Ecpix5 => Target::Ecpix5,
        })
    }
    /// Where epochs and the key are kept.
    pub fn epochs(&self) -> FileEpochs {
        // It is not asked for by who only looks.
        FileEpochs::new(self.state.as_deref().unwrap_or(std::path::Path::new("")))
    }
    /// The file of tenants of a board that asks for tags.
    pub fn tenants(&self) -> Option<TenantsFile> {
        self.tenants.as_ref().map(TenantsFile::new)
    }

    fn secrets(&self) -> [u8; 32] {
        let Some(seed) = self.seed else { return rand::random() };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes
    }

    /// What the slow path of this board is told. `known`: its MAC address, where who reaches it knows it.
    pub fn config(
        &self,
        board: &mut impl FastPath,
        facts: Option<&Facts>,
        known: Option<[u8; 6]>,
        target: Target,
    ) -> Result<Config> {
        let (address, mac, kind, cycle_ns) = match (facts, self.address, known.or(self.mac)) {
            (Some(facts), ..) => {
                (SocketAddrV4::new(facts.ip.into(), facts.port), facts.mac, facts.board_kind, facts.cycle_ns)
            }
            (None, Some(address), Some(mac)) => (address, mac, 3, cycle_ns(target)),
            _ => bail!("a real board is told its --address and its --mac"),
        };
        let tick_ns = cycle_ns.max(1) << board.read_register(Register::TickLog2).min(24);
        let asked = self.window_us.map(Duration::from_micros);
        let told = asked.or(facts.map(|facts| Duration::from_millis(facts.window_ms)));
        let tick_ns = u32::try_from(tick_ns).context("a tick of this board lasts more than 4 s")?;
        let identity = mneme_slowpath::board_identity(address.into());
        let config = Config::new(identity, mac, address.ip().octets(), self.secrets());
        let mut config = Config { board_kind: kind, udp_port: address.port(), ..config }
            .timed(tick_ns, told.unwrap_or(WINDOW));
        config.limits.tenant_reserve = self.reserve;
        config.limits.overcommit = self.overcommit;
        self.ask_for_tags(board, address, &mut config)?;
        config.roce = self.rdma;
        Ok(config)
    }
    /// Who makes connections to the board's RDMA port, if somebody shall.
    pub fn manager(&self, board: &mut impl FastPath, config: &Config) -> Result<Option<Manager>> {
        if !self.rdma {
            return Ok(None);
        }
        let wants_tags = config.tag_mode != TagMode::None;
        let rules = Rules { seed: self.secrets(), wants_tags, silent: SILENT, cap: self.rdma_cap };
        let local = Local { mac: config.mac, ip: config.ip };
        let manager = Manager::new(&rules, local, board)
            .context("the board's fast path has no RDMA port: leave --rdma out, or load one that has it")?;
        if wants_tags {
            tracing::warn!("the board asks for tags, which RoCEv2 has not: every RDMA connection is refused");
        }
        Ok(Some(manager))
    }

    /// Where callers over TCP are served.
    fn callers_at(&self) -> CallersAt {
        let all = |at: SocketAddrV4| {
            let ports = [at.port(), self.perftest_sends, self.perftest_send_lat];
            ports.map(|port| SocketAddrV4::new(*at.ip(), port))
        };
        CallersAt { ping_pong: self.ping_pong, perftest: self.perftest.map(all) }
    }
    /// What is served beside clients of the library, as whoever started the daemon is told.
    pub fn also(&self) -> String {
        let CallersAt { ping_pong, perftest } = self.callers_at();
        let mut also = if self.rdma { ", RDMA".to_owned() } else { String::new() };
        also.extend(ping_pong.map(|at| format!(", ping-pong at {at}")));
        also.extend(perftest.map(|[at, sends, send_lat]| {
            format!(", perftest at {at}, {} and {}", sends.port(), send_lat.port())
        }));
        also
    }
    /// Who serves callers over TCP, if somebody shall.
    pub fn callers(&self, manager: Option<&Manager>, config: &Config) -> Result<Option<Callers>> {
        let at = self.callers_at();
        if at == CallersAt::default() {
            return Ok(None);
        }
        let Some(manager) = manager else { bail!("--ping-pong and --perftest need --rdma") };
        if config.tag_mode != TagMode::None {
            bail!(
                "the board asks for tags, which who calls over TCP has not: leave --ping-pong and --perftest out"
            );
        }
        let most = manager.software_mtu();
        if at.ping_pong.is_some() && most < PATH_MTU {
            bail!(
                "a ping-pong has packets of {} bytes, and those that this board leaves to software have {} at most: leave \
                 --ping-pong out, or load a bitstream with an MTU of 1500",
                PATH_MTU.bytes(),
                most.bytes()
            );
        }
        let callers = Callers::listen(&at, config, self.secrets());
        callers.map(Some).context("cannot listen at the address of --ping-pong or --perftest")
    }

    /// Whether requests need tags, and the key that they need.
    fn ask_for_tags(
        &self,
        board: &mut impl FastPath,
        address: SocketAddrV4,
        config: &mut Config,
    ) -> Result<()> {
        let trailers = board.read_register(Register::BuildFlags) & BUILD_TRAILERS != 0;
        let Some(file) = self.tenants() else {
            if !self.trust_network && !address.ip().is_loopback() {
                bail!(
                    "who may use the board at {address}? Name the file of tenants with --tenants, or say --trust-network if all \
                     who reach it may use it, in anybody's name"
                );
            }
            return Ok(());
        };
        if !trailers {
            bail!(
                "the board's fast path has no trailers, so it cannot ask for tags: say --trust-network, or load one that has them"
            );
        }
        let tenants: TenantList = file.load().context("the file of tenants")?;
        let key = self.epochs().key(self.secrets()).context("the board's key")?;
        config.tag_mode = TagMode::All;
        config.secret = Secret::new(key.derive("tags"));
        config.board_key = Some(key);
        config.tenants = tenants;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound_and_refuses_what_cannot_be() {
        Settings::command().debug_assert();
        let parse = |line: &str| Settings::try_parse_from(line.split(' ')).map_err(|error| error.to_string());
        let whole = parse("d --address 10.0.0.9 --mac 02:4d:4e:45:4d:01 --state s").expect("whole");
        assert_eq!(whole.address, Some("10.0.0.9:19790".parse().expect("an address")));
        assert_eq!(whole.mac, Some([2, 0x4d, 0x4e, 0x45, 0x4d, 1]));
        let far = parse("d --ecpix5 eth1 --key k --address 10.0.0.9 --state s").expect("whole");
        assert_eq!(far.ecpix5(), Some(("eth1", Path::new("k"))));
        let calls = "d --simulated w --state s --rdma --ping-pong 10.1.0.9 --perftest 10.1.0.9:20000";
        let calls = parse(calls).expect("whole").also();
        assert_eq!(calls, ", RDMA, ping-pong at 10.1.0.9:18515, perftest at 10.1.0.9:20000, 18517 and 18518");
        for alone in ["d --ecpix5 eth1 --key k --identify", "d --man m", "d --completions bash"] {
            assert!(parse(alone).is_ok(), "{alone}");
        }
        for (line, said) in [
            ("d --state s", "--address"),
            ("d --address 10.0.0 --mac 02:4d:4e:45:4d:01 --state s", "not an IPv4 address"),
            ("d --address 10.0.0.9 --mac 2:4d:4e:45:4d:01 --state s", "not a MAC address"),
            ("d --simulated w", "--state"),
            ("d --simulated w --uio uio0 --state s", "cannot be used with"),
            ("d --simulated w --state s --workers 65", "65"),
            ("d --ecpix5 eth1 --address 10.0.0.9 --state s", "--key"),
            ("d --ecpix5 eth1 --key k --state s", "--address"),
            ("d --ecpix5 eth1 --key k --address 10.0.0.9", "--state"),
            ("d --ecpix5 eth1 --key k --uio uio0 --address 10.0.0.9 --state s", "cannot be used with"),
            ("d --bring-up --identify", "--ecpix5"),
            ("d --key k --identify", "--ecpix5"),
            ("d --simulated w --state s --rdma --ping-pong 0.0.0.0", "name one address"),
            ("d --simulated w --state s --rdma --perftest 0.0.0.0:18516", "name one address"),
            ("d --simulated w --state s --rdma --ping-pong 18515", "not an IPv4 address"),
        ] {
            let error = parse(line).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
    }

    #[test]
    fn the_manual_page_names_every_option() {
        let folder = tempfile::tempdir().expect("a folder");
        let within = folder.path().join("man1");
        let told = Settings::parse_from(["d", "--man", within.to_str().expect("text")]);
        assert!(told.document().expect("written"));
        let page = std::fs::read_to_string(within.join("mneme-boardd.1")).expect("a page");
        for option in Settings::command().get_arguments().filter(|option| !option.is_hide_set()) {
            let Some(long) = option.get_long() else { continue };
            assert!(page.contains(&long.replace('-', "\\-")), "--{long} is missing");
        }
        let served = Settings::parse_from(["d", "--simulated", "w", "--state", "s"]);
        assert!(!served.document().expect("nothing to write"));
    }
}
