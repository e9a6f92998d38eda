//! Tests that cannot run where they are say so here: which, and what they lack. Test runners keep the output of tests that
//! pass, so each skip goes to standard error and, a line each, to the file that [`FILE`] names. `cargo xtask test` names one, and
//! fails when a test was skipped for want of privileges that it has.
use std::fmt::{self, Arguments, Display, Formatter};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// The environment variable that names the file of skips.
pub const FILE: &str = "MNEME_SKIPS";

/// What a skipped test lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// Privileges: root can run it.
    Privileges,
    /// Something that the kernel or the machine does not have; root cannot run it either.
    System,
}

impl Lack {
    const ALL: [Lack; 2] = [Lack::Privileges, Lack::System];

    fn word(self) -> &'static str {
        match self {
            Lack::Privileges => "privileges",
            Lack::System => "system",
        }
    }
}

/// A test that did nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// What it lacks.
    pub lack: Lack,
    /// Why it was skipped, in words.
    pub reason: String,
    /// The test.
    pub test: String,
}

impl Display for Skip {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: skipped, for {}", self.test, self.reason)
    }
}

/// Says that a test does nothing, and why.
///
/// # Panics
/// When [`FILE`] names a file that cannot be written: a skip that nobody hears of must not look like a test that passed.
pub fn skipped(test: &str, lack: Lack, reason: Arguments) {
    // A line and its parts have ends of their own.
    let plain = |text: &str| text.split(['\t', '\n', '\r']).collect::<Vec<_>>().join(" ");
    let skip = Skip { lack, reason: plain(&reason.to_string()), test: plain(test) };
    // Not by a macro for printing, whose output test runners keep of tests that pass.
    let _nobody_reads = writeln!(io::stderr(), "{skip}");
    if let Some(file) = std::env::var_os(FILE) {
        note(Path::new(&file), &skip).unwrap_or_else(|error| panic!("noting a skip in {file:?}: {error}"));
    }
}

/// Adds a skip to a file, which is made if it is not there.
pub fn note(file: &Path, skip: &Skip) -> io::Result<()> {
    let line = format!("{}\t{}\t{}\n", skip.lack.word(), skip.test, skip.reason);
    // In one piece: other tests write to it, too.
    OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
}

/// The skips that a file holds, in order and each once; none where there is no file.
pub fn read(file: &Path) -> io::Result<Vec<Skip>> {
    let text = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let mut skips = text.lines().map(parse).collect::<io::Result<Vec<_>>>()?;
    skips.sort();
    skips.dedup();
    Ok(skips)
}

fn parse(line: &str) -> io::Result<Skip> {
    let parts: Vec<&str> = line.split('\t').collect();
    let lack = parts.first().and_then(|word| Lack::ALL.into_iter().find(|lack| lack.word() == *word));
    match (lack, &parts[1..]) {
        (Some(lack), [test, reason]) => {
            Ok(Skip { lack, reason: (*reason).to_owned(), test: (*test).to_owned() })
        }
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, format!("no line of a skip: `{line}`"))),
    }
}
