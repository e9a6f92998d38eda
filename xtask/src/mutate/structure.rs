//! The structure of a flat netlist as Yosys writes it: for every output and every register, a hash of all that decides its next value.
//!
//! Two netlists with the same ports, registers and memories, by name, and the same hashes do the same.
use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

type Hash = [u8; 32];

#[derive(Deserialize)]
struct Design {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    ports: BTreeMap<String, Port>,
    cells: BTreeMap<String, Cell>,
    netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
struct Port {
    direction: String,
    bits: Vec<Bit>,
}

#[derive(Deserialize)]
struct Net {
    hide_name: u8,
    bits: Vec<Bit>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    parameters: BTreeMap<String, Value>,
    port_directions: BTreeMap<String, String>,
    connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize, Clone, Hash, PartialEq, Eq)]
#[serde(untagged)]
enum Bit {
    Net(u32),
    Constant(String),
}

/// What can be compared.
#[derive(Debug, PartialEq, Eq)]
pub struct Structure(BTreeMap<String, Hash>);

/// Where a net's value comes from.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// A port, a register or a memory: its name is what counts.
    Named(&'a str, usize),
    /// A gate's output: its port and bit.
    Gate(&'a Cell, &'a str, usize),
}

impl Cell {
    fn keeps_state(&self) -> bool {
        self.kind.contains("dff") || self.kind.contains("latch") || self.kind.starts_with("$mem")
    }
    fn inputs(&self) -> impl Iterator<Item = (&String, &Vec<Bit>)> {
        self.connections
            .iter()
            .filter(|(port, _)| self.port_directions.get(*port).is_none_or(|d| d != "output"))
    }
    fn outputs(&self) -> impl Iterator<Item = (&String, &Vec<Bit>)> {
        self.connections
            .iter()
            .filter(|(port, _)| self.port_directions.get(*port).is_some_and(|d| d == "output"))
    }
    /// What a gate does, but for its inputs.
    fn text(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", self.kind, parameters.join(" "))
    }
}

struct Hasher<'a> {
    sources: HashMap<u32, Source<'a>>,
    known: HashMap<u32, Hash>,
}

impl<'a> Hasher<'a> {
    fn of(module: &'a Module) -> Hasher<'a> {
        let mut names: HashMap<u32, (&str, usize)> = HashMap::new();
        for (name, net) in module.netnames.iter().filter(|(_, net)| net.hide_name == 0) {
            for (i, bit) in net.bits.iter().enumerate() {
                if let Bit::Net(number) = bit {
                    names.entry(*number).or_insert((name, i));
                }
            }
        }
        let mut sources = HashMap::new();
        for (cell_name, cell) in &module.cells {
            for (port, bits) in cell.outputs() {
                for (i, bit) in bits.iter().enumerate() {
                    let Bit::Net(number) = bit else { continue };
                    let source = match names.get(number) {
                        Some((name, i)) if cell.keeps_state() && !cell.kind.starts_with("$mem") => {
                            Source::Named(name, *i)
                        }
                        _ if cell.keeps_state() => Source::Named(cell_name, i),
                        _ => Source::Gate(cell, port, i),
                    };
                    sources.insert(*number, source);
                }
            }
        }
        for (name, port) in module.ports.iter().filter(|(_, port)| port.direction == "input") {
            for (i, bit) in port.bits.iter().enumerate() {
                if let Bit::Net(number) = bit {
                    sources.insert(*number, Source::Named(name, i));
                }
            }
        }
        Hasher { sources, known: HashMap::new() }
    }

    /// The nets that must be known before this one.
    fn needs(&self, net: u32) -> Vec<u32> {
        let Some(Source::Gate(cell, ..)) = self.sources.get(&net) else { return Vec::new() };
        let unknown = |bit: &Bit| match bit {
            Bit::Net(number) if !self.known.contains_key(number) => Some(*number),
            _ => None,
        };
        cell.inputs().flat_map(|(_, bits)| bits).filter_map(unknown).collect()
    }
    fn bit(&self, bit: &Bit) -> Hash {
        match bit {
            Bit::Net(number) => self.known.get(number).copied().unwrap_or_default(),
            Bit::Constant(text) => Sha256::digest(text).into(),
        }
    }
    fn inputs(&self, cell: &Cell) -> Sha256 {
        let mut hasher = Sha256::new();
        hasher.update(cell.text());
        for (port, bits) in cell.inputs() {
            hasher.update(port);
            bits.iter().for_each(|bit| hasher.update(self.bit(bit)));
        }
        hasher
    }
    /// False: the net depends on itself.
    fn learn(&mut self, net: u32) -> bool {
        let mut stack = vec![(net, false)];
        let mut begun: HashMap<u32, ()> = HashMap::new();
        while let Some((net, ready)) = stack.pop() {
            if self.known.contains_key(&net) {
                continue;
            }
            let needs = self.needs(net);
            if !ready && !needs.is_empty() {
                if begun.insert(net, ()).is_some() {
                    return false;
                }
                stack.push((net, true));
                stack.extend(needs.into_iter().map(|need| (need, false)));
                continue;
            }
            if !needs.is_empty() {
                return false;
            }
            let hash = match self.sources.get(&net) {
                Some(Source::Named(name, i)) => Sha256::digest(format!("{name} {i}")),
                Some(Source::Gate(cell, port, i)) => {
                    let mut hasher = self.inputs(cell);
                    hasher.update(format!("{port} {i}"));
                    hasher.finalize()
                }
                None => Sha256::digest("undriven"),
            };
            self.known.insert(net, hash.into());
        }
        true
    }
    fn learn_all<'b>(&mut self, bits: impl Iterator<Item = &'b Bit>) -> bool {
        let mut nets = bits.filter_map(|bit| match bit {
            Bit::Net(number) => Some(*number),
            Bit::Constant(_) => None,
        });
        nets.all(|net| self.learn(net))
    }
}

