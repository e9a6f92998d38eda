//! A running device: threads for queues, keeper and door, from the start to the end.
//!
//! The door takes connections and makes their handshakes, which take no queue; a client that wants the export gets a free one or is
//! told that there is none. A second socket beside the first tells the figures.
use crate::back::{Failure, Lane, Store};
use crate::device::{Device, Keeper, KeeperOptions};
use crate::nbd::negotiation::{Export, Negotiation, Step};
use crate::queue::{Connection, Queue};
use crate::stats::{QueueStats, Reporter, Snapshot};
use anyhow::{Context, Result, bail};
use crossbeam_channel::{Sender, bounded};
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use smallvec::SmallVec;
use std::fs::Permissions;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Handshakes at a time; who comes beyond that waits to be taken.
const HANDSHAKES: usize = 30;
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Between two looks whether to end.
const LOOK: Duration = Duration::from_millis(100);
/// How long a reader of the figures may take.
const FIGURES: Duration = Duration::from_secs(1);

/// What is served, and where.
#[derive(Debug, Clone)]
pub struct Options {
    /// The socket. Only this user may use it.
    pub socket: PathBuf,
    /// Name and bytes.
    pub export: Export,
    /// Requests under way on each queue.
    pub depth: usize,
    /// Blocks that may wait in RAM.
    pub held: usize,
    /// Chunks kept at hand.
    pub spare: usize,
    /// The back end's name, for the figures.
    pub via: String,
    /// The board's, likewise.
    pub board: Option<String>,
}

/// A running device.
pub struct Server {
    reporter: Arc<Reporter>,
    stop: Arc<AtomicBool>,
    stop_keeper: Arc<AtomicBool>,
    device: Arc<Device>,
    door: JoinHandle<()>,
    queues: Vec<JoinHandle<()>>,
    keeper: JoinHandle<Result<(), Failure>>,
    sockets: [PathBuf; 2],
}

/// The socket of the figures, beside that of the device.
pub fn figures_socket(socket: &Path) -> PathBuf {
    let mut name = socket.as_os_str().to_owned();
    name.push(".stat");
    name.into()
}

/// The figures of a running device.
///
/// # Errors
/// Nobody serves there.
pub fn ask(socket: &Path) -> Result<Snapshot> {
    let path = figures_socket(socket);
    let mut stream = UnixStream::connect(&path)
        .with_context(|| format!("no mneme-swap serves at {}", socket.display()))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut text = String::new();
    stream.read_to_string(&mut text).context("reading the figures")?;
    serde_json::from_str(&text).context("the figures of another version of mneme-swap")
}

