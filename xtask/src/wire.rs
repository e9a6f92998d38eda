//! `cargo xtask wire`: Scala constants, C constants, the Wireshark dissector and documentation from the tables of `mneme-wire`.
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use mneme_wire::layout::{Body, EXCHANGES, Field, LAYOUTS};
use mneme_wire::payload::{AllocClass, AllocUnit};
use mneme_wire::{
    Cause, ChainCommand, ChainCounter, ChainRegister, ChainResult, Counter, DeviceRegister, HostKind,
    HostRegister, LeafCounter, LeafOrder, LeafRegister, LeafResult, Mark, MatAction, NodeCounter, Opcode,
    PortCounter, PortRegister, Register, ReplaceStatus, RoceCommand, RoceCounter, RoceRegister, RoceResult,
    Row, Stage, Status, TagMode, Target, Trailer, chain, device, header, host, leaf, opcode, pte, register,
    roce,
};

use crate::dissector;

struct Table {
    scala: &'static str,
    c: &'static str,
    title: &'static str,
    rows: &'static [Row],
}

const TABLES: &[Table] = &[
    Table { scala: "Opcode", c: "OP", title: "Opcodes", rows: Opcode::ROWS },
    Table { scala: "Status", c: "STATUS", title: "Status codes", rows: Status::ROWS },
    Table { scala: "Cause", c: "CAUSE", title: "Causes", rows: Cause::ROWS },
    Table { scala: "Trailer", c: "TRAILER", title: "Trailers", rows: Trailer::ROWS },
    Table { scala: "PageState", c: "PAGE_STATE", title: "Page states", rows: pte::PageState::ROWS },
    Table { scala: "Register", c: "REG", title: "Registers", rows: Register::ROWS },
    Table { scala: "MatAction", c: "MAT_ACTION", title: "Match-action table actions", rows: MatAction::ROWS },
    Table { scala: "TagMode", c: "TAG_MODE", title: "Tag modes", rows: TagMode::ROWS },
    Table { scala: "ReplaceStatus", c: "REPLACE", title: "Replace status", rows: ReplaceStatus::ROWS },
    Table { scala: "Counter", c: "COUNTER", title: "Counters", rows: Counter::ROWS },
    Table { scala: "Mark", c: "COUNTER", title: "High-water marks", rows: Mark::ROWS },
    Table { scala: "Stage", c: "COUNTER", title: "Stages with a histogram", rows: Stage::ROWS },
    Table { scala: "Target", c: "TARGET", title: "Targets", rows: Target::ROWS },
    Table { scala: "DeviceRegister", c: "REG", title: "Device registers", rows: DeviceRegister::ROWS },
    Table {
        scala: "PortRegister",
        c: "REG",
        title: "Registers of an Ethernet port",
        rows: PortRegister::ROWS,
    },
    Table { scala: "PortCounter", c: "PORT", title: "Counters of an Ethernet port", rows: PortCounter::ROWS },
    Table { scala: "HostKind", c: "HOST_KIND", title: "Kinds of a host's frames", rows: HostKind::ROWS },
    Table {
        scala: "HostRegister",
        c: "REG",
        title: "Registers of a board whose slow path is a host",
        rows: HostRegister::ROWS,
    },
    Table {
        scala: "RoceRegister",
        c: "REG",
        title: "Registers of the RoCEv2 port",
        rows: RoceRegister::ROWS,
    },
    Table {
        scala: "RoceCommand",
        c: "ROCE_COMMAND",
        title: "Commands to the RoCEv2 port",
        rows: RoceCommand::ROWS,
    },
    Table { scala: "RoceResult", c: "ROCE_RESULT", title: "Results of those", rows: RoceResult::ROWS },
    Table { scala: "RoceCounter", c: "ROCE", title: "Counters of the RoCEv2 port", rows: RoceCounter::ROWS },
    Table { scala: "LeafRegister", c: "REG", title: "Registers of the leaf unit", rows: LeafRegister::ROWS },
    Table { scala: "LeafOrder", c: "LEAF_ORDER", title: "Commands to the leaf unit", rows: LeafOrder::ROWS },
    Table { scala: "LeafResult", c: "LEAF_RESULT", title: "Results of those", rows: LeafResult::ROWS },
    Table { scala: "LeafCounter", c: "LEAF", title: "Counters of the leaf unit", rows: LeafCounter::ROWS },
    Table { scala: "ChainRegister", c: "REG", title: "Registers of chains", rows: ChainRegister::ROWS },
    Table {
        scala: "ChainCommand",
        c: "CHAIN_COMMAND",
        title: "Commands about chains",
        rows: ChainCommand::ROWS,
    },
    Table { scala: "ChainResult", c: "CHAIN_RESULT", title: "Results of those", rows: ChainResult::ROWS },
    Table { scala: "ChainCounter", c: "CHAIN", title: "Counters of chains", rows: ChainCounter::ROWS },
    Table { scala: "NodeCounter", c: "NODE_COUNTER", title: "Node counters", rows: NodeCounter::ROWS },
    Table { scala: "AllocUnit", c: "ALLOC_UNIT", title: "Allocation units", rows: AllocUnit::ROWS },
    Table { scala: "AllocClass", c: "ALLOC_CLASS", title: "Allocation classes", rows: AllocClass::ROWS },
];

