//! perftest's programs, as Debian has them. They compare no data: what the board has counted is compared, what it has in its memory
//! afterwards, and what READs bring: each packet on the cable, and the program's memory when it gives that back (tests/guest/kept.c).
//!
//! A test's memory on the board begins with words that are all different.
//!
//! A program's buffer is what `rand` of its C library gives, a byte a number, after `srand` of the second at which it began. Operations of
//! up to half a page begin at the next multiple of 64 bytes, round a page; larger ones at the beginning. That holds for both sides.
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::lab::{BOARD, Lab, same};
use crate::peer::hash;
use crate::reads::Reads;

/// How long a program may take, on an emulated processor.
const PATIENCE: Duration = Duration::from_secs(120);
const PAGE: usize = 4096;
/// Bytes of a test's memory on the board.
const MEMORY: usize = 2 << 20;
/// Programs whose data comes from the board.
const READ: &str = "ib_read";
/// Where the guest has what looks at their memory, and what that says.
const KEPT: &str = "LD_PRELOAD=/usr/bin/kept KEPT=/run/kept";
/// Programs that SEND: of the RTL they have a port of their own, and messages come no further than into software's buffers.
const SEND: &str = "ib_send";
/// The one whose messages are answered, at a port of its own on every board.
const SEND_LAT: &str = "ib_send_lat";

/// What is counted of programs that wait for the server.
const WAITS: &str = "tests given up as the client waits";

/// What must be in the board's memory afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The client's bytes, wherever operations went.
    Written,
    /// The last message, at the beginning.
    Message,
    /// How often each word was added to.
    Added,
    /// The same, of a program that stays at one word.
    Total,
    /// What was there before.
    Nothing,
}

/// One run: the program and what it is told, bytes and number of its operations, what the board counts of it.
struct Run {
    command: &'static str,
    bytes: usize,
    many: usize,
    counter: &'static str,
    left: Left,
}

/// Bytes from one operation to the next.
fn step(bytes: usize) -> usize {
    bytes.next_multiple_of(64)
}
/// Where operation `n` begins.
fn place(bytes: usize, n: usize) -> usize {
    if bytes > PAGE / 2 { 0 } else { n % (PAGE / step(bytes)) * step(bytes) }
}

