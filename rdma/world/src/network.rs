//! What happens to a frame on its way.
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::Time;

/// How often something happens to a frame, of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// It is lost.
    pub loss: f64,
    /// It comes twice.
    pub duplication: f64,
    /// It comes late, behind others.
    pub reorder: f64,
    /// Some of its bits are wrong.
    pub damage: f64,
    /// A router marks it as having met congestion.
    pub congestion: f64,
}

impl Rates {
    /// Nothing happens.
    pub const NONE: Rates = Rates { loss: 0.0, duplication: 0.0, reorder: 0.0, damage: 0.0, congestion: 0.0 };
}

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Happened {
    /// Frames sent.
    pub sent: u64,
    /// Of them lost.
    pub lost: u64,
    /// Of them doubled.
    pub doubled: u64,
    /// Of them late.
    pub late: u64,
    /// Of them damaged.
    pub damaged: u64,
}

/// A switch between everybody.
#[derive(Debug)]
pub struct Network {
    rates: Rates,
    rng: ChaCha8Rng,
    /// What has happened so far.
    pub happened: Happened,
}

/// The shortest way, and the most that is added to it: alone, and for a frame that is late.
const WAY: Time = 1_000;
const JITTER: Time = 200;
const LATE: Time = 60_000;
/// The first byte behind Ethernet's addresses and type, which a switch's own check would find damaged.
const IP: usize = 14;

impl Network {
    /// A switch that does this to frames.
    pub fn new(rates: Rates, rng: ChaCha8Rng) -> Network {
        Network { rates, rng, happened: Happened::default() }
    }

    /// Leaves frames alone from now on.
    pub fn heal(&mut self) {
        self.rates = Rates::NONE;
    }

    /// The copies of a frame that come, and when.
    pub fn send(&mut self, now: Time, frame: Vec<u8>) -> Vec<(Time, Vec<u8>)> {
        self.happened.sent += 1;
        if self.rng.random_bool(self.rates.loss) {
            self.happened.lost += 1;
            return Vec::new();
        }
        let mut copies = vec![frame];
        if self.rng.random_bool(self.rates.duplication) {
            self.happened.doubled += 1;
            copies.push(copies[0].clone());
        }
        let mut come = Vec::new();
        for mut copy in copies {
            if self.rng.random_bool(self.rates.congestion) {
                mark(&mut copy);
            }
            if self.rng.random_bool(self.rates.damage) {
                self.happened.damaged += 1;
                self.damage(&mut copy);
            }
            let mut at = now + WAY + self.rng.random_range(0..JITTER);
            if self.rng.random_bool(self.rates.reorder) {
                self.happened.late += 1;
                at += self.rng.random_range(0..LATE);
            }
            come.push((at, copy));
        }
        come
    }

    /// Turns one to four bits over, or cuts the end off.
    fn damage(&mut self, frame: &mut Vec<u8>) {
        if self.rng.random_bool(0.1) {
            frame.truncate(self.rng.random_range(0..frame.len()));
            return;
        }
        for _ in 0..self.rng.random_range(1..=4) {
            let bit = self.rng.random_range(IP * 8..frame.len() * 8);
            frame[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// Sets both bits of ECN and mends the checksum of IPv4 (RFC 1624: the sum of the words stays all ones).
fn mark(frame: &mut [u8]) {
    let sum = u16::from_be_bytes([frame[IP + 10], frame[IP + 11]]);
    let added = 3 - u16::from(frame[IP + 1] & 3);
    frame[IP + 1] |= 3;
    let (sum, borrowed) = sum.overflowing_sub(added);
    let sum = if borrowed { sum - 1 } else { sum };
    frame[IP + 10..IP + 12].copy_from_slice(&sum.to_be_bytes());
}
