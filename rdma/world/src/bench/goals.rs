//! The table: each figure beside the design's goal and the paper's number.
use super::beside::{GAP, Quiet, Sharing, quiet};
use super::costs::{Costs, Picos};
use super::operations::{What, design, filled, taken};
use super::peer::Way;
use super::port::{Made, Port};
use super::programs::Kind;
use super::rates::{Mix, Rate, rate};
use super::trace::{Replay, Step};
use crate::failure::Failure;

/// Clients of rates: the paper's (§5.3).
const CLIENTS: usize = 8;
/// Beats of data that may wait for the line when another packet is made: 16 frames of 4 KB, and fewer.
const AHEAD: [u64; 5] = [1024, 256, 64, 32, 16];
/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct BenchOptions {
    /// Requests of each client in a rate.
    pub requests: u64,
    /// Requests of a client at a time. All READs together have 64 places: with 8 clients more than 8 each are told to come again.
    pub depth: usize,
    /// Pages of each program.
    pub pages: usize,
    /// Where programs' data comes from.
    pub seed: u64,
}

/// A figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is.
    pub figure: String,
    /// What was measured, in `unit`.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The goal, in words; empty: there is none, the row is for comparison.
    pub goal: String,
    /// Whether it is met; `None`: there is none.
    pub met: Option<bool>,
    /// The paper's number, in words.
    pub paper: &'static str,
}

fn shown(figure: String, value: f64, unit: &'static str, paper: &'static str) -> Row {
    Row { figure, value, unit, goal: String::new(), met: None, paper }
}

fn goal(row: Row, goal: impl Into<String>, met: bool) -> Row {
    Row { goal: goal.into(), met: Some(met), ..row }
}

/// Measures everything.
///
/// # Errors
/// Whatever went wrong: that is no missed goal, but a defect.
pub fn bench(options: &BenchOptions) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    operations(&mut rows)?;
    rates(&mut rows, options)?;
    programs(&mut rows, options)?;
    utilisation(&mut rows)?;
    beside(&mut rows, options)?;
    Ok(rows)
}

const fn paper(what: What) -> &'static str {
    match what {
        What::Load => "2 WRs and 3 WAIT/ENABLE; 5.5 µs, READ 2.9 µs",
        What::Mapped => "3 and 4; page moved 3 times; 4.6 µs",
        What::Unmapped => "7 and 5; 9.4 µs",
        What::Invalidate => "like unmapped",
    }
}

const fn name(way: Way, what: What) -> &'static str {
    match (way, what) {
        (Way::Static, What::Load) => "READ of a board page",
        (Way::Static, _) => "WRITE of a board page",
        (Way::Native, What::Load) => "READ of a page of 4 KB",
        (Way::Native, What::Mapped) => "WRITE of a page with a frame",
        (Way::Native, What::Unmapped) => "WRITE of a page without a frame",
        (Way::Native, What::Invalidate) => "FREE of a page",
        (Way::Chain, What::Load) => "chain: load",
        (Way::Chain, What::Mapped) => "chain: mapped store",
        (Way::Chain, What::Unmapped) => "chain: unmapped store",
        (Way::Chain, What::Invalidate) => "chain: invalidate",
    }
}

/// Packets and accesses of each operation: exact, or the goal is missed.
fn operations(rows: &mut Vec<Row>) -> Result<(), Failure> {
    let plain = [What::Load, What::Mapped].map(|what| taken(Way::Static, what, Costs::GOALS, true));
    let [read, write] = plain;
    let (read, write) = (read?, write?);
    for (what, own) in [(What::Load, read), (What::Mapped, write)] {
        let row =
            shown(format!("{}: time", name(Way::Static, what)), own.took as f64 / 1e3, "ns", "READ 2.9 µs");
        rows.push(row);
    }
    for way in [Way::Native, Way::Chain] {
        for what in What::ALL {
            let (own, own_name) = (taken(way, what, Costs::GOALS, true)?, name(way, what));
            let Some((packets, reads, writes, ring)) = design(way, what) else { continue };
            for (direction, at) in [("to the node", 0), ("from the node", 1)] {
                let row = shown(format!("{own_name}: packets {direction}"), own.packets[at], "", "");
                rows.push(goal(row, format!("= {}", packets[at]), own.packets[at] == packets[at]));
            }
            for (value, due, what) in
                [(own.read, reads, "read"), (own.written, writes, "written"), (own.ring, ring, "of the ring")]
            {
                let row = shown(format!("{own_name}: beats {what}"), value, "", "");
                rows.push(goal(row, format!("= {due}"), value == due));
            }
            let base = if what == What::Load { read.took } else { write.took };
            let over = (own.took as f64 - base as f64) / 1e3;
            rows.push(shown(format!("{own_name}: time over a plain verb"), over, "ns", paper(what)));
            let near = taken(way, what, Costs::GOALS, false)?;
            let lines = near.read - if what == What::Load { 64.0 } else { 0.0 };
            let row =
                shown(format!("{own_name}: beats of entries read, eight pages in a row"), lines, "", "");
            rows.push(goal(row, "= 0.125", lines == 0.125));
        }
    }
    Ok(())
}

