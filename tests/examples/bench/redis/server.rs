//! Redis, and a client that costs it as little as can be: requests in one write, answers compared as they come.
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use mneme_tests::rig::veth::{End, Veth};

use super::{Load, Reader, Refill, VALUES, value};
use crate::board::{BOARD_PROCESSOR, CLIENT_PROCESSOR};
use crate::drivers::ways::{offer_processor, pin};
use mneme_tests::meter::{Meter, Run};

const PROGRAM: &str = "redis-server";
const PORT: u16 = 6379;
/// How long a server may take until it listens.
const STARTS_WITHIN: Duration = Duration::from_secs(10);
/// Bytes taken from the socket at once.
const BUFFER: usize = 256 << 10;
/// A server that says nothing for so long has failed.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the program says of itself, such as `Redis server v=7.0.15`.
pub fn version() -> Result<String> {
    let missing =
        "no redis-server: `cargo xtask bench` installs it, by hand it is `apt-get install redis-server`";
    let output = Command::new(PROGRAM).arg("--version").output().context(missing)?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

/// A program that ends when this is dropped.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _best_effort = (self.0.kill(), self.0.wait());
    }
}

/// Starts a program at the board's end, on the board's processor.
fn start(veth: &Veth, command: &mut Command) -> Result<Program> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    // The child has its parent's namespace and processor.
    let child = veth.at(End::Board, || {
        pin(BOARD_PROCESSOR);
        command.spawn()
    });
    Ok(Program(child.with_context(|| format!("starting {program}"))?))
}

/// Runs `work` with a server. `awake`: its processor never sleeps.
pub fn with<R: Send>(
    veth: &Veth,
    awake: bool,
    work: impl FnOnce(&mut dyn Reader) -> Result<R> + Send,
) -> Result<R> {
    let address = Veth::address(End::Board);
    // Nothing is kept on a disk, and nobody else can reach it.
    let settings = ["--save", "", "--appendonly", "no", "--protected-mode", "no", "--loglevel", "warning"];
    let listen = ["--port".into(), PORT.to_string(), "--bind".into(), address.to_string()];
    let _server = start(veth, Command::new(PROGRAM).args(listen).args(settings))?;
    let busy = || start(veth, Command::new("chrt").args(["--idle", "0", "sh", "-c", "while :; do :; done"]));
    let _busy = awake.then(busy).transpose()?;
    veth.at(End::Client, || {
        pin(CLIENT_PROCESSOR);
        work(&mut Redis { stream: connect(address)? })
    })
}

fn connect(address: Ipv4Addr) -> Result<TcpStream> {
    let began = Instant::now();
    loop {
        match TcpStream::connect((address, PORT)) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) if began.elapsed() > STARTS_WITHIN => {
                return Err(error).context("Redis does not listen");
            }
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

struct Redis {
    stream: TcpStream,
}

/// A command in Redis' protocol: an array of bulk strings.
fn command(words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    words.iter().for_each(|word| bytes.extend(bulk(word)));
    bytes
}

/// A bulk string, as commands and the answers to GET have it.
fn bulk(word: &[u8]) -> Vec<u8> {
    let mut bytes = format!("${}\r\n", word.len()).into_bytes();
    bytes.extend(word);
    bytes.extend(b"\r\n");
    bytes
}

fn key(number: usize) -> Vec<u8> {
    format!("value:{number:04}").into_bytes()
}

impl Reader for Redis {
    fn read(&mut self, load: Load, time: Duration) -> Result<Run> {
        self.stream.set_nonblocking(false)?;
        for number in 0..VALUES {
            self.stream.write_all(&command(&[b"SET", &key(number), &value(number, load.size)]))?;
            let mut answer = [0; 5];
            self.stream.read_exact(&mut answer)?;
            ensure!(&answer == b"+OK\r\n", "Redis answered a SET by {:?}", String::from_utf8_lossy(&answer));
        }
        self.stream.set_nonblocking(true)?;
        self.get(&Exchange::new(load.size), load, time)
    }
}

/// What is asked, and what is to come back, in turn.
struct Exchange {
    requests: Vec<Vec<u8>>,
    answers: Vec<Vec<u8>>,
}

impl Exchange {
    fn new(size: usize) -> Exchange {
        Exchange {
            requests: (0..VALUES).map(|number| command(&[b"GET", &key(number)])).collect(),
            answers: (0..VALUES).map(|number| bulk(&value(number, size))).collect(),
        }
    }
}

impl Redis {
    fn get(&mut self, exchange: &Exchange, load: Load, time: Duration) -> Result<Run> {
        let Load { depth, refill, .. } = load;
        let (mut meter, mut buffer) = (Meter::new(time), vec![0; BUFFER]);
        let (mut began, mut out, mut next) = (VecDeque::with_capacity(depth), Vec::new(), 0);
        let mut answers = Answers { number: 0, offset: 0 };
        let (mut looks, mut last) = (0_u32, Instant::now());
        let (mut came, mut ended) = (0, Vec::with_capacity(depth));
        loop {
            let now = Instant::now();
            let refills = refill == Refill::Window || began.is_empty();
            while refills && began.len() < depth && !meter.is_over(now) {
                out.extend_from_slice(&exchange.requests[next]);
                next = (next + 1) % VALUES;
                began.push_back(now);
            }
            self.send(&mut out)?;
            // As many as before are outstanding while what came is looked at.
            answers.take(&buffer[..came], exchange)?;
            ended.drain(..).for_each(|began| meter.ended(began, last));
            came = 0;
            if began.is_empty() {
                return Ok(meter.run());
            }
            match self.stream.read(&mut buffer) {
                Ok(0) => bail!("Redis has ended"),
                Ok(bytes) => {
                    let whole = answers.whole(bytes, exchange);
                    ensure!(whole <= began.len(), "Redis answered more than it was asked");
                    ended.extend(began.drain(..whole));
                    (came, looks, last) = (bytes, 0, Instant::now());
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    looks = looks.wrapping_add(1);
                    offer_processor(looks);
                    ensure!(last.elapsed() < PATIENCE, "Redis does not answer");
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    /// Sends what the socket takes.
    fn send(&mut self, out: &mut Vec<u8>) -> Result<()> {
        if out.is_empty() {
            return Ok(());
        }
        match self.stream.write(out) {
            Ok(sent) => drop(out.drain(..sent)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

/// How far the answers have come.
#[derive(Clone, Copy)]
struct Answers {
    number: usize,
    offset: usize,
}

impl Answers {
    /// How many answers are whole with so many bytes more.
    fn whole(&self, mut bytes: usize, exchange: &Exchange) -> usize {
        let (mut at, mut whole) = (*self, 0);
        while let Some(rest) = bytes.checked_sub(exchange.answers[at.number].len() - at.offset) {
            at = at.next();
            (bytes, whole) = (rest, whole + 1);
        }
        whole
    }
    fn next(self) -> Answers {
        Answers { number: (self.number + 1) % VALUES, offset: 0 }
    }
    /// Compares what came with what is to come.
    fn take(&mut self, mut bytes: &[u8], exchange: &Exchange) -> Result<()> {
        while !bytes.is_empty() {
            let expected = &exchange.answers[self.number][self.offset..];
            let (now, later) = bytes.split_at(bytes.len().min(expected.len()));
            ensure!(now == &expected[..now.len()], "Redis answered other bytes than were set");
            self.offset += now.len();
            if now.len() == expected.len() {
                *self = self.next();
            }
            bytes = later;
        }
        Ok(())
    }
}
