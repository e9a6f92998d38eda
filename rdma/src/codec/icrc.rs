//! The invariant CRC: the CRC-32 of Ethernet over everything that no router changes (IBTA volume 1, 7.8.1 and annex A17.3).
//!
//! Eight bytes of ones stand for the local route header that RoCEv2 does not have. What a router may change counts as ones: type
//! of service, time to live and checksum of IPv4, the checksum of UDP, and the byte of the base transport header that has the
//! congestion bits.

use crc::{CRC_32_ISO_HDLC, Crc, Table};

/// Bytes of the ICRC.
pub const ICRC_LEN: usize = 4;
/// Bytes of IPv4 without options, and of UDP.
pub const IP_UDP_LEN: usize = 28;

static CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);

/// Bytes of IPv4 and UDP that count as ones.
const MASKED: [usize; 6] = [1, 8, 10, 11, 26, 27];
/// The byte of the base transport header that counts as ones.
const MASKED_BTH: usize = 4;

/// The ICRC of a packet, as the four bytes on the wire (least significant first).
///
/// `ip_udp` are the IPv4 and UDP headers as sent, lengths included; `transport` is all from the base transport header up to the
/// ICRC, pad included.
pub fn icrc(ip_udp: &[u8; IP_UDP_LEN], transport: &[u8]) -> [u8; ICRC_LEN] {
    let mut headers = *ip_udp;
    for at in MASKED {
        headers[at] = 0xff;
    }
    let mut digest = CRC.digest();
    digest.update(&[0xff; 8]);
    digest.update(&headers);
    match transport.split_at_checked(MASKED_BTH + 1) {
        Some((start, rest)) => {
            digest.update(&start[..MASKED_BTH]);
            digest.update(&[0xff]);
            digest.update(rest);
        }
        None => digest.update(transport),
    }
    digest.finalize().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A second way, slow and from the standard's words: each bit goes through the shift register of the polynomial
    /// x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1.
    fn bit_by_bit(ip_udp: &[u8; 28], transport: &[u8]) -> [u8; 4] {
        const TERMS: [u32; 14] = [26, 23, 22, 16, 12, 11, 10, 8, 7, 5, 4, 2, 1, 0];
        let mut bytes = [&[0xff; 8][..], ip_udp, transport].concat();
        // Offsets from the start of the eight bytes.
        for at in [8 + 1, 8 + 8, 8 + 10, 8 + 11, 8 + 20 + 6, 8 + 20 + 7, 8 + 28 + 4] {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = 0xff;
            }
        }
        let mut register = [true; 32];
        for bit in bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1 == 1)) {
            let out = register[31] != bit;
            register.copy_within(0..31, 1);
            register[0] = false;
            for term in TERMS {
                register[term as usize] ^= out;
            }
        }
        // The highest power leaves first, complemented, least significant bit of each byte first.
        let mut wire = [0; 4];
        for (i, bit) in register.iter().rev().enumerate() {
            wire[i / 8] |= u8::from(!bit) << (i % 8);
        }
        wire
    }

    proptest! {
        #[test]
        fn the_kept_crate_and_the_shift_register_agree(
            headers in any::<[u8; 28]>(),
            transport in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            prop_assert_eq!(icrc(&headers, &transport), bit_by_bit(&headers, &transport));
        }
    }

    #[test]
    fn only_what_routers_change_may_change() {
        let (headers, transport) = ([0x11; 28], [0x22; 40]);
        let sound = icrc(&headers, &transport);
        for at in 0..headers.len() + transport.len() {
            let (mut h, mut t) = (headers, transport);
            match at.checked_sub(headers.len()) {
                Some(at) => t[at] ^= 0x40,
                None => h[at] ^= 0x40,
            }
            let masked = [1, 8, 10, 11, 26, 27, 28 + 4].contains(&at);
            assert_eq!(icrc(&h, &t) == sound, masked, "byte {at}");
        }
    }
}