/// A socket that nobody else serves; one that somebody left behind is replaced.
fn listen(path: &Path) -> Result<UnixListener> {
    if let Ok(there) = std::fs::symlink_metadata(path) {
        if !there.file_type().is_socket() {
            bail!("{} is there and is no socket", path.display());
        }
        if UnixStream::connect(path).is_ok() {
            bail!("somebody serves at {}", path.display());
        }
        std::fs::remove_file(path).with_context(|| format!("removing {}", path.display()))?;
    }
    let listener = UnixListener::bind(path).with_context(|| format!("the socket {}", path.display()))?;
    // Who may connect reads and writes what was swapped out.
    std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Server {
    /// Starts. One queue for each lane.
    ///
    /// # Errors
    /// The socket cannot be had, or the system has no more threads or descriptors.
    pub fn start(options: Options, store: Box<dyn Store>, lanes: Vec<Box<dyn Lane>>) -> Result<Server> {
        let sockets = [options.socket.clone(), figures_socket(&options.socket)];
        let listeners = match listen(&sockets[0]).and_then(|first| Ok([first, listen(&sockets[1])?])) {
            Ok(listeners) => listeners,
            Err(error) => {
                // What failed first is what is told.
                let _ended = store.end();
                return Err(error);
            }
        };
        let keeping = KeeperOptions {
            size: options.export.size,
            held: options.held,
            spare: options.spare,
            queues: lanes.len(),
        };
        let (keeper, device, bells) = Keeper::new(store, keeping)?;
        let stats: Vec<_> = lanes.iter().map(|_| Arc::new(QueueStats::default())).collect();
        let reporter =
            Arc::new(Reporter::new(Arc::clone(&device), stats.clone(), &options.via, options.board.clone()));
        let (stop, stop_keeper) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let idle = Arc::new(Mutex::new((0..lanes.len()).rev().collect::<Vec<_>>()));
        let mut queues = Vec::new();
        let mut ways = Vec::new();
        for (number, ((lane, bell), stats)) in lanes.into_iter().zip(bells).zip(stats).enumerate() {
            let (way, connections) = bounded(1);
            ways.push(way);
            let queue = Queue::new(Arc::clone(&device), lane, bell, stats, options.depth);
            let (stop, idle) = (Arc::clone(&stop), Arc::clone(&idle));
            let serve = move || queue.run(&connections, &stop, || idle.lock().push(number));
            queues.push(thread(&format!("swap-queue-{number}"), serve)?);
        }
        let door = Door {
            listeners,
            export: options.export,
            device: Arc::clone(&device),
            reporter: Arc::clone(&reporter),
            idle,
            ways,
            pending: Vec::with_capacity(HANDSHAKES),
        };
        let stopped = Arc::clone(&stop);
        let door = thread("swap-door", move || door.run(&stopped))?;
        let stopped = Arc::clone(&stop_keeper);
        let keeper = thread("swap-keeper", move || keeper.run(&stopped))?;
        Ok(Server { reporter, stop, stop_keeper, device, door, queues, keeper, sockets })
    }
    /// The figures now.
    pub fn snapshot(&self) -> Snapshot {
        self.reporter.snapshot()
    }
    /// Ends: no more requests are taken, those under way are answered, the memory is given back. Blocks for as long as operations
    /// are tried, and some seconds for clients that take no replies.
    ///
    /// # Errors
    /// The board did not hear that the process ends: its memory comes back with the lease.
    pub fn end(self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        self.device.ring();
        let gone = |_| anyhow::anyhow!("a thread has panicked");
        self.door.join().map_err(gone)?;
        for queue in self.queues {
            queue.join().map_err(gone)?;
        }
        self.stop_keeper.store(true, Ordering::Relaxed);
        for socket in &self.sockets {
            // Somebody may have removed it.
            let _gone = std::fs::remove_file(socket);
        }
        let ended = self.keeper.join().map_err(gone)?;
        ended.context("the memory was not given back: the board takes it with the lease")
    }
}

fn thread<T: Send + 'static>(name: &str, body: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body).context("starting a thread")
}

/// A client that has not got the export yet.
struct Pending {
    stream: UnixStream,
    negotiation: Negotiation,
    input: Vec<u8>,
    output: Vec<u8>,
    since: Instant,
    /// The queue that was promised, or that the client goes.
    end: Option<Option<usize>>,
}

enum Look {
    Waits,
    Ends,
    Goes(usize),
}

struct Door {
    listeners: [UnixListener; 2],
    export: Export,
    device: Arc<Device>,
    reporter: Arc<Reporter>,
    idle: Arc<Mutex<Vec<usize>>>,
    ways: Vec<Sender<Connection>>,
    pending: Vec<Pending>,
}

