//! Holds constraints against the design: what they name is there, what must be constrained is, nothing is left open.
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// A design as Yosys writes it, in registers and instances.
pub struct Design {
    modules: Map<String, Value>,
}

/// A register's kind of reset, as Vivado names the pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flop {
    Plain,
    Set,
    Clear,
}

/// A place that a constraint names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    /// `get_ports`, `get_cells` or `get_pins`.
    kind: String,
    name: String,
}

/// All places in a text of constraints, and the words before each line's first one.
fn named(text: &str) -> Vec<(&str, Vec<Named>)> {
    let of_line = |line: &str| {
        let mut found = Vec::new();
        for kind in ["get_ports", "get_cells", "get_pins"] {
            for part in line.split(&format!("[{kind} {{")).skip(1) {
                let names = part.split('}').next().unwrap_or_default().split_whitespace();
                found.extend(names.map(|name| Named { kind: kind.to_owned(), name: name.to_owned() }));
            }
        }
        found
    };
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.map(|line| (line, of_line(line))).collect()
}

/// `name[index]` taken apart.
fn indexed(name: &str) -> (&str, Option<&str>) {
    match name.split_once('[') {
        Some((base, index)) => (base, index.strip_suffix(']')),
        None => (name, None),
    }
}

impl Design {
    /// From the text that `write_json` writes.
    pub fn parse(json: &[u8]) -> Result<Design> {
        let mut whole: Value = serde_json::from_slice(json).context("reading what Yosys wrote")?;
        let modules = whole["modules"].as_object_mut().context("Yosys wrote no modules")?;
        Ok(Design { modules: std::mem::take(modules) })
    }

    fn module(&self, name: &str) -> Option<&Value> {
        self.modules.get(name)
    }

    /// The port's bits, by the names of constraints.
    fn port_bits(&self, top: &str) -> BTreeSet<String> {
        let ports = self.module(top).and_then(|module| module["ports"].as_object());
        let mut all = BTreeSet::new();
        for (name, port) in ports.into_iter().flatten() {
            let bits = port["bits"].as_array().map_or(0, Vec::len);
            if bits == 1 {
                all.insert(name.clone());
            } else {
                all.extend((0..bits).map(|bit| format!("{name}[{bit}]")));
            }
        }
        all
    }

