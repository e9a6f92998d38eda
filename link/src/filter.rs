//! Which frames a link sees: a classic BPF program that runs in the kernel.
use socket2::SockFilter;

/// Frames that a link hands on. All others stay in the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// ARP, and the UDP datagrams to one address and port: what a client needs.
    Port {
        /// The IPv4 address.
        ip: [u8; 4],
        /// The UDP port.
        port: u16,
    },
    /// ARP, and every IPv4 packet to one address but SCTP's: what a board needs, which answers echo requests too. Of frames
    /// that are longer than the interface's MTU allows, the port's datagrams alone.
    Host {
        /// The IPv4 address.
        ip: [u8; 4],
        /// The UDP port of the datagrams that must be fast.
        port: u16,
    },
}

impl Selection {
    /// The address.
    pub fn ip(&self) -> [u8; 4] {
        match *self {
            Selection::Port { ip, .. } | Selection::Host { ip, .. } => ip,
        }
    }
    /// The UDP port.
    pub fn port(&self) -> u16 {
        match *self {
            Selection::Port { port, .. } | Selection::Host { port, .. } => port,
        }
    }
    /// The program for a packet socket. Frames of more than `largest` bytes are several in one: of those a host is given the
    /// port's alone.
    pub(crate) fn program(&self, largest: usize) -> Vec<SockFilter> {
        match *self {
            Selection::Port { ip, port } => program(ip, port, true),
            Selection::Host { ip, port } => host(ip, port, largest),
        }
    }
    /// The program for the packet socket beside an AF_XDP socket, which takes the UDP port's datagrams away.
    pub(crate) fn program_beside_xdp(&self) -> Vec<SockFilter> {
        match *self {
            Selection::Port { .. } => arp_only(),
            Selection::Host { ip, port } => program(ip, port, false),
        }
    }
}

/// A program that takes nothing: for sockets that only hold a port.
pub(crate) fn nothing() -> Vec<SockFilter> {
    vec![SockFilter::new(RET, 0, 0, 0)]
}

const LD_HALF: u16 = (libc::BPF_LD | libc::BPF_H | libc::BPF_ABS) as u16;
const LD_BYTE: u16 = (libc::BPF_LD | libc::BPF_B | libc::BPF_ABS) as u16;
const LD_WORD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const LD_HALF_X: u16 = (libc::BPF_LD | libc::BPF_H | libc::BPF_IND) as u16;
const LD_LENGTH: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_LEN) as u16;
const LDX_HEADER: u16 = (libc::BPF_LDX | libc::BPF_B | libc::BPF_MSH) as u16;
const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_GREATER: u16 = (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16;
const JUMP_SET: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RET: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
/// Bytes of a frame that are handed on: all.
const WHOLE: u32 = 0x4_0000;

const ARP: u32 = 0x0806;
const IPV4: u32 = 0x0800;
const UDP: u32 = 17;
const SCTP: u32 = 132;
const FRAGMENT: u32 = 0x1fff;

fn arp_only() -> Vec<SockFilter> {
    of_type(ARP as u16)
}

/// A program that takes all frames of one EtherType.
pub(crate) fn of_type(ether_type: u16) -> Vec<SockFilter> {
    vec![
        SockFilter::new(LD_HALF, 0, 0, 12),
        SockFilter::new(JUMP_EQUAL, 0, 1, ether_type.into()),
        SockFilter::new(RET, 0, 0, WHOLE),
        SockFilter::new(RET, 0, 0, 0),
    ]
}

/// ARP and IPv4 to `ip`, but for SCTP, which the kernel joins and cannot describe; of frames that are longer than `largest`
/// only UDP datagrams to the port.
fn host(ip: [u8; 4], port: u16, largest: usize) -> Vec<SockFilter> {
    vec![
        SockFilter::new(LD_HALF, 0, 0, 12),
        SockFilter::new(JUMP_EQUAL, 14, 0, ARP),
        SockFilter::new(JUMP_EQUAL, 0, 14, IPV4),
        SockFilter::new(LD_WORD, 0, 0, 30),
        SockFilter::new(JUMP_EQUAL, 0, 12, u32::from_be_bytes(ip)),
        SockFilter::new(LD_BYTE, 0, 0, 23),
        SockFilter::new(JUMP_EQUAL, 10, 0, SCTP),
        SockFilter::new(LD_LENGTH, 0, 0, 0),
        SockFilter::new(JUMP_GREATER, 0, 7, largest as u32),
        SockFilter::new(LD_BYTE, 0, 0, 23),
        SockFilter::new(JUMP_EQUAL, 0, 6, UDP),
        SockFilter::new(LD_HALF, 0, 0, 20),
        SockFilter::new(JUMP_SET, 4, 0, FRAGMENT),
        SockFilter::new(LDX_HEADER, 0, 0, 14),
        SockFilter::new(LD_HALF_X, 0, 0, 16),
        SockFilter::new(JUMP_EQUAL, 0, 1, port.into()),
        SockFilter::new(RET, 0, 0, WHOLE),
        SockFilter::new(RET, 0, 0, 0),
    ]
}

/// ARP and IPv4 to `ip`: only the UDP datagrams to the port, if they are wanted, or all but those.
fn program(ip: [u8; 4], port: u16, wanted: bool) -> Vec<SockFilter> {
    let ip = u32::from_be_bytes(ip);
    let (hit, miss) = if wanted { (WHOLE, 0) } else { (0, WHOLE) };
    vec![
        SockFilter::new(LD_HALF, 0, 0, 12),
        SockFilter::new(JUMP_EQUAL, 12, 0, ARP),
        SockFilter::new(JUMP_EQUAL, 0, 12, IPV4),
        SockFilter::new(LD_WORD, 0, 0, 30),
        SockFilter::new(JUMP_EQUAL, 0, 10, ip),
        SockFilter::new(LD_BYTE, 0, 0, 23),
        SockFilter::new(JUMP_EQUAL, 0, 5, UDP),
        SockFilter::new(LD_HALF, 0, 0, 20),
        SockFilter::new(JUMP_SET, 3, 0, FRAGMENT),
        SockFilter::new(LDX_HEADER, 0, 0, 14),
        SockFilter::new(LD_HALF_X, 0, 0, 16),
        SockFilter::new(JUMP_EQUAL, 1, 0, port.into()),
        SockFilter::new(RET, 0, 0, miss),
        SockFilter::new(RET, 0, 0, hit),
        SockFilter::new(RET, 0, 0, WHOLE),
        SockFilter::new(RET, 0, 0, 0),
    ]
}
