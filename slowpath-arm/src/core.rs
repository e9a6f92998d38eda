//! What all requests share: the address space, the counters, the board's description. The poller and the pool's workers use
//! the same core. A worker holds the lock of the address space for a slice of its work, never while a table command runs; the
//! poller takes it when it is free and never waits for it.
use crate::answers::Answers;
use crate::auth::Auth;
use crate::config::Config;
use crate::groups;
use crate::keys::Keys;
use crate::log_limit::LogLimit;
use crate::planted::PlantedFault;
use crate::serve::Job;
use crate::share::Source;
use crate::space::Space;
use crate::stats::Stats;
use crate::tenant::Owners;
use mneme_auth::TenantList;
use mneme_wire::payload::BoardInfo;
use mneme_wire::pte::Geometry;
use mneme_wire::register::{BUILD_LEAF, BUILD_TRAILERS};
use mneme_wire::trailer::Means;
use mneme_wire::{NodeCounter, Tick};
use parking_lot::{Mutex, MutexGuard};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// State shared by all who serve requests.
#[derive(Debug)]
pub struct Core {
    pub(crate) config: Config,
    pub(crate) geometry: Geometry,
    /// The board's description, tick apart.
    pub(crate) info: BoardInfo,
    pub(crate) stats: Stats,
    /// Of a board with trailers.
    pub(crate) keys: Option<Keys>,
    /// Of a board that knows tenants by their keys.
    pub(crate) auth: Option<Auth>,
    /// Whose the processes are.
    pub(crate) owners: Arc<Owners>,
    /// The board has a leaf unit.
    pub(crate) frames: bool,
    /// Board pages that the leaf unit has.
    pub(crate) pool: Arc<AtomicU64>,
    space: Mutex<Space>,
    /// What the address space looked like when it was last let go.
    pub(crate) census: Census,
    /// Lines of the log that clients can cause.
    pub(crate) log: LogLimit,
    /// The board's tick, widened to 64 bits.
    clock: AtomicU64,
    /// The share group of each service class, two bits each; the station tells the fast path when it changes.
    groups: AtomicU32,
    planted: OnceLock<PlantedFault>,
}

