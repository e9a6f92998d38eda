//! `mneme replay`: sends a capture's requests again, and compares the answers.
//!
//! A request goes out as it was captured, but for what cannot be the same: the tick in it, which is moved to the board's own time, and
//! a CRC-32C, which covers that and the client's port. Process ids, tokens and addresses are the board's: they come again on a fresh
//! board of the same configuration and `--seed`.
mod file;

use crate::connect::HERE;
use crate::fault::Fault;
use crate::output::say;
use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use file::Passed;
use mneme_clib::driver::BoardAddress;
use mneme_wire::trailer::{Means, covered};
use mneme_wire::{Opcode, Packet, Response, Status, Tick, Trailer};
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes of a header, and where its TIME is.
const HEADER: usize = mneme_wire::HEADER_LEN;
const TIME: std::ops::Range<usize> = 11..14;
/// Clients in a capture; each has a socket.
const MOST_CLIENTS: usize = 64;
/// The largest datagram.
const LARGEST: usize = 65_507;
/// Differences that are printed.
const SHOWN: u64 = 20;

/// Send the requests of a capture again, and compare the answers
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    mneme board --seed 7 --workers 0 --capture talk.pcap &      and use it; then, on a fresh board:\n  \
    mneme board --seed 7 --workers 0 --listen 127.0.0.1:19792 &\n  \
    mneme replay talk.pcap --board 127.0.0.1:19792\n\n\
    The board is one of the same configuration and the same --seed, just started: process ids, tokens and addresses in the\n\
    capture are those that it gives out, too. A request is sent when those answers have come that came before it in the capture,\n\
    and not before its time. Ends with an error when an answer differs. Requests with tags are not sent: the capture has no keys.")]
pub struct ReplayArgs {
    /// The capture: pcapng or pcap, as `mneme capture` and `mneme board --capture` write them
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The board's UDP address, IPv4; the port is 19790 unless named
    #[arg(long, value_name = "HOST[:PORT]", env = "MNEME_BOARD", default_value = HERE)]
    board: BoardAddress,
    /// How many times as fast as captured; 0: as fast as answers come
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Seconds after which an answer is taken for missing
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = patience)]
    timeout: f64,
}

fn number(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (low..=high).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{number} is not in {low} to {high}"))
    }
}
fn speed(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1e6)
}
fn patience(text: &str) -> Result<f64, String> {
    number(text, 0.001, 3600.0)
}

/// What an answer belongs to: a client, an operation, an attempt.
type Key = (SocketAddrV4, u32, u8);

/// An answer that has come, with the board's tick in it.
struct Came {
    datagram: Vec<u8>,
    tick: Option<Tick>,
}

/// What has become of the capture's requests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    sent: u64,
    tagged: u64,
    equal: u64,
    different: u64,
    missing: u64,
}

/// A capture on its way to another board.
struct Replay {
    board: SocketAddrV4,
    sockets: HashMap<SocketAddrV4, UdpSocket>,
    answers: HashMap<Key, Came>,
    /// An answer's tick in the capture, and the same answer's tick now.
    ticks: Option<(Tick, Tick)>,
    /// The tick of each operation's first attempt, now.
    times: HashMap<(SocketAddrV4, u32), Tick>,
    timeout: Duration,
    outcome: Outcome,
}

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Result<()> {
    let talk = file::read(&args.file)?;
    let mut replay = Replay {
        board: args.board.resolve()?,
        sockets: HashMap::new(),
        answers: HashMap::new(),
        ticks: None,
        times: HashMap::new(),
        timeout: Duration::from_secs_f64(args.timeout),
        outcome: Outcome::default(),
    };
    let began = Instant::now();
    for passed in &talk.passed {
        if passed.answer {
            replay.compare(passed)?;
            continue;
        }
        if args.speed > 0.0 {
            let due = passed.at.div_f64(args.speed);
            replay.wait(|_| began.elapsed() >= due, due.saturating_sub(began.elapsed()))?;
        }
        replay.send(passed)?;
    }
    let Outcome { sent, tagged, equal, different, missing } = replay.outcome;
    say!(
        "{sent} requests sent in {:.1} s: {equal} answers equal, {different} different, {missing} missing; {tagged} requests with \
         tags not sent, {} frames of others",
        began.elapsed().as_secs_f64(),
        talk.others
    )?;
    if different + missing > 0 {
        return Err(anyhow!(
            "{} of {} answers are not as captured",
            different + missing,
            equal + different + missing
        )
        .context(Fault::Replay));
    }
    Ok(())
}

