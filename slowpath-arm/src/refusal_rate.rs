//! How many refusals an address is told. A board that answers each of a flood's requests works for the flood, and so does
//! the network behind it; a client that goes by the hints of its refusals never comes near the bound.
use crate::config::Limits;
use crate::debts::Debts;
use crate::share::Source;
use mneme_wire::frame::MNEME_OFFSET;
use mneme_wire::{HEADER_LEN, Status};

/// Where an IPv4 frame tells its destination.
const TO: std::ops::Range<usize> = 30..34;
/// What one refusal costs its address. More than one, so that short times forget a part of it.
const COST: u64 = 1_000;
/// Addresses that are remembered.
const ADDRESSES: usize = 1 << 12;

/// What addresses were told of late.
#[derive(Debug)]
pub(crate) struct RefusalRate {
    told: Debts,
    at_once: u64,
    unsent: u64,
}

impl RefusalRate {
    pub(crate) fn new(limits: &Limits) -> RefusalRate {
        let rate = u64::from(limits.refusal_rate) * COST;
        RefusalRate { told: Debts::new(rate, ADDRESSES), at_once: (rate / 20).max(COST), unsent: 0 }
    }
    /// Answers that were not sent.
    pub(crate) fn unsent(&self) -> u64 {
        self.unsent
    }
    /// Whether a frame may leave at this board time. One that is no refusal may.
    pub(crate) fn may_send(&mut self, frame: &[u8], now_ns: u64) -> bool {
        let Some(to) = refused(frame) else { return true };
        if self.told.wait(to, self.at_once - COST, now_ns) > 0 {
            self.unsent += 1;
            return false;
        }
        self.told.add(to, COST, now_ns);
        true
    }
}

/// Whom a frame of the slow path tells of a refusal. Frames for ARP and ICMP are no answers of this kind.
fn refused(frame: &[u8]) -> Option<Source> {
    let header = frame.get(MNEME_OFFSET..MNEME_OFFSET + HEADER_LEN)?;
    let answer =
        header[1] & mneme_wire::opcode::RESPONSE_BIT != 0 && frame[12..14] == [8, 0] && frame[23] == 17;
    let ok = header[2] & mneme_wire::opcode::STATUS_CODE_MASK == Status::Ok.number();
    let to: [u8; 4] = frame[TO].try_into().unwrap_or_default();
    (answer && !ok).then(|| to.into())
}
