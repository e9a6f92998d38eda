//! The window of a simulated board: a folder in which [`served`](crate::served) has put files and sockets.
//!
//! Rings and DRAM are files that board and daemon map, as they are memory on a real board. Reads of registers have effects, and
//! a simulated board has to do something for each, so registers are a socket: a read waits for its answer, a write does not,
//! and all come in their order, as those of a bus do. The interrupt is a second socket, whose 4-byte messages are those of
//! UIO's file.
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use mneme_wire::device::WINDOW_BYTES;
use serde::{Deserialize, Serialize};

use crate::{FileInterrupt, Map, Registers, Window, WindowError};

/// Version of the folder and of what the sockets carry.
pub const VERSION: u32 = 1;
/// What the board says of itself.
pub(crate) const FACTS: &str = "window.json";
pub(crate) const RINGS: &str = "rings";
pub(crate) const DRAM: &str = "dram";
pub(crate) const REGISTERS: &str = "registers.sock";
pub(crate) const INTERRUPT: &str = "interrupt.sock";
/// An access that is a write: the offset's top bit.
pub(crate) const WRITE: u32 = 1 << 31;
/// A board that does not answer a read for so long is gone, and so is one that takes no write.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a simulated board says of itself, which a real one does not need to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// [`VERSION`].
    pub version: u32,
    /// What the BOARD_KIND counter tells: 1 software, 2 RTL in simulation.
    pub board_kind: u32,
    /// Nanoseconds of wall-clock time that a cycle lasts at least.
    pub cycle_ns: u64,
    /// The window that fits a board so slow, in milliseconds.
    pub window_ms: u64,
    /// The board's MAC address.
    pub mac: [u8; 6],
    /// Its IPv4 address: that of its socket.
    pub ip: [u8; 4],
    /// Its UDP port.
    pub port: u16,
    /// Bytes of DRAM that its window shows.
    pub memory: u64,
    /// Where it sees the memory of the rings.
    pub ring_address: u64,
}

/// Registers at the other end of a socket.
struct Far {
    stream: UnixStream,
    trouble: Option<io::Error>,
}

impl Far {
    fn ask(&mut self, offset: u32, value: u32, answered: bool) -> u32 {
        if self.trouble.is_some() {
            return 0;
        }
        let mut access = [0; 8];
        access[..4].copy_from_slice(&offset.to_le_bytes());
        access[4..].copy_from_slice(&value.to_le_bytes());
        let mut answer = [0; 4];
        let done = self.stream.write_all(&access);
        let done = done.and_then(|()| if answered { self.stream.read_exact(&mut answer) } else { Ok(()) });
        match done {
            Ok(()) => u32::from_le_bytes(answer),
            Err(error) => {
                self.trouble = Some(error);
                0
            }
        }
    }
}

impl Registers for Far {
    fn bytes(&self) -> u64 {
        WINDOW_BYTES.into()
    }
    fn read(&mut self, offset: u32) -> u32 {
        self.ask(offset, 0, true)
    }
    fn write(&mut self, offset: u32, value: u32) {
        self.ask(offset | WRITE, value, false);
    }
    fn trouble(&self) -> Option<&io::Error> {
        self.trouble.as_ref()
    }
}

fn map(folder: &Path, name: &str, at_most: u64) -> Result<Map, WindowError> {
    let path = folder.join(name);
    let file = OpenOptions::new().read(true).write(true).open(&path);
    let file = file.map_err(WindowError::file("open", &path))?;
    let bytes = file.metadata().map_err(WindowError::file("look at", &path))?.len().min(at_most);
    Map::of_file(&file, 0, bytes).map_err(WindowError::file("map", &path))
}

fn connect(folder: &Path, name: &str) -> Result<UnixStream, WindowError> {
    let path = folder.join(name);
    let stream =
        UnixStream::connect(&path).map_err(WindowError::file("reach the simulated board at", &path))?;
    for set in [UnixStream::set_read_timeout, UnixStream::set_write_timeout] {
        set(&stream, Some(PATIENCE)).map_err(WindowError::file("set up", &path))?;
    }
    Ok(stream)
}

/// Whether the other end has gone, as opposed to saying nothing.
fn hung_up(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), UnexpectedEof | ConnectionReset | BrokenPipe)
}

/// Opens the window in a folder.
pub fn open(folder: &Path) -> Result<Window, WindowError> {
    let path = folder.join(FACTS);
    let text = fs::read_to_string(&path).map_err(WindowError::file("read", &path))?;
    let facts: Facts = serde_json::from_str(&text).map_err(|error| WindowError::File {
        what: "understand",
        path: path.clone(),
        reason: error.into(),
    })?;
    if facts.version != VERSION {
        return Err(WindowError::Version(facts.version));
    }
    let interrupt = connect(folder, INTERRUPT)?;
    let mut registers = Far { stream: connect(folder, REGISTERS)?, trouble: None };
    // A board that has a daemon hangs up on others.
    registers.read(0);
    match registers.trouble.take() {
        None => {}
        Some(reason) if hung_up(&reason) => return Err(WindowError::InUse { path: folder.to_owned() }),
        Some(reason) => return Err(WindowError::file("hear the simulated board in", folder)(reason)),
    }
    Ok(Window {
        name: format!("the simulated board in {}", folder.display()),
        registers: Box::new(registers),
        rings: Box::new(map(folder, RINGS, u64::MAX)?),
        ring_address: facts.ring_address,
        dram: Box::new(map(folder, DRAM, facts.memory)?),
        interrupt: Box::new(FileInterrupt::new(interrupt.into())),
        facts: Some(facts),
    })
}
