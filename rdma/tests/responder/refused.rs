//! What is refused, what must come again, and what meets silence.
use mneme_rdma::codec::{AtomicEth, Bth, Extensions, Opcode, Reth};
use mneme_rdma::memory::{Access, MemoryFault, Region};
use mneme_rdma::responder::{Counter, Limits, Responder};

use crate::rig::{self, Answer, FIRST, QPN, Rig, VA};
use crate::{ACCESS, INVALID, OPERATION};

/// An opcode, the length that its RETH tells, and the bytes of its payload.
type Step = (Opcode, u32, usize);

#[test]
fn what_is_no_next_packet_of_a_message_is_refused() {
    use Opcode::{
        ReadRequest, SendFirst, SendMiddle, SendOnly, WriteFirst, WriteLast, WriteMiddle, WriteOnly,
    };
    let none = Extensions::default();
    // What comes first, and is done; then what is refused; and how it is counted.
    let cases: &[(&[Step], Step, Counter)] = &[
        (&[], (WriteMiddle, 0, 256), Counter::Order),
        (&[], (SendMiddle, 0, 256), Counter::Order),
        (&[(WriteFirst, 512, 256)], (SendOnly, 0, 4), Counter::Order),
        (&[(WriteFirst, 512, 256)], (SendMiddle, 0, 256), Counter::Order),
        (&[(WriteFirst, 512, 256)], (WriteOnly, 4, 4), Counter::Order),
        (&[(WriteFirst, 512, 256)], (ReadRequest, 4, 0), Counter::Order),
        (&[(SendFirst, 0, 256)], (SendFirst, 0, 256), Counter::Order),
        (&[(SendFirst, 0, 256)], (WriteLast, 0, 4), Counter::Order),
        (&[], (WriteFirst, 512, 255), Counter::Length),
        (&[], (SendFirst, 0, 252), Counter::Length),
        (&[], (WriteOnly, 260, 260), Counter::Length),
        (&[(WriteFirst, 512, 256)], (WriteLast, 0, 0), Counter::Length),
        (&[], (WriteOnly, 5, 4), Counter::Total),
        (&[], (WriteOnly, 3, 4), Counter::Total),
        (&[], (WriteFirst, 256, 256), Counter::Total),
        (&[], (WriteFirst, 0, 256), Counter::Total),
        (&[(WriteFirst, 512, 256)], (WriteLast, 0, 255), Counter::Total),
        (&[(WriteFirst, 600, 256)], (WriteLast, 0, 256), Counter::Total),
        (&[(WriteFirst, 512, 256)], (WriteMiddle, 0, 256), Counter::Total),
        (&[], (WriteFirst, u32::MAX, 256), Counter::Total),
        (&[], (ReadRequest, (1 << 31) + 1, 0), Counter::Total),
        (&[], (ReadRequest, 1 << 31, 0), Counter::Total),
        (&[(SendFirst, 0, 256), (SendMiddle, 0, 256)], (SendMiddle, 0, 256), Counter::ReceiveLength),
    ];
    for (before, (opcode, length, bytes), counter) in cases {
        for hardened in [false, true] {
            let mut rig = Rig::with(|config| config.hardened = hardened);
            rig.responder.post_receive(QPN, 0, vec![0; 600].into()).expect("a queue pair");
            for (i, (opcode, length, bytes)) in before.iter().enumerate() {
                let reth = if *length > 0 { rig.reth(VA, *length) } else { none };
                rig.send(i as u32, *opcode, reth, &vec![1; *bytes]);
            }
            rig.answers();
            let psn = before.len() as u32;
            let has = opcode.has(mneme_rdma::codec::Extension::Reth);
            rig.send(psn, *opcode, if has { rig.reth(VA, *length) } else { none }, &vec![2; *bytes]);
            let case = format!("{opcode:?} of {bytes} behind {before:?}");
            assert_eq!(rig.count(*counter), 1, "{case}");
            assert!(!rig.memory.bytes.contains(&2), "{case}: nothing of it was done");
            rig.ends_or_goes_on(psn, hardened, INVALID, &case);
        }
    }
}

#[test]
fn packets_that_cannot_be_are_refused_or_dropped() {
    let cases: [(u8, u8, usize, Counter); 6] = [
        (0x15, 0, 4, Counter::Opcode),
        (0x1c, 0, 16, Counter::Opcode),
        (0x16, 0, 8, Counter::Opcode),
        (0x0a, 0, 15, Counter::Layout),
        (0x0a, 3, 16, Counter::Layout),
        (0x0c, 0, 20, Counter::Layout),
    ];
    for (opcode, pad, body, counter) in cases {
        for hardened in [false, true] {
            let mut rig = Rig::with(|config| config.hardened = hardened);
            let bth = Bth { opcode, pad, dest_qp: QPN, psn: FIRST, ..Bth::default() };
            rig.bytes(&[&bth.to_bytes()[..], &vec![0; body]].concat());
            assert_eq!(rig.count(counter), 1, "{opcode:#x}");
            rig.ends_or_goes_on(0, hardened, INVALID, &format!("{opcode:#x}"));
        }
    }
    // The same behind what is expected: dropped.
    let mut rig = Rig::new();
    let bth = Bth { opcode: 0x1c, dest_qp: QPN, psn: FIRST.minus(1), ..Bth::default() };
    rig.bytes(&bth.to_bytes());
    assert_eq!((rig.answers(), rig.count(Counter::DuplicateMalformed)), (vec![], 1));
}

