//! One source takes all the memory that it is given, and writes to it: what is left for others.
use anyhow::Result;
use mneme_tests::figures::{Bound, Table};
use mneme_tests::rig::Config;
use mneme_wire::{Opcode, Rights, Status};

use crate::board::{Board, Kind};
use crate::contest::exactly;
use crate::report::Report;
use crate::stranger::Stranger;
use crate::{ATTACKER, Options, VICTIM};

/// Of the board's pages, one part in so many is what another tenant can count on.
const RESERVE: u64 = 16;
/// Refused writes after which the attacker has seen enough.
const ENOUGH: u64 = 3;

/// What somebody has got.
#[derive(Default)]
struct Taken {
    pages: u64,
    written: u64,
    refused_writes: u64,
    refusal: String,
}

/// Allocates ranges of at most so many pages, longest first, until `most` are there, and writes to each page.
fn take(stranger: &mut Stranger, pid: u32, longest: u64, most: u64) -> Result<Taken> {
    let (mut taken, mut pages) = (Taken::default(), longest);
    while pages > 0 && taken.pages < most {
        let (answer, va) = stranger.try_alloc(pid, pages.min(most - taken.pages), Rights::READ_WRITE)?;
        let Some(va) = va else {
            taken.refusal = answer.words();
            pages /= 2;
            continue;
        };
        let given = pages.min(most - taken.pages);
        taken.pages += given;
        for nth in 0..given {
            if taken.refused_writes >= ENOUGH {
                break;
            }
            let at = va + nth * stranger.page_size();
            match stranger.ask(Opcode::Write, pid, at, 0, &[0x5a; 8])?.is_ok() {
                true => taken.written += 1,
                false => taken.refused_writes += 1,
            }
        }
    }
    Ok(taken)
}

pub fn measure(options: &Options, kind: Kind) -> Result<Report> {
    let board = Board::with(kind, options.either(Config::Sim, Config::Small));
    let (mut attacker, mut other) =
        (Stranger::at(ATTACKER, board.address()?)?, Stranger::at(VICTIM, board.address()?)?);
    let pages = attacker.info.memory / attacker.page_size();
    let pid = attacker.open()?;
    // More than there is: the refusal has to tell what would work.
    let (refusal, _) = attacker.try_alloc(pid, pages + 1, Rights::READ_WRITE)?;
    let bad = !(matches!(refusal.status(), Status::NoMemory | Status::Quota) && refusal.hint() > 0);
    let of_attacker = take(&mut attacker, pid, pages, u64::MAX)?;
    let reserve = (pages / RESERVE).max(1);
    let pid = other.open()?;
    let of_other = take(&mut other, pid, reserve, reserve)?;
    board.end()?;

    let mut report = Report::new(
        "touch-all",
        kind,
        format!("one source takes all of {pages} pages, then another one {reserve}"),
    );
    let named = report.named();
    let mut table = Table::new(
        "Memory",
        &["who", "pages allocated", "written to", "writes refused", "last refusal of ALLOC"],
    );
    for (who, taken) in [("the attacker", &of_attacker), ("another tenant", &of_other)] {
        table.rows.push(vec![
            who.into(),
            taken.pages.into(),
            taken.written.into(),
            taken.refused_writes.into(),
            taken.refusal.as_str().into(),
        ]);
    }
    report.figures.tables.push(table);
    let none =
        |what: &str, count: u64| exactly(format!("{named}: {what}"), Bound::AtMost(0.0), "", count as f64);
    report.figures.goals.extend([
        none("WRITEs refused to who has allocated the pages", of_attacker.refused_writes),
        none("refusals of too large an ALLOC without a hint", bad.into()),
        none("pages of another tenant's reserve not given", reserve - of_other.pages),
        none("pages of another tenant's reserve not written to", of_other.pages - of_other.written),
    ]);
    Ok(report)
}
