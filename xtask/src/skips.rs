//! Tests that were skipped: counted, named, and red where this process could have run them.
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use mneme_skips::{FILE, Lack, Skip, note, read};

use crate::process::target_dir;

/// Capabilities of Linux (capability.h) without which no network namespace with raw drivers can be set up.
const NEEDED: [(u32, &str); 3] = [(12, "CAP_NET_ADMIN"), (13, "CAP_NET_RAW"), (21, "CAP_SYS_ADMIN")];

/// Where a run of tests notes its skips; a task by itself notes none.
#[derive(Default)]
pub struct Skips(Option<PathBuf>);

impl Skips {
    /// A new run: what an earlier one has noted is forgotten.
    pub fn begin() -> Result<Skips> {
        let folder = target_dir()?;
        std::fs::create_dir_all(&folder)?;
        let file = folder.join("skipped-tests");
        std::fs::write(&file, "").with_context(|| format!("emptying {}", file.display()))?;
        Ok(Skips(Some(file)))
    }
    /// Lets the tests that a command runs note theirs.
    pub fn of<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        match &self.0 {
            Some(file) => command.env(FILE, file),
            None => command,
        }
    }
    /// Says that part of a task is skipped.
    pub fn skip(&self, test: &str, lack: Lack, reason: &str) -> Result<()> {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let skip = Skip { lack, reason, test: test.to_owned() };
        println!("{skip}");
        match &self.0 {
            Some(file) => note(file, &skip).with_context(|| format!("writing {}", file.display())),
            None => Ok(()),
        }
    }
    /// All that were skipped so far.
    pub fn noted(&self) -> Result<Vec<Skip>> {
        let Some(file) = &self.0 else { return Ok(Vec::new()) };
        read(file).with_context(|| format!("reading {}", file.display()))
    }
    /// Fails when a test was skipped for want of privileges that this process has.
    pub fn judge(&self) -> Result<()> {
        let status = std::fs::read_to_string("/proc/self/status").context("reading /proc/self/status")?;
        judge(&self.noted()?, &missing(&status)?)
    }
}

/// The capabilities that a process lacks of those that are needed, by what proc(5) says of it.
fn missing(status: &str) -> Result<Vec<&'static str>> {
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.context("the system tells no capabilities of this process")?;
    let effective = u64::from_str_radix(effective.trim(), 16).context("reading capabilities")?;
    Ok(NEEDED.iter().filter(|(bit, _)| effective >> bit & 1 == 0).map(|(_, name)| *name).collect())
}

fn judge(skips: &[Skip], missing: &[&str]) -> Result<()> {
    let could = skips.iter().filter(|skip| skip.lack == Lack::Privileges).count();
    if could > 0 && missing.is_empty() {
        bail!(
            "{could} tests were skipped that this process has the privileges for; the list of skipped tests says why"
        );
    }
    match (could, skips.len()) {
        (_, 0) => println!("no test was skipped"),
        (0, all) => println!("{all} tests were skipped for what this system does not have"),
        (could, _) => {
            println!("{could} tests were skipped for want of privileges, {} here", missing.join(" and "))
        }
    }
    Ok(())
}

/// The list for the end of a run: each reason with its tests.
pub fn list(skips: &[Skip]) -> String {
    let mut lines = Vec::new();
    for group in skips.chunk_by(|a, b| (a.lack, &a.reason) == (b.lack, &b.reason)) {
        let who = match group[0].lack {
            Lack::Privileges => "root can run them",
            Lack::System => "not here",
        };
        lines.push(format!("skipped {} ({who}): {}", group.len(), group[0].reason));
        lines.extend(group.iter().map(|skip| format!("  {}", skip.test)));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(lack: Lack, test: &str, reason: &str) -> Skip {
        Skip { lack, reason: reason.into(), test: test.into() }
    }

    #[test]
    fn what_root_could_run_is_red_where_root_is_and_only_there() {
        let root = "Name:\tx\nCapEff:\t000001ffffffffff\n";
        let bare = "CapEff:\t00000000a80425fb\n";
        assert!(missing(root).expect("read").is_empty());
        assert_eq!(missing(bare).expect("read"), ["CAP_NET_ADMIN", "CAP_SYS_ADMIN"]);
        assert!(missing("Name:\tx\n").is_err() && missing("CapEff:\tz\n").is_err());
        let raw = [skip(Lack::Privileges, "raw", "no namespaces"), skip(Lack::System, "xdp", "no AF_XDP")];
        let error = judge(&raw, &[]).expect_err("root could have run one").to_string();
        assert!(error.starts_with("1 tests were skipped"), "{error}");
        assert!(judge(&raw, &["CAP_NET_ADMIN"]).is_ok(), "who is not root cannot");
        assert!(judge(&raw[1..], &[]).is_ok(), "nor can root run what the kernel does not know");
        assert!(judge(&[], &[]).is_ok());
    }

    #[test]
    fn skips_of_tests_and_tasks_are_listed_by_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let skips = Skips(Some(folder.path().join("skips")));
        skips.skip("C", Lack::System, "no\n AF_XDP").expect("noted");
        let script = format!("printf 'system\\tb\\tno AF_XDP\\nprivileges\\ta\\tno veth\\n' >> ${FILE}");
        let status = skips.of(Command::new("sh").args(["-c", &script])).status().expect("a shell");
        assert!(status.success());
        let expected =
            "skipped 1 (root can run them): no veth\n  a\nskipped 2 (not here): no AF_XDP\n  C\n  b";
        assert_eq!(list(&skips.noted().expect("the file")), expected);
        let nowhere = Skips::default();
        nowhere.skip("C", Lack::Privileges, "no veth").expect("only said");
        assert_eq!(nowhere.noted().expect("nothing"), []);
    }
}
