//! The operations in flight, with what has to be known of all of them at every step: how many are on the way, which are
//! due, when the first of them wants something. Kept as they change, so that a step costs the same with one or many.
use super::Token;
use super::operation::{Class, Operation, State};
use std::collections::VecDeque;
use std::ops::Index;
use std::time::Duration;

/// In which order operations leave: retries first, since their time window is passing; then those that have waited
/// longest.
type Turn = (bool, Option<Token>);

#[inline]
fn turn(operation: &Operation) -> Turn {
    (operation.time.is_none(), operation.token)
}

#[derive(Debug)]
pub(super) struct Table {
    operations: Vec<Operation>,
    /// The ids of `operations`, side by side: answers are looked up here.
    ids: Vec<u32>,
    /// Packets and expected bytes on the way, without what the slow path serves.
    load: (usize, usize),
    /// Operations that wait to be sent, in the order in which they leave, and where each lies.
    due: VecDeque<(Turn, u32)>,
    /// How many of those may leave whatever the windows say.
    privileged: usize,
    /// No operation's time comes before this; it may be too early, never too late.
    wake: Duration,
}

impl Default for Table {
    fn default() -> Self {
        let (operations, ids, load, due, privileged) = Default::default();
        Table { operations, ids, load, due, privileged, wake: Duration::MAX }
    }
}

impl Index<usize> for Table {
    type Output = Operation;
    #[inline]
    fn index(&self, index: usize) -> &Operation {
        &self.operations[index]
    }
}

