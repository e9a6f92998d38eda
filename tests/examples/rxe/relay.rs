//! The cable between the guest and the board's system: it passes frames as they are, and may lose, double and delay those of RoCEv2.
use std::collections::{BTreeMap, VecDeque};
use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::reads::{Brought, Reads};
use crate::seen::{Counts, Seen, Way};
use crate::tap::Tap;

/// Bytes of a frame, at most.
const FRAME_MAX: usize = 65_536;
/// How long a frame that is delayed lags behind, at most.
const DELAY: Duration = Duration::from_millis(20);
/// Frames that are delayed, and frames that wait for QEMU to take them, at most; more are lost. The longest burst is that of two READs of
/// a megabyte in packets of 256 bytes.
const WAITING: usize = 16_384;

/// What happens to frames of RoCEv2: how many of a thousand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weather {
    /// Lost.
    pub lost: u32,
    /// Sent twice.
    pub doubled: u32,
    /// Sent later than those behind them.
    pub delayed: u32,
    /// Of two spans of so many milliseconds frames to the guest pass in one; those that come in the other one wait for its end.
    pub halts: u32,
}

struct Shared {
    seen: Seen,
    weather: Weather,
    /// What the weather did: lost, doubled, delayed.
    done: [u64; 3],
    /// The guest's end is being pulled out.
    unplug: bool,
    error: Option<String>,
}

/// The cable.
pub struct Relay {
    shared: Arc<Mutex<Shared>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The cable's end at the guest.
fn bind(own: &Path) -> Result<UnixDatagram> {
    let socket = UnixDatagram::bind(own).with_context(|| format!("binding {}", own.display()))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

impl Relay {
    /// Pulls the guest's end out, before another guest is plugged in: the socket is QEMU's whose frames came first.
    pub fn unplug(&self) -> Result<()> {
        lock(&self.shared).unplug = true;
        let until = Instant::now() + Duration::from_secs(5);
        while lock(&self.shared).unplug {
            self.counts()?;
            ensure!(Instant::now() < until, "the relay does not answer");
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
    /// Lays it from the system's card to the guest, whose frames come to the socket `own` and go to the socket `guest`.
    pub fn lay(tap: Tap, own: &Path, guest: &Path, capture: &Path, seed: u64) -> Result<Relay> {
        let socket = bind(own)?;
        let shared = Arc::new(Mutex::new(Shared {
            seen: Seen::new(capture)?,
            weather: Weather::default(),
            done: [0; 3],
            unplug: false,
            error: None,
        }));
        let stop = Arc::new(AtomicBool::new(false));
        let mut cable = Cable {
            tap,
            socket,
            own: own.to_owned(),
            guest: guest.to_owned(),
            shared: shared.clone(),
            rng: ChaCha12Rng::seed_from_u64(seed),
            began: Instant::now(),
            waiting: BTreeMap::new(),
            next: 0,
            to_guest: VecDeque::new(),
            connected: false,
        };
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            if let Err(error) = cable.run(&stopped) {
                lock(&cable.shared).error = Some(format!("{error:#}"));
            }
        });
        Ok(Relay { shared, stop, thread: Some(thread) })
    }
    /// From now on.
    pub fn set_weather(&self, weather: Weather) {
        lock(&self.shared).weather = weather;
    }
    /// Frames that the weather has lost, doubled, delayed so far.
    pub fn weathered(&self) -> [u64; 3] {
        lock(&self.shared).done
    }
    /// Lets so many of the next frames be captured.
    pub fn capture(&self, frames: u64) {
        lock(&self.shared).seen.capture(frames);
    }
    /// Looks at what READs bring, from now on.
    pub fn watch(&self, reads: Reads) {
        lock(&self.shared).seen.reads = Some(reads);
    }
    /// What they have brought.
    pub fn brought(&self) -> Brought {
        lock(&self.shared).seen.reads.take().map(Reads::end).unwrap_or_default()
    }
    /// What has passed. An error tells why nothing passes any more.
    pub fn counts(&self) -> Result<Counts> {
        let shared = lock(&self.shared);
        match &shared.error {
            Some(error) => bail!("the relay has ended: {error}"),
            None => Ok(shared.seen.counts()),
        }
    }
    /// Frames in the capture, which is whole on disk then.
    pub fn captured(&self) -> Result<u64> {
        lock(&self.shared).seen.captured()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It tells its errors otherwise.
            let _ = thread.join();
        }
    }
}

struct Cable {
    tap: Tap,
    socket: UnixDatagram,
    own: PathBuf,
    guest: PathBuf,
    shared: Arc<Mutex<Shared>>,
    rng: ChaCha12Rng,
    began: Instant,
    /// Frames that are delayed, by when they go.
    waiting: BTreeMap<(Instant, u64), (Way, Vec<u8>)>,
    next: u64,
    /// Frames for the guest. QEMU's socket holds ten.
    to_guest: VecDeque<Vec<u8>>,
    /// QEMU's socket is there.
    connected: bool,
}

impl Cable {
    fn run(&mut self, stop: &AtomicBool) -> Result<()> {
        let mut frame = vec![0; FRAME_MAX];
        while !stop.load(Ordering::Relaxed) {
            let mut any = false;
            if lock(&self.shared).unplug {
                self.unplug()?;
            }
            if let Some(length) = self.tap.receive(&mut frame).context("reading the card")? {
                self.pass(Way::ToGuest, &frame[..length])?;
                any = true;
            }
            match self.socket.recv(&mut frame) {
                Ok(length) => {
                    if !self.connected {
                        self.socket.connect(&self.guest).context("reaching QEMU's socket")?;
                        self.connected = true;
                    }
                    self.pass(Way::ToBoard, &frame[..length])?;
                    any = true;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error).context("reading the guest's frames"),
            }
            let now = Instant::now();
            while let Some(first) = self.waiting.first_entry().filter(|first| first.key().0 <= now) {
                let (way, frame) = first.remove();
                self.send(way, &frame)?;
            }
            self.give()?;
            if !any {
                self.wait(now)?;
            }
        }
        Ok(())
    }

