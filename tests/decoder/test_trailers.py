"""Trailers: the contract's vectors by this implementation, and captures whose trailers are right or wrong."""
import socket
import struct
import unittest

from scapy.layers.inet import UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

import mneme_layers as mneme
import trailers
from check import check_frames
from test_decoder import BOARD, CLIENT, EPOCH, INFO, PID, VA, frame

KEYS = {0: bytes(range(16)), 1: bytes(range(16, 32))}
#: The contract's client and board.
ADDRESSES = bytes([10, 0, 0, 2, 10, 0, 0, 1]) + struct.pack("!HH", 40000, 19790)
UPPER = 0x01020304AB


def request(kind, opcode, length, timed=0):
    """The header of the contract's request."""
    fields = {"trailer": kind, "timed": timed, "opcode": opcode, "length": length, "key_phase": 1, "epoch_or_status": 7}
    fields |= {"pid": 0x123, "op_id": 0x89ABCDEF, "attempt": 2, "tick": 0x123456, "va": 0x7FFF0000BEEF}
    return bytes(mneme.Mneme(**fields))


class Vectors(unittest.TestCase):
    """Numbers of the contract and of the functions' papers."""

    def test_siphash_of_its_paper(self):
        self.assertEqual(trailers.siphash(KEYS[0], bytes(range(15))).hex(), "e545be4961ca29a1")
        self.assertEqual(trailers.siphash(KEYS[0], b"", wide=True).hex(), "a3817f04ba25a8e66df67214c7550293")

    def test_crc32c_of_rfc_3720(self):
        self.assertEqual(trailers.crc32c(b"123456789"), 0xE3069283)

    def test_the_contract(self):
        key = trailers.process_key(KEYS[0], 0x123)
        self.assertEqual(key.hex(), "3bbb54a97fea8a1035a630d48189ceba")
        packets = {
            "WRITE": lambda kind: request(kind, 2, 5) + b"hello",
            "timed": lambda kind: request(kind, 2, 5, timed=1) + b"hello",
            "READ": lambda kind: request(kind, 1, 64),
        }
        expected = {
            (trailers.CRC32C, "WRITE"): "979ecf81",
            (trailers.CRC32C, "timed"): "370cf1df",
            (trailers.CRC32C, "READ"): "84ed3ad1",
            (trailers.TAG, "WRITE"): "be0ba8ce94b70c10",
            (trailers.TAG, "timed"): "ae94e851be3d5ee7",
            (trailers.TAG, "READ"): "a0736cf6f9b48ba7",
        }
        for (kind, name), number in expected.items():
            made = trailers.trailer(kind, ADDRESSES, packets[name](kind), key, UPPER)
            self.assertEqual(made.hex(), number, f"{kind} {name}")

    def test_the_nearest_time(self):
        self.assertEqual(trailers.upper_bits(7 << 24, 0xFFFFFF), 6)
        self.assertEqual(trailers.upper_bits((7 << 24) - 1, 0), 7)
        self.assertEqual(trailers.upper_bits(7 << 24, 1 << 23), 6)
        self.assertEqual(trailers.upper_bits(0, 0xFFFFFF), (1 << 40) - 1)


def seal(source, to, packet, payload, upper):
    """A frame with its trailer."""
    whole = bytes(packet) + payload
    addresses = socket.inet_aton(source["ip"]) + socket.inet_aton(to["ip"]) + struct.pack("!HH", source["port"], to["port"])
    key = trailers.process_key(KEYS[packet.key_phase], packet.pid)
    return frame(source, to, Raw(whole + trailers.trailer(packet.trailer, addresses, whole, key, upper)), False)


