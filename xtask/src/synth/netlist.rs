//! A mapped netlist as Yosys writes it (`write_json`), and what its cells cost on an UltraScale+ device.
use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// One bit of a connection: a net by number, or a constant.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(from = "BitText")]
pub enum Bit {
    Net(u32),
    Constant,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum BitText {
    Net(u32),
    Constant(serde::de::IgnoredAny),
}

impl From<BitText> for Bit {
    fn from(text: BitText) -> Bit {
        match text {
            BitText::Net(number) => Bit::Net(number),
            BitText::Constant(_) => Bit::Constant,
        }
    }
}

/// A design; after flattening it has one module.
#[derive(Deserialize)]
pub struct Design {
    pub modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
pub struct Module {
    #[serde(default)]
    pub ports: BTreeMap<String, Port>,
    #[serde(default)]
    pub cells: BTreeMap<String, Cell>,
    #[serde(default)]
    pub netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
pub struct Port {
    pub direction: String,
    pub bits: Vec<Bit>,
}

#[derive(Deserialize)]
pub struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub parameters: Parameters,
    #[serde(default)]
    pub port_directions: BTreeMap<String, String>,
    pub connections: BTreeMap<String, Vec<Bit>>,
}

/// The parameters that matter here: those of memories before mapping.
#[derive(Deserialize, Default)]
#[serde(rename_all = "UPPERCASE", default)]
pub struct Parameters {
    pub size: Option<String>,
    pub width: Option<String>,
    pub memid: Option<String>,
}

#[derive(Deserialize)]
pub struct Net {
    #[serde(default)]
    pub hide_name: u8,
    pub bits: Vec<Bit>,
}

impl Design {
    /// Reads a netlist.
    pub fn parse(json: &[u8]) -> Result<Design> {
        serde_json::from_slice(json).context("reading the netlist")
    }

    /// The module called `name`.
    pub fn module(&self, name: &str) -> Result<&Module> {
        self.modules.get(name).with_context(|| format!("the netlist has no module {name}"))
    }
}

/// The number of a bit that is no constant.
pub fn net(bit: &Bit) -> Option<u32> {
    match bit {
        Bit::Net(number) => Some(*number),
        Bit::Constant => None,
    }
}

/// Whether a port of a cell takes something in.
pub fn is_input(cell: &Cell, port: &str) -> bool {
    cell.port_directions.get(port).is_some_and(|d| d != "output")
}

/// The best name of each net: the source's before those of Yosys, and of these the shortest.
pub struct Names<'a>(HashMap<u32, (u8, &'a str, usize)>);

