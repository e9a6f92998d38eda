"""The ZCU106's whole top between foreign models: from a frame on the line to DRAM and to the processor, and back."""
import os

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.eth import XgmiiFrame
from cocotbext.eth.constants import XgmiiCtrl
from scapy.layers.l2 import ARP, Ether

import wire
from board import BOARD_IP, PATIENCE, PEER, PEER_IP, operation_of, time_of
from pages import READ_WRITE, SPAN, served
from zcu106 import Rings, Zcu106

# Requests that are drawn.
DRAWN = 96
# CI's time is short.
SHORT = os.environ.get("MNEME_FOREIGN") == "short"


@cocotb.test()
async def the_processor_reads_and_writes_registers(dut):
    board = Zcu106(dut, 1)
    board.pause()
    await board.power()
    # Without DRAM the board tells what it is; the core's registers are 0, and nothing is written there.
    assert await board.read(wire.REG_DEVICE_MAGIC) == wire.DEVICE_MAGIC
    assert await board.read(wire.REG_DEVICE_STATUS) == 0 and await board.read(wire.REG_MAGIC) == 0
    await board.write(wire.REG_IP, 0x12345678)
    await board.calibrate()
    told = {
        wire.REG_MAGIC: wire.MAGIC, wire.REG_WIRE_VERSION: wire.WIRE_VERSION, wire.REG_PAGE_BITS: 22, wire.REG_MEM_BITS: 31,
        wire.REG_TLB_ENTRIES: 256, wire.REG_TLB_WAYS: 4, wire.REG_MISSES: 8, wire.REG_FILTER_ENTRIES: 4096,
        wire.REG_FILTER_WAYS: 8, wire.REG_ASYNC_DEPTH: 64, wire.REG_PACKET_SLOTS: 64, wire.REG_TICK_LOG2: 11,
        wire.REG_MAX_PAYLOAD: 1450, wire.REG_BUILD_HASH: board.build[0], wire.REG_BUILD_DATE: board.build[1],
        wire.REG_IP: 0, wire.REG_DEVICE_VERSION: wire.DEVICE_VERSION, wire.REG_DEVICE_TARGET: wire.TARGET_ZCU106,
        wire.REG_DEVICE_PORTS: 1, wire.REG_RING_SLOTS: 256, wire.REG_RING_SLOT_BYTES: 1600,
        # Where no register is.
        0xF8: 0, 0x3FC: 0, 0xFFC: 0, 0x10FC: 0, 0x1FFC: 0,
    }
    for register in told:
        # None of them changes, nor is a write answered with an error.
        if register != wire.REG_IP:
            await board.write(register, 0xFFFFFFFF)
    reads = {register: board.registers.init_read(register, 4) for register in told}
    for register, read in reads.items():
        await read.wait()
        assert read.data.resp == 0 and int.from_bytes(read.data.data, "little") == told[register], f"{register:#x}"
    # Bytes of registers that keep what is written, one or more at a time.
    keep = {wire.REG_IP: 4, wire.REG_MAC_LOW: 4, wire.REG_MAC_HIGH: 2, wire.REG_UDP_PORT: 2, wire.REG_BUSY_HINT: 4}
    model = {register: bytearray(4) for register in keep}
    for register in keep:
        await board.write(register, 0)
    for _ in range(60):
        register, size = board.draw.choice(list(keep.items()))
        at = board.draw.randrange(size)
        data = board.draw.randbytes(board.draw.randint(1, size - at))
        model[register][at:at + len(data)] = data
        await board.write(register + at, int.from_bytes(data, "little"), len(data))
        read = await board.registers.read(register, 4)
        assert read.data == model[register], f"{register:#x} is {read.data.hex()} and not {model[register].hex()}"
    # A reset of the core alone, by the word for it.
    await board.write(wire.REG_CORE_RESET, wire.DEVICE_MAGIC)
    await board.until(wire.REG_DEVICE_STATUS, 3, wire.DEVICE_MEMORY_READY, "the core's end of reset")
    assert await board.read(wire.REG_IP) == 0 and await board.read(wire.REG_MAGIC) == wire.MAGIC


