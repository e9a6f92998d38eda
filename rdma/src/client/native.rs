//! The native client: verbs on one region of a node.
use super::Carrier;
use crate::cm::Granted;
use crate::memory::Access;
use crate::node::{FRAME, FREE_PAGES, FREE_RANGE_LEN, FREE_RANGES};
use crate::requester::{
    Completion, NotReadyRetries, Operation, PostError, Requester, RequesterConfig, Seen, Work,
};
use crate::responder::PACKET_MAX;

/// What a client may access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// The first address.
    pub va: u64,
    /// Bytes.
    pub length: u64,
    /// The region's key.
    pub rkey: u32,
    /// What it may do.
    pub access: Access,
}

impl Grant {
    /// Looks whether an access lies inside and is allowed.
    ///
    /// # Errors
    /// [`NativeError::Range`] and [`NativeError::Right`].
    pub fn check(&self, va: u64, length: u64, wanted: Access) -> Result<(), NativeError> {
        let inside = va
            .checked_sub(self.va)
            .is_some_and(|offset| self.length.checked_sub(offset).is_some_and(|rest| rest >= length));
        if !inside {
            return Err(NativeError::Range { va, length, of: *self });
        }
        if self.access.covers(wanted) { Ok(()) } else { Err(NativeError::Right { va }) }
    }
}

impl From<Granted> for Grant {
    fn from(granted: Granted) -> Grant {
        let Granted { va, length, rkey, access, .. } = granted;
        Grant { va, length, rkey, access }
    }
}

/// Pages that are given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeRange {
    /// The first address, a multiple of 4,096.
    pub va: u64,
    /// Pages of 4,096 bytes, 1 or more.
    pub pages: u64,
}

/// Why an operation was not begun. Nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NativeError {
    /// Not inside the region.
    #[error("{length} bytes at {va:#x} are not inside the region of {} bytes at {:#x}", of.length, of.va)]
    Range {
        /// The first address.
        va: u64,
        /// Bytes.
        length: u64,
        /// The region.
        of: Grant,
    },
    /// The region may not be used so.
    #[error("the region may not be used so at {va:#x}")]
    Right {
        /// The first address.
        va: u64,
    },
    /// No list of ranges.
    #[error("{0} ranges: a FREE has 1 to {FREE_RANGES}")]
    Ranges(usize),
    /// Too many pages.
    #[error("{0} pages: a FREE has {FREE_PAGES} at most")]
    TooMany(u64),
    /// A range that is no pages.
    #[error("{pages} pages at {va:#x}: a range of a FREE has whole pages, one or more")]
    Pages {
        /// The first address.
        va: u64,
        /// Pages.
        pages: u64,
    },
    /// The list is longer than a packet of the connection.
    #[error("{0} ranges, and a packet of the connection has room for {1}")]
    Packet(usize, usize),
    /// The requester does not take it.
    #[error(transparent)]
    Post(#[from] PostError),
}

/// Writes the message of a FREE: 1 to 64 ranges, address and pages in 8 bytes each, little-endian, of [`FREE_PAGES`] at most. It must fit
/// into one packet.
///
/// # Errors
/// [`NativeError::Ranges`], [`NativeError::Pages`] and [`NativeError::TooMany`].
pub fn encode_free(ranges: &[FreeRange]) -> Result<Vec<u8>, NativeError> {
    let mut message = Vec::with_capacity(ranges.len() * FREE_RANGE_LEN);
    put_free(ranges, &mut message)?;
    Ok(message)
}

/// The same into a buffer, in place of what it holds.
fn put_free(ranges: &[FreeRange], message: &mut Vec<u8>) -> Result<(), NativeError> {
    if ranges.is_empty() || ranges.len() > FREE_RANGES {
        return Err(NativeError::Ranges(ranges.len()));
    }
    message.clear();
    let mut total = 0u64;
    for &FreeRange { va, pages } in ranges {
        if pages == 0 || !va.is_multiple_of(FRAME) || pages.checked_mul(FRAME).is_none() {
            return Err(NativeError::Pages { va, pages });
        }
        total = total.saturating_add(pages);
        if total > FREE_PAGES {
            return Err(NativeError::TooMany(total));
        }
        message.extend_from_slice(&va.to_le_bytes());
        message.extend_from_slice(&pages.to_le_bytes());
    }
    Ok(())
}

