//! Bringing a fast path up: what it is, a zeroed table, the match-action table, addresses, then the enable bit.
use crate::classes;
use crate::config::Config;
use crate::core::Core;
use crate::epoch::{EpochStore, EpochStoreError, next_epoch};
use crate::groups;
use crate::leaf::LeafDriver;
use crate::roce::PORT;
use crate::station::Station;
use crate::{FastPath, pages::Pages};
use mneme_wire::payload::BoardInfo;
use mneme_wire::pte::{Geometry, GeometryError};
use mneme_wire::register::{BUILD_LEAF, BUILD_RDMA, BUILD_TRAILERS, CONTROL_ENABLE, MAGIC, MAT_ROWS};
use mneme_wire::{MatAction, Register, ReplaceStatus, TagMode, WIRE_VERSION};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha12Rng;

/// Why a board cannot be brought up.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    /// The register block does not begin with the magic number.
    #[error("register block begins with {0:#010x}, not with \"MNEM\": this is no Mneme board")]
    Magic(u32),
    /// The fast path speaks another wire version.
    #[error("the fast path speaks wire version {0}, this slow path speaks {WIRE_VERSION}")]
    Version(u32),
    /// The fast path's shape is impossible.
    #[error("the fast path's page table cannot be: {0}")]
    Geometry(#[from] GeometryError),
    /// Old state is left in the fast path: only a reset clears its TLB, queues and filter.
    #[error("the fast path has been in use since its reset; reset it before the slow path boots")]
    NotReset,
    /// The page table leaves no page for processes.
    #[error("the page table takes all {0} pages of memory")]
    NoPages(u64),
    /// The largest payload is outside 64 to 65,535 bytes.
    #[error("the fast path's largest payload of {0} bytes is outside 64 to 65535")]
    MaxPayload(u32),
    /// A setting of the configuration is impossible.
    #[error("configuration: {0}")]
    Config(&'static str),
    /// The fast path cannot have the shares of groups that are asked for.
    #[error("shares: {0}")]
    Shares(String),
    /// The operating system gives no threads.
    #[error("worker threads: {0}")]
    Threads(std::io::Error),
    /// The last epochs are not to be had.
    #[error(transparent)]
    Epoch(#[from] EpochStoreError),
}

/// Value and mask of one match-action row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    value: (u32, u32),
    mask: (u32, u32),
    action: MatAction,
}

const ARP: u32 = 0x0806 << 16;
const IPV4: u32 = 0x0800 << 16;
const ICMP: u32 = 1 << 8;
const UDP: u32 = 17 << 8;
const ETHERTYPE: u32 = 0xffff << 16;
const PROTOCOL: u32 = 0xff << 8;
/// Opcodes are assigned by their upper four bits.
const GROUP: u32 = 0xf0;

/// The match-action table (contracts §1, step 13), first match wins: ARP and ICMP go to the slow path; of our port the
/// opcodes 0x00 to 0x0f to the fast path, 0x10 to 0x2f to the slow path, the rest to the fast path, which answers
/// UNSUPPORTED. With `roce`, what comes for software's queue pairs goes to the slow path, too.
fn rows(port: u16, roce: bool) -> Vec<Row> {
    let port = (u32::from(port), 0xffff);
    let group = |group: u32, action| Row {
        value: (IPV4 | UDP | group, port.0),
        mask: (ETHERTYPE | PROTOCOL | GROUP, port.1),
        action,
    };
    let mut rows = vec![
        Row { value: (ARP, 0), mask: (ETHERTYPE, 0), action: MatAction::Slow },
        Row { value: (IPV4 | ICMP, 0), mask: (ETHERTYPE | PROTOCOL, 0), action: MatAction::Slow },
        group(0x00, MatAction::Fast),
        group(0x10, MatAction::Slow),
        group(0x20, MatAction::Slow),
        Row { value: (IPV4 | UDP, port.0), mask: (ETHERTYPE | PROTOCOL, port.1), action: MatAction::Fast },
    ];
    if roce {
        let port = (u32::from(PORT), 0xffff);
        let mask = (ETHERTYPE | PROTOCOL, port.1);
        rows.push(Row { value: (IPV4 | UDP, port.0), mask, action: MatAction::Slow });
    }
    rows
}

fn check(config: &Config) -> Result<(), BootError> {
    let wrong = |wrong, words| if wrong { Err(BootError::Config(words)) } else { Ok(()) };
    wrong(config.udp_port == 0, "UDP port 0")?;
    wrong(
        config.window_ticks == 0 || config.window_ticks >= 1 << 22,
        "the window must be 1 to 2^22 - 1 ticks",
    )?;
    wrong(config.ns_per_tick == 0, "a tick must last at least 1 ns")?;
    let period = config.key_period_ticks();
    let short = period != 0 && period < u64::from(config.slow_window_ticks());
    wrong(short, "keys must last for the slow path's window at least")?;
    wrong(config.mac[0] & 1 != 0 || config.mac == [0; 6], "the MAC address must be a unicast address")?;
    let ip = std::net::Ipv4Addr::from(config.ip);
    let unusable = ip.is_unspecified() || ip.is_broadcast() || ip.is_multicast();
    wrong(unusable, "the IPv4 address must be a unicast address")?;
    let l = &config.limits;
    let bounds = [
        l.processes,
        l.tenant_processes,
        l.ranges_per_process,
        l.quarantine,
        l.answers,
        l.outbox,
        l.frames_per_poll,
    ];
    let none = bounds.contains(&0) || l.bucket_share == 0 || l.search_probes == 0 || l.refusal_rate == 0;
    wrong(none, "a limit of 0 serves nobody")
}

/// Looks at the fast path, takes an epoch and starts to zero the table. [`Station`] goes on from there, poll by poll.
pub(crate) fn boot<F: FastPath + ?Sized>(
    config: Config,
    fp: &mut F,
    store: &mut dyn EpochStore,
) -> Result<(Core, Station), BootError> {
    check(&config)?;
    let magic = fp.read_register(Register::Magic);
    if magic != MAGIC {
        return Err(BootError::Magic(magic));
    }
    let version = fp.read_register(Register::WireVersion);
    if version != u32::from(WIRE_VERSION) {
        return Err(BootError::Version(version));
    }
    let limit = fp.memory_limit();
    let mut shape = |register| fp.read_register(register);
    let bits = (shape(Register::PageBits), shape(Register::MemBits), shape(Register::SlotsLog2));
    let geometry = Geometry::new(bits.0, bits.1, bits.2)?;
    let offered = limit.map_or(u64::MAX, |bytes| bytes >> geometry.page_bits());
    let pages = geometry.pages().min(offered);
    let flags = shape(Register::BuildFlags);
    // Leaf tables and ring lie behind the page table.
    let leaf_pages = if flags & BUILD_LEAF != 0 { geometry.leaf_pages() } else { 0 };
    let taken = geometry.table_pages() + leaf_pages;
    if taken >= pages {
        return Err(BootError::NoPages(pages));
    }
    let max_payload = shape(Register::MaxPayload);
    let payload = u16::try_from(max_payload).ok().filter(|p| *p >= 64);
    let max_payload = payload.ok_or(BootError::MaxPayload(max_payload))?;
    let filter_entries = shape(Register::FilterEntries);
    let trailers = flags & BUILD_TRAILERS != 0;
    if !trailers && config.tag_mode != TagMode::None {
        return Err(BootError::Config("tags are asked for, and the fast path has no trailers"));
    }
    let idle = shape(Register::ReplaceStatus) == u32::from(ReplaceStatus::Idle.number());
    if !idle || shape(Register::AsyncLevel) != 0 || shape(Register::ZeroPending) != 0 {
        return Err(BootError::NotReset);
    }
    groups::check_on(&config.shares, fp).map_err(BootError::Shares)?;
    fp.write_register(Register::Control, 0);
    let mut rng = ChaCha12Rng::from_seed(config.seed);
    rng.set_stream(1);
    let epoch = next_epoch(store, rng.next_u32() as u8)?;
    let info = BoardInfo {
        board_id: config.board_id,
        nonce: rng.next_u64(),
        token: 0,
        tick: 0,
        window: config.window_ticks,
        ns_per_tick: config.ns_per_tick,
        capabilities: 0,
        memory: (pages - taken) << geometry.page_bits(),
        max_payload,
        page_bits: geometry.page_bits() as u8,
        epoch,
        key_phase: 0,
        filter_entries,
        tick_high: 0,
        key_hint: 0,
    };
    let pages = Pages::new(pages as usize, taken as usize);
    let tick_log2 = fp.read_register(Register::TickLog2);
    let leaf = if flags & BUILD_LEAF != 0 { LeafDriver::of(fp, &geometry) } else { None };
    let station = Station::new(&config, &geometry, (pages, tick_log2), leaf);
    Ok((Core::new(config, geometry, info, flags), station))
}

/// Writes everything that the fast path needs to serve, and the enable bit last. Answers the value of CONTROL.
pub(crate) fn enable<F: FastPath + ?Sized>(core: &Core, fp: &mut F) -> u32 {
    let config = &core.config;
    let roce = config.roce && fp.read_register(Register::BuildFlags) & BUILD_RDMA != 0;
    let rows = rows(config.udp_port, roce);
    for number in 0..MAT_ROWS {
        let row = rows.get(number);
        if let Some(row) = row {
            fp.write_register(Register::MatValue0, row.value.0);
            fp.write_register(Register::MatValue1, row.value.1);
            fp.write_register(Register::MatMask0, row.mask.0);
            fp.write_register(Register::MatMask1, row.mask.1);
        }
        let action = row.map_or(0, |row| u32::from(row.action.number()) << 8 | 1 << 16);
        fp.write_register(Register::MatCommit, number as u32 | action);
    }
    let mac = config.mac;
    fp.write_register(Register::MacHigh, u32::from_be_bytes([0, 0, mac[0], mac[1]]));
    fp.write_register(Register::MacLow, u32::from_be_bytes([mac[2], mac[3], mac[4], mac[5]]));
    fp.write_register(Register::Ip, u32::from_be_bytes(config.ip));
    fp.write_register(Register::UdpPort, u32::from(config.udp_port));
    fp.write_register(Register::BusyHint, config.busy_hint_ns);
    fp.write_register(Register::Window, config.window_ticks);
    let tick_log2 = fp.read_register(Register::TickLog2);
    classes::write(&config.classes, (config.ns_per_tick, tick_log2), fp);
    groups::write(&config.shares, core.groups(), fp);
    fp.write_register(Register::Epoch, u32::from(core.info.epoch));
    if let Some(keys) = &core.keys {
        keys.write(config, fp);
    }
    fp.write_register(Register::Control, CONTROL_ENABLE);
    CONTROL_ENABLE
}
