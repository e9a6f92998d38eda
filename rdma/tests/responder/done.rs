//! What is executed, what is repeated, and what is asked for once more.
use mneme_rdma::codec::{Bth, Extensions, Opcode, PathMtu, Psn, Reth};
use mneme_rdma::responder::{
    Arrival, Counter, Limits, NOTIFICATION_GAP, QueuePairConfig, Responder, ResponderError,
};

use crate::SEQUENCE;
use crate::rig::{self, ACK, Answer, CLIENT, FIRST, QPN, Rig, VA};

#[test]
fn expected_writes_are_executed_and_acknowledged_when_asked() {
    let mut rig = Rig::new();
    rig.write(0, VA, b"first", false);
    assert_eq!(rig.answers(), [], "no acknowledge was asked for");
    rig.write(1, VA + 5, b"second", true);
    assert_eq!(rig.answers(), [Answer::ack(1, 2)]);
    assert_eq!(&rig.memory.bytes[..11], b"firstsecond");
    assert_eq!(rig.responder.progress(QPN), Some((FIRST.plus(2), 2)));
    assert_eq!(rig.count(Counter::Writes), 2);
}

#[test]
fn acknowledges_that_wait_become_one() {
    let mut rig = Rig::new();
    (0..5).for_each(|i| rig.write(i, VA, b"x", true));
    assert_eq!(rig.answers(), [Answer::ack(4, 5)]);
}

#[test]
fn a_message_of_several_packets_and_its_immediate_need_a_buffer_only_at_its_end() {
    let mut rig = Rig::new();
    let data: Vec<u8> = (0..700).map(|i| i as u8).collect();
    rig.send(0, Opcode::WriteFirst, rig.reth(VA, 700), &data[..256]);
    rig.send(1, Opcode::WriteMiddle, Extensions::default(), &data[256..512]);
    let last = Extensions { immediate: Some(77), ..Extensions::default() };
    rig.send(2, Opcode::WriteLastImmediate, last, &data[512..]);
    assert_eq!(rig.answers(), [Answer::refusal(2, 0, rig::rnr(1))]);
    assert_eq!(&rig.memory.bytes[512..700], &[0; 188], "nothing of the packet was done");
    rig.responder.post_receive(QPN, 5, Box::new([])).expect("a queue pair");
    rig.send(2, Opcode::WriteLastImmediate, last, &data[512..]);
    assert_eq!(rig.answers(), [Answer::ack(2, 1)]);
    assert_eq!(rig.memory.bytes[..700], data);
    let received = rig.responder.poll_received().expect("the immediate");
    assert_eq!((received.id, received.immediate, received.by_write, received.length), (5, Some(77), true, 0));
}

#[test]
fn sends_fill_buffers_in_order() {
    let mut rig = Rig::new();
    for id in 0..2 {
        rig.responder.post_receive(QPN, id, vec![0; 600].into()).expect("a queue pair");
    }
    rig.send(0, Opcode::SendFirst, Extensions::default(), &[1; 256]);
    rig.send(1, Opcode::SendLast, Extensions::default(), &[2; 44]);
    let with = Extensions { immediate: Some(9), ..Extensions::default() };
    rig.send(2, Opcode::SendOnlyImmediate, with, b"");
    assert_eq!(rig.answers(), [Answer::ack(2, 2)]);
    let first = rig.responder.poll_received().expect("a message");
    assert_eq!((first.id, first.length, first.immediate), (0, 300, None));
    assert_eq!((&first.buffer[..256], &first.buffer[256..300]), (&[1; 256][..], &[2; 44][..]));
    let second = rig.responder.poll_received().expect("a message");
    assert_eq!((second.id, second.length, second.immediate), (1, 0, Some(9)));
    assert_eq!(rig.responder.poll_received(), None);
}

#[test]
fn a_gap_is_told_once_and_what_lies_behind_it_is_not_executed() {
    let mut rig = Rig::new();
    rig.write(0, VA, b"a", false);
    rig.write(2, VA, b"c", true);
    rig.write(3, VA, b"d", true);
    assert_eq!(rig.answers(), [Answer::refusal(1, 1, SEQUENCE)]);
    assert_eq!((rig.count(Counter::Gap), rig.count(Counter::AheadOfGap)), (1, 1));
    rig.write(1, VA, b"b", true);
    assert_eq!((rig.answers(), rig.memory.bytes[0]), (vec![Answer::ack(1, 2)], b'b'));
    rig.write(5, VA, b"f", true);
    assert_eq!(rig.answers(), [Answer::refusal(2, 2, SEQUENCE)], "another gap");
}

#[test]
fn the_number_half_a_circle_ahead_is_a_duplicate() {
    let mut rig = Rig::new();
    rig.write(Psn::HALF - 1, VA, b"a", true);
    assert_eq!(rig.answers(), [Answer::refusal(0, 0, SEQUENCE)]);
    rig.write(Psn::HALF, VA, b"b", true);
    assert_eq!(rig.count(Counter::DuplicateWrites), 1);
}

