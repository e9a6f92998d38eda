//! The whole board at its pins: `Ecpix5Board` with models of the cells around it, Verilated, and on its line the host's own program and a
//! client's requests. Lint sees whether widths fit; this sees whether the right signal is at each end.
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use crc::{CRC_32_ISO_HDLC, Crc};
use mneme_host::dram::{Controller, Csr};
use mneme_host::{Asked, HostRegisters, Identity, Key, Line, Tags};
use mneme_window::Registers;
use mneme_wire::device::{DEVICE_MAGIC, DEVICE_MEMORY_READY, PORT_BASE, PORT_COUNTERS, PORT_LOCKED};
use mneme_wire::frame::{Endpoints, UdpFrame};
use mneme_wire::host::HostKind;
use mneme_wire::register::{CONTROL_ENABLE, MAGIC, REST_EPOCH};
use mneme_wire::{
    DeviceRegister, HostRegister, MatAction, Opcode, Packet, Pid, PortCounter, PortRegister, Register,
    ReplaceStatus, Request, Response, Status, Target, Tick, Trailer, Va, pte,
};

use super::{CELLS, MODELS, VERILOG, WAIVERS, identity};
use crate::process::{capture, root, target_dir};

const BENCH: &str = "bitstreams/ecpix5/benches/Ecpix5BoardBench.v";
const TOP: &str = "Ecpix5BoardBench";
/// What the register block is to tell of the build.
const BUILD: (u32, u32) = (0x1234_5678, 0x9abc_def0);
/// The shortest frame of Ethernet, without its check sequence, and what is on the line before a frame.
const SHORTEST: usize = 60;
const PREAMBLE: [u8; 8] = [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5];
/// Bytes of a check sequence; cycles between two frames.
const FCS: usize = 4;
const GAP: usize = 12;
/// How long a byte is on the line.
const NS_PER_BYTE: usize = 8;
/// How long an answer may take: those of registers take 2 µs, a client's longest 20.
const PATIENCE: Duration = Duration::from_micros(200);
/// A client, and the board as it is told to be.
const WAY: Endpoints = Endpoints {
    src_mac: [2, 0, 0, 0, 0, 2],
    dst_mac: [2, 0, 0xc0, 0xff, 0xee, 1],
    src_ip: [10, 0, 0, 2],
    dst_ip: [10, 0, 0, 1],
    src_port: 40_000,
    dst_port: 19_790,
};
const EPOCH: u8 = 9;

/// Simulates the board, and fails where a host or a client sees anything else than they should.
pub fn simulate() -> Result<()> {
    // Each byte once, so that none is where another one should be.
    let key = Key::new(std::array::from_fn(|i| 0x10 * i as u8 + 3));
    let identity = Identity { board: [2, 0, 0xc0, 0xff, 0xee, 1], host: [2, 0, 0, 0, 0, 9], key };
    let pins = Pins::start(&build(&identity)?)?;
    let mut host = HostRegisters::greet(pins, identity.clone(), 7, Duration::from_secs(1_700_000_000))
        .context("a host's HELLO")?;
    known(&mut host, &identity)?;
    memory(&mut host)?;
    boot(&mut host)?;
    client(&mut host)?;
    let bad = PORT_BASE + PORT_COUNTERS + 4 * PortCounter::RxBadFcs.number();
    told(&mut host, "frames with wrong check sequences", bad, 0)?;
    ensure!(host.retries() == 0, "{} frames of the host had to be sent again", host.retries());
    let pins = host.line();
    println!("Ecpix5Board at its pins: {} frames each way as they should be", pins.frames);
    Ok(())
}

/// The simulation's program, built.
fn build(identity: &Identity) -> Result<PathBuf> {
    let out = target_dir()?.join("bitstream/ecpix5-check");
    // Verilator makes one folder, and none above it.
    std::fs::create_dir_all(&out).with_context(|| format!("making {}", out.display()))?;
    let mut command = Command::new("verilator");
    command.current_dir(root()).args(["--binary", "--assert", "-Wno-fatal", "--timescale", "1ns/1ps"]);
    command.args(["--top-module", TOP]);
    command.args(identity::parameters(identity).map(|(name, value)| format!("-G{name}={value}")));
    command.arg(format!("-GBUILD_HASH={}", BUILD.0)).arg(format!("-GBUILD_DATE={}", BUILD.1));
    command.arg("-Mdir").arg(&out).args([
        "hw/rtl/lint.vlt",
        WAIVERS,
        CELLS,
        MODELS[0],
        MODELS[1],
        BENCH,
        VERILOG,
    ]);
    capture(&mut command).context("building the board's simulation")?;
    Ok(out.join(format!("V{TOP}")))
}