    /// The module that an instance path leads to, and the last name in it.
    fn follow<'a>(&self, top: &str, path: &'a str) -> Option<(&Value, &'a str)> {
        let mut module = self.module(top)?;
        let mut names: Vec<&str> = path.split('/').collect();
        let last = names.pop()?;
        for name in names {
            module = self.module(module["cells"][name]["type"].as_str()?)?;
        }
        Some((module, last))
    }

    /// What kind of register drives all bits of a net, if one does.
    fn flop(module: &Value, net: &str) -> Option<Flop> {
        let bits = module["netnames"][net]["bits"].as_array()?;
        let cells = module["cells"].as_object()?;
        let mut kind = None;
        for bit in bits {
            let driver = cells.values().find(|cell| {
                cell["type"].as_str().is_some_and(|kind| kind.starts_with('$') && kind.contains("dff"))
                    && cell["connections"]["Q"].as_array().is_some_and(|q| q.contains(bit))
            })?;
            let value = driver["parameters"]["ARST_VALUE"].as_str();
            kind = Some(match value {
                None => Flop::Plain,
                Some(value) if value.contains('1') => Flop::Set,
                Some(_) => Flop::Clear,
            });
        }
        kind
    }

    /// Whether a name of cells is that of a register or of an instance.
    fn cell(&self, top: &str, path: &str) -> Option<Flop> {
        let (module, last) = self.follow(top, path)?;
        let (base, _) = indexed(last);
        match base.strip_suffix("_reg") {
            Some(net) => Self::flop(module, net),
            None => module["cells"].get(base).map(|_| Flop::Plain),
        }
    }

    fn has(&self, top: &str, place: &Named) -> bool {
        match place.kind.as_str() {
            "get_ports" => match indexed(&place.name) {
                (base, Some("*")) => self.port_bits(top).contains(&format!("{base}[0]")),
                _ => self.port_bits(top).contains(&place.name),
            },
            "get_cells" => self.cell(top, &place.name).is_some(),
            _ => place.name.rsplit_once('/').is_some_and(|(cell, pin)| {
                let flop = self.cell(top, cell);
                match pin {
                    "PRE" => flop == Some(Flop::Set),
                    "CLR" => flop == Some(Flop::Clear),
                    _ => pin.len() == 1 && flop.is_some(),
                }
            }),
        }
    }

    /// What a text of constraints names that is not in the design, in words.
    pub fn missing(&self, top: &str, file: &str, text: &str) -> Vec<String> {
        let mut lost = BTreeSet::new();
        let mut count = 0;
        for (_, places) in named(text) {
            count += places.len();
            lost.extend(places.into_iter().filter(|place| !self.has(top, place)));
        }
        let words =
            |place: Named| format!("{file}: {} {{{}}} finds nothing in {top}", place.kind, place.name);
        let mut wrong: Vec<String> = lost.into_iter().map(words).collect();
        if count == 0 {
            wrong.push(format!("{file} names nothing of {top}"));
        }
        wrong
    }

    /// Port bits that have no pin or two, and pins that have two port bits, in words.
    pub fn pins(&self, top: &str, text: &str) -> Vec<String> {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut wrong = Vec::new();
        for (line, names) in named(text) {
            let Some(pin) = line.split("PACKAGE_PIN ").nth(1) else { continue };
            let pin = pin.split([' ', '}']).next().unwrap_or_default();
            for place in names {
                places.entry(place.name).or_default().push(pin.to_owned());
            }
        }
        for bit in self.port_bits(top) {
            match places.get(&bit).map_or(0, Vec::len) {
                1 => {}
                count => wrong.push(format!("{bit} has {count} pins")),
            }
        }
        let mut used: BTreeMap<&str, &str> = BTreeMap::new();
        for (bit, pins) in &places {
            for pin in pins {
                if let Some(other) = used.insert(pin, bit) {
                    wrong.push(format!("the pin {pin} is that of {other} and of {bit}"));
                }
            }
        }
        wrong
    }

    /// Whether the bits of an instance's port are those of another's, the last one first; in words where they are not. Instance and
    /// port of each; of the first, as many of its lowest bits as the second has.
    pub fn not_turned(&self, top: &str, first: (&str, &str), second: (&str, &str)) -> Option<String> {
        let bits = |(instance, port): (&str, &str)| -> Option<&Vec<Value>> {
            self.module(top)?["cells"][instance]["connections"][port].as_array()
        };
        let turned = bits(first).zip(bits(second)).is_some_and(|(first, second)| {
            second.len() > 1
                && first.len() >= second.len()
                && first.iter().zip(second.iter().rev()).all(|(a, b)| a == b && a.is_u64())
        });
        let words = || format!("{}.{} is not {}.{}, turned round", first.0, first.1, second.0, second.1);
        (!turned).then(words)
    }

    /// Inputs of a module's instances that nothing drives, and bits of them that are unknown, in words.
    pub fn open_inputs(&self, top: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        let cells = self.module(top).and_then(|module| module["cells"].as_object());
        for (name, cell) in cells.into_iter().flatten() {
            let Some(module) = cell["type"].as_str().and_then(|kind| self.module(kind)) else { continue };
            for (port, told) in module["ports"].as_object().into_iter().flatten() {
                let bits = cell["connections"][port].as_array();
                let known = bits.is_some_and(|bits| !bits.is_empty() && bits.iter().all(|bit| bit != "x"));
                if told["direction"] == "input" && !known {
                    wrong.push(format!("{name}: nothing drives {port}"));
                }
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A top with a register of two bits that is set by its reset, in an instance, and a port of two bits.
    fn design() -> Design {
        let json = json!({"modules": {
            "Top": {
                "ports": {"led": {"direction": "output", "bits": [2, 3]}, "clk": {"direction": "input", "bits": [4]}},
                "cells": {"inner": {"type": "Inner", "connections": {"clk": [4], "go": ["x"]}}},
                "netnames": {}},
            "Inner": {
                "ports": {"clk": {"direction": "input", "bits": [2]}, "go": {"direction": "input", "bits": [9]}},
                "cells": {"$procdff$1": {"type": "$adff", "parameters": {"ARST_VALUE": "11"}, "connections": {"Q": [5, 6]}}},
                "netnames": {"held": {"bits": [5, 6]}, "wire": {"bits": [7]}}}}});
        Design::parse(&serde_json::to_vec(&json).expect("written")).expect("a design")
    }

    #[test]
    fn names_are_found_or_told() {
        let design = design();
        let lost = |text: &str| design.missing("Top", "x.xdc", text);
        for good in [
            "set_property PACKAGE_PIN A1 [get_ports {led[1]}]",
            "set_false_path -to [get_ports {led[*] clk}]",
            "set_false_path -to [get_cells {inner/held_reg[*]}]",
            "set_false_path -to [get_cells {inner}] -from [get_pins {inner/held_reg[0]/PRE}]",
        ] {
            assert_eq!(lost(good), Vec::<String>::new(), "{good}");
        }
        for bad in [
            "x [get_ports {led[2]}]",
            "x [get_ports {led}]",
            "x [get_cells {inner/wire_reg}]",
            "x [get_cells {inner/gone_reg[*]}]",
            "x [get_cells {other/held_reg[*]}]",
            "x [get_pins {inner/held_reg[0]/CLR}]",
            "# [get_ports {led[1]}]",
        ] {
            assert_eq!(lost(bad).len(), 1, "{bad}");
        }
    }

    #[test]
    fn every_port_has_a_pin_of_its_own() {
        let design = design();
        let all = "PACKAGE_PIN A1 [get_ports {led[0]}]\nPACKAGE_PIN A2 [get_ports {led[1]}]\nset -dict {PACKAGE_PIN A3 IOSTANDARD X} [get_ports {clk}]\n";
        assert_eq!(design.pins("Top", all), Vec::<String>::new());
        let wrong = |from: &str, to: &str| design.pins("Top", &all.replace(from, to)).join("; ");
        assert_eq!(wrong("A2", "A1"), "the pin A1 is that of led[0] and of led[1]");
        assert_eq!(wrong("led[1]", "led[0]"), "led[0] has 2 pins; led[1] has 0 pins");
    }

    #[test]
    fn bits_that_are_turned_round_are_told_from_others() {
        let json = json!({"modules": {"Top": {"ports": {}, "netnames": {}, "cells": {
            "a": {"type": "A", "connections": {"out": [7, 8, "0"], "straight": [8, 7], "open": []}},
            "b": {"type": "B", "connections": {"in": [8, 7]}}}}}});
        let design = Design::parse(&serde_json::to_vec(&json).expect("written")).expect("a design");
        assert_eq!(design.not_turned("Top", ("a", "out"), ("b", "in")), None);
        for port in ["straight", "open", "gone"] {
            assert!(design.not_turned("Top", ("a", port), ("b", "in")).is_some(), "{port}");
        }
    }

    #[test]
    fn what_nothing_drives_is_told() {
        assert_eq!(design().open_inputs("Top"), ["inner: nothing drives go"]);
    }
}
