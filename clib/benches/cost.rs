//! The client's own cost per operation as percentiles, from issue to completion against a driver that answers at once: a
//! table, and JSON in the last line. Percentiles, not means, so that a busy machine's pauses do not count as the client's.
#[path = "../tests/support/prompt.rs"]
mod prompt;

use comfy_table::Table;
use hdrhistogram::Histogram;
use mneme_clib::{AllocOptions, Client, ClientOptions, Driver, OpenOptions, Process};
use prompt::Prompt;
use std::hint::black_box;
use std::time::Instant;

/// Operations between two looks at the clock, which cost as much as a tenth of an operation.
const BATCH: u32 = 8;
const SAMPLES: u32 = 60_000;

/// Nanoseconds of one operation, in tenths; a tenth of a second counts as the longest.
fn measure(mut operation: impl FnMut()) -> Histogram<u64> {
    let mut histogram = Histogram::new_with_bounds(1, 1_000_000_000, 3).expect("constant bounds are valid");
    for sample in 0..SAMPLES + SAMPLES / 10 {
        let began = Instant::now();
        (0..BATCH).for_each(|_| operation());
        let took = began.elapsed().as_nanos() as u64 * 10 / u64::from(BATCH);
        // The first tenth warms up.
        if sample >= SAMPLES / 10 {
            histogram.saturating_record(took);
        }
    }
    histogram
}

fn process() -> (Process, u64) {
    let client = Client::connect(Prompt::timed(), ClientOptions::default()).expect("it answers");
    let process = client.open(OpenOptions::default()).expect("open");
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(1 << 22, whole).expect("alloc");
    (process, va)
}

/// The driver alone: what is not the client's.
fn driver() -> Histogram<u64> {
    use mneme_wire::{HEADER_LEN, Opcode, Pid, Request, Tick, Trailer, Va};
    let mut driver = Prompt::timed();
    let (opcode, pid, va) = (Opcode::Read, Pid::from_low_bits(1), Va::from_low_bits(1 << 18));
    let request = Request {
        trailer: Trailer::None,
        key_phase: false,
        opcode,
        epoch: 1,
        pid,
        op_id: 1,
        attempt: 0,
        time: Tick::default(),
        va,
        length: 64,
    };
    measure(|| {
        let sent = driver.send(HEADER_LEN, &mut |frame| frame.copy_from_slice(&request.to_bytes()));
        let came = driver.receive(std::time::Duration::ZERO, &mut |_, datagram| {
            black_box(datagram[0]);
        });
        black_box((sent.is_ok(), came.is_ok(), driver.now()));
    })
}

fn main() {
    let (process, va) = process();
    let (from, mut into, mut other) = (vec![7; 1_024], vec![0; 1_024], vec![0; 64]);
    let rows = [
        ("driver alone", driver()),
        ("rread 8 B", measure(|| process.rread(black_box(va), &mut into[..8]).expect("read"))),
        ("rread 64 B", measure(|| process.rread(black_box(va), &mut into[..64]).expect("read"))),
        ("rread 1 KB", measure(|| process.rread(black_box(va), &mut into).expect("read"))),
        ("rwrite 8 B", measure(|| process.rwrite(black_box(va), &from[..8]).expect("write"))),
        ("rwrite 64 B", measure(|| process.rwrite(black_box(va), &from[..64]).expect("write"))),
        ("rwrite 1 KB", measure(|| process.rwrite(black_box(va), &from).expect("write"))),
        ("fetch_add", measure(|| drop(black_box(process.fetch_add(va, 1))))),
        ("rread_async 64 B", measure(|| assert!(process.rread_async(va, &mut other).wait().is_ok()))),
        ("rwrite_async 64 B", measure(|| process.rwrite_async(va, &from[..64]).wait().expect("write"))),
    ];
    let mut table = Table::new();
    table.set_header(["operation", "p50 ns", "p90 ns", "p99 ns", "p50 less the driver"]);
    let tenth = |value: u64| format!("{:.1}", value as f64 / 10.0);
    let alone = rows[0].1.value_at_quantile(0.5);
    let mut json = serde_json::Map::new();
    for (name, histogram) in &rows {
        let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| histogram.value_at_quantile(share));
        let own = p50.saturating_sub(alone);
        table.add_row([name.to_string(), tenth(p50), tenth(p90), tenth(p99), tenth(own)]);
        let [p50, p90, p99, own] = [p50, p90, p99, own].map(|value| value as f64 / 10.0);
        let row = serde_json::json!({ "p50_ns": p50, "p90_ns": p90, "p99_ns": p99, "own_p50_ns": own });
        json.insert((*name).into(), row);
    }
    println!("{table}\n{}", serde_json::Value::Object(json));
}
