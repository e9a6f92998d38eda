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
/// A range of no more pieces than this is cut into equal ones. Larger ones fill a joined datagram by themselves.
const MOST_EQUAL: u64 = 16;

/// The pieces of a range of remote memory, in order. Pieces that are not the last end on a beat border where they can,
/// so that the following ones start aligned and take no beat more than they must. The range lies within the address
/// space.
///
/// Datagrams leave joined, and come back so, as long as they are equally long. So a range of whole beats is cut into
/// equal pieces where that makes no more than a third more of them: those of the next range then join them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pieces {
    va: u64,
    left: u64,
    /// Bytes of equal pieces; 0: they are as long as may be.
    each: u64,
}

/// Bytes of equal pieces of a range, if there are such.
fn equal(va: u64, length: u64, max_payload: u16) -> Option<u64> {
    let fewest = length.div_ceil(max_payload.into());
    if !(2..=MOST_EQUAL).contains(&fewest) || !va.is_multiple_of(BEAT) || !length.is_multiple_of(BEAT) {
        return None;
    }
    let beats = length / BEAT;
    (fewest..=fewest + fewest / 3)
        .find(|pieces| beats.is_multiple_of(*pieces) && beats / pieces * BEAT <= max_payload.into())
        .map(|pieces| beats / pieces * BEAT)
}

impl Pieces {
    pub(crate) fn of(va: Va, length: usize, limits: Limits) -> Self {
        let (va, left) = (va.get(), length as u64);
        Pieces { va, left, each: equal(va, left, limits.max_payload).unwrap_or(0) }
    }
    /// Whether another one follows.
    pub(crate) fn has_more(&self) -> bool {
        self.left > 0
    }
    /// Where it begins.
    pub(crate) fn next_va(&self) -> Va {
        Va::from_low_bits(self.va)
    }
    /// The next one. The limits may be others each time: a path's MTU changes.
    #[inline]
    pub(crate) fn next(&mut self, limits: Limits) -> Option<Piece> {
        let (at, page) = (self.va, 1u64 << limits.page_bits);
        let largest = u64::from(limits.max_payload);
        let most = if (1..=largest).contains(&self.each) { self.each } else { largest };
        let mut take = self.left.min(page - (at & (page - 1))).min(most);
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
            let mut first = Pieces::of(Va::from_low_bits(va), length, all);
            let one = first.next(all).is_some() && !first.has_more();
            prop_assert_eq!(all.carry(Va::from_low_bits(va), length), one);
            let mut pieces = Pieces::of(Va::from_low_bits(va), length, all);
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
        let mut pieces = Pieces::of(Va::from_low_bits(100), 3_000, limits);
        let lengths: Vec<u16> = std::iter::from_fn(|| pieces.next(limits)).map(|p| p.length).collect();
        assert_eq!(lengths, [1436, 1408, 156]);
    }

    #[test]
    fn ranges_of_whole_beats_are_cut_into_equal_pieces_where_that_costs_little() {
        let cut = |va: u64, length: usize, max_payload: u16| -> Vec<u16> {
            let limits = Limits { page_bits: 18, max_payload };
            let mut pieces = Pieces::of(Va::from_low_bits(va), length, limits);
            std::iter::from_fn(|| pieces.next(limits)).map(|piece| piece.length).collect()
        };
        assert_eq!(cut(0, 4_096, 1_444), [1_024; 4]);
        assert_eq!(cut(64, 16_384, 1_444), [1_024; 16]);
        assert_eq!(cut(0, 16_384, 8_944), [8_192; 2]);
        assert_eq!(cut(0, 4_096, 8_944), [4_096]);
        assert_eq!(cut(1, 4_096, 1_444), [1_407, 1_408, 1_281], "not at a beat");
        assert_eq!(cut(0, 4_100, 1_444), [1_408, 1_408, 1_284], "no whole beats");
        assert_eq!(cut(0, 67 * 64, 1_444), [1_408, 1_408, 1_408, 64], "a prime number of beats");
        assert_eq!(cut(0, 65_536, 1_444).len(), 47, "fills a joined datagram alone");
        // The path becomes narrower meanwhile.
        let limits = |max_payload| Limits { page_bits: 18, max_payload };
        let mut pieces = Pieces::of(Va::from_low_bits(0), 4_096, limits(1_444));
        let lengths = [1_444, 700].map(|most| pieces.next(limits(most)).map(|piece| piece.length));
        assert_eq!(lengths, [Some(1_024), Some(640)]);
    }
}
