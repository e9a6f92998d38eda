//! What a datagram costs through `UdpBatch` and `UdpPort`, and through the crate quinn-udp, over loopback.
//!
//! ```sh
//! cargo run --release -p mneme-link --example batchers            # 101 rounds of each case
//! strace -c target/release/examples/batchers 1 64+72 quinn        # the system calls of one round of one way
//! ```
//!
//! Both ways move the same batches in turn, on one thread, so that a busy machine slows both alike. A round is a batch there
//! and back again, many times; its cost is the thread's processor time for each datagram. Shown are the medians, and the
//! median of the ratios of neighbouring rounds.
use std::io::{ErrorKind, IoSliceMut};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::time::Duration;

use mneme_link::{UdpBatch, UdpOptions, UdpPort, Waiting};
use quinn_udp::{RecvMeta, Transmit, UdpSocketState};
use rustix::time::{ClockId, clock_gettime};

type Failure = Box<dyn std::error::Error>;
/// Opens both ends of a way.
type Make = fn() -> Result<Box<dyn Way>, Failure>;

/// Datagrams of a batch.
const BATCH: usize = 32;
/// Batches of a round.
const BATCHES: usize = 200;
/// Bytes of the largest datagram.
const LARGEST: usize = 1472;
/// What peers are answered with.
static ANSWER: [u8; LARGEST] = [7; LARGEST];
/// Bytes of the largest message: several datagrams in one.
const JOINED: usize = 65_535;
/// Messages of one receive of quinn-udp: as many as `UdpBatch` takes.
const MESSAGES: usize = 16;
/// Looks for datagrams that loopback has delivered before the send returned.
const LOOKS: u32 = 1000;

/// Both ends of a way to move datagrams: a batch is sent by one end, received by the other, and sent back.
trait Way {
    /// Moves a batch there and back; answers the bytes that came back.
    fn turn(&mut self, lengths: &[usize]) -> Result<usize, Failure>;
}

struct Batches(UdpBatch, UdpBatch);

/// Sends a batch through one end and takes it from the other.
fn across(from: &mut UdpBatch, to: &mut UdpBatch, lengths: &[usize]) -> Result<usize, Failure> {
    let clock = || Duration::ZERO;
    for length in lengths {
        from.send(&clock, *length, &mut |room| room.fill(7))?;
    }
    from.flush(&clock)?;
    let (mut came, mut bytes) = (0, 0);
    while came < lengths.len() {
        let taken = to.receive(Duration::from_secs(1), &mut |datagram| bytes += datagram.len())?;
        if taken == 0 {
            return Err("datagrams are lost on loopback".into());
        }
        came += taken;
    }
    Ok(bytes)
}

impl Way for Batches {
    fn turn(&mut self, lengths: &[usize]) -> Result<usize, Failure> {
        across(&mut self.0, &mut self.1, lengths)?;
        across(&mut self.1, &mut self.0, lengths)
    }
}

/// A socket of quinn-udp with what its caller has to hold.
struct Quinn {
    socket: UdpSocket,
    state: UdpSocketState,
    bytes: Vec<u8>,
    buffers: Vec<u8>,
}

