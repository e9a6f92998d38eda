//! `mneme rdma check`: one page, a client of the library and an RDMA client, and whether they see the same words.
use super::{Reach, Reached, WayArgs};
use crate::fault::Fault;
use crate::output::say;
use anyhow::{Context, Result, ensure};
use clap::Args;
use mneme_clib::Process;
use mneme_rdma::client::FreeRange;
use mneme_rdma::cm::Kind;
use mneme_rdma::codec::profile::PAGE;
use mneme_rdma::memory::Access;
use mneme_rdma::node::FRAME;
use mneme_rdma::udp::ChainConnection;

/// Words of a page.
const WORDS: usize = PAGE / 8;
/// Additions of each client.
const ADDS: u64 = 64;
/// Pages of the range. The first is where words are compared; operations of many lengths take all.
const PAGES: u64 = 64;
/// Bytes of WRITEs and READs that are in flight together: round packets of 1,024 and 4,096 bytes, and across pages.
const LENGTHS: [u64; 12] = [1, 7, 64, 1023, 1024, 1025, 4095, 4096, 4097, 8192, 20_000, 65_537];

/// Let a client of the library and RDMA clients work on the same pages: what one writes, the others must read.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    way: WayArgs,
}

/// Drawn words: nobody has written these before.
fn drawn() -> [u8; PAGE] {
    let mut page = [0; PAGE];
    page.chunks_exact_mut(8).for_each(|word| word.copy_from_slice(&rand::random::<u64>().to_le_bytes()));
    page
}

