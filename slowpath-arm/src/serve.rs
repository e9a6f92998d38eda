//! Requests that change something: OPEN, EXIT, ALLOC, FREE, PROTECT. Each is served at most once (answer cache), holds the
//! lock of the address space for computing only, and runs its table commands through [`Table`].
mod alloc;
mod exit;
mod frames;
mod free;
mod open;
mod protect;
mod secure;

use crate::answers::{Answers, End, Key, Proof, Saved, Verdict, digest};
use crate::core::Core;
use crate::refusal::{BAD_LENGTH, BAD_OPTION, Refusal, UNAUTHENTICATED};
use crate::share::Source;
use crate::space::Span;
use crate::table::{Outcome, Replace, Table};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::payload::{Alloc, OpenRequest, PayloadError, RangeRights, SECURE_OPEN_LEN};
use mneme_wire::pte::ALLOCATED;
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, HEADER_LEN, NodeCounter, Opcode, Request, Response, Status, TagMode, Va};

pub(crate) use exit::reclaim;

/// One request from the ring.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) endpoints: Endpoints,
    pub(crate) request: Request,
    pub(crate) payload: Vec<u8>,
    /// What its answer is sealed with.
    pub(crate) means: Means,
    /// Who asks: the tenant of the process, where a tag proves it, else the address.
    pub(crate) source: Source,
}

/// Payload of an OK answer, or the refusal.
pub(crate) type Served = Result<Vec<u8>, Refusal>;

/// A request whose payload is well-formed.
enum Ask {
    Open(OpenRequest),
    /// An OPEN whose tenant proves itself; what it asks for is sealed.
    SecureOpen,
    Exit,
    Alloc(Alloc),
    Free(RangeRights),
    Protect(RangeRights),
}

impl From<PayloadError> for Refusal {
    fn from(error: PayloadError) -> Refusal {
        match error {
            PayloadError::Length { .. } | PayloadError::Range(_) => BAD_LENGTH,
            PayloadError::Option(_) => BAD_OPTION,
        }
    }
}

impl Ask {
    fn parse(core: &Core, job: &Job) -> Result<Ask, Refusal> {
        if usize::from(job.request.length) != job.payload.len() {
            return Err(BAD_LENGTH);
        }
        let bytes = &job.payload[..];
        Ok(match job.request.opcode {
            Opcode::Open if bytes.len() == SECURE_OPEN_LEN => Ask::SecureOpen,
            // Where tags are asked for, nobody gets a process without a proof of who he is.
            Opcode::Open if core.config.tag_mode != TagMode::None => return Err(UNAUTHENTICATED),
            Opcode::Open => Ask::Open(OpenRequest::parse(bytes)?),
            Opcode::Exit if bytes.is_empty() => Ask::Exit,
            Opcode::Exit => return Err(BAD_LENGTH),
            Opcode::Alloc => Ask::Alloc(Alloc::parse_request(bytes)?),
            Opcode::Free => Ask::Free(RangeRights::parse(bytes)?),
            Opcode::Protect => Ask::Protect(RangeRights::parse(bytes)?),
            _ => return Err(Refusal::new(Status::Unsupported, Cause::Opcode)),
        })
    }

    fn counter(&self) -> NodeCounter {
        match self {
            Ask::Open(_) | Ask::SecureOpen => NodeCounter::Opens,
            Ask::Exit => NodeCounter::Exits,
            Ask::Alloc(_) => NodeCounter::Allocs,
            Ask::Free(_) => NodeCounter::Frees,
            Ask::Protect(_) => NodeCounter::Protects,
        }
    }

    /// `pid`: the process on which it works.
    fn execute(
        &self,
        core: &Core,
        job: &Job,
        pid: u32,
        table: &mut dyn Table,
    ) -> Result<Vec<u8>, (Refusal, End)> {
        let served = match self {
            Ask::Open(ask) => open::serve(core, job, ask),
            Ask::SecureOpen => {
                let proven = secure::prove(core, job, table).map_err(|refusal| (refusal, End::Unproven))?;
                secure::serve(core, job, proven)
            }
            Ask::Exit => exit::serve(core, job, pid, table),
            Ask::Alloc(ask) => alloc::serve(core, job, ask, table),
            Ask::Free(ask) => free::serve(core, job, ask, table),
            Ask::Protect(ask) => protect::serve(core, job, ask, table),
        };
        served.map_err(|refusal| {
            // One with which memory failed may have taken effect in part, and what it gave up may have another owner by now.
            (refusal, if refusal.may_have_taken_effect() { End::Done } else { End::Released })
        })
    }

