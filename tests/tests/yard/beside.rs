//! What a quiet tenant's READs take on the RTL beside work that another tenant makes for the slow path, in the board's own cycles: the same
//! in every run, whatever else the machine does. READs come by themselves, at a pace that no answer changes, whenever cycles pass, those of
//! the slow path's register accesses among them. What the slow path's processor thinks takes no board time; so each attack is met by a slow
//! path that stands still, too, as one does that thinks for ever.
use mneme_model::node::{CYCLE_NS, Node};
use mneme_model::port::NetworkPort;
use mneme_rtl::{LoadKind, LoadPage, LoadPlan, LoadResult, RtlConfig, RtlFast, RtlOptions};
use mneme_slowpath::FastPath;
use mneme_tests::yard::{Raw, Shared, Yard, lock};
use mneme_wire::frame::{MNEME_OFFSET, UdpFrame};
use mneme_wire::payload::{Alloc, RangeRights};
use mneme_wire::{Counter, Opcode, Pid, Register, Rights, Tick, Va};

/// Cycles of memory, and from one READ to the next, as in `TenantFlood` of `hw/`.
const MEMORY: u32 = 30;
const EVERY: u64 = 40;
/// READs that are measured: alone, and beside each attack.
const READS: u64 = 1_000;
/// ALLOCs that come one behind the other, as fast as a wire of 10 Gbit/s carries them: bits of it in a cycle, and a frame's preamble, check
/// sequence and gap.
const BURST: u64 = 2_048;
const WIRE_BITS: u64 = 40;
const AROUND: u64 = 24;
/// Pages of the process that ends, those of them that were written to (the RTL has 1,024), and those of one range.
const PAGES: u64 = 2_048;
const WRITTEN: u64 = 128;
const RANGE: u64 = 32;
/// Goals: times the p99 alone; the longest READ, times the same; and nanoseconds in which all of it has ended.
const P99: u64 = 2;
const LONGEST: u64 = 4;
const END_NS: u64 = 5_000_000;

struct Scene {
    yard: Shared<RtlFast>,
    plan: LoadPlan,
    attacker: Raw<RtlFast>,
    pid: u32,
    alone: LoadResult,
}

impl Scene {
    fn new() -> Scene {
        let options =
            RtlOptions { dram_latency: MEMORY, skip_idle: false, ..RtlOptions::new(RtlConfig::Sim) };
        let fast = RtlFast::new(options).expect("the RTL starts");
        // Half of the table is one process's, so that it can have 2,048 pages.
        let yard = Yard::new(fast, 1, 0..0, |config| config.limits.bucket_share = 8);
        let yard = yard.expect("it comes up").shared();
        let mut reader = Raw::new(&yard, [10, 78, 1, 1], 20_000).expect("the board answers");
        let pid = reader.open(0).expect("a process");
        let va = reader.alloc(pid, 1, Rights::READ_WRITE).expect("a page");
        assert!(reader.write(pid, va, &[7; 64]).expect("an answer").is_ok());
        let plan = LoadPlan {
            seed: 1,
            requests: READS,
            window: 1,
            sources: 4,
            first_id: 1,
            kinds: vec![LoadKind {
                frame: frame(lock(&yard).node(), &mut reader, (Opcode::Read, pid, va), &[]),
                weight: 1,
                offset: 0,
                stride: 64,
                places: 1,
            }],
            pages: vec![LoadPage { pid: Pid::from_low_bits(pid), va }],
            hot_pages: 1,
            hot_share: 1.0,
            hot_rate: 1.0 / EVERY as f64,
            hot_window: READS,
            ..LoadPlan::default()
        };
        let mut attacker = Raw::new(&yard, [10, 78, 2, 1], 20_001).expect("the board answers");
        let pid = attacker.open(0).expect("a process");
        let mut node = lock(&yard);
        let alone = read(&plan, node.node(), |node| node.run(2 * READS * EVERY)).0;
        drop(node);
        Scene { yard, plan, attacker, pid, alone }
    }
    /// READs beside work, which must take as long as they do, and the cycles that it takes.
    #[track_caller]
    fn beside(&mut self, what: &str, work: impl FnMut(&mut Node<RtlFast>, &mut Raw<RtlFast>)) -> u64 {
        let mut yard = lock(&self.yard);
        let mut work = work;
        let attacker = &mut self.attacker;
        let (beside, cycles) = read(&self.plan, yard.node(), |node| work(node, attacker));
        let ([_, half, p99, longest], alone) = (beside.latency, self.alone.latency);
        println!(
            "{what}: {cycles} cycles; READ p50 {half}, p99 {p99}, longest {longest} cycles, alone {}, {}, {}",
            alone[1], alone[2], alone[3]
        );
        assert!(beside.cycles <= cycles, "{what}: the last READs had nothing beside them");
        assert_eq!((beside.ok, beside.other), (READS, 0), "{what}");
        assert!(p99 <= P99 * alone[2], "{what}: p99 {p99} cycles, alone {}", alone[2]);
        assert!(longest <= LONGEST * alone[2], "{what}: {longest} cycles");
        cycles
    }
    /// Ranges of the attacker's, some of whose pages were written to.
    fn own(&mut self) -> Vec<u64> {
        let page = self.attacker.page();
        let mut ranges = Vec::new();
        for range in 0..PAGES / RANGE {
            let written = range * RANGE < WRITTEN;
            let rights = if written { Rights::READ_WRITE } else { Rights::READ_ONLY };
            let va = self.attacker.alloc(self.pid, RANGE, rights).expect("pages");
            for nth in (0..RANGE).filter(|_| written) {
                let answer = self.attacker.write(self.pid, va + nth * page, &[0xa5; 8]);
                assert!(answer.expect("an answer").is_ok());
            }
            ranges.push(va);
        }
        ranges
    }
    /// Entries of the page table that are somebody's.
    fn slots(&self) -> u64 {
        lock(&self.yard).node().slow().inspect(|space| space.slots_used())
    }
}

