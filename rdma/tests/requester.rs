//! What a requester sends, and what each answer makes of it. The peer is played by hand.
use mneme_rdma::codec::{
    Aeth, Bth, Credits, Extensions, Nak, Opcode, Packet, PathMtu, Psn, RnrTimer, Syndrome,
};
use mneme_rdma::requester::{
    Completion, Failure, NotReadyRetries, Operation, PostError, Requester, RequesterConfig, Work,
};
use mneme_rdma::responder::PACKET_MAX;

const FIRST: Psn = Psn::from_low_bits(0xff_fffe);
const ACK: Syndrome = Syndrome::Ack(Credits::UNCOUNTED);
const TIMEOUT: u64 = 1_000_000;

struct Rig {
    requester: Requester<Vec<u8>>,
    now: u64,
}

/// A packet that was sent: its number from the first, its opcode, whether an answer is asked for, and its payload's length.
type Sent = (u32, Opcode, bool, usize);

impl Rig {
    fn new() -> Rig {
        Rig::with(|_| {})
    }
    fn with(change: impl FnOnce(&mut RequesterConfig)) -> Rig {
        let path_mtu = PathMtu::new(256).expect("a path MTU");
        let mut config = RequesterConfig { path_mtu, timeout: TIMEOUT, ..RequesterConfig::new(0x17, FIRST) };
        change(&mut config);
        Rig { requester: Requester::new(config), now: 0 }
    }
    fn post(&mut self, id: u64, operation: Operation<Vec<u8>>) {
        self.requester.post(Work::new(id, operation)).expect("room");
    }
    fn write(&mut self, id: u64, length: usize) {
        self.post(id, Operation::Write { data: vec![7; length], va: 0x1000, rkey: 3, immediate: None });
    }
    fn read(&mut self, id: u64, length: usize) {
        self.post(id, Operation::Read { into: vec![0; length], va: 0x2000, rkey: 3 });
    }
    fn add(&mut self, id: u64) {
        self.post(id, Operation::FetchAdd { va: 0x3000, rkey: 3, add: 1 });
    }
    fn next(&mut self) -> Option<(Sent, Extensions)> {
        let mut bytes = [0; PACKET_MAX];
        let length = self.requester.poll_transmit(self.now, &mut bytes)?;
        let p = Packet::parse(&bytes[..length]).expect("a sound packet");
        assert_eq!(p.bth.dest_qp, 0x17);
        Some(((p.bth.psn.since(FIRST), p.opcode, p.bth.ack_request, p.payload.len()), p.extensions))
    }
    fn sent(&mut self) -> Vec<Sent> {
        std::iter::from_fn(|| self.next().map(|sent| sent.0)).collect()
    }
    fn psns(&mut self) -> Vec<u32> {
        self.sent().iter().map(|sent| sent.0).collect()
    }
    fn respond(&mut self, psn: u32, opcode: Opcode, syndrome: Syndrome, found: u64, payload: &[u8]) {
        let aeth = Some(Aeth { syndrome, msn: 0 });
        let extensions = Extensions { aeth, original: Some(found), ..Extensions::default() };
        let packet =
            Packet { bth: Bth { psn: FIRST.plus(psn), ..Bth::default() }, opcode, extensions, payload };
        let mut bytes = [0; PACKET_MAX];
        let length = packet.emit(&mut bytes).expect("a sound packet");
        self.requester.receive(self.now, &bytes[..length]);
    }
    fn acknowledge(&mut self, psn: u32, syndrome: Syndrome) {
        self.respond(psn, Opcode::Acknowledge, syndrome, 0, b"");
    }
    fn data(&mut self, psn: u32, opcode: Opcode, payload: &[u8]) {
        self.respond(psn, opcode, ACK, 0, payload);
    }
    fn done(&mut self) -> Vec<(u64, Result<(), Failure>)> {
        self.completions().into_iter().map(|done| (done.id, done.result)).collect()
    }
    fn completions(&mut self) -> Vec<Completion<Vec<u8>>> {
        std::iter::from_fn(|| self.requester.poll_completion()).collect()
    }
}

