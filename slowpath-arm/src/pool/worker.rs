//! A worker: computes against the core, asks the poller for table commands, and outlives whatever it serves.
use super::{Made, Work};
use crate::core::Core;
use crate::leaf::{LeafCommand, LeafRefused};
use crate::share::Source;
use crate::table::{Outcome, Replace, Table};
use crossbeam_channel::{Receiver, Sender, bounded};
use mneme_wire::NodeCounter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
#[cfg(feature = "planted-faults")]
use std::sync::atomic::{AtomicU32, Ordering};

/// Commands of one worker, and where it waits for the outcomes.
pub(super) enum Batch {
    Table { commands: Vec<Replace>, reply: Sender<Vec<Outcome>> },
    Leaf { command: LeafCommand, reply: Sender<Result<u64, LeafRefused>> },
}

/// Work that a worker has ended.
pub(super) struct Done {
    pub(super) pid: u32,
    pub(super) source: Source,
    /// What it has cost beyond a request: table commands, and looks of a search.
    pub(super) cost: u64,
    pub(super) made: Made,
}

/// Looks of a search that cost as much as a table command, about.
const PROBES: u64 = 64;

/// The table as a worker reaches it.
struct Remote<'a> {
    poller: &'a Sender<Batch>,
    cost: u64,
    #[cfg(feature = "planted-faults")]
    panic: &'a AtomicU32,
}

impl Table for Remote<'_> {
    fn run(&mut self, commands: &[Replace]) -> Vec<Outcome> {
        #[cfg(feature = "planted-faults")]
        {
            let left =
                self.panic.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            assert!(left != Ok(1), "a planted fault");
        }
        self.cost += commands.len() as u64;
        // A channel of its own for each batch: should the poller go away with the batch unserved, this end learns of it.
        let (reply, outcomes) = bounded(1);
        let batch = Batch::Table { commands: commands.to_vec(), reply };
        // Without a poller there is no table: the command has failed.
        if self.poller.send(batch).is_err() {
            return vec![Outcome::Failed];
        }
        outcomes.recv().unwrap_or_else(|_| vec![Outcome::Failed])
    }
    fn leaf(&mut self, command: LeafCommand) -> Result<u64, LeafRefused> {
        self.cost += 1;
        let (reply, outcome) = bounded(1);
        if self.poller.send(Batch::Leaf { command, reply }).is_err() {
            return Err(LeafRefused::None);
        }
        outcome.recv().unwrap_or(Err(LeafRefused::None))
    }
    fn searched(&mut self, probes: u64) {
        self.cost += probes / PROBES;
    }
}

/// One worker's ends of the channels.
#[derive(Clone)]
pub(super) struct Worker {
    pub(super) core: Arc<Core>,
    pub(super) jobs: Receiver<Work>,
    pub(super) poller: Sender<Batch>,
    pub(super) done: Sender<Done>,
    #[cfg(feature = "planted-faults")]
    pub(super) panic: Arc<AtomicU32>,
}

impl Worker {
    /// Works until the pool ends.
    pub(super) fn run(&self) {
        for work in &self.jobs {
            let (cost, made) = self.serve(&work);
            if self.done.send(Done { pid: work.pid(), source: work.source(), cost, made }).is_err() {
                return;
            }
        }
    }

    /// A panic costs the request that met it and what it worked on, not the worker: the shared state is only ever changed
    /// under its locks, and `abandon` puts right what was begun and not ended.
    fn serve(&self, work: &Work) -> (u64, Made) {
        let mut table = Remote {
            poller: &self.poller,
            cost: 0,
            #[cfg(feature = "planted-faults")]
            panic: &self.panic,
        };
        let made =
            catch_unwind(AssertUnwindSafe(|| work.execute(&self.core, &mut table))).unwrap_or_else(|_| {
                self.core.stats.count(NodeCounter::WorkerPanics);
                tracing::error!(
                    pid = work.pid(),
                    "a worker of the slow path panicked; its request is given up"
                );
                work.abandon(&self.core)
            });
        (table.cost, made)
    }
}
