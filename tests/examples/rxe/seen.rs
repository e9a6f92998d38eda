//! What has passed: frames by kind, and a capture of some of them.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use mneme_rdma::codec::{FrameError, Opcode, Packet, Psn, ROCE_PORT, Reth, RoceFrame};

use crate::reads::Reads;

/// Where a frame goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// From the guest.
    ToBoard,
    /// From the board.
    ToGuest,
}

/// Counts of frames.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Frames of RoCEv2 by the name of their opcode, the guest's and the board's.
    pub kinds: BTreeMap<(Way, &'static str), u64>,
    /// WRITEs of the guest that it has begun again in their middle: a first packet for the bytes that were left.
    pub restarts: u64,
    /// WRITEs of the guest that have gone back to a packet in their middle, as that packet was.
    pub resumed: u64,
    /// Frames of RoCEv2 whose ICRC our codec finds wrong, the guest's and the board's.
    pub wrong: [u64; 2],
    /// Frames of RoCEv2 that are no packet for our codec.
    pub malformed: u64,
    /// Frames of RoCEv2 whose IPv4 identification is not 0, the guest's and the board's.
    pub identified: [u64; 2],
    /// Frames that are none of RoCEv2.
    pub others: u64,
}

/// A WRITE of several packets that has begun.
#[derive(Debug, Clone, Copy)]
struct Running {
    first: Psn,
    reth: Reth,
    /// The last packet of it that came.
    last: Psn,
}

/// Whether a frame is one of UDP in IPv4 for the port of RoCEv2, whatever else is wrong with it.
fn is_for_roce(frame: &[u8]) -> bool {
    let at = |at: usize| frame.get(at..at + 2).map_or(0, |two| u16::from_be_bytes([two[0], two[1]]));
    at(12) == 0x0800 && frame.get(23) == Some(&17) && at(36) == ROCE_PORT
}

/// Counts and captures.
pub struct Seen {
    counts: Counts,
    running: BTreeMap<u32, Running>,
    /// READs that are looked at.
    pub reads: Option<Reads>,
    file: BufWriter<File>,
    begun: Instant,
    /// Frames that the capture has room for.
    room: u64,
    captured: u64,
}

impl Seen {
    /// Begins a capture (libpcap's format).
    pub fn new(path: &Path) -> Result<Seen> {
        let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
        let mut file = BufWriter::new(file);
        // Magic number, version 2.4, UTC, no accuracy, the longest frame, Ethernet.
        for word in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, 1u32] {
            file.write_all(&word.to_le_bytes())?;
        }
        Ok(Seen {
            counts: Counts::default(),
            running: BTreeMap::new(),
            reads: None,
            file,
            begun: Instant::now(),
            room: 0,
            captured: 0,
        })
    }
    /// Lets so many of the next frames be captured.
    pub fn capture(&mut self, frames: u64) {
        self.room = frames;
    }
    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        self.counts.clone()
    }
    /// Frames captured so far; they are in the file afterwards.
    pub fn captured(&mut self) -> Result<u64> {
        self.file.flush().context("writing the capture")?;
        Ok(self.captured)
    }

    /// Counts a frame. Answers whether it is one of RoCEv2.
    pub fn frame(&mut self, way: Way, frame: &[u8]) -> Result<bool> {
        let side = usize::from(way == Way::ToGuest);
        let parsed = match RoceFrame::parse(frame) {
            Err(FrameError::Carrier(_) | FrameError::Port(_)) if !is_for_roce(frame) => {
                self.counts.others += 1;
                return Ok(false);
            }
            parsed => parsed,
        };
        if self.room > 0 {
            self.room -= 1;
            self.captured += 1;
            let (time, length) = (self.begun.elapsed(), frame.len() as u32);
            for word in [time.as_secs() as u32, time.subsec_micros(), length, length] {
                self.file.write_all(&word.to_le_bytes())?;
            }
            self.file.write_all(frame)?;
        }
        self.counts.identified[side] += u64::from(frame[18..20] != [0, 0]);
        match parsed.map(|roce| Packet::parse(roce.transport)) {
            Ok(Ok(packet)) => {
                *self.counts.kinds.entry((way, packet.opcode.name())).or_default() += 1;
                if let Some(reads) = &mut self.reads {
                    reads.packet(way, &packet);
                }
                if way == Way::ToBoard {
                    self.restart(&packet);
                }
            }
            Ok(Err(_)) => self.counts.malformed += 1,
            Err(FrameError::Icrc) => self.counts.wrong[side] += 1,
            Err(_) => self.counts.malformed += 1,
        }
        Ok(true)
    }

    /// Whether a first packet begins the rest of the WRITE that runs. One that begins it at its start is a plain repetition.
    fn restart(&mut self, packet: &Packet<'_>) {
        let Some(reth) = packet.extensions.reth else { return self.resume(packet) };
        if packet.opcode == Opcode::ReadRequest {
            return;
        }
        let psn = packet.bth.psn;
        let running = self.running.get(&packet.bth.dest_qp).copied();
        let skipped = |running: &Running| reth.va.checked_sub(running.reth.va).filter(|bytes| *bytes > 0);
        let is_rest = running.is_some_and(|running| {
            skipped(&running).is_some_and(|bytes| {
                bytes + u64::from(reth.length) == u64::from(running.reth.length)
                    && reth.rkey == running.reth.rkey
                    && (1..Psn::HALF).contains(&psn.since(running.first))
            })
        });
        if is_rest {
            self.counts.restarts += 1;
        } else {
            self.running.insert(packet.bth.dest_qp, Running { first: psn, reth, last: psn });
        }
    }
    /// Whether a later packet of the WRITE that runs comes before the last one that came.
    fn resume(&mut self, packet: &Packet<'_>) {
        let is_write = matches!(packet.opcode, Opcode::WriteMiddle | Opcode::WriteLast);
        let Some(running) = self.running.get_mut(&packet.bth.dest_qp).filter(|_| is_write) else { return };
        let (psn, from) = (packet.bth.psn, packet.bth.psn.since(running.first));
        let back = (1..Psn::HALF).contains(&from) && (1..Psn::HALF).contains(&running.last.since(psn));
        self.counts.resumed += u64::from(back);
        running.last = psn;
    }
}
