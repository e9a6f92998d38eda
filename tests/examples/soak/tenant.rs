//! An honest tenant: CLib, a few regions, and a memory of what they must hold.
use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use mneme_clib::{
    AllocOptions, Client, ClientOptions, Credentials, Effect, Error, Integrity, OpenOptions, Pending,
    Process, Reason, SecretKey, TransportConfig, WrittenOwned,
};
use mneme_tests::rig::in_process::BOARD_KEY;
use mneme_tests::yard::{Ground, Raw, Shared, YardDriver, lock};
use mneme_wire::{Cause, Status};
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;

use crate::round::Keyed;

/// Places of a region, the bytes of each, and regions of a tenant.
const PLACES: usize = 6;
const PLACE: u64 = 1_024;
const REGIONS: usize = 4;
/// Asynchronous writes under way.
const PENDING: usize = 4;
/// How long an operation may take, in the board's time.
const GIVE_UP: Duration = Duration::from_millis(5);
/// Nanoseconds of a cycle.
const CYCLE_NS: u64 = 4;
/// Tries to do what must work once nothing is wrong any more.
pub const TRIES: usize = 8;

/// The key of an honest tenant.
pub fn key(number: u8) -> SecretKey {
    SecretKey::from_bytes([20 + number; 32])
}

/// What a place may hold: one of these.
type Place = Vec<Vec<u8>>;

struct Region {
    va: u64,
    places: Vec<Place>,
    /// What a word of it has counted to: no less, no more.
    counted: (u64, u64),
    /// Some of its memory has been written to, so that it has a page.
    touched: bool,
}

struct Flying {
    region: usize,
    place: usize,
    bytes: Vec<u8>,
    call: Pending<WrittenOwned>,
}

/// What a tenant has met.
#[derive(Debug, Clone, Default)]
pub struct Met {
    pub done: u64,
    pub failed: u64,
    pub unknown: u64,
    pub checked: u64,
    pub restarts: u64,
    pub memory_errors: u64,
    /// Times that everything was asked for while nothing was wrong, and given.
    pub served: u64,
}

impl Met {
    pub fn add(&mut self, other: &Met) {
        self.done += other.done;
        self.failed += other.failed;
        self.unknown += other.unknown;
        self.checked += other.checked;
        self.restarts += other.restarts;
        self.memory_errors += other.memory_errors;
        self.served += other.served;
    }
}

/// One tenant on its host.
pub struct Tenant<F: Ground> {
    yard: Shared<F>,
    /// What it proves itself with, on a board that knows keys: then its packets have tags.
    credentials: Option<Credentials>,
    /// The board serves nobody without.
    asked: bool,
    ip: [u8; 4],
    port: u16,
    at_work: Option<(Client, Process)>,
    /// The board's life in which the process was opened.
    life: u64,
    regions: Vec<Region>,
    flying: Vec<Flying>,
    pub met: Met,
    /// Processes that nobody may have ended: those of killed programs, and those whose EXIT nobody knows of.
    pub left_behind: BTreeSet<u32>,
    /// OPENs of which nobody knows.
    pub unknown_opens: u64,
    /// What the last failure said, and for how long nothing may be sent after it.
    last: String,
    held: Option<Duration>,
}

