//! How much of a message a packet carries (IBTA volume 1, 9.4.1).

/// Bytes of payload of a packet, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathMtu(u16);

impl PathMtu {
    /// The smallest: 256 bytes.
    pub const MIN: PathMtu = PathMtu(256);
    /// The largest: 4,096 bytes.
    pub const MAX: PathMtu = PathMtu(4096);

    /// 256, 512, 1024, 2048 or 4096; nothing else is a path MTU (IBTA volume 1, 9.4.1).
    pub const fn new(bytes: u16) -> Option<PathMtu> {
        match bytes {
            256 | 512 | 1024 | 2048 | 4096 => Some(PathMtu(bytes)),
            _ => None,
        }
    }
    /// The size of a code of the connection manager, 1 to 5.
    pub const fn from_code(code: u8) -> Option<PathMtu> {
        match code {
            1..=5 => Some(PathMtu(128 << code)),
            _ => None,
        }
    }
    /// The code of the connection manager: 1 for 256 bytes to 5 for 4,096.
    pub const fn code(self) -> u8 {
        self.0.ilog2() as u8 - 7
    }
    /// Bytes.
    pub const fn bytes(self) -> usize {
        self.0 as usize
    }
    /// Packets of a message; one even of an empty message.
    pub const fn packets(self, length: u32) -> u32 {
        if length == 0 { 1 } else { length.div_ceil(self.0 as u32) }
    }
}

impl Default for PathMtu {
    fn default() -> PathMtu {
        PathMtu::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::PathMtu;

    #[test]
    fn sizes_codes_and_counts_of_packets() {
        for code in 1..=5 {
            let mtu = PathMtu::from_code(code).expect("a code");
            assert_eq!((mtu.code(), PathMtu::new(mtu.bytes() as u16)), (code, Some(mtu)));
            let bytes = mtu.bytes() as u32;
            let packets = [0, 1, bytes, bytes + 1, 1 << 31].map(|length| mtu.packets(length));
            assert_eq!(packets, [1, 1, 1, 2, (1 << 31) / bytes]);
        }
        assert_eq!((PathMtu::from_code(0), PathMtu::from_code(6)), (None, None));
        assert!((0..u16::MAX).filter_map(PathMtu::new).count() == 5);
    }
}
