//! Clients on their hosts, whose turn it is, and what goes wrong.
//!
//! While a client waits in a call that returns at its end only, the others work and things go wrong as ever: everything
//! here can be reached again from within.
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context as Polling, Poll, Waker};
use std::time::Duration;

use mneme_clib::{AllocOptions, Client, ClientOptions, Error, Integrity, TransportConfig};
use mneme_model::node::CYCLE_NS;
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::{Register, Rights};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Time;
use super::driver::{ROUND, Shared, WorldDriver, lock};
use super::guard::Guard;
use super::holdings::Asked;
use super::network::{Faults, MakeBoard, World};
use super::run::{Failure, Plan, Plants, Report};
use super::tenants::{Context, Region, Tenant, Worker};

/// Boards, tenants of each, clients of each tenant, threads of each client.
pub(super) const BOARDS: usize = 2;
const TENANTS: usize = 2;
pub(super) const CLIENTS: usize = 2;
const THREADS: usize = 2;
/// The longest pause of a board or a client.
const LONGEST_PAUSE: Time = 300_000;
/// How much longer than window and pauses a request of which nobody knows may take effect: it may wait in the board for
/// memory.
const SLACK: Time = 100_000;
/// A frame that is very late comes after the window, the longest pause and the slack.
pub(super) const VERY_LATE: Time = 1_500_000;
/// Times that a client tries to open or join on a bad network.
pub(super) const TRIES: usize = 20;

/// Virtual time between two looks at what the slow paths have.
const AUDIT: Time = 100_000;

/// Clients that wait while others work.
const MOST_WAITING: u32 = 2;

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// A client on its host.
struct Host {
    tenant: usize,
    number: usize,
    port: Cell<u16>,
    tasks: RefCell<Vec<Task>>,
    /// It has its turn, and may wait in it.
    busy: Cell<bool>,
    paused_until: Cell<Time>,
}

/// Everything of a run.
pub(super) struct Stage<F> {
    pub(super) world: Shared<F>,
    pub(super) context: Rc<Context>,
    pub(super) report: Cell<Report>,
    /// Things go wrong.
    trouble: bool,
    /// When everything becomes well again, and nothing new begins.
    healed: Cell<Time>,
    tenants: RefCell<Vec<Rc<Tenant>>>,
    /// Tenants of boards that have restarted.
    past: RefCell<Vec<Rc<Tenant>>>,
    hosts: Vec<Host>,
    random: RefCell<ChaCha8Rng>,
    plant: Box<dyn Fn(&Client)>,
    integrity: Integrity,
    /// What ended the run while a client waited.
    failure: RefCell<Option<Failure>>,
    audited: Cell<Time>,
    /// Clients that wait while others work.
    waiting: Cell<u32>,
}

