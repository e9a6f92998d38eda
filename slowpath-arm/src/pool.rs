//! The slow path with worker threads: the caller's thread owns the fast path and polls; workers compute in parallel against
//! the same core as [`SlowPath`](crate::SlowPath) and send their table commands to the poller.
//!
//! Every channel is bounded. A worker waits for its own commands and for room for its answer; the poller waits for nobody,
//! so there is no circle. A request that finds the queue full is answered BUSY, cause QUEUE, unexecuted.
use crate::FastPath;
use crate::boot::{BootError, boot};
use crate::config::Config;
use crate::core::Core;
use crate::epoch::EpochStore;
use crate::poll::{Triage, triage};
use crate::refusal::Refusal;
use crate::serve::{self, Job};
use crate::space::Space;
use crate::station::Station;
use crate::table::{Outcome, Replace, Table};
use crossbeam_channel::{Receiver, Select, Sender, bounded};
use mneme_wire::payload::BoardInfo;
use mneme_wire::{Cause, Status};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// What a worker is given.
enum Work {
    Request(Box<Job>),
    /// The lease of this process ran out.
    Reclaim(u32),
}

/// Table commands of one worker, and where it waits for the outcomes.
struct Batch {
    commands: Vec<Replace>,
    reply: Sender<Vec<Outcome>>,
}

/// The table as a worker reaches it.
struct Remote {
    poller: Sender<Batch>,
}

impl Table for Remote {
    fn run(&mut self, commands: &[Replace]) -> Vec<Outcome> {
        // A channel of its own for each batch: should the poller go away with the batch unserved, this end learns of it.
        let (reply, outcomes) = bounded(1);
        let batch = Batch { commands: commands.to_vec(), reply };
        // Without a poller there is no table: the command has failed.
        if self.poller.send(batch).is_err() {
            return vec![Outcome::Failed];
        }
        outcomes.recv().unwrap_or_else(|_| vec![Outcome::Failed])
    }
}

fn work(core: &Core, jobs: &Receiver<Work>, answers: &Sender<Vec<u8>>, table: &mut Remote) {
    for work in jobs {
        let answer = match work {
            Work::Request(job) => serve::serve(core, &job, table),
            Work::Reclaim(pid) => {
                serve::reclaim(core, pid, table);
                Vec::new()
            }
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// A board's slow path with worker threads.
pub struct Pool {
    core: Arc<Core>,
    station: Station,
    jobs: Option<Sender<Work>>,
    commands: Receiver<Batch>,
    answers: Receiver<Vec<u8>>,
    workers: Vec<JoinHandle<()>>,
    /// Requests that workers have and whose answer has not come back.
    in_flight: usize,
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
        let workers = workers.max(1);
        let (jobs, jobs_out) = bounded(queue.max(1));
        let (poller, commands) = bounded(workers);
        let (answers_in, answers) = bounded(workers);
        let spawn = |number| {
            let (core, jobs, answers) = (core.clone(), jobs_out.clone(), answers_in.clone());
            let mut table = Remote { poller: poller.clone() };
            let name = format!("slowpath-{number}");
            std::thread::Builder::new().name(name).spawn(move || work(&core, &jobs, &answers, &mut table))
        };
        let workers = (0..workers).map(spawn).collect::<Result<Vec<_>, _>>().map_err(BootError::Threads)?;
        Ok(Pool { core, station, jobs: Some(jobs), commands, answers, workers, in_flight: 0 })
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
        let silent = {
            let mut space = self.core.space();
            space.advance(self.core.now());
            space.silent(self.core.now())
        };
        for pid in silent {
            // With a full queue it is found again at the next look.
            self.hand_over(Work::Reclaim(pid));
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
                Triage::Work(job) => match self.hand_over(Work::Request(job)) {
                    Some(Work::Request(job)) => {
                        let hint = u64::from(self.core.config.busy_hint_ns);
                        serve::refuse(&self.core, &job, Refusal::new(Status::Busy, Cause::Queue).hint(hint))
                    }
                    _ => continue,
                },
            };
            self.station.post(fp, answer);
        }
        progress | self.serve_workers(fp)
    }

    /// Gives work to the workers; gives it back when the queue is full.
    fn hand_over(&mut self, work: Work) -> Option<Work> {
        let jobs = self.jobs.as_ref()?;
        match jobs.try_send(work) {
            Ok(()) => {
                self.in_flight += 1;
                None
            }
            Err(refused) => Some(refused.into_inner()),
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
            let Ok(answer) = self.answers.try_recv() else { break };
            self.in_flight -= 1;
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

    /// Takes no more frames, lets the workers end what they have, sends their answers, and ends the threads. Gives up on
    /// answers when nothing moves for about a second: the ring towards the network stays full.
    pub fn close<F: FastPath + ?Sized>(mut self, fp: &mut F) {
        self.jobs = None;
        let mut quiet = 0;
        while self.in_flight > 0 && quiet < 1000 {
            self.station.flush(fp);
            if self.serve_workers(fp) {
                quiet = 0;
            } else {
                quiet += 1;
                self.wait(Duration::from_millis(1));
            }
        }
    }

    /// Nothing is left to do until a frame or board time comes.
    pub fn idle(&self) -> bool {
        self.ready() && self.in_flight == 0 && self.station.idle()
    }
    /// What the board says of itself.
    pub fn info(&self) -> BoardInfo {
        self.core.board_info()
    }
    /// Reads the address space, for audits and displays.
    pub fn inspect<R>(&self, look: impl FnOnce(&Space) -> R) -> R {
        look(&self.core.space())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.jobs = None;
        // Channels without a receiver: workers that wait for the poller find that it is gone.
        self.commands = crossbeam_channel::never();
        self.answers = crossbeam_channel::never();
        for worker in self.workers.drain(..) {
            if worker.join().is_err() {
                tracing::error!("a worker of the slow path panicked");
            }
        }
    }
}
