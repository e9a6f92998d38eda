//! `mneme cp`: a small application on CLib. It copies real files into remote memory, tries to read them as another process,
//! reads them back as the right one, and compares hashes.
mod files;
mod report;

use crate::connect::{BoardArgs, Kind};
use crate::fault::Fault;
use crate::intact::intact;
use crate::interrupt;
use crate::output::say;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use files::{Input, Selection};
use indicatif::{ProgressBar, ProgressStyle};
use mneme_auth::Size;
use mneme_clib::{BoardCounters, Client, Pending, Process, ReadOwned, Reason, WrittenOwned};
use mneme_wire::{Counter, Status};
use report::{Measured, Report};
use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use twox_hash::XxHash3_128;

/// Bytes of one `rwrite` or `rread`: CLib cuts it into packets and keeps several in flight.
const CHUNK: usize = 64 << 10;
/// Of these, so many are under way together: reading and hashing the next one hides their waits.
const DEPTH: usize = 8;
/// How often a write is repeated whose window closed before its answer came.
const WRITE_TRIES: usize = 4;
/// Bytes that the other process tries to read of each file.
const PEEK: usize = 64;
/// How long to wait for the board to zero what was freed, before the counters are read.
const ZEROING_PATIENCE: Duration = Duration::from_secs(10);
/// How often to look; a board that zeroed nothing meanwhile has finished.
const ZEROING_LOOK: Duration = Duration::from_millis(100);

/// Copy files into remote memory and back, and report what the board did.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    mneme cp                                     the files that git tracks here, or all files of the folder\n  \
    mneme cp README.md docs --limit 1M           named files and folders, cut at 1 MiB\n  \
    mneme cp --board 10.0.0.2:19790 --json data  for programs\n\n\
    The files are read only; nothing is written to this machine's disk.")]
pub struct CpArgs {
    /// Files and folders; none: what git tracks in the current folder, or all of its files
    #[arg(value_name = "PATHS")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,
    /// Cut the input at this size; default 4M for a simulated RTL board, 64M for others
    #[arg(long, value_name = "SIZE")]
    limit: Option<Size>,
    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
}

/// A file in remote memory.
struct Stored<'a> {
    input: &'a Input,
    /// `None` for a file without bytes.
    va: Option<u64>,
    hash: u128,
    /// Writes that were made again, since nobody knew whether they had taken effect.
    written_again: u64,
}

/// What a copy tells beside statistics.
#[derive(Default)]
struct Copied {
    /// Reads as another process that were refused.
    foreign_reads_refused: u64,
    written_again: u64,
}

/// Runs the command.
pub fn run(args: &CpArgs) -> Result<()> {
    if args.limit.is_some_and(|limit| limit.0 == 0) {
        return Err(anyhow!("a limit of 0 bytes leaves nothing to copy").context(Fault::Arguments));
    }
    let (owner, stranger) = (args.board.connect()?, args.board.connect()?);
    let standing = args.board.standing(&owner)?;
    let kind = Kind::of(&owner)?;
    let default = if kind == Kind::Rtl { Size(4 << 20) } else { Size(64 << 20) };
    let limit = args.limit.unwrap_or(default);
    let selection = files::select(&files::find(&args.paths)?, limit.0)?;
    announce(&selection, limit, args.json)?;
    let before = owner.board_counters()?;
    let began = Instant::now();
    interrupt::listen()?;
    let process = owner.open(args.board.process()).context("cannot open a process")?;
    let other = stranger.open(args.board.process()).context("cannot open the other process")?;
    let bar = progress(2 * selection.bytes)?;
    let copied = copy(&process, &other, &selection, &bar);
    bar.finish_and_clear();
    let elapsed = began.elapsed();
    // The processes end on the board whether or not the copy worked, unless it is the board that is gone.
    let gone = copied.as_ref().is_err_and(is_unreachable);
    let ended = if gone { Ok(()) } else { process.exit().and(other.exit()) };
    let Copied { foreign_reads_refused, written_again } = copied?;
    ended.context("the files were copied, but the processes could not be ended")?;
    let after = counters_at_rest(&owner)?;
    standing.map_or(Ok(()), Process::exit)?;
    let report = Report::new(&Measured {
        board: (owner.peer(), kind),
        input: (selection.inputs.len(), selection.bytes, selection.is_cut()),
        foreign_reads_refused,
        written_again,
        elapsed,
        statistics: [&owner.statistics(), &stranger.statistics()],
        counters: [&before, &after],
    });
    match args.json {
        true => say!("{}", serde_json::to_string(&report)?)?,
        false => say!("{}", report.table())?,
    }
    Ok(())
}