fn percent(value: f64, of: f64) -> f64 {
    100.0 * value / of
}

/// A port whose rates are measured, and whether the goals are for it.
const PORTS: [(&str, Costs, bool); 3] = [
    ("", Costs::GOALS, true),
    ("engine that waits: ", Costs::WAITS, false),
    ("memory of 100 ns: ", Costs::SLOW, false),
];

fn rates(rows: &mut Vec<Row>, options: &BenchOptions) -> Result<(), Failure> {
    let shape = (CLIENTS, options.depth, options.requests);
    for (port, costs, is_goal) in PORTS {
        for (mix, what, paper) in
            [(Mix::LOADS, "loads, of READs", "92.1%"), (Mix::SWAP, "swapping, of static binding", "87.3%")]
        {
            let base = rate(Way::Static, mix, costs, shape)?;
            let mut tell = |who: &str, own: &Rate| {
                let parts = [
                    ("line from the node", own.used.lines[1]),
                    ("engine", own.used.engine),
                    ("memory", own.used.memory / if costs.shared { 1 } else { 2 }),
                ];
                for (part, used) in parts {
                    let busy = percent(used as f64, own.took as f64);
                    rows.push(shown(format!("{port}{what}: {who}, {part} busy"), busy, "%", ""));
                }
            };
            tell("static", &base);
            let mut all = vec![shown(format!("{port}{what}: static"), base.per_second / 1e6, "M/s", "")];
            for (way, who) in [(Way::Native, "native"), (Way::Chain, "chain")] {
                let own = rate(way, mix, costs, shape)?;
                tell(who, &own);
                let bytes = percent(base.used.bytes[1] as f64, own.used.bytes[1] as f64);
                all.push(shown(
                    format!("{port}{what}: {who}, what its bytes from the node allow"),
                    bytes,
                    "%",
                    "",
                ));
                let reached = percent(own.per_second, base.per_second);
                let row = shown(format!("{port}{what}: {who}"), reached, "%", paper);
                let due = if mix == Mix::LOADS && way == Way::Native { 100.0 } else { 97.0 };
                // Of two equal rates one may end a packet later.
                let met = reached >= due - 0.05;
                all.push(if is_goal { goal(row, format!(">= {due}%"), met) } else { row });
            }
            rows.append(&mut all);
        }
    }
    Ok(())
}

/// What an access of a program takes: about that of a word in the nearest caches. 0: the program takes no time, and all is swapping.
const ACCESS: [Picos; 2] = [1_000, 0];

/// How long clients take to replay what a program swapped, each the same, how many requests that were, and how long the line from the node
/// was busy.
fn replayed(
    way: Way,
    (steps, access): (&[(u64, Step)], Picos),
    (pages, depth): (usize, usize),
    clients: usize,
) -> Result<(Picos, u64, Picos), Failure> {
    let costs = Costs::GOALS;
    let made = Made {
        way,
        clients,
        entries: pages as u32,
        slots: depth,
        frames: clients * pages,
        first_alone: false,
        shares: true,
        turns: true,
        costs,
    };
    let all = (0..clients).map(|client| Replay::new(client, way, (steps, access), (pages, depth)));
    let mut port = Port::new(made, all.collect())?;
    port.run()?;
    let took = port.programs().map(|own| own.took).max().unwrap_or(0);
    Ok((took, port.programs().map(|own| own.done).sum(), port.used.lines[1]))
}

