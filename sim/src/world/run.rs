//! One run: clients work while the network, the boards and the clients themselves fail; then everything heals, comes to its end within a
//! bound, and is checked.
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context as Polling, Poll, Waker};
use std::time::Duration;

use mneme_clib::{AllocOptions, Client, ClientOptions, Error, OpenOptions, Process, TransportConfig};
use mneme_slowpath::FastPath;
use mneme_wire::{Counter, Register};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Time;
use super::driver::{Shared, WorldDriver, lock};
use super::history::{Act, Impossible};
use super::ledger::End;
use super::network::{Faults, MakeBoard, World};
use super::tenants::{Context, Region, Tenant, WORDS, Worker};
use crate::node::{CYCLE_NS, NodeError};
use crate::port::NetworkPort;

/// Boards, tenants of each, clients of each tenant, threads of each client.
const BOARDS: usize = 2;
const TENANTS: usize = 2;
const CLIENTS: usize = 2;
const THREADS: usize = 2;
/// Virtual time between two looks of every client at its requests.
const ROUND: Time = 2_000;
/// The longest pause of a board or a client.
const LONGEST_PAUSE: Time = 300_000;
/// How much longer than window and pauses a request of which nobody knows may take effect: it may wait in the board for memory.
const SLACK: Time = 100_000;
/// A frame that is very late comes after the window, the longest pause and the slack.
const VERY_LATE: Time = 1_500_000;
/// Times that a client tries to open or join on a bad network.
const TRIES: usize = 20;
/// Virtual time in which everything must have come to its end once the network has healed: an operation's own bound, after another that it had
/// to wait for, and a new start on a board that lost everything.
const HEALED_WITHIN: Time = 200_000_000;

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Everything random comes from here.
    pub seed: u64,
    /// Virtual time in which things go wrong.
    pub chaos: Time,
    /// Faults of the network that stay the same, and nothing else that goes wrong; otherwise everything does.
    pub only: Option<Faults>,
}

/// What a run saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Requests that were done.
    pub done: u64,
    /// Failed, and changed nothing.
    pub failed: u64,
    /// Failed, and may have changed something.
    pub unknown: u64,
    /// Operations on words that were checked.
    pub checked: usize,
    /// Boards that restarted.
    pub board_restarts: u64,
    /// Clients that were killed and started again.
    pub client_restarts: u64,
    /// Boards and clients that stood still for a while.
    pub pauses: u64,
    /// Frames that a full queue lost.
    pub overflowed: u64,
    /// Virtual time from the beginning of the work to its end.
    pub took: Time,
}

impl Report {
    /// Adds another run's figures.
    pub fn add(&mut self, other: &Report) {
        self.done += other.done;
        self.failed += other.failed;
        self.unknown += other.unknown;
        self.checked += other.checked;
        self.board_restarts += other.board_restarts;
        self.client_restarts += other.client_restarts;
        self.pauses += other.pauses;
        self.overflowed += other.overflowed;
        self.took += other.took;
    }
}

/// A run that showed a defect.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A board did not come up.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// A client did not get to its board.
    #[error("client {client} did not get into its process in {TRIES} tries")]
    NotOpened {
        /// The client.
        client: usize,
        /// The last try's error.
        #[source]
        source: Error,
    },
    /// Clients saw what cannot have been.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// A tenant saw another's bytes.
    #[error("{0}")]
    Leak(String),
    /// Calls did not happen in their order.
    #[error("{0}")]
    Disorder(String),
    /// Requests never ended.
    #[error("{0} threads had not come to their end {HEALED_WITHIN} ns after the network had healed")]
    Stuck(usize),
    /// The board's own watchdog saw requests that stood still.
    #[error("board {0} counted requests that stood still")]
    Watchdog(usize),
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// A client on its host.
struct Host {
    tenant: usize,
    number: usize,
    port: u16,
    process: Option<Rc<Process>>,
    tasks: Vec<Task>,
    paused_until: Time,
}

