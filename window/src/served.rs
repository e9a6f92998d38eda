//! The board's end of a simulated window: makes the folder, takes one daemon at a time, and goes on without one, as a board
//! does whose daemon has died.
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::interrupt::{closed, readable};
use crate::simulated::{DRAM, FACTS, Facts, INTERRUPT, REGISTERS, RINGS, WRITE};
use crate::{Map, WindowError};

/// An access to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A read at this offset, which waits for [`Served::answer`].
    Read(u32),
    /// A write of this value at this offset.
    Write(u32, u32),
}

/// A daemon that is there.
struct Daemon {
    registers: UnixStream,
    interrupt: UnixStream,
    /// Of the next access.
    bytes: [u8; 8],
    have: usize,
    /// The daemon lets an interrupt come.
    enabled: bool,
    interrupts: u32,
}

/// The folder and who is at its sockets.
pub struct Served {
    folder: PathBuf,
    registers: UnixListener,
    interrupt: UnixListener,
    daemon: Option<Daemon>,
    rings: File,
    ring_bytes: u64,
}

/// A file for its owner alone: whoever reads DRAM reads all tenants' memory.
fn file(folder: &Path, name: &str, bytes: u64) -> Result<File, WindowError> {
    let path = folder.join(name);
    // One that is left over may be anybody's to read.
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(WindowError::file("replace", &path)(error));
        }
        _ => {}
    }
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path);
    let file = file.map_err(WindowError::file("make", &path))?;
    file.set_len(bytes).map_err(WindowError::file("make room in", &path))?;
    Ok(file)
}

fn listen(folder: &Path, name: &str) -> Result<UnixListener, WindowError> {
    let path = folder.join(name);
    // A board that is still there would answer; one that was killed leaves its sockets behind.
    if UnixStream::connect(&path).is_ok() {
        return Err(WindowError::InUse { path });
    }
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(WindowError::file("replace", &path)(error));
        }
        _ => {}
    }
    let listener = UnixListener::bind(&path).map_err(WindowError::file("listen at", &path))?;
    listener.set_nonblocking(true).map_err(WindowError::file("set up", &path))?;
    // Whatever this process gives new files: whoever reaches the registers has the board.
    fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(WindowError::file("set up", &path))?;
    Ok(listener)
}

