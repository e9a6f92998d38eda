//! The operations in flight, with what has to be known of all of them at every step: how many are on the way, which are
//! due, when the first of them wants something. Kept as they change, so that a step costs the same with one or many.
//!
//! Each has a place of its own until it is removed, and places are used again: nothing large is moved.
use super::Token;
use super::nanos::Nanos;
use super::operation::{Class, Operation, State};
use std::collections::VecDeque;
use std::ops::Index;

/// In which order operations leave: retries first, since their time window is passing; then those that have waited
/// longest.
type Turn = (bool, Option<Token>);

#[inline]
fn turn(operation: &Operation) -> Turn {
    (operation.time.is_none(), operation.token)
}

#[derive(Debug)]
pub(super) struct Table {
    /// By place; those of free places are vacant.
    operations: Vec<Operation>,
    free: Vec<u32>,
    /// The ids of `operations`, side by side.
    ids: Vec<u32>,
    /// By the low bits of an id, where its operation lies, if no later id has the same: nearly every answer is looked up
    /// with one look here. As many as a power of two.
    likely: Vec<u32>,
    /// Packets and expected bytes on the way, without what the slow path serves.
    load: (usize, usize),
    /// Operations that wait to be sent, in the order in which they leave, and where each lies.
    due: VecDeque<(Turn, u32)>,
    /// How many of those may leave whatever the windows say.
    privileged: usize,
    /// No operation's time comes before this; it may be too early, never too late.
    wake: Nanos,
}