impl<'a> Names<'a> {
    /// Names of a module.
    pub fn of(module: &'a Module) -> Names<'a> {
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

    /// The name of one bit.
    pub fn of_net(&self, number: u32) -> String {
        self.0.get(&number).map_or_else(|| format!("net {number}"), |(_, name, i)| format!("{name}[{i}]"))
    }

    /// A register or memory is known by what it drives.
    pub fn of_cell(&self, cell: &Cell) -> String {
        let outputs = cell.connections.iter().filter(|(p, _)| !is_input(cell, p));
        match outputs.flat_map(|(_, bits)| bits).find_map(net) {
            Some(number) => self.of_net(number),
            None => format!("a {} without outputs", cell.kind),
        }
    }
}

/// What a cell is, for counting and for paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A look-up table; an inverter that Yosys left is one as well.
    Lut,
    /// The multiplexers behind look-up tables cost no look-up table.
    Mux,
    Carry,
    FlipFlop,
    /// Look-up tables used as memory that is read without a clock, and how many.
    LutRam(u32),
    /// A look-up table used as a shift register.
    Shift,
    /// Block RAM in halves.
    BlockRam(u32),
    UltraRam,
    /// A multiplier.
    Dsp,
    /// Clock buffers, and notes of Yosys about what it flattened.
    Free,
}

/// The class of a cell type. Types that nobody has weighed are refused, lest a path or an area go uncounted.
pub fn class(kind: &str) -> Result<Class> {
    Ok(match kind {
        "LUT1" | "LUT2" | "LUT3" | "LUT4" | "LUT5" | "LUT6" | "LUT6_2" | "INV" => Class::Lut,
        "MUXF7" | "MUXF8" | "MUXF9" => Class::Mux,
        "CARRY4" | "CARRY8" => Class::Carry,
        "FDRE" | "FDSE" | "FDCE" | "FDPE" => Class::FlipFlop,
        "RAM32X1S" | "RAM64X1S" => Class::LutRam(1),
        "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => Class::LutRam(2),
        "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" => Class::LutRam(4),
        "RAM32M16" | "RAM64M8" | "RAM256X1D" | "RAM512X1S" => Class::LutRam(8),
        "SRL16E" | "SRLC16E" | "SRLC32E" => Class::Shift,
        "RAMB18E2" => Class::BlockRam(1),
        "RAMB36E2" => Class::BlockRam(2),
        "URAM288" | "URAM288_BASE" => Class::UltraRam,
        "DSP48E2" => Class::Dsp,
        "BUFG" | "$scopeinfo" => Class::Free,
        _ => bail!("a cell of type {kind}: its area and its levels are not known to this task"),
    })
}

/// Area of a module. Block RAM in units of 36 Kbit; look-up tables include those used as memory and shift registers.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
pub struct Area {
    pub lut: u32,
    pub lut_as_memory: u32,
    pub ff: u32,
    pub carry: u32,
    pub bram36: f64,
    pub uram: u32,
    pub dsp: u32,
}

impl Area {
    /// Counts the cells of a flat module.
    pub fn of(module: &Module) -> Result<Area> {
        let mut area = Area::default();
        for cell in module.cells.values() {
            match class(&cell.kind)? {
                Class::Lut => area.lut += 1,
                Class::LutRam(luts) => {
                    area.lut += luts;
                    area.lut_as_memory += luts;
                }
                Class::Shift => {
                    area.lut += 1;
                    area.lut_as_memory += 1;
                }
                Class::Carry => area.carry += 1,
                Class::FlipFlop => area.ff += 1,
                Class::BlockRam(halves) => area.bram36 += f64::from(halves) / 2.0,
                Class::UltraRam => area.uram += 1,
                Class::Dsp => area.dsp += 1,
                Class::Mux | Class::Free => {}
            }
        }
        Ok(area)
    }
}

impl std::ops::AddAssign for Area {
    fn add_assign(&mut self, other: Area) {
        self.lut += other.lut;
        self.lut_as_memory += other.lut_as_memory;
        self.ff += other.ff;
        self.carry += other.carry;
        self.bram36 += other.bram36;
        self.uram += other.uram;
        self.dsp += other.dsp;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(kinds: &[&str]) -> Module {
        let cell = |kind: &&str| Cell {
            kind: kind.to_string(),
            parameters: Parameters::default(),
            port_directions: BTreeMap::new(),
            connections: BTreeMap::new(),
        };
        let cells = kinds.iter().enumerate().map(|(i, kind)| (i.to_string(), cell(kind))).collect();
        Module { ports: BTreeMap::new(), cells, netnames: BTreeMap::new() }
    }

    #[test]
    fn each_kind_is_counted_where_it_belongs() {
        let kinds = ["LUT6", "INV", "RAM64M8", "SRL16E", "MUXF7", "CARRY4", "FDRE", "FDSE", "BUFG"];
        let memories = ["RAMB36E2", "RAMB18E2", "URAM288", "DSP48E2"];
        let area = Area::of(&module(&[&kinds[..], &memories[..]].concat())).unwrap();
        let expected = Area { lut: 11, lut_as_memory: 9, ff: 2, carry: 1, bram36: 1.5, uram: 1, dsp: 1 };
        assert_eq!(area, expected);
    }

    #[test]
    fn a_cell_of_unknown_weight_is_refused() {
        assert!(Area::of(&module(&["FDRE", "PS8"])).is_err());
    }
}
