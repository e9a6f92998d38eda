//! Native clients of pages of 4 KB that are gone amid what they do, on the RTL's port. As on the model of a node
//! (`rdma/tests/node/attacks/crash.rs`); docs/explanation/security.md has the row.
#![cfg(feature = "rdma")]
use mneme_differential::roce::hand::{self, fast};
use mneme_differential::roce::{Answer, Board};
use mneme_rdma::codec::{AtomicEth, Extensions, Opcode, Psn, Reth};
use mneme_rtl::RtlFast;
use mneme_slowpath::{RoceFrees, RoceQueuePair, RoceRegion};
use mneme_wire::pte::FRAME_BYTES as FRAME;
use mneme_wire::roce::{ROCE_RIGHT_ATOMIC, ROCE_RIGHT_READ, ROCE_RIGHT_WRITE};

/// Frames of the board.
const FRAMES: usize = 8;
/// Bytes of a packet's payload, and their code: a page is four packets.
const MTU: usize = 1024;
const MTU_CODE: u32 = 3;
/// The first address of every process, bytes of a board page, and board pages of a segment.
const VA: u64 = 0x7f00_0000_0000;
const PAGE: u64 = 1 << 20;
const PAGES: u64 = 3;
/// The client that is gone, and another tenant's: queue pair, region's key, process, segment, address.
const GONE: Client = Client { qpn: 0x1a35, key: 0x2f00_1a35, pid: 1, segment: 0, peer: [10, 0, 0, 2] };
const VICTIM: Client = Client { qpn: 0x17e2, key: 0x2f00_17e2, pid: 2, segment: 1, peer: [10, 0, 0, 66] };
const ACK: u8 = 0x1f;

#[derive(Debug, Clone, Copy)]
struct Client {
    qpn: u32,
    key: u32,
    pid: u32,
    segment: u32,
    peer: [u8; 4],
}

/// What a client does when it is killed. Page 0 has a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// A WRITE of a page that has no frame.
    WriteNew,
    /// A WRITE from the middle of the page with a frame to the middle of the next but one.
    WriteAcross,
    /// A WRITE of a few bytes of a page without a frame.
    WritePart,
    /// A READ of two pages.
    Read,
    /// An addition to a word of a page without a frame.
    Add,
    /// FREE of two pages, one of which has a frame.
    Free,
}

impl Act {
    /// Every one, and the frames that are in use more when it is done.
    const ALL: [(Act, isize); 6] = [
        (Act::WriteNew, 1),
        (Act::WriteAcross, 2),
        (Act::WritePart, 1),
        (Act::Read, 0),
        (Act::Add, 1),
        (Act::Free, -1),
    ];

    /// Its packets: opcode, headers, payload.
    fn packets(self) -> Vec<(Opcode, Extensions, Vec<u8>)> {
        let one = |opcode, extensions, payload| vec![(opcode, extensions, payload)];
        match self {
            Act::WriteNew => write(VA + 3 * FRAME, FRAME as usize, 0x66),
            Act::WriteAcross => write(VA + FRAME / 2, 2 * FRAME as usize, 0x66),
            Act::WritePart => write(VA + 4 * FRAME + 5, 7, 0x66),
            Act::Read => one(Opcode::ReadRequest, reth(VA, 2 * FRAME as usize), Vec::new()),
            Act::Add => {
                let atomic = AtomicEth { va: VA + 6 * FRAME, rkey: GONE.key, swap_or_add: 1, compare: 0 };
                let extensions = Extensions { atomic: Some(atomic), ..Extensions::default() };
                one(Opcode::FetchAdd, extensions, Vec::new())
            }
            Act::Free => {
                let range = [VA.to_le_bytes(), 2u64.to_le_bytes()].concat();
                one(Opcode::SendOnly, Extensions::default(), range)
            }
        }
    }
}

fn reth(va: u64, length: usize) -> Extensions {
    Extensions { reth: Some(Reth { va, rkey: GONE.key, length: length as u32 }), ..Extensions::default() }
}
fn write(va: u64, bytes: usize, fill: u8) -> Vec<(Opcode, Extensions, Vec<u8>)> {
    let parts = bytes.div_ceil(MTU);
    let part = |at: usize| {
        let opcode = match (at == 0, at + 1 == parts) {
            (true, true) => Opcode::WriteOnly,
            (true, false) => Opcode::WriteFirst,
            (false, false) => Opcode::WriteMiddle,
            (false, true) => Opcode::WriteLast,
        };
        let extensions = if at == 0 { reth(va, bytes) } else { Extensions::default() };
        (opcode, extensions, vec![fill; MTU.min(bytes - at * MTU)])
    };
    (0..parts).map(part).collect()
}

