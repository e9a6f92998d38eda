//! `mneme board`: a board without hardware behind a UDP socket.
use crate::class::{self, ClassArg};
use crate::connect::{HERE, listening};
use crate::output::say;
use crate::rtl::{DEFAULT, RtlArgs};
use crate::shares::{self, ShareArg};
use crate::tags::{Decided, TagArgs, board_key, state_file};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use mneme_auth::Size;
use mneme_clib::DriverKind;
use mneme_clib::driver::Waiting;
use mneme_daemon::rdma::{HardwarePort, RdmaPort, RdmaSettings, SILENT};
use mneme_daemon::{Beside, FileEpochs, NoPort, RawPort, SocketWire, Statistics, Wire, serve_beside};
use mneme_model::{BoardShape, BuildStamp, Mounted, NetworkPort, Node, SoftFast};
use mneme_rtl::{RtlFast, RtlOptions};
use mneme_slowpath::{Config, EpochStore, FastPath, MemoryEpochs};
use mneme_wire::register::BUILD_TRAILERS;
use mneme_wire::{Register, TagMode};
use std::io::ErrorKind;
use std::net::{SocketAddrV4, UdpSocket};
use std::path::PathBuf;
use std::time::Duration;

mod device;
mod memory;
mod peers;
mod report;
use memory::{least_memory, other_memory};
use peers::RdmaPeers;
use report::{print_statistics, signals};

/// Nanoseconds that a cycle of the software board lasts: hardware's.
const SOFT_CYCLE_NS: u64 = 4;
/// The same of the RTL under Verilator: about what a processor simulates, so that its tick hardly lags under load.
const RTL_CYCLE_NS: u64 = 1_000;
/// Default windows in milliseconds: long for clients and daemons that have to wait for a processor, short for the rate of
/// writes, which is the retry filter's entries per window (524,288 of the soft default, 4,096 of the RTL boards `sim` and `tags`).
const SOFT_WINDOW_MS: u64 = 1_000;
const RTL_WINDOW_MS: u64 = 500;

/// What boards that this program runs tell of their sources: what `build.rs` found.
fn stamp() -> BuildStamp {
    let number = |text: &str| text.parse().unwrap_or(0);
    BuildStamp { hash: number(env!("BOARD_BUILD_HASH")), date: number(env!("BOARD_BUILD_DATE")) }
}

/// What a board can be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The golden model, in Rust
    Soft,
    /// The Verilog of hw/rtl/ under Verilator
    Rtl,
}

/// Run a board without hardware behind a UDP socket, until interrupted.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme board --kind soft --listen 127.0.0.1:19790 --memory 1G\n  \
    mneme board --kind rtl --listen 127.0.0.1:0 --capture board.pcap\n  \
    mneme board --device /dev/shm/board              its slow path is mneme-boardd --simulated /dev/shm/board\n  \
    mneme board --kind rtl --config-file my.toml     hardware of one's own\n  \
    mneme board --mtu 9000                           large values in fewer packets\n  \
    mneme board --rdma                               the same memory by RDMA: see `mneme rdma`\n  \
    mneme board --kind soft --state board.json       epochs differ from one start to the next\n  \
    mneme board --listen 10.0.0.9:19790              asks for tags: see `mneme tenant`\n  \
    mneme board --driver tpacket --interface eth1 --listen 10.0.0.9:19790 --trust-network\n\n\
    The first line on standard output tells the address; port 0 takes a free one.\n\
    Statistics are printed at the end (interrupt or terminate the program), and whenever the program gets the signal USR1;\n\
    `mneme stat` asks for them over the network.")]
