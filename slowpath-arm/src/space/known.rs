//! Pids whose keys are known to those who had them (docs/reference/trailers.md §2).
//!
//! A process's key is made of its pid and of a generation of the board's keys. Whoever has opened or joined a process knows
//! its key until that generation has ended, and a process of another tenant with the same pid would be his, too. So a pid
//! stays its tenant's until then, or nobody's where others have joined.
use crate::share::Source;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Who had a pid.
#[derive(Debug, Clone, Copy)]
struct Known {
    source: Source,
    /// Others know its keys, too.
    shared: bool,
    /// The generation with which the last of its keys has ended.
    ends: u32,
}

/// Pids of ended processes with keys that still count.
#[derive(Debug, Default)]
pub(crate) struct KnownPids {
    /// The current generation of the board's keys; a board without has none, and nobody knows anything.
    generation: Option<Arc<AtomicU32>>,
    pids: HashMap<u32, Known>,
    /// The same by who had them, oldest first.
    own: HashMap<Source, VecDeque<u32>>,
    /// The generation of the last look at what has ended.
    looked: u32,
}

impl KnownPids {
    /// Of a board whose keys are of generations.
    pub(crate) fn of(generation: Arc<AtomicU32>) -> KnownPids {
        KnownPids { generation: Some(generation), ..KnownPids::default() }
    }
    fn now(&self) -> u32 {
        self.generation.as_ref().map_or(0, |generation| generation.load(Relaxed))
    }
    /// A process has ended whose keys were told. `shared`: another source had joined it.
    pub(crate) fn ended(&mut self, pid: u32, source: Source, shared: bool) {
        if self.generation.is_none() {
            return;
        }
        // Keys of the current generation count while the next one is current, too; one more, since a handshake may be under
        // way that tells those of the next.
        let ends = self.now().saturating_add(3);
        self.forget(pid);
        self.pids.insert(pid, Known { source, shared, ends });
        self.own.entry(source).or_default().push_back(pid);
    }
    /// Forgets pids whose keys have ended: all that are known are looked at, once in a generation.
    pub(crate) fn look(&mut self) {
        let now = self.now();
        if now == self.looked {
            return;
        }
        self.looked = now;
        let pids = &mut self.pids;
        pids.retain(|_, known| now < known.ends);
        self.own.retain(|_, own| {
            own.retain(|pid| pids.contains_key(pid));
            !own.is_empty()
        });
    }
    /// Whether a source may be given a pid.
    pub(crate) fn may_have(&self, pid: u32, source: Source) -> bool {
        self.pids.get(&pid).is_none_or(|known| !known.shared && known.source == source)
    }
    /// Pids that are a source's.
    pub(crate) fn held(&self, source: Source) -> usize {
        self.own.get(&source).map_or(0, VecDeque::len)
    }
    /// The pid that a source had longest ago, of those for which this holds, and that it may have again.
    pub(crate) fn oldest(&self, source: Source, which: impl Fn(u32) -> bool) -> Option<u32> {
        let own = self.own.get(&source)?;
        own.iter().copied().find(|pid| which(*pid) && self.may_have(*pid, source))
    }
    /// A pid is given to somebody who may have it.
    pub(crate) fn forget(&mut self, pid: u32) {
        let Some(known) = self.pids.remove(&pid) else { return };
        let Some(own) = self.own.get_mut(&known.source) else { return };
        own.retain(|own| *own != pid);
        if own.is_empty() {
            self.own.remove(&known.source);
        }
    }
}
