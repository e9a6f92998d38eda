//! A board in a yard: everything in one thread and in the board's own time, so that one seed replays a run. Honest clients are
//! CLib's, behind [`YardDriver`]; beside them floods of frames come, the network loses and repeats, the slow path stands
//! still, the board is reset under load. [`balance`] says whether the board has everything back in the end.
pub mod balance;
mod driver;
mod flood;
mod ground;
mod raw;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use mneme_model::node::{CYCLE_NS, Node};
use mneme_model::soft::LineFault;
use mneme_slowpath::{Config, MemoryEpochs};
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::{Counter, Packet, Register, Response, Tick};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use driver::YardDriver;
pub use flood::{Flood, Kind as FloodKind, Target};
pub use ground::{Ground, rtl, soft};
pub use raw::{Answer, Raw};

/// Board cycles between two looks at what came.
const SLICE: u64 = 64;
/// Datagrams that wait for a client; more are lost, as in a socket's buffer.
const MAILBOX: usize = 4096;
/// Looks that a client waits for a busy port before its frame is lost.
const PATIENCE: u64 = 1 << 10;
/// Frames that are given to a board between its reset and its start.
const BEFORE_BOOT: usize = 8;
/// Requests that are kept to be repeated by whoever listens.
const KEPT: usize = 64;

/// What the network does to frames of honest clients, in 1,024ths of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Link {
    /// Vanish, on either way.
    pub lost: u32,
    /// Come again after up to two windows.
    pub doubled: u32,
    /// Come later than those behind them, by up to a window.
    pub late: u32,
}

/// Something that happens at a cycle, whoever waits for whatever meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The core is reset under load, and its slow path starts again.
    Restart,
    /// The slow path's program stands still for so many cycles.
    StopSlowPath(u64),
    /// The network from now on.
    Network(Link),
    /// Writes of page-table entries fail with this chance in 65,536.
    FailTable(u32),
}

/// What the yard has seen since it was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Frames given to the board, by who sent them.
    pub sent: BTreeMap<&'static str, u64>,
    /// Frames that left the board.
    pub left: u64,
    /// With a bad check sequence.
    pub damaged: u64,
    /// Frames that the board had neither answered nor dropped when it was reset.
    pub cut_off: u64,
    /// Resets under load.
    pub restarts: u64,
    /// Times that the slow path stood still.
    pub slow_stops: u64,
    /// A number that follows from every byte that left the board.
    pub digest: u64,
}

/// A client's address and port.
pub type Address = ([u8; 4], u16);

/// A board, a network, and everybody's mailboxes.
pub struct Yard<F: Ground> {
    node: Option<Node<F>>,
    config: Config,
    epochs: MemoryEpochs,
    /// Cycles of lives whose clock is gone.
    before: u64,
    /// Lives of the board.
    pub life: u64,
    /// Frames given to the board in this life, and those that left it.
    submitted: u64,
    emitted: u64,
    random: ChaCha8Rng,
    link: Link,
    late: BTreeMap<(u64, u64), Vec<u8>>,
    mailboxes: BTreeMap<Address, VecDeque<(u64, Vec<u8>)>>,
    floods: Vec<Flood>,
    actions: BTreeMap<(u64, u64), Action>,
    number: u64,
    /// The slow path's program stands still until then.
    slow_stopped: u64,
    dead: Range<u64>,
    kept: VecDeque<Vec<u8>>,
    tick: Tick,
    window_cycles: u64,
    /// What it has seen.
    pub seen: Seen,
}

/// A yard that its clients share; one thread works in it.
pub type Shared<F> = Arc<Mutex<Yard<F>>>;

