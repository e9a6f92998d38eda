//! The keys of a client's processes on one board.
use mneme_wire::Pid;
use mneme_wire::trailer::ProcessKey;

/// The keys of a process on one board: one for each key phase, as far as they are known, and the phase to send in. They
/// are wiped when they are dropped, and never printed.
///
/// A handshake hands them out when a process is opened, and again before they end.
///
/// ```
/// use mneme_clib::transport::ProcessKeys;
///
/// let keys = ProcessKeys::new(false, [7; 16]).and(true, [8; 16]);
/// assert_eq!(format!("{keys:?}"), "ProcessKeys(..)");
/// ```
#[derive(Clone, Default)]
pub struct ProcessKeys {
    phases: [Option<ProcessKey>; 2],
    phase: bool,
}

impl std::fmt::Debug for ProcessKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProcessKeys(..)")
    }
}

impl ProcessKeys {
    /// The key of one phase, in which requests are sent.
    pub fn new(phase: bool, key: [u8; 16]) -> ProcessKeys {
        ProcessKeys { phase, ..ProcessKeys::default() }.and(phase, key)
    }
    /// These, and the key of a phase: answers of that phase are believed, too, and requests sent in it when the board
    /// says so.
    pub fn and(mut self, phase: bool, key: [u8; 16]) -> ProcessKeys {
        self.phases[usize::from(phase)] = Some(ProcessKey::new(key));
        self
    }
    /// The key of a phase.
    #[inline]
    pub(super) fn key(&self, phase: bool) -> Option<&ProcessKey> {
        self.phases[usize::from(phase)].as_ref()
    }
    /// The key to send with. `doubted`: the last tag was refused, so that the other one may be the right one by now.
    #[inline]
    pub(super) fn to_send(&self, doubted: bool) -> Option<(bool, &ProcessKey)> {
        let of = |phase: bool| self.key(phase).map(|key| (phase, key));
        let (first, second) = (self.phase ^ doubted, self.phase ^ !doubted);
        of(first).or_else(|| of(second))
    }
    /// Takes newer keys; those of a phase that they do not have stay.
    fn renew(&mut self, newer: ProcessKeys) {
        self.phase = newer.phase;
        for (old, new) in self.phases.iter_mut().zip(newer.phases) {
            if new.is_some() {
                *old = new;
            }
        }
    }
}

#[derive(Debug)]
struct Of {
    pid: Pid,
    epoch: u8,
    keys: ProcessKeys,
}

/// The keys of a client's processes, in the order of their pids.
#[derive(Debug, Default)]
pub(super) struct Keyring(Vec<Of>);

impl Keyring {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    fn find(&self, pid: Pid) -> Result<usize, usize> {
        self.0.binary_search_by_key(&pid, |of| of.pid)
    }
    /// The keys of a process, if there are any.
    #[inline]
    pub(super) fn of(&self, pid: Pid) -> Option<&ProcessKeys> {
        self.find(pid).ok().map(|at| &self.0[at].keys)
    }
    /// A process that has keys, and its epoch: for what is asked of no process.
    pub(super) fn any(&self) -> Option<(Pid, u8)> {
        self.0.first().map(|of| (of.pid, of.epoch))
    }
    /// The newest keys of a process.
    pub(super) fn put(&mut self, pid: Pid, epoch: u8, keys: ProcessKeys) {
        match self.find(pid) {
            Ok(at) if self.0[at].epoch == epoch => self.0[at].keys.renew(keys),
            // Of a life of the board that is over.
            Ok(at) => self.0[at] = Of { pid, epoch, keys },
            Err(at) => self.0.insert(at, Of { pid, epoch, keys }),
        }
    }
    /// Forgets the keys of all other processes.
    pub(super) fn retain(&mut self, mut stays: impl FnMut(Pid, u8) -> bool) {
        self.0.retain(|of| stays(of.pid, of.epoch));
    }
    /// The board, or an answer that a key proves, has said in which phase it is.
    #[inline]
    pub(super) fn told(&mut self, pid: Pid, phase: bool) {
        if let Ok(at) = self.find(pid)
            && self.0[at].keys.phases[usize::from(phase)].is_some()
        {
            self.0[at].keys.phase = phase;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PID: Pid = Pid::from_low_bits(5);

    fn phase(ring: &Keyring, doubted: bool) -> Option<bool> {
        ring.of(PID).and_then(|keys| keys.to_send(doubted)).map(|(phase, _)| phase)
    }

    #[test]
    fn keys_are_of_one_epoch_and_stay_with_their_process() {
        let mut ring = Keyring::default();
        ring.put(PID, 3, ProcessKeys::new(false, [1; 16]));
        ring.put(Pid::from_low_bits(4), 3, ProcessKeys::new(false, [3; 16]));
        ring.put(PID, 4, ProcessKeys::new(true, [2; 16]));
        assert_eq!(ring.of(PID).and_then(|keys| keys.key(false)), None, "of another life");
        ring.retain(|pid, _| pid == PID);
        assert_eq!((ring.any(), phase(&ring, false)), (Some((PID, 4)), Some(true)));
        ring.retain(|_, epoch| epoch == 3);
        assert!(ring.is_empty() && ring.of(PID).is_none());
    }

    #[test]
    fn the_phase_told_is_used_where_its_key_is_there_and_doubt_tries_the_other() {
        let mut ring = Keyring::default();
        ring.put(PID, 3, ProcessKeys::new(false, [1; 16]));
        ring.told(PID, true);
        assert_eq!([phase(&ring, false), phase(&ring, true)], [Some(false); 2], "there is no other");
        ring.put(PID, 3, ProcessKeys::new(true, [2; 16]));
        assert_eq!([phase(&ring, false), phase(&ring, true)], [Some(true), Some(false)]);
        ring.told(PID, false);
        assert_eq!([phase(&ring, false), phase(&ring, true)], [Some(false), Some(true)]);
        assert_eq!(ring.of(PID).and_then(|keys| keys.key(true)), Some(&ProcessKey::new([2; 16])));
    }
}
