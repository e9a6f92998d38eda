"""The ZCU106 between foreign models: masters of the processor's, memory that its rings are in, and a 10G line."""
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam
from cocotbext.eth import XgmiiFrame

import pcs
import wire
from board import Board

# Where the rings lie in the processor's memory: an address of more than 32 bits.
RINGS = 0x40_0001_2340
OKAY = 0


class Zcu106(Board):
    def __init__(self, dut, seed):
        dut.rx_signalOk.value = 0
        # Nothing is a multiple of anything; the line's clocks are 312 ppm apart.
        clocks = (dut.clk, 4000), (dut.mem_clock, 3334), (dut.rx_clock, 6400), (dut.tx_clock, 6402)
        super().__init__(dut, seed, 31, clocks)
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "regs"), dut.clk)
        self.window = AxiMaster(AxiBus.from_prefix(dut, "window"), dut.clk)
        self.memory = AxiRam(AxiBus.from_prefix(dut, "ring"), dut.clk, size=1 << 49)
        self.line = pcs.Line(dut, seed)
        self.source, self.comes, self.framed = self.line.source, self.line.sink.recv, XgmiiFrame.from_payload

    def pause(self):
        super().pause(self.registers, self.window, self.dram, self.memory)

    async def read(self, register):
        answer = await self.registers.read(register, 4)
        assert answer.resp == OKAY, f"register {register:#x} answers {answer.resp!r}"
        return int.from_bytes(answer.data, "little")

    async def write(self, register, value, size=4):
        answer = await self.registers.write(register, value.to_bytes(size, "little"))
        assert answer.resp == OKAY, f"register {register:#x} answers {answer.resp!r}"

    async def link(self):
        self.line.start()
        self.dut.rx_signalOk.value = 1
        faults = wire.PORT_LOCKED | wire.PORT_LOCAL_FAULT | wire.PORT_REMOTE_FAULT
        await self.until(wire.PORT_BASE + wire.REG_PORT_STATUS, faults, wire.PORT_LOCKED, "a link")
        await ClockCycles(self.dut.clk, 200)
        self.line.sink.clear()
        self.line.wrong = 0
        await ClockCycles(self.dut.clk, 200)
        self.blocks()

    def blocks(self):
        assert self.line.wrong == 0, f"{self.line.wrong} blocks came that clause 49 does not know, or not there"

    async def up(self, pages=()):
        """Power, DRAM, these free pages, which the board zeroes, and then the line: a board that serves."""
        await self.power()
        await self.calibrate()
        await self.rules()
        for page in pages:
            await self.write(wire.REG_ZERO_PUSH, page)
        await self.until(wire.REG_ASYNC_LEVEL, 0xFF, len(pages), "free pages")
        await self.link()

    async def rests(self):
        """Nothing is on the board, and nothing but idles leaves it."""
        await self.until(wire.REG_REST, 3, 3, "rest")
        await ClockCycles(self.dut.clk, 300)
        assert self.line.sink.empty(), "more left than was asked for"
        self.blocks()
        assert await self.counter(wire.COUNTER_WATCHDOG) == 0


class Rings:
    """The slow path's side of the rings, as docs/reference/device.md has it."""

    def __init__(self, board):
        self.board = board

    async def start(self):
        board = self.board
        await self.stop()
        # Frames that were taken and given: a start puts all counts to 0.
        self.taken = self.given = 0
        self.slots, self.bytes = await board.read(wire.REG_RING_SLOTS), await board.read(wire.REG_RING_SLOT_BYTES)
        # What an earlier life has left there.
        for number in range(2 * self.slots):
            board.memory.write(RINGS + number * self.bytes, board.draw.randbytes(64))
            board.memory.write(RINGS + number * self.bytes + wire.SLOT_SEQUENCE, bytes(4))
        await board.write(wire.REG_RING_BASE_LOW, RINGS & 0xFFFFFFFF)
        await board.write(wire.REG_RING_BASE_HIGH, RINGS >> 32)
        await board.write(wire.REG_RING_CONTROL, wire.RING_ENABLE | wire.RING_INTERRUPT)

    async def stop(self):
        await self.board.write(wire.REG_RING_CONTROL, 0)
        await self.board.until(wire.REG_RING_STATUS, wire.RING_RUNNING, 0, "rings that rest")

    def _slot(self, ring, frame):
        return RINGS + (ring * self.slots + frame % self.slots) * self.bytes

    async def clear(self):
        """Takes the events and answers them: which there were."""
        pending = await self.board.read(wire.REG_RING_PENDING)
        await self.board.write(wire.REG_RING_PENDING, pending)
        return pending

    async def receive(self):
        """The frames that have come since the last time."""
        memory, frames = self.board.memory, []
        while memory.read_dword((at := self._slot(0, self.taken)) + wire.SLOT_SEQUENCE) == self.taken + 1:
            assert memory.read(at + 8, 56) == bytes(56), "the rest of a slot's header is not zero"
            frames.append(memory.read(at + wire.SLOT_HEADER_BYTES, memory.read_dword(at + wire.SLOT_LENGTH)))
            self.taken += 1
        await self.board.write(wire.REG_RX_TAIL, self.taken)
        return frames

    def put(self, frame, length=None):
        """A frame for the board, and the length that its slot tells; the board is not told yet."""
        memory, at = self.board.memory, self._slot(1, self.given)
        self.given += 1
        memory.write(at + wire.SLOT_HEADER_BYTES, frame)
        memory.write_dword(at + wire.SLOT_LENGTH, len(frame) if length is None else length)
        memory.write_dword(at + wire.SLOT_SEQUENCE, self.given)

    async def tell(self):
        await self.board.write(wire.REG_TX_HEAD, self.given)