#[test]
fn messages_are_cut_by_the_path_mtu_and_numbers_wrap() {
    let mut rig = Rig::new();
    rig.write(1, 600);
    rig.post(2, Operation::Send { data: vec![1; 256], immediate: Some(5) });
    rig.post(3, Operation::Send { data: vec![1; 257], immediate: Some(5) });
    rig.write(4, 0);
    let first = rig.next().expect("a packet");
    let reth = first.1.reth.expect("a place");
    assert_eq!((reth.va, reth.rkey, reth.length), (0x1000, 3, 600));
    let expected = [
        (1, Opcode::WriteMiddle, false, 256),
        (2, Opcode::WriteLast, true, 88),
        (3, Opcode::SendOnlyImmediate, true, 256),
        (4, Opcode::SendFirst, false, 256),
        (5, Opcode::SendLastImmediate, true, 1),
        (6, Opcode::WriteOnly, true, 0),
    ];
    assert_eq!((first.0, rig.sent()), ((0, Opcode::WriteFirst, false, 256), expected.to_vec()));
    rig.acknowledge(6, ACK);
    assert_eq!(rig.done(), [(1, Ok(())), (2, Ok(())), (3, Ok(())), (4, Ok(()))]);
    assert_eq!(rig.requester.next_time(), None, "nothing is under way");
}

#[test]
fn an_acknowledge_within_a_message_lets_more_packets_go() {
    let mut rig = Rig::with(|config| config.window = 32);
    rig.write(1, 256 * 100);
    let sent = rig.sent();
    assert_eq!(sent.len(), 32);
    assert!(
        sent.iter().filter(|sent| sent.2).map(|sent| sent.0).eq([7, 15, 23, 31]),
        "acknowledges asked for"
    );
    rig.acknowledge(7, ACK);
    assert_eq!(rig.psns(), (32..40).collect::<Vec<_>>());
    assert_eq!(rig.done(), []);
    assert_eq!(rig.requester.seen().sent_again, 0);
}

#[test]
fn reads_land_in_their_buffers_and_acknowledge_what_is_before_them() {
    let mut rig = Rig::new();
    rig.write(1, 4);
    rig.read(2, 600);
    rig.add(3);
    rig.write(4, 4);
    assert_eq!(rig.psns(), [0, 1, 4, 5]);
    rig.data(1, Opcode::ReadResponseFirst, &[1; 256]);
    assert_eq!(rig.done(), [(1, Ok(()))]);
    rig.data(2, Opcode::ReadResponseMiddle, &[2; 256]);
    rig.data(2, Opcode::ReadResponseMiddle, &[9; 256]);
    rig.data(3, Opcode::ReadResponseLast, &[3; 88]);
    rig.respond(4, Opcode::AtomicAcknowledge, ACK, 0x0102_0304_0506_0708, b"");
    let done = rig.completions();
    let buffer = [vec![1; 256], vec![2; 256], vec![3; 88]].concat();
    assert_eq!((done[0].id, done[0].result, done[0].buffer.as_ref()), (2, Ok(()), Some(&buffer)));
    assert_eq!((done[1].id, done[1].found), (3, Some(0x0102_0304_0506_0708)));
    rig.acknowledge(5, ACK);
    assert_eq!((rig.done(), rig.requester.seen().stale), (vec![(4, Ok(()))], 1));
}

