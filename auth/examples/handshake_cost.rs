//! What a secure OPEN costs either side: `cargo run --release -p mneme-auth --example handshake_cost`.
use mneme_auth::{Initiator, Responder, SecretKey};
use mneme_wire::payload::{BoardInfo, OpenAnswer, SecureOpenAnswer, SecureOpenRequest};
use std::time::{Duration, Instant};

const ROUNDS: u32 = 2_000;

/// The median of many rounds.
fn median(mut once: impl FnMut(u32) -> Duration) -> Duration {
    let mut all: Vec<Duration> = (0..ROUNDS).map(&mut once).collect();
    all.sort_unstable();
    all[all.len() / 2]
}

fn timed<R>(work: impl FnOnce() -> R) -> (Duration, R) {
    let began = Instant::now();
    let made = work();
    (began.elapsed(), made)
}

fn main() {
    let (board, tenant) = (SecretKey::from_bytes([1; 32]), SecretKey::from_bytes([2; 32]));
    let (public, responder) = (board.public(), Responder::new(board));
    let info =
        BoardInfo { page_bits: 18, epoch: 7, ns_per_tick: 8192, max_payload: 1450, ..BoardInfo::default() };
    let open = OpenAnswer { pid: 3, board: info, ..OpenAnswer::default() };
    let (ask, told) =
        (SecureOpenRequest::default(), SecureOpenAnswer { open, valid: 1, ..SecureOpenAnswer::default() });
    let fresh = |round: u32| {
        let mut entropy = [5; 32];
        entropy[8..12].copy_from_slice(&round.to_le_bytes());
        entropy
    };
    let begin = |round| Initiator::new(&public, &tenant, 7, &ask, fresh(round)).expect("a message");
    let read = |message: &[u8], round| responder.read(7, message, fresh(round));
    let asks = median(|round| timed(|| begin(round)).0);
    let reads = median(|round| {
        let (_, message) = begin(round);
        timed(|| read(&message, round).expect("proven")).0
    });
    let answers = median(|round| {
        let (_, message) = begin(round);
        let asked = read(&message, round).expect("proven");
        timed(|| asked.answer(&told).expect("an answer")).0
    });
    let finishes = median(|round| {
        let (mut initiator, message) = begin(round);
        let answer = read(&message, round).expect("proven").answer(&told).expect("an answer");
        timed(|| initiator.finish(&answer).expect("proven")).0
    });
    let forged = median(|round| timed(|| read(&[round as u8; 256], round).expect_err("forged")).0);
    println!("client: asks {asks:?}, finishes {finishes:?}");
    println!("board: reads {reads:?}, answers {answers:?}; a forged message {forged:?}");
}
