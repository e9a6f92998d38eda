//! Cutting a request into packets: within a page, within the largest payload (architecture §3).
use mneme_wire::Va;

/// What every packet to one board must respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// log2 of the page size.
    pub page_bits: u8,
    /// Bytes of the largest payload, 64 at least.
    pub max_payload: u16,
}

impl Limits {
    /// Whether a range is one packet. No bytes are none.
    #[inline]
    pub(crate) fn carry(self, va: Va, length: usize) -> bool {
        let page = 1u64 << self.page_bits;
        (1..=usize::from(self.max_payload)).contains(&length)
            && (va.get() & (page - 1)) + length as u64 <= page
    }
}

/// One packet of a larger request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its address.
    pub va: Va,
    /// Its bytes, 1 at least.
    pub length: u16,
}

/// The bytes of one beat of the board's data path.
const BEAT: u64 = 64;

/// The pieces of a range of remote memory, in order. Pieces that are not the last end on a beat border where they can,
/// so that the following ones start aligned and take no beat more than they must. The range lies within the address
/// space.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pieces {
    va: u64,
    left: u64,
}

impl Pieces {
    pub(crate) fn of(va: Va, length: usize) -> Self {
        Pieces { va: va.get(), left: length as u64 }
    }
    /// Whether another one follows.
    pub(crate) fn has_more(&self) -> bool {
        self.left > 0
    }
    /// The next one. The limits may be others each time: a path's MTU changes.
    #[inline]
    pub(crate) fn next(&mut self, limits: Limits) -> Option<Piece> {
        let (at, page) = (self.va, 1u64 << limits.page_bits);
        let mut take = self.left.min(page - (at & (page - 1))).min(u64::from(limits.max_payload));
        if take < self.left && take > BEAT {
            take -= (at + take) % BEAT;
        }
        self.va += take;
        self.left -= take;
        (take > 0).then_some(Piece { va: Va::from_low_bits(at), length: take as u16 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_cover_everything_once_within_pages(
            va in 0u64..(1 << 40), length in 0usize..200_000, page_bits in 12u8..24, max_payload in 64u16..9_000,
        ) {
            let mut next = 0;
            let all = Limits { page_bits, max_payload };
            let mut first = Pieces::of(Va::from_low_bits(va), length);
            let one = first.next(all).is_some() && !first.has_more();
            prop_assert_eq!(all.carry(Va::from_low_bits(va), length), one);
            let mut pieces = Pieces::of(Va::from_low_bits(va), length);
            for max_payload in [max_payload, 9_000 - max_payload / 2].into_iter().cycle() {
                let Some(piece) = pieces.next(Limits { page_bits, max_payload }) else { break };
                prop_assert_eq!(piece.va.get(), va + next as u64);
                prop_assert!(piece.length > 0 && piece.length <= max_payload);
                let last = piece.va.get() + u64::from(piece.length) - 1;
                prop_assert_eq!(piece.va.get() >> page_bits, last >> page_bits);
                next += usize::from(piece.length);
            }
            prop_assert_eq!(next, length);
        }
    }

    #[test]
    fn pieces_end_on_beats() {
        let limits = Limits { page_bits: 18, max_payload: 1450 };
        let mut pieces = Pieces::of(Va::from_low_bits(100), 3_000);
        let lengths: Vec<u16> = std::iter::from_fn(|| pieces.next(limits)).map(|p| p.length).collect();
        assert_eq!(lengths, [1436, 1408, 156]);
    }
}