#[test]
fn a_duplicate_write_or_send_is_acknowledged_and_not_executed() {
    let mut rig = Rig::new();
    rig.responder.post_receive(QPN, 0, vec![0; 8].into()).expect("a queue pair");
    rig.write(0, VA, b"old", true);
    rig.send(1, Opcode::SendOnly, Extensions::default(), b"x");
    rig.write(2, VA, b"new", true);
    assert_eq!(rig.answers(), [Answer::ack(2, 3)]);
    rig.write(0, VA, b"old", true);
    rig.send(1, Opcode::SendOnly, Extensions::default(), b"x");
    assert_eq!(rig.answers(), [Answer::ack(2, 3)], "of all that is done");
    assert_eq!(&rig.memory.bytes[..3], b"new");
    assert_eq!((rig.count(Counter::DuplicateWrites), rig.count(Counter::Sends)), (2, 1));
}

#[test]
fn reads_are_cut_by_the_path_mtu_and_hold_acknowledges_back() {
    let mut rig = Rig::new();
    rig.memory.fill();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA + 3, 600), b"");
    rig.write(3, VA + 2000, b"x", true);
    let bytes = |range: std::ops::Range<usize>| rig.memory.bytes[range].to_vec();
    let parts = [bytes(3..259), bytes(259..515), bytes(515..603)];
    let answers = rig.answers();
    let opcodes = [Opcode::ReadResponseFirst, Opcode::ReadResponseMiddle, Opcode::ReadResponseLast];
    for (i, part) in parts.into_iter().enumerate() {
        let syndrome = (i != 1).then_some((ACK, 1));
        assert_eq!(
            answers[i],
            Answer { psn: i as u32, opcode: opcodes[i], syndrome, found: None, payload: part }
        );
    }
    assert_eq!(answers[3..], [Answer::ack(3, 2)]);
}

#[test]
fn an_empty_read_is_answered_whatever_its_key() {
    let mut rig = Rig::new();
    let reth = Some(Reth { va: 1 << 60, rkey: 0xdead_beef, length: 0 });
    rig.send(0, Opcode::ReadRequest, Extensions { reth, ..Extensions::default() }, b"");
    let answers = rig.answers();
    assert_eq!(
        (answers.len(), answers[0].opcode, answers[0].payload.len()),
        (1, Opcode::ReadResponseOnly, 0)
    );
}

#[test]
fn a_duplicate_read_is_done_again_from_where_it_begins() {
    let mut rig = Rig::new();
    rig.memory.fill();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 600), b"");
    assert_eq!(rig.answers().len(), 3);
    rig.send(1, Opcode::ReadRequest, rig.reth(VA + 256, 344), b"");
    let again = rig.answers();
    assert_eq!(
        (again[0].psn, again[0].opcode, &again[0].payload),
        (1, Opcode::ReadResponseFirst, &rig.memory.bytes[256..512].to_vec())
    );
    assert_eq!((again[1].psn, again[1].opcode, again.len()), (2, Opcode::ReadResponseLast, 2));
    // Others than the one that is remembered: another key, another address, too long, another number.
    let other =
        Extensions { reth: Some(Reth { va: VA, rkey: rig.rkey ^ 1, length: 600 }), ..Extensions::default() };
    rig.send(0, Opcode::ReadRequest, other, b"");
    rig.send(1, Opcode::ReadRequest, rig.reth(VA, 344), b"");
    rig.send(1, Opcode::ReadRequest, rig.reth(VA + 256, 345), b"");
    rig.send(0x80_0005, Opcode::ReadRequest, rig.reth(VA, 600), b"");
    assert_eq!((rig.answers(), rig.count(Counter::DuplicateForgotten)), (vec![], 4));
}

#[test]
fn a_duplicate_read_that_is_being_answered_is_not_answered_twice() {
    let mut rig = Rig::new();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 600), b"");
    assert_eq!(rig.answer().map(|a| a.psn), Some(0));
    rig.send(1, Opcode::ReadRequest, rig.reth(VA + 256, 344), b"");
    let psns: Vec<_> = rig.answers().iter().map(|a| a.psn).collect();
    assert_eq!(psns, [1, 2]);
}

#[test]
fn a_read_older_than_sixteen_is_forgotten() {
    let mut rig = Rig::new();
    for psn in 0..17 {
        rig.send(psn, Opcode::ReadRequest, rig.reth(VA, 4), b"");
        assert_eq!(rig.answers().len(), 1);
    }
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 4), b"");
    assert_eq!((rig.answers().len(), rig.count(Counter::DuplicateForgotten)), (0, 1));
    rig.send(1, Opcode::ReadRequest, rig.reth(VA, 4), b"");
    assert_eq!(rig.answers().len(), 1, "the sixteenth is remembered");
}