pub struct BoardArgs {
    /// What the board is made of
    #[arg(long, value_enum, default_value_t = Kind::Soft)]
    kind: Kind,
    /// The UDP address to listen on, IPv4; the port is 19790 unless named, 0 for any that is free. It can be reached from wherever that address can
    #[arg(long, value_name = "ADDR[:PORT]", default_value = HERE, value_parser = listening)]
    listen: SocketAddrV4,
    /// Physical memory, page table included; default: what the configuration has
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// The configuration: tiny, sim, wide, odd, large, zcu106, doors, tags or rdma (docs/reference/contracts.md §8); soft boards also
    /// daemon, their default: sim with a larger retry filter. RTL boards: tags by default, sim with trailers; with --rdma rdma, sim with an
    /// RDMA port; those that are not part of this program are built by a checkout of the project
    #[arg(long, value_name = "NAME")]
    config: Option<String>,
    /// Bytes of the largest IPv4 packet, 576 to 9000, on a network whose interfaces all carry as much: large values come in fewer
    /// packets. Soft boards; default: what the configuration has, 1500 for most. RTL boards have the MTU that they were built for
    #[arg(long, value_name = "SIZE")]
    mtu: Option<Size>,
    /// The time window in which a write or atomic takes effect or never will, in milliseconds; it bounds the rate of writes
    /// to the retry filter's entries per window; default: 1000 for soft boards, 500 for RTL boards
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    window: Option<u64>,
    /// Wall-clock nanoseconds that a board cycle lasts at least; default: 4 for soft boards, 1000 for RTL boards
    #[arg(long, value_name = "NS", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    cycle: Option<u64>,
    /// Where process tokens, nonces and the first epoch come from; default: the system's randomness. For tests: whoever knows
    /// the number knows the tokens
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Threads that serve OPEN, ALLOC, FREE, PROTECT and EXIT beside the thread that runs the board; requests of one process
    /// are served in their order. 1: one such thread, requests follow each other. 0: none, the board's own thread serves them
    /// and serves nothing else meanwhile
    #[arg(long, value_name = "N", default_value_t = mneme_daemon::DEFAULT_WORKERS as u64, value_parser = clap::value_parser!(u64).range(0..=64))]
    workers: u64,
    /// Memory that is kept for each source address that has a process, and for one that may come: what others allocate never
    /// takes it; default: a sixteenth of the board's
    #[arg(long, value_name = "SIZE")]
    reserve: Option<Size>,
    /// Let processes allocate more writable memory than there is. A first write to a page may then find no memory (NOMEM),
    /// whoever makes it
    #[arg(long)]
    overcommit: bool,
    /// Write all frames, both ways, to this pcap file
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,
    /// What carries the board's frames: udp, a socket of the system, or a raw driver (pnet, tpacket, afxdp) on an interface
    #[arg(
        long,
        value_name = "NAME",
        default_value_t,
        requires_if("pnet", "interface"),
        requires_if("tpacket", "interface"),
        requires_if("afxdp", "interface")
    )]
    driver: DriverKind,
    /// Raw drivers: the network interface. The board takes its MAC address, and the address of --listen, which may be one that
    /// this system does not have: the board answers ARP and echo requests itself
    #[arg(long, value_name = "NAME")]
    interface: Option<String>,
    /// Run a board without its slow path, which `mneme-boardd --simulated DIR` is: the folder, best below /dev/shm, shows its
    /// registers, rings, DRAM and interrupt as a real board's processor sees them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["workers", "reserve", "overcommit", "state", "classes", "shares", "seed", "interface", "ping_pong", "perftest", "tags", "trust_network", "tenants"])]
    device: Option<PathBuf>,
    /// Stay awake while waiting, for a processor of its own
    #[arg(long)]
    spin: bool,
    /// Serve RDMA too: RoCEv2 on UDP port 4791 of the address of --listen, for whoever shows a process's token. Boards that ask for no
    /// tags, which RoCEv2 has not; of RTL boards those with a port, as the configuration rdma
    #[arg(long)]
    rdma: bool,
    #[command(flatten)]
    peers: RdmaPeers,
    /// Keep the last epochs and the board's key in this file, so that clients notice a restart for sure, and know the board again;
    /// default: nothing is kept, or, of a board that asks for tags, ~/.local/state/mneme/board-ADDR-PORT.json
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// What processes of a service class may ask for a second: operations, bytes, and perhaps how much of it at once (default: 256
    /// operations and lines of 64 bytes); 0: no bound. Can be named for each class, 0 to 14; `mneme tenant add --class` puts a
    /// tenant into one, and all others are in class 0
    #[arg(long = "class", value_name = "CLASS=OPS,BYTES[,BURST]")]
    classes: Vec<ClassArg>,
    /// What a share group of service classes has for itself: TLB ways, eighths of the miss entries, requests that may wait for
    /// one (0: any number), free pages. Groups are 0 to 3; `mneme tenant add --group` puts a tenant's class into one, all
    /// others are in group 0, which has the ways and entries that are left
    #[arg(long = "shares", value_name = "GROUP=WAYS,EIGHTHS,WAITING,PAGES")]
    shares: Vec<ShareArg>,
    #[command(flatten)]
    rtl: RtlArgs,
    #[command(flatten)]
    tags: TagArgs,
}

