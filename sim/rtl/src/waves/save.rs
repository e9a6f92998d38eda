//! Save files: the wires that one looks at first, for GTKWave and for Surfer.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
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

/// A wire as a file has it.
struct Wire {
    /// With its scopes.
    path: String,
    /// `[7:0]`; empty of a single bit.
    range: String,
}

/// Writes both beside the waveforms: `FILE.gtkw` and `FILE.sucl` of `FILE.fst`.
pub(super) fn write(report: &WaveReport) -> Result<Vec<PathBuf>, WaveError> {
    let wires = wires(&report.file)?;
    let texts = [("gtkw", gtkwave(report, &wires)), ("sucl", surfer(&wires))];
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

fn gtkwave(report: &WaveReport, wires: &BTreeMap<String, Wire>) -> String {
    // An absolute path, so that the save file opens from anywhere.
    let file = std::path::absolute(&report.file).unwrap_or_else(|_| report.file.clone());
    let marker = report.triggered.map_or(-1, |cycle| i128::from(cycle * NS_PER_CYCLE));
    let mut text = format!(
        "[*] cycles {} to {}\n[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n*-8.0 {marker}{}\n",
        report.cycles.start,
        report.cycles.end - 1,
        file.display(),
        report.cycles.start * NS_PER_CYCLE,
        " -1".repeat(26)
    );
    for (label, some) in groups(wires) {
        text += &format!("{COMMENT}\n-{label}\n");
        for wire in some {
            let shown = if wire.range.is_empty() { BINARY } else { HEXADECIMAL };
            text += &format!("{shown}\n{}{}\n", wire.path, wire.range);
        }
    }
    text
}

fn surfer(wires: &BTreeMap<String, Wire>) -> String {
    let mut text = String::new();
    for (label, some) in groups(wires) {
        text += &format!("divider_add {label}\n");
        some.iter().for_each(|wire| text += &format!("variable_add {}\n", wire.path));
    }
    text + "zoom_fit\n"
}
