//! Datagrams that are not Mneme's, and some that are, for a look at what the dissector claims.
use anyhow::Result;
use mneme_wire::frame::{Endpoints, MNEME_OFFSET, UdpFrame};
use mneme_wire::trailer::Means;
use mneme_wire::{Cause, Detail, HEADER_LEN, Opcode, Pid, Request, Response, Status, Tick, Trailer, Va};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A port that no dissector has.
pub const PORT: u16 = 47_113;
/// Of every datagram.
const ENDPOINTS: Endpoints = Endpoints {
    src_mac: [2, 0, 0, 0, 0, 1],
    dst_mac: [2, 0, 0, 0, 0, 2],
    src_ip: [10, 0, 0, 1],
    dst_ip: [10, 0, 0, 2],
    src_port: PORT + 1,
    dst_port: PORT,
};
/// Random datagrams; each second one begins as ours do.
const RANDOM: usize = 20_000;
/// Their longest.
const LONGEST: usize = 96;

fn request(opcode: Opcode, length: u16) -> Request {
    Request {
        trailer: Trailer::None,
        key_phase: false,
        timed: false,
        opcode,
        epoch: 3,
        pid: Pid::from_low_bits(7),
        op_id: 0x0102_0304,
        attempt: 0,
        time: Tick::default(),
        va: Va::from_low_bits(0x4_0000),
        length,
    }
}

/// Requests and answers, with payloads as their headers say.
fn ours() -> Vec<Vec<u8>> {
    let (read, write, add) =
        (request(Opcode::Read, 64), request(Opcode::Write, 5), request(Opcode::FetchAdd, 8));
    let timed = Request { timed: true, ..read };
    let refusal = Detail { cause: Cause::Rights, hint: 0 }.to_va();
    let answer =
        |request: &Request, length| Response::ok(request, Tick::default(), length).to_bytes().to_vec();
    vec![
        read.to_bytes().to_vec(),
        [answer(&read, 64), vec![9; 64]].concat(),
        timed.to_bytes().to_vec(),
        [write.to_bytes().to_vec(), b"hello".to_vec()].concat(),
        answer(&write, 5),
        [add.to_bytes().to_vec(), vec![0; 8]].concat(),
        [answer(&add, 8), vec![1; 8]].concat(),
        request(Opcode::Fence, 0).to_bytes().to_vec(),
        Response::fail(&read, Tick::default(), Status::Denied, refusal).to_bytes().to_vec(),
    ]
}

/// Requests and an answer with a CRC; the last one's is wrong.
fn with_crc() -> Vec<Vec<u8>> {
    let sealed = |header: &[u8], payload: &[u8]| {
        let mut datagram = [header, payload, &[0; Trailer::Crc32c.bytes()]].concat();
        Means::Crc32c.seal(&ENDPOINTS.covered(), &mut datagram);
        datagram
    };
    let trailer = Trailer::Crc32c;
    let (read, write) = (request(Opcode::Read, 64), request(Opcode::Write, 5));
    let answer = Response { trailer, ..Response::ok(&read, Tick::default(), 64) };
    let write = sealed(&Request { trailer, ..write }.to_bytes(), b"hello");
    let mut damaged = write.clone();
    damaged[HEADER_LEN] ^= 1;
    vec![
        sealed(&Request { trailer, ..read }.to_bytes(), &[]),
        sealed(&answer.to_bytes(), &[9; 64]),
        write,
        damaged,
    ]
}

/// Packets that are nearly ours: each is wrong in one field.
fn nearly() -> Vec<Vec<u8>> {
    let good = request(Opcode::Read, 64).to_bytes();
    let with = |at: usize, byte: u8| {
        let mut bytes = good.to_vec();
        bytes[at] = byte;
        bytes
    };
    let denied = Detail { cause: Cause::Rights, hint: 0 }.to_va();
    let refused =
        Response::fail(&request(Opcode::Read, 64), Tick::default(), Status::Denied, denied).to_bytes();
    vec![
        good[..HEADER_LEN - 1].to_vec(),
        with(0, 0x20), // another version
        with(0, 0x14), // no trailer kind
        with(0, 0x12), // a key's phase without a key
        with(1, 0x7e), // no opcode
        [good.to_vec(), vec![0; 4]].concat(),
        request(Opcode::Read, 0).to_bytes().to_vec(),
        request(Opcode::Fence, 1).to_bytes().to_vec(),
        [request(Opcode::FetchAdd, 4).to_bytes().to_vec(), vec![0; 8]].concat(),
        [refused.to_vec(), vec![0; 64]].concat(),
        Request { pid: Pid::NONE, ..request(Opcode::Read, 64) }.to_bytes().to_vec(),
    ]
}

/// A question of DNS and its answer, of every id that begins as our packets do; NTP, whose answers of old begin alike.
fn of_others() -> Vec<Vec<u8>> {
    let ids = (0x10..0x20_u8).flat_map(|high| (0..=255).map(move |low| [high, low]));
    let dns = |id: [u8; 2], answers: u8| {
        let flags = if answers == 0 { [1, 0] } else { [0x81, 0x80] };
        let question = b"\x04memo\x07example\x03org\0\0\x01\0\x01";
        let answer: &[u8] = b"\xc0\x0c\0\x01\0\x01\0\0\x0e\x10\0\x04\x0a\0\0\x02";
        let counts = [0, 1, 0, answers, 0, 0, 0, 0];
        [&id[..], &flags, &counts, question, if answers == 0 { &[] } else { answer }].concat()
    };
    let ntp = (1..16_u8).map(|stratum| {
        let mut bytes = vec![0; 48];
        bytes[..4].copy_from_slice(&[0x1c, stratum, 6, 0xec]);
        bytes
    });
    ids.flat_map(|id| [dns(id, 0), dns(id, 1)]).chain(ntp).collect()
}

/// All of them, and the numbers of the frames that are ours, from 1 on.
pub fn datagrams() -> (Vec<Vec<u8>>, Vec<usize>) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut all: Vec<Vec<u8>> = of_others();
    all.extend(nearly());
    for number in 0..RANDOM {
        let mut bytes = vec![0; rng.random_range(0..LONGEST)];
        rng.fill_bytes(&mut bytes);
        if let (0, Some(first)) = (number % 2, bytes.first_mut()) {
            *first = *first & 0x0f | 0x10;
        }
        all.push(bytes);
    }
    let first = all.len() + 1;
    all.extend(ours());
    all.extend(with_crc());
    let numbers = (first..=all.len()).collect();
    (all, numbers)
}

/// A capture file with a frame for each.
pub fn pcap(datagrams: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    // Microseconds, version 2.4, no time zone, whole frames of Ethernet.
    for word in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 0xffff, 1_u32] {
        file.extend(word.to_le_bytes());
    }
    for datagram in datagrams {
        let mut frame = vec![0; MNEME_OFFSET + datagram.len()];
        UdpFrame { endpoints: ENDPOINTS, datagram }.emit(true, &mut frame)?;
        let length = u32::try_from(frame.len())?;
        for word in [0, 0, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(frame);
    }
    Ok(file)
}