/// Regions of 64 bytes: another process's, and one that may only be read, one only written, and one for atomics.
fn few_regions(rig: &mut Rig) -> [u32; 4] {
    let all = [(8, Access::ALL), (7, Access::READ), (7, Access::WRITE), (7, Access::ATOMIC)];
    all.map(|(pid, access)| {
        let region = Region { pid, va: VA, length: 64, access };
        rig.responder.regions.insert(0x11_1111, region).expect("room")
    })
}

#[test]
fn what_may_not_be_accessed_is_refused() {
    // Keys follow from what they are made of: the same in every rig.
    let [foreign, read, write, atomic] = few_regions(&mut Rig::new());
    let cases = [
        (Opcode::WriteOnly, read ^ 1 << 31, VA, Counter::Key),
        (Opcode::ReadRequest, foreign, VA, Counter::Process),
        (Opcode::WriteOnly, read, VA, Counter::Right),
        (Opcode::FetchAdd, read, VA, Counter::Right),
        (Opcode::ReadRequest, write, VA, Counter::Right),
        (Opcode::FetchAdd, write, VA, Counter::Right),
        (Opcode::ReadRequest, atomic, VA, Counter::Right),
        (Opcode::WriteOnly, write, VA + 57, Counter::Range),
        (Opcode::WriteOnly, write, VA - 1, Counter::Range),
        (Opcode::ReadRequest, read, u64::MAX - 3, Counter::Range),
        (Opcode::CompareSwap, atomic, VA + 64, Counter::Range),
    ];
    for (opcode, rkey, va, counter) in cases {
        for hardened in [false, true] {
            let mut rig = Rig::with(|config| config.hardened = hardened);
            few_regions(&mut rig);
            let extensions = Extensions {
                reth: Some(Reth { va, rkey, length: 8 }),
                atomic: Some(AtomicEth { va, rkey, swap_or_add: 1, compare: 0 }),
                ..Extensions::default()
            };
            let payload: &[u8] = if opcode == Opcode::WriteOnly { &[2; 8] } else { &[] };
            rig.send(0, opcode, extensions, payload);
            assert_eq!(rig.count(counter), 1, "{opcode:?} {va:#x}");
            assert_eq!(rig.memory.bytes, vec![0; rig.memory.bytes.len()]);
            rig.ends_or_goes_on(0, hardened, ACCESS, &format!("{opcode:?} {va:#x}"));
        }
    }
}

#[test]
fn an_atomic_across_a_word_s_ends_is_refused() {
    let mut rig = Rig::new();
    rig.atomic(0, Opcode::FetchAdd, VA + 4, 1, 0);
    assert_eq!((rig.answers(), rig.count(Counter::Alignment)), (vec![Answer::refusal(0, 0, INVALID)], 1));
}

#[test]
fn what_the_memory_says_is_told() {
    for (fault, syndrome, counter) in [
        (MemoryFault::Failed, OPERATION, Counter::MemoryFailed),
        (MemoryFault::Denied, ACCESS, Counter::MemoryDenied),
    ] {
        for opcode in [Opcode::WriteOnly, Opcode::ReadRequest, Opcode::FetchAdd] {
            let mut rig = Rig::new();
            rig.memory.fault = Some(fault);
            let extensions = Extensions {
                atomic: Some(AtomicEth { va: VA, rkey: rig.rkey, swap_or_add: 1, compare: 0 }),
                ..rig.reth(VA, 8)
            };
            rig.send(0, opcode, extensions, if opcode == Opcode::WriteOnly { &[2; 8] } else { &[] });
            let answers = rig.answers();
            assert_eq!((answers.len(), answers[0].syndrome.map(|s| s.0)), (1, Some(syndrome)), "{opcode:?}");
            assert_eq!((rig.count(counter), rig.responder.in_error(QPN)), (1, Some(true)));
        }
    }
}

