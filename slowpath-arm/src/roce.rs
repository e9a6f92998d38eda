//! The RoCEv2 port of a fast path: queue pairs and regions are made by one command at a time (`wire`, *RoceCommand*), and frames of queue
//! pairs that are software's come through the slow ring.
use crate::FastPath;
use crate::commands::{PortRefused, ended, halves, split_mac};
use mneme_wire::frame::{MNEME_OFFSET, UdpFrame};
use mneme_wire::pte::FRAME_BYTES;
use mneme_wire::register::BUILD_RDMA;
use mneme_wire::roce::{ROCE_COUNTERS, ROCE_FREES, ROCE_HARDENED, ROCE_IN_ERROR, ROCE_MAGIC};
use mneme_wire::{Register, RoceCommand, RoceCounter, RoceRegister, RoceResult};
use std::collections::VecDeque;

/// UDP's port of RoCEv2.
pub(crate) const PORT: u16 = 4791;
/// Frames of software's queue pairs that wait for who serves them, at most: of management, and of all others.
const WAITING: usize = 64;
/// Where the destination queue pair lies in a frame, and that of management.
const DEST_QP: usize = MNEME_OFFSET + 5;
const MANAGEMENT: [u8; 3] = [0, 0, 1];

/// A queue pair, as the port is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoceQueuePair {
    /// Its number; the low bits are its place.
    pub qpn: u32,
    /// The peer's number of it.
    pub peer_qpn: u32,
    /// The peer's address.
    pub peer_ip: [u8; 4],
    /// Where answers go.
    pub peer_mac: [u8; 6],
    /// UDP source port of answers.
    pub source_port: u16,
    /// Partition key.
    pub pkey: u16,
    /// Whose memory it accesses.
    pub pid: u32,
    /// The number of the first packet.
    pub psn: u32,
    /// Path MTU: 1 for 256 bytes to 5 for 4,096.
    pub mtu_code: u32,
    /// Bytes that its READs' and atomics' answers send in a period of `ROCE_RATE_PERIOD` cycles at most; 0: as can.
    pub rate: u32,
    /// Which pages of 4 KB it may give up, if any.
    pub frees: Option<RoceFrees>,
    /// What would end it is dropped.
    pub hardened: bool,
}

/// Pages of 4 KB of one segment that a queue pair may give up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoceFrees {
    /// The segment's number.
    pub segment: u32,
    /// Which of its pages is the first.
    pub first: u32,
    /// The first one's address, a multiple of 4 KB.
    pub va: u64,
    /// How many they are.
    pub pages: u64,
}

impl RoceFrees {
    /// The whole pages of a range of memory that begins in a segment, whose own first address is `base`.
    pub fn of(segment: u32, base: u64, va: u64, length: u64) -> RoceFrees {
        let first = va.next_multiple_of(FRAME_BYTES);
        let end = (va + length) / FRAME_BYTES * FRAME_BYTES;
        RoceFrees {
            segment,
            first: ((first - base) / FRAME_BYTES) as u32,
            va: first,
            pages: end.saturating_sub(first) / FRAME_BYTES,
        }
    }
}

/// A range of a process's memory under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoceRegion {
    /// The low bits are its place.
    pub key: u32,
    /// Whose memory it is.
    pub pid: u32,
    /// The first address.
    pub va: u64,
    /// Bytes.
    pub length: u64,
    /// The ROCE_RIGHT_ bits.
    pub rights: u32,
}

/// Where a queue pair is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoceProgress {
    /// The next packet that is expected.
    pub expected: u32,
    /// It has ended in an error.
    pub in_error: bool,
}

/// Why the port did not do what it was told.
pub type RoceRefused = PortRefused<RoceResult>;

/// The registers of a fast path's RoCEv2 port.
#[derive(Debug)]
pub struct RocePort<'a, F: ?Sized> {
    fast: &'a mut F,
}

