//! A process that no client of the library keeps: the kernel's connection manager says that its client lives, or nobody does.
use std::net::SocketAddrV4;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use mneme_clib::{Client, ClientOptions, OpenOptions, UdpDriver};
use mneme_rdma::cm::Ask;
use mneme_tests::faulty::{Faults, FaultyDriver};

use crate::lab::{BOARD, Lab};
use crate::peer::{Operation, Verb, Wish, data};
use crate::relay::Weather;

const BYTES: u64 = 1 << 16;
/// For how many times as long as the process may be silent it must live.
const TIMES: u32 = 4;
/// Of what is lost, all is.
const NOTHING_PASSES: Weather = Weather { lost: 1000, doubled: 0, delayed: 0, halts: 0 };

/// What the process may be silent.
const fn lease(lab: &Lab) -> Duration {
    Duration::from_secs(if lab.short && !lab.rtl { 2 } else { 4 })
}

/// The guest's client is idle: its kernel answers the board. It READs: its packets tell enough. Then nothing passes, and the board takes
/// back what it had.
pub fn run(lab: &mut Lab) -> Result<()> {
    let lease = lease(lab);
    let driver = UdpDriver::connect(SocketAddrV4::new(BOARD, crate::board::PORT))?;
    // A client of the library whose thread keeps no lease.
    let driver = FaultyDriver::new(driver, Faults::default(), 1).standing_still();
    let client = Client::connect(driver, ClientOptions::default()).context("the board does not answer")?;
    let process = client.open(OpenOptions { lease: Some(lease), ..OpenOptions::default() })?;
    let va = process.ralloc(BYTES)?;
    let before = lab.board.counters()?;
    let ask = Ask { pid: process.pid(), token: process.token(), ..lab.board.ask(va, BYTES) };
    let connection = lab.connection_as(&Wish::number(0), &ask)?;
    let rkey = connection.granted.rkey;
    lab.all(&connection, &[Operation::new(Verb::Write { seed: 5 }, 0, 4096, va, rkey)])?;
    std::thread::sleep(TIMES * lease);
    let answered = lab.grown(&before, "probes of silent clients answered")?;
    // Four in a lease; a busy machine is late.
    ensure!(answered >= u64::from(2 * TIMES), "{answered} probes were answered in {TIMES} leases");
    let begun = Instant::now();
    while begun.elapsed() < 2 * lease {
        lab.all(&connection, &[Operation::new(Verb::Read, 0, 4096, va, rkey)])?;
        lab.buffer_is(&connection, 0, &data(5, 4096), "a READ of a client that does nothing else")?;
        std::thread::sleep(lease / 16);
    }
    // Asked it is not: it is heard of more often than the board asks.
    let asked = lab.grown(&before, "probes of silent clients")?;
    ensure!(asked <= u64::from(5 * TIMES), "{asked} probes were sent");
    lab.relay.set_weather(NOTHING_PASSES);
    let begun = Instant::now();
    while lab.grown(&before, "connections ended with their process")? == 0 {
        ensure!(begun.elapsed() < 3 * lease, "nobody is heard of for {} s", begun.elapsed().as_secs());
        std::thread::sleep(Duration::from_millis(100));
    }
    let took = begun.elapsed();
    lab.relay.set_weather(Weather::default());
    lab.notes.push(format!(
        "silence: {answered} probes answered by the kernel, and a process of {} s gone {:.1} s after all was lost",
        lease.as_secs(),
        took.as_secs_f64()
    ));
    // The guest's side knows nothing of it.
    connection.destroy(&mut lab.guest)?;
    // The process is no more: its end is none of this client's.
    std::mem::forget(process);
    Ok(())
}