fn scalars() -> Vec<(&'static str, u32, &'static str)> {
    let mut all = vec![
        ("WIRE_VERSION", header::WIRE_VERSION.into(), "The wire version."),
        ("HEADER_LEN", header::HEADER_LEN as u32, "Bytes of the Mneme header."),
        ("DEFAULT_UDP_PORT", header::DEFAULT_UDP_PORT.into(), "The board's UDP port unless told otherwise."),
        ("RESPONSE_BIT", opcode::RESPONSE_BIT.into(), "Marks a response in the opcode byte."),
        (
            "TIMED_BIT",
            header::TIMED_BIT.into(),
            "Timed, in the first byte: asks for cycles in TIME, or tells that they are there.",
        ),
        ("STATUS_CODE_MASK", opcode::STATUS_CODE_MASK.into(), "The code within the status byte."),
        ("STATUS_SLOW_BIT", opcode::STATUS_SLOW_BIT.into(), "The request waited."),
        ("MAGIC", register::MAGIC, "Value of the MAGIC register."),
        ("COUNTER_BASE", register::COUNTER_BASE, "Offset of the first counter."),
        ("HISTOGRAM_BASE", register::HISTOGRAM_BASE, "Counter number of the first histogram's first bucket."),
        (
            "HISTOGRAM_BUCKETS",
            register::HISTOGRAM_BUCKETS,
            "Buckets of a histogram, in powers of two of cycles.",
        ),
        ("BUILD_SIMULATED", register::BUILD_SIMULATED, "BUILD_FLAGS: built for simulation."),
        (
            "BUILD_DOORS_BIT",
            register::BUILD_DOORS_BIT,
            "BUILD_FLAGS: lowest bit of the doors less one, two bits.",
        ),
        (
            "BUILD_WAITING_LISTS",
            register::BUILD_WAITING_LISTS,
            "BUILD_FLAGS: misses that find all miss entries taken wait in lists.",
        ),
        (
            "BUILD_TRAILERS",
            register::BUILD_TRAILERS,
            "BUILD_FLAGS: trailers are checked, and answers have them.",
        ),
        ("BUILD_LEAF", register::BUILD_LEAF, "BUILD_FLAGS: split pages are served by a leaf unit."),
        (
            "BUILD_RDMA",
            register::BUILD_RDMA,
            "BUILD_FLAGS: a RoCEv2 port stands at the second door; its registers begin at ROCE_BASE.",
        ),
        (
            "BUILD_CHAINS",
            register::BUILD_CHAINS,
            "BUILD_FLAGS: the RoCEv2 port of hardware has chains; their registers begin at CHAIN_BASE.",
        ),
        (
            "BUILD_BASE",
            register::BUILD_BASE,
            "COUNTERS number of the first register; a register of the build has this plus its offset in words.",
        ),
        ("MAT_ROWS", register::MAT_ROWS as u32, "Rows of the match-action table."),
        ("AWAY_ROWS", register::AWAY_ROWS as u32, "Rows of the away table."),
        (
            "SHARE_GROUPS",
            register::SHARE_GROUPS as u32,
            "Groups of service classes that have shares of the TLB and of its misses.",
        ),
        ("BUCKET_ENTRIES", pte::BUCKET_ENTRIES as u32, "Entries of a page-table bucket."),
        ("VA_BITS", pte::VA_BITS, "Bits of a virtual address."),
        ("PID_BITS", pte::PID_BITS, "Bits of a process id."),
        ("CLASS_BITS", mneme_wire::Pid::CLASS_BITS, "Top bits of a process id that are its service class."),
        ("PPN_BITS_MIN", pte::PPN_BITS_MIN, "PPN bits of an entry never number fewer."),
    ];
    let others = [host::CONSTANTS, roce::CONSTANTS, leaf::CONSTANTS, chain::CONSTANTS];
    let blocks = device::CONSTANTS.iter().chain(others.into_iter().flatten());
    all.extend(blocks.map(|row| (row.name, row.value, row.doc)));
    all
}

