//! What leads from one clock to another in the netlist that was routed: a way may be slow if all are asynchronous resets. nextpnr tells
//! the slowest way of a pair of clocks alone, so that a slow reset hides all others.
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;

#[derive(Deserialize)]
struct Design {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    cells: BTreeMap<String, Cell>,
    netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
struct Net {
    bits: Vec<Bit>,
}

/// A net of one bit, or a constant.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Clone)]
#[serde(untagged)]
enum Bit {
    Net(u64),
    Constant(String),
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    parameters: BTreeMap<String, serde_json::Value>,
    port_directions: BTreeMap<String, String>,
    connections: BTreeMap<String, Vec<Bit>>,
}

/// What it makes are other clocks, and a signal that nextpnr takes for one of no clock.
const PLL: &str = "EHXPLLL";
/// Cells whose outputs are of their inputs at once. LUTRAM is so from its read address on.
const AT_ONCE: [&str; 4] = ["LUT4", "CCU2C", "PFUMX", "L6MUX21"];
const LUTRAM: (&str, &str) = ("TRELLIS_DPR16X4", "RAD");

impl Cell {
    fn bits(&self, direction: &str) -> impl Iterator<Item = (&str, &Bit)> {
        let all = self.connections.iter().filter(move |(port, _)| self.port_directions[*port] == direction);
        all.flat_map(|(port, bits)| bits.iter().map(move |bit| (port.as_str(), bit)))
    }
    fn takes(&self, nets: &BTreeSet<&Bit>) -> bool {
        self.bits("input").any(|(_, bit)| nets.contains(bit))
    }
    fn passes(&self, port: &str) -> bool {
        AT_ONCE.contains(&self.kind.as_str()) || (self.kind.as_str(), port) == LUTRAM
    }
    /// Whether the port resets a flip-flop whatever its clock does.
    fn resets(&self, port: &str) -> bool {
        let mode = self.parameters.get("SRMODE").and_then(|mode| mode.as_str());
        self.kind == "TRELLIS_FF" && port == "LSR" && mode == Some("ASYNC")
    }
}

/// Whether nothing but asynchronous resets of flip-flops leads from one clock to another; clocks are called by the last parts of their
/// nets' names. No where either clock is not there.
pub fn only_resets(netlist: &str, top: &str, from: &str, to: &str) -> Result<bool> {
    let design: Design = serde_json::from_str(netlist).context("Yosys' netlist is not what it was")?;
    let module = design.modules.get(top).with_context(|| format!("no {top} in the netlist"))?;
    let called = |name: &str| -> BTreeSet<&Bit> {
        let named = module.netnames.iter().filter(|(net, _)| net.rsplit('.').next() == Some(name));
        named.flat_map(|(_, net)| &net.bits).collect()
    };
    let (from, to) = (called(from), called(to));
    let mut readers: BTreeMap<&Bit, Vec<(&Cell, &str)>> = BTreeMap::new();
    for cell in module.cells.values() {
        for (port, bit) in cell.bits("input").filter(|(_, bit)| matches!(bit, Bit::Net(_))) {
            readers.entry(bit).or_default().push((cell, port));
        }
    }
    let clocked = module.cells.values().filter(|cell| cell.kind != PLL && cell.takes(&from));
    let mut seen: BTreeSet<&Bit> = clocked.flat_map(|cell| cell.bits("output").map(|(_, bit)| bit)).collect();
    let mut left: Vec<&Bit> = seen.iter().copied().collect();
    let mut resets = false;
    while let Some(bit) = left.pop() {
        // What makes the other clock is no signal to it.
        if to.contains(bit) {
            continue;
        }
        for (cell, port) in readers.get(bit).into_iter().flatten() {
            if cell.passes(port) {
                left.extend(cell.bits("output").map(|(_, bit)| bit).filter(|bit| seen.insert(bit)));
            } else if cell.takes(&to) {
                if !cell.resets(port) {
                    return Ok(false);
                }
                resets = true;
            }
        }
    }
    Ok(resets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flip-flop of clock `a` (net 1) whose output 3 goes through a look-up table to 4, and what is behind that, of clock `b` (net 2).
    fn answer(behind: &str) -> bool {
        let ff = |clock: u32, from: u32, to: u32| {
            format!(
                "{{\"type\":\"TRELLIS_FF\",\"parameters\":{{}},\"port_directions\":{{\"CLK\":\"input\",\"DI\":\"input\",\"Q\":\"output\"}},\
                 \"connections\":{{\"CLK\":[{clock}],\"DI\":[{from}],\"Q\":[{to}]}}}}"
            )
        };
        let netlist = format!(
            "{{\"modules\":{{\"Top\":{{\"netnames\":{{\"x.a\":{{\"bits\":[1]}},\"b\":{{\"bits\":[2]}}}},\"cells\":{{\"first\":{},\"again\":{},\
             \"table\":{{\"type\":\"LUT4\",\"parameters\":{{}},\"port_directions\":{{\"A\":\"input\",\"Z\":\"output\"}},\
             \"connections\":{{\"A\":[3],\"B\":[\"0\"],\"Z\":[4]}}}}{behind}}}}}}}}}",
            ff(1, 9, 3),
            ff(1, 4, 9)
        );
        only_resets(
            &netlist.replace("\"A\":\"input\",\"Z\"", "\"A\":\"input\",\"B\":\"input\",\"Z\""),
            "Top",
            "a",
            "b",
        )
        .expect("a netlist")
    }
    fn behind(kind: &str, mode: &str, ports: &[(&str, u32)]) -> String {
        let list =
            |each: &dyn Fn(&(&str, u32)) -> String| ports.iter().map(each).collect::<Vec<_>>().join(",");
        format!(
            ",\"{kind}{}\":{{\"type\":\"{kind}\",\"parameters\":{{\"SRMODE\":\"{mode}\"}},\"port_directions\":{{{},\"Q\":\"output\"}},\
             \"connections\":{{{},\"Q\":[{}]}}}}",
            ports[1].1,
            list(&|(port, _)| format!("\"{port}\":\"input\"")),
            list(&|(port, net)| format!("\"{port}\":[{net}]")),
            ports[1].1 + 20,
        )
    }

    #[test]
    fn asynchronous_resets_alone_may_be_slow() {
        let reset = behind("TRELLIS_FF", "ASYNC", &[("CLK", 2), ("LSR", 4)]);
        assert!(answer(&reset));
        assert!(!answer(""), "nothing leads to b");
        // The other clock may come of this one.
        let pll = behind("EHXPLLL", "", &[("CLKI", 1), ("RST", 7)]);
        let strobe = behind("DQSBUFM", "", &[("SCLK", 2), ("ECLK", 27)]);
        assert!(answer(&(reset.clone() + &pll + &strobe)));
        assert!(!answer(&behind("TRELLIS_FF", "LSR_OVER_CE", &[("CLK", 2), ("LSR", 4)])));
        assert!(!answer(&behind("TRELLIS_FF", "ASYNC", &[("CLK", 2), ("DI", 4)])));
        // A word beside the reset, from memory of look-up tables that is read by a; what b's memory is written with; a block RAM.
        let read = behind("TRELLIS_DPR16X4", "", &[("WCK", 1), ("RAD", 4)]);
        let word = behind("TRELLIS_FF", "ASYNC", &[("CLK", 2), ("DI", 24)]);
        assert!(answer(&(reset.clone() + &read)) && !answer(&(reset.clone() + &read + &word)));
        assert!(!answer(&(reset.clone() + &behind("TRELLIS_DPR16X4", "", &[("WCK", 2), ("WAD", 4)]))));
        assert!(!answer(&(reset + &behind("DP16KD", "", &[("CLKA", 2), ("ADA0", 4)]))));
    }
}
