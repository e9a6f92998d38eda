//! The answer cache: what the retry filter is for the fast path, for requests that the slow path serves (architecture §3,
//! contracts §2 and §4). Same key, states and rules; the digest covers the payload too, and the window is the slow path's.
use crate::share::{Shares, Source};
use mneme_wire::payload::PUBLIC_KEY_LEN;
use mneme_wire::{Request, crc32c};
use std::collections::{HashMap, VecDeque};

/// What proves that a request comes from where it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proof {
    /// Nothing: anybody can write a source into a frame.
    None,
    /// A tag of this process.
    Process(u32),
    /// It is a secure OPEN, whose message is one operation's alone: its ephemeral key.
    Message([u8; PUBLIC_KEY_LEN]),
}

/// Who asked: source address, source port, operation id, and what proves it. So who forges a source takes no ids of those
/// who prove themselves.
pub type Key = ([u8; 4], u16, u32, Proof);

/// What the cache says of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Not seen: it is now pending; execute it and call [`Answers::finish`].
    Execute,
    /// Answered before: the same again.
    Again(Saved),
    /// An attempt of it is being executed.
    Pending,
    /// The operation id is in use for something else.
    Conflict,
    /// Its time lies before the window.
    Expired,
    /// Its time is too far ahead of the board.
    Clock,
    /// No room: the source has its share of the entries, all of requests inside the window.
    Full,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// For good: it was executed, or it may have been.
    Done,
    /// It was refused: a higher attempt may be executed.
    Released,
    /// It was refused before it had proved who asks. Of such requests nothing is kept: strangers would take all the room.
    Unproven,
}

/// An answer as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Status number.
    pub status: u8,
    /// The `va` field of an answer that is not OK.
    pub va: u64,
    /// Payload of an OK answer.
    pub payload: Vec<u8>,
}

#[derive(Debug, Clone)]
enum State {
    Pending,
    Done(Saved),
    Released(u8, Saved),
}

#[derive(Debug, Clone)]
struct Entry {
    /// Whose share it is of.
    owner: Source,
    digest: u32,
    pid: u32,
    time: i64,
    state: State,
    /// It is among those that are forgotten in order, as all are that have ended.
    queued: bool,
}

/// Entries that one request forgets at most: none pays for what many left behind.
const FORGOTTEN: usize = 32;

/// A bounded cache of answers, of which each source has a share.
#[derive(Debug, Clone)]
pub struct Answers {
    entries: HashMap<Key, Entry>,
    /// Keys with the time of their entry, in the order in which they ended first.
    order: VecDeque<(Key, i64)>,
    shares: Shares,
    window: i64,
}

/// The digest of a request: opcode, va, length and payload.
pub fn digest(request: &Request, payload: &[u8]) -> u32 {
    let mut bytes = Vec::with_capacity(9 + payload.len());
    bytes.push(request.opcode.number());
    bytes.extend_from_slice(&request.va.get().to_be_bytes()[2..]);
    bytes.extend_from_slice(&request.length.to_be_bytes());
    bytes.extend_from_slice(payload);
    crc32c(&bytes)
}

impl Answers {
    /// An empty cache of at most `bound` answers and a window in ticks.
    pub fn new(bound: usize, window: u32) -> Answers {
        let shares = Shares::new(bound);
        Answers { entries: HashMap::new(), order: VecDeque::new(), shares, window: i64::from(window) }
    }
    /// Answers remembered.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets what is older than the window. The order in which requests end is nearly that of their times, so looking at the
    /// front is enough: what waits behind a younger one stays a little longer, and counts for nothing.
    fn forget(&mut self, now: i64) {
        for _ in 0..FORGOTTEN {
            let Some((key, time)) = self.order.front().copied() else { return };
            if now - time <= self.window {
                return;
            }
            self.order.pop_front();
            match self.entries.get(&key) {
                // Still executing: it is looked at again after the others.
                Some(Entry { state: State::Pending, time: t, .. }) if *t == time => {
                    self.order.push_back((key, time));
                }
                Some(entry) if entry.time == time => {
                    self.shares.leave(entry.owner);
                    self.entries.remove(&key);
                }
                _ => {}
            }
        }
    }

