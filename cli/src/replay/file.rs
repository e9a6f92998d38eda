//! What a capture has of a board: requests and answers in the order in which they passed.
use anyhow::{Context, Result, bail};
use mneme_wire::Packet;
use mneme_wire::frame::UdpFrame;
use pcap_file::pcap::PcapReader;
use pcap_file::pcapng::{Block, PcapNgReader};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::Path;
use std::time::Duration;

/// Packets that are read at most: they are kept in memory.
const MOST: usize = 1 << 20;
/// How pcapng files begin.
const PCAPNG: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];

/// A request or an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// When, from the capture's first packet on.
    pub at: Duration,
    pub client: SocketAddrV4,
    pub answer: bool,
    pub datagram: Vec<u8>,
}

/// A capture's packets, and what else it has.
#[derive(Debug, Default)]
pub struct Talk {
    pub passed: Vec<Passed>,
    /// Frames that are no packets between clients and a board.
    pub others: u64,
    boards: BTreeSet<SocketAddrV4>,
}

/// Reads a pcap or pcapng file, as `mneme capture`, `mneme board --capture` and Wireshark write them.
pub fn read(path: &Path) -> Result<Talk> {
    let talk = open(path).with_context(|| format!("the capture {}", path.display()))?;
    if !talk.passed.iter().any(|passed| !passed.answer) {
        bail!("{} has no request to a board among its {} frames", path.display(), talk.others);
    }
    if talk.boards.len() > 1 {
        let boards: Vec<String> = talk.boards.iter().map(ToString::to_string).collect();
        bail!(
            "{} has requests to several boards ({}): save those to one of them alone, in Wireshark",
            path.display(),
            boards.join(", ")
        );
    }
    Ok(talk)
}

fn open(path: &Path) -> Result<Talk> {
    let mut file = BufReader::new(File::open(path)?);
    let mut magic = [0; 4];
    file.read_exact(&mut magic).context("it is no capture: it ends within its first bytes")?;
    file.rewind()?;
    let mut talk = Talk::default();
    if magic == PCAPNG {
        let mut reader = PcapNgReader::new(file).context("it is no pcapng file")?;
        while let Some(block) = reader.next_block() {
            if let Block::EnhancedPacket(packet) = block.context("it is damaged, or was cut off")? {
                talk.add(packet.timestamp, &packet.data)?;
            }
        }
    } else {
        let mut reader = PcapReader::new(file).context("it is neither a pcapng nor a pcap file")?;
        while let Some(packet) = reader.next_packet() {
            let packet = packet.context("it is damaged, or was cut off")?;
            talk.add(packet.timestamp, &packet.data)?;
        }
    }
    let first = talk.passed.iter().map(|passed| passed.at).min().unwrap_or_default();
    talk.passed.iter_mut().for_each(|passed| passed.at -= first);
    Ok(talk)
}

impl Talk {
    fn add(&mut self, at: Duration, frame: &[u8]) -> Result<()> {
        let Ok(frame) = UdpFrame::parse_local(frame) else {
            self.others += 1;
            return Ok(());
        };
        let Ok(packet) = Packet::new_checked(frame.datagram) else {
            self.others += 1;
            return Ok(());
        };
        let ends = frame.endpoints;
        let from = SocketAddrV4::new(Ipv4Addr::from(ends.src_ip), ends.src_port);
        let to = SocketAddrV4::new(Ipv4Addr::from(ends.dst_ip), ends.dst_port);
        let answer = packet.is_response();
        let (client, board) = if answer { (to, from) } else { (from, to) };
        if !answer {
            self.boards.insert(board);
        }
        if self.passed.len() == MOST {
            bail!("it has more than {MOST} packets: save a part of it, in Wireshark");
        }
        self.passed.push(Passed { at, client, answer, datagram: frame.datagram.to_vec() });
        Ok(())
    }
}
