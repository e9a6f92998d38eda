//! The header of the C interface: made of the Rust sources, worded for C.
use anyhow::{Context, Result, bail};

use super::HEADER;
use crate::process::root;

/// Writes the header of the C interface; with `check` changes nothing and fails when the committed one is stale.
pub fn run_header(check: bool) -> Result<()> {
    let text = generate()?;
    let missing = undocumented(&text);
    if !missing.is_empty() {
        bail!("comments of clib/c/src leave something out:\n{}", missing.join("\n"));
    }
    let path = root().join(HEADER);
    if !check {
        std::fs::create_dir_all(path.parent().context("the header's folder")?)?;
        std::fs::write(&path, text).with_context(|| format!("writing {HEADER}"))?;
        println!("wrote {HEADER}");
    } else if std::fs::read_to_string(&path).with_context(|| format!("reading {HEADER}"))? != text {
        bail!("{HEADER} is stale: run `cargo xtask c-header` and commit the result");
    }
    Ok(())
}

fn generate() -> Result<String> {
    let folder = root().join("clib/c");
    let mut config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    config.after_includes = Some(version());
    let bindings = cbindgen::generate_with_config(&folder, config).context("making the header")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    Ok(without_safety(&String::from_utf8(text).context("the header is not UTF-8")?))
}

/// The version's macros. The library's `mneme_version` is made of the same numbers.
fn version() -> String {
    let number = |name: &str, value: &str| format!("#define MNEME_VERSION_{name} {value}\n");
    [
        "\n// The version of this header; mneme_version tells the library's.\n".to_owned(),
        number("MAJOR", env!("CARGO_PKG_VERSION_MAJOR")),
        number("MINOR", env!("CARGO_PKG_VERSION_MINOR")),
        number("PATCH", env!("CARGO_PKG_VERSION_PATCH")),
        "// For comparisons: 1002003 is version 1.2.3.\n".to_owned(),
        "#define MNEME_VERSION (MNEME_VERSION_MAJOR * 1000000 + MNEME_VERSION_MINOR * 1000 + MNEME_VERSION_PATCH)"
            .to_owned(),
    ]
    .concat()
}

/// Drops the sections in which Rust's readers learn what an unsafe function asks for. C's readers learn it from the
/// comment's own words and the header's first comment, in the terms of C.
fn without_safety(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let comment = line.trim_start().strip_prefix("//").map(str::trim);
        inside = comment.is_some_and(|words| inside || words == "# Safety");
        if !inside {
            kept.push(line);
        } else if kept.last().is_some_and(|line| line.trim() == "//") {
            kept.pop();
        }
    }
    kept.join("\n") + "\n"
}

/// A function's name, its declaration on one line, and its comment.
struct Function<'a> {
    name: &'a str,
    declaration: String,
    comment: String,
}

/// The names of the functions that a header declares.
pub(super) fn functions(text: &str) -> Vec<&str> {
    declared(text).into_iter().map(|function| function.name).collect()
}

fn declared(text: &str) -> Vec<Function<'_>> {
    let (mut found, mut comment, mut open) = (Vec::new(), String::new(), None::<Function>);
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("//") {
            comment += words;
            continue;
        }
        if let Some(function) = &mut open {
            function.declaration += line.trim();
        } else if let Some((before, _)) = line.split_once('(')
            && !line.starts_with([' ', '#', '/', '}'])
            && let Some(name) = before.split([' ', '*']).next_back()
            && name.starts_with("mneme_")
        {
            let comment = std::mem::take(&mut comment);
            open = Some(Function { name, declaration: line.to_owned(), comment });
        }
        if let Some(function) = open.take_if(|function| function.declaration.ends_with(");")) {
            found.push(function);
        }
        comment.clear();
    }
    found
}

/// What the comments of functions do not tell: whether a call blocks, its errors, and what each parameter is but for the
/// handle that it works on.
fn undocumented(text: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for Function { name, declaration, comment } in declared(text) {
        let mut lacks = |what: &str| missing.push(format!("{name}: {what}"));
        if !comment.contains("Blocks") && !comment.contains("Does not block") {
            lacks("whether it blocks");
        }
        if declaration.starts_with("enum mneme_code") && !comment.contains("Errors: ") {
            lacks("its errors");
        }
        let parameters = declaration.split_once('(').map_or("", |(_, rest)| rest).trim_end_matches(");");
        for (place, parameter) in parameters.split(',').enumerate() {
            let parameter_name = parameter.split([' ', '*']).next_back().unwrap_or_default();
            let handle =
                place == 0 && parameter.contains("struct mneme_") || parameter.contains("mneme_queue *");
            if parameter.trim() != "void" && !handle && !comment.contains(&format!("`{parameter_name}`")) {
                lacks(&format!("what `{parameter_name}` is"));
            }
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_for_readers_of_rust_are_dropped() {
        let text = "// Reads.\n//\n// # Safety\n//\n// The pointers are null or valid.\nint f(void);\n\n// Next.\nint g(void);\n";
        assert_eq!(without_safety(text), "// Reads.\nint f(void);\n\n// Next.\nint g(void);\n");
    }

    #[test]
    fn what_a_comment_leaves_out_is_found() {
        let declaration =
            "enum mneme_code mneme_rread(const struct mneme_process *process,\n          uint64_t va);\n";
        let whole = format!("// Reads at `va`. Blocks. Errors: none.\n{declaration}");
        assert_eq!(functions(&whole), ["mneme_rread"]);
        assert!(undocumented(&whole).is_empty());
        let found = undocumented(&format!("// Reads.\n{declaration}"));
        let expected = ["whether it blocks", "its errors", "what `va` is"];
        assert_eq!(found, expected.map(|what| format!("mneme_rread: {what}")));
        assert_eq!(
            undocumented(&format!("// Blocks.\nint other;\n{whole}void mneme_close(int a);")).len(),
            2
        );
    }
}