    /// Looks a request of `owner` up at tick `now` (widened to 64 bits); on [`Verdict::Execute`] it is entered as pending.
    pub fn begin(&mut self, key: Key, owner: Source, request: &Request, digest: u32, now: u64) -> Verdict {
        let now = now as i64;
        let now_tick = mneme_wire::Tick::from_low_bits(now as u32);
        let age = i64::from(now_tick.since(request.time));
        let (time, pid) = (now - age, request.pid.get());
        self.forget(now);
        if let Some(entry) = self.entries.get_mut(&key)
            && (now - entry.time <= self.window || matches!(entry.state, State::Pending))
        {
            if (entry.digest, entry.pid, entry.time) != (digest, pid, time) {
                return Verdict::Conflict;
            }
            return match &entry.state {
                State::Pending => Verdict::Pending,
                State::Done(saved) => Verdict::Again(saved.clone()),
                State::Released(attempt, saved) if request.attempt <= *attempt => {
                    Verdict::Again(saved.clone())
                }
                State::Released(..) => {
                    entry.state = State::Pending;
                    Verdict::Execute
                }
            };
        }
        if age > self.window {
            return Verdict::Expired;
        }
        if age < -(self.window / 4) {
            return Verdict::Clock;
        }
        if let Some(old) = self.entries.remove(&key) {
            self.shares.leave(old.owner);
        }
        if !self.shares.enter(owner) {
            return Verdict::Full;
        }
        self.entries.insert(key, Entry { owner, digest, pid, time, state: State::Pending, queued: false });
        Verdict::Execute
    }