impl Table {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.operations.len()
    }
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter()
    }
    #[inline]
    pub(super) fn load(&self) -> (usize, usize) {
        self.load
    }
    #[inline]
    pub(super) fn any_due(&self) -> bool {
        !self.due.is_empty()
    }
    /// Where those lie that wait to be sent, in the order in which they leave.
    #[inline]
    pub(super) fn due(&self) -> impl Iterator<Item = usize> {
        self.due.iter().map(|(_, index)| *index as usize)
    }
    /// Whether one of them may leave whatever the windows say.
    #[inline]
    pub(super) fn any_privileged(&self) -> bool {
        self.privileged > 0
    }
    #[inline]
    pub(super) fn wake(&self) -> Duration {
        self.wake
    }
    /// Where an operation that was sent lies.
    #[inline]
    pub(super) fn find(&self, op_id: u32) -> Option<usize> {
        let index = self.ids.iter().position(|id| *id == op_id)?;
        (!self.operations[index].sent.is_empty()).then_some(index)
    }
    #[inline]
    pub(super) fn push(&mut self, op_id: u32, operation: impl FnOnce() -> Operation) {
        let index = self.operations.len();
        self.ids.push(op_id);
        self.operations.push(operation());
        self.count(index, true);
    }
    /// Throws an operation away; the last one takes its place. Operations are large: it is not handed out.
    #[inline]
    pub(super) fn remove(&mut self, index: usize) {
        self.count(index, false);
        self.ids.swap_remove(index);
        let last = self.operations.len() - 1;
        if index != last {
            self.operations.swap(index, last);
            let moved = &self.operations[index];
            if matches!(moved.state, State::Due(_))
                && let Ok(at) = self.due.binary_search_by_key(&turn(moved), |(turn, _)| *turn)
            {
                self.due[at].1 = index as u32;
            }
        }
        self.operations.truncate(last);
    }
    /// Changes an operation, whatever of it.
    #[inline]
    pub(super) fn change<R>(&mut self, index: usize, change: impl FnOnce(&mut Operation) -> R) -> R {
        self.count(index, false);
        let result = change(&mut self.operations[index]);
        self.ids[index] = self.operations[index].op_id;
        self.count(index, true);
        result
    }
    /// Looks at all operations for the first whose time comes.
    pub(super) fn rewind(&mut self) {
        self.wake = self.operations.iter().map(Operation::wakes).min().unwrap_or(Duration::MAX);
    }
    /// One waits to be sent, or no longer does.
    #[inline]
    fn count_due(&mut self, turn: Turn, index: usize, add: bool) {
        // Most come behind all others, and leave before them.
        if add && self.due.back().is_none_or(|(last, _)| *last < turn) {
            self.due.push_back((turn, index as u32));
        } else if !add && self.due.front().is_some_and(|(first, _)| *first == turn) {
            self.due.pop_front();
        } else {
            match self.due.binary_search_by_key(&turn, |(turn, _)| *turn) {
                Err(at) if add => self.due.insert(at, (turn, index as u32)),
                Ok(at) if !add => drop(self.due.remove(at)),
                _ => {}
            }
        }
    }
    #[inline]
    fn count(&mut self, index: usize, add: bool) {
        let operation = &self.operations[index];
        let wakes = operation.wakes();
        match operation.state {
            State::Due(_) => {
                let turn = turn(operation);
                let privileged = usize::from(operation.may_pass());
                self.privileged =
                    if add { self.privileged + privileged } else { self.privileged - privileged };
                self.count_due(turn, index, add);
            }
            State::Sent(_) if operation.class != Class::SlowEffect => {
                let (packets, bytes) = self.load;
                let more = operation.expected_bytes();
                self.load = if add { (packets + 1, bytes + more) } else { (packets - 1, bytes - more) };
            }
            _ => {}
        }
        if add {
            self.wake = self.wake.min(wakes);
        } else if self.operations.len() == 1 {
            self.wake = Duration::MAX;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, Payload, Place};
    use super::*;
    use mneme_wire::{Opcode, Pid, Va};
    use proptest::prelude::*;

    const OPCODES: [Opcode; 3] = [Opcode::Read, Opcode::Write, Opcode::Alloc];

    #[derive(Debug, Clone)]
    enum Step {
        Push(usize, u64),
        Remove(usize),
        Sent(usize, u64),
        Due(usize, u64),
        Linger(usize, u64),
        Restart(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        let at = (any::<usize>(), 0..1_000_u64);
        prop_oneof![
            (0..OPCODES.len(), 0..1_000_u64).prop_map(|(kind, ends)| Step::Push(kind, ends)),
            any::<usize>().prop_map(Step::Remove),
            at.clone().prop_map(|(index, at)| Step::Sent(index, at)),
            at.clone().prop_map(|(index, at)| Step::Due(index, at)),
            at.prop_map(|(index, at)| Step::Linger(index, at)),
            any::<usize>().prop_map(Step::Restart),
        ]
    }

    fn operation(number: u32, opcode: Opcode, ends: u64) -> Operation {
        let (va, place) = (Va::default(), Place::default());
        let call = Call { opcode, pid: Pid::NONE, epoch: 0, va, length: 64, payload: Payload::new(), place };
        let ends = Duration::from_nanos(ends);
        Operation::new(Some(Token(number.into())), call, number, Duration::ZERO, ends)
    }

    fn take(table: &mut Table, step: Step, number: u32) {
        let at = Duration::from_nanos;
        let index = match step {
            Step::Push(kind, ends) => return table.push(number, || operation(number, OPCODES[kind], ends)),
            _ if table.is_empty() => return,
            Step::Remove(index) => return table.remove(index % table.len()),
            Step::Sent(index, _) | Step::Due(index, _) | Step::Linger(index, _) | Step::Restart(index) => {
                index % table.len()
            }
        };
        table.change(index, |operation| match step {
            Step::Sent(_, until) => {
                operation.emit(Duration::ZERO, mneme_wire::Tick::from_low_bits(0), false);
                operation.state = State::Sent(at(until));
            }
            Step::Due(_, when) => operation.state = State::Due(at(when)),
            Step::Linger(_, until) => operation.state = State::Lingering(at(until)),
            _ => operation.restart(number, Duration::ZERO),
        });
    }

    fn holds(table: &mut Table) {
        let waits = |operation: &&Operation| matches!(operation.state, State::Due(_));
        let mut waiting: Vec<&Operation> = table.iter().filter(waits).collect();
        waiting.sort_by_key(|operation| (operation.time.is_none(), operation.token));
        let due: Vec<_> = table.due().map(|index| table[index].token).collect();
        assert_eq!(due, waiting.iter().map(|operation| operation.token).collect::<Vec<_>>());
        assert_eq!(table.any_due(), !waiting.is_empty());
        assert_eq!(table.any_privileged(), waiting.iter().any(|operation| operation.may_pass()));
        let sent = |operation: &&Operation| {
            matches!(operation.state, State::Sent(_)) && operation.class != Class::SlowEffect
        };
        let load = table
            .iter()
            .filter(sent)
            .fold((0, 0), |(packets, bytes), operation| (packets + 1, bytes + operation.expected_bytes()));
        assert_eq!(table.load(), load);
        for index in 0..table.len() {
            let operation = &table[index];
            let found = table.find(operation.op_id);
            assert_eq!(found, (!operation.sent.is_empty()).then_some(index));
        }
        let first = table.iter().map(Operation::wakes).min().unwrap_or(Duration::MAX);
        assert!(table.wake() <= first, "too late");
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_a_look_at_all_operations_finds(
            steps in prop::collection::vec(step(), 1..200),
        ) {
            let mut table = Table::default();
            for (number, step) in steps.into_iter().enumerate() {
                take(&mut table, step, number as u32);
                holds(&mut table);
            }
            table.rewind();
            let first = table.iter().map(Operation::wakes).min().unwrap_or(Duration::MAX);
            prop_assert_eq!(table.wake(), first);
        }
    }
}