@cocotb.test()
async def the_processor_sees_dram_through_its_window(dut):
    board = Zcu106(dut, 2)
    await board.power()
    await board.calibrate()
    board.pause()
    draw, base = board.draw, (1 << 31) - 2 * SPAN
    model = bytearray(draw.randbytes(SPAN))
    board.dram.write(base, bytes(model))
    for _ in range(80):
        # Narrow beats, and bursts that begin amid a beat.
        size = draw.choice([None, None, 0, 1, 2, 3])
        length = draw.choice([1, 16, 63, 64, 65, draw.randint(1, 200 if size is not None else 4500)])
        at = draw.randrange(SPAN - length)
        if draw.random() < 0.5:
            data = draw.randbytes(length)
            model[at:at + length] = data
            answer = await board.window.write(base + at, data, size=size)
        else:
            answer = await board.window.read(base + at, length, size=size)
            assert bytes(answer.data) == model[at:at + length], f"{length} bytes at {at:#x} of {size}"
        assert answer.resp == 0
    assert board.dram.read(base, SPAN) == model and board.dram.read(base + SPAN, SPAN) == bytes(SPAN)


@cocotb.test()
async def words_go_to_memory_and_back_by_entries_of_the_test(dut):
    board = Zcu106(dut, 3)
    await board.up()
    pages = await served(board, [
        (7, 5, 3, READ_WRITE), (7, 0x2345678, 511, READ_WRITE), (0xABCDEF, 5, 100, READ_WRITE),
        (7, 6, 4, (wire.PTE_ALLOCATED_BIT, wire.PTE_READ_BIT)),
    ])
    board.pause()
    missing = 8, 5
    places = [page[:2] for page in pages.pages] + [missing]
    asked = [pages.drawn(*board.draw.choice(places)) for _ in range(DRAWN)]
    # More than the board has packet slots never wait there.
    for first in range(0, DRAWN, 16):
        await pages.ask(asked[first:first + 16])
    await board.rests()
    for pid, vpn, ppn, rights in pages.pages:
        begin, entry = ppn << pages.table.page_bits, board.dram.read_qword(pages.at(pid, vpn))
        assert board.dram.read(begin, SPAN) == pages.model[pid, vpn], f"page {ppn}"
        assert board.dram.read(begin + SPAN, SPAN) == bytes(SPAN)
        used = wire.PTE_VALID_BIT, wire.PTE_ACCESSED_BIT, *rights
        used += (wire.PTE_DIRTY_BIT,) if wire.PTE_WRITE_BIT in rights else ()
        assert entry == pages.table.entry(pid, vpn, ppn, *used), f"entry {entry:#x}"
    counts = [await board.counter(wire.COUNTER_STATUS_OK + status) for status in range(wire.STATUS_UNAUTHENTICATED + 1)]
    assert counts == [sum(status == answered for *_, answered in asked) for status in range(len(counts))]
    assert min(counts[wire.STATUS_OK], counts[wire.STATUS_UNMAPPED], counts[wire.STATUS_DENIED]) > 0
    port = await board.port_counts()
    assert port == [{wire.PORT_RX_FRAMES: DRAWN, wire.PORT_TX_FRAMES: DRAWN}.get(n, 0) for n in range(len(port))]


@cocotb.test()
async def errors_of_memory_are_told_and_no_damaged_read_passes_for_a_good_one(dut):
    board = Zcu106(dut, 4)
    await board.up()
    pages = await served(board, [(7, 5, 3, READ_WRITE)])
    bad = (3 << pages.table.page_bits) + 4096
    sides = board.dram.read_if, board.dram.write_if
    healthy = sides[0]._read, sides[1]._write

    async def read(address, length):
        assert address != bad
        return await healthy[0](address, length)

    async def write(address, data):
        assert address // 64 != bad // 64
        return await healthy[1](address, data)

    sides[0]._read, sides[1]._write = read, write
    memory_error = wire.STATUS_MEMERR, wire.CAUSE_DRAM << 40
    # The header of a read has left when its bytes come.
    number, frame = board.request(wire.OP_READ, 5 << 22 | 4000, 200)
    await board.send(frame)
    damaged = await with_timeout(board.line.sink.recv(), PATIENCE, "us")
    assert not damaged.check_fcs() and operation_of(damaged.get_payload()) == number
    for opcode, length, payload in (wire.OP_READ, 200, b""), (wire.OP_WRITE, 200, bytes(200)):
        number, frame = board.request(opcode, 5 << 22 | 4000, length, payload)
        await board.send(frame)
        came = await board.leaves()
        assert came == board.answer(opcode, number, time_of(came), memory_error[1], status=memory_error[0])
    sides[0]._read, sides[1]._write = healthy
    pages.model[7, 5][:] = board.dram.read(3 << pages.table.page_bits, SPAN)
    await pages.ask([pages.request(wire.OP_READ, 7, 5, 3900, 400)])
    assert await board.counter(wire.COUNTER_TX_DAMAGED) == 1 and await board.port(wire.PORT_TX_DAMAGED) == 1
    assert await board.counter(wire.COUNTER_MEM_ERROR) > 0
    await board.rests()


