//! Whose turn it is to send: processes in turn, and of each process its queue pairs in turn. So a tenant with a thousand queue
//! pairs waits as long for a packet as one with a single one.
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Included, Unbounded};

/// The queue pairs of a process, and the one that sent last.
#[derive(Debug, Default)]
struct Process {
    pairs: BTreeSet<u32>,
    served: u32,
}

/// Processes with their queue pairs, and the process that sent last. It has as many places as there are queue pairs.
#[derive(Debug, Default)]
pub struct Turns {
    processes: BTreeMap<u32, Process>,
    served: u32,
}

impl Turns {
    /// A queue pair takes part.
    pub fn insert(&mut self, pid: u32, qpn: u32) {
        self.processes.entry(pid).or_default().pairs.insert(qpn);
    }

    /// It takes part no more.
    pub fn remove(&mut self, pid: u32, qpn: u32) {
        if let Some(process) = self.processes.get_mut(&pid) {
            process.pairs.remove(&qpn);
            if process.pairs.is_empty() {
                self.processes.remove(&pid);
            }
        }
    }

    /// Processes with their queue pairs, as they are to be asked whether they have something to send.
    pub fn order(&self) -> impl Iterator<Item = (u32, u32)> {
        let last = self.served;
        let behind = self.processes.range((Excluded(last), Unbounded));
        let processes = behind.chain(self.processes.range((Unbounded, Included(last))));
        processes.flat_map(|(&pid, process)| {
            let last = process.served;
            let behind = process.pairs.range((Excluded(last), Unbounded));
            behind.chain(process.pairs.range((Unbounded, Included(last)))).map(move |&qpn| (pid, qpn))
        })
    }

    /// Queue pairs of a process.
    pub fn of(&self, pid: u32) -> impl Iterator<Item = u32> {
        self.processes.get(&pid).into_iter().flat_map(|process| process.pairs.iter().copied())
    }

    /// A queue pair has sent.
    pub fn sent(&mut self, pid: u32, qpn: u32) {
        self.served = pid;
        if let Some(process) = self.processes.get_mut(&pid) {
            process.served = qpn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who sends, when all of these always have something to send.
    fn sends(turns: &mut Turns, times: usize) -> Vec<(u32, u32)> {
        let next = |_| {
            let (pid, qpn) = turns.order().next().expect("somebody is there");
            turns.sent(pid, qpn);
            (pid, qpn)
        };
        (0..times).map(next).collect()
    }

    #[test]
    fn a_process_with_many_queue_pairs_has_the_turns_of_one() {
        let mut turns = Turns::default();
        (10..74).for_each(|qpn| turns.insert(7, qpn));
        turns.insert(3, 500);
        let sent = sends(&mut turns, 128);
        assert_eq!(sent.iter().filter(|(pid, _)| *pid == 3).count(), 64);
        let of_seven: BTreeSet<u32> = sent.iter().filter(|(pid, _)| *pid == 7).map(|(_, qpn)| *qpn).collect();
        assert_eq!(of_seven.len(), 64, "each of its own came once");
    }

    #[test]
    fn who_is_gone_has_no_turn_and_who_has_nothing_loses_none() {
        let mut turns = Turns::default();
        for (pid, qpn) in [(1, 10), (1, 11), (2, 20), (3, 30)] {
            turns.insert(pid, qpn);
        }
        turns.sent(1, 10);
        turns.remove(2, 20);
        assert_eq!(turns.order().collect::<Vec<_>>(), [(3, 30), (1, 11), (1, 10)]);
        // Process 3 has nothing to send, so the next one does.
        turns.sent(1, 11);
        assert_eq!(turns.order().collect::<Vec<_>>(), [(3, 30), (1, 10), (1, 11)]);
        turns.remove(1, 10);
        turns.remove(1, 11);
        turns.remove(9, 9);
        assert_eq!(turns.order().collect::<Vec<_>>(), [(3, 30)]);
        assert_eq!(turns.of(1).count() + turns.of(2).count(), 0);
    }
}
