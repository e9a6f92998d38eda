//! Whose work is next. Each source has a queue of its own; the one that has cost the least goes first (start-time fair
//! queueing: Goyal, Vin and Cheng, 1996), where a tenant of weight 3 pays a third. No source has more than its share of places and of workers ([`crate::share`]). So
//! whoever floods the slow path waits behind itself.
//!
//! Work of one process is handed out one by one, in the order of its arrival, so that its requests take effect in the order of
//! the ring.
use super::Work;
use crate::share::{Shares, Source};
use mneme_auth::{TenantList, Weight};
use parking_lot::RwLock;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What has been taken in and is not done.
pub(super) struct Order {
    /// Processes of which something is ready or with a worker, with what waits behind it.
    busy: HashMap<u32, VecDeque<Work>>,
    queues: HashMap<Source, Queue>,
    /// Places of work that is not done.
    places: Shares,
    workers: Shares,
    /// What the queue that went last had cost.
    clock: u64,
    /// Tenants with weights of their own.
    listed: RwLock<Arc<TenantList>>,
}

/// The work of one source.
#[derive(Default)]
struct Queue {
    ready: VecDeque<Work>,
    /// What it has cost, from the clock of its beginning on.
    cost: u64,
}

impl Order {
    /// Room for `bound` pieces of work, of which `workers` can be at work; at least one.
    pub(super) fn new(bound: usize, workers: usize) -> Order {
        Order {
            busy: HashMap::new(),
            queues: HashMap::new(),
            places: Shares::new(bound.max(1)),
            workers: Shares::new(workers.max(1)),
            clock: 0,
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
    /// Work that is not done.
    pub(super) fn len(&self) -> usize {
        self.places.used()
    }
    /// Whether work of this source finds room.
    pub(super) fn has_room(&self, source: Source) -> bool {
        self.places.has_room(source)
    }
    /// Takes work in, if it finds room. A reclaim always does: there is one of a process at most, and what a source floods the
    /// slow path with shall not keep its silent processes alive.
    pub(super) fn take(&mut self, work: Work) {
        match work {
            Work::Reclaim(_, source) => self.places.add(source),
            _ if self.places.enter(work.source()) => {}
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
        let queue = self.queues.entry(work.source()).or_default();
        if queue.ready.is_empty() {
            // Who had nothing to do has saved nothing up.
            queue.cost = queue.cost.max(self.clock);
        }
        queue.ready.push_back(work);
    }
    /// What a worker is to be given now, if one is free for it.
    pub(super) fn next(&mut self) -> Option<Work> {
        let may = |source: &Source, queue: &Queue| !queue.ready.is_empty() && self.workers.has_room(*source);
        let waiting = self.queues.iter().filter(|(source, queue)| may(source, queue));
        let source =
            waiting.min_by_key(|(source, queue)| (queue.cost, **source)).map(|(source, _)| *source)?;
        let one = self.price(source, 1);
        let queue = self.queues.get_mut(&source)?;
        let work = queue.ready.pop_front()?;
        self.clock = self.clock.max(queue.cost);
        // Told in full when it is done; until then it is one request.
        queue.cost += one;
        self.workers.enter(source).then_some(work)
    }
    /// Work is done that has cost so much.
    pub(super) fn done(&mut self, pid: u32, source: Source, cost: u64) {
        self.workers.leave(source);
        self.places.leave(source);
        let cost = self.price(source, cost);
        if let Some(queue) = self.queues.get_mut(&source) {
            queue.cost = queue.cost.saturating_add(cost);
        }
        match self.busy.get_mut(&pid).map(VecDeque::pop_front) {
            Some(Some(next)) => self.ready(next),
            Some(None) => drop(self.busy.remove(&pid)),
            None => {}
        }
        if self.places.of(source) == 0 {
            self.queues.remove(&source);
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
        let mut order = Order::new(64, 64);
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
        assert_eq!((order.len(), order.busy.len(), order.queues.len()), (0, 0, 0));
        order.take(work(5, TWO));
        assert_eq!(pid(order.next()), Some(5));
    }

    #[test]
    fn new_processes_follow_nothing() {
        let mut order = Order::new(64, 64);
        order.take(work(0, ONE));
        order.take(work(0, ONE));
        assert_eq!([pid(order.next()), pid(order.next())], [Some(0), Some(0)]);
        order.done(0, ONE, 1);
        assert_eq!(order.len(), 1);
    }

    #[test]
    fn a_source_has_its_share_of_places_and_of_workers() {
        let mut order = Order::new(16, 8);
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
        let mut order = Order::new(64, 1);
        let mut served = [0, 0];
        for _ in 0..8 {
            order.take(work(0, ONE));
        }
        for turn in 0..100 {
            while order.places.of(TWO) < 2 {
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
        let mut order = Order::new(64, 1);
        order.weigh(Arc::new(listed));
        let sources = [1, 2].map(|secret| Source::Tenant(key(secret)));
        let mut served = [0, 0];
        for turn in 0..400 {
            for source in sources {
                while order.places.of(source) < 2 {
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
}