#[test]
fn a_read_lands_where_the_caller_s_own_bytes_lie() {
    let mut memory = [0u8; 8];
    let mut requester = Requester::new(RequesterConfig::new(1, FIRST));
    requester.post(Work::new(1, Operation::Read { into: &mut memory[2..6], va: 0, rkey: 0 })).expect("room");
    let mut bytes = [0; PACKET_MAX];
    requester.poll_transmit(0, &mut bytes).expect("a packet");
    let aeth = Some(Aeth { syndrome: ACK, msn: 1 });
    let extensions = Extensions { aeth, ..Extensions::default() };
    let bth = Bth { psn: FIRST, ..Bth::default() };
    let answer = Packet { bth, opcode: Opcode::ReadResponseOnly, extensions, payload: b"data" };
    let length = answer.emit(&mut bytes).expect("sound");
    requester.receive(0, &bytes[..length]);
    assert_eq!(requester.poll_completion().map(|done| done.result), Some(Ok(())));
    drop(requester);
    assert_eq!(&memory, b"\0\0data\0\0");
}

#[test]
fn a_lost_response_is_asked_for_from_the_first_byte_that_has_not_come() {
    let mut rig = Rig::new();
    rig.read(1, 1000);
    rig.write(2, 4);
    assert_eq!(rig.psns(), [0, 4]);
    rig.data(0, Opcode::ReadResponseFirst, &[1; 256]);
    rig.data(2, Opcode::ReadResponseMiddle, &[3; 256]);
    let (sent, extensions) = rig.next().expect("again");
    let reth = extensions.reth.expect("a place");
    assert_eq!((sent.0, sent.1), (1, Opcode::ReadRequest));
    assert_eq!((reth.va, reth.length), (0x2100, 744));
    rig.acknowledge(4, ACK);
    assert_eq!(rig.psns(), [4], "not gone back to twice: {:?}", rig.requester.seen());
    rig.data(1, Opcode::ReadResponseFirst, &[2; 256]);
    rig.data(2, Opcode::ReadResponseMiddle, &[3; 256]);
    rig.data(3, Opcode::ReadResponseLast, &[4; 232]);
    rig.acknowledge(4, ACK);
    let done = rig.completions();
    let buffer = [vec![1; 256], vec![2; 256], vec![3; 256], vec![4; 232]].concat();
    assert_eq!((done[0].buffer.as_ref(), done.len()), (Some(&buffer), 2));
}

#[test]
fn an_acknowledge_alone_completes_no_read_and_no_atomic() {
    let mut rig = Rig::new();
    rig.write(1, 4);
    rig.add(2);
    rig.write(3, 4);
    assert_eq!(rig.psns(), [0, 1, 2]);
    rig.acknowledge(2, ACK);
    assert_eq!(rig.done(), [(1, Ok(()))]);
    assert_eq!((rig.psns(), rig.requester.seen().implied_gaps), (vec![1, 2], 1));
}

#[test]
fn a_told_gap_is_gone_back_to_once() {
    let mut rig = Rig::new();
    (1..=4).for_each(|id| rig.write(id, 4));
    assert_eq!(rig.psns(), [0, 1, 2, 3]);
    rig.acknowledge(1, Syndrome::Nak(Nak::Sequence));
    assert_eq!((rig.done(), rig.psns()), (vec![(1, Ok(()))], vec![1, 2, 3]));
    rig.acknowledge(1, Syndrome::Nak(Nak::Sequence));
    assert_eq!(rig.psns(), [], "a copy");
    rig.acknowledge(3, ACK);
    assert_eq!((rig.done().len(), rig.requester.seen().sent_again), (3, 3));
}

#[test]
fn silence_is_met_seven_times_and_then_given_up() {
    let mut rig = Rig::new();
    rig.write(1, 4);
    rig.read(2, 4);
    assert_eq!(rig.psns(), [0, 1]);
    for _ in 0..7 {
        assert_eq!(rig.requester.next_time(), Some(rig.now + TIMEOUT));
        rig.now += TIMEOUT - 1;
        assert_eq!(rig.psns(), []);
        rig.now += 1;
        assert_eq!(rig.psns(), [0, 1]);
    }
    rig.now += TIMEOUT;
    rig.requester.on_time(rig.now);
    assert_eq!(rig.done(), [(1, Err(Failure::NoAnswer(7))), (2, Err(Failure::Flushed))]);
    assert!(rig.requester.has_ended() && rig.requester.next_time().is_none());
    let refused = rig.requester.post(Work::new(3, Operation::FetchAdd { va: 0, rkey: 0, add: 0 }));
    assert_eq!(refused.expect_err("ended").0, PostError::Ended);
    rig.acknowledge(0, ACK);
    assert_eq!(rig.done(), []);
}

