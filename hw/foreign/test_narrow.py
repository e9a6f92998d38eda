"""The ECPIX-5's narrow memory port between cocotbext-axi's master and its memory, which checks the protocol."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiBus, AxiMaster, AxiRam

BYTES = 1 << 16
OPERATIONS = 150


def pauses(draw):
    while True:
        yield draw.random() < 0.3


async def begin(dut, seed):
    Clock(dut.clk, 13, unit="ns").start()
    core = AxiMaster(AxiBus.from_prefix(dut, "core"), dut.clk, dut.reset, max_burst_len=64)
    dram = AxiRam(AxiBus.from_prefix(dut, "dram"), dut.clk, dut.reset, size=BYTES)
    writes, reads = dram.write_if, dram.read_if
    ours = core.write_if, core.read_if
    channels = [writes.aw_channel, writes.w_channel, writes.b_channel, reads.ar_channel, reads.r_channel]
    channels += [ours[0].b_channel, ours[0].w_channel, ours[1].r_channel]
    for number, channel in enumerate(channels):
        channel.set_pause_generator(pauses(random.Random(100 * seed + number)))
    dut.reset.value = 1
    await ClockCycles(dut.clk, 10)
    dut.reset.value = 0
    await ClockCycles(dut.clk, 10)
    return core, dram


@cocotb.test()
async def what_is_written_is_read_and_nothing_else_changes(dut):
    core, dram = await begin(dut, 1)
    draw, model = random.Random(1), bytearray(random.Random(2).randbytes(BYTES))
    dram.write(0, bytes(model))
    for _ in range(OPERATIONS):
        length = draw.choice([1, 7, 8, 63, 64, 65, 512, 2048, 2049, 4096, draw.randint(1, 6000)])
        at = draw.randrange(0, BYTES - length)
        if draw.random() < 0.5:
            data = draw.randbytes(length)
            model[at:at + length] = data
            await core.write(at, data)
        else:
            read = await core.read(at, length)
            assert bytes(read.data) == model[at:at + length], f"{length} bytes at {at:#x}"
    assert dram.read(0, BYTES) == model, "the memory is another"


@cocotb.test()
async def many_at_once(dut):
    core, dram = await begin(dut, 3)
    draw = random.Random(3)
    pieces = [draw.randbytes(4096) for _ in range(BYTES // 4096)]
    writes = [core.init_write(4096 * number, piece) for number, piece in enumerate(pieces)]
    for write in writes:
        await write.wait()
    reads = [core.init_read(4096 * number, 4096) for number in range(len(pieces))]
    for number, (read, piece) in enumerate(zip(reads, pieces)):
        await read.wait()
        assert bytes(read.data.data) == piece, f"page {number}"
    assert dram.read(0, BYTES) == b"".join(pieces)
