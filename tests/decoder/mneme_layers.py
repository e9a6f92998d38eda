"""Mneme's header and payloads as scapy layers.

Written from docs/reference/wire.md and the payload descriptions, not from the wire crate's code: that two descriptions
agree is the point. Header fields are in network byte order, payload integers little-endian.
"""
from scapy.fields import (
    BitEnumField,
    BitField,
    ByteEnumField,
    ByteField,
    FieldLenField,
    FieldListField,
    IntField,
    LEIntField,
    LELongField,
    LEShortField,
    ShortField,
    StrFixedLenField,
    StrLenField,
    ThreeBytesField,
    XBitField,
)
from scapy.packet import Packet

PORT = 19790
HEADER = 22

OPCODES = {
    0x01: "READ", 0x02: "WRITE", 0x03: "COMPARE_SWAP", 0x04: "FETCH_ADD", 0x05: "SWAP", 0x06: "FENCE",
    0x10: "OPEN", 0x11: "EXIT", 0x12: "ALLOC", 0x13: "FREE", 0x14: "PROTECT", 0x20: "PING", 0x21: "COUNTERS",
    0x22: "PROCESSES",
}
STATUSES = {
    0: "OK", 1: "BUSY", 2: "NACK", 3: "EXPIRED", 4: "STALE", 5: "CONFLICT", 6: "UNMAPPED", 7: "DENIED",
    8: "BADREQUEST", 9: "UNSUPPORTED", 10: "NOMEM", 11: "QUOTA", 12: "MOVED", 13: "MEMERR", 14: "UNAUTHENTICATED",
}
LAST_CAUSE = 0x1E
#: Opcodes from here on are the slow path's.
SLOW_PATH = 0x10
#: What may be done again; everything else takes effect once.
IDEMPOTENT = ("READ", "FENCE", "PING", "COUNTERS", "PROCESSES")
ATOMIC_PAYLOAD = {"COMPARE_SWAP": 16, "FETCH_ADD": 8, "SWAP": 8}


class Mneme(Packet):
    """The 22 bytes that every packet begins with."""

    name = "Mneme"
    fields_desc = [
        BitField("version", 1, 4),
        BitField("trailer", 0, 2),
        BitField("key_phase", 0, 1),
        BitField("timed", 0, 1),
        BitField("response", 0, 1),
        BitEnumField("opcode", 1, 7, OPCODES),
        ByteField("epoch_or_status", 0),
        ThreeBytesField("pid", 0),
        IntField("op_id", 0),
        ByteField("attempt", 0),
        # Not `time`: scapy keeps the moment of capture under that name.
        ThreeBytesField("tick", 0),
        XBitField("va", 0, 48),
        ShortField("length", 0),
    ]

    @property
    def operation(self):
        """Name of the operation, None when the number names none."""
        return OPCODES.get(self.opcode)

    @property
    def status(self):
        """Name of the status, None when the number names none."""
        return STATUSES.get(self.epoch_or_status & 0x1F)


#: Bytes of a region, the unit of OPEN's windows.
REGION = 1 << 30


class BoardInfo(Packet):
    """What a board says of itself, 64 bytes."""

    name = "BoardInfo"
    fields_desc = [
        LELongField("board_id", 0),
        LELongField("nonce", 0),
        LELongField("token", 0),
        LEIntField("tick", 0),
        LEIntField("window", 0),
        LEIntField("ns_per_tick", 0),
        LEIntField("capabilities", 0),
        LELongField("memory", 0),
        LEShortField("max_payload", 0),
        ByteField("page_bits", 0),
        ByteField("epoch", 0),
        ByteField("key_phase", 0),
        LEIntField("filter_entries", 0),
        # The upper 40 bits of the tick, in two fields since scapy has none of five bytes.
        LEIntField("tick_high", 0),
        ByteField("tick_top", 0),
        LEShortField("key_hint", 0),
        StrFixedLenField("zero", b"", 0),
    ]

    @property
    def full_tick(self):
        """The tick with all its 64 bits."""
        return self.tick_top << 56 | self.tick_high << 24 | self.tick


class OpenRequest(Packet):
    """OPEN as asked, 112 bytes."""

    name = "OpenRequest"
    fields_desc = [
        LEIntField("flags", 0),
        LEIntField("capabilities", 0),
        LELongField("lease_ns", 0),
        StrFixedLenField("token", bytes(16), 16),
        LELongField("window_first", 0),
        LELongField("window_bytes", 0),
        StrFixedLenField("zero", bytes(64), 64),
    ]


class OpenAnswer(Packet):
    """OPEN as answered: 48 bytes, then a BoardInfo."""

    name = "OpenAnswer"
    fields_desc = [
        LEIntField("pid", 0),
        LEIntField("capabilities", 0),
        LELongField("lease_ns", 0),
        StrFixedLenField("token", bytes(16), 16),
        StrFixedLenField("key", bytes(16), 16),
    ]

    def guess_payload_class(self, payload):
        """The board's description follows."""
        return BoardInfo


class Alloc(Packet):
    """ALLOC, asked and answered, 40 bytes."""

    name = "Alloc"
    fields_desc = [
        LELongField("size", 0),
        ByteField("rights", 0),
        ByteField("fixed", 0),
        ByteEnumField("unit", 0, {0: "BOARD_PAGE", 1: "FRAME"}),
        ByteEnumField("residence", 0, {0: "PINNED", 1: "TIERED", 2: "PERSISTENT"}),
        StrFixedLenField("zero", bytes(4), 4),
        LELongField("dram_min", 0),
        LELongField("dram_max", 0),
        LELongField("va", 0),
    ]


class RangeRights(Packet):
    """FREE and PROTECT, asked and answered, 16 bytes."""

    name = "RangeRights"
    fields_desc = [
        LELongField("size", 0),
        ByteField("rights", 0),
        StrFixedLenField("zero", bytes(7), 7),
    ]


class Counters(Packet):
    """COUNTERS, asked and answered: as many words as `count` says."""

    name = "Counters"
    fields_desc = [
        LEIntField("first", 0),
        FieldLenField("count", None, count_of="values", fmt="<I"),
        FieldListField("values", [], LELongField("value", 0), count_from=lambda p: min(p.count, 128)),
    ]


class Process(Packet):
    """One process of a PROCESSES answer, 48 bytes."""

    name = "Process"
    fields_desc = [
        LEIntField("pid", 0),
        LEIntField("state", 0),
        LELongField("lease_ns", 0),
        LELongField("silent_ns", 0),
        LELongField("slots", 0),
        LELongField("pages", 0),
        LELongField("ranges", 0),
    ]


class Processes(Packet):
    """PROCESSES, asked and answered: `count` processes, and zeros up to the length of the request."""

    name = "Processes"
    fields_desc = [
        LEIntField("after", 0),
        LEIntField("count", 0),
        StrLenField("entries", b"", length_from=lambda p: 48 * 128),
    ]

    def told(self):
        """The processes of an answer."""
        return [Process(self.entries[48 * n : 48 * n + 48]) for n in range(min(self.count, 128))]


#: Bytes of a secure OPEN, asked and answered: a handshake's messages, of which nothing can be read.
SECURE_OPEN = 256

#: Payload layout and its length for the slow path's operations: (request, answer).
LAYOUTS = {
    "PING": (BoardInfo, BoardInfo, 64),
    "OPEN": (OpenRequest, OpenAnswer, 112),
    "ALLOC": (Alloc, Alloc, 40),
    "FREE": (RangeRights, RangeRights, 16),
    "PROTECT": (RangeRights, RangeRights, 16),
}
