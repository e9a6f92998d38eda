"""A whole board between foreign models: DRAM, the processor's memory, its masters, and the line; what a slow path does with them."""
import random

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam
from cocotbext.eth import XgmiiFrame
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

import pcs
import wire

MAC, PEER = "02:00:c0:ff:ee:01", "02:00:00:00:00:02"
BOARD_IP, PEER_IP = "10.0.0.1", "10.0.0.2"
EPOCH = 9
# Nothing may take longer, in microseconds.
PATIENCE = 400
# Where the rings lie in the processor's memory: an address of more than 32 bits.
RINGS = 0x40_0001_2340 & ~63
OKAY = 0


def pauses(seed, likely):
    draw = random.Random(seed)
    while True:
        yield draw.random() < likely


class Board:
    def __init__(self, dut, seed):
        self.dut, self.seed, self.draw = dut, seed, random.Random(seed)
        for signal in dut.reset, dut.mem_reset:
            signal.value = 1
        for signal in dut.mem_calibrated, dut.rx_signalOk:
            signal.value = 0
        self.build = self.draw.getrandbits(32), self.draw.getrandbits(32)
        dut.build_hash.value, dut.build_date.value = self.build
        # Nothing is a multiple of anything; the line's clocks are 156 ppm apart.
        for clock, period in (dut.clk, 4000), (dut.mem_clock, 3334), (dut.rx_clock, 6400), (dut.tx_clock, 6402):
            Clock(clock, period, unit="ps").start()
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "regs"), dut.clk)
        self.window = AxiMaster(AxiBus.from_prefix(dut, "window"), dut.clk)
        self.dram = AxiRam(AxiBus.from_prefix(dut, "mem"), dut.mem_clock, size=1 << 31)
        self.memory = AxiRam(AxiBus.from_prefix(dut, "ring"), dut.clk, size=1 << 49)
        self.line = pcs.Line(dut, seed)
        self.operation = 0

    def pause(self, likely=0.3):
        """Every channel of every model waits now and then."""
        sides = [(m.write_if, m.read_if) for m in (self.registers, self.window, self.dram, self.memory)]
        for number, (write, read) in enumerate(sides):
            channels = write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel
            for channel, pausing in enumerate(channels):
                pausing.set_pause_generator(pauses(100 * self.seed + 10 * number + channel, likely))

    # --- Registers.
    async def read(self, register):
        answer = await self.registers.read(register, 4)
        assert answer.resp == OKAY, f"register {register:#x} answers {answer.resp!r}"
        return int.from_bytes(answer.data, "little")

    async def write(self, register, value, size=4):
        answer = await self.registers.write(register, value.to_bytes(size, "little"))
        assert answer.resp == OKAY, f"register {register:#x} answers {answer.resp!r}"

    async def until(self, register, mask, value, what):
        """Reads a register until its bits of the mask are the value."""
        for _ in range(4_000):
            came = await self.read(register)
            if came & mask == value:
                return
            await ClockCycles(self.dut.clk, 20)
        raise AssertionError(f"never: {what}; {register:#x} is {came:#x}")

    async def counter(self, number):
        return await self.read(wire.COUNTER_BASE + 4 * number)

    async def port(self, number):
        return await self.read(wire.PORT_BASE + wire.PORT_COUNTERS + 4 * number)

    async def port_counts(self):
        """Counters of the port that tell of what was received and sent, once they have come over from the line's clocks."""
        await ClockCycles(self.dut.clk, 300)
        return [await self.port(number) for number in range(wire.PORT_TX_REFUSED + 1)]

    # --- From power-up to a board that serves.
    async def power(self):
        await ClockCycles(self.dut.clk, 20)
        self.dut.reset.value = 0
        await ClockCycles(self.dut.clk, 50)

    async def calibrate(self):
        self.dut.mem_reset.value = 0
        await ClockCycles(self.dut.clk, 50)
        self.dut.mem_calibrated.value = 1
        await self.until(wire.REG_DEVICE_STATUS, 3, wire.DEVICE_MEMORY_READY, "DRAM")
        await self.until(wire.REG_MAGIC, 0xFFFFFFFF, wire.MAGIC, "the core")

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

    async def rules(self):
        """Addresses, epoch, window, which requests are whose; what comes is served from now on."""
        mac = int(MAC.replace(":", ""), 16)
        rows = [
            (0x0800_11_00, 0xFFFF_FF_F0, wire.MAT_ACTION_FAST),
            (0x0806_00_00, 0xFFFF_00_00, wire.MAT_ACTION_SLOW),
            (0x0800_11_00 | wire.OP_PING, 0xFFFF_FF_FF, wire.MAT_ACTION_SLOW),
            (0x0800_11_00 | wire.OP_OPEN, 0xFFFF_FF_FF, wire.MAT_ACTION_SLOW),
        ]
        for row, (value, mask, action) in enumerate(rows):
            for register, word in (wire.REG_MAT_VALUE0, value), (wire.REG_MAT_VALUE1, 0):
                await self.write(register, word)
            for register, word in (wire.REG_MAT_MASK0, mask), (wire.REG_MAT_MASK1, 0):
                await self.write(register, word)
            await self.write(wire.REG_MAT_COMMIT, 1 << 16 | action << 8 | row)
        ip = int.from_bytes(bytes(map(int, BOARD_IP.split("."))))
        settings = [
            (wire.REG_MAC_LOW, mac & 0xFFFFFFFF), (wire.REG_MAC_HIGH, mac >> 32), (wire.REG_IP, ip),
            (wire.REG_EPOCH, EPOCH), (wire.REG_WINDOW, 1 << 16), (wire.REG_UDP_PORT, wire.DEFAULT_UDP_PORT),
            (wire.REG_CONTROL, 1),
        ]
        for register, word in settings:
            await self.write(register, word)
        self.time = await self.read(wire.REG_TICK)

    async def up(self, pages=()):
        """Power, DRAM, these free pages, which the board zeroes, and then the line: a board that serves."""
        await self.power()
        await self.calibrate()
        await self.rules()
        for page in pages:
            await self.write(wire.REG_ZERO_PUSH, page)
        await self.until(wire.REG_ASYNC_LEVEL, 0xFF, len(pages), "free pages")
        await self.link()

    # --- Frames.
    def request(self, opcode, va=0, length=0, payload=b"", pid=7):
        """A request's number and its frame."""
        self.operation += 1
        message = header(opcode, EPOCH, pid, self.operation, self.time, va, length) + payload
        packet = IP(src=PEER_IP, dst=BOARD_IP, flags="DF") / UDP(sport=40000, dport=wire.DEFAULT_UDP_PORT) / message
        return self.operation, bytes(Ether(src=PEER, dst=MAC) / packet)

    def answer(self, opcode, operation, time, va, length=0, payload=b"", pid=7, status=0):
        """The whole frame that answers a request, as docs/reference/contracts.md has it."""
        message = header(opcode | wire.RESPONSE_BIT, status, pid, operation, time, va, length) + payload
        packet = IP(src=BOARD_IP, dst=PEER_IP, id=0, flags="DF", ttl=64)
        ports = UDP(sport=wire.DEFAULT_UDP_PORT, dport=40000, chksum=0)
        return bytes(Ether(src=MAC, dst=PEER) / packet / ports / message)

    async def send(self, frame):
        await self.line.source.send(XgmiiFrame.from_payload(frame))

    async def leaves(self):
        """The next frame that leaves, whose check sequence must be right."""
        frame = await with_timeout(self.line.sink.recv(), PATIENCE, "us")
        assert frame.check_fcs(), "a frame leaves with a wrong check sequence"
        return bytes(frame.get_payload())

    async def rests(self):
        """Nothing is on the board, and nothing but idles leaves it."""
        await self.until(wire.REG_REST, 3, 3, "rest")
        await ClockCycles(self.dut.clk, 300)
        assert self.line.sink.empty(), "more left than was asked for"
        self.blocks()
        assert await self.counter(wire.COUNTER_WATCHDOG) == 0


