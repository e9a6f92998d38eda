//! The way to a board through an Ethernet interface of this machine.
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use mneme_host::{HostError, HostRegisters, Identity, IdentityError, Line, mac_text};
use mneme_link::{Interface, Link, LinkError, Pnet, Waiting};
use mneme_wire::host::HOST_ETHERTYPE;
use rustix::fs::{FlockOperation, flock};

/// Frames taken at once.
const BATCH: usize = 16;

/// Why a board cannot be reached through an interface.
#[derive(Debug, thiserror::Error)]
pub enum EthernetError {
    /// The identity.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The identity file cannot be locked.
    #[error("cannot lock {path}: {reason}", path = path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Somebody has the identity.
    #[error("{path} is in use: another program reaches this board by it; ask a daemon by `mneme stat`, or stop it first", path = path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The interface.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The interface has another address than the identity's host.
    #[error(
        "{name} has the address {has}, and the board answers {host} alone: `ip link set {name} address {host}`, or build the bitstream for \
         {has}",
        has = mac_text(has), host = mac_text(host)
    )]
    Address {
        /// The interface.
        name: String,
        /// Its address.
        has: [u8; 6],
        /// The identity's.
        host: [u8; 6],
    },
    /// The board.
    #[error(transparent)]
    Board(#[from] HostError),
}

/// Frames of the host's EtherType on one interface.
pub struct Ethernet {
    link: Pnet,
    began: Instant,
    came: VecDeque<Vec<u8>>,
    /// Held as long as the board is reached: two programs would take each other's sequences for replays.
    _lock: File,
}

/// A lock on the identity file.
fn lock(path: &Path) -> Result<File, EthernetError> {
    let failed = |reason| EthernetError::Lock { path: path.to_owned(), reason };
    let file = File::open(path).map_err(failed)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(EthernetError::InUse { path: path.to_owned() }),
        Err(error) => Err(failed(error.into())),
    }
}

/// The registers of the board that an identity file names, through an interface. Takes 4 s at most. Needs CAP_NET_RAW.
pub fn reach(interface: &str, key: &Path) -> Result<(HostRegisters<Ethernet>, Identity), EthernetError> {
    let identity = Identity::read(key)?;
    let lock = lock(key)?;
    let interface = Interface::named(interface)?;
    if interface.mac != identity.host {
        let (name, has, host) = (interface.name, interface.mac, identity.host);
        return Err(EthernetError::Address { name, has, host });
    }
    let link = Pnet::of_type(&interface, HOST_ETHERTYPE as u16, Waiting::Yield)?;
    let line = Ethernet { link, began: Instant::now(), came: VecDeque::new(), _lock: lock };
    // A clock before 1970 is a clock that has gone back, which the board tells.
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let registers = HostRegisters::greet(line, identity.clone(), rand::random(), since_1970)?;
    Ok((registers, identity))
}

impl Line for Ethernet {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        let sent = self.link.queue(frame.len(), &mut |room| room.copy_from_slice(frame));
        sent.and_then(|()| self.link.flush(&mut |_| {})).map_err(io::Error::other)
    }
    fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool> {
        if self.came.is_empty() {
            let came = &mut self.came;
            self.link
                .receive(at_most, BATCH, &mut |frame| came.push_back(frame.bytes.to_vec()))
                .map_err(io::Error::other)?;
        }
        let frame = self.came.pop_front();
        let any = frame.is_some();
        frame.into_iter().for_each(|frame| *into = frame);
        Ok(any)
    }
    fn now(&self) -> Duration {
        self.began.elapsed()
    }
    fn pause(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
    fn trouble(&self) -> Option<String> {
        self.link.trouble()
    }
}
