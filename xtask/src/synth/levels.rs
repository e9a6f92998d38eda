//! The longest path of a flat netlist in logic levels: a look-up table 1, MUXF 0.5, the first carry of a chain 1 and each next 0.1, the read of
//! LUTRAM or of a shift register 1. Flip-flops and clocked memories end and begin paths, an UltraRAM with 1 for its way from the clock to its output. Wires cost nothing: this is no timing analysis.
use std::collections::HashMap;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::netlist::{Cell, Class, Module, Names, class, is_input, net};

/// Tenths of a level.
pub type Tenths = u32;
const LUT: Tenths = 10;
const MUX: Tenths = 5;
const CARRY: Tenths = 10;
const NEXT_CARRY: Tenths = 1;
/// From the clock to the output of an UltraRAM, which takes several times as long as that of a flip-flop.
const ULTRA_RAM: Tenths = 10;

/// The longest paths of a module.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Levels {
    /// Between registers, in tenths of a level.
    pub registers: Tenths,
    /// From or to a port of the module, in tenths.
    pub ports: Tenths,
    /// The nets along the longest path between registers, with the tenths at each, and the cell where it ends.
    pub path: Vec<(Tenths, String)>,
    /// The same for [`Levels::ports`].
    pub port_path: Vec<(Tenths, String)>,
}

/// A longest path so far: where it ends, in words, and the class of its beginning.
struct Longest {
    tenths: Tenths,
    net: u32,
    from: From,
    end: String,
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
        let names = Names::of(module);
        let (mut registers, mut ports): (Option<Longest>, Option<Longest>) = (None, None);
        for cell in module.cells.values() {
            if matches!(class(&cell.kind)?, Class::Lut | Class::Mux | Class::Carry | Class::Free) {
                continue;
            }
            for (port, bits) in cell.connections.iter().filter(|(p, _)| is_input(cell, p) && !is_clock(p)) {
                for number in bits.iter().filter_map(net) {
                    let end = || format!("{port} of {}", names.of_cell(cell));
                    walker.end(&mut registers, number, From::Register, end)?;
                    walker.end(&mut ports, number, From::Port, end)?;
                }
            }
        }
        for (name, port) in module.ports.iter().filter(|(_, p)| p.direction == "output") {
            for number in port.bits.iter().filter_map(net) {
                walker.end(&mut ports, number, From::Register, || format!("port {name}"))?;
                walker.end(&mut ports, number, From::Port, || format!("port {name}"))?;
            }
        }
        let (registers, path) = walker.trace(registers, &names)?;
        let (ports, port_path) = walker.trace(ports, &names)?;
        Ok(Levels { registers, ports, path, port_path })
    }
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
            Class::FlipFlop | Class::BlockRam(_) => return Ok([Some((0, None)), None]),
            Class::UltraRam => return Ok([Some((ULTRA_RAM, None)), None]),
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

    /// Notes the path that ends at this net, if it is longer than the longest so far.
    fn end(
        &mut self,
        longest: &mut Option<Longest>,
        net: u32,
        from: From,
        end: impl Fn() -> String,
    ) -> Result<()> {
        if let Some((tenths, _)) = self.arrival(net)?[from as usize]
            && longest.as_ref().is_none_or(|l| tenths > l.tenths)
        {
            *longest = Some(Longest { tenths, net, from, end: end() });
        }
        Ok(())
    }

    /// The length of a path, and the nets on its way.
    fn trace(&mut self, longest: Option<Longest>, names: &Names) -> Result<(Tenths, Vec<(Tenths, String)>)> {
        let Some(longest) = longest else { return Ok((0, Vec::new())) };
        let mut path = vec![(longest.tenths, longest.end)];
        let mut at = Some(longest.net);
        while let Some(number) = at {
            let Some((t, before)) = self.arrival(number)?[longest.from as usize] else { break };
            path.push((t, names.of_net(number)));
            at = before;
        }
        path.reverse();
        Ok((longest.tenths, path))
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
