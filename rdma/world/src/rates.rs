//! Seeded programs of rates for the hardware that keeps them, as text: what happens, and the rate behind it.
//!
//! `cap N` begins a program. A line of it is an event and what the golden model has then. Numbers are hexadecimal.
//!
//! | line | what |
//! |---|---|
//! | `pass N` | so many periods pass |
//! | `sent B` | a packet with so many bytes of payload leaves |
//! | `cut` | a notification comes |
//! | `= rate target alpha timer units byTime byBytes credit` | behind each; a credit below 0 with a minus |
use std::fmt::Write as _;

use mneme_rdma::responder::Rate;
use mneme_wire::roce::{ROCE_RATE_LEAST, ROCE_RATE_LINE};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Programs that are kept beside the hardware's bench.
pub const RATE_PROGRAMS: u64 = 24;
const EVENTS: u32 = 120;

fn state(text: &mut String, rate: &Rate) {
    let Rate { rate, target, alpha, timer, units, stages: [time, bytes], credit, .. } = *rate;
    let sign = if credit < 0 { "-" } else { "" };
    let credit = credit.unsigned_abs();
    // A string takes everything.
    let _ = writeln!(
        text,
        "= {rate:x} {target:x} {alpha:x} {timer:x} {units:x} {time:x} {bytes:x} {sign}{credit:x}"
    );
}

/// Programs of the seeds from `first` on.
pub fn rate_vectors(first: u64, count: u64) -> String {
    let mut text = String::new();
    for seed in first..first + count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let cap = match seed % 4 {
            0 => rng.random_range(ROCE_RATE_LEAST..10_000),
            1 => rng.random_range(10_000..ROCE_RATE_LINE),
            _ => 0,
        };
        let mut rate = Rate::new(cap);
        let _ = writeln!(text, "cap {:x}", rate.cap);
        // Some see notifications in a row, some hardly any.
        let often = [0.02, 0.1, 0.5][seed as usize % 3];
        for _ in 0..EVENTS {
            if rng.random_bool(often) {
                rate.cut();
                text.push_str("cut\n");
            } else if rng.random_bool(0.3) {
                let passed =
                    if rng.random_bool(0.2) { rng.random_range(100..5000) } else { rng.random_range(1..20) };
                (0..passed).for_each(|_| rate.pass());
                let _ = writeln!(text, "pass {passed:x}");
            } else {
                // Bytes for which a program would need too many lines go at once.
                let large = rng.random_bool(0.2);
                let payload =
                    if large { rng.random_range(4096..0x10_0000) } else { rng.random_range(0..=4096) };
                rate.sent(payload);
                let _ = writeln!(text, "sent {payload:x}");
            }
            state(&mut text, &rate);
        }
    }
    text
}
