//! The machine: kernel, processors, clock, memory, limits, privileges.
use super::check::{Check, system_file, system_number};
use rustix::process::{Resource, getrlimit};
use rustix::thread::{CapabilitySet, capabilities, sched_getaffinity};
use std::time::{Duration, Instant};

/// Linux that has all that the drivers use: UDP_GRO came with 5.0, XDP links with 5.9.
const KERNEL: (u32, u32) = (5, 9);
/// Readings of the clock, and naps, of which the middle one counts.
const READINGS: u32 = 10_000;
const NAPS: usize = 21;
const NAP: Duration = Duration::from_micros(100);
const MIB: u64 = 1 << 20;

pub fn checks() -> Vec<Check> {
    vec![
        kernel(),
        processors(),
        affinity(),
        clock_source(),
        clock_resolution(),
        clock_cost(),
        wake_up(),
        memory(),
        huge_pages(),
        open_files(),
        capability("CAP_NET_RAW", CapabilitySet::NET_RAW, "the drivers pnet, tpacket and afxdp"),
        capability("CAP_NET_ADMIN", CapabilitySet::NET_ADMIN, "the driver afxdp"),
        capability("CAP_BPF", CapabilitySet::BPF, "the driver afxdp"),
    ]
}

fn kernel() -> Check {
    let (name, release) = ("kernel", system_file("/proc/sys/kernel/osrelease").unwrap_or_default());
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let remedy = "Linux 5.9 or later has all that the drivers use; the driver udp works with any";
    Check::expect(name, version >= KERNEL, format!("Linux {release}"), remedy)
}

fn processors() -> Check {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let remedy = "leave --spin alone: with one processor both ends take turns";
    Check::expect("processors", count > 1, format!("{count} for this process"), remedy)
}

fn affinity() -> Check {
    let name = "processor affinity";
    let Ok(set) = sched_getaffinity(None) else { return Check::ok(name, "the system does not tell") };
    let online = system_file("/sys/devices/system/cpu/online").unwrap_or_default();
    let last: u32 = online.rsplit([',', '-']).next().and_then(|last| last.parse().ok()).unwrap_or(0);
    let found = format!("{} of processors {online}", set.count());
    let remedy = "`taskset -p` shows and changes which processors may run this program";
    Check::expect(name, set.count() > last, found, remedy)
}

fn clock_source() -> Check {
    let source = system_file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let source = source.unwrap_or_else(|| "unknown".into());
    let quick = ["tsc", "arch_sys_counter", "kvm-clock", "hyperv_clocksource_tsc_page"];
    let remedy = "a clock that is read without a system call (tsc): each operation reads it twice";
    Check::expect("clock source", quick.contains(&source.as_str()), source, remedy)
}

fn clock_resolution() -> Check {
    let resolution = rustix::time::clock_getres(rustix::time::ClockId::Monotonic);
    let ns = resolution.tv_sec.saturating_mul(1_000_000_000).saturating_add(resolution.tv_nsec);
    let remedy = "boot the kernel with high resolution timers: round trips are measured with this clock";
    Check::expect("clock resolution", ns <= 1_000, format!("{ns} ns, monotonic"), remedy)
}

fn clock_cost() -> Check {
    let began = Instant::now();
    let mut last = began;
    let mut backwards = 0;
    for _ in 0..READINGS {
        let now = Instant::now();
        backwards += u32::from(now < last);
        last = now;
    }
    let each = (last - began).as_nanos() / u128::from(READINGS);
    if backwards > 0 {
        let remedy = "boot with another clock source: retries and the board's time rely on it";
        return Check::fail("clock reading", format!("{backwards} of {READINGS} went backwards"), remedy);
    }
    let remedy = "take the clock source tsc: each operation reads the clock twice";
    Check::expect("clock reading", each < 500, format!("{each} ns each, never backwards"), remedy)
}

fn wake_up() -> Check {
    let mut late: Vec<Duration> = (0..NAPS)
        .map(|_| {
            let began = Instant::now();
            std::thread::sleep(NAP);
            began.elapsed().saturating_sub(NAP)
        })
        .collect();
    late.sort();
    let middle = late[NAPS / 2];
    let remedy = "the machine is busy or saves power: --spin does without waking up";
    Check::expect("wake-up", middle < Duration::from_millis(1), format!("{middle:.1?} late, median"), remedy)
}

fn memory() -> Check {
    let field = |text: &str| {
        let kib = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        kib.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    let mib = system_file("/proc/meminfo").and_then(|text| field(&text)).unwrap_or(0) / 1024;
    let remedy = "a software board wants its --memory, 1 GiB by default, as it is written";
    Check::expect("memory", mib >= 512, format!("{mib} MiB available"), remedy)
}

fn huge_pages() -> Check {
    let count = system_number("/proc/sys/vm/nr_hugepages").unwrap_or(0);
    let transparent = system_file("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    let chosen = transparent.split('[').nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("unknown");
    Check::ok("huge pages", format!("{count} reserved, transparent: {chosen}; nothing here needs them"))
}

fn open_files() -> Check {
    let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let remedy = "`ulimit -n 4096`: a client takes up to four descriptors";
    Check::expect("open files", most >= 1024, format!("up to {most}"), remedy)
}

fn capability(name: &'static str, wanted: CapabilitySet, what: &str) -> Check {
    let has = capabilities(None).is_ok_and(|sets| sets.effective.contains(wanted));
    let remedy = format!(
        "for {what}: run as root, or `setcap {}+ep $(command -v mneme)`; the driver udp needs none",
        name.to_ascii_lowercase()
    );
    Check::expect(name, has, if has { "held" } else { "not held" }, &remedy)
}

/// Bytes in words.
pub fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / MIB as f64)
}