/// The yard, between two whole steps.
pub fn lock<F: Ground>(yard: &Shared<F>) -> MutexGuard<'_, Yard<F>> {
    yard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<F: Ground> Yard<F> {
    /// Brings a board up. `dead` bytes of every page, whole lines of 64, answer errors.
    pub fn new(
        mut fast: F,
        seed: u64,
        dead: Range<u64>,
        adjust: impl FnOnce(&mut Config),
    ) -> Result<Yard<F>> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let mut config = Node::config(&mut fast, F::NUMBER, bytes);
        config.busy_hint_ns = 1_000;
        adjust(&mut config);
        if !dead.is_empty() {
            fast.fail_lines(dead.clone(), LineFault::DEAD);
        }
        let window_cycles = u64::from(config.window_ticks) << fast.shape().tick_log2;
        let mut epochs = MemoryEpochs::default();
        let node = Node::boot(fast, config.clone(), &mut epochs).context("the board does not come up")?;
        Ok(Yard {
            node: Some(node),
            config,
            epochs,
            before: 0,
            life: 1,
            submitted: 0,
            emitted: 0,
            random: ChaCha8Rng::seed_from_u64(seed ^ 0x7961_7264),
            link: Link::default(),
            late: BTreeMap::new(),
            mailboxes: BTreeMap::new(),
            floods: Vec::new(),
            actions: BTreeMap::new(),
            number: 0,
            slow_stopped: 0,
            dead,
            kept: VecDeque::new(),
            tick: Tick::default(),
            window_cycles,
            seen: Seen::default(),
        })
    }
    /// For its clients.
    pub fn shared(self) -> Shared<F> {
        Arc::new(Mutex::new(self))
    }
    /// The node. It is there whenever no reset is under way, and resets end within the call that begins them.
    pub fn node(&mut self) -> &mut Node<F> {
        self.node.as_mut().expect("a board that did not come up again has ended the run")
    }
    /// The settings of its slow path.
    pub fn config(&self) -> &Config {
        &self.config
    }
    /// Cycles since the yard was made.
    pub fn cycles(&mut self) -> u64 {
        self.before + self.node().fast().cycles()
    }
    /// The same in nanoseconds.
    pub fn now_ns(&mut self) -> u64 {
        self.cycles() * CYCLE_NS
    }
    /// Cycles of the window.
    pub fn window_cycles(&self) -> u64 {
        self.window_cycles
    }
    /// The board's tick, by its register.
    pub fn ask_tick(&mut self) -> Tick {
        Tick::from_low_bits(self.node().fast().read_register(Register::Tick))
    }
    /// Bytes of every page that memory does not give.
    pub fn dead(&self) -> Range<u64> {
        self.dead.clone()
    }
    /// Something that will happen in so many cycles.
    pub fn plan(&mut self, after: u64, action: Action) {
        let at = self.cycles() + after;
        self.number += 1;
        self.actions.insert((at, self.number), action);
    }
    /// Begins a flood.
    pub fn flood(&mut self, flood: Flood) {
        self.floods.push(flood);
    }
    /// Ends all floods and plans; the network loses nothing from now on.
    pub fn heal(&mut self) -> Result<()> {
        self.floods.clear();
        self.actions.clear();
        self.act(Action::Network(Link::default()))?;
        self.act(Action::FailTable(0))?;
        self.slow_stopped = 0;
        self.kept.clear();
        Ok(())
    }
    /// An address of its own for a client, with a mailbox.
    pub fn attach(&mut self, ip: [u8; 4], port: u16) -> Endpoints {
        self.mailboxes.insert((ip, port), VecDeque::new());
        let [_, high, middle, low] = ip;
        Endpoints {
            src_mac: [0x02, 0, 0, high, middle, low],
            dst_mac: self.config.mac,
            src_ip: ip,
            dst_ip: self.config.ip,
            src_port: port,
            dst_port: self.config.udp_port,
        }
    }
    /// Takes it away again.
    pub fn detach(&mut self, address: Address) {
        self.mailboxes.remove(&address);
    }
    /// The next datagram for a client, with the nanosecond at which it came.
    pub fn take(&mut self, address: Address) -> Option<(u64, Vec<u8>)> {
        self.mailboxes.get_mut(&address)?.pop_front()
    }
    /// Gives a frame to the board's port; a busy port loses it.
    pub fn submit(&mut self, who: &'static str, frame: &[u8], fcs_error: bool) -> bool {
        let taken = self.node().fast().ingress(frame, fcs_error).is_ok();
        self.submitted += u64::from(taken);
        *self.seen.sent.entry(who).or_default() += u64::from(taken);
        taken
    }
    /// A client's datagram, as the network treats it.
    pub fn send(
        &mut self,
        who: &'static str,
        endpoints: Endpoints,
        datagram: &[u8],
        rough: bool,
    ) -> Result<()> {
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        UdpFrame { endpoints, datagram }.emit(true, &mut frame)?;
        if rough {
            if self.kept.len() == KEPT {
                self.kept.pop_front();
            }
            self.kept.push_back(frame.clone());
            let link = self.link;
            if self.strikes(link.lost) {
                return Ok(());
            }
            if self.strikes(link.doubled) {
                self.later(frame.clone(), 2 * self.window_cycles);
            }
            if self.strikes(link.late) {
                self.later(frame, self.window_cycles);
                return Ok(());
            }
        }
        for _ in 0..PATIENCE {
            if self.submit(who, &frame, false) {
                return Ok(());
            }
            self.pass(SLICE)?;
        }
        Ok(())
    }
    fn strikes(&mut self, share: u32) -> bool {
        share != 0 && self.random.random_range(0..1024) < share
    }
    fn later(&mut self, frame: Vec<u8>, most: u64) {
        let at = self.cycles() + self.random.random_range(1..=most);
        self.number += 1;
        self.late.insert((at, self.number), frame);
    }
    /// One of the last requests of honest clients, as it was.
    fn heard(&mut self) -> Option<Vec<u8>> {
        let at = self.random.random_range(0..self.kept.len().max(1));
        self.kept.get(at).cloned()
    }
    /// Lets time pass, with all that is planned.
    pub fn pass(&mut self, cycles: u64) -> Result<()> {
        let end = self.cycles() + cycles;
        loop {
            self.due()?;
            let now = self.cycles();
            if now >= end {
                return Ok(());
            }
            let next = self.next_due().map_or(end, |at| at.clamp(now + 1, end));
            let works = !self.node().idle() || self.slow_stopped > now;
            let step = if works { SLICE.min(next - now) } else { next - now };
            match self.slow_stopped > now {
                true => self.node().fast().run(step),
                false => self.node().run(step),
            }
            self.collect();
        }
    }
    /// The cycle of the next thing that is planned.
    fn next_due(&self) -> Option<u64> {
        let first = |key: Option<&(u64, u64)>| key.map(|(at, _)| *at);
        let late = first(self.late.keys().next());
        let action = first(self.actions.keys().next());
        let flood = self.floods.iter().map(|flood| flood.next_at).min();
        [late, action, flood].into_iter().flatten().min()
    }
    /// Does what is due.
    fn due(&mut self) -> Result<()> {
        let now = self.cycles();
        while let Some(entry) = self.actions.first_entry().filter(|entry| entry.key().0 <= now) {
            let action = entry.remove();
            self.act(action)?;
        }
        let now = self.cycles();
        while let Some(entry) = self.late.first_entry().filter(|entry| entry.key().0 <= now) {
            let frame = entry.remove();
            self.submit("repeated", &frame, false);
        }
        self.floods.retain(|flood| flood.until > now);
        for at in 0..self.floods.len() {
            while let Some(flood) = self.floods.get_mut(at).filter(|flood| flood.next_at <= now) {
                flood.next_at += flood.every;
                let (kind, tick) = (flood.kind.name(), self.tick);
                let (frame, fcs) = match flood.kind {
                    FloodKind::Repeats => (self.heard(), false),
                    _ => flood.frame(tick),
                };
                if let Some(frame) = frame {
                    self.submit(kind, &frame, fcs);
                }
            }
        }
        Ok(())
    }
    fn act(&mut self, action: Action) -> Result<()> {
        match action {
            Action::Restart => self.restart(),
            Action::StopSlowPath(cycles) => {
                self.slow_stopped = self.cycles() + cycles;
                self.seen.slow_stops += 1;
                Ok(())
            }
            Action::Network(link) => {
                self.link = link;
                Ok(())
            }
            Action::FailTable(chance) => {
                self.node().fast().fail_table(chance, u32::from(chance != 0));
                Ok(())
            }
        }
    }
    /// Resets the core and starts its slow path anew, while frames go on to come.
    pub fn restart(&mut self) -> Result<()> {
        self.seen.cut_off += self.unaccounted();
        self.seen.restarts += 1;
        let Some(node) = self.node.take() else { return Ok(()) };
        let fast = node.into_fast();
        let passed = fast.cycles();
        let mut fast = fast.reset(&self.dead);
        if !F::CLOCK_GOES_ON {
            self.before += passed;
        }
        self.life += 1;
        (self.submitted, self.emitted, self.slow_stopped) = (0, 0, 0);
        self.config.seed[8..16].copy_from_slice(&self.life.to_le_bytes());
        for at in 0..BEFORE_BOOT.min(self.kept.len()) {
            self.submitted += u64::from(fast.ingress(&self.kept[at], false).is_ok());
        }
        match Node::boot(fast, self.config.clone(), &mut self.epochs) {
            Ok(node) => self.node = Some(node),
            // Whoever waits in a client's call hears of it as of a driver's failure; the run ends with it.
            Err(error) => panic!("the board does not come up after a reset: {error}"),
        }
        self.collect();
        Ok(())
    }
    /// Frames of this life that the board has neither answered, nor dropped, nor given to the slow path.
    fn unaccounted(&mut self) -> u64 {
        let counters: Vec<u64> = Counter::ALL.iter().map(|c| self.node().counter(c.number())).collect();
        let balance = crate::damage::Balance::of(&counters, 0);
        self.submitted.saturating_sub(balance.dropped + balance.answered + balance.slow)
    }
    /// Sorts what left the board.
    fn collect(&mut self) {
        let now = self.now_ns();
        while let Some(frame) = self.node().poll() {
            self.emitted += 1;
            self.seen.left += 1;
            self.seen.damaged += u64::from(frame.bad_fcs);
            self.note(&frame.bytes);
            // A network card throws a frame with a wrong check sequence away.
            let parsed = UdpFrame::parse(&frame.bytes).ok().filter(|_| !frame.bad_fcs);
            let Some(UdpFrame { endpoints, datagram }) = parsed else { continue };
            let told = Packet::new_checked(datagram).ok().and_then(|packet| Response::parse(&packet).ok());
            self.tick = told.and_then(|response| response.tick()).unwrap_or(self.tick);
            if self.strikes(self.link.lost) {
                continue;
            }
            match self.mailboxes.get_mut(&(endpoints.dst_ip, endpoints.dst_port)) {
                Some(mailbox) if mailbox.len() < MAILBOX => mailbox.push_back((now, datagram.to_vec())),
                _ => {}
            }
        }
    }
    /// Folds bytes into the digest (FNV-1a).
    fn note(&mut self, bytes: &[u8]) {
        let digest = if self.seen.digest == 0 { 0xcbf2_9ce4_8422_2325 } else { self.seen.digest };
        let fold = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        self.seen.digest = bytes.iter().fold(digest, fold);
    }
}
