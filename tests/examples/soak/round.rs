//! A board's soak: round after round of trouble, after each of which everything heals and must balance.
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use mneme_slowpath::Config;
use mneme_slowpath::share::Source;
use mneme_tests::rig::in_process::ask_for_tags;
use mneme_tests::yard::{Action, Flood, FloodKind, Ground, Link, Raw, Seen, Shared, Target, Yard, lock};
use mneme_wire::{Cause, NodeCounter, Rights, Status, TagMode, Tick};
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::plan::{Event, Told, What, draw, random};
use crate::tenant::{Met, Tenant, key};

/// Honest tenants.
const TENANTS: usize = 3;
/// A line of 64 bytes of every page that memory does not give, and how far it lies before the page's end.
const DEAD: u64 = 4_096;
/// The shortest lease that is given here, and those of hostile processes.
const LEASE_MIN_NS: u64 = 10_000;
const LEASE_NS: u64 = 2_000_000;
/// The longest that the slow path's program stands still, in cycles.
const STANDS_STILL: u64 = 1 << 16;
/// Ticks of a night, in which nobody asks for anything.
const NIGHT_TICKS: u64 = 1 << 21;
/// Ticks that keys are the current ones, about a second: a roll-over of the tick's 24 bits is a roll of them, too.
const KEY_TICKS: u64 = 1 << 17;

/// How long, and from which seed.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub seed: u64,
    /// Rounds at most.
    pub rounds: u64,
    /// No new round begins after that, if there is such a time.
    pub until: Option<Instant>,
    /// Cycles of a round's trouble.
    pub cycles: u64,
    /// The board knows tenants by their keys, and rolls those of tags.
    pub keyed: Option<Keyed>,
}

/// What a board does that knows its tenants by their keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyed {
    /// It asks for no tags: hostile sources have none, and what they send is served.
    Serves,
    /// It asks for tags: without one nobody opens a process, or reaches one.
    Asks,
}

/// What a board's soak has shown.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Outcome {
    pub board: String,
    pub rounds: u64,
    pub cycles: u64,
    pub simulated_seconds: f64,
    pub wall_seconds: f64,
    pub ticks_begun_anew: u64,
    /// Times that the 24 bits of the tick rolled over while tenants worked.
    pub rolled_over: u64,
    pub key_rolls: u64,
    /// Handshakes that proved nobody.
    pub unproven: u64,
    pub frames: BTreeMap<String, u64>,
    pub left: u64,
    pub damaged: u64,
    pub cut_off: u64,
    pub restarts: u64,
    pub slow_stops: u64,
    pub kills: u64,
    pub flips: u64,
    pub leases_expired: u64,
    pub table_repairs: u64,
    pub slots_lost: u64,
    pub done: u64,
    pub failed: u64,
    pub unknown: u64,
    pub checked: u64,
    pub memory_errors: u64,
    pub served: u64,
    pub drops: BTreeMap<String, u64>,
    /// A number that follows from every byte that left the board.
    pub digest: String,
    /// What did not balance, or went wrong; the soak of this board ended there.
    pub wrong: Vec<String>,
    /// The plan of the round that went wrong.
    pub plan: Vec<Told>,
}

/// A board in its yard, with its tenants.
struct Soak<F: Ground> {
    name: String,
    yard: Shared<F>,
    tenants: Vec<Tenant<F>>,
    /// Of hostile sources.
    port: u16,
    outcome: Outcome,
    /// The tick of the last look.
    tick: u32,
    keyed: Option<Keyed>,
    /// What counters of the board showed when they were looked at last, and in which life.
    counted: BTreeMap<u32, (u64, u64)>,
}

/// The board knows the honest tenants' keys.
fn know_tenants(config: &mut Config, keyed: Keyed) {
    ask_for_tags(config);
    if keyed == Keyed::Serves {
        config.tag_mode = TagMode::None;
    }
    config.key_period_ns = KEY_TICKS * u64::from(config.ns_per_tick);
    for number in 0..TENANTS {
        let line = format!("honest-{number} {} 2026-01-01", key(number as u8).public());
        config.tenants.insert(line.parse().expect("a tenant")).expect("another one");
    }
}