/// Whether nothing has come yet, as opposed to an end.
fn nothing_yet(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Served {
    /// Makes the folder of a board, or makes it anew. The facts come last: where they are, all else is.
    ///
    /// `share` puts all of the board's DRAM into the file that it is given.
    pub fn create(
        folder: &Path,
        facts: &Facts,
        ring_bytes: u64,
        share: impl FnOnce(&File) -> io::Result<()>,
    ) -> Result<Served, WindowError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(WindowError::file("make", folder))?;
        let (registers, interrupt) = (listen(folder, REGISTERS)?, listen(folder, INTERRUPT)?);
        let rings = file(folder, RINGS, ring_bytes)?;
        share(&file(folder, DRAM, 0)?).map_err(WindowError::file("put DRAM into", folder.join(DRAM)))?;
        let path = folder.join(FACTS);
        let text = serde_json::to_string_pretty(facts).map_err(|error| WindowError::File {
            what: "write",
            path: path.clone(),
            reason: error.into(),
        })?;
        let mut told = file(folder, FACTS, 0)?;
        told.write_all(text.as_bytes()).map_err(WindowError::file("write", &path))?;
        Ok(Served { folder: folder.to_owned(), registers, interrupt, daemon: None, rings, ring_bytes })
    }

    /// The memory of the rings.
    pub fn rings(&self) -> Result<Map, WindowError> {
        Map::of_file(&self.rings, 0, self.ring_bytes)
            .map_err(WindowError::file("map", self.folder.join(RINGS)))
    }

    /// Whether a daemon is there.
    pub fn has_daemon(&self) -> bool {
        self.daemon.is_some()
    }

    /// Lets a daemon in. Who comes while one is there is hung up on. True: one came.
    ///
    /// A daemon that has ended may have left accesses. They come first; whoever follows it waits until [`Served::access`]
    /// has told of them all, and is not taken for a second daemon.
    pub fn accept(&mut self) -> bool {
        if self.daemon.as_ref().is_some_and(|daemon| closed(&daemon.registers)) {
            return false;
        }
        let Some(registers) = self.next_registers() else { return false };
        // A daemon connects to the interrupt first.
        let mut newest = None;
        while let Ok((stream, _)) = self.interrupt.accept() {
            newest = Some(stream);
        }
        let (Some(interrupt), false) = (newest, self.daemon.is_some()) else { return false };
        if registers.set_nonblocking(true).and(interrupt.set_nonblocking(true)).is_err() {
            return false;
        }
        let (bytes, have) = ([0; 8], 0);
        self.daemon = Some(Daemon { registers, interrupt, bytes, have, enabled: false, interrupts: 0 });
        true
    }

    /// Who has connected to the registers and is still there. Another board that looks whether the folder is free leaves again at
    /// once: it must not be taken for the daemon whose interrupt waits.
    fn next_registers(&self) -> Option<UnixStream> {
        std::iter::from_fn(|| self.registers.accept().ok())
            .map(|(stream, _)| stream)
            .find(|stream| !closed(stream))
    }

    /// The next access to a register, if one has come.
    pub fn access(&mut self) -> Option<Access> {
        let daemon = self.daemon.as_mut()?;
        while daemon.have < daemon.bytes.len() {
            match daemon.registers.read(&mut daemon.bytes[daemon.have..]) {
                Ok(0) => return self.hang_up(),
                Ok(bytes) => daemon.have += bytes,
                Err(error) if nothing_yet(&error) => return None,
                Err(_) => return self.hang_up(),
            }
        }
        daemon.have = 0;
        let word = |at: usize| daemon.bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let (offset, value) = (word(0), word(4));
        Some(if offset & WRITE != 0 { Access::Write(offset & !WRITE, value) } else { Access::Read(offset) })
    }

    fn hang_up<T>(&mut self) -> Option<T> {
        self.daemon = None;
        None
    }

    /// Answers a read.
    pub fn answer(&mut self, value: u32) {
        // One answer of 4 bytes is outstanding at most, so the socket has room.
        let sent = self.daemon.as_mut().map(|daemon| daemon.registers.write_all(&value.to_le_bytes()));
        if matches!(sent, Some(Err(_))) {
            self.daemon = None;
        }
    }

    /// The level of the interrupt's line. Tells the daemon when it is up and the daemon lets it come.
    pub fn interrupt(&mut self, up: bool) {
        let Some(daemon) = self.daemon.as_mut() else { return };
        // Each message is one write of 4 bytes; of many, the last one counts.
        let mut words = [0; 256];
        let read = daemon.interrupt.read(&mut words).unwrap_or(0);
        if let Some(word) = words[..read].as_chunks().0.last() {
            daemon.enabled = u32::from_ne_bytes(*word) != 0;
        }
        if up && daemon.enabled {
            daemon.interrupts = daemon.interrupts.wrapping_add(1);
            let count = daemon.interrupts.to_ne_bytes();
            daemon.enabled = daemon.interrupt.write_all(&count).is_err();
        }
    }

    /// Waits until somebody comes, asks for something, or one of `also` is readable.
    pub fn wait(&self, also: &[BorrowedFd<'_>], at_most: Duration) -> io::Result<bool> {
        let mut files: Vec<&dyn AsFd> = also.iter().map(|file| file as &dyn AsFd).collect();
        files.push(&self.registers);
        if let Some(daemon) = &self.daemon {
            files.extend([&daemon.registers as &dyn AsFd, &daemon.interrupt]);
        }
        readable(&files, at_most)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        for name in [FACTS, REGISTERS, INTERRUPT, RINGS, DRAM] {
            let _gone = fs::remove_file(self.folder.join(name));
        }
    }
}
