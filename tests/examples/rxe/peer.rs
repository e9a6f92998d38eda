//! The guest's client as this program sees it: connections, operations, and what is in their buffers.
use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use mneme_rdma::cm::{Ask, Granted, Refusal};

use crate::guest::Guest;

/// How long an operation may take before it is given up.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Operations of a connection under way, at most, and how many lines are told before answers are heard.
pub const DEPTH: usize = 64;

/// Statuses of completions (enum ibv_wc_status of libibverbs).
pub mod status {
    /// It has been done.
    pub const SUCCESS: u32 = 0;
    /// Behind one that failed.
    pub const FLUSHED: u32 = 5;
    /// The other side found the request invalid: NAK 0x61.
    pub const INVALID_REQUEST: u32 = 9;
    /// The other side denies the access: NAK 0x62.
    pub const ACCESS: u32 = 10;
}

/// The byte at a place of the data that a number stands for. The guest's client has the same function.
pub fn pattern(seed: u32, at: usize) -> u8 {
    let x = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (at as u64 + 1);
    ((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 56) as u8
}

/// So many bytes of it.
pub fn data(seed: u32, length: usize) -> Vec<u8> {
    (0..length).map(|at| pattern(seed, at)).collect()
}

/// FNV-1a of 64 bits, as the guest computes it of its buffers.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Of the data that a number stands for.
    Write {
        seed: u32,
    },
    /// The same, with an immediate.
    WriteImmediate {
        seed: u32,
        immediate: u32,
    },
    Read,
    CompareSwap {
        compare: u64,
        swap: u64,
    },
    FetchAdd {
        add: u64,
    },
    Send {
        seed: u32,
    },
}

/// An operation.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    pub verb: Verb,
    /// Where in the guest's buffer.
    pub place: u64,
    pub bytes: usize,
    /// Where in the board's memory.
    pub va: u64,
    pub rkey: u32,
    /// After all READs and atomics before it.
    pub fence: bool,
}

impl Operation {
    pub fn new(verb: Verb, place: u64, bytes: usize, va: u64, rkey: u32) -> Operation {
        Operation { verb, place, bytes, va, rkey, fence: false }
    }
}

/// A connection that a client of the guest has.
#[derive(Debug, Clone, Copy)]
pub struct Connection {
    number: u32,
    /// Where the guest begins to number its packets.
    pub starting_psn: u32,
    pub path_mtu: usize,
    pub granted: Granted,
}

/// What came of asking for one.
#[derive(Debug)]
pub enum Made {
    Yes(Connection),
    /// The connection manager's reason, and Mneme's.
    Refused {
        reason: u32,
        why: Option<Refusal>,
    },
}

/// How a connection is to be.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// The guest's number of it, 0 to 7.
    pub number: u32,
    pub port: u16,
    /// READs and atomics under way at a time.
    pub reads: u32,
    /// An acknowledge may take 4.096 µs by two to the power of this.
    pub timeout: u32,
}

impl Wish {
    pub fn number(number: u32) -> Wish {
        Wish { number, port: mneme_rdma::cm::SERVICE_PORT, reads: 16, timeout: 18 }
    }
}

fn unhex(text: &str) -> Result<Vec<u8>> {
    let digits = |at: usize| text.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..text.len()).step_by(2).map(|at| digits(at).with_context(|| format!("no bytes: {text}"))).collect()
}

/// The value of a field `name=value`.
fn field<'a>(answer: &'a str, name: &str) -> Result<&'a str> {
    let fields = answer.split(' ').filter_map(|word| word.split_once('='));
    let mut values = fields.filter(|(own, _)| *own == name).map(|(_, value)| value);
    values.next().with_context(|| format!("the guest tells no {name}: {answer}"))
}

/// Asks the board at an address for a connection, with these bytes as private data.
pub fn connect_with(guest: &mut Guest, wish: &Wish, board: &str, private: &[u8]) -> Result<Made> {
    let Wish { number, port, reads, timeout } = wish;
    let mut line = format!("connect {number} {board} {port} ");
    for byte in private {
        write!(line, "{byte:02x}")?;
    }
    let answer = guest.ask(&format!("{line} {reads} {timeout}"), 2 * PATIENCE)?;
    let private = unhex(field(&answer, "private")?)?;
    if !answer.starts_with("connected") {
        ensure!(field(&answer, "event")? == "RDMA_CM_EVENT_REJECTED", "no connection: {answer}");
        return Ok(Made::Refused {
            reason: field(&answer, "status")?.parse()?,
            why: Refusal::parse(&private),
        });
    }
    Ok(Made::Yes(Connection {
        number: *number,
        starting_psn: field(&answer, "sq")?.parse()?,
        path_mtu: field(&answer, "mtu")?.parse()?,
        granted: Granted::parse(&private).context("the board grants nothing that could be understood")?,
    }))
}