impl Core {
    pub(crate) fn new(config: Config, geometry: Geometry, info: BoardInfo, flags: u32) -> Core {
        let (trailers, leaf) = (flags & BUILD_TRAILERS != 0, flags & BUILD_LEAF != 0);
        let usable = info.memory >> geometry.page_bits();
        // Keys without trailers would be of no use.
        let auth = if trailers { Auth::new(&config, info.nonce) } else { None };
        let mut space = Space::new(geometry, usable, &config);
        if leaf {
            space.serve_frames();
        }
        let keys = trailers.then(|| Keys::new(&config, info.nonce));
        if let Some(keys) = &keys {
            space.set_keys(keys.generation());
        }
        let info = BoardInfo { key_hint: auth.as_ref().map_or(0, |auth| auth.public().hint()), ..info };
        Core {
            keys,
            auth,
            owners: Arc::clone(&space.owners),
            frames: leaf,
            pool: Arc::clone(&space.pool),
            space: Mutex::new(space),
            census: Census::default(),
            log: LogLimit::default(),
            stats: Stats::default(),
            clock: AtomicU64::new(0),
            groups: AtomicU32::new(groups::of_tenants(&config.tenants)),
            planted: OnceLock::new(),
            geometry,
            info,
            config,
        }
    }
    /// The address space. A worker that panicked left it consistent enough: every change is made under one lock. The lock
    /// is fair in the long run: who takes it again and again lets others in between.
    pub(crate) fn space(&self) -> Held<'_> {
        Held { space: self.space.lock(), census: &self.census }
    }
    /// The same, unless somebody has it.
    pub(crate) fn try_space(&self) -> Option<Held<'_>> {
        self.space.try_lock().map(|space| Held { space, census: &self.census })
    }
    /// An empty answer cache: whoever polls has one.
    pub(crate) fn new_answers(&self) -> Answers {
        Answers::new(self.config.limits.answers, self.config.slow_window_ticks())
    }
    /// Board time in nanoseconds.
    pub(crate) fn now_ns(&self) -> u64 {
        self.now().saturating_mul(u64::from(self.config.ns_per_tick))
    }
    /// The board's tick at the last poll, widened to 64 bits.
    pub(crate) fn now(&self) -> u64 {
        self.clock.load(Relaxed)
    }
    /// The share group of each service class, two bits each.
    pub(crate) fn groups(&self) -> u32 {
        self.groups.load(Relaxed)
    }
    /// The same as the wire carries it.
    pub(crate) fn tick(&self) -> Tick {
        Tick::from_low_bits(self.now() as u32)
    }
    /// Takes in what the TICK register shows.
    pub(crate) fn set_tick(&self, register: u32) -> u64 {
        let old = self.now();
        let passed = u64::from(register.wrapping_sub(old as u32) & 0xff_ffff);
        self.clock.store(old + passed, Relaxed);
        old + passed
    }
    /// Lets time pass for the address space. Processes whose lease has run out and their tenants, `most` at most: the caller
    /// sees to it that each is reclaimed. None while somebody has the address space.
    pub(crate) fn silent(&self, most: usize) -> Vec<(u32, Source)> {
        let now = self.now();
        let Some(mut space) = self.try_space() else { return Vec::new() };
        space.advance(now);
        space.silent(now, most)
    }
    /// Other tenants may use the board from now on; what those have who no longer may is given back, and keys of others' processes
    /// that they know are void.
    pub(crate) fn set_tenants(&self, tenants: TenantList) {
        let (Some(auth), Some(keys)) = (&self.auth, &self.keys) else { return };
        self.groups.store(groups::of_tenants(&tenants), Relaxed);
        if let Some(generation) = auth.set_tenants(tenants) {
            keys.void(generation);
        }
        self.space().set_listed(auth.tenants());
        self.revoke(auth);
    }
    /// Who may use the board.
    pub(crate) fn tenants(&self) -> Arc<TenantList> {
        self.auth.as_ref().map_or_else(Arc::default, Auth::tenants)
    }
    /// Ends the processes of those who are no tenants any more.
    pub(crate) fn revoke(&self, auth: &Auth) {
        let tenants = auth.tenants();
        let revoked = self.space().revoke(|key| tenants.find(key).is_some());
        self.stats.count_many(NodeCounter::Revoked, revoked as u64);
    }
    /// Whoever asks: the tenant of the process, where a tag has proved that, else an address.
    pub(crate) fn asker(&self, job: &Job) -> Source {
        let owner = match job.means {
            Means::Tag { .. } => self.owners.find(job.request.pid.get()),
            _ => None,
        };
        owner.unwrap_or(job.source)
    }
    /// Plants a fault, the first one for good.
    #[cfg(feature = "planted-faults")]
    pub(crate) fn plant(&self, fault: PlantedFault) {
        self.planted.get_or_init(|| fault);
    }
    /// The planted fault; only builds with the feature `planted-faults` have one.
    pub(crate) fn planted(&self) -> Option<PlantedFault> {
        if cfg!(feature = "planted-faults") { self.planted.get().copied() } else { None }
    }
    /// The board's description now.
    pub(crate) fn board_info(&self) -> BoardInfo {
        let tick = self.tick();
        let tick_high = self.keys.as_ref().map_or(0, |keys| keys.upper(tick));
        let key_phase = self.keys.as_ref().map_or(0, Keys::phase);
        BoardInfo { tick: tick.get(), tick_high, key_phase, ..self.info }
    }
}

/// Figures of the address space, for those who do not wait for it.
#[derive(Debug, Default)]
pub(crate) struct Census {
    pub(crate) processes: AtomicU64,
    pub(crate) ranges: AtomicU64,
    pub(crate) slots_used: AtomicU64,
    pub(crate) retries: AtomicU64,
    pub(crate) lost_slots: AtomicU64,
}

/// The address space, held by somebody.
pub(crate) struct Held<'a> {
    space: MutexGuard<'a, Space>,
    census: &'a Census,
}

impl Deref for Held<'_> {
    type Target = Space;
    fn deref(&self) -> &Space {
        &self.space
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Space {
        &mut self.space
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let (space, census) = (&*self.space, self.census);
        census.processes.store(space.process_count(), Relaxed);
        census.ranges.store(space.live_ranges(), Relaxed);
        census.slots_used.store(space.slots_used(), Relaxed);
        census.retries.store(space.retries, Relaxed);
        census.lost_slots.store(space.lost_slots, Relaxed);
    }
}
