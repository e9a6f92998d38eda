//! Connections made, refused and ended.
use anyhow::{Result, bail, ensure};
use mneme_rdma::cm::{Ask, Refusal};

use crate::lab::{BOARD, Lab};
use crate::peer::{self, Made, Operation, Verb, Wish};

/// Bytes of the range.
const BYTES: u64 = 1 << 16;
/// Reason of a REJ: no such service.
const NO_SERVICE: u32 = 8;

/// Makes them.
pub fn run(lab: &mut Lab) -> Result<()> {
    let va = lab.board.process.ralloc(BYTES)?;
    let before = lab.board.counters()?;
    refused(lab, va)?;
    // Made, used and ended, more often than a process may have at a time.
    let times = if lab.short { 4 } else { 80 };
    for time in 0..times {
        let connection = lab.connection(0, va, BYTES)?;
        ensure!(connection.path_mtu == 4096, "a path MTU of {}", connection.path_mtu);
        let rkey = connection.granted.rkey;
        lab.all(&connection, &[Operation::new(Verb::Write { seed: time }, 0, 64, va, rkey)])?;
        lab.memory_is(va, &peer::data(time, 64), "a WRITE")?;
        if time % 2 == 0 { connection.end(&mut lab.guest)? } else { connection.destroy(&mut lab.guest)? }
    }
    // As many at once as the guest's client has.
    let all = (0..8).map(|number| lab.connection(number, va, BYTES)).collect::<Result<Vec<_>>>()?;
    for (number, connection) in all.iter().enumerate() {
        let (seed, at) = (100 + number as u32, va + 64 * number as u64);
        lab.all(connection, &[Operation::new(Verb::Write { seed }, 0, 64, at, connection.granted.rkey)])?;
        lab.memory_is(at, &peer::data(seed, 64), "a WRITE of one of eight")?;
    }
    for connection in all {
        connection.end(&mut lab.guest)?;
    }
    let ended = lab.grown(&before, "connections ended by their clients")?;
    // One that reads the counters ends too.
    let expected = u64::from(times) + 8 + 1;
    ensure!(ended == expected, "{ended} connections were ended by their clients, not {expected}");
    for name in ["management datagrams malformed", "connections ended by an error"] {
        ensure!(lab.grown(&before, name)? == 0, "{name}");
    }
    Ok(())
}

/// What the board does not grant, and why.
fn refused(lab: &mut Lab, va: u64) -> Result<()> {
    let good = lab.board.ask(va, BYTES);
    let mut token = good.token;
    token[3] ^= 0x40;
    lab.refused(&Ask { token, ..good }, Refusal::Process)?;
    lab.refused(&Ask { pid: good.pid ^ 0x55, ..good }, Refusal::Process)?;
    lab.refused(&Ask { length: 0, ..good }, Refusal::Range)?;
    lab.refused(&Ask { va: 1 << 48, ..good }, Refusal::Range)?;
    for private in [&b"not of this board"[..], &[0; 56]] {
        match peer::connect_with(&mut lab.guest, &Wish::number(0), &BOARD.to_string(), private)? {
            Made::Refused { reason: 28, why: Some(Refusal::Malformed) } => lab.tally.operations += 1,
            other => bail!("{other:?} to what is none of its requests"),
        }
    }
    match lab.connect(&Wish { port: 7174, ..Wish::number(0) }, &good)? {
        Made::Refused { reason: NO_SERVICE, .. } => lab.tally.operations += 1,
        other => bail!("{other:?} to another service"),
    }
    Ok(())
}
