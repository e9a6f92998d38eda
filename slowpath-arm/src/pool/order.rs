//! Work in the order of its arrival, process by process: one worker at a time has work of a process, so that its requests
//! take effect in the order of the ring. Bounded: what finds no room is told so, and a process never takes all of the room.
use super::Work;
use std::collections::{HashMap, VecDeque};

/// What has been taken in and is not done.
pub(super) struct Order {
    /// Processes of which a worker has something, with what waits behind it.
    busy: HashMap<u32, VecDeque<Work>>,
    /// Work taken in: with workers, on the way to them, or waiting here.
    taken: usize,
    bound: usize,
}

impl Order {
    /// Room for `bound` pieces of work, at least one.
    pub(super) fn new(bound: usize) -> Order {
        Order { busy: HashMap::new(), taken: 0, bound: bound.max(1) }
    }
    /// Work that is not done.
    pub(super) fn len(&self) -> usize {
        self.taken
    }
    /// Whether work of this process finds room. One process has half of it at most; the others' half is not its to fill.
    pub(super) fn has_room(&self, pid: u32) -> bool {
        let waiting = self.busy.get(&pid).map_or(0, VecDeque::len);
        self.taken < self.bound && waiting < self.bound.div_ceil(2)
    }
    /// Takes work in for which there is room. Tells what a worker is to be given now.
    pub(super) fn take(&mut self, work: Work) -> Option<Work> {
        self.taken += 1;
        let pid = work.pid();
        if pid == 0 {
            // An OPEN of a new process follows nothing.
            return Some(work);
        }
        match self.busy.get_mut(&pid) {
            Some(behind) => {
                behind.push_back(work);
                None
            }
            None => {
                self.busy.insert(pid, VecDeque::new());
                Some(work)
            }
        }
    }
    /// Work of this process is done. Tells what a worker is to be given next.
    pub(super) fn done(&mut self, pid: u32) -> Option<Work> {
        self.taken = self.taken.saturating_sub(1);
        let next = self.busy.get_mut(&pid).and_then(VecDeque::pop_front);
        if next.is_none() {
            self.busy.remove(&pid);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pid(work: Option<Work>) -> Option<u32> {
        work.map(|work| work.pid())
    }

    #[test]
    fn work_of_one_process_is_handed_out_one_by_one() {
        let mut order = Order::new(8);
        assert_eq!(pid(order.take(Work::Reclaim(5))), Some(5));
        assert_eq!(pid(order.take(Work::Reclaim(5))), None);
        assert_eq!(pid(order.take(Work::Reclaim(6))), Some(6));
        assert_eq!(order.len(), 3);
        assert_eq!(pid(order.done(5)), Some(5));
        assert_eq!(pid(order.done(5)), None);
        assert_eq!(pid(order.done(6)), None);
        assert_eq!((order.len(), order.busy.len()), (0, 0));
        assert_eq!(pid(order.take(Work::Reclaim(5))), Some(5));
    }

    #[test]
    fn new_processes_follow_nothing() {
        let mut order = Order::new(8);
        assert_eq!(pid(order.take(Work::Reclaim(0))), Some(0));
        assert_eq!(pid(order.take(Work::Reclaim(0))), Some(0));
        assert_eq!((pid(order.done(0)), order.len()), (None, 1));
    }

    #[test]
    fn room_ends_and_nobody_takes_all_of_it() {
        let mut order = Order::new(4);
        for _ in 0..3 {
            assert!(order.has_room(5));
            order.take(Work::Reclaim(5));
        }
        assert!(!order.has_room(5), "one at work and two behind it");
        assert!(order.has_room(6));
        order.take(Work::Reclaim(6));
        assert!(!order.has_room(7), "the whole room is taken");
        order.done(5);
        assert!(order.has_room(7));
    }
}
