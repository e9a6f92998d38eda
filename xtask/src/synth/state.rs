//! `cargo xtask hw-state`: every register and memory of the board, from the generated design.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result, bail};
use comfy_table::Table;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use serde::{Deserialize, Serialize};

use super::netlist::{Module, net};
use super::verilog::Modules;
use super::yosys::Yosys;
use super::{read_verilog, write};
use crate::process::root;
use crate::{rtl, setup};

const TABLE: &str = "docs/reference/figures/state.md";
const JSON: &str = "docs/reference/figures/state.json";
/// The configuration whose memories are listed and held against the committed list.
const LISTED: &str = super::components::CONFIGURATION;
/// The packet buffer, its memory of frames, and the bits of a beat in it.
const BUFFER: &str = "buffer_1";
const FRAMES: &str = "memory";
const BEAT: u64 = 512;
/// Number of process ids.
const PIDS: u64 = 1 << mneme_wire::pte::PID_BITS;
/// Registers may grow by so much, in percent, before the committed list is called stale.
const TOLERANCE: u64 = 5;

/// What to do with the list.
#[derive(clap::Args)]
pub struct Options {
    /// Change nothing; fail when the board's state is not what docs/reference/figures/state.json says, or is enough for a bit per process id.
    #[arg(long)]
    check: bool,
}

/// All state of one configuration.
#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
pub struct State {
    pub components: BTreeMap<String, Component>,
}

/// State of one component of the top; what belongs to the top itself is under `top`.
#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
pub struct Component {
    pub register_bits: u64,
    pub memories: BTreeMap<String, Memory>,
    /// Width of each register; kept for the listed configuration alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub registers: BTreeMap<String, u64>,
}

/// A memory: words of so many bits.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Copy)]
pub struct Memory {
    pub words: u64,
    pub bits: u64,
}

impl State {
    /// Collects the registers and memories of a flat design before mapping.
    pub fn of(module: &Module) -> Result<State> {
        let names = paths(module);
        let mut state = State::default();
        for (name, cell) in &module.cells {
            if cell.kind == "$mem_v2" {
                let number = |text: &Option<String>| {
                    let text = text.as_deref().with_context(|| format!("memory {name} has no size"))?;
                    u64::from_str_radix(text, 2).with_context(|| format!("size of memory {name}: {text}"))
                };
                let memory =
                    Memory { words: number(&cell.parameters.size)?, bits: number(&cell.parameters.width)? };
                let path = cell.parameters.memid.as_deref().unwrap_or(name).trim_start_matches('\\');
                let (component, rest) = split(path);
                state.component(component).memories.insert(rest.to_owned(), memory);
            } else if cell.kind.contains("dff") || cell.kind.contains("dlatch") {
                let bits = cell.connections.get("Q").with_context(|| format!("register {name} without Q"))?;
                let path = bits.iter().find_map(net).and_then(|n| names.get(&n)).copied();
                let (component, rest) = split(path.unwrap_or(name));
                let width = bits.len() as u64;
                let component = state.component(component);
                component.register_bits += width;
                *component.registers.entry(rest.to_owned()).or_default() += width;
            } else if cell.kind == "$sr" || cell.kind.starts_with("$mem") {
                bail!("a cell of type {}: its state is not known to this task", cell.kind);
            }
        }
        Ok(state)
    }

    fn component(&mut self, name: &str) -> &mut Component {
        self.components.entry(name.to_owned()).or_default()
    }

    /// Bits in registers, bits in memories.
    fn bits(&self) -> (u64, u64) {
        let components = self.components.values();
        components.fold((0, 0), |(r, m), c| (r + c.register_bits, m + c.memory_bits()))
    }

    /// Bits of the frames that are on the board: beats, as many as the packet slots have.
    fn frames(&self) -> u64 {
        let beats = self.components.get(BUFFER).and_then(|buffer| buffer.memories.get(FRAMES));
        beats.filter(|memory| memory.bits == BEAT).map_or(0, |memory| memory.words * memory.bits)
    }

    /// What must not be: state enough to hold something for every process id. Of the device all counts; a larger board may have
    /// slots for more frames than that.
    fn per_process(&self, configuration: &str) -> Option<String> {
        let (registers, memories) = self.bits();
        let total = registers + memories - if configuration == LISTED { 0 } else { self.frames() };
        (total >= PIDS).then(|| format!("{total} bits of state: enough for one bit per process id ({PIDS})"))
    }

