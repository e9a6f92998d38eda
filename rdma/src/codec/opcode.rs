//! The opcodes of the base transport header, and which headers each brings (IBTA volume 1, 9.2 table 38; CNP: annex A17.9.3).

/// A header between the base transport header and the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// Datagram: queue key and source queue pair.
    Deth,
    /// RDMA: address, key and length.
    Reth,
    /// Atomic request: address, key and operands.
    AtomicEth,
    /// Acknowledge: syndrome and message number.
    Aeth,
    /// Atomic answer: the word that was there before.
    AtomicAckEth,
    /// Four bytes that the receiver's owner gets.
    Immediate,
    /// A key that the receiver gives up.
    Ieth,
}

impl Extension {
    /// Bytes on the wire.
    pub const fn bytes(self) -> usize {
        match self {
            Extension::Deth | Extension::AtomicAckEth => 8,
            Extension::Reth => 16,
            Extension::AtomicEth => 28,
            Extension::Aeth | Extension::Immediate | Extension::Ieth => 4,
        }
    }
}

/// What follows the headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// Nothing, and no pad.
    None,
    /// Any number of bytes and a pad to a multiple of four.
    Any,
    /// So many zero bytes, which mean nothing.
    Reserved(usize),
}

/// Where a packet stands in its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The first of several.
    First,
    /// Neither the first nor the last.
    Middle,
    /// The last of several.
    Last,
    /// The only one.
    Only,
}

impl Position {
    /// Whether a message begins here.
    pub const fn begins(self) -> bool {
        matches!(self, Position::First | Position::Only)
    }
    /// Whether a message ends here.
    pub const fn ends(self) -> bool {
        matches!(self, Position::Last | Position::Only)
    }
    /// The position of a packet, given whether it begins and whether it ends its message.
    pub const fn of(begins: bool, ends: bool) -> Position {
        match (begins, ends) {
            (true, true) => Position::Only,
            (true, false) => Position::First,
            (false, true) => Position::Last,
            (false, false) => Position::Middle,
        }
    }
}

/// What a packet is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A message for the receiver's next buffer.
    Send,
    /// Bytes for a named place.
    Write,
    /// Asks for bytes of a named place.
    ReadRequest,
    /// Bytes that were asked for.
    ReadResponse,
    /// Acknowledge or refuse.
    Acknowledge,
    /// The answer to an atomic operation.
    AtomicAcknowledge,
    /// Compare and swap, or fetch and add.
    Atomic,
    /// A message without a connection.
    Datagram,
    /// Asks for a lower rate.
    Congestion,
}

macro_rules! opcodes {
    ($( #[doc = $doc:literal] $name:ident = $value:literal, $label:literal, $operation:ident, $position:ident, [$($extension:ident),*], $payload:expr; )+) => {
        /// An opcode that the codec knows. [`crate::codec::Bth`] carries any byte.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode { $( #[doc = $doc] $name = $value, )+ }

        impl Opcode {
            /// All of them.
            pub const ALL: &'static [Opcode] = &[$( Opcode::$name, )+];
            /// The opcode of a number, if it is known.
            pub const fn from_number(number: u8) -> Option<Opcode> {
                match number { $( $value => Some(Opcode::$name), )+ _ => None }
            }
            /// The byte on the wire.
            pub const fn number(self) -> u8 { self as u8 }
            /// The name, as the standard writes it.
            pub const fn name(self) -> &'static str { match self { $( Opcode::$name => $label, )+ } }
            /// What it is about.
            pub const fn operation(self) -> Operation { match self { $( Opcode::$name => Operation::$operation, )+ } }
            /// Its place in the message.
            pub const fn position(self) -> Position { match self { $( Opcode::$name => Position::$position, )+ } }
            /// The headers after the base transport header, in order.
            pub const fn extensions(self) -> &'static [Extension] {
                match self { $( Opcode::$name => &[$( Extension::$extension, )*], )+ }
            }
            /// What follows the headers.
            pub const fn payload(self) -> Payload { match self { $( Opcode::$name => $payload, )+ } }
        }
    };
}