impl Default for Table {
    fn default() -> Self {
        let (operations, free, ids, load, due, privileged) = Default::default();
        Table { operations, free, ids, likely: vec![0; 16], load, due, privileged, wake: Nanos::MAX }
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
        self.operations.len() - self.free.len()
    }
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// All places; some may be vacant.
    pub(super) fn places(&self) -> std::ops::Range<usize> {
        0..self.operations.len()
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|operation| operation.state != State::Vacant)
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
    pub(super) fn wake(&self) -> Nanos {
        self.wake
    }
    /// Where an operation that was sent lies.
    #[inline]
    pub(super) fn find(&self, op_id: u32) -> Option<usize> {
        let is_there = |index: usize| self.ids[index] == op_id && !self.operations[index].sent.is_empty();
        let likely = self.likely[op_id as usize & (self.likely.len() - 1)] as usize;
        if likely < self.ids.len() && is_there(likely) {
            return Some(likely);
        }
        self.places().find(|index| is_there(*index))
    }
    /// Adds an operation: `begin` begins it in its place.
    #[inline(always)]
    pub(super) fn add(&mut self, begin: impl FnOnce(&mut Operation)) {
        let index = match self.free.pop() {
            Some(index) => index as usize,
            None => self.another_place(),
        };
        begin(&mut self.operations[index]);
        self.name(index);
        self.count::<true>(index);
    }
    #[cold]
    fn another_place(&mut self) -> usize {
        self.operations.push(Operation::vacant());
        self.ids.push(0);
        // Ids that are in use at one time seldom lie further apart.
        let likely = (4 * self.operations.len()).next_power_of_two().max(self.likely.len());
        self.likely.resize(likely, 0);
        self.operations.len() - 1
    }
    /// Notes the id of an operation.
    #[inline]
    fn name(&mut self, index: usize) {
        let op_id = self.operations[index].op_id;
        self.ids[index] = op_id;
        let slot = op_id as usize & (self.likely.len() - 1);
        self.likely[slot] = index as u32;
    }
    /// Throws an operation away.
    #[inline]
    pub(super) fn remove(&mut self, index: usize) {
        self.count::<false>(index);
        self.operations[index].vacate();
        self.free.push(index as u32);
        if self.is_empty() {
            self.wake = Nanos::MAX;
        }
    }
    /// Changes an operation, whatever of it but its id.
    #[cold]
    pub(super) fn change(&mut self, index: usize, change: impl FnOnce(&mut Operation)) {
        self.count::<false>(index);
        change(&mut self.operations[index]);
        self.count::<true>(index);
    }
    /// The same of one that leaves, which each does.
    #[inline(always)]
    pub(super) fn send<R>(&mut self, index: usize, send: impl FnOnce(&mut Operation) -> R) -> R {
        self.count::<false>(index);
        let result = send(&mut self.operations[index]);
        self.count::<true>(index);
        result
    }
    /// Lets an operation start anew under another id.
    pub(super) fn restart(&mut self, index: usize, op_id: u32, at: Nanos) {
        self.change(index, |operation| operation.restart(op_id, at));
        self.name(index);
    }
    /// Looks at all operations for the first whose time comes.
    pub(super) fn rewind(&mut self) {
        self.wake = self.iter().map(Operation::wakes).min().unwrap_or(Nanos::MAX);
    }
    /// One waits to be sent, or no longer does.
    #[inline]
    fn count_due<const ADD: bool>(&mut self, turn: Turn, index: usize) {
        // Most come behind all others, and leave before them.
        if ADD && self.due.back().is_none_or(|(last, _)| *last < turn) {
            self.due.push_back((turn, index as u32));
        } else if !ADD && self.due.front().is_some_and(|(first, _)| *first == turn) {
            self.due.pop_front();
        } else {
            self.count_due_between::<ADD>(turn, index);
        }
    }
    #[cold]
    fn count_due_between<const ADD: bool>(&mut self, turn: Turn, index: usize) {
        match self.due.binary_search_by_key(&turn, |(turn, _)| *turn) {
            Err(at) if ADD => self.due.insert(at, (turn, index as u32)),
            Ok(at) if !ADD => drop(self.due.remove(at)),
            _ => {}
        }
    }
    /// Counts an operation as it is now, or no longer.
    #[inline(always)]
    fn count<const ADD: bool>(&mut self, index: usize) {
        let operation = &self.operations[index];
        if ADD {
            self.wake = self.wake.min(operation.wakes());
        }
        match operation.state {
            State::Due(_) => {
                let turn = turn(operation);
                let privileged = usize::from(operation.may_pass());
                self.privileged =
                    if ADD { self.privileged + privileged } else { self.privileged - privileged };
                self.count_due::<ADD>(turn, index);
            }
            State::Sent(_) if operation.class != Class::SlowEffect => {
                let (packets, bytes) = self.load;
                let more = operation.expected_bytes();
                self.load = if ADD { (packets + 1, bytes + more) } else { (packets - 1, bytes - more) };
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Call, Payload, Place};
    use super::*;
    use mneme_wire::{Opcode, Pid, Va};
    use proptest::prelude::*;

    const MOST_STEPS: u32 = 200;
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

    fn begin(operation: &mut Operation, number: u32, opcode: Opcode, ends: u64) {
        let (va, place) = (Va::default(), Place::default());
        let call = Call { opcode, pid: Pid::NONE, epoch: 0, va, length: 64, payload: Payload::new(), place };
        let ends = Nanos(ends);
        operation.begin(Some(Token(number.into())), call, number, Nanos::ZERO, ends);
    }

    fn take(table: &mut Table, step: Step, number: u32) {
        let at = Nanos;
        let index = match step {
            Step::Push(kind, ends) => {
                return table.add(|operation| begin(operation, number, OPCODES[kind], ends));
            }
            _ if table.is_empty() => return,
            Step::Remove(index)
            | Step::Sent(index, _)
            | Step::Due(index, _)
            | Step::Linger(index, _)
            | Step::Restart(index) => {
                let taken: Vec<usize> =
                    table.places().filter(|index| table[*index].state != State::Vacant).collect();
                taken[index % taken.len()]
            }
        };
        match step {
            Step::Remove(_) => return table.remove(index),
            // Ids that share their low bits, too; none is given twice.
            Step::Restart(_) => return table.restart(index, (number + MOST_STEPS) << 6, Nanos::ZERO),
            _ => {}
        }
        table.change(index, |operation| match step {
            Step::Sent(_, until) => {
                operation.emit(
                    super::super::timing::Moment::default(),
                    &super::super::seal::Sealing::NONE,
                    false,
                );
                operation.state = State::Sent(at(until));
            }
            Step::Due(_, when) => operation.state = State::Due(at(when)),
            Step::Linger(_, until) => operation.state = State::Lingering(at(until)),
            _ => {}
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
        for index in table.places() {
            let operation = &table[index];
            match operation.state {
                State::Vacant => assert!(operation.sent.is_empty() && operation.call.payload.is_empty()),
                _ => {
                    let found = table.find(operation.op_id);
                    assert_eq!(found, (!operation.sent.is_empty()).then_some(index));
                }
            }
        }
        assert_eq!(table.len(), table.iter().count());
        let first = table.iter().map(Operation::wakes).min().unwrap_or(Nanos::MAX);
        assert!(table.wake() <= first, "too late");
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_a_look_at_all_operations_finds(
            steps in prop::collection::vec(step(), 1..MOST_STEPS as usize),
        ) {
            let mut table = Table::default();
            for (number, step) in steps.into_iter().enumerate() {
                take(&mut table, step, number as u32);
                holds(&mut table);
            }
            table.rewind();
            let first = table.iter().map(Operation::wakes).min().unwrap_or(Nanos::MAX);
            prop_assert_eq!(table.wake(), first);
        }
    }
}
