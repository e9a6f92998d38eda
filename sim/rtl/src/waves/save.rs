//! Save files: the wires that one looks at first, for GTKWave and for Surfer.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fst_reader::{FstHierarchyEntry, FstReader};

use super::{NS_PER_CYCLE, WaveError, WaveReport};

/// Wires by what they tell, from the board's own scope. Those that a board does not have are left out: not every configuration has
/// all, and who changes the hardware renames some.
const GROUPS: &[(&str, &[&str])] = &[
    ("clock", &["clk", "reset"]),
    (
        "frames from the network",
        &["net_rx_tvalid", "net_rx_tready", "net_rx_tlast", "net_rx_tkeep", "net_rx_tdata"],
    ),
    (
        "requests through the stages, by packet slot",
        &[
            "observer_1.io_arriving_valid",
            "observer_1.io_arriving_payload",
            "observer_1.io_dispatched_valid",
            "observer_1.io_dispatched_payload",
            "observer_1.io_filtered_valid",
            "observer_1.io_filtered_payload",
            "observer_1.io_translated_valid",
            "observer_1.io_translated_payload",
            "observer_1.io_accessed_valid",
            "observer_1.io_accessed_payload",
            "observer_1.io_answered_valid",
            "observer_1.io_answered_payload",
        ],
    ),
    (
        "TLB",
        &[
            "engine.translation_1.tlb_1.io_set",
            "engine.translation_1.tlb_1.io_load",
            "engine.translation_1.tlb_1.io_matches",
            "engine.translation_1.tlb_1.io_serves",
            "engine.translation_1.tlb_1.io_touch",
            "engine.translation_1.tlb_1.io_forget",
            "engine.translation_1.tlb_1.io_fill_valid",
            "engine.translation_1.tlb_1.io_fill_payload_set",
            "engine.translation_1.tlb_1.io_ways",
        ],
    ),
    ("misses", &["engine.translation_1.misses.valid", "engine.translation_1.misses.pinned"]),
    (
        "memory",
        &[
            "mem_arvalid",
            "mem_arready",
            "mem_araddr",
            "mem_rvalid",
            "mem_rready",
            "mem_rlast",
            "mem_awvalid",
            "mem_awready",
            "mem_awaddr",
            "mem_wvalid",
            "mem_wready",
            "mem_bvalid",
            "mem_bready",
        ],
    ),
    (
        "answers to the network",
        &["net_tx_tvalid", "net_tx_tready", "net_tx_tlast", "net_tx_tkeep", "net_tx_tdata"],
    ),
    ("slow path", &["slow_tx_tvalid", "slow_tx_tready", "slow_rx_tvalid", "slow_rx_tready"]),
    (
        "how requests end",
        &[
            "trace_valid",
            "trace_payload_opcode",
            "trace_payload_status",
            "trace_payload_cause",
            "trace_payload_srcPort",
            "trace_payload_opId",
        ],
    ),
    ("counted, a bit for each counter", &["registers_io_counted"]),
];

/// GTKWave's flags of a line: binary, hexadecimal, both right-justified; a blank line with a comment.
const BINARY: &str = "@28";
const HEXADECIMAL: &str = "@22";
const COMMENT: &str = "@200";
/// Its zoom, at which a window of 1,600 points shows some 300 cycles, and how many of them are before an event.
const ZOOM: &str = "*-8.0";
const SHOWN_BEFORE: u64 = 100;

/// A wire as a file has it.
struct Wire {
    /// With its scopes.
    path: String,
    /// `[7:0]`; `[0:0]` of an array of one bit, empty of what is no array.
    range: String,
}

impl Wire {
    /// The index of an array of one bit: `0` of `[0:0]`. Both viewers call such a wire `NAME[0]`, and do not find it otherwise.
    fn only_bit(&self) -> Option<&str> {
        let (high, low) = self.range.strip_prefix('[')?.strip_suffix(']')?.split_once(':')?;
        (high == low).then_some(low)
    }
    /// As GTKWave calls it: with its range.
    fn gtkwave(&self) -> String {
        self.only_bit()
            .map_or_else(|| format!("{}{}", self.path, self.range), |bit| format!("{}[{bit}]", self.path))
    }
    /// As Surfer calls it: without, unless that is one bit's.
    fn surfer(&self) -> String {
        self.only_bit().map_or_else(|| self.path.clone(), |bit| format!("{}[{bit}]", self.path))
    }
    fn is_bit(&self) -> bool {
        self.range.is_empty() || self.only_bit().is_some()
    }
}

