//! `mneme capture`: stands between clients and a board and writes what passes to a pcapng file. It needs no privileges.
use crate::connect::{HERE, MacAddress, listening};
use crate::fault::Fault;
use crate::output::say;
use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use mneme_clib::driver::BoardAddress;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use pcap_file::DataLink;
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime};

/// Clients at once; each has a socket and a thread. Datagrams of others are lost, and counted.
const MOST_CLIENTS: usize = 64;
/// The largest datagram.
const LARGEST: usize = 65_507;
/// Between two looks whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// pcapng's code for times in nanoseconds.
const NANOSECONDS: u8 = 9;
/// Ethernet addresses in the file: sockets do not tell the real ones.
const CLIENT: MacAddress = MacAddress([2, 0, 0, 0, 0, 1]);
const BOARD: MacAddress = MacAddress([2, 0, 0, 0, 0, 2]);

/// Record what passes between clients and a board, for Wireshark
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    mneme capture talk.pcapng --listen 127.0.0.1:19791 --board 127.0.0.1:19790 &\n  \
    mneme ping --board 127.0.0.1:19791\n  \
    wireshark -X lua_script:wire/generated/mneme.lua talk.pcapng\n\n\
    Clients speak to the address of --listen instead of the board's. Ends on an interrupt; Ethernet addresses in the file are made up.")]
pub struct CaptureArgs {
    /// The pcapng file to write; an old one is replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where clients reach this program
    #[arg(long, value_name = "ADDR[:PORT]", default_value = "127.0.0.1:19791", value_parser = listening)]
    listen: SocketAddrV4,
    /// The board's UDP address, IPv4; the port is 19790 unless named
    #[arg(long, value_name = "HOST[:PORT]", env = "MNEME_BOARD", default_value = HERE)]
    board: BoardAddress,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    duration: Option<u64>,
}

/// The file, and what went into it.
struct Record {
    writer: PcapNgWriter<BufWriter<File>>,
    packets: u64,
}

impl Record {
    fn create(path: &PathBuf) -> Result<Record> {
        let file = File::create(path).with_context(|| format!("creating {}", path.display()))?;
        let mut writer = PcapNgWriter::new(BufWriter::new(file))?;
        let mut interface = InterfaceDescriptionBlock::new(DataLink::ETHERNET, 0);
        interface.options.push(InterfaceDescriptionOption::IfTsResol(NANOSECONDS));
        writer.write_pcapng_block(interface)?;
        Ok(Record { writer, packets: 0 })
    }
    /// Appends a datagram as the frame that it travels in.
    fn add(
        &mut self,
        from: (SocketAddrV4, MacAddress),
        to: (SocketAddrV4, MacAddress),
        datagram: &[u8],
    ) -> Result<()> {
        let endpoints = Endpoints {
            src_mac: from.1.0,
            dst_mac: to.1.0,
            src_ip: from.0.ip().octets(),
            dst_ip: to.0.ip().octets(),
            src_port: from.0.port(),
            dst_port: to.0.port(),
        };
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        UdpFrame { endpoints, datagram }.emit(true, &mut frame).context("a datagram that fits no frame")?;
        let timestamp = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let block = EnhancedPacketBlock {
            interface_id: 0,
            timestamp,
            original_len: frame.len() as u32,
            data: Cow::Owned(frame),
            options: Vec::new(),
        };
        self.writer.write_pcapng_block(block)?;
        self.packets += 1;
        Ok(())
    }
}

/// What all threads share.
struct Relay {
    front: UdpSocket,
    board: SocketAddrV4,
    record: Mutex<Record>,
    stop: Arc<AtomicBool>,
}

