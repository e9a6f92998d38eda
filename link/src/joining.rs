//! Whether datagrams may leave joined (UDP_SEGMENT): what tells that nothing takes them apart before the far end reads
//! them.
//!
//! The kernel leaves a joined message whole on its way to an interface of the same machine. A socket or a packet ring there
//! takes it apart; another raw receiver sees one datagram. Longer ones than the MTU it drops: silence. Shorter ones it takes for the
//! first datagram with something behind it, which it refuses for its length.
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::time::Duration;

/// A joined message of which no datagram was answered for so long, while others were, counts against joining, and so many
/// of them end it. Where nothing is answered at all the far end may not run: then datagrams leave one by one until
/// something is. A far end that has only slept answers in their order what lay there for it, the joined message first.
const SUSPICION: Duration = Duration::from_millis(5);
const STRIKES: u32 = 3;
/// Silence may have been that of a cable or a board that was away for a while: joining is tried again after so long, with
/// one message, and each time that stays without an answer, too, after twice as long, up to the longest.
const TRY_AGAIN: Duration = Duration::from_secs(1);
const LONGEST_TRY_AGAIN: Duration = Duration::from_secs(64);
/// Joined messages whose first datagrams are remembered: an answer that comes later is taken at its word.
const REMEMBERED: usize = 128;

/// Datagrams that the kernel takes as one at most (UDP_MAX_SEGMENTS of older kernels).
pub(crate) const MOST_SEGMENTS: usize = 64;
/// Bytes of joined datagrams at most, so that a packet ring's slot of 64 KB holds them with everything around.
pub(crate) const MOST_JOINED: usize = 65_000;

/// What a kernel or interface says that does not know joined datagrams.
pub(crate) fn refuses_segments(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EIO | libc::EINVAL | libc::EOPNOTSUPP | libc::EMSGSIZE))
}

/// What has to be known of datagrams to tell which answer belongs to which.
#[derive(Debug, Clone, Copy)]
pub struct Answers {
    /// What a datagram and its answers have in common, and no others; none: it has no answers.
    pub name: fn(&[u8]) -> Option<u64>,
    /// Whether a datagram says that the one that it answers was not taken because of its length.
    pub refuses_length: fn(&[u8]) -> bool,
}

/// Why datagrams leave one by one.
///
/// ```
/// use mneme_link::NotJoined;
///
/// assert!(NotJoined::Silence.to_string().contains("without an answer"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotJoined {
    /// Nobody asked for it, or the kernel or the interface does not do it.
    Unsupported,
    /// Joined messages stayed without an answer, while other datagrams got theirs. Tried again after a while.
    Silence,
    /// The first datagram of a joined message was refused for its length.
    Refused,
}

impl fmt::Display for NotJoined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotJoined::Unsupported => "joining is not asked for, or the kernel does not do it here",
            NotJoined::Silence => "joined datagrams stay without an answer, others do not",
            NotJoined::Refused => "the far end does not take joined datagrams apart",
        })
    }
}

/// What is known of the far end.
#[derive(Debug)]
pub(crate) struct Joining {
    stopped: Option<NotJoined>,
    /// After silence: when it is tried again.
    again: Option<Duration>,
    /// It is being tried again.
    trying: bool,
    /// How long after the next silence.
    back_off: Duration,
    answers: Option<Answers>,
    /// The names of the datagrams that began the last joined messages.
    first: VecDeque<u64>,
    /// When a joined message left of which nothing was answered yet.
    suspected: Option<Duration>,
    /// Another datagram was answered since.
    others: bool,
    /// Nothing was, for too long: datagrams leave one by one until it shows why.
    waits: bool,
    /// Messages in a row that stayed without an answer for too long.
    strikes: u32,
    /// The names of the datagrams of all of these.
    names: Vec<u64>,
    refused: u64,
}

