//! READ, WRITE and WRITE with immediate of sizes round packets and pages, up to 1 MB.
use anyhow::{Result, ensure};
use rand::Rng;

use crate::lab::Lab;
use crate::peer::{Connection, Operation, Verb, data};

/// A board's page.
const PAGE: u64 = 4 << 20;
/// Bytes of the range: two borders of pages in it.
const BYTES: u64 = 3 * PAGE;
/// Bytes on either side of what is moved that must stay.
const ROUND: usize = 64;
/// Where in the guest's buffer.
const PLACE: u64 = 4096 + 3;
/// The longest.
const MOST: usize = 1 << 20;

fn sizes(mtu: usize, short: bool) -> Vec<usize> {
    let mut sizes = vec![0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65];
    for packets in 1..=4 {
        sizes.extend([packets * mtu - 1, packets * mtu, packets * mtu + 1]);
    }
    if short {
        sizes.extend([65_537, MOST]);
    } else {
        sizes.extend([4095, 4096, 4097, 65_535, 65_536, 65_537, 200_003, MOST - 1, MOST]);
        (2..=16).step_by(2).for_each(|packets| sizes.push(packets * mtu + packets));
    }
    sizes
}

/// Tries them all, at each path MTU.
pub fn run(lab: &mut Lab) -> Result<()> {
    let va = lab.board.process.ralloc(BYTES)?;
    let all: &[usize] = if lab.short { &[1024, 4096] } else { &[256, 512, 1024, 2048, 4096] };
    let before = lab.board.counters()?;
    let mut immediates = 0;
    for &path_mtu in all {
        lab.set_mtu(path_mtu)?;
        let connection = lab.connection(0, va, BYTES)?;
        ensure!(connection.path_mtu == path_mtu, "a path MTU of {}, not {path_mtu}", connection.path_mtu);
        for bytes in sizes(path_mtu, lab.short) {
            for at in places(va, bytes) {
                let write = there_and_back(lab, &connection, at, bytes)?;
                immediates += u64::from(matches!(write, Verb::WriteImmediate { .. }));
            }
        }
        connection.end(&mut lab.guest)?;
    }
    let grown = lab.grown(&before, "immediates")?;
    ensure!(grown == immediates, "the board has counted {grown} immediates of {immediates}");
    lab.set_mtu(4096)
}

/// Where something of so many bytes is tried: at a page's start, across its end, and up to its last byte, at odd addresses.
fn places(va: u64, bytes: usize) -> Vec<u64> {
    let (page, bytes) = (va + PAGE, bytes as u64);
    let mut places = vec![page, page - bytes.div_ceil(2), page - bytes, page + PAGE - bytes - 1];
    places.retain(|at| *at >= va + ROUND as u64);
    places.dedup();
    places
}

/// Writes by RDMA what the library reads, and reads by RDMA what the library wrote. Answers how it wrote.
fn there_and_back(lab: &mut Lab, own: &Connection, at: u64, bytes: usize) -> Result<Verb> {
    let what = |verb: &str| format!("{verb} of {bytes} bytes at {at:#x}, path MTU {}", own.path_mtu);
    let (start, whole) = (at - ROUND as u64, bytes + 2 * ROUND);
    let (seed, other): (u32, u32) = (lab.rng.random(), lab.rng.random());
    let immediate = lab.rng.random::<bool>().then(|| lab.rng.random());
    // By the library, what is overwritten and what is round it.
    let mut expected = data(other, whole);
    lab.board.process.rwrite(start, &expected)?;
    let write = match immediate {
        Some(immediate) => Verb::WriteImmediate { seed, immediate },
        None => Verb::Write { seed },
    };
    lab.all(own, &[Operation::new(write, PLACE, bytes, at, own.granted.rkey)])?;
    expected[ROUND..ROUND + bytes].copy_from_slice(&data(seed, bytes));
    lab.memory_is(start, &expected, &what("WRITE"))?;
    // And back, with other bytes.
    let third: u32 = lab.rng.random();
    let written = data(third, bytes);
    if bytes > 0 {
        lab.board.process.rwrite(at, &written)?;
    }
    let first = PLACE - ROUND as u64;
    own.fill(&mut lab.guest, first, whole, 0x5c)?;
    lab.all(own, &[Operation::new(Verb::Read, PLACE, bytes, at, own.granted.rkey)])?;
    let mut buffer = vec![0x5c; whole];
    buffer[ROUND..ROUND + bytes].copy_from_slice(&written);
    lab.buffer_is(own, first, &buffer, &what("READ"))?;
    Ok(write)
}