    /// In what `now` is not what this list says, one line each.
    fn stale(&self, now: &State) -> Vec<String> {
        let mut found = Vec::new();
        let names = self.components.keys().chain(now.components.keys());
        let absent = Component::default();
        for name in names.collect::<BTreeSet<_>>() {
            let was = self.components.get(name).unwrap_or(&absent);
            let is = now.components.get(name).unwrap_or(&absent);
            if was.memories != is.memories {
                found.push(format!("{name}: its memories are not those of {JSON}"));
            }
            if was.register_bits.abs_diff(is.register_bits) * 100 > was.register_bits * TOLERANCE {
                found.push(format!(
                    "{name}: {} bits in registers, {JSON} says {}",
                    is.register_bits, was.register_bits
                ));
            }
        }
        found
    }
}

impl Component {
    fn memory_bits(&self) -> u64 {
        self.memories.values().map(|m| m.words * m.bits).sum()
    }
}

/// For each net the name of what holds it: not of a port that it reaches, and within a component rather than in the top.
fn paths(module: &Module) -> HashMap<u32, &str> {
    let rank = |path: &str, hidden: u8| {
        let port = path.rsplit('.').next().is_some_and(|n| n.starts_with("io_"));
        (hidden, port, !path.contains('.'), path.len())
    };
    let mut paths: HashMap<u32, (&str, u8)> = HashMap::new();
    for (path, entry) in &module.netnames {
        for number in entry.bits.iter().filter_map(net) {
            let best = paths.entry(number).or_insert((path, entry.hide_name));
            if rank(path, entry.hide_name) < rank(best.0, best.1) {
                *best = (path, entry.hide_name);
            }
        }
    }
    paths.into_iter().map(|(number, (path, _))| (number, path)).collect()
}

/// The component of the top in which something lies, and its name there.
fn split(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("top", path))
}

/// What CI demands: the committed list is the board's.
pub fn run_check() -> Result<()> {
    run_state(&Options { check: true })
}

/// Lists all state of every configuration, writes the list or checks the committed one.
pub fn run_state(options: &Options) -> Result<()> {
    let yosys = Yosys::new(setup::run_synthesis_setup()?)?;
    let state = |configuration: &str| -> Result<State> {
        let file = read_verilog(configuration)?;
        let top = format!("CBoard_{configuration}");
        let design = yosys.state(&top, &Modules::parse(&file)?.closure(&top)?)?;
        let state = State::of(design.module(&top)?)?;
        match state.per_process(configuration) {
            Some(trouble) => bail!("{configuration}: {trouble}"),
            None => Ok(state),
        }
    };
    if options.check {
        let text = std::fs::read_to_string(root().join(JSON)).with_context(|| format!("reading {JSON}"))?;
        let recorded: BTreeMap<String, State> =
            serde_json::from_str(&text).with_context(|| format!("reading {JSON}"))?;
        let was = recorded.get(LISTED).with_context(|| format!("{JSON} has no {LISTED}"))?;
        let found = was.stale(&state(LISTED)?);
        if !found.is_empty() {
            bail!("{}\nrun `cargo xtask hw-state` and commit what it writes", found.join("\n"));
        }
        println!("{JSON}: the state of {LISTED} is as listed, and less than a bit per process id");
        return Ok(());
    }
    let mut states = BTreeMap::new();
    for path in rtl::tops()? {
        let top = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        // What stands around a core, such as an Ethernet port, is no configuration of it.
        let Some(name) = top.strip_prefix("CBoard_").map(str::to_owned) else { continue };
        println!("hw-state: {name}");
        let mut found = state(&name)?;
        if name != LISTED {
            found.components.values_mut().for_each(|c| c.registers.clear());
        }
        states.insert(name, found);
    }
    println!("{}", terminal(&states));
    write(TABLE, &markdown(&states)?)?;
    write(JSON, &(serde_json::to_string_pretty(&states)? + "\n"))
}

/// Component by configuration: bits in registers + bits in memories.
fn rows(states: &BTreeMap<String, State>) -> Vec<Vec<String>> {
    let names: BTreeSet<&String> = states.values().flat_map(|s| s.components.keys()).collect();
    let cell = |c: Option<&Component>| {
        c.map_or("–".to_owned(), |c| format!("{} + {}", c.register_bits, c.memory_bits()))
    };
    let mut rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            let cells = states.values().map(|s| cell(s.components.get(*name)));
            std::iter::once((*name).clone()).chain(cells).collect()
        })
        .collect();
    let total = states.values().map(|s| {
        let (registers, memories) = s.bits();
        format!("{registers} + {memories}")
    });
    rows.push(std::iter::once("all".to_owned()).chain(total).collect());
    rows
}