async def refuse(*_):
    raise IndexError("no such memory")


async def with_rings(dut, seed):
    """A board that serves, among masters and memories that pause, and its rings."""
    board = Zcu106(dut, seed)
    await board.up()
    rings = Rings(board)
    await rings.start()
    board.pause()
    return board, rings


@cocotb.test()
async def a_slow_request_goes_through_the_rings_and_its_answer_leaves(dut):
    board, rings = await with_rings(dut, 5)
    arp = bytes(Ether(src=PEER, dst="ff:ff:ff:ff:ff:ff") / ARP(hwsrc=PEER, psrc=PEER_IP, pdst=BOARD_IP)).ljust(60, b"\0")
    asked = [arp] + [
        board.request(opcode, 0, length, board.draw.randbytes(length))[1]
        for opcode, length in [(wire.OP_PING, 64), (wire.OP_OPEN, 112), (wire.OP_PING, 1450), (wire.OP_PING, 1)]
    ]
    assert dut.irq.value == 0
    for frame in asked[:1]:
        await board.send(frame)
    await with_timeout(RisingEdge(dut.irq), PATIENCE, "us")
    assert await rings.clear() == wire.PENDING_RECEIVED and dut.irq.value == 0
    came = await rings.receive()
    for frame in asked[1:]:
        await board.send(frame)
    await board.until(wire.REG_RX_HEAD, 0xFFFFFFFF, len(asked), "all frames in the ring")
    came += await rings.receive()
    assert came == asked, "frames come into the ring otherwise"
    assert dut.irq.value == 1 and await rings.clear() == wire.PENDING_RECEIVED
    # Coherent accesses, not secure ones: what the processor's port is to have.
    for kind in "aw", "ar":
        assert getattr(dut, f"ring_{kind}cache").value == 0xF and getattr(dut, f"ring_{kind}prot").value == 2
    answers = [board.draw.randbytes(length) for length in (60, 64, 106, 128, 129, 1514)]
    rings.put(answers[0])
    # Neither is a frame: shorter than its header, longer than a slot.
    for wrong in 13, rings.bytes - 63:
        rings.put(b"", length=wrong)
    for frame in answers[1:]:
        rings.put(frame)
    await rings.tell()
    assert [await board.leaves() for _ in answers] == answers, "frames leave otherwise"
    await board.until(wire.REG_TX_TAIL, 0xFFFFFFFF, rings.given, "all frames out of the ring")
    assert await rings.clear() == wire.PENDING_SENT and await board.read(wire.REG_RING_REFUSED) == 2
    # Memory refuses a frame's bytes: the frame is lost and counted, and the next one has its number.
    healthy, board.memory.write_if._write = board.memory.write_if._write, refuse
    await board.send(asked[1])
    await board.until(wire.REG_RING_LOST, 0xFFFFFFFF, 1, "a lost frame")
    board.memory.write_if._write = healthy
    await board.send(asked[2])
    await board.until(wire.REG_RX_HEAD, 0xFFFFFFFF, len(asked) + 1, "a frame behind a lost one")
    assert await rings.receive() == [asked[2]] and await board.read(wire.REG_RING_STATUS) & wire.RING_ERROR
    counts = [await board.counter(number) for number in (wire.COUNTER_SLOW_TX, wire.COUNTER_SLOW_RX)]
    assert counts == [len(asked) + 2, len(answers)]
    await rings.stop()
    await board.rests()


@cocotb.test(skip=SHORT)
async def both_rings_go_round_and_a_full_one_waits(dut):
    board, rings = await with_rings(dut, 9)
    beyond = 24
    lengths = [board.draw.choice([1, 64, board.draw.randint(1, 300)]) for _ in range(rings.slots + beyond)]
    asked = [board.request(wire.OP_PING, 0, length, board.draw.randbytes(length))[1] for length in lengths]
    # As many as fit, no more at once than the board has packet slots for; then some that find the ring full.
    for first in range(0, rings.slots, 32):
        for frame in asked[first:first + 32]:
            await board.send(frame)
        await board.until(wire.REG_RX_HEAD, 0xFFFFFFFF, first + 32, "frames in the ring")
    for frame in asked[rings.slots:]:
        await board.send(frame)
    await with_timeout(board.line.source.wait(), PATIENCE, "us")
    await ClockCycles(dut.clk, 1_000)
    assert await board.read(wire.REG_RX_HEAD) == rings.slots, "a full ring takes nothing"
    came = await rings.receive()
    assert len(came) == rings.slots
    await board.until(wire.REG_RX_HEAD, 0xFFFFFFFF, len(asked), "the frames that waited")
    came += await rings.receive()
    assert came == asked, "frames come into the ring otherwise"
    answers = [board.draw.randbytes(board.draw.randint(60, 200)) for _ in range(rings.slots + beyond)]
    for some in answers[:rings.slots], answers[rings.slots:]:
        for frame in some:
            rings.put(frame)
        await rings.tell()
        assert [await board.leaves() for _ in some] == some, "frames leave otherwise"
    await board.until(wire.REG_TX_TAIL, 0xFFFFFFFF, len(answers), "all frames out of the ring")
    assert await board.read(wire.REG_RING_REFUSED) == await board.read(wire.REG_RING_LOST) == 0
    await rings.stop()
    await board.rests()