#[test]
fn atomics_are_executed_once_and_their_words_told_again() {
    let mut rig = Rig::new();
    rig.memory.bytes[8..16].copy_from_slice(&0x0102_0304_0506_0708_u64.to_le_bytes());
    rig.atomic(0, Opcode::FetchAdd, VA + 8, 1, 0);
    let first = rig.answers();
    assert_eq!((first[0].opcode, first[0].found), (Opcode::AtomicAcknowledge, Some(0x0102_0304_0506_0708)));
    rig.atomic(0, Opcode::FetchAdd, VA + 8, 1, 0);
    assert_eq!(rig.answers(), first, "told again");
    rig.atomic(1, Opcode::CompareSwap, VA + 8, 7, 0x0102_0304_0506_0709);
    assert_eq!(rig.answers()[0].found, Some(0x0102_0304_0506_0709), "added once");
    assert_eq!(rig.memory.bytes[8..16], 7u64.to_le_bytes());
    rig.atomic(1, Opcode::FetchAdd, VA + 8, 7, 0x0102_0304_0506_0709);
    assert_eq!((rig.answers(), rig.count(Counter::DuplicateForgotten)), (vec![], 1), "another than before");
    assert_eq!((rig.count(Counter::Atomics), rig.count(Counter::DuplicateAtomics)), (2, 1));
}

#[test]
fn an_atomic_does_not_overtake_a_read() {
    let mut rig = Rig::new();
    rig.send(0, Opcode::ReadRequest, rig.reth(VA, 8), b"");
    rig.atomic(1, Opcode::FetchAdd, VA, 5, 0);
    rig.atomic(2, Opcode::FetchAdd, VA, 6, 0);
    let answers = rig.answers();
    assert_eq!(answers[0].payload, [0; 8]);
    assert_eq!((answers[1].found, answers[2].found), (Some(0), Some(5)));
}

#[test]
fn congestion_is_told_once_in_a_while() {
    let mut rig = Rig::new();
    let bth = Bth { opcode: 4, dest_qp: QPN, psn: FIRST.minus(1), ..Bth::default() };
    for (now, told) in [(0, 1), (1, 0), (NOTIFICATION_GAP - 1, 0), (NOTIFICATION_GAP, 1)] {
        rig.now = now;
        rig.arrive(CLIENT, true, &bth.to_bytes());
        let notified = rig.answers().into_iter().filter(|a| a.opcode == Opcode::Congestion).count();
        assert_eq!(notified, told, "at {now}");
    }
}

#[test]
fn a_write_that_starts_again_with_the_rest_is_taken() {
    let mut rig = Rig::new();
    rig.send(0, Opcode::WriteFirst, rig.reth(VA, 700), &[1; 256]);
    rig.send(1, Opcode::WriteFirst, rig.reth(VA + 256, 444), &[2; 256]);
    rig.send(2, Opcode::WriteOnly, rig.reth(VA + 512, 188), &[3; 188]);
    assert_eq!(rig.answers(), [Answer::ack(2, 1)]);
    assert_eq!((rig.memory.bytes[255], rig.memory.bytes[511], rig.memory.bytes[699]), (1, 2, 3));
}

#[test]
fn queue_pairs_take_turns() {
    let mut rig = Rig::new();
    let other = QueuePairConfig {
        pid: 7,
        path_mtu: PathMtu::new(256).expect("one"),
        ..QueuePairConfig::new(QPN + 1, CLIENT, 9, FIRST)
    };
    rig.responder.create(other).expect("room");
    for qpn in [QPN, QPN + 1] {
        rig.send_to(qpn, 0, Opcode::ReadRequest, rig.reth(VA, 1000), b"");
    }
    let psns: Vec<_> = rig.answers().iter().map(|a| a.psn).collect();
    assert_eq!(psns, [0, 0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn what_the_owner_asks_for_is_bounded() {
    let mut responder = Responder::new(Limits { queue_pairs: 1, receives: 1, ..Limits::default() });
    let config = |qpn| QueuePairConfig::new(qpn, CLIENT, 1, FIRST);
    for number in [0, 1, 1 << 24] {
        assert_eq!(responder.create(config(number)), Err(ResponderError::Number(number)));
    }
    assert_eq!(responder.create(config(2)), Ok(()));
    assert_eq!(responder.create(config(2)), Err(ResponderError::Exists(2)));
    assert_eq!(responder.create(config(3)), Err(ResponderError::Full(1)));
    assert_eq!(responder.post_receive(2, 0, Box::new([])), Ok(()));
    let full = ResponderError::Receives { qpn: 2, most: 1 };
    assert_eq!(responder.post_receive(2, 0, Box::new([])), Err(full));
    assert_eq!(responder.destroy(3), Err(ResponderError::Unknown(3)));
    assert_eq!((responder.destroy(2), responder.in_error(2)), (Ok(()), None));
    let mut rig = Rig::new();
    let arrival = Arrival { source: CLIENT, congested: false, transport: &[] };
    responder.receive(0, &arrival, &mut rig.memory);
    assert_eq!(responder.counters().seen().collect::<Vec<_>>(), [("malformed", 1)]);
}
