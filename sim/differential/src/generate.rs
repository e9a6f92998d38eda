//! Requests at random: all opcodes, sizes, alignments, repeats, and everything that contracts §1 can refuse.
use mneme_model::soft::Page;
use mneme_wire::frame::net::{EthernetFrame, EthernetProtocol, IpProtocol, Ipv4Packet};
use mneme_wire::opcode::RESPONSE_BIT;
use mneme_wire::pte::FRAME_BYTES;
use mneme_wire::{Opcode, Pid, Tick, Trailer};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::packet::RawPacket;
use super::spoil::{Spoil, pick};
use super::world::World;

/// A frame for the board's port.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Bytes without check sequence.
    pub frame: Vec<u8>,
    /// Damaged on the wire.
    pub fcs_error: bool,
}

/// Of the operations that the filter remembers, so many crowd in two of its sets.
const CROWDING: f64 = 0.15;
/// Of the reads that follow one of their process, so many repeat it.
const READ_AGAIN: f64 = 0.5;

/// The next frame of the run. `calm`: nothing may be lost at ingress, so repeats with another content are fine too.
pub fn next_frame(world: &mut World, now: Tick, calm: bool, rng: &mut ChaCha8Rng) -> Sent {
    let fcs_error = rng.random_bool(0.01);
    let frame = match rng.random_range(0..100) {
        0..70 => operation(world, None, now, rng).frame(&world.seals),
        70..82 => repeat(world, now, calm, rng).frame(&world.seals),
        82..91 => refused(world, now, rng).frame(&world.seals),
        91..98 => spoiled(world, None, now, rng),
        _ => other(world, now, rng),
    };
    Sent { frame, fcs_error }
}

/// A frame that is not like any before it: of a page, or of any.
pub fn fresh(world: &mut World, page: Option<Page>, now: Tick, rng: &mut ChaCha8Rng) -> Sent {
    let frame = match rng.random_range(0..100) {
        0..66 => operation(world, page, now, rng).frame(&world.seals),
        66..76 => refused(world, now, rng).frame(&world.seals),
        76..88 => spoiled(world, page, now, rng),
        88..94 => return ping(world, now, rng),
        _ => other(world, now, rng),
    };
    Sent { frame, fcs_error: false }
}

/// An operation of which something has been damaged.
fn spoiled(world: &mut World, page: Option<Page>, now: Tick, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut frame = operation(world, page, now, rng).frame(&world.seals);
    pick(rng, Spoil::ALL).apply(&mut frame, world.shape.max_frame(), rng);
    if world.rated {
        // It may execute, and a sound copy of it has other bytes: which of the two a class refuses, its answer does not tell.
        world.history.pop_back();
    }
    frame
}

/// An operation on a given page: what provokes stale translations.
pub fn on_page(world: &mut World, page: Page, now: Tick, rng: &mut ChaCha8Rng) -> Sent {
    Sent { frame: operation(world, Some(page), now, rng).frame(&world.seals), fcs_error: false }
}

/// A read of as much as an answer carries, of a given page: its answer takes longer to leave than the next request to come.
pub fn largest_read(world: &World, page: Page, now: Tick, rng: &mut ChaCha8Rng) -> Sent {
    Sent { frame: largest(world, page, now, rng).frame(&world.seals), fcs_error: false }
}

fn largest(world: &World, page: Page, now: Tick, rng: &mut ChaCha8Rng) -> RawPacket {
    let (trailer, flags) = world.right_trailer();
    RawPacket {
        endpoints: *pick(rng, &world.clients),
        flags: RawPacket::FLAGS | flags,
        opcode: Opcode::Read.number(),
        epoch: world.epoch,
        pid: page.pid.get(),
        op_id: rng.random(),
        attempt: 0,
        time: now.get(),
        va: page.vpn * world.geometry.page_size(),
        length: (world.shape.max_payload() - trailer.kind.bytes()) as u16,
        payload: Vec::new(),
        trailer,
        udp_checksum: false,
    }
}

