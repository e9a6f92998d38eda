//! Figures for people.
use crate::output;
use mneme_auth::Size;
use mneme_swap::stats::Snapshot;

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// One line of what matters now.
pub fn line(at: &Snapshot) -> String {
    let rates = &at.per_second;
    let time = |kind: &str| at.times.get(kind).map_or(0.0, |times| times.p99_us);
    let away = if at.board_away { ", BOARD AWAY" } else { "" };
    format!(
        "{:.0} reads/s {:.0} writes/s, p99 {:.0}/{:.0} µs, {} live of {} on the board ({}), {} under way, {} blocks in RAM{away}",
        rates.reads,
        rates.writes,
        time("read"),
        time("write"),
        Size(at.live),
        Size(at.on_board),
        percent(at.utilisation),
        at.in_flight,
        at.held_blocks
    )
}

/// Everything.
pub fn whole(at: &Snapshot) -> String {
    let mut table = output::table(false);
    table.set_header(["", "a second", "in all", "p50 µs", "p99 µs", "longest µs"]);
    let rates = &at.per_second;
    let counter = |name: &str| at.counters.get(name).copied().unwrap_or(0);
    let rows = [
        ("reads", rates.reads, counter("reads"), "read"),
        ("writes", rates.writes, counter("writes"), "write"),
        (
            "discards, zeros, flushes",
            rates.discards,
            counter("discards") + counter("zeroings") + counter("flushes"),
            "other",
        ),
    ];
    for (name, rate, count, times) in rows {
        let times = at.times.get(times);
        let time = |of: fn(&mneme_swap::stats::Times) -> f64| {
            times.map_or(String::new(), |times| format!("{:.0}", of(times)))
        };
        table.add_row([
            name.to_owned(),
            format!("{rate:.0}"),
            count.to_string(),
            time(|times| times.p50_us),
            time(|times| times.p99_us),
            time(|times| times.max_us),
        ]);
    }
    let bytes = |per_second: f64| Size(per_second as u64).to_string();
    table.add_row(["read".into(), bytes(rates.bytes_read), Size(counter("bytes_read")).to_string()]);
    table.add_row(["written".into(), bytes(rates.bytes_written), Size(counter("bytes_written")).to_string()]);
    format!("{table}\n{}", summary(at))
}

/// Where the bytes are, and what went wrong.
pub fn summary(at: &Snapshot) -> String {
    let board = at.board.as_deref().map_or(String::new(), |board| format!(" on {board}"));
    let mut text = format!(
        "{} via {}{board}{}: {} live, {} on the board by {}, {} of it at hand; utilisation {}\n\
         {} of {} queues in use, {} requests under way, {} sent again\n\
         in RAM: {} blocks of {}, {} at most so far; {} written again, {} of them in vain",
        Size(at.size),
        at.via,
        if at.board_away { ", which is AWAY" } else { "" },
        Size(at.live),
        Size(at.on_board),
        Size(at.chunk),
        Size(at.spare),
        percent(at.utilisation),
        at.queues_in_use,
        at.queues,
        at.in_flight,
        at.sent_again,
        at.held_blocks,
        at.held_limit,
        at.held_peak,
        at.counters.get("retries").copied().unwrap_or(0),
        at.counters.get("retries_failed").copied().unwrap_or(0),
    );
    let failed = at.errors.iter().filter(|(_, count)| **count > 0);
    let failed: Vec<String> = failed.map(|(name, count)| format!("{name} {count}")).collect();
    if !failed.is_empty() {
        text += &format!("\nfailed: {}", failed.join(", "));
    }
    let hidden = [
        "reads",
        "writes",
        "discards",
        "zeroings",
        "flushes",
        "bytes_read",
        "bytes_written",
        "retries",
        "retries_failed",
    ];
    let told = at.counters.iter().filter(|(name, count)| **count > 0 && !hidden.contains(&name.as_str()));
    let told: Vec<String> = told.map(|(name, count)| format!("{name} {count}")).collect();
    if told.is_empty() { text } else { text + "\n" + &output::listed("counted:", &told) }
}