/// Runs the command.
pub fn run(args: &CaptureArgs) -> Result<()> {
    let board = args.board.resolve()?;
    let front = UdpSocket::bind(args.listen).with_context(|| format!("cannot listen on {}", args.listen))?;
    front.set_read_timeout(Some(LOOK))?;
    let listening = front.local_addr()?;
    ensure!(listening != SocketAddr::V4(board), "--listen and --board are the same address");
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("cannot wait for interrupts")?;
    let relay = Relay { front, board, record: Mutex::new(Record::create(&args.file)?), stop };
    say!("recording what passes between {listening} and {board}")?;
    let until = args.duration.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let lost = std::thread::scope(|scope| {
        let carried = relay.carry(scope, until);
        // Whatever happened, the other threads end.
        relay.stop.store(true, Ordering::Relaxed);
        carried
    })?;
    let record = relay.record.into_inner().unwrap_or_else(PoisonError::into_inner);
    record.writer.into_inner().flush().with_context(|| format!("writing {}", args.file.display()))?;
    say!(
        "{} packets in {}, {lost} of clients beyond {MOST_CLIENTS} lost",
        record.packets,
        args.file.display()
    )?;
    Ok(())
}

impl Relay {
    /// Passes requests on until told to stop; answers how many were lost.
    fn carry<'s>(&'s self, scope: &'s Scope<'s, '_>, until: Option<Instant>) -> Result<u64> {
        let mut clients: HashMap<SocketAddrV4, Arc<UdpSocket>> = HashMap::new();
        let mut threads: Vec<ScopedJoinHandle<'s, Result<()>>> = Vec::new();
        let (mut buffer, mut lost) = (vec![0; LARGEST], 0);
        while !self.stop.load(Ordering::Relaxed) && until.is_none_or(|until| Instant::now() < until) {
            if let Some(ended) = threads.iter().position(ScopedJoinHandle::is_finished) {
                return match threads.swap_remove(ended).join() {
                    Ok(end) => end.map(|()| lost),
                    Err(_) => Err(anyhow!("the thread of a client panicked").context(Fault::Bug)),
                };
            }
            let Some((length, client)) = received(self.front.recv_from(&mut buffer))? else { continue };
            let SocketAddr::V4(client) = client else { continue };
            let back = match clients.get(&client) {
                Some(back) => back.clone(),
                None if clients.len() == MOST_CLIENTS => {
                    lost += 1;
                    continue;
                }
                None => {
                    let back = Arc::new(self.socket()?);
                    clients.insert(client, back.clone());
                    let answers = back.clone();
                    threads.push(scope.spawn(move || self.answer(client, &answers)));
                    back
                }
            };
            self.note((client, CLIENT), (self.board, BOARD), &buffer[..length])?;
            // A board that refuses shows in its silence.
            let _ = back.send(&buffer[..length]);
        }
        Ok(lost)
    }
    /// A socket towards the board, for one client.
    fn socket(&self) -> Result<UdpSocket> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        socket.connect(self.board).with_context(|| format!("no way to {}", self.board))?;
        socket.set_read_timeout(Some(LOOK))?;
        Ok(socket)
    }
    /// Passes the board's answers on to a client.
    fn answer(&self, client: SocketAddrV4, back: &UdpSocket) -> Result<()> {
        let mut buffer = vec![0; LARGEST];
        while !self.stop.load(Ordering::Relaxed) {
            let Some(length) = received(back.recv(&mut buffer))? else { continue };
            self.note((self.board, BOARD), (client, CLIENT), &buffer[..length])?;
            // A client that has gone needs no answer.
            let _ = self.front.send_to(&buffer[..length], client);
        }
        Ok(())
    }
    fn note(
        &self,
        from: (SocketAddrV4, MacAddress),
        to: (SocketAddrV4, MacAddress),
        datagram: &[u8],
    ) -> Result<()> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).add(from, to, datagram)
    }
}

/// What a receive gave; nothing when it was only time to look around, or the other side refused an earlier datagram.
fn received<T>(result: std::io::Result<T>) -> Result<Option<T>> {
    match result {
        Ok(received) => Ok(Some(received)),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock
            | ErrorKind::TimedOut
            | ErrorKind::Interrupted
            | ErrorKind::ConnectionRefused => Ok(None),
            _ => Err(error).context("receiving a datagram"),
        },
    }
}
