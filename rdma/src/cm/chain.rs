//! What a chain's connection has in its private data behind [`Ask`](super::Ask) and [`Granted`](super::Granted). Numbers are
//! little-endian.
//!
//! | REQ | bytes | | REP | bytes |
//! |---|---|---|---|---|
//! | options: 1 immediate, 2 signal, 4 "not stored" told, 8 hardened | 1 | | the address of the first entry | 8 |
//! | pairs of the profile | 1 | | entries | 4 |
//! | a byte a pair: field in bits 2:0, a skip's bytes ÷ 4 in bits 7:3 | 10 | | zeros | 4 |
//! | | | | the secret that messages must have | 8 |
use super::private::{ASK_LEN, GRANT_LEN, Refusal};
use crate::codec::profile::{Chain, Field, Profile};
use crate::node::ReplyOptions;

/// Pairs that a request has room for.
const PAIRS: usize = 10;
/// Bytes of a request's private data, those of the ask included.
pub const CHAIN_ASK_LEN: usize = ASK_LEN + 2 + PAIRS;
/// Bytes of a reply's private data, those of the grant included.
pub const CHAIN_GRANT_LEN: usize = GRANT_LEN + 24;
/// The fields by their numbers.
const FIELDS: [Field; 8] = [
    Field::Skip,
    Field::TtAddr,
    Field::Buffer,
    Field::Signal,
    Field::Magic,
    Field::Rkey,
    Field::Key,
    Field::Page,
];

/// How a chain's messages look, and how it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainAsk {
    /// Function and layout.
    pub profile: Profile,
    /// How it answers.
    pub options: ReplyOptions,
    /// What would end the queue pair is dropped instead.
    pub hardened: bool,
}

impl ChainAsk {
    /// The profile of a client that names none, answered as the paper's node does.
    pub fn default_of(chain: Chain) -> ChainAsk {
        ChainAsk { profile: Profile::default_of(chain), options: ReplyOptions::default(), hardened: false }
    }
    /// Writes it; `None`: the profile has more than 10 pairs, or a skip of other than 4 to 124 bytes, a multiple of 4.
    pub fn to_bytes(&self) -> Option<[u8; 2 + PAIRS]> {
        let mut bytes = [0; 2 + PAIRS];
        let ReplyOptions { immediate, signal, tell_empty } = self.options;
        bytes[0] = u8::from(immediate) | u8::from(signal) << 1 | u8::from(tell_empty) << 2;
        bytes[0] |= u8::from(self.hardened) << 3;
        let pairs = self.profile.pairs();
        bytes[1] = pairs.len() as u8;
        for (at, (length, field)) in pairs.iter().enumerate() {
            let place = bytes.get_mut(2 + at)?;
            *place = *field as u8;
            if *field == Field::Skip {
                let words = u8::try_from(length / 4).ok().filter(|words| *words < 32 && length % 4 == 0)?;
                *place |= words << 3;
            }
        }
        Some(bytes)
    }
    /// Reads it from private data, behind the ask.
    ///
    /// # Errors
    /// [`Refusal::Malformed`].
    pub fn parse(chain: Chain, private: &[u8]) -> Result<ChainAsk, Refusal> {
        let bytes = private.get(ASK_LEN..CHAIN_ASK_LEN).ok_or(Refusal::Malformed)?;
        let (count, all) = (usize::from(bytes[1]), &bytes[2..]);
        if bytes[0] >= 16 || count > PAIRS || all[count..].iter().any(|byte| *byte != 0) {
            return Err(Refusal::Malformed);
        }
        let pair = |byte: &u8| {
            let (field, words) = (FIELDS[usize::from(byte & 7)], u16::from(byte >> 3));
            match field.bytes() {
                Some(bytes) if words == 0 => Ok((bytes, field)),
                None if words > 0 => Ok((4 * words, field)),
                _ => Err(Refusal::Malformed),
            }
        };
        let pairs = all[..count].iter().map(pair).collect::<Result<Vec<_>, _>>()?;
        let profile = Profile::new(chain, &pairs).map_err(|_| Refusal::Malformed)?;
        let option = |bit: u8| bytes[0] >> bit & 1 == 1;
        let options = ReplyOptions { immediate: option(0), signal: option(1), tell_empty: option(2) };
        Ok(ChainAsk { profile, options, hardened: option(3) })
    }
}

/// What a chain's client is granted besides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChainGrant {
    /// The address that stands for the table's first entry.
    pub tt_base: u64,
    /// Entries.
    pub entries: u32,
    /// The secret that messages must have whose profile has one.
    pub key: u64,
}