impl Replay {
    /// The socket that stands for a client of the capture.
    fn socket(&mut self, client: SocketAddrV4) -> Result<&UdpSocket> {
        if !self.sockets.contains_key(&client) {
            ensure!(self.sockets.len() < MOST_CLIENTS, "the capture has more than {MOST_CLIENTS} clients");
            let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
            socket.connect(self.board).with_context(|| format!("no way to {}", self.board))?;
            socket.set_nonblocking(true)?;
            self.sockets.insert(client, socket);
        }
        Ok(&self.sockets[&client])
    }

    fn send(&mut self, passed: &Passed) -> Result<()> {
        let packet =
            Packet::new_checked(passed.datagram.as_slice()).context("a packet that was read before")?;
        let (op_id, time, trailer) = (packet.op_id(), packet.time(), packet.trailer());
        if trailer == Some(Trailer::Tag) {
            self.outcome.tagged += 1;
            return Ok(());
        }
        let moved = match self.ticks {
            Some((then, now)) => {
                Tick::from_low_bits(now.get().wrapping_add(time.get()).wrapping_sub(then.get()))
            }
            None => time,
        };
        // Attempts of an operation are one to the board: they tell the same time.
        let time = *self.times.entry((passed.client, op_id)).or_insert(moved);
        let board = self.board;
        let socket = self.socket(passed.client)?;
        let mut datagram = passed.datagram.clone();
        datagram[TIME].copy_from_slice(&time.get().to_be_bytes()[1..]);
        if trailer == Some(Trailer::Crc32c)
            && let SocketAddr::V4(here) = socket.local_addr()?
        {
            let addresses = covered(here.ip().octets(), board.ip().octets(), here.port(), board.port());
            Means::Crc32c.seal(&addresses, &mut datagram);
        }
        socket.send(&datagram).with_context(|| format!("sending to {board}"))?;
        self.outcome.sent += 1;
        Ok(())
    }

    /// Takes what has come until something holds, or the time is over.
    fn wait(&mut self, holds: impl Fn(&Replay) -> bool, most: Duration) -> Result<()> {
        let until = Instant::now() + most;
        let mut buffer = vec![0; LARGEST];
        loop {
            let mut any = false;
            for (client, socket) in &self.sockets {
                // A board that refuses shows in its silence.
                let Ok(length) = socket.recv(&mut buffer) else { continue };
                any = true;
                let Ok(packet) = Packet::new_checked(&buffer[..length]) else { continue };
                let tick = Response::parse(&packet).ok().and_then(|response| response.tick());
                let key = (*client, packet.op_id(), packet.attempt());
                self.answers.insert(key, Came { datagram: buffer[..length].to_vec(), tick });
            }
            if holds(self) || Instant::now() >= until {
                return Ok(());
            }
            if !any {
                std::thread::sleep(
                    Duration::from_micros(50).min(until.saturating_duration_since(Instant::now())),
                );
            }
        }
    }

    /// Waits for the answer that the capture has, and compares them.
    fn compare(&mut self, passed: &Passed) -> Result<()> {
        let packet =
            Packet::new_checked(passed.datagram.as_slice()).context("a packet that was read before")?;
        let key = (passed.client, packet.op_id(), packet.attempt());
        // Of operations whose request is not in the capture, or has a tag, nothing can come.
        if !self.times.contains_key(&(key.0, key.1)) {
            return Ok(());
        }
        self.wait(|replay| replay.answers.contains_key(&key), self.timeout)?;
        let Some(came) = self.answers.remove(&key) else {
            self.outcome.missing += 1;
            return self.tell(passed, "no answer");
        };
        let then = Response::parse(&packet).ok().and_then(|response| response.tick());
        if let (Some(then), Some(now)) = (then, came.tick) {
            self.ticks = Some((then, now));
        }
        match difference(&passed.datagram, &came.datagram) {
            None => self.outcome.equal += 1,
            Some(words) => {
                self.outcome.different += 1;
                self.tell(passed, &words)?;
            }
        }
        Ok(())
    }

