//! The committed table: what every component took when it was last written, and what has grown since.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::yosys::Figures;

/// `docs/reference/figures/area.json`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Record {
    pub yosys: String,
    /// By module; the whole core under its own name.
    pub components: BTreeMap<String, Entry>,
}

/// One component of the table.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Entry {
    /// Hash of what it was made from; the same hash needs no new synthesis.
    pub input: String,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Record {
    /// What of `measured` has grown past this record, and what only one of them has; one line each.
    pub fn outgrown_by(&self, measured: &Record) -> Vec<String> {
        let mut found = Vec::new();
        for (name, entry) in &measured.components {
            match self.components.get(name) {
                Some(was) => found.extend(growth(name, &was.figures, &entry.figures)),
                None => found.push(format!("{name}: new, and not in the table")),
            }
        }
        let gone = self.components.keys().filter(|n| !measured.components.contains_key(*n));
        found.extend(gone.map(|n| format!("{n}: in the table, and not in the design any more")));
        found
    }
}

/// Growth that passes without a new table, in percent.
const TOLERANCE: u32 = 5;

/// What has grown past the tolerance, one line each. Of memories not one more passes, and no longer path.
fn growth(component: &str, was: &Figures, is: &Figures) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |what: &str, was: f64, is: f64, percent: u32| {
        if is > was * (1.0 + f64::from(percent) / 100.0) + 1e-9 {
            found.push(format!("{component}: {what} was {was}, is {is}"));
        }
    };
    let (old, new) = (&was.area, &is.area);
    check("LUT", old.lut.into(), new.lut.into(), TOLERANCE);
    check("FF", old.ff.into(), new.ff.into(), TOLERANCE);
    check("carry", old.carry.into(), new.carry.into(), TOLERANCE);
    check("BRAM36", old.bram36, new.bram36, 0);
    check("URAM", old.uram.into(), new.uram.into(), 0);
    check("DSP", old.dsp.into(), new.dsp.into(), 0);
    let levels = |f: &Figures| f64::from(f.levels.registers) / 10.0;
    check("longest path in levels", levels(was), levels(is), 0);
    found
}

#[cfg(test)]
mod tests {
    use super::super::levels::Levels;
    use super::super::netlist::Area;
    use super::*;

    fn figures() -> Figures {
        Figures {
            area: Area {
                lut: 1_000,
                lut_as_memory: 100,
                ff: 2_000,
                carry: 100,
                bram36: 0.0,
                uram: 8,
                dsp: 0,
            },
            levels: Levels { registers: 85, ports: 40, ..Levels::default() },
            between: BTreeMap::new(),
        }
    }

    /// Growth of a component that `change` was made to.
    fn after(change: impl FnOnce(&mut Figures)) -> Vec<String> {
        let mut changed = figures();
        change(&mut changed);
        growth("Part", &figures(), &changed)
    }

    #[test]
    fn five_percent_pass_and_one_more_does_not() {
        assert!(after(|f| f.area.lut = 1_050).is_empty());
        assert_eq!(after(|f| f.area.lut = 1_051), ["Part: LUT was 1000, is 1051"]);
        assert!(after(|f| f.area.ff = 2_100).is_empty());
        assert_eq!(after(|f| f.area.ff = 2_101).len(), 1);
        assert_eq!(after(|f| f.area.carry = 106).len(), 1);
    }

    #[test]
    fn memories_and_paths_may_not_grow_at_all() {
        assert_eq!(after(|f| f.area.uram = 9), ["Part: URAM was 8, is 9"]);
        assert_eq!(after(|f| f.area.bram36 = 0.5), ["Part: BRAM36 was 0, is 0.5"]);
        assert_eq!(after(|f| f.area.dsp = 1).len(), 1);
        assert_eq!(after(|f| f.levels.registers = 86), ["Part: longest path in levels was 8.5, is 8.6"]);
    }

    #[test]
    fn shrinking_passes() {
        assert!(after(|f| *f = Figures::default()).is_empty());
    }

    #[test]
    fn a_planted_growth_a_new_and_a_lost_component_are_found_in_a_record() {
        let record = |names: &[&str], lut| {
            let mut grown = figures();
            grown.area.lut = lut;
            let entry =
                |name: &&str| (name.to_string(), Entry { input: String::new(), figures: grown.clone() });
            Record { yosys: String::new(), components: names.iter().map(entry).collect() }
        };
        let old = record(&["A", "B"], 1_000);
        assert!(old.outgrown_by(&record(&["A", "B"], 1_000)).is_empty());
        assert_eq!(old.outgrown_by(&record(&["A", "B"], 1_100)).len(), 2);
        assert_eq!(old.outgrown_by(&record(&["A", "B", "C"], 1_000)), ["C: new, and not in the table"]);
        assert_eq!(
            old.outgrown_by(&record(&["A"], 1_000)),
            ["B: in the table, and not in the design any more"]
        );
    }
}
