"""The decoder itself: a sound capture passes, and every damage to it is found.

Frames here are made by scapy from the layers, so no code of the project takes part.
"""
import struct
import unittest

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

import mneme_layers as mneme
from check import check_frames
from memory import PAGE, Memory

CLIENT = {"mac": "02:00:00:00:00:02", "ip": "10.0.0.2", "port": 40000}
BOARD = {"mac": "02:00:00:00:00:01", "ip": "10.0.0.1", "port": mneme.PORT}
PID, EPOCH, VA = 0x123456, 7, 0x40000000
TOKEN = bytes(range(16))
INFO = mneme.BoardInfo(
    board_id=5, nonce=6, tick=90, window=100, ns_per_tick=8192, memory=1 << 28, max_payload=1450, page_bits=18, epoch=EPOCH
)
#: Bytes of the time field: which tick a packet carries is not told twice, so damage there is only sometimes found.
TIME = range(42 + 11, 42 + 14)


def frame(source, to, packet, checksum):
    """A whole frame; scapy fills in lengths and checksums."""
    udp = UDP(sport=source["port"], dport=to["port"])
    if not checksum:
        udp.chksum = 0
    ip = IP(src=source["ip"], dst=to["ip"], id=0, flags="DF", ttl=64)
    return bytes(Ether(src=source["mac"], dst=to["mac"], type=0x0800) / ip / udp / packet)


class Talk:
    """Builds a conversation, one request and its answer at a time."""

    def __init__(self):
        self.frames = []
        self.tick = 100

    def ask(self, operation, payload=b"", reply=b"", **fields):
        """A request and its answer; keys with `answer_` in front overwrite what an OK answer would have."""
        number = {v: k for k, v in mneme.OPCODES.items()}[operation]
        self.tick += 3
        answer = {k.removeprefix("answer_"): fields.pop(k) for k in list(fields) if k.startswith("answer_")}
        request = {"opcode": number, "epoch_or_status": EPOCH, "pid": PID, "op_id": 0x1000 + len(self.frames)}
        request |= {"tick": self.tick - 1, "va": 0, "length": len(payload)} | fields
        back = request | {"epoch_or_status": 0, "tick": self.tick, "response": 1} | answer
        checksum = len(self.frames) % 4 == 0
        self.frames.append(frame(CLIENT, BOARD, mneme.Mneme(**request) / Raw(bytes(payload)), checksum))
        self.frames.append(frame(BOARD, CLIENT, mneme.Mneme(**back) / Raw(bytes(reply)), False))
        return self


def sound():
    """A conversation with every operation in it."""
    info = bytes(INFO)
    opened = bytes(mneme.OpenAnswer(pid=PID, token=TOKEN)) + info
    asked, given = mneme.Alloc(size=10, rights=3), mneme.Alloc(size=1 << 18, rights=3, va=VA)
    talk = Talk()
    talk.ask("PING", bytes(64), info, pid=0, epoch_or_status=0)
    talk.ask("OPEN", bytes(mneme.OpenRequest()), opened, pid=0)
    talk.ask("ALLOC", bytes(asked), bytes(given))
    talk.ask("READ", b"", bytes(33), va=VA + 4090, length=33)
    talk.ask("WRITE", b"remote memory", b"", va=VA + 5)
    talk.ask("READ", b"", b"\0remote", va=VA + 4, length=7)
    talk.ask("FETCH_ADD", struct.pack("<Q", 5), bytes(8), va=VA + 64, length=8)
    talk.ask("COMPARE_SWAP", struct.pack("<QQ", 5, 9), struct.pack("<Q", 5), va=VA + 64, length=8)
    talk.ask("SWAP", struct.pack("<Q", 1), struct.pack("<Q", 9), va=VA + 64, length=8)
    talk.ask("READ", b"", struct.pack("<Q", 1), va=VA + 64, length=8)
    talk.ask("WRITE", b"no", b"", va=VA, answer_epoch_or_status=7, answer_va=0x15 << 40, answer_length=0)
    talk.ask("FENCE", timed=1, answer_tick=60)
    talk.ask("READ", b"", b"", va=VA + 64, length=8, timed=1, answer_timed=0, answer_epoch_or_status=7, answer_va=0x15 << 40, answer_length=0)
    talk.ask("FENCE")
    rights = bytes(mneme.RangeRights(size=1 << 18, rights=1))
    talk.ask("PROTECT", rights, rights, va=VA)
    talk.ask("COUNTERS", struct.pack("<II", 2, 2) + bytes(16), struct.pack("<IIQQ", 2, 2, 0, 1), pid=0)
    listed = bytes(mneme.Processes(after=4, count=2)) + bytes(mneme.Process(pid=PID, slots=1, pages=1, ranges=1)) + bytes(mneme.Process(pid=PID + 1))
    talk.ask("PROCESSES", bytes(mneme.Processes(after=4, count=3)) + bytes(144), listed + bytes(48), pid=0)
    talk.ask("FREE", bytes(mneme.RangeRights(size=0)), bytes(mneme.RangeRights(size=1 << 18)), va=VA)
    talk.ask("EXIT")
    return talk.frames