/// What differs between kinds of boards.
struct Made<F> {
    fast: F,
    name: &'static str,
    config: String,
    number: u32,
    cycle_ns: u64,
    window: Duration,
}

/// Runs the command.
pub fn run(args: &BoardArgs) -> Result<()> {
    let port = Port::open(args)?;
    if args.rdma && matches!(port, Port::Raw(_)) {
        bail!("--rdma is for boards behind a socket: leave --driver out");
    }
    if args.kind == Kind::Soft {
        args.rtl.refuse_soft()?;
    }
    match args.kind {
        Kind::Soft if args.rdma => serve(args, port, soft(args)?, &open_rdma),
        Kind::Soft => serve(args, port, soft(args)?, &|_, _, _| Ok(NoPort)),
        Kind::Rtl if args.rdma => serve(args, port, rtl(args)?, &open_hardware),
        Kind::Rtl => serve(args, port, rtl(args)?, &|_, _, _| Ok(NoPort)),
    }
}

fn open_hardware(settings: &RdmaSettings, mac: [u8; 6], fast: &mut RtlFast) -> Result<HardwarePort> {
    let name = fast.shape().name;
    HardwarePort::open(settings, mac, fast).with_context(|| format!("no RDMA port on the RTL board `{name}`"))
}

fn open_rdma(settings: &RdmaSettings, _: [u8; 6], _: &mut SoftFast) -> Result<RdmaPort> {
    let port = RdmaPort::open(settings).context("no RDMA port")?;
    if settings.wants_tags {
        tracing::warn!(
            "the board asks for tags, which RoCEv2 has not: its RDMA port refuses every connection"
        );
    }
    Ok(port)
}

/// Where the board listens.
enum Port {
    Socket(UdpSocket),
    Raw(RawPort),
}

impl Port {
    fn open(args: &BoardArgs) -> Result<Port> {
        let Some(link) = args.driver.link() else {
            if args.driver == DriverKind::Auto {
                bail!(
                    "a board is told where it listens: --driver udp, or pnet, tpacket or afxdp with --interface"
                );
            }
            return Ok(Port::Socket(listen(args.listen)?));
        };
        let interface = args.interface.as_deref().context("raw drivers need --interface")?;
        Ok(Port::Raw(RawPort::new(interface, args.listen, link, waiting(args))?))
    }
}

fn waiting(args: &BoardArgs) -> Waiting {
    if args.spin { Waiting::Spin } else { Waiting::Yield }
}

fn listen(address: SocketAddrV4) -> Result<UdpSocket> {
    UdpSocket::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow::anyhow!(
            "UDP {address} is taken, perhaps by another board: choose another port, or port 0 for any that is free"
        ),
        ErrorKind::AddrNotAvailable => anyhow::anyhow!("this machine has no address {}", address.ip()),
        _ => anyhow::Error::new(error).context(format!("cannot listen on UDP {address}")),
    })
}

fn soft(args: &BoardArgs) -> Result<Made<SoftFast>> {
    let shape = match args.config.as_deref() {
        // RDMA has pages of 4 KB, too, for which board pages must not be the smallest.
        None if args.rdma => BoardShape::RDMA,
        None | Some("daemon") => BoardShape::DAEMON,
        Some("rdma") => BoardShape::RDMA,
        Some(name) => BoardShape::named(name).with_context(|| {
            let names: Vec<&str> = BoardShape::ALL.iter().map(|shape| shape.name).collect();
            format!("there is no configuration `{name}`: there are daemon, rdma, {}", names.join(", "))
        })?,
    };
    let shape = match args.memory {
        None => shape,
        Some(Size(bytes)) => match shape.with_memory(bytes) {
            Ok(shape) => shape,
            Err(_) => bail!("{}", other_memory(shape, bytes)),
        },
    };
    let shape = BoardShape { mtu: mtu(args).unwrap_or(shape.mtu), ..shape };
    // Whatever it is shaped after, it is simulated, and has trailers, which cover the address that clients send to.
    let made = BoardShape { simulated: true, trailers: !args.listen.ip().is_unspecified(), ..shape };
    let mut fast = SoftFast::new(made).context("no such board can be made")?;
    fast.set_stamp(stamp());
    let window = Duration::from_millis(args.window.unwrap_or(SOFT_WINDOW_MS));
    let config = format!("{}, {}, MTU {}", shape.name, Size(1 << shape.mem_bits), shape.mtu);
    Ok(Made {
        fast,
        name: "software",
        config,
        number: 1,
        cycle_ns: args.cycle.unwrap_or(SOFT_CYCLE_NS),
        window,
    })
}