/// A name, what it says, and which opcodes it means.
type OpcodeSet = (&'static str, &'static str, fn(Opcode) -> bool);

/// What hardware has to know of opcodes beyond their numbers.
const OPCODE_SETS: [OpcodeSet; 2] = [
    ("fast", "Operations that the fast path executes by itself.", Opcode::is_fast),
    ("atomic", "Atomics on one aligned 8-byte word.", Opcode::is_atomic),
];

/// The names of a set's opcodes, in the order of their numbers.
fn names(set: fn(Opcode) -> bool) -> String {
    let belongs = |row: &&Row| u8::try_from(row.value).ok().and_then(Opcode::from_number).is_some_and(set);
    Opcode::ROWS.iter().filter(belongs).map(|row| row.name).collect::<Vec<_>>().join(", ")
}

const NOTE: &str = "Generated by `cargo xtask wire` from the crate mneme-wire. Do not edit.";

fn scala() -> String {
    let mut s = format!("// {NOTE}\npackage mneme.wire\n\nobject Wire {{\n");
    for (name, value, doc) in scalars() {
        let _ = writeln!(s, "  /** {doc} */\n  val {name} = {value}L.toInt");
    }
    s.push_str("\n  /** First byte and length of each header field. */\n  object Field {\n");
    for (name, at, len, _) in header::FIELDS {
        let _ = writeln!(s, "    val {name} = ({at}, {len})");
    }
    s.push_str("  }\n\n  /** Bit positions of a page-table entry. */\n  object Pte {\n");
    for (name, bit, doc) in pte::BITS {
        let _ = writeln!(s, "    /** {doc} */\n    val {name} = {bit}");
    }
    s.push_str("  }\n");
    for t in TABLES {
        let _ = writeln!(s, "\n  object {} {{", t.scala);
        for row in t.rows {
            let _ = writeln!(s, "    /** {} */\n    val {} = {:#x}", row.doc, row.name, row.value);
        }
        for (name, doc, set) in OPCODE_SETS.into_iter().filter(|_| t.scala == "Opcode") {
            let _ = writeln!(s, "    /** {doc} */\n    val {name}: Seq[Int] = Seq({})", names(set));
        }
        let list: Vec<_> = t.rows.iter().map(|r| format!("\"{}\" -> {:#x}", r.name, r.value)).collect();
        let _ = writeln!(s, "    val all: Seq[(String, Int)] = Seq({})\n  }}", list.join(", "));
    }
    s.push_str("}\n");
    s
}

fn c_header() -> String {
    let mut s = format!("/* {NOTE} */\n#ifndef MNEME_WIRE_H\n#define MNEME_WIRE_H\n\n");
    for (name, value, doc) in scalars() {
        let _ = writeln!(s, "/* {doc} */\n#define MNEME_{name} {value:#x}u");
    }
    for (name, at, len, doc) in header::FIELDS {
        let _ =
            writeln!(s, "/* {doc} */\n#define MNEME_FIELD_{name} {at}\n#define MNEME_FIELD_{name}_LEN {len}");
    }
    for (name, bit, doc) in pte::BITS {
        let _ = writeln!(s, "/* {doc} */\n#define MNEME_PTE_{name}_BIT {bit}");
    }
    for t in TABLES {
        let _ = writeln!(s, "\n/* {} */", t.title);
        for row in t.rows {
            let _ = writeln!(s, "#define MNEME_{}_{} {:#x}u /* {} */", t.c, row.name, row.value, row.doc);
        }
    }
    s.push_str("\n#endif\n");
    s
}

/// What a page says of what follows a header.
fn body(body: Body) -> String {
    match body {
        Body::Nothing => "nothing".into(),
        Body::Data => "`length` bytes of data".into(),
        Body::Fields(layout) => {
            let bytes = match layout.repeated {
                None => layout.len().to_string(),
                Some(again) => format!("{} + {} × {}", layout.len(), size(again.fields), again.times),
            };
            format!("[{}](#{}), {bytes} bytes", layout.name, layout.name.to_lowercase().replace(' ', "-"))
        }
    }
}

