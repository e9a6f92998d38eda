//! What all requests share: the address space, the answer cache, the counters, the board's description. The poller and the
//! pool's workers use the same core; locks are held for computing only, never while a table command runs.
use crate::answers::Answers;
use crate::config::Config;
use crate::keys::Keys;
use crate::planted::PlantedFault;
use crate::space::Space;
use crate::stats::Stats;
use mneme_wire::Tick;
use mneme_wire::payload::BoardInfo;
use mneme_wire::pte::Geometry;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

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
    space: Mutex<Space>,
    answers: Mutex<Answers>,
    /// The board's tick, widened to 64 bits.
    clock: AtomicU64,
    planted: OnceLock<PlantedFault>,
}

impl Core {
    pub(crate) fn new(config: Config, geometry: Geometry, info: BoardInfo, trailers: bool) -> Core {
        let usable = info.memory >> geometry.page_bits();
        let answers = Answers::new(config.limits.answers, config.slow_window_ticks());
        Core {
            keys: trailers.then(|| Keys::new(&config, info.nonce)),
            space: Mutex::new(Space::new(geometry, usable, &config)),
            answers: Mutex::new(answers),
            stats: Stats::default(),
            clock: AtomicU64::new(0),
            planted: OnceLock::new(),
            geometry,
            info,
            config,
        }
    }
    /// The address space. A worker that panicked left it consistent enough: every change is made under one lock.
    pub(crate) fn space(&self) -> MutexGuard<'_, Space> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub(crate) fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The board's tick at the last poll, widened to 64 bits.
    pub(crate) fn now(&self) -> u64 {
        self.clock.load(Relaxed)
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
    /// Lets time pass for the address space. Processes whose lease has run out.
    pub(crate) fn silent(&self) -> Vec<u32> {
        let now = self.now();
        let mut space = self.space();
        space.advance(now);
        space.silent(now)
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
        BoardInfo { tick: tick.get(), tick_high, ..self.info }
    }
}