type Host = HostRegisters<Pins>;

/// Fails unless a register has this word.
fn told(host: &mut Host, what: &str, register: u32, wanted: u32) -> Result<()> {
    let word = host.read(register);
    if let Some(trouble) = host.trouble() {
        bail!("{what}: {trouble}");
    }
    ensure!(word == wanted, "{what}: {word:#x} at {register:#x}, not {wanted:#x}");
    Ok(())
}

/// The board says what it is, to its host alone.
fn known(host: &mut Host, identity: &Identity) -> Result<()> {
    let hello = Asked { kind: HostKind::Hello, nonce: 0, sequence: 5, address: 0, data: 0 };
    host.line().send(&hello.frame(identity, &Tags::new(Key::new([9; 16]))))?;
    ensure!(!host.line().receive(PATIENCE, &mut Vec::new())?, "somebody with another key is answered");
    told(host, "frames with another key", HostRegister::BadTag.number(), 1)?;
    told(host, "the device's magic number", DeviceRegister::Magic.number(), DEVICE_MAGIC)?;
    told(host, "the target", DeviceRegister::Target.number(), Target::Ecpix5.number())?;
    told(host, "the link", PORT_BASE + PortRegister::Status.number(), PORT_LOCKED)?;
    ensure!(host.line().released, "the transceiver is kept in reset");
    Ok(())
}

/// The controller's registers are reached; what one of them says is what the core waits for, and lights the light.
fn memory(host: &mut Host) -> Result<()> {
    told(host, "the board's state without DRAM", DeviceRegister::Status.number(), 0)?;
    told(host, "a core in reset", Register::Magic.number(), 0)?;
    ensure!(!host.line().lit, "the light is lit before DRAM is there");
    let mut controller = Controller::new(host);
    for (csr, word) in [(Csr::Address0, 0x2aaa), (Csr::Write1, 0xfeed_beef), (Csr::InitDone, 1)] {
        controller.write(csr, word)?;
        let read = controller.read(csr)?;
        ensure!(read == word, "the controller's {csr:?} is {read:#x}, not {word:#x}");
    }
    host.line().pause(Duration::from_micros(5));
    told(host, "the board's state with DRAM", DeviceRegister::Status.number(), DEVICE_MEMORY_READY)?;
    told(host, "the core's magic number", Register::Magic.number(), MAGIC)?;
    told(host, "the build's hash", Register::BuildHash.number(), BUILD.0)?;
    told(host, "the build's date", Register::BuildDate.number(), BUILD.1)?;
    ensure!(host.line().lit, "the light is dark");
    Ok(())
}

/// Gives the core its addresses, one rule, and one page. Memory begins with zeros here, so that the table need not be zeroed.
fn boot(host: &mut Host) -> Result<()> {
    let mac = WAY.dst_mac.iter().fold(0, |mac, byte| mac << 8 | u64::from(*byte));
    let entry = pte::VALID | pte::ALLOCATED | pte::READ | pte::WRITE | PAGE;
    let row = (u32::from(MatAction::Fast.number()) << 8) | 1 << 16;
    use Register as R;
    for (register, word) in [
        (R::MacLow, mac as u32),
        (R::MacHigh, (mac >> 32) as u32),
        (R::Ip, u32::from_be_bytes(WAY.dst_ip)),
        (R::Epoch, EPOCH.into()),
        (R::Window, 1 << 16),
        // Requests of UDP over IPv4 with an opcode of the fast path's.
        (R::MatValue0, 0x0800_1100),
        (R::MatValue1, 0),
        (R::MatMask0, 0xffff_fff0),
        (R::MatMask1, 0),
        (R::MatCommit, row),
        (R::ReplacePid, PID.get()),
        (R::ReplaceVpn, VPN as u32),
        (R::ReplaceWriteLow, u32::MAX),
        (R::ReplaceWriteHigh, u32::MAX),
        (R::ReplaceNewLow, entry as u32),
        (R::ReplaceNewHigh, (entry >> 32) as u32),
        (R::ReplaceGo, 1),
        (R::Control, CONTROL_ENABLE),
    ] {
        host.write(register.number(), word);
    }
    host.line().pause(PATIENCE);
    told(host, "the page's entry", R::ReplaceStatus.number(), ReplaceStatus::Done.number().into())?;
    ensure!(host.read(R::Rest.number()) & REST_EPOCH == 0, "the epoch has not taken effect");
    Ok(())
}

