//! Standard output, whose reader may go away at any time, and what text looks like: no escapes but for terminals, no table
//! wider than a page.
use comfy_table::{ContentArrangement, Table};
use std::fmt::Arguments;
use std::io::{self, Write};

/// Columns of the widest table, unless `--wide` asks for more.
pub const COLUMNS: u16 = 100;

/// Writes a line. A reader that has gone is an error like others; [`reader_gone`] tells it.
pub fn line(text: Arguments) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Prints a line to standard output; answers a result.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}
pub(crate) use say;

/// Warns on standard error.
pub fn warn(said: &str) {
    eprintln!("warning: {}", plain(said));
}

/// Whether a command failed only because nobody reads its output any more, as behind `head`.
pub fn reader_gone(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Whether what goes to a stream may have colours.
pub fn styled(terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    terminal && !dumb && !set("NO_COLOR")
}

/// Text of others (names of files, of boards) without what a terminal would obey.
pub fn plain(text: &str) -> String {
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.chars().map(|c| if obeyed(c) { c.escape_default().to_string() } else { c.into() }).collect()
}

/// A table that wraps what would make it wider than a page, or than a narrower terminal.
pub fn table(wide: bool) -> Table {
    let mut table = Table::new();
    if !wide {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(table.width().unwrap_or(COLUMNS).min(COLUMNS));
    }
    table
}

/// Parts one after the other, in lines no longer than a page; those after the first are indented.
pub fn listed(head: &str, parts: &[String]) -> String {
    let mut lines = vec![head.to_owned()];
    for (number, part) in parts.iter().enumerate() {
        let comma = if number + 1 < parts.len() { "," } else { "" };
        let length = |line: &String| line.chars().count();
        let fits = lines.last().is_some_and(|line| length(line) + length(part) + 2 <= usize::from(COLUMNS));
        match lines.last_mut().filter(|_| fits) {
            Some(line) => *line += &format!(" {part}{comma}"),
            None => lines.push(format!("  {part}{comma}")),
        }
    }
    lines.join("\n")
}

/// The known name that is most like a wrong one.
pub fn suggestion(wrong: &str, known: Vec<String>) -> String {
    let near = known.iter().map(|name| (strsim::damerau_levenshtein(wrong, name), name)).min();
    match near {
        Some((distance, name)) if distance <= 2 => format!("; did you mean `{name}`?"),
        _ => format!("; there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        assert_eq!(plain("a\u{1b}[31mb\u{7}\n\tä"), "a\\u{1b}[31mb\\u{7}\n\tä");
    }

    #[test]
    fn tables_and_lists_are_no_wider_than_a_page() {
        let mut wide = table(false);
        wide.add_row(["word ".repeat(50), "more".into()]);
        let longest = |text: &str| text.lines().map(|line| line.chars().count()).max();
        assert!(longest(&wide.to_string()) <= Some(COLUMNS.into()), "{wide}");
        let mut all = table(true);
        all.add_row(["word ".repeat(50)]);
        assert!(longest(&all.to_string()) > Some(COLUMNS.into()));
        let parts: Vec<String> = (0..40).map(|n| format!("COUNTER_{n} +1")).collect();
        let told = listed("counted:", &parts);
        assert!(
            longest(&told) <= Some(COLUMNS.into()) && told.starts_with("counted: COUNTER_0 +1, "),
            "{told}"
        );
        assert_eq!(told.split_whitespace().count(), 81);
    }
}