impl<'a, F: FastPath + ?Sized> RocePort<'a, F> {
    /// The port; `None` where BUILD_FLAGS tell of none.
    pub fn of(fast: &'a mut F) -> Option<RocePort<'a, F>> {
        let built = fast.read_register(Register::BuildFlags) & BUILD_RDMA != 0;
        (built && fast.read_roce(RoceRegister::Magic.number()) == ROCE_MAGIC).then_some(RocePort { fast })
    }
    /// Places of queue pairs and of regions.
    pub fn places(&mut self) -> (u32, u32) {
        let sizes = self.fast.read_roce(RoceRegister::Sizes.number());
        let places = |log2: u32| 1 << log2.min(24);
        (places(sizes & 0xff), places(sizes >> 8 & 0xff))
    }
    /// What was counted; wraps.
    pub fn counter(&mut self, counter: RoceCounter) -> u32 {
        self.fast.read_roce(ROCE_COUNTERS + 4 * counter.number())
    }

    /// Makes a queue pair that is ready to receive.
    ///
    /// # Errors
    /// Every [`RoceRefused`].
    pub fn create(&mut self, pair: &RoceQueuePair) -> Result<(), RoceRefused> {
        let [high, low] = split_mac(pair.peer_mac);
        let option = |has: bool, option: u32| if has { option } else { 0 };
        let options = option(pair.frees.is_some(), ROCE_FREES) | option(pair.hardened, ROCE_HARDENED);
        let RoceFrees { segment, first, va, pages } =
            pair.frees.unwrap_or(RoceFrees { segment: 0, first: 0, va: 0, pages: 0 });
        let (va, length) = (halves(va), halves(pages * FRAME_BYTES));
        self.order(
            RoceCommand::CreateQueuePair,
            &[
                (RoceRegister::Qpn, pair.qpn),
                (RoceRegister::PeerQpn, pair.peer_qpn),
                (RoceRegister::PeerIp, u32::from_be_bytes(pair.peer_ip)),
                (RoceRegister::PeerMacLow, low),
                (RoceRegister::PeerMacHigh, high),
                (RoceRegister::PortPkey, u32::from(pair.pkey) << 16 | u32::from(pair.source_port)),
                (RoceRegister::Pid, pair.pid),
                (RoceRegister::Psn, pair.psn),
                (RoceRegister::Rate, pair.rate),
                (RoceRegister::Options, pair.mtu_code | options),
                (RoceRegister::FreeSegment, segment),
                (RoceRegister::FreePage, first),
                (RoceRegister::VaLow, va.0),
                (RoceRegister::VaHigh, va.1),
                (RoceRegister::LengthLow, length.0),
                (RoceRegister::LengthHigh, length.1),
            ],
        )
    }
    /// Ends a queue pair; what it has not answered stays unanswered.
    ///
    /// # Errors
    /// Every [`RoceRefused`].
    pub fn destroy(&mut self, qpn: u32) -> Result<(), RoceRefused> {
        self.order(RoceCommand::DestroyQueuePair, &[(RoceRegister::Qpn, qpn)])
    }
    /// Where a queue pair is.
    ///
    /// # Errors
    /// Every [`RoceRefused`].
    pub fn query(&mut self, qpn: u32) -> Result<RoceProgress, RoceRefused> {
        self.order(RoceCommand::QueryQueuePair, &[(RoceRegister::Qpn, qpn)])?;
        let expected = self.fast.read_roce(RoceRegister::Expected.number());
        let state = self.fast.read_roce(RoceRegister::State.number());
        Ok(RoceProgress { expected, in_error: state & ROCE_IN_ERROR != 0 })
    }
    /// Makes a region.
    ///
    /// # Errors
    /// Every [`RoceRefused`].
    pub fn grant(&mut self, region: &RoceRegion) -> Result<(), RoceRefused> {
        let (va, length) = (halves(region.va), halves(region.length));
        self.order(
            RoceCommand::CreateRegion,
            &[
                (RoceRegister::Key, region.key),
                (RoceRegister::Pid, region.pid),
                (RoceRegister::VaLow, va.0),
                (RoceRegister::VaHigh, va.1),
                (RoceRegister::LengthLow, length.0),
                (RoceRegister::LengthHigh, length.1),
                (RoceRegister::Rights, region.rights),
            ],
        )
    }
    /// Gives a region up.
    ///
    /// # Errors
    /// Every [`RoceRefused`].
    pub fn revoke(&mut self, key: u32) -> Result<(), RoceRefused> {
        self.order(RoceCommand::RemoveRegion, &[(RoceRegister::Key, key)])
    }

    /// Writes registers and then a command, and waits for its end.
    fn order(&mut self, command: RoceCommand, registers: &[(RoceRegister, u32)]) -> Result<(), RoceRefused> {
        // After a reset the tables are being emptied.
        self.ended()?;
        for (register, value) in registers {
            self.fast.write_roce(*register, *value);
        }
        self.fast.write_roce(RoceRegister::Command, command.number());
        match self.ended()? {
            RoceResult::Done => Ok(()),
            refused => Err(RoceRefused::Result(refused)),
        }
    }
    fn ended(&mut self) -> Result<RoceResult, RoceRefused> {
        ended(|| {
            let result = RoceResult::from_number(self.fast.read_roce(RoceRegister::Result.number()));
            result.filter(|result| *result != RoceResult::Pending)
        })
    }
}

/// Frames of software's queue pairs: those of management, and all others, each in the order in which they came. Neither takes the
/// other's places.
#[derive(Debug, Default)]
pub(crate) struct RoceFrames {
    management: VecDeque<Vec<u8>>,
    others: VecDeque<Vec<u8>>,
    /// Others that found no place.
    lost: u64,
}

impl RoceFrames {
    /// Whether a frame is of RoCEv2.
    pub fn is_one(frame: &[u8]) -> bool {
        UdpFrame::parse(frame).is_ok_and(|udp| udp.endpoints.dst_port == PORT)
    }
    /// Keeps a frame. False: there are too many of its kind.
    pub fn keep(&mut self, frame: &[u8]) -> bool {
        let manages = frame.get(DEST_QP..).is_some_and(|bytes| bytes.starts_with(&MANAGEMENT));
        let own = if manages { &mut self.management } else { &mut self.others };
        let room = own.len() < WAITING;
        if room {
            own.push_back(frame.to_vec());
        } else {
            self.lost += u64::from(!manages);
        }
        room
    }
    /// The next one, management first.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        self.management.pop_front().or_else(|| self.others.pop_front())
    }
    pub fn is_empty(&self) -> bool {
        self.management.is_empty() && self.others.is_empty()
    }
    /// Frames that found no place, but those of management.
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_takes_no_place_of_management() {
        let frame = |qpn: u8, number: u8| {
            let mut frame = vec![0; DEST_QP + 4];
            (frame[DEST_QP + 2], frame[DEST_QP + 3]) = (qpn, number);
            frame
        };
        let mut frames = RoceFrames::default();
        let kept = (0..100).filter(|number| frames.keep(&frame(2, *number))).count();
        assert_eq!((kept, frames.lost()), (WAITING, 100 - WAITING as u64));
        assert!((0..WAITING as u8).all(|number| frames.keep(&frame(1, number))));
        // More of management is lost, too, and counted elsewhere. So is what has no number: it is none of management.
        assert!(!frames.keep(&frame(1, 0)));
        assert!(!frames.keep(&frame(1, 0)[..DEST_QP + 2]));
        assert_eq!(frames.lost(), 100 - WAITING as u64 + 1);
        let order: Vec<_> = std::iter::from_fn(|| frames.take()).collect();
        let all = (0..WAITING as u8).map(|n| frame(1, n)).chain((0..WAITING as u8).map(|n| frame(2, n)));
        assert!(order.into_iter().eq(all) && frames.is_empty());
    }
}