class SoundCapture(unittest.TestCase):
    """What is right passes."""

    def test_a_secure_open(self):
        talk = Talk()
        talk.ask("PING", bytes(64), bytes(INFO), pid=0, epoch_or_status=0)
        talk.ask("OPEN", bytes(range(256)), bytes(reversed(range(256))), pid=0)
        capture = check_frames(talk.frames)
        self.assertEqual((capture.faults, capture.conversation.answers), ([], 2))

    def test_every_operation(self):
        capture = check_frames(sound())
        self.assertEqual(capture.faults, [])
        self.assertEqual(capture.conversation.answers, 19)

    def test_arp_and_icmp_are_let_through(self):
        arp = bytes(Ether(src=CLIENT["mac"], dst="ff:ff:ff:ff:ff:ff") / ARP(pdst=BOARD["ip"]))
        capture = check_frames([arp, *sound()])
        self.assertEqual(capture.faults, [])
        self.assertEqual(capture.kinds["ARP or ICMP"], 1)

    def test_a_retry_is_answered_for_each_attempt(self):
        talk = Talk()
        for attempt in range(2):
            talk.ask("WRITE", b"again", b"", va=VA, op_id=9, tick=50, attempt=attempt)
        self.assertEqual(check_frames(talk.frames).faults, [])


