//! An incast over a cable: a thread and a socket for each client, and answers for all of them from one board.
use std::collections::VecDeque;
use std::sync::{Barrier, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mneme_clib::{AllocOptions, Client, OpenOptions};
use mneme_tests::rig::veth::End;

use super::{BYTES, DEPTH, Incast};
use crate::board::{Board, CLIENT_PROCESSOR, Setup, cable, connect_small};
use crate::drivers::ways::pin;
use mneme_tests::meter::{Meter, Run, latencies};

/// What is read.
const VALUE: [u8; BYTES] = [0x5a; BYTES];
/// A page for each client, and the table.
const MEMORY: u64 = 1 << 28;

pub fn run(clients: usize, time: Duration) -> Result<Incast> {
    let veth = cable()?;
    let setup = Setup { memory: MEMORY, ..Setup::default() };
    let _board = Board::start(&veth, setup)?;
    veth.at(End::Client, || {
        // The threads inherit it.
        pin(CLIENT_PROCESSOR);
        let all = (0..clients).map(|_| connect_small()).collect::<Result<Vec<_>>>()?;
        let (together, began) = (Barrier::new(clients), OnceLock::new());
        let runs: Vec<Result<Run>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                all.iter().map(|client| scope.spawn(|| read(client, (&together, &began), time))).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|run| run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        let mut incast = Incast {
            done: Vec::new(),
            time,
            latency: latencies(),
            lost: 0,
            lost_before: 0,
            failed: 0,
            windows: Vec::new(),
        };
        for run in runs {
            let run = run?;
            incast.done.push((run.rate * time.as_secs_f64()).round() as u64);
            incast.latency.add(&run.latency).expect("all have the same bounds");
        }
        let retries = all.iter().map(|client| client.statistics().transport);
        incast.lost = retries.map(|counters| counters.retries()).sum();
        Ok(incast)
    })
}

/// One client's reads.
fn read(client: &Client, (together, began): (&Barrier, &OnceLock<Instant>), time: Duration) -> Result<Run> {
    let opened = client.open(OpenOptions::default()).and_then(|process| {
        let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
        let va = process.ralloc_with(BYTES as u64, whole)?;
        process.rwrite(va, &VALUE)?;
        Ok((process, va))
    });
    together.wait();
    let (process, va) = opened?;
    let mut meter = Meter::since(*began.get_or_init(Instant::now), time);
    let begin = |into| (Instant::now(), process.rread_owned_async(va, into));
    let mut flying: VecDeque<_> = (0..DEPTH).map(|_| begin(vec![0; BYTES])).collect();
    while let Some((began, call)) = flying.pop_front() {
        let (mut bytes, now) = (call.wait()?, Instant::now());
        ensure!(bytes == VALUE, "a read gave other bytes than were written");
        bytes.fill(0);
        meter.ended(began, now);
        if !meter.is_over(now) {
            flying.push_back(begin(bytes));
        }
    }
    Ok(meter.run())
}
