//! What `ibv_rc_pingpong` says and is told: `LID:QPN:PSN:GID`, in hexadecimal digits (4, 6, 6 and 32) and with a zero byte behind.
use std::net::Ipv4Addr;

use mneme_rdma::codec::Psn;

/// Bytes of a side's word.
pub const WORD: usize = 52;

/// One side of a ping-pong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// Its queue pair.
    pub qpn: u32,
    /// The number of its first packet.
    pub psn: Psn,
    /// Where it is reached.
    pub address: Ipv4Addr,
}

impl Side {
    /// What a word says; `None`: it is none, or has no GID of RoCEv2 over IPv4.
    pub fn parse(word: &[u8; WORD]) -> Option<Side> {
        let text = std::str::from_utf8(word.strip_suffix(&[0])?).ok()?;
        let mut fields = text.split(':');
        let mut number = |digits: usize| {
            let field = fields.next().filter(|field| field.len() == digits)?;
            // A sign would pass as a digit.
            let all = field.bytes().all(|byte| byte.is_ascii_hexdigit());
            all.then(|| u128::from_str_radix(field, 16).ok())?
        };
        let (_lid, qpn, psn, gid) = (number(4)?, number(6)?, number(6)?, number(32)?);
        // A GID of RoCEv2 over IPv4 is the address, mapped (IBTA annex A17).
        let address = u32::try_from(gid ^ 0xffff << 32).ok()?;
        let (qpn, psn) = (qpn as u32, Psn::from_low_bits(psn as u32));
        fields.next().is_none().then_some(Side { qpn, psn, address: address.into() })
    }
    /// The word, of [`WORD`] bytes.
    pub fn word(&self) -> String {
        let gid = 0xffff << 32 | u128::from(u32::from(self.address));
        format!("0000:{:06x}:{:06x}:{gid:032x}\0", self.qpn, self.psn.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_rdma_core() {
        let text = b"0000:00001a:ffe0b1:00000000000000000000ffff0a000201\0";
        let side = Side::parse(text).expect("a word");
        let address = Ipv4Addr::new(10, 0, 2, 1);
        assert_eq!(side, Side { qpn: 0x1a, psn: Psn::from_low_bits(0xff_e0b1), address });
        assert_eq!(side.word().as_bytes(), text);
        for wrong in [
            // An address of IPv6, no zero behind, no digits, a sign, a field that is short by one.
            b"0000:00001a:ffe0b1:fe800000000000000000ffff0a000201\0",
            b"0000:00001a:ffe0b1:00000000000000000000ffff0a000201x",
            b"0000:0000!a:ffe0b1:00000000000000000000ffff0a000201\0",
            b"0000:+0001a:ffe0b1:00000000000000000000ffff0a000201\0",
            b"0000:0001a:ffe0b1:000000000000000000000ffff0a000201\0",
        ] {
            assert_eq!(Side::parse(wrong), None, "{}", String::from_utf8_lossy(wrong));
        }
    }
}
