//! A queue: a thread that serves one connection at a time, with buffers and a lane of its own, all made at the start.
//!
//! `inbound` takes requests apart into units, `outbound` puts replies together, this file looks after what lies between: units that
//! wait for memory, that are under way on the lane, that have ended.
mod inbound;
mod outbound;

use crate::UNIT;
use crate::back::{Access, Ended, Failure, Lane, Order};
use crate::device::{Device, Mask, ReadStart, WriteStart};
use crate::nbd::{Command, Errno, RequestHead};
use crate::stats::QueueStats;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use inbound::{Feed, Input};
use outbound::Output;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::read;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Units of a queue at least: two of the longest requests, so that one that waits for a unit has others to wait for.
const UNITS_MIN: usize = 2 * (crate::REQUEST_MAX / UNIT) as usize;
/// No unit.
const NONE: u32 = u32::MAX;
/// How long a client may take for its last replies when the server ends.
const LAST: Duration = Duration::from_secs(10);
/// Between two looks at what nobody tells.
const LOOK: Duration = Duration::from_millis(500);

/// Units of a queue of so many requests: its lane's depth.
pub fn units(depth: usize) -> u32 {
    depth.max(UNITS_MIN) as u32
}

/// A client whose handshake is done.
#[derive(Debug)]
pub struct Connection {
    /// To it; does not block.
    pub stream: UnixStream,
    /// What it has sent behind the handshake.
    pub input: Vec<u8>,
}

/// A buffer, and what it is for.
struct Unit {
    bytes: Vec<u8>,
    request: u32,
    /// The request's next unit.
    next: u32,
    at: u64,
    va: u64,
    mask: Mask,
    /// Of a discard: the blocks that are freed.
    frees: Option<u16>,
}

struct Request {
    head: RequestHead,
    errno: Errno,
    /// Units that have not ended.
    left: u32,
    /// All its units have begun.
    whole: bool,
    first: u32,
    last: u32,
    began: Instant,
}

/// Why a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The client went as it may.
    Left,
    /// It is gone.
    Cut,
    /// What it sent is no request.
    Malformed,
    /// The server ends.
    Stopped,
}

/// The queue.
pub struct Queue {
    device: Arc<Device>,
    lane: Box<dyn Lane>,
    bell: Arc<OwnedFd>,
    stats: Arc<QueueStats>,
    units: Vec<Unit>,
    free_units: Vec<u32>,
    requests: Vec<Request>,
    free_requests: Vec<u32>,
    /// Units that wait for memory.
    waiting: Vec<u32>,
    /// Requests that have ended and whose replies have not left.
    done: VecDeque<u32>,
    input: Input,
    feed: Option<Feed>,
    output: Output,
    leaving: bool,
    stopping: Option<Instant>,
}

impl Queue {
    /// Makes a queue of `depth` requests; its lane must take [`units`] of that.
    pub fn new(
        device: Arc<Device>,
        lane: Box<dyn Lane>,
        bell: Arc<OwnedFd>,
        stats: Arc<QueueStats>,
        depth: usize,
    ) -> Queue {
        let count = units(depth);
        let unit = |_| Unit {
            bytes: Vec::with_capacity(UNIT as usize),
            request: 0,
            next: NONE,
            at: 0,
            va: 0,
            mask: Mask::default(),
            frees: None,
        };
        let head = RequestHead { flags: 0, command: Command::Flush, cookie: 0, offset: 0, length: 0 };
        let request = |_| Request {
            head,
            errno: Errno::Ok,
            left: 0,
            whole: false,
            first: NONE,
            last: NONE,
            began: Instant::now(),
        };
        Queue {
            device,
            lane,
            bell,
            stats,
            units: (0..count).map(unit).collect(),
            free_units: (0..count).rev().collect(),
            requests: (0..depth).map(request).collect(),
            free_requests: (0..depth as u32).rev().collect(),
            waiting: Vec::with_capacity(count as usize),
            done: VecDeque::with_capacity(depth),
            input: Input::new(),
            feed: None,
            output: Output::new(),
            leaving: false,
            stopping: None,
        }
    }

