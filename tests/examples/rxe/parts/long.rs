//! What takes many packets: numbers that wrap round, and WRITEs that the kernel begins again in their middle.
use anyhow::{Result, bail, ensure};
use rand::Rng;

use crate::lab::Lab;
use crate::peer::{Connection, Operation, Verb, Wish, data};
use crate::relay::Weather;

const BYTES: usize = 1 << 20;
/// Acknowledges wait for so long now and then, and are missed after 4.096 µs << one of these: 17 and 34 ms.
const HALTS: Weather = Weather { lost: 0, doubled: 0, delayed: 0, halts: 60 };
const HASTY: [u32; 2] = [12, 13];
/// Packet numbers have 24 bits.
const NUMBERS: u32 = 1 << 24;

/// Packets before the wrap at which a connection is taken, and bytes of an operation. The board draws where its client begins to number, so
/// that one in so many is. A simulated board takes longer for packets than for connections.
fn near(lab: &Lab) -> (u32, usize) {
    match (lab.rtl, lab.short) {
        (true, _) => (1 << 15, BYTES / 16),
        (false, true) => (1 << 17, BYTES),
        (false, false) => (1 << 15, BYTES),
    }
}

/// Numbers of packets wrap round, in the middle of READs and of WRITEs. Small packets: a megabyte has 4,096 of them.
pub fn wrap(lab: &mut Lab) -> Result<()> {
    let va = lab.board.process.ralloc(BYTES as u64)?;
    let (near, bytes) = near(lab);
    lab.set_mtu(256)?;
    for verb in [Verb::Read, Verb::Write { seed: 0 }] {
        let connection = take(lab, va, near)?;
        cross(lab, &connection, (va, bytes), verb)?;
        connection.end(&mut lab.guest)?;
    }
    lab.set_mtu(4096)
}

/// Connects until the first number is near the wrap.
fn take(lab: &mut Lab, va: u64, near: u32) -> Result<Connection> {
    // Of a hundred runs with ten times as many as are needed in the middle, less than one fails.
    for _ in 0..10 * NUMBERS / near {
        let connection = lab.connection(0, va, BYTES as u64)?;
        ensure!(connection.path_mtu == 256, "a path MTU of {}", connection.path_mtu);
        if connection.starting_psn > NUMBERS - near {
            return Ok(connection);
        }
        connection.destroy(&mut lab.guest)?;
    }
    bail!("no connection begins within {near} numbers of the wrap")
}

/// Operations of so many bytes until the wrap is behind, the last of them across it.
fn cross(lab: &mut Lab, own: &Connection, (va, bytes): (u64, usize), verb: Verb) -> Result<()> {
    let packets = (bytes / own.path_mtu) as u32;
    let left = NUMBERS - own.starting_psn;
    // So many packets first that the wrap comes in the middle of an operation.
    let first = (left + packets / 2) % packets;
    let rkey = own.granted.rkey;
    let before = first as usize * own.path_mtu;
    let mut expected = data(lab.rng.random(), bytes);
    lab.board.process.rwrite(va, &expected)?;
    lab.all(own, &[Operation::new(Verb::Read, 0, before, va, rkey)])?;
    lab.buffer_is(own, 0, &expected[..before], "READ before the wrap")?;
    // Of no bytes is one packet, too.
    let mut sent = first.max(1);
    while sent < left + packets {
        let verb =
            if matches!(verb, Verb::Write { .. }) { Verb::Write { seed: lab.rng.random() } } else { verb };
        lab.all(own, &[Operation::new(verb, 0, bytes, va, rkey)])?;
        sent += packets;
        match verb {
            Verb::Write { seed } => {
                expected = data(seed, bytes);
                lab.memory_is(va, &expected, "WRITE round the wrap")?;
            }
            _ => lab.buffer_is(own, 0, &expected, "READ round the wrap")?,
        }
    }
    let add = lab.rng.random();
    lab.board.process.rwrite(va, &[0; 8])?;
    ensure!(own.word(&mut lab.guest, Verb::FetchAdd { add }, va)? == 0, "FetchAdd behind the wrap");
    lab.memory_is(va, &u64::to_le_bytes(add), "FetchAdd behind the wrap")
}

/// Rounds of a load, and bytes of each of its WRITEs.
const fn loads(lab: &Lab) -> (usize, usize) {
    match (lab.rtl, lab.short) {
        (true, true) => (4, BYTES / 4),
        (true, false) => (12, BYTES),
        (false, true) => (12, BYTES),
        (false, false) => (200, BYTES),
    }
}

/// A load of long WRITEs, of which some kernels' rdma_rxe begins some again in their middle: with a First for the bytes that are left.
/// It is counted. All of them arrive as they were, and no connection ends.
pub fn load(lab: &mut Lab) -> Result<()> {
    let (rounds, bytes) = loads(lab);
    let va = lab.board.process.ralloc(4 * BYTES as u64)?;
    let connection = lab.connection(0, va, 4 * BYTES as u64)?;
    let (rkey, before) = (connection.granted.rkey, lab.relay.counts()?.restarts);
    for _ in 0..rounds {
        let seeds: [u32; 4] = lab.rng.random();
        let write = |(at, seed): (usize, &u32)| {
            let at = (at * bytes) as u64;
            Operation::new(Verb::Write { seed: *seed }, at, bytes, va + at, rkey)
        };
        let operations: Vec<Operation> = seeds.iter().enumerate().map(write).collect();
        lab.all(&connection, &operations)?;
        for (at, seed) in seeds.iter().enumerate() {
            lab.memory_is(va + (at * bytes) as u64, &data(*seed, bytes), "a long WRITE under load")?;
        }
    }
    connection.end(&mut lab.guest)?;
    let restarts = lab.relay.counts()?.restarts - before;
    lab.notes.push(format!("under load: WRITEs begun again in their middle {restarts}"));
    Ok(())
}

/// Acknowledges stay away for longer than the kernel waits for them, now and then: it goes on with a WRITE behind the last packet that was
/// acknowledged, with the packets as they were, or, some kernels, with a First for the bytes that are left. Some WRITEs must go back so,
/// and all arrive as they were.
pub fn restarts(lab: &mut Lab) -> Result<()> {
    let rounds = if lab.short { 4 } else { 40 };
    let va = lab.board.process.ralloc(BYTES as u64)?;
    lab.set_mtu(1024)?;
    let ask = lab.board.ask(va, BYTES as u64);
    let before = lab.relay.counts()?;
    lab.relay.set_weather(HALTS);
    for timeout in HASTY {
        let connection = lab.connection_as(&Wish { timeout, ..Wish::number(0) }, &ask)?;
        let rkey = connection.granted.rkey;
        for _ in 0..rounds {
            let seed = lab.rng.random();
            lab.all(&connection, &[Operation::new(Verb::Write { seed }, 0, BYTES, va, rkey)])?;
            lab.memory_is(va, &data(seed, BYTES), "a WRITE that may have begun again")?;
        }
        connection.end(&mut lab.guest)?;
    }
    lab.relay.set_weather(Weather::default());
    lab.set_mtu(4096)?;
    let now = lab.relay.counts()?;
    let (restarts, resumed) = (now.restarts - before.restarts, now.resumed - before.resumed);
    ensure!(restarts + resumed > 0, "the kernel has gone back to the middle of no WRITE");
    lab.notes.push(format!(
        "late acknowledges: {resumed} times back to the middle of a WRITE, begun again there {restarts} times"
    ));
    Ok(())
}
