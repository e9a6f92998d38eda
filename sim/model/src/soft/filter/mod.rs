//! The retry filter: what makes writes and atomics take effect once (contracts §2).
mod expiry;
#[cfg(test)]
mod tests;

use mneme_wire::{Cause, Pid, Status, Tick, Va, WindowCheck, check_window, filter_digest};

use super::request::{Answer, BoardRequest};
use expiry::{Expiry, Mark};

/// Who asked and under which number: the same in every attempt of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Source IPv4 address.
    pub source_ip: u32,
    /// Source UDP port.
    pub source_port: u16,
    /// Operation id.
    pub op_id: u32,
}

impl Key {
    /// The key of a request.
    pub fn of(request: &BoardRequest) -> Key {
        Key { source_ip: request.source_ip(), source_port: request.endpoints.src_port, op_id: request.op_id }
    }
    /// The group whose share of the filter is bounded. Without a class it is the source address's: who has many ports has no
    /// more of it. With the class of a pid that a tag has proved, the upper half of the groups is for classes and the lower
    /// one for the addresses of class 0: who has a class, and whatever addresses he likes, has no more of it than one part.
    pub fn group(&self, class: Option<u8>) -> usize {
        let hash = (u64::from(self.source_ip).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as usize;
        match class {
            None => hash % GROUPS,
            Some(0) => hash % (GROUPS / 2),
            Some(class) => GROUPS / 2 + usize::from(class) % (GROUPS / 2),
        }
    }
    /// Two set numbers below 2^`sets_log2`, one per choice: a 64-bit multiply mixes the key (splitmix64's finaliser).
    pub fn sets(&self, sets_log2: u32) -> [usize; 2] {
        let mut mix =
            u64::from(self.source_ip) << 32 ^ u64::from(self.source_port) << 32 ^ u64::from(self.op_id);
        mix = (mix ^ mix >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mix = (mix ^ mix >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mix ^= mix >> 31;
        let mask = (1u64 << sets_log2) - 1;
        [(mix & mask) as usize, (mix >> 32 & mask) as usize]
    }
}

/// How far an operation got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// An attempt is running.
    Pending,
    /// Took effect; the old word of an atomic.
    Done(u64),
    /// Memory failed: MEMERR, and it may have taken effect.
    Failed {
        /// `va` field of the answer.
        va: Va,
        /// `length` field of the answer.
        length: u16,
    },
    /// Did not take effect: this was answered.
    Released {
        /// Status.
        status: Status,
        /// `va` field of the answer.
        va: Va,
        /// `length` field of the answer.
        length: u16,
    },
}

/// What the filter remembers of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Who asked.
    pub key: Key,
    /// Protection domain.
    pub pid: Pid,
    /// Tick of the first attempt.
    pub time: Tick,
    /// CRC-32C of opcode, va and length.
    pub digest: u32,
    /// The attempt that is running or was answered last.
    pub attempt: u8,
    /// How far it got.
    pub state: State,
    group: usize,
}

impl Entry {
    /// Whether it still answers for its operation.
    pub fn is_live(&self, now: Tick, window: u32) -> bool {
        self.state == State::Pending || now.since(self.time) <= window as i32
    }
    /// Whether a request is another attempt of this very operation.
    pub fn same_operation(&self, request: &BoardRequest) -> bool {
        self.pid == request.pid
            && self.time == request.time
            && self.digest == filter_digest(request.opcode, request.va, request.length)
    }
}

/// What the filter says to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// New, and noted as pending: go on.
    Insert,
    /// A higher attempt of a released operation, pending again: go on.
    Reopen,
    /// Took effect before: OK, with the old word of an atomic.
    Replay(u64),
    /// A released attempt, or a lower one, or any of an operation with which memory failed: the same answer again.
    Repeat {
        /// Status.
        status: Status,
        /// `va` field.
        va: Va,
        /// `length` field.
        length: u16,
    },
    /// An attempt is running.
    Pending,
    /// The operation id belongs to another operation.
    Conflict,
    /// Older than the window.
    Expired,
    /// Ahead of the board by more than a quarter of the window.
    Clock,
    /// Every entry that could hold it is in use.
    Full,
}

/// Deviations that planted faults ask for.
#[derive(Debug, Clone, Copy, Default)]
pub struct FilterFaults {
    /// Every request goes on as if it were new.
    pub ignored: bool,
    /// Any request with the key counts as the same operation.
    pub digest_ignored: bool,
    /// Old requests go on.
    pub window_off: bool,
    /// Lower attempts of a released operation go on.
    pub lower_attempt_executes: bool,
    /// Higher attempts of an operation with which memory failed go on.
    pub failed_executes: bool,
    /// Half of each set's ways stay empty.
    pub half: bool,
}

/// Groups of sources. Above three quarters of all entries, a group holds at most one part in so many.
pub const GROUPS: usize = 8;