/// Soaks a board until its bounds are reached or something is wrong.
pub fn soak<F: Ground>(name: &str, fast: F, bounds: &Bounds) -> Outcome {
    let began = Instant::now();
    let mut outcome = match Soak::new(name, fast, bounds) {
        Ok(soak) => soak.run(bounds),
        Err(error) => Outcome { board: name.into(), wrong: vec![format!("{error:#}")], ..Outcome::default() },
    };
    outcome.wall_seconds = began.elapsed().as_secs_f64();
    outcome
}

impl<F: Ground> Soak<F> {
    fn new(name: &str, fast: F, bounds: &Bounds) -> Result<Soak<F>> {
        let keyed = bounds.keyed;
        let page = 1 << fast.shape().page_bits;
        let dead: Range<u64> = page - DEAD..page - DEAD + 64;
        let yard = Yard::new(fast, bounds.seed, dead, |config| {
            config.limits.lease_min_ns = LEASE_MIN_NS;
            if let Some(keyed) = keyed {
                know_tenants(config, keyed);
            }
        })?
        .shared();
        let tenants = (0..TENANTS).map(|number| Tenant::new(&yard, number as u8, keyed)).collect();
        let outcome = Outcome { board: name.into(), ..Outcome::default() };
        Ok(Soak {
            name: name.into(),
            yard,
            tenants,
            port: 40_000,
            outcome,
            tick: 0,
            keyed,
            counted: BTreeMap::new(),
        })
    }
    fn run(mut self, bounds: &Bounds) -> Outcome {
        for round in 0..bounds.rounds {
            if round > 0 && bounds.until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
            let mut random = random(bounds.seed, &self.name, round);
            let kinds =
                [&FloodKind::ANY[..], if self.keyed.is_some() { &FloodKind::KEYED } else { &[] }].concat();
            let events = draw(&mut random, round, bounds.cycles, TENANTS, &kinds);
            let ended = match round % 2 {
                1 => self.dusk(bounds.cycles),
                _ => Ok(()),
            };
            let ended = ended.and_then(|()| self.round(&mut random, &events, bounds.cycles));
            if let Err(error) = ended {
                self.outcome.wrong.push(format!("round {round}: {error:#}"));
                self.outcome.plan = events.iter().map(Event::told).collect();
                break;
            }
            self.outcome.rounds += 1;
        }
        let mut outcome = self.sum();
        // What balances where nobody did anything has shown nothing.
        if outcome.rounds > 0 && (outcome.done == 0 || outcome.checked == 0) {
            outcome.wrong.push(format!(
                "{} honest operations done, {} places compared",
                outcome.done, outcome.checked
            ));
        }
        outcome
    }
    /// What was counted in all.
    fn sum(mut self) -> Outcome {
        let mut met = Met::default();
        self.tenants.iter().for_each(|tenant| met.add(&tenant.met));
        let mut yard = lock(&self.yard);
        self.outcome.cycles = yard.cycles();
        self.outcome.simulated_seconds = yard.now_ns() as f64 / 1e9;
        let Seen { sent, left, damaged, cut_off, restarts, slow_stops, digest } = yard.seen.clone();
        drop(yard);
        Outcome {
            frames: sent.into_iter().map(|(who, count)| (who.to_owned(), count)).collect(),
            left,
            damaged,
            cut_off,
            restarts,
            slow_stops,
            done: met.done,
            failed: met.failed,
            unknown: met.unknown,
            checked: met.checked,
            memory_errors: met.memory_errors,
            served: met.served,
            digest: format!("{digest:016x}"),
            ..self.outcome
        }
    }
    fn round(&mut self, random: &mut ChaCha8Rng, events: &[Event], cycles: u64) -> Result<()> {
        let (begin, tick, life) = {
            let mut yard = lock(&self.yard);
            (yard.cycles(), yard.ask_tick().get(), yard.life)
        };
        let mut stopped = [0; TENANTS];
        let mut next = 0;
        // Bounded by the board's time, which each step lets pass.
        loop {
            let now = lock(&self.yard).cycles() - begin;
            if now >= cycles {
                break;
            }
            if let Some(event) = events.get(next).filter(|event| event.at <= now) {
                next += 1;
                self.happen(event, random, begin, &mut stopped).with_context(|| format!("{event:?}"))?;
                continue;
            }
            let tenant = random.random_range(0..TENANTS);
            if stopped[tenant] <= now {
                self.tenants[tenant].step(random)?;
            }
            // Nobody is infinitely fast; and who only begins calls lets no time pass.
            lock(&self.yard).pass(random.random_range(16..512))?;
        }
        {
            let mut yard = lock(&self.yard);
            let over = yard.life == life && yard.ask_tick().get() < tick;
            self.outcome.rolled_over += u64::from(over);
        }
        self.heal(random)?;
        self.night()
    }
    fn happen(
        &mut self,
        event: &Event,
        random: &mut ChaCha8Rng,
        begin: u64,
        stopped: &mut [u64; TENANTS],
    ) -> Result<()> {
        let plan = |action, end| {
            let mut yard = lock(&self.yard);
            yard.plan(0, action);
            if let Some(end) = end {
                yard.plan(event.lasts, end);
            }
        };
        match event.what {
            What::Network(link) => plan(Action::Network(link), Some(Action::Network(Link::default()))),
            What::Table(chance) => plan(Action::FailTable(chance), Some(Action::FailTable(0))),
            What::SlowPath => plan(Action::StopSlowPath(event.lasts.min(STANDS_STILL)), None),
            // In the middle of whatever is under way then.
            What::Restart => lock(&self.yard).plan(random.random_range(1..4_000), Action::Restart),
            What::Kill(tenant) => {
                // With calls under way.
                for _ in 0..4 {
                    self.tenants[tenant].step(random)?;
                }
                self.tenants[tenant].kill();
                self.outcome.kills += 1;
            }
            What::Stop(tenant) => stopped[tenant] = event.at + event.lasts,
            What::Flip(bit) => self.flip(bit)?,
            What::Flood(kind, every) => self.flood(kind, every, begin + event.at + event.lasts, random)?,
        }
        Ok(())
    }
    /// A hostile source, if the board gives it something to be hostile with.
    fn hostile(&mut self) -> Result<Raw<F>> {
        self.port = self.port.wrapping_add(1).max(40_000);
        Raw::new(&self.yard, [10, 78, 2, (self.port % 5) as u8], self.port)
    }
    /// A process of a hostile source, which nobody has on a board that asks for tags.
    fn stranger(&self, source: &mut Raw<F>, lease_ns: u64) -> Result<Option<u32>> {
        let pid = source.open(lease_ns).ok();
        let served = pid.filter(|_| self.keyed == Some(Keyed::Asks));
        ensure!(served.is_none(), "a source without a tag has opened process {served:?}");
        Ok(pid)
    }
    fn flood(&mut self, kind: FloodKind, every: u64, until: u64, random: &mut ChaCha8Rng) -> Result<()> {
        let seed = random.next_u64();
        // Beside another flood it may get nothing, not even an answer; then it has no process to name.
        let Ok(mut source) = self.hostile() else { return Ok(()) };
        let pid = self.stranger(&mut source, LEASE_NS)?.unwrap_or_default();
        let va = source.alloc(pid, 1, Rights::READ_WRITE).unwrap_or(1 << 20);
        let target = Target {
            endpoints: source.endpoints,
            pid,
            va,
            page: source.page(),
            epoch: source.info.epoch,
            lease_ns: LEASE_MIN_NS * 10,
        };
        let mut yard = lock(&self.yard);
        let now = yard.cycles();
        yard.flood(Flood::new(kind, target, seed, every, (now, until.max(now + 1))));
        Ok(())
    }
    /// A bit of an entry flips in memory: who reads the page is told so, and it is well once the bit is.
    fn flip(&mut self, bit: u32) -> Result<()> {
        let Ok(mut source) = self.hostile() else { return Ok(()) };
        let Some(pid) = self.stranger(&mut source, 0)? else { return Ok(()) };
        let life = lock(&self.yard).life;
        let Ok(va) = source.alloc(pid, 1, Rights::READ_WRITE) else { return self.gone(&mut source, pid) };
        let Some(address) = self.entry_of(pid, va) else { return self.gone(&mut source, pid) };
        self.toggle(address, bit);
        let told = source.read(pid, va, 8);
        if lock(&self.yard).life == life {
            self.toggle(address, bit);
            if let Ok(answer) = told {
                let fits = answer.told() == (Status::MemoryError, Cause::Parity)
                    || answer.response.status == Status::Stale;
                ensure!(fits, "a page with a flipped bit {bit} in its entry was answered {}", answer.words());
                self.outcome.flips += 1;
            }
            let well = source.read(pid, va, 8);
            let fits = well.as_ref().map_or(true, |answer| answer.is_ok() && answer.payload == [0; 8]);
            let restarted = lock(&self.yard).life != life;
            ensure!(fits || restarted, "a page whose entry is well again is not: {well:?}");
        }
        self.gone(&mut source, pid)
    }
    /// Ends a process, as far as the board can be asked.
    fn gone(&mut self, source: &mut Raw<F>, pid: u32) -> Result<()> {
        if source.exit(pid).is_err() {
            self.tenants[0].left_behind.insert(pid);
        }
        Ok(())
    }
    /// Where the entry of a page lies in memory.
    fn entry_of(&self, pid: u32, va: u64) -> Option<u64> {
        let mut yard = lock(&self.yard);
        let geometry = yard.node().slow().inspect(|space| space.geometry());
        let vpn = geometry.vpn(va);
        let (bucket, tag) = (geometry.bucket(pid, vpn) * 64, geometry.tag(pid, vpn));
        let mut bytes = [0; 64];
        yard.node().fast().read_memory(bucket, &mut bytes);
        let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let place = |word: &u64| *word != 0 && geometry.entry_tag(*word) == tag;
        words.enumerate().find(|(_, word)| place(word)).map(|(at, _)| bucket + 8 * at as u64)
    }
    fn toggle(&self, address: u64, bit: u32) {
        let mut yard = lock(&self.yard);
        let mut word = [0; 8];
        yard.node().fast().read_memory(address, &mut word);
        let flipped = u64::from_le_bytes(word) ^ 1 << bit;
        yard.node().fast().write_memory(address, &flipped.to_le_bytes());
    }
    /// Nothing is wrong any more: everybody looks at what he has and gives it back, and the board must have all of it.
    fn heal(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        let mut yard = lock(&self.yard);
        yard.heal()?;
        // What is still under way, and the windows of what nobody knows of.
        let cycles = 4 * yard.window_cycles();
        yard.pass(cycles)?;
        let shape = yard.node().fast().shape();
        if self.keyed.is_some() && shape.simulated {
            // None, one or both of the keys at hand end while everybody rests.
            let rests = random.random_range(0..=2) * KEY_TICKS;
            yard.pass(rests << shape.tick_log2)?;
        }
        drop(yard);
        for tenant in &mut self.tenants {
            tenant.end()?;
        }
        self.reap()?;
        let mut yard = lock(&self.yard);
        yard.pass(LEASE_NS / 4)?;
        yard.settle()?;
        drop(yard);
        self.outcome.leases_expired += self.since(NodeCounter::LeasesExpired);
        self.outcome.table_repairs += self.since(NodeCounter::TableRepairs);
        self.outcome.key_rolls += self.since(NodeCounter::KeyRolls);
        self.outcome.unproven += self.since(NodeCounter::OpensUnproven);
        let mut yard = lock(&self.yard);
        for (name, count) in yard.drops() {
            *self.outcome.drops.entry(name.into()).or_default() = count;
        }
        let lost = yard.count(NodeCounter::SlotsLost);
        self.outcome.slots_lost += lost;
        balances(&mut yard, "after a round")?;
        if lost > 0 {
            // What was given up comes back with a reset, and nothing else does.
            yard.restart()?;
            yard.settle()?;
            ensure!(yard.count(NodeCounter::SlotsLost) == 0, "slots are lost over a reset");
            balances(&mut yard, "after the reset that brings lost slots back")?;
        }
        drop(yard);
        for tenant in &mut self.tenants {
            tenant.is_served(random)?;
        }
        let mut yard = lock(&self.yard);
        yard.settle()?;
        balances(&mut yard, "after everybody was served")
    }
    /// What the board has counted since this was asked for last, in this life.
    fn since(&mut self, counter: NodeCounter) -> u64 {
        let mut yard = lock(&self.yard);
        let (life, now) = (yard.life, yard.count(counter));
        let (before, count) = self.counted.insert(counter.number(), (life, now)).unwrap_or_default();
        now - if before == life { count } else { 0 }
    }
    /// Ends the processes that nobody has any more: those of killed programs, and those of hostile sources, whose damaged requests
    /// may have opened some without a lease. An honest one is not among them.
    fn reap(&mut self) -> Result<()> {
        if self.keyed == Some(Keyed::Asks) {
            // Nobody else has a process there.
            return self.tenants.iter_mut().try_for_each(Tenant::reap);
        }
        // An operation id is not used twice by one source.
        self.port = self.port.wrapping_add(1).max(40_000);
        let mut reaper = Raw::new(&self.yard, [10, 78, 3, 1], self.port)?;
        let open: Vec<(u32, Source)> = lock(&self.yard).node().slow().inspect(|space| {
            let of = |source: Source| {
                space.list(source, 0, usize::MAX, 0).into_iter().map(move |entry| (entry.pid, source))
            };
            space.tenants().flat_map(|tenant| of(tenant.source)).collect()
        });
        let mut unknown: u64 = self.tenants.iter().map(|tenant| tenant.unknown_opens).sum();
        for (pid, source) in open {
            let known = self.tenants.iter().any(|tenant| tenant.left_behind.contains(&pid));
            let honest = match source {
                Source::Address(ip) => ip[..3] == [10, 78, 1],
                Source::Tenant(_) => true,
            };
            if honest && !known {
                ensure!(unknown > 0, "process {pid} of {source} was ended, and is there");
                unknown -= 1;
            }
            let told = reaper.exit(pid)?;
            // Its lease may have run out meanwhile.
            let gone = told.is_ok() || told.told() == (Status::BadRequest, Cause::Pid);
            ensure!(gone, "EXIT of process {pid} was answered {}", told.words());
        }
        for tenant in &mut self.tenants {
            tenant.left_behind.clear();
            tenant.unknown_opens = 0;
        }
        Ok(())
    }
    /// Lets the night last until the tick is about to roll over, where a board can skip time: it does so in the middle of the
    /// round, and keys roll with it.
    fn dusk(&mut self, cycles: u64) -> Result<()> {
        let mut yard = lock(&self.yard);
        let shape = yard.node().fast().shape();
        let left = (1 << 24) - u64::from(yard.ask_tick().get());
        let most = (cycles / 2) >> shape.tick_log2;
        if shape.simulated && left > most {
            yard.pass((left - most) << shape.tick_log2)?;
        }
        self.tick = yard.ask_tick().get();
        Ok(())
    }
    /// Board time in which nobody asks for anything, where a board can skip it; then it answers all the same.
    fn night(&mut self) -> Result<()> {
        let mut yard = lock(&self.yard);
        let shape = yard.node().fast().shape();
        if shape.simulated {
            yard.pass(NIGHT_TICKS << shape.tick_log2)?;
        }
        let tick = yard.ask_tick().get();
        drop(yard);
        self.outcome.ticks_begun_anew += u64::from(tick < self.tick);
        self.tick = tick;
        self.port = self.port.wrapping_add(1).max(40_000);
        let mut first = Raw::new(&self.yard, [10, 78, 3, 2], self.port)?;
        first.learn()?;
        let passed = Tick::from_low_bits(first.info.tick).since(Tick::from_low_bits(tick));
        ensure!(passed >= 0, "the tick went back by {} in the night", -passed);
        Ok(())
    }
}

fn balances<F: Ground>(yard: &mut Yard<F>, when: &str) -> Result<()> {
    let wrong = yard.balance().wrong();
    match wrong.is_empty() {
        true => Ok(()),
        false => bail!("{when} the board does not balance: {}", wrong.join("; ")),
    }
}
