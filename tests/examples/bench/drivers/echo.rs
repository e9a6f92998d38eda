//! The board's end of a ping-pong: sends every datagram back by the way that it came, cut or made longer.
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use mneme_clib::driver::{LinkKind, Waiting};
use mneme_link::{Interface, PortReservation, Selection};
use mneme_tests::rig::veth::{End, INTERFACE, Veth};
use mneme_wire::frame::UdpFrame;

use super::Shape;
use super::ways::{BOARD_PORT, CLIENT_PORT, Way, offer_processor, pin};

/// How often the flag is looked at while nothing comes.
const LOOK: Duration = Duration::from_millis(10);

/// Runs `work` while the other end sends back what comes.
pub fn with<R>(
    veth: &Veth,
    way: Way,
    shape: Shape,
    processor: usize,
    work: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let (stop, up) = (AtomicBool::new(false), std::sync::Barrier::new(2));
    std::thread::scope(|scope| {
        let echo = scope.spawn(|| {
            let entered = veth.enter(End::Board).context("entering the namespace");
            let opened = entered.and_then(|()| Echo::open(way, shape));
            pin(processor);
            up.wait();
            opened?.run(shape.answered, &stop)
        });
        up.wait();
        let done = work();
        stop.store(true, Ordering::Relaxed);
        match echo.join() {
            Ok(Ok(())) => done,
            Ok(Err(error)) => Err(error.context("the other end")),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

enum Echo {
    Plain(UdpSocket),
    Udp(Box<mneme_link::UdpBatch>),
    Raw(Box<dyn mneme_link::Link>, PortReservation),
}

impl Echo {
    fn open(way: Way, shape: Shape) -> Result<Echo> {
        let here = SocketAddr::from((Veth::address(End::Board), BOARD_PORT));
        let there = SocketAddr::from((Veth::address(End::Client), CLIENT_PORT));
        Ok(match way {
            Way::Plain | Way::PlainAsleep => {
                let socket = UdpSocket::bind(here)?;
                socket.connect(there)?;
                socket.set_nonblocking(way == Way::Plain)?;
                socket.set_read_timeout(Some(LOOK))?;
                Echo::Plain(socket)
            }
            Way::Udp | Way::UdpSegmented => {
                let longest = 2 * shape.longest();
                Echo::Udp(Box::new(mneme_link::UdpBatch::connect(here, there, longest, way.udp_options())?))
            }
            Way::Raw(kind) => {
                let (link, held) = open_link(kind)?;
                Echo::Raw(link, held)
            }
        })
    }
    /// Sends `answered` bytes for every datagram.
    fn run(self, answered: usize, stop: &AtomicBool) -> Result<()> {
        match self {
            Echo::Plain(socket) => plain(&socket, answered, stop),
            Echo::Udp(socket) => batched(*socket, answered, stop),
            Echo::Raw(link, _held) => raw(link, answered, stop),
        }
    }
}

fn open_link(kind: LinkKind) -> Result<(Box<dyn mneme_link::Link>, PortReservation)> {
    let interface = Interface::named(INTERFACE)?;
    let ip = Veth::address(End::Board);
    let held = PortReservation::new(ip, BOARD_PORT)?;
    let selection = Selection::Port { ip: ip.octets(), port: BOARD_PORT };
    Ok((kind.open(&interface, selection, Waiting::Spin)?, held))
}

/// Keeps a datagram with others, as long as the one that goes back for it.
fn keep(came: &mut Vec<Vec<u8>>, count: &mut usize, datagram: &[u8], answered: usize) {
    if *count == came.len() {
        came.push(Vec::new());
    }
    let place = &mut came[*count];
    datagram.clone_into(place);
    place.resize(answered, 7);
    *count += 1;
}

fn plain(socket: &UdpSocket, answered: usize, stop: &AtomicBool) -> Result<()> {
    let (mut buffer, mut looks) = (vec![7; answered], 0_u32);
    while !stop.load(Ordering::Relaxed) {
        match socket.recv(&mut buffer) {
            Ok(_) => drop(socket.send(&buffer)?),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                looks = looks.wrapping_add(1);
                offer_processor(looks);
            }
            // The client has not opened its end yet, or has closed it.
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn batched(mut socket: mneme_link::UdpBatch, answered: usize, stop: &AtomicBool) -> Result<()> {
    let began = std::time::Instant::now();
    let clock = || began.elapsed();
    let mut came: Vec<Vec<u8>> = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let mut count = 0;
        let received = socket.receive(LOOK, &mut |datagram| keep(&mut came, &mut count, datagram, answered));
        let sent = received.and_then(|_| {
            for datagram in &came[..count] {
                socket.send(&clock, datagram.len(), &mut |to| to.copy_from_slice(datagram))?;
            }
            socket.flush(&clock)
        });
        match sent {
            Err(error) if error.kind() != ErrorKind::ConnectionRefused => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

fn raw(mut link: Box<dyn mneme_link::Link>, answered: usize, stop: &AtomicBool) -> Result<()> {
    let mut came: Vec<Vec<u8>> = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let mut count = 0;
        let mut back = None;
        link.receive(LOOK, 64, &mut |frame| {
            // All but ARP, which the system answers.
            let Ok(UdpFrame { endpoints, datagram }) = frame.parse() else { return };
            back = Some((endpoints.reversed(), frame.segment.is_some()));
            for datagram in frame.datagrams(datagram) {
                keep(&mut came, &mut count, datagram, answered);
            }
        })?;
        let Some((endpoints, joins)) = back else { continue };
        for datagram in &came[..count] {
            if link.is_full() {
                link.flush(&mut |_| {})?;
            }
            link.send(&endpoints, datagram.len(), joins, &mut |to| to.copy_from_slice(datagram))?;
        }
        link.flush(&mut |_| {})?;
    }
    Ok(())
}