#[test]
fn a_patient_requester_bears_longer_silences_after_some_and_the_first_ones_after_progress() {
    let mut rig = Rig::with(|config| config.patient = true);
    rig.write(1, 300);
    assert_eq!(rig.psns(), [0, 1]);
    for left in [&[0, 1][..], &[1]] {
        for patience in [1, 1, 2, 2, 4, 4, 4] {
            assert_eq!(rig.requester.next_time(), Some(rig.now + patience * TIMEOUT));
            rig.now += patience * TIMEOUT - 1;
            assert_eq!(rig.psns(), []);
            rig.now += 1;
            assert_eq!(rig.psns(), left);
        }
        if left[0] == 0 {
            rig.acknowledge(0, ACK);
        }
    }
    rig.now += 4 * TIMEOUT;
    rig.requester.on_time(rig.now);
    assert_eq!(rig.done(), [(1, Err(Failure::NoAnswer(7)))]);
}

#[test]
fn progress_gives_all_seven_back() {
    let mut rig = Rig::new();
    rig.write(1, 300);
    assert_eq!(rig.psns(), [0, 1]);
    for left in [&[0, 1][..], &[1]] {
        for _ in 0..7 {
            rig.now += TIMEOUT;
            assert_eq!(rig.psns(), left);
        }
        if left[0] == 0 {
            rig.acknowledge(0, ACK);
        }
    }
    rig.acknowledge(1, ACK);
    assert_eq!(rig.done(), [(1, Ok(()))]);
}

#[test]
fn the_most_repeats_of_not_ready_are_an_end_too() {
    let mut rig = Rig::with(|config| config.not_ready_retries = NotReadyRetries::Times(u8::MAX));
    rig.write(1, 4);
    let timer = RnrTimer::from_code(1);
    for _ in 0..255 {
        assert_eq!(rig.psns(), [0]);
        rig.acknowledge(0, Syndrome::Rnr(timer));
        rig.now += timer.nanoseconds();
    }
    assert_eq!((rig.psns(), rig.done()), (vec![0], vec![]));
    rig.acknowledge(0, Syndrome::Rnr(timer));
    assert_eq!(rig.done(), [(1, Err(Failure::NeverReady(u8::MAX)))]);
}

#[test]
fn a_peer_that_is_not_ready_is_asked_for_a_time() {
    const MOST: u64 = 100_000_000;
    let mut rig = Rig::new();
    rig.requester.bear(NotReadyRetries::For(MOST));
    (1..=2).for_each(|id| rig.write(id, 4));
    let timer = RnrTimer::from_code(14);
    // The answer to the first try waits here for longer than that.
    assert_eq!(rig.psns(), [0, 1]);
    rig.now += 2 * MOST;
    rig.acknowledge(0, Syndrome::Rnr(timer));
    let began = rig.now;
    let mut tries = 0;
    while rig.now - began < MOST {
        rig.now += timer.nanoseconds();
        assert_eq!(rig.psns(), [0, 1], "{tries}");
        rig.acknowledge(0, Syndrome::Rnr(timer));
        tries += 1;
    }
    assert_eq!(u128::from(tries), u128::from(MOST.div_ceil(timer.nanoseconds())));
    assert_eq!(rig.done(), [(1, Err(Failure::NeverReady(tries))), (2, Err(Failure::Flushed))]);
    // Progress, and the time counts anew; an answer that waits here does not make it shorter.
    let mut rig = Rig::with(|config| config.not_ready_retries = NotReadyRetries::For(MOST));
    (1..=2).for_each(|id| rig.write(id, 4));
    assert_eq!(rig.psns(), [0, 1]);
    for psn in [0, 1, 1] {
        rig.acknowledge(psn, Syndrome::Rnr(timer));
        rig.now += timer.nanoseconds();
        assert_eq!(rig.psns().first(), Some(&psn));
        rig.now += MOST - timer.nanoseconds();
    }
    assert_eq!(rig.done(), [(1, Ok(()))]);
    rig.acknowledge(1, Syndrome::Ack(Credits::UNCOUNTED));
    assert_eq!(rig.done(), [(2, Ok(()))]);
}

