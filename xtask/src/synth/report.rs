//! The table, for the terminal and for the documentation.
use anyhow::{Context, Result};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use super::components::{BRAM36S, DSPS, FFS, GROUPS, Group, LUTS, URAMS, percent, share};
use super::levels::{Levels, Tenths};
use super::netlist::Area;
use super::record::Record;
use super::record_top;
use super::yosys::Figures;

const HEAD: [&str; 11] =
    ["", "LUT", "%", "as memory", "FF", "carry", "BRAM36", "URAM", "DSP", "levels", "levels to ports"];

fn levels(tenths: Tenths) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn cells(name: &str, figures: &Figures) -> Vec<String> {
    let Area { lut, lut_as_memory, ff, carry, bram36, uram, dsp } = figures.area;
    vec![
        name.to_owned(),
        lut.to_string(),
        percent(share(lut, LUTS)),
        lut_as_memory.to_string(),
        ff.to_string(),
        carry.to_string(),
        bram36.to_string(),
        uram.to_string(),
        dsp.to_string(),
        levels(figures.levels.registers),
        levels(figures.levels.ports),
    ]
}

/// Numbers of an area in the order of the head's columns; those of memories in halves, so that all are whole.
fn numbers(area: &Area) -> [i64; 7] {
    let Area { lut, lut_as_memory, ff, carry, bram36, uram, dsp } = *area;
    [
        lut.into(),
        lut_as_memory.into(),
        ff.into(),
        carry.into(),
        (bram36 * 2.0) as i64,
        uram.into(),
        dsp.into(),
    ]
}

/// What the whole core takes beyond the sum of its components, which may be less than nothing.
fn difference(record: &Record, instances: &[&str]) -> Result<[i64; 7]> {
    let core = &record.components.get(&record_top()).context("the whole core was not synthesised")?.figures;
    let mut left = numbers(&core.area);
    for instance in instances {
        let of = record.components.get(*instance).with_context(|| format!("no figures of {instance}"))?;
        for (left, part) in left.iter_mut().zip(numbers(&of.figures.area)) {
            *left -= part;
        }
    }
    Ok(left)
}

/// The last rows of the components' table: with them its columns sum up to the whole core.
fn rest(record: &Record, instances: &[&str]) -> Result<Rows> {
    let [lut, memory, ff, carry, bram, uram, dsp] = difference(record, instances)?;
    let share = if lut < 0 { "–".to_owned() } else { percent(share(lut as u32, LUTS)) };
    let none = || "–".to_owned();
    let counts = [memory, ff, carry].map(|n| n.to_string());
    let mut between = vec!["*between components*".to_owned(), lut.to_string(), share];
    between.extend(counts);
    between.extend([(bram as f64 / 2.0).to_string(), uram.to_string(), dsp.to_string(), none(), none()]);
    let core = &record.components[&record_top()].figures;
    Ok(vec![between, cells("*whole core*", core)])
}

/// What the flip-flops between components are.
fn between(record: &Record, instances: &[&str]) -> Result<Rows> {
    let [_, _, ff, ..] = difference(record, instances)?;
    let own = &record.components[&record_top()].figures.between;
    let mut rows: Rows =
        own.iter().map(|(name, count)| vec![format!("`{name}`"), count.to_string()]).collect();
    let named: u32 = own.values().sum();
    rows.push(vec![
        "components that share or lose flip-flops once they are flattened together, or get copies".to_owned(),
        (ff - i64::from(named)).to_string(),
    ]);
    Ok(rows)
}

/// A group's figures: areas add up, paths do not.
fn group(record: &Record, instances: &[&str], group: &Group) -> Result<Figures> {
    if group.modules.is_empty() {
        let core = record.components.get(&record_top()).context("the whole core was not synthesised")?;
        return Ok(core.figures.clone());
    }
    let mut sum = Figures::default();
    for module in group.modules {
        let count = instances.iter().filter(|i| *i == module).count();
        let figures =
            &record.components.get(*module).with_context(|| format!("no figures of {module}"))?.figures;
        (0..count).for_each(|_| sum.area += figures.area);
        sum.levels.registers = sum.levels.registers.max(figures.levels.registers);
        sum.levels.ports = sum.levels.ports.max(figures.levels.ports);
    }
    Ok(sum)
}

type Rows = Vec<Vec<String>>;

/// Rows of both tables: components, then groups with their goals.
fn rows(record: &Record, instances: &[&str]) -> Result<(Rows, Rows)> {
    let components = record.components.iter().filter(|(name, _)| **name != record_top());
    let mut components: Rows = components.map(|(name, entry)| cells(name, &entry.figures)).collect();
    components.extend(rest(record, instances)?);
    let mut groups = Vec::new();
    for goal in GROUPS {
        let figures = group(record, instances, goal)?;
        let misses = goal.misses(&figures);
        let mut row = cells(goal.name, &figures);
        row.push(goal.goal());
        row.push(if misses.is_empty() { "met".to_owned() } else { format!("missed: {}", misses.join(", ")) });
        row.push(goal.clio.unwrap_or("–").to_owned());
        groups.push(row);
    }
    Ok((components, groups))
}

