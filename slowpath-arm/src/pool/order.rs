//! Whose work is next. Each source has a queue of its own; the one that has cost the least goes first (start-time fair
//! queueing: Goyal, Vin and Cheng, 1996), where a tenant of weight 3 pays a third; of two that have cost the same, the one that has
//! waited longer. No source has more than its share of places and of workers ([`crate::share`]). So whoever floods the slow path
//! waits behind itself.
//!
//! Addresses cost nothing where they can be forged, and each new one has cost the board nothing yet. So on a board that asks for
//! tags those that have proved nothing are a half of their own: places of their own, a share of the workers that is one source's, and
//! as much of the board as all tenants together, no more, where both want it.
//!
//! Work of one process is handed out one by one, in the order of its arrival, so that its requests take effect in the order of
//! the ring.
use super::Work;
use crate::share::{Shares, Source};
use mneme_auth::{TenantList, Weight};
use parking_lot::RwLock;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Sources that have nothing to do, and whose cost is remembered while others have; at most.
const REMEMBERED: usize = 256;
/// The half of tenants; where nobody has to prove himself, of all.
const KNOWN: usize = 0;
/// The half of those that have proved nothing.
const STRANGERS: usize = 1;

/// What has been taken in and is not done.
pub(super) struct Order {
    /// Processes of which something is ready or with a worker, with what waits behind it.
    busy: HashMap<u32, VecDeque<Work>>,
    halves: [Half; 2],
    /// Whether addresses are strangers.
    asks: bool,
    workers: Shares,
    /// What the half that went last had cost.
    clock: u64,
    /// Work that has become ready so far.
    arrived: u64,
    /// Tenants with weights of their own.
    listed: RwLock<Arc<TenantList>>,
}

/// Sources among themselves.
struct Half {
    queues: HashMap<Source, Queue>,
    /// Places of work that is not done.
    places: Shares,
    /// What the queue that went last had cost.
    clock: u64,
    /// What all have cost, from the order's clock on.
    cost: u64,
}

/// The work of one source.
#[derive(Default)]
struct Queue {
    /// What is ready, and when it became so.
    ready: VecDeque<(u64, Work)>,
    /// What it has cost, from the clock of its beginning on.
    cost: u64,
}

impl Half {
    fn new(bound: usize) -> Half {
        Half { queues: HashMap::new(), places: Shares::new(bound), clock: 0, cost: 0 }
    }
    /// The source that is next, of those for which this holds.
    fn first(&self, may: impl Fn(Source) -> bool) -> Option<Source> {
        let turn = |(source, queue): (&Source, &Queue)| {
            let (since, _) = queue.ready.front().filter(|_| may(*source))?;
            Some((queue.cost, *since, *source))
        };
        self.queues.iter().filter_map(turn).min().map(|(.., source)| source)
    }
    /// Work of a source is done that has cost it so much.
    fn done(&mut self, source: Source, price: u64) {
        self.places.leave(source);
        if let Some(queue) = self.queues.get_mut(&source) {
            queue.cost = queue.cost.saturating_add(price);
        }
        if self.places.used() == 0 {
            // Nobody wants anything: what was is over.
            self.queues.clear();
        } else if self.places.of(source) == 0 {
            // Whoever comes again soon has had what he had, all the same.
            if self.queues.get(&source).is_some_and(|queue| queue.cost <= self.clock) {
                self.queues.remove(&source);
            }
            if self.queues.len() > self.places.used() + REMEMBERED {
                let places = &self.places;
                self.queues.retain(|source, _| places.of(*source) > 0);
            }
        }
    }
}

