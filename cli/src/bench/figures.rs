//! What a run measured, in the columns of perftest.
use std::collections::BTreeMap;
use std::time::Duration;

use crate::output;
use comfy_table::{CellAlignment, Table};
use hdrhistogram::Histogram;
use serde::Serialize;

/// Time over which the peak is taken.
const PEAK_WINDOW: Duration = Duration::from_millis(50);
/// Bytes of a MiB.
const MIB: f64 = 1_048_576.0;

/// Operations of one client, of one size.
pub struct Samples {
    /// Nanoseconds of each.
    latency: Histogram<u64>,
    /// How many ended in each window of time since the start.
    windows: Vec<u64>,
    /// From the start to the last end.
    took: Duration,
}

impl Samples {
    /// None yet. Latencies are kept to three digits, up to an hour.
    pub fn new() -> Samples {
        let latency =
            Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("bounds that fit each other");
        Samples { latency, windows: Vec::new(), took: Duration::ZERO }
    }
    /// An operation ended at `at` after the start.
    pub fn add(&mut self, latency: Duration, at: Duration) {
        self.latency.saturating_record(u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX).max(1));
        let window = (at.as_nanos() / PEAK_WINDOW.as_nanos()) as usize;
        if self.windows.len() <= window {
            self.windows.resize(window + 1, 0);
        }
        self.windows[window] += 1;
        self.took = self.took.max(at);
    }
    /// Takes another client's in.
    pub fn merge(&mut self, other: &Samples) {
        self.latency.add(&other.latency).expect("both have the same bounds");
        if self.windows.len() < other.windows.len() {
            self.windows.resize(other.windows.len(), 0);
        }
        self.windows.iter_mut().zip(&other.windows).for_each(|(sum, more)| *sum += more);
        self.took = self.took.max(other.took);
    }
}

/// A row: one size.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Bytes of an operation.
    pub bytes: u64,
    /// Operations measured.
    pub iterations: u64,
    /// MiB/s in the best 50 ms; the average for shorter runs.
    pub bw_peak_mib_s: f64,
    /// MiB/s over the whole run.
    pub bw_average_mib_s: f64,
    /// Million operations per second.
    pub msg_rate_mpps: f64,
    /// Microseconds from an operation's call to its end.
    pub t_min_us: f64,
    /// Half of them took longer.
    pub t_typical_us: f64,
    /// Mean.
    pub t_avg_us: f64,
    /// Standard deviation.
    pub t_stdev_us: f64,
    /// 99 of 100 took no longer.
    pub t_p99_us: f64,
    /// 999 of 1,000 took no longer.
    pub t_p999_us: f64,
    /// The longest.
    pub t_max_us: f64,
    /// What the clients counted, all together.
    pub client: BTreeMap<String, u64>,
}

impl Row {
    /// The figures of all clients together.
    pub fn of(bytes: u64, samples: &Samples, client: BTreeMap<String, u64>) -> Row {
        let h = &samples.latency;
        let us = |ns: u64| ns as f64 / 1e3;
        let seconds = samples.took.as_secs_f64().max(1e-9);
        let average = h.len() as f64 / seconds;
        // The last window is not whole.
        let whole = samples.windows.len().saturating_sub(1);
        let peak = samples.windows[..whole].iter().max().map(|n| *n as f64 / PEAK_WINDOW.as_secs_f64());
        let mib = |rate: f64| rate * bytes as f64 / MIB;
        Row {
            bytes,
            iterations: h.len(),
            bw_peak_mib_s: mib(peak.unwrap_or(average).max(average)),
            bw_average_mib_s: mib(average),
            msg_rate_mpps: average / 1e6,
            t_min_us: us(h.min()),
            t_typical_us: us(h.value_at_quantile(0.5)),
            t_avg_us: h.mean() / 1e3,
            t_stdev_us: h.stdev() / 1e3,
            t_p99_us: us(h.value_at_quantile(0.99)),
            t_p999_us: us(h.value_at_quantile(0.999)),
            t_max_us: us(h.max()),
            client,
        }
    }
    /// Operations per second.
    pub fn rate(&self) -> f64 {
        1e6 * self.msg_rate_mpps
    }
}

/// Microseconds; hundredths of long times say nothing.
fn time(us: f64) -> String {
    if us < 10_000.0 { format!("{us:.2}") } else { format!("{us:.0}") }
}