/// Bytes of some fields.
fn size(fields: &[Field]) -> usize {
    fields.iter().map(|field| field.bytes).sum()
}

/// Operations with what they carry, and every layout field by field.
fn payloads(s: &mut String) {
    s.push_str(
        "\n## Payloads\n\n\
        The header is in network byte order; integers of payloads are little-endian. An answer that is not OK is a header alone.\n\
        A field called *zero* must be 0: anything else is answered UNSUPPORTED, cause OPTION. \
        A payload of another length is answered BADREQUEST, cause LENGTH.\n\n\
        | operation | request's `va` | request's `length` | request carries | OK answer's `length` | OK answer carries |\n\
        |---|---|---|---|---|---|\n",
    );
    for e in EXCHANGES {
        let (name, request, answer) = (e.opcode.name(), body(e.request), body(e.answer));
        let _ =
            writeln!(s, "| {name} | {} | {} | {request} | {} | {answer} |", e.va, e.length, e.answer_length);
    }
    for layout in LAYOUTS {
        let _ = writeln!(s, "\n### {}\n", layout.name);
        if !layout.doc.is_empty() {
            let _ = writeln!(s, "{}\n", layout.doc);
        }
        s.push_str("| offset | bytes | field | meaning |\n|---|---|---|---|\n");
        for field in layout.fields {
            let _ = writeln!(s, "| {} | {} | {} | {} |", field.at, field.bytes, field.name, field.doc);
        }
        if let Some(again) = layout.repeated {
            for field in again.fields {
                let (at, each) = (layout.len() + field.at, size(again.fields));
                let _ =
                    writeln!(s, "| {at} + {each} × i | {} | {} | {} |", field.bytes, field.name, field.doc);
            }
            let _ = writeln!(s, "\ni counts from 0; {} of them, {} at most.", again.times, again.max);
        }
    }
}

fn docs() -> String {
    let mut s = format!(
        "<!-- {NOTE} -->\n# The wire in numbers\n\nHow a client uses them: [protocol.md](protocol.md). How the parts of a board use them: [contracts.md](contracts.md).\n\n## Header\n\n| field | byte | bytes | meaning |\n|---|---|---|---|\n"
    );
    for (name, at, len, doc) in header::FIELDS {
        let _ = writeln!(s, "| {name} | {at} | {len} | {doc} |");
    }
    s.push_str("\n## Constants\n\n| name | value | meaning |\n|---|---|---|\n");
    for (name, value, doc) in scalars() {
        let _ = writeln!(s, "| {name} | {value:#x} | {doc} |");
    }
    s.push_str("\n## Page-table entry\n\n| bit | name | meaning |\n|---|---|---|\n");
    for (name, bit, doc) in pte::BITS {
        let _ = writeln!(s, "| {bit} | {name} | {doc} |");
    }
    payloads(&mut s);
    for t in TABLES {
        let _ = writeln!(s, "\n## {}\n\n| number | name | meaning |\n|---|---|---|", t.title);
        for row in t.rows {
            let _ = writeln!(s, "| {:#04x} | {} | {} |", row.value, row.name, row.doc);
        }
    }
    s.push_str("\n## Registers that COUNTERS answers\n\nThey tell of the board's build. MAGIC is 0 where the board is older than these numbers.\n\n| number | register |\n|---|---|\n");
    for register in Register::BUILD {
        let _ = writeln!(s, "| {:#04x} | {} |", register.build_number(), register.name());
    }
    s
}

/// Writes the generated files, or, with `check`, fails when one of them is stale.
pub fn run(root: &Path, check: bool) -> Result<()> {
    let files = [
        ("hw/src/main/scala/mneme/wire/Wire.scala", scala()),
        ("wire/generated/mneme_wire.h", c_header()),
        (dissector::FILE, dissector::lua(NOTE)),
        ("docs/reference/wire.md", docs()),
    ];
    for (name, text) in files {
        let path = root.join(name);
        if check {
            let found = std::fs::read_to_string(&path).with_context(|| format!("reading {name}"))?;
            if found != text {
                bail!("{name} is stale: run `cargo xtask wire` and commit the result");
            }
            continue;
        }
        std::fs::create_dir_all(path.parent().expect("every file lies in a folder"))?;
        std::fs::write(&path, text).with_context(|| format!("writing {name}"))?;
        println!("wrote {name}");
    }
    Ok(())
}
