"""A board between foreign models, as all boards are: DRAM, requests and their answers, counters, what a slow path sets up."""
import random

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiBus, AxiRam
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

import wire

MAC, PEER = "02:00:c0:ff:ee:01", "02:00:00:00:00:02"
BOARD_IP, PEER_IP = "10.0.0.1", "10.0.0.2"
EPOCH = 9
# Nothing may take longer, in microseconds.
PATIENCE = 400


def pauses(seed, likely):
    draw = random.Random(seed)
    while True:
        yield draw.random() < likely


class Board:
    """What a board has of its own: `read` and `write` of registers; `source`, to which frames go that `framed` makes; `comes`."""

    def __init__(self, dut, seed, memory_bits, clocks):
        self.dut, self.seed, self.draw = dut, seed, random.Random(seed)
        for signal in dut.reset, dut.mem_reset:
            signal.value = 1
        dut.mem_calibrated.value = 0
        self.build = self.draw.getrandbits(32), self.draw.getrandbits(32)
        dut.build_hash.value, dut.build_date.value = self.build
        for clock, period in clocks:
            Clock(clock, period, unit="ps").start()
        self.dram = AxiRam(AxiBus.from_prefix(dut, "mem"), dut.mem_clock, size=1 << memory_bits)
        self.operation = 0

    def pause(self, *models, likely=0.3):
        """Every channel of these models waits now and then."""
        for number, model in enumerate(models):
            write, read = model.write_if, model.read_if
            channels = write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel
            for channel, pausing in enumerate(channels):
                pausing.set_pause_generator(pauses(100 * self.seed + 10 * number + channel, likely))

    # --- Registers.
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
        await self.source.send(self.framed(frame))

    async def leaves(self):
        """The next frame that leaves, whose check sequence must be right."""
        frame = await with_timeout(self.comes(), PATIENCE, "us")
        assert frame.check_fcs(), "a frame leaves with a wrong check sequence"
        return bytes(frame.get_payload())


def header(opcode, epoch, pid, operation, time, va, length):
    """docs/reference/wire.md, Header: version 1 without a trailer, the first attempt."""
    fields = [(0x10, 1), (opcode, 1), (epoch, 1), (pid, 3), (operation, 4), (0, 1), (time, 3), (va, 6), (length, 2)]
    return b"".join(value.to_bytes(size, "big") for value, size in fields)


def time_of(frame):
    """The time field of an answer: behind Ethernet, IP and UDP, 42 bytes."""
    return int.from_bytes(frame[42 + wire.FIELD_TIME:][:3], "big")


def operation_of(frame):
    return int.from_bytes(frame[42 + wire.FIELD_OP_ID:][:4], "big")
