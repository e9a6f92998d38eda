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

/// One packet of a larger request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its address.
    pub va: Va,
    /// Where it lies in the caller's buffer.
    pub offset: usize,
    /// Its bytes, 1 at least.
    pub length: u16,
}

/// The bytes of one beat of the board's data path.
const BEAT: u64 = 64;

/// The pieces of `length` bytes at `va`, in order. Pieces that are not the last end on a beat border where they can, so
/// that the following ones start aligned and take no beat more than they must. The range lies within the address space.
pub(crate) fn pieces(va: Va, length: usize, limits: Limits) -> impl Iterator<Item = Piece> {
    let page = 1u64 << limits.page_bits;
    let mut offset = 0;
    std::iter::from_fn(move || {
        let left = (length - offset) as u64;
        let at = va.get() + offset as u64;
        let mut take = left.min(page - at % page).min(u64::from(limits.max_payload));
        if take < left && take > BEAT {
            take -= (at + take) % BEAT;
        }
        let piece = Piece { va: Va::from_low_bits(at), offset, length: take as u16 };
        offset += take as usize;
        (take > 0).then_some(piece)
    })
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
            let limits = Limits { page_bits, max_payload };
            let mut next = 0;
            for piece in pieces(Va::from_low_bits(va), length, limits) {
                prop_assert_eq!(piece.offset, next);
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
        let lengths: Vec<u16> = pieces(Va::from_low_bits(100), 3_000, limits).map(|p| p.length).collect();
        assert_eq!(lengths, [1436, 1408, 156]);
    }
}