/// A frame that is in order and for the slow path.
fn ping(world: &World, now: Tick, rng: &mut ChaCha8Rng) -> Sent {
    let read = largest(world, world.pages[0], now, rng);
    let ping = RawPacket { opcode: Opcode::Ping.number(), length: 0, ..read };
    Sent { frame: ping.frame(&world.seals), fcs_error: false }
}

/// A frame for the slow path: a PING, or one that is not Mneme, which nobody answers when the slow ring is full.
pub fn for_slow(world: &mut World, now: Tick, rng: &mut ChaCha8Rng) -> Sent {
    if rng.random_ratio(1, 4) {
        return Sent { frame: other(world, now, rng), fcs_error: false };
    }
    ping(world, now, rng)
}

/// A request that is in order as far as its fields go.
fn operation(world: &mut World, page: Option<Page>, now: Tick, rng: &mut ChaCha8Rng) -> RawPacket {
    let opcode = match rng.random_range(0..100) {
        0..35 => Opcode::Read,
        35..70 => Opcode::Write,
        70..80 => Opcode::CompareSwap,
        80..88 => Opcode::FetchAdd,
        88..94 => Opcode::Swap,
        _ => Opcode::Fence,
    };
    let wanted = page;
    let page = wanted.unwrap_or_else(|| world.page(rng));
    let page_size = world.geometry.page_size();
    let trailer = world.trailer(rng);
    let most = world.shape.max_payload() - if opcode == Opcode::Write { trailer.kind.bytes() } else { 0 };
    let length = if opcode.is_atomic() { 8 } else { length(most, rng) };
    let offset = match world.split.contains(&page) {
        true => frame_offset(page_size, length, rng),
        false => offset(page_size, length, rng),
    };
    let offset = if opcode.is_atomic() { offset & !7 } else { offset };
    let crowds = opcode.is_filtered() && rng.random_bool(CROWDING);
    let mut packet = RawPacket {
        endpoints: if crowds { world.clients[0] } else { *pick(rng, &world.clients) },
        flags: RawPacket::FLAGS
            | u8::from(rng.random_bool(0.5)) << 1
            | timed(rng)
            | RawPacket::of_kind(trailer.kind),
        opcode: opcode.number(),
        epoch: world.epoch,
        pid: page.pid.get(),
        op_id: if crowds { world.crowded_id() } else { rng.random() },
        attempt: if rng.random_bool(0.9) { 0 } else { rng.random() },
        time: time(world, now, rng).get(),
        va: page.vpn * page_size + offset,
        length: length as u16,
        payload: Vec::new(),
        trailer,
        udp_checksum: rng.random_bool(0.5),
    };
    if opcode == Opcode::Read && wanted.is_none() {
        read_again(world, page.pid, &mut packet, rng);
    }
    match opcode {
        Opcode::Write => packet.payload = bytes(length as usize, rng),
        Opcode::CompareSwap => packet.payload = compare_operands(rng),
        Opcode::FetchAdd | Opcode::Swap => packet.payload = word(rng).to_le_bytes().to_vec(),
        Opcode::Fence => packet.length = 0,
        _ => {}
    }
    if opcode.is_filtered() {
        world.remember(&packet);
    }
    packet
}

/// Some reads ask for the same bytes as the one before: a board may remember that it could not read them.
fn read_again(world: &mut World, pid: Pid, packet: &mut RawPacket, rng: &mut ChaCha8Rng) {
    match world.last_read {
        Some((of, va, length)) if of == pid && rng.random_bool(READ_AGAIN) => {
            (packet.va, packet.length) = (va, length);
        }
        _ => world.last_read = Some((pid, packet.va, packet.length)),
    }
}

/// A third of the requests want to be told how long they took.
pub(super) fn timed(rng: &mut ChaCha8Rng) -> u8 {
    if rng.random_ratio(1, 3) { RawPacket::TIMED } else { 0 }
}

fn bytes(len: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = vec![0; len];
    rng.fill(&mut bytes[..]);
    bytes
}

