//! The parts of the board for which there is a goal or a figure of Clio's, and the device.
use anyhow::{Result, bail};

use super::yosys::Figures;

/// The configuration that is synthesised.
pub const CONFIGURATION: &str = "zcu106";

/// Resources of the xczu7ev.
pub const LUTS: u32 = 230_400;
pub const FFS: u32 = 460_800;
pub const BRAM36S: u32 = 312;
pub const URAMS: u32 = 96;
pub const DSPS: u32 = 1_728;

/// No path between registers is to be longer, in tenths of a level.
pub const LEVELS_GOAL: u32 = 90;

/// Modules that only put components together, and do not count as one.
pub const ASSEMBLIES: &[&str] = &["AccessEngine"];

/// Components that a goal puts together.
pub struct Group {
    pub name: &'static str,
    /// Modules of the top's instances; none: the whole core, flattened.
    pub modules: &'static [&'static str],
    /// Most look-up tables, in hundredths of a percent of the device.
    pub lut: Option<u32>,
    pub bram: Option<u32>,
    pub uram: Option<u32>,
    /// Clio's figures (paper, figure 22), share of its device's logic and of its block memory.
    pub clio: Option<&'static str>,
}

/// Groups with their goals (docs/reference/figures/area.md says where these come from).
pub const GROUPS: &[Group] = &[
    Group {
        name: "virtual memory",
        modules: &["Translation"],
        lut: Some(275),
        bram: Some(0),
        uram: None,
        clio: Some("VirtMem: 5.5% LUT, 3% BRAM"),
    },
    Group {
        name: "network stack",
        // Egress lies within the response builder.
        modules: &["Ingress", "Dispatch", "SlowPort", "ResponseBuilder"],
        lut: Some(180),
        bram: Some(0),
        uram: Some(0),
        clio: Some("NetStack: 2.3% LUT, 1.7% BRAM"),
    },
    Group {
        name: "retry filter",
        modules: &["RetryFilter"],
        lut: Some(70),
        bram: Some(0),
        uram: None,
        clio: None,
    },
    Group {
        name: "filter and packet buffers",
        modules: &["RetryFilter", "PacketBuffer"],
        lut: None,
        bram: Some(0),
        uram: Some(16),
        clio: None,
    },
    Group {
        name: "whole core",
        modules: &[],
        lut: Some(1_100),
        bram: None,
        uram: None,
        clio: Some("whole board with vendor IP: 31% LUT, 31% BRAM"),
    },
];

/// Fails when a group counts a module that the top does not instantiate.
pub fn check_groups(instances: &[&str]) -> Result<()> {
    for group in GROUPS {
        if let Some(module) = group.modules.iter().find(|m| !instances.contains(m)) {
            bail!("{} counts the module {module}, which the core does not have", group.name);
        }
    }
    Ok(())
}

/// Hundredths of a percent, rounded up, so that a goal that is missed never looks met.
pub fn share(used: u32, of: u32) -> u32 {
    (u64::from(used) * 10_000).div_ceil(u64::from(of)) as u32
}

impl Group {
    /// What a group's figures miss, in words; empty when it meets every goal.
    pub fn misses(&self, figures: &Figures) -> Vec<String> {
        let area = &figures.area;
        let mut misses = Vec::new();
        if self.lut.is_some_and(|goal| share(area.lut, LUTS) > goal) {
            misses.push("LUT".to_owned());
        }
        if self.bram.is_some_and(|goal| area.bram36 > f64::from(goal)) {
            misses.push("BRAM".to_owned());
        }
        if self.uram.is_some_and(|goal| area.uram > goal) {
            misses.push("URAM".to_owned());
        }
        if figures.levels.registers > LEVELS_GOAL {
            misses.push("levels".to_owned());
        }
        misses
    }

    /// The goal in words.
    pub fn goal(&self) -> String {
        let mut words = Vec::new();
        if let Some(lut) = self.lut {
            words.push(format!("≤ {} LUT", percent(lut)));
        }
        match self.bram {
            Some(0) => words.push("no BRAM".to_owned()),
            Some(most) => words.push(format!("≤ {most} BRAM36")),
            None => {}
        }
        match self.uram {
            Some(0) => words.push("no URAM".to_owned()),
            Some(most) => words.push(format!("≤ {most} URAM")),
            None => {}
        }
        words.push(format!("≤ {} levels", LEVELS_GOAL / 10));
        words.join(", ")
    }
}

/// Hundredths of a percent as text.
pub fn percent(hundredths: u32) -> String {
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::super::levels::Levels;
    use super::super::netlist::Area;
    use super::*;

    #[test]
    fn a_goal_is_missed_by_one_look_up_table() {
        let network = GROUPS.iter().find(|g| g.name == "network stack").unwrap();
        let figures = |lut, registers, bram36| Figures {
            area: Area { lut, bram36, ..Area::default() },
            levels: Levels { registers, ..Levels::default() },
            ..Figures::default()
        };
        assert!(network.misses(&figures(4_147, 90, 0.0)).is_empty());
        assert_eq!(network.misses(&figures(4_148, 90, 0.0)), ["LUT"]);
        assert_eq!(network.misses(&figures(1, 91, 0.5)), ["BRAM", "levels"]);
    }

    #[test]
    fn a_group_of_a_module_that_is_gone_is_an_error() {
        let all: Vec<&str> = GROUPS.iter().flat_map(|g| g.modules).copied().collect();
        assert!(check_groups(&all).is_ok());
        assert!(check_groups(&all[1..]).is_err());
    }

    #[test]
    fn shares_round_up() {
        assert_eq!(share(1, LUTS), 1);
        assert_eq!(percent(share(4_147, LUTS)), "1.80%");
        assert_eq!(percent(share(230_400, LUTS)), "100.00%");
    }
}
