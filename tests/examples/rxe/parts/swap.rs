//! Swap on a board, as docs/guides/swap.md says it: the guest's kernel swaps to /dev/nbd0, which mneme-swap serves in the guest. A
//! program that does not fit checks every word of its memory (tests/guest/hog.c).
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use rand::Rng;
use serde_json::Value;

use crate::lab::{BOARD, Lab};
use crate::relay::Weather;

/// How long a program that swaps may take, on an emulated processor.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long anything else may.
const SOON: Duration = Duration::from_secs(60);
/// Looks for the moment in which nothing is under way.
const QUIET: usize = 50;
const SOCKET: &str = "/run/swap.sock";
/// What mneme-swap says goes here.
const LOG: &str = "/run/swap.log";

/// What is tried: how blocks get to the board, and a program that does not fit.
struct Trial {
    via: &'static str,
    /// MiB of the device, of the program, and of the control group that it runs in.
    device: u32,
    program: u32,
    group: u32,
    rounds: u32,
    weather: Weather,
}

/// 96 MiB in a group of 48 MiB, as in the trial of which the design tells; less on a simulated board, which takes longer for each page.
fn trial(lab: &Lab, via: &'static str) -> Trial {
    let (device, program, group) = match (lab.rtl, lab.short) {
        (true, true) => (48, 20, 12),
        (false, false) => (192, 96, 48),
        _ => (64, 32, 16),
    };
    Trial { via, device, program, group, rounds: 1, weather: Weather::default() }
}

/// Mneme's own packets.
pub fn by_clib(lab: &mut Lab) -> Result<()> {
    let trial = trial(lab, "clib");
    run(lab, &trial)
}

/// RDMA READ and WRITE.
pub fn by_rdma(lab: &mut Lab) -> Result<()> {
    let trial = trial(lab, "native");
    run(lab, &trial)
}

/// ODRP's chains.
pub fn by_chains(lab: &mut Lab) -> Result<()> {
    let trial = trial(lab, "chain");
    run(lab, &trial)
}

/// RDMA over a network that loses packets.
pub fn lossy(lab: &mut Lab) -> Result<()> {
    let weather = Weather { lost: 10, ..Weather::default() };
    let trial = Trial { weather, ..trial(lab, "native") };
    run(lab, &trial)
}

fn run(lab: &mut Lab, trial: &Trial) -> Result<()> {
    begin(lab, trial)?;
    let before = lab.relay.weathered();
    lab.relay.set_weather(trial.weather);
    let result = swap(lab, trial);
    lab.relay.set_weather(Weather::default());
    let lost = lab.relay.weathered()[0] - before[0];
    ensure!((lost > 0) == (trial.weather.lost > 0), "{lost} frames were lost, by {:?}", trial.weather);
    let log = lab.guest.line_of(&format!("tr '\\n' '|' <{LOG}"), SOON)?;
    result.with_context(|| format!("via {}; mneme-swap says: {log}", trial.via))?;
    end(lab, trial)
}

/// The commands of the guide.
fn begin(lab: &mut Lab, trial: &Trial) -> Result<()> {
    let Trial { via, device, .. } = trial;
    let serve = format!("serve --board {BOARD} --via {via} --size {device}M --socket {SOCKET}");
    lab.guest.line_of(&format!("mneme-swap {serve} >{LOG} 2>&1 & echo $! >/run/swap.pid"), SOON)?;
    let wait =
        format!("i=0; until [ -S {SOCKET} ]; do i=$((i + 1)); [ $i -lt 100 ] || exit 1; usleep 100000; done");
    lab.guest.line_of(&format!("({wait}) || {{ tr '\\n' '|' <{LOG}; false; }}"), SOON)?;
    lab.guest.run(&format!("nbd-client -unix {SOCKET} /dev/nbd0 -block-size 4096 -connections 1 -swap"))?;
    lab.guest.run("mkswap /dev/nbd0 && swapon -d /dev/nbd0")
}

