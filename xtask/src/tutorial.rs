//! `cargo xtask tutorial`: does what the tutorial says, word for word: runs its commands in one shell, writes its programs
//! where it says, and looks for the output that it shows.
//!
//! A block `sh` is commands; a block with a file's name behind its language is that file; a block `text` is lines that
//! must be found in what the commands before it printed.
use std::fmt::Write as _;
use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::c;
use crate::process::{Target, built, root, target_dir};

const PAGE: &str = "docs/tutorial/README.md";
/// The port that the page names; a free one stands in for it.
const PORT: &str = "19790";
/// Commands that take too long to be run again each time, and what was done in their place before.
const STAND_INS: [(&str, &str); 3] = [
    // The shell begins beside a link to this checkout.
    ("git clone https://github.com/mneme-memory/mneme && cd mneme", "cd mneme"),
    // The folder of the built program is where the shell looks for programs.
    ("cargo install --locked --path cli", "mneme --version"),
    ("(cd mneme && cargo xtask install-c --prefix $prefix)", "test -f $prefix/include/mneme.h"),
];
/// What stands between the outputs of two blocks.
const MARK: &str = "--- block";

/// A fenced block: what stands behind its fence, and its text.
type Block = (String, String);

/// Runs the page.
pub fn run_tutorial(profile: &str) -> Result<()> {
    let page = std::fs::read_to_string(root().join(PAGE)).with_context(|| format!("reading {PAGE}"))?;
    let blocks = blocks(&page);
    let place = tempfile::tempdir().context("a folder for what the tutorial makes")?;
    let mneme = PathBuf::from(built(Target::Bin, "mneme", profile, &[])?.get_program());
    c::run_install(&place.path().join("installed"), profile)?;
    std::os::unix::fs::symlink(root(), place.path().join("mneme")).context("linking this checkout")?;
    // The system names a free port; until the board takes it nobody else is likely to.
    let free =
        UdpSocket::bind("127.0.0.1:0").and_then(|s| s.local_addr()).context("no free loopback port")?;
    let script = script(&blocks)?.replace(PORT, &free.port().to_string());
    std::fs::write(place.path().join("script"), script)?;
    let said = run_script(place.path(), &mneme, free.port())?;
    let shown = check_output(&blocks, &said)?;
    println!("{PAGE}: {} blocks, {shown} lines of output as the page shows them", blocks.len());
    Ok(())
}

/// Runs the script; what it printed.
fn run_script(place: &Path, mneme: &Path, port: u16) -> Result<String> {
    let folder = mneme.parent().context("the folder of the program")?;
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .arg("script")
        .current_dir(place)
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("MNEME_BOARD", format!("127.0.0.1:{port}"))
        // What was compiled stays for the next time.
        .env("CARGO_TARGET_DIR", target_dir()?.join("tutorial"))
        .output()
        .context("cannot start bash")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let (last, error) = (said.rsplit(MARK).next().unwrap_or(""), String::from_utf8_lossy(&output.stderr));
        bail!("{PAGE}: {}\nin block{last}\n{error}", output.status);
    }
    Ok(said)
}

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut inside = false;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                found.push((info.into_string(), String::new()));
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => {
                if let Some((_, body)) = found.last_mut() {
                    body.push_str(&text);
                }
            }
            _ => {}
        }
    }
    found
}

/// One script of all commands and files. Whatever fails ends it, and it ends what it has started.
fn script(blocks: &[Block]) -> Result<String> {
    let mut script = String::from("set -eu\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\nexec 2>&1\n");
    let mut replaced = [0; STAND_INS.len()];
    for (number, (info, body)) in blocks.iter().enumerate() {
        let _ = writeln!(script, "echo '{MARK} {number}'");
        match info.split_once(' ') {
            _ if info == "text" => {}
            None if info == "sh" => {
                for line in body.lines() {
                    let stand_in = STAND_INS.iter().position(|(command, _)| *command == line);
                    script += stand_in.map_or(line, |which| {
                        replaced[which] += 1;
                        STAND_INS[which].1
                    });
                    script.push('\n');
                }
            }
            Some((_, file)) => {
                let _ = writeln!(script, "cat > {file} <<'END OF FILE'\n{body}END OF FILE");
            }
            None => bail!("{PAGE}: a block `{info}`, which is neither commands, nor output, nor a file's"),
        }
    }
    if let Some(which) = replaced.iter().position(|count| *count != 1) {
        bail!("{PAGE}: the command `{}` is not there once", STAND_INS[which].0);
    }
    Ok(script)
}

/// Looks for the shown output in what was said; how many lines were found.
fn check_output(blocks: &[Block], said: &str) -> Result<usize> {
    let mut shown = 0;
    for (number, (info, body)) in blocks.iter().enumerate() {
        if info != "text" {
            continue;
        }
        let before = number.checked_sub(1).context("the page begins with output")?;
        let begin = format!("{MARK} {before}\n");
        let output = said.split_once(&begin).and_then(|(_, rest)| rest.split(MARK).next()).unwrap_or("");
        for line in body.lines() {
            if !output.contains(line) {
                bail!("{PAGE}: shows \"{line}\", and this was printed:\n{output}");
            }
            shown += 1;
        }
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(commands: &str, output: &str) -> Vec<Block> {
        blocks(&format!(
            "text\n\n```sh\n{commands}\n```\n\n```text\n{output}\n```\n\n```c a.c\nint a;\n```\n"
        ))
    }

    #[test]
    fn commands_output_and_files_are_told_apart() {
        let blocks = page("echo a", "a");
        let expected = [("sh", "echo a\n"), ("text", "a\n"), ("c a.c", "int a;\n")];
        assert_eq!(blocks, expected.map(|(info, body)| (info.to_owned(), body.to_owned())));
        let all: String = STAND_INS.map(|(command, _)| command).join("\n");
        let script = script(&page(&all, "")).unwrap();
        assert!(script.contains("cd mneme\nmneme --version\n") && !script.contains("git clone"));
        assert!(script.contains("cat > a.c <<'END OF FILE'\nint a;\nEND OF FILE\n"));
    }

    #[test]
    fn a_page_without_a_stand_in_or_with_another_block_is_refused() {
        assert!(script(&page("echo", "")).unwrap_err().to_string().contains("git clone"));
        assert!(script(&blocks("```python\n1\n```\n")).unwrap_err().to_string().contains("python"));
    }

    #[test]
    fn output_that_was_not_printed_is_found() {
        let blocks = page("echo a", "votes: 4\nend");
        let said = |text: &str| format!("{MARK} 0\n{text}\n{MARK} 1\nend\n");
        assert_eq!(check_output(&blocks, &said("votes: 4\nend")).unwrap(), 2);
        assert!(check_output(&blocks, &said("votes: 4")).unwrap_err().to_string().contains("\"end\""));
    }
}