    /// What is under way to the guest is lost.
    fn unplug(&mut self) -> Result<()> {
        std::fs::remove_file(&self.own).with_context(|| format!("removing {}", self.own.display()))?;
        self.socket = bind(&self.own)?;
        self.connected = false;
        self.to_guest.clear();
        lock(&self.shared).unplug = false;
        Ok(())
    }

    /// Waits for a frame, or until one is due, a hundredth of a second at most.
    fn wait(&self, now: Instant) -> Result<()> {
        let most = Duration::from_millis(10);
        let due = self.waiting.keys().next().map_or(most, |(at, _)| at.saturating_duration_since(now));
        let most = Timespec { tv_sec: 0, tv_nsec: due.min(most).subsec_nanos().into() };
        let mut flags = PollFlags::IN;
        let tap = PollFd::from_borrowed_fd(self.tap.as_fd(), flags);
        flags.set(PollFlags::OUT, !self.to_guest.is_empty());
        let socket = PollFd::from_borrowed_fd(self.socket.as_fd(), flags);
        match poll(&mut [tap, socket], Some(&most)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error).context("waiting for frames"),
        }
    }

    fn pass(&mut self, way: Way, frame: &[u8]) -> Result<()> {
        let mut shared = lock(&self.shared);
        let is_roce = shared.seen.frame(way, frame)?;
        let Weather { lost, doubled, delayed, halts } = shared.weather;
        if !is_roce || shared.weather == Weather::default() {
            drop(shared);
            return self.send(way, frame);
        }
        if halts > 0 && way == Way::ToGuest {
            drop(shared);
            let (passed, span) = (self.began.elapsed().as_millis() as u32, halts);
            let left = if passed / span % 2 == 0 { 0 } else { span - passed % span };
            self.later(way, frame, Duration::from_millis(left.into()));
            return Ok(());
        }
        let drawn = self.rng.random_range(0..1000);
        let which = [lost, lost + doubled, lost + doubled + delayed].iter().position(|end| drawn < *end);
        if let Some(which) = which {
            shared.done[which] += 1;
        }
        drop(shared);
        match which {
            Some(0) => Ok(()),
            Some(1) => self.send(way, frame).and_then(|()| self.send(way, frame)),
            Some(_) if self.waiting.len() < WAITING => {
                let late = self.rng.random_range(Duration::ZERO..DELAY);
                self.later(way, frame, late);
                Ok(())
            }
            Some(_) => Ok(()),
            None => self.send(way, frame),
        }
    }

    fn later(&mut self, way: Way, frame: &[u8], late: Duration) {
        self.next += 1;
        self.waiting.insert((Instant::now() + late, self.next), (way, frame.to_vec()));
    }

    fn send(&mut self, way: Way, frame: &[u8]) -> Result<()> {
        if way == Way::ToBoard {
            return self.tap.send(frame).context("writing to the card");
        }
        // Nobody is there before it has sent something.
        if self.connected && self.to_guest.len() < WAITING {
            self.to_guest.push_back(frame.to_vec());
        }
        Ok(())
    }

    /// Gives QEMU what its socket has room for.
    fn give(&mut self) -> Result<()> {
        while let Some(frame) = self.to_guest.pop_front() {
            match self.socket.send(&frame) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.to_guest.push_front(frame);
                    break;
                }
                Err(error) => return Err(error).context("sending to the guest"),
            }
        }
        Ok(())
    }
}