    /// Serves connections, one after the other, until the other end of `connections` is gone. `idle` is called when the queue is
    /// free again.
    pub fn run(mut self, connections: &Receiver<Connection>, stop: &AtomicBool, idle: impl Fn()) {
        loop {
            let connection = match connections.recv_timeout(LOOK) {
                Ok(connection) => connection,
                // The board asks whether a silent lane is still there.
                Err(RecvTimeoutError::Timeout) => {
                    self.collect();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            self.device.counters.connections.add(1);
            self.stats.in_use.store(1, Ordering::Relaxed);
            self.serve(connection, stop);
            self.stats.in_use.store(0, Ordering::Relaxed);
            idle();
        }
    }

    /// Serves a connection to its end, and until nothing of it is under way any more.
    pub fn serve(&mut self, connection: Connection, stop: &AtomicBool) {
        self.input.begin(&connection.input);
        let end = loop {
            if let Err(end) = self.turn(&connection.stream, stop) {
                break end;
            }
        };
        match end {
            End::Cut => self.device.counters.connections_cut.add(1),
            End::Malformed => self.device.counters.requests_malformed.add(1),
            End::Left | End::Stopped => {}
        }
        tracing::debug!(?end, "a connection has ended");
        self.drain();
        drop(connection);
    }

    /// Requests that have not been answered.
    fn under_way(&self) -> usize {
        self.requests.len() - self.free_requests.len()
    }

    fn turn(&mut self, stream: &UnixStream, stop: &AtomicBool) -> Result<(), End> {
        let stopping = stop.load(Ordering::Relaxed);
        self.receive(stream, stopping)?;
        self.lane.flush();
        self.collect();
        self.output_replies(stream)?;
        self.stats.under_way.store(self.under_way() as u64, Ordering::Relaxed);
        let fed = usize::from(self.feed.is_some());
        if (self.leaving || stopping) && self.under_way() <= fed && self.output.is_empty() {
            return Err(if self.leaving { End::Left } else { End::Stopped });
        }
        if stopping && self.stopping.get_or_insert_with(Instant::now).elapsed() > LAST {
            return Err(End::Stopped);
        }
        // What has just ended may have made room for what had none.
        if self.can_go_on(stopping) {
            return Ok(());
        }
        self.sleep(stream, stopping)
    }

    /// Whether input at hand can be taken now.
    fn can_go_on(&self, stopping: bool) -> bool {
        match &self.feed {
            Some(feed) => feed.can_go_on(&self.input, !self.free_units.is_empty()),
            None => !self.leaving && !stopping && !self.free_requests.is_empty() && self.input.has_request(),
        }
    }
    /// Whether more input can be of use.
    fn wants_input(&self, stopping: bool) -> bool {
        match &self.feed {
            Some(feed) => feed.wants_input(!self.free_units.is_empty()),
            None => !self.leaving && !stopping && !self.free_requests.is_empty(),
        }
    }

    fn sleep(&mut self, stream: &UnixStream, stopping: bool) -> Result<(), End> {
        let mut flags = PollFlags::empty();
        let listens = self.wants_input(stopping);
        flags.set(PollFlags::IN, listens);
        flags.set(PollFlags::OUT, !self.output.is_empty());
        let longest = self.lane.wait().map_or(LOOK, |wait| wait.min(LOOK));
        let timeout = timespec(longest);
        let rung = {
            let socket = PollFd::new(stream, flags);
            let bell = PollFd::new(&*self.bell, PollFlags::IN);
            let mut all = match self.lane.descriptor() {
                Some(lane) => [socket, bell, PollFd::from_borrowed_fd(lane, PollFlags::IN)],
                // Twice the same: nobody else tells anything.
                None => [socket, bell, PollFd::new(&*self.bell, PollFlags::IN)],
            };
            match poll(&mut all, Some(&timeout)) {
                Ok(0) => self.stats.sent_again.store(self.lane.sent_again(), Ordering::Relaxed),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => {}
                // Out of memory: time passes all the same.
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
            if !listens && all[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
                return Err(End::Cut);
            }
            all[1].revents().contains(PollFlags::IN)
        };
        if rung {
            self.rung();
        }
        Ok(())
    }

    /// The bell: chunks may have got memory.
    fn rung(&mut self) {
        let mut count = [0; 8];
        // Nothing to read is as good.
        let _unreadable = read(&*self.bell, &mut count);
        for _ in 0..self.waiting.len() {
            // Those that still wait go to the end.
            let unit = self.waiting.remove(0);
            self.begin_write(unit);
        }
    }

    /// Begins a unit's write.
    fn begin_write(&mut self, unit: u32) {
        let of = &mut self.units[unit as usize];
        match self.device.begin_write(of.at, &of.bytes) {
            WriteStart::Done => self.end_unit(unit, Ok(())),
            WriteStart::Wait => self.waiting.push(unit),
            WriteStart::Failed(failure) => self.end_unit(unit, Err(failure)),
            WriteStart::Board(va, live) => self.submit(unit, Access::Write, va, live),
        }
    }
    /// Begins a unit's read.
    fn begin_read(&mut self, unit: u32) {
        let of = &mut self.units[unit as usize];
        match self.device.begin_read(of.at, &mut of.bytes) {
            ReadStart::Done => self.end_unit(unit, Ok(())),
            ReadStart::Board(va, mask) => {
                of.mask = mask;
                self.submit(unit, Access::Read, va, mask.live());
            }
        }
    }
    fn submit(&mut self, unit: u32, access: Access, va: u64, blocks: u16) {
        let of = &mut self.units[unit as usize];
        of.va = va;
        let bytes = std::mem::take(&mut of.bytes);
        self.lane.submit(Order { tag: unit, access, va, blocks, bytes });
    }

    /// Takes what the lane has ended.
    fn collect(&mut self) {
        while let Some(Ended { tag, bytes, result }) = self.lane.poll() {
            let of = &mut self.units[tag as usize];
            of.bytes = bytes;
            if let Some(blocks) = of.frees {
                self.device.end_discard(of.at, blocks, result);
                // The blocks read as zeros in any case.
                self.end_unit(tag, Ok(()));
                continue;
            }
            let ended = match (self.requests[of.request as usize].head.command, result) {
                (Command::Read, Ok(())) => match self.device.end_read(of.at, &mut of.bytes, of.mask) {
                    Some(mask) => {
                        self.read_again(tag, mask);
                        continue;
                    }
                    None => Ok(()),
                },
                (Command::Read, Err(failure)) => match self.device.fail_read(of.at, of.mask) {
                    Some(mask) => {
                        self.read_again(tag, mask);
                        continue;
                    }
                    None => Err(failure),
                },
                (_, result) => self.device.end_write(of.at, &of.bytes, result),
            };
            self.end_unit(tag, ended);
        }
    }

    fn read_again(&mut self, unit: u32, mask: Mask) {
        let of = &mut self.units[unit as usize];
        of.mask = mask;
        let va = of.va;
        self.device.counters.reads_again.add(1);
        self.submit(unit, Access::Read, va, mask.live());
        self.lane.flush();
    }

    /// A unit has ended. A read's bytes stay in it until they have left.
    fn end_unit(&mut self, unit: u32, result: Result<(), Failure>) {
        let number = self.units[unit as usize].request;
        let request = &mut self.requests[number as usize];
        if let Err(failure) = result {
            self.device.counters.failed(failure);
            request.errno = match failure {
                Failure::NoMemory => Errno::NoSpace,
                _ => Errno::Io,
            };
        }
        if request.head.command != Command::Read {
            self.free_units.push(unit);
        }
        request.left -= 1;
        self.look_whether_done(number);
    }
    fn look_whether_done(&mut self, number: u32) {
        let request = &self.requests[number as usize];
        if request.left == 0 && request.whole {
            self.done.push_back(number);
        }
    }

    /// The connection has ended: waits for what is under way, and forgets the rest.
    fn drain(&mut self) {
        let free = |queue: &Queue| {
            // Units of reads that have ended lie with their requests.
            let ended: usize = queue.requests.iter().filter(|request| request.left > 0).count();
            ended == 0
        };
        // Half a unit that the client did not send is nobody's.
        if let Some(unit) = self.feed.take().and_then(|feed| feed.unit()) {
            let request = self.units[unit as usize].request;
            self.requests[request as usize].left -= 1;
        }
        while !free(self) {
            self.rung();
            self.lane.flush();
            self.collect();
            let wait = self.lane.wait().map_or(LOOK, |wait| wait.min(LOOK)).min(Duration::from_millis(20));
            match self.lane.descriptor() {
                Some(lane) => {
                    let mut all = [PollFd::from_borrowed_fd(lane, PollFlags::IN)];
                    if poll(&mut all, Some(&timespec(wait))).is_err() {
                        std::thread::yield_now();
                    }
                }
                None => std::thread::sleep(wait),
            }
        }
        let (units, requests) = (self.units.len() as u32, self.requests.len() as u32);
        self.free_units.clear();
        self.free_units.extend((0..units).rev());
        self.free_requests.clear();
        self.free_requests.extend((0..requests).rev());
        for request in &mut self.requests {
            (request.left, request.whole) = (0, false);
        }
        self.waiting.clear();
        self.done.clear();
        self.output.clear();
        self.leaving = false;
        self.stats.under_way.store(0, Ordering::Relaxed);
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("under_way", &self.under_way()).finish_non_exhaustive()
    }
}
