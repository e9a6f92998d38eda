//! The messages that make and end a connection (IBTA volume 1, 12.6.5 to 12.6.12).

use super::{HEADER, MAD_LEN, MadError, Request, get, put, put_private};
use crate::codec::Psn;

/// The two sides' numbers of a connection. `local` is the sender's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pair {
    /// The sender's number.
    pub local: u32,
    /// The receiver's number.
    pub remote: u32,
}

/// Accepts a connection (12.6.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reply<'a> {
    /// Numbers of the connection.
    pub ids: Pair,
    /// The sender's queue key, for datagrams.
    pub qkey: u32,
    /// The sender's queue pair, 24 bits.
    pub qpn: u32,
    /// Where the receiver of this message starts to number.
    pub starting_psn: Psn,
    /// READs and atomics that the sender serves at a time.
    pub responder_resources: u8,
    /// READs and atomics that the sender asks for at a time.
    pub initiator_depth: u8,
    /// The longest that the sender takes to acknowledge, as a power of two of 4.096 µs, 0 to 31.
    pub ack_delay: u8,
    /// Whether an alternate path is taken, 0 to 3.
    pub failover: u8,
    /// The sender counts credits.
    pub flow_control: bool,
    /// How often the receiver repeats after "not ready", 0 to 7; 7 means for ever.
    pub rnr_retry: u8,
    /// The queue pair has a shared receive queue.
    pub shared_receive: bool,
    /// The sender's number among all adapters.
    pub ca_guid: u64,
    /// Up to 196 bytes; 196 when read.
    pub private: &'a [u8],
}

/// A message of the connection manager. Private data is as long as the message has room for when read, and may be shorter when
/// written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// Asks for a connection.
    Request(Request<'a>),
    /// "Wait" (12.6.6).
    Acknowledge {
        /// Numbers of the connection.
        ids: Pair,
        /// What is acknowledged: 0 a request, 1 a reply, 2 a load of a path.
        which: u8,
        /// How long the sender may take, as a power of two of 4.096 µs, 0 to 31.
        timeout: u8,
        /// Up to 222 bytes.
        private: &'a [u8],
    },
    /// Refuses (12.6.7).
    Reject {
        /// Numbers of the connection.
        ids: Pair,
        /// What is refused: 0 a request, 1 a reply, 2 none of them.
        which: u8,
        /// Bytes of `information` that mean something, 0 to 72.
        length: u8,
        /// The reason: 8 no such service, 28 the consumer's own, and more in table 108.
        reason: u16,
        /// What would have been accepted; 72 bytes when read.
        information: &'a [u8],
        /// Up to 148 bytes.
        private: &'a [u8],
    },
    /// Accepts.
    Reply(Reply<'a>),
    /// The reply has come (12.6.9).
    ReadyToUse {
        /// Numbers of the connection.
        ids: Pair,
        /// Up to 224 bytes.
        private: &'a [u8],
    },
    /// Ends a connection (12.6.10).
    DisconnectRequest {
        /// Numbers of the connection.
        ids: Pair,
        /// The receiver's queue pair, 24 bits.
        remote_qpn: u32,
        /// Up to 220 bytes.
        private: &'a [u8],
    },
    /// It has ended (12.6.11).
    DisconnectReply {
        /// Numbers of the connection.
        ids: Pair,
        /// Up to 224 bytes.
        private: &'a [u8],
    },
}

/// A management datagram of the connection manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mad<'a> {
    /// The status, 0 in what the connection manager sends.
    pub status: u16,
    /// The number that ties a message to its answer.
    pub transaction: u64,
    /// The message.
    pub message: Message<'a>,
}

impl<'a> Mad<'a> {
    /// Reads the payload of a UD SEND to queue pair 1.
    ///
    /// # Errors
    /// Every [`MadError`] but [`MadError::Private`].
    pub fn parse(bytes: &'a [u8]) -> Result<Mad<'a>, MadError> {
        let length = MadError::Length(bytes.len());
        let (head, data) = bytes.split_first_chunk::<HEADER>().ok_or(length)?;
        let data: &[u8; MAD_LEN - HEADER] = data.try_into().map_err(|_| length)?;
        match head[..4] {
            [1, 7, 2, 3] => {}
            [1, 7, 2, method] => return Err(MadError::Method(method)),
            [1, 7, version, _] => return Err(MadError::ClassVersion(version)),
            [1, class, ..] => return Err(MadError::Class(class)),
            [version, ..] => return Err(MadError::BaseVersion(version)),
            [] => return Err(length),
        }
        let message = Message::parse(get(head, 16, 2) as u16, data)?;
        Ok(Mad { status: get(head, 4, 2) as u16, transaction: get(head, 8, 8), message })
    }
}

impl<'a> Message<'a> {
    /// The attribute that names the message.
    pub const fn attribute(&self) -> u16 {
        match self {
            Message::Request(_) => 0x10,
            Message::Acknowledge { .. } => 0x11,
            Message::Reject { .. } => 0x12,
            Message::Reply(_) => 0x13,
            Message::ReadyToUse { .. } => 0x14,
            Message::DisconnectRequest { .. } => 0x15,
            Message::DisconnectReply { .. } => 0x16,
        }
    }

