//! Configurations as files: which fields of `CBoardConfig` somebody has set, in TOML.
//!
//! ```toml
//! base = "tags"        # a kept configuration; without it, CBoardConfig's defaults
//! tlbEntries = 64
//! tlbWays = 8
//! ```
use std::path::Path;

use anyhow::{Context, Result, bail};
use toml::{Table, Value};

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Flag,
    Text,
}
use Kind::{Flag, Number, Text};

/// The fields of `hw/src/main/scala/mneme/CBoardConfig.scala` by their names there, but for its name. What values are legal is said
/// there alone.
const FIELDS: &[(&str, Kind)] = &[
    ("pageBits", Number),
    ("memBits", Number),
    ("slotsLog2", Number),
    ("tlbEntries", Number),
    ("tlbWays", Number),
    ("misses", Number),
    ("filterSetsLog2", Number),
    ("filterWays", Number),
    ("asyncDepth", Number),
    ("zeroQueueDepth", Number),
    ("packetSlots", Number),
    ("mtu", Number),
    ("tickLog2", Number),
    ("doors", Number),
    ("waitingLists", Flag),
    ("traffic", Flag),
    ("burstPlaces", Number),
    ("readBeats", Number),
    ("memories", Text),
    ("trailers", Flag),
    ("simulated", Flag),
    ("rdma", Number),
    ("leaf", Flag),
    ("chains", Number),
];
/// Keys that are no fields.
const BASE: &str = "base";
const NAME: &str = "name";
/// The longest name: it is part of file names and of the Verilog's.
const LONGEST_NAME: usize = 32;

/// A configuration that somebody asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    pub name: String,
    /// A kept configuration that it starts from.
    pub base: Option<String>,
    /// Fields and their values, as Scala reads them.
    pub fields: Vec<(&'static str, String)>,
}

impl Wanted {
    /// A kept configuration as it is.
    pub fn kept(name: &str) -> Result<Wanted> {
        check_name(name).with_context(|| {
            format!("`{name}` is neither a file of a configuration (*.toml) nor the name of one")
        })?;
        Ok(Wanted { name: name.into(), base: Some(name.into()), fields: Vec::new() })
    }
    /// What a file asks for. It is called as the file is unless it says otherwise.
    pub fn read(path: &Path) -> Result<Wanted> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("reading the configuration {}", path.display()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Wanted::parse(&text, &stem).with_context(|| format!("the configuration {}", path.display()))
    }

    fn parse(text: &str, stem: &str) -> Result<Wanted> {
        let table: Table = text.parse()?;
        let mut wanted =
            Wanted { name: stem.to_lowercase().replace('-', "_"), base: None, fields: Vec::new() };
        let mut named = false;
        for (key, value) in &table {
            match key.as_str() {
                NAME => (wanted.name, named) = (string(key, value)?, true),
                BASE => wanted.base = Some(string(key, value)?),
                _ => wanted.fields.push(field(key, value)?),
            }
        }
        check_name(&wanted.name).with_context(|| match named {
            true => format!("`{NAME}`"),
            false => {
                format!("the file's own name, which the board has where no `{NAME} = \"...\"` says otherwise")
            }
        })?;
        Ok(wanted)
    }
    /// What tells it from all others.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![self.name.clone(), self.base.clone().unwrap_or_else(|| "-".into())];
        arguments.extend(self.fields.iter().map(|(field, value)| format!("{field}={value}")));
        arguments
    }
}

fn check_name(name: &str) -> Result<()> {
    let letters = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    if !letters || !begins || name.len() > LONGEST_NAME {
        bail!(
            "a board cannot be called `{name}`: a name is a small letter, then small letters, digits and _, {LONGEST_NAME} at most"
        );
    }
    Ok(())
}

fn field(key: &str, value: &Value) -> Result<(&'static str, String)> {
    let Some((name, kind)) = FIELDS.iter().find(|(name, _)| *name == key) else { bail!("{}", unknown(key)) };
    let text = match kind {
        Number => number(key, value)?.to_string(),
        Flag => match value {
            Value::Boolean(flag) => flag.to_string(),
            _ => bail!("`{key}` is true or false, not {}", shown(value)),
        },
        Text => string(key, value)?,
    };
    Ok((*name, text))
}

fn number(key: &str, value: &Value) -> Result<i32> {
    let Value::Integer(number) = value else { bail!("`{key}` is a whole number, not {}", shown(value)) };
    let small = i32::try_from(*number).ok().filter(|number| *number >= 0);
    small.with_context(|| format!("`{key}` is a whole number from 0 to {}, not {number}", i32::MAX))
}