/// How a client is gone: when nothing moves, or while its last packet is on its way inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Its queue pair ends: DREQ, or its lease.
    Destroyed { amid: bool },
    /// Its segment ends before its queue pair does: FREE or EXIT by another client of the process.
    SegmentFreed { amid: bool },
    /// It sends what ends the queue pair.
    Error { amid: bool },
    /// It says nothing any more.
    Silence,
}

const ENDS: [End; 7] = [
    End::Destroyed { amid: true },
    End::SegmentFreed { amid: true },
    End::Error { amid: true },
    End::Destroyed { amid: false },
    End::SegmentFreed { amid: false },
    End::Error { amid: false },
    End::Silence,
];

impl End {
    fn is_amid(self) -> bool {
        let (End::Destroyed { amid } | End::SegmentFreed { amid } | End::Error { amid }) = self else {
            return false;
        };
        amid
    }
}

/// Cycles behind a client's last packet after which it is gone, where it is gone amid that: as many as the packet takes, at most.
const AMID: u64 = 200;
/// How often each of these is tried where there is time, after other cycles.
const TIMES: u64 = 6;
/// A number that looks random, always the same.
fn drawn(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

struct Scene<'a> {
    board: Board<'a>,
    /// The next packet of the client that is gone.
    psn: Psn,
    /// Clients that were gone so far.
    cases: u64,
}