def talk(kind, phase=0):
    """A ping that tells the tick, a write and a read, and an answer of which nobody could have the key."""
    told = INFO.copy()
    told.tick, told.tick_high, told.tick_top = 0xFFFFF0, 0x020304AB, 1
    ping = {"opcode": 0x20, "length": 64, "tick": 0xFFFFF0}
    frames = [
        frame(CLIENT, BOARD, mneme.Mneme(**ping) / Raw(bytes(64)), False),
        frame(BOARD, CLIENT, mneme.Mneme(response=1, **ping) / Raw(bytes(told)), False),
    ]
    fields = {"trailer": kind, "key_phase": phase, "pid": PID, "va": VA, "length": 5}
    # The second one's time has wrapped.
    for opcode, payload, reply, tick in ((2, b"hello", b"", 0xFFFFF8), (1, b"", b"hello", 3)):
        fields |= {"opcode": opcode, "op_id": tick, "tick": tick}
        upper = UPPER if tick > 1 << 23 else UPPER + 1
        frames.append(seal(CLIENT, BOARD, mneme.Mneme(epoch_or_status=EPOCH, **fields), payload, upper))
        answer = fields | {"tick": tick + 2 & 0xFFFFFF}
        frames.append(seal(BOARD, CLIENT, mneme.Mneme(response=1, epoch_or_status=0, **answer), reply, upper))
    fields |= {"op_id": 77, "tick": 9}
    frames.append(seal(CLIENT, BOARD, mneme.Mneme(epoch_or_status=EPOCH, **fields), b"", UPPER + 1))
    refusal = fields | {"trailer": 0, "epoch_or_status": 14, "va": 0, "length": 0, "tick": 10}
    frames.append(frame(BOARD, CLIENT, mneme.Mneme(response=1, **refusal), False))
    return frames


class Captures(unittest.TestCase):
    """Trailers in whole conversations."""

    def test_right_trailers_pass(self):
        for kind in (trailers.NONE, trailers.CRC32C, trailers.TAG):
            for phase in KEYS:
                self.assertEqual(check_frames(talk(kind, phase), keys=KEYS).faults, [], f"kind {kind}, phase {phase}")
        self.assertEqual(check_frames(talk(trailers.TAG)).faults, [], "without keys")

    def test_any_flipped_bit_of_a_trailer(self):
        for kind in (trailers.CRC32C, trailers.TAG):
            good = talk(kind)
            for number in range(2, 7):
                for bit in range(8 * trailers.BYTES[kind]):
                    bad = bytearray(good[number])
                    bad[-1 - bit // 8] ^= 1 << bit % 8
                    frames = [*good[:number], bytes(bad), *good[number + 1 :]]
                    self.assertTrue(check_frames(frames, keys=KEYS).faults, f"kind {kind}, frame {number}, bit {bit}")

    def test_the_key_of_another_phase(self):
        self.assertTrue(check_frames(talk(trailers.TAG), keys={0: KEYS[1]}).faults)

    def test_an_answer_of_another_kind(self):
        with_crc, bare = talk(trailers.CRC32C), talk(trailers.NONE)
        for number in (3, 5):
            frames = [*with_crc[:number], bare[number], *with_crc[number + 1 :]]
            self.assertTrue(check_frames(frames, keys=KEYS).faults, f"frame {number} without a trailer")
            frames = [*bare[:number], with_crc[number], *bare[number + 1 :]]
            self.assertTrue(check_frames(frames, keys=KEYS).faults, f"frame {number} with a trailer")

    def test_a_kind_that_is_not_assigned_and_half_a_trailer(self):
        frames = talk(trailers.TAG)
        bad = bytearray(frames[2])
        bad[42] ^= 0x0C
        self.assertTrue(check_frames([*frames[:2], bytes(bad), *frames[3:]]).faults)
        whole = Ether(frames[4])
        short = frame(CLIENT, BOARD, Raw(bytes(whole[UDP].payload)[:-1]), False)
        self.assertEqual(len(short), len(frames[4]) - 1)
        self.assertTrue(check_frames([*frames[:4], short, *frames[5:]], keys=KEYS).faults)


if __name__ == "__main__":
    unittest.main()
