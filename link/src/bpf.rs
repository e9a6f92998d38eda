//! Programs in the kernel that steer a UDP port's datagrams into an AF_XDP socket, or end their way once a packet socket
//! has them; and the few calls of bpf(2) that load them.
//!
//! They have some twenty instructions with the address and port in them, so they are put together here: a loader of
//! object files, and a compiler to make one, would be a hundred times their size.
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use crate::filter::Selection;

const MAP_CREATE: libc::c_int = 0;
const MAP_UPDATE: libc::c_int = 2;
const PROGRAM_LOAD: libc::c_int = 5;
const LINK_CREATE: libc::c_int = 28;
const MAP_OF_SOCKETS: u32 = 17;
/// A program's type, and where it is attached: XDP on an interface.
const XDP: (u32, u32) = (6, 37);
/// A classifier before the system's protocols, behind packet sockets (tcx, Linux 6.6).
const TCX_INGRESS: (u32, u32) = (3, 46);
/// XDP_FLAGS_SKB_MODE: on packets as the kernel has made them, on every interface.
const FLAG_GENERIC: u32 = 1 << 1;
/// XDP_FLAGS_DRV_MODE: in the interface's driver.
const FLAG_NATIVE: u32 = 1 << 2;
/// Room for the verifier's words, should it refuse.
const LOG: usize = 4096;

/// An instruction (`struct bpf_insn`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Instruction {
    code: u8,
    registers: u8,
    offset: i16,
    immediate: i32,
}

#[repr(C)]
#[derive(Default)]
struct MapCreate {
    kind: u32,
    key_size: u32,
    value_size: u32,
    entries: u32,
    flags: u32,
}

#[repr(C)]
#[derive(Default)]
struct MapUpdate {
    map: u32,
    padding: u32,
    key: u64,
    value: u64,
    flags: u64,
}

#[repr(C)]
#[derive(Default)]
struct ProgramLoad {
    kind: u32,
    count: u32,
    instructions: u64,
    license: u64,
    log_level: u32,
    log_size: u32,
    log: u64,
    kernel: u32,
    flags: u32,
    name: [u8; 16],
    interface: u32,
    attach: u32,
}

#[repr(C)]
#[derive(Default)]
struct LinkCreate {
    program: u32,
    interface: u32,
    attach: u32,
    flags: u32,
}

/// Calls bpf(2) with a structure that stands for the first members of the union which the command wants.
///
/// # Safety
/// Addresses in `attributes` must point to memory of the size that the command reads or writes there.
unsafe fn bpf<T>(command: libc::c_int, attributes: &T) -> io::Result<libc::c_int> {
    let at = std::ptr::from_ref(attributes);
    // SAFETY: the kernel reads `size_of::<T>()` bytes at `at`; the rest is the caller's promise.
    let result = unsafe { libc::syscall(libc::SYS_bpf, command, at, size_of::<T>()) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as libc::c_int) }
}

/// Calls bpf(2) for a new descriptor.
///
/// # Safety
/// As for [`bpf`].
unsafe fn bpf_new<T>(command: libc::c_int, attributes: &T) -> io::Result<OwnedFd> {
    // SAFETY: the caller's promise; the commands used answer a descriptor that is nobody else's.
    unsafe { bpf(command, attributes).map(|fd| OwnedFd::from_raw_fd(fd)) }
}

/// The program at work on an interface. Dropping it takes the program away.
#[derive(Debug)]
pub(crate) struct Steering {
    _link: OwnedFd,
    _map: OwnedFd,
}