/// One connection to one region. Operations end in the order in which they were begun; each has a number.
///
/// `C` carries them out: a requester, whose packets are the caller's matter, or a device.
#[derive(Debug)]
pub struct Native<C: ?Sized = Requester<Vec<u8>>> {
    grant: Grant,
    next: u64,
    carrier: C,
}

impl Native {
    /// A client of a connection that has been set up.
    pub fn new(config: RequesterConfig, grant: Grant) -> Native {
        Native::over(Requester::new(config), grant)
    }
    /// What the connection has seen.
    pub const fn seen(&self) -> &Seen {
        self.carrier.seen()
    }
    /// Takes a packet of the node for this queue pair.
    pub fn receive(&mut self, now: u64, transport: &[u8]) {
        self.carrier.receive(now, transport);
    }
    /// Writes the next packet. Answers its length.
    pub fn poll_transmit(&mut self, now: u64, to: &mut [u8; PACKET_MAX]) -> Option<usize> {
        self.carrier.poll_transmit(now, to)
    }
    /// From now on, how long a node that is not ready is asked again.
    pub const fn bear(&mut self, not_ready_retries: NotReadyRetries) {
        self.carrier.bear(not_ready_retries);
    }
    /// When [`Native::poll_transmit`] is to be called, if nothing comes before.
    pub fn next_time(&self) -> Option<u64> {
        self.carrier.next_time()
    }
}

impl<C> Native<C> {
    /// A client of a connection that something else carries out.
    pub const fn over(carrier: C, grant: Grant) -> Native<C> {
        Native { grant, next: 0, carrier }
    }
    /// What carries the operations out.
    pub const fn carrier(&self) -> &C {
        &self.carrier
    }
    /// The same, to wait for it.
    pub const fn carrier_mut(&mut self) -> &mut C {
        &mut self.carrier
    }
}

impl<C: Carrier + ?Sized> Native<C> {
    /// The region.
    pub const fn grant(&self) -> &Grant {
        &self.grant
    }
    /// Operations that have not ended.
    pub fn pending(&self) -> usize {
        self.carrier.pending()
    }
    /// Whether the connection has ended in an error.
    pub fn has_ended(&self) -> bool {
        self.carrier.has_ended()
    }

    fn post(&mut self, operation: Operation<Vec<u8>>, fence: bool) -> Result<u64, NativeError> {
        let id = self.next;
        let work = Work { fence, ..Work::new(id, operation) };
        self.carrier.post(work).map_err(|(error, _)| error)?;
        self.next += 1;
        Ok(id)
    }

    /// Reads as many bytes as `into` has; they come back with the completion.
    ///
    /// # Errors
    /// Every [`NativeError`] but those of FREE.
    pub fn read(&mut self, va: u64, into: Vec<u8>) -> Result<u64, NativeError> {
        self.grant.check(va, into.len() as u64, Access::READ)?;
        self.post(Operation::Read { into, va, rkey: self.grant.rkey }, false)
    }
    /// Writes. With an immediate the node's owner is told. `fence`: not before earlier READs and atomics are done.
    ///
    /// # Errors
    /// Every [`NativeError`] but those of FREE.
    pub fn write(
        &mut self,
        va: u64,
        data: Vec<u8>,
        immediate: Option<u32>,
        fence: bool,
    ) -> Result<u64, NativeError> {
        self.grant.check(va, data.len() as u64, Access::WRITE)?;
        self.post(Operation::Write { data, va, rkey: self.grant.rkey, immediate }, fence)
    }
    /// Puts `swap` in the place of `compare`; the completion has the word that was there.
    ///
    /// # Errors
    /// Every [`NativeError`] but those of FREE.
    pub fn compare_swap(&mut self, va: u64, compare: u64, swap: u64) -> Result<u64, NativeError> {
        self.grant.check(va, 8, Access::ATOMIC)?;
        self.post(Operation::CompareSwap { va, rkey: self.grant.rkey, compare, swap }, false)
    }
    /// Adds; the completion has the word that was there.
    ///
    /// # Errors
    /// Every [`NativeError`] but those of FREE.
    pub fn fetch_add(&mut self, va: u64, add: u64) -> Result<u64, NativeError> {
        self.grant.check(va, 8, Access::ATOMIC)?;
        self.post(Operation::FetchAdd { va, rkey: self.grant.rkey, add }, false)
    }
    /// Gives pages up, when all earlier READs and atomics are done. The list is one packet: 64 ranges, with path MTUs of 512 and 256 bytes
    /// 32 and 16, and [`FREE_PAGES`] in all.
    ///
    /// # Errors
    /// Every [`NativeError`].
    pub fn free(&mut self, ranges: &[FreeRange]) -> Result<u64, NativeError> {
        self.free_in(ranges, Vec::with_capacity(ranges.len() * FREE_RANGE_LEN))
    }
    /// The same with the message in `buffer`, which the completion gives back: nothing is allocated if it has room for 16 bytes a range.
    ///
    /// # Errors
    /// Every [`NativeError`].
    pub fn free_in(&mut self, ranges: &[FreeRange], mut buffer: Vec<u8>) -> Result<u64, NativeError> {
        put_free(ranges, &mut buffer)?;
        let most = self.carrier.packet_bytes() / FREE_RANGE_LEN;
        if ranges.len() > most {
            return Err(NativeError::Packet(ranges.len(), most));
        }
        for range in ranges {
            self.grant.check(range.va, range.pages * FRAME, Access::WRITE)?;
        }
        self.post(Operation::Send { data: buffer, immediate: None }, true)
    }

