//! ReDMArk's attacks on the RTL's port, under the names that they have on the model of a node (`rdma/tests/node/attacks`), whose rows
//! docs/explanation/security.md has.
#![cfg(feature = "rdma")]
use mneme_differential::roce::hand::{self, fast};
use mneme_differential::roce::{Answer, Board};
use mneme_rdma::codec::{AtomicEth, Extensions, Opcode, Psn, Reth};
use mneme_rtl::RtlFast;
use mneme_slowpath::{RoceQueuePair, RoceRefused, RoceRegion};
use mneme_wire::pte;
use mneme_wire::roce::{ROCE_RIGHT_ATOMIC, ROCE_RIGHT_READ, ROCE_RIGHT_WRITE};
use mneme_wire::{RoceCounter, RoceResult};

/// The victim's queue pair, the attacker's, and their addresses.
const VICTIM: u32 = 0x1a35;
const ATTACKER: u32 = 0x17e2;
const PEER: [u8; 4] = [10, 0, 0, 2];
const OTHER: [u8; 4] = [10, 0, 0, 66];
/// The first address of both processes, 1 and 2, and the bytes of a page, of which each has two.
const VA: u64 = 0x7f00_0000_0000;
const PAGE: u64 = 1 << 20;
const SECRET: [u8; 16] = *b"nobody else's...";
const RIGHTS: [u32; 3] = [ROCE_RIGHT_READ, ROCE_RIGHT_WRITE, ROCE_RIGHT_ATOMIC];
/// Syndromes.
const ACK: u8 = 0x1f;
const INVALID: u8 = 0x61;
const ACCESS: u8 = 0x62;

/// A frame that comes from an address.
struct Comes<'a> {
    qpn: u32,
    source: [u8; 4],
    psn: u32,
    opcode: Opcode,
    extensions: Extensions,
    payload: &'a [u8],
}

/// A board whose victim, process 1, has a secret in its first page; the attacker is process 2, of another address.
struct Scene<'a> {
    board: Board<'a>,
    /// The victim's key, and the attacker's own.
    rkey: u32,
    own: u32,
    /// The next packet of the victim.
    next: u32,
}

fn reth(rkey: u32, va: u64, length: usize) -> Extensions {
    Extensions { reth: Some(Reth { va, rkey, length: length as u32 }), ..Extensions::default() }
}
/// Numbers that look random, always the same.
fn drawn(count: u64) -> impl Iterator<Item = u32> {
    (1..=count).map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32)
}
/// Whether an answer gives something of the secret away.
fn leaks(answers: &[Answer]) -> bool {
    let tells = |frame: &[u8]| frame.windows(8).any(|part| SECRET.windows(8).any(|own| own == part));
    answers.iter().any(|answer| tells(&answer.0))
}
fn syndromes(answers: &[Answer]) -> Vec<u8> {
    answers.iter().map(Answer::syndrome).collect()
}