@cocotb.test()
async def damaged_frames_are_counted_and_a_link_goes_and_comes_again(dut):
    board = Zcu106(dut, 6)
    await board.up()
    assert board.line.slips > 0, "blocks were where the board looked for them first"
    pages = await served(board, [(7, 5, 3, READ_WRITE)])
    rings = Rings(board)
    await rings.start()
    status = wire.PORT_BASE + wire.REG_PORT_STATUS

    async def serves():
        await pages.ask([pages.drawn(7, 5)])

    wrong_bit, wrong_code = [XgmiiFrame.from_payload(board.request(wire.OP_PING)[1]) for _ in range(2)]
    wrong_bit.data[40] ^= 1
    wrong_code.normalize()
    wrong_code.data[40], wrong_code.ctrl[40] = XgmiiCtrl.ERROR, 1
    for frame in wrong_bit, wrong_code:
        await board.line.source.send(frame)
    await serves()
    counts = await board.port_counts()
    told = {wire.PORT_RX_FRAMES: 1, wire.PORT_RX_BAD_FCS: 1, wire.PORT_RX_BAD_CODE: 1, wire.PORT_TX_FRAMES: 1}
    told[wire.PORT_RX_BAD_BLOCK] = counts[wire.PORT_RX_BAD_BLOCK]
    assert counts == [told.get(number, 0) for number in range(len(counts))]
    assert await board.counter(wire.COUNTER_RX_FRAMES) == 1 and await board.read(wire.REG_RX_HEAD) == 0

    # The other end tells of a fault: frames are dropped and counted.
    board.line.source.set_seq_os(0x000002)
    await board.until(status, wire.PORT_REMOTE_FAULT, wire.PORT_REMOTE_FAULT, "a remote fault")
    rings.put(bytes(60))
    await rings.tell()
    await board.until(wire.PORT_BASE + wire.PORT_COUNTERS + 4 * wire.PORT_TX_NO_LINK, 0xFF, 1, "a frame without a link")
    board.line.source.set_seq_os(None)
    await board.link()
    await serves()

    # No signal, and then blocks that begin elsewhere: the other end is told meanwhile.
    slips = board.line.slips
    dut.rx_signalOk.value = 0
    await board.until(status, wire.PORT_LOCKED | wire.PORT_LOCAL_FAULT, wire.PORT_LOCAL_FAULT, "a local fault")
    await ClockCycles(dut.clk, 200)
    assert board.line.sink.get_os() == (0x000002, False), "the other end is told of no fault"
    board.line.out_of_step()
    await board.link()
    assert board.line.slips > slips and await board.port(wire.PORT_RX_LOCK_LOST) == 1
    await serves()

    # Bits that are wrong now and then: whole frames or none.
    frames, good = await board.port(wire.PORT_RX_FRAMES), 0
    board.line.noise = 0.01
    for _ in range(40):
        await board.send(board.request(wire.OP_READ, 5 << 22, 100)[1])
    await with_timeout(board.line.source.wait(), PATIENCE, "us")
    await ClockCycles(dut.clk, 1_000)
    board.line.noise = 0.0
    while not board.line.sink.empty():
        assert (await board.leaves())[64:] == pages.model[7, 5][:100], "other bytes"
        good += 1
    await board.link()
    assert 0 < good < 40 and await board.port(wire.PORT_RX_FRAMES) == frames + good
    await serves()
    await rings.stop()
    await board.rests()


