//! Asynchronous requests: those that have not ended, and those whose end nobody has asked for yet. Bounded in number and bytes.
use super::progress::Progress;
use crate::driver::{Driver, DriverError};
use crate::error::{Error, Result};
use crate::order::{Order, RequestId};
use crate::stats::Statistics;
use crate::transport::{Answer, Call, Finished, Token, Transport};
use mneme_wire::Pid;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Answers of a request's packets, each with its offset in the caller's buffer.
pub(crate) type Answers = Vec<(usize, Answer)>;

/// Bounds of what asynchronous calls may leave behind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) requests: usize,
    pub(crate) bytes: usize,
}

#[derive(Debug)]
struct Request {
    pid: Pid,
    calls: VecDeque<(usize, Call)>,
    progress: Progress,
    answers: Answers,
    bytes: usize,
    /// The ordering layer let it go.
    started: bool,
    /// Nobody will ask how it ended.
    detached: bool,
}

/// All asynchronous requests of a client.
#[derive(Debug)]
pub(super) struct Outstanding {
    bounds: Bounds,
    active: BTreeMap<RequestId, Request>,
    ended: HashMap<RequestId, (usize, Result<Answers>)>,
    owners: HashMap<Token, RequestId>,
    bytes: usize,
    /// First errors of requests that nobody asked about, one per process.
    lost: HashMap<Pid, Error>,
}

impl Outstanding {
    pub(super) fn new(bounds: Bounds) -> Self {
        Outstanding {
            bounds,
            active: BTreeMap::new(),
            ended: HashMap::new(),
            owners: HashMap::new(),
            bytes: 0,
            lost: HashMap::new(),
        }
    }
    /// Whether another request of so many bytes may be added.
    pub(super) fn admit(&self, bytes: usize) -> Result<()> {
        let requests = self.active.len() + self.ended.len();
        if requests < self.bounds.requests && self.bytes.saturating_add(bytes) <= self.bounds.bytes {
            return Ok(());
        }
        let Bounds { requests: most_requests, bytes: most_bytes } = self.bounds;
        Err(Error::QueueFull { requests, bytes: self.bytes, asked: bytes, most_requests, most_bytes })
    }
    /// Adds a request that was admitted.
    pub(super) fn insert(&mut self, id: RequestId, pid: Pid, calls: VecDeque<(usize, Call)>) {
        let bytes = calls.iter().map(|(_, call)| usize::from(call.length)).sum();
        self.bytes += bytes;
        let request = Request {
            pid,
            calls,
            progress: Progress::default(),
            answers: Vec::new(),
            bytes,
            started: false,
            detached: false,
        };
        self.active.insert(id, request);
    }
    /// Hands packets to the transport while it has room, the oldest requests first.
    pub(super) fn start(&mut self, order: &mut Order, transport: &mut Transport, driver: &dyn Driver) {
        let mut over = Vec::new();
        for (id, request) in &mut self.active {
            request.started = request.started || order.may_start(*id);
            while request.started && request.progress.error.is_none() && transport.has_room() {
                let Some(call) = request.calls.pop_front() else { break };
                if let Some(token) = request.progress.begin(transport, driver, call) {
                    self.owners.insert(token, *id);
                }
            }
            if request.is_over() {
                over.push(*id);
            }
            if !transport.has_room() {
                break;
            }
        }
        over.into_iter().for_each(|id| self.finish(id, order));
    }
    /// Takes the end of a packet, if it belongs to a request of these.
    pub(super) fn end(
        &mut self,
        ended: Finished,
        order: &mut Order,
        statistics: &mut Statistics,
        driver: &dyn Driver,
    ) -> Option<Finished> {
        let Some(id) = self.owners.remove(&ended.0) else { return Some(ended) };
        let request = self.active.get_mut(&id)?;
        request.answers.extend(request.progress.end(ended, statistics, driver));
        if request.is_over() {
            self.finish(id, order);
        }
        None
    }
    fn finish(&mut self, id: RequestId, order: &mut Order) {
        let Some(request) = self.active.remove(&id) else { return };
        order.finish(id);
        let result = request.progress.error.map_or(Ok(request.answers), Err);
        match result {
            result if !request.detached => drop(self.ended.insert(id, (request.bytes, result))),
            Err(error) => self.lose(request.pid, request.bytes, error),
            Ok(_) => self.bytes -= request.bytes,
        }
    }
    fn lose(&mut self, pid: Pid, bytes: usize, error: Error) {
        self.bytes -= bytes;
        if self.lost.len() < self.bounds.requests {
            self.lost.entry(pid).or_insert(error);
        }
    }
    /// The driver is gone and the transport has ended what was in flight: what waited for its turn ends too.
    pub(super) fn abandon(&mut self, order: &mut Order) {
        let ids: Vec<RequestId> = self.active.keys().copied().collect();
        for id in ids {
            if let Some(request) = self.active.get_mut(&id) {
                let unsent =
                    || DriverError::Ended("the driver failed before the request was sent".into()).into();
                request.progress.error.get_or_insert_with(unsent);
            }
            self.finish(id, order);
        }
        self.owners.clear();
    }
    /// How a request ended, once.
    pub(super) fn take(&mut self, id: RequestId) -> Option<Result<Answers>> {
        let (bytes, result) = self.ended.remove(&id)?;
        self.bytes -= bytes;
        Some(result)
    }
    /// Nobody will ask how a request ends: an error is kept for [`Outstanding::take_lost`].
    pub(super) fn detach(&mut self, id: RequestId, pid: Pid) {
        if let Some(request) = self.active.get_mut(&id) {
            request.detached = true;
        } else if let Some((bytes, result)) = self.ended.remove(&id) {
            match result {
                Err(error) => self.lose(pid, bytes, error),
                Ok(_) => self.bytes -= bytes,
            }
        }
    }
    /// The first error of the requests of a process that nobody asked about.
    pub(super) fn take_lost(&mut self, pid: Pid) -> Option<Error> {
        self.lost.remove(&pid)
    }
}

impl Request {
    /// Nothing of it is under way, and nothing more will be.
    fn is_over(&self) -> bool {
        self.progress.at_rest() && (self.calls.is_empty() || self.progress.error.is_some())
    }
}
