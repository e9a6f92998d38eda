"""What both Ethernet ports are asked: frames either way between a foreign MAC side and a foreign stream."""
import random

from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

import wire

# Shortest to longest payload of a frame without its check sequence, and those round the width of a beat.
LENGTHS = [60, 61, 63, 64, 65, 127, 128, 129, 255, 512, 1000, 1513, 1514]
# Frames each way, beside those of LENGTHS.
DRAWN = 60
# Nothing may take longer, in microseconds.
PATIENCE = 2_000


class Stream:
    """The core's side."""

    def __init__(self, dut):
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "net_tx"), dut.clk, dut.reset)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "net_rx"), dut.clk, dut.reset)


def drawn(seed):
    """Frames whose bytes and lengths the seed decides: to nobody in particular, of no type that a MAC serves itself."""
    draw = random.Random(seed)
    lengths = LENGTHS + [draw.randint(60, 1514) for _ in range(DRAWN)]
    return [bytes.fromhex("0200c0ffee01020304050607") + b"\x88\xb5" + draw.randbytes(length - 14) for length in lengths]


def within(coming):
    """What comes; fails when it takes too long."""
    return with_timeout(coming, PATIENCE, "us")


async def counter(dut, index):
    dut.counter_index.value = index
    await ClockCycles(dut.clk, 4)
    return int(dut.counter_value.value)


async def to_core(dut, source, stream, frames, make):
    """Every frame comes to the core as it was, in order, none twice."""
    for frame in frames:
        await source.send(make(frame))
    for frame in frames:
        came = await within(stream.sink.recv())
        assert bytes(came.tdata) == frame, f"{len(frame)} bytes came as {len(came.tdata)}"
        user = came.tuser if isinstance(came.tuser, list) else [came.tuser]
        assert not any(user), "a good frame is called bad"
    await ClockCycles(dut.clk, 200)
    assert stream.sink.empty(), "more came than was sent"


async def from_core(dut, sink, stream, frames):
    """Every frame leaves as it was, in order, with a check sequence that the foreign side computes, too."""
    for frame in frames:
        await stream.source.send(AxiStreamFrame(frame, tuser=0))
    for frame in frames:
        left = await within(sink.recv())
        assert left.check_fcs(), f"check sequence of {len(frame)} bytes"
        assert bytes(left.get_payload()) == frame, f"{len(frame)} bytes left otherwise"
    await ClockCycles(dut.clk, 200)
    assert sink.empty(), "more left than was sent"


async def damaged(dut, source, stream, make):
    """A frame with one wrong bit is left out and counted; the one behind it comes."""
    good, bad = drawn(3)[:2]
    frame = make(bad)
    frame.data[30] ^= 1
    numbers = wire.PORT_RX_BAD_FCS, wire.PORT_RX_FRAMES
    before = [await counter(dut, number) for number in numbers]
    await source.send(frame)
    await to_core(dut, source, stream, [good], make)
    after = [await counter(dut, number) for number in numbers]
    assert after == [count + 1 for count in before], f"{before} became {after}"
