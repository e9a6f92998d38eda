//! The Wireshark dissector: the tables of `mneme-wire` before a body that is written by hand, and its test by tshark.
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use mneme_wire::{Cause, Opcode, Row, Status, Trailer, header, opcode};

use crate::process::{capture, root};

#[path = "dissector/foreign.rs"]
mod foreign;

/// Where it lies, from the repository's top.
pub const FILE: &str = "wire/generated/mneme.lua";

/// A table from numbers to names.
fn names(lua: &mut String, table: &str, rows: &[Row]) {
    let _ = writeln!(lua, "local {table} = {{");
    for row in rows {
        let _ = writeln!(lua, "  [{:#04x}] = \"{}\", -- {}", row.value, row.name, row.doc);
    }
    lua.push_str("}\n");
}

/// A table from names to numbers.
fn numbers(lua: &mut String, table: &str, rows: &[Row]) {
    let list: Vec<_> = rows.iter().map(|row| format!("{} = {}", row.name, row.value)).collect();
    let _ = writeln!(lua, "local {table} = {{ {} }}", list.join(", "));
}

/// The whole file.
pub fn lua(note: &str) -> String {
    let mut lua = format!("-- {note}\n");
    let scalars = [
        ("WIRE_VERSION", u32::from(header::WIRE_VERSION)),
        ("HEADER_LEN", header::HEADER_LEN as u32),
        ("DEFAULT_UDP_PORT", header::DEFAULT_UDP_PORT.into()),
        ("TIMED_BIT", header::TIMED_BIT.into()),
        ("RESPONSE_BIT", opcode::RESPONSE_BIT.into()),
        ("STATUS_CODE_MASK", opcode::STATUS_CODE_MASK.into()),
        ("STATUS_SLOW_BIT", opcode::STATUS_SLOW_BIT.into()),
    ];
    for (name, value) in scalars {
        let _ = writeln!(lua, "local {name} = {value}");
    }
    names(&mut lua, "OPCODES", Opcode::ROWS);
    names(&mut lua, "STATUSES", Status::ROWS);
    names(&mut lua, "CAUSES", Cause::ROWS);
    names(&mut lua, "TRAILERS", Trailer::ROWS);
    numbers(&mut lua, "OP", Opcode::ROWS);
    numbers(&mut lua, "STATUS", Status::ROWS);
    numbers(&mut lua, "TRAILER", Trailer::ROWS);
    let bytes = Trailer::ALL.iter().map(|trailer| format!("[{}] = {}", trailer.number(), trailer.bytes()));
    let bytes: Vec<_> = bytes.collect();
    let _ = writeln!(lua, "local TRAILER_BYTES = {{ {} }}\n", bytes.join(", "));
    lua.push_str(include_str!("dissector.lua"));
    lua
}

/// Operations that a capture of every kind of request holds.
pub const EVERY_KIND: &[Opcode] = &[
    Opcode::Read,
    Opcode::Write,
    Opcode::CompareSwap,
    Opcode::FetchAdd,
    Opcode::Swap,
    Opcode::Fence,
    Opcode::Open,
    Opcode::Alloc,
    Opcode::Free,
    Opcode::Ping,
];

/// What tshark tells of a capture with it.
fn tshark(file: &Path, arguments: &[&str]) -> Result<String> {
    let mut tshark = Command::new("tshark");
    tshark.current_dir(root()).args(["-X", &format!("lua_script:{FILE}"), "-2", "-r"]).arg(file);
    capture(tshark.args(arguments))
}

/// Lets tshark read a capture of a board with it, at whatever port: every datagram must be read, every answer find its request, nothing
/// be wrong, and each of these operations be there.
pub fn check(file: &Path, kinds: &[Opcode]) -> Result<()> {
    let read = |arguments: &[&str]| tshark(file, arguments);
    let unread = read(&["-Y", "udp && !mneme"])?;
    let lonely = read(&["-Y", "mneme.response == 1 && !mneme.answers"])?;
    let wrong = read(&[
        "-Y",
        "mneme.wrong_length || mneme.short || mneme.other_version || _ws.lua.error || _ws.malformed",
    ])?;
    for (what, found) in [("does not read", unread), ("finds no request of", lonely), ("objects to", wrong)] {
        if !found.is_empty() {
            bail!("the dissector {what} these frames of {}:\n{found}", file.display());
        }
    }
    let fields = read(&[
        "-Y",
        "mneme",
        "-T",
        "fields",
        "-e",
        "mneme.opcode",
        "-e",
        "mneme.status",
        "-e",
        "mneme.latency",
    ])?;
    let seen: BTreeSet<&str> = fields.lines().filter_map(|line| line.split('\t').next()).collect();
    let kinds = kinds.iter().map(|opcode| format!("{:#04x}", opcode.number()));
    let missing: Vec<_> = kinds.filter(|kind| !seen.contains(kind.as_str())).collect();
    if !missing.is_empty() {
        bail!("the dissector shows no packet of the opcodes {missing:?} in {}", file.display());
    }
    let timed = fields
        .lines()
        .filter(|line| line.split('\t').nth(2).is_some_and(|latency| !latency.is_empty()))
        .count();
    println!(
        "dissector: {} packets, {timed} answers with their requests, no objection",
        fields.lines().count()
    );
    Ok(())
}

/// Lets tshark read traffic of others, and a few packets of ours among it, at a port that nobody declared: ours must be claimed, and
/// nothing else.
pub fn check_foreign(folder: &Path) -> Result<()> {
    let file = folder.join("foreign.pcap");
    let (datagrams, ours) = foreign::datagrams();
    std::fs::write(&file, foreign::pcap(&datagrams)?)?;
    let seen = tshark(&file, &["-Y", "udp", "-T", "fields", "-e", "frame.number"])?.lines().count();
    let claimed = tshark(&file, &["-Y", "mneme", "-T", "fields", "-e", "frame.number"])?;
    let claimed: Vec<usize> = claimed.lines().filter_map(|number| number.parse().ok()).collect();
    if seen != datagrams.len() || claimed != ours {
        bail!(
            "of {seen} datagrams in {} the dissector claims {claimed:?}, and ours are {ours:?}",
            file.display()
        );
    }
    // The last one, and no other, has a wrong CRC.
    let damaged =
        tshark(&file, &["-Y", "mneme.wrong_crc || _ws.lua.error", "-T", "fields", "-e", "frame.number"])?;
    if damaged.trim() != ours.last().map_or_else(String::new, usize::to_string) {
        bail!("the dissector finds wrong CRCs in {} at these frames: {damaged:?}", file.display());
    }
    println!(
        "dissector: {} packets among {seen} datagrams at port {} claimed, no others",
        ours.len(),
        foreign::PORT
    );
    Ok(())
}