impl<'a> Scene<'a> {
    fn new(fast: &'a mut RtlFast, hardened: bool) -> Scene<'a> {
        let mut board = Board::boot(fast, 4).expect("it boots");
        for pid in [1, 2] {
            for page in 0..2 {
                board.allocate((pid, VA / PAGE + page), pte::READ | pte::WRITE).expect("room");
            }
        }
        let (rkey, own) = (0x2f00_1a35, 0x2f00_17e2);
        let mut scene = Scene { board, rkey, own, next: 0 };
        for (qpn, pid, peer_ip, key) in [(VICTIM, 1, PEER, rkey), (ATTACKER, 2, OTHER, own)] {
            scene.grant(RoceRegion { key, pid, va: VA, length: 2 * PAGE, rights: RIGHTS.iter().sum() });
            scene.create(qpn, pid, peer_ip, hardened).expect("a queue pair");
        }
        assert_eq!(syndromes(&scene.of_victim(Opcode::WriteOnly, VA, &SECRET)), [ACK]);
        scene
    }
    fn grant(&mut self, region: RoceRegion) {
        self.board.port(|port| port.grant(&region)).expect("a region");
    }
    fn create(&mut self, qpn: u32, pid: u32, peer_ip: [u8; 4], hardened: bool) -> Result<(), RoceRefused> {
        let pair = RoceQueuePair {
            qpn,
            peer_qpn: qpn,
            peer_ip,
            peer_mac: hand::mac(peer_ip),
            source_port: hand::SOURCE_PORT,
            pkey: 0xffff,
            pid,
            psn: 0,
            mtu_code: 5,
            hardened,
            rate: 0,
            frees: None,
        };
        self.board.port(|port| Ok(port.create(&pair))).expect("a port")
    }

    /// Frames come back to back. Answers all that leaves.
    fn deliver(&mut self, all: &[Comes<'_>]) -> Vec<Answer> {
        hand::deliver(&mut self.board, all.iter().map(frame))
    }
    fn one(&mut self, comes: Comes<'_>) -> Vec<Answer> {
        self.deliver(&[comes])
    }
    /// The victim's next request, of the bytes of its payload or, a READ, of 16.
    fn of_victim(&mut self, opcode: Opcode, va: u64, payload: &[u8]) -> Vec<Answer> {
        let length = if payload.is_empty() { 16 } else { payload.len() };
        self.next += 1;
        let (psn, extensions) = (self.next - 1, reth(self.rkey, va, length));
        self.one(Comes { qpn: VICTIM, source: PEER, psn, opcode, extensions, payload })
    }
    fn count(&mut self, counter: RoceCounter) -> u64 {
        self.board.counted(counter).expect("a counter")
    }
    fn counts<const N: usize>(&mut self, counters: [RoceCounter; N]) -> [u64; N] {
        counters.map(|counter| self.count(counter))
    }
    /// The victim has what it had, and its connection works.
    fn unharmed(&mut self) {
        let mut page = vec![0; PAGE as usize];
        page[..16].copy_from_slice(&SECRET);
        assert!(
            self.board.page((1, VA / PAGE)).expect("an entry") == Some(page),
            "the victim's page has changed"
        );
        let answers = self.of_victim(Opcode::ReadRequest, VA, &[]);
        assert!(leaks(&answers) && answers.len() == 1, "the victim's connection: {answers:?}");
    }
}

fn frame(comes: &Comes<'_>) -> Vec<u8> {
    let Comes { qpn, source, psn, opcode, extensions, payload } = *comes;
    hand::frame(source, qpn, Psn::from_low_bits(psn), opcode, extensions, payload)
}

#[test]
fn a_guessed_key_opens_nothing() {
    let mut fast = fast(1);
    let mut scene = Scene::new(&mut fast, true);
    let (rkey, own) = (scene.rkey, scene.own);
    // One bit beside the victim's, of its row with other random bits, and of no row.
    let beside = (0..32).map(|bit| rkey ^ 1 << bit);
    let of_row = drawn(500).map(|random| random << 8 | rkey & 0xff);
    let all: Vec<u32> =
        beside.chain(of_row).chain(drawn(200)).filter(|key| *key != rkey && *key != own).collect();
    for keys in all.chunks(8) {
        let read = |rkey: &u32, qpn, source, psn| Comes {
            qpn,
            source,
            psn,
            opcode: Opcode::ReadRequest,
            extensions: reth(*rkey, VA, 16),
            payload: &[],
        };
        let next = scene.next;
        let guesses: Vec<_> = keys
            .iter()
            .flat_map(|key| [read(key, VICTIM, PEER, next), read(key, ATTACKER, OTHER, 0)])
            .collect();
        let answers = scene.deliver(&guesses);
        assert!(answers.is_empty(), "keys {keys:x?} are answered: {answers:?}");
    }
    let wrong = 2 * all.len() as u64;
    assert_eq!(scene.counts([RoceCounter::Key, RoceCounter::Hardened]), [wrong, wrong]);
    scene.unharmed();
}

#[test]
fn a_wrong_key_ends_an_ordinary_queue_pair_and_what_has_ended_in_an_error_is_served_no_more() {
    let mut fast = fast(2);
    let mut scene = Scene::new(&mut fast, false);
    let (rkey, own) = (scene.rkey, scene.own);
    let by = |psn, rkey, payload| Comes {
        qpn: ATTACKER,
        source: OTHER,
        psn,
        opcode: Opcode::WriteOnly,
        extensions: reth(rkey, VA, 8),
        payload,
    };
    assert_eq!(syndromes(&scene.one(by(0, rkey ^ 1 << 31, b"attacker"))), [ACCESS]);
    let more: Vec<_> = (0..10).map(|_| by(0, own, &b"attacker"[..])).collect();
    assert!(scene.deliver(&more).is_empty(), "a guess costs a connection");
    use RoceCounter::{Key, QueuePairInError, Writes};
    assert_eq!(scene.counts([Key, QueuePairInError, Writes]), [1, 10, 1]);
    scene.unharmed();
}

#[test]
fn a_guessed_queue_pair_number_meets_silence() {
    let mut fast = fast(5);
    let mut scene = Scene::new(&mut fast, false);
    let extensions = reth(scene.rkey, VA, 8);
    let numbers: Vec<u32> = (0x1000..0x2000).filter(|qpn| *qpn != ATTACKER).collect();
    for qpns in numbers.chunks(16) {
        let write = |qpn: &u32| Comes {
            qpn: *qpn,
            source: OTHER,
            psn: 1,
            opcode: Opcode::WriteOnly,
            extensions,
            payload: b"attacker",
        };
        let writes: Vec<_> = qpns.iter().map(write).collect();
        assert!(scene.deliver(&writes).is_empty(), "a stranger is answered");
    }
    assert_eq!(scene.counts([RoceCounter::UnknownQueuePair, RoceCounter::WrongSource]), [4094, 1]);
    scene.unharmed();
}

#[test]
fn a_forged_source_with_a_guessed_packet_number_executes_nothing() {
    let mut fast = fast(4);
    let mut scene = Scene::new(&mut fast, false);
    let (next, extensions) = (Psn::from_low_bits(scene.next), reth(scene.rkey, VA, 8));
    let guesses: Vec<Psn> = drawn(2_000).map(Psn::from_low_bits).filter(|psn| *psn != next).collect();
    for psns in guesses.chunks(16) {
        let write = |psn: &Psn| Comes {
            qpn: VICTIM,
            source: PEER,
            psn: psn.number(),
            opcode: Opcode::WriteOnly,
            extensions,
            payload: b"attacker",
        };
        let answers = scene.deliver(&psns.iter().map(write).collect::<Vec<_>>());
        assert!(!leaks(&answers));
    }
    let gaps = guesses.iter().filter(|psn| next.is_before(**psn)).count() as u64;
    use RoceCounter::{AheadOfGap, DuplicateWrites, Gap, Writes};
    let behind = guesses.len() as u64 - gaps;
    assert_eq!(scene.counts([Writes, Gap, AheadOfGap, DuplicateWrites]), [1, 1, gaps - 1, behind]);
    scene.unharmed();
}

#[test]
fn an_error_that_is_forged_ends_no_hardened_queue_pair() {
    for hardened in [false, true] {
        let mut fast = fast(6);
        let mut scene = Scene::new(&mut fast, hardened);
        let (psn, rkey) = (scene.next, scene.rkey);
        let wrong = [
            (Opcode::WriteOnly, reth(rkey ^ 1 << 20, VA, 8), &[1; 8][..], RoceCounter::Key),
            (Opcode::WriteOnly, reth(rkey, VA + 2 * PAGE, 8), &[1; 8], RoceCounter::Range),
            (Opcode::WriteMiddle, Extensions::default(), &[1; 4096], RoceCounter::Order),
            (Opcode::WriteOnly, reth(rkey, VA, 9), &[1; 8], RoceCounter::Total),
        ];
        let tried = if hardened { wrong.len() } else { 1 };
        let mut answers = Vec::new();
        for (opcode, extensions, payload, counter) in wrong.into_iter().take(tried) {
            answers.extend(scene.one(Comes { qpn: VICTIM, source: PEER, psn, opcode, extensions, payload }));
            assert_eq!(scene.count(counter), 1, "{opcode:?}");
        }
        assert_eq!(answers.is_empty(), hardened, "{answers:?}");
        assert_eq!(scene.count(RoceCounter::Hardened), if hardened { 4 } else { 0 });
        if hardened {
            scene.unharmed();
        } else {
            let progress = scene.board.port(|port| port.query(VICTIM)).expect("it is there");
            assert!(progress.in_error, "as RoCEv2 has it");
        }
    }
}

#[test]
fn a_spoofed_source_is_dropped_whatever_else_is_right() {
    let mut fast = fast(7);
    let mut scene = Scene::new(&mut fast, false);
    let (psn, extensions) = (scene.next, reth(scene.rkey, VA, 8));
    for (opcode, payload) in [(Opcode::ReadRequest, &[][..]), (Opcode::WriteOnly, b"attacker")] {
        let answers = scene.one(Comes { qpn: VICTIM, source: OTHER, psn, opcode, extensions, payload });
        assert!(answers.is_empty(), "{answers:?}");
    }
    assert_eq!(scene.count(RoceCounter::WrongSource), 2);
    scene.unharmed();
}

#[test]
fn another_tenants_region_gives_nothing_and_takes_nothing() {
    let mut fast = fast(8);
    let mut scene = Scene::new(&mut fast, true);
    let (rkey, own) = (scene.rkey, scene.own);
    let (mut cases, mut psn) = (0, 0);
    let starts =
        [VA, VA + 1, VA + 8, VA + PAGE - 8, VA + 2 * PAGE - 8, VA + 2 * PAGE, VA - 8, 0, u64::MAX - 7];
    for va in starts {
        for length in [0usize, 1, 8, 16, 4096] {
            for opcode in [Opcode::ReadRequest, Opcode::WriteOnly, Opcode::FetchAdd, Opcode::CompareSwap] {
                let atomic = Some(AtomicEth { va, rkey, swap_or_add: 1, compare: 0 });
                let extensions = Extensions { atomic, ..reth(rkey, va, length) };
                let payload = vec![0x66; if opcode == Opcode::WriteOnly { length } else { 0 }];
                let before = scene.count(RoceCounter::Hardened);
                let comes =
                    Comes { qpn: ATTACKER, source: OTHER, psn, opcode, extensions, payload: &payload };
                let answers = scene.one(comes);
                assert!(!leaks(&answers), "{opcode:?} of {length} bytes at {va:#x}: {answers:?}");
                // An empty access touches nothing, and needs no key.
                let empty = length == 0 && matches!(opcode, Opcode::ReadRequest | Opcode::WriteOnly);
                let refused = scene.count(RoceCounter::Hardened) - before;
                assert_eq!(refused, u64::from(!empty), "{opcode:?} of {length} bytes at {va:#x}");
                psn += u32::from(empty);
                cases += 1;
            }
        }
        // Its own pages at the same addresses are its own.
        let extensions = reth(own, VA, 16);
        let opcode = Opcode::ReadRequest;
        let answers =
            scene.one(Comes { qpn: ATTACKER, source: OTHER, psn, opcode, extensions, payload: &[] });
        assert!(!leaks(&answers) && answers.len() == 1, "the same address is another page: {answers:?}");
        psn += 1;
        scene.unharmed();
    }
    assert_eq!(cases, 180);
}

#[test]
fn a_region_ends_where_it_ends_and_is_used_as_it_may_be() {
    let mut fast = fast(9);
    let mut scene = Scene::new(&mut fast, true);
    let before = scene.board.page((1, VA / PAGE)).expect("an entry");
    let keys = [0x1555_5501, 0x1555_5502, 0x1555_5503];
    for (key, rights) in keys.into_iter().zip(RIGHTS) {
        scene.grant(RoceRegion { key, pid: 1, va: VA + 64, length: 64, rights });
    }
    let mut refused = 0;
    for (right, rkey) in keys.into_iter().enumerate() {
        let opcodes = [Opcode::ReadRequest, Opcode::WriteOnly, Opcode::FetchAdd];
        for (own, opcode) in opcodes.into_iter().enumerate() {
            for (at, inside) in [(56, false), (64, true), (120, true), (124, false), (128, false)] {
                let va = VA + at;
                let atomic = Some(AtomicEth { va, rkey, swap_or_add: 0, compare: 0 });
                let extensions = Extensions { atomic, ..reth(rkey, va, 8) };
                // What is there already.
                let payload: &[u8] = if opcode == Opcode::WriteOnly { &[0; 8] } else { &[] };
                let psn = scene.next;
                let comes = Comes { qpn: VICTIM, source: PEER, psn, opcode, extensions, payload };
                let answered = !scene.one(comes).is_empty();
                assert_eq!(answered, inside && own == right, "{opcode:?} at {at} under right {right}");
                scene.next += u32::from(answered);
                refused += u64::from(!answered);
            }
        }
    }
    use RoceCounter::{Alignment, Hardened, Range, Right};
    let [hardened, right, range, alignment] = scene.counts([Hardened, Right, Range, Alignment]);
    assert_eq!((refused, hardened, right + range + alignment), (39, 39, 39));
    assert!(right >= 12 && range >= 12 && alignment == 3, "{right}, {range}, {alignment}");
    assert!(scene.board.page((1, VA / PAGE)).expect("an entry") == before, "something was changed");
}

#[test]
fn an_atomic_that_is_not_aligned_changes_no_word() {
    let mut fast = fast(10);
    let mut scene = Scene::new(&mut fast, false);
    for offset in 1..8u32 {
        let (qpn, opcode) = (0x2000 + offset, Opcode::FetchAdd);
        scene.create(qpn, 1, PEER, false).expect("a queue pair");
        let atomic = AtomicEth { va: VA + u64::from(offset), rkey: scene.rkey, swap_or_add: 1, compare: 0 };
        let extensions = Extensions { atomic: Some(atomic), ..Extensions::default() };
        let answers = scene.one(Comes { qpn, source: PEER, psn: 0, opcode, extensions, payload: &[] });
        assert_eq!(syndromes(&answers), [INVALID], "byte {offset}");
        let counts = scene.counts([RoceCounter::Alignment, RoceCounter::Atomics]);
        assert_eq!(counts, [offset.into(), 0]);
    }
    scene.unharmed();
}

/// Cycles between two requests of a flood: the port takes one for each packet that it sends, of which those of 4 KB take 85.
const EACH: u64 = 128;
/// The first of an attacker's queue pairs. Each asks for sixteen READs of half a page, 128 packets.
const MANY: u32 = 0x3040;
const PACKETS: u32 = 128;
fn flood(scene: &mut Scene<'_>, pairs: u32) -> Vec<Vec<u8>> {
    let extensions = reth(scene.own, VA, PACKETS as usize * 4096);
    let mut frames = Vec::new();
    for qpn in MANY..MANY + pairs {
        scene.create(qpn, 2, OTHER, false).expect("a queue pair");
        let opcode = Opcode::ReadRequest;
        let read =
            |at: u32| Comes { qpn, source: OTHER, psn: PACKETS * at, opcode, extensions, payload: &[] };
        frames.extend((0..16u32).map(|at| frame(&read(at))));
    }
    frames
}

/// The attacker's queue pairs go, and with them what they asked for; the victim is well.
fn ends(mut scene: Scene<'_>, pairs: u32) {
    for qpn in MANY..MANY + pairs {
        scene.board.port(|port| port.destroy(qpn)).expect("it is there");
    }
    scene.board.rest().expect("it comes to rest");
    scene.unharmed();
}

/// While the first packets of two READs leave, a process has as many of the 64 places as are free; the others are to come again.
#[test]
fn reads_that_nobody_fetches_are_bounded() {
    let mut fast = fast(13);
    let mut scene = Scene::new(&mut fast, false);
    let frames = flood(&mut scene, 8);
    let left = scene.board.pour(&frames, EACH).expect("they come");
    assert!(left.len() > 100, "the line is busy: {}", left.len());
    use RoceCounter::{AheadOfNotReady, QueueFull, Reads};
    // One of each queue pair is refused; those behind it are dropped until it comes again.
    assert_eq!(scene.counts([Reads, QueueFull, AheadOfNotReady]), [32, 6, 90]);
    ends(scene, 8);
}

#[test]
fn a_tenant_with_64_queue_pairs_leaves_the_others_places_and_turns() {
    const READS: u32 = 4;
    let mut fast = fast(14);
    let mut scene = Scene::new(&mut fast, false);
    let frames = flood(&mut scene, 64);
    let left = scene.board.pour(&frames, EACH).expect("they come");
    assert!(left.len() > 1_000, "the line is busy: {}", left.len());
    // Four packets each.
    let (next, extensions) = (scene.next, reth(scene.rkey, VA, 4 * 4096));
    let opcode = Opcode::ReadRequest;
    let read = |at| Comes { qpn: VICTIM, source: PEER, psn: next + 4 * at, opcode, extensions, payload: &[] };
    let reads: Vec<_> = (0..READS).map(|at| frame(&read(at))).collect();
    let mut left = scene.board.pour(&reads, EACH).expect("they come");
    // Packets of no queue pair, while time passes.
    let nobodys = frame(&Comes { qpn: 0x3fff, ..read(0) });
    left.extend(scene.board.pour(&vec![nobodys; 40], EACH).expect("they come"));
    let own = left.iter().enumerate().filter(|(_, answer)| answer.queue_pair() == VICTIM);
    let own: Vec<usize> = own.map(|(at, _)| at).collect();
    assert_eq!(own.len(), 4 * READS as usize, "none is told to come again");
    assert!(own.windows(2).all(|two| two[1] - two[0] <= 2), "every second packet is the victim's: {own:?}");
    assert!(own[0] < 12, "before its first one leave those that were made: {own:?}");
    scene.next += 4 * READS;
    ends(scene, 64);
}

#[test]
fn queue_pairs_and_regions_have_an_end_and_those_that_are_there_go_on() {
    let mut fast = fast(12);
    let mut scene = Scene::new(&mut fast, false);
    let places = scene.board.port(|port| Ok(port.places())).expect("a port");
    assert_eq!(places, (256, 256));
    let (mut pairs, mut regions) = ([0; 2], [0; 2]);
    for place in 0..256 {
        let made = scene.create(0x3000 | place, 2, OTHER, false);
        let region = RoceRegion { key: 0x5000 | place, pid: 2, va: VA, length: 8, rights: ROCE_RIGHT_READ };
        let granted = scene.board.port(|port| Ok(port.grant(&region))).expect("a port");
        for (made, counts) in [(made, &mut pairs), (granted, &mut regions)] {
            match made {
                Ok(()) => counts[0] += 1,
                Err(error) => {
                    assert_eq!(error, RoceRefused::Result(RoceResult::Taken));
                    counts[1] += 1;
                }
            }
        }
    }
    assert_eq!((pairs, regions), ([254, 2], [254, 2]));
    scene.unharmed();
}