impl Joining {
    pub(crate) fn new(supported: bool, answers: Option<Answers>) -> Joining {
        Joining {
            stopped: (!supported).then_some(NotJoined::Unsupported),
            again: None,
            trying: false,
            back_off: TRY_AGAIN,
            answers,
            first: VecDeque::with_capacity(REMEMBERED),
            suspected: None,
            others: false,
            waits: false,
            strikes: 0,
            names: Vec::new(),
            refused: 0,
        }
    }
    pub(crate) fn allowed(&self) -> bool {
        // A single message tells whether the silence is over.
        self.stopped.is_none() && !self.waits && !(self.trying && self.suspected.is_some())
    }
    pub(crate) fn stopped(&self) -> Option<NotJoined> {
        self.stopped
    }
    /// Whether it is being tried again, with one message.
    pub(crate) fn is_trying(&self) -> bool {
        self.trying
    }
    /// Answers that were thrown away since they were about a joined message.
    pub(crate) fn refused(&self) -> u64 {
        self.refused
    }
    /// The first reason stays, unless it was silence.
    pub(crate) fn stop(&mut self, why: NotJoined) {
        if matches!(self.stopped, None | Some(NotJoined::Silence)) {
            self.stopped = Some(why);
        }
        (self.again, self.trying) = (None, false);
        self.clear();
    }
    /// No message is under suspicion any more.
    fn clear(&mut self) {
        (self.suspected, self.others, self.waits) = (None, false, false);
    }
    /// The path carries less than when the last messages left: it may have lost them, joined or not, so that their
    /// silence says nothing of the far end.
    pub(crate) fn path_narrowed(&mut self) {
        (self.strikes, self.trying) = (0, false);
        self.clear();
    }
    /// A joined message arrived, taken apart.
    fn is_heard(&mut self) {
        (self.strikes, self.back_off, self.trying) = (0, TRY_AGAIN, false);
        self.clear();
    }
    /// Looks whether the message under suspicion has been without an answer for too long, or whether joining is to be
    /// tried again.
    pub(crate) fn doubt(&mut self, now: Duration) {
        if self.again.is_some_and(|at| at <= now) {
            (self.again, self.stopped, self.trying) = (None, None, true);
            self.strikes = STRIKES - 1;
            self.names.clear();
        }
        if self.suspected.is_some_and(|since| now.saturating_sub(since) >= SUSPICION) {
            // Without names nothing tells others' answers apart.
            if !self.others && self.answers.is_some() {
                self.waits = true;
                return;
            }
            self.clear();
            self.strikes += 1;
            if self.strikes >= STRIKES && self.stopped.is_none() {
                self.stop(NotJoined::Silence);
                self.again = Some(now + self.back_off);
                self.back_off = (2 * self.back_off).min(LONGEST_TRY_AGAIN);
            }
        }
    }
    /// Datagrams have left as one message.
    pub(crate) fn left<'a>(&mut self, now: Duration, mut datagrams: impl Iterator<Item = &'a [u8]>) {
        // What was in line when joining stopped says no more than is known.
        let is_watched = self.stopped.is_none();
        let Some(answers) = self.answers else {
            if is_watched {
                self.suspected.get_or_insert(now);
            }
            return;
        };
        let Some(first) = datagrams.next().and_then(answers.name) else { return };
        if self.first.len() == REMEMBERED {
            self.first.pop_front();
        }
        self.first.push_back(first);
        if is_watched && self.suspected.is_none() {
            self.suspected = Some(now);
            if self.strikes == 0 {
                self.names.clear();
            }
            self.names.push(first);
            self.names.extend(datagrams.filter_map(answers.name));
        }
    }
    /// Whether a datagram that came is to be handed on. One that refuses the beginning of a joined message for its
    /// length is about the message, which the far end was never meant to see: it says that nothing takes them apart.
    pub(crate) fn hears(&mut self, datagram: &[u8]) -> bool {
        let Some(answers) = self.answers else {
            if self.stopped.is_none() {
                self.is_heard();
            }
            return true;
        };
        if self.first.is_empty() {
            return true;
        }
        let refuses = (answers.refuses_length)(datagram);
        if !refuses && self.suspected.is_none() && self.strikes == 0 {
            return true;
        }
        let Some(name) = (answers.name)(datagram) else { return true };
        if refuses && self.first.contains(&name) {
            self.refused += 1;
            self.stop(NotJoined::Refused);
            return false;
        }
        // Any other answer to one of them, however late, proves that it arrived by itself.
        match self.names.contains(&name) {
            true if self.stopped.is_none() => self.is_heard(),
            true => {}
            false => self.others = true,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name, and whether the length is refused.
    const TELL: Answers = Answers {
        name: |datagram| datagram.first().map(|name| u64::from(*name)),
        refuses_length: |datagram| datagram.get(1) == Some(&1),
    };
    const MS: Duration = Duration::from_millis(1);

    fn left(joining: &mut Joining, now: Duration, names: &[u8]) {
        joining.left(now, names.chunks(1));
    }
    /// A joined message stays without an answer, and one that left alone gets its own.
    fn lost(joining: &mut Joining, now: Duration) {
        left(joining, now, &[10, 11]);
        assert!(joining.hears(&[3, 0]));
        joining.doubt(now + SUSPICION);
    }

    #[test]
    fn a_refused_beginning_stops_joining_and_is_not_handed_on() {
        let mut joining = Joining::new(true, Some(TELL));
        assert!(joining.hears(&[1, 1]), "nothing has left joined: that one is honest");
        left(&mut joining, MS, &[5, 6, 7]);
        assert!(joining.hears(&[6, 1]), "only a beginning has anything behind it");
        assert!(joining.hears(&[4, 1]) && joining.hears(&[]));
        assert!(joining.allowed());
        left(&mut joining, 2 * MS, &[8, 9]);
        assert!(!joining.hears(&[5, 1]));
        assert_eq!((joining.stopped(), joining.refused()), (Some(NotJoined::Refused), 1));
        assert!(!joining.hears(&[8, 1]), "the other message was under way");
        assert!(joining.hears(&[5, 0]) && joining.hears(&[20, 1]));
        assert_eq!(joining.refused(), 2);
    }

    #[test]
    fn only_answers_to_joined_datagrams_speak_for_joining() {
        let mut joining = Joining::new(true, Some(TELL));
        for round in 0..STRIKES {
            let now = 10 * MS * round;
            left(&mut joining, now, &[10, 11]);
            assert!(joining.hears(&[3, 0]), "of one that had left alone");
            joining.doubt(now + SUSPICION - MS);
            assert!(joining.allowed());
            joining.doubt(now + SUSPICION);
        }
        assert_eq!(joining.stopped(), Some(NotJoined::Silence));

        let mut joining = Joining::new(true, Some(TELL));
        for round in 0..10 * STRIKES {
            let now = 10 * MS * round;
            left(&mut joining, now, &[10, 11]);
            if round % STRIKES == STRIKES - 1 {
                assert!(joining.hears(&[11, 0]));
            }
            joining.doubt(now + SUSPICION);
        }
        assert!(joining.allowed(), "one answer in three is loss, not silence");
    }

    #[test]
    fn a_slow_board_is_not_silent() {
        let mut joining = Joining::new(true, Some(TELL));
        for round in 0..10 {
            // Each answer comes when the next message has left already.
            let now = 10 * MS * u32::from(round);
            joining.doubt(now);
            left(&mut joining, now, &[2 * round, 2 * round + 1]);
            assert!(round == 0 || joining.hears(&[2 * round - 1, 0]));
            assert!(joining.names.len() <= 6 && joining.allowed(), "{round}");
        }
    }

    #[test]
    fn a_board_that_does_not_run_for_a_while_is_not_taken_for_a_path_that_drops_what_is_joined() {
        let mut joining = Joining::new(true, Some(TELL));
        // What left before is still answered; then there is nothing for a tenth of a second.
        left(&mut joining, MS, &[10, 11]);
        assert!(joining.hears(&[9, 0]));
        for round in 1..20 {
            joining.doubt(5 * MS * round);
            if joining.allowed() {
                left(&mut joining, 5 * MS * round, &[20 + round as u8, 60 + round as u8]);
            }
        }
        assert_eq!(joining.stopped(), None);
        assert!(!joining.allowed(), "until something is heard they leave one by one");
        // It runs again, and reads what lay there for it in its order.
        assert!(joining.hears(&[11, 0]) && joining.hears(&[100, 0]));
        joining.doubt(101 * MS);
        assert!(joining.allowed());
    }

    #[test]
    fn a_path_that_drops_what_is_joined_shows_by_what_leaves_alone() {
        let mut joining = Joining::new(true, Some(TELL));
        let (mut now, mut alone) = (Duration::ZERO, 0);
        // Nothing leaves alone by itself.
        while joining.stopped().is_none() {
            now += MS;
            joining.doubt(now);
            match joining.allowed() {
                true => left(&mut joining, now, &[10, 11]),
                false if joining.stopped().is_none() => {
                    assert!(joining.hears(&[3, 0]));
                    alone += 1;
                }
                false => {}
            }
            assert!(now < 30 * MS);
        }
        assert_eq!((joining.stopped(), alone), (Some(NotJoined::Silence), STRIKES));
    }

    #[test]
    fn what_a_narrower_path_has_lost_is_no_silence() {
        let mut joining = Joining::new(true, Some(TELL));
        for round in 0..10 * STRIKES {
            let now = 10 * MS * round;
            lost(&mut joining, now);
            if round % (STRIKES - 1) == 0 {
                joining.path_narrowed();
            }
        }
        assert!(joining.allowed());
        for round in 0..STRIKES {
            lost(&mut joining, 1_000 * MS + 10 * MS * round);
        }
        assert_eq!(joining.stopped(), Some(NotJoined::Silence), "a path that stays as it is excuses nothing");
    }

    #[test]
    fn after_a_silence_joining_is_tried_again_with_one_message() {
        let mut joining = Joining::new(true, Some(TELL));
        let mut now = Duration::ZERO;
        (0..STRIKES).for_each(|_| lost(&mut joining, now));
        let mut waits = Vec::new();
        for _ in 0..9 {
            assert_eq!(joining.stopped(), Some(NotJoined::Silence));
            let stopped = now;
            while !joining.allowed() {
                assert!(joining.hears(&[10, 0]), "an answer to what left alone proves nothing");
                now += 100 * MS;
                joining.doubt(now);
            }
            waits.push((now - stopped).as_secs());
            lost(&mut joining, now);
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
        // The board is back.
        while !joining.allowed() {
            now += 100 * MS;
            joining.doubt(now);
        }
        left(&mut joining, now, &[20, 21]);
        assert!(joining.hears(&[21, 0]));
        joining.doubt(now + 10 * SUSPICION);
        (0..STRIKES - 1).for_each(|_| lost(&mut joining, now));
        assert!(joining.allowed(), "all is as it was in the beginning");
        lost(&mut joining, now);
        assert_eq!(joining.stopped(), Some(NotJoined::Silence));
        let later = now + SUSPICION + TRY_AGAIN;
        joining.doubt(later);
        assert!(joining.allowed());
        left(&mut joining, later, &[30, 31]);
        assert!(!joining.allowed(), "one message alone");
        joining.doubt(later + SUSPICION);
        assert_eq!(joining.stopped(), None, "the board may not run");
        assert!(!joining.allowed() && joining.hears(&[3, 0]));
        joining.doubt(later + SUSPICION);
        assert_eq!(joining.stopped(), Some(NotJoined::Silence));
        // Who is told that nothing takes them apart never tries again.
        assert!(!joining.hears(&[30, 1]));
        joining.doubt(now + 2 * LONGEST_TRY_AGAIN);
        assert_eq!(joining.stopped(), Some(NotJoined::Refused));
    }

    #[test]
    fn what_was_in_line_when_joining_stopped_changes_nothing() {
        let stopped = |why| {
            let mut joining = Joining::new(true, Some(TELL));
            for round in 0..STRIKES - 1 {
                lost(&mut joining, 10 * MS * round);
            }
            left(&mut joining, 100 * MS, &[10, 11]);
            assert!(joining.hears(&[3, 0]));
            if why == NotJoined::Refused {
                assert!(!joining.hears(&[10, 1]));
            }
            joining.doubt(100 * MS + SUSPICION);
            assert_eq!(joining.stopped(), Some(why));
            left(&mut joining, 106 * MS, &[12, 13]);
            joining.doubt(106 * MS + SUSPICION);
            assert_eq!(joining.stopped(), Some(why));
            assert!(joining.strikes <= STRIKES, "nothing more is held against it");
            assert!(joining.hears(&[30, 1]) && !joining.hears(&[12, 1]), "its refusal is not handed on");
            joining
        };
        let mut silent = stopped(NotJoined::Silence);
        assert_eq!(silent.stopped(), Some(NotJoined::Refused));
        let mut refused = stopped(NotJoined::Refused);
        for joining in [&mut silent, &mut refused] {
            joining.doubt(2 * LONGEST_TRY_AGAIN);
            assert_eq!(joining.stopped(), Some(NotJoined::Refused), "for good");
        }
    }

    #[test]
    fn without_names_every_answer_speaks_for_joining() {
        let mut joining = Joining::new(true, None);
        for round in 0..10 {
            left(&mut joining, 10 * MS * round, &[1, 2]);
            assert!(joining.hears(&[77, 1]));
            joining.doubt(10 * MS * round + SUSPICION);
        }
        assert!(joining.allowed());
        for round in 20..20 + STRIKES {
            left(&mut joining, 10 * MS * round, &[1, 2]);
            joining.doubt(10 * MS * round + SUSPICION);
        }
        assert_eq!(joining.stopped(), Some(NotJoined::Silence));
        assert_eq!(Joining::new(false, None).stopped(), Some(NotJoined::Unsupported));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut joining = Joining::new(true, Some(Answers { name: |d| Some(d.len() as u64), ..TELL }));
        let datagram = [0; 1_000];
        (2..900).for_each(|length| joining.left(MS, [&datagram[..length], &datagram[..1]].into_iter()));
        assert_eq!((joining.first.len(), joining.names.len()), (REMEMBERED, 2));
    }
}
