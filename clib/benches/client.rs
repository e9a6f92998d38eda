//! The client's own cost per operation: from the issue of a call to its completion, against a driver whose board
//! answers at once. The driver's part (it reads the clock, parses the request and copies the payload) is within the
//! figures.
#[path = "../tests/support/prompt.rs"]
mod prompt;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mneme_clib::{AllocOptions, Client, ClientOptions, OpenOptions, Pending, Process, Written};
use prompt::Prompt;
use std::hint::black_box;

fn process() -> (Process, u64) {
    let client = Client::connect(Prompt::timed(), ClientOptions::default()).expect("it answers");
    let process = client.open(OpenOptions::default()).expect("open");
    let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
    let va = process.ralloc_with(1 << 22, whole).expect("alloc");
    (process, va)
}

fn synchronous(criterion: &mut Criterion) {
    let (process, va) = process();
    let mut group = criterion.benchmark_group("sync");
    for size in [8, 64, 1_024] {
        let (from, mut into) = (vec![7; size], vec![0; size]);
        group.bench_function(BenchmarkId::new("rread", size), |bench| {
            bench.iter(|| process.rread(black_box(va), &mut into).expect("read"));
        });
        group.bench_function(BenchmarkId::new("rwrite", size), |bench| {
            bench.iter(|| process.rwrite(black_box(va), &from).expect("write"));
        });
    }
    group.bench_function("fetch_add", |bench| {
        bench.iter(|| process.fetch_add(black_box(va), 1).expect("add"));
    });
    group.finish();
}

fn asynchronous(criterion: &mut Criterion) {
    let (process, va) = process();
    let mut group = criterion.benchmark_group("async");
    let mut into = vec![0; 64];
    group.bench_function("rread/64", |bench| {
        bench.iter(|| process.rread_async(va, &mut into).wait().expect("read")[0]);
    });
    let from = [7; 64];
    group.bench_function("rwrite/64", |bench| {
        bench.iter(|| process.rwrite_async(va, &from).wait().expect("write"));
    });
    // Sixteen and sixty-four under way; the figure is for all of them.
    for depth in [16u64, 64] {
        group.throughput(Throughput::Elements(depth));
        let mut calls: Vec<Pending<Written>> = Vec::with_capacity(64);
        group.bench_function(BenchmarkId::new("rwrite/64 at depth", depth), |bench| {
            bench.iter(|| {
                calls.extend((0..depth).map(|n| process.rwrite_async(va + ((n % 16) << 18), &from)));
                calls.drain(..).for_each(|call| call.wait().expect("write"));
            });
        });
    }
    group.finish();
}

fn many_packets(criterion: &mut Criterion) {
    let (process, va) = process();
    let mut group = criterion.benchmark_group("64 KB");
    let (from, mut into) = (vec![7; 1 << 16], vec![0; 1 << 16]);
    group.throughput(Throughput::Bytes(1 << 16));
    group.bench_function("rread", |bench| bench.iter(|| process.rread(va, &mut into).expect("read")));
    group.bench_function("rwrite", |bench| bench.iter(|| process.rwrite(va, &from).expect("write")));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(60).measurement_time(std::time::Duration::from_secs(2)).warm_up_time(std::time::Duration::from_millis(500));
    targets = synchronous, asynchronous, many_packets
}
criterion_main!(benches);
