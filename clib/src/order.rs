//! The ordering layer: which requests of a process may be under way at the same time (architecture §7, Clio §3.1 and
//! §4.5).
//!
//! Requests are submitted in program order. One may start when no earlier one that has not ended depends on it:
//!
//! | earlier \ later | read, same bytes | write or atomic, same bytes | barrier |
//! |---|---|---|---|
//! | read | together | waits (WAR) | waits |
//! | write or atomic | waits (RAW) | waits (WAW) | waits |
//! | barrier | waits | waits | waits |
//!
//! Requests whose ranges have no byte in common, or of different processes (domains), never wait for each other. Barriers are
//! allocations, frees and changes of rights (metadata is ordered against data), fences, and the words of locks (they
//! release). The parts of one call on several boards are one barrier: they do not wait for each other. Clio orders whole
//! pages; here 64 writes to one page are under way together, as those to 64 pages are.
//!
//! A state machine without input and output, so that `tests` can try every interleaving.
use std::collections::VecDeque;

/// An address space: what requests are ordered within. A process of a client is one, whatever its boards call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Domain(pub(crate) u64);

impl Domain {
    /// No process's: of requests to a board itself.
    pub(crate) const NONE: Domain = Domain(u64::MAX);
}

/// What a request does to its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// Writes and atomics.
    Write,
    /// Everything of the process: metadata, fences, lock words.
    Barrier,
}

/// A barrier that is a call by itself.
const ALONE: (u64, u64) = (0, 0);

/// What a request touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footprint {
    pub(crate) domain: Domain,
    pub(crate) access: Access,
    /// Addresses of its first and last byte, both included. Barriers are parts of one call where this is the same, unless
    /// it is [`ALONE`].
    pub(crate) bytes: (u64, u64),
}

impl Footprint {
    /// What is ordered against nothing.
    pub(crate) const NOTHING: Footprint =
        Footprint { domain: Domain::NONE, access: Access::Read, bytes: (0, 0) };

    pub(crate) fn barrier(domain: Domain) -> Self {
        Footprint { domain, access: Access::Barrier, bytes: ALONE }
    }
    /// Whether two requests must not be under way together.
    fn depends(&self, other: &Footprint) -> bool {
        if self.domain != other.domain {
            return false;
        }
        let barrier = self.access == Access::Barrier || other.access == Access::Barrier;
        if barrier && self.access == other.access {
            // The parts of one call, on several boards, are under way together.
            return self.bytes != other.bytes || self.bytes == ALONE;
        }
        let writes = self.access == Access::Write || other.access == Access::Write;
        let overlap = self.bytes.0 <= other.bytes.1 && other.bytes.0 <= self.bytes.1;
        barrier || writes && overlap
    }
}

/// Names a request, in program order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RequestId(u64);

/// A request that has not ended.
#[derive(Debug)]
struct Unfinished {
    id: RequestId,
    footprint: Footprint,
    /// Earlier requests that have not ended and that it depends on.
    behind: u32,
}

/// The requests that have not ended, in program order.
#[derive(Debug, Default)]
pub(crate) struct Order {
    unfinished: VecDeque<Unfinished>,
    next: u64,
    /// Requests that may start since others have ended.
    freed: VecDeque<RequestId>,
    /// Calls of several parts so far.
    calls: u64,
    /// A planted fault: nothing waits for anything.
    disordered: bool,
}

impl Order {
    /// Plants a fault, to show that tests find it: from now on requests do not wait for those that they depend on. Only
    /// builds with the feature `planted-faults` can.
    #[cfg(feature = "planted-faults")]
    pub(crate) fn plant_disorder(&mut self) {
        self.disordered = true;
    }
    #[inline]
    fn is_disordered(&self) -> bool {
        cfg!(feature = "planted-faults") && self.disordered
    }
    /// Adds a request behind all others.
    #[inline]
    pub(crate) fn submit(&mut self, footprint: Footprint) -> RequestId {
        let id = RequestId(self.next);
        self.next += 1;
        let behind = if self.unfinished.is_empty() || self.is_disordered() {
            0
        } else {
            self.unfinished.iter().filter(|earlier| earlier.footprint.depends(&footprint)).count() as u32
        };
        self.unfinished.push_back(Unfinished { id, footprint, behind });
        id
    }
    /// The footprint of the parts of one call, which do not wait for each other.
    pub(crate) fn of_parts(&mut self, footprint: Footprint) -> Footprint {
        match footprint.access {
            Access::Barrier => {
                self.calls += 1;
                Footprint { bytes: (self.calls, self.calls), ..footprint }
            }
            Access::Read | Access::Write => footprint,
        }
    }
    #[inline]
    fn find(&self, id: RequestId) -> Option<usize> {
        // Most of the time it is the oldest, or the newest.
        if self.unfinished.front()?.id == id {
            return Some(0);
        }
        let last = self.unfinished.len() - 1;
        if self.unfinished[last].id == id {
            return Some(last);
        }
        self.unfinished.binary_search_by_key(&id, |other| other.id).ok()
    }
    /// Whether a request that has not ended may be under way now. Once it may, it always may: only later ones are
    /// added.
    #[inline]
    pub(crate) fn may_start(&self, id: RequestId) -> bool {
        self.find(id).is_some_and(|at| self.unfinished[at].behind == 0)
    }
    /// A request has ended, well or not.
    #[inline]
    pub(crate) fn finish(&mut self, id: RequestId) {
        let Some(at) = self.find(id) else { return };
        let Some(ended) = self.unfinished.remove(at) else { return };
        // Most of the time none follows.
        if at == self.unfinished.len() || self.is_disordered() {
            return;
        }
        for later in self.unfinished.range_mut(at..) {
            if ended.footprint.depends(&later.footprint) {
                later.behind -= 1;
                if later.behind == 0 {
                    self.freed.push_back(later.id);
                }
            }
        }
    }
    /// Whether [`Order::freed`] names one.
    #[inline]
    pub(crate) fn has_freed(&self) -> bool {
        !self.freed.is_empty()
    }
    /// The next request that may start since another one has ended, each once.
    #[inline]
    pub(crate) fn freed(&mut self) -> Option<RequestId> {
        self.freed.pop_front()
    }
    /// Whether requests of a process that were submitted before now have not ended. `upto`: only those before this one.
    pub(crate) fn busy(&self, domain: Domain, upto: RequestId) -> bool {
        self.unfinished.iter().any(|other| other.id < upto && other.footprint.domain == domain)
    }
    /// The name that the next request will get.
    pub(crate) fn next_id(&self) -> RequestId {
        RequestId(self.next)
    }
}

#[cfg(test)]
mod tests;