impl Steering {
    /// Steers the selected UDP datagrams that arrive in queue 0 of an interface into an AF_XDP socket.
    pub(crate) fn attach(
        interface: u32,
        native: bool,
        selection: Selection,
        socket: BorrowedFd<'_>,
    ) -> io::Result<Steering> {
        let create = MapCreate { kind: MAP_OF_SOCKETS, key_size: 4, value_size: 4, entries: 1, flags: 0 };
        // SAFETY: no addresses.
        let map = unsafe { bpf_new(MAP_CREATE, &create)? };
        let (key, value) = (0_u32, socket.as_raw_fd() as u32);
        let update = MapUpdate {
            map: map.as_raw_fd() as u32,
            key: std::ptr::from_ref(&key) as u64,
            value: std::ptr::from_ref(&value) as u64,
            ..MapUpdate::default()
        };
        // SAFETY: key and value are four bytes each, as the map has them.
        unsafe { bpf(MAP_UPDATE, &update)? };
        let flags = if native { FLAG_NATIVE } else { FLAG_GENERIC };
        let link = attach(&steering(selection, map.as_raw_fd()), XDP, interface, flags)?;
        Ok(Steering { _link: link, _map: map })
    }
}

/// The end of datagrams' way through the system, on an interface. Dropping it lets them pass again.
#[derive(Debug)]
pub(crate) struct WayEnd {
    _link: OwnedFd,
}

impl WayEnd {
    /// Ends the way of the selected UDP datagrams that arrive on an interface: packet sockets see them, and the system
    /// spends no time on finding out that nobody else wants them.
    pub(crate) fn attach(interface: u32, selection: Selection) -> io::Result<WayEnd> {
        Ok(WayEnd { _link: attach(&ending(selection), TCX_INGRESS, interface, 0)? })
    }
}

/// Loads a program and puts it to work until the descriptor is closed.
fn attach(program: &[Instruction], kind: (u32, u32), interface: u32, flags: u32) -> io::Result<OwnedFd> {
    let loaded = load(program, kind)?;
    let create = LinkCreate { program: loaded.as_raw_fd() as u32, interface, attach: kind.1, flags };
    // SAFETY: no addresses.
    unsafe { bpf_new(LINK_CREATE, &create) }
}

fn load(program: &[Instruction], (kind, attach): (u32, u32)) -> io::Result<OwnedFd> {
    let mut log = vec![0_u8; LOG];
    let license = c"Dual MIT/GPL";
    let mut attributes = ProgramLoad {
        kind,
        count: program.len() as u32,
        instructions: program.as_ptr() as u64,
        license: license.as_ptr() as u64,
        attach,
        ..ProgramLoad::default()
    };
    attributes.name[..6].copy_from_slice(b"mneme\0");
    // SAFETY: instructions and license live through the call, the count is theirs.
    match unsafe { bpf_new(PROGRAM_LOAD, &attributes) } {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => Err(error),
        // Once more, and ask what it does not like.
        Err(_) => {
            (attributes.log_level, attributes.log_size) = (1, LOG as u32);
            attributes.log = log.as_mut_ptr() as u64;
            // SAFETY: as above; the log has the size told.
            unsafe { bpf_new(PROGRAM_LOAD, &attributes) }.map_err(|error| {
                let end = log.iter().position(|byte| *byte == 0).unwrap_or(0);
                let said = String::from_utf8_lossy(&log[..end]);
                io::Error::new(error.kind(), format!("{error}: {}", said.trim()))
            })
        }
        loaded => loaded,
    }
}

/// Program text with the jumps to its last two instructions still open.
#[derive(Default)]
struct Text {
    instructions: Vec<Instruction>,
    jumps: Vec<usize>,
}

