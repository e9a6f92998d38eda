//! Numbers and keys that an attacker guesses (ReDMArk, V1 to V8, A1, A2).
use super::*;
use mneme_rdma::codec::profile::{Arguments, Chain};

/// Numbers that look random, always the same.
fn drawn(count: u64) -> impl Iterator<Item = u32> {
    (1..=count).map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32)
}

#[test]
fn a_guessed_key_opens_nothing() {
    guessed_key(&sound);
}

/// Keys one bit beside the victim's, of its row with other random bits, and of no row; on an ordinary queue pair the first one ends it.
pub fn guessed_key(plant: Plant<'_>) {
    let mut scene = Scene::new(plant, true);
    let beside = (0..32).map(|bit| scene.rkey ^ 1 << bit);
    let row = scene.rkey & 1023;
    let all: Vec<u32> =
        beside.chain(drawn(50_000).map(|random| random << 10 | row)).chain(drawn(1_000)).collect();
    let mut wrong = 0;
    for rkey in all.into_iter().filter(|rkey| *rkey != scene.rkey && *rkey != scene.own) {
        // The attacker has a process of its own, and a queue pair in the victim's would not help it.
        for qpn in [VICTIM, ATTACKER] {
            scene.rig.source = if qpn == ATTACKER { OTHER } else { PEER };
            let psn = scene.rig.psn.get(&qpn).copied().unwrap_or_default();
            scene.rig.deliver(qpn, psn, Opcode::ReadRequest, reth(rkey, VA, 16), &[]);
            scene.rig.source = PEER;
            wrong += 1;
        }
        assert!(scene.rig.sent().is_empty(), "key {rkey:#x} is answered");
    }
    assert_eq!((scene.count(Counter::Key), scene.count(Counter::Hardened)), (wrong, wrong));
    scene.unharmed();
    let mut scene = Scene::new(plant, false);
    let sent = scene.read(ATTACKER, scene.rkey ^ 1 << 31, VA, 16);
    assert_eq!(
        sent.iter().filter_map(|sent| sent.extensions.aeth).map(|a| a.syndrome).collect::<Vec<_>>(),
        [ACCESS]
    );
    let own = scene.own;
    assert!(scene.read(ATTACKER, own, VA, 16).is_empty(), "a guess costs a connection");
    assert_eq!((scene.count(Counter::Key), scene.count(Counter::QueuePairError)), (1, 1));
    scene.unharmed();
}

#[test]
fn a_guessed_queue_pair_number_meets_silence() {
    guessed_queue_pair(&sound);
}

/// All 4,096 numbers that connections can have: others' are of another address.
pub fn guessed_queue_pair(plant: Plant<'_>) {
    let mut scene = Scene::new(plant, false);
    scene.rig.source = OTHER;
    for qpn in (0x1000..0x2000).filter(|qpn| *qpn != ATTACKER) {
        for psn in [0, 1, 2, 0x80_0000] {
            let extensions = reth(scene.rkey, VA, 8);
            scene.rig.deliver(qpn, Psn::from_low_bits(psn), Opcode::WriteOnly, extensions, b"attacker");
        }
    }
    scene.rig.source = PEER;
    assert!(scene.rig.sent().is_empty(), "a stranger is answered");
    let (unknown, foreign) = (scene.count(Counter::UnknownQueuePair), scene.count(Counter::WrongSource));
    assert_eq!((unknown, foreign), (4 * 4094, 4));
    scene.unharmed();
}

#[test]
fn a_forged_source_with_a_guessed_packet_number_executes_nothing() {
    injected(&sound);
}

/// Who forges the victim's address and knows its number and key still needs 24 bits of its next packet's number.
pub fn injected(plant: Plant<'_>) {
    let mut scene = Scene::new(plant, false);
    let next = scene.rig.psn[&VICTIM];
    let mut gaps = 0;
    for psn in drawn(20_000).map(Psn::from_low_bits).filter(|psn| *psn != next) {
        gaps += u64::from(next.is_before(psn));
        scene.rig.deliver(VICTIM, psn, Opcode::WriteOnly, reth(scene.rkey, VA, 8), b"attacker");
        let sent = scene.rig.sent();
        assert!(!leaks(&sent));
    }
    assert_eq!(scene.count(Counter::Writes), 1, "the victim's own");
    // One gap is told, what comes ahead of it is dropped, what lies behind is acknowledged and not executed.
    assert_eq!((scene.count(Counter::Gap), scene.count(Counter::AheadOfGap)), (1, gaps - 1));
    assert!(scene.count(Counter::DuplicateWrites) > 9_000);
    scene.unharmed();
}

#[test]
fn an_error_that_is_forged_ends_no_hardened_queue_pair() {
    forged_error(&sound);
}

/// Who knows all numbers, but no key, may end an ordinary connection by an error (A2); a hardened one drops it, and its numbers stay.
pub fn forged_error(plant: Plant<'_>) {
    for hardened in [false, true] {
        let mut scene = Scene::new(plant, hardened);
        let next = scene.rig.psn[&VICTIM];
        let wrong = [
            (Opcode::WriteOnly, reth(scene.rkey ^ 1 << 20, VA, 8), &[1; 8][..], Counter::Key),
            (Opcode::WriteOnly, reth(scene.rkey, VA + 8 * FRAME, 8), &[1; 8], Counter::Range),
            (Opcode::WriteMiddle, Extensions::default(), &[1; 4096], Counter::Order),
            (Opcode::WriteOnly, reth(scene.rkey, VA, 9), &[1; 8], Counter::Total),
        ];
        let tried = if hardened { wrong.len() } else { 1 };
        for (opcode, extensions, payload, counter) in &wrong[..tried] {
            scene.rig.deliver(VICTIM, next, *opcode, *extensions, payload);
            assert_eq!(scene.count(*counter), 1, "{opcode:?}");
        }
        let answers = scene.rig.answers().0;
        assert_eq!(answers.is_empty(), hardened, "{answers:?}");
        assert_eq!(scene.count(Counter::Hardened), if hardened { 4 } else { 0 });
        if hardened {
            scene.unharmed();
        } else {
            assert_eq!(scene.rig.node.responder.in_error(VICTIM), Some(true), "as RoCEv2 has it");
        }
    }
}

#[test]
fn a_chain_without_the_secret_of_its_table_does_nothing() {
    wrong_secret(&sound);
}

/// Whoever guesses a chain's numbers does not know its table's secret.
pub fn wrong_secret(plant: Plant<'_>) {
    for chain in Chain::ALL {
        for bit in 0..64 {
            let mut scene = Scene::new(plant, false);
            let page = [0x66; 4096];
            let key = Some(KEY ^ 1 << bit);
            scene.rig.ask_with(0, chain, &Arguments { key, ..arguments(&page) });
            let (syndromes, writes) = scene.rig.answers();
            assert_eq!((only(&syndromes), writes.len()), (Some(ACCESS), 0), "{chain:?}, bit {bit}");
            assert_eq!(scene.rig.node.counters().wrong_key, 1);
            scene.unharmed();
        }
    }
}
