//! Bounds on time: a program that waits for ever ends its step with an error that names it, before CI's own time is over.
use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Result, bail};

/// How long a step may go on when its programs have been ended.
const AFTERWARDS: Duration = Duration::from_secs(60);

/// Does some work, which may take so long. Then the programs that it has started are told and killed, and it is an error;
/// those that ran before stay. Work that goes on without them ends this program.
pub fn within(longest: Duration, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let before = Processes::now().children(std::process::id());
    let (done, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            if ended.recv_timeout(longest) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let late = Processes::now().descendants(std::process::id(), &before);
            println!("{}", told(&late, longest));
            kill(&late);
            if ended.recv_timeout(AFTERWARDS) == Err(RecvTimeoutError::Timeout) {
                println!("the step goes on without the programs that it has started: giving up");
                // Those that ran before, too: nobody is left to end them.
                kill(&Processes::now().descendants(std::process::id(), &[]));
                std::process::exit(1);
            }
            Some(told(&late, longest))
        });
        let result = work();
        drop(done);
        match (watch.join(), result) {
            (Ok(Some(late)), Ok(())) => bail!(late),
            (Ok(Some(late)), Err(error)) => Err(error.context(late)),
            (_, result) => result,
        }
    })
}

/// What an error says of programs that are late.
fn told(late: &[Process], longest: Duration) -> String {
    let lines = late.iter().map(|process| format!("\n  {} {}", process.pid, process.line));
    let minutes = longest.as_secs_f64() / 60.0;
    format!("not done after {minutes:.1} minutes; these ran, and were killed:{}", lines.collect::<String>())
}

fn kill(late: &[Process]) {
    let pids = late.iter().map(|process| process.pid.to_string());
    // One that has ended meanwhile is as good.
    let _ended = Command::new("kill").arg("-KILL").args(pids).stderr(Stdio::null()).status();
}

/// A process of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Process {
    pid: u32,
    parent: u32,
    /// Its command line, or its name where it has none.
    line: String,
}

/// The processes of this machine, as proc(5) tells them.
struct Processes(Vec<Process>);

impl Processes {
    fn now() -> Processes {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        Processes(pids.filter_map(process).collect())
    }
    fn children(&self, of: u32) -> Vec<u32> {
        self.0.iter().filter(|process| process.parent == of).map(|process| process.pid).collect()
    }
    /// All below one, parents first, but for some and what is below them.
    fn descendants(&self, of: u32, but: &[u32]) -> Vec<Process> {
        let mut below: HashMap<u32, Vec<&Process>> = HashMap::new();
        self.0.iter().for_each(|process| below.entry(process.parent).or_default().push(process));
        let (mut found, mut at): (Vec<Process>, _) = (Vec::new(), 0);
        let mut next = Some(of);
        while let Some(parent) = next {
            let children = below.remove(&parent).unwrap_or_default();
            found.extend(children.into_iter().filter(|child| !but.contains(&child.pid)).cloned());
            next = found.get(at).map(|process| process.pid);
            at += 1;
        }
        found
    }
}

fn process(pid: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name in parentheses, which may have spaces in it; the fourth is the parent.
    let (start, fields) = stat.rsplit_once(") ")?;
    let parent = fields.split(' ').nth(1)?.parse().ok()?;
    let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let line = line.trim_end_matches('\0').replace('\0', " ");
    let name = start.split_once('(').map_or("", |(_, name)| name);
    Some(Process { pid, parent, line: if line.is_empty() { name.to_owned() } else { line } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::run;

    fn sleeps(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    /// Programs of other tests are this process's children, too: whatever kills has a process of its own.
    fn alone(name: &str) {
        let mut test = Command::new(std::env::current_exe().expect("this program's own file"));
        let output = test.args(["--exact", "--ignored", name]).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }

    #[test]
    fn a_step_that_hangs_ends_and_names_what_it_waited_for() {
        alone("within::tests::hangs");
    }

    #[test]
    #[ignore = "it kills the children of its process: the test above runs it"]
    fn hangs() {
        let error = within(Duration::from_millis(300), || run(&mut sleeps("sleep 4321 & wait")))
            .expect_err("it takes too long");
        let text = format!("{error:#}");
        assert!(text.contains("sleep 4321") && text.contains("not done after"), "{text}");
        // What has been killed takes a moment to be gone.
        let left = || Processes::now().0.iter().any(|process| process.line == "sleep 4321");
        let gone = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            !left()
        });
        assert!(gone);
    }

    #[test]
    fn what_ran_before_stays_and_what_ends_in_time_is_let_alone() {
        alone("within::tests::spares");
    }

    #[test]
    #[ignore = "it kills the children of its process: the test above runs it"]
    fn spares() {
        let mut before = sleeps("exec sleep 1234").spawn().expect("it starts");
        within(Duration::from_millis(300), || run(&mut sleeps("exec sleep 1233"))).expect_err("too long");
        assert!(before.try_wait().expect("a child").is_none(), "it was not the step's");
        within(Duration::from_secs(60), || run(&mut sleeps("true"))).expect("it ends by itself");
        before.kill().expect("it is there");
        before.wait().expect("it ends");
    }
}
