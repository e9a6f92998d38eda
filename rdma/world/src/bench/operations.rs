//! One operation at a time: packets, accesses to memory, and time.
use mneme_rdma::node::Frames;

use super::costs::{Costs, Picos};
use super::peer::{Ask, Ended, Peer, Way, bytes};
use super::port::{Made, Port, Program, Used};
use crate::failure::Failure;

/// Operations that are counted: twice as many lines of entries as the leaf unit keeps, so that none of them is there when the second
/// round begins, and a multiple of the ring's elements in a line.
const LINES: u32 = 128;
/// Entries of a line.
const PER_LINE: u32 = 8;

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A page that holds something is fetched.
    Load,
    /// A page that holds something is stored.
    Mapped,
    /// A page that holds nothing is stored.
    Unmapped,
    /// A page that holds something is given up.
    Invalidate,
}

impl What {
    /// All of them.
    pub const ALL: [What; 4] = [What::Load, What::Mapped, What::Unmapped, What::Invalidate];
}

/// What one operation takes, on average.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// Packets to the node, and from it.
    pub packets: [f64; 2],
    /// Beats read and written, tables included, the ring apart.
    pub read: f64,
    /// The same, written.
    pub written: f64,
    /// Lines of the ring.
    pub ring: f64,
    /// From its begin to its end at the client.
    pub took: Picos,
}

/// One operation after another.
#[derive(Debug)]
struct OneByOne {
    asks: Vec<Ask>,
    next: usize,
    under_way: bool,
    /// When the last one that was begun has begun, and all the time that they took.
    since: Picos,
    took: Picos,
    expected: Option<u64>,
}

impl Program for OneByOne {
    fn act(&mut self, now: Picos, peer: &mut Peer) -> Result<(), Failure> {
        if let Some(ask) = self.asks.get(self.next).filter(|_| !self.under_way) {
            (self.next, self.under_way, self.since) = (self.next + 1, true, now);
            peer.begin(*ask)?;
        }
        Ok(())
    }
    fn ended(&mut self, now: Picos, ended: Ended) -> Result<(), Failure> {
        self.under_way = false;
        self.took += now - self.since;
        match (ended.bytes, self.expected) {
            (Some(loaded), Some(number)) if loaded != bytes(number) => {
                Err(Failure::Answer { client: 0, id: ended.ask.page().into() })
            }
            _ => Ok(()),
        }
    }
    fn is_done(&self) -> bool {
        self.next == self.asks.len() && !self.under_way
    }
}

/// Runs operations one by one behind what makes them possible, and tells what one takes. `far`: each of them has its line of entries to
/// itself; else eight in a row share one.
///
/// # Errors
/// Whatever went wrong.
pub fn taken(way: Way, what: What, costs: Costs, far: bool) -> Result<Taken, Failure> {
    let (step, counted) = if far { (PER_LINE, LINES) } else { (1, LINES * PER_LINE) };
    let pages = (0..counted).map(|at| at * step);
    let before: Vec<Ask> = match what {
        What::Unmapped => Vec::new(),
        _ => pages.clone().map(|page| Ask::Store(page, 7)).collect(),
    };
    let asks: Vec<Ask> = pages
        .map(|page| match what {
            What::Load => Ask::Load(page),
            What::Mapped | What::Unmapped => Ask::Store(page, 9),
            What::Invalidate => Ask::Free(page, 1),
        })
        .collect();
    let run = |asks: Vec<Ask>, most: usize| -> Result<(Used, Picos), Failure> {
        let made = Made {
            way,
            clients: 1,
            entries: LINES * PER_LINE,
            slots: 1,
            frames: counted as usize,
            first_alone: false,
            shares: true,
            turns: true,
            costs,
        };
        let expected = (what == What::Load).then_some(7);
        let program =
            OneByOne { asks: asks[..most].to_vec(), next: 0, under_way: false, since: 0, took: 0, expected };
        let mut port = Port::new(made, vec![program])?;
        port.run()?;
        let took = port.programs().map(|own| own.took).sum();
        Ok((port.used, took))
    };
    // The same run without the operations that count is what the rest takes.
    let all: Vec<Ask> = before.iter().copied().chain(asks).collect();
    let ((rest, rest_took), (used, took)) = (run(all.clone(), before.len())?, run(all.clone(), all.len())?);
    let each = |now: u64, before: u64| (now - before) as f64 / f64::from(counted);
    let (read, written) = used.beats.both();
    let (rest_read, rest_written) = rest.beats.both();
    Ok(Taken {
        packets: [0, 1].map(|at| each(used.packets[at], rest.packets[at])),
        read: each(read, rest_read),
        written: each(written, rest_written),
        ring: each(used.beats.ring, rest.beats.ring),
        took: (took - rest_took) / u64::from(counted),
    })
}

/// Stores pages until the node says that there is no frame. Answers the frames in use then and all frames.
///
/// # Errors
/// Whatever went wrong.
pub fn filled(way: Way, frames: usize) -> Result<(usize, usize), Failure> {
    let entries = 2 * frames as u32;
    let made = Made {
        way,
        clients: 1,
        entries,
        slots: 1,
        frames,
        first_alone: false,
        shares: true,
        turns: true,
        costs: Costs::GOALS,
    };
    let asks = (0..entries).map(|page| Ask::Store(page, page.into())).collect();
    let program = OneByOne { asks, next: 0, under_way: false, since: 0, took: 0, expected: None };
    let mut port = Port::new(made, vec![program])?;
    port.run_until_not_ready()?;
    let audit = port.board().leaf().audit().map_err(Failure::Audit)?;
    Ok((audit.mapped, frames))
}

/// What the design says of an operation (§3): packets each way, beats read and written, lines of the ring.
pub const fn design(way: Way, what: What) -> Option<([f64; 2], f64, f64, f64)> {
    let (load, store) = match way {
        Way::Static => return None,
        Way::Native => ([1.0, 1.0], [1.0, 1.0]),
        Way::Chain => ([2.0, 2.0], [3.0, 2.0]),
    };
    Some(match what {
        What::Load => (load, 65.0, 0.0, 0.0),
        What::Mapped => (store, 1.0, 64.0, 0.0),
        What::Unmapped => (store, 1.0, 65.0, 0.25),
        What::Invalidate => ([1.0, 1.0], 1.0, 1.0, 0.125),
    })
}
