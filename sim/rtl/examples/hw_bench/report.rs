//! The table.
use comfy_table::{Table, presets::ASCII_MARKDOWN};

use super::judge::verdict;
use super::measure::{Bound, Measured, Recycling};
use super::rows::Row;

fn cells(row: &Row, m: &Measured, all: &[Measured]) -> Vec<String> {
    let share = |bound: &Bound| {
        [format!("{:.3} {}", bound.cycles_per_request, bound.by), format!("{:.1}%", 100.0 * bound.share)]
    };
    let ([bound, of_bound], [built, of_built]) = (share(&m.bound), share(&m.built));
    let spread = |[least, p50, p99, largest]: [u64; 4]| format!("{least}/{p50}/{p99}/{largest}");
    let verdicts = verdict(row, m, all).into_iter().map(|found| {
        format!(
            "{}: {}",
            found.asked,
            if found.met { "met".into() } else { format!("NOT met, {}", found.instead) }
        )
    });
    let verdict = verdicts.collect::<Vec<_>>().join("; ");
    vec![
        m.name.clone(),
        format!("{:.3}", m.cycles_per_request),
        bound,
        of_bound,
        built,
        of_built,
        format!("{:.1}", m.gbit_per_second),
        format!("{:.2}", m.millions_per_second),
        spread(m.latency),
        spread(m.first_beat),
        format!("{:.0}%", 100.0 * m.tlb_hits),
        m.refused.to_string(),
        m.window.to_string(),
        format!("{}/{}/{}", m.sources, m.mtu, m.retry_window),
        if verdict.is_empty() { "–".into() } else { verdict },
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
        "as built",
        "share",
        "Gbit/s",
        "M/s",
        "latency min/p50/p99/max",
        "to the first beat",
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