fn terminal(states: &BTreeMap<String, State>) -> String {
    let head = std::iter::once("bits in registers + memories").chain(states.keys().map(String::as_str));
    let mut table = Table::new();
    table.load_preset(UTF8_FULL_CONDENSED).set_header(head).add_rows(rows(states));
    table.to_string()
}

fn markdown(states: &BTreeMap<String, State>) -> Result<String> {
    let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
    let listed = states.get(LISTED).with_context(|| format!("no state of {LISTED}"))?;
    let (registers, memories) = listed.bits();
    let mut text = format!(
        "# State of the board\n\n\
        Written by `cargo xtask hw-state` from the generated Verilog, beside [state.json](state.json), which lists every register of {LISTED}; `cargo xtask test` fails when the memories of {LISTED} \
        are others, or its registers by more than {TOLERANCE}%.\n\n\
        Nothing here is kept per client, connection or process. The list is complete, its sizes are fixed when the Verilog is generated, and they follow the build parameters \
        ([contracts](../contracts.md) §8) alone: frames, requests, clients and processes only change what the fixed words hold. The whole state of {LISTED} is {total} bits, \
        less than one bit for each of the {PIDS} process ids; the task fails when it has more, or another configuration beside the beats of its frames. What grows with memory, the page table, lies in DRAM and is sized by physical pages.\n\n\
        ## Bits in registers + bits in memories\n\n",
        total = registers + memories,
    );
    let head: Vec<&str> = std::iter::once("").chain(states.keys().map(String::as_str)).collect();
    text += &line(&head);
    text += &format!("|---|{}\n", "---:|".repeat(states.len()));
    for row in rows(states) {
        text += &line(&row.iter().map(String::as_str).collect::<Vec<_>>());
    }
    text += &format!(
        "\n## Memories of {LISTED}\n\n| component | memory | words | bits each | bits |\n|---|---|---:|---:|---:|\n"
    );
    for (name, component) in &listed.components {
        for (memory, Memory { words, bits }) in &component.memories {
            text += &format!("| {name} | `{memory}` | {words} | {bits} | {} |\n", words * bits);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::netlist::Design;
    use super::*;

    const DESIGN: &str = r#"{"modules":{"top":{
        "cells":{
            "a":{"type":"$sdffe","connections":{"Q":[2,3,4],"D":["0","0","0"]}},
            "b":{"type":"$dff","connections":{"Q":[5],"D":[2]}},
            "c":{"type":"$mem_v2","parameters":{"SIZE":"1000","WIDTH":"0101","MEMID":"\\part.fifo.ram"},"connections":{}},
            "d":{"type":"$add","connections":{"A":[2],"B":[3],"Y":[6]}}},
        "netnames":{"part.count":{"bits":[2,3,4]},"part_io_count":{"bits":[2,3,4]},"flag":{"bits":[5]},"part.io_flag":{"bits":[5]}}}}}"#;

    fn state() -> State {
        State::of(Design::parse(DESIGN.as_bytes()).unwrap().module("top").unwrap()).unwrap()
    }

    #[test]
    fn registers_and_memories_are_found_under_their_component() {
        let state = state();
        assert_eq!(state.components["part"].registers["count"], 3);
        assert_eq!(state.components["part"].memories["fifo.ram"], Memory { words: 8, bits: 5 });
        assert_eq!(state.components["top"].registers["flag"], 1);
        assert_eq!(state.bits(), (4, 40));
    }

    #[test]
    fn another_memory_or_many_more_registers_make_the_list_stale() {
        let (was, mut is) = (state(), state());
        assert!(was.stale(&is).is_empty());
        is.component("part").register_bits += 1;
        assert_eq!(was.stale(&is).len(), 1);
        is.component("part").memories.clear();
        assert_eq!(was.stale(&is).len(), 2);
        is.component("new").register_bits = 1;
        assert_eq!(was.stale(&is).len(), 3);
    }

    #[test]
    fn a_bit_for_each_process_is_too_much() {
        let mut state = state();
        assert!(state.per_process(LISTED).is_none());
        // Frames are nobody's state, where there are many slots for them; nothing else in their buffer is spared.
        let beats = Memory { words: PIDS / BEAT, bits: BEAT };
        state.component(BUFFER).memories.insert(FRAMES.to_owned(), beats);
        assert!(state.per_process("large").is_none() && state.per_process(LISTED).is_some());
        state.component(BUFFER).memories.insert("pids".to_owned(), Memory { words: PIDS, bits: 1 });
        assert!(state.per_process("large").is_some());
        state.component(BUFFER).memories.clear();
        state.component("part").memories.insert("pids".to_owned(), Memory { words: PIDS, bits: 1 });
        assert!(state.per_process("large").is_some());
    }
}
