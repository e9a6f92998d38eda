//! Standard output, whose reader may go away at any time.
use std::fmt::Arguments;
use std::io::{self, Write};

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

/// Whether a command failed only because nobody reads its output any more, as behind `head`.
pub fn reader_gone(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