fn group_head() -> Vec<&'static str> {
    [&HEAD[..], &["goal", "", "Clio"]].concat()
}

/// For the terminal.
pub fn table(record: &Record, instances: &[&str]) -> Result<String> {
    let (components, groups) = rows(record, instances)?;
    let draw = |head: &[&str], rows: Rows| {
        let mut table = Table::new();
        table.load_preset(UTF8_FULL_CONDENSED).set_header(head).add_rows(rows);
        for column in table.column_iter_mut().take(HEAD.len()).skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string()
    };
    Ok(format!("{}\n{}", draw(&HEAD, components), draw(&group_head(), groups)))
}

/// One module with its longest paths, net by net.
pub fn one(name: &str, figures: &Figures) -> String {
    let mut text: String = HEAD.iter().zip(cells(name, figures)).map(|(h, c)| format!("{h} {c}  ")).collect();
    let Levels { path, port_path, .. } = &figures.levels;
    for (title, path) in [("between registers", path), ("from or to a port", port_path)] {
        text.push_str(&format!("\n{title}"));
        for (at, net) in path {
            text.push_str(&format!("\n{:>6}  {net}", levels(*at)));
        }
    }
    text
}

fn markdown_table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.to_vec());
    let figures = head.len().min(HEAD.len());
    text += &format!("|---|{}\n", "---:|".repeat(figures - 1) + &"---|".repeat(head.len() - figures));
    rows.iter().for_each(|r| text += &line(r.iter().map(String::as_str).collect()));
    text
}

/// The page of the documentation.
pub fn markdown(record: &Record, instances: &[&str]) -> Result<String> {
    let (components, groups) = rows(record, instances)?;
    let mut text = format!(
        "# Area and logic levels\n\n\
        Written by `cargo xtask synth`, beside [area.json](area.json); `cargo xtask test` fails when a component has grown by more than 5% in LUT, FF or carry since, \
        or at all in memories or in its longest path.\n\n\
        {yosys}, `synth_xilinx -family xcup -uram -flatten -noiopad` with `synth_xilinx.abc9.W` 5000, so that the mapper minimises levels rather than its own delays, on `hw/rtl/{top}.v`: each component by itself, and the whole core flattened. \
        **No place and route: a clock frequency is not measured.** The ZCU106's device, xczu7ev, has {LUTS} LUT, {FFS} FF, {BRAM36S} BRAM36, {URAMS} URAM, {DSPS} DSP.\n\n\
        - *LUT*: LUT1 to LUT6 and the inverters that are left, and the LUTs used as memory (RAM64M8 and RAM32M16 count 8, RAM64M 4, SRL 1), which *as memory* repeats. % is of the device, rounded up.\n\
        - *carry*: CARRY4. *BRAM36*: two RAMB18 are one.\n\
        - *levels*: the longest path between registers, in a walk of our own over the netlist: LUT 1, MUXF 0.5, the first carry of a chain 1 and each next 0.1, a read of LUTRAM or SRL 1, the way from the clock to the output of an UltraRAM 1. \
        Flip-flops, block RAM and UltraRAM begin and end paths, enables and resets included. *levels to ports*: the longest path from or to a port of the component; what lies beyond is in the whole core.\n\n",
        yosys = record.yosys,
        top = record_top(),
    );
    text += "## Goals\n\n";
    text += &markdown_table(&group_head(), &groups);
    text += "\nThe goals are those of the architecture. A group's area is the sum of its components; *network stack* is ingress with the header parser, dispatch, slow port, and the response builder with egress. \
        Clio: figure 22 of its paper, shares of a device with 504K logic cells and 4.75 MB of block memory. What is around the core on the ZCU106, and its area: [the board's top](../zcu106.md#6-figures).\n";
    text += "\n## Components\n\n";
    text += &markdown_table(&HEAD, &components);
    text += "\n*Between components*: what the whole core, flattened, takes beyond the sum of its components, so that the columns add up. Look-up tables may be fewer than nothing there: \
        flattened together, components share some. Its flip-flops, by what they stand behind in the core's top:\n\n";
    text += &markdown_table(&["", "FF"], &between(record, instances)?);
    text += "\n## Longest paths\n\n| | levels | from | to |\n|---|---:|---|---|\n";
    for (name, entry) in &record.components {
        if let [(_, from), (tenths, to)] = &entry.figures.levels.path[..] {
            text += &format!("| {name} | {} | `{from}` | `{to}` |\n", levels(*tenths));
        }
    }
    Ok(text)
}