fn announce(selection: &Selection, limit: Size, json: bool) -> Result<()> {
    let line = match selection.is_cut() {
        true => format!(
            "input cut at {limit}: {} of {} files, {} of {}",
            selection.inputs.len(),
            selection.found_files,
            Size(selection.bytes),
            Size(selection.found_bytes),
        ),
        false => format!("copying {} files, {}", selection.inputs.len(), Size(selection.bytes)),
    };
    // Programs get nothing but the object on standard output.
    if json {
        eprintln!("{line}");
    } else {
        say!("{line}")?;
    }
    Ok(())
}

fn is_unreachable(error: &anyhow::Error) -> bool {
    let of_clib = error.chain().find_map(|cause| cause.downcast_ref::<mneme_clib::Error>());
    of_clib.is_some_and(|error| error.reason() == Some(Reason::Unreachable))
}

/// A bar on standard error; nothing when that is no terminal.
fn progress(bytes: u64) -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{msg:>8} {wide_bar} {bytes}/{total_bytes} {elapsed}")?;
    Ok(ProgressBar::new(bytes).with_style(style))
}

/// Writes, peeks, reads back, compares.
fn copy(process: &Process, other: &Process, selection: &Selection, bar: &ProgressBar) -> Result<Copied> {
    bar.set_message("write");
    let mut stored = Vec::new();
    for input in &selection.inputs {
        let file = store(process, input, bar).with_context(|| format!("writing {}", input.path.display()))?;
        stored.push(file);
    }
    bar.set_message("refused");
    let mut copied = Copied::default();
    for file in &stored {
        copied.foreign_reads_refused += peek(other, file)?;
        copied.written_again += file.written_again;
    }
    bar.set_message("read");
    for file in &stored {
        fetch(process, file, bar).with_context(|| format!("reading {} back", file.input.path.display()))?;
    }
    for va in stored.iter().filter_map(|file| file.va) {
        process.rfree(va)?;
    }
    Ok(copied)
}

/// How far the copy has come: bytes count when they are written, and again when they are read back.
fn copied(bar: &ProgressBar) -> String {
    let (done, all) = (bar.position(), bar.length().unwrap_or(0));
    format!("{} of {} written or read back in {:.1?}", Size(done), Size(all), bar.elapsed())
}

fn store<'a>(process: &Process, input: &'a Input, bar: &ProgressBar) -> Result<Stored<'a>> {
    let _span =
        tracing::debug_span!("cp", way = "write", file = %input.path.display(), bytes = input.take).entered();
    let va = match input.take {
        0 => None,
        size => Some(process.ralloc(size)?),
    };
    let mut file = File::open(&input.path)?;
    let mut hash = XxHash3_128::new();
    let Some(va) = va else {
        return Ok(Stored { input, va, hash: hash.finish_128(), written_again: 0 });
    };
    let (mut flying, mut again) = (VecDeque::<(u64, Pending<WrittenOwned>)>::new(), 0);
    for (at, want) in chunks(input.take) {
        let mut chunk = match flying.len() < DEPTH {
            true => Vec::with_capacity(CHUNK),
            false => end_write(process, &mut flying, &mut again, bar)?,
        };
        chunk.resize(want, 0);
        file.read_exact(&mut chunk).context("the file has become shorter meanwhile")?;
        hash.write(&chunk);
        flying.push_back((va + at, process.rwrite_owned_async(va + at, chunk)));
        interrupt::check(|| copied(bar))?;
    }
    while !flying.is_empty() {
        end_write(process, &mut flying, &mut again, bar)?;
    }
    Ok(Stored { input, va: Some(va), hash: hash.finish_128(), written_again: again })
}

