//! Packets that have come and wait for the engine.
use std::collections::{BTreeMap, VecDeque};

use super::costs::Picos;

/// A packet.
#[derive(Debug)]
pub struct Waiting {
    /// When it came.
    pub since: Picos,
    /// Whose it is.
    pub client: usize,
    /// From its base transport header on.
    pub packet: Vec<u8>,
}

/// Those that wait, in the order in which they came for each of those who take turns.
#[derive(Debug, Default)]
pub struct Arrived {
    queues: BTreeMap<u32, VecDeque<Waiting>>,
    /// Who had the last turn.
    last: u32,
}

impl Arrived {
    /// A packet has come.
    pub fn push(&mut self, of: u32, packet: Waiting) {
        self.queues.entry(of).or_default().push_back(packet);
    }
    /// The next one: of the next who has one.
    pub fn pop(&mut self) -> Option<Waiting> {
        let behind = self.queues.range(self.last + 1..).chain(self.queues.range(..=self.last));
        let (&of, _) = behind.into_iter().find(|(_, queue)| !queue.is_empty())?;
        self.last = of;
        self.queues.get_mut(&of)?.pop_front()
    }
    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.queues.values().all(VecDeque::is_empty)
    }
}
