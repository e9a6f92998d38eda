//! What can be told of the documentation by reading it: no line is too long, every link leads somewhere, and whatever page
//! a source file names is there.
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::process::{root, tracked};

/// Most characters of a line written by hand.
const MAX_WIDTH: usize = 120;
/// A word of so many characters, an address, leaves no room to break its line well.
const LONG_WORD: usize = 80;
/// Pages that tasks write; their lines are as long as the tables that they hold ask for.
const GENERATED: &[&str] = &[
    "docs/reference/wire.md",
    "docs/reference/errors.md",
    "docs/reference/figures/area.md",
    "docs/reference/figures/state.md",
    "docs/reference/figures/coverage.md",
    "docs/reference/figures/hw-coverage.md",
    "docs/reference/figures/mutants.md",
    "docs/reference/figures/hw-bench/table.md",
];
/// Beginnings of generated pages: their links count from where the page lies.
const HEADS: &[(&str, &str)] = &[
    ("xtask/src/hw_coverage/head.md", "docs/reference/figures/hw-coverage.md"),
    ("xtask/src/mutate/head.md", "docs/reference/figures/mutants.md"),
];
/// Files that may name a page.
const NAMING: &[&str] = &["md", "rs", "scala", "h", "c", "cpp", "hpp", "py", "toml", "lua", "json"];

/// Everything of this file, over all that is tracked.
pub fn run_pages() -> Result<()> {
    let mut wrong = Vec::new();
    let mut pages = Pages::default();
    let files = tracked(&["md"])?;
    for path in &files {
        let text = read(path)?;
        if !GENERATED.iter().any(|generated| path == Path::new(generated)) {
            wrong.extend(long_lines(&text).map(|line| {
                format!("{}:{line}: over {MAX_WIDTH} characters: break the line", path.display())
            }));
        }
        let head = HEADS.iter().find(|(head, _)| path == Path::new(head));
        let place = head.map_or(path.as_path(), |(_, page)| Path::new(page));
        for target in links(&text) {
            if let Some(why) = pages.broken(place, &target)? {
                wrong.push(format!("{}: the link to {target}: {why}", path.display()));
            }
        }
    }
    for path in tracked(NAMING)? {
        let text = read(&path)?;
        let lost = named_pages(&text).filter(|page| !root().join(page).exists());
        wrong.extend(lost.map(|page| format!("{}: names {page}, which is not there", path.display())));
    }
    if !wrong.is_empty() {
        bail!(wrong.join("\n"));
    }
    println!("pages: {} files, no line over {MAX_WIDTH} characters, every link leads somewhere", files.len());
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(root().join(path)).with_context(|| format!("reading {}", path.display()))
}

/// Numbers of the lines that are too long. Rows of tables cannot be broken, nor can a long address.
fn long_lines(text: &str) -> impl Iterator<Item = usize> {
    let is_long = |line: &str| {
        let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
        line.chars().count() > MAX_WIDTH && !line.starts_with('|') && longest < LONG_WORD
    };
    text.lines().zip(1..).filter(move |(line, _)| is_long(line)).map(|(_, number)| number)
}

/// Where the links and pictures of a page lead, but for those to other places on the net.
fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    };
    let is_ours = |target: &String| !target.contains("://") && !target.starts_with("mailto:");
    Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(target).filter(is_ours).collect()
}

/// What a heading is called in a link, as GitHub makes it of its text.
fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(part) | Event::Code(part), Some(heading)) => heading.push_str(&part),
            (Event::End(TagEnd::Heading(_)), _) => {
                let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
                let name: String =
                    heading.take().unwrap_or_default().to_lowercase().chars().filter(kept).collect();
                let name = name.replace(' ', "-");
                let again = found.iter().filter(|other| **other == name).count();
                found.push(if again == 0 { name } else { format!("{name}-{again}") });
            }
            _ => {}
        }
    }
    found
}

/// The headings of pages that were looked at.
#[derive(Default)]
struct Pages(HashMap<PathBuf, Vec<String>>);

impl Pages {
    /// Why a link of a page leads nowhere, if it does not.
    fn broken(&mut self, page: &Path, target: &str) -> Result<Option<&'static str>> {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let to = match file {
            "" => page.to_owned(),
            file => match plain(&page.parent().unwrap_or(Path::new("")).join(file)) {
                Some(to) => to,
                None => return Ok(Some("it leaves the repository")),
            },
        };
        if !root().join(&to).exists() {
            return Ok(Some("nothing is there"));
        }
        if anchor.is_empty() || to.extension() != Some(OsStr::new("md")) {
            return Ok(None);
        }
        if !self.0.contains_key(&to) {
            self.0.insert(to.clone(), anchors(&read(&to)?));
        }
        let known = self.0[&to].iter().any(|name| name == anchor);
        Ok((!known).then_some("the page has no such heading"))
    }
}

/// The path without `.` and `..`; none where it leaves the repository.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if !plain.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// Pages that a text names by their path from the repository's top.
fn named_pages(text: &str) -> impl Iterator<Item = &str> {
    let of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    text.match_indices(concat!("docs", "/")).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let end = text[at..].find(|c| !of_path(c)).map_or(text.len(), |length| at + length);
        let name = text[at..end].trim_end_matches(['.', '/', '-']);
        let is_path = before.is_none_or(|c| !of_path(c)) && name.contains('/');
        (is_path && !text[end..].starts_with('*')).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_found_and_what_cannot_be_broken_is_not() {
        let words = "word ".repeat(30);
        let address = format!("<https://example.org/{}>", "a".repeat(120));
        let text = format!("short\n{words}\n| {words} |\n{address}\n- {words}\n");
        assert_eq!(long_lines(&text).collect::<Vec<_>>(), [2, 5]);
        let exact = "é".repeat(MAX_WIDTH / 2 - 1) + " " + &"é".repeat(MAX_WIDTH / 2);
        assert_eq!(long_lines(&exact).count(), 0, "characters count, not bytes");
        assert_eq!(long_lines(&format!("{exact}é")).count(), 1);
    }

    #[test]
    fn headings_are_named_as_links_name_them() {
        let text = "# A `rule`, in §3\n\ntext\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n";
        assert_eq!(anchors(text), ["a-rule-in-3", "twice", "twice-1"]);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let mut pages = Pages::default();
        let mut why = |target: &str| pages.broken(Path::new("docs/README.md"), target).unwrap();
        assert_eq!(why("guides/ordering.md"), None);
        assert_eq!(why("../README.md#licence"), None);
        assert_eq!(why("#documentation"), None);
        assert_eq!(why("guides/nothing.md"), Some("nothing is there"));
        assert_eq!(why("guides/ordering.md#nothing"), Some("the page has no such heading"));
        assert_eq!(why("../../elsewhere.md"), Some("it leaves the repository"));
        assert_eq!(
            links("[a](b.md) ![c](d.svg) <https://e.org> `[f](g)`\n\n| [h](i#j) |\n|-|\n"),
            ["b.md", "d.svg", "i#j"]
        );
    }

    #[test]
    fn paths_of_pages_are_found_in_any_text() {
        let text =
            concat!("see docs", "/a/b.md, (docs", "/c.md). x/docs", "/no.md docs", "/d/*.json docs", "/e/");
        let found: Vec<&str> = named_pages(text).collect();
        assert_eq!(found, [concat!("docs", "/a/b.md"), concat!("docs", "/c.md"), concat!("docs", "/e")]);
    }
}