impl<F: FastPath + NetworkPort + Send + 'static> Stage<F> {
    pub(super) fn new(plan: &Plan, make: MakeBoard<F>, plants: Plants) -> Result<Stage<F>, Failure> {
        let mut world = World::new(plan.seed, BOARDS, VERY_LATE, (make, plants.slow))?;
        world.covered = plants.integrity != Integrity::None;
        let fast = world.board(0).fast();
        let window = u64::from(fast.read_register(Register::Window));
        let tick_ns = CYCLE_NS << fast.read_register(Register::TickLog2);
        let hosts = (0..BOARDS * TENANTS * CLIENTS).map(|number| Host {
            tenant: number / CLIENTS,
            number: world.add_host(),
            port: Cell::new(50_000),
            tasks: RefCell::default(),
            busy: Cell::new(false),
            paused_until: Cell::new(0),
        });
        let hosts: Vec<Host> = hosts.collect();
        let epochs: Vec<u8> = (0..BOARDS).map(|n| world.board(n).slow().info().epoch).collect();
        let world = Arc::new(Mutex::new(world));
        let clock = world.clone();
        let context = Context::new(Box::new(move || lock(&clock).now()), &epochs, plan.only.is_some());
        context.late.set((window + 1) * tick_ns + LONGEST_PAUSE + SLACK);
        let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
        random.set_stream(1);
        let stage = Stage {
            world,
            context: Rc::new(context),
            report: Cell::default(),
            trouble: plan.only.is_none(),
            healed: Cell::new(Time::MAX),
            tenants: RefCell::default(),
            past: RefCell::default(),
            hosts,
            random: RefCell::new(random),
            plant: plants.client,
            integrity: plants.integrity,
            failure: RefCell::default(),
            audited: Cell::new(0),
            waiting: Cell::new(0),
        };
        for number in 0..BOARDS * TENANTS {
            let tenant = stage.open(number)?;
            stage.tenants.borrow_mut().push(tenant);
            stage.start_clients(number)?;
        }
        Ok(stage)
    }
    pub(super) fn now(&self) -> Time {
        lock(&self.world).now()
    }
    pub(super) fn tenants(&self) -> Vec<Rc<Tenant>> {
        self.tenants.borrow().clone()
    }
    /// What was seen of locks, of all tenants that there ever were.
    pub(super) fn locks(&self) -> Option<String> {
        let (past, now) = (self.past.borrow(), self.tenants.borrow());
        past.iter().chain(now.iter()).find_map(|tenant| tenant.guard.verdict())
    }
    /// Threads that have not come to their end.
    pub(super) fn at_work(&self) -> usize {
        self.hosts.iter().map(|host| host.tasks.borrow().len()).sum()
    }
    fn draw<T>(&self, draw: impl FnOnce(&mut ChaCha8Rng) -> T) -> T {
        draw(&mut self.random.borrow_mut())
    }
    fn count(&self, count: impl FnOnce(&mut Report)) {
        let mut report = self.report.get();
        count(&mut report);
        self.report.set(report);
    }
    /// Does something that the network may spoil until it works; the client's program is not running meanwhile.
    pub(super) fn insist<T>(
        &self,
        client: usize,
        mut what: impl FnMut() -> Result<T, Error>,
    ) -> Result<T, Failure> {
        let busy = &self.hosts[client].busy;
        busy.set(true);
        let mut tries = 1;
        let done = loop {
            match what() {
                Err(source) if tries == TRIES => break Err(Failure::NotOpened { client, source }),
                Err(_) => tries += 1,
                Ok(done) => break Ok(done),
            }
        };
        busy.set(false);
        done
    }
    /// A client's host binds a new port, as a program that starts does.
    pub(super) fn connect(&self, client: usize, board: usize) -> Result<Client, Error> {
        let host = &self.hosts[client];
        host.port.set(host.port.get().wrapping_add(1).max(1024));
        let driver = WorldDriver::new(&self.world, host.number, host.port.get(), board);
        let transport = TransportConfig {
            give_up: Duration::from_millis(20),
            // One of a tenant's two clients has a window as on sockets, never below one request.
            paces: client.is_multiple_of(CLIENTS),
            ..TransportConfig::board_time()
        };
        let seed = Some(self.draw(RngCore::next_u64));
        let integrity = self.integrity;
        Client::connect(driver, ClientOptions { transport, seed, integrity, ..ClientOptions::default() })
    }
    /// A tenant opens a process on its board and allocates what its clients share.
    fn open(&self, number: usize) -> Result<Rc<Tenant>, Failure> {
        let (client, board, context) = (number * CLIENTS, number / TENANTS, &self.context);
        let (process, base, boot) = self.insist(client, || {
            let (process, boot) = context.open(board, &self.connect(client, board)?)?;
            let whole = AllocOptions { own_pages: true, ..AllocOptions::default() };
            let doubt = context.ask(board, boot, Asked::Alloc(process.pid(), 2, Rights::READ_WRITE));
            let allocated = process.ralloc_with(2 * process.page_size(), whole);
            context.told(board, doubt, &allocated, |base| *base);
            Ok((process, allocated?, boot))
        })?;
        let shared = Region::within(base, process.page_size(), context.number());
        let (pid, token) = (process.pid(), process.token());
        let low = Region { base, va: base, allocation: context.number() };
        let (number, guard) = (number as u64 + 1, Guard::default());
        Ok(Rc::new(Tenant { number, board, boot, pid, token, shared, low, guard }))
    }
    fn start_clients(&self, tenant: usize) -> Result<(), Failure> {
        (tenant * CLIENTS..(tenant + 1) * CLIENTS).try_for_each(|client| self.start_client(client))
    }
    /// A client joins its process and begins to work, unless its board has restarted or it works already: another thing
    /// that happened meanwhile may have started it.
    fn start_client(&self, client: usize) -> Result<(), Failure> {
        let tenant = self.tenants.borrow()[self.hosts[client].tenant].clone();
        let joined = self.insist(client, || {
            if self.context.is_dead(&tenant) || !self.hosts[client].tasks.borrow().is_empty() {
                return Ok(None);
            }
            let handle = self.connect(client, tenant.board)?;
            let process = handle.join(tenant.pid, tenant.token)?;
            Ok(Some((handle, process)))
        })?;
        let Some((handle, process)) = joined else { return Ok(()) };
        self.context.joined(&tenant, tenant.pid);
        (self.plant)(&handle);
        let process = Rc::new(process);
        let tasks = (0..THREADS).map(|_| {
            let worker = Worker {
                context: self.context.clone(),
                tenant: tenant.clone(),
                process: process.clone(),
                handle: handle.clone(),
                client,
                random: ChaCha8Rng::seed_from_u64(self.draw(RngCore::next_u64)),
            };
            Box::pin(worker.work()) as Task
        });
        self.hosts[client].tasks.replace(tasks.collect());
        Ok(())
    }

    /// From now on until some time things go wrong.
    pub(super) fn begin(&self, end: Time) {
        self.healed.set(end);
    }
    /// Something may go wrong, a round passes, and tenants of restarted boards begin anew.
    pub(super) fn go_on(&self) -> Result<(), Failure> {
        self.change()?;
        self.round();
        self.went_well()
    }
    /// Whether nothing ended the run while a client waited.
    pub(super) fn went_well(&self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }
    /// All that happens once in a round but for the clients' turns.
    fn change(&self) -> Result<(), Failure> {
        if self.now() >= self.healed.get() {
            lock(&self.world).faults = Faults::default();
            self.context.stop.set(true);
        } else if self.trouble && self.healed.get() != Time::MAX {
            self.something_happens()?;
        }
        self.renew()?;
        if self.audited.get() + AUDIT < self.now() {
            self.audited.set(self.now());
            self.audit()?;
        }
        Ok(())
    }
    /// Every client that is not paused looks at its requests; then time passes.
    pub(super) fn round(&self) {
        let now = self.now();
        self.turns();
        let mut world = lock(&self.world);
        let until = world.now().max(now) + ROUND;
        world.pass(until, None);
    }
    /// Every client that has time looks at its requests.
    fn turns(&self) {
        let now = self.now();
        let mut polling = Polling::from_waker(Waker::noop());
        for host in &self.hosts {
            if host.busy.get() || host.paused_until.get() > now {
                continue;
            }
            host.busy.set(true);
            let mut tasks = host.tasks.take();
            tasks.retain_mut(|task| task.as_mut().poll(&mut polling) == Poll::Pending);
            host.tasks.replace(tasks);
            host.busy.set(false);
        }
    }
    /// A client waits: a round of everything else.
    pub(super) fn meanwhile(&self) {
        if let Err(failure) = self.change() {
            self.failure.borrow_mut().get_or_insert(failure);
        }
        // Those who wait while others wait have the world for themselves: else the first would not be heard for long.
        let waiting = self.waiting.get();
        if waiting < MOST_WAITING {
            self.waiting.set(waiting + 1);
            self.turns();
            self.waiting.set(waiting);
        }
    }
    /// Tenants whose board has restarted begin anew once their requests have ended.
    fn renew(&self) -> Result<(), Failure> {
        for (number, tenant) in self.tenants().into_iter().enumerate() {
            let clients = number * CLIENTS..(number + 1) * CLIENTS;
            let ended = |host: &Host| !host.busy.get() && host.tasks.borrow().is_empty();
            let ended = self.hosts[clients].iter().all(ended);
            if ended && self.context.is_dead(&tenant) && !self.context.stop.get() {
                let tenant = self.open(number)?;
                let past = std::mem::replace(&mut self.tenants.borrow_mut()[number], tenant);
                self.past.borrow_mut().push(past);
                self.start_clients(number)?;
            }
        }
        Ok(())
    }
    /// Now and then the world changes for the worse, or back.
    fn something_happens(&self) -> Result<(), Failure> {
        let now = self.now();
        let (what, pause) = self
            .draw(|random| (random.random_range(0..6_000), now + random.random_range(1_000..LONGEST_PAUSE)));
        let some = |count: usize| self.draw(|random| random.random_range(0..count));
        match what {
            0..15 => lock(&self.world).faults = self.draw(draw_faults),
            15..19 => {
                lock(&self.world).pause_board(some(BOARDS), pause);
                self.count(|report| report.pauses += 1);
            }
            19..27 => {
                self.hosts[some(self.hosts.len())].paused_until.set(pause);
                self.count(|report| report.pauses += 1);
            }
            27..30 => {
                let client = some(self.hosts.len());
                // Not in a call that returns at its end only: there is no way out of it.
                if !self.hosts[client].busy.get() {
                    self.kill(client);
                    self.count(|report| report.client_restarts += 1);
                    self.start_client(client)?;
                }
            }
            30 => {
                let board = some(BOARDS);
                self.restart(board)?;
                self.count(|report| report.board_restarts += 1);
            }
            _ => {}
        }
        Ok(())
    }
    /// A board loses everything.
    fn restart(&self, board: usize) -> Result<(), Failure> {
        self.audit_board(board)?;
        let mut world = lock(&self.world);
        world.restart_board(board)?;
        self.context.holdings.borrow_mut().restart(board, world.board(board).slow().info().epoch);
        Ok(())
    }
    /// A client's program ends in the middle of what it does.
    fn kill(&self, client: usize) {
        let now = self.now();
        self.hosts[client].tasks.take();
        self.tenants.borrow()[self.hosts[client].tenant].guard.abandon(client);
        self.context.ledger.borrow_mut().abandon(client, now, self.context.late.get());
    }
    /// Compares what clients were told by the boards' slow paths with what those have.
    pub(super) fn audit(&self) -> Result<(), Failure> {
        (0..BOARDS).try_for_each(|board| self.audit_board(board))
    }
    fn audit_board(&self, board: usize) -> Result<(), Failure> {
        let mut world = lock(&self.world);
        let holdings = self.context.holdings.borrow();
        let compared = world.board(board).slow().inspect(|space| holdings.audit(board, space));
        compared.map_err(|what| Failure::Holdings { board, what })
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