impl<'a> Scene<'a> {
    /// A board whose other tenant has a page.
    fn new(fast: &'a mut RtlFast) -> Scene<'a> {
        let board = hand::board_of(fast, FRAMES);
        let mut scene = Scene { board, psn: Psn::default(), cases: 0 };
        scene.begin(VICTIM);
        let written = hand::frame(
            VICTIM.peer,
            VICTIM.qpn,
            Psn::default(),
            Opcode::WriteOnly,
            Extensions { reth: Some(Reth { va: VA, rkey: VICTIM.key, length: 8 }), ..Extensions::default() },
            &[0x22; 8],
        );
        assert_eq!(syndromes(&hand::deliver(&mut scene.board, [written])), [ACK]);
        scene
    }
    /// A client's segment, and its connection to that.
    fn begin(&mut self, client: Client) {
        let Client { qpn, key, pid, segment, peer } = client;
        self.board.make_segment(segment, pid, FRAMES as u32).expect("a segment");
        for page in 0..PAGES {
            let table = u64::from(segment) * PAGES + page;
            self.board.split((pid, VA / PAGE + page), table).expect("an entry");
        }
        let rights = ROCE_RIGHT_READ | ROCE_RIGHT_WRITE | ROCE_RIGHT_ATOMIC;
        let region = RoceRegion { key, pid, va: VA, length: PAGES * PAGE, rights };
        self.board.port(|port| port.grant(&region)).expect("a region");
        let pair = RoceQueuePair {
            qpn,
            peer_qpn: qpn,
            peer_ip: peer,
            peer_mac: hand::mac(peer),
            source_port: hand::SOURCE_PORT,
            pkey: 0xffff,
            pid,
            psn: 0,
            mtu_code: MTU_CODE,
            hardened: false,
            rate: 0,
            frees: Some(RoceFrees { segment, first: 0, va: VA, pages: PAGES * PAGE / FRAME }),
        };
        self.board.port(|port| port.create(&pair)).expect("a queue pair");
    }
    fn destroy(&mut self) {
        self.board.port(|port| port.destroy(GONE.qpn)).expect("it is there");
        self.board.port(|port| port.revoke(GONE.key)).expect("it is there");
    }
    /// What the slow path does when a segment is freed.
    fn end_segment(&mut self) {
        for page in 0..PAGES {
            self.board.free((GONE.pid, VA / PAGE + page)).expect("an entry");
        }
        self.board.end_segment(GONE.segment).expect("it ends");
    }

    /// The next packet of the client that is gone.
    fn packet(&mut self, opcode: Opcode, extensions: Extensions, payload: &[u8]) -> Vec<u8> {
        let frame = hand::frame(GONE.peer, GONE.qpn, self.psn, opcode, extensions, payload);
        let numbers = match (opcode, extensions.reth) {
            (Opcode::ReadRequest, Some(reth)) => reth.length.div_ceil(MTU as u32),
            _ => 1,
        };
        self.psn = self.psn.plus(numbers);
        frame
    }
    /// A packet that ends its queue pair.
    fn wrong(&mut self) -> Vec<u8> {
        self.packet(Opcode::SendMiddle, Extensions::default(), &[0; 3])
    }

    /// Frames of pages, of both segments. All are different ones, and every frame is in one place.
    fn audit(&mut self, case: &str) -> [usize; 3] {
        hand::audit(&mut self.board, 0..2 * PAGES, (0, FRAMES), case)
    }
    fn frames(&mut self, table: u64) -> Vec<u64> {
        hand::mapped(&mut self.board, table)
    }
    /// The tenant beside has what it had.
    fn unharmed(&mut self, case: &str) {
        let own = self.frames(u64::from(VICTIM.segment) * PAGES);
        let mut page = vec![0; FRAME as usize];
        page[..8].fill(0x22);
        assert!(own.len() == 1 && self.board.frame(own[0]) == page, "{case}: the other's page");
    }

    /// A new client, whose first page has a frame.
    fn client(&mut self, case: &str) {
        self.begin(GONE);
        self.psn = Psn::default();
        assert_eq!(self.does(write(VA, 16, 0x11), false).last(), Some(&ACK), "{case}");
    }
    /// Packets come, one after the other has been done; behind the last one nobody waits, if that is `amid`. What was answered.
    fn does(&mut self, packets: Vec<(Opcode, Extensions, Vec<u8>)>, amid: bool) -> Vec<u8> {
        let (last, mut answers) = (packets.len(), Vec::new());
        for (at, (opcode, extensions, payload)) in (1..).zip(packets) {
            let frame = self.packet(opcode, extensions, &payload);
            if amid && at == last {
                let cycles = 1 + drawn(self.cases) % AMID;
                answers.extend(self.board.pour(&[frame], cycles).expect("it comes"));
            } else {
                answers.extend(hand::deliver(&mut self.board, [frame]));
            }
        }
        syndromes(&answers)
    }

    /// A client that is gone after `most` packets, and what is left of it.
    fn one(&mut self, (act, grown): (Act, isize), most: usize, end: End) {
        self.cases += 1;
        let case = format!("client {}: {act:?}, {most} packets, {end:?}", self.cases);
        self.client(&case);
        let before = self.audit(&case)[2];
        let mut packets = act.packets();
        let whole = most == packets.len();
        packets.truncate(most);
        let answers = self.does(packets, end.is_amid());
        if !end.is_amid() {
            let [_, waiting, pages] = self.audit(&case);
            assert_eq!(waiting, 0, "{case}");
            if whole {
                assert_eq!(answers.last(), Some(&ACK), "{case}");
                assert_eq!(pages as isize, before as isize + grown, "{case}");
            }
        }
        match end {
            End::Destroyed { .. } => self.destroy(),
            End::SegmentFreed { .. } => self.end_segment(),
            End::Error { .. } => {
                let frame = self.wrong();
                hand::deliver(&mut self.board, [frame]);
                let progress = self.board.port(|port| port.query(GONE.qpn)).expect("it is there");
                assert!(progress.in_error, "{case}");
            }
            End::Silence => {}
        }
        self.board.rest().expect("it comes to rest");
        assert_eq!(self.audit(&case)[1], 0, "{case}: a frame waits for who is gone");
        if !matches!(end, End::Destroyed { .. }) {
            self.destroy();
        }
        if !matches!(end, End::SegmentFreed { .. }) {
            self.end_segment();
        }
        assert_eq!(self.audit(&case), [FRAMES - 1, 0, 1], "{case}: all but the other tenant's come back");
        self.unharmed(&case);
    }
    /// Another client gets all frames that are free, each once.
    fn takes_all(&mut self, case: &str) {
        self.client(case);
        for page in 1..FRAMES as u64 - 1 {
            let answers = self.does(write(VA + page * FRAME, FRAME as usize, page as u8), false);
            assert_eq!(answers.last(), Some(&ACK), "{case}: page {page}");
        }
        assert_eq!(self.audit(case), [0, 0, FRAMES], "{case}");
        let frames = self.frames(0);
        for (page, frame) in (1..).zip(&frames[1..]) {
            assert!(self.board.frame(*frame) == vec![page; FRAME as usize], "{case}: page {page}");
        }
        self.destroy();
        self.end_segment();
        self.unharmed(case);
    }
}

/// What packets were answered.
fn syndromes(answers: &[Answer]) -> Vec<u8> {
    answers.iter().map(Answer::syndrome).collect()
}

#[test]
fn a_native_client_that_is_gone_after_any_packet_leaves_every_frame_in_one_place() {
    let mut fast = fast(33);
    let mut scene = Scene::new(&mut fast);
    // Behind each packet the client has two of the seven ends in turn, unless there is time for all.
    let all = std::env::var_os("MNEME_ATTACKS").is_some_and(|attacks| attacks == "all");
    let mut steps = 0;
    for act in Act::ALL {
        for most in 0..=act.0.packets().len() {
            let ends = (0..ENDS.len()).filter(|number| all || (number + 2 * steps) % ENDS.len() < 2);
            for end in ends.map(|number| ENDS[number]) {
                let times = if all && end.is_amid() { TIMES } else { 1 };
                (0..times).for_each(|_| scene.one(act, most, end));
            }
            steps += 1;
        }
        if all || act == Act::ALL[5] {
            scene.takes_all(&format!("{act:?}"));
        }
    }
    assert_eq!(steps, 22, "packets of all acts, and none of each");
    assert_eq!(scene.cases, 22 * if all { 4 + 3 * TIMES } else { 2 }, "ways to end behind each");
}