/// A column: perftest's name and unit, whether a page has room for it, and the figure.
type Column = (&'static str, &'static str, bool, fn(&Row) -> String);

const COLUMNS: [Column; 12] = [
    ("#bytes", "", true, |row| row.bytes.to_string()),
    ("#iterations", "", true, |row| row.iterations.to_string()),
    ("BW peak", "[MiB/sec]", false, |row| format!("{:.2}", row.bw_peak_mib_s)),
    ("BW average", "[MiB/sec]", true, |row| format!("{:.2}", row.bw_average_mib_s)),
    ("MsgRate", "[Mpps]", true, |row| format!("{:.6}", row.msg_rate_mpps)),
    ("t_min", "[usec]", true, |row| time(row.t_min_us)),
    ("t_typical", "[usec]", true, |row| time(row.t_typical_us)),
    ("t_avg", "[usec]", true, |row| time(row.t_avg_us)),
    ("t_stdev", "[usec]", false, |row| time(row.t_stdev_us)),
    ("99%", "[usec]", true, |row| time(row.t_p99_us)),
    ("99.9%", "[usec]", true, |row| time(row.t_p999_us)),
    ("t_max", "[usec]", true, |row| time(row.t_max_us)),
];

/// The rows under perftest's names. What is not wide leaves peak and deviation out, and has the units in a line of their
/// own.
pub fn table(rows: &[Row], wide: bool) -> Table {
    let mut table = output::table(wide);
    let shown = || COLUMNS.iter().filter(|(.., fits, _)| wide || *fits);
    let between = if wide { "" } else { "\n" };
    let heads = shown()
        .map(|(name, unit, ..)| if unit.is_empty() { (*name).into() } else { [*name, unit].join(between) });
    table.load_preset(comfy_table::presets::ASCII_HORIZONTAL_ONLY).set_header(heads);
    table.add_rows(rows.iter().map(|row| shown().map(|(.., figure)| figure(row)).collect::<Vec<_>>()));
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
        if !wide {
            column.set_padding((0, 0));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_percentiles_are_those_of_all_clients() {
        let (mut one, mut other) = (Samples::new(), Samples::new());
        for n in 1..=100 {
            one.add(Duration::from_micros(n), Duration::from_millis(n));
            other.add(Duration::from_micros(1000), Duration::from_millis(n));
        }
        one.merge(&other);
        let row = Row::of(1 << 20, &one, BTreeMap::new());
        assert_eq!((row.iterations, row.bytes), (200, 1 << 20));
        assert!((row.rate() - 2000.0).abs() < 1.0, "{row:?}");
        assert!((row.bw_average_mib_s - 2000.0).abs() < 1.0);
        assert!((row.bw_peak_mib_s - 2000.0).abs() < 50.0, "{row:?}");
        assert!((row.t_min_us - 1.0).abs() < 0.01 && (row.t_typical_us - 100.0).abs() < 0.2, "{row:?}");
        assert!((row.t_max_us - 1000.0).abs() < 1.0 && (row.t_p99_us - 1000.0).abs() < 1.0);
        assert_eq!(table(&[row], false).row_count(), 1);
    }

    #[test]
    fn a_table_is_no_wider_than_a_page_unless_it_may_be() {
        let mut slow = Samples::new();
        slow.add(Duration::from_secs(3), Duration::from_secs(3));
        let row = Row { iterations: 999_999_999, ..Row::of(64 << 20, &slow, BTreeMap::new()) };
        let row =
            Row { bw_peak_mib_s: 99_999.99, bw_average_mib_s: 99_999.99, msg_rate_mpps: 12.345_678, ..row };
        let longest = |table: &Table| table.to_string().lines().map(|line| line.chars().count()).max();
        let (narrow, wide) = (table(std::slice::from_ref(&row), false), table(&[row], true));
        assert!(longest(&narrow) <= Some(100), "{narrow}");
        let text = narrow.to_string();
        for whole in
            ["67108864", "999999999", "99999.99", "12.345678", "t_typical", "BW average", "#iterations"]
        {
            assert!(text.contains(whole), "{whole} is not broken:\n{text}");
        }
        let text = wide.to_string();
        assert!(["BW peak[MiB/sec]", "t_stdev[usec]"].iter().all(|name| text.contains(name)), "{text}");
    }
}