/// Process, virtual and physical number of the page that is used.
const PID: Pid = Pid::from_low_bits(7);
const VPN: u64 = 5;
const PAGE: u64 = 0x55;

/// What a client writes lies in DRAM, and it reads it back; next to it nothing has changed.
fn client(host: &mut Host) -> Result<()> {
    let page_bits = host.read(Register::PageBits.number());
    let data: Vec<u8> = (0..1_400u32).map(|i| (i * i + i / 7) as u8).collect();
    let at = Va::from_low_bits((VPN << page_bits) + 300);
    let length = data.len() as u16;
    let mut requests = Requests { time: Tick::from_low_bits(host.read(Register::Tick.number())), ids: 0 };
    requests.ask(host.line(), Opcode::Write, at, length, &data)?;
    let around = Va::from_low_bits(at.get() - 8);
    let read = requests.ask(host.line(), Opcode::Read, around, length + 16, &[])?;
    let wanted = [&[0; 8][..], &data, &[0; 8]].concat();
    ensure!(read == wanted, "what was read is not what was written");
    // A bit in each word of a line, and one further on: 64 bytes of AXI's data and addresses.
    let line = (PAGE << page_bits) + 320;
    let kept = host.line().peek(line)?;
    ensure!(kept == data[20..28], "DRAM has {kept:02x?} at {line:#x}, not {:02x?}", &data[20..28]);
    Ok(())
}

/// Requests of one client.
struct Requests {
    time: Tick,
    ids: u32,
}

impl Requests {
    /// Sends a request and takes its answer; an error unless that is OK.
    fn ask(
        &mut self,
        pins: &mut Pins,
        opcode: Opcode,
        va: Va,
        length: u16,
        payload: &[u8],
    ) -> Result<Vec<u8>> {
        self.ids += 1;
        let request = Request {
            trailer: Trailer::None,
            key_phase: false,
            timed: false,
            opcode,
            epoch: EPOCH,
            pid: PID,
            op_id: self.ids,
            attempt: 0,
            time: self.time,
            va,
            length,
        };
        let datagram = [&request.to_bytes()[..], payload].concat();
        let frame = UdpFrame { endpoints: WAY, datagram: &datagram };
        let mut bytes = vec![0; frame.frame_len()];
        frame.emit(false, &mut bytes)?;
        pins.send(&bytes)?;
        ensure!(pins.receive(PATIENCE, &mut bytes)?, "{opcode:?} is not answered");
        let answer = UdpFrame::parse(&bytes).context("an answer's headers")?;
        ensure!(answer.endpoints == WAY.reversed(), "the answer goes to {:?}", answer.endpoints);
        let packet = Packet::new_checked(answer.datagram)?;
        let response = Response::parse(&packet)?;
        ensure!(
            (response.status, response.op_id, response.opcode) == (Status::Ok, self.ids, opcode),
            "the answer is {response:?}"
        );
        Ok(packet.payload().to_vec())
    }
}

/// The board's end of the line, in a process of its own.
struct Pins {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    now: Duration,
    came: VecDeque<Vec<u8>>,
    /// Frames that were sent to the board.
    frames: u64,
    /// The light is lit; the transceiver is out of reset.
    lit: bool,
    released: bool,
}