/// Entries in sets with two choices.
#[derive(Debug, Clone)]
pub struct RetryFilter {
    sets: Vec<Vec<Entry>>,
    sets_log2: u32,
    ways: usize,
    /// Entries of each source group, those included that are not live any more and still there.
    held: [usize; GROUPS],
    /// Tick of the last walk for the sake of shares, and of the last one that keeps entries from coming alive again.
    tidied_at: Tick,
    scrubbed_at: Tick,
    /// Where a walk over all entries would take long.
    expiry: Option<Expiry>,
    #[cfg(test)]
    walks: u32,
    /// Planted faults.
    pub faults: FilterFaults,
}

/// Ticks between two walks over all entries. An entry that went out of the window since then cannot have come round to
/// look ahead of the board: that takes 2^23 ticks less a window (2^22).
const SCRUB_TICKS: i32 = 1 << 20;
/// Filters of more entries know when theirs stop being live: a walk takes longer than a tick.
const WALKED: usize = 1 << 14;

impl RetryFilter {
    /// An empty filter of 2 × 2^`sets_log2` sets. Unlimited `ways` (`usize::MAX`) make a filter that is never full.
    pub fn new(sets_log2: u32, ways: usize) -> RetryFilter {
        let entries = (2usize << sets_log2).checked_mul(ways);
        let expiry = entries.filter(|entries| *entries > WALKED).map(Expiry::new);
        RetryFilter {
            sets: vec![Vec::new(); 2 << sets_log2],
            sets_log2,
            ways,
            held: [0; GROUPS],
            tidied_at: Tick::default(),
            scrubbed_at: Tick::default(),
            expiry,
            #[cfg(test)]
            walks: 0,
            faults: FilterFaults::default(),
        }
    }
    /// The two sets of a key: the first half of the sets belongs to the first choice.
    fn homes(&self, key: &Key) -> [usize; 2] {
        let [first, second] = key.sets(self.sets_log2);
        [first, (1 << self.sets_log2) + second]
    }
    /// The entry of a key, live or not.
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.homes(key).into_iter().flat_map(|set| &self.sets[set]).find(|entry| entry.key == *key)
    }
    fn entry_mut(&mut self, key: &Key) -> Option<&mut Entry> {
        let homes = self.homes(key);
        let set = homes.into_iter().find(|set| self.sets[*set].iter().any(|entry| entry.key == *key))?;
        self.sets[set].iter_mut().find(|entry| entry.key == *key)
    }
    /// Entries that are pending or live.
    pub fn in_use(&self, now: Tick, window: u32) -> usize {
        self.sets.iter().flatten().filter(|entry| entry.is_live(now, window)).count()
    }

    /// Decides about a request at tick `now`; inserts or reopens its entry when it may go on. `proven`: the board asks for
    /// tags, so that the pid tells whose request it is.
    pub fn decide(&mut self, request: &BoardRequest, now: Tick, window: u32, proven: bool) -> Decision {
        let key = Key::of(request);
        let faults = self.faults;
        if let Some(entry) = self.entry_mut(&key).filter(|entry| entry.is_live(now, window)) {
            if faults.ignored {
                entry.begin(request);
                return Decision::Insert;
            }
            let ahead = check_window(now, request.time, window) == WindowCheck::Ahead;
            return entry.decide(request, ahead, &faults);
        }
        match check_window(now, request.time, window) {
            WindowCheck::Expired if !faults.window_off => Decision::Expired,
            WindowCheck::Ahead => Decision::Clock,
            _ if self.insert(request, now, window, proven) => Decision::Insert,
            _ => Decision::Full,
        }
    }

    /// Takes entries out of a set that are not to stay.
    fn retain(&mut self, set: usize, stays: impl Fn(&Entry) -> bool) {
        let held = &mut self.held;
        self.sets[set].retain(|entry| {
            let stays = stays(entry);
            if !stays {
                held[entry.group] -= 1;
            }
            stays
        });
    }
    /// Takes entries out of a set that are not live.
    fn tidy(&mut self, set: usize, now: Tick, window: u32) {
        self.retain(set, |entry| entry.is_live(now, window));
    }
    /// Takes all entries out that are not live.
    fn tidy_all(&mut self, now: Tick, window: u32) {
        let Some(due) = self.expiry.as_mut().and_then(|expiry| expiry.take(now, window)) else {
            return self.walk(now, window);
        };
        for mark in due {
            self.retain(mark.set, |entry| entry.key != mark.key || entry.is_live(now, window));
            // One that was made again has a mark of its own.
            let stays = self.sets[mark.set].iter().any(|e| (e.key, e.time) == (mark.key, mark.time));
            if let Some(expiry) = self.expiry.as_mut().filter(|_| stays) {
                expiry.note_late(mark);
            }
        }
    }
    /// The same by a look at each entry.
    fn walk(&mut self, now: Tick, window: u32) {
        #[cfg(test)]
        {
            self.walks += 1;
        }
        (0..self.sets.len()).for_each(|set| self.tidy(set, now, window));
        let Some(expiry) = &mut self.expiry else { return };
        expiry.begin(now, window);
        for (set, entries) in self.sets.iter().enumerate() {
            entries.iter().for_each(|entry| expiry.note(Mark { set, key: entry.key, time: entry.time }));
        }
    }
    /// Whether a group has its share and `held` and capacity are such, by entries that are live.
    fn spent(
        &mut self,
        group: usize,
        now: Tick,
        window: u32,
        such: impl Fn(&[usize; GROUPS], usize) -> bool,
    ) -> bool {
        let Some(capacity) = self.sets.len().checked_mul(self.ways) else { return false };
        let spent = |held: &[usize; GROUPS]| held[group] >= capacity / GROUPS && such(held, capacity);
        if spent(&self.held) && self.tidied_at != now {
            self.tidy_all(now, window);
            self.tidied_at = now;
        }
        spent(&self.held)
    }
    /// Whether the filter is so full that a group is held to its share, and this one has it.
    fn over_share(&mut self, group: usize, now: Tick, window: u32) -> bool {
        self.spent(group, now, window, |held, capacity| held.iter().sum::<usize>() * 4 >= capacity * 3)
    }
    /// Whether a group leaves the last free way of each set to the others: it has its share and is not alone. Else it would
    /// fill some sets, however few entries it may have altogether, and a source that meets two of them would wait.
    fn yields(&mut self, group: usize, now: Tick, window: u32) -> bool {
        self.ways > 1 && self.spent(group, now, window, |held, _| held.iter().sum::<usize>() > held[group])
    }

    /// Puts a pending entry into the emptier of the two sets, where entries that are not live count as empty.
    fn insert(&mut self, request: &BoardRequest, now: Tick, window: u32, proven: bool) -> bool {
        let key = Key::of(request);
        let homes = self.homes(&key);
        for set in homes {
            if self.ways == usize::MAX {
                // Nothing needs the place, and a replay decides in the order of answers: one that was looked up earlier, when the entry
                // was live, may be decided later.
                self.retain(set, |entry| entry.key != key);
            } else {
                self.tidy(set, now, window);
            }
        }
        let [first, second] = homes;
        let group = key.group(proven.then(|| request.pid.class()));
        let used = self.sets[first].len().min(self.sets[second].len());
        let set =
            if self.sets[second].len() == used && self.sets[first].len() > used { second } else { first };
        let ways = if self.faults.half { self.ways / 2 } else { self.ways };
        // Who yields is asked where it matters alone: the answer may cost a walk over all entries.
        let room = used < ways
            && !(used + 1 == ways && self.yields(group, now, window))
            && !self.over_share(group, now, window);
        if room {
            self.sets[set].push(Entry::pending(request, group));
            self.held[group] += 1;
            if let Some(expiry) = &mut self.expiry {
                expiry.note(Mark { set, key, time: request.time });
            }
        }
        room
    }

    /// Notes how a request ended that went on.
    pub fn finish(&mut self, request: &BoardRequest, answer: &Answer) {
        let faults = self.faults;
        if let Some(entry) = self.entry_mut(&Key::of(request)) {
            entry.attempt = request.attempt;
            let unknown = answer.cause_number() == Cause::Dram.number() && !faults.failed_executes;
            entry.state = match answer.status {
                Status::Ok => State::Done(answer.result),
                Status::MemoryError if unknown => State::Failed { va: answer.va, length: answer.length },
                status => State::Released { status, va: answer.va, length: answer.length },
            };
        }
    }

    /// Frees every entry that is not live, now and then, so that none survives a wrap of the tick. Answers how many.
    pub fn scrub(&mut self, now: Tick, window: u32) -> u32 {
        if now.since(self.scrubbed_at).abs() < SCRUB_TICKS {
            return 0;
        }
        self.scrubbed_at = now;
        let before: usize = self.sets.iter().map(Vec::len).sum();
        self.walk(now, window);
        let after: usize = self.sets.iter().map(Vec::len).sum();
        (before - after) as u32
    }
}