impl Quinn {
    fn new(socket: UdpSocket) -> Result<Quinn, Failure> {
        let state = UdpSocketState::new((&socket).into())?;
        state.set_send_buffer_size((&socket).into(), 4 << 20)?;
        state.set_recv_buffer_size((&socket).into(), 4 << 20)?;
        Ok(Quinn { socket, state, bytes: Vec::new(), buffers: vec![0; MESSAGES * JOINED] })
    }
    /// Sends a batch as few messages: datagrams of one length in a row are one.
    fn send(&mut self, lengths: &[usize], to: impl Fn(usize) -> SocketAddr) -> Result<(), Failure> {
        self.bytes.resize(lengths.iter().sum(), 0);
        let (mut at, mut first) = (0, 0);
        while first < lengths.len() {
            let (each, destination) = (lengths[first], to(first));
            let alike = |place: &usize| lengths[*place] == each && to(*place) == destination;
            let count = (first..lengths.len()).take_while(alike).count();
            let message = &mut self.bytes[at..at + count * each];
            message.chunks_mut(each).for_each(|room| room.fill(7));
            let segment_size = (count > 1).then_some(each);
            let transmit = Transmit { destination, ecn: None, contents: message, segment_size, src_ip: None };
            self.state.try_send((&self.socket).into(), &transmit)?;
            (at, first) = (at + count * each, first + count);
        }
        Ok(())
    }
    fn receive(&mut self, count: usize, mut take: impl FnMut(SocketAddr, &[u8])) -> Result<(), Failure> {
        let (mut came, mut looks) = (0, 0);
        while came < count {
            let mut buffers: [IoSliceMut; MESSAGES] = {
                let mut rest = self.buffers.chunks_mut(JOINED);
                std::array::from_fn(|_| IoSliceMut::new(rest.next().unwrap_or_default()))
            };
            let mut meta = [RecvMeta::default(); MESSAGES];
            let messages = match self.state.recv((&self.socket).into(), &mut buffers, &mut meta) {
                Err(error) if error.kind() == ErrorKind::WouldBlock && looks < LOOKS => {
                    looks += 1;
                    continue;
                }
                other => other?,
            };
            for (meta, buffer) in meta.iter().zip(self.buffers.chunks(JOINED)).take(messages) {
                for datagram in buffer[..meta.len].chunks(meta.stride.max(1)) {
                    take(meta.addr, datagram);
                    came += 1;
                }
            }
        }
        Ok(())
    }
}

struct Quinns(Quinn, Quinn);

impl Way for Quinns {
    fn turn(&mut self, lengths: &[usize]) -> Result<usize, Failure> {
        let mut bytes = 0;
        for turn in [false, true] {
            let (from, to) = if turn { (&mut self.1, &mut self.0) } else { (&mut self.0, &mut self.1) };
            let address = to.socket.local_addr()?;
            from.send(lengths, |_| address)?;
            bytes = 0;
            to.receive(lengths.len(), |_, datagram| bytes += datagram.len())?;
        }
        Ok(bytes)
    }
}

/// A socket that serves several peers.
trait Serves {
    /// Takes so many datagrams and answers each with one of its length.
    fn answer(&mut self, count: usize) -> Result<(), Failure>;
}

impl Serves for UdpPort {
    fn answer(&mut self, count: usize) -> Result<(), Failure> {
        let mut came: Vec<(SocketAddrV4, usize)> = Vec::with_capacity(count);
        while came.len() < count {
            let taken = self.receive(Duration::from_secs(1), &mut |from, datagram| {
                came.extend(from.map(|from| (from, datagram.len())));
            })?;
            if taken == 0 {
                return Err("datagrams are lost on loopback".into());
            }
        }
        for (to, length) in came {
            self.send(to, &ANSWER[..length]);
        }
        self.flush();
        Ok(())
    }
}

impl Serves for Quinn {
    fn answer(&mut self, count: usize) -> Result<(), Failure> {
        let mut came: Vec<(SocketAddr, usize)> = Vec::with_capacity(count);
        self.receive(count, |from, datagram| came.push((from, datagram.len())))?;
        let lengths: Vec<usize> = came.iter().map(|(_, length)| *length).collect();
        self.send(&lengths, |place| came[place].0)
    }
}

/// A socket that serves, and its peers, each of which sends its part of a batch.
struct Served<P>(P, Vec<UdpBatch>);

impl<P: Serves> Way for Served<P> {
    fn turn(&mut self, lengths: &[usize]) -> Result<usize, Failure> {
        let (port, peers) = (&mut self.0, &mut self.1);
        let clock = || Duration::ZERO;
        let part = lengths.len() / peers.len();
        for (peer, lengths) in peers.iter_mut().zip(lengths.chunks(part)) {
            for length in lengths {
                peer.send(&clock, *length, &mut |room| room.fill(7))?;
            }
            peer.flush(&clock)?;
        }
        port.answer(lengths.len())?;
        let mut bytes = 0;
        for peer in peers {
            let mut came = 0;
            while came < part {
                let taken = peer.receive(Duration::from_secs(1), &mut |datagram| bytes += datagram.len())?;
                if taken == 0 {
                    return Err("answers are lost on loopback".into());
                }
                came += taken;
            }
        }
        Ok(bytes)
    }
}

