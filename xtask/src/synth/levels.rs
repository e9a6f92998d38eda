//! The longest path of a flat netlist in logic levels: a look-up table 1, MUXF 0.5, the first carry of a chain 1 and each next 0.1, the read of
//! LUTRAM or of a shift register 1. Flip-flops and clocked memories end and begin paths. Wires cost nothing: this is no timing analysis.
use std::collections::HashMap;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::netlist::{Bit, Cell, Class, Module, class};

/// Tenths of a level.
pub type Tenths = u32;
const LUT: Tenths = 10;
const MUX: Tenths = 5;
const CARRY: Tenths = 10;
const NEXT_CARRY: Tenths = 1;

/// The longest paths of a module.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Levels {
    /// Between registers, in tenths of a level.
    pub registers: Tenths,
    /// From or to a port of the module, in tenths.
    pub ports: Tenths,
    /// The nets along the longest path between registers, with the tenths at each, and the cell where it ends.
    pub path: Vec<(Tenths, String)>,
}

/// Where a path begins.
#[derive(Clone, Copy)]
enum From {
    Register = 0,
    Port = 1,
}

/// The latest a bit can change, by where the path begins, with the bit before it.
type Arrival = [Option<(Tenths, Option<u32>)>; 2];

struct Walker<'a> {
    /// Cell, port and place in the port that drives a net; none for the module's own ports.
    drivers: HashMap<u32, (&'a Cell, Class, &'a str, usize)>,
    inputs: std::collections::HashSet<u32>,
    known: HashMap<u32, Option<Arrival>>,
}

impl Levels {
    /// Walks all paths of a flat module; a combinational loop is an error.
    pub fn of(module: &Module) -> Result<Levels> {
        let mut walker =
            Walker { drivers: HashMap::new(), inputs: Default::default(), known: HashMap::new() };
        for port in module.ports.values().filter(|p| p.direction != "output") {
            walker.inputs.extend(port.bits.iter().filter_map(net));
        }
        for cell in module.cells.values() {
            let class = class(&cell.kind)?;
            for (port, bits) in &cell.connections {
                if cell.port_directions.get(port).is_some_and(|d| d == "output") {
                    for (i, number) in bits.iter().enumerate().filter_map(|(i, b)| Some((i, net(b)?))) {
                        walker.drivers.insert(number, (cell, class, port, i));
                    }
                }
            }
        }
        let mut levels = Levels::default();
        let mut worst: Option<(u32, &Cell, &str)> = None;
        for cell in module.cells.values() {
            if matches!(class(&cell.kind)?, Class::Lut | Class::Mux | Class::Carry | Class::Free) {
                continue;
            }
            for (port, bits) in cell.connections.iter().filter(|(p, _)| is_input(cell, p) && !is_clock(p)) {
                for number in bits.iter().filter_map(net) {
                    let arrival = walker.arrival(number)?;
                    if let Some((t, _)) = arrival[From::Register as usize]
                        && (worst.is_none() || t > levels.registers)
                    {
                        levels.registers = t;
                        worst = Some((number, cell, port));
                    }
                    let from_port = arrival[From::Port as usize].map_or(0, |(t, _)| t);
                    levels.ports = levels.ports.max(from_port);
                }
            }
        }
        for port in module.ports.values().filter(|p| p.direction == "output") {
            for number in port.bits.iter().filter_map(net) {
                let arrival = walker.arrival(number)?;
                levels.ports = arrival.iter().flatten().map(|(t, _)| *t).fold(levels.ports, Tenths::max);
            }
        }
        if let Some((number, cell, port)) = worst {
            let names = Names::of(module);
            levels.path = walker.path(number, &names)?;
            levels.path.push((levels.registers, format!("{port} of {}", names.of_cell(cell))));
        }
        Ok(levels)
    }
}

fn net(bit: &Bit) -> Option<u32> {
    match bit {
        Bit::Net(number) => Some(*number),
        Bit::Constant => None,
    }
}

fn is_input(cell: &Cell, port: &str) -> bool {
    cell.port_directions.get(port).is_some_and(|d| d != "output")
}

/// Clock inputs of the registers and memories that [`class`] knows.
fn is_clock(port: &str) -> bool {
    matches!(port, "C" | "CLK") || port.ends_with("CLK")
}

impl<'a> Walker<'a> {
    fn arrival(&mut self, number: u32) -> Result<Arrival> {
        match self.known.get(&number) {
            Some(Some(arrival)) => return Ok(*arrival),
            Some(None) => bail!("a combinational loop through net {number}"),
            None => {}
        }
        self.known.insert(number, None);
        let arrival = self.compute(number)?;
        self.known.insert(number, Some(arrival));
        Ok(arrival)
    }

