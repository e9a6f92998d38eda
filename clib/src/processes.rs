//! The processes of one's own on a board: to see them, and to end those whose client is gone.
use crate::client::{Client, Lane, unreadable};
use crate::error::Result;
use crate::transport::Payload;
use mneme_wire::payload::{ProcessEntry, ProcessesRequest};
use mneme_wire::{Cause, Opcode, Pid, Status};
use std::time::Duration;

/// What a board says of a process.
///
/// ```no_run
/// # fn main() -> mneme_clib::Result<()> {
/// # let client = mneme_clib::Client::connect_to("10.0.0.2:19790", &Default::default(), Default::default())?;
/// for info in client.processes()? {
///     println!("process {} has {} bytes, silent for {:?}", info.pid, info.bytes, info.silent);
///     if info.silent.as_secs() > 3_600 && client.reap(info.pid)? {
///         println!("it is ended");
///     }
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessInfo {
    /// The process.
    pub pid: u32,
    /// How long it outlives its clients; `None`: until somebody exits it, or the board restarts.
    pub lease: Option<Duration>,
    /// For how long the board has heard no client keep it: no OPEN, allocation, free or ping of that process. Reads and
    /// writes do not count.
    pub silent: Duration,
    /// Allocations.
    pub ranges: u64,
    /// Bytes allocated, in whole pages.
    pub bytes: u64,
    /// Those of them that are or were writable, so that they may take memory.
    pub writable_bytes: u64,
    /// It is about to end.
    pub ending: bool,
    /// Its end broke off: all that can be done with it is to end it again.
    pub broken: bool,
}

impl ProcessInfo {
    fn new(entry: ProcessEntry, page_bits: u8) -> ProcessInfo {
        let bytes = |pages: u64| pages.saturating_mul(1 << page_bits);
        ProcessInfo {
            pid: entry.pid,
            lease: (entry.lease_ns != 0).then(|| Duration::from_nanos(entry.lease_ns)),
            silent: Duration::from_nanos(entry.silent_ns),
            ranges: entry.ranges,
            bytes: bytes(entry.slots),
            writable_bytes: bytes(entry.pages),
            ending: entry.ending,
            broken: entry.broken,
        }
    }
    /// How long it lives on if no client keeps it; `None`: it has no lease.
    pub fn lease_left(&self) -> Option<Duration> {
        self.lease.map(|lease| lease.saturating_sub(self.silent))
    }
}

impl Client {
    /// The processes of one's own on the first board: [`Lane::processes`].
    pub fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.first().processes()
    }
    /// Ends a process of one's own on the first board: [`Lane::reap`].
    pub fn reap(&self, pid: u32) -> Result<bool> {
        self.first().reap(pid)
    }
}

impl Lane {
    /// The processes that belong to this client's address, by pid: those that any client there has opened, also those
    /// that have lost their clients. A board tells nobody of the processes of others, and renews no lease for that.
    ///
    /// They are read some tens a packet, not at one moment.
    pub fn processes(&self) -> Result<Vec<ProcessInfo>> {
        let mut found = Vec::new();
        let mut after = 0;
        loop {
            let ask = self.ask_for_processes(after);
            let told = self.told_processes(ask)?;
            let whole = told.len() == ask.count as usize;
            found.extend(told);
            match found.last().map(|info| info.pid) {
                Some(last) if whole => after = last,
                _ => return Ok(found),
            }
        }
    }
    /// Ends a process of one's own without a handle of it, as [`Process::exit`](crate::Process::exit) does: for all
    /// clients, with all its memory. False: this client's address has no such process; nothing was done.
    ///
    /// A process of another address can be ended by who has joined it.
    pub fn reap(&self, pid: u32) -> Result<bool> {
        let pid = crate::client::valid_pid(pid)?;
        let ask = ProcessesRequest { count: 1, ..self.ask_for_processes(pid.get() - 1) };
        if self.told_processes(ask)?.iter().all(|info| info.pid != pid.get()) {
            return Ok(false);
        }
        match self.ask(Opcode::Exit, (pid, self.board().epoch), Payload::new()) {
            Ok(_) => {}
            // It has come to its end meanwhile.
            Err(error) if error.refusal() == Some((Status::BadRequest, Cause::Pid)) => return Ok(false),
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    fn ask_for_processes(&self, after: u32) -> ProcessesRequest {
        ProcessesRequest::fitting(after, self.largest_payload())
    }
    fn told_processes(&self, ask: ProcessesRequest) -> Result<Vec<ProcessInfo>> {
        let mut payload = Payload::from_elem(0, ask.payload_len());
        ask.emit(None, &mut payload);
        let answer = self.ask(Opcode::Processes, (Pid::NONE, self.board().epoch), payload)?;
        let entries = ask.parse_answer(&answer.payload).map_err(unreadable)?;
        let page_bits = self.board().page_bits;
        Ok(entries.map(|entry| ProcessInfo::new(entry, page_bits)).collect())
    }
}