opcodes! {
    /// The first packet of a SEND.
    SendFirst = 0x00, "SEND First", Send, First, [], Payload::Any;
    /// A packet within a SEND.
    SendMiddle = 0x01, "SEND Middle", Send, Middle, [], Payload::Any;
    /// The last packet of a SEND.
    SendLast = 0x02, "SEND Last", Send, Last, [], Payload::Any;
    /// The last packet of a SEND with immediate data.
    SendLastImmediate = 0x03, "SEND Last with Immediate", Send, Last, [Immediate], Payload::Any;
    /// A SEND of one packet.
    SendOnly = 0x04, "SEND Only", Send, Only, [], Payload::Any;
    /// A SEND of one packet with immediate data.
    SendOnlyImmediate = 0x05, "SEND Only with Immediate", Send, Only, [Immediate], Payload::Any;
    /// The first packet of a WRITE.
    WriteFirst = 0x06, "RDMA WRITE First", Write, First, [Reth], Payload::Any;
    /// A packet within a WRITE.
    WriteMiddle = 0x07, "RDMA WRITE Middle", Write, Middle, [], Payload::Any;
    /// The last packet of a WRITE.
    WriteLast = 0x08, "RDMA WRITE Last", Write, Last, [], Payload::Any;
    /// The last packet of a WRITE with immediate data.
    WriteLastImmediate = 0x09, "RDMA WRITE Last with Immediate", Write, Last, [Immediate], Payload::Any;
    /// A WRITE of one packet.
    WriteOnly = 0x0a, "RDMA WRITE Only", Write, Only, [Reth], Payload::Any;
    /// A WRITE of one packet with immediate data.
    WriteOnlyImmediate = 0x0b, "RDMA WRITE Only with Immediate", Write, Only, [Reth, Immediate], Payload::Any;
    /// Asks for bytes.
    ReadRequest = 0x0c, "RDMA READ Request", ReadRequest, Only, [Reth], Payload::None;
    /// The first packet of an answer.
    ReadResponseFirst = 0x0d, "RDMA READ response First", ReadResponse, First, [Aeth], Payload::Any;
    /// A packet within an answer.
    ReadResponseMiddle = 0x0e, "RDMA READ response Middle", ReadResponse, Middle, [], Payload::Any;
    /// The last packet of an answer.
    ReadResponseLast = 0x0f, "RDMA READ response Last", ReadResponse, Last, [Aeth], Payload::Any;
    /// An answer of one packet.
    ReadResponseOnly = 0x10, "RDMA READ response Only", ReadResponse, Only, [Aeth], Payload::Any;
    /// Acknowledge or refuse.
    Acknowledge = 0x11, "Acknowledge", Acknowledge, Only, [Aeth], Payload::None;
    /// The answer to an atomic operation.
    AtomicAcknowledge = 0x12, "ATOMIC Acknowledge", AtomicAcknowledge, Only, [Aeth, AtomicAckEth], Payload::None;
    /// Compare and swap eight bytes.
    CompareSwap = 0x13, "CmpSwap", Atomic, Only, [AtomicEth], Payload::None;
    /// Fetch eight bytes and add to them.
    FetchAdd = 0x14, "FetchAdd", Atomic, Only, [AtomicEth], Payload::None;
    /// The last packet of a SEND that gives up a key of the receiver. Known, not served: the responder refuses it.
    SendLastInvalidate = 0x16, "SEND Last with Invalidate", Send, Last, [Ieth], Payload::Any;
    /// A SEND of one packet that gives up a key of the receiver. Known, not served: the responder refuses it.
    SendOnlyInvalidate = 0x17, "SEND Only with Invalidate", Send, Only, [Ieth], Payload::Any;
    /// A datagram: management packets of the connection manager.
    DatagramSendOnly = 0x64, "UD SEND Only", Datagram, Only, [Deth], Payload::Any;
    /// Congestion notification: the receiver lowers its rate.
    Congestion = 0x81, "CNP", Congestion, Only, [], Payload::Reserved(16);
}