/// Tells that `reader` found what `writer` wrote, or fails with the first word that differs.
fn equal(writer: &str, reader: &str, written: &[u8], read: &[u8]) -> Result<()> {
    let pairs = || written.chunks(8).zip(read.chunks(8));
    let differ = pairs().filter(|(a, b)| a != b).count() + written.len().abs_diff(read.len()) / 8;
    let first = pairs().position(|(a, b)| a != b).unwrap_or(0);
    ensure!(
        written == read,
        anyhow::anyhow!(
            "{writer} wrote {WORDS} words, and {reader} read {differ} others, the first at byte {}",
            8 * first
        )
        .context(Fault::Data)
    );
    Ok(say!("{WORDS} words written by {writer}, read by {reader}: all are equal")?)
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<()> {
    let reach = args.way.reaches()?;
    let frames = format!("{PAGES} pages of 4 KB");
    let (kind, what, without) = match reach {
        Reach::All => (Kind::Frames, frames, ""),
        Reach::Verbs => (Kind::Frames, frames, ", without ODRP"),
        Reach::Nothing => {
            (Kind::Pages, "this board has no pages of 4 KB: board pages".to_owned(), ", without ODRP")
        }
    };
    let mut reached = args.way.reach(PAGES * FRAME, kind, Access::ALL)?;
    let (va, pid, way) = (reached.va, reached.process.pid(), reached.rdma.way());
    say!("{what} at {va:#x} of process {pid}, RDMA by {way}{without}")?;
    native(&mut reached)?;
    lengths(&mut reached)?;
    if reach != Reach::Nothing {
        free(&mut reached)?;
    }
    if reach != Reach::All {
        return reached.end();
    }
    let Reached { rdma, process, board, va } = reached;
    if args.way.device.is_some() {
        drop(rdma);
        return Ok(process.exit()?);
    }
    // An address has one port: the native connection ends before those of ODRP begin.
    drop(rdma);
    let ends = (args.way.source(*board.ip())?, *board.ip());
    let mut rdma = args.way.chain_of(&process, ends, (va, PAGES * FRAME), 1)?;
    chain(&mut rdma, &process, va)?;
    drop(rdma);
    Ok(process.exit()?)
}

/// READ, WRITE and atomics beside the library's.
fn native(reached: &mut Reached) -> Result<()> {
    let (va, mut page) = (reached.va, drawn());
    reached.process.rwrite(va, &page)?;
    reached.rdma.native().read(va, vec![0; PAGE])?;
    let read = reached.done()?.buffer.unwrap_or_default();
    equal("the library", "RDMA READ", &page, &read)?;
    let written = drawn();
    reached.rdma.native().write(va, written.to_vec(), None, false)?;
    reached.done()?;
    reached.process.rread(va, &mut page)?;
    equal("RDMA WRITE", "the library", &written, &page)?;
    // Both add to the first word, in turns: each finds what the other left.
    let first = written.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    for step in 0..ADDS {
        let due = first.wrapping_add(2 * step);
        let found = reached.process.fetch_add(va, 1)?;
        reached.rdma.native().fetch_add(va, 1)?;
        let other = reached.done()?.found;
        let right = found == due && other == Some(due.wrapping_add(1));
        ensure!(
            right,
            anyhow::anyhow!("additions {step} found {found:#x} and {other:x?}, not {due:#x} and the next")
                .context(Fault::Data)
        );
    }
    say!("{ADDS} additions each to one word, in turns: each client found the other's")?;
    // One of two swaps finds what it compares with.
    let due = first.wrapping_add(2 * ADDS);
    reached.rdma.native().compare_swap(va, due, 7)?;
    reached.rdma.native().compare_swap(va, due, 8)?;
    let found = (reached.done()?.found, reached.done()?.found, reached.process.fetch_add(va, 0)?);
    let right = found == (Some(due), Some(7), 7);
    ensure!(right, anyhow::anyhow!("two swaps of {due:#x} found and left {found:x?}").context(Fault::Data));
    Ok(say!("2 swaps of one word: the first found it, the second what the first had left")?)
}

/// WRITEs, and then READs, of many lengths in flight together, where nobody has written before.
fn lengths(reached: &mut Reached) -> Result<()> {
    let mut content: Vec<u8> = (0..LENGTHS.iter().sum()).map(|_| rand::random()).collect();
    let at = reached.va + FRAME + 5;
    let places = || {
        LENGTHS.iter().scan(0, |end, length| {
            *end += length;
            Some((*end - length, *length as usize))
        })
    };
    for (place, length) in places() {
        let from = place as usize;
        reached.rdma.native().write(at + place, content[from..from + length].to_vec(), None, false)?;
    }
    for _ in LENGTHS {
        reached.done()?;
    }
    let mut there = vec![0; content.len()];
    reached.process.rread(at, &mut there)?;
    equal_bytes("RDMA WRITEs", "the library", &content, &there)?;
    content.reverse();
    reached.process.rwrite(at, &content)?;
    for (place, length) in places() {
        reached.rdma.native().read(at + place, vec![0; length])?;
    }
    there.clear();
    for _ in LENGTHS {
        there.extend(reached.done()?.buffer.unwrap_or_default());
    }
    equal_bytes("the library", "RDMA READs", &content, &there)
}

/// A page that is given up has zeros, for both.
fn free(reached: &mut Reached) -> Result<()> {
    let va = reached.va + FRAME;
    reached.rdma.native().free(&[FreeRange { va, pages: 2 }])?;
    reached.done()?;
    let mut there = vec![1; 2 * PAGE];
    reached.process.rread(va, &mut there)?;
    reached.rdma.native().read(va, vec![1; 2 * PAGE])?;
    let other = reached.done()?.buffer.unwrap_or_default();
    let right = [&there, &other].into_iter().all(|bytes| bytes.iter().all(|byte| *byte == 0));
    ensure!(
        right,
        anyhow::anyhow!("pages that RDMA's FREE gave up have not become zeros").context(Fault::Data)
    );
    Ok(say!("2 pages given up by RDMA's FREE: both read zeros")?)
}

/// Tells that `reader` found the bytes of `writer`, or fails with the first that differs.
fn equal_bytes(writer: &str, reader: &str, written: &[u8], read: &[u8]) -> Result<()> {
    let first = written.iter().zip(read).position(|(a, b)| a != b).unwrap_or(written.len().min(read.len()));
    ensure!(
        written == read,
        anyhow::anyhow!(
            "{reader} found other bytes than {writer} wrote, the first at {first} of {}",
            written.len()
        )
        .context(Fault::Data)
    );
    let (number, all) = (LENGTHS.len(), written.len());
    Ok(say!("{number} lengths in flight, {all} bytes written by {writer}, read by {reader}: all are equal")?)
}

/// ODRP's four functions beside the library: a store over a page and one into a page that nobody wrote, a load, and a page given up.
fn chain(rdma: &mut ChainConnection, process: &Process, va: u64) -> Result<()> {
    let mut page = [0; PAGE];
    // Nobody has written the last page: what came before ends in the middle.
    let fresh = (PAGES - 1) as u32;
    rdma.chain.learn(0, true)?;
    for (number, writer) in [(0, "ODRP's store"), (fresh, "ODRP's store into a new page")] {
        let written = drawn();
        rdma.chain.store(number, &written)?;
        ended(rdma)?;
        process.rread(va + u64::from(number) * FRAME, &mut page)?;
        equal(writer, "the library", &written, &page)?;
    }
    let written = drawn();
    process.rwrite(va, &written)?;
    rdma.chain.load(0)?;
    let loaded = ended(rdma)?.unwrap_or_default();
    equal("the library", "ODRP's load", &written, &loaded)?;
    rdma.chain.invalidate(fresh)?;
    ended(rdma)?;
    process.rread(va + u64::from(fresh) * FRAME, &mut page)?;
    ensure!(
        page.iter().all(|byte| *byte == 0),
        anyhow::anyhow!("a page that ODRP gave up has not become zeros").context(Fault::Data)
    );
    Ok(say!("1 page given up by ODRP's invalidate: the library reads zeros")?)
}

/// Waits for the request that was begun to end well; the bytes of a load.
fn ended(rdma: &mut ChainConnection) -> Result<Option<Vec<u8>>> {
    let done = rdma.wait()?.context("no request was begun")?;
    done.result.context(Fault::Rdma)?;
    Ok(done.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_told_and_fail() {
        let written = drawn();
        assert!(equal("one", "other", &written, &written).is_ok());
        let mut read = written;
        read[17] ^= 1;
        let error = format!("{:#}", equal("one", "other", &written, &read).expect_err("a word differs"));
        assert!(
            error.contains("one wrote 512 words, and other read 1 others, the first at byte 16"),
            "{error}"
        );
        assert!(equal("one", "other", &written, &written[8..]).is_err());
    }
}