/// Writes both beside the waveforms: `FILE.gtkw` and `FILE.sucl` of `FILE.fst`.
pub(super) fn write(report: &WaveReport) -> Result<Vec<PathBuf>, WaveError> {
    let wires = wires(&report.file)?;
    let texts = [("gtkw", gtkwave(report, &wires)), ("sucl", surfer(report, &wires))];
    let save = |(extension, text): (&str, String)| {
        let path = report.file.with_extension(extension);
        std::fs::write(&path, text).map_err(|error| WaveError::Save(path.clone(), error))?;
        Ok(path)
    };
    texts.into_iter().map(save).collect()
}

/// Every wire of the board's own scope and below, by its path from there.
fn wires(file: &Path) -> Result<BTreeMap<String, Wire>, WaveError> {
    let unreadable = |error: String| WaveError::Read(file.to_path_buf(), error);
    let open = File::open(file).map_err(|error| unreadable(error.to_string()))?;
    let mut reader = FstReader::open(BufReader::new(open)).map_err(|error| unreadable(error.to_string()))?;
    let (mut scopes, mut wires) = (Vec::<String>::new(), BTreeMap::new());
    let see = |entry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => drop(scopes.pop()),
        FstHierarchyEntry::Var { name, .. } => {
            let (name, range) = name.split_once(' ').unwrap_or((&name, ""));
            let path = |from: usize| {
                let parts = scopes.iter().skip(from).map(String::as_str).chain([name]);
                parts.collect::<Vec<_>>().join(".")
            };
            // The two outermost scopes are the simulator's and the board's.
            if scopes.len() >= 2 {
                wires.insert(path(2), Wire { path: path(0), range: range.to_owned() });
            }
        }
        _ => {}
    };
    reader.read_hierarchy(see).map_err(|error| unreadable(error.to_string()))?;
    Ok(wires)
}

/// The groups that the board has something of.
fn groups<'a>(
    wires: &'a BTreeMap<String, Wire>,
) -> impl Iterator<Item = (&'static str, Vec<&'a Wire>)> + use<'a> {
    let present = |names: &[&str]| names.iter().filter_map(|name| wires.get(*name)).collect::<Vec<_>>();
    GROUPS.iter().map(move |(label, names)| (*label, present(names))).filter(|(_, some)| !some.is_empty())
}

/// When what was waited for happened, in the file's time.
fn event(report: &WaveReport) -> Option<u64> {
    report.triggered.map(|cycle| cycle * NS_PER_CYCLE)
}

fn gtkwave(report: &WaveReport, wires: &BTreeMap<String, Wire>) -> String {
    // An absolute path, so that the save file opens from anywhere.
    let file = std::path::absolute(&report.file).unwrap_or_else(|_| report.file.clone());
    let marker = event(report).map_or(-1, i128::from);
    let first = report
        .triggered
        .map_or(report.cycles.start, |cycle| cycle.saturating_sub(SHOWN_BEFORE).max(report.cycles.start));
    let mut text = format!(
        "[*] cycles {} to {}\n[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n{ZOOM} {marker}{}\n",
        report.cycles.start,
        report.cycles.end - 1,
        file.display(),
        first * NS_PER_CYCLE,
        " -1".repeat(26)
    );
    for (label, some) in groups(wires) {
        text += &format!("{COMMENT}\n-{label}\n");
        for wire in some {
            let shown = if wire.is_bit() { BINARY } else { HEXADECIMAL };
            text += &format!("{shown}\n{}\n", wire.gtkwave());
        }
    }
    text
}