impl<F: Ground> Tenant<F> {
    pub fn new(yard: &Shared<F>, number: u8, keyed: Option<Keyed>) -> Tenant<F> {
        let credentials = keyed.map(|_| Credentials::new(key(number)).board(BOARD_KEY.public()));
        Tenant {
            yard: yard.clone(),
            credentials,
            asked: keyed == Some(Keyed::Asks),
            ip: [10, 78, 1, number + 1],
            port: 20_000,
            at_work: None,
            life: 0,
            regions: Vec::new(),
            flying: Vec::new(),
            met: Met::default(),
            left_behind: BTreeSet::new(),
            unknown_opens: 0,
            last: String::new(),
            held: None,
        }
    }
    /// Does one thing, drawn at random.
    pub fn step(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        let Some((_, process)) = &self.at_work else { return self.begin(random) };
        let page = process.page_size();
        match random.random_range(0..16) {
            0..6 => self.write(random),
            6..9 => self.check_one(random),
            9..11 => self.add(random),
            11 if self.regions.len() < REGIONS => self.alloc(page),
            11..13 => self.reap_calls(true),
            13 => self.free(random),
            14 => self.read_dead(random, page),
            _ => self.fence(),
        }
    }
    /// A client from a port that nobody had before.
    fn connect(&mut self, seed: u64) -> mneme_clib::Result<Client> {
        self.port = self.port.wrapping_add(1).max(20_000);
        let driver = YardDriver::new(&self.yard, self.ip, self.port);
        let transport = TransportConfig { give_up: GIVE_UP, ..TransportConfig::board_time() };
        let credentials = self.credentials.clone();
        let integrity = if credentials.is_some() { Integrity::Tag } else { Integrity::None };
        let options =
            ClientOptions { transport, seed: Some(seed), integrity, credentials, ..ClientOptions::default() };
        Client::connect(driver, options)
    }
    /// Ends the processes of its own that nobody has any more, as `mneme reap` does.
    pub fn reap(&mut self) -> Result<()> {
        let reaper = self.connect(u64::from(self.port))?.reaper()?;
        for process in reaper.processes()? {
            let known = self.left_behind.contains(&process.pid);
            ensure!(known || self.unknown_opens > 0, "process {} was ended, and is there", process.pid);
            self.unknown_opens -= u64::from(!known);
            reaper.reap(process.pid)?;
        }
        self.left_behind.clear();
        self.unknown_opens = 0;
        Ok(())
    }
    /// A client and a process, if the board gives them.
    fn begin(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        let life = lock(&self.yard).life;
        let opened = self.connect(random.next_u64()).and_then(|client| {
            let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() })?;
            Ok((client, process))
        });
        match opened {
            Ok(opened) => {
                // It may have begun anew meanwhile; what was opened belongs to one of its lives.
                self.life = life;
                self.at_work = Some(opened);
                self.met.done += 1;
                Ok(())
            }
            Err(error) => {
                self.unknown_opens += u64::from(error.effect() != Effect::None);
                self.judge(&error, &[Status::NoMemory, Status::Quota])
            }
        }
    }
    /// Whether an error may be: what it says was done is counted, what cannot be ends the run.
    fn judge(&mut self, error: &Error, allowed: &[Status]) -> Result<()> {
        self.last = error.to_string();
        self.held = match error.reason() {
            Some(Reason::Held { left }) => Some(left),
            _ => None,
        };
        match error.effect() {
            Effect::None => self.met.failed += 1,
            _ => self.met.unknown += 1,
        }
        // With tags a STALE by itself proves nothing, so it is no word of a restart: what is gone is gone all the same.
        let unproven = error.reason() == Some(Reason::Unproven { status: Status::Stale });
        if error.is_restart() || unproven {
            ensure!(lock(&self.yard).life != self.life, "told of a restart that was not: {error}");
            self.met.restarts += 1;
            self.lose_all();
            return Ok(());
        }
        if let Some((status, cause)) = error.refusal() {
            let passing = [Status::Busy, Status::Expired, Status::Nack, Status::Stale];
            let fits = passing.contains(&status) || allowed.contains(&status);
            ensure!(fits, "an honest operation was answered {} {}: {error}", status.name(), cause.name());
        }
        Ok(())
    }
    /// The board has forgotten everything, or the program is gone.
    fn lose_all(&mut self) {
        self.flying.clear();
        self.regions.clear();
        self.at_work = None;
    }
    /// The program is killed, in the middle of what it does; nobody ends its process.
    pub fn kill(&mut self) {
        if let Some((_, process)) = &self.at_work {
            self.left_behind.insert(process.pid());
        }
        self.lose_all();
    }
    fn alloc(&mut self, page: u64) -> Result<()> {
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        match process.ralloc_with(page, AllocOptions { own_pages: true, ..AllocOptions::default() }) {
            Ok(va) => {
                let places = vec![vec![vec![0; PLACE as usize]]; PLACES];
                self.regions.push(Region { va, places, counted: (0, 0), touched: false });
                self.met.done += 1;
                Ok(())
            }
            Err(error) => self.judge(&error, &[Status::NoMemory, Status::Quota, Status::MemoryError]),
        }
    }
    /// Everything that writes to a region ends before it is freed.
    fn free(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        self.reap_calls(true)?;
        if self.regions.is_empty() || random.random_ratio(1, 2) {
            return Ok(());
        }
        let region = self.regions.swap_remove(random.random_range(0..self.regions.len()));
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        match process.rfree(region.va) {
            Ok(()) => {
                self.met.done += 1;
                Ok(())
            }
            // The entry could not be changed: the page is given up.
            Err(error) => self.judge(&error, &[Status::MemoryError]),
        }
    }
    fn busy(&self, region: usize, place: usize) -> bool {
        self.flying.iter().any(|call| (call.region, call.place) == (region, place))
    }
    fn write(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        if self.flying.len() >= PENDING {
            return self.reap_calls(false);
        }
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        if self.regions.is_empty() {
            return self.alloc(process.page_size());
        }
        let (region, place) = (random.random_range(0..self.regions.len()), random.random_range(0..PLACES));
        if self.busy(region, place) {
            return Ok(());
        }
        let mut bytes = vec![0; PLACE as usize];
        random.fill_bytes(&mut bytes);
        let va = self.regions[region].va + place as u64 * PLACE;
        let call = process.rwrite_owned_async(va, bytes.clone());
        self.regions[region].places[place].push(bytes.clone());
        self.flying.push(Flying { region, place, bytes, call });
        Ok(())
    }
    /// Takes the results of writes: of one, or of all.
    fn reap_calls(&mut self, all: bool) -> Result<()> {
        let count = if all { self.flying.len() } else { 1 };
        for Flying { region, place, bytes, call } in self.flying.drain(..count).collect::<Vec<_>>() {
            let ended = call.wait();
            let Some(held) = self.regions.get_mut(region) else { continue };
            match ended {
                Ok(_) => {
                    held.places[place] = vec![bytes];
                    held.touched = true;
                    self.met.done += 1;
                }
                Err(error) => {
                    if error.error.effect() == Effect::None {
                        held.places[place].retain(|one| *one != bytes);
                    }
                    // A fault that finds no page is refused for good where there is none.
                    self.judge(&error.error, &[Status::NoMemory])?;
                }
            }
        }
        Ok(())
    }
    fn check_one(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        if self.regions.is_empty() {
            return Ok(());
        }
        let (region, place) = (random.random_range(0..self.regions.len()), random.random_range(0..PLACES));
        if self.busy(region, place) {
            return self.reap_calls(true);
        }
        self.check(region, place)
    }
    /// Reads a place, which must hold what it may hold.
    fn check(&mut self, region: usize, place: usize) -> Result<()> {
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        let va = self.regions[region].va + place as u64 * PLACE;
        let mut bytes = vec![0; PLACE as usize];
        if let Err(error) = process.rread(va, &mut bytes) {
            return self.judge(&error, &[]);
        }
        self.met.checked += 1;
        let held = &mut self.regions[region].places[place];
        let fits = held.contains(&bytes);
        ensure!(fits, "{va:#x} of {:?} holds what nobody wrote, {} could be", self.ip, held.len());
        *held = vec![bytes];
        Ok(())
    }
    fn add(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        if self.regions.is_empty() {
            return Ok(());
        }
        let at = random.random_range(0..self.regions.len());
        let region = &mut self.regions[at];
        match process.fetch_add(region.va + PLACES as u64 * PLACE, 1) {
            Ok(old) => {
                let (least, most) = region.counted;
                ensure!((least..=most).contains(&old), "a word counted to {old}, not to {least}..={most}");
                (region.counted, region.touched) = ((old + 1, old + 1), true);
                self.met.done += 1;
                Ok(())
            }
            Err(error) => {
                if error.effect() != Effect::None {
                    region.counted.1 += 1;
                }
                self.judge(&error, &[Status::NoMemory])
            }
        }
    }
    /// Reads a line that memory does not give: never as if it were well.
    fn read_dead(&mut self, random: &mut ChaCha8Rng, page: u64) -> Result<()> {
        let dead = lock(&self.yard).dead();
        let touched: Vec<u64> = self.regions.iter().filter(|r| r.touched).map(|r| r.va).collect();
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        if dead.is_empty() || touched.is_empty() {
            return Ok(());
        }
        let va = touched[random.random_range(0..touched.len())] / page * page + dead.start;
        let mut bytes = [0; 48];
        match process.rread(va, &mut bytes) {
            Ok(()) => bail!("{va:#x}, a line that memory does not give, was read"),
            Err(error) => {
                let told = error.refusal() == Some((Status::MemoryError, Cause::Dram));
                self.met.memory_errors += u64::from(told);
                self.judge(&error, &[Status::MemoryError])
            }
        }
    }
    fn fence(&mut self) -> Result<()> {
        let Some((_, process)) = &self.at_work else { return Ok(()) };
        match process.rfence() {
            Ok(()) => {
                self.met.done += 1;
                Ok(())
            }
            Err(error) => self.judge(&error, &[]),
        }
    }
    /// Nothing is wrong any more: all that it has is as it must be, and is given back.
    pub fn end(&mut self) -> Result<()> {
        self.reap_calls(true)?;
        let unknown = (self.met.failed, self.met.unknown);
        for region in 0..self.regions.len() {
            for place in 0..PLACES {
                // Told of a restart, it has no regions any more.
                if region < self.regions.len() && !self.insist(region, place)? {
                    return self.end_by_hand();
                }
            }
        }
        if let Some((_, process)) = self.at_work.take() {
            let pid = process.pid();
            match process.exit() {
                Ok(()) => self.met.done += 1,
                Err(error) => {
                    let error = Error::from(error);
                    self.left_behind.insert(pid);
                    let before = (self.met.failed, self.met.unknown);
                    self.judge(&error, &[])?;
                    if self.held.is_some() {
                        // By what went wrong before; that is no failure of now.
                        (self.met.failed, self.met.unknown) = before;
                    }
                }
            }
        }
        self.lose_all();
        let now = (self.met.failed, self.met.unknown);
        let told = lock(&self.yard).life != self.life;
        ensure!(
            told || now == unknown,
            "an operation failed though nothing was wrong any more: {}",
            self.last
        );
        Ok(())
    }
    /// Nothing is wrong, and nobody has anything: it gets a process and a page, which holds what was written, and gives them back.
    /// Who was refused in all of a round would have nothing that does not balance.
    pub fn is_served(&mut self, random: &mut ChaCha8Rng) -> Result<()> {
        let mut word = [0; 8];
        random.fill_bytes(&mut word);
        let asked = self.connect(random.next_u64()).and_then(|client| {
            let process = client.open(OpenOptions { lease: None, ..OpenOptions::default() })?;
            let page = process.page_size();
            let va =
                process.ralloc_with(page, AllocOptions { own_pages: true, ..AllocOptions::default() })?;
            let mut read = [0; 8];
            process.rwrite(va, &word)?;
            process.rread(va, &mut read)?;
            process.rfree(va)?;
            process.exit()?;
            Ok(read)
        });
        let read = asked.with_context(|| format!("{:?} is not served though nothing is wrong", self.ip))?;
        ensure!(read == word, "{:?} has read {read:?}, not {word:?}", self.ip);
        self.met.served += 1;
        Ok(())
    }
    /// Until it has been read: an operation whose outcome is unknown closes memory until its window is over. False: that is the slow
    /// path's window, which is long.
    fn insist(&mut self, region: usize, place: usize) -> Result<bool> {
        let checked = self.met.checked;
        for _ in 0..TRIES {
            let (failed, unknown) = (self.met.failed, self.met.unknown);
            self.check(region, place)?;
            if self.met.checked > checked || self.at_work.is_none() {
                return Ok(true);
            }
            // Held by what went wrong before; that is no failure of now.
            (self.met.failed, self.met.unknown) = (failed, unknown);
            let mut yard = lock(&self.yard);
            let mut cycles = yard.window_cycles();
            match self.held.filter(|left| *left > GIVE_UP) {
                // Nobody else may look.
                Some(left) if self.asked => cycles += left.as_nanos() as u64 / CYCLE_NS,
                Some(_) => return Ok(false),
                None => {}
            }
            yard.pass(cycles)?;
        }
        bail!("memory of {:?} cannot be read though nothing is wrong any more: {}", self.ip, self.last)
    }
    /// Its library waits for a window; somebody else looks at its memory, who knows that no copy is under way any more.
    fn end_by_hand(&mut self) -> Result<()> {
        let Some((_, process)) = self.at_work.take() else { return Ok(()) };
        self.port += 1;
        let mut reader = Raw::new(&self.yard, self.ip, self.port)?;
        for region in &self.regions {
            for (number, place) in region.places.iter().enumerate() {
                let answer = reader.read(process.pid(), region.va + number as u64 * PLACE, PLACE as u16)?;
                ensure!(answer.is_ok(), "a READ was answered {}", answer.words());
                ensure!(
                    place.contains(&answer.payload),
                    "{:#x} of {:?} holds what nobody wrote",
                    region.va,
                    self.ip
                );
                self.met.checked += 1;
            }
        }
        self.left_behind.insert(process.pid());
        self.lose_all();
        Ok(())
    }
}
