//! The slow path with worker threads: the caller's thread owns the fast path and polls; workers compute in parallel against
//! the same core as [`SlowPath`](crate::SlowPath) and send their table commands to the poller.
//!
//! Every channel is bounded. A worker waits for its own commands and for room for its answer; the poller waits for nobody,
//! so there is no circle. A request that finds no room is answered BUSY, cause QUEUE, unexecuted. Who is served next, and
//! how much room each source has, [`order`] says. Requests of one process are executed in the order of the ring.
mod order;
mod worker;

use crate::FastPath;
use crate::answers::Answers;
use crate::boot::{BootError, boot};
use crate::config::Config;
use crate::core::Core;
use crate::epoch::EpochStore;
use crate::leaf::LeafState;
use crate::pages::Pages;
use crate::poll::{Triage, triage};
use crate::query;
use crate::refusal::Refusal;
use crate::roce::RoceFrames;
use crate::serve::{self, Admitted, Ended, Job, Task};
use crate::share::Source;
use crate::space::Space;
use crate::station::Station;
use crate::table::{Outcome, Table};
use crossbeam_channel::{Receiver, Select, Sender, bounded};
use mneme_auth::TenantList;
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Status, TagMode};
use order::Order;
use std::sync::Arc;
#[cfg(feature = "planted-faults")]
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use worker::{Batch, Done, Worker};

/// Replace commands of one poll: a command takes some dozens of register accesses, each of which is long on a simulated board.
const COMMANDS: usize = 2;
/// Looks at the status of a replace command in one poll: the next poll goes on.
const READS: u32 = 256;
/// Processes that one poll has reclaimed.
const RECLAIMS: usize = 16;

/// What a worker is given.
enum Work {
    Request(Task),
    /// A query that looks at the address space.
    Query(Box<Job>),
    /// The lease of this tenant's process ran out.
    Reclaim(u32, Source),
}

/// What came of it.
enum Made {
    Ended(Box<Ended>),
    /// A whole frame.
    Answer(Vec<u8>),
    /// Nobody asked.
    Nothing,
}

impl Work {
    /// Whose work it is; 0: nobody's yet.
    fn pid(&self) -> u32 {
        match self {
            Work::Request(task) => task.pid(),
            // Follows nothing: it changes nothing.
            Work::Query(_) => 0,
            Work::Reclaim(pid, _) => *pid,
        }
    }
    /// In whose queue it waits.
    fn source(&self) -> Source {
        match self {
            Work::Request(task) => task.source(),
            Work::Query(job) => job.source,
            Work::Reclaim(_, source) => *source,
        }
    }
    /// Does it.
    fn execute(&self, core: &Core, table: &mut dyn Table) -> Made {
        match self {
            Work::Request(task) => Made::Ended(Box::new(task.execute(core, table))),
            Work::Query(job) => Made::Answer(query::answer_from_space(core, job)),
            Work::Reclaim(pid, _) => {
                serve::reclaim(core, *pid, table);
                Made::Nothing
            }
        }
    }
    /// Ends it after it broke off halfway.
    fn abandon(&self, core: &Core) -> Made {
        match self {
            Work::Request(task) => Made::Ended(Box::new(task.abandon(core))),
            Work::Query(_) => Made::Nothing,
            Work::Reclaim(pid, _) => {
                // Another try comes, and not at once: it may break off in the same way.
                let later = core.now() + u64::from(core.config.slow_window_ticks());
                let mut space = core.space();
                space.abandon(*pid);
                space.unclaim_until(*pid, later);
                Made::Nothing
            }
        }
    }
}

