//! Frames as a link hands them on.
use mneme_wire::frame::{Endpoints, FrameError, MNEME_OFFSET, UdpFrame, emit_headers};

/// A frame that came: one, or several datagrams that a sender on this machine, or the interface, has joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Headers and payload. Those of joined datagrams are the first's, with the lengths of all of them.
    pub bytes: &'a [u8],
    /// Bytes of each datagram where several are joined (UDP_SEGMENT); the last may have fewer.
    pub segment: Option<u16>,
    /// The kernel says that the UDP checksum is not finished, and nothing is wrong with the frame: it has not left this
    /// machine, or the interface has joined it of good ones. It holds the sum of the pseudo-header alone.
    pub unsummed: bool,
}

impl<'a> Frame<'a> {
    /// Opens it. Joined datagrams come in one ([`Frame::datagrams`] tells them apart).
    pub fn parse(&self) -> Result<UdpFrame<'a>, FrameError> {
        match self.unsummed {
            true => UdpFrame::parse_unsummed(self.bytes),
            false => UdpFrame::parse_local(self.bytes),
        }
    }
    /// The datagrams in what [`Frame::parse`] found; an empty one is one.
    pub fn datagrams(&self, found: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let each = self.segment.map_or(found.len(), usize::from).max(1);
        found.chunks(each).chain(found.is_empty().then_some(found))
    }
}

impl<'a> From<&'a [u8]> for Frame<'a> {
    /// One frame, of which no more is known.
    fn from(bytes: &'a [u8]) -> Frame<'a> {
        Frame { bytes, segment: None, unsummed: false }
    }
}

/// Writes a frame of one datagram, which `fill` writes.
pub(crate) fn write_datagram(endpoints: &Endpoints, fill: &mut dyn FnMut(&mut [u8]), frame: &mut [u8]) {
    fill(&mut frame[MNEME_OFFSET..]);
    // Checksum 0: each hop's frame check sequence guards what is on a wire (RFC 768 allows it). The frame is long enough,
    // and no longer than an interface's MTU.
    let _fits = emit_headers(endpoints, false, frame);
}