impl Text {
    fn push(&mut self, code: u8, to: u8, from: u8, offset: i16, immediate: i32) {
        self.instructions.push(Instruction { code, registers: from << 4 | to, offset, immediate });
    }
    /// `to` = what lies `offset` bytes behind the address in `from`; `code` tells its size.
    fn load(&mut self, code: u8, to: u8, from: u8, offset: i16) {
        self.push(code, to, from, offset, 0);
    }
    /// Goes on for whole IPv4 datagrams without options to the address and port alone. The addresses of the packet's begin and
    /// end lie one after the other, `packet` bytes into the context.
    fn select(&mut self, selection: Selection, packet: i16) {
        let network = |value: u16| u32::from(u16::from_ne_bytes(value.to_be_bytes()));
        // 1: the context; 2: end of the packet; 3: its begin; 4: whatever is compared.
        self.load(LOAD_WORD, 2, 1, packet + 4);
        self.load(LOAD_WORD, 3, 1, packet);
        self.push(MOVE, 4, 3, 0, 0);
        self.push(ADD_IMMEDIATE, 4, 0, 0, 42);
        self.jumps.push(self.instructions.len());
        self.push(JUMP_GREATER, 4, 2, 0, 0);
        self.load(LOAD_HALF, 4, 3, 12);
        self.demand(network(0x0800));
        self.load(LOAD_BYTE, 4, 3, 14);
        self.demand(0x45);
        self.load(LOAD_HALF, 4, 3, 20);
        // All but "do not fragment".
        self.push(AND_IMMEDIATE, 4, 0, 0, network(0xbfff) as i32);
        self.demand(0);
        self.load(LOAD_BYTE, 4, 3, 23);
        self.demand(17);
        self.load(LOAD_WORD, 4, 3, 30);
        self.demand(u32::from_ne_bytes(selection.ip()));
        self.load(LOAD_HALF, 4, 3, 36);
        self.demand(network(selection.port()));
    }
    /// Where all open jumps lead: the answer for other packets.
    fn end(mut self, answer: i32) -> Vec<Instruction> {
        let end = self.instructions.len();
        self.push(MOVE_IMMEDIATE, 0, 0, 0, answer);
        self.push(EXIT, 0, 0, 0, 0);
        for at in self.jumps {
            self.instructions[at].offset = (end - at - 1) as i16;
        }
        self.instructions
    }
    /// Passes the packet on unless the 32 bits of register 4 are these.
    fn demand(&mut self, value: u32) {
        self.jumps.push(self.instructions.len());
        self.push(JUMP32_UNEQUAL, 4, 0, 0, value as i32);
    }
}

const LOAD_BYTE: u8 = 0x71;
const LOAD_HALF: u8 = 0x69;
const LOAD_WORD: u8 = 0x61;
const LOAD_IMMEDIATE_64: u8 = 0x18;
const MOVE: u8 = 0xbf;
const MOVE_IMMEDIATE: u8 = 0xb7;
const ADD_IMMEDIATE: u8 = 0x07;
const AND_IMMEDIATE: u8 = 0x57;
const JUMP_GREATER: u8 = 0x2d;
const JUMP32_UNEQUAL: u8 = 0x56;
const CALL: u8 = 0x85;
const EXIT: u8 = 0x95;
const REDIRECT_MAP: i32 = 51;
const XDP_PASS: i32 = 2;
/// What a classifier answers: the packet goes no further, or on to whatever comes next.
const TCX_DROP: i32 = 2;
const TCX_NEXT: i32 = -1;
/// Marks an immediate as a map's descriptor.
const MAP_FD: u8 = 1;

/// Redirects the selected datagrams into the map; everything else, and what comes in another queue than the socket's, goes
/// on to the kernel.
fn steering(selection: Selection, map: libc::c_int) -> Vec<Instruction> {
    let mut text = Text::default();
    text.select(selection, 0);
    text.load(LOAD_WORD, 2, 1, 16);
    text.push(LOAD_IMMEDIATE_64, 1, MAP_FD, 0, map);
    text.push(0, 0, 0, 0, 0);
    text.push(MOVE_IMMEDIATE, 3, 0, 0, XDP_PASS);
    text.push(CALL, 0, 0, 0, REDIRECT_MAP);
    text.push(EXIT, 0, 0, 0, 0);
    text.end(XDP_PASS)
}

/// Drops the selected datagrams; everything else goes on, those with the tag of a VLAN included.
fn ending(selection: Selection) -> Vec<Instruction> {
    let mut text = Text::default();
    text.load(LOAD_WORD, 4, 1, 20);
    text.demand(0);
    text.select(selection, 76);
    text.push(MOVE_IMMEDIATE, 0, 0, 0, TCX_DROP);
    text.push(EXIT, 0, 0, 0, 0);
    text.end(TCX_NEXT)
}
