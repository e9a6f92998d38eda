//! A small NBD client: what tests and `bench` use. It keeps requests under way and checks nothing that a server may decide.
use crate::nbd::{Command, REPLY_LEN, REQUEST_LEN, RequestHead, parse_reply};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

const OPTION_REPLY: u64 = 0x0003_e889_0455_65a9;
/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The number that the request was given.
    pub cookie: u64,
    /// The protocol's error; 0: none.
    pub error: u32,
    /// What a read brought.
    pub bytes: Vec<u8>,
}

/// A connection.
#[derive(Debug)]
pub struct NbdClient {
    stream: UnixStream,
    size: u64,
    flags: u16,
    next: u64,
    /// Bytes that replies of reads under way bring.
    reads: HashMap<u64, usize>,
    spare: Vec<Vec<u8>>,
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

impl NbdClient {
    /// Connects to the default export, by GO.
    ///
    /// # Errors
    /// The system's; `InvalidData` for a server that says no, with its words.
    pub fn connect(socket: &Path) -> io::Result<NbdClient> {
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut greeting = [0; 18];
        stream.read_exact(&mut greeting)?;
        if &greeting[..16] != b"NBDMAGICIHAVEOPT" {
            return Err(wrong("this is no NBD server"));
        }
        let mut said = 3u32.to_be_bytes().to_vec();
        said.extend_from_slice(b"IHAVEOPT\0\0\0\x07\0\0\0\x06\0\0\0\0\0\0");
        stream.write_all(&said)?;
        let (mut size, mut flags) = (0, 0);
        loop {
            let mut head = [0; 20];
            stream.read_exact(&mut head)?;
            let word = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
            if u64::from(word(0)) << 32 | u64::from(word(4)) != OPTION_REPLY {
                return Err(wrong("this is no answer to an option"));
            }
            let mut data = vec![0; word(16) as usize];
            stream.read_exact(&mut data)?;
            match (word(12), data.first_chunk::<12>()) {
                (1, _) => break,
                (3, Some(&[0, 0, a, b, c, d, e, f, g, h, i, j])) => {
                    size = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
                    flags = u16::from_be_bytes([i, j]);
                }
                (3, _) => {}
                _ => return Err(wrong(&String::from_utf8_lossy(&data))),
            }
        }
        Ok(NbdClient { stream, size, flags, next: 0, reads: HashMap::new(), spare: Vec::new() })
    }
    /// Bytes of the device.
    pub const fn size(&self) -> u64 {
        self.size
    }
    /// The export's flags.
    pub const fn flags(&self) -> u16 {
        self.flags
    }
    /// The stream, to do with it what no client should.
    pub const fn stream(&mut self) -> &mut UnixStream {
        &mut self.stream
    }

    /// Sends a request; a write's bytes follow. Answers its number.
    ///
    /// # Errors
    /// The system's.
    pub fn send(
        &mut self,
        command: Command,
        flags: u16,
        offset: u64,
        length: u32,
        bytes: &[u8],
    ) -> io::Result<u64> {
        let cookie = self.next;
        self.next += 1;
        if command == Command::Read {
            self.reads.insert(cookie, length as usize);
        }
        let mut message = [0; REQUEST_LEN + 4096];
        message[..REQUEST_LEN]
            .copy_from_slice(&RequestHead { flags, command, cookie, offset, length }.emit());
        // Short ones leave in one piece.
        let now = bytes.len().min(4096);
        message[REQUEST_LEN..REQUEST_LEN + now].copy_from_slice(&bytes[..now]);
        self.stream.write_all(&message[..REQUEST_LEN + now])?;
        self.stream.write_all(&bytes[now..])?;
        Ok(cookie)
    }
    /// Begins a read.
    ///
    /// # Errors
    /// The system's.
    pub fn read(&mut self, offset: u64, length: u32) -> io::Result<u64> {
        self.send(Command::Read, 0, offset, length, &[])
    }
    /// Begins a write.
    ///
    /// # Errors
    /// The system's.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<u64> {
        self.send(Command::Write, 0, offset, bytes.len() as u32, bytes)
    }
    /// The next reply.
    ///
    /// # Errors
    /// The system's; `InvalidData` for what is no reply.
    pub fn reply(&mut self) -> io::Result<Reply> {
        let mut head = [0; REPLY_LEN];
        self.stream.read_exact(&mut head)?;
        let (error, cookie) = parse_reply(&head).ok_or_else(|| wrong("this is no reply"))?;
        let length = self.reads.remove(&cookie).filter(|_| error == 0).unwrap_or(0);
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.resize(length, 0);
        self.stream.read_exact(&mut bytes)?;
        Ok(Reply { cookie, error, bytes })
    }
    /// A buffer of a reply that is of no use any more.
    pub fn give_back(&mut self, bytes: Vec<u8>) {
        self.spare.push(bytes);
    }
    /// Sends a request and waits for its reply, with nothing else under way.
    ///
    /// # Errors
    /// Those of [`NbdClient::send`] and [`NbdClient::reply`].
    pub fn call(
        &mut self,
        command: Command,
        flags: u16,
        offset: u64,
        length: u32,
        bytes: &[u8],
    ) -> io::Result<Reply> {
        let cookie = self.send(command, flags, offset, length, bytes)?;
        let reply = self.reply()?;
        if reply.cookie == cookie { Ok(reply) } else { Err(wrong("a reply to another request")) }
    }
    /// Says goodbye.
    ///
    /// # Errors
    /// The system's.
    pub fn leave(mut self) -> io::Result<()> {
        self.send(Command::Disconnect, 0, 0, 0, &[]).map(drop)
    }
}
