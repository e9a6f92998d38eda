//! What it takes to work on Mneme itself; users need none of it.
use super::check::Check;
use std::process::Command;

/// A tool, how to ask for its version, and the least that works.
struct Tool {
    name: &'static str,
    command: &'static str,
    argument: &'static str,
    least: (u32, u32),
}

const TOOLS: [Tool; 5] = [
    Tool { name: "rustc", command: "rustc", argument: "--version", least: (1, 88) },
    Tool { name: "verilator", command: "verilator", argument: "--version", least: (5, 6) },
    Tool { name: "java", command: "java", argument: "-version", least: (17, 0) },
    Tool { name: "C++ compiler", command: "c++", argument: "--version", least: (10, 0) },
    Tool { name: "tshark", command: "tshark", argument: "--version", least: (3, 0) },
];

pub fn checks() -> Vec<Check> {
    TOOLS.iter().map(check).collect()
}

fn check(tool: &Tool) -> Check {
    let (major, minor) = tool.least;
    let remedy = "only for work on Mneme itself: `cargo xtask setup` installs what is missing";
    match Command::new(tool.command).arg(tool.argument).output() {
        Ok(output) if output.status.success() => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().to_owned();
            let good = version(&said).is_none_or(|found| found >= tool.least);
            let found = if good { said } else { format!("{said}, and {major}.{minor} is needed") };
            Check::expect(tool.name, good, found, remedy)
        }
        _ => Check::warn(tool.name, format!("no `{}`", tool.command), remedy),
    }
}

/// The first number with a point, or number, in a line.
fn version(line: &str) -> Option<(u32, u32)> {
    let words = line.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let with_point =
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    let mut numbers = with_point.map(|word| word.split('.').filter_map(|part| part.parse().ok()));
    let mut found = numbers.next()?;
    Some((found.next()?, found.next().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_say() {
        assert_eq!(version("rustc 1.95.0 (59807616e 2026-04-14)"), Some((1, 95)));
        assert_eq!(version("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), Some((5, 6)));
        assert_eq!(version("openjdk version \"17.0.19\" 2026-04-21"), Some((17, 0)));
        assert_eq!(version("no numbers"), None);
    }
}
