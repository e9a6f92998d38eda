//! The operations in flight, with what has to be known of all of them at every step: how many are on the way, whether
//! any is due, when the first of them wants something. Kept as they change, so that a step costs the same with one or
//! many.
use super::operation::{Class, Operation, State};
use std::ops::Index;
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Table {
    operations: Vec<Operation>,
    /// The ids of `operations`, side by side: answers are looked up here.
    ids: Vec<u32>,
    /// Packets and expected bytes on the way, without what the slow path serves.
    load: (usize, usize),
    /// Operations that wait to be sent.
    due: usize,
    /// No operation's time comes before this; it may be too early, never too late.
    wake: Duration,
}

impl Default for Table {
    fn default() -> Self {
        Table { operations: Vec::new(), ids: Vec::new(), load: (0, 0), due: 0, wake: Duration::MAX }
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
        self.due > 0
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
    #[inline]
    fn count(&mut self, index: usize, add: bool) {
        let operation = &self.operations[index];
        match operation.state {
            State::Due(_) if add => self.due += 1,
            State::Due(_) => self.due -= 1,
            State::Sent(_) if operation.class != Class::SlowEffect => {
                let (packets, bytes) = self.load;
                let more = operation.expected_bytes();
                self.load = if add { (packets + 1, bytes + more) } else { (packets - 1, bytes - more) };
            }
            _ => {}
        }
        if add {
            self.wake = self.wake.min(operation.wakes());
        } else if self.operations.len() == 1 {
            self.wake = Duration::MAX;
        }
    }
}
