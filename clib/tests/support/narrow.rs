//! A driver whose path carries longer or shorter datagrams as a test says, and that finds out as a socket does: when
//! the system refuses one.
use super::{PAGE, Shared};
use mneme_clib::driver::Take;
use mneme_clib::{Client, Driver, DriverError, OpenOptions, Process};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What the path is like.
#[derive(Debug)]
pub struct Path {
    /// Bytes of the longest datagram.
    pub carries: usize,
    /// It carries so many from the datagram of that number on.
    pub changes: VecDeque<(u64, usize)>,
    /// Datagrams offered to it so far.
    pub offered: u64,
    /// Datagrams refused as too long.
    pub refused: u64,
    /// The next flush fails after so many datagrams.
    pub fails_after: Option<usize>,
    /// The next receive that waits fails.
    pub hears_no_more: bool,
}

impl Path {
    fn refuses(&mut self, length: usize) -> bool {
        self.offered += 1;
        while let Some(&(at, carries)) = self.changes.front()
            && at <= self.offered
        {
            self.carries = carries;
            self.changes.pop_front();
        }
        let refused = length > self.carries;
        self.refused += u64::from(refused);
        refused
    }
}

/// The driver, in front of the virtual board.
pub struct Narrow {
    world: Shared,
    path: Arc<Mutex<Path>>,
    /// What the driver takes the path for.
    known: usize,
    line: Vec<Vec<u8>>,
    back: Vec<Vec<u8>>,
}

impl Narrow {
    pub fn new(world: &Shared, carries: usize) -> (Narrow, Arc<Mutex<Path>>) {
        let (offered, refused, changes, fails_after, hears_no_more) = Default::default();
        let path = Path { carries, changes, offered, refused, fails_after, hears_no_more };
        let path = Arc::new(Mutex::new(path));
        let (line, back) = Default::default();
        (Narrow { world: world.clone(), path: Arc::clone(&path), known: carries, line, back }, path)
    }
}

fn broken(what: &'static str) -> DriverError {
    DriverError::Io { what, source: std::io::Error::from_raw_os_error(5) }
}

impl Driver for Narrow {
    fn send(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), DriverError> {
        assert!(length <= self.known, "{length} bytes, and the driver takes {}", self.known);
        let mut datagram = vec![0; length];
        fill(&mut datagram);
        self.line.push(datagram);
        Ok(())
    }
    fn flush(&mut self) -> Result<(), DriverError> {
        let mut path = self.path.lock().unwrap();
        for datagram in std::mem::take(&mut self.line) {
            let failed = match &mut path.fails_after {
                Some(0) => true,
                Some(left) => {
                    *left -= 1;
                    false
                }
                None => false,
            };
            if failed || path.refuses(datagram.len()) {
                self.back.push(datagram);
            } else {
                self.world.with(|world| world.send(&datagram));
            }
        }
        if path.fails_after == Some(0) {
            path.fails_after = None;
            return Err(broken("cannot send to the board"));
        }
        if !self.back.is_empty() || path.carries > self.known {
            self.known = path.carries;
        }
        Ok(())
    }
    fn take_back(&mut self, back: &mut dyn FnMut(&[u8])) {
        self.back.drain(..).for_each(|datagram| back(&datagram));
    }
    fn receive(&mut self, wait: Duration, take: &mut Take) -> Result<usize, DriverError> {
        let (carries, mut came) = (self.path.lock().unwrap().carries, 0);
        if !wait.is_zero() && std::mem::take(&mut self.path.lock().unwrap().hears_no_more) {
            return Err(broken("cannot receive from the board"));
        }
        self.world.receive(wait, &mut |at, datagram| {
            // A router loses what is too long.
            if datagram.len() <= carries {
                came += 1;
                take(at, datagram);
            }
        })?;
        // Silence makes a driver ask the system.
        if came == 0 && !wait.is_zero() {
            self.known = carries;
        }
        Ok(came)
    }
    fn now(&self) -> Duration {
        self.world.now()
    }
    fn max_datagram(&self) -> usize {
        self.known
    }
    fn peer(&self) -> String {
        self.world.peer()
    }
}

/// A client of the virtual board over such a path, with memory.
pub struct Rig {
    pub world: Shared,
    pub path: Arc<Mutex<Path>>,
    pub client: Client,
    pub process: Process,
    /// Two pages.
    pub va: u64,
}

#[allow(dead_code)] // tests of one kind each
impl Rig {
    pub fn new(seed: u64, carries: usize) -> Rig {
        let world = Shared::new(seed);
        let (driver, path) = Narrow::new(&world, carries);
        let client = Client::connect(driver, Shared::options()).expect("connect");
        let process = client.open(OpenOptions::default()).expect("open");
        let va = process.ralloc(2 * PAGE).expect("alloc");
        Rig { world, path, client, process, va }
    }
    pub fn path<T>(&self, change: impl FnOnce(&mut Path) -> T) -> T {
        change(&mut self.path.lock().unwrap())
    }
    /// After so many more datagrams sending fails once.
    pub fn fail_after(&self, datagrams: usize) {
        self.path(|path| path.fails_after = Some(datagrams));
    }
    pub fn fail_receiving(&self) {
        self.path(|path| path.hears_no_more = true);
    }
    /// Bytes read, whatever the path is like.
    pub fn read(&self, va: u64, length: usize) -> Vec<u8> {
        let mut into = vec![0; length];
        self.process.rread(va, &mut into).expect("read");
        into
    }
    pub fn outgrown(&self) -> u64 {
        self.client.statistics().transport.outgrown
    }
}
