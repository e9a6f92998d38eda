"""The ECPIX-5 between foreign models: a line of 1 Gbit/s, by which its host reaches registers and slow ring, too."""
import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.triggers import ClockCycles, RisingEdge, Timer, with_timeout
from cocotbext.eth import GmiiFrame, RgmiiSink, RgmiiSource

import wire
from board import MAC, PATIENCE, Board

HOST = "02:00:00:00:00:09"
BITS_64 = (1 << 64) - 1


def siphash(key, data):
    """SipHash-2-4 (Aumasson and Bernstein, 2012) of 64 bits, as bytes."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def turn(word, bits):
        return (word << bits | word >> 64 - bits) & BITS_64

    def rounds(count):
        for _ in range(count):
            for a, b, c, d, first, second in (0, 1, 2, 3, 13, 16), (2, 1, 0, 3, 17, 21):
                v[a] = v[a] + v[b] & BITS_64
                v[b] = turn(v[b], first) ^ v[a]
                v[a] = turn(v[a], 32)
                v[c] = v[c] + v[d] & BITS_64
                v[d] = turn(v[d], second) ^ v[c]
        return v

    padded = data.ljust((len(data) // 8 + 1) * 8 - 1, b"\0") + bytes([len(data) & 255])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at:at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 255
    rounds(4)
    return (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


class Ecpix5(Board):
    def __init__(self, dut, seed):
        # The core's clock is that of the bitstream.
        clocks = (dut.clk, 24000), (dut.mem_clock, 13334), (dut.rx_clock, 8000), (dut.tx_clock, 8002)
        super().__init__(dut, seed, 29, clocks)
        self.key = self.draw.randbytes(16)
        dut.identity_board.value = int(MAC.replace(":", ""), 16)
        dut.identity_host.value = int(HOST.replace(":", ""), 16)
        dut.identity_key.value = int.from_bytes(self.key, "little")
        self.source, self.framed = RgmiiSource(dut.rxd, dut.rx_ctl, dut.rx_clock), GmiiFrame.from_payload
        self.nonce = self.sequence = 0
        # Answers to the host, and all other frames.
        self.answers, self.others = Queue(), Queue()
        self.comes = self.others.get

    async def power(self):
        await super().power()
        cocotb.start_soon(self._sort())

    async def _sort(self):
        # RGMII 2.0: the receiver's clock is 2 ns behind the data's edges. A reset may cut a frame off, so it listens from here on.
        self.dut.sink_clock.value = 0
        await RisingEdge(self.dut.tx_clock)
        await Timer(2, unit="ns")
        Clock(self.dut.sink_clock, 8002, unit="ps").start()
        sink = RgmiiSink(self.dut.txd, self.dut.tx_ctl, self.dut.sink_clock)
        while True:
            frame = await sink.recv()
            kind = bytes(frame.get_payload())[12:14]
            (self.answers if kind == wire.HOST_ETHERTYPE.to_bytes(2, "big") else self.others).put_nowait(frame)

    # --- The host's frames, docs/reference/ecpix5.md §3.
    def asked(self, kind, address=0, word=0, nonce=None, sequence=None, key=None):
        """A frame of the host's; another nonce, sequence or key than is right."""
        ends = bytes.fromhex((MAC + HOST).replace(":", "")) + wire.HOST_ETHERTYPE.to_bytes(2, "big") + bytes([kind, 0])
        numbers = (nonce if nonce is not None else self.nonce, 8), (sequence or self.sequence, 8), (address, 4), (word, 4)
        body = b"".join(number.to_bytes(size, "little") for number, size in numbers)
        return ends + siphash(key or self.key, ends + body + bytes(4)) + body + bytes(16)

    async def access(self, frame):
        """The word of the answer, all of which must be right."""
        await self.send(frame)
        coming = await with_timeout(self.answers.get(), PATIENCE, "us")
        assert coming.check_fcs()
        came = bytes(coming.get_payload())
        ends = frame[6:12] + frame[:6] + frame[12:14] + bytes([frame[wire.HOST_KIND] | wire.HOST_ANSWER, 0])
        tag = siphash(self.key, ends + came[24:48] + bytes(4))
        assert came[:24] == ends + tag and came[48:] == bytes(16), f"{came.hex()} answers {frame.hex()}"
        assert came[wire.HOST_SEQUENCE:wire.HOST_DATA] == frame[wire.HOST_SEQUENCE:wire.HOST_DATA]
        if frame[wire.HOST_KIND] == wire.HOST_KIND_HELLO:
            self.nonce = int.from_bytes(came[wire.HOST_NONCE:][:8], "little")
        else:
            assert came[wire.HOST_NONCE:][:8] == frame[wire.HOST_NONCE:][:8]
        return int.from_bytes(came[wire.HOST_DATA:][:4], "little")

    async def hello(self):
        await self.access(self.asked(wire.HOST_KIND_HELLO, nonce=0, sequence=self.draw.getrandbits(64)))

    async def read(self, register):
        self.sequence += 1
        return await self.access(self.asked(wire.HOST_KIND_READ, register))

    async def write(self, register, word):
        self.sequence += 1
        await self.access(self.asked(wire.HOST_KIND_WRITE, register, word))

    # --- The slow path, by registers.
    async def take(self):
        """A frame for the slow path, when it is there."""
        frame, told = b"", 0
        while not told & wire.MAIL_LAST:
            await self.until(wire.REG_MAIL_STATUS, wire.MAIL_HAS, wire.MAIL_HAS, "a beat")
            told = await self.read(wire.REG_MAIL_BEAT)
            size = (told & wire.MAIL_LAST_BYTE_MASK) + 1
            words = [await self.read(wire.MAIL_IN + at) for at in range(0, size, 4)]
            frame += b"".join(word.to_bytes(4, "little") for word in words)[:size]
            await self.write(wire.REG_MAIL_BEAT, 0)
        return frame

    async def give(self, frame):
        for first in range(0, len(frame), 64):
            beat = frame[first:first + 64]
            for at in range(0, len(beat), 4):
                await self.write(wire.MAIL_OUT + at, int.from_bytes(beat[at:at + 4], "little"))
            await self.until(wire.REG_MAIL_STATUS, wire.MAIL_ROOM, wire.MAIL_ROOM, "room for a beat")
            last = wire.MAIL_LAST if first + 64 >= len(frame) else 0
            await self.write(wire.REG_MAIL_SEND, len(beat) - 1 | last)

    async def up(self):
        await self.power()
        await self.hello()
        await self.calibrate()
        await self.rules()

    async def rests(self):
        await self.until(wire.REG_REST, 3, 3, "rest")
        await ClockCycles(self.dut.clk, 200)
        assert self.others.empty() and self.answers.empty(), "more left than was asked for"
        assert await self.counter(wire.COUNTER_WATCHDOG) == 0
