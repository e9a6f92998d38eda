//! What the transport counts.
use mneme_wire::Cause;
use std::collections::BTreeMap;

/// Why an attempt was followed by another one, and why datagrams were thrown away.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) {
/// for (name, count) in client.statistics().transport.named() {
///     println!("{name} {count}");
/// }
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransportCounters {
    /// Datagrams handed out for sending.
    pub sent: u64,
    /// Datagrams that answered an operation in flight.
    pub answered: u64,
    /// Attempts repeated because no answer came in time.
    pub timeouts: u64,
    /// Attempts repeated because the board saw a damaged frame.
    pub nacks: u64,
    /// Attempts repeated after BUSY, by cause.
    pub busy: BTreeMap<Cause, u64>,
    /// Operations started anew under a new id: EXPIRED, and proven that nothing had happened.
    pub anew_expired: u64,
    /// Operations started anew under a new id: the last attempt was recorded as released.
    pub anew_released: u64,
    /// Datagrams that the driver gave back, since they did not fit the path or it could not go on: never sent.
    pub taken_back: u64,
    /// Operations whose packet the path did not carry any longer when it was due.
    pub outgrown: u64,
    /// Probes sent because the board's tick was not known well enough.
    pub probes: u64,
    /// Ignored: no Mneme response, or one whose length disagrees with its header.
    pub malformed: u64,
    /// Ignored: a response of another wire version.
    pub other_version: u64,
    /// Ignored: answers to operations that had ended already (late or doubled).
    pub late: u64,
    /// Ignored: answers to operations that this client never started.
    pub strangers: u64,
    /// Ignored: answers that name an operation in flight but not its pid, opcode, attempt, address, length or layout.
    pub mismatched: u64,
    /// Ignored: answers whose trailer is wrong, or of another kind than their request's.
    pub wrong_trailer: u64,
    /// Answers without the trailer that their request had, which prove nothing: the attempt may have been damaged, its key
    /// be an old one, or somebody else speak.
    pub hints: u64,
    /// Ignored: refusals of an earlier attempt while a later one is under way, which prove nothing.
    pub outdated: u64,
}

impl TransportCounters {
    /// Attempts beyond the first of each operation.
    pub fn retries(&self) -> u64 {
        let busy: u64 = self.busy.values().sum();
        self.timeouts + self.nacks + busy + self.anew_expired + self.anew_released
    }
    /// Everything, by name: the fields', and `busy_` with the cause's for each cause that there was.
    pub fn named(&self) -> BTreeMap<String, u64> {
        let TransportCounters { sent, answered, timeouts, nacks, busy, anew_expired, anew_released, .. } =
            self;
        let TransportCounters {
            taken_back,
            outgrown,
            probes,
            malformed,
            other_version,
            late,
            strangers,
            mismatched,
            wrong_trailer,
            hints,
            outdated,
            ..
        } = self;
        let fields = [
            ("sent", sent),
            ("answered", answered),
            ("timeouts", timeouts),
            ("nacks", nacks),
            ("anew_expired", anew_expired),
            ("anew_released", anew_released),
            ("taken_back", taken_back),
            ("outgrown", outgrown),
            ("probes", probes),
            ("malformed", malformed),
            ("other_version", other_version),
            ("late", late),
            ("strangers", strangers),
            ("mismatched", mismatched),
            ("wrong_trailer", wrong_trailer),
            ("hints", hints),
            ("outdated", outdated),
        ];
        let busy = busy.iter().map(|(cause, count)| (format!("busy_{cause:?}").to_lowercase(), *count));
        fields.into_iter().map(|(name, count)| (name.to_owned(), *count)).chain(busy).collect()
    }
    /// Adds what another transport counted.
    pub fn add(&mut self, other: &TransportCounters) {
        let TransportCounters { sent, answered, timeouts, nacks, busy, anew_expired, anew_released, .. } =
            other;
        self.sent += sent;
        self.answered += answered;
        self.timeouts += timeouts;
        self.nacks += nacks;
        busy.iter().for_each(|(cause, count)| *self.busy.entry(*cause).or_default() += count);
        self.anew_expired += anew_expired;
        self.anew_released += anew_released;
        self.taken_back += other.taken_back;
        self.outgrown += other.outgrown;
        self.probes += other.probes;
        self.malformed += other.malformed;
        self.other_version += other.other_version;
        self.late += other.late;
        self.strangers += other.strangers;
        self.mismatched += other.mismatched;
        self.wrong_trailer += other.wrong_trailer;
        self.hints += other.hints;
        self.outdated += other.outdated;
    }
    /// Datagrams thrown away.
    pub fn ignored(&self) -> u64 {
        let of_others = self.malformed + self.other_version + self.strangers + self.mismatched;
        of_others + self.wrong_trailer + self.late + self.outdated
    }
}
