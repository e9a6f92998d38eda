//! Seeded messages of chains for the hardware that takes their arguments out, as text: profile, message, and what the golden model
//! reads.
//!
//! A line is a message. Its words, of which numbers are hexadecimal:
//!
//! | word | what |
//! |---|---|
//! | 1 | the profile's pairs, `bytes:field` with a field's number, joined by commas |
//! | 2, 3, 4 | whether there is a secret (1), the secret, the address of the table's first entry |
//! | 5 | the message's bytes up to the end of the beat of 64 in which its last argument ends |
//! | 6, 7, 8 | whether the secret is wrong; whether the page is no number of 18 bits; the page |
//! | 9 … 12 | buffer, signal, magic as eight bytes in their order, rkey; `-`: it has none |
use std::fmt::Write as _;

use mneme_rdma::codec::profile::{Arguments, Chain, Field, PAGE, Profile};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Messages that are kept beside the hardware's bench.
pub const FIELD_MESSAGES: u64 = 300;

/// Numbers of pages in the hardware of the bench have so many bits.
const PAGE_BITS: u32 = 18;
/// Bytes of a beat.
const BEAT: usize = 64;

fn profile(rng: &mut ChaCha8Rng) -> Profile {
    let chain = Chain::ALL[rng.random_range(0..4)];
    let needed: &[Field] = match chain {
        Chain::Load => &[Field::TtAddr, Field::Buffer, Field::Rkey],
        Chain::Invalidate => &[Field::TtAddr],
        _ => &[Field::TtAddr, Field::Signal, Field::Magic, Field::Rkey],
    };
    let all = [Field::TtAddr, Field::Buffer, Field::Signal, Field::Magic, Field::Rkey, Field::Key];
    let mut list: Vec<(u16, Field)> = all
        .into_iter()
        .filter(|field| needed.contains(field) || rng.random_bool(0.5))
        .map(|field| (field.bytes().unwrap_or(0), field))
        .collect();
    // Half have arguments at odd places, and some far from each other.
    for _ in 0..if rng.random_bool(0.5) { rng.random_range(0..8) } else { 0 } {
        let most = if rng.random_bool(0.1) { 500 } else { 40 };
        list.push((rng.random_range(1..=most), Field::Skip));
    }
    list.shuffle(rng);
    if chain.stores() {
        list.push((PAGE as u16, Field::Page));
    }
    Profile::new(chain, &list).expect("a legal profile")
}

/// Messages of the seeds from `first` on.
pub fn field_vectors(first: u64, count: u64) -> String {
    let mut text = String::new();
    for seed in first..first + count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let profile = profile(&mut rng);
        let base = rng.random::<u64>() & !7;
        let tt_addr = match rng.random_range(0..10) {
            0 => rng.random(),
            1 => base.wrapping_sub(rng.random_range(0..16)),
            2 => base.wrapping_add(8 << PAGE_BITS).wrapping_sub(rng.random_range(0..16)),
            _ => base.wrapping_add(rng.random_range(0..8 << PAGE_BITS)),
        };
        let (keyed, key) = (profile.has_key() && rng.random_bool(0.7), rng.random::<u64>());
        let other = if rng.random_bool(0.4) { key ^ 1 << rng.random_range(0..64) } else { key };
        let page: Vec<u8> = (0..PAGE).map(|_| rng.random()).collect();
        let given = Arguments {
            tt_addr,
            buffer: Some(rng.random()),
            signal: Some(rng.random()),
            magic: Some(rng.random()),
            rkey: Some(rng.random()),
            key: Some(other),
            page: Some(&page),
        };
        let mut message = vec![0; profile.message_len()];
        let _ = profile.write(&given, &mut message).expect("it has room");
        // What nobody looks at is anything.
        let (mut at, mut end) = (0, 0);
        let mut pairs = Vec::new();
        for &(bytes, field) in profile.pairs() {
            let next = at + usize::from(bytes);
            match field {
                Field::Skip => rng.fill(&mut message[at..next]),
                Field::Page => {}
                _ => end = next,
            }
            at = next;
            pairs.push(format!("{bytes:x}:{:x}", field as u8));
        }
        let read = profile.read(&message).expect("its own message");
        let mut beats = message.clone();
        beats.resize(end.div_ceil(BEAT) * BEAT, 0);
        let bytes = beats.iter().fold(String::new(), |mut hex, byte| {
            // A string takes everything.
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let wrong = keyed && read.key != Some(key);
        let number = (read.tt_addr & !7).checked_sub(base).map(|offset| offset / 8);
        let number = number.filter(|page| page >> PAGE_BITS == 0);
        let or = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        let hex = |value: Option<u64>| or(value.map(|value| format!("{value:x}")));
        let magic = read.magic.map(u64::from_be_bytes);
        let _ = writeln!(
            text,
            "{} {} {key:x} {base:x} {bytes} {} {} {:x} {} {} {} {}",
            pairs.join(","),
            u8::from(keyed),
            u8::from(wrong),
            u8::from(number.is_none()),
            number.unwrap_or(0),
            hex(read.buffer),
            hex(read.signal),
            or(magic.map(|magic| format!("{magic:016x}"))),
            hex(read.rkey.map(u64::from)),
        );
    }
    text
}
