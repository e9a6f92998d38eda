//! The command in a process of its own, and boards that it runs.
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub fn mneme(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mneme"));
    command.args(args);
    command
}

pub fn run(args: &[&str]) -> Output {
    mneme(args).output().expect("the command runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that must fail, with these words and in bounded time.
pub fn fails(args: &[&str], words: &str) {
    let began = Instant::now();
    let output = run(args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: ") && said.contains(words), "{said}");
    assert!(
        said.contains("\nMNM-") && said.contains("docs/reference/errors.md"),
        "every error has an id: {said}"
    );
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// A board in a process of its own; killed when dropped.
pub struct Board {
    child: Child,
    output: BufReader<ChildStdout>,
    address: String,
    greeting: String,
}

impl Board {
    /// On a free port.
    pub fn start(args: &[&str]) -> Board {
        Board::start_at("127.0.0.1:0", args)
    }
    /// On a free port of an address that no test of another `number` has. So nobody takes the port while the board is away.
    pub fn start_to_return(number: u8, args: &[&str]) -> Board {
        let process = std::process::id();
        let listen = format!("127.{}.{}.{number}:0", (process >> 8) as u8 | 0x80, process as u8);
        Board::start_at(&listen, args)
    }
    pub fn start_at(listen: &str, args: &[&str]) -> Board {
        let mut child =
            mneme(&[&["board", "--listen", listen], args].concat()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        output.read_line(&mut greeting).expect("a first line");
        let address = greeting.split(' ').nth(2).expect("an address").trim_end_matches(':').to_string();
        Board { child, output, address, greeting }
    }
    pub fn address(&self) -> &str {
        &self.address
    }
    /// The first line that it said.
    pub fn greeting(&self) -> &str {
        &self.greeting
    }
    /// The next line that it says.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line
    }
    pub fn epoch(&self) -> u32 {
        let after = self.greeting.split("epoch ").nth(1).expect("an epoch");
        after.split(',').next().unwrap().trim().parse().expect("a number")
    }
    /// Asks by signal for the counters; answers what the board says, up to the last line of them.
    pub fn report(&mut self) -> String {
        assert!(
            Command::new("kill").args(["-USR1", &self.child.id().to_string()]).status().unwrap().success()
        );
        let mut said = String::new();
        while !said.contains("SLOW_TX") {
            assert!(self.output.read_line(&mut said).unwrap() > 0, "the board has ended: {said}");
        }
        said
    }
    /// Terminates the board as an administrator would; answers what it says at the end.
    pub fn end(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(&id).status().unwrap().success());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success(), "{rest}");
        rest
    }
    /// Sends it a signal, as kill(1) names them.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
    /// SIGKILL: no handler runs, nothing is said or saved.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