#[test]
fn a_memory_that_is_not_ready_is_asked_again_by_the_client_ever_later() {
    let mut rig = Rig::new();
    rig.memory.fault = Some(MemoryFault::NotReady);
    for step in 1..=16 {
        rig.write(0, VA, b"x", true);
        rig.write(1, VA, b"y", true);
        assert_eq!(rig.answers(), [Answer::refusal(0, 0, rig::rnr(step.min(14)))]);
    }
    assert_eq!((rig.count(Counter::MemoryNotReady), rig.count(Counter::AheadOfNotReady)), (16, 16));
    rig.memory.fault = None;
    rig.write(1, VA, b"y", true);
    assert_eq!(rig.answers(), [], "the packet itself must come again first");
    rig.write(0, VA, b"x", true);
    rig.write(1, VA, b"y", true);
    assert_eq!((rig.answers(), rig.memory.bytes[0]), (vec![Answer::ack(1, 2)], b'y'));
    rig.memory.fault = Some(MemoryFault::NotReady);
    rig.write(2, VA, b"z", true);
    assert_eq!(rig.answers(), [Answer::refusal(2, 2, rig::rnr(1))], "it begins anew");
}

#[test]
fn a_read_waits_for_its_memory_and_not_for_ever() {
    let mut rig = Rig::new();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 600), b"");
    assert_eq!(rig.answer().map(|a| a.psn), Some(0));
    rig.memory.fault = Some(MemoryFault::NotReady);
    assert_eq!(rig.answer(), None);
    assert!(!rig.responder.is_idle());
    rig.now += Limits::default().read_wait;
    assert_eq!(rig.answers(), [Answer::refusal(1, 1, rig::rnr(1))]);
    assert!(rig.responder.is_idle());
    rig.memory.fault = None;
    rig.send(1, Opcode::ReadRequest, rig.reth(VA + 256, 344), b"");
    assert_eq!(rig.answers().len(), 2);
}

#[test]
fn places_for_reads_are_bounded_per_queue_pair_and_in_all() {
    let mut rig = Rig::new();
    for psn in 0..16 {
        rig.send(psn, Opcode::ReadRequest, rig.reth(VA, 4), b"");
    }
    rig.send(16, Opcode::ReadRequest, rig.reth(VA, 4), b"");
    assert_eq!(rig.count(Counter::QueueFull), 1);
    let answers = rig.answers();
    assert_eq!((answers.len(), &answers[16]), (17, &Answer::refusal(16, 16, rig::rnr(1))));
    rig.send(16, Opcode::ReadRequest, rig.reth(VA, 4), b"");
    assert_eq!(rig.answers().len(), 1);
    let mut few = Rig::new();
    few.responder = Responder::new(Limits { jobs: 2, shares: false, ..Limits::default() });
    few.set_up(|_| {});
    (0..3).for_each(|psn| few.atomic(psn, Opcode::FetchAdd, VA, 1, 0));
    assert_eq!((few.count(Counter::QueueFull), few.answers().len()), (1, 3));
}

#[test]
fn a_region_that_is_given_up_ends_a_read_under_way() {
    let mut rig = Rig::new();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 600), b"");
    assert_eq!(rig.answer().map(|a| a.psn), Some(0));
    rig.responder.regions.remove(rig.rkey).expect("it is there");
    assert_eq!(rig.answers(), [Answer::refusal(1, 1, ACCESS)]);
    assert_eq!(rig.responder.in_error(QPN), Some(true));
}

#[test]
fn a_refusal_comes_behind_earlier_reads() {
    let mut rig = Rig::new();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 300), b"");
    rig.write(2, VA - 1, b"x", true);
    let answers = rig.answers();
    assert_eq!(answers.iter().map(|a| a.psn).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(answers[2], Answer::refusal(2, 1, ACCESS));
}

#[test]
fn strangers_meet_silence() {
    let mut rig = Rig::new();
    let bth = Bth { opcode: 4, dest_qp: QPN, psn: FIRST, ack_request: true, ..Bth::default() };
    rig.bytes(&bth.to_bytes()[..11]);
    let mut version = bth.to_bytes();
    version[1] |= 1;
    rig.bytes(&version);
    for (change, counter) in [
        (Bth { dest_qp: QPN + 1, ..bth }, Counter::UnknownQueuePair),
        (Bth { pkey: 1, ..bth }, Counter::WrongPartition),
        (Bth { opcode: 0x64, ..bth }, Counter::OtherTransport),
        (Bth { opcode: 0x11, ..bth }, Counter::Response),
        (Bth { opcode: 0x81, ..bth }, Counter::CongestionNotified),
    ] {
        rig.bytes(&change.to_bytes());
        assert_eq!(rig.count(counter), 1, "{counter:?}");
    }
    rig.arrive([10, 0, 0, 3], false, &bth.to_bytes());
    assert_eq!((rig.count(Counter::Malformed), rig.count(Counter::WrongSource)), (2, 1));
    assert_eq!((rig.answers(), rig.responder.progress(QPN)), (vec![], Some((FIRST, 0))));
}
