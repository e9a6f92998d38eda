//! ODRP's SENDs: which bytes of a message are which argument.
//!
//! The paper's node posts a RECV whose scatter list drops each argument into a field of a later work request (§4.3, §4.4), and
//! prints no positions. So positions are data here: a profile is that list, up to 16 pairs of (bytes, field).

use super::PathMtu;

/// An argument of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Field {
    /// Bytes that the node does not look at: indices and doorbells of the paper's work requests, or zeros.
    Skip = 0,
    /// The address of the table's entry, 8 bytes, big-endian.
    TtAddr = 1,
    /// Where a loaded page goes in the client's memory, 8 bytes, big-endian.
    Buffer = 2,
    /// Where the magic goes in the client's memory, 8 bytes, big-endian.
    Signal = 3,
    /// What is written to the signal address, 8 bytes, written as they came.
    Magic = 4,
    /// The client's key for buffer and signal, 4 bytes, big-endian.
    Rkey = 5,
    /// The connection's secret, 8 bytes, big-endian.
    Key = 6,
    /// The page, 4,096 bytes. Last.
    Page = 7,
}

/// Bytes of a page.
pub const PAGE: usize = 4096;
/// Pairs of a profile, at most.
pub const MAX_PAIRS: usize = 16;

impl Field {
    const ALL: [Field; 8] = [
        Field::Skip,
        Field::TtAddr,
        Field::Buffer,
        Field::Signal,
        Field::Magic,
        Field::Rkey,
        Field::Key,
        Field::Page,
    ];

    /// The bytes that the field must have; `None`: any number from 1 on.
    pub const fn bytes(self) -> Option<u16> {
        match self {
            Field::Skip => None,
            Field::TtAddr | Field::Buffer | Field::Signal | Field::Magic | Field::Key => Some(8),
            Field::Rkey => Some(4),
            Field::Page => Some(PAGE as u16),
        }
    }
}

/// The four chains of the paper (§4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Chain {
    /// Gives the page back.
    Load,
    /// Writes a page that is mapped.
    MappedStore,
    /// Takes a page, maps and writes it.
    UnmappedStore,
    /// Gives a page up.
    Invalidate,
}

impl Chain {
    /// The four.
    pub const ALL: [Chain; 4] = [Chain::Load, Chain::MappedStore, Chain::UnmappedStore, Chain::Invalidate];

    /// Whether its SEND has the page.
    pub const fn stores(self) -> bool {
        matches!(self, Chain::MappedStore | Chain::UnmappedStore)
    }
}

/// Why a list of pairs is no profile, or bytes are no message of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// No pair, or more than 16.
    #[error("{0} pairs: a profile has 1 to 16")]
    Pairs(usize),
    /// The bytes of a pair are not those of its field.
    #[error("{field:?} cannot have {bytes} bytes")]
    Bytes {
        /// The field.
        field: Field,
        /// Its bytes in the list.
        bytes: u16,
    },
    /// A field twice.
    #[error("{0:?} appears twice")]
    Twice(Field),
    /// A page before another field.
    #[error("{0:?} comes after the page, which must be last")]
    AfterPage(Field),
    /// The chain cannot do without it.
    #[error("a profile of {chain:?} needs {field:?}")]
    Needs {
        /// The chain.
        chain: Chain,
        /// The field.
        field: Field,
    },
    /// The chain has no use for a page.
    #[error("{0:?} takes no page")]
    NoPage(Chain),
    /// The number of a field is not known.
    #[error("field number {0} is not known")]
    Number(u8),
    /// Bytes of a list that are no whole pairs.
    #[error("{0} bytes are no list of pairs of 3 bytes")]
    List(usize),
    /// A message of another length.
    #[error("a message of {has} bytes where the profile has {needs}")]
    Length {
        /// The profile's bytes.
        needs: usize,
        /// The message's.
        has: usize,
    },
    /// The writer was given no page, or one of another length.
    #[error("a page of {0} bytes, not of 4,096")]
    Page(usize),
}

/// A checked list of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    chain: Chain,
    pairs: [(u16, Field); MAX_PAIRS],
    count: usize,
}