impl Pins {
    fn start(program: &std::path::Path) -> Result<Pins> {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("starting {}", program.display()))?;
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().context("the simulation's output")?);
        let (now, came) = (Duration::ZERO, VecDeque::new());
        let mut pins = Pins { child, to, from, now, came, frames: 0, lit: false, released: false };
        // Clocks run, and resets are over.
        pins.pause_for(Duration::from_micros(10))?;
        Ok(pins)
    }

    fn order(&mut self, line: &str) -> io::Result<()> {
        let to = self.to.as_mut().ok_or_else(|| io::Error::other("the simulation has ended"))?;
        writeln!(to, "{line}")?;
        to.flush()
    }

    /// Takes what the simulation says up to the line that ends an order: answers the word that was asked for.
    fn hear(&mut self) -> io::Result<u64> {
        let wrong = |line: &str| io::Error::other(format!("the simulation says `{}`", line.trim()));
        let mut word = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["f", digits] => self.came.push_back(taken(&bytes(digits).ok_or_else(|| wrong(&line))?)?),
                ["m", digits] => word = u64::from_str_radix(digits, 16).map_err(io::Error::other)?,
                ["t", now, lit, released] => {
                    self.now = Duration::from_nanos(now.parse().map_err(io::Error::other)?);
                    (self.lit, self.released) = (*lit == "1", *released == "1");
                    return Ok(word);
                }
                _ => return Err(wrong(&line)),
            }
        }
    }

    fn pause_for(&mut self, time: Duration) -> io::Result<()> {
        self.order(&format!("r {}", time.as_nanos()))?;
        self.hear().map(drop)
    }

    /// The eight bytes that DRAM has at an address.
    fn peek(&mut self, address: u64) -> io::Result<[u8; 8]> {
        self.order(&format!("m {:x}", address / 8))?;
        self.hear().map(u64::to_le_bytes)
    }
}

impl Line for Pins {
    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        let mut padded = frame.to_vec();
        padded.resize(frame.len().max(SHORTEST), 0);
        let check = fcs(&padded);
        let all = [&PREAMBLE[..], &padded, &check].concat();
        let digits: String = all.iter().map(|byte| format!("{byte:02x}")).collect();
        self.frames += 1;
        self.order(&format!("s {digits}"))?;
        self.hear()?;
        self.pause_for(Duration::from_nanos(((all.len() + GAP) * NS_PER_BYTE) as u64))
    }
    fn receive(&mut self, at_most: Duration, into: &mut Vec<u8>) -> io::Result<bool> {
        let until = self.now + at_most;
        while self.came.is_empty() && self.now < until {
            self.pause_for((until - self.now).min(Duration::from_micros(1)))?;
        }
        let frame = self.came.pop_front();
        let any = frame.is_some();
        frame.into_iter().for_each(|frame| *into = frame);
        Ok(any)
    }
    fn now(&self) -> Duration {
        self.now
    }
    fn pause(&mut self, time: Duration) {
        // What went wrong is told by the next access.
        let _ = self.pause_for(time);
    }
}

impl Drop for Pins {
    /// It ends with its input.
    fn drop(&mut self) {
        self.to = None;
        let _ = self.child.wait();
    }
}

/// The bytes that digits are.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect()
}

/// The frame of what was on the line.
fn taken(line: &[u8]) -> io::Result<Vec<u8>> {
    let wrong = |what: &str| io::Error::other(format!("the board has sent {what}: {line:02x?}"));
    let frame = line.strip_prefix(&PREAMBLE).ok_or_else(|| wrong("another preamble"))?;
    let Some((frame, check)) = frame.split_last_chunk::<FCS>().filter(|(frame, _)| frame.len() >= SHORTEST)
    else {
        return Err(wrong("too short a frame"));
    };
    if *check == fcs(frame) { Ok(frame.to_vec()) } else { Err(wrong("a wrong check sequence")) }
}

/// The check sequence of a frame.
fn fcs(frame: &[u8]) -> [u8; FCS] {
    Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(frame).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sequences_are_ethernets() {
        assert_eq!(fcs(b"123456789"), 0xcbf4_3926u32.to_le_bytes());
    }

    #[test]
    fn what_the_board_sends_is_looked_at() {
        let frame = [7; SHORTEST];
        let line = |frame: &[u8]| [&PREAMBLE[..], frame, &fcs(frame)].concat();
        assert_eq!(taken(&line(&frame)).expect("a frame"), frame);
        let error = |line: &[u8]| taken(line).expect_err("damaged").to_string();
        assert!(error(&line(&frame)[1..]).contains("another preamble"));
        assert!(error(&line(&frame[1..])).contains("too short a frame"));
        let mut damaged = line(&frame);
        damaged[20] ^= 1;
        assert!(error(&damaged).contains("a wrong check sequence"));
    }
}
