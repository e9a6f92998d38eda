//! Congestion notifications that come: the queue pair that they are about answers more slowly for a while, and no other one does.
use mneme_rdma::codec::{Bth, DEFAULT_PKEY, Extensions, Opcode, Packet, Psn};
use mneme_rdma::responder::{Counter, PACKET_MAX, QueuePairConfig};
use mneme_wire::roce::{ROCE_RATE_HEADERS, ROCE_RATE_LEAST};

use crate::rig::{CLIENT, FIRST, QPN, Rig, VA};

const PERIOD: u64 = 8192;

fn notification(qpn: u32, pkey: u16) -> Vec<u8> {
    let bth = Bth { dest_qp: qpn, pkey, becn: true, psn: Psn::default(), ..Bth::default() };
    let mut bytes = [0; PACKET_MAX];
    let packet = Packet { bth, opcode: Opcode::Congestion, extensions: Extensions::default(), payload: &[] };
    let length = packet.emit(&mut bytes).expect("a sound packet");
    bytes[..length].to_vec()
}

/// READs of 2 KB, eight responses each, all accepted.
fn reads(rig: &mut Rig, count: u32) {
    for read in 0..count {
        let reth = rig.reth(VA, 2048);
        rig.send(8 * read, Opcode::ReadRequest, reth, b"");
    }
}

#[test]
fn a_notified_queue_pair_answers_as_its_rate_says_and_comes_back() {
    let mut rig = Rig::new();
    for _ in 0..100 {
        rig.bytes(&notification(QPN, DEFAULT_PKEY));
    }
    assert_eq!((rig.count(Counter::CongestionNotified), rig.count(Counter::RateCuts)), (100, 100));
    reads(&mut rig, 4);
    // The first response may go; it is a debt of 352 bytes, and 128 come a period.
    let periods = u64::from((256 + ROCE_RATE_HEADERS).div_ceil(ROCE_RATE_LEAST));
    let mut at = Vec::new();
    for period in 0..6 * periods {
        rig.now = period * PERIOD;
        at.extend(rig.answers().iter().map(|_| period));
    }
    assert_eq!((at[0], at[1]), (0, periods), "{at:?}");
    assert!((6..=8).contains(&at.len()), "{at:?}");
    assert!(rig.count(Counter::Held) > 3, "each wait is counted once: {}", rig.count(Counter::Held));
    // Without another one it is as it was after some time, and all goes at once.
    rig.now += 1_000_000_000;
    let rest = rig.answers().len();
    assert_eq!(rest + at.len(), 32);
}

#[test]
fn acknowledges_and_notifications_of_its_own_do_not_wait() {
    let mut rig = Rig::new();
    for _ in 0..100 {
        rig.bytes(&notification(QPN, DEFAULT_PKEY));
    }
    reads(&mut rig, 1);
    assert_eq!(rig.answers().len(), 1);
    rig.arrive(
        CLIENT,
        true,
        &Bth { opcode: 4, dest_qp: QPN, psn: FIRST.minus(1), ..Bth::default() }.to_bytes(),
    );
    assert_eq!(rig.answers().iter().map(|answer| answer.opcode).collect::<Vec<_>>(), [Opcode::Congestion]);
    // Nothing but an acknowledge waits: it goes at once, however low the rate is.
    let mut rig = Rig::new();
    for _ in 0..100 {
        rig.bytes(&notification(QPN, DEFAULT_PKEY));
    }
    for psn in 0..20 {
        rig.write(psn, VA, &[1; 256], true);
        assert_eq!(rig.answers().len(), 1);
    }
}

#[test]
fn who_is_not_the_peer_lowers_no_rate() {
    let mut rig = Rig::new();
    let sound = notification(QPN, DEFAULT_PKEY);
    rig.arrive([10, 0, 0, 3], false, &sound);
    rig.bytes(&notification(QPN, DEFAULT_PKEY ^ 1));
    rig.bytes(&notification(QPN + 1, DEFAULT_PKEY));
    rig.bytes(&sound[..sound.len() - 4]);
    assert_eq!((rig.count(Counter::CongestionNotified), rig.count(Counter::RateCuts)), (4, 0));
    reads(&mut rig, 4);
    assert_eq!(rig.answers().len(), 32);
    assert_eq!(rig.count(Counter::Held), 0);
}

#[test]
fn others_are_served_while_one_waits() {
    let mut rig = Rig::new();
    let other = QueuePairConfig { pid: 7, ..QueuePairConfig::new(QPN + 1, CLIENT, 9, FIRST) };
    rig.responder.create(other).expect("room");
    for _ in 0..100 {
        rig.bytes(&notification(QPN, DEFAULT_PKEY));
    }
    reads(&mut rig, 4);
    let reth = rig.reth(VA, 2048);
    rig.send_to(QPN + 1, 0, Opcode::ReadRequest, reth, b"");
    let sent: Vec<usize> = rig.answers().iter().map(|answer| answer.payload.len()).collect();
    assert_eq!(sent, [256, 2048]);
}

#[test]
fn a_cap_holds_without_any_congestion() {
    let mut rig = Rig::with(|config| config.rate = 1000);
    reads(&mut rig, 16);
    let mut sent = 0;
    for period in 1..=20 {
        rig.now = period * PERIOD;
        sent += rig.answers().len() * (256 + ROCE_RATE_HEADERS as usize);
    }
    assert!(sent.abs_diff(20_000) <= 2 * (256 + ROCE_RATE_HEADERS as usize), "{sent}");
}
