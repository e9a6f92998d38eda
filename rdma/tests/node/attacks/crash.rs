//! A client that is gone after any step of any operation: every frame is in one place, and all come back with the segment.
use super::*;
use mneme_rdma::codec::AtomicEth;
use mneme_rdma::codec::profile::{Chain, PAGE, Profile};

/// Frames of the node.
const FRAMES: usize = 8;
/// Payload of native packets: a page takes four.
const MTU: u16 = 1024;

/// What a client does when it is killed.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// A WRITE of a page that has no frame, in four packets.
    WriteNew,
    /// A WRITE from the middle of a page with a frame to the middle of one without.
    WriteAcross,
    /// A WRITE of a few bytes of a page without a frame.
    WritePart,
    /// A READ of two pages, in eight packets.
    Read,
    /// An addition to a word of a page without a frame.
    Add,
    /// FREE of two pages, one of which has a frame.
    Free,
    /// One of ODRP's functions, of a page that has a frame or not.
    Chain(Chain, u64),
}

const ACTS: [Act; 11] = [
    Act::WriteNew,
    Act::WriteAcross,
    Act::WritePart,
    Act::Read,
    Act::Add,
    Act::Free,
    Act::Chain(Chain::Load, 0),
    Act::Chain(Chain::MappedStore, 0),
    Act::Chain(Chain::UnmappedStore, 5),
    Act::Chain(Chain::UnmappedStore, 0),
    Act::Chain(Chain::Invalidate, 0),
];

/// How a client's end is noticed.
#[derive(Debug, Clone, Copy)]
enum End {
    /// Its queue pairs are destroyed: DREQ, or its lease.
    Destroyed,
    /// Its segment is freed.
    SegmentFreed,
    /// Nothing is heard of it: replies end by themselves; then its segment goes.
    Silence,
    /// A last packet that is refused.
    Error,
}

const ENDS: [End; 4] = [End::Destroyed, End::SegmentFreed, End::Silence, End::Error];

/// The packets of an operation: queue pair, opcode, headers, payload.
type Packets = Vec<(u32, Opcode, Extensions, Vec<u8>)>;

fn packets(act: Act, rkey: u32) -> Packets {
    let write = |va: u64, bytes: usize| -> Packets {
        let parts: Vec<Vec<u8>> = vec![0xaa; bytes].chunks(MTU.into()).map(<[u8]>::to_vec).collect();
        let last = parts.len() - 1;
        let whole = parts.into_iter().enumerate().map(|(at, part)| {
            let opcode = match (at == 0, at == last) {
                (true, true) => Opcode::WriteOnly,
                (true, false) => Opcode::WriteFirst,
                (false, false) => Opcode::WriteMiddle,
                (false, true) => Opcode::WriteLast,
            };
            (NATIVE, opcode, reth(rkey, va, bytes), part)
        });
        whole.collect()
    };
    match act {
        Act::WriteNew => write(VA + 3 * FRAME, PAGE),
        Act::WriteAcross => write(VA + FRAME / 2, 2 * PAGE),
        Act::WritePart => write(VA + 4 * FRAME + 5, 7),
        Act::Read => vec![(NATIVE, Opcode::ReadRequest, reth(rkey, VA, 2 * PAGE), Vec::new())],
        Act::Add => {
            let atomic = AtomicEth { va: VA + 6 * FRAME, rkey, swap_or_add: 1, compare: 0 };
            let extensions = Extensions { atomic: Some(atomic), ..Extensions::default() };
            vec![(NATIVE, Opcode::FetchAdd, extensions, Vec::new())]
        }
        Act::Free => {
            let range = [VA.to_le_bytes(), 2u64.to_le_bytes()].concat();
            vec![(NATIVE, Opcode::SendOnly, Extensions::default(), range)]
        }
        Act::Chain(chain, page) => {
            let profile = Profile::default_of(chain);
            let (bytes, mut message) = ([0xbb; PAGE], vec![0; profile.message_len()]);
            let arguments =
                mneme_rdma::codec::profile::Arguments { tt_addr: TT + 8 * page, ..arguments(&bytes) };
            profile.write(&arguments, &mut message).expect("it fits");
            let parts: Vec<Vec<u8>> = message.chunks(4096).map(<[u8]>::to_vec).collect();
            let one = parts.len() == 1;
            let opcode = |at| match (one, at) {
                (true, _) => Opcode::SendOnly,
                (false, 0) => Opcode::SendFirst,
                (false, _) => Opcode::SendLast,
            };
            let whole = parts.into_iter().enumerate();
            whole.map(|(at, part)| (qpn(0, chain), opcode(at), Extensions::default(), part)).collect()
        }
    }
}