/// The program that does not fit, and what it says.
fn swap(lab: &mut Lab, trial: &Trial) -> Result<()> {
    let Trial { program, rounds, group, .. } = trial;
    let seed: u32 = lab.rng.random();
    let folder = "/sys/fs/cgroup/hog";
    // A group that may have no more is out of memory when all of it waits for a simulated board: one that should not have more waits, too.
    let limit = if lab.rtl { "memory.high" } else { "memory.max" };
    lab.guest.run(&format!("mkdir -p {folder} && echo {group}M >{folder}/{limit}"))?;
    let command = format!("(echo 0 >{folder}/cgroup.procs && exec hog {program} {rounds} {seed})");
    let said = lab.guest.line_of(&command, PATIENCE)?;
    let number = |name: &str| -> Result<u64> {
        let value = said.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.with_context(|| format!("the program says no {name}: {said}"))?.parse().context("a number")
    };
    let (pages, checked, wrong) = (number("pages")?, number("checked")?, number("wrong")?);
    ensure!(wrong == 0 && checked == u64::from(*rounds) * pages * 512, "the program found: {said}");
    let (out, back) = (number("out")?, number("in")?);
    let over = u64::from(program - group) * 256;
    ensure!(out >= over && back >= over, "{over} pages at least do not fit, but {out} went and {back} came");
    lab.tally.operations += out + back;
    lab.tally.compared += checked * 8;
    figures(lab, trial, out, back)
}

/// What mneme-swap has counted must be what the kernel has.
fn figures(lab: &mut Lab, trial: &Trial, out: u64, back: u64) -> Result<()> {
    let mut told = Value::Null;
    // The kernel may still write pages of the program that has ended.
    for _ in 0..QUIET {
        let line = lab.guest.line_of(&format!("mneme-swap stat --json --socket {SOCKET}"), SOON)?;
        told = serde_json::from_str(&line).with_context(|| format!("no figures: {line}"))?;
        if told.pointer("/in_flight").and_then(Value::as_u64) == Some(0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    let number =
        |name: &str| told.pointer(name).and_then(Value::as_u64).with_context(|| format!("no {name}"));
    let (written, read) = (number("/counters/bytes_written")? / 4096, number("/counters/bytes_read")? / 4096);
    ensure!(written >= out && read >= back, "{written} blocks written and {read} read for {out} and {back}");
    let errors = told.pointer("/errors").and_then(Value::as_object).context("no errors")?;
    if let Some((reason, count)) = errors.iter().find(|(_, count)| count.as_u64() != Some(0)) {
        bail!("{count} requests failed: {reason}");
    }
    let (live, on_board) = (number("/live")?, number("/on_board")?);
    // RDMA has pages of 4 KB here: the board has what is live, and nothing else.
    let by_block = trial.via != "clib";
    ensure!(!by_block || live == on_board, "{live} bytes are live, and {on_board} on the board");
    lab.notes.push(format!(
        "swap via {}: {out} pages out, {back} in, sent again {}; {} of {} blocks on the board are live, {} freed",
        trial.via,
        number("/sent_again")?,
        live / 4096,
        on_board / 4096,
        number(if by_block { "/counters/blocks_freed" } else { "/counters/discarded" })?,
    ));
    Ok(())
}

/// Swap off, and mneme-swap must end well.
fn end(lab: &mut Lab, trial: &Trial) -> Result<()> {
    lab.guest.line_of("swapoff /dev/nbd0 && nbd-client -d /dev/nbd0 >/dev/console", PATIENCE)?;
    let gone = "i=0; while kill -0 $(cat /run/swap.pid) 2>/dev/null; do i=$((i + 1)); [ $i -lt 300 ] || exit 1; usleep 100000; done";
    lab.guest.line_of(&format!("kill $(cat /run/swap.pid); ({gone})"), SOON)?;
    lab.guest.line_of(&format!("[ ! -e {SOCKET} ]"), SOON).with_context(|| format!("via {}", trial.via))?;
    Ok(())
}
