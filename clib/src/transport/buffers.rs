//! Where payloads lie: with the callers, not in the transport.

/// A payload that the transport keeps itself: the words of atomics in place, longer ones (slow path) on the heap.
///
/// ```
/// use mneme_clib::transport::Payload;
///
/// let word = Payload::from_slice(&5u64.to_le_bytes());
/// assert_eq!(word.len(), 8);
/// ```
pub type Payload = smallvec::SmallVec<[u8; 16]>;

/// Which bytes an operation carries. The transport hands it back to its [`Buffers`] and does not look at it.
///
/// ```
/// use mneme_clib::transport::Place;
///
/// let second_kilobyte = Place { offset: 1024, ..Place::default() };
/// assert_eq!(second_kilobyte.part, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The request that the operation belongs to.
    pub request: u32,
    /// The local buffer of the request in which the bytes begin.
    pub part: u32,
    /// Where in that buffer.
    pub offset: usize,
}

/// The memory of the callers. Writes are encoded from it straight into the datagram, reads land in it straight from the
/// datagram; a retry asks again.
///
/// ```
/// use mneme_clib::transport::{Buffers, Place};
///
/// /// One buffer for all requests.
/// struct One(Vec<u8>);
///
/// impl Buffers for One {
///     fn fill(&self, place: Place, payload: &mut [u8]) {
///         payload.copy_from_slice(&self.0[place.offset..][..payload.len()]);
///     }
///     fn land(&mut self, place: Place, payload: &[u8]) {
///         self.0[place.offset..][..payload.len()].copy_from_slice(payload);
///     }
/// }
///
/// let mut one = One(vec![0; 8]);
/// one.land(Place { offset: 4, ..Place::default() }, &[7; 4]);
/// assert_eq!(one.0, [0, 0, 0, 0, 7, 7, 7, 7]);
/// ```
pub trait Buffers {
    /// Copies the payload of a write (one whose call has none of its own) into the datagram.
    fn fill(&self, place: Place, payload: &mut [u8]);
    /// Takes the payload of a read that was answered; its length is what was asked for.
    fn land(&mut self, place: Place, payload: &[u8]);
}

/// No memory: zeros are written, what is read is thrown away.
impl Buffers for () {
    fn fill(&self, _: Place, payload: &mut [u8]) {
        payload.fill(0);
    }
    fn land(&mut self, _: Place, _: &[u8]) {}
}
