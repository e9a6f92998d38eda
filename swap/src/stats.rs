//! What is counted, and how it is told.
use crate::back::Failure;
use crate::device::Device;
use hdrhistogram::Histogram;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }
    /// The number.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

macro_rules! counters {
    ($( $(#[doc = $doc:literal])+ $name:ident, )+) => {
        /// What a device and its front have counted.
        #[derive(Debug, Default)]
        pub struct Counters {
            $( $(#[doc = $doc])+ pub $name: Counter, )+
            errors: [Counter; Failure::ALL.len()],
        }
        impl Counters {
            /// All of them by name, errors apart.
            pub fn named(&self) -> BTreeMap<String, u64> {
                BTreeMap::from([ $( (stringify!($name).to_owned(), self.$name.get()), )+ ])
            }
        }
    };
}

counters! {
    /// Reads that ended well.
    reads,
    /// Writes that ended well.
    writes,
    /// Discards.
    discards,
    /// Requests for zeros.
    zeroings,
    /// Flushes.
    flushes,
    /// Bytes read.
    bytes_read,
    /// Bytes written.
    bytes_written,
    /// Live blocks that were discarded or zeroed.
    discarded,
    /// Blocks that waited in RAM at once, since the board was known to be away.
    held_at_once,
    /// Blocks of RAM written again.
    retries,
    /// Of them, those that failed again.
    retries_failed,
    /// Chunks that the board gave.
    chunks_taken,
    /// Chunks given back to it.
    chunks_given,
    /// Chunks that it did not take back.
    chunks_lost,
    /// Wishes for a chunk that it refused.
    chunks_refused,
    /// Blocks whose memory the board took back, where it comes by the block.
    blocks_freed,
    /// Calls for that which failed.
    frees_failed,
    /// Blocks whose memory was not given back, since the board was known to be away; a later discard does.
    frees_put_off,
    /// Reads begun anew, since a block had left RAM for the board meanwhile, or was discarded.
    reads_again,
    /// Requests refused: not a multiple of a block, too long, outside of the device, unknown, or with unknown flags.
    requests_refused,
    /// Connections that sent what is no request.
    requests_malformed,
    /// Connections that ended in the middle of a request.
    connections_cut,
    /// Connections that were served.
    connections,
    /// Handshakes that were none, or took too long.
    handshakes_failed,
    /// Handshakes refused, since all queues were in use.
    handshakes_refused,
}

impl Counters {
    /// A request failed for this.
    pub fn failed(&self, failure: Failure) {
        self.errors[failure as usize].add(1);
    }
    /// Requests that failed, by reason.
    pub fn errors(&self) -> BTreeMap<String, u64> {
        let of = |failure: Failure| (failure.name().to_owned(), self.errors[failure as usize].get());
        Failure::ALL.into_iter().map(of).collect()
    }
}

/// Kinds of requests whose time is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timed {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Discards, requests for zeros, flushes.
    Other,
}

/// Nanoseconds that count as the longest: an hour.
const LONGEST: u64 = 3_600_000_000_000;

fn histogram() -> Histogram<u64> {
    // The bounds are right, so that there is no error.
    Histogram::new_with_bounds(1_000, LONGEST, 2).unwrap_or_else(|_| unreachable!("legal bounds"))
}

/// What one queue has counted.
pub struct QueueStats {
    times: Mutex<[Histogram<u64>; 3]>,
    /// Requests under way.
    pub under_way: AtomicU64,
    /// Packets or operations that its lane has sent once more.
    pub sent_again: AtomicU64,
    /// Whether it has a connection.
    pub in_use: AtomicU64,
}

impl Default for QueueStats {
    fn default() -> Self {
        QueueStats {
            times: Mutex::new([histogram(), histogram(), histogram()]),
            under_way: AtomicU64::new(0),
            sent_again: AtomicU64::new(0),
            in_use: AtomicU64::new(0),
        }
    }
}

impl QueueStats {
    /// A request has ended. Allocates nothing.
    pub fn took(&self, kind: Timed, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(LONGEST);
        self.times.lock()[kind as usize].saturating_record(nanoseconds.min(LONGEST));
    }
}

/// Times of one kind, in microseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// How many.
    pub count: u64,
    /// The median.
    pub p50_us: f64,
    /// 99% took no longer.
    pub p99_us: f64,
    /// The longest.
    pub max_us: f64,
}

/// Of the last whole second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Reads a second.
    pub reads: f64,
    /// Writes a second.
    pub writes: f64,
    /// Discards and requests for zeros a second.
    pub discards: f64,
    /// Bytes read a second.
    pub bytes_read: f64,
    /// Bytes written a second.
    pub bytes_written: f64,
}

/// Everything at one moment; what `mneme-swap stat --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The back end.
    pub via: String,
    /// The board, or nothing.
    pub board: Option<String>,
    /// Seconds since the start.
    pub uptime_s: f64,
    /// Bytes of the device.
    pub size: u64,
    /// The board's memory comes and goes by so many bytes.
    pub chunk: u64,
    /// Bytes in blocks that were written and not discarded since.
    pub live: u64,
    /// Bytes of the board's memory that the device has.
    pub on_board: u64,
    /// Of them, those that no chunk has: at hand for the next.
    pub spare: u64,
    /// `live` over `on_board`; 1 for a device that has none.
    pub utilisation: f64,
    /// Whether the board was away at the last try.
    pub board_away: bool,
    /// Blocks that wait in RAM.
    pub held_blocks: u64,
    /// The most that have waited at a time.
    pub held_peak: u64,
    /// The most that may.
    pub held_limit: u64,
    /// Queues.
    pub queues: u64,
    /// Of them, those with a connection.
    pub queues_in_use: u64,
    /// Requests under way.
    pub in_flight: u64,
    /// Packets or operations that were sent once more.
    pub sent_again: u64,
    /// Of the last whole second.
    pub per_second: Rates,
    /// Times by kind: `read`, `write`, `other`.
    pub times: BTreeMap<String, Times>,
    /// Counters by name.
    pub counters: BTreeMap<String, u64>,
    /// Requests that failed, by reason.
    pub errors: BTreeMap<String, u64>,
}

