//! The table.
use comfy_table::{Table, presets::ASCII_MARKDOWN};

use super::judge::goal;
use super::measure::{Measured, Recycling};
use super::rows::Row;

fn cells(row: &Row, m: &Measured, all: &[Measured]) -> Vec<String> {
    let bound = &m.bound;
    let verdict = match goal(row, m, all) {
        Some((true, words)) => format!("{words}: met"),
        Some((false, words)) => format!("{words}: NOT met"),
        None => "–".into(),
    };
    let [least, p50, p99, largest] = m.latency;
    vec![
        m.name.clone(),
        format!("{:.3}", m.cycles_per_request),
        format!("{:.3} {}", bound.cycles_per_request, bound.by),
        format!("{:.1}%", 100.0 * bound.share),
        format!("{:.1}", m.gbit_per_second),
        format!("{:.2}", m.millions_per_second),
        format!("{least}/{p50}/{p99}/{largest}"),
        format!("{:.0}%", 100.0 * m.tlb_hits),
        m.refused.to_string(),
        m.window.to_string(),
        format!("{}/{}/{}", m.sources, m.mtu, m.retry_window),
        verdict,
    ]
}

/// All rows as a Markdown table.
pub fn table(rows: &[Row], all: &[Measured]) -> String {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "row",
        "cycles/request",
        "bound",
        "share",
        "Gbit/s",
        "M/s",
        "latency min/p50/p99/max",
        "TLB hits",
        "refused",
        "in flight",
        "sources/MTU/retry window",
        "goal",
    ]);
    for (row, m) in rows.iter().zip(all) {
        table.add_row(cells(row, m, all));
    }
    table.to_string()
}

/// Recycling in words.
pub fn recycling(r: &Recycling) -> String {
    format!(
        "Recycling on {}: a page every {:.1} cycles; its {} beats bound it ({:.1}% reached).",
        r.board,
        r.cycles_per_page,
        r.beats_per_page,
        100.0 * r.beats_per_page / r.cycles_per_page
    )
}
