//! The slow path with worker threads: the caller's thread owns the fast path and polls; workers compute in parallel against
//! the same core as [`SlowPath`](crate::SlowPath) and send their table commands to the poller.
//!
//! Every channel is bounded. A worker waits for its own commands and for room for its answer; the poller waits for nobody,
//! so there is no circle. A request that finds the queue full is answered BUSY, cause QUEUE, unexecuted. Requests of one
//! process are executed in the order of the ring.
mod order;
mod worker;

use crate::FastPath;
use crate::boot::{BootError, boot};
use crate::config::Config;
use crate::core::Core;
use crate::epoch::EpochStore;
use crate::pages::Pages;
use crate::poll::{Triage, triage};
use crate::refusal::Refusal;
use crate::serve::{self, Admitted, Job, Task};
use crate::space::Space;
use crate::station::Station;
use crate::table::Table;
use crossbeam_channel::{Receiver, Select, Sender, bounded};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Status};
use order::Order;
use std::sync::Arc;
#[cfg(feature = "planted-faults")]
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use worker::{Batch, Done, Worker};

/// What a worker is given.
enum Work {
    Request(Task),
    /// The lease of this process ran out.
    Reclaim(u32),
}

impl Work {
    /// Whose work it is; 0: nobody's yet.
    fn pid(&self) -> u32 {
        match self {
            Work::Request(task) => task.pid(),
            Work::Reclaim(pid) => *pid,
        }
    }
    /// Does it; the answer's frame, empty where nobody asked.
    fn execute(&self, core: &Core, table: &mut dyn Table) -> Vec<u8> {
        match self {
            Work::Request(task) => task.execute(core, table),
            Work::Reclaim(pid) => {
                serve::reclaim(core, *pid, table);
                Vec::new()
            }
        }
    }
    /// Ends it after it broke off halfway.
    fn abandon(&self, core: &Core) -> Vec<u8> {
        match self {
            Work::Request(task) => task.abandon(core),
            Work::Reclaim(pid) => {
                core.space().abandon(*pid);
                Vec::new()
            }
        }
    }
}

/// A board's slow path with worker threads.
pub struct Pool {
    core: Arc<Core>,
    station: Station,
    jobs: Option<Sender<Work>>,
    commands: Receiver<Batch>,
    answers: Receiver<Done>,
    workers: Vec<JoinHandle<()>>,
    order: Order,
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
        // Room for all that the order lets in: handing over never fails.
        let bound = queue.max(1).saturating_add(count);
        let (jobs, jobs_out) = bounded(bound);
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
        Ok(Pool {
            core,
            station,
            jobs: Some(jobs),
            commands,
            answers,
            workers,
            order: Order::new(bound),
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
        for pid in self.core.silent() {
            // With a full queue it is found again at the next look.
            if self.order.has_room(pid) {
                self.hand_over(Work::Reclaim(pid));
            }
        }
        let mut progress = self.serve_workers(fp);
        for _ in 0..self.core.config.limits.frames_per_poll {
            if !self.station.has_room() {
                break;
            }
            let Some(frame) = fp.receive() else { break };
            progress = true;
            let answer = match triage(&self.core, &mut self.station, fp, &frame) {
                Triage::Answered(answer) => answer,
                Triage::Work(job) => self.take(job),
            };
            self.station.post(fp, answer);
        }
        progress | self.serve_workers(fp)
    }

    /// Takes a request in; the answer's frame, empty when a worker makes it.
    fn take(&mut self, job: Box<Job>) -> Vec<u8> {
        // Judged before the answer cache has heard of the request: it is not executed, and any attempt may be.
        if !self.order.has_room(job.request.pid.get()) {
            let hint = u64::from(self.core.config.busy_hint_ns);
            return serve::refuse(&self.core, &job, Refusal::new(Status::Busy, Cause::Queue).hint(hint));
        }
        match serve::admit(&self.core, job) {
            Admitted::Answered(answer) => answer,
            Admitted::Execute(task) => {
                self.hand_over(Work::Request(task));
                Vec::new()
            }
        }
    }

    /// Takes work in for which there is room.
    fn hand_over(&mut self, work: Work) {
        let ready = self.order.take(work);
        self.give(ready);
    }

    fn give(&self, work: Option<Work>) {
        if let (Some(work), Some(jobs)) = (work, &self.jobs)
            && jobs.try_send(work).is_err()
        {
            // The channel holds all that the order lets in, and workers outlive what they serve.
            tracing::error!("the workers of the slow path are gone");
        }
    }

    /// Runs the commands that wait, sends the answers that are there.
    fn serve_workers<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> bool {
        let mut progress = false;
        while let Ok(batch) = self.commands.try_recv() {
            let outcomes = self.station.execute(fp, &batch.commands);
            // The worker waits for exactly this, so the channel has room; if it is gone, nobody wants to know.
            let _gone = batch.reply.try_send(outcomes).is_err();
            progress = true;
        }
        if progress {
            self.station.refill(fp);
        }
        while self.station.has_room() {
            let Ok(Done { pid, answer }) = self.answers.try_recv() else { break };
            let next = self.order.done(pid);
            self.give(next);
            self.station.post(fp, answer);
            progress = true;
        }
        progress
    }

    /// Sleeps until a worker wants something, at most this long. For pollers that have found nothing to do.
    pub fn wait(&self, at_most: Duration) {
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
    /// Reads the physical pages' places after a fresh look at the hardware.
    pub fn pages<F: FastPath + ?Sized>(&mut self, fp: &mut F) -> &Pages {
        self.station.observe(fp);
        &self.station.pages
    }
    /// The value of a counter number, as COUNTERS tells it.
    pub fn counter<F: FastPath + ?Sized>(&mut self, fp: &mut F, number: u32) -> u64 {
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
