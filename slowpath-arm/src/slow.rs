//! The slow path of either kind: in the caller's thread, where a seed replays a run, or with worker threads, as a served board
//! has it.
use crate::pages::{PagePlace, Pages};
use crate::space::Space;
use crate::{BootError, Config, EpochStore, FastPath, LeafState, Pool, SlowPath};
use mneme_auth::TenantList;
use mneme_wire::payload::BoardInfo;
use std::time::Duration;

/// Requests that wait for a worker at most, a quarter of them one source's; more are answered BUSY, cause QUEUE.
const QUEUE: usize = 512;

/// The slow path of a node.
#[derive(Debug)]
pub enum Slow {
    /// Everything happens in the caller's thread, in an order that board time alone decides.
    Alone(Box<SlowPath>),
    /// Workers compute in parallel with the board.
    Pool(Box<Pool>),
}

impl Slow {
    /// Begins to bring a board up. No workers: the caller's thread serves everything.
    pub fn boot<F: FastPath>(
        config: Config,
        fast: &mut F,
        store: &mut dyn EpochStore,
        workers: usize,
    ) -> Result<Slow, BootError> {
        match workers {
            0 => SlowPath::boot(config, fast, store).map(|slow| Slow::Alone(Box::new(slow))),
            _ => Pool::boot(config, fast, store, workers, QUEUE).map(|pool| Slow::Pool(Box::new(pool))),
        }
    }
    /// Whether the board is up and serves requests.
    pub fn ready(&self) -> bool {
        match self {
            Slow::Alone(slow) => slow.ready(),
            Slow::Pool(pool) => pool.ready(),
        }
    }
    /// As [`SlowPath::poll`].
    pub fn poll<F: FastPath>(&mut self, fast: &mut F) -> bool {
        match self {
            Slow::Alone(slow) => slow.poll(fast),
            Slow::Pool(pool) => pool.poll(fast),
        }
    }
    /// Nothing is left to do until a frame or board time comes.
    pub fn idle(&self) -> bool {
        match self {
            Slow::Alone(slow) => slow.idle(),
            Slow::Pool(pool) => pool.idle(),
        }
    }
    /// The next frame of RoCEv2 for a queue pair that is software's, on boards that were told to keep them ([`Config::roce`]).
    pub fn take_roce(&mut self) -> Option<Vec<u8>> {
        match self {
            Slow::Alone(slow) => slow.take_roce(),
            Slow::Pool(pool) => pool.take_roce(),
        }
    }
    /// Whether there is one.
    pub fn has_roce(&self) -> bool {
        match self {
            Slow::Alone(slow) => slow.has_roce(),
            Slow::Pool(pool) => pool.has_roce(),
        }
    }
    /// Frames for software's queue pairs that found no place, but those of management. They are among those of UNCLAIMED.
    pub fn roce_lost(&self) -> u64 {
        match self {
            Slow::Alone(slow) => slow.roce_lost(),
            Slow::Pool(pool) => pool.roce_lost(),
        }
    }
    /// Whether there are workers.
    pub fn has_workers(&self) -> bool {
        matches!(self, Slow::Pool(_))
    }
    /// Whether workers have something to end.
    pub fn working(&self) -> bool {
        match self {
            Slow::Alone(_) => false,
            Slow::Pool(pool) => pool.working(),
        }
    }
    /// Sleeps until a worker wants something, at most this long; at once without workers. For pollers that have found nothing
    /// to do.
    pub fn wait(&self, at_most: Duration) {
        if let Slow::Pool(pool) = self {
            pool.wait(at_most);
        }
    }
    /// Ends the workers, once they have ended what they have.
    pub fn close<F: FastPath>(&mut self, fast: &mut F) {
        if let Slow::Pool(pool) = self {
            pool.close(fast);
        }
    }
    /// The value of a counter number, as COUNTERS tells it: after a fresh look at the hardware.
    pub fn counter<F: FastPath>(&mut self, fast: &mut F, number: u32) -> u64 {
        match self {
            Slow::Alone(slow) => slow.counter(fast, number),
            Slow::Pool(pool) => pool.counter(fast, number),
        }
    }
    /// What the board says of itself.
    pub fn info(&self) -> BoardInfo {
        match self {
            Slow::Alone(slow) => slow.info(),
            Slow::Pool(pool) => pool.info(),
        }
    }
    /// Changes who may use the board ([`SlowPath::set_tenants`]).
    pub fn set_tenants(&self, tenants: TenantList) {
        match self {
            Slow::Alone(slow) => slow.set_tenants(tenants),
            Slow::Pool(pool) => pool.set_tenants(tenants),
        }
    }
    /// Reads the address space, for audits and displays.
    pub fn inspect<R>(&self, look: impl FnOnce(&Space) -> R) -> R {
        match self {
            Slow::Alone(slow) => slow.inspect(look),
            Slow::Pool(pool) => pool.inspect(look),
        }
    }
    /// A client of a process was heard of by other ways than requests, such as RDMA: its lease begins anew, if the token is the
    /// process's.
    pub fn renew(&self, pid: u32, token: &[u8; 16]) {
        match self {
            Slow::Alone(slow) => slow.renew(pid, token),
            Slow::Pool(pool) => pool.renew(pid, token),
        }
    }
    /// What the leaf unit has now; `None`: there is none.
    pub fn leaf_state<F: FastPath>(&self, fast: &mut F) -> Option<LeafState> {
        match self {
            Slow::Alone(slow) => slow.leaf_state(fast),
            Slow::Pool(pool) => pool.leaf_state(fast),
        }
    }
    /// What a leaf unit of hardware numbers the segment whose first leaf table this is; `None`: there is no such segment, or unit.
    pub fn segment_number(&self, table: u32) -> Option<u32> {
        match self {
            Slow::Alone(slow) => slow.segment_number(table),
            Slow::Pool(pool) => pool.segment_number(table),
        }
    }
    /// Where a physical page is, after a fresh look at the hardware.
    pub fn page_place<F: FastPath>(&mut self, fast: &mut F, page: u64) -> PagePlace {
        // Memory has fewer than 2^32 pages.
        self.pages(fast).place(page as usize)
    }
    /// The physical pages, after a fresh look at the hardware.
    pub fn pages<F: FastPath>(&mut self, fast: &mut F) -> &Pages {
        match self {
            Slow::Alone(slow) => slow.pages(fast),
            Slow::Pool(pool) => pool.pages(fast),
        }
    }
    /// Plants a fault for good in a slow path without workers.
    #[cfg(feature = "planted-faults")]
    pub fn plant(&self, fault: crate::PlantedFault) {
        if let Slow::Alone(slow) = self {
            slow.plant(fault);
        }
    }
    /// The next worker that needs the page table panics; without workers, nothing does.
    #[cfg(feature = "planted-faults")]
    pub fn plant_panic(&self) {
        if let Slow::Pool(pool) = self {
            pool.plant_panic(0);
        }
    }
}
