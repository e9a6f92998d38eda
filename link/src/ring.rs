//! A receive ring that is shared with the kernel (packet_mmap, version 2).
//!
//! Version 2, not 3: version 3 hands over blocks of frames, and a block that is not full only after its timer of a
//! millisecond or more, which would be the round trip of a client with one request in flight.
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use socket2::Socket;

use crate::packet::set_option;
use crate::prefetch::prefetch;
use crate::virtio::{self, Joined, Told};

/// Version 2 of packet_mmap (linux/if_packet.h).
const TPACKET_V2: libc::c_int = 1;
const PACKET_VERSION: libc::c_int = 10;
const PACKET_RX_RING: libc::c_int = 5;
/// The frame is the program's; the rest of the status word tells how it came.
const STATUS_USER: u32 = 1;
/// The UDP or TCP checksum is not finished.
const STATUS_UNSUMMED: u32 = 1 << 3;
/// Blocks are pieces of memory that the kernel allocates at once.
const BLOCK: usize = 1 << 16;

/// What the kernel is asked for (`struct tpacket_req`).
#[repr(C)]
#[derive(Clone, Copy)]
struct RingRequest {
    block_size: u32,
    block_count: u32,
    frame_size: u32,
    frame_count: u32,
}

/// What lies before each frame (`struct tpacket2_hdr`).
#[repr(C)]
#[derive(Clone, Copy)]
struct Header {
    status: u32,
    length: u32,
    captured: u32,
    mac: u16,
    net: u16,
    seconds: u32,
    nanoseconds: u32,
    vlan_tci: u16,
    vlan_protocol: u16,
    padding: [u8; 4],
}

/// Bytes of a slot that are not the frame's: before it lie its header, an address, what the kernel tells of it, and what
/// aligns the network header.
pub(crate) const AROUND: usize = size_of::<Header>() + size_of::<libc::sockaddr_ll>() + virtio::LENGTH + 32;

/// The ring's memory and where the next frame will be.
#[derive(Debug)]
pub(crate) struct RxRing {
    memory: NonNull<u8>,
    bytes: usize,
    slot: usize,
    slots: usize,
    next: usize,
    /// Before each frame the kernel tells what it is (PACKET_VNET_HDR).
    told: bool,
}

// SAFETY: the memory is the ring's alone on this side, and nothing about it belongs to a thread.
unsafe impl Send for RxRing {}

/// A frame in the ring.
pub(crate) struct Slot<'a> {
    pub(crate) bytes: &'a [u8],
    /// Bytes that the frame had; more than there are when its slot was too small.
    pub(crate) length: usize,
    pub(crate) told: Told,
}

impl RxRing {
    /// Asks for a ring of `slots` frames of up to `largest` bytes. The socket must not be bound yet. `told`: it has
    /// PACKET_VNET_HDR.
    pub(crate) fn new(socket: &Socket, largest: usize, slots: usize, told: bool) -> io::Result<RxRing> {
        set_option(socket, PACKET_VERSION, &TPACKET_V2)?;
        let slot = (largest + AROUND).next_power_of_two();
        let block = BLOCK.max(slot);
        let slots = slots.max(block / slot);
        let bytes = slot * slots;
        let request = RingRequest {
            block_size: block as u32,
            block_count: (bytes / block) as u32,
            frame_size: slot as u32,
            frame_count: slots as u32,
        };
        set_option(socket, PACKET_RX_RING, &request)?;
        // SAFETY: a new mapping at an address of the kernel's choice, of the size of the ring that the socket has.
        let memory = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_POPULATE,
                socket.as_raw_fd(),
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            let error = io::Error::last_os_error();
            // Given back, so that a smaller one may be asked for.
            let none = RingRequest { block_size: 0, block_count: 0, frame_size: 0, frame_count: 0 };
            set_option(socket, PACKET_RX_RING, &none)?;
            return Err(error);
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(RxRing { memory, bytes, slot, slots, next: 0, told })
    }
    fn status(&self) -> &AtomicU32 {
        // SAFETY: the slot lies inside the mapping, begins with the aligned status word, and the kernel and this
        // program access that word atomically only.
        unsafe { AtomicU32::from_ptr(self.memory.as_ptr().add(self.next * self.slot).cast()) }
    }
    /// The next frame, if the kernel has filled its slot. It goes back with [`RxRing::release`].
    pub(crate) fn peek(&self) -> Option<Slot<'_>> {
        // Acquire: what the kernel wrote before the status word is seen after it.
        let status = self.status().load(Ordering::Acquire);
        if status & STATUS_USER == 0 {
            return None;
        }
        // SAFETY: the slot is this program's until it is released: the kernel neither reads nor writes it. It lies
        // inside the mapping and begins with a header.
        let header: Header =
            unsafe { self.memory.as_ptr().add(self.next * self.slot).cast::<Header>().read() };
        let from = usize::from(header.mac).min(self.slot);
        let length = (header.captured as usize).min(self.slot - from);
        let before = if self.told { virtio::LENGTH.min(from) } else { 0 };
        // SAFETY: as above; offsets and length were cut to the slot.
        let bytes = unsafe {
            let begin = self.memory.as_ptr().add(self.next * self.slot + from - before);
            std::slice::from_raw_parts(begin, before + length)
        };
        prefetch(bytes);
        let told = bytes.first_chunk().filter(|_| self.told).map(|head| virtio::read(*head));
        let unsummed = status & STATUS_UNSUMMED != 0;
        let told = told.unwrap_or(Told { unsummed, joined: Joined::Not });
        Some(Slot { bytes: &bytes[before..], length: header.length as usize, told })
    }
    /// Gives the slot of the last [`RxRing::peek`] back to the kernel.
    pub(crate) fn release(&mut self) {
        // Release: what was read of the slot was read before.
        self.status().store(0, Ordering::Release);
        self.next = (self.next + 1) % self.slots;
    }
}

impl Drop for RxRing {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this size, and no reference into it outlives the ring.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.bytes) };
    }
}