impl Door {
    /// Until the flag is set. With it go the ways to the queues, which then end, too.
    fn run(mut self, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            self.sleep();
            if self.pending.len() < HANDSHAKES
                && let Ok((stream, _)) = self.listeners[0].accept()
            {
                self.welcome(stream);
            }
            if let Ok((stream, _)) = self.listeners[1].accept() {
                self.tell(stream);
            }
            let mut number = 0;
            while number < self.pending.len() {
                match self.look(number) {
                    Look::Waits => number += 1,
                    Look::Ends => drop(self.pending.swap_remove(number)),
                    Look::Goes(queue) => {
                        let Pending { stream, input, .. } = self.pending.swap_remove(number);
                        // The queue is idle: it waits for just this.
                        let _taken = self.ways[queue].send(Connection { stream, input });
                    }
                }
            }
            self.reporter.tick();
        }
        for pending in self.pending.drain(..) {
            self.idle.lock().extend(pending.end.flatten());
        }
    }
    fn sleep(&self) {
        let mut all: SmallVec<[PollFd<'_>; 2 + HANDSHAKES]> = SmallVec::new();
        let room = self.pending.len() < HANDSHAKES;
        let flags = |on| if on { PollFlags::IN } else { PollFlags::empty() };
        all.push(PollFd::new(&self.listeners[0], flags(room)));
        all.push(PollFd::new(&self.listeners[1], PollFlags::IN));
        for pending in &self.pending {
            let way = if pending.output.is_empty() { PollFlags::IN } else { PollFlags::OUT };
            all.push(PollFd::new(&pending.stream, way));
        }
        let timeout = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
        if poll(&mut all, Some(&timeout)).is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    fn welcome(&mut self, stream: UnixStream) {
        if stream.set_nonblocking(true).is_err() {
            return;
        }
        let mut output = Vec::new();
        let negotiation = Negotiation::new(self.export.clone(), &mut output);
        let (input, since) = (Vec::new(), Instant::now());
        self.pending.push(Pending { stream, negotiation, input, output, since, end: None });
    }
    /// Tells the figures. A reader that does not take them waits for nobody but itself.
    fn tell(&self, mut stream: UnixStream) {
        let Ok(text) = serde_json::to_string(&self.reporter.snapshot()) else { return };
        let bounded = stream.set_nonblocking(false).and_then(|()| stream.set_write_timeout(Some(FIGURES)));
        if bounded.and_then(|()| stream.write_all(text.as_bytes())).is_err() {
            tracing::debug!("nobody took the figures");
        }
    }

    fn look(&mut self, number: usize) -> Look {
        let pending = &mut self.pending[number];
        let looked = pending.exchange(&self.idle, &self.device);
        match looked {
            Ok(Look::Waits) if pending.since.elapsed() > HANDSHAKE => {}
            Ok(look) => return look,
            Err(why) => tracing::debug!(why, "a handshake failed"),
        }
        self.device.counters.handshakes_failed.add(1);
        self.idle.lock().extend(pending.end.flatten());
        Look::Ends
    }
}

impl Pending {
    fn exchange(&mut self, idle: &Mutex<Vec<usize>>, device: &Device) -> Result<Look, &'static str> {
        if !self.send()? {
            return Ok(Look::Waits);
        }
        match self.end {
            Some(Some(queue)) => return Ok(Look::Goes(queue)),
            Some(None) => return Ok(Look::Ends),
            None => {}
        }
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes) {
            Ok(0) => return Err("the client is gone"),
            Ok(length) => self.input.extend_from_slice(&bytes[..length]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(Look::Waits);
            }
            Err(_) => return Err("the client cannot be read"),
        }
        let mut promised = None;
        let mut admit = || {
            promised = idle.lock().pop();
            if promised.is_none() {
                device.counters.handshakes_refused.add(1);
            }
            promised.is_some()
        };
        match self.negotiation.take(&mut self.input, &mut self.output, &mut admit) {
            Step::More => {}
            Step::Begins => self.end = Some(promised),
            Step::Ended => self.end = Some(None),
            Step::Failed(why) => return Err(why),
        }
        // The next turn of the door sends what is left.
        match (self.send()?, self.end) {
            (true, Some(Some(queue))) => Ok(Look::Goes(queue)),
            (true, Some(None)) => Ok(Look::Ends),
            _ => Ok(Look::Waits),
        }
    }
    /// Answers whether all has left.
    fn send(&mut self) -> Result<bool, &'static str> {
        while !self.output.is_empty() {
            match self.stream.write(&self.output) {
                Ok(0) => return Err("the client is gone"),
                Ok(sent) => drop(self.output.drain(..sent)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err("the client takes no answers"),
            }
        }
        Ok(true)
    }
}