/// Surfer's command takes one word, and leaves out a divider of more.
fn word(label: &str) -> String {
    let words = label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn surfer(report: &WaveReport, wires: &BTreeMap<String, Wire>) -> String {
    let mut text = String::new();
    for (label, some) in groups(wires) {
        text += &format!("divider_add {}\n", word(label));
        some.iter().for_each(|wire| text += &format!("variable_add {}\n", wire.surfer()));
    }
    text += &view(&report.cycles);
    // It is in view, so that this does not move it.
    event(report).into_iter().for_each(|event| text += &format!("cursor_set {event}\n"));
    text
}

/// Shows these cycles, which end the file, and fewer than as many before them. Surfer's `zoom_fit` begins at time 0, even if the
/// file does not, and each `zoom_in` halves what is shown.
fn view(cycles: &Range<u64>) -> String {
    let halved = (cycles.end / (cycles.end - cycles.start)).ilog2() as usize;
    format!("zoom_fit\n{}goto_end\n", "zoom_in\n".repeat(halved))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> WaveReport {
        let (file, cycles) = (PathBuf::from("/folder/run.fst"), 100..200);
        WaveReport { file, cycles, older: None, triggered: Some(150), save_files: Vec::new() }
    }
    /// Every wire of the groups, with that range.
    fn all(range: &str) -> BTreeMap<String, Wire> {
        let names = GROUPS.iter().flat_map(|(_, names)| names.iter());
        let wire = |name: &&str| Wire { path: format!("TOP.board.{name}"), range: range.to_owned() };
        names.map(|name| (name.to_string(), wire(name))).collect()
    }
    /// The line of a wire, and how GTKWave shows it.
    fn of_gtkwave<'a>(text: &'a str, wire: &str) -> (&'a str, &'a str) {
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.contains(wire)).expect("the wire is named");
        (lines[at - 1], lines[at])
    }

    #[test]
    fn wires_are_named_as_the_viewers_name_them() {
        // Of GTKWave 3.3.118 and Surfer 0.7.0-dev, which have opened such files.
        for (range, flags, gtkwave_name, surfer_name) in [
            ("", BINARY, "TOP.board.clk", "variable_add TOP.board.clk"),
            ("[7:0]", HEXADECIMAL, "TOP.board.clk[7:0]", "variable_add TOP.board.clk"),
            ("[0:0]", BINARY, "TOP.board.clk[0]", "variable_add TOP.board.clk[0]"),
            ("[10:10]", BINARY, "TOP.board.clk[10]", "variable_add TOP.board.clk[10]"),
        ] {
            let wires = all(range);
            assert_eq!(of_gtkwave(&gtkwave(&report(), &wires), "board.clk"), (flags, gtkwave_name));
            assert_eq!(surfer(&report(), &wires).lines().nth(1), Some(surfer_name));
        }
    }

    #[test]
    fn gtkwave_begins_so_that_the_event_is_in_view() {
        for (cycles, triggered, first) in
            [(100..200, None, 100), (100..900, Some(150), 100), (100..900, Some(850), 750)]
        {
            let text = gtkwave(&WaveReport { cycles, triggered, ..report() }, &all(""));
            assert!(
                text.contains(&format!("\n[timestart] {}\n", first * NS_PER_CYCLE)),
                "{triggered:?}: {text}"
            );
        }
    }

    #[test]
    fn surfer_takes_every_command() {
        let text = surfer(&report(), &all("[0:0]"));
        let mut dividers = 0;
        for line in text.lines() {
            // Its file has these two between commands, wherever they are.
            assert!(!line.contains(['#', ';']), "{line}");
            match line.split_once(' ') {
                Some(("divider_add", label)) => {
                    dividers += 1;
                    assert!(
                        label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
                        "{label} is no word"
                    );
                }
                Some(("variable_add", wire)) => assert!(!wire.contains(' '), "{wire}"),
                Some(("cursor_set", time)) => assert_eq!(time, "600"),
                Some(other) => panic!("{other:?}"),
                None => assert!(["zoom_fit", "zoom_in", "goto_end"].contains(&line), "{line}"),
            }
        }
        assert_eq!(dividers, GROUPS.len());
        assert!(text.contains("divider_add counted_a_bit_for_each_counter\n"));
    }

    #[test]
    fn surfer_shows_the_cycles_that_are_there() {
        for cycles in [0..1, 0..500, 1..500, 100..200, 32_179..32_560, 999_999_999..1_000_000_000] {
            // As it moves its view, in parts of the time from 0 to the file's end.
            let (mut left, mut right) = (0.0, 1.0);
            for command in view(&cycles).lines() {
                (left, right) = match command {
                    "zoom_fit" => (0.0, 1.0),
                    "zoom_in" => ((3.0 * left + right) / 4.0, (left + 3.0 * right) / 4.0),
                    "goto_end" => (1.0 - (right - left), 1.0),
                    other => panic!("{other}"),
                };
            }
            let (first, count) = (left * cycles.end as f64, (cycles.end - cycles.start) as f64);
            assert!(first <= cycles.start as f64, "{cycles:?} from {first}");
            assert!(right == 1.0 && first > cycles.start as f64 - count, "{cycles:?} from {first}");
        }
    }
}
