//! Memory asked for before it is needed. What another processor has just written, such as a frame in a ring, takes some tens of
//! nanoseconds a line to come over; asked for early, it comes while something else is done.

/// Bytes of a cache line on the processors that this is for; on others a guess that costs nothing.
const LINE: usize = 64;

/// Lines asked for at once at most: a datagram of Ethernet's MTU.
const MOST: usize = 24;

/// Asks for some bytes, or for the first of them. Only a hint: nothing happens where the processor's is not known.
#[inline]
pub(crate) fn prefetch(bytes: &[u8]) {
    for line in bytes.chunks(LINE).take(MOST) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a hint, which every x86-64 processor knows, for an address that the slice makes valid.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _no_hint_is_stable = line;
    }
}
