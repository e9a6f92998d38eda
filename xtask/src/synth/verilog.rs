//! Modules of a generated Verilog file, and what one of them needs.
//!
//! SpinalHDL writes a module's header, its end and each instance at the beginning of a line of their own; that is all that is read here.
use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result, bail};

/// The modules of one file by name, each from `module` to `endmodule`.
pub struct Modules<'a> {
    texts: BTreeMap<&'a str, &'a str>,
}

/// The module that a line instantiates or defines would be its first word.
fn first_word(line: &str) -> &str {
    let line = line.trim_start();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(line.len());
    &line[..end]
}

/// The identifiers of a line.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

impl<'a> Modules<'a> {
    /// Finds the modules of a file.
    pub fn parse(file: &'a str) -> Result<Modules<'a>> {
        let mut texts = BTreeMap::new();
        let mut open: Option<(&str, usize)> = None;
        let mut position = 0;
        for line in file.split_inclusive('\n') {
            if let Some(rest) = line.strip_prefix("module ") {
                if let Some((name, _)) = open {
                    bail!("module {name} does not end before the next begins");
                }
                open = Some((first_word(rest), position));
            }
            position += line.len();
            if first_word(line) == "endmodule" {
                let (name, start) = open.take().context("endmodule without a module")?;
                if texts.insert(name, &file[start..position]).is_some() {
                    bail!("module {name} is there twice");
                }
            }
        }
        match open {
            Some((name, _)) => bail!("module {name} does not end"),
            None if texts.is_empty() => bail!("no module in it"),
            None => Ok(Modules { texts }),
        }
    }

    fn text(&self, module: &str) -> Result<&'a str> {
        self.texts.get(module).copied().with_context(|| format!("no module is called {module}"))
    }

    /// The modules that `module` instantiates, one for each instance, in the order of the text.
    pub fn instances(&self, module: &str) -> Result<Vec<&'a str>> {
        let lines = self.text(module)?.lines().skip(1);
        Ok(lines.filter_map(|l| self.texts.get_key_value(first_word(l)).map(|(name, _)| *name)).collect())
    }

    /// `top` with everything below it. Modules below are renamed in the order in which they appear: their own names are numbered through the whole
    /// design (`StreamFifo_13`), and would differ after a change elsewhere.
    pub fn closure(&self, top: &str) -> Result<String> {
        let mut order = vec![top];
        let mut names = HashMap::from([(top, top.to_owned())]);
        let mut next = 0;
        while let Some(module) = order.get(next).copied() {
            for below in self.instances(module)? {
                if !names.contains_key(below) {
                    let base = below.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
                    names.insert(below, format!("{base}_below{}", order.len()));
                    order.push(below);
                }
            }
            next += 1;
        }
        let mut text = String::new();
        for module in order {
            for (i, line) in self.text(module)?.split_inclusive('\n').enumerate() {
                let line = line.trim_end_matches([' ', '\r', '\n']);
                let start = if i == 0 { "module ".len() } else { line.len() - line.trim_start().len() };
                let word = first_word(&line[start..]);
                match names.get(word) {
                    Some(name) => {
                        text.push_str(&line[..start]);
                        text.push_str(name);
                        text.push_str(&line[start + word.len()..]);
                    }
                    None => text.push_str(line),
                }
                text.push('\n');
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "// head\nmodule Top (\n);\n  Fifo_3 a (\n  );\n  Fifo_3 b (\n  );\n  Other c (\n  );\nendmodule\n\n\
        module Other (\n);\n  wire x;\nendmodule\nmodule Fifo_3 (\n);\n  Other d (\n  );\nendmodule\n";

    #[test]
    fn a_closure_holds_what_the_module_needs_and_nothing_else() {
        let modules = Modules::parse(FILE).unwrap();
        assert_eq!(modules.instances("Top").unwrap(), ["Fifo_3", "Fifo_3", "Other"]);
        assert_eq!(
            modules.closure("Fifo_3").unwrap(),
            "module Fifo_3 (\n);\n  Other_below1 d (\n  );\nendmodule\nmodule Other_below1 (\n);\n  wire x;\nendmodule\n"
        );
        assert!(modules.closure("Absent").is_err());
    }

    #[test]
    fn a_module_renumbered_by_a_change_elsewhere_has_the_same_text() {
        let renumbered = FILE.replace("Fifo_3", "Fifo_12");
        let (old, new) = (Modules::parse(FILE).unwrap(), Modules::parse(&renumbered).unwrap());
        assert_eq!(old.closure("Top").unwrap(), new.closure("Top").unwrap());
        let changed = FILE.replace("wire x", "wire y");
        assert_ne!(old.closure("Top").unwrap(), Modules::parse(&changed).unwrap().closure("Top").unwrap());
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        for file in ["", "module A (\n", "endmodule\n", "module A (\nmodule B (\nendmodule\n"] {
            assert!(Modules::parse(file).is_err(), "{file}");
        }
    }
}