    /// What proves that it comes from where it says.
    fn proof(&self, job: &Job) -> Proof {
        match (self, &job.means) {
            (Ask::SecureOpen, _) => Proof::Message(secure::message_id(&job.payload)),
            (_, Means::Tag { .. }) => Proof::Process(job.request.pid.get()),
            _ => Proof::None,
        }
    }
}

/// What the answer cache makes of a request.
pub(crate) enum Admitted {
    /// Answered: malformed, answered before, or not to be executed now.
    Answered(Vec<u8>),
    /// To be executed, once: whoever takes it calls [`Task::execute`] or [`Task::abandon`].
    Execute(Task),
}

/// How a request ended: what the answer cache remembers, and the answer.
pub(crate) struct Ended {
    key: Key,
    attempt: u8,
    end: End,
    saved: Saved,
    frame: Vec<u8>,
}

impl Ended {
    /// Tells the answer cache, and then the answer, a whole frame.
    pub(crate) fn remember(self, answers: &mut Answers) -> Vec<u8> {
        answers.finish(&self.key, self.attempt, self.end, self.saved);
        self.frame
    }
}

/// A request that the answer cache holds as pending.
pub(crate) struct Task {
    job: Box<Job>,
    ask: Ask,
    key: Key,
    /// The process on which it works; 0: one that is yet to be opened.
    pid: u32,
}

/// Looks a request up in the answer cache, and enters it there when it is to be executed.
pub(crate) fn admit(core: &Core, answers: &mut Answers, job: Box<Job>) -> Admitted {
    let ask = match Ask::parse(core, &job) {
        Ok(ask) => ask,
        Err(refusal) => return Admitted::Answered(refuse(core, &job, refusal)),
    };
    let key: Key = (job.endpoints.src_ip, job.endpoints.src_port, job.request.op_id, ask.proof(&job));
    let forgets = core.planted().is_some_and(|fault| fault.forgets(job.request.opcode));
    let verdict = match forgets {
        true => Verdict::Execute,
        false => answers.begin(key, job.source, &job.request, digest(&job.request, &job.payload), core.now()),
    };
    let hint = u64::from(core.config.busy_hint_ns);
    let busy = |cause| Refusal::new(Status::Busy, cause).hint(hint);
    let refusal = match verdict {
        Verdict::Execute => {
            let pid = subject(core, &job, &ask);
            return Admitted::Execute(Task { job, ask, key, pid });
        }
        Verdict::Again(saved) => {
            core.stats.count(NodeCounter::Replays);
            let status = Status::from_number(saved.status).unwrap_or(Status::Ok);
            let answer = frame(core, &job, status, Va::from_low_bits(saved.va), &saved.payload);
            return Admitted::Answered(answer);
        }
        Verdict::Pending => busy(Cause::Pending),
        Verdict::Conflict => Refusal::new(Status::Conflict, Cause::None),
        Verdict::Expired => Refusal::new(Status::Expired, Cause::Window),
        Verdict::Clock => busy(Cause::Clock),
        Verdict::Full => busy(Cause::Filter),
    };
    Admitted::Answered(refuse(core, &job, refusal))
}

/// The process on which a request works; 0 where that is yet to be opened. Nor does a secure OPEN follow the requests of a
/// process, or they it: until it has proved who asks, anybody can have named that pid.
fn subject(core: &Core, job: &Job, ask: &Ask) -> u32 {
    match ask {
        Ask::SecureOpen => 0,
        Ask::Exit => exit::ended_by(core, job),
        _ => job.request.pid.get(),
    }
}

impl Task {
    /// The process on which it works, whose requests it follows; 0: none.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whose work it is.
    pub(crate) fn source(&self) -> Source {
        self.job.source
    }

    /// Executes the request and builds its answer.
    pub(crate) fn execute(&self, core: &Core, table: &mut dyn Table) -> Ended {
        let Task { job, ask, pid, .. } = self;
        let (opcode, pid) = (job.request.opcode, *pid);
        let _span = tracing::debug_span!("request", %opcode, pid, op_id = job.request.op_id).entered();
        match ask.execute(core, job, pid, table) {
            Ok(payload) => {
                core.stats.count(ask.counter());
                let frame = frame(core, job, Status::Ok, job.request.va, &payload);
                let saved = Saved { status: Status::Ok.number(), va: job.request.va.get(), payload };
                self.ended(End::Done, saved, frame)
            }
            Err((refusal, end)) => self.refused(core, refusal, end),
        }
    }