/// Does an operation up to its step `most`: each packet that comes, each that leaves and each that is acknowledged is one. Answers how
/// many steps it took.
fn act(rig: &mut Rig, act: Act, rkey: u32, most: usize) -> usize {
    let mut steps = 0;
    let mut step = || {
        steps += 1;
        steps <= most
    };
    for (qpn, opcode, extensions, payload) in packets(act, rkey) {
        if !step() {
            return most;
        }
        rig.request(qpn, opcode, extensions, &payload);
        // What the node sends comes before the client's next packet. To have nothing to send is a step, too.
        loop {
            if !step() {
                return most;
            }
            let Some(sent) = rig.one() else { break };
            if sent.extensions.reth.is_some() {
                if !step() {
                    return most;
                }
                rig.acknowledge(sent.qpn, sent.psn);
            }
        }
    }
    steps
}

#[test]
fn a_client_that_is_gone_after_any_step_leaves_every_frame_in_one_place() {
    every_step(&sound);
}

/// Every operation × every step × every way to end. Another client's page stays what it is.
pub fn every_step(plant: Plant<'_>) {
    let mut cases = 0;
    for action in ACTS {
        // As many as it has, and one more: the whole operation.
        let all = act(&mut scene(plant).0, action, scene(plant).1, usize::MAX);
        assert!(all >= 2, "{action:?}: {all} steps");
        for most in 0..=all {
            for end in ENDS {
                one(plant, action, most, end);
                cases += 1;
            }
        }
    }
    println!("{cases} ends");
    assert!(cases >= 200, "{cases}");
}

/// Client 0 with a page that holds something, a native queue pair of it, and client 1 with another page.
fn scene(plant: Plant<'_>) -> (Rig, u32) {
    let mut rig = Rig::new(FRAMES, 2, 8, PLAIN);
    plant(&mut rig);
    for client in 0..2 {
        rig.ask(client, Chain::UnmappedStore, 0, 0x11 * (1 + client as u8));
        assert_eq!(only(&rig.answers().0), Some(ACK));
    }
    let rkey = rig.native(NATIVE, 1, MTU);
    (rig, rkey)
}

fn one(plant: Plant<'_>, action: Act, most: usize, end: End) {
    let (mut rig, rkey) = scene(plant);
    act(&mut rig, action, rkey, most);
    let case = format!("{action:?}, {most} steps, {end:?}");
    let sound = |rig: &Rig| {
        let audit = rig.node.memory.leaf.audit().unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(audit.ring + audit.mapped + audit.private + audit.waiting, FRAMES, "{case}");
        audit
    };
    sound(&rig);
    match end {
        End::Destroyed => {
            for pair in Chain::ALL.map(|chain| qpn(0, chain)).into_iter().chain([NATIVE]) {
                rig.node.destroy(pair).expect("it exists");
            }
        }
        End::SegmentFreed => rig.node.destroy_segment(0).expect("it exists"),
        End::Silence => {
            for step in 1..30 {
                rig.now = step * 10_000;
                rig.sent();
            }
        }
        End::Error => {
            for pair in Chain::ALL.map(|chain| qpn(0, chain)).into_iter().chain([NATIVE]) {
                let psn = rig.node.responder.progress(pair).expect("it exists").0;
                rig.deliver(pair, psn, Opcode::SendMiddle, Extensions::default(), &[0; 3]);
                assert_eq!(rig.node.responder.in_error(pair), Some(true), "{case}");
            }
        }
    }
    let audit = sound(&rig);
    // A queue pair that is only silent may have a frame in its hands until its lease ends.
    let held = if matches!(end, End::Silence) { audit.private } else { 0 };
    assert_eq!((audit.private, audit.waiting, rig.node.memory.leaf.under_way()), (held, 0, 0), "{case}");
    if !matches!(end, End::SegmentFreed) {
        rig.node.destroy_segment(0).expect("it exists");
    }
    let audit = sound(&rig);
    assert_eq!((audit.ring, audit.mapped), (FRAMES - 1, 1), "{case}: all but the other client's come back");
    assert!(rig.read(2, 0) == vec![0x22; PAGE], "{case}: the other client's page has changed");
}