const LOCAL: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));

/// Two addresses that nobody uses at the moment.
fn addresses() -> Result<(SocketAddr, SocketAddr), Failure> {
    let (first, second) = (UdpSocket::bind(LOCAL)?, UdpSocket::bind(LOCAL)?);
    Ok((first.local_addr()?, second.local_addr()?))
}

fn ours() -> Result<Box<dyn Way>, Failure> {
    let (near, far) = addresses()?;
    let connect = |local, peer| UdpBatch::connect(local, peer, LARGEST, UdpOptions::default());
    Ok(Box::new(Batches(connect(near, far)?, connect(far, near)?)))
}

fn quinn() -> Result<Box<dyn Way>, Failure> {
    let (near, far) = addresses()?;
    let connect = |local: SocketAddr, peer: SocketAddr| {
        let socket = UdpSocket::bind(local)?;
        socket.connect(peer)?;
        Quinn::new(socket)
    };
    Ok(Box::new(Quinns(connect(near, far)?, connect(far, near)?)))
}

/// Peers of a socket that serves them.
fn peers(of: SocketAddr) -> Result<Vec<UdpBatch>, Failure> {
    let connect = |_| UdpBatch::connect(LOCAL, of, LARGEST, UdpOptions::default());
    Ok((0..4).map(connect).collect::<Result<_, _>>()?)
}

fn port() -> Result<Box<dyn Way>, Failure> {
    let socket = UdpSocket::bind(LOCAL)?;
    let peers = peers(socket.local_addr()?)?;
    Ok(Box::new(Served(UdpPort::new(socket, Waiting::Yield)?, peers)))
}

fn quinn_port() -> Result<Box<dyn Way>, Failure> {
    let socket = UdpSocket::bind(LOCAL)?;
    let peers = peers(socket.local_addr()?)?;
    Ok(Box::new(Served(Quinn::new(socket)?, peers)))
}

/// The thread's processor time.
fn now() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Nanoseconds for each datagram of a round, each of which is moved twice.
fn round(way: &mut dyn Way, lengths: &[usize]) -> Result<f64, Failure> {
    let begun = now();
    for _ in 0..BATCHES {
        if way.turn(lengths)? != lengths.iter().sum::<usize>() {
            return Err("datagrams have come back with other lengths".into());
        }
    }
    Ok((now() - begun).as_nanos() as f64 / (2 * BATCHES * lengths.len()) as f64)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.first().map_or(Ok(101), |text| text.parse::<usize>())?.max(1);
    let mixed = |a: usize, b: usize| (0..BATCH).map(|n| if n % 2 == 0 { a } else { b }).collect();
    let pair: [Make; 2] = [ours, quinn];
    let ports: [Make; 2] = [port, quinn_port];
    let cases: [(&str, Vec<usize>, _); 6] = [
        ("64", vec![64; BATCH], pair),
        ("1450", vec![1450; BATCH], pair),
        ("64+72", mixed(64, 72), pair),
        ("64+1450", mixed(64, 1450), pair),
        ("port-64", vec![64; BATCH], ports),
        ("port-1450", vec![1450; BATCH], ports),
    ];
    println!("{:10} {:>10} {:>10} {:>7}", "bytes", "ours, ns", "quinn, ns", "ratio");
    for (name, lengths, make) in cases {
        if arguments.get(1).is_some_and(|wanted| wanted != name) {
            continue;
        }
        if let Some(which) = arguments.get(2) {
            // One way alone, for a tracer.
            let mut way = make[usize::from(which == "quinn")]()?;
            println!("{name} {which}: {:.0} ns", round(&mut *way, &lengths)?);
            continue;
        }
        let mut ways = [make[0]()?, make[1]()?];
        let (mut times, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
        for _ in 0..rounds {
            let [ours, quinn] = &mut ways;
            let (ours, quinn) = (round(&mut **ours, &lengths)?, round(&mut **quinn, &lengths)?);
            times[0].push(ours);
            times[1].push(quinn);
            ratios.push(quinn / ours);
        }
        let [ours, quinn] = times.map(median);
        println!("{name:10} {ours:>10.0} {quinn:>10.0} {:>7.2}", median(ratios));
    }
    Ok(())
}