/// Asks for a connection.
pub fn connect(guest: &mut Guest, wish: &Wish, board: &str, ask: &Ask) -> Result<Made> {
    connect_with(guest, wish, board, &ask.to_bytes())
}

impl Connection {
    /// Posts operations, all at once, and answers their statuses in order.
    pub fn all(&self, guest: &mut Guest, operations: &[Operation]) -> Result<Vec<u32>> {
        ensure!(operations.len() <= DEPTH, "{} operations at once", operations.len());
        self.post(guest, operations)?;
        self.reap(guest, operations.len())
    }
    /// Posts operations.
    pub fn post(&self, guest: &mut Guest, operations: &[Operation]) -> Result<()> {
        for operation in operations {
            let Operation { verb, place, bytes, va, rkey, fence } = *operation;
            let (name, a, b) = match verb {
                Verb::Write { seed } => ("write", u64::from(seed), 0),
                Verb::WriteImmediate { seed, immediate } => ("write-imm", seed.into(), immediate.into()),
                Verb::Read => ("read", 0, 0),
                Verb::CompareSwap { compare, swap } => ("cas", compare, swap),
                Verb::FetchAdd { add } => ("add", add, 0),
                Verb::Send { seed } => ("send", seed.into(), 0),
            };
            let fence = u8::from(fence);
            let number = self.number;
            guest.tell(&format!("post {number} {name} {place} {bytes} {va} {rkey} {fence} {a} {b}"))?;
        }
        // All answers are heard before one is looked at: the next command's would else be taken for one of these.
        let answers = operations.iter().map(|_| guest.hear(PATIENCE)).collect::<Result<Vec<_>>>()?;
        let refused = answers.iter().find(|answer| *answer != "ok");
        ensure!(refused.is_none(), "posting: {refused:?}");
        Ok(())
    }
    /// Waits for the next operations to end; their statuses.
    pub fn reap(&self, guest: &mut Guest, count: usize) -> Result<Vec<u32>> {
        let wait = PATIENCE.as_millis();
        let answer = guest.ask(&format!("reap {} {count} {wait}", self.number), 2 * PATIENCE)?;
        answer.split_whitespace().map(|word| word.parse().context("a status")).collect()
    }
    /// Does one operation, which must end well.
    pub fn one(&self, guest: &mut Guest, operation: Operation) -> Result<()> {
        let statuses = self.all(guest, &[operation])?;
        ensure!(statuses == [status::SUCCESS], "{operation:?} ends with status {statuses:?}");
        Ok(())
    }
    /// Does an atomic, which must end well, and answers what it found.
    pub fn word(&self, guest: &mut Guest, verb: Verb, va: u64) -> Result<u64> {
        self.one(guest, Operation::new(verb, 0, 8, va, self.granted.rkey))?;
        self.first(guest, 0)
    }
    /// The word at a place of the guest's buffer.
    pub fn first(&self, guest: &mut Guest, place: u64) -> Result<u64> {
        self.look(guest, place, 8).map(|(_, first)| first)
    }
    /// Fills a part of the guest's buffer with a byte.
    pub fn fill(&self, guest: &mut Guest, place: u64, bytes: usize, byte: u8) -> Result<()> {
        guest.ask(&format!("fill {} {place} {bytes} {byte}", self.number), PATIENCE).map(|_| ())
    }
    /// Whether the guest's buffer holds these bytes at a place, and nobody has written round it.
    pub fn holds(&self, guest: &mut Guest, place: u64, bytes: &[u8]) -> Result<bool> {
        self.look(guest, place, bytes.len()).map(|(found, _)| found == hash(bytes))
    }
    fn look(&self, guest: &mut Guest, place: u64, bytes: usize) -> Result<(u64, u64)> {
        let answer = guest.ask(&format!("look {} {place} {bytes}", self.number), PATIENCE)?;
        let words: Vec<u64> = answer.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let [hash, first, whole] = words[..] else { bail!("the guest looks and says {answer}") };
        ensure!(whole == 1, "somebody has written round the guest's buffer");
        Ok((hash, first))
    }
    /// Ends it as the connection manager does.
    pub fn end(self, guest: &mut Guest) -> Result<()> {
        guest.ask(&format!("end {}", self.number), PATIENCE).map(|_| ())
    }
    /// Destroys the queue pair, without waiting for the board.
    pub fn destroy(self, guest: &mut Guest) -> Result<()> {
        guest.ask(&format!("destroy {}", self.number), PATIENCE).map(|_| ())
    }
}