class DamagedCapture(unittest.TestCase):
    """What is wrong is found."""

    def assert_found(self, frames, what):
        """Some fault must be told."""
        self.assertTrue(check_frames(frames).faults, f"not found: {what}")

    def assert_found_at(self, frames, number, bad, what):
        """Some fault must be told when `bad` stands in the place of a frame."""
        # Requests and answers alternate: most damage shows before the pair ends, the rest where data is read later.
        early = [*frames[:number], bytes(bad), *frames[number + 1 : (number | 1) + 1]]
        if not check_frames(early).faults:
            self.assert_found([*frames[:number], bytes(bad), *frames[number + 1 :]], f"frame {number}, {what}")

    def test_any_flipped_header_byte(self):
        frames = sound()
        for number, good in enumerate(frames):
            for at in (i for i in range(64) if i not in TIME):
                bad = bytearray(good)
                bad[at] ^= 0xFF
                self.assert_found_at(frames, number, bad, f"byte {at}")

    def test_any_flipped_bit_of_lengths_and_addresses(self):
        frames = sound()
        fields = [*range(16, 18), *range(24, 42), *range(42, 42 + 2), *range(45, 53), *range(56, 64)]
        for number in (6, 8, 9, 10, 11):
            for bit in (8 * at + i for at in fields for i in range(8)):
                bad = bytearray(frames[number])
                bad[bit // 8] ^= 1 << bit % 8
                self.assert_found_at(frames, number, bad, f"bit {bit}")

    def test_data_that_comes_back_different(self):
        frames = sound()
        for number in (7, 11, 13, 15, 17, 19):
            for at in range(64, len(frames[number])):
                bad = bytearray(frames[number])
                bad[at] ^= 0x10
                self.assert_found_at(frames, number, bad, f"byte {at}")

    def test_a_frame_too_short_or_too_long(self):
        frames = sound()
        for number, good in enumerate(frames):
            for bad in (good[:-1], good + b"\0", good[:13], good[:33], good[:41], good[:63], b""):
                self.assert_found_at(frames, number, bad, f"{len(bad)} bytes")

    def test_a_missing_frame(self):
        frames = sound()
        for number in range(len(frames)):
            self.assert_found([*frames[:number], *frames[number + 1 :]], f"without frame {number}")

    def test_an_answer_twice(self):
        frames = sound()
        self.assert_found([*frames, frames[-1]], "an answer to no request")

    def test_an_operation_that_changes_between_attempts(self):
        talk = Talk()
        talk.ask("WRITE", b"one", b"", va=VA, op_id=9, tick=50, attempt=0)
        talk.ask("WRITE", b"two", b"", va=VA, op_id=9, tick=50, attempt=1)
        self.assert_found(talk.frames, "another payload under the same id")

    def test_an_atomic_that_runs_twice(self):
        talk = Talk()
        for attempt in range(2):
            reply = struct.pack("<Q", attempt)
            talk.ask("FETCH_ADD", struct.pack("<Q", 1), reply, va=VA, length=8, op_id=9, tick=50, attempt=attempt)
        self.assert_found(talk.frames, "the second attempt added again")

    def test_a_tick_that_goes_back(self):
        talk = Talk().ask("FENCE", answer_tick=500).ask("FENCE", answer_tick=499)
        self.assert_found(talk.frames, "the board's time runs backwards")

    def test_times_that_cannot_be(self):
        self.assert_found(Talk().ask("FENCE", timed=1, answer_tick=0).frames, "a request that took no time")
        self.assert_found(Talk().ask("FENCE", answer_timed=1).frames, "an answer whose time nobody asked for")
        self.assert_found(Talk().ask("FENCE", timed=1, answer_timed=0).frames, "no time though it was asked for")
        self.assert_found(Talk().ask("PING", bytes(64), bytes(INFO), pid=0, epoch_or_status=0, timed=1).frames, "a timed ping")

    def test_an_answer_with_a_checksum(self):
        request, answer = Talk().ask("FENCE").frames
        whole = Ether(answer)
        del whole[UDP].chksum
        self.assert_found([request, bytes(whole)], "a response whose UDP checksum is not 0")

    def test_nothing_at_all(self):
        self.assert_found([], "an empty capture")


class RemoteMemory(unittest.TestCase):
    """The memory that reads are held against."""

    def test_unknown_bytes_match_anything(self):
        memory = Memory()
        self.assertIsNone(memory.differs(1, 100, b"whatever"))
        memory.write(1, 102, b"x")
        self.assertIsNone(memory.differs(1, 100, b"abxd"))
        self.assertEqual(memory.differs(1, 100, b"abyd"), 2)

    def test_ranges_across_pages(self):
        memory = Memory()
        memory.allocate(1, 0, 4 * PAGE)
        memory.write(1, PAGE - 3, b"across")
        self.assertIsNone(memory.differs(1, PAGE - 4, b"\0across\0"))
        self.assertEqual(memory.differs(1, PAGE - 4, b"\0acroSs\0"), 5)
        self.assertIsNone(memory.differs(2, PAGE - 4, b"\0acroSs\0"))
        memory.doubt(1, PAGE, 1)
        self.assertIsNone(memory.differs(1, PAGE - 4, b"\0acrOss\0"))

    def test_a_freed_range_may_hold_anything(self):
        memory = Memory()
        memory.allocate(1, PAGE, PAGE)
        self.assertEqual(memory.differs(1, PAGE, b"\1"), 0)
        memory.forget(1, PAGE, PAGE)
        self.assertIsNone(memory.differs(1, PAGE, b"\1"))


if __name__ == "__main__":
    unittest.main()