    fn compute(&mut self, number: u32) -> Result<Arrival> {
        if self.inputs.contains(&number) {
            return Ok([None, Some((0, None))]);
        }
        let Some(&(cell, class, port, place)) = self.drivers.get(&number) else {
            bail!("nothing drives net {number}");
        };
        let mut arrival: Arrival = match class {
            // Whether it is clocked depends on its parameters. The core has none; whoever adds one weighs it here.
            Class::Dsp => {
                bail!("a multiplier ({}) on a path: its levels are not known to this task", cell.kind)
            }
            Class::FlipFlop | Class::BlockRam(_) | Class::UltraRam => return Ok([Some((0, None)), None]),
            // The stored word itself appears through the same multiplexer as after a new address.
            Class::LutRam(_) | Class::Shift => [Some((LUT, None)), None],
            Class::Lut | Class::Mux | Class::Carry | Class::Free => [None, None],
        };
        for (input, bits) in cell.connections.iter().filter(|(p, _)| is_input(cell, p)) {
            for (i, before) in bits.iter().enumerate().filter_map(|(i, b)| Some((i, net(b)?))) {
                let Some(cost) = self.arc(class, (input, i, before), (port, place)) else { continue };
                for (latest, earlier) in arrival.iter_mut().zip(self.arrival(before)?) {
                    let Some((t, _)) = earlier else { continue };
                    if latest.is_none_or(|(l, _)| t + cost > l) {
                        *latest = Some((t + cost, Some(before)));
                    }
                }
            }
        }
        Ok(arrival)
    }

    /// What the way from an input bit of a cell to an output bit costs, if there is one.
    fn arc(&self, class: Class, from: (&str, usize, u32), to: (&str, usize)) -> Option<Tenths> {
        let (input, i, before) = from;
        let (output, place) = to;
        match class {
            Class::Lut => Some(LUT),
            Class::Mux => Some(MUX),
            Class::Free => Some(0),
            Class::Carry if input == "CI" => {
                let chained =
                    self.drivers.get(&before).is_some_and(|(_, c, p, _)| *c == Class::Carry && *p == "CO");
                Some(if chained { NEXT_CARRY } else { CARRY })
            }
            // A sum bit does not depend on its own DI, nor on what lies above it.
            Class::Carry if input == "DI" && output == "O" => (i < place).then_some(CARRY),
            Class::Carry if input == "CYINIT" => Some(CARRY),
            Class::Carry => (i <= place).then_some(CARRY),
            Class::LutRam(_) | Class::Shift => reads(input, output).then_some(LUT),
            Class::FlipFlop | Class::BlockRam(_) | Class::UltraRam | Class::Dsp => None,
        }
    }

    /// The nets on the way to `last`, from its register on.
    fn path(&mut self, last: u32, names: &Names) -> Result<Vec<(Tenths, String)>> {
        let mut path = Vec::new();
        let mut at = Some(last);
        while let Some(number) = at {
            let Some((t, before)) = self.arrival(number)?[From::Register as usize] else { break };
            path.push((t, names.of_net(number)));
            at = before;
        }
        path.reverse();
        Ok(path)
    }
}

/// The best name of each net: the source's before those of Yosys, and of these the shortest.
struct Names<'a>(HashMap<u32, (u8, &'a str, usize)>);

impl<'a> Names<'a> {
    fn of(module: &'a Module) -> Names<'a> {
        let mut names: HashMap<u32, (u8, &str, usize)> = HashMap::new();
        for (name, entry) in &module.netnames {
            for (i, number) in entry.bits.iter().enumerate().filter_map(|(i, b)| Some((i, net(b)?))) {
                let candidate = (entry.hide_name, name.as_str(), i);
                let best = names.entry(number).or_insert(candidate);
                if (candidate.0, candidate.1.len()) < (best.0, best.1.len()) {
                    *best = candidate;
                }
            }
        }
        Names(names)
    }

    fn of_net(&self, number: u32) -> String {
        self.0.get(&number).map_or_else(|| format!("net {number}"), |(_, name, i)| format!("{name}[{i}]"))
    }

    /// A register or memory is known by what it drives.
    fn of_cell(&self, cell: &Cell) -> String {
        let outputs = cell.connections.iter().filter(|(p, _)| !is_input(cell, p));
        match outputs.flat_map(|(_, bits)| bits).find_map(net) {
            Some(number) => self.of_net(number),
            None => format!("a {} without outputs", cell.kind),
        }
    }
}

/// Whether an address port of a LUTRAM or shift register selects what an output shows.
fn reads(input: &str, output: &str) -> bool {
    match output.strip_prefix("DO") {
        // RAM64M and its like: port A to H, each with its own address.
        Some(letter) if !letter.is_empty() => input == format!("ADDR{letter}"),
        _ => match output {
            "DPO" => input.starts_with("DPRA"),
            "SPO" | "O" | "Q" => input.starts_with('A'),
            _ => false,
        },
    }
}
