//! The processes of one's own on a board: to see them, and to end those whose client is gone.
use crate::client::{Client, Lane, unreadable};
use crate::core::Way;
use crate::error::Result;
use crate::process::Process;
use crate::transport::Payload;
use mneme_wire::payload::{ProcessEntry, ProcessesRequest};
use mneme_wire::{Cause, Opcode, Pid, Status, Va};
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
    /// To look at several of them on the first board: [`Lane::reaper`].
    pub fn reaper(&self) -> Result<Reaper> {
        self.first().reaper()
    }
}

impl Lane {
    /// The processes of one's own, by pid, also those that have lost their clients. With tags ([`Integrity::Tag`]) they are
    /// those of the tenant, wherever he has opened them; else those of this client's address. A board tells nobody of the
    /// processes of others, and renews no lease for that.
    ///
    /// They are read some tens a packet, not at one moment.
    ///
    /// [`Integrity::Tag`]: crate::Integrity::Tag
    pub fn processes(&self) -> Result<Vec<ProcessInfo>> {
        self.one_call().reaper()?.processes()
    }
    /// Ends a process of one's own without a handle of it, as [`Process::exit`](crate::Process::exit) does: for all
    /// clients, with all its memory. False: there is no such process of one's own; nothing was done.
    ///
    /// A process of others can be ended by who has joined it.
    pub fn reap(&self, pid: u32) -> Result<bool> {
        crate::client::valid_pid(pid)?;
        self.one_call().reaper()?.reap(pid)
    }
    /// With tags: whether the board has proven that a process is no more, to the tenant who has opened it. False: nothing is
    /// known. `joined`: another one may have opened it.
    pub(crate) fn proves_gone(&self, process: &Way, joined: bool) -> bool {
        let lane = self.one_call();
        let ask = || lane.reaper()?.is_gone((process.pid, process.epoch), joined);
        lane.tags()
            && ask().unwrap_or_else(|error| {
                tracing::debug!(board = %lane.peer(), "nobody tells whether a process has ended: {error}");
                false
            })
    }
    /// To look at several processes of one's own, and end them.
    pub fn reaper(&self) -> Result<Reaper> {
        let standing = if self.tags() { Some(self.open_standing()?) } else { None };
        Ok(Reaper { lane: self.clone(), standing })
    }
}

/// Sees and ends the processes of one's own on a board, those that have no client, too.
///
/// A tag needs a process, so with tags this opens one of its own, which it does not tell of, and ends that when it is dropped.
///
/// ```no_run
/// # fn main() -> mneme_clib::Result<()> {
/// # let client = mneme_clib::Client::connect_to("10.0.0.2:19790", &Default::default(), Default::default())?;
/// for lane in client.lanes() {
///     let reaper = lane.reaper()?;
///     for info in reaper.processes()? {
///         reaper.reap(info.pid)?;
///     }
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Reaper {
    lane: Lane,
    standing: Option<Process>,
}

impl Reaper {
    /// As [`Lane::processes`].
    pub fn processes(&self) -> Result<Vec<ProcessInfo>> {
        let (call, mut found) = (self.lane.one_call(), Vec::new());
        let mut after = 0;
        loop {
            let ask = ProcessesRequest::fitting(after, self.lane.largest_payload());
            let told = self.told(&call, ask)?;
            let whole = told.len() == ask.count as usize;
            let last = told.last().map(|info| info.pid);
            found.extend(told.into_iter().filter(|info| Some(info.pid) != self.own()));
            match last {
                Some(last) if whole => after = last,
                _ => return Ok(found),
            }
        }
    }
    /// As [`Lane::reap`].
    pub fn reap(&self, pid: u32) -> Result<bool> {
        let pid = crate::client::valid_pid(pid)?;
        if self.own() == Some(pid.get()) {
            return Ok(false);
        }
        let call = self.lane.one_call();
        let (by, va) = match &self.standing {
            // The board knows whose it is.
            Some(standing) => (standing.name(), Va::from_low_bits(pid.get().into())),
            None => {
                let ask = ProcessesRequest { after: pid.get() - 1, count: 1 };
                if self.told(&call, ask)?.iter().all(|info| info.pid != pid.get()) {
                    return Ok(false);
                }
                ((pid, self.lane.board().epoch), Va::default())
            }
        };
        match call.ask_at(Opcode::Exit, by, va, Payload::new()) {
            Ok(_) => Ok(true),
            // It has come to its end meanwhile.
            Err(error) if error.refusal() == Some((Status::BadRequest, Cause::Pid)) => Ok(false),
            Err(error) => Err(error),
        }
    }
    /// Whether the board has proven that a process is no more: it has restarted since, or its tenant has none of that number.
    /// `joined`: it may be another tenant's, of whose processes nobody is told.
    pub(crate) fn is_gone(&self, (pid, epoch): (Pid, u8), joined: bool) -> Result<bool> {
        let Some(standing) = &self.standing else { return Ok(false) };
        if standing.name().1 != epoch {
            return Ok(true);
        }
        if joined {
            return Ok(false);
        }
        // It has got the number itself.
        if standing.name().0 == pid {
            return Ok(true);
        }
        let ask = ProcessesRequest { after: pid.get() - 1, count: 1 };
        Ok(self.told(&self.lane.one_call(), ask)?.iter().all(|info| info.pid != pid.get()))
    }
    fn own(&self) -> Option<u32> {
        self.standing.as_ref().map(Process::pid)
    }
    fn told(&self, call: &Lane, ask: ProcessesRequest) -> Result<Vec<ProcessInfo>> {
        let mut payload = Payload::from_elem(0, ask.payload_len());
        ask.emit(None, &mut payload);
        let board = self.lane.board();
        let by = self.standing.as_ref().map_or((Pid::NONE, board.epoch), Process::name);
        let answer = call.ask(Opcode::Processes, by, payload)?;
        let entries = ask.parse_answer(&answer.payload).map_err(unreadable)?;
        Ok(entries.map(|entry| ProcessInfo::new(entry, board.page_bits)).collect())
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        let Some(standing) = &self.standing else { return };
        if self.lane.hurries() {
            // Whoever is in a hurry does not wait for a drop either.
            standing.leave();
        } else if let Err(error) = standing.end() {
            tracing::warn!("process {} ends with its lease: {error}", standing.pid());
        }
    }
}