def header(opcode, epoch, pid, operation, time, va, length):
    """docs/reference/wire.md, Header: version 1 without a trailer, the first attempt."""
    fields = [(0x10, 1), (opcode, 1), (epoch, 1), (pid, 3), (operation, 4), (0, 1), (time, 3), (va, 6), (length, 2)]
    return b"".join(value.to_bytes(size, "big") for value, size in fields)


def time_of(frame):
    """The time field of an answer: behind Ethernet, IP and UDP, 42 bytes."""
    return int.from_bytes(frame[42 + wire.FIELD_TIME:][:3], "big")


def operation_of(frame):
    return int.from_bytes(frame[42 + wire.FIELD_OP_ID:][:4], "big")


class Table:
    """Where a board of these parameters has a page's entry, as docs/reference/contracts.md §3 tells."""

    def __init__(self, page_bits, mem_bits, slots_log2):
        self.page_bits, self.bits = page_bits, mem_bits - page_bits + slots_log2 - 3
        self.ppn_bits = max(mem_bits - page_bits, wire.PPN_BITS_MIN)
        self.high_bits = wire.VA_BITS - page_bits - self.bits
        self.tag_at = wire.PTE_TAG_TOP_BIT - wire.PID_BITS - self.high_bits

    def tag(self, pid, vpn):
        return pid << self.high_bits | vpn >> self.bits

    def bucket(self, pid, vpn):
        """The address of the page's bucket."""
        mask, fold, rest = (1 << self.bits) - 1, 0, self.tag(pid, vpn)
        while rest:
            fold ^= rest & mask
            rest >>= self.bits
        return 64 * (vpn & mask ^ fold)

    def entry(self, pid, vpn, ppn, *bits):
        """An entry of the page with these bits, by number."""
        word = self.tag(pid, vpn) << self.tag_at | ppn | sum(1 << bit for bit in bits)
        return word | (word.bit_count() & 1) << wire.PTE_PARITY_BIT


class Rings:
    """The slow path's side of the rings, as docs/reference/device.md has it."""

    def __init__(self, board):
        self.board, self.taken, self.given = board, 0, 0

    async def start(self):
        board = self.board
        await self.stop()
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