/// What the numbers were at the last whole second, and what happened in it.
struct Second {
    at: Instant,
    before: [u64; 5],
    rates: Rates,
}

/// Makes snapshots.
pub struct Reporter {
    device: Arc<Device>,
    queues: Vec<Arc<QueueStats>>,
    via: String,
    board: Option<String>,
    began: Instant,
    second: Mutex<Second>,
}

impl Reporter {
    /// Of a device and its queues.
    pub fn new(
        device: Arc<Device>,
        queues: Vec<Arc<QueueStats>>,
        via: &str,
        board: Option<String>,
    ) -> Reporter {
        let now = Instant::now();
        let second = Mutex::new(Second { at: now, before: [0; 5], rates: Rates::default() });
        Reporter { device, queues, via: via.to_owned(), board, began: now, second }
    }
    /// To be called again and again: takes the rates of each second.
    pub fn tick(&self) {
        let mut second = self.second.lock();
        let passed = second.at.elapsed().as_secs_f64();
        if passed < 1.0 {
            return;
        }
        let counters = &self.device.counters;
        let now = [
            counters.reads.get(),
            counters.writes.get(),
            counters.discards.get() + counters.zeroings.get(),
            counters.bytes_read.get(),
            counters.bytes_written.get(),
        ];
        let rate = |n: usize| (now[n] - second.before[n]) as f64 / passed;
        second.rates = Rates {
            reads: rate(0),
            writes: rate(1),
            discards: rate(2),
            bytes_read: rate(3),
            bytes_written: rate(4),
        };
        (second.at, second.before) = (Instant::now(), now);
    }
    /// Everything now.
    pub fn snapshot(&self) -> Snapshot {
        let device = &self.device;
        let sum = |of: fn(&QueueStats) -> &AtomicU64| {
            self.queues.iter().map(|queue| of(queue).load(Ordering::Relaxed)).sum::<u64>()
        };
        let (live, on_board) = (device.live(), device.on_board());
        Snapshot {
            via: self.via.clone(),
            board: self.board.clone(),
            uptime_s: self.began.elapsed().as_secs_f64(),
            size: device.size(),
            chunk: device.unit_of_memory(),
            live,
            on_board,
            spare: device.spare(),
            utilisation: if on_board == 0 { 1.0 } else { live as f64 / on_board as f64 },
            board_away: device.is_away(),
            held_blocks: device.held().count() as u64,
            held_peak: device.held().peak() as u64,
            held_limit: device.held().limit() as u64,
            queues: self.queues.len() as u64,
            queues_in_use: sum(|queue| &queue.in_use),
            in_flight: sum(|queue| &queue.under_way),
            sent_again: sum(|queue| &queue.sent_again),
            per_second: self.second.lock().rates.clone(),
            times: self.times(),
            counters: device.counters.named(),
            errors: device.counters.errors(),
        }
    }
    fn times(&self) -> BTreeMap<String, Times> {
        let mut all = [histogram(), histogram(), histogram()];
        for queue in &self.queues {
            for (all, one) in all.iter_mut().zip(queue.times.lock().iter()) {
                // The same bounds.
                all.add(one).unwrap_or_else(|_| unreachable!("equal bounds"));
            }
        }
        let us = |nanoseconds: u64| nanoseconds as f64 / 1e3;
        let times = |one: &Histogram<u64>| Times {
            count: one.len(),
            p50_us: us(one.value_at_quantile(0.5)),
            p99_us: us(one.value_at_quantile(0.99)),
            max_us: us(one.max()),
        };
        let names = ["read", "write", "other"].map(str::to_owned);
        names.into_iter().zip(all.iter().map(times)).collect()
    }
}
