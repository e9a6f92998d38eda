//! Address spaces that lie on several boards: which lane a packet takes (scale-out §1, §3).
//!
//! A process has a *member* on each of its boards: its pid there, and the window of addresses in which that board
//! allocates. A packet goes to the member in whose window its address lies, unless a board has said MOVED of it.
use crate::order::Domain;
use mneme_wire::Pid;
use mneme_wire::payload::VaWindow;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::time::Duration;

/// Extents of one process that are not where its windows say, at most: what is forgotten is told again by MOVED.
const MOVED_EXTENTS: usize = 1 << 16;
/// How often boards may send the memory of one extent elsewhere within the time in which calls are given up: more is
/// boards that point at each other.
const HOPS: u32 = 3;

/// A process on one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) lane: usize,
    pub(crate) board_id: u64,
    pub(crate) pid: Pid,
    pub(crate) epoch: u8,
    /// What OPEN gave it, for other clients to join.
    pub(crate) token: [u8; 16],
    /// Where its board allocates; none: anywhere.
    pub(crate) window: Option<VaWindow>,
}

/// The way of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) lane: usize,
    pub(crate) pid: Pid,
    pub(crate) epoch: u8,
}

/// Why nothing more is sent for a process to a board: its number there may be another process's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// It was asked to end, and nobody knows whether it has.
    Perhaps,
    /// It has ended.
    Exited,
}

/// Few ways: most processes are on one board.
pub(crate) type Ways = SmallVec<[Way; 2]>;

/// Memory that is on another board than its window says.
#[derive(Debug, Clone, Copy)]
struct Extent {
    end: u64,
    way: Way,
    /// Where it was allocated.
    origin: Way,
    /// How often it was sent elsewhere since a time.
    hops: u32,
    since: Duration,
}

/// One process's.
#[derive(Debug)]
struct Space {
    domain: Domain,
    /// Handles of the process that live.
    handles: u32,
    members: SmallVec<[Member; 1]>,
    /// By where they begin; they do not overlap.
    moved: BTreeMap<u64, Extent>,
    /// The lanes to which nothing more is sent.
    closed: SmallVec<[(usize, Closed); 1]>,
}

impl Space {
    /// Whether packets may take other ways than the first member's.
    fn is_spread(&self) -> bool {
        self.members.len() > 1 || !self.moved.is_empty()
    }
    /// Why nothing more is sent to the board of a lane.
    fn closed(&self, lane: usize) -> Option<Closed> {
        self.closed.iter().find(|(of, _)| *of == lane).map(|(_, why)| *why)
    }
    fn way(&self, va: u64) -> Way {
        if let Some((_, extent)) = self.moved.range(..=va).next_back()
            && va < extent.end
        {
            return extent.way;
        }
        self.of_window(va)
    }
    /// Where an address was allocated.
    fn origin(&self, va: u64) -> Way {
        let known = self.moved.range(..=va).next_back().filter(|(_, extent)| va < extent.end);
        known.map_or_else(|| self.of_window(va), |(_, extent)| extent.origin)
    }
    /// The member in whose window an address lies.
    fn of_window(&self, va: u64) -> Way {
        let of_window = self
            .members
            .iter()
            .find(|member| member.window.is_none_or(|window| (window.first()..window.end()).contains(&va)));
        // A process has one member at least.
        let Member { lane, pid, epoch, .. } = of_window.unwrap_or(&self.members[0]);
        Way { lane: *lane, pid: *pid, epoch: *epoch }
    }
    /// Where the way of an address may change: no further on than this.
    fn until(&self, va: u64) -> u64 {
        let moved = self.moved.range(..=va).next_back().map(|(_, extent)| extent.end).filter(|end| va < *end);
        let next = self.moved.range(va + 1..).next().map(|(start, _)| *start);
        let windows = self.members.iter().filter_map(|member| member.window);
        let windows = windows.flat_map(|window| [window.first(), window.end()]);
        let border = windows.filter(|border| *border > va).min();
        moved.unwrap_or(u64::MAX).min(next.unwrap_or(u64::MAX)).min(border.unwrap_or(u64::MAX))
    }
    /// Cuts everything out of a range that was known of it.
    fn clear(&mut self, start: u64, end: u64) {
        let touched: SmallVec<[(u64, Extent); 4]> = self
            .moved
            .range(..end)
            .rev()
            .take_while(|(_, extent)| extent.end > start)
            .map(|(at, extent)| (*at, *extent))
            .collect();
        for (at, extent) in touched {
            self.moved.remove(&at);
            if at < start {
                self.moved.insert(at, Extent { end: start, ..extent });
            }
            if extent.end > end {
                self.moved.insert(end, extent);
            }
        }
    }
}