    /// The request of this key ended at this attempt.
    pub fn finish(&mut self, key: &Key, attempt: u8, end: End, saved: Saved) {
        let Some(entry) = self.entries.get_mut(key) else { return };
        entry.state = match end {
            End::Done => State::Done(saved),
            End::Unproven if !entry.queued => {
                self.shares.leave(entry.owner);
                self.entries.remove(key);
                return;
            }
            // An earlier attempt of it had proved something.
            End::Released | End::Unproven => State::Released(attempt, saved),
        };
        if !entry.queued {
            entry.queued = true;
            self.order.push_back((*key, entry.time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::{Opcode, Pid, Tick, Trailer, Va};

    fn request(op_id: u32, attempt: u8, time: u32) -> Request {
        Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode: Opcode::Alloc,
            epoch: 1,
            pid: Pid::from_low_bits(5),
            op_id,
            attempt,
            time: Tick::from_low_bits(time),
            va: Va::from_low_bits(0),
            length: 0,
        }
    }
    fn saved(status: u8) -> Saved {
        Saved { status, va: 0, payload: vec![status] }
    }
    fn begin(answers: &mut Answers, key: Key, request: &Request, digest: u32, now: u64) -> Verdict {
        answers.begin(key, key.0.into(), request, digest, now)
    }
    const KEY: Key = ([10, 0, 0, 1], 9, 1, Proof::None);

    #[test]
    fn done_answers_again_and_released_opens_for_a_higher_attempt() {
        let mut answers = Answers::new(4, 100);
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 1000), 7, 1000), Verdict::Execute);
        assert_eq!(begin(&mut answers, KEY, &request(1, 1, 1000), 7, 1001), Verdict::Pending);
        answers.finish(&KEY, 0, End::Released, saved(1));
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 1000), 7, 1001), Verdict::Again(saved(1)));
        assert_eq!(begin(&mut answers, KEY, &request(1, 1, 1000), 7, 1002), Verdict::Execute);
        answers.finish(&KEY, 1, End::Done, saved(0));
        assert_eq!(begin(&mut answers, KEY, &request(1, 9, 1000), 7, 1100), Verdict::Again(saved(0)));
        assert_eq!(begin(&mut answers, KEY, &request(1, 9, 1000), 8, 1100), Verdict::Conflict);
        assert_eq!(begin(&mut answers, KEY, &request(1, 9, 1001), 7, 1100), Verdict::Conflict);
        assert_eq!(begin(&mut answers, KEY, &request(1, 9, 1000), 7, 1101), Verdict::Expired);
    }

    #[test]
    fn times_outside_the_window_and_a_full_share() {
        // Of eight places one source has two.
        let mut answers = Answers::new(8, 100);
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 899), 7, 1000), Verdict::Expired);
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 1026), 7, 1000), Verdict::Clock);
        for id in 0..2 {
            let key = (KEY.0, KEY.1, id, Proof::None);
            assert_eq!(begin(&mut answers, key, &request(id, 0, 1025), 7, 1000), Verdict::Execute);
            answers.finish(&key, 0, End::Done, saved(0));
        }
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 1000), 7, 1001), Verdict::Conflict);
        assert_eq!(
            begin(&mut answers, (KEY.0, 1, 3, Proof::None), &request(3, 0, 1000), 7, 1001),
            Verdict::Full
        );
        let other = ([10, 0, 0, 2], 1, 3, Proof::None);
        assert_eq!(begin(&mut answers, other, &request(3, 0, 1000), 7, 1001), Verdict::Execute);
        answers.finish(&other, 0, End::Done, saved(0));
        assert_eq!(
            begin(&mut answers, (KEY.0, 1, 3, Proof::None), &request(3, 0, 1126), 7, 1126),
            Verdict::Execute
        );
        assert_eq!(answers.len(), 1);
    }

    #[test]
    fn what_is_pending_holds_up_nobody_and_many_are_forgotten_bit_by_bit() {
        let mut answers = Answers::new(1 << 12, 100);
        assert_eq!(
            begin(&mut answers, (KEY.0, 1, 0, Proof::None), &request(0, 0, 1000), 7, 1000),
            Verdict::Execute
        );
        for id in 1..=900 {
            let key = (KEY.0, 1, id, Proof::None);
            assert_eq!(begin(&mut answers, key, &request(id, 0, 1000), 7, 1000), Verdict::Execute);
            answers.finish(&key, 0, End::Done, saved(0));
        }
        for (nth, id) in (2000..2040).enumerate() {
            let key = (KEY.0, 1, id, Proof::None);
            assert_eq!(begin(&mut answers, key, &request(id, 0, 1101), 7, 1101), Verdict::Execute);
            assert!(
                answers.len() + (nth + 1) * (FORGOTTEN - 1) >= 901,
                "no request forgets more than its part"
            );
        }
        assert_eq!(answers.len(), 41, "the one that is pending, and the new ones");
    }

    #[test]
    fn the_tick_wraps() {
        let mut answers = Answers::new(4, 100);
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 0xff_fff0), 7, 0x1ff_fff8), Verdict::Execute);
        answers.finish(&KEY, 0, End::Done, saved(0));
        assert_eq!(
            begin(&mut answers, KEY, &request(1, 0, 0xff_fff0), 7, 0x200_0040),
            Verdict::Again(saved(0))
        );
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 0xff_fff0), 7, 0x200_0060), Verdict::Expired);
    }

    #[test]
    fn a_forged_source_takes_no_ids_of_those_who_prove_themselves() {
        let mut answers = Answers::new(64, 100);
        let by = |proof| (KEY.0, KEY.1, KEY.2, proof);
        let proofs = [
            Proof::None,
            Proof::Process(5),
            Proof::Process(6),
            Proof::Message([1; PUBLIC_KEY_LEN]),
            Proof::Message([2; PUBLIC_KEY_LEN]),
        ];
        for (digest, proof) in proofs.into_iter().enumerate() {
            let (key, digest) = (by(proof), digest as u32);
            assert_eq!(begin(&mut answers, key, &request(1, 0, 1000), digest, 1000), Verdict::Execute);
            answers.finish(&key, 0, End::Done, saved(digest as u8));
        }
        for (digest, proof) in proofs.into_iter().enumerate() {
            let again = begin(&mut answers, by(proof), &request(1, 1, 1000), digest as u32, 1001);
            assert_eq!(again, Verdict::Again(saved(digest as u8)), "each its own");
        }
    }

    #[test]
    fn of_strangers_nothing_is_kept() {
        let mut answers = Answers::new(8, 100);
        let finish = |answers: &mut Answers, end| answers.finish(&KEY, 0, end, saved(1));
        for stranger in 0..200 {
            let key = ([10, 0, 1, stranger], 9, 1, Proof::None);
            assert_eq!(begin(&mut answers, key, &request(1, 0, 1000), 7, 1000), Verdict::Execute);
            assert_eq!(begin(&mut answers, key, &request(1, 1, 1000), 7, 1000), Verdict::Pending);
            answers.finish(&key, 0, End::Unproven, saved(1));
        }
        assert_eq!((answers.len(), answers.order.len(), answers.shares.used()), (0, 0, 0));
        // One that was refused with a proof before stays what it was.
        assert_eq!(begin(&mut answers, KEY, &request(1, 0, 1000), 7, 1000), Verdict::Execute);
        finish(&mut answers, End::Released);
        assert_eq!(begin(&mut answers, KEY, &request(1, 1, 1000), 7, 1000), Verdict::Execute);
        answers.finish(&KEY, 1, End::Unproven, saved(2));
        assert_eq!(begin(&mut answers, KEY, &request(1, 1, 1000), 7, 1000), Verdict::Again(saved(2)));
        assert_eq!((answers.len(), answers.order.len(), answers.shares.used()), (1, 1, 1));
    }
}
