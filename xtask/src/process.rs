//! Child processes: shown before they run, and an error that names them when they fail.
use std::io::{BufRead, BufReader, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::hw_bench::BOARDS;
use crate::test::PROFILE;

/// The repository's top folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}

/// The command line as a person would type it, without the folder of the program.
pub fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|a| {
        let word = a.to_string_lossy();
        if word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
    }));
    words.join(" ")
}

/// Prints the command, runs it with the terminal's output and fails unless it ends well.
pub fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed: {status}");
    }
    Ok(())
}

/// Lines of a command that wait to be shown.
const LINES: usize = 1024;
/// Of a command that has ended nothing more comes after such a silence.
const SILENCE: Duration = Duration::from_secs(1);
/// For how long it is listened to after its end: programs that it has left behind may go on talking.
const AFTER_ITS_END: Duration = Duration::from_secs(10);

/// As `run`, and hands each line that is shown to `tell`: standard output and standard error as one, as they come.
pub fn run_and_tell(command: &mut Command, mut tell: impl FnMut(&str)) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let (from, to) = pipe().context("cannot make a pipe")?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(to.try_clone()?)
        .stderr(to)
        .spawn()
        .with_context(|| format!("cannot start `{line}`"))?;
    // The command holds writing ends of the pipe too: it would never be seen to end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, lines) = sync_channel(LINES);
    std::thread::spawn(move || {
        let shown = BufReader::new(from).split(b'\n').map_while(Result::ok);
        // Nobody listens any more when the command has ended.
        let _all = shown.map(|line| sender.send(line)).take_while(Result::is_ok).count();
    });
    let mut ended = None;
    while ended.is_none_or(|at: Instant| at.elapsed() < AFTER_ITS_END) {
        // Before the wait: what it says last is heard.
        if ended.is_none() && child.try_wait()?.is_some() {
            ended = Some(Instant::now());
        }
        match lines.recv_timeout(SILENCE) {
            Ok(line) => {
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                tell(line.trim_end());
            }
            Err(RecvTimeoutError::Disconnected) => break,
            // A program that it has left behind may hold the pipe for ever.
            Err(RecvTimeoutError::Timeout) if ended.is_some() => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{line}` failed: {status}");
    }
    Ok(())
}

/// Runs the command in silence and returns what it wrote to its standard output.
pub fn capture(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program can be started at all with these arguments and says that it is well.
pub fn answers(program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// `cargo`, the one that runs this task, in the repository's folder.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Files under version control whose names end in one of `extensions`, and new ones that are not ignored.
pub fn tracked(extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let root = root();
    let list = capture(Command::new("git").current_dir(&root).args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))?;
    let wanted = |p: &Path| {
        p.extension().is_some_and(|e| extensions.iter().any(|x| e == *x)) && root.join(p).is_file()
    };
    Ok(list.split('\0').filter(|n| !n.is_empty()).map(PathBuf::from).filter(|p| wanted(p)).collect())
}

/// Where cargo puts what it builds.
pub fn target_dir() -> Result<PathBuf> {
    let metadata = capture(cargo().args(["metadata", "--format-version=1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).context("reading cargo's metadata")?;
    let folder = metadata["target_directory"].as_str().context("cargo's metadata names no target folder")?;
    Ok(PathBuf::from(folder))
}

/// A kind of program that a package has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Bin,
    Example,
    /// The tests of one file.
    Test,
}

/// What is built for tests has the features of a test of the whole workspace, so that nothing is compiled twice.
pub fn like_tests<'a>(command: &'a mut Command, profile: &str) -> &'a mut Command {
    if profile == PROFILE {
        command.args(["--features", "mneme-tests/planted-faults"]).args(["--features", &BOARDS.join(",")]);
    }
    command
}

/// Builds a program of the workspace and answers a command that runs it in the repository's folder. Features are those that the whole
/// workspace asks for, as in the build of everything: asked for by its package alone, it would have all it needs built once more.
pub fn built(target: Target, name: &str, profile: &str, features: &[&str]) -> Result<Command> {
    let (option, folder) = match target {
        Target::Bin => ("--bin", ""),
        Target::Example => ("--example", "examples"),
        Target::Test => ("--test", "deps"),
    };
    let mut build = cargo();
    like_tests(build.args(["build", "--quiet", "--workspace", "--profile", profile, option, name]), profile);
    for feature in features {
        build.args(["--features", feature]);
    }
    let program = match target {
        // Its name has a hash.
        Target::Test => executable(&capture(build.arg("--message-format=json"))?, name)?,
        Target::Bin | Target::Example => {
            run(&mut build)?;
            target_dir()?.join(profile).join(folder).join(name)
        }
    };
    let mut command = Command::new(program);
    command.current_dir(root());
    Ok(command)
}

/// The program of this name, of which cargo's messages tell.
fn executable(messages: &str, name: &str) -> Result<PathBuf> {
    let of = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let path = message["executable"].as_str()?;
        (message["target"]["name"] == name).then(|| PathBuf::from(path))
    };
    messages.lines().find_map(of).with_context(|| format!("cargo built no {name}"))
}

/// The processors' time that this process and its children that have ended took, as proc(5) tells it.
pub fn worked() -> Duration {
    std::fs::read_to_string("/proc/self/stat").ok().and_then(|stat| ticks(&stat)).unwrap_or_default()
}

/// Times of a process and its children, user's and system's, are the 14th to 17th fields, in hundredths of a second. The second field is
/// a name, which may have spaces in it.
fn ticks(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let times = fields.split(' ').skip(11).take(4).map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(10 * times.sum::<Option<u64>>()?))
}

/// Does the same to all, as much at once as there are processors.
pub fn at_once<T: Send>(all: Vec<T>, each: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let left = Mutex::new(all);
    let worker = || {
        // The lock is given back before the work begins.
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some(one) = next() {
            each(&one)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
        let mut ends = workers.into_iter().map(|thread| match thread.join() {
            Ok(end) => end,
            Err(_) => bail!("a thread that works beside others panicked"),
        });
        ends.try_for_each(|end| end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_processors_are_those_of_a_process_and_its_children() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 200 0 0 150 25 1000 75 20 0 1 0 300 0 0";
        assert_eq!(ticks(stat), Some(Duration::from_millis(12_500)));
        let before = worked();
        run(Command::new("sh").args(["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done"]))
            .expect("it counts");
        assert!(worked() > before);
    }

    #[test]
    fn what_a_command_leaves_behind_keeps_nobody_waiting() {
        let mut told = Vec::new();
        let script = "(sleep 60; echo late) & echo out; echo err >&2; exit 3";
        let result = run_and_tell(Command::new("sh").args(["-c", script]), |line| told.push(line.to_owned()));
        assert!(result.expect_err("it ends with 3").to_string().contains("exit status: 3"));
        assert_eq!(told, ["out", "err"]);
    }
}
