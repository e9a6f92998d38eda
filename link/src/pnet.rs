//! Frames through the crate `pnet_datalink`: the portable way, with two system calls a frame.
use std::io::ErrorKind;
use std::os::fd::{AsFd, IntoRawFd, OwnedFd};
use std::time::Duration;

use pnet_datalink::{Channel, Config, DataLinkReceiver, DataLinkSender};
use socket2::SockFilter;

use crate::error::LinkError;
use crate::filter::{Selection, of_type};
use crate::frame::Frame;
use crate::interface::Interface;
use crate::line::Left;
use crate::packet::PacketSocket;
use crate::waiting::{Wait, Waiting, copies};
use crate::{Link, LinkCounters};

/// A packet socket behind `pnet_datalink`. Needs CAP_NET_RAW.
pub struct Pnet {
    sender: Box<dyn DataLinkSender>,
    receiver: Box<dyn DataLinkReceiver>,
    /// The same socket again: to wait for it, and to tell what is wrong with it.
    socket: PacketSocket,
    frame: Vec<u8>,
    waiting: Waiting,
    counters: LinkCounters,
}

impl Pnet {
    /// Opens a link on an interface for the frames selected.
    pub fn open(interface: &Interface, selection: Selection, waiting: Waiting) -> Result<Pnet, LinkError> {
        Pnet::filtered(interface, &selection.program(interface.largest_frame()), waiting)
    }
    /// Opens a link on an interface for all frames of one EtherType.
    pub fn of_type(interface: &Interface, ether_type: u16, waiting: Waiting) -> Result<Pnet, LinkError> {
        Pnet::filtered(interface, &of_type(ether_type), waiting)
    }
    fn filtered(interface: &Interface, filter: &[SockFilter], waiting: Waiting) -> Result<Pnet, LinkError> {
        let what = "a datalink channel of pnet";
        let socket = PacketSocket::open(interface, filter)?;
        let theirs = OwnedFd::from(socket.socket.try_clone().map_err(LinkError::io(what))?);
        let config = Config {
            write_buffer_size: interface.largest_frame(),
            // One byte more tells longer frames from those that just fit.
            read_buffer_size: interface.largest_frame() + 1,
            read_timeout: Some(Duration::ZERO),
            write_timeout: Some(Duration::ZERO),
            promiscuous: false,
            // The channel binds the socket, and closes it when both its halves are gone.
            socket_fd: Some(theirs.into_raw_fd()),
            ..Config::default()
        };
        let channel = pnet_datalink::channel(&interface.raw, config)
            .map_err(LinkError::refused(what, "cap_net_raw"))?;
        let Channel::Ethernet(sender, receiver) = channel else {
            let reason = "it gave no Ethernet channel".into();
            return Err(LinkError::Unsupported { what, reason });
        };
        let counters = LinkCounters::default();
        Ok(Pnet { sender, receiver, socket, frame: Vec::new(), waiting, counters })
    }
    /// Takes what is there.
    fn take(&mut self, most: usize, take: &mut dyn FnMut(Frame<'_>)) -> Result<usize, LinkError> {
        let largest = self.socket.interface.largest_frame();
        let mut taken = 0;
        while taken < most {
            match self.receiver.next() {
                Ok(frame) if frame.len() > largest => self.counters.too_long += 1,
                Ok(frame) => {
                    take(Frame::from(frame));
                    taken += 1;
                }
                Err(error) if error.kind() == ErrorKind::TimedOut => break,
                // What pnet says instead of the error that poll found: the socket knows it.
                Err(error) if error.raw_os_error().is_none() => {
                    self.socket.take_error()?;
                    break;
                }
                Err(error) => {
                    self.socket.judge("cannot receive frames", error)?;
                    break;
                }
            }
        }
        Ok(taken)
    }
}

impl Link for Pnet {
    fn mac(&self) -> [u8; 6] {
        self.socket.interface.mac
    }
    fn mtu(&self) -> usize {
        self.socket.interface.mtu
    }
    fn is_full(&self) -> bool {
        false
    }
    fn queue(&mut self, length: usize, fill: &mut dyn FnMut(&mut [u8])) -> Result<(), LinkError> {
        if length > self.socket.interface.largest_frame() {
            return Err(LinkError::TooLong { length, mtu: self.mtu() });
        }
        self.frame.resize(length, 0);
        fill(&mut self.frame);
        match self.sender.send_to(&self.frame, None) {
            Some(Ok(())) => self.counters.sent += 1,
            Some(Err(error)) if error.kind() == ErrorKind::TimedOut => self.counters.unsent += 1,
            Some(Err(error)) => {
                self.counters.unsent += 1;
                match error.raw_os_error() {
                    Some(_) => self.socket.judge("cannot send frames", error)?,
                    None => self.socket.take_error()?,
                }
            }
            None => return Err(LinkError::TooLong { length, mtu: self.mtu() }),
        }
        Ok(())
    }
    fn flush(&mut self, _left: &mut Left) -> Result<(), LinkError> {
        Ok(())
    }
    fn receive(
        &mut self,
        longest: Duration,
        most: usize,
        take: &mut dyn FnMut(Frame<'_>),
    ) -> Result<usize, LinkError> {
        let mut wait = Wait::new(longest);
        loop {
            let taken = self.take(most, take)?;
            if taken > 0 {
                self.counters.received += taken as u64;
                self.socket.trouble = None;
                return Ok(taken);
            }
            let again = wait.again(self.waiting, &[self.socket.as_fd()]);
            if !again.map_err(LinkError::io("cannot wait for frames"))? {
                return Ok(0);
            }
        }
    }
    fn set_waiting(&mut self, waiting: Waiting) {
        self.waiting = waiting;
    }
    fn descriptors(&self) -> Vec<OwnedFd> {
        copies(self.waiting, &[self.socket.as_fd()])
    }
    fn counters(&self) -> LinkCounters {
        self.counters
    }
    fn trouble(&self) -> Option<String> {
        self.socket.trouble.clone()
    }
}