/// What a test's memory on the board begins with (docs/reference/rdma.md).
fn begins(bytes: usize) -> Vec<u8> {
    let word = |n: u64| (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    (0..(bytes as u64).div_ceil(8)).flat_map(word).take(bytes).collect()
}

/// The low bytes of what glibc's `rand` gives after `srand`: a sum of two earlier numbers, without its lowest bit.
fn random(seed: u32, bytes: usize) -> Vec<u8> {
    const FAR: usize = 31;
    const NEAR: usize = 3;
    const UNUSED: usize = 310;
    let mut numbers = vec![seed.max(1)];
    for at in 1..FAR {
        let next = 16_807 * i64::from(numbers[at - 1] as i32) % 0x7fff_ffff;
        numbers.push(if next < 0 { next + 0x7fff_ffff } else { next } as u32);
    }
    numbers.extend_from_within(..NEAR);
    for at in FAR + NEAR..FAR + NEAR + UNUSED + bytes {
        numbers.push(numbers[at - FAR].wrapping_add(numbers[at - NEAR]));
    }
    numbers[FAR + NEAR + UNUSED..].iter().map(|number| (number >> 1) as u8).collect()
}

impl Run {
    /// What the board's memory must be, as far as the run can have changed it, for a client of this second.
    fn expected(&self, second: u32) -> Vec<u8> {
        let Run { bytes, many, left, .. } = *self;
        let mut expected = begins(bytes.max(PAGE));
        let data = random(second, expected.len());
        let mut add = |from: usize, many: u64| {
            let word = &mut expected[from..from + 8];
            let sum = u64::from_le_bytes(word.try_into().expect("8 bytes")).wrapping_add(many);
            word.copy_from_slice(&sum.to_le_bytes());
        };
        match left {
            Left::Nothing => {}
            Left::Written => {
                for from in (0..many).map(|n| place(bytes, n)) {
                    expected[from..][..bytes].copy_from_slice(&data[from..][..bytes]);
                }
            }
            Left::Message => {
                // A program of latencies stays at one place.
                let from = if self.command == SEND_LAT { 0 } else { place(bytes, many - 1) };
                expected[..bytes].copy_from_slice(&data[from..][..bytes]);
            }
            Left::Added => (0..many).for_each(|n| add(place(bytes, n), 1)),
            Left::Total => add(0, many as u64),
        }
        expected
    }
    /// What the memory of a program that READs must be, for a client of this second: the board's bytes wherever operations went, its own
    /// elsewhere. A program of latencies stays at one place.
    fn brought(&self, second: u32) -> Vec<u8> {
        let Run { command, bytes, many, .. } = *self;
        let board = begins(bytes.max(PAGE));
        let mut expected = random(second, board.len());
        let places = if command.ends_with("_lat") { 1 } else { many };
        for from in (0..places).map(|n| place(bytes, n)) {
            expected[from..][..bytes].copy_from_slice(&board[from..][..bytes]);
        }
        expected
    }
}

/// Runs a program: how it ended, the seconds before and after, what it said.
fn ask(lab: &mut Lab, command: &str) -> Result<(bool, std::ops::RangeInclusive<u32>, String)> {
    let shown = "tr '\\n' ' ' </run/said";
    let timed = format!("a=$(date +%s); {command} >/run/said 2>&1; echo $? $a $(date +%s) $({shown})");
    let line = lab.guest.line_of(&timed, PATIENCE)?;
    let mut words = line.splitn(4, ' ');
    let mut number = || words.next().unwrap_or_default().parse::<u32>().with_context(|| line.clone());
    let (status, begun, ended) = (number()?, number()?, number()?);
    Ok((status == 0, begun..=ended, words.next().unwrap_or_default().to_owned()))
}

/// What a program that READs has got: every packet of the board's, and what the program has in its memory.
fn arrived(lab: &mut Lab, run: &Run, mut seconds: std::ops::RangeInclusive<u32>) -> Result<()> {
    let Run { command, bytes, many, .. } = *run;
    let brought = lab.relay.brought();
    if let Some(wrong) = &brought.wrong {
        bail!("`{command}`: {wrong}");
    }
    let least = (bytes * many) as u64;
    ensure!(brought.bytes >= least, "`{command}`: READs brought {} bytes of {least}", brought.bytes);
    let kept = lab.guest.line_of("cat /run/kept; rm /run/kept", PATIENCE)?;
    let (there, found) = kept.split_once(' ').with_context(|| format!("{command}: {kept}"))?;
    let (there, found): (usize, u64) = (there.parse()?, found.parse()?);
    ensure!(there == bytes.max(PAGE), "`{command}` had memory of {there} bytes");
    let is_there = seconds.any(|second| hash(&run.brought(second)) == found);
    ensure!(is_there, "`{command}` has something else in its memory than the board's bytes");
    lab.tally.compared += brought.bytes + there as u64;
    Ok(())
}

/// How many clients got no test so far, whatever the reason.
fn refused(lab: &mut Lab) -> Result<u64> {
    let counters = lab.board.counters()?;
    let named = |name: &str| name.starts_with("tests refused") || name.starts_with("tests given up");
    Ok(counters.iter().filter(|(name, _)| named(name)).map(|(_, count)| count).sum())
}

/// The board's port for a program. The software board serves all at both that want no answers.
fn port(program: &str) -> u16 {
    match program {
        SEND_LAT => 18_518,
        program if program.starts_with(SEND) => 18_517,
        _ => 18_516,
    }
}

fn one(lab: &mut Lab, run: &Run) -> Result<()> {
    let Run { command, bytes, many, counter, left } = *run;
    let before = lab.board.counters()?;
    let size = if command.starts_with("ib_atomic") { String::new() } else { format!("-s {bytes}") };
    let (program, more) = command.split_once(' ').unwrap_or((command, ""));
    let mut command =
        format!("{program} -d rxe0 -x 1 -F -p {} -n {many} {size} {more} {BOARD}", port(program));
    // A daemon's tests have memory that nobody else is told of, zeros at first.
    let reads = program.starts_with(READ) && !lab.daemon;
    if reads {
        command = format!("{KEPT} KEPT_BYTES={} {command}", bytes.max(PAGE));
        lab.relay.watch(Reads::new(lab.board.tests_begin()?, begins(MEMORY)));
    }
    let (ended_well, seconds, said) = ask(lab, &command)?;
    ensure!(ended_well, "`{command}` says: {said}");
    if reads {
        arrived(lab, run, seconds.clone())?;
    }
    // Looking at the counters is a READ.
    let own = u64::from(counter == "reads");
    let grown = lab.grown(&before, counter)?;
    ensure!(grown == many as u64 + own, "`{command}`: {grown} {counter} instead of {many}");
    ensure!(lab.grown(&before, "tests begun")? == 1, "each run is one test");
    lab.tally.operations += many as u64;
    if lab.daemon {
        return Ok(());
    }
    let found = lab.board.tests(bytes.max(PAGE))?;
    let (first, mut all) = (*seconds.start(), seconds);
    if !all.any(|second| run.expected(second) == found) {
        same(&found, &run.expected(first), &format!("{left:?} by `{command}`"))?;
    }
    lab.tally.compared += found.len() as u64;
    Ok(())
}

/// Programs that finish, and those that are refused.
pub fn run(lab: &mut Lab) -> Result<()> {
    let many = if lab.short { 100 } else { 1000 };
    let before = refused(lab)?;
    // A simulated board answers some hundreds of packets a second beside an emulated guest.
    let (many, large) = if lab.rtl { (many / 2, (1 << 18, many / 20)) } else { (many, (1 << 20, many / 10)) };
    // Path MTU is 4,096 bytes.
    let mut runs = Vec::new();
    let mut add = |command, counter, left, sizes: &[(usize, usize)]| {
        runs.extend(sizes.iter().map(|&(bytes, many)| Run { command, bytes, many, counter, left }));
    };
    add("ib_write_bw", "writes", Left::Written, &[(100, many), (4097, many), large]);
    add("ib_read_bw", "reads", Left::Nothing, &[large]);
    add("ib_read_lat", "reads", Left::Nothing, &[(8, many)]);
    add("ib_send_bw", "messages of tests", Left::Message, &[(100, many), large]);
    add(SEND_LAT, "messages of tests", Left::Message, &[(100, many)]);
    add("ib_atomic_bw -A FETCH_AND_ADD", "atomics", Left::Added, &[(8, many)]);
    add("ib_atomic_lat", "atomics", Left::Total, &[(8, many)]);
    if !lab.short {
        add("ib_write_bw", "writes", Left::Written, &[(4095, many), (4096, many), (65_536, many)]);
        add("ib_read_bw", "reads", Left::Nothing, &[(4096, many), (4097, many), (65_536, many)]);
        add("ib_send_bw", "messages of tests", Left::Message, &[(4097, many), (65_536, many)]);
        add("ib_atomic_bw -A CMP_AND_SWAP", "atomics", Left::Nothing, &[(8, many)]);
    }
    if lab.rtl {
        let sends = runs.iter_mut().filter(|run| run.command.starts_with(SEND));
        sends.for_each(|run| run.left = Left::Nothing);
    }
    for run in &runs {
        one(lab, run)?;
    }
    ensure!(refused(lab)? == before, "a test that ended was refused, too");
    let mut wrong = vec![
        ("ib_write_bw -b", "tests refused for both directions"),
        // A longer message than a test has buffers for.
        ("ib_send_bw -s 2097152", "tests given up after an error"),
    ];
    if !lab.short {
        wrong.push(("ib_write_bw -q 2", "tests refused for a second queue pair"));
        // It waits for ever: the board gives it up before it is stopped.
        wrong.push(("timeout 15 ib_write_lat", WAITS));
    }
    for (command, counter) in wrong {
        let before = lab.board.counters()?;
        let port = port(command.trim_start_matches("timeout 15 "));
        let (ended_well, _, said) = ask(lab, &format!("{command} -d rxe0 -x 1 -F -p {port} -n 5 {BOARD}"))?;
        ensure!(!ended_well, "`{command}` ends well: {said}");
        ensure!(lab.grown(&before, counter)? == 1, "`{command}`: {counter}");
    }
    Ok(())
}
