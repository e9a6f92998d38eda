//! Frames in and out of the board, in a capture file that Wireshark reads.
use std::borrow::Cow;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::{DataLink, PcapError, TsResolution};

/// A capture file. Time is the wall clock's since the daemon's start.
pub struct Capture {
    writer: PcapWriter<BufWriter<File>>,
}

impl Capture {
    /// A new file; an old one of this name is replaced.
    pub fn create(path: &Path) -> Result<Capture, PcapError> {
        let file = BufWriter::new(File::create(path).map_err(PcapError::IoError)?);
        let header = PcapHeader {
            datalink: DataLink::ETHERNET,
            ts_resolution: TsResolution::NanoSecond,
            ..PcapHeader::default()
        };
        Ok(Capture { writer: PcapWriter::with_header(file, header)? })
    }
    /// Appends a frame.
    pub fn frame(&mut self, now: Duration, frame: &[u8]) -> Result<(), PcapError> {
        let packet = PcapPacket { timestamp: now, orig_len: frame.len() as u32, data: Cow::Borrowed(frame) };
        self.writer.write_packet(&packet).map(drop)
    }
}
