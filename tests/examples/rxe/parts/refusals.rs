//! What may not be done, and the status that verbs promise for it. Each ends its connection, and changes nothing.
use anyhow::{Result, ensure};
use mneme_clib::{AllocOptions, Rights};
use mneme_rdma::memory::Access;

use crate::lab::Lab;
use crate::peer::{Operation, Verb, Wish, data, status};

/// A board's page.
const PAGE: u64 = 4 << 20;
const SEED: u32 = 77;

/// Something that is refused.
struct Case {
    what: &'static str,
    /// Rights that are asked for.
    access: Access,
    verb: Verb,
    /// Where, from the range's start on; the range is the first half of a page.
    at: i64,
    bytes: usize,
    /// What is changed in the key.
    key: u32,
    expected: u32,
}

const READ: Access = Access { read: true, write: false, atomic: false };
const WRITE: Access = Access { read: false, write: true, atomic: false };
const NO_ATOMIC: Access = Access { read: true, write: true, atomic: false };
const HALF: i64 = 2 << 20;
const W: Verb = Verb::Write { seed: 1 };
const ADD: Verb = Verb::FetchAdd { add: 1 };
const SWAP: Verb = Verb::CompareSwap { compare: 0, swap: 1 };
const IMMEDIATE: Verb = Verb::WriteImmediate { seed: 1, immediate: 2 };

const fn case(what: &'static str, access: Access, verb: Verb, at: i64, bytes: usize, key: u32) -> Case {
    Case { what, access, verb, at, bytes, key, expected: status::ACCESS }
}

const CASES: &[Case] = &[
    case("READ with another key", Access::ALL, Verb::Read, 0, 64, 1 << 31),
    case("WRITE with another key", Access::ALL, W, 0, 64, 1),
    case("long WRITE with another key", Access::ALL, W, 0, 20_000, 1 << 12),
    case("FetchAdd with another key", Access::ALL, ADD, 0, 8, 1 << 9),
    case("READ past the end", Access::ALL, Verb::Read, HALF - 63, 64, 0),
    case("WRITE past the end", Access::ALL, W, HALF - 63, 64, 0),
    case("long WRITE past the end", Access::ALL, W, HALF - 9_000, 9_001, 0),
    case("WRITE with immediate past the end", Access::ALL, IMMEDIATE, HALF, 1, 0),
    case("FetchAdd behind the end", Access::ALL, ADD, HALF, 8, 0),
    case("READ before the start", Access::ALL, Verb::Read, -1, 64, 0),
    case("WRITE before the start", Access::ALL, W, -8, 8, 0),
    case("WRITE without the right", READ, W, 0, 64, 0),
    case("CmpSwap without the right", NO_ATOMIC, SWAP, 0, 8, 0),
    case("READ without the right", WRITE, Verb::Read, 0, 64, 0),
    Case { expected: status::INVALID_REQUEST, ..case("SEND", Access::ALL, Verb::Send { seed: 1 }, 0, 64, 0) },
];

/// Tries them.
pub fn run(lab: &mut Lab) -> Result<()> {
    let va = lab.board.process.ralloc(2 * PAGE)?;
    // A page on either side is of the process, so that only the region forbids.
    let region = va + PAGE;
    let content = data(SEED, 4096);
    let places = [region - 4096, region, region + HALF as u64 - 4096, region + HALF as u64];
    for at in places {
        lab.board.process.rwrite(at, &content)?;
    }
    for case in CASES {
        let ask = mneme_rdma::cm::Ask { access: case.access, ..lab.board.ask(region, HALF as u64) };
        let connection = lab.connection_as(&Wish::number(0), &ask)?;
        let (rkey, at) = (connection.granted.rkey ^ case.key, region.wrapping_add_signed(case.at));
        connection.fill(&mut lab.guest, 0, case.bytes, 0x5c)?;
        let bad = Operation::new(case.verb, 0, case.bytes, at, rkey);
        // What comes behind it must not be done.
        let behind = Operation::new(W, 65_536, 64, region, connection.granted.rkey);
        let statuses = connection.all(&mut lab.guest, &[bad, behind])?;
        let expected = [case.expected, status::FLUSHED];
        ensure!(statuses == expected, "{}: statuses {statuses:?} instead of {expected:?}", case.what);
        if case.verb == Verb::Read {
            let untouched = vec![0x5c; case.bytes];
            lab.buffer_is(&connection, 0, &untouched, case.what)?;
        }
        connection.destroy(&mut lab.guest)?;
        for at in places {
            lab.memory_is(at, &content, case.what)?;
        }
        lab.tally.operations += 2;
    }
    page_rights(lab)?;
    empty(lab, region)
}

/// A page that the process itself may only read.
fn page_rights(lab: &mut Lab) -> Result<()> {
    let options = AllocOptions { rights: Rights::READ_ONLY, ..AllocOptions::default() };
    let va = lab.board.process.ralloc_with(PAGE, options)?;
    for (verb, bytes) in [(W, 64), (ADD, 8)] {
        let connection = lab.connection(0, va, PAGE)?;
        let rkey = connection.granted.rkey;
        lab.all(&connection, &[Operation::new(Verb::Read, 0, 4096, va, rkey)])?;
        lab.buffer_is(&connection, 0, &[0; 4096], "READ of a page that nobody has written")?;
        let statuses = connection.all(&mut lab.guest, &[Operation::new(verb, 0, bytes, va, rkey)])?;
        ensure!(statuses == [status::ACCESS], "{verb:?} to a page that may only be read: {statuses:?}");
        lab.tally.operations += 1;
        connection.destroy(&mut lab.guest)?;
    }
    Ok(())
}

/// Nothing is accessed by an empty message, so its key may be any (IBTA volume 1, 9.7.4.1.3).
fn empty(lab: &mut Lab, va: u64) -> Result<()> {
    let connection = lab.connection(0, va, 64)?;
    let key = connection.granted.rkey ^ 5;
    let operations = [W, Verb::Read, IMMEDIATE].map(|verb| Operation::new(verb, 0, 0, va + PAGE, key));
    lab.all(&connection, &operations)?;
    connection.end(&mut lab.guest)
}