@cocotb.test()
async def resets_amid_traffic_leave_whole_bursts_and_a_board_that_serves(dut):
    board = Zcu106(dut, 8)
    await board.up()
    pages = await served(board, [(7, 5, 3, READ_WRITE), (7, 6, 4, READ_WRITE)])
    rings = Rings(board)
    board.pause()
    for _ in range(4):
        await rings.start()
        for _ in range(12):
            await board.send(pages.drawn(7, board.draw.choice([5, 6]))[1])
            await board.send(board.request(wire.OP_PING, 0, 200, board.draw.randbytes(200))[1])
        window = board.window.init_read(4 << 22, 3000)
        await ClockCycles(dut.clk, board.draw.randint(200, 1500))
        dut.reset.value = 1
        await ClockCycles(dut.clk, board.draw.choice([1, 1, 7]))
        dut.reset.value = 0
        # Registers answer, and so does what the processor reads of DRAM: a reset of the board's leaves it alone.
        assert await board.read(wire.REG_DEVICE_MAGIC) == wire.DEVICE_MAGIC
        await with_timeout(window.wait(), PATIENCE, "us")
        assert window.data.resp == 0
        await with_timeout(board.line.source.wait(), PATIENCE, "us")
        assert await board.read(wire.REG_EPOCH) == 0 and await board.read(wire.REG_RX_HEAD) == 0
        await board.link()
        # Which of the writes were done, memory tells: nothing of the former life comes after that.
        await board.until(wire.REG_REST, 3, 3, "rest")
        for pid, vpn, ppn, _ in pages.pages:
            pages.model[pid, vpn][:] = board.dram.read(ppn << pages.table.page_bits, SPAN)
        await board.rules()
        await pages.ask([pages.drawn(7, vpn) for vpn in (5, 6) * 4])
        await rings.start()
        ping = board.request(wire.OP_PING, 0, 200, board.draw.randbytes(200))[1]
        await board.send(ping)
        await board.until(wire.REG_RX_HEAD, 0xFFFFFFFF, 1, "a frame in the ring")
        assert await rings.receive() == [ping]
        await board.rests()
    for pid, vpn, ppn, _ in pages.pages:
        assert board.dram.read(ppn << pages.table.page_bits, SPAN) == pages.model[pid, vpn], f"page {ppn}"


@cocotb.test()
async def a_page_that_the_test_gives_is_zeroed_and_taken_by_the_first_write(dut):
    board = Zcu106(dut, 7)
    size = 1 << 22
    page = 2 * size
    # What another process has left.
    for at in 0, size // 2, size - SPAN:
        board.dram.write(page + at, board.draw.randbytes(SPAN))
    board.dram.write(page + size, board.draw.randbytes(SPAN))
    beyond = board.dram.read(page + size, SPAN)
    await board.up(pages=[2])
    pages = await served(board, [])
    table = pages.table
    assert board.dram.read(page, size) == bytes(size) and board.dram.read(page + size, SPAN) == beyond
    entry = table.entry(7, 5, 0, *READ_WRITE)
    command = [
        (wire.REG_REPLACE_PID, 7), (wire.REG_REPLACE_VPN, 5), (wire.REG_REPLACE_COMPARE_LOW, 0),
        (wire.REG_REPLACE_COMPARE_HIGH, 0), (wire.REG_REPLACE_WRITE_LOW, 0xFFFFFFFF),
        (wire.REG_REPLACE_WRITE_HIGH, 0xFFFFFFFF), (wire.REG_REPLACE_NEW_LOW, entry & 0xFFFFFFFF),
        (wire.REG_REPLACE_NEW_HIGH, entry >> 32), (wire.REG_REPLACE_GO, 1),
    ]
    for register, word in command:
        await board.write(register, word)
    await board.until(wire.REG_REPLACE_STATUS, 7, wire.REPLACE_DONE, "an entry")
    bucket = table.bucket(7, 5)
    assert board.dram.read_qword(bucket) == entry, "the entry is in its bucket's first place"
    pages.pages.append((7, 5, 2, READ_WRITE))
    pages.model[7, 5] = bytearray(SPAN)
    await pages.ask([pages.request(wire.OP_READ, 7, 5, 100, 1000)])
    assert await board.read(wire.REG_ASYNC_LEVEL) == 1, "a read takes a page"
    board.pause()
    await pages.ask([pages.drawn(7, 5) for _ in range(16)])
    await board.rests()
    used = *READ_WRITE, wire.PTE_VALID_BIT, wire.PTE_ACCESSED_BIT, wire.PTE_DIRTY_BIT
    assert board.dram.read_qword(bucket) == table.entry(7, 5, 2, *used)
    assert board.dram.read(page, SPAN) == pages.model[7, 5]
    assert await board.read(wire.REG_ASYNC_LEVEL) == 0 and await board.counter(wire.COUNTER_PAGE_FAULT) == 1