impl Entry {
    fn pending(request: &BoardRequest, group: usize) -> Entry {
        Entry {
            key: Key::of(request),
            pid: request.pid,
            time: request.time,
            digest: filter_digest(request.opcode, request.va, request.length),
            attempt: request.attempt,
            state: State::Pending,
            group,
        }
    }
    /// Another attempt goes on. It counts for whom the first one did.
    fn begin(&mut self, request: &BoardRequest) {
        *self = Entry::pending(request, self.group);
    }
    /// Step 1 of contracts §2: a live entry with the request's key.
    ///
    /// `ahead`: the request's time is further ahead than the window lets it be, which was longer when the operation came first.
    fn decide(&mut self, request: &BoardRequest, ahead: bool, faults: &FilterFaults) -> Decision {
        if !self.same_operation(request) && !faults.digest_ignored {
            return Decision::Conflict;
        }
        match self.state {
            State::Pending => Decision::Pending,
            State::Done(result) => Decision::Replay(result),
            State::Failed { va, length } => Decision::Repeat { status: Status::MemoryError, va, length },
            State::Released { status, va, length } => {
                if request.attempt <= self.attempt && !faults.lower_attempt_executes {
                    Decision::Repeat { status, va, length }
                } else if ahead {
                    Decision::Clock
                } else {
                    self.begin(request);
                    Decision::Reopen
                }
            }
        }
    }
}
