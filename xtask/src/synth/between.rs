//! Registers of the core's top that belong to none of its components: pipes between them.
use std::collections::{BTreeMap, HashSet};

use anyhow::Result;

use super::netlist::{Class, Module, class, is_input, net};
use super::verilog::words;

/// The registers that the text of a module declares itself, each with what stands behind it: the component whose output it takes, or its own
/// name.
fn declared(text: &str) -> BTreeMap<&str, String> {
    let mut instances = Vec::new();
    let mut registers = BTreeMap::new();
    let own = text.split_inclusive("\nendmodule").next().unwrap_or_default();
    for line in own.lines() {
        let mut words = words(line);
        match (words.next(), words.next()) {
            (Some("reg"), _) => {
                let name = line.rsplit(' ').next().unwrap_or_default().trim_end_matches(';');
                registers.insert(name, name.to_owned());
            }
            (Some(kind), Some(instance)) if line.trim_end().ends_with(" (") && kind != "module" => {
                instances.push(instance);
            }
            // name <= component_port…;
            (Some(name), Some(source)) if line.contains("<=") => {
                let taken = instances
                    .iter()
                    .filter(|i| source.strip_prefix(**i).is_some_and(|port| port.starts_with("_io_")));
                if let (Some(behind), Some(from)) = (registers.get_mut(name), taken.max_by_key(|i| i.len())) {
                    *behind = format!("pipe behind {from}");
                }
            }
            _ => {}
        }
    }
    registers
}

/// Flip-flops of a flat module that hold registers which `text`, its own before it was flattened, declares outside its components; by what
/// they stand behind. A flip-flop of a component drives wires of the top, never one of its registers.
pub fn own(module: &Module, text: &str) -> Result<BTreeMap<String, u32>> {
    let declared = declared(text);
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    for (name, entry) in &module.netnames {
        if let Some(behind) = declared.get(name.as_str()) {
            names.extend(entry.bits.iter().filter_map(net).map(|number| (number, behind.as_str())));
        }
    }
    let mut counted = BTreeMap::new();
    let mut seen = HashSet::new();
    for cell in module.cells.values() {
        if class(&cell.kind)? != Class::FlipFlop {
            continue;
        }
        let outputs = cell.connections.iter().filter(|(port, _)| !is_input(cell, port));
        for number in outputs.flat_map(|(_, bits)| bits).filter_map(net) {
            if let Some(behind) = names.get(&number).filter(|_| seen.insert(number)) {
                *counted.entry((*behind).to_owned()).or_default() += 1;
            }
        }
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::super::netlist::Design;
    use super::*;

    const TOP: &str = "module Top (\n  input clk\n);\n  wire [1:0] a_io_out;\n  reg        [1:0]    pipe_rData;\n  reg                 lone;\n\n  A a (\n    .io_out (a_io_out[1:0])\n  );\n  \
        always @(posedge clk) begin\n    pipe_rData <= a_io_out;\n    lone <= (! lone);\n  end\nendmodule\nmodule A (\n);\n  reg pipe_x;\nendmodule\n";

    #[test]
    fn a_register_of_the_top_is_known_by_the_component_before_it() {
        let expected = [("lone", "lone"), ("pipe_rData", "pipe behind a")];
        assert_eq!(declared(TOP), expected.map(|(name, behind)| (name, behind.to_owned())).into());
    }

    #[test]
    fn flip_flops_of_components_do_not_count() {
        // 10 and 11: the pipe; 12: the lone one; 13: of the component, on a wire of the top.
        let cell = |number: u32| {
            format!(
                "\"c{number}\":{{\"type\":\"FDRE\",\"port_directions\":{{\"Q\":\"output\",\"D\":\"input\"}},\"connections\":{{\"Q\":[{number}],\"D\":[10]}}}}"
            )
        };
        let name = |name: &str, bits: &str| format!("\"{name}\":{{\"bits\":{bits}}}");
        let cells = [10, 11, 12, 13].map(cell).join(",");
        let names = [
            name("pipe_rData", "[10,11]"),
            name("lone", "[12]"),
            name("a_io_out", "[13]"),
            name("a.pipe_x", "[13]"),
        ];
        let json = format!(
            "{{\"modules\":{{\"Top\":{{\"cells\":{{{cells}}},\"netnames\":{{{}}}}}}}}}",
            names.join(",")
        );
        let design = Design::parse(json.as_bytes()).unwrap();
        let found = own(design.module("Top").unwrap(), TOP).unwrap();
        assert_eq!(
            found,
            [("lone", 1), ("pipe behind a", 2)].map(|(name, count)| (name.to_owned(), count)).into()
        );
    }
}