#[test]
fn not_ready_is_waited_for() {
    let mut rig = Rig::with(|config| config.not_ready_retries = NotReadyRetries::Times(2));
    (1..=3).for_each(|id| rig.write(id, 4));
    assert_eq!(rig.psns(), [0, 1, 2]);
    let timer = RnrTimer::from_code(14);
    for _ in 0..2 {
        rig.acknowledge(1, Syndrome::Rnr(timer));
        rig.acknowledge(1, Syndrome::Rnr(timer));
        assert_eq!(rig.requester.next_time(), Some(rig.now + timer.nanoseconds()));
        rig.now += timer.nanoseconds() - 1;
        assert_eq!(rig.psns(), []);
        rig.now += 1;
        assert_eq!(rig.psns(), [1, 2]);
    }
    assert_eq!(rig.requester.seen().not_ready, 2, "copies do not count");
    rig.acknowledge(1, Syndrome::Rnr(timer));
    assert_eq!(rig.done(), [(1, Ok(())), (2, Err(Failure::NeverReady(2))), (3, Err(Failure::Flushed))]);
}

#[test]
fn a_refusal_ends_its_operation_and_flushes_those_behind() {
    for nak in [Nak::InvalidRequest, Nak::RemoteAccess, Nak::RemoteOperation, Nak::Reserved(9)] {
        let mut rig = Rig::new();
        (1..=3).for_each(|id| rig.write(id, 4));
        assert_eq!(rig.psns(), [0, 1, 2]);
        rig.acknowledge(1, Syndrome::Nak(nak));
        assert_eq!(rig.done(), [(1, Ok(())), (2, Err(Failure::Refused(nak))), (3, Err(Failure::Flushed))]);
    }
    // The answer to an earlier READ was lost: it is not taken for done.
    let mut rig = Rig::new();
    rig.read(1, 4);
    rig.write(2, 4);
    assert_eq!(rig.psns(), [0, 1]);
    rig.acknowledge(1, Syndrome::Nak(Nak::RemoteAccess));
    let expected = [(1, Err(Failure::Flushed)), (2, Err(Failure::Refused(Nak::RemoteAccess)))];
    assert_eq!(rig.done(), expected);
}

#[test]
fn answers_that_do_not_fit_end_the_queue_pair() {
    let cases: [(bool, Opcode, &[u8]); 6] = [
        (true, Opcode::ReadResponseOnly, &[0; 256]),
        (true, Opcode::ReadResponseFirst, &[0; 255]),
        (true, Opcode::ReadResponseLast, &[0; 256]),
        (true, Opcode::ReadResponseFirst, &[0; 260]),
        (true, Opcode::AtomicAcknowledge, &[]),
        (false, Opcode::ReadResponseOnly, &[0; 8]),
    ];
    for (reads, opcode, payload) in cases {
        let mut rig = Rig::new();
        if reads {
            rig.read(1, 300)
        } else {
            rig.add(1)
        }
        assert_eq!(rig.psns(), [0]);
        rig.data(0, opcode, payload);
        assert!(matches!(rig.done()[..], [(1, Err(Failure::BadAnswer(_)))]), "{opcode:?}");
    }
    let mut rig = Rig::new();
    rig.read(1, 4);
    assert_eq!(rig.psns(), [0]);
    rig.respond(0, Opcode::ReadResponseOnly, Syndrome::Nak(Nak::RemoteAccess), 0, &[0; 4]);
    assert!(matches!(rig.done()[..], [(1, Err(Failure::BadAnswer(_)))]));
}