/// The chunks of a file: where each begins, and its bytes.
fn chunks(bytes: u64) -> impl Iterator<Item = (u64, usize)> {
    (0..bytes).step_by(CHUNK).map(move |at| (at, usize::try_from(bytes - at).unwrap_or(CHUNK).min(CHUNK)))
}

/// Waits for the oldest write; its buffer. It is written again when the outcome stayed unknown: nobody else uses this
/// memory, so the same bytes twice do what they do once. `again` counts that.
fn end_write(
    process: &Process,
    flying: &mut VecDeque<(u64, Pending<WrittenOwned>)>,
    again: &mut u64,
    bar: &ProgressBar,
) -> Result<Vec<u8>> {
    let Some((va, mut pending)) = flying.pop_front() else { return Ok(Vec::new()) };
    let mut tries = WRITE_TRIES;
    let buffer = loop {
        match pending.wait() {
            Ok(buffer) => break buffer,
            Err(failed) if tries > 0 && failed.error.reason() == Some(Reason::Expired) => {
                tries -= 1;
                *again += 1;
                pending = process.rwrite_owned_async(va, failed.buffer);
            }
            Err(failed) => return Err((*failed.error).into()),
        }
    };
    bar.inc(buffer.len() as u64);
    Ok(buffer)
}

/// Reads a file's first bytes as another process: the board must refuse that.
fn peek(other: &Process, file: &Stored) -> Result<u64> {
    let Some(va) = file.va else { return Ok(0) };
    let mut buffer = [0; PEEK];
    let length = PEEK.min(usize::try_from(file.input.take).unwrap_or(PEEK));
    match other.rread(va, &mut buffer[..length]) {
        Ok(()) => {
            let seen = anyhow!("process {} could read memory of another process at {va:#x}", other.pid());
            Err(seen.context(Fault::Data))
        }
        Err(error) => match error.refusal() {
            Some((Status::Unmapped | Status::Denied, _)) => Ok(1),
            _ => Err(error).context("reading as another process"),
        },
    }
}

fn fetch(process: &Process, file: &Stored, bar: &ProgressBar) -> Result<()> {
    let (path, bytes) = (file.input.path.display(), file.input.take);
    let _span = tracing::debug_span!("cp", way = "read", file = %path, bytes).entered();
    let mut hash = XxHash3_128::new();
    let mut flying: VecDeque<Pending<ReadOwned>> = VecDeque::new();
    let mut end_read = |flying: &mut VecDeque<Pending<ReadOwned>>| -> Result<Vec<u8>> {
        let Some(pending) = flying.pop_front() else { return Ok(Vec::new()) };
        let buffer = pending.wait().map_err(|failed| *failed.error)?;
        hash.write(&buffer);
        bar.inc(buffer.len() as u64);
        Ok(buffer)
    };
    for (va, (at, want)) in file.va.into_iter().flat_map(|va| chunks(bytes).map(move |chunk| (va, chunk))) {
        let mut chunk = match flying.len() < DEPTH {
            true => Vec::with_capacity(CHUNK),
            false => end_read(&mut flying)?,
        };
        chunk.resize(want, 0);
        flying.push_back(process.rread_owned_async(va + at, chunk));
        interrupt::check(|| copied(bar))?;
    }
    while !flying.is_empty() {
        end_read(&mut flying)?;
    }
    let hash = hash.finish_128();
    intact!(hash == file.hash, "what came back has another hash (XXH3) than what was written");
    Ok(())
}

/// The board's counters once it has zeroed what it wants to of the freed pages, or when it takes too long over that.
fn counters_at_rest(client: &Client) -> Result<BoardCounters> {
    let began = Instant::now();
    let mut last = client.board_counters()?;
    loop {
        std::thread::sleep(ZEROING_LOOK);
        let counters = client.board_counters()?;
        let at_rest = counters.get(Counter::ZeroPages) == last.get(Counter::ZeroPages);
        if at_rest || began.elapsed() > ZEROING_PATIENCE {
            return Ok(counters);
        }
        last = counters;
    }
}
