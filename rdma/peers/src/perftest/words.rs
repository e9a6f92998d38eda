//! What perftest's programs say and are told, byte by byte.
use std::net::Ipv4Addr;

use mneme_rdma::codec::Psn;

/// Bytes of keys.
pub const KEYS: usize = 108;
/// READs and atomics that are served at a time.
const READS: u32 = 16;
/// Bytes of a number of a report.
const NUMBER: usize = 8;
/// Numbers of a report.
pub const NUMBERS: u8 = 5;

/// One side's keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keys {
    /// Its queue pair.
    pub qpn: u32,
    /// The number of its first packet.
    pub psn: Psn,
    /// Of its memory.
    pub rkey: u32,
    /// Where that begins.
    pub va: u64,
    /// Where the side is reached.
    pub address: Ipv4Addr,
}

impl Keys {
    /// What a message says; `None`: it is none, or has no GID of RoCEv2 over IPv4.
    pub fn parse(message: &[u8; KEYS]) -> Option<Keys> {
        let text = std::str::from_utf8(message.strip_suffix(b":\0")?).ok()?;
        let mut fields = text.split(':');
        let mut number = |digits: usize| {
            let field = fields.next().filter(|field| field.len() == digits)?;
            // A sign would pass as a digit.
            field.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u64::from_str_radix(field, 16).ok())?
        };
        let (_lid, _reads, qpn, psn) = (number(4)?, number(4)?, number(6)?, number(6)?);
        let (rkey, va) = (number(8)?, number(16)?);
        let mut gid = [0; 16];
        for byte in &mut gid {
            *byte = number(2)? as u8;
        }
        number(8)?;
        // A GID of RoCEv2 over IPv4 is the address, mapped (IBTA annex A17).
        let address = u32::try_from(u128::from_be_bytes(gid) ^ 0xffff << 32).ok()?.into();
        let (qpn, psn, rkey) = (qpn as u32, Psn::from_low_bits(psn as u32), rkey as u32);
        fields.next().is_none().then_some(Keys { qpn, psn, rkey, va, address })
    }
    /// The message, as long as the other side's.
    pub fn message(&self) -> String {
        let Keys { qpn, psn, rkey, va, address } = self;
        let gid = (0xffff_u128 << 32 | u128::from(u32::from(*address))).to_be_bytes();
        let gid = gid.map(|byte| format!("{byte:02x}")).join(":");
        format!("0000:{READS:04x}:{qpn:06x}:{:06x}:{rkey:08x}:{va:016x}:{gid}:00000000:\0", psn.number())
    }
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Version,
    CycleBuffer,
    CacheLine,
    Mtu,
    Keys,
    /// Keys, the first number of a report, or the end, by the first byte.
    Any,
    /// So many numbers are left.
    Report(u8),
    Done,
}

impl Next {
    pub const fn bytes(self) -> usize {
        match self {
            Next::Version => 16,
            Next::CycleBuffer | Next::CacheLine => 4,
            Next::Mtu => 2,
            Next::Keys => KEYS,
            Next::Any => 1,
            Next::Report(_) => NUMBER,
            Next::Done => 5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_perftest() {
        let text = b"0000:0001:00001a:ffe0b1:00000207:00007f5ac0a10000:\
            00:00:00:00:00:00:00:00:00:00:ff:ff:0a:5b:00:02:00000000:\0";
        let keys = Keys::parse(text).expect("keys");
        let address = Ipv4Addr::new(10, 91, 0, 2);
        let psn = Psn::from_low_bits(0xff_e0b1);
        assert_eq!(keys, Keys { qpn: 0x1a, psn, rkey: 0x207, va: 0x7f5a_c0a1_0000, address });
        let own = keys.message();
        let bytes: &[u8; KEYS] = own.as_bytes().try_into().expect("as long");
        assert_eq!(Keys::parse(bytes), Some(keys));
        // No digit, no colon, a sign, no zero behind; and an address of IPv6.
        for (at, byte) in [(12, b'!'), (16, b'0'), (5, b'+'), (KEYS - 1, b'x'), (50, b'f')] {
            let mut wrong = *text;
            wrong[at] = byte;
            assert_eq!(Keys::parse(&wrong), None, "byte {at}");
        }
    }
}
