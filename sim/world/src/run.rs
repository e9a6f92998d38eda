//! One run: clients work while the network, the boards and the clients themselves fail; then everything heals, comes to
//! its end within a bound, and is checked.
use std::rc::Rc;

use mneme_clib::{Client, Error, Integrity};
use mneme_model::node::NodeError;
use mneme_model::port::NetworkPort;
use mneme_slowpath::FastPath;
use mneme_wire::Counter;

use super::Time;
use super::driver::{OthersWork, lock};
use super::guard::look_at_the_end;
use super::history::{Act, Impossible};
use super::ledger::End;
use super::network::{Faults, MakeBoard, PlantSlow};
use super::stage::{BOARDS, CLIENTS, Stage, TRIES, VERY_LATE};
use super::tenants::WORDS;

/// Virtual time in which everything must have come to its end once the network has healed: an operation's own bound,
/// after another that it had to wait for, and a new start on a board that lost everything.
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
    /// Calls that the slow path served: OPEN, EXIT, ALLOC, FREE, PROTECT.
    pub slow: u64,
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
        self.slow += other.slow;
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
    /// The slow path of a board has not done what clients were told.
    #[error("board {board}: {what}")]
    Holdings {
        /// The board.
        board: usize,
        /// What is there and should not be, or is not there.
        what: String,
    },
    /// Requests never ended.
    #[error("{0} threads had not come to their end {HEALED_WITHIN} ns after the network had healed")]
    Stuck(usize),
    /// The board's own watchdog saw requests that stood still.
    #[error("board {0} counted requests that stood still")]
    Watchdog(usize),
}

/// What is done to clients and slow paths, so that checkers can show that they can fail.
pub struct Plants {
    /// To every client that begins to work.
    pub client: Box<dyn Fn(&Client)>,
    /// To every board that comes up.
    pub slow: PlantSlow,
    /// What packets carry: with trailers the network damages answers, too, where no check sequence tells.
    pub integrity: Integrity,
}

impl Default for Plants {
    /// Nothing.
    fn default() -> Plants {
        Plants { client: Box::new(|_| {}), slow: Box::new(|_| {}), integrity: Integrity::None }
    }
}

/// Runs a plan on boards that `make` makes.
pub fn run<F: FastPath + NetworkPort + Send + 'static>(
    plan: &Plan,
    make: MakeBoard<F>,
) -> Result<Report, Failure> {
    run_planted(plan, make, Plants::default())
}

/// As [`run`], with clients and slow paths to which something may have been done.
pub fn run_planted<F: FastPath + NetworkPort + Send + 'static>(
    plan: &Plan,
    make: MakeBoard<F>,
    plants: Plants,
) -> Result<Report, Failure> {
    let stage = Rc::new(Stage::new(plan, make, plants)?);
    let others = Rc::clone(&stage);
    let _others_work = OthersWork::begin(Rc::new(move || others.meanwhile()));
    let began = stage.now();
    let end = began + plan.chaos;
    if let Some(faults) = plan.only {
        lock(&stage.world).faults = faults;
    }
    stage.begin(end);
    while !stage.context.stop.get() {
        stage.go_on()?;
    }
    heal(&stage)?;
    let took = stage.now() - began;
    finish(&stage).map(|report| Report { took, ..report })
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

/// The network works again: what is under way must end.
fn heal<F: FastPath + NetworkPort + Send + 'static>(stage: &Stage<F>) -> Result<(), Failure> {
    let bound = stage.now() + HEALED_WITHIN;
    loop {
        match stage.at_work() {
            0 => return Ok(()),
            left if stage.now() > bound => return Err(Failure::Stuck(left)),
            _ => stage.round(),
        }
    }
}

/// What memory holds in the end belongs to the histories, too.
fn read_all<F: FastPath + NetworkPort + Send + 'static>(stage: &Stage<F>) -> Result<(), Failure> {
    let context = &stage.context;
    // After what may still come of requests of which nobody knows, very late frames included.
    let until = stage.now() + context.late.get() + VERY_LATE;
    lock(&stage.world).pass(until, None);
    for tenant in stage.tenants().into_iter().filter(|tenant| !context.is_dead(tenant)) {
        let client = (tenant.number as usize - 1) * CLIENTS;
        let mut bytes = vec![0; 8 * WORDS as usize];
        let begin = stage.now();
        stage.insist(client, || {
            let process = stage.connect(client, tenant.board)?.join(tenant.pid, tenant.token)?;
            process.rread(tenant.shared.va, &mut bytes)?;
            look_at_the_end(&tenant, &process)
        })?;
        let (now, late) = (stage.now(), context.late.get());
        let mut ledger = context.ledger.borrow_mut();
        let words = (0..WORDS).map(|index| (tenant.shared.word(index), Act::Read(0))).collect();
        let ticket = ledger.begin(client, begin, words);
        let values = bytes.as_chunks().0.iter().map(|word| Act::Read(u64::from_le_bytes(*word)));
        ledger.end(ticket, now, End::Done(values.collect()), late);
    }
    Ok(())
}

fn finish<F: FastPath + NetworkPort + Send + 'static>(stage: &Stage<F>) -> Result<Report, Failure> {
    read_all(stage)?;
    stage.went_well()?;
    let context = &stage.context;
    if let Some(leak) = context.leak.borrow_mut().take() {
        return Err(Failure::Leak(leak));
    }
    if let Some(disorder) = context.disorder.borrow_mut().take().or_else(|| stage.locks()) {
        return Err(Failure::Disorder(disorder));
    }
    stage.audit()?;
    let ledger = context.ledger.borrow();
    ledger.histories.check()?;
    let mut world = lock(&stage.world);
    if let Some(board) = (0..BOARDS).find(|n| world.board(*n).fast().read_counter(Counter::Watchdog) != 0) {
        return Err(Failure::Watchdog(board));
    }
    Ok(Report {
        done: ledger.done,
        failed: ledger.failed,
        unknown: ledger.unknown,
        checked: ledger.histories.len(),
        slow: context.holdings.borrow().done,
        overflowed: world.overflowed,
        ..stage.report.get()
    })
}