    /// The next operation that has ended.
    pub fn poll_done(&mut self) -> Option<Completion<Vec<u8>>> {
        self.carrier.poll_completion()
    }
    /// Ends the connection; what has not ended is flushed.
    pub fn close(&mut self) {
        self.carrier.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_is_little_endian_and_bounded() {
        let message = encode_free(&[FreeRange { va: 0x1_2000, pages: 3 }]);
        let expected = [0, 0x20, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(message.as_deref(), Ok(&expected[..]));
        assert_eq!(encode_free(&[]), Err(NativeError::Ranges(0)));
        let one = FreeRange { va: 0, pages: 1 };
        assert_eq!(encode_free(&[one; 64]).map(|message| message.len()), Ok(1024));
        assert_eq!(encode_free(&[one; 65]), Err(NativeError::Ranges(65)));
        assert_eq!(
            encode_free(&[one, FreeRange { va: 0, pages: FREE_PAGES }]),
            Err(NativeError::TooMany(FREE_PAGES + 1))
        );
        for wrong in [
            FreeRange { va: 1, pages: 1 },
            FreeRange { va: 0, pages: 0 },
            FreeRange { va: 0, pages: 1 << 52 },
        ] {
            assert!(matches!(encode_free(&[wrong]), Err(NativeError::Pages { .. })), "{wrong:?}");
        }
    }

    #[test]
    fn a_free_is_one_packet() {
        use crate::codec::{PathMtu, Psn};
        let grant = Grant { va: 0, length: FRAME, rkey: 1, access: Access::ALL };
        let config = RequesterConfig {
            path_mtu: PathMtu::from_code(1).expect("256 bytes"),
            ..RequesterConfig::new(9, Psn::from_low_bits(0))
        };
        let mut native = Native::new(config, grant);
        let one = FreeRange { va: 0, pages: 1 };
        assert_eq!(native.free(&[one; 17]), Err(NativeError::Packet(17, 16)));
        assert_eq!(native.free(&[one; 16]), Ok(0));
    }

    #[test]
    fn what_the_grant_does_not_cover_is_not_sent() {
        use crate::codec::Psn;
        let grant = Grant { va: 0x1000, length: 0x1000, rkey: 1, access: Access::READ };
        let mut native = Native::new(RequesterConfig::new(9, Psn::from_low_bits(0)), grant);
        assert!(matches!(native.read(0xfff, vec![0; 1]), Err(NativeError::Range { .. })));
        assert!(matches!(native.read(0x1fff, vec![0; 2]), Err(NativeError::Range { .. })));
        assert!(matches!(native.read(u64::MAX, vec![0; 2]), Err(NativeError::Range { .. })));
        assert!(matches!(native.write(0x1000, vec![0; 1], None, false), Err(NativeError::Right { .. })));
        assert!(matches!(native.fetch_add(0x1000, 1), Err(NativeError::Right { .. })));
        assert_eq!(native.read(0x1fff, vec![0; 1]), Ok(0));
        assert_eq!(native.pending(), 1);
    }
}