fn programs(rows: &mut Vec<Row>, options: &BenchOptions) -> Result<(), Failure> {
    let size = (options.pages, options.depth);
    for kind in Kind::ALL {
        let ran = kind.run(options.seed, options.pages);
        let words = ran.map_err(|error| Failure::SetUp(format!("{}: {error}", kind.name())))?;
        for (clients, access) in
            [1, CLIENTS].into_iter().flat_map(|clients| ACCESS.map(|access| (clients, access)))
        {
            let whole = access > 0;
            let on = format!(
                "{}, {clients} client{}{}",
                kind.name(),
                if clients == 1 { "" } else { "s" },
                if whole { "" } else { ", swapping alone" }
            );
            let trace = (&words.steps[..], access);
            let (base, requests, _) = replayed(Way::Static, trace, size, clients)?;
            let each = base as f64 * clients as f64 / 1e3 / requests.max(1) as f64;
            rows.push(shown(format!("{on}: static, for each of {requests} requests"), each, "ns", ""));
            for (way, who) in [(Way::Native, "native"), (Way::Chain, "chain")] {
                let (own, _, line) = replayed(way, trace, size, clients)?;
                let over = percent(own as f64, base as f64) - 100.0;
                let least = percent(line as f64, base as f64) - 100.0;
                let name = format!("{on}: {who}, the line from the node alone over static");
                rows.push(shown(name, least, "%", ""));
                let row =
                    shown(format!("{on}: {who} over static"), over, "%", if whole { "<= 14.6%" } else { "" });
                rows.push(if whole { goal(row, "<= 2%", over <= 2.0) } else { row });
            }
        }
    }
    Ok(())
}

/// Of all frames, how many are in use when somebody is told that there is none.
fn utilisation(rows: &mut Vec<Row>) -> Result<(), Failure> {
    for (way, who) in [(Way::Native, "native"), (Way::Chain, "chain")] {
        for frames in [1, 1000, 4096] {
            let (used, all) = filled(way, frames)?;
            let row = shown(
                format!("{who}: frames in use at the first \"not ready\", of {all}"),
                percent(used as f64, all as f64),
                "%",
                "100%",
            );
            rows.push(goal(row, "= 100.0%", used == all));
        }
    }
    Ok(())
}

/// What a quiet tenant keeps beside one with 64 queue pairs.
fn beside(rows: &mut Vec<Row>, options: &BenchOptions) -> Result<(), Failure> {
    let shape = (CLIENTS, options.depth, options.requests);
    let alone = quiet(false, Sharing::Turns, Costs::GOALS)?;
    let within = |own: &Quiet| own.p99 as f64 / alone.p99.max(1) as f64;
    let what = format!("a READ of 4 KB every {:.2} µs", GAP as f64 / 1e6);
    rows.push(shown(format!("{what}: alone, p99"), alone.p99 as f64 / 1e3, "ns", ""));
    let beside = format!("{what}, beside 64 queue pairs of another tenant");
    for sharing in [Sharing::Turns, Sharing::Places, Sharing::Nothing] {
        let own = quiet(true, sharing, Costs::GOALS)?;
        let name = format!("{beside}{}", sharing.name());
        let kept = shown(format!("{name}: rate kept"), percent(own.per_second, alone.per_second), "%", "");
        let late = shown(format!("{name}: p99 over alone"), within(&own), "times", "");
        let (good, soon) = (kept.value >= 90.0, late.value <= 3.0);
        rows.extend(match sharing {
            Sharing::Turns => [goal(kept, ">= 90%", good), goal(late, "<= 3", soon)],
            Sharing::Nothing | Sharing::Places => [kept, late],
        });
        rows.push(shown(
            format!("{name}: its packets wait for the engine, p99"),
            own.waited as f64 / 1e3,
            "ns",
            "",
        ));
    }
    // What the frames that are made ahead cost the quiet tenant, and what they bring.
    let most = Costs { ahead: AHEAD[0], ..Costs::GOALS };
    let base = rate(Way::Static, Mix::LOADS, most, shape)?.per_second;
    for ahead in AHEAD {
        let costs = Costs { ahead, ..Costs::GOALS };
        for sharing in [Sharing::Turns, Sharing::Places] {
            let own = quiet(true, sharing, costs)?;
            let name = format!("{beside}{}, {ahead} beats ahead", sharing.name());
            rows.push(shown(format!("{name}: p99 over alone"), within(&own), "times", ""));
        }
        let reached = percent(rate(Way::Static, Mix::LOADS, costs, shape)?.per_second, base);
        let name =
            format!("{what}, {ahead} beats ahead: rate of READs of 8 clients, of that with {}", AHEAD[0]);
        rows.push(shown(name, reached, "%", ""));
    }
    Ok(())
}