    fn parse(attribute: u16, d: &'a [u8; MAD_LEN - HEADER]) -> Result<Message<'a>, MadError> {
        let ids = Pair { local: get(d, 0, 4) as u32, remote: get(d, 4, 4) as u32 };
        Ok(match attribute {
            0x10 => Message::Request(Request::parse(d)?),
            0x11 => Message::Acknowledge { ids, which: d[8] >> 6, timeout: d[9] >> 3, private: &d[10..] },
            0x12 => Message::Reject {
                ids,
                which: d[8] >> 6,
                length: d[9] >> 1,
                reason: get(d, 10, 2) as u16,
                information: &d[12..84],
                private: &d[84..],
            },
            0x13 => Message::Reply(Reply::parse(ids, d)),
            0x14 => Message::ReadyToUse { ids, private: &d[8..] },
            0x15 => Message::DisconnectRequest { ids, remote_qpn: get(d, 8, 3) as u32, private: &d[12..] },
            0x16 => Message::DisconnectReply { ids, private: &d[8..] },
            other => return Err(MadError::Attribute(other)),
        })
    }

    /// Writes the message as a whole datagram with status 0.
    ///
    /// # Errors
    /// [`MadError::Private`].
    pub fn to_bytes(&self, transaction: u64) -> Result<[u8; MAD_LEN], MadError> {
        let mut bytes = [0; MAD_LEN];
        bytes[..4].copy_from_slice(&[1, 7, 2, 3]);
        put(&mut bytes, 8, 8, transaction);
        put(&mut bytes, 16, 2, self.attribute().into());
        self.write(&mut bytes[HEADER..])?;
        Ok(bytes)
    }

    fn write(&self, d: &mut [u8]) -> Result<(), MadError> {
        let put_ids = |d: &mut [u8], ids: &Pair| {
            put(d, 0, 4, ids.local.into());
            put(d, 4, 4, ids.remote.into());
        };
        match self {
            Message::Request(request) => request.write(d),
            Message::Acknowledge { ids, which, timeout, private } => {
                put_ids(d, ids);
                d[8] = which << 6;
                d[9] = timeout << 3;
                put_private(d, 10, 222, private)
            }
            Message::Reject { ids, which, length, reason, information, private } => {
                put_ids(d, ids);
                d[8] = which << 6;
                d[9] = length << 1;
                put(d, 10, 2, (*reason).into());
                put_private(d, 12, 72, information)?;
                put_private(d, 84, 148, private)
            }
            Message::Reply(reply) => {
                put_ids(d, &reply.ids);
                reply.write(d)
            }
            Message::ReadyToUse { ids, private } | Message::DisconnectReply { ids, private } => {
                put_ids(d, ids);
                put_private(d, 8, 224, private)
            }
            Message::DisconnectRequest { ids, remote_qpn, private } => {
                put_ids(d, ids);
                put(d, 8, 3, (remote_qpn & 0xff_ffff).into());
                put_private(d, 12, 220, private)
            }
        }
    }
}

impl<'a> Reply<'a> {
    fn parse(ids: Pair, d: &'a [u8; MAD_LEN - HEADER]) -> Reply<'a> {
        Reply {
            ids,
            qkey: get(d, 8, 4) as u32,
            qpn: get(d, 12, 3) as u32,
            starting_psn: Psn::from_low_bits(get(d, 20, 3) as u32),
            responder_resources: d[24],
            initiator_depth: d[25],
            ack_delay: d[26] >> 3,
            failover: d[26] >> 1 & 3,
            flow_control: d[26] & 1 == 1,
            rnr_retry: d[27] >> 5,
            shared_receive: d[27] & 0x10 != 0,
            ca_guid: get(d, 28, 8),
            private: &d[36..],
        }
    }

    fn write(&self, d: &mut [u8]) -> Result<(), MadError> {
        put(d, 8, 4, self.qkey.into());
        put(d, 12, 3, (self.qpn & 0xff_ffff).into());
        put(d, 20, 3, self.starting_psn.number().into());
        d[24] = self.responder_resources;
        d[25] = self.initiator_depth;
        d[26] = self.ack_delay << 3 | (self.failover & 3) << 1 | u8::from(self.flow_control);
        d[27] = self.rnr_retry << 5 | u8::from(self.shared_receive) << 4;
        put(d, 28, 8, self.ca_guid);
        put_private(d, 36, 196, self.private)
    }
}
