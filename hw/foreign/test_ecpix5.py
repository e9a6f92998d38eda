"""The ECPIX-5's whole top between foreign models: from a frame on the line to DRAM and to its host, and back."""
import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.eth import GmiiFrame

import wire
from board import PEER
from ecpix5 import Ecpix5
from pages import READ_WRITE, SPAN, served

# Requests that are drawn.
DRAWN = 32


@cocotb.test()
async def a_host_reads_and_writes_registers_and_nobody_else(dut):
    board = Ecpix5(dut, 1)
    await board.power()
    await board.hello()
    # Without DRAM the board tells what it is; the core's registers are 0, and nothing is written there.
    assert await board.read(wire.REG_DEVICE_MAGIC) == wire.DEVICE_MAGIC
    assert await board.read(wire.REG_DEVICE_STATUS) == 0 and await board.read(wire.REG_MAGIC) == 0
    await board.write(wire.REG_IP, 0x12345678)
    await board.calibrate()
    told = {
        wire.REG_PAGE_BITS: 22, wire.REG_MEM_BITS: 29, wire.REG_TLB_ENTRIES: 32, wire.REG_MISSES: 2,
        wire.REG_FILTER_ENTRIES: 512, wire.REG_ASYNC_DEPTH: 16, wire.REG_PACKET_SLOTS: 8, wire.REG_MAX_PAYLOAD: 1450,
        wire.REG_BUILD_HASH: board.build[0], wire.REG_BUILD_DATE: board.build[1], wire.REG_IP: 0,
        wire.REG_DEVICE_TARGET: wire.TARGET_ECPIX5, wire.REG_RING_SLOTS: 0,
    }
    assert {register: await board.read(register) for register in told} == told
    word = board.draw.getrandbits(32)
    await board.write(wire.REG_IP, word)
    # The same frame again has the same answer, and does nothing.
    again = board.asked(wire.HOST_KIND_WRITE, wire.REG_IP, word)
    assert await board.read(wire.REG_IP) == word
    # Of an earlier time, of another life, under another key, of somebody else: dropped, each by its counter.
    board.sequence += 1
    refused = [
        again, board.asked(wire.HOST_KIND_WRITE, wire.REG_IP, 1, nonce=board.nonce ^ 1),
        board.asked(wire.HOST_KIND_WRITE, wire.REG_IP, 2, key=bytes(16)),
        (other := board.asked(wire.HOST_KIND_WRITE, wire.REG_IP, 3))[:6] + bytes.fromhex(PEER.replace(":", "")) + other[12:],
    ]
    for frame in refused:
        await board.send(frame)
        await ClockCycles(dut.clk, 200)
    assert board.answers.empty(), "a frame that is to be dropped is answered"
    counters = wire.REG_HOST_STALE, wire.REG_HOST_BAD_TAG, wire.REG_HOST_FOREIGN, wire.REG_HOST_BUSY
    assert [await board.read(counter) for counter in counters] == [2, 1, 1, 0]
    assert await board.read(wire.REG_IP) == word
    again = board.asked(wire.HOST_KIND_READ, wire.REG_IP)
    assert await board.access(again) == word


@cocotb.test()
async def words_go_to_memory_and_back_and_a_damaged_frame_does_nothing(dut):
    board = Ecpix5(dut, 2)
    await board.up()
    pages = await served(board, [(7, 5, 3, READ_WRITE), (0xABCDEF, 0x2345678, 127, READ_WRITE)])
    board.pause(board.dram)
    damaged = GmiiFrame.from_payload(board.request(wire.OP_WRITE, 5 << 22, 100, bytes(100))[1])
    damaged.data[60] ^= 1
    await board.source.send(damaged)
    asked = [pages.drawn(*board.draw.choice(pages.pages + [(8, 5)])[:2]) for _ in range(DRAWN)]
    # As many as wait at the board, and no more.
    for first in range(0, DRAWN, 4):
        await pages.ask(asked[first:first + 4])
    await board.rests()
    for pid, vpn, ppn, rights in pages.pages:
        assert board.dram.read(ppn << pages.table.page_bits, SPAN) == pages.model[pid, vpn], f"page {ppn}"
        used = wire.PTE_VALID_BIT, wire.PTE_ACCESSED_BIT, wire.PTE_DIRTY_BIT, *rights
        assert board.dram.read_qword(pages.at(pid, vpn)) == pages.table.entry(pid, vpn, ppn, *used)
    counts = [await board.counter(wire.COUNTER_STATUS_OK + status) for status in range(wire.STATUS_UNAUTHENTICATED + 1)]
    assert counts == [sum(status == answered for *_, answered in asked) for status in range(len(counts))]
    assert await board.port(wire.PORT_RX_BAD_FCS) == 1


@cocotb.test()
async def a_slow_request_goes_to_the_host_and_its_answer_leaves(dut):
    board = Ecpix5(dut, 3)
    await board.up()
    for length in 1, 64, 400:
        frame = board.request(wire.OP_PING, 0, length, board.draw.randbytes(length))[1]
        await board.send(frame)
        assert await board.take() == frame, "a frame comes to the slow path otherwise"
        answer = board.draw.randbytes(60 + length)
        await board.give(answer)
        assert await board.leaves() == answer, "a frame leaves otherwise"
    assert [await board.counter(number) for number in (wire.COUNTER_SLOW_TX, wire.COUNTER_SLOW_RX)] == [3, 3]
    await board.rests()
