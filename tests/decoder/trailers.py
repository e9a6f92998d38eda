"""CRC-32C and keyed tags behind Mneme's payloads.

Written from docs/reference/trailers.md and the papers of the two functions, without a library, so that a second
implementation stands beside the wire crate's.
"""
import struct

NONE, TAG, CRC32C = 0, 2, 3
#: Bytes of each kind of trailer.
BYTES = {NONE: 0, CRC32C: 4, TAG: 8}
#: Statuses whose answers never have a trailer.
BARE = ("NACK", "UNAUTHENTICATED", "UNSUPPORTED", "STALE")
HEADER = 22
MASK = (1 << 64) - 1


def crc32c(data):
    """CRC-32C, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def siphash(key, data, wide=False):
    """SipHash-2-4 with 8 bytes of output, or with 16."""
    k0, k1 = struct.unpack("<QQ", key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def turn(x, bits):
        return (x << bits | x >> (64 - bits)) & MASK

    def rounds(count):
        for _ in range(count):
            v[0] = v[0] + v[1] & MASK
            v[2] = v[2] + v[3] & MASK
            v[1], v[3] = turn(v[1], 13) ^ v[0], turn(v[3], 16) ^ v[2]
            v[0] = turn(v[0], 32)
            v[2] = v[2] + v[1] & MASK
            v[0] = v[0] + v[3] & MASK
            v[1], v[3] = turn(v[1], 17) ^ v[2], turn(v[3], 21) ^ v[0]
            v[2] = turn(v[2], 32)

    if wide:
        v[1] ^= 0xEE
    whole = len(data) // 8 * 8
    last = data[whole:] + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for (word,) in struct.iter_unpack("<Q", data[:whole] + last):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xEE if wide else 0xFF
    rounds(4)
    first = v[0] ^ v[1] ^ v[2] ^ v[3]
    if not wide:
        return struct.pack("<Q", first)
    v[1] ^= 0xDD
    rounds(4)
    return struct.pack("<QQ", first, v[0] ^ v[1] ^ v[2] ^ v[3])


def process_key(board_key, pid):
    """The key of a process under a board's key of one phase."""
    return siphash(board_key, pid.to_bytes(7, "little"), wide=True)


def upper_bits(tick, time):
    """The upper 40 bits of the time that lies nearest to a tick of 64 bits; of two, the earlier."""
    ahead = (time - tick) % (1 << 24)
    return ((tick + (ahead if ahead < 1 << 23 else ahead - (1 << 24))) & MASK) >> 24


def trailer(kind, addresses, packet, key=None, upper=0):
    """The trailer of a packet of header and payload; `addresses` are the 12 bytes of addresses and ports."""
    header, payload = packet[:HEADER], packet[HEADER:]
    if kind == CRC32C:
        return struct.pack("<I", crc32c(addresses + packet))
    if kind == TAG:
        covered = addresses + header + upper.to_bytes(5, "big") + bytes(1)
        return siphash(key, covered + struct.pack("<I", crc32c(payload)))
    return b""