impl Order {
    /// Room for `bound` pieces of work, of which `workers` can be at work; at least one. `asks`: the board asks for tags, and
    /// there is as much room for those that have none.
    pub(super) fn new(bound: usize, workers: usize, asks: bool) -> Order {
        Order {
            busy: HashMap::new(),
            halves: [KNOWN, STRANGERS].map(|_| Half::new(bound.max(1))),
            asks,
            workers: Shares::new(workers.max(1)),
            clock: 0,
            arrived: 0,
            listed: RwLock::default(),
        }
    }
    /// Tenants have other weights from now on.
    pub(super) fn weigh(&self, listed: Arc<TenantList>) {
        *self.listed.write() = listed;
    }
    /// What something costs a source: the more, the lower its weight.
    fn price(&self, source: Source, cost: u64) -> u64 {
        let weight = self.listed.read().terms(source.tenant()).weight.unwrap_or_default();
        cost.saturating_mul(u64::from(Weight::MOST)) / u64::from(weight.get())
    }
    fn half(&self, source: Source) -> usize {
        if self.asks && source.tenant().is_none() { STRANGERS } else { KNOWN }
    }
    /// Whose share of the workers a source has: all strangers have one.
    fn of_workers(&self, source: Source) -> Source {
        if self.half(source) == STRANGERS { Source::default() } else { source }
    }
    /// Work that is not done.
    pub(super) fn len(&self) -> usize {
        self.halves.iter().map(|half| half.places.used()).sum()
    }
    /// Whether work of this source finds room.
    pub(super) fn has_room(&self, source: Source) -> bool {
        self.halves[self.half(source)].places.has_room(source)
    }
    /// Takes work in, if it finds room. A reclaim always does: there is one of a process at most, and what a source floods the
    /// slow path with shall not keep its silent processes alive.
    pub(super) fn take(&mut self, work: Work) {
        let half = self.half(work.source());
        let places = &mut self.halves[half].places;
        match work {
            Work::Reclaim(_, source) => places.add(source),
            _ if places.enter(work.source()) => {}
            _ => return,
        }
        match self.busy.get_mut(&work.pid()) {
            Some(behind) => behind.push_back(work),
            None => {
                // An OPEN of a new process follows nothing.
                if work.pid() != 0 {
                    self.busy.insert(work.pid(), VecDeque::new());
                }
                self.ready(work);
            }
        }
    }
    fn ready(&mut self, work: Work) {
        let half = self.half(work.source());
        let half = &mut self.halves[half];
        let queue = half.queues.entry(work.source()).or_default();
        if queue.ready.is_empty() {
            // Who had nothing to do has saved nothing up.
            queue.cost = queue.cost.max(half.clock);
        }
        self.arrived += 1;
        queue.ready.push_back((self.arrived, work));
    }
    /// What a worker is to be given now, if one is free for it.
    pub(super) fn next(&mut self) -> Option<Work> {
        let may = |source| self.workers.has_room(self.of_workers(source));
        let firsts =
            self.halves.iter().enumerate().filter_map(|(at, half)| Some((at, half, half.first(may)?)));
        // A half that had nothing to do has saved nothing up, either.
        let turns = firsts.map(|(at, half, source)| (half.cost.max(self.clock), at, source));
        let (cost, at, source) = turns.min()?;
        let one = self.price(source, 1);
        self.clock = cost;
        let half = &mut self.halves[at];
        let queue = half.queues.get_mut(&source)?;
        let (_, work) = queue.ready.pop_front()?;
        half.clock = half.clock.max(queue.cost);
        // Told in full when it is done; until then it is one request.
        queue.cost = queue.cost.saturating_add(one);
        half.cost = cost.saturating_add(1);
        let worker = self.of_workers(source);
        self.workers.enter(worker).then_some(work)
    }
    /// Work is done that has cost so much.
    pub(super) fn done(&mut self, pid: u32, source: Source, cost: u64) {
        self.workers.leave(self.of_workers(source));
        let (price, half) = (self.price(source, cost), self.half(source));
        let half = &mut self.halves[half];
        half.cost = half.cost.saturating_add(cost);
        half.done(source, price);
        match self.busy.get_mut(&pid).map(VecDeque::pop_front) {
            Some(Some(next)) => self.ready(next),
            Some(None) => drop(self.busy.remove(&pid)),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_auth::SecretKey;

    const ONE: Source = Source::Address([10, 0, 0, 1]);
    const TWO: Source = Source::Address([10, 0, 0, 2]);

    fn work(pid: u32, source: Source) -> Work {
        Work::Reclaim(pid, source)
    }
    fn pid(work: Option<Work>) -> Option<u32> {
        work.map(|work| work.pid())
    }

    #[test]
    fn work_of_one_process_is_handed_out_one_by_one() {
        let mut order = Order::new(64, 64, false);
        for process in [5, 5, 6] {
            order.take(work(process, ONE));
        }
        assert_eq!([pid(order.next()), pid(order.next()), pid(order.next())], [Some(5), Some(6), None]);
        assert_eq!(order.len(), 3);
        order.done(5, ONE, 1);
        assert_eq!(pid(order.next()), Some(5));
        order.done(5, ONE, 1);
        assert_eq!(pid(order.next()), None);
        order.done(6, ONE, 1);
        assert_eq!((order.len(), order.busy.len(), order.halves[KNOWN].queues.len()), (0, 0, 0));
        order.take(work(5, TWO));
        assert_eq!(pid(order.next()), Some(5));
    }

    #[test]
    fn new_processes_follow_nothing() {
        let mut order = Order::new(64, 64, false);
        order.take(work(0, ONE));
        order.take(work(0, ONE));
        assert_eq!([pid(order.next()), pid(order.next())], [Some(0), Some(0)]);
        order.done(0, ONE, 1);
        assert_eq!(order.len(), 1);
    }

    #[test]
    fn a_source_has_its_share_of_places_and_of_workers() {
        let mut order = Order::new(16, 8, false);
        for process in 1..=8 {
            order.take(work(process, ONE));
        }
        // Reclaims are not turned away; whoever asks for something is.
        assert_eq!((order.len(), order.has_room(ONE), order.has_room(TWO)), (8, false, true));
        order.take(work(20, TWO));
        let given: Vec<u32> = std::iter::from_fn(|| pid(order.next())).collect();
        assert_eq!(given, [1, 20, 2], "of eight workers one source has two");
    }

    #[test]
    fn who_costs_much_waits_for_who_costs_little() {
        // One worker, so that they take turns.
        let mut order = Order::new(64, 1, false);
        let mut served = [0, 0];
        for _ in 0..8 {
            order.take(work(0, ONE));
        }
        for turn in 0..100 {
            while order.halves[KNOWN].places.of(TWO) < 2 {
                order.take(work(0, TWO));
            }
            if turn % 2 == 0 {
                order.take(work(0, ONE));
            }
            let next = order.next().expect("there is work");
            let (who, cost) = if next.source() == ONE { (0, 50) } else { (1, 1) };
            served[who] += 1;
            order.done(0, next.source(), cost);
        }
        assert!(served[0] <= 5 && served[1] >= 95, "{served:?}");
    }

    #[test]
    fn weights_divide_the_turns() {
        let key = |secret| SecretKey::from_bytes([secret; 32]).public();
        let mut listed = TenantList::default();
        for (name, secret, weight) in [("light", 1, ""), ("heavy", 2, " weight=3")] {
            let line = format!("{name} {} 2026-01-31{weight}", key(secret));
            listed.insert(line.parse().expect("a tenant")).expect("new");
        }
        let mut order = Order::new(64, 1, false);
        order.weigh(Arc::new(listed));
        let sources = [1, 2].map(|secret| Source::Tenant(key(secret)));
        let mut served = [0, 0];
        for turn in 0..400 {
            for source in sources {
                while order.halves[KNOWN].places.of(source) < 2 {
                    order.take(work(0, source));
                }
            }
            let next = order.next().expect("there is work").source();
            served[usize::from(next == sources[1])] += 1;
            // What each piece costs does not matter, as long as it is the same for both.
            order.done(0, next, [1, 50][turn / 200]);
        }
        assert!((98..=102).contains(&served[0]), "{served:?}");
    }

    /// Sources of which each has one request at a time, all the time: how many of each are served.
    fn one_at_a_time(order: &mut Order, sources: &[Source], turns: usize) -> Vec<usize> {
        let mut served = vec![0; sources.len()];
        for _ in 0..turns {
            for source in sources {
                if order.halves[order.half(*source)].places.of(*source) == 0 {
                    order.take(work(0, *source));
                }
            }
            let next = order.next().expect("there is work").source();
            order.done(0, next, 8);
            served[sources.iter().position(|source| *source == next).expect("one of them")] += 1;
        }
        served
    }

    #[test]
    fn who_has_one_request_at_a_time_gets_his_turn_whatever_his_address() {
        let sources: Vec<Source> = (1..=20).map(|last| Source::Address([10, 0, 0, last])).collect();
        let served = one_at_a_time(&mut Order::new(64, 1, false), &sources, 2_000);
        assert!(served.iter().all(|count| (95..=105).contains(count)), "{served:?}");
    }

    #[test]
    fn weights_hold_for_who_has_one_request_at_a_time() {
        let key = |secret| SecretKey::from_bytes([secret; 32]).public();
        let mut listed = TenantList::default();
        for secret in 1..=12 {
            let weight = if secret == 1 { " weight=3" } else { "" };
            let line = format!("tenant-{secret} {} 2026-01-31{weight}", key(secret));
            listed.insert(line.parse().expect("a tenant")).expect("new");
        }
        let mut order = Order::new(64, 1, true);
        order.weigh(Arc::new(listed));
        let sources: Vec<Source> = (1..=12).map(|secret| Source::Tenant(key(secret))).collect();
        let served = one_at_a_time(&mut order, &sources, 1_400);
        assert!((270..=330).contains(&served[0]), "{served:?}");
        assert!(served[1..].iter().all(|count| (90..=110).contains(count)), "{served:?}");
    }

    #[test]
    fn strangers_of_any_number_leave_tenants_places_workers_and_half_of_the_turns() {
        let tenant = Source::Tenant(SecretKey::from_bytes([1; 32]).public());
        let mut order = Order::new(64, 1, true);
        let (mut next_ip, mut served) = (0u32, [0, 0]);
        for _ in 0..2_000 {
            // Each from another address, as many as find room.
            loop {
                let stranger = Source::Address(next_ip.to_be_bytes());
                if !order.has_room(stranger) {
                    break;
                }
                order.take(work(0, stranger));
                next_ip += 1;
            }
            assert!(order.has_room(tenant));
            if order.halves[KNOWN].places.used() == 0 {
                order.take(work(0, tenant));
            }
            let next = order.next().expect("there is work").source();
            served[usize::from(next == tenant)] += 1;
            order.done(0, next, 64);
        }
        assert!((990..=1_010).contains(&served[1]), "{served:?}");
        let remembered = order.halves[STRANGERS].queues.len();
        assert!(remembered <= 64 + REMEMBERED + 1, "{remembered}");
        // Of eight workers two are strangers', be they ever so many.
        let mut order = Order::new(64, 8, true);
        for last in 0..20 {
            order.take(work(0, Source::Address([10, 0, 0, last])));
        }
        assert_eq!(std::iter::from_fn(|| order.next()).count(), 2);
        order.take(work(5, tenant));
        assert_eq!(order.next().map(|work| work.source()), Some(tenant));
    }
}
