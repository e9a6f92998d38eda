//! Whether every public type of the client library has an example in its documentation. rustdoc's own lint for that is not
//! in the stable toolchain, so the sources are read line by line.
use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::process::{root, tracked};

/// The library.
const LIBRARY: &str = "clib/src";
/// Crates of which it hands types on.
const HANDED_ON: [(&str, &str); 3] =
    [("mneme_auth", "auth/src"), ("mneme_wire", "wire/src"), ("mneme_link", "link/src")];
/// What declares a type.
const DECLARES: [&str; 5] = ["pub struct ", "pub enum ", "pub trait ", "pub union ", "pub type "];

/// Fails when a type has no example.
pub fn run_examples() -> Result<()> {
    let (mut types, mut handed_on) = (Vec::new(), Vec::new());
    for path in sources(LIBRARY)? {
        let text = read(&path)?;
        types.extend(declared(&text).map(|found| (path.clone(), found)));
        if let Some(unlisted) =
            crates_of_uses(&text).find(|name| HANDED_ON.iter().all(|(known, _)| known != name))
        {
            bail!(
                "{}: types of {unlisted} are handed on, and nobody looks for their examples",
                path.display()
            );
        }
        for (name, folder) in HANDED_ON {
            handed_on.extend(names_of_uses(&text, name).into_iter().map(|name| (folder, name)));
        }
    }
    for (folder, wanted) in &handed_on {
        for path in sources(folder)? {
            let text = read(&path)?;
            let ours = declared(&text).filter(|found| found.name == *wanted);
            types.extend(ours.map(|found| (path.clone(), found)));
        }
    }
    let found: BTreeSet<&str> = types.iter().map(|(_, found)| found.name.as_str()).collect();
    if let Some((folder, name)) = handed_on.iter().find(|(_, name)| !found.contains(name.as_str())) {
        bail!("{LIBRARY} hands on {name}, which nothing in {folder} declares");
    }
    let without: Vec<String> = types
        .iter()
        .filter(|(_, found)| !found.example)
        .map(|(path, found)| format!("{}:{}: {} has no example", path.display(), found.line, found.name))
        .collect();
    if types.is_empty() || !without.is_empty() {
        bail!("{} public types\n{}", types.len(), without.join("\n"));
    }
    println!("examples: {} public types of {LIBRARY}, each with one", types.len());
    Ok(())
}

fn sources(folder: &str) -> Result<Vec<std::path::PathBuf>> {
    Ok(tracked(&["rs"])?.into_iter().filter(|path| path.starts_with(folder)).collect())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(root().join(path)).with_context(|| format!("reading {}", path.display()))
}

/// A type that has documentation: what nobody can see has none, since rustc warns of public items without.
#[derive(Debug, PartialEq, Eq)]
struct Declared {
    name: String,
    /// Where, from 1 on.
    line: usize,
    /// Whether its documentation has a block of code.
    example: bool,
}

/// The types that a source declares, by itself or through the macro of numbered lists.
fn declared(text: &str) -> impl Iterator<Item = Declared> {
    let (mut documented, mut example) = (false, false);
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let line = line.trim_start();
        if line.starts_with("///") {
            documented = true;
            example |= line.contains("```");
            return None;
        }
        if line.starts_with("#[") || line.starts_with("// ") {
            return None;
        }
        let (documented, example) = (std::mem::take(&mut documented), std::mem::take(&mut example));
        let name = type_name(line).filter(|_| documented)?;
        Some(Declared { name: name.to_owned(), line: number, example })
    })
}

/// The name of the type that a line declares.
fn type_name(line: &str) -> Option<&str> {
    let rest = DECLARES.iter().find_map(|word| line.strip_prefix(word));
    let listed = || line.split_once(": u").filter(|(name, rest)| is_name(name) && rest.ends_with(" {"));
    let rest = rest.or_else(|| listed().map(|(name, _)| name))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Whether a word is written as types are.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(char::is_alphanumeric)
}

/// The crates of this repository of which a source hands types on.
fn crates_of_uses(text: &str) -> impl Iterator<Item = &str> {
    let first =
        |rest: &'_ str| rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    text.split("pub use ")
        .skip(1)
        .map(move |rest| &rest[..first(rest)])
        .filter(|name| name.starts_with("mneme_"))
}

/// The types of another crate that a source hands on.
fn names_of_uses(text: &str, name: &str) -> Vec<String> {
    let uses = text.split("pub use ").skip(1).filter_map(|rest| rest.split_once(';'));
    let uses = uses.map(|(path, _)| path).filter(|path| path.split("::").next() == Some(name));
    let words = uses.flat_map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words
        .filter(|word| is_name(word) && word.chars().any(|c| c.is_ascii_lowercase()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_without_an_example_are_found() {
        let text = "/// A.\n///\n/// ```\n/// a()\n/// ```\n#[derive(Debug)]\npub struct A<'a>(&'a u8);\n\n/// B.\npub enum B {\n    \
                    /// ```\n    C,\n}\npub struct Unseen;\n/// D.\nfn d() {}\n/// E.\n#[must_use = \"e\"]\n// why\npub trait E: Send {\n";
        let found: Vec<(String, bool)> = declared(text).map(|found| (found.name, found.example)).collect();
        let expected = [("A", true), ("B", false), ("E", false)];
        assert_eq!(found, expected.map(|(name, example)| (name.to_owned(), example)));
    }

    #[test]
    fn numbered_lists_and_what_is_handed_on_are_types_too() {
        let text =
            "declare! {\n    /// Opcodes.\n    Opcode: u8 {\n        #[doc = \"x\"] Read = 1, \"READ\";\n";
        assert_eq!(
            declared(text).next().map(|found| (found.name, found.example)),
            Some(("Opcode".into(), false))
        );
        let text = "pub use mneme_wire::Opcode;\npub use mneme_wire::payload::{BoardInfo,\n    LEN};\npub use other::Thing;\n";
        assert_eq!(names_of_uses(text, "mneme_wire"), ["Opcode", "BoardInfo"]);
        let text = format!("{text}pub use mneme_auth::{{KeyError}};\npub(crate) use mneme_link::Way;\n");
        assert_eq!(crates_of_uses(&text).collect::<Vec<_>>(), ["mneme_wire", "mneme_wire", "mneme_auth"]);
    }
}