/// READs while `work` goes on, and the cycles that it took.
fn read(
    plan: &LoadPlan,
    node: &mut Node<RtlFast>,
    work: impl FnOnce(&mut Node<RtlFast>),
) -> (LoadResult, u64) {
    let began = node.fast().cycles();
    node.fast().begin_load(plan).expect("a sound plan");
    work(node);
    let ended = node.fast().cycles();
    node.fast().run_load(READS * EVERY);
    (node.fast().end_load(plan).expect("no READ is lost"), ended - began)
}

/// A request as a frame, as of now.
fn frame(
    node: &mut Node<RtlFast>,
    raw: &mut Raw<RtlFast>,
    (opcode, pid, va): (Opcode, u32, u64),
    payload: &[u8],
) -> Vec<u8> {
    let length = if opcode == Opcode::Read { 64 } else { payload.len() as u16 };
    let mut request = raw.request(opcode, pid, va, length);
    request.time = Tick::from_low_bits(node.fast().read_register(Register::Tick));
    let datagram = [&request.to_bytes()[..], payload].concat();
    let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
    let udp = UdpFrame { endpoints: raw.endpoints, datagram: &datagram };
    udp.emit(false, &mut frame).expect("room");
    frame
}

/// Somebody who has all that he gets, with room for one page here and there, for two nowhere; ALLOCs that must be refused, of every kind.
fn refused(scene: &mut Scene) -> Vec<(Alloc, u64)> {
    let (pid, attacker) = (scene.pid, &mut scene.attacker);
    let (page, memory) = (attacker.page(), attacker.info.memory);
    let single: Vec<u64> =
        (0..32).map(|_| attacker.alloc(pid, 1, Rights::READ_ONLY).expect("a page")).collect();
    let mut pages = 256;
    while pages > 0 {
        let ask = Alloc::request(pages * page, Rights::READ_ONLY).to_bytes();
        if !attacker.ask(Opcode::Alloc, pid, 0, 0, &ask).expect("an answer").is_ok() {
            pages /= 2;
        }
    }
    for va in single.iter().step_by(2) {
        assert!(attacker.free(pid, *va).expect("an answer").is_ok());
    }
    let read = |pages: u64| Alloc::request(pages * page, Rights::READ_ONLY);
    let at = |pages: u64| Alloc { fixed: true, ..read(pages) };
    vec![
        (read(2), 0),
        (read(64), 0),
        (read(memory / page / 2), 0),
        (read(memory / page), 0),
        (Alloc::request(memory * 16, Rights::READ_WRITE), 0),
        (at(1), single[1]),
        (at(memory / page / 2), 0),
        (at(2), Va::LIMIT - page),
    ]
}

#[test]
fn refused_allocs_on_the_rtl() {
    let mut scene = Scene::new();
    let asks = refused(&mut scene);
    let (slots, pid) = (scene.slots(), scene.pid);
    for (who, serves) in [("", true), (", by a slow path that stands still", false)] {
        let count = |node: &mut Node<RtlFast>| node.fast().read_counter(Counter::SlowTx);
        let before = count(lock(&scene.yard).node());
        scene.beside(&format!("{BURST} refused ALLOCs{who}"), |node, attacker| {
            let mut due = node.fast().cycles();
            for nth in 0..BURST {
                let (ask, va) = &asks[nth as usize % asks.len()];
                let frame = frame(node, attacker, (Opcode::Alloc, pid, *va), &ask.to_bytes());
                assert!(node.submit(&frame).is_ok(), "the port is busy");
                due += (8 * (frame.len() as u64 + AROUND)).div_ceil(WIRE_BITS);
                let cycles = due.saturating_sub(node.fast().cycles());
                if serves { node.run(cycles) } else { node.fast().run(cycles) }
            }
        });
        let came = count(lock(&scene.yard).node()) - before;
        println!("the slow path got {came} of them");
        assert!(!serves || u64::from(came) > BURST / 4, "{came}");
    }
    lock(&scene.yard).pass(1 << 16).expect("the board is up");
    assert_eq!(scene.slots(), slots, "each was refused");
}

#[test]
fn the_end_of_2048_pages_on_the_rtl() {
    for opcode in [Opcode::Exit, Opcode::Free] {
        let mut scene = Scene::new();
        let (before, ranges) = (scene.slots(), scene.own());
        assert_eq!(scene.slots(), before + PAGES);
        let pid = scene.pid;
        let payload = RangeRights::default().to_bytes();
        let mut requests: Vec<_> = match opcode {
            Opcode::Exit => vec![(0, &[][..])],
            _ => ranges.iter().map(|va| (*va, &payload[..])).collect(),
        };
        let cycles = scene.beside(opcode.name(), |node, attacker| {
            for (va, payload) in requests.drain(..) {
                let frame = frame(node, attacker, (opcode, pid, va), payload);
                assert!(node.submit(&frame).is_ok(), "the port is busy");
                while !node.fast().taken() || node.fast().slow_waiting() == 0 {
                    node.fast().run(8);
                }
                // It is served within one poll.
                while node.fast().slow_waiting() != 0 {
                    node.run(64);
                }
            }
        });
        assert_eq!(scene.slots(), before, "{opcode}: all pages are gone");
        assert!(cycles * CYCLE_NS <= END_NS, "{opcode}: {} ns", cycles * CYCLE_NS);
    }
}