/// What is done to every client that begins to work.
type Plant = dyn Fn(&Client);

struct Run<F> {
    world: Shared<F>,
    context: Rc<Context>,
    tenants: Vec<Rc<Tenant>>,
    hosts: Vec<Host>,
    random: ChaCha8Rng,
    report: Report,
    plant: Box<Plant>,
}

/// Runs a plan on boards that `make` makes.
pub fn run<F: FastPath + NetworkPort + Send + 'static>(
    plan: &Plan,
    make: MakeBoard<F>,
) -> Result<Report, Failure> {
    run_planted(plan, make, Box::new(|_| {}))
}

/// As [`run`], with clients to which `plant` may have done something, so that checkers can show that they can fail.
pub fn run_planted<F: FastPath + NetworkPort + Send + 'static>(
    plan: &Plan,
    make: MakeBoard<F>,
    plant: Box<Plant>,
) -> Result<Report, Failure> {
    let mut run = Run::new(plan, make, plant)?;
    let began = run.now();
    let end = began + plan.chaos;
    if let Some(faults) = plan.only {
        lock(&run.world).faults = faults;
    }
    while run.now() < end {
        if plan.only.is_none() {
            run.something_happens()?;
        }
        run.round();
        run.renew()?;
    }
    run.heal()?;
    run.report.took = run.now() - began;
    run.finish()
}

/// Requests per millisecond of virtual time that get through while a share of all frames is lost.
pub fn goodput<F: FastPath + NetworkPort + Send + 'static>(
    seed: u64,
    lost: f64,
    chaos: Time,
    make: MakeBoard<F>,
) -> Result<f64, Failure> {
    let faults = Faults { lost, ..Faults::default() };
    let report = run(&Plan { seed, chaos, only: Some(faults) }, make)?;
    Ok(report.done as f64 * 1e6 / report.took as f64)
}