/// The arguments of one SEND. What a profile does not have is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arguments<'a> {
    /// The address of the table's entry; its low three bits mean nothing.
    pub tt_addr: u64,
    /// Where a loaded page goes.
    pub buffer: Option<u64>,
    /// Where the magic goes.
    pub signal: Option<u64>,
    /// The magic, as the client's memory will hold it.
    pub magic: Option<[u8; 8]>,
    /// The client's key.
    pub rkey: Option<u32>,
    /// The connection's secret.
    pub key: Option<u64>,
    /// The page to store.
    pub page: Option<&'a [u8]>,
}

impl Profile {
    /// Checks a list of (bytes, field).
    ///
    /// # Errors
    /// Every [`ProfileError`] but those of lists and messages.
    pub fn new(chain: Chain, list: &[(u16, Field)]) -> Result<Profile, ProfileError> {
        if list.is_empty() || list.len() > MAX_PAIRS {
            return Err(ProfileError::Pairs(list.len()));
        }
        let has = |field| list.iter().any(|pair| pair.1 == field);
        for (i, &(bytes, field)) in list.iter().enumerate() {
            if bytes == 0 || field.bytes().is_some_and(|needs| needs != bytes) {
                return Err(ProfileError::Bytes { field, bytes });
            }
            let before = &list[..i];
            if before.iter().any(|pair| pair.1 == Field::Page) {
                return Err(ProfileError::AfterPage(field));
            }
            if field != Field::Skip && before.iter().any(|pair| pair.1 == field) {
                return Err(ProfileError::Twice(field));
            }
        }
        let needed: &[Field] = match chain {
            Chain::Load => &[Field::TtAddr, Field::Buffer, Field::Rkey],
            Chain::MappedStore | Chain::UnmappedStore => {
                &[Field::TtAddr, Field::Signal, Field::Magic, Field::Rkey, Field::Page]
            }
            Chain::Invalidate => &[Field::TtAddr],
        };
        if let Some(&field) = needed.iter().find(|field| !has(**field)) {
            return Err(ProfileError::Needs { chain, field });
        }
        if has(Field::Page) && !chain.stores() {
            return Err(ProfileError::NoPage(chain));
        }
        let mut pairs = [(0, Field::Skip); MAX_PAIRS];
        pairs[..list.len()].copy_from_slice(list);
        Ok(Profile { chain, pairs, count: list.len() })
    }

    /// The profile of a client that names none: 64 bytes of arguments, then the page for stores.
    pub fn default_of(chain: Chain) -> Profile {
        let place = if chain == Chain::Load { Field::Buffer } else { Field::Signal };
        let mut pairs = [(0, Field::Skip); MAX_PAIRS];
        let list = [
            (8, Field::TtAddr),
            (8, place),
            (4, Field::Rkey),
            (4, Field::Skip),
            (8, Field::Magic),
            (8, Field::Key),
            (24, Field::Skip),
            (PAGE as u16, Field::Page),
        ];
        let count = if chain.stores() { list.len() } else { list.len() - 1 };
        pairs[..count].copy_from_slice(&list[..count]);
        Profile { chain, pairs, count }
    }

    /// The chain that it is of.
    pub const fn chain(&self) -> Chain {
        self.chain
    }
    /// The pairs.
    pub fn pairs(&self) -> &[(u16, Field)] {
        &self.pairs[..self.count]
    }
    /// Whether its messages have the connection's secret.
    pub fn has_key(&self) -> bool {
        self.pairs().iter().any(|pair| pair.1 == Field::Key)
    }
    /// Bytes of a SEND.
    pub fn message_len(&self) -> usize {
        self.pairs().iter().map(|pair| usize::from(pair.0)).sum()
    }
    /// Bytes of a SEND up to the end of its last argument; a page is none.
    pub fn arguments_len(&self) -> usize {
        let (mut at, mut end) = (0, 0);
        for &(bytes, field) in self.pairs() {
            at += usize::from(bytes);
            if !matches!(field, Field::Skip | Field::Page) {
                end = at;
            }
        }
        end
    }
    /// Whether hardware takes its SENDs in packets of this path MTU: all arguments come in the first packet, and what has no page
    /// is one packet.
    pub fn suits(&self, path_mtu: PathMtu) -> bool {
        let most = path_mtu.bytes();
        self.arguments_len() <= most && (self.chain.stores() || self.message_len() <= most)
    }