impl Opcode {
    /// Bytes of the headers after the base transport header.
    pub fn extension_len(self) -> usize {
        self.extensions().iter().map(|extension| extension.bytes()).sum()
    }
    /// Whether the opcode has this header.
    pub fn has(self, extension: Extension) -> bool {
        self.extensions().contains(&extension)
    }
    /// Whether a requester sends it on a reliable connection.
    pub const fn is_request(self) -> bool {
        use Operation::{Atomic, ReadRequest, Send, Write};
        matches!(self.operation(), Send | Write | ReadRequest | Atomic)
    }
    /// Whether a responder sends it on a reliable connection.
    pub const fn is_response(self) -> bool {
        use Operation::{Acknowledge, AtomicAcknowledge, ReadResponse};
        matches!(self.operation(), Acknowledge | AtomicAcknowledge | ReadResponse)
    }
    /// The SEND at a position.
    pub const fn send(position: Position, immediate: bool) -> Opcode {
        match (position, immediate) {
            (Position::First, _) => Opcode::SendFirst,
            (Position::Middle, _) => Opcode::SendMiddle,
            (Position::Last, false) => Opcode::SendLast,
            (Position::Last, true) => Opcode::SendLastImmediate,
            (Position::Only, false) => Opcode::SendOnly,
            (Position::Only, true) => Opcode::SendOnlyImmediate,
        }
    }
    /// The WRITE at a position.
    pub const fn write(position: Position, immediate: bool) -> Opcode {
        match (position, immediate) {
            (Position::First, _) => Opcode::WriteFirst,
            (Position::Middle, _) => Opcode::WriteMiddle,
            (Position::Last, false) => Opcode::WriteLast,
            (Position::Last, true) => Opcode::WriteLastImmediate,
            (Position::Only, false) => Opcode::WriteOnly,
            (Position::Only, true) => Opcode::WriteOnlyImmediate,
        }
    }
    /// The READ response at a position.
    pub const fn read_response(position: Position) -> Opcode {
        match position {
            Position::First => Opcode::ReadResponseFirst,
            Position::Middle => Opcode::ReadResponseMiddle,
            Position::Last => Opcode::ReadResponseLast,
            Position::Only => Opcode::ReadResponseOnly,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_opcodes_are_one_to_one_and_unknown_numbers_have_none() {
        for &opcode in Opcode::ALL {
            assert_eq!(Opcode::from_number(opcode.number()), Some(opcode));
        }
        let known = (0..=u8::MAX).filter_map(Opcode::from_number).count();
        assert_eq!(known, Opcode::ALL.len());
        // RESYNC, ATOMIC WRITE and FLUSH, and the opcodes of other transports.
        for unknown in [0x15, 0x1c, 0x1d, 0x20, 0x40, 0x65, 0x80, 0xff] {
            assert_eq!(Opcode::from_number(unknown), None, "{unknown:#x}");
        }
    }

    #[test]
    fn payloads_start_where_the_data_path_is_built_to_shift_them_from() {
        // Frames that carry payload: 42 bytes of Ethernet, IPv4 and UDP, 12 of the base transport header (design of the port).
        let carrying = Opcode::ALL
            .iter()
            .filter(|o| o.payload() == Payload::Any && o.operation() != Operation::Datagram);
        for opcode in carrying {
            assert!([54, 58, 70, 74].contains(&(54 + opcode.extension_len())), "{}", opcode.name());
        }
    }

    #[test]
    fn the_opcode_of_a_position_is_at_that_position() {
        for (begins, ends) in [(true, true), (true, false), (false, true), (false, false)] {
            let position = Position::of(begins, ends);
            assert_eq!((position.begins(), position.ends()), (begins, ends));
            assert_eq!(Opcode::read_response(position).position(), position);
            for immediate in [false, true] {
                for opcode in [Opcode::send(position, immediate), Opcode::write(position, immediate)] {
                    assert_eq!(opcode.position(), position);
                    assert_eq!(opcode.has(Extension::Immediate), immediate && ends);
                    assert!(opcode.is_request() && !opcode.is_response());
                }
            }
        }
    }
}