impl<F: FastPath + NetworkPort + Send + 'static> Run<F> {
    fn new(plan: &Plan, make: MakeBoard<F>, plant: Box<Plant>) -> Result<Run<F>, Failure> {
        let mut world = World::new(plan.seed, BOARDS, VERY_LATE, make)?;
        let fast = world.board(0).fast();
        let window = u64::from(fast.read_register(Register::Window));
        let tick_ns = CYCLE_NS << fast.read_register(Register::TickLog2);
        let hosts = (0..BOARDS * TENANTS * CLIENTS).map(|number| Host {
            tenant: number / CLIENTS,
            number: world.add_host(),
            port: 50_000,
            process: None,
            tasks: Vec::new(),
            paused_until: 0,
        });
        let hosts: Vec<Host> = hosts.collect();
        let world = Arc::new(Mutex::new(world));
        let clock = world.clone();
        let context = Rc::new(Context::new(Box::new(move || lock(&clock).now())));
        context.late.set((window + 1) * tick_ns + LONGEST_PAUSE + SLACK);
        let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
        random.set_stream(1);
        let (tenants, report) = Default::default();
        let mut run = Run { world, context, tenants, hosts, random, report, plant };
        for number in 0..BOARDS * TENANTS {
            let tenant = run.open(number)?;
            run.tenants.push(tenant);
            run.start_clients(number)?;
        }
        Ok(run)
    }
    fn now(&self) -> Time {
        lock(&self.world).now()
    }
    /// Does something that the network may spoil until it works.
    fn insist<T>(
        &mut self,
        client: usize,
        mut what: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Failure> {
        let mut tries = 1;
        loop {
            match what(self) {
                Err(source) if tries == TRIES => return Err(Failure::NotOpened { client, source }),
                Err(_) => tries += 1,
                Ok(done) => return Ok(done),
            }
        }
    }
    /// A client's host binds a new port, as a program that starts does.
    fn connect(&mut self, client: usize, board: usize) -> Result<Client, Error> {
        let host = &mut self.hosts[client];
        host.port = host.port.wrapping_add(1).max(1024);
        let driver = WorldDriver::new(&self.world, host.number, host.port, board);
        let transport = TransportConfig {
            give_up: Duration::from_millis(20),
            // One of a tenant's two clients has a window as on sockets, never below one request.
            paces: client.is_multiple_of(CLIENTS),
            ..TransportConfig::board_time()
        };
        let seed = Some(self.random.next_u64());
        Client::connect(driver, ClientOptions { transport, seed, ..ClientOptions::default() })
    }
    /// A tenant opens a process on its board and allocates what its clients share.
    fn open(&mut self, number: usize) -> Result<Rc<Tenant>, Failure> {
        let (client, board) = (number * CLIENTS, number / TENANTS);
        let (process, base) = self.insist(client, |run| {
            let process = run.connect(client, board)?.open(OpenOptions::default())?;
            let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
            let base = process.ralloc_with(2 * process.page_size(), whole)?;
            Ok((process, base))
        })?;
        let shared = Region::within(base, process.page_size(), self.context.number());
        let (pid, token) = (process.pid(), process.token());
        Ok(Rc::new(Tenant { number: number as u64 + 1, board, pid, token, shared, dead: Cell::new(false) }))
    }
    fn start_clients(&mut self, tenant: usize) -> Result<(), Failure> {
        (tenant * CLIENTS..(tenant + 1) * CLIENTS).try_for_each(|client| self.start_client(client))
    }
    /// A client joins its process and begins to work.
    fn start_client(&mut self, client: usize) -> Result<(), Failure> {
        let tenant = self.tenants[self.hosts[client].tenant].clone();
        let (handle, process) = self.insist(client, |run| {
            let handle = run.connect(client, tenant.board)?;
            let process = handle.join(tenant.pid, tenant.token)?;
            Ok((handle, process))
        })?;
        (self.plant)(&handle);
        let process = Rc::new(process);
        let tasks = (0..THREADS).map(|_| {
            let worker = Worker {
                context: self.context.clone(),
                tenant: tenant.clone(),
                process: process.clone(),
                handle: handle.clone(),
                client,
                random: ChaCha8Rng::seed_from_u64(self.random.next_u64()),
            };
            Box::pin(worker.work()) as Task
        });
        self.hosts[client].tasks = tasks.collect();
        self.hosts[client].process = Some(process);
        Ok(())
    }

    /// Every client that is not paused looks at its requests; then time passes.
    fn round(&mut self) {
        let now = self.now();
        let mut polling = Polling::from_waker(Waker::noop());
        for host in self.hosts.iter_mut().filter(|host| host.paused_until <= now) {
            host.tasks.retain_mut(|task| task.as_mut().poll(&mut polling) == Poll::Pending);
        }
        let mut world = lock(&self.world);
        let until = world.now().max(now) + ROUND;
        world.pass(until, None);
    }
    /// Tenants whose board has restarted begin anew once their requests have ended.
    fn renew(&mut self) -> Result<(), Failure> {
        for number in 0..self.tenants.len() {
            let clients = number * CLIENTS..(number + 1) * CLIENTS;
            let ended = self.hosts[clients].iter().all(|host| host.tasks.is_empty());
            if ended && self.tenants[number].dead.get() && !self.context.stop.get() {
                self.tenants[number] = self.open(number)?;
                self.start_clients(number)?;
            }
        }
        Ok(())
    }
    /// Now and then the world changes for the worse, or back.
    fn something_happens(&mut self) -> Result<(), Failure> {
        let now = self.now();
        let pause = now + self.random.random_range(1_000..LONGEST_PAUSE);
        match self.random.random_range(0..6_000) {
            0..15 => lock(&self.world).faults = draw_faults(&mut self.random),
            15..19 => {
                let board = self.random.random_range(0..BOARDS);
                lock(&self.world).pause_board(board, pause);
                self.report.pauses += 1;
            }
            19..27 => {
                let client = self.random.random_range(0..self.hosts.len());
                self.hosts[client].paused_until = pause;
                self.report.pauses += 1;
            }
            27..30 => {
                let client = self.random.random_range(0..self.hosts.len());
                self.kill(client);
                self.report.client_restarts += 1;
                if !self.tenants[self.hosts[client].tenant].dead.get() {
                    self.start_client(client)?;
                }
            }
            30 => {
                let board = self.random.random_range(0..BOARDS);
                lock(&self.world).restart_board(board)?;
                self.tenants
                    .iter()
                    .filter(|tenant| tenant.board == board)
                    .for_each(|tenant| tenant.dead.set(true));
                self.report.board_restarts += 1;
            }
            _ => {}
        }
        Ok(())
    }
    /// A client's program ends in the middle of what it does.
    fn kill(&mut self, client: usize) {
        let now = self.now();
        self.hosts[client].tasks.clear();
        self.hosts[client].process = None;
        self.context.ledger.borrow_mut().abandon(client, now, self.context.late.get());
    }
    /// The network works again: what is under way must end.
    fn heal(&mut self) -> Result<(), Failure> {
        lock(&self.world).faults = Faults::default();
        self.context.stop.set(true);
        let bound = self.now() + HEALED_WITHIN;
        loop {
            let left: usize = self.hosts.iter().map(|host| host.tasks.len()).sum();
            if left == 0 {
                return Ok(());
            }
            if self.now() > bound {
                return Err(Failure::Stuck(left));
            }
            self.round();
        }
    }
    /// What memory holds in the end belongs to the histories, too.
    fn read_all(&mut self) -> Result<(), Failure> {
        // After what may still come of requests of which nobody knows, very late frames included.
        let until = self.now() + self.context.late.get() + VERY_LATE;
        lock(&self.world).pass(until, None);
        for tenant in self.tenants.clone().into_iter().filter(|tenant| !tenant.dead.get()) {
            let client = (tenant.number as usize - 1) * CLIENTS;
            let mut bytes = vec![0; 8 * WORDS as usize];
            let begin = self.now();
            self.insist(client, |run| {
                let process = run.connect(client, tenant.board)?.join(tenant.pid, tenant.token)?;
                process.rread(tenant.shared.va, &mut bytes)
            })?;
            let (now, late) = (self.now(), self.context.late.get());
            let mut ledger = self.context.ledger.borrow_mut();
            let words = (0..WORDS).map(|index| (tenant.shared.word(index), Act::Read(0))).collect();
            let ticket = ledger.begin(client, begin, words);
            let values = bytes.as_chunks().0.iter().map(|word| Act::Read(u64::from_le_bytes(*word)));
            ledger.end(ticket, now, End::Done(values.collect()), late);
        }
        Ok(())
    }
    fn finish(mut self) -> Result<Report, Failure> {
        self.read_all()?;
        if let Some(leak) = self.context.leak.borrow_mut().take() {
            return Err(Failure::Leak(leak));
        }
        if let Some(disorder) = self.context.disorder.borrow_mut().take() {
            return Err(Failure::Disorder(disorder));
        }
        let ledger = self.context.ledger.borrow();
        ledger.histories.check()?;
        let mut world = lock(&self.world);
        if let Some(board) = (0..BOARDS).find(|n| world.board(*n).fast().read_counter(Counter::Watchdog) != 0)
        {
            return Err(Failure::Watchdog(board));
        }
        Ok(Report {
            done: ledger.done,
            failed: ledger.failed,
            unknown: ledger.unknown,
            checked: ledger.histories.len(),
            overflowed: world.overflowed,
            ..self.report
        })
    }
}

/// Each fault by itself is there or not.
fn draw_faults(random: &mut ChaCha8Rng) -> Faults {
    let mut draw = |most: f64| if random.random_bool(0.5) { random.random_range(0.0..most) } else { 0.0 };
    Faults {
        lost: draw(0.1),
        doubled: draw(0.1),
        late: draw(0.2),
        very_late: draw(0.02),
        damaged: draw(0.05),
    }
}
