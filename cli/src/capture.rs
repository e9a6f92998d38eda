//! `mneme capture`: stands between clients and a board and writes what passes to a pcapng file. It needs no privileges.
use crate::connect::{HERE, MacAddress, listening};
use crate::fault::Fault;
use crate::output::{say, warn};
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
/// A client that has been silent for so long has lost its place when another needs it. It gets one again when it speaks, from
/// another port: so the board must have forgotten what it may repeat, which takes it a second (contracts §2, §4).
const SILENCE: Duration = Duration::from_secs(2);
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
    Clients speak to the address of --listen instead of the board's. \
    Ends on an interrupt; Ethernet addresses in the file are made up.\n\
    64 clients have places at once. Where another comes, the one that has been silent longest gives up its own, after 2 seconds \
    of silence at least.")]
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

/// A client that has a place.
struct Served<'s> {
    back: Arc<UdpSocket>,
    /// When it sent its last datagram.
    heard: Instant,
    /// Its place is another's.
    over: Arc<AtomicBool>,
    thread: Answering<'s>,
}

type Answering<'s> = ScopedJoinHandle<'s, Result<()>>;

/// Who has a place.
#[derive(Default)]
struct Clients<'s> {
    served: HashMap<SocketAddrV4, Served<'s>>,
    /// Threads that end: within one look, so there are never more than places.
    ending: Vec<Answering<'s>>,
    lost: u64,
}

impl<'s> Clients<'s> {
    /// Ends with the first thread that has failed.
    fn check(&mut self) -> Result<()> {
        let gone = self.served.iter().find(|(_, served)| served.thread.is_finished());
        if let Some(client) = gone.map(|(client, _)| *client) {
            self.ending.extend(self.served.remove(&client).map(|served| served.thread));
        }
        while let Some(at) = self.ending.iter().position(ScopedJoinHandle::is_finished) {
            match self.ending.swap_remove(at).join() {
                Ok(end) => end?,
                Err(_) => return Err(anyhow!("the thread of a client panicked").context(Fault::Bug)),
            }
        }
        Ok(())
    }
    /// A place for one more client, perhaps that of one that is silent.
    fn has_room(&mut self, now: Instant) -> bool {
        if self.served.len() < MOST_CLIENTS {
            return true;
        }
        let silent = self.served.iter().min_by_key(|(_, served)| served.heard);
        let silent = silent.filter(|(_, served)| now.duration_since(served.heard) >= SILENCE);
        let Some(client) = silent.map(|(client, _)| *client) else { return false };
        if let (true, Some(served)) = (self.ending.len() < MOST_CLIENTS, self.served.remove(&client)) {
            served.over.store(true, Ordering::Relaxed);
            self.ending.push(served.thread);
            return true;
        }
        false
    }
    fn lose(&mut self) {
        if self.lost == 0 {
            let seconds = SILENCE.as_secs();
            warn(&format!(
                "{MOST_CLIENTS} clients have spoken within {seconds} seconds: what others send is lost until one is silent"
            ));
        }
        self.lost += 1;
    }
}

impl Relay {
    /// Passes requests on until told to stop; answers how many were lost.
    fn carry<'s>(&'s self, scope: &'s Scope<'s, '_>, until: Option<Instant>) -> Result<u64> {
        let mut clients = Clients::default();
        let mut buffer = vec![0; LARGEST];
        while !self.stop.load(Ordering::Relaxed) && until.is_none_or(|until| Instant::now() < until) {
            clients.check()?;
            let Some((length, client)) = received(self.front.recv_from(&mut buffer))? else { continue };
            let SocketAddr::V4(client) = client else { continue };
            let Some(back) = self.place(scope, &mut clients, client)? else {
                clients.lose();
                continue;
            };
            self.note((client, CLIENT), (self.board, BOARD), &buffer[..length])?;
            // A board that refuses shows in its silence.
            let _ = back.send(&buffer[..length]);
        }
        Ok(clients.lost)
    }
    /// What a client that has just spoken reaches the board by; none where all places are taken.
    fn place<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        clients: &mut Clients<'s>,
        client: SocketAddrV4,
    ) -> Result<Option<Arc<UdpSocket>>> {
        let heard = Instant::now();
        if let Some(served) = clients.served.get_mut(&client) {
            served.heard = heard;
            return Ok(Some(served.back.clone()));
        }
        if !clients.has_room(heard) {
            return Ok(None);
        }
        let (back, over) = (Arc::new(self.socket()?), Arc::new(AtomicBool::new(false)));
        let (answers, end) = (back.clone(), over.clone());
        let thread = scope.spawn(move || self.answer(client, &answers, &end));
        clients.served.insert(client, Served { back: back.clone(), heard, over, thread });
        Ok(Some(back))
    }
    /// A socket towards the board, for one client.
    fn socket(&self) -> Result<UdpSocket> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        socket.connect(self.board).with_context(|| format!("no way to {}", self.board))?;
        socket.set_read_timeout(Some(LOOK))?;
        Ok(socket)
    }
    /// Passes the board's answers on to a client while it has its place.
    fn answer(&self, client: SocketAddrV4, back: &UdpSocket, over: &AtomicBool) -> Result<()> {
        let mut buffer = vec![0; LARGEST];
        while !self.stop.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
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