/// A word: it becomes an argument of a command, beside others.
fn string(key: &str, value: &Value) -> Result<String> {
    let Value::String(text) = value else { bail!("`{key}` is text in quotes, not {}", shown(value)) };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if text.is_empty() || !text.bytes().all(plain) {
        bail!("`{key}` is one word of letters and digits, not {}", shown(value));
    }
    Ok(text.clone())
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?} (text)"),
        Value::Integer(number) => format!("{number} (a number)"),
        Value::Float(number) => format!("{number:?} (a number)"),
        Value::Boolean(flag) => format!("{flag} (a flag)"),
        Value::Datetime(_) => "a date".into(),
        Value::Array(_) => "a list".into(),
        Value::Table(_) => "a section".into(),
    }
}

fn unknown(key: &str) -> String {
    let known = FIELDS.iter().map(|(name, _)| *name).chain([BASE, NAME]);
    let near = known.clone().map(|name| (strsim::damerau_levenshtein(key, name), name)).min();
    match near {
        Some((distance, name)) if distance <= 2 => {
            format!("a configuration has no field `{key}`: did you mean `{name}`?")
        }
        _ => {
            format!(
                "a configuration has no field `{key}`: there are {}",
                known.collect::<Vec<_>>().join(", ")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    fn refused(text: &str) -> String {
        format!("{:#}", Wanted::parse(text, "mine").expect_err(text))
    }

    #[test]
    fn a_file_sets_fields_on_top_of_a_base() {
        let text = "base = \"tags\"\ntlbEntries = 64\nwaitingLists = false\nmemories = \"block\"\n";
        let wanted = Wanted::parse(text, "My-Board").expect("a sound file");
        assert_eq!(
            wanted.arguments(),
            ["my_board", "tags", "memories=block", "tlbEntries=64", "waitingLists=false"]
        );
        let bare = Wanted::parse("name = \"other\"\nmtu = 1400", "x y").expect("a sound file");
        assert_eq!(bare.arguments(), ["other", "-", "mtu=1400"]);
        assert_eq!(Wanted::kept("zcu106").expect("a name").arguments(), ["zcu106", "zcu106"]);
    }

    #[test]
    fn what_a_file_cannot_say_is_refused_in_words() {
        for (text, words) in [
            ("tlbEntrys = 8", "no field `tlbEntrys`: did you mean `tlbEntries`?"),
            ("cache = 8", "no field `cache`: there are pageBits, memBits"),
            ("tlbWays = \"8\"", "`tlbWays` is a whole number, not \"8\" (text)"),
            ("tlbWays = 8.0", "`tlbWays` is a whole number, not 8.0 (a number)"),
            ("tlbWays = -4", "`tlbWays` is a whole number from 0 to 2147483647, not -4"),
            ("memBits = 99999999999", "not 99999999999"),
            ("trailers = 1", "`trailers` is true or false, not 1 (a number)"),
            ("memories = true", "`memories` is text in quotes, not true (a flag)"),
            ("base = \"tags; exit\"", "`base` is one word"),
            ("name = \"Mine\"", "cannot be called `Mine`"),
            ("[tlb]\nways = 8", "no field `tlb`"),
            ("mtu = [1]", "not a list"),
            ("mtu 1400", "TOML"),
        ] {
            let said = refused(text);
            assert!(said.contains(words), "{text}: {said}");
        }
        let said = format!("{:#}", Wanted::parse("", "9 lives").expect_err("a bad stem"));
        assert!(said.contains("the file's own name") && said.contains("`9 lives`"), "{said}");
        assert!(Wanted::kept("no such.thing").is_err());
    }

    #[test]
    fn fields_are_those_of_the_hardware() {
        let path = root().join("hw/src/main/scala/mneme/CBoardConfig.scala");
        let text = std::fs::read_to_string(path).expect("the configuration's source");
        let (_, class) = text.split_once("case class CBoardConfig(").expect("the class");
        let (parameters, _) = class.split_once("\n) {").expect("the end of its parameters");
        let kinds = [("Int", Number), ("Boolean", Flag), ("String", Text)];
        let declared = parameters.lines().filter_map(|line| line.trim().split_once(": "));
        let own = |name: &str| name != "name";
        let declared: Vec<(&str, Kind)> = declared
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && own(name))
            .filter_map(|(name, rest)| {
                let kind = kinds.iter().find(|(scala, _)| rest.starts_with(scala))?.1;
                Some((name, kind))
            })
            .collect();
        assert_eq!(declared, FIELDS);
    }
}