/// All processes of a client.
#[derive(Debug, Default)]
pub(super) struct Spaces {
    /// By domain, ascending.
    list: Vec<Space>,
    next: u64,
    /// How many of them are spread.
    spread: usize,
    /// On how many boards one of them may have ended.
    closed: usize,
}

impl Spaces {
    fn find(&self, domain: Domain) -> Option<&Space> {
        let at = self.list.binary_search_by_key(&domain, |space| space.domain).ok()?;
        Some(&self.list[at])
    }
    fn find_mut(&mut self, domain: Domain) -> Option<&mut Space> {
        let at = self.list.binary_search_by_key(&domain, |space| space.domain).ok()?;
        Some(&mut self.list[at])
    }
    fn count(&mut self) {
        self.spread = self.list.iter().filter(|space| space.is_spread()).count();
        self.closed = self.list.iter().map(|space| space.closed.len()).sum();
    }
    /// A handle of a process. `joined`: others that have a board's process in common with it are the same, and ordered
    /// with it.
    pub(super) fn add(&mut self, members: &[Member], joined: bool) -> Domain {
        let same = |one: &Member| {
            let alike = |other: &Member| {
                (one.lane, one.pid, one.epoch, one.token) == (other.lane, other.pid, other.epoch, other.token)
            };
            members.iter().any(alike)
        };
        let known = self.list.iter_mut().find(|space| joined && space.members.iter().any(same));
        let domain = match known {
            Some(space) => {
                space.handles += 1;
                for member in members {
                    if !space.members.iter().any(|known| known.lane == member.lane) {
                        space.members.push(*member);
                    }
                }
                space.domain
            }
            None => {
                let domain = Domain(self.next);
                self.next += 1;
                let (members, moved, closed) = (members.into(), BTreeMap::new(), SmallVec::new());
                self.list.push(Space { domain, handles: 1, members, moved, closed });
                domain
            }
        };
        self.count();
        domain
    }
    /// A handle is gone.
    pub(super) fn let_go(&mut self, domain: Domain) {
        if let Some(space) = self.find_mut(domain) {
            space.handles -= 1;
        }
    }
    /// Forgets processes without handles that are not `busy` any more; what goes.
    pub(super) fn sweep(&mut self, mut busy: impl FnMut(Domain) -> bool, mut gone: impl FnMut(Domain)) {
        self.list.retain(|space| {
            let stays = space.handles > 0 || busy(space.domain);
            if !stays {
                gone(space.domain);
            }
            stays
        });
        self.count();
    }
    /// Whether any process is this one on the board of a lane.
    pub(super) fn has(&self, lane: usize, pid: Pid, epoch: u8) -> bool {
        let is = |member: &Member| (member.lane, member.pid, member.epoch) == (lane, pid, epoch);
        self.list.iter().any(|space| space.members.iter().any(is))
    }
    /// Whether another process than this one has this way.
    pub(super) fn is_of_another(&self, domain: Domain, way: Way) -> bool {
        let is = |member: &Member| (member.lane, member.pid, member.epoch) == (way.lane, way.pid, way.epoch);
        self.list.iter().any(|space| space.domain != domain && space.members.iter().any(is))
    }
    /// The lane of a process's first board, which most of its packets take.
    #[inline]
    pub(super) fn home(&self, domain: Domain) -> usize {
        self.find(domain).map_or(0, |space| space.members[0].lane)
    }
    /// Whether any process is on several boards.
    #[inline]
    pub(super) fn any_spread(&self) -> bool {
        self.spread > 0
    }
    /// Whether any process may have ended on a board.
    #[inline]
    pub(super) fn any_closed(&self) -> bool {
        self.closed > 0
    }
    /// Why nothing more is sent for a process to the board of a lane.
    pub(super) fn closed(&self, domain: Domain, lane: usize) -> Option<Closed> {
        self.find(domain)?.closed(lane)
    }
    /// Nothing more is sent for a process to the board of a lane.
    pub(super) fn close(&mut self, domain: Domain, lane: usize, why: Closed) {
        if let Some(space) = self.find_mut(domain) {
            space.closed.retain(|(of, _)| *of != lane);
            space.closed.push((lane, why));
        }
        self.count();
    }
    /// The way to an address of a process that is on several boards.
    pub(super) fn way(&self, domain: Domain, va: u64) -> Option<Way> {
        self.find(domain).filter(|space| space.is_spread()).map(|space| space.way(va))
    }
    /// The ways to a range: each with where its part begins, and its bytes.
    pub(super) fn ways(&self, domain: Domain, va: u64, length: u64) -> Vec<(Way, u64, u64)> {
        let Some(space) = self.find(domain) else { return Vec::new() };
        let (mut at, end, mut ways) = (va, va.saturating_add(length), Vec::<(Way, u64, u64)>::new());
        while at < end {
            let (way, until) = (space.way(at), space.until(at).min(end));
            match ways.last_mut() {
                Some((last, _, bytes)) if *last == way => *bytes += until - at,
                _ => ways.push((way, at, until - at)),
            }
            at = until;
        }
        ways
    }
    /// The boards that keep something of an allocation, each with where that begins: the one that gave it, and those
    /// to which parts of it have moved.
    pub(super) fn holders(&self, domain: Domain, va: u64, length: u64) -> Vec<(Way, u64)> {
        let Some(space) = self.find(domain) else { return Vec::new() };
        let mut holders = vec![(space.origin(va), va)];
        for (way, start, _) in self.ways(domain, va, length) {
            if holders.iter().all(|(known, _)| known.lane != way.lane) {
                holders.push((way, start));
            }
        }
        holders
    }
    /// All ways that packets of a process may take now.
    pub(super) fn all_ways(&self, domain: Domain) -> Ways {
        let Some(space) = self.find(domain) else { return Ways::new() };
        let of_member = |member: &Member| Way { lane: member.lane, pid: member.pid, epoch: member.epoch };
        let mut ways: Ways = space.members.iter().map(of_member).collect();
        for extent in space.moved.values() {
            if !ways.contains(&extent.way) {
                ways.push(extent.way);
            }
        }
        ways
    }
    /// An allocation was given at an address; whatever was known of its range is of an earlier one. `way`: where it is.
    pub(super) fn placed(&mut self, domain: Domain, va: u64, length: u64, lane: usize) {
        let Some(space) = self.find_mut(domain) else { return };
        let end = va.saturating_add(length);
        space.clear(va, end);
        let Some(member) = space.members.iter().find(|member| member.lane == lane) else { return };
        let way = Way { lane, pid: member.pid, epoch: member.epoch };
        if space.way(va) != way {
            space.moved.insert(va, Extent { end, way, origin: way, hops: 0, since: Duration::ZERO });
        }
        self.count();
    }
    /// A range was freed: what was said of where it is holds no longer.
    pub(super) fn freed(&mut self, domain: Domain, va: u64, length: u64) {
        if let Some(space) = self.find_mut(domain) {
            space.clear(va, va.saturating_add(length));
        }
        self.count();
    }
    /// The board of a lane has said that the `2^span` bytes around an address are served by another one's. False: boards
    /// send them to and fro. `again`: MOVED said again within this time counts towards that.
    pub(super) fn moved(
        &mut self,
        (domain, va, from): (Domain, u64, usize),
        (to, epoch, span): (usize, u8, u8),
        now: Duration,
        again: Duration,
    ) -> bool {
        let Some(space) = self.find_mut(domain) else { return false };
        let before = space.way(va);
        if before.lane != from {
            // What was in flight when the first MOVED came: its news is old.
            return true;
        }
        let size = 1u64 << span.clamp(12, 48);
        let start = va & !(size - 1);
        let known = space.moved.range(..=va).next_back().filter(|(_, extent)| va < extent.end);
        let recent = known.filter(|(_, extent)| now.saturating_sub(extent.since) < again);
        let (hops, since) = recent.map_or((1, now), |(_, extent)| (extent.hops + 1, extent.since));
        if hops > HOPS || to == from {
            return false;
        }
        let member = space.members.iter().find(|member| member.lane == to);
        // A process that was moved has the same pid everywhere.
        let pid = member.map_or(before.pid, |member| member.pid);
        let way = Way { lane: to, pid, epoch };
        let origin = space.origin(va);
        if space.moved.len() >= MOVED_EXTENTS {
            space.moved.pop_first();
        }
        space.clear(start, start + size);
        space.moved.insert(start, Extent { end: start + size, way, origin, hops, since });
        self.count();
        true
    }
}

#[cfg(test)]
mod tests;