impl std::fmt::Debug for ChainGrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ChainGrant { tt_base, entries, .. } = self;
        f.debug_struct("ChainGrant")
            .field("tt_base", tt_base)
            .field("entries", entries)
            .finish_non_exhaustive()
    }
}

impl ChainGrant {
    /// Writes it.
    pub fn to_bytes(&self) -> [u8; CHAIN_GRANT_LEN - GRANT_LEN] {
        let mut bytes = [0; CHAIN_GRANT_LEN - GRANT_LEN];
        bytes[..8].copy_from_slice(&self.tt_base.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.entries.to_le_bytes());
        bytes[16..].copy_from_slice(&self.key.to_le_bytes());
        bytes
    }
    /// Reads it from private data, behind the grant; `None`: it is something else.
    pub fn parse(private: &[u8]) -> Option<ChainGrant> {
        let bytes = private.get(GRANT_LEN..CHAIN_GRANT_LEN)?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        Some(ChainGrant {
            tt_base: number(&bytes[..8]),
            entries: number(&bytes[8..12]) as u32,
            key: number(&bytes[16..]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn private(ask: &ChainAsk) -> Vec<u8> {
        let mut bytes = vec![0xee; ASK_LEN];
        bytes.extend(ask.to_bytes().expect("it fits"));
        bytes
    }

    #[test]
    fn what_a_chain_asks_for_is_read_as_it_was_written() {
        for chain in Chain::ALL {
            let options = ReplyOptions { immediate: true, signal: false, tell_empty: true };
            let ask = ChainAsk { options, hardened: true, ..ChainAsk::default_of(chain) };
            let bytes = private(&ask);
            assert_eq!(bytes[ASK_LEN], 0b1101);
            assert_eq!(ChainAsk::parse(chain, &bytes), Ok(ask));
        }
        let needed = [(8, Field::TtAddr), (8, Field::Buffer), (4, Field::Rkey)];
        let mut pairs = needed.to_vec();
        pairs.extend([(124, Field::Skip); 7]);
        let ask = |pairs: &[(u16, Field)]| {
            let profile = Profile::new(Chain::Load, pairs).expect("a profile");
            ChainAsk { profile, ..ChainAsk::default_of(Chain::Load) }
        };
        assert_eq!(ChainAsk::parse(Chain::Load, &private(&ask(&pairs))), Ok(ask(&pairs)));
        for odd in [(6, Field::Skip), (128, Field::Skip)] {
            assert_eq!(ask(&[&needed[..], &[odd]].concat()).to_bytes(), None, "{odd:?}");
        }
        pairs.push((4, Field::Skip));
        assert_eq!(ask(&pairs).to_bytes(), None, "11 pairs");
        let grant = ChainGrant { tt_base: 1 << 60, entries: 7, key: u64::MAX - 1 };
        let bytes = [&[0; GRANT_LEN][..], &grant.to_bytes()].concat();
        assert_eq!((ChainGrant::parse(&bytes), ChainGrant::parse(&bytes[1..])), (Some(grant), None));
        assert!(!format!("{grant:?}").contains("184467"), "a secret is not for logs");
    }

    #[test]
    fn what_cannot_be_a_chain_is_refused() {
        let good = private(&ChainAsk::default_of(Chain::MappedStore));
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[ASK_LEN + at] = byte;
            ChainAsk::parse(Chain::MappedStore, &bytes)
        };
        assert_eq!(with(0, 16), Err(Refusal::Malformed), "an option that nobody knows");
        assert_eq!(with(1, 11), Err(Refusal::Malformed));
        assert_eq!(with(1, 7), Err(Refusal::Malformed), "a pair behind the last");
        assert_eq!(with(2, 0b1001), Err(Refusal::Malformed), "a field of another length");
        assert_eq!(with(5, 0), Err(Refusal::Malformed), "a skip of nothing");
        assert_eq!(ChainAsk::parse(Chain::Load, &good), Err(Refusal::Malformed), "another function's");
        assert_eq!(ChainAsk::parse(Chain::MappedStore, &good[..CHAIN_ASK_LEN - 1]), Err(Refusal::Malformed));
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 40..70)) {
            for chain in Chain::ALL {
                if let Ok(ask) = ChainAsk::parse(chain, &bytes) {
                    let written = ask.to_bytes();
                    prop_assert_eq!(written.as_ref().map(|own| &own[..]), bytes.get(ASK_LEN..CHAIN_ASK_LEN));
                }
            }
            let _ = ChainGrant::parse(&bytes);
        }
    }
}