    fn tell(&self, passed: &Passed, words: &str) -> Result<()> {
        if self.outcome.different + self.outcome.missing > SHOWN {
            return Ok(());
        }
        let packet =
            Packet::new_checked(passed.datagram.as_slice()).context("a packet that was read before")?;
        let opcode = Opcode::from_number(packet.opcode_number());
        say!(
            "{:.6} s, {} operation {} attempt {} of {}: {words}",
            passed.at.as_secs_f64(),
            opcode.map_or_else(
                || format!("opcode {:#04x}", packet.opcode_number()),
                |opcode| opcode.to_string()
            ),
            packet.op_id(),
            packet.attempt(),
            passed.client
        )?;
        Ok(())
    }
}

/// What differs between an answer in the capture and the one now. Ticks, hints and whether a request waited are not looked at, nor
/// what queries and OPEN carry: they tell of the board's time.
fn difference(then: &[u8], now: &[u8]) -> Option<String> {
    let parse =
        |bytes: &[u8]| Packet::new_checked(bytes).ok().and_then(|packet| Response::parse(&packet).ok());
    let (then_said, now_said) = match (parse(then), parse(now)) {
        (Some(then), Some(now)) => (then, now),
        (None, None) => return (then != now).then(|| "another answer that means nothing".into()),
        (Some(_), None) => return Some("an answer that means nothing".into()),
        (None, Some(_)) => return Some("an answer with a meaning, where the captured one has none".into()),
    };
    let shown = |said: &Response| match said.status {
        Status::Ok => format!("OK, {} bytes", said.length),
        status => format!("{status}, cause {}", said.detail().cause),
    };
    let kind = |said: &Response| {
        let cause = (said.status != Status::Ok).then(|| said.detail().cause);
        let length = (said.status == Status::Ok).then_some(said.length);
        (said.opcode, said.status, said.pid, cause, length)
    };
    if kind(&then_said) != kind(&now_said) {
        let pid = |said: &Response| match then_said.pid == now_said.pid {
            true => String::new(),
            false => format!(" (process {})", said.pid.get()),
        };
        return Some(format!(
            "captured {}{}, now {}{}",
            shown(&then_said),
            pid(&then_said),
            shown(&now_said),
            pid(&now_said)
        ));
    }
    let tells_of_time = then_said.opcode.is_query() || then_said.opcode == Opcode::Open;
    let payload =
        |bytes: &[u8], said: &Response| bytes.get(HEADER..HEADER + said.payload_len()).map(<[u8]>::to_vec);
    if tells_of_time {
        return None;
    }
    let (then, now) = (payload(then, &then_said)?, payload(now, &now_said)?);
    let at = then.iter().zip(&now).position(|(then, now)| then != now)?;
    Some(format!("captured {:#04x} at byte {at} of its payload, now {:#04x}", then[at], now[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mneme_wire::{Cause, Detail, Pid, Va};

    fn answer(status: Status, va: Va, time: u32, payload: &[u8]) -> Vec<u8> {
        let response = Response {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode: Opcode::Read,
            status,
            slow: time % 2 == 1,
            pid: Pid::from_low_bits(1),
            op_id: 7,
            attempt: 0,
            time: Tick::from_low_bits(time),
            va,
            length: payload.len() as u16,
        };
        [&response.to_bytes()[..], payload].concat()
    }

    #[test]
    fn answers_differ_by_what_they_mean() {
        let va = Va::from_low_bits(4096);
        let ok = answer(Status::Ok, va, 1, &[1, 2, 3]);
        assert_eq!(difference(&ok, &answer(Status::Ok, va, 2, &[1, 2, 3])), None);
        let other = difference(&ok, &answer(Status::Ok, va, 1, &[1, 9, 3])).expect("another byte");
        assert_eq!(other, "captured 0x02 at byte 1 of its payload, now 0x09");
        let short = difference(&ok, &answer(Status::Ok, va, 1, &[1])).expect("fewer bytes");
        assert_eq!(short, "captured OK, 3 bytes, now OK, 1 bytes");
        let busy = |cause, hint| answer(Status::Busy, Detail { cause, hint }.to_va(), 1, &[]);
        let (one, two) = (busy(Cause::None, 5), busy(Cause::None, 6));
        assert_eq!(difference(&one, &two), None, "hints are the board's");
        assert!(difference(&ok, &one).expect("another status").contains("now BUSY"));
        assert!(difference(&ok, &ok[..HEADER]).expect("cut off").contains("means nothing"));
    }
}
