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

/// The polynomial, lowest power in the highest bit, as registers have it.
const POLYNOMIAL: u32 = 0xedb8_8320;
/// The power 0 of x, as registers have it.
const ONE: u32 = 1 << 31;
/// Where the identification begins in IPv4.
const IDENTIFICATION: usize = 4;
/// Eight bits less: x to the power of -8.
const BACK: u32 = {
    let (mut register, mut bit) = (ONE, 0);
    while bit < 8 {
        let carry = register >> 31;
        register = ((register ^ (carry * POLYNOMIAL)) << 1) | carry;
        bit += 1;
    }
    register
};

/// The product of two registers, modulo the polynomial.
const fn product(a: u32, mut b: u32) -> u32 {
    let (mut sum, mut bit) = (0, 0);
    while bit < 32 {
        sum ^= (a >> (31 - bit) & 1) * b;
        b = (b >> 1) ^ ((b & 1) * POLYNOMIAL);
        bit += 1;
    }
    sum
}

/// The IPv4 identification with which a packet has the ICRC `sent`; `None`: it has that with none. The one in `ip_udp` must be 0.
///
/// A receiver on a socket does not see the identification. The CRC is linear: two packets that differ in these two bytes alone have
/// ICRCs whose difference, taken back by as many bytes as follow, is these two bytes and 16 zeros. So 16 bits of the check are left.
pub fn identification(ip_udp: &[u8; IP_UDP_LEN], transport: &[u8], sent: [u8; ICRC_LEN]) -> Option<u16> {
    let difference = u32::from_le_bytes(icrc(ip_udp, transport)) ^ u32::from_le_bytes(sent);
    let (mut behind, mut power) = (IP_UDP_LEN - IDENTIFICATION + transport.len(), BACK);
    let mut register = difference;
    while behind > 0 {
        if behind & 1 == 1 {
            register = product(register, power);
        }
        power = product(power, power);
        behind >>= 1;
    }
    let [high, low, 0, 0] = register.to_le_bytes() else { return None };
    Some(u16::from_be_bytes([high, low]))
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

    proptest! {
        #[test]
        fn the_icrc_tells_the_identification(
            headers in any::<[u8; 28]>(),
            transport in proptest::collection::vec(any::<u8>(), 12..5000),
            number in any::<u16>(),
        ) {
            let mut sent = headers;
            sent[4..6].copy_from_slice(&number.to_be_bytes());
            let check = icrc(&sent, &transport);
            sent[4..6].fill(0);
            prop_assert_eq!(identification(&sent, &transport, check), Some(number));
        }

        #[test]
        fn an_icrc_that_no_identification_has_is_told(
            transport in proptest::collection::vec(any::<u8>(), 12..64),
            check in any::<[u8; 4]>(),
        ) {
            let mut headers = [0x45; 28];
            headers[4..6].fill(0);
            let found = identification(&headers, &transport, check);
            if let Some(number) = found {
                headers[4..6].copy_from_slice(&number.to_be_bytes());
            }
            prop_assert_eq!(found.is_some(), icrc(&headers, &transport) == check);
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