fn rtl(args: &BoardArgs) -> Result<Made<RtlFast>> {
    // The one with a port, unless told otherwise.
    let default = if args.rdma { "rdma" } else { DEFAULT };
    let board = args.rtl.config(args.config.as_deref(), default)?;
    let name = board.shape().name;
    if mtu(args).is_some_and(|mtu| mtu != board.shape().mtu) {
        bail!(
            "the RTL board `{name}` was built for packets of {} bytes: leave --mtu out, or take --config wide or a software board",
            board.shape().mtu
        );
    }
    let built = RtlOptions { stamp: stamp(), ..RtlOptions::new(board) };
    let memory = args.memory.map_or(built.memory_limit, |size| size.0);
    let least = least_memory(board.shape());
    if memory < least {
        bail!(
            "a board of {} bytes cannot be made: the RTL board `{name}` needs {} or more, up to {}",
            Size::exact(memory),
            Size::exact(least),
            Size::exact(built.memory_limit)
        );
    }
    if memory > built.memory_limit {
        bail!(
            "the RTL board `{name}` was built for {}: ask for that much or less, or take a software board for {}",
            Size(built.memory_limit),
            Size(memory)
        );
    }
    let mut fast =
        RtlFast::new(RtlOptions { memory_limit: memory, ..built }).context("no such board can be started")?;
    args.rtl.begin_waves(&mut fast)?;
    let window = Duration::from_millis(args.window.unwrap_or(RTL_WINDOW_MS));
    let config = format!("{name}, {}, MTU {}", Size(memory), board.shape().mtu);
    Ok(Made { fast, name: "RTL", config, number: 2, cycle_ns: args.cycle.unwrap_or(RTL_CYCLE_NS), window })
}