/// Small values meet each other, so that some comparisons succeed; the others cross every byte.
pub(super) fn word(rng: &mut ChaCha8Rng) -> u64 {
    if rng.random_bool(0.8) { rng.random_range(0..3) } else { rng.random() }
}

fn compare_operands(rng: &mut ChaCha8Rng) -> Vec<u8> {
    [word(rng), word(rng)].iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(super) fn length(max_payload: usize, rng: &mut ChaCha8Rng) -> u64 {
    let length = match rng.random_range(0..10) {
        0..3 => *pick(rng, &[1, 7, 8, 9, 63, 64, 65, 127, 128, 129]),
        3..7 => rng.random_range(1..=256),
        7..9 => rng.random_range(1..=max_payload),
        _ => max_payload - rng.random_range(0..=64),
    };
    length as u64
}

/// Mostly where others wrote before; page borders included.
pub(super) fn offset(page_size: u64, length: u64, rng: &mut ChaCha8Rng) -> u64 {
    let room = page_size - length.min(page_size);
    match rng.random_range(0..10) {
        0..5 => rng.random_range(0..512.min(room + 1)),
        5..7 => 0,
        7 => room,
        8 => room - rng.random_range(0..=room.min(64)),
        _ => rng.random_range(0..=room),
    }
}

/// Of a split page: mostly in its first frames, and where one ends and the next one begins.
fn frame_offset(page_size: u64, length: u64, rng: &mut ChaCha8Rng) -> u64 {
    let frames = page_size / FRAME_BYTES;
    let frame = if rng.random_bool(0.7) { rng.random_range(0..6) } else { rng.random_range(0..frames) };
    let within = match rng.random_range(0..8) {
        0..3 => rng.random_range(0..FRAME_BYTES),
        3 => FRAME_BYTES - length,
        4..6 => FRAME_BYTES - length.div_ceil(2),
        _ => rng.random_range(0..64),
    };
    (frame * FRAME_BYTES + within).min(page_size - length)
}

/// A write into the frame of a split page with this number, which begins in the one before.
pub fn into_frame(world: &mut World, page: Page, frame: u64, now: Tick, rng: &mut ChaCha8Rng) -> Sent {
    let (trailer, flags) = world.right_trailer();
    let payload = bytes(rng.random_range(2..=256), rng);
    let before = rng.random_range(1..payload.len() as u64);
    let packet = RawPacket {
        flags: RawPacket::FLAGS | flags,
        opcode: Opcode::Write.number(),
        op_id: rng.random(),
        va: page.vpn * world.geometry.page_size() + frame * FRAME_BYTES - before,
        length: payload.len() as u16,
        payload,
        trailer,
        ..largest(world, page, now, rng)
    };
    world.remember(&packet);
    Sent { frame: packet.frame(&world.seals), fcs_error: false }
}

/// Mostly now; the window's borders on both sides; far past and far ahead.
pub(super) fn time(world: &World, now: Tick, rng: &mut ChaCha8Rng) -> Tick {
    let window = world.window;
    let back = |ticks: u32| now.plus(ticks.wrapping_neg());
    match rng.random_range(0..100) {
        0..80 => back(rng.random_range(0..=window / 4)),
        80..88 => back(rng.random_range(0..=window)),
        88..92 => back(window - window.min(2) + rng.random_range(0..=4)),
        92..94 => back(window + rng.random_range(1..=1000)),
        94..96 => now.plus(rng.random_range(0..=window / 4)),
        96..98 => now.plus((window / 4).saturating_sub(1) + rng.random_range(0..=3)),
        _ => Tick::from_low_bits(rng.random()),
    }
}

/// Something that was sent before: the same packet, another attempt, or another operation under the same id.
fn repeat(world: &mut World, now: Tick, calm: bool, rng: &mut ChaCha8Rng) -> RawPacket {
    let late = rng.random_range(0..world.history.len().max(1)).min(rng.random_range(0..64));
    let Some(mut packet) = world.history.iter().rev().nth(late).cloned() else {
        return operation(world, None, now, rng);
    };
    // Whether an attempt is timed is its own affair.
    packet.flags = packet.flags & !RawPacket::TIMED | timed(rng);
    if world.shape.trailers && packet.payload.len() + Trailer::Tag.bytes() <= world.shape.max_payload() {
        // And so is its trailer.
        packet.trailer = world.trailer(rng);
        packet.flags = packet.flags & !(3 << 2) | RawPacket::of_kind(packet.trailer.kind);
    }
    match rng.random_range(0..10) {
        0..4 => {}
        4..7 => packet.attempt = packet.attempt.wrapping_add(rng.random_range(1..4)),
        7 => packet.attempt = packet.attempt.saturating_sub(1),
        // Which of two operations of one id a class refuses, its answer does not tell.
        _ if calm && !world.rated => conflict(&mut packet, rng),
        _ => {}
    }
    packet
}

/// Another operation under the same id: one field differs.
fn conflict(packet: &mut RawPacket, rng: &mut ChaCha8Rng) {
    match rng.random_range(0..5) {
        0 => packet.va ^= 64,
        1 => packet.time = packet.time.wrapping_sub(1) & 0xff_ffff,
        2 => packet.pid = (packet.pid ^ 1).max(1),
        3 if packet.payload.len() == 8 => {
            packet.opcode ^= Opcode::FetchAdd.number() ^ Opcode::Swap.number();
        }
        // The payload is not part of the digest: this is the same operation.
        _ => rng.fill(&mut packet.payload[..]),
    }
}

/// A packet that dispatch answers by itself, or that is not for the fast path.
fn refused(world: &mut World, now: Tick, rng: &mut ChaCha8Rng) -> RawPacket {
    let mut packet = operation(world, None, now, rng);
    // What is refused leaves no trace in the filter: the same id may come again.
    world.history.retain(|sent| sent.op_id != packet.op_id);
    match rng.random_range(0..16) {
        0 => packet.flags = packet.flags & 0x0f | pick(rng, &[0, 2, 15]) << 4,
        1 => packet.flags |= pick(rng, &[1, 2, 3]) << 2,
        2 => (packet.flags, packet.opcode) = (packet.flags | RawPacket::TIMED, Opcode::Ping.number()),
        3 => packet.epoch = packet.epoch.wrapping_add(rng.random_range(1..=255)),
        4 => packet.pid = 0,
        5 => {
            packet.length = *pick(
                rng,
                &[0, packet.length.wrapping_add(1), packet.length.wrapping_sub(1), 40, 300, u16::MAX],
            )
        }
        6 => {
            packet.length = 0;
            packet.payload.clear();
        }
        7 => packet.payload.push(0),
        8 => drop(packet.payload.pop()),
        9 => packet.va ^= rng.random_range(1..8),
        10 => packet.va |= world.geometry.page_size() - 1,
        11 => packet.opcode |= RESPONSE_BIT,
        12 => {
            packet.opcode =
                if rng.random_bool(0.5) { rng.random_range(7..0x10) } else { rng.random_range(0..0x80) }
        }
        13 => {
            packet.opcode = Opcode::Ping.number();
            packet.epoch = *pick(rng, &[0, packet.epoch, packet.epoch ^ 0x55]);
            packet.payload = bytes(64, rng);
        }
        _ => {
            let slow =
                [Opcode::Open, Opcode::Alloc, Opcode::Free, Opcode::Protect, Opcode::Counters, Opcode::Exit];
            packet.opcode = pick(rng, &slow).number();
            packet.payload = bytes(rng.random_range(0..128), rng);
        }
    }
    packet
}

/// Frames that are not Mneme: ARP, ICMP.
fn other(world: &mut World, now: Tick, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut frame = operation(world, None, now, rng).frame(&world.seals);
    if rng.random_bool(0.5) {
        EthernetFrame::new_unchecked(&mut frame).set_ethertype(EthernetProtocol::Arp);
        frame.truncate(rng.random_range(14..60));
    } else {
        let mut ip = Ipv4Packet::new_unchecked(&mut frame[14..]);
        ip.set_next_header(IpProtocol::Icmp);
        ip.fill_checksum();
    }
    frame
}