/// A board's slow path with worker threads.
pub struct Pool {
    core: Arc<Core>,
    station: Station,
    answered: Answers,
    jobs: Option<Sender<Work>>,
    commands: Receiver<Batch>,
    /// Where the worker waits whose commands the station runs.
    runs: Option<Sender<Vec<Outcome>>>,
    answers: Receiver<Done>,
    workers: Vec<JoinHandle<()>>,
    order: Order,
    /// Where frames are received.
    frame: Vec<u8>,
    #[cfg(feature = "planted-faults")]
    panic: Arc<AtomicU32>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = (self.workers.len(), self.order.len());
        f.debug_struct("Pool")
            .field("workers", &counts.0)
            .field("in_flight", &counts.1)
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// As [`SlowPath::boot`](crate::SlowPath::boot), with `workers` threads and at most `queue` requests waiting for one.
    pub fn boot<F: FastPath + ?Sized>(
        config: Config,
        fp: &mut F,
        store: &mut dyn EpochStore,
        workers: usize,
        queue: usize,
    ) -> Result<Pool, BootError> {
        let (core, station) = boot(config, fp, store)?;
        let core = Arc::new(core);
        let count = workers.max(1);
        let (jobs, jobs_out) = bounded(count);
        let (poller, commands) = bounded(count);
        let (done, answers) = bounded(count);
        #[cfg(feature = "planted-faults")]
        let panic = Arc::<AtomicU32>::default();
        let worker = Worker {
            core: core.clone(),
            jobs: jobs_out,
            poller,
            done,
            #[cfg(feature = "planted-faults")]
            panic: panic.clone(),
        };
        let spawn = |number| {
            let (worker, name) = (worker.clone(), format!("slowpath-{number}"));
            std::thread::Builder::new().name(name).spawn(move || worker.run())
        };
        let workers = (0..count).map(spawn).collect::<Result<Vec<_>, _>>().map_err(BootError::Threads)?;
        let asks = core.config.tag_mode != TagMode::None;
        let order = Order::new(queue.max(1).saturating_add(count), count, asks);
        order.weigh(core.tenants());
        Ok(Pool {
            answered: core.new_answers(),
            core,
            station,
            jobs: Some(jobs),
            commands,
            runs: None,
            answers,
            workers,
            order,
            frame: Vec::new(),
            #[cfg(feature = "planted-faults")]
            panic,
        })
    }

    /// Whether the board is up and serves requests.
    pub fn ready(&self) -> bool {
        self.station.serving()
    }

    /// As [`SlowPath::poll`](crate::SlowPath::poll); also runs the workers' table commands and sends their answers.
    pub fn poll<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> bool {
        if !self.station.begin_poll(fp, &self.core) {
            return true;
        }
        for (pid, tenant) in self.core.silent(RECLAIMS) {
            self.order.take(Work::Reclaim(pid, tenant));
        }
        let mut progress = self.serve_workers(fp);
        for _ in 0..self.core.config.limits.frames_per_poll {
            if !self.station.has_room() {
                break;
            }
            if !fp.receive(&mut self.frame) {
                break;
            }
            progress = true;
            let answer = match triage(&self.core, &mut self.station, fp, &self.frame) {
                Triage::Answered(answer) => answer,
                Triage::Query(job) => self.take_query(job),
                Triage::Work(job) => self.take(job),
            };
            self.station.post(fp, &self.core, answer);
        }
        self.give();
        progress
    }

    /// Takes a request in; the answer's frame, empty when a worker makes it.
    fn take(&mut self, job: Box<Job>) -> Vec<u8> {
        // Judged before the answer cache has heard of the request: it is not executed, and any attempt may be.
        if !self.order.has_room(job.source) {
            return self.no_room(&job);
        }
        match serve::admit(&self.core, &mut self.answered, job) {
            Admitted::Answered(answer) => answer,
            Admitted::Execute(task) => {
                self.order.take(Work::Request(task));
                Vec::new()
            }
        }
    }

    fn take_query(&mut self, job: Box<Job>) -> Vec<u8> {
        if !self.order.has_room(job.source) {
            return self.no_room(&job);
        }
        self.order.take(Work::Query(job));
        Vec::new()
    }

    fn no_room(&self, job: &Job) -> Vec<u8> {
        let hint = u64::from(self.core.config.busy_hint_ns);
        serve::refuse(&self.core, job, Refusal::new(Status::Busy, Cause::Queue).hint(hint))
    }

    /// Gives work to the workers that are free for it.
    fn give(&mut self) {
        let Some(jobs) = &self.jobs else { return };
        while let Some(work) = self.order.next() {
            if jobs.try_send(work).is_err() {
                // The channel holds one for each worker, and workers outlive what they serve.
                tracing::error!("the workers of the slow path are gone");
                return;
            }
        }
    }

    /// Goes on with the commands that wait, sends the answers that are there. One worker's commands at a time and no more
    /// than a few of them: what the board has to do for others comes in between.
    fn serve_workers<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> bool {
        let mut progress = false;
        if self.runs.is_none()
            && let Ok(batch) = self.commands.try_recv()
        {
            match batch {
                Batch::Table { commands, reply } => {
                    self.station.begin(commands);
                    self.runs = Some(reply);
                }
                Batch::Leaf { command, reply } => {
                    progress = true;
                    let _gone = reply.try_send(self.station.leaf(fp, command)).is_err();
                }
            }
        }
        if self.runs.is_some() {
            progress = true;
            if let Some(outcomes) = self.station.advance(fp, COMMANDS, READS)
                && let Some(reply) = self.runs.take()
            {
                // The worker waits for exactly this, so the channel has room; if it is gone, nobody wants to know.
                let _gone = reply.try_send(outcomes).is_err();
            }
            self.station.refill(fp);
        }
        while self.station.has_room() {
            let Ok(Done { pid, source, cost, made }) = self.answers.try_recv() else { break };
            self.order.done(pid, source, cost);
            let answer = match made {
                Made::Ended(ended) => ended.remember(&mut self.answered),
                Made::Answer(answer) => answer,
                Made::Nothing => Vec::new(),
            };
            self.station.post(fp, &self.core, answer);
            progress = true;
        }
        self.give();
        progress
    }

