//! Allocation time and retries against fill level (Clio, figures 12 and 13), of the overflow-free allocator on the linear
//! index, and of the same search on a random hash with buckets of the same size.
//!
//! `cargo run --release -p mneme-slowpath --example allocator_fill [-- --quick]` prints tables and one JSON document. It
//! exits with 1 when the allocator needs a retry below 100% of a plain fill.
mod peer;
mod run;

use comfy_table::{Table, presets::ASCII_MARKDOWN};
use run::{Case, Figure, Kind, Level};
use std::process::ExitCode;

/// Allocation sizes in pages; 0: all of them mixed.
const SIZES: [u64; 6] = [1, 4, 16, 64, 256, 0];

#[derive(serde::Serialize)]
struct Report {
    page_bytes: u64,
    processes: u32,
    figures: Vec<Figure>,
}

fn cases(quick: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for (mem_bits, runs) in [(31, if quick { 5 } else { 50 }), (40, 1)] {
        for slots_log2 in [1, 2] {
            for kind in [Kind::Plain, Kind::Churn] {
                cases.extend(SIZES.map(|pages| Case { mem_bits, slots_log2, pages, kind, runs }));
            }
        }
    }
    cases
}

fn title(case: &Case) -> String {
    let what = match case.kind {
        Kind::Plain => "plain fill",
        Kind::Churn => "held at 100%: random allocations are freed before each new one",
    };
    let memory = if case.mem_bits >= 40 {
        format!("{} TB", 1u64 << (case.mem_bits - 40))
    } else {
        format!("{} GB", 1u64 << (case.mem_bits - 30))
    };
    format!("{memory}, {} slots per page, {what}", 1 << case.slots_log2)
}

fn pages_of(figure: &Figure) -> String {
    if figure.case.pages == 0 { "mixed".into() } else { figure.case.pages.to_string() }
}

fn cell(level: &Level) -> [String; 3] {
    [level.median_ns.to_string(), format!("{:.3}", level.mean_retries), level.max_retries.to_string()]
}

fn print(figures: &[Figure]) {
    let mut titles: Vec<String> = figures.iter().map(|f| title(&f.case)).collect();
    titles.dedup();
    for heading in titles {
        println!("\n{heading}\n");
        let mut table = Table::new();
        table.load_preset(ASCII_MARKDOWN);
        table.set_header([
            "pages",
            "full %",
            "allocations",
            "ns",
            "retries mean",
            "max",
            "hash ns",
            "hash retries mean",
            "max ",
        ]);
        for figure in figures.iter().filter(|f| title(&f.case) == heading) {
            for (ours, peer) in figure.ours.iter().zip(&figure.peer) {
                let mut row =
                    vec![pages_of(figure), ours.full_percent.to_string(), ours.allocations.to_string()];
                row.extend(cell(ours));
                row.extend(if peer.allocations == 0 {
                    ["–", "–", "none found"].map(String::from)
                } else {
                    cell(peer)
                });
                table.add_row(row);
            }
        }
        println!("{table}");
    }
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let figures: Vec<Figure> = cases(quick).into_iter().map(run::figure).collect();
    print(&figures);
    let failed: Vec<String> = figures
        .iter()
        .filter(|f| f.case.kind == Kind::Plain)
        .flat_map(|f| f.ours.iter().filter(|l| l.max_retries > 0 || l.failed > 0).map(move |l| (f, l)))
        .map(|(f, l)| format!("{}, {} pages, at {}%", title(&f.case), pages_of(f), l.full_percent))
        .collect();
    let report = Report { page_bytes: 1 << run::PAGE_BITS, processes: run::PROCESSES, figures };
    match serde_json::to_string(&report) {
        Ok(json) => println!("\n{json}"),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    }
    for case in &failed {
        eprintln!("error: the allocator needed a retry below 100%: {case}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