    /// Reads the list from a connection request's private data: three bytes a pair, the field's number and the bytes, big-endian.
    ///
    /// # Errors
    /// As [`Profile::new`], and [`ProfileError::List`], [`ProfileError::Number`].
    pub fn from_list(chain: Chain, bytes: &[u8]) -> Result<Profile, ProfileError> {
        if !bytes.len().is_multiple_of(3) {
            return Err(ProfileError::List(bytes.len()));
        }
        if bytes.len() / 3 > MAX_PAIRS {
            return Err(ProfileError::Pairs(bytes.len() / 3));
        }
        let mut pairs = [(0, Field::Skip); MAX_PAIRS];
        for (pair, b) in pairs.iter_mut().zip(bytes.chunks_exact(3)) {
            let field = Field::ALL.get(usize::from(b[0])).ok_or(ProfileError::Number(b[0]))?;
            *pair = (u16::from_be_bytes([b[1], b[2]]), *field);
        }
        Profile::new(chain, &pairs[..bytes.len() / 3])
    }
    /// Writes the list that [`Profile::from_list`] reads. Answers its bytes.
    pub fn to_list(&self) -> ([u8; 3 * MAX_PAIRS], usize) {
        let mut list = [0; 3 * MAX_PAIRS];
        for (to, (bytes, field)) in list.chunks_exact_mut(3).zip(self.pairs()) {
            to[0] = *field as u8;
            to[1..].copy_from_slice(&bytes.to_be_bytes());
        }
        (list, 3 * self.count)
    }

    /// Reads a SEND.
    ///
    /// # Errors
    /// [`ProfileError::Length`]: a message of another length is no message of the profile.
    pub fn read<'a>(&self, message: &'a [u8]) -> Result<Arguments<'a>, ProfileError> {
        let needs = self.message_len();
        if message.len() != needs {
            return Err(ProfileError::Length { needs, has: message.len() });
        }
        let mut all = Arguments::default();
        let mut rest = message;
        for &(bytes, field) in self.pairs() {
            let (now, later) = rest.split_at(usize::from(bytes));
            rest = later;
            let number = || now.iter().take(8).fold(0, |n, byte| n << 8 | u64::from(*byte));
            match field {
                Field::Skip => {}
                Field::TtAddr => all.tt_addr = number(),
                Field::Buffer => all.buffer = Some(number()),
                Field::Signal => all.signal = Some(number()),
                Field::Magic => all.magic = now.first_chunk().copied(),
                Field::Rkey => all.rkey = Some(number() as u32),
                Field::Key => all.key = Some(number()),
                Field::Page => all.page = Some(now),
            }
        }
        Ok(all)
    }

    /// Writes a SEND into the front of `to`; an argument that is not given is zeros, and so are the bytes that nobody looks at.
    /// Answers its length.
    ///
    /// # Errors
    /// [`ProfileError::Length`] when `to` is shorter than the message, [`ProfileError::Page`].
    pub fn write(&self, arguments: &Arguments<'_>, to: &mut [u8]) -> Result<usize, ProfileError> {
        let (needs, has) = (self.message_len(), to.len());
        let mut rest = to.get_mut(..needs).ok_or(ProfileError::Length { needs, has })?;
        for &(bytes, field) in self.pairs() {
            let (now, later) = rest.split_at_mut(usize::from(bytes));
            rest = later;
            now.fill(0);
            match field {
                Field::Skip => {}
                Field::TtAddr => now.copy_from_slice(&arguments.tt_addr.to_be_bytes()),
                Field::Buffer => now.copy_from_slice(&arguments.buffer.unwrap_or(0).to_be_bytes()),
                Field::Signal => now.copy_from_slice(&arguments.signal.unwrap_or(0).to_be_bytes()),
                Field::Magic => now.copy_from_slice(&arguments.magic.unwrap_or_default()),
                Field::Rkey => now.copy_from_slice(&arguments.rkey.unwrap_or(0).to_be_bytes()),
                Field::Key => now.copy_from_slice(&arguments.key.unwrap_or(0).to_be_bytes()),
                Field::Page => {
                    let page = arguments.page.filter(|page| page.len() == PAGE);
                    let page = page.ok_or(ProfileError::Page(arguments.page.map_or(0, <[u8]>::len)))?;
                    now.copy_from_slice(page);
                }
            }
        }
        Ok(needs)
    }
}