    /// Sleeps until a worker wants something, at most this long. For pollers that have found nothing to do.
    pub fn wait(&self, at_most: Duration) {
        if self.runs.is_some() {
            return;
        }
        let mut select = Select::new();
        select.recv(&self.commands);
        select.recv(&self.answers);
        let _nothing_came = select.ready_timeout(at_most).is_err();
    }

    /// Lets the workers end what has been taken in, sends their answers, and ends the threads; the pool takes no frames
    /// afterwards. Gives up on answers when nothing moves for about a second: the ring towards the network stays full.
    pub fn close<F: FastPath + ?Sized>(&mut self, fp: &mut F) {
        let mut quiet = 0;
        while self.order.len() > 0 && quiet < 1000 {
            self.station.flush(fp);
            if self.serve_workers(fp) {
                quiet = 0;
            } else {
                quiet += 1;
                self.wait(Duration::from_millis(1));
            }
        }
        self.station.flush(fp);
        self.end();
    }

    /// Ends the threads. Workers that wait for the poller find that it is gone.
    fn end(&mut self) {
        self.jobs = None;
        self.runs = None;
        self.answers = crossbeam_channel::never();
        let commands = std::mem::replace(&mut self.commands, crossbeam_channel::never());
        if self.workers.is_empty() {
            return;
        }
        // A batch that lay in the channel would keep its worker waiting for the reply: each is dropped unserved, until no
        // worker is left to send one.
        while commands.recv().is_ok() {}
        for worker in self.workers.drain(..) {
            if worker.join().is_err() {
                tracing::error!("a worker of the slow path ended with a panic");
            }
        }
    }

    /// Work is with the workers: the slow path waits for nothing else than [`Pool::wait`] tells of.
    pub fn working(&self) -> bool {
        self.order.len() > 0
    }
    /// As [`SlowPath::set_tenants`](crate::SlowPath::set_tenants).
    pub fn set_tenants(&self, tenants: TenantList) {
        self.core.set_tenants(tenants);
        self.order.weigh(self.core.tenants());
    }
    /// As [`SlowPath::take_roce`](crate::SlowPath::take_roce).
    pub fn take_roce(&mut self) -> Option<Vec<u8>> {
        self.station.roce.as_mut().and_then(RoceFrames::take)
    }
    /// Whether there is one.
    pub fn has_roce(&self) -> bool {
        self.station.roce.as_ref().is_some_and(|frames| !frames.is_empty())
    }
    /// As [`SlowPath::roce_lost`](crate::SlowPath::roce_lost).
    pub fn roce_lost(&self) -> u64 {
        self.station.roce.as_ref().map_or(0, RoceFrames::lost)
    }
    /// Nothing is left to do until a frame or board time comes.
    pub fn idle(&self) -> bool {
        self.ready() && self.order.len() == 0 && self.station.idle()
    }
    /// What the board says of itself.
    pub fn info(&self) -> BoardInfo {
        self.core.board_info()
    }
    /// Reads the address space, for audits and displays.
    pub fn inspect<R>(&self, look: impl FnOnce(&Space) -> R) -> R {
        look(&self.core.space())
    }
    /// As [`SlowPath::renew`](crate::SlowPath::renew).
    pub fn renew(&self, pid: u32, token: &[u8; 16]) {
        self.core.space().renew(pid, token, self.core.now());
    }
    /// What the leaf unit has now; `None`: there is none.
    pub fn leaf_state<F: FastPath + ?Sized>(&self, fp: &mut F) -> Option<LeafState> {
        self.station.leaf_state(fp)
    }
    /// What a leaf unit of hardware numbers the segment whose first leaf table this is.
    pub fn segment_number(&self, table: u32) -> Option<u32> {
        self.station.segment_number(table)
    }
    /// Reads the physical pages' places after a fresh look at the hardware.
    pub fn pages<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> &Pages {
        self.station.observe(fp);
        &self.station.pages
    }
    /// The value of a counter number, as COUNTERS tells it.
    pub fn counter<F: FastPath + ?Sized>(&mut self, fp: &mut F, number: u32) -> u64 {
        self.station.observe(fp);
        self.station.counter(fp, &self.core, number)
    }
    /// A worker that needs the table panics, after it was needed `times` times.
    #[cfg(feature = "planted-faults")]
    pub fn plant_panic(&self, times: u32) {
        self.panic.store(times.saturating_add(1), Ordering::Relaxed);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.end();
    }
}
