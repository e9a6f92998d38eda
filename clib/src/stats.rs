//! Statistics of one client.
use crate::transport::TransportCounters;
use hdrhistogram::Histogram;
use mneme_wire::Opcode;
use std::collections::BTreeMap;
use std::time::Duration;

/// Longest latency that the histograms tell apart, in nanoseconds; longer ones count as this.
const LONGEST_NS: u64 = 60_000_000_000;

/// Latencies of the operations of one kind, in nanoseconds of the driver's clock, from the first attempt to the answer.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) {
/// use mneme_clib::Opcode;
///
/// if let Some(reads) = client.statistics().latencies.get(&Opcode::Read) {
///     println!("{} reads, median {:?}, 99% within {:?}", reads.count(), reads.quantile(0.5), reads.quantile(0.99));
/// }
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        // Bounds and digits are constants within the library's limits.
        Latencies(Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("constant bounds are valid"))
    }
}

impl Latencies {
    #[inline]
    fn record(&mut self, latency: Duration) {
        self.0.saturating_record(u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX).max(1));
    }
    /// Operations recorded.
    pub fn count(&self) -> u64 {
        self.0.len()
    }
    /// The latency that a share of the operations (0.0 to 1.0) did not exceed; zero when there were none.
    pub fn quantile(&self, share: f64) -> Duration {
        Duration::from_nanos(self.0.value_at_quantile(share))
    }
    /// The longest.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.0.max())
    }
    /// Adds another client's latencies.
    pub fn add(&mut self, other: &Latencies) {
        self.0.add(&other.0).expect("all histograms have the same bounds");
    }
}

/// What a client did so far.
///
/// ```no_run
/// # fn example(client: &mneme_clib::Client) {
/// let so_far = client.statistics();
/// println!("{} operations, {} retries", so_far.total_operations(), so_far.transport.retries());
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Operations (packets that were answered OK), by kind.
    pub operations: BTreeMap<Opcode, u64>,
    /// Operations that failed, by kind.
    pub failures: BTreeMap<Opcode, u64>,
    /// Bytes read from remote memory.
    pub bytes_read: u64,
    /// Bytes written to remote memory.
    pub bytes_written: u64,
    /// Latencies, by kind.
    pub latencies: BTreeMap<Opcode, Latencies>,
    /// Retries by reason, and datagrams ignored by reason.
    pub transport: TransportCounters,
}

impl Statistics {
    /// Operations of all kinds that were answered OK.
    pub fn total_operations(&self) -> u64 {
        self.operations.values().sum()
    }
    /// Everything but the latencies, by name: `bytes_read`, `bytes_written`, `operations_` and `failures_` with the
    /// kind's name in small letters for each kind that there was, and the transport's own
    /// ([`TransportCounters::named`]).
    pub fn named(&self) -> BTreeMap<String, u64> {
        let kinds = [("operations", &self.operations), ("failures", &self.failures)];
        let kinds = kinds.into_iter().flat_map(|(what, counts)| {
            counts.iter().map(move |(kind, count)| (format!("{what}_{}", kind.name().to_lowercase()), *count))
        });
        let bytes = [("bytes_read", self.bytes_read), ("bytes_written", self.bytes_written)];
        let bytes = bytes.map(|(name, count)| (name.to_owned(), count));
        self.transport.named().into_iter().chain(kinds).chain(bytes).collect()
    }
    /// The latencies of some kinds together.
    pub fn latency_of(&self, kinds: &[Opcode]) -> Latencies {
        let mut all = Latencies::default();
        kinds.iter().filter_map(|kind| self.latencies.get(kind)).for_each(|latencies| all.add(latencies));
        all
    }
}

/// What is counted of one kind of operation.
#[derive(Debug, Clone, Default)]
struct Record {
    failures: u64,
    bytes: u64,
    latencies: Latencies,
}

/// Counts as operations end. By number, since looking a kind up in a map costs as much as counting.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    kinds: Vec<Option<Box<Record>>>,
}

impl Recorder {
    fn of(&mut self, opcode: Opcode) -> &mut Record {
        let number = usize::from(opcode as u8);
        if self.kinds.len() <= number {
            self.kinds.resize(number + 1, None);
        }
        self.kinds[number].get_or_insert_default()
    }
    /// An operation was answered OK; `bytes` of memory went over the network.
    #[inline]
    pub(crate) fn succeeded(&mut self, opcode: Opcode, bytes: u64, latency: Duration) {
        let record = self.of(opcode);
        record.bytes += bytes;
        record.latencies.record(latency);
    }
    pub(crate) fn failed(&mut self, opcode: Opcode) {
        self.of(opcode).failures += 1;
    }
    /// What was counted so far.
    pub(crate) fn statistics(&self, transport: TransportCounters) -> Statistics {
        let mut all = Statistics { transport, ..Statistics::default() };
        let kinds = self.kinds.iter().enumerate().filter_map(|(number, record)| {
            Some((Opcode::from_number(u8::try_from(number).ok()?)?, record.as_deref()?))
        });
        for (opcode, record) in kinds {
            match opcode {
                Opcode::Read => all.bytes_read = record.bytes,
                Opcode::Write => all.bytes_written = record.bytes,
                _ => {}
            }
            if record.latencies.count() > 0 {
                all.operations.insert(opcode, record.latencies.count());
                all.latencies.insert(opcode, record.latencies.clone());
            }
            if record.failures > 0 {
                all.failures.insert(opcode, record.failures);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_bytes_and_counts() {
        let mut recorder = Recorder::default();
        for micros in 1..=100 {
            recorder.succeeded(Opcode::Read, 10, Duration::from_micros(micros));
        }
        recorder.succeeded(Opcode::Write, 7, Duration::from_secs(3_600));
        recorder.failed(Opcode::Write);
        recorder.failed(Opcode::Free);
        let statistics = recorder.statistics(TransportCounters::default());
        assert_eq!(statistics.failures, BTreeMap::from([(Opcode::Write, 1), (Opcode::Free, 1)]));
        assert_eq!((statistics.bytes_read, statistics.bytes_written), (1_000, 7));
        let named = statistics.named();
        let of = |name| named.get(name).copied();
        assert_eq!(
            (of("operations_read"), of("failures_write"), of("bytes_read")),
            (Some(100), Some(1), Some(1_000))
        );
        assert_eq!((of("sent"), of("operations_alloc")), (Some(0), None));
        assert_eq!(statistics.total_operations(), 101);
        let p50 = statistics.latency_of(&[Opcode::Read]).quantile(0.5);
        assert!(p50.abs_diff(Duration::from_micros(50)) < Duration::from_micros(1), "{p50:?}");
        let both = statistics.latency_of(&[Opcode::Read, Opcode::Write]);
        assert_eq!(both.count(), 101);
        assert!(both.max() >= Duration::from_secs(59), "a latency past the range counts as the longest");
    }
}