    /// Ends a request whose execution broke off halfway: nobody knows what it did, so no attempt of it is executed again,
    /// and what it worked on is given up.
    pub(crate) fn abandon(&self, core: &Core) -> Ended {
        core.space().abandon(self.pid());
        self.refused(core, Refusal::new(Status::MemoryError, Cause::Dram), End::Done)
    }

    fn refused(&self, core: &Core, refusal: Refusal, end: End) -> Ended {
        let va = refusal.to_va().get();
        let saved = Saved { status: refusal.status.number(), va, payload: Vec::new() };
        self.ended(end, saved, refuse(core, &self.job, refusal))
    }

    fn ended(&self, end: End, saved: Saved, frame: Vec<u8>) -> Ended {
        Ended { key: self.key, attempt: self.job.request.attempt, end, saved, frame }
    }
}

/// The answer to a refused request; counts it.
pub(crate) fn refuse(core: &Core, job: &Job, refusal: Refusal) -> Vec<u8> {
    core.stats.refused(&refusal);
    frame(core, job, refusal.status, refusal.to_va(), &[])
}

/// An answer as a whole frame: addresses swapped, our own MAC as source, UDP checksum 0 (contracts §1).
pub(crate) fn frame(core: &Core, job: &Job, status: Status, va: Va, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).unwrap_or(u16::MAX);
    let means = job.means.of_answer(status);
    let header =
        Response { trailer: means.kind(), length, ..Response::fail(&job.request, core.tick(), status, va) };
    let mut datagram = Vec::with_capacity(HEADER_LEN + payload.len() + means.kind().bytes());
    datagram.extend_from_slice(&header.to_bytes());
    datagram.extend_from_slice(payload);
    datagram.resize(datagram.len() + means.kind().bytes(), 0);
    let endpoints = Endpoints { src_mac: core.config.mac, ..job.endpoints.reversed() };
    means.seal(&endpoints.covered(), &mut datagram);
    let udp = UdpFrame { endpoints, datagram: &datagram };
    let mut bytes = vec![0; udp.frame_len()];
    // An answer is never longer than its request, so it always fits; should it not, silence is what remains.
    match udp.emit(false, &mut bytes) {
        Ok(_) => bytes,
        Err(_) => Vec::new(),
    }
}

/// Commands that one call of [`Table::run`] gets at most: others get their turn in between.
const BATCH: usize = 8;

/// Runs commands in batches until one is not done. `Ok`: all done. `Err`: how many were done, and how the next one ended.
fn run_all(table: &mut dyn Table, commands: impl Iterator<Item = Replace>) -> Result<(), (u64, Outcome)> {
    let mut commands = commands.peekable();
    let mut done = 0;
    while commands.peek().is_some() {
        let batch: Vec<Replace> = commands.by_ref().take(BATCH).collect();
        let outcomes = table.run(&batch);
        let good = outcomes.iter().take_while(|o| matches!(o, Outcome::Done(_))).count();
        done += good as u64;
        if good < batch.len() {
            return Err((done, outcomes.get(good).copied().unwrap_or(Outcome::Failed)));
        }
    }
    Ok(())
}

/// Takes the pages of a span out of the shadow, slice by slice. `failed`: those that the table did not let go, in order.
fn drop_pages(core: &Core, span: Span, failed: &[u64]) {
    let mut from = (span.pages > 0).then_some(span.start);
    while let Some(at) = from {
        from = core.space().drop_some(span, at, failed);
    }
}

/// What it means that the table does not have a page that is to be freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gone {
    /// It has been freed before.
    Freed,
    /// Its entry is damaged.
    Failed,
}

/// Frees pages, going on past those that the table does not let go; tells the latter.
fn free_pages(table: &mut dyn Table, pid: u32, vpns: std::ops::Range<u64>, gone: Gone) -> Vec<u64> {
    let mut failed = Vec::new();
    let mut at = vpns.start;
    while let Err((done, outcome)) = run_all(table, (at..vpns.end).map(|vpn| Replace::free(pid, vpn))) {
        let absent = matches!(outcome, Outcome::Mismatch(old) if old & ALLOCATED == 0);
        if !absent || gone == Gone::Failed {
            failed.push(at + done);
        }
        at += done + 1;
    }
    failed
}

/// What a client is told when the table could not be changed.
fn table_refusal(outcome: Outcome) -> Refusal {
    match outcome {
        Outcome::Full => Refusal::new(Status::NoMemory, Cause::Slots),
        Outcome::Mismatch(_) => Refusal::new(Status::MemoryError, Cause::Parity),
        Outcome::Done(_) | Outcome::Failed => Refusal::new(Status::MemoryError, Cause::Dram),
    }
}