#[test]
fn answers_to_nothing_are_dropped() {
    let mut rig = Rig::new();
    rig.acknowledge(0, ACK);
    rig.write(1, 4);
    assert_eq!(rig.psns(), [0]);
    rig.acknowledge(1, ACK);
    rig.acknowledge(0x7f_ffff, Syndrome::Nak(Nak::RemoteAccess));
    rig.data(0, Opcode::ReadResponseOnly, b"abcd");
    assert_eq!((rig.done(), rig.requester.seen().stale), (vec![], 4));
    rig.requester.receive(0, &[0; 5]);
    rig.data(0, Opcode::SendOnly, b"abcd");
    rig.acknowledge(0, Syndrome::Reserved(0x40));
    assert_eq!((rig.done(), rig.requester.seen().malformed), (vec![], 3));
}

#[test]
fn a_fence_waits_for_reads_and_atomics_and_depth_is_kept() {
    let mut rig = Rig::with(|config| config.answered = 2);
    rig.read(1, 4);
    let write = Operation::Write { data: vec![0; 4], va: 0, rkey: 0, immediate: None };
    rig.requester.post(Work::new(2, write).fenced()).expect("room");
    assert_eq!(rig.psns(), [0]);
    rig.data(0, Opcode::ReadResponseOnly, &[0; 4]);
    assert_eq!(rig.psns(), [1]);
    (3..6).for_each(|id| rig.add(id));
    assert_eq!(rig.psns(), [2, 3], "two at a time");
    rig.respond(2, Opcode::AtomicAcknowledge, ACK, 0, b"");
    assert_eq!(rig.psns(), [4]);
}

#[test]
fn what_cannot_be_posted_comes_back_with_the_reason() {
    let mut rig = Rig::with(|config| config.queue = 2);
    let add = |va| Work::new(1, Operation::FetchAdd { va, rkey: 0, add: 0 });
    assert_eq!(rig.requester.post(add(4)).expect_err("refused").0, PostError::Alignment(4));
    rig.requester.post(add(0)).expect("room");
    rig.requester.post(add(0)).expect("room");
    let (error, work) = rig.requester.post(add(8)).expect_err("refused");
    assert_eq!((error, work), (PostError::Full(2), add(8)));
    assert_eq!(rig.requester.pending(), 2);
    assert_eq!(rig.psns(), [0, 1]);
    rig.respond(0, Opcode::AtomicAcknowledge, ACK, 0, b"");
    assert_eq!(rig.requester.pending(), 1);
    assert_eq!(rig.requester.post(add(8)).expect_err("nobody took the completion").0, PostError::Full(2));
    assert_eq!(rig.done(), [(1, Ok(()))]);
    rig.requester.post(add(8)).expect("room");
    rig.requester.close();
    assert_eq!(rig.done(), [(1, Err(Failure::Flushed)), (1, Err(Failure::Flushed))]);
    // A buffer that only says how long it is.
    struct Long;
    impl AsRef<[u8]> for Long {
        fn as_ref(&self) -> &[u8] {
            // Zeroed pages that nobody touches.
            static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
            BYTES.get_or_init(|| vec![0; (1 << 29) + 1])
        }
    }
    impl AsMut<[u8]> for Long {
        fn as_mut(&mut self) -> &mut [u8] {
            &mut []
        }
    }
    let path_mtu = PathMtu::new(256).expect("a path MTU");
    let mut long = Requester::new(RequesterConfig { path_mtu, ..RequesterConfig::new(1, FIRST) });
    let send = Work::new(1, Operation::Send { data: Long, immediate: None });
    let error = long.post(send).map_err(|(error, _)| error);
    assert_eq!(error, Err(PostError::Long { has: (1 << 29) + 1, most: 1 << 29 }));
}
