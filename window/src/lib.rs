//! How a board's daemon reaches its board ([device.md](../../docs/reference/device.md)): a register window, the memory of the
//! rings, DRAM, and an interrupt.
//!
//! [`uio`] finds them on a real board. [`simulated`] finds them in the folder of a simulated board, which [`served`] puts
//! there: rings and DRAM are files that both map; registers, whose reads have effects, and the interrupt are sockets. What
//! either gives is a [`Window`], so nothing behind it knows what it runs on. All unsafe code is in [`Map`].
mod barrier;
mod interrupt;
mod map;
mod memory;
pub mod served;
pub mod simulated;
pub mod uio;

pub use barrier::{load_barrier, store_barrier};
pub use interrupt::{FileInterrupt, Interrupt};
pub use map::Map;
pub use memory::{Memory, Ordinary};

use std::io;
use std::path::PathBuf;

/// The register window.
pub trait Registers: Send {
    /// Bytes of the window.
    fn bytes(&self) -> u64;
    /// Reads the word at an offset, a multiple of 4 within the window.
    fn read(&mut self, offset: u32) -> u32;
    /// Writes it.
    fn write(&mut self, offset: u32, value: u32);
    /// Why accesses have had no effect since it broke; reads have given 0 since then. A real board has nothing of the kind.
    fn trouble(&self) -> Option<&io::Error> {
        None
    }
}

/// The registers of a board are memory.
impl Registers for Map {
    fn bytes(&self) -> u64 {
        self.len()
    }
    fn read(&mut self, offset: u32) -> u32 {
        let value = self.read_u32(u64::from(offset));
        // What is read from memory next must not be older than the register.
        load_barrier();
        value
    }
    fn write(&mut self, offset: u32, value: u32) {
        // What the register tells the board of must be in memory before.
        store_barrier();
        self.write_u32(u64::from(offset), value);
    }
}

/// All of it.
pub struct Window {
    /// What it is, for messages.
    pub name: String,
    /// The register window.
    pub registers: Box<dyn Registers>,
    /// Memory of the rings.
    pub rings: Box<dyn Memory>,
    /// Where the board sees the rings' memory: its first byte's bus address.
    pub ring_address: u64,
    /// DRAM, from its address 0 on.
    pub dram: Box<dyn Memory>,
    /// The interrupt.
    pub interrupt: Box<dyn Interrupt>,
    /// What a simulated board says of itself.
    pub facts: Option<simulated::Facts>,
}

/// Why a window cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// A file cannot be read, opened or mapped.
    #[error("cannot {what} {path}: {reason}", path = path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// A file says something that cannot be understood.
    #[error("{path} says `{text}`, which is no {what}", path = path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What it says.
        text: String,
        /// What it should say.
        what: &'static str,
    },
    /// The device has no such map.
    #[error("{path} is missing: the device has no map `{name}`; is this a board's device, and its device tree the package's?", path = path.display())]
    NoMap {
        /// The folder.
        path: PathBuf,
        /// The map's name.
        name: &'static str,
    },
    /// Another program has the device.
    #[error("{path} is in use: another slow path serves this board; stop it first", path = path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// No device of the name.
    #[error(
        "no device of UIO is called `mneme`: is the kernel module uio_pdrv_genirq loaded, and the device tree overlay applied?"
    )]
    NoDevice,
    /// The simulated board speaks another version.
    #[error("the simulated board's window has version {0}, this program knows {known}", known = simulated::VERSION)]
    Version(u32),
}

impl WindowError {
    fn file(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> WindowError {
        let path = path.into();
        move |reason| WindowError::File { what, path, reason }
    }
}