impl Structure {
    /// Reads a netlist of one module. Nothing: a gate depends on itself, so that no hash tells what it does.
    pub fn of(json: &[u8]) -> Result<Option<Structure>> {
        let design: Design = serde_json::from_slice(json).context("reading the netlist")?;
        let module = design.modules.values().next().context("a netlist with a module")?;
        let mut hasher = Hasher::of(module);
        let mut structure = BTreeMap::new();
        for (name, port) in module.ports.iter().filter(|(_, port)| port.direction == "output") {
            if !hasher.learn_all(port.bits.iter()) {
                return Ok(None);
            }
            for (i, bit) in port.bits.iter().enumerate() {
                structure.insert(format!("output {name} {i}"), hasher.bit(bit));
            }
        }
        for (cell_name, cell) in module.cells.iter().filter(|(_, cell)| cell.keeps_state()) {
            if !hasher.learn_all(cell.connections.values().flatten()) {
                return Ok(None);
            }
            // A register's cell is named by chance; its first bit has a name of its own, and with it come all others.
            let inputs: Hash = hasher.inputs(cell).finalize().into();
            let mut whole = Sha256::new();
            whole.update(inputs);
            cell.outputs().flat_map(|(_, bits)| bits).for_each(|bit| whole.update(hasher.bit(bit)));
            let state = cell
                .outputs()
                .flat_map(|(_, bits)| bits)
                .map(|bit| hasher.bit(bit))
                .next()
                .unwrap_or_default();
            let name = if cell.kind.starts_with("$mem") {
                cell_name.clone()
            } else {
                state.iter().map(|byte| format!("{byte:02x}")).collect()
            };
            structure.insert(format!("state {name}"), whole.finalize().into());
        }
        Ok(Some(Structure(structure)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `q <= (a OP b)`, with a gate that nobody looks at.
    fn netlist(gate: &str, unseen: &str, numbers: [u32; 5]) -> Vec<u8> {
        let [a, b, sum, q, dead] = numbers;
        let two = |kind: &str, y: u32| {
            format!(
                r#"{{"type":"{kind}","parameters":{{}},"port_directions":{{"A":"input","B":"input","Y":"output"}},"connections":{{"A":[{a}],"B":[{b}],"Y":[{y}]}}}}"#
            )
        };
        format!(
            r#"{{"modules":{{"M":{{"ports":{{"a":{{"direction":"input","bits":[{a}]}},"b":{{"direction":"input","bits":[{b}]}},"q":{{"direction":"output","bits":[{q}]}}}},
            "cells":{{"gate{sum}":{},"unseen":{},"ff{q}":{{"type":"$dff","parameters":{{}},"port_directions":{{"D":"input","Q":"output"}},"connections":{{"D":[{sum}],"Q":[{q}]}}}}}},
            "netnames":{{"q":{{"hide_name":0,"bits":[{q}]}}}}}}}}}}"#,
            two(gate, sum),
            two(unseen, dead)
        )
        .into_bytes()
    }

    #[test]
    fn a_board_is_the_same_whatever_its_nets_are_called() {
        let one = Structure::of(&netlist("$and", "$or", [1, 2, 3, 4, 5])).unwrap();
        assert!(one.is_some());
        assert_eq!(one, Structure::of(&netlist("$and", "$xor", [7, 9, 30, 2, 50])).unwrap());
        assert_ne!(one, Structure::of(&netlist("$or", "$or", [1, 2, 3, 4, 5])).unwrap());
        let twice = String::from_utf8(netlist("$and", "$or", [1, 2, 3, 4, 5]))
            .unwrap()
            .replace(r#""B":[2]"#, r#""B":[1]"#);
        assert_ne!(one, Structure::of(twice.as_bytes()).unwrap());
    }

    #[test]
    fn of_a_gate_that_depends_on_itself_nothing_is_told() {
        let netlist = String::from_utf8(netlist("$and", "$or", [1, 2, 3, 4, 5])).unwrap();
        assert_eq!(Structure::of(netlist.replace(r#""A":[1]"#, r#""A":[3]"#).as_bytes()).unwrap(), None);
    }
}