fn mtu(args: &BoardArgs) -> Option<usize> {
    args.mtu.map(|Size(bytes)| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Where a board's secrets come from. A number that somebody has chosen is none, so that their tokens can be guessed.
fn randomness(seed: Option<u64>) -> [u8; 32] {
    let Some(seed) = seed else { return rand::random() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// What the board asks of its clients, and where it keeps what it remembers.
fn ask_tenants(
    args: &BoardArgs,
    listening: std::net::SocketAddr,
    name: &str,
    trailers: bool,
    randomness: [u8; 32],
    config: &mut Config,
) -> Result<(Decided, Option<FileEpochs>)> {
    let decided = args.tags.decide(listening, trailers, name)?;
    let mut kept = match &args.state {
        Some(path) => Some(FileEpochs::new(path)),
        None if decided.needs_key() && args.seed.is_none() => Some(FileEpochs::new(state_file(listening)?)),
        None => None,
    };
    if decided.needs_key() {
        decided.apply(&args.tags, board_key(kept.as_mut(), args.seed, randomness)?, config);
    }
    Ok((decided, kept))
}

/// Opens another port beside the network's, for a board with this MAC address and fast path.
type Opens<'a, F, B> = &'a dyn Fn(&RdmaSettings, [u8; 6], &mut F) -> Result<B>;

/// Serves until somebody interrupts.
fn serve<F: FastPath + NetworkPort + Mounted, B: Beside<Node<F>>>(
    args: &BoardArgs,
    port: Port,
    mut made: Made<F>,
    open: Opens<'_, F, B>,
) -> Result<()> {
    let seed = randomness(args.seed);
    let mut config = mneme_daemon::config(&mut made.fast, made.number, seed, made.cycle_ns, made.window);
    let listening = match &port {
        Port::Socket(socket) => {
            if !mneme_daemon::take_address(&mut config, socket) {
                tracing::warn!(
                    "a board behind a socket of any address cannot tell which one a client means: it has no trailers; \
                     listen on one address to have them"
                );
            }
            socket.local_addr().context("the socket's address")?
        }
        Port::Raw(raw) => {
            (config.mac, config.ip) = (raw.mac(), raw.address().ip().octets());
            config.udp_port = raw.address().port();
            raw.address().into()
        }
    };
    if let Some(folder) = &args.device {
        let Port::Socket(socket) = &port else {
            bail!("a board whose slow path is another program listens on a socket: --driver udp");
        };
        return device::serve(folder, made, &config, socket, args);
    }
    config.board_id = mneme_daemon::board_identity(listening);
    class::apply(&args.classes, &mut config.classes);
    shares::apply(&args.shares, &mut config.shares);
    let shared = mneme_slowpath::told_shares(&config.shares, &mut made.fast);
    let trailers = made.fast.read_register(Register::BuildFlags) & BUILD_TRAILERS != 0;
    let (decided, kept) = ask_tenants(args, listening, made.name, trailers, seed, &mut config)?;
    let wants_tags = config.tag_mode != TagMode::None;
    let settings = RdmaSettings {
        address: *args.listen.ip(),
        seed,
        wants_tags,
        silent: SILENT,
        ping_pong: args.peers.ping_pong,
        perftest: args.peers.perftest(),
        cap: args.peers.rdma_cap,
    };
    let mut beside = open(&settings, config.mac, &mut made.fast)?;
    config.roce = args.rdma;
    let announced = config.clone();
    let page_bits = made.fast.read_register(Register::PageBits).min(63);
    config.limits.tenant_reserve = args.reserve.map(|Size(bytes)| bytes.div_ceil(1 << page_bits));
    config.limits.overcommit = args.overcommit;
    let options = mneme_daemon::Options {
        capture: args.capture.clone(),
        tenants: decided.file.clone(),
        ..mneme_daemon::Options::of(&config, made.cycle_ns)
    };
    let mut epochs: Box<dyn EpochStore> = match kept {
        Some(kept) => Box::new(kept),
        None => Box::new(MemoryEpochs::default()),
    };
    let max_payload = made.fast.read_register(Register::MaxPayload) as usize;
    let mut wire: Box<dyn Wire + '_> = match port {
        Port::Socket(ref socket) => Box::new(SocketWire::new(socket, &options, waiting(args))?),
        Port::Raw(raw) => Box::new(raw.open(max_payload)?),
    };
    let mut node = Node::boot_with_workers(made.fast, config, epochs.as_mut(), args.workers as usize)
        .context("the board does not start")?;
    let (stop, asked) = signals()?;
    let info = node.slow().info();
    let given = args.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    // A board serves on when nobody reads what it prints.
    let _ = say!(
        "listening on {}: {} board ({}), {} for processes in pages of {}, window {:?}, epoch {}{given}",
        listening,
        made.name,
        made.config,
        Size(info.memory),
        Size(1 << info.page_bits),
        Duration::from_nanos(u64::from(info.window) * u64::from(info.ns_per_tick)),
        info.epoch,
    );
    for line in shared {
        let _ = say!("{line}");
    }
    if args.rdma {
        let _ = say!("RDMA on UDP {}:{}, see `mneme rdma`", args.listen.ip(), mneme_rdma::codec::ROCE_PORT);
        args.peers.tell(*args.listen.ip());
        args.peers.lend(listening, settings.perftest)?;
    }
    decided.announce(&announced);
    let report = |node: &mut Node<F>, statistics: &Statistics, beside: &B| {
        print_statistics(statistics, &beside.counted(), |number| node.counter(number));
    };
    let flags = (&*stop, &*asked);
    let statistics = serve_beside(&mut node, wire.as_mut(), &options, flags, report, &mut beside)?;
    print_statistics(&statistics, &beside.counted(), |number| node.counter(number));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_come_from_the_system_unless_a_number_is_given() {
        let (one, other) = (randomness(None), randomness(None));
        for at in (0..32).step_by(8) {
            let part = |bytes: [u8; 32]| <[u8; 8]>::try_from(&bytes[at..at + 8]).expect("eight bytes");
            assert!(part(one) != [0; 8] && part(one) != part(other), "{one:?} {other:?}");
        }
        assert_eq!(randomness(Some(7)), randomness(Some(7)));
        assert_ne!(randomness(Some(7)), randomness(Some(8)));
    }
}
